"""Readers of timelines: what the framework did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import EVENTS, file_parameters, thread_id
from tracelake.smdebug.profiler.metrics_reader_base import MetricsReaderBase
from tracelake.smdebug.profiler.tf_profiler_parser import (
    HorovodProfilerEvents,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
)
from tracelake.smdebug.profiler.trace_event_file_parser import ProcessInfo, TraceEvent, TraceEventParser

if TYPE_CHECKING:
    import os

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
            select start, dur, name, case when members <> '' then '{{' || members || '}}' end as args,
              node, parser, phase, phase_number, pid, tid, thread
            from {EVENTS} where start <= $end and start + dur >= $start
            order by place, row"""
        table = self.profile.arrow(text, start=start, end=end, **parameters)
        kinds = [parser.type for parser in _parsers()]
        phases = self._phases()
        threads: dict[tuple[str, str], int] = {}
        events: list[TraceEvent] = []
        for ns, dur, name, args, node, parser, phase, number, pid, tid, thread in zip(
            *(column.to_pylist() for column in table.columns), strict=True
        ):
            process = phases[parser, phase, number]
            if tid is None and (tid := threads.get((thread, phase))) is None:
                tid = threads[thread, phase] = thread_id(thread, phase)
            process.add_thread(tid, thread)
            events.append(
                TraceEvent(
                    _microseconds(ns),
                    name,
                    _microseconds(dur),
                    process.id,
                    tid,
                    args,
                    node,
                    "X",
                    kinds[parser],
                    phase,
                    process.id if pid is None else pid,
                    tid,
                    process,
                )  # fmt: skip
            )
        return events

    def _phases(self) -> dict[tuple[int, str, int | None], ProcessInfo]:
        """Phases by parser, name, and number if that is all that is known of them.

        The lake keeps the names of phases. They have the numbers 1, 2, ... of each parser in the order in which they
        come first, which is how the hook numbers them.
        """
        text = f"""
            select parser, phase, phase_number, min(place * 1099511627776 + row) as first
            from {EVENTS} group by 1, 2, 3 order by first"""
        found = self.profile.arrow(text, **file_parameters(self.profile, "framework")).to_pylist()
        numbers = dict.fromkeys((row["parser"] for row in found), 0)
        phases: dict[tuple[int, str, int | None], ProcessInfo] = {}
        for row in found:
            number = row["phase_number"]
            if number is None:
                number = numbers[row["parser"]] = numbers[row["parser"]] + 1
            phases[row["parser"], row["phase"], row["phase_number"]] = ProcessInfo(number, row["phase"])
        return phases


def _microseconds(ns: int) -> float:
    """Us as files have them: whole, unless they were not."""
    return ns // 1_000 if ns % 1_000 == 0 else ns / 1_000


class LocalAlgorithmMetricsReader(AlgorithmMetricsReader):
    """Timelines of a profile in a folder.

    Example:
        >>> from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
        >>> len(LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(2, 3))
        17
    """

    def __init__(
        self,
        trace_root_folder: str | os.PathLike[str],
        use_in_memory_cache: bool = False,  # noqa: FBT002 - smdebug's
    ) -> None:
        """Opens the profile."""
        super().__init__(trace_root_folder, use_in_memory_cache)
        self.trace_root_folder = trace_root_folder


class S3AlgorithmMetricsReader(AlgorithmMetricsReader):
    """Timelines of a profile on S3, `s3://bucket/.../profiler-output`; credentials are those of `AWS_...`.

    Example:
        >>> from tracelake.smdebug.profiler import S3AlgorithmMetricsReader
        >>> S3AlgorithmMetricsReader("s3://bucket/job/profiler-output")  # doctest: +SKIP
    """

    def __init__(self, s3_trial_path: str, use_in_memory_cache: bool = False) -> None:  # noqa: FBT002 - smdebug's
        """Opens the profile."""
        super().__init__(s3_trial_path, use_in_memory_cache)
        self.s3_trial_path = s3_trial_path
