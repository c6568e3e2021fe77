"""How time, processor time and memory grow with what is read.

That is bytes of a trace, objects of a profile, runs of a lake, each on one core and on two. An exponent is that of all
sizes together. What it costs to start at all is a part of each, so that it is flatter than the largest sizes alone; the
exponent of the two largest stands beside it.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median
from typing import Any

import aims
import document
import programs
import sources
from exponent import exponent, shown
from process import Process, allowed, middle, run

ASK = str(Path(__file__).with_name("ask_lake.py"))
CORES = (1, 2)
# Sizes in MB; the largest takes 10 GB of disk and five minutes to make.
TRACES, LARGEST = [10, 100, 1000], 10_000
OBJECTS = [1, 10, 100, 1000, 10_000, 100_000]
RUNS = [1, 10, 100, 1000, 10_000]
# Runs that an aim is about.
MANY = 10_000
ASKED = {
    "`fleet.runs`": "s.fleet.runs().to_arrow()",
    "`fleet.runs(attribute='commit')`": "s.fleet.runs(attribute='commit').to_arrow()",
    "`fleet.trend(series='model')`": "s.fleet.trend(series='model').to_arrow()",
    "`fleet.regressions(series='model')`": "s.fleet.regressions(series='model').to_arrow()",
    "`fleet.waste`": "s.fleet.waste().to_arrow()",
    "figure `fleet_trend`": "s.figure('fleet_trend').to_html()",
    "figure `fleet_waste`": "s.figure('fleet_waste').to_html()",
}
GROUPED = "`fleet.trend(series='model')`"
# Whoever is measured longer than this is measured once.
LONG = 20
FIGURES = ("seconds", "cpu", "peak")

# What was measured, by cores and then by size.
Curves = dict[int, dict[float, Process]]


def several(given: argparse.Namespace, command: list[str], cores: int, lake: Path) -> Process:
    """Medians of an ingest into a new lake, which stays."""
    done: list[Process] = []
    while len(done) < given.runs and not (done and done[-1].seconds > LONG):
        shutil.rmtree(lake, ignore_errors=True)
        done.append(run(command, cores=cores))
    return middle(done)


def counted(cores: int) -> str:
    """A number of cores in words."""
    return f"{cores} core{'s' if cores > 1 else ''}"


def cells(one: Process) -> list[str]:
    """Time, processor time and peak of a process."""
    return [f"{one.seconds:.2f} s", f"{one.cpu:.2f} s", f"{one.peak:.0f} MB"]


def exponents(curve: dict[float, Process]) -> list[str]:
    """The exponent of each figure, and in brackets that of the two largest sizes alone."""
    found = []
    for figure in FIGURES:
        points = [(size, getattr(one, figure)) for size, one in sorted(curve.items())]
        found.append(f"{shown(points)} ({shown(points[-2:])})" if len(points) > 1 else "")
    return found


def sizes(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> None:
    """One trace that grows."""
    rows: list[list[str]] = []
    curves: Curves = {cores: {} for cores in given.cores}
    if given.largest:
        given.traces = [*given.traces, LARGEST]
    for megabytes in given.traces:
        source, lake = sources.trace(scratch / "trace", megabytes), scratch / "lake"
        for cores, curve in curves.items():
            one = curve[megabytes] = several(given, built.ingest(lake, source, "--run", "bench"), cores, lake)
            rows.append([f"{megabytes:,g} MB", str(cores), *cells(one), f"{megabytes / one.seconds:.0f} MB/s"])
        shutil.rmtree(source)
    rows += [["exponent", str(cores), *exponents(curve), ""] for cores, curve in curves.items()]
    header = ["trace", "cores", "time", "processor time", "peak", "rate"]
    document.tell(given, "growth-sizes", document.table(header, rows), how(given, "a trace with stacks"))
    peaks = {f"{size:,g} MB, {counted(n)}": one.peak for n, curve in curves.items() for size, one in curve.items()}
    highest = max(peaks, key=lambda name: peaks[name])
    slopes = {n: exponent((size, one.peak) for size, one in curve.items()) for n, curve in curves.items()}
    flat = {f"{counted(n)}, to {max(curves[n]):,g} MB": slope for n, slope in slopes.items() if slope is not None}
    if max(given.traces) >= max(TRACES):
        aims.tell(given, {"peak": {highest: peaks[highest]}, "flat": flat})


def objects(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> None:
    """A profile of ever more small files: read at first, and looked at again when nothing is new."""
    rows: list[list[str]] = []
    for kind, made in {"samples": sources.objects, "Python profiles": sources.dumps}.items():
        first: Curves = {cores: {} for cores in given.cores}
        again: Curves = {cores: {} for cores in given.cores}
        for number in given.objects:
            with ProcessPoolExecutor(1) as apart:  # what a large process starts is told to have peaked as high
                source = apart.submit(made, scratch / "profiler-output", number).result()
            lake = scratch / "lake"
            for cores in given.cores:
                command = built.ingest(lake, source, "--run", "bench")
                one = first[cores][number] = several(given, command, cores, lake)
                two = again[cores][number] = middle([run(command, cores=cores) for _ in range(given.runs)])
                rows.append([f"{number:,} {kind}", str(cores), *cells(one), *cells(two)])
            shutil.rmtree(source)
        curves = ([str(cores), *exponents(first[cores]), *exponents(again[cores])] for cores in given.cores)
        rows += [[f"exponent, {kind}", *curve] for curve in curves]
    named = ["time", "processor time", "peak"]
    header = ["objects", "cores", *named, *(f"again: {name}" for name in named)]
    document.tell(
        given, "growth-objects", document.table(header, rows), how(given, "files of at most 1 KB on a local disk")
    )


def runs(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> None:
    """A lake of ever more small runs: made, opened, and asked a grouped question."""
    rows: list[list[str]] = []
    curves: Curves = {cores: {} for cores in given.cores}
    opening: dict[int, dict[float, float]] = {cores: {} for cores in given.cores}
    asking: dict[int, dict[float, float]] = {cores: {} for cores in given.cores}
    last: dict[str, list[float]] = {}
    for number in given.lakes:
        source, lake = sources.runs(scratch / "runs", number), scratch / "lake"
        for cores in given.cores:
            one = curves[cores][number] = several(given, built.ingest(lake, f"{source}/*.json"), cores, lake)
            asked = {"url": str(lake), "questions": ASKED, "times": 5}
            opened = [child(built, cores, {"url": str(lake)})["open"] for _ in range(5)]
            last = child(built, cores, asked)["seconds"]
            opening[cores][number], asking[cores][number] = median(opened), min(last[GROUPED])
            rows.append(
                [f"{number:,}", str(cores), *cells(one), f"{median(opened):.3f} s", f"{min(last[GROUPED]):.3f} s"]
            )
        shutil.rmtree(source)
    for cores in given.cores:
        more = [shown(curve[cores].items()) for curve in (opening, asking)]
        rows.append(["exponent", str(cores), *exponents(curves[cores]), *more])
    header = ["runs", "cores", "ingest: time", "processor time", "peak", "open", f"{GROUPED}, warm"]
    lines = document.table(header, rows)
    most = f"{max(given.lakes):,} runs, {counted(max(given.cores))}"
    answers = [[name, f"{min(took):.3f} s", f"{took[0]:.3f} s"] for name, took in last.items()]
    lines += ["", *document.table([most, "warm", "the first time"], answers)]
    told = how(
        given, "traces of one run each; opening is the median of 5 new processes, warm the least of 5 answers in one"
    )
    document.tell(given, "growth-runs", lines, told)
    if MANY in given.lakes:
        aims.tell(given, {"open": {counted(cores): opening[cores][MANY] for cores in given.cores}})


def child(built: programs.Programs, cores: int, asked: dict[str, Any]) -> dict[str, Any]:
    """What a new process of Python says about a lake."""
    return run([sys.executable, ASK], asked, cores=cores, PYTHONPATH=built.package).said()


def how(given: argparse.Namespace, what: str) -> str:
    """How all of them are measured."""
    return f"{what}; whole processes, medians of {given.runs}, one beyond {LONG} s"


def main() -> None:
    """Measures what was asked for, and leaves nothing behind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", nargs="*", type=float, default=TRACES, help="one trace of so many MB")
    parser.add_argument("--largest", action="store_true", help=f"a trace of {LARGEST / 1000:g} GB as well")
    parser.add_argument("--objects", nargs="*", type=int, default=OBJECTS, help="one profile of so many files")
    parser.add_argument("--lakes", nargs="*", type=int, default=RUNS, help="one lake of so many runs")
    parser.add_argument("--cores", nargs="*", type=int, default=list(CORES))
    parser.add_argument("--runs", type=int, default=3, help="times that each is measured")
    parser.add_argument("--scratch", type=Path, help="folder for what is made; a temporary one if none is given")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    lacking = [cores for cores in given.cores if cores > max(len(allowed()), 1)]
    if lacking:
        print(f"  NOT MEASURED on {lacking} cores: this machine has fewer", flush=True)
    given.cores = [cores for cores in given.cores if cores not in lacking]
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        built = programs.programs(given)
        if given.traces or given.largest:
            sizes(given, built, Path(folder))
        if given.objects:
            objects(given, built, Path(folder))
        if given.lakes:
            runs(given, built, Path(folder))


if __name__ == "__main__":
    main()
