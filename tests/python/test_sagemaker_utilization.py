"""Bottlenecks, balance, ranges and workers of SageMaker's metrics, compared with the raw files and smdebug's rules."""

import json
import math
from collections import defaultdict
from statistics import fmean

import pytest

import tracelake as tl
from sagemaker_raw import NS, events, gpu_samples, rows, samples

TOLERANCE = NS // 50


def snapshots(path):
    """Returns the snapshots of each node, grouped as in smdebug's rules."""
    result = defaultdict(list)
    for sample in sorted(samples(path), key=lambda sample: sample.ts):
        of_node = result[sample.node]
        if not of_node or abs(sample.ts - of_node[-1][0].ts) > TOLERANCE:
            of_node.append([])
        of_node[-1].append(sample)
    return result


def test_a_snapshot_has_the_samples_within_20_ms(sagemaker):
    path, session = sagemaker
    expected = {
        node: [(snapshot[0].ts, len(snapshot)) for snapshot in all_of] for node, all_of in snapshots(path).items()
    }
    answer = session.sql(
        "select node, snapshot, count(*) as n from system_snapshot group by node, snapshot order by node, snapshot"
    )
    ours = defaultdict(list)
    for row in rows(answer):
        ours[row["node"]].append((row["snapshot"], row["n"]))
    assert ours == expected
    # samples of different kinds have different times
    assert any(
        len({sample.ts for sample in snapshot}) > 2 for all_of in snapshots(path).values() for snapshot in all_of
    )


@pytest.mark.parametrize(
    ("query", "dimension", "limits"),
    [
        ("cpu", "CPUUtilization", {"gpu": 0.6, "cpu": 0.6}),
        ("cpu", "CPUUtilization", {}),
        ("io", "I/OWaitPercentage", {}),
        ("io", "I/OWaitPercentage", {"gpu": 1.0, "io": 0.05}),
    ],
)
def test_a_bottleneck_is_an_idle_gpu_while_a_core_is_at_its_limit(sagemaker, query, dimension, limits):
    path, session = sagemaker
    low, high = (
        limits.get("gpu", 0.1),
        limits.get(query, {"cpu": 0.9, "io": 0.5}[query]),
    )
    expected = []
    for node, all_of in sorted(snapshots(path).items()):
        for snapshot in all_of:
            gpus = [s.value / 100 for s in snapshot if s.dimension == "GPUUtilization"]
            cores = [s.value / 100 for s in snapshot if s.dimension == dimension]
            idle, busy = [v for v in gpus if v <= low], [v for v in cores if v > high]
            if idle and busy:
                expected.append([node, snapshot[0].ts, len(idle), len(busy), min(gpus), max(cores)])
    answer = rows(session.query(f"utilization.{query}_bottleneck", **limits))
    columns = [
        "node",
        "gpus",
        "cores",
        "gpu_utilization",
        {"cpu": "cpu_utilization", "io": "io_wait"}[query],
    ]
    assert [[row["node"], row["ts"], *(row[c] for c in columns[1:])] for row in answer] == expected
    assert expected


def test_the_load_of_a_gpu_adds_up(sagemaker):
    path, session = sagemaker
    values = defaultdict(list)
    for node, all_of in snapshots(path).items():
        for samples_of_gpu in all_of:
            core = max((s.value for s in samples_of_gpu if s.dimension == "CPUUtilization"), default=0)
            wait = max(
                (s.value for s in samples_of_gpu if s.dimension == "I/OWaitPercentage"),
                default=0,
            )
            for sample in samples_of_gpu:
                if sample.dimension == "GPUUtilization":
                    values[node, sample.name].append((sample.value, core, wait))

    def share(gpu_values, holds):
        return sum(1 for value in gpu_values if holds(*value)) / len(gpu_values)

    expected = {
        key: [
            len(samples_of_gpu),
            fmean(value for value, _, _ in samples_of_gpu) / 100,
            share(samples_of_gpu, lambda v, _c, _w: v == 0),
            share(samples_of_gpu, lambda v, _c, _w: v < 60),
            share(samples_of_gpu, lambda v, _c, _w: v <= 10),
            share(samples_of_gpu, lambda v, _c, _w: 10 < v <= 80),
            share(samples_of_gpu, lambda v, _c, _w: v > 80),
            share(samples_of_gpu, lambda v, c, _w: v <= 10 and c > 50),
            share(samples_of_gpu, lambda v, _c, w: v <= 10 and w > 20),
        ]
        for key, samples_of_gpu in values.items()
    }
    answer = session.utilization.gpu_load(high=0.8, below=0.6, cpu=0.5, io=0.2)
    ours = {(row["node"], row["device"]): list(row.values())[3:] for row in rows(answer)}
    assert ours.keys() == expected.keys()
    for key, numbers in expected.items():
        assert ours[key] == pytest.approx(numbers)


