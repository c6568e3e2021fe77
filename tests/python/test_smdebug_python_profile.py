"""Python profiles of `tracelake.smdebug`: intended differences from smdebug, and copies from S3."""

import marshal
import os
import pstats
import shutil

import pandas as pd
import pytest

from tracelake.smdebug.profiler.analysis.python_profile_analysis import (
    PyinstrumentAnalysis,
    PythonProfileAnalysis,
    cProfileAnalysis,
)
from tracelake.smdebug.profiler.analysis.python_stats_reader import LocalPythonStatsReader, S3PythonStatsReader
from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import (
    Metrics,
    StepPythonProfileStats,
    cProfileStats,
)
from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes as Modes
from tracelake.smdebug.profiler.python_profile_utils import StepPhase, str_to_python_profile_mode

ONE, TWO, OPEN = ("a.py", 1, "one"), ("a.py", 5, "two"), ("~", 0, "<built-in method io.open>")
TREE = '{"sample_count": 1, "root_frame": {"function": "f", "file_path": "a", "line_no": 1, "time": 1, "children": []}}'


def phase_folder(start, end):
    """Returns the name of a folder: mode, step, phase and us of both ends."""
    return "_".join(edge.replace(" ", "-") for edge in (start, end))


@pytest.fixture
def folder(tmp_path):
    """A folder of a profiler, and a function that adds a dump of `ONE` with a number of calls."""
    root = tmp_path / "job" / "framework" / "pytorch" / "cprofile"
    root.mkdir(parents=True)

    def put(start, end, calls=1, node="0-algo-1", name="python_stats", content=None):
        path = root / node / phase_folder(start, end) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        stats = {
            ONE: (calls, calls, 0.5 * calls, 1.0 * calls, {}),
            OPEN: (calls, calls, 0.5 * calls, 0.5 * calls, {ONE: (calls, calls, 0.5 * calls, 0.5 * calls)}),
        }
        path.write_bytes(content or marshal.dumps(stats))
        return path

    return root, put


def calls(stats):
    return vars(stats.ps)["stats"][ONE][1]


def test_a_profile_that_contains_the_interval_overlaps_it(folder):
    root, put = folder
    put("train 1 stepstart 1000000.0", "train 1 stepend 5000000.0")
    analysis = cProfileAnalysis(root)
    assert calls(analysis.fetch_profile_stats_by_time(2, 3)) == 1
    assert calls(analysis.fetch_profile_stats_by_time(5, 9)) == 1
    assert calls(analysis.fetch_profile_stats_by_time(0, 1)) == 1
    assert analysis.fetch_profile_stats_by_time(5.1, 9) is None
    assert analysis.fetch_profile_stats_by_time(0, 0.9) is None


def test_phases_of_a_job_have_all_pairs_of_modes(folder):
    root, put = folder
    put("prestepzero * start 1.0", "train 0 stepstart 2.0", 1)
    put("prestepzero * start 1.5", "eval 0 stepstart 2.0", 2)
    put("train 0 stepstart 3.0", "eval 0 stepend 4.0", 4)
    put("train 1 stepstart 4.0", "train 1 stepend 5.0", 8)
    put("train 2 stepend 6.0", "posthookclose * end 7.0", 16)
    put("eval 2 stepend 6.0", "posthookclose * end 7.0", 32)
    analysis = cProfileAnalysis(root)
    phases = analysis.fetch_profile_stats_by_job_phase()
    assert {phase: calls(stats) for phase, stats in phases.items()} == {
        "initialization": 3,
        "training_loop": 12,
        "finalization": 48,
    }
    pairs = analysis.fetch_profile_stats_by_training_phase(refresh_stats=False)
    assert len(pairs) == 6
    assert calls(pairs[Modes.EVAL, Modes.POST_HOOK_CLOSE]) == 32
    assert calls(analysis.fetch_pre_step_zero_profile_stats()) == 3
    assert calls(analysis.fetch_post_hook_close_profile_stats()) == 48


def test_function_stats_are_a_frame_of_their_attributes(folder):
    root, put = folder
    put("train 1 stepstart 1.0", "train 1 stepend 5.0", 2)
    stats = cProfileAnalysis(str(root)).fetch_profile_stats_by_step(1)
    frame = stats.get_function_stats()
    assert frame.columns.tolist() == [*vars(stats.function_stats_list[0])]
    assert frame.to_numpy().tolist() == [
        ["a.py:1(one)", 2, 2, 1.0, 2.0, []],
        ["{built-in method io.open}", 2, 2, 1.0, 1.0, ["a.py:1(one)"]],
    ]
    assert "'# of total calls': 2" in repr(stats.function_stats_list[0])
    assert cProfileStats(pstats.Stats()).get_function_stats().columns.tolist() == frame.columns.tolist()


