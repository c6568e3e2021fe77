"""Readers, parsers and events of profiles; `tracelake.smdebug.profiler.analysis` computes results from them."""

from __future__ import annotations

from tracelake.smdebug._libraries import lazy_attributes

_MODULES = {
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

__getattr__, __dir__ = lazy_attributes(__name__, _MODULES)
