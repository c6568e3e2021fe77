//! Blocks of `AdvancedProfiler`: one per action, with the functions that ran in it.
//!
//! A block is the output of `pstats.Stats.print_stats` after `strip_dirs`. Times have three decimals.

use std::borrow::Cow;

use super::writer::ReportWriter;
use super::{name, parse_finite};
use crate::position::Position;
use crate::secret;
use crate::table::{Action, Function, Rows, Severity};

/// The prefix of the first line of a block.
const FIRST_LINE: &str = "Profile stats for: ";

/// A block after its first line was read.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "the parts of a block that were read")]
pub(super) struct ActionBlock {
    action: String,
    rank: Option<i64>,
    scope: String,
    totals: Option<CallTotals>,
    /// The blank line after the totals was read.
    has_blank_line: bool,
    /// The line with the order was read.
    has_order: bool,
    /// The row of the action was written.
    is_action_written: bool,
    /// The header of the list was read.
    in_list: bool,
    reduction: Option<ListReduction>,
    functions: i64,
    calls: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct CallTotals {
    calls: i64,
    primitive_calls: i64,
    seconds: f64,
}

/// The lengths of the list before and after a restriction.
#[derive(Debug, PartialEq, Eq)]
struct ListReduction {
    before: i64,
    after: i64,
    restriction: String,
}

impl ActionBlock {
    /// The block that this line begins; none if it does not begin a block.
    pub(super) fn parse_first_line(
        line: &str,
        position: Position,
        writer: &ReportWriter,
        rows: &mut Rows,
    ) -> Option<Self> {
        let text = line.strip_prefix(FIRST_LINE)?;
        let with_rank = text.rsplit_once(" rank: ").and_then(|(action, rank)| Some((action, Some(rank.parse().ok()?))));
        let (action, rank) = with_rank.unwrap_or((text, None));
        let action = secret::mask_and_report(action, position, rows).into_owned();
        let scope = name::format_scope(writer.stage.as_deref(), &action);
        Some(Self { rank: writer.rank(rank), scope, action, ..Self::default() })
    }

    /// Returns true if the block is a table of `PyTorchProfiler`. Only valid for the second line, when that is a rule.
    pub(super) fn is_of_pytorch(&self) -> bool {
        self.action == "records" && self.totals.is_none()
    }

    /// Reads a blank line. After the line with the order, it ends the part about the action.
    pub(super) fn read_blank_line(&mut self, writer: &mut ReportWriter, rows: &mut Rows) {
        self.has_blank_line |= self.totals.is_some();
        if self.has_order {
            self.write_action(writer, rows);
        }
    }

    /// Reads one line. An error is the reason why the line is malformed.
    pub(super) fn read_line(
        &mut self,
        line: &str,
        position: Position,
        writer: &mut ReportWriter,
        rows: &mut Rows,
    ) -> Result<(), String> {
        let text = line.trim();
        if self.totals.is_none() {
            self.totals = Some(parse_totals(text).ok_or("expected a number of function calls")?);
        } else if self.in_list {
            self.write_function(text, position, writer, rows)?;
        } else if text.starts_with("Ordered by:") || text == "Random listing order was used" {
            self.has_order = true;
        } else if let Some(reduction) = parse_reduction(text) {
            // each restriction has a line: the first one has the full length, the last one the final length
            let before = self.reduction.take().map_or(reduction.before, |first| first.before);
            self.reduction = Some(ListReduction { before, ..reduction });
        } else if text.starts_with("ncalls") {
            self.write_action(writer, rows);
            self.in_list = true;
        } else {
            return Err("not a line of a profile".to_owned());
        }
        Ok(())
    }

