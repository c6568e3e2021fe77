//! Timings as JSON: a list of objects, or an object on each line.

use super::columns::LoaderColumns;
use super::row::{TimingCells, TimingsWriter};
use crate::elements::{ElementSplitter, JsonElement, JsonEnd};
use crate::json;
use crate::lines::FileLine;
use crate::position::Position;
use crate::table::Rows;

/// Reads the next bytes of a list of objects.
pub(super) fn push_list(
    list: &mut ElementSplitter,
    chunk: &[u8],
    columns: &LoaderColumns,
    writer: &mut TimingsWriter,
    rows: &mut Rows,
) {
    list.push(chunk, |item, position| {
        if let JsonElement::Element(text) = item
            && let Err(why) = write_object(text, columns, position, writer, rows)
        {
            writer.skip("bad_row", Some(position), rows, why);
        }
    });
}

/// Reports how the file of a list ended, unless it is complete.
pub(super) fn end_list(list: &ElementSplitter, writer: &mut TimingsWriter, rows: &mut Rows) {
    match list.end() {
        JsonEnd::Whole | JsonEnd::Empty => {}
        JsonEnd::Truncated(position) => {
            writer.skip("truncated", Some(position), rows, "the file ends inside its list");
        }
        JsonEnd::Broken(position, why) => {
            position.warn(rows, "bad_structure", || format!("{why}; the rest is not read"));
        }
    }
}

/// Reads one line with an object.
pub(super) fn read_line(
    line: FileLine<'_>,
    columns: &LoaderColumns,
    position: Position,
    writer: &mut TimingsWriter,
    rows: &mut Rows,
) {
    let Some((bytes, is_last)) = line.bytes() else {
        return writer.skip("bad_row", Some(position), rows, "longer than 16 MiB");
    };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.is_empty() {
        return;
    }
    match write_object(text, columns, position, writer, rows) {
        Ok(()) => {}
        Err(_) if is_last => writer.skip("truncated", Some(position), rows, "the file ends inside this row"),
        Err(why) => writer.skip("bad_row", Some(position), rows, why),
    }
}

/// Writes the row of an object. An error is the reason why the text is not an object.
fn write_object(
    text: &str,
    columns: &LoaderColumns,
    position: Position,
    writer: &mut TimingsWriter,
    rows: &mut Rows,
) -> Result<(), String> {
    // Python writes NaN, which is not valid JSON
    let members = parse_members(text, columns).or_else(|error| match crate::repair::repair_json(text) {
        Some(repaired) => parse_members(&repaired, columns),
        None => Err(error),
    });
    let members = members.map_err(|error| format!("expected an object: {error}"))?;
    let names: Vec<&str> = members.iter().map(|(name, _)| name.as_str()).collect();
    let cells: TimingCells<'_> = columns.bind(&names).map(|field| Some((members[field?.0].1.as_str(), field?.1)));
    writer.row(&cells, Some(position), rows);
    Ok(())
}

/// The members of an object that are columns. If a name occurs twice, the last value is used.
fn parse_members(text: &str, columns: &LoaderColumns) -> serde_json::Result<Vec<(String, String)>> {
    let mut members: Vec<(String, String)> = Vec::new();
    json::visit_members(text, |name, raw| {
        if columns.has(name) {
            let value = json::number_text(raw).to_owned();
            match members.iter_mut().find(|(known, _)| known == name) {
                Some(member) => member.1 = value,
                None => members.push((name.to_owned(), value)),
            }
        }
    })?;
    Ok(members)
}

/// The names of the members of a file's first object, as far as the first bytes of the file contain them.
pub(super) fn names(head: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(head);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    let text = text.strip_prefix('[').map_or(text, str::trim_start);
    if !text.starts_with('{') {
        return None;
    }
    let mut names = Vec::new();
    ElementSplitter::default().push(text.as_bytes(), |item, _| {
        if let JsonElement::Member(name, _) | JsonElement::List(name) = item {
            names.push(name.to_owned());
        }
    });
    Some(names)
}
