"""Which generation of a run is valid after a file of the lake was lost or corrupted, or a rename was killed."""

import datetime as dt
import json
from pathlib import Path

import pytest

import tracelake as tl

pytestmark = pytest.mark.filterwarnings("ignore:.*(is excluded|is corrupt)")

NOW = dt.timedelta(0)
COUNTS = """
    SELECT run, count(*) AS n FROM (SELECT run FROM event UNION ALL SELECT run FROM loader) GROUP BY run
"""


def write_profile(folder: Path, events: int) -> Path:
    """Writes a trace with this number of events."""
    folder.mkdir(exist_ok=True)
    event = {"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 1, "dur": 1}
    content = {"schemaVersion": 1, "traceEvents": [{**event, "ts": n} for n in range(events)]}
    (folder / "rank0.pt.trace.json").write_text(json.dumps(content))
    return folder


def counts(lake):
    with tl.open(lake) as session:
        return {row["run"]: row["n"] for row in session.sql(COUNTS).rows()}


def ingest(lake, folder, events, run):
    with tl.open(lake, create=True) as session:
        session.ingest(write_profile(folder, events), run=run, progress=False)


def compact(lake):
    with tl.open(lake) as session:
        session.compact()
        session.vacuum(NOW)


def flip(path, position, bit=1):
    content = bytearray(path.read_bytes())
    content[position] ^= bit
    path.write_bytes(content)


@pytest.fixture
def two_bundles(tmp_path):
    """A lake whose second bundle has a newer generation of two of four runs."""
    lake = tmp_path / "lake"
    for run in ("a", "b"):
        ingest(lake, tmp_path / run, 3, run)
    # Their rows are in other files, which the second compaction does not write again.
    for run in ("c", "d"):
        (tmp_path / run).mkdir()
        (tmp_path / run / "timings.jsonl").write_text('{"step": 1, "load_s": 0.5}\n')
        with tl.open(lake) as session:
            session.ingest(tmp_path / run, run=run, progress=False)
    compact(lake)
    for run in ("a", "b"):
        ingest(lake, tmp_path / run, 5, run)
    compact(lake)
    assert counts(lake) == {"a": 5, "b": 5, "c": 1, "d": 1}
    assert len(list((lake / "_manifest/bundle").iterdir())) == 2
    return lake


@pytest.mark.parametrize(("place", "lost"), [("body", "a"), ("name", "acd"), ("last_name", "acd")])
def test_rows_of_an_older_bundle_do_not_replace_those_of_a_corrupt_newer_one(two_bundles, tmp_path, place, lost):
    bundle = two_bundles / "_manifest/bundle/0000000002.json"
    text = bundle.read_bytes()
    position = {
        "body": text.index(b'"sources"'),
        "name": text.index(b'"run":"a"') + 7,
        "last_name": text.index(b'"name":"a"') + 8,
    }[place]
    flip(bundle, position, bit=2)
    expected = {run: n for run, n in (("a", 5), ("b", 5), ("c", 1), ("d", 1)) if run not in lost}
    assert counts(two_bundles) == expected
    for run in lost:
        with tl.open(two_bundles) as session, pytest.raises(tl.errors.MalformedError, match=f"cannot read run `{run}`"):
            session.ingest(tmp_path / run, run=run, progress=False)
    with tl.open(two_bundles) as session:
        assert {row["run"] for row in session.check().rows() if row["loss"]} - {None} == set(lost)
        (repair,) = session.repair().rows()
        assert repair["loss"]
        assert all(run in repair["message"].split("again: ")[1] for run in lost)
        for run in lost:
            session.ingest(tmp_path / run, run=run, progress=False)
    assert counts(two_bundles) == {"a": 5, "b": 5, "c": 1, "d": 1}


def test_a_run_that_was_ingested_after_a_corrupt_bundle_stays(two_bundles, tmp_path):
    ingest(two_bundles, tmp_path / "a", 7, "a")
    (tmp_path / "c" / "timings.jsonl").write_text('{"step": 1, "load_s": 0.5}\n' * 2)
    with tl.open(two_bundles) as session:
        session.ingest(tmp_path / "c", run="c", progress=False)
    bundle = two_bundles / "_manifest/bundle/0000000002.json"
    flip(bundle, bundle.read_bytes().index(b'"run":"a"') + 7, bit=2)
    assert counts(two_bundles) == {"a": 7, "b": 5, "c": 2}


def test_a_repair_does_not_restore_the_rows_of_a_deleted_run(tmp_path):
    lake = tmp_path / "lake"
    for run in ("a", "b"):
        ingest(lake, tmp_path / run, 3, run)
    compact(lake)
    with tl.open(lake) as session:
        session.delete("a")
        session.ingest(write_profile(tmp_path / "other", 5), run="a", progress=False)
        session.vacuum(NOW)
    max((lake / "_manifest/run/a").iterdir()).write_bytes(b"")
    with tl.open(lake) as session:
        (repair,) = session.repair().rows()
        assert (repair["action"], repair["loss"]) == ("emptied", True)
        assert {row["run"] for row in session.sql(COUNTS).rows()} == {"b"}
        session.ingest(tmp_path / "other", run="a", progress=False)
    assert counts(lake) == {"a": 5, "b": 3}
    # The deletion is no longer needed when no bundle has the deleted rows.
    compact(lake)
    compact(lake)
    assert counts(lake) == {"a": 5, "b": 3}


@pytest.fixture
def killed_rename(tmp_path):
    """A lake with a run that was renamed from `a` to `b` by a process that was killed before its last commit."""
    lake = tmp_path / "lake"
    ingest(lake, tmp_path / "a", 3, "a")
    with tl.open(lake) as session:
        session.rename("a", "b")
    max((lake / "_manifest/run/a").iterdir()).unlink()
    assert counts(lake) == {"b": 3}
    return lake


def test_the_old_name_of_a_killed_rename_is_free(killed_rename, tmp_path):
    with tl.open(killed_rename) as session:
        session.ingest(write_profile(tmp_path / "other", 5), run="a", progress=False)
    assert counts(killed_rename) == {"a": 5, "b": 3}


@pytest.mark.parametrize("change", ["rename", "delete", "reuse"])
def test_a_killed_rename_stays_complete(killed_rename, tmp_path, change):
    with tl.open(killed_rename) as session:
        if change == "delete":
            session.delete("b")
        else:
            session.rename("b", "c")
        if change == "reuse":
            session.ingest(write_profile(tmp_path / "other", 5), run="d", progress=False)
            session.rename("d", "b")
    expected = {"rename": {"c": 3}, "delete": {}, "reuse": {"b": 5, "c": 3}}[change]
    assert counts(killed_rename) == expected


def test_a_rename_that_is_killed_before_the_new_run_exists_changes_nothing(tmp_path):
    lake = tmp_path / "lake"
    ingest(lake, tmp_path / "a", 3, "a")
    with tl.open(lake) as session:
        session.rename("a", "b")
    max((lake / "_manifest/run/a").iterdir()).unlink()
    (manifest,) = (lake / "_manifest/run/b").iterdir()
    manifest.unlink()
    assert counts(lake) == {"a": 3}
    ingest(lake, tmp_path / "a", 4, "a")
    with tl.open(lake) as session:
        session.rename("a", "b")
    assert counts(lake) == {"b": 4}


@pytest.mark.parametrize("change", ["compact", "rename"])
def test_a_corrupt_file_is_not_copied(tmp_path, change):
    lake = tmp_path / "lake"
    for run in ("a", "b"):
        ingest(lake, tmp_path / run, 3, run)
    manifest = json.loads(max((lake / "_manifest/run/a").iterdir()).read_text())
    part = lake / next(part["path"] for part in manifest["parts"] if part["table"] == "event")
    # The footer names the writer: no reader compares this text.
    flip(part, part.read_bytes().rindex(b"parquet-rs"))
    with tl.open(lake) as session:
        if change == "compact":
            with pytest.warns(UserWarning, match="checksum"):
                session.compact()
        else:
            with pytest.raises(tl.errors.MalformedError, match="checksum"):
                session.rename("a", "c")
        assert [row["run"] for row in session.check().rows() if row["fault"] == "corrupt"] == ["a"]
        session.ingest(tmp_path / "a", run="a", progress=False)
        session.compact()
        assert not [row for row in session.check().rows() if row["loss"]]
