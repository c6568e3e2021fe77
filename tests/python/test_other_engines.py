"""DuckDB, Polars, pandas, pyarrow and DataFusion answer what tracelake answers, from the files of a lake or in place.

The lake is on a disk and on a real S3 server: as it was written, compacted, with one of its runs deleted, and compacted
again.
tests/engines/questions.py has the questions, docs/other_engines.md the documentation for users.
"""

import datetime as dt
import functools
import importlib.util
import math
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.fs
import pyarrow.parquet as pq
import pytest
from datafusion import DataFrame, SessionContext
from datafusion.object_store import AmazonS3

import tracelake as tl
from lake_under_test import LakeLocation

pytestmark = pytest.mark.slow

SPEC = importlib.util.spec_from_file_location(
    "tracelake_tests_questions", Path(__file__).parents[1] / "engines" / "questions.py"
)
questions = importlib.util.module_from_spec(SPEC)
sys.modules[SPEC.name] = questions
SPEC.loader.exec_module(questions)

FOLDER = "team=red/the lake"
"""A folder name that looks like a partition, and has a space."""


class Arrow(questions.Engine):
    """Returns the files of a table for pyarrow."""

    def files(self, table):
        return [file.removeprefix("s3://") for file in super().files(table)]

    def filesystem(self):
        if not self.options:
            return pyarrow.fs.LocalFileSystem()
        return pyarrow.fs.S3FileSystem(
            access_key=self.options["access_key_id"],
            secret_key=self.options["secret_access_key"],
            endpoint_override=self.options["endpoint"],
            region=self.options["region"],
        )

    def dataset(self, table):
        return ds.dataset(self.files(table), filesystem=self.filesystem())


class PyArrow(Arrow):
    """pyarrow.dataset over the files."""

    def facts(self, table):
        known, rows = self.column_types(table), self.dataset(table).to_table()
        runs = rows["run"].unique().to_pylist()
        return {run: self.facts_of_run(rows.filter(pc.field("run") == run), known) for run in runs}

    def facts_of_run(self, rows, types):
        facts_by_type = {
            "bigint": lambda column: [pc.count(column), pc.sum(column.cast(pa.decimal128(38, 0)), min_count=0)],
            # its minimum and maximum ignore NaN
            "double": lambda column: [
                pc.count(column),
                pc.sum(pc.is_nan(column), min_count=0),
                pc.min(column),
                pc.max(column),
            ],
            "text": lambda column: [pc.count(column), pc.count_distinct(column), pc.min(column), pc.max(column)],
            "boolean": lambda column: [pc.count(column), pc.sum(column, min_count=0)],
        }
        facts = [fact.as_py() for name, kind in types.items() for fact in facts_by_type[kind](rows[name])]
        return [rows.num_rows, *map(questions.python_value, facts)]

    def kinds(self):
        field = ds.field
        condition = (field("ts") >= questions.SINCE) & field("category").isin(questions.CATEGORIES) & (field("dur") > 0)
        rows = self.dataset("event").to_table(columns=["run", "category", "dur"], filter=condition)
        groups = rows.group_by(["run", "category"]).aggregate([("dur", "count"), ("dur", "sum")]).to_pylist()
        return {questions.Kinds(row["run"], row["category"], row["dur_count"], row["dur_sum"]) for row in groups}


