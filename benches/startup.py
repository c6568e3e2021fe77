"""Measures how long the command and the package take to start."""

from __future__ import annotations

import argparse
import sys
from statistics import median

import aims
import document
import programs
from process import medians, run

# Installed packages have compiled bytecode. Without this, PYTHONDONTWRITEBYTECODE would make Python compile each time.
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
# Excludes the start of Python itself.
IMPORT = "import time; t = time.perf_counter(); import tracelake; print((time.perf_counter() - t) * 1e3)"


def main() -> None:
    """Measures new processes, one after the other. The first one of each kind is not counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    args = document.parse_args(parser)
    build = programs.programs(args)
    version = medians([run([build.command, "--version"]) for _ in range(args.runs + 1)][1:])
    command, environment = [sys.executable, "-c", IMPORT], {"PYTHONPATH": build.package, **COMPILED}
    runs = [run(command, **environment) for _ in range(args.runs + 1)][1:]
    imported = median(float(one.text) for one in runs)
    whole = medians(runs)
    bare = medians([run([sys.executable, "-c", "pass"]) for _ in range(args.runs)])
    processes = {"`tracelake --version`": version, 'the whole of `python -c "import tracelake"`': whole}
    rows = [[name, f"{one.seconds * 1e3:.1f}", f"{one.peak:.0f}"] for name, one in processes.items()]
    rows.insert(1, ["`import tracelake`, without the start of Python", f"{imported:.1f}", ""])
    rows.append(["Python alone", f"{bare.seconds * 1e3:.1f}", f"{bare.peak:.0f}"])
    method = f"new processes, warm files, medians of {args.runs}"
    document.report_block(args, "startup", document.table(["", "ms", "peak, MB"], rows), method)
    aims.report_aims(args, {"import": {"": imported}, "version": {"": version.seconds * 1e3}})


if __name__ == "__main__":
    main()
