"""Peak, roofline and MFU of a generated trace, compared with values computed by hand."""

import json

import pytest

import tracelake as tl

BASE = 1_700_000_000_000_000  # us
PEAK, MEMORY = 989.4e12, 3352e9  # data sheet of the H100, bfloat16
# operator, shapes, device time in us, operations, bytes
CALLS = [
    ("aten::mm", [[4096, 4096], [4096, 4096]], 200, 2 * 4096**3, 2 * 3 * 4096**2),
    ("aten::mm", [[1, 4096], [4096, 4096]], 40, 2 * 4096**2, 2 * (4096**2 + 2 * 4096)),
    ("aten::mul", [[1024, 1024], [1024, 1024]], 10, 1024**2, 2 * 3 * 1024**2),
]
STEPS, STEP = 3, 1000


def trace(device="NVIDIA H100 80GB HBM3", kernel="nvjet_tst_128x256"):
    """Steps with one call after the other, and a kernel for each."""
    events, correlation = [], 0

    def add(category, name, ts, dur, pid=1, tid=1, **args):
        shape = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid}
        events.append({**shape, "ts": BASE + ts, "dur": dur, "args": args})

    for step in range(STEPS):
        start = step * STEP
        add("user_annotation", f"ProfilerStep#{step}", start, STEP)
        for place, (name, shapes, dur, *_) in enumerate(CALLS):
            correlation += 1
            ts = start + 50 * place + 10
            inputs = {"Input Dims": shapes, "Input type": ["c10::BFloat16"] * 2, "Concrete Inputs": ["", ""]}
            if name == "aten::mm":  # a call within a call has no work of its own
                add("cpu_op", "aten::linear", ts - 2, 24)
            add("cpu_op", name, ts, 20, **inputs)
            add("cuda_runtime", "cudaLaunchKernel", ts + 5, 5, correlation=correlation)
            add("kernel", kernel, start + 250 * place + 100, dur, 0, 7, device=0, stream=7, correlation=correlation)
    properties = [{"id": 0, "name": device, "computeMajor": 9, "computeMinor": 0}]
    return {"deviceProperties": properties, "traceEvents": events}


def open_trace(folder, **options):
    path = folder / "rank0.1700000000000000000.pt.trace.json"
    path.write_text(json.dumps(trace(**options)))
    return tl.open(path, ephemeral=True, run="job")


def test_the_roofline_and_its_figure(tmp_path):
    with open_trace(tmp_path) as session:
        rows = {row["name"]: row for row in session.operator.flops().rows()}
        plot = json.loads(session.figure("roofline").to_json())
    assert set(rows) == {"aten::mm", "aten::mul"}
    for name, row in rows.items():
        calls = [call for call in CALLS if call[0] == name]
        flops = STEPS * sum(call[3] for call in calls)
        size = STEPS * sum(call[4] for call in calls)
        seconds = STEPS * sum(call[2] for call in calls) / 1e6
        assert (row["flops"], row["bytes"], row["data_type"], row["n"]) == (flops, size, "bfloat16", STEPS * len(calls))
        assert row["flops_per_s"] == pytest.approx(flops / seconds, rel=1e-12)
        assert row["intensity"] == pytest.approx(flops / size, rel=1e-12)
        assert row["attainable_flops_per_s"] == pytest.approx(min(PEAK, MEMORY * flops / size), rel=1e-12)
        assert row["utilization"] == pytest.approx(flops / seconds / PEAK, rel=1e-12)
    roof, points = plot["data"]
    assert dict(zip(points["x"], points["y"], strict=True)) == {
        row["intensity"]: row["flops_per_s"] for row in rows.values()
    }
    assert roof["y"] == [pytest.approx(min(PEAK, MEMORY * x), rel=1e-12) for x in roof["x"]]


def test_mfu_of_a_step(tmp_path):
    flops = sum(call[3] for call in CALLS)
    with open_trace(tmp_path) as session:
        steps = list(session.step.mfu().rows())
        with_peak = list(session.step.mfu(peak=1e15).rows())
    assert [row["step"] for row in steps] == list(range(STEPS))
    for row in steps:
        assert row["flops"] == flops
        assert row["mfu"] == pytest.approx(flops / (STEP / 1e6) / PEAK, rel=1e-12)
    assert with_peak[0]["mfu"] == pytest.approx(flops / (STEP / 1e6) / 1e15, rel=1e-12)


def test_a_device_that_is_not_known_has_no_peak(tmp_path):
    with open_trace(tmp_path, device="NVIDIA Made Up") as session:
        rows = list(session.operator.flops().rows())
        with_peak = list(session.operator.flops(peak=1e15, memory_bandwidth=1e12).rows())
        steps = list(session.step.mfu().rows())
        plot = session.figure("roofline").to_json()
    assert all(row["peak_flops_per_s"] is None and row["utilization"] is None for row in rows)
    assert all(row["attainable_flops_per_s"] == min(1e15, 1e12 * row["intensity"]) for row in with_peak)
    assert all(row["mfu"] is None and row["flops"] > 0 for row in steps)
    assert "no line where the peak is unknown" in plot


@pytest.mark.parametrize(
    ("name", "half"),
    [
        ("NVIDIA A100-SXM4-80GB", 312),
        ("NVIDIA A100 80GB PCIe", 312),
        ("NVIDIA H100 PCIe", 756),
        ("NVIDIA H200", 989.4),
        ("NVIDIA B200", 2250),
        ("NVIDIA GB200", 2500),
        ("NVIDIA L4", 121),
        ("NVIDIA L40S", 362),
        ("Tesla V100-SXM2-16GB", 125),
        ("Tesla T4", 65),
        ("NVIDIA A10G", 70),
        ("NVIDIA GeForce RTX 4090", 165.2),
        ("AMD Instinct MI300X", 1307.4),
    ],
)
def test_names_of_devices(tmp_path, name, half):
    with open_trace(tmp_path, device=name) as session:
        (row,) = session.sql("select float16_flops_per_s from device_peak").rows(named=False)
    assert row == (half * 1e12,)


def test_every_device_of_the_table_can_be_found(tmp_path):
    """No pattern is hidden by an earlier one: each name of a real device matches one row only, the first."""
    with open_trace(tmp_path, device="NVIDIA H100 NVL") as session:
        (row,) = session.sql("select name, memory_bytes_per_s from device_peak").rows(named=False)
    assert row == ("NVIDIA H100 NVL", 3938e9)
