"""System metrics as objects, and a parser for single files of JSON lines.

`system_metrics_reader` reads whole profiles, from the lake.
"""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.smdebug.profiler.utils import TimeUnits, convert_utc_timestamp_to_nanoseconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["ProfilerSystemEvent", "ProfilerSystemEvents", "SystemProfilerEventParser"]

log = logging.getLogger("tracelake.smdebug")
REQUIRED = ("Type", "Dimension", "Value", "NodeId", "Timestamp")


class ProfilerSystemEvent:
    """One measurement; `type` is cpu, gpu, memory, i/o or network, `timestamp` is s since the epoch.

    Example:
        >>> from tracelake.smdebug.profiler.system_profiler_file_parser import ProfilerSystemEvent
        >>> ProfilerSystemEvent("cpu", "cpu0", "CPUUtilization", 12.5, "algo-1", 1600000200.5).value
        12.5
    """

    __slots__ = ("dimension", "name", "node_id", "timestamp", "type", "value")

    def __init__(
        self,
        event_type: str | None,
        name: str | None,
        dimension: str | None,
        value: float | None,
        node_id: str | None,
        timestamp: float,
    ) -> None:
        """Stores the members of a line."""
        self.type = event_type
        self.name = name
        self.dimension = dimension
        self.value = value
        self.node_id = node_id
        self.timestamp = timestamp

    def __repr__(self) -> str:
        """Returns name, value, node and time."""
        return f"ProfilerSystemEvent({self.name} {self.dimension} = {self.value}, {self.node_id}, {self.timestamp})"


class SystemProfilerEventParser:
    """Reads files of system metrics one after the other, and collects their measurements.

    Example:
        >>> from tracelake.smdebug.profiler.system_profiler_file_parser import SystemProfilerEventParser
        >>> parser = SystemProfilerEventParser()
        >>> parser.read_events_from_file(min(profile.glob("system/incremental/*/*.json")))
        >>> len(parser.get_all_events()), parser.get_all_events()[0].type
        (1680, 'cpu')
    """

    def __init__(self) -> None:
        """Starts without events."""
        self._events: list[ProfilerSystemEvent] = []

    def read_events_from_file(self, eventfile: str | os.PathLike[str]) -> None:
        """Adds the measurements of a file; an invalid line is skipped and logged.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> parser = ProfilerSystemEvents()
            >>> parser.read_events_from_file(min(profile.glob("system/incremental/*/*.json")))
            >>> len(parser.get_all_events())
            1680
        """
        with Path(eventfile).open(encoding="utf-8", errors="replace") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                try:
                    self.read_event_from_dict(json.loads(line))
                except (ValueError, KeyError, TypeError) as error:
                    log.warning("line %s of %s is no measurement: %r", number, os.fspath(eventfile), error)

    def read_events_from_json_data(self, system_profiler_json_data: Iterable[Mapping[str, Any]]) -> None:
        """Adds measurements; each is the content of a line.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> parser = ProfilerSystemEvents()
            >>> line = {"Type": "cpu", "Dimension": "CPUUtilization", "Value": 1, "NodeId": "algo-1", "Timestamp": 3.5}
            >>> parser.read_events_from_json_data([line])
            >>> parser.get_all_events()[0].timestamp
            3.5
        """
        for event in system_profiler_json_data:
            self.read_event_from_dict(event)

    def read_event_from_dict(self, event: Mapping[str, Any]) -> None:
        """Adds one measurement.

        Raises:
            KeyError: A member other than `Name` is missing.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> ProfilerSystemEvents().read_event_from_dict({"Type": "cpu"})
            Traceback (most recent call last):
            KeyError: 'Dimension'
        """
        kind, dimension, value, node, timestamp = (event[key] for key in REQUIRED)
        self._events.append(ProfilerSystemEvent(kind, event.get("Name"), dimension, value, node, timestamp))

    def get_events_within_time_range(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
    ) -> list[ProfilerSystemEvent]:
        """Returns the measurements from `start_time` to `end_time`, both included.

        Args:
            start_time: Since the epoch.
            end_time: Since the epoch.
            unit: Unit of both.
            event_type: `cpu`, `gpu`, `memory`, `i/o` or `network`. The default is all types.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> parser = ProfilerSystemEvents()
            >>> parser.read_events_from_file(min(profile.glob("system/incremental/*/*.json")))
            >>> len(parser.get_events_within_time_range(0, 1600000201, TimeUnits.SECONDS, event_type="gpu"))
            4
        """
        start = convert_utc_timestamp_to_nanoseconds(start_time, unit)
        end = convert_utc_timestamp_to_nanoseconds(end_time, unit)
        return [
            event
            for event in self._events
            if start <= convert_utc_timestamp_to_nanoseconds(event.timestamp, TimeUnits.SECONDS) <= end
            and event_type in {None, event.type}
        ]

    def get_all_events(self) -> list[ProfilerSystemEvent]:
        """Returns all measurements, in the order in which they were read.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> ProfilerSystemEvents().get_all_events()
            []
        """
        return self._events

    def clear_events(self) -> None:
        """Removes the measurements.

        Example:
            >>> from tracelake.smdebug.profiler import ProfilerSystemEvents
            >>> ProfilerSystemEvents().clear_events()
        """
        self._events = []


class ProfilerSystemEvents(SystemProfilerEventParser):
    """The same parser, under the name that the readers use."""
