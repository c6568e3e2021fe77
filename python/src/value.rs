//! Converts Python values into arguments of the library.

use std::collections::BTreeMap;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use tracelake::Value;

use crate::error::refuse;

/// Converts the value of the parameter `name`.
fn value(name: &str, object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        Ok(Value::Null)
    } else if object.is_instance_of::<PyBool>() {
        object.extract().map(Value::Boolean)
    } else if object.is_instance_of::<PyInt>() {
        let overflow = |_| invalid(name, object, "it does not fit into 64 bits");
        object.extract().map(Value::Bigint).map_err(overflow)
    } else if object.is_instance_of::<PyFloat>() {
        object.extract().map(Value::Double)
    } else if object.is_instance_of::<PyString>() {
        object.extract().map(Value::Text)
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        object.try_iter()?.map(|item| value(name, &item?)).collect::<PyResult<_>>().map(Value::List)
    } else if object.is_instance(&object.py().import("datetime")?.getattr("date")?)? {
        // A timestamp of pandas is a datetime, and a datetime is a date.
        object.py().import("tracelake.instant")?.call_method1("nanoseconds", (object,))?.extract().map(Value::Bigint)
    } else if let Some(object) = python_value(object) {
        value(name, &object)
    } else {
        Err(invalid(name, object, "expected bool, int, float, str, a datetime, None or a list of these"))
    }
}

/// Converts an array, series or scalar of numpy, pandas, PyArrow, Polars or PyTorch into a Python list or number.
fn python_value<'py>(object: &Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
    // `tolist` of a datetime64 array returns numbers in any unit, so the items are converted one by one.
    if object.hasattr("dtype").unwrap_or(false)
        && let Ok(items) = object.try_iter()
    {
        return PyList::new(object.py(), items.collect::<PyResult<Vec<_>>>().ok()?).ok().map(Bound::into_any);
    }
    ["item", "to_pylist", "to_list", "tolist"].iter().find_map(|method| object.call_method0(*method).ok())
}

/// Converts a dict of values by name.
pub(crate) fn query_values(object: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, Value>> {
    let values = object.iter().map(|(name, object)| {
        let name: String = name.extract()?;
        let value = value(&name, &object)?;
        Ok((name, value))
    });
    values.collect()
}

/// The `run` argument: a name, or a list of names.
pub(crate) struct RunNames(pub(crate) Vec<String>);

impl<'py> FromPyObject<'_, 'py> for RunNames {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Some(run_name) = run_name(&object) {
            return Ok(Self(vec![run_name]));
        }
        let several = || object.try_iter().ok()?.map(|item| run_name(&item.ok()?)).collect();
        let names: Option<Vec<String>> = if object.is_instance_of::<PyBytes>() { None } else { several() };
        names.map(Self).ok_or_else(|| invalid("run", &object, "expected the name of a run, a list of names, or None"))
    }
}

/// The name of a run. A `Path` without `/` gets a `./`, so that it is a path and not a name.
fn run_name(object: &Bound<'_, PyAny>) -> Option<String> {
    if object.is_instance_of::<PyBytes>() {
        return None;
    }
    object.extract().ok().or_else(|| {
        let path: PathBuf = object.extract().ok()?;
        let here = if path.components().count() == 1 && path.is_relative() { "./" } else { "" };
        Some(format!("{here}{}", path.to_str()?))
    })
}

/// The names of runs. `None` for all runs.
pub(crate) fn run_names(runs: Option<RunNames>) -> Option<Vec<String>> {
    runs.map(|runs| runs.0)
}

/// Converts the argument `columns`: a list, a tuple or an index of pandas, or None. A text is not a list of letters.
pub(crate) fn column_names(object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<String>>> {
    if object.is_none() {
        return Ok(None);
    }
    let is_text = object.is_instance_of::<PyString>() || object.is_instance_of::<PyBytes>();
    let several = || object.try_iter().ok()?.map(|item| item.ok()?.extract().ok()).collect();
    let names: Option<Vec<String>> = if is_text { None } else { several() };
    names.map(Some).ok_or_else(|| invalid("columns", object, "expected a list of names, or None"))
}

fn invalid(name: &str, object: &Bound<'_, PyAny>, why: &str) -> PyErr {
    let shown = object.repr().map_or_else(|_| "a value".to_owned(), |text| text.to_string_lossy().into_owned());
    let mut short: String = shown.chars().take(60).collect();
    if short.len() < shown.len() {
        short.push_str("...");
    }
    refuse(object.py(), format!("cannot use {short} as `{name}`: {why}"))
}
