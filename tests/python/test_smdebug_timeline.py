"""Merged timelines of `tracelake.smdebug`; `test_smdebug_oracle.py` compares them with the original's."""

import json
from itertools import chain
from pathlib import Path

import pyarrow as pa
import pytest

from smdebug_calls import content
from smdebug_raw import measurements, timelines
from tracelake.smdebug.profiler import LocalAlgorithmMetricsReader
from tracelake.smdebug.profiler.analysis.utils import _merged_lines
from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit

pytestmark = pytest.mark.slow

FOREVER = 2**51


@pytest.fixture(scope="module", params=["first_look", "several nodes", "pt_small", "real_tf2_plus_system"])
def some_profile(request, profile, generate):
    if request.param == "first_look":
        return profile
    if request.param == "several nodes":
        # measurements of 8 GPUs, and more marks than fit in one chunk
        return generate(nodes=2, ranks=2, gpus=4, steps=20, minutes=3, interval_ms=200, horovod=1)
    return request.getfixturevalue("shared") / "data" / "sagemaker" / request.param


def merge(profile, folder, *args, suffixes=None, **kwargs):
    timeline = MergedTimeline(str(profile), file_suffix_filter=suffixes, output_directory=str(folder))
    return content(Path(timeline.merge_timeline(*args, **kwargs)))


def intervals(events):
    return sorted(
        (e["ts"], e["name"], e["dur"], json.dumps(e.get("args"), sort_keys=True)) for e in events if e["ph"] == "X"
    )


def check(events, rows, samples):
    """Each event occurs once, by time, with its names; a mark has the measurements that are near it."""
    expected = sorted((row[0], row[1], row[2], json.dumps(row[5], sort_keys=True)) for row in rows)
    assert intervals(events) == expected
    names, phases, threads = {}, [], set()
    for event in events:
        if event["name"] == "process_name":
            assert event["pid"] not in names
            names[event["pid"]] = event["args"]["name"]
        elif event["name"] == "thread_name":
            threads.add((event["pid"], event["tid"]))
        elif event["ph"] in "XCi":
            phases.append((event["ts"], event["ph"] == "i", names[event["pid"]]))
            assert event["ph"] != "X" or (event["pid"], event["tid"]) in threads
    # a mark comes after the measurements of its time
    assert [when[:2] for when in phases] == sorted(when[:2] for when in phases)
    assert sorted(phase for *_, phase in phases if not phase.startswith("sys_metrics")) == sorted(
        row[3] for row in rows
    )
    counted = sorted((e["ts"], e["name"], e["args"]["value"]) for e in events if e["ph"] == "C")
    assert counted == sorted(samples)
    remaining, marks = sorted(samples), []
    low = sorted({ts for ts, name, value in samples if "_GPUUtilization_" in name and value < 85})
    for moment in low:
        if not marks or moment > marks[-1][0] + 20_000:
            near = [sample for sample in remaining if abs(sample[0] - moment) <= 20_000]
            remaining = remaining[: remaining.index(near[0])] + remaining[remaining.index(near[-1]) + 1 :]
            marks.append((moment, {name: value for _, name, value in near}))
    assert [(e["ts"], e["args"]) for e in events if e["ph"] == "i"] == marks
    assert all(e["s"] == "t" for e in events if e["ph"] == "i")


def samples_of(profile):
    return [
        (round(ts * 1_000_000), f"{name}_{dimension}_{node}", value)
        for _, name, dimension, value, node, ts in measurements(profile)
    ]


def test_a_merged_timeline_has_all_events(some_profile, tmp_path):
    check(merge(some_profile, tmp_path, 0, FOREVER), timelines(some_profile), samples_of(some_profile))


def test_a_range_has_the_events_that_overlap_it(some_profile, tmp_path):
    rows, samples = timelines(some_profile), samples_of(some_profile)
    start = (min(row[0] for row in rows) + max(row[0] for row in rows)) // 2
    end = start + 1_500_000
    inside = [row for row in rows if row[0] + row[2] >= start and row[0] <= end]
    check(merge(some_profile, tmp_path, start, end), inside, [s for s in samples if start <= s[0] <= end])


def test_steps_and_suffixes_select_events(some_profile, tmp_path):
    reader = LocalAlgorithmMetricsReader(str(some_profile))
    expected = [(e.start_time, e.event_name) for e in reader.get_events_by_step(2, 4)]
    for unit in (MergeUnit.STEP, "step"):
        events = merge(some_profile, tmp_path, 2, 4, unit=unit, sys_metrics_filter={})
        assert sorted((e["ts"], e["name"]) for e in events if e["ph"] == "X") == sorted(expected)
        assert {e["ph"] for e in events} == {"X", "M"}
    kinds = ["pythontimeline.json", "model_timeline.json", "horovod_timeline.json"]
    actual = [intervals(merge(some_profile, tmp_path, 0, FOREVER, suffixes=[kind])) for kind in kinds]
    assert sorted(chain.from_iterable(actual)) == intervals(merge(some_profile, tmp_path, 0, FOREVER))


