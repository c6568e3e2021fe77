"""Wrappers for the user's dataset, collate function and sampler in the workers of a loader."""

from __future__ import annotations

from multiprocessing import util as _multiprocessing_util
from typing import TYPE_CHECKING, Any, cast

from tracelake.record import clock
from tracelake.record.loader.batch import nbytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tracelake.record.loader.worker import WorkerRecorder


class Wrapped:
    """A wrapper that reads and sets the attributes of the wrapped object."""

    def __init__(self, inner: Any, recorder: WorkerRecorder) -> None:  # noqa: ANN401 - any object
        vars(self).update(_inner=inner, _recorder=recorder)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        if name in {"_inner", "_recorder"}:
            raise AttributeError(name)
        return getattr(self._inner, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self._inner, name, value)

    def __getstate__(self) -> dict[str, Any]:
        return dict(vars(self))

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    def __len__(self) -> int:
        return len(self._inner)

    def _call(self, function: Callable[[Any], Any], argument: object) -> Any:  # noqa: ANN401 - any result
        """Calls a function of the user, and records its exception."""
        try:
            return function(argument)
        except Exception as error:
            self._recorder.record_failure(error)
            raise


class RecordedDataset(Wrapped):
    """Wraps a map-style dataset, and records its items."""

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - any item
        recorder, start = self._recorder, clock.now()
        try:
            value = self._inner[index]
        except Exception as error:
            recorder.record_failure(error, index if isinstance(index, int) else None)
            raise
        recorder.record_item(self._inner, index, start, value)
        return value

    def __getitems__(self, indices: Any) -> Any:  # noqa: ANN401 - a method that PyTorch calls
        recorder = self._recorder
        if isinstance(indices, NumberedIndices):
            recorder.epoch, recorder.batch = indices.epoch, indices.number
        get_items = getattr(self._inner, "__getitems__", None)
        if not callable(get_items):
            return [self[index] for index in indices]
        start = clock.now()
        values = self._call(get_items, indices)
        recorder.record_item(self._inner, None, start, values)
        return values


class RecordedIterableDataset(Wrapped):
    """Wraps an iterable dataset, and records its items, numbered per worker."""

    def __iter__(self) -> Iterator[Any]:
        recorder, number = self._recorder, 0
        items = iter(self._inner)
        while True:
            start = clock.now()
            try:
                value = next(items)
            except StopIteration:
                return
            except Exception as error:
                recorder.record_failure(error, number)
                raise
            recorder.record_item(self._inner, number, start, value)
            number += 1
            yield value


class RecordedCollate(Wrapped):
    """Wraps a collate function, and records its calls."""

    def __call__(self, samples: Any) -> Any:  # noqa: ANN401 - any samples
        """Collates the samples, and records the duration."""
        recorder, start = self._recorder, clock.now()
        batch = self._call(self._inner, samples)
        dur = clock.now() - start
        size = nbytes(batch)
        members = f',"batch_size":{len(cast("list[Any]", samples))}' if isinstance(samples, list) else ""
        recorder.write_row("collate", start, dur, members + ("" if size is None else f',"bytes":{size}'))
        if recorder.worker_number() is not None:
            # a persistent worker can be idle for long and then be killed, so write its rows now
            recorder.recording.flush()
        return batch


class NumberedIndices(list[Any]):
    """The indices of a batch, with its epoch and batch number."""

    epoch: int | None = None
    number: int = 0


class NumberedBatchSampler(Wrapped):
    """Wraps a batch sampler, and numbers its batches."""

    def __iter__(self) -> Iterator[Any]:
        # each pass of a loader with persistent workers calls this again
        epoch = self._recorder.epoch
        for number, indices in enumerate(self._inner):
            if type(indices) is list:
                numbered = NumberedIndices(cast("list[Any]", indices))
                numbered.epoch, numbered.number = epoch, number
                yield numbered
            else:
                yield indices


class RecordedWorkerInit(Wrapped):
    """Wraps the worker function, which a worker calls first."""

    def __call__(self, worker: int) -> None:
        """Starts a worker, and records its lifetime when it ends."""
        recorder, start = self._recorder, clock.now()
        # drop the epoch and batch of the process from which the worker was forked
        recorder.epoch = recorder.batch = None

        def record_lifetime() -> None:
            recorder.epoch = recorder.batch = None
            recorder.write_row("worker", start, clock.now() - start)

        # before the recording is closed, which has priority 10
        _multiprocessing_util.Finalize(None, record_lifetime, exitpriority=20)
        if self._inner is not None:
            self._call(self._inner, worker)
