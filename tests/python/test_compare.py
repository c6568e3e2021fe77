"""Comparison of runs: ratios and intervals against independent computations, names of sides, and the figure."""

import json
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tracelake as tl
from sagemaker_raw import rows
from step_profile import durations, write

RUNS = {"before": 1.0, "again": 1.0, "slow": 1.05}


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A lake of runs with 200 steps, and their durations in ns."""
    folder = tmp_path_factory.mktemp("compared")
    rng = np.random.default_rng(5)
    durs = {run: durations(rng, factor=factor) for run, factor in RUNS.items()}
    with tl.open(folder / "lake", create=True) as session:
        for run, values in durs.items():
            write(folder / run, values)
            session.ingest(folder / run, run=run, tags={"commit": "c2" if run == "slow" else "c1"}, progress=False)
        yield session, {run: values * 1000.0 for run, values in durs.items()}


def t_quantile(confidence, free):
    """Returns Student's quantile by integrating the density, independently of the tested code."""
    x = np.linspace(0, 60, 2_000_001)
    density = (1 + x**2 / free) ** (-(free + 1) / 2)
    density *= math.gamma((free + 1) / 2) / math.sqrt(free * math.pi) / math.gamma(free / 2)
    share = np.concatenate([[0], np.cumsum((density[1:] + density[:-1]) / 2 * (x[1] - x[0]))]) * 2
    return float(np.interp(confidence, share, x))


def order_statistics(values, share, z=1.96234):
    """Returns the ends of the interval of a percentile, and the percentile."""
    ordered, n = np.sort(values), len(values)
    reach = z * math.sqrt(n * share * (1 - share))
    low, high = math.ceil(n * share - reach), math.ceil(n * share + reach)
    return ordered[low - 1], np.quantile(values, share), ordered[high - 1]


def expected(a, b, share, noise=0.005):
    """Computes ratio and interval of a percentile of two runs independently."""
    (low_a, at_a, high_a), (low_b, at_b, high_b) = order_statistics(a, share), order_statistics(b, share)
    between = 2 * (t_quantile(0.95, 4) * noise) ** 2
    down = math.sqrt(math.log(at_b / low_b) ** 2 + math.log(high_a / at_a) ** 2 + between)
    up = math.sqrt(math.log(high_b / at_b) ** 2 + math.log(at_a / low_a) ** 2 + between)
    ratio = at_b / at_a
    return ratio, ratio * math.exp(-down), ratio * math.exp(up)


def steps(frame):
    """Returns the rows of steps by statistic."""
    return {row["statistic"]: row for row in rows(frame) if row["subject"] == "step"}


@pytest.mark.parametrize("b", ["again", "slow"])
def test_intervals_equal_a_computation_by_hand(measured, b):
    session, durs = measured
    actual = steps(session.compare("before", b))
    for statistic, share in (("p50", 0.5), ("p95", 0.95)):
        row = actual[statistic]
        assert (row["ratio"], row["low"], row["high"]) == pytest.approx(
            expected(durs["before"], durs[b], share), rel=2e-5
        )
        assert row["significant"] == (row["low"] > 1 or row["high"] < 1)
        assert row["contribution"] == row["change"] == pytest.approx(row["b"] - row["a"])
    assert actual["mean"]["a"] == pytest.approx(durs["before"].mean())


def test_the_interval_is_as_wide_as_a_bootstrap_interval(measured):
    """Without noise between runs, the interval is the scatter of the steps, which a bootstrap shows."""
    session, durs = measured
    [row] = [row for row in rows(session.compare("before", "slow", noise=0.0)) if row["statistic"] == "p50"]
    rng = np.random.default_rng(11)

    def medians(values):
        return np.median(rng.choice(values, (4000, len(values))), axis=1)

    low, high = np.quantile(medians(durs["slow"]) / medians(durs["before"]), [0.025, 0.975])
    assert (row["high"] - row["low"]) == pytest.approx(high - low, rel=0.3)


