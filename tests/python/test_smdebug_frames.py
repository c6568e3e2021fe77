"""Frames of `tracelake.smdebug`: compared with a plain reader of the files, and improvements over smdebug."""

import contextlib
import gzip
import io
import json
import logging
import re
import shutil
import subprocess
import sys
import time
from datetime import datetime, timedelta, timezone
from types import ModuleType

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from hang_guard import run_guarded
from tracelake.smdebug import _column, _interval
from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader, utils
from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import (
    JobStats,
    PandasFrameAnalysis,
    Resource,
    StatsBy,
)
from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from tracelake.smdebug.profiler.analysis.utils.pytorch_dataloader_analysis import PT_dataloader_analysis

pytestmark = pytest.mark.slow

MINUTE = 1_600_000_200  # the minute of the first file of system metrics, in s
TEXT = pd.Series(["text"]).dtype
TRAIN, EVAL = "Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL"


class ProfileBuilder:
    """Builds a profile from single lines."""

    def __init__(self, root):
        self.root = root

    def write(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def system(self, *lines, name=f"{MINUTE}.algo-1.json"):
        """Adds lines as texts, or samples as pairs of seconds after the minute and value, with optional keys."""
        texts = [line if isinstance(line, str) else json.dumps(sample(*line)) for line in lines]
        self.write(f"system/incremental/2020091312/{name}", "".join(f"{text}\n" for text in texts))
        return self

    def timeline(self, *events, name=f"{MINUTE + 50}000000_1-algo-1_pythontimeline.json", phases=(TRAIN, EVAL)):
        """Adds events in us after the minute; phase i + 1 has the i-th name."""
        start = {"start_time_since_epoch_in_micros": MINUTE * 1_000_000}
        lines = [{"name": "process_name", "ph": "M", "pid": 0, "args": start}]
        lines += [{"name": "process_name", "ph": "M", "pid": i, "args": {"name": p}} for i, p in enumerate(phases, 1)]
        text = ",\n".join(json.dumps(line) for line in [*lines, *events])
        self.write(f"framework/pevents/2020091312/{name}", f"[\n{text}\n]\n")
        return self

    def frame(self, **options):
        return PandasFrame(str(self.root), **options)


def sample(seconds, value, **keys):
    known = {"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "Value": value, "NodeId": "algo-1"}
    return {**known, "Timestamp": MINUTE + seconds, **keys}


def interval(name, ts, dur, phase=1, **args):
    return {"name": name, "ph": "X", "pid": phase, "ts": ts, "dur": dur, "args": args}


def step(number, ts, dur, phase=1):
    return interval([TRAIN, EVAL][phase - 1], ts, dur, phase, step_num=str(number), pid=7)


@pytest.fixture
def builder(tmp_path):
    """An empty profile; its folder and its run have the name of the test."""
    return ProfileBuilder(tmp_path / tmp_path.name / "profiler-output")


@pytest.fixture(scope="module")
def job(generate):
    """A job of two nodes with two ranks each."""
    return generate(nodes=2, ranks=2, steps=40, minutes=2, submodules=3, modes=1)


def captured_output(call):
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        result = call()
    return text.getvalue(), result


# Against the files, read line by line


def lines_of(job, pattern):
    """Yields files in the order of their times and names, each as its objects."""
    for path in sorted(job.rglob(pattern), key=lambda path: (int(re.split("[._]", path.name)[0]), str(path))):
        text = path.read_text().strip()
        yield path, json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def format_time(us):
    return (datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=us)).strftime("%Y-%m-%dT%H:%M:%S:%f")


def expected_system(job):
    first = min(int(path.name[:10]) for path in job.rglob("system/incremental/*/*.json")) * 1_000_000
    for _, samples in lines_of(job, "system/incremental/*/*.json"):
        for line in samples:
            us = int(line["Timestamp"] * 1_000_000)
            names = (line["Name"], line["Dimension"], line["NodeId"], line["Type"])
            yield (format_time(us), us - first, line["Value"], *names)


def expected_framework(job):
    first = min(int(path.name[:10]) for path in job.rglob("system/incremental/*/*.json")) * 1_000_000
    for path, events in lines_of(job, "*_pythontimeline.json"):
        number, host = path.name.split("_")[1].split("-", 1)
        phases, offset = {}, 0
        for event in events:
            args = event.get("args", {})
            if event["ph"] == "M":
                offset = args.get("start_time_since_epoch_in_micros", offset)
                phases.update({event["pid"]: args["name"]} if "name" in args else {})
                continue
            start, end = event["ts"] + offset, event["ts"] + offset + event["dur"]
            name = args.get("layer_name", args.get("name", event["name"]))
            known = (args.get("pid", event["pid"]), name, int(args.get("step_num", -1)), args.get("bytes_fetched", -1))
            places = (phases[event["pid"]], f"{host}-{number}")
            yield (format_time(start), format_time(end), start - first, end - first, *known, *places)


def test_system_metrics_equal_the_lines_of_the_files(job):
    actual = PandasFrame(job).get_all_system_metrics()
    assert actual.to_numpy().tolist() == [list(row) for row in expected_system(job)]
    assert actual.index.equals(pd.RangeIndex(len(actual)))
    types = {**dict.fromkeys(actual.columns, TEXT), "timestamp_us": "int64", "value": "float64"}
    assert actual.dtypes.to_dict() == {name: pd.api.types.pandas_dtype(kind) for name, kind in types.items()}


def test_framework_metrics_equal_the_events_of_the_files(job):
    actual = PandasFrame(job).get_all_framework_metrics()
    assert len(actual) > 1000
    expected = [list(row) for row in expected_framework(job)]
    assert actual.drop(columns="tid").to_numpy().tolist() == expected
    assert actual["tid"].dtype == "int64"
    whole = ["start_time_us", "end_time_us", "tid", "pid", "step", "bytes"]
    assert actual.dtypes[whole].eq("int64").all()
    assert actual.dtypes.drop(whole).eq(TEXT).all()


def test_loader_metrics_are_selected_by_pattern(job):
    actual = PandasFrame(job).get_all_dataloader_metrics(["^DataLoader(?!Worker)", "Step:.*EVAL$"])
    everything = PandasFrame(job).get_all_framework_metrics()
    hit = everything["framework_metric"].str.contains(r"^DataLoader(?!Worker)|EVAL$", regex=True)
    hit |= everything["process"].str.contains(r"^DataLoader(?!Worker)|EVAL$", regex=True)
    expected = everything[hit].reset_index(drop=True)
    same = ["start_time", "end_time", "start_time_us", "end_time_us", "pid", "framework_metric", "step", "process"]
    pd.testing.assert_frame_equal(actual[same], expected[same])
    assert actual["node_id"].tolist() == expected["nodeID"].tolist()
    assert (actual["duration_us"] == actual["end_time_us"] - actual["start_time_us"]).all()
    assert actual.index.equals(pd.RangeIndex(len(actual)))
    assert set(actual["process"]) == {"DataLoaderIter", "DataLoaderIterInitialize", EVAL}
    assert PandasFrame(job).get_all_dataloader_metrics(["nothing is called so"]).shape == (0, 13)


def test_arguments_of_loaders_are_columns(builder):
    arguments = {"worker_id": 3, "num_workers": 4, "pin_memory": True, "layer_name": "L", "bytes_fetched": 9}
    builder.timeline(
        interval("a", 5, 1, **arguments), interval("b", 6, 1, pin_memory=False), interval("c", 7, 1)
    ).system()
    actual = builder.frame().get_all_dataloader_metrics()
    assert actual[["framework_metric", "worker_id", "num_workers", "pin_memory"]].to_numpy().tolist() == [
        ["L", 3, 4, "True"],
        ["b", -1, -1, "False"],
        ["c", -1, -1, "NA"],
    ]
    assert builder.frame().get_all_framework_metrics()["bytes"].tolist() == [9, -1, -1]


def test_a_time_range_has_everything_that_overlaps_it(job):
    frame = PandasFrame(job)
    system, framework = frame.get_all_system_metrics(), frame.get_all_framework_metrics()
    low, high = 50_000_000, 51_500_000
    actual = frame.get_profiler_data_by_time(frame.start_time + low, frame.start_time + high)
    expected = (
        system[system["timestamp_us"].between(low, high)],
        framework[(framework["end_time_us"] >= low) & (framework["start_time_us"] <= high)],
    )
    for ours, theirs in zip(actual, expected, strict=True):
        assert len(ours) > 10
        pd.testing.assert_frame_equal(ours, theirs.reset_index(drop=True))
    selected = frame.get_profiler_data_by_time(
        frame.start_time + low,
        frame.start_time + high,
        selected_framework_metrics=[TRAIN],
        selected_system_metrics=["cpu0"],
    )
    assert set(selected[0]["system_metric"]) == {"cpu0"}
    assert set(selected[1]["process"]) == {TRAIN}
    none = frame.get_profiler_data_by_time(frame.start_time, float("inf"), get_framework_metrics=False)
    assert [part.shape for part in none] == [system.shape, (0, 11)]
    now = frame.get_profiler_data_by_time(0, time.time() * 1_000_000, get_system_metrics=False)
    assert [part.shape for part in now] == [(0, 7), framework.shape]


def test_cached_ranges_add_up_to_each_row_once(job):
    frame = PandasFrame(job)
    begin = frame.start_time + 50_000_000
    first = frame.get_profiler_data_by_time(begin, begin + 2_000_000, cache_metrics=True)
    both = frame.get_profiler_data_by_time(begin + 1_000_000, begin + 3_000_000, cache_metrics=True)
    whole = frame.get_profiler_data_by_time(begin, begin + 3_000_000)
    for one, two, all_ in zip(first, both, whole, strict=True):
        assert len(one) < len(two) == len(all_)
        columns = list(all_.columns)
        pd.testing.assert_frame_equal(
            two.sort_values(columns, ignore_index=True), all_.sort_values(columns, ignore_index=True)
        )
        pd.testing.assert_frame_equal(two[: len(one)], one)


def test_options_without_effect_change_nothing(job):
    once, often = PandasFrame(job), PandasFrame(job, use_in_memory_cache=True, scan_interval=1_000_000)
    pd.testing.assert_frame_equal(once.get_all_framework_metrics(), often.get_all_framework_metrics())
    steps = once.get_all_framework_metrics([TRAIN])
    windows = steps["start_time"].tolist(), steps["end_time"].tolist()
    call = "get_framework_metrics_by_begin_and_end_timesteps"
    assert getattr(once, call)(*windows) == getattr(often, call)(*windows)
    times = once.get_all_system_metrics(["gpu0"])["timestamp"].tolist()
    assert once.get_framework_metrics_by_timesteps(times) == often.get_framework_metrics_by_timesteps(times)


# Cases that smdebug loses or that crash it


def test_repeated_lines_stay(builder):
    event = interval("a", 5, 1)
    builder.system((1, 2.0), (1, 2.0)).timeline(event, event)
    assert len(builder.frame().get_all_system_metrics()) == 2
    assert len(builder.frame().get_all_framework_metrics()) == 2


def test_no_row_is_lost_because_of_its_time(builder):
    builder.system((-0.5, 1.0), (1, 2.0)).timeline(step(0, -5_000_000, 10), step(1, 51_000_000, 10))
    assert builder.frame().get_all_system_metrics()["timestamp_us"].tolist() == [-500_000, 1_000_000]
    assert builder.frame().get_all_framework_metrics()["step"].tolist() == [0, 1]


def test_without_system_metrics_times_are_absolute(builder):
    builder.timeline(step(0, 5, 10))
    actual = run_guarded(lambda: builder.frame().get_all_framework_metrics())
    assert actual["start_time_us"].tolist() == [MINUTE * 1_000_000 + 5]


def test_a_malformed_line_does_not_affect_others(builder):
    builder.system((1, 1.0), '{"Type": "cpu", "Na', (2, 2.0), '{"Type": "cpu"}', (3, 3.0))
    assert builder.frame().get_all_system_metrics()["value"].tolist() == [1.0, 2.0, 3.0]
    no_dur = {"name": "a", "ph": "X", "pid": 1, "ts": 5}
    end = {"ph": "E", "pid": 1, "ts": 9}
    begin = {"name": "b", "ph": "B", "pid": 1, "ts": 7}
    builder.timeline(no_dur, begin, end, end, interval("c", 20, 1, step_num="x"))
    actual = builder.frame().get_all_framework_metrics()
    assert actual[["framework_metric", "start_time_us", "end_time_us", "step"]].to_numpy().tolist() == [
        ["b", 7, 9, -1],
        ["c", 20, 21, -1],
    ]


def test_a_truncated_timeline_is_read(builder):
    builder.system().timeline(step(0, 5, 10), step(1, 20, 10))
    path = next(builder.root.rglob("*timeline.json"))
    path.write_text(path.read_text().rstrip().rstrip("]"))
    assert builder.frame().get_all_framework_metrics()["step"].tolist() == [0, 1]


def test_file_names_give_node_and_time(builder):
    builder.system((1, 1.0)).system((2, 2.0), name=f"{MINUTE}.algo-1.json.tmp").system((3, 3.0), name="abc.json")
    assert sorted(builder.frame().get_all_system_metrics()["value"]) == [1.0, 3.0]
    builder.timeline(step(0, 5, 10), name="123-pythontimeline.json")
    builder.timeline(step(1, 5, 10), name=f"{MINUTE + 50}000000_1-algo-1_foo_timeline.json")
    assert sorted(builder.frame().get_all_framework_metrics()["step"]) == [0, 1]


def test_rows_are_ordered_by_parser(builder):
    names = ["smdataparallel_timeline", "horovod_timeline", "model_timeline", "pythontimeline"]
    for i, name in enumerate(names):
        builder.timeline(step(i, 5, 10), name=f"{MINUTE + 50 + i}000000_1-algo-1_{name}.json")
    assert builder.system().frame().get_all_framework_metrics()["step"].tolist() == [3, 2, 1, 0]


def test_an_end_before_its_begin_is_a_negative_duration(builder):
    begin = {"name": "b", "ph": "B", "pid": 1, "ts": 50}
    builder.system().timeline(begin, {"ph": "E", "pid": 1, "ts": 45})
    actual = builder.frame().get_all_framework_metrics()
    assert actual[["start_time_us", "end_time_us"]].to_numpy().tolist() == [[50, 45]]


def test_processes_share_no_phases(builder):
    builder.system().timeline(step(0, 5, 10))
    builder.timeline(step(1, 5, 10), name=f"{MINUTE + 60}000000_1-algo-2_pythontimeline.json", phases=())
    actual = builder.frame().get_all_framework_metrics()
    assert actual[["process", "nodeID"]].to_numpy().tolist() == [[TRAIN, "algo-1-1"], ["Unknown", "algo-2-1"]]


def test_process_ids_come_from_the_lines(builder):
    builder.system().timeline(interval("a", 5, 1, pid=44), interval("b", 6, 1))
    assert builder.frame().get_all_framework_metrics()["pid"].tolist() == [44, 1]


def test_without_a_process_id_the_phase_number_is_used(builder):
    for number in (0, 7):
        name = f"{MINUTE + 60}000000_{number}-algo-1_pythontimeline.json"
        builder.timeline(interval("a", 5, 1), interval("b", 6, 1, phase=2), interval("c", 7, 1, pid=44), name=name)
    assert builder.frame().get_all_framework_metrics()["pid"].tolist() == [1, 2, 44] * 2


def test_a_phase_without_a_name_keeps_its_number_in_frames_and_events(builder):
    builder.system().timeline(interval("a", 5, 1, phase=9), interval("b", 6, 1), interval("c", 7, 1, phase=8))
    assert builder.frame().get_all_framework_metrics()["pid"].tolist() == [9, 1, 8]
    assert [event.pid for event in LocalAlgorithmMetricsReader(str(builder.root)).get_events(0, 2**60)] == [9, 1, 8]


def test_threads_have_stable_numbers(builder):
    builder.system().timeline(
        interval("a", 5, 1), interval("b", 6, 1), interval("c", 7, 1, phase=2), interval("d", 8, 1, thread_id=33)
    )
    tid = builder.frame().get_all_framework_metrics()["tid"].tolist()
    code = f"""
from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
print(PandasFrame({str(builder.root)!r}).get_all_framework_metrics()["tid"].tolist())
"""
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert json.loads(other.stdout) == tid, "the same in every process"
    assert tid[0] == tid[1]
    assert tid[2] not in (tid[0], 33)
    assert tid[3] == 33


def test_fractions_of_microseconds_are_exact(builder):
    builder.system().timeline(interval("a", 5.25, 1.5), interval("b", 7, 1))
    actual = builder.frame().get_all_framework_metrics()
    assert actual["end_time"].tolist() == ["2020-09-13T12:30:00:000007", "2020-09-13T12:30:00:000008"]
    assert actual[["start_time_us", "end_time_us"]].to_numpy().tolist() == [[5.25, 6.75], [7.0, 8.0]]


def test_a_trace_of_tensorflow_is_read(builder):
    folder = builder.root / "framework/tensorflow/detailed_profiling/2020091312/000000005"
    trace = folder / "plugins/profile/2020_09_13/host-1.amazon.com.trace.json.gz"
    trace.parent.mkdir(parents=True)
    (folder / f"7-algo-1_{MINUTE}000000_{MINUTE + 1}000000.metadata").touch()
    phase = {"name": "process_name", "ph": "M", "pid": 3, "args": {"name": "/host:CPU"}}
    events = [phase, *(interval("a", ts, 1.0, 3) for ts in (0.5, 1.5, 2.75)), {}]
    trace.write_bytes(gzip.compress(json.dumps({"displayTimeUnit": "ns", "traceEvents": events}).encode()))
    builder.system().timeline(step(0, 5, 10))
    text, actual = captured_output(builder.frame().get_all_framework_metrics)
    assert not text
    assert actual["nodeID"].tolist() == ["algo-1-1", "host-1", "host-1", "host-1"], "timelines of the hook come first"
    assert actual["start_time_us"].tolist() == [5.0, 0.5, 1.5, 2.75]
    assert [text[-1] for text in actual["start_time"]] == ["5", "0", "2", "3"], "halves to the even one"
    assert actual["process"].tolist()[1:] == ["/host:CPU"] * 3


def test_a_running_job_gets_new_rows(builder):
    builder.system((1, 1.0))
    frame = builder.frame()
    assert len(frame.get_all_system_metrics()) == 1
    builder.system((61, 2.0), name=f"{MINUTE + 60}.algo-1.json").timeline(step(0, 5, 10))
    assert len(frame.get_all_system_metrics()) == 2
    assert len(frame.get_all_framework_metrics()) == 1


def test_a_job_without_files_is_empty(builder, caplog):
    with caplog.at_level(logging.WARNING, "tracelake.smdebug"):
        frame = builder.frame()
    assert "no profile yet" in caplog.text
    assert frame.start_time == 0
    assert frame.get_all_system_metrics().shape == (0, 7)
    assert frame.get_all_framework_metrics().shape == (0, 11)
    assert frame.get_framework_metrics_by_timesteps([format_time(0)]) == ({}, {}, {})
    builder.system((1, 1.0))
    assert len(frame.get_all_system_metrics()) == 1
    assert frame.start_time == MINUTE * 1_000_000


def test_rows_of_deleted_files_disappear(builder):
    later = f"{MINUTE + 60}.algo-1.json"
    frame = builder.system((1, 1.0)).system((61, 2.0), name=later).frame()
    assert len(frame.get_all_system_metrics()) == 2
    next(builder.root.rglob(later)).unlink()
    assert frame.get_all_system_metrics()["value"].tolist() == [1.0]
    builder.system((61, 2.0), name=later)
    assert len(builder.frame().get_all_system_metrics()) == 2
    next(builder.root.rglob(later)).unlink()
    assert len(builder.frame().get_all_system_metrics()) == 1, "deleted before it was opened again"


@pytest.mark.parametrize("is_empty_folder", [False, True])
def test_a_deleted_profile_is_empty(builder, is_empty_folder):
    frame = builder.system((1, 1.0)).timeline(step(0, 5, 10)).frame()
    shutil.rmtree(builder.root)
    if is_empty_folder:
        builder.root.mkdir()
    assert frame.get_all_system_metrics().empty
    assert frame.get_all_framework_metrics().empty
    assert builder.frame().get_all_system_metrics().empty
    builder.system((1, 4.0))
    assert frame.get_all_system_metrics()["value"].tolist() == [4.0]


def test_without_system_metrics_the_job_has_no_known_start_and_end(builder):
    frame = builder.timeline(step(0, 5, 10), step(1, 20, 10), step(0, 40, 5, phase=2)).frame()
    analysis = PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics())
    intervals = analysis.get_training_phase_intervals()
    assert intervals["phase"].tolist() == [
        f"Before {TRAIN}",
        TRAIN,
        f"Between {EVAL} and {TRAIN}",
        EVAL,
        f"After {EVAL}",
    ]
    base = MINUTE * 1_000_000
    nan = np.nan
    np.testing.assert_array_equal(intervals["start_time_us"] - base, [nan, 5, 31, 40, 46])
    np.testing.assert_array_equal(intervals["end_time_us"] - base, [4, 30, 39, 45, nan])


