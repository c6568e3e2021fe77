"""A gate: rules compared with a baseline, missing data, errors, and the formats of CI."""

import json
import xml.etree.ElementTree as ET

import numpy as np
import pytest

import tracelake as tl
from sagemaker_raw import rows
from step_profile import durations, write

MEDIAN = {"query": "step.over_time", "column": "dur", "aggregate": "p50"}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A lake of ten runs of the same code, and one that is 5 % slower."""
    folder = tmp_path_factory.mktemp("gated")
    rng = np.random.default_rng(8)
    with tl.open(folder / "lake", create=True) as session:
        for run in range(10):
            write(folder / f"same-{run}", durations(rng))
            session.ingest(folder / f"same-{run}", run=f"same-{run}", progress=False)
        write(folder / "slow", durations(rng, factor=1.05))
        session.ingest(folder / "slow", run="slow", progress=False)
        session.set_baseline("main", [f"same-{run}" for run in range(5)])
        yield session


def verdict(gate):
    """Returns the only result of a gate."""
    [row] = rows(gate.rows)
    return row


def test_the_same_code_passes_and_slower_code_does_not(measured):
    for run in range(5, 10):
        for baseline in ("main", "same-0"):
            gate = measured.gate(f"same-{run}", baseline=baseline, max_regression=1.02)
            assert (gate.outcome, gate.exit_code) in (("pass", 0), ("inconclusive", 6)), gate
            assert gate.passed == (gate.outcome == "pass")
            accepting = measured.gate(f"same-{run}", baseline=baseline, max_regression=1.02, inconclusive="pass")
            assert (accepting.passed, accepting.outcome) == (True, gate.outcome)
            assert measured.gate(f"same-{run}", baseline=baseline, max_regression=1.1).outcome == "pass"
    gate = measured.gate("slow", baseline="main", max_regression=1.02)
    assert (gate.passed, gate.outcome, gate.exit_code) == (False, "fail", 1)
    row = verdict(gate)
    assert (row["outcome"], row["limit"], row["threshold"], row["significant"]) == ("fail", "max_ratio", 1.02, True)
    assert row["ratio"] == pytest.approx(1.05, abs=0.02)
    assert (gate.candidate, len(gate.baseline)) == (["slow"], 5)


def test_a_gate_agrees_with_compare(measured):
    row = verdict(measured.gate("slow", baseline="main", rules={"rule": [{**MEDIAN, "max_ratio": 1.02}]}))
    compared = rows(measured.compare("main", "slow"))
    [same] = [row for row in compared if (row["subject"], row["statistic"]) == ("step", "p50")]
    for column in ("a", "b", "ratio", "low", "high", "significant"):
        assert row[column] == pytest.approx(same[column])


def test_limits_can_be_absolute_and_relative(measured):
    def outcome(**limits):
        return verdict(measured.gate("slow", baseline="main", rules={"rule": [{**MEDIAN, **limits}]}))["outcome"]

    assert outcome(max=20e6) == "pass"
    assert outcome(max=1e6) == "fail"
    assert outcome(min=20e6) == "fail"
    assert outcome(max_ratio=1.2) == "pass"
    assert outcome(min_ratio=0.9) == "pass"
    assert outcome(min_ratio=1.2) == "fail"
    assert outcome(max_ratio=0.9) == "fail"


def test_a_query_with_one_value_per_run_has_an_interval_by_the_noise_between_runs(measured):
    rule = {"query": "job.key_metrics", "column": "step_p50", "max_ratio": 1.02}
    row = verdict(measured.gate("slow", baseline="same-0", rules={"rule": [rule]}))
    assert (row["outcome"], row["low"] is None, row["high"] is None) == ("fail", False, False)
    assert (
        verdict(measured.gate("slow", baseline="same-0", rules={"rule": [{**rule, "max_ratio": 1.2}]}))["outcome"]
        == "pass"
    )


def test_conditions_and_parameters_reach_the_query(measured):
    count = {"query": "step.over_time", "column": "dur", "aggregate": "count", "max": 1000}
    assert verdict(measured.gate("slow", rules={"rule": [count]}))["b"] == 200
    some = {**count, "where": "step < 50 -- the first"}
    assert verdict(measured.gate("slow", rules={"rule": [some]}))["b"] == 50
    for factor, many in ((1e9, False), (1e-9, True)):
        outliers = {**count, "query": "step.outliers", "column": "step", "params": {"factor": factor}}
        assert (verdict(measured.gate("slow", rules={"rule": [outliers]}))["b"] > 0) == many


def test_missing_data_fails_unless_the_rule_allows_it(measured):
    rule = {"query": "utilization.summary", "column": "mean", "min": 50}
    gate = measured.gate("slow", rules={"rule": [rule]})
    assert (gate.passed, gate.exit_code, verdict(gate)["outcome"]) == (False, 6, "no_data")
    assert measured.gate("slow", rules={"inconclusive": "fail", "rule": [rule]}).exit_code == 1
    gate = measured.gate("slow", rules={"rule": [{**rule, "missing": "pass"}]})
    assert (gate.passed, verdict(gate)["outcome"]) == (True, "no_data")
    assert ET.fromstring(gate.to_junit()).find(".//skipped") is not None  # noqa: S314 - our own output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"query": "step.over_tiem"}, "no query `step.over_tiem`; did you mean `step.over_time`"),
        ({"column": "durr"}, "no column `durr`; did you mean `dur`"),
        ({"column": "mode"}, "column `mode` is a text"),
        ({"agregate": "p50"}, "no key `agregate`; did you mean `aggregate`"),
        ({"aggregate": "p500"}, "no aggregate `p500`"),
        ({"params": {"x": 1}}, "no parameter `x`"),
        ({"max_ratio": "2 %"}, '`max_ratio` is "2 %", expected a number'),
        ({"missing": "ignore"}, '`missing` is "ignore", expected "fail" or "pass"'),
    ],
)
def test_an_invalid_rule_is_reported(measured, change, message):
    with pytest.raises(tl.errors.ArgumentError, match=message.replace("`", "`")) as error:
        measured.gate("slow", baseline="main", rules={"rule": [{**MEDIAN, "max_ratio": 1.02, **change}]})
    assert str(error.value).startswith("cannot use rule ")


def test_a_gate_without_rules_or_baseline_is_an_error(measured):
    with pytest.raises(tl.errors.ArgumentError, match="there are no rules"):
        measured.gate("slow")
    with pytest.raises(tl.errors.ArgumentError, match="it needs a baseline, and none is given"):
        measured.gate("slow", max_regression=1.02)
    with pytest.raises(tl.errors.QueryError, match="nonsense"):
        measured.gate("slow", rules={"rule": [{**MEDIAN, "max": 1, "where": "nonsense > 1"}]})
    with pytest.raises(tl.errors.ArgumentError, match='`inconclusive` is "ok", expected one of: report, pass, fail'):
        measured.gate("slow", max_loader_ratio=0.2, inconclusive="ok")
    with pytest.raises(tl.errors.ArgumentError, match="`noise` is -1"):
        measured.gate("slow", max_loader_ratio=0.2, noise=-1)


def test_rules_are_read_from_a_file(measured, tmp_path):
    path = tmp_path / "rules.toml"
    path.write_text(
        'noise = 0.01\n[[rule]]\nquery = "step.over_time"\ncolumn = "dur"\naggregate = "p50"\nmax_ratio = 1.02\n'
    )
    by_file = verdict(measured.gate("slow", baseline="main", rules=path))
    same = verdict(measured.gate("slow", baseline="main", max_regression=1.02, noise=0.01))
    assert (by_file["low"], by_file["high"]) == (same["low"], same["high"])


def test_a_gate_has_the_formats_of_ci(measured):
    rules = {"rule": [{**MEDIAN, "name": '<a> & "b" | c', "max_ratio": 1.02, "max": 1e9}]}
    gate = measured.gate("slow", baseline="main", rules=rules)
    suite = ET.fromstring(gate.to_junit()).find("testsuite")  # noqa: S314 - our own output
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    cases = suite.findall("testcase")
    assert [case.get("name") for case in cases] == ['<a> & "b" | c (max 1000000000)', '<a> & "b" | c (max_ratio 1.02)']
    assert cases[0].find("failure") is None
    assert cases[1].find("failure").get("message") == rows(gate.rows)[1]["sentence"]
    document = json.loads(gate.to_json())
    assert (document["passed"], document["candidate"]) == (False, ["slow"])
    assert [rule["outcome"] for rule in document["rules"]] == ["pass", "fail"]
    assert '| **fail** | <a> & "b" \\| c | ' in gate.to_markdown()
    assert gate.to_text() == repr(gate)
    assert gate.to_text().splitlines()[-1] == "fail: slow against 5 runs (same-0 to same-4), 1 of 2 limits met"
