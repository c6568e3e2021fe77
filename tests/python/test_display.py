"""Notebook displays: types, units, counts and time zones, and escaped names."""

import os
import time
from html.parser import HTMLParser

import pytest

import tracelake as tl
from tracelake import _tracelake as native

HOSTILE = "<script>alert(1)</script>\"'&\u202e\u2067\x1b\n"


class Page(HTMLParser):
    """Parses the elements of a page and its text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.text = [], ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.text += data


@pytest.fixture
def zone(monkeypatch):
    """The machine is in Nepal: 5 hours and 45 minutes ahead."""
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    time.tzset()
    yield
    tl.options.time_zone = "UTC"
    monkeypatch.undo()
    time.tzset()


def test_a_table_shows_types_units_and_count_and_aligns_columns(s):
    frame = s.sql("select run, ts, dur, complete, dur / 2e9 as half from step limit 3")
    assert "run</" not in frame._repr_html_()
    assert "3 rows, run = first_look, times in UTC" in frame._repr_html_()
    tl.options.wide = True
    page = Page(frame._repr_html_())
    tl.options.wide = False
    for word in ("text, id", "time, UTC", "bigint, ns", "boolean, flag", "double", "3 rows, times in UTC"):
        assert word in page.text
    aligned = [attrs["style"].split(";")[0] for tag, attrs in page.elements if tag == "td"][:5]
    left, right = "text-align:left", "text-align:right"
    assert aligned == [left, left, right, left, right]
    assert [attrs["style"] for tag, attrs in page.elements if tag == "th"] == aligned


@pytest.mark.skipif(not os.path.exists("/usr/share/zoneinfo/Asia/Kathmandu"), reason="no time zones here")  # noqa: PTH110
def test_times_are_shown_in_the_selected_time_zone(s, zone):  # noqa: ARG001 - sets the clock
    frame = s.sql("select ts from step order by ts limit 1")
    utc = frame.to_pandas()["ts"][0]
    assert utc.strftime("%Y-%m-%d %H:%M:%S") in repr(frame)
    tl.options.time_zone = "local"
    local = utc.tz_convert("Asia/Kathmandu")
    for shown in (repr(frame), frame._repr_html_()):
        assert local.strftime("%Y-%m-%d %H:%M:%S") in shown
        assert "+05:45" in shown
        assert "1 row, times in local time" in shown
    assert frame.to_csv(times="iso").endswith("Z\n"), "exports stay UTC"
    with pytest.raises(tl.errors.ArgumentError, match="expected one of: UTC, local"):
        tl.options.time_zone = "Mars"


@pytest.mark.slow
def test_names_are_escaped(tmp_path, profile):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(profile, run="<script>alert(1)")
        gate = session.gate("<script>alert(1)", max_loader_ratio=0.0)
        finding = session.diagnose()["load_share_high"]
        frame = session.sql("select $name as name, $long as long", name=HOSTILE, long="x" * 10_000)
        column = session.sql('select 1 as "<script>alert(1)</script>"')
        things = [session, gate, finding, session.diagnose(), session.diagnose().tree, frame, column]
        pages = [Page(thing._repr_html_()) for thing in things]
        assert all(not any(tag == "script" for tag, _ in page.elements) for page in pages)
        assert all("<script>alert(1)" in page.text for page in pages)
        shown = frame._repr_html_() + repr(frame)
    assert not set(shown) & set("\u202e\u2067\x1b")
    # in text, and in HTML as cell and as its title
    assert shown.count("... (10000 characters)") == 3
    assert "x" * 501 not in shown


def test_a_session_shows_its_lake_and_run(s):
    page = Page(s._repr_html_())
    assert "1 run: first_look" in page.text
    assert "first_look/profiler-output" in page.text
    assert s.url not in page.text
    assert repr(s).endswith("/first_look/profiler-output', run='first_look')")
    with tl.open(s.url) as other:
        other.close()
        assert "closed" in other._repr_html_()


def test_help_finds_queries_figures_and_tables(s):
    actual = s.help("loader").to_pandas()
    assert actual["kind"].tolist()[0] == "table", "what has the name stands first"
    assert {"query", "finding", "figure", "table", "view", "column", "format"} >= set(actual["kind"])
    assert {"loader.share", "loader_share"} <= set(actual["name"])
    everything = s.help().to_pandas()
    assert len(everything) > len(actual)
    counts = everything["kind"].value_counts()
    assert counts["figure"] == len(s.figures())
    assert counts["query"] + counts["finding"] == len(native.help_queries())
    assert s.sql("select * from help('loader')").to_csv() == s.help("loader").to_csv()
    assert (
        s.help("LOADER share").to_pandas()["name"][0] == s.help("loader share").to_pandas()["name"][0] == "loader.share"
    )
    assert s.help("laoder").why_empty == "no help on `laoder`; did you mean `loader`?"
    assert s.help("zzqqx").why_empty == "no help on `zzqqx`"
    assert "did you mean" in s.help("laoder")._repr_html_()
