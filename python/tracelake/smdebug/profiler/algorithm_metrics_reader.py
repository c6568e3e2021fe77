"""Readers of timelines: the events of the framework."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import IN_RANGE, events_sql, file_parameters, number_phases, thread_id
from tracelake.smdebug._libraries import np
from tracelake.smdebug._rows import TENSORFLOW
from tracelake.smdebug.profiler.metrics_reader_base import LocalReader, MetricsReaderBase, S3Reader
from tracelake.smdebug.profiler.tf_profiler_parser import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)
from tracelake.smdebug.profiler.trace_event_file_parser import ProcessInfo, TraceEvent, TraceEventParser

if TYPE_CHECKING:
    import os
    from collections.abc import Generator

__all__ = ["AlgorithmMetricsReader", "LocalAlgorithmMetricsReader", "S3AlgorithmMetricsReader"]


def _create_parsers() -> list[TraceEventParser]:
    """Returns a parser for each kind of file, in the order of `Profile.files`; the last one is for other kinds."""
    return [
        SMProfilerEvents(),
        SMProfilerEvents(type="DetailedframeworkMetrics"),
        TensorboardProfilerEvents(),
        HorovodProfilerEvents(),
        SMDataParallelProfilerEvents(),
        TraceEventParser(),
    ]


class AlgorithmMetricsReader(MetricsReaderBase[TraceEvent]):
    """Reads the intervals of timelines.

    Example:
        >>> from tracelake.smdebug.profiler.algorithm_metrics_reader import AlgorithmMetricsReader
        >>> events = AlgorithmMetricsReader(profile).get_events(1600000245000000, 1600000245080000)
        >>> sorted({event.event_phase for event in events})
        ['DataLoaderIter', 'DataLoaderIterInitialize', 'DataLoaderWorker']
    """

    prefix = "framework"

    def __init__(self, path: str | os.PathLike[str], use_in_memory_cache: bool = False) -> None:
        """Opens the profile."""
        super().__init__(path, use_in_memory_cache)
        self._phase_files: dict[str, Any] | None = None
        """The files to which `_phase_infos` belongs."""
        self._phase_infos: dict[tuple[int, str, int | None], ProcessInfo] = {}

    def get_all_event_parsers(self) -> list[TraceEventParser]:
        """Returns a parser for each kind of file; together, they hold all events of the profile.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> parsers = LocalAlgorithmMetricsReader(str(profile)).get_all_event_parsers()
            >>> [(parser.type, len(parser.get_all_events())) for parser in parsers][0]
            ('PythontimelineMetrics', 980)
        """
        parsers = _create_parsers()
        kinds = {parser.type: parser for parser in parsers}
        files = self.profile.files("framework")
        for number in files["parser"][~files["has_own_clock"] | (files["parser"] == TENSORFLOW)].unique():
            # phase 0 has no name: it is that of the event with the start of the time scale
            parsers[number].get_processes()[0] = ProcessInfo(0, "Unknown")
        for event in self.get_events(-(2**62), 2**62):
            parser = kinds[event.file_type]
            parser.get_all_events().append(event)
            if event.process_info is not None:
                parser.get_processes()[event.phase_pid] = event.process_info
        return parsers

    def _events(self, start: int, end: int, event_type: str | None, parameters: dict[str, Any]) -> list[TraceEvent]:
        if event_type is not None:
            text = f"cannot filter timelines by `{event_type}`: event_type is for system metrics"
            raise TypeError(text)
        text = f"""
            select start, dur, pid, arrow_cast(name, 'Utf8') as name,
              arrow_cast(case when members <> '' then '{{' || members || '}}' end, 'LargeUtf8') as args,
              arrow_cast(concat_ws(
                chr(31), parser, node, phase, thread, coalesce(cast(tid as text), ''), phase_number), 'Utf8') as track
            from {events_sql(IN_RANGE)} where start <= $end and start + dur >= $start
            order by place, row"""  # noqa: S608 - no part comes from the user
        table = self.profile.arrow(text, start=start, end=end, **parameters)
        tracks = table["track"].combine_chunks().dictionary_encode()
        shared = self._tracks(tracks.dictionary.to_pylist())
        columns = [_microseconds(table["start"]), _microseconds(table["dur"])]
        columns += [table[name].to_pylist() for name in ("name", "args", "pid")]
        with _garbage_collection_disabled():
            return [
                TraceEvent(ts, name, dur, n, tid, args, node, "X", kind, phase, n if pid is None else pid, tid, process)
                for ts, dur, name, args, pid, (n, tid, node, kind, phase, process) in zip(
                    *columns, map(shared.__getitem__, tracks.indices.to_pylist()), strict=True
                )
            ]

    def _tracks(self, tracks: list[str]) -> list[tuple[int, int, str, str, str, ProcessInfo]]:
        """Returns for each track: number of the phase, thread, node, kind, name of the phase, and its `ProcessInfo`."""
        processes = self._phases()
        kinds = [parser.type for parser in _create_parsers()]
        shared: list[tuple[int, int, str, str, str, ProcessInfo]] = []
        for track in tracks:
            parser, node, phase, thread, recorded_tid, *number = track.split("\x1f")
            process = processes[int(parser), phase, int(number[0]) if number else None]
            tid = int(recorded_tid) if recorded_tid else thread_id(thread, phase)
            process.add_thread(tid, thread)
            shared.append((process.id, tid, node, kinds[int(parser)], phase, process))
        return shared

    def _phases(self) -> dict[tuple[int, str, int | None], ProcessInfo]:
        """Returns the phases with the numbers of `number_phases`; the same objects until there is a new file."""
        files = file_parameters(self.profile, "framework")
        if files != self._phase_files:
            numbers = number_phases(self.profile)
            self._phase_infos = {key: ProcessInfo(number, key[1]) for key, number in numbers.items()}
            self._phase_files = files
        return self._phase_infos


def _microseconds(ns: Any) -> list[float]:  # noqa: ANN401 - an Arrow column
    """Converts ns to us: an integer if the time is a whole number of us, else a float."""
    times = ns.to_numpy()
    us = (times // 1_000).tolist()
    for i in np.flatnonzero(times % 1_000):
        us[i] = int(times[i]) / 1_000
    return us


@contextmanager
def _garbage_collection_disabled() -> Generator[None]:
    """Disables garbage collection in the block, because its repeated scans slow down creating a million objects."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


class LocalAlgorithmMetricsReader(LocalReader[TraceEvent], AlgorithmMetricsReader):
    """Reads the timelines of a profile in a folder.

    Example:
        >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
        >>> len(LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(2, 3))
        17
    """


class S3AlgorithmMetricsReader(S3Reader[TraceEvent], AlgorithmMetricsReader):
    """Reads the timelines of a profile on S3, `s3://bucket/.../profiler-output`, with credentials of `AWS_...`.

    Example:
        >>> from tracelake.smdebug.profiler import S3AlgorithmMetricsReader
        >>> S3AlgorithmMetricsReader("s3://bucket/job/profiler-output")  # doctest: +SKIP
    """


def open_reader(path: str, *, use_in_memory_cache: bool = False) -> AlgorithmMetricsReader:
    """Returns the reader for this path: one for S3 or one for local profiles."""
    reader = S3AlgorithmMetricsReader if path.startswith("s3://") else LocalAlgorithmMetricsReader
    return reader(path, use_in_memory_cache=use_in_memory_cache)
