"""The rules compared with a scan over the raw files; over smdebug's windows, the scan gives smdebug's reports."""

import json
import math
from collections import defaultdict
from statistics import fmean, median

import pytest

import tracelake as tl
from sagemaker_raw import NS, events, percentile, rows, samples, step_spans, steps

pytestmark = pytest.mark.slow

MINUTE = 60 * NS
TOLERANCE = NS // 50


def windows(path, until=None):
    """Yields the samples by minute; with `until`, minutes as in smdebug, with both ends inclusive."""
    sorted_samples = sorted(samples(path), key=lambda sample: (sample.node, sample.ts))
    first = min(sample.ts for sample in sorted_samples) // MINUTE
    last = max(sample.ts for sample in sorted_samples) // MINUTE
    borders = [(minute * MINUTE, (minute + 1) * MINUTE) for minute in range(first, last + 1)]
    if until is None:
        return [[s for s in sorted_samples if begin <= s.ts < end] for begin, end in borders]
    return [[s for s in sorted_samples if begin <= s.ts <= end] for begin, end in borders[:until]]


def snapshots(parts):
    """Returns the samples within 20 ms on a machine, grouped as in smdebug."""
    result = []
    for sample in (sample for part in parts for sample in part):
        if not result or result[-1][0].node != sample.node or abs(sample.ts - result[-1][0].ts) > TOLERANCE:
            result.append([])
        result[-1].append(sample)
    return result


def bottleneck(parts, dimension, limit, gpu_threshold):
    """Returns the number of snapshots, the number with an idle GPU, and idle GPUs and busy cores if there are both."""
    low, counts, all_snapshots = 0, {}, snapshots(parts)
    for together in all_snapshots:
        idle = sum(s.dimension == "GPUUtilization" and s.value < gpu_threshold for s in together)
        over = sum(s.dimension == dimension and s.value > limit for s in together)
        low += idle > 0
        if idle and over:
            counts[together[0].ts] = (idle, over)
    return len(all_snapshots), low, counts


def box(values):
    low, mid, high = (percentile(values, share) for share in (0.25, 0.5, 0.75))
    reach = 1.5 * (high - low)
    return {
        "p25": low,
        "p50": mid,
        "p75": high,
        "p95": percentile(values, 0.95),
        "upper": min(high + reach, max(values)),
        "lower": max(low - reach, min(values)),
    }


def fill(series, part):
    """Adds a minute of samples to the values of each GPU, its memory, and the mean of each machine's cores."""
    cores = defaultdict(list)
    for sample in part:
        if sample.resource == "gpu":
            series[sample.node, sample.name, sample.dimension].append(sample.value)
        elif sample.dimension == "CPUUtilization":
            cores[sample.node, sample.ts].append(sample.value)
    for (node, _), values in cores.items():
        series[node, "cpu", ""].append(fmean(values))


def low_gpu(parts, p95=70, p5=10, window=500, patience=1000):
    """Returns for each GPU the minutes of underuse and fluctuation, and its values after the last minute."""
    series, under, unsteady = defaultdict(list), defaultdict(int), defaultdict(int)
    for part in parts:
        fill(series, part)
        for (node, gpu, dimension), values in series.items():
            if dimension == "GPUUtilization" and len(values) > patience:
                high, low = percentile(values[-window:], 0.95), percentile(values[-window:], 0.05)
                under[node, gpu] += high < p95
                unsteady[node, gpu] += high > p95 and low < p5
    return {
        (node, gpu): (under[node, gpu], unsteady[node, gpu], values)
        for (node, gpu, dimension), values in series.items()
        if dimension == "GPUUtilization"
    }


