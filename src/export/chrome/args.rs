//! The arguments of an event: those that became columns, and those that stayed as they were.

use std::borrow::Cow;

use super::event::{Allocation, Row};
use super::out::{integer, text};
use crate::format::{add_string, members};

/// What is known of the object of an event.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Source {
    /// It is a trace, so that its raw categories are those of its events, and its arguments can be written as they were.
    pub(super) is_trace: bool,
    /// Which recording it is, from 0.
    pub(super) recording: u64,
}

/// Arguments that are being written.
pub(super) struct Args<'a> {
    out: &'a mut String,
    first: bool,
    /// Those of the profile.
    own: &'a str,
}

impl Args<'_> {
    pub(super) fn member(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        self.out.push_str(if self.first { ",\"args\":{\"" } else { ",\"" });
        self.first = false;
        self.out.push_str(key);
        self.out.push_str("\":");
        write(self.out);
    }

    pub(super) fn integer(&mut self, key: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.member(key, |out| integer(out, value));
        }
    }
}

/// The arguments: those that became columns, and behind them those of the profile, as they are. Nothing if there is none.
pub(super) fn arguments(out: &mut String, own: &str, columns: impl FnOnce(&mut Args<'_>)) {
    let mut args = Args { out, first: true, own };
    columns(&mut args);
    let first = args.first;
    let own = own.trim();
    let members = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).map(str::trim_ascii);
    match members {
        Some("") => {}
        Some(members) => {
            out.push_str(if first { ",\"args\":{" } else { "," });
            out.push_str(members);
            return out.push('}');
        }
        None if own.is_empty() => {}
        // no profile that is read has any other
        None => {
            out.push_str(if first { ",\"args\":{" } else { "," });
            text(out, "\"args\":", own);
            return out.push('}');
        }
    }
    if !first {
        out.push('}');
    }
}

/// The arguments that are columns of `event`.
pub(super) fn promoted(args: &mut Args<'_>, row: &Row<'_>, on_device: bool, source: Source) {
    if !source.is_trace {
        args.integer("step", row.step);
        if let Some(mode) = row.mode {
            args.member("mode", |out| add_string(out, mode));
        }
        return;
    }
    args.integer("External id", row.external_id);
    if row.category != Some("flow") {
        args.integer("correlation", row.correlation);
    }
    // Also of an event that stands on another lane, whose number is not that of the stream.
    args.integer("stream", row.stream.filter(|_| !args.own.contains("\"stream\"")));
    let device = row.device.filter(|_| on_device && !args.own.contains("\"device\""));
    args.integer("device", device.and_then(number));
}

/// The number at the end of a device's name.
fn number(device: &str) -> Option<i64> {
    device.get(device.trim_end_matches(|c: char| c.is_ascii_digit()).len()..)?.parse().ok()
}

/// The arguments that are columns of `allocation`, as PyTorch names them; types of devices are numbered as in c10.
pub(super) fn allocated(args: &mut Args<'_>, allocation: &Allocation) {
    if let Some(device) = allocation.device.as_deref() {
        let kind = match device.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "cpu" => Some(0),
            "gpu" => Some(1),
            "xla" => Some(9),
            "xpu" => Some(12),
            other => other.strip_prefix("type").and_then(|kind| kind.strip_suffix('_')?.parse().ok()),
        };
        args.integer("Device Type", kind);
        args.integer("Device Id", number(device).or(Some(-1)));
    }
    args.integer("Addr", allocation.address);
    args.integer("Bytes", allocation.bytes);
    args.integer("Total Allocated", allocation.allocated_bytes);
    args.integer("Total Reserved", allocation.reserved_bytes);
}

/// Arguments without the last `ts`, which a reader adds to those of the event's own.
pub(super) fn without_ts(own: &str) -> Cow<'_, str> {
    let mut all = Vec::new();
    if members(own, |key, raw| all.push((key.to_owned(), raw))).is_err() {
        return Cow::Borrowed(own);
    }
    if let Some(last) = all.iter().rposition(|(key, _)| key == "ts") {
        all.remove(last);
    }
    let mut out = String::from("{");
    for (key, raw) in all {
        if out.len() > 1 {
            out.push(',');
        }
        add_string(&mut out, &key);
        out.push(':');
        out.push_str(raw);
    }
    out.push('}');
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(own: &str, integers: &[(&str, i64)]) -> String {
        let mut out = String::new();
        arguments(&mut out, own, |args| integers.iter().for_each(|(key, value)| args.integer(key, Some(*value))));
        out
    }

    #[test]
    fn arguments_are_joined() {
        assert_eq!(written("", &[]), "");
        assert_eq!(written("{ }", &[]), "");
        assert_eq!(written("{\"a\": [1, 2]}", &[]), ",\"args\":{\"a\": [1, 2]}");
        assert_eq!(written("{\"a\": {}}", &[("b", 2)]), ",\"args\":{\"b\":2,\"a\": {}}");
        assert_eq!(written("", &[("b", 2), ("c", -3)]), ",\"args\":{\"b\":2,\"c\":-3}");
        assert_eq!(written("[1]", &[("b", 2)]), ",\"args\":{\"b\":2,\"args\":\"[1]\"}");
    }

    #[test]
    fn a_time_in_the_arguments_is_not_written_twice() {
        assert_eq!(without_ts("{\"ts\":1,\"a\":[1, 2],\"ts\":5.5}"), "{\"ts\":1,\"a\":[1, 2]}");
        assert_eq!(without_ts("{\"ts\":1}"), "{}");
    }

    #[test]
    fn devices_have_numbers() {
        assert_eq!(["gpu0", "mtia12", "cpu", "type20_2"].map(number), [Some(0), Some(12), None, Some(2)]);
    }
}
