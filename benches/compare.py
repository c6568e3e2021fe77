"""Runs two builds interleaved, for example an earlier commit and this tree, and prints which is faster, by how much.

`python benches/compare.py f284bfd123` measures the build kept in target/bench under that name against one of this tree.
To build a commit, check it out and run any bench. `--build NAME` compares with an existing build instead of this tree.
Both builds run the same measurements one after the other, many times, and the ratio is the median over these pairs, so
that it holds on a noisy machine.
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

ASK = str(Path(__file__).with_name("ask_lake.py"))
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

# Seconds by name of what is measured.
Times = dict[str, float]


def measure(one: Programs, trace: Path, scratch: Path) -> Times:
    """One process of each kind: starts, ingests, and questions about the lakes that they made."""
    times = {"`tracelake --version`": run([one.command, "--version"]).seconds}
    times["`import tracelake`"] = (
        float(run([sys.executable, "-c", IMPORT], PYTHONPATH=one.package, **COMPILED).text) / 1e3
    )
    for name, source in (("bundled profile", sources.FIRST_LOOK), ("trace", trace)):
        lake = scratch / "lake"
        times[f"ingest of the {name}, processor time"] = run(one.ingest(lake, source, "--run", "bench")).cpu
        questions = {query: f"s.query({query!r}).to_arrow()" for query in QUERIES} | {"diagnosis": DIAGNOSE}
        asked = {"url": str(lake), "questions": questions, "times": 3}
        said = run([sys.executable, ASK], asked, PYTHONPATH=one.package).said()
        if said["failed"]:
            sys.exit(f"failed: {', '.join(said['failed'])}")
        for query, (first, *others) in said["seconds"].items():
            times[f"`{query}`, {name}, first"] = first
            times[f"`{query}`, {name}, warm"] = min(others)
        shutil.rmtree(lake)
    return times


def interleave(old: Callable[[], Times], new: Callable[[], Times], pairs: int) -> list[tuple[Times, Times]]:
    """Pairs of measurements; each build is the first one in every second pair. One pair before is not counted."""
    found = []
    for nth in range(pairs + 1):
        if nth % 2:
            later = new()
            found.append((old(), later))
        else:
            found.append((old(), new()))
    return found[1:]


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", help="a build in target/bench, by the name of its commit")
    parser.add_argument("--megabytes", type=float, default=50, help="size of the trace")
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--scratch", type=Path, help="folder for the trace and lakes; a temporary one if none is given")
    programs.options(parser)
    given = parser.parse_args()
    old, new = programs.kept(given.old), programs.programs(given)
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        scratch = Path(folder)
        trace = sources.trace(scratch / "trace", given.megabytes)
        pairs = interleave(lambda: measure(old, trace, scratch), lambda: measure(new, trace, scratch), given.pairs)
    rows = []
    for what in pairs[0][0]:
        before, after = ([times[what] for times in side] for side in zip(*pairs, strict=True))
        ratios = sorted(b / a for a, b in zip(before, after, strict=True))
        quartiles = f"{ratios[len(ratios) // 4]:.2f} to {ratios[-1 - len(ratios) // 4]:.2f}"
        shown = [f"{median(before) * 1e3:.1f}", f"{median(after) * 1e3:.1f}"]
        rows.append([what, *shown, f"{median(ratios):.2f}", quartiles])
    header = ["", f"{given.old}, ms", f"{given.build}, ms", "new / old", "quartiles"]
    print("\n".join(["", *document.table(header, rows)]))


if __name__ == "__main__":
    main()
