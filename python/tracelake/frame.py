"""An answer: the rows of one query, with the unit of every column.

A frame is lazy and can be read as often as wanted. It streams to anything that reads the Arrow C stream, without a copy
and without pyarrow: `polars.DataFrame(frame)`, `pyarrow.table(frame)`, `duckdb.sql("select * from frame")`. There a
column of unit `time` is what the lake holds, nanoseconds since the Unix epoch; `to_pandas` and `to_polars` make
timestamps of it. What goes wrong on the way is there an exception of the library that reads; the methods of a frame
raise ours, and `KeyboardInterrupt` at Ctrl-C.

A frame shows the runs as the session saw them when the question was asked, however late it is read: an ingest after
that changes new frames only.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, overload

from tracelake.display import options
from tracelake.optional import needs

if TYPE_CHECKING:
    import os
    from collections.abc import Generator, Iterator

    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from tracelake import _tracelake

__all__ = ["Frame"]


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
        """The first 50 rows as a table of characters; times are by the clock of `tracelake.options.time_zone`."""
        return self._native.text(local=options.is_local)

    def _repr_html_(self) -> str:
        return self._native.html(local=options.is_local)

    @contextmanager
    def _stream(self) -> Generator[_tracelake.Stream]:
        """The rows for another library, whose exception is replaced by ours where the query is at fault."""
        stream = self._native.stream()
        try:
            yield stream
        except BaseException:
            error = stream.error()
            if error is not None:
                raise error from None
            raise

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._native)

    @property
    def why_empty(self) -> str | None:
        """Why there are no rows, as the canned query says it; None if there are some, or nobody knows.

        Example:
            >>> s.memory.peak().why_empty
            'there are no events of an allocator: a trace has them if it was recorded with profile_memory=True'
            >>> s.step.duration().why_empty is None
            True
        """
        return self._native.why_empty()

    def explain(self) -> Frame:
        """Answers the question once more and says how: what was read, what was left out, what each step took.

        A row per step, each before the steps that it asks for rows: `step` (from 1, the key), `depth`, `operator` and
        `detail` as the engine calls them, `rows` that it handed on, `cpu` (ns, over all cores). Row 1 is the question
        as a whole, with `dur` (ns, wall time) and the sums, row 2 the planning. Steps that read the lake have `bytes`,
        `parts` that were read and `parts_pruned`, which the manifests told are not needed, `row_groups` and
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
        """The rows as an Arrow C stream; every call starts anew.

        Example:
            >>> import pyarrow
            >>> pyarrow.table(s.sql("select 1 as rank")).num_rows
            1
        """
        return self._native.__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> object:
        """The Arrow schema; units are the fields' metadata `unit`.

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
        """Unit of each column; `None` where the SQL computed something whose unit is not known.

        Example:
            >>> s.table("step", columns=["ts", "dur"]).units
            {'ts': 'time', 'dur': 'ns'}
        """
        return {name: unit for name, _, unit in self._native.columns()}

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows one by one, each a dict; they are read while you iterate. Needs pyarrow.

        Example:
            >>> for row in s.sql("select 1 as rank, 0.5 as share"):
            ...     row
            Traceback (most recent call last):
            TypeError: 'Frame' object is not iterable
            >>> for row in s.sql("select 1 as rank, 0.5 as share").rows():
            ...     row
            {'rank': 1, 'share': 0.5}
        """
        pa = needs("pyarrow", "pandas", "iterate over rows")
        with self._stream() as stream:
            for batch in pa.RecordBatchReader.from_stream(stream):
                yield from batch.to_pylist()

    def to_arrow(self) -> pa.Table:
        """All rows as a pyarrow Table. Needs pyarrow.

        Returns:
            The rows as the lake holds them: unit `time` is int64, ns since the Unix epoch. The units are the fields'
            metadata `unit`.

        Example:
            >>> s.table("step", columns=["ts"]).to_arrow().schema.field("ts").type
            DataType(int64)
        """
        pa = needs("pyarrow", "pandas", "make an Arrow table")
        with self._stream() as stream:
            # `pa.table` imports pandas, which takes 0.2 s.
            return pa.RecordBatchReader.from_stream(stream).read_all()

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a pandas DataFrame. Needs pandas and pyarrow.

        Returns:
            A DataFrame with these dtypes: unit `time` is `datetime64[ns, UTC]`; a bigint is `int64`, or `Int64` if a
            value is null; a double is `float64`; a boolean is `bool`, or `boolean` if a value is null. Nothing is
            rounded: integers above 2**53 stay exact.

        Example:
            >>> frame = s.sql("select 1 as rank, 9007199254740993 as big union all select null, 1 order by big desc")
            >>> frame.to_pandas().dtypes.astype("str").to_dict()
            {'rank': 'Int64', 'big': 'int64'}
            >>> int(frame.to_pandas()["big"][0])
            9007199254740993
        """
        pd = needs("pandas", "pandas", "make a DataFrame")
        pa = needs("pyarrow", "pandas", "make a DataFrame")
        with self._stream() as stream:
            table: Any = pa.table(stream)
        units = [unit for _, _, unit in self._native.columns()]
        series = {i: _series(column, unit) for i, (column, unit) in enumerate(zip(table.columns, units, strict=True))}
        data = pd.DataFrame(series, index=pd.RangeIndex(table.num_rows))
        data.columns = pd.Index(table.column_names, dtype="object" if not series else None)
        return data

    def to_polars(self) -> pl.DataFrame:
        """All rows as a Polars DataFrame; unit `time` is `Datetime("ns", "UTC")`. Needs Polars, not pyarrow.

        Example:
            >>> s.table("step", columns=["ts", "dur"]).to_polars().dtypes
            [Datetime(time_unit='ns', time_zone='UTC'), Int64]
        """
        pl = needs("polars", "polars", "make a Polars DataFrame")
        with self._stream() as stream:
            data = pl.DataFrame(stream)
        times = [
            pl.col(name).cast(pl.Datetime("ns", "UTC"))
            for name, unit in self.units.items()
            if unit == "time" and data.schema[name].is_integer()
        ]
        return data.with_columns(times)

    @overload
    def to_csv(self, path: None = None) -> str: ...
    @overload
    def to_csv(self, path: str | os.PathLike[str]) -> None: ...
    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """All rows as CSV with a heading; times are written as UTC timestamps, lists as JSON.

        Args:
            path: File to write, batch by batch; a file of this name is replaced when all went well. Without it the text
                is returned.

        Example:
            >>> print(s.sql("select 1 as rank, 0.5 as share").to_csv(), end="")
            rank,share
            1,0.5
        """
        if path is None:
            return self._native.csv()
        self._native.write_csv(path)
        return None


def _series(column: Any, unit: str | None) -> Any:  # noqa: ANN401 - pyarrow in, pandas out
    """A column as a Series or an extension array, exact and with nulls as nulls."""
    pa = needs("pyarrow", "pandas", "make a DataFrame")
    pd = needs("pandas", "pandas", "make a DataFrame")
    kind = column.type
    if unit == "time" and pa.types.is_int64(kind):
        return column.cast(pa.timestamp("ns", tz="UTC")).to_pandas()
    if column.null_count and pa.types.is_integer(kind):
        # `to_pandas` would go through float64 and lose digits above 2**53.
        signed = "Int" if pa.types.is_signed_integer(kind) else "UInt"
        return getattr(pd, f"{signed}{kind.bit_width}Dtype")().__from_arrow__(column)
    if column.null_count and pa.types.is_boolean(kind):
        return pd.BooleanDtype().__from_arrow__(column)
    if pa.types.is_string_view(kind):
        column = column.cast(pa.large_string())
    return column.to_pandas()
