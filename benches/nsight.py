"""Measures the ingest of an export of Nsight Systems, and compares it with Python's `sqlite3` reading the same tables.

Whole processes ingest a generated export (`tests/gen/nsys.py`), key metrics included, on one core and on all cores.
Interleaved with them, Python reads every row of the tables that become rows. Both count kernels, and a different count
ends the run.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import document
import programs
from process import allowed_cores, medians, run
from programs import ROOT

GENERATOR = ROOT / "tests/gen/nsys.py"
# Prefixes of tables that the ingest does not read.
SKIPPED_TABLES = ("ENUM_", "sqlite_", "ANALYSIS", "ProcessStreams", "PROCESSES", "FUTURE")


def read_all(path: str) -> int:
    """Reads all rows with Python's module and returns the number of kernels."""
    database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts = {name: 0 for name in names if not name.startswith(SKIPPED_TABLES)}
    for name in counts:
        for _ in database.execute(f"SELECT * FROM {name}"):  # noqa: S608 - a name of the file's own schema
            counts[name] += 1
    return counts["CUPTI_ACTIVITY_KIND_KERNEL"]


def count_kernels(build: programs.Programs, lake: Path) -> int:
    """The number of kernels in the lake."""
    query = "select count(*) as n from event where raw_category = 'CUPTI_ACTIVITY_KIND_KERNEL'"
    command = [build.command, "--lake", str(lake), "sql", query, "--format", "json"]
    return int(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["n"])


def main() -> None:
    """Measures both and compares the numbers of kernels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the export (default 1000)")
    parser.add_argument("--runs", type=int, default=3, help="times each is run (default 3)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    args = document.parse_args(parser)
    if args.child:
        print(json.dumps(read_all(args.child)))
        return
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        build = programs.programs(args)
        options = ["--out", str(scratch / "exports"), "--ranks", "1", "--megabytes", str(args.megabytes)]
        subprocess.run([sys.executable, str(GENERATOR), *options], check=True)
        export = scratch / "exports/report_rank0.sqlite"
        python, ingests = [], {cores: [] for cores in sorted({1, len(allowed_cores()) or 1})}
        for turn in range(args.runs):
            python.append(run([sys.executable, __file__, "--child", str(export)], cores=1))
            for cores, runs in ingests.items():
                lake = scratch / f"lake-{cores}-{turn}"
                runs.append(run(build.ingest(lake, export), cores=cores))
        expected, actual = python[0].json(), count_kernels(build, lake)
        if expected != actual:
            sys.exit(f"{actual} kernels in the lake, {expected} in the export")
        size = export.stat().st_size / 1e6
    base = medians(python)
    rows = [
        ["`sqlite3` of Python, reading", "1", f"{base.seconds:.1f} s", f"{base.cpu:.1f} s", "", f"{base.peak:.0f} MB"]
    ]
    for cores, runs in ingests.items():
        one = medians(runs)
        ratio = f"{base.seconds / one.seconds:.1f}"
        rows.append(["ingest", str(cores), f"{one.seconds:.1f} s", f"{one.cpu:.1f} s", ratio, f"{one.peak:.0f} MB"])
    header = [f"export of {size:,.0f} MB", "cores", "time", "processor time", "times as fast", "peak"]
    method = f"generated, with key metrics; whole processes, medians of {args.runs} in turn"
    document.report_block(args, "nsight", document.table(header, rows), method)


if __name__ == "__main__":
    main()