def test_a_change_of_five_percent_is_detected_and_noise_is_not(measured):
    session, _ = measured
    assert steps(session.compare("before", "again"))["p50"]["kind"] == "same"
    assert steps(session.compare("before", "slow"))["p50"]["kind"] == "slower"
    assert steps(session.compare("slow", "before"))["p50"]["kind"] == "faster"


def test_sides_can_be_runs_lists_patterns_conditions_and_baselines(measured):
    session, _ = measured
    assert session.group("commit=c1") == ["again", "before"]
    assert session.group(["*o*", "again"]) == ["again", "before", "slow"]
    session.set_baseline("main", ["before", "again"])
    session.set_baseline("main", "commit=c1")
    assert session.baselines() == {"main": ["again", "before"]}
    for side in ("main", ["before", "again"], "commit=c1", "*a*"):
        row = steps(session.compare(side if side != "*a*" else ["again", "bef*"], "slow"))["p50"]
        assert (row["runs_a"], row["runs_b"]) == (2, 1)
    with pytest.raises(tl.errors.NotFoundError, match="no run or baseline `befor`; did you mean `before`"):
        session.compare("befor", "slow")
    with pytest.raises(tl.errors.NotFoundError, match="no run matches `commit=c3`"):
        session.compare("commit=c3", "slow")
    with pytest.raises(tl.errors.ArgumentError, match="a run has this name"):
        session.set_baseline("slow", "before")


def test_several_runs_measure_the_noise_between_them(measured):
    """Computes the spread of two runs independently: without the scatter within runs, plus the assumed noise."""
    session, durs = measured
    row = steps(session.compare(["before", "again"], "slow"))["p50"]
    of_a = [order_statistics(durs[run], 0.5) for run in ("before", "again")]
    low_b, at_b, high_b = order_statistics(durs["slow"], 0.5)
    mean = np.mean([estimate for _, estimate, _ in of_a])
    within = sum((math.log(high / low) / 2 / 1.96234) ** 2 for low, _, high in of_a) / 2
    spread = max(sum((estimate / mean - 1) ** 2 for _, estimate, _ in of_a) - within, 0)
    between = t_quantile(0.95, 5) ** 2 * (4 * 0.005**2 + spread) / 5 * 1.5
    up_a = sum((estimate / mean / 2 * math.log(high / estimate)) ** 2 for _, estimate, high in of_a)
    down_a = sum((estimate / mean / 2 * math.log(estimate / low)) ** 2 for low, estimate, _ in of_a)
    down, up = math.log(at_b / low_b) ** 2 + up_a + between, math.log(high_b / at_b) ** 2 + down_a + between
    assert row["a"] == pytest.approx(mean)
    by_hand = (at_b / mean * math.exp(-math.sqrt(down)), at_b / mean * math.exp(math.sqrt(up)))
    assert (row["low"], row["high"]) == pytest.approx(by_hand, rel=2e-5)


def test_sql_and_the_canned_query_agree(measured):
    session, _ = measured
    by_method = rows(session.compare("before", "slow"))
    assert rows(session.change.report(a=["before"], b=["slow"])) == by_method
    text = "select * from change_report(['before'], ['slow'])"
    order = "order by run, contribution desc, subject, name, statistic, unit"
    assert rows(session.sql(f"{text} {order}")) == by_method
    every = session.sql("select distinct run from change_steps(['before']) order by run")
    assert [row["run"] for row in rows(every)] == ["again", "before", "slow"]


def test_roles_add_up_to_the_mean_step(measured):
    session, _ = measured
    actual = rows(session.change.roles(a=["before"], b=["slow"]))
    mean = steps(session.compare("before", "slow"))["mean"]
    assert sum(row["contribution"] for row in actual) == pytest.approx(mean["change"])


