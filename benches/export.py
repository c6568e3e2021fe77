"""Measures the export of a PyTorch trace from a lake to a file, plain and compressed.

Rates are relative to the size of the uncompressed JSON.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import document
import programs
import sources
from process import medians, run

FILES = ("trace.json", "trace.json.gz")


def main() -> None:
    """Measures on all cores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for the lake and the files; a temporary one without it")
    args = document.parse_args(parser)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch, rows = Path(folder), []
        build = programs.programs(args)
        lake = scratch / "lake"
        run(build.ingest(lake, sources.trace(scratch / "trace", args.megabytes), "--run", "bench"))
        for name in FILES:
            file = scratch / name
            command = [build.command, "--lake", str(lake), "export", "bench", "-o", str(file)]
            one = medians([run(command) for _ in range(args.runs)])
            mb = (scratch / FILES[0]).stat().st_size / 1e6
            rates = [f"{mb / one.cpu:.0f} MB/s", f"{mb / one.seconds:.0f} MB/s"]
            rows.append([f"`{name}`, {file.stat().st_size / 1e6:.0f} MB", *rates, f"{one.peak:.0f} MB"])
    header = ["file", "by processor time", "by wall time", "peak"]
    method = f"a trace of {args.megabytes:g} MB with stacks, whole processes on all cores, medians of {args.runs}"
    document.report_block(args, "export", document.table(header, rows), method)


if __name__ == "__main__":
    main()
