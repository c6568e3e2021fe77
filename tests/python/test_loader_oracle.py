"""Every number of oracle/loader, from an independent program over logs of data loaders, equals our queries.

The test reads all of expected.json and fails for a key that no query answers. `tests/oracle/loader.md` says which query
and column gives which key, and why a few have none. Reports and metrics of Lightning have separate tests.
"""

import json
import math
import re
import struct
from pathlib import Path
from typing import Any

import pytest

import tracelake as tl

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
# tests that compare these parts
ELSEWHERE = {
    ("lightning", "simple"): "test_lightning_reports.py",
    ("lightning", "advanced_text"): "test_lightning_reports.py",
    ("lightning", "prof"): "test_lightning_reports.py",
    ("lightning", "text_agrees_with_prof"): "test_lightning_reports.py",
    ("lightning", "device_stats"): "test_lightning_metrics.py",
}
# parts without a query: conventions, the diagnosis, and a stopwatch next to the package
UNANSWERED = [
    ("conventions",),
    ("findings",),
    ("findings_covered",),
    ("dali", "wall_times"),
    ("dali", "replay_constructor"),
    ("dali", "files", "*", "keys"),
]
STATISTICS = {
    "n": lambda row: row["n"],
    "sum": lambda row: row["dur"] / 1e9,
    "mean": lambda row: row["dur_mean"] / 1e9,
    "min": lambda row: row["dur_min"] / 1e9,
    "max": lambda row: row["dur_max"] / 1e9,
    "p50": lambda row: row["dur_p50"] / 1e9,
    "p90": lambda row: row["dur_p90"] / 1e9,
    "p95": lambda row: row["dur_p95"] / 1e9,
    "p99": lambda row: row["dur_p99"] / 1e9,
    "std_sample": lambda row: row["dur_std"] / 1e9,
    "std_population": lambda row: row["dur_std"] / 1e9 * math.sqrt((row["n"] - 1) / row["n"]),
    "cv_sample": lambda row: row["variation"],
    "outlier_count": lambda row: row["outliers"],
}
PARTS = {"load": "load", "compute": "compute", "load_without_first": "load_rest", "batch": "load"}


class Answers:
    """The results of the queries for each file of a folder, by file name."""

    def __init__(self, folder: Path) -> None:
        with tl.open(folder, ephemeral=True) as session:
            self.session = session
            urls = self.rows("select object, url from object")
            self.names = {row["object"]: row["url"].rsplit("/", 1)[-1] for row in urls}
            self.share = self.by_file("loader_share")
            self.passes = self.by_file("loader_pass")
            self.throughput = self.by_file("loader_throughput")
            self.first = self.by_file("loader_first_batch")
            self.busy = self.by_file("loader_utilization")
            jitter = self.rows("select * from loader_jitter")
            self.jitter = {(self.names[row["object"]], row["part"]): row for row in jitter}
            self.slow = {
                part: self.rows(f"select object, position from loader_slow_batches(part => '{part}') order by position")
                for part in ("load", "load_rest", "compute")
            }
            batches = self.rows("select object, position, load_so_far from loader_batches")
            self.so_far = {(self.names[row["object"]], row["position"]): row["load_so_far"] for row in batches}
            self.epochs = self.rows("select object, epoch from loader_epochs order by pass")
            self.pairs = self.rows("select * from loader_real_vs_ideal")
            self.cached = self.rows("select object, cached_batches from loader where kind = 'pass'")
            self.problems = self.rows("select object, kind from problem")
            bases = {row["loader"] for row in self.rows("select loader from loader_scaling")}
            self.scaling = {
                base: self.rows(f"select * from loader_scaling('{base}')") for base in bases if base is not None
            }

    def rows(self, sql: str) -> list[dict[str, object]]:
        return list(self.session.sql(sql))

    def by_file(self, query: str) -> dict[str, dict[str, object]]:
        """Returns one row per file; each file is a separate loop."""
        rows = self.rows(f"select * from {query}")
        assert len({row["object"] for row in rows}) == len(rows), f"{query} has several rows for a file"
        return {self.names[row["object"]]: row for row in rows}

    def rows_of_file(self, rows: list[dict[str, object]], file: str) -> list[dict[str, object]]:
        return [row for row in rows if self.names[row["object"]] == file]

    def statistic(self, file: str, part: str, key: str) -> object:
        if key == "outlier_indices":
            skipped = 1 if part == "load_without_first" else 0
            return [row["position"] - skipped for row in self.rows_of_file(self.slow[PARTS[part]], file)]
        return STATISTICS[key](self.jitter[file, PARTS[part]])


