"""Merges the timelines and system metrics of a profile into one file for Chrome's and Perfetto's viewers."""

from __future__ import annotations

import logging
import os
import socket
import tempfile
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from tracelake.optional import import_optional
from tracelake.smdebug.profiler import algorithm_metrics_reader
from tracelake.smdebug.profiler.analysis.utils._merged_lines import FIRST_NUMBERS, LowGpuMarkers, TimelineLines
from tracelake.smdebug.profiler.profiler_constants import MERGEDTIMELINE_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MergeUnit", "MergedTimeline"]

log = logging.getLogger("tracelake.smdebug")
LOW_GPU: Mapping[str, Any] = {"lowgpu": ()}


class MergeUnit(Enum):
    """The unit of start and end of a merge: us since the epoch, or numbers of steps."""

    TIME = "time"
    STEP = "step"


class MergedTimeline:
    """Merges the events of a range into one timeline, any number of times.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit
        >>> timeline = MergedTimeline(str(profile), output_directory=str(getfixture("tmp_path")))
        >>> path = timeline.merge_timeline(2, 4, unit=MergeUnit.STEP, sys_metrics_filter=None)
        Got framework events
        Added 0 sys events and count_counter_events:0
        Rewriting events
        >>> import json, pathlib
        >>> {event["ph"] for event in json.loads(pathlib.Path(path).read_text())} == {"M", "X"}
        True
    """

    def __init__(
        self, path: str, file_suffix_filter: list[str] | None = None, output_directory: str | None = None
    ) -> None:
        """Opens a profile.

        Args:
            path: Root of the profile, the folder that contains `system` and `framework`, local or on S3.
            file_suffix_filter: Endings of the timelines' names, such as `["pythontimeline.json"]`. The default is all.
            output_directory: Destination of the file, a folder or a prefix on S3, which needs boto3. The default is the
                root of the profile.
        """
        self.path = os.fspath(path)
        self.out_dir = self.path if output_directory is None else os.fspath(output_directory)
        self.file_suffix_filter = file_suffix_filter
        self.framework_metrics_reader = algorithm_metrics_reader.open_reader(self.path)
        self.bytes_written = 0
        self.tensor_table: dict[str, int] = {}
        """Number of each phase in the last file."""
        self.eventphase_starting_ids = dict(FIRST_NUMBERS)
        self._writer: BinaryIO | None = None
        self._target = ""

    def file_name(self, end_timestamp_in_us: float) -> str:
        """Returns the file name for the end of a range: `<end_us>_<process id>-<host>_merged_timeline.json`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline
            >>> MergedTimeline(str(profile), output_directory="out").file_name(1600000200000000)  # doctest: +ELLIPSIS
            'out/1600000200000000_..._merged_timeline.json'
        """
        node = f"{os.getpid()}-{socket.gethostname()}".replace("_", "-")
        name = f"{round(end_timestamp_in_us)}_{node}_{MERGEDTIMELINE_SUFFIX}"
        return os.path.join(self.out_dir, name)  # noqa: PTH118 - it can be an address

    def open(self, file_path: str) -> BinaryIO:
        """Opens a file for the next merge, in place of the default file name.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline
            >>> timeline = MergedTimeline(str(profile))
            >>> _ = timeline.open(str(getfixture("tmp_path") / "merged.json"))
            >>> timeline.close()
            >>> (getfixture("tmp_path") / "merged.json").read_text().split()
            ['[', ']']
        """
        if file_path.startswith("s3://"):
            handle, local = tempfile.mkstemp(suffix=MERGEDTIMELINE_SUFFIX)
            os.close(handle)
        else:
            local = file_path
            Path(local).parent.mkdir(parents=True, exist_ok=True)
        self._target = file_path
        self._writer = Path(local).open("wb")  # noqa: SIM115 - closed by `close`
        self.bytes_written = self._writer.write(b"[\n")
        return self._writer

    def merge_timeline(
        self,
        start: float,
        end: float,
        unit: MergeUnit | str = MergeUnit.TIME,
        sys_metrics_filter: Mapping[str, Any] | None = LOW_GPU,
    ) -> str:
        """Writes the events from `start` to `end` into a file.

        Intervals that overlap the range are included. System metrics become counters. Each time with GPU utilization
        below 85 percent becomes a mark with all measurements within 20 ms.

        Args:
            start: First time in us since the epoch, or first step.
            end: Last time; or a step: the range ends before its start, see `get_events_by_step` of the reader.
            unit: Unit of both, also as text.
            sys_metrics_filter: If it is None or empty, system metrics are excluded; its content has no effect.

        Returns:
            The name of the file: a JSON list of trace events, one per line. Without events, the list is empty.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline
            >>> timeline = MergedTimeline(str(profile), output_directory=str(getfixture("tmp_path")))
            >>> path = timeline.merge_timeline(1600000245000000, 1600000246000000)
            Got framework events
            Appending system metrics with filter:{'lowgpu': ()}
            2
            Added 1 sys events and count_counter_events:28
            Rewriting events
        """
        reader = self.framework_metrics_reader
        if MergeUnit(unit) is MergeUnit.STEP:
            start, end = reader._get_time_interval_for_step(int(start), int(end))  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
        else:
            reader.refresh_event_file_list()
        target = self._target if self._writer is not None else self.file_name(end)
        profile = reader.profile
        begin, stop = (min(int(moment * 1_000), 2**62) for moment in (start, end))
        if stop == 0:  # a step that was not found
            begin = 1
        markers = None
        counters = 0
        print("Got framework events")
        if sys_metrics_filter:
            print(f"Appending system metrics with filter:{sys_metrics_filter}")
            markers = LowGpuMarkers(profile, begin, stop)
            print(markers.low)
            counters = markers.measured
        marked = len(markers.times) if markers else 0
        print(f"Added {marked} sys events and count_counter_events:{counters}")
        print("Rewriting events")
        writer = self._writer or self.open(target)
        lines = TimelineLines(profile, begin, stop, self.file_suffix_filter, markers)
        try:
            for text in lines:
                self.bytes_written += writer.write(text)
        except BaseException:
            # remove the incomplete file
            self._writer = None
            writer.close()
            Path(writer.name).unlink()
            raise
        self.tensor_table = lines.numbers
        self.close()
        log.info("merged timeline: %s", target)
        return target

    def close(self) -> None:
        """Completes the open file, so that it is valid JSON, and uploads it if its destination is on S3.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline
            >>> MergedTimeline(str(profile)).close()
        """
        if self._writer is None:
            return
        writer, self._writer = self._writer, None
        with writer:
            if self.bytes_written > len("[\n"):
                # replaces the comma after the last line
                writer.seek(-len(",\n"), os.SEEK_CUR)
                writer.write(b"\n")
            writer.write(b"]")
            writer.truncate()
        self.bytes_written = Path(writer.name).stat().st_size
        if self._target.startswith("s3://"):
            _upload(Path(writer.name), self._target)


def _upload(file: Path, url: str) -> None:
    """Moves a file to S3."""
    place = urlsplit(url)
    try:
        boto3 = import_optional("boto3", None, f"write {url}")
        boto3.client("s3").upload_file(str(file), place.netloc, place.path.lstrip("/"))
    finally:
        file.unlink()
