"""A column of a frame: its values, with their name and unit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast, overload

from tracelake.instant import integer_times
from tracelake.optional import import_optional

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from tracelake.frame import Frame

__all__ = ["Column"]


class Column(Sequence[Any]):
    """The values of a column, row by row; null is None. Needs pyarrow.

    Attributes:
        name: Name of the column.
        unit: Unit of the values; None if it is not known.

    Example:
        >>> durations = s.sql("select dur from step order by ts limit 3")["dur"]
        >>> durations.unit, len(durations), max(durations)
        ('ns', 3, 3261402000)
        >>> durations
        Column('dur', ns, 3 values)
    """

    def __init__(self, frame: Frame, name: str) -> None:
        """Selects a column; users write `frame[name]`."""
        self._frame = frame[[name]]
        self.name: str = name
        self.unit: str | None = self._frame.units[name]

    def __repr__(self) -> str:
        """Returns name, unit and number of values."""
        unit = f", {self.unit}" if self.unit else ""
        return f"Column({self.name!r}{unit}, {len(self)} values)"

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._frame)

    @overload
    def __getitem__(self, index: int) -> Any: ...  # noqa: ANN401 - a value of SQL
    @overload
    def __getitem__(self, index: slice) -> list[Any]: ...
    def __getitem__(self, index: int | slice) -> Any:
        """Returns a value, or a list of values."""
        return self._values[index]

    def __iter__(self) -> Iterator[Any]:
        """Iterates over the values."""
        return iter(self._values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:  # noqa: ANN401 - NumPy's
        """Returns the values for NumPy, as `to_numpy`."""
        array = self.to_numpy()
        return array.astype(array.dtype if dtype is None else dtype, copy=copy is not False)

    @cached_property
    def _values(self) -> list[Any]:
        return integer_times(cast("Any", self._frame.to_arrow())).column(0).to_pylist()

    def to_list(self) -> list[Any]:
        """Returns the values as a list; null is None, and a time is an integer: ns since the Unix epoch.

        Example:
            >>> s.sql("select 1 as rank union all select null order by rank")["rank"].to_list()
            [1, None]
        """
        return list(self._values)

    def to_arrow(self) -> pa.ChunkedArray:
        """Returns the values as a pyarrow ChunkedArray.

        Example:
            >>> s.table("step")["dur"].to_arrow().type
            DataType(int64)
        """
        return cast("Any", self._frame.to_arrow()).column(0)

    def to_pandas(self) -> pd.Series:
        """Returns the values as a pandas Series, with the dtypes of `Frame.to_pandas`.

        Example:
            >>> s.table("step")["dur"].to_pandas().name
            'dur'
        """
        return cast("Any", self._frame.to_pandas())[self.name]

    def to_numpy(self) -> np.ndarray[Any, Any]:
        """Returns the values as a NumPy array.

        Returns:
            Unit `time` is `datetime64[ns]`, in UTC. A column of numbers with nulls is `float64` with NaN.

        Example:
            >>> s.table("step", columns=["ts", "dur"])["dur"].to_numpy().dtype
            dtype('int64')
            >>> s.table("step", columns=["ts", "dur"])["ts"].to_numpy().dtype
            dtype('<M8[ns]')
        """
        pa = import_optional("pyarrow", "pandas", "make an array")
        column: Any = cast("Any", self.to_arrow())
        is_time = pa.types.is_timestamp(column.type)
        # NumPy has no time zones.
        return (column.cast(pa.timestamp("ns")) if is_time else column).to_numpy()