    /// Ends the block: writes the action if it has no row yet, and describes what is missing in the block. At the end of
    /// the file, a block without its list may be truncated: its action has no row then.
    pub(super) fn finish(
        &mut self,
        is_end_of_file: bool,
        writer: &mut ReportWriter,
        rows: &mut Rows,
    ) -> Option<String> {
        let action = secret::quote_masked(&self.action);
        let Some(totals) = self.totals else {
            return Some(format!("{action} has no number of function calls"));
        };
        if self.has_blank_line && !self.has_order && !self.in_list {
            // pstats prints nothing for an empty list, not even its full length
            rows.problem(Severity::Notice, "unlisted", None, || format!("no function of {action} is listed"));
            self.write_action(writer, rows);
            return None;
        }
        if !self.is_action_written && is_end_of_file {
            return Some(format!("{action} ends before its list of functions"));
        }
        self.write_action(writer, rows);
        match &self.reduction {
            Some(reduction) if reduction.after != self.functions => {
                Some(format!("{action} lists {} functions of {}", self.functions, reduction.after))
            }
            None if totals.calls != self.calls => Some(format!(
                "the functions that {action} lists were called {} times, all functions {} times",
                self.calls, totals.calls
            )),
            _ => None,
        }
    }

    fn write_action(&mut self, writer: &mut ReportWriter, rows: &mut Rows) {
        let Some(totals) = self.totals.filter(|_| !self.is_action_written) else { return };
        self.is_action_written = true;
        let reduction = self.reduction.as_ref();
        writer.write_action(
            &Action {
                rank: self.rank,
                action: Some(&self.action),
                total_s: Some(totals.seconds),
                profiler: Some("advanced"),
                function_calls: Some(totals.calls),
                primitive_calls: Some(totals.primitive_calls),
                reduced_from: reduction.map(|reduction| reduction.before),
                reduced_to: reduction.map(|reduction| reduction.after),
                restriction: reduction.map(|reduction| reduction.restriction.as_str()),
                ..Action::default()
            },
            rows,
        );
    }

    fn write_function(
        &mut self,
        text: &str,
        position: Position,
        writer: &mut ReportWriter,
        rows: &mut Rows,
    ) -> Result<(), String> {
        let (function, location) = parse_function(text).ok_or("expected a function with its calls and times")?;
        let location = secret::mask_and_report(location, position, rows);
        let (file, line, name) = parse_location(&location);
        writer.write_function(
            &Function {
                rank: self.rank,
                scope: Some(&self.scope),
                file: Some(file).filter(|file| !file.is_empty()),
                line: Some(line),
                function: Some(&name),
                ..function
            },
            rows,
        );
        self.functions += 1;
        self.calls = self.calls.saturating_add(function.calls.unwrap_or(0));
        Ok(())
    }
}

/// Returns true if a last line without a line feed may be complete.
pub(super) fn may_be_complete(line: &str) -> bool {
    line.ends_with([')', '}'])
}

/// Parses `3178 function calls (3032 primitive calls) in 0.335 seconds`. The second number is missing if it is the same.
fn parse_totals(text: &str) -> Option<CallTotals> {
    let (calls, rest) = text.split_once(" function calls ")?;
    let calls = calls.parse().ok()?;
    let (primitive_calls, rest) = match rest.strip_prefix('(') {
        Some(rest) => {
            let (primitive_calls, rest) = rest.split_once(" primitive calls) ")?;
            (primitive_calls.parse().ok()?, rest)
        }
        None => (calls, rest),
    };
    let seconds = parse_finite(rest.strip_prefix("in ")?.strip_suffix(" seconds")?)??;
    Some(CallTotals { calls, primitive_calls, seconds })
}

/// Parses `List reduced from 57 to 10 due to restriction <10>`.
fn parse_reduction(text: &str) -> Option<ListReduction> {
    let (before, rest) = text.strip_prefix("List reduced from ")?.split_once(" to ")?;
    let (after, rest) = rest.split_once(" due to restriction <")?;
    let restriction = rest.strip_suffix('>')?.to_owned();
    Some(ListReduction { before: before.parse().ok()?, after: after.parse().ok()?, restriction })
}

/// Parses a line of the list of functions: counts and times, and the text of the location.
///
/// `120/24 0.000 0.000 0.335 0.014 {built-in method builtins.next}`. The time per call is blank if there are no calls.
fn parse_function(text: &str) -> Option<(Function<'_>, &str)> {
    let mut rest = text;
    let calls = next_token(&mut rest)?;
    let (calls, primitive_calls) = calls.split_once('/').unwrap_or((calls, calls));
    let (calls, primitive_calls) = (calls.parse().ok()?, primitive_calls.parse().ok()?);
    let own_s = parse_finite(next_token(&mut rest)?)?;
    if calls != 0 {
        parse_finite(next_token(&mut rest)?)?;
    }
    let cumulative_s = parse_finite(next_token(&mut rest)?)?;
    if primitive_calls != 0 {
        parse_finite(next_token(&mut rest)?)?;
    }
    let (calls, primitive_calls, location) = (Some(calls), Some(primitive_calls), rest.trim_start());
    let function = Function { calls, primitive_calls, own_s, cumulative_s, ..Function::default() };
    (!location.is_empty()).then_some((function, location))
}

/// Removes the next word from `rest` and returns it.
fn next_token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let (token, behind) = rest.trim_start().split_once(' ')?;
    *rest = behind;
    Some(token)
}

