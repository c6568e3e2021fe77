"""Converts Arrow columns to pandas columns, with the dtypes of pandas' own constructor."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._libraries import DataFrame, NDArray, np, pa, pd

if TYPE_CHECKING:
    from pyarrow import Array, ChunkedArray

STAMP = "2020-09-13T12:30:00:500000"
BLOCK = 1 << 16  # texts per block


def frame(columns: dict[str, Any]) -> DataFrame:
    """Returns a DataFrame of these columns, zero-copy where possible.

    Example:
        >>> from tracelake.smdebug import _column
        >>> _column.frame({"step": [3, 4]}).shape
        (2, 1)
    """
    return pd.DataFrame(columns, copy=False)


def from_arrow(column: ChunkedArray) -> Any:  # noqa: ANN401 - the pandas type of the column
    """Returns a column as a pandas array; integers stay exact: `int64`, or `Int64` if there are nulls.

    Example:
        >>> import pyarrow as pa
        >>> from tracelake.smdebug import _column
        >>> _column.from_arrow(pa.chunked_array([[1, 2]])).dtype
        dtype('int64')
    """
    kind = column.type
    if pa.types.is_dictionary(kind) or pa.types.is_string_view(kind) or pa.types.is_string(kind):
        return text(column)
    if column.null_count and pa.types.is_integer(kind):
        return pd.Int64Dtype().__from_arrow__(column.cast(pa.int64()))
    if column.null_count and pa.types.is_boolean(kind):
        return pd.BooleanDtype().__from_arrow__(column)
    return column.to_pandas().array if pa.types.is_large_string(kind) else column.to_numpy()


def text(column: ChunkedArray | Array) -> Any:  # noqa: ANN401 - an array of pandas' text dtype
    """Returns a text column, dictionary-encoded or plain, with nulls, as `str` on pandas 3, else as `object`.

    Example:
        >>> import pyarrow as pa
        >>> from tracelake.smdebug import _column
        >>> list(_column.text(pa.chunked_array([["a", "b", "a"]])))
        ['a', 'b', 'a']
    """
    dtype: Any = pd.Series(["text"]).dtype
    if pd.api.types.is_object_dtype(dtype):
        # repeated texts share one object
        return column.to_numpy(zero_copy_only=False) if isinstance(column, pa.Array) else column.to_numpy()
    if isinstance(column, pa.DictionaryArray):
        texts, codes = column.dictionary.cast(pa.large_string()), column.indices
        if len(codes) > BLOCK and codes.null_count == 0 and len(codes.unique()) == 1:  # one text: all blocks are equal
            blocks, rest = divmod(len(codes), BLOCK)
            block = texts.take(codes[:BLOCK])
            return dtype.__from_arrow__(pa.chunked_array([*[block] * blocks, block[:rest]]))
        return dtype.__from_arrow__(texts.take(codes))
    return dtype.__from_arrow__(column.cast(pa.large_string()))


def format_timestamps(us: NDArray) -> Any:  # noqa: ANN401 - an array of pandas' text dtype
    """Formats times in us since the Unix epoch as smdebug does, in UTC: 2020-09-13T12:30:00:500000.

    Each text is composed of 8-byte words. Three words hold the date and time to the second; few values are distinct.
    The digits of the fraction come in two groups of three, from a table of 1000.

    Example:
        >>> import numpy as np
        >>> from tracelake.smdebug import _column
        >>> list(_column.format_timestamps(np.array([1600000200500000, -1])))
        ['2020-09-13T12:30:00:500000', '1969-12-31T23:59:59:999999']
    """
    buffer = np.empty(len(us) * len(STAMP), dtype=np.uint8)
    thousand = np.array([f"{n:03}" for n in range(1_000)], dtype="S8").view("<u8")
    upper, lower = thousand << 16, thousand << 40
    for first_row in range(0, len(us), BLOCK):
        block = us[first_row : first_row + BLOCK]
        seconds = block // 1_000_000
        micros = (block - seconds * 1_000_000).astype(np.int32)
        millis = micros // 1_000
        # seconds come in runs
        starts = np.flatnonzero(np.concatenate([[True], seconds[1:] != seconds[:-1]]))
        indices, distinct = pd.factorize(seconds[starts])
        indices = np.repeat(indices, np.diff(starts, append=len(block)))
        first, second, third = (
            np.datetime_as_string(distinct.astype("M8[s]"), unit="s").astype("S24").view("<u8").reshape(-1, 3).T.copy()
        )
        last = (third >> 16) | (ord(":") << 8)  # the last digit of the second
        rest = last.take(indices) | upper.take(millis) | lower.take(micros - millis * 1_000)
        # two bytes of the third word remain
        words = (first.take(indices), second.take(indices), third.take(indices), rest)
        for offset, word in zip((0, 8, 16, 18), words, strict=True):
            np.ndarray(len(block), "<u8", buffer, first_row * len(STAMP) + offset, (len(STAMP),))[:] = word
    offsets = np.arange(0, (len(us) + 1) * len(STAMP), len(STAMP), dtype=np.int64)
    plain = pa.LargeStringArray.from_buffers(len(us), pa.py_buffer(offsets), pa.py_buffer(buffer))
    return text(plain)
