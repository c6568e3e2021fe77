"""Samples the machine during training: processors, memory, disks, network and GPUs."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.record import clock
from tracelake.record.hardware.gpu import Gpus

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tracelake.record.output.recording import Recording

MetricRow = tuple[str, str | None, str, float, str]
"""Resource, device, metric, value, unit."""

_PROC = Path("/proc")
_SECTOR = 512


class Machine:
    """A thread that samples the machine and the processes of the training.

    Rates cover the time since the previous sample; the first sample has no rates. On Linux, values come from `/proc`;
    elsewhere from psutil, if it is installed. GPU values come from NVML, if `nvidia-ml-py` is installed.

    Example:
        >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
        ...     tl.record.Machine(rows, 60.0).start().stop()
    """

    def __init__(self, recording: Recording, every: float = 1.0, pid: int | None = None) -> None:
        self._recording = recording
        self._every = every
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self._source = open_source(pid or os.getpid())
        self._gpus = Gpus()

    def start(self) -> Machine:
        """Starts the sampling and returns the machine itself.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     machine = tl.record.Machine(rows).start()
            ...     machine.stop()
        """
        self._thread = threading.Thread(target=self._run, name="tracelake-machine", daemon=True)
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stops the sampling.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     tl.record.Machine(rows).stop()
        """
        self._stopped.set()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=2 * self._every + 1)

    def _run(self) -> None:
        before = clock.now()
        self._record_devices()
        if self._source is not None:
            list(self._source.rows(0.0))
        while not self._stopped.wait(self._every):
            now = clock.now()
            seconds, before = (now - before) / 1e9, now
            metrics = list(self._gpus.rows())
            if self._source is not None:
                metrics += self._source.rows(seconds)
            for resource, device, metric, value, unit in metrics:
                row = {"resource": resource, "device": device, "metric": metric, "value": round(value, 3), "unit": unit}
                self._recording.row("sample", ts=clock.unix(now), **row)

    def _record_devices(self) -> None:
        for device in self._gpus.devices():
            self._recording.row("device", type="gpu", **device)
        memory = read_bytes("meminfo", "MemTotal")
        self._recording.row("device", type="cpu", device="cpu", cores=os.cpu_count(), memory_bytes=memory)


def open_source(pid: int) -> Proc | Psutil | None:
    """Returns the source of metrics on this system; `None` without `/proc` and psutil.

    Example:
        >>> tl.record.hardware.machine.open_source(os.getpid()) is not None
        True
    """
    if (_PROC / "stat").exists():
        return Proc(pid)
    try:
        import psutil  # noqa: PLC0415 - optional
    except ImportError:
        return None
    return Psutil(psutil, pid)


def _read_lines(name: str) -> list[list[str]]:
    """Returns the words of each line of a file below `/proc`; an empty list if the file does not exist."""
    try:
        return [line.replace(":", " ").split() for line in (_PROC / name).read_text().splitlines()]
    except OSError:
        return []


def read_bytes(name: str, key: str) -> int | None:
    """Returns the value of the line `<key>:  123 kB` of a file below `/proc`, in bytes; `None` if it does not exist.

    Example:
        >>> tl.record.hardware.machine.read_bytes("no_such_file", "MemTotal") is None
        True
    """
    return next((int(line[1]) * 1024 for line in _read_lines(name) if line[0] == key), None)