class Pandas(Arrow):
    """pandas over the files, with types for integers and nulls."""

    def read(self, table, **arguments):
        return pd.read_parquet(
            self.files(table),
            filesystem=self.filesystem(),
            partitioning=None,
            dtype_backend="pyarrow",
            **arguments,
        )

    def facts(self, table):
        known = self.column_types(table)
        return {run: self.facts_of_run(rows, known) for run, rows in self.read(table).groupby("run")}

    def facts_of_run(self, rows, types):
        facts_by_type = {
            "bigint": lambda column: [column.count(), sum(column.dropna().tolist())],
            # here, NaN is neither null nor a number
            "double": lambda column: [
                column.count(),
                sum(map(math.isnan, column.dropna())),
                column.min(),
                column.max(),
            ],
            "text": lambda column: [column.count(), column.nunique(), column.min(), column.max()],
            "boolean": lambda column: [column.count(), column.sum()],
        }
        facts = [fact for name, kind in types.items() for fact in facts_by_type[kind](rows[name])]
        return [len(rows), *(None if pd.isna(fact) else fact for fact in facts)]

    def kinds(self):
        filters = [("ts", ">=", questions.SINCE), ("category", "in", questions.CATEGORIES), ("dur", ">", 0)]
        rows = self.read("event", columns=["run", "category", "dur"], filters=filters)
        groups = rows.groupby(["run", "category"])["dur"].agg(["count", "sum"])
        return {questions.Kinds(*key, *map(int, row)) for key, *row in groups.itertuples()}


class DuckDbOverArrow(Arrow, questions.SqlEngine):
    """DuckDB over a pyarrow dataset, which reads S3 without DuckDB's extension."""

    def ask(self, sql, table):
        with duckdb.connect() as connection:
            connection.register("t", self.dataset(table))
            return connection.sql(sql).fetchall()


class DataFusion(questions.SqlEngine):
    """DataFusion of PyPI."""

    def ask(self, sql, table):
        context = SessionContext()
        self.register(context, table)
        return [tuple(row.values()) for row in context.sql(sql).to_pylist()]

    def register(self, context, table):
        raise NotImplementedError


class DataFusionFiles(DataFusion):
    """DataFusion over the files."""

    def register(self, context, table):
        files = self.files(table)
        if self.options:
            bucket = files[0].split("/")[2]
            names = ("region", "endpoint", "access_key_id", "secret_access_key")
            store = AmazonS3(bucket, allow_http=True, **{name: self.options[name] for name in names})
            context.register_object_store("s3://", store, bucket)
        context.register_view("t", functools.reduce(DataFrame.union, map(context.read_parquet, files)))


class DataFusionInPlace(DataFusion):
    """DataFusion over the session's table provider."""

    def register(self, context, table):
        context.register_table("t", self.session.provider(table))


ENGINES = {
    "duckdb": questions.DuckDb,
    "duckdb over pyarrow": DuckDbOverArrow,
    "polars": questions.Polars,
    "pandas": Pandas,
    "pyarrow": PyArrow,
    "datafusion files": DataFusionFiles,
    "datafusion provider": DataFusionInPlace,
}
DISK_ONLY = ["duckdb"]
"""DuckDB would download an extension to read S3, which tests must not do."""
PAIRS = [(where, name) for where in ("disk", "cloud") for name in ENGINES if where == "disk" or name not in DISK_ONLY]
"""A location of a lake, and its readers."""


class State(NamedTuple):
    """A state of a lake: a session with this state, and the results of tracelake."""

    session: tl.Session
    options: dict[str, str]
    facts: dict[str, questions.Facts]
    kinds: set[questions.Kinds]


def states(lake_location):
    """One lake in four states: as written, compacted, after run `two` was deleted, and compacted again."""
    with ExitStack() as stack:
        lakes = {}

        def keep(name):
            session = stack.enter_context(lake_location.open())
            ours = questions.Tracelake(session)
            facts = {table: ours.facts(table) for table in questions.TABLES}
            lakes[name] = State(session, lake_location.options, facts, ours.kinds())

        with lake_location.open(create=True) as writer:
            questions.ingest(writer)
            keep("written")
            writer.compact()
            keep("compacted")
            writer.delete("two")
            keep("deleted")
            writer.compact()
            keep("compacted again")
        yield lakes


@pytest.fixture(scope="module")
def disk(tmp_path_factory):
    yield from states(LakeLocation(str(tmp_path_factory.mktemp("engines") / FOLDER), {}))


