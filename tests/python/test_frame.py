"""Frames: exact values and correct types in every library."""

import csv
import datetime
import io
import pickle
import re
import subprocess
import sys

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tracelake as tl
from tracelake import errors
from tracelake.errors import QueryError

TIME = 1_600_000_200_000_000_001  # needs all 64 bits
TYPES = "select 1 as i, 0.5 as d, 'a' as t, true as b union all select null, null, null, null order by i nulls last"


def test_a_frame_has_columns_types_and_units(s):
    frame = s.table("step", columns=["run", "ts", "dur", "complete"])
    assert frame.columns == ["run", "ts", "dur", "complete"]
    assert frame.types == {"run": "text", "ts": "bigint", "dur": "bigint", "complete": "boolean"}
    assert frame.units == {"run": "id", "ts": "time", "dur": "ns", "complete": "flag"}
    assert s.sql("select dur / 2 as half from step").units == {"half": None}


def test_pandas_types_without_nulls(s):
    data = s.table("step", columns=["run", "ts", "dur", "complete"]).to_pandas()
    assert data["ts"].dtype == pd.DatetimeTZDtype("ns", "UTC")
    assert data["dur"].dtype == pd.Int64Dtype()
    assert data["complete"].dtype == pd.BooleanDtype()
    assert pd.api.types.is_string_dtype(data["run"].dtype)
    assert list(data.index) == list(range(220))


def test_pandas_types_with_nulls(s):
    data = s.sql(TYPES).to_pandas()
    assert data["i"].dtype == pd.Int64Dtype()
    assert data["i"].tolist() == [1, pd.NA]
    assert data["d"].dtype == "float64"
    assert data["b"].dtype == pd.BooleanDtype()
    assert data["t"].isna().tolist() == [False, True]


@pytest.mark.parametrize("value", [2**53 + 1, -(2**53) - 1, 2**63 - 1, -(2**63) + 1])
@pytest.mark.parametrize("other", ["null", "1"])
def test_integers_stay_exact(s, value, other):
    data = s.sql(f"select cast({value} as bigint) as x, 0 as place union all select {other}, 1 order by place")
    assert int(data.to_pandas()["x"][0]) == value
    assert data.to_polars()["x"][0] == value
    assert data.to_arrow()["x"][0].as_py() == value
    assert next(data.rows())["x"] == value
    assert data.to_csv().splitlines()[1] == f"{value},0"


