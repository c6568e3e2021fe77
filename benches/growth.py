"""Measures how time, processor time and memory grow with the input.

The input is one of: bytes of a trace, objects of a profile, runs of a lake. Each is measured on one core and on two. An
exponent is fitted over all sizes. The fixed cost of a start flattens it, so the exponent of the two largest sizes is
next to it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median

import aims
import document
import programs
import sources
from exponent import exponent, shown
from process import Process, allowed_cores, medians, run

CORES = (1, 2)
# Sizes in MB. The largest needs 10 GB of disk and five minutes to generate.
TRACES, LARGEST = [10, 100, 1000], 10_000
OBJECTS = [1, 10, 100, 1000, 10_000, 100_000]
RUNS = [1, 10, 100, 1000, 10_000]
# Number of runs in the aim.
MANY = 10_000
QUERIES = {
    "`fleet.runs`": "s.fleet.runs().to_arrow()",
    "`fleet.runs(attribute='commit')`": "s.fleet.runs(attribute='commit').to_arrow()",
    "`fleet.trend(series='model')`": "s.fleet.trend(series='model').to_arrow()",
    "`fleet.regressions(series='model')`": "s.fleet.regressions(series='model').to_arrow()",
    "`fleet.waste`": "s.fleet.waste().to_arrow()",
    "figure `fleet_trend`": "s.figure('fleet_trend').to_html()",
    "figure `fleet_waste`": "s.figure('fleet_waste').to_html()",
}
GROUPED = "`fleet.trend(series='model')`"
# A process that takes longer than this, in seconds, runs only once.
LONG = 20
FIGURES = ("seconds", "cpu", "peak")

# Measurements by cores and size.
Curves = dict[int, dict[float, Process]]


def repeat(args: argparse.Namespace, command: list[str], cores: int, lake: Path) -> Process:
    """The medians of several ingests, each into a new lake. The last lake stays."""
    processes: list[Process] = []
    while len(processes) < args.runs and not (processes and processes[-1].seconds > LONG):
        shutil.rmtree(lake, ignore_errors=True)
        processes.append(run(command, cores=cores))
    return medians(processes)


def format_cores(cores: int) -> str:
    """Formats a number of cores."""
    return f"{cores} core{'s' if cores > 1 else ''}"


def cells(one: Process) -> list[str]:
    """Formats time, processor time and peak memory of a process."""
    return [f"{one.seconds:.2f} s", f"{one.cpu:.2f} s", f"{one.peak:.0f} MB"]


def exponents(curve: dict[float, Process]) -> list[str]:
    """The exponent of each figure, followed by that of the two largest sizes in parentheses."""
    texts = []
    for figure in FIGURES:
        points = [(size, getattr(one, figure)) for size, one in sorted(curve.items())]
        texts.append(f"{shown(points)} ({shown(points[-2:])})" if len(points) > 1 else "")
    return texts


def sizes(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> None:
    """Measures traces of several sizes."""
    rows: list[list[str]] = []
    curves: Curves = {cores: {} for cores in args.cores}
    if args.largest:
        args.traces = [*args.traces, LARGEST]
    for megabytes in args.traces:
        source, lake = sources.trace(scratch / "trace", megabytes), scratch / "lake"
        for cores, curve in curves.items():
            one = curve[megabytes] = repeat(args, build.ingest(lake, source, "--run", "bench"), cores, lake)
            rows.append([f"{megabytes:,g} MB", str(cores), *cells(one), f"{megabytes / one.seconds:.0f} MB/s"])
        shutil.rmtree(source)
    rows += [["exponent", str(cores), *exponents(curve), ""] for cores, curve in curves.items()]
    header = ["trace", "cores", "time", "processor time", "peak", "rate"]
    document.report_block(args, "growth-sizes", document.table(header, rows), method(args, "a trace with stacks"))
    peaks = {f"{size:,g} MB, {format_cores(n)}": one.peak for n, curve in curves.items() for size, one in curve.items()}
    highest = max(peaks, key=lambda name: peaks[name])
    slopes = {n: exponent((size, one.peak) for size, one in curve.items()) for n, curve in curves.items()}
    flat = {f"{format_cores(n)}, to {max(curves[n]):,g} MB": slope for n, slope in slopes.items() if slope is not None}
    if max(args.traces) >= max(TRACES):
        aims.report_aims(args, {"peak": {highest: peaks[highest]}, "flat": flat})


def objects(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> None:
    """Measures profiles with several numbers of small files: the first ingest, and another one without new files."""
    rows: list[list[str]] = []
    for kind, generate in {"samples": sources.objects, "Python profiles": sources.dumps}.items():
        first: Curves = {cores: {} for cores in args.cores}
        again: Curves = {cores: {} for cores in args.cores}
        for number in args.objects:
            # Generate in another process: a child inherits the peak memory of this one.
            with ProcessPoolExecutor(1) as pool:
                source = pool.submit(generate, scratch / "profiler-output", number).result()
            lake = scratch / "lake"
            for cores in args.cores:
                command = build.ingest(lake, source, "--run", "bench")
                one = first[cores][number] = repeat(args, command, cores, lake)
                two = again[cores][number] = medians([run(command, cores=cores) for _ in range(args.runs)])
                rows.append([f"{number:,} {kind}", str(cores), *cells(one), *cells(two)])
            shutil.rmtree(source)
        curves = ([str(cores), *exponents(first[cores]), *exponents(again[cores])] for cores in args.cores)
        rows += [[f"exponent, {kind}", *curve] for curve in curves]
    figures = ["time", "processor time", "peak"]
    header = ["objects", "cores", *figures, *(f"again: {name}" for name in figures)]
    document.report_block(
        args, "growth-objects", document.table(header, rows), method(args, "files of at most 1 KB on a local disk")
    )


def runs(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> None:
    """Measures lakes with several numbers of small runs: ingest, opening, and a grouped query."""
    rows: list[list[str]] = []
    curves: Curves = {cores: {} for cores in args.cores}
    opening: dict[int, dict[float, float]] = {cores: {} for cores in args.cores}
    querying: dict[int, dict[float, float]] = {cores: {} for cores in args.cores}
    last: dict[str, list[float]] = {}
    for number in args.lakes:
        source, lake = sources.runs(scratch / "runs", number), scratch / "lake"
        for cores in args.cores:
            one = curves[cores][number] = repeat(args, build.ingest(lake, f"{source}/*.json"), cores, lake)
            request = {"url": str(lake), "questions": QUERIES, "times": 5}
            open_times = [build.ask({"url": str(lake)}, cores)["open"] for _ in range(5)]
            last = build.ask(request, cores)["seconds"]
            opening[cores][number], querying[cores][number] = median(open_times), min(last[GROUPED])
            rows.append(
                [f"{number:,}", str(cores), *cells(one), f"{median(open_times):.3f} s", f"{min(last[GROUPED]):.3f} s"]
            )
        shutil.rmtree(source)
    for cores in args.cores:
        more = [shown(curve[cores].items()) for curve in (opening, querying)]
        rows.append(["exponent", str(cores), *exponents(curves[cores]), *more])
    header = ["runs", "cores", "ingest: time", "processor time", "peak", "open", f"{GROUPED}, warm"]
    lines = document.table(header, rows)
    largest = f"{max(args.lakes):,} runs, {format_cores(max(args.cores))}"
    queries = [[name, f"{min(seconds):.3f} s", f"{seconds[0]:.3f} s"] for name, seconds in last.items()]
    lines += ["", *document.table([largest, "warm", "the first time"], queries)]
    description = method(
        args, "traces of one run each; opening is the median of 5 new processes, warm the least of 5 answers in one"
    )
    document.report_block(args, "growth-runs", lines, description)
    if MANY in args.lakes:
        aims.report_aims(args, {"open": {format_cores(cores): opening[cores][MANY] for cores in args.cores}})


def method(args: argparse.Namespace, subject: str) -> str:
    """Describes the measurement."""
    return f"{subject}; whole processes, medians of {args.runs}, one beyond {LONG} s"


def main() -> None:
    """Runs the selected measurements and removes their files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--traces", nargs="*", type=float, default=TRACES, help="one trace of so many MB")
    parser.add_argument("--largest", action="store_true", help=f"a trace of {LARGEST / 1000:g} GB as well")
    parser.add_argument("--objects", nargs="*", type=int, default=OBJECTS, help="one profile of so many files")
    parser.add_argument("--lakes", nargs="*", type=int, default=RUNS, help="one lake of so many runs")
    parser.add_argument("--cores", nargs="*", type=int, default=list(CORES))
    parser.add_argument("--runs", type=int, default=3, help="times that each is measured")
    parser.add_argument("--scratch", type=Path, help="folder for what is made; a temporary one if none is given")
    args = document.parse_args(parser)
    unavailable = [cores for cores in args.cores if cores > max(len(allowed_cores()), 1)]
    if unavailable:
        print(f"  NOT MEASURED on {unavailable} cores: this machine has fewer", flush=True)
    args.cores = [cores for cores in args.cores if cores not in unavailable]
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        build = programs.programs(args)
        if args.traces or args.largest:
            sizes(args, build, Path(folder))
        if args.objects:
            objects(args, build, Path(folder))
        if args.lakes:
            runs(args, build, Path(folder))


if __name__ == "__main__":
    main()
