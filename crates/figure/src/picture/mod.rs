//! Draws figures as pictures: the Chromium or Chrome of this machine renders the page and returns the picture.
//!
//! So a picture looks like the page. The browser has no network and an empty user profile.

#![expect(clippy::disallowed_methods, reason = "the browser is named here")]

mod browser;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use parking_lot::Mutex;
use serde_json::{Value, json};

use tracelake_model::file::{extension, write_file};

use self::browser::Browser;
use crate::DrawnFigure;
use crate::error::{Error, ErrorKind, Result};
use crate::output::picture_script;

/// Programs to look for: names on the path, and full paths on systems where browsers are not on the path.
const BROWSERS: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];
const BROWSER_VARIABLE: &str = "TRACELAKE_BROWSER";
/// Time without a picture after which the browser is closed.
const IDLE_TIME: Duration = Duration::from_secs(10);
/// Maximum width and height in pixels; browsers draw no larger pictures.
const MAX_PIXELS: u32 = 16_384;

/// Extensions of the pictures that [`DrawnFigure::save`] writes.
pub const PICTURES: &[&str] = &["png", "svg", "pdf", "jpeg", "webp"];

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PictureSize {
    /// Width in pixels of the page, from 300 to 8192.
    pub width: u32,
    /// Height in pixels of the page; None is the height of the figure.
    pub height: Option<u32>,
    /// Pixels of the picture per pixel of the page, from 0.5 to 8; it scales letters too. SVG and PDF ignore it.
    pub scale: f64,
}

impl Default for PictureSize {
    fn default() -> Self {
        Self { width: 1200, height: None, scale: 2.0 }
    }
}

impl DrawnFigure {
    /// Writes the figure in the format of the file extension: `.html` is a page, `.json` Plotly JSON, and `.png`, `.svg`,
    /// `.pdf`, `.jpeg` and `.webp` are pictures of the usual size, which the Chromium or Chrome of this machine draws. An
    /// existing file is replaced when the new one is complete.
    ///
    /// # Errors
    /// Argument for another extension; `NotFound` without a browser; Unreachable when the browser draws nothing; Denied or
    /// Exhausted when the file cannot be written.
    ///
    /// # Examples
    /// ```no_run
    /// # fn save(figure: &tracelake_figure::DrawnFigure) -> tracelake_model::Result<()> {
    /// figure.save("steps.html")?;
    /// figure.save("steps.png")?; // needs a browser
    /// # Ok(())
    /// # }
    /// ```
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        self.save_sized(path.as_ref(), PictureSize::default())
    }

    /// As [`DrawnFigure::save`], with the size of a picture.
    ///
    /// # Errors
    /// As [`DrawnFigure::save`]; Argument for a size out of range.
    pub fn save_sized(&self, path: &Path, size: PictureSize) -> Result<()> {
        let bytes = match extension(path).as_str() {
            "html" | "htm" => self.to_html_page().into_bytes(),
            "json" => self.to_json().as_bytes().to_vec(),
            format => self.to_picture(format, size)?,
        };
        write_file(path, &mut |out| {
            out.write_all(&bytes)
                .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the figure: {error}")))
        })
    }

    /// Returns the bytes of a picture in this format: a file extension without its dot.
    ///
    /// # Errors
    /// As [`DrawnFigure::save_sized`].
    pub fn to_picture(&self, format: &str, size: PictureSize) -> Result<Vec<u8>> {
        let format = if format == "jpg" { "jpeg" } else { format };
        if !PICTURES.contains(&format) {
            let known: Vec<String> =
                ["html", "json"].iter().chain(PICTURES).map(|extension| format!(".{extension}")).collect();
            return Err(Error::new(ErrorKind::Argument, format!("cannot write a figure as .{format}"))
                .with_hint(format!("the extension must be one of {}", known.join(", "))));
        }
        checked_height(size, self.height())?;
        let name = format!("{}.{format}", self.name());
        let browser = find_browser(&name)?;
        let script = picture_script(self.to_json(), format, size.width, size.height.unwrap_or(0), size.scale);
        // The script sets the size of the page.
        let paper = json!({"preferCSSPageSize": true, "printBackground": true});
        let drawn = draw(&browser, &script, (format == "pdf").then_some(&paper));
        drawn.map_err(|why| {
            Error::new(ErrorKind::Unreachable, format!("cannot draw {name}: the browser drew nothing"))
                .with_context("browser", browser.display().to_string())
                .with_context("cause", why)
                .with_hint(format!(
                    "write a page (-o {}.html), or set {BROWSER_VARIABLE} to another browser",
                    self.name()
                ))
        })
    }
}

