"""A query result: the rows of one query, with the unit of every column.

A frame is lazy and can be read several times. It streams to any reader of the Arrow C stream, zero-copy and without
pyarrow: `polars.DataFrame(frame)`, `pyarrow.table(frame)`, `duckdb.sql("select * from frame")`. There, a column of unit
`time` is a timestamp in UTC, exact to the nanosecond. A recording without an epoch (`has_epoch` is false in table
`object`) counts from its first event, at 1970-01-01. `rows` and CSV have the integers of SQL: ns since the Unix epoch.
With the stream, an error becomes an exception of the library that reads it. The methods of a frame raise tracelake's
errors, and `KeyboardInterrupt` at Ctrl-C.

A frame shows the runs of the session at the time of the query, even if it is read later: a later ingest changes only
new frames.
"""

from __future__ import annotations

import csv
import io
import shutil
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, overload

from tracelake import _tracelake
from tracelake.column import Column
from tracelake.display import options
from tracelake.errors import ArgumentError
from tracelake.instant import integer_times
from tracelake.optional import import_optional

if TYPE_CHECKING:
    import os
    from collections.abc import Generator, Iterator

    import pandas as pd
    import polars as pl
    import pyarrow as pa

__all__ = ["Frame", "text_rows"]


class Frame:
    """The rows of one query; a notebook shows them as a table.

    Example:
        >>> frame = s.sql("select 1 as rank, 0.5 as share union all select 2, null order by rank")
        >>> len(frame)
        2
        >>> frame.columns
        ['rank', 'share']
    """

    __slots__ = ("_native",)

    def __init__(self, native: _tracelake.Frame) -> None:
        """Wraps the native frame; users get frames from a session."""
        self._native = native

    def __repr__(self) -> str:
        """Returns the first 50 rows as a text table, which fits the terminal; `tracelake.options` changes that."""
        width = shutil.get_terminal_size().columns if sys.stdout.isatty() and not options.wide else None
        return self._native.text(local=options.is_local, wide=options.wide, width=width)

    def _repr_html_(self) -> str:
        return self._native.html(local=options.is_local, wide=options.wide)

    @contextmanager
    def _stream(self) -> Generator[_tracelake.Stream]:
        """Yields the rows for another library; if the query failed, tracelake's error replaces the library's."""
        stream = self._native.stream()
        try:
            yield stream
        except BaseException:
            error = stream.error()
            if error is not None:
                raise error from None
            raise

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._native)

    @property
    def title(self) -> str | None:
        """The result in one sentence, shown above the rows. Only `compare` sets one.

        Example:
            >>> s.compare("first_look", "first_look").title
            'first_look is as fast as first_look (mean step 581 ms to 581 ms)'
        """
        return self._native.title()

    @property
    def why_empty(self) -> str | None:
        """The reason of the canned query for an empty result; None if there are rows, or the reason is not known.

        Example:
            >>> s.memory.peak().why_empty
            'there are no events of an allocator; record the trace with profile_memory=True'
            >>> s.step.duration().why_empty is None
            True
        """
        return self._native.why_empty()

    def explain(self) -> Frame:
        """Runs the query again and returns its plan: the data read and skipped, and the time of each step.

        There is a row per step, before the rows of its input steps: `step` (from 1, the key), `depth`, `operator` and
        `detail` in the engine's names, `rows` (output rows), `cpu` (ns, over all cores). Row 1 is the whole query, with
        `dur` (ns, wall time) and the sums. Row 2 is the planning. Steps that read the lake have `bytes`, `parts` (data
        files read), `parts_pruned` (data files skipped because of the manifests), `row_groups` and
        `row_groups_pruned`.

        Example:
            >>> how = s.sql("select count(name) as n from event where run = 'first_look'").explain()
            >>> how.columns[:5]
            ['step', 'depth', 'operator', 'detail', 'rows']
            >>> next(how.rows())["operator"]
            'question'
        """
        return Frame(self._native.explain())

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns the rows as an Arrow C stream; every call starts from the first row.

        Example:
            >>> import pyarrow
            >>> pyarrow.table(s.sql("select 1 as rank")).num_rows
            1
        """
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """Returns the Arrow schema; units are in the fields' metadata `unit`.

        Example:
            >>> import pyarrow
            >>> pyarrow.schema(s.table("step")).field("dur").metadata
            {b'unit': b'ns'}
        """
        return self._native.__arrow_c_schema__()

    @property
    def columns(self) -> list[str]:
        """Names of the columns, in order.

        Example:
            >>> s.table("step").columns[:3]
            ['run', 'node', 'rank']
        """
        return [name for name, _, _ in self._native.columns()]

    @property
    def types(self) -> dict[str, str]:
        """Type of each column.

        Example:
            >>> s.table("step", columns=["run", "dur", "complete"]).types
            {'run': 'text', 'dur': 'bigint', 'complete': 'boolean'}
        """
        return {name: kind for name, kind, _ in self._native.columns()}

    @property
    def units(self) -> dict[str, str | None]:
        """Unit of each column; `None` if the unit of a computed column is not known.

        Example:
            >>> s.table("step", columns=["ts", "dur"]).units
            {'ts': 'time', 'dur': 'ns'}
        """
        return {name: unit for name, _, unit in self._native.columns()}

    @overload
    def __getitem__(self, key: str) -> Column: ...
    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, key: slice | list[str]) -> Frame: ...
    def __getitem__(self, key: str | int | slice | list[str]) -> Column | dict[str, Any] | Frame:
        """Returns a column by name, a row by number, or a frame of some columns or rows.

        Raises:
            NotFoundError: There is no such column.
            IndexError: There is no such row.

        Example:
            >>> frame = s.sql("select 1 as rank, 0.5 as share union all select 2, null order by rank")
            >>> frame["share"].to_list()
            [0.5, None]
            >>> frame[-1]
            {'rank': 2, 'share': None}
            >>> len(frame[1:]), frame[["share"]].columns
            (1, ['share'])
        """
        if isinstance(key, bool):
            text = "cannot select rows by a truth value: filter them in SQL, such as `where mode = 'train'`"
            raise ArgumentError(text)
        if isinstance(key, str):
            return Column(self, key)
        if isinstance(key, list):
            return Frame(self._native.select(key))
        if isinstance(key, slice):
            start, stop, step = key.indices(len(self))
            if step != 1:
                text = f"cannot select rows with a step of {step}: the step must be 1"
                raise ArgumentError(text)
            return Frame(self._native.slice(start, max(stop - start, 0)))
        number = key + len(self) if key < 0 else key
        if not 0 <= number < len(self):
            text = f"no row {key}: the frame has {len(self)} rows"
            raise IndexError(text)
        return next(self[number : number + 1].rows())

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterates over the rows as dicts, as `rows`."""
        return self.rows()

    def __reduce__(self) -> tuple[Any, ...]:
        """Returns the rows for pickle: the copy is not lazy."""
        return _unpickle, (self._native.ipc(), self.title, self.why_empty)

    def head(self, rows: int = 5) -> Frame:
        """Returns a frame of the first rows, which reads no more than it needs.

        Example:
            >>> len(s.table("step").head(3))
            3
        """
        if rows < 0:
            text = f"cannot return the first {rows} rows: the number must be at least 0"
            raise ArgumentError(text)
        return Frame(self._native.slice(0, rows))

    @overload
    def rows(self, *, named: Literal[True] = True) -> Iterator[dict[str, Any]]: ...
    @overload
    def rows(self, *, named: Literal[False]) -> Iterator[tuple[Any, ...]]: ...
    def rows(self, *, named: bool = True) -> Iterator[dict[str, Any]] | Iterator[tuple[Any, ...]]:
        """Iterates over the rows; it reads rows while you iterate. Needs pyarrow.

        A time is an integer: ns since the Unix epoch.

        Args:
            named: Whether a row is a dict; otherwise, it is a tuple.

        Example:
            >>> for row in s.sql("select 1 as rank, 0.5 as share"):
            ...     row
            {'rank': 1, 'share': 0.5}
            >>> for rank, share in s.sql("select 1 as rank, 0.5 as share").rows(named=False):
            ...     rank, share
            (1, 0.5)
        """
        pa = import_optional("pyarrow", "pandas", "iterate over rows")
        with self._stream() as stream:
            for batch in map(integer_times, pa.RecordBatchReader.from_stream(stream)):
                if named:
                    yield from batch.to_pylist()
                else:
                    yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    def to_arrow(self) -> pa.Table:
        """Returns all rows as a pyarrow Table. Needs pyarrow.

        Returns:
            The rows; unit `time` is `timestamp[ns, tz=UTC]`. The units are in the fields' metadata `unit`.

        Example:
            >>> s.table("step", columns=["ts"]).to_arrow().schema.field("ts").type
            TimestampType(timestamp[ns, tz=UTC])
        """
        pa = import_optional("pyarrow", "pandas", "make an Arrow table")
        with self._stream() as stream:
            # `pa.table` imports pandas, which takes 0.2 s.
            return pa.RecordBatchReader.from_stream(stream).read_all()

    def to_pandas(self) -> pd.DataFrame:
        """Returns all rows as a pandas DataFrame. Needs pandas and pyarrow.

        Returns:
            A DataFrame with these dtypes, whatever the values: unit `time` is `datetime64[ns, UTC]`; a bigint is
            `Int64`; a double is `float64`; a boolean is `boolean`. Nothing is rounded: integers above 2**53 stay exact,
            and nulls stay nulls.

        Example:
            >>> frame = s.sql("select 1 as rank, 9007199254740993 as big union all select null, 1 order by big desc")
            >>> frame.to_pandas().dtypes.astype("str").to_dict()
            {'rank': 'Int64', 'big': 'Int64'}
            >>> int(frame.to_pandas()["big"][0])
            9007199254740993
        """
        pd = import_optional("pandas", "pandas", "make a DataFrame")
        pa = import_optional("pyarrow", "pandas", "make a DataFrame")
        with self._stream() as stream:
            table: Any = pa.table(stream)
        series = {i: _series(column) for i, column in enumerate(table.columns)}
        data = pd.DataFrame(series, index=pd.RangeIndex(table.num_rows))
        data.columns = pd.Index(table.column_names, dtype="object" if not series else None)
        return data

    def to_polars(self) -> pl.DataFrame:
        """Returns all rows as a Polars DataFrame; unit `time` is `Datetime("ns", "UTC")`. Needs Polars, not pyarrow.

        Example:
            >>> s.table("step", columns=["ts", "dur"]).to_polars().dtypes
            [Datetime(time_unit='ns', time_zone='UTC'), Int64]
        """
        pl = import_optional("polars", "polars", "make a Polars DataFrame")
        with self._stream() as stream:
            return pl.DataFrame(stream)

    @overload
    def to_csv(self, path: None = None, *, times: Literal["ns", "iso"] = "ns") -> str: ...
    @overload
    def to_csv(self, path: str | os.PathLike[str], *, times: Literal["ns", "iso"] = "ns") -> None: ...
    def to_csv(self, path: str | os.PathLike[str] | None = None, *, times: Literal["ns", "iso"] = "ns") -> str | None:
        """Writes or returns all rows as CSV with a header line; lists are JSON.

        Args:
            path: File to write, batch by batch; an existing file is replaced only after success. Without it, the text
                is returned.
            times: `ns` writes times as integers, ns since the Unix epoch; `iso` writes them as UTC timestamps.

        Example:
            >>> print(s.sql("select 1 as rank, 0.5 as share").to_csv(), end="")
            rank,share
            1,0.5
            >>> print(s.sql("select min(ts) as first from step").to_csv(times="iso"), end="")
            first
            2020-09-13T12:30:45.097422000Z
        """
        if times not in {"ns", "iso"}:
            text = f"cannot write times as {times!r}: expected 'ns' or 'iso'"
            raise ArgumentError(text)
        if path is None:
            return self._native.csv(iso_times=times == "iso")
        self._native.write_csv(path, iso_times=times == "iso")
        return None


