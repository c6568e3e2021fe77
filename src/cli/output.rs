//! The output of a command: to the terminal, a pipe or a file.

use std::cell::Cell;
use std::env;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};
use terminal_size::{Width, terminal_size};

use super::failure::CommandFailure;
use crate::catalog::{FindingHeader, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::frame::{Frame, TimeFormat};
use tracelake_model::file::{extension, fill, text_writer, write_error, write_file};

/// The format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RowFormat {
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
pub(super) struct OutputArgs {
    /// Format of the rows [default: by the extension of FILE, else table on a terminal and csv in a pipe]
    #[arg(long, value_enum)]
    format: Option<RowFormat>,
    /// File to write [default: stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show all columns of a table, also those that do not fit into the terminal or have the same id in all rows
    #[arg(long)]
    wide: bool,
    /// Times in CSV and JSON
    #[arg(long, value_enum, default_value_t)]
    times: TimeFormatArg,
}

/// See [`TimeFormat`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum TimeFormatArg {
    /// An integer: ns since 1970, as in SQL.
    #[default]
    Ns,
    /// A UTC timestamp; `+12.3 ms` in a recording without dates.
    Iso,
}

/// The format and the target of rows.
#[derive(Debug)]
pub(super) struct Output {
    format: RowFormat,
    path: Option<PathBuf>,
    is_wide: bool,
    times: TimeFormat,
}

impl OutputArgs {
    /// Returns true if the user has selected a format or a file.
    pub(super) fn wants_rows(&self) -> bool {
        self.format.is_some() || self.output.is_some() || self.wide
    }

    /// Returns the format and the target of the rows.
    ///
    /// # Errors
    /// Argument for Parquet on a terminal.
    pub(super) fn output(self) -> Result<Output> {
        let terminal = self.output.is_none() && io::stdout().is_terminal();
        let format = self.format(terminal)?;
        let times = match self.times {
            TimeFormatArg::Ns => TimeFormat::Ns,
            TimeFormatArg::Iso => TimeFormat::Iso,
        };
        Ok(Output { format, path: self.output, is_wide: self.wide, times })
    }

    fn format(&self, terminal: bool) -> Result<RowFormat> {
        let by_name = match self.output.as_deref().map(extension).as_deref() {
            Some("csv") => Some(RowFormat::Csv),
            Some("json" | "jsonl" | "ndjson") => Some(RowFormat::Json),
            Some("md") => Some(RowFormat::Markdown),
            Some("parquet") => Some(RowFormat::Parquet),
            _ => None,
        };
        let default = if terminal { RowFormat::Table } else { RowFormat::Csv };
        match self.format.or(by_name).unwrap_or(default) {
            RowFormat::Parquet if terminal => Err(binary_on_terminal("Parquet", "rows.parquet")),
            format => Ok(format),
        }
    }
}

impl Output {
    /// Writes the rows.
    pub(super) fn write(&self, frame: &Frame) -> Result<(), CommandFailure> {
        let is_paged = self.format == RowFormat::Table && self.path.is_none() && io::stdout().is_terminal();
        let shown = match terminal_size() {
            _ if self.is_wide => frame.wide(),
            Some((Width(width), _)) if is_paged => frame.fit(width.into()),
            _ => frame.clone(),
        };
        let mut rows = |out: &mut dyn Write| match self.format {
            RowFormat::Table => shown.write_text(out),
            RowFormat::Markdown => frame.write_markdown(out),
            RowFormat::Csv => frame.with_times(self.times).write_csv(out),
            RowFormat::Json => frame.with_times(self.times).write_json(out),
            RowFormat::Parquet => crate::export::write_parquet(frame, out),
        };
        match &self.path {
            Some(path) => write_file(path, &mut rows),
            None if is_paged => write_paged(self.is_wide, &mut rows),
            None => write_stdout(&mut rows),
        }
        .map_err(CommandFailure::lake)?;
        // To stderr, so that a program that reads stdout gets only rows.
        let has_title = matches!(self.format, RowFormat::Table | RowFormat::Markdown);
        if let Some(title) = frame.title().filter(|_| !has_title) {
            let _ = writeln!(io::stderr(), "{title}");
        }
        let why =
            if self.format == RowFormat::Table { None } else { frame.why_empty().map_err(CommandFailure::lake)? };
        if let Some(why) = why {
            // A closed stderr is not an error.
            let _ = writeln!(io::stderr(), "no rows: {why}");
        }
        Ok(())
    }
}

