"""Processes that write one lake at the same time, on a disk and on S3: every row is there, once."""

import subprocess
import sys

import pytest

import tracelake as tl

TABLES = ("event", "step", "sample", "loader", "run_attribute")


@pytest.fixture(params=["disk", "s3"])
def place(request, tmp_path):
    """Address of a new lake, and the options of its store."""
    if request.param == "disk":
        url, options = str(tmp_path / "lake"), {}
    else:
        s3 = request.getfixturevalue("s3")
        url, options = f"s3://{s3.bucket()}/lake", s3.options
    tl.open(url, create=True, options=options).close()
    return url, options


def together(place, arguments):
    """Starts a process for each list of arguments of `ingest`; exit code and what it said, each."""
    url, options = place
    given = [f"--option={name}={value}" for name, value in options.items()]
    command = [sys.executable, "-m", "tracelake", "--lake", url, *given, "ingest"]
    started = [
        subprocess.Popen([*command, *one], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for one in arguments
    ]
    said = [process.communicate()[0] for process in started]
    return [(process.returncode, text) for process, text in zip(started, said, strict=True)]


def counts(session, run):
    (row,) = session.sql(
        "select " + ", ".join(f"(select count(*) from {table} where run = $run) as {table}" for table in TABLES),
        run=run,
    ).rows()
    return row


def test_eight_processes_with_runs_of_their_own_and_four_with_one_run(place, profile, s):
    url, options = place
    expected = counts(s, "first_look")
    own = [[str(profile), f"--run=run-{n}"] for n in range(8)]
    ended = together(place, own + [[str(profile), "--run=shared"]] * 4)
    assert [code for code, _ in ended[:8]] == [0] * 8, ended
    # Of those with one name somebody wins; who tried in vain time after time says so.
    assert 0 in [code for code, _ in ended[8:]]
    assert all(code == 0 or "somebody else" in said or "other writers" in said for code, said in ended[8:]), ended[8:]
    with tl.open(url, options=options) as session:
        runs = [f"run-{n}" for n in range(8)] + ["shared"]
        assert sorted(session.runs().to_pandas()["run"]) == runs
        for run in runs:
            assert counts(session, run) == expected, run
        assert not [fault for fault in session.check().to_pandas().itertuples() if fault.loss]
        assert session.sql("select count(*) as n from run where step_p50 is null").to_csv() == "n\n0\n"
