"""Launches, queues, idle streams and copies of PyTorch traces: compared with a scan over the raw events.

`test_hta_launch.py` compares the same queries with HTA.
"""

import math
import statistics
from collections import defaultdict
from itertools import pairwise

import pytest

import kineto_trace
import tracelake as tl
from kineto_trace import ask
from test_kineto_kernel import SHARED, generated, of_rank

pytestmark = pytest.mark.slow

__all__ = ["SHARED", "generated"]  # a fixture, and the traces of the fixture `real`

QUERIES = [
    "kernel.idle_breakdown",
    "kernel.queue_length",
    "kernel.queue_length_over_time",
    "kernel.queue_length_summary",
    "kernel.queue_full_time",
    "kernel.launches",
    "kernel.launch_stats",
    "kernel.launch_delay_by_operator",
    "memory.bandwidth",
    "memory.bandwidth_over_time",
    "memory.bandwidth_summary",
]
CPU_ONLY = [run for run in SHARED if run.startswith("torch_")] + ["cpu_only_gloo"]


def device_work(trace):
    """Returns the device work, each with its `call`, the runtime or driver call of its correlation, or none."""
    calls = {}
    for event in kineto_trace.intervals(trace):
        if event["cat"].endswith(("runtime", "driver")) and "correlation" in event["args"]:
            calls.setdefault(event["args"]["correlation"], event)
    work = kineto_trace.device_work(trace)
    return [{**event, "call": calls.get(event["args"].get("correlation"))} for event in work]


def by_stream(work):
    """Returns the work of each device and stream."""
    streams = defaultdict(list)
    for event in work:
        # `stream 7` in traces of 2021
        streams[f"gpu{event['pid']}", int(str(event["tid"]).removeprefix("stream "))].append(event)
    return streams


def idle_gaps(work, threshold, previous):
    """Returns cause and length of each idle interval of a stream, from the `previous` end of earlier work."""
    gaps_by_stream = defaultdict(list)
    ordered = sorted(work, key=lambda event: event["ts"])
    for place, event in enumerate(ordered[1:], 1):
        free = previous([other["end"] for other in ordered[:place]])
        if event["call"] is None:
            cause = "unknown"
        elif event["call"]["ts"] > free:
            cause = "host_wait"
        else:
            cause = "kernel_wait" if event["ts"] - free < threshold else "other"
        gaps_by_stream[cause].append(event["ts"] - free)
    return gaps_by_stream


@pytest.mark.parametrize("threshold", [1_300, 30_000])
def test_each_idle_interval_of_a_stream_has_its_cause(generated, threshold):
    session, ranks = generated
    for rank, trace, _ in ranks:
        rows = of_rank(ask(session, "kernel.idle_breakdown", "made", threshold=threshold), rank, ranks)
        actual = {(row["device"], row["stream"], row["idle_cause"]): row for row in rows}
        expected = {}
        for stream, work in by_stream(device_work(trace)).items():
            causes = idle_gaps(work, threshold, max)
            for cause, lengths in causes.items():
                if lengths := [length for length in lengths if length > 0]:
                    expected[(*stream, cause)] = lengths
        assert actual.keys() == expected.keys()
        for key, lengths in expected.items():
            row = actual[key]
            total = sum(sum(other) for name, other in expected.items() if name[:2] == key[:2])
            assert (row["n"], row["dur_sum"]) == (len(lengths), sum(lengths))
            assert (row["dur_min"], row["dur_max"]) == (min(lengths), max(lengths))
            assert math.isclose(row["ratio"], sum(lengths) / total)
            assert math.isclose(row["dur_mean"], statistics.fmean(lengths))
            assert row["dur_p50"] == statistics.median(lengths)
            if len(lengths) > 1:
                assert math.isclose(row["dur_std"], statistics.stdev(lengths))
                quartiles = statistics.quantiles(lengths, n=4, method="inclusive")
                assert [row["dur_p25"], row["dur_p75"]] == pytest.approx([quartiles[0], quartiles[2]])
            else:
                assert row["dur_std"] is None