def _unpickle(data: bytes, title: str | None, why_empty: str | None) -> Frame:
    return Frame(_tracelake.Frame.from_ipc(data, title, why_empty))


def text_rows(frame: Frame) -> csv.DictReader[str]:
    """Returns the rows as dicts of texts; an empty text is null. Unlike `Frame.rows`, it does not need pyarrow.

    Example:
        >>> list(tl.frame.text_rows(s.sql("select 1 as rank, null as share")))
        [{'rank': '1', 'share': ''}]
    """
    return csv.DictReader(io.StringIO(frame.to_csv()))


def _series(column: Any) -> Any:  # noqa: ANN401 - pyarrow in, pandas out
    """Returns a column as a Series or an extension array; values stay exact, and nulls stay nulls."""
    pa = import_optional("pyarrow", "pandas", "make a DataFrame")
    pd = import_optional("pandas", "pandas", "make a DataFrame")
    kind = column.type
    if pa.types.is_integer(kind):
        # With nulls, `to_pandas` would go through float64 and lose digits above 2**53.
        signed = "Int" if pa.types.is_signed_integer(kind) else "UInt"
        return getattr(pd, f"{signed}{kind.bit_width}Dtype")().__from_arrow__(column)
    if pa.types.is_boolean(kind):
        return pd.BooleanDtype().__from_arrow__(column)
    if pa.types.is_string_view(kind):
        column = column.cast(pa.large_string())
    return column.to_pandas()
