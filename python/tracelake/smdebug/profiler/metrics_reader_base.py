"""What readers of system metrics and of timelines have in common: a profile, its files, and events by time or step.

Events come from the lake, into which a profile is read once; a reader asks whether there is something new when a
question reaches to the end of what it knows.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from tracelake.smdebug._framework import events, file_parameters
from tracelake.smdebug._profile import Profile
from tracelake.smdebug.profiler.profiler_constants import PYTHONTIMELINE_SUFFIX
from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_microseconds

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["LocalReader", "MetricsReaderBase", "S3Reader"]

log = logging.getLogger("tracelake.smdebug")
Event = TypeVar("Event")


class MetricsReaderBase(Generic[Event]):
    """A reader of one kind of files; use one of its four children.

    Example:
        >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
        >>> LocalAlgorithmMetricsReader(str(profile)).get_timestamp_of_first_available_file()
        1600000301034944
    """

    prefix = ""
    """Folder of the files, which is the kind of them too."""

    def __init__(self, path: str | os.PathLike[str], use_in_memory_cache: bool = False) -> None:
        """Opens a profile.

        Args:
            path: Root of the profile, the folder that holds `system` and `framework`, local or on S3.
            use_in_memory_cache: Without effect: the lake is the cache.
        """
        del use_in_memory_cache
        self.logger = log
        self.profile = Profile(os.path.expanduser(path))  # noqa: PTH111 - may be an address
        """The profile in the lake."""

    def refresh_event_file_list(self) -> None:
        """Looks for new files, and reads them.

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
        """The time in the name of the first file, in us; 0 if there is none.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> LocalSystemMetricsReader(str(profile)).get_timestamp_of_first_available_file()
            1600000200000000
        """
        return min(self._timestamps(), default=0)

    def get_timestamp_of_latest_available_file(self) -> int:
        """The time in the name of the last file, in us; 0 if there is none.

        For timelines that is when their last event ended, for system metrics when the last minute began.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> LocalSystemMetricsReader(str(profile)).get_timestamp_of_latest_available_file()
            1600000320000000
        """
        return max(self._timestamps(), default=0)

    def get_current_time_range_for_event_query(self) -> tuple[int, int]:
        """The times in the names of the first and the last file, in us; zeroes if there is none.

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
        """What was recorded from `start_time` to `end_time`, both included; intervals that reach into the range too.

        Args:
            start_time: Since the epoch.
            end_time: Since the epoch.
            unit: Unit of both.
            event_type: `cpu`, `gpu`, `memory`, `i/o` or `network`: system metrics of one kind. Timelines have none.
            file_suffix_filter: How the names of the files end, such as `["model_timeline.json"]`; all without it.

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
        """What was recorded from the start of `start_step` until the start of `end_step`, see `get_events`.

        Steps are those of the hook, of whatever mode and rank began them first. If `end_step` was not recorded, the
        first later step takes its place, else the end of the profile. Without `start_step` there are no events, and a
        line in the log says so.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> events = LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(2, 3)
            >>> {event.event_args["step_num"] for event in events if "Step" in event.event_name}
            {'2'}
        """
        start, end = self._get_time_interval_for_step(start_step, end_step)
        return self.get_events(start, end, TimeUnits.MICROSECONDS, event_type, file_suffix_filter) if end else []

    def _get_time_interval_for_step(self, start_step: int, end_step: int) -> tuple[int, int]:
        """From the start of one step to just before that of another one, in us; zeroes if there is no such step."""
        self.refresh_event_file_list()
        parameters = file_parameters(self.profile, "framework", [PYTHONTIMELINE_SUFFIX])

        def first(where: str, **values: int) -> int | None:
            text = f"select min(start) as start from {events(where)}"  # noqa: S608 - made of our own texts
            (start,) = self.profile.arrow(text, **values, **parameters)["start"].to_pylist()
            return start

        start = first("e.step = $step", step=start_step)
        if start is None:
            log.warning("%s has no step %s", self.profile.path, start_step)
            return 0, 0
        stop = first("e.step = $step", step=end_step)
        if stop is None:
            stop = first("e.step > $step and e.ts > $start", step=end_step, start=start)
        if stop is not None:
            return start // 1_000, stop // 1_000 - 1
        text = f"select max(start + dur) as stop from {events()}"  # noqa: S608 - made of our own texts
        (final,) = self.profile.arrow(text, **file_parameters(self.profile, "framework"))["stop"].to_pylist()
        return start // 1_000, final // 1_000

    def _timestamps(self) -> list[int]:
        times = self.profile.files(self.prefix)["ts_us"].tolist()
        return [time for time in times if time > 0]

    def _events(self, start: int, end: int, event_type: str | None, parameters: dict[str, Any]) -> list[Event]:
        """The events from `start` to `end`, in ns, of the files that the parameters name."""
        raise NotImplementedError


class LocalReader(MetricsReaderBase[Event]):
    """What readers of a profile in a folder are called with.

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
    """What readers of a profile on S3 are called with: `s3://bucket/.../profiler-output`.

    Example:
        >>> from tracelake.smdebug.profiler import S3SystemMetricsReader
        >>> S3SystemMetricsReader(s3_trial_path="s3://bucket/job/profiler-output")  # doctest: +SKIP
    """

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False) -> None:
        """Opens the profile."""
        super().__init__(s3_trial_path, use_in_memory_cache)
        self.s3_trial_path = s3_trial_path


def _nanoseconds(time: float, unit: TimeUnits) -> int:
    """A time in ns that SQL can hold."""
    ns = time if unit is TimeUnits.NANOSECONDS else convert_utc_timestamp_to_microseconds(time, unit) * 1_000
    return int(max(-(2**62), min(ns, 2**62)))
