//! Timings as JSON: a list of objects, or an object on each line.

use std::borrow::Cow;

use super::columns::{Columns, FIELDS};
use super::row::{Cells, Writer};
use crate::elements::{Elements, End, Item, MAX_ELEMENT};
use crate::json;
use crate::lines::{Line, Lines};
use crate::place::Place;
use crate::table::{Rows, Severity};

/// Reads a list of objects.
#[derive(Debug)]
pub(super) struct List {
    columns: Columns,
    elements: Elements,
}

impl List {
    pub(super) fn new(columns: Columns) -> Self {
        Self { columns, elements: Elements::default() }
    }

    pub(super) fn push(&mut self, chunk: &[u8], writer: &mut Writer, rows: &mut Rows) {
        let columns = &self.columns;
        self.elements.push(chunk, |item, place| {
            if let Item::Element(text) = item
                && let Err(why) = object(text, columns, place, writer, rows)
            {
                writer.skip("bad_row", writer.at(Some(place)), rows, || why);
            }
        });
    }

    pub(super) fn end(&mut self, writer: &mut Writer, rows: &mut Rows) {
        match self.elements.end() {
            End::Whole | End::Empty => {}
            End::Truncated(place) => {
                writer.skip("truncated", writer.at(Some(place)), rows, || "the file ends inside its list".to_owned());
            }
            End::Broken(place, why) => {
                let text = || format!("{place}: {why}; the rest is not read");
                rows.problem(Severity::Warning, "bad_structure", place.byte(), text);
            }
        }
    }
}

/// Reads an object on each line.
#[derive(Debug)]
pub(super) struct Objects {
    columns: Columns,
    lines: Lines,
}

impl Objects {
    pub(super) fn new(columns: Columns) -> Self {
        Self { columns, lines: Lines::up_to(MAX_ELEMENT) }
    }

    pub(super) fn push(&mut self, chunk: &[u8], writer: &mut Writer, rows: &mut Rows) {
        let columns = &self.columns;
        self.lines.push(chunk, |text, place| line(text, columns, place, writer, rows));
    }

    pub(super) fn end(&mut self, writer: &mut Writer, rows: &mut Rows) {
        let columns = &self.columns;
        self.lines.end(|text, place| line(text, columns, place, writer, rows));
    }
}

fn line(line: Line<'_>, columns: &Columns, place: Place, writer: &mut Writer, rows: &mut Rows) {
    let (bytes, last) = match line {
        Line::Whole(bytes) => (bytes, false),
        Line::Last(bytes) => (bytes, true),
        Line::TooLong => {
            return writer.skip("bad_row", writer.at(Some(place)), rows, || "longer than 16 MiB".to_owned());
        }
    };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return;
    }
    if let Err(why) = object(text, columns, place, writer, rows) {
        let at = writer.at(Some(place));
        if last {
            writer.skip("truncated", at, rows, || "the file ends inside this row".to_owned());
        } else {
            writer.skip("bad_row", at, rows, || why);
        }
    }
}

/// Writes the row of an object; says why it is none.
fn object(text: &str, columns: &Columns, place: Place, writer: &mut Writer, rows: &mut Rows) -> Result<(), String> {
    let found = match wanted(text, columns) {
        Ok(found) => Ok(found),
        // NaN is what Python writes, and no JSON
        Err(error) => match json::mend(text) {
            Some(mended) => wanted(&mended, columns),
            None => Err(error),
        },
    };
    let found = found.map_err(|error| format!("expected an object: {error}"))?;
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    let bound = columns.bind(&names);
    let cells: Cells<'_> = std::array::from_fn(|field: usize| {
        debug_assert!(field < FIELDS);
        bound[field].map(|(at, scale)| (found[at].1.as_str(), scale))
    });
    writer.row(&cells, writer.at(Some(place)), rows);
    Ok(())
}

/// The members of an object that mean something, of which the last one of a name counts.
fn wanted(text: &str, columns: &Columns) -> serde_json::Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    json::members(text, |name, raw| {
        if columns.has(name) {
            let value = json::number_text(raw).to_owned();
            match found.iter_mut().find(|(known, _)| known == name) {
                Some(member) => member.1 = value,
                None => found.push((name.to_owned(), value)),
            }
        }
    })?;
    Ok(found)
}

/// The names of the members of the first object of a file, as far as it is there.
pub(super) fn names(head: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let text = text.strip_prefix('[').map_or(Cow::Borrowed(text), |rest| Cow::Borrowed(rest.trim_start()));
    if !text.starts_with('{') {
        return None;
    }
    let mut names = Vec::new();
    Elements::default().push(text.as_bytes(), |item, _| {
        if let Item::Member(name, _) | Item::List(name) = item {
            names.push(name.to_owned());
        }
    });
    Some(names)
}
