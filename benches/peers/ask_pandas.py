"""Asks pandas about a trace that orjson reads: `ask_pandas.py once|ask TRACE`."""

import sys
from pathlib import Path

import orjson
import pandas as pd
from answering import answer


def grouped(events):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """By name, the most frequent first."""
    found = events.groupby("name").agg(dur=("dur", "sum"), n=("dur", "size")).reset_index()
    return found.sort_values(["n", "name"], ascending=[False, True]).to_numpy().tolist()


def kernels(events):  # noqa: ANN001, ANN201 - as above
    """Those on a device."""
    return events[events["cat"] == "kernel"]


QUESTIONS = {
    "group_kernels": lambda events: grouped(kernels(events)),
    "select_kernels": lambda events: (
        kernels(events).sort_values(["ts", "dur", "name"])[["ts", "dur", "name"]].head(30).to_numpy().tolist()
    ),
    "search_gemm_kernels": lambda events: [
        [name] for name in sorted(events.loc[events["name"].str.contains("gemm", regex=False), "name"].unique())
    ],
    "group_operators": lambda events: grouped(events[events["cat"] == "cpu_op"]),
    "group_events": grouped,
}


def load():  # noqa: ANN201 - as above
    """The intervals as a frame, in ns; arguments stay dictionaries."""
    events = pd.DataFrame(
        [event for event in orjson.loads(Path(sys.argv[2]).read_bytes())["traceEvents"] if event["ph"] == "X"]
    )
    for time in ("ts", "dur"):
        events[time] = (events[time] * 1000).round().astype("int64")
    return lambda name: QUESTIONS[name](events)


answer(sys.argv[1], load, list(QUESTIONS))
