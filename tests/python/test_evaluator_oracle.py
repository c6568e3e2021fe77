"""Compares files of our own `LoaderEvaluator` with the program that computed the oracle for NVIDIA DALI's."""

import importlib.util
import json
import time

import pytest

from slow_loader import DataLoader, Items
from test_loader_oracle import UNANSWERED, Answers, is_same, leaves, matches, our_value
from tracelake import record

# the program does not close its files
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


def write_logs(folder):
    """Writes the input files of the oracle with our evaluator: log, replay, an early exit, no pass."""
    folder.mkdir(parents=True)
    loader = lambda: DataLoader(Items(80, 0.001, time.sleep), 4)  # noqa: E731
    step = lambda _: time.sleep(0.002)  # noqa: E731
    wall = {}
    for mode in ("log", "replay"):
        begun = time.monotonic()
        evaluator = record.LoaderEvaluator(loader(), mode=mode, num_cached_batches=5)
        wall[f"{mode}_nw0_construct_s"] = time.monotonic() - begun
        record.train_one_epoch(step, evaluator, log_file=folder / f"{mode}_nw0.json")
        wall[f"{mode}_nw0_items_loaded_in_ctor"] = evaluator.dataset.served
    early = record.LoaderEvaluator(loader())
    for number, _ in enumerate(early):
        if number == 4:
            break
    early.save_metrics(folder / "log_early_break.json")
    with pytest.warns(RuntimeWarning, match="no batch was drawn"):
        record.LoaderEvaluator(loader()).save_metrics(folder / "log_never_iterated.json")
    (folder / "_epoch_wall_times.json").write_text(json.dumps(wall))


@pytest.fixture(scope="module")
def computed(shared, tmp_path_factory):
    """Returns the program's results for our files, and our results."""
    folder = tmp_path_factory.mktemp("evaluated")
    write_logs(folder / "dali")
    spec = importlib.util.spec_from_file_location("loader_expected", shared / "tools" / "loader_expected.py")
    program = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(program)
    program.DATA = str(folder)
    # A batch of exactly twice the median is an outlier: without rounding, floating point decides.
    percentile = program.pct
    program.pct = lambda times, part: round(percentile(times, part), 15)
    return {"dali": program.dali()}, {"dali": Answers(folder / "dali")}


def test_every_number_equals_that_of_an_independent_program(computed):
    expected, answers = computed
    compared, wrong = 0, []
    for path, theirs in leaves(expected):
        # only the program compares passes of different length
        if any(matches(path, known) for known in UNANSWERED) or path[2] == "log_early_break|replay_nw0":
            continue
        compared += 1
        if not is_same(theirs, mine := our_value(answers, path), path):
            wrong.append(f"{path}: expected {theirs!r}, got {mine!r}")
    assert not wrong, "\n".join(wrong)
    assert compared > 80


def test_files_have_the_keys_of_dali(computed, shared):
    expected, _ = computed
    theirs = json.loads((shared / "oracle" / "loader" / "expected.json").read_text())
    for file, metrics in expected["dali"]["files"].items():
        assert metrics["keys"] == theirs["dali"]["files"][file]["keys"], file


def test_our_files_have_none_of_the_faults_of_dali(computed):
    files = computed[0]["dali"]["files"]
    assert [name for name, file in files.items() if not file.get("total_time_usable")] == ["log_never_iterated.json"]
    assert all(all(file["self_consistent"].values()) for file in files.values() if file["keys"])
