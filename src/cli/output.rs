//! Where answers go: the terminal, a pipe or a file.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;

use clap::ValueEnum;

use crate::catalog::Query;
use crate::error::{Error, ErrorKind, Result};
use crate::frame::Frame;

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Aligned for a terminal.
    Table,
    /// Comma separated, with a heading.
    Csv,
    /// One JSON object per line.
    Json,
    /// A Markdown table.
    Markdown,
    /// Parquet.
    Parquet,
}

/// Writes rows to what it is given.
type Rows<'a> = dyn FnMut(&mut dyn Write) -> Result<()> + 'a;

/// Writes a frame to a file, or to stdout.
pub(super) fn frame(frame: &Frame, format: Option<Format>, to: Option<&Path>) -> Result<()> {
    let by_name = to.and_then(Path::extension).and_then(|ending| match ending.to_str()? {
        "csv" => Some(Format::Csv),
        "json" | "jsonl" | "ndjson" => Some(Format::Json),
        "md" => Some(Format::Markdown),
        "parquet" => Some(Format::Parquet),
        _ => None,
    });
    let terminal = to.is_none() && std::io::stdout().is_terminal();
    let format = format.or(by_name).unwrap_or(if terminal { Format::Table } else { Format::Csv });
    let mut rows: Box<Rows<'_>> = match format {
        Format::Table => {
            let text = frame.to_text()?;
            Box::new(move |out| write(out, &text))
        }
        Format::Markdown => {
            let text = frame.to_markdown()?;
            Box::new(move |out| write(out, &text))
        }
        Format::Csv => Box::new(|out| frame.write_csv(out)),
        Format::Json => Box::new(|out| frame.write_json(out)),
        Format::Parquet => Box::new(|out| crate::session::write_parquet(frame, out)),
    };
    match to {
        Some(path) => whole(path, rows.as_mut()),
        None => quiet(rows(&mut std::io::stdout().lock())),
    }
}

/// Writes a file under another name, which becomes its own when all went well: an error leaves no half of an answer.
#[expect(clippy::disallowed_methods, reason = "answers are written here")]
fn whole(path: &Path, rows: &mut Rows<'_>) -> Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = Path::new(&name);
    let written = create(part, path).and_then(|mut file| rows(&mut file)).and_then(|()| {
        std::fs::rename(part, path)
            .map_err(|error| Error::new(ErrorKind::Denied, format!("cannot write {}: {error}", path.display())))
    });
    if written.is_err() {
        // It may not be there at all: then there is nothing to remove.
        let _ = std::fs::remove_file(part);
    }
    written
}

fn write(out: &mut dyn Write, text: &str) -> Result<()> {
    writeln!(out, "{text}").map_err(|error| unwritten(&error))
}

/// Makes a file; errors speak of the name that the user gave.
#[expect(clippy::disallowed_methods, reason = "answers are written here")]
fn create(path: &Path, named: &Path) -> Result<File> {
    File::create(path).map_err(|error| {
        let kind =
            if error.kind() == std::io::ErrorKind::PermissionDenied { ErrorKind::Denied } else { ErrorKind::NotFound };
        Error::new(kind, format!("cannot write {}: {error}", named.display()))
    })
}

fn unwritten(error: &std::io::Error) -> Error {
    Error::new(ErrorKind::Exhausted, format!("cannot write the result: {error}"))
}

/// A reader that went away (`| head`) is no error.
fn quiet(result: Result<()>) -> Result<()> {
    match result {
        Err(error) if error.message().contains("Broken pipe") => Ok(()),
        result => result,
    }
}

/// Writes a line to stdout.
pub(super) fn line(text: &str) -> Result<()> {
    quiet(write(&mut std::io::stdout().lock(), text))
}

/// Writes a text to a file, or to stdout.
pub(super) fn text(text: &str, to: Option<&Path>) -> Result<()> {
    match to {
        Some(path) => {
            create(path, path)?.write_all(text.as_bytes()).map_err(|error| unwritten(&error))?;
            line(&format!("wrote {}", path.display()))
        }
        None => line(text),
    }
}

/// All of stdin.
pub(super) fn stdin() -> Result<String> {
    let mut text = String::new();
    std::io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Error::new(ErrorKind::Malformed, format!("cannot read stdin: {error}")))?;
    Ok(text)
}

/// What `tracelake queries NAME` prints.
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
    text
}
