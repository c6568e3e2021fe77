"""Work of devices that are not NVIDIA's, of JAX and of old versions, and kernels of all libraries that communicate."""

import gzip
import json
import re

import pytest

import tracelake as tl
from kineto_trace import tuples

CASES = {"ascend": "11-ascend-npu", "autograd": "15-legacy-autograd", "jax": "32-jax"}
B200 = "data/kineto/tracelens/b200/eager_trace.json.gz"


@pytest.fixture(scope="module")
def devices(shared, tmp_path_factory):
    """A lake with a run for each case."""
    with tl.open(tmp_path_factory.mktemp("devices") / "lake", create=True) as session:
        for run, folder in CASES.items():
            session.ingest(shared / "data" / "cases" / folder, run=run)
        yield session


def test_device_work_without_a_category_has_one(devices):
    # As `data/cases/README.md` says; the device of the old autograd profiler is its thread 0.
    assert tuples(
        devices,
        "SELECT run, type, device, count(*), sum(dur) FROM device_work GROUP BY ALL ORDER BY 1, 2",
    ) == [
        ("ascend", "communication", "npu0", 3, 9_000_000),
        ("ascend", "computation", "npu0", 15, 3_757_500),
        ("autograd", "computation", "gpu0", 300, 6_000_000),
        ("jax", "computation", "gpu0", 12, 21_601_500),
        ("jax", "memory", "gpu0", 4, 1_200_000),
    ]


def test_host_work_of_these_traces_is_complete(devices):
    operators = "SELECT run, count(*), sum(dur) FROM event WHERE category = 'operator' GROUP BY run ORDER BY run"
    assert tuples(devices, operators) == [
        ("ascend", 15, 1_500_000),
        ("autograd", 300, 1_549_000),
    ]
    steps = tuples(devices, "SELECT ts, dur FROM step WHERE run = 'ascend' ORDER BY ts")
    assert (steps[0][0], [dur for _, dur in steps]) == (
        1_777_000_000_000_000_125,
        [19_000_500] * 3,
    )
    assert tuples(devices, "SELECT DISTINCT rank FROM step WHERE run = 'ascend'") == [(3,)]
    # The profiler named no category.
    assert tuples(devices, "SELECT count(raw_category) FROM event WHERE run = 'jax'") == [(0,)]


def test_kernels_of_symmetric_memory_communicate(shared):
    with gzip.open(shared / B200, "rt") as file:
        events = json.load(file)["traceEvents"]
    kernels = [event for event in events if event.get("cat") == "kernel"]
    expected = [event for event in kernels if re.search("multimem_all_reduce|nccl", event["name"])]
    with tl.open(shared / B200, ephemeral=True, run="b200") as session:
        counted = "SELECT count(*), sum(dur) FROM device_work WHERE type = 'communication'"
        assert tuples(session, counted) == [(len(expected), sum(round(1e3 * event["dur"]) for event in expected))]
        share = sum(event["dur"] for event in expected) / sum(event["dur"] for event in kernels)
        assert 0.15 < share < 0.25
        # Queries by name agree.
        for query in ("kernel_summary", "kernel_diff"):
            by_name = f"SELECT sum(n) FROM {query} WHERE type = 'communication'"
            assert tuples(session, by_name) == [(len(expected),)]
        assert tuples(session, "SELECT count(*) FROM collective_call") == [(len(expected),)]


@pytest.mark.parametrize(
    ("category", "device"),
    [("mtia_ccp_events", "mtia0"), ("hpu_op", "hpu0"), ("kernel", "gpu0")],
)
def test_work_of_other_accelerators_is_device_work(tmp_path, category, device):
    def event(category, name, ts, dur, **args):
        return {
            "ph": "X",
            "cat": category,
            "name": name,
            "pid": 0,
            "tid": 7,
            "ts": ts,
            "dur": dur,
            "args": args,
        }

    trace = [
        event("cpu_op", "aten::mm", 10, 5),
        event(category, "matmul", 12, 30, device=0, stream=7),
    ]
    (tmp_path / "rank0.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": trace}))
    with tl.open(tmp_path, ephemeral=True, run="r") as session:
        assert tuples(session, "SELECT device, type, dur FROM device_work") == [(device, "computation", 30_000)]


@pytest.mark.parametrize("backend", ["nccl", "xccl", "hccl", "gloo", "mpi", "ucc"])
def test_collectives_of_each_backend_are_communication(tmp_path, backend):
    trace = [
        {
            "ph": "X",
            "cat": "cpu_op",
            "name": name,
            "pid": 1,
            "tid": 1,
            "ts": ts,
            "dur": 5,
        }
        for name, ts in ((f"{backend}:all_reduce", 10), ("aten::mm", 20))
    ]
    (tmp_path / "rank0.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": trace}))
    with tl.open(tmp_path, ephemeral=True, run="r") as session:
        # A mark around the launch of a kernel is not the collective itself.
        on_host = backend in ("gloo", "mpi", "ucc")
        query = "SELECT category, type FROM timed_event WHERE category <> 'operator'"
        assert tuples(session, query) == [("communication", "communication" if on_host else None)]


