"""Findings about machines, memory, incidents, starts, settings, checkpoints and problems, from written data."""

import json
import math
import random
from collections import Counter
from itertools import pairwise
from statistics import fmean

import pytest

import tracelake as tl
from sagemaker_raw import NS, percentile

pytestmark = pytest.mark.slow

START = 1_600_000_200 * NS  # a full minute
HEAD = {"recorder": "tracelake", "version": 1, "name": "main", "host": "n0", "pid": 100, "rank": 0, "versions": {}}
MINUTE = 60


def sample(second, resource, device, metric, value, unit="percent"):
    what = {"resource": resource, "device": device, "metric": metric, "value": value, "unit": unit}
    return {"kind": "sample", "ts": START + int(second * NS), **what}


def step(number, second, seconds):
    return {"kind": "step", "ts": START + int(second * NS), "dur": int(seconds * NS), "step": number, "mode": "train"}


def record(folder, rows, *, end=True):
    """Writes a recording of one process in the format of `tracelake.record`."""
    folder.mkdir()
    tail = [{"kind": "end", "ts": START}] if end else []
    lines = [{**HEAD, "time_ns": START, "monotonic_ns": 0, "attributes": {}}, *rows, *tail]
    (folder / "main-0-100.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return folder


def machine(series):
    """Returns samples of `(resource, device, metric)`, one per second."""
    return [sample(t, *key, value) for key, values in series.items() for t, value in enumerate(values)]


def series_of(name):
    """Returns the measurements of the machines: 1200 reproducible values of each."""
    rnd = random.Random(name)
    many = range(1200)
    if name == "idle":
        low = [rnd.random() < 0.8 for _ in many]
        return {
            ("gpu", "gpu0", "utilization"): [rnd.uniform(0, 9) if idle else rnd.uniform(20, 60) for idle in low],
            ("gpu", "gpu0", "memory_utilization"): [40.0] * 1200,
            ("cpu", "cpu0", "utilization"): [rnd.choice([50.0, 95.0, 96.0, 97.0, 98.0]) for _ in many],
            ("cpu", "cpu0", "iowait"): [rnd.choice([30.0, 60.0, 70.0, 75.0, 80.0]) for _ in many],
            ("memory", None, "used"): [50 + rnd.uniform(-5, 5) for _ in many],
        }
    if name == "busy":
        return {
            ("gpu", "gpu0", "utilization"): [rnd.uniform(85, 100) for _ in many],
            ("gpu", "gpu1", "utilization"): [rnd.uniform(85, 100) for _ in many],
            ("gpu", "gpu0", "memory_utilization"): [60.0 if t < 1100 else 95.0 for t in many],
            ("gpu", "gpu1", "memory_utilization"): [60.0] * 1200,
            ("cpu", "cpu0", "utilization"): [rnd.uniform(20, 60) for _ in many],
            ("cpu", "cpu0", "iowait"): [rnd.uniform(0, 4) for _ in many],
            ("memory", None, "used"): [20 + t / 40 for t in many],
        }
    return {
        ("gpu", "gpu0", "utilization"): [rnd.choice([0.0, 95.0]) for _ in many],
        ("gpu", "gpu1", "utilization"): [rnd.uniform(25, 35) for _ in many],
        ("gpu", "gpu0", "memory_utilization"): [30.0] * 1200,
        ("gpu", "gpu1", "memory_utilization"): [30.0] * 1200,
        ("cpu", "cpu0", "utilization"): [rnd.uniform(10, 30) for _ in many],
    }


LEAK = [1e9 + 1e7 * t for t in range(60)]
BUSY_GPU = [sample(t, "gpu", "gpu0", "utilization", 60) for t in range(60)]


def loops(epochs, inits, init, **setting):
    """Returns passes of ten batches of one second; the first `inits` of them create an iterator."""
    rows = [{"kind": "loader", "loader": "train", "num_workers": 2, **setting}]
    t = 0.0
    for epoch in range(epochs):
        common = {"loader": "train", "epoch": epoch}
        if epoch < inits:
            rows.append({"kind": "init", "ts": START + int(t * NS), "dur": int(init * NS), **common})
        t += init
        for batch in range(10):
            took = {"dur": NS // 4, "compute_dur": 3 * NS // 4}
            rows.append({"kind": "next", "ts": START + int(t * NS), "batch": batch, **took, **common})
            t += 1
    return rows


def steps_with_gaps(each, gap):
    """Returns forty steps of one second, with `each(start, end)` in a gap after every ten."""
    rows, t = [], 0.0
    for number in range(40):
        rows.append(step(number, t, 1))
        t += 1
        if number % 10 == 9 and number < 39:
            rows += each(t, t + gap)
            t += gap
    return rows


def annotated(begin, end):
    return [
        {"kind": "annotation", "name": "save_checkpoint", "ts": START + int(begin * NS), "dur": int((end - begin) * NS)}
    ]


def disks(busy):
    """Returns disk samples for sixty seconds, with writes in the gaps of `steps_with_gaps`, or none."""
    gaps = [(10, 14), (24, 28), (38, 42)]
    return [
        sample(t, "io", None, "write", 2e8 if busy and any(a < t <= b for a, b in gaps) else 1e5, "bytes_per_s")
        for t in range(60)
    ]


def incident(what, message, **more):
    return {"kind": "incident", "ts": START, "what": what, "message": message, **more}


def trace(folder, overhead):
    """Returns a trace of one operator of 100 ms, with the profiler's overhead in us."""
    folder.mkdir()
    common = {"ph": "X", "pid": 1, "tid": 1}
    events = [{**common, "cat": "cpu_op", "name": "aten::mm", "ts": 0, "dur": 100_000}]
    for name, ts, dur in overhead:
        events.append({**common, "cat": "overhead", "name": name, "ts": ts, "dur": dur, "pid": -1, "tid": 0})
    whole = {"schemaVersion": 1, "baseTimeNanoseconds": START, "traceEvents": events}
    (folder / "rank0.1.pt.trace.json").write_text(json.dumps(whole))
    return folder


def runs(folder):
    """Writes the runs by name."""
    for name in ("idle", "busy", "uneven"):
        yield record(folder / name, machine(series_of(name)))
    few = {("gpu", "gpu0", "utilization"): [90.0] * 60, ("cpu", "cpu0", "utilization"): [5.0] * 60}
    rss = [sample(t, "memory", "pid100", "rss", value, "bytes") for t, value in enumerate(LEAK)]
    tensors = [sample(t, "gpu", "gpu0", "memory_used", value, "bytes") for t, value in enumerate(LEAK)]
    yield record(folder / "short", machine(few) + rss + tensors)
    yield record(folder / "steps", [step(n, n, 1) for n in range(30)])
    yield record(folder / "late", [sample(0, "memory", None, "used", 5), *(step(n, 1500 + n, 1) for n in range(30))])
    yield record(folder / "prompt", [sample(0, "memory", None, "used", 5), *(step(n, 10 + n, 1) for n in range(30))])
    warm = [sample(t, "memory", None, "used", 10 + min(t, 60)) for t in range(121)]
    yield record(folder / "warm", warm + [step(n, 60 + n, 1) for n in range(60)])
    empty = [sample(t, "gpu", "gpu0", "memory_used", 0 if t < 40 else 1e9, "bytes") for t in range(60)]
    yield record(folder / "empty", empty)
    failures = [
        incident("out_of_memory", "CUDA out of memory. Tried to allocate 2 GiB\nsecond line"),
        incident("out_of_memory", "CUDA out of memory. Tried to allocate 4 GiB"),
        incident("worker_timeout", "DataLoader timed out after 5 seconds"),
        incident("worker_exit", "DataLoader worker (pid 7) is killed by signal: Killed.", worker=3),
    ]
    yield record(folder / "failed", failures)
    yield record(folder / "killed", [], end=False)
    yield record(folder / "annotated", steps_with_gaps(annotated, 4))
    yield record(folder / "written", steps_with_gaps(lambda *_: [], 4) + disks(busy=True))
    yield record(folder / "quiet", steps_with_gaps(lambda *_: [], 4) + disks(busy=False))
    yield record(folder / "unknown", steps_with_gaps(lambda *_: [], 4))
    yield record(folder / "unpinned", loops(3, 3, 0.5, pin_memory=False) + BUSY_GPU)
    yield record(folder / "pinned", loops(3, 1, 0.5, pin_memory=True) + BUSY_GPU)
    yield record(folder / "hostonly", loops(3, 3, 0.01, pin_memory=False))
    cut = record(folder / "cut", [step(0, 0, 1)], end=False)
    file = cut / "main-0-100.jsonl"
    file.write_text(file.read_text() + '{"kind":"nothing"}\n{"kind":"step","ts":16')
    yield cut
    # 10 to 30 and 20 to 40 ms overlap: 30 of 100 ms
    yield trace(folder / "costly", [("Buffer Flush", 10_000, 20_000), ("Activity Buffer Request", 20_000, 20_000)])
    yield trace(folder / "cheap", [("Buffer Flush", 10_000, 1_000)])
    yield trace(folder / "silent", [])


@pytest.fixture(scope="module")
def findings(tmp_path_factory):
    """The findings by run and name."""
    folder = tmp_path_factory.mktemp("findings")
    with tl.open(folder / "lake", create=True) as session:
        for profile in runs(folder):
            session.ingest(profile, run=profile.name)
        return {(row["run"], row["id"]): row for row in session.sql("SELECT * FROM diagnosis").rows()}


def check(row, outcome, value=None, severity=None, *words):
    assert (row["outcome"], row["severity"]) == (outcome, severity), row
    assert row["value"] == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-12)), row
    assert all(word in row["sentence"] for word in words), row