def test_a_queue_contains_launched_work_that_has_not_started(generated):
    """Counts the queue again at each change."""
    session, ranks = generated
    for rank, trace, _ in ranks:
        streams = by_stream(device_work(trace))
        rows = of_rank(ask(session, "kernel.queue_length", "made"), rank, ranks)
        series = defaultdict(list)
        for row in rows:
            series[row["device"], row["stream"]].append(row)
        assert series.keys() == streams.keys()
        ends = [max(event["ts"] for event in work) for work in streams.values()]
        starts = [min(event["call"]["ts"] for event in work) for work in streams.values()]
        for stream, work in streams.items():
            waits = [(event["call"]["ts"], max(event["ts"], event["call"]["ts"])) for event in work]
            last = {row["ts"]: row["length"] for row in series[stream]}
            assert last == {
                ts: sum(start <= ts < end for start, end in waits) for ts in {ts for wait in waits for ts in wait}
            }
            assert len(series[stream]) == 2 * len(waits)
            assert [row["dur"] for row in series[stream]] == [
                after["ts"] - row["ts"] for row, after in pairwise(series[stream])
            ] + [None]

            (row,) = (
                row
                for row in of_rank(ask(session, "kernel.queue_length_summary", "made"), rank, ranks)
                if (row["device"], row["stream"]) == stream
            )
            begin, end = min(wait[0] for wait in waits), max(wait[1] for wait in waits)
            assert (row["ts"], row["dur"], row["launches"]) == (begin, end - begin, len(waits))
            # the number of waiting items times their waiting time: the area under the curve
            assert math.isclose(row["length_mean"], sum(end - start for start, end in waits) / row["dur"])
            waiting = [{"ts": start, "end": end} for start, end in waits]
            some = kineto_trace.moments(waiting, lambda _: "some").get(frozenset(["some"]), 0)
            assert math.isclose(row["empty_ratio"], 1 - some / row["dur"], abs_tol=1e-12)
            points = [row["length"] for row in series[stream]]
            assert (row["n"], row["length_max"]) == (len(points), max(points))
            assert math.isclose(row["point_mean"], statistics.fmean(points))
            assert math.isclose(row["point_std"], statistics.stdev(points))

            for limit in (1, 3, 1024):
                (row,) = (
                    row
                    for row in of_rank(ask(session, "kernel.queue_full_time", "made", limit=limit), rank, ranks)
                    if (row["device"], row["stream"]) == stream
                )
                marks = sorted({ts for wait in waits for ts in wait})
                full = [sum(start <= ts < end for start, end in waits) >= limit for ts in marks]
                spent = sum(after - ts for (ts, after), is_full in zip(pairwise(marks), full, strict=False) if is_full)
                assert row["dur_sum"] == spent
                assert math.isclose(row["ratio"], spent / (max(ends) - min(starts)))
                assert row["n"] >= sum(after and not before for before, after in pairwise([False, *full]))


@pytest.mark.parametrize("bins", [1, 17, 200])
def test_bins_keep_every_peak_of_a_queue(generated, bins):
    session, ranks = generated
    for rank, _, _ in ranks:
        changes = of_rank(ask(session, "kernel.queue_length", "made"), rank, ranks)
        rows = of_rank(ask(session, "kernel.queue_length_over_time", "made", bins=bins), rank, ranks)
        assert len({row["ts"] for row in rows}) <= bins
        assert sum(row["n"] for row in rows) == len(changes)
        for row in rows:
            inside = [
                change
                for change in changes
                if (change["device"], change["stream"]) == (row["device"], row["stream"])
                and row["ts"] <= change["ts"]
                and (change["ts"] < row["ts"] + row["dur"] or row["ts"] == max(other["ts"] for other in rows))
            ]
            lengths = [inside[0]["length"] - inside[0]["delta"], *(change["length"] for change in inside)]
            assert row["n"] == len(inside)
            assert (row["length_min"], row["length_max"]) == (min(lengths), max(lengths))
            assert row["length_last"] == lengths[-1]


