"""The diagnosis of profiles with known causes; tests/gen/labeled/README.md describes how they are made."""

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import tracelake as tl

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PARTS = ("tuning", "kept")
VERDICTS = ("input-bound", "compute-bound", "communication-bound", "host-bound", "mixed", "no_data")
SEVERITIES = {None: 0, "notice": 1, "warning": 2, "critical": 3}

# sums of the generator, and the query that must return the same
QUANTITIES = [
    """
    SELECT
      run,
      sum(exposed_loader) / CAST(sum(dur) AS double) AS "step.loader",
      sum(kernel) / CAST(sum(dur) AS double) AS "step.kernel",
      sum(memcpy) / CAST(sum(dur) AS double) AS "step.memcpy",
      sum(communication) / CAST(sum(dur) AS double) AS "step.communication",
      sum(cpu) / CAST(sum(dur) AS double) AS "step.operators"
    FROM step_breakdown
    GROUP BY run
    """,
    """
    SELECT
      run,
      max(exposed_loader / CAST(dur AS double)) AS "rank.loader",
      max(communication / CAST(dur AS double)) AS "rank.communication",
      max(steps) AS steps
    FROM (
      SELECT
        run,
        sum(exposed_loader) AS exposed_loader,
        sum(communication) AS communication,
        sum(dur) AS dur,
        count(*) AS steps
      FROM step_breakdown
      GROUP BY run, rank
    )
    GROUP BY run
    """,
    """
    SELECT w.run, w.dur / CAST(w.dur + s.dur AS double) AS wait
    FROM (SELECT run, sum(dur) AS dur FROM loader WHERE kind = 'next' GROUP BY run) AS w
    JOIN (SELECT run, sum(dur) AS dur FROM step WHERE mode = 'train' GROUP BY run) AS s ON s.run = w.run
    """,
    "SELECT run, max(loader_ratio) AS load FROM loader_share GROUP BY run",
    """
    SELECT s.run, avg(s.value) / 100 AS gpu
    FROM sample AS s
    LEFT JOIN (SELECT run, min(ts) AS ts FROM step GROUP BY run) AS t ON t.run = s.run
    WHERE s.resource = 'gpu' AND s.metric = 'utilization' AND (t.ts IS NULL OR s.ts >= t.ts)
    GROUP BY s.run
    """,
    "SELECT run, max(speedup) AS speedup FROM loader_real_vs_ideal GROUP BY run",
]

# SageMaker rules and the findings with the same limits: a rule is triggered only if its finding is planted
RULES = {
    "batch_size": "batch_too_small",
    "cpu_bottleneck": "cpu_bottleneck",
    "gpu_memory_increase": "gpu_memory_growth",
    "io_bottleneck": "io_bottleneck",
    "load_balancing": "rank_imbalance",
    "max_initialization_time": "slow_initialization",
    "step_outlier": "step_outliers",
}

# mean memory of the last tenth of the samples divided by that of the second tenth
GROWTH = """
    WITH tenths AS (
      SELECT run, value, ntile(10) OVER (PARTITION BY run, device ORDER BY ts, step) AS tenth
      FROM sample
      WHERE resource = 'memory' AND metric IN ('used', 'rss')
    )

    SELECT run
    FROM tenths
    GROUP BY run
    HAVING avg(value) FILTER (WHERE tenth = 10) > 1.1 * avg(value) FILTER (WHERE tenth = 2)
"""


@pytest.fixture(scope="module")
def labels(tmp_path_factory):
    """The label of each case, and in `folder` the location of its profiles."""
    out = tmp_path_factory.mktemp("labeled") / "cases"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    subprocess.run([sys.executable, "-m", "labeled", out], cwd=ROOT / "tests" / "gen", env=environment, check=True)
    result = [json.loads(file.read_text()) | {"folder": file.parent} for file in sorted(out.glob("*/label.json"))]
    return {label["name"]: label for label in result}


