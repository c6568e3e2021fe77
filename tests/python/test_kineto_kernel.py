"""Kernels of PyTorch traces: compared with a scan over all moments, other tools, and well-known numbers.

`tests/oracle/kineto_device.md` says which table of the other tools is compared with which query, and which is not.
"""

import csv
import gzip
import json
import math
import statistics
from collections import defaultdict

import pytest

import kineto_trace
import tracelake as tl
from kineto_trace import ask, plugin_profile

pytestmark = pytest.mark.slow

QUERIES = [
    "kernel.summary",
    "kernel.by_operator",
    "kernel.by_type",
    "kernel.occupancy",
    "kernel.temporal_breakdown",
    "kernel.comm_overlap",
    "utilization.gpu_from_kernels",
]

# profile of the oracle, its file, and the folder of `tb.json` with its key, if the plugin has one
SHARED = {
    "trace_filter_rank0": ("hta/trace_filter/sampled_rank-0.json.gz", "trace_filter_2ranks", "('worker0', '1')"),
    "trace_filter_rank1": ("hta/trace_filter/sampled_rank-1.json.gz", "trace_filter_2ranks", "('worker1', '1')"),
    "ns_v100": ("hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz", "ns_v100", "('worker0', '1')"),
    "diff_control_a100": ("hta/trace_diff/control/control.json.gz", "diff_control_a100", "('worker0', '1')"),
    "diff_test_v100": ("hta/trace_diff/test/test.json.gz", "diff_test_v100", "('worker0', '1')"),
    "amd_mi250": ("hta/amd_trace/mi250_minitoy_train_ROCm6_2_kineto.json.gz", "amd_mi250", "('worker0', '1')"),
    "alexnet_a100": (
        "hta/critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz",
        "alexnet_a100",
        "('worker0', '1')",
    ),
    "simple_add_a100": ("hta/critical_path/simple_add/benchmark_result_493459_1694039959_trace.json.gz", None, None),
    "triton_example": ("hta/triton_example/triton_example.json.gz", None, None),
    "b200_eager": ("tracelens/b200/eager_trace.json.gz", "b200_eager", "('worker0', '1')"),
    "h100_bert": ("tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz", "h100_bert", "('worker0', '1')"),
    "mi300x_bert": ("tracelens/mi300/gaunernst_bert-small-uncased__1016001.json.gz", "mi300x_bert", "('worker0', '1')"),
    "mi210_gpu_only": ("tracelens/mi210/gpu_only_trace/gpu_only_trace.json.gz", None, None),
    "rn50_nw0_span1": (
        "tb/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz",
        "rn50_nw0",
        "('worker0', '1')",
    ),
    "rn50_nw0_span2": (
        "tb/resnet50_num_workers_0/worker0.1623143566756.pt.trace.json.gz",
        "rn50_nw0",
        "('worker0', '2')",
    ),
    "torch_nw0_slow_span1": ("torch/tb_handler/nw0_slow/worker0.1795225480952904378.pt.trace.json.gz", None, None),
    "torch_full_options": ("torch/full_options_stack_modules_flops.pt.trace.json.gz", None, None),
    "torch_ddp_rank0": ("torch/ddp_gloo_2ranks/rank0.1795225498739213444.pt.trace.json.gz", None, None),
    "torch_ddp_rank1": ("torch/ddp_gloo_2ranks/rank1.1795225498719213757.pt.trace.json.gz", None, None),
    "torch_plain_no_steps": ("torch/plain_no_steps.json", None, None),
    "cpu_only_gloo": ("hta/cpu_only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", None, None),
}
PLUGIN = [key for key, (_, folder, _) in SHARED.items() if folder]


@pytest.fixture(scope="module")
def exact_numbers(shared):
    return json.loads((shared / "oracle" / "kineto" / "exact_all_events.json").read_text())


@pytest.fixture(scope="module")
def plugin(shared):
    """Returns the results of the TensorBoard plugin for a shared trace."""
    return lambda run: plugin_profile(shared, *SHARED[run][1:])


