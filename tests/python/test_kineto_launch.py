"""Launches on PyTorch traces, queues and idle streams: against a count over the raw events, and against HTA.

`tests/oracle/kineto_launch.md` says which table of HTA is compared with which query, and where ours differ.
"""

import math
import statistics
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest

import kineto_trace
from kineto_trace import ask
from test_kineto_kernel import HTA, HTA_FOLDER, SHARED, generated, kept, of_rank

__all__ = ["SHARED", "generated", "kept"]  # fixtures, and the traces of the fixture `real`

QUERIES = [
    "kernel.idle_breakdown",
    "kernel.queue_length",
    "kernel.queue_length_over_time",
    "kernel.queue_length_summary",
    "kernel.queue_full_time",
    "kernel.launches",
    "kernel.launch_stats",
]
CPU_ONLY = [run for run in SHARED if run.startswith("torch_")] + ["cpu_only_gloo"]
# Work of which the recording has overlaps on a stream, so that HTA's gaps are less than 0.
OVERLAPPING = {"b200_eager", "diff_test_v100", "mi210_gpu_only"}
CAUSES = ("host_wait", "kernel_wait", "other")


def launched(trace):
    """Work of the devices, each with its `call`, the runtime or driver call of its correlation, or none."""
    calls = {}
    for event in kineto_trace.intervals(trace):
        if event["cat"].endswith(("runtime", "driver")) and "correlation" in event["args"]:
            calls.setdefault(event["args"]["correlation"], event)
    work = kineto_trace.device_work(trace)
    return [{**event, "call": calls.get(event["args"].get("correlation"))} for event in work]


def by_stream(work):
    """The work of each device and stream."""
    streams = defaultdict(list)
    for event in work:
        # `stream 7` in traces of 2021
        streams[f"gpu{event['pid']}", int(str(event["tid"]).removeprefix("stream "))].append(event)
    return streams


def gaps(work, threshold, previous):
    """Cause and length of each wait of a stream; it begins at `previous` of the work that began before."""
    found = defaultdict(list)
    ordered = sorted(work, key=lambda event: event["ts"])
    for place, event in enumerate(ordered[1:], 1):
        free = previous([other["end"] for other in ordered[:place]])
        if event["call"] is None:
            cause = "unknown"
        elif event["call"]["ts"] > free:
            cause = "host_wait"
        else:
            cause = "kernel_wait" if event["ts"] - free < threshold else "other"
        found[cause].append(event["ts"] - free)
    return found


def path_of(session, run):
    """The one file of a run."""
    (source,) = session.sql(f"SELECT DISTINCT url FROM object WHERE run = '{run}'").to_arrow().to_pylist()
    return Path(source["url"].removeprefix("file://"))


@pytest.mark.parametrize("threshold", [1_300, 30_000])
def test_each_wait_of_a_stream_has_its_cause(generated, threshold):
    session, ranks = generated
    for rank, trace, _ in ranks:
        rows = of_rank(ask(session, "kernel.idle_breakdown", "made", threshold=threshold), rank, ranks)
        found = {(row["device"], row["stream"], row["cause"]): row for row in rows}
        expected = {}
        for stream, work in by_stream(launched(trace)).items():
            causes = gaps(work, threshold, max)
            for cause, lengths in causes.items():
                if lengths := [length for length in lengths if length > 0]:
                    expected[(*stream, cause)] = lengths
        assert found.keys() == expected.keys()
        for key, lengths in expected.items():
            row = found[key]
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


def test_a_queue_holds_what_is_launched_and_not_begun(generated):
    """Counted anew for each change."""
    session, ranks = generated
    for rank, trace, _ in ranks:
        streams = by_stream(launched(trace))
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
                at: sum(start <= at < end for start, end in waits) for at in {at for wait in waits for at in wait}
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
            # what waits, times how long: the area under the curve
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
                marks = sorted({at for wait in waits for at in wait})
                full = [sum(start <= at < end for start, end in waits) >= limit for at in marks]
                spent = sum(after - at for (at, after), is_full in zip(pairwise(marks), full, strict=False) if is_full)
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
            lengths = [inside[0]["length"] - inside[0]["change"], *(change["length"] for change in inside)]
            assert row["n"] == len(inside)
            assert (row["length_min"], row["length_max"]) == (min(lengths), max(lengths))
            assert row["length_last"] == lengths[-1]


