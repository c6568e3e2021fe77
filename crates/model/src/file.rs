//! Output files, which are written atomically.

#![expect(clippy::disallowed_methods, reason = "results are written here")]

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind as Io, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, ErrorSubject, Result};
use crate::frame::Sink;

/// Maximum number of names to try for a temporary file.
const MAX_NAMES: usize = 100;

/// Writes a file atomically: under a temporary name next to it, which is renamed at the end. An existing file stays
/// until then, and an error leaves no incomplete file.
///
/// Follows symbolic links. Writes directly to a device or a pipe.
///
/// # Errors
/// Errors of `write`; NotFound, Denied or Exhausted when the file cannot be written.
///
/// # Examples
/// ```
/// # fn main() -> tracelake_model::Result<()> {
/// # use tracelake_model::{Frame, unit::Unit};
/// # let dir = tempfile::tempdir().unwrap();
/// # let path = dir.path().join("x.csv");
/// let numbers = arrow::array::Int64Array::from(vec![1]);
/// let frame = Frame::from_columns(vec![("x", Unit::Count, std::sync::Arc::new(numbers))])?;
/// tracelake_model::file::write_file(&path, &mut |out| frame.write_csv(out))?;
/// assert_eq!(std::fs::read_to_string(path).unwrap(), "x\n1\n");
/// # Ok(())
/// # }
/// ```
pub fn write_file(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let failed = |error: &io::Error| write_error(path.display(), error);
    let refused = |why| {
        Error::new(ErrorKind::Denied, format!("cannot write {}: {why}", path.display()))
            .with_subject(ErrorSubject::Output)
    };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let existing = fs::metadata(&target).ok();
    if let Some(existing) = &existing {
        if existing.is_dir() {
            return Err(refused("it is a folder"));
        }
        if !existing.is_file() {
            let mut file = File::options().write(true).open(&target).map_err(|error| failed(&error))?;
            return fill(&mut file, &failed, write);
        }
        // A rename needs rights on the folder only, so it would replace a read-only file.
        if existing.permissions().readonly() {
            return Err(refused("it is read-only"));
        }
    }
    let (temporary, mut file) = create_temporary(&target).map_err(|error| failed(&error))?;
    let result = fill(&mut file, &failed, write).and_then(|()| {
        let finish = || {
            file.sync_all()?;
            if let Some(existing) = &existing {
                fs::set_permissions(&temporary, existing.permissions())?;
            }
            fs::rename(&temporary, &target)
        };
        finish().map_err(|error| failed(&error))
    });
    if result.is_err() {
        // The caller gets the first error.
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// Creates a file with an unused name: `x.csv.part`, else `x.csv.2.part`, ...
fn create_temporary(target: &Path) -> io::Result<(PathBuf, File)> {
    let mut last = Io::AlreadyExists.into();
    for number in 1..=MAX_NAMES {
        let mut name = OsString::from(target);
        name.push(if number == 1 { ".part".to_owned() } else { format!(".{number}.part") });
        let path = PathBuf::from(name);
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.kind() == Io::AlreadyExists => last = error,
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Calls `write` with a buffered `out`; `failed` returns the error for a failed write.
pub fn fill(
    out: &mut dyn Write,
    failed: &dyn Fn(&io::Error) -> Error,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let mut sink = Sink::new(out);
    let mut buffer = BufWriter::new(&mut sink);
    let result = write(&mut buffer).and_then(|()| buffer.flush().map_err(|error| failed(&error)));
    drop(buffer);
    match sink.failure() {
        Some(error) => Err(failed(error)),
        None => result,
    }
}

/// Returns the extension of a file name in lower case; empty if there is none.
pub fn extension(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns a function that writes a text. The caller of the function reports errors of `out`.
pub fn text_writer(text: &str) -> impl FnMut(&mut dyn Write) -> Result<()> {
    move |out| out.write_all(text.as_bytes()).map_err(|error| write_error("the text", &error))
}

/// Returns the error of a failed write.
pub fn write_error(what: impl Display, error: &io::Error) -> Error {
    let kind = match error.kind() {
        Io::PermissionDenied | Io::ReadOnlyFilesystem => ErrorKind::Denied,
        Io::NotFound | Io::NotADirectory => ErrorKind::NotFound,
        _ => ErrorKind::Exhausted,
    };
    Error::new(kind, format!("cannot write {what}: {error}")).with_subject(ErrorSubject::Output)
}