def batch_size(parts, limits, window=500, patience=1000):
    """Returns for each GPU the minutes with room for larger batches, and the values of cores, GPU and memory."""
    series, room = defaultdict(list), defaultdict(int)
    for part in parts:
        fill(series, part)
        for node, gpu, dimension in list(series):
            if dimension == "GPUUtilization":
                keys = [(node, "cpu", ""), (node, gpu, dimension), (node, gpu, "GPUMemoryUtilization")]
                three = [series[key] for key in keys]
                enough = min(map(len, three)) > max(window, patience)
                below = enough and all(
                    percentile(v[-window:], 0.95) < limit for v, limit in zip(three, limits, strict=True)
                )
                room[node, gpu] += below
    return {
        (node, gpu): (
            n,
            series[node, "cpu", ""],
            series[node, gpu, "GPUUtilization"],
            series[node, gpu, "GPUMemoryUtilization"],
        )
        for (node, gpu), n in room.items()
    }


def memory_increase(parts, increase=5, patience=1000, window=10):
    """Returns for each GPU the increases above the limit, value by value."""
    series, grown = defaultdict(list), defaultdict(list)
    for part in parts:
        for sample in part:
            if sample.dimension == "GPUMemoryUtilization":
                values = series[sample.node, sample.name]
                values.append(sample.value)
                if len(values) > max(window + 1, patience):
                    growth = fmean(values[-window:]) - fmean(values[-window - 1 : -2])
                    if growth > increase:
                        grown[sample.node, sample.name].append(growth)
    return {gpu: (grown[gpu], values) for gpu, values in series.items()}


def outliers(durations, stddev):
    mean = fmean(durations)
    deviation = math.sqrt(fmean((d - mean) ** 2 for d in durations))
    return mean, deviation, [d for d in durations if d > mean + stddev * deviation]


@pytest.fixture(scope="module")
def original(shared):
    """The reports of smdebug's rules on `pt_small`, and its path."""
    folder = shared / "oracle" / "sagemaker" / "pt_small" / "rules"

    def report(name):
        rule_report = json.loads((folder / f"{name}.json").read_text())
        return rule_report["params"], rule_report["report"]

    return shared / "data" / "sagemaker" / "pt_small", report


BOTTLENECKS = [
    ("cpu", "CPUUtilization", {"threshold": 50.0, "gpu_threshold": 10.0, "cpu_threshold": 90.0, "patience": 1000}),
    ("cpu", "CPUUtilization", {"threshold": 5.0, "gpu_threshold": 20.0, "cpu_threshold": 80.0, "patience": 50}),
    ("cpu", "CPUUtilization", {"threshold": 1.0, "gpu_threshold": 60.0, "cpu_threshold": 60.0, "patience": 5}),
    ("io", "I/OWaitPercentage", {"threshold": 50.0, "gpu_threshold": 10.0, "io_threshold": 50.0, "patience": 1000}),
    ("io", "I/OWaitPercentage", {"threshold": 5.0, "gpu_threshold": 20.0, "io_threshold": 20.0, "patience": 50}),
    ("io", "I/OWaitPercentage", {"threshold": 5.0, "gpu_threshold": 101.0, "io_threshold": 5.0, "patience": 5}),
]


@pytest.mark.parametrize(("query", "dimension", "limits"), BOTTLENECKS)
def test_bottlenecks_of_the_whole_run_equal_a_scan(sagemaker, query, dimension, limits):
    path, session = sagemaker
    n, low, actual = bottleneck(windows(path), dimension, limits[f"{query}_threshold"], limits["gpu_threshold"])
    [row] = rows(session.query(f"rules.{query}_bottleneck", **limits))
    percent = 100 * len(actual) / n
    assert [row["violations"], row["datapoints"], row["low_gpu"]] == [len(actual), n, low]
    assert [row["first_ts"], row["last_ts"]] == [min(actual, default=None), max(actual, default=None)]
    assert row["violation_ratio"] == pytest.approx(percent / 100)
    assert row["triggered"] == (n > limits["patience"] and percent > limits["threshold"])
    assert json.loads(row["parameters"]) == limits


