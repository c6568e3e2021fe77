//! The Python class of a drawn figure.

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tracelake::figure::DrawnFigure;
use tracelake::figure::PictureSize;

use crate::error::PendingExceptions;
use crate::frame::PyFrame;

/// A drawn figure and the frames behind it.
#[pyclass(name = "Figure", frozen, module = "tracelake._tracelake")]
pub(crate) struct PyFigure {
    pub(crate) figure: DrawnFigure,
    pub(crate) pending: PendingExceptions,
}

#[pymethods]
impl PyFigure {
    /// Its name.
    #[getter]
    fn name(&self) -> &'static str {
        self.figure.name()
    }

    /// The frames that its numbers come from.
    #[getter]
    fn frames(&self) -> Vec<PyFrame> {
        let frames = self.figure.frames().iter();
        frames.map(|frame| PyFrame { frame: frame.clone(), pending: self.pending.clone() }).collect()
    }

    /// Begin and length in ns of the window that each panel shows, if its axes count from there.
    fn windows(&self, py: Python<'_>) -> PyResult<Vec<(i64, i64)>> {
        self.pending.call(py, || self.figure.windows())
    }

    /// The plot as Plotly JSON.
    fn json(&self) -> &str {
        self.figure.to_json()
    }

    /// The plot as Plotly JSON for a notebook.
    fn notebook_json(&self) -> String {
        self.figure.to_notebook_json()
    }

    /// A static picture.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        self.pending.call(py, || Ok(self.figure.to_svg()))
    }

    /// HTML for a notebook that needs no network; only with `library` it contains plotly.js.
    fn html(&self, py: Python<'_>, library: bool) -> PyResult<String> {
        let part = || self.figure.to_html_part().to_owned();
        self.pending.call(py, || Ok(if library { self.figure.to_html_block() } else { part() }))
    }

    /// A whole page that needs no network.
    fn page(&self, py: Python<'_>) -> PyResult<String> {
        self.pending.call(py, || Ok(self.figure.to_html_page()))
    }

    /// The bytes of a picture, drawn by the browser of this machine.
    fn picture<'py>(
        &self,
        py: Python<'py>,
        form: &str,
        width: u32,
        height: Option<u32>,
        scale: f64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let size = PictureSize { width, height, scale };
        let bytes = self.pending.call(py, || self.figure.to_picture(form, size))?;
        Ok(PyBytes::new(py, &bytes))
    }
}
