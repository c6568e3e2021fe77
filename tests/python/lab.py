"""JupyterLab in a headless Chromium, driven over its debugging protocol; both listen on loopback only."""

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

import websocket

CHROMIUM = next(filter(None, map(shutil.which, ["chromium", "chromium-browser", "google-chrome"])), None)
PATIENCE = 300  # seconds that anything may take on a busy machine
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"]

DISMISS = "document.querySelector('.jp-Dialog .jp-mod-accept')?.click()"
STATUS = "[...jupyterapp.shell.widgets('main')].map(tab => tab.context?.sessionContext?.session?.kernel?.status).join()"


def wait(ready, what):
    """Asks until the answer is true; errors of the network mean no."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            if answer := ready():
                return answer
        except OSError:
            pass
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.2)


class Browser:
    """A headless Chromium with one page."""

    def __init__(self, folder: Path, *flags: str):
        self.processes: list[subprocess.Popen] = []
        self.events: list[dict] = []
        user = folder / "chromium"
        flags = [*FLAGS, *flags, "--remote-debugging-port=0", f"--user-data-dir={user}"]
        self._start([CHROMIUM, *flags, "about:blank"], folder / "chromium.log", dict(os.environ))
        there = user / "DevToolsActivePort"
        debug = wait(lambda: there.exists() and there.read_text().split("\n")[0], "Chromium")
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
        """The value of an expression in the page; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, code, what):
        """Waits until an expression in the page is true; its value."""
        return wait(lambda: self.js(code), what)

    def stop(self):
        """Ends the browser, and then what it looks at."""
        for process in self.processes:
            process.terminate()
            process.wait(60)


class Lab(Browser):
    """A notebook that is open in JupyterLab, and whose cells are run."""

    def __init__(self, folder: Path, notebook: dict, env: dict[str, str]):
        super().__init__(folder, "--window-size=1400,1000")
        root = folder / "notebooks"
        root.mkdir()
        (root / "live.ipynb").write_text(json.dumps(notebook))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        token = secrets.token_hex(16)
        options = [
            f"--port={port}",
            "--ip=127.0.0.1",
            f"--ServerApp.root_dir={root}",
            f"--IdentityProvider.token={token}",
        ]
        own = {f"JUPYTER_{name}_DIR": str(folder / name.lower()) for name in ("CONFIG", "RUNTIME", "DATA")}
        self._start(
            [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--expose-app-in-browser", *options],
            folder / "lab.log", {**os.environ, **own, **env, "HOME": str(folder)},
        )  # fmt: skip
        address = f"http://127.0.0.1:{port}"
        wait(lambda: urllib.request.urlopen(f"{address}/api?token={token}").status == 200, "JupyterLab")  # noqa: S310
        self.call("Page.navigate", url=f"{address}/lab/tree/live.ipynb?token={token}")
        self.until("!!window.jupyterapp && document.querySelector('.jp-CodeCell') && true", "the notebook")
        self.until(f"{DISMISS}, {STATUS} === 'idle'", "the kernel")
        self.js("jupyterapp.commands.execute('notebook:run-all-cells'), true")
