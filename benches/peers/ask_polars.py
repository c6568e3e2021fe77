"""Queries a trace with Polars, which parses it: `ask_polars.py once|ask TRACE`.

The schema is declared, because detecting the fields of all arguments takes much longer. Arguments are not read.
"""

import sys

import polars as pl
from answering import answer

EVENT = pl.Struct(
    {"ph": pl.String, "cat": pl.String, "name": pl.String, "ts": pl.Float64, "dur": pl.Float64}
    | {"pid": pl.Int64, "tid": pl.Int64}
)


def group_by_name(events):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """Total duration and count by name, the most frequent name first."""
    groups = events.group_by("name").agg(pl.col("dur").sum(), pl.len().alias("n"))
    return groups.sort(["n", "name"], descending=[True, False]).rows()


def kernels(events):  # noqa: ANN001, ANN201 - as above
    """The events of kernels."""
    return events.filter(pl.col("cat") == "kernel")


QUESTIONS = {
    "group_kernels": lambda events: group_by_name(kernels(events)),
    "select_kernels": lambda events: (
        kernels(events).select("ts", "dur", "name").sort("ts", "dur", "name").head(30).rows()
    ),
    "search_gemm_kernels": lambda events: (
        events.filter(pl.col("name").str.contains("gemm", literal=True)).select(pl.col("name").unique().sort()).rows()
    ),
    "group_operators": lambda events: group_by_name(events.filter(pl.col("cat") == "cpu_op")),
    "group_events": group_by_name,
}


def load():  # noqa: ANN201 - as above
    """Loads the intervals as a frame, in ns."""
    read = pl.read_json(sys.argv[2], schema={"traceEvents": pl.List(EVENT)})
    events = read.explode("traceEvents").unnest("traceEvents").filter(pl.col("ph") == "X")
    ns = [(pl.col(time) * 1000).round().cast(pl.Int64) for time in ("ts", "dur")]
    events = events.with_columns(ns)
    return lambda name: QUESTIONS[name](events)


answer(sys.argv[1], load, list(QUESTIONS))
