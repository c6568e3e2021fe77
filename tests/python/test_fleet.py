"""Queries over many runs, compared with brute force in Python."""

import importlib.util
import random
import re
from collections import defaultdict
from pathlib import Path
from statistics import median

import pytest

import fleet_lake
import tracelake as tl

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SEEDS, RUNS, AT = 100, 60, 40


def generator():
    """The module that writes a fleet of traces."""
    spec = importlib.util.spec_from_file_location("fleet", ROOT / "tests" / "gen" / "fleet.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def noisy(tmp_path_factory):
    """A hundred series with 1 % noise: `step_p50` has no change, `step_p95` is 5 % higher from run `AT` on."""
    runs = {}
    for seed in range(SEEDS):
        chance = random.Random(seed)
        for place in range(RUNS):
            quiet, shifted = (10e6 * chance.gauss(1, 0.01) for _ in range(2))
            runs[f"s{seed:02}-{place:02}"] = {
                "step_p50": quiet,
                "step_p95": shifted * (1.05 if place >= AT else 1),
                "attributes": {"model": f"{seed:02}", "commit": str(RUNS - place)},
            }
    with tl.open(fleet_lake.write(tmp_path_factory.mktemp("noisy") / "lake", runs)) as session:
        yield runs, session


def series(runs, figure):
    """Returns the values of each seed, in the order of the runs."""
    values = defaultdict(list)
    for run, figures in runs.items():
        values[run[1:3]].append((run, figures[figure]))
    return values


def test_noise_alone_is_rarely_a_change(noisy):
    _, s = noisy
    regressions = list(s.fleet.regressions(series="model", min_change=0.0).rows())
    assert len({row["series"] for row in regressions}) <= 5


def test_a_shift_of_5_percent_is_found_at_its_run(noisy):
    runs, s = noisy
    values = series(runs, "step_p95")
    regressions = defaultdict(list)
    for row in s.fleet.regressions(metric="step_p95", series="model").rows():
        regressions[row["series"]].append(row)
    right = 0
    for seed, rows in regressions.items():
        near = [row for row in rows if abs(row["position"] - 1 - AT) <= 1]
        right += len(near) == 1 == len(rows)
        for row in near if len(rows) == 1 else []:
            # before and after are computed independently, and no other position separates the runs better
            own = [value for _, value in values[seed]]
            cut = row["position"] - 1
            assert row["run"] == values[seed][cut][0]
            assert row["previous"] == values[seed][cut - 1][0]
            assert row["before"] == pytest.approx(median(own[:cut]))
            assert row["after"] == pytest.approx(median(own[cut:]))
            assert row["relative_change"] == pytest.approx(row["after"] / row["before"] - 1)
            assert (row["runs_before"], row["runs_after"]) == (cut, RUNS - cut)
            assert row["worse"] is True
            best = min(distances(own, place) for place in range(5, RUNS - 4))
            assert distances(own, cut) == pytest.approx(best, rel=0.02)
    assert right >= 95, right


def distances(values, cut):
    """Returns the sum of the distances from the medians on both sides."""
    sides = (values[:cut], values[cut:])
    return sum(abs(value - median(side)) for side in sides for value in side)


def test_runs_are_ordered_by_an_attribute(noisy):
    _, s = noisy
    rows = list(s.fleet.regressions(metric="step_p95", series="model", order_by="commit").rows())
    # in reverse order, the step becomes faster, and the change is at the last run before it
    near = [row for row in rows if abs(row["position"] - 1 - (RUNS - AT)) <= 1]
    assert len(near) >= 95
    assert not any(row["worse"] for row in near)


def test_the_trend_compares_with_earlier_runs(noisy):
    runs, s = noisy
    rows = list(s.fleet.trend(series="model", window=7).rows())
    assert len(rows) == len(runs)
    for seed, own in series(runs, "step_p50").items():
        mine = [row for row in rows if row["series"] == seed]
        for place, (row, (run, value)) in enumerate(zip(mine, own, strict=True)):
            assert (row["run"], row["position"]) == (run, place + 1)
            assert row["value"] == pytest.approx(value)
            before = [value for _, value in own[max(place - 7, 0) : place]]
            assert row["median"] == (pytest.approx(median(before)) if before else None)
            if before:
                assert row["relative_change"] == pytest.approx(value / median(before) - 1)


def test_waste_adds_up(tmp_path):
    traced = {"gpu_s": 100.0, "idle_s": 60.0, "idle_loader_s": 30.0, "idle_communication_s": 10.0, "idle_other_s": 20.0}
    sampled = {"gpu_s": 300.0, "idle_s": 150.0, "idle_loader_s": 50.0}
    runs = {"traced": traced, "sampled": sampled, "nothing": {}, "busy": {"gpu_s": 100.0, "idle_s": 0.0}}
    with tl.open(fleet_lake.write(tmp_path / "lake", runs)) as s:
        rows = list(s.fleet.waste().rows())
        assert {(row["run"], row["idle_cause"]): row["idle_s"] for row in rows} == {
            ("traced", "loader"): 30.0,
            ("traced", "communication"): 10.0,
            ("traced", "other"): 20.0,
            ("sampled", "loader"): 50.0,
            ("sampled", "unknown"): 100.0,
        }
        fleet = {row["idle_cause"]: (row["fleet_s"], row["fleet_ratio"]) for row in rows}
        assert fleet["loader"] == (80.0, pytest.approx(80 / 500))
        assert fleet["unknown"] == (100.0, pytest.approx(100 / 500))
        assert "waiting for data" in s.figure("fleet_waste").to_html()


def test_figures_show_the_generated_values(tmp_path):
    """Ingests a few traces with known shares: 20 % waiting, 50 % computing, 10 % reducing."""
    fleet = generator()
    fleet.write(tmp_path / "in", runs=6, shift_run=6, shift=0.0, noise=0.01, seed=1)
    with tl.open(tmp_path / "lake", create=True) as s:
        s.ingest(f"{tmp_path}/in/*.json", tags={"team": "vision"})
        rows = list(s.fleet.runs(attribute="commit").rows())
        assert [row["gpus"] for row in rows] == [1, 2, 1, 2, 1, 2]
        for row in rows:
            assert row["attribute_value"] == "c00000"
            assert '"team":"vision"' in row["attributes"]
            assert row["gpu_idle_ratio"] == pytest.approx(0.5, abs=1e-4)
            assert row["gpu_idle_loader_ratio"] == pytest.approx(0.2, abs=1e-4)
            assert row["gpu_idle_communication_ratio"] == pytest.approx(0.1, abs=1e-4)
            assert row["gpu_idle_other_ratio"] == pytest.approx(0.2, abs=1e-4)
            assert row["gpu_s"] == pytest.approx(row["gpus"] * row["recorded_s"])
            assert row["recorded_s"] == pytest.approx(3 * row["step_p50"] / 1e9, rel=0.02)


def test_no_data_file_is_read(tmp_path):
    """Queries over runs work although every data file was deleted."""
    generator().write(tmp_path / "in", runs=3, shift_run=3, shift=0.0, noise=0.01, seed=1)
    with tl.open(tmp_path / "lake", create=True) as s:
        s.ingest(f"{tmp_path}/in/*.json")
    for part in (tmp_path / "lake").rglob("*.parquet"):
        part.unlink()
    with tl.open(tmp_path / "lake") as s:
        assert len(s.fleet.runs(attribute="model")) == 3
        assert len(s.fleet.trend(series="model")) == 3
        assert len(s.fleet.regressions(max_p=1.0, min_runs=1, min_change=0.0)) > 0
        assert len(s.fleet.waste()) == 9


def blocks(page):
    """Returns the SQL blocks of a page."""
    return re.findall(r"```sql\n(.*?)```", (ROOT / "docs" / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("block", range(len(blocks("fleet.md"))))
def test_the_sql_of_the_page_gives_rows(noisy, block):
    _, s = noisy
    for statement in filter(str.strip, blocks("fleet.md")[block].split(";")):
        assert s.sql(statement).to_arrow().num_columns > 1
