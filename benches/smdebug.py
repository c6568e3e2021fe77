"""The layer `tracelake.smdebug` beside smdebug itself, over the same profiles in the same run.

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
# For each measurement what it is called in the table, and whether smdebug is asked on a profile of more than 100 MB.
WHATS = {"load": True, "phases": True, "loader": False, "merge": False}
LARGE = 100
ROWS = {
    "load": "all system and framework metrics",
    "utilization": "utilization by training phase",
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
        if own != other:
            sys.exit(f"merged timeline: tracelake has {len(own)} sorts of events, smdebug {len(other)}")


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


def report(
    given: argparse.Namespace, found: dict[str, dict[str, dict[str, Measured]]], sizes: dict[str, float]
) -> None:
    """Both tables."""
    rows = []
    for name, title in ROWS.items():
        what = "phases" if name in {"utilization", "intervals"} else name
        for profile, by in found.items():
            taken = {who: one.seconds(name) for who, one in by[what].items()}
            who = ["smdebug", "first", "again"]
            cells = [f"{taken[one][0]:.3g} ({taken[one][1]:.3g})" if one in taken else "" for one in who]
            times = [f"{taken['smdebug'][1] / taken[one][1]:.1f}" if "smdebug" in taken else "" for one in who[1:]]
            rows.append([title, profile, *cells, *times])
    header = [
        "seconds, in brackets processor time",
        "profile",
        "smdebug",
        "first",
        "again",
        "times, first",
        "times, again",
    ]
    how = f"pandas {pd.__version__}, each in a process of its own on one core, without imports, medians of {given.runs}"
    document.tell(given, "smdebug", document.table(header, rows), f"{how}; times are of processor time")
    rows = []
    for profile, by in found.items():
        load = [by["load"][who] for who in ("smdebug", "first", "again")]
        memory = [f"{one.memory():.0f} MB" for one in load]
        slope = [f"{one.seconds('load')[1] / sizes[profile] * 1e3:.1f}" for one in load]
        rows.append([profile, f"{sizes[profile]:.1f}", *memory, *slope])
    header = ["loading", "MB", "smdebug: peak", "first", "again", "smdebug: ms for each MB", "first", "again"]
    told = "peak above that of the imports, and processor time for each MB of the profile"
    document.tell(given, "smdebug-loading", document.table(header, rows), told)
    largest = max(sizes, key=lambda profile: sizes[profile])
    base, first, again = (found[largest]["load"][who].seconds("load")[1] for who in ("smdebug", "first", "again"))
    aims.tell(given, {"smdebug": {f"{largest}, first": base / first, "when the lake has it": base / again}})


def main() -> None:
    """Makes the profiles, measures both, and tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", nargs="*", choices=list(PROFILES), default=list(PROFILES))
    parser.add_argument("--runs", type=int, default=3, help="of each; smdebug only once on the largest")
    parser.add_argument("--python", default="python3.11", help="for smdebug; 3.11 or older")
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    if shutil.which(given.python) is None:
        sys.exit(f"smdebug needs a Python of its own, and there is no {given.python}; say which with --python")
    theirs = environment("smdebug", *PACKAGES, pins=HERE / "constraints.txt", python=given.python)
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        scratch = Path(folder)
        built = programs.programs(given)
        found, sizes = {}, {}
        for name in given.profiles:
            profile = scratch / name.replace(" ", "_") / "profiler-output"
            sources.generate("sagemaker.py", profile, "--pystats", "0", *PROFILES[name].split())
            sizes[name] = size(profile)
            found[name] = measure(profile, theirs, built.package, given.runs, scratch)
            print(f"  {name}: the answers are the same", flush=True)
        report(given, found, sizes)


if __name__ == "__main__":
    main()
