//! Python values as arguments of queries.

use std::collections::BTreeMap;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};
use tracelake::Value;

/// The value for the engine.
pub(crate) fn value(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    if object.is_none() {
        Ok(Value::Null)
    } else if object.is_instance_of::<PyBool>() {
        object.extract().map(Value::Boolean)
    } else if object.is_instance_of::<PyInt>() {
        object.extract().map(Value::Bigint)
    } else if object.is_instance_of::<PyFloat>() {
        object.extract().map(Value::Double)
    } else if object.is_instance_of::<PyString>() {
        object.extract().map(Value::Text)
    } else if object.is_instance_of::<PyList>() || object.is_instance_of::<PyTuple>() {
        object.try_iter()?.map(|item| value(&item?)).collect::<PyResult<_>>().map(Value::List)
    } else if let Ok(number) = object.call_method0("item") {
        // numpy scalars
        value(&number)
    } else {
        let name = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "cannot use a {name} as a parameter: bool, int, float, str, None or a list of these expected"
        )))
    }
}

/// The values by name.
pub(crate) fn values(object: &Bound<'_, PyDict>) -> PyResult<BTreeMap<String, Value>> {
    object.iter().map(|(name, given)| Ok((name.extract()?, value(&given)?))).collect()
}

/// The run argument: a name, a list of names, or None.
#[derive(FromPyObject)]
pub(crate) enum Runs {
    One(String),
    Many(Vec<String>),
}

/// The names of runs.
pub(crate) fn names(runs: Option<Runs>) -> Option<Vec<String>> {
    runs.map(|runs| match runs {
        Runs::One(run) => vec![run],
        Runs::Many(runs) => runs,
    })
}
