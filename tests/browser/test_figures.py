"""Checks every figure in a real browser, narrow and wide, light and dark: text is complete and readable."""

import base64
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lab import KEEP, OFFLINE, Browser, require_browser

import tracelake as tl
from kineto_trace import FIGURES as OF_TRACES

TESTS = Path(__file__).parents[1]
DATA = TESTS / "data"
LAYOUT = Path(__file__).with_name("layout.js").read_text()
FIGURES = re.findall(r"^\| `(\w+)`[ ↔]* \|", (TESTS.parent / "docs" / "figures.md").read_text(), flags=re.MULTILINE)
VIEWS = [(1200, "light"), (1200, "dark"), (600, "light"), (600, "dark")]
HOSTILE = [
    "</script><script>document.title='owned'</script>",
    "<img src=x onerror=document.title='owned'>",
    "\u202e\u05e9\u05dc\u05d5\u05dd right to left",
    "W" * 300,
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::FusedAdamMathFunctor<float, 4> >",
]
LONG = "a run <b>of a name that is longer than any label should be, and longer"
UNIT = re.compile(
    r"\d ?(ns|us|ms|s|min|h|%|[kMG]?B|[kMG]?B/s|1/s|GPU-hours|GPU-seconds|steps?|workers?|cores?|times?|launch(es)?"
    r"|batches/s|samples/s|intervals?|calls?)\b|\d ?%|\d(\.\d+)?x\b|distance \d|\d of [\d,]+"
)

# the run and the arguments of a figure; figures without an entry use all runs of the small lake
TRACE = [*OF_TRACES, "rank_comparison"]
SMALL = {
    **{name: {"run": "ddp"} for name in TRACE},
    "step_breakdown": {"run": ["before", "after"]},
    "action_breakdown": {"run": "lightning"},
    "worker_timeline": {"run": "planted"},
    "item_time": {"run": "planted"},
    "function_top": {"run": "job-p"},
    "loader_share": {"run": ["w0", "w2"]},
    "loader_comparison": {"run": ["before", "after"]},
    "loader_scaling": {"run": ["w0", "w2"]},
    "optimize_result": {"run": "search"},
    "roofline": {"run": "ranks8"},
    "rules_balance": {"run": "job-a"},
    "rules_gpu": {"run": "job-a"},
    "comparison": {"a": ["before"], "b": ["after"]},
    "trace_diff": {"run": "ddp", "rank": 1, "base_rank": 0},
    "fleet_trend": {},
    "fleet_waste": {},
}
# 8 ranks, 2 machines with 64 cores and 8 GPUs each, and hostile names
MACHINES = [
    "utilization_heatmap",
    "utilization_timeline",
    "utilization_buckets",
    "rules_usage",
    "rules_balance",
    "rules_gpu",
    "rules_bottleneck",
    "rules_steps",
    "loader_next",
    "loader_workers",
    "step_timeline",
    "step_histogram",
]
LARGE = [
    *[(name, {"run": "ranks8"}) for name in TRACE],
    *[(name, {"run": "cores64"}) for name in MACHINES],
    *[(name, {"run": LONG}) for name in (*TRACE, "step_timeline", "rules_steps", "job_phases")],
    *[(name, {}) for name in ("job_phases", "utilization_heatmap", "loader_workers", "item_time", "loader_share",
                              "idle_breakdown", "loader_scaling", "rules_steps", "kernel_top", "function_top")],
]  # fmt: skip


def hostile(path: Path) -> Path:
    """Writes a trace with hostile names."""
    start, events = 1_600_000_000_000_000, []

    def add(category, name, ts, dur, tid=7, **args):
        event = {"ph": "X", "cat": category, "name": name, "ts": ts, "dur": dur, "pid": 7, "tid": tid}
        events.append({**event, "args": args} if args else event)

    for step in range(12):
        ts = start + step * 20_000
        add("user_annotation", f"ProfilerStep#{step}", ts, 19_000)
        for n, name in enumerate(HOSTILE):
            begin, correlation = ts + 100 + 2_000 * n, 100 * step + n
            add("cpu_op", name, begin, 500)
            add("cuda_runtime", "cudaLaunchKernel", begin + 50, 50, correlation=correlation)
            add("kernel", name, begin + 200, 1_000, device=0, stream=7, correlation=correlation)
    path.mkdir()
    trace = {"schemaVersion": 1, "deviceProperties": [], "traceEvents": events}
    (path / "rank0.1600000000000.pt.trace.json").write_text(json.dumps(trace))
    return path


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    cluster = "--minutes 1 --steps 60 --cores 64 --gpus 8 --nodes 2 --ranks 4 --submodules 2 --modes 1"
    for generator, out, arguments in [
        ("kineto", "ranks8", "--ranks 8 --steps 4 --shapes"),
        ("sagemaker", "cores64", cluster),
    ]:
        command = [sys.executable, str(TESTS / "gen" / f"{generator}.py"), "--out", out, *arguments.split()]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
    runs = {
        "first_look": DATA / "first_look" / "profiler-output",
        "before": DATA / "before_after" / "before",
        "after": DATA / "before_after" / "after",
        "ddp": DATA / "pytorch_ddp",
        "job-a": DATA / "golden" / "job-a",
        "job-p": DATA / "golden" / "job-p",
        "lightning": DATA / "lightning" / "advanced",
        **{run: DATA / "recorder" / run for run in ("search", "planted", "w0", "w2")},
        "ranks8": folder / "ranks8",
        "cores64": folder / "cores64",
        LONG: hostile(folder / "hostile"),
    }
    with tl.open(folder / "lake", create=True) as session:
        for run, path in runs.items():
            session.ingest(path, run=run)
        yield session


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """A browser that can only open files."""
    require_browser()
    one = Browser(tmp_path_factory.mktemp("browser"), "--hide-scrollbars", *OFFLINE)
    for domain in ("Page", "Runtime", "Log"):
        one.call(f"{domain}.enable")
    yield one
    one.stop()


