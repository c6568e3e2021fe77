"""A changed bit in a file of a lake is found, and another ingest restores the rows."""

import datetime as dt
import os
import random
import shutil
from pathlib import Path

import pytest

import tracelake as tl

pytestmark = pytest.mark.filterwarnings("ignore:run .* is excluded", "ignore:.*cannot read")

DATA = Path(__file__).parents[1] / "data"
PROFILE = DATA / "first_look" / "profiler-output"
FLIPS = 40
QUESTION = "SELECT category, count(*), sum(dur), min(ts), max(ts) FROM event GROUP BY ALL ORDER BY 1"


@pytest.fixture(scope="module", params=["separate", "compacted"])
def intact(request, tmp_path_factory):
    """A lake with two runs."""
    lake = tmp_path_factory.mktemp("intact") / "lake"
    with tl.open(lake, create=True) as session:
        for run in ("one", "two"):
            session.ingest(PROFILE, run=run)
        if request.param == "compacted":
            session.compact()
            session.vacuum(older_than=dt.timedelta(0))
    return lake


def rows(lake):
    with tl.open(lake) as session:
        return session.sql(QUESTION).to_csv(), session.query("step.duration", run="one").to_csv()


def flip(path, seed):
    """Changes one bit of a file."""
    content = bytearray(path.read_bytes())
    bit = random.Random(seed).randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)


def test_each_flip_is_found_and_repaired(intact, tmp_path):
    expected = rows(intact)
    files = [path for path in sorted(intact.rglob("*")) if path.suffix == ".parquet" and "_manifest" not in path.parts]
    for seed in range(FLIPS):
        lake = tmp_path / str(seed)
        shutil.copytree(intact, lake)
        path = lake / random.Random(seed).choice(files).relative_to(intact)
        flip(path, seed)
        with tl.open(lake) as session:
            assert [row["fault"] for row in session.check().rows() if row["path"].endswith(path.name)], (seed, path)
        with tl.open(lake) as session:
            for run in ("one", "two"):
                session.ingest(PROFILE, run=run)
            assert not [row for row in session.check().rows() if row["fault"] != "unlisted"], (seed, path)
        assert rows(lake) == expected, (seed, path)


def test_each_flip_in_a_manifest_is_found(intact, tmp_path):
    files = sorted((intact / "_manifest").rglob("*.json"))
    files = [path for path in files if path.name != "lake.json"]
    for seed in range(FLIPS):
        lake = tmp_path / str(seed)
        shutil.copytree(intact, lake)
        (lake / "_manifest" / "checkpoint.parquet").unlink(missing_ok=True)
        path = lake / random.Random(seed).choice(files).relative_to(intact)
        flip(path, seed)
        with tl.open(lake) as session:
            kinds = {row["fault"] for row in session.check().rows()}
        assert kinds & {"manifest", "newer"}, (seed, path)


def test_a_missing_or_truncated_file_is_read_again(intact, tmp_path):
    expected = rows(intact)
    for change in (Path.unlink, lambda path: os.truncate(path, path.stat().st_size // 2)):
        lake = tmp_path / "lake"
        shutil.copytree(intact, lake, dirs_exist_ok=True)
        change(min((lake / "event").glob("*.parquet")))
        with tl.open(lake) as session:
            reports = [session.ingest(PROFILE, run=run) for run in ("one", "two")]
            assert sum(report["read"] for report in reports) > 0
        assert rows(lake) == expected
        shutil.rmtree(lake)


def test_lost_tags_are_written_again(tmp_path):
    lake = tmp_path / "lake"
    with tl.open(lake, create=True) as session:
        session.ingest(PROFILE, run="one", tags={"team": "red"})
        for repair in (False, True):
            for file in (lake / "run_attribute").glob("*.parquet"):
                file.unlink()
            if repair:
                session.repair()
            with tl.open(lake) as other:
                other.ingest(PROFILE, run="one")
                assert not [row for row in other.check().rows() if row["loss"]]
                assert other.group("team=red") == ["one"]
            session.refresh()


def test_a_missing_shared_file_stops_neither_compact_nor_files_of_other_tables(intact, tmp_path):
    lake = tmp_path / "lake"
    shutil.copytree(intact, lake)
    min((lake / "step").glob("*.parquet")).unlink()
    with tl.open(lake) as session:
        session.compact()
        assert session.files("event")
        assert session.files("step")


def test_a_bundle_that_ends_after_a_manifest_or_begins_with_other_bytes_is_corrupt(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("one", "two", "three"):
            session.ingest(PROFILE, run=run)
        session.compact()
        session.vacuum(dt.timedelta(0))
    bundle = "_manifest/bundle/0000000001.json"
    text = (tmp_path / "lake" / bundle).read_bytes()
    end = text.index(b',{"format":', 10)
    cases = [text[:end], text[: end + 1], b"Z" + text[1:], text[:2] + b"\xa2" + text[3:], text[:3] + b"\x06" + text[4:]]
    for number, content in enumerate(cases):
        lake = tmp_path / str(number)
        shutil.copytree(tmp_path / "lake", lake)
        (lake / bundle).write_bytes(content)
        with tl.open(lake) as session:
            assert [row["fault"] for row in session.check().rows() if row["loss"]] == ["manifest"], number
            session.repair()
        with tl.open(lake) as session:
            for run in ("one", "two", "three"):
                session.ingest(PROFILE, run=run)
            assert not [row for row in session.check().rows() if row["loss"]], number
            counts = [row["n"] for row in session.sql("select count(*) as n from step group by run").rows()]
            assert counts == [220] * 3, number
