//! Writes the arguments of an event: those that are columns of a table, and those of the profile unchanged.

use super::event::{Allocation, EventRow};
use super::out::{write_integer, write_text};
use crate::format::add_string;

/// The object of an event, as far as its arguments need it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct EventSource {
    /// True for a trace: its raw categories are those of the events, and its arguments are written unchanged.
    pub(super) is_trace: bool,
    /// Number of the recording, from 0.
    pub(super) recording: u64,
}

/// Writes the object of arguments.
pub(super) struct ArgsWriter<'a> {
    out: &'a mut String,
    is_first: bool,
    /// Arguments of the profile, as JSON.
    own: &'a str,
}

impl ArgsWriter<'_> {
    pub(super) fn member(&mut self, key: &str, write: impl FnOnce(&mut String)) {
        self.out.push_str(if self.is_first { ",\"args\":{\"" } else { ",\"" });
        self.is_first = false;
        self.out.push_str(key);
        self.out.push_str("\":");
        write(self.out);
    }

    pub(super) fn integer(&mut self, key: &str, value: Option<i64>) {
        if let Some(value) = value {
            self.member(key, |out| write_integer(out, value));
        }
    }
}

/// Writes the arguments that `columns` writes, then those of the profile unchanged. Writes nothing if there are none.
pub(super) fn write_args(out: &mut String, own: &str, columns: impl FnOnce(&mut ArgsWriter<'_>)) {
    let mut args = ArgsWriter { out, is_first: true, own };
    columns(&mut args);
    let ArgsWriter { out, is_first, .. } = args;
    let own = own.trim();
    let members = own.strip_prefix('{').and_then(|own| own.strip_suffix('}')).map(str::trim_ascii);
    if members != Some("") && !own.is_empty() {
        out.push_str(if is_first { ",\"args\":{" } else { "," });
        match members {
            Some(members) => out.push_str(members),
            // No supported profile has other arguments.
            None => write_text(out, "\"args\":", own),
        }
        out.push('}');
    } else if !is_first {
        out.push('}');
    }
}

/// Writes the arguments that are columns of `event`.
pub(super) fn write_event_columns(args: &mut ArgsWriter<'_>, row: &EventRow<'_>, on_device: bool, source: EventSource) {
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
    // Also for an event on another lane, where the thread number is not the stream.
    args.integer("stream", row.stream.filter(|_| !args.own.contains("\"stream\"")));
    let device = row.device.filter(|_| on_device && !args.own.contains("\"device\""));
    args.integer("device", device.and_then(device_number));
}

/// Returns the number at the end of the name of a device.
fn device_number(device: &str) -> Option<i64> {
    device.get(device.trim_end_matches(|c: char| c.is_ascii_digit()).len()..)?.parse().ok()
}

/// Writes the arguments that are columns of `allocation`, with the names of PyTorch. Numbers of device types are those of
/// c10.
pub(super) fn write_allocation_columns(args: &mut ArgsWriter<'_>, allocation: &Allocation) {
    if let Some(device) = allocation.device.as_deref() {
        let kind = match device.trim_end_matches(|c: char| c.is_ascii_digit()) {
            "cpu" => Some(0),
            "gpu" => Some(1),
            "xla" => Some(9),
            "xpu" => Some(12),
            other => other.strip_prefix("type").and_then(|kind| kind.strip_suffix('_')?.parse().ok()),
        };
        args.integer("Device Type", kind);
        args.integer("Device Id", device_number(device).or(Some(-1)));
    }
    args.integer("Addr", allocation.address);
    args.integer("Bytes", allocation.bytes);
    args.integer("Total Allocated", allocation.allocated_bytes);
    args.integer("Total Reserved", allocation.reserved_bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args_json(own: &str, integers: &[(&str, i64)]) -> String {
        let mut out = String::new();
        write_args(&mut out, own, |args| integers.iter().for_each(|(key, value)| args.integer(key, Some(*value))));
        out
    }

    #[test]
    fn columns_and_arguments_are_merged() {
        assert_eq!(args_json("", &[]), "");
        assert_eq!(args_json("{ }", &[]), "");
        assert_eq!(args_json("{\"a\": [1, 2]}", &[]), ",\"args\":{\"a\": [1, 2]}");
        assert_eq!(args_json("{\"a\": {}}", &[("b", 2)]), ",\"args\":{\"b\":2,\"a\": {}}");
        assert_eq!(args_json("", &[("b", 2), ("c", -3)]), ",\"args\":{\"b\":2,\"c\":-3}");
        assert_eq!(args_json("[1]", &[("b", 2)]), ",\"args\":{\"b\":2,\"args\":\"[1]\"}");
    }

    #[test]
    fn the_last_timestamp_in_the_arguments_is_removed() {}

    #[test]
    fn devices_have_numbers() {
        assert_eq!(["gpu0", "mtia12", "cpu", "type20_2"].map(device_number), [Some(0), Some(12), None, Some(2)]);
    }
}
