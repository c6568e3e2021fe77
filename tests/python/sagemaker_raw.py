"""SageMaker Debugger profiles as plain lists, read only with `json`, for comparison with queries."""

import json
import re
from collections import defaultdict
from decimal import Decimal
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

NS = 1_000_000_000
STEP = re.compile(r"Step:ModeKeys\.(\w+)$")
WORDS = {"i/o": "io"}


class Sample(NamedTuple):
    """A line of system metrics; the time is ns since the Unix epoch."""

    node: str
    resource: str
    name: str
    dimension: str
    value: float
    ts: int


class Event(NamedTuple):
    """A complete event of a timeline; `process` is the number and host of its file."""

    process: str
    track: str
    name: str
    ts: int
    dur: int
    args: dict

    @property
    def end(self):
        return self.ts + self.dur

    @property
    def step(self):
        """Returns mode and number if the event is a step."""
        mode = STEP.match(self.name)
        return (mode[1].lower(), int(self.args["step_num"])) if mode else None


def samples(profile: Path) -> list[Sample]:
    """Returns every line of the system metrics."""
    result = []
    for path in sorted(profile.glob("system/**/*.json")):
        for line in path.read_text().splitlines():
            row = json.loads(line, parse_float=Decimal)
            resource = WORDS.get(row["Type"], row["Type"])
            ts = int(Decimal(row["Timestamp"]) * NS)
            result.append(Sample(row["NodeId"], resource, row["Name"], row["Dimension"], float(row["Value"]), ts))
    return result


def gpu_samples(profile: Path) -> list[Sample]:
    """Returns the samples of GPU utilization."""
    return [s for s in samples(profile) if s.dimension == "GPUUtilization"]


def events(profile: Path) -> list[Event]:
    """Returns every complete event of the timelines."""
    result = []
    for path in sorted(profile.glob("framework/pevents/**/*.json")):
        process = path.name.split("_")[1]
        base, tracks = 0, {}
        for row in json.loads(path.read_text()):
            if row["ph"] == "M" and row["name"] == "process_name":
                base = row["args"].get("start_time_since_epoch_in_micros", base)
                tracks[row["pid"]] = row["args"].get("name", "Unknown")
            elif row["ph"] == "X":
                ts, dur = (row["ts"] + base) * 1000, row["dur"] * 1000
                result.append(Event(process, tracks[row["pid"]], row["name"], ts, dur, row.get("args", {})))
    return result


def extent(profile: Path) -> tuple[int, int]:
    """Returns the first and the last time of a profile."""
    rows = events(profile)
    times = [sample.ts for sample in samples(profile)]
    return (
        min(times + [event.ts for event in rows]),
        max(times + [event.end for event in rows]),
    )


def steps(profile: Path) -> dict[str, list[tuple[str, int, int, int]]]:
    """Returns the steps of each process: mode, number, start and end, sorted by start."""
    result: dict[str, list[tuple[str, int, int, int]]] = {}
    for event in events(profile):
        if event.step:
            result.setdefault(event.process, []).append((*event.step, event.ts, event.end))
    return {process: sorted(rows, key=lambda row: row[2]) for process, rows in result.items()}


def spans(path: Path) -> dict[str, int]:
    """Returns the recording number of each process: 0 if all numbers are ranks, else its position on its machine."""
    numbers = {process: int(process.split("-", 1)[0]) for process in steps(path)}
    if sorted(numbers.values()) == list(range(len(numbers))):
        return dict.fromkeys(numbers, 0)
    hosts = defaultdict(list)
    for process in sorted(numbers, key=numbers.__getitem__):
        hosts[process.split("-", 1)[1]].append(process)
    return {process: place for processes in hosts.values() for place, process in enumerate(processes)}


def step_spans(path: Path) -> dict[tuple[int, str, int], tuple[int, int]]:
    """Returns the earliest start and the latest end of each step, by recording, mode and number."""
    span, result = spans(path), {}
    for process, marks in steps(path).items():
        for mode, number, begin, end in marks:
            low, high = result.get((span[process], mode, number), (begin, end))
            result[span[process], mode, number] = min(low, begin), max(high, end)
    return result


def merged(windows) -> list[tuple[int, int]]:
    """Returns disjoint windows, sorted by start."""
    result: list[tuple[int, int]] = []
    for begin, end in sorted(windows):
        if result and begin <= result[-1][1]:
            result[-1] = result[-1][0], max(result[-1][1], end)
        else:
            result.append((begin, end))
    return result


def covered_time(intervals, begin, end) -> int:
    """Returns the time of a window that the intervals cover, by a scan over their ends."""
    inside = [(max(a, begin), min(b, end)) for a, b in intervals if a < end and b > begin]
    borders = sorted({border for interval in inside for border in interval})
    return sum(b - a for a, b in pairwise(borders) if any(x <= a and b <= y for x, y in inside))


def percentile(values, share) -> float:
    """Returns a percentile with linear interpolation."""
    values = sorted(values)
    position = (len(values) - 1) * share
    low = int(position)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (position - low)


def rows(frame) -> list[dict]:
    """Returns the rows of a result, with times in ns since the Unix epoch."""
    return list(frame)
