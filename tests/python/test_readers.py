"""A table is the same in every library, over Arrow, in place, and from the files.

The lake was written once, or a changed profile was just ingested again, or an ingest was killed.
"""

import shutil

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datafusion import SessionContext

import tracelake as tl

TABLES = ["event", "step", "sample", "loader"]


def paths(s, table):
    return [file.removeprefix("file://") for file in s.files(table)]


def duckdb_stream(s, table):
    frame = s.table(table)
    assert len(frame) > 0
    return duckdb.sql("select * from frame").to_arrow_table()


def datafusion_stream(s, table):
    return pa.table(SessionContext().from_arrow(s.table(table)))


def datafusion_provider(s, table):
    context = SessionContext()
    context.register_table("t", s.provider(table))
    return pa.table(context.sql("select * from t"))


def datafusion_files(s, table):
    context = SessionContext()
    for place, path in enumerate(paths(s, table)):
        context.register_parquet(f"t{place}", path)
    union = " union all ".join(f"select * from t{place}" for place in range(len(paths(s, table))))
    return pa.table(context.sql(union))


READERS = {
    "pyarrow": lambda s, table: s.table(table).to_arrow(),
    "pandas": lambda s, table: pa.Table.from_pandas(s.table(table).to_pandas(), preserve_index=False),
    "polars": lambda s, table: s.table(table).to_polars().to_arrow(),
    "polars from the stream": lambda s, table: pl.DataFrame(s.table(table)).to_arrow(),
    "rows": lambda s, table: pa.Table.from_pylist(list(s.table(table).rows()), pa.schema(s.table(table))),
    "duckdb": duckdb_stream,
    "duckdb files": lambda s, table: duckdb.read_parquet(paths(s, table)).to_arrow_table(),
    "polars files": lambda s, table: pl.read_parquet(paths(s, table)).to_arrow(),
    "pyarrow files": lambda s, table: pa.concat_tables([pq.read_table(path) for path in paths(s, table)]),
    "datafusion": datafusion_stream,
    "datafusion provider": datafusion_provider,
    "datafusion files": datafusion_files,
}


def sorted_rows(table, schema):
    """Returns the rows sorted by identity, with the types of the lake."""
    columns = [
        table[field.name].cast(pa.int64() if pa.types.is_timestamp(field.type) else field.type) for field in schema
    ]
    return pa.table(columns, names=schema.names).sort_by([("object", "ascending"), ("row", "ascending")]).to_pylist()


if hasattr(pd.DataFrame, "from_arrow"):  # pandas 3 and newer, which needs Python 3.11
    READERS["pandas from_arrow"] = lambda s, table: pa.table(pd.DataFrame.from_arrow(s.table(table)))


@pytest.fixture(scope="module")
def changed_session(profile, change, tmp_path_factory):
    """A session after a second ingest of a profile with two changed files."""
    folder = tmp_path_factory.mktemp("changed")
    copy = shutil.copytree(profile, folder / "first_look" / "profiler-output")
    with tl.open(folder / "lake", create=True) as session:
        session.ingest(copy)
        change(copy)
        assert session.ingest(copy)["read"] == 3  # a timeline is read with the others of its process
        yield session


@pytest.fixture(scope="module")
def lake_after_kill(profile, generate, kill_ingest, tmp_path_factory):
    """A lake with data files of a killed ingest of another run."""
    big = generate(minutes=20, steps=3000, submodules=10, modes=1)
    for _ in range(10):  # repeats until the process was killed before its commit
        folder = tmp_path_factory.mktemp("survived")
        with tl.open(folder, create=True) as session:
            session.ingest(profile)
        before = parts(folder)
        kill_ingest(folder, big, lambda folder=folder, before=before: parts(folder) > before)
        with tl.open(folder) as session:
            if len(session.runs()) == 1:
                assert parts(folder) > before
                yield session
                return
    pytest.fail("no ingest could be killed before its commit")


def parts(folder):
    """Returns the Parquet files below a folder."""
    return {str(path) for path in folder.rglob("*.parquet")}


LAKES = {"written once": "s", "after a change": "changed_session", "after a killed ingest": "lake_after_kill"}


@pytest.fixture(scope="module", params=LAKES)
def session(request):
    return request.getfixturevalue(LAKES[request.param])


def tables(session):
    """Returns the rows of all tables from this package."""
    return {table: sorted_rows(session.table(table).to_arrow(), pa.schema(session.table(table))) for table in TABLES}


@pytest.fixture(scope="module")
def expected(session):
    return tables(session)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("reader", READERS)
def test_every_reader_returns_the_same_rows(session, expected, reader, table):
    actual = READERS[reader](session, table)
    schema = pa.schema(session.table(table))
    assert actual.column_names == schema.names
    assert sorted_rows(actual, schema) == expected[table]


def test_the_compared_data_is_not_empty(s):
    once = tables(s)
    assert {table: len(rows) for table, rows in once.items()} == {
        "event": 980,
        "step": 220,
        "sample": 3724,
        "loader": 260,
    }
    nulls = sum(value is None for rows in once.values() for row in rows for value in row.values())
    assert nulls > 1000


def test_a_change_is_seen_and_a_killed_ingest_is_not(s, changed_session, lake_after_kill):
    once, now = tables(s), tables(changed_session)
    assert {table: len(rows) for table, rows in now.items()} == {
        "event": 980,
        "step": 220,
        "sample": 2128,
        "loader": 260,
    }
    assert any(row["num_workers"] == 16 for row in now["loader"])
    assert now["step"] == once["step"]
    assert tables(lake_after_kill) == once


def test_filters_are_pushed_into_the_provider(s):
    context = SessionContext()
    context.register_table("event", s.provider("event"))
    ours = next(s.sql("select count(*) as n, sum(dur) as total from event where category = 'loader'").rows())
    theirs = context.sql("select count(*) as n, sum(dur) as total from event where category = 'loader'").to_pylist()
    assert theirs == [ours]


def test_files_belong_to_the_run(lake, profile):
    lake.ingest(profile, run="one")
    lake.ingest(profile, run="two")
    both, one = set(lake.files("step")), set(lake.files("step", run="one"))
    assert one < both
    assert duckdb.read_parquet([file.removeprefix("file://") for file in one]).aggregate("count(*)").fetchall() == [
        (220,)
    ]
