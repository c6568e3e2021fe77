"""Memory of PyTorch traces: compared with a scan over the events, the TensorBoard plugin, and the truth."""

from collections import defaultdict

import pytest

import kineto_trace
import tracelake as tl
from kineto_trace import ask, plugin_profile

pytestmark = pytest.mark.slow

QUERIES = ["memory.by_operator", "memory.curve", "memory.peak"]

# run, file, folder of the plugin's results, key in them
SHARED = {
    "h100_bert": ("tracelens/h100/gaunernst_bert-small-uncased__1016001.json.gz", "h100_bert", "('worker0', '1')"),
    "mi300x_bert": ("tracelens/mi300/gaunernst_bert-small-uncased__1016001.json.gz", "mi300x_bert", "('worker0', '1')"),
    "rn50_span1": ("tb/resnet50_num_workers_0/worker0.1623143089861.pt.trace.json.gz", "rn50_nw0", "('worker0', '1')"),
    "rn50_span2": ("tb/resnet50_num_workers_0/worker0.1623143566756.pt.trace.json.gz", "rn50_nw0", "('worker0', '2')"),
    "full_options": (
        "torch/full_options_stack_modules_flops.pt.trace.json.gz",
        "torch_full_options",
        "('worker0', '1')",
    ),
    "slow_span1": (
        "torch/tb_handler/nw0_slow/worker0.1795225480952904378.pt.trace.json.gz",
        "torch_nw0_slow",
        "('worker0', '1')",
    ),
    "slow_span2": (
        "torch/tb_handler/nw0_slow/worker0.1795225481681135845.pt.trace.json.gz",
        "torch_nw0_slow",
        "('worker0', '2')",
    ),
    "slow_span3": (
        "torch/tb_handler/nw0_slow/worker0.1795225555165659418.pt.trace.json.gz",
        "torch_nw0_slow",
        "('worker0', '3')",
    ),
    "slow_span4": (
        "torch/tb_handler/nw0_slow/worker0.1795225555880372617.pt.trace.json.gz",
        "torch_nw0_slow",
        "('worker0', '4')",
    ),
    "no_memory": ("hta/cpu_only/rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", None, None),
}
PLUGIN = [run for run, (_, folder, _) in SHARED.items() if folder]


@pytest.fixture(scope="module")
def plugin(shared):
    """Returns the results of the TensorBoard plugin for a shared trace."""
    return lambda run: plugin_profile(shared, *SHARED[run][1:])


@pytest.fixture(scope="module")
def generated(shared, tmp_path_factory):
    """A session over one rank, its allocator events by time, its operators, and its truth."""
    folder = tmp_path_factory.mktemp("generated")
    arguments = ["--steps", "3", "--kernels-per-step", "150", "--nccl", "4"]
    ((path, truth),) = kineto_trace.generate(shared, folder / "trace", *arguments)
    trace = kineto_trace.read(path)
    base = trace["baseTimeNanoseconds"]
    events = [
        {"ts": int(event["ts"] * 1000) + base, "tid": event["tid"], **event["args"]}
        for event in trace["traceEvents"]
        if event["name"] == "[memory]"
    ]
    events.sort(key=lambda event: event["ts"])
    operators = [
        event
        for event in kineto_trace.intervals(trace)
        if event["cat"] == "cpu_op" or event["name"].startswith("nccl:")
    ]
    with tl.open(folder / "lake", create=True) as session:
        session.ingest(folder / "trace", run="made")
        yield session, events, operators, truth


def test_operators_have_the_allocations_inside_them(generated):
    """Compares all pairs of operators and allocator events."""
    session, events, operators, _ = generated
    columns = ["increase_bytes", "self_increase_bytes", "allocs", "self_allocs", "alloc_bytes", "self_alloc_bytes"]
    expected = defaultdict(lambda: dict.fromkeys(columns, 0))
    for event in events:
        around = [
            operator
            for operator in operators
            if operator["tid"] == event["tid"] and operator["ts"] <= event["ts"] < operator["end"]
        ]
        inner = min(around, key=lambda operator: operator["end"] - operator["ts"], default=None)
        for name in {operator["name"] for operator in around}:
            row = expected[name]
            for prefix in ["", "self_"] if name == inner["name"] else [""]:
                row[f"{prefix}increase_bytes"] += event["Bytes"]
                if event["Bytes"] > 0:
                    row[f"{prefix}allocs"] += 1
                    row[f"{prefix}alloc_bytes"] += event["Bytes"]
    rows = ask(session, "memory.by_operator", "made")
    assert {row["device"] for row in rows} == {"gpu0"}
    assert {row["operator"]: {column: row[column] for column in columns} for row in rows} == expected
    for row in rows:
        assert row["n"] == sum(operator["name"] == row["operator"] for operator in operators)
    increases = [row["self_increase_bytes"] for row in rows]
    assert increases == sorted(increases, reverse=True)


