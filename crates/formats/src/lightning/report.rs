//! Reads files of reports: one behind the other, each by its own layout, whatever the first one is.
//!
//! Lightning opens the file of a report to append. Who profiles twice, or first with one profiler and then with another one, has
//! all reports in one file.

use std::borrow::Cow;
use std::sync::Arc;

use super::advanced::{self, Block};
use super::name;
use super::simple::Table;
use super::writer::Writer;
use crate::error::{Error, ErrorKind, Result};
use crate::lines::{Line, Lines};
use crate::place::Place;
use crate::table::{Rows, Severity};
use crate::{Decoder, ObjectInfo, Stream};

/// The stage that a report is of, in lower case, if this line begins a report.
#[expect(clippy::option_option, reason = "a report may say no stage")]
pub(super) fn stage(line: &str) -> Option<Option<String>> {
    let before = line.trim().strip_suffix("Profiler Report")?;
    let stage = before.trim_end();
    let is_word = |text: &str| text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    (is_word(stage) && stage.len() < 30).then(|| Some(stage.to_ascii_lowercase()).filter(|stage| !stage.is_empty()))
}

/// Whether a line is drawn.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| byte == b'-' || byte == b' ')
}

/// Decodes one file.
#[derive(Debug, Default)]
pub(super) struct Reports {
    lines: Lines,
    reader: Reader,
}

/// Turns lines into rows.
#[derive(Debug, Default)]
struct Reader {
    writer: Writer,
    part: Part,
    /// The last line was cut off.
    cut: bool,
}

/// What the next line belongs to.
#[derive(Debug, Default)]
enum Part {
    /// Nothing that holds rows.
    #[default]
    None,
    Table(Table),
    Block(Box<Block>),
    /// The table of `PyTorchProfiler`, which is passed over.
    Records,
}

impl Decoder for Reports {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        rows.framework("pytorch");
        let writer = Writer {
            path: Arc::clone(&object.path),
            rank: name::rank_of_report(&object.path, &object.siblings),
            only: name::is_only(&object.path, &object.siblings),
            ..Writer::default()
        };
        *self = Self { reader: Reader { writer, ..Reader::default() }, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.end(|line, place| reader.line(line, place, rows));
        reader.close(true, rows);
        if reader.writer.reports == 0 {
            let text = format!("cannot read {}: no line begins a report", reader.writer.path);
            return Err(Error::new(ErrorKind::Malformed, text).with_context("format", super::SIMPLE.name));
        }
        if reader.writer.actions == 0 && rows.is_undamaged() {
            rows.problem(Severity::Notice, "empty_report", None, || "no action was profiled".to_owned());
        }
        Ok(())
    }
}

impl Stream for Reports {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.push(chunk, |line, place| reader.line(line, place, rows));
        Ok(())
    }
}

impl Reader {
    fn line(&mut self, line: Line<'_>, place: Place, rows: &mut Rows) {
        let (bytes, last) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Last(bytes) => (bytes, true),
            Line::TooLong => return rows.skip("bad_line", place.byte(), || format!("{place}: longer than 1 MiB")),
        };
        let text = match str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            // a file may end inside a character
            Err(_) if last => return self.truncated(place, rows),
            Err(_) => {
                rows.repair("not_utf8", place.byte(), || format!("{place}: bytes that are not UTF-8 were replaced"));
                String::from_utf8_lossy(bytes)
            }
        };
        // written on Windows a line may end in two of them
        let text = text.trim_end_matches('\r');
        if last && text.trim().is_empty() {
            // it may be the beginning of any line
            return;
        }
        let whole = !last
            || match &self.part {
                Part::Table(table) => table.ends_in(text) || is_rule(text),
                Part::None | Part::Block(_) | Part::Records => advanced::may_be_whole(text),
            };
        if !whole {
            return self.truncated(place, rows);
        }
        self.whole(text, place, rows);
    }

    fn whole(&mut self, text: &str, place: Place, rows: &mut Rows) {
        if let Some(stage) = stage(text) {
            self.close(false, rows);
            self.writer.reports += 1;
            self.writer.stage = stage;
            return;
        }
        if let Some(block) = Block::begun(text, place, &self.writer, rows).filter(|_| self.writer.reports > 0) {
            self.close(false, rows);
            self.part = Part::Block(Box::new(block));
            return;
        }
        if let Some(table) = Table::under(text).filter(|_| self.writer.reports > 0) {
            if matches!(self.part, Part::Table(_)) {
                // the line that begins this report was lost
                self.writer.reports += 1;
                self.writer.stage = None;
            }
            self.close(false, rows);
            self.part = Part::Table(table);
            return;
        }
        let writer = &mut self.writer;
        let read = match &mut self.part {
            Part::Table(table) if is_rule(text) => {
                table.rule();
                Ok(())
            }
            Part::Block(block) if is_rule(text) && block.is_of_pytorch() => {
                rows.problem(Severity::Notice, "pytorch_profiler", place.byte(), || {
                    format!("{place}: a table of PyTorchProfiler has the first rows of sums only; read its trace instead, *.pt.trace.json")
                });
                self.part = Part::Records;
                Ok(())
            }
            Part::Block(block) if text.trim().is_empty() => {
                block.blank(writer, rows);
                Ok(())
            }
            Part::Records => Ok(()),
            Part::None if is_rule(text) => Ok(()),
            _ if text.trim().is_empty() => Ok(()),
            Part::Table(table) => table.line(text, place, writer, rows),
            Part::Block(block) => block.line(text, place, writer, rows),
            Part::None => Err("not in a table or a block".to_owned()),
        };
        if let Err(why) = read {
            rows.skip("bad_line", place.byte(), || format!("{place}: {why}"));
        }
    }

    fn truncated(&mut self, place: Place, rows: &mut Rows) {
        self.cut = true;
        rows.skip("truncated", place.byte(), || format!("{place}: the file ends inside this line"));
    }

    /// What was open is over, because of another one or the end of the file.
    fn close(&mut self, ended: bool, rows: &mut Rows) {
        if self.cut {
            // that was said
            return;
        }
        let missing = match std::mem::take(&mut self.part) {
            Part::Table(table) => table.missing(),
            Part::Block(mut block) => block.missing(ended, &mut self.writer, rows),
            Part::None | Part::Records => None,
        };
        if let Some(missing) = missing {
            let (report, kind) = (self.writer.reports - 1, if ended { "truncated" } else { "incomplete" });
            rows.problem(Severity::Warning, kind, None, || format!("report {report}: {missing}"));
        }
    }
}
