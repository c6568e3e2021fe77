//! The sources to build a kernel from: a given folder, those in the wheel, or those that the program was built from.
//!
//! A wheel contains the sources (`TRACELAKE_SOURCE`, set by its `tracelake`). Its folder may be read-only, and a build
//! writes next to the sources, so they are copied to the cache. The copy does not touch unchanged files: cargo compares
//! modification times, so a second kernel compiles nothing.

#![expect(clippy::disallowed_methods, reason = "copies files for the compiler")]

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

use super::{cache_folder, path_variable, read_error};
use crate::error::{Error, ErrorKind, Result};
use tracelake_model::file::write_error;

/// A file that exists in every folder with the sources.
const LIBRARY: &str = "notebooks/jupyter/facade/Cargo.toml";

/// The folder that cargo creates next to the sources; it is not a source.
const BUILT: &str = "target";

/// Returns the folder to build in.
pub(super) fn folder(configured: Option<&Path>) -> Result<PathBuf> {
    let shipped = path_variable("TRACELAKE_SOURCE").filter(|_| configured.is_none());
    let from = configured.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), Path::to_owned);
    let from = shipped.clone().unwrap_or(from);
    let from = std::path::absolute(&from).map_err(|e| read_error(&from, e))?;
    if !from.join(LIBRARY).exists() {
        let text = format!("cannot find the sources of tracelake in {}", from.display());
        let hint = format!(
            "the kernel is built from the sources, which a wheel contains; otherwise clone the repository at version {} \
             and give its folder: `tracelake jupyter install --source DIR`",
            env!("CARGO_PKG_VERSION")
        );
        return Err(Error::new(ErrorKind::NotFound, text).with_hint(hint));
    }
    if shipped.is_none() {
        return Ok(from);
    }
    let copy = cache_folder()?.join("source").join(env!("CARGO_PKG_VERSION"));
    mirror(&from, &copy, &[BUILT])?;
    Ok(copy)
}

/// Makes `copy` a copy of `from`, except for entries with these names. Writes only files that differ.
fn mirror(from: &Path, copy: &Path, excluded: &[&str]) -> Result<()> {
    fs::create_dir_all(copy).map_err(|e| write_error(copy.display(), &e))?;
    let names_to_copy = file_names(from)?;
    let is_stale = |name: &&OsString| excluded.iter().all(|excluded| name.as_os_str() != OsStr::new(excluded));
    for name in file_names(copy)?.difference(&names_to_copy).filter(is_stale) {
        let stale = copy.join(name);
        let removed = if stale.is_dir() { fs::remove_dir_all(&stale) } else { fs::remove_file(&stale) };
        removed.map_err(|e| write_error(stale.display(), &e))?;
    }
    for name in names_to_copy {
        let (from, copy) = (from.join(&name), copy.join(&name));
        if from.is_dir() {
            mirror(&from, &copy, &[])?;
            continue;
        }
        let text = fs::read(&from).map_err(|e| read_error(&from, e))?;
        if fs::read(&copy).ok().as_ref() != Some(&text) {
            fs::write(&copy, text).map_err(|e| write_error(copy.display(), &e))?;
        }
    }
    Ok(())
}

/// Returns the names of the entries of a folder.
fn file_names(folder: &Path) -> Result<BTreeSet<OsString>> {
    let entries = fs::read_dir(folder).map_err(|e| read_error(folder, e))?;
    entries.map(|entry| entry.map(|entry| entry.file_name()).map_err(|e| read_error(folder, e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_has_the_changes_and_unchanged_files_are_not_written() {
        let root = tempfile::tempdir().unwrap();
        let (from, copy) = (root.path().join("from"), root.path().join("copy"));
        let put = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put(from.join("Cargo.toml"), "one");
        put(from.join("sql/a.sql"), "a");
        mirror(&from, &copy, &[BUILT]).unwrap();
        put(copy.join("target/built"), "");
        let modified = || fs::metadata(copy.join("Cargo.toml")).unwrap().modified().unwrap();
        let before = modified();
        put(from.join("sql/b.sql"), "b");
        fs::remove_file(from.join("sql/a.sql")).unwrap();
        mirror(&from, &copy, &[BUILT]).unwrap();
        assert_eq!(modified(), before);
        assert_eq!(file_names(&copy.join("sql")).unwrap(), [OsString::from("b.sql")].into());
        assert!(copy.join("target/built").exists());
    }

    #[test]
    fn a_folder_without_sources_is_an_error() {
        let root = tempfile::tempdir().unwrap();
        let error = folder(Some(root.path())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.message().starts_with("cannot find the sources of tracelake in "), "{error}");
    }
}
