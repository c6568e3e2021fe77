"""Two real exports of Nsight Systems against plain SQL over the same files."""

import json
import re
import shutil

import pytest

import tracelake as tl
from test_nsight_exports import union
from test_nsys import CUPTI, EVENTS, contents, counted, direction, kinds, of_tables, rows, sqlite_query, times
from test_nsys_parquet import convert, narrow_types, without_ordinals

pytestmark = pytest.mark.slow

# number of events of each export, and its number of nsys messages
REAL = {"nsight-2025.5.2": (784, 15), "perlmutter-cloverleaf-cuda": (10_614, 19)}
# columns with the number of the text of an event's name, without the version of an interface
NAMES = {
    f"{CUPTI}RUNTIME": "nameId",
    f"{CUPTI}KERNEL": "demangledName",
    f"{CUPTI}OVERHEAD": "nameId",
    "CUDA_GRAPH_EVENTS": "nameId",
    "OSRT_API": "nameId",
    "OSRT_FILE_ACCESS_EVENTS": "apiCallId",
    "PROFILER_OVERHEAD": "nameId",
}
VERSION = re.compile(r"_v\d{4,}$")


@pytest.fixture(scope="module", params=REAL)
def export(request, shared):
    """A shared export."""
    file = shared / "data" / "nsys" / f"{request.param}.sqlite"
    assert file.is_file(), f"{file} is missing"
    return file


@pytest.fixture
def ask(export):
    """Runs a query in SQLite."""
    with sqlite_query(export) as connection:
        yield connection


@pytest.fixture(scope="module")
def lake(export, tmp_path_factory):
    """A lake with only this export, and its folder."""
    folder = tmp_path_factory.mktemp("real") / "lake"
    with tl.open(folder, create=True) as session:
        report = session.ingest(export, run="r")
        assert report["read"] == 1
        yield session, folder


@pytest.fixture
def session(lake):
    """A session over the export."""
    return lake[0]


def test_every_row_of_every_table_is_an_event(export, ask, session):
    events, messages = REAL[export.stem]
    assert of_tables(session) == counted(ask)
    assert sum(of_tables(session).values()) == events
    (diagnostics,) = rows(session, "select sum(count) as n from problem where kind like 'nsys_diagnostic_%'")
    assert diagnostics["n"] == messages == ask("select count(*) from DIAGNOSTIC_EVENT")[0][0]
    assert len(rows(session, "select distinct object, row from event")) == events


def test_parquet_exports_give_the_same_rows(export, session, tmp_path):
    folder_export = convert(export, tmp_path / "job" / f"{export.stem}_pqtdir", narrow_types)
    with tl.open(folder_export.parent, run="r", ephemeral=True) as other:
        assert without_ordinals(other) == without_ordinals(session)
        assert kinds(other) == kinds(session)


def test_times_count_from_the_epoch(ask, session):
    ((begun,),) = ask("select utcEpochNs from TARGET_INFO_SESSION_START_TIME")
    for table in counted(ask):
        actual = rows(session, "select ts, dur from event where raw_category = $source order by row", source=table)
        expected = [(None if ts is None else begun + ts, dur) for ts, dur in times(ask, table)]
        assert [(row["ts"], row["dur"]) for row in actual] == expected, table


def test_time_of_kernels_equals_sql(export, ask, session):
    kernel = f"{CUPTI}KERNEL"
    ((begun,),) = ask("select utcEpochNs from TARGET_INFO_SESSION_START_TIME")
    ((n, dur, first, last),) = ask(f"select count(*), sum(end - start), min(start), max(end) from {kernel}")
    ((covered,),) = ask(union(f"select start as s, end as e from {kernel}"))
    sql = """
        select
          count(*) as n, sum(dur) as dur, union_length(ts, dur) as covered, min(ts) as begun, max(ts + dur) as ended
        from event where raw_category = $source
    """
    (actual,) = rows(session, sql, source=kernel)
    assert actual == {"n": n, "dur": dur, "covered": covered, "begun": begun + first, "ended": begun + last}
    firsts = {"nsight-2025.5.2": 1785620044762835733, "perlmutter-cloverleaf-cuda": 1696392840120513790}
    assert actual["begun"] == firsts[export.stem]
    ours = {
        row["name"]: (row["n"], row["dur_sum"]) for row in session.kernel.summary().rows() if row["type"] != "memory"
    }
    by_name = f"select value, count(*), sum(end - start) from {kernel} join StringIds on id = demangledName group by 1"
    graphs = {name: ours.pop(name) for name in list(ours) if name.startswith("CUDA graph ")}
    assert ours == {name: (n, dur) for name, n, dur in ask(by_name)}
    # both calls of the new export launch kernels that are in no table
    whole = ask(f"select count(*), sum(end - start) from {CUPTI}GRAPH_TRACE") if graphs else [(0, None)]
    assert [(sum(n for n, _ in graphs.values()), sum(dur for _, dur in graphs.values()) or None)] == whole
    assert bool(graphs) == (f"{CUPTI}GRAPH_TRACE" in counted(ask))


