"""A trial of a loader: times a number of batches, with or without a step."""

from __future__ import annotations

import gc
import os
import tracemalloc
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from tracelake.record import clock
from tracelake.record.hardware.machine import open_source
from tracelake.record.loader.batch import batch_size
from tracelake.record.loader.times import time_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tracelake.record.output.recording import Recording
    from tracelake.record.tuning.setting import Setting

WARMUP = 3
"""Batches before the timing starts, if the data has enough (the tutorial's number)."""
GROWTH_HIGH = 1 << 20
"""Bytes per batch above which memory grows."""


@dataclass(frozen=True)
class Trial:
    """The measurements of one pass over a loader; times in seconds, memory in bytes.

    The other numbers exclude start-up, warm-up and the shutdown of the workers.
    """

    setting: Setting
    startup_s: float | None
    """Time to make the iterator, which starts the workers, and to get the first batch; `None` without a batch."""
    warmup: int
    """Number of batches before the timed batches."""
    batches: int
    """Number of timed batches."""
    samples: int | None
    """Samples in the timed batches; `None` if the size of a batch is not known."""
    seconds: float
    """Time of the timed batches: waiting and, with a step, compute time."""
    load_s: float
    """The part of `seconds` that was waiting."""
    resident_bytes: int | None
    """Resident memory of this process and its descendants at the end, shared pages in each; `None` if not known."""

    @property
    def batches_per_s(self) -> float | None:
        """Batches per second; `None` without a timed batch."""
        return self.batches / self.seconds if self.batches and self.seconds > 0 else None

    @property
    def samples_per_s(self) -> float | None:
        """Samples per second; `None` without a timed batch, or if the size of a batch is not known."""
        known = self.batches and self.samples is not None and self.seconds > 0
        return (self.samples or 0) / self.seconds if known else None

    @property
    def first_batch_factor(self) -> float | None:
        """Time of the first batch, with the start-up of the workers, divided by the mean time of a batch."""
        if self.startup_s is None or not self.batches or self.seconds <= 0:
            return None
        return self.startup_s / (self.seconds / self.batches)

    def row(self) -> dict[str, Any]:
        """Returns the numbers with the column names of the table that `diagnose_dataloader` prints.

        Example:
            >>> from tracelake.record.tuning.trial import run_trial
            >>> row = run_trial([[1, 2]] * 10, tl.record.Setting(batch_size=2)).row()
            >>> row["workers"], row["batches"], row["samples"]
            (0, 7, 14)
        """
        settings = ("batch_size", "prefetch_factor", "pin_memory", "persistent_workers")
        numbers = ("batches", "samples", "startup_s", "seconds", "batches_per_s", "samples_per_s")
        return {
            "workers": self.setting.num_workers,
            **{name: getattr(self.setting, name) for name in settings},
            **{name: getattr(self, name) for name in numbers},
        }


class TimedBatch(NamedTuple):
    """The times of one batch, on the clock of recorders, in ns."""

    wait_start: int
    wait_end: int
    """The end of the wait, where the step starts."""
    end: int
    """The end of the step."""
    size: int | None
    """Number of samples; `None` if not known."""


