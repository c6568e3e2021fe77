"""Ingest: repeated, changed, interrupted, and concurrent."""

import shutil
import signal
import subprocess
import sys
import threading
from functools import partial

import numpy as np
import pytest

import tracelake as tl
from lake_under_test import losses

COUNTS = {"event": 980, "step": 220, "sample": 3724, "loader": 260}


def contents(session, run):
    """Rows of every table of a run, without the ids of their objects."""
    tables = {}
    for table in COUNTS:
        names = [name for name in session.table(table).columns if name not in ("run", "object")]
        frame = session.table(table, run=run, columns=names).to_arrow()
        tables[table] = sorted(frame.to_pylist(), key=repr)
    return tables


def row_counts(session, run=None):
    return {table: len(session.table(table, run=run)) for table in COUNTS}


def test_all_rows_are_ingested(lake, profile):
    report = lake.ingest(profile)
    assert isinstance(report, dict)
    assert lake.runs().to_pandas()["run"].tolist() == ["first_look"]
    assert row_counts(lake) == COUNTS


def test_a_repeated_ingest_changes_nothing(lake, profile):
    lake.ingest(profile)
    before = contents(lake, "first_look"), lake.files("event")
    lake.ingest(profile)
    assert (contents(lake, "first_look"), lake.files("event")) == before
    assert len(lake.runs()) == 1


def test_a_changed_object_replaces_its_rows(lake, copied, change, tmp_path):
    lake.ingest(copied)
    change(copied)
    lake.ingest(copied)
    with tl.open(tmp_path / "other", create=True) as other:
        other.ingest(copied)
        assert contents(lake, "copied") == contents(other, "copied")
    assert row_counts(lake)["sample"] < COUNTS["sample"]
    assert len(lake.sql("select * from loader where num_workers = 16")) > 0


def test_a_new_object_is_added(lake, copied):
    minute = max(copied.rglob("system/incremental/*/*.json"))
    content = minute.read_bytes()
    minute.unlink()
    lake.ingest(copied)
    before = row_counts(lake)["sample"]
    minute.write_bytes(content)
    lake.ingest(copied)
    assert before < row_counts(lake)["sample"] == COUNTS["sample"]


def test_the_rows_of_a_deleted_object_stay(lake, copied):
    lake.ingest(copied)
    max(copied.rglob("system/incremental/*/*.json")).unlink()
    lake.ingest(copied)
    assert row_counts(lake) == COUNTS


@pytest.mark.parametrize(
    ("files", "number"), [("system/incremental/*/*.json", 2), ("*_0-algo-1_pythontimeline.json", 1), ("*.json", 2)]
)
def test_the_rows_of_deleted_objects_can_be_pruned(lake, copied, files, number, tmp_path):
    lake.ingest(copied, run="job")
    deleted_files = sorted(copied.rglob(files))[:number]
    for file in deleted_files:
        file.unlink()
    planned = lake.ingest(copied, run="job", prune=True, dry_run=True)
    assert row_counts(lake) == COUNTS
    report = lake.ingest(copied, run="job", prune=True)
    assert (report["pruned"], planned["pruned"]) == (number, number)
    assert report["read"] == planned["read"]
    with tl.open(tmp_path / "fresh", create=True) as fresh:
        fresh.ingest(copied, run="job")
        for table in COUNTS:
            columns = [
                column for column in lake.table(table).to_arrow().column_names if column not in {"object", "row"}
            ]
            rows = f"select {', '.join(columns)} from {table}"
            assert sorted(lake.sql(rows).to_csv().splitlines()) == sorted(fresh.sql(rows).to_csv().splitlines()), table
    assert lake.sql("select count(*) as n from object").to_csv() == f"n\n{8 - len(deleted_files)}\n"
    assert not losses(lake)


def test_nothing_is_pruned_if_the_whole_profile_is_missing(lake, copied):
    lake.ingest(copied, run="job")
    for file in [file for file in copied.rglob("*") if file.is_file()]:
        file.unlink()
    with pytest.raises(tl.errors.NotFoundError):
        lake.ingest(copied, run="job", prune=True)
    assert row_counts(lake) == COUNTS


def test_another_profile_of_the_same_name_is_a_conflict(lake, profile, tmp_path):
    lake.ingest(profile)
    twin = shutil.copytree(profile, tmp_path / "first_look" / "profiler-output")
    with pytest.raises(tl.errors.ConflictError):
        lake.ingest(twin)
    assert row_counts(lake) == COUNTS


