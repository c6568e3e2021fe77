"""A full or read-only disk leaves the lake unchanged, and the error says what to do.

The disk is a small one in memory, which only the process under test sees (`unshare`, a tool of every Linux).
"""

import shutil
import subprocess
import sys

import pytest

import tracelake as tl
from lake_under_test import losses, runs_of

pytestmark = pytest.mark.slow

TABLES = ("event", "step", "sample", "loader")


def run_in_own_mounts(script):
    """Runs a shell script that sees its own mounts."""
    command = ["unshare", "--map-root-user", "--mount", "sh", "-euc", script]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(autouse=True, scope="module")
def _namespaces(tmp_path_factory):
    folder = tmp_path_factory.mktemp("probe")
    if not shutil.which("unshare") or run_in_own_mounts(f"mount -t tmpfs tmpfs {folder}").returncode:
        pytest.skip("this machine does not let a process have its own mounts")


def row_counts(session):
    return [int(session.sql(f"select count(*) as n from {table}").to_csv().split()[1]) for table in TABLES]


def tracelake(lake, *arguments):
    return " ".join(f"'{word}'" for word in (sys.executable, "-m", "tracelake", "--lake", lake, *arguments))


@pytest.mark.parametrize("room", range(0, 200, 25))
def test_a_full_disk_leaves_the_lake_as_it_was(profile, tmp_path, room):
    lake, after = tmp_path / "lake", tmp_path / "after"
    lake.mkdir()
    with tl.open(tmp_path / "first", create=True) as session:
        session.ingest(profile, run="there")
        before = row_counts(session)
    used = sum(-(-file.stat().st_size // 4096) * 4096 + 4096 for file in (tmp_path / "first").rglob("*"))
    ended = run_in_own_mounts(
        f"mount -t tmpfs -o size={used + room * 1024} tmpfs {lake}\n"
        f"cp -r {tmp_path}/first/. {lake}\n"
        f"{tracelake(lake, 'ingest', profile, '--run', 'more')} && code=0 || code=$?\n"
        f"cp -r {lake} {after}\n"
        "exit $code"
    )
    with tl.open(after) as session:
        runs = runs_of(session)
        assert not losses(session)
        if ended.returncode == 0:
            assert runs == ["more", "there"], ended.stderr
            return
        # rows that were committed before the disk was full are complete
        assert ended.returncode in {3, 4}, (ended.returncode, ended.stderr)
        assert "no space left" in ended.stderr, ended.stderr
        assert "free some space" in ended.stderr
        assert runs in (["there"], ["more", "there"])
        assert row_counts(session) == [count * len(runs) for count in before]
        session.ingest(profile, run="more")
        assert runs_of(session) == ["more", "there"]


def test_a_read_only_lake_can_be_read(profile, tmp_path):
    lake = tmp_path / "lake"
    with tl.open(lake, create=True) as session:
        session.ingest(profile, run="there")
        expected = session.sql("select count(*) as n from event").to_csv()
    ended = run_in_own_mounts(
        f"mount --bind {lake} {lake}\nmount -o remount,ro,bind {lake}\n"
        f"{tracelake(lake, 'sql', 'select count(*) as n from event')}\n"
        f"{tracelake(lake, 'query', 'job.overview', '--format', 'csv')} > {tmp_path}/overview\n"
        f"{tracelake(lake, 'ingest', profile, '--run', 'more')}"
    )
    assert ended.stdout == expected
    assert (tmp_path / "overview").read_text().count("\n") > 1
    assert ended.returncode in {3, 4}, ended.stderr
    assert "Read-only file system" in ended.stderr
    assert "choose another folder" in ended.stderr
    with tl.open(lake) as session:
        assert runs_of(session) == ["there"]
        assert len(session.check()) == 0


SPILL = """
import resource, sys
import tracelake as tl
with tl.open(sys.argv[1], create=True, writable=True) as session:
    session.sql("SET datafusion.runtime.memory_limit = '20M'")
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    numbered = "select row_number() over (order by value desc) as n from generate_series(1, 2000000)"
    try:
        session.sql(f"select max(n) as n from ({numbered})").to_csv()
    except tl.errors.ExhaustedError as error:
        print(error)
"""


def test_a_query_that_cannot_write_its_temporary_rows_says_so(tmp_path):
    done = subprocess.run([sys.executable, "-c", SPILL, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("cannot write temporary rows of the query: no space left\n  hint:   free some space")
