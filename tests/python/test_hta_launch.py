"""Launches, queues, idle streams, copies and counters of PyTorch traces, compared with HTA.

`tests/oracle/kineto_launch.md` says which table is compared with which query, file by file, and where ours differs.
"""

import csv
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

import kineto_trace
import tracelake as tl
from kineto_trace import ask
from test_kineto_kernel import HTA, HTA_FOLDER, SHARED, hta_session
from test_kineto_launch import by_stream, device_work, idle_gaps

pytestmark = pytest.mark.slow

__all__ = ["SHARED", "hta_session"]  # a fixture, and the parameters of its traces

csv.field_size_limit(sys.maxsize)
BASE = 1_600_000_000_000_000_000  # start of the stored traces
# traces with overlapping work in a stream, at HTA's rounded times, which gives negative gaps
OVERLAPPING = {"b200_eager", "diff_test_v100", "mi210_gpu_only"}
CAUSES = ("host_wait", "kernel_wait", "other")


def only_file(session, run):
    """Returns the only file of a run."""
    (source,) = list(session.sql(f"SELECT DISTINCT url FROM object WHERE run = '{run}'"))
    return Path(source["url"].removeprefix("file://"))


def rank_table(shared, run, name):
    """Returns the rows of an HTA table for the rank of a run; empty if HTA wrote none."""
    rank = 1 if run.endswith("rank1") else 0
    path = shared / "oracle" / "kineto" / HTA_FOLDER.get(run, run) / "hta" / f"{name}_rank{rank}.csv"
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def hta_idle(work):
    """Returns HTA's gaps of a stream by cause: from the end of the previous row, negative if work overlaps."""
    causes = idle_gaps(work, 30_000, lambda ends: ends[-1])
    # without a launch, only the length decides
    for length in causes.pop("unknown", []):
        causes["kernel_wait" if length < 30_000 else "other"].append(length)
    return {cause: sum(causes[cause]) for cause in CAUSES}


def overlaps(work):
    """Returns whether work of a stream overlaps, or ends before it starts."""
    ordered = sorted(work, key=lambda event: event["ts"])
    return any(after["ts"] < event["end"] or event["end"] < event["ts"] for event, after in pairwise(ordered))


@pytest.mark.parametrize("run", HTA)
def test_idle_breakdown_equals_hta(hta_session, run):
    """The results are equal if no work of a stream overlaps; otherwise, each follows its own rule."""
    session, table = hta_session
    ours = defaultdict(lambda: dict.fromkeys(CAUSES, 0))
    for row in ask(session, "kernel.idle_breakdown", run):
        cause = row["idle_cause"]
        if cause == "unknown":
            cause = "kernel_wait" if row["dur_max"] < 30_000 else "other"
        ours[row["stream"]][cause] += row["dur_sum"]
    theirs = defaultdict(lambda: dict.fromkeys(CAUSES, 0))
    for row in table(run, "idle_time_breakdown.csv"):
        theirs[int(row["stream"])][row["idle_category"]] = 1000 * int(float(row["idle_time"]))
    for (_, stream), work in by_stream(device_work(kineto_trace.read(only_file(session, run)))).items():
        if stream not in theirs:
            # an operator with a stream argument
            assert (run, len(work)) in {("b200_eager", 1), ("triton_example", 1)}
            continue
        assert theirs[stream] == hta_idle(work)
        if overlaps(work):
            assert run in OVERLAPPING
        else:
            assert ours[stream] == theirs[stream]


@pytest.mark.parametrize("run", [run for run in HTA if run not in OVERLAPPING | {"triton_example"}])
def test_intervals_of_idle_streams_equal_hta(hta_session, run):
    """The longest is equal; without intervals of zero length, all numbers are."""
    session, table = hta_session
    statistics = {(int(row["stream"]), row["idle_category"]): row for row in table(run, "idle_interval_stats.csv")}
    columns = {"n": "count", "dur_mean": "mean", "dur_std": "std", "dur_min": "min"}
    columns |= {"dur_p25": "25%", "dur_p50": "50%", "dur_p75": "75%"}
    compared = 0
    for row in ask(session, "kernel.idle_breakdown", run):
        other = statistics[row["stream"], row["idle_cause"]]
        assert row["dur_max"] == 1000 * float(other["max"])
        if float(other["min"]) > 0:
            compared += 1
            for mine, name in columns.items():
                value = row[mine] if mine == "n" else (row[mine] or 0) / 1000
                assert value == pytest.approx(float(other[name] or 0), abs=0.0051)
    assert compared


# additional points: calls that HTA does not know, and calls with a negative length after its rounding
OTHER_CALLS = {("diff_test_v100", 7): 20, ("mi210_gpu_only", 0): -16, ("mi300x_bert", 0): 8}


