"""A process that ingests, prunes, tags, deletes, compacts or vacuums is killed at any time: on a disk, and on S3.

Afterwards the lake has the state before or after the change, every part that a manifest lists is complete, and the same
call then succeeds. `TRACELAKE_KILLS=200` kills more often.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S
from lake_under_test import losses, runs_of

pytestmark = pytest.mark.slow

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "job-a"
KILLS = int(os.environ.get("TRACELAKE_KILLS", "6"))
TABLES = {"event": "dur", "step": "dur", "loader": "dur", "sample": "value"}


@pytest.fixture
def profiles(tmp_path):
    """Three versions of a profile: the second has a line more in one file, the third lacks that file."""
    first, second, third = (
        Path(shutil.copytree(GOLDEN, tmp_path / name / "job-a")) for name in ("first", "second", "third")
    )
    file = min((second / "system").rglob("*.json"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[-1]]) + "\n")
    (third / file.relative_to(second)).unlink()
    return first, second, third


def content(session):
    """Rows and sum of each table, and the tags, by run."""
    tables = {}
    for run in runs_of(session):
        for table, column in TABLES.items():
            sums = f"select count(*) as n, sum({column}) as total from {table} where run = $run"
            ((row),) = session.sql(sums, run=run).rows()
            tables[run, table] = (row["n"], row["total"])
        tags = session.sql("select key, value from run_attribute where object = -1 and run = $run", run=run)
        tables[run, "tags"] = {row["key"]: row["value"] for row in tags.rows()}
    return tables


def rows_of(profile, run):
    with tl.open(profile, ephemeral=True, run=run) as session:
        return content(session)


def call(lake_location, arguments, seconds=None, how=signal.SIGKILL):
    """Runs the shell, and kills or interrupts it after `seconds` if given. Returns whether it came to its end."""
    command = [sys.executable, "-m", "tracelake", "--lake", lake_location.url, *arguments]
    process = subprocess.Popen(
        command,
        env=lake_location.environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        _, stderr = process.communicate(timeout=HANG_GUARD_S if seconds is None else seconds)
    except subprocess.TimeoutExpired:
        if seconds is None:
            process.kill()
            pytest.fail(f"guard against hanging: {arguments} did not end within {HANG_GUARD_S} s")
        process.send_signal(how)
        _, stderr = process.communicate(timeout=HANG_GUARD_S)
        if how == signal.SIGINT:
            # the process can have ended just then; before, Python itself is interrupted
            assert process.returncode in {0, 130, -signal.SIGINT} or b"KeyboardInterrupt" in stderr, stderr.decode()
            assert b"panicked" not in stderr
        # its requests can still be in flight
        time.sleep(0.2)
        return False
    assert process.returncode == 0, stderr.decode()
    return True


class Sources:
    """Two profiles at fixed addresses; their files are replaced by those of another version."""

    def __init__(self, versions):
        self.versions = versions
        self.rows = {run: [rows_of(version, run) for version in versions] for run in ("job", "other")}
        self.now = dict.fromkeys(self.rows, 1)
        for run in self.rows:
            self.switch_version(run)

    def switch_version(self, run, version=None):
        """Replaces the files by those of this version, or of the other of the first two."""
        self.now[run] = int(self.now[run] != 1) if version is None else version
        shutil.rmtree(self.address(run), ignore_errors=True)
        shutil.copytree(self.versions[self.now[run]], self.address(run))

    def address(self, run):
        return self.versions[0].parent / run / "job-a"

    def ingest(self, run, *more):
        """Returns the arguments of the shell."""
        return ["ingest", str(self.address(run)), "--run", run, *more]

    def expected(self, tags):
        """Returns the rows of both runs, the first with these tags; None for a lake without the first."""
        job = {} if tags is None else {**self.rows["job"][self.now["job"]], ("job", "tags"): tags}
        return {**job, **self.rows["other"][self.now["other"]]}


def next_step(lake_location, sources, tags, number, chance):
    """Returns a random call: its name, its arguments, and the tags of the run after it, or None."""
    steps = ["vacuum", "compact", "ingest", "prune", *(["tag", "delete"] if tags is not None else [])]
    match chance.choice(steps):
        case "ingest":
            sources.switch_version("job")
            return "ingest", sources.ingest("job"), tags or {}
        case "prune":
            sources.switch_version("job", 2)
            return "prune", sources.ingest("job", "--prune"), tags or {}
        case "tag":
            return "tag", ["tag", "job", f"n={number}"], {**tags, "n": str(number)}
        case "delete":
            return "delete", ["delete", "job"], None
        case "compact":
            # the other run changes first, so that there are small files to merge
            sources.switch_version("other")
            assert call(lake_location, sources.ingest("other"))
            return "compact", ["compact"], tags
        case step:
            return step, ["vacuum", "--older-than", "0s"], tags


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "interrupt"])
def test_a_killed_process_leaves_the_lake_consistent(lake_location, profiles, how):
    chance = random.Random(KILLS)
    sources = Sources(profiles)
    assert call(lake_location, sources.ingest("other"))
    begun = time.monotonic()
    assert call(lake_location, sources.ingest("job"))
    whole = time.monotonic() - begun
    tags, killed = {}, 0
    # The duration of a call varies: the time span in which it is killed shrinks until enough calls were killed.
    number = 0
    while number < KILLS or killed <= KILLS // 4:
        number += 1
        with lake_location.open() as session:
            before = content(session)
        step, arguments, tags = next_step(lake_location, sources, tags, number, chance)
        after = sources.expected(tags)
        if step == "compact":
            before = after
        if call(lake_location, arguments, whole * chance.random(), how):
            whole *= 0.8
        else:
            killed += 1
        with lake_location.open() as session:
            actual = content(session)
            assert actual in (before, after), (number, step)
            assert not losses(session), (number, step)
        if actual != after or step in {"ingest", "prune", "vacuum", "compact"}:
            assert call(lake_location, arguments)
        with lake_location.open() as session:
            assert content(session) == after, (number, step)
    assert call(lake_location, ["vacuum", "--older-than", "0s"])
    with lake_location.open() as session:
        assert len(session.check()) == 0
        assert content(session) == after
