"""The files of a recording: blocks, processes, premature ends, stores."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import tracelake as tl
from hang_guard import killed_at_exit
from record_rows import query_rows, write_one
from tracelake import record


def lines(folder):
    """Returns all lines of the files of a folder, by file."""
    return {file.name: [json.loads(line) for line in file.read_text().splitlines()] for file in folder.iterdir()}


def attributes(session):
    return dict(query_rows(session, "select key, value from run_attribute"))


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_each_process_writes_its_own_file(tmp_path, method):
    rows = record.Recording(tmp_path / "run", block_seconds=3600, attributes={"once": 1})
    rows.attribute("first", 1)
    rows.attribute("kept back", 1)  # buffered in the parent at the fork
    context = multiprocessing.get_context(method)
    children = [context.Process(target=write_one, args=(rows, number)) for number in range(3)]
    for process in children:
        process.start()
    for process in children:
        process.join()
        assert process.exitcode == 0
    rows.close()
    actual = lines(tmp_path / "run")
    pids = [os.getpid(), *(process.pid for process in children)]
    assert sorted(actual) == sorted(f"main-0-{pid}.jsonl" for pid in pids)
    for name, file in actual.items():
        kinds = [line.get("kind") for line in file]
        assert kinds == [None, *["attribute"] * (len(kinds) - 2), "end"], name
        assert name.endswith(f"-{file[0]['pid']}.jsonl")
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        keys = [
            key for (key,) in query_rows(session, "select key from run_attribute where key not like '%.%' order by key")
        ]
        assert keys == ["child-0", "child-1", "child-2", "first", "kept back", "once"]
        assert query_rows(session, "select count(*) from problem") == [(0,)]


def test_a_bare_fork_shares_nothing(tmp_path):
    rows = record.Recording(tmp_path / "run", block_seconds=3600)
    rows.attribute("parent", 1)
    rows.attribute("waits", 1)
    pid = os.fork()
    if pid == 0:
        rows.attribute("forked", 1)
        rows.close()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    rows.close()
    keys = {
        name: [line["key"] for line in file if line.get("kind") == "attribute"]
        for name, file in lines(tmp_path / "run").items()
    }
    assert keys == {f"main-0-{os.getpid()}.jsonl": ["parent", "waits"], f"main-0-{pid}.jsonl": ["forked"]}


def test_written_rows_survive_a_kill(tmp_path):
    # with the recorder's patched clock, there is a row every 2 ms
    code = """
import itertools, sys
from tracelake import record
now = record.clock.now()
record.clock.now = lambda: now
rows = record.Recording(sys.argv[1])
for number in itertools.count():
    rows.attribute(f"row-{number}", number)
    print(number, flush=True)
    now += 2_000_000
