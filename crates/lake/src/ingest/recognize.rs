//! Recognizes the format of each file: by its name, else by its first bytes, which may also have
//! its rank.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::error::{Error, ErrorKind, Result};
use crate::format::other_tools::{self, refusal};
use crate::format::{Decoder, Descriptor, FORMATS, Format, FormatDecoder, ObjectInfo, Probe, Stream};
use crate::lake::Entry;
use crate::source::{Location, StoredObject};
use crate::table::Rows;

/// Maximum number of files that are recognized by content, with one request for each. More of them
/// are not a profile.
const MAX_PROBES: usize = 20_000;

/// The kind of a listed file.
#[derive(Clone)]
pub(super) enum FileKind {
    /// Read by this format, in this group.
    Read(&'static dyn Format, Arc<str>),
    /// Recognized but not read, with the reason.
    Ignored(String),
    /// A file of another tool that no format reads, with what it is.
    Refused(String),
    /// Not recognized.
    Unknown,
    /// Removed since the listing.
    Gone,
}

/// A listed file after recognition.
pub(super) struct RecognizedFile {
    pub(super) kind: FileKind,
    /// The rank in its first bytes; none if the name is enough.
    pub(super) rank_from_content: Option<i64>,
}

/// Recognizes each listed file. `known` has the entries of the run by URL: unchanged files are not
/// fetched.
pub(super) fn recognize(
    location: &Location,
    listed: &[StoredObject],
    infos: &[ObjectInfo],
    known: &BTreeMap<&str, &Entry>,
    handle: &Handle,
) -> Result<Vec<RecognizedFile>> {
    let old_if_unchanged = |object: &StoredObject| {
        let old = known.get(location.url_of(&object.location).as_str()).copied();
        old.filter(|old| old.etag == object.etag && old.size == object.size)
    };
    let unchanged: Vec<Option<&Entry>> = listed.iter().map(old_if_unchanged).collect();
    let named = listed.iter().zip(infos).zip(&unchanged).map(|((object, info), old)| {
        let unlisted = object.unlisted.as_ref().map(|_| unreadable(info));
        unlisted.or_else(|| by_name(info)).or_else(|| old_kind(info, (*old)?))
    });
    let named: Vec<_> = named.collect();
    let unknown = named.iter().filter(|kind| kind.is_none()).count();
    if unknown > MAX_PROBES {
        let text = format!("cannot ingest {}: the names of {unknown} of its files match no format", location.url());
        let hint =
            format!("give the folder of the profile; at most {MAX_PROBES} files are recognized by their contents");
        return Err(Error::new(ErrorKind::Unrecognized, text).with_hint(hint));
    }
    let wants = |n: usize| matches!(&named[n], Some(FileKind::Read(format, _)) if format.needs_rank(&infos[n]));
    // Also for a single file: others may come later, and unchanged files are not read again.
    let needs_probe = |n: &usize| named[*n].is_none() || wants(*n) && unchanged[*n].is_none();
    let probed: Vec<usize> = (0..listed.len()).filter(needs_probe).collect();
    let files = unchanged.iter().zip(&named).map(|(old, kind)| RecognizedFile {
        kind: kind.clone().unwrap_or(FileKind::Gone),
        rank_from_content: old.and_then(|old| old.rank_from_content),
    });
    let mut files: Vec<RecognizedFile> = files.collect();
    let objects: Vec<&StoredObject> = probed.iter().map(|n| &listed[*n]).collect();
    let probes = location.read_heads(&objects, handle, |nth, head| {
        let n = probed[nth];
        probe_content(&infos[n], named[n].clone(), head)
    })?;
    for (n, probe_result) in probed.into_iter().zip(probes) {
        files[n] = probe_result;
    }
    Ok(files)
}

fn by_name(info: &ObjectInfo) -> Option<FileKind> {
    let ignored = FORMATS.iter().find_map(|format| format.ignore_reason(info));
    let read = || FORMATS.iter().find_map(|format| Some(FileKind::Read(*format, format.group(info)?)));
    ignored.map(|why| FileKind::Ignored(why.to_owned())).or_else(read)
}

/// Returns the kind from the previous ingest, unless the number of known kinds of files has changed.
fn old_kind(info: &ObjectInfo, old: &Entry) -> Option<FileKind> {
    // With other column names it may be of another kind.
    if old.loader_columns != info.loader_columns {
        return None;
    }
    if let Some(format) = old.format.as_deref().and_then(crate::format::format) {
        return Some(FileKind::Read(format, Arc::clone(&info.path)));
    }
    let error = old.error.as_deref().filter(|_| old.formats_tried == Some(format_count()))?;
    Some(if error == unknown() { FileKind::Unknown } else { FileKind::Refused(error.to_owned()) })
}

/// Recognizes a file from its first bytes; its name may have determined its kind already.
fn probe_content(info: &ObjectInfo, named: Option<FileKind>, head: Result<Vec<u8>>) -> Result<RecognizedFile> {
    let head = match (head, &named) {
        (Ok(head), _) => head,
        // The file is read anyway, and its error is reported then.
        (Err(error), Some(_))
            if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed) || error.is_denied_object() =>
        {
            Vec::new()
        }
        // The next ingest tries again.
        (Err(error), None) if error.is_denied_object() => {
            return Ok(RecognizedFile { kind: unreadable(info), rank_from_content: None });
        }
        (Err(error), None) if error.kind() == ErrorKind::NotFound => {
            return Ok(RecognizedFile { kind: FileKind::Gone, rank_from_content: None });
        }
        (Err(error), _) => return Err(error),
    };
    let probe = Probe { info, head: &head, tail: &[] };
    let by_content = || match FORMATS.iter().find(|format| format.sniff(&probe)) {
        // A format that recognizes files by content has a group for each file.
        Some(format) => FileKind::Read(*format, Arc::clone(&info.path)),
        None => {
            let declined = FORMATS.iter().find_map(|format| format.decline_reason(&probe));
            let refused = || refusal(info.name(), &head).map_or(FileKind::Unknown, FileKind::Refused);
            declined.map_or_else(refused, FileKind::Ignored)
        }
    };
    let kind = named.unwrap_or_else(by_content);
    let rank_from_content = match &kind {
        FileKind::Read(format, _) if format.needs_rank(info) => format.rank(info, &head),
        _ => None,
    };
    Ok(RecognizedFile { kind, rank_from_content })
}

