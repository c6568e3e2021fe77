"""Spark, DuckDB and Polars give the same answers as tracelake from the files of a lake.

run.py runs this in an environment that has Spark. The lake is read as written, and again after `compact`.
"""

import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import pytest
from pyspark.sql import SparkSession
from questions import (
    TABLES,
    DuckDb,
    Facts,
    Kinds,
    Polars,
    SqlEngine,
    Tracelake,
    check_the_lake,
    columns,
    ingest,
)

import tracelake as tl
from doc_blocks import blocks

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "other_engines.md"
PROFILE = ROOT / "tests" / "data" / "first_look" / "profiler-output"


class State(NamedTuple):
    """A state of a lake: a session with this state, and the results of tracelake."""

    session: tl.Session
    facts: dict[str, Facts]
    kinds: set[Kinds]


@pytest.fixture(scope="module")
def lakes(tmp_path_factory):
    """One lake in two states: as written, and compacted."""
    folder = tmp_path_factory.mktemp("engines") / "team=red" / "the lake"
    with ExitStack() as stack:
        lakes_by_name = {}

        def keep(name):
            session = stack.enter_context(tl.open(folder))
            ours = Tracelake(session)
            lakes_by_name[name] = State(session, {table: ours.facts(table) for table in TABLES}, ours.kinds())

        with tl.open(folder, create=True) as writer:
            ingest(writer)
            keep("written")
            writer.compact()
            keep("compacted")
        yield lakes_by_name


@pytest.fixture(scope="module")
def spark():
    """Spark in local mode, with names in double quotes, like the SQL of the other engines."""
    settings = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.ansi.doubleQuotedIdentifiers": "true",
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


class Spark(SqlEngine):
    """Spark over the files."""

    def ask(self, sql, table):
        spark = SparkSession.getActiveSession()
        spark.read.parquet(*self.files(table)).createOrReplaceTempView("t")
        return [tuple(row) for row in spark.sql(sql).collect()]


ENGINES = {"spark": Spark, "duckdb": DuckDb, "polars": Polars}


@pytest.fixture(params=ENGINES)
def engine(request):
    if request.param == "spark":
        request.getfixturevalue("spark")
    return ENGINES[request.param]


def test_the_compared_data_is_not_empty(lakes):
    check_the_lake(lakes["written"].session)
    assert len(lakes["written"].session.files("event")) > len(lakes["compacted"].session.files("event")) == 1
    assert lakes["written"].facts == lakes["compacted"].facts


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("state", ["written", "compacted"])
def test_a_table_has_the_same_rows(lakes, engine, state, table):
    lake = lakes[state]
    assert engine(lake.session, {}).facts(table) == lake.facts[table]


@pytest.mark.parametrize("state", ["written", "compacted"])
def test_filters_that_skip_row_groups_lose_no_rows(lakes, engine, state):
    lake = lakes[state]
    assert engine(lake.session, {}).kinds() == lake.kinds


def test_spark_sees_plain_types_and_no_units(lakes, spark):
    lake = lakes["compacted"]
    plain = {"bigint": "bigint", "text": "string", "double": "double", "boolean": "boolean"}
    for table in TABLES:
        schema = spark.read.parquet(*lake.session.files(table)).schema
        types = {field.name: field.dataType.simpleString() for field in schema}
        known = columns(lake.session, table)
        assert types == {"run": "string", **{name: plain[kind] for name, kind in known.items()}}
        assert all(field.nullable and not field.metadata for field in schema)


def test_spark_reports_an_overflow_of_a_sum_of_times(lakes, spark):
    spark.read.parquet(*lakes["compacted"].session.files("sample")).createOrReplaceTempView("t")
    with pytest.raises(Exception, match="ARITHMETIC_OVERFLOW"):
        spark.sql("select sum(ts) from t").collect()


@pytest.fixture(scope="module")
def long_run(tmp_path_factory):
    """Writes events of a run with many pages in a row group."""
    folder = tmp_path_factory.mktemp("long")
    make = [sys.executable, ROOT / "tests/gen/large_trace.py", "--out", folder / "trace", "--megabytes", "8"]
    subprocess.run(make, check=True)
    with tl.open(folder / "lake", create=True) as session:
        session.ingest(folder / "trace", run="long")
        yield session


def test_spark_skips_pages_by_their_statistics(long_run, spark):
    count = "select count(*), count(case when category = 'kernel' then 1 end) from event"
    ((events, kernels),) = Tracelake(long_run).ask(count)

    def scanned(*, by_page):
        """Returns the number of matching rows, and the number of rows that Spark decompresses."""
        reader = spark.read.option("parquet.filter.columnindex.enabled", by_page)
        frame = reader.parquet(*long_run.files("event")).where("category = 'kernel'").select("name", "dur")
        row_count = len(frame.collect())
        plan = frame._jdf.queryExecution().executedPlan()  # noqa: SLF001 - Spark has no public interface for it in Python
        scan = plan.collectLeaves().head()
        return row_count, scan.metrics().apply("numOutputRows").value()

    assert scanned(by_page=False) == (kernels, events)
    row_count, unpacked = scanned(by_page=True)
    assert row_count == kernels <= unpacked < events / 4


def test_the_page_has_the_results_of_spark(tmp_path, monkeypatch, spark, capsys):
    monkeypatch.chdir(tmp_path)
    with tl.open("my_lake", create=True) as session:
        session.ingest(PROFILE, run="job-7")
    (block,) = [block for block in blocks(PAGE) if block.reason and Path(__file__).name in block.reason]
    # the page uses the existing session of the tests
    exec(compile(block.code, str(block), "exec"), {"__name__": "__main__"})  # noqa: S102 - the commands of the docs
    rows = [line.split("|")[1:4] for line in capsys.readouterr().out.splitlines() if line.startswith("|")]
    assert [[cell.strip() for cell in row[:2]] for row in rows] == [["rank", "n"], ["0", "110"], ["1", "110"]]
    assert spark.catalog.tableExists("step")