def test_times_stay_exact(s):
    frame = s.sql("select ts from event order by ts")
    assert frame.to_arrow()["ts"].type == pa.timestamp("ns", "UTC")
    expected = frame["ts"].to_list()
    assert min(expected) > 2**53
    assert frame.to_pandas()["ts"].dt.as_unit("ns").astype("int64").tolist() == expected
    assert frame.to_polars()["ts"].dtype == pl.Datetime("ns", "UTC")
    assert frame.to_polars()["ts"].dt.epoch("ns").to_list() == expected
    first = datetime.datetime.fromtimestamp(expected[0] // 10**9, datetime.timezone.utc)
    assert frame.to_csv().splitlines()[1] == str(expected[0])
    assert frame.to_csv(times="iso").splitlines()[1].startswith(first.strftime("%Y-%m-%dT%H:%M:%S."))
    assert next(frame.rows()) == {"ts": expected[0]}
    assert pl.DataFrame(frame)["ts"].dtype == pl.Datetime("ns", "UTC")
    with pytest.raises(errors.ArgumentError, match="expected 'ns' or 'iso'"):
        frame.to_csv(times="seconds")


def test_a_null_time_is_not_a_time(s):
    frame = s.sql("select ts from step where step = 0 union all select null")
    assert frame.units["ts"] == "time"
    assert frame.to_pandas()["ts"].isna().sum() == 1
    assert frame.to_polars()["ts"].null_count() == 1


def test_an_empty_frame_keeps_its_columns(s):
    frame = s.sql("select run, ts, dur, complete from step where false")
    assert len(frame) == 0
    data = frame.to_pandas()
    assert list(data.columns) == ["run", "ts", "dur", "complete"]
    assert data["ts"].dtype == pd.DatetimeTZDtype("ns", "UTC")
    assert data["dur"].dtype == pd.Int64Dtype()
    assert frame.to_polars().schema["ts"] == pl.Datetime("ns", "UTC")
    assert frame.to_arrow().num_rows == 0
    assert list(frame.rows()) == []
    assert frame.to_csv() == "run,ts,dur,complete\n"
    assert "0 rows" in repr(frame)


def test_a_frame_can_be_read_again_and_again(s):
    frame = s.sql("select run, count(*) as n from event group by run")
    readings = [pa.table(frame).to_pylist() for _ in range(3)]
    assert readings[0] == readings[1] == readings[2]
    assert readings[0] == [{"run": "first_look", "n": 980}]


def test_the_schema_needs_no_rows(s):
    frame = s.table("event")
    assert pa.schema(frame) == pa.table(frame).schema
    assert pa.schema(frame).field("dur").metadata == {b"unit": b"ns"}
    reader = pa.RecordBatchReader.from_stream(frame)
    assert reader.schema == pa.schema(frame)


def test_repr_shows_the_first_rows_and_the_row_count(s):
    text = repr(s.table("event"))
    assert "50 of 980 rows" in text
    assert len(text.splitlines()) < 60
    assert "2020-09-13 12:30" in repr(s.runs())


def test_html_is_an_escaped_table(s):
    html = s.sql("select '<script>alert(1)</script> & \"x\"' as name")._repr_html_()
    assert "<table" in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
    assert s.table("event")._repr_html_().count("<tr") <= 52


def test_csv_can_be_read_back(s, tmp_path):
    frame = s.sql("select 'a,\"b\"\nc' as t, 1 as i, null as n")
    assert list(csv.reader(io.StringIO(frame.to_csv()))) == [["t", "i", "n"], ['a,"b"\nc', "1", ""]]
    assert frame.to_csv(tmp_path / "x.csv") is None
    assert (tmp_path / "x.csv").read_bytes().decode() == frame.to_csv()
    assert s.sql("select [1, null] as l").to_csv() == 'l\n"[1,null]"\n'


def test_a_failed_csv_keeps_the_existing_file(s, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")
    with pytest.raises(QueryError):
        s.sql("select cast(name as bigint) as x from event").to_csv(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(FileNotFoundError):
        s.sql("select 1 as x").to_csv(tmp_path / "missing" / "x.csv")


def test_rows_are_dicts(s):
    rows = s.sql("select value from generate_series(1, 1000000)").rows()
    assert next(rows) == {"value": 1}
    assert next(rows) == {"value": 2}


@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [("pandas", "to_pandas", "pandas"), ("pyarrow", "to_arrow", "pandas"), ("polars", "to_polars", "polars")],
)
def test_a_missing_library_is_named_with_its_extra(s, monkeypatch, module, call, extra):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=re.escape(f"pip install 'tracelake[{extra}]'")):
        getattr(s.sql("select 1"), call)()


def test_polars_csv_and_text_need_no_pyarrow(profile):
    code = f"""
import sys
sys.modules["pyarrow"] = sys.modules["pandas"] = None
import tracelake as tl
s = tl.open({str(profile)!r}, ephemeral=True)
frame = s.table("step", columns=["ts", "dur"])
assert frame.to_polars().shape == (220, 2)
assert len(frame) == 220 and repr(frame) and frame._repr_html_() and frame.to_csv()
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_arrow_needs_no_pandas(profile):
    code = f"""
import sys
import tracelake as tl
s = tl.open({str(profile)!r}, ephemeral=True)
table = s.table("step", columns=["ts", "dur"]).to_arrow()
assert table.num_rows == 220 and table.schema.field("dur").metadata == {{b"unit": b"ns"}}
assert next(s.table("step", columns=["ts"]).rows())
assert "pandas" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_rows_and_columns_are_selected(s):
    frame = s.sql("select run, ts, dur, mode from step order by ts, row")
    data = frame.to_pandas()
    assert [row["dur"] for row in frame] == data["dur"].tolist()
    assert list(frame.rows(named=False))[7] == (*frame[7].values(),)
    assert frame[-1]["dur"] == data["dur"].iloc[-1]
    assert frame[["mode", "dur"]].columns == ["mode", "dur"]
    assert frame[10:20].to_csv() == "".join(frame.to_csv().splitlines(keepends=True)[slice(0, 1)]) + "".join(
        frame.to_csv().splitlines(keepends=True)[11:21]
    )
    assert len(frame.head(3)) == 3
    column = frame["ts"]
    assert (column.name, column.unit, len(column)) == ("ts", "time", len(data))
    assert (column.to_numpy() == data["ts"].dt.tz_localize(None).to_numpy()).all()
    assert column[3] == frame[3]["ts"] == column.to_list()[3] == column[3:4][0]
    for wrong, kind in (("durr", tl.errors.NotFoundError), (10_000, IndexError), (["durr"], tl.errors.NotFoundError)):
        with pytest.raises(kind):
            frame[wrong]


def test_a_pickled_frame_has_the_same_rows_units_and_title(s):
    for frame in (s.runs(), s.compare("first_look", "first_look"), s.sql("select 1 as x where false")):
        copy = pickle.loads(pickle.dumps(frame))  # noqa: S301 - our own
        assert copy.to_csv() == frame.to_csv()
        assert (copy.units, copy.types, copy.title) == (frame.units, frame.types, frame.title)
