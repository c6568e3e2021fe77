"""Estimates the speed of a training loop without loading time: the real loader compared with batches in memory."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tracelake.record import argument, clock
from tracelake.record.hardware.gpu import Utilization
from tracelake.record.loader.batch import batch_size as batch_size_of
from tracelake.record.loader.forward import Forward
from tracelake.record.loader.times import time_batches

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

Batch = TypeVar("Batch")
_MODES = ("log", "replay")


@dataclass
class EvaluatedPass:
    """One pass over a loader; times in seconds."""

    batch_times: list[float] = field(default_factory=list[float])
    """The wait for each batch."""
    total_time: float = 0.0
    """Time from the start of the pass to its end, or to an early exit; for a running pass, to its latest batch."""
    samples: int | None = 0
    """Samples of all batches; `None` if the size of a batch is not known."""
    ended: bool = False
    """True if the loader had no more batches; `False` if the loop exited early."""
    gpu_utilization: float | None = None
    """Mean utilization of the GPUs in percent, by NVML; `None` without `nvidia-ml-py`, a GPU or a measurement."""

    @property
    def batches_per_s(self) -> float | None:
        """Batches per second of the pass; `None` if the pass took no time."""
        return len(self.batch_times) / self.total_time if self.total_time > 0 else None

    @property
    def samples_per_s(self) -> float | None:
        """Samples per second of the pass; `None` if the size of a batch is not known."""
        known = self.samples is not None and self.total_time > 0
        return (self.samples or 0) / self.total_time if known else None

    @property
    def load_ratio(self) -> float | None:
        """Share of the pass that was spent waiting for batches, 0 to 1."""
        return sum(self.batch_times) / self.total_time if self.total_time > 0 else None


class LoaderEvaluator(Forward[Batch]):
    """A loader that times the wait for each batch (`log`), or yields cached batches from memory (`replay`).

    Train once with each mode, and compare: the replay shows the training time without loading time. The interface and
    the file are those of the tool of the same name in NVIDIA DALI, with these differences. A replay caches the first
    batches and reads no others. A pass that exits early has its real duration, and does not hide an earlier complete
    pass. Attributes of the loader are forwarded. An unknown mode is an error.

    Args:
        dataloader: Anything that can be iterated; for a replay, it must have a length.
        mode: `log` or `replay`.
        num_cached_batches: Number of batches that a replay caches. It repeats them until the length of the loader is
            reached. If a pass needs more batches, the repeated batches make the processor's caches look better than
            they are.
        metrics_file: File that `save_metrics` writes.
        batch_size: Function that counts the samples of a batch, if `tracelake.record.batch_size` is wrong.

    Raises:
        ValueError: The mode is unknown, or there is nothing to replay.

    Example:
        >>> loader = tl.record.LoaderEvaluator([[1, 2], [3, 4], [5, 6]], mode="replay", num_cached_batches=2)
        >>> list(loader)
        [[1, 2], [3, 4], [1, 2]]
        >>> metrics = loader.get_metrics()
        >>> metrics["total_batches"], metrics["cached_batches"], metrics["cache_ready"]
        (3, 2, True)
    """

    def __init__(
        self,
        dataloader: Iterable[Batch],
        mode: str = "log",
        num_cached_batches: int = 20,
        metrics_file: str | os.PathLike[str] | None = None,
        *,
        batch_size: Callable[[Any], int | None] | None = None,
    ) -> None:
        if mode not in _MODES:
            message = f"cannot evaluate a loader in mode {mode!r}; one of: log, replay"
            raise ValueError(message)
        argument.check_loader(dataloader)
        self.mode = mode
        self.passes: list[EvaluatedPass] = []
        self._loader = dataloader
        self._file = metrics_file
        self._size = argument.check_sizes(batch_size) or batch_size_of
        self._cached: list[Batch] = []
        if mode == "replay":
            argument.check_whole_number(num_cached_batches, "num_cached_batches", minimum=1)
            # get the length of a pass before reading any batch
            try:
                length = len(self)
            except TypeError as error:
                kind = argument.describe(dataloader)
                message = f"cannot replay {kind}: a replay is as long as its loader, which has no length"
                hint = "LoaderEvaluator(list(loader), mode='replay'), with all batches of a pass"
                raise TypeError(argument.add_hint(message, hint)) from error
            self._cached = list(islice(dataloader, min(num_cached_batches, length)))
            if length > 0 and not self._cached:
                message = "cannot replay a loader that gives no batch"
                raise ValueError(message)

    def __iter__(self) -> Iterator[Batch]:
        """Iterates over one pass and times its batches."""
        current = EvaluatedPass()
        self.passes.append(current)
        utilization = Utilization()
        start = clock.now()
        batches = iter(self._loader) if self.mode == "log" else self._replay()
        try:
            for batch, wait_start, wait_end in time_batches(batches):
                current.batch_times.append((wait_end - wait_start) / 1e9)
                size = self._size(batch)
                current.samples = None if size is None or current.samples is None else current.samples + size
                current.total_time = (wait_end - start) / 1e9
                yield batch
            current.ended = True
            if not current.batch_times:
                argument.warn_if_exhausted(self._loader, "loader")
        finally:
            current.total_time = (clock.now() - start) / 1e9
            current.gpu_utilization = utilization.stop()

    def _replay(self) -> Iterator[Batch]:
        for number in range(len(self) if self._cached else 0):
            yield self._cached[number % len(self._cached)]

    @property
    def last(self) -> EvaluatedPass | None:
        """The pass for the metrics: the last complete one, else the last one with a batch; `None` without a batch.

        Example:
            >>> tl.record.LoaderEvaluator([1]).last is None
            True
        """
        timed = [one for one in self.passes if one.batch_times]
        return next((one for one in reversed(timed) if one.ended), timed[-1] if timed else None)

    def get_metrics(self) -> dict[str, Any]:
        """Returns the metrics of the pass `last`, with the names and the order of DALI's file; times in seconds.

        Example:
            >>> loader = tl.record.LoaderEvaluator([1, 2])
            >>> loader.get_metrics()
            {}
            >>> batches = list(loader)
            >>> list(loader.get_metrics())[:3]
            ['mode', 'total_batches', 'total_time']
        """
        last = self.last
        if last is None:
            return {}
        times = last.batch_times
        return {
            "mode": self.mode,
            "total_batches": len(times),
            "total_time": last.total_time,
            "avg_batch_time": sum(times) / len(times),
            "min_batch_time": min(times),
            "max_batch_time": max(times),
            "batch_times": times,
            "cached_batches": len(self._cached),
            "cache_ready": bool(self._cached),
        }

    def save_metrics(self, filename: str | os.PathLike[str] | None = None) -> None:
        """Writes the metrics as JSON to `filename`, or else to `metrics_file`; they are empty without a batch.

        Raises:
            ValueError: There is no file name.

        Example:
            >>> loader = tl.record.LoaderEvaluator([1, 2])
            >>> batches = list(loader)
            >>> loader.save_metrics(tempfile.mkdtemp() + "/real_log.json")
        """
        name = filename if filename is not None else self._file
        if name is None:
            message = "cannot save metrics without a name: save_metrics(name), or LoaderEvaluator(metrics_file=name)"
            raise ValueError(message)
        if self.last is None:
            message = f"{name} has no metrics: no batch was drawn yet\n  hint:   iterate over the evaluator first"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        Path(name).write_text(json.dumps(self.get_metrics(), indent=2), encoding="utf-8")

    def print_summary(self) -> None:
        """Prints a summary of the pass `last`.

        Example:
            >>> tl.record.LoaderEvaluator([1, 2]).print_summary()
            no batch was drawn
        """
        last = self.last
        if last is None:
            print("no batch was drawn")  # noqa: T201 - a summary is printed
            return
        times = last.batch_times
        cached = f", {len(self._cached)} cached" if self._cached else ""
        early = "" if last.ended else ", exited early"
        lines = [
            f"mode {self.mode}: {len(times)} batches in {last.total_time:.3f} s{cached}{early}",
            (
                f"wait for a batch: mean {1e3 * sum(times) / len(times):.3f} ms, "
                f"min {1e3 * min(times):.3f} ms, max {1e3 * max(times):.3f} ms"
            ),
            f"throughput: {_format_rate(last.batches_per_s, 'batches')}, {_format_rate(last.samples_per_s, 'samples')}",
        ]
        if self.mode == "log":
            lines.append(f"share of loading: {last.load_ratio or 0:.1%}")
        if last.gpu_utilization is not None:
            lines.append(f"GPU utilization: {last.gpu_utilization:.1f} % on average")
        print("\n".join(lines))  # noqa: T201 - the same


def train_one_epoch(
    model: Callable[[Batch], object], loader: LoaderEvaluator[Batch], log_file: str | os.PathLike[str] | None = None
) -> EvaluatedPass:
    """Runs one pass: calls `model` with each batch, and writes the metrics to `log_file`.

    If your model needs more arguments than a batch, pass your own step function as `model`.

    Raises:
        TypeError: `model` is not a function, or `loader` is not a `LoaderEvaluator`.
        FileNotFoundError: The folder of the file does not exist; raised before the pass.

    Example:
        >>> loader = tl.record.LoaderEvaluator([[1, 2], [3, 4]])
        >>> tl.record.train_one_epoch(sum, loader, log_file=tempfile.mkdtemp() + "/real.json").samples
        4
    """
    if not isinstance(loader, LoaderEvaluator):  # pyright: ignore[reportUnnecessaryIsInstance] - check before the pass
        message = f"cannot evaluate {argument.describe(loader)}: expected a LoaderEvaluator"
        raise TypeError(argument.add_hint(message, 'train_one_epoch(model, LoaderEvaluator(loader, mode="log"))'))
    argument.check_function(model, "model", "a function of a batch")
    if log_file is not None and not (folder := Path(log_file).absolute().parent).is_dir():
        message = f"cannot write metrics to {log_file}: there is no folder {folder}"
        raise FileNotFoundError(message)
    for batch in loader:
        model(batch)
    if log_file is not None:
        loader.save_metrics(log_file)
    return loader.passes[-1]


def _format_rate(value: float | None, unit: str) -> str:
    return f"{unit}/s unknown" if value is None else f"{value:.1f} {unit}/s"