def test_recordings_of_a_run_can_be_sides(measured):
    session, _ = measured
    row = steps(session.compare("before", "before", a_span=0, b_span=0))["p50"]
    assert (row["ratio"], row["kind"]) == (1.0, "same")
    assert rows(session.compare("before", "before", a_span=0, b_span=7)) == []


def test_an_invalid_noise_is_reported(measured):
    session, _ = measured
    with pytest.raises(tl.errors.TracelakeError, match="argument `noise`: -1 is less than 0"):
        rows(session.compare("before", "slow", noise=-1.0))
    with pytest.raises(tl.errors.TracelakeError, match="the confidence is 1"):
        rows(session.compare("before", "slow", confidence=1.0))


def test_the_figure_adds_up_from_one_mean_step_to_the_other(measured):
    session, durs = measured
    plot = json.loads(session.figure("comparison", a=["before"], b=["slow"]).to_json())
    whole = next(trace for trace in plot["data"] if trace["name"] == "whole step")
    assert whole["x"][0] == pytest.approx(durs["before"].mean() / 1e6)
    assert whole["x"][-1] == pytest.approx(durs["slow"].mean() / 1e6)


def test_recordings_without_steps_are_compared_by_batch(tmp_path):
    recorded = Path(__file__).parents[1] / "data/recorder"
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("w0", "w4"):
            session.ingest(recorded / run, run=run, progress=False)
        calls = "select run, dur, compute_dur from loader where kind = 'next' and compute_dur is not null"
        frame = session.sql(calls).to_pandas()
        loads = {run: run_rows["dur"].to_numpy(float) for run, run_rows in frame.groupby("run")}
        whole = {
            run: (run_rows["dur"] + run_rows["compute_dur"]).to_numpy(float) for run, run_rows in frame.groupby("run")
        }
        row = steps(session.compare("w0", "w4"))["p50"]
        assert (row["name"], row["kind"]) == ("batch", "faster")
        assert [row["a"], row["b"]] == pytest.approx([np.quantile(whole[run], 0.5) for run in ("w0", "w4")])
        roles = {row["name"]: row["contribution"] for row in rows(session.change.roles(a=["w0"], b=["w4"]))}
        assert set(roles) == {"loader", "other"}
        assert sum(roles.values()) == pytest.approx(whole["w4"].mean() - whole["w0"].mean())
        assert roles["loader"] == pytest.approx(loads["w4"].mean() - loads["w0"].mean())
        metrics = {row["run"]: row for row in rows(session.sql("select run, step_p50, loader_ratio from run"))}
        for run in ("w0", "w4"):
            assert metrics[run]["step_p50"] == pytest.approx(np.quantile(whole[run], 0.5))
            assert metrics[run]["loader_ratio"] == pytest.approx(loads[run].sum() / whole[run].sum())
        assert not session.gate("w0", max_loader_ratio=0.5).passed
        assert session.gate("w4", max_loader_ratio=0.5).passed


def test_a_run_can_have_a_comma_in_its_name(tmp_path, profile):
    lake = tmp_path / "lake"
    with tl.open(lake, create=True) as session:
        for run in ("a,b", "c"):
            session.ingest(profile, run=run, progress=False)
    for words, expected in [
        (["compare", r"a\,b", "c"], "a,b"),
        (["compare", r"c, a\,b", "c"], "a,b"),
        (["gate", "--baseline", "c", "--candidate", r"a\,b", "--max-regression", "2"], "a,b"),
        (["query", "step.duration", "--run", "a,b"], "a,b"),
        (["diagnose", "--run", "a,b"], "a,b"),
        (["report", r"a\,b", "c", "-o", str(tmp_path / "page.html")], ""),
        (["tag", "a,b", "team=red"], ""),
        (["rename", "a,b", "d,e"], ""),
        (["runs"], "d,e"),
        (["delete", "d,e"], ""),
    ]:
        command = [sys.executable, "-m", "tracelake", "--lake", lake, *words]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (words, done.stderr)
        assert expected in done.stdout + done.stderr, words
