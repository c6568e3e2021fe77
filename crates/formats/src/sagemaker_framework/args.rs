//! The arguments of an event: members that become columns, and the rest as JSON.

use std::collections::BTreeSet;

use crate::json;
use crate::number::{ParsedInteger, parse_scaled};
use crate::position::Position;
use crate::secret;
use crate::table::Rows;
use crate::trace_event::ArgMember;
use crate::trace_event::args::ArgsJson;

/// How a file has the number of a step, which `TimelineArgs::step` does not say.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepForm {
    /// A number, as most writers have it.
    #[default]
    Number,
    /// A text, as the hook has it.
    Text,
    /// Another form, such as `2.0`; the member stays in the JSON.
    Other,
}

/// The arguments of an event. One value is reused for all events of a file.
#[derive(Debug, Default)]
pub(super) struct TimelineArgs {
    pub(super) step: Option<i64>,
    step_form: StepForm,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) loader: LoaderArgs,
    /// The raw value of `name` of a metadata event.
    pub(super) name: Option<String>,
    /// The raw value of `start_time_since_epoch_in_micros` of a metadata event.
    pub(super) start_us: Option<String>,
    /// Members without a column.
    pub(super) rest: ArgsJson,
    /// The raw value of `tid`, which counts only if neither the event nor `thread_id` has a thread.
    fallback_tid: Option<String>,
}

/// Arguments that are columns of table `loader`.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct LoaderArgs {
    pub(super) worker: Option<i64>,
    pub(super) num_workers: Option<i64>,
    pub(super) pin_memory: Option<bool>,
    pub(super) bytes: Option<i64>,
}

impl TimelineArgs {
    /// Removes the arguments of the previous event.
    pub(super) fn clear(&mut self) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        *self = Self { rest, ..Self::default() };
    }

    /// Reads the raw arguments of an event. Values replace earlier values. Members in `except` are skipped.
    /// `is_metadata`: the event is a metadata event, and only members with a field are read.
    pub(super) fn read_object(
        &mut self,
        raw: &str,
        except: Option<&BTreeSet<String>>,
        is_metadata: bool,
        place: Position,
        rows: &mut Rows,
    ) {
        if !raw.starts_with('{') {
            if raw != "null" {
                self.rest.add("args", raw);
            }
            return;
        }
        let read = json::visit_members(raw, |key, value| {
            if !except.is_some_and(|except| except.contains(key)) {
                self.read_member(key, value, is_metadata, place, rows);
            }
        });
        // the reader of the event checked the syntax, but the arguments may be too deep for the JSON parser
        if let Err(error) = read {
            place.repair(rows, "bad_value", || format!("args can be read only in part: {error}"));
        }
    }

    /// Reads arguments of an interval or instant that are split into members already.
    pub(super) fn read_members(&mut self, members: &[ArgMember<'_>], place: Position, rows: &mut Rows) {
        for (name, value) in members {
            self.read_member(name.text(), value.text, false, place, rows);
        }
    }

    fn read_member(&mut self, key: &str, raw: &str, is_metadata: bool, place: Position, rows: &mut Rows) {
        match key {
            "step_num" => match parse_scaled(json::number_text(raw), 0) {
                ParsedInteger::Is(step) => {
                    self.step = Some(step);
                    self.step_form = StepForm::parse(raw);
                    if self.step_form == StepForm::Other {
                        self.rest.add(key, raw);
                    }
                }
                ParsedInteger::Not | ParsedInteger::OutOfRange => {
                    if raw != "null" {
                        place.repair(rows, "bad_value", || {
                            format!("step_num is {}, expected a number", secret::quote_masked(raw))
                        });
                    }
                    self.rest.add(key, raw);
                }
            },
            "pid" if let Some(pid) = parse_integer(raw) => self.pid = Some(pid),
            "thread_id" if let Some(tid) = parse_integer(raw) => self.tid = Some(tid),
            "pid" | "thread_id" => self.rest.add(key, raw),
            "tid" => self.fallback_tid = Some(raw.to_owned()),
            "name" if is_metadata => self.name = Some(raw.to_owned()),
            "start_time_since_epoch_in_micros" if is_metadata => self.start_us = Some(raw.to_owned()),
            _ if is_metadata => {}
            _ => {
                match key {
                    "worker_id" => self.loader.worker = parse_integer(raw),
                    "num_workers" => self.loader.num_workers = parse_integer(raw),
                    "bytes_fetched" => self.loader.bytes = parse_integer(raw),
                    "pin_memory" => self.loader.pin_memory = parse_boolean(raw),
                    _ => {}
                }
                self.rest.add(key, raw);
            }
        }
    }

    /// Adds the number of the step to the JSON if it does not have the form that is usual for the writer.
    pub(super) fn keep_unusual_step(&mut self, usual: StepForm) {
        let Some(step) = self.step else { return };
        match self.step_form {
            StepForm::Number if usual == StepForm::Text => self.rest.add("step_num", &step.to_string()),
            StepForm::Text if usual == StepForm::Number => self.rest.add_text("step_num", &step.to_string()),
            _ => {}
        }
    }

    /// The thread of the event: argument `thread_id`, else `event_tid`, the `tid` of the event itself, else argument
    /// `tid`. If argument `tid` differs from the result, it is added to the JSON.
    pub(super) fn resolve_tid(&mut self, event_tid: Option<i64>) -> Option<i64> {
        let tid = self.tid.or(event_tid);
        let Some(raw) = self.fallback_tid.take() else { return tid };
        match parse_integer(&raw) {
            Some(fallback) if tid.is_none_or(|tid| tid == fallback) => Some(fallback),
            _ => {
                self.rest.add("tid", &raw);
                tid
            }
        }
    }
}

