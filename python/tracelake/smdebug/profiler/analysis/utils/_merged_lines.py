"""The lines of a merged timeline, written as the events come from the lake: never more of them than a batch at a time.

A line is put together by Arrow for all events of a batch at once. What a reader of the file needs before an event, the
names of its phase and its thread, is written before the first one.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from typing import TYPE_CHECKING, Any

from tracelake.optional import needs
from tracelake.smdebug._framework import IN_RANGE, events, file_parameters, thread_id
from tracelake.smdebug._libraries import np, pa

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tracelake.smdebug._profile import Profile

__all__ = ["Lines", "Markers"]

pc: Any = needs("pyarrow.compute", "smdebug", "use tracelake.smdebug")
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
"""What a phase has to contain, and the number that the first such phase gets: viewers sort by it."""

LOW_GPU = 85
"""Percent of GPU utilization below which a moment is marked."""

NEAR = 20_000_000
"""Ns that measurements of one moment may lie apart."""

CHUNK = 500
"""Moments whose measurements are held at a time."""

WINDOW = 200_000
"""Lines that are sorted at a time, or those of a second."""

COUNTERS = "sys_metrics"
MARKERS = "sys_metrics_bottlenecks"

# what is no number, JSON has no word for
SAMPLES = """
  select ts, concat_ws('_', raw_name, coalesce(raw_dimension, ''), node) as name, raw_dimension, value, object, row
  from sample
  where run = $run and ts between $start and $end and value - value = 0
    and array_has(cast($system as bigint[]), object)
"""

# `tail` is the line after `"ph": `; what it begins with depends on phase, thread and name, which repeat.
LINES = f"""
  with line as (
    select start, 0 as kind, place, row, name, concat_ws(chr(31), phase, thread, tid) as track,
      '"X", "ts": ' || (start / 1000)
        || case when start % 1000 = 0 then '' else '.' || lpad(cast(start % 1000 as text), 3, '0') end
        || ', "dur": ' || case when dur % 1000 = 0 then cast(dur / 1000 as text) else cast(dur / 1e3 as text) end
        || case when members = '' then '' else ', "args": {{' || members || '}}' end as tail
    from {events(f"({IN_RANGE}) and (e.ts is null or e.ts >= $first and e.ts < $last)")}
    where start <= $end and start + dur >= $start and start >= $first and start < $last
    union all
    select ts, 1, object, row, name, '{COUNTERS}',
      '"C", "ts": ' || (ts / 1000) || ', "args": {{"value": ' || value || '}}'
    from ({SAMPLES}) as sample where $counters and ts >= $first and ts < $last
  )
  select start, arrow_cast(name, 'LargeUtf8') as name, arrow_cast(track, 'LargeUtf8') as track,
    arrow_cast(tail, 'LargeUtf8') as tail
  from line order by start, kind, place, row
"""  # noqa: S608 - made of our own texts

BUSY = f"""
  select start / 1000000000 as second, count(*) as n from (
    select start from {events(IN_RANGE)} where start <= $end and start + dur >= $start
    union all
    select ts from ({SAMPLES}) as sample where $counters
  ) group by second order by second
"""  # noqa: S608 - made of our own texts

LOW = f"""
  select ts, count(*) as n from ({SAMPLES}) as sample
  where raw_dimension = 'GPUUtilization' and value < {LOW_GPU}
  group by ts order by ts
"""  # noqa: S608 - made of our own texts


VALUES = f"""
  select ts, arrow_cast(name, 'LargeUtf8') as name, arrow_cast(value, 'LargeUtf8') as value
  from ({SAMPLES}) as sample order by ts, object, row
