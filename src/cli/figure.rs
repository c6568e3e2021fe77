//! `tracelake figure`: writes one or all figures as a page, or one figure as Plotly JSON or a picture.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::browser::Target;
use super::failure::CommandFailure;
use super::lake_args::{LakeArgs, RunArgs};
use super::output::{self, page_on_terminal};
use super::{name_and_value, parameter};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::{DrawnFigure, FIGURES, to_html_page};
use crate::figure::{PICTURES, PictureSize};
use crate::frame::escape;
use crate::session::Value;
use tracelake_model::file::extension;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  tracelake figure
  tracelake figure step_timeline path/to/profile --open
  tracelake figure all my_run -o figures.html
  tracelake figure step_timeline my_run -o steps.png --width 1600")]
pub(super) struct FigureArgs {
    /// Name of the figure, or `all` [default: list the names]
    name: Option<String>,
    #[command(flatten)]
    runs: RunArgs,
    /// Parameter of the queries of the figure, such as --param start=1600000000000000000; may be given several times
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = name_and_value)]
    params: Vec<(String, String)>,
    /// File to write: a page (.html), Plotly JSON (.json), or a picture (.png, .svg, .pdf, .jpeg, .webp). A picture
    /// needs Chromium or Chrome on this machine [default: a page on stdout]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Show the page in the browser. Without --output, the page is a temporary file
    #[arg(long)]
    open: bool,
    /// Width of a picture in pixels of the page, from 300 to 8192
    #[arg(long, value_name = "PIXELS", default_value_t = 1200)]
    width: u32,
    /// Height of a picture in pixels of the page, from 100 to 16384 [default: the height of the figure]
    #[arg(long, value_name = "PIXELS")]
    height: Option<u32>,
    /// Pixels of the picture per pixel of the page, from 0.5 to 8; .svg and .pdf ignore it
    #[arg(long, value_name = "FACTOR", default_value_t = 2.0)]
    scale: f64,
}

/// The format of the file to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FigureFormat {
    Page,
    Json,
    Picture,
}

/// Runs the command.
pub(super) fn run(lake: &LakeArgs, arguments: &FigureArgs) -> Result<(), CommandFailure> {
    let Some(name) = arguments.name.as_deref() else {
        return FIGURES.iter().try_for_each(|figure| output::print_line(&format!("{:<22}{}", figure.name, figure.doc)));
    };
    let (runs, path) = (arguments.runs.names(), arguments.output.as_deref());
    let target = Target { output: path, open: arguments.open };
    let format = figure_format(name, path, target.is_terminal())?;
    if target.open && format != FigureFormat::Page {
        let text = "cannot show this file in the browser: --open shows only HTML pages";
        return Err(Error::new(ErrorKind::Argument, text).with_hint("write a page: -o page.html").into());
    }
    if name == "all" && !arguments.params.is_empty() {
        let text = "cannot give a parameter to all figures: each figure has its own parameters";
        return Err(Error::new(ErrorKind::Argument, text).with_hint("name one figure").into());
    }
    let session = lake.open_for(&runs)?;
    let values = parameter::parse_for_figure(name, &session.queries(), &arguments.params)?;
    let mut query_arguments: Vec<(&str, Value)> =
        values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    if !runs.is_empty() {
        query_arguments.push(("run", Value::from(runs)));
    }
    let names = if name == "all" { session.figures() } else { vec![name] };
    let figures = names.into_iter().map(|name| session.figure(name, &query_arguments)).collect::<Result<Vec<_>>>()?;
    match (format, figures.as_slice(), path) {
        (FigureFormat::Json, [one], _) => output::write_text(one.to_json(), path),
        (FigureFormat::Picture, [one], Some(path)) => {
            let size = PictureSize { width: arguments.width, height: arguments.height, scale: arguments.scale };
            one.save_sized(path, size).map_err(CommandFailure::lake)?;
            output::print_line(&format!("wrote {}", path.display()))
        }
        (_, [one], _) if name != "all" => target.write(&to_html_page(&[one.to_html_part()], "tracelake")),
        (_, all, _) => {
            let (empty, drawn): (Vec<_>, Vec<_>) = all.iter().partition(|figure| figure.is_empty());
            if !empty.is_empty() {
                let names: Vec<&str> = empty.iter().map(|figure| figure.name()).collect();
                // A closed stderr is not an error.
                let _ = writeln!(io::stderr(), "not in the page, because they have no data: {}", names.join(", "));
            }
            let runs: Vec<String> = session.runs()?.column::<String>("run")?.into_iter().flatten().collect();
            let named = arguments.runs.names();
            let runs = if named.is_empty() { runs } else { session.resolve(&named)? };
            target.write(&page(&drawn, &runs))
        }
    }
}