def test_the_batch_size_does_not_change_the_file(profile, tmp_path, monkeypatch):
    whole = merge(profile, tmp_path, 0, FOREVER)

    class Small:
        """Patches streams to have batches of 7 rows."""

        @staticmethod
        def from_stream(frame):
            return (part for batch in pa.table(frame).to_batches(max_chunksize=7) for part in [batch])

    class Arrow:
        RecordBatchReader = Small

        def __getattr__(self, name):
            return getattr(pa, name)

    monkeypatch.setattr(_merged_lines, "pa", Arrow())
    monkeypatch.setattr(_merged_lines, "CHUNK", 3)
    monkeypatch.setattr(_merged_lines, "WINDOW", 20)
    assert merge(profile, tmp_path, 0, FOREVER) == whole


def test_a_timeline_object_can_merge_again(profile, tmp_path):
    timeline = MergedTimeline(str(profile), output_directory=str(tmp_path))
    first, second = (Path(timeline.merge_timeline(0, FOREVER)).read_bytes() for _ in range(2))
    assert first == second
    assert timeline.bytes_written == len(first)
    assert timeline.tensor_table["Step:ModeKeys.TRAIN"] == 1
    assert first.startswith(b'[\n{"name": "process_name", "ph": "M", "pid": ')
    assert first.endswith(b"}\n]")
    # the next file is opened by the caller
    timeline.open(str(tmp_path / "folder" / "mine.json"))
    assert timeline.merge_timeline(0, FOREVER) == str(tmp_path / "folder" / "mine.json")
    assert (tmp_path / "folder" / "mine.json").read_bytes() == first


