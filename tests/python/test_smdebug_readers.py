"""Readers and parsers of `tracelake.smdebug`, compared with plain readers of the same files, on disk and on S3."""

import gzip
import json
import shutil
from datetime import datetime, timezone
from pathlib import Path

import pytest

from smdebug_raw import measurements, timelines
from tracelake.errors import ArgumentError
from tracelake.smdebug import profiler as package
from tracelake.smdebug.profiler import (
    HorovodProfilerEvents,
    LocalAlgorithmMetricsReader,
    LocalSystemMetricsReader,
    ProfilerSystemEvents,
    S3AlgorithmMetricsReader,
    S3SystemMetricsReader,
    SMDataParallelProfilerEvents,
    SMProfilerEvents,
    TensorboardProfilerEvents,
    TraceEvent,
    python_profile_utils,
    python_profiler,
)
from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
from tracelake.smdebug.profiler.utils import TimeUnits

pytestmark = pytest.mark.slow

FOREVER = 2**61
PROFILES = ["pt_small", "real_tf2_plus_system"]


@pytest.fixture(scope="module", params=["first_look", "several nodes", *PROFILES])
def some_profile(request, profile, generate):
    if request.param == "first_look":
        return profile
    if request.param == "several nodes":
        return generate(nodes=2, ranks=2, gpus=2, steps=20, minutes=2, horovod=1)
    return request.getfixturevalue("shared") / "data" / "sagemaker" / request.param


def as_rows(events):
    return [(e.start_time, e.event_name, e.duration, e.event_phase, e.node_id, e.event_args) for e in events]


def as_measurements(events):
    return [(e.type, e.name, e.dimension, e.value, e.node_id, e.timestamp) for e in events]


def windows(first, last):
    """Yields ranges: everything, one second, one moment, and a range without events."""
    middle = (first + last) // 2
    return [(first, last), (middle, middle + 1_000_000), (middle, middle), (0, 1)]


def test_timelines_equal_the_files(some_profile):
    expected = timelines(some_profile)
    reader = LocalAlgorithmMetricsReader(str(some_profile))
    first, last = min(row[0] for row in expected), max(row[0] + row[2] for row in expected)
    # both ends are inclusive
    edges = [
        (expected[0][0] + expected[0][2], expected[0][0] + expected[0][2] + 1),
        (expected[1][0] - 1, expected[1][0]),
    ]
    for start, end in [*windows(first, last), *edges]:
        inside = [row[:6] for row in expected if row[0] + row[2] >= start and row[0] <= end]
        assert as_rows(reader.get_events(start, end)) == inside
    kinds = {row[6].rsplit("_", 2 if "python" not in row[6] else 1)[-2:][-1] for row in expected}
    for kind in kinds:
        actual = reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS, file_suffix_filter=[kind])
        assert as_rows(actual) == [row[:6] for row in expected if row[6].endswith(kind)]


def test_measurements_equal_the_files(some_profile):
    expected = measurements(some_profile)
    reader = LocalSystemMetricsReader(some_profile)
    assert as_measurements(reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) == expected
    moments = [round(row[5] * 1_000_000) for row in expected]
    for start, end in [*windows(min(moments), max(moments)), (moments[7], moments[7])]:
        inside = [row for row, ts in zip(expected, moments, strict=True) if start <= ts <= end]
        assert as_measurements(reader.get_events(start, end)) == inside
        for kind in {row[0] for row in expected}:
            of_kind = [row for row in inside if row[0] == kind]
            assert as_measurements(reader.get_events(start, end, event_type=kind)) == of_kind


def test_a_range_of_steps_starts_and_ends_at_the_first_event_of_a_step(some_profile):
    expected = timelines(some_profile)
    steps = [
        (row[0], int(row[5]["step_num"])) for row in expected if "python" in row[6] and "step_num" in (row[5] or {})
    ]
    reader = LocalAlgorithmMetricsReader(str(some_profile))
    for first, last in [(2, 4), (0, 1), (3, 3)]:
        start, end = (min(ts for ts, number in steps if number == step) for step in (first, last))
        inside = [row[:6] for row in expected if row[0] + row[2] >= start and row[0] <= end - 1]
        assert as_rows(reader.get_events_by_step(first, last)) == inside
    beyond = max(number for _, number in steps) + 5
    start = min(ts for ts, number in steps if number == 2)
    inside = [row[:6] for row in expected if row[0] + row[2] >= start]
    assert as_rows(reader.get_events_by_step(2, beyond)) == inside