def test_each_launch_is_timed(generated):
    session, ranks = generated
    limits = {"host_limit": 6_000, "delay_limit": 20_000}
    for rank, trace, _ in ranks:
        work = device_work(trace)
        rows = of_rank(ask(session, "kernel.launches", "made", **limits), rank, ranks)
        actual = {row["correlation"]: row for row in rows}
        assert len(actual) == len(rows) == len(work)
        expected = defaultdict(list)
        for event in work:
            call, row = event["call"], actual[event["args"]["correlation"]]
            host, device = call["end"] - call["ts"], event["end"] - event["ts"]
            delay = max(event["ts"] - call["end"], 0)
            marks = (device < host <= 6_000, host > 6_000, delay > 20_000)
            assert (row["launch_ts"], row["launch_dur"]) == (call["ts"], host)
            assert (row["ts"], row["dur"]) == (event["ts"], device)
            assert (row["delay"], row["n"], row["name"], row["launch_name"]) == (delay, 1, event["name"], call["name"])
            assert (row["is_short"], row["slow_call"], row["is_late"]) == marks
            expected[row["category"]].append((host, delay, device, *marks))
        rows = of_rank(ask(session, "kernel.launch_stats", "made", **limits), rank, ranks)
        assert [row["category"] for row in rows] == sorted(expected)
        for row in rows:
            host, delay, device, *marks = zip(*expected[row["category"]], strict=True)
            assert [row["short_launches"], row["slow_calls"], row["late_launches"]] == [sum(mark) for mark in marks]
            assert (row["n"], row["host_max"], row["delay_max"]) == (len(host), max(host), max(delay))
            for name, values in {"host": host, "delay": delay, "device": device}.items():
                assert math.isclose(row[f"{name}_mean"], statistics.fmean(values))
                assert row[f"{name}_p50"] == statistics.median(values)
            for name, values in {"host": host, "delay": delay}.items():
                cut = statistics.quantiles(values, n=20, method="inclusive")
                assert math.isclose(row[f"{name}_p95"], cut[18])


@pytest.mark.parametrize("run", CPU_ONLY)
def test_a_trace_without_a_device_has_a_reason_for_no_rows(real, run):
    for query in QUERIES:
        frame = real.query(query, run)
        assert frame.to_arrow().num_rows == 0
        assert "activity of the device" in str(frame)


@pytest.mark.parametrize("run", [run for run in SHARED if run not in CPU_ONLY])
def test_every_trace_with_a_device_has_rows(real, shared, run):
    """The time of running and waiting of a stream is the time from its first to its last work."""
    trace = kineto_trace.read(shared / "data" / "kineto" / SHARED[run][0])
    streams = by_stream(device_work(trace))
    idle = defaultdict(int)
    for row in ask(real, "kernel.idle_breakdown", run):
        idle[row["device"], row["stream"]] += row["dur_sum"]
    for stream, work in streams.items():
        assert idle.get(stream, 0) == kineto_trace.moments(work, lambda _: "busy").get(frozenset(), 0)
    known = [event for event in device_work(trace) if event["call"]]
    calls = {(event["args"]["correlation"], event["pid"], event["tid"]) for event in known}
    assert len(ask(real, "kernel.queue_length", run)) == 2 * len(calls)
    assert sum(row["n"] for row in ask(real, "kernel.launches", run)) == len(known)


def innermost(trace):
    """Returns the operator or collective around each launch by brute force, and its enclosing operators."""
    events = kineto_trace.intervals(trace)
    operators = [event for event in events if event["cat"] == "cpu_op" or event["name"].startswith("nccl:")]

    def around(call):
        enclosing = [
            operator
            for operator in operators
            if operator["tid"] == call["tid"] and operator["ts"] <= call["ts"] and operator["end"] >= call["end"]
        ]
        return sorted(enclosing, key=lambda operator: operator["end"] - operator["ts"])

    return around