"""
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True)
    with killed_at_exit(process):
        while int(process.stdout.readline()) < 1750:
            pass
        process.kill()
        assert process.wait() == -signal.SIGKILL
        *_, last = [1750, *(int(line) for line in process.stdout if line.endswith("\n"))]
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        keys = {key for key in attributes(session) if key.startswith("row-")}
        # all rows from the first on; at most the last second is missing
        assert keys == {f"row-{number}" for number in range(len(keys))}
        assert last - 500 < len(keys) <= last + 2
        assert query_rows(session, "select kind from problem") == [("no_end",)]
    # a truncated line is reported, and no other line is lost
    (file,) = (tmp_path / "run").iterdir()
    file.write_bytes(file.read_bytes()[:-5])
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        assert len(attributes(session)) == len(keys) + 2 - 1
        problems = query_rows(session, "select kind from problem order by kind")
        assert problems == [("no_end",), ("truncated",)]


def test_rows_come_from_any_thread(tmp_path):
    rows = record.Recording(tmp_path / "run", block_seconds=0.001)

    def write(thread):
        for number in range(500):
            rows.row("annotation", name=f"{thread}-{number}", ts=number, dur=1)

    threads = [threading.Thread(target=write, args=(thread,)) for thread in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    rows.close()
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        assert query_rows(session, "select count(distinct name), count(*) from event") == [(2000, 2000)]


def test_a_path_can_be_a_file(tmp_path):
    with record.Recording(tmp_path / "here" / "mine.jsonl") as rows:
        rows.attribute("a", 1)
    assert [file.name for file in (tmp_path / "here").iterdir()] == ["mine.jsonl"]


def test_odd_values_are_written_as_json(tmp_path):
    with record.Recording(tmp_path / "run") as rows:
        rows.row("sample", ts=1, resource="training", metric="loss", value=float("nan"))
        rows.row("sample", ts=2, resource="training", metric="loss", value=0.5)
        rows.attribute("path", tmp_path)
        rows.attribute("größe", 'a "quoted"\nline')
    for file in (tmp_path / "run").iterdir():
        assert "NaN" not in file.read_text()
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        assert query_rows(session, "select value from sample order by ts") == [(None,), (0.5,)]
        actual = attributes(session)
        assert (actual["path"], actual["größe"]) == (str(tmp_path), 'a "quoted"\nline')


def test_rank_and_world_size_come_from_the_launcher(tmp_path, monkeypatch):
    for number, names in enumerate(
        (
            ("RANK", "LOCAL_RANK", "WORLD_SIZE"),
            ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"),
            ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"),
        )
    ):
        folder = tmp_path / str(number)
        with monkeypatch.context() as patch:
            for name, value in zip(names, ("5", "1", "8"), strict=True):
                patch.setenv(name, value)
            record.Recording(folder).close()
        assert [file.name for file in folder.iterdir()] == [f"main-5-{os.getpid()}.jsonl"]
        with tl.open(folder, ephemeral=True) as session:
            actual = query_rows(
                session, "select rank, key, value from run_attribute where key like 'recorder.%' order by key"
            )
            expected = [("recorder.local_rank", "1"), ("recorder.name", "main"), ("recorder.world_size", "8")]
            assert actual == [(5, key, value) for key, value in expected]


def test_a_growing_recording_can_be_followed(tmp_path, lake):
    rows = record.Recording(tmp_path / "run", block_seconds=0.01)
    rows.attribute("before", 1)
    following = lake.follow(tmp_path / "run", run="live", every=0.1, idle=2)
    next(following)
    for number in range(3):
        time.sleep(0.02)
        rows.attribute(f"later-{number}", 1)
    rows.close()
    for _ in following:
        pass
    keys = [key for (key,) in query_rows(lake, "select key from run_attribute where key not like '%.%' order by key")]
    assert keys == ["before", "later-0", "later-1", "later-2"]


def test_blocks_are_uploaded_to_a_store(s3):
    url = f"s3://{s3.bucket()}/recordings/run 1"
    with record.Recording(url, options=s3.options, block_seconds=0.05, attributes={"lr": 0.5}) as rows:
        for number in range(10):
            rows.row("annotation", name=f"row-{number}", ts=number, dur=1)
            time.sleep(0.02)
    with tl.open(url, ephemeral=True, options=s3.options) as session:
        names = [name for (name,) in query_rows(session, "select name from event order by ts")]
        assert names == [f"row-{number}" for number in range(10)]
        objects = query_rows(session, "select url from object")
        assert len(objects) > 2
        assert attributes(session)["lr"] == "0.5"
        assert query_rows(session, "select count(*) from problem") == [(0,)]


def test_a_failing_store_only_warns():
    options = {"endpoint": "http://127.0.0.1:9", "access_key_id": "a", "secret_access_key": "b", "allow_http": "true"}
    with (
        pytest.warns(RuntimeWarning, match="cannot upload a block"),
        record.Recording("s3://nowhere/x", options=options) as rows,
    ):
        rows.attribute("a", 1)
