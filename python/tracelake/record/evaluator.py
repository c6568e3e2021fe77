"""How fast a training loop would be if its data were free: the real loader against batches kept in memory."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tracelake.record import argument, clock
from tracelake.record.batch import batch_size as batch_size_of
from tracelake.record.gpu import Utilization

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["EvaluatedPass", "LoaderEvaluator", "train_one_epoch"]

Batch = TypeVar("Batch")
_MODES = ("log", "replay")
_OWN = frozenset({"mode", "passes", "_loader", "_cached", "_file", "_size"})


@dataclass
class EvaluatedPass:
    """One pass over a loader; times in seconds."""

    batch_times: list[float] = field(default_factory=list[float])
    """What each batch was waited for."""
    total_time: float = 0.0
    """From the start of the pass to its end, or to where it was left; of one that runs, to its latest batch."""
    samples: int | None = 0
    """Samples of all batches; `None` if a batch does not show how many it has."""
    ended: bool = False
    """Whether the loader had no more batches: `False` where the loop was left early."""
    gpu_utilization: float | None = None
    """Mean utilization of the GPUs in percent, by NVML; `None` without `nvidia-ml-py`, a GPU or a look at it."""

    @property
    def batches_per_s(self) -> float | None:
        """Batches per second of the pass; `None` of a pass that took no time."""
        return len(self.batch_times) / self.total_time if self.total_time > 0 else None

    @property
    def samples_per_s(self) -> float | None:
        """Samples per second of the pass; `None` if the size of a batch is not known."""
        known = self.samples is not None and self.total_time > 0
        return (self.samples or 0) / self.total_time if known else None

    @property
    def load_ratio(self) -> float | None:
        """Share of waiting for batches in the time of the pass."""
        return sum(self.batch_times) / self.total_time if self.total_time > 0 else None


class LoaderEvaluator(Generic[Batch]):
    """A loader whose waits are timed (`log`), or that hands out batches from memory (`replay`).

    Train once with each, and compare: the replay is what the training would take if data were free. The interface and
    the file are those of the tool of the same name in NVIDIA DALI. Other than there, a replay keeps the first batches
    and reads no others, a pass that is left early has the time that it took, a later pass that is left early does not
    hide one that ended, what the loader has is forwarded, and a mode that is unknown is an error.

    Args:
        dataloader: Anything that can be iterated; for a replay it must have a length.
        mode: `log` or `replay`.
        num_cached_batches: How many batches a replay keeps, and hands out in turn until the length of the loader is
            reached. Fewer than a pass needs make caches of the processor look better than they are.
        metrics_file: Where `save_metrics` writes.
        batch_size: Function that says how many samples a batch has, where `tracelake.record.batch_size` is wrong.

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
        argument.loader(dataloader)
        self.mode = mode
        self.passes: list[EvaluatedPass] = []
        self._loader = dataloader
        self._file = metrics_file
        self._size = argument.sizes(batch_size) or batch_size_of
        self._cached: list[Batch] = []
        if mode == "replay":
            argument.whole(num_cached_batches, "num_cached_batches", least=1)
            # how long a pass is, is asked before anything is read
            try:
                length = len(self)
            except TypeError as error:
                message = (
                    f"cannot replay {argument.kind(dataloader)}: a replay is as long as its loader, which has no length"
                    "\n  hint:   LoaderEvaluator(list(loader), mode='replay'), with as many batches as a pass has"
                )
                raise TypeError(message) from error
            self._cached = list(islice(dataloader, min(num_cached_batches, length)))
            if length > 0 and not self._cached:
                message = "cannot replay a loader that gives no batch"
                raise ValueError(message)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the loader has
        """What the loader has."""
        if name in _OWN:
            raise AttributeError(name)
        return getattr(self._loader, name)

    def __len__(self) -> int:
        """Number of batches of the loader."""
        return len(self._loader)  # type: ignore[arg-type] - one that has none says so

    def __iter__(self) -> Iterator[Batch]:
        """Begins a pass."""
        done = EvaluatedPass()
        self.passes.append(done)
        watch = Utilization()
        begun = clock.now()
        batches = iter(self._loader) if self.mode == "log" else self._replayed()
        try:
            while True:
                asked = clock.now()
                try:
                    batch = next(batches)
                except StopIteration:
                    done.ended = True
                    if not done.batch_times:
                        argument.spent(self._loader, "loader")
                    break
                got = clock.now()
                done.batch_times.append((got - asked) / 1e9)
                size = self._size(batch)
                done.samples = None if size is None or done.samples is None else done.samples + size
                done.total_time = (got - begun) / 1e9
                yield batch
        finally:
            done.total_time = (clock.now() - begun) / 1e9
            done.gpu_utilization = watch.stop()

    def _replayed(self) -> Iterator[Batch]:
        for number in range(len(self) if self._cached else 0):
            yield self._cached[number % len(self._cached)]

    @property
    def last(self) -> EvaluatedPass | None:
        """The pass that metrics are about: the last that ended, else the last that had a batch; `None` before.

        Example:
            >>> tl.record.LoaderEvaluator([1]).last is None
            True
        """
        drawn = [done for done in self.passes if done.batch_times]
        return next((done for done in reversed(drawn) if done.ended), drawn[-1] if drawn else None)

    def get_metrics(self) -> dict[str, Any]:
        """The metrics of the pass `last`, by the names and in the order of DALI's file; times in seconds.

        Example:
            >>> loader = tl.record.LoaderEvaluator([1, 2])
            >>> loader.get_metrics()
            {}
            >>> batches = list(loader)
            >>> list(loader.get_metrics())[:3]
            ['mode', 'total_batches', 'total_time']
        """
        done = self.last
        if done is None:
            return {}
        times = done.batch_times
        return {
            "mode": self.mode,
            "total_batches": len(times),
            "total_time": done.total_time,
            "avg_batch_time": sum(times) / len(times),
            "min_batch_time": min(times),
            "max_batch_time": max(times),
            "batch_times": times,
            "cached_batches": len(self._cached),
            "cache_ready": bool(self._cached),
        }

    def save_metrics(self, filename: str | os.PathLike[str] | None = None) -> None:
        """Writes the metrics as JSON, to `metrics_file` unless a name is given; without a batch there are none.

        Raises:
            ValueError: There is no name.

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
            message = f"no metrics are in {name}: no batch was drawn yet\n  hint:   go through the evaluator first"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        Path(name).write_text(json.dumps(self.get_metrics(), indent=2), encoding="utf-8")

    def print_summary(self) -> None:
        """Prints the pass `last` for people.

        Example:
            >>> tl.record.LoaderEvaluator([1, 2]).print_summary()
            no batch was drawn
        """
        done = self.last
        if done is None:
            print("no batch was drawn")  # noqa: T201 - a summary is printed
            return
        times = done.batch_times
        kept = f", {len(self._cached)} kept" if self._cached else ""
        early = "" if done.ended else ", left early"
        lines = [
            f"mode {self.mode}: {len(times)} batches in {done.total_time:.3f} s{kept}{early}",
            (
                f"wait for a batch: mean {1e3 * sum(times) / len(times):.3f} ms, "
                f"least {1e3 * min(times):.3f} ms, greatest {1e3 * max(times):.3f} ms"
            ),
            f"throughput: {_rate(done.batches_per_s, 'batches')}, {_rate(done.samples_per_s, 'samples')}",
        ]
        if self.mode == "log":
            lines.append(f"share of loading: {done.load_ratio or 0:.1%}")
        if done.gpu_utilization is not None:
            lines.append(f"GPU utilization: {done.gpu_utilization:.1f} % on average")
        print("\n".join(lines))  # noqa: T201 - the same


def train_one_epoch(
    model: Callable[[Batch], object], loader: LoaderEvaluator[Batch], log_file: str | os.PathLike[str] | None = None
) -> EvaluatedPass:
    """Runs one pass: `model` is called with each batch; metrics go to `log_file`.

    Write your own step in place of `model` where a batch alone is not what it takes.

    Raises:
        TypeError: `model` is no function, or `loader` no `LoaderEvaluator`.
        FileNotFoundError: There is no folder for the file; said before the pass.

    Example:
        >>> loader = tl.record.LoaderEvaluator([[1, 2], [3, 4]])
        >>> tl.record.train_one_epoch(sum, loader, log_file=tempfile.mkdtemp() + "/real.json").samples
        4
    """
    if not isinstance(loader, LoaderEvaluator):  # pyright: ignore[reportUnnecessaryIsInstance] - said in time
        message = (
            f"cannot evaluate {argument.kind(loader)}: expected a LoaderEvaluator"
            '\n  hint:   train_one_epoch(model, LoaderEvaluator(loader, mode="log"))'
        )
        raise TypeError(message)
    argument.function(model, "model", "a function of a batch")
    if log_file is not None and not (folder := Path(log_file).absolute().parent).is_dir():
        message = f"cannot write metrics to {log_file}: there is no folder {folder}"
        raise FileNotFoundError(message)
    for batch in loader:
        model(batch)
    if log_file is not None:
        loader.save_metrics(log_file)
    return loader.passes[-1]


def _rate(value: float | None, of: str) -> str:
    return f"{of}/s unknown" if value is None else f"{value:.1f} {of}/s"