/// Parses `file.py:12(name)` into file, line and function. A built-in function, `{name}`, gets `~` and 0, as in a dump.
fn parse_location(text: &str) -> (&str, i64, Cow<'_, str>) {
    if let Some(name) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return ("~", 0, format!("<{name}>").into());
    }
    let mut locations = text.match_indices(':').filter_map(|(colon, _)| {
        let (line, name) = text[colon + 1..].split_once('(')?;
        Some((&text[..colon], line.parse().ok()?, name.strip_suffix(')')?.into()))
    });
    locations.next().unwrap_or(("~", 0, text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_of_a_block_are_parsed() {
        let totals = |text| parse_totals(text).map(|totals| (totals.calls, totals.primitive_calls, totals.seconds));
        assert_eq!(totals("3178 function calls (3032 primitive calls) in 0.335 seconds"), Some((3178, 3032, 0.335)));
        assert_eq!(totals("7 function calls in 0.000 seconds"), Some((7, 7, 0.0)));
        for cut in ["7 function calls in 0.00", "7 function calls", "x function calls in 1 seconds", ""] {
            assert_eq!(totals(cut), None, "{cut}");
        }
        assert_eq!(
            parse_reduction("List reduced from 57 to 6 due to restriction <0.1>"),
            Some(ListReduction { before: 57, after: 6, restriction: "0.1".to_owned() })
        );
    }

    #[test]
    fn functions_are_named_as_in_a_dump() {
        let parse = |text| {
            let (file, line, name) = parse_location(text);
            (file.to_owned(), line, name.into_owned())
        };
        for (text, file, line, name) in [
            ("combined_loader.py:339(__next__)", "combined_loader.py", 339, "__next__"),
            ("{method 'get' of 'dict' objects}", "~", 0, "<method 'get' of 'dict' objects>"),
            ("<string>:1(<module>)", "<string>", 1, "<module>"),
            ("C:\\x.py:7(<lambda>)", "C:\\x.py", 7, "<lambda>"),
            ("a b.py:1(f(x))", "a b.py", 1, "f(x)"),
            ("no place", "~", 0, "no place"),
        ] {
            assert_eq!(parse(text), (file.to_owned(), line, name.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_function_that_was_never_called_has_no_time_per_call() {
        let (function, location) = parse_function("0    0.000             0.000          x.py:1(f)").unwrap();
        assert_eq!((function.calls, function.primitive_calls, location), (Some(0), Some(0), "x.py:1(f)"));
        let text = "120/24    0.001    0.000    0.335    0.014 {built-in method builtins.next}";
        let (function, location) = parse_function(text).unwrap();
        assert_eq!((function.calls, function.primitive_calls), (Some(120), Some(24)));
        assert_eq!((function.cumulative_s, location), (Some(0.335), "{built-in method builtins.next}"));
    }
}
