"""What the workers of a loader get in place of the user's dataset, collate function and sampler."""

from __future__ import annotations

from multiprocessing import util as _multiprocessing_util
from typing import TYPE_CHECKING, Any, cast

from tracelake.record import clock
from tracelake.record.batch import nbytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.record.worker import Watch

__all__ = ["Begin", "Collate", "Items", "Numbered", "Numbers", "Stream", "Wrapped"]


class Wrapped:
    """Stands for what it wraps: has its attributes, and sets them on it."""

    def __init__(self, inner: Any, watch: Watch) -> None:  # noqa: ANN401 - whatever is wrapped
        vars(self).update(_inner=inner, _watch=watch)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever it has
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
    """A dataset that is asked by index."""

    def __getitem__(self, index: Any) -> Any:  # noqa: ANN401 - any item
        watch, begun = self._watch, clock.now()
        try:
            value = self._inner[index]
        except Exception as error:
            watch.failed(error, index if isinstance(index, int) else None)
            raise
        watch.item(self._inner, index, begun, value)
        return value

    def __getitems__(self, indices: Any) -> Any:  # noqa: ANN401 - a method that PyTorch asks for
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
    """A dataset that is iterated; its items are numbered in each worker."""

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
    """A collate function."""

    def __call__(self, samples: Any) -> Any:  # noqa: ANN401 - any samples
        """Collates, and writes how long that took."""
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
            # one that stays for the next pass may write nothing for long, and be killed at the end
            watch.recording.flush()
        return batch


class Numbered(list[Any]):
    """The indices of a batch, which know which one it is."""

    epoch: int | None = None
    number: int = 0


class Numbers(Wrapped):
    """A sampler of batches that numbers them."""

    def __iter__(self) -> Iterator[Any]:
        # asked anew by each pass of a loader that keeps its workers
        epoch = self._watch.epoch
        for number, indices in enumerate(self._inner):
            if type(indices) is list:
                numbered = Numbered(cast("list[Any]", indices))
                numbered.epoch, numbered.number = epoch, number
                yield numbered
            else:
                yield indices


class Begin(Wrapped):
    """What a worker calls first."""

    def __call__(self, worker: int) -> None:
        """Begins a worker, and has its life written at its end."""
        watch, begun = self._watch, clock.now()
        # the epoch and batch of the process that it was forked from are not its own
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
