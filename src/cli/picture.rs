//! Figures as pictures: the Chromium or Chrome of this machine draws the page, and gives back what it drew.
//!
//! No library of ours draws: a picture looks like the page does. The browser is given no network and a profile of its own.

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

use super::file::write_file;
use super::output::ending;
use crate::error::{Error, ErrorKind, Result};
use crate::figure::{Drawn, PICTURE_FAILED, PICTURE_HERE, to_picture_page};

/// Names of the browser on the path, and where it stands on systems that do not put it there.
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
const BROWSER: &str = "TRACELAKE_BROWSER";
/// How long a browser may draw.
const PATIENCE: Duration = Duration::from_mins(2);
/// Pixels on a side, beyond which browsers draw nothing.
const LARGEST: u32 = 16_384;

/// Endings of files that [`save_figure`] writes.
pub(super) const PICTURES: &[&str] = &["png", "svg", "pdf", "jpeg", "webp"];

/// The size of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Picture {
    /// Width in pixels of the page, from 300 to 8192.
    pub width: u32,
    /// Height in pixels of the page; that of the figure without it.
    pub height: Option<u32>,
    /// Pixels of the picture for a pixel of the page, from 0.5 to 8; letters grow with it. SVG and PDF have none.
    pub scale: f64,
}

impl Default for Picture {
    fn default() -> Self {
        Self { width: 1200, height: None, scale: 2.0 }
    }
}

/// Writes a figure; the ending of the name says how: `.html` is a page, `.json` Plotly JSON, and `.png`, `.svg`, `.pdf`, `.jpeg` and
/// `.webp` are pictures, which the Chromium or Chrome of this machine draws.
///
/// # Units
/// Sizes are in pixels of the page.
///
/// # Errors
/// Argument for another ending or a size out of range; `NotFound` without a browser; Unreachable when it draws nothing; what
/// [`write_file`] meets.
///
/// # Examples
/// ```
/// # fn main() -> tracelake::Result<()> {
/// # let dir = tempfile::tempdir().unwrap();
/// use tracelake::cli::{Picture, save_figure};
///
/// let profile = "tests/data/first_look/profiler-output";
/// let s = tracelake::open_with(profile, tracelake::Open { ephemeral: true, ..Default::default() })?;
/// let figure = s.figure("step_timeline", &[("run", "first_look")])?;
/// save_figure(&figure, &dir.path().join("steps.html"), Picture::default())?; // steps.png needs a browser
/// # Ok(())
/// # }
/// ```
pub fn save_figure(figure: &Drawn, path: &Path, size: Picture) -> Result<()> {
    let bytes = match ending(path).as_str() {
        "html" | "htm" => figure.to_html_page().into_bytes(),
        "json" => figure.to_json().as_bytes().to_vec(),
        form => picture(figure, form, size)?,
    };
    write_file(path, &mut |out| {
        out.write_all(&bytes)
            .map_err(|error| Error::new(ErrorKind::Exhausted, format!("cannot write the figure: {error}")))
    })
}

/// The bytes of a picture in this form, an ending without its point.
///
/// # Errors
/// As [`save_figure`].
pub fn picture(figure: &Drawn, form: &str, size: Picture) -> Result<Vec<u8>> {
    let form = if form == "jpg" { "jpeg" } else { form };
    if !PICTURES.contains(&form) {
        let known: Vec<String> = ["html", "json"].iter().chain(PICTURES).map(|ending| format!(".{ending}")).collect();
        return Err(Error::new(ErrorKind::Argument, format!("cannot write a figure as .{form}"))
            .with_hint(format!("the name of the file must end in one of {}", known.join(", "))));
    }
    let height = checked(size, figure.height())?;
    let name = format!("{}.{form}", figure.name());
    let browser = browser(&name)?;
    let folder = Folder::new().map_err(|error| {
        Error::new(ErrorKind::Exhausted, format!("cannot draw {name}: no folder for the browser")).with_source(error)
    })?;
    let page = to_picture_page(figure.to_json(), form, size.width, height, size.scale);
    let drawn = folder.draw(&browser, &page, form == "pdf");
    drawn.map_err(|why| {
        Error::new(ErrorKind::Unreachable, format!("cannot draw {name}: the browser drew nothing"))
            .with_context("browser", browser.display().to_string())
            .with_context("cause", why)
            .with_hint(format!("write a page, -o {}.html, or name another browser in {BROWSER}", figure.name()))
    })
}