def test_times_without_a_start_of_the_scale_are_those_of_the_file(builder):
    name = f"{MINUTE}000000_0-algo-1_model_timeline.json"
    events = [interval("op", 10.001 + i, 4.353, pid=9) for i in range(3)]
    builder.write(f"framework/pevents/2020091312/{name}", json.dumps(events))
    _, framework = builder.frame().get_profiler_data_by_time(0, 100)
    assert framework["start_time_us"].tolist() == [10.001, 11.001, 12.001]
    assert framework["end_time_us"].tolist() == [14.354, 15.354, 16.354]
    _, framework = builder.frame().get_profiler_data_by_time(15.5, 100)
    assert framework["start_time_us"].tolist() == [12.001]


def test_two_jobs_of_one_name_have_separate_runs(builder, tmp_path):
    builder.system((1, 1.0))
    other = tmp_path / "other" / builder.root.parent.name / "profiler-output"
    shutil.copytree(builder.root, other)
    ProfileBuilder(other).system((1, 5.0), (2, 6.0))
    assert [len(PandasFrame(path).get_all_system_metrics()) for path in (builder.root, other, builder.root)] == [
        1,
        2,
        1,
    ]


def test_a_profile_on_s3_has_the_same_frames(s3, builder, monkeypatch):
    builder.system((1, 1.0)).timeline(step(0, 5, 10))
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    bucket = s3.bucket()
    s3.upload(builder.root, bucket, "job on s3/profiler-output")
    frame = PandasFrame(f"s3://{bucket}/job on s3/profiler-output")
    del s3.requests[:]
    pd.testing.assert_frame_equal(frame.get_all_system_metrics(), builder.frame().get_all_system_metrics())
    pd.testing.assert_frame_equal(frame.get_all_framework_metrics(), builder.frame().get_all_framework_metrics())
    assert not any(request.fetches_an_object for request in s3.requests), "everything was fetched when it was opened"


