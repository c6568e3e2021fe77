"""Outputs of figures in JupyterLab and on pages that nbconvert makes."""

import json
from pathlib import Path

import nbconvert
import pytest
from lab import PLOTS, Lab, require_browser

from hang_guard import wait_until

pytestmark = pytest.mark.filterwarnings("default")
ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "data" / "first_look" / "profiler-output"
OPEN = f"import tracelake as tl\ns = tl.open({str(PROFILE)!r}, ephemeral=True)"
NAMES = ("step_histogram", "step_timeline", "utilization_timeline")
SIZES = """JSON.stringify([...document.querySelectorAll('.jp-RenderedPlotly')].map(plot => {
    const svg = plot.querySelector('.main-svg');
    return [svg?.clientWidth === plot.clientWidth, svg?.clientHeight];
}))"""
WIDTH = "document.querySelector('.jp-RenderedPlotly')?.clientWidth"
TOGGLE = "jupyterapp.commands.execute('application:toggle-left-area').then(() => true)"
PICTURES = "[...document.querySelectorAll('.jp-RenderedSVG > :is(svg, img)')]"


@pytest.fixture
def start(tmp_path):
    """Opens a notebook of some cells in JupyterLab, and runs the cells."""
    require_browser()
    labs = []

    def run(*cells, options=()):
        lab = Lab(tmp_path, {"PYTHONPATH": str(ROOT / "python"), "TRACELAKE_HOME": str(tmp_path / "home")}, options)
        labs.append(lab)
        lab.show("figures.ipynb", OPEN, *cells)
        return lab

    yield run
    for lab in labs:
        lab.stop()


def test_a_figure_keeps_its_height_and_follows_the_width(start):
    cells = [f"figure = s.figure({name!r})\nfigure" for name in NAMES]
    lab = start(*cells)
    lab.wait_until(f"{PLOTS}.length === {len(NAMES)}", "figures")

    def saved_heights():
        outputs = [output for cell in lab.saved().cells for output in cell.get("outputs", []) if "data" in output]
        heights = [output.data["application/vnd.plotly.v1+json"]["layout"]["height"] for output in outputs]
        return heights if len(heights) == len(NAMES) else None

    # The page may show a figure before the notebook has it.
    heights = wait_until(saved_heights, "outputs in the notebook")
    assert len(set(heights)) == len(NAMES)
    expected = [[True, height] for height in heights]
    lab.wait_until(f"{SIZES} === '{json.dumps(expected, separators=(',', ':'))}'", "figures of their height")

    def change(step):
        before = lab.js(WIDTH)
        step()
        lab.wait_until(f"{WIDTH} !== {before}", "another width")
        lab.js("new Promise(done => setTimeout(done, 1000))")  # plotly.js waits for 100 ms
        assert json.loads(lab.js(SIZES)) == expected

    for _ in range(4):
        change(lambda: lab.js(TOGGLE))
    for width in (1100, 1500, 900):
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        change(lambda size=size: lab.call("Emulation.setDeviceMetricsOverride", **size))


def test_without_the_extension_of_plotly_a_figure_is_a_picture(start, tmp_path):
    lab = start(f"s.figure({NAMES[1]!r})", options=(f"--LabApp.labextensions_path={[str(tmp_path)]}",))
    lab.wait_until(f"{PICTURES}.length === 1 && {PICTURES}[0].clientHeight > 200", "the picture")
    lab.save_screenshot("lab-picture")


def test_a_page_has_pictures_or_embedded_figures(start, tmp_path):
    cells = [f"s.figure({name!r}, embed={embed})" for name in NAMES for embed in (False, True)]
    lab = start(*cells)
    lab.wait_until(f"{PLOTS}.length === {len(cells)}", "figures")
    page = tmp_path / "page.html"
    page.write_text(nbconvert.HTMLExporter().from_notebook_node(lab.saved())[0])
    assert page.read_text().count('class="tracelake-plotly"') == 1
    lab.call("Page.navigate", url=page.as_uri())
    lab.wait_until("document.readyState === 'complete' && location.protocol === 'file:'", "the page")
    lab.wait_until(f"{PLOTS}.length === {len(NAMES)}", "embedded figures")
    assert lab.js(f"{PICTURES}.length") == len(NAMES)
