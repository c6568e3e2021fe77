//! Reads bytes from a local folder or an object store: lists it once, and reads it in parallel.
//!
//! It returns objects with their size and version mark, and their bytes in chunks, decompressed. It
//! does not interpret the bytes.

mod credentials;
mod decompress;
mod disk;
mod home;
mod list_page;
mod location;
mod nsight_reports;
mod options;
mod read;
mod s3;
mod traffic;

pub use home::{home, lake_from_environment};
#[doc(hidden)]
pub use home::{is_local, missing};
pub use location::{Location, decoded};
#[doc(hidden)]
pub use nsight_reports::export_reports;
pub use options::Options;
pub use read::{Chunks, Compression, EDGE, RandomAccessObject};
pub use traffic::Traffic;

use std::sync::Arc;

use object_store::ObjectMeta;
use object_store::client::{HttpError, HttpErrorKind};
use object_store::path::Path;

use crate::error::{Error, ErrorKind, ErrorSubject, find_cause};

/// An object in a store, as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredObject {
    /// Path in the store.
    pub location: Path,
    /// Path below the listed folder, with `/` between folders.
    pub path: Arc<str>,
    /// Size in bytes.
    pub size: u64,
    /// Version mark of the store; derived from size and time if the store has none.
    pub etag: String,
    /// Time of the last change, ns since the Unix epoch.
    pub modified: i64,
    /// Kind and text of the error of an entry that cannot be listed, such as a folder without permission.
    pub unlisted: Option<(ErrorKind, Arc<str>)>,
}

impl StoredObject {
    fn new(meta: ObjectMeta, path: Arc<str>) -> Self {
        let modified = meta.last_modified.timestamp_nanos_opt().unwrap_or(0);
        let etag = meta.e_tag.unwrap_or_else(|| format!("{}-{modified}", meta.size));
        Self { location: meta.location, path, size: meta.size, etag, modified, unlisted: None }
    }

    /// An entry of a listing that cannot be read.
    fn unlisted(location: Path, path: Arc<str>, error: &Error) -> Self {
        let unlisted = Some((error.kind(), error.to_string().into()));
        Self { location, path, size: 0, etag: String::new(), modified: 0, unlisted }
    }
}

/// The operation that failed.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreAction {
    /// Reading an object.
    Read,
    /// Listing a folder.
    List,
    /// Writing or moving an object.
    Write,
    /// Removing an object.
    Remove,
}

impl StoreAction {
    const fn verb(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::List => "list",
            Self::Write => "write",
            Self::Remove => "remove",
        }
    }
}