def test_a_step_that_was_not_recorded_has_no_events(profile, caplog):
    assert LocalAlgorithmMetricsReader(str(profile)).get_events_by_step(1_000_000, 1_000_001) == []
    assert "no step 1000000" in caplog.text


def test_time_units_are_converted(profile):
    reader = LocalSystemMetricsReader(str(profile))
    expected = reader.get_events(1_600_000_230_000_000, 1_600_000_231_000_000)
    assert expected
    for unit, factor in [(TimeUnits.SECONDS, 1), (TimeUnits.MILLISECONDS, 10**3), (TimeUnits.NANOSECONDS, 10**9)]:
        actual = reader.get_events(1_600_000_230 * factor, 1_600_000_231 * factor, unit)
        assert as_measurements(actual) == as_measurements(expected)


def test_events_of_a_phase_share_number_and_threads(some_profile):
    reader = LocalAlgorithmMetricsReader(str(some_profile))
    events = reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)
    for event in events:
        assert event.process_info.name == event.event_phase
        assert event.process_info.id == event.phase_pid
        thread = event.process_info.get_thread_info(event.phase_tid)
        assert thread.thread_name.startswith(event.node_id)
        assert 0 <= event.tid < 2**31
        assert event.pid == (event.event_args or {}).get("pid", event.phase_pid)
    numbers = {(event.file_type, event.event_phase): event.phase_pid for event in events}
    assert len({(kind, number) for (kind, _), number in numbers.items()}) == len(numbers)
    again = LocalAlgorithmMetricsReader(str(some_profile)).get_events(0, FOREVER, TimeUnits.NANOSECONDS)
    assert [event.tid for event in again] == [event.tid for event in events]


def test_parsers_agree_with_readers(some_profile):
    parser = SMProfilerEvents()
    for file in sorted(some_profile.rglob("*_pythontimeline.json")):
        parser.clear_events()
        parser.read_events_from_file(str(file))
        reader = LocalAlgorithmMetricsReader(str(some_profile))
        actual = reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS, file_suffix_filter=[file.name])
        assert as_rows(parser.get_all_events()) == as_rows(actual)
        assert [event.tid for event in parser.get_all_events()] == [event.tid for event in actual]
    parser = ProfilerSystemEvents()
    for file in sorted(some_profile.rglob("system/incremental/**/*.json")):
        parser.read_events_from_file(file)
    assert as_measurements(parser.get_all_events()) == measurements(some_profile)


def test_get_all_event_parsers_have_all_events(profile):
    parsers = LocalAlgorithmMetricsReader(str(profile)).get_all_event_parsers()
    assert [len(parser.get_all_events()) for parser in parsers] == [len(timelines(profile)), 0, 0, 0, 0, 0]
    (parser,) = LocalSystemMetricsReader(str(profile)).get_all_event_parsers()
    assert as_measurements(parser.get_all_events()) == measurements(profile)


def test_file_times_are_returned(some_profile):
    ends = [int(file.name.split("_")[0]) for file in some_profile.rglob("pevents/*/*.json")]
    reader = LocalAlgorithmMetricsReader(str(some_profile))
    assert reader.get_current_time_range_for_event_query() == (min(ends), max(ends))
    assert reader.get_timestamp_of_first_available_file() == min(ends)
    assert reader.get_timestamp_of_latest_available_file() == max(ends)


def test_an_empty_profile_has_no_events(tmp_path):
    (tmp_path / "system").mkdir()
    for reader in (LocalSystemMetricsReader(tmp_path), LocalAlgorithmMetricsReader(tmp_path)):
        assert reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS) == []
        assert reader.get_events_by_step(1, 2) == []
        assert reader.get_current_time_range_for_event_query() == (0, 0)


def test_new_files_of_a_running_job_are_read(profile, tmp_path):
    root = tmp_path / "running" / "profiler-output"
    files = sorted(profile.rglob("system/incremental/*/*.json"))
    for count in (1, len(files)):
        for file in files[:count]:
            target = root / file.relative_to(profile)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, target)
        if count == 1:
            reader = LocalSystemMetricsReader(str(root))
        assert len(reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) == len(measurements(root))
    assert reader.get_timestamp_of_latest_available_file() == 1_600_000_320_000_000