/// Returns the error of writing binary data or long JSON to a terminal.
pub(super) fn binary_on_terminal(what: &str, file: &str) -> Error {
    Error::new(ErrorKind::Argument, format!("cannot show {what} on a terminal"))
        .with_hint(format!("write to a file (-o {file}) or to a pipe"))
}

/// Returns the error of printing a page on a terminal.
pub(super) fn page_on_terminal() -> Error {
    Error::new(ErrorKind::Argument, "cannot show a page on a terminal")
        .with_hint("show it in the browser (--open), or write it to a file (-o page.html) or to a pipe")
}

/// Writes to stdout. A closed pipe (`| head`) is not an error.
pub(super) fn write_stdout(write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    write_to(&mut io::stdout().lock(), write)
}

fn write_to(out: &mut dyn Write, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let is_closed = Cell::new(false);
    let failed = |error: &io::Error| {
        is_closed.set(error.kind() == io::ErrorKind::BrokenPipe);
        write_error("to stdout", error)
    };
    match fill(out, &failed, write) {
        Err(_) if is_closed.get() => Ok(()),
        result => result,
    }
}

/// Writes to the pager in `PAGER`, by default `less`, which shows a text that fits on the screen without paging. Writes to
/// stdout if `PAGER` is empty or the program does not exist.
#[expect(clippy::disallowed_methods, reason = "the pager is named here")]
fn write_paged(is_wide: bool, write: &mut dyn FnMut(&mut dyn Write) -> Result<()>) -> Result<()> {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return write_stdout(write) };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // With S, long lines are not wrapped, and the arrow keys show the rest.
        command.env("LESS", if is_wide { "FRSX" } else { "FRX" });
    }
    let Ok(mut child) = command.spawn() else { return write_stdout(write) };
    let result = match child.stdin.take() {
        Some(mut input) => write_to(&mut input, write),
        None => Ok(()),
    };
    // The user may still read when all is written.
    let _ = child.wait();
    result
}

/// Writes a line to stdout.
pub(super) fn print_line(text: &str) -> Result<(), CommandFailure> {
    write_stdout(&mut text_writer(&format!("{text}\n"))).map_err(CommandFailure::lake)
}

/// Writes a text to a file, or to stdout.
pub(super) fn write_text(text: &str, path: Option<&Path>) -> Result<(), CommandFailure> {
    let Some(path) = path else { return print_line(text) };
    write_text_file(text, path)?;
    print_line(&format!("wrote {}", path.display()))
}

/// Writes a text to a file, without a line on stdout.
pub(super) fn write_text_file(text: &str, path: &Path) -> Result<(), CommandFailure> {
    write_file(path, &mut text_writer(text)).map_err(CommandFailure::lake)
}

/// Reads all of stdin.
pub(super) fn read_stdin() -> Result<String> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Error::new(ErrorKind::Malformed, format!("cannot read stdin: {error}")))?;
    Ok(text)
}

/// Returns the text of `tracelake queries NAME`.
pub(super) fn describe_query(query: &Query) -> String {
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
    if let Some(FindingHeader { cause, remedy, limits, evidence, .. }) = &header.finding {
        let evidence = evidence.join(", ");
        let _ = write!(text, "\n\ncause:    {cause}\nremedy:   {remedy}\nlimits:   {limits}\nevidence: {evidence}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_depends_on_the_extension_and_the_terminal() {
        let format_of = |format, output: Option<&str>, terminal| {
            OutputArgs { format, output: output.map(PathBuf::from), wide: false, times: TimeFormatArg::Ns }
                .format(terminal)
                .map_err(|error| error.to_string())
        };
        assert_eq!(format_of(None, None, true), Ok(RowFormat::Table));
        assert_eq!(format_of(None, None, false), Ok(RowFormat::Csv));
        assert_eq!(format_of(Some(RowFormat::Parquet), None, false), Ok(RowFormat::Parquet));
        assert_eq!(format_of(None, Some("X.PARQUET"), false), Ok(RowFormat::Parquet));
        assert_eq!(
            format_of(Some(RowFormat::Parquet), None, true),
            Err("cannot show Parquet on a terminal\n  hint:   write to a file (-o rows.parquet) or to a pipe"
                .to_owned())
        );
    }
}
