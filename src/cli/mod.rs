//! The shell: every command is a few calls on a session.
//!
//! Answers go to stdout, progress and errors to stderr. A table on a terminal, CSV in a pipe. Exit
//! codes: 0 fine, 2 wrong usage or bad SQL, 3 input could not be read, 4 lake or output could not be
//! read or written, 5 internal error, 130 interrupted.

mod jupyter;
mod output;
mod progress;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;

use clap::{Args, Parser, Subcommand};

use self::output::{Format, frame};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::FIGURES;
use crate::format::FORMATS;
use crate::ingest::{Report, Request};
use crate::session::{Open, Session, Value, open_default_with, open_with};
use crate::source::Options;

/// Makes the profiles of training jobs answerable with SQL.
#[derive(Debug, Parser)]
#[command(name = "tracelake", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    place: Place,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Args)]
struct Place {
    /// Lake or profile: s3://bucket/prefix or a folder [default: TRACELAKE_HOME, else the user's data folder]
    #[arg(long, global = true, env = "TRACELAKE_LAKE", value_name = "URL")]
    lake: Option<String>,
    /// Option of the store, such as region=eu-west-1 or skip_signature=true; may be given several times
    #[arg(long = "option", global = true, value_name = "NAME=VALUE", value_parser = pair)]
    options: Vec<(String, String)>,
    /// Folder of canned queries of your own
    #[arg(long, global = true, value_name = "FOLDER")]
    queries: Option<String>,
}

#[derive(Debug, Args)]
struct Shown {
    /// How to write the rows [default: table on a terminal, else csv]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write to this file instead of the terminal
    #[arg(short, long, value_name = "FILE")]
    output: Option<std::path::PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Read a profile into the lake, or many with one `*`: s3://bucket/jobs/*/profiler-output
    Ingest {
        /// Address of the profile
        url: String,
        /// Name of the run [default: the first folder above the profile]
        #[arg(long)]
        run: Option<String>,
        /// What to note about the run; may be given several times
        #[arg(long = "tag", value_name = "KEY=VALUE", value_parser = pair)]
        tags: Vec<(String, String)>,
        /// Added to every time of the profile, in ns [default: what was given before, else 0]
        #[arg(long, allow_hyphen_values = true)]
        clock_offset: Option<i64>,
    },
    /// List the runs
    Runs {
        #[command(flatten)]
        shown: Shown,
    },
    /// Run SQL
    Sql {
        /// The text; `-` reads it from stdin
        #[arg(allow_hyphen_values = true)]
        text: String,
        /// Value for `$name` in the text; may be given several times
        #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
        params: Vec<(String, String)>,
        #[command(flatten)]
        shown: Shown,
    },
    /// Ask a canned query; `tracelake queries` lists them
    Query {
        /// Name, such as step.duration
        name: String,
        /// Only this run; may be given several times
        #[arg(long = "run")]
        runs: Vec<String>,
        /// Parameter of the query; may be given several times
        #[arg(long = "param", value_name = "NAME=VALUE", value_parser = pair)]
        params: Vec<(String, String)>,
        #[command(flatten)]
        shown: Shown,
    },
    /// Write a whole table
    Table {
        /// Name, such as event
        name: String,
        /// Only this run; may be given several times
        #[arg(long = "run")]
        runs: Vec<String>,
        /// Only these columns
        #[arg(long, value_delimiter = ',')]
        columns: Option<Vec<String>>,
        #[command(flatten)]
        shown: Shown,
    },
    /// Draw a figure, or `all`, as a page that needs no network, or as Plotly JSON
    Figure {
        /// Name; without one the names are listed
        name: Option<String>,
        /// Only this run; may be given several times
        #[arg(long = "run")]
        runs: Vec<String>,
        /// File to write: .html or .json
        #[arg(short, long, value_name = "FILE")]
        output: Option<std::path::PathBuf>,
    },
    /// List the Parquet files of a table
    Files {
        /// Name of the table
        table: String,
        /// Only this run; may be given several times
        #[arg(long = "run")]
        runs: Vec<String>,
    },
    /// List the canned queries, or explain one
    Queries {
        /// Name of a query
        name: Option<String>,
    },
    /// List the formats that can be read
    Formats,
    /// Set up the Rust kernel for Jupyter
    Jupyter(jupyter::Jupyter),
}

