"""The layer `tracelake.smdebug` beside smdebug itself, over the same profiles in the same run: `make bench-smdebug`.

smdebug 1.0.34 gets an environment of its own in a cache folder, with the packages of benches/smdebug/constraints.txt;
it needs a Python 3.11 or older. benches/smdebug/measure.py makes the same calls of both, each measurement in a process
of its own on one core. Imports are not counted. tracelake's first run begins with an empty lake, so that it has to read
the profile; "again" is a new process when the lake has it. Answers are compared, apart from threads, which smdebug
names by a salted hash, and an answer that differs ends the run.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from peers import ROOT, check, environment, machine, run, tracelake

HERE = ROOT / "benches/smdebug"
PACKAGES = ["smdebug", "bokeh", "boto3", "ipython", "numpy", "pandas", "psutil", "pyinstrument", "requests", "scipy"]
# About 6, 30 and 200 MB: one node, a phase of one mode, more of everything.
PROFILES = {
    "6 MB": "--steps 500 --epochs 2 --submodules 30",
    "30 MB": "--steps 2000 --epochs 4 --submodules 30 --cores 32 --gpus 4",
    "200 MB": "--steps 11200 --epochs 4 --submodules 38 --cores 40 --gpus 8",
}
# For each measurement what it is called in the table, and whether smdebug is asked on a profile of more than 100 MB.
WHATS = {"load": True, "phases": True, "loader": False, "merge": False}
LARGE = 100
ROWS = {
    "load": "all system and framework metrics",
    "utilization": "utilisation by training phase",
    "intervals": "intervals of training phases",
    "loader": "`PandasFrame`, `PT_dataloader_analysis`",
    "merge": "everything as one timeline",
}


class Measured:
    """All runs of one measurement by one of both."""

    def __init__(self, runs: list[dict[str, Any]]) -> None:
        self.runs = runs

    def seconds(self, name: str) -> tuple[float, float]:
        """Medians of wall time and of processor time."""
        taken = [self._seconds(one, name) for one in self.runs]
        return statistics.median(wall for wall, _ in taken), statistics.median(cpu for _, cpu in taken)

    def memory(self) -> float:
        """The peak above that of the imports, in MB."""
        return statistics.median(one["memory"] for one in self.runs) / 1e6

    @staticmethod
    def _seconds(one: dict[str, Any], name: str) -> tuple[float, float]:
        # opening is reading with us, and nothing with smdebug, whose analysis then reads
        parts = [one[name], one["open"]] if name == "loader" else [one[name]]
        return sum(wall for wall, _ in parts), sum(cpu for _, cpu in parts)


def frame(file: Path) -> pd.DataFrame:
    """A frame as measure.py keeps it; its texts are bytes."""
    with np.load(file) as kept:
        columns = {name: kept[name] for name in kept.files}
    columns = {name: column.astype(object) if column.dtype.kind == "S" else column for name, column in columns.items()}
    index = columns.pop("index")
    return pd.DataFrame(columns, index=index).drop(columns="tid", errors="ignore")


def compare(ours: Path, theirs: Path) -> None:
    """Ends the run where the answers of both differ in what docs/smdebug.md does not tell.

    smdebug keeps one of several rows that are all the same, and an event without a process has the number of its phase.
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
        check("merged timeline", len(own), len(other), same=own == other)


