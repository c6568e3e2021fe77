"""Measures the ingest of profiles and compares it with the bare pass: serde_json over the same bytes, without output.

The ingest runs as whole processes, interleaved with the bare pass (benches/bare_pass.rs), so that the ratio holds on a
noisy machine. For traces the bare pass excludes reading the file. Rates are relative to the uncompressed size.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from statistics import median

import aims
import document
import programs
import sources
from process import Process, allowed_cores, medians, run

CORES = (1, 2)
KINDS = ("plain", "gzip")


def profiles(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> None:
    """Measures SageMaker profiles on one core."""
    rows = []
    for megabytes in args.profiles:
        source, lake = sources.profile(scratch / "profile", megabytes), scratch / "lake"
        bare, ingest = [], []
        for _ in range(args.runs):
            bare.append(run([build.bare_pass, str(source)], cores=1))
            shutil.rmtree(lake, ignore_errors=True)
            ingest.append(run(build.ingest(lake, source, "--run", "bench"), cores=1))
        counts, one = bare[0].json(), medians(ingest)
        mb, entries = counts["bytes"] / 1e6, counts["entries"]
        ratio = median(a.cpu / b.cpu for a, b in zip(bare, ingest, strict=True))
        rates = [f"{mb / one.cpu:.0f} MB/s", f"{entries / one.cpu / 1e6:.2f} million/s"]
        bare_rate = f"{mb / medians(bare).cpu:.0f} MB/s"
        rows.append([f"{mb:.1f} MB, {entries:,} entries", *rates, bare_rate, f"{ratio:.2f}", f"{one.peak:.0f} MB"])
        shutil.rmtree(source)
    header = ["profile", "ingest", "entries", "bare pass", "ratio", "peak memory"]
    method = f"whole processes on one core, by processor time, medians of {args.runs} in turn"
    document.report_block(args, "ingest-profiles", document.table(header, rows), method)


def traces(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> None:
    """Measures PyTorch traces on one core and on two, plain and compressed, and compares with the bare pass."""
    rows: list[list[str]] = []
    figures: dict[str, dict[str, float]] = {"one_core": {}, "two_cores": {}, "gzip": {}}
    for megabytes in args.traces:
        folders = {"plain": sources.trace(scratch / "plain", megabytes)}
        folders["gzip"] = sources.trace(scratch / "gzip", megabytes, "--gzip")
        mb = sources.size(folders["plain"])
        bare: list[float] = []
        ingests: dict[tuple[str, int], list[Process]] = {(kind, cores): [] for kind in KINDS for cores in CORES}
        for _ in range(args.runs):
            bare.append(run([build.bare_pass, str(folders["plain"])], cores=1).json()["visiting"])
            for (kind, cores), processes in ingests.items():
                lake = scratch / "lake"
                shutil.rmtree(lake, ignore_errors=True)
                processes.append(run(build.ingest(lake, folders[kind], "--run", "bench"), cores=cores))
        rows.append([f"{mb:,.0f} MB", "bare pass", "1", f"{mb / median(bare):.0f} MB/s", "", "", "", "", ""])
        for (kind, cores), processes in ingests.items():
            one = medians(processes)
            by_cpu, by_wall = (
                median(a / getattr(b, figure) for a, b in zip(bare, processes, strict=True))
                for figure in ("cpu", "seconds")
            )
            speedup = median(a.seconds / b.seconds for a, b in zip(ingests[kind, 1], processes, strict=True))
            name = f"{mb:,.0f} MB"
            if (kind, cores) == ("plain", 1):
                figures["one_core"][name] = by_cpu
            elif (kind, cores) == ("plain", 2):
                figures["two_cores"][name] = speedup
            elif cores == max(CORES):
                figures["gzip"][name] = by_wall
            rates = [f"{mb / one.cpu:.0f} MB/s", f"{by_cpu:.2f}", f"{mb / one.seconds:.0f} MB/s", f"{by_wall:.2f}"]
            times = "" if cores == 1 else f"{speedup:.2f}"
            rows.append([name, kind, str(cores), *rates, times, f"{one.peak:.0f} MB"])
        for folder in folders.values():
            shutil.rmtree(folder)
    rates = ["by processor time", "ratio", "by wall time", "ratio"]
    header = ["trace", "input", "cores", *rates, "times one core", "peak"]
    method = f"whole processes, medians of {args.runs} in turn; ratios to the bare pass on one core"
    document.report_block(args, "ingest-traces", document.table(header, rows), method)
    if len(allowed_cores()) < max(CORES):
        print("  NOT MEASURED on two cores: this machine has one", flush=True)
        del figures["two_cores"], figures["gzip"]
    aims.report_aims(args, figures)


def main() -> None:
    """Measures the selected profiles and traces."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="*", type=float, default=[20, 200], help="SageMaker profiles, in MB")
    parser.add_argument("--traces", nargs="*", type=float, default=[50, 1000], help="PyTorch traces, in MB")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    args = document.parse_args(parser)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        build = programs.programs(args, bare_pass=True)
        if args.profiles:
            profiles(args, build, Path(folder))
        if args.traces:
            traces(args, build, Path(folder))


if __name__ == "__main__":
    main()