def test_delays_and_kernel_sequences_of_operators_equal_the_raw_trace(generated):
    session, ranks = generated
    for rank, trace, _ in ranks:
        around = innermost(trace)
        own, outer = defaultdict(list), defaultdict(list)
        for event in device_work(trace):
            enclosing = around(event["call"])
            if enclosing and event["cat"] == "kernel":
                own[id(enclosing[0])].append((enclosing[0], event))
            outermost = [operator for operator in enclosing if "::" in operator["name"]][-1:]
            if outermost:
                outer[id(outermost[0])].append((outermost[0], event))
        expected = defaultdict(list)
        for calls in own.values():
            calls.sort(key=lambda pair: pair[1]["call"]["ts"])
            operator, first = calls[0]
            key = operator["name"], " -> ".join(event["name"] for _, event in calls)
            expected[key].append((first["call"]["ts"] - operator["ts"], first["ts"] - first["call"]["ts"]))
        rows = of_rank(ask(session, "kernel.launch_delay_by_operator", "made"), rank, ranks)
        assert {(row["operator"], row["kernel_names"]) for row in rows} == expected.keys()
        for row in rows:
            host, device = zip(*expected[row["operator"], row["kernel_names"]], strict=True)
            assert (row["n"], row["operator_delay_max"], row["launch_delay_max"]) == (len(host), max(host), max(device))
            assert math.isclose(row["operator_delay_mean"], statistics.fmean(host))
            assert math.isclose(row["launch_delay_mean"], statistics.fmean(device))

        sequences = defaultdict(list)
        for calls in outer.values():
            calls.sort(key=lambda pair: pair[1]["ts"])
            key = calls[0][0]["name"], " -> ".join(event["name"] for _, event in calls)
            sequences[key].append((len(calls), sum(event["end"] - event["ts"] for _, event in calls), calls[0][0]))
        for least in (1, 2, 3):
            params = {"operator": "::", "min_kernels": least, "top": 1000}
            rows = of_rank(ask(session, "kernel.frequent_sequences", "made", **params), rank, ranks)
            actual = {(row["name"], row["sequence"]): row for row in rows}
            assert actual.keys() == {key for key, calls in sequences.items() if calls[0][0] >= least}
            for key, row in actual.items():
                calls = sequences[key]
                assert (row["n"], row["kernels"]) == (len(calls), calls[0][0])
                assert row["kernel_sum"] == sum(length for _, length, _ in calls)
                assert row["host_sum"] == sum(operator["end"] - operator["ts"] for _, _, operator in calls)
        (first, *_) = of_rank(
            ask(session, "kernel.frequent_sequences", "made", operator="::", min_kernels=1, top=1), rank, ranks
        )
        assert first["n"] == max(len(calls) for calls in sequences.values())


# Traces for which HTA's search for sequences raises (its call stacks do not support events with equal times).
RAISES = {
    "ns_v100": 3,
    "b200_eager": 1,
    "h100_bert": 1,
    "mi300x_bert": 1,
    "rn50_nw0_span1": 3,
    "torch_ddp_rank0": 1,
    "torch_nw0_slow_span1": 1,
}


@pytest.mark.parametrize("run", RAISES)
def test_sequences_exist_where_hta_raises(real, shared, run):
    """Compares with the work of all launches inside operators; without a device, there is a reason."""
    frame = real.query("kernel.frequent_sequences", run, operator="", min_kernels=1, top=1_000_000)
    rows = list(frame)
    if run.startswith("torch"):
        assert rows == []
        assert "launched so many kernels" in str(frame)
        return
    default = ask(real, "kernel.frequent_sequences", run)
    # ATen operators with three kernels are in two of them
    assert bool(default) == (run in ("ns_v100", "rn50_nw0_span1"))
    assert len(default) <= 10
    assert all(row["kernels"] == row["sequence"].count(" -> ") + 1 >= 3 for row in default)
    trace = kineto_trace.read(shared / "data" / "kineto" / SHARED[run][0])
    inside = sum(row["n"] * row["kernels"] for row in rows)
    assert 0 < inside <= sum(event["call"] is not None for event in device_work(trace))


def direction(event):
    return "Memset" if event["cat"].endswith("memset") else event["name"][:11]


