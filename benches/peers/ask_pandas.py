"""Queries a trace with pandas, after orjson has parsed it: `ask_pandas.py once|ask TRACE`."""

import sys
from pathlib import Path

import orjson
import pandas as pd
from answering import answer


def group_by_name(events):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """Total duration and count by name, the most frequent name first."""
    groups = events.groupby("name").agg(dur=("dur", "sum"), n=("dur", "size")).reset_index()
    return groups.sort_values(["n", "name"], ascending=[False, True]).to_numpy().tolist()


def kernels(events):  # noqa: ANN001, ANN201 - as above
    """The events of kernels."""
    return events[events["cat"] == "kernel"]


QUESTIONS = {
    "group_kernels": lambda events: group_by_name(kernels(events)),
    "select_kernels": lambda events: (
        kernels(events).sort_values(["ts", "dur", "name"])[["ts", "dur", "name"]].head(30).to_numpy().tolist()
    ),
    "search_gemm_kernels": lambda events: [
        [name] for name in sorted(events.loc[events["name"].str.contains("gemm", regex=False), "name"].unique())
    ],
    "group_operators": lambda events: group_by_name(events[events["cat"] == "cpu_op"]),
    "group_events": group_by_name,
}


def load():  # noqa: ANN201 - as above
    """Loads the intervals as a frame, in ns. Arguments stay dictionaries."""
    events = pd.DataFrame(
        [event for event in orjson.loads(Path(sys.argv[2]).read_bytes())["traceEvents"] if event["ph"] == "X"]
    )
    for time in ("ts", "dur"):
        events[time] = (events[time] * 1000).round().astype("int64")
    return lambda name: QUESTIONS[name](events)


answer(sys.argv[1], load, list(QUESTIONS))
