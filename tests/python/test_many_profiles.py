"""Ingests of many profiles: reports, progress, files that cannot be read, several `*`, and a killed process."""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

import tracelake as tl
from lake_under_test import LakeLocation
from s3_server import Fault

BAD = '{"schemaVersion": 1, "deviceProperties": [], "traceEvents": 5}'


def trace(events):
    return json.dumps({"schemaVersion": 1, "deviceProperties": [], "baseTimeNanoseconds": 1, "traceEvents": events})


def interval(name, ts, dur):
    return {"ph": "X", "cat": "cpu_op", "name": name, "pid": 7, "tid": 7, "ts": ts, "dur": dur, "args": {}}


def shell(lake, *words, options=None, code=0):
    """Runs a command and returns its stdout and stderr."""
    command = [sys.executable, "-m", "tracelake", "--lake", str(lake), *map(str, words)]
    environment = LakeLocation("", options).environment() if options else os.environ
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == code, done.stderr
    return done.stdout, done.stderr


@pytest.fixture
def jobs(tmp_path):
    """A folder with two teams of two jobs each; one file of `red/2` is a trace without events."""
    for team in ("red", "blue"):
        for job in (1, 2):
            folder = tmp_path / "jobs" / team / str(job) / "out"
            folder.mkdir(parents=True)
            (folder / "rank0.json").write_text(trace([interval("a", 10 * n, 5) for n in range(job)]))
    (tmp_path / "jobs/red/2/out/rank1.pt.trace.json").write_text(BAD)
    return tmp_path / "jobs"


def test_several_stars_match_profiles_at_several_depths(lake, jobs):
    result = lake.ingest(f"{jobs}/*/*/out")
    assert [report["run"] for report in result["reports"]] == ["blue-1", "blue-2", "red-1", "red-2"]
    counts = {row["run"]: row["n"] for row in lake.sql("select run, count(*) as n from event group by run").rows()}
    assert counts == {"blue-1": 1, "blue-2": 2, "red-1": 1, "red-2": 2}


def test_profiles_with_the_same_name_are_refused(lake, jobs):
    shutil.copytree(jobs / "red/1", jobs / "red-1/x")
    shutil.copytree(jobs / "red/1", jobs / "red/1-x")
    with pytest.raises(tl.errors.ArgumentError, match="the runs of red-1/x/out and red/1-x/out have the same name"):
        lake.ingest(f"{jobs}/*/*/out/")


def test_two_stars_in_a_row_are_refused(lake, jobs):
    with pytest.raises(tl.errors.ArgumentError, match="`\\*\\*` is not supported"):
        lake.ingest(f"{jobs}/**/out")


def test_a_lake_that_refuses_writes_ends_the_ingest(s3, jobs):
    def refused(request):
        return (
            Fault(status=403, code="AccessDenied") if request.method == "PUT" and "_manifest" in request.path else None
        )

    with tl.open(f"s3://{s3.bucket()}/lake", create=True, options=s3.options) as session:
        del s3.requests[:]
        with s3.faulty(refused), pytest.raises(tl.errors.DeniedError):
            session.ingest(f"{jobs}/*/*/out")
        assert sum(request.method == "PUT" and "_manifest/run" in request.path for request in s3.requests) == 1


def test_a_file_that_cannot_be_read_is_exit_code_3(jobs, tmp_path):
    lake = tmp_path / "lake"
    output, errors = shell(lake, "ingest", jobs / "red/2/out", "--run", "red", code=3)
    assert output.startswith("red: 7 rows from 2 files (0 unchanged, 0 ignored, 1 failed)")
    assert "cannot read 1 file; all others are in the lake" in errors
    assert shell(lake, "ingest", jobs / "red/2/out", "--run", "again", "--allow-failed")[1] == ""
    assert shell(lake, "sql", "select run, count(*) as n from event group by run order by run")[0].split() == [
        "run,n", "again,2", "red,2",
    ]  # fmt: skip


def test_a_profile_that_cannot_be_read_does_not_stop_the_others(jobs, tmp_path):
    (jobs / "red/2/out/rank0.json").unlink()
    output, errors = shell(tmp_path / "lake", "ingest", f"{jobs}/*/*/out", code=3)
    assert re.findall("^([a-z]+-[0-9]): ", output, re.MULTILINE) == ["blue-1", "blue-2", "red-1", "red-2"]
    assert "cannot read 1 profile; all others are in the lake" in errors
    shell(tmp_path / "other", "ingest", f"{jobs}/*/*/out", "--allow-failed")