def test_a_merge_that_fails_leaves_no_file(profile, tmp_path, monkeypatch):
    timeline = MergedTimeline(str(profile), output_directory=str(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(_merged_lines.TimelineLines, "_marker_line", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            timeline.merge_timeline(0, FOREVER)
    assert list(tmp_path.iterdir()) == []
    assert content(Path(timeline.merge_timeline(0, FOREVER)))


def test_system_metrics_can_be_excluded(profile, tmp_path, capsys):
    for nothing in (None, {}):
        assert {e["ph"] for e in merge(profile, tmp_path, 0, FOREVER, sys_metrics_filter=nothing)} == {"X", "M"}
        expected = "Got framework events\nAdded 0 sys events and count_counter_events:0\nRewriting events\n"
        assert capsys.readouterr().out == expected


def test_a_range_without_events_is_an_empty_list(profile, tmp_path, caplog):
    assert merge(profile, tmp_path, 1, 2) == []
    assert merge(profile, tmp_path, 1_000_000, 1_000_001, MergeUnit.STEP) == []
    assert "no step 1000000" in caplog.text
    (tmp_path / "empty").mkdir()
    assert merge(tmp_path / "empty", tmp_path, 0, FOREVER) == []


def test_the_file_name_has_time_process_and_host(profile, tmp_path):
    name = MergedTimeline(str(profile), output_directory=str(tmp_path)).merge_timeline(0.4, 1_600_000_260_000_000.8)
    folder, file = name.rsplit("/", 1)
    assert folder == str(tmp_path)
    assert file.startswith("1600000260000001_")
    assert file.endswith("_merged_timeline.json")
    assert len(file.split("_")) == 4
    assert MergedTimeline(str(profile)).file_name(5).startswith(f"{profile}/5_")


def write_odd_profile(folder, events, lines):
    """Writes a profile with these events and measurements."""
    timeline = folder / "framework" / "pevents" / "2020091312" / "1600000260000000_0-algo-1_model_timeline.json"
    system = folder / "system" / "incremental" / "2020091312" / "1600000200.algo-1.json"
    for file, text in [(timeline, json.dumps(events)), (system, "\n".join(map(json.dumps, lines)))]:
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return folder


def test_odd_names_times_and_values_are_written_exactly(tmp_path):
    args = {"thread_id": 77, "deep": {"er": [1, None, "x\n"]}, "bytes_fetched": 5}
    events = [
        {"ph": "M", "name": "process_name", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1600000200000000}},
        {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": 'Dataset "é"\\'}},
        {"ph": "X", "name": 'quoted "\n\t\\ name', "pid": 1, "ts": 5.25, "dur": 1.5, "args": args},
        {"ph": "X", "name": "plain", "pid": 1, "ts": 7, "dur": 0},
        {"ph": "X", "name": "unnamed phase", "pid": 5, "ts": 8, "dur": 1},
    ]
    line = {"Type": "gpu", "Name": "gpu0", "Dimension": "GPUUtilization", "NodeId": "algo-1", "Timestamp": 1600000200.5}
    values = [84.9, 1e-7, 1e22, 0, -19.61, None]
    lines = [{**line, "Name": f"gpu{i}", "Value": value} for i, value in enumerate(values)]
    events = merge(write_odd_profile(tmp_path / "odd" / "profiler-output", events, lines), tmp_path, 0, FOREVER)
    actual = [(e["name"], e["ts"], e["dur"], e.get("args")) for e in events if e["ph"] == "X"]
    assert actual == [
        ('quoted "\n\t\\ name', 1600000200000005.25, 1.5, args),
        ("plain", 1600000200000007, 0, None),
        ("unnamed phase", 1600000200000008, 1, None),
    ]
    names = [(e["pid"], e["args"]["name"]) for e in events if e["name"] in {"process_name", "thread_name"}]
    assert names[:3] == [(40_000, 'Dataset "é"\\'), (40_000, "algo-1-0_77"), (40_000, "algo-1-0_0")]
    assert (1_000_000, "Unknown") in names
    (mark,) = [e["args"] for e in events if e["ph"] == "i"]
    assert mark == {f"gpu{i}_GPUUtilization_algo-1": float(value) for i, value in enumerate(values[:-1])}
    assert [e["args"]["value"] for e in events if e["ph"] == "C"] == values[:-1]


def test_busy_gpus_have_counters_but_no_marks(tmp_path):
    line = {"Type": "gpu", "Name": "gpu0", "Dimension": "GPUUtilization", "NodeId": "algo-1"}
    lines = [{**line, "Value": 85 + i, "Timestamp": 1600000200.5 + i} for i in range(3)]
    events = merge(write_odd_profile(tmp_path / "busy" / "profiler-output", [], lines), tmp_path, 0, FOREVER)
    assert [e["ph"] for e in events] == ["M", "M", "C", "C", "C"]


def test_a_merge_is_uploaded_to_s3(profile, s3, monkeypatch, tmp_path):
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    monkeypatch.setenv("AWS_ENDPOINT_URL", s3.options["endpoint"])
    monkeypatch.setenv("AWS_DEFAULT_REGION", s3.options["region"])
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "jobs/merged/profiler-output")
    address = MergedTimeline(url).merge_timeline(0, FOREVER)
    assert address.startswith(f"{url}/{FOREVER}_")
    (body,) = s3.objects(bucket, address.removeprefix(f"s3://{bucket}/")).values()
    assert json.loads(body) == merge(profile, tmp_path, 0, FOREVER)
    assert len(MergedTimeline(url, output_directory=str(tmp_path / "local")).merge_timeline(0, FOREVER)) > 0


def test_equal_measurements_are_counted_twice(tmp_path):
    line = {"Type": "cpu", "Name": "cpu0", "Dimension": "CPUUtilization", "NodeId": "algo-1", "Timestamp": 1600000200.5}
    events = merge(
        write_odd_profile(tmp_path / "equal" / "profiler-output", [], [{**line, "Value": 1.5}] * 2),
        tmp_path,
        0,
        FOREVER,
    )
    assert [e["ph"] for e in events] == ["M", "M", "C", "C"]


def test_a_profile_that_crashed_smdebug_is_merged(shared, tmp_path):
    for folder in sorted((shared / "data" / "sagemaker" / "edge").glob("f_*")):
        events = LocalAlgorithmMetricsReader(str(folder)).get_events(-FOREVER, FOREVER)
        merged = merge(folder, tmp_path, -FOREVER, FOREVER)
        assert [e["name"] for e in merged if e["ph"] == "X"] == [
            e.event_name for e in sorted(events, key=lambda event: event.start_time)
        ], folder.name
        names = {(e["pid"], e["tid"]): e["args"]["name"] for e in merged if e["name"] == "thread_name"}
        for event, line in zip(
            sorted(events, key=lambda event: event.start_time), [e for e in merged if e["ph"] == "X"], strict=True
        ):
            thread = event.process_info.get_thread_info(event.tid)
            assert names[line["pid"], line["tid"]] == thread.thread_name, folder.name


def test_the_numbers_of_smdebugs_tests_are_reproduced(shared, tmp_path):
    """A merged file has the same number of intervals as the readers find in its range."""
    profile = shared / "data" / "sagemaker" / "real_tf2_plus_system"
    reader = LocalAlgorithmMetricsReader(str(profile))
    kinds = [["pythontimeline.json"], ["model_timeline.json"]]
    for start, end, unit, expected_count in [
        (1594662618874598, 1594662623418701, MergeUnit.TIME, reader.get_events),
        (2, 4, MergeUnit.STEP, reader.get_events_by_step),
    ]:
        expected = sum(len(expected_count(start, end, file_suffix_filter=kind)) for kind in kinds)
        events = merge(profile, tmp_path / unit.value, start, end, unit)
        assert sum(e["ph"] == "X" for e in events) == expected > 0
        assert len(list((tmp_path / unit.value).iterdir())) == 1


def test_windows_of_a_file_without_an_epoch_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(_merged_lines, "WINDOW", 3)
    name = {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}}
    events = [{"name": "a", "ph": "X", "pid": 1, "ts": 5_000_000_000 + 700_000 * i, "dur": 4} for i in range(12)]
    path = tmp_path / "job/framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([name, *events]))
    merged = merge(tmp_path / "job", tmp_path, 0, FOREVER)
    assert [row[0] for row in intervals(merged)] == [event["ts"] for event in events]
