//! The members beside the events: devices, the job, settings of the profiler, versions.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::args::canonical;
use crate::json;
use crate::place::Place;
use crate::secret::{self, clean, clean_json, quote};
use crate::table::{Device, Rows, RunAttribute};

/// Writes what the root object says about a run.
#[derive(Debug, Default)]
pub(super) struct Root {
    /// Next `row` of `run_attribute`, and of `device`.
    attributes: i64,
    devices: i64,
}

/// Whom the rows belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner<'a> {
    pub(super) node: Option<&'a str>,
    pub(super) rank: Option<i64>,
}

impl Root {
    /// Writes a member: the devices as rows of `device`, all else as rows of `run_attribute`.
    pub(crate) fn member(&mut self, key: &str, raw: &str, owner: Owner<'_>, place: Place, rows: &mut Rows) {
        let raw = if is_json(raw) {
            Cow::Borrowed(raw)
        } else if let Some(mended) = json::mend(raw).filter(|mended| is_json(mended)) {
            rows.repair("mended", place.byte(), || format!("{place}: {} is not valid JSON; read anyway", quote(key)));
            Cow::Owned(mended)
        } else {
            return rows
                .skip("bad_member", place.byte(), || format!("{place}: {} has a value that is not JSON", quote(key)));
        };
        match key {
            "deviceProperties" => {
                if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(&raw) {
                    return list.iter().for_each(|device| self.device(device.get(), owner, place, rows));
                }
            }
            "distributedInfo" => {
                let mut members = Vec::new();
                if json::members(&raw, |key, value| members.push((key.to_owned(), value))).is_ok() {
                    return members.iter().for_each(|(key, value)| self.attribute(key, value, owner, place, rows));
                }
            }
            _ => {}
        }
        self.attribute(key, &raw, owner, place, rows);
    }

    /// One row of `run_attribute`: a text as it is, all else as JSON.
    fn attribute(&mut self, key: &str, raw: &str, owner: Owner<'_>, place: Place, rows: &mut Rows) {
        let raw = match secret::hidden(key, raw) {
            Some(names) => {
                secret::masked(rows, place);
                Cow::Owned(names)
            }
            None => Cow::Borrowed(raw),
        };
        let value = json::unquote(&raw).unwrap_or(Cow::Borrowed(&raw));
        let value = clean_json(&value, place, rows);
        let key = clean(key, place, rows);
        let (key, value) = (Some(&*key), Some(&*value));
        rows.run_attribute(&RunAttribute { node: owner.node, rank: owner.rank, key, value, row: self.attributes });
        self.attributes += 1;
    }

    fn device(&mut self, raw: &str, owner: Owner<'_>, place: Place, rows: &mut Rows) {
        let (mut id, mut name, mut memory, mut cores) = (None, None, None, None);
        let (mut major, mut minor) = (None, None);
        let mut kind = "gpu";
        let mut rest = String::new();
        let mut masked = false;
        let read = json::members(raw, |key, value| match key {
            "id" => id = canonical(value),
            "name" => name = json::unquote(value).map(|name| clean(&name, place, rows).into_owned()),
            "totalGlobalMem" => memory = canonical(value),
            "numSms" => cores = canonical(value),
            "computeMajor" => major = canonical(value),
            "computeMinor" => minor = canonical(value),
            _ => {
                if key == "runtimeMajorVersion" {
                    kind = "mtia";
                }
                let kept = secret::hidden(key, value);
                masked |= kept.is_some();
                json::add_member(&mut rest, key, kept.as_deref().unwrap_or(value));
            }
        });
        if read.is_err() {
            return rows.skip("bad_member", place.byte(), || {
                format!("{place}: a device is {}, expected an object", quote(raw))
            });
        }
        if !rest.is_empty() {
            rest.push('}');
        }
        if masked {
            secret::masked(rows, place);
        }
        let properties = clean_json(&rest, place, rows);
        rows.device(&Device {
            node: owner.node,
            rank: owner.rank,
            kind: Some(kind),
            device: id.map(|id| format!("{kind}{id}")).as_deref(),
            name: name.as_deref(),
            memory_bytes: memory,
            cores,
            capability: major.map(|major| format!("{major}.{}", minor.unwrap_or(0))).as_deref(),
            properties: Some(&*properties).filter(|properties| !properties.is_empty()),
            row: self.devices,
        });
        self.devices += 1;
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}
