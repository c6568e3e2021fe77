//! The members of the file next to its events: the attributes that all recordings of the run share.
//!
//! With them, tools for PyTorch's own traces can read a file of one rank, and know its rank.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::out::append_member;
use super::reader::{RunReader, integer, integers, text, texts};
use super::write::quoted;
use crate::error::Result;

/// Attributes of the profile's file, which do not apply to the exported file.
const FILE_MEMBERS: &[&str] = &["baseTimeNanoseconds", "displayTimeUnit", "traceName", "traceEvents"];

/// Members of `distributedInfo`, which are separate attributes of the run.
const DISTRIBUTED: &[&str] = &["backend", "rank", "world_size", "pg_count", "pg_config", "nccl_version"];

/// Returns the members as names and JSON, in order.
pub(super) fn members(reader: &RunReader<'_>, base: Option<i64>) -> Result<Vec<(String, String)>> {
    let mut members = vec![("displayTimeUnit".to_owned(), quoted("ns"))];
    members.extend(base.map(|base| ("baseTimeNanoseconds".to_owned(), base.to_string())));
    let traces: BTreeSet<i64> = reader
        .manifest
        .objects
        .iter()
        .filter(|entry| entry.format.as_deref() == Some("kineto"))
        .map(|entry| entry.id)
        .collect();
    if traces.is_empty() {
        return Ok(members);
    }
    let (mut order, mut by_key) = (Vec::new(), BTreeMap::<String, BTreeMap<i64, String>>::new());
    for batch in reader.attributes()? {
        let batch = batch?;
        let (keys, values, objects) = (texts(&batch, 0)?, texts(&batch, 1)?, integers(&batch, 2)?);
        for row in 0..batch.num_rows() {
            let (Some(key), Some(value)) = (text(&keys, row), text(&values, row)) else { continue };
            let Some(object) = integer(&objects, row).filter(|object| traces.contains(object)) else { continue };
            if !by_key.contains_key(key) {
                order.push(key.to_owned());
            }
            by_key.entry(key.to_owned()).or_default().insert(object, value.to_owned());
        }
    }
    // A file of several ranks has no rank. The rank may be known only from the name of a file.
    let ranks: BTreeSet<i64> = reader.manifest.objects.iter().flat_map(|entry| entry.ranks.iter().copied()).collect();
    let mut distributed = Vec::new();
    if let Some(rank) = ranks.first().filter(|_| ranks.len() == 1) {
        distributed.push(("rank".to_owned(), rank.to_string()));
    }
    for key in order.iter().filter(|key| !FILE_MEMBERS.contains(&key.as_str()) && *key != "rank") {
        let Some(values) = by_key.get(key).filter(|values| values.len() == traces.len()) else { continue };
        let mut values = values.values();
        let Some(first) = values.next().filter(|first| values.all(|value| value == *first)) else { continue };
        // The name of a machine may be a number, but is a text.
        let member = (key.clone(), if key == "host_name" { quoted(first) } else { json(first) });
        if DISTRIBUTED.contains(&key.as_str()) { distributed.push(member) } else { members.push(member) }
    }
    if !distributed.is_empty() {
        let mut object = String::new();
        distributed.iter().for_each(|(key, raw)| append_member(&mut object, key, raw));
        members.push(("distributedInfo".to_owned(), object + "}"));
    }
    // This member identifies traces of PyTorch.
    members.push(("traceName".to_owned(), quoted(&reader.manifest.run)));
    Ok(members)
}

/// Returns a value as JSON: unchanged if it is JSON, else quoted.
fn json(value: &str) -> String {
    match serde_json::from_str::<&RawValue>(value) {
        Ok(_) => value.to_owned(),
        Err(_) => quoted(value),
    }
}
