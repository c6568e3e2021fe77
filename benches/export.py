"""How fast rows become a trace again: a PyTorch trace from the lake to a file, plain and packed.

Rates are those of the JSON that is written, unpacked.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import document
import programs
import sources
from process import middle, run

FILES = ("trace.json", "trace.json.gz")


def main() -> None:
    """Measures, on all cores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=float, default=200)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for the lake and the files; a temporary one without it")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        scratch, rows = Path(folder), []
        built = programs.programs(given)
        lake = scratch / "lake"
        run(built.ingest(lake, sources.trace(scratch / "trace", given.megabytes), "--run", "bench"))
        for name in FILES:
            file = scratch / name
            command = [built.command, "--lake", str(lake), "export", "bench", "-o", str(file)]
            one = middle([run(command) for _ in range(given.runs)])
            mb = (scratch / FILES[0]).stat().st_size / 1e6
            rates = [f"{mb / one.cpu:.0f} MB/s", f"{mb / one.seconds:.0f} MB/s"]
            rows.append([f"`{name}`, {file.stat().st_size / 1e6:.0f} MB", *rates, f"{one.peak:.0f} MB"])
    header = ["file", "by processor time", "by wall time", "peak"]
    how = f"a trace of {given.megabytes:g} MB with stacks, whole processes on all cores, medians of {given.runs}"
    document.tell(given, "export", document.table(header, rows), how)


if __name__ == "__main__":
    main()