def timing(a: Answers, file: str, path: tuple[str, ...]) -> object:  # noqa: PLR0911 - one for each form of key
    """Returns our value for a key of a file of timings."""
    share, pace, steps = a.share[file], a.throughput[file], a.jitter.get((file, "interval"))
    match path:
        case ("steps",):
            return share["batches"]
        case ("epochs",):
            return [row["epoch"] for row in a.rows_of_file(a.epochs, file)]
        case ("overhead", key):
            return {
                "load_time": pace["load"] / 1e9,
                "compute_time": pace["compute"] / 1e9,
                "total_time": pace["total"] / 1e9,
                "load_ratio": share["loader_ratio"],
                "avg_load": pace["load_mean"] / 1e9,
                "avg_compute": pace["compute_mean"] / 1e9,
                "is_bottleneck_gt_0_30": share["band"] == "bottleneck",
                "band": share["band"],
            }[key]
        case ("without_first_batch_of_each_epoch", key):
            return {
                "steps": a.passes[file]["steps_rest"],
                "load_ratio": share["loader_ratio_rest"],
                "band": share["band_rest"],
                "is_bottleneck_gt_0_30": share["is_bottleneck"],
            }[key]
        case (("load" | "compute" | "load_without_first") as part, key):
            return a.statistic(file, part, key)
        case ("first_load_over_median_of_rest",):
            return a.first[file]["relative"]
        case ("accelerator_utilisation_percent", key):
            return (
                100
                * a.busy[file][
                    {"all_steps": "accelerator_utilization", "first_step_excluded": "accelerator_utilization_rest"}[key]
                ]
            )
        case ("seen_by_loop_top_profiler", key):
            return {
                "num_batches": steps["n"],
                "total_time": steps["dur"] / 1e9,
                "mean_time": steps["dur_mean"] / 1e9,
                "std_time": steps["dur_std"] / 1e9,
                "min_time": steps["dur_min"] / 1e9,
                "max_time": steps["dur_max"] / 1e9,
                "throughput": 1e9 * steps["n"] / steps["dur"],
                "mean_over_true_mean_load": steps["dur_mean"] / pace["load_mean"],
            }[key]
        case ("running_average_load_every_10", batches):
            return a.so_far[file, int(batches) - 1] / 1e9
    raise KeyError(path)


