"""Figures and charts that follow a job in a real Jupyter kernel: one output each, with the final state of a run."""

import json
import re
import time
from pathlib import Path

import pytest

import tracelake as tl
from growing_profile import end, system, timeline, write_atomically
from hang_guard import HANG_GUARD_S
from notebook_kernel import PLOTLY, Kernel
from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader, LocalSystemMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]
MINUTES = 5


class Job:
    """A job that writes its profile into a folder, and into a bucket if there is a server."""

    def __init__(self, folder: Path, s3=None):
        self.root = folder / "job" / "profiler-output"
        self.root.mkdir(parents=True)
        self.s3, self.minute = s3, 0
        self.bucket = s3.bucket() if s3 else None

    @property
    def url(self):
        return f"s3://{self.bucket}/job/profiler-output" if self.s3 else str(self.root)

    @property
    def mark(self):
        """The files of the finished job."""
        return str(self.root / "framework" / "training_job_end.ts")

    @property
    def options(self):
        return self.s3.options if self.s3 else {}

    def write_minute(self):
        """Returns one file of measurements, and one timeline of each of two processes."""
        for file in (system(self.minute), timeline(self.minute, 0), timeline(self.minute, 1)):
            self._put(file)
        self.minute += 1

    def end(self):
        end(self.root)
        if self.s3:
            for folder in ("system", "framework"):
                self._put((f"{folder}/training_job_end.ts", ""))

    def _put(self, file):
        write_atomically(self.root, file)
        if self.s3:
            self.s3.client.put_object(Bucket=self.bucket, Key=f"job/profiler-output/{file[0]}", Body=file[1])


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    kernel = Kernel(tmp_path_factory.mktemp("kernel"))
    kernel.run("import os, time, tracelake as tl").wait()
    yield kernel
    kernel.stop()


@pytest.fixture(params=["folder", "s3"])
def job(request, tmp_path):
    return Job(tmp_path, request.getfixturevalue("s3") if request.param == "s3" else None)


def figure_of_ingest(job, name):
    """Returns the figure of all data so far, from a single ingest."""
    with tl.open(job.root, ephemeral=True) as session:
        return session.figure(name)._repr_mimebundle_()[PLOTLY]


def right_end(plot):
    """Returns the right end of the drawing."""
    return max(x for trace in plot["data"] for x in trace.get("x", []) if x is not None)


@pytest.mark.parametrize("name", ["utilization_timeline", "step_timeline"])
def test_a_figure_is_updated_in_place(kernel, job, tmp_path, name):
    job.write_minute()
    cell = kernel.run(f"""
lake = tl.open({str(tmp_path / "lake")!r}, create=True)
figure = lake.live({name!r}, {job.url!r}, every=0.1, options={job.options})
""")
    reached = []
    for _ in range(MINUTES):
        now = figure_of_ingest(job, name)
        cell.wait_until(lambda cell, now=now: cell.displays and kernel.outputs[cell.displays[0]][-1].get(PLOTLY) == now)
        reached.append(right_end(now))
        job.write_minute()
    job.end()
    assert cell.wait().error == ""
    (output,) = cell.displays
    assert reached == sorted(set(reached)), "each minute is drawn behind the last one"
    last = kernel.outputs[output][-1]
    assert last[PLOTLY] == figure_of_ingest(job, name)
    assert last["image/svg+xml"].startswith("<svg ")
    assert kernel.run("print(len(lake.table('step')), lake.run, end='')").wait().text == f"{job.minute * 10} None"


def test_a_loop_updates_several_figures_in_place(kernel, job, tmp_path):
    job.write_minute()
    cell = kernel.run(f"""
lake = tl.open({str(tmp_path / "lake")!r}, create=True)
last = lake.live(["utilization_timeline", "step_timeline"], {job.url!r}, every=0.1, options={job.options})
print(last, end="")
""")
    cell.wait_until(lambda cell: len(cell.displays) == 2)
    for _ in range(2):
        job.write_minute()
    job.end()
    cell.wait()
    assert cell.error == ""
    shown = [kernel.outputs[output][-1][PLOTLY] for output in cell.displays]
    assert shown == [figure_of_ingest(job, name) for name in ("utilization_timeline", "step_timeline")]
    assert re.findall(r"Figure\('(\w+)'", cell.text) == ["utilization_timeline", "step_timeline"]