@pytest.fixture(scope="module")
def session(labels, tmp_path_factory):
    """A lake with each case as a run; each source is ingested separately."""
    with tl.open(tmp_path_factory.mktemp("labeled_lake") / "lake", create=True) as session:
        for name, label in labels.items():
            for source in label["sources"]:
                session.ingest(label["folder"] / source, run=name)
        yield session


@pytest.fixture(scope="module")
def diagnosis(session):
    """The findings of every run."""
    return session.diagnose()


@pytest.fixture(scope="module")
def verdicts(diagnosis):
    """The verdict of each run."""
    return {verdict.run: verdict.verdict for verdict in diagnosis.verdicts}


@pytest.fixture(scope="module")
def findings(diagnosis):
    """The findings of each run by name, in the order of the result."""
    result = defaultdict(dict)
    for finding in diagnosis:
        result[finding.run][finding.id] = finding
    return result


def is_clean(label):
    return label["main"] is None and label["clear"] and label["verdict_clear"] and not label["damage"]


def fail(wrong, labels, kept_gaps=0):
    """Fails with the problems of `tuning`, and only with names of `kept`, so that it cannot be used for tuning."""
    wrong = {name: what for name, what in wrong.items() if what}
    failures = [f"{name}: {'; '.join(what)}" for name, what in wrong.items() if labels[name]["set"] == "tuning"]
    held_out = [name for name in wrong if labels[name]["set"] == "kept"]
    lines = [f"{len(failures)} of tuning", *failures, f"{len(held_out)} of kept", *held_out]
    assert (failures, len(held_out) <= kept_gaps) == ([], True), "\n  ".join(lines)


BUNDLED = ("before_after", "first_look", "lightning", "loader_timings", "nsys", "pytorch_ddp", "recorder")


def test_all_surfaces_have_one_verdict(session, tmp_path):
    """SQL, the key metrics, the diagnosis, the decision tree and the report agree, for labeled and bundled profiles."""
    with tl.open(tmp_path / "lake", create=True) as bundled:
        for name in BUNDLED:
            bundled.ingest(ROOT / "tests" / "data" / name, run=name)
        for opened, reports in ((session, 4), (bundled, len(BUNDLED))):
            judged = {row["run"]: row for row in list(opened.query("job.verdict"))}
            stored = list(opened.sql("SELECT run, verdict FROM run"))
            assert {row["run"]: row["verdict"] for row in stored} == {
                run: row["verdict"] for run, row in judged.items()
            }
            verdicts = opened.diagnose().verdicts
            assert {v.run: (v.verdict, v.sentence) for v in verdicts} == {
                run: (row["verdict"], row["sentence"]) for run, row in judged.items()
            }
            for run in sorted(judged)[:reports]:
                page = opened.report(run).html
                assert set(re.findall(r'<p class="verdict".*?<strong>(.*?)</strong>', page)) == {judged[run]["verdict"]}


def test_the_set_is_large_and_mixed(labels):
    assert len(labels) >= 72
    for part in PARTS:
        clear = [one for one in labels.values() if one["set"] == part and one["clear"] and one["verdict_clear"]]
        assert {one["verdict"] for one in clear} == set(VERDICTS), part
    assert 0.25 < sum(one["set"] == "kept" for one in labels.values()) / len(labels) < 0.42
    clean = [one for one in labels.values() if is_clean(one)]
    assert len(clean) >= 12
    assert {source for one in clean for source in one["sources"]} == {
        s for one in labels.values() for s in one["sources"]
    }
    assert sum("recorder" in one["sources"] for one in labels.values()) >= 8
    assert sum(len(one["sources"]) > 1 for one in labels.values()) >= 6


