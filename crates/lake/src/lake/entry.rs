//! What a manifest says about each file. A profile may have a million of them, so that each takes little memory.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// One object of a source. What many have in common they share.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
pub struct Entry {
    /// Value of the `object` column of its rows.
    pub id: i64,
    /// Address that was ingested.
    pub source: Arc<str>,
    /// Address of the object.
    pub url: String,
    /// Version mark of the store.
    pub etag: String,
    /// Size in bytes.
    pub size: u64,
    /// When it was last written, ns since the Unix epoch.
    pub modified: i64,
    /// Format it was read as; none when it was not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<Arc<str>>,
    /// Version of the decoder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format_version: Option<i64>,
    /// Rows by table.
    pub rows: Arc<BTreeMap<String, i64>>,
    /// Entries left out.
    pub skipped: i64,
    /// Entries damaged and read all the same.
    pub repaired: i64,
    /// Why it was not read, or not to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Arc<str>>,
    /// Number of formats when none of them recognized the file. With another number, the next ingest looks at it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unknown_to: Option<u32>,
    /// Machines seen in it.
    pub nodes: Arc<BTreeSet<String>>,
    /// Ranks seen in it.
    pub ranks: Arc<BTreeSet<i64>>,
    /// Rank that its first bytes tell, where a name was not enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told_rank: Option<i64>,
    /// Which recording of its process it is, from 0; none where a file is no whole recording.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recording: Option<i64>,
    /// Framework that wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub framework: Option<Arc<str>>,
    /// Earliest time in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<i64>,
    /// Latest time in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<i64>,
    /// What the user had added to its times, ns.
    #[serde(default)]
    pub clock_offset: i64,
    /// The annotation that the user named as the mark of steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step_annotation: Option<Arc<str>>,
    /// What the user called the columns of data loader timings.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub loader_columns: Arc<BTreeMap<String, String>>,
}

fn is_empty(columns: &Arc<BTreeMap<String, String>>) -> bool {
    columns.is_empty()
}

/// What entries have in common, each value once.
#[derive(Debug, Default)]
pub(crate) struct Common {
    texts: HashSet<Arc<str>>,
    rows: HashSet<Arc<BTreeMap<String, i64>>>,
    nodes: HashSet<Arc<BTreeSet<String>>>,
    ranks: HashSet<Arc<BTreeSet<i64>>>,
    columns: HashSet<Arc<BTreeMap<String, String>>>,
}

impl Common {
    /// The entry, which shares with those before it what is the same.
    pub(crate) fn shared(&mut self, mut entry: Entry) -> Arc<Entry> {
        one(&mut self.texts, &mut entry.source);
        let texts = [&mut entry.format, &mut entry.error, &mut entry.framework, &mut entry.step_annotation];
        texts.into_iter().flatten().for_each(|text| one(&mut self.texts, text));
        one(&mut self.rows, &mut entry.rows);
        one(&mut self.nodes, &mut entry.nodes);
        one(&mut self.ranks, &mut entry.ranks);
        one(&mut self.columns, &mut entry.loader_columns);
        Arc::new(entry)
    }
}

/// Puts what is known in the place of a value that equals it.
fn one<T: Hash + Eq + ?Sized>(known: &mut HashSet<Arc<T>>, value: &mut Arc<T>) {
    match known.get(value) {
        Some(same) => *value = Arc::clone(same),
        None => _ = known.insert(Arc::clone(value)),
    }
}

/// Reads a list of entries.
pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Arc<Entry>>, D::Error> {
    struct Entries;
    impl<'de> Visitor<'de> for Entries {
        type Value = Vec<Arc<Entry>>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of objects")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let (mut common, mut entries) = (Common::default(), Vec::new());
            while let Some(entry) = list.next_element()? {
                entries.push(common.shared(entry));
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
    fn what_entries_have_in_common_is_kept_once() {
        let objects = vec![Arc::new(entry(0)), Arc::new(entry(1))];
        let written = Manifest { objects, ..Manifest::empty("job") };
        let read = Manifest::parse("a test", &written.to_json().unwrap()).unwrap();
        assert_eq!(read, written);
        let [first, second] = read.objects.as_slice() else { panic!("{read:?}") };
        assert!(Arc::ptr_eq(&first.source, &second.source));
        assert!(Arc::ptr_eq(&first.rows, &second.rows) && Arc::ptr_eq(&first.nodes, &second.nodes));
        assert!(!Arc::ptr_eq(&first.ranks, &second.ranks));
    }

    #[test]
    fn what_an_older_version_wrote_as_null_is_none() {
        let text = r#"{"id": 3, "source": "s", "url": "u", "etag": "", "size": 1, "modified": 2, "format": null,
            "format_version": null, "rows": {}, "skipped": 0, "repaired": 0, "error": "not recognized", "nodes": [],
            "ranks": [], "framework": null, "started": null, "ended": null}"#;
        let entry: Entry = serde_json::from_str(text).unwrap();
        assert_eq!((entry.id, entry.format, entry.started), (3, None, None));
        assert_eq!(entry.error.as_deref(), Some("not recognized"));
    }
}
