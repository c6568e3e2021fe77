"""Zoomable figures and magics in JupyterLab without network, operated by mouse and keyboard."""

import json
from pathlib import Path

import pytest
from lab import CURRENT, Lab, poll_until, require_browser

pytestmark = pytest.mark.filterwarnings("default")
ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "data" / "first_look" / "profiler-output"
TRACES = ROOT / "tests" / "data" / "pytorch_ddp"
OPEN = "import tracelake as tl\ns = tl.open({!r}, ephemeral=True)"
PLOT = "document.querySelector('.tracelake-explorer .js-plotly-plot')"
AXIS = f"JSON.stringify([{PLOT}.layout.xaxis.range, {PLOT}.layout.xaxis.title.text])"
MESSAGE = "document.querySelector('.tracelake-told')?.textContent"
BOX = f"(({{x, y, width, height}}) => [x, y, width, height])({PLOT}.querySelector('.nsewdrag').getBoundingClientRect())"
# time between two points of the first line, in ms
STEP = f"(() => {{ const x = {PLOT}.data.find(trace => trace.name).x; return new Date(x[1]) - new Date(x[0]); }})()"


@pytest.fixture
def lab(tmp_path):
    require_browser()
    lab = Lab(tmp_path, {"PYTHONPATH": str(ROOT / "python"), "TRACELAKE_HOME": str(tmp_path / "home")})
    yield lab
    lab.stop()


def mouse(lab, kind, x, y, clicks=1):
    button_state = {"button": "left", "buttons": 1} if kind != "mouseReleased" else {"button": "left"}
    lab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, clickCount=clicks, **button_state)


def drag(lab, start, end):
    """Drags a box over the plot, from one share of its width to another."""
    lab.js(f"{PLOT}.scrollIntoView({{block: 'center'}})")
    left, top, width, height = lab.js(BOX)
    y = top + height / 2
    mouse(lab, "mousePressed", left + start * width, y)
    for part in (0.3, 0.6, 1.0):
        mouse(lab, "mouseMoved", left + (start + part * (end - start)) * width, y)
    mouse(lab, "mouseReleased", left + end * width, y)


def double_click(lab):
    left, top, width, height = lab.js(BOX)
    for clicks in (1, 2):
        for kind in ("mousePressed", "mouseReleased"):
            mouse(lab, kind, left + width / 2, top + height / 2, clicks)


def drawn_range(lab, before):
    """Returns the range of the axis after it has changed and no request is pending."""
    return poll_until(lambda: lab.js(MESSAGE) == "" and lab.js(AXIS) != before and lab.js(AXIS), "another window")


def test_a_drag_loads_finer_bins_and_a_double_click_the_full_range(lab):
    lab.show("zoom.ipynb", OPEN.format(str(PROFILE)), 'explorer = s.explore("utilization_timeline", bins=12)\nexplorer')
    lab.wait_until(f"{PLOT}?.querySelector('.main-svg')?.clientHeight > 100", "the figure")
    whole, coarse = lab.js(AXIS), lab.js(STEP)
    lab.save_screenshot("explore-whole")
    drag(lab, 0.5, 0.7)
    inside = drawn_range(lab, whole)
    poll_until(lambda: lab.js(STEP) < coarse / 3, "finer bins")
    lab.save_screenshot("explore-zoomed")
    double_click(lab)
    poll_until(lambda: lab.js(STEP) == coarse, "the bins of the whole")
    assert lab.js(AXIS) != inside

    # in a range without data, the figure stays, with a message; the next result removes the message
    lab.js("Plotly.relayout(" + PLOT + ", {'xaxis.range': ['2003-01-01', '2003-01-02']}).then(() => true)")
    lab.wait_until(f"{MESSAGE}.startsWith('nothing is recorded from 2003-01-01 00:00:00')", "the message on the page")
    assert lab.js(STEP) == coarse
    double_click(lab)
    lab.wait_until(f"{MESSAGE} === ''", "an answer")


def test_a_trace_can_be_zoomed_repeatedly(lab):
    lab.show("zoom.ipynb", OPEN.format(str(TRACES)), 'explorer = s.explore("trace_timeline")\nexplorer')
    lab.wait_until(f"{PLOT}?.querySelector('.main-svg')?.clientHeight > 100", "the figure")
    spans = [json.loads(lab.js(AXIS))]
    for _ in range(2):
        before = lab.js(AXIS)
        drag(lab, 0.4, 0.6)
        spans.append(json.loads(drawn_range(lab, before)))
    # the axis counts from the start of the window, which the title of the axis shows
    assert len({title for _, title in spans}) == 3
    assert all(start == 0 for (start, _), _ in spans)
    lab.save_screenshot("explore-trace")
    double_click(lab)
    poll_until(lambda: json.loads(lab.js(AXIS)) == spans[0], "the whole")


def test_magics_run_and_the_tab_key_completes(lab):
    magic = f"%load_ext tracelake\n%tracelake {PROFILE} ephemeral=true"
    sql = (
        "%%tracelake -o slow min_dur=450000000\nselect run, step, dur from step where dur > $min_dur order by dur desc"
    )
    lab.show("magics.ipynb", magic, sql, "print('rows', len(slow) > 0)", "%%tracelake\nselect * from loader_sha")
    texts = "[...document.querySelectorAll('.jp-OutputArea-output')].map(output => output.textContent)"
    lab.wait_until(f"{texts}.some(text => text.trim() === 'rows True')", "variable that -o set")
    tables = lab.js("document.querySelectorAll('.jp-OutputArea-output table').length")
    assert tables >= 1
    lab.wait_until(f"{texts}.some(text => text.includes('did you mean'))", "the error of the last cell")
    assert "tracelake/session.py" not in "".join(lab.js(texts))
    lab.save_screenshot("magics")
    # the tab key after the unfinished name
    lab.js(
        f"(() => {{ const book = {CURRENT}.content; book.activeCellIndex = 3; book.mode = 'edit';"
        " const editor = book.activeCell.editor; editor.focus();"
        " editor.setCursorPosition({line: 1, column: 'select * from loader_sha'.length}); })()"
    )
    for kind in ("keyDown", "keyUp"):
        lab.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
    lab.wait_until(
        f"{CURRENT}.content.activeCell.model.sharedModel.source.includes('loader_share')"
        " || [...document.querySelectorAll('.jp-Completer-item')].some(item => item.textContent.match('loader_share'))",
        "the name that is offered",
    )
    lab.save_screenshot("magics-tab")