# Times and windows


def test_times_are_exact(builder):
    frame = builder.system().frame()
    times = [MINUTE * 1_000_000 + us for us in range(0, 1_000_000, 997)]
    assert [frame.convert_datetime_to_timestamp(format_time(us)) for us in times] == times
    random = np.random.default_rng(3).integers(-(2**53), 2**53, 3000)
    for us in (random, np.sort(random), random[:1], random[:0]):
        assert list(_column.format_timestamps(us)) == [format_time(int(one)) for one in us]
    assert utils.us_since_epoch_to_human_readable_time(times[3]) == format_time(times[3])


def test_long_text_columns_are_exact():
    rows = 2 * _column.BLOCK + 3
    us = np.arange(rows) * 1_234_567
    stamps = _column.format_timestamps(us)
    assert [stamps[row] for row in range(0, rows, 1009)] == [format_time(int(us[row])) for row in range(0, rows, 1009)]
    for codes in (np.zeros(rows, np.int32), np.arange(rows, dtype=np.int32) % 2):
        texts = _column.text(pa.DictionaryArray.from_arrays(codes, ["one", "other"]))
        assert list(texts) == [("one", "other")[code] for code in codes]


def test_phase_numbers_do_not_depend_on_the_query(job):
    frame = PandasFrame(job)
    events = frame.get_all_framework_metrics()
    lines = [line for file in job.rglob("*timeline.json") for line in file.read_text().splitlines()]
    assert any('"ph": "X"' in line and '"pid":' not in line.partition('"args"')[2] for line in lines)
    wide = frame.get_profiler_data_by_time(0, 4_000_000_000_000_000)[1]
    pd.testing.assert_frame_equal(events, wide)


