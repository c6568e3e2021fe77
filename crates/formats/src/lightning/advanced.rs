//! Blocks of `AdvancedProfiler`: one per action, with the functions that ran in it.
//!
//! A block is what `pstats.Stats.print_stats` prints, directories stripped. Times have three decimals.

use super::name;
use super::writer::Writer;
use crate::place::Place;
use crate::secret;
use crate::table::{Action, Function, Rows, Severity};

/// What a block begins with.
const MARK: &str = "Profile stats for: ";

/// A block whose first line was read.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "the parts of a block that were read")]
pub(super) struct Block {
    action: String,
    rank: Option<i64>,
    scope: String,
    counts: Option<Counts>,
    /// The line behind the counts is empty.
    spaced: bool,
    /// The line that says the order was read.
    ordered: bool,
    /// The row of the action was written.
    written: bool,
    /// The head of the list was read.
    listing: bool,
    reduced: Option<Reduced>,
    functions: i64,
    calls: i64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Counts {
    calls: i64,
    primitive_calls: i64,
    seconds: f64,
}

/// How the list was cut.
#[derive(Debug, PartialEq, Eq)]
struct Reduced {
    from: i64,
    to: i64,
    restriction: String,
}

impl Block {
    /// The block that this line begins; none if it begins none.
    pub(super) fn begun(line: &str, place: Place, writer: &Writer, rows: &mut Rows) -> Option<Self> {
        let head = line.strip_prefix(MARK)?;
        let ranked = head.rsplit_once(" rank: ").and_then(|(action, rank)| Some((action, Some(rank.parse().ok()?))));
        let (action, rank) = ranked.unwrap_or((head, None));
        let action = secret::clean(action, place, rows).into_owned();
        Some(Self {
            rank: writer.rank(rank),
            scope: name::scope(writer.stage(), &action),
            action,
            counts: None,
            spaced: false,
            ordered: false,
            written: false,
            listing: false,
            reduced: None,
            functions: 0,
            calls: 0,
        })
    }

    /// Whether this line, the first behind that of the mark, says that it is a table of `PyTorchProfiler`.
    pub(super) fn is_of_pytorch(&self) -> bool {
        self.action == "records" && self.counts.is_none()
    }

    /// An empty line: behind the line that says the order, all is known of the action.
    pub(super) fn blank(&mut self, writer: &mut Writer, rows: &mut Rows) {
        self.spaced |= self.counts.is_some();
        if self.ordered {
            self.write(writer, rows);
        }
    }

    /// One line; says what is wrong with it.
    pub(super) fn line(
        &mut self,
        line: &str,
        place: Place,
        writer: &mut Writer,
        rows: &mut Rows,
    ) -> Result<(), String> {
        let text = line.trim();
        if self.counts.is_none() {
            self.counts = Some(counts(text).ok_or("expected a number of function calls")?);
        } else if self.listing {
            self.function(text, place, writer, rows)?;
        } else if text.starts_with("Ordered by:") || text == "Random listing order was used" {
            self.ordered = true;
        } else if let Some(reduced) = reduced(text) {
            // one for each restriction: the first tells from how many, the last to how many
            let from = self.reduced.take().map_or(reduced.from, |before| before.from);
            self.reduced = Some(Reduced { from, ..reduced });
        } else if text.starts_with("ncalls") {
            self.write(writer, rows);
            self.listing = true;
        } else {
            return Err("not a line of a profile".to_owned());
        }
        Ok(())
    }

    /// Writes what is known of the action, and says what is missing, if the block is over. A file may end where `cut` a
    /// line that is not there any more might have said more.
    pub(super) fn missing(&mut self, cut: bool, writer: &mut Writer, rows: &mut Rows) -> Option<String> {
        let action = secret::quote(&self.action);
        let Some(counts) = self.counts else {
            return Some(format!("{action} has no number of function calls"));
        };
        if self.spaced && !self.ordered && !self.listing {
            // pstats says nothing of a list without functions, not even what it was reduced from
            rows.problem(Severity::Notice, "unlisted", None, || format!("no function of {action} is listed"));
            self.write(writer, rows);
            return None;
        }
        if !self.written && cut {
            return Some(format!("{action} ends before its list of functions"));
        }
        self.write(writer, rows);
        match &self.reduced {
            Some(reduced) if reduced.to != self.functions => {
                Some(format!("{action} lists {} functions of {}", self.functions, reduced.to))
            }
            None if counts.calls != self.calls => Some(format!(
                "the functions that {action} lists were called {} times, all functions {} times",
                self.calls, counts.calls
            )),
            _ => None,
        }
    }

    fn write(&mut self, writer: &mut Writer, rows: &mut Rows) {
        let Some(counts) = self.counts.filter(|_| !self.written) else { return };
        self.written = true;
        let reduced = self.reduced.as_ref();
        writer.action(
            &Action {
                rank: self.rank,
                action: Some(&self.action),
                total_s: Some(counts.seconds),
                profiler: Some("advanced"),
                function_calls: Some(counts.calls),
                primitive_calls: Some(counts.primitive_calls),
                reduced_from: reduced.map(|reduced| reduced.from),
                reduced_to: reduced.map(|reduced| reduced.to),
                restriction: reduced.map(|reduced| reduced.restriction.as_str()),
                ..Action::default()
            },
            rows,
        );
    }

