//! Output files: they are written completely, or not at all.

#![expect(clippy::disallowed_methods, reason = "results are written here")]

use std::ffi::OsString;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind as Io, Write};
use std::path::{Path, PathBuf};

use crate::error::{About, Error, ErrorKind, Result};
use crate::frame::Sink;

/// Maximum number of names to try for a temporary file next to another file.
const NAMES: usize = 100;

/// Writes a file atomically: under a temporary name next to it, which is renamed at the end. An existing file stays
/// until then, and an error leaves no incomplete file.
///
/// A link stays a link. Writes directly to a device or a pipe.
///
/// # Errors
/// Errors of `write`; NotFound, Denied or Exhausted when the file cannot be written.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// # let s = tracelake::create(dir.path().join("lake").to_str().unwrap())?;
/// let (frame, path) = (s.sql("select 1 as x")?, dir.path().join("x.csv"));
/// tracelake::cli::write_file(&path, &mut |out| frame.write_csv(out))?;
/// assert_eq!(std::fs::read_to_string(path).unwrap(), "x\n1\n");
/// # Ok(())
/// # }
/// ```
pub fn write_file(path: &Path, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let failed = |error: &io::Error| unwritten(path.display(), error);
    let refused = |why| {
        Error::new(ErrorKind::Denied, format!("cannot write {}: {why}", path.display())).with_about(About::Output)
    };
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let there = fs::metadata(&target).ok();
    if let Some(there) = &there {
        if there.is_dir() {
            return Err(refused("it is a folder"));
        }
        if !there.is_file() {
            let mut file = File::options().write(true).open(&target).map_err(|error| failed(&error))?;
            return fill(&mut file, &failed, write);
        }
        // A rename needs rights on the folder only, so it would replace a read-only file.
        if there.permissions().readonly() {
            return Err(refused("it is read-only"));
        }
    }
    let (part, mut file) = beside(&target).map_err(|error| failed(&error))?;
    let written = fill(&mut file, &failed, write).and_then(|()| {
        let finish = || {
            file.sync_all()?;
            if let Some(there) = &there {
                fs::set_permissions(&part, there.permissions())?;
            }
            fs::rename(&part, &target)
        };
        finish().map_err(|error| failed(&error))
    });
    if written.is_err() {
        // The caller gets the first error; this one changes nothing.
        let _ = fs::remove_file(&part);
    }
    written
}

/// Creates a file with an unused name: `x.csv.part`, else `x.csv.2.part`, ...
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let mut taken = Io::AlreadyExists.into();
    for number in 1..=NAMES {
        let mut name = OsString::from(target);
        name.push(if number == 1 { ".part".to_owned() } else { format!(".{number}.part") });
        let part = PathBuf::from(name);
        match File::create_new(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == Io::AlreadyExists => taken = error,
            Err(error) => return Err(error),
        }
    }
    Err(taken)
}

/// Calls `write` with a buffered `out`; `failed` makes the error when writing to `out` fails.
pub(crate) fn fill(
    out: &mut dyn Write,
    failed: &dyn Fn(&io::Error) -> Error,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let mut sink = Sink::new(out);
    let mut buffer = BufWriter::new(&mut sink);
    let written = write(&mut buffer).and_then(|()| buffer.flush().map_err(|error| failed(&error)));
    drop(buffer);
    match sink.failure() {
        Some(error) => Err(failed(error)),
        None => written,
    }
}

/// Returns the extension of a file name in lower case; empty if there is none.
pub(crate) fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Returns a function that writes a text; the owner of `out` reports its errors.
pub(crate) fn all(text: &str) -> impl FnMut(&mut dyn Write) -> Result<()> {
    move |out| out.write_all(text.as_bytes()).map_err(|error| unwritten("the text", &error))
}

/// Returns the error of a failed write.
pub(crate) fn unwritten(what: impl Display, error: &io::Error) -> Error {
    let kind = match error.kind() {
        Io::PermissionDenied | Io::ReadOnlyFilesystem => ErrorKind::Denied,
        Io::NotFound | Io::NotADirectory => ErrorKind::NotFound,
        _ => ErrorKind::Exhausted,
    };
    Error::new(kind, format!("cannot write {what}: {error}")).with_about(About::Output)
}
