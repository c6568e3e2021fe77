"""Checks the arguments of recorders before anything runs; an error names the given and the expected value.

A value of the wrong type is a `TypeError`, a wrong value of the right type a `ValueError`. Early checks prevent that a
typo stops a training an hour later.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["counts", "flag_or_function", "function", "loader", "mapping", "number", "sizes", "spent", "whole"]

_LONG = 40


def add_hint(message: str, hint: str) -> str:
    """Returns the text of an error, with the hint if there is one.

    Example:
        >>> print(tl.record.argument.add_hint("cannot begin step", "@recorder.step()"))
        cannot begin step
          hint:   @recorder.step()
    """
    return f"{message}\n  hint:   {hint}" if hint else message


def kind(value: object) -> str:
    """Returns a value as text for errors, with its type.

    Example:
        >>> tl.record.argument.kind("1s"), tl.record.argument.kind(print)
        ("'1s' (str)", 'print (builtin_function_or_method)')
    """
    name = getattr(value, "__qualname__", None)
    text = name if isinstance(name, str) else repr(value)
    of = type(value).__name__
    # the text of a loader can contain all of its data
    return f"{text} ({of})" if len(text) < _LONG and "\n" not in text else f"a value of type {of}"


def loader(value: Any) -> None:  # noqa: ANN401 - anything
    """Checks that a value can be iterated.

    Example:
        >>> tl.record.LoaderProfiler(3)
        Traceback (most recent call last):
        TypeError: cannot iterate 3 (int): expected a loader, such as a DataLoader, a list of batches or a generator
    """
    if isinstance(value, type):
        hint = f"create an instance first: {value.__name__}(...)"
    elif isinstance(value, Iterable) or hasattr(value, "__getitem__"):
        return
    else:
        hint = "pass the return value of the function, not the function" if callable(value) else ""
    expected = "expected a loader, such as a DataLoader, a list of batches or a generator"
    raise TypeError(add_hint(f"cannot iterate {kind(value)}: {expected}", hint))


def spent(value: object, name: str) -> None:
    """Warns that a pass had no batch because the iterator is already exhausted.

    Example:
        >>> tl.record.argument.spent([], "train")  # an empty list, not an exhausted iterator
    """
    if isinstance(value, Iterator):
        message = add_hint(
            f"loader `{name}` gave no batch: {kind(cast('object', value))} can be iterated only once and is exhausted",
            "pass an object that can be iterated again, such as the DataLoader itself or list(...)",
        )
        warnings.warn(message, RuntimeWarning, stacklevel=3)


def function(value: object, name: str, of: str, hint: str = "") -> None:
    """Checks that a value can be called.

    Example:
        >>> tl.record.optimize([1], step=None)
        Traceback (most recent call last):
        TypeError: cannot use step=None: expected a function of a batch
    """
    if not callable(value):
        raise TypeError(add_hint(f"cannot use {name}={value!r}: expected {of}", hint))


def flag_or_function(value: object, name: str) -> None:
    """Checks that a value is `True`, `False` or a function.

    Example:
        >>> tl.record.LoaderProfiler([1], synchronize="cuda")
        Traceback (most recent call last):
        TypeError: cannot use synchronize='cuda': expected True, False or a function
    """
    if not isinstance(value, bool):
        function(value, name, "True, False or a function")


def number(value: object, name: str, *, least: float = 0.0, above: bool = False) -> None:
    """Checks that a value is a number of at least `least`, or, with `above`, a number above `least`.

    Example:
        >>> tl.record.Recorder(machine=0)
        Traceback (most recent call last):
        ValueError: cannot use machine=0: expected a number above 0
        >>> tl.record.measure_loading_overhead([1], compute_time=-1)
        Traceback (most recent call last):
        ValueError: cannot use compute_time=-1: expected a number of at least 0
    """
    bound = f"{'above' if above else 'of at least'} {least:g}"
    message = f"cannot use {name}={value!r}: expected a number {bound}"
    try:
        found = float(value) if not isinstance(value, str) else None  # type: ignore[arg-type] - the call is the check
    except (TypeError, ValueError):
        found = None
    if found is None:
        raise TypeError(message)
    if not math.isfinite(found) or found < least or (above and found == least):
        raise ValueError(message)


def whole(value: Any, name: str, *, least: int, why: str = "") -> None:  # noqa: ANN401 - anything
    """Checks that a value is a whole number of at least `least`.

    Example:
        >>> tl.record.measure_throughput([1], warmup=-1)
        Traceback (most recent call last):
        ValueError: cannot use warmup=-1: expected a whole number of at least 0
    """
    message = f"cannot use {name}={value!r}: expected a whole number of at least {least}{why}"
    try:
        found = index(value)
    except TypeError:
        raise TypeError(message) from None
    if found < least:
        raise ValueError(message)


def counts(least: int, **given: Any) -> None:  # noqa: ANN401 - anything
    """Checks that each value is None or several whole numbers of at least `least`.

    Example:
        >>> tl.record.diagnose_dataloader([1], workers=2, dataloader=list)
        Traceback (most recent call last):
        TypeError: cannot use workers=2: expected several whole numbers
          hint:   workers=[2]
    """
    for name, value in given.items():
        if value is None:
            continue
        if not isinstance(value, Iterable) or isinstance(value, Iterator | str):
            hint = f"{name}=[{value}]" if isinstance(value, int) else ""
            raise TypeError(add_hint(f"cannot use {name}={value!r}: expected several whole numbers", hint))
        for at, one in enumerate(cast("Iterable[object]", value)):
            whole(one, f"{name}[{at}]", least=least)


def mapping(value: object, name: str) -> None:
    """Checks that a value is None or a mapping of names to values.

    Example:
        >>> tl.record.LoaderProfiler([1], attributes=["a"])
        Traceback (most recent call last):
        TypeError: cannot use attributes=['a']: expected names with values, such as {'batch_size': 32}
    """
    if value is not None and not isinstance(value, Mapping):
        message = f"cannot use {name}={value!r}: expected names with values, such as {{'batch_size': 32}}"
        raise TypeError(message)


def sizes(given: Callable[[Any], int | None] | None) -> Callable[[Any], int | None] | None:
    """Returns the user's function that counts the samples of a batch, with a check of its result at each batch.

    Example:
        >>> list(tl.record.LoaderProfiler(["ab"], tempfile.mkdtemp(), batch_size=str.upper))
        Traceback (most recent call last):
        TypeError: cannot count samples: batch_size gave 'AB' (str), expected a whole number or None
        >>> tl.record.LoaderProfiler(["ab"], batch_size=32)
        Traceback (most recent call last):
        TypeError: cannot use batch_size=32: expected a function of a batch that gives the number of its samples
    """
    if given is None:
        return None
    function(given, "batch_size", "a function of a batch that gives the number of its samples")

    def counted(batch: Any) -> int | None:  # noqa: ANN401 - any batch
        size: Any = given(batch)
        try:
            return None if size is None else index(size)
        except TypeError:
            message = f"cannot count samples: batch_size gave {kind(size)}, expected a whole number or None"
            raise TypeError(message) from None

    return counted