/// The height to draw, if the size is one that browsers draw.
fn checked(size: Picture, own: u32) -> Result<u32> {
    let height = size.height.unwrap_or(own);
    let refused = |what: String| Err(Error::new(ErrorKind::Argument, format!("cannot draw a figure {what}")));
    if !(300..=8192).contains(&size.width) || !(100..=LARGEST).contains(&height) {
        return refused(format!(
            "of {} x {height} pixels: a width of 300 to 8192 and a height of 100 to {LARGEST}",
            size.width
        ));
    }
    if !(0.5..=8.0).contains(&size.scale) {
        return refused(format!("at a scale of {}: it is 0.5 to 8", size.scale));
    }
    if f64::from(size.width.max(height)) * size.scale > f64::from(LARGEST) {
        return refused(format!(
            "of {} x {height} pixels at a scale of {}: a side has at most {LARGEST}",
            size.width, size.scale
        ));
    }
    Ok(height)
}

/// The browser that the environment names, or the first on this machine.
fn browser(name: &str) -> Result<PathBuf> {
    let asked = env::var_os(BROWSER).filter(|path| !path.is_empty());
    let names = asked.as_ref().map_or_else(|| BROWSERS.iter().map(OsString::from).collect(), |path| vec![path.clone()]);
    names.iter().find_map(|name| found(Path::new(name))).ok_or_else(|| {
        let what = match &asked {
            Some(path) => format!("no browser {} ({BROWSER})", Path::new(path).display()),
            None => "there is no Chromium or Chrome".to_owned(),
        };
        Error::new(ErrorKind::NotFound, format!("cannot draw {name}: {what}")).with_hint(format!(
            "install one, as with `apt-get install chromium`, or name it in {BROWSER}; .html and .json need none"
        ))
    })
}

/// The file of a program, which may be a name on the path.
fn found(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    let path = env::var_os("PATH")?;
    let ending = env::consts::EXE_SUFFIX;
    env::split_paths(&path)
        .flat_map(|folder| [folder.join(program), folder.join(format!("{}{ending}", program.display()))])
        .find(|file| file.is_file())
}

/// A folder for one picture: the page, and what the browser keeps.
struct Folder(TempDir);

impl Folder {
    fn new() -> std::io::Result<Self> {
        Ok(Self(tempfile::Builder::new().prefix("tracelake-picture-").tempdir()?))
    }

    /// What the browser draws of this page; why not, in words.
    fn draw(&self, browser: &Path, page: &str, paper: bool) -> std::result::Result<Vec<u8>, String> {
        let file = self.0.path().join("page.html");
        fs::write(&file, page).map_err(|error| error.to_string())?;
        // Where processes may not be locked up, as in many containers, a browser wants to be told so. The page is ours.
        let mut why = String::new();
        for extra in [None, Some("--no-sandbox")] {
            match self.attempt(browser, &file, paper, extra) {
                Ok(bytes) => return Ok(bytes),
                Err(error) if why.is_empty() || !error.is_empty() => why = error,
                Err(_) => {}
            }
        }
        Err(why)
    }

    fn attempt(
        &self,
        browser: &Path,
        page: &Path,
        paper: bool,
        extra: Option<&str>,
    ) -> std::result::Result<Vec<u8>, String> {
        let printed = self.0.path().join("page.pdf");
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
        if paper {
            command.arg("--no-pdf-header-footer").arg(format!("--print-to-pdf={}", printed.display()));
        } else {
            command.arg("--dump-dom");
        }
        command.arg(format!("file://{}", page.display()));
        let said = output(command)?;
        if paper {
            return fs::read(&printed).map_err(|_| "it printed nothing".to_owned());
        }
        let between = |before: &str| {
            let (_, rest) = said.split_once(before)?;
            rest.split_once(';').map(|(text, _)| text.to_owned())
        };
        match between(PICTURE_HERE) {
            Some(text) => BASE64.decode(text).map_err(|error| format!("what it gave is no picture: {error}")),
            None => Err(between(PICTURE_FAILED).unwrap_or_else(|| "it ended without a word".to_owned())),
        }
    }
}

/// What a program says, which is ended when it takes too long.
fn output(mut command: Command) -> std::result::Result<String, String> {
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
            // A pipe that breaks has said what it said.
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    });
    let began = Instant::now();
    loop {
        if child.try_wait().map_err(|error| error.to_string())?.is_some() {
            break;
        }
        if began.elapsed() > PATIENCE {
            // It may have ended meanwhile.
            let _ = child.kill();
            let _ = child.wait();
            return Err(format!("it took more than {} s", PATIENCE.as_secs()));
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
        let size = |width, height, scale| checked(Picture { width, height, scale }, 400);
        assert_eq!(size(1200, None, 2.0).unwrap(), 400);
        assert_eq!(size(1200, Some(700), 1.0).unwrap(), 700);
        for wrong in [size(299, None, 1.0), size(9000, None, 1.0), size(600, Some(20), 1.0), size(600, None, f64::NAN)]
        {
            assert_eq!(wrong.unwrap_err().kind(), ErrorKind::Argument);
        }
        assert!(size(8192, None, 8.0).unwrap_err().message().contains("at a scale of 8"));
    }
}
