"""Counts the samples and bytes of a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from typing import Any, cast


def batch_size(batch: object, expected: int | None = None) -> int | None:  # noqa: PLR0911 - one return per batch kind
    """Returns the number of samples in a batch; `None` if it is not known.

    For an array or tensor, it is the first dimension. For a mapping, tuple or list, it is the number of its first array
    or tensor. A list without arrays is a list of samples. `expected` is the configured batch size of the loader: a list
    of that length is a list of samples too.

    Example:
        >>> tl.record.batch_size({"ids": [1, 2, 3]}), tl.record.batch_size([b"a", b"b"]), tl.record.batch_size(7)
        (3, 2, None)
    """
    if isinstance(batch, str | bytes):
        return None
    shape = getattr(batch, "shape", None)
    if shape is not None:
        return int(shape[0]) if len(shape) > 0 else None
    graphs = getattr(batch, "num_graphs", None)
    if isinstance(graphs, int):
        return graphs
    if isinstance(batch, Mapping):
        sizes = (batch_size(value, expected) for value in cast("Mapping[Any, Any]", batch).values())
        return next((size for size in sizes if size is not None), None)
    if isinstance(batch, Sequence):
        members = cast("Sequence[Any]", batch)
        nested = isinstance(members, tuple) or (len(members) > 0 and not _is_sample(members[0]))
        first = next((size for size in map(batch_size, members) if size is not None), None) if nested else None
        if isinstance(members, list) and len(members) == expected and first != expected:
            return expected
        return first if first is not None else len(members)
    return len(batch) if isinstance(batch, Sized) else None


def _is_sample(member: object) -> bool:
    """Returns whether a member of a list is one sample, and not an array of several samples."""
    shape = getattr(member, "shape", None)
    if shape is not None:
        return len(shape) == 0
    return isinstance(member, str | bytes | tuple) or not isinstance(member, Sequence | Mapping)


def nbytes(value: object) -> int | None:
    """Returns the bytes of the arrays, tensors and texts in a sample or batch; `None` if it has none.

    Example:
        >>> tl.record.loader.batch.nbytes({"raw": b"abc", "label": 1})
        3
    """
    if isinstance(value, bytes | bytearray):
        return len(value)
    if isinstance(value, str):
        return len(value.encode("utf-8", "surrogatepass"))
    own = getattr(value, "nbytes", None)
    if isinstance(own, int):
        return own
    members: Any = ()
    if isinstance(value, Mapping):
        members = cast("Mapping[Any, Any]", value).values()
    elif isinstance(value, Sequence):
        members = cast("Sequence[Any]", value)
    known = [size for size in map(nbytes, members) if size is not None]
    return sum(known) if known else None
