"""What went wrong, in words a user can act on: one class per kind.

The text is the same in a notebook cell, in Python and in the shell: what could not be done, then lines with context
and, where there is one, a hint. A class also inherits the built-in exception of its meaning where Python has one.
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
    """A file, prefix, bucket, run, table, query or figure is not there.

    Example:
        >>> s.query("step.duratoin")
        Traceback (most recent call last):
        tracelake.errors.NotFoundError: no query `step.duratoin`; did you mean `step.duration`?
    """


class DeniedError(TracelakeError, PermissionError):
    """The store refused the credentials, or they lack a right.

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
    """No format knows this input; the text names the formats that were looked for."""


class MalformedError(TracelakeError):
    """The input is of a known format, and nothing in it could be read."""


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
    """Somebody else changed the same run, or the name is taken by another profile."""


class ExhaustedError(TracelakeError):
    """Disk or memory is used up."""


class CancelledError(TracelakeError):
    """The caller gave up; Ctrl-C raises `KeyboardInterrupt` instead."""


class InternalError(TracelakeError):
    """A bug in tracelake; the text says how to report it."""
