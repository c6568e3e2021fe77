"""Delta Lake tables in place: deltalake and Polars read what tracelake reads, on a disk and on a real S3 server."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import deltalake
import polars as pl
import pyarrow as pa
import pytest
from deltalake import DeltaTable

import tracelake as tl
from lake_under_test import LakeLocation, losses
from tracelake.instant import integer_times

pytestmark = pytest.mark.slow

DATA = Path(__file__).parents[1] / "data"
TABLES = ["run", "object", "run_attribute", "device", "problem", "step", "event", "sample", "loader", "function"]


def options_of(lake_location):
    """Returns the store options for deltalake and Polars."""
    return {**lake_location.variables(), "AWS_ALLOW_HTTP": "true"} if lake_location.options else None


def delta(lake_location, table, **arguments):
    """Returns the Delta table of this name."""
    return DeltaTable(f"{lake_location.url}/{table}", storage_options=options_of(lake_location), **arguments)


def rows(table):
    """Returns the sorted rows of an Arrow table."""
    return sorted(map(repr, pa.table(table).to_pylist()))


def exported(session):
    """Exports, and returns the versions."""
    return dict(session.export_delta().to_polars().select("table", "version").rows())


def check(lake_location, session):
    """Checks that every Delta table equals the session's table."""
    for table in TABLES:
        ours, theirs = integer_times(session.table(table).to_arrow()), delta(lake_location, table).to_pyarrow_table()
        assert theirs.column_names == ours.column_names
        assert rows(theirs) == rows(ours), table


def test_tables_are_updated_with_the_lake(lake_location):
    with lake_location.open(create=True) as session:
        for run in ("one", "two"):
            session.ingest(DATA / "golden", run=run)
        assert set(exported(session).values()) == {0}
        check(lake_location, session)
        assert all(len(session.table(table)) for table in TABLES)
        before = rows(delta(lake_location, "step").to_pyarrow_table())

        # nothing has changed
        assert set(exported(session).values()) == {0}

        session.ingest(DATA / "first_look" / "profiler-output", run="three")
        versions = exported(session)
        assert (versions["step"], versions["function"]) == (1, 0)
        check(lake_location, session)

        session.compact()
        assert exported(session)["step"] == 2
        check(lake_location, session)

        # its rows are still in files with other runs
        session.delete("two")
        assert exported(session)["step"] == 3
        check(lake_location, session)
        assert exported(session)["step"] == 3
        assert rows(delta(lake_location, "step", version=0).to_pyarrow_table()) == before

        session.vacuum(timedelta())
        check(lake_location, session)
        assert losses(session) == []
        assert list(session.check().rows()) == []


def test_polars_reads_the_tables(lake_location):
    with lake_location.open(create=True) as session:
        session.ingest(DATA / "golden", run="one")
        session.export_delta()
        actual = pl.scan_delta(f"{lake_location.url}/step", storage_options=options_of(lake_location)).filter(
            pl.col("run") == "one"
        )
        ours = pl.from_arrow(integer_times(session.table("step").to_arrow()))
        order = ["rank", "object", "row"]
        assert actual.collect().sort(order).to_dicts() == ours.sort(order).to_dicts()


def test_engines_read_columns_and_skip_files(tmp_path):
    lake_location = LakeLocation(str(tmp_path / "lake"), {})
    with lake_location.open(create=True) as session:
        for run in ("one", "two"):
            session.ingest(DATA / "golden", run=run)
        session.export_delta()
        fields = {field.name: field for field in delta(lake_location, "step").schema().fields}
        assert fields["dur"].metadata["unit"] == "ns"
        assert "step" in fields["step"].metadata["comment"]
        files = pa.table(delta(lake_location, "step").get_add_actions(flatten=True)).to_pylist()
        assert {file["min.run"] for file in files} == {file["max.run"] for file in files} == {"one", "two"}
        assert sum(file["num_records"] for file in files) == len(session.table("step"))
        ((least, greatest),) = session.sql("select min(ts), max(ts) from step").rows(named=False)
        assert (min(f["min.ts"] for f in files), max(f["max.ts"] for f in files)) == (least, greatest)


def test_other_programs_cannot_write(tmp_path):
    lake_location = LakeLocation(str(tmp_path / "lake"), {})
    with lake_location.open(create=True) as session:
        session.ingest(DATA / "golden", run="one")
        session.export_delta()
        table = delta(lake_location, "step")
        with pytest.raises(deltalake.exceptions.DeltaError, match="tracelake"):
            deltalake.write_deltalake(table, table.to_pyarrow_table(), mode="append")
        # a data file that is not in the log yet
        session.ingest(DATA / "golden", run="two")
        for part in map(Path, session.files("step")):
            os.utime(part, (0, 0))
        assert table.vacuum(dry_run=False) == []
        with pytest.raises(deltalake.exceptions.DeltaError, match="minimum retention"):
            table.vacuum(retention_hours=24 * 365, dry_run=False)
        exported(session)
        check(lake_location, session)
        assert losses(session) == []


def test_concurrent_exports_succeed(lake_location):
    with lake_location.open(create=True) as session:
        session.ingest(DATA / "golden", run="one")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: lake_location.open().export_delta(), range(4)))
    with lake_location.open() as session:
        assert set(exported(session).values()) == {0}
        check(lake_location, session)


def test_a_log_of_another_program_is_not_changed(tmp_path):
    lake_location = LakeLocation(str(tmp_path / "lake"), {})
    with lake_location.open(create=True) as session:
        session.ingest(DATA / "golden", run="one")
        session.export_delta()
        log = tmp_path / "lake" / "step" / "_delta_log"
        foreign = log / f"{1:020}.json"
        foreign.write_text(json.dumps({"add": {"path": "x.parquet", "size": 1}}) + "\n")
        with pytest.raises(tl.errors.MalformedError, match="written by another program"):
            session.export_delta()
        foreign.rename(log / f"{2:020}.json")
        with pytest.raises(tl.errors.MalformedError, match="version 1 is missing"):
            session.export_delta()


def test_the_shell_lists_the_tables(tmp_path, profile):
    shell = [sys.executable, "-m", "tracelake", "--lake", tmp_path / "lake"]
    subprocess.run([*shell, "ingest", profile, "--run", "job-7"], check=True, capture_output=True)
    output = subprocess.run([*shell, "export", "--delta"], check=True, capture_output=True, text=True).stdout
    step = next(line for line in output.splitlines() if line.startswith("step "))
    # there is one file per worker with a step, which depends on timing
    file_count = len(list((tmp_path / "lake" / "step").glob("*.parquet")))
    folder = str(tmp_path / "lake" / "step")
    assert step.split() == ["step", "version", "0,", str(file_count), "files,", "220", "rows:", folder]
    assert DeltaTable(tmp_path / "lake" / "step").to_pyarrow_table().num_rows == 220
    wrong = subprocess.run([*shell, "export", "job-7", "--delta"], check=False, capture_output=True, text=True)
    assert (wrong.returncode, "--delta" in wrong.stderr) == (2, True)