def test_the_peak_equals_the_generator(generated):
    session, events, _, truth = generated
    (row,) = ask(session, "memory.peak", "made")
    assert row["peak_bytes"] == truth["peak_allocated_bytes"] == max(event["Total Allocated"] for event in events)
    assert row["reserved_bytes"] == max(event["Total Reserved"] for event in events)
    assert row["ts"] == next(event["ts"] for event in events if event["Total Allocated"] == row["peak_bytes"])
    assert row["n"] == len(events)
    # nothing is in use before the first event, so that the increase is the total
    assert row["increase_bytes"] == row["peak_bytes"]
    assert row["device_bytes"] == 85_899_345_920
    assert row["peak_ratio"] == row["peak_bytes"] / row["device_bytes"]


@pytest.mark.parametrize("bins", [1, 9, 100_000])
def test_each_bin_of_the_curve_has_its_events(generated, bins):
    session, events, _, truth = generated
    rows = ask(session, "memory.curve", "made", bins=bins)
    assert len(rows) <= bins
    assert sum(row["n"] for row in rows) == len(events)
    assert max(row["max_bytes"] for row in rows) == truth["peak_allocated_bytes"]
    place, last = 0, events[-1]["ts"]
    for row in rows:
        inside = events[place : place + row["n"]]
        place += row["n"]
        end = row["ts"] + row["dur"]
        assert row["ts"] <= inside[0]["ts"]
        # the remainder of the division belongs to the last bin
        assert inside[-1]["ts"] < end or inside[-1]["ts"] == last
        allocated = [event["Total Allocated"] for event in inside]
        assert (row["min_bytes"], row["max_bytes"]) == (min(allocated), max(allocated))
        assert row["reserved_bytes"] == max(event["Total Reserved"] for event in inside)
        assert row["increase_bytes"] == allocated[-1]


@pytest.mark.parametrize("run", [run for run in PLUGIN if run != "mi300x_bert"])
def test_the_memory_view_equals_the_plugin(real, plugin, run):
    """The plugin has KB of 1024 bytes with two decimals; it does not support HIP devices (mi300x_bert)."""
    ours = {(row["device"], row["operator"]): row for row in ask(real, "memory.by_operator", run)}
    tables = plugin(run)["memory_stats"]["rows"]
    theirs = {(device.lower(), row[0]): row[1:] for device, rows in tables.items() for row in rows}
    assert ours.keys() == theirs.keys()
    for key, (n, increase, self_increase, allocs, self_allocs, size, self_size) in theirs.items():
        row = ours[key]
        # the plugin counts nested calls of the same name once
        assert row["n"] == (n + 6 if key[1] == "aten::div" and run.startswith("rn50") else n)
        assert (row["allocs"], row["self_allocs"]) == (allocs, self_allocs)
        for column, kilobytes in [
            ("increase_bytes", increase),
            ("self_increase_bytes", self_increase),
            ("alloc_bytes", size),
            ("self_alloc_bytes", self_size),
        ]:
            assert row[column] / 1024 == pytest.approx(kilobytes, abs=0.0051)


@pytest.mark.parametrize("run", PLUGIN)
def test_peaks_and_counts_equal_the_plugin(real, plugin, run):
    """The keys are c10's number of the device type (0 CPU, 1 CUDA, none for HIP) and the device."""
    reported_peaks = plugin(run)
    names = {"0:-1": "cpu", "1:0": "gpu0", "None:0": "gpu0"}
    rows = ask(real, "memory.peak", run)
    peaks = {row["device"]: row["peak_bytes"] for row in rows if row["peak_bytes"] is not None}
    assert peaks == {names[device]: peak for device, peak in reported_peaks["memory_peak_bytes"].items()}
    assert sum(row["n"] for row in rows) == reported_peaks["memory_record_count"]
    curve = ask(real, "memory.curve", run)
    assert sum(row["n"] for row in curve) == reported_peaks["memory_record_count"]
    for row in rows:
        of_device = [point for point in curve if point["device"] == row["device"]]
        highest = [point["max_bytes"] for point in of_device if point["max_bytes"] is not None]
        assert max(highest, default=None) == row["peak_bytes"]


def test_old_recordings_have_only_the_increase(real):
    """Before 1.10, torch wrote only the size of each event."""
    rows = ask(real, "memory.peak", "rn50_span1")
    assert {row["device"]: row["increase_bytes"] for row in rows} == {"cpu": 57_803_264, "gpu0": 2_791_636_480}
    for row in rows:
        assert (row["ts"], row["peak_bytes"], row["reserved_bytes"], row["peak_ratio"]) == (None, None, None, None)


def test_a_trace_without_memory_has_no_rows(real):
    for query in QUERIES:
        assert ask(real, query, "no_memory") == []
