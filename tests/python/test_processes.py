"""Concurrent processes write one lake, on a disk and on S3: every row is stored once."""

import subprocess
import sys

import pytest

from lake_under_test import losses

pytestmark = pytest.mark.slow

TABLES = ("event", "step", "sample", "loader", "run_attribute")


def ingest_concurrently(lake_location, arguments):
    """Starts a process for each list of arguments of `ingest`; returns exit code and output of each."""
    options = [f"--option={name}={value}" for name, value in lake_location.options.items()]
    command = [sys.executable, "-m", "tracelake", "--lake", lake_location.url, *options, "ingest"]
    started = [
        subprocess.Popen([*command, *one], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for one in arguments
    ]
    outputs = [process.communicate()[0] for process in started]
    return [(process.returncode, text) for process, text in zip(started, outputs, strict=True)]


def row_counts(session, run):
    (row,) = session.sql(
        "select " + ", ".join(f"(select count(*) from {table} where run = $run) as {table}" for table in TABLES),
        run=run,
    ).rows()
    return row


def test_concurrent_processes_write_separate_runs_and_share_one(lake_location, profile, s):
    lake_location.open(create=True).close()
    expected = row_counts(s, "first_look")
    own = [[str(profile), f"--run=run-{n}"] for n in range(8)]
    ended = ingest_concurrently(lake_location, own + [[str(profile), "--run=shared"]] * 4)
    assert [code for code, _ in ended[:8]] == [0] * 8, ended
    # one of the processes with the same run name succeeds; the others report the conflict
    assert 0 in [code for code, _ in ended[8:]]
    assert all(code == 0 or "somebody else" in output or "other writers" in output for code, output in ended[8:]), (
        ended[8:]
    )
    with lake_location.open() as session:
        runs = [f"run-{n}" for n in range(8)] + ["shared"]
        assert sorted(session.runs().to_pandas()["run"]) == runs
        for run in runs:
            assert row_counts(session, run) == expected, run
        assert not losses(session)
        assert session.sql("select count(*) as n from run where step_p50 is null").to_csv() == "n\n0\n"
