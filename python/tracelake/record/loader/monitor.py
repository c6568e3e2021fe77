"""A loader that periodically prints the mean wait for a batch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tracelake.record import argument, clock

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["MonitoredDataLoader"]

Batch = TypeVar("Batch")


class MonitoredDataLoader(Generic[Batch]):
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
        argument.loader(loader)
        argument.whole(log_interval, "log_interval", least=1)
        argument.function(log, "log", "a function of a line")
        self._loader = loader
        self._interval = log_interval
        self._log = log

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute of the loader
        """Returns an attribute of the loader."""
        if name == "_loader":
            raise AttributeError(name)
        return getattr(self._loader, name)

    def __len__(self) -> int:
        """Returns the number of batches of the loader."""
        return len(self._loader)  # type: ignore[arg-type] - a loader without a length raises

    def __iter__(self) -> Iterator[Batch]:
        """Iterates over one pass and prints the mean waits."""
        batches = iter(self._loader)
        waited = number = 0
        while True:
            asked = clock.now()
            try:
                batch = next(batches)
            except StopIteration:
                return
            waited += clock.now() - asked
            number += 1
            if number % self._interval == 0:
                mean = waited / self._interval / 1e6
                self._log(f"batches {number - self._interval} to {number - 1}: load {mean:.2f} ms on average")
                waited = 0
            yield batch