@pytest.mark.parametrize("run", HTA)
def test_queue_length_equals_hta(hta_session, shared, run):
    """HTA has no order for equal times: the length after all of them is equal, the mean nearly."""
    session, table = hta_session
    theirs, ours = defaultdict(list), defaultdict(list)
    for row in rank_table(shared, run, "queue_length_ts"):
        theirs[int(row["stream"])].append((1000 * int(row["ts"]), int(row["queue_length"])))
    for row in ask(session, "kernel.queue_length", run):
        ours[row["stream"]].append((row["ts"] - BASE, row["length"]))
    assert theirs.keys() == ours.keys()
    summary = {int(row["stream"]): row for row in table(run, "queue_length_summary.csv")}
    for row in ask(session, "kernel.queue_length_summary", run):
        stream = row["stream"]
        assert len(ours[stream]) - len(theirs[stream]) == OTHER_CALLS.get((run, stream), 0)
        if (run, stream) in OTHER_CALLS:
            continue
        assert dict(ours[stream]) == dict(theirs[stream])
        other = {key.removeprefix("queue_length."): value for key, value in summary[stream].items()}
        assert (row["n"], row["length_max"]) == (float(other["count"]), float(other["max"]))
        # if a call and a start have the same time, a point differs by one from its neighbors
        ties = len(ours[stream]) - len(dict(ours[stream]))
        assert row["point_mean"] == pytest.approx(float(other["mean"]), abs=1e-9 + 2 * ties / row["n"])
        assert row["point_p50"] == pytest.approx(float(other["50%"]), abs=1)
        if not ties:
            for mine, name in [("std", "std"), ("p25", "25%"), ("p50", "50%"), ("p75", "75%")]:
                assert row[f"point_{mine}"] == pytest.approx(float(other[name]), rel=1e-9, abs=1e-9)
    for row in ask(session, "kernel.queue_full_time", run):
        blocked = [
            other for other in table(run, "time_blocked_on_full_queue.csv") if int(other["stream"]) == row["stream"]
        ]
        assert row["dur_sum"] == sum(1000 * float(other["duration_at_max_queue_length"]) for other in blocked)