def test_time_of_calls_by_class_equals_sql(ask, session):
    actual = rows(
        session,
        "select category, count(*) as n, sum(dur) as dur from event where raw_category = $source group by category",
        source=f"{CUPTI}RUNTIME",
    )
    classes = {0: "runtime", 1: "driver"}
    expected = ask(f"select eventClass, count(*), sum(end - start) from {CUPTI}RUNTIME group by 1")
    assert {row["category"]: (row["n"], row["dur"]) for row in actual} == {
        classes[k]: (n, dur) for k, n, dur in expected
    }
    ((covered,),) = ask(union(f"select start as s, end as e from {CUPTI}RUNTIME"))
    (row,) = rows(session, "select union_length(ts, dur) as u from event where category in ('runtime', 'driver')")
    assert row["u"] == covered
    summed = {}
    for row in session.runtime.summary().rows():
        n, dur = summed.get(row["name"], (0, 0))
        summed[row["name"]] = (n + row["n"], dur + row["dur_sum"])
    calls = {}
    for name, length in ask(f"select value, end - start from {CUPTI}RUNTIME join StringIds on id = nameId"):
        n, dur = calls.get(VERSION.sub("", name), (0, 0))
        calls[VERSION.sub("", name)] = (n + 1, dur + length)
    assert summed == calls


def test_bytes_of_copies_by_kind_equal_sql(ask, session):
    sql = "select args, name, dur from event where raw_category = $source"
    actual = {}
    for row in rows(session, sql, source=f"{CUPTI}MEMCPY"):
        args = json.loads(row["args"])
        n, dur, size = actual.get(args["kind"], (0, 0, 0))
        actual[args["kind"]] = (n + 1, dur + row["dur"], size + args["bytes"])
    expected = ask(f"""
        select substr(name, 18), count(*), sum(end - start), sum(bytes)
        from {CUPTI}MEMCPY join ENUM_CUDA_MEMCPY_OPER on id = copyKind group by 1
    """)
    assert actual == {kind: (n, dur, size) for kind, n, dur, size in expected}
    transfers = {row["kind"]: (row["n"], row["dur_sum"], row["bytes"]) for row in session.memory.transfers().rows()}
    assert transfers == {direction(kind): sums for kind, sums in actual.items()}
    names = {row["name"] for row in rows(session, "select distinct name from event where category = 'memcpy'")}
    memory = ["Pageable", "Pinned", "Device"]
    copies = ask(f"select distinct copyKind, srcKind, dstKind from {CUPTI}MEMCPY")
    kind_names = {1: "HTOD", 2: "DTOH"}
    assert names == {f"{direction(kind_names[kind])} ({memory[a]} -> {memory[b]})" for kind, a, b in copies}


def test_time_in_the_operating_system_equals_sql(ask, session):
    calls = "select value, count(*), sum(end - start) from OSRT_API join StringIds on id = nameId where eventClass = 27"
    expected = {name: (n, dur) for name, n, dur in ask(f"{calls} group by 1")}
    sql = """
        select name, count(*) as n, sum(dur) as dur
        from event where raw_category = 'OSRT_API' and dur is not null group by name
    """
    assert {row["name"]: (row["n"], row["dur"]) for row in rows(session, sql)} == expected
    actual_calls = {row["name"]: (row["n"], row["dur_sum"]) for row in session.runtime.os_calls().rows()}
    assert actual_calls == expected
    ((markers,),) = ask("select count(*) from OSRT_API where eventClass <> 27")
    sql = "select count(*) as n from event where raw_category = 'OSRT_API' and dur is null"
    assert rows(session, sql) == [{"n": markers}]


