"""Lakes of earlier versions are read, upgraded and continued."""

import shutil
from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
QUERIES = ("step.duration", "step.breakdown", "kernel.summary", "loader.share")
NESTED = ("operator.summary", "operator.call_tree", "kernel.by_operator", "memory.by_operator")


@pytest.fixture(params=["f284bfd", "f284bfd_odd"])
def old_lake(request, tmp_path):
    """A copy of a lake."""
    return shutil.copytree(DATA / "lakes" / request.param, tmp_path / request.param)


def results(session, run):
    """The results of queries as CSV, and the number of rows of each table."""
    tables = ("event", "step", "loader", "problem", "action", "function", "call", "device", "allocation")
    counts = {table: session.sql(f"SELECT count(*) AS n FROM {table}").to_csv() for table in tables}
    return {query: session.query(query, run=run).to_csv() for query in QUERIES} | counts


def test_an_old_lake_gives_the_same_results_before_and_after_an_upgrade(old_lake):
    with tl.open(old_lake) as session:
        (run,) = (row["run"] for row in session.sql("SELECT run FROM run").rows())
        # How calls are nested was not stored.
        with pytest.raises(tl.errors.UnrecognizedError, match="upgrade"):
            session.query("operator.summary", run=run).to_csv()
        before = results(session, run)
        assert session.upgrade()
        assert results(session, run) == before
        assert not session.upgrade()
    with tl.open(old_lake) as session:
        assert results(session, run) == before


def test_an_old_lake_has_the_results_of_a_new_one(tmp_path):
    shutil.copytree(DATA / "lakes" / "f284bfd", tmp_path / "lake")
    with tl.open(tmp_path / "lake") as session:
        session.ingest(DATA / "pytorch_ddp", run="new")
        with pytest.raises(tl.errors.UnrecognizedError, match="upgrade"):
            session.query("operator.summary", run="job")
        assert {row["run"] for row in session.query("operator.summary").rows()} == {"new"}
        warned = pytest.warns(UserWarning, match="run `job` is stored without the nesting")
        with warned, tl.open(tmp_path / "lake") as again:
            assert again.diagnose("new")
        session.upgrade()
        for query in QUERIES + NESTED:
            old, new = (session.query(query, run=run).to_csv().replace(run, "") for run in ("job", "new"))
            new = new.replace(",train,", ",,")  # what f284bfd did not know of a trace
            assert old == new, query


def test_an_old_recording_without_an_epoch_is_not_corrupt(tmp_path):
    shutil.copytree(DATA / "lakes" / "f284bfd_odd", tmp_path / "lake")
    with tl.open(tmp_path / "lake") as session:
        (row,) = session.sql("SELECT corrupt, entries, kind FROM evidence_problem").rows()
    # The bad value and the interval without an end. A missing epoch does not count.
    assert (row["corrupt"], row["entries"]) == (2, 2)
