//! The native module `tracelake._tracelake`: sessions, frames and figures for the Python package.
//!
//! It only converts arguments and results, releases the GIL during calls, and exports Arrow C streams.
//! The public classes are written in Python, in the folder `tracelake`.

mod error;
mod figure;
mod frame;
mod gate;
mod report;
mod self_trace;
mod session;
mod stream;
mod table;
mod upload;
mod value;

use std::collections::BTreeMap;
use std::ffi::OsString;

use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyDict, PyList};
use tracelake::catalog::{FindingHeader, Query};

/// The names of the queries of each family. Unlike `help_queries`, it reads no header, so that an import stays quick.
#[pyfunction]
fn families() -> BTreeMap<&'static str, Vec<&'static str>> {
    tracelake::catalog::families()
}

/// The catalog: a dict for each canned query.
#[pyfunction]
fn help_queries(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    query_dicts(py, tracelake::catalog::queries().iter().filter(|query| query.family().is_some()))
}

/// Converts queries into dicts.
fn query_dicts<'a, 'py>(py: Python<'py>, queries: impl Iterator<Item = &'a Query>) -> PyResult<Bound<'py, PyList>> {
    let entries = PyList::empty(py);
    for query in queries {
        let entry = PyDict::new(py);
        entry.set_item("name", &query.name)?;
        entry.set_item("family", query.family())?;
        entry.set_item("question", &query.header.summary)?;
        entry.set_item("doc", &query.header.detail)?;
        let params = PyList::empty(py);
        for param in &query.header.params {
            let dict = PyDict::new(py);
            dict.set_item("name", &param.name)?;
            dict.set_item("type", param.sql_type())?;
            dict.set_item("default", &param.default)?;
            dict.set_item("doc", &param.doc)?;
            params.append(dict)?;
        }
        entry.set_item("params", params)?;
        let columns = PyList::empty(py);
        for column in &query.header.columns {
            let dict = PyDict::new(py);
            dict.set_item("name", &column.name)?;
            dict.set_item("type", column.ty.as_str())?;
            dict.set_item("unit", column.unit.as_str())?;
            dict.set_item("doc", &column.doc)?;
            columns.append(dict)?;
        }
        entry.set_item("columns", columns)?;
        entry.set_item("order", &query.header.order)?;
        entry.set_item("reads", &query.header.needs)?;
        entry.set_item("sources", &query.header.sources)?;
        entry.set_item("empty", &query.header.empty)?;
        let finding = query.header.finding.as_ref().map(|finding| finding_dict(py, finding)).transpose()?;
        entry.set_item("finding", finding)?;
        entries.append(entry)?;
    }
    Ok(entries)
}

/// Converts the part of a header that makes a query a finding into a dict.
fn finding_dict<'py>(py: Python<'py>, finding: &FindingHeader) -> PyResult<Bound<'py, PyDict>> {
    let entry =
        [("cause", &finding.cause), ("remedy", &finding.remedy), ("limits", &finding.limits)].into_py_dict(py)?;
    entry.set_item("evidence", &finding.evidence)?;
    entry.set_item("severities", finding.severities().collect::<Vec<_>>())?;
    Ok(entry)
}

/// plotly.js, which draws the figures.
#[pyfunction]
fn plotly_js() -> &'static str {
    tracelake::figure::library()
}

/// Plotly JSON as a static picture.
#[pyfunction]
fn plot_svg(json: &str) -> String {
    tracelake::figure::to_svg(json)
}

/// Runs the command line; gives the exit code.
#[pyfunction]
fn main(py: Python<'_>, argv: Vec<OsString>) -> u8 {
    py.detach(|| tracelake::cli::main(argv))
}

#[pymodule]
fn _tracelake(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(session::open, module)?)?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(help_queries, module)?)?;
    module.add_function(wrap_pyfunction!(plotly_js, module)?)?;
    module.add_function(wrap_pyfunction!(plot_svg, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_class::<session::PySession>()?;
    module.add_class::<session::PyFollower>()?;
    module.add_class::<frame::PyFrame>()?;
    module.add_class::<stream::PyStream>()?;
    module.add_class::<self_trace::PySelfTrace>()?;
    module.add_class::<upload::PyUpload>()?;
    module.add_class::<figure::PyFigure>()?;
    module.add_class::<gate::PyGate>()?;
    module.add_class::<report::PyReport>()?;
    Ok(())
}
