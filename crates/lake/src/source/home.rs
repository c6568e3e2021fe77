//! Lakes and files of the environment: the default lake, and checks of local addresses.

#![expect(clippy::disallowed_methods, reason = "source reads the environment and lists folders")]

use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// Returns the folder of the default lake: `TRACELAKE_HOME`, else `tracelake` in the data folder of
/// the user.
///
/// # Errors
/// Argument if this machine has no such folder.
pub fn home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("TRACELAKE_HOME").filter(|home| !home.is_empty()) {
        return Ok(PathBuf::from(home));
    }
    dirs::data_dir().map(|folder| folder.join("tracelake")).ok_or_else(|| {
        Error::new(ErrorKind::Argument, "cannot find the default lake: there is no user data folder")
            .with_hint("set TRACELAKE_HOME")
    })
}

/// Returns the address of the lake in the environment variable `TRACELAKE_LAKE`.
pub fn lake_from_environment() -> Option<String> {
    std::env::var("TRACELAKE_LAKE").ok().filter(|url| !url.is_empty())
}

/// Whether a local file or folder has this name.
#[doc(hidden)]
pub fn is_local(path: &str) -> bool {
    Path::new(path).exists()
}

/// Returns what is missing at a local address: the folder, or files with this ending in it.
#[doc(hidden)]
pub fn missing(address: &str, ending: &str) -> Option<String> {
    let path = match address.split_once("://") {
        Some(("file", path)) if !path.contains('%') => Path::new(path),
        Some(_) => return None,
        None => Path::new(address),
    };
    if !path.exists() {
        return Some("there is no such file or folder".to_owned());
    }
    if !path.is_dir() || may_contain(path, ending) {
        return None;
    }
    Some(if ending.is_empty() { "the folder is empty".to_owned() } else { format!("the folder has no {ending} file") })
}

/// Returns whether a folder may contain a file with this ending: also true for links and for folders that cannot be listed.
fn may_contain(folder: &Path, ending: &str) -> bool {
    std::fs::read_dir(folder).map_or(true, |entries| {
        entries.filter_map(std::result::Result::ok).any(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => may_contain(&entry.path(), ending),
            Ok(kind) if kind.is_file() => entry.file_name().to_string_lossy().ends_with(ending),
            _ => true,
        })
    })
}