/// Maximum number of runs in the title of a page.
const TITLE_RUNS: usize = 3;

/// Returns a page with the figures and links to them.
fn page(figures: &[&DrawnFigure], runs: &[String]) -> String {
    let title = match runs {
        [] => "Figures".to_owned(),
        runs if runs.len() <= TITLE_RUNS => format!("Figures of {}", runs.join(", ")),
        runs => format!("Figures of {} runs", runs.len()),
    };
    let doc = |figure: &DrawnFigure| FIGURES.iter().find(|known| known.name == figure.name()).map_or("", |f| f.doc);
    let mut contents = String::from("<nav>\n<ol>\n");
    let mut sections = String::new();
    for figure in figures {
        let (name, doc) = (figure.name(), escape(doc(figure)));
        let _ = writeln!(contents, "<li><a href=\"#{name}\">{name}</a>: {doc}</li>");
        let _ = writeln!(sections, "<h2 id=\"{name}\">{name}</h2>\n{}", figure.to_html_part());
    }
    contents.push_str("</ol>\n</nav>\n");
    to_html_page(&[&contents, &sections], &title)
}

/// Returns the format for the extension of the file.
fn figure_format(name: &str, path: Option<&Path>, terminal: bool) -> Result<FigureFormat> {
    let refused = |text: String, hint| Err(Error::new(ErrorKind::Argument, text).with_hint(hint));
    match path.map(extension).as_deref() {
        None if terminal => Err(page_on_terminal()),
        None | Some("" | "html" | "htm") => Ok(FigureFormat::Page),
        Some("json") if name == "all" => {
            refused("cannot write several figures as one JSON file".to_owned(), "write a page: -o page.html")
        }
        Some("json") => Ok(FigureFormat::Json),
        Some(other) if other == "jpg" || PICTURES.contains(&other) => match name {
            "all" => refused("cannot write several figures as one picture".to_owned(), "write a page: -o page.html"),
            _ => Ok(FigureFormat::Picture),
        },
        Some(other) => refused(
            format!("cannot write a figure as .{other}"),
            "write a page (-o page.html), Plotly JSON (-o figure.json) or a picture (-o figure.png)",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_selects_the_format() {
        let parse = |name, path: Option<&str>, terminal| {
            figure_format(name, path.map(Path::new), terminal).map_err(|error| error.message().to_owned())
        };
        assert_eq!(parse("all", None, false), Ok(FigureFormat::Page));
        assert_eq!(parse("all", Some("X.HTML"), false), Ok(FigureFormat::Page));
        assert_eq!(parse("step_timeline", Some("x.json"), false), Ok(FigureFormat::Json));
        assert_eq!(parse("step_timeline", None, true), Err("cannot show a page on a terminal".to_owned()));
        assert_eq!(
            parse("all", Some("x.json"), false),
            Err("cannot write several figures as one JSON file".to_owned())
        );
        assert_eq!(parse("step_timeline", Some("x.PNG"), false), Ok(FigureFormat::Picture));
        assert_eq!(parse("all", Some("x.png"), false), Err("cannot write several figures as one picture".to_owned()));
        assert_eq!(parse("all", Some("x.bmp"), false), Err("cannot write a figure as .bmp".to_owned()));
    }
}
