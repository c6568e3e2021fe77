"""A loader that periodically prints the mean wait for a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from tracelake.record import argument
from tracelake.record.loader.forward import Forward
from tracelake.record.loader.times import time_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Batch = TypeVar("Batch")


class MonitoredDataLoader(Forward[Batch]):
    """Yields the batches of a loader, and prints the mean wait for a batch every `log_interval` batches.

    The mean covers only the last `log_interval` batches, so that it shows a slowdown late in a job. The loader can be a
    `LoaderProfiler`, which also records.

    Args:
        loader: Anything that can be iterated.
        log_interval: Number of batches per line.
        log: Function that receives each line, in place of `print`.

    Example:
        >>> lines = []
        >>> batches = list(tl.record.MonitoredDataLoader(range(5), log_interval=2, log=lines.append))
        >>> len(lines), lines[0].startswith("batches 0 to 1: ")
        (2, True)
    """

    def __init__(self, loader: Iterable[Batch], log_interval: int = 100, log: Callable[[str], object] = print) -> None:
        argument.check_loader(loader)
        argument.check_whole_number(log_interval, "log_interval", minimum=1)
        argument.check_function(log, "log", "a function of a line")
        self._loader = loader
        self._interval = log_interval
        self._log = log

    def __iter__(self) -> Iterator[Batch]:
        """Iterates over one pass and prints the mean waits."""
        total = 0
        for number, (batch, wait_start, wait_end) in enumerate(time_batches(iter(self._loader)), 1):
            total += wait_end - wait_start
            if number % self._interval == 0:
                mean = total / self._interval / 1e6
                self._log(f"batches {number - self._interval} to {number - 1}: load {mean:.2f} ms on average")
                total = 0
            yield batch