@pytest.mark.parametrize(
    ("rule", "dimension", "limit"),
    [("CPUBottleneck", "CPUUtilization", "cpu_threshold"), ("IOBottleneck", "I/OWaitPercentage", "io_threshold")],
)
@pytest.mark.parametrize("report_number", [0, 1])
def test_a_scan_of_smdebugs_windows_gives_its_bottlenecks(original, rule, dimension, limit, report_number):
    path, report = original
    parameters, details = report(f"{rule}__{report_number}")
    published = {"cpu_threshold": 90, "io_threshold": 50, "gpu_threshold": 10}
    limits = {**published, **parameters}
    n, low, actual = bottleneck(windows(path, until=2), dimension, limits[limit], limits["gpu_threshold"])
    assert [details["Datapoints"], details["Violations"], details["Details"]["low_gpu_utilization"]] == [
        n,
        len(actual),
        low,
    ]
    theirs = {float(ts): (both["GPUs"], both["CPUs"]) for ts, both in details["Details"]["bottlenecks"].items()}
    assert list(theirs.values()) == list(actual.values())
    # smdebug uses the time of the first line of the file
    assert list(theirs) == pytest.approx([ts / NS for ts in actual], rel=0, abs=0.02)
    with tl.open(path, ephemeral=True) as session:
        [row] = rows(session.query(f"rules.{limit.split('_')[0]}_bottleneck", **parameters))
        # the last minute has one third of the samples
        assert row["datapoints"] == 359 > n
        assert row["violations"] >= len(actual)


@pytest.mark.parametrize(
    "limits",
    [{}, {"patience": 50, "window": 100}, {"patience": 3, "window": 7, "threshold_p95": 50.0, "threshold_p5": 30.0}],
)
def test_the_use_of_each_gpu_equals_a_scan_by_minute(sagemaker, limits):
    path, session = sagemaker
    ours = {(row["node"], row["device"]): row for row in rows(session.query("rules.low_gpu_utilization", **limits))}
    names = {"threshold_p95": "p95", "threshold_p5": "p5"}
    expected = low_gpu(windows(path), **{names.get(name, name): value for name, value in limits.items()})
    assert ours.keys() == expected.keys()
    for gpu, (under, unsteady, values) in expected.items():
        row = ours[gpu]
        assert [row["underused"], row["fluctuating"], row["violations"]] == [under, unsteady, under + unsteady]
        assert row["triggered"] == (under + unsteady > 0)
        assert row["datapoints"] == len(values)
        recent = values[-limits.get("window", 500) :]
        assert [row["recent_p5"], row["recent_p95"]] == pytest.approx(
            [percentile(recent, 0.05), percentile(recent, 0.95)]
        )
        assert {name: row[name] for name in box(values)} == pytest.approx(box(values))
        assert row["max"] == max(values)


def test_a_scan_of_smdebugs_windows_gives_its_use_of_gpus(original):
    path, report = original
    assert report("LowGPUUtilization__0")[1]["Violations"] == 0
    parameters, report_details = report("LowGPUUtilization__1")
    [(under, unsteady, values)] = low_gpu(windows(path, until=2), **parameters).values()
    details = report_details["Details"]["algo-1"]["gpu0"]
    assert report_details["Violations"] == under + unsteady
    assert {name: details[name] for name in box(values)} == pytest.approx(box(values))
    assert details["gpu_95"] == pytest.approx(percentile(values[-parameters["window"] :], 0.95))
    # the third minute is a violation, too
    with tl.open(path, ephemeral=True) as session:
        [row] = rows(session.query("rules.low_gpu_utilization", **parameters))
        assert row["violations"] == report_details["Violations"] + 1


@pytest.mark.parametrize(
    ("limits", "window", "patience"),
    [((70.0, 70.0, 70.0), 500, 1000), ((100.0, 101.0, 100.0), 100, 50), ((90.0, 90.0, 50.0), 7, 20)],
)
def test_room_for_larger_batches_equals_a_scan_by_minute(sagemaker, limits, window, patience):
    path, session = sagemaker
    cpu, gpu, memory = limits
    answer = session.rules.batch_size(
        cpu_threshold_p95=cpu, gpu_threshold_p95=gpu, gpu_memory_threshold_p95=memory, window=window, patience=patience
    )
    ours = {(row["node"], row["device"]): row for row in rows(answer)}
    expected = batch_size(windows(path), limits, window, patience)
    assert ours.keys() == expected.keys()
    for key, (room, *three) in expected.items():
        row = ours[key]
        assert [row["triggered"], row["violations"], row["datapoints"]] == [room > 0, room, len(three[1])]
        for name, values in zip(("cpu", "gpu", "memory"), three, strict=True):
            assert {part: row[f"{name}_{part}"] for part in box(values)} == pytest.approx(box(values)), name


