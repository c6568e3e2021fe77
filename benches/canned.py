"""Measures every saved query over millions of events, warm. It includes new queries without a change.

There are two lakes of each size, a PyTorch trace with stacks and a SageMaker profile, because most queries are about
one of them. One process runs all queries, each several times in a row: the first time, and the minimum of the others.
A list names the queries that grow faster than the events or take more than a second.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

import aims
import document
import programs
import sources
from exponent import exponent
from process import run

# MB for each million rows of table `event`.
KINDS = {"trace": (sources.trace, 275), "profile": (sources.profile, 224)}
MILLIONS = [1, 2.5, 5]
# Number of events in the aims.
MANY = 4_900_000
# No exponent is fitted below this time, in seconds: it would be that of fixed costs and noise.
SLOW_S = 0.02
LIMIT_S, LIMIT_EXPONENT = 1.0, 1.1


def measure(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> dict[str, dict[float, Any]]:
    """Seconds of each query, by kind and number of events."""
    results: dict[str, dict[float, Any]] = {kind: {} for kind in args.kinds}
    for kind, by_events in results.items():
        generate, megabytes = KINDS[kind]
        for millions in args.millions:
            source, lake = generate(scratch / "source" / "profiler-output", millions * megabytes), scratch / "lake"
            run(build.ingest(lake, source, "--run", "bench"))
            shutil.rmtree(source)
            request = {"url": str(lake), "catalog": True, "times": args.times + 1}
            result = build.ask(request)
            shutil.rmtree(lake)
            print(f"  {kind}: {result['events']:,} events, {len(result['seconds'])} queries", flush=True)
            if result["failed"]:
                print(f"  FAILED: {', '.join(result['failed'])}", flush=True)
            by_events[result["events"]] = result["seconds"]
    return results


def main() -> None:
    """Measures all queries, and lists those that miss the aims."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--millions", nargs="*", type=float, default=MILLIONS, help="millions of events")
    parser.add_argument("--kinds", nargs="*", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--times", type=int, default=3, help="warm answers of which the least counts")
    parser.add_argument("--scratch", type=Path, help="folder for profiles and lakes; a temporary one if none is given")
    args = document.parse_args(parser)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        results = measure(args, programs.programs(args), Path(folder))
    write_results(args, results)


def write_results(args: argparse.Namespace, results: dict[str, dict[float, Any]]) -> None:
    """Writes the table and the figures of the aims."""
    names = sorted({name for by_events in results.values() for seconds in by_events.values() for name in seconds})
    rows = {name: [f"`{name}`"] for name in names}
    warm: dict[str, float] = {}
    slopes: dict[str, float] = {}
    for kind, by_events in results.items():
        for name, row in rows.items():
            curve = {events: seconds[name] for events, seconds in sorted(by_events.items()) if name in seconds}
            if not curve:
                row += ["", "", ""]
                continue
            first, *others = list(curve.values())[-1]
            subject = f"`{name}`, {kind}"
            warm[subject] = min(others)
            slope = exponent((events, min(others)) for events, (_, *others) in curve.items())
            if slope is not None and min(others) > SLOW_S:
                slopes[subject] = slope
            cell = f"{slopes[subject]:.2f}" if subject in slopes else ""
            row += [f"{first * 1e3:.0f}", f"{min(others) * 1e3:.0f}", cell]
    header = ["query, ms", *(f"{kind}{column}" for kind in results for column in (", first", ", warm", ", exponent"))]
    events = " and ".join(f"{max(by_events):,} events ({kind})" for kind, by_events in results.items())
    slow = [f"{name} {seconds:.2f} s" for name, seconds in warm.items() if seconds > LIMIT_S]
    steep = [f"{name} {slope:.2f}" for name, slope in slopes.items() if slope > LIMIT_EXPONENT]
    lines = document.table(header, rows.values())
    lines += ["", f"Warm beyond {LIMIT_S:g} s: {', '.join(slow) or 'none'}."]
    if slopes:
        lines += ["", f"Exponent beyond {LIMIT_EXPONENT:g}: {', '.join(steep) or 'none'}."]
    smaller = ", ".join(f"{events:,}" for by_events in results.values() for events in sorted(by_events)[:-1])
    method = (
        f"{events}; warm is the least of {args.times}; exponents, of what takes 20 ms, with {smaller or 'nothing else'}"
    )
    document.report_block(args, "canned", lines, method)
    if min(map(max, results.values())) < MANY:
        return
    slowest = max(warm, key=lambda name: warm[name])
    figures = {"canned": {slowest: warm[slowest]}}
    if slopes:
        steepest = max(slopes, key=lambda name: slopes[name])
        figures["canned_growth"] = {steepest: slopes[steepest]}
    aims.report_aims(args, figures)


if __name__ == "__main__":
    main()
