"""Formats the events of the lake as the lines of a merged timeline, one batch at a time, in bounded memory.

Arrow composes the lines of all events of a batch at once. A viewer needs the names of phase and thread before an event,
so the lines with these names precede the first event of each phase and thread.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from tracelake.optional import import_optional
from tracelake.smdebug._framework import IN_RANGE, START, events_sql, file_parameters, thread_id
from tracelake.smdebug._libraries import np, pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.smdebug._profile import Profile

pc: Any = import_optional("pyarrow.compute", "smdebug", "use tracelake.smdebug")
TEXT: Any = pa.large_string()

FIRST_NUMBERS = {
    "Step:": 1,
    "Forward": 10_000,
    "Backward": 20_000,
    "DataIterator": 30_000,
    "Dataset": 40_000,
    "/device": 50_000,
    "/host": 60_000,
    "gpu_functions": 70_000,
    "cpu_functions": 80_000,
    "Horovod": 90_000,
    "other": 1_000_000,
}
"""The number of the first phase with each of these texts in its name; viewers sort phases by number."""

LOW_GPU = 85
"""Percent of GPU utilization below which a time is marked."""

NEAR = 20_000_000
"""Maximum distance in ns of a measurement from the marked time."""

CHUNK = 500
"""Number of marked times with measurements in memory at once."""

WINDOW = 200_000
"""Maximum number of lines to sort at once; more if a single second has more."""

COUNTERS = "sys_metrics"
MARKERS = "sys_metrics_bottlenecks"

# JSON cannot represent NaN and infinity: the condition `value - value = 0` excludes them
SAMPLES = """
  select ts, concat_ws('_', raw_name, coalesce(raw_dimension, ''), node) as name, raw_dimension, value, object, row
  from sample
  where run = $run and ts between $start and $end and value - value = 0
    and array_has(cast($system as bigint[]), object)
"""

# `tail` is the line after `"ph": `. The text before it depends only on phase, thread and name, which repeat.
LINES = f"""
  with line as (
    select start, 0 as kind, place, row, name, concat_ws(chr(31), phase, thread, tid) as track,
      '"X", "ts": ' || (start / 1000)
        || case when start % 1000 = 0 then '' else '.' || lpad(cast(start % 1000 as text), 3, '0') end
        || ', "dur": ' || case when dur % 1000 = 0 then cast(dur / 1000 as text) else cast(dur / 1e3 as text) end
        || case when members = '' then '' else ', "args": {{' || members || '}}' end as tail
    from {events_sql(f"({IN_RANGE}) and (e.ts is null or {START} >= $first and {START} < $last)")}
    where start <= $end and start + dur >= $start and start >= $first and start < $last
    union all
    select ts, 1, object, row, name, '{COUNTERS}',
      '"C", "ts": ' || (ts / 1000) || ', "args": {{"value": ' || value || '}}'
    from ({SAMPLES}) as sample where $counters and ts >= $first and ts < $last
  )
  select start, arrow_cast(name, 'LargeUtf8') as name, arrow_cast(track, 'LargeUtf8') as track,
    arrow_cast(tail, 'LargeUtf8') as tail
  from line order by start, kind, place, row
"""  # noqa: S608 - no part comes from the user

BUSY = f"""
  select start / 1000000000 as second, count(*) as n from (
    select start from {events_sql(IN_RANGE)} where start <= $end and start + dur >= $start
    union all
    select ts from ({SAMPLES}) as sample where $counters
  ) group by second order by second
"""  # noqa: S608 - no part comes from the user

LOW = f"""
  select ts, count(*) as n from ({SAMPLES}) as sample
  where raw_dimension = 'GPUUtilization' and value < {LOW_GPU}
  group by ts order by ts
"""  # noqa: S608 - no part comes from the user


VALUES = f"""
  select ts, arrow_cast(name, 'LargeUtf8') as name, arrow_cast(value, 'LargeUtf8') as value
  from ({SAMPLES}) as sample order by ts, object, row
