//! The members of the file beside its events: what all recordings of the run say of themselves.
//!
//! With them, a file of one rank can be read by everything that reads PyTorch's own traces, and knows its rank.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::scan::{Scan, integer, integers, text, texts};
use crate::error::Result;
use crate::format::add_string;

/// Members that say something about the file that was read, not about this one.
const OF_THE_FILE: &[&str] = &["baseTimeNanoseconds", "displayTimeUnit", "traceName", "traceEvents"];

/// Members of `distributedInfo`, which a reader takes apart.
const DISTRIBUTED: &[&str] = &["backend", "rank", "world_size", "pg_count", "pg_config", "nccl_version"];

/// Names and JSON, in order.
pub(super) fn members(scan: &Scan<'_>, base: Option<i64>) -> Result<Vec<(String, String)>> {
    let mut members = vec![("displayTimeUnit".to_owned(), quoted("ns"))];
    members.extend(base.map(|base| ("baseTimeNanoseconds".to_owned(), base.to_string())));
    let traces: BTreeSet<i64> = scan
        .manifest
        .objects
        .iter()
        .filter(|entry| entry.format.as_deref() == Some("kineto"))
        .map(|entry| entry.id)
        .collect();
    if traces.is_empty() {
        return Ok(members);
    }
    let (mut order, mut said) = (Vec::new(), BTreeMap::<String, BTreeMap<i64, String>>::new());
    for batch in scan.attributes()? {
        let batch = batch?;
        let (keys, values, objects) = (texts(&batch, 0)?, texts(&batch, 1)?, integers(&batch, 2)?);
        for row in 0..batch.num_rows() {
            let (Some(key), Some(value)) = (text(&keys, row), text(&values, row)) else { continue };
            let Some(object) = integer(&objects, row).filter(|object| traces.contains(object)) else { continue };
            if !said.contains_key(key) {
                order.push(key.to_owned());
            }
            said.entry(key.to_owned()).or_default().insert(object, value.to_owned());
        }
    }
    // Of several ranks the file has none; a rank may have been told by the name of a file alone.
    let ranks: BTreeSet<i64> = scan.manifest.objects.iter().flat_map(|entry| entry.ranks.iter().copied()).collect();
    let mut distributed = Vec::new();
    if let Some(rank) = ranks.first().filter(|_| ranks.len() == 1) {
        distributed.push(("rank".to_owned(), rank.to_string()));
    }
    for key in order.iter().filter(|key| !OF_THE_FILE.contains(&key.as_str()) && *key != "rank") {
        let Some(values) = said.get(key).filter(|values| values.len() == traces.len()) else { continue };
        let mut values = values.values();
        let Some(first) = values.next().filter(|first| values.all(|value| value == *first)) else { continue };
        // A machine may be called by a number, and is a text all the same.
        let member = (key.clone(), if key == "host_name" { quoted(first) } else { json(first) });
        if DISTRIBUTED.contains(&key.as_str()) { distributed.push(member) } else { members.push(member) }
    }
    if !distributed.is_empty() {
        members.push(("distributedInfo".to_owned(), object(&distributed)));
    }
    // The mark by which PyTorch's traces are told from others.
    members.push(("traceName".to_owned(), quoted(&scan.manifest.run)));
    Ok(members)
}

/// A value as it was written: JSON, or a text.
fn json(value: &str) -> String {
    match serde_json::from_str::<&RawValue>(value) {
        Ok(_) => value.to_owned(),
        Err(_) => quoted(value),
    }
}

fn object(members: &[(String, String)]) -> String {
    let mut out = String::new();
    for (key, raw) in members {
        out.push(if out.is_empty() { '{' } else { ',' });
        add_string(&mut out, key);
        out.push(':');
        out.push_str(raw);
    }
    out.push('}');
    out
}

fn quoted(text: &str) -> String {
    let mut out = String::new();
    add_string(&mut out, text);
    out
}
