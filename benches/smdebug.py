"""Compares the layer `tracelake.smdebug` with smdebug itself, over the same profiles in the same run.

smdebug 1.0.34 has its own environment in a cache folder, with the packages of benches/smdebug/constraints.txt; it needs
Python 3.11 or older. benches/smdebug/measure.py calls both in the same way, each measurement in a new process on one
core. Imports are not counted. tracelake's first run starts with an empty lake and has to read the profile; "again" is a
new process with that lake. Results are compared, and a difference ends the run. Threads are not compared, because
smdebug names them by a salted hash.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import aims
import document
import numpy as np
import pandas as pd
import programs
import sources
from environments import environment
from process import run
from programs import ROOT

HERE = ROOT / "benches/smdebug"
PACKAGES = ["smdebug", "bokeh", "boto3", "ipython", "numpy", "pandas", "psutil", "pyinstrument", "requests", "scipy"]
# About 6, 30 and 200 MB: one node, a phase of one mode, more of everything.
PROFILES = {
    "6 MB": "--steps 500 --epochs 2 --submodules 30",
    "30 MB": "--steps 2000 --epochs 4 --submodules 30 --cores 32 --gpus 4",
    "200 MB": "--steps 11200 --epochs 4 --submodules 38 --cores 40 --gpus 8",
}
# The measurements, and whether smdebug also runs them on a profile of more than LARGE MB.
MEASUREMENTS = {"load": True, "phases": True, "loader": False, "merge": False}
LARGE = 100
# smdebug, tracelake with an empty lake, and tracelake with the lake of the first run.
VARIANTS = ["smdebug", "first", "again"]
# The rows of the table.
ROWS = {
    "load": "all system and framework metrics",
    "utilization": "utilization by training phase",
    "intervals": "intervals of training phases",
    "loader": "`PandasFrame`, `PT_dataloader_analysis`",
    "merge": "everything as one timeline",
}


class Measurement:
    """All runs of one measurement by one of the two libraries."""

    def __init__(self, runs: list[dict[str, Any]]) -> None:
        self.runs = runs

    def seconds(self, name: str) -> tuple[float, float]:
        """The medians of wall time and of processor time."""
        runs = [self._seconds(one, name) for one in self.runs]
        return statistics.median(wall for wall, _ in runs), statistics.median(cpu for _, cpu in runs)

    def memory(self) -> float:
        """The peak memory above that of the imports, in MB."""
        return statistics.median(one["memory"] for one in self.runs) / 1e6

    @staticmethod
    def _seconds(one: dict[str, Any], name: str) -> tuple[float, float]:
        # tracelake reads the profile when it is opened, smdebug only during the analysis
        parts = [one[name], one["open"]] if name == "loader" else [one[name]]
        return sum(wall for wall, _ in parts), sum(cpu for _, cpu in parts)


def frame(file: Path) -> pd.DataFrame:
    """Loads a frame that measure.py stored. Texts are bytes."""
    with np.load(file) as arrays:
        columns = {name: arrays[name] for name in arrays.files}
    columns = {name: column.astype(object) if column.dtype.kind == "S" else column for name, column in columns.items()}
    index = columns.pop("index")
    return pd.DataFrame(columns, index=index).drop(columns="tid", errors="ignore")


def compare(ours: Path, theirs: Path) -> None:
    """Compares the results of both, and ends the run at a difference that docs/smdebug.md does not describe.

    smdebug removes duplicate rows, and an event without a process has the number of its phase.
    """
    for file in sorted(theirs.glob("*.npz")):
        own, other = frame(ours / file.name).drop_duplicates(), frame(file)
        if "pid" in other and len(own) == len(other):
            other["pid"] = other["pid"].mask(own["pid"].to_numpy() == -1, -1)
        try:
            pd.testing.assert_frame_equal(own, other, rtol=1e-9, atol=0)
        except AssertionError as error:
            sys.exit(f"{file.name}: tracelake on the left, smdebug on the right\n{error}")
    if (theirs / "merged.json").exists():
        own, other = (json.loads((folder / "merged.json").read_text()) for folder in (ours, theirs))
        if own != other:
            sys.exit(f"merged timeline: tracelake has {len(own)} sorts of events, smdebug {len(other)}")


def measure(profile: Path, theirs: str, package: str, runs: int, scratch: Path) -> dict[str, dict[str, Measurement]]:
    """All measurements of one profile, both libraries interleaved: by measurement and by library."""
    is_large = size(profile) > LARGE
    measurements: dict[str, dict[str, Measurement]] = {}
    for name, always in MEASUREMENTS.items():
        results: dict[str, list[dict[str, Any]]] = {variant: [] for variant in VARIANTS}
        for turn in range(runs):
            home, answers = scratch / "home", {variant: scratch / variant for variant in results}
            for folder in (home, *answers.values()):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
            script = [str(HERE / "measure.py"), "tracelake.smdebug", name, str(profile)]
            for variant in ("first", "again"):
                command = [sys.executable, *script, str(answers[variant])]
                results[variant].append(run(command, PYTHONPATH=package, TRACELAKE_HOME=str(home)).json())
            # a run of smdebug takes minutes
            if is_large and (turn or not always):
                continue
            script[1] = "smdebug"
            results["smdebug"].append(run([theirs, *script, str(answers["smdebug"])]).json())
            for variant in ("first", "again"):
                compare(answers[variant], answers["smdebug"])
        measurements[name] = {variant: Measurement(runs) for variant, runs in results.items() if runs}
    return measurements


def size(profile: Path) -> float:
    """The size of a profile, MB."""
    return sum(file.stat().st_size for file in profile.rglob("*.json")) / 1e6


def report(
    args: argparse.Namespace, profiles: dict[str, dict[str, dict[str, Measurement]]], sizes: dict[str, float]
) -> None:
    """Writes both tables."""
    rows = []
    for name, title in ROWS.items():
        measurement = "phases" if name in {"utilization", "intervals"} else name
        for profile, measurements in profiles.items():
            seconds = {variant: one.seconds(name) for variant, one in measurements[measurement].items()}
            cells = [f"{seconds[one][0]:.3g} ({seconds[one][1]:.3g})" if one in seconds else "" for one in VARIANTS]
            times = [
                f"{seconds['smdebug'][1] / seconds[one][1]:.1f}" if "smdebug" in seconds else "" for one in VARIANTS[1:]
            ]
            rows.append([title, profile, *cells, *times])
    header = ["seconds, in brackets processor time", "profile", *VARIANTS, "times, first", "times, again"]
    method = (
        f"pandas {pd.__version__}, each in a process of its own on one core, without imports, medians of {args.runs}"
    )
    document.report_block(args, "smdebug", document.table(header, rows), f"{method}; times are of processor time")
    rows = []
    for profile, measurements in profiles.items():
        load = [measurements["load"][variant] for variant in VARIANTS]
        memory = [f"{one.memory():.0f} MB" for one in load]
        slope = [f"{one.seconds('load')[1] / sizes[profile] * 1e3:.1f}" for one in load]
        rows.append([profile, f"{sizes[profile]:.1f}", *memory, *slope])
    header = ["loading", "MB", "smdebug: peak", "first", "again", "smdebug: ms for each MB", "first", "again"]
    method = "peak above that of the imports, and processor time for each MB of the profile"
    document.report_block(args, "smdebug-loading", document.table(header, rows), method)
    largest = max(sizes, key=lambda profile: sizes[profile])
    base, first, again = (profiles[largest]["load"][variant].seconds("load")[1] for variant in VARIANTS)
    aims.report_aims(args, {"smdebug": {f"{largest}, first": base / first, "when the lake has it": base / again}})


def main() -> None:
    """Generates the profiles, measures both and writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="*", choices=list(PROFILES), default=list(PROFILES))
    parser.add_argument("--runs", type=int, default=3, help="of each; smdebug only once on the largest")
    parser.add_argument("--python", default="python3.11", help="for smdebug; 3.11 or older")
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    args = document.parse_args(parser)
    if shutil.which(args.python) is None:
        sys.exit(f"smdebug needs a Python of its own, and there is no {args.python}; say which with --python")
    theirs = environment("smdebug", *PACKAGES, pins=HERE / "constraints.txt", python=args.python)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        build = programs.programs(args)
        profiles, sizes = {}, {}
        for name in args.profiles:
            profile = scratch / name.replace(" ", "_") / "profiler-output"
            sources.generate("sagemaker.py", profile, "--pystats", "0", *PROFILES[name].split())
            sizes[name] = size(profile)
            profiles[name] = measure(profile, theirs, build.package, args.runs, scratch)
            print(f"  {name}: the answers are the same", flush=True)
        report(args, profiles, sizes)


if __name__ == "__main__":
    main()
