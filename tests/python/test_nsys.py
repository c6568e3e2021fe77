"""SQLite exports of Nsight Systems through every interface: recognition, repeated ingests, compression, S3."""

import base64
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

import tracelake as tl
from tracelake import errors

ROOT = Path(__file__).parents[2]
BUNDLED = ROOT / "tests" / "data" / "nsys"
GENERATOR = ROOT / "tests" / "gen" / "nsys.py"
CUPTI = "CUPTI_ACTIVITY_KIND_"
# Tables with an event per row, with start and end columns if they are not `start` and `end`.
EVENTS = {
    f"{CUPTI}RUNTIME": None,
    f"{CUPTI}KERNEL": None,
    f"{CUPTI}MEMCPY": None,
    f"{CUPTI}MEMSET": None,
    f"{CUPTI}GRAPH_TRACE": None,
    f"{CUPTI}SYNCHRONIZATION": None,
    f"{CUPTI}CUDA_EVENT": ("nullif(timestamp, 0)", "null"),
    f"{CUPTI}OVERHEAD": None,
    "CUDA_GRAPH_EVENTS": ("start", "nullif(end, start)"),
    "CUDA_GRAPH_NODE_EVENTS": ("start", "nullif(end, start)"),
    "CUDA_GPU_MEMORY_USAGE_EVENTS": ("start", "null"),
    "NVTX_EVENTS": None,
    "OSRT_API": ("start", "iif(eventClass = 27, end, null)"),
    "OSRT_FILE_ACCESS_EVENTS": ("startedAt", "endedAt"),
    "COMPOSITE_EVENTS": ("start", "null"),
    "SCHED_EVENTS": ("start", "null"),
    "PROFILER_OVERHEAD": None,
}
TABLES = ("event", "step", "loader", "sample", "allocation", "device", "run_attribute", "problem")


def generate_exports(out, *arguments):
    """Generates exports; returns their truth, which is not stored next to them."""
    subprocess.run([sys.executable, str(GENERATOR), "--out", str(out), *arguments], check=True)
    truth_file = out / "truth.json"
    truth = json.loads(truth_file.read_text())
    truth_file.unlink()
    return truth


@contextmanager
def sqlite_query(file):
    """Returns a function that queries SQLite."""
    base = sqlite3.connect(f"{file.as_uri()}?immutable=1", uri=True)
    try:
        yield lambda sql: base.execute(sql).fetchall()
    finally:
        base.close()


def counted(ask):
    """Returns the event tables of a file, with their row counts."""
    tables = [name for (name,) in ask("select name from sqlite_master where type = 'table'") if name in EVENTS]
    counts = {name: ask(f"select count(*) from {name}")[0][0] for name in tables}
    return {name: n for name, n in counts.items() if n}


def times(ask, table):
    """Returns start and duration of each row of a table, in row order; ns since the session start."""
    begin, end = EVENTS[table] or ("start", "end")
    if table == f"{CUPTI}CUDA_EVENT" and "timestamp" not in [row[1] for row in ask(f"pragma table_info({table})")]:
        begin = "null"
    return ask(f"select {begin}, ({end}) - ({begin}) from {table} order by rowid")


def rows(session, sql, **params):
    """Returns the rows of a result as dicts."""
    return list(session.sql(sql, **params))


def contents(session, tables=TABLES, without=()):
    """Returns the rows of tables without run and file names."""
    result = {}
    for table in tables:
        arrow = session.table(table).to_arrow()
        dropped = {"run", "object", *without} & set(arrow.column_names)
        result[table] = sorted(arrow.drop_columns(list(dropped)).to_pylist(), key=repr)
    return result


def of_tables(session):
    """Returns the number of events of each table of the export."""
    counts = rows(session, "select raw_category, count(*) as n from event group by raw_category")
    return {row["raw_category"]: row["n"] for row in counts}


def kinds(session):
    """Returns the count of each kind of problem."""
    counts = rows(session, "select kind, sum(count) as n from problem group by kind")
    return {row["kind"]: row["n"] for row in counts}


def direction(kind):
    """Returns the name of a kind of copies in queries: `HTOD` is `Memcpy HtoD`."""
    if kind == "UNKNOWN":
        return "Memcpy Unknown"
    way = kind.removeprefix("UVM_")
    return f"Memcpy {way[0]}to{way[-1]}" + (" (Unified)" if way != kind else "")


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """An export of one rank."""
    folder = tmp_path_factory.mktemp("export")
    generate_exports(folder, "--ranks", "1", "--steps", "2")
    return folder / "report_rank0.sqlite"


