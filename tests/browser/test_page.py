"""Draws the figures in a real browser without network, and checks the resulting page."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lab import CHROMIUM, PATIENCE, require_browser

import tracelake as tl
from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader, LocalSystemMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts

PROFILE = Path(__file__).parents[1] / "data" / "first_look" / "profiler-output"
TRACES = Path(__file__).parents[1] / "data" / "pytorch_ddp"
PYTHON_PROFILES = Path(__file__).parents[1] / "data" / "golden" / "job-p"
# two machines with a GPU each, and rule reports
TWO_GPUS = Path(__file__).parents[1] / "data" / "golden" / "job-a"
LOADERS = Path(__file__).parents[1] / "data" / "data_loading"
RECORDING = Path(__file__).parents[1] / "data" / "golden" / "job-w"
SEARCH = Path(__file__).parents[1] / "data" / "recorder" / "search"
# figures over several runs, or with a search, use a lake that has them
FIGURES_OVER_RUNS = {
    "comparison": {"a": ["job"], "b": ["trace"]},
    "fleet_trend": {},
    "fleet_waste": {},
    "optimize_result": {},
}
# without a base, there is nothing to compare with
ARGUMENTS = {"trace_diff": {"rank": 1, "base_rank": 0}}
QUIET = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND",
]


@pytest.fixture
def drawn_page(tmp_path):
    """Returns the page after its scripts ran."""
    require_browser()

    def draw(html: str) -> str:
        page = tmp_path / "page.html"
        page.write_text(html)
        command = [
            CHROMIUM,
            *QUIET,
            f"--user-data-dir={tmp_path / 'user'}",
            "--virtual-time-budget=20000",
            "--dump-dom",
        ]
        done = subprocess.run([*command, page.as_uri()], capture_output=True, text=True, check=True, timeout=PATIENCE)
        return re.sub(r"<script.*?</script>", "", done.stdout, flags=re.DOTALL)

    return draw


@pytest.fixture(scope="module")
def s():
    with tl.open(PROFILE, ephemeral=True) as session:
        yield session


def check(figure, name, drawn_page):
    """Checks that the figure has a title, with a number if it has data; returns whether it has data."""
    plot = json.loads(figure.to_json())
    dom = drawn_page(figure.to_html())
    assert dom.count("js-plotly-plot") == 1, name
    assert "main-svg" in dom, name
    title = re.search(r'class="gtitle".*?</text>', dom, flags=re.DOTALL)
    assert title, f"{name}: no title was drawn"
    if plot["data"]:
        # the first words of the title appear in the drawing
        assert re.search(r"\d", re.sub(r"<[^>]*>", "", title.group())), f"{name}: the title has no number"
    else:
        assert re.search(r'class="annotation-text".*?(no|nothing) ', dom, flags=re.DOTALL), name
    return bool(plot["data"])


def test_figures_over_runs_are_drawn(tmp_path, drawn_page):
    with tl.open(tmp_path / "lake", create=True) as lake:
        for run, path in {"job": PROFILE, "trace": TRACES, "search": SEARCH}.items():
            lake.ingest(path, run=run)
        assert all(
            check(lake.figure(name, **arguments), name, drawn_page) for name, arguments in FIGURES_OVER_RUNS.items()
        )


def test_every_figure_is_drawn(s, drawn_page, tmp_path):
    # Only this trace has the shapes of inputs.
    generator = Path(__file__).parents[1] / "gen" / "kineto.py"
    subprocess.run([sys.executable, generator, "--out", tmp_path / "shapes", "--shapes", "--steps", "2"], check=True)
    with_data = set()
    with (
        tl.open(TRACES, ephemeral=True) as traces,
        tl.open(PYTHON_PROFILES, ephemeral=True) as profiles,
        tl.open(TWO_GPUS, ephemeral=True) as gpus,
        tl.open(LOADERS, ephemeral=True) as loaders,
        tl.open(RECORDING, ephemeral=True) as recording,
        tl.open(tmp_path / "shapes", ephemeral=True) as shapes,
    ):
        sessions = (s, traces, profiles, gpus, loaders, recording, shapes)
        for opened, name in [(opened, name) for opened in sessions for name in s.figures()]:
            if name in with_data or name in FIGURES_OVER_RUNS:
                continue
            figure = opened.figure(name, **ARGUMENTS.get(name, {}))
            # a figure without data is drawn once
            if not json.loads(figure.to_json())["data"] and opened is not s:
                continue
            if check(figure, name, drawn_page):
                with_data.add(name)
    assert with_data | set(FIGURES_OVER_RUNS) == set(s.figures())


def test_a_notebook_block_brings_its_library_once(s, drawn_page, monkeypatch):
    monkeypatch.setattr(tl.figures, "_embedded", [])
    names = ("step_timeline", "job_phases")
    first, second = (s.figure(name, embed=True)._repr_mimebundle_()["text/html"] for name in names)
    dom = drawn_page(f"<!DOCTYPE html><html><body>{first}{second}</body></html>")
    assert dom.count("js-plotly-plot") == 2


def test_charts_of_the_smdebug_layer_are_drawn(drawn_page, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    system, framework = LocalSystemMetricsReader(str(PROFILE)), LocalAlgorithmMetricsReader(str(PROFILE))
    timelines = TimelineCharts(system, framework)
    timelines.plot_detailed_profiler_data([60, 70])
    histograms = MetricsHistogram(system), StepHistogram(framework)
    for histogram in histograms:
        histogram.plot()
    others = [timelines.figure, timelines.detailed, Heatmap(system).figure, StepTimelineChart(framework).figure]
    marks = ["scatterlayer", "barlayer", "heatmaplayer", "scatterlayer", "barlayer", "barlayer"]
    for figure, mark in zip([*others, *(histogram.figure for histogram in histograms)], marks, strict=True):
        dom = drawn_page(figure.to_html(include_plotlyjs=True))
        title = figure.layout.title.text.split("<br>")[0]
        assert dom.count("js-plotly-plot") == 1, title
        assert dom.count(f"{mark} mlayer") == len({trace.xaxis for trace in figure.data}), title
        assert re.search(r'class="(trace |hm|points?")', dom), f"{title}: nothing was drawn"
        assert "data-unformatted" in dom, title


def test_names_from_profiles_stay_text(drawn_page):
    with tl.open(PROFILE, ephemeral=True) as session:
        hostile = "<img src=x onerror=document.title='owned'>"
        html = session.sql("select $name as name", name=hostile)._repr_html_()
    dom = drawn_page(f"<!DOCTYPE html><html><head><title>fine</title></head><body>{html}</body></html>")
    assert "<title>fine</title>" in dom
    assert "&lt;img src=x" in dom
