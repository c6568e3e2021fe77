//! The native module `tracelake._tracelake`: sessions, frames and figures for the Python package.
//!
//! Thin on purpose: it converts arguments and answers, lets other threads run while the engine works,
//! and hands out the Arrow C stream. What users see is written in Python, in the folder `tracelake`.

mod error;
mod figure;
mod frame;
mod gate;
mod own_profile;
mod report;
mod session;
mod stream;
mod table;
mod upload;
mod value;

use std::collections::BTreeMap;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use tracelake::catalog::{Finding, Query};

/// The names of the queries of each family. Unlike `help_queries`, it reads no header, so that an import stays quick.
#[pyfunction]
fn families() -> BTreeMap<&'static str, Vec<&'static str>> {
    tracelake::catalog::families()
}

/// The catalog: a dict for each canned query.
#[pyfunction]
fn help_queries(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    entries(py, tracelake::catalog::queries().iter().filter(|query| query.family().is_some()))
}

/// Queries as dicts.
fn entries<'a, 'py>(py: Python<'py>, queries: impl Iterator<Item = &'a Query>) -> PyResult<Bound<'py, PyList>> {
    let all = PyList::empty(py);
    for query in queries {
        let entry = PyDict::new(py);
        entry.set_item("name", &query.name)?;
        entry.set_item("family", query.family())?;
        entry.set_item("question", &query.header.summary)?;
        entry.set_item("doc", &query.header.detail)?;
        let params = PyList::empty(py);
        for param in &query.header.params {
            let one = PyDict::new(py);
            one.set_item("name", &param.name)?;
            one.set_item("type", param.sql_type())?;
            one.set_item("default", &param.default)?;
            one.set_item("doc", &param.doc)?;
            params.append(one)?;
        }
        entry.set_item("params", params)?;
        let columns = PyList::empty(py);
        for column in &query.header.columns {
            let one = PyDict::new(py);
            one.set_item("name", &column.name)?;
            one.set_item("type", column.ty.as_str())?;
            one.set_item("unit", column.unit.as_str())?;
            one.set_item("doc", &column.doc)?;
            columns.append(one)?;
        }
        entry.set_item("columns", columns)?;
        entry.set_item("order", &query.header.order)?;
        entry.set_item("reads", &query.header.needs)?;
        entry.set_item("sources", &query.header.sources)?;
        entry.set_item("empty", &query.header.empty)?;
        let finding = query.header.finding.as_ref().map(|finding| finding_entry(py, finding)).transpose()?;
        entry.set_item("finding", finding)?;
        all.append(entry)?;
    }
    Ok(all)
}

/// What makes a query a finding, as a dict.
fn finding_entry<'py>(py: Python<'py>, finding: &Finding) -> PyResult<Bound<'py, PyDict>> {
    let entry = PyDict::new(py);
    entry.set_item("cause", &finding.cause)?;
    entry.set_item("remedy", &finding.remedy)?;
    entry.set_item("limits", &finding.limits)?;
    entry.set_item("evidence", &finding.evidence)?;
    entry.set_item("severities", finding.severities().collect::<Vec<_>>())?;
    Ok(entry)
}

/// plotly.js, which draws the figures.
#[pyfunction]
fn plotly_js() -> &'static str {
    tracelake::figure::library()
}

/// Runs the command line; gives the exit code.
#[pyfunction]
fn main(py: Python<'_>, argv: Vec<String>) -> u8 {
    py.detach(|| tracelake::cli::main(argv))
}

#[pymodule]
fn _tracelake(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(session::open, module)?)?;
    module.add_function(wrap_pyfunction!(families, module)?)?;
    module.add_function(wrap_pyfunction!(help_queries, module)?)?;
    module.add_function(wrap_pyfunction!(plotly_js, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_class::<session::Session>()?;
    module.add_class::<session::Following>()?;
    module.add_class::<frame::Frame>()?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<own_profile::OwnProfile>()?;
    module.add_class::<upload::Upload>()?;
    module.add_class::<figure::Figure>()?;
    module.add_class::<gate::Gate>()?;
    module.add_class::<report::Report>()?;
    Ok(())
}
