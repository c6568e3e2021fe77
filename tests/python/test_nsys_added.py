"""Cases that generated exports of Nsight Systems lack: added to an export, or changed like later versions."""

import json
import shutil
import sqlite3

import pytest

import tracelake as tl
from test_nsys import CUPTI, contents, generate_exports, kinds, rows

TIMES = ("start", "end", "timestamp", "startedAt", "endedAt")


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """An export of one rank, its truth, and its rows."""
    folder = tmp_path_factory.mktemp("original")
    (truth,) = generate_exports(folder, "--ranks", "1", "--steps", "3")["ranks"]
    file = folder / truth["file"]
    with tl.open(file, run="r", ephemeral=True) as session:
        yield file, truth, contents(session)


@pytest.fixture
def open_changed(original, tmp_path):
    """Changes a copy of the export by SQL statements or a function; opens a session over the result."""
    sessions = []

    def change(*statements, more=None):
        file = shutil.copy(original[0], tmp_path / f"{len(sessions)}-{original[0].name}")
        base = sqlite3.connect(file)
        for statement in statements:
            base.execute(statement)
        if more:
            more(base)
        base.commit()
        base.close()
        sessions.append(tl.open(file, run="r", ephemeral=True))
        return sessions[-1]

    yield change
    for session in sessions:
        session.close()


def range_of(original, nth, text, begin, end, **columns):
    """Returns a statement that adds an NVTX range inside a step: from `begin` to `end` ns after its start."""
    _, truth, _ = original
    step = truth["steps"][nth]["ts"] - truth["session_start"]
    main = (1 << 48) | truth["pid"] << 24 | truth["pid"]
    values = {"start": step + begin, "end": step + end, "eventType": 59, "globalTid": main, "domainId": 0} | columns
    return (
        f"insert into NVTX_EVENTS (text, {', '.join(values)}) values ('{text}', {', '.join(map(str, values.values()))})"
    )


def event(session, name):
    """Returns the event of this name."""
    (row,) = rows(session, "select category, name, ts, dur, args from event where name = $name", name=name)
    return row | {"args": json.loads(row["args"] or "{}")}


@pytest.mark.parametrize(
    ("text", "name", "sequence"),
    [
        ("aten::addmm, seq = 123, sizes = [[8, 4], []], op_id = 9", "aten::addmm", 123),
        ("aten::addmm, seq = 123, sizes = [[8, 4], []]", "aten::addmm", 123),
        ("aten::mm, op_id = 9", "aten::mm", None),
        ("AddmmBackward0, seq = 7, sizes = [[8, 4]]", "AddmmBackward0", 7),
        ("aten::relu", "aten::relu", None),
    ],
)
def test_operators_of_pytorch_are_read(original, open_changed, text, name, sequence):
    session = open_changed(range_of(original, 0, text, 10, 20))
    actual = event(session, name)
    assert (actual["category"], actual["dur"]) == ("operator", 10)
    assert actual["args"].get("Sequence number") == sequence
    assert ("Input Dims" in actual["args"]) == ("sizes" in text)
    if "sizes = [[8, 4], []]" in text:
        assert actual["args"]["Input Dims"] == [[8, 4], []]
    assert [row["name"] for row in session.operator.summary().rows()] == [name]


def test_steps_are_the_outermost_pattern(original, open_changed):
    added = [range_of(original, nth, f"batch {10 * nth + 5}", 10, 900) for nth in range(3)]
    session = open_changed(*added)
    steps = original[1]["steps"]
    actual = rows(session, "select step, dur from step order by step")
    assert actual == [{"step": step["step"], "dur": step["dur"]} for step in steps]
    assert event(session, "batch 15")["category"] == "annotation"