def metrics(a: Answers, file: str, path: tuple[str, ...]) -> object:
    """Returns our value for a key of a file of DALI's Loader Evaluator."""
    if file not in a.passes:
        # without a batch, there is no row, and the file is reported as empty
        kinds = [row["kind"] for row in a.rows_of_file(a.problems, file)]
        return {"verdict": "cannot_tell", "reason": "no_batch"}[path[0]] if kinds == ["no_batch"] else kinds
    one, pace, share = a.passes[file], a.throughput[file], a.share.get(file)
    seconds = lambda ns: None if ns is None else ns / 1e9  # noqa: E731
    ratio = lambda part, whole: None if whole is None else part / whole  # noqa: E731
    ideal = one["variant"] == "ideal"
    cached = a.rows_of_file(a.cached, file)[0]["cached_batches"]
    match path:
        case ("mode",):
            return "replay" if ideal else "log"
        case ("batch", key):
            return a.statistic(file, "batch", key)
        case ("self_consistent", _):
            return a.rows_of_file(a.problems, file) == [] or not one["has_ended"]
        case (key,):
            return {
                # an impossible time is null
                "total_time_s": seconds(one["total"]) or 0,
                "total_time_usable": one["has_ended"],
                "load_s": seconds(a.jitter[file, "load"]["dur"]),
                "not_load_s": seconds(pace["compute"]),
                "load_ratio": ratio(pace["load"], pace["total"]),
                "load_ratio_without_first": ratio(one["load_rest"], one["total_rest"]),
                "batches_per_s": pace["batches_per_s"],
                "load_ratio_verdict_gt_0_30": None if ideal or not one["has_ended"] else share["band"] == "bottleneck",
                "band": "not_applicable" if ideal else share["band"] or "cannot_tell",
                "cached_batches": cached,
                "cache_ready": cached > 0,
                "reason": None if ideal else share["why"],
            }[key]
    raise KeyError(path)


def pair(a: Answers, real: str, ideal: str, path: tuple[str, ...]) -> object:
    """Returns our value for a key of a comparison of a real and an ideal pass."""
    rows = [row for row in a.pairs if (row["loader"], row["ideal_loader"]) == (real, ideal)]
    if not rows:
        assert f"{real}.json" not in a.passes
        return {"speedup": None, "verdict": "cannot_tell", "reason": "no_batch"}[path[0]]
    (row,) = rows
    return {
        "speedup": row["speedup"],
        "speedup_from_wall_times": row["speedup"],
        "seconds_saved_per_epoch": None if row["saved"] is None else row["saved"] / 1e9,
        "percent_saved": None if row["saved_ratio"] is None else 100 * row["saved_ratio"],
        "verdict": row["rating"] or "cannot_tell",
        "reason": row["why"],
        "same_batch_count": row["batches"] == row["ideal_batches"],
        "mean_load_per_batch_s": row["load_mean"] / 1e9,
    }[path[-1]]


def scaling(a: Answers, name: str, key: str) -> object:
    """Returns our value for a comparison of settings."""
    base, other = (f"dataloader_timings_{side}" for side in name.split("_to_"))
    rows = {row["loader"]: row for row in a.scaling[base]}
    return {
        "batches_per_s": [rows[base]["batches_per_s"], rows[other]["batches_per_s"]],
        "speedup_all_steps": rows[other]["speedup"],
    }[key]


def reported_shares(shared: Path) -> list[object]:
    """Returns the shares of the epoch in the reports of two ranks, in the order of the ranks."""
    with tl.open(shared / "data" / "loader" / "lightning" / "simple_ddp2", ephemeral=True) as session:
        rows = list(session.sql("select rank, loader_ratio from loader_share where measure = 'report' order by rank"))
    assert [row["rank"] for row in rows] == [0, 1]
    return [row["loader_ratio"] for row in rows]


def losses_agree(shared: Path) -> bool:
    """Returns whether `metrics.csv` and the event files of one training have the same losses, in 32 bits."""
    sql = """
    select o.format, s.step, s.value from sample as s join object as o on o.run = s.run and o.object = s.object
    where s.raw_name = 'train_loss' order by s.step
    """
    with tl.open(shared / "data" / "loader" / "lightning" / "device_stats", ephemeral=True) as session:
        rows = list(session.sql(sql))
    table, events = (
        {row["step"]: row["value"] for row in rows if row["format"] == name}
        for name in ("lightning_metrics", "tensorboard_events")
    )
    return (
        len(table) == 24
        and {step: struct.unpack("f", struct.pack("f", value))[0] for step, value in table.items()} == events
    )