@pytest.fixture(scope="module")
def whole(export):
    """The rows of the export."""
    with tl.open(export, run="r", ephemeral=True) as session:
        return contents(session)


def test_an_export_is_recognized_by_content_and_not_by_name(export, whole, tmp_path):
    # with another name, it is recognized by the schema, which is within the probed bytes
    assert b"CUPTI_ACTIVITY_KIND_RUNTIME" in export.read_bytes()[: 64 << 10]
    for name in ("report_rank0.sqlite", "rank0.db", "rank0"):
        folder = tmp_path / name.replace(".", "-")
        folder.mkdir()
        shutil.copy(export, folder / name)
        with tl.open(folder, run="r", ephemeral=True) as session:
            assert rows(session, "select format, error from object") == [{"format": "nsys", "error": None}]
            assert contents(session) == whole


def test_the_bundled_job_equals_its_truth(lake):
    truth = json.loads((BUNDLED / "truth.json").read_text())
    report = lake.ingest(BUNDLED, run="job")
    assert report["read"] == 2
    assert rows(lake, "select count(*) as n from object where format = 'nsys'") == [{"n": 2}]
    kernel = f"raw_category = '{CUPTI}KERNEL'"
    sql = f"""
        select rank, count(*) as n, sum(dur) as dur, union_length(ts, dur) as covered
        from event where {kernel} group by rank order by rank
    """
    actual = [(row["rank"], row["n"], row["dur"], row["covered"]) for row in rows(lake, sql)]
    assert actual == [
        (rank["rank"], *(rank["kernel"][key] for key in ("n", "dur", "union"))) for rank in truth["ranks"]
    ]
    assert len(lake.table("step")) == sum(len(rank["steps"]) for rank in truth["ranks"])


def test_the_bundled_job_is_what_the_generator_makes(tmp_path):
    truth = generate_exports(tmp_path, "--ranks", "2", "--steps", "2", "--generation", "new")
    assert truth == json.loads((BUNDLED / "truth.json").read_text())
    for rank in truth["ranks"]:
        everything = "select name from sqlite_master where type = 'table' order by name"
        with sqlite_query(BUNDLED / rank["file"]) as bundled, sqlite_query(tmp_path / rank["file"]) as generated_export:
            assert bundled(everything) == generated_export(everything)
            for (table,) in generated_export(everything):
                assert bundled(f"select * from {table}") == generated_export(f"select * from {table}"), table


def test_a_repeated_ingest_reads_nothing(lake, export, whole):
    assert lake.ingest(export, run="r")["read"] == 1
    before = lake.files("event")
    assert lake.ingest(export, run="r")["read"] == 0
    assert lake.files("event") == before
    assert contents(lake) == whole


def test_only_a_new_rank_is_read(lake, tmp_path):
    folder = tmp_path / "exports"
    folder.mkdir()
    for file in ("report_rank0.sqlite", "report_rank1.sqlite"):
        shutil.copy(BUNDLED / file, folder)
        assert lake.ingest(folder, run="job")["read"] == 1
    assert rows(lake, "select distinct rank from event order by rank") == [{"rank": 0}, {"rank": 1}]


def test_a_compressed_export_gives_the_same_rows(export, whole, tmp_path):
    packed = tmp_path / "report_rank0.sqlite.gz"
    packed.write_bytes(gzip.compress(export.read_bytes()))
    with tl.open(packed, run="r", ephemeral=True) as session:
        assert contents(session) == whole


def test_an_export_on_s3_gives_the_same_rows(s3, export, whole, lake):
    bucket = s3.bucket()
    url = s3.upload(export.parent, bucket, "exports/new one")
    assert lake.ingest(url, run="r", options=s3.options)["read"] == 1
    assert contents(lake) == whole
    assert lake.ingest(url, run="r", options=s3.options)["read"] == 0


def test_a_compressed_export_on_s3_gives_the_same_rows(s3, export, whole, lake, tmp_path):
    (tmp_path / "report_rank0.sqlite.gz").write_bytes(gzip.compress(export.read_bytes()))
    url = s3.upload(tmp_path, s3.bucket(), "packed")
    lake.ingest(url, run="r", options=s3.options)
    assert contents(lake) == whole


