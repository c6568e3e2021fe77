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
from tracelake.record.loader.wrapped import (
    NumberedBatchSampler,
    RecordedCollate,
    RecordedDataset,
    RecordedIterableDataset,
    RecordedWorkerInit,
)
from tracelake.record.output.incident import classify_error

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.record.output.recording import Recording

CREATING_ITERATOR: set[int] = set()
"""Loaders, by `id`, for which a recorder is making an iterator; hooks into loaders skip them."""


_FILE_LIST_ATTRIBUTES = ("samples", "imgs", "files", "paths", "filenames")


class WorkerRecorder:
    """Records the workers of one loader. It reaches them by fork or pickle, and detects there the current worker.

    Example:
        >>> from tracelake.record.loader.worker import WorkerRecorder
        >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
        ...     list(WorkerRecorder(rows, "train", 1.0).create_iterator([1, 2], 0))
        [1, 2]
    """

    def __init__(self, recording: Recording, loader: str, slow_item: float) -> None:
        self.recording = recording
        self.slow = int(slow_item * 1e9)
        self.epoch: int | None = None
        self.batch: int | None = None
        self._loader = json.dumps(loader)
        self._is_active = False
        self._worker: tuple[int, int | None] | None = None

    def create_iterator(self, loader: Any, epoch: int) -> Iterator[Any]:  # noqa: ANN401 - any loader
        """Makes the iterator of a loader; for a DataLoader, with wrapped parts that record.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     next(WorkerRecorder(rows, "train", 1.0).create_iterator("ab", 0))
            'a'
        """
        data: Any = sys.modules.get("torch.utils.data")
        if data is None or not isinstance(loader, data.DataLoader):
            return iter(loader)
        self.epoch = epoch
        self._is_active = True
        names = ("dataset", "collate_fn", "batch_sampler", "worker_init_fn")
        original = {name: getattr(loader, name) for name in names}
        wrapped: dict[str, Any] = {
            "collate_fn": RecordedCollate(original["collate_fn"], self),
            "worker_init_fn": RecordedWorkerInit(original["worker_init_fn"], self),
        }
        if original["batch_sampler"] is not None:
            wrapped["batch_sampler"] = NumberedBatchSampler(original["batch_sampler"], self)
        pipes: tuple[Any, ...] = tuple(
            cast("Any", vars(data)[name]) for name in ("IterDataPipe", "MapDataPipe") if name in vars(data)
        )
        if isinstance(original["dataset"], data.IterableDataset) and not isinstance(original["dataset"], pipes):
            wrapped["dataset"] = RecordedIterableDataset(original["dataset"], self)
        elif not isinstance(original["dataset"], pipes):
            wrapped["dataset"] = RecordedDataset(original["dataset"], self)
        is_outermost = id(loader) not in CREATING_ITERATOR
        try:
            CREATING_ITERATOR.add(id(loader))
            for name, value in wrapped.items():
                # DataLoader's own `__setattr__` refuses this
                object.__setattr__(loader, name, value)
            return iter(loader)
        finally:
            if is_outermost:
                CREATING_ITERATOR.discard(id(loader))
            for name, value in original.items():
                object.__setattr__(loader, name, value)

    def has_recorded(self, error: BaseException) -> bool:
        """Returns whether the exception was already recorded at its source, a watched dataset or collate function.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).has_recorded(ValueError())
            False
        """
        return self._is_active and (hasattr(error, "_tracelake") or "in DataLoader worker process" in str(error))

    def find_worker(self, error: BaseException, iterator: object) -> int | None:
        """Returns the number of the worker with a process id from the text of the exception.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).find_worker(RuntimeError("worker (pid 7) is killed"), None)
        """
        pids = {int(pid) for pid in re.findall(r"\d+", str(error))}
        workers: list[Any] = getattr(iterator, "_workers", [])
        return next((number for number, worker in enumerate(workers) if worker.pid in pids), None)

    def worker_number(self) -> int | None:
        """Returns the number of the current worker; `None` in the training process.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).worker_number()
        """
        if self._worker is None or self._worker[0] != os.getpid():
            data: Any = sys.modules.get("torch.utils.data")
            info = None if data is None else data.get_worker_info()
            self._worker = (os.getpid(), None if info is None else int(info.id))
        return self._worker[1]

    def write_row(self, kind: str, start: int, dur: int, members: str = "") -> None:
        """Writes a row of this loader, worker, epoch and batch.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).write_row("collate", 0, 5)
        """
        worker = self.worker_number()
        location = "" if worker is None else f',"worker":{worker}'
        if self.epoch is not None:
            location += f',"epoch":{self.epoch}'
        if self.batch is not None:
            location += f',"batch":{self.batch}'
        ts = clock.unix(start)
        self.recording.write(f'{{"kind":"{kind}","loader":{self._loader},"ts":{ts},"dur":{dur}{location}{members}}}')

    def record_failure(self, error: BaseException, item: int | None = None) -> None:
        """Writes an incident immediately, since the worker can end soon, and marks the exception as recorded.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).record_failure(ValueError("no image"), 17)
        """
        if hasattr(error, "_tracelake"):
            return
        text = f"{type(error).__name__}: {error}"
        self.recording.incident(classify_error(error), text, worker=self.worker_number(), item=item)
        self.recording.flush()
        error._tracelake = True  # type: ignore[attr-defined] # noqa: SLF001 - a mark of our own

    def record_item(self, dataset: object, index: object, start: int, value: object) -> None:
        """Writes the row of an item, and an incident if it was slow.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     WorkerRecorder(rows, "train", 1.0).record_item([], 3, clock.now(), b"abc")
        """
        dur = clock.now() - start
        item_number = int(index) if isinstance(index, int) else None
        size = nbytes(value)
        members = "" if item_number is None else f',"item":{item_number}'
        if size is not None:
            members += f',"bytes":{size}'
        self.write_row("item", start, dur, members)
        if dur > self.slow:
            name = _find_file(dataset, item_number)
            text = f"item {index!r} took {dur / 1e9:.3f} s" + (f": {name}" if name else "")
            self.recording.incident("slow_item", text, worker=self.worker_number(), item=item_number)


def _find_file(dataset: object, index: int | None) -> str | None:
    """Returns the file of an item, if the dataset has a list of its files under a common attribute name."""
    for name in _FILE_LIST_ATTRIBUTES:
        files: object = getattr(dataset, name, None)
        if isinstance(files, list | tuple) and index is not None and index < len(cast("list[object]", files)):
            file = cast("list[object]", files)[index]
            if isinstance(file, tuple) and file:
                file = cast("tuple[object, ...]", file)[0]
            if isinstance(file, str | os.PathLike):
                return os.fspath(cast("str", file))
    return None
