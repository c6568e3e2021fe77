"""A real Jupyter kernel, and what a page would show: each output under its id, with all the states that it had."""

import os
import queue
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

from hang_guard import HANG_GUARD_S

PACKAGE = Path(__file__).parents[2] / "python"
PLOTLY = "application/vnd.plotly.v1+json"


class Cell:
    """A cell that was sent to the kernel."""

    def __init__(self, kernel, code):
        self.kernel = kernel
        self.request = kernel.client.execute(code)
        self.displays: list[str] = []
        """Ids of the outputs below it, in their order."""
        self.text = ""
        self.error = ""
        self.over = False

    def until(self, true, seconds=HANG_GUARD_S):
        """Takes messages of the kernel until something is true of the cell."""
        deadline = time.monotonic() + seconds
        while not true(self):
            state = f"{self.text}\n{self.error}\noutputs: {self.displays}"
            assert time.monotonic() < deadline, f"guard against hanging: the wait took {seconds} s\n{state}"
            try:
                message = self.kernel.client.get_iopub_msg(timeout=0.2)
            except queue.Empty:
                continue
            if message["parent_header"].get("msg_id") == self.request:
                self._take(message["msg_type"], message["content"])
        return self

    def done(self, seconds=HANG_GUARD_S):
        """Waits for its end."""
        return self.until(lambda cell: cell.over, seconds)

    def _take(self, kind, content):
        if kind in {"display_data", "update_display_data"}:
            name = content["transient"]["display_id"]
            states = self.kernel.outputs.setdefault(name, [])
            # A page ignores an update of an output that it does not have.
            assert (kind == "update_display_data") == bool(states), (kind, name)
            states.append(content["data"])
            if kind == "display_data":
                self.displays.append(name)
        elif kind == "stream":
            self.text += content["text"]
        elif kind == "execute_result":
            self.text += content["data"]["text/plain"]
        elif kind == "error":
            self.error = content["ename"]
        elif kind == "status":
            self.over = content["execution_state"] == "idle"


class Kernel:
    """A kernel of this Python, in which the package of this clone is imported."""

    def __init__(self, home: Path):
        env = {**os.environ, "PYTHONPATH": os.fspath(PACKAGE), "TRACELAKE_HOME": os.fspath(home)}
        self.manager, self.client = start_new_kernel(startup_timeout=HANG_GUARD_S, kernel_name="python3", env=env)
        self.outputs: dict[str, list[dict]] = {}
        """By id the states that an output had, each by MIME type."""

    def run(self, code):
        """Sends a cell, and does not wait for it."""
        return Cell(self, code)

    def interrupt(self):
        """What the button with the square does."""
        self.manager.interrupt_kernel()

    def stop(self):
        """Ends the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
