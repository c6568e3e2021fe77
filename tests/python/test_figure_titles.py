"""The numbers in the title of a figure, and in the notes below it, equal the frames of the figure.

`FACTS` has a function for each figure. It computes from the rows of the frames what the title claims, as a reader
understands the words. The tests draw each figure for many inputs: all runs, single runs, random runs, random time
windows and other parameters. Each number must equal the expected number, rounded to the printed digits. Each name must
distinguish what it names. No number may remain unexplained. TRACELAKE_TITLE_SAMPLES sets how many random inputs are
drawn.
"""

from __future__ import annotations

import html
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import fleet_lake
import tracelake as tl

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
DATA, GENERATORS = ROOT / "tests" / "data", ROOT / "tests" / "gen"
Row = dict[str, Any]

# ----------------------------------------------------------------------------------------------------------------------
# Parts of an expected text: words (`str`), numbers, names and texts from the profile, and lists of parts.

UNITS = {
    "time": {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "h": 3600e9},
    "size": {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9},
    "rate": {"B/s": 1, "kB/s": 1e3, "MB/s": 1e6, "GB/s": 1e9},
    "work": {
        **{f"{prefix} operations/s": 1e3**power for power, prefix in enumerate("kMGTP", 1)},
        "operations/s": 1,
    },
    "percent": {"%": 1},
    "share": {"%": 1},
    "factor": {"x": 1},
    "plain": {"": 1},
    "count": {"": 1},
}
NO_SPACE = {"factor", "plain", "count"}
NUMBER = re.compile(r"(?<![\w.,])[+-]?\d")
"""The beginning of a number. Names such as `p95` and `gpu0` do not contain one."""


@dataclass(frozen=True)
class Number:
    """A number with its unit. Times are in ns, sizes in bytes, shares and percentages in percent."""

    value: float
    kind: str
    signed: bool = False
    digits: int = 4

    def __str__(self):
        return f"{self.value:.7g} {self.kind}"

    def pattern(self, _text):
        digits = r"\d[\d,]*" if self.kind == "count" else r"\d+(?:\.\d+)?"
        units = "|".join(map(re.escape, UNITS[self.kind]))
        return f"({'[+-]' if self.signed else '-?'}{digits}{'' if self.kind in NO_SPACE else ' '}(?:{units}))(?![\\w/])"

    def problem(self, text):
        """Returns why the text is not this number, or None."""
        digits, unit = re.fullmatch(r"([+-]?[\d.,]+) ?(.*)", text).groups()
        if self.kind == "count":
            return None if int(digits.replace(",", "")) == self.value else f"expected {self.value:,}"
        if len(digits.replace(".", "").lstrip("+-0")) > self.digits:
            return f"more than {self.digits} significant digits"
        value = self.value / UNITS[self.kind][unit]
        # A number has three significant digits, and all digits before the point. A share has at most one decimal.
        decimals = min(max(2 - math.floor(math.log10(abs(value) or 1)), 0), 6)
        if self.kind == "share":
            decimals = min(decimals, 1)
        close = abs(float(digits) - value) <= 0.5 * 10.0**-decimals * (1 + 1e-6) + 1e-9 * abs(value)
        # Rounding to one decimal and then to none may round up twice.
        close |= self.kind == "share" and decimals == 0 and abs(float(digits) - value) <= 0.55
        return None if close else f"expected {value:.7g} {unit}"


@dataclass(frozen=True)
class AnyCount:
    """A count that depends on the layout, such as the maximum number of panels."""

    def __str__(self):
        return "a count"

    def pattern(self, _text):
        return r"(\d+)"

    def problem(self, _text):
        return None


@dataclass(frozen=True)
class Anything:
    """Any text."""

    def __str__(self):
        return "any text"

    def pattern(self, _text):
        return "(.*)"

    def problem(self, _text):
        return None


@dataclass(frozen=True)
class Text:
    """One of these texts from a profile; a title may clip it."""

    texts: tuple[str, ...]

    def __str__(self):
        return " or ".join(self.texts[:3])

    def pattern(self, text):
        return f"({'|'.join(clip_pattern(own, text) for own in self.texts)})"

    def problem(self, _text):
        return None


@dataclass(frozen=True)
class Name:
    """The name of a row: the values of some of its columns, enough to distinguish it from other rows."""

    row: Row
    others: list[Row]
    columns: tuple[str, ...]

    def __str__(self):
        return str(self.key(self.row))

    def key(self, row):
        return {column: row.get(column) for column in self.columns}

    def forms(self, row, text):
        forms = [form for column in self.columns if row.get(column) is not None for form in FORMS[column](row)]
        if not row.get("node") and row.get("rank") is None:
            forms.append("process")
        either = "|".join(clip_pattern(form, text) for form in sorted(forms, key=len, reverse=True) if form)
        return f"(?:{either})(?:(?:, | )(?:{either}))*"

    def pattern(self, text):
        return f"({self.forms(self.row, text)})"

    def problem(self, text):
        own = self.key(self.row)
        for other in self.others:
            key = self.key(other)
            # The name of a row with more values has more parts.
            has_more = any(own[column] is None is not key[column] for column in self.columns)
            if key != own and not has_more and re.fullmatch(self.forms(other, text), text):
                return f"the name is also that of {key}"
        return None


def plural(number, what):
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def recording(row):
    process, recording = row["span"] >> 32, row["span"] & 0xFFFF_FFFF
    return f"process {process} of object {recording}" if process else f"recording {recording}"


FORMS: dict[str, Callable[[Row], list[str]]] = {
    "run": lambda row: [row["run"], f"run {row['run']}"],
    "node": lambda row: [row["node"]],
    "rank": lambda row: [f"rank {row['rank']}"],
    "span": lambda row: [recording(row)],
    "device": lambda row: [row["device"]],
    "stream": lambda row: [f"stream {row['stream']}"],
    "loader": lambda row: [row["loader"]],
    "object": lambda row: [f"file {row['object']}"],
    "pid": lambda row: [f"process {row['pid']}"],
    "pass": lambda row: [f"pass {row['pass']}"],
    "num_workers": lambda row: [plural(row["num_workers"], "worker")],
    "batch_size": lambda row: [f"batch {row['batch_size']}"],
    "prefetch_factor": lambda row: [f"prefetch {row['prefetch_factor']}"],
    "persistent_workers": lambda row: ["persistent workers"] if row["persistent_workers"] else [],
    "pin_memory": lambda row: ["pinned"] if row["pin_memory"] else [],
    "ideal_loader": lambda row: [f"compared with {row['ideal_loader']}"],
    "profiler": lambda row: [row["profiler"]],
}
"""How a title writes the value of a column that names something."""
LOOP = ("run", "node", "rank", "pid", "loader", "object")


def clip_pattern(own, text):
    """Returns a pattern for a text from a profile, which may be clipped if `text` has an ellipsis."""
    own = " ".join(str(own).split())
    lengths = range(min(len(own) - 1, 60), 7, -1) if "…" in text else ()
    return "|".join(map(re.escape, [own, *(f"{own[:length]}…" for length in lengths)]))


def count(value):
    return Number(int(value), "count")


def time(ns, *, signed=False):
    return Number(float(ns), "time", signed)


def share(part, whole, *, signed=False, digits=4):
    return Number(100 * part / whole if whole else 0.0, "share", signed, digits)


def percent(value):
    return Number(float(value), "percent")


def factor(value):
    return Number(float(value), "factor")


def count_of(value, what):
    return [count(value), f" {what}" if value == 1 else f" {what}s"]


def one_of(texts):
    return Text(tuple(dict.fromkeys(texts)))


def join_parts(lists, separator=", "):
    return [part for index, parts in enumerate(lists) for part in [*([separator] if index else []), *parts]]


def flatten(parts):
    for part in parts:
        if isinstance(part, list):
            yield from flatten(part)
        else:
            yield part


def compile_parts(parts, text):
    """Returns a pattern for the parts, and the part of each of its groups."""
    parts = list(flatten(parts))
    pattern = "".join(re.escape(part) if isinstance(part, str) else part.pattern(text) for part in parts)
    return pattern, [part for part in parts if not isinstance(part, str)]


def describe(parts):
    return "".join(part if isinstance(part, str) else f"<{part}>" for part in flatten(parts))


def problems_of_title(parts, title):
    """Returns how the title differs from the expected parts, which begin with a small letter."""
    pattern, checked = compile_parts(parts, title)
    small = re.sub(r"^(GPU|CPU|\w)", lambda first: first[0].lower(), title)
    match = re.fullmatch(pattern, title) or re.fullmatch(pattern, small)
    if not match:
        return [f"expected {describe(parts)}"]
    problems = [(text, part.problem(text)) for text, part in zip(match.groups(), checked, strict=True)]
    return [f"`{text}`: {problem}" for text, problem in problems if problem]


def problems_of_notes(notes, text):
    """Returns the required notes that are missing, and the numbers that no note explains."""
    problems = []
    for note in notes:
        pattern, checked = compile_parts(note.parts, text)
        for match in re.finditer(pattern, text):
            if not any(part.problem(own) for own, part in zip(match.groups(), checked, strict=True)):
                text = f"{text[: match.start()]} | {text[match.end() :]}"
                break
        else:
            if note.required:
                problems.append(f"expected a note: {describe(note.parts)}")
    left = [part.strip() for part in text.split("|") if NUMBER.search(part)]
    return [*problems, *(f"unexplained number in the notes: {part}" for part in left)]


@dataclass(frozen=True)
class Note:
    """An expected note. A note that is not required depends on the layout."""

    parts: list[Any]
    required: bool = True


@dataclass(frozen=True)
class Facts:
    """The expected titles, several if rows are equal, and the expected notes and titles of axes with numbers.

    `faults` has the facts that a figure with a known fault shows instead.
    """

    titles: list[list[Any]]
    notes: list[Note] = field(default_factory=list)
    faults: dict[str, Facts] = field(default_factory=dict)
    axes: list[list[Any]] = field(default_factory=list)

    def with_fault(self, fault, titles=None, notes=None):
        self.faults[fault] = Facts(titles or self.titles, notes or self.notes)
        return self