def test_verdicts_follow_from_the_planted_causes(labels):
    wrong = []
    for name, label in labels.items():
        if not label["clear"] or not label["verdict_clear"] or label["damage"]:
            continue
        planted = label["planted"]
        loads = ("step.loader" if label["worst_rank"] is None else "rank.loader", "wait", "load")
        load = next((planted[key] for key in loads if key in planted), None)
        gpu = next((planted[key] for key in ("gpu", "step.operators", "step.kernel") if key in planted), None)
        waits, communication = load or 0, planted.get("step.communication", 0)
        host = 0 if gpu is None else 1 - gpu - waits - communication
        follows = {
            "input-bound": waits >= 0.45,
            "communication-bound": communication >= 0.45,
            "host-bound": host >= 0.45,
            "compute-bound": (gpu or 0) >= 0.8,
            "mixed": sum(share >= 0.25 for share in (waits, communication, host)) >= 2,
            "no_data": gpu is None or load is None or "load_share_high" in label["missing"],
        }
        if not follows[label["verdict"]]:
            wrong.append((name, label["verdict"], planted))
    assert wrong == []


def test_there_are_only_planted_problems(session, labels):
    rows = list(session.sql("SELECT run, kind FROM problem WHERE severity = 'warning' OR kind <> 'no_end'"))
    actual = defaultdict(set)
    for row in rows:
        actual[row["run"]].add(row["kind"])
    assert {run: sorted(kinds) for run, kinds in actual.items()} == {
        name: sorted(label["damage"]) for name, label in labels.items() if label["damage"]
    }


def test_queries_return_the_planted_values(session, labels):
    actual = defaultdict(dict)
    for query in QUANTITIES:
        for row in list(session.sql(query)):
            actual[row.pop("run")].update(row)
    planted = {(name, key): value for name, label in labels.items() for key, value in label["planted"].items()}
    assert len(planted) > 3 * len(labels) / 2
    wrong = {
        (name, key): (value, actual[name].get(key))
        for (name, key), value in planted.items()
        if not key.endswith("_most")
        and not is_between(actual[name].get(key), value, planted.get((name, f"{key}_most"), value))
    }
    assert wrong == {}


def is_between(value, minimum, maximum):
    """Returns whether the value lies between two others, or close to one of them."""
    near = [pytest.approx(limit, rel=0.02, abs=0.01) for limit in (minimum, maximum)]
    return value is not None and (minimum <= value <= maximum or value in near)


def runs_with(labels, finding):
    return {name for name, label in labels.items() if finding in {label["main"], *label["also"]}}


def test_rules_are_triggered_by_planted_causes(session, labels):
    for rule, finding in RULES.items():
        triggered = session.sql(f"SELECT DISTINCT run FROM rules_{rule} WHERE triggered").to_arrow()["run"].to_pylist()
        assert set(triggered) == runs_with(labels, finding), rule


def test_memory_grows_only_where_planted(session, labels):
    assert set(session.sql(GROWTH).to_arrow()["run"].to_pylist()) == runs_with(labels, "host_memory_growth")


def test_verdicts_equal_the_labels(labels, verdicts, report):
    for part in PARTS:
        table = Counter((one["verdict"], verdicts.get(name)) for name, one in labels.items() if one["set"] == part)
        report(f"labeled set, {part}: verdict labeled (down) and computed (across)", *confusion(table))
    wrong = {
        name: [f"{label['verdict']} was expected and {verdicts.get(name)} said"]
        for name, label in labels.items()
        if label["clear"] and label["verdict_clear"] and verdicts.get(name) != label["verdict"]
    }
    fail(wrong, labels)


def test_the_rank_that_delays_the_others_is_named(session, labels):
    judged = {row["run"]: row for row in list(session.query("job.verdict"))}
    wrong = {
        name: [f"rank {label['worst_rank']} was expected, not {judged[name]['worst_rank']}"]
        for name, label in labels.items()
        if label["clear"] and label["verdict_clear"] and judged[name]["worst_rank"] != label["worst_rank"]
    }
    fail(wrong, labels)
    sentences = {name: judged[name]["sentence"] for name, one in labels.items() if one["worst_rank"] is not None}
    assert len(sentences) >= 2
    for name, sentence in sentences.items():
        assert sentence.startswith(f"rank {labels[name]['worst_rank']} delays the others: "), name


