"""Rule reports of a job: ingested with its profile, alone and from S3, and compared with today's rules."""

import json
import shutil

import pytest

import tracelake as tl
from sagemaker_raw import rows

pytestmark = pytest.mark.slow

REPORTS = "rule-output/ProfilerReport-1600000000/profiler-output"
# smdebug evaluated two of the three minutes of pt_small: the rules with other data points for that reason
MINUTES = {"BatchSize", "CPUBottleneck", "GPUMemoryIncrease", "IOBottleneck", "LowGPUUtilization", "OverallSystemUsage"}


def write_reports(job, reports):
    """Writes reports by rule to SageMaker's location, with the HTML pages."""
    folder = job / REPORTS / "profiler-reports"
    folder.mkdir(parents=True)
    for rule, report in reports.items():
        (folder / f"{rule}.json").write_text(json.dumps(report))
    for page in ("profiler-report.html", "profiler-report.ipynb"):
        (job / REPORTS / page).write_text('{"cells": []}' if page.endswith("ipynb") else "<html></html>")


@pytest.fixture
def job(profile, tmp_path):
    """An old job: its profile and its reports in one folder."""
    job = tmp_path / "job-7"
    shutil.copytree(profile, job / "profiler-output")
    details = {"low_gpu_utilization": 3, "bottlenecks": {"1600000202.5": {"GPUs": 1, "CPUs": 2}}}
    limits = "threshold:50\ncpu_threshold:90\ngpu_threshold:10\npatience:1000"
    report = {"RuleTriggered": 2, "Violations": 1, "Details": details, "Datapoints": 3, "RuleParameters": limits}
    write_reports(job, {"CPUBottleneck": report})
    return job


def check(session):
    """Checks that the session has the whole job."""
    [row] = rows(session.rules.reported())
    assert (row["run"], row["rule"], row["triggered"], row["times_triggered"]) == ("job-7", "CPUBottleneck", True, 2)
    assert [row["violations"], row["datapoints"]] == [1, 3]
    assert json.loads(row["parameters"]) == {
        "threshold": 50,
        "cpu_threshold": 90,
        "gpu_threshold": 10,
        "patience": 1000,
    }
    assert json.loads(row["details"])["bottlenecks"] == {"1600000202.5": {"GPUs": 1, "CPUs": 2}}
    assert len(session.table("step")) == 220
    pages = session.sql("select error from object where url like '%profiler-report.%'").to_pandas()["error"]
    assert pages.tolist() == ["a page that shows the reports of the rules"] * 2
    [row] = rows(session.rules.compared())
    assert [row["agrees"], row["triggered"]] == [False, False]
    assert row["datapoints"] == rows(session.rules.cpu_bottleneck())[0]["datapoints"]
    assert row["why"].startswith("other datapoints")


def test_a_profile_and_reports_next_to_it_are_one_run(job):
    with tl.open(job, ephemeral=True) as session:
        assert session.run == "job-7"
        check(session)
        # ranks and nodes are only in the profile
        with tl.open(job / "profiler-output", ephemeral=True) as alone:
            query = "select node, rank, count(*) as n from event group by node, rank order by node, rank"
            assert list(session.sql(query).rows()) == list(alone.sql(query).rows())
            assert list(alone.rules.reported().rows()) == []
            assert rows(alone.rules.report(defaults="reported")) == rows(alone.rules.report()), "no reports: the code's"


@pytest.mark.parametrize("first", ["rule-output", "profiler-output"])
def test_reports_can_be_ingested_before_the_profile(lake, job, first):
    second = {"rule-output": "profiler-output", "profiler-output": "rule-output"}[first]
    lake.ingest(job / first)
    assert lake.runs().to_pandas()["run"].tolist() == ["job-7"], "the folder names no run"
    if first == "rule-output":
        [row] = rows(lake.rules.compared())
        assert [row["triggered"], row["agrees"]] == [None, None]
        assert row["why"].startswith("not judged here")
    lake.ingest(job / second, run="job-7")
    check(lake)


def test_old_jobs_on_s3_are_read(s3, lake, job):
    bucket = s3.bucket()
    s3.upload(job, bucket, "jobs/job-7")
    lake.ingest(f"s3://{bucket}/jobs/job-7", options=s3.options)
    check(lake)


