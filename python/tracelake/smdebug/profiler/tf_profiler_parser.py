"""Parsers of timelines, one class per writer."""

from __future__ import annotations

import gzip
import logging
import os
import zlib
from pathlib import Path
from typing import Any

from tracelake.errors import ArgumentError
from tracelake.smdebug.profiler.profiler_constants import TF_METRICS_PREFIX
from tracelake.smdebug.profiler.trace_event_file_parser import TraceEvent, TraceEventParser, parse_timeline
from tracelake.smdebug.profiler.utils import read_tf_profiler_metadata_file

__all__ = ["HorovodProfilerEvents", "SMDataParallelProfilerEvents", "SMProfilerEvents", "TensorboardProfilerEvents"]

log = logging.getLogger("tracelake.smdebug")


class SMProfilerEvents(TraceEventParser):
    """Timelines of the hook (`PythontimelineMetrics`) or of the AWS build of TensorFlow (`DetailedframeworkMetrics`).

    Example:
        >>> from tracelake.smdebug.profiler import SMProfilerEvents
        >>> SMProfilerEvents().type
        'PythontimelineMetrics'
    """

    def __init__(self, type: str = "PythontimelineMetrics") -> None:  # noqa: A002 - smdebug's
        """Starts without events."""
        super().__init__(type=type)


class HorovodProfilerEvents(TraceEventParser):
    """Timelines of Horovod.

    Example:
        >>> from tracelake.smdebug.profiler import HorovodProfilerEvents
        >>> HorovodProfilerEvents().type
        'HorovodMetrics'
    """

    def __init__(self) -> None:
        """Starts without events."""
        super().__init__(type="HorovodMetrics")


class SMDataParallelProfilerEvents(TraceEventParser):
    """Timelines of SageMaker's distributed data parallel library.

    Example:
        >>> from tracelake.smdebug.profiler import SMDataParallelProfilerEvents
        >>> SMDataParallelProfilerEvents().type
        'SMDataParallelMetrics'
    """

    def __init__(self) -> None:
        """Starts without events."""
        super().__init__(type="SMDataParallelMetrics")


class TensorboardProfilerEvents(TraceEventParser):
    """Local traces of the TensorFlow profiler, `<host>.trace.json.gz`.

    Their times count from the start in the name of the `.metadata` file in a parent folder; without this file, from 0.

    Example:
        >>> import gzip
        >>> from tracelake.smdebug.profiler import TensorboardProfilerEvents
        >>> path = getfixture("tmp_path") / "host.trace.json.gz"
        >>> trace = b'{"traceEvents": [{"ph": "X", "name": "MatMul", "pid": 1, "tid": 2, "ts": 1.5, "dur": 2}, {}]}'
        >>> _ = path.write_bytes(gzip.compress(trace))
        >>> parser = TensorboardProfilerEvents()
        >>> parser.read_events_from_file(path)  # doctest: +ELLIPSIS
        Reading event from tracefile:...host.trace.json.gz and node_id:host
        >>> parser.get_all_events()
        [TraceEvent('MatMul', 'Unknown', 1.5..3.5)]
    """

    def __init__(self) -> None:
        """Starts without events."""
        super().__init__(type="TFProfilerMetrics")

    def read_events_from_file(self, tracefile: str | os.PathLike[str]) -> None:
        """Adds the intervals of a trace, compressed or not; its node is the host in its name.

        Raises:
            ArgumentError: The trace is not a local file; `S3AlgorithmMetricsReader` reads profiles on S3.

        Example:
            >>> from tracelake.smdebug.profiler import TensorboardProfilerEvents
            >>> TensorboardProfilerEvents().read_events_from_file("s3://bucket/host.trace.json.gz")
            Traceback (most recent call last):
            ArgumentError: cannot read s3://bucket/host.trace.json.gz: expected a local file
        """
        path = os.fspath(tracefile)
        if "://" in path:
            text = f"cannot read {path}: expected a local file\n  hint:   S3AlgorithmMetricsReader reads profiles on S3"
            raise ArgumentError(text)
        node = path.rsplit("/", maxsplit=1)[-1].split(".")[0]
        print(f"Reading event from tracefile:{path} and node_id:{node}")
        try:
            content = Path(path).read_bytes()
            content = gzip.decompress(content) if content.startswith(b"\x1f\x8b") else content
        except (OSError, EOFError, zlib.error):
            log.exception("cannot read %s", path)
            return
        _, start_us, _ = read_tf_profiler_metadata_file(path)
        # without a name, so that phase 0 is `Unknown`
        args = {"start_time_since_epoch_in_micros": int(start_us)}
        base = {"ph": "M", "name": "process_name", "pid": 0, "args": args}
        self.read_events_from_json_data([base, *parse_timeline(content.decode(errors="replace"), path)], node)

    def get_complete_op_events(self, tracefile: str | os.PathLike[str]) -> list[tuple[TraceEvent, str]]:
        """Reads a trace and returns the operators that a marker of AWS assigns to a phase of training, with the phase.

        Example:
            >>> from tracelake.smdebug.profiler import TensorboardProfilerEvents
            >>> path = getfixture("tmp_path") / "host.trace.json"
            >>> name = '"name": "aws_marker-ForwardPass/MatMul"'
            >>> _ = path.write_text('[{"ph": "X", %s, "pid": 1, "ts": 1, "dur": 2, "args": {"id": 1}}]' % name)
            >>> events = TensorboardProfilerEvents().get_complete_op_events(path)  # doctest: +ELLIPSIS
            Reading event from tracefile:...host.trace.json and node_id:host
            >>> [(event.duration, phase) for event, phase in events]
            [(2, 'ForwardPass')]
        """
        self.read_events_from_file(tracefile)
        events = [event for event in self.get_all_events() if event.event_args is not None]
        return [(event, phase) for event in events if (phase := _parse_phase(event.event_name)) is not None]

    def get_training_info(self, tracefile: str | os.PathLike[str]) -> dict[str, list[Any]]:
        """Reads a trace and returns the operators of each phase of training: name, start and duration in us.

        Example:
            >>> from tracelake.smdebug.profiler import TensorboardProfilerEvents
            >>> path = getfixture("tmp_path") / "host.trace.json"
            >>> name = '"name": "aws_marker-ForwardPass/MatMul"'
            >>> _ = path.write_text('[{"ph": "X", %s, "pid": 1, "ts": 1, "dur": 2, "args": {"id": 1}}]' % name)
            >>> TensorboardProfilerEvents().get_training_info(path)  # doctest: +ELLIPSIS
            Reading event from tracefile:...host.trace.json and node_id:host
            {'ForwardPass': [['aws_marker-ForwardPass/MatMul', 1, 2]], 'ComputeGradient': [], 'ApplyGradient': []}
        """
        events_by_phase: dict[str, list[Any]] = {phase: [] for phase in PHASES}
        for event, phase in self.get_complete_op_events(tracefile):
            events_by_phase[phase].append([event.event_name, event.start_time, event.duration])
        return events_by_phase


PHASES = ("ForwardPass", "ComputeGradient", "ApplyGradient")


def _parse_phase(name: str) -> str | None:
    """Parses the phase of training in `aws_marker-<phase>/<operator>`."""
    phase = name.removeprefix(TF_METRICS_PREFIX).split("/", 1)[0]
    return phase if name.startswith(TF_METRICS_PREFIX) and phase in PHASES else None