def test_each_launch_is_timed(generated):
    session, ranks = generated
    limits = {"host_limit": 6_000, "delay_limit": 20_000}
    for rank, trace, _ in ranks:
        work = launched(trace)
        rows = of_rank(ask(session, "kernel.launches", "made", **limits), rank, ranks)
        found = {row["correlation"]: row for row in rows}
        assert len(found) == len(rows) == len(work)
        expected = defaultdict(list)
        for event in work:
            call, row = event["call"], found[event["args"]["correlation"]]
            host, device = call["end"] - call["ts"], event["end"] - event["ts"]
            delay = max(event["ts"] - call["end"], 0)
            marks = (device < host <= 6_000, host > 6_000, delay > 20_000)
            assert (row["launch_ts"], row["launch_dur"], row["ts"], row["dur"]) == (call["ts"], host, event["ts"], device)
            assert (row["delay"], row["n"], row["name"], row["launch_name"]) == (delay, 1, event["name"], call["name"])
            assert (row["short"], row["slow_call"], row["late"]) == marks
            expected[row["category"]].append((host, delay, device, *marks))
        rows = of_rank(ask(session, "kernel.launch_stats", "made", **limits), rank, ranks)
        assert [row["category"] for row in rows] == sorted(expected)
        for row in rows:
            host, delay, device, *marks = zip(*expected[row["category"]], strict=True)
            assert [row["short"], row["slow_calls"], row["late"]] == [sum(mark) for mark in marks]
            assert (row["n"], row["host_max"], row["delay_max"]) == (len(host), max(host), max(delay))
            for name, values in {"host": host, "delay": delay, "device": device}.items():
                assert math.isclose(row[f"{name}_mean"], statistics.fmean(values))
                assert row[f"{name}_p50"] == statistics.median(values)
            for name, values in {"host": host, "delay": delay}.items():
                cut = statistics.quantiles(values, n=20, method="inclusive")
                assert math.isclose(row[f"{name}_p95"], cut[18])


@pytest.mark.parametrize("run", CPU_ONLY)
def test_a_trace_without_a_device_is_answered_with_the_reason(real, run):
    for query in QUERIES:
        frame = real.query(query, run)
        assert frame.to_arrow().num_rows == 0
        assert "ProfilerActivity.CUDA" in str(frame)


@pytest.mark.parametrize("run", [run for run in SHARED if run not in CPU_ONLY])
def test_every_trace_with_a_device_is_answered(real, shared, run):
    """And the time in which a stream ran or waited is that from its first to its last work."""
    trace = kineto_trace.read(shared / "data" / "kineto" / SHARED[run][0])
    streams = by_stream(launched(trace))
    idle = defaultdict(int)
    for row in ask(real, "kernel.idle_breakdown", run):
        idle[row["device"], row["stream"]] += row["dur_sum"]
    for stream, work in streams.items():
        assert idle.get(stream, 0) == kineto_trace.moments(work, lambda _: "busy").get(frozenset(), 0)
    known = [event for event in launched(trace) if event["call"]]
    calls = {(event["args"]["correlation"], event["pid"], event["tid"]) for event in known}
    assert len(ask(real, "kernel.queue_length", run)) == 2 * len(calls)
    assert sum(row["n"] for row in ask(real, "kernel.launches", run)) == len(known)


def hta_idle(work):
    """HTA's gaps of a stream by cause: from the end of the row before, less than 0 where work overlaps."""
    causes = gaps(work, 30_000, lambda ends: ends[-1])
    # without a launch the length alone decides
    for length in causes.pop("unknown", []):
        causes["kernel_wait" if length < 30_000 else "other"].append(length)
    return causes


@pytest.mark.parametrize("run", HTA)
def test_idle_breakdown_of_hta(kept, run):
    """Equal where no work of a stream overlaps; where some does, theirs follow from their rule, and ours from ours."""
    session, table = kept
    ours = defaultdict(lambda: dict.fromkeys(CAUSES, 0))
    rows = defaultdict(dict)
    for row in ask(session, "kernel.idle_breakdown", run):
        cause = row["cause"]
        if cause == "unknown":
            cause = "kernel_wait" if row["dur_max"] < 30_000 else "other"
        ours[row["stream"]][cause] += row["dur_sum"]
        rows[row["stream"]][row["cause"]] = row
    theirs = defaultdict(lambda: dict.fromkeys(CAUSES, 0))
    for row in table(run, "idle_time_breakdown.csv"):
        theirs[int(row["stream"])][row["idle_category"]] = 1000 * int(float(row["idle_time"]))
    statistics_of = {
        (int(row["stream"]), row["idle_category"]): row for row in table(run, "idle_interval_stats.csv")
    }
    streams = by_stream(launched(kineto_trace.read(path_of(session, run))))
    compared = 0
    for (_, stream), work in streams.items():
        if stream not in theirs:
            # an operator that names a stream
            assert (run, len(work)) in {("b200_eager", 1), ("triton_example", 1)}
            continue
        expected = hta_idle(work)
        assert theirs[stream] == {cause: sum(expected[cause]) for cause in CAUSES}
        ordered = sorted(work, key=lambda event: event["ts"])
        if any(after["ts"] < event["end"] or event["end"] < event["ts"] for event, after in pairwise(ordered)):
            assert run in OVERLAPPING
            continue
        assert ours[stream] == theirs[stream]
        for cause, row in rows[stream].items():
            if cause == "unknown":
                continue
            other = statistics_of[stream, cause]
            assert row["dur_max"] == 1000 * float(other["max"])
            # an interval without a length counts there
            if float(other["min"]) > 0:
                columns = {"n": 1, "dur_mean": 1000, "dur_min": 1000, "dur_p25": 1000, "dur_p50": 1000, "dur_p75": 1000}
                for (mine, unit), name in zip(columns.items(), ["count", "mean", "min", "25%", "50%", "75%"], strict=True):
                    assert row[mine] / unit == pytest.approx(float(other[name]), abs=0.0051)
                assert row["dur_std"] is None or row["dur_std"] / 1000 == pytest.approx(float(other["std"]), abs=0.0051)
                compared += 1
    assert compared or run in {"triton_example", "mi210_gpu_only", "b200_eager", "mi300x_bert"}
