"""Runs a process and says what it took: wall time, processor time, peak memory, output. And on what machine.

Linux counts the memory of whoever starts a process into the peak of that process: a script that measures peaks stays
small, and leaves pandas and the like to its children.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

# `ru_maxrss` is in KiB on Linux, in bytes on macOS
RSS_UNIT = 1 if platform.system() == "Darwin" else 1024


@dataclass(frozen=True)
class Process:
    """What a process took in seconds and MB, and what it wrote to its standard output."""

    seconds: float
    cpu: float
    peak: float
    text: str

    def said(self) -> dict[str, Any]:
        """Its last line as JSON; programs may warn before."""
        return json.loads(self.text.strip().splitlines()[-1])


def run(
    command: list[str],
    given: object = None,
    cores: int | None = None,
    accepted: tuple[int, ...] = (0,),
    **environment: str,
) -> Process:
    """Runs a process on so many cores, with JSON on its standard input. Exits if the exit code is not accepted."""
    with tempfile.TemporaryFile("w+") as file:
        json.dump(given, file)
        file.seek(0)
        everywhere = allowed()
        begun = time.perf_counter()
        limit(everywhere[:cores])  # the child inherits it
        child = subprocess.Popen(
            command, stdin=file, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        limit(everywhere)
        text = child.stdout.read() if child.stdout else ""
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - begun
    if child.returncode not in accepted:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}\n{text}")
    return Process(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT / 1e6, text)


def allowed() -> list[int]:
    """The cores that this process may run on; none on macOS, which does not tell."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def limit(cores: list[int]) -> None:
    """Keeps this process, and those that it starts, on these cores."""
    if cores:
        os.sched_setaffinity(0, set(cores))


def middle(runs: Iterable[Process]) -> Process:
    """Medians of each figure over several runs of one command."""
    every = list(runs)
    seconds, cpu, peak = (median(getattr(one, of) for one in every) for of in ("seconds", "cpu", "peak"))
    return Process(seconds, cpu, peak, every[-1].text)


def machine() -> str:
    """What the figures were measured on."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
    system = f"{platform.system()} {platform.machine()}"
    return f"{model}, {os.cpu_count()} cores, {system}, Python {platform.python_version()}"
