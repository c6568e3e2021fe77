"""Reports in a real browser without network: drawing, sorting, print, phone and dark mode."""

import base64
import json
from pathlib import Path

import pytest
from lab import KEEP, OFFLINE, PLOTS, Browser, require_browser

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
COLUMN = "[...document.querySelectorAll('#rows-{query} tbody tr')].map(row => row.cells[{column}].textContent)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser that can only open files."""
    require_browser()
    one = Browser(tmp_path_factory.mktemp("browser"), "--window-size=1200,900", *OFFLINE)
    for domain in ("Page", "Runtime", "Log", "Network"):
        one.call(f"{domain}.enable")
    yield one
    one.stop()


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    with tl.open(tmp_path_factory.mktemp("lake") / "lake", create=True) as session:
        session.ingest(DATA / "first_look" / "profiler-output", run="first_look")
        for run in ("before", "after"):
            session.ingest(DATA / "before_after" / run, run=run)
        session.ingest(DATA / "pytorch_ddp", run="pytorch_ddp")
        yield session


@pytest.fixture
def show(browser, tmp_path):
    """Opens a report, checks it in all modes, leaves it open, and returns the browser."""

    def show(name, report):
        file = tmp_path / f"{name}.html"
        report.save(file)
        browser.events.clear()
        browser.call("Emulation.setEmulatedMedia", media="", features=[])
        size(browser, 1200)
        browser.call("Page.navigate", url=file.as_uri())
        browser.wait_until("document.readyState === 'complete'", name)
        count = report.html.count('class="tracelake-figure"')
        browser.wait_until(f"{PLOTS}.length === {count}", f"{count} figures of {name}")
        folder = Path(KEEP) if KEEP else tmp_path
        folder.mkdir(parents=True, exist_ok=True)
        for width, scheme in [(1200, "light"), (1200, "dark"), (600, "light"), (600, "dark")]:
            browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            size(browser, width)
            browser.wait_until(f"{PLOTS}.length === {count}", f"{count} figures of {name} at {width}")
            browser.wait_until(
                f"{PLOTS}.every(plot => plot.getBoundingClientRect().right <= innerWidth)", "figures that fit"
            )
            assert browser.js(OVERFLOW) <= 0, f"{name} is wider than {width}"
            shot = browser.call("Page.captureScreenshot", captureBeyondViewport=True)
            (folder / f"report-{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
        browser.call("Emulation.setEmulatedMedia", features=[])
        paper = browser.call("Page.printToPDF", printBackground=True, preferCSSPageSize=True)
        (folder / f"report-{name}.pdf").write_bytes(base64.b64decode(paper["data"]))
        size(browser, 1200)
        check_no_messages(browser, file)
        return browser

    return show


def size(browser, width):
    browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)


def check_no_messages(browser, file):
    """Checks that there was no console message, and no request but the file."""
    for event in browser.events:
        assert event["method"] not in ("Runtime.exceptionThrown", "Log.entryAdded"), event
        if event["method"] == "Runtime.consoleAPICalled":
            assert event["params"]["type"] not in ("error", "warning", "assert"), event
        if event["method"] == "Network.requestWillBeSent":
            url = event["params"]["request"]["url"]
            assert url.split("#")[0] == file.as_uri() or url.startswith(("data:", "blob:")), url


def column(browser, query, number):
    return browser.js(COLUMN.format(query=query, column=number))


def test_a_report_shows_a_run(show, lake):
    page = show("run", lake.report("first_look"))
    table = "document.querySelector('#rows-utilization_summary')"
    headings = page.js(f"[...{table}.querySelectorAll('th')].map(heading => heading.textContent)")
    place = headings.index("mean")
    click = f"{table}.querySelectorAll('th button')[{place}].click()"
    values = f"[...{table}.querySelectorAll('tbody tr')].map(row => +row.cells[{place}].dataset.v)"
    unsorted = page.js(values)
    page.js(click)
    assert page.js(values) == sorted(unsorted) != unsorted
    page.js(click)
    assert page.js(values) == sorted(unsorted, reverse=True)
    # texts are sorted as texts, and a link to SQL opens it
    page.js(f"{table}.querySelectorAll('th button')[{headings.index('resource')}].click()")
    words = column(page, "utilization_summary", headings.index("resource"))
    assert words == sorted(words)
    assert not page.js("document.getElementById('sql-utilization_summary').open")
    page.js("document.querySelector('#rows-utilization_summary a.sql').click()")
    page.wait_until("document.getElementById('sql-utilization_summary').open", "the SQL to open")


def test_a_report_shows_a_run_of_a_trace(show, lake):
    show("trace", lake.report("pytorch_ddp"))


def test_a_report_shows_a_comparison(show, lake):
    show("comparison", lake.report("before", "after"))


def test_a_report_shows_a_fleet(show, lake):
    page = show("fleet", lake.report())
    link = page.js("document.querySelector('#rows-fleet_waste a[href^=\"#run-\"]').getAttribute('href')")
    assert page.js(f"document.querySelector('{link}').closest('#rows-fleet_runs') !== null")


def test_names_from_profiles_stay_text(show, tmp_path):
    hostile = [
        "</script><script>document.title='owned'</script>",
        "<img src=x onerror=document.title='owned'>",
        "\"quoted\" 'and' `ticked`",
        "two\nlines",
        "\u202e\u05e9\u05dc\u05d5\u05dd right to left",
        "x" * 10_000,
    ]
    start = 1_600_000_000_000_000
    events = []
    for step in range(30):
        ts = start + step * 20_000
        mark = {"ph": "X", "cat": "user_annotation", "name": f"ProfilerStep#{step}", "ts": ts, "dur": 19_000}
        events.append({**mark, "pid": 7, "tid": 7})
        for n, name in enumerate(hostile):
            begin = ts + 100 + 2_000 * n
            events.append({"ph": "X", "cat": "cpu_op", "name": name, "pid": 7, "tid": 7, "ts": begin, "dur": 500})
            kernel = {"ph": "X", "cat": "kernel", "name": name, "pid": 0, "tid": 7, "ts": begin + 200, "dur": 1_000}
            events.append({**kernel, "args": {"device": 0, "stream": 7}})
    file = tmp_path / "rank0.1600000000000.pt.trace.json"
    file.write_text(json.dumps({"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}))
    with tl.open(tmp_path / "lake", create=True) as session:
        run = "<img src=x onerror=document.title='owned'> \u202e\u05e9"
        session.ingest(file, run=run)
        page = show("hostile", session.report(run))
        assert page.js("document.title") == run
        assert page.js("document.querySelectorAll('main img, h1 img').length") == 0
        cells = page.js("[...document.querySelectorAll('#rows-kernel_summary td')].map(cell => cell.textContent)")
        # characters that change the text direction are shown as escapes
        assert {name.replace("\u202e", "\\u{202e}") for name in hostile} <= set(cells)
        show("hostile-lake", session.report())