def test_a_further_source_is_attached_by_name(lake, profile, tmp_path):
    system = shutil.copytree(profile / "system", tmp_path / "a" / "profiler-output" / "system")
    framework = shutil.copytree(profile / "framework", tmp_path / "b" / "profiler-output" / "framework")
    lake.ingest(system.parent, run="job")
    lake.ingest(framework.parent, run="job")
    assert row_counts(lake, "job") == COUNTS
    assert len(lake.runs()) == 1


def test_many_profiles_are_named_by_their_folders(lake, profile, tmp_path):
    for name in ("job-1", "job-2"):
        shutil.copytree(profile, tmp_path / "jobs" / name / "profiler-output")
    lake.ingest(f"{tmp_path}/jobs/*/profiler-output")
    assert sorted(lake.runs().to_pandas()["run"]) == ["job-1", "job-2"]
    assert row_counts(lake, "job-2") == COUNTS


def test_one_bad_profile_of_many_is_excluded_with_a_warning(lake, profile, tmp_path):
    shutil.copytree(profile, tmp_path / "jobs" / "good")
    (tmp_path / "jobs" / "bad").mkdir()
    (tmp_path / "jobs" / "bad" / "page.html").write_text("<html></html>")
    with pytest.warns(UserWarning, match="^bad is excluded: cannot read file://"):
        report = lake.ingest(f"{tmp_path}/jobs/*")
    assert [(one["run"], one["error"] is None) for one in report["reports"]] == [("bad", False), ("good", True)]
    assert row_counts(lake, "good") == COUNTS


def test_tags_are_attributes_of_the_run(lake, profile):
    lake.ingest(profile, tags={"commit": "3fa2", "note": "it's <b>slow</b>"})
    actual = lake.sql("select key, value from run_attribute where key in ('commit', 'note') order by key")
    assert [row["value"] for row in actual.rows()] == ["3fa2", "it's <b>slow</b>"]


def test_tags_can_be_numbers(lake, profile):
    lake.ingest(profile, tags={"batch_size": 64, "lr": 1e-3, "amp": True, "workers": np.int64(4)})
    actual = lake.sql("select key, value from run_attribute where key in ('batch_size', 'lr', 'amp', 'workers')").rows()
    tags = {row["key"]: row["value"] for row in actual}
    assert tags == {"batch_size": "64", "lr": "0.001", "amp": "true", "workers": "4"}


def test_a_clock_offset_shifts_every_time(lake, profile):
    lake.ingest(profile, run="as it was")
    lake.ingest(profile, run="moved", clock_offset=5)
    sums = lake.sql("select run, min(ts) as first from event group by run order by run").rows()
    first, shifted = (row["first"] for row in sums)
    assert shifted - first == 5


def test_progress_is_reported(lake, profile):
    calls = []
    lake.ingest(profile, progress=lambda *numbers: calls.append(numbers))
    assert calls
    objects, all_objects, read, all_bytes = calls[-1]
    assert objects == all_objects >= 7
    assert 0 < read == all_bytes
    assert calls == sorted(calls)


def test_an_error_in_progress_ends_the_ingest(lake, profile):
    def fail(*_):
        message = "enough"
        raise ZeroDivisionError(message)

    with pytest.raises(ZeroDivisionError, match="enough"):
        lake.ingest(profile, progress=fail)
    assert len(lake.runs()) == 0


def test_a_malformed_file_is_a_problem_and_not_an_error(lake, copied):
    timeline = min(copied.rglob("*pythontimeline.json"))
    timeline.write_bytes(timeline.read_bytes()[:-1000])
    lake.ingest(copied)
    assert 0 < row_counts(lake)["event"] < COUNTS["event"]
    assert len(lake.table("problem")) > 0