def test_both_names_print_the_top_functions(folder, capsys):
    root, put = folder
    path = put("train 1 stepstart 1.0", "train 1 stepend 5.0")
    stats = cProfileAnalysis(root).fetch_profile_stats_by_step(1)
    stats.print_top_n_functions(Metrics.CUMULATIVE_TIME, n=1)
    printed = capsys.readouterr().out
    stats.print_top_n_function(by=Metrics.CUMULATIVE_TIME, n=1)
    assert capsys.readouterr().out == printed
    pstats.Stats(str(path)).sort_stats("cumtime").print_stats(1)
    assert capsys.readouterr().out == printed
    with pytest.raises(AssertionError, match="Metrics"):
        stats.print_top_n_functions("cumtime")
    with pytest.raises(AssertionError, match="integer"):
        stats.print_top_n_functions(Metrics.TOTAL_TIME, n=1.5)


def test_profiles_are_added_as_pstats_adds_them(folder, capsys):
    root, put = folder
    paths = [put(f"train {n} stepstart {n}.0", f"train {n} stepend {n}.5", n) for n in (1, 2, 3)]
    extra = {TWO: (1, 3, 0.25, 0.5, {TWO: (2, 1, 0.125, 0.25), ONE: (1, 1, 0.125, 0.25)}), ONE: (1, 1, 0.5, 1.0, {})}
    paths.append(put("train 4 stepstart 4.0", "train 4 stepend 4.5", content=marshal.dumps(extra)))
    ours = cProfileAnalysis(root).fetch_profile_stats_by_step(1, 4).ps
    theirs = pstats.Stats()
    for path in paths:
        theirs.add(str(path))
    assert list(vars(ours)["stats"].items()) == list(vars(theirs)["stats"].items())
    for name in ("files", "total_calls", "prim_calls", "total_tt", "top_level", "max_name_len"):
        assert vars(ours)[name] == vars(theirs)[name], name
    ours.sort_stats("ncalls").print_callers()
    printed = capsys.readouterr().out
    theirs.sort_stats("ncalls").print_callers()
    assert capsys.readouterr().out == printed


def test_pages_and_trees_can_be_missing(folder):
    root, put = folder
    names = [("train 1 stepstart 1.0", "train 1 stepend 2.0"), ("train 2 stepstart 2.0", "train 2 stepend 3.0")]
    put(*names[0], name="python_stats.json", content=TREE.encode())
    put(*names[0], node="1-algo-1", name="python_stats.json", content=TREE.encode())
    put(*names[0], node="1-algo-1", name="python_stats.html", content=b"<html></html>")
    put(*names[1], name="python_stats.html", content=b"<html></html>")
    analysis = PyinstrumentAnalysis(root)
    assert analysis.list_available_node_ids() == ["0-algo-1", "1-algo-1"]
    [one] = analysis.fetch_profile_stats_by_step(1, 2)
    assert (one.html_file_path, one.json_stats["root_frame"]["function"]) == (None, "f")
    [two] = analysis.fetch_profile_stats_by_step(1, 2, node_id="1-algo-1")
    assert two.html_file_path.endswith("python_stats.html")


def test_other_files_are_skipped(folder):
    root, put = folder
    path = put("train 1 stepstart 1.0", "train 1 stepend 2.0")
    (root / "README").write_text("no folder of a process")
    (root / "0-algo-1" / "note.txt").write_text("no folder of a profile")
    (path.parent / "other").write_text("no profile")
    (root / "0-algo-1" / "odd").mkdir()
    shutil.copy(path, root / "0-algo-1" / "odd" / "python_stats")
    actual = PythonProfileAnalysis(f"{root}/").list_profile_stats()
    assert actual["framework"].tolist() == ["pytorch"]
    assert actual["stats_path"].tolist() == [str(path)]


