//! Entries of a manifest, one for each file. A profile may have a million files, so an entry takes
//! little memory.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// The entry of one object of a source. Entries share equal values.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct Entry {
    /// Value of the `object` column of its rows.
    pub id: i64,
    /// Address of the ingested source.
    pub source: Arc<str>,
    /// Address of the object.
    pub url: String,
    /// Version mark of the store.
    pub etag: String,
    /// Size in bytes.
    pub size: u64,
    /// Time of the last change, ns since the Unix epoch.
    pub modified: i64,
    /// Format of the object; none if it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Arc<str>>,
    /// Version of the decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_version: Option<i64>,
    /// Rows by table.
    pub rows: Arc<BTreeMap<String, i64>>,
    /// Number of skipped entries.
    pub skipped: i64,
    /// Number of corrupt entries that were repaired.
    pub repaired: i64,
    /// The error if it was not read, or not to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Arc<str>>,
    /// Number of formats if none of them recognized the file. If the number has changed, the next
    /// ingest reads its first bytes again.
    #[serde(default, rename = "unknown_to", skip_serializing_if = "Option::is_none")]
    pub formats_tried: Option<u32>,
    /// Machines that its rows name.
    pub nodes: Arc<BTreeSet<String>>,
    /// Ranks that its rows name.
    pub ranks: Arc<BTreeSet<i64>>,
    /// Rank in its first bytes; only if its name was not enough.
    #[serde(default, rename = "told_rank", skip_serializing_if = "Option::is_none")]
    pub rank_from_content: Option<i64>,
    /// Rank from the numbers in the names of all files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub numbered_rank: Option<i64>,
    /// Ordinal of the recording within its process, from 0; none if a file is not a complete
    /// recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<i64>,
    /// Framework that wrote the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framework: Option<Arc<str>>,
    /// Earliest `ts` in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    /// Latest end in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<i64>,
    /// What its times count from, in ns on a clock with an unknown start; none if they count from the Unix epoch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_start: Option<i64>,
    /// Sum of a hash of its events (`ObjectSummary::event_hash`).
    #[serde(default, skip_serializing_if = "is_zero")]
    pub event_hash: u64,
    /// Whether its rows are those of other files, and are not stored.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_copy: bool,
    /// Whether its events are stored with their nesting; false if an older version wrote them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_nested: bool,
    /// Whether a problem reports that its recording overlaps another one of its rank.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_overlap_reported: bool,
    /// Clock offset in ns that was added to its times.
    #[serde(default)]
    pub clock_offset: i64,
    /// Offset in ns that was added to the times of each rank to align its clock with the others.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub clock_shifts: Arc<BTreeMap<i64, i64>>,
    /// The annotation that marks steps, if the user set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_annotation: Option<Arc<str>>,
    /// The pattern of ranks in paths, if the user set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank_from: Option<Arc<str>>,
    /// Names of the columns of data loader timings, if the user set them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub loader_columns: Arc<BTreeMap<String, String>>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(hash: &u64) -> bool {
    *hash == 0
}

impl Entry {
    /// Whether it has events without their nesting.
    #[doc(hidden)]
    pub fn lacks_nesting(&self) -> bool {
        !self.is_nested && self.rows.get("event").is_some_and(|rows| *rows > 0)
    }

    /// Whether its times count from the Unix epoch. None if it has no times.
    pub fn has_epoch(&self) -> Option<bool> {
        self.started.map(|_| self.clock_start.is_none())
    }
}

/// Values that entries share, each stored once.
#[derive(Debug, Default)]
pub(crate) struct EntryInterner {
    texts: HashSet<Arc<str>>,
    rows: HashSet<Arc<BTreeMap<String, i64>>>,
    nodes: HashSet<Arc<BTreeSet<String>>>,
    ranks: HashSet<Arc<BTreeSet<i64>>>,
    columns: HashSet<Arc<BTreeMap<String, String>>>,
    shifts: HashSet<Arc<BTreeMap<i64, i64>>>,
}

impl EntryInterner {
    /// Returns the entry, which shares equal values with previous entries.
    pub(crate) fn intern(&mut self, mut entry: Entry) -> Arc<Entry> {
        intern_value(&mut self.texts, &mut entry.source);
        let Entry { format, error, framework, step_annotation, rank_from, .. } = &mut entry;
        let texts = [format, error, framework, step_annotation, rank_from];
        texts.into_iter().flatten().for_each(|text| intern_value(&mut self.texts, text));
        intern_value(&mut self.rows, &mut entry.rows);
        intern_value(&mut self.nodes, &mut entry.nodes);
        intern_value(&mut self.ranks, &mut entry.ranks);
        intern_value(&mut self.columns, &mut entry.loader_columns);
        intern_value(&mut self.shifts, &mut entry.clock_shifts);
        Arc::new(entry)
    }
}

/// Replaces a value by the stored value that equals it, or stores it.
fn intern_value<T: Hash + Eq + ?Sized>(stored: &mut HashSet<Arc<T>>, value: &mut Arc<T>) {
    match stored.get(value) {
        Some(same) => *value = Arc::clone(same),
        None => _ = stored.insert(Arc::clone(value)),
    }
}

/// Deserializes a list of entries.
pub(super) fn deserialize_entries<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<Entry>>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<Arc<Entry>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of objects")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let (mut interner, mut entries) = (EntryInterner::default(), Vec::new());
            while let Some(entry) = list.next_element()? {
                entries.push(interner.intern(entry));
            }
            Ok(entries)
        }
    }
    deserializer.deserialize_seq(Entries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lake::Manifest;

    fn entry(id: i64) -> Entry {
        Entry {
            id,
            source: Arc::from("s3://b/job"),
            url: format!("s3://b/job/{id}"),
            format: Some(Arc::from("kineto")),
            rows: Arc::new(BTreeMap::from([("event".to_owned(), 7)])),
            nodes: Arc::new(BTreeSet::from(["algo-1".to_owned()])),
            ranks: Arc::new(BTreeSet::from([id])),
            ..Entry::default()
        }
    }

    #[test]
    fn entries_share_equal_values() {
        let objects = vec![Arc::new(entry(0)), Arc::new(entry(1))];
        let manifest = Manifest { objects, ..Manifest::empty("job") };
        let parsed = Manifest::parse("a test", &manifest.to_json().unwrap()).unwrap();
        assert_eq!(parsed, manifest);
        let [first, second] = parsed.objects.as_slice() else { panic!("{parsed:?}") };
        assert!(Arc::ptr_eq(&first.source, &second.source));
        assert!(Arc::ptr_eq(&first.rows, &second.rows) && Arc::ptr_eq(&first.nodes, &second.nodes));
        assert!(!Arc::ptr_eq(&first.ranks, &second.ranks));
    }

    #[test]
    fn null_of_an_older_version_is_none() {
        let text = r#"{"id": 3, "source": "s", "url": "u", "etag": "", "size": 1, "modified": 2, "format": null,
            "format_version": null, "rows": {}, "skipped": 0, "repaired": 0, "error": "not recognized", "nodes": [],
            "ranks": [], "framework": null, "started": null, "ended": null}"#;
        let entry: Entry = serde_json::from_str(text).unwrap();
        assert_eq!((entry.id, entry.format, entry.started), (3, None, None));
        assert_eq!(entry.error.as_deref(), Some("not recognized"));
    }
}
