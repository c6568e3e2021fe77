"""Figures that follow a job in JupyterLab: the plot on the page is updated."""

import json
from pathlib import Path

import pytest
from lab import Lab, poll_until, require_browser

from growing_profile import end, system, timeline, write_atomically

pytestmark = pytest.mark.filterwarnings("default")
PACKAGE = Path(__file__).parents[2] / "python"
DRAWN = "JSON.stringify([...document.querySelectorAll('.js-plotly-plot')].map(plot => JSON.stringify(plot.data)))"
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
while len(chart.system_metrics["CPUUtilization-nodeid:algo-1"]["total"]) < 16:
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
    require_browser()
    lab = Lab(tmp_path, {"PYTHONPATH": str(PACKAGE), "TRACELAKE_HOME": str(tmp_path / "home")})

    def run(*cells):
        lab.show("live.ipynb", *(cell.format(url=str(job), lake=str(tmp_path / "lake")) for cell in cells))
        return lab

    yield run
    lab.stop()


def write(job, minute):
    for file in (system(minute), timeline(minute, 0)):
        write_atomically(job, file)


@pytest.mark.parametrize("cells", [[LIVE], [CHARTS, LOOP]], ids=["live", "smdebug"])
def test_a_plot_on_the_page_changes(lab, job, cells):
    write(job, 0)
    page = lab(*cells)
    count = 2 if cells == [LIVE] else 1
    before = [""] * count

    def drawn():
        """Returns the data of each plot, after all have changed; a plot that is being replaced is missing."""
        now = json.loads(page.js(DRAWN))
        return len(now) == count and not set(now) & set(before) and now

    for minute in (1, 2, 3):
        before = poll_until(drawn, f"minute {minute} on the page")
        write(job, minute)
    end(job)