@pytest.mark.parametrize("text", ["iteration{}", "Iter {}", "step_{}", "train step {}", "global_step={}", "batch: {}"])
def test_steps_with_other_names_are_recognized(original, open_changed, text):
    renamed = [
        f"update NVTX_EVENTS set text = '{text.format(step['step'] + 40)}' where text = 'iteration {step['step']}'"
        for step in original[1]["steps"]
    ]
    actual = rows(open_changed(*renamed), "select step, ts, dur from step order by step")
    assert [(row["step"] - 40, row["ts"], row["dur"]) for row in actual] == [
        (step["step"], step["ts"], step["dur"]) for step in original[1]["steps"]
    ]


def test_no_steps_are_invented(open_changed):
    session = open_changed("update NVTX_EVENTS set text = 'epoch ' || substr(text, 11) where text like 'iteration %'")
    assert len(session.table("step")) == 0
    # `data` is then a range like any other
    assert len(session.table("loader")) == 0
    assert len(session.kernel.summary()) > 0


def test_steps_that_the_user_names(original, tmp_path):
    with tl.open(tmp_path / "lake", create=True) as lake:
        lake.ingest(original[0], run="r", step_annotation="forward")
        assert [row["step"] for row in rows(lake, "select step from step order by step")] == [0, 1, 2]


def test_placeholders_for_null_of_2021_are_null(original, open_changed):
    """According to NVIDIA's reference of 2021.5, their texts are empty and their ends 0."""
    session = open_changed(
        range_of(original, 0, "never closed", 10, 20),
        "update NVTX_EVENTS set \"end\" = 0 where text = 'never closed'",
        "insert into StringIds (id, value) values (999999, 'registered')",
        range_of(original, 0, "", 10, 20, textId=999999, uint64Value=0, int64Value=0, doubleValue=2.5),
    )
    actual = event(session, "never closed")
    assert (actual["dur"], actual["args"]["open"]) == (None, True)
    assert kinds(session)["open_range"] == 2, "the generator has another one"
    actual = event(session, "registered")
    assert (actual["dur"], actual["args"]["payload"]) == (10, 2.5)


def test_host_memory_is_not_device_memory(original, open_changed):
    _, truth, _ = original
    columns = "start, deviceId, contextId, address, pc, globalPid, bytes, memKind, memoryOperationType"
    select = "select start + 100 * {}, deviceId, contextId, address, pc, globalPid, {}, {}, {}"
    last = "from CUDA_GPU_MEMORY_USAGE_EVENTS order by start desc limit 1"
    more = [(1, 1 << 33, 1, 0), (1, 1 << 20, 2, 0), (1, 1 << 33, 1, 1), (1, 1 << 24, 2, 1)]
    session = open_changed(
        *(f"insert into CUDA_GPU_MEMORY_USAGE_EVENTS ({columns}) {select.format(*values)} {last}" for values in more)
    )
    sql = "select device, bytes, allocated_bytes from allocation order by ts"
    before = truth["allocated_bytes"]
    assert [tuple(row.values()) for row in rows(session, sql)][2:] == [
        ("cpu", 1 << 33, 1 << 33),
        ("gpu0", 1 << 20, before + (1 << 20)),
        ("cpu", -(1 << 33), 0),
        ("gpu0", -(1 << 24), before + (1 << 20) - (1 << 24)),
    ]
    peaks = {row["device"]: row["peak_bytes"] for row in session.memory.peak().rows()}
    assert peaks == {"cpu": 1 << 33, "gpu0": before + (1 << 20)}


def test_the_loader_of_pytorch_is_read(original, open_changed):
    mark = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    session = open_changed(range_of(original, 0, mark, 10, 20))
    assert event(session, mark)["category"] == "loader"
    assert rows(session, "select count(*) as n from loader where kind = 'next'") == [{"n": 4}]


def test_utilization_equals_nsys(open_changed):
    session = open_changed(
        "insert into TARGET_INFO_GPU_METRICS select typeId, sourceId, typeName, 1, 'GR Active [Throughput %]' "
        "from TARGET_INFO_GPU_METRICS where metricId = 3",
        "insert into GPU_METRICS select rawTimestamp, timestamp, typeId, 1, 50 from GPU_METRICS where metricId = 3",
    )
    sql = "select distinct metric, device, value, unit, raw_name from sample where metric = 'utilization'"
    name = "GR Active [Throughput %]"
    assert rows(session, sql) == [
        {"metric": "utilization", "device": "gpu0", "value": 50.0, "unit": "percent", "raw_name": name}
    ]


