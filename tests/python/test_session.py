"""Sessions: opening, queries, and closing."""

import datetime
import itertools

import numpy as np
import pandas as pd
import pytest

import tracelake as tl
from tracelake.instant import nanoseconds

START, END = "2020-09-13T12:31:00", "2020-09-13T12:31:10"
NS = 1_600_000_260 * 10**9


def test_a_profile_is_opened_as_its_run(s):
    assert s.run == "first_look"
    assert s.runs().to_pandas()["run"].tolist() == ["first_look"]
    assert "first_look" in repr(s)


def test_a_run_can_be_named(profile):
    with tl.open(profile, ephemeral=True, run="mine") as session:
        assert session.run == "mine"
        assert session.step.duration().to_pandas()["run"].unique().tolist() == ["mine"]


def test_a_path_a_text_and_a_url_are_the_same(profile):
    for url in (profile, str(profile), profile.as_uri()):
        with tl.open(url, ephemeral=True) as session:
            assert session.run == "first_look"


def test_a_new_lake_is_created_only_on_request(tmp_path):
    with pytest.raises(tl.errors.NotFoundError):
        tl.open(tmp_path / "lake")
    with tl.open(tmp_path / "lake", create=True) as session:
        assert len(session.runs()) == 0
        assert session.run is None
    with tl.open(tmp_path / "lake") as session:
        assert len(session.runs()) == 0