def test_a_wrong_argument_creates_no_lake(jobs, tmp_path):
    for wrong in (["--run", "a/b"], ["--run", " "], ["--rank-from", "("], ["--clock-offset", str(10**19 // 2)]):
        shell(tmp_path / "lake", "ingest", jobs / "red/1/out", *wrong, code=2)
    assert not (tmp_path / "lake").exists()


def test_a_file_without_access_does_not_stop_the_others(s3, jobs, lake):
    (jobs / "red/2/out/rank1.pt.trace.json").write_text(trace([interval("b", 0, 1)]))
    (jobs / "red/2/out/host1_121.pt.trace.json").write_text(trace([interval("c", 0, 1)]))
    (jobs / "red/2/out/unknown").write_text("")
    url = s3.upload(jobs, s3.bucket(), "jobs")

    def denied(request):
        names = ("rank1.pt.trace.json", "host1_121.pt.trace.json", "unknown")
        return Fault(status=403, code="AccessDenied") if request.path.endswith(names) else None

    with s3.faulty(denied):
        result = lake.ingest(f"{url}/*/2*/out", options=s3.options)
    assert [(report["run"], report["failed"]) for report in result["reports"]] == [("blue-2", 0), ("red-2", 2)]
    problems = list(lake.sql("select kind, class from problem").rows())
    assert problems == [{"kind": "denied", "class": "not_read"}] * 2
    # The next ingest tries again.
    again = lake.ingest(f"{url}/*/2*/out", options=s3.options)
    assert sum(report["read"] for report in again["reports"]) == 2
    assert len(lake.sql("select * from problem")) == 0


def test_progress_moves_within_a_file(lake, tmp_path):
    for name in ("plain.json", "packed.json.gz"):
        text = trace([{**interval("a", n, 1), "args": {"x": os.urandom(100).hex()}} for n in range(30_000)]).encode()
        if name.endswith("gz"):
            text = gzip.compress(text, 1)
        (tmp_path / name).write_bytes(text)
        states = []

        def watch(objects_done, objects, bytes_done, size, states=states):
            states.append((objects_done, objects, bytes_done, size))

        lake.ingest(tmp_path / name, run=name, progress=watch)
        within = {done for objects_done, _, done, size in states if objects_done == 0 and 0 < done < size}
        assert within, name
        assert [state[2] for state in states] == sorted(state[2] for state in states)
        assert states[-1] == (1, 1, len(text), len(text))


def test_a_killed_ingest_keeps_the_finished_runs(s3, jobs, tmp_path):
    """Each run that was reported has its rows and its key metrics."""
    for n in range(8):
        folder = jobs / "many" / f"job-{n}"
        folder.mkdir(parents=True)
        steps = [{**interval(f"ProfilerStep#{step}", 100 * step, 90), "cat": "user_annotation"} for step in range(3)]
        (folder / "rank0.json").write_text(trace(steps))
    url = s3.upload(jobs / "many", s3.bucket(), "many")
    command = [sys.executable, "-m", "tracelake", "--lake", str(tmp_path / "lake"), "ingest", f"{url}/*"]
    environment = LakeLocation("", s3.options).environment()
    with s3.slow(0.4), subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        reported = process.stdout.readline().partition(":")[0]
        process.kill()
    with tl.open(tmp_path / "lake") as session:
        metrics = {row["run"]: row["steps"] for row in session.runs().rows()}
    assert metrics[reported] == 3
    assert len(metrics) < 8


AS_NOBODY = """
import json, os, sys
import tracelake as tl
from tracelake import session
if os.geteuid() == 0:
    os.setegid(65534)
    os.seteuid(65534)
lake, profile = sys.argv[1:]
with tl.open(lake, create=True) as lake:
    reports = [lake.ingest(profile, run="r", progress=False) for _ in range(2)]
    print(json.dumps([report["failed"] for report in reports]))
"""


def test_files_and_folders_without_permission_are_failed_files(tmp_path):
    profile = tmp_path / "job"
    (profile / "inner").mkdir(parents=True)
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        # The process that has no permission must reach the profile.
        folder.chmod(folder.stat().st_mode | 0o005)
    tmp_path.chmod(0o777)
    for name in ("read.csv", "denied.csv", "unknown", "inner/hidden.csv"):
        (profile / name).write_text("load_s\n1\n")
    for name in ("denied.csv", "unknown", "inner"):
        (profile / name).chmod(0)
    command = [sys.executable, "-c", AS_NOBODY, tmp_path / "lake", profile]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (profile / "inner").chmod(0o700)
    assert (done.returncode, done.stdout) == (0, "[3, 3]\n"), done.stderr
    sql = "select o.url, p.message from problem as p join object as o on o.object = p.object where p.kind = 'denied'"
    with tl.open(tmp_path / "lake") as lake:
        problems = list(lake.sql(f"{sql} order by o.url").rows())
    assert [row["url"].rsplit("/", 1)[1] for row in problems] == ["denied.csv", "inner", "unknown"]
    assert all("ermission denied" in row["message"] for row in problems), problems
