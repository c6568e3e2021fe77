"""Readers of system metrics."""

from __future__ import annotations

from typing import Any

from tracelake.smdebug._framework import FILES
from tracelake.smdebug.profiler.metrics_reader_base import LocalReader, MetricsReaderBase, S3Reader
from tracelake.smdebug.profiler.system_profiler_file_parser import ProfilerSystemEvent, ProfilerSystemEvents

__all__ = ["LocalSystemMetricsReader", "ProfilerSystemEvents", "S3SystemMetricsReader", "SystemMetricsReader"]


class SystemMetricsReader(MetricsReaderBase[ProfilerSystemEvent]):
    """Reads measurements of CPU, GPU, memory, disk and network.

    Example:
        >>> from tracelake.smdebug.profiler.system_metrics_reader import SystemMetricsReader
        >>> len(SystemMetricsReader(profile).get_events(1600000200000000, 1600000201000000))
        28
    """

    prefix = "system"

    def get_all_event_parsers(self) -> list[ProfilerSystemEvents]:
        """Returns one parser with all measurements of the profile.

        Example:
            >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
            >>> (parser,) = LocalSystemMetricsReader(str(profile)).get_all_event_parsers()
            >>> len(parser.get_all_events())
            3724
        """
        parser = ProfilerSystemEvents()
        parser.get_all_events().extend(self.get_events(-(2**62), 2**62))
        return [parser]

    def _events(
        self, start: int, end: int, event_type: str | None, parameters: dict[str, Any]
    ) -> list[ProfilerSystemEvent]:
        # a double cannot hold ns since the epoch, so seconds and fraction are converted separately: their sum equals
        # the number in the file
        text = f"""
            with measured as (
              select *, case resource when 'io' then 'i/o' else resource end as kind
              from sample where run = $run and ts between $start and $end
            )
            select arrow_cast(kind, 'Utf8') as kind, raw_name,
              arrow_cast(coalesce(raw_dimension, ''), 'Utf8') as dimension, value,
              arrow_cast(coalesce(measured.node, ''), 'Utf8') as node,
              cast(ts / 1000000000 as double) + cast(ts % 1000000000 as double) / 1e9 as seconds
            from measured join {FILES} as file on measured.object = file.object
            where $kind in ('', kind)
            order by place, row"""  # noqa: S608 - no part comes from the user
        table = self.profile.arrow(text, start=start, end=end, kind=event_type or "", **parameters)
        return list(map(ProfilerSystemEvent, *(column.to_pylist() for column in table.columns)))


class LocalSystemMetricsReader(LocalReader[ProfilerSystemEvent], SystemMetricsReader):
    """Reads the system metrics of a profile in a folder.

    Example:
        >>> from tracelake.smdebug.profiler import LocalSystemMetricsReader
        >>> LocalSystemMetricsReader(str(profile)).get_timestamp_of_first_available_file()
        1600000200000000
    """


class S3SystemMetricsReader(S3Reader[ProfilerSystemEvent], SystemMetricsReader):
    """Reads the system metrics of a profile on S3, `s3://bucket/.../profiler-output`, with credentials of `AWS_...`.

    Example:
        >>> from tracelake.smdebug.profiler import S3SystemMetricsReader
        >>> S3SystemMetricsReader("s3://bucket/job/profiler-output")  # doctest: +SKIP
    """


def open_reader(path: str, *, use_in_memory_cache: bool = False) -> SystemMetricsReader:
    """Returns the reader for this path: one for S3 or one for local profiles."""
    reader = S3SystemMetricsReader if path.startswith("s3://") else LocalSystemMetricsReader
    return reader(path, use_in_memory_cache=use_in_memory_cache)