CHARTS = """
from tracelake.smdebug.profiler import {kind}AlgorithmMetricsReader, {kind}SystemMetricsReader
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
os.environ.update({environment})
system, framework = {kind}SystemMetricsReader({url!r}), {kind}AlgorithmMetricsReader({url!r})
charts = TimelineCharts(system, framework)
heatmap = Heatmap(system)
steps = StepTimelineChart(framework)
values = MetricsHistogram(system)
values.plot()
durations = StepHistogram(framework)
durations.plot()
"""
DASHBOARD = """
over = False
while not over:
    over = os.path.exists({mark!r})
    for chart, reader in (
        (charts, system), (heatmap, system), (values, system), (steps, framework), (durations, framework)
    ):
        reader.refresh_event_file_list()
        chart.update_data(reader.get_timestamp_of_latest_available_file())
    time.sleep(0.1)
"""


def new_charts(root):
    """Returns the same charts of a profile from a new reader."""
    system, framework = LocalSystemMetricsReader(str(root)), LocalAlgorithmMetricsReader(str(root))
    values, durations = MetricsHistogram(system), StepHistogram(framework)
    values.plot()
    durations.plot()
    return [TimelineCharts(system, framework), Heatmap(system), StepTimelineChart(framework), values, durations]


def test_charts_of_the_smdebug_layer_are_updated_in_place(kernel, job, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    job.write_minute()
    kind = "S3" if job.s3 else "Local"
    environment = {f"AWS_{name.upper()}": value for name, value in job.options.items()}
    shown = kernel.run(CHARTS.format(kind=kind, url=job.url, environment=environment)).wait()
    assert shown.error == ""
    assert len(shown.displays) == 5
    first = [kernel.outputs[output][-1][PLOTLY]["data"] for output in shown.displays]
    loop = kernel.run(DASHBOARD.format(mark=job.mark))
    while job.minute < 3:
        job.write_minute()
        loop.wait_until(lambda loop: loop.text.count("Found 12 new system") == job.minute - 1)
    job.end()
    assert loop.wait().error == ""
    assert loop.displays == [], "nothing is shown below the loop"
    drawn = {output: len(kernel.outputs[output]) for output in shown.displays}
    kernel.run(DASHBOARD.format(mark=job.mark)).wait()
    assert drawn == {output: len(kernel.outputs[output]) for output in shown.displays}, "nothing new is not drawn"
    fresh = new_charts(job.root)
    for output, chart, before in zip(shown.displays, fresh, first, strict=True):
        states = kernel.outputs[output]
        assert len(states) > 2
        last = states[-1][PLOTLY]
        assert last["data"] == json.loads(chart.figure.to_json())["data"]
        assert last["data"] != before


@pytest.mark.parametrize("what", ["live", "loop of smdebug"])
def test_an_interrupt_ends_only_the_cell(kernel, tmp_path, what):
    job = Job(tmp_path)
    job.write_minute()
    kernel.run(f"lake = tl.open({str(tmp_path / 'lake')!r}, create=True)").wait()
    live = f"lake.live('step_timeline', {job.url!r}, every={{every}})"
    charts = CHARTS.format(kind="Local", url=job.url, environment={})
    if what == "live":
        # the interrupt ends the wait; the next poll would be after the hang guard of the cell
        cell = kernel.run(live.format(every=1000 * HANG_GUARD_S)).wait_until(lambda cell: cell.displays)
        time.sleep(0.5)  # it waits for the next poll
    else:
        kernel.run(charts).wait()
        cell = kernel.run(DASHBOARD.format(mark=job.mark)).wait_until(lambda cell: cell.text.count("Found 0 new") > 1)
    kernel.interrupt()
    cell.wait()
    assert cell.error == "KeyboardInterrupt"
    job.write_minute()
    job.end()
    again = kernel.run(live.format(every=0.1) + "; print(len(lake.table('step')), end='')").wait()
    assert (again.error, again.text) == ("", "20")
    (output,) = again.displays
    assert kernel.outputs[output][-1][PLOTLY] == figure_of_ingest(job, "step_timeline")
