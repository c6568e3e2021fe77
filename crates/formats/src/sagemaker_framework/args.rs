//! The arguments of an event: what becomes a column, and the rest as JSON.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::json;
use crate::number::{Number, scaled};
use crate::place::Place;
use crate::secret::{self, clean_json};
use crate::table::Rows;
use crate::trace_event::Member;

/// What an event's arguments say. One is reused for all events of a file.
#[derive(Debug, Default)]
pub(super) struct Args {
    pub(super) step: Option<i64>,
    pub(super) pid: Option<i64>,
    pub(super) tid: Option<i64>,
    pub(super) worker: Option<i64>,
    pub(super) num_workers: Option<i64>,
    pub(super) pin_memory: Option<bool>,
    pub(super) bytes: Option<i64>,
    /// The value of `name`, which metadata events have, raw.
    pub(super) name: Option<String>,
    /// The value of `start_time_since_epoch_in_micros`, raw.
    pub(super) start_us: Option<String>,
    /// Members that no column took: empty, or JSON without its closing brace.
    rest: String,
    /// Something in the rest was hidden.
    masked: bool,
    /// A `tid` among the arguments counts only if neither the event nor `thread_id` has one.
    weak_tid: Option<String>,
}

impl Args {
    /// Forgets the event before.
    pub(super) fn clear(&mut self) {
        let mut rest = std::mem::take(&mut self.rest);
        rest.clear();
        *self = Self { rest, ..Self::default() };
    }

    /// Reads the arguments `raw`; later ones overrule those read before. Of the rest, members named in
    /// `except` are left out. `keep_name`: `name` goes to the rest, else it is taken out.
    pub(super) fn read(
        &mut self,
        raw: &str,
        except: Option<&BTreeSet<String>>,
        metadata: bool,
        place: Place,
        rows: &mut Rows,
    ) {
        if !raw.starts_with('{') {
            if raw != "null" {
                self.add("args", raw);
            }
            return;
        }
        let read = json::members(raw, |key, value| {
            if except.is_some_and(|except| except.contains(key)) {
                return;
            }
            self.member(key, value, metadata, place, rows);
        });
        // the text was checked when the event was; the depth limit of the parser may still be met
        if let Err(error) = read {
            rows.repair("bad_value", place.byte(), || format!("{place}: args can be read only in part: {error}"));
        }
    }

