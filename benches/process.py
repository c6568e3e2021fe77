"""Runs a process and measures wall time, processor time and peak memory; describes the machine.

On Linux the peak memory of a process includes that of the process that started it. A script that measures peaks must
therefore stay small, and use pandas and the like only in child processes.
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

# `ru_maxrss` is in KiB on Linux and in bytes on macOS.
RSS_UNIT = 1 if platform.system() == "Darwin" else 1024


@dataclass(frozen=True)
class Process:
    """The time of a process in seconds, its peak memory in MB, and its standard output."""

    seconds: float
    cpu: float
    peak: float
    text: str

    def json(self) -> dict[str, Any]:
        """The last line of the output, parsed as JSON. Earlier lines may be warnings."""
        return json.loads(self.text.strip().splitlines()[-1])


def run(
    command: list[str],
    request: object = None,
    cores: int | None = None,
    accepted: tuple[int, ...] = (0,),
    **environment: str,
) -> Process:
    """Runs a process on this many cores, with `request` as JSON on its standard input. Exits on an unexpected code."""
    with tempfile.TemporaryFile("w+") as file:
        json.dump(request, file)
        file.seek(0)
        all_cores = allowed_cores()
        start = time.perf_counter()
        limit_to(all_cores[:cores])  # the child inherits the limit
        child = subprocess.Popen(
            command, stdin=file, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment}
        )
        limit_to(all_cores)
        text = child.stdout.read() if child.stdout else ""
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    if child.returncode not in accepted:
        sys.exit(f"{' '.join(command)} ended with {child.returncode}\n{text}")
    return Process(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * RSS_UNIT / 1e6, text)


def allowed_cores() -> list[int]:
    """The cores that this process may use; empty on macOS, which has no such call."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def limit_to(cores: list[int]) -> None:
    """Limits this process and its children to these cores."""
    if cores:
        os.sched_setaffinity(0, set(cores))


def medians(runs: Iterable[Process]) -> Process:
    """The medians of each figure over several runs of one command, with the output of the last run."""
    runs = list(runs)
    seconds, cpu, peak = (median(getattr(one, figure) for one in runs) for figure in ("seconds", "cpu", "peak"))
    return Process(seconds, cpu, peak, runs[-1].text)


def machine() -> str:
    """Describes the machine: processor, cores, system and version of Python."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "?")
    system = f"{platform.system()} {platform.machine()}"
    return f"{model}, {os.cpu_count()} cores, {system}, Python {platform.python_version()}"
