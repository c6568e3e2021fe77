"""The diagnosis is the same in Python, SQL and the shell; thresholds change it; wrong ones are reported."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests/data/first_look/profiler-output"


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    path = tmp_path_factory.mktemp("diagnosis") / "lake"
    with tl.open(path, create=True) as session:
        session.ingest(PROFILE, run="job")
        yield session


def shell(lake, *arguments):
    command = [sys.executable, "-m", "tracelake", "--lake", lake.url, "diagnose", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_sql_and_shell_return_the_same_findings(lake):
    diagnosis = lake.diagnose("job")
    expected_findings = {finding.id: (finding.outcome, finding.sentence, finding.value) for finding in diagnosis}
    assert len(expected_findings) == len(diagnosis) >= 45
    rows = list(lake.sql("select id, outcome, sentence, value from diagnosis where run = 'job'"))
    assert {row["id"]: (row["outcome"], row["sentence"], row["value"]) for row in rows} == expected_findings
    done = shell(lake, "job", "--all", "--format", "json")
    assert (done.returncode, done.stderr) == (int(diagnosis.critical), "")
    printed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["id"], row["sentence"]) for row in printed] == [(f.id, f.sentence) for f in diagnosis]
    assert shell(lake, "job").stdout.strip() == str(diagnosis).strip()
    assert str(diagnosis).startswith(diagnosis.headline)


@pytest.mark.slow
def test_findings_are_ordered_by_saving_then_no_data_then_passed(lake):
    findings = lake.diagnose().findings
    places = [("found", "no_data", "passed").index(finding.outcome) for finding in findings]
    assert places == sorted(places)
    problems = [finding for finding in findings if finding.outcome == "found"]
    # Critical ones that are not about time come first.
    urgent = [finding.severity == "critical" and finding.potential_saving is None for finding in problems]
    assert urgent == sorted(urgent, reverse=True)
    savings = [finding.potential_saving or -1 for finding, first in zip(problems, urgent, strict=True) if not first]
    assert savings == sorted(savings, reverse=True)
    assert set(places) == {0, 1, 2}


@pytest.mark.slow
def test_thresholds_change_the_findings(lake, tmp_path):
    share = lake.diagnose()["load_share_high"].value
    just_below = {"load_share_high": {"critical": share * 0.999}}
    assert lake.diagnose(thresholds=just_below)["load_share_high"].severity == "critical"
    at_it = {"load_share_high": {"notice": share}}
    assert lake.diagnose(thresholds=at_it)["load_share_high"].outcome == "passed"
    file = tmp_path / "limits.toml"
    file.write_text(f"[load_share_high]\ncritical = {share * 0.999}\n", encoding="utf-8")
    assert lake.diagnose(thresholds=file).critical
    assert shell(lake, "--thresholds", str(file)).returncode == 1
    assert shell(lake, "--set", f"load_share_high.critical={share * 0.999}").returncode == 1
    assert shell(lake).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("thresholds", "kind", "text"),
    [
        ({"load_share_hihg": {}}, tl.errors.ArgumentError, "did you mean `load_share_high`"),
        ({"load_share_high": {"critcal": 1}}, tl.errors.ArgumentError, "did you mean `critical`"),
        ({"load_share_high": {"warning": "x"}}, tl.errors.ArgumentError, "is text, expected double"),
        ({"load_share_high": 3}, tl.errors.ArgumentError, "not a dict of dicts"),
        ({"load_share_high": {"warning": [1]}}, tl.errors.ArgumentError, "expected a number, a text or a bool"),
        ("missing.toml", tl.errors.NotFoundError, "missing.toml"),
    ],
)
def test_wrong_thresholds_are_reported(lake, thresholds, kind, text):
    with pytest.raises(kind, match=text.replace("(", r"\(")):
        lake.diagnose(thresholds=thresholds)


def test_unknown_runs_and_findings_are_reported(lake):
    with pytest.raises(tl.errors.NotFoundError, match="no run or baseline `nope`"):
        lake.diagnose("nope")
    with pytest.raises(KeyError, match="no finding 'nope'"):
        lake.diagnose()["nope"]


@pytest.mark.slow
def test_names_are_escaped_in_a_notebook(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(PROFILE, run="<script>alert(1)")
        html = session.diagnose()._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)" in html


@pytest.mark.slow
def test_a_finding_of_the_user_is_part_of_the_diagnosis(tmp_path):
    folder = tmp_path / "queries" / "finding"
    folder.mkdir(parents=True)
    (folder / "busy.sql").write_text(
        """-- Is the GPU busy?
--
-- empty   there are no runs
--
-- cause    it's work
-- remedy   none
-- limits   ours
-- evidence utilization.summary
--
-- needs   evidence_gpu

SELECT
  run, gpu_utilization AS value, 0.1 AS threshold, CASE WHEN gpu_utilization > 0.1 THEN 'notice' END AS severity,
  readings AS steps,
  CAST(NULL AS bigint) AS potential_saving, false AS gpu_busy, 'it''s busy' AS found, 'idle' AS passed,
  CASE WHEN gpu_utilization IS NULL THEN 'needs samples' END AS missing
FROM evidence_gpu
""",
        encoding="utf-8",
    )
    with tl.open(PROFILE, ephemeral=True, queries=tmp_path / "queries") as session:
        finding = session.diagnose()["busy"]
    assert (finding.outcome, finding.sentence, finding.cause) == ("found", "it's busy", "it's work")
