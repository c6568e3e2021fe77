"""The recording of one process: rows as JSON lines, written in blocks."""

from __future__ import annotations

import atexit
import json
import math
import os
import sys
import tempfile
import threading
import time
import warnings
from multiprocessing import util as _multiprocessing_util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.record import argument, clock
from tracelake.record.output.origin import get_origin, get_versions
from tracelake.record.output.target import FileTarget, StoreTarget, Target, check_address, ensure_writable, is_remote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Self

VERSION = 1
_BLOCK_BYTES = 1 << 18
_open_recordings: set[Recording] = set()


class Recording:
    """Writes the rows of one process to a file, to a store or to the default lake; docs/recorder.md has the format.

    Lines are buffered in memory for up to `block_seconds`, or 256 KiB, and then appended with one write. A killed
    process loses at most that buffer. A file needs no thread. A forked process, or a process that receives a pickled
    recording, writes its own file. Rows can come from any thread.

    Args:
        path: A folder, a file that ends in `.jsonl`, or `s3://bucket/prefix`. Without it, the recording becomes a new
            run in the default lake when it is closed.
        run: Name of the run in the lake.
        name: First part of the file names.
        attributes: Attributes of the run: names with texts or numbers.
        block_seconds: Maximum age of buffered rows, which a killed process loses. The default is 1 second for files and
            5 seconds for a store.
        options: Options of the store, as for `tracelake.open`.
        lake: URL of the lake for a recording without a path.

    Raises:
        TypeError: An option is of the wrong type.
        ValueError: The address is not supported for writing, or a number is out of range.
        OSError: The folder cannot be created or written to. A later write failure loses only its rows, with a warning;
            it never stops the training.

    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> with tl.record.Recording(folder, name="doc") as rows:
        ...     rows.row("annotation", name="hello", ts=tl.record.clock.unix(tl.record.clock.now()))
        >>> with tl.open(folder, ephemeral=True) as session:
        ...     session.sql("select name from event").to_csv().split()
        ['name', 'hello']
    """

    def __init__(  # noqa: PLR0913 - all but one are options
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        run: str | None = None,
        name: str = "main",
        attributes: Mapping[str, object] | None = None,
        block_seconds: float | None = None,
        options: Mapping[str, str] | None = None,
        lake: str | None = None,
    ) -> None:
        argument.check_mapping(attributes, "attributes")
        argument.check_mapping(options, "options")
        if block_seconds is not None:
            argument.check_number(block_seconds, "block_seconds")
        if not name or "/" in name:
            message = f"cannot name the files of a recording {name!r}: expected a name without `/`"
            raise ValueError(message)
        self.run = run
        self.name = name
        self._attributes = dict(attributes or {})
        self._options = dict(options or {})
        self._lake = lake
        self._temporary = path is None
        if path is None:
            self.run = run or f"{name}-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
            path = tempfile.mkdtemp(prefix="tracelake-record-")
        self.path: str = check_address(path)
        """The folder, or the prefix in a store, with the files of all processes of this recording."""
        self._file: Path | None = None
        if not is_remote(self.path):
            local = Path(self.path.removeprefix("file://")).absolute()
            if local.suffix == ".jsonl":
                self._file, local = local, local.parent
            self.path = str(local)
            ensure_writable(local)
        self._block = block_seconds if block_seconds is not None else 5.0 if is_remote(self.path) else 1.0
        self._owner = os.getpid()
        self._inherited_origin: dict[str, int | None] = {}
        self._reset()

    @classmethod
    def get_or_create(cls, path: str | os.PathLike[str] | Recording | None, **options: Any) -> Recording:  # noqa: ANN401 - passed on
        """Returns `path` if it is a recording, else a new recording at this path.

        Example:
            >>> rows = tl.record.Recording(tempfile.mkdtemp())
            >>> tl.record.Recording.get_or_create(rows) is rows
            True
        """
        return path if isinstance(path, Recording) else cls(path, **options)

    @property
    def closed(self) -> bool:
        """True after `close`; a closed recording writes nothing.

        Example:
            >>> tl.record.Recording(tempfile.mkdtemp()).closed
            False
        """
        return self._closed

    def _reset(self) -> None:
        """Initializes the state for this process, without any written rows."""
        # the garbage collector can end a pass, which writes, while this thread writes a row
        self._lock = threading.RLock()
        self._lines: list[str] = []
        self._size = 0
        self._due = 0
        self._header = b""
        self._target: Target | None = None
        self._closed = False
        _open_recordings.add(self)

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state that another process needs to write its own file."""
        names = ("run", "name", "path", "_attributes", "_options", "_lake", "_temporary", "_file", "_block", "_owner")
        origin = get_origin()
        inherited = {name: origin[name] for name in ("rank", "local_rank", "world_size")}
        return {**{name: getattr(self, name) for name in names}, "_inherited_origin": inherited}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restores the state in the other process."""
        vars(self).update(state)
        self._reset()

    def __enter__(self) -> Self:
        """Returns the recording itself."""
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        """Closes the recording."""
        self.close()

    def row(self, kind: str, **members: object) -> None:
        """Writes one row; skips members that are `None`, NaN or infinite.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     rows.row("attribute", key="dataset", value="imagenet")
        """
        known = {name: value for name, value in members.items() if value is not None and not _is_not_finite(value)}
        self.write(json.dumps({"kind": kind, **known}, separators=(",", ":"), default=str))

    def attribute(self, key: str, value: object) -> None:
        """Writes an attribute of the run.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     rows.attribute("learning_rate", 0.1)
        """
        self.row("attribute", key=key, value=value)

    def incident(self, what: str, message: str, **members: int | None) -> None:
        """Writes an incident; `worker`, `item` and `step` are its location.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     rows.incident("exception", "ValueError: no image", item=17)
        """
        self.row("incident", ts=clock.unix(clock.now()), what=what, message=message[:4000], **members)

    def write(self, line: str) -> None:
        """Writes one line: a JSON object, without a line feed. After `close`, it does nothing.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     rows.write('{"kind":"attribute","key":"a","value":1}')
        """
        with self._lock:
            if self._closed:
                return
            self._lines.append(line)
            self._size += len(line)
            now = clock.now()
            if now >= self._due or self._size > _BLOCK_BYTES:
                self._flush(now)

    def flush(self) -> None:
        """Writes all buffered rows.

        Example:
            >>> with tl.record.Recording(tempfile.mkdtemp()) as rows:
            ...     rows.flush()
        """
        with self._lock:
            self._flush(clock.now())

    def _flush(self, now: int) -> Target:
        if self._target is None:
            self._target = self._open()
        elif not self._lines:
            return self._target
        lines, self._lines, self._size = "\n".join([*self._lines, ""]), [], 0
        self._due = now + int(self._block * 1e9)
        self._target.write(self._header, lines.encode("utf-8", "replace"))
        return self._target

    def _open(self) -> Target:
        # a spawned process does not know its rank: use the rank of its parent
        inherited = self._inherited_origin
        origin = {name: inherited.get(name) if value is None else value for name, value in get_origin().items()}
        header = {
            "recorder": "tracelake",
            "version": VERSION,
            "run": self.run,
            "name": self.name,
            **origin,
            "time_ns": clock.unix(clock.now()),
            "monotonic_ns": clock.now(),
            "framework": "pytorch" if "torch" in sys.modules else None,
            "versions": get_versions(),
            # only the process that created the recording writes the attributes of the run
            "attributes": self._attributes if os.getpid() == self._owner else {},
        }
        header = {name: value for name, value in header.items() if value is not None}
        self._header = json.dumps(header, separators=(",", ":"), default=str).encode() + b"\n"
        if os.getpid() != self._owner:
            # such a process does not run the `atexit` functions at its end
            _multiprocessing_util.Finalize(None, self.close, exitpriority=10)
        stem = f"{self.name}-{origin['rank'] or 0}-{os.getpid()}"
        if is_remote(self.path):
            return StoreTarget(self.path, stem, self._options)
        if self._file is not None and os.getpid() == self._owner:
            return FileTarget(self._file)
        return FileTarget(Path(self.path) / f"{stem}.jsonl")

    def close(self) -> None:
        """Closes the recording, and ingests it into the lake if it has no path. A second call does nothing.

        Example:
            >>> rows = tl.record.Recording(tempfile.mkdtemp())
            >>> rows.close()
        """
        with self._lock:
            _open_recordings.discard(self)
            if self._closed:
                return
            if self._target is None and not self._lines and os.getpid() != self._owner:
                self._closed = True
                return
            self._lines.append(f'{{"kind":"end","ts":{clock.unix(clock.now())}}}')
            target = self._flush(clock.now())
            self._closed = True
            target.close()
        if self._temporary and os.getpid() == self._owner:
            self._ingest()

    def _ingest(self) -> None:
        """Ingests the files of all processes into the lake, and removes them."""
        import shutil  # noqa: PLC0415 - only here

        import tracelake  # noqa: PLC0415 - a recording into a folder needs no engine

        try:
            with tracelake.open(self._lake, create=self._lake is not None) as session:
                session.ingest(self.path, run=self.run, progress=False)
        except tracelake.TracelakeError:
            message = f"the recording stays in {self.path}: run `tracelake ingest {self.path}` to ingest it"
            warnings.warn(message, RuntimeWarning, stacklevel=3)
            raise
        shutil.rmtree(self.path, ignore_errors=True)

    def _reset_after_fork(self) -> None:
        """Resets the state in a forked child: the parent writes its own buffered rows."""
        if self._target is not None:
            self._target.forget()
        self._reset()


def _is_not_finite(value: object) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _reset_all() -> None:
    for recording in list(_open_recordings):
        recording._reset_after_fork()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - of this module


def _close_all() -> None:
    for recording in list(_open_recordings):
        try:
            recording.close()
        except Exception as error:  # noqa: BLE001, PERF203 - close the other recordings too
            warnings.warn(f"cannot close the recording: {error}", RuntimeWarning, stacklevel=1)


os.register_at_fork(after_in_child=_reset_all)
atexit.register(_close_all)
