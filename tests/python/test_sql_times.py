"""Times in SQL: written as people write them, in functions, in parameters, and with their unit in results."""

import datetime
import json
from pathlib import Path

import duckdb
import pandas as pd
import pytest

import tracelake as tl
from sql_times import cases, steps
from tracelake.errors import ArgumentError, QueryError

RUN = "pytorch_ddp"
DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="module")
def ddp(tmp_path_factory):
    """A session on the profile `pytorch_ddp`."""
    with tl.open(tmp_path_factory.mktemp("times") / "lake", create=True) as session:
        session.ingest(DATA / RUN, run=RUN)
        yield session


def values(frame):
    """Returns the values of the only column, and its unit."""
    (unit,) = frame.units.values()
    return [row[0] for row in frame.rows(named=False)], unit


def test_times_are_read_as_people_write_them(ddp):
    rows = cases(*steps(ddp))
    assert len(rows) >= 30
    for sql, expected, unit in rows:
        assert values(ddp.sql(sql)) == (expected, unit), sql


def test_a_view_and_a_saved_query_keep_times(tmp_path):
    with tl.open(tmp_path / "lake", create=True, writable=True) as session:
        session.ingest(DATA / RUN, run=RUN)
        session.sql("create view last as select rank, max(ts) as last from step group by rank")
        assert session.sql("select last from last").units == {"last": "time"}
        assert len(session.sql("select * from last where last > '2026-10-01'")) == 2


def test_parameters_are_times_in_any_form(ddp):
    ts, _ = steps(ddp)
    after = int((ts > ts.iloc[5]).sum())
    for moment in (ts.iloc[5], ts.iloc[5].value, ts.iloc[5].isoformat(), ts.iloc[5].to_numpy()):
        assert ddp.sql("select count(*) as n from step where ts > $t", t=moment)["n"][0] == after
    naive = datetime.datetime(2026, 10, 1, 12, 17)  # noqa: DTZ001 - a time without a zone is UTC
    assert len(ddp.step.over_time(start=naive)) > 0
    outliers = len(ddp.step.outliers(factor=1.0))
    assert len(ddp.step.outliers(factor=1.0, start="2026-10-01T12:17")) == outliers > 0
    assert len(ddp.step.outliers(factor=1.0, start="2026-10-02")) == 0
    texts = {"starts": ["2026-10-01 12:17:06"], "ends": ["2026-10-01 12:17:07"]}
    numbers = {name: [pd.Timestamp(text, tz="UTC").value] for name, (text,) in texts.items()}
    assert list(ddp.event.in_windows(**texts)) == list(ddp.event.in_windows(**numbers))
    sql = "select count(*) as n from step_over_time(start => timestamp '2026-10-01 12:17:00')"
    assert ddp.sql(sql)["n"][0] == len(ddp.step.over_time())
    assert len(ddp.event.at_times(times=["2026-10-01T12:17:06.01", None])) > 0
    for times in ([1.5], [True]):
        with pytest.raises(ArgumentError, match=r"argument `times` is .*, expected bigint\[\]"):
            len(ddp.event.at_times(times=times))


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (1790857026, "1790857026 is a time in seconds, expected ns; write 1790857026000000000"),
        (1790857026.5, "1790857026.5 is a time in seconds, expected ns; write 1790857026500000000"),
        (1790857026001, "1790857026001 is a time in ms, expected ns; write 1790857026001000000"),
        (1790857026001002, "1790857026001002 is a time in us, expected ns; write 1790857026001002000"),
        ("tomorrow", "cannot read 'tomorrow' as a time; write a form like 2026-11-20"),
    ],
)
def test_a_time_in_another_unit_is_refused_with_the_right_number(ddp, number, message):
    with pytest.raises(ArgumentError, match=r"cannot run `step.outliers`: argument `start`") as caught:
        ddp.step.outliers(start=number)
    assert message in str(caught.value)


def test_a_small_number_is_a_time_of_a_run_without_dates(tmp_path):
    first = {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 0, "dur": 5}
    step = {**first, "cat": "user_annotation", "name": "ProfilerStep#1", "ts": 2e6}
    (tmp_path / "trace.json").write_text(json.dumps({"traceEvents": [first, step]}))
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(tmp_path / "trace.json", run="undated")
        assert session.sql("select distinct has_epoch from object")["has_epoch"].to_list() == [False]
        assert len(session.step.outliers(factor=1.0, start=1_790_857_026)) == 1
        table = session.table("step").to_pandas()
        assert table["ts"][0] == pd.Timestamp("1970-01-01T00:00:02", tz="UTC")