/// The format of a file that cannot be read, not even its first bytes. Reading it gives the error to report.
#[derive(Debug)]
struct Unreadable;

static UNREADABLE: Descriptor = Descriptor {
    name: "unreadable",
    doc: "",
    files: "",
    tables: &[],
    fields: &[],
    not_read: &[],
    source: "",
    version: 1,
};

impl Format for Unreadable {
    fn descriptor(&self) -> &'static Descriptor {
        &UNREADABLE
    }

    fn sniff(&self, _probe: &Probe<'_>) -> bool {
        false
    }

    fn decoder(&self) -> FormatDecoder {
        FormatDecoder::Stream(Box::new(Self))
    }
}

impl Decoder for Unreadable {
    fn begin(&mut self, _object: &ObjectInfo, _rows: &mut Rows) -> Result<()> {
        Ok(())
    }

    fn end(&mut self, _rows: &mut Rows) -> Result<()> {
        Ok(())
    }
}

impl Stream for Unreadable {
    fn push(&mut self, _chunk: &[u8], _rows: &mut Rows) -> Result<()> {
        Ok(())
    }
}

fn unreadable(info: &ObjectInfo) -> FileKind {
    FileKind::Read(&Unreadable, Arc::clone(&info.path))
}

/// Returns the number of formats and of kinds of files that are refused by name.
pub(super) fn format_count() -> u32 {
    u32::try_from(FORMATS.len() + other_tools::count()).unwrap_or(u32::MAX)
}

/// Returns the reason why a file that was not recognized was not read.
pub(super) fn unknown() -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.descriptor().name).collect();
    format!("not recognized; looked for: {}", names.join(", "))
}