def test_variables_of_the_environment_have_no_effect(profile, monkeypatch):
    for name in ("TIME_BUFFER_MICROSECONDS", "TRAILING_DURATION_MICROSECONDS"):
        monkeypatch.setenv(name, "1")
    reader = LocalAlgorithmMetricsReader(str(profile), use_in_memory_cache=True)
    assert as_rows(reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) == [row[:6] for row in timelines(profile)]


def test_frames_and_readers_have_the_same_thread_numbers(profile):
    frame = PandasFrame(str(profile)).get_all_framework_metrics()
    events = LocalAlgorithmMetricsReader(str(profile)).get_events(0, FOREVER, TimeUnits.NANOSECONDS)
    unnumbered = [("cpu_functions" in e.event_phase or "gpu_functions" in e.event_phase) for e in events]
    actual = [(tid, e.tid) for tid, e, skip in zip(frame["tid"], events, unnumbered, strict=True) if not skip]
    assert len(actual) > 500
    assert all(ours == theirs for ours, theirs in actual)


def test_event_type_is_refused_for_timelines(profile):
    with pytest.raises(TypeError, match="event_type is for system metrics"):
        LocalAlgorithmMetricsReader(str(profile)).get_events(0, 1, event_type="cpu")


@pytest.fixture
def trace(tmp_path):
    """Writes a trace of the TensorFlow profiler with a thread name; returns it and the path of its metadata."""
    folder = tmp_path / "tf" / "framework" / "tensorflow" / "detailed_profiling" / "2020091312" / "000000005"
    events = [
        {"ph": "M", "name": "process_name", "pid": 7, "args": {"name": "/host:CPU"}},
        {"ph": "M", "name": "thread_name", "pid": 7, "tid": 70, "args": {"name": 'tf_"Compute"'}},
        {"ph": "X", "name": "MatMul", "pid": 7, "tid": 70, "ts": 10.25, "dur": 4, "args": {"group_id": "1"}},
        {"ph": "X", "name": "Add", "pid": 7, "tid": 70, "ts": 20, "dur": 1},
        {},
    ]
    file = folder / "plugins" / "profile" / "2020_09_13" / "ip-1.ec2.trace.json.gz"
    file.parent.mkdir(parents=True)
    file.write_bytes(gzip.compress(json.dumps({"displayTimeUnit": "ns", "traceEvents": events}).encode()))
    return file, folder / "12-algo-1_1600000200000000_1600000260000000.metadata"


def test_traces_of_the_tensorflow_profiler_are_read(trace, capsys):
    file, metadata = trace
    metadata.touch()
    parser = TensorboardProfilerEvents()
    parser.read_events_from_file(str(file))
    assert capsys.readouterr().out == f"Reading event from tracefile:{file} and node_id:ip-1\n"
    reader = LocalAlgorithmMetricsReader(str(file.parents[7]))
    assert reader.get_timestamp_of_latest_available_file() == 1_600_000_260_000_000
    for events in (parser.get_all_events(), reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)):
        assert as_rows(events) == [
            (1_600_000_200_000_010.25, "MatMul", 4, "/host:CPU", "ip-1", {"group_id": "1"}),
            (1_600_000_200_000_020, "Add", 1, "/host:CPU", "ip-1", None),
        ]
        assert [event.tid for event in events] == [70, 70]
        assert events[0].process_info.get_thread_info(70).thread_name == 'ip-1_tf_"Compute"'
        assert events[0].file_type == "TFProfilerMetrics"


def test_times_without_a_known_start_count_from_0(trace):
    file, _ = trace
    reader = LocalAlgorithmMetricsReader(str(file.parents[7]))
    assert [event.start_time for event in reader.get_events(0, 15)] == [10.25]
    assert reader.get_events(0, 15)[0].event_args == {"group_id": "1"}
    parser = TensorboardProfilerEvents()
    parser.read_events_from_file(file)
    assert [event.start_time for event in parser.get_events_within_time_range(0, 15)] == [10.25]


