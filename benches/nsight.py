"""Ingest of an export of Nsight Systems, beside Python's `sqlite3` reading the same tables.

A generated export (`tests/gen/nsys.py`) is ingested by whole processes, on one core and on all, its key metrics
included; Python reads every row of the tables that become rows, in turn with it. Kernels are counted by both, and
another count ends the run.
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
from process import allowed, middle, run
from programs import ROOT

GENERATOR = ROOT / "tests/gen/nsys.py"
# What the format hands out, or looks texts and call chains up in.
LEFT_OUT = ("ENUM_", "sqlite_", "ANALYSIS", "ProcessStreams", "PROCESSES", "FUTURE")


def read(path: str) -> int:
    """Reads all rows as Python's module gives them; how many are events."""
    base = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = [name for (name,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    counts = {name: 0 for name in names if not name.startswith(LEFT_OUT)}
    for name in counts:
        for _ in base.execute(f"SELECT * FROM {name}"):  # noqa: S608 - a name of the file's own schema
            counts[name] += 1
    return counts["CUPTI_ACTIVITY_KIND_KERNEL"]


def kernels(built: programs.Programs, lake: Path) -> int:
    """How many kernels the lake has."""
    query = "select count(*) as n from event where raw_category = 'CUPTI_ACTIVITY_KIND_KERNEL'"
    command = [built.command, "--lake", str(lake), "sql", query, "--format", "json"]
    return int(json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["n"])


def main() -> None:
    """Measures, and says what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=1000, help="size of the export (default 1000)")
    parser.add_argument("--runs", type=int, default=3, help="times each is run (default 3)")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    if given.child:
        print(json.dumps(read(given.child)))
        return
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        built = programs.programs(given)
        made = ["--out", str(scratch / "exports"), "--ranks", "1", "--megabytes", str(given.megabytes)]
        subprocess.run([sys.executable, str(GENERATOR), *made], check=True)
        export = scratch / "exports/report_rank0.sqlite"
        python, ours = [], {cores: [] for cores in sorted({1, len(allowed()) or 1})}
        for turn in range(given.runs):
            python.append(run([sys.executable, __file__, "--child", str(export)], cores=1))
            for cores, runs in ours.items():
                lake = scratch / f"lake-{cores}-{turn}"
                runs.append(run(built.ingest(lake, export), cores=cores))
        expected, found = python[0].said(), kernels(built, lake)
        if expected != found:
            sys.exit(f"{found} kernels in the lake, {expected} in the export")
        size = export.stat().st_size / 1e6
    base = middle(python)
    rows = [
        ["`sqlite3` of Python, reading", "1", f"{base.seconds:.1f} s", f"{base.cpu:.1f} s", "", f"{base.peak:.0f} MB"]
    ]
    for cores, runs in ours.items():
        took = middle(runs)
        ratio = f"{base.seconds / took.seconds:.1f}"
        rows.append(["ingest", str(cores), f"{took.seconds:.1f} s", f"{took.cpu:.1f} s", ratio, f"{took.peak:.0f} MB"])
    header = [f"export of {size:,.0f} MB", "cores", "time", "processor time", "times as fast", "peak"]
    told = f"generated, with key metrics; whole processes, medians of {given.runs} in turn"
    document.tell(given, "nsight", document.table(header, rows), told)


if __name__ == "__main__":
    main()