@pytest.mark.slow
def test_a_killed_ingest_leaves_the_lake_as_it_was(lake, profile, generate, kill_ingest, tmp_path):
    big = generate(minutes=20, steps=3000, submodules=10, modes=1)
    lake.ingest(profile)
    before = contents(lake, "first_look")

    with tl.open(tmp_path / "whole", create=True) as whole:
        empty = number_of_files(tmp_path / "whole")
        objects = whole.ingest(big, run="big")["read"]
        complete = row_counts(whole, "big")
    files = number_of_files(tmp_path / "whole") - empty

    # The process kills itself after a number of objects, which is always before the commit.
    for done in (1, objects // 2, objects):
        ended = subprocess.run([sys.executable, "-c", KILLS_ITSELF, tmp_path / "lake", big, str(done)], check=False)
        assert ended.returncode == -signal.SIGKILL
        with tl.open(tmp_path / "lake") as session:
            assert session.runs().to_pandas()["run"].tolist() == ["first_look"]
            assert contents(session, "first_look") == before

    # This process kills it once a number of new files exist: before, during or after the commit.
    for number in range(1, files + 1, 2):
        folder = shutil.copytree(tmp_path / "lake", tmp_path / f"lake-{number}")
        expected = number_of_files(folder) + number
        kill_ingest(folder, big, lambda folder=folder, expected=expected: number_of_files(folder) >= expected)
        with tl.open(folder) as session:
            runs = set(session.runs().to_pandas()["run"])
            assert runs <= {"first_look", "big"}
            assert contents(session, "first_look") == before
            if "big" in runs:
                assert row_counts(session, "big") == complete

    assert not kill_ingest(tmp_path / "lake", big, lambda: False)
    with tl.open(tmp_path / "lake") as session:
        assert row_counts(session, "big") == complete
        assert contents(session, "first_look") == before


KILLS_ITSELF = """
import os, signal, sys
import tracelake as tl

def progress(objects_done, *_):
    if objects_done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

tl.open(sys.argv[1]).ingest(sys.argv[2], run="big", progress=progress)
"""


def number_of_files(folder):
    return sum(file.is_file() for file in folder.rglob("*"))


def test_two_writers_of_one_run_duplicate_no_rows(profile, tmp_path):
    tl.open(tmp_path / "lake", create=True).close()
    sessions = [tl.open(tmp_path / "lake") for _ in range(2)]
    for attempt in range(5):
        run = f"run-{attempt}"
        outcomes = run_concurrently([partial(session.ingest, profile, run=run) for session in sessions])
        assert all(outcome is None or isinstance(outcome, tl.errors.ConflictError) for outcome in outcomes), outcomes
        assert None in outcomes
        with tl.open(tmp_path / "lake") as session:
            assert row_counts(session, run) == COUNTS
    for session in sessions:
        session.close()


def test_writers_of_different_runs_do_not_conflict(profile, tmp_path):
    tl.open(tmp_path / "lake", create=True).close()
    sessions = [tl.open(tmp_path / "lake") for _ in range(4)]
    calls = [partial(session.ingest, profile, run=f"run-{i}") for i, session in enumerate(sessions)]
    assert run_concurrently(calls) == [None] * 4
    with tl.open(tmp_path / "lake") as session:
        assert len(session.runs()) == 4
        assert row_counts(session) == {table: 4 * count for table, count in COUNTS.items()}
    for session in sessions:
        session.close()


def run_concurrently(calls):
    """Runs the calls concurrently in threads; returns the error of each, or `None`."""
    barrier, outcomes = threading.Barrier(len(calls)), [None] * len(calls)

    def run(lake_location, call):
        barrier.wait()
        try:
            call()
        except Exception as error:  # noqa: BLE001 - the test checks it
            outcomes[lake_location] = error

    threads = [threading.Thread(target=run, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return outcomes


def test_another_session_sees_the_new_rows(profile, tmp_path):
    with tl.open(tmp_path / "lake", create=True) as writer, tl.open(tmp_path / "lake") as reader:
        assert len(reader.runs()) == 0
        writer.ingest(profile)
        assert len(writer.runs()) == 1
        with tl.open(tmp_path / "lake") as later:
            assert row_counts(later) == COUNTS
        frame = reader.table("event")
        assert len(reader.runs()) == 0, "a session sees the runs of the moment it was opened"
        reader.refresh()
        assert row_counts(reader) == COUNTS
        assert len(frame) == 0, "a frame keeps the runs of the moment of its question"


def test_real_profiles_can_be_read(lake, shared):
    lake.ingest(shared / "data" / "sagemaker" / "real_tf2_plus_system", run="tf2")
    lake.ingest(shared / "data" / "sagemaker" / "pt_small", run="pt_small")
    steps = lake.sql("select run, mode, count(*) as n from step group by run, mode order by run, mode").rows()
    assert [(row["run"], row["mode"], row["n"]) for row in steps] == [
        ("pt_small", "eval", 12),
        ("pt_small", "train", 120),
        ("tf2", "eval", 10),
        ("tf2", "train", 30),
    ]
