"""Passes of a data loader in traces: the call that raises StopIteration is not a batch, and ends the pass."""

import json

import pytest

import tracelake as tl

SINGLE = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"
WORKERS = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"


def trace(name, passes, *, makes_batches, evaluates=False, stops=True):
    """A loop of 1 ms of waiting and 2 ms of work per batch, and a call of 0.5 ms at the end of each pass.

    Without workers, operators inside a call make the batch. An evaluation after a pass is an operator on its thread.
    """
    events, ts = [], 1_000

    def add(name, category, start, dur):
        events.append({"ph": "X", "name": name, "cat": category, "pid": 1, "tid": 1, "ts": start, "dur": dur})

    for number, batches in enumerate(passes):
        for _ in range(batches):
            add(name, "user_annotation", ts, 1_000)
            if makes_batches:
                add("aten::stack", "cpu_op", ts + 100, 50)
            add("aten::mm", "cpu_op", ts + 1_000, 2_000)
            ts += 3_000
        if stops or number + 1 < len(passes):
            add(name, "user_annotation", ts, 500)
            ts += 500
        if evaluates:
            add("aten::item", "cpu_op", ts + 10, 100)
            ts += 200
    return {"schemaVersion": 1, "traceEvents": events[::-1]}


@pytest.mark.parametrize(
    ("name", "options", "passes"),
    [
        (SINGLE, {"makes_batches": True}, [2, 2]),
        (SINGLE, {"makes_batches": True}, [3]),
        (SINGLE, {"makes_batches": True, "evaluates": True}, [5, 5, 5]),
        (WORKERS, {"makes_batches": False}, [2, 2]),
        (WORKERS, {"makes_batches": False, "stops": False}, [4, 4, 3]),
    ],
)
def test_batches_and_passes_are_counted(tmp_path, name, options, passes):
    (tmp_path / "job.pt.trace.json").write_text(json.dumps(trace(name, passes, **options)))
    with tl.open(tmp_path / "job.pt.trace.json", ephemeral=True) as session:
        batches = session.sql("SELECT pass, load, compute FROM loader_batch ORDER BY ts").to_pandas()
        assert batches["pass"].tolist() == [number for number, n in enumerate(passes) for _ in range(n)]
        assert set(batches["load"]) == {1_000_000}
        # The work on the last batch ends where the call begins that ends the pass.
        known = batches["compute"] if options.get("stops", True) else batches["compute"][:-1]
        assert set(known) == {2_000_000}
        (row,) = session.query("loader.next").rows()
        assert (row["n"], row["dur_mean"]) == (sum(passes), 1_000_000)
        (row,) = session.query("loader.share").rows()
        assert row["loader_ratio"] == pytest.approx(1 / 3)
        kinds = session.sql("SELECT count(*) AS n FROM loader WHERE kind = 'end'").to_pandas()["n"][0]
        assert kinds == len(passes) - (not options.get("stops", True))


def test_a_loop_that_does_nothing_with_its_batches_keeps_all_calls(tmp_path):
    calls = trace(WORKERS, [3, 3], makes_batches=False)
    calls["traceEvents"] = [event for event in calls["traceEvents"] if event["cat"] != "cpu_op"]
    (tmp_path / "job.pt.trace.json").write_text(json.dumps(calls))
    with tl.open(tmp_path / "job.pt.trace.json", ephemeral=True) as session:
        assert session.query("loader.next").to_pandas()["n"].tolist() == [8]