def test_names_are_texts(ask, session):
    for table, column in NAMES.items():
        if table not in counted(ask):
            continue
        sql = "select name, args from event where raw_category = $source order by row"
        actual = rows(session, sql, source=table)
        texts = [
            text for (text,) in ask(f"select value from {table} join StringIds on id = {column} order by {table}.rowid")
        ]
        assert [row["name"] for row in actual] == [VERSION.sub("", text) for text in texts], table
        if table == f"{CUPTI}RUNTIME":
            full = [json.loads(row["args"] or "{}").get("api", row["name"]) for row in actual]
            assert full == texts


def test_long_calls_into_the_operating_system_have_their_stack(ask, session):
    frames = {}
    for chain, symbol in ask(
        "select c.id, s.value from OSRT_CALLCHAINS c join StringIds s on s.id = c.symbol order by c.id, c.stackDepth"
    ):
        frames.setdefault(chain, []).append(symbol)
    actual = rows(session, "select args from event where raw_category = 'OSRT_API' order by row")
    chains = [chain for (chain,) in ask("select callchainId from OSRT_API order by rowid")]
    assert sum(chain != 0 for chain in chains) in (145, 608)
    for row, chain in zip(actual, chains, strict=True):
        stack = json.loads(row["args"] or "{}").get("stack")
        assert (stack is not None) == (chain != 0)
        if stack is not None:
            stack_text = stack if isinstance(stack, str) else "\n".join(map(str, stack))
            position = 0
            for symbol in frames[chain]:
                position = stack_text.index(symbol, position) + len(symbol)


def test_device_work_has_device_stream_and_track(ask, session):
    sql = "select distinct device, stream, track from event where raw_category = $source"
    for table in (f"{CUPTI}KERNEL", f"{CUPTI}MEMCPY"):
        actual = {(row["device"], row["stream"], row["track"]) for row in rows(session, sql, source=table)}
        expected = ask(f"select distinct deviceId, streamId from {table}")
        assert actual == {(f"gpu{device}", stream, f"stream {stream}") for device, stream in expected}
    # the value for all streams is null
    sql = "select count(*) as n from event where raw_category = $source and stream is null"
    ((everywhere,),) = ask(f"select count(*) from {CUPTI}SYNCHRONIZATION where streamId = 4294967295")
    assert rows(session, sql, source=f"{CUPTI}SYNCHRONIZATION") == [{"n": everywhere}]


def test_devices_have_the_numbers_of_cuda(ask, session):
    actual = rows(session, "select device, name, memory_bytes, cores, capability from device where kind = 'gpu'")
    expected = ask("select name, totalMemory, smCount, computeMajor || '.' || computeMinor from TARGET_INFO_GPU")
    described = [(row["name"], row["memory_bytes"], row["cores"], row["capability"]) for row in actual]
    assert sorted(described) == sorted(expected)
    assert "gpu0" in {row["device"] for row in actual}
    assert len({row["device"] for row in actual}) == len(actual)


def test_launches_belong_to_their_work(ask, session):
    sql = """
        select value, a.start - k.start from CUPTI_ACTIVITY_KIND_KERNEL as k
        join CUPTI_ACTIVITY_KIND_RUNTIME as a on a.correlationId = k.correlationId
        join StringIds as s on s.id = k.demangledName
    """
    ours = rows(
        session,
        """
        select k.name, a.ts - k.ts as before from event as k
        join event as a on a.correlation = k.correlation and a.raw_category = $calls
        where k.raw_category = $kernels
        """,
        calls=f"{CUPTI}RUNTIME",
        kernels=f"{CUPTI}KERNEL",
    )
    assert sorted((row["name"], row["before"]) for row in ours) == sorted(ask(sql))
    assert len(session.kernel.launches()) >= len(ours)


def other_processes(ask):
    """Returns names of threads and processes without events, except names that a thread of the job also has."""
    tables = [table for table in counted(ask) if "globalTid" in str(ask(f"pragma table_info({table})"))]
    own = {pid for table in tables for (pid,) in ask(f"select distinct (globalTid >> 24) & 16777215 from {table}")}
    threads = "select (globalTid >> 24) & 16777215, value from ThreadNames join StringIds on id = nameId"
    listed = ask(f"select (globalPid >> 24) & 16777215, name from PROCESSES union all {threads}")
    ours = {name for pid, name in listed if pid in own}
    return {name for pid, name in listed if pid not in own and name} - ours, own