def test_flows_of_the_old_autograd_profiler_are_launches(devices):
    # As `data/cases/README.md` says: each operator launched 20 us of work.
    (mul,) = devices.sql("select * from operator_summary where run = 'autograd'").rows()
    assert (mul["name"], mul["n"]) == ("aten::mul", 300)
    assert (mul["host_total"], mul["device_total"], mul["device_self"]) == (1_549_000, 6_000_000, 6_000_000)
    launches = "SELECT count(*), count(launch_ts), min(ts - launch_ts) FROM device_launch WHERE run = 'autograd'"
    assert tuples(devices, launches) == [(300, 300, 7_000)]


def test_an_intel_gpu_has_one_name_for_kernels_and_memory(tmp_path):
    # As the plugin of Kineto for Intel GPUs writes it: `xpu_runtime`, kernels on device 0, memory of device type 12.
    def event(category, name, ts, dur, tid, **args):
        return {"ph": "X", "cat": category, "name": name, "pid": 5, "tid": tid, "ts": ts, "dur": dur, "args": args}

    trace = [
        event("cpu_op", "aten::mm", 10, 20, 5),
        event("xpu_runtime", "urEnqueueKernelLaunch", 15, 3, 5, correlation=7),
        {**event("kernel", "gemm_kernel", 40, 30, 1, device=0, correlation=7), "pid": 0},
        {**event("kernel", "oneccl_allreduce_pcie", 80, 10, 1, device=0, correlation=8), "pid": 0},
        {**event("gpu_memcpy", "Memcpy M2D", 75, 5, 1, device=0, correlation=9), "pid": 0},
        {
            "ph": "i",
            "cat": "cpu_instant_event",
            "name": "[memory]",
            "pid": 5,
            "tid": 5,
            "ts": 12,
            "args": {"Total Allocated": 512, "Bytes": 512, "Addr": 1, "Device Id": 0, "Device Type": 12},
        },
    ]
    (tmp_path / "rank0.pt.trace.json").write_text(json.dumps({"schemaVersion": 1, "traceEvents": trace}))
    with tl.open(tmp_path, ephemeral=True, run="r") as session:
        assert tuples(session, "SELECT device, type, dur FROM device_work ORDER BY ts") == [
            ("gpu0", "computation", 30_000),
            ("gpu0", "memory", 5_000),
            ("gpu0", "communication", 10_000),
        ]
        assert tuples(session, "SELECT device, bytes FROM allocation") == [("gpu0", 512)]
        (mm,) = session.sql("select name, device_self from operator_summary").rows()
        assert (mm["name"], mm["device_self"]) == ("aten::mm", 30_000)


def test_operations_of_a_tpu_are_device_work(tmp_path):
    names = {1: "Steps", 2: "XLA Modules", 3: "XLA Ops", 4: "Async XLA Ops"}
    trace = [{"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "/device:TPU:0"}}]
    trace += [{"ph": "M", "name": "thread_name", "pid": 3, "tid": t, "args": {"name": n}} for t, n in names.items()]
    trace += [{"ph": "M", "name": "process_name", "pid": 701, "args": {"name": "/host:CPU"}}]
    trace += [{"ph": "M", "name": "process_name", "pid": 4, "args": {"name": "/device:GPU:1"}}]
    gpu = {14: "Stream #14(Compute)", 15: "XLA Ops"}
    trace += [{"ph": "M", "name": "thread_name", "pid": 4, "tid": t, "args": {"name": n}} for t, n in gpu.items()]
    work = [
        (3, 1, "1", 100, 100),
        (3, 2, "jit_train_step(12)", 100, 90),
        (3, 3, "while.2", 100, 50),  # has the two below it inside
        (3, 3, "fusion.12", 100, 20),
        (3, 3, "convolution.3", 120, 30),
        (3, 3, "all-reduce.1", 150, 20),
        (3, 3, "copy.4", 170, 10),
        (3, 3, "all-gather-done.2", 180, 5),  # the core waits
        (3, 3, "infeed.5", 185, 5),
        (3, 4, "all-gather-start.2", 105, 40),
        (3, 4, "copy-start.3", 110, 20),
        # XLA on a GPU repeats the work of its streams in a thread.
        (4, 14, "gemm_fusion", 100, 50),
        (4, 15, "fusion.1", 100, 50),
        (701, 9, "PjitFunction(train_step)", 90, 5),
    ]
    trace += [
        {"ph": "X", "pid": pid, "tid": tid, "name": name, "ts": ts, "dur": dur, "args": {}}
        for pid, tid, name, ts, dur in work
    ]
    with gzip.open(tmp_path / "host.trace.json.gz", "wt") as file:
        json.dump({"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": trace}, file)
    with tl.open(tmp_path, ephemeral=True, run="r") as session:
        query = "SELECT device, type, count(*), sum(dur) FROM device_work GROUP BY ALL ORDER BY 1, 2"
        assert tuples(session, query) == [
            ("gpu1", "computation", 1, 50_000),
            ("tpu0", "communication", 2, 60_000),
            ("tpu0", "computation", 3, 60_000),
            ("tpu0", "memory", 2, 25_000),
        ]
