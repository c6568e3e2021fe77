//! Where a lake is kept when nobody says where.

use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind, Result};

/// The folder of the default lake: `TRACELAKE_HOME`, else `tracelake` in the user's data folder.
///
/// # Errors
/// Argument when there is no such folder on this machine.
#[expect(clippy::disallowed_methods, reason = "source is where the environment is read")]
pub fn home() -> Result<PathBuf> {
    if let Some(home) = std::env::var_os("TRACELAKE_HOME").filter(|home| !home.is_empty()) {
        return Ok(PathBuf::from(home));
    }
    dirs::data_dir().map(|folder| folder.join("tracelake")).ok_or_else(|| {
        Error::new(ErrorKind::Argument, "cannot find the default lake: there is no user data folder")
            .with_hint("set TRACELAKE_HOME")
    })
}

/// The lake that the environment names, `TRACELAKE_LAKE`.
#[expect(clippy::disallowed_methods, reason = "source is where the environment is read")]
pub fn named_lake() -> Option<String> {
    std::env::var("TRACELAKE_LAKE").ok().filter(|url| !url.is_empty())
}

/// Whether a file or folder of this machine has this name.
pub(crate) fn is_local(path: &str) -> bool {
    Path::new(path).exists()
}
