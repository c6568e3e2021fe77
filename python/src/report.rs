//! The Python class of a page about runs.

use pyo3::prelude::*;
use tracelake::report::ReportPage;

/// A page about a run, a comparison or a lake.
#[pyclass(name = "Report", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyReport {
    pub(crate) page: ReportPage,
}

#[pymethods]
impl PyReport {
    /// What it is about.
    #[getter]
    fn title(&self) -> &str {
        self.page.title()
    }

    /// The page.
    fn html(&self) -> &str {
        self.page.html()
    }

    /// The page in a frame, for a notebook.
    fn block(&self) -> String {
        self.page.to_html_block()
    }

    /// The page in few words.
    fn text(&self) -> String {
        format!("{:?}", self.page)
    }
}
