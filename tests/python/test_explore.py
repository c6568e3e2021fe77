"""Zoomable figures without a page: the requests of a page and their results."""

import json
import subprocess
import sys
import threading
from itertools import product
from pathlib import Path

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S, wait_until
from tracelake.explore import explorable

TRACES = Path(__file__).parents[1] / "data" / "pytorch_ddp"
ARGUMENTS = {"utilization_heatmap": {"bins": 8}}


@pytest.fixture(scope="module")
def t():
    with tl.open(TRACES, ephemeral=True) as session:
        yield session


def answered(explorer, number):
    """Waits for the state of the page after request `number`."""
    wait_until(lambda: explorer.widget.shown["number"] == number, f"answer to question {number}", 0.01)
    return explorer.widget.shown


def bounds(frame):
    """Returns the first start and the last end of the rows."""
    rows = list(frame.rows())
    return min(row["ts"] for row in rows), max(row["ts"] + (row["dur"] or 0) for row in rows)


def test_every_figure_with_a_window_can_be_zoomed(s, t):
    explored = set()
    for session, name in product((s, t), explorable(s)):
        explorer = session.explore(name, **ARGUMENTS.get(name, {}))
        if not json.loads(explorer.figure.to_json())["data"]:
            continue
        explored.add(name)
        begin, end = bounds(explorer.figure.frames[0])
        third = (end - begin) // 3
        window = begin + third, end - third
        explorer.zoom(*window)
        assert explorer.window == window
        start, stop = bounds(explorer.figure.frames[0])
        assert window[0] <= start < window[1], name
        if name != "step_timeline":  # a step belongs to the window of its start
            assert stop <= window[1] + third // 8, name
        # the drawn range is the window, on each axis
        layout = json.loads(explorer.widget.shown["plot"])["layout"]
        for axis in (value for key, value in layout.items() if key.startswith("xaxis")):
            if axis.get("type") == "date":
                assert [tl.instant.nanoseconds(moment) for moment in axis["range"]] == list(window), name
        explorer.zoom()
        assert explorer.window is None
        assert bounds(explorer.figure.frames[0]) == (begin, end), name
    assert explored == set(explorable(s))


def test_bins_divide_the_window(s):
    explorer = s.explore("utilization_timeline", bins=10)
    coarse = {row["dur"] for row in explorer.figure.frames[0].rows()}
    begin, end = bounds(explorer.figure.frames[0])
    explorer.zoom(begin, begin + (end - begin) // 5)
    fine = {row["dur"] for row in explorer.figure.frames[0].rows()}
    assert max(fine) < min(coarse) / 4


def test_a_page_requests_a_range_of_its_axis(t):
    explorer = t.explore("trace_timeline")
    ((begin, length),) = explorer.figure.windows()
    times = explorer.widget.shown["times"]["xaxis"]
    assert int(times[0]) == begin
    left, right = (share * length / times[1] for share in (0.25, 0.5))
    explorer.widget.request = {"number": 1, "range": [left, right], "time": times}
    shown = answered(explorer, 1)
    assert not shown["problem"]
    ((start, dur),) = explorer.figure.windows()
    assert abs(start - begin - length // 4) <= 1
    assert abs(dur - length // 4) <= 1
    assert all(axis["fixedrange"] for name, axis in json.loads(shown["plot"])["layout"].items() if "yaxis" in name)
    # a range from before the last result uses the time scale of its own axis
    explorer.widget.request = {"number": 2, "range": [left, right], "time": times}
    answered(explorer, 2)
    assert explorer.figure.windows() == [(start, dur)]
    explorer.widget.request = {"number": 3, "range": None, "time": None}
    answered(explorer, 3)
    assert explorer.figure.windows() == [(begin, length)]


def test_errors_are_shown_and_the_figure_stays(s):
    explorer = s.explore("utilization_timeline")
    before = explorer.figure
    explorer.widget.request = {"number": 1, "range": ["2003-01-01", "2003-01-02"], "time": None}
    problem = answered(explorer, 1)["problem"]
    assert problem == "nothing is recorded from 2003-01-01 00:00:00.000000000 to 2003-01-02 00:00:00.000000000 UTC"
    explorer.widget.request = {"number": 2, "range": ["soon", "later"], "time": None}
    assert "cannot read `soon` as a time" in answered(explorer, 2)["problem"]
    assert explorer.figure is before
    with pytest.raises(tl.errors.NotFoundError, match="nothing is recorded from 2003"):
        explorer.zoom("2003-01-01", "2003-01-02")
    with pytest.raises(tl.errors.ArgumentError, match=r"the end, 2003-01-01 00:00:00\.000000000, is not after"):
        explorer.zoom("2003-01-02", "2003-01-01")
    with pytest.raises(tl.errors.ArgumentError, match="a window needs a start and an end"):
        explorer.zoom("2003-01-02")


def test_the_last_request_wins(s, monkeypatch):
    explorer = s.explore("step_timeline")
    begin, end = bounds(explorer.figure.frames[0])
    gate, queried = threading.Event(), []
    figure = s.figure

    def slow(name, run, start, end):
        queried.append((start, end))
        gate.wait(HANG_GUARD_S)
        return figure(name, run, start=start, end=end)

    monkeypatch.setattr(s, "figure", slow)
    windows = [(begin + n, end) for n in range(5)]
    for number, (start, stop) in enumerate(windows, 1):
        explorer.widget.request = {"number": number, "range": [start, stop], "time": ["0", 1]}
    gate.set()
    answered(explorer, 5)
    assert queried[-1] == windows[-1]
    assert len(queried) <= 2, "what nobody waits for is not asked"
    assert explorer.window == windows[-1]


def test_the_error_for_a_figure_without_a_window_lists_figures_with_one(s):
    with pytest.raises(tl.errors.ArgumentError) as error:
        s.explore("loader_share")
    assert str(error.value).startswith(
        "cannot explore loader_share: it has no time window; figures with one: step_timeline,"
    )
    with pytest.raises(tl.errors.NotFoundError):
        s.explore("weather")


def test_without_a_kernel_it_is_a_static_figure(s):
    explorer = s.explore("step_timeline")
    bundle = explorer._repr_mimebundle_()
    assert bundle["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.widget.model_id
    assert bundle.items() > {**explorer.figure._repr_mimebundle_(), "text/plain": bundle["text/plain"]}.items()
    assert bundle["text/plain"] == "Explorer('step_timeline', the whole)"


def test_without_anywidget_the_error_has_the_install_command(tmp_path, profile):
    (tmp_path / "anywidget.py").write_text("raise ModuleNotFoundError(name='anywidget')")
    code = f"import tracelake as tl\ntl.open({str(profile)!r}, ephemeral=True).explore('step_timeline')"
    path = f"{tmp_path}:{Path(tl.__file__).parents[1]}"
    done = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": path}, capture_output=True, text=True, check=False
    )
    assert "cannot explore a figure: `anywidget` is not installed" in done.stderr
    assert "pip install 'tracelake[notebook]'" in done.stderr
