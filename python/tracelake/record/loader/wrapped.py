"""Wrappers for the user's dataset, collate function and sampler in the workers of a loader."""

from __future__ import annotations

from multiprocessing import util as _multiprocessing_util
from typing import TYPE_CHECKING, Any, cast

from tracelake.record import clock
from tracelake.record.loader.batch import nbytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.record.loader.worker import Watch

__all__ = ["Begin", "Collate", "Items", "Numbered", "Numbers", "Stream", "Wrapped"]


class Wrapped:
    """A wrapper that reads and sets the attributes of the wrapped object."""

    def __init__(self, inner: Any, watch: Watch) -> None:  # noqa: ANN401 - any object
        vars(self).update(_inner=inner, _watch=watch)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        if name in {"_inner", "_watch"}:
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


class Items(Wrapped):
    """Wraps a map-style dataset, and records its items."""

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - any item
        watch, begun = self._watch, clock.now()
        try:
            value = self._inner[index]
        except Exception as error:
            watch.failed(error, index if isinstance(index, int) else None)
            raise
        watch.item(self._inner, index, begun, value)
        return value

    def __getitems__(self, indices: Any) -> Any:  # noqa: ANN401 - a method that PyTorch calls
        watch = self._watch
        if isinstance(indices, Numbered):
            watch.epoch, watch.batch = indices.epoch, indices.number
        at_once = getattr(self._inner, "__getitems__", None)
        if not callable(at_once):
            return [self[index] for index in indices]
        begun = clock.now()
        try:
            values = at_once(indices)
        except Exception as error:
            watch.failed(error)
            raise
        watch.item(self._inner, None, begun, values)
        return values


class Stream(Wrapped):
    """Wraps an iterable dataset, and records its items, numbered per worker."""

    def __iter__(self) -> Iterator[Any]:
        watch, number = self._watch, 0
        items = iter(self._inner)
        while True:
            begun = clock.now()
            try:
                value = next(items)
            except StopIteration:
                return
            except Exception as error:
                watch.failed(error, number)
                raise
            watch.item(self._inner, number, begun, value)
            number += 1
            yield value


class Collate(Wrapped):
    """Wraps a collate function, and records its calls."""

    def __call__(self, samples: Any) -> Any:  # noqa: ANN401 - any samples
        """Collates the samples, and records the duration."""
        watch, begun = self._watch, clock.now()
        try:
            batch = self._inner(samples)
        except Exception as error:
            watch.failed(error)
            raise
        dur = clock.now() - begun
        size = nbytes(batch)
        members = f',"batch_size":{len(cast("list[Any]", samples))}' if isinstance(samples, list) else ""
        watch.row("collate", begun, dur, members + ("" if size is None else f',"bytes":{size}'))
        if watch.worker() is not None:
            # a persistent worker can be idle for long and then be killed, so write its rows now
            watch.recording.flush()
        return batch


class Numbered(list[Any]):
    """The indices of a batch, with its epoch and batch number."""

    epoch: int | None = None
    number: int = 0


class Numbers(Wrapped):
    """Wraps a batch sampler, and numbers its batches."""

    def __iter__(self) -> Iterator[Any]:
        # each pass of a loader with persistent workers calls this again
        epoch = self._watch.epoch
        for number, indices in enumerate(self._inner):
            if type(indices) is list:
                numbered = Numbered(cast("list[Any]", indices))
                numbered.epoch, numbered.number = epoch, number
                yield numbered
            else:
                yield indices


class Begin(Wrapped):
    """Wraps the worker function, which a worker calls first."""

    def __call__(self, worker: int) -> None:
        """Starts a worker, and records its lifetime when it ends."""
        watch, begun = self._watch, clock.now()
        # drop the epoch and batch of the process from which the worker was forked
        watch.epoch = watch.batch = None

        def ended() -> None:
            watch.epoch = watch.batch = None
            watch.row("worker", begun, clock.now() - begun)

        # before the recording is closed, which has priority 10
        _multiprocessing_util.Finalize(None, ended, exitpriority=20)
        if self._inner is None:
            return
        try:
            self._inner(worker)
        except Exception as error:
            watch.failed(error)
            raise
