"""Records one pass over a loader: the wait for each batch, and the compute time after it."""

from __future__ import annotations

import json
import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tracelake.record import argument, clock
from tracelake.record.loader.batch import batch_size
from tracelake.record.output.incident import classify_error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from typing_extensions import Self

    from tracelake.record.loader.times import Epoch
    from tracelake.record.loader.worker import WorkerRecorder
    from tracelake.record.output.recording import Recording

Batch = TypeVar("Batch")


class Pass(Generic[Batch]):
    """One pass over a loader: yields its batches, and records a row for each.

    Example:
        >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
        ...     epoch = tl.record.Epoch(0)
        ...     list(tl.record.loader.passes.Pass([1, 2], epoch, rows, "train"))
        [1, 2]
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the state of its profiler
        self,
        loader: Iterable[Batch],
        epoch: Epoch,
        recording: Recording,
        name: str,
        size: Callable[[Any], int | None] | None = None,
        synchronize: Callable[[], object] | None = None,
        worker_recorder: WorkerRecorder | None = None,
    ) -> None:
        self._ended = True  # until the pass has started
        self._loader = loader
        self._epoch = epoch
        self._recording = recording
        self._name = json.dumps(name)
        expected = getattr(loader, "batch_size", None)
        self._size_of = size or partial(batch_size, expected=expected)
        self._synchronize = synchronize
        self._worker_recorder = worker_recorder
        self._start = clock.now()
        try:
            self._iterator = (
                iter(loader) if worker_recorder is None else worker_recorder.create_iterator(loader, epoch.epoch)
            )
        except BaseException as error:
            self._record_failure(error)
            raise
        dur = clock.now() - self._start
        self._row(f'"init","loader":{self._name},"ts":{clock.unix(self._start)},"dur":{dur},"epoch":{epoch.epoch}')
        self._number = 0
        self._wait_start = self._wait_dur = self._wait_end = 0
        self._size: int | None = None
        self._has_batch = self._ended = False

    def __iter__(self) -> Self:
        return self

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute of the iterator
        if name in {"_iterator", "_ended"}:
            raise AttributeError(name)
        return getattr(self._iterator, name)

    def __next__(self) -> Batch:
        if self._has_batch:
            if self._synchronize is not None:
                self._synchronize()
            self._write_batch(clock.now())
        wait_start = clock.now()
        try:
            batch = next(self._iterator)
        except StopIteration:
            if not self._number and not self._ended:
                argument.warn_if_exhausted(self._loader, json.loads(self._name))
            self._end(wait_start)
            raise
        except BaseException as error:
            self._record_failure(error)
            raise
        self._wait_dur = clock.now() - wait_start
        self._wait_start = wait_start
        self._size = self._size_of(batch)
        self._has_batch = True
        self._wait_end = clock.now()
        return batch

    def _write_batch(self, now: int | None) -> None:
        """Writes the row of the last batch; `now` is the time of the request for the next one."""
        compute = None if now is None else now - self._wait_end
        size_member = "" if self._size is None else f',"batch_size":{self._size}'
        compute_member = "" if compute is None else f',"compute_dur":{compute}'
        self._row(
            f'"next","loader":{self._name},"ts":{clock.unix(self._wait_start)},"dur":{self._wait_dur}{compute_member}'
            f',"epoch":{self._epoch.epoch},"batch":{self._number}{size_member}'
        )
        self._epoch.add(self._wait_dur / 1e9, None if compute is None else compute / 1e9, self._size)
        self._number += 1
        self._has_batch = False

    def _end(self, now: int | None) -> None:
        if self._ended:
            return
        self._ended = True
        if self._has_batch:
            self._write_batch(None)
        dur = "" if now is None else f',"dur":{now - self._start}'
        self._row(
            f'"pass","loader":{self._name},"ts":{clock.unix(self._start)}{dur}'
            f',"epoch":{self._epoch.epoch},"batches":{self._number}'
        )

    def _row(self, members: str) -> None:
        self._recording.write('{"kind":' + members + "}")

    def _record_failure(self, error: BaseException) -> None:
        recorder = self._worker_recorder
        # a watched worker has already recorded its exception, with the item
        if isinstance(error, Exception) and not (recorder and recorder.has_recorded(error)):
            worker = recorder.find_worker(error, getattr(self, "_iterator", None)) if recorder else None
            self._recording.incident(classify_error(error), f"{type(error).__name__}: {error}", worker=worker)
        self._end(None)
        self._recording.flush()

    def __del__(self) -> None:
        # a loop that exits early drops its iterator
        if not self._ended and not sys.is_finalizing():
            self._end(None)
