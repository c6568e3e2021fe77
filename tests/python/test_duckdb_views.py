"""DuckDB returns the same rows from the exported views and canned queries.

The lake has every profile of tests/data as a run, so that each of them has rows.
"""

import contextlib
import functools
import math
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import duckdb
import pyarrow as pa
import pytest

import tracelake as tl
from tracelake.instant import integer_times

pytestmark = pytest.mark.slow

TESTS = Path(__file__).parents[1]
DATA = TESTS / "data"
MISSING = {
    "call_chain", "call_frame", "call_parent", "call_stack", "change_point", "collective_work", "critical_path",
    "operator_bytes", "operator_data_type", "operator_flops", "ratio_interval",
}  # fmt: skip
"""Functions without an equivalent in DuckDB."""


def profiles():
    """Yields the profiles of tests/data, each with a name for its run."""
    groups = ["golden", "recorder", "data_loading", "before_after", "lightning", "lightning_scalars"]
    several = [
        path
        for group in groups
        for path in sorted((DATA / group).iterdir())
        if path.suffix != ".md" and path != DATA / "recorder" / "search.json"
    ]
    single = [
        "cprofile",
        "dali_loader_evaluator",
        "pytorch_ddp",
        "first_look/profiler-output",
        "loader_timings",
        "nsys",
    ]
    for path in [*several, *(DATA / name for name in single), DATA / "tensorboard_events"]:
        yield path.relative_to(DATA).as_posix().replace("/", "-").replace(".", "-"), path


class Exported(NamedTuple):
    """A lake, and DuckDB with its views."""

    session: tl.Session
    connection: duckdb.DuckDBPyConnection
    result: dict[str, object]


def connected(folder):
    """Opens DuckDB with the views of a folder."""
    connection = duckdb.connect()
    connection.execute((folder / "views.sql").read_text())
    return connection


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """The lake of all profiles."""
    folder = tmp_path_factory.mktemp("duckdb")
    with tl.open(folder / "the lake's", create=True) as session:
        for run, path in profiles():
            session.ingest(path, run=run)
        # The devices of the bundled profiles are made up.
        generator = [sys.executable, TESTS / "gen" / "kineto.py", "--out", folder / "known", "--shapes", "--steps", "2"]
        subprocess.run(generator, check=True)
        session.ingest(folder / "known", run="known-device")
        # A table of a version that is not known yet.
        unread = folder / "unread.sqlite"
        shutil.copy(next((TESTS / "data/nsys").glob("*.sqlite")), unread)
        with contextlib.closing(sqlite3.connect(unread)) as base:
            base.execute("alter table CUPTI_ACTIVITY_KIND_KERNEL rename to CUPTI_ACTIVITY_KIND_KERNEL_V2")
            base.execute("alter table CUPTI_ACTIVITY_KIND_KERNEL_V2 rename column deviceId to device")
            base.commit()
        session.ingest(unread, run="unread")
        result = session.export_duckdb(folder / "views")
        with connected(folder / "views") as connection:
            yield Exported(session, connection, result)


def rows_of(table):
    """Returns the names of the columns, and the rows."""
    rows = integer_times(table).to_pylist()
    return table.column_names, [tuple(row[name] for name in table.column_names) for row in rows]


def values_equal(one, other):
    """Compares values; doubles can differ in their last digits, because the order of sums varies."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-15) or (math.isnan(one) and math.isnan(other))
    return one == other and type(one) is type(other)


def key(row):
    """Returns a sort key for rows with any values."""
    return [
        (value is None, type(value).__name__, f"{value:.9g}" if isinstance(value, float) else value) for value in row
    ]


def difference(ours, theirs, order):
    """Returns the differences of DuckDB's rows; empty if there are none."""
    (names, rows), (their_names, their_rows) = ours, theirs
    if names != their_names:
        return f"columns {their_names}, not {names}"
    if len(rows) != len(their_rows):
        return f"{len(their_rows)} rows, not {len(rows)}"
    places = [names.index(column.split()[0]) for column in order]
    for one, other in zip(rows, their_rows, strict=True):
        if not all(values_equal(one[place], other[place]) for place in places):
            return f"order: {other} for {one}"
    for one, other in zip(sorted(rows, key=key), sorted(their_rows, key=key), strict=True):
        wrong = [name for name, *pair in zip(names, one, other, strict=True) if not values_equal(*pair)]
        if wrong:
            return f"{wrong} of {other} for {one}"
    return None


@functools.cache
def ordering(session):
    """Returns the columns by which the rows of each query are sorted."""
    rows = session.sql("select replace(name, '.', '_'), ordering from help_queries").to_polars().rows()
    return {name: [column.strip() for column in (columns or "").split(",") if column.strip()] for name, columns in rows}


def compared(exported, name, ours, theirs):
    """Returns the differences of the results of one query, and whether there are rows."""
    session, connection, _ = exported
    order = ordering(session).get(name, [])
    query = f"select * from {ours}" + (f" order by {', '.join(order)}" if order else "")
    mine = rows_of(pa.table(session.sql(query).to_arrow()))
    return difference(mine, rows_of(connection.sql(f"select * from {theirs}").to_arrow_table()), order), bool(mine[1])


