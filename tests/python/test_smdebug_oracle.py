"""The results of smdebug 1.0.34 for the shared profiles, compared with those of `tracelake.smdebug`.

Every file of the oracle is a test. Where ours differ on purpose, the table of docs/smdebug.md says so. Its last column
names the files. Those have to differ, so that no row becomes outdated. `smdebug_calls` has the calls.
"""

import importlib
import json
import math
import os
import pkgutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import smdebug_calls

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
ORACLE = Path(os.environ.get("TRACELAKE_SHARED", "")) / "oracle" / "sagemaker"
PROFILES = ["pt_small", "real_tf2_plus_system", "real_cprofile"]
INPUTS = ["_info.json", "_errors.json", "s3_requests.json", "timesteps_used.json"]
MODULES = [
    importlib.import_module(f"smdebug_calls.{module.name}") for module in pkgutil.iter_modules(smdebug_calls.__path__)
]


def documented_difference(pattern):
    """Returns names of oracle files; without the oracle, a parameter that is skipped with a message."""
    names = [f"{profile}/{path.name}" for profile in PROFILES for path in sorted((ORACLE / profile).glob(pattern))]
    return [name for name in names if name.split("/")[1] not in INPUTS] or ["pt_small/none"]


def errors():
    """Returns the calls that raised in smdebug."""
    paths = [(profile, ORACLE / profile / "_errors.json") for profile in PROFILES]
    return [f"{name}/{call}" for name, path in paths if path.exists() for call in json.loads(path.read_text())]


def edge_cases():
    """Returns the edge-case profiles, and their calls."""
    path = ORACLE / "edge_cases.json"
    remark = "empty:framework_default_interval_loops"  # and no result
    return [f"edge/{case}" for case in json.loads(path.read_text()) if case != remark] if path.exists() else []


def named_in_table():
    """Returns the oracle files in the last column of docs/smdebug.md."""
    lines = (ROOT / "docs" / "smdebug.md").read_text().splitlines()
    rows = [line.strip().strip("|").split(" | ") for line in lines if line.startswith("| ")]
    head = next(i for i, row in enumerate(rows) if row[0].strip() == "call" and row[-1].strip() == "oracle")
    assert all(len(row) == 4 for row in rows[head:]), [row for row in rows[head:] if len(row) != 4]
    cells = [row[3].strip() for row in rows[head + 2 :]]
    return {name.strip().strip("`") for cell in cells if cell != "-" for name in cell.split(",")}


def call_of(name):
    """Returns the module and the call for the name of an oracle file, or of a call that raised."""
    for module in MODULES:
        for suffix in ["", ".json", ".csv", ".stdout.txt"]:
            if name + suffix in module.CALLS:
                return module, module.CALLS[name + suffix]
    return pytest.fail(f"no module of smdebug_calls answers {name}")


def oracle_form(value):
    """Returns a value in the form of the oracle."""
    if isinstance(value, pd.Series):
        return {"series": [oracle_form(item) for item in value.tolist()]}
    if isinstance(value, dict):
        return {str(key): oracle_form(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [oracle_form(item) for item in value]
    if isinstance(value, np.ndarray):
        return oracle_form(value.tolist())
    return value.item() if isinstance(value, np.generic) else value


def values_equal(ours, theirs):
    """Returns whether two values are equal, floats to a relative 1e-9."""
    if isinstance(theirs, dict):
        return (
            isinstance(ours, dict)
            and ours.keys() == theirs.keys()
            and all(values_equal(ours[k], theirs[k]) for k in theirs)
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(values_equal, ours, theirs))
    if isinstance(theirs, float) or isinstance(ours, float):
        numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (ours, theirs))
        return numbers and (math.isclose(ours, theirs, rel_tol=1e-9) or (math.isnan(ours) and math.isnan(theirs)))
    return type(ours) is type(theirs) and ours == theirs


def read_csv(path):
    """Reads a frame of the oracle; the index is the first column."""
    if path.stat().st_size <= len('""\n'):
        return pd.DataFrame()
    frame = pd.read_csv(path, index_col=0, keep_default_na=False, na_values=[""])
    texts = frame.select_dtypes(exclude="number").columns
    return frame.assign(**{name: frame[name].fillna("") for name in texts})


def same_frames(ours, theirs, leave_out=("tid",)):
    """Checks columns, index, types and values; the type of a column without values is not known."""
    assert isinstance(ours, pd.DataFrame)
    assert [str(name) for name in ours.columns] == [str(name) for name in theirs.columns]
    assert ours.index.tolist() == theirs.index.tolist()
    for i, name in enumerate(theirs.columns):
        if name in leave_out or theirs.iloc[:, i].isna().all():
            continue
        pd.testing.assert_series_equal(ours.iloc[:, i], theirs.iloc[:, i], rtol=1e-9, atol=0, check_names=False)


def compare_plainly(file, expected, result):
    """Compares a file without special rules."""
    if expected.suffix == ".csv":
        same_frames(result, read_csv(expected))
    elif expected.suffix == ".json":
        ours, theirs = oracle_form(result), json.loads(expected.read_text() or "null")
        assert values_equal(ours, theirs), (file, ours, theirs)
    else:
        assert result == expected.read_text()


@pytest.fixture
def data(shared):
    return shared / "data" / "sagemaker"


@pytest.mark.parametrize("name", documented_difference("*.*"))
def test_results_equal_smdebug(name, data):
    profile, file = name.split("/")
    module, call = call_of(file)
    result = call(data / profile)
    expected = ORACLE / profile / file
    compare = getattr(module, "compare", compare_plainly)
    if name not in named_in_table():
        compare(file, expected, result)
        return
    with pytest.raises(AssertionError):
        compare(file, expected, result)
    if corrected := getattr(module, "corrected", None):
        corrected(file, expected, result)


@pytest.mark.parametrize("name", errors())
def test_calls_that_failed_in_smdebug_work(name, data):
    profile, call = name.split("/")
    _, call = call_of(call)
    if name in named_in_table():
        call(data / profile)
    else:
        with pytest.raises(Exception):  # noqa: B017, PT011 - the error type is that of smdebug
            call(data / profile)


@pytest.mark.parametrize("name", edge_cases())
def test_edge_cases_have_the_documented_results(name, data):
    """Runs an edge case; a module's `EDGE` has the expected result by name."""
    case = name.removeprefix("edge/")
    edge = next((module.EDGE[case] for module in MODULES if case in getattr(module, "EDGE", {})), None)
    assert edge is not None, f"no module of smdebug_calls answers {name}"
    expected = json.loads((ORACLE / "edge_cases.json").read_text())[case]
    if case.startswith("f_") and "ok" in expected:
        expected["ok"] = [row[:2] + row[3:] for row in expected["ok"]]  # the threads are salted hashes
    ours = {}

    def call():
        try:
            ours["ok"] = oracle_form(edge(data / "edge"))
        except Exception as error:  # noqa: BLE001 - any error is a result
            ours["raises"] = repr(error)

    printed = smdebug_calls.captured_output(call)
    agree = ours.keys() == expected.keys() - {"stdout"} and (
        "ok" not in ours or values_equal(ours["ok"], expected["ok"])
    )
    agree = agree and printed.strip() == expected.get("stdout", "").strip()
    assert agree == (name not in named_in_table()), (ours, printed, expected)


def test_the_table_names_existing_cases(shared):
    del shared
    assert named_in_table() <= {*documented_difference("*.*"), *errors(), *edge_cases()}