/// Converts the error of a store: "cannot read s3://...: it does not exist".
///
/// # Errors
/// Always: it only creates errors.
#[doc(hidden)]
pub fn store_error(action: StoreAction, what: &str, error: object_store::Error) -> Error {
    use std::io::ErrorKind as Disk;

    use object_store::Error as Store;
    let text = error.to_string();
    let disk = find_cause::<std::io::Error>(&error).map(std::io::Error::kind);
    let http = find_cause::<HttpError>(&error).map(HttpError::kind);
    let contains_any = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let denied = ["SignatureDoesNotMatch", "InvalidAccessKeyId", "AccessDenied", "403 Forbidden", "401 Unauthorized"];
    // The last one is the text of object_store for a redirect without an address.
    let other_region = ["PermanentRedirect", "AuthorizationHeaderMalformed", "redirect without LOCATION"];
    let (kind, hint) = match &error {
        Store::NotFound { .. } if text.contains("NoSuchBucket") => (ErrorKind::NotFound, Some(NO_BUCKET)),
        Store::NotFound { .. } => (ErrorKind::NotFound, None),
        Store::AlreadyExists { .. } | Store::Precondition { .. } => (ErrorKind::Conflict, None),
        _ if text.contains("RequestTimeTooSkewed") => (ErrorKind::Denied, Some(CLOCK)),
        _ if text.contains("ExpiredToken") || text.contains("TokenRefreshRequired") => {
            (ErrorKind::Denied, Some(EXPIRED))
        }
        Store::PermissionDenied { .. } | Store::Unauthenticated { .. } => (ErrorKind::Denied, Some(CREDENTIALS)),
        _ if contains_any(&other_region) => (ErrorKind::Argument, Some(REGION)),
        _ if contains_any(&denied) => (ErrorKind::Denied, Some(CREDENTIALS)),
        _ if text.contains("NoSuchBucket") => (ErrorKind::NotFound, Some(NO_BUCKET)),
        _ if matches!(disk, Some(Disk::StorageFull | Disk::QuotaExceeded)) => {
            (ErrorKind::Exhausted, Some("free some space, or choose another folder"))
        }
        _ if disk == Some(Disk::ReadOnlyFilesystem) => {
            (ErrorKind::Denied, Some("choose another folder, or make the disk writable"))
        }
        _ if disk == Some(Disk::PermissionDenied) => (ErrorKind::Denied, Some("check the permissions of the folder")),
        // A server without WebDAV sent the response.
        _ if text.contains("PROPFIND") && (text.contains("non-2xx status") || text.contains("Error decoding")) => {
            (ErrorKind::Unreachable, Some(WEBDAV))
        }
        _ if matches!(http, Some(HttpErrorKind::Connect | HttpErrorKind::Timeout)) => {
            (ErrorKind::Unreachable, Some("check the endpoint and the network"))
        }
        _ => (ErrorKind::Unreachable, None),
    };
    let reason = match kind {
        ErrorKind::NotFound => "it does not exist",
        ErrorKind::Denied => "the store refused",
        ErrorKind::Conflict => "another process wrote it first",
        ErrorKind::Exhausted => "no space left",
        ErrorKind::Argument => "the bucket is in another region",
        _ if hint == Some(WEBDAV) => "the server cannot list folders",
        _ => "the store sent an unexpected response",
    };
    let is_output = matches!(action, StoreAction::Write | StoreAction::Remove);
    let all_are_denied =
        matches!(hint, Some(CLOCK | EXPIRED)) || contains_any(&["SignatureDoesNotMatch", "InvalidAccessKeyId"]);
    let subject = match kind {
        _ if is_output => ErrorSubject::Output,
        ErrorKind::Denied if all_are_denied => ErrorSubject::Credentials,
        _ => ErrorSubject::Input,
    };
    let error = Error::new(kind, format!("cannot {} {what}: {reason}", action.verb()))
        .with_context("cause", without_secrets(&text))
        .with_subject(subject);
    if let Some(hint) = hint { error.with_hint(hint) } else { error }
}

const NO_BUCKET: &str = "the bucket does not exist; check its name and the endpoint";

const CREDENTIALS: &str = "give credentials by environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN), by a profile of ~/.aws \
(AWS_PROFILE, or `profile` of the store options) or by store options; for a public bucket, set `skip_signature=true` there";

const REGION: &str = "set the region of the bucket, or none to detect it; it is now from `region` of the store options, AWS_REGION, \
AWS_DEFAULT_REGION or the profile";

const CLOCK: &str = "the clock of this machine is wrong: correct it";

const EXPIRED: &str = "the credentials have expired: sign in again, or give new ones";

const WEBDAV: &str = "listing folders over http needs WebDAV (PROPFIND), which a plain web server does not support: \
serve the folder with WebDAV or S3, or copy it";

/// Returns the text of the error of a store without possible secrets: queries of URLs, and bodies
/// of responses.
fn without_secrets(text: &str) -> String {
    if let Some(code) = text.split("<Code>").nth(1).and_then(|rest| rest.split("</Code>").next()) {
        return code.to_owned();
    }
    let mut out = String::new();
    for word in text.split_whitespace() {
        let word = word.split('?').next().unwrap_or(word);
        let hidden =
            word.split_once("://").and_then(|(scheme, rest)| Some(format!("{scheme}://{}", rest.rsplit_once('@')?.1)));
        let word = hidden.as_deref().unwrap_or(word);
        if out.len() + word.len() > 300 {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
