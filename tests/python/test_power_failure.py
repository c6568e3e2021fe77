"""A power failure at any time of a change leaves the lake as before or after the change.

A preloaded library (power_failure.c) records which files and folders the process flushes to the disk. From its log, the
tests build each state that a disk may have after a power failure at a flush. In one model, only flushed data is there.
In the other, all names are there, and files that were not flushed are empty.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl
from test_crash import content

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the recorder is for Linux"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]

GOLDEN = Path(__file__).parents[1] / "data" / "golden" / "job-a"
OPEN = "import sys, tracelake as tl; session = tl.open(sys.argv[1]); "
CHANGES = {
    "ingest": "session.ingest(sys.argv[2], run='a', progress=False)",
    "ingest_a_new_run": "session.ingest(sys.argv[2], run='c', progress=False)",
    "tag": "session.tag('a', {'checked': 'yes'})",
    "rename": "session.rename('a', 'c')",
    "delete": "session.delete('a')",
    "compact": "session.compact()",
}


@pytest.fixture(scope="module")
def recorder(tmp_path_factory):
    """The preloaded library."""
    library = tmp_path_factory.mktemp("recorder") / "power_failure.so"
    source = Path(__file__).with_name("power_failure.c")
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl", "-lpthread"], check=True)
    return library


@pytest.fixture(scope="module")
def lake_before(tmp_path_factory):
    """A lake with two runs, and another version of the profile."""
    folder = tmp_path_factory.mktemp("before")
    changed = Path(shutil.copytree(GOLDEN, folder / "changed" / "job-a"))
    file = min((changed / "system").rglob("*.json"))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[-1]]) + "\n")
    with tl.open(folder / "lake", create=True) as session:
        for run in ("a", "b"):
            session.ingest(GOLDEN, run=run, progress=False)
        rows = content(session)
    return folder / "lake", changed, rows


class Disk:
    """The content of a disk after a power failure, according to the replayed log."""

    def __init__(self, lake: Path, log: Path) -> None:
        """Marks all content of the lake as flushed."""
        self.lake, self.log = lake, log
        self.content = {key(file): file.read_bytes() for file in lake.rglob("*") if file.is_file()}
        self.folders = {folder: children(folder) for folder in [lake, *lake.rglob("*")] if folder.is_dir()}
        self.names: dict[Path, str] = {}

    def replay(self, event: list[str]) -> None:
        """Replays one flush."""
        first, *lines = event
        kind, rest = first.split(" ", 1)
        if kind == "file":
            flushed = rest.split(" ", 1)[0]
            self.content[flushed] = (self.log.parent / flushed).read_bytes()
        else:
            self.folders[Path(rest)] = {
                Path(path): mark for word, mark, path in (line.split(" ", 2) for line in lines) if word == "in"
            }
        self.names = {
            Path(path): mark for word, mark, path in (line.split(" ", 2) for line in lines) if word == "entry"
        }

    def write_flushed(self, target: Path) -> None:
        """Writes the lake with only flushed names and content."""

        def write(folder: Path, target: Path) -> None:
            target.mkdir()
            for path, mark in self.folders.get(folder, {}).items():
                if mark == "folder":
                    write(path, target / path.name)
                else:
                    (target / path.name).write_bytes(self.content.get(mark, b""))

        write(self.lake, target)

    def write_all_names(self, target: Path) -> None:
        """Writes the lake with all names, and only flushed content."""
        for path, mark in self.names.items():
            file = target / path.relative_to(self.lake)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(self.content.get(mark, b""))


def key(file: Path) -> str:
    """Returns the recorder's name for the content of a file."""
    status = file.stat()
    return f"{status.st_ino}-{status.st_mtime_ns}"


def children(folder: Path) -> dict[Path, str]:
    """Returns the entries of a folder."""
    return {path: "folder" if path.is_dir() else key(path) for path in folder.iterdir()}


def events(log: Path) -> list[list[str]]:
    """Returns the log lines of each flush."""
    groups: list[list[str]] = [[]]
    for line in log.read_text().splitlines():
        if line == "end":
            groups.append([])
        else:
            groups[-1].append(line)
    return groups[:-1]


QUICK = ("ingest", "delete")
PARAMETERS = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in CHANGES]


@pytest.mark.parametrize("change", PARAMETERS)
def test_a_power_failure_leaves_the_lake_before_or_after_a_change(change, lake_before, recorder, tmp_path):
    valid, changed, rows_before = lake_before
    lake = Path(shutil.copytree(valid, tmp_path / "lake"))
    (tmp_path / "record").mkdir()
    disk = Disk(lake, tmp_path / "record" / "log")
    recording = {"LD_PRELOAD": str(recorder), "RECORD_TREE": str(lake), "RECORD_TO": str(tmp_path / "record")}
    command = [sys.executable, "-c", OPEN + CHANGES[change], str(lake), str(changed)]
    subprocess.run(command, env={**os.environ, **recording}, check=True)
    with tl.open(lake) as session:
        rows_after = content(session)
    flushes = events(disk.log)
    assert len(flushes) > 2, "the change flushed nothing"
    last = {}
    for number, event in enumerate(flushes):
        disk.replay(event)
        for model in ("write_flushed", "write_all_names"):
            target = tmp_path / f"{model}-{number}"
            getattr(disk, model)(target)
            with tl.open(target) as session:
                rows = last[model] = content(session)
                lost = [row for row in session.check().rows() if row["loss"]]
                assert not session.faults()
            assert not lost, (event[0], lost)
            assert rows in (rows_before, rows_after), (number, event[0])
            shutil.rmtree(target)
    assert last["write_flushed"] == rows_after, "the change returned before it was on the disk"