@pytest.mark.parametrize("report_number", [0, 1, 2])
def test_smdebugs_own_reports_are_compared_with_ours(lake, shared, tmp_path, report_number):
    job = tmp_path / "pt_small"
    shutil.copytree(shared / "data" / "sagemaker" / "pt_small", job / "profiler-output")
    oracle = (shared / "oracle" / "sagemaker" / "pt_small" / "rules").glob(f"*__{report_number}.json")
    reports = {path.stem.split("__")[0]: json.loads(path.read_text())["report"] for path in oracle}
    write_reports(job, reports)
    lake.ingest(job)
    reported = {row["rule"]: row for row in rows(lake.rules.reported())}
    assert reported.keys() == reports.keys()
    for rule, report in reports.items():
        row = reported[rule]
        assert [row["times_triggered"], row["violations"], row["datapoints"]] == [
            report["RuleTriggered"],
            report["Violations"],
            report["Datapoints"],
        ]
        assert json.loads(row["details"]) == report["Details"]
    compared = {row["rule"]: row for row in rows(lake.rules.compared())}
    judged = {row["rule"]: row for row in rows(lake.rules.report(defaults="reported"))}
    for rule, row in compared.items():
        if rule not in judged:
            assert row["why"].startswith("not judged here"), rule
            continue
        ours = [row[name] for name in ("triggered", "violations", "datapoints")]
        assert ours == [judged[rule][name] for name in ("triggered", "violations", "datapoints")]
        limits, own_limits = json.loads(row["reported_parameters"]), json.loads(row["parameters"])
        both = {name for name in limits.keys() & own_limits.keys() if isinstance(limits[name], int | float)}
        other = {name for name in both if limits[name] != own_limits[name]}
        # the limits of the report apply, except for the length of the lookback
        assert other <= {"window"}, rule
        if other:
            assert row["why"] == f"other limits: window {limits['window']:.1f} reported, 500.0 here"
        elif rule in MINUTES:
            assert row["why"].startswith("other datapoints"), rule


def test_limits_of_the_report_are_those_of_a_call(lake, shared, tmp_path):
    """A call with the limits of the report gives the same result."""
    job = tmp_path / "pt_small"
    shutil.copytree(shared / "data" / "sagemaker" / "pt_small", job / "profiler-output")
    calls = {
        "CPUBottleneck": (
            "cpu_bottleneck",
            {"threshold": 1.0, "cpu_threshold": 60.0, "gpu_threshold": 60.0, "patience": 5},
        ),
        "IOBottleneck": (
            "io_bottleneck",
            {"threshold": 2.0, "io_threshold": 20.0, "gpu_threshold": 20.0, "patience": 7},
        ),
        "GPUMemoryIncrease": ("gpu_memory_increase", {"increase": 1.0, "patience": 10, "window": 5}),
        "StepOutlier": ("step_outlier", {"stddev": 1.0, "n_outliers": 0}),
        "MaxInitializationTime": ("max_initialization_time", {"threshold": 0.5}),
        "Dataloader": ("dataloader", {"min_threshold": 60.0, "max_threshold": 90.0, "patience": 2}),
        "LowGPUUtilization": ("low_gpu_utilization", {"threshold_p95": 99.0, "threshold_p5": 1.0, "patience": 50}),
        "BatchSize": (
            "batch_size",
            {"cpu_threshold_p95": 99.0, "gpu_threshold_p95": 98.0, "gpu_memory_threshold_p95": 97.0, "patience": 50},
        ),
    }
    report = {"RuleTriggered": 0, "Violations": 0, "Details": {}, "Datapoints": 0}
    write_reports(
        job,
        {
            rule: {**report, "RuleParameters": "\n".join(f"{name}:{value}" for name, value in limits.items())}
            for rule, (_, limits) in calls.items()
        },
    )
    lake.ingest(job)
    for rule, (query, limits) in calls.items():
        by_report = rows(lake.query(f"rules.{query}", defaults="reported"))
        # means over cores are sums in any order
        assert by_report == [pytest.approx(row) for row in rows(lake.query(f"rules.{query}", **limits))], rule
        assert by_report != rows(lake.query(f"rules.{query}")), rule


def test_texts_of_a_report_are_escaped(lake, job):
    folder = job / REPORTS / "profiler-reports"
    for n, limits in enumerate(
        ["threshold:nan\npatience:1e300", "window:0\npatience:-5", "threshold:x'; --\n\u0000:1"]
    ):
        for rule in ("CPUBottleneck", "GPUMemoryIncrease", "StepOutlier"):
            report = {"RuleTriggered": 1, "Violations": n, "Datapoints": 1, "Details": {}, "RuleParameters": limits}
            (folder / f"{rule}.json").write_text(json.dumps(report))
        lake.ingest(job)
        assert len(rows(lake.rules.compared())) == 3
        assert {row["violations"] for row in rows(lake.rules.reported())} == {n}, "a changed report replaces the last"