def test_a_scan_of_smdebugs_windows_gives_its_room_except_for_memory_whiskers(original):
    path, report = original
    parameters, report_details = report("BatchSize__1")
    limits = [parameters["cpu_threshold_p95"], parameters["gpu_threshold_p95"], parameters["gpu_memory_threshold_p95"]]
    [(room, cpu, gpu, memory)] = batch_size(
        windows(path, until=2), limits, parameters["window"], parameters["patience"]
    ).values()
    details = report_details["Details"]["algo-1"]
    assert report_details["Violations"] == room
    assert details["cpu"] == pytest.approx(box(cpu))
    assert details["gpu0"] == pytest.approx(box(gpu))
    for part in ("p25", "p50", "p75", "p95"):
        assert details["gpu0_memory"][part] == pytest.approx(box(memory)[part])


@pytest.mark.parametrize(
    "limits", [{}, {"increase": 1.0, "patience": 10, "window": 5}, {"increase": 0.3, "patience": 3, "window": 2}]
)
def test_memory_growth_equals_a_scan_by_value(sagemaker, limits):
    path, session = sagemaker
    ours = {(row["node"], row["device"]): row for row in rows(session.query("rules.gpu_memory_increase", **limits))}
    expected = memory_increase(windows(path), **limits)
    assert ours.keys() == expected.keys()
    for gpu, (grown, values) in expected.items():
        row = ours[gpu]
        assert [row["triggered"], row["violations"], row["datapoints"]] == [bool(grown), len(grown), len(values)]
        assert row["increase"] == (pytest.approx(grown[-1]) if grown else None)
        assert {name: row[name] for name in box(values)} == pytest.approx(box(values))
        assert [row["p5"], row["max"]] == pytest.approx([percentile(values, 0.05), max(values)])


def test_a_scan_of_smdebugs_windows_gives_its_growth(original):
    path, report = original
    assert report("GPUMemoryIncrease__0")[1]["Violations"] == 0
    parameters, details = report("GPUMemoryIncrease__1")
    [(grown, _)] = memory_increase(windows(path, until=2), **parameters).values()
    assert details["Violations"] == len(grown)
    assert details["Details"]["algo-1"]["gpu0"]["increase"] == pytest.approx(grown[-1])


def test_pairs_of_gpus_equal_the_balance_query(sagemaker):
    _, session = sagemaker
    pairs = rows(session.utilization.gpu_balance(bins=50))
    judged = rows(session.rules.load_balancing(threshold=0.1, patience=10))
    key = ("node", "device", "other_node", "other_device")
    assert [[row[k] for k in key] for row in judged] == [[row[k] for k in key] for row in pairs]
    for pair, row in zip(pairs, judged, strict=True):
        assert row["distance"] == pytest.approx(pair["distance"])
        assert row["triggered"] == (pair["distance"] > 0.1 and min(pair["n"], pair["other_n"]) > 10)
        assert row["violations"] == int(row["triggered"])


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"stddev": 1.0, "n_outliers": 0, "patience": 5},
        {"stddev": 0.5, "n_outliers": 1, "patience": 0, "mode": "eval"},
    ],
)
def test_step_outliers_of_each_process_and_mode_equal_a_scan(sagemaker, limits):
    path, session = sagemaker
    expected = []
    for process_steps in steps(path).values():
        for mode in {mode for mode, *_ in process_steps}:
            if limits.get("mode", mode) == mode:
                durations = [end - begin for m, _, begin, end in process_steps if m == mode]
                mean, deviation, far = outliers(durations, limits.get("stddev", 3))
                triggered = len(far) > limits.get("n_outliers", 10) and len(durations) > limits.get("patience", 100)
                numbers = [
                    min(durations),
                    median(durations),
                    percentile(durations, 0.95),
                    percentile(durations, 0.99),
                    max(durations),
                ]
                expected.append(
                    [mode, triggered, len(far) if triggered else 0, len(durations), len(far), mean, deviation, *numbers]
                )
    columns = ["mode", "triggered", "violations", "datapoints", "outliers", "dur_mean", "dur_stddev"]
    columns += ["dur_min", "dur_p50", "dur_p95", "dur_p99", "dur_max"]
    ours = [[row[c] for c in columns] for row in rows(session.query("rules.step_outlier", **limits))]
    assert len(ours) == len(expected)
    for row, expected_row in zip(
        sorted(ours, key=lambda r: (r[0], r[5])), sorted(expected, key=lambda r: (r[0], r[5])), strict=True
    ):
        assert row[:5] == expected_row[:5]
        assert row[5:] == pytest.approx(expected_row[5:])


