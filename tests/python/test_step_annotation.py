"""Steps of a trace that are marked by the user's annotation."""

import json

import pytest


@pytest.fixture
def trace(tmp_path):
    """Two batches of 100 us within one ProfilerStep; the second launches a kernel that ends after it."""
    host = {"ph": "X", "pid": 1, "tid": 1}
    events = [
        # not in order of time
        {"name": "batch", "cat": "user_annotation", "ts": 200, "dur": 100, **host},
        {"name": "batch", "cat": "user_annotation", "ts": 50, "dur": 100, **host},
        # a function of that name is not an annotation
        {"name": "batch", "cat": "python_function", "ts": 51, "dur": 98, **host},
        {"name": "batches", "cat": "user_annotation", "ts": 40, "dur": 300, **host},
        {"name": "epoch 7", "cat": "user_annotation", "ts": 30, "dur": 400, **host},
        {"name": "ProfilerStep#3", "cat": "user_annotation", "ts": 20, "dur": 500, **host},
        {"name": "batch", "cat": "gpu_user_annotation", "ph": "X", "pid": 0, "tid": 7, "ts": 210, "dur": 5},
        {"name": "cudaLaunchKernel", "cat": "cuda_runtime", "ts": 220, "dur": 5, **host, "args": {"correlation": 9}},
        {
            "name": "gemm",
            "cat": "kernel",
            "ph": "X",
            "pid": 0,
            "tid": 7,
            "ts": 290,
            "dur": 40,
            "args": {"correlation": 9, "device": 0, "stream": 7},
        },
    ]
    path = tmp_path / "run.pt.trace.json"
    path.write_text(json.dumps({"schemaVersion": 1, "baseTimeNanoseconds": 10**18, "traceEvents": events}))
    return path


def steps(session):
    """Returns step, start and length in us."""
    rows = list(session.sql("select step, ts, dur from step order by step"))
    return [(row["step"], row["ts"] % 10**18 // 1000, row["dur"] // 1000) for row in rows]


def test_marks_without_a_number_are_counted_by_time(lake, trace):
    lake.ingest(trace, step_annotation="batch")
    assert steps(lake) == [(0, 50, 100), (1, 200, 100)]
    categories = "select name, category from event where raw_category = 'user_annotation' order by ts"
    assert list(lake.sql(categories)) == [
        {"name": "ProfilerStep#3", "category": "annotation"},
        {"name": "epoch 7", "category": "annotation"},
        {"name": "batches", "category": "annotation"},
        {"name": "batch", "category": "step"},
        {"name": "batch", "category": "step"},
    ]
    # the kernel belongs to the step that launched it
    kernel = "select s.step from event_step s join event e using (run, object, row) where e.category = 'kernel'"
    assert list(lake.sql(kernel)) == [{"step": 1}]


def test_a_number_after_the_name_is_the_step(lake, trace):
    lake.ingest(trace, step_annotation="epoch")
    assert steps(lake) == [(7, 30, 400)]


def test_a_step_annotation_holds_until_the_next_one(lake, trace):
    lake.ingest(trace)
    assert steps(lake) == [(3, 20, 500)]
    assert lake.ingest(trace, step_annotation="batch")["read"] == 1
    assert lake.ingest(trace)["read"] == 0
    assert len(steps(lake)) == 2
    assert lake.ingest(trace, step_annotation="")["read"] == 1
    assert steps(lake) == [(3, 20, 500)]
    assert lake.ingest(trace, step_annotation=" ")["read"] == 0
