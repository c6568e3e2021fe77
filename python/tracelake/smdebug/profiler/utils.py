"""Conversion of times, and parsing of file names; smdebug's functions for writing profiles are not included.

Times are since the Unix epoch, UTC.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone
from enum import Enum
from pathlib import Path

__all__ = [
    "TimeUnits",
    "convert_utc_datetime_to_microseconds",
    "convert_utc_datetime_to_nanoseconds",
    "convert_utc_timestamp_to_microseconds",
    "convert_utc_timestamp_to_nanoseconds",
    "convert_utc_timestamp_to_seconds",
    "get_node_id_from_system_profiler_filename",
    "get_node_id_from_tracefilename",
    "get_timestamp_from_tracefilename",
    "get_utctimestamp_us_since_epoch_from_system_profiler_file",
    "is_valid_tfprof_tracefilename",
    "is_valid_tracefilename",
    "ns_since_epoch_to_human_readable_time",
    "read_tf_profiler_metadata_file",
    "str2bool",
    "us_since_epoch_to_human_readable_time",
    "validate_system_profiler_file",
]

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
STAMP = "%Y-%m-%dT%H:%M:%S:%f"
SYSTEM_FILE = re.compile(r".+/system/.+/(\d{10}).algo-\d+.json")
TIMELINE_PARTS = 3  # <time>_<node>_<kind>.json


class TimeUnits(Enum):
    """The unit of a numeric time."""

    SECONDS = 1
    MILLISECONDS = 2
    MICROSECONDS = 3
    NANOSECONDS = 4


_NS = {
    TimeUnits.SECONDS: 1_000_000_000,
    TimeUnits.MILLISECONDS: 1_000_000,
    TimeUnits.MICROSECONDS: 1_000,
    TimeUnits.NANOSECONDS: 1,
}


def _convert(timestamp: float, unit: TimeUnits, ns: int) -> float:
    """Converts a time to units of `ns` nanoseconds; rounds down, unless the time is in ns."""
    if unit is TimeUnits.NANOSECONDS:
        return timestamp if ns == 1 else timestamp / ns
    return int(timestamp * _NS[unit] // ns)


def convert_utc_timestamp_to_nanoseconds(timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS) -> float:
    """Converts a time to ns.

    Example:
        >>> from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_nanoseconds
        >>> convert_utc_timestamp_to_nanoseconds(1.5, TimeUnits.SECONDS)
        1500000000
    """
    return _convert(timestamp, unit, 1)


def convert_utc_timestamp_to_microseconds(timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS) -> float:
    """Converts a time to us.

    Example:
        >>> from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_microseconds
        >>> convert_utc_timestamp_to_microseconds(1.5, TimeUnits.MILLISECONDS)
        1500
    """
    return _convert(timestamp, unit, 1_000)


def convert_utc_timestamp_to_seconds(timestamp: float, unit: TimeUnits = TimeUnits.MICROSECONDS) -> float:
    """Converts a time to s.

    Example:
        >>> from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_seconds
        >>> convert_utc_timestamp_to_seconds(1600000200500000)
        1600000200
    """
    return _convert(timestamp, unit, 1_000_000_000)


def convert_utc_datetime_to_nanoseconds(timestamp_datetime: datetime) -> int:
    """Converts a datetime to ns; a datetime without a time zone is local time, as in Python.

    Example:
        >>> from datetime import datetime, timezone
        >>> from tracelake.smdebug.profiler.utils import convert_utc_datetime_to_nanoseconds
        >>> convert_utc_datetime_to_nanoseconds(datetime(2020, 9, 13, tzinfo=timezone.utc))
        1599955200000000000
    """
    return convert_utc_datetime_to_microseconds(timestamp_datetime) * 1_000


def convert_utc_datetime_to_microseconds(timestamp_datetime: datetime) -> int:
    """Converts a datetime to us; a datetime without a time zone is local time, as in Python.

    Example:
        >>> from datetime import datetime, timezone
        >>> from tracelake.smdebug.profiler.utils import convert_utc_datetime_to_microseconds
        >>> convert_utc_datetime_to_microseconds(datetime(2020, 9, 13, tzinfo=timezone.utc))
        1599955200000000
    """
    return (timestamp_datetime.astimezone(timezone.utc) - EPOCH) // timedelta(microseconds=1)


def us_since_epoch_to_human_readable_time(us_since_epoch: float) -> str:
    """Formats a time in us.

    Example:
        >>> from tracelake.smdebug.profiler.utils import us_since_epoch_to_human_readable_time
        >>> us_since_epoch_to_human_readable_time(1600000200500000)
        '2020-09-13T12:30:00:500000'
    """
    return (EPOCH + timedelta(microseconds=round(us_since_epoch))).strftime(STAMP)


def ns_since_epoch_to_human_readable_time(ns_since_epoch: float) -> str:
    """Formats a time in ns, rounded to us.

    Example:
        >>> from tracelake.smdebug.profiler.utils import ns_since_epoch_to_human_readable_time
        >>> ns_since_epoch_to_human_readable_time(1600000200500000000)
        '2020-09-13T12:30:00:500000'
    """
    return us_since_epoch_to_human_readable_time(ns_since_epoch / 1_000)


def is_valid_tfprof_tracefilename(filename: str) -> bool:
    """Returns whether the path is that of a trace of the TensorFlow profiler.

    Example:
        >>> from tracelake.smdebug.profiler.utils import is_valid_tfprof_tracefilename
        >>> is_valid_tfprof_tracefilename("framework/tensorflow/detailed_profiling/1/plugins/profile/2/a.trace.json.gz")
        True
    """
    return filename.endswith("trace.json.gz") and "tensorflow/detailed_profiling" in filename


def is_valid_tracefilename(filename: str) -> bool:
    """Returns whether the path is that of a timeline: `pevents/.../<end_us>_<node>_<kind>.json`.

    Example:
        >>> from tracelake.smdebug.profiler.utils import is_valid_tracefilename
        >>> is_valid_tracefilename("framework/pevents/2020091312/1600000277799788_0-algo-1_pythontimeline.json")
        True
        >>> is_valid_tracefilename("framework/pevents/2020091312/123-pythontimeline.json")
        False
    """
    name = filename.rsplit("/", 1)[-1]
    return "pevents" in filename and name.endswith(".json") and name.count("_") >= TIMELINE_PARTS - 1


def get_node_id_from_tracefilename(filename: str) -> str:
    """Returns the node in the name of a timeline or of a TensorFlow metadata file; empty without a node.

    Example:
        >>> from tracelake.smdebug.profiler.utils import get_node_id_from_tracefilename
        >>> get_node_id_from_tracefilename("framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json")
        '0-algo-1'
    """
    if is_valid_tracefilename(filename):
        return filename.rsplit("/", 1)[-1].split("_")[1]
    return read_tf_profiler_metadata_file(filename)[0]


def get_timestamp_from_tracefilename(filename: str) -> int:
    """Returns the end of the last event in us, from the name of a timeline or TensorFlow metadata file; 0 if unknown.

    Example:
        >>> from tracelake.smdebug.profiler.utils import get_timestamp_from_tracefilename
        >>> get_timestamp_from_tracefilename("framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json")
        1600000277799788
    """
    if is_valid_tracefilename(filename):
        end_us = filename.rsplit("/", 1)[-1].split("_", maxsplit=1)[0]
        return int(end_us) if end_us.isdecimal() else 0
    return int(read_tf_profiler_metadata_file(filename)[2])


def validate_system_profiler_file(filename: str) -> bool:
    """Returns whether the path is that of a file of system metrics: `system/.../<minute>.algo-<n>.json`.

    Example:
        >>> from tracelake.smdebug.profiler.utils import validate_system_profiler_file
        >>> validate_system_profiler_file("a/system/incremental/2020091312/1600000200.algo-1.json")
        True
        >>> validate_system_profiler_file("a/system/incremental/2020091312/1600000200.lgo-1.json")
        False
    """
    return SYSTEM_FILE.match(filename) is not None


def get_node_id_from_system_profiler_filename(filename: str) -> str | None:
    """Returns the node in the name of a file of system metrics; None for other files.

    Example:
        >>> from tracelake.smdebug.profiler.utils import get_node_id_from_system_profiler_filename
        >>> get_node_id_from_system_profiler_filename("a/system/incremental/2020091312/1600000200.algo-1.json")
        'algo-1'
    """
    return filename.rsplit("/", 1)[-1].split(".")[1] if validate_system_profiler_file(filename) else None


def get_utctimestamp_us_since_epoch_from_system_profiler_file(filename: str) -> int | None:
    """Returns the minute in the name of a file of system metrics, in us; None for other files.

    Example:
        >>> from tracelake.smdebug.profiler.utils import get_utctimestamp_us_since_epoch_from_system_profiler_file
        >>> path = "a/system/incremental/2020091312/1600000200.algo-1.json"
        >>> get_utctimestamp_us_since_epoch_from_system_profiler_file(path)
        1600000200000000
    """
    match = SYSTEM_FILE.match(filename)
    return int(match[1]) * 1_000_000 if match else None


def read_tf_profiler_metadata_file(file_path: str) -> tuple[str, str, str]:
    """Returns node, start and end (us) of a local TensorFlow trace, from the name of its metadata file.

    Example:
        >>> from tracelake.smdebug.profiler.utils import read_tf_profiler_metadata_file
        >>> read_tf_profiler_metadata_file("nothing.trace.json.gz")
        ('', '0', '0')
    """
    unknown = ("", "0", "0")
    if not is_valid_tfprof_tracefilename(file_path):
        return unknown
    names = [path.name.removesuffix(".metadata") for path in sorted(Path(file_path).parents[3].rglob("*.metadata"))]
    parts = names[0].rsplit("_", 2) if names else []
    return (parts[0], parts[1], parts[2]) if len(parts) == len(unknown) else unknown


def str2bool(v: str | bool) -> bool:
    """Parses a boolean value of a configuration.

    Raises:
        ValueError: The text is neither a yes nor a no.

    Example:
        >>> from tracelake.smdebug.profiler.utils import str2bool
        >>> str2bool("Yes"), str2bool("off"), str2bool(True)
        (True, False, True)
    """
    if isinstance(v, bool):
        return v
    text = v.lower()
    if text in ("y", "yes", "t", "true", "on", "1"):
        return True
    if text in ("n", "no", "f", "false", "off", "0"):
        return False
    message = f"cannot read {v!r} as yes or no"
    raise ValueError(message)
