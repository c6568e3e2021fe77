"""Queries that are saved in a lake: canned queries of every session, and isolation of broken ones."""

import subprocess
import sys

import pytest

import tracelake as tl

PLAIN = (
    "-- Which steps took long?\nselect run, rank, step, dur as dur, dur / 1e6 as dur_ms from step where dur > $min_dur"
)
HEADED = """-- How many steps are there?
--
-- param   mode   text = 'train'  train or eval
--
-- column  run    text   id     run
-- column  n      bigint count  steps
--
-- needs   step
-- order   run

SELECT run, count(*) AS n FROM step WHERE mode = $mode GROUP BY run ORDER BY run
"""
NS = 10**6


@pytest.fixture
def saved_lake(lake, profile):
    """A lake with a run and two queries that another session saved."""
    lake.ingest(profile, run="job")
    lake.save_query("slow", PLAIN, min_dur=450 * NS)
    lake.save_query("team.steps", HEADED)
    with tl.open(lake.url) as session:
        yield session


def shell(lake, *arguments):
    command = [sys.executable, "-m", "tracelake", "--lake", lake.url, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_saved_query_is_a_canned_query_everywhere(saved_lake):
    expected = saved_lake.sql("select count(*) as n from step where dur > 450000000").to_pandas()["n"][0]
    assert 0 < expected < 220
    assert (
        len(saved_lake.query("saved.slow"))
        == len(saved_lake.saved.slow())
        == len(saved_lake.sql("select * from saved_slow"))
        == expected
    )
    assert len(saved_lake.saved.slow(min_dur=0)) == len(saved_lake.sql("select * from saved_slow(min_dur => 0)")) == 220
    assert len(saved_lake.query("saved.slow", run="job", min_dur=0)) == 220
    assert saved_lake.saved.slow().units == {"run": "id", "rank": "id", "step": "id", "dur": "ns", "dur_ms": "mixed"}
    assert saved_lake.team.steps(mode="eval").to_pandas()["n"].tolist() == [20]
    help_row = (
        saved_lake.sql("select question, params from help_queries where name = 'saved.slow'")
        .to_pandas()
        .iloc[0]
        .tolist()
    )
    assert help_row == ["Which steps took long?", "min_dur bigint: as saved"]
    assert "saved.slow" in set(saved_lake.help("took long").to_pandas()["name"])
    assert {"saved", "team"} <= set(dir(saved_lake))
    assert shell(saved_lake, "query", "team.steps", "--param", "mode=eval").stdout == "run,n\njob,20\n"
    with pytest.raises(AttributeError, match="did you mean `slow`"):
        saved_lake.saved.slwo()
    with pytest.raises(tl.errors.ArgumentError, match="expected bigint"):
        saved_lake.saved.slow(min_dur="much")


def test_saving_again_replaces_and_deleting_removes(saved_lake):
    before = saved_lake.saved.slow()
    saved_lake.save_query("slow", "select run, step from step")
    assert saved_lake.saved.slow().columns == ["run", "step"]
    assert saved_lake.sql("select * from saved_slow").columns == ["run", "step"]
    assert "dur" in before.columns
    assert saved_lake.saved_queries() == ["saved.slow", "team.steps"]
    saved_lake.delete_query("slow")
    assert saved_lake.saved_queries() == ["team.steps"]
    for ask in (lambda: saved_lake.query("saved.slow"), lambda: saved_lake.sql("select * from saved_slow")):
        with pytest.raises(tl.TracelakeError, match=r"saved\.slow|saved_slow"):
            ask()
    assert len(saved_lake.sql("select * from help_columns where relation = 'saved_slow'")) == 0
    with tl.open(saved_lake.url) as other:
        assert other.saved_queries() == ["team.steps"]
    with pytest.raises(tl.errors.NotFoundError, match=r"did you mean `team\.steps`"):
        saved_lake.delete_query("team.step")


@pytest.mark.parametrize(
    ("name", "sql", "text"),
    [
        ("step.duration", PLAIN, "tracelake already uses the name step_duration"),
        ("system.sample", PLAIN, "tracelake already uses the name system_sample"),
        ("a.b.c", PLAIN, "expected <family>.<question>|must be <family>"),
        ("Slow", PLAIN, "lower-case letters"),
        ("../x", PLAIN, "lower-case letters|must be <family>"),
        ("finding.x", PLAIN, "read from a folder"),
        ("x", "select run, count(*) from step group by run", "has no name of its own"),
        ("x", "select dur from step", "first column must be `run`"),
        ("x", "drop table step", "only reads"),
        ("x", "select run from stepp", "did you mean `step`"),
        ("x", "select run from step where dur > $other", "min_dur|other"),
        ("x", HEADED.replace("bigint count", "double count"), "column `n` is bigint, its header declares double"),
    ],
)
def test_an_invalid_query_is_not_saved(lake, name, sql, text):
    values = {"min_dur": 1} if "$" in sql and "$mode" not in sql else {}
    with pytest.raises((tl.errors.QueryError, tl.errors.ArgumentError), match=text):
        lake.save_query(name, sql, **values)
    assert lake.saved_queries() == []
    with tl.open(lake.url) as other:
        assert other.saved_queries() == []


def test_a_broken_file_is_reported_and_excludes_nothing_else(saved_lake, tmp_path):
    folder = tmp_path / "lake" / "_queries"
    (folder / "saved" / "old.sql").write_text(HEADED.replace("FROM step", "FROM steps_of_old"))
    (folder / "saved" / "bad.sql").write_text("select 1")
    (folder / "saved" / "latin.sql").write_bytes(b"-- caf\xe9\n")
    (folder / "step").mkdir()
    (folder / "step" / "duration.sql").write_text(HEADED)
    (folder / "notes.txt").write_text("not a query")
    with pytest.warns(UserWarning, match="is excluded") as warning_list:
        session = tl.open(saved_lake.url)
    with session:
        assert session.saved_queries() == ["saved.slow", "team.steps"]
        assert len(session.team.steps()) == 1
        assert len(session.step.duration()) > 1
        with pytest.raises(tl.errors.QueryError, match=r"(?s)cannot use the saved query `saved\.old`: .*steps_of_old"):
            session.query("saved.old")
        assert "is excluded" in session._repr_html_()
        session.delete_query("saved.bad")
    assert sorted(str(one.message).split("`")[1] for one in warning_list) == [
        "saved.bad",
        "saved.latin",
        "saved.old",
        "step.duration",
    ]
    assert not (folder / "saved" / "bad.sql").exists()
    assert shell(saved_lake, "runs").stderr.count("warning: the saved query") == 3


def test_the_shell_saves_lists_and_deletes(lake, profile):
    lake.ingest(profile, run="job")
    done = shell(lake, "queries", "slow", "--save", PLAIN, "--param", "min_dur=450000000")
    saved = "saved query `saved.slow`; run it with `tracelake query saved.slow`\n"
    assert (done.returncode, done.stdout, done.stderr) == (0, saved, "")
    assert "did you mean `saved.slow`?" in shell(lake, "query", "slow").stderr
    assert shell(lake, "queries", "--saved").stdout == "saved.slow  Which steps took long?\n"
    assert "param   min_dur" in shell(lake, "queries", "saved.slow").stdout
    assert "\nquery,saved.slow," in shell(lake, "help", "took", "long").stdout
    with tl.open(lake.url) as session:
        rows = len(session.saved.slow())
    assert len(shell(lake, "query", "saved.slow").stdout.splitlines()) == 1 + rows
    assert shell(lake, "queries", "saved.slow", "--delete").returncode == 0
    assert shell(lake, "queries", "--saved").stdout == ""
    assert shell(lake, "queries", "saved.slow", "--delete").returncode == 2


def test_a_lake_on_s3_stores_queries_and_opens_with_one_more_request(s3, profile):
    url = f"s3://{s3.bucket()}/lake"
    with tl.open(url, create=True, options=s3.options) as session:
        session.ingest(profile, run="job")
    del s3.requests[:]
    with tl.open(url, options=s3.options) as session:
        opening = list(s3.requests)
        extra = [request for request in opening if "_queries" in str(request)]
        assert (len(extra), extra[0].method) == (1, "GET")
        session.save_query("slow", PLAIN, min_dur=0)
    with tl.open(url, options=s3.options) as session:
        assert len(session.saved.slow()) == 220
        session.delete_query("slow")
    with tl.open(url, options=s3.options) as session:
        assert session.saved_queries() == []
