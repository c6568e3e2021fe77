"""A lake of two runs with rows in every table, and the questions that tracelake and other engines must answer alike.

tests/python/test_other_engines.py runs them with the libraries of the development environment. test_engines.py runs
them with the libraries of a separate environment.
"""

from __future__ import annotations

from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Iterable

    import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
RUNS = {
    "one": ["golden", "first_look/profiler-output"],
    "two": ["golden", "pytorch_ddp", "lightning"],
}
"""Profiles of each run. The profiles in `golden` have rows for every table."""

MANIFESTS = {"run", "object", "time_share"}
"""Tables that are computed from the manifests."""
TABLES = [
    "run_attribute", "device", "problem", "step", "event", "call_path", "sample", "allocation", "loader", "incident",
    "function", "call", "action", "rule_report",
]  # fmt: skip

CATEGORIES = ["kernel", "loader", "operator"]
SINCE = 1_600_000_000_000_000_000
"""Columns with filters that can skip row groups and pages by their statistics."""

FACTS = {
    "bigint": ["count({0})", "coalesce(sum(cast({0} as decimal(38, 0))), 0)"],
    "double": [
        "count({0})",
        "count(case when isnan({0}) then 1 end)",
        "min(case when not isnan({0}) then {0} end)",
        "max(case when not isnan({0}) then {0} end)",
    ],
    "text": ["count({0})", "count(distinct {0})", "min({0})", "max({0})"],
    "boolean": ["count({0})", "count(case when {0} then 1 end)"],
}
"""The aggregates of a column, by its type. A sum of times does not fit in 64 bits. Some engines treat NaN as the
largest number, others ignore it."""

Facts = dict[str, list[Any]]


class Kinds(NamedTuple):
    """A row of the filtered query."""

    run: str
    category: str
    n: int
    total: int


def ingest(session: tl.Session, runs: Iterable[str] = tuple(RUNS)) -> None:
    """Ingests both runs into a lake."""
    for run in runs:
        for profile in RUNS[run]:
            session.ingest(DATA / profile, run=run)


def columns(session: tl.Session, table: str) -> dict[str, str]:
    """Returns the columns of a table except `run`, with their types."""
    rows = session.sql("select name, type from help_columns where relation = $table and name <> 'run'", table=table)
    return dict(rows.to_polars().rows())


def facts_sql(types: dict[str, str], source: str) -> str:
    """Returns SQL for the facts of each run: the row count, then the facts of each column."""
    expressions = [fact.format(f'"{name}"') for name, kind in types.items() for fact in FACTS[kind]]
    named = ", ".join(f"{fact} as f{place}" for place, fact in enumerate(["count(*)", *expressions]))
    return f"select run, {named} from {source} group by run"


def kinds_sql(source: str) -> str:
    """Returns SQL for the number and total duration of events of some categories since a time."""
    names = ", ".join(f"'{name}'" for name in CATEGORIES)
    return f"""
        select run, category, count(*) as n, sum(dur) as total from {source}
        where ts >= {SINCE} and category in ({names}) and dur > 0 group by run, category
    """


def python_value(value: object) -> object:
    """Converts the value to a Python value."""
    return int(value) if isinstance(value, Decimal) else value


def facts_by_run(rows: Iterable[Iterable[object]]) -> Facts:
    """Returns the facts of each run."""
    return {run: [python_value(value) for value in values] for run, *values in rows}


class Tracelake:
    """The results of tracelake itself."""

    def __init__(self, session: tl.Session) -> None:
        self.session = session

    def ask(self, sql: str) -> list[tuple]:
        return self.session.sql(sql).to_polars().rows()  # CSV needs no pyarrow

    def facts(self, table: str) -> Facts:
        return facts_by_run(self.ask(facts_sql(columns(self.session, table), table)))

    def kinds(self) -> set[Kinds]:
        return {Kinds(*row) for row in self.ask(kinds_sql("event"))}