def shift_times(offset):
    """Shifts every time of an export."""

    def shift(base):
        for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
            for _, column, *_ in base.execute(f"pragma table_info({table})").fetchall():
                if column in TIMES:
                    base.execute(f"update {table} set {column} = {column} + {offset} where {column} <> 0")

    return shift


def test_times_since_the_epoch_are_not_shifted(original, open_changed):
    flag = "update META_DATA_EXPORT set value = 'true' where name = 'EXPORT_PARAM_TIME_NORMALIZE'"
    session = open_changed(flag, more=shift_times(original[1]["session_start"]))
    assert contents(session, ["event", "step", "sample"]) == {
        table: original[2][table] for table in ("event", "step", "sample")
    }


def test_shifted_times_are_corrected(original, open_changed):
    offset = 7_000_000_001
    flag = f"update META_DATA_EXPORT set value = '{offset}' where name = 'EXPORT_PARAM_TIME_SHIFT'"
    session = open_changed(flag, more=shift_times(offset))
    assert contents(session, ["event", "step", "sample"]) == {
        table: original[2][table] for table in ("event", "step", "sample")
    }


def turned(table):
    """Returns statements that reverse the rows of a table."""
    return (
        f"create table turned as select * from {table} order by rowid desc",
        f"delete from {table}",
        f"insert into {table} select * from turned order by rowid",
        "drop table turned",
    )


def without_columns(rows_with_args, *keys, stack=True):
    """Returns rows without some columns, and events without their stacks."""
    rows = [{key: row[key] for key in row if key not in keys} for row in rows_with_args]
    for row in rows:
        if not stack and row.get("args"):
            args = json.loads(row["args"])
            args.pop("stack", None)
            row["args"] = args or None
    return sorted(rows, key=repr)


@pytest.mark.parametrize("table", ["NVTX_EVENTS", f"{CUPTI}RUNTIME", f"{CUPTI}KERNEL", f"{CUPTI}MEMCPY", "GPU_METRICS"])
def test_rows_can_be_in_any_order(original, open_changed, table):
    session = open_changed(*turned(table))
    # Of calls that begin and end together, the first row encloses the others.
    changed = ("row", "parent_row", "call_path", "python_path")
    for kind in ("event", "step", "loader", "sample"):
        assert contents(session, [kind], changed)[kind] == without_columns(original[2][kind], *changed)


@pytest.mark.parametrize("table", ["OSRT_CALLCHAINS", "OSRT_API", "SAMPLING_CALLCHAINS"])
def test_unordered_stacks_are_read_or_counted(original, open_changed, table):
    session = open_changed(*turned(table))
    actual = contents(session, ["event"])["event"]
    # samples have their name from their stack
    of_calls = [row for row in actual if row["raw_category"] != "COMPOSITE_EVENTS"]
    expected = [row for row in original[2]["event"] if row["raw_category"] != "COMPOSITE_EVENTS"]
    assert without_columns(of_calls, "row", stack=False) == without_columns(expected, "row", stack=False)
    stacks, all_stacks = (
        str([row["args"] for row in each]).count('"stack"') for each in (actual, original[2]["event"])
    )
    assert len(actual) == len(original[2]["event"])
    lost = sum(n for kind, n in kinds(session).items() if "chain" in kind)
    assert lost == all_stacks - stacks


def test_columns_can_be_missing_or_new(original, open_changed):
    kernel, call = f"{CUPTI}KERNEL", f"{CUPTI}RUNTIME"
    session = open_changed(
        f"alter table {kernel} drop column mangledName",
        f"alter table {call} drop column callchainId",
        "alter table NVTX_EVENTS drop column color",
        f"alter table {kernel} add column novelty INTEGER NOT NULL DEFAULT 7",
    )
    assert contents(session, ["event"]) == {"event": original[2]["event"]}


