//! Writes the members of the root object that are not events: devices, job, settings of the profiler, versions.

use std::borrow::Cow;

use serde_json::value::RawValue;

use super::args::parse_canonical;
use crate::json;
use crate::position::Position;
use crate::secret::{self, mask_and_report, mask_json_and_report, quote_masked};
use crate::table::{Device, Rows, RunAttribute};
use crate::trace_event::args::ArgsJson;

/// Writes the members of the root object as rows of `device` and `run_attribute`.
#[derive(Debug, Default)]
pub(super) struct RootWriter {
    /// Next `row` of `run_attribute`, and of `device`.
    next_attribute: i64,
    next_device: i64,
}

/// The node and the rank that the rows belong to.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowOwner<'a> {
    pub(super) node: Option<&'a str>,
    pub(super) rank: Option<i64>,
}

impl RootWriter {
    /// Writes a member: the devices as rows of `device`, all others as rows of `run_attribute`.
    pub(crate) fn write_member(&mut self, key: &str, raw: &str, owner: RowOwner<'_>, place: Position, rows: &mut Rows) {
        let raw = if is_json(raw) {
            Cow::Borrowed(raw)
        } else if let Some(repaired) = crate::repair::repair_json(raw).filter(|repaired| is_json(repaired)) {
            place.repair(rows, "repaired", || format!("{} is not valid JSON; read anyway", quote_masked(key)));
            Cow::Owned(repaired)
        } else {
            return place.skip(rows, "bad_member", || format!("{} has a value that is not JSON", quote_masked(key)));
        };
        match key {
            "deviceProperties" => {
                if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(&raw) {
                    return list.iter().for_each(|device| self.write_device(device.get(), owner, place, rows));
                }
            }
            "distributedInfo" => {
                let mut members = Vec::new();
                if json::visit_members(&raw, |key, value| members.push((key.to_owned(), value))).is_ok() {
                    return members
                        .iter()
                        .for_each(|(key, value)| self.write_attribute(key, value, owner, place, rows));
                }
            }
            _ => {}
        }
        self.write_attribute(key, &raw, owner, place, rows);
    }

    /// Writes a row of `run_attribute`: a string as text, all other values as JSON.
    fn write_attribute(&mut self, key: &str, raw: &str, owner: RowOwner<'_>, place: Position, rows: &mut Rows) {
        let replacement = secret::hide_secrets(key, raw);
        if replacement.is_some() {
            secret::report_masked(rows, place);
        }
        let raw = replacement.as_deref().unwrap_or(raw);
        let value = json::unquote(raw).unwrap_or(Cow::Borrowed(raw));
        let value = mask_json_and_report(&value, place, rows);
        let key = mask_and_report(key, place, rows);
        let (key, value) = (Some(&*key), Some(&*value));
        rows.run_attribute(&RunAttribute { node: owner.node, rank: owner.rank, key, value, row: self.next_attribute });
        self.next_attribute += 1;
    }

    fn write_device(&mut self, raw: &str, owner: RowOwner<'_>, place: Position, rows: &mut Rows) {
        let (mut id, mut name, mut memory, mut cores) = (None, None, None, None);
        let (mut major, mut minor) = (None, None);
        let mut kind = "gpu";
        let mut rest = ArgsJson::default();
        let result = json::visit_members(raw, |key, value| match key {
            "id" => id = parse_canonical(value),
            "name" => name = json::unquote(value).map(|name| mask_and_report(&name, place, rows).into_owned()),
            "totalGlobalMem" => memory = parse_canonical(value),
            "numSms" => cores = parse_canonical(value),
            "computeMajor" => major = parse_canonical(value),
            "computeMinor" => minor = parse_canonical(value),
            _ => {
                if key == "runtimeMajorVersion" {
                    kind = "mtia";
                }
                rest.add(key, value);
            }
        });
        if result.is_err() {
            return place.skip(rows, "bad_member", || format!("a device is {}, expected an object", quote_masked(raw)));
        }
        let properties = rest.finish(place, rows);
        rows.device(&Device {
            node: owner.node,
            rank: owner.rank,
            kind: Some(kind),
            device: id.map(|id| format!("{kind}{id}")).as_deref(),
            name: name.as_deref(),
            memory_bytes: memory,
            cores,
            capability: major.map(|major| format!("{major}.{}", minor.unwrap_or(0))).as_deref(),
            properties,
            row: self.next_device,
        });
        self.next_device += 1;
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}
