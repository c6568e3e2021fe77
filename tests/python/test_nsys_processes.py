"""Several processes in one export of Nsight Systems, as one `nsys profile` around a launcher records them."""

import shutil
import sqlite3

import pytest

import tracelake as tl
from test_nsys import BUNDLED, rows

# the correlations of calls and device work equal those of the first process
OTHER = 1 << 24
TABLES = {
    "CUPTI_ACTIVITY_KIND_RUNTIME": "globalTid",
    "CUPTI_ACTIVITY_KIND_KERNEL": "globalPid",
    "CUPTI_ACTIVITY_KIND_MEMCPY": "globalPid",
    "CUPTI_ACTIVITY_KIND_MEMSET": "globalPid",
    "CUPTI_ACTIVITY_KIND_GRAPH_TRACE": "globalPid",
    "NVTX_EVENTS": "globalTid",
    "CUDA_GPU_MEMORY_USAGE_EVENTS": "globalPid",
}
LATER = 50_000_000


@pytest.fixture
def session(tmp_path):
    """The bundled export of rank 0, with all events of its process repeated in another process, 50 ms later."""
    export = tmp_path / "export" / "report.sqlite"
    export.parent.mkdir()
    shutil.copy(BUNDLED / "report_rank0.sqlite", export)
    base = sqlite3.connect(export)
    for table, key in TABLES.items():
        names = [name for _, name, *_ in base.execute(f"pragma table_info({table})")]
        shifted_columns = {key: f"{key} + {OTHER}", "start": f"start + {LATER}"}
        shifted_columns |= {"end": f"end + {LATER}"} if "end" in names else {}
        columns = ", ".join(f'"{name}"' for name in names)
        values = ", ".join(shifted_columns.get(name, f'"{name}"').replace("end +", '"end" +') for name in names)
        base.execute(f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table}")
    base.commit()
    base.close()
    with tl.open(export.parent, run="job", ephemeral=True) as session:
        yield session


def test_work_belongs_to_the_calls_of_its_process(session):
    launched = rows(
        session,
        """
        select w.pid, count(*) as n, count(c.row) as found, sum(w.ts - c.ts) as delay
        from event as w
        left join event as c
          on c.run = w.run and c.object = w.object and c.correlation = w.correlation and c.category = 'runtime'
        where w.category = 'kernel' and w.raw_category = 'CUPTI_ACTIVITY_KIND_KERNEL'
        group by w.pid order by w.pid
    """,
    )
    first, second = launched
    assert second["pid"] == first["pid"] + 1
    assert first["n"] > 0
    assert {key: value for key, value in first.items() if key != "pid"} == {
        key: value for key, value in second.items() if key != "pid"
    }
    assert rows(session, "select row from event where category = 'kernel' and pid is null") == []


def test_steps_of_both_processes_have_separate_spans(session):
    steps = rows(session, "select span, step, ts, dur from step order by span, step")
    spans = sorted({row["span"] for row in steps})
    assert spans == [0, 1 << 32]
    steps_by_span = [[(row["step"], row["ts"], row["dur"]) for row in steps if row["span"] == span] for span in spans]
    assert steps_by_span[0]
    assert [(step, ts + LATER, dur) for step, ts, dur in steps_by_span[0]] == steps_by_span[1]


@pytest.mark.parametrize(
    "name",
    [
        "utilization.gpu_from_kernels",
        "kernel.occupancy",
        "kernel.queue_length_over_time",
        "kernel.idle_breakdown",
        "memory.bandwidth_over_time",
        "memory.curve",
        "memory.peak",
    ],
)
def test_devices_are_resolved_per_process(session, name):
    """Each process has the same events, 50 ms apart."""
    devices = {}
    for row in session.query(name).rows():
        times = {key: row[key] - LATER * (row["span"] > 0) for key in ("ts", "till") if row.get(key) is not None}
        devices.setdefault(row["span"], []).append({**row, **times, "span": 0, "row": None})
    first, second = devices.values()
    assert len(first) > 0
    assert second == first


def test_several_processes_are_reported(session):
    (problem,) = rows(session, "select message from problem where kind = 'processes'")
    assert problem["message"].startswith("2 processes use devices or mark ranges")