def test_events_at_times_equal_a_brute_force_search(job):
    frame = PandasFrame(job)
    events = frame.get_all_framework_metrics()
    times = frame.get_all_system_metrics(["cpu0"])["timestamp"].unique()[100:160].tolist()
    phases, names = {}, {}
    for moment in times:
        us = frame.convert_datetime_to_timestamp(moment) - frame.start_time
        for event in events[(events["start_time_us"] < us) & (events["end_time_us"] > us)].itertuples():
            duration = event.end_time_us - event.start_time_us
            phases[event.process] = phases.get(event.process, 0) + duration
            if "Step" not in event.framework_metric:
                names[event.framework_metric] = names.get(event.framework_metric, 0) + duration
    steps = {name: total for name, total in phases.items() if "Step" in name}
    most = max(total for name, total in phases.items() if name not in steps)
    shares = {name: total / most for name, total in phases.items() if name not in steps}
    shuffled = times[::-1]
    assert frame.get_framework_metrics_by_timesteps(shuffled) == (shares, names, steps)
    assert steps
    assert list(frame.get_framework_metrics_by_timesteps(times, [TRAIN])[2]) == [TRAIN]


def test_every_given_time_counts(builder):
    frame = builder.system().timeline(step(0, 100, 100), interval("a", 120, 50, 2)).frame()
    us = MINUTE * 1_000_000
    assert frame.get_framework_metrics_by_timesteps([format_time(us + 150)]) == ({}, {"a": 50}, {TRAIN: 100, EVAL: 50})
    both = frame.get_framework_metrics_by_timesteps([format_time(us + 150), format_time(us + 160)])
    assert both == ({}, {"a": 100}, {TRAIN: 200, EVAL: 100})
    # the ends of an event are not within the event
    assert frame.get_framework_metrics_by_timesteps([format_time(us + 100), format_time(us + 200)]) == ({}, {}, {})
    assert frame.get_framework_metrics_by_timesteps([]) == ({}, {}, {})


