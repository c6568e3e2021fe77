//! `tracelake export`: a run as a file for other viewers.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;

use super::failure::Failure;
use super::file::write_file;
use super::output::{line, stdout, unreadable};
use super::place::Place;
use crate::error::{Error, ErrorKind, Result};
use crate::session::{Exported, Session};

/// Level of gzip: half as large again as the best, and many times faster.
const LEVEL: u32 = 3;

/// Writes a run as a trace for other viewers, see [`Session::export`], to a local file: `.json`, or `.json.gz` packed.
///
/// The file is written as [`write_file`] does: whole or not at all, and what was there stays until then.
///
/// # Errors
/// Those of [`Session::export`] and of [`write_file`]; Argument for another ending, and for an address of a store.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// let profile = "tests/data/pytorch_ddp";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let path = dir.path().join("trace.json.gz");
/// let exported = tracelake::cli::export_file(&s, "pytorch_ddp", "chrome", &path)?;
/// assert!(std::fs::metadata(path).unwrap().len() < exported.bytes / 5);
/// # Ok(())
/// # }
/// ```
#[tracing::instrument(name = "export", skip_all)]
pub fn export_file(session: &Session, run: &str, format: &str, path: &Path) -> Result<Exported> {
    let packed = is_packed(path)?;
    let mut exported = None;
    write_file(path, &mut |out| {
        let told = if packed {
            let mut pack = GzEncoder::new(out, Compression::new(LEVEL));
            let told = session.export(run, format, &mut pack)?;
            pack.finish()
                .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the trace: {error}")))?;
            told
        } else {
            session.export(run, format, out)?
        };
        exported = Some(told);
        Ok(())
    })?;
    exported.ok_or_else(|| Error::new(ErrorKind::Internal, "cannot say what was exported"))
}

/// Whether the file is to be packed, by its name.
fn is_packed(path: &Path) -> Result<bool> {
    let text = path.to_string_lossy();
    let refused = |why: &str, hint: &str| {
        Err(Error::new(ErrorKind::Argument, format!("cannot write {text}: {why}")).with_hint(hint))
    };
    if text.contains("://") {
        return refused("a trace is written to a local file", "write it there, and copy it to the store");
    }
    let name = text.to_lowercase();
    match (name.ends_with(".json.gz"), name.ends_with(".json")) {
        (true, _) => Ok(true),
        (_, true) => Ok(false),
        _ => refused("the name says no format", "let it end in .json, or .json.gz to pack it"),
    }
}

/// Runs the command.
pub(super) fn run(place: &Place, run: &str, format: &str, output: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = output else {
        if io::stdout().is_terminal() {
            return Err(unreadable("a trace", "trace.json").into());
        }
        let session = place.open(false)?;
        return stdout(&mut |out: &mut dyn Write| session.export(run, format, out).map(|_| ())).map_err(Failure::from);
    };
    is_packed(path)?;
    let told = export_file(&place.open(false)?, run, format, path)?;
    line(&format!("wrote {}\n{told}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_says_how() {
        assert!(!is_packed(Path::new("a/B.JSON")).unwrap());
        assert!(is_packed(Path::new("b.json.gz")).unwrap());
        let told = |path: &str| is_packed(Path::new(path)).map_err(|error| error.to_string());
        assert_eq!(
            told("trace.txt"),
            Err("cannot write trace.txt: the name says no format\n  hint:   let it end in .json, or .json.gz to pack it"
                .to_owned())
        );
        assert!(
            told("s3://b/trace.json").is_err_and(|text| text.contains("local file")),
            "{:?}",
            told("s3://b/x.json")
        );
    }
}