"""  # noqa: S608 - made of our own texts


class Markers:
    """Moments at which a GPU did little, each with all that was measured within 20 ms of it.

    Low measurements within 20 ms after a moment belong to it, and a measurement to the first moment that is near.

    Attributes:
        times: When, in ns.
        low: How many measurements were low.
        measured: How many measurements there are.
    """

    def __init__(self, profile: Profile, start: int, end: int) -> None:
        """Finds the moments from `start` to `end`, in ns."""
        self._profile = profile
        self._parameters = {"run": profile.run, "system": profile.files("system")["object"].tolist()}
        self._range = start, end
        self._taken = 0
        self._ready: list[bytes] = []
        samples = self._ask(f"select count(*) as n from ({SAMPLES})", start, end)  # noqa: S608 - our own text
        (self.measured,) = samples["n"].to_pylist()
        found = self._ask(LOW, start, end)
        low = found["ts"].to_pylist()
        self.low = sum(found["n"].to_pylist())
        self.times: list[int] = []
        at = 0
        while at < len(low):
            self.times.append(low[at])
            at = bisect_right(low, low[at] + NEAR, lo=at)

    def _ask(self, text: str, start: int, end: int) -> Any:  # noqa: ANN401 - an Arrow table
        return self._profile.arrow(text, start=start, end=end, **self._parameters)

    def take(self, before: int | None) -> Iterator[tuple[int, bytes]]:
        """The next markers up to a time, in ns, or all that are left: when, and their line after `"ph": `."""
        while self._taken < len(self.times) and (before is None or self.times[self._taken] < before):
            at = self._taken % CHUNK
            if at == 0:
                self._ready = self._read(self._taken)
            yield self.times[self._taken], self._ready[at]
            self._taken += 1

    def _read(self, first: int) -> list[bytes]:
        chunk = self.times[first : first + CHUNK]
        start, end = max(chunk[0] - NEAR, self._range[0]), min(chunk[-1] + NEAR, self._range[1])
        table = self._ask(VALUES, start, end)
        ts = table["ts"].to_numpy()
        times = np.array(self.times)
        # the first moment that is near enough
        which = np.searchsorted(times, ts - NEAR)
        near = (which >= first) & (which < first + len(chunk))
        near[near] &= times[which[near]] <= ts[near] + NEAR
        which = which[near] - first
        name, value = (table[column].filter(pa.array(near)).combine_chunks() for column in ("name", "value"))
        names = name.dictionary_encode()
        # a metric has one value in `args`, the last
        keys = which * (len(names.dictionary) + 1) + names.indices.to_numpy()
        last = np.sort(len(keys) - 1 - np.unique(keys[::-1], return_index=True)[1])
        heads = _taken(names, [f"{json.dumps(text)}: " for text in names.dictionary.to_pylist()])
        members = _joined(heads, value).take(pa.array(last))
        offsets = pa.array(np.searchsorted(which[last], np.arange(len(chunk) + 1)), pa.int64())
        args = pc.binary_join(pa.LargeListArray.from_arrays(offsets, members), pa.scalar(", ", TEXT)).to_pylist()
        return [
            b'"i", "ts": %d, "s": "t", "args": {%s}},\n' % (time // 1_000, text.encode())
            for time, text in zip(chunk, args, strict=True)
        ]


class Lines:
    """The lines of a range of time of a profile, once.

    Attributes:
        numbers: Number of each phase, so far.
    """

    def __init__(
        self, profile: Profile, start: int, end: int, suffixes: list[str] | None, markers: Markers | None
    ) -> None:
        """Takes the range in ns; without `markers` there are no system metrics."""
        self._profile = profile
        self._markers = markers
        files = file_parameters(profile, "framework", suffixes)
        system = profile.files("system")["object"].tolist()
        self._parameters = {**files, "start": start, "end": end, "system": system, "counters": markers is not None}
        self._next = dict(FIRST_NUMBERS)
        self.numbers: dict[str, int] = {}
        self._heads: dict[str, str] = {}
        self._threads: set[tuple[int, int]] = set()

    def __iter__(self) -> Iterator[bytes | memoryview]:
        """The lines, many at a time; each ends in a comma and a line feed."""
        for first, last in self._windows():
            frame = self._profile.session.sql(LINES, first=first, last=last, **self._parameters)
            for batch in pa.RecordBatchReader.from_stream(frame):
                yield from self._batch(batch)
        if self._markers is not None:
            for _, marker in self._markers.take(None):
                yield self._names(MARKERS)
                yield self._marker(marker)

    def _windows(self) -> Iterator[tuple[int, int]]:
        """Spans of time, in ns, in which there are not too many lines, from the earliest one on."""
        busy = self._profile.arrow(BUSY, **self._parameters)
        first, lines = -(2**62), 0
        for second, count in zip(busy["second"].to_pylist(), busy["n"].to_pylist(), strict=True):
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
        known = tracks.dictionary.to_pylist()
        at = tracks.indices.to_numpy()
        # where something has to be written before a row: (row, what comes first, what)
        breaks: list[tuple[int, int, Any]] = [
            (int(np.argmax(at == i)), 1, track) for i, track in enumerate(known) if track not in self._heads
        ]
        if self._markers is not None:
            times = start.to_numpy()
            until = int(times[-1])
            breaks += [(int(np.searchsorted(times, ts, "right")), 0, line) for ts, line in self._markers.take(until)]
        breaks.sort(key=lambda found: found[:2])
        said: list[tuple[int, bytes]] = []
        for row, kind, what in breaks:
            said.append((row, self._names(what) if kind else self._names(MARKERS) + self._marker(what)))
        lines = _joined(
            _taken(names, [f'{{"name": {json.dumps(name)}' for name in names.dictionary.to_pylist()]),
            _taken(tracks, [self._heads[track] for track in known]),
            tail,
            pa.scalar("},\n", TEXT),
        )
        _, offsets, text = lines.buffers()
        ends, text = np.frombuffer(offsets, np.int64), memoryview(text)
        written = 0
        for row, extra in said:
            yield text[ends[written] : ends[row]]
            yield extra
            written = row
        yield text[ends[written] : ends[len(lines)]]

    def _names(self, track: str) -> bytes:
        """The lines that name a phase and a thread, if they were not named before."""
        if track in self._heads:
            return b""
        phase, *thread = track.split("\x1f")
        number = self.numbers.get(phase)
        named: list[dict[str, Any]] = []
        if number is None:
            kind = next((text for text in self._next if text in phase), "other")
            number = self.numbers[phase] = self._next[kind]
            self._next[kind] += 1
            named = [
                {"name": "process_name", "ph": "M", "pid": number, "args": {"name": phase}},
                {"name": "process_sort_index", "ph": "M", "pid": number, "args": {"sort_index": number}},
            ]
        tid = 0
        if thread:
            tid = int(thread[1]) if len(thread) > 1 else thread_id(thread[0], phase)
            if (number, tid) not in self._threads:
                self._threads.add((number, tid))
                line = {"name": "thread_name", "ph": "M", "pid": number, "tid": tid, "args": {"name": thread[0]}}
                named.append(line)
        self._heads[track] = f', "pid": {number}, "tid": {tid}, "ph": '
        return "".join(json.dumps(line) + ",\n" for line in named).encode()

    def _marker(self, tail: bytes) -> bytes:
        return f'{{"name": "{MARKERS}"{self._heads[MARKERS]}'.encode() + tail


def _taken(column: Any, texts: list[str]) -> Any:  # noqa: ANN401 - Arrow arrays
    """For each row of a dictionary column its text."""
    return pa.array(texts, TEXT).take(column.indices)


def _joined(*parts: Any) -> Any:  # noqa: ANN401 - Arrow arrays
    """Texts one after the other, row by row."""
    return pc.binary_join_element_wise(*parts, pa.scalar("", TEXT))
