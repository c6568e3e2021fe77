"""A real Jupyter kernel, and the outputs of a page: each output under its id, with all its states."""

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
        """Ids of the outputs of the cell, in order."""
        self.text = ""
        self.error = ""
        self.over = False

    def wait_until(self, true, seconds=HANG_GUARD_S):
        """Processes messages of the kernel until a condition of the cell is true."""
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

    def wait(self, seconds=HANG_GUARD_S):
        """Waits for the end of the cell."""
        return self.wait_until(lambda cell: cell.over, seconds)

    def _take(self, kind, content):
        if kind in {"display_data", "update_display_data"}:
            name = content["transient"]["display_id"]
            states = self.kernel.outputs.setdefault(name, [])
            # a page ignores updates of unknown outputs
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
    """A kernel of this Python that imports the package of this clone."""

    def __init__(self, home: Path):
        env = {**os.environ, "PYTHONPATH": os.fspath(PACKAGE), "TRACELAKE_HOME": os.fspath(home)}
        self.manager, self.client = start_new_kernel(startup_timeout=HANG_GUARD_S, kernel_name="python3", env=env)
        self.outputs: dict[str, list[dict]] = {}
        """The states of each output by id, each by MIME type."""

    def run(self, code):
        """Sends a cell without waiting for it."""
        return Cell(self, code)

    def interrupt(self):
        """Interrupts the kernel, like the stop button."""
        self.manager.interrupt_kernel()

    def stop(self):
        """Stops the kernel."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