    /// Takes arguments of an interval or instant that have been read already.
    pub(super) fn take(&mut self, members: &[Member<'_>], place: Place, rows: &mut Rows) {
        for (name, value) in members {
            self.member(name.text(), value.text, false, place, rows);
        }
    }

    fn member(&mut self, key: &str, raw: &str, metadata: bool, place: Place, rows: &mut Rows) {
        match key {
            "step_num" => match scaled(json::number_text(raw), 0) {
                Number::Is(step) => self.step = Some(step),
                Number::Not | Number::OutOfRange => {
                    if raw != "null" {
                        rows.repair("bad_value", place.byte(), || {
                            format!("{place}: step_num is {}, expected a number", secret::quote(raw))
                        });
                    }
                    self.add(key, raw);
                }
            },
            "pid" => match integer(raw) {
                Some(pid) => self.pid = Some(pid),
                None => self.add(key, raw),
            },
            "thread_id" => match integer(raw) {
                Some(tid) => self.tid = Some(tid),
                None => self.add(key, raw),
            },
            "tid" => self.weak_tid = Some(raw.to_owned()),
            "name" if metadata => self.name = Some(raw.to_owned()),
            "start_time_since_epoch_in_micros" if metadata => self.start_us = Some(raw.to_owned()),
            _ if metadata => {}
            _ => {
                match key {
                    "worker_id" => self.worker = integer(raw),
                    "num_workers" => self.num_workers = integer(raw),
                    "bytes_fetched" => self.bytes = integer(raw),
                    "pin_memory" => self.pin_memory = boolean(raw),
                    _ => {}
                }
                self.add(key, raw);
            }
        }
    }

    /// Adds a member to the rest.
    pub(super) fn add(&mut self, key: &str, raw: &str) {
        let kept = secret::hidden(key, raw);
        self.masked |= kept.is_some();
        json::add_member(&mut self.rest, key, kept.as_deref().unwrap_or(raw));
    }

    /// Adds a text to the rest.
    pub(super) fn add_text(&mut self, key: &str, text: &str) {
        json::add_member(&mut self.rest, key, "");
        json::add_string(&mut self.rest, text);
    }

    /// The thread of the event, where `tid` is the one that stands beside the arguments.
    pub(super) fn thread(&mut self, tid: Option<i64>) -> Option<i64> {
        let weak = self.weak_tid.take();
        let known = self.tid.or(tid);
        match (known, weak) {
            (Some(tid), Some(weak)) if integer(&weak) == Some(tid) => Some(tid),
            (None, Some(weak)) if let Some(tid) = integer(&weak) => Some(tid),
            (known, Some(weak)) => {
                self.add("tid", &weak);
                known
            }
            (known, None) => known,
        }
    }

    /// What no column took, as JSON, with credentials masked; none if there is nothing.
    pub(super) fn rest(&mut self, place: Place, rows: &mut Rows) -> Option<&str> {
        if self.rest.is_empty() {
            return None;
        }
        self.rest.push('}');
        if self.masked {
            secret::masked(rows, place);
        }
        if let Cow::Owned(clean) = clean_json(&self.rest, place, rows) {
            self.rest = clean;
        }
        Some(&self.rest)
    }
}

/// An integer as writers have it, also in quotes; anything else stays text.
pub(super) fn integer(raw: &str) -> Option<i64> {
    json::number_text(raw).parse().ok()
}

fn boolean(raw: &str) -> Option<bool> {
    match json::number_text(raw) {
        "true" | "True" => Some(true),
        "false" | "False" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> (Args, Option<String>) {
        let (mut args, mut rows) = (Args::default(), Rows::new("r"));
        args.read(raw, None, false, Place::START, &mut rows);
        let tid = args.thread(None);
        args.tid = tid;
        let rest = args.rest(Place::START, &mut rows).map(str::to_owned);
        (args, rest)
    }

    #[test]
    fn columns_are_taken_out_and_the_rest_stays() {
        let (args, rest) = read(
            r#"{"layer_name": "L", "name": "N", "bytes_fetched": 7, "thread_id": 33, "pid": 44, "step_num": 4.9}"#,
        );
        assert_eq!((args.step, args.pid, args.tid, args.bytes), (Some(4), Some(44), Some(33), Some(7)));
        assert_eq!(rest.unwrap(), r#"{"layer_name":"L","name":"N","bytes_fetched":7}"#);
        let (args, rest) = read(r#"{"step_num": "0", "pid": 9}"#);
        assert_eq!((args.step, args.pid, rest), (Some(0), Some(9), None));
    }

    #[test]
    fn what_is_no_number_stays_text() {
        let (args, rest) = read(r#"{"step_num": "x", "pid": 10159970886766084423, "tid": "main"}"#);
        assert_eq!((args.step, args.pid, args.tid), (None, None, None));
        let expected = r#"{"step_num":"x","pid":10159970886766084423,"tid":"main"}"#;
        assert_eq!(rest.unwrap(), expected);
    }

    #[test]
    fn a_thread_is_where_the_writer_put_it() {
        let thread = |raw, beside| {
            let (mut args, mut rows) = (Args::default(), Rows::new("r"));
            args.read(raw, None, false, Place::START, &mut rows);
            (args.thread(beside), args.rest(Place::START, &mut rows).map(str::to_owned))
        };
        assert_eq!(thread(r#"{"tid": 2}"#, None), (Some(2), None));
        assert_eq!(thread(r#"{"tid": 2}"#, Some(2)), (Some(2), None));
        assert_eq!(thread(r#"{"tid": 2}"#, Some(3)), (Some(3), Some(r#"{"tid":2}"#.into())));
        assert_eq!(thread(r#"{"thread_id": 5}"#, Some(3)), (Some(5), None));
    }

    #[test]
    fn environments_and_tokens_are_masked() {
        let token = format!("AKIA{}", "ABCDEFGHIJKLMNO7");
        let (_, rest) = read(&format!(r#"{{"environment": {{"KEY": "{token}"}}, "x": "{token}"}}"#));
        assert_eq!(rest.unwrap(), r#"{"environment":["KEY"],"x":"AKIA***"}"#);
    }
}
