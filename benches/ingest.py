"""How fast profiles become rows, beside the bare pass: serde_json over the same bytes, borrowed fields, no output.

Ingest is measured as whole processes, in turn with the bare pass (benches/bare_pass.rs), so that the ratio holds on a
noisy machine; that of traces without reading the file. Rates are those of the bytes as they are unpacked.
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
from process import Process, allowed, middle, run

CORES = (1, 2)
KINDS = ("plain", "gzip")


def profiles(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> None:
    """SageMaker profiles on one core."""
    rows = []
    for megabytes in given.profiles:
        source, lake = sources.profile(scratch / "profile", megabytes), scratch / "lake"
        bare, ours = [], []
        for _ in range(given.runs):
            bare.append(run([built.bare_pass, str(source)], cores=1))
            shutil.rmtree(lake, ignore_errors=True)
            ours.append(run(built.ingest(lake, source, "--run", "bench"), cores=1))
        said, one = bare[0].said(), middle(ours)
        mb, entries = said["bytes"] / 1e6, said["entries"]
        ratio = median(a.cpu / b.cpu for a, b in zip(bare, ours, strict=True))
        rates = [f"{mb / one.cpu:.0f} MB/s", f"{entries / one.cpu / 1e6:.2f} million/s"]
        passed = f"{mb / middle(bare).cpu:.0f} MB/s"
        rows.append([f"{mb:.1f} MB, {entries:,} entries", *rates, passed, f"{ratio:.2f}", f"{one.peak:.0f} MB"])
        shutil.rmtree(source)
    header = ["profile", "ingest", "entries", "bare pass", "ratio", "peak memory"]
    how = f"whole processes on one core, by processor time, medians of {given.runs} in turn"
    document.tell(given, "ingest-profiles", document.table(header, rows), how)


def traces(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> None:
    """PyTorch traces on one core and on two, plain and packed, against the bare pass over the plain one."""
    rows: list[list[str]] = []
    reached: dict[str, dict[str, float]] = {"one_core": {}, "two_cores": {}, "gzip": {}}
    for megabytes in given.traces:
        folders = {"plain": sources.trace(scratch / "plain", megabytes)}
        folders["gzip"] = sources.trace(scratch / "gzip", megabytes, "--gzip")
        mb = sources.size(folders["plain"])
        bare: list[float] = []
        every: dict[tuple[str, int], list[Process]] = {(kind, cores): [] for kind in KINDS for cores in CORES}
        for _ in range(given.runs):
            bare.append(run([built.bare_pass, str(folders["plain"])], cores=1).said()["visiting"])
            for (kind, cores), done in every.items():
                lake = scratch / "lake"
                shutil.rmtree(lake, ignore_errors=True)
                done.append(run(built.ingest(lake, folders[kind], "--run", "bench"), cores=cores))
        rows.append([f"{mb:,.0f} MB", "bare pass", "1", f"{mb / median(bare):.0f} MB/s", "", "", "", "", ""])
        for (kind, cores), done in every.items():
            one = middle(done)
            by_cpu, by_wall = (
                median(a / getattr(b, of) for a, b in zip(bare, done, strict=True)) for of in ("cpu", "seconds")
            )
            faster = median(a.seconds / b.seconds for a, b in zip(every[kind, 1], done, strict=True))
            name = f"{mb:,.0f} MB"
            if (kind, cores) == ("plain", 1):
                reached["one_core"][name] = by_cpu
            elif (kind, cores) == ("plain", 2):
                reached["two_cores"][name] = faster
            elif cores == max(CORES):
                reached["gzip"][name] = by_wall
            rates = [f"{mb / one.cpu:.0f} MB/s", f"{by_cpu:.2f}", f"{mb / one.seconds:.0f} MB/s", f"{by_wall:.2f}"]
            times = "" if cores == 1 else f"{faster:.2f}"
            rows.append([name, kind, str(cores), *rates, times, f"{one.peak:.0f} MB"])
        for folder in folders.values():
            shutil.rmtree(folder)
    header = [
        "trace",
        "input",
        "cores",
        "by processor time",
        "ratio",
        "by wall time",
        "ratio",
        "times one core",
        "peak",
    ]
    how = f"whole processes, medians of {given.runs} in turn; ratios to the bare pass on one core"
    document.tell(given, "ingest-traces", document.table(header, rows), how)
    if len(allowed()) < max(CORES):
        print("  NOT MEASURED on two cores: this machine has one", flush=True)
        del reached["two_cores"], reached["gzip"]
    aims.tell(given, reached)


def main() -> None:
    """Measures what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="*", type=float, default=[20, 200], help="SageMaker profiles, in MB")
    parser.add_argument("--traces", nargs="*", type=float, default=[50, 1000], help="PyTorch traces, in MB")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        built = programs.programs(given, bare_pass=True)
        if given.profiles:
            profiles(given, built, Path(folder))
        if given.traces:
            traces(given, built, Path(folder))


if __name__ == "__main__":
    main()