def test_a_step_on_the_border_of_smdebugs_windows_counts_twice(original):
    path, report = original
    [process_steps] = steps(path).values()
    first = min(sample.ts for sample in samples(path)) // MINUTE * MINUTE
    steps_in_windows = [
        (number, end - begin)
        for window in range(2)
        for mode, number, begin, end in process_steps
        if mode == "train" and begin <= first + (window + 1) * MINUTE and end >= first + window * MINUTE
    ]
    for report_number in range(3):
        parameters, report_details = report(f"StepOutlier__{report_number}")
        details = report_details["Details"]["step_details"]["algo-1-0"]
        mean, _, far = outliers([dur for _, dur in steps_in_windows], parameters.get("stddev", 3))
        assert details["step_stats"]["mean"] == pytest.approx(mean / NS)
        assert details["number_of_outliers"] == len(far)
        with tl.open(path, ephemeral=True) as session:
            limits = {name: value for name, value in parameters.items() if name != "mode"}
            [row] = [row for row in rows(session.query("rules.step_outlier", **limits)) if row["mode"] == "train"]
            # step 50 is on the border, and an outlier
            assert [row["datapoints"], row["outliers"]] == [120, len(far) - 1]


def test_the_time_to_the_first_step_equals_the_raw_files(sagemaker):
    path, session = sagemaker
    begins = [begin for begin, _ in step_spans(path).values()]
    started = min([sample.ts for sample in samples(path)] + [event.ts for event in events(path)])
    wait = min(begins) - started
    [row] = rows(session.rules.max_initialization_time())
    assert [row["started"], row["first_ts"], row["last_ts"], row["dur"]] == [started, min(begins), max(begins), wait]
    assert [row["triggered"], row["violations"]] == [False, 0]
    [row] = rows(session.rules.max_initialization_time(threshold=wait / MINUTE - 0.001))
    assert [row["triggered"], row["violations"]] == [True, 1]