@pytest.fixture(scope="module", params=[["--nccl", "6", "--streams", "3"], ["--stack", "--ranks", "2"]], ids=" ".join)
def generated(request, shared, tmp_path_factory):
    """A lake of one run, with the trace and the truth of each rank."""
    folder = tmp_path_factory.mktemp("generated")
    arguments = ["--steps", "3", "--kernels-per-step", "120", *request.param]
    files = kineto_trace.generate(shared, folder / "trace", *arguments)
    with tl.open(folder / "lake", create=True) as session:
        session.ingest(folder / "trace", run="made")
        yield session, [(truth["rank"], kineto_trace.read(path), truth) for path, truth in files]


# Others count kernels of symmetric memory (multimem_all_reduce_kernel) as computation.
SYMMETRIC = {"b200_eager"}


def ns(microseconds):
    """Converts floating-point us with three decimals to ns."""
    return round(microseconds * 1000)


def without_spaces(numbers):
    return str(numbers).replace(" ", "")


def of_rank(rows, rank, ranks):
    """Returns the rows of a rank; a job with one process has no rank."""
    assert {row["rank"] for row in rows} <= {rank for rank, _, _ in ranks} | {None}
    return [row for row in rows if row["rank"] in (rank, None)]


def with_type(lengths, kind):
    return sum(length for types, length in lengths.items() if kind in types)


def test_time_is_split_as_a_scan_over_all_moments(generated):
    session, ranks = generated
    for rank, trace, truth in ranks:
        work = kineto_trace.device_work(trace)
        lengths = kineto_trace.moments(work, lambda event: event["type"])
        (row,) = of_rank(ask(session, "kernel.temporal_breakdown", "made"), rank, ranks)
        computation, communication = with_type(lengths, "computation"), with_type(lengths, "communication")
        assert row["ts"] == min(event["ts"] for event in work)
        assert row["ts"] + row["dur"] == max(event["end"] for event in work)
        assert (row["computation"], row["communication"]) == (computation, communication)
        assert row["memory"] == with_type(lengths, "memory")
        assert row["idle"] == lengths.get(frozenset(), 0)
        assert row["computation"] + row["non_computation"] + row["idle"] == row["dur"]
        assert math.isclose(row["computation_ratio"] + row["non_computation_ratio"] + row["idle_ratio"], 1)
        kernels = [event for event in work if event["type"] != "memory"]
        assert row["kernels"] == len(kernels)
        assert row["kernel_sum"] == sum(event["end"] - event["ts"] for event in kernels)
        total = truth["total"]
        assert row["kernel_sum"] == ns(total["kernel_sum_us"])
        assert row["kernel"] == ns(total["kernel_union_us"])
        assert row["computation"] == ns(total["compute_union_us"])
        assert row["communication"] == ns(total["comm_union_us"])
        assert row["memory"] == ns(total["memcpy_memset_union_us"])
        assert row["dur"] - row["idle"] == ns(total["gpu_busy_us"])

        (overlap,) = of_rank(ask(session, "kernel.comm_overlap", "made"), rank, ranks)
        both = sum(length for types, length in lengths.items() if {"computation", "communication"} <= types)
        assert overlap["overlap"] == both == ns(total["comm_comp_overlap_us"])
        assert overlap["exposed"] == communication - both
        assert overlap["n"] == sum(event["type"] == "communication" for event in work)
        assert overlap["overlap_ratio"] == (both / communication if communication else None)

        rows = of_rank(ask(session, "kernel.by_type", "made"), rank, ranks)
        expected = {types: length for types, length in lengths.items() if types and length}
        assert {frozenset(row["types"].split(" overlapping ")): row["dur"] for row in rows} == expected
        assert math.isclose(sum(row["ratio"] for row in rows), 1)


