"""The truth of the generator of Nsight Systems exports equals plain SQL over the files."""

import json
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

GENERATOR = Path(__file__).parents[1] / "gen" / "nsys.py"
CUPTI = "CUPTI_ACTIVITY_KIND_"
# Texts of ranges are in the row, or a number of a text; texts that look like keys are masked in the truth.
RANGES = """
    select
      replace(coalesce(text, (select value from StringIds where id = textId)), 'AKIAIOSFODNN7EXAMPLE', 'AKIA***')
        as name,
      start, end, eventType, globalTid, endGlobalTid, rowid as number
    from NVTX_EVENTS
"""


@pytest.fixture(
    scope="module",
    params=[
        "--generation old",
        "--generation new --seed 3",
        "--ranks 3 --graphs both --steps 2",
        "--ranks 1 --steps 2 --megabytes 3",
    ],
)
def exports(request, tmp_path_factory):
    """The folder of some exports, and their truth."""
    folder = tmp_path_factory.mktemp("nsys")
    subprocess.run([sys.executable, str(GENERATOR), "--out", str(folder), *request.param.split()], check=True)
    return folder, json.loads((folder / "truth.json").read_text())


@pytest.fixture
def ranks(exports):
    """Yields the truth of each file, and a function that queries it."""
    folder, truth = exports
    opened = [(rank, sqlite3.connect(folder / rank["file"])) for rank in truth["ranks"]]
    yield [(rank, lambda sql, base=base: base.execute(sql).fetchall()) for rank, base in opened]
    for _, base in opened:
        base.close()


def rows_by_name(rows, *columns):
    """Returns rows as a dictionary by their first column."""
    return {name: dict(zip(columns, values, strict=True)) for name, *values in rows}


def union(spans):
    """Returns the time that the intervals of a query cover."""
    return f"""
        with spans as ({spans}),
        reached as (
          select s, e, max(e) over (order by s, e rows between unbounded preceding and 1 preceding) as before from spans
        )
        select sum(case when before is null or s >= before then e - s when e > before then e - before else 0 end)
        from reached
    """


def check_work(rank, *columns):
    """Compares the device work; a graph without traced nodes is work, a graph with nodes only encloses them."""
    tables = ["KERNEL", "MEMCPY", "MEMSET"] + (["GRAPH_TRACE"] if rank["graphs"] == "graph" else [])
    return " union all ".join(f"select {', '.join(columns)} from {CUPTI}{table}" for table in tables)


def test_files_are_complete_and_every_table_is_counted(ranks):
    for rank, ask in ranks:
        assert ask("pragma integrity_check") == [("ok",)]
        tables = [name for (name,) in ask("select name from sqlite_master where type = 'table'")]
        counts = {name: ask(f"select count(*) from {name}")[0][0] for name in tables if not name.startswith("ENUM_")}
        assert counts == rank["tables"]


def test_device_work_equals_the_truth(ranks):
    for rank, ask in ranks:
        kernel = f"{CUPTI}KERNEL"
        ((n, dur),) = ask(f"select count(*), sum(end - start) from {kernel}")
        ((covered,),) = ask(union(f"select start as s, end as e from {kernel}"))
        assert {"n": n, "dur": dur, "union": covered} == rank["kernel"]
        assert ask(union(check_work(rank, "start as s", "end as e"))) == [(rank["work"]["union"],)]
        by_name = (
            f"select value, count(*), sum(end - start) from {kernel} join StringIds on id = demangledName group by 1"
        )
        assert rows_by_name(ask(by_name), "n", "dur") == rank["kernel_by_name"]
        kinds = f"""
            select substr(name, 18), count(*), sum(end - start), sum(bytes)
            from {CUPTI}MEMCPY join ENUM_CUDA_MEMCPY_OPER on id = copyKind group by 1
        """
        assert rows_by_name(ask(kinds), "n", "dur", "bytes") == rank["memcpy"]
        fills = f"select 'memset', count(*), sum(end - start), sum(bytes) from {CUPTI}MEMSET"
        assert rows_by_name(ask(fills), "n", "dur", "bytes") == rank["memset"]