"""  # noqa: S608 - no part comes from the user


class LowGpuMarkers:
    """The times at which GPU utilization was low, each with all measurements within 20 ms of it.

    Low measurements within 20 ms after a marked time have no mark of their own. Each measurement belongs to the first
    marked time within 20 ms.

    Attributes:
        times: The marked times, in ns.
        low: Number of low measurements.
        measured: Number of all measurements.
    """

    def __init__(self, profile: Profile, start: int, end: int) -> None:
        """Finds the times from `start` to `end`, in ns."""
        self._profile = profile
        self._parameters = {"run": profile.run, "system": profile.files("system")["object"].tolist()}
        self._range = start, end
        self._position = 0
        self._lines: list[bytes] = []
        samples = self._query(f"select count(*) as n from ({SAMPLES})", start, end)  # noqa: S608 - no part comes from the user
        (self.measured,) = samples["n"].to_pylist()
        low_counts = self._query(LOW, start, end)
        low_times = low_counts["ts"].to_pylist()
        self.low = sum(low_counts["n"].to_pylist())
        self.times: list[int] = []
        position = 0
        while position < len(low_times):
            self.times.append(low_times[position])
            position = bisect_right(low_times, low_times[position] + NEAR, lo=position)

    def _query(self, text: str, start: int, end: int) -> Any:  # noqa: ANN401 - an Arrow table
        return self._profile.arrow(text, start=start, end=end, **self._parameters)

    def take(self, before: int | None) -> Iterator[tuple[int, bytes]]:
        """Yields the next marks before a time in ns, or all remaining ones: the time, and its line after `"ph": `."""
        while self._position < len(self.times) and (before is None or self.times[self._position] < before):
            position = self._position % CHUNK
            if position == 0:
                self._lines = self._read(self._position)
            yield self.times[self._position], self._lines[position]
            self._position += 1

    def _read(self, first: int) -> list[bytes]:
        chunk = self.times[first : first + CHUNK]
        start, end = max(chunk[0] - NEAR, self._range[0]), min(chunk[-1] + NEAR, self._range[1])
        table = self._query(VALUES, start, end)
        ts = table["ts"].to_numpy()
        times = np.array(self.times)
        # the first marked time that is near enough
        moments = np.searchsorted(times, ts - NEAR)
        near = (moments >= first) & (moments < first + len(chunk))
        near[near] &= times[moments[near]] <= ts[near] + NEAR
        moments = moments[near] - first
        name, value = (table[column].filter(pa.array(near)).combine_chunks() for column in ("name", "value"))
        names = name.dictionary_encode()
        # `args` has one value per metric, the last one
        keys = moments * (len(names.dictionary) + 1) + names.indices.to_numpy()
        last = np.sort(len(keys) - 1 - np.unique(keys[::-1], return_index=True)[1])
        prefixes = _take_texts(names, [f"{json.dumps(text)}: " for text in names.dictionary.to_pylist()])
        members = _concatenate(prefixes, value).take(pa.array(last))
        offsets = pa.array(np.searchsorted(moments[last], np.arange(len(chunk) + 1)), pa.int64())
        args = pc.binary_join(pa.LargeListArray.from_arrays(offsets, members), pa.scalar(", ", TEXT)).to_pylist()
        return [
            b'"i", "ts": %d, "s": "t", "args": {%s}},\n' % (time // 1_000, text.encode())
            for time, text in zip(chunk, args, strict=True)
        ]


class TimelineLines:
    """The lines of a time range of a profile; it can be iterated once.

    Attributes:
        numbers: Number of each phase so far.
    """

    def __init__(
        self, profile: Profile, start: int, end: int, suffixes: list[str] | None, markers: LowGpuMarkers | None
    ) -> None:
        """Stores the range in ns; without `markers`, there are no system metrics."""
        self._profile = profile
        self._markers = markers
        files = file_parameters(profile, "framework", suffixes)
        system = profile.files("system")["object"].tolist()
        self._parameters = {**files, "start": start, "end": end, "system": system, "counters": markers is not None}
        self._next = dict(FIRST_NUMBERS)
        self.numbers: dict[str, int] = {}
        self._prefixes: dict[str, str] = {}
        self._threads: set[tuple[int, int]] = set()

    def __iter__(self) -> Iterator[bytes | memoryview]:
        """Yields blocks of lines; each line ends in a comma and a line feed."""
        for first, last in self._windows():
            frame = self._profile.session.sql(LINES, first=first, last=last, **self._parameters)
            for batch in pa.RecordBatchReader.from_stream(frame):
                yield from self._batch(batch)
        if self._markers is not None:
            for _, marker in self._markers.take(None):
                yield self._marker_line(marker)

    def _windows(self) -> Iterator[tuple[int, int]]:
        """Yields consecutive time ranges in ns, each with a limited number of lines."""
        counts = self._profile.arrow(BUSY, **self._parameters)
        first, lines = -(2**62), 0
        for second, count in zip(counts["second"].to_pylist(), counts["n"].to_pylist(), strict=True):
            if lines and lines + count > WINDOW:
                yield first, second * 1_000_000_000
                first, lines = second * 1_000_000_000, 0
            lines += count
        if lines:
            yield first, 2**62

    def _batch(self, batch: Any) -> Iterator[bytes | memoryview]:  # noqa: ANN401 - a RecordBatch
        if not batch.num_rows:
            return
        start, names, tracks, tail = batch.columns
        names, tracks = names.dictionary_encode(), tracks.dictionary_encode()
        tracks_in_batch = tracks.dictionary.to_pylist()
        codes = tracks.indices.to_numpy()
        # insertions before a row: (row, 0 for a mark and 1 for names, content)
        breaks: list[tuple[int, int, Any]] = [
            (int(np.argmax(codes == i)), 1, track)
            for i, track in enumerate(tracks_in_batch)
            if track not in self._prefixes
        ]
        if self._markers is not None:
            times = start.to_numpy()
            last_time = int(times[-1])
            marks = self._markers.take(last_time)
            breaks += [(int(np.searchsorted(times, ts, "right")), 0, line) for ts, line in marks]
        breaks.sort(key=lambda entry: entry[:2])
        insertions = [
            (row, self._name_lines(value) if is_track else self._marker_line(value)) for row, is_track, value in breaks
        ]
        lines = _concatenate(
            _take_texts(names, [f'{{"name": {json.dumps(name)}' for name in names.dictionary.to_pylist()]),
            _take_texts(tracks, [self._prefixes[track] for track in tracks_in_batch]),
            tail,
            pa.scalar("},\n", TEXT),
        )
        _, offsets, text = lines.buffers()
        ends, text = np.frombuffer(offsets, np.int64), memoryview(text)
        start_row = 0
        for row, extra in insertions:
            yield text[ends[start_row] : ends[row]]
            yield extra
            start_row = row
        yield text[ends[start_row] : ends[len(lines)]]

    def _name_lines(self, track: str) -> bytes:
        """Returns the lines with the names of a phase and a thread, unless they were written before."""
        if track in self._prefixes:
            return b""
        phase, *thread = track.split("\x1f")
        number = self.numbers.get(phase)
        lines: list[dict[str, Any]] = []
        if number is None:
            kind = next((text for text in self._next if text in phase), "other")
            number = self.numbers[phase] = self._next[kind]
            self._next[kind] += 1
            lines = [
                {"name": "process_name", "ph": "M", "pid": number, "args": {"name": phase}},
                {"name": "process_sort_index", "ph": "M", "pid": number, "args": {"sort_index": number}},
            ]
        tid = 0
        if thread:
            tid = int(thread[1]) if len(thread) > 1 else thread_id(thread[0], phase)
            if (number, tid) not in self._threads:
                self._threads.add((number, tid))
                line = {"name": "thread_name", "ph": "M", "pid": number, "tid": tid, "args": {"name": thread[0]}}
                lines.append(line)
        self._prefixes[track] = f', "pid": {number}, "tid": {tid}, "ph": '
        return "".join(json.dumps(line) + ",\n" for line in lines).encode()

    def _marker_line(self, tail: bytes) -> bytes:
        names = self._name_lines(MARKERS)
        return names + f'{{"name": "{MARKERS}"{self._prefixes[MARKERS]}'.encode() + tail


def _take_texts(column: Any, texts: list[str]) -> Any:  # noqa: ANN401 - Arrow arrays
    """Returns for each row of a dictionary column its text."""
    return pa.array(texts, TEXT).take(column.indices)


def _concatenate(*parts: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    """Concatenates texts row by row."""
    return pc.binary_join_element_wise(*parts, pa.scalar("", TEXT))
