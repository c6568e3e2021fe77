//! Pages of S3 listings, without the keys that no [`Path`] can have: one of them would fail the whole listing.

use std::ops::Range;

use bytes::Bytes;
use object_store::path::Path;
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// Keys of S3 have up to 1,024 bytes.
pub(super) const MAX_KEY: usize = 4_096;

/// Takes the objects with such keys off a page, and returns their keys. A page that is not well-formed is returned as it
/// is.
pub(super) fn take_odd_keys(page: Bytes) -> (Bytes, Vec<String>) {
    let Some(odd) = odd_objects(&page).filter(|odd| !odd.is_empty()) else { return (page, Vec::new()) };
    let mut rest = Vec::with_capacity(page.len());
    let (mut end, mut keys) = (0, Vec::new());
    for (object, key) in odd {
        rest.extend_from_slice(&page[end..object.start]);
        end = object.end;
        keys.push(key);
    }
    rest.extend_from_slice(&page[end..]);
    (rest.into(), keys)
}

/// The bytes and the key of each such object.
fn odd_objects(page: &[u8]) -> Option<Vec<(Range<usize>, String)>> {
    let mut reader = Reader::from_reader(page);
    let position = |reader: &Reader<&[u8]>| usize::try_from(reader.buffer_position()).ok();
    let is = |element: &BytesStart<'_>, name: &[u8]| element.local_name().as_ref() == name;
    let mut odd = Vec::new();
    let (mut start, mut key) = (0, String::new());
    loop {
        let before = position(&reader)?;
        match reader.read_event().ok()? {
            Event::Start(element) if is(&element, b"Contents") => (start, key) = (before, String::new()),
            Event::Start(element) if is(&element, b"Key") => {
                let text = reader.read_text(element.name()).ok()?;
                key = quick_xml::escape::unescape(&text).ok()?.into_owned();
            }
            Event::End(element)
                if element.local_name().as_ref() == b"Contents" && key.len() <= MAX_KEY && !is_path(&key) =>
            {
                odd.push((start..position(&reader)?, std::mem::take(&mut key)));
            }
            Event::Eof => return Some(odd),
            _ => {}
        }
    }
}

/// Whether a path can stand for the key. A key that ends with a slash is a mark of an empty folder.
fn is_path(key: &str) -> bool {
    !key.starts_with('/') && Path::parse(key).is_ok()
}

/// The path by which messages name an object with such a key. A slash that has no name after it is `%2F`.
pub(super) fn path_of_odd_key(key: &str) -> Path {
    let mut parts: Vec<String> = Vec::new();
    let mut slashes = 0;
    for part in key.split('/') {
        if part.is_empty() {
            slashes += 1;
        } else {
            parts.push("/".repeat(std::mem::take(&mut slashes)) + part);
        }
    }
    parts.extend((slashes > 0).then(|| "/".repeat(slashes)));
    parts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(keys: &[&str]) -> Bytes {
        let objects = keys.iter().map(|key| format!("<Contents>\n<Key>{key}</Key><Size>1</Size></Contents>"));
        let objects: String = objects.collect();
        format!(r#"<?xml version="1.0"?><ListBucketResult xmlns="http://s3">{objects}</ListBucketResult>"#).into()
    }

    #[test]
    fn only_objects_with_odd_keys_are_taken_off() {
        let all = page(&["a//b", "a/b", "x/../y", "/a", "a &amp; b//", "mark/", "tab&#9;", "."]);
        let (rest, keys) = take_odd_keys(all);
        assert_eq!(rest, page(&["a/b", "mark/"]));
        assert_eq!(keys, ["a//b", "x/../y", "/a", "a & b//", "tab\t", "."]);
    }

    #[test]
    fn other_pages_stay_as_they_are() {
        for page in [page(&["a/b", "c"]), page(&[]), Bytes::from_static(b"<a><Contents><Key>a//b</Key>"), Bytes::new()]
        {
            assert_eq!(take_odd_keys(page.clone()), (page, Vec::new()));
        }
    }

    #[test]
    fn an_odd_key_has_a_path_of_its_own() {
        let keys = ["a//b", "a/b", "/a/b", "a///b", "x/../y", "a//", "."];
        let paths = keys.map(|key| path_of_odd_key(key).to_string());
        assert_eq!(paths, ["a/%2Fb", "a/b", "%2Fa/b", "a/%2F%2Fb", "x/%2E%2E/y", "a/%2F%2F", "%2E"]);
    }
}