def test_a_parser_returns_its_events_in_several_ways():
    parser = HorovodProfilerEvents()
    parser.read_events_from_json_data(
        [
            {"ph": "M", "name": "process_name", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1_000_000}},
            {"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "gradient"}},
            {"ph": "B", "name": "NEGOTIATE", "pid": 1, "ts": 5},
            {"ph": "X", "name": "0", "pid": 1, "ts": 6, "dur": 1, "args": {"pid": 44, "thread_id": 45}},
            {"ph": "E", "pid": 1, "ts": 9},
            {"ph": "E", "pid": 1, "ts": 10},
            {"ph": "i", "name": "CYCLE_START", "pid": 1, "ts": 7, "s": "g"},
            {"ph": "X", "name": "no dur", "pid": 1, "ts": 8},
            {"ph": "C", "name": "counter", "pid": 1, "ts": 8, "args": {"n": 1}},
            {"ph": "X", "name": "no args", "pid": 1, "ts": 8, "dur": 1, "args": ["n"]},
            "no event",
            {},
        ],
        "0-algo-1",
    )
    assert [(e.event_name, e.start_time, e.end_time) for e in parser.get_all_events()] == [
        ("0", 1_000_006, 1_000_007),
        ("NEGOTIATE", 1_000_005, 1_000_009),
    ]
    assert [e.event_name for e in parser.get_events_start_time_sorted()] == ["NEGOTIATE", "0"]
    assert [e.event_name for e in parser.get_events_end_time_sorted()] == ["0", "NEGOTIATE"]
    assert [e.event_name for e in parser.get_events_within_time_range(1.000008, 1.1, TimeUnits.SECONDS)] == [
        "NEGOTIATE"
    ]
    assert [e.event_name for e in parser.get_events_for_process(44, 0, 2_000_000)] == ["0"]
    assert [e.event_name for e in parser.get_events_for_thread(45, 0, 2_000_000)] == ["0"]
    start, end = (datetime.fromtimestamp(second, tz=timezone.utc) for second in (1, 2))
    assert len(parser.get_events_within_range(start, end)) == 2
    assert parser.get_process_info(1).name == "gradient"
    assert {process.name for process in parser.get_processes().values()} == {"Unknown", "gradient"}
    assert {event.node_id for event in parser.get_all_events()} == {"algo-1-0"}
    parser.clear_events()
    assert parser.get_all_events() == []


def test_begin_and_end_of_an_interval_match_by_thread_and_time_base():
    parser = SMDataParallelProfilerEvents()
    base = {"ph": "M", "name": "process_name", "pid": 0}
    parser.read_events_from_json_data(
        [
            {**base, "args": {"start_time_since_epoch_in_micros": 1000}},
            {"ph": "B", "name": "one", "pid": 1, "tid": 1, "ts": 5},
            {"ph": "B", "name": "two", "pid": 1, "tid": 2, "ts": 6},
            {"ph": "E", "pid": 1, "tid": 1, "ts": 7, "args": {"n": 1}},
            {**base, "args": {"start_time_since_epoch_in_micros": 2000}},
            {"ph": "E", "pid": 1, "tid": 2, "ts": 8},
        ],
        "0-algo-1",
    )
    actual = [(e.event_name, e.start_time, e.end_time, e.event_args) for e in parser.get_all_events()]
    assert actual == [("one", 1005, 1007, {"n": 1}), ("two", 1006, 2008, None)]


def test_an_event_is_written_like_a_line_of_a_timeline():
    event = TraceEvent(5, "mark", 0, 1, 0, {"s": "g", "n": 1}, "algo-1-0", "i", "")
    assert event.to_json() == event.to_json()
    assert event.event_args == {"s": "g", "n": 1}
    event.event_args = None
    assert json.loads(event.to_json()) == {"name": "mark", "pid": 0, "tid": 0, "ph": "i", "ts": 5}