    fn function(&mut self, text: &str, place: Place, writer: &mut Writer, rows: &mut Rows) -> Result<(), String> {
        let found = Listed::read(text).ok_or("expected a function with its calls and times")?;
        let clean = secret::clean(found.defined, place, rows);
        let (file, line, function) = defined(&clean);
        writer.function(
            &Function {
                rank: self.rank,
                scope: Some(&self.scope),
                file: Some(file).filter(|file| !file.is_empty()),
                line: Some(line),
                function: Some(&function),
                primitive_calls: Some(found.primitive_calls),
                calls: Some(found.calls),
                own_s: found.own_s,
                cumulative_s: found.cumulative_s,
                ..Function::default()
            },
            rows,
        );
        self.functions += 1;
        self.calls = self.calls.saturating_add(found.calls);
        Ok(())
    }
}

/// Whether a last line without an end may be whole.
pub(super) fn may_be_whole(line: &str) -> bool {
    line.ends_with([')', '}'])
}

/// `3178 function calls (3032 primitive calls) in 0.335 seconds`, the second number only where it is another one.
fn counts(text: &str) -> Option<Counts> {
    let (calls, rest) = text.split_once(" function calls ")?;
    let calls = calls.parse().ok()?;
    let (primitive_calls, rest) = match rest.strip_prefix('(') {
        Some(rest) => {
            let (primitive_calls, rest) = rest.split_once(" primitive calls) ")?;
            (primitive_calls.parse().ok()?, rest)
        }
        None => (calls, rest),
    };
    let seconds = rest.strip_prefix("in ")?.strip_suffix(" seconds")?;
    Some(Counts { calls, primitive_calls, seconds: seconds.parse().ok().filter(|seconds: &f64| seconds.is_finite())? })
}

/// `List reduced from 57 to 10 due to restriction <10>`.
fn reduced(text: &str) -> Option<Reduced> {
    let (from, rest) = text.strip_prefix("List reduced from ")?.split_once(" to ")?;
    let (to, rest) = rest.split_once(" due to restriction <")?;
    Some(Reduced { from: from.parse().ok()?, to: to.parse().ok()?, restriction: rest.strip_suffix('>')?.to_owned() })
}

/// A line of the list of functions.
#[derive(Debug)]
struct Listed<'a> {
    calls: i64,
    primitive_calls: i64,
    own_s: Option<f64>,
    cumulative_s: Option<f64>,
    defined: &'a str,
}

impl<'a> Listed<'a> {
    /// `120/24 0.000 0.000 0.335 0.014 {built-in method builtins.next}`. Time over calls is blank where there are none.
    fn read(text: &'a str) -> Option<Self> {
        let mut rest = text;
        let calls = token(&mut rest)?;
        let (calls, primitive_calls) = calls.split_once('/').unwrap_or((calls, calls));
        let (calls, primitive_calls) = (calls.parse().ok()?, primitive_calls.parse().ok()?);
        let own_s = seconds(token(&mut rest)?)?;
        if calls != 0 {
            seconds(token(&mut rest)?)?;
        }
        let cumulative_s = seconds(token(&mut rest)?)?;
        if primitive_calls != 0 {
            seconds(token(&mut rest)?)?;
        }
        let defined = rest.trim_start();
        (!defined.is_empty()).then_some(Self { calls, primitive_calls, own_s, cumulative_s, defined })
    }
}

/// The next word, which `rest` then lacks.
fn token<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let text = rest.trim_start();
    let end = text.find(' ')?;
    *rest = &text[end..];
    Some(&text[..end])
}

/// A time; one that is not finite is none.
#[expect(clippy::option_option, reason = "no number, an invalid number, a number")]
fn seconds(text: &str) -> Option<Option<f64>> {
    text.parse().ok().map(|number: f64| Some(number).filter(|number| number.is_finite()))
}

/// File, line and function, as a dump has them: `file.py:12(name)`, and what is built in within braces.
fn defined(text: &str) -> (&str, i64, std::borrow::Cow<'_, str>) {
    if let Some(name) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return ("~", 0, format!("<{name}>").into());
    }
    let places = text.match_indices(':').filter_map(|(at, _)| {
        let (line, name) = text[at + 1..].split_once('(')?;
        Some((&text[..at], line.parse().ok()?, name.strip_suffix(')')?.into()))
    });
    { places }.next().unwrap_or(("~", 0, text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_a_block() {
        let of = |text| counts(text).map(|counts| (counts.calls, counts.primitive_calls, counts.seconds));
        assert_eq!(of("3178 function calls (3032 primitive calls) in 0.335 seconds"), Some((3178, 3032, 0.335)));
        assert_eq!(of("7 function calls in 0.000 seconds"), Some((7, 7, 0.0)));
        for cut in ["7 function calls in 0.00", "7 function calls", "x function calls in 1 seconds", ""] {
            assert_eq!(of(cut), None, "{cut}");
        }
        assert_eq!(
            reduced("List reduced from 57 to 6 due to restriction <0.1>"),
            Some(Reduced { from: 57, to: 6, restriction: "0.1".to_owned() })
        );
    }

    #[test]
    fn functions_are_named_as_in_a_dump() {
        let of = |text| {
            let (file, line, name) = defined(text);
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
            assert_eq!(of(text), (file.to_owned(), line, name.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_function_that_was_never_called_has_no_time_over_calls() {
        let listed = Listed::read("0    0.000             0.000          x.py:1(f)").unwrap();
        assert_eq!((listed.calls, listed.primitive_calls, listed.defined), (0, 0, "x.py:1(f)"));
        let listed =
            Listed::read("120/24    0.001    0.000    0.335    0.014 {built-in method builtins.next}").unwrap();
        assert_eq!((listed.calls, listed.primitive_calls, listed.cumulative_s), (120, 24, Some(0.335)));
        assert_eq!(listed.defined, "{built-in method builtins.next}");
    }
}