class Drawn:
    """A drawn figure: title, notes, labels, and the rows of its frames."""

    def __init__(self, figure, params):
        layout = json.loads(figure.to_json())["layout"]
        match = re.fullmatch(r"<b>(.*?)</b>(?:<br><span[^>]*>(.*)</span>)?", layout["title"]["text"], re.DOTALL)
        self.title, self.notes = (html.unescape(re.sub("<br ?>", " ", text or "")) for text in match.groups())
        self.labels = [html.unescape(label["text"]) for label in layout.get("annotations", [])]
        axes = [axis for name, axis in layout.items() if re.fullmatch(r"[xy]axis\d*", name)]
        self.axes = [axis["title"]["text"] for axis in axes if axis.get("title", {}).get("text")]
        self.is_message = bool(self.labels) and self.labels[0].startswith("<b>")
        self.params = params
        self.frames = [list(frame.rows()) for frame in figure.frames]

    @cached_property
    def values(self):
        return {value for frame in self.frames for row in frame for value in row.values()}

    @cached_property
    def texts(self):
        """The texts with a number in the frames."""
        return {value for value in self.values if isinstance(value, str) and re.search(r"\d", value)}

    @cached_property
    def integers(self):
        return {value for value in self.values if isinstance(value, int)}

    @property
    def in_window(self):
        return "start" in self.params

    def panels(self, what="run "):
        """Returns the number of panels with labels that begin so."""
        return sum(label.startswith(what) for label in self.labels)


def groups(rows, *columns):
    """Returns the rows by the values of these columns, in the order of the first row of each."""
    grouped: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        grouped.setdefault(tuple(row[column] for column in columns), []).append(row)
    return grouped


def without_nulls(rows, *columns):
    """Returns the rows without null in these columns."""
    return [row for row in rows if all(row[column] is not None for column in columns)]


def total(rows, column):
    return sum(row[column] for row in rows if row[column] is not None)


def distinct(rows, *columns):
    return len({tuple(row[column] for column in columns) for row in rows})


def quantile(values, q):
    return float(np.quantile(np.array(values, dtype=float), q))


def largest(items, value):
    """Returns the items with the largest value."""
    items = list(items)
    most = max(map(value, items))
    return [item for item in items if value(item) == most]


def note_on_limit(everything, *what, drawn=None):
    """Returns the note that only some are shown; with `drawn`, it is required if these are fewer."""
    some = AnyCount() if drawn is None else count(drawn)
    return Note([some, " of ", count(everything), " ", *what, " shown"], drawn is not None and drawn < everything)


def bins(rows, words="bins of up to "):
    """Returns the note on the width of time bins."""
    return Note([words, time(max(row["dur"] for row in rows))])


def metric_name(row):
    metric = row["metric"].removeprefix(row["resource"]).lstrip("_") if row["metric"] else ""
    return f"{row['resource']} {metric.replace('_', ' ')}"


def kernel_name(name):
    """Returns a kernel without return type, namespaces and, if it is long, the types of its parameters."""
    name = name.removeprefix("void ").replace("(anonymous namespace)::", "")
    name = re.sub(r"(?:(?<=[<, (&*])|^)(?:\w+::)+", "", name)
    if len(name) <= 28 or not name.endswith(")"):
        return name
    depth = 0
    for place in range(len(name) - 1, 0, -1):
        depth += {")": 1, "(": -1}.get(name[place], 0)
        if not depth:
            return name if name[place - 1] == " " else name[:place]
    return name


def function_name(name):
    """Returns `step (train.py:12)` for `/home/me/train.py(12): step` and for `/home/me/train.py:12(step)`."""
    match = re.fullmatch(r"(?P<file>.*?)\((?P<line>\d+)\): (?P<function>.*)", name, re.DOTALL) or re.fullmatch(
        r"(?P<file>.*?):(?P<line>\d+)\((?P<function>.*)\)", name, re.DOTALL
    )
    if not match or match["file"] == "~":
        name = match["function"] if match else name
        return re.sub(r"^<built-in method (?:.*\.)?([^.]*)>$", r"<built-in \1>", name)
    file = match["file"].replace("\\", "/").rsplit("/", 1)[-1]
    return f"{match['function']} ({file}:{match['line']})"


# ----------------------------------------------------------------------------------------------------------------------
# The facts of each figure. None: the frames are empty, and the figure has only a message.

FACTS: dict[str, Callable[[Drawn], Facts | None]] = {}


def facts(function):
    FACTS[function.__name__] = function
    return function


@facts
def job_phases(drawn):
    rows = without_nulls(drawn.frames[0], "ts", "dur")
    if not rows:
        return None
    lanes: dict[str, int] = {}
    for row in rows:
        lane = row["mode"] or ("step" if row["steps"] else "no steps")
        lanes[lane] = lanes.get(lane, 0) + row["dur"]
    by_run = groups(rows, "run").values()
    whole = sum(max(row["ts"] + row["dur"] for row in run) - min(row["ts"] for row in run) for run in by_run)
    shares = [
        [one_of([lane]), " ", share(dur, whole)] for lane, dur in sorted(lanes.items(), key=lambda i: (-i[1], i[0]))
    ]
    in_runs = [" in ", *count_of(len(by_run), "run")] if len(by_run) > 1 else []
    phases = [note_on_limit(len(run), "phases of ", one_of([run[0]["run"]]), " (the longest)") for run in by_run]
    return Facts(
        [["phases: ", *join_parts(shares), " of ", time(whole), *in_runs]],
        [note_on_limit(len(by_run), "runs", drawn=drawn.panels()), *phases],
    )


@facts
def step_timeline(drawn):
    steps = without_nulls(drawn.frames[0], "ts", "dur")
    complete = [row for row in steps if row["complete"] is not False]
    if not complete:
        return None
    limit = drawn.params.get("factor", 2.0)
    modes = groups(complete, "run", "mode")
    slow = sum(
        row["dur"] >= limit * quantile([row["dur"] for row in mode], 0.5) > 0 for mode in modes.values() for row in mode
    )
    if drawn.in_window:  # The median is that of the whole run.
        in_window = {(row["run"], row["ts"]) for row in steps}
        slow = sum((row["run"], row["ts"]) in in_window for row in drawn.frames[1])
    several = distinct(steps, "run") > 1
    steps_of_mode = groups(steps, "run", "mode")
    every = sorted(steps_of_mode, key=lambda key: -len(steps_of_mode[key]))
    parts = []
    for run, mode in every[:3]:
        durs = [row["dur"] for row in modes.get((run, mode), [])]
        if durs:
            what = [*([one_of([run]), " "] if several else []), *([one_of([mode]), " "] if mode else []), "step"]
            parts.append([*what, " p50 ", time(quantile(durs, 0.5)), ", p95 ", time(quantile(durs, 0.95))])
    if len(every) > len(parts):
        parts.append([count(len(every) - len(parts)), " more"])
    cut = len(steps) - len(complete)
    notes = [
        note_on_limit(distinct(steps, "run"), "runs", drawn=drawn.panels()),
        Note([AnyCount(), " of ", *count_of(len(steps), "step"), " not drawn"], required=False),
        Note([*count_of(cut, "step"), " cut short by the end of a recording"], cut > 0),
    ]
    return Facts(
        [[*count_of(slow, "outlier"), " among ", *count_of(len(complete), "step"), "; ", *join_parts(parts)]], notes
    )