def test_bandwidth_of_copies_equals_the_raw_trace(generated):
    session, ranks = generated
    for rank, trace, _ in ranks:
        lanes = defaultdict(list)
        for event in kineto_trace.device_work(trace):
            if event["type"] == "memory":
                args, length = event["args"], event["end"] - event["ts"]
                recorded = args.get("memory bandwidth (GB/s)")
                rate = round(float(recorded) * 1e9) if recorded is not None else round(args["bytes"] * 1e9 / length)
                lanes[direction(event)].append((event["ts"], event["ts"] + (length or 1000), rate, args.get("bytes")))
        assert lanes
        rows = of_rank(ask(session, "memory.bandwidth", "made"), rank, ranks)
        assert {row["name"] for row in rows} == lanes.keys()
        for name, copies in lanes.items():
            series = [row for row in rows if row["name"] == name]
            assert len(series) == 2 * len(copies)
            last = {row["ts"]: row["bytes_per_s"] for row in series}
            marks = sorted({ts for copy in copies for ts in copy[:2]})
            now = {ts: sum(rate for start, end, rate, _ in copies if start <= ts < end) for ts in marks}
            assert last == now
            (row,) = (
                row
                for row in of_rank(ask(session, "memory.bandwidth_summary", "made"), rank, ranks)
                if row["name"] == name
            )
            points = [row["bytes_per_s"] for row in series if row["bytes_per_s"] > 0]
            assert (row["copies"], row["n"], row["max_bytes_per_s"]) == (len(copies), len(points), max(points))
            assert row["copied_bytes"] == sum(size for *_, size in copies)
            assert math.isclose(row["point_mean_bytes_per_s"], statistics.fmean(points))
            assert row["p50_bytes_per_s"] == statistics.median(points)
            busy = sum(after - ts for ts, after in pairwise(marks) if now[ts])
            bytes_moved = sum((after - ts) * now[ts] for ts, after in pairwise(marks))
            assert row["busy"] == busy
            assert math.isclose(row["mean_bytes_per_s"], bytes_moved / busy, rel_tol=1e-9)
        bins = of_rank(ask(session, "memory.bandwidth_over_time", "made", bins=13), rank, ranks)
        assert len({row["ts"] for row in bins}) <= 13
        for name, copies in lanes.items():
            mine = [row for row in bins if row["name"] == name]
            assert sum(row["n"] for row in mine) == len(copies)
            assert sum(row["copied_bytes"] or 0 for row in mine) == sum(size for *_, size in copies)
            assert max(row["max_bytes_per_s"] for row in mine) == max(
                row["bytes_per_s"] for row in rows if row["name"] == name
            )


def test_recordings_of_a_process_stay_apart(shared, tmp_path):
    """The same trace as two recordings at one time: each has the results of one, both together twice of it."""
    arguments = ["--steps", "2", "--kernels-per-step", "60", "--nccl", "2"]
    ((file, _),) = kineto_trace.generate(shared, tmp_path / "one", *arguments)
    (tmp_path / "two").mkdir()
    text = file.read_text()
    (tmp_path / "two" / "rank0.1795225480000000000.pt.trace.json").write_text(text)
    # With the same events, it would be a copy.
    mark = '"traceEvents": [{"ph": "i", "name": "mark", "pid": 1, "tid": 1, "ts": 1, "s": "t"},'
    changed = text.replace('"traceEvents": [', mark, 1)
    assert changed != text
    (tmp_path / "two" / "rank0.1795225490000000000.pt.trace.json").write_text(changed)
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("one", "two"):
            session.ingest(tmp_path / run, run=run)
        for query in QUERIES:
            one = [{**row, "run": "two"} for row in ask(session, query, "one")]
            two = ask(session, query, "two")
            assert one
            if "span" in one[0]:
                for span in (0, 1):
                    assert [row for row in two if row["span"] == span] == [{**row, "span": span} for row in one]
            else:
                assert [row["n"] for row in two] == [2 * row["n"] for row in one]


def test_every_shared_trace_has_results(every_trace):
    """All traces at once, including unknown accelerators, CPU-only traces, and traces without steps or ranks."""
    session, runs = every_trace
    queries = [*QUERIES, "kernel.frequent_sequences", "kernel.counters"]
    answered = {query: {row["run"] for row in list(session.query(query))} for query in queries}
    assert all(run_names <= set(runs) for run_names in answered.values())
    (cupti,) = answered["kernel.counters"]
    assert "cupti_profiler" in cupti
    without = {run for run in runs if not session.query("kernel.temporal_breakdown", run).to_arrow().num_rows}
    assert not any("mtia" in run for run in without)
    assert any("rank_non_gpu" in run for run in without)
    for query in QUERIES:
        assert answered[query]
        assert not answered[query] & without