def test_every_view_and_query_returns_the_same_rows(exported):
    """Runs each view and query without required parameters; the others follow below."""
    by_itself = {
        name
        for (name,) in exported.connection.sql("select view_name from duckdb_views() where not internal").fetchall()
    }
    names = [name for name in exported.result["names"] if name in by_itself]
    actual = {name: compared(exported, name, name, f'"{name}"') for name in names}
    assert {name: differs for name, (differs, _) in actual.items() if differs} == {}
    assert {name for name, (_, has_rows) in actual.items() if not has_rows} == set()
    assert len(actual) > 200


def calls():
    """Yields calls with arguments, from the tests of the queries: `(name, arguments)`."""
    calls_by_query = {}
    for path in sorted((TESTS / "sql").rglob("*.slt")):
        text = re.sub(r"^#.*\n", "", path.read_text(), flags=re.MULTILINE)
        for block in re.split(r"\n\s*\n", text):
            if block.startswith("query ") and not block.startswith("query error"):
                sql = block.split("\n", 1)[1].split("\n----")[0]
                calls_by_query.update(dict.fromkeys(re.findall(r"\b([a-z]+_[a-z_]+)\(([^()]+)\)", sql)))
    return list(calls_by_query)


def test_macros_take_the_same_arguments(exported):
    macros = {
        name
        for (name,) in exported.connection.sql(
            "select function_name from duckdb_functions() where function_type = 'table_macro' and not internal"
        ).fetchall()
    }
    differences = {}
    for name, values in calls():
        if name in macros:
            arguments = values.replace("'job-", "'golden-job-")  # the names of these runs in this lake
            theirs = re.sub(r'"?\b([a-z_0-9]+)"?\s*=>', r"p_\1 :=", arguments)
            differences[f"{name}({arguments})"] = compared(
                exported, name, f"{name}({arguments})", f'"{name}"({theirs})'
            )
    assert {call: differs for call, (differs, _) in differences.items() if differs} == {}
    assert len(differences) > 100
    assert len({call.split("(")[0] for call in differences}) > 60


def test_excluded_views_need_functions_that_duckdb_lacks(exported):
    names, excluded = set(exported.result["names"]), exported.result["excluded"]
    known = (
        exported.session.sql("select name from help_tables where name not like 'help%'").to_polars()["name"].to_list()
    )
    assert names | set(excluded) == {name.replace(".", "_") for name in known}
    assert not names & set(excluded)
    for name, why in excluded.items():
        kind, what = re.fullmatch(r"(calls|reads) `(\w+)`|combines all findings", why).groups()
        assert kind is None or what in (MISSING if kind == "calls" else excluded), name
    assert len(excluded) < 45


def test_tables_have_only_current_rows(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        for run in ("one", "two", "three"):
            session.ingest(DATA / "golden", run=run)
        session.compact()
        session.delete("two")
        session.ingest(DATA / "golden", run="four")
        session.export_duckdb(tmp_path / "views")
        with connected(tmp_path / "views") as connection:
            for table in ("run", "object", "step", "event", "sample"):
                count = f"select run, count(*) as n from {table} group by run order by run"
                assert connection.sql(count).fetchall() == session.sql(count).to_polars().rows(), table


def test_an_empty_lake_has_views_without_rows(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.export_duckdb(tmp_path / "views")
    with connected(tmp_path / "views") as connection:
        assert connection.sql("select * from step_duration").fetchall() == []
        assert connection.sql("select * from event").fetchall() == []


def test_the_shell_writes_the_same_script(tmp_path, profile):
    shell = [sys.executable, "-m", "tracelake", "--lake", tmp_path / "lake"]
    subprocess.run([*shell, "ingest", profile, "--run", "job-7"], check=True, capture_output=True)
    output = subprocess.run(
        [*shell, "export", "--duckdb", tmp_path / "views"], check=True, capture_output=True, text=True
    ).stdout
    with connected(tmp_path / "views") as connection:
        assert connection.sql("select run, count(*) from step_duration_by_rank group by run").fetchall() == [
            ("job-7", 220)
        ]
    with tl.open(tmp_path / "lake") as session:
        exported = session.export_duckdb(tmp_path / "again")
    assert f"{len(exported['names'])} tables, views and queries" in output
    assert all(name in output for name in exported["excluded"])


def test_the_page_names_excluded_views(exported):
    page = (TESTS.parent / "docs" / "other_engines.md").read_text()
    section = page.split("<!-- left out -->")[1].split("<!-- end -->")[0]
    named = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.MULTILINE))
    assert named == exported.result["excluded"]


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path, s):
    (tmp_path / "file").touch()
    with pytest.raises(tl.errors.TracelakeError, match=r"cannot write .*file"):
        s.export_duckdb(tmp_path / "file")


def test_a_view_of_a_script_that_stopped_is_an_error(s, tmp_path):
    s.export_duckdb(tmp_path)
    text = (tmp_path / "views.sql").read_text()
    with duckdb.connect() as connection:
        connection.execute(text[: text.index('CREATE OR REPLACE VIEW "step_duration" AS\n')])
        assert connection.sql("select count(*) from step").fetchall() != [(0,)]
        for columns in ("*", "count(*)", "n"):
            with pytest.raises(duckdb.Error, match="did not run to its end"):
                connection.sql(f"select {columns} from step_duration").fetchall()
