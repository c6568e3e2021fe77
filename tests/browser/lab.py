"""JupyterLab in a headless Chromium, driven over its debugging protocol; both listen on loopback only."""

import base64
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import nbformat
import pytest
import websocket

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
PATIENCE = 300  # seconds: a guard against hanging, not a limit on speed
# every host name of a page is unresolvable, and the browser sends no background requests
OFFLINE = [
    "--disable-quic",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
# folder for screenshots, if any
KEEP = os.environ.get("TRACELAKE_SCREENSHOTS")
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

DISMISS = "document.querySelector('.jp-Dialog .jp-mod-accept')?.click()"
CURRENT = "[...jupyterapp.shell.widgets('main')].find(tab => tab.context)"
STATUS = f"{CURRENT}?.context?.sessionContext?.session?.kernel?.status"
RUN = "notebook:run-all-cells"
# render all cells, also those out of view; disable news and notices
SETTINGS = {
    "notebook-extension/tracker": {"windowingMode": "none"},
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
}
# folders of rustup and cargo below the home folder
RUST = {"RUSTUP_HOME": ".rustup", "CARGO_HOME": ".cargo"}
# plots with a size on the page
PLOTS = (
    "[...document.querySelectorAll('.js-plotly-plot')]"
    ".filter(plot => plot.querySelector('.main-svg')?.clientHeight > 100)"
)


def require_browser():
    """Fails in CI without a browser, and skips elsewhere."""
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium on this machine")
        pytest.skip("NOT TESTED: no Chromium on this machine")


def poll_until(ready, what):
    """Polls until the result is true; network errors count as false."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if answer := ready():
                return answer
        except OSError:
            pass
        assert time.monotonic() < deadline, f"guard against hanging: no {what} within {PATIENCE} s"
        time.sleep(0.2)


class Browser:
    """A headless Chromium with one page."""

    def __init__(self, folder: Path, *flags: str):
        self.processes: list[subprocess.Popen] = []
        self.events: list[dict] = []
        user = folder / "chromium"
        flags = [*FLAGS, *flags, "--remote-debugging-port=0", f"--user-data-dir={user}"]
        self._start([CHROMIUM, *flags, "about:blank"], folder / "chromium.log", dict(os.environ))
        port_file = user / "DevToolsActivePort"
        debug = poll_until(lambda: port_file.exists() and port_file.read_text().split("\n")[0], "Chromium")
        pages = json.load(urllib.request.urlopen(f"http://127.0.0.1:{debug}/json"))
        target = next(one for one in pages if one["type"] == "page")
        self.socket = websocket.create_connection(
            target["webSocketDebuggerUrl"], suppress_origin=True, timeout=PATIENCE
        )
        self.last = 0

    def _start(self, command, log, env):
        with log.open("wb") as out:
            self.processes.append(subprocess.Popen(command, env=env, stdout=out, stderr=subprocess.STDOUT))

    def call(self, method, **params):
        """Calls a method of the debugging protocol."""
        self.last += 1
        self.socket.send(json.dumps({"id": self.last, "method": method, "params": params}))
        while True:
            answer = json.loads(self.socket.recv())
            if "method" in answer:
                self.events.append(answer)
            if answer.get("id") == self.last:
                assert "error" not in answer, answer
                return answer["result"]

    def js(self, code):
        """Returns the value of an expression in the page; waits for promises."""
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_until(self, code, what):
        """Waits until an expression in the page is true, and returns its value."""
        return poll_until(lambda: self.js(code), what)

    def stop(self):
        """Stops the browser, and then its server."""
        self.socket.close()
        for process in self.processes:
            process.terminate()
            process.wait(60)


class Lab(Browser):
    """JupyterLab and a browser without network; tests put notebooks into `root` and open them one by one."""

    def __init__(self, folder: Path, env: dict[str, str], options: tuple[str, ...] = ()):
        super().__init__(folder, "--window-size=1400,1000", *OFFLINE)
        self.root = folder / "notebooks"
        self.root.mkdir()
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.token = secrets.token_hex(16)
        options = [
            *options,
            f"--port={port}",
            "--ip=127.0.0.1",
            f"--ServerApp.root_dir={self.root}",
            f"--IdentityProvider.token={self.token}",
            # the server also needs no network
            "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
            "--LabApp.news_url=None",
            "--LabApp.extension_manager=readonly",
        ]
        own = {f"JUPYTER_{name}_DIR": folder / name.lower() for name in ("CONFIG", "RUNTIME", "DATA")}
        for plugin, settings in SETTINGS.items():
            file = own["JUPYTER_CONFIG_DIR"] / "lab" / "user-settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(settings))
        # a Rust kernel starts the compiler, which is below the real home folder
        rust = {name: os.environ.get(name) or str(Path.home() / place) for name, place in RUST.items()}
        self._start(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser", *options],
            folder / "lab.log",
            {**os.environ, **rust, **{key: str(path) for key, path in own.items()}, **env, "HOME": str(folder)},
        )  # fmt: skip
        self.address = f"http://127.0.0.1:{port}"
        status_url = f"{self.address}/api?token={self.token}"
        poll_until(lambda: urllib.request.urlopen(status_url).status == 200, "JupyterLab")  # noqa: S310
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def open(self, name: str):
        """Opens a notebook, a path below `root`, and waits for its kernel."""
        self.events.clear()
        self.call("Page.navigate", url=f"{self.address}/lab/tree/{name}?reset&token={self.token}")
        self.wait_until(f"!!window.jupyterapp && {CURRENT}?.context?.path === '{name}'", f"the notebook {name}")
        self.js(f"jupyterapp.shell.activateById({CURRENT}.id)")
        self.wait_until("document.querySelector('.jp-CodeCell') && true", "its cells")
        self.wait_until(f"{DISMISS}, {STATUS} === 'idle'", "the kernel")

    def show(self, name: str, *cells: str):
        """Writes a notebook of these cells, opens it and runs all of them."""
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
        nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), self.root / name)
        self.open(name)
        self.run(wait=False)

    def run(self, *, wait: bool = True):
        """Runs all cells, and optionally waits for the end of the last one."""
        self.js(f"window.ran = false, jupyterapp.commands.execute('{RUN}').then(() => window.ran = true), true")
        if wait:
            self.wait_until("window.ran", "the cells")

    def saved(self) -> nbformat.NotebookNode:
        """Saves the open notebook, and returns it with the outputs of its cells."""
        path = self.js(f"{CURRENT}.context.save().then(() => {CURRENT}.context.path)")
        return nbformat.read(self.root / path, as_version=4)

    def stop_kernel(self):
        """Stops the kernel, so that it does not slow down the next notebook."""
        self.js(f"{CURRENT}.context.sessionContext.shutdown().then(() => true)")

    def save_screenshot(self, name: str):
        """Saves a screenshot of the page if `TRACELAKE_SCREENSHOTS` is set."""
        if KEEP:
            Path(KEEP).mkdir(parents=True, exist_ok=True)
            shot = self.call("Page.captureScreenshot")
            (Path(KEEP) / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))