def test_new_profiles_are_found_on_refresh(folder, capsys):
    root, put = folder
    analysis = cProfileAnalysis(root)
    assert analysis.list_profile_stats().equals(pd.DataFrame())
    assert capsys.readouterr().out == "No stats were found!\n"
    put("train 1 stepstart 1.0", "train 1 stepend 2.0")
    assert analysis.fetch_profile_stats_by_step(1, refresh_stats=False) is None
    assert capsys.readouterr().out == "No stats were found for the requested interval!\n"
    assert calls(analysis.fetch_profile_stats_by_step(1)) == 1
    with pytest.raises(AssertionError, match="does not exist"):
        LocalPythonStatsReader(root / "not there")


def test_steps_begin_and_end_in_phases():
    def one(start, end):
        return StepPythonProfileStats("", "", "", phase_folder(f"{start} 1.0", f"{end} 2.0"), "")

    start, forward, end = StepPhase.STEP_START, StepPhase.FORWARD_PASS_END, StepPhase.STEP_END
    before = one("prestepzero * start", "train 0 stepstart")
    within = one("train 9 forwardpassend", "train 10 stepstart")
    after = one("train 12 stepend", "posthookclose * end")
    assert (before.start_step, after.end_step) == (-1, float("inf"))
    assert within.in_step_interval(8, 11, start, end)
    assert within.in_step_interval(9, 10, forward, start)
    assert not within.in_step_interval(9, 10, end, start)
    assert not within.in_step_interval(10, 10, start, end)
    assert not one("train 9 stepstart", "train 10 stepend").in_step_interval(9, 10, start, start)
    assert not after.in_step_interval(12, 13, start, end)
    assert (before.has_pre_step_zero_profile_stats(), after.has_post_hook_close_profile_stats()) == (True, True)
    assert repr(before) == repr(vars(before))
    assert len(vars(before)) == 12
    for odd in (
        "train-1-stepstart-1.0",
        "train-1-stepstart-1.0_train-1-stepend",
        "fit-1-stepstart-1.0_train-1-end-2.0",
    ):
        with pytest.raises(ValueError, match=r"."):
            StepPythonProfileStats("", "", "", odd, "")
    with pytest.raises(ValueError, match="there are: train, eval"):
        str_to_python_profile_mode("fit")


def test_files_of_profiles_are_copied_from_s3_once(s3, folder, tmp_path, monkeypatch):
    _, put = folder
    put("prestepzero * start 1.0", "train 0 stepstart 2.0")
    put("train 1 stepstart 3.0", "train 1 stepend 4.0", 2)
    tree = ("train 1 stepstart 3.0", "train 1 stepend 4.0")
    put(*tree, node="0-algo-1", name="python_stats.html", content=b"<html></html>")
    job = tmp_path / "job"
    timeline = job / "framework" / "pevents" / "2020091312" / "1600000201000000_0-algo-1_pythontimeline.json"
    timeline.parent.mkdir(parents=True)
    timeline.write_text("[\n]\n")
    bucket = s3.bucket()
    s3.upload(job, bucket, "jobs/one/profiler-output")
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    copies = tmp_path / "copies"
    with pytest.raises(AssertionError, match="does not exist"):
        S3PythonStatsReader(copies, f"s3://{bucket}/jobs/one/profiler-output")
    copies.mkdir()
    with pytest.raises(AssertionError, match="s3://bucket_name"):
        S3PythonStatsReader(copies, "/jobs/one")
    analysis = cProfileAnalysis(copies, f"s3://{bucket}/jobs/one/profiler-output")
    actual = sorted(str(path.relative_to(copies)) for path in copies.rglob("*") if path.is_file())
    assert [path.rsplit("/", 1)[-1] for path in actual] == ["python_stats", "python_stats", "python_stats.html"]
    assert all(path.startswith("python_stats/0-algo-1/") for path in actual)
    listed = analysis.list_profile_stats()
    assert listed["framework"].tolist() == ["pytorch", "pytorch"]
    assert [os.path.relpath(path, copies) for path in listed["stats_path"]] == actual[:2]
    assert calls(analysis.fetch_profile_stats_by_step(1)) == 2
    # nothing is fetched again
    del s3.requests[:]
    again = cProfileAnalysis(copies, f"s3://{bucket}/jobs/one/profiler-output")
    assert calls(again.fetch_pre_step_zero_profile_stats()) == 1
    assert not [request for request in s3.requests if request.fetches_an_object]
    # a missing copy is downloaded again
    (copies / actual[0]).unlink()
    assert calls(again.fetch_pre_step_zero_profile_stats()) == 1
    assert (copies / actual[0]).is_file()
    assert len([request for request in s3.requests if request.fetches_an_object]) == 1