def test_each_kernel_has_its_sums(generated):
    session, ranks = generated
    for rank, trace, _ in ranks:
        work = kineto_trace.device_work(trace)
        by_name = defaultdict(list)
        for event in work:
            by_name[event["type"], event["name"]].append(event)
        rows = of_rank(ask(session, "kernel.summary", "made"), rank, ranks)
        assert {(row["type"], row["name"]) for row in rows} == set(by_name)
        assert [row["dur_sum"] for row in rows] == sorted((row["dur_sum"] for row in rows), reverse=True)
        total = sum(event["end"] - event["ts"] for event in work)
        for row in rows:
            events = by_name[row["type"], row["name"]]
            durations = [event["end"] - event["ts"] for event in events]
            assert (row["n"], row["dur_sum"]) == (len(durations), sum(durations))
            assert (row["dur_min"], row["dur_max"]) == (min(durations), max(durations))
            assert row["busy"] == with_type(kineto_trace.moments(events, lambda _: "busy"), "busy")
            assert math.isclose(row["ratio"], sum(durations) / total)
            assert math.isclose(row["dur_mean"], statistics.fmean(durations))
            assert row["dur_p50"] == statistics.median(durations)
            if len(durations) == 1:
                assert row["dur_std"] is None
            else:
                assert math.isclose(row["dur_std"], statistics.stdev(durations))
                cut = statistics.quantiles(durations, n=100, method="inclusive")
                assert math.isclose(row["dur_p95"], cut[94])
                assert math.isclose(row["dur_p99"], cut[98])
            assert row["tensor_core"] == (None if row["type"] == "memory" else "xmma_gemm" in row["name"])


def test_each_kernel_belongs_to_the_operator_that_launched_it(generated):
    """Compares all pairs of launches and operators; the generator's ids refer to the previous operator."""
    session, ranks = generated
    for rank, trace, _ in ranks:
        events = kineto_trace.intervals(trace)
        operators = [event for event in events if event["cat"] == "cpu_op" or event["name"].startswith("nccl:")]
        launches = {event["args"]["correlation"]: event for event in events if event["cat"] == "cuda_runtime"}
        expected = defaultdict(list)
        for event in events:
            if event["cat"] == "kernel":
                launch = launches[event["args"]["correlation"]]
                around = [
                    operator
                    for operator in operators
                    if operator["tid"] == launch["tid"]
                    and operator["ts"] <= launch["ts"]
                    and operator["end"] >= launch["end"]
                ]
                operator = min(around, key=lambda operator: operator["end"] - operator["ts"], default={"name": None})
                args = event["args"]
                shape = (
                    args["registers per thread"],
                    args["shared memory"],
                    without_spaces(args["grid"]),
                    without_spaces(args["block"]),
                )
                expected[(event["name"], operator["name"], *shape)].append(event)
        rows = of_rank(ask(session, "kernel.by_operator", "made"), rank, ranks)
        shape = ["name", "operator", "registers", "shared_memory_bytes", "grid", "block"]
        actual = {tuple(row[column] for column in shape): row for row in rows}
        assert len(actual) == len(rows)
        assert actual.keys() == expected.keys()
        assert all(key[1] for key in actual)
        for key, row in actual.items():
            weights = [event["end"] - event["ts"] for event in expected[key]]
            assert (row["n"], row["dur_sum"]) == (len(weights), sum(weights))
            for column, arg, unit in [
                ("blocks_per_sm", "blocks per SM", 1),
                ("occupancy", "est. achieved occupancy %", 100),
            ]:
                values = [float(event["args"][arg]) / unit for event in expected[key]]
                mean = sum(value * weight for value, weight in zip(values, weights, strict=True)) / sum(weights)
                assert math.isclose(row[column], mean, abs_tol=1e-12)