impl StepForm {
    fn parse(raw: &str) -> Self {
        let text = raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let digits = text.unwrap_or(raw).trim_start_matches('-');
        match text {
            _ if !digits.bytes().all(|byte| byte.is_ascii_digit()) || digits.len() > 1 && digits.starts_with('0') => {
                Self::Other
            }
            Some(_) => Self::Text,
            None => Self::Number,
        }
    }
}

/// An integer, which some writers put in quotes; `None` for everything else.
pub(super) fn parse_integer(raw: &str) -> Option<i64> {
    json::number_text(raw).parse().ok()
}

fn parse_boolean(raw: &str) -> Option<bool> {
    match json::number_text(raw) {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (TimelineArgs, Option<String>) {
        let (mut args, mut rows) = (TimelineArgs::default(), Rows::new("r"));
        args.read_object(raw, None, false, Position::START, &mut rows);
        let tid = args.resolve_tid(None);
        args.tid = tid;
        let rest = args.rest.finish(Position::START, &mut rows).map(str::to_owned);
        (args, rest)
    }

    #[test]
    fn members_with_a_column_are_removed_from_the_json() {
        let (args, rest) = read(
            r#"{"layer_name": "L", "name": "N", "bytes_fetched": 7, "thread_id": 33, "pid": 44, "step_num": 4.9}"#,
        );
        assert_eq!((args.step, args.pid, args.tid, args.loader.bytes), (Some(4), Some(44), Some(33), Some(7)));
        assert_eq!(rest.unwrap(), r#"{"layer_name":"L","name":"N","bytes_fetched":7,"step_num":4.9}"#);
        let (args, rest) = read(r#"{"step_num": "0", "pid": 9}"#);
        assert_eq!((args.step, args.pid, rest), (Some(0), Some(9), None));
    }

    #[test]
    fn a_step_that_is_written_unusually_stays_in_the_json() {
        let read_step = |raw: &str, usual| {
            let (mut args, mut rows) = (TimelineArgs::default(), Rows::new("r"));
            args.read_object(raw, None, false, Position::START, &mut rows);
            args.keep_unusual_step(usual);
            args.rest.finish(Position::START, &mut rows).map(str::to_owned)
        };
        assert_eq!(read_step(r#"{"step_num": "7"}"#, StepForm::Text), None);
        assert_eq!(read_step(r#"{"step_num": 7}"#, StepForm::Number), None);
        assert_eq!(read_step(r#"{"step_num": "7"}"#, StepForm::Number).unwrap(), r#"{"step_num":"7"}"#);
        assert_eq!(read_step(r#"{"step_num": 7}"#, StepForm::Text).unwrap(), r#"{"step_num":7}"#);
        assert_eq!(read_step(r#"{"step_num": 7.0}"#, StepForm::Text).unwrap(), r#"{"step_num":7.0}"#);
        assert_eq!(read_step(r#"{"step_num": "07"}"#, StepForm::Text).unwrap(), r#"{"step_num":"07"}"#);
    }

    #[test]
    fn members_that_are_not_numbers_stay_in_the_json() {
        let (args, rest) = read(r#"{"step_num": "x", "pid": 10159970886766084423, "tid": "main"}"#);
        assert_eq!((args.step, args.pid, args.tid), (None, None, None));
        let expected = r#"{"step_num":"x","pid":10159970886766084423,"tid":"main"}"#;
        assert_eq!(rest.unwrap(), expected);
    }

    #[test]
    fn the_thread_is_read_from_the_event_or_its_arguments() {
        let read_thread = |raw, event_tid| {
            let (mut args, mut rows) = (TimelineArgs::default(), Rows::new("r"));
            args.read_object(raw, None, false, Position::START, &mut rows);
            (args.resolve_tid(event_tid), args.rest.finish(Position::START, &mut rows).map(str::to_owned))
        };
        assert_eq!(read_thread(r#"{"tid": 2}"#, None), (Some(2), None));
        assert_eq!(read_thread(r#"{"tid": 2}"#, Some(2)), (Some(2), None));
        assert_eq!(read_thread(r#"{"tid": 2}"#, Some(3)), (Some(3), Some(r#"{"tid":2}"#.into())));
        assert_eq!(read_thread(r#"{"thread_id": 5}"#, Some(3)), (Some(5), None));
    }

    #[test]
    fn environments_and_tokens_are_masked() {
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        let (_, rest) = read(&format!(r#"{{"environment": {{"KEY": "{token}"}}, "x": "{token}"}}"#));
        assert_eq!(rest.unwrap(), r#"{"environment":["KEY"],"x":"AKIA***"}"#);
    }
}