def test_workers_are_counted_by_second(sagemaker):
    path, session = sagemaker
    alive, cores = defaultdict(set), defaultdict(set)
    for sample in samples(path):
        if sample.resource == "cpu":
            cores[sample.node].add(sample.name)
    for event in events(path):
        if event.name == "DataLoaderWorker":
            for second in range(event.ts // NS, -(-event.end // NS)):
                alive[event.process.split("-", 1)[1], second].add((event.process, event.args["pid"]))
    counts = defaultdict(list)
    for (node, _), workers in alive.items():
        counts[node].append(len(workers))
    ours = {
        row["node"]: row for row in rows(session.rules.dataloader(min_threshold=60.0, max_threshold=90.0, patience=2))
    }
    assert ours.keys() == counts.keys()
    for node, node_counts in counts.items():
        row, machine = ours[node], len(cores[node])
        middle = median(node_counts)
        out = middle < machine * 0.6 or middle > machine * 0.9
        assert [row["workers_p50"], row["cores"], row["datapoints"]] == [middle, machine, len(node_counts)]
        assert row["triggered"] == (out and len(node_counts) > 2)
        assert row["violations"] == sum(n < machine * 0.6 or n > machine * 0.9 for n in node_counts)


def test_machine_statistics_equal_the_raw_samples(sagemaker):
    path, session = sagemaker
    together = defaultdict(list)
    words = {
        "CPUUtilization": ("cpu", "utilization"),
        "I/OWaitPercentage": ("cpu", "iowait"),
        "GPUUtilization": ("gpu", "utilization"),
    }
    words |= {"GPUMemoryUtilization": ("gpu", "memory_utilization"), "Algorithm": ("network", "traffic_algorithm")}
    words |= {"Platform": ("network", "traffic_platform")}
    for sample in samples(path):
        if sample.dimension in words:
            together[(sample.node, *words[sample.dimension], sample.ts)].append(sample.value)
    series = defaultdict(list)
    for (node, resource, metric, _), values in together.items():
        series[node, resource, metric].append(sum(values) if resource == "network" else fmean(values))
    columns = ["datapoints", "min", "p50", "p95", "p99", "max"]
    answer = rows(session.rules.overall_system_usage())
    ours = {
        (r["node"], r["resource"], r["metric"]): [r[c] for c in columns]
        for r in answer
        if r["resource"] in ("cpu", "gpu", "network")
    }
    expected = {
        key: [len(v), min(v), median(v), percentile(v, 0.95), percentile(v, 0.99), max(v)] for key, v in series.items()
    }
    assert ours.keys() == expected.keys()
    for key, numbers in expected.items():
        assert ours[key] == pytest.approx(numbers), key


def test_machine_statistics_of_smdebugs_windows_equal_smdebug(original):
    path, report = original
    _, details = report("OverallSystemUsage__0")
    series = defaultdict(list)
    for part in windows(path, until=2):
        fill(series, part)
    kinds = {"CPU": ("cpu", ""), "GPU": ("gpu0", "GPUUtilization"), "GPU memory": ("gpu0", "GPUMemoryUtilization")}
    for name, key in kinds.items():
        values = series[("algo-1", *key)]
        ours = [max(values), percentile(values, 0.99), percentile(values, 0.95), percentile(values, 0.5), min(values)]
        assert list(details["Details"][name]["algo-1"].values()) == pytest.approx([round(value, 2) for value in ours])


def test_framework_times_equal_the_raw_events(sagemaker):
    path, session = sagemaker
    spent = defaultdict(int)
    for process, process_steps in steps(path).items():
        for mode in {mode for mode, *_ in process_steps}:
            # steps of one process are consecutive
            spent[mode] += sum(end - begin for m, _, begin, end in process_steps if m == mode)
        spent["others"] += max(end for *_, end in process_steps) - min(begin for _, _, begin, _ in process_steps)
        spent["others"] -= sum(end - begin for _, _, begin, end in process_steps)
        assert process
    ours = {row["name"]: row for row in rows(session.rules.overall_framework_metrics()) if row["part"] == "phase"}
    assert {name: row["dur"] for name, row in ours.items()} == spent
    total = sum(spent.values())
    assert {name: row["ratio"] for name, row in ours.items()} == pytest.approx({k: v / total for k, v in spent.items()})


def test_the_report_sums_up_the_rules(sagemaker):
    _, session = sagemaker
    for defaults in ("history", "rulesconfig", "docs"):
        report = {row["rule"]: row for row in rows(session.rules.report(defaults=defaults))}
        for rule, query in {
            "BatchSize": "batch_size",
            "CPUBottleneck": "cpu_bottleneck",
            "Dataloader": "dataloader",
            "GPUMemoryIncrease": "gpu_memory_increase",
            "IOBottleneck": "io_bottleneck",
            "LoadBalancing": "load_balancing",
            "LowGPUUtilization": "low_gpu_utilization",
            "MaxInitializationTime": "max_initialization_time",
            "StepOutlier": "step_outlier",
        }.items():
            judged = rows(session.query(f"rules.{query}", defaults=defaults))
            assert (rule in report) == bool(judged)
            if judged:
                row = report[rule]
                assert row["triggered"] == any(each["triggered"] for each in judged)
                assert row["violations"] == sum(each["violations"] for each in judged)
                assert row["datapoints"] == sum(each["datapoints"] for each in judged)
                assert json.loads(row["parameters"]) == json.loads(judged[0]["parameters"])


PUBLISHED = {
    ("batch_size", "patience"): (1000, 1000, 100),
    ("batch_size", "window"): (500, 500, 500),
    ("cpu_bottleneck", "patience"): (1000, 1000, 100),
    ("cpu_bottleneck", "gpu_threshold"): (10, 10, 10),
    ("io_bottleneck", "gpu_threshold"): (10, 10, 70),
    ("io_bottleneck", "patience"): (1000, 1000, 1000),
    ("gpu_memory_increase", "increase"): (5, 5, 10),
    ("gpu_memory_increase", "patience"): (1000, 1000, 100),
    ("gpu_memory_increase", "window"): (10, 10, 500),
    ("load_balancing", "threshold"): (0.2, 0.5, 0.5),
    ("load_balancing", "patience"): (1000, 1000, 10),
    ("low_gpu_utilization", "patience"): (1000, 1000, 1000),
    ("max_initialization_time", "threshold"): (20, 20, 20),
    ("step_outlier", "stddev"): (3, 3, 5),
    ("dataloader", "max_threshold"): (200, 200, 200),
}


@pytest.mark.parametrize(("query", "name"), PUBLISHED)
def test_published_limits_are_the_defaults(generate, query, name):
    path = generate(nodes=1, ranks=2, gpus=2, cores=4, steps=12, minutes=1, modes=1, submodules=1, ops=2)
    with tl.open(path, ephemeral=True) as session:
        for defaults, expected in zip(("history", "rulesconfig", "docs"), PUBLISHED[query, name], strict=True):
            for row in rows(session.query(f"rules.{query}", defaults=defaults)):
                assert json.loads(row["parameters"])[name] == expected
        with pytest.raises(tl.errors.ArgumentError, match="no value `nobody`"):
            session.query(f"rules.{query}", defaults="nobody")
        assert rows(session.query(f"rules.{query}"))


def test_reports_are_files_in_smdebugs_format(sagemaker, tmp_path):
    _, session = sagemaker
    paths = session.rule_reports(tmp_path / "new" / "folder", defaults="docs")
    table = {row["rule"]: row for row in rows(session.rules.report(defaults="docs"))}
    assert [path.stem for path in paths] == list(table)
    assert sorted(path.name for path in (tmp_path / "new" / "folder").iterdir()) == sorted(path.name for path in paths)
    for path in paths:
        report, row = json.loads(path.read_text()), table[path.stem]
        assert report.keys() == {"RuleTriggered", "Violations", "Details", "Datapoints", "RuleParameters"}
        assert report["RuleTriggered"] == int(bool(row["triggered"]))
        assert [report["Violations"], report["Datapoints"]] == [row["violations"], row["datapoints"]]
        parameters = dict(line.split(":", 1) for line in report["RuleParameters"].splitlines())
        limits = json.loads(row["parameters"])
        assert parameters.keys() == limits.keys()
        assert all(
            parameters[name] == "None" if limit is None else float(parameters[name]) == limit
            for name, limit in limits.items()
        )
    for row in rows(session.rules.low_gpu_utilization(defaults="docs")):
        details = json.loads((tmp_path / "new" / "folder" / "LowGPUUtilization.json").read_text())["Details"]
        assert details[row["node"]][row["device"]]["p95"] == pytest.approx(row["p95"])


def test_reports_have_the_limits_with_smdebugs_names(original, tmp_path):
    path, report = original
    with tl.open(path, ephemeral=True) as session:
        session.rule_reports(tmp_path)
        with pytest.raises(tl.errors.ArgumentError, match="one of history, rulesconfig, docs, reported"):
            session.rule_reports(tmp_path, defaults="nobody")
    for rule in (
        "BatchSize",
        "CPUBottleneck",
        "IOBottleneck",
        "GPUMemoryIncrease",
        "LowGPUUtilization",
        "MaxInitializationTime",
    ):
        _, theirs = report(f"{rule}__0")
        ours = json.loads((tmp_path / f"{rule}.json").read_text())
        assert set(ours["RuleParameters"].splitlines()) == set(theirs["RuleParameters"].splitlines())
        assert ours["RuleTriggered"] == theirs["RuleTriggered"]