def test_occupancy_equals_a_scan_over_all_moments(generated):
    session, ranks = generated
    for rank, trace, truth in ranks:
        start, end = ns(truth["steps"][0]["start_us"]), ns(truth["steps"][-1]["end_us"])
        kernels = [event for event in kineto_trace.device_work(trace) if event["type"] != "memory"]
        (row,) = of_rank(ask(session, "kernel.occupancy", "made"), rank, ranks)
        assert row["ts"] == truth["base_time_ns"] + start
        assert row["dur"] == end - start
        assert row["kernels"] == len(kernels)
        assert row["gpu_utilization"] == row["busy"] / row["dur"]
        assert row["busy"] == ns(truth["total"]["kernel_union_us"])
        numbered = [{**event, "number": number} for number, event in enumerate(kernels)]
        filled = 0
        for running, length in kineto_trace.moments(numbered, lambda event: event["number"]).items():
            filled += length * min(sum(float(kernels[number]["args"]["blocks per SM"]) for number in running), 1)
        assert math.isclose(row["sm_efficiency"], filled / row["dur"], rel_tol=1e-9)
        weighted = sum((e["end"] - e["ts"]) * float(e["args"]["est. achieved occupancy %"]) / 100 for e in kernels)
        total = sum(event["end"] - event["ts"] for event in kernels)
        assert math.isclose(row["occupancy"], weighted / total)
        tensor_core = sum(event["end"] - event["ts"] for event in kernels if "xmma_gemm" in event["name"])
        assert math.isclose(row["tensor_core_ratio"], tensor_core / total)

        bins = of_rank(ask(session, "utilization.gpu_from_kernels", "made", bins=37), rank, ranks)
        assert len(bins) == 37
        assert sum(row["dur"] for row in bins) == end - start
        assert sum(row["busy"] for row in bins) == ns(truth["total"]["kernel_union_us"])
        for row in bins:
            inside = [
                {"ts": max(event["ts"], row["ts"]), "end": min(event["end"], row["ts"] + row["dur"])}
                for event in kernels
                if event["ts"] < row["ts"] + row["dur"] and event["end"] > row["ts"]
            ]
            assert row["busy"] == with_type(kineto_trace.moments(inside, lambda _: "busy"), "busy")
            assert row["gpu_utilization"] == row["busy"] / row["dur"]


@pytest.mark.parametrize("run", [run for run in SHARED if not run.startswith(("triton", "torch_plain", "cpu_only"))])
def test_results_equal_the_exact_numbers_to_the_nanosecond(real, exact_numbers, run):
    expected = exact_numbers[run]
    rows = ask(real, "kernel.temporal_breakdown", run)
    if not expected["kernels"]:
        assert rows == []
        return
    (row,) = rows
    (overlap,) = ask(real, "kernel.comm_overlap", run)
    actual = {
        "kernels": row["kernels"],
        "kernel_sum_us": row["kernel_sum"],
        "kernel_union_us": row["kernel"],
        "compute_union_us": row["computation"],
        "comm_union_us": row["communication"],
        "comm_comp_overlap_us": overlap["overlap"],
        "copy_union_us": row["memory"],
        "gpu_busy_us": row["dur"] - row["idle"],
        "gpu_span_us": row["dur"],
        "gpu_idle_in_span_us": row["idle"],
    }
    equal = {key: value for key, value in actual.items() if run not in SYMMETRIC or not key.startswith("com")}
    assert equal == {key: expected[key] if key == "kernels" else ns(expected[key]) for key in equal}
    assert overlap["communication"] == row["communication"]
    types = ask(real, "kernel.by_type", run)
    assert sum(row["dur"] for row in types) == actual["gpu_busy_us"]
    assert sum(row["dur"] for row in types if "communication" in row["types"]) == actual["comm_union_us"]
    summary = ask(real, "kernel.summary", run)
    assert sum(row["n"] for row in summary if row["type"] != "memory") == expected["kernels"]
    assert sum(row["dur_sum"] for row in summary if row["type"] != "memory") == actual["kernel_sum_us"]
    assert sum(row["n"] for row in ask(real, "kernel.by_operator", run)) == expected["kernels"]


