"""Several processes read one list of profiles: each profile is stored once, even if processes are killed.

The lake is on a disk, and on a real S3 server. `TRACELAKE_SHARED_PROFILES=2000` takes more profiles.
"""

import contextlib
import datetime as dt
import itertools
import json
import os
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S, wait_until
from lake_under_test import LakeLocation, losses, runs_of

pytestmark = pytest.mark.slow

FLEET = Path(__file__).parents[1] / "gen" / "fleet.py"
PROFILES = int(os.environ.get("TRACELAKE_SHARED_PROFILES", "300"))
INGESTERS, KILLED = 8, 3
PATIENCE = 15  # s: the lease of a live process does not expire, even on a busy machine


@pytest.fixture(scope="module")
def traces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet")
    arguments = ["--out", str(folder), "--runs", str(PROFILES), "--at", str(PROFILES // 2)]
    subprocess.run([sys.executable, str(FLEET), *arguments], check=True, stdout=subprocess.DEVNULL)
    return folder


def pattern(lake_location):
    """Returns all traces, or on S3 the first hundred, because each needs some ten requests."""
    return "run-000*.json" if lake_location.options else "*.json"


def entries(lake_location, traces):
    """Returns the content of each trace: its intervals and their sum in ns, by run."""
    result = {}
    for file in traces.glob(pattern(lake_location)):
        durations = [event["dur"] for event in json.loads(file.read_text())["traceEvents"] if event["ph"] == "X"]
        result[file.name] = (len(durations), sum(round(dur * 1000) for dur in durations))
    return result


@pytest.fixture
def processes(lake_location, traces):
    """The processes that ingest; they are stopped with the test."""
    started = [start(lake_location, traces) for _ in range(INGESTERS)]
    yield started
    for process in started:
        process.kill()
        process.communicate()


def start(lake_location, traces):
    command = [
        sys.executable,
        "-m",
        "tracelake",
        "--lake",
        lake_location.url,
        "ingest",
        f"{traces}/{pattern(lake_location)}",
    ]
    return subprocess.Popen(
        [*command, f"--share={PATIENCE}"],
        env=lake_location.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def claims(lake_location):
    """Returns the lease files."""
    if not lake_location.options:
        return [str(file) for file in Path(lake_location.url, "_claim").rglob("*") if file.is_file()]
    with lake_location.open() as session:
        return [row["path"] for row in session.vacuum(dt.timedelta(0), dry_run=True).rows() if row["kind"] == "claim"]


def test_each_profile_is_ingested_once_although_processes_are_killed(lake_location, traces, processes):
    for number, victim in enumerate(processes[:KILLED], 1):
        wait_until(lambda number=number: len(runs_in_lake(lake_location)) >= number, f"run number {number} in the lake")
        victim.kill()
    assert len(runs_in_lake(lake_location)) < len(entries(lake_location, traces)), (
        "all was read before the last one was killed: take more profiles"
    )
    for victim in processes[:KILLED]:
        victim.communicate()
    read, shares = Counter(), []
    for process in processes[KILLED:]:
        stdout, failed = process.communicate(timeout=2 * HANG_GUARD_S)
        assert process.returncode == 0, failed
        # a late process finds some profiles unchanged, which is not a read
        shares.append([line.split(": ")[0] for line in stdout.splitlines() if " from 1 file " in line])
        read.update(shares[-1])
    expected = entries(lake_location, traces)
    assert set(read) <= set(expected)
    assert set(read.values()) == {1}, "a profile was read twice"
    assert sum(1 for share in shares if share) > 1, "one process read all"
    with lake_location.open() as session:
        sums = "select run, count(*) as n, sum(dur) as total from event where dur is not null group by run"
        assert {row["run"]: (row["n"], row["total"]) for row in session.sql(sums).rows()} == expected
        twice = "select count(*) - count(distinct concat_ws('/', run, object, row)) as n from event"
        assert [row["n"] for row in session.sql(twice).rows()] == [0]
        figures = "select count(*) as n from run where steps is null"
        assert [row["n"] for row in session.sql(figures).rows()] == [0]
        assert losses(session) == []


def runs_in_lake(lake_location):
    """Returns the runs of the lake."""
    if not lake_location.options:
        return list(Path(lake_location.url, "_manifest", "run").glob("*"))
    # while the first process creates the folder, it is neither a lake nor a profile
    with contextlib.suppress(tl.TracelakeError), lake_location.open() as session:
        return runs_of(session)
    return []


def write_claim(lake_location, run, text):
    file = Path(lake_location.url, "_claim", run, "0000000000")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.with_suffix(".new").write_text(text)
    file.with_suffix(".new").replace(file)
    return file


@pytest.fixture
def three_traces(tmp_path, traces):
    """A lake on a disk, and three traces for it."""
    folder = tmp_path / "three"
    folder.mkdir()
    for file in sorted(traces.glob("*.json"))[:3]:
        (folder / file.name).write_bytes(file.read_bytes())
    lake_location = LakeLocation(str(tmp_path / "lake"), {})
    lake_location.open(create=True).close()
    return lake_location, folder, sorted(file.name for file in folder.iterdir())


def test_profiles_of_a_killed_process_are_read_by_another(three_traces):
    lake_location, folder, names = three_traces
    write_claim(lake_location, names[1], "nobody")
    with lake_location.open() as session:
        begun = time.monotonic()
        reports = session.ingest(f"{folder}/*.json", share=1)["reports"]
        assert time.monotonic() - begun >= 1
        assert [report["run"] for report in reports] == names
        assert runs_of(session) == names
    assert claims(lake_location) == []


def test_profiles_of_a_live_process_are_not_read_by_others(three_traces):
    lake_location, folder, names = three_traces
    is_read, is_reading = threading.Event(), threading.Event()
    lease, pause = 5, 0.05

    def renew():
        # 100 renewals in each lease, also while the profile is read
        for number in itertools.count():
            write_claim(lake_location, names[1], f"somebody {number}")
            if is_read.wait(pause):
                break
        write_claim(lake_location, names[1], "done").unlink()

    def read():
        time.sleep(1.2 * lease)
        is_reading.set()
        with lake_location.open() as other:
            other.ingest(folder / names[1], run=names[1])
        is_read.set()

    write_claim(lake_location, names[1], "somebody")
    threads = [threading.Thread(target=target) for target in (renew, read)]
    for thread in threads:
        thread.start()
    with lake_location.open() as session:
        reports = session.ingest(f"{folder}/*.json", share=lease)["reports"]
        assert is_reading.is_set()
        assert [report["run"] for report in reports] == [names[0], names[2]]
        assert runs_of(session) == names
        assert all(run["steps"] for run in session.sql("select steps from run").rows())
    for thread in threads:
        thread.join()


def test_sharing_again_reads_only_changes(three_traces):
    lake_location, folder, names = three_traces
    with lake_location.open() as session:
        session.ingest(f"{folder}/*.json", share=True)
        again = session.ingest(f"{folder}/*.json", share=True)["reports"]
        assert [(report["run"], report["read"], report["unchanged"]) for report in again] == [(n, 0, 1) for n in names]
        (folder / names[0]).write_bytes((folder / names[1]).read_bytes())
        changed = session.ingest(f"{folder}/*.json", share=True)["reports"]
        assert [(report["run"], report["read"]) for report in changed] == [(names[0], 1), (names[1], 0), (names[2], 0)]
    assert claims(lake_location) == []


def test_an_expired_lease_is_garbage_and_not_a_fault(three_traces):
    lake_location, folder, names = three_traces
    with lake_location.open() as session:
        session.ingest(f"{folder}/*.json")
        write_claim(lake_location, names[0], "nobody")
        assert [row for row in session.check().rows() if "_claim" in row["path"]] == []
        kinds = [row["kind"] for row in session.vacuum(dt.timedelta(0)).rows() if row["path"].startswith("_claim/")]
        assert kinds == ["claim"]
    assert claims(lake_location) == []


@pytest.mark.parametrize(
    ("address", "share", "message"),
    [
        ("one", True, "it is one profile"),
        ("*.json", 0, "the lease timeout must be greater than 0"),
        ("*.json", -1, "cannot use -1 as `share`"),
    ],
)
def test_a_call_that_cannot_be_shared_is_refused(three_traces, address, share, message):
    lake_location, folder, _ = three_traces
    with lake_location.open() as session, pytest.raises(tl.errors.ArgumentError, match=message):
        session.ingest(f"{folder}/{address}", share=share)
