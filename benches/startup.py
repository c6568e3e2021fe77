"""What nobody should notice: how long the command and the package take to start."""

from __future__ import annotations

import argparse
import sys
from statistics import median

import aims
import document
import programs
from process import middle, run

# Installed packages are compiled; whoever tells Python to keep nothing would measure the compiler.
COMPILED = {"PYTHONDONTWRITEBYTECODE": ""}
# Python's own start is not ours.
IMPORT = "import time; t = time.perf_counter(); import tracelake; print((time.perf_counter() - t) * 1e3)"


def main() -> None:
    """Measures new processes, one after the other; the first one of each is not counted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=20)
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    built = programs.programs(given)
    version = middle([run([built.command, "--version"]) for _ in range(given.runs + 1)][1:])
    command, environment = [sys.executable, "-c", IMPORT], {"PYTHONPATH": built.package, **COMPILED}
    every = [run(command, **environment) for _ in range(given.runs + 1)][1:]
    imported = median(float(one.text) for one in every)
    whole = middle(every)
    bare = middle([run([sys.executable, "-c", "pass"]) for _ in range(given.runs)])
    took = {"`tracelake --version`": version, 'the whole of `python -c "import tracelake"`': whole}
    rows = [[what, f"{one.seconds * 1e3:.1f}", f"{one.peak:.0f}"] for what, one in took.items()]
    rows.insert(1, ["`import tracelake`, without the start of Python", f"{imported:.1f}", ""])
    rows.append(["Python alone", f"{bare.seconds * 1e3:.1f}", f"{bare.peak:.0f}"])
    how = f"new processes, warm files, medians of {given.runs}"
    document.tell(given, "startup", document.table(["", "ms", "peak, MB"], rows), how)
    aims.tell(given, {"import": {"": imported}, "version": {"": version.seconds * 1e3}})


if __name__ == "__main__":
    main()