def test_profiles_share_the_default_lake_and_each_session_shows_its_run(profile, copied, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    with tl.open(profile) as first, tl.open(copied) as second:
        assert (first.run, second.run) == ("first_look", "copied")
        assert first.step.duration().to_pandas()["run"].unique().tolist() == ["first_look"]
        assert second.step.duration().to_pandas()["run"].unique().tolist() == ["copied"]
        assert second.table("step").to_pandas()["run"].unique().tolist() == ["copied"]
    with tl.open() as default:
        assert set(default.runs().to_pandas()["run"]) == {"first_look", "copied"}
        both = default.step.duration(run=["first_look", "copied"]).to_pandas()
        assert set(both["run"]) == {"first_look", "copied"}
        assert set(default.step.duration(run="copied").to_pandas()["run"]) == {"copied"}
        assert len(default.step.duration()) == len(both)


def test_an_ephemeral_lake_is_not_the_default_lake(profile):
    with tl.open(profile, ephemeral=True, run="only_here"):
        pass
    with tl.open() as default:
        assert "only_here" not in set(default.runs().to_pandas()["run"])


def test_a_query_is_the_same_by_family_name_and_sql(s):
    by_family = s.step.outliers(factor=3.0).to_pandas()
    by_name = s.query("step.outliers", factor=3.0).to_pandas()
    in_sql = s.sql("select * from step_outliers(3.0) order by run, ts, mode, span, step").to_pandas()
    assert 0 < len(by_family) < len(s.step.outliers())
    pd.testing.assert_frame_equal(by_family, by_name)
    pd.testing.assert_frame_equal(by_family, in_sql)


@pytest.mark.parametrize("columns", ["run", "object", "run, object"])
def test_tables_can_be_combined_even_if_they_are_empty(s, columns):
    tables = ("object", "event", "problem", "loader", "run_attribute")
    rows = {table: s.sql(f"select {columns} from {table}").to_arrow().num_rows for table in tables}
    assert 0 in rows.values()
    for first, second in itertools.permutations(tables, 2):
        query = f"select {columns} from {first} union all select {columns} from {second}"
        combined = s.sql(f"select count(*) as n from ({query})").to_arrow()["n"][0].as_py()
        assert len(s.sql(query)) == combined == rows[first] + rows[second]


def test_a_list_can_be_a_parameter(s):
    frame = s.utilization.buckets(edges=[0, 50, 100]).to_pandas()
    assert sorted(frame["bucket"].unique()) == [0, 1]
    pd.testing.assert_frame_equal(frame, s.utilization.buckets(edges=(0.0, 50.0, 100.0)).to_pandas())


def test_times_of_a_frame_can_be_a_parameter(s):
    steps = s.step.over_time().to_pandas()
    ns = steps["ts"].astype("int64").tolist()
    expected = s.event.at_times(times=ns).to_csv()
    assert len(expected.splitlines()) > 3
    for times in (steps["ts"].tolist(), [moment.to_pydatetime(warn=False) for moment in steps["ts"]]):
        exact = [pd.Timestamp(moment).value for moment in times]
        assert s.event.at_times(times=times).to_csv() == s.event.at_times(times=exact).to_csv()
    assert s.event.at_times(times=steps["ts"].tolist()).to_csv() == expected
    assert s.event.at_times(times=steps["ts"].dt.tz_localize(None).to_numpy()).to_csv() == expected
    with pytest.raises(tl.errors.ArgumentError, match="out of range"):
        s.sql("select $t as t", t=[datetime.date(9999, 1, 1)])


@pytest.mark.parametrize("value", [1, -(2**62), 0.5, "x' or '1' = '1", "", "$name", True, False])
def test_values_reach_the_sql_unchanged(s, value):
    row = next(s.sql("select $value as value", value=value).rows())
    assert row == {"value": value}
    assert type(row["value"]) is type(value)


def test_null_and_lists_can_be_values(s):
    assert len(s.sql("select * from step where $mode is null or mode = $mode", mode=None)) == 220
    assert len(s.sql("select * from step where array_has($modes, mode)", modes=["eval", "predict"])) == 20


def test_a_table_has_all_or_some_columns(s):
    assert len(s.table("event")) == 980
    assert s.table("event", columns=["dur", "name"]).columns == ["dur", "name"]
    assert s.table("event").columns[:3] == ["run", "node", "rank"]


@pytest.mark.parametrize(
    "statement",
    [
        "drop table event",
        "create table x as select 1",
        "insert into event select * from event",
        "delete from event",
        "copy event to '/tmp/x.parquet'",
        "set datafusion.execution.batch_size = 1",
        "select 1; select 2",
    ],
)
def test_a_session_is_read_only(s, statement):
    with pytest.raises(tl.errors.QueryError):
        len(s.sql(statement))


@pytest.mark.parametrize(
    ("moment", "ns"),
    [
        (START, NS),
        ("2020-09-13 12:31", NS),
        ("2020-09-13T12:31:00Z", NS),
        ("2020-09-13T14:31:00+02:00", NS),
        ("2020-09-13T12:31:00.000000001", NS + 1),
        ("2020-09-13T12:31:00.5", NS + 500_000_000),
        ("2020-09-13", NS - (12 * 60 + 31) * 60 * 10**9),
        (NS, NS),
        (np.int64(NS), NS),
        (datetime.datetime(2020, 9, 13, 12, 31), NS),  # noqa: DTZ001 - a time without a zone is UTC
        (datetime.datetime(2020, 9, 13, 12, 31, tzinfo=datetime.timezone.utc), NS),
        (datetime.datetime(2020, 9, 13, 12, 31, 0, 7, datetime.timezone(datetime.timedelta(hours=0))), NS + 7000),
        (datetime.date(2020, 9, 13), NS - (12 * 60 + 31) * 60 * 10**9),
        (pd.Timestamp(NS + 1, tz="UTC"), NS + 1),
        (pd.Timestamp(NS + 1), NS + 1),
        (pd.Timestamp("2020-09-13T14:31", tz="Europe/Berlin"), NS),
        (np.datetime64(NS + 1, "ns"), NS + 1),
        (np.datetime64("2020-09-13T12:31"), NS),
        ("1677-09-21T00:12:43.145224193", -(2**63) + 1),
        ("2262-04-11T23:47:16.854775807", 2**63 - 1),
    ],
    ids=str,
)
def test_times_are_exact_in_every_form(moment, ns):
    assert nanoseconds(moment) == ns


NO_MOMENTS = ["yesterday", "2020-13-01", "12:31", "", 1.5, True, None, [], "9999-01-01", 2**63, pd.NaT]


@pytest.mark.parametrize("moment", NO_MOMENTS)
def test_an_invalid_time_is_refused(moment):
    with pytest.raises(tl.errors.ArgumentError, match="as a time"):
        nanoseconds(moment)


def test_a_window_has_everything_that_overlaps_it(s):
    window = s.window(START, END)
    steps = window["step"].to_pandas()
    start, end = pd.Timestamp(START, tz="UTC"), pd.Timestamp(END, tz="UTC")
    assert len(steps) > 0
    assert (steps["ts"] < end).all()
    assert (steps["ts"] + pd.to_timedelta(steps["dur"], unit="ns") >= start).all()
    all_steps = s.table("step").to_pandas()
    inside = (all_steps["ts"] < end) & (all_steps["ts"] + pd.to_timedelta(all_steps["dur"], unit="ns") > start)
    assert len(steps) == inside.sum()
    assert {"event", "sample", "loader"} <= window.keys()
    assert len(window["sample"]) == 10 * 28


def test_adjacent_windows_have_each_sample_once(s):
    whole = len(s.window(NS, NS + 10 * 10**9)["sample"])
    parts = sum(len(s.window(NS + i * 10**9, NS + (i + 1) * 10**9)["sample"]) for i in range(10))
    assert whole == parts


def test_figures_have_names(s):
    for name in s.figures():
        assert s.figure(name).name == name


def test_a_closed_session_is_an_error(profile):
    session = tl.open(profile, ephemeral=True)
    frame = session.sql("select count(*) as n from step")
    with session as same:
        assert same is session
    assert repr(session) == "Session(closed)"
    with pytest.raises(tl.errors.ArgumentError, match="closed session"):
        session.runs()
    session.close()
    assert next(frame.rows()) == {"n": 220}


def test_own_queries_come_from_a_folder(profile, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "modes.sql").write_text(
        "-- Which modes are there?\n--\n-- param   min_n  bigint = 1  minimum number of steps\n--\n"
        "-- column  run    text   id     run\n-- column  mode   text   name   mode\n"
        "-- column  n      bigint count  steps\n--\n-- needs   step\n-- order   run, mode\n"
        "-- source  sagemaker_framework\n\n"
        "SELECT run, mode, count(*) AS n FROM step GROUP BY run, mode HAVING count(*) >= $min_n ORDER BY run, mode\n"
    )
    with tl.open(profile, ephemeral=True, queries=tmp_path) as session:
        rows = list(session.query("mine.modes").rows())
        assert [(row["mode"], row["n"]) for row in rows] == [("eval", 20), ("train", 200)]
        assert len(session.query("mine.modes", min_n=100)) == 1
        assert len(session.sql("select * from mine_modes")) == 2