class Engine:
    """Another engine over the files of a session's tables; `options` are those of their store."""

    def __init__(self, session: tl.Session, options: dict[str, str]) -> None:
        self.session = session
        self.options = options

    def column_types(self, table: str) -> dict[str, str]:
        return columns(self.session, table)

    def files(self, table: str) -> list[str]:
        """Returns the files of a table."""
        return self.session.files(table)

    def facts(self, table: str) -> Facts:
        """Returns the facts of each run in the files of this table."""
        raise NotImplementedError

    def kinds(self) -> set[Kinds]:
        """Returns the result of the filtered query."""
        raise NotImplementedError


class SqlEngine(Engine):
    """An engine with SQL."""

    def ask(self, sql: str, table: str) -> Iterable[Iterable[object]]:
        """Returns the rows of the result; the statement calls the table `t`."""
        raise NotImplementedError

    def facts(self, table: str) -> Facts:
        return facts_by_run(self.ask(facts_sql(self.column_types(table), "t"), table))

    def kinds(self) -> set[Kinds]:
        return {Kinds(run, name, n, int(total)) for run, name, n, total in self.ask(kinds_sql("t"), "event")}


class DuckDb(SqlEngine):
    """DuckDB over the files."""

    def ask(self, sql: str, table: str) -> list[tuple]:
        with duckdb.connect() as connection:
            if "isnan" in sql:
                # otherwise, it assumes that a column with known minimum and maximum has no NaN
                connection.execute("set disabled_optimizers = 'statistics_propagation'")
            connection.read_parquet(self.files(table)).create_view("t")
            return connection.sql(sql).fetchall()


class Polars(Engine):
    """Polars over the files."""

    def scan(self, table: str) -> pl.LazyFrame:
        return pl.scan_parquet(self.files(table), storage_options=store_of_polars(self.options))

    def facts(self, table: str) -> Facts:
        expressions = [pl.len().alias("rows")]
        for name, kind in self.column_types(table).items():
            column = pl.col(name)
            facts_by_type = {
                "bigint": [column.count(), column.cast(pl.Int128).sum()],
                "double": [column.count(), column.is_nan().sum(), column.drop_nans().min(), column.drop_nans().max()],
                "text": [column.count(), column.drop_nulls().n_unique(), column.min(), column.max()],
                "boolean": [column.count(), column.sum()],
            }
            expressions += [fact.alias(f"{name} {place}") for place, fact in enumerate(facts_by_type[kind])]
        return facts_by_run(self.scan(table).group_by("run").agg(expressions).collect().rows())

    def kinds(self) -> set[Kinds]:
        condition = (pl.col("ts") >= SINCE) & pl.col("category").is_in(CATEGORIES) & (pl.col("dur") > 0)
        counts = self.scan("event").filter(condition).group_by("run", "category").agg(pl.len(), pl.col("dur").sum())
        return {Kinds(*row) for row in counts.collect().rows()}


def store_of_polars(options: dict[str, str]) -> dict[str, str] | None:
    """Returns the options of a store with Polars' names."""
    return {**{f"aws_{name}": text for name, text in options.items()}, "aws_allow_http": "true"} if options else None


def check_the_lake(session: tl.Session) -> None:
    """Checks that the data has rows of both runs in every table, nulls, and events outside of the filters."""
    ours = Tracelake(session)
    assert {name for (name,) in ours.ask("select name from help_tables where kind = 'table'")} == {*TABLES, *MANIFESTS}
    types: Counter[str] = Counter()
    nulls = 0
    for table in TABLES:
        facts = ours.facts(table)
        assert facts.keys() == RUNS.keys(), table
        known = columns(session, table)
        types.update(known.values())
        # the first fact of a column is its number of values
        for values in facts.values():
            place = 1
            for kind in known.values():
                nulls += values[0] - values[place]
                place += len(FACTS[kind])
    assert types.keys() == FACTS.keys()
    assert nulls > 1000
    counted = sum(row.n for row in ours.kinds())
    events = sum(facts[0] for facts in ours.facts("event").values())
    assert 0 < counted < events / 2