def test_table_functions_take_parameters(ddp):
    expected = list(ddp.step.outliers(factor=1.0))
    sql = "select * from step_outliers(factor => $factor, start => $start) order by run, ts, dur desc"
    rows = list(ddp.sql(sql, factor=1.0, start=None))
    assert sorted(map(str, rows)) == sorted(map(str, expected))
    assert ddp.sql("select * from step_outliers($x) where step > $y", x=1.0, y=-1) is not None
    assert ddp.sql("select name from help($word)", word="it's")["name"].to_list() == []
    assert ddp.sql("select * from unnest($list)", list=[1, 2]) is not None
    with pytest.raises(ArgumentError, match=r"no parameter `z`"):
        ddp.sql("select * from step_outliers($x)", x=1.0, z=1)


@pytest.mark.parametrize(
    ("sql", "message", "hint"),
    [
        ('select ts from step where mode = "train"', "no column `train`", "write 'train' for a text"),
        ("select ts from step where ts > 'noon'", "cannot read 'noon' as a time; write a form like", ""),
        ("select date_trunc('hour', dur) from step", "date_trunc needs a time, and `dur` has unit ns", ""),
        ("select to_char(mode, 1, 2) from step", "no function to_char(text, bigint, bigint); the call is to_char(", ""),
        ("select ts from step where ts > '2026'", "cannot read '2026' as a time; write a form like", ""),
        ("select ts from step where dur > '5 ms'", "cannot read '5 ms' as bigint", ""),
        ("select ts from step where ts > '1790857026'", "cannot read '1790857026' as a time", ""),
        ("select abs(mode) from step", "no function abs(text); there is abs(number)", ""),
    ],
)
def test_messages_are_about_the_mistake(ddp, sql, message, hint):
    with pytest.raises(QueryError) as caught:
        len(ddp.sql(sql))
    assert message in str(caught.value)
    assert hint in str(caught.value)
    assert "DataFusion" not in str(caught.value)


def test_units_of_computed_columns(ddp):
    frame = ddp.sql(
        "select ts + dur as e, ts - ts as d, dur + 1 as f, dur * 2 as g, sum(dur) over () as s,"
        " lag(ts) over (order by ts) as p,"
        " nullif(ts, 0) as n, cast(dur as double) as c, dur / 1e6 as ms, case when rank = 0 then ts end as w from step"
    )
    assert frame.units == {
        "e": "time",
        "d": "ns",
        "f": "ns",
        "g": None,
        "s": "ns",
        "p": "time",
        "n": "time",
        "c": "ns",
        "ms": None,
        "w": "time",
    }
    union = ddp.sql("select ts as x from step union all select ts + dur from step union all select min(ts) from event")
    assert union.units == {"x": "time"}
    assert ddp.sql("select ts as x from step union all select dur from step").units == {"x": None}


def test_a_computed_column_has_no_wrong_unit(ddp):
    frame = ddp.sql(
        "select ts - 1790857026000000000 as since, ts - 5 as before, -ts as n, cast(dur as text) as t, dur > 5 as b,"
        " cast(cast(ts as text) as bigint) as c, ts - ts / 1000 * 1000 as m, ts::timestamp as s, ts + ts as p from step"
    )
    assert frame.units == {
        "since": "ns",
        "before": "time",
        "n": None,
        "t": None,
        "b": None,
        "c": None,
        "m": None,
        "s": None,
        "p": None,
    }
    assert ddp.sql("select date '2026-01-05' - count(*) as day from step where false")["day"][0] == datetime.date(
        2026, 1, 5
    )


INTEGERS = ["select min(ts) from step", "select max(ts) - min(ts) from step", "select avg(dur) from step"]
COLUMNS = ["ts + dur", "coalesce(ts, 0)"]
"""The cases that the views for DuckDB accept: there, a time is a bigint without a unit."""


def test_views_for_duckdb_have_integers(ddp, tmp_path):
    ddp.export_duckdb(tmp_path / "views")
    with duckdb.connect() as connection:
        connection.execute((tmp_path / "views" / "views.sql").read_text())
        for sql, expected, _ in cases(*steps(ddp)):
            if sql in INTEGERS or any(f"select {column} as x from" in sql for column in COLUMNS):
                assert [row[0] for row in connection.sql(sql).fetchall()] == pytest.approx(expected), sql
        for sql, expected, _ in cases(*steps(ddp))[:4]:
            with pytest.raises(duckdb.Error):
                connection.sql(sql).fetchall()
            converted = sql.replace("where ts", "where make_timestamp_ns(ts)").replace(
                "> ts", "> make_timestamp_ns(ts)"
            )
            assert [row[0] for row in connection.sql(converted.replace("Z'", "'")).fetchall()] == expected, converted
