"""Classifies the exceptions of a loader."""

from __future__ import annotations


def classify_error(error: BaseException) -> str:
    """Returns the `incident.kind` of an exception: worker_timeout, worker_exit, out_of_memory or exception.

    PyTorch's DataLoader raises a `RuntimeError`; only its message contains the cause.

    Example:
        >>> from tracelake.record.output.incident import classify_error
        >>> classify_error(RuntimeError("DataLoader timed out after 5 seconds")), classify_error(ValueError("no image"))
        ('worker_timeout', 'exception')
    """
    text = str(error)
    if isinstance(error, MemoryError) or "out of memory" in text.lower() or type(error).__name__ == "OutOfMemoryError":
        return "out_of_memory"
    if "DataLoader timed out" in text:
        return "worker_timeout"
    if "exited unexpectedly" in text or "is killed by signal" in text:
        return "worker_exit"
    return "exception"