fn pair(text: &str) -> std::result::Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// Runs the command line and gives the exit code. The first argument is the program's name.
///
/// ```
/// assert_eq!(tracelake::cli::main(["tracelake", "formats"]), 0);
/// assert_eq!(tracelake::cli::main(["tracelake", "nonsense"]), 2);
/// ```
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are errors to clap, and no errors to a user.
            let _ = error.print();
            return if error.use_stderr() { 2 } else { 0 };
        }
    };
    match run(cli) {
        Ok(()) => 0,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "error: {error}");
            code(&error)
        }
    }
}

fn code(error: &Error) -> u8 {
    let writing = error.message().starts_with("cannot write") || error.message().starts_with("cannot open lake");
    match error.kind() {
        ErrorKind::Query | ErrorKind::Argument => 2,
        ErrorKind::NotFound | ErrorKind::Denied | ErrorKind::Unreachable if writing => 4,
        ErrorKind::NotFound
        | ErrorKind::Denied
        | ErrorKind::Unreachable
        | ErrorKind::Unrecognised
        | ErrorKind::Malformed => 3,
        ErrorKind::Conflict | ErrorKind::Exhausted => 4,
        ErrorKind::Cancelled => 130,
        ErrorKind::Internal => 5,
    }
}

impl Place {
    fn options(&self) -> Options {
        self.options.iter().cloned().collect()
    }

    fn open(&self, create: bool) -> Result<Session> {
        let how = Open {
            options: self.options(),
            create,
            queries: self.queries.clone(),
            watch: Some(progress::bar()),
            ..Open::default()
        };
        // An empty TRACELAKE_LAKE counts as none, like an empty TRACELAKE_HOME.
        let url = self.lake.as_deref().filter(|url| !url.is_empty());
        let opened = match url {
            Some(url) => open_with(url, how),
            None => open_default_with(how),
        };
        // What is wrong with the lake is told from what is wrong with the input by its exit code.
        opened.map_err(|error| {
            let name = url.unwrap_or("of this user");
            let opened = Error::new(error.kind(), format!("cannot open lake {name}: {}", error.message()));
            match error.hint() {
                Some(hint) => opened.with_hint(hint),
                None => opened,
            }
        })
    }
}

fn run(cli: Cli) -> Result<()> {
    let place = cli.place;
    match cli.command {
        Command::Ingest { url, run, tags, clock_offset } => {
            let session = place.open(true)?;
            let tags: BTreeMap<String, String> = tags.into_iter().collect();
            let request = Request { url, run, options: place.options(), tags, clock_offset, ..Request::default() };
            let reports = session.ingest(request, Some(progress::bar()))?;
            let failed: Vec<&Report> = reports.iter().filter(|report| report.error.is_some()).collect();
            for report in &reports {
                output::line(&report.to_string())?;
            }
            let Some(first) = failed.first() else { return Ok(()) };
            let text = format!("cannot read {} of {} profiles", failed.len(), reports.len());
            Err(Error::new(ErrorKind::Malformed, text).with_context("first", &first.url))
        }
        Command::Runs { shown } => frame(&place.open(false)?.runs()?, shown.format, shown.output.as_deref()),
        Command::Sql { text, params, shown } => {
            let text = if text == "-" { output::stdin()? } else { text };
            let values: Vec<(String, Value)> = params.into_iter().map(|(name, text)| (name, value(&text))).collect();
            let values: Vec<(&str, Value)> = values.iter().map(|(name, v)| (name.as_str(), v.clone())).collect();
            frame(&place.open(false)?.sql_with(&text, &values)?, shown.format, shown.output.as_deref())
        }
        Command::Query { name, runs, params, shown } => {
            let values = params.into_iter().map(|(name, text)| (name, value(&text))).collect();
            let answer = place.open(false)?.query_runs(&name, some(&runs), &values)?;
            frame(&answer, shown.format, shown.output.as_deref())
        }
        Command::Table { name, runs, columns, shown } => {
            let rows = place.open(false)?.table(&name, some(&runs), columns.as_deref())?;
            frame(&rows, shown.format, shown.output.as_deref())
        }
        Command::Figure { name: None, .. } => {
            FIGURES.iter().try_for_each(|figure| output::line(&format!("{:<22}{}", figure.name, figure.doc)))
        }
        Command::Figure { name: Some(name), runs, output } => {
            figure(&place.open(false)?, &name, &runs, output.as_deref())
        }
        Command::Files { table, runs } => {
            place.open(false)?.files(&table, some(&runs))?.iter().try_for_each(|file| output::line(file))
        }
        Command::Queries { name } => queries(&place, name.as_deref()),
        Command::Formats => FORMATS.iter().try_for_each(|format| {
            let descriptor = format.descriptor();
            output::line(&format!("{:<22}{}\n{:<22}{}", descriptor.name, descriptor.doc, "", descriptor.files))
        }),
        Command::Jupyter(arguments) => jupyter::run(arguments),
    }
}