def test_well_known_numbers_are_reproduced(real):
    (row,) = ask(real, "kernel.temporal_breakdown", "b200_eager")
    assert (row["kernels"], row["kernel_sum"], row["kernel"]) == (768, 10_862_916, 10_793_638)


@pytest.mark.parametrize("run", ["torch_plain_no_steps", "cpu_only_gloo", "torch_full_options", "torch_ddp_rank0"])
def test_a_trace_without_a_device_has_no_rows(real, run):
    for query in QUERIES:
        assert ask(real, query, run) == []


HTA = [
    "alexnet_a100",
    "amd_mi250",
    "b200_eager",
    "diff_control_a100",
    "diff_test_v100",
    "h100_bert",
    "mi210_gpu_only",
    "mi300x_bert",
    "ns_v100",
    "rn50_nw0_span1",
    "simple_add_a100",
    "trace_filter_rank0",
    "trace_filter_rank1",
    "triton_example",
]
HTA_FOLDER = {"rn50_nw0_span1": "rn50_nw0", "trace_filter_rank0": "trace_filter_2ranks"}
HTA_FOLDER["trace_filter_rank1"] = "trace_filter_2ranks"
# HTA counts synchronization as device work; its tables of types and kernels exclude it
HTA_SYNC = {"alexnet_a100", "simple_add_a100"}


@pytest.fixture(scope="module")
def hta_session(shared, tmp_path_factory):
    """A lake of the rows that HTA stored for each trace, at its rounded times."""
    parquet = pytest.importorskip("pyarrow.parquet")
    folder = tmp_path_factory.mktemp("kept")
    with tl.open(folder / "lake", create=True) as session:
        for run in HTA:
            file = shared / "data" / "kineto" / SHARED[run][0]
            events = kineto_trace.read(file)["traceEvents"]
            rank = 1 if run.endswith("rank1") else 0
            oracle = shared / "oracle" / "kineto" / HTA_FOLDER.get(run, run) / "hta"
            columns = ["index", "cat", "ts", "dur", "stream"]
            frame = parquet.read_table(oracle / f"trace_df_rank{rank}.parquet", columns=columns)
            rows = [
                {key: events[row["index"]].get(key) for key in ("ph", "cat", "name", "pid", "tid", "args")}
                | {"ts": int(row["ts"]), "dur": int(row["dur"])}
                # HTA treats an operator with a stream argument (Triton) as a kernel
                | ({"cat": "kernel"} if row["cat"] == "cpu_op" and row["stream"] >= 0 else {})
                for row in frame.to_pylist()
                if events[row["index"]]["ph"] == "X"
            ]
            head = {"baseTimeNanoseconds": 1_600_000_000_000_000_000, "distributedInfo": {"rank": rank}}
            alone = folder / run
            alone.mkdir()
            with gzip.open(alone / "kept.pt.trace.json.gz", "wt") as out:
                json.dump({**head, "traceEvents": rows}, out, default=float)
            session.ingest(alone, run=run)
        yield session, lambda run, table: hta_table(shared, run, table)


def hta_table(shared, run, table):
    """Returns the rows of an HTA table for the rank of a run."""
    with (shared / "oracle" / "kineto" / HTA_FOLDER.get(run, run) / "hta" / table).open(newline="") as file:
        rows = list(csv.DictReader(file))
    rank = "1" if run.endswith("rank1") else "0"
    return [row for row in rows if row.get("rank", rank) == rank]


@pytest.mark.parametrize("run", [run for run in HTA if run not in {*HTA_SYNC, *SYMMETRIC}])
def test_temporal_breakdown_and_overlap_equal_hta(hta_session, run):
    session, table = hta_session
    (theirs,) = table(run, "temporal_breakdown.csv")
    (ours,) = ask(session, "kernel.temporal_breakdown", run)
    pairs = [("idle", "idle"), ("computation", "compute"), ("non_computation", "non_compute")]
    for mine, other in pairs:
        assert ours[mine] == int(float(theirs[f"{other}_time(us)"])) * 1000
        assert round(100 * ours[f"{mine}_ratio"], 2) == pytest.approx(float(theirs[f"{other}_time_pctg"]), abs=0.0051)
    assert ours["dur"] == int(float(theirs["kernel_time(us)"])) * 1000
    (theirs,) = table(run, "comm_comp_overlap.csv")
    (ours,) = ask(session, "kernel.comm_overlap", run)
    share = theirs["comp_comm_overlap_pctg"]
    assert ours["overlap_ratio"] == (None if share == "" else pytest.approx(float(share) / 100, abs=0.000051))