def test_parsers_skip_only_malformed_lines(tmp_path, caplog):
    lines = [json.dumps({"ph": "X", "name": name, "pid": 1, "ts": ts, "dur": 1}) + "," for ts, name in enumerate("abc")]
    file = tmp_path / "1600000200000000_0-algo-1_pythontimeline.json"
    for text, names in [
        ("\n".join(["[", *lines])[:-20], "ab"),
        ("\n".join(["[", lines[0], "{oops", lines[2], "]"]), "ac"),
    ]:
        file.write_text(text)
        parser = SMProfilerEvents()
        parser.read_events_from_file(file)
        assert [event.event_name for event in parser.get_all_events()] == list(names)
    file.write_text("")
    SMProfilerEvents().read_events_from_file(file)
    SMProfilerEvents().read_events_from_file(tmp_path / "none")
    assert caplog.text.count("malformed") == 3
    assert "cannot read" in caplog.text
    system = tmp_path / "1600000200.algo-1.json"
    line = '{"Type": "cpu", "Dimension": "CPUUtilization", "Value": 1.5, "NodeId": "algo-1", "Timestamp": 1600000200.5}'
    system.write_text(f'{line}\n{{oops\n\n{{"Type": "cpu"}}\n{line}')
    parser = ProfilerSystemEvents()
    parser.read_events_from_file(system)
    assert [event.name for event in parser.get_all_events()] == [None, None]


def test_traces_that_are_not_local_are_refused():
    with pytest.raises(ArgumentError, match="expected a local file"):
        TensorboardProfilerEvents().read_events_from_file("s3://bucket/host.trace.json.gz")


# readable content of the profiles of `s3_edge_cases.json`; smdebug's two readers disagree about most of them
EDGE = {
    "system:ok": 3, "system:empty": 0, "system:blank_last": 3, "system:no_nl": 3, "system:trunc_last": 3,
    "system:garbage_last_nl": 3, "system:missing_name": 4, "system:missing_type_last": 3, "system:bad_middle": 3,
    "framework:ok": 3, "framework:no_close": 3, "framework:root_object": 3, "framework:empty": 0,
}  # fmt: skip


@pytest.fixture(scope="module")
def edge(shared):
    """Returns the cases as rows: profile, description, and smdebug's results on disk and on S3."""
    oracle = json.loads((shared / "oracle" / "sagemaker" / "s3_edge_cases.json").read_text())
    assert oracle.keys() == EDGE.keys()
    return [(shared / "data" / "sagemaker" / "edge_s3" / case.replace(":", "_"), case, oracle[case]) for case in oracle]


def test_malformed_events_are_skipped_everywhere(edge, s3, monkeypatch):
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    bucket = s3.bucket()
    for folder, case, original in edge:
        system = case.startswith("system")
        local = (LocalSystemMetricsReader if system else LocalAlgorithmMetricsReader)(str(folder))
        url = s3.upload(folder, bucket, f"jobs/{folder.name}/profiler-output")
        remote = (S3SystemMetricsReader if system else S3AlgorithmMetricsReader)(url)
        counts = [len(reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) for reader in (local, remote)]
        assert counts == [EDGE[case]] * 2, case
        read = [int(text.split()[0]) for text in original.values() if text.endswith("rows")]
        assert all(rows <= EDGE[case] for rows in read), case


def test_a_profile_on_s3_has_the_same_events(profile, s3, monkeypatch):
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    bucket = s3.bucket()
    # with and without a slash at the end; at the root of a bucket; below a folder
    urls = [s3.upload(profile, bucket, "job/profiler-output") + "/"]
    root = s3.bucket()
    for file in (file for file in profile.rglob("*") if file.is_file()):
        s3.client.put_object(Bucket=root, Key=file.relative_to(profile).as_posix(), Body=file.read_bytes())
    urls.append(f"s3://{root}")
    for url in urls:
        reader = S3AlgorithmMetricsReader(url)
        assert as_rows(reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) == [row[:6] for row in timelines(profile)]
        del s3.requests[:]
        system = S3SystemMetricsReader(url)
        assert as_measurements(system.get_events(0, FOREVER, TimeUnits.NANOSECONDS)) == measurements(profile)
        assert reader.get_events_by_step(2, 3)
        assert not [request for request in s3.requests if request.fetches_an_object]


def test_public_names_are_in_the_modules_of_smdebug():
    assert {"LocalSystemMetricsReader", "S3AlgorithmMetricsReader", "TraceEventParser"} <= set(dir(package))
    for name in dir(package):
        assert getattr(package, name) is not None
    assert Path(package.__file__).parent.name == "profiler"