fn some(runs: &[String]) -> Option<&[String]> {
    (!runs.is_empty()).then_some(runs)
}

/// A parameter as it was typed: a number, true or false, a list in brackets, else text.
fn value(text: &str) -> Value {
    if let Some(list) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return Value::List(list.split(',').map(str::trim).filter(|item| !item.is_empty()).map(value).collect());
    }
    Value::typed(text)
}

fn figure(session: &Session, name: &str, runs: &[String], to: Option<&std::path::Path>) -> Result<()> {
    let arguments: Vec<(&str, Value)> =
        if runs.is_empty() { Vec::new() } else { vec![("run", Value::from(runs.to_vec()))] };
    let names = if name == "all" { session.figures() } else { vec![name] };
    let drawn = names.into_iter().map(|name| session.figure(name, &arguments)).collect::<Result<Vec<_>>>()?;
    let ending = to.and_then(std::path::Path::extension).map(|ending| ending.to_string_lossy().into_owned());
    let json = ending.as_deref() == Some("json");
    if let Some(other) = ending.filter(|ending| !["html", "htm", "json"].contains(&ending.as_str())) {
        return Err(Error::new(ErrorKind::Argument, format!("cannot write a figure as .{other}"))
            .with_hint("write a page, -o page.html, or Plotly JSON, -o figure.json"));
    }
    let text = match drawn.as_slice() {
        [one] if json => one.to_json().to_owned(),
        _ if json => {
            return Err(Error::new(ErrorKind::Argument, "cannot write several figures as one JSON file")
                .with_hint("write a page: -o page.html"));
        }
        all => {
            let parts: Vec<&str> = all.iter().map(crate::figure::Drawn::to_html_part).collect();
            crate::figure::to_html_page(&parts, "tracelake")
        }
    };
    output::text(&text, to)
}

fn queries(place: &Place, name: Option<&str>) -> Result<()> {
    let own;
    let all: Vec<&crate::catalog::Query> = match &place.queries {
        // The user's own are read with a session; those of the catalogue need none.
        Some(_) => {
            own = place.open(false)?;
            own.queries()
        }
        None => crate::catalog::queries().iter().filter(|query| query.family().is_some()).collect(),
    };
    let Some(name) = name else {
        return all.iter().try_for_each(|query| output::line(&format!("{:<28}{}", query.name, query.header.summary)));
    };
    let query = all.iter().find(|query| query.name == name).ok_or_else(|| {
        Error::unknown("query", name, &all.iter().map(|query| query.name.as_str()).collect::<Vec<_>>())
    })?;
    output::line(&output::explained(query))
}
