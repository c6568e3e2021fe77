"""Figures that follow a job, as JupyterLab draws them: the plot that is on the page changes."""

import os
from pathlib import Path

import nbformat
import pytest

from growing_profile import end, put, system, timeline
from lab import CHROMIUM, Lab

pytestmark = pytest.mark.filterwarnings("default")
PACKAGE = Path(__file__).parents[2] / "python"
PLOTS = "[...document.querySelectorAll('.js-plotly-plot')]"
# How far to the right each plot is drawn, of what Plotly holds and not of what was sent.
ENDS = f"JSON.stringify({PLOTS}.map(plot => Math.max(...plot.calcdata.flat().map(point => point.x).filter(isFinite))))"
LIVE = """
import tracelake as tl
lake = tl.open({lake!r}, create=True)
lake.live(["utilization_timeline", "step_timeline"], {url!r}, every=0.2)
print("over")
"""
CHARTS = """
import time
from tracelake.smdebug.profiler import LocalSystemMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
reader = LocalSystemMetricsReader({url!r})
chart = TimelineCharts(reader, None, select_events=["total"])
"""
LOOP = """
while len(chart.system_metrics["CPUUtilization-nodeid:algo-1"]["total"]) < 12:
    chart.update_data(2**60)
    time.sleep(0.2)
print("over")
"""


@pytest.fixture
def job(tmp_path):
    root = tmp_path / "job" / "profiler-output"
    root.mkdir(parents=True)
    return root


@pytest.fixture
def lab(tmp_path, job):
    """Opens a notebook of some cells, and runs them."""
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium on this machine")
        pytest.skip("NOT TESTED: no Chromium on this machine")
    opened = []

    def run(*cells):
        cells = [nbformat.v4.new_code_cell(cell.format(url=str(job), lake=str(tmp_path / "lake"))) for cell in cells]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        env = {"PYTHONPATH": str(PACKAGE), "TRACELAKE_HOME": str(tmp_path / "home")}
        opened.append(Lab(tmp_path, nbformat.v4.new_notebook(cells=cells, metadata=kernel), env))
        return opened[0]

    yield run
    for one in opened:
        one.stop()


def write(job, minute):
    for file in (system(minute), timeline(minute, 0)):
        put(job, file)


@pytest.mark.parametrize("cells", [[LIVE], [CHARTS, LOOP]], ids=["live", "smdebug"])
def test_a_plot_on_the_page_changes(lab, job, cells):
    write(job, 0)
    page = lab(*cells)
    count = 2 if cells == [LIVE] else 1
    before = page.until(f"{PLOTS}.length === {count} && {ENDS}", "the first plots")
    for minute in (1, 2):
        write(job, minute)
        shown = page.until(f"{ENDS} !== {before!r} && {ENDS}", f"minute {minute} on the page")
        assert page.js(f"{PLOTS}.length") == count
        before = shown
    end(job)