@pytest.fixture(scope="module")
def page(browser, lake, tmp_path_factory):
    """A page that replaces its figure for each test, so that plotly.js is loaded once."""
    file = tmp_path_factory.mktemp("page") / "page.html"
    lake.figure("job_phases", run="first_look").to_html(file)
    browser.call("Page.navigate", url=file.as_uri())
    browser.wait_until("!!document.querySelector('.main-svg')", "the page")
    browser.js("document.body.style.maxWidth = 'none', document.querySelector('h1').remove()")
    return browser


def find_problems(page, figure, name):
    """Returns the problems of a figure in all sizes and themes."""
    html = figure.to_html()
    part = html[html.rindex('<div id="figure-') : html.rindex("</body>")]
    page.events.clear()
    page.call("Emulation.setDeviceMetricsOverride", width=1200, height=900, deviceScaleFactor=1, mobile=False)
    page.js(
        "document.querySelectorAll('.tracelake-figure, body script').forEach(old => old.remove()), "
        f"document.body.append(document.createRange().createContextualFragment({json.dumps(part)})), true"
    )
    wrong = []
    for width, scheme in VIEWS:
        page.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
        plot = "document.querySelector('.js-plotly-plot')"
        fits = f"{plot}.querySelector('.main-svg').clientWidth === {plot}.clientWidth && {plot}.clientWidth < {width}"
        page.wait_until(f"!!({plot} && {fits})", f"{name} at {width}")
        # changes of the color scheme appear with the next frame
        page.js("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        wrong += [f"{width} {scheme}: {what}" for what in page.js(f"({LAYOUT})({plot})")]
        if page.js("document.documentElement.scrollWidth") > width:
            wrong.append(f"{width} {scheme}: wider than the page")
        if KEEP:
            Path(KEEP).mkdir(parents=True, exist_ok=True)
            shot = page.call("Page.captureScreenshot", captureBeyondViewport=True)
            (Path(KEEP) / f"figure-{name}-{width}-{scheme}.png").write_bytes(base64.b64decode(shot["data"]))
    for event in page.events:
        is_message = event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning")
        if is_message or event["method"] in ("Runtime.exceptionThrown", "Log.entryAdded"):
            wrong.append(json.dumps(event["params"])[:300])
    return "\n".join(wrong)


def traces_without_unit(plot):
    """Returns the traces without a unit in their hover text."""
    messages = []
    for trace in plot["data"]:
        if trace.get("hoverinfo") == "skip" or not (trace.get("x") or trace.get("values") or trace.get("z")):
            continue
        texts = json.dumps([trace.get(key) for key in ("hovertext", "text", "customdata")], ensure_ascii=False)
        if "hovertemplate" not in trace:
            messages.append(f"{trace.get('type')} {trace.get('name')} has no template")
        elif not UNIT.search(texts) and not re.search(r"} (%|ms|s|us|GB|kB|MB|ns|1/s)", trace["hovertemplate"]):
            messages.append(f"{trace.get('type')} {trace.get('name')}: {texts[:200]}")
    return messages


def test_every_figure_is_tested(lake):
    assert set(SMALL) < set(FIGURES) == set(lake.figures())


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_renders_in_all_themes(page, lake, name):
    figure = lake.figure(name, **SMALL.get(name, {"run": "first_look"}))
    plot = json.loads(figure.to_json())
    assert plot["data"], "nothing was drawn"
    assert traces_without_unit(plot) == []
    title = re.sub(r"<[^>]*>", " ", plot["layout"]["title"]["text"])
    assert re.search(r"\d", title), title
    assert not find_problems(page, figure, name)


@pytest.mark.parametrize(("name", "arguments"), LARGE, ids=lambda value: str(value)[:24])
def test_a_large_figure_renders_in_all_themes(page, lake, name, arguments):
    figure = lake.figure(name, **arguments)
    plot = json.loads(figure.to_json())
    if not plot["data"]:
        pytest.skip("this run has nothing of it")
    run = arguments.get("run", "all")
    assert not find_problems(page, figure, f"{name}-{'long' if run == LONG else run}")


@pytest.mark.parametrize("name", sorted(set(FIGURES) - {"comparison", "fleet_trend", "fleet_waste", "trace_diff"}))
def test_an_empty_figure_says_what_to_record(page, lake, name):
    figure = lake.figure(name, run="lightning" if name != "action_breakdown" else "first_look")
    if json.loads(figure.to_json())["data"]:
        pytest.skip("this run has it")
    words = json.loads(figure.to_json())["layout"]["annotations"][0]["text"]
    assert len(words.split()) > 10, words
    assert not find_problems(page, figure, f"{name}-empty")