def test_host_calls_equal_the_truth(ranks):
    for rank, ask in ranks:
        name = "case when instr(value, '_v') > 0 then substr(value, 1, instr(value, '_v') - 1) else value end"
        calls = (
            f"select {name}, count(*), sum(end - start) from {CUPTI}RUNTIME join StringIds on id = nameId group by 1"
        )
        assert rows_by_name(ask(calls), "n", "dur") == rank["api"]
        system = "from OSRT_API join StringIds on id = nameId where eventClass = 27 group by 1"
        assert rows_by_name(ask(f"select value, count(*), sum(end - start) {system}"), "n", "dur") == rank["os_call"]
        # each device event has one call that launched it
        assert ask(f"select count(*) - count(distinct correlationId) from {CUPTI}RUNTIME") == [(0,)]
        orphans = f"correlationId not in (select correlationId from {CUPTI}RUNTIME)"
        assert ask(f"select count(*) from {CUPTI}KERNEL where {orphans}") == [(0,)]


def test_ranges_and_steps_equal_the_truth(ranks):
    for rank, ask in ranks:
        closed = "eventType in (59, 60) and end is not null and name not like 'iteration %'"
        ranges = f"select name, count(*), sum(end - start) from ({RANGES}) where {closed} group by 1"
        assert rows_by_name(ask(ranges), "n", "dur") == rank["nvtx"]
        begun, period = rank["session_start"], rank["repeated"]["period"]
        number = "cast(substr(name, 11) as int)"
        steps = ask(
            f"select {number}, start + {begun}, end - start from ({RANGES}) where name like 'iteration %' order by 1"
        )
        each = len(rank["steps"])
        assert steps == [
            (step["step"] + copy * each, step["ts"] + copy * period, step["dur"])
            for copy in range(rank["repeated"]["copies"])
            for step in rank["steps"]
        ]


def test_device_ranges_equal_the_truth(ranks):
    for rank, ask in ranks:
        if rank["repeated"]["copies"] > 1:
            continue  # joining every range with every call is too slow in SQLite
        projected = ask(f"""
            with r as ({RANGES}),
            o as ({check_work(rank, "correlationId as c", "start as s", "end as e")}),
            p as (
              select r.name, r.end - r.start as dur, count(*) as ops, min(o.s) as s, max(o.e) as e
              from r
              join {CUPTI}RUNTIME as a on a.globalTid = r.globalTid and a.start >= r.start and a.end <= r.end
              join o on o.c = a.correlationId
              where r.eventType = 59 or r.eventType = 60 and r.endGlobalTid = r.globalTid
              group by r.number
            )
            select iif(name like 'iteration %', 'iteration', name), count(*), sum(ops), sum(e - s), sum(dur)
            from p group by 1
        """)
        actual = rows_by_name(projected, "n", "ops", "projected", "dur")
        steps = rank["steps"]
        assert actual.pop("iteration") == {
            "n": len(steps),
            "ops": sum(step["ops"] for step in steps),
            "projected": sum(step["projected_dur"] for step in steps),
            "dur": sum(step["dur"] for step in steps),
        }
        assert actual == rank["projection"]


def test_metrics_are_exported_and_secrets_are_known(exports, ranks):
    folder, truth = exports
    for rank, ask in ranks:
        metrics = """
            select metricName, count(*), sum(value)
            from GPU_METRICS join TARGET_INFO_GPU_METRICS using (typeId, metricId) group by 1
        """
        assert rows_by_name(ask(metrics), "n", "sum") == rank["metric"]
        content = (folder / rank["file"]).read_bytes()
        assert all(secret["value"].encode() in content for secret in truth["secrets"])


def test_the_same_arguments_give_the_same_rows(tmp_path):
    def rows(folder):
        command = [sys.executable, str(GENERATOR), "--out", str(folder), "--ranks", "1", "--steps", "1"]
        subprocess.run(command, check=True)
        with sqlite3.connect(folder / "report_rank0.sqlite") as base:
            return list(base.iterdump())

    assert rows(tmp_path / "one") == rows(tmp_path / "two")


def test_tables_can_be_excluded(tmp_path):
    command = [sys.executable, str(GENERATOR), "--out", str(tmp_path), "--ranks", "1", "--steps", "1"]
    subprocess.run([*command, "--without", "CUPTI_*", "--without", "ENUM_*"], check=True)
    with sqlite3.connect(tmp_path / "report_rank0.sqlite") as base:
        tables = [name for (name,) in base.execute("select name from sqlite_master where type = 'table'")]
    assert "NVTX_EVENTS" in tables
    assert not [name for name in tables if name.startswith(("CUPTI_", "ENUM_"))]