def test_events_in_windows_equal_a_brute_force_search(job):
    frame = PandasFrame(job)
    events = frame.get_all_framework_metrics()
    steps = events[events["process"] == TRAIN][3:20]
    phases, names = {}, {}
    for window in steps.itertuples():
        within = (events["end_time_us"] >= window.start_time_us) & (events["start_time_us"] <= window.end_time_us)
        for event in events[within & ~events["framework_metric"].str.contains("Step")].itertuples():
            duration = event.end_time_us - event.start_time_us
            phases[event.process] = phases.get(event.process, 0) + duration
            names[event.framework_metric] = names.get(event.framework_metric, 0) + duration
    expected = [{name: total / max(part.values()) for name, total in part.items()} for part in (phases, names)]
    # layers are grouped by the name of the event
    actual = frame.get_framework_metrics_by_begin_and_end_timesteps(steps["start_time"], steps["end_time"])
    assert list(actual) == expected
    assert frame.get_framework_metrics_by_begin_and_end_timesteps([], []) == ({}, {})


def test_events_that_run_at_a_time_are_counted(builder):
    frame = builder.system((0.5, 1.0)).timeline(step(0, 100, 100)).frame()
    moment = frame.start_time + 150
    assert len(frame.get_profiler_data_by_time(moment, moment)[1]) == 1


