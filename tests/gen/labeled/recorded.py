"""Small loops that sleep, recorded by `tracelake.record`; their times differ from run to run."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from labeled.case import MS, Planted, S, Source
from labeled.machine import Machine, machine

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Iterator
    from pathlib import Path


@dataclass(frozen=True)
class Loop:
    """A loop, with times in ms; 0 means no sleep, because even the shortest sleep is long on a busy machine."""

    steps: int = 40
    load: float = 0
    first: float | None = None
    compute: float = 25
    host: float = 0  # between the steps
    workers: int = 0
    checkpoint: float = 0  # every 8 steps
    evals: int = 0
    slow_item: int | None = None  # the item that takes 1.2 s
    leak: int = 0  # bytes that each step keeps
    error: str = ""  # what the loader raises behind its last batch


class Loader:
    """Batches with delays, and the attributes of PyTorch's loader.

    A pass takes `lasted`. The loader measures `waited` inside of itself, and the loop measures `request_time` outside
    of the recorder. On a busy machine, a recorded value lies between the two.
    """

    batch_size, pin_memory, persistent_workers = 8, True, False

    def __init__(self, loop: Loop) -> None:
        """Creates a loader for `loop`."""
        self.loop, self.num_workers = loop, loop.workers
        self.waited = self.request_time = self.lasted = 0.0

    def __len__(self) -> int:
        """Returns the number of batches."""
        return self.loop.steps

    def __iter__(self) -> Iterator[int]:
        """Yields the batches."""
        began = time.perf_counter()
        for n in range(self.loop.steps):
            request_time = time.perf_counter()
            first = self.loop.first if n == 0 and self.loop.first is not None else self.loop.load
            sleep(1200 if n == self.loop.slow_item else first)
            self.waited += time.perf_counter() - request_time
            yield n
        self.lasted = time.perf_counter() - began
        if self.loop.error:
            raise RuntimeError(self.loop.error)


def sleep(ms: float) -> None:
    """Sleeps if the time is above 0."""
    if ms:
        time.sleep(ms / 1e3)


def recorded(loop: Loop) -> Source:
    """Records a loop; returns the share of its waits by an independent clock."""

    def write(folder: Path, _chance: random.Random) -> Planted:
        from tracelake.record import Recorder  # noqa: PLC0415 - only these cases need the package

        loader = Loader(loop)
        try:
            with Recorder(folder, machine=0.02 if loop.leak else None, attributes={"batch_size": 8}) as recorder:
                train(loop, loader, recorder)
                for n in range(loop.evals):
                    with recorder.step(n, mode="eval"):
                        sleep(loop.compute)
        except RuntimeError as error:
            if str(error) != loop.error:
                raise
        if loop.evals:
            return {}
        return {"load": loader.waited / loader.lasted, "load_most": loader.request_time / loader.lasted}

    return write


def timed(batches: Iterable[int], loader: Loader) -> Iterator[int]:
    """Yields the batches from the recorder, and measures the time of each request."""
    iterator = iter(batches)
    while True:
        began = time.perf_counter()
        n = next(iterator, None)
        if n is None:
            return
        loader.request_time += time.perf_counter() - began
        yield n


def train(loop: Loop, loader: Loader, recorder: Any) -> None:
    """Iterates over the loader."""
    batches: list[bytes] = []
    for n in timed(recorder.loader(loader, name="train"), loader):
        with recorder.step():
            sleep(loop.compute)
        batches.append(b"x" * loop.leak)
        sleep(loop.host)
        if loop.checkpoint and n % 8 == 7:
            with recorder.annotation("checkpoint", path="last.pt"):
                sleep(loop.checkpoint)
        if n == loop.slow_item:
            item = {"item": 8 * n, "worker": 0}
            recorder.recording.row("item", loader="train", ts=time.time_ns(), dur=1200 * MS, **item)
            recorder.recording.incident("slow_item", f"item {8 * n} took 1.2 s", **item)


def machine_source(m: Machine, name: str = "recorder") -> Source:
    """Returns the samples of the machine during a recording of the same case."""

    def write(folder: Path, chance: random.Random) -> Planted:
        lines = [
            json.loads(line)
            for file in (folder.parent / name).glob("*.jsonl")
            for line in file.read_text().splitlines()
        ]
        times = [(line["ts"], line["ts"] + line.get("dur", 0)) for line in lines if "ts" in line]
        start, end = min(ts for ts, _ in times), max(till for _, till in times)
        return machine(replace(m, start=start - S // 2, seconds=(end - start) / S, every=0.02))(folder, chance)

    return write
