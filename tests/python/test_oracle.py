"""Compares the results of another tool for a real profile with our queries, number by number.

`tests/oracle/sagemaker_real_tf2.json` says which query gives which of its results. `tests/oracle/sagemaker.md` says why
the others have no query.
"""

import csv
import json
import math
from pathlib import Path

import pytest

import tracelake as tl

COMPARISONS = json.loads((Path(__file__).parents[1] / "oracle" / "sagemaker_real_tf2.json").read_text())
RUN = "real_tf2_plus_system"


@pytest.fixture(scope="module")
def real(shared):
    with tl.open(shared / "data" / "sagemaker" / RUN, ephemeral=True) as session:
        yield session


def expected_rows(path):
    """Returns the rows of a result; an object of scalars, or of series with one value, is one row."""
    if path.suffix == ".json":
        values = json.loads(path.read_text())
        return [{key: value["series"][0] if isinstance(value, dict) else value for key, value in values.items()}]
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def values_equal(ours, theirs, relative):
    if ours is None:
        return theirs in ("", None) or (isinstance(theirs, float) and math.isnan(theirs))
    if isinstance(ours, (int, float)) and not isinstance(ours, bool):
        if theirs in ("", None):
            return False
        return math.isclose(ours, float(theirs), rel_tol=relative, abs_tol=0)
    return str(ours) == str(theirs)


def key(row, columns):
    """Returns a sort key for texts and numbers."""

    def comparable(value):
        if value in (None, ""):
            return (0, 0.0, "")
        try:
            return (1, float(value), "")
        except ValueError:
            return (2, 0.0, value)

    return [comparable(row[column]) for column in columns]


@pytest.mark.parametrize("entry", COMPARISONS, ids=lambda entry: entry["oracle_file"])
def test_results_equal_the_original(real, shared, entry):
    theirs = expected_rows(shared / "oracle" / "sagemaker" / RUN / entry["oracle_file"])
    for column, values in entry.get("oracle_where", {}).items():
        theirs = [row for row in theirs if row[column] in values]
    ours = list(real.sql(entry["query"]))
    columns = entry["exact"] + entry.get("close", [])
    if "sort" in entry.get("note", ""):
        ours.sort(key=lambda row: key(row, columns))
        theirs.sort(key=lambda row: key(row, columns))
    assert len(ours) == len(theirs)
    # one result is an empty frame, because no framework events were recorded in those five seconds
    assert ours or entry["oracle_file"] == "get_profiler_data_by_time__framework.csv"
    for row, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        for column in columns:
            relative = entry["relative_tolerance"] if column in entry.get("close", []) else 0.0
            assert values_equal(mine[column], other[column], relative), (
                f"row {row}, {column}: {mine[column]} != {other[column]}"
            )


def test_well_known_numbers_are_reproduced(real):
    """Checks durations of the steps, the five phases, and both ends of the job: ns here, us x 1000 there."""
    assert len(real.table("sample").to_arrow()) == 2380
    assert len(real.table("event").to_arrow()) == 702
    steps = {row["mode"]: row for row in list(real.step.duration())}
    us = ["dur_mean", "dur_min", "dur_max", "dur_p50", "dur_p95", "dur_p99"]
    assert [round(steps["train"][name] / 1000, 2) for name in us] == [
        382186.1,
        83633,
        9020725,
        84234.5,
        85985.45,
        6429984.48,
    ]
    assert [round(steps["eval"][name] / 1000, 2) for name in us] == [
        430456.2,
        160071,
        2841712,
        162354,
        1637624.95,
        2600894.59,
    ]
    overview = next(iter(real.job.overview()))
    assert (overview["init_dur"], overview["final_dur"]) == (7_581_718_000, 34_794_583_000)
    assert overview["init_dur"] + overview["loop_dur"] + overview["final_dur"] == overview["dur"]
    phases = [(row["phase"], row["dur"]) for row in list(real.job.phases())]
    assert phases == [
        ("before train", 7_581_718_000),
        ("train", 11_808_369_000),
        ("between train and eval", 214_166_000),
        ("eval", 4_605_964_000),
        ("after eval", 34_794_583_000),
    ]