# Statistics


def test_events_without_a_step_are_assigned_by_time(builder):
    alone = interval("outside", 900, 5)
    builder.system((0, 1.0), (0.001, 2.0)).timeline(
        step(0, 100, 100), interval("in", 120, 10), alone, step(1, 300, 100)
    )
    events = builder.frame().get_all_framework_metrics()
    analysis = PandasFrameAnalysis(builder.frame().get_all_system_metrics(), events)
    assert analysis.framework_metrics_df is events
    assert events["step"].tolist() == [0, 0, -1, 1]
    assert events["duration_us"].tolist() == [100, 10, 5, 100]
    by_name = analysis.get_step_statistics(StatsBy.FRAMEWORK_METRICS)
    assert by_name["framework_metric"].tolist() == [TRAIN, "in"], "what belongs to no step counts for none"


def test_enclosing_steps_equal_a_brute_force_search():
    random = np.random.default_rng(5)
    for _ in range(100):
        outer, inner = (random.integers(0, 60, (n, 2)) for n in (random.integers(0, 9), 40))
        actual = _interval.find_enclosing(inner[:, 0], inner.sum(axis=1), outer[:, 0], outer.sum(axis=1))
        for (start, dur), place in zip(inner.tolist(), actual.tolist(), strict=True):
            around = [i for i, (low, more) in enumerate(outer.tolist()) if low < start and low + more > start + dur]
            assert place == (around[0] if around else -1)


def test_the_last_interval_equals_a_brute_force_search():
    random = np.random.default_rng(6)
    for _ in range(100):
        times = np.unique(random.integers(0, 100, random.integers(1, 40)))
        intervals = random.integers(0, 100, (random.integers(0, 30), 2))
        actual = _interval.find_last_containing(times, intervals[:, 0], intervals[:, 1])
        for moment, place in zip(times.tolist(), actual.tolist(), strict=True):
            holds = [i for i, (low, high) in enumerate(intervals.tolist()) if low <= moment <= high]
            assert place == (holds[-1] if holds else -1)


@pytest.fixture
def analysis(job):
    frame = PandasFrame(job)
    return PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics())


