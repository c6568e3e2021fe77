"""Checks the arguments of recorders before anything runs; an error has the actual and the expected value.

A value of the wrong type is a `TypeError`, a wrong value of the right type a `ValueError`. Without these early checks,
a typo could stop a training job an hour later.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Iterator, Mapping
from operator import index
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable

_LONG = 40


def add_hint(message: str, hint: str) -> str:
    """Returns the text of an error, with the hint if there is one.

    Example:
        >>> print(tl.record.argument.add_hint("cannot begin step", "@recorder.step()"))
        cannot begin step
          hint:   @recorder.step()
    """
    return f"{message}\n  hint:   {hint}" if hint else message


def describe(value: object) -> str:
    """Returns a value as text for errors, with its type.

    Example:
        >>> tl.record.argument.describe("1s"), tl.record.argument.describe(print)
        ("'1s' (str)", 'print (builtin_function_or_method)')
    """
    name = getattr(value, "__qualname__", None)
    text = name if isinstance(name, str) else repr(value)
    type_name = type(value).__name__
    # the text of a loader can contain all of its data
    return f"{text} ({type_name})" if len(text) < _LONG and "\n" not in text else f"a value of type {type_name}"


def check_loader(value: Any) -> None:  # noqa: ANN401 - anything
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
    raise TypeError(add_hint(f"cannot iterate {describe(value)}: {expected}", hint))


def warn_if_exhausted(value: object, name: str) -> None:
    """Warns that a pass had no batch because the iterator is already exhausted.

    Example:
        >>> tl.record.argument.warn_if_exhausted([], "train")  # an empty list, not an exhausted iterator
    """
    if isinstance(value, Iterator):
        loader = describe(cast("object", value))
        message = f"loader `{name}` gave no batch: {loader} can be iterated only once and is exhausted"
        hint = "pass an object that can be iterated again, such as the DataLoader itself or list(...)"
        warnings.warn(add_hint(message, hint), RuntimeWarning, stacklevel=3)


def check_function(value: object, name: str, expected: str, hint: str = "") -> None:
    """Checks that a value can be called.

    Example:
        >>> tl.record.optimize([1], step=None)
        Traceback (most recent call last):
        TypeError: cannot use step=None: expected a function of a batch
    """
    if not callable(value):
        raise TypeError(add_hint(f"cannot use {name}={value!r}: expected {expected}", hint))


def check_flag_or_function(value: object, name: str) -> None:
    """Checks that a value is `True`, `False` or a function.

    Example:
        >>> tl.record.LoaderProfiler([1], synchronize="cuda")
        Traceback (most recent call last):
        TypeError: cannot use synchronize='cuda': expected True, False or a function
    """
    if not isinstance(value, bool):
        check_function(value, name, "True, False or a function")


def check_number(value: object, name: str, *, minimum: float = 0.0, exclusive: bool = False) -> None:
    """Checks that a value is a number of at least `minimum`; with `exclusive`, that it is above `minimum`.

    Example:
        >>> tl.record.Recorder(machine=0)
        Traceback (most recent call last):
        ValueError: cannot use machine=0: expected a number above 0
        >>> tl.record.measure_loading_overhead([1], compute_time=-1)
        Traceback (most recent call last):
        ValueError: cannot use compute_time=-1: expected a number of at least 0
    """
    bound = f"{'above' if exclusive else 'of at least'} {minimum:g}"
    message = f"cannot use {name}={value!r}: expected a number {bound}"
    try:
        parsed = float(value) if not isinstance(value, str) else None  # type: ignore[arg-type] - the call is the check
    except (TypeError, ValueError):
        parsed = None
    if parsed is None:
        raise TypeError(message)
    if not math.isfinite(parsed) or parsed < minimum or (exclusive and parsed == minimum):
        raise ValueError(message)


def check_whole_number(value: Any, name: str, *, minimum: int, reason: str = "") -> None:  # noqa: ANN401 - anything
    """Checks that a value is a whole number of at least `minimum`.

    Example:
        >>> tl.record.measure_throughput([1], warmup=-1)
        Traceback (most recent call last):
        ValueError: cannot use warmup=-1: expected a whole number of at least 0
    """
    message = f"cannot use {name}={value!r}: expected a whole number of at least {minimum}{reason}"
    try:
        parsed = index(value)
    except TypeError:
        raise TypeError(message) from None
    if parsed < minimum:
        raise ValueError(message)


def check_counts(minimum: int, **values: Any) -> None:  # noqa: ANN401 - anything
    """Checks that each value is None or several whole numbers of at least `minimum`.

    Example:
        >>> tl.record.diagnose_dataloader([1], workers=2, dataloader=list)
        Traceback (most recent call last):
        TypeError: cannot use workers=2: expected several whole numbers
          hint:   workers=[2]
    """
    for name, value in values.items():
        if value is None:
            continue
        if not isinstance(value, Iterable) or isinstance(value, Iterator | str):
            hint = f"{name}=[{value}]" if isinstance(value, int) else ""
            raise TypeError(add_hint(f"cannot use {name}={value!r}: expected several whole numbers", hint))
        for position, item in enumerate(cast("Iterable[object]", value)):
            check_whole_number(item, f"{name}[{position}]", minimum=minimum)


def check_mapping(value: object, name: str) -> None:
    """Checks that a value is None or a mapping of names to values.

    Example:
        >>> tl.record.LoaderProfiler([1], attributes=["a"])
        Traceback (most recent call last):
        TypeError: cannot use attributes=['a']: expected names with values, such as {'batch_size': 32}
    """
    if value is not None and not isinstance(value, Mapping):
        message = f"cannot use {name}={value!r}: expected names with values, such as {{'batch_size': 32}}"
        raise TypeError(message)


def check_sizes(function: Callable[[Any], int | None] | None) -> Callable[[Any], int | None] | None:
    """Returns the user's function that counts the samples of a batch; each call also checks the result.

    Example:
        >>> list(tl.record.LoaderProfiler(["ab"], tempfile.mkdtemp(), batch_size=str.upper))
        Traceback (most recent call last):
        TypeError: cannot count samples: batch_size gave 'AB' (str), expected a whole number or None
        >>> tl.record.LoaderProfiler(["ab"], batch_size=32)
        Traceback (most recent call last):
        TypeError: cannot use batch_size=32: expected a function of a batch that gives the number of its samples
    """
    if function is None:
        return None
    check_function(function, "batch_size", "a function of a batch that gives the number of its samples")

    def count_checked(batch: Any) -> int | None:  # noqa: ANN401 - any batch
        size: Any = function(batch)
        try:
            return None if size is None else index(size)
        except TypeError:
            message = f"cannot count samples: batch_size gave {describe(size)}, expected a whole number or None"
            raise TypeError(message) from None

    return count_checked