/// Returns the height to draw, or an error if the size is out of range.
fn checked_height(size: PictureSize, own: u32) -> Result<u32> {
    let height = size.height.unwrap_or(own);
    let refused = |what: String| Err(Error::new(ErrorKind::Argument, format!("cannot draw a figure {what}")));
    if !(300..=8192).contains(&size.width) || !(100..=MAX_PIXELS).contains(&height) {
        return refused(format!(
            "of {} x {height} pixels: the width must be 300 to 8192 and the height 100 to {MAX_PIXELS}",
            size.width
        ));
    }
    if !(0.5..=8.0).contains(&size.scale) {
        return refused(format!("at a scale of {}: the scale must be 0.5 to 8", size.scale));
    }
    if f64::from(size.width.max(height)) * size.scale > f64::from(MAX_PIXELS) {
        return refused(format!(
            "of {} x {height} pixels at a scale of {}: width and height times the scale must be at most {MAX_PIXELS}",
            size.width, size.scale
        ));
    }
    Ok(height)
}

/// Returns the browser that the environment names, or the first one on this machine.
fn find_browser(name: &str) -> Result<PathBuf> {
    let configured = env::var_os(BROWSER_VARIABLE).filter(|path| !path.is_empty());
    let names =
        configured.as_ref().map_or_else(|| BROWSERS.iter().map(OsString::from).collect(), |path| vec![path.clone()]);
    names.iter().find_map(|name| find_program(Path::new(name))).ok_or_else(|| {
        let what = match &configured {
            Some(path) => format!("{BROWSER_VARIABLE} is {}, which does not exist", Path::new(path).display()),
            None => "no Chromium or Chrome was found".to_owned(),
        };
        Error::new(ErrorKind::NotFound, format!("cannot draw {name}: {what}")).with_hint(format!(
            "install one, such as with `apt-get install chromium`, or set {BROWSER_VARIABLE} to its path; .html and .json need no browser"
        ))
    })
}

/// Returns the file of a program, which may be a name on the path.
fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let path = env::var_os("PATH")?;
    let extension = env::consts::EXE_SUFFIX;
    env::split_paths(&path)
        .flat_map(|folder| [folder.join(program), folder.join(format!("{}{extension}", program.display()))])
        .find(|file| file.is_file())
}

/// The browser of the last picture. It is closed when it was not used for some seconds.
static BROWSER: Mutex<Option<OpenBrowser>> = Mutex::new(None);

struct OpenBrowser {
    program: PathBuf,
    browser: Browser,
    last_use: Instant,
}

/// Draws the Plotly JSON of a figure, or returns the reason why the browser cannot.
fn draw(program: &Path, script: &str, pdf: Option<&Value>) -> Result<Vec<u8>, String> {
    let mut open = BROWSER.lock();
    let is_reused = open.as_ref().is_some_and(|open| open.program == program);
    let mut current = match open.take().filter(|open| open.program == program) {
        Some(current) => current,
        None => {
            let browser = Browser::start(program)?;
            OpenBrowser { program: program.to_owned(), browser, last_use: Instant::now() }
        }
    };
    let mut picture = match current.browser.evaluate(script) {
        Ok(picture) => picture,
        // A browser that was used before may have been killed since.
        Err(_) if is_reused => {
            current.browser = Browser::start(program)?;
            current.browser.evaluate(script)?
        }
        Err(error) => return Err(error),
    };
    if let Some(paper) = pdf {
        picture = current.browser.call("Page.printToPDF", paper)?["data"].take();
    }
    current.last_use = Instant::now();
    *open = Some(current);
    thread::spawn(|| {
        thread::sleep(IDLE_TIME);
        BROWSER.lock().take_if(|open| open.last_use.elapsed() >= IDLE_TIME);
    });
    let text = picture.as_str().ok_or("its output is not a text")?;
    BASE64.decode(text).map_err(|error| format!("its output is not a picture: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_no_browser_draws_are_refused() {
        let size = |width, height, scale| checked_height(PictureSize { width, height, scale }, 400);
        assert_eq!(size(1200, None, 2.0).unwrap(), 400);
        assert_eq!(size(1200, Some(700), 1.0).unwrap(), 700);
        for wrong in [size(299, None, 1.0), size(9000, None, 1.0), size(600, Some(20), 1.0), size(600, None, f64::NAN)]
        {
            assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Argument);
        }
        assert!(size(8192, None, 8.0).unwrap_err().message().contains("at a scale of 8"));
    }
}