def test_step_statistics_equal_a_computation_by_hand(analysis):
    events = analysis.framework_metrics_df
    marks = events[events["process"] == TRAIN].groupby("step")
    duration = marks["end_time_us"].max() - marks["start_time_us"].min()
    actual = analysis.get_step_statistics().set_index("training_phase").loc[TRAIN]
    expected = [duration.mean(), duration.min(), duration.max(), *duration.quantile([0.5, 0.95, 0.99])]
    assert actual.tolist() == pytest.approx(expected, rel=1e-12)
    by_process = analysis.get_step_statistics(StatsBy.PROCESS).set_index("process")
    known = events[(events["step"] != -1) & (events["process"] == "Forward")].groupby("step")
    duration = known["end_time_us"].max() - known["start_time_us"].min()
    assert by_process.loc["Forward", "duration_p95_us"] == pytest.approx(duration.quantile(0.95))


def test_utilization_by_phase_equals_a_computation_by_hand(analysis):
    intervals = analysis.get_training_phase_intervals([TRAIN, EVAL])
    system = analysis.sys_metrics_df.copy()
    for row in intervals.itertuples():
        system.loc[system["timestamp_us"].between(row.start_time_us, row.end_time_us), "painted"] = row.phase
    actual = analysis.get_utilization_stats(Resource.GPU, StatsBy.TRAINING_PHASE)
    gpu = system[system["type"] == "gpu"].groupby(["painted", "nodeID"])["value"]
    assert len(actual) == gpu.ngroups > 4
    for row in actual.itertuples():
        values = gpu.get_group((row.Training_phase, row.nodeID))
        assert row.utilization_mean == pytest.approx(values.mean(), rel=1e-12)
        assert row.utilization_p95 == pytest.approx(values.quantile(0.95), rel=1e-12)
    assert analysis.sys_metrics_df["phase"].tolist() == system["painted"].tolist()


def test_phases_are_assigned_again_on_each_call(builder):
    builder.system((0, 1.0), (1, 2.0), (30, 3.0)).timeline(
        step(0, 10, 50), step(0, 1_000_000, 5, 2), step(1, 2_000_000, 5)
    )
    frame = builder.frame()
    analysis = PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics())
    analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE)
    assert EVAL in set(analysis.sys_metrics_df["phase"])
    analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE, phase=[TRAIN])
    assert EVAL not in set(analysis.sys_metrics_df["phase"])
    assert analysis.get_utilization_stats(by=StatsBy.TRAINING_PHASE, phase="no such phase").empty
    assert analysis.sys_metrics_df["phase"].isna().all()


def test_empty_frames_give_empty_statistics(analysis):
    none = PandasFrameAnalysis(analysis.sys_metrics_df[:0].copy(), analysis.framework_metrics_df[:0].copy())
    assert none.get_utilization_stats().shape == (0, 8)
    assert none.get_step_statistics().shape == (0, 7)
    assert none.get_training_phase_intervals() is None
    with pytest.raises(ValueError, match="no system metrics"):
        none.get_job_statistics()
    cpu = analysis.sys_metrics_df[analysis.sys_metrics_df["type"] == "cpu"].copy()
    some = PandasFrameAnalysis(cpu, analysis.framework_metrics_df[:0].copy())
    assert some.get_device_usage_stats(Resource.GPU).empty
    assert some.get_device_usage_stats(Resource.CPU, [(200, 300)]).empty
    with pytest.raises(ValueError, match="no steps"):
        some.get_job_statistics()


def test_wrong_arguments_return_none(analysis):
    assert analysis.get_step_statistics("process") is None
    assert analysis.get_utilization_stats("cpu") is None
    assert analysis.get_utilization_stats(by="training_phase") is None
    assert analysis.get_training_phase_intervals((TRAIN,)) is None
    assert analysis.get_device_usage_stats("cpu").shape == (0, 0)


def test_device_usage_equals_a_computation_by_hand(analysis):
    actual = analysis.get_device_usage_stats([Resource.GPU, Resource.CPU], [(0, 50), (50, 50), (40, 100)])
    assert actual.columns.tolist() == ["type", "nodeID", (0, 50), (40, 100)]
    system = analysis.sys_metrics_df
    for row in actual.itertuples(index=False):
        values = system[(system["type"] == row[0]) & (system["nodeID"] == row[1])]["value"]
        assert row[2] == ((values >= 0) & (values <= 50)).sum()
        assert row[3] == ((values > 50) & (values <= 100)).sum()
    assert set(system["ranges"]) == {(0, 50), (40, 100)} or () in set(system["ranges"])


@pytest.mark.parametrize("phase", [1, 2])
def test_a_job_without_step_0_starts_with_its_first_step(builder, phase):
    builder.system((0, 1.0), (10, 2.0)).timeline(step(6, 3_000_000, 50, phase), step(5, 2_000_000, 50, phase))
    frame = builder.frame()
    actual = PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics()).get_job_statistics()
    assert actual["initialization"] == 2_000_000
    assert actual["training_loop_duration"].tolist() == [1_000_050]
    assert actual["finalization_%"] == pytest.approx(69.9995)


