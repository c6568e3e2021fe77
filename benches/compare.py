"""Runs two builds interleaved, for example an earlier commit and this tree, and prints the ratio of their times.

`python benches/compare.py f284bfd123` compares the build of that name in target/bench with one of this tree. To build a
commit, check it out and run any bench. `--build NAME` compares with an existing build instead of this tree. Both builds
run the same measurements one after the other, many times, and the ratio is the median over these pairs, so that it
holds on a noisy machine.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import document
import programs
import sources
from process import run
from startup import COMPILED, IMPORT

if TYPE_CHECKING:
    from collections.abc import Callable

    from programs import Programs

QUERIES = [
    "job.overview",
    "step.duration",
    "step.breakdown",
    "loader.next",
    "loader.during_outliers",
    "operator.summary",
    "kernel.by_operator",
    "utilization.by_phase",
    "utilization.cpu_bottleneck",
    "rules.report",
]
DIAGNOSE = "s.sql('select * from diagnosis').to_arrow()"

# Seconds by name of the measurement.
Times = dict[str, float]


def measure(build: Programs, trace: Path, scratch: Path) -> Times:
    """Runs each measurement once: starts, ingests, and queries on the new lakes."""
    times = {"`tracelake --version`": run([build.command, "--version"]).seconds}
    times["`import tracelake`"] = (
        float(run([sys.executable, "-c", IMPORT], PYTHONPATH=build.package, **COMPILED).text) / 1e3
    )
    for name, source in (("bundled profile", sources.FIRST_LOOK), ("trace", trace)):
        lake = scratch / "lake"
        times[f"ingest of the {name}, processor time"] = run(build.ingest(lake, source, "--run", "bench")).cpu
        questions = {query: f"s.query({query!r}).to_arrow()" for query in QUERIES} | {"diagnosis": DIAGNOSE}
        request = {"url": str(lake), "questions": questions, "times": 3}
        result = build.ask(request)
        if result["failed"]:
            sys.exit(f"failed: {', '.join(result['failed'])}")
        for query, (first, *others) in result["seconds"].items():
            times[f"`{query}`, {name}, first"] = first
            times[f"`{query}`, {name}, warm"] = min(others)
        shutil.rmtree(lake)
    return times


def interleave(old: Callable[[], Times], new: Callable[[], Times], pairs: int) -> list[tuple[Times, Times]]:
    """Pairs of measurements. Each build runs first in every second pair. An additional first pair is not counted."""
    results = []
    for nth in range(pairs + 1):
        if nth % 2:
            second = new()
            results.append((old(), second))
        else:
            results.append((old(), new()))
    return results[1:]


def main() -> None:
    """Measures both builds and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", help="a build in target/bench, by the name of its commit")
    parser.add_argument("--megabytes", type=float, default=50, help="size of the trace")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--scratch", type=Path, help="folder for the trace and lakes; a temporary one if none is given")
    programs.options(parser)
    args = parser.parse_args()
    old, new = programs.find_build(args.old), programs.programs(args)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        trace = sources.trace(scratch / "trace", args.megabytes)
        pairs = interleave(lambda: measure(old, trace, scratch), lambda: measure(new, trace, scratch), args.pairs)
    rows = []
    for name in pairs[0][0]:
        before, after = ([times[name] for times in side] for side in zip(*pairs, strict=True))
        ratios = sorted(b / a for a, b in zip(before, after, strict=True))
        quartiles = f"{ratios[len(ratios) // 4]:.2f} to {ratios[-1 - len(ratios) // 4]:.2f}"
        milliseconds = [f"{median(before) * 1e3:.1f}", f"{median(after) * 1e3:.1f}"]
        rows.append([name, *milliseconds, f"{median(ratios):.2f}", quartiles])
    header = ["", f"{args.old}, ms", f"{args.build}, ms", "new / old", "quartiles"]
    print("\n".join(["", *document.table(header, rows)]))


if __name__ == "__main__":
    main()
