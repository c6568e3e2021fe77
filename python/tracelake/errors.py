"""The errors of tracelake, one class per kind.

The text is the same in a notebook cell, in Python and in the shell: the operation that failed, then lines with context
and, if available, a hint. A class also inherits from the matching built-in exception of Python, if there is one.
"""

__all__ = [
    "ArgumentError",
    "CancelledError",
    "ConflictError",
    "DeniedError",
    "ExhaustedError",
    "InternalError",
    "MalformedError",
    "NotFoundError",
    "QueryError",
    "TracelakeError",
    "UnreachableError",
    "UnrecognizedError",
]


class TracelakeError(Exception):
    """Any error that tracelake raises.

    Example:
        >>> try:
        ...     s.sql("select nothing from nowhere")
        ... except tl.errors.TracelakeError as error:
        ...     print(type(error).__name__)
        QueryError
    """


class NotFoundError(TracelakeError, FileNotFoundError):
    """A file, prefix, bucket, run, table, query or figure does not exist.

    Example:
        >>> s.query("step.duratoin")
        Traceback (most recent call last):
        tracelake.errors.NotFoundError: no query `step.duratoin`; did you mean `step.duration`?
    """


class DeniedError(TracelakeError, PermissionError):
    """The store refused the credentials, or they lack a permission.

    Example:
        >>> issubclass(tl.errors.DeniedError, PermissionError)
        True
    """


class UnreachableError(TracelakeError, ConnectionError):
    """The store did not answer.

    Example:
        >>> issubclass(tl.errors.UnreachableError, ConnectionError)
        True
    """


class UnrecognizedError(TracelakeError):
    """No supported format matches this input; the text names the formats that were tried."""


class MalformedError(TracelakeError):
    """The input has a known format, but none of it could be read."""


class QueryError(TracelakeError):
    """The SQL is wrong, or not allowed here.

    Example:
        >>> try:
        ...     s.sql("drop table event")
        ... except tl.errors.QueryError:
        ...     print("a session is read-only")
        a session is read-only
    """


class ArgumentError(TracelakeError, ValueError):
    """An argument is missing, unknown, or of the wrong type.

    Example:
        >>> s.window("yesterday", "today")
        Traceback (most recent call last):
        tracelake.errors.ArgumentError: cannot read `yesterday` as a time: expected a form like 2026-11-20T10:00:00
    """


class ConflictError(TracelakeError):
    """Another process changed the same run, or another profile has the name."""


class ExhaustedError(TracelakeError):
    """The disk is full, or memory is exhausted."""


class CancelledError(TracelakeError):
    """The caller cancelled the call; Ctrl-C raises `KeyboardInterrupt` instead."""


class InternalError(TracelakeError):
    """A bug in tracelake; the text explains how to report it."""
