//! Decodes files of reports: reads the text line by line and writes rows of `action` and `function`.
//!
//! Lightning opens the file to append, so that one file may hold several reports, also of different profilers. Each report is
//! read by its own layout.

use std::sync::Arc;

use super::advanced::{self, ActionBlock};
use super::name;
use super::simple::ActionTable;
use super::writer::ReportWriter;
use crate::error::Result;
use crate::lines::{FileLine, LineSplitter, line_text};
use crate::position::Position;
use crate::table::{Rows, Severity};
use crate::{Decoder, ObjectInfo, Stream};

/// Parses the title of a report: its stage in lower case. None if the line is not a title.
#[expect(clippy::option_option, reason = "a title may have no stage")]
pub(super) fn parse_title(line: &str) -> Option<Option<String>> {
    let stage = line.trim().strip_suffix("Profiler Report")?.trim_end();
    let is_word = stage.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    (is_word && stage.len() < 30).then(|| Some(stage.to_ascii_lowercase()).filter(|stage| !stage.is_empty()))
}

/// Returns true for a horizontal rule.
pub(super) fn is_rule(line: &str) -> bool {
    line.len() > 2 && line.bytes().all(|byte| byte == b'-' || byte == b' ')
}

/// Decodes one file.
#[derive(Debug, Default)]
pub(super) struct ReportsDecoder {
    lines: LineSplitter,
    reader: ReportReader,
}

/// Turns lines into rows.
#[derive(Debug, Default)]
struct ReportReader {
    writer: ReportWriter,
    section: ReportSection,
    /// The last line is truncated.
    is_truncated: bool,
}

/// The section of a report that the next line belongs to.
#[derive(Debug, Default)]
enum ReportSection {
    /// Nothing that holds rows.
    #[default]
    None,
    Table(ActionTable),
    Block(Box<ActionBlock>),
    /// The table of `PyTorchProfiler`, which is skipped.
    PytorchTable,
}

impl Decoder for ReportsDecoder {
    fn begin(&mut self, object: &ObjectInfo, rows: &mut Rows) -> Result<()> {
        rows.framework("pytorch");
        let writer = ReportWriter {
            path: Arc::clone(&object.path),
            rank: name::rank_of_report(&object.path, &object.siblings),
            is_unique: name::is_unique(&object.path, &object.siblings),
            ..ReportWriter::default()
        };
        *self = Self { reader: ReportReader { writer, ..ReportReader::default() }, ..Self::default() };
        Ok(())
    }

    fn end(&mut self, rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.end(|line, position| reader.read_line(line, position, rows));
        reader.end_section(true, rows);
        if reader.writer.reports == 0 {
            return Err(super::SIMPLE.malformed(&reader.writer.path, "no line begins a report"));
        }
        if reader.writer.actions == 0 && rows.has_no_problems() {
            rows.problem(Severity::Notice, "empty_report", None, || "no action was profiled".to_owned());
        }
        Ok(())
    }
}

impl Stream for ReportsDecoder {
    fn push(&mut self, chunk: &[u8], rows: &mut Rows) -> Result<()> {
        let reader = &mut self.reader;
        self.lines.push(chunk, |line, position| reader.read_line(line, position, rows));
        Ok(())
    }
}

impl ReportReader {
    fn read_line(&mut self, line: FileLine<'_>, position: Position, rows: &mut Rows) {
        let Some((bytes, is_last)) = line.bytes() else {
            return position.skip(rows, "bad_line", || "longer than 1 MiB");
        };
        let Some(text) = line_text(bytes, is_last, position, rows) else {
            return self.report_truncated(position, rows);
        };
        // lines written on Windows may end with two carriage returns
        let text = text.trim_end_matches('\r');
        if is_last {
            if text.trim().is_empty() {
                // it may be the beginning of any line
                return;
            }
            let is_complete = match &self.section {
                ReportSection::Table(table) => table.is_complete_row(text) || is_rule(text),
                _ => advanced::may_be_complete(text),
            };
            if !is_complete {
                return self.report_truncated(position, rows);
            }
        }
        self.read_complete_line(text, position, rows);
    }

    fn read_complete_line(&mut self, text: &str, position: Position, rows: &mut Rows) {
        if let Some(stage) = parse_title(text) {
            self.end_section(false, rows);
            self.writer.reports += 1;
            self.writer.stage = stage;
            return;
        }
        if self.writer.reports > 0 {
            if let Some(block) = ActionBlock::parse_first_line(text, position, &self.writer, rows) {
                self.end_section(false, rows);
                self.section = ReportSection::Block(Box::new(block));
                return;
            }
            if let Some(table) = ActionTable::parse_header(text) {
                if matches!(self.section, ReportSection::Table(_)) {
                    // the title of this report is missing
                    self.writer.reports += 1;
                    self.writer.stage = None;
                }
                self.end_section(false, rows);
                self.section = ReportSection::Table(table);
                return;
            }
        }
        if let Err(why) = self.read_section_line(text, position, rows) {
            position.skip(rows, "bad_line", || why);
        }
    }

    /// Reads one line of the current section. An error is the reason why the line is malformed.
    fn read_section_line(
        &mut self,
        text: &str,
        position: Position,
        rows: &mut Rows,
    ) -> std::result::Result<(), String> {
        let writer = &mut self.writer;
        match &mut self.section {
            ReportSection::Table(table) if is_rule(text) => table.read_rule(),
            ReportSection::Block(block) if is_rule(text) && block.is_of_pytorch() => {
                let why = "a table of PyTorchProfiler has the first rows of sums only; read its trace instead, *.pt.trace.json";
                position.notice(rows, "pytorch_profiler", || why);
                self.section = ReportSection::PytorchTable;
            }
            ReportSection::Block(block) if text.trim().is_empty() => block.read_blank_line(writer, rows),
            ReportSection::PytorchTable => {}
            ReportSection::None if is_rule(text) => {}
            _ if text.trim().is_empty() => {}
            ReportSection::Table(table) => return table.read_line(text, position, writer, rows),
            ReportSection::Block(block) => return block.read_line(text, position, writer, rows),
            ReportSection::None => return Err("not in a table or a block".to_owned()),
        }
        Ok(())
    }

    fn report_truncated(&mut self, position: Position, rows: &mut Rows) {
        self.is_truncated = true;
        position.skip(rows, "truncated", || "the file ends inside this line");
    }

    /// Ends the current section before another one, or at the end of the file.
    fn end_section(&mut self, is_end_of_file: bool, rows: &mut Rows) {
        if self.is_truncated {
            // already reported
            return;
        }
        let missing = match std::mem::take(&mut self.section) {
            ReportSection::Table(table) => table.describe_missing(),
            ReportSection::Block(mut block) => block.finish(is_end_of_file, &mut self.writer, rows),
            ReportSection::None | ReportSection::PytorchTable => None,
        };
        if let Some(missing) = missing {
            let (report, kind) = (self.writer.reports - 1, if is_end_of_file { "truncated" } else { "incomplete" });
            rows.problem(Severity::Warning, kind, None, || format!("report {report}: {missing}"));
        }
    }
}
