"""Running statistics of durations, in constant memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from tracelake.record import clock

if TYPE_CHECKING:
    from collections.abc import Iterator

Batch = TypeVar("Batch")

LOAD_HIGH = 0.3
"""Share of loading above which loading is a bottleneck (the tutorial's limit)."""


def time_batches(batches: Iterator[Batch]) -> Iterator[tuple[Batch, int, int]]:
    """Yields each batch with the times before and after the wait for it, on the clock of recorders, in ns.

    Example:
        >>> from tracelake.record.loader.times import time_batches
        >>> [(batch, asked <= got) for batch, asked, got in time_batches(iter([[1, 2], [3]]))]
        [([1, 2], True), ([3], True)]
    """
    while True:
        wait_start = clock.now()
        try:
            batch = next(batches)
        except StopIteration:
            return
        yield batch, wait_start, clock.now()


@dataclass
class Times:
    """Durations in seconds: their number, sum, mean, standard deviation and extremes.

    Example:
        >>> times = tl.record.Times()
        >>> for seconds in (1.0, 2.0, 3.0):
        ...     times.add(seconds)
        >>> times.count, times.total_time, times.mean_time, times.std_time, times.max_time
        (3, 6.0, 2.0, 1.0, 3.0)
    """

    count: int = 0
    total_time: float = 0.0
    min_time: float | None = None
    max_time: float | None = None
    first_time: float | None = None
    _mean: float = field(default=0.0, repr=False)
    _squares: float = field(default=0.0, repr=False)

    def add(self, seconds: float) -> None:
        """Adds a duration (Welford's method).

        Example:
            >>> times = tl.record.Times()
            >>> times.add(0.5)
            >>> times.total_time
            0.5
        """
        if self.first_time is None:
            self.first_time = seconds
        self.min_time = seconds if self.min_time is None else min(self.min_time, seconds)
        self.max_time = seconds if self.max_time is None else max(self.max_time, seconds)
        self.count += 1
        self.total_time += seconds
        difference = seconds - self._mean
        self._mean += difference / self.count
        self._squares += difference * (seconds - self._mean)

    @property
    def mean_time(self) -> float | None:
        """The mean; `None` without values."""
        return self.total_time / self.count if self.count else None

    @property
    def std_time(self) -> float | None:
        """The sample standard deviation (divisor n - 1); `None` for fewer than two values."""
        return math.sqrt(self._squares / (self.count - 1)) if self.count > 1 else None


@dataclass(eq=False)
class Epoch:
    """Times of one pass over a loader: waiting for batches, compute time, and their sum.

    A batch without compute time, such as the last batch before an early exit, counts only in `load`.

    Example:
        >>> epoch = tl.record.Epoch(0)
        >>> epoch.add(0.005, 0.02, 32)
        >>> round(epoch.load_ratio, 3), round(epoch.throughput), round(epoch.samples_per_s)
        (0.2, 40, 1280)
    """

    epoch: int
    load: Times = field(default_factory=Times)
    compute: Times = field(default_factory=Times)
    step: Times = field(default_factory=Times)
    samples: int | None = 0
    _paired_load: float = field(default=0.0, repr=False)
    _first_pair: tuple[float, float] | None = field(default=None, repr=False)
    _paired_samples: int = field(default=0, repr=False)

    def add(self, load: float, compute: float | None, samples: int | None) -> None:
        """Adds one batch: seconds of waiting, seconds of compute, and its number of samples if known.

        Example:
            >>> epoch = tl.record.Epoch(0)
            >>> epoch.add(0.5, None, None)
            >>> epoch.num_batches, epoch.load_ratio, epoch.samples
            (1, None, None)
        """
        self.load.add(load)
        self.samples = None if samples is None or self.samples is None else self.samples + samples
        if compute is not None:
            self.compute.add(compute)
            self.step.add(load + compute)
            self._paired_load += load
            self._paired_samples += samples or 0
            if self._first_pair is None:
                self._first_pair = (load, compute)

    @property
    def num_batches(self) -> int:
        """Number of batches, or of steps if only steps were timed."""
        return self.load.count or self.step.count

    @property
    def load_ratio(self) -> float | None:
        """Share of waiting in waiting plus compute time; `None` without a batch with compute time."""
        return _ratio(self._paired_load, self.compute.total_time)

    @property
    def load_ratio_without_first(self) -> float | None:
        """`load_ratio` without the first batch, which includes the start-up of the workers."""
        load, compute = self._first_pair or (0.0, 0.0)
        return _ratio(self._paired_load - load, self.compute.total_time - compute) if self.compute.count > 1 else None

    @property
    def throughput(self) -> float | None:
        """Batches per second of waiting plus compute time."""
        return self.step.count / self.step.total_time if self.step.total_time > 0 else None

    @property
    def samples_per_s(self) -> float | None:
        """Samples per second of waiting plus compute time; `None` if the size of a batch is not known."""
        known = self.samples is not None and self.step.total_time > 0
        return self._paired_samples / self.step.total_time if known else None

    def summary(self) -> dict[str, Any]:
        """Returns all values by name; times are in seconds.

        `num_batches`, `total_time`, `mean_time`, `std_time`, `min_time`, `max_time` and `throughput` describe whole
        steps: waiting plus compute time, as a timestamp at the top of the loop measures it. `load_...` is only the
        waiting.

        Example:
            >>> epoch = tl.record.Epoch(0)
            >>> epoch.add(0.005, 0.02, 32)
            >>> summary = epoch.summary()
            >>> summary["num_batches"], summary["total_time"], summary["load_time"], summary["std_time"]
            (1, 0.025, 0.005, None)
        """
        step, load = self.step, self.load
        timed = load.count > 0
        return {
            "epoch": self.epoch,
            "num_batches": self.num_batches,
            "samples": self.samples if timed else None,
            "total_time": step.total_time,
            "mean_time": step.mean_time,
            "std_time": step.std_time,
            "min_time": step.min_time,
            "max_time": step.max_time,
            "throughput": self.throughput,
            "samples_per_s": self.samples_per_s if timed else None,
            "load_time": load.total_time if timed else None,
            "load_mean_time": load.mean_time,
            "load_std_time": load.std_time,
            "load_min_time": load.min_time,
            "load_max_time": load.max_time,
            "load_first_time": load.first_time,
            "compute_time": self.compute.total_time if timed else None,
            "load_ratio": self.load_ratio,
            "load_ratio_without_first": self.load_ratio_without_first,
        }


def _ratio(load: float, compute: float) -> float | None:
    total = load + compute
    return load / total if total > 0 else None