def measure(profile: Path, theirs: str, package: str, runs: int, scratch: Path) -> dict[str, dict[str, Measured]]:
    """All measurements of one profile, both in turn: by what is measured, and by whom."""
    large = size(profile) > LARGE
    found: dict[str, dict[str, Measured]] = {}
    for what, always in WHATS.items():
        said: dict[str, list[dict[str, Any]]] = {"smdebug": [], "first": [], "again": []}
        for turn in range(runs):
            home, answers = scratch / "home", {name: scratch / name for name in said}
            for folder in (home, *answers.values()):
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
            measured = [str(HERE / "measure.py"), "tracelake.smdebug", what, str(profile)]
            for name in ("first", "again"):
                command = [sys.executable, *measured, str(answers[name])]
                said[name].append(run(command, PYTHONPATH=package, TRACELAKE_HOME=str(home)).said())
            # minutes for one run
            if large and (turn or not always):
                continue
            measured[1] = "smdebug"
            said["smdebug"].append(run([theirs, *measured, str(answers["smdebug"])]).said())
            for name in ("first", "again"):
                compare(answers[name], answers["smdebug"])
        found[what] = {name: Measured(each) for name, each in said.items() if each}
    return found


def size(profile: Path) -> float:
    """MB in a profile."""
    return sum(file.stat().st_size for file in profile.rglob("*.json")) / 1e6


def report(found: dict[str, dict[str, dict[str, Measured]]], sizes: dict[str, float]) -> None:
    """Prints the tables."""
    print("\nSeconds, and in brackets seconds of processor time; times smdebug by processor time.\n")
    print("| | profile | smdebug | first | again | times, first | times, again |" + "\n|" + " --- |" * 7)
    for name, title in ROWS.items():
        what = "phases" if name in {"utilization", "intervals"} else name
        for profile, by in found.items():
            taken = {who: one.seconds(name) for who, one in by[what].items()}
            who = ["smdebug", "first", "again"]
            cells = [f"{taken[one][0]:.3g} ({taken[one][1]:.3g})" if one in taken else "" for one in who]
            times = [f"{taken['smdebug'][1] / taken[one][1]:.1f}" if "smdebug" in taken else "" for one in who[1:]]
            print(f"| {title} | {profile} | {' | '.join([*cells, *times])} |")
    print("\nLoading: peak above that of the imports, MB for each MB of the profile, and processor time for each MB.\n")
    print("| profile | MB | smdebug | first | again | smdebug, ms | first, ms | again, ms |" + "\n|" + " --- |" * 8)
    for profile, by in found.items():
        load = [by["load"][who] for who in ("smdebug", "first", "again")]
        memory = [f"{one.memory() / sizes[profile]:.2f}" for one in load]
        slope = [f"{one.seconds('load')[1] / sizes[profile] * 1e3:.1f}" for one in load]
        print(f"| {profile} | {sizes[profile]:.1f} | {' | '.join([*memory, *slope])} |")


def main() -> None:
    """Makes the profiles, measures both, and prints the machine and the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="*", choices=list(PROFILES), default=list(PROFILES))
    parser.add_argument("--runs", type=int, default=3, help="of each; smdebug only once on the largest")
    parser.add_argument("--python", default="python3.11", help="for smdebug; 3.11 or older")
    parser.add_argument("--command", help="a release build of tracelake, instead of building it")
    parser.add_argument("--module", help="the native module of the same build")
    given = parser.parse_args()
    if shutil.which(given.python) is None:
        sys.exit(f"smdebug needs a Python of its own, and there is no {given.python}; say which with --python")
    theirs = environment("smdebug", *PACKAGES, pins=HERE / "constraints.txt", python=given.python)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        _, package = tracelake(given, scratch)
        print(f"{machine()}, pandas {pd.__version__}, {time.strftime('%Y-%m-%d')}")
        found, sizes = {}, {}
        for name in given.profiles:
            profile = scratch / name.replace(" ", "_") / "profiler-output"
            generate = [sys.executable, str(ROOT / "tests/gen/sagemaker.py"), "--out", str(profile), "--pystats", "0"]
            subprocess.run([*generate, *PROFILES[name].split()], check=True, stdout=subprocess.DEVNULL)
            sizes[name] = size(profile)
            found[name] = measure(profile, theirs, package, given.runs, scratch)
            print(f"{name}: the answers are the same", flush=True)
        report(found, sizes)


if __name__ == "__main__":
    main()
