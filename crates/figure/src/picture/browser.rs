//! A headless Chromium that draws figures, one after the other. It is controlled over pipes (Chrome DevTools Protocol).

#![expect(clippy::disallowed_methods, reason = "the page for the browser is written here")]

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::output::{document, library};

/// Maximum time for one picture.
const TIMEOUT: Duration = Duration::from_mins(2);
/// Time to exit after the input is closed.
const EXIT_TIME: Duration = Duration::from_secs(5);
const FLAGS: [&str; 8] = [
    "--headless",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-sync",
    "--hide-scrollbars",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--remote-debugging-pipe",
];
/// The browser reads commands from file descriptor 3 and writes answers to 4. It exits when 3 is closed, also if this
/// process was killed. Then its folder is removed.
const SCRIPT: &str = "\"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1; rm -rf \"$0\"";

/// A running browser with a page that has plotly.js.
pub(super) struct Browser {
    shell: Option<Child>,
    folder: PathBuf,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    last_id: u64,
    session: Option<String>,
}

impl Browser {
    /// Starts a browser, or returns the reason why it does not work.
    pub(super) fn start(program: &Path) -> Result<Self, String> {
        // In many containers, the sandbox of a browser does not work. The page is our own, so it is safe without a sandbox.
        Self::start_with(program, None).or_else(|first| {
            Self::start_with(program, Some("--no-sandbox"))
                .map_err(|second| if second.is_empty() { first } else { second })
        })
    }

    fn start_with(program: &Path, flag: Option<&str>) -> Result<Self, String> {
        let folder =
            tempfile::Builder::new().prefix("tracelake-picture-").tempdir().map_err(|error| error.to_string())?;
        let page = folder.path().join("page.html");
        let html = document("tracelake", "body{margin:0}\nsvg{display:block}", library(), "");
        fs::write(&page, html).map_err(|error| error.to_string())?;
        let mut shell = Command::new("/bin/sh")
            .args(["-c", SCRIPT])
            .arg(folder.path())
            .arg(program)
            .args(FLAGS)
            .args(flag)
            .arg(format!("--user-data-dir={}", folder.path().join("user").display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // An interrupt of this process does not reach the browser.
            .process_group(0)
            .spawn()
            .map_err(|error| error.to_string())?;
        let (input, output) = (shell.stdin.take(), shell.stdout.take());
        let (sender, messages) = channel();
        thread::spawn(move || {
            // Messages end with a zero byte.
            for message in output.into_iter().flat_map(|output| BufReader::new(output).split(0)).map_while(Result::ok) {
                let Ok(message) = serde_json::from_slice(&message) else { continue };
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        // The shell removes the folder.
        let folder = folder.keep();
        let mut browser = Self { shell: Some(shell), folder, input, messages, last_id: 0, session: None };
        let target = browser.call("Target.createTarget", &json!({ "url": format!("file://{}", page.display()) }))?;
        let target = json!({ "targetId": target["targetId"], "flatten": true });
        browser.session = browser.call("Target.attachToTarget", &target)?["sessionId"].as_str().map(str::to_owned);
        // An evaluation fails if the page is loaded in the meantime.
        let is_loaded = "new Promise(done => document.readyState === 'complete' && window.Plotly ? done(true) \
                         : addEventListener('load', () => done(true)))";
        browser.evaluate(is_loaded).or_else(|_| browser.evaluate(is_loaded))?;
        Ok(browser)
    }

    /// Returns the value of a JavaScript expression, after its promise.
    pub(super) fn evaluate(&mut self, expression: &str) -> Result<Value, String> {
        let options = json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &options)?;
        match answer["exceptionDetails"]["exception"]["description"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Calls a method of the protocol.
    pub(super) fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        let start = Instant::now();
        self.last_id += 1;
        let mut message = json!({ "id": self.last_id, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let exit_error = |error: &dyn std::fmt::Display| format!("it exited: {error}");
        let input = self.input.as_mut().ok_or("it has no input")?;
        input.write_all(message.to_string().as_bytes()).map_err(|error| exit_error(&error))?;
        input.write_all(&[0]).and_then(|()| input.flush()).map_err(|error| exit_error(&error))?;
        loop {
            let time_left = TIMEOUT.saturating_sub(start.elapsed());
            let mut answer = self.messages.recv_timeout(time_left).map_err(|error| match error {
                RecvTimeoutError::Timeout => format!("it took longer than {} s", TIMEOUT.as_secs()),
                RecvTimeoutError::Disconnected => exit_error(&error),
            })?;
            if answer["id"] == self.last_id {
                return match answer["error"]["message"].as_str() {
                    Some(error) => Err(error.to_owned()),
                    None => Ok(answer["result"].take()),
                };
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Without its input, the browser exits.
        self.input = None;
        let Some(mut shell) = self.shell.take() else { return };
        let folder = std::mem::take(&mut self.folder);
        thread::spawn(move || {
            let start = Instant::now();
            while matches!(shell.try_wait(), Ok(None)) && start.elapsed() < EXIT_TIME {
                thread::sleep(Duration::from_millis(50));
            }
            if matches!(shell.try_wait(), Ok(None)) {
                // It does not react: kill its process group, which is that of the shell.
                let _ = Command::new("kill").args(["-9", "--", &format!("-{}", shell.id())]).status();
                let _ = shell.wait();
                let _ = fs::remove_dir_all(&folder);
            }
        });
    }
}
