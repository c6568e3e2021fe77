"""Readers of timelines: what the framework did."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import IN_RANGE, events, file_parameters, phases, thread_id
from tracelake.smdebug._libraries import np
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


def _parsers() -> list[TraceEventParser]:
    """A parser for each kind of file, in the order of `Profile.files`; the last one for other kinds."""
    return [
        SMProfilerEvents(),
        SMProfilerEvents(type="DetailedframeworkMetrics"),
        TensorboardProfilerEvents(),
        HorovodProfilerEvents(),
        SMDataParallelProfilerEvents(),
        TraceEventParser(),
    ]


class AlgorithmMetricsReader(MetricsReaderBase[TraceEvent]):
    """Intervals of timelines.

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
        self._phases_of: dict[str, Any] | None = None
        """The files whose phases these are."""
        self._phases_found: dict[tuple[int, str, int | None], ProcessInfo] = {}

    def get_all_event_parsers(self) -> list[TraceEventParser]:
        """A parser for each kind of file, which hold all events of the profile.

        Example:
            >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
            >>> parsers = LocalAlgorithmMetricsReader(str(profile)).get_all_event_parsers()
            >>> [(parser.type, len(parser.get_all_events())) for parser in parsers][0]
            ('PythontimelineMetrics', 980)
        """
        parsers = _parsers()
        kinds = {parser.type: parser for parser in parsers}
        for event in self.get_events(-(2**62), 2**62):
            kinds[event.file_type].get_all_events().append(event)
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
            from {events(IN_RANGE)} where start <= $end and start + dur >= $start
            order by place, row"""  # noqa: S608 - made of our own texts
        table = self.profile.arrow(text, start=start, end=end, **parameters)
        tracks = table["track"].combine_chunks().dictionary_encode()
        known = self._tracks(tracks.dictionary.to_pylist())
        columns = [_microseconds(table["start"]), _microseconds(table["dur"])]
        columns += [table[name].to_pylist() for name in ("name", "args", "pid")]
        with _without_collection():
            return [
                TraceEvent(ts, name, dur, n, tid, args, node, "X", kind, phase, n if pid is None else pid, tid, process)
                for ts, dur, name, args, pid, (n, tid, node, kind, phase, process) in zip(
                    *columns, map(known.__getitem__, tracks.indices.to_pylist()), strict=True
                )
            ]

    def _tracks(self, tracks: list[str]) -> list[tuple[int, int, str, str, str, ProcessInfo]]:
        """What events of a track share: number of the phase, thread, node, kind, phase, and that as an object."""
        processes = self._phases()
        kinds = [parser.type for parser in _parsers()]
        known: list[tuple[int, int, str, str, str, ProcessInfo]] = []
        for track in tracks:
            parser, node, phase, thread, said, *number = track.split("\x1f")
            process = processes[int(parser), phase, int(number[0]) if number else None]
            tid = int(said) if said else thread_id(thread, phase)
            process.add_thread(tid, thread)
            known.append((process.id, tid, node, kinds[int(parser)], phase, process))
        return known

    def _phases(self) -> dict[tuple[int, str, int | None], ProcessInfo]:
        """Phases as `phases` numbers them; always the same objects, as long as no file comes."""
        files = file_parameters(self.profile, "framework")
        if files != self._phases_of:
            found = phases(self.profile)
            self._phases_found = {key: ProcessInfo(number, key[1]) for key, number in found.items()}
            self._phases_of = files
        return self._phases_found


def _microseconds(ns: Any) -> list[float]:  # noqa: ANN401 - an Arrow column
    """Us as files have them: whole, unless they were not."""
    times = ns.to_numpy()
    us = (times // 1_000).tolist()
    for i in np.flatnonzero(times % 1_000):
        us[i] = int(times[i]) / 1_000
    return us


@contextmanager
def _without_collection() -> Generator[None]:
    """Lets a million objects be made without Python looking every few thousand whether it can free some."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


class LocalAlgorithmMetricsReader(LocalReader[TraceEvent], AlgorithmMetricsReader):
    """Timelines of a profile in a folder.

    Example:
        >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
        >>> len(LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(2, 3))
        17
    """


class S3AlgorithmMetricsReader(S3Reader[TraceEvent], AlgorithmMetricsReader):
    """Timelines of a profile on S3, `s3://bucket/.../profiler-output`; credentials are those of `AWS_...`.

    Example:
        >>> from tracelake.smdebug.profiler import S3AlgorithmMetricsReader
        >>> S3AlgorithmMetricsReader("s3://bucket/job/profiler-output")  # doctest: +SKIP
    """


def open_reader(path: str, *, use_in_memory_cache: bool = False) -> AlgorithmMetricsReader:
    """Returns the reader for this path: one for S3 or one for local profiles."""
    reader = S3AlgorithmMetricsReader if path.startswith("s3://") else LocalAlgorithmMetricsReader
    return reader(path, use_in_memory_cache=use_in_memory_cache)