def test_a_schema_with_comments_is_read(original, open_changed):
    """The names of columns are between comments with commas, parentheses, quotes and keywords."""
    table = "OSRT_API"
    columns = {
        "start": "Event start (ns), the profiler's own.",
        "end": "Event end timestamp (ns).",
        "eventClass": "REFERENCES ENUM_NSYS_EVENT_CLASS(id)",
        "globalTid": "Serialized GlobalId.",
        "nameId": "REFERENCES StringIds(id) -- Function name",
        "returnValue": "Part of PRIMARY KEY (id, stackDepth).",
        "nestingLevel": 'Zero-base index, "depth".',
        "callchainId": "REFERENCES OSRT_CALLCHAINS(id)",
        "argumentsId": "Experimental.",
    }
    *most, last = [f"    {name:<20} INTEGER,  -- {comment}" for name, comment in columns.items()]
    body = "\n".join([*most, last.replace(",  --", "   --")])
    session = open_changed(
        f"alter table {table} rename to replaced",
        f"CREATE TABLE {table} (\n    -- Calls, of any kind (traced).\n\n{body}\n)",
        f"insert into {table} select {', '.join(columns)} from replaced order by rowid",
        "drop table replaced",
    )
    actual = [row for row in contents(session, ["event"], ["row"])["event"] if row["raw_category"] == table]
    left = [{key: row[key] for key in row if key != "row"} for row in original[2]["event"]]
    assert actual == sorted((row for row in left if row["raw_category"] == table), key=repr)


def test_long_texts_are_complete(open_changed):
    """The texts span several pages."""
    name = "void kernel<" + ", ".join(f"argument_{n}" for n in range(2000)) + ">(int)"
    session = open_changed(f"update StringIds set value = '{name}' where value = 'ampere_sgemm_128x64_tn'")
    actual = rows(session, "select distinct name from event where name like 'void kernel<%'")
    assert actual == [{"name": name}]


def test_missing_texts_are_shown_as_their_number(open_changed):
    session = open_changed("delete from StringIds where value = 'cudaGraphLaunch_v10000'")
    names = {row["name"] for row in rows(session, "select name from event where raw_category like '%RUNTIME'")}
    assert len([name for name in names if name.startswith("[string ")]) == 1
    assert len(session.table("problem")) > 0


def test_a_stream_for_all_streams_is_null_and_a_thread_can_have_no_name(open_changed):
    session = open_changed("delete from ThreadNames")
    tracks = {row["track"] for row in rows(session, "select distinct track from event where raw_category = 'OSRT_API'")}
    assert all(track.removeprefix("thread ").isdigit() for track in tracks)
    actual = rows(
        session, "select distinct name, stream from event where category = 'sync' and name like '%Synchronize'"
    )
    assert {row["name"]: row["stream"] for row in actual} == {
        "cudaStreamSynchronize": 13,
        "cudaDeviceSynchronize": None,
    }


def test_a_call_and_the_same_call_inside_it_count_once(original, open_changed):
    # Some versions record `cudaLaunchKernel`, and in it `cudaLaunchKernel_v7000` with the same correlation.
    def repeat(base):
        calls = base.execute(
            "select r.rowid, s.value from CUPTI_ACTIVITY_KIND_RUNTIME r join StringIds s on s.id = nameId"
        )
        versioned = [(rowid, name) for rowid, name in calls.fetchall() if "_v" in name]
        assert versioned
        (last,) = base.execute("select max(id) from StringIds").fetchone()
        ids = {name: last + 1 + place for place, name in enumerate({name for _, name in versioned})}
        base.executemany(
            "insert into StringIds (id, value) values (?, ?)",
            [(number, name.rsplit("_v", 1)[0]) for name, number in ids.items()],
        )
        columns = [column[1] for column in base.execute("pragma table_info(CUPTI_ACTIVITY_KIND_RUNTIME)")]
        rest = ", ".join(column for column in columns if column != "nameId")
        outer = [(ids[name], rowid) for rowid, name in versioned]
        base.executemany(
            f"insert into CUPTI_ACTIVITY_KIND_RUNTIME (nameId, {rest}) "
            f"select ?, {rest} from CUPTI_ACTIVITY_KIND_RUNTIME where rowid = ?",
            outer,
        )
        base.execute("create table sorted as select * from CUPTI_ACTIVITY_KIND_RUNTIME order by start, nameId desc")
        base.execute("delete from CUPTI_ACTIVITY_KIND_RUNTIME")
        base.execute("insert into CUPTI_ACTIVITY_KIND_RUNTIME select * from sorted")
        base.execute("drop table sorted")

    calls = "select name, n, dur_sum from runtime_summary order by name"
    with tl.open(original[0], run="r", ephemeral=True) as session:
        expected = rows(session, calls)
    assert rows(open_changed(more=repeat), calls) == expected


KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"


def test_a_table_with_a_suffix_is_read_if_it_has_the_columns(original, open_changed):
    session = open_changed(f"alter table {KERNELS} rename to {KERNELS}_V2")
    work = "select name, ts, dur, correlation from device_work order by ts, name, correlation"
    with tl.open(original[0], run="r", ephemeral=True) as unchanged:
        assert rows(session, work) == rows(unchanged, work)
    assert f"not_read:{KERNELS}_V2" not in kinds(session)


RATIOS = {
    "step_breakdown": ["exposed_loader_ratio"],
    "step_loader_share": ["exposed_loader_ratio", "ratio_p50", "ratio_max"],
    "kernel_temporal_breakdown": ["computation_ratio", "non_computation_ratio", "idle_ratio"],
    "kernel_comm_overlap": ["overlap_ratio"],
    "utilization_gpu_from_kernels": ["gpu_utilization"],
    "kernel_summary": ["ratio"],
    "kernel_by_type": ["ratio"],
    "kernel_idle_breakdown": ["ratio"],
    "kernel_occupancy": ["gpu_utilization", "tensor_core_ratio"],
}


def test_shares_of_what_was_read_are_known(original):
    with tl.open(original[0], run="r", ephemeral=True) as session:
        for query, ratios in RATIOS.items():
            shares = rows(session, f"select {', '.join(ratios)} from {query}")
            assert shares, query
            assert query == "kernel_comm_overlap" or None not in {value for row in shares for value in row.values()}


def test_without_its_columns_no_share_is_known(open_changed):
    # Of the two kinds of work, the other one is read.
    for table in ("CUPTI_ACTIVITY_KIND_MEMCPY", KERNELS):
        session = open_changed(
            f"alter table {table} rename to {table}_V2",
            f"alter table {table}_V2 rename column deviceId to device",
        )
        for query, ratios in RATIOS.items():
            shares = rows(session, f"select {', '.join(ratios)} from {query}")
            assert shares or table == KERNELS, query
            assert {value for row in shares for value in row.values()} <= {None}, query
        (metrics,) = rows(session, "select idle_s, gpu_s from job_key_metrics")
        assert set(metrics.values()) == {None}
        diagnosis = session.diagnose()
        assert "GPU utilization is" not in str(diagnosis)
        for figure in ("temporal_breakdown", "step_breakdown"):
            assert table == KERNELS or "could not be read" in session.figure(figure).to_json()
    session = open_changed(
        f"alter table {KERNELS} rename to {KERNELS}_V2",
        f"alter table {KERNELS}_V2 rename column deviceId to device",
    )
    (problem,) = rows(session, f"select severity, class, message from problem where kind = 'not_read:{KERNELS}_V2'")
    assert (problem["severity"], problem["class"]) == ("warning", "not_read")
    assert "it lacks deviceId" in problem["message"]
    (shares,) = rows(session, "select * from job_time_shares")
    unknown = ("device", "compute_ratio", "communication_ratio", "host_ratio")
    assert {shares[name] for name in unknown} == {None}
    (verdict,) = rows(session, "select verdict from job_verdict")
    assert verdict["verdict"] == "no_data"
    assert [row["n"] for row in rows(session, "select n from unread_device")] == [1]
