"""Converts times to nanoseconds since the Unix epoch: those that users give, and those of Arrow."""

from __future__ import annotations

import operator
import re
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from tracelake.errors import ArgumentError
from tracelake.optional import import_optional

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Moment", "integer_times", "nanoseconds"]

Moment: TypeAlias = "str | SupportsIndex | date | np.datetime64"
"""ISO 8601 text, a datetime or date, a pandas or NumPy timestamp, or ns since the Unix epoch."""

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
FORM = re.compile(
    r"(?P<day>\d{4}-\d\d-\d\d)"
    r"(?:[T ](?P<minute>\d\d:\d\d)(?::(?P<second>\d\d)(?:\.(?P<fraction>\d{1,9}))?)?)?"
    r"(?:Z|(?P<zone>[+-]\d\d:?\d\d))?",
)
SMALLEST, LARGEST = 1 - 2**63, 2**63 - 1  # -2**63 is "not a time" to pandas and NumPy


def nanoseconds(moment: Moment) -> int:
    """Returns the time in ns since the Unix epoch; a time without a time zone is UTC. Exact to the nanosecond.

    Args:
        moment: ISO 8601 text (`2026-11-20`, `2026-11-20T10:00`, `2026-11-20 10:00:00.123456789+01:00`), a datetime
            or date, a pandas or NumPy timestamp, or a number of nanoseconds.

    Raises:
        ArgumentError: The value has none of these forms, or is out of the range of 64 bits (1677 to 2262).

    Example:
        >>> tl.instant.nanoseconds("2020-09-13T12:30:00.000000001")
        1600000200000000001
        >>> import datetime
        >>> tl.instant.nanoseconds(datetime.datetime(2020, 9, 13, 12, 30))
        1600000200000000000
    """
    ns = _convert(moment)
    if not SMALLEST <= ns <= LARGEST:
        text = f"cannot use `{moment}` as a time: it is out of range, from 1677-09-21 to 2262-04-11"
        raise ArgumentError(text)
    return ns


def integer_times(rows: Any) -> Any:  # noqa: ANN401 - a pyarrow table or batch
    """Returns a pyarrow Table or RecordBatch with times as in SQL: int64, ns since the Unix epoch.

    Example:
        >>> tl.instant.integer_times(s.table("step", columns=["ts"]).to_arrow()).schema.field("ts").type
        DataType(int64)
    """
    pa = import_optional("pyarrow", "pandas", "read times")
    for index, field in enumerate(rows.schema):
        if (field.metadata or {}).get(b"unit") == b"time" and pa.types.is_timestamp(field.type):
            integer = field.with_type(pa.int64())
            rows = rows.set_column(index, integer, rows.column(index).cast(pa.int64()))
    return rows


def _convert(moment: Any) -> int:  # noqa: ANN401 - any value; it is checked below
    if isinstance(moment, str):
        return _from_text(moment)
    if isinstance(moment, datetime):
        as_unit = getattr(moment, "as_unit", None)  # a pandas Timestamp is a datetime with ns resolution
        return int(as_unit("ns").value) if as_unit else _from_datetime(moment)
    if isinstance(moment, date):
        return _from_datetime(datetime(moment.year, moment.month, moment.day, tzinfo=timezone.utc))
    if getattr(getattr(moment, "dtype", None), "kind", None) == "M":  # NumPy, without importing it
        return int(moment.astype("datetime64[ns]").astype("int64"))
    if not isinstance(moment, bool):
        try:
            return operator.index(moment)
        except TypeError:
            pass
    text = f"cannot read {moment!r} as a time: expected ISO 8601 text, a datetime, or ns since the Unix epoch"
    raise ArgumentError(text)


def _from_text(text: str) -> int:
    match = FORM.fullmatch(text.strip())
    if match is None:
        message = f"cannot read `{text}` as a time: expected a form like 2026-11-20T10:00:00"
        raise ArgumentError(message)
    day, minute, second, fraction, zone = match.group("day", "minute", "second", "fraction", "zone")
    zone = zone or "+0000"
    try:
        whole = datetime.strptime(
            f"{day}T{minute or '00:00'}:{second or '00'}{zone.replace(':', '')}", "%Y-%m-%dT%H:%M:%S%z"
        )
    except ValueError as error:
        message = f"cannot read `{text}` as a time: {error}"
        raise ArgumentError(message) from error
    return _from_datetime(whole) + int((fraction or "").ljust(9, "0"))


def _from_datetime(moment: datetime) -> int:
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return (moment - EPOCH) // timedelta(microseconds=1) * 1000