@pytest.mark.parametrize("bins", [50, 7])
def test_the_distance_of_gpus_is_the_jensen_shannon_distance(sagemaker, bins):
    path, session = sagemaker
    values = defaultdict(list)
    for sample in gpu_samples(path):
        values[sample.node, sample.name].append(sample.value)

    def histogram(values):
        counts = [0] * bins
        for value in values:
            counts[min(int(value * bins / 100), bins - 1)] += 1
        return [count / len(values) for count in counts]

    def entropy(shares):
        return -sum(share * math.log(share) for share in shares if share > 0)

    gpus = sorted(values)
    expected = {}
    for place, a in enumerate(gpus):
        for b in gpus[place + 1 :]:
            p, q = histogram(values[a]), histogram(values[b])
            middle = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
            expected[a, b] = math.sqrt(max(entropy(middle) - (entropy(p) + entropy(q)) / 2, 0))
    answer = rows(session.utilization.gpu_balance(threshold=0.26, bins=bins))
    ours = {((r["node"], r["device"]), (r["other_node"], r["other_device"])): r for r in answer}
    assert ours.keys() == expected.keys()
    for (a, b), distance in expected.items():
        row = ours[a, b]
        assert row["distance"] == pytest.approx(distance, abs=1e-9)
        assert row["unbalanced"] == (distance > 0.26)
        assert [row["n"], row["other_n"]] == [len(values[a]), len(values[b])]
        assert [row["gpu_utilization"], row["other_utilization"]] == pytest.approx(
            [fmean(values[a]) / 100, fmean(values[b]) / 100]
        )


@pytest.mark.parametrize(
    ("lowers", "uppers"),
    [
        ([90.0, 10.0, 0.0], [100.0, 90.0, 10.0]),
        ([0.0, 50.0, 40.0], [50.0, 50.0, 100.0]),
        ([20.0, 60.0], [40.0, 70.0]),
    ],
)
def test_the_first_range_that_holds_a_value_wins(sagemaker, lowers, uppers):
    path, session = sagemaker
    known = {
        "CPUUtilization": "utilization",
        "I/OWaitPercentage": "iowait",
        "GPUUtilization": "utilization",
    }
    expected = defaultdict(int)
    for sample in samples(path):
        if sample.dimension in known:
            ranges = enumerate(zip(lowers, uppers, strict=True))
            place = next((i for i, (low, high) in ranges if low <= sample.value <= high), None)
            expected[sample.node, sample.resource, known[sample.dimension], place] += 1
    answer = rows(session.utilization.ranges(lowers=lowers, uppers=uppers))
    named = [row for row in answer if row["resource"] in ("cpu", "gpu") and row["metric"] in known.values()]
    ours = {(row["node"], row["resource"], row["metric"], row["bucket"]): row["n"] for row in named}
    assert {key: n for key, n in ours.items() if n} == expected
    assert len(ours) % (len(lowers) + 1) == 0
    totals = defaultdict(int)
    for row in answer:
        totals[row["node"], row["resource"], row["metric"]] += row["n"]
    for row in answer:
        assert row["ratio"] == pytest.approx(row["n"] / totals[row["node"], row["resource"], row["metric"]])


def test_workers_are_counted_second_by_second(sagemaker):
    path, session = sagemaker
    alive, delivering, cores = defaultdict(set), defaultdict(set), defaultdict(set)
    for sample in samples(path):
        if sample.resource == "cpu":
            cores[sample.node].add(sample.name)
    for event in events(path):
        node = event.process.split("-", 1)[1]
        if event.name == "DataLoaderWorker":
            for second in range(event.ts // NS, -(-event.end // NS)):
                alive[node, second].add((event.process, event.args["pid"]))
        elif event.name == "DataLoaderIter::GetNext":
            delivering[node, event.ts // NS].add((event.process, event.args["worker_id"]))
    expected = {
        (node, second * NS): [
            len(alive[node, second]),
            len(delivering[node, second]),
            len(cores[node]),
            len(alive[node, second]) / len(cores[node]),
        ]
        for node, second in {*alive, *delivering}
    }
    ours = {
        (row["node"], row["ts"]): [
            row["alive"],
            row["delivering"],
            row["cores"],
            row["relative"],
        ]
        for row in rows(session.loader.active_workers())
    }
    assert ours == expected


@pytest.mark.parametrize(
    "file",
    ["CPUBottleneck__0", "CPUBottleneck__1", "IOBottleneck__0", "IOBottleneck__1"],
)
def test_smdebugs_rules_found_the_same_bottlenecks(shared, file):
    """The rules of smdebug evaluated the first two minutes, to the end of the timelines; no value equals a limit."""
    expected = json.loads((shared / "oracle" / "sagemaker" / "pt_small" / "rules" / f"{file}.json").read_text())
    kind = file[:3].strip("B").lower()
    defaults = {"cpu": 90, "io": 50}  # percent, as in the rules
    limits = {
        "gpu": float(expected["params"].get("gpu_threshold", 10)) / 100,
        kind: float(expected["params"].get(f"{kind}_threshold", defaults[kind])) / 100,
    }
    theirs = expected["report"]["Details"]["bottlenecks"]
    with tl.open(shared / "data" / "sagemaker" / "pt_small", ephemeral=True) as session:
        answer = rows(session.query(f"utilization.{kind}_bottleneck", **limits))
        counted = session.sql(
            "select count(distinct snapshot) as n from system_snapshot where snapshot < 1600000320000000000"
        )
        assert rows(counted)[0]["n"] == expected["report"]["Datapoints"]
    ours = [(row["gpus"], row["cores"]) for row in answer if row["ts"] < 1_600_000_320 * NS]
    assert ours == [(value["GPUs"], value["CPUs"]) for value in theirs.values()]
    assert ours
