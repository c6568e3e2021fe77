"""Records inside the workers of a PyTorch DataLoader: items, collate calls, the lifetime of a worker.

The user's loader is changed only while PyTorch makes an iterator. During that time, its dataset, collate function,
batch sampler and worker function are wrapped. The iterator and its workers continue to use the wrapped objects.
"""

from __future__ import annotations

import json
import os
import re
import sys
from typing import TYPE_CHECKING, Any, cast

from tracelake.record import clock
from tracelake.record.loader.batch import nbytes
from tracelake.record.loader.wrapped import Begin, Collate, Items, Numbers, Stream
from tracelake.record.output.incident import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.record.output.recording import Recording

__all__ = ["MAKING", "Watch"]

MAKING: set[int] = set()
"""Loaders, by `id`, for which a recorder is making an iterator; hooks into loaders skip them."""


_NAMES_OF_FILES = ("samples", "imgs", "files", "paths", "filenames")


class Watch:
    """Records the workers of one loader. It reaches them by fork or pickle, and detects there the current worker.

    Example:
        >>> from tracelake.record.loader.worker import Watch
        >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
        ...     list(Watch(rows, "train", 1.0).iterator([1, 2], 0))
        [1, 2]
    """

    def __init__(self, recording: Recording, loader: str, slow_item: float) -> None:
        self.recording = recording
        self.slow = int(slow_item * 1e9)
        self.epoch: int | None = None
        self.batch: int | None = None
        self._loader = json.dumps(loader)
        self._watching = False
        self._worker: tuple[int, int | None] | None = None

    def iterator(self, loader: Any, epoch: int) -> Iterator[Any]:  # noqa: ANN401 - any loader
        """Makes the iterator of a loader; for a DataLoader, with wrapped parts that record.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     next(Watch(rows, "train", 1.0).iterator("ab", 0))
            'a'
        """
        data: Any = sys.modules.get("torch.utils.data")
        if data is None or not isinstance(loader, data.DataLoader):
            return iter(loader)
        self.epoch = epoch
        self._watching = True
        own = {name: getattr(loader, name) for name in ("dataset", "collate_fn", "batch_sampler", "worker_init_fn")}
        wrapped: dict[str, Any] = {
            "collate_fn": Collate(own["collate_fn"], self),
            "worker_init_fn": Begin(own["worker_init_fn"], self),
        }
        if own["batch_sampler"] is not None:
            wrapped["batch_sampler"] = Numbers(own["batch_sampler"], self)
        pipes: tuple[Any, ...] = tuple(
            cast("Any", vars(data)[name]) for name in ("IterDataPipe", "MapDataPipe") if name in vars(data)
        )
        if isinstance(own["dataset"], data.IterableDataset) and not isinstance(own["dataset"], pipes):
            wrapped["dataset"] = Stream(own["dataset"], self)
        elif not isinstance(own["dataset"], pipes):
            wrapped["dataset"] = Items(own["dataset"], self)
        making = id(loader) not in MAKING
        try:
            MAKING.add(id(loader))
            for name, value in wrapped.items():
                # DataLoader's own `__setattr__` refuses this
                object.__setattr__(loader, name, value)
            return iter(loader)
        finally:
            if making:
                MAKING.discard(id(loader))
            for name, value in own.items():
                object.__setattr__(loader, name, value)

    def said(self, error: BaseException) -> bool:
        """Returns whether the exception was already recorded at its source, a watched dataset or collate function.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).said(ValueError())
            False
        """
        return self._watching and (hasattr(error, "_tracelake") or "in DataLoader worker process" in str(error))

    def worker_of(self, error: BaseException, iterator: object) -> int | None:
        """Returns the number of the worker with a process id from the text of the exception.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).worker_of(RuntimeError("DataLoader worker (pid 7) is killed"), None)
        """
        named = {int(pid) for pid in re.findall(r"\d+", str(error))}
        workers: list[Any] = getattr(iterator, "_workers", [])
        return next((number for number, worker in enumerate(workers) if worker.pid in named), None)

    def worker(self) -> int | None:
        """Returns the number of the current worker; `None` in the training process.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).worker()
        """
        if self._worker is None or self._worker[0] != os.getpid():
            data: Any = sys.modules.get("torch.utils.data")
            info = None if data is None else data.get_worker_info()
            self._worker = (os.getpid(), None if info is None else int(info.id))
        return self._worker[1]

    def row(self, kind: str, begun: int, dur: int, members: str = "") -> None:
        """Writes a row of this loader, worker, epoch and batch.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).row("collate", 0, 5)
        """
        worker = self.worker()
        of = "" if worker is None else f',"worker":{worker}'
        if self.epoch is not None:
            of += f',"epoch":{self.epoch}'
        if self.batch is not None:
            of += f',"batch":{self.batch}'
        ts = clock.unix(begun)
        self.recording.write(f'{{"kind":"{kind}","loader":{self._loader},"ts":{ts},"dur":{dur}{of}{members}}}')

    def failed(self, error: BaseException, item: int | None = None) -> None:
        """Writes an incident immediately, since the worker can end soon, and marks the exception as recorded.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).failed(ValueError("no image"), 17)
        """
        if hasattr(error, "_tracelake"):
            return
        text = f"{type(error).__name__}: {error}"
        self.recording.incident(kind_of(error), text, worker=self.worker(), item=item)
        self.recording.flush()
        error._tracelake = True  # type: ignore[attr-defined] # noqa: SLF001 - a mark of our own

    def item(self, dataset: object, index: object, begun: int, value: object) -> None:
        """Writes the row of an item, and an incident if it was slow.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     Watch(rows, "train", 1.0).item([], 3, clock.now(), b"abc")
        """
        dur = clock.now() - begun
        number = int(index) if isinstance(index, int) else None
        size = nbytes(value)
        members = "" if number is None else f',"item":{number}'
        if size is not None:
            members += f',"bytes":{size}'
        self.row("item", begun, dur, members)
        if dur > self.slow:
            name = _file_of(dataset, number)
            text = f"item {index!r} took {dur / 1e9:.3f} s" + (f": {name}" if name else "")
            self.recording.incident("slow_item", text, worker=self.worker(), item=number)


def _file_of(dataset: object, index: int | None) -> str | None:
    """Returns the file of an item, if the dataset has a list of its files under a common attribute name."""
    for name in _NAMES_OF_FILES:
        files: object = getattr(dataset, name, None)
        if isinstance(files, list | tuple) and index is not None and index < len(cast("list[object]", files)):
            file = cast("list[object]", files)[index]
            if isinstance(file, tuple) and file:
                file = cast("tuple[object, ...]", file)[0]
            if isinstance(file, str | os.PathLike):
                return os.fspath(cast("str", file))
    return None
