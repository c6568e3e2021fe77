"""A profile on a real S3 server in `tracelake.smdebug`: the number of requests, and equal results."""

import shutil
from collections import Counter

import pandas as pd
import pytest

import tracelake as tl
from s3_server import free_ports
from tracelake.smdebug.profiler import (
    LocalAlgorithmMetricsReader,
    LocalSystemMetricsReader,
    S3AlgorithmMetricsReader,
    S3SystemMetricsReader,
)
from tracelake.smdebug.profiler.analysis.notebook_utils.heatmap import Heatmap
from tracelake.smdebug.profiler.analysis.notebook_utils.metrics_histogram import MetricsHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_histogram import StepHistogram
from tracelake.smdebug.profiler.analysis.notebook_utils.step_timeline_chart import StepTimelineChart
from tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts import TimelineCharts
from tracelake.smdebug.profiler.analysis.python_profile_analysis import PyinstrumentAnalysis, cProfileAnalysis
from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline
from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from tracelake.smdebug.profiler.analysis.utils.pytorch_dataloader_analysis import PT_dataloader_analysis

pytestmark = pytest.mark.slow

PREFIX = "jobs/job 1+x/profiler-output"
LATE = 2**53
STATS = {"python_stats", "python_stats.json", "python_stats.html"}


@pytest.fixture(scope="module")
def generated(generate):
    """A complete profile: two nodes, loaders, GPUs, Python profiles, and files of other kinds."""
    folder = generate(nodes=2, ranks=1, steps=30, minutes=2, pystats=1)
    (folder / "notes.txt").write_text("not of the profiler")
    return folder


@pytest.fixture(scope="module")
def bucket(s3, generated):
    name = s3.bucket()
    s3.upload(generated, name, PREFIX)
    return name


@pytest.fixture
def signed_in(s3, monkeypatch, tmp_path):
    """Sets the server's options in the environment, and a separate default lake."""
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    del s3.requests[:]


@pytest.fixture
def url(bucket, signed_in):
    del signed_in
    return f"s3://{bucket}/{PREFIX}"


def request_counts(s3, bucket):
    """Returns the number of requests per object of the bucket."""
    counts = Counter(request.path for request in s3.requests if request.fetches_an_object)
    return Counter({path.removeprefix(f"/{bucket}/"): count for path, count in counts.items() if bucket in path})


def listing_count(s3):
    """Returns the number of listings of the profile; the first open also checks for a lake."""
    prefixes = [request.query["prefix"][0] for request in s3.requests if "list-type" in request.query]
    assert sum(prefix.endswith("/_manifest/") for prefix in prefixes) <= len(prefixes) / 2
    return sum(not prefix.endswith("/_manifest/") for prefix in prefixes)


def frames(path):
    """Returns all frames."""
    frame = PandasFrame(path)
    return [
        frame.get_all_system_metrics(),
        frame.get_all_framework_metrics(),
        frame.get_all_dataloader_metrics(),
        *frame.get_profiler_data_by_step(2, 9),
        *frame.get_profiler_data_by_time(frame.start_time + 50_000_000, frame.start_time + 55_000_000),
    ]


def everything(path, folder, system_reader, framework_reader):
    """Returns the results that a notebook requests, and more."""
    frames(path)
    frames(path)
    PT_dataloader_analysis(PandasFrame(path)).analyze_batchtime()
    system, framework = system_reader(path), framework_reader(path)
    system.get_events(0, LATE)
    framework.get_events(0, LATE)
    framework.get_events_by_step(2, 4)
    TimelineCharts(system, framework, select_dimensions=["CPU"], select_events=["total"])
    Heatmap(system)
    MetricsHistogram(system).plot()
    StepHistogram(framework).plot()
    StepTimelineChart(framework)
    MergedTimeline(path, output_directory=str(folder)).merge_timeline(0, LATE)


def test_an_object_is_fetched_once(s3, bucket, url, generated, tmp_path):
    folder = tmp_path / "copies"
    folder.mkdir()
    everything(url, folder, S3SystemMetricsReader, S3AlgorithmMetricsReader)
    counts = request_counts(s3, bucket)
    files = {f"{PREFIX}/{file.relative_to(generated).as_posix()}" for file in generated.rglob("*") if file.is_file()}
    ours = {key for key in files if not key.endswith((".html", ".ts"))}  # HTML and the mark have it in their names
    assert counts == Counter(dict.fromkeys(ours, 1)), "also what turned out to be nothing"

    for analysis in (cProfileAnalysis, PyinstrumentAnalysis):
        for _ in range(2):
            profiles = analysis(local_profile_dir=str(folder), s3_path=url)
            assert len(profiles.list_profile_stats())
            assert profiles.fetch_pre_step_zero_profile_stats()
    copies = {key for key in files if key.rsplit("/", 1)[-1] in STATS}
    assert any(key.endswith(".html") for key in copies)
    again = Counter(dict.fromkeys(ours, 1)) + Counter(dict.fromkeys(copies, 1))
    assert request_counts(s3, bucket) == again, (
        "only the files of Python profiles, which are handed out as files, once more"
    )
    everything(url, folder, S3SystemMetricsReader, S3AlgorithmMetricsReader)
    assert request_counts(s3, bucket) == again, "the lake outlives the objects that were made of it"
    for key in copies:
        parts = key.split("/")
        assert (folder / "python_stats" / "/".join(parts[-3:])).read_bytes() == s3.objects(bucket, key)[key]