def test_job_statistics_are_a_dictionary(analysis):
    actual = analysis.get_job_statistics()
    assert isinstance(actual, JobStats)
    assert list(actual)[:3] == ["start_time", "end_time", "job_duration"]
    assert actual.job_duration == actual["job_duration"] == dict(actual)["job_duration"]
    assert len(actual["training_loop_duration"]) == 4, "an entry per rank"
    assert "training_loop_%" in repr(actual)
    with pytest.raises(AttributeError, match="nothing"):
        _ = actual.nothing


# PyTorch's data loader


def test_slow_initializations_are_printed(builder):
    name = "_MultiProcessingDataLoaderIter.__init__"
    arguments = {"num_workers": 2, "pin_memory": True}
    events = [interval(name, i * 1000, dur, 2, **arguments) for i, dur in enumerate([10, 10, 10, 20])]
    builder.system().timeline(*events, phases=["DataLoaderIter", "DataLoaderIterInitialize"])
    analysis = PT_dataloader_analysis(builder.frame())
    text, result = captured_output(analysis.analyze_dataloaderIter_initialization)
    assert result is None
    lines = text.splitlines()
    assert lines[0].endswith("with pin_memory enabled = True and number of workers = 2")
    assert lines[4].split() == ["start_time", "end_time", "duration_us"]
    assert lines[5].split() == ["2020-09-13T12:30:00:003000", "2020-09-13T12:30:00:003020", "20"]
    assert lines[6:] == ["Training is not configured to use _SingleProcessDataLoaderIter.__init__ iterator"]


def test_the_time_between_batches_is_computed(builder):
    starts = [0, 1_000_000, 2_000_000, 5_000_000, 6_000_000, 6_500_000]
    events = [interval("DataLoaderIter::GetNext", ts, 10, worker_id=i, pid=7) for i, ts in enumerate(starts)]
    builder.system().timeline(*events, phases=["DataLoaderIter"])
    analysis = PT_dataloader_analysis(builder.frame())
    text, actual = captured_output(analysis.analyze_batchtime)
    assert "= 1.0 seconds" in text
    assert actual["BatchTime_in_seconds"].tolist() == [3.0]
    assert actual["worker_id"].tolist() == [3]
    origin = analysis.pd_data_frame.start_time
    text, actual = captured_output(lambda: analysis.analyze_batchtime(origin + 5_000_000, origin + 6_500_000))
    assert "= 0.75 seconds" in text
    assert actual is None
    text, actual = captured_output(lambda: analysis.analyze_batchtime(select_events=["nothing"]))
    assert actual is None
    text, actual = captured_output(analysis.analyze_batchtime)
    assert len(actual) == 1, "a window does not stay"


def test_the_window_to_plot_is_optional(builder, monkeypatch):
    charts = ModuleType("timeline_charts")
    charts.TimelineCharts = lambda *_, **options: options
    home = "tracelake.smdebug.profiler.analysis.notebook_utils.timeline_charts"
    monkeypatch.setitem(sys.modules, home, charts)
    reader = type("Reader", (), {"refresh_event_file_list": lambda _: None})()
    analysis = PT_dataloader_analysis(builder.system().frame())
    for name in ("system_metrics_reader", "framework_metrics_reader"):
        analysis.pd_data_frame.__dict__[name] = reader
    assert analysis.plot_the_window()["starttime"] == 0
    assert analysis.plot_the_window()["endtime"] is None
    assert analysis.plot_the_window(5, 9, ["a"])["select_events"] == ["a"]


# Names of files


@pytest.mark.parametrize(
    ("path", "node", "minute"),
    [
        ("/a/system/incremental/2020/1591160699.algo-1.json", "algo-1", 1591160699000000),
        ("/a/system/incremental/2020/1591160699.lgo-1.json", None, None),
        ("/a/system/1591160699.algo-1.json", None, None),
    ],
)
def test_names_of_system_metric_files_are_parsed(path, node, minute):
    assert utils.get_node_id_from_system_profiler_filename(path) == node
    assert utils.get_utctimestamp_us_since_epoch_from_system_profiler_file(path) == minute
    assert utils.validate_system_profiler_file(path) == (node is not None)


def test_the_time_of_a_tensorflow_trace_is_in_its_metadata_file_name(tmp_path):
    folder = tmp_path / "framework" / "tensorflow" / "detailed_profiling" / "2020080503" / "000000005"
    trace = folder / "plugins" / "profile" / "2020_08_05" / "host.trace.json.gz"
    trace.parent.mkdir(parents=True)
    trace.touch()
    assert utils.read_tf_profiler_metadata_file(str(trace)) == ("", "0", "0")
    (folder / "80807-host.amazon.com_1596659864545103_1596659864854168.metadata").touch()
    actual = utils.read_tf_profiler_metadata_file(str(trace))
    assert actual == ("80807-host.amazon.com", "1596659864545103", "1596659864854168")
    assert utils.get_timestamp_from_tracefilename(str(trace)) == 1596659864854168
    assert utils.get_node_id_from_tracefilename(str(trace)) == "80807-host.amazon.com"