@pytest.mark.parametrize("run", HTA)
def test_launch_stats_equal_hta(hta_session, shared, run):
    """Compares row by row the calls that HTA knows."""
    session, _ = hta_session
    columns = ["correlation", "cpu_duration", "gpu_duration", "launch_delay"]
    theirs = Counter(
        tuple(int(float(row[column])) for column in columns)
        for row in rank_table(shared, run, "cuda_kernel_launch_stats")
    )
    known = ("cudaLaunchKernel", "cudaLaunchKernelExC", "cudaMemcpyAsync", "cudaMemsetAsync")
    rows = ask(session, "kernel.launches", run)
    ours = Counter(
        (row["correlation"], row["launch_dur"] // 1000, row["dur"] // 1000, row["delay"] // 1000)
        for row in rows
        if row["launch_name"] in known
    )
    assert ours == theirs
    assert rows
    for row in ask(session, "kernel.launch_stats", run):
        mine = [launch for launch in rows if launch["category"] == row["category"]]
        host = [launch["launch_dur"] for launch in mine]
        # HTA's figures: short kernels, slow runtime calls, late kernels
        assert row["short_launches"] == sum(launch["dur"] < launch["launch_dur"] <= 50_000 for launch in mine)
        assert row["slow_calls"] == sum(length > 50_000 for length in host)
        assert row["late_launches"] == sum(launch["delay"] > 100_000 for launch in mine)


@pytest.mark.parametrize("run", HTA)
def test_bandwidth_equals_hta(hta_session, shared, run):
    """HTA has no order for equal times: the bandwidth after all of them is equal."""
    session, table = hta_session
    theirs, ours = defaultdict(list), defaultdict(list)
    for row in rank_table(shared, run, "memory_bw_ts"):
        theirs[row["name"]].append((1000 * int(float(row["ts"])), float(row["memory_bw_gbps"])))
    for row in ask(session, "memory.bandwidth", run):
        ours[row["name"]].append((row["ts"] - BASE, row["bytes_per_s"] / 1e9))
    if run == "amd_mi250":
        # neither size nor bandwidth was recorded: HTA has 0, we have no row
        assert {value for _, value in theirs["Memcpy HtoD"]} == {0}
        assert not ours
        return
    assert theirs.keys() == ours.keys()
    for name, points in theirs.items():
        assert len(ours[name]) == len(points)
        mine, other = dict(ours[name]), dict(points)
        assert mine.keys() == other.keys()
        assert mine == pytest.approx(other, abs=1e-6)
    summary = {row["name"]: row for row in table(run, "memory_bw_summary.csv")} if theirs else {}
    for row in ask(session, "memory.bandwidth_summary", run):
        name = row["name"]
        other = {key.removeprefix("memory_bw_gbps."): value for key, value in summary[name].items()}
        # HTA counts floating-point remainders of a sum as bandwidth
        ties = len(ours[name]) - len(dict(ours[name]))
        assert abs(sum(value > 1e-6 for _, value in theirs[name]) - row["n"]) <= ties
        # HTA adds a copy that starts at the end of another one
        assert row["max_bytes_per_s"] / 1e9 <= float(other["max"]) * (1 + 1e-6)
        if float(other["count"]) == row["n"] and not ties:
            columns = {"point_mean": "mean", "max": "max", "min": "min", "p25": "25%", "p50": "50%", "p75": "75%"}
            for mine, theirs_name in columns.items():
                assert row[f"{mine}_bytes_per_s"] / 1e9 == pytest.approx(float(other[theirs_name]), rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("run", [run for run in HTA if "trace_filter" not in run])
def test_delays_of_operators_equal_hta(hta_session, shared, run):
    session, _ = hta_session
    theirs = {
        (row["aten_op_name"], row["kernel_sequence"]): row
        for row in rank_table(shared, run, "aten_op_kernels_and_delay")
    }
    rows = {(row["operator"], row["kernel_names"]): row for row in ask(session, "kernel.launch_delay_by_operator", run)}
    for key, other in theirs.items():
        assert rows[key]["n"] == int(other["occurrence_count"])
        for mine, name in [("operator", "avg_aten_op_launch_delay"), ("launch", "avg_runtime_delay")]:
            assert rows[key][f"{mine}_delay_mean"] / 1000 == pytest.approx(float(other[name]), abs=0.00101)
    raised = {"amd_mi250", "mi210_gpu_only", "mi300x_bert", "triton_example"}
    assert bool(theirs) == (run not in raised)
    assert rows or run in {"mi210_gpu_only", "triton_example"}


def test_operators_with_the_same_start_are_distinguished(hta_session, shared):
    """HTA takes `aten::matmul` and not the nested `aten::mm`; its table of rank 1 has calls of both ranks."""
    session, _ = hta_session
    ours = {}
    for run in ("trace_filter_rank0", "trace_filter_rank1"):
        ours[run] = Counter()
        for row in ask(session, "kernel.launch_delay_by_operator", run):
            ours[run][row["kernel_names"]] += row["n"]
    both = ours["trace_filter_rank0"] + ours["trace_filter_rank1"]
    for run, mine in [("trace_filter_rank0", ours["trace_filter_rank0"]), ("trace_filter_rank1", both)]:
        theirs = Counter()
        for row in rank_table(shared, run, "aten_op_kernels_and_delay"):
            theirs[row["kernel_sequence"]] += int(row["occurrence_count"])
        assert theirs
        assert {kernels: mine[kernels] for kernels in theirs} == dict(theirs)


@pytest.mark.parametrize("run", ["alexnet_a100", "simple_add_a100"])
def test_frequent_sequences_equal_hta(hta_session, run):
    """HTA's sequences include synchronization; the time of the calls is the same."""
    session, table = hta_session
    n, device, host = Counter(), Counter(), Counter()
    for row in table(run, "frequent_cuda_kernel_sequences_aten_conv2d.csv"):
        name, *kernels = row["pattern"].split("|")
        key = name, " -> ".join(kernel for kernel in kernels if kernel != "Stream Wait Event")
        n[key] += int(row["count"])
        device[key] += 1000 * float(row["GPU kernel duration (us)"])
        host[key] += 1000 * float(row["CPU op duration (us)"])
    waits = {"alexnet_a100": 10_000, "simple_add_a100": 8_000}[run]
    rows = ask(session, "kernel.frequent_sequences", run, operator="aten::conv2d")
    assert {(row["name"], row["sequence"]) for row in rows} == n.keys()
    for row in rows:
        key = row["name"], row["sequence"]
        assert (row["n"], row["host_sum"]) == (n[key], host[key])
        assert device[key] - row["kernel_sum"] == (waits if "fft2d" in row["sequence"] else 0)
    assert [row["n"] for row in rows] == [6, 2, 1, 1]


def test_counters_equal_hta(shared, tmp_path):
    file = shared / "data" / "kineto" / "hta" / "cupti_profiler" / "benchmark_result_924719_1679055439_trace.json.gz"
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(file, run="cupti")
        rows = ask(session, "kernel.counters", "cupti")
    theirs = defaultdict(list)
    table = shared / "oracle" / "kineto" / "cupti_a100" / "hta" / "cupti_counters_rank0.csv"
    with table.open(newline="") as out:
        for row in csv.DictReader(out):
            for counter, value in row.items():
                if counter.startswith("smsp__"):
                    theirs[row["top_level_op"], row["bottom_level_op"], counter].append(float(value))
    ours = {(row["outer_operator"], row["operator"], row["counter"]): row for row in rows}
    assert ours.keys() == theirs.keys()
    for key, values in theirs.items():
        row = ours[key]
        assert (row["n"], row["value_sum"], row["value_min"], row["value_max"]) == (
            len(values),
            sum(values),
            min(values),
            max(values),
        )
        assert row["flops"] == (2 if "fma" in key[2] else 1) * sum(values)
