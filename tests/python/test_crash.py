"""A process that ingests, tags, deletes, compacts or vacuums is killed at any point: a lake on a disk, and on a real S3 server.

Afterwards the lake is as before or as it should become, every part that a manifest lists is whole, and the same call
then does its work. `TRACELAKE_KILLS=200` kills more often.
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

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "job-a"
KILLS = int(os.environ.get("TRACELAKE_KILLS", "8"))
TABLES = {"event": "dur", "step": "dur", "loader": "dur", "sample": "value"}


@pytest.fixture(params=["disk", "s3"])
def place(request, tmp_path):
    """Address of a lake that is not there yet, options, and the environment in which the shell finds it."""
    if request.param == "disk":
        return str(tmp_path / "lake"), {}, dict(os.environ)
    server = request.getfixturevalue("s3")
    options = server.options
    names = {"endpoint": "AWS_ENDPOINT_URL", "region": "AWS_REGION"}
    environment = {names.get(name, f"AWS_{name.upper()}"): value for name, value in options.items()}
    return f"s3://{server.bucket()}/lake", options, {**os.environ, **environment}


@pytest.fixture
def profiles(tmp_path):
    """Two versions of a profile: the second has a line more in one file."""
    first, second = tmp_path / "first" / "job-a", tmp_path / "second" / "job-a"
    shutil.copytree(GOLDEN, first)
    shutil.copytree(GOLDEN, second)
    file = min((second / "system").rglob("*.json"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[-1]]) + "\n")
    return first, second


def content(session):
    """Rows and sum of each table, and the tags, by run."""
    found = {}
    for run in [row["run"] for row in session.runs().rows()]:
        for table, column in TABLES.items():
            sums = f"select count(*) as n, sum({column}) as total from {table} where run = $run"
            ((row),) = session.sql(sums, run=run).rows()
            found[run, table] = (row["n"], row["total"])
        tags = session.sql("select key, value from run_attribute where object = -1 and run = $run", run=run)
        found[run, "tags"] = {row["key"]: row["value"] for row in tags.rows()}
    return found


def rows_of(profile, run):
    with tl.open(profile, ephemeral=True, run=run) as session:
        return content(session)


def call(place, arguments, seconds):
    """Runs the shell; after so many seconds it is killed. Whether it came to its end."""
    url, _, environment = place
    command = [sys.executable, "-m", "tracelake", "--lake", url, *arguments]
    process = subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    try:
        _, said = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        # What it had sent may still be on its way.
        time.sleep(0.2)
        return False
    assert process.returncode == 0, said.decode()
    return True


def test_a_killed_process_leaves_the_lake_whole(place, profiles):
    url, options, _ = place
    chance = random.Random(KILLS)
    rows = [rows_of(profile, "job") for profile in profiles]
    beside = [rows_of(profile, "other") for profile in profiles]
    # The address of a run's profile stays: its files are replaced by those of a version.
    addresses = {run: profiles[0].parent / run / "job-a" for run in ("job", "other")}
    ingests = {run: ["ingest", str(address), "--run", run] for run, address in addresses.items()}

    def use(run, version):
        shutil.rmtree(addresses[run], ignore_errors=True)
        shutil.copytree(profiles[version], addresses[run])

    def expected(version, tags):
        return {**rows[version], ("job", "tags"): tags, **beside[other]}

    other = 0
    use("job", 0)
    use("other", 0)
    assert call(place, ingests["other"], 60)
    begun = time.monotonic()
    assert call(place, ingests["job"], 60)
    whole = time.monotonic() - begun
    version, before, killed, undone = 0, expected(0, {}), 0, 0
    for number in range(KILLS):
        there = ("job", "tags") in before
        tags = before.get(("job", "tags"), {})
        step = chance.choice(["ingest", "tag", "vacuum", "compact", "delete"] if there else ["ingest", "vacuum", "compact"])
        if step == "ingest":
            version = 1 - version
            use("job", version)
            arguments, after = ingests["job"], expected(version, tags)
        elif step == "tag":
            arguments, after = ["tag", "job", f"n={number}"], expected(version, {**tags, "n": str(number)})
        elif step == "delete":
            arguments, after = ["delete", "job"], beside[other]
        elif step == "compact":
            # The other run changes before, so that there is something to bring together.
            other = 1 - other
            use("other", other)
            assert call(place, ingests["other"], 60)
            before = {**before, **beside[other]}
            arguments, after = ["compact"], before
        else:
            arguments, after = ["vacuum", "--older-than", "0s"], before
        killed += not call(place, arguments, whole * chance.random())
        with tl.open(url, options=options) as session:
            found = content(session)
            assert found in (before, after), (number, step)
            assert not [row for row in session.check().rows() if row["loss"]], (number, step)
        undone += found == before != after
        if found != after or step in {"ingest", "vacuum", "compact"}:
            assert call(place, arguments, 60)
        with tl.open(url, options=options) as session:
            assert content(session) == after, (number, step)
        before = after
    assert killed > KILLS // 4, f"{killed} of {KILLS} calls were killed before their end, {undone} had done nothing"
    assert call(place, ["vacuum", "--older-than", "0s"], 60)
    with tl.open(url, options=options) as session:
        assert len(session.check()) == 0
        assert content(session) == before