def test_a_call_lists_once(s3, url):
    frame = PandasFrame(url)
    assert listing_count(s3) == 1
    calls = [
        (frame.get_all_system_metrics, 1),
        (frame.get_all_framework_metrics, 1),
        (lambda: frame.get_profiler_data_by_time(0, LATE), 1),
        (lambda: PT_dataloader_analysis(frame), 1),
    ]
    for call, most in calls:
        del s3.requests[:]
        call()
        assert 0 < listing_count(s3) <= most
        assert len(s3.requests) == listing_count(s3), "nothing else was asked for"


def test_a_listing_has_a_thousand_keys(s3, generated, signed_in, tmp_path):
    del signed_in
    many = shutil.copytree(generated / "system", tmp_path / "many/profiler-output/system").parent
    line = '{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":1.0,"NodeId":"algo-1","Timestamp":%d.5}\n'
    folder = next((many / "system/incremental").iterdir())
    for minute in range(1_600_010_020, 1_600_010_020 + 60 * 1005, 60):
        (folder / f"{minute}.algo-1.json").write_text(line % minute)
    bucket = s3.bucket()
    url = s3.upload(many, bucket, "many/profiler-output")
    del s3.requests[:]
    frame = PandasFrame(url)
    assert listing_count(s3) == 2
    assert set(request_counts(s3, bucket).values()) == {1}
    system = frame.get_all_system_metrics()
    assert listing_count(s3) == 4
    assert sum(system["value"] == 1.0) >= 1005


def test_frames_equal_those_of_the_folder(url, generated):
    for remote, local in zip(frames(url), frames(generated), strict=True):
        assert len(local)
        pd.testing.assert_frame_equal(remote, local)
    measured = ["type", "name", "dimension", "value", "node_id", "timestamp"]
    readers = S3SystemMetricsReader(url), LocalSystemMetricsReader(generated)
    remote, local = (as_rows(reader, measured) for reader in readers)
    assert remote == local
    attributes = ["event_name", "event_phase", "start_time", "duration", "event_args", "node_id", "tid"]
    readers = S3AlgorithmMetricsReader(url), LocalAlgorithmMetricsReader(generated)
    remote, local = (as_rows(reader, attributes) for reader in readers)
    assert len(local) > 100
    assert remote == local


def as_rows(reader, attributes):
    """Returns all events of a reader."""
    return [[getattr(event, name) for name in attributes] for event in reader.get_events(0, LATE)]


def test_only_new_files_are_fetched(s3, generated, signed_in):
    del signed_in
    bucket = s3.bucket()
    url = s3.upload(generated, bucket, "p/profiler-output")
    last = max(key for key in s3.objects(bucket) if "/system/incremental/" in key)
    body = s3.objects(bucket, last)[last]
    s3.client.delete_object(Bucket=bucket, Key=last)
    frame = PandasFrame(url)
    before = frame.get_all_system_metrics()
    s3.client.put_object(Bucket=bucket, Key=last, Body=body)
    del s3.requests[:]
    assert len(frame.get_all_system_metrics()) == len(before) + body.count(b"\n")
    assert request_counts(s3, bucket) == {last: 1}


@pytest.mark.parametrize("case", ["wrong secret", "wrong key", "endpoint down", "no such bucket"])
def test_no_secret_is_printed_or_logged(s3, url, tmp_path, monkeypatch, capfd, caplog, case):
    (down,) = free_ports(1)
    changed = {
        "wrong secret": ("AWS_SECRET_ACCESS_KEY", "wrong-" + s3.secret),
        "wrong key": ("AWS_ACCESS_KEY_ID", "wrong-" + s3.key),
        "endpoint down": ("AWS_ENDPOINT", f"http://127.0.0.1:{down}"),
    }
    if case in changed:
        monkeypatch.setenv(*changed[case])
    else:
        url = "s3://no-such-bucket-here/profiler-output"
    texts = []
    calls = [
        PandasFrame,
        S3SystemMetricsReader,
        S3AlgorithmMetricsReader,
        lambda path: MergedTimeline(path, output_directory=str(tmp_path)).merge_timeline(0, LATE),
        lambda path: cProfileAnalysis(local_profile_dir=str(tmp_path), s3_path=path),
    ]
    for call in calls:
        if case in changed:
            with pytest.raises((tl.errors.DeniedError, tl.errors.UnreachableError)) as caught:
                call(url)
            texts += [str(caught.value), repr(caught.value)]
            assert url.split("/")[2] in texts[-1], "it says what could not be read"
        else:
            call(url)  # a profile that does not exist yet
    printed = capfd.readouterr()
    texts += [printed.out, printed.err, caplog.text]
    if case not in changed:
        assert "no profile yet" in caplog.text
    for text in texts:
        for secret in (s3.secret, s3.key, "Signature=", "X-Amz-Signature"):
            assert secret not in text