@pytest.mark.parametrize(
    "runs",
    [[run] for run in HTA if "rank" not in run and run not in SYMMETRIC]
    + [["trace_filter_rank0", "trace_filter_rank1"]],
)
def test_kernel_types_equal_hta(hta_session, runs):
    """HTA's numbers are sums over the ranks."""
    session, table = hta_session
    ours = defaultdict(int)
    for run in runs:
        for row in ask(session, "kernel.by_type", run):
            ours[row["types"]] += row["dur"]
    theirs = {row["kernel_type"].lower(): row for row in table(runs[0], "kernel_type_breakdown.csv")}
    assert {name: int(row["sum"]) * 1000 for name, row in theirs.items() if row["sum"] != "0"} == dict(ours)
    for name, row in theirs.items():
        share = 100 * ours[name] / sum(ours.values())
        assert share == pytest.approx(float(row["percentage"]), abs=0.051)


@pytest.mark.parametrize("run", HTA)
def test_kernels_equal_hta(hta_session, run):
    session, table = hta_session
    theirs = {row["name"]: row for row in table(run, "kernel_breakdown_all.csv")}
    ours = {row["name"]: row for row in ask(session, "kernel.summary", run)}
    assert ours.keys() == theirs.keys()
    for name, row in ours.items():
        other = theirs[name]
        assert row["type"] == ("communication" if "multimem" in name else other["kernel_type"].lower())
        us = {"sum (us)": "dur_sum", "max (us)": "dur_max", "min (us)": "dur_min", "mean (us)": "dur_mean"}
        for column, mine in us.items():
            assert row[mine] / 1000 == pytest.approx(float(other[column]), rel=1e-12)
        assert (row["dur_std"] or 0) / 1000 == pytest.approx(float(other["stddev"]), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("run", ["diff_control_a100", "rn50_nw0_span1"])
def test_hta_with_the_last_step_equals_our_numbers_of_the_whole_trace(real, shared, run):
    """The times are whole microseconds here, so that there is no rounding."""
    folder = shared / "oracle" / "kineto" / HTA_FOLDER.get(run, run) / "hta_include_last_step"
    with (folder / "temporal_breakdown.csv").open(newline="") as file:
        (theirs,) = csv.DictReader(file)
    (ours,) = ask(real, "kernel.temporal_breakdown", run)
    columns = ["idle_time(us)", "compute_time(us)", "non_compute_time(us)", "kernel_time(us)"]
    assert [ours["idle"], ours["computation"], ours["non_computation"], ours["dur"]] == [
        int(float(theirs[column])) * 1000 for column in columns
    ]


def percent(summary, title):
    """Returns a line of the plugin's summary of a GPU."""
    return next((float(line["value"].rstrip(" %")) for line in summary if line["title"] == title), None)


# the plugin's window is shorter if it drops events that overlap in 64-bit floats (ns_v100), finds few launches because
# ids belong to other events (diff_test), or drops the last step (amd_mi250).
WINDOW = {"ns_v100": 0.011, "diff_test_v100": 0.061, "amd_mi250": 0.011}


@pytest.mark.parametrize("run", PLUGIN)
def test_gpu_summary_equals_the_plugin(real, plugin, run):
    (row,) = ask(real, "kernel.occupancy", run)
    summary = plugin(run)["gpu_summary"]
    titles = {
        "gpu_utilization": "GPU Utilization",
        "sm_efficiency": "Est. SM Efficiency",
        "occupancy": "Est. Achieved Occupancy",
    }
    for column, title in titles.items():
        expected = percent(summary, title)
        if expected is None:
            assert row[column] is None
        else:
            assert 100 * row[column] == pytest.approx(expected, abs=WINDOW.get(run, 0.00501))


@pytest.mark.parametrize(
    "run", ["trace_filter_rank0", "trace_filter_rank1", "diff_control_a100", "rn50_nw0_span1", "ns_v100"]
)
def test_tensor_cores_equal_the_plugin(real, plugin, run):
    """Only for machines that are not newer than the plugin's list of names."""
    using, _ = (row[1] for row in plugin(run)["tc_pie"]["total"]["rows"])
    (row,) = ask(real, "kernel.occupancy", run)
    assert row["tensor_core_ratio"] == pytest.approx(using, abs=1e-9)


@pytest.mark.parametrize("run", PLUGIN)
def test_kernel_table_equals_the_plugin(real, plugin, run):
    """The plugin's durations are differences of 64-bit floats; minimum and maximum are whole microseconds."""
    theirs = {row[0]: row for row in plugin(run)["kernel_table"]["data"]["rows"]}
    ours = {row["name"]: row for row in ask(real, "kernel.summary", run) if row["type"] != "memory"}
    assert ours.keys() == theirs.keys()
    weighted = defaultdict(lambda: [0.0, 0.0])
    for row in ask(real, "kernel.by_operator", run):
        weighted[row["name"]][0] += (row["blocks_per_sm"] or 0) * row["dur_sum"]
        weighted[row["name"]][1] += (row["occupancy"] or 0) * row["dur_sum"]
    for name, row in ours.items():
        _, tensor_core, n, total, mean, longest, shortest, *filled = theirs[name]
        assert row["n"] == n
        # the plugin's durations are differences of times in steps of 0.25 us
        for mine, other in [("dur_sum", total), ("dur_mean", mean), ("dur_max", longest), ("dur_min", shortest)]:
            assert row[mine] / 1000 == pytest.approx(other, abs=0.51 + (0.25 * n if run == "ns_v100" else 0))
        assert row["tensor_core"] or tensor_core == "No"
        if filled and row["dur_sum"]:
            blocks, occupancy = (value / row["dur_sum"] for value in weighted[name])
            assert blocks == pytest.approx(filled[0], abs=0.0051)
            assert 100 * occupancy == pytest.approx(filled[1], abs=0.0051)


def shape(row):
    return tuple(row[column] for column in ("name", "operator", "grid", "block", "registers", "shared_memory_bytes"))


@pytest.mark.parametrize(
    "run", ["rn50_nw0_span1", "rn50_nw0_span2", "amd_mi250", "mi300x_bert", "ns_v100", "b200_eager"]
)
def test_kernels_by_operator_equal_the_plugin(real, plugin, run):
    """Only with correct ids; the plugin does not know driver launches (b200_eager), and drops one of ns_v100."""
    ours = {shape(row): row for row in ask(real, "kernel.by_operator", run)}
    rows = plugin(run)["kernel_op_table"]["data"]["rows"]
    missing = {"ns_v100": 1, "b200_eager": 221}.get(run, 0)
    assert sum(row["n"] for row in ours.values()) - sum(row[8] for row in rows) == missing
    for name, operator, grid, block, registers, shared_memory, _, _, n, total, *_ in rows:
        shapes = (None if value == "None" else value.replace(" ", "") for value in (grid, block))
        key = (name, operator, *shapes, int(registers), int(shared_memory))
        row = ours.get(key) or ours[(name, operator, *key[2:4], None, None)]
        if run == "ns_v100" and row["n"] != n:
            assert row["n"] == n + 1
            continue
        assert row["n"] == n
        # the plugin's durations are differences of times in steps of 0.25 us
        assert row["dur_sum"] / 1000 == pytest.approx(total, abs=0.51 + (0.25 * n if run == "ns_v100" else 0))
