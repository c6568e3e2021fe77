"""Asks Polars about a trace, which it reads by itself: `ask_polars.py once|ask TRACE`.

It is told the fields, since to look for those of all arguments takes much longer; arguments are left out.
"""

import sys

import polars as pl
from answering import answer

EVENT = pl.Struct(
    {"ph": pl.String, "cat": pl.String, "name": pl.String, "ts": pl.Float64, "dur": pl.Float64}
    | {"pid": pl.Int64, "tid": pl.Int64}
)


def grouped(events):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """By name, the most frequent first."""
    found = events.group_by("name").agg(pl.col("dur").sum(), pl.len().alias("n"))
    return found.sort(["n", "name"], descending=[True, False]).rows()


def kernels(events):  # noqa: ANN001, ANN201 - as above
    """Those on a device."""
    return events.filter(pl.col("cat") == "kernel")


QUESTIONS = {
    "group_kernels": lambda events: grouped(kernels(events)),
    "select_kernels": lambda events: (
        kernels(events).select("ts", "dur", "name").sort("ts", "dur", "name").head(30).rows()
    ),
    "search_gemm_kernels": lambda events: (
        events.filter(pl.col("name").str.contains("gemm", literal=True)).select(pl.col("name").unique().sort()).rows()
    ),
    "group_operators": lambda events: grouped(events.filter(pl.col("cat") == "cpu_op")),
    "group_events": grouped,
}


def load():  # noqa: ANN201 - as above
    """The intervals as a frame, in ns."""
    read = pl.read_json(sys.argv[2], schema={"traceEvents": pl.List(EVENT)})
    events = read.explode("traceEvents").unnest("traceEvents").filter(pl.col("ph") == "X")
    ns = [(pl.col(time) * 1000).round().cast(pl.Int64) for time in ("ts", "dur")]
    events = events.with_columns(ns)
    return lambda name: QUESTIONS[name](events)


answer(sys.argv[1], load, list(QUESTIONS))