def our_value(answers: dict[str, Any], path: tuple[str, ...]) -> object:
    """Returns our value for a key of the oracle; raises a KeyError without one."""
    match path:
        case ("timings", "files", file, *rest):
            return timing(answers["timings"], file, tuple(rest))
        case ("timings", "worker_scaling", name, key):
            return scaling(answers["timings"], name, key)
        case ("dali", "files", file, *rest):
            return metrics(answers["dali"], file, tuple(rest))
        case ("lightning", "ddp2_load_share_by_rank"):
            return reported_shares(answers["shared"])
        case ("lightning", "csv_agrees_with_tb_train_loss"):
            return losses_agree(answers["shared"])
        case ("dali", "pairs", name, *rest):
            return pair(answers["dali"], *name.split("|"), tuple(rest))
    raise KeyError(path)


def leaves(value: object, path: tuple[str, ...] = ()):
    """Yields every number, text and list of the oracle with its path; empty values have no comparison."""
    if isinstance(value, dict) and not any(matches(path, known) for known in [*ELSEWHERE, *UNANSWERED]):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif value != {}:
        yield path, value


def matches(path: tuple[str, ...], prefix: tuple[str, ...]) -> bool:
    return len(path) == len(prefix) and all(b in ("*", a) for a, b in zip(path, prefix, strict=True))


def tolerance(path: tuple[str, ...]) -> dict[str, float]:
    """Returns the tolerance: timings are exact to 1e-9; times of DALI are whole ns, and a replay takes a few us."""
    if path[-1] == "speedup_from_wall_times":
        return {"rel_tol": 1e-3}
    if path[0] == "dali":
        return {"rel_tol": 5e-4 if "replay_nw0.json" in path else 1e-7, "abs_tol": 1e-9}
    # reports have five digits
    return {"rel_tol": 1e-4 if path[0] == "lightning" else 1e-9}


def is_same(theirs: object, mine: object, path: tuple[str, ...]) -> bool:
    if path[-1] == "reason":
        return isinstance(mine, str) and mine != ""
    if isinstance(theirs, list):
        return len(theirs) == len(mine) and all(is_same(x, y, path) for x, y in zip(theirs, mine, strict=True))
    if isinstance(theirs, float) or (isinstance(theirs, int) and not isinstance(theirs, bool)):
        return isinstance(mine, (int, float)) and math.isclose(theirs, mine, **tolerance(path))
    return theirs == mine


@pytest.fixture(scope="module")
def answers(shared):
    return {name: Answers(shared / "data" / "loader" / name) for name in ("timings", "dali")} | {"shared": shared}


def test_every_number_equals_the_oracle(answers, shared):
    expected = json.loads((shared / "oracle" / "loader" / "expected.json").read_text())
    compared, wrong = 0, []
    for path, theirs in leaves(expected):
        if any(matches(path, known) for known in [*ELSEWHERE, *UNANSWERED]):
            continue
        try:
            mine = our_value(answers, path)
        except KeyError:
            wrong.append(f"{path}: no query is named for this key")
            continue
        compared += 1
        if not is_same(theirs, mine, path):
            wrong.append(f"{path}: expected {theirs!r}, got {mine!r}")
    assert not wrong, "\n".join(wrong[:40])
    assert compared > 500


def test_keys_that_are_tested_elsewhere_have_a_test():
    for path, file in ELSEWHERE.items():
        assert path[1] in (HERE / file).read_text(), f"{file} does not name {path}"


def test_a_new_key_is_found(answers):
    new = {"timings": {"files": {"dataloader_timings_nw0.csv": {"overhead": {"new": 1.0}}}}}
    ((path, _),) = leaves(new)
    with pytest.raises(KeyError):
        our_value(answers, path)


def test_the_table_names_every_key(shared):
    """Checks that the table has each key of the oracle, for any file."""
    expected = json.loads((shared / "oracle" / "loader" / "expected.json").read_text())
    table = (HERE.parent / "oracle" / "loader.md").read_text()
    known = set(re.findall(r"`([^`]+)`", table))
    keys = {path[-1] for path, _ in leaves(expected) if path[0] in ("timings", "dali") and not path[-1].isdigit()}
    assert keys <= known, sorted(keys - known)
