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

use super::{cache, set, unreadable};
use crate::error::{Error, ErrorKind, Result};
use crate::export::file::unwritten;

/// A file that exists in every folder with the sources.
const LIBRARY: &str = "notebooks/jupyter/facade/Cargo.toml";

/// The folder that cargo creates next to the sources; it is not a source.
const BUILT: &str = "target";

/// Returns the folder to build in.
pub(super) fn folder(given: Option<&Path>) -> Result<PathBuf> {
    let shipped = set("TRACELAKE_SOURCE").filter(|_| given.is_none());
    let from = given.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), Path::to_owned);
    let from = shipped.clone().unwrap_or(from);
    let from = std::path::absolute(&from).map_err(|e| unreadable(&from, e))?;
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
    let to = cache()?.join("source").join(env!("CARGO_PKG_VERSION"));
    mirror(&from, &to, &[BUILT])?;
    Ok(to)
}

/// Makes `to` a copy of `from`, except for entries with these names; writes only files that differ.
fn mirror(from: &Path, to: &Path, kept: &[&str]) -> Result<()> {
    fs::create_dir_all(to).map_err(|e| unwritten(to.display(), &e))?;
    let wanted = names(from)?;
    for name in
        names(to)?.difference(&wanted).filter(|name| kept.iter().all(|kept| name.as_os_str() != OsStr::new(kept)))
    {
        let stale = to.join(name);
        let removed = if stale.is_dir() { fs::remove_dir_all(&stale) } else { fs::remove_file(&stale) };
        removed.map_err(|e| unwritten(stale.display(), &e))?;
    }
    for name in wanted {
        let (from, to) = (from.join(&name), to.join(&name));
        if from.is_dir() {
            mirror(&from, &to, &[])?;
            continue;
        }
        let text = fs::read(&from).map_err(|e| unreadable(&from, e))?;
        if fs::read(&to).ok().as_ref() != Some(&text) {
            fs::write(&to, text).map_err(|e| unwritten(to.display(), &e))?;
        }
    }
    Ok(())
}

/// Returns the names of the entries of a folder.
fn names(folder: &Path) -> Result<BTreeSet<OsString>> {
    let entries = fs::read_dir(folder).map_err(|e| unreadable(folder, e))?;
    entries.map(|entry| entry.map(|entry| entry.file_name()).map_err(|e| unreadable(folder, e))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_follows_the_sources_and_leaves_what_has_not_changed() {
        let root = tempfile::tempdir().unwrap();
        let (from, to) = (root.path().join("from"), root.path().join("to"));
        let put = |path: PathBuf, text: &str| {
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        put(from.join("Cargo.toml"), "one");
        put(from.join("sql/a.sql"), "a");
        mirror(&from, &to, &[BUILT]).unwrap();
        put(to.join("target/built"), "");
        let written = || fs::metadata(to.join("Cargo.toml")).unwrap().modified().unwrap();
        let before = written();
        put(from.join("sql/b.sql"), "b");
        fs::remove_file(from.join("sql/a.sql")).unwrap();
        mirror(&from, &to, &[BUILT]).unwrap();
        assert_eq!(written(), before);
        assert_eq!(names(&to.join("sql")).unwrap(), [OsString::from("b.sql")].into());
        assert!(to.join("target/built").exists());
    }

    #[test]
    fn a_folder_without_sources_is_refused() {
        let root = tempfile::tempdir().unwrap();
        let error = folder(Some(root.path())).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(error.message().starts_with("cannot find the sources of tracelake in "), "{error}");
    }
}
