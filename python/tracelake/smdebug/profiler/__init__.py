"""Readers, parsers and events of profiles; `tracelake.smdebug.profiler.analysis` has what is computed from them."""

from __future__ import annotations

from importlib import import_module

_HOMES = {
    "HorovodProfilerEvents": "tf_profiler_parser",
    "LocalAlgorithmMetricsReader": "algorithm_metrics_reader",
    "LocalSystemMetricsReader": "system_metrics_reader",
    "MetricsReaderBase": "metrics_reader_base",
    "ProfilerSystemEvents": "system_metrics_reader",
    "S3AlgorithmMetricsReader": "algorithm_metrics_reader",
    "S3SystemMetricsReader": "system_metrics_reader",
    "SMDataParallelProfilerEvents": "tf_profiler_parser",
    "SMProfilerEvents": "tf_profiler_parser",
    "SystemProfilerEventParser": "system_profiler_file_parser",
    "TensorboardProfilerEvents": "tf_profiler_parser",
    "TraceEvent": "trace_event_file_parser",
    "TraceEventParser": "trace_event_file_parser",
}


def __getattr__(name: str) -> object:
    """What the package gives beside its modules, imported when it is asked for."""
    home = _HOMES.get(name)
    if home is None:
        text = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(text)
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    """The names that `__getattr__` knows, for whoever completes them."""
    return sorted({*globals(), *_HOMES})