def test_other_processes_and_environments_are_not_ingested(ask, session):
    names, own = other_processes(ask)
    assert len(names) > 300
    pids = {row["pid"] for row in rows(session, "select distinct pid from event where device is distinct from 'gpu0'")}
    assert pids - {None} == own
    hidden = {"(environment removed)", "[redacted environment]"}
    hidden |= {
        value for name, value in ask("select name, value from META_DATA_CAPTURE") if name.endswith("WORKING_DIR")
    }
    where = "name like '%_PATH%' or name like '%INPUT_FILE' or name = 'EXPORT_USER'"
    hidden |= {value for (value,) in ask(f"select value from META_DATA_EXPORT where {where}")}
    hidden |= {
        value for (value,) in ask("select value from TARGET_INFO_SYSTEM_ENV where name like '%Info' and value > ''")
    }
    hidden -= {"", "{}", "flameox"}  # the last name is also part of the job's name
    event_names = {row["name"] for row in rows(session, "select distinct name from event")}
    for table, actual in contents(session).items():
        for row in actual:
            texts = [value for value in row.values() if isinstance(value, str)]
            assert not names & (set(texts) - event_names), table
            assert not [name for name in names for text in texts if f"({name})" in text], table
            assert not [value for value in hidden for text in texts if value in text], table
    long = [name for name in names if len(name) > 9]
    everything = str(contents(session))
    assert not [name for name in long if name in everything]


def test_no_file_of_the_lake_contains_them(ask, lake):
    _, folder = lake
    names, _ = other_processes(ask)
    secret = [name.encode() for name in names if len(name) > 12] + [b"environment removed", b"redacted environment"]
    files = [file for file in folder.rglob("*") if file.is_file()]
    assert files
    for file in files:
        content = file.read_bytes()
        assert not [text for text in secret if text in content], file


def test_unread_rows_are_counted(ask, session):
    tables = {name for (name,) in ask("select name from sqlite_master where type = 'table'")}
    for kind, n in kinds(session).items():
        if kind.startswith("not_read:"):
            table = kind.removeprefix("not_read:")
            assert table in tables - EVENTS.keys()
            assert ask(f"select count(*) from {table}") == [(n,)]


def test_only_the_machine_is_described(ask, session):
    actual = {row["key"]: row["value"] for row in rows(session, "select key, value from run_attribute")}
    nsys_attributes = {key: value for key, value in actual.items() if key.startswith("nsys.")}
    for name in ("CpuCores", "CpuDescription", "NvDriverVersion", "CudaDriverVersion", "OsDescription"):
        ((value,),) = ask(f"select value from TARGET_INFO_SYSTEM_ENV where name = '{name}'")
        assert nsys_attributes[f"nsys.{name}"] == value
    assert nsys_attributes["nsys.EXPORT_PRODUCT_VERSION"] in {"2025.5.2.266", "2024.5.1.113"}
    unwanted = ("ENVIRONMENT", "COMMAND", "ARGUMENT", "WORKING", "USER", "HOST", "PATH", "FILE", "Environment", "Dir")
    assert not [key for key in nsys_attributes if key.endswith(unwanted) or "ENVIRONMENT" in key]
    ((host,),) = ask("select value from TARGET_INFO_SYSTEM_ENV where name = 'Hostname'")
    assert rows(session, "select distinct node, rank from event") == [{"node": host, "rank": None}]


def test_every_query_has_a_result(session):
    """Checks for rows, or a reason for no rows; never an error."""
    for row in session.sql("select name from help_queries").rows():
        frame = session.query(row["name"])
        assert len(frame) > 0 or frame.why_empty


def test_two_exports_in_one_run_stay_separate(export, shared, tmp_path):
    folder = tmp_path / "both"
    shutil.copytree(shared / "data" / "nsys", folder, ignore=shutil.ignore_patterns("*.md"))
    with tl.open(folder, run="r", ephemeral=True) as session:
        actual = rows(session, "select object, count(*) as n from event group by object order by n")
        assert [row["n"] for row in actual] == [n for n, _ in REAL.values()]
        assert len(rows(session, "select * from object where url like $file", file=f"%{export.name}")) == 1
