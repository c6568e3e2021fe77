//! Python values as arguments of queries.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use tracelake::Value;

use crate::error::refuse;

/// The value for the engine; `name` is that of its parameter.
fn value(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        Ok(Value::Null)
    } else if object.is_instance_of::<PyBool>() {
        object.extract().map(Value::Boolean)
    } else if object.is_instance_of::<PyInt>() {
        let wide = |_| refused(name, object, "it does not fit into 64 bits");
        object.extract().map(Value::Bigint).map_err(wide)
    } else if object.is_instance_of::<PyFloat>() {
        object.extract().map(Value::Double)
    } else if object.is_instance_of::<PyString>() {
        object.extract().map(Value::Text)
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        object.try_iter()?.map(|item| value(name, &item?)).collect::<PyResult<_>>().map(Value::List)
    } else if object.is_instance(&object.py().import("datetime")?.getattr("date")?)? {
        // timestamps of pandas are datetimes, and datetimes are dates
        object.py().import("tracelake.instant")?.call_method1("nanoseconds", (object,))?.extract().map(Value::Bigint)
    } else if let Some(object) = python_value(object) {
        value(name, &object)
    } else {
        Err(refused(name, object, "expected bool, int, float, str, a datetime, None or a list of these"))
    }
}

/// The list of an array or a series of numpy, pandas, PyArrow, Polars or PyTorch, and the number of a scalar of these.
fn python_value<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    // `tolist` of a datetime64 array gives numbers in any unit, so the items are converted one by one.
    if object.hasattr("dtype").unwrap_or(false)
        && let Ok(items) = object.try_iter()
    {
        return PyList::new(object.py(), items.collect::<PyResult<Vec<_>>>().ok()?).ok().map(Bound::into_any);
    }
    ["item", "to_pylist", "to_list", "tolist"].iter().find_map(|method| object.call_method0(*method).ok())
}

/// The values by name.
pub(crate) fn values(object: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, Value>> {
    object
        .iter()
        .map(|(name, given)| {
            let name: String = name.extract()?;
            let given = value(&name, &given)?;
            Ok((name, given))
        })
        .collect()
}

/// The run argument: a name, or several.
pub(crate) struct Runs(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Runs {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Some(run) = run(&object) {
            return Ok(Self(vec![run]));
        }
        let several = || object.try_iter().ok()?.map(|item| run(&item.ok()?)).collect();
        let found: Option<Vec<String>> = if object.is_instance_of::<PyBytes>() { None } else { several() };
        found.map(Self).ok_or_else(|| refused("run", &object, "expected the name of a run, a list of names, or None"))
    }
}

/// A run as a text. A `Path` is a path also where it has no `/`.
fn run(object: &Bound<'_, PyAny>) -> Option<String> {
    if object.is_instance_of::<PyBytes>() {
        return None;
    }
    object.extract().ok().or_else(|| {
        let path: PathBuf = object.extract().ok()?;
        let here = if path.components().count() == 1 && path.is_relative() { "./" } else { "" };
        Some(format!("{here}{}", path.to_str()?))
    })
}

/// The names of runs.
pub(crate) fn names(runs: Option<Runs>) -> Option<Vec<String>> {
    runs.map(|runs| runs.0)
}

/// The columns argument: a list of names.
pub(crate) struct Columns(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for Columns {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        texts(&object).map(Self).ok_or_else(|| refused("columns", &object, "expected a list of names, or None"))
    }
}

/// The texts of a list, a tuple, an index of pandas; a text itself is no list of letters.
fn texts(object: &Bound<'_, PyAny>) -> Option<Vec<String>> {
    if object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>() {
        return None;
    }
    object.try_iter().ok()?.map(|item| item.ok()?.extract().ok()).collect()
}

fn refused(name: &str, object: &Bound<'_, PyAny>, why: &str) -> PyErr {
    let shown = object.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string_lossy().into_owned());
    let mut short: String = shown.chars().take(60).collect();
    if short.len() < shown.len() {
        short.push_str("...");
    }
    refuse(object.py(), format!("cannot use {short} as `{name}`: {why}"))
}