def test_skewed_clocks_do_not_change_the_verdict(session, labels):
    twins = {name: label["twin"] for name, label in labels.items() if label["twin"]}
    assert {labels[name]["verdict"] for name in twins} >= {"input-bound", "compute-bound", "communication-bound"}
    for query in ("job.verdict", "job.time_shares"):
        rows = defaultdict(list)
        for row in list(session.query(query)):
            row.pop("node", None)
            rows[row.pop("run")].append(row)
        for name, twin in twins.items():
            assert rows[name] == rows[twin], (query, name)


def confusion(table):
    """Returns the lines of a table of labels and verdicts."""
    verdict_names = [*VERDICTS, *sorted({str(other) for _, other in table} - set(VERDICTS))]
    yield " " * 20 + "".join(f"{verdict:>20}" for verdict in verdict_names)
    for label in VERDICTS:
        yield f"{label:<20}" + "".join(f"{table.get((label, verdict), 0):>20}" for verdict in verdict_names)


def test_labels_name_findings_that_exist(labels, findings):
    known = {finding for finding_names in findings.values() for finding in finding_names}
    named = {
        finding
        for label in labels.values()
        for finding in (label["main"], *label["also"], *label["never"], *label["missing"])
        if finding
    }
    assert named <= known


def test_every_finding_has_an_outcome_for_every_run(labels, findings):
    known = {finding for finding_names in findings.values() for finding in finding_names}
    assert {name for name in labels if findings[name].keys() != known} == set()


# causes in the held-out part that are not found yet; only a number, so that it cannot be used for tuning
KEPT_GAPS = 3


def test_causes_are_named(labels, findings, report):
    for part in PARTS:
        part_labels = [label for label in labels.values() if label["set"] == part and label["main"]]
        outcomes = Counter(outcome(findings, label["name"], label["main"]) for label in part_labels)
        report(f"labeled set, {part}: outcome of the main finding", ", ".join(f"{o} {n}" for o, n in outcomes.items()))
    wrong = {
        name: [
            *(
                f"{one} is {outcome(findings, name, one)}"
                for one in expected(label)
                if outcome(findings, name, one) != "found"
            ),
            *(f"{one} is found" for one in label["never"] if outcome(findings, name, one) == "found"),
        ]
        for name, label in labels.items()
        if label["clear"]
    }
    fail(wrong, labels, kept_gaps=KEPT_GAPS)


def test_few_steps_lower_the_severity(labels, findings):
    planted = {
        (label["planted"]["steps"], severity)
        for label in labels.values()
        for finding, severity in label["severities"].items()
        if finding == "load_share_high"
    }
    assert planted >= {(2, "warning"), (3, "warning"), (3, "critical"), (12, "critical")}
    wrong = {
        name: [
            f"{one} is {findings[name][one].severity}, and {severity} was expected"
            for one, severity in label["severities"].items()
            if findings[name][one].severity != severity
        ]
        for name, label in labels.items()
    }
    fail(wrong, labels)


def expected(label):
    return [finding for finding in (label["main"], *label["also"]) if finding]


def outcome(findings, run, finding):
    return findings[run][finding].outcome if finding in findings[run] else "absent"


def test_a_finding_without_its_data_has_no_data(labels, findings):
    wrong = {
        name: [f"{one} is {o}" for one in label["missing"] if (o := outcome(findings, name, one)) != "no_data"]
        for name, label in labels.items()
    }
    fail(wrong, labels)


def test_healthy_runs_have_no_findings(labels, findings):
    wrong = {
        name: [
            str(finding)
            for finding in findings[name].values()
            if finding.outcome == "found" and SEVERITIES[finding.severity] > SEVERITIES["notice"]
        ]
        for name, label in labels.items()
        if is_clean(label)
    }
    fail(wrong, labels)
