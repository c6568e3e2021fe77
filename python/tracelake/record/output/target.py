"""The destinations of a recording: a file that grows, or objects of a store."""

from __future__ import annotations

import os
import queue
import threading
import warnings
from typing import TYPE_CHECKING, Protocol, cast

from tracelake.record import argument

if TYPE_CHECKING:
    from pathlib import Path

_STORES = ("s3", "http", "https")


class Target(Protocol):
    """Stores whole lines, in order."""

    def write(self, header: bytes, lines: bytes) -> None:
        """Stores lines; `header` is the first line of the recording."""

    def close(self) -> None:
        """Blocks until all lines are stored."""

    def forget(self) -> None:
        """Drops the state that a forked process inherited, without any change to the parent's state."""


def is_remote(path: str) -> bool:
    """Returns whether the path is a URL of a store, and not a local path.

    Example:
        >>> tl.record.output.target.is_remote("s3://bucket/run-1"), tl.record.output.target.is_remote("/data/run-1")
        (True, False)
    """
    return "://" in path and not path.startswith("file://")


def check_address(path: object) -> str:
    """Returns the path of a recording as text, after a check.

    Raises:
        TypeError: The value is not a path.
        ValueError: The path is empty, or belongs to an unknown store.

    Example:
        >>> tl.record.output.target.check_address("s3://bucket/run-1")
        's3://bucket/run-1'
    """
    expected = "expected a folder, a file that ends in .jsonl, or an address such as s3://bucket/prefix"
    try:
        text = os.fspath(cast("os.PathLike[str]", path))
    except TypeError:
        text = None
    if not isinstance(text, str):
        message = f"cannot record to {argument.describe(path)}: {expected}"
        raise TypeError(message)
    if not text or (is_remote(text) and text.partition("://")[0] not in _STORES):
        message = f"cannot record to {text!r}: {expected}"
        raise ValueError(message)
    return text


def ensure_writable(folder: Path) -> None:
    """Creates a folder, and checks that it is writable, before the training starts.

    Raises:
        OSError: The folder cannot be created, or is not writable.

    Example:
        >>> from pathlib import Path
        >>> tl.record.output.target.ensure_writable(Path(tempfile.mkdtemp(), "runs", "first"))
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        message = f"cannot record to {folder}: it is a file, expected a folder or a name that ends in .jsonl"
        raise NotADirectoryError(message) from error
    except OSError as error:
        message = f"cannot record to {folder}: cannot create the folder: {error.strerror}"
        raise type(error)(message) from error
    if not os.access(folder, os.W_OK | os.X_OK):
        message = f"cannot record to {folder}: this user has no write permission"
        raise PermissionError(message)


class FileTarget:
    """Appends each block of lines to a file with one write, so that written blocks survive a killed process.

    On a full disk, the block is lost, with a warning; the training continues.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    def write(self, header: bytes, lines: bytes) -> None:
        """Appends lines; the first call writes the header before them."""
        try:
            if self._file is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                lines = header + lines
            rest = memoryview(lines)
            while rest:
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            message = f"cannot write a block of the recording to {self._path}: {error.strerror}"
            warnings.warn(message, RuntimeWarning, stacklevel=1)

    def close(self) -> None:
        """Closes the file."""
        self.forget()

    def forget(self) -> None:
        """Closes the file in this process; it stays open in the parent."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class StoreTarget:
    """Writes each block of lines to an object `<stem>-<number>.jsonl` of a store, from a separate thread.

    If the store does not respond, the block is lost, with a warning; the training continues.
    """

    def __init__(self, url: str, stem: str, options: dict[str, str]) -> None:
        self._url, self._stem, self._options = url, stem, options
        self._number = 0
        self._queue: queue.Queue[tuple[str, bytes] | None] = queue.Queue(maxsize=64)
        self._thread: threading.Thread | None = None

    def write(self, header: bytes, lines: bytes) -> None:
        """Queues a block for the thread; blocks if the queue already holds 64 blocks."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._send, name="tracelake-record", daemon=True)
            self._thread.start()
        number = self._number
        self._number += 1
        block = b'{"block":%d,' % number + header[1:] + lines
        self._queue.put((f"{self._stem}-{number:06}.jsonl", block))

    def close(self) -> None:
        """Blocks until the store has all blocks."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def forget(self) -> None:
        """Drops the thread, which does not exist in a forked process, and its queued blocks."""
        self.__init__(self._url, self._stem, self._options)

    def _send(self) -> None:
        from tracelake import _tracelake  # noqa: PLC0415 - only uploads need the native module

        upload: _tracelake.Upload | None = None
        while (block := self._queue.get()) is not None:
            try:
                upload = upload or _tracelake.Upload(self._url, self._options)
                upload.put(*block)
            except Exception as error:  # noqa: BLE001, PERF203 - a failing store must not stop the training
                warnings.warn(f"cannot upload a block of the recording: {error}", RuntimeWarning, stacklevel=1)