def test_a_large_export_on_s3_needs_few_requests(s3, tmp_path, lake):
    truth = generate_exports(tmp_path, "--ranks", "1", "--steps", "2", "--megabytes", "8")
    bucket = s3.bucket()
    url = s3.upload(tmp_path, bucket, "large")
    pages = (tmp_path / "report_rank0.sqlite").stat().st_size / 4096
    del s3.requests[:]
    lake.ingest(url, run="r", options=s3.options)
    assert len(s3.requests) < pages / 10
    (rank,) = truth["ranks"]
    assert of_tables(lake) == {name: n for name, n in rank["tables"].items() if name in EVENTS}


@pytest.mark.parametrize("name", ["report.nsys-rep", "report.qdrep"])
def test_a_report_without_export_is_an_error_with_the_command(name, tmp_path):
    (tmp_path / name).write_bytes(bytes(range(256)) * 64)
    with pytest.raises(errors.UnrecognizedError, match="nsys export --type sqlite") as refused:
        tl.open(tmp_path / name, run="r", ephemeral=True)
    assert name in str(refused.value)


NSYS = """#!/bin/sh
# Stands for `nsys export --type sqlite --force-overwrite true --output FILE REPORT`. A report is an export in base64.
[ "$1 $2 $3 $4 $5 $6" = "export --type sqlite --force-overwrite true --output" ] || exit 2
grep -q broken "$8" && { echo "the report is damaged" >&2; exit 1; }
base64 -d "$8" > "$7"
"""


@pytest.fixture
def with_nsys(tmp_path, monkeypatch):
    """Puts a program called nsys on the path."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "nsys").write_text(NSYS)
    (tmp_path / "bin" / "nsys").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")


@pytest.mark.usefixtures("with_nsys")
@pytest.mark.parametrize("whole_folder", [False, True])
def test_reports_are_exported_by_nsys(tmp_path, capfd, whole_folder):
    folder = tmp_path / "job"
    folder.mkdir()
    (folder / "report.nsys-rep").write_bytes(base64.encodebytes((BUNDLED / "report_rank0.sqlite").read_bytes()))
    (folder / "other.nsys-rep").write_text("broken")
    with tl.open(folder if whole_folder else folder / "report.nsys-rep", run="r", ephemeral=True) as session:
        (kernels,) = rows(session, "select count(*) as n from device_work")
        files = rows(session, "select url, error from object order by url")
    with tl.open(BUNDLED / "report_rank0.sqlite", run="r", ephemeral=True) as session:
        assert [kernels] == rows(session, "select count(*) as n from device_work")
    read = [file["url"].rsplit("/")[-1] for file in files if file["error"] is None]
    assert "report.sqlite" in read
    output = capfd.readouterr().err
    assert f"note: exporting {folder}/report.nsys-rep to {folder}/report.sqlite with nsys" in output
    failure = f"note: nsys did not export {folder}/other.nsys-rep: the report is damaged"
    assert (failure in output) == whole_folder
    # The second time, there is nothing to export.
    with tl.open(folder, run="r", ephemeral=True):
        assert f"exporting {folder}/report" not in capfd.readouterr().err
    assert sorted(path.name for path in folder.iterdir()) == ["other.nsys-rep", "report.nsys-rep", "report.sqlite"]


def test_an_arrow_export_is_an_error_with_the_supported_type(lake, tmp_path):
    folder = tmp_path / "exports"
    (folder / "report_arwdir").mkdir(parents=True)
    for table in ("StringIds", "CUPTI_ACTIVITY_KIND_KERNEL"):
        (folder / "report_arwdir" / f"{table}.arrow").write_bytes(b"ARROW1" * 8)
    shutil.copy(BUNDLED / "report_rank0.sqlite", folder)
    report = lake.ingest(folder, run="job")
    assert (report["read"], report["ignored"], report["failed"]) == (1, 2, 0)
    (error,) = rows(lake, "select distinct error from object where error is not null")
    assert "--type sqlite` or `--type parquetdir`" in error["error"]


def test_the_help_lists_the_format(lake):
    (row,) = rows(lake, "select name, tables from help_formats where name = 'nsys'")
    assert {"event", "step", "sample", "allocation", "device", "run_attribute"} <= set(row["tables"].split(", "))
