"""Compares the operators of a trace with PyTorch's own table of them, `key_averages()`.

The differences that are allowed are those that the headers of `operator.summary`, `memory.by_operator` and
`operator.flops` name.
"""

from __future__ import annotations

import csv
import io
from collections import Counter, defaultdict

FIELDS = (
    "key",
    "count",
    "cpu_time_total",
    "self_cpu_time_total",
    "cpu_memory_usage",
    "self_cpu_memory_usage",
    "flops",
    "is_user_annotation",
)
"""The members of a row of `key_averages()` that are compared."""

ROUNDING_US = 0.0011
"""How far a duration in the trace may be from that of its event: times have three decimals."""

ATTENTION = "aten::_scaled_dot_product_flash_attention_for_cpu"
CONVOLUTION_BACKWARD = "aten::convolution_backward"
NO_FORMULA = (ATTENTION, f"{ATTENTION}_backward", CONVOLUTION_BACKWARD)
"""Operators for which `key_averages()` has no floating-point operations, but PyTorch's counter has."""


def rows_by_name(frame, key="name"):
    """Returns the rows of a result by name; CSV needs no library."""
    return {row[key]: row for row in csv.DictReader(io.StringIO(frame.to_csv()))}


def count_merged(events):
    """Returns for each name how many calls are the only child of a call of the same name, which PyTorch merges."""
    calls = sorted(
        (event["tid"], event["ts"], -event["dur"], event["name"])
        for event in events
        if event.get("cat") in {"cpu_op", "user_annotation"}
    )
    children, stack = defaultdict(list), []
    for number, (tid, ts, minus_dur, name) in enumerate(calls):
        while stack and (stack[-1][0] != tid or stack[-1][1] <= ts):
            stack.pop()
        if stack:
            children[stack[-1][2]].append(name)
        stack.append((tid, ts - minus_dur, number))
    return Counter(calls[number][3] for number, names in children.items() if names == [calls[number][3]])


def find_differences(table, session, events, recursive=(), parents_of_annotations=()):
    """Returns what differs, each as name, column, value of tracelake and value of PyTorch.

    Args:
        table: Rows of `key_averages()`, as dicts of `FIELDS`.
        session: The session of the trace.
        events: The events of the trace.
        recursive: Operators inside a call of their name; PyTorch adds up their totals.
        parents_of_annotations: Operators with annotations in them, to which PyTorch gives the memory inside, and the
            time if they overlap the operator in part.
    """
    merged = count_merged(events)
    operators, marks = rows_by_name(session.operator.summary()), rows_by_name(session.annotation.summary())
    memory, flops = rows_by_name(session.memory.by_operator(), "operator"), rows_by_name(session.operator.flops())
    differences = []
    for row in table:
        name, tolerance = row["key"], ROUNDING_US * (row["count"] + 1)

        def compare(column, actual, expected, tolerance=0.0, name=name):
            if abs(actual - expected) > tolerance:
                differences.append((name, column, actual, expected))

        if name == "ProfilerStep*":
            steps = [mark for mark in marks if mark.startswith("ProfilerStep#")]
            compare("n", len(steps), row["count"])
        elif row["is_user_annotation"] and name not in operators:
            compare("n", int(marks[name]["n"]), row["count"])
            compare("total", int(marks[name]["dur_sum"]) / 1e3, row["cpu_time_total"], tolerance)
        else:
            ours, allocated = operators[name], memory.get(name, {"increase_bytes": 0, "self_increase_bytes": 0})
            compare("n", int(ours["n"]) - merged[name], row["count"])
            if name not in recursive:
                compare("total", int(ours["host_total"]) / 1e3, row["cpu_time_total"], tolerance)
                compare("memory", int(allocated["increase_bytes"]), row["cpu_memory_usage"])
                if name not in NO_FORMULA:
                    compare("flops", float(flops[name]["flops"]) if name in flops else 0, row["flops"] or 0)
            if name not in parents_of_annotations:
                compare("self", int(ours["host_self"]) / 1e3, row["self_cpu_time_total"], tolerance)
                compare("self memory", int(allocated["self_increase_bytes"]), row["self_cpu_memory_usage"])
    unexpected = set(operators) - {row["key"] for row in table}
    return differences + [(name, "row", 1, 0) for name in unexpected]