@pytest.fixture(scope="module")
def cloud(s3):
    yield from states(LakeLocation(f"s3://{s3.bucket()}/{FOLDER}", s3.options))


@pytest.fixture
def lakes(request, where):
    return request.getfixturevalue(where)


def test_the_compared_data_is_not_empty(disk):
    questions.check_the_lake(disk["written"].session)
    assert len(disk["written"].session.files("event")) > len(disk["compacted"].session.files("event")) == 1
    assert disk["written"].facts == disk["compacted"].facts
    assert disk["written"].kinds == disk["compacted"].kinds
    assert {run for facts in disk["deleted"].facts.values() for run in facts} == {"one"}


@pytest.mark.parametrize(("where", "engine"), PAIRS)
@pytest.mark.parametrize("state", ["written", "compacted", "compacted again"])
def test_every_table_has_the_same_rows(lakes, engine, state):
    lake = lakes[state]
    other = ENGINES[engine](lake.session, lake.options)
    assert {table: other.facts(table) for table in questions.TABLES} == lake.facts


@pytest.mark.parametrize(("where", "engine"), PAIRS)
@pytest.mark.parametrize("state", ["written", "compacted", "compacted again"])
def test_filters_that_skip_row_groups_lose_no_rows(lakes, engine, state):
    lake = lakes[state]
    assert ENGINES[engine](lake.session, lake.options).kinds() == lake.kinds


@pytest.mark.parametrize("where", ["disk", "cloud"])
def test_files_with_rows_of_a_deleted_run_are_refused(lakes):
    lake = lakes["deleted"]
    with pytest.raises(tl.errors.ConflictError, match="rows of runs that were changed or deleted"):
        lake.session.files("event")
    # A session knows which rows are current.
    other = ENGINES["datafusion provider"](lake.session, lake.options)
    assert {table: other.facts(table) for table in questions.TABLES} == lake.facts
    assert other.kinds() == lake.kinds


@pytest.mark.parametrize("view", ["step.duration", "event_step"])
def test_a_provider_registers_its_store_for_queries_and_views(cloud, view):
    session = cloud["compacted"].session
    name = view.replace(".", "_")
    count = f"select run, count(*) as n from {name} group by run"
    context = SessionContext()
    context.register_table(name, session.provider(name))
    rows = sorted(tuple(row.values()) for row in context.sql(count).to_pylist())
    assert rows == sorted(tuple(row.values()) for row in session.sql(count).rows())
    assert rows


def test_all_chunks_of_a_column_have_bounds_or_none(disk):
    """Some readers take bounds of a few chunks for those of the file, and assume that doubles with bounds have no NaN.

    apache/datafusion#25226 and duckdb/duckdb#25521.
    """
    bounded = {}
    for table in questions.TABLES:
        for file in disk["compacted"].session.files(table):
            metadata = pq.read_metadata(file)
            for group in range(metadata.num_row_groups):
                for lake_location in range(metadata.num_columns):
                    column = metadata.row_group(group).column(lake_location)
                    if column.statistics.null_count < column.num_values:
                        key = (column.path_in_schema, column.physical_type)
                        bounded.setdefault(key, set()).add(column.statistics.has_min_max)
    texts = {name for (name, kind), has in bounded.items() if kind == "BYTE_ARRAY" and True in has}
    assert texts == {"run", "category", "metric"}
    assert [key for key, has in bounded.items() if len(has) > 1] == []
    assert {has for (_, kind), flags in bounded.items() if kind == "DOUBLE" for has in flags} == {False}
    assert {has for (_, kind), flags in bounded.items() if kind == "INT64" for has in flags} == {True}


@pytest.mark.parametrize("engine", ["duckdb", "duckdb over pyarrow", "datafusion files"])
def test_nan_can_be_selected(disk, engine):
    session = disk["compacted"].session
    count = "select count(*) as n from {} where isnan(value)"
    assert [row["n"] for row in session.sql(count.format("sample")).rows()] == [2]
    assert [tuple(row) for row in ENGINES[engine](session, {}).ask(count.format("t"), "sample")] == [(2,)]


