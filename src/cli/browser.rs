//! The target of a page: stdout, a file, or the browser.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use super::failure::CommandFailure;
use super::output;
use crate::error::{Error, ErrorKind};
use crate::source;

/// The target of a page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'a> {
    /// The file to write.
    pub(super) output: Option<&'a Path>,
    /// True to show the file in the browser.
    pub(super) open: bool,
}

impl Target<'_> {
    /// Returns true if the page would be printed on a terminal.
    pub(super) fn is_terminal(&self) -> bool {
        self.output.is_none() && !self.open && std::io::stdout().is_terminal()
    }

    /// Writes the page and, with `open`, shows it in the browser.
    pub(super) fn write(&self, page: &str) -> Result<(), CommandFailure> {
        if !self.open {
            return output::write_text(page, self.output);
        }
        let path = self.output.map_or_else(temporary_page, |path| Ok(path.to_owned()))?;
        output::write_text(page, Some(&path))?;
        open_in_browser(&path)
    }
}

/// Creates an empty file for a page. The file is not removed: a browser may read it after this process has ended.
fn temporary_page() -> Result<PathBuf, CommandFailure> {
    let file = tempfile::Builder::new().prefix("tracelake-").suffix(".html").tempfile();
    let path = file.and_then(|file| file.into_temp_path().keep().map_err(|error| error.error));
    path.map_err(|error| {
        let text = format!("cannot create a temporary file for the page: {error}");
        CommandFailure::lake(Error::new(ErrorKind::Exhausted, text).with_hint("write the page to a file: -o page.html"))
    })
}

/// Shows a file in the browser: the program in the variable `BROWSER`, or the default browser of this machine.
fn open_in_browser(path: &Path) -> Result<(), CommandFailure> {
    let url = source::Location::open(&path.to_string_lossy(), &source::Options::new())?;
    webbrowser::open(url.url()).map_err(|error| {
        CommandFailure::lake(
            Error::new(ErrorKind::NotFound, format!("cannot show {} in a browser: {error}", path.display()))
                .with_hint("open the file yourself, or name a browser in the variable BROWSER"),
        )
    })
}