class Proc:
    """Reads the metrics of the machine from Linux's `/proc`.

    Example:
        >>> source = tl.record.hardware.machine.Proc(os.getpid())
        >>> {row[0] for row in source.rows(0.0)} <= {"memory"}
        True
    """

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._before: dict[str, list[int]] = {}

    def rows(self, seconds: float) -> Iterator[MetricRow]:
        """Yields the current metrics; rates are since the previous call.

        Example:
            >>> source = tl.record.hardware.machine.Proc(os.getpid())
            >>> _ = list(source.rows(0.0))
            >>> "memory" in {row[0] for row in source.rows(1.0)}
            True
        """
        yield from self._cores()
        yield from self._memory()
        yield from self._rates("io", self._disks(), seconds, ("operations", "read", "write"))
        yield from self._rates("network", self._network(), seconds, ("receive", "transmit"))

    def _increase(self, key: str, current: list[int]) -> list[int] | None:
        previous = self._before.get(key)
        self._before[key] = current
        return None if previous is None else [max(new - old, 0) for new, old in zip(current, previous, strict=True)]

    def _cores(self) -> Iterator[MetricRow]:
        cores = [line for line in _read_lines("stat") if line[0].startswith("cpu") and line[0] != "cpu"]
        for core, *times in cores:
            # The last two of the ten numbers are guest times, which user times already include.
            increases = self._increase(core, [int(n) for n in times[:8]])
            if increases and (total := sum(increases)) > 0:
                idle, waiting = increases[3], increases[4]
                yield "cpu", core, "utilization", 100 * (total - idle - waiting) / total, "percent"
                yield "cpu", core, "iowait", 100 * waiting / total, "percent"

    def _memory(self) -> Iterator[MetricRow]:
        total, available = (read_bytes("meminfo", key) for key in ("MemTotal", "MemAvailable"))
        if total is not None and available is not None:
            yield "memory", None, "used", 100 * (1 - available / total), "percent"
        for pid in self._processes(self._pid):
            size = read_bytes(f"{pid}/status", "VmRSS")
            if size is not None:
                yield "memory", f"pid{pid}", "rss", size, "bytes"

    def _processes(self, pid: int) -> Iterator[int]:
        """Yields a process and all its descendants."""
        yield pid
        for task in (_PROC / str(pid)).glob("task/*/children"):
            try:
                children = [int(child) for child in task.read_text().split()]
            except OSError:
                continue
            for child in children:
                yield from self._processes(child)

    def _disks(self) -> list[int]:
        devices = [line for line in _read_lines("diskstats") if Path("/sys/block", line[2]).exists()]
        disks = [line for line in devices if not line[2].startswith(("loop", "ram", "dm-", "md"))]
        sums = [sum(int(line[column]) for line in disks) for column in (3, 7, 5, 9)]
        return [sums[0] + sums[1], sums[2] * _SECTOR, sums[3] * _SECTOR]

    def _network(self) -> list[int]:
        interfaces = [line for line in _read_lines("net/dev")[2:] if line[0] != "lo"]
        return [sum(int(line[1]) for line in interfaces), sum(int(line[9]) for line in interfaces)]

    def _rates(
        self, resource: str, current: list[int], seconds: float, metrics: tuple[str, ...]
    ) -> Iterator[MetricRow]:
        increases = self._increase(resource, current)
        if increases is not None and seconds > 0:
            for metric, value in zip(metrics, increases, strict=True):
                yield resource, None, metric, value / seconds, "per_s" if metric == "operations" else "bytes_per_s"


class Psutil:
    """Reads processors, memory, and the processes of the training from psutil, on systems without `/proc`."""

    def __init__(self, psutil: Any, pid: int) -> None:  # noqa: ANN401 - a module without types
        self._psutil = psutil
        self._process: Callable[[], Any] = lambda: psutil.Process(pid)

    def rows(self, seconds: float) -> Iterator[MetricRow]:
        """Yields the current metrics; utilization is since the previous call."""
        used = self._psutil.cpu_percent(percpu=True)
        for number, value in enumerate(used if seconds > 0 else []):
            yield "cpu", f"cpu{number}", "utilization", value, "percent"
        yield "memory", None, "used", self._psutil.virtual_memory().percent, "percent"
        try:
            process = self._process()
            for one in [process, *process.children(recursive=True)]:
                yield "memory", f"pid{one.pid}", "rss", one.memory_info().rss, "bytes"
        except self._psutil.Error:
            return
