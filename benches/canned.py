"""Every canned query over millions of events, warm: a new query is measured on the day that it is added.

Two lakes of each size, a PyTorch trace with stacks and a SageMaker profile, since most queries are about one of both.
One process asks all of them, each several times in a row: the first answer, and the least of the others. What grows
faster than the events, or takes more than a second, is listed.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import aims
import document
import programs
import sources
from exponent import exponent
from process import run

ASK = str(Path(__file__).with_name("ask_lake.py"))
# MB for each million rows of table `event`.
KINDS = {"trace": (sources.trace, 275), "profile": (sources.profile, 224)}
MILLIONS = [1, 2.5, 5]
# Events that the aims are about.
MANY = 4_900_000
# An exponent of less than this is one of the start, and of noise.
SLOW_S = 0.02
LIMIT_S, LIMIT_EXPONENT = 1.0, 1.1


def measured(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> dict[str, dict[float, Any]]:
    """What the process says, by kind and number of events."""
    found: dict[str, dict[float, Any]] = {kind: {} for kind in given.kinds}
    for kind, by in found.items():
        make, megabytes = KINDS[kind]
        for millions in given.millions:
            source, lake = make(scratch / "source" / "profiler-output", millions * megabytes), scratch / "lake"
            run(built.ingest(lake, source, "--run", "bench"))
            shutil.rmtree(source)
            asked = {"url": str(lake), "catalog": True, "times": given.times + 1}
            said = run([sys.executable, ASK], asked, PYTHONPATH=built.package).said()
            shutil.rmtree(lake)
            print(f"  {kind}: {said['events']:,} events, {len(said['seconds'])} queries", flush=True)
            if said["failed"]:
                print(f"  FAILED: {', '.join(said['failed'])}", flush=True)
            by[said["events"]] = said["seconds"]
    return found


def main() -> None:
    """Measures, and lists what is beyond the aims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", nargs="*", type=float, default=MILLIONS, help="millions of events")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--times", type=int, default=3, help="warm answers of which the least counts")
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        found = measured(given, programs.programs(given), Path(folder))
    tell(given, found)


def tell(given: argparse.Namespace, found: dict[str, dict[float, Any]]) -> None:
    """The table, and the figures of the aims."""
    names = sorted({name for by in found.values() for seconds in by.values() for name in seconds})
    rows = {name: [f"`{name}`"] for name in names}
    warm: dict[str, float] = {}
    slope: dict[str, float] = {}
    for kind, by in found.items():
        for name, row in rows.items():
            curve = {events: seconds[name] for events, seconds in sorted(by.items()) if name in seconds}
            if not curve:
                row += ["", "", ""]
                continue
            first, *others = list(curve.values())[-1]
            where = f"`{name}`, {kind}"
            warm[where] = min(others)
            fitted = exponent((events, min(others)) for events, (_, *others) in curve.items())
            if fitted is not None and min(others) > SLOW_S:
                slope[where] = fitted
            row += [f"{first * 1e3:.0f}", f"{min(others) * 1e3:.0f}", f"{slope[where]:.2f}" if where in slope else ""]
    header = ["query, ms", *(f"{kind}{what}" for kind in found for what in (", first", ", warm", ", exponent"))]
    most = " and ".join(f"{max(by):,} events ({kind})" for kind, by in found.items())
    slow = [f"{name} {took:.2f} s" for name, took in warm.items() if took > LIMIT_S]
    steep = [f"{name} {fitted:.2f}" for name, fitted in slope.items() if fitted > LIMIT_EXPONENT]
    lines = document.table(header, rows.values())
    lines += ["", f"Warm beyond {LIMIT_S:g} s: {', '.join(slow) or 'none'}."]
    if slope:
        lines += ["", f"Exponent beyond {LIMIT_EXPONENT:g}: {', '.join(steep) or 'none'}."]
    fewer = ", ".join(f"{events:,}" for by in found.values() for events in sorted(by)[:-1])
    how = f"{most}; warm is the least of {given.times}; exponents, of what takes 20 ms, with {fewer or 'nothing else'}"
    document.tell(given, "canned", lines, how)
    if min(map(max, found.values())) < MANY:
        return
    worst = max(warm, key=lambda name: warm[name])
    reached = {"canned": {worst: warm[worst]}}
    if slope:
        steepest = max(slope, key=lambda name: slope[name])
        reached["canned_growth"] = {steepest: slope[steepest]}
    aims.tell(given, reached)


if __name__ == "__main__":
    main()
