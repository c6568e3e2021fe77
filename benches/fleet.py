"""A lake of many small runs: `make bench-fleet` makes one with release builds, and times opening and asking it.

The runs are made by `tests/gen/fleet.py` and ingested with one `*`. Opening is a new process each time, warm files; a
question is the median of five in one process. `--runs` says how many, `--tracelake` and `--module` give builds that
are there.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
TIMES = 5
ASKED = {
    "fleet.runs": "s.fleet.runs()",
    "fleet.runs, one attribute": "s.fleet.runs(attribute='commit')",
    "fleet.trend": "s.fleet.trend(series='model')",
    "fleet.regressions": "s.fleet.regressions(series='model')",
    "fleet.waste": "s.fleet.waste()",
    "figure fleet_trend": "s.figure('fleet_trend')",
    "figure fleet_waste": "s.figure('fleet_waste')",
}
# One process: import, open, each question several times.
CODE = """
import json, sys, time
import tracelake as tl
begun = time.perf_counter()
s = tl.open(sys.argv[1])
seconds = {"open": time.perf_counter() - begun}
for what, code in json.loads(sys.argv[2]).items():
    times = []
    for _ in range(int(sys.argv[3])):
        begun = time.perf_counter()
        answer = eval(code)
        answer.to_html() if code.startswith("s.figure") else answer.to_arrow()
        times.append(time.perf_counter() - begun)
    seconds[what] = times
print(json.dumps(seconds))
"""


def release(scratch: Path) -> tuple[Path, Path]:
    """The command and the folder of a Python package with the native module, of release builds."""
    subprocess.run(["cargo", "build", "--release", "--workspace", "--locked"], cwd=ROOT, check=True)
    built = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release"
    ending = "dylib" if sys.platform == "darwin" else "so"
    return built / "tracelake", package(built / f"lib_tracelake.{ending}", scratch)


def package(module: Path, scratch: Path) -> Path:
    """A folder to import tracelake from, with this native module."""
    folder = scratch / "tracelake"
    folder.mkdir()
    for source in (ROOT / "python/tracelake").iterdir():
        if source.suffix == ".py" or source.is_dir():
            (folder / source.name).symlink_to(source)
    (folder / "_tracelake.abi3.so").symlink_to(module.resolve())
    return scratch


def asked(lake: Path, path: Path, questions: dict[str, str], times: int) -> dict:
    """The seconds of one process."""
    command = [sys.executable, "-c", CODE, str(lake), json.dumps(questions), str(times)]
    environment = {**os.environ, "PYTHONPATH": str(path)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def main() -> None:
    """Makes the lake, unless one is given, and asks it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--lake", type=Path, help="a lake that is there")
    parser.add_argument("--tracelake", type=Path, help="the command; with --module, else both are built")
    parser.add_argument("--module", type=Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        if args.module:
            command, path = args.tracelake, package(args.module, scratch)
        else:
            command, path = release(scratch)
        lake = args.lake
        if lake is None:
            lake, profiles = scratch / "lake", scratch / "in"
            generator = [
                sys.executable,
                str(ROOT / "tests/gen/fleet.py"),
                "--out",
                str(profiles),
                "--runs",
                str(args.runs),
            ]
            subprocess.run([*generator, "--at", str(args.runs * 6 // 10)], check=True)
            begun = time.perf_counter()
            ingest = [str(command), "--lake", str(lake), "ingest", f"{profiles}/*.json"]
            subprocess.run(ingest, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            print(f"  ingest of {args.runs} runs: {time.perf_counter() - begun:.1f} s", flush=True)
        opened = statistics.median(asked(lake, path, {}, 0)["open"] for _ in range(TIMES))
        print(f"  open, a new process: {opened:.2f} s")
        for what, times in asked(lake, path, ASKED, TIMES).items():
            if what != "open":
                print(f"  {what}: {statistics.median(times):.2f} s, at first {times[0]:.2f} s", flush=True)


if __name__ == "__main__":
    main()