def recent_values(values):
    """Returns the last 500 values at the end of each minute, once there are more than 1000."""
    ends = {index // MINUTE: index + 1 for index in range(len(values))}
    return [values[max(0, n - 500) : n] for n in ends.values() if n > 1000]


def gpus(series, metric="utilization"):
    return {key[1]: values for key, values in series.items() if key[0] == "gpu" and key[2] == metric}


@pytest.mark.parametrize(("run", "outcome"), [("idle", "passed"), ("busy", "found"), ("uneven", "passed")])
def test_a_busy_gpu_is_balanced_and_a_half_busy_one_is_a_finding(findings, run, outcome):
    busy = fmean(value for values in gpus(series_of(run)).values() for value in values) / 100
    check(findings[run, "balanced"], outcome, busy, "notice" if outcome == "found" else None, f"{100 * busy:.1f} %")
    assert (busy > 0.8) == (outcome == "found")
    check(findings["unpinned", "gpu_between"], "found", 0.6, "notice", "60.0 %")
    check(findings[run, "gpu_between"], "passed", busy)
    for finding in ("balanced", "gpu_between"):
        check(findings["steps", finding], "no_data", None, None, "samples of the GPU")


@pytest.mark.parametrize(("run", "outcome"), [("idle", "found"), ("busy", "passed"), ("uneven", "found")])
def test_an_underused_gpu_is_found(findings, run, outcome):
    low = min(
        (percentile(last, 0.95), gpu) for gpu, values in gpus(series_of(run)).items() for last in recent_values(values)
    )
    check(findings[run, "gpu_underused"], outcome, low[0] / 100, "warning" if outcome == "found" else None, low[1])
    check(findings["short", "gpu_underused"], "no_data", None, None, "more than 1000", "there are 60")
    check(findings["steps", "gpu_underused"], "no_data", None, None, "samples of the GPU")


@pytest.mark.parametrize(("run", "outcome"), [("idle", "passed"), ("busy", "passed"), ("uneven", "found")])
def test_fluctuating_utilization_is_found(findings, run, outcome):
    windows = [last for values in gpus(series_of(run)).values() for last in recent_values(values)]
    unsteady = [percentile(last, 0.05) for last in windows if percentile(last, 0.95) > 70]
    value = min(unsteady) / 100 if unsteady else None
    check(findings[run, "gpu_fluctuating"], outcome, value, "notice" if outcome == "found" else None)
    check(findings["short", "gpu_fluctuating"], "no_data", None, None, "there are 60")


@pytest.mark.parametrize(("run", "outcome"), [("idle", "passed"), ("busy", "passed"), ("uneven", "found")])
def test_room_for_larger_batches_is_found(findings, run, outcome):
    series = series_of(run)
    cores = recent_values(series["cpu", "cpu0", "utilization"])
    memory = gpus(series, "memory_utilization")
    room = min(
        max(percentile(part, 0.95) for part in three)
        for gpu, values in gpus(series).items()
        for three in zip(cores, recent_values(values), recent_values(memory[gpu]), strict=True)
    )
    check(findings[run, "batch_too_small"], outcome, room / 100, "warning" if outcome == "found" else None)
    check(findings["short", "batch_too_small"], "no_data", None, None, "samples of the memory of the GPU")


@pytest.mark.parametrize(("finding", "metric", "limit"), [("cpu", "utilization", 90), ("io", "iowait", 50)])
def test_bottlenecks_of_the_host_are_found(findings, finding, metric, limit):
    for run, outcome in (("idle", "found"), ("busy", "passed")):
        series = series_of(run)
        least = [min(values) for values in zip(*gpus(series).values(), strict=True)]
        both = [low < 10 and high > limit for low, high in zip(least, series["cpu", "cpu0", metric], strict=True)]
        severity = "critical" if outcome == "found" else None
        check(findings[run, f"{finding}_bottleneck"], outcome, sum(both) / 1200, severity)
    check(findings["steps", f"{finding}_bottleneck"], "no_data", None, None, "needs samples of a GPU")
    few = "there are 60" if finding == "cpu" else "needs samples of a GPU and of the I/O wait"
    check(findings["short", f"{finding}_bottleneck"], "no_data", None, None, few)


def histogram_distance(one, other):
    """Returns the Jensen-Shannon distance of two histograms of fifty bins."""
    counts = [Counter(min(int(value / 2), 49) for value in values) for values in (one, other)]
    shares = [{bin_: count / counted.total() for bin_, count in counted.items()} for counted in counts]
    mean = {bin_: sum(share.get(bin_, 0) for share in shares) / 2 for bin_ in range(50)}
    parts = [share * math.log(share / mean[bin_]) for shared in shares for bin_, share in shared.items()]
    return math.sqrt(sum(parts) / 2)


def test_unbalanced_gpus_are_found(findings):
    for run, outcome in (("uneven", "found"), ("busy", "passed")):
        value = histogram_distance(*gpus(series_of(run)).values())
        check(findings[run, "rank_imbalance"], outcome, value, "warning" if outcome == "found" else None)
    check(findings["idle", "rank_imbalance"], "no_data", None, None, "there is one")
    check(findings["steps", "rank_imbalance"], "no_data", None, None, "several GPUs")


def histogram_of_tenths(values):
    cut = [values[t * len(values) // 10 : (t + 1) * len(values) // 10] for t in range(10)]
    means = [fmean(part) for part in cut]
    return means[9] / means[1], sum(b > a for a, b in pairwise(means))


def test_growing_main_memory_is_found(findings):
    grows, rises = histogram_of_tenths(series_of("busy")["memory", None, "used"])
    check(findings["busy", "host_memory_growth"], "found", grows, "warning", "main memory of n0", f"{rises} of 9")
    stays, _ = histogram_of_tenths(series_of("idle")["memory", None, "used"])
    check(findings["idle", "host_memory_growth"], "passed", stays)
    # it grew only before the first step, and is constant in the 61 samples after it
    check(findings["warm", "host_memory_growth"], "passed", 1.0)
    assert findings["warm", "host_memory_growth"]["steps"] == 61
    check(
        findings["short", "host_memory_growth"], "found", histogram_of_tenths(LEAK)[0], "warning", "process 100 of n0"
    )
    check(findings["steps", "host_memory_growth"], "no_data", None, None, "samples of main memory")


def test_growing_and_full_gpu_memory_is_found(findings):
    # 10 values of 95 after 9 of 60: the largest difference of the means
    used = series_of("busy")["gpu", "gpu0", "memory_utilization"]
    points = max(fmean(used[n - 10 : n]) - fmean(used[n - 11 : n - 2]) for n in range(1001, 1201))
    check(findings["busy", "gpu_memory_growth"], "found", points, "warning", "gpu0")
    check(findings["idle", "gpu_memory_growth"], "passed", 0.0)
    check(findings["short", "gpu_memory_growth"], "found", histogram_of_tenths(LEAK)[0], "warning", "memory of gpu0")
    assert [findings[run, "gpu_memory_growth"]["threshold"] for run in ("busy", "short")] == [5, 1.1]
    check(findings["steps", "gpu_memory_growth"], "no_data", None, None, "memory of the GPU")
    check(findings["empty", "gpu_memory_growth"], "no_data", None, None, "is zero")
    check(findings["busy", "gpu_memory_peak"], "found", 0.95, "notice", "gpu0", "95.0 %")
    check(findings["idle", "gpu_memory_peak"], "passed", 0.4)
    check(findings["steps", "gpu_memory_peak"], "no_data", None, None, "profile_memory=True")


def test_incidents_are_found(findings):
    check(findings["failed", "out_of_memory"], "found", 2, "critical", "2 times", "Tried to allocate 2 GiB")
    assert "second line" not in findings["failed", "out_of_memory"]["sentence"]
    check(findings["failed", "worker_timeout"], "found", 1, "critical", "once", "timed out")
    check(findings["failed", "worker_exit"], "found", 1, "critical", "in worker 3", "Killed")
    for finding in ("out_of_memory", "worker_timeout", "worker_exit"):
        check(findings["steps", finding], "passed", 0)
        assert "no end" not in findings["steps", finding]["sentence"]
        check(findings["killed", finding], "passed", 0, None, "1 of 1 recordings have no end")
        check(findings["silent", finding], "no_data", None, None, "tracelake record")


def test_a_slow_start_is_found(findings):
    check(findings["late", "slow_initialization"], "found", 25, "warning", "25 min")
    assert findings["late", "slow_initialization"]["potential_saving"] == 1500 * NS
    check(findings["prompt", "slow_initialization"], "passed", 1 / 6, None, "10 s")
    check(findings["steps", "slow_initialization"], "no_data", None, None, "the start of the job")
    check(findings["busy", "slow_initialization"], "no_data", None, None, "needs steps")


def test_findings_about_checkpoints(findings):
    # three gaps of 4 s between 40 s of steps
    for run in ("annotated", "written"):
        check(findings[run, "checkpoint_stalls"], "found", 12 / 52, "warning", "3 gaps", "4 s")
        assert findings[run, "checkpoint_stalls"]["potential_saving"] == 12 * NS
    check(findings["quiet", "checkpoint_stalls"], "passed", 0, None, "nothing was saved in the 3 long gaps")
    check(findings["steps", "checkpoint_stalls"], "passed", 0, None, "no gap")
    check(findings["unknown", "checkpoint_stalls"], "no_data", None, None, "3 long gaps", "12 s")
    check(findings["busy", "checkpoint_stalls"], "no_data", None, None, "needs steps")


def test_settings_of_the_loader_are_found(findings):
    check(findings["unpinned", "pin_memory_off"], "found", 1, "notice")
    check(findings["pinned", "pin_memory_off"], "passed", 0)
    check(findings["hostonly", "pin_memory_off"], "no_data", None, None, "whether it is used")
    check(findings["steps", "pin_memory_off"], "no_data", None, None, "settings of the loader")
    # three iterators of 0.5 s and thirty steps of 1 s
    check(
        findings["unpinned", "loader_reinitialized"], "found", 1.5 / 31.5, "notice", "creating 3 iterators for 3 passes"
    )
    check(findings["pinned", "loader_reinitialized"], "passed", 0.5 / 30.5, None, "only one iterator")
    check(findings["hostonly", "loader_reinitialized"], "passed", 0.03 / 30.03)
    check(findings["steps", "loader_reinitialized"], "no_data", None, None, "time to create each iterator")


def test_problems_of_the_profile_are_found(findings):
    # The truncated line and the missing end; a line of an unknown kind is valid.
    check(findings["cut", "evidence_corrupt"], "found", 2, "notice", "1 of 1 file", "2 entries", "main-0-100.jsonl")
    check(findings["killed", "evidence_corrupt"], "found", 1, "notice", "no end")
    check(findings["steps", "evidence_corrupt"], "passed", 0)
    assert "no_data" not in {row["outcome"] for (_, id_), row in findings.items() if id_ == "evidence_corrupt"}


def test_the_overhead_of_the_profiler_is_found(findings):
    check(findings["costly", "profiler_overhead"], "found", 0.3, "warning", "30.0 %")
    check(findings["cheap", "profiler_overhead"], "passed", 0.01)
    check(findings["silent", "profiler_overhead"], "no_data", None, None, "category `overhead`")


def test_every_finding_has_its_three_outcomes(findings):
    outcomes = {}
    for (_, finding), row in findings.items():
        outcomes.setdefault(finding, set()).add(row["outcome"])
    ours = {"balanced", "gpu_between", "gpu_underused", "gpu_fluctuating", "batch_too_small", "cpu_bottleneck"}
    ours |= {"io_bottleneck", "rank_imbalance", "host_memory_growth", "gpu_memory_growth", "gpu_memory_peak"}
    ours |= {"out_of_memory", "worker_timeout", "worker_exit", "slow_initialization", "profiler_overhead"}
    ours |= {"checkpoint_stalls", "pin_memory_off", "loader_reinitialized"}
    assert {finding: outcomes[finding] for finding in ours} == {key: {"found", "passed", "no_data"} for key in ours}


def test_limits_select_series(tmp_path):
    """Other limits select other minutes, pairs and series; a view must not exclude them."""
    values = {("gpu", "gpu0", "utilization"): [40.0] * 60, ("gpu", "gpu1", "utilization"): [90.0] * 50 + [0.0] * 10}
    values |= {("gpu", "gpu0", "memory_utilization"): [30.0] * 60, ("cpu", "cpu0", "utilization"): [20.0] * 60}
    # a process that grows slowly and steadily, and one that grows much but irregularly
    slow = [1e9 + 1e6 * t for t in range(60)]
    jumps = [1e9 * (1 + t // 20) - 1e5 * t for t in range(60)]
    rss = [
        sample(t, "memory", f"pid{pid}", "rss", v, "bytes")
        for pid, vs in ((1, slow), (2, jumps))
        for t, v in enumerate(vs)
    ]
    limits = {
        "gpu_underused": "patience = 10",
        "batch_too_small": "patience = 10",
        "gpu_fluctuating": "patience = 10\nbusy = 0.8",
        "rank_imbalance": "patience = 10",
        "host_memory_growth": "rising = 0.2",
    }
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(record(tmp_path / "some", machine(values) + rss), run="some")
        usual = {row["id"]: row for row in session.sql("SELECT * FROM diagnosis").rows()}
        text = "\n".join(f"[{finding}]\n{lines}" for finding, lines in limits.items())
        query = f"SELECT * FROM diagnosis('{text}')"
        other = {row["id"]: row for row in session.sql(query).rows()}
        busier = text.replace("busy = 0.8", "busy = 0.95")
        fluctuating = f"SELECT * FROM diagnosis('{busier}') WHERE id = 'gpu_fluctuating'"
        (never,) = session.sql(fluctuating).rows()
    tried = {"gpu_underused", "batch_too_small", "gpu_fluctuating", "rank_imbalance"}
    assert {usual[finding]["outcome"] for finding in tried} == {"no_data"}
    check(other["gpu_underused"], "found", 0.4, "warning", "gpu0", "40.0 %")
    check(other["batch_too_small"], "found", 0.4, "warning", "gpu0")
    check(other["gpu_fluctuating"], "found", 0, "notice", "gpu1", "90.0 %")
    check(never, "passed", None, None, "above 95.0 %")
    apart = histogram_distance(values["gpu", "gpu0", "utilization"], values["gpu", "gpu1", "utilization"])
    check(other["rank_imbalance"], "found", apart, "warning", "gpu0 of n0 and gpu1 of n0")
    check(usual["host_memory_growth"], "passed", histogram_of_tenths(slow)[0], None, "process 1")
    grows, rises = histogram_of_tenths(jumps)
    check(other["host_memory_growth"], "found", grows, "warning", "process 2", f"{rises} of 9")


def test_the_shared_samples_have_their_findings(shared, tmp_path):
    expected = json.loads((shared / "oracle" / "loader" / "expected.json").read_text())["findings"]
    with tl.open(tmp_path / "lake", create=True) as session:
        for place in expected:
            session.ingest(shared / "data" / "loader" / place, run=place.replace("/", "-"))
        actual = {(row["run"], row["id"]): row for row in session.sql("SELECT * FROM diagnosis").rows()}
    # The samples name the finding `evidence_damaged`.
    names = {"evidence_corrupt": "evidence_damaged"}
    ours = ("evidence_corrupt", "host_memory_growth", "gpu_underused")
    checked = 0
    for place, what in expected.items():
        run = place.replace("/", "-")
        for finding in ours:
            row = actual[run, finding]
            name = names.get(finding, finding)
            assert (row["outcome"] == "found") == (name in what["said"]), row
            assert row["severity"] == what["said"].get(name), row
            if name in what["cannot_tell"]:
                assert row["outcome"] == "no_data", row
                checked += 1
    assert checked > 4
