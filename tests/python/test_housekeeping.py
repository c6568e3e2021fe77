"""Deleting, tagging, checking and vacuuming from Python: a lake on a disk, and on a real S3 server.

tests/it/housekeeping.rs checks which files remain in each case.
"""

import datetime as dt
from pathlib import Path

import pytest

import tracelake as tl
from lake_under_test import losses, runs_of

pytestmark = pytest.mark.slow

NOW = dt.timedelta(0)
ANSWER = "select name, sum(dur) as total, count(*) as n from event group by name order by name"


@pytest.fixture
def lake(lake_location, profile):
    """A lake with the bundled profile as run `job`: its session, and a function that opens it again."""
    with lake_location.open(create=True) as session:
        session.ingest(profile, run="job", tags={"model": "a"})
        yield session, lake_location.open


def test_a_deleted_run_and_then_its_files_disappear(lake, profile):
    session, again = lake
    before = list(session.sql(ANSWER).rows())
    with again() as other:
        assert session.delete("jo*", dry_run=True) == ["job"]
        assert runs_of(session) == ["job"]
        assert session.delete(older_than=dt.timedelta(days=365_000)) == []
        assert session.delete(["job"], older_than=dt.timedelta(days=1)) == ["job"]
        assert runs_of(session) == []
        assert list(other.sql(ANSWER).rows()) == before
    unlisted = list(session.check(read=False).rows())
    assert {row["fault"] for row in unlisted} == {"unlisted"}
    assert not any(row["loss"] for row in unlisted)
    assert len(session.vacuum()) == 0
    removed_files = list(session.vacuum(NOW).rows())
    assert {row["path"] for row in unlisted} == {row["path"] for row in removed_files if row["kind"] == "part"}
    assert all(row["bytes"] > 0 and row["modified"] for row in removed_files)
    assert len(session.check()) == 0
    session.ingest(profile, run="job")
    with again() as other:
        assert list(other.sql(ANSWER).rows()) == before


def test_compact_merges_small_files_and_keeps_results(lake, profile):
    session, again = lake
    for run in ("a", "b"):
        session.ingest(profile, run=run)
    question = "select run, name, sum(dur) as total, count(*) as n from event group by run, name order by run, name"
    before, files = list(session.sql(question).rows()), len(session.files("event"))
    planned = session.compact(dry_run=True).to_pandas().set_index("table")
    done = session.compact().to_pandas().set_index("table")
    assert planned["files_before"].equals(done["files_before"])
    assert (done["files_before"]["event"], done["files_after"]["event"], done["runs"]["event"]) == (files, 1, 3)
    assert len(session.files("event")) == 1
    assert len(session.vacuum(NOW)) > files
    with again() as other:
        for reader in (session, other):
            assert list(reader.sql(question).rows()) == before
            assert len(reader.table("step", run="a")) == 220
        assert len(other.check()) == 0
        assert other.delete("a") == ["a"]
        assert list(other.sql(question).rows()) == [row for row in before if row["run"] != "a"]
    session.ingest(profile, run="b", tags={"late": True})
    assert len(session.table("step", run="b")) == 220


def test_tags_can_be_changed(lake):
    session, again = lake
    session.tag("job", {"model": None, "commit": "3fa2"})
    with again() as other:
        tags = other.sql("select key, value from run_attribute where object = -1")
        assert list(tags.rows()) == [{"key": "commit", "value": "3fa2"}]
        assert other.group("commit=3fa2") == ["job"]
    assert not losses(session)


def test_a_missing_data_file_is_found(lake, request):
    session, _ = lake
    # two workers can have written one each
    part, *rest = session.files("step")
    rows = session.sql("select count(*) as n from step").to_arrow()["n"][0].as_py()
    if part.startswith("s3://"):
        bucket, key = part.removeprefix("s3://").split("/", 1)
        request.getfixturevalue("s3").client.delete_object(Bucket=bucket, Key=key)
    else:
        Path(part.removeprefix("file://")).unlink()
    (fault,) = session.check().rows()
    assert (fault["fault"], fault["loss"], fault["run"], fault["bytes"]) == ("missing", True, "job", None)
    assert fault["message"].endswith(" rows of table step are lost: the file does not exist")
    assert rest or fault["message"].startswith(f"{rows} rows")


def test_an_impossible_operation_has_a_reason(lake):
    session, _ = lake
    session.set_baseline("main", "job")
    with pytest.raises(tl.errors.ConflictError, match="cannot delete run `job`: baseline `main` contains it"):
        session.delete("job")
    with pytest.raises(tl.errors.NotFoundError, match="no run or baseline `jb`"):
        session.delete("jb")
    with pytest.raises(tl.errors.ArgumentError):
        session.delete()
    with pytest.raises(tl.errors.NotFoundError, match="no run or baseline `jb`; did you mean `job`"):
        session.tag("jb", {"a": "b"})
    assert runs_of(session) == ["job"]


def test_patterns_and_conditions_name_runs(lake, profile):
    session, again = lake
    session.ingest(profile, run="job-2")
    assert session.tag("job*", {"team": "red"}) == ["job", "job-2"]
    assert session.tag(["team=red"], {"done": "yes"}) == ["job", "job-2"]
    with pytest.raises(tl.errors.ArgumentError, match="`job\\*` matches 2 runs, expected one"):
        session.rename("job*", "new")
    session.rename("model=a", "new")
    assert runs_of(session) == ["job-2", "new"]
    with again() as other:
        assert other.group("done=yes") == ["job-2", "new"]
