"""Events of timelines as objects, and a parser for single files of Trace Event JSON.

`algorithm_metrics_reader` reads whole profiles, from the lake. Times are in us since the epoch if the file has the
start of its time scale, else as in the file.
"""

from __future__ import annotations

import json
import logging
import os
import re
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import thread_id
from tracelake.smdebug.profiler.utils import (
    TimeUnits,
    convert_utc_datetime_to_microseconds,
    convert_utc_timestamp_to_microseconds,
    get_node_id_from_tracefilename,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

__all__ = ["ProcessInfo", "ThreadInfo", "TraceEvent", "TraceEventParser"]

log = logging.getLogger("tracelake.smdebug")


@dataclass(eq=False, slots=True)
class ThreadInfo:
    """A thread of a phase: its number, and its name, `<node>_<thread>`."""

    tid: int
    thread_name: str

    def __repr__(self) -> str:
        """Returns number and name."""
        return f"tid:{self.tid} name:{self.thread_name}"


class ProcessInfo:
    """A phase, which timelines show as a process: its number, its name, and its threads."""

    __slots__ = ("_threads", "id", "name")

    def __init__(self, id: int, name: str) -> None:  # noqa: A002 - smdebug's
        """Stores number and name."""
        self.id = id
        self.name = name
        self._threads: dict[int, ThreadInfo] = {}

    def add_thread(self, threadid: int, thread_name: str) -> None:
        """Adds a thread, unless the number exists.

        Example:
            >>> from tracelake.smdebug.profiler.trace_event_file_parser import ProcessInfo
            >>> phase = ProcessInfo(1, "Forward")
            >>> phase.add_thread(7, "algo-1-0_main")
            >>> phase
            id:1 name:Forward threads:{7: tid:7 name:algo-1-0_main}
        """
        self._threads.setdefault(threadid, ThreadInfo(threadid, thread_name))

    def get_thread_info(self, threadid: int) -> ThreadInfo:
        """Returns the thread of this number.

        Example:
            >>> from tracelake.smdebug.profiler.trace_event_file_parser import ProcessInfo
            >>> phase = ProcessInfo(1, "Forward")
            >>> phase.add_thread(7, "algo-1-0_main")
            >>> phase.get_thread_info(7).thread_name
            'algo-1-0_main'
        """
        return self._threads[threadid]

    def __repr__(self) -> str:
        """Returns number, name and threads."""
        return f"id:{self.id} name:{self.name} threads:{self._threads}"


class TraceEvent:
    """An event of a timeline. Times and duration are us.

    `phase` is the letter of the Trace Event format (`X`: an interval). `event_phase` is the phase of training, which is
    the row of the event in the timeline, and `phase_pid` is its number. `pid` and `tid` are those of the process.

    Example:
        >>> from tracelake.smdebug.profiler import TraceEvent
        >>> event = TraceEvent(5, "step", 10, 1, 0, {"step_num": "0"}, "algo-1-0", "X", "", pid=1)
        >>> event.end_time, event.to_json()
        (15, '{"name": "step", "pid": 1, "tid": 0, "ph": "X", "ts": 5, "dur": 10, "args": {"step_num": "0"}}')
    """

    __slots__ = (
        "_args",
        "duration",
        "end_time",
        "event_name",
        "event_phase",
        "file_type",
        "node_id",
        "phase",
        "phase_pid",
        "phase_tid",
        "pid",
        "process_info",
        "start_time",
        "tid",
    )

    def __init__(
        self,
        ts: float,
        name: str,
        dur: float,
        phase_pid: int,
        phase_tid: int,
        event_args: dict[str, Any] | str | None,
        node_id: str,
        phase: str,
        file_type: str,
        event_phase: str = "",
        pid: int = 0,
        tid: int = 0,
        process_info: ProcessInfo | None = None,
    ) -> None:
        """Stores the members of the event; arguments can be JSON text, which is parsed on first use."""
        self.start_time = ts
        self.event_name = name
        self.duration = dur
        self.end_time = ts + dur
        self.phase_pid = phase_pid
        self.phase_tid = phase_tid
        self.pid = pid
        self.tid = tid
        self._args = event_args
        self.node_id = node_id
        self.phase = phase
        self.event_phase = event_phase
        self.process_info = process_info
        self.file_type = file_type

    def __repr__(self) -> str:
        """Returns name, phase and times."""
        return f"TraceEvent({self.event_name!r}, {self.event_phase!r}, {self.start_time}..{self.end_time})"

    @property
    def event_args(self) -> dict[str, Any] | None:
        """The arguments; None without arguments.

        Example:
            >>> from tracelake.smdebug.profiler import TraceEvent
            >>> TraceEvent(5, "step", 10, 1, 0, '{"step_num": "0"}', "algo-1-0", "X", "").event_args
            {'step_num': '0'}
        """
        if isinstance(self._args, str):
            self._args = json.loads(self._args)
        return self._args  # pyright: ignore[reportReturnType] - no longer a text

    @event_args.setter
    def event_args(self, args: dict[str, Any] | None) -> None:
        self._args = args

    def to_json(self) -> str:
        """Returns the event as a line of a timeline.

        Example:
            >>> from tracelake.smdebug.profiler import TraceEvent
            >>> TraceEvent(5, "mark", 0, 1, 0, {"s": "g", "n": 1}, "algo-1-0", "i", "").to_json()
            '{"name": "mark", "pid": 0, "tid": 0, "ph": "i", "ts": 5, "s": "g", "args": {"n": 1}}'
        """
        line: dict[str, Any] = {
            "name": self.event_name,
            "pid": self.pid,
            "tid": self.tid,
            "ph": self.phase,
            "ts": self.start_time,
        }
        args = dict(self.event_args or {})
        if self.phase == "i" and args:
            line["s"] = args.pop("s", "t")
        elif self.phase == "X":
            line["dur"] = self.duration
        if args:
            line["args"] = args
        return json.dumps(line)


class TraceEventParser:
    """Reads timelines one after the other, and collects their intervals.

    The names of phases and the start of the time scale also apply to the files that follow.

    Example:
        >>> from tracelake.smdebug.profiler import SMProfilerEvents
        >>> parser = SMProfilerEvents()
        >>> parser.read_events_from_file(min(profile.glob("framework/pevents/*/*_0-algo-1_pythontimeline.json")))
        >>> parser.get_all_events()[0]  # doctest: +ELLIPSIS
        TraceEvent('_MultiProcessingDataLoaderIter.__init__', 'DataLoaderIterInitialize', ...)
    """

    def __init__(self, type: str = "") -> None:  # noqa: A002 - smdebug's
        """Starts without events; `type` is the `file_type` of the events."""
        self.type = type
        self._processes: dict[int, ProcessInfo] = {}
        self._process_name_to_id: dict[str, int] = {}
        self._trace_events: list[TraceEvent] = []
        self._open: dict[tuple[str, Any], list[tuple[dict[str, Any], float]]] = {}
        self._start_timestamp = 0

    def read_events_from_file(self, tracefile: str | os.PathLike[str]) -> None:
        """Adds the intervals of a file; of a truncated or malformed file, those on valid lines.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> parser = SMProfilerEvents()
            >>> file = min(profile.glob("framework/pevents/*/*_0-algo-1_pythontimeline.json"))
            >>> parser.read_events_from_file(file)
            >>> len(parser.get_all_events()) > 0
            True
        """
        path = os.fspath(tracefile)
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError:
            log.exception("cannot read %s", path)
            return
        self.read_events_from_json_data(parse_timeline(text, path), get_node_id_from_tracefilename(path))

    def read_events_from_json_data(self, trace_json_data: Iterable[Any], node_id: str) -> None:
        """Adds intervals from the events of a file; a malformed event is skipped and logged.

        Args:
            trace_json_data: The events, including the names of phases and the start of the time scale.
            node_id: The node in the file's name, `<number>-<host>`.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> parser = SMProfilerEvents()
            >>> parser.read_events_from_json_data([{"ph": "X", "name": "a", "pid": 1, "ts": 5, "dur": 2}], "0-algo-1")
            >>> parser.get_all_events()[0].node_id
            'algo-1-0'
        """
        swapped = re.match(r"(.*)-(algo.*)", node_id or "")
        node = f"{swapped[2]}-{swapped[1]}" if swapped else node_id
        for event in trace_json_data:
            try:
                self._read_event(event, node)
            except (AttributeError, KeyError, TypeError, ValueError) as error:  # noqa: PERF203 - a malformed event does not affect the others
                log.warning("skipped %r: %r", event, error)

    def _read_event(self, event: Any, node: str) -> None:  # noqa: ANN401 - any JSON value
        """Reads one element of the list."""
        if not isinstance(event, dict) or "ph" not in event:
            return
        if event["ph"] == "M":
            self._read_metadata(event, node)
        elif event["ph"] == "X":
            self._add(event, event, event["ts"] + self._start_timestamp, event["dur"], node)
        elif event["ph"] == "B":
            open_events = self._open.setdefault((node, event["pid"]), [])
            open_events.append((event, event["ts"] + self._start_timestamp))
        elif event["ph"] == "E":
            self._close(event, node)

    def _read_metadata(self, event: dict[str, Any], node: str) -> None:
        args = event.get("args") or {}
        pid = event["pid"]
        if event["name"] == "process_name":
            name = args.get("name", "Unknown")
            first = self._process_name_to_id.setdefault(name, pid)
            process = self._processes.get(pid)
            if process is None or (process.id, process.name) != (first, name):
                self._processes[pid] = ProcessInfo(first, name)
        elif event["name"] == "thread_name":
            self._phase(pid).add_thread(event["tid"], f"{node}_{args['name']}")
        elif event["name"] == "thread_sort_index":
            self._phase(pid).add_thread(event["tid"], "Unknown")
        self._start_timestamp = args.get("start_time_since_epoch_in_micros", self._start_timestamp)

    def _close(self, event: dict[str, Any], node: str) -> None:
        """Adds the interval that an `E` ends: the last open one of its thread, or of any thread without thread ids."""
        open_events = self._open.get((node, event["pid"]), [])
        tid = event.get("tid")
        newest_first = reversed(range(len(open_events)))
        index = next((i for i in newest_first if tid is None or open_events[i][0].get("tid") in {None, tid}), None)
        if index is None:
            log.info("an E without a B: %r", event)
            return
        begin, start = open_events.pop(index)
        dur = event["ts"] + self._start_timestamp - start
        if dur < 0:
            log.error("ends before it begins: %r, %r", begin, event)
            return
        self._add(begin, event, start, dur, node)

    def _phase(self, pid: int) -> ProcessInfo:
        return self._processes.setdefault(pid, ProcessInfo(pid, "Unknown"))

    def _add(self, begin: dict[str, Any], end: dict[str, Any], start: float, dur: float, node: str) -> None:
        phase = self._phase(begin["pid"])
        recorded_tid: Any = end.get("tid", begin.get("tid"))
        try:
            thread = phase.get_thread_info(recorded_tid).tid
        except KeyError:
            name = f"{node}_{recorded_tid or 0}"
            thread = thread_id(name, phase.name)
            phase.add_thread(thread, name)
        args = end.get("args")
        pid, tid = begin["pid"], thread
        if args:
            pid, tid = args.get("pid", pid), args.get("thread_id", tid)
        self._trace_events.append(
            TraceEvent(
                start, begin["name"], dur, begin["pid"], thread, args, node, "X", self.type, phase.name, pid, tid, phase
            )
        )

    def get_all_events(self) -> list[TraceEvent]:
        """Returns all intervals, in the order in which they were read.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_all_events()
            []
        """
        return self._trace_events

    def get_events_start_time_sorted(self) -> list[TraceEvent]:
        """Returns all intervals, sorted by start.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_events_start_time_sorted()
            []
        """
        return sorted(self._trace_events, key=attrgetter("start_time"))

    def get_events_end_time_sorted(self) -> list[TraceEvent]:
        """Returns all intervals, sorted by end.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_events_end_time_sorted()
            []
        """
        return sorted(self._trace_events, key=attrgetter("end_time"))

    def get_events_within_time_range(
        self, start_time: float, end_time: float, unit: TimeUnits = TimeUnits.MICROSECONDS
    ) -> list[TraceEvent]:
        """Returns the intervals that overlap the range, ends included.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> parser = SMProfilerEvents()
            >>> parser.read_events_from_json_data([{"ph": "X", "name": "a", "pid": 1, "ts": 5, "dur": 2}], "0-algo-1")
            >>> parser.get_events_within_time_range(7, 9), parser.get_events_within_time_range(8, 9)
            ([TraceEvent('a', 'Unknown', 5..7)], [])
        """
        start = convert_utc_timestamp_to_microseconds(start_time, unit)
        end = convert_utc_timestamp_to_microseconds(end_time, unit)
        return [event for event in self._trace_events if event.end_time >= start and event.start_time <= end]

    def get_events_within_range(self, start_time: datetime, end_time: datetime) -> list[TraceEvent]:
        """Returns the intervals that overlap the range between two datetimes.

        Example:
            >>> from datetime import datetime, timezone
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> parser = SMProfilerEvents()
            >>> parser.read_events_from_json_data([{"ph": "X", "name": "a", "pid": 1, "ts": 5, "dur": 2}], "0-algo-1")
            >>> day = datetime(1970, 1, 1, tzinfo=timezone.utc)
            >>> parser.get_events_within_range(day, day), len(parser.get_events_within_range(day, day.replace(day=2)))
            ([], 1)
        """
        start, end = (convert_utc_datetime_to_microseconds(time) for time in (start_time, end_time))
        return self.get_events_within_time_range(start, end)

    def get_events_for_process(self, pid: int, start_time: float, end_time: float) -> list[TraceEvent]:
        """Returns the intervals of a process that overlap a range in us.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_events_for_process(1, 0, 10)
            []
        """
        return [event for event in self.get_events_within_time_range(start_time, end_time) if event.pid == pid]

    def get_events_for_thread(self, tid: int, start_time: float, end_time: float) -> list[TraceEvent]:
        """Returns the intervals of a thread that overlap a range in us.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_events_for_thread(1, 0, 10)
            []
        """
        return [event for event in self.get_events_within_time_range(start_time, end_time) if event.tid == tid]

    def get_process_info(self, process_id: int) -> ProcessInfo:
        """Returns the phase of this number.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().get_process_info(1)
            Traceback (most recent call last):
            KeyError: 1
        """
        return self._processes[process_id]

    def get_processes(self) -> dict[int, ProcessInfo]:
        """Returns the phases by number.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> parser = SMProfilerEvents()
            >>> name = {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Forward"}}
            >>> parser.read_events_from_json_data([name], "0-algo-1")
            >>> parser.get_processes()
            {1: id:1 name:Forward threads:{}}
        """
        return self._processes

    def clear_events(self) -> None:
        """Removes the intervals, but not the phases.

        Example:
            >>> from tracelake.smdebug.profiler import SMProfilerEvents
            >>> SMProfilerEvents().clear_events()
        """
        self._trace_events = []


def parse_timeline(text: str, path: str) -> list[Any]:
    """Returns the events of a timeline; a malformed file is parsed line by line, with one event per line."""
    try:
        content = json.loads(text)
    except ValueError as error:
        log.warning("%s is malformed, read line by line: %s", path, error)
        content = list(_parse_lines(text))
    if isinstance(content, dict):
        content = content.get("traceEvents", [])
    return content if isinstance(content, list) else []


def _parse_lines(text: str) -> Iterable[Any]:
    for line in text.splitlines():
        try:
            yield json.loads(line.strip().removeprefix("[").removesuffix(","))
        except ValueError:  # noqa: PERF203 - a malformed line does not affect the others
            continue
