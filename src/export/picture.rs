//! Draws figures as pictures: the Chromium or Chrome of this machine renders the page and returns the picture.
//!
//! So a picture looks like the page. The browser has no network and an empty user profile.

#![expect(clippy::disallowed_methods, reason = "a page for the browser is written, and its picture read, here")]

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use tempfile::TempDir;

use super::file::{extension, write_file};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::{DrawnFigure, PICTURE_FAILED, PICTURE_HERE, to_picture_page};

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
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];
const BROWSER_VARIABLE: &str = "TRACELAKE_BROWSER";
/// Maximum time for drawing.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Maximum width and height in pixels; browsers draw no larger pictures.
const MAX_PIXELS: u32 = 16_384;

/// Extensions of the pictures that [`save_figure`] writes.
pub(crate) const PICTURES: &[&str] = &["png", "svg", "pdf", "jpeg", "webp"];

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

/// Writes a figure in the format of the file extension: `.html` is a page, `.json` Plotly JSON, and `.png`, `.svg`,
/// `.pdf`, `.jpeg` and `.webp` are pictures, which the Chromium or Chrome of this machine draws.
///
/// # Units
/// Sizes are in pixels of the page.
///
/// # Errors
/// Argument for another extension or a size out of range; `NotFound` without a browser; Unreachable when the browser draws
/// nothing; errors of [`write_file`].
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// use tracelake::cli::{PictureSize, save_figure};
///
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::OpenOptions { ephemeral: true, ..Default::default() })?;
/// let figure = s.figure("step_timeline", &[("run", "first_look")])?;
/// save_figure(&figure, &dir.path().join("steps.html"), PictureSize::default())?; // steps.png needs a browser
/// # Ok(())
/// # }
/// ```
pub fn save_figure(figure: &DrawnFigure, path: &Path, size: PictureSize) -> Result<()> {
    let bytes = match extension(path).as_str() {
        "html" | "htm" => figure.to_html_page().into_bytes(),
        "json" => figure.to_json().as_bytes().to_vec(),
        format => render_picture(figure, format, size)?,
    };
    write_file(path, &mut |out| {
        out.write_all(&bytes)
            .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the figure: {error}")))
    })
}

/// Returns the bytes of a picture in this format: a file extension without its dot.
///
/// # Errors
/// As [`save_figure`].
pub fn render_picture(figure: &DrawnFigure, format: &str, size: PictureSize) -> Result<Vec<u8>> {
    let format = if format == "jpg" { "jpeg" } else { format };
    if !PICTURES.contains(&format) {
        let known: Vec<String> =
            ["html", "json"].iter().chain(PICTURES).map(|extension| format!(".{extension}")).collect();
        return Err(Error::new(ErrorKind::Argument, format!("cannot write a figure as .{format}"))
            .with_hint(format!("the extension must be one of {}", known.join(", "))));
    }
    let height = checked_height(size, figure.height())?;
    let name = format!("{}.{format}", figure.name());
    let browser = find_browser(&name)?;
    let folder = BrowserFolder::new().map_err(|error| {
        Error::new(ErrorKind::Exhausted, format!("cannot draw {name}: cannot create a folder for the browser"))
            .with_source(error)
    })?;
    let page = to_picture_page(figure.to_json(), format, size.width, height, size.scale);
    let drawn = folder.draw(&browser, &page, format == "pdf");
    drawn.map_err(|why| {
        Error::new(ErrorKind::Unreachable, format!("cannot draw {name}: the browser drew nothing"))
            .with_context("browser", browser.display().to_string())
            .with_context("cause", why)
            .with_hint(format!(
                "write a page (-o {}.html), or set {BROWSER_VARIABLE} to another browser",
                figure.name()
            ))
    })
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

/// A temporary folder for one picture: the page, and the user profile of the browser.
struct BrowserFolder(TempDir);

impl BrowserFolder {
    fn new() -> std::io::Result<Self> {
        Ok(Self(tempfile::Builder::new().prefix("tracelake-picture-").tempdir()?))
    }

    /// Returns the picture of this page, or the reason why there is none.
    fn draw(&self, browser: &Path, page: &str, as_pdf: bool) -> Result<Vec<u8>, String> {
        let file = self.0.path().join("page.html");
        fs::write(&file, page).map_err(|error| error.to_string())?;
        // In many containers, the sandbox of a browser does not work. The page is our own, so it is safe without a sandbox.
        let mut why = String::new();
        for extra in [None, Some("--no-sandbox")] {
            match self.run_browser(browser, &file, as_pdf, extra) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if why.is_empty() || !error.is_empty() => why = error,
                Err(_) => {}
            }
        }
        Err(why)
    }

    fn run_browser(&self, browser: &Path, page: &Path, as_pdf: bool, extra: Option<&str>) -> Result<Vec<u8>, String> {
        let pdf = self.0.path().join("page.pdf");
        let mut command = Command::new(browser);
        command.args([
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-sync",
        ]);
        command.args(["--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=20000"]);
        command.arg(format!("--user-data-dir={}", self.0.path().join("user").display())).args(extra);
        if as_pdf {
            command.arg("--no-pdf-header-footer").arg(format!("--print-to-pdf={}", pdf.display()));
        } else {
            command.arg("--dump-dom");
        }
        command.arg(format!("file://{}", page.display()));
        let stdout = run_with_timeout(command)?;
        if as_pdf {
            return fs::read(&pdf).map_err(|_| "it wrote no PDF".to_owned());
        }
        let between = |before: &str| {
            let (_, rest) = stdout.split_once(before)?;
            rest.split_once(';').map(|(text, _)| text.to_owned())
        };
        match between(PICTURE_HERE) {
            Some(text) => BASE64.decode(text).map_err(|error| format!("its output is not a picture: {error}")),
            None => Err(between(PICTURE_FAILED).unwrap_or_else(|| "it exited without output".to_owned())),
        }
    }
}

/// Returns the stdout of a program; kills the program when it takes too long.
fn run_with_timeout(mut command: Command) -> Result<String, String> {
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| error.to_string())?;
    let mut pipe = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(pipe) = &mut pipe {
            // If the pipe breaks, the bytes read so far are the output.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    });
    let start = Instant::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            break;
        }
        if start.elapsed() > TIMEOUT {
            // The program may have exited in the meantime.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it took longer than {} s", TIMEOUT.as_secs()));
        }
        thread::sleep(Duration::from_millis(20));
    }
    Ok(String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned())
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
