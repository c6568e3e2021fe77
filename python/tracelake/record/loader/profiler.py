"""Records the wait of a training loop for its data: a wrapper of any iterable."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeVar

from tracelake.record import argument, clock
from tracelake.record.hardware.accelerator import synchronizer
from tracelake.record.loader.forward import Forward
from tracelake.record.loader.passes import Pass
from tracelake.record.loader.times import Epoch
from tracelake.record.loader.worker import WorkerRecorder
from tracelake.record.output.recording import Recording

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from typing_extensions import Self

Batch = TypeVar("Batch")
_DESCRIPTION = ("num_workers", "prefetch_factor", "persistent_workers", "pin_memory", "batch_size")
# Attributes of the wrapper itself; all others belong to the loader.
_OWN = frozenset(
    {"epochs", "recording", "_loader", "_shared", "_name", "_size", "_unit", "_synchronize", "_worker_recorder"}
    | {"_epoch", "_manual", "_wrapped", "_last_time", "_described"}
)


class LoaderProfiler(Forward[Batch]):
    """A wrapper of a loader that records the wait for each batch and the compute time between batches.

    It yields the batches of the loader, and has its attributes and its length. The wait for a batch (`load`) is the
    time of the call of `next`. The compute time (`compute`) goes from the return of a batch to the next request. After
    an early exit, the compute time of the last batch is not known, and is null. For a PyTorch `DataLoader`, the workers
    also record each item, collate call and worker.

    Rows go to table `loader`: one of kind `init` per pass (making the iterator, which starts the workers), one of kind
    `next` per batch, and one of kind `pass` per pass.

    Args:
        loader: Anything that can be iterated.
        path: Destination of the recording, see `Recording`; or a shared `Recording`. Without it, the recording becomes
            a new run in the default lake when it is closed, or when the program ends.
        name: Name of the loader.
        batch_size: Function that counts the samples of a batch, if `tracelake.record.batch_size` is wrong.
        unit: Unit of the samples in the report: samples, images, tokens.
        synchronize: Waits for the accelerator before each request of a batch, so that its work counts as compute time
            and not as waiting: `True` for PyTorch's accelerator, or a function. Without it, the compute time is host
            time.
        workers: Whether to record items, collate calls and workers of a `DataLoader`.
        slow_item: Seconds above which an item is an incident `slow_item`.
        run: Name of the run.
        attributes: Attributes of the run.
        **recording_options: Other arguments of the `Recording`.

    Raises:
        TypeError: The loader cannot be iterated, or an option is of the wrong type.
        ValueError: A number is out of range.
        OSError: The path is not writable.

    Example:
        >>> loader = tl.record.LoaderProfiler([[1, 2], [3, 4], [5]], tempfile.mkdtemp())
        >>> for batch in loader:
        ...     pass
        >>> summary = loader.summary()[0]
        >>> summary["num_batches"], summary["samples"], len(loader)
        (3, 5, 3)
        >>> loader.close()
    """

    def __init__(  # noqa: PLR0913 - all but one are options
        self,
        loader: Iterable[Batch],
        path: str | os.PathLike[str] | Recording | None = None,
        *,
        name: str = "loader",
        batch_size: Callable[[Any], int | None] | None = None,
        unit: str = "samples",
        synchronize: bool | Callable[[], object] = False,
        workers: bool = True,
        slow_item: float = 1.0,
        run: str | None = None,
        attributes: Mapping[str, object] | None = None,
        **recording_options: Any,  # noqa: ANN401 - passed to Recording
    ) -> None:
        argument.check_loader(loader)
        argument.check_number(slow_item, "slow_item")
        self._loader = loader
        self._size = argument.check_sizes(batch_size)
        self._shared = isinstance(path, Recording)
        self.recording = Recording.get_or_create(path, run=run, attributes=attributes, **recording_options)
        self._name = name

        self._unit = unit
        self._synchronize = synchronizer(synchronize)
        self._worker_recorder = WorkerRecorder(self.recording, name, slow_item) if workers else None
        self.epochs: list[Epoch] = []
        self._epoch = 0
        self._manual: Epoch | None = None
        self._wrapped: Epoch | None = None
        self._last_time = 0
        self._described = False

    def __setattr__(self, name: str, value: object) -> None:
        """Sets an attribute of the loader if the loader has it, else of the wrapper."""
        if name not in _OWN and hasattr(self._loader, name):
            setattr(self._loader, name, value)
        else:
            object.__setattr__(self, name, value)

    def __iter__(self) -> Iterator[Batch]:
        """Starts a recorded pass."""
        if self.recording.closed:
            message = "this pass is not recorded: the recording is closed"
            warnings.warn(message, RuntimeWarning, stacklevel=2)
        self._describe()
        epoch = self._manual or Epoch(self._epoch)
        settings = (self._name, self._size, self._synchronize, self._worker_recorder)
        started = Pass(self._loader, epoch, self.recording, *settings)
        self._wrapped = epoch
        if epoch not in self.epochs:
            self.epochs.append(epoch)
            self._epoch += 1
        return started

    def __enter__(self) -> Self:
        """Returns the profiler itself."""
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        """Closes the recording."""
        self.close()

    def close(self) -> None:
        """Closes the recording; a shared recording stays open.

        Example:
            >>> tl.record.LoaderProfiler([1], tempfile.mkdtemp()).close()
        """
        self.recording.flush() if self._shared else self.recording.close()

    def start_epoch(self) -> None:
        """Starts an epoch explicitly, for a loop that calls `record_batch` and `end_epoch` itself.

        Example:
            >>> loader = tl.record.LoaderProfiler([1, 2], tempfile.mkdtemp())
            >>> loader.start_epoch()
        """
        self._manual = Epoch(self._epoch)
        self._last_time = clock.now()

    def record_batch(self) -> None:
        """Records that a batch has arrived.

        In a loop over the profiler, this does nothing, because the wrapper already measures load and compute time. In
        another loop, only whole steps can be measured: each becomes a row of table `step`.

        Example:
            >>> loader = tl.record.LoaderProfiler([1, 2], tempfile.mkdtemp())
            >>> loader.start_epoch()
            >>> for batch in [1, 2]:
            ...     loader.record_batch()
            >>> summary = loader.end_epoch()
            >>> summary["num_batches"], summary["load_time"]
            (2, None)
        """
        epoch, now = self._manual, clock.now()
        if epoch is None:
            self.start_epoch()
        elif epoch is not self._wrapped:
            dur = now - self._last_time
            step = sum(epoch.num_batches for epoch in self.epochs) + epoch.step.count
            self.recording.row("step", ts=clock.unix(self._last_time), dur=dur, step=step)
            epoch.step.add(dur / 1e9)
            self._last_time = now

    def end_epoch(self) -> dict[str, Any] | None:
        """Ends an epoch of `start_epoch` and returns its summary, or `None` if it had no batch.

        Example:
            >>> loader = tl.record.LoaderProfiler([1, 2], tempfile.mkdtemp())
            >>> loader.start_epoch()
            >>> loader.end_epoch() is None
            True
        """
        epoch, self._manual = self._manual, None
        if epoch is None or epoch.num_batches == 0:
            return None
        if epoch not in self.epochs:
            self.epochs.append(epoch)
            self._epoch += 1
        return epoch.summary()

    def summary(self) -> list[dict[str, Any]]:
        """Returns one dict per epoch so far, see `Epoch.summary`.

        Example:
            >>> loader = tl.record.LoaderProfiler([[1, 2], [3]], tempfile.mkdtemp())
            >>> _ = list(loader)
            >>> [epoch["samples"] for epoch in loader.summary()]
            [3]
        """
        return [epoch.summary() for epoch in self.epochs]

    def report(self) -> None:
        """Prints one line per epoch, numbered from 1.

        Example:
            >>> tl.record.LoaderProfiler([], tempfile.mkdtemp()).report()
            no data
        """
        if not self.epochs:
            print("no data")  # noqa: T201 - a report is printed
        for number, epoch in enumerate(self.epochs, 1):
            print(f"epoch {number}: {_summary_line(epoch, self._unit)}")  # noqa: T201 - the same

    def _describe(self) -> None:
        """Writes the settings of the loader, for each pass, because a fork may have started another file."""
        attributes = {name: getattr(self._loader, name, None) for name in _DESCRIPTION}
        numbers = {name: value for name, value in attributes.items() if isinstance(value, int)}
        self.recording.row("loader", loader=self._name, **numbers)
        if not self._described:
            self.recording.attribute(f"loader.{self._name}.synchronized", self._synchronize is not None)
            self._described = True


def _summary_line(epoch: Epoch, unit: str) -> str:
    def shown(value: float | None, text: str, factor: float = 1.0) -> str:
        return "-" if value is None else text.format(value * factor)

    if not epoch.num_batches:
        return "no batch"
    step, load = epoch.step, epoch.load
    parts = [
        f"{epoch.num_batches} batches",
        f"{step.total_time:.2f} s",
        f"step {shown(step.mean_time, '{:.1f} ms', 1e3)} (std {shown(step.std_time, '{:.1f} ms', 1e3)})",
        f"{shown(epoch.throughput, '{:.1f}')} batches/s",
        f"{shown(epoch.samples_per_s, '{:.1f}')} {unit}/s",
        f"load {shown(load.mean_time, '{:.1f} ms', 1e3)}, {shown(epoch.load_ratio, '{:.1%}')} of the time",
    ]
    return ", ".join(parts)
