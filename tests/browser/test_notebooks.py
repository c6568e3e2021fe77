"""The notebooks in JupyterLab and as HTML pages, without network: every figure is drawn, on pages as a picture."""

import os
import shutil
from pathlib import Path

import nbconvert
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from lab import PLOTS, Lab, require_browser

pytestmark = pytest.mark.filterwarnings("default")
ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted(f"{path.parent.name}/{path.name}" for path in (ROOT / "notebooks").glob("*/*.ipynb"))
RUST = "tracelake-rust"
PLOTLY = "application/vnd.plotly.v1+json"
PICTURES = "[...document.querySelectorAll('.jp-RenderedSVG > :is(svg, img)')]"
# libraries for formulas and widgets that nbconvert adds to each page; plots do not need them
NBCONVERT = tuple(
    trait.default_value for name, trait in nbconvert.HTMLExporter.class_traits().items() if name.endswith("_url")
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab over a copy of the notebooks."""
    require_browser()
    folder = tmp_path_factory.mktemp("lab")
    lab = Lab(folder, {"PYTHONPATH": str(ROOT / "python"), "TRACELAKE_HOME": str(folder / "home")})
    shutil.copytree(ROOT / "notebooks", lab.root / "notebooks")
    (lab.root / "tests").symlink_to(ROOT / "tests")
    yield lab
    lab.stop()


def check_no_messages(lab, *allowed):
    """Checks that there was no console message, and no request beyond loopback."""
    for event in lab.events:
        params = event["params"]
        assert event["method"] != "Runtime.exceptionThrown", event
        if event["method"] == "Runtime.consoleAPICalled":
            assert params["type"] not in ("error", "assert"), event
        if event["method"] == "Log.entryAdded":
            entry = params["entry"]
            assert entry["level"] != "error" or entry.get("url", "").startswith(allowed), event
        if event["method"] == "Network.requestWillBeSent":
            url = params["request"]["url"]
            assert url.startswith((lab.address, "data:", "blob:", *allowed)), url


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_every_figure_of_a_notebook_is_drawn(lab, tmp_path, name):
    if name.startswith("rust/") and RUST not in KernelSpecManager().find_kernel_specs():
        if os.environ.get("CI") == "true":
            pytest.fail(f"there is no kernel {RUST}: run `make kernel`")
        pytest.skip(f"NOT TESTED: there is no kernel {RUST}: run `make kernel`")
    lab.open(f"notebooks/{name}")
    lab.run()
    notebook = lab.saved()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    assert not [output for output in outputs if output.output_type == "error"]
    drawn_figures = sum(PLOTLY in output.get("data", {}) for output in outputs)
    figure_cells = sum(".figure(" in cell.source.rstrip().splitlines()[-1] for cell in cells)
    assert drawn_figures >= max(figure_cells, 1), "cells that end with a figure show it"
    shot = name.replace("/", "-").removesuffix(".ipynb")
    lab.wait_until(f"{PLOTS}.length === {drawn_figures}", f"{drawn_figures} plots of {name}")
    lab.js(f"{PLOTS}[0].scrollIntoView()")
    lab.save_screenshot(f"lab-{shot}")
    check_no_messages(lab)
    lab.stop_kernel()

    page = tmp_path / "page.html"
    page.write_text(nbconvert.HTMLExporter().from_notebook_node(notebook)[0])
    lab.events.clear()
    lab.call("Page.navigate", url=page.as_uri())
    lab.wait_until("document.readyState === 'complete' && location.protocol === 'file:'", f"the page of {name}")
    assert lab.js(f"{PICTURES}.length") == drawn_figures
    assert lab.js(f"{PICTURES}.every(picture => picture.clientHeight > 100)")
    lab.js(f"{PICTURES}[0].scrollIntoView()")
    lab.save_screenshot(f"html-{shot}")
    check_no_messages(lab, page.as_uri(), *NBCONVERT)