def run_trial(  # noqa: PLR0913 - all but two are options
    loader: Iterable[Any],
    setting: Setting,
    *,
    batches: int = 20,
    step: Callable[[Any], object] | None = None,
    recording: Recording | None = None,
    name: str = "trial",
    number: int = 0,
) -> Trial:
    """Times at most `batches` batches of one pass, after a warm-up in which each worker yields one batch.

    With few batches, a third of them is warm-up. The rows are written to the recording after the pass.

    Example:
        >>> from tracelake.record.tuning.trial import run_trial
        >>> run_trial([[1, 2]] * 5, tl.record.Setting()).batches
        4
    """
    warmup = max(WARMUP, setting.num_workers)
    with suppress(TypeError):  # a loader without a length counts as long
        warmup = max(1, min(warmup, len(loader) // 3))  # type: ignore[arg-type] - the same
    gc.collect()
    rows: list[TimedBatch] = []
    start = clock.now()
    iterator = iter(loader)
    created = clock.now()
    for batch, wait_start, wait_end in islice(time_batches(iterator), warmup + batches):
        size = batch_size(batch, setting.batch_size)
        if step is not None:
            step(batch)
        rows.append(TimedBatch(wait_start, wait_end, clock.now(), size))
    memory = resident_memory()
    timed = rows[warmup:]
    sizes = [row.size for row in timed]
    result = Trial(
        setting=setting,
        startup_s=(rows[0].wait_end - start) / 1e9 if rows else None,
        warmup=min(warmup, len(rows)),
        batches=len(timed),
        samples=None if None in sizes else sum(size or 0 for size in sizes),
        # from the end of the previous batch to the end of the last batch: the workers still run
        seconds=(timed[-1].end - rows[warmup - 1].end) / 1e9 if timed else 0.0,
        load_s=sum(row.wait_end - row.wait_start for row in timed) / 1e9,
        resident_bytes=memory,
    )
    if setting.persistent_workers:
        # drain the prefetched batches of persistent workers, so that the next pass does not wait for them
        ahead = setting.num_workers * (setting.prefetch_factor or 2) + 1
        for _ in islice(iterator, ahead):
            pass
    del iterator
    if recording is not None:
        recording.row("loader", loader=name, **vars(setting))
        location: dict[str, Any] = {"loader": name, "epoch": number}
        recording.row("init", ts=clock.unix(start), dur=created - start, **location)
        for batch, row in enumerate(rows):
            wait, compute = row.wait_end - row.wait_start, row.end - row.wait_end
            times = {"ts": clock.unix(row.wait_start), "dur": wait, "compute_dur": compute}
            recording.row("next", **times, batch=batch, batch_size=row.size, **location)
        end = rows[-1].end if rows else created
        recording.row("pass", ts=clock.unix(start), dur=end - start, batches=len(rows), **location)
    return result


@dataclass(frozen=True)
class Growth:
    """Memory growth from the first to the last batch of a pass."""

    batches: int
    traced_bytes: int
    """Python's own allocations in the training process, by tracemalloc, without workers and storage of tensors."""
    resident_bytes: int | None
    """Resident memory of the training process and its workers; `None` if not known."""


def measure_growth(loader: Iterable[Any], batches: int = 20) -> Growth | None:
    """Measures the memory growth over a pass, without timing, since tracemalloc is slow; `None` without two batches.

    Example:
        >>> from tracelake.record.tuning.trial import measure_growth
        >>> measure_growth([[1, 2]] * 5).batches
        4
    """
    running = tracemalloc.is_tracing()
    gc.collect()
    if not running:
        tracemalloc.start()
    try:
        iterator = iter(loader)
        if next(iterator, None) is None:
            return None
        before, resident_before = tracemalloc.get_traced_memory()[0], resident_memory()
        count = sum(1 for _ in islice(iterator, batches))
        gc.collect()
        traced, after = tracemalloc.get_traced_memory()[0] - before, resident_memory()
    finally:
        if not running:
            tracemalloc.stop()
    if count == 0:
        return None
    known = resident_before is not None and after is not None
    return Growth(count, traced, (after or 0) - (resident_before or 0) if known else None)


def resident_memory() -> int | None:
    """Returns the resident memory of this process and its descendants in bytes; `None` without `/proc` and psutil.

    Example:
        >>> from tracelake.record.tuning.trial import resident_memory
        >>> size = resident_memory()
        >>> size is None or size > 1_000_000
        True
    """
    source = open_source(os.getpid())
    rows = () if source is None else source.rows(0.0)
    sizes = [value for _, _, metric, value, _ in rows if metric == "rss"]
    return int(sum(sizes)) if sizes else None