def test_a_run_shares_its_file_after_compact(disk):
    apart, together = disk["written"].session, disk["compacted"].session
    count = "select run, count(*) from read_parquet($files) group by run"

    def runs(session):
        return dict(duckdb.execute(count, {"files": session.files("step", run="one")}).fetchall())

    facts = disk["written"].facts["step"]
    assert runs(apart) == {"one": facts["one"][0]}
    assert runs(together) == {run: facts[run][0] for run in ("one", "two")}


def test_a_glob_includes_replaced_rows(disk):
    session = disk["compacted"].session
    folder = Path(session.files("step")[0]).parent
    listed, globbed = (duckdb.read_parquet(files).shape[0] for files in (session.files("step"), f"{folder}/*.parquet"))
    assert listed == sum(facts[0] for facts in disk["compacted"].facts["step"].values())
    assert globbed >= 2 * listed


def test_a_file_list_is_valid_until_vacuum(tmp_path, profile):
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("one", "two"):
            session.ingest(profile, run=run)
        listed = session.files("step")
        session.compact()
        assert not set(listed) & set(session.files("step"))
        session.delete("two")
        assert pl.read_parquet(listed).height == 440
        with pytest.raises(tl.errors.ConflictError, match="run `compact`"):
            session.files("step")
        session.compact()
        session.vacuum(dt.timedelta(0))
        with pytest.raises(FileNotFoundError):
            pl.read_parquet(listed)
        assert pl.read_parquet(session.files("step"))["run"].to_list() == ["one"] * 220


def test_a_table_without_rows_has_no_files(disk, tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(questions.DATA / "cprofile", run="one")
        assert session.files("event") == []
        empty = DataFusionInPlace(session, {})
        assert empty.facts("event") == {}
        assert empty.column_types("event") == empty.column_types("event") | questions.columns(
            disk["written"].session, "event"
        )


def test_times_are_integers_unless_pandas_converts_them(disk):
    session = disk["compacted"].session
    schema = ds.dataset(session.files("event")).schema
    assert {schema.field(name).type for name in ("ts", "dur")} == {pa.int64()}
    assert schema.field("ts").metadata == {b"unit": b"time"}
    # a nullable integer is a float there, which cannot hold ns
    assert pd.read_parquet(session.files("event"), partitioning=None)["dur"].dtype == "float64"
    assert Pandas(session, {}).read("event")["dur"].dtype == "int64[pyarrow]"


def test_pandas_reads_a_folder_name_as_a_partition(disk):
    files = disk["compacted"].session.files("step")
    assert "team" in pd.read_parquet(files).columns
    assert "team" not in pd.read_parquet(files, partitioning=None).columns


@pytest.mark.parametrize("table", sorted(questions.MANIFESTS))
def test_tables_from_the_manifests_have_a_stream_and_a_provider(disk, table):
    session = disk["compacted"].session
    with pytest.raises(tl.errors.ArgumentError, match="it is made from the manifests"):
        session.files(table)
    count = "select run, count(*) as n from {} group by run"
    expected = {tuple(row.values()) for row in session.sql(count.format(table)).rows()}
    with duckdb.connect() as connection:
        connection.register("t", session.table(table).to_arrow())
        assert set(connection.sql(count.format("t")).fetchall()) == expected
    assert set(DataFusionInPlace(session, {}).ask(count.format("t"), table)) == expected


def test_a_session_of_one_run_lists_its_shared_files(tmp_path, profile):
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("one", "two"):
            session.ingest(profile, run=run)
        session.compact()
        session.limit_to("one")
        (file,) = session.files("step")
        assert pl.read_parquet(file).filter(pl.col("run") == "one").height == 220
