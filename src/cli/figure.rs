//! `tracelake figure`: writes one or all figures as a page, or one figure as Plotly JSON or a picture.

use std::path::Path;

use super::browser::Target;
use super::failure::Failure;
use super::output::{self, show_or_write};
use super::parameter::{self, Typed};
use super::place::Place;
use crate::error::{Error, ErrorKind, Result};
use crate::export::file::ending;
use crate::export::picture::{PICTURES, Picture, save_figure};
use crate::figure::{Drawn, to_html_page};
use crate::session::Value;

/// The kind of file to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Page,
    Json,
    Picture,
}

/// Runs the command.
pub(super) fn run(
    place: &Place,
    name: &str,
    runs: &[String],
    params: &[Typed],
    target: &Target<'_>,
    size: Picture,
) -> Result<(), Failure> {
    let to = target.output;
    let form = form(name, to, target.is_terminal())?;
    if target.open && form != Form::Page {
        let text = "cannot show this file in the browser: --open shows only HTML pages";
        return Err(Error::new(ErrorKind::Argument, text).with_hint("write a page: -o page.html").into());
    }
    if name == "all" && !params.is_empty() {
        let text = "cannot give a parameter to all figures: each figure has its own parameters";
        return Err(Error::new(ErrorKind::Argument, text).with_hint("name one figure").into());
    }
    let session = place.open_for(runs)?;
    let values = parameter::drawn(name, &session.queries(), params)?;
    let mut arguments: Vec<(&str, Value)> = values.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    if !runs.is_empty() {
        arguments.push(("run", Value::from(runs.to_vec())));
    }
    let names = if name == "all" { session.figures() } else { vec![name] };
    let drawn = names.into_iter().map(|name| session.figure(name, &arguments)).collect::<Result<Vec<_>>>()?;
    match (form, drawn.as_slice(), to) {
        (Form::Json, [one], _) => output::text(one.to_json(), to),
        (Form::Picture, [one], Some(path)) => {
            save_figure(one, path, size).map_err(Failure::lake)?;
            output::line(&format!("wrote {}", path.display()))
        }
        (_, all, _) => {
            let parts: Vec<&str> = all.iter().map(Drawn::to_html_part).collect();
            target.write(&to_html_page(&parts, "tracelake"))
        }
    }
}

/// Returns the form for the ending of the file.
fn form(name: &str, to: Option<&Path>, terminal: bool) -> Result<Form> {
    let refused = |text: String, hint| Err(Error::new(ErrorKind::Argument, text).with_hint(hint));
    match to.map(ending).as_deref() {
        None if terminal => Err(show_or_write()),
        None | Some("" | "html" | "htm") => Ok(Form::Page),
        Some("json") if name == "all" => {
            refused("cannot write several figures as one JSON file".to_owned(), "write a page: -o page.html")
        }
        Some("json") => Ok(Form::Json),
        Some(other) if other == "jpg" || PICTURES.contains(&other) => match name {
            "all" => refused("cannot write several figures as one picture".to_owned(), "write a page: -o page.html"),
            _ => Ok(Form::Picture),
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
    fn the_ending_says_the_form() {
        let asked = |name, to: Option<&str>, terminal| {
            form(name, to.map(Path::new), terminal).map_err(|error| error.message().to_owned())
        };
        assert_eq!(asked("all", None, false), Ok(Form::Page));
        assert_eq!(asked("all", Some("X.HTML"), false), Ok(Form::Page));
        assert_eq!(asked("step_timeline", Some("x.json"), false), Ok(Form::Json));
        assert_eq!(asked("step_timeline", None, true), Err("cannot show a page on a terminal".to_owned()));
        assert_eq!(
            asked("all", Some("x.json"), false),
            Err("cannot write several figures as one JSON file".to_owned())
        );
        assert_eq!(asked("step_timeline", Some("x.PNG"), false), Ok(Form::Picture));
        assert_eq!(asked("all", Some("x.png"), false), Err("cannot write several figures as one picture".to_owned()));
        assert_eq!(asked("all", Some("x.bmp"), false), Err("cannot write a figure as .bmp".to_owned()));
    }
}