def test_a_step_keeps_its_type(tmp_path):
    steps = ["0", 1, 2.0, "3", " 4"]
    for kind in ("pythontimeline", "model_timeline", "horovod_timeline"):
        lines = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 10**15}}]
        lines += [{"name": "a", "ph": "X", "pid": 1, "ts": 1, "dur": 1, "args": {"step_num": step}} for step in steps]
        path = tmp_path / f"job/framework/pevents/1/1600000277799788_0-algo-1_{kind}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(lines))
    reader = LocalAlgorithmMetricsReader(tmp_path / "job")
    actual = [event.event_args["step_num"] for event in reader.get_events(0, FOREVER, TimeUnits.NANOSECONDS)]
    assert list(map(repr, actual)) == list(map(repr, steps * 3))
    framework = PandasFrame(tmp_path / "job").get_all_framework_metrics()
    assert framework["step"].tolist() == [0, 1, 2, 3, 4] * 3


def test_the_start_of_the_time_scale_is_phase_0(profile, tmp_path):
    for parser in LocalAlgorithmMetricsReader(profile).get_all_event_parsers():
        phases = {event.phase_pid: event.event_phase for event in parser.get_all_events()}
        names = {number: phase.name for number, phase in parser.get_processes().items()}
        assert names == ({0: "Unknown", **phases} if phases else {})
    parser = TensorboardProfilerEvents()
    path = tmp_path / "host.trace.json.gz"
    order = {"name": "thread_sort_index", "ph": "M", "pid": 1, "tid": 3, "args": {"sort_index": 0}}
    event = {"name": "MatMul", "ph": "X", "pid": 1, "tid": 3, "ts": 1.001, "dur": 2}
    path.write_bytes(gzip.compress(json.dumps({"traceEvents": [order, event]}).encode()))
    parser.read_events_from_file(path)
    assert str(parser.get_processes()[0]) == "id:0 name:Unknown threads:{}"
    assert parser.get_processes()[1].get_thread_info(3).thread_name == "Unknown"
    assert (parser.get_all_events()[0].tid, parser.get_all_events()[0].start_time) == (3, 1.001)


def test_scripts_import_phases_from_python_profiler():
    assert python_profiler.StepPhase is python_profile_utils.StepPhase
    assert python_profiler.PythonProfileModes.TRAIN == 1


def test_readers_find_events_of_files_without_an_epoch(tmp_path):
    phases = [{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}}]
    steps = [
        {
            "name": "Step:ModeKeys.TRAIN",
            "ph": "X",
            "pid": 1,
            "ts": 1000 + 10 * i,
            "dur": 4,
            "args": {"step_num": str(i)},
        }
        for i in range(3)
    ]
    path = tmp_path / "job/framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(phases + steps))
    reader = LocalAlgorithmMetricsReader(tmp_path / "job")
    assert [event.start_time for event in reader.get_events(1005, 1012)] == [1010]
    assert [event.start_time for event in reader.get_events_by_step(1, 2)] == [1010]
    assert [event.start_time for event in reader.get_events_by_step(1, 9)] == [1010, 1020]


def test_an_argument_that_contains_a_step_is_not_the_step(tmp_path):
    args = {"step_num": "3", "nested": {"step_num": 7}}
    path = tmp_path / "job/framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([{"name": "a", "ph": "X", "pid": 1, "ts": 10**15, "dur": 4, "args": args}]))
    (event,) = LocalAlgorithmMetricsReader(tmp_path / "job").get_events(0, FOREVER, TimeUnits.NANOSECONDS)
    assert event.event_args == args


def test_phases_with_and_without_a_name_have_their_own_numbers(tmp_path):
    base = {"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 10**15}}
    name = {"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "P"}}
    events = [{"name": "a", "ph": "X", "pid": pid, "ts": 1, "dur": 1} for pid in (0, 1, 2)]
    path = tmp_path / "job/framework/pevents/1/1600000277799788_0-algo-1_pythontimeline.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([base, name, *events]))
    parser = LocalAlgorithmMetricsReader(tmp_path / "job").get_all_event_parsers()[0]
    assert {number: phase.name for number, phase in parser.get_processes().items()} == {
        0: "Unknown",
        1: "Unknown",
        2: "P",
    }
    for event in parser.get_all_events():
        process = parser.get_process_info(event.phase_pid)
        assert process is event.process_info
        assert process.get_thread_info(event.phase_tid).thread_name == "algo-1-0_0"
