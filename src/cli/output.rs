//! The output of a command: to the terminal, a pipe or a file.

use std::cell::Cell;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::failure::Failure;
use crate::catalog::{Finding, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::export::file::{all, ending, fill, unwritten, write_file};
use crate::frame::Frame;

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned for a terminal; the first 1,000 rows determine the width of the columns.
    Table,
    /// Comma-separated values with a header; lists are JSON.
    Csv,
    /// One JSON object per line.
    Json,
    /// A Markdown table.
    Markdown,
    /// A Parquet file.
    Parquet,
}

/// The arguments for the output of rows.
#[derive(Debug, Args)]
pub(super) struct Shown {
    /// Format of the rows [default: by the extension of FILE, else table on a terminal and csv in a pipe]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// File to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The format and the target of rows.
#[derive(Debug)]
pub(super) struct Output {
    format: Format,
    to: Option<PathBuf>,
}

impl Shown {
    /// Returns whether the user asked for rows, by a format or a file.
    pub(super) fn is_asked(&self) -> bool {
        self.format.is_some() || self.output.is_some()
    }

    /// Returns the format and the target of the rows.
    ///
    /// # Errors
    /// Argument for Parquet on a terminal.
    pub(super) fn output(self) -> Result<Output> {
        let terminal = self.output.is_none() && io::stdout().is_terminal();
        let format = self.format(terminal)?;
        Ok(Output { format, to: self.output })
    }

    fn format(&self, terminal: bool) -> Result<Format> {
        let by_name = match self.output.as_deref().map(ending).as_deref() {
            Some("csv") => Some(Format::Csv),
            Some("json" | "jsonl" | "ndjson") => Some(Format::Json),
            Some("md") => Some(Format::Markdown),
            Some("parquet") => Some(Format::Parquet),
            _ => None,
        };
        let default = if terminal { Format::Table } else { Format::Csv };
        match self.format.or(by_name).unwrap_or(default) {
            Format::Parquet if terminal => Err(unreadable("Parquet", "rows.parquet")),
            format => Ok(format),
        }
    }
}

impl Output {
    /// Writes the rows.
    pub(super) fn write(&self, frame: &Frame) -> Result<(), Failure> {
        let mut rows = |out: &mut dyn Write| match self.format {
            Format::Table => frame.write_text(out),
            Format::Markdown => frame.write_markdown(out),
            Format::Csv => frame.write_csv(out),
            Format::Json => frame.write_json(out),
            Format::Parquet => crate::export::write_parquet(frame, out),
        };
        match &self.to {
            Some(path) => write_file(path, &mut rows),
            None => stdout(&mut rows),
        }
        .map_err(Failure::lake)?;
        // To stderr, so that a program that reads stdout gets only rows.
        if let Some(why) = frame.why_empty().map_err(Failure::lake)? {
            // A closed stderr is not an error.
            let _ = writeln!(io::stderr(), "no rows: {why}");
        }
        Ok(())
    }
}

/// Returns the error of writing binary data or long JSON to a terminal.
pub(super) fn unreadable(what: &str, file: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot show {what} on a terminal"))
        .with_hint(format!("write to a file (-o {file}) or to a pipe"))
}

/// Returns the error of printing a page on a terminal.
pub(super) fn show_or_write() -> Error {
    Error::new(ErrorKind::Argument, "cannot show a page on a terminal")
        .with_hint("show it in the browser (--open), or write it to a file (-o page.html) or to a pipe")
}

/// Writes to stdout. A closed pipe (`| head`) is not an error.
pub(super) fn stdout(write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let gone = Cell::new(false);
    let failed = |error: &io::Error| {
        gone.set(error.kind() == io::ErrorKind::BrokenPipe);
        unwritten("to stdout", error)
    };
    match fill(&mut io::stdout().lock(), &failed, write) {
        Err(_) if gone.get() => Ok(()),
        written => written,
    }
}

/// Writes a line to stdout.
pub(super) fn line(text: &str) -> Result<(), Failure> {
    stdout(&mut all(&format!("{text}\n"))).map_err(Failure::lake)
}

/// Writes a text to a file, or to stdout.
pub(super) fn text(text: &str, to: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = to else { return line(text) };
    write_file(path, &mut all(text)).map_err(Failure::lake)?;
    line(&format!("wrote {}", path.display()))
}

/// Writes a text to a file, without a line on stdout.
pub(super) fn text_file(text: &str, path: &Path) -> Result<(), Failure> {
    write_file(path, &mut all(text)).map_err(Failure::lake)
}

/// Reads all of stdin.
pub(super) fn stdin() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Error::new(ErrorKind::Malformed, format!("cannot read stdin: {error}")))?;
    Ok(text)
}

/// Returns the text of `tracelake queries NAME`.
pub(super) fn explained(query: &Query) -> String {
    use std::fmt::Write as _;
    let header = &query.header;
    let mut text = format!("{}\n\n{}\n\nin SQL: {}\n", header.summary, header.detail, query.usage());
    for param in &header.params {
        let _ = write!(text, "\n  param   {:<14} {:<9} {}", param.name, param.sql_type(), param.doc);
    }
    for column in &header.columns {
        let _ = write!(text, "\n  column  {:<14} {:<9} {:<8} {}", column.name, column.ty, column.unit, column.doc);
    }
    let _ = write!(text, "\n\norder: {}\nfrom:  {}", header.order.join(", "), header.sources.join(", "));
    if !header.empty.is_empty() {
        let _ = write!(text, "\nempty: {}", header.empty);
    }
    if let Some(Finding { cause, remedy, limits, evidence, .. }) = &header.finding {
        let evidence = evidence.join(", ");
        let _ = write!(text, "\n\ncause:    {cause}\nremedy:   {remedy}\nlimits:   {limits}\nevidence: {evidence}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_what_can_be_read_there() {
        let asked = |format, output: Option<&str>, terminal| {
            Shown { format, output: output.map(PathBuf::from) }.format(terminal).map_err(|error| error.to_string())
        };
        assert_eq!(asked(None, None, true), Ok(Format::Table));
        assert_eq!(asked(None, None, false), Ok(Format::Csv));
        assert_eq!(asked(Some(Format::Parquet), None, false), Ok(Format::Parquet));
        assert_eq!(asked(None, Some("X.PARQUET"), false), Ok(Format::Parquet));
        assert_eq!(
            asked(Some(Format::Parquet), None, true),
            Err("cannot show Parquet on a terminal\n  hint:   write to a file (-o rows.parquet) or to a pipe"
                .to_owned())
        );
    }
}
