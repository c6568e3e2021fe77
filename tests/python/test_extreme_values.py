"""Runs with extreme values do not change the results of other runs, and no query or figure fails because of them.

A lake has two good runs, and one run of each kind of extreme_profiles.py. TRACELAKE_EXTREME_SEEDS sets how many times
the random kinds are drawn.
"""

import os
from pathlib import Path

import pytest

import extreme_profiles
import tracelake as tl

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data"
GOOD = {"good sagemaker": DATA / "first_look" / "profiler-output", "good pytorch": DATA / "pytorch_ddp"}
SEEDS = int(os.environ.get("TRACELAKE_EXTREME_SEEDS", "1"))
COMPARES_RUNS = ("fleet", "figure fleet", "loader.scaling", "figure loader_scaling")
"""Beginnings of the names of queries and figures that compare runs."""


def text_of(row):
    """Returns a row as a text: NaN equals itself. The last digits of a double depend on the order of a sum."""
    rounded = {name: float(f"{value:.12g}") if isinstance(value, float) else value for name, value in row.items()}
    return repr({name: value for name, value in rounded.items() if not name.startswith("fleet_")})


def rows_of_good_runs(frame):
    """Returns the rows of the good runs in any order, without the columns about all runs."""
    return sorted(text_of(row) for row in frame.rows() if row.get("run") in GOOD)


def results(session):
    """Returns the rows of the good runs in each query, figure and finding, and the errors."""
    rows, errors = {}, {}
    for row in session.sql("select name from help_queries").rows():
        name = row["name"]
        try:
            rows[name] = rows_of_good_runs(session.query(name))
        except tl.TracelakeError as error:
            errors[name] = f"{type(error).__name__}: {error}"
    for name in session.figures():
        try:
            for number, frame in enumerate(session.figure(name).frames):
                rows[f"figure {name}, {number}"] = rows_of_good_runs(frame)
        except tl.TracelakeError as error:
            errors[f"figure {name}"] = f"{type(error).__name__}: {error}"
    diagnosis = session.diagnose()
    rows["diagnose"] = rows_of_good_runs(diagnosis.frame)
    rows["verdict"] = sorted(repr(verdict) for verdict in diagnosis.verdicts if verdict.run in GOOD)
    return rows, errors


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The results in a lake of only the good runs."""
    with tl.open(tmp_path_factory.mktemp("good") / "lake", create=True) as session:
        for run, path in GOOD.items():
            session.ingest(path, run=run, progress=False)
        return results(session)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_results_of_good_runs_do_not_change(seed, expected, tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        for run, path in {**GOOD, **extreme_profiles.write_all(tmp_path / "extreme", seed)}.items():
            session.ingest(path, run=run, progress=False)
        rows, errors = results(session)
    assert errors == expected[1]
    changed = {
        name: (expected[0][name], changed)
        for name, changed in rows.items()
        if not name.startswith(COMPARES_RUNS) and changed != expected[0][name]
    }
    assert not changed
    assert len(rows) > 150


def test_queries_of_a_lake_without_events_succeed(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(DATA / "loader_timings", run="r", progress=False)
        assert not results(session)[1]


def test_sums_that_do_not_fit_are_not_negative(tmp_path):
    runs = ("long_first_steps", "long_waits", "many_calls")
    paths = extreme_profiles.write_all(tmp_path / "extreme", 0)
    negative = set()
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in runs:
            session.ingest(paths[run], run=run, progress=False)
        for query in session.sql("select name from help_queries").rows():
            for row in session.query(query["name"]).rows():
                negative |= {
                    (query["name"], column)
                    for column, value in row.items()
                    if isinstance(value, (int, float)) and value < 0
                }
        ratios = session.sql("select loader_ratio from run where loader_ratio is not null").rows()
        assert all(0 < row["loader_ratio"] <= 1 for row in ratios)
    # Changes have a sign.
    assert negative <= {("fleet.trend", "relative_change"), ("memory.bandwidth", "change_bytes_per_s")}
