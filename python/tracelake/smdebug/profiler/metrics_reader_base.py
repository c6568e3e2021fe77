"""The base class of the readers of system metrics and timelines: a profile, its files, and events by time or step.

A profile is ingested into the lake once, and events come from the lake. If a query reaches the end of the ingested
data, the reader checks for new files first.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tracelake.smdebug._framework import START, events_sql, file_parameters
from tracelake.smdebug._profile import Profile
from tracelake.smdebug.profiler.profiler_constants import PYTHONTIMELINE_SUFFIX
from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_microseconds

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LocalReader", "MetricsReaderBase", "S3Reader"]

log = logging.getLogger("tracelake.smdebug")
Event = TypeVar("Event")


class MetricsReaderBase(Generic[Event]):
    """A reader of one kind of files; use one of the four subclasses.

    Example:
        >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
        >>> LocalAlgorithmMetricsReader(str(profile)).get_timestamp_of_first_available_file()
        1600000301034944
    """

    prefix = ""
    """Folder of the files, which is also their kind."""

    def __init__(self, path: str | os.PathLike[str], use_in_memory_cache: bool = False) -> None:
        """Opens a profile.

        Args:
            path: Root of the profile, the folder that contains `system` and `framework`, local or on S3.
            use_in_memory_cache: Without effect: the lake is the cache.
        """
        del use_in_memory_cache
        self.logger = log
        self.profile = Profile(os.path.expanduser(path))  # noqa: PTH111 - it can be an address
        """The profile in the lake."""

    def refresh_event_file_list(self) -> None:
        """Searches for new files, and reads them.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> LocalAlgorithmMetricsReader(str(profile)).refresh_event_file_list()
        """
        self.profile.refresh()

    def parse_event_files(self, event_files: Iterable[str]) -> None:
        """Does nothing: the lake has read all files.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> LocalAlgorithmMetricsReader(str(profile)).parse_event_files([])
        """

    def get_timestamp_of_first_available_file(self) -> int:
        """Returns the time in the name of the first file, in us; 0 without files.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> LocalSystemMetricsReader(str(profile)).get_timestamp_of_first_available_file()
            1600000200000000
        """
        return min(self._timestamps(), default=0)

    def get_timestamp_of_latest_available_file(self) -> int:
        """Returns the time in the name of the last file, in us; 0 without files.

        For timelines, it is the end of their last event; for system metrics, the start of the last minute.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> LocalSystemMetricsReader(str(profile)).get_timestamp_of_latest_available_file()
            1600000320000000
        """
        return max(self._timestamps(), default=0)

    def get_current_time_range_for_event_query(self) -> tuple[int, int]:
        """Returns the times in the names of the first and the last file, in us; zeros without files.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> LocalSystemMetricsReader(str(profile)).get_current_time_range_for_event_query()
            (1600000200000000, 1600000320000000)
        """
        return self.get_timestamp_of_first_available_file(), self.get_timestamp_of_latest_available_file()

    def get_events(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
        file_suffix_filter: list[str] | None = None,
    ) -> list[Event]:
        """Returns the events from `start_time` to `end_time`, both included; intervals that overlap are included.

        Args:
            start_time: Since the epoch.
            end_time: Since the epoch.
            unit: Unit of both.
            event_type: `cpu`, `gpu`, `memory`, `i/o` or `network`: system metrics of one kind. Not for timelines.
            file_suffix_filter: Endings of the file names, such as `["model_timeline.json"]`. The default is all files.

        Returns:
            Events in the order of the files: by kind, by the time in their names, line by line.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> reader = LocalSystemMetricsReader(str(profile))
            >>> len(reader.get_events(1600000200, 1600000201, unit=TimeUnits.SECONDS, event_type="gpu"))
            4
        """
        start, end = (_nanoseconds(time, unit) for time in (start_time, end_time))
        if end >= self.get_timestamp_of_latest_available_file() * 1_000:
            self.refresh_event_file_list()
        parameters = file_parameters(self.profile, self.prefix, file_suffix_filter)
        return self._events(start, end, event_type, parameters)

    def get_events_by_step(
        self, start_step: int, end_step: int, event_type: str | None = None, file_suffix_filter: list[str] | None = None
    ) -> list[Event]:
        """Returns the events from the start of `start_step` to the start of `end_step`, see `get_events`.

        The steps are those of the hook; a step starts with its first mode and rank. If `end_step` was not recorded, the
        range ends at the first later step, or else at the end of the profile. Without `start_step`, there is no event,
        and a log line reports it.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> events = LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(2, 3)
            >>> {event.event_args["step_num"] for event in events if "Step" in event.event_name}
            {'2'}
        """
        start, end = self._get_time_interval_for_step(start_step, end_step)
        return self.get_events(start, end, TimeUnits.MICROSECONDS, event_type, file_suffix_filter) if end else []

    def _get_time_interval_for_step(self, start_step: int, end_step: int) -> tuple[int, int]:
        """Returns the start of one step, and the time just before another step, in us; zeros without the first step."""
        self.refresh_event_file_list()
        parameters = file_parameters(self.profile, "framework", [PYTHONTIMELINE_SUFFIX])

        def find_start(where: str, **values: int) -> int | None:
            text = f"select min(start) as start from {events_sql(where)}"  # noqa: S608 - no part comes from the user
            (start,) = self.profile.arrow(text, **values, **parameters)["start"].to_pylist()
            return start

        start = find_start("e.step = $step", step=start_step)
        if start is None:
            log.warning("%s has no step %s", self.profile.path, start_step)
            return 0, 0
        stop = find_start("e.step = $step", step=end_step)
        if stop is None:
            stop = find_start(f"e.step > $step and {START} > $start", step=end_step, start=start)
        if stop is not None:
            return start // 1_000, stop // 1_000 - 1
        text = f"select max(start + dur) as stop from {events_sql()}"  # noqa: S608 - no part comes from the user
        (final,) = self.profile.arrow(text, **file_parameters(self.profile, "framework"))["stop"].to_pylist()
        return start // 1_000, final // 1_000

    def _timestamps(self) -> list[int]:
        times = self.profile.files(self.prefix)["ts_us"].tolist()
        return [time for time in times if time > 0]

    def _events(self, start: int, end: int, event_type: str | None, parameters: dict[str, Any]) -> list[Event]:
        """Returns the events from `start` to `end`, in ns, of the files in `parameters`."""
        raise NotImplementedError


class LocalReader(MetricsReaderBase[Event]):
    """The constructor of the readers of a profile in a folder.

    Example:
        >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
        >>> LocalSystemMetricsReader(trace_root_folder=profile).trace_root_folder == profile
        True
    """

    def __init__(self, trace_root_folder: str | os.PathLike[str], use_in_memory_cache: bool = False) -> None:
        """Opens the profile."""
        super().__init__(trace_root_folder, use_in_memory_cache)
        self.trace_root_folder = trace_root_folder


class S3Reader(MetricsReaderBase[Event]):
    """The constructor of the readers of a profile on S3, `s3://bucket/.../profiler-output`.

    Example:
        >>> from tracelake.smdebug.profiler import S3SystemMetricsReader
        >>> S3SystemMetricsReader(s3_trial_path="s3://bucket/job/profiler-output")  # doctest: +SKIP
    """

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False) -> None:
        """Opens the profile."""
        super().__init__(s3_trial_path, use_in_memory_cache)
        self.s3_trial_path = s3_trial_path


def _nanoseconds(time: float, unit: TimeUnits) -> int:
    """Converts a time to ns, clipped to the range of SQL."""
    ns = time if unit is TimeUnits.NANOSECONDS else convert_utc_timestamp_to_microseconds(time, unit) * 1_000
    return int(max(-(2**62), min(ns, 2**62)))