@facts
def step_histogram(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    modes = groups(rows, "run", "mode")
    several = distinct(rows, "run") > 1
    parts = []
    for run, mode in sorted(modes, key=lambda key: -total(modes[key], "n")):
        bars, steps = modes[run, mode], total(modes[run, mode], "n")
        ends = sorted(row["dur_to"] for row in bars)
        half = next(end for end in ends if 2 * total([row for row in bars if row["dur_to"] <= end], "n") >= steps)
        what = [" ", *([one_of([mode]), " "] if mode else []), "step" if steps == 1 else "steps"]
        of_run = [" of ", one_of([run])] if several else []
        parts.append(["half of ", count(steps), *what, *of_run, " at most ", time(half)])
    if len(parts) > 2:
        parts[2:] = [[count(len(parts) - 2), " more"]]
    longer = total([row for row in rows if row["is_longer"]], "n")
    return Facts(
        [[*join_parts(parts), "; ", count(longer), " longer than ", factor(2), " the median"]],
        [note_on_limit(len(modes), "runs and modes", drawn=drawn.panels())],
    )


def weighted_mean(rows):
    return sum(row["mean"] * row["n"] for row in rows) / total(rows, "n")


@facts
def utilization_timeline(drawn):
    rows = without_nulls(drawn.frames[0], "ts", "dur")
    if not rows:
        return None
    metrics = groups([row for row in rows if row["unit"] == "percent"], "resource", "metric")
    order = sorted(metrics, key=lambda key: (key[1] != "utilization", key[0] != "gpu", key[0]))[:3]
    parts = [[one_of([metric_name(metrics[key][0])]), " ", share(weighted_mean(metrics[key]), 100)] for key in order]

    def title(number):
        over = [" over ", *count_of(number, "machine")] if number > 1 else []
        return ["mean", *over, ": ", *join_parts(parts)] if parts else ["load of the machines", *over]

    # A number of machines is right if each metric is a mean over this number.
    everything = distinct(rows, "run", "node")
    machines = {distinct(metrics[key], "run", "node") for key in order} or {everything}
    titles = [title(next(iter(machines)) if len(machines) == 1 else 0)]
    notes = [bins(rows), note_on_limit(distinct(rows, "unit"), "units"), note_on_limit(everything, "machines")]
    notes.append(Note(["only the first ", AnyCount(), " phases are shaded"], required=False))
    return Facts(titles, notes)


@facts
def utilization_heatmap(drawn):
    rows = [row for row in without_nulls(drawn.frames[0], "ts", "dur") if row["unit"] == "percent"]
    if not rows:
        return None
    resource = "gpu" if any(row["resource"] == "gpu" for row in rows) else rows[0]["resource"]
    metrics = list(groups([row for row in rows if row["resource"] == resource], "metric"))
    metric = ("utilization",) if ("utilization",) in metrics else metrics[-1]
    chosen = [row for row in rows if (row["resource"], row["metric"]) == (resource, *metric)]
    devices = groups(chosen, "run", "node", "device")
    firsts = [device[0] | {"device": device[0]["device"] or resource} for device in devices.values()]
    means = [(weighted_mean(device), first) for device, first in zip(devices.values(), firsts, strict=True)]
    what = metric_name(chosen[0])
    name = lambda row: Name(row, firsts, ("run", "node", "device"))  # noqa: E731
    if len(means) == 1:
        titles = [[f"{what} of ", name(firsts[0]), ": mean ", share(means[0][0], 100)]]
    else:
        titles = [
            [
                *[f"{what} of ", count(len(means)), " devices: mean from ", share(low, 100), " (", name(first), ")"],
                *[" to ", share(high, 100), " (", name(last), ")"],
            ]
            for low, first in largest(means, lambda mean: -mean[0])
            for high, last in largest(means, lambda mean: mean[0])
        ]
    runs = groups(rows, "run")
    lines = [
        note_on_limit(distinct(run, "node", "resource", "metric", "device"), "rows of ", one_of([run[0]["run"]]))
        for run in runs.values()
    ]
    return Facts(
        titles, [bins(rows, "mean in bins of up to "), note_on_limit(len(runs), "runs", drawn=drawn.panels()), *lines]
    )


@facts
def utilization_buckets(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    rank = lambda row: (row["metric"] == "utilization", row["resource"] == "gpu", row["resource"] == "cpu")  # noqa: E731
    chosen = largest(rows, rank)
    lower, upper = min(row["lower"] for row in rows), max(row["upper"] for row in rows)
    lowest = largest([row for row in chosen if row["lower"] == lower], lambda row: row["ratio"])
    machines = distinct(chosen, "run", "node")
    bars = groups(rows, "run", "node", "resource", "metric").values()
    outside = sum(total(bar, "ratio") < 0.999 for bar in bars)
    maximum = [", the maximum of ", *count_of(machines, "machine")] if machines > 1 else []
    titles = [
        [
            *[one_of([metric_name(row)]), ": ", share(row["ratio"], 1), " of the samples at ", Number(lower, "plain")],
            *[" to " if row["upper"] == upper else " to below ", percent(row["upper"]), *maximum],
        ]
        for row in lowest
    ]
    outside_note = Note([*count_of(outside, "bar"), " with samples outside the ranges"], outside > 0)
    return Facts(titles, [note_on_limit(len(bars), "machines and metrics"), outside_note])


@facts
def loader_share(drawn):
    rows = drawn.frames[0]
    shares = without_nulls(rows, "loader_ratio")
    if not shares:
        return None

    def main(row):
        return row["loader_ratio"] if row["loader_ratio_rest"] is None else row["loader_ratio_rest"]

    def titles(others):
        return [
            [
                *[Name(row, others, (*LOOP, "pass")), " waits for data ", percent(100 * main(row)), " of its time"],
                "" if row["loader_ratio_rest"] is None else ", first batches excluded",
            ]
            for row in largest(shares, main)
        ]

    unknown = len(rows) - len(shares)
    notes = [
        *(Note(["no share of ", Name(row, [], LOOP), ": ", row["why"]], required=False) for row in rows if row["why"]),
        Note(["no share of ", count(unknown - 3), " more loops"], unknown > 3),
        note_on_limit(len(shares), "loops"),
        Note(["line: 30 %, the share above which"]),
    ]
    return Facts(titles(shares), notes)


@facts
def batch_time(drawn):
    batches, slow = drawn.frames
    if not batches:
        return None
    loops = groups(batches, *LOOP)
    wait = lambda rows: sum(row["load_mean"] * row["n"] for row in rows)  # noqa: E731
    firsts = [rows[0] for rows in loops.values()]

    def listed(rows):
        return sum(all(row[column] == rows[0][column] for column in LOOP) for row in slow)

    titles = [
        [
            *[count(total(rows, "n")), " batches of ", Name(rows[0], firsts, LOOP), ", mean wait "],
            *[time(wait(rows) / total(rows, "n")), "; ", *count_of(listed(rows), "outlier")],
        ]
        for rows in largest(loops.values(), wait)
    ]
    outliers = [
        note_on_limit(len(rows), "outliers of ", Name(rows[0], [], LOOP), " (the longest)")
        for rows in groups(slow, *LOOP).values()
    ]
    notes = [note_on_limit(len(loops), "loops", drawn=min(len(drawn.labels), len(loops))), *outliers]
    return Facts(titles, notes, axes=[["batch of the loop, from 0"]])


@facts
def loader_comparison(drawn):
    rows = drawn.frames[0]
    pairs = without_nulls(rows, "speedup")
    if not pairs:
        return None
    columns = (*LOOP, "ideal_loader")
    titles = [
        [
            *[
                Name(row, pairs, columns),
                ": ",
                factor(row["real"] / row["ideal"]),
                " as fast without waiting for data, ",
            ],
            *[time(row["real"] - row["ideal"]), " of ", time(row["real"]), " saved"],
        ]
        for row in largest(pairs, lambda row: row["real"] / row["ideal"])
    ]
    unknown = len(rows) - len(pairs)
    notes = [
        *(Note([Name(row, [], LOOP), ": ", row["why"]], required=False) for row in rows if row["why"]),
        Note([count(unknown - 3), " more without a speedup"], unknown > 3),
        note_on_limit(len(pairs), "pairs"),
    ]
    return Facts(titles, notes)


@facts
def loader_scaling(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    has_samples = all(row["batch_size"] is not None for row in rows)
    rate = lambda row: row["samples_per_s" if has_samples else "batches_per_s"]  # noqa: E731
    name = lambda row: Name(row, rows, (*LOOP, "num_workers", "batch_size"))  # noqa: E731
    titles = []
    for best in largest(rows, rate):
        for base in [row for row in rows if row["is_baseline"]] or [None]:
            if base is best and len(rows) > 1:
                others = [" (", *count_of(len(rows) - 1, "other"), " compared)"]
                titles.append(["no setting is faster than the baseline ", name(best), *others])
            elif base and rate(best) > rate(base):
                titles.append([name(best), ": ", factor(rate(best) / rate(base)), " as fast as ", name(base)])
            else:
                unit = " samples/s" if has_samples else " batches/s"
                fastest = [f"{unit}, the fastest of ", *count_of(len(rows), "loop")]
                titles.append([name(best), ": ", Number(rate(best), "plain"), *fastest])
    return Facts(titles, [note_on_limit(len(rows), "loops")])


@facts
def optimize_result(drawn):
    rate = lambda row: row["batches_per_s"] if row["samples_per_s"] is None else row["samples_per_s"]  # noqa: E731
    rows = drawn.frames[0]
    if all(rate(row) is None for row in rows):
        return None
    searches = list(groups(rows, "run", "node", "rank", "pid").values())
    settings = searches[0]
    options = ("num_workers", "batch_size", "prefetch_factor", "persistent_workers", "pin_memory")
    name = lambda row: Name(row, [row for row in settings if row["variant"] != "ideal"], options)  # noqa: E731
    done = [row for row in settings if rate(row) is not None]
    base = next((row for row in done if row["is_baseline"]), None)
    replay = next((row for row in done if row["variant"] == "ideal"), None)
    best = next((row for row in done if row["chosen"] and not row["is_baseline"]), None)
    subject = [Name(settings[0], [search[0] for search in searches], ("run", "node", "rank", "pid")), ": "]
    prefix = subject if len(searches) > 1 else []
    if base is None:
        tried = sum(row["variant"] != "ideal" for row in settings)
        title = [*count_of(tried, "setting"), " tried; the search did not finish"]
    else:
        ideal = ["; ", factor(rate(replay) / rate(base)), " without waiting for data"] if replay else []
        if best:
            title = [name(best), ": ", factor(rate(best) / rate(base)), " as fast as ", name(base), *ideal]
        else:
            title = ["no setting is reliably faster than ", name(base), *ideal]
    notes = [note_on_limit(len(searches), "searches")]
    for search in searches:
        limit = ["memory limit of a setting: ", Number(search[0]["limit_bytes"] or 0, "size")]
        failed = [
            ["failed: ", Name(row, [], options), ": ", one_of([row["failed"]])]
            for row in without_nulls(search, "failed")
        ]
        notes += [Note(parts, required=False) for parts in [limit, *failed]]
    return Facts([[*prefix, *title]], notes)


@facts
def loader_next(drawn):
    waits, outliers = drawn.frames
    waits = without_nulls(waits, "ts", "dur")
    if not waits:
        return None
    n = total(waits, "n")
    mean = sum(row["wait_mean"] * row["n"] for row in waits) / n
    timed = without_nulls(outliers, "ts")
    start = ["mean wait for a batch ", time(mean), ", longest ", time(max(row["wait_max"] for row in waits)), "; "]

    title = [*start, *count_of(len(timed), "outlier"), " among ", *count_of(n, "wait")]
    ranks = groups(waits, "run", "node", "rank")
    untimed = len(outliers) - len(timed)
    notes = [
        bins(waits, "line: mean in bins of up to "),
        note_on_limit(len(ranks), "ranks (with the longest mean waits)", drawn=drawn.panels()),
        *(
            note_on_limit(len(rows), "outliers of ", Name(rows[0], [], ("run", "node", "rank")), " (the longest)")
            for rows in groups(timed, "run", "node", "rank").values()
        ),
        Note([*count_of(untimed, "outlier"), " without a time not marked"], untimed > 0),
    ]
    return Facts([title], notes)


def worker_key(row):
    return row["worker"], row["pid"] if row["worker"] is None else None


@facts
def loader_workers(drawn):
    rows = without_nulls(drawn.frames[0], "ts", "dur")
    untimed = len(drawn.frames[0]) - len(rows)
    if not rows:
        return None
    keys = {(row["run"], row["node"], row["rank"], *worker_key(row)) for row in rows}
    median = quantile([row["dur"] for row in rows], 0.5)
    title = [
        *count_of(len(keys), "worker"),
        " started ",
        *count_of(len(rows), "time"),
        "; median lifetime ",
        time(median),
    ]
    runs = groups(rows, "run")
    notes = [
        note_on_limit(len(runs), "runs", drawn=drawn.panels()),
        *(note_on_limit(sum(key[0] == run for key in keys), "workers of ", one_of([run])) for (run,) in runs),
        Note([*count_of(untimed, "lifetime"), " without a start time not drawn"], untimed > 0),
    ]
    return Facts([title], notes)


@facts
def action_breakdown(drawn):
    rows = without_nulls(drawn.frames[0], "total_s")
    if not rows:
        return None
    columns = ("run", "node", "rank", "profiler", "object", "report")
    reports = list(groups(rows, *columns).values())
    actions = reports[0]
    ending = lambda end: [row for row in actions if row["action"].endswith(end) and not row["truncated"]]  # noqa: E731
    epochs, nexts = ending("run_training_epoch"), ending("train_dataloader_next")
    if epochs and nexts:
        epoch, wait = 1e9 * total(epochs, "total_s"), 1e9 * total(nexts, "total_s")
        titles = [[share(wait, epoch), " of ", time(epoch), " of training epochs spent waiting for batches"]]
    elif owned := without_nulls(actions, "own_s"):
        titles = [
            [time(1e9 * row["own_s"]), " own time in ", one_of([row["action"]])]
            for row in largest(owned, lambda row: row["own_s"])
        ]
    else:
        titles = [count_of(len(actions), "action")]
    subject = [Name(actions[0], [report[0] for report in reports], columns[:5]), ": "] if len(reports) > 1 else []
    longest = [note_on_limit(len(report), "actions of a report", drawn=None) for report in reports]
    longest = [Note([*note.parts, " (the longest)"], required=False) for note in longest]
    notes = [note_on_limit(len(reports), "reports", drawn=drawn.panels()), *longest]
    return Facts([[*subject, *title] for title in titles], notes)


@facts
def worker_timeline(drawn):
    rows = without_nulls(drawn.frames[0], "ts", "dur")
    if not rows:
        return None
    loaders = groups(rows, "run", "node", "rank", "loader")
    workers = {(*key, *worker_key(row)) for key, rows in loaders.items() for row in rows}
    batches = [count(len(rows)), " batch" if len(rows) == 1 else " batches"]
    median = time(quantile([row["dur"] for row in rows], 0.5))
    title = [*batches, " by ", *count_of(len(workers), "worker"), "; median time to prepare a batch ", median]
    notes = [note_on_limit(len(loaders), "loaders", drawn=drawn.panels())]
    for key, own in loaders.items():
        name = Name(own[0], [], ("run", "node", "rank", "loader"))
        notes += [
            note_on_limit(len(own), "batches of ", name),
            note_on_limit(sum(worker[:4] == key for worker in workers), "workers of ", name),
        ]
    return Facts([title], notes)


@facts
def item_time(drawn):
    rows = without_nulls(drawn.frames[0], "dur_max")
    if not rows:
        return None
    loaders = groups(rows, "run", "node", "rank", "loader")

    def title(row, subject):
        item = "no index" if row["item"] is None else f"item {row['item']}"
        worker = "the training process" if row["worker"] is None else f"worker {row['worker']}"
        start = [f"slowest: {item}", *subject, f" by {worker} in ", time(row["dur_max"])]
        return [*start, ", the median item takes ", time(row["dur_p50"])]

    def subject(row):
        name = Name(row, [own[0] for own in loaders.values()], ("run", "node", "rank", "loader"))
        return [" of ", name] if len(loaders) > 1 else []

    slowest = largest(rows, lambda row: row["dur_max"])
    return Facts(
        [title(row, subject(row)) for row in slowest], [note_on_limit(len(loaders), "loaders", drawn=drawn.panels())]
    )


ROLES = {
    "kernel": "kernel",
    "memcpy": "copy",
    "memset": "fill",
    "communication": "communication",
    "runtime": "runtime calls",
    "exposed_loader": "data loader",
    "cpu": "host",
    "other": "other",
}


@facts
def step_breakdown(drawn):
    rows = [row for row in drawn.frames[0] if row["dur"]]
    if not rows:
        return None
    marked = without_nulls(rows, "step")
    steps, what = (marked, "step") if marked else (rows, "recording")
    whole = total(steps, "dur")
    roles = sorted(ROLES, key=lambda role: -total(steps, role))[:3]
    shares = [[f"{ROLES[role]} ", share(total(steps, role), whole)] for role in roles if total(steps, role)]
    mean = [time(whole / len(steps)), f" per {what} (mean of ", *count_of(len(steps), what), "): "]
    unmarked, cut = len(rows) - len(steps), sum(row["complete"] is False for row in rows)
    ranks = groups(rows, "run", "node", "rank")
    names = [Name(rank[0], [], ("run", "node", "rank")) for rank in ranks.values()]
    runs = groups(rows, "run")
    notes = [
        Note([*count_of(unmarked, "recording"), " without marked steps excluded from the mean"], unmarked > 0),
        note_on_limit(len(runs), "runs"),
        *(note_on_limit(distinct(run, "node", "rank"), "ranks of ", one_of([run[0]["run"]])) for run in runs.values()),
        *(note_on_limit(number, "ranks (with the longest mean steps)") for number in range(1, len(ranks) + 1)),
        *(Note([who, ": each bar is the mean of ", AnyCount(), " steps"], required=False) for who in names),
        Note([*count_of(cut, "step"), " cut short by the end of a recording"], cut > 0),
    ]

    def coverage(rows, what):
        device = sum(any(row[role] for role in list(ROLES)[:4]) for row in rows)
        other = total(rows, "other") / total(rows, "dur")
        work = ["device work recorded in ", count(device), " of ", *count_of(len(rows), what)]
        nothing = ["other (", share(other, 1), "): no work was recorded"]
        return [Note(work, 0 < device < len(rows)), Note(nothing, other > 0.5)]

    return Facts([[*mean, *join_parts(shares)]], [*notes, *coverage(steps, what)])


@facts
def temporal_breakdown(drawn):
    rows = [row for row in drawn.frames[0] if row["dur"]]
    if not rows:
        return None
    whole = total(rows, "dur")
    start = ["devices computed ", share(total(rows, "computation"), whole), " of the time and were idle "]
    start.append(share(total(rows, "idle"), whole))
    idle = lambda row: row["idle"] / row["dur"]  # noqa: E731
    name = lambda row: [" (", Name(row, rows, ("run", "node", "rank", "span")), ")"]  # noqa: E731
    ends = [
        ["; idle from ", share(idle(low), 1), *name(low), " to ", share(idle(high), 1), *name(high)]
        for low in largest(rows, lambda row: -idle(row))
        for high in largest(rows, idle)
    ]
    runs = groups(rows, "run")
    ranks = [note_on_limit(len(run), "ranks of ", one_of([run[0]["run"]])) for run in runs.values()]
    titles = [[*start, *end] for end in ends] if len(rows) > 1 else [start]
    return Facts(titles, [note_on_limit(len(runs), "runs", drawn=drawn.panels()), *ranks])


@facts
def kernel_top(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    runs = groups(rows, "run")
    notes, titles, axes = [note_on_limit(len(runs), "runs", drawn=drawn.panels())], [], []
    for index, ((run,), own) in enumerate(runs.items()):
        of_run = [" of ", one_of([run])] if len(runs) > 1 else []
        sums = {key: total(kernels, "dur_sum") for key, kernels in groups(own, "type", "name").items()}
        whole = sum(sums.values())
        top = sorted(sums.values(), reverse=True)[:20]
        names = [count(len(top)), " of ", count(len(sums)), " names", *of_run, " shown: ", share(sum(top), whole)]
        notes.append(Note(names, len(top) < len(sums) and index < drawn.panels()))
        axes.append(["sum over ", count(distinct(own, "node", "rank")), " ranks"])
        if not titles:
            names = [kernel_name(key[1]) for key, _ in largest(sums.items(), lambda item: item[1])]
            titles = [
                [share(top[0], whole), " of ", time(whole), " of device work", *of_run, " in ", one_of(names)],
            ]
    return Facts(titles, notes, axes=axes)


@facts
def comm_overlap(drawn):
    rows = [row for row in drawn.frames[0] if row["communication"]]
    if not rows:
        return None
    whole = total(rows, "communication")
    recordings = [" in ", *count_of(len(rows), "recording")] if len(rows) > 1 else []
    title = [share(total(rows, "overlap"), whole), " of ", time(whole), " of communication", *recordings]
    title += [" hidden behind computation; ", time(whole - total(rows, "overlap")), " exposed"]
    runs = groups(rows, "run")
    ranks = [note_on_limit(len(run), "ranks of ", one_of([run[0]["run"]])) for run in runs.values()]
    return Facts([title], [note_on_limit(len(runs), "runs", drawn=drawn.panels()), *ranks])


@facts
def rank_comparison(drawn):
    ranks, parts = drawn.frames
    if not ranks and not parts:
        return None
    runs = groups([*ranks, *parts], "run")
    run = next(iter(runs))[0]
    of_run = [row for row in ranks if row["run"] == run]
    held_up = total(of_run, "held_up")
    stragglers = [[]]
    if held_up:
        stragglers = [
            [
                *[share(row["held_up"], held_up), " of ", time(held_up), " of waiting is for "],
                Name(row, of_run, ("node", "rank")),
            ]
            for row in largest(of_run, lambda row: row["held_up"])
        ]
    spread = lambda row: row["dur_max"] - row["dur_min"]  # noqa: E731
    causes = [row for row in parts if row["run"] == run and row["part"] not in {"step", "communication"}]
    causes = [row for row in causes if spread(row) > 0]
    widest = [[]]
    if causes:
        widest = [
            [
                *[f"{row['part']} differs most: ", time(row["dur_min"]), f" on rank {row['min_rank']}, "],
                *[time(row["dur_max"]), f" on rank {row['max_rank']}"],
            ]
            for row in largest(causes, spread)
        ]
    prefix = [one_of([run]), ": "] if len(runs) > 1 else []
    titles = [
        [*prefix, *(join_parts([part for part in (straggler, wide) if part], "; ") or ["no difference between ranks"])]
        for straggler in stragglers
        for wide in widest
    ]
    by_run = groups(ranks, "run").items()
    return Facts(
        titles,
        [
            note_on_limit(len(runs), "runs"),
            *(note_on_limit(len(own), "ranks of ", one_of([run])) for (run,), own in by_run),
        ],
    )


@facts
def idle_breakdown(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    streams = list(groups(rows, "run", "node", "rank", "span", "device", "stream").values())
    host = lambda stream: total([row for row in stream if row["idle_cause"] == "host_wait"], "dur_sum")  # noqa: E731
    waited, idle = sum(map(host, streams)), total(rows, "dur_sum")
    title = [share(waited, idle), " of the idle time of streams is spent waiting for the host"]
    firsts = [stream[0] for stream in streams]
    columns = ("run", "node", "rank", "span", "device", "stream")
    most = [
        ["; most of it ", time(host(stream)), " (", Name(stream[0], firsts, columns), ")"]
        for stream in largest(streams, host)
    ]
    if len(streams) == 1:
        titles = [[*title, ": ", time(waited), " of ", time(idle)]]
    elif 2 * max(map(host, streams)) > waited:
        titles = [[*title, *words] for words in most]
    else:  # No stream has most of it.
        titles = [title]
    runs = groups(rows, "run")
    lines = [
        note_on_limit(distinct(run, "node", "rank", "span", "device", "stream"), "streams of ", one_of([run[0]["run"]]))
        for run in runs.values()
    ]
    return Facts(titles, [note_on_limit(len(runs), "runs", drawn=drawn.panels()), *lines])


@facts
def queue_length(drawn):
    rows, summary = drawn.frames
    if not rows:
        return None
    columns = ("run", "node", "rank", "span", "device", "stream")
    streams = groups(rows, *columns)
    shown = [row for row in summary if tuple(row[column] for column in columns) in streams]
    busiest = largest(shown, lambda row: row["launches"])

    def title(stream, longest):
        name = Name(stream, summary, columns)
        start = ["up to ", count(longest), " launch" if longest == 1 else " launches", " queued for ", name]
        empty = stream["empty_ratio"]
        return start if empty is None else [*start, "; queue empty ", share(empty, 1), " of the recording"]

    def in_frame(stream):
        own = streams.get(tuple(stream[column] for column in columns), [])
        return max((row["length_max"] for row in own), default=-1)

    notes = [bins(rows, "range in bins of up to "), Note(["; at 0 none waits"])]
    notes.append(note_on_limit(len(streams), "streams", drawn=drawn.panels()))
    return Facts([title(stream, in_frame(stream)) for stream in busiest], notes)


@facts
def launch_delay(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    runs = groups(rows, "run")
    notes = [note_on_limit(len(runs), "runs", drawn=drawn.panels())]
    for (run,), own in runs.items():
        of_run = [" of ", one_of([run])] if len(runs) > 1 else []
        notes.append(note_on_limit(distinct(own, "operator"), "operators", *of_run))
    (run,), own = next(iter(runs.items()))
    delay = lambda rows, column: sum(row["n"] * row[column] for row in rows)  # noqa: E731
    both = lambda rows: delay(rows, "launch_delay_mean") + delay(rows, "operator_delay_mean")  # noqa: E731
    n, operators = total(own, "n"), groups(own, "operator")
    first = largest(operators, lambda key: both(operators[key]))
    in_run = [" in run ", one_of([run])] if len(runs) > 1 else []
    title = [
        "on average kernels",
        *in_run,
        " begin ",
        time(delay(own, "launch_delay_mean") / n),
        " after their launch, ",
    ]
    title += ["launches ", time(delay(own, "operator_delay_mean") / n), " after their operator; "]
    title += [one_of([key[0] for key in first]), " has ", share(both(operators[first[0]]), both(own)), " of the delay"]
    return Facts([title], notes)


def self_times(rows, column):
    """Returns the self time of each name."""
    return {name: total(own, column) for (name,), own in groups(rows, "name").items()}


BOXES = Note(["the ", AnyCount(), " largest of ", AnyCount(), " boxes are shown"], required=False)


@facts
def operator_treemap(drawn):
    rows = drawn.frames[0]
    what = "device" if any(row["device_self"] for row in rows) else "host"
    whole = total([row for row in rows if row["parent_id"] is None], f"{what}_total")
    if not whole:
        return None

    def title(whole, times):
        top = sorted(times.values(), reverse=True)
        names = [one_of([name for name, own in times.items() if own == value]) for value in top[:2]]
        parts = ["self time of ", names[0], " is ", share(top[0], whole), " of ", time(whole), f" of {what} time"]
        return [*parts, *([", ", names[1], " ", share(top[1], whole)] if len(top) > 1 else [])]

    return Facts([title(whole, self_times(rows, f"{what}_self"))], [BOXES])


@facts
def function_top(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    panels = groups(rows, "run", "profiler")
    notes = [note_on_limit(len(panels), "panels", drawn=drawn.panels())]

    def functions(rows):
        return {key: total(ranks, "own_s") for key, ranks in groups(rows, "file", "line", "function").items()}

    def title(rows, whole, subject):
        times = functions(rows)
        first = largest(times, lambda key: times[key])
        names = one_of([function_name(f"{file}:{line}({function})") for file, line, function in first])
        part = share(times[first[0]], whole)
        return [*subject, part, " of ", time(1e9 * whole), f" ({rows[0]['profiler']}) is own time of ", names]

    for index, ((_, profiler), own) in enumerate(panels.items()):
        times = sorted(functions(own).values(), reverse=True)
        some = [f" functions of {profiler} shown: ", share(sum(times[:20]), sum(times)), " of the time"]
        notes.append(Note([count(20), " of ", count(len(times)), *some], len(times) > 20 and index < drawn.panels()))
    own = next(iter(panels.values()))
    # `ratio` is the share of all functions of the process. The frame may have only the first functions.
    processes = groups([row for row in own if row["ratio"] and row["own_s"]], "node", "rank").values()
    whole = sum(max(row["own_s"] / row["ratio"] for row in rows) for rows in processes)
    runs = [rows[0] for rows in groups(rows, "run").values()]
    subject = [Name(own[0], runs, ("run",)), ": "] if len(runs) > 1 else []
    return Facts([title(own, whole, subject)], notes)


def has_cycle(callers):
    """Returns whether a function calls itself by way of others."""
    calls = {(row["caller"], row["function"]) for row in callers if row["caller"] not in {None, row["function"]}}
    while calls:
        called = {function for _, function in calls}
        left = {call for call in calls if call[0] in called}
        if left == calls:
            return True
        calls = left
    return False


@facts
def function_flame(drawn):
    tree, callers = drawn.frames
    categories = {row["category"] for row in tree}

    def title(what, whole, times):
        first = largest(times, lambda name: times[name])
        names = one_of([function_name(name) for name in first])
        part = share(times[first[0]], whole)
        return [f"{what} over ", time(whole), " of host time; ", part, " of it is self time of ", names]

    if "python" in categories or ("module" in categories and not callers):
        whole = total([row for row in tree if row["parent_id"] is None], "host_total")
        return Facts([title("call stacks", whole, self_times(tree, "host_self"))], [BOXES])
    if not callers:
        return None
    profiler = min(row["profiler"] for row in callers)
    own = [row for row in callers if row["profiler"] == profiler]
    once = [rows[0] for rows in groups(own, "run", "node", "rank", "function").values()]
    times = {name: 1e9 * total(rows, "function_own_s") for (name,), rows in groups(once, "function").items()}
    result = Facts([title("call graph", sum(times.values()), times)], [BOXES])
    return result.with_fault("recursion", [["call graph over ", Anything()]]) if has_cycle(own) else result


@facts
def memory_curve(drawn):
    rows, peaks = drawn.frames
    if not rows:
        return None
    columns = ("run", "node", "rank", "span", "device")
    curves = groups(rows, *columns)
    shown = [row for row in peaks if tuple(row[column] for column in columns) in curves]
    chosen = [row for row in shown if row["device"] != "cpu"] or shown
    size = lambda row: (-1 if row["peak_bytes"] is None else row["peak_bytes"], row["increase_bytes"])  # noqa: E731

    def title(peak, most):
        start = ["memory of ", Name(peak, chosen, columns)]
        if peak["peak_bytes"] is None:
            return [*start, " grows by up to ", Number(peak["increase_bytes"], "size")]
        device = peak["device_bytes"]
        of_device = [] if device is None else [", ", share(most, device), " of the device"]
        return [*start, " peaks at ", Number(most, "size"), *of_device]

    def in_frame(peak):
        curve = curves.get(tuple(peak[column] for column in columns), [])
        return max((row["max_bytes"] or 0 for row in curve), default=-1)

    peaks = largest(chosen, size)
    notes = [bins(rows), note_on_limit(len(curves), "recordings of a device", drawn=drawn.panels())]
    return Facts([title(peak, in_frame(peak)) for peak in peaks], notes)


@facts
def roofline(drawn):
    rows = drawn.frames[0]
    known = [row for row in rows if row["intensity"] and row["flops_per_s"]]
    if not known:
        return None
    duration = lambda row: row["device_total"] or row["host_total"]  # noqa: E731
    titles = []
    for row in largest(known, duration):
        title = [one_of([row["name"]]), " takes the most time and does ", Number(row["flops_per_s"], "work")]
        if row["attainable_flops_per_s"] is not None:
            limit = row["attainable_flops_per_s"] < row["peak_flops_per_s"]
            what = "bandwidth of the memory" if limit else "peak of the device"
            title += [", ", share(row["flops_per_s"], row["attainable_flops_per_s"]), f" of what the {what} allows"]
        titles.append(title)
    points = "each point is an operator with one data type on a rank; the line is the smaller one of peak and memory "
    unknown = any(row["attainable_flops_per_s"] is None for row in known)
    others = len(rows) - len(known)
    notes = [
        Note([points + "bandwidth times operations per byte"], bool(known)),
        Note([*count_of(others, "operator"), " without a known data type or time"], others > 0),
        Note(["no line where the peak is unknown: give parameters peak and memory_bandwidth"], unknown),
        note_on_limit(distinct(known, "run"), "runs", drawn=drawn.panels()),
    ]
    return Facts(titles, notes)


@facts
def memory_bandwidth(drawn):
    rows, summary = drawn.frames
    if not rows:
        return None
    columns = ("run", "node", "rank", "span", "device", "name")
    directions = groups(rows, *columns)

    def title(row, copied, most):
        device = [other for other in summary if other["name"] == row["name"]]
        several = distinct(summary, *columns[:5]) > 1
        name = [one_of([row["name"]]), *([" of ", Name(row, device, columns[:5])] if several else [])]
        volume = [" runs"] if copied is None else [" moves ", Number(copied, "size")]
        rates = [
            " at up to ",
            Number(most, "rate"),
            ", ",
            Number(row["mean_bytes_per_s"], "rate"),
            " on average over the recording",
        ]
        return [*name, *volume, *rates]

    def in_frame(row):
        own = directions.get(tuple(row[column] for column in columns), [])
        copied = total(own, "copied_bytes") if without_nulls(own, "copied_bytes") else None
        return title(row, copied, max((row["max_bytes_per_s"] for row in own), default=-1))

    shown = [row for row in summary if tuple(row[column] for column in columns) in directions]
    longest = largest(shown, lambda row: row["busy"])
    notes = [bins(rows, "maximum bandwidth in bins of up to ")]
    notes.append(note_on_limit(len(directions), "directions of a device", drawn=drawn.panels()))
    return Facts([in_frame(row) for row in longest], notes)


@facts
def trace_timeline(drawn):
    rows = without_nulls(drawn.frames[0], "ts", "dur")
    if not rows:
        return None
    runs = groups(rows, "run")
    n = sum(row["n"] or 1 for row in rows)
    subject = [" of ", count(len(runs)), " runs"] if len(runs) > 1 else []
    if len(runs) == 1 and rows[0]["rank"] is not None:
        subject = [f" of rank {rows[0]['rank']}"]
    windows = [run[0]["window_dur"] for run in runs.values()]
    tracks = distinct(rows, "run", "device", "pid", "track")

    def title(window):
        return [count(n), " intervals", *subject, " in ", time(window), " on ", *count_of(tracks, "track")]

    panels = list(runs.values())[: drawn.panels()]
    limits = sorted({run[0]["bin_dur"] for run in panels})
    merged = lambda limit: Note(["intervals shorter than ", time(limit), " are merged"])  # noqa: E731
    notes = [note_on_limit(len(runs), "runs", drawn=drawn.panels())]
    for run in panels:
        lanes = run[0]["excluded_lanes"]
        notes.append(
            Note([*count_of(lanes, "less busy lane"), " of ", one_of([run[0]["run"]]), " not shown"], lanes > 0)
        )
    # Shorter intervals are merged in all runs only below the shortest limit.
    return Facts([title(sum(windows))], [*notes, merged(limits[0])])


BOUNDS = {
    "loader": "data loader",
    "memory": "copies and fills",
    "launch_delay": "launch delay",
    "kernel_delay": "delay between kernels",
    None: "no weight",
}


@facts
def critical_path(drawn):
    edges, events = drawn.frames
    if not edges:
        return None
    shown_ranks = {(row["run"], row["node"], row["rank"]) for row in without_nulls(events, "ts", "dur")}
    shown_runs = {run for run, _, _ in shown_ranks}
    # Events are those of one rank of each run. Paths of other ranks are not drawn.
    edges = [
        row for row in edges if row["run"] not in shown_runs or (row["run"], row["node"], row["rank"]) in shown_ranks
    ]
    paths = list(groups(edges, "run", "node", "rank", "span", "object", "instance").values())
    bounds = {bound: total(own, "dur") for (bound,), own in groups(edges, "bound_by").items()}
    whole = sum(bounds.values())
    what: list[Any] = count_of(len(paths), "window")
    if len(paths) == 1:
        step, annotation = edges[0]["step"], edges[0]["annotation"] or "whole recording"
        what = [one_of([annotation if step is None else f"step {step}"])]
    start = ["critical path of ", *what, ": ", time(whole), ", "]
    titles = [
        [*start, share(bounds[bound], whole), " of it ", BOUNDS.get(bound, bound)]
        for bound in largest(bounds, lambda bound: bounds[bound])
    ]

    def limit(path):
        begin = min(path[0]["window_ts"], *(row["ts"] for row in path), path[0]["ts"])
        ends = [row["ts"] + row["dur"] + row["gap"] for row in path]
        return (max(path[0]["window_ts"] + path[0]["window_dur"], *ends, 0) - begin) // 1000

    limits = sorted(limit(path) for path in paths[: drawn.panels()])
    merged = lambda limit: Note(["edges shorter than ", time(limit), " are merged"], required=False)  # noqa: E731
    notes = [note_on_limit(len(paths), "paths", drawn=drawn.panels())]
    return Facts(titles, [*notes, merged(limits[0])])


@facts
def comparison(drawn):
    rows = [row | {"a": row["a"] or 0.0, "b": row["b"] or 0.0} for row in drawn.frames[0]]
    change = lambda row: row["b"] - row["a"]  # noqa: E731
    if not any(map(change, rows)):
        return None
    runs = groups(rows, "run")
    (run,), own = next(iter(runs.items()))
    changed = sorted(filter(change, own), key=lambda row: -abs(change(row)))[:2]
    changes = [[f"{row['name']} ", time(change(row), signed=True)] for row in changed]
    start = ["mean step ", time(total(own, "a")), " to ", time(total(own, "b"))]
    title = [*start, ": ", *join_parts(changes)] if changes else start
    subject = [one_of([run]), ": "] if len(runs) > 1 else []
    return Facts([[*subject, *title]], [note_on_limit(len(runs), "runs", drawn=len(drawn.labels))])


@facts
def trace_diff(drawn):
    kernels, calls = drawn.frames
    steps = lambda row: row["steps"] > 0 and row["base_steps"] > 0  # noqa: E731
    before = lambda row: row["base_dur_sum"] / (row["base_steps"] if steps(row) else 1)  # noqa: E731
    after = lambda row: row["dur_sum"] / (row["steps"] if steps(row) else 1)  # noqa: E731
    change = lambda row: after(row) - before(row)  # noqa: E731
    if all(row["run"] == row["base"] and row["n"] == row["base_n"] and not change(row) for row in kernels + calls):
        return None
    first = (kernels or calls)[0]
    base = "itself" if first["base"] == first["run"] else first["base"]
    of_run = [row for row in kernels or calls if row["run"] == first["run"]]

    def titles(rows):
        old, new = sum(map(before, rows)), sum(map(after, rows))
        what: list[Any] = ["host calls "]
        if kernels:
            is_readable = old and abs(new - old) < 99.995 * old
            relative = [" (", share(new - old, old, signed=True), ")"] if is_readable else []
            what = ["kernels ", time(new - old, signed=True), *relative, ", "]
        kinds = [row["change_kind"] for row in rows]
        more = kinds.count("increased") + kinds.count("decreased")
        title = [one_of([first["run"]]), " compared with ", one_of([base]), ": ", *what]
        title += [count(kinds.count("added")), " added, ", count(kinds.count("deleted")), " deleted, "]
        title += [count(more), " with more or fewer calls"]
        most = largest(rows, lambda row: abs(change(row))) if any(map(change, rows)) else []
        ends = [["; largest change in ", one_of([kernel_name(row["name"])]), ": "] for row in most]
        ends = [[*end, time(change(row), signed=True)] for end, row in zip(ends, most, strict=True)]
        return [[*title, *end] for end in ends or [[]]]

    runs = groups(kernels + calls, "run")
    notes = [note_on_limit(len(runs), "runs")]
    for (run,) in runs:
        for name, diffs in (("kernels and copies", kernels), ("host calls", calls)):
            notes.append(
                note_on_limit(sum(row["run"] == run and change(row) != 0 for row in diffs), f"different {name}")
            )
    return Facts(titles([row for row in of_run if row.get("type") != "memory"]), notes)


def metric_value(metric, value):
    if metric in {"step_p50", "step_p95"}:
        return [time(value)]
    if metric == "gpu_utilization" or metric.endswith("_ratio"):
        return [percent(100 * value)]
    return [time(1e9 * value)] if metric.endswith("_s") else [Number(value, "plain"), " count"]


@facts
def fleet_trend(drawn):
    rows, changes = drawn.frames
    if not rows:
        return None
    metric = rows[0]["metric"]
    notes = [
        note_on_limit(distinct(rows, "series"), "series"),
        Note([AnyCount(), " of ", count(len(rows)), " runs (the earliest) are not drawn"], required=False),
    ]
    if not changes:
        return Facts([[f"no change of the level of {metric} in ", *count_of(len(rows), "run")]], notes)
    titles = []
    for row in largest(changes, lambda row: (bool(row["worse"]), abs(row["relative_change"]))):
        series = [" of ", one_of([row["series"]])] if row["series"] else []
        relative = share(row["after"] - row["before"], row["before"], signed=True)
        title = [metric, *series, " ", relative, " since ", one_of([row["run"]]), ": "]
        title += [*metric_value(metric, row["before"]), ", then ", *metric_value(metric, row["after"])]
        titles.append([*title, f" (confidence {row['confidence']})"])
    return Facts(titles, notes)


CAUSES = {
    "loader": "waiting for data",
    "communication": "communication only",
    "other": "host, or nothing to do",
    "unknown": "cause unknown",
}


@facts
def fleet_waste(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    runs = groups(rows, "run").values()
    causes = groups(rows, "idle_cause")
    idle = {cause: total(own, "idle_s") for (cause,), own in causes.items()}
    is_all = all(math.isclose(own[0]["fleet_s"], idle[cause], rel_tol=1e-9) for (cause,), own in causes.items())
    gpu = sum(run[0]["gpu_s"] for run in runs)
    if is_all:  # Runs without idle time have no rows.
        gpu = rows[0]["fleet_s"] / rows[0]["fleet_ratio"]
    whole = sum(idle.values())
    who = "all runs" if is_all else "these runs"
    title = ["up to ", share(whole, gpu), f" of the GPU-hours of {who} idle"]
    causes = largest(idle, lambda cause: idle[cause])
    most = [[*title, f", most of it {CAUSES[cause]} (", share(idle[cause], gpu), ")"] for cause in causes]
    # No cause may have most of it.
    titles = most if 2 * max(idle.values()) > whole else [title]
    return Facts(titles, [note_on_limit(len(runs), "runs")])


@facts
def rules_report(drawn):
    if not drawn.frames[0]:
        return None
    runs = groups(drawn.frames[0], "run")
    (run,), rows = next(iter(runs.items()))
    prefix = [one_of([run]), ": "] if len(runs) > 1 else []
    violations = lambda row: (row["violations"] or 0) / (row["datapoints"] or 1)  # noqa: E731
    triggered = sorted((row for row in rows if row["triggered"]), key=lambda row: (-violations(row), row["rule"]))
    names = [": ", *join_parts([[row["rule"]] for row in triggered])] if triggered else []
    title = [*prefix, count(len(triggered)), " of ", *count_of(len(rows), "rule"), " triggered", *names]
    return Facts([title], [note_on_limit(len(runs), "runs", drawn=drawn.panels())])


@facts
def rules_usage(drawn):
    rows = [row for row in drawn.frames[0] if row["unit"] == "percent"]
    if not rows:
        return None
    chosen = []
    for resource in ("gpu", "cpu"):
        chosen += [row for row in rows if (row["resource"], row["metric"]) == (resource, "utilization")][:1]
    machines = [own[0] for own in groups(rows, "run", "node").values()]
    texts = []
    for row in chosen or rows[:1]:
        subject = [" of ", Name(row, machines, ("run", "node"))] if row["node"] or len(machines) > 1 else []
        texts.append([metric_name(row), *subject, ": median ", percent(row["p50"]), ", p95 ", percent(row["p95"])])
    runs = groups(rows, "run")
    lines = [note_on_limit(len(run), "metrics of ", one_of([run[0]["run"]])) for run in runs.values()]
    notes = [note_on_limit(len(runs), "runs", drawn=drawn.panels()), Note(["within 1.5 times the box"])]
    return Facts([join_parts(texts, "; ")], [*notes, *lines])


@facts
def rules_gpu(drawn):
    low, growth, batch_size = drawn.frames
    if not low and not growth:
        return None
    triggered = lambda rows: [count(sum(bool(row["triggered"]) for row in rows)), " of "]  # noqa: E731
    parts = []
    if low:
        parts.append([*triggered(low), *count_of(len(low), "GPU"), " underused or fluctuating"])
    if growth:
        parts.append(["memory grew on ", *triggered(growth), count(len(growth))])
    if batch_size:
        parts.append(["larger batches possible on ", *triggered(batch_size), count(len(batch_size))])
    runs = groups(low + growth, "run")
    lines = [
        note_on_limit(len(own), "GPUs of ", one_of([run]))
        for rows in drawn.frames
        for (run,), own in groups(rows, "run").items()
    ]
    notes = [note_on_limit(len(runs), "runs"), Note(["limits of the 95th and 5th percentile"]), *lines]
    return Facts([join_parts(parts, "; ")], notes)


@facts
def rules_bottleneck(drawn):
    cpu, io = drawn.frames
    if not cpu and not io:
        return None
    runs = groups(cpu + io, "run")
    run = next(iter(runs))[0]
    shares, snapshots = [], 0
    for rows, core in ((cpu, "busy"), (io, "waiting")):
        for row in (row for row in rows if row["run"] == run):
            n = row["datapoints"]
            of_all = [" of ", count(n), " snapshots"] if not shares else []
            # The title has the number of snapshots once, for both shares.
            snapshots = snapshots or n
            assert n == snapshots
            triggered = " (triggered)" if row["triggered"] else ""
            ratio = percent(100 * row["violations"] / n if n else 0)
            shares.append([f"with a {core} core in ", ratio, triggered, *of_all])
    prefix = [one_of([run]), ": "] if len(runs) > 1 else []
    return Facts(
        [[*prefix, "idle GPU ", *join_parts(shares)]], [note_on_limit(len(runs), "runs", drawn=drawn.panels())]
    )


@facts
def rules_balance(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    start = [
        count(sum(bool(row["triggered"]) for row in rows)),
        " of ",
        *count_of(len(rows), "pair"),
        " of GPUs have different loads",
    ]
    titles = []
    for row in largest(rows, lambda row: row["distance"]):
        limit = json.loads(row["parameters"])["threshold"]
        node = row["node"] != row["other_node"]
        first = f"{row['node']} {row['device']}" if node else row["device"]
        second = f"{row['other_node']} {row['other_device']}" if node else row["other_device"]
        pair = [": largest for ", one_of([first]), " and ", one_of([second])]
        titles.append(
            [*start, *pair, ", distance ", Number(row["distance"], "plain"), " (limit ", Number(limit, "plain"), ")"]
        )
    runs = groups(rows, "run")
    notes = [Note(["distance 0: identical load histograms; 0.83: no overlap"])]
    notes.append(note_on_limit(len(runs), "runs", drawn=drawn.panels()))
    for (run,), own in runs.items():
        gpus = {(row[f"{side}node"], row[f"{side}device"]) for row in own for side in ("", "other_")}
        notes.append(note_on_limit(len(gpus), "GPUs of ", one_of([run])))
    return Facts(titles, notes)


@facts
def rules_steps(drawn):
    starts, steps = without_nulls(drawn.frames[0], "dur"), drawn.frames[1]
    if not starts and not steps:
        return None
    firsts = [] if starts else [[]]
    for row in largest(starts, lambda row: row["dur"]) if starts else []:
        run = [one_of([row["run"]]), ": "] if len(starts) > 1 else []
        firsts.append([*run, "first step after ", time(row["dur"]), " (triggered)" if row["triggered"] else ""])
    outliers = []
    if steps:
        far = [" far above the mean of their process", " (triggered)" if any(row["triggered"] for row in steps) else ""]
        outliers = [count(total(steps, "outliers")), " of ", count(total(steps, "datapoints")), " steps", *far]
    runs = groups(steps, "run")
    notes = [
        note_on_limit(len(starts), "runs with a first step"),
        note_on_limit(len(runs), "runs", drawn=drawn.panels()),
        *(note_on_limit(len(own), "processes and modes of ", one_of([run])) for (run,), own in runs.items()),
        Note(["box from the median to the 95th percentile"], bool(steps)),
    ]
    return Facts([join_parts([part for part in (first, outliers) if part], "; ") for first in firsts], notes)


@facts
def rules_loader(drawn):
    rows = drawn.frames[0]
    if not rows:
        return None
    states = [None, False, True]
    triggered = sum(row["triggered"] is True for row in rows)
    end = ["; ", count(triggered), " of ", *count_of(len(rows), "machine"), " with too few or too many workers"]
    titles = []
    for row in largest(rows, lambda row: states.index(row["triggered"])):
        name = [Name(row, rows, ("run", "node")), ": "] if len(rows) > 1 else []
        cores = ["unknown"] if row["cores"] is None else [count(row["cores"])]
        median = Number(row["workers_p50"], "plain")
        titles.append([*name, "median number of workers ", median, ", cores ", *cores, *end])
    return Facts(titles, [note_on_limit(len(rows), "machines", drawn=drawn.panels())])


# ----------------------------------------------------------------------------------------------------------------------
# Inputs

SAMPLES = int(os.environ.get("TRACELAKE_TITLE_SAMPLES", "1"))
"""The number of random runs, random sets of runs, and random time windows for each figure."""
BUNDLED = (
    *("before_after/*", "data_loading/*", "golden/*", "lightning/*", "recorder/*", "cprofile", "dali_loader_evaluator"),
    *("first_look", "lightning_scalars", "loader_timings", "nsys", "pytorch_ddp"),
)
GENERATED = {
    "kineto.py": "--ranks 4 --steps 5 --seed 7 --shapes",
    "nsys.py": "--generation old --steps 4",
    # Its Python profiles are random. Their times do not add up.
    "sagemaker.py": "--nodes 2 --ranks 2 --gpus 2 --cores 4 --steps 30 --minutes 1 --submodules 3 --ops 20 --pystats 0",
}
JOB_K = 1_600_000_200_000_000_000
"""Start of run golden-job-k, which lasts 360 us."""
PARAMS: dict[str, list[dict[str, Any]]] = {
    "step_timeline": [{"factor": 1.2}, {"factor": 3.0}],
    "step_histogram": [{"bins": 1}, {"bins": 7}],
    "utilization_timeline": [{"by_device": True}, {"bins": 3}],
    "utilization_heatmap": [{"by_device": False}, {"bins": 3}],
    "utilization_buckets": [{"edges": [20, 80]}, {"edges": [0, 12.5, 50, 100]}],
    "loader_share": [{"by": "epoch"}, {"run": "recorder-w4", "by": "epoch"}],
    "batch_time": [
        *({"factor": 1.2}, {"bins": 7}, {"part": "load"}),
        *({"run": "recorder-w4"}, {"run": "recorder-w4", "part": "compute"}),
    ],
    "loader_comparison": [{"across": True}],
    "loader_scaling": [{"baseline": "recorder-w4"}, {"baseline": "nothing"}],
    "loader_next": [{"factor": 1.2}, {"bins": 7}],
    "item_time": [{"limit": 3}],
    "step_breakdown": [{"extended": True}],
    "rank_comparison": [{"extended": True}],
    "idle_breakdown": [{"threshold": 1000}],
    "queue_length": [{"bins": 5}, {"run": "golden-job-k", "start": JOB_K + 214_235, "end": JOB_K + 222_099}],
    "operator_treemap": [{"python": True}],
    "function_top": [{"by": "cumulative"}, {"limit": 5}],
    "function_flame": [{"python": False}, {"run": "pytorch_ddp"}, {"run": "lightning-advanced"}],
    "roofline": [{"peak": 1e13, "memory_bandwidth": 1e10}],
    "memory_curve": [{"bins": 5}, {"run": "golden-job-k", "start": JOB_K + 117_601, "end": JOB_K + 228_902}],
    "memory_bandwidth": [{"bins": 5}, {"run": "golden-job-k", "start": JOB_K + 231_690, "end": JOB_K + 238_526}],
    "trace_timeline": [{"rank": 1}, {"python": True}, {"lanes": 3}, {"depth": 0}, {"bins": 40}],
    "critical_path": [{"rank": 1}, {"instance": 0}, {"annotation": "forward"}],
    "comparison": [
        {},
        {"a": ["before_after-before"], "b": ["before_after-after"]},
        {"a": ["golden-job-a", "golden-job-c"], "b": ["first_look"]},
        {"a": ["golden-job-k"], "b": ["golden-job-r"]},
        {"run": ["before_after-before", "golden-job-a"], "a": ["before_after-before"]},
    ],
    "trace_diff": [
        *({}, {"base": "before_after-before"}, {"base": "golden-job-s", "python": True}),
        *({"base_rank": 0, "rank": 1}, {"base_step": 5, "step": 6}),
    ],
    "fleet_trend": [
        *({"metric": metric} for metric in ("step_p95", "loader_ratio", "gpu_utilization", "steps", "recorded_s")),
        *({"series": "model", "metric": metric} for metric in ("step_p50", "loader_ratio")),
    ],
    "rules_report": [{"defaults": "docs"}],
    "rules_gpu": [{"threshold_p95": 99.0, "patience": 0, "window": 5}, {"defaults": "rulesconfig"}],
    "rules_bottleneck": [{"threshold": 1.0, "patience": 0}, {"cpu_threshold": 10.0, "io_threshold": 1.0}],
    "rules_balance": [{"threshold": 0.05, "patience": 0}],
    "rules_steps": [{"stddev": 1.0, "n_outliers": 0, "patience": 0, "threshold": 0.001}, {"mode": "train"}],
    "rules_loader": [{"min_threshold": 90.0, "patience": 0}],
}
"""Parameters of the queries of a figure, and a run. Without a run, the figure shows all runs."""
COMPARED: dict[str, dict[str, Any]] = {
    "comparison": {"a": ["before_after-before"]},
    "trace_diff": {"base": "pytorch_ddp"},
}
"""Parameters without which a figure has nothing to compare."""
WINDOWS = (
    *("step_timeline", "utilization_timeline", "utilization_heatmap", "loader_next", "queue_length", "memory_curve"),
    *("memory_bandwidth", "trace_timeline"),
)
"""The figures with a time window."""

KNOWN_FAULTS = {
    "recursion": "The total lacks functions in a cycle of calls, such as calls of `next` in iterators.",
}
"""The faults of the product. Where one applies, a figure must equal `Facts.faults` instead."""
FAULTS = {"function_flame": {"recursion"}}
"""The faults of each figure. The slow test fails if one of them no longer occurs. Remove the fault then."""


def generate(name, out, arguments):
    command = [sys.executable, GENERATORS / name, "--out", out, *arguments.split()]
    subprocess.run(command, check=True, capture_output=True)


@pytest.fixture(scope="module")
def lakes(tmp_path_factory):
    """Sessions over the bundled and generated profiles, over a generated fleet, and over fictitious runs."""
    folder = tmp_path_factory.mktemp("titles")
    profiles = folder / "profiles"
    for pattern in BUNDLED:
        for path in filter(Path.is_dir, DATA.glob(pattern)):
            shutil.copytree(path, profiles / str(path.relative_to(DATA)).replace("/", "-"))
    for name, arguments in GENERATED.items():
        generate(name, profiles / f"generated-{Path(name).stem}", arguments)
    generate("fleet.py", folder / "traces", "--runs 9 --at 5 --by 0.3")
    dice = random.Random(1)
    fictitious = {}
    for place in range(80):
        level = 1.0 if place < 40 else 1.3
        fictitious[f"run-{place:02}"] = {
            "step_p50": level * dice.gauss(10e6, 1e5),
            "step_p95": dice.gauss(20e6, 1e5),
            "steps": 100 + place // 50,
            "loader_ratio": level * dice.gauss(0.3, 0.002),
            "gpu_utilization": dice.gauss(0.5, 0.01) / level,
            "attributes": {"model": f"m{place % 2}"},
        }
    sessions = {}
    with (
        tl.open(folder / "lake", create=True) as sessions["profiles"],
        tl.open(folder / "fleet", create=True) as sessions["fleet"],
        tl.open(fleet_lake.write(folder / "fictitious", fictitious)) as sessions["fictitious"],
    ):
        sessions["profiles"].ingest(profiles / "*", progress=False)
        sessions["fleet"].ingest(folder / "traces" / "*.json", progress=False)
        yield sessions


def figures(name, lakes):
    """Yields the input as a text, and the figure, for all runs, parameters, random runs, and random time windows."""
    dice = random.Random(name)
    session = lakes["fictitious" if name == "fleet_trend" else "profiles"]

    def draw(session, run=None, params=None):
        params = params or {}
        return f"{run=} {params}", Drawn(session.figure(name, run, **params), params)

    compared = COMPARED.get(name, {})
    label, everything = draw(session, None, compared)
    yield label, everything
    yield draw(lakes["fleet"])
    for params in PARAMS.get(name, []):
        yield draw(session, params.get("run"), {key: value for key, value in params.items() if key != "run"})
    runs = sorted({row["run"] for rows in everything.frames for row in rows})
    for size in [*[1] * SAMPLES, *(dice.randint(2, 5) for _ in range(SAMPLES))]:
        yield draw(session, dice.sample(runs, min(size, len(runs))), compared)
    for _ in range(SAMPLES if name in WINDOWS else 0):
        times = [(row["run"], row["ts"]) for row in everything.frames[0] if row["ts"] is not None]
        run, _ = dice.choice(times)
        own = [ts for other, ts in times if other == run]
        start, end = sorted(dice.randint(min(own), max(own) + 1) for _ in range(2))
        yield draw(session, run, {"start": start, "end": end})


# ----------------------------------------------------------------------------------------------------------------------
# Tests


def problems_of_labels(drawn, axes):
    """Returns the numbers in labels of panels and in titles of axes that are not from the frames."""
    problems = []
    for label in drawn.labels:
        left = re.sub(r"\S*…$", "", label)
        for name in sorted(drawn.texts, key=len, reverse=True) if re.search(r"\d", left) else ():
            left = re.sub(clip_pattern(name, label), " ", left)
        numbers = [number for number in re.findall(r"\d+", left) if int(number) not in drawn.integers]
        problems += [f"`{number}` in label `{label}`" for number in numbers]
    for axis in drawn.axes:
        quantity = re.sub(r" \([^)]*\)$", "", axis)
        has_number = NUMBER.search(quantity) and not quantity.startswith("time since ")
        if has_number and all(problems_of_title(parts, quantity) for parts in axes):
            problems.append(f"unexplained number in the title of an axis: {axis}")
    return problems


def problems_with(expected, drawn):
    """Returns the differences from the expected title that is most similar, and from the notes."""
    titles = [problems_of_title(parts, drawn.title) for parts in expected.titles] or [["no title would be right"]]
    # Wrong numbers in the right words are more similar than other words.
    title = min(titles, key=lambda problems: (len(problems) > 0, any(text.startswith("expected") for text in problems)))
    return [*title, *problems_of_notes(expected.notes, drawn.notes)]


def check(name, drawn):
    """Returns the differences of a figure from its facts, and the known fault that explains them."""
    expected = FACTS[name](drawn)
    if expected is None:
        has_message = drawn.is_message and not NUMBER.search(drawn.title + drawn.notes)
        return ([] if has_message else ["expected a message without numbers"]), None
    labels = problems_of_labels(drawn, expected.axes)
    problems = problems_with(expected, drawn)
    for fault, instead in expected.faults.items() if problems else ():
        if not problems_with(instead, drawn):
            return labels, fault
    return [*labels, *problems], None


def with_wrong_digits(drawn):
    """Yields the figure once for each digit of a number in its title, with another digit."""
    title = drawn.title
    for match in re.finditer(r"\d", title):
        number = re.search(r"[\w.,…-]*$", title[: match.start()])[0]
        if re.fullmatch(r"[-\d.,]*", number):
            other = str((int(match[0]) + 1) % 10)
            drawn.title = f"{title[: match.start()]}{other}{title[match.end() :]}"
            yield drawn


def test_every_figure_has_facts(s):
    assert set(FACTS) == set(s.figures())
    assert set(FAULTS) <= set(FACTS)
    assert set.union(*FAULTS.values()) == set(KNOWN_FAULTS)


@pytest.mark.parametrize("name", FACTS)
def test_numbers_of_the_bundled_profile(name, s):
    problems, fault = check(name, Drawn(s.figure(name), {}))
    assert not problems
    assert fault is None or fault in FAULTS[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", FACTS)
def test_numbers_of_many_profiles(name, lakes):
    differences, faults, first = [], set(), None
    for label, drawn in figures(name, lakes):
        problems, fault = check(name, drawn)
        if problems:
            differences += [label, f"  title: {drawn.title}", f"  notes: {drawn.notes}"]
            differences += [f"    {problem}" for problem in problems]
        faults |= {fault} - {None}
        first = first or drawn
    assert not differences, "\n".join(["", *differences])
    assert faults == FAULTS.get(name, set())
    # The facts are so exact that each wrong digit is detected.
    assert not first.is_message
    for drawn in with_wrong_digits(first):
        assert check(name, drawn)[0], drawn.title
