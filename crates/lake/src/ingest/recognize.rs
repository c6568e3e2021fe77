//! Which format reads each file: by its name, else by its first bytes, which may also have to tell its rank.

use std::collections::BTreeMap;
use std::sync::Arc;

use tokio::runtime::Handle;

use crate::error::{Error, ErrorKind, Result};
use crate::format::{FORMATS, Format, ObjectInfo, Probe};
use crate::lake::Entry;
use crate::source::{Object, Place};

/// So many files that no format knows by name are looked into, by a request each: more of them are no profile.
const LOOKS: usize = 20_000;

/// What a listed file is.
#[derive(Clone)]
pub(super) enum Kind {
    /// Read by this format, in this group.
    Read(&'static dyn Format, Arc<str>),
    /// Known and not read, and why.
    Ignored(String),
    /// No format knows it.
    Unknown,
    /// It went away since it was listed.
    Gone,
}

/// What is known of a listed file.
pub(super) struct Recognized {
    pub(super) kind: Kind,
    /// The rank that its first bytes tell; none where the name is enough.
    pub(super) told_rank: Option<i64>,
}

/// Decides for each listed file. `known` are the run's entries by address: of files that have not changed since,
/// nothing is fetched.
pub(super) fn recognize(
    place: &Place,
    listed: &[Object],
    infos: &[ObjectInfo],
    known: &BTreeMap<&str, &Entry>,
    handle: &Handle,
) -> Result<Vec<Recognized>> {
    let as_it_was = |object: &Object| {
        let old = known.get(place.url_of(&object.location).as_str()).copied();
        old.filter(|old| old.etag == object.etag && old.size == object.size)
    };
    let unchanged: Vec<Option<&Entry>> = listed.iter().map(as_it_was).collect();
    let named: Vec<Option<Kind>> =
        infos.iter().zip(&unchanged).map(|(info, old)| by_name(info).or_else(|| as_before(info, (*old)?))).collect();
    let unknown = named.iter().filter(|kind| kind.is_none()).count();
    if unknown > LOOKS {
        let text = format!("cannot ingest {}: the names of {unknown} of its files match no format", place.url());
        let hint = format!("give the folder of the profile; at most {LOOKS} files are recognized by their contents");
        return Err(Error::new(ErrorKind::Unrecognized, text).with_hint(hint));
    }
    let wants = |n: usize| matches!(&named[n], Some(Kind::Read(format, _)) if format.wants_rank(&infos[n]));
    // Also one alone: others may come later, and what has not changed is not looked at again.
    let to_look_at = |n: &usize| named[*n].is_none() || wants(*n) && unchanged[*n].is_none();
    let looked_at: Vec<usize> = (0..listed.len()).filter(to_look_at).collect();
    let mut found: Vec<Recognized> = unchanged
        .iter()
        .zip(&named)
        .map(|(old, kind)| Recognized {
            kind: kind.clone().unwrap_or(Kind::Gone),
            told_rank: old.and_then(|old| old.told_rank),
        })
        .collect();
    let objects: Vec<&Object> = looked_at.iter().map(|n| &listed[*n]).collect();
    let looks = place.heads(&objects, handle, |nth, head| {
        let n = looked_at[nth];
        inside(&infos[n], named[n].clone(), head)
    })?;
    for (n, look) in looked_at.into_iter().zip(looks) {
        found[n] = look;
    }
    Ok(found)
}

fn by_name(info: &ObjectInfo) -> Option<Kind> {
    let ignored = FORMATS.iter().find_map(|format| format.ignores(info));
    let read = || FORMATS.iter().find_map(|format| Some(Kind::Read(*format, format.group(info)?)));
    ignored.map(|why| Kind::Ignored(why.to_owned())).or_else(read)
}

/// What was found inside before, unless other formats are known today.
fn as_before(info: &ObjectInfo, old: &Entry) -> Option<Kind> {
    // By these names it may be something else.
    if old.loader_columns != info.loader_columns {
        return None;
    }
    if let Some(format) = old.format.as_deref().and_then(crate::format::format) {
        return Some(Kind::Read(format, Arc::clone(&info.path)));
    }
    (old.unknown_to == Some(format_count())).then_some(Kind::Unknown)
}

/// What the first bytes of a file say, whose name may have said already what it is.
fn inside(info: &ObjectInfo, named: Option<Kind>, head: Result<Vec<u8>>) -> Result<Recognized> {
    let head = match (head, &named) {
        (Ok(head), _) => head,
        // It is read in any case, and what is wrong with it said then.
        (Err(error), Some(_)) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::Malformed) => Vec::new(),
        (Err(error), None) if error.kind() == ErrorKind::NotFound => {
            return Ok(Recognized { kind: Kind::Gone, told_rank: None });
        }
        (Err(error), _) => return Err(error),
    };
    let probe = Probe { info, head: &head, tail: &[] };
    let by_content = || match FORMATS.iter().find(|format| format.sniff(&probe)) {
        // A format that goes by content has each file for itself.
        Some(format) => Kind::Read(*format, Arc::clone(&info.path)),
        None => {
            let declined = FORMATS.iter().find_map(|format| format.declines(&probe));
            declined.map_or(Kind::Unknown, Kind::Ignored)
        }
    };
    let kind = named.unwrap_or_else(by_content);
    let told_rank = match &kind {
        Kind::Read(format, _) if format.wants_rank(info) => format.rank(info, &head),
        _ => None,
    };
    Ok(Recognized { kind, told_rank })
}

/// The number of formats.
pub(super) fn format_count() -> u32 {
    u32::try_from(FORMATS.len()).unwrap_or(u32::MAX)
}

/// Why a file that no format knows was not read.
pub(super) fn unknown() -> String {
    let names: Vec<&str> = FORMATS.iter().map(|format| format.descriptor().name).collect();
    format!("not recognized; looked for: {}", names.join(", "))
}
