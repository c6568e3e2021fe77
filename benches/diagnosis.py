"""Measures `diagnose`, `report`, `figure all` and small queries, and the stages in which they spend their time.

Each bundled profile is read into a lake of its own. Every command is a new process. With `--before` an earlier build
runs interleaved. The stages come from the profile that the command writes about itself.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median

import document
import programs
import sources
from process import Process, medians, run
from programs import ROOT, Programs

PROFILES = {
    "SageMaker": "first_look/profiler-output",
    "PyTorch, 2 ranks": "pytorch_ddp",
    "Nsight Systems": "nsys/report_rank0.sqlite",
    "Lightning": "lightning/simple",
    "DALI": "data_loading/dali",
    "loader timings": "data_loading/timings",
    "recorder": "recorder/w2",
}
COMMANDS = ("diagnose", "report", "figure all")
# `diagnose` exits with 1 when a finding is critical.
EXIT_CODES = {"diagnose": (0, 1), "report": (0,), "figure all": (0,)}
QUERIES = ("step.duration", "job.overview")
STAGES = {
    "parse": "SQL to plan",
    "analyze": "types",
    "optimize": "logical optimizer",
    "physical_plan": "physical plan",
    "execute": "execution of views",
}
# A script that prints the time of the first and the second run of each query in a session, in milliseconds.
SMALL = """
import json, sys, time, pyarrow, tracelake
lake, *names = sys.argv[1:]
session, times = tracelake.open(lake), {}
for name in names:
    for _ in range(2):
        start = time.perf_counter()
        session.query(name).to_arrow()
        times.setdefault(name, []).append((time.perf_counter() - start) * 1e3)
print(json.dumps(times))
"""


def main() -> None:
    """Runs the builds interleaved and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--before", help="an earlier build in target/bench, by the name of its commit")
    parser.add_argument("--trace", type=int, help="megabytes of a generated trace, instead of the bundled profiles")
    args = document.parse_args(parser)
    builds = {args.before: programs.find_build(args.before)} if args.before else {}
    builds["now"] = programs.programs(args)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if args.trace:
            trace = scratch / "trace.json"
            sources.trace(trace, args.trace)
            inputs = {f"trace of {args.trace} MB": trace}
        else:
            inputs = {name: ROOT / "tests/data" / path for name, path in PROFILES.items()}
        lakes = {}
        for name, source in inputs.items():
            lakes[name] = scratch / f"lake-{len(lakes)}"
            run(builds["now"].ingest(lakes[name], source))
        measure_commands(args, builds, lakes, scratch)
        if not args.trace:
            first = next(iter(lakes.values()))
            measure_queries(args, builds, first)
            measure_stages(args, builds["now"], first, scratch / "own.json")


def command(build: Programs, name: str, lake: Path, scratch: Path) -> list[str]:
    """The command line of a command about a lake."""
    words = [*name.split(), "--lake", str(lake)]
    if name == "report":
        words.append(first_run(build, lake))
    if name != "diagnose":
        words += ["--output", str(scratch / "page.html")]
    return [build.command, *words]


@functools.cache
def first_run(build: Programs, lake: Path) -> str:
    """The name of a run of the lake."""
    query = "SELECT min(run) AS run FROM run"
    return run([build.command, "sql", "--lake", str(lake), "--format", "csv", query]).text.split()[-1]


def measure_commands(
    args: argparse.Namespace, builds: dict[str, Programs], lakes: dict[str, Path], scratch: Path
) -> None:
    """Processor time and peak memory of each command and profile."""
    rows = []
    for profile, lake in lakes.items():
        for name in COMMANDS:
            processes: dict[str, list[Process]] = defaultdict(list)
            for _ in range(args.runs):
                for label, build in builds.items():
                    processes[label].append(run(command(build, name, lake, scratch), accepted=EXIT_CODES[name]))
            figures = [medians(runs) for runs in processes.values()]
            rows.append(
                [profile, f"`{name}`", *(f"{one.cpu:.2f}" for one in figures), *(f"{one.peak:.0f}" for one in figures)]
            )
    header = ["profile", "command", *(f"{label}, s" for label in builds), *(f"{label}, MB" for label in builds)]
    method = f"whole processes, processor time and peak memory, medians of {args.runs}"
    method += ", interleaved" if args.before else ""
    if args.trace:
        document.report_block(args, "diagnosis-trace", document.table(header, rows), method)
    else:
        document.report_block(args, "diagnosis", document.table(header, rows), method)


def measure_queries(args: argparse.Namespace, builds: dict[str, Programs], lake: Path) -> None:
    """Time of small queries, when first run in a session and again."""
    milliseconds: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for _ in range(args.runs):
        for label, build in builds.items():
            process = run([sys.executable, "-c", SMALL, str(lake), *QUERIES], PYTHONPATH=build.package)
            for name, times in process.json().items():
                milliseconds[label, name].append(times)
    rows = []
    for name in QUERIES:
        for label in builds:
            first, again = (median(times) for times in zip(*milliseconds[label, name], strict=True))
            rows.append([f"`{name}`", label, f"{first:.1f}", f"{again:.2f}"])
    method = f"wall time in one session, medians of {args.runs}"
    document.report_block(
        args, "diagnosis-queries", document.table(["query", "build", "first, ms", "again, ms"], rows), method
    )


def measure_stages(args: argparse.Namespace, build: Programs, lake: Path, profile: Path) -> None:
    """Where the time of the commands goes: by stage, by rule of the optimizer and by view."""
    by_stage: dict[str, dict[str, float]] = {}
    rules: dict[str, float] = defaultdict(float)
    views: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for name in COMMANDS:
        run([*command(build, name, lake, profile.parent), "--self-trace", str(profile)], accepted=EXIT_CODES[name])
        totals: dict[str, float] = defaultdict(float)
        for span in spans(profile):
            kind, members, ms = span["name"], span["args"], span["self"] / 1e3
            stage = "optimize" if kind == "rule" else kind
            if stage in STAGES:
                totals[stage] += ms
                totals["plans"] += kind == "physical_plan"
                totals["nodes"] += members.get("nodes", 0) if kind == "optimize" else 0
            if name == "diagnose" and "rule" in members:
                rules[members["rule"]] += ms
            if name == "diagnose" and stage in STAGES and span["view"]:
                views[span["view"]][stage] += ms
                views[span["view"]]["nodes"] += members.get("nodes", 0) if kind == "optimize" else 0
        by_stage[name] = totals
    header = ["", *(f"`{name}`, ms" for name in COMMANDS)]
    rows = [[text, *(f"{by_stage[name][stage]:.0f}" for name in COMMANDS)] for stage, text in STAGES.items()]
    rows += [[f"*{what}*", *(f"{by_stage[name][what]:.0f}" for name in COMMANDS)] for what in ("plans", "nodes")]
    slowest = sorted(rules.items(), key=lambda rule: -rule[1])[:8]
    rule_rows = [[f"`{rule}`", f"{ms:.1f}"] for rule, ms in slowest]

    def total(stages: dict[str, float]) -> float:
        return sum(stages[stage] for stage in STAGES)

    view_rows = [
        [f"`{view}`", *(f"{stages[stage]:.1f}" for stage in STAGES), f"{stages['nodes']:.0f}"]
        for view, stages in sorted(views.items(), key=lambda view: -total(view[1]))[:12]
    ]
    lines = document.table(header, rows)
    lines += ["", "The slowest rules of the logical optimizer in `diagnose`:", ""]
    lines += document.table(["rule", "ms"], rule_rows)
    lines += ["", "The slowest views and queries in `diagnose`, in ms:", ""]
    lines += document.table(["view", *STAGES.values(), "nodes"], view_rows)
    document.report_block(args, "diagnosis-stages", lines, "one run of each, by the spans of `--self-trace`")


def spans(profile: Path) -> list[dict]:
    """The spans of queries in a profile of tracelake, each with its own time in microseconds and the view around it.

    One query runs at a time, and its task moves from thread to thread. So spans are nested by their times alone.
    """
    names = {*STAGES, "rule", "view"}
    events = json.loads(profile.read_text("utf-8"))["traceEvents"]
    events = [event for event in events if event["ph"] == "X" and event["name"] in names]
    results: list[dict] = []
    open_spans: list[dict] = []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while open_spans and open_spans[-1]["ts"] + open_spans[-1]["dur"] <= event["ts"]:
            open_spans.pop()
        parent = open_spans[-1] if open_spans else None
        if parent:
            parent["self"] -= event["dur"]
        members = event["args"]
        outer_view = parent["view"] if parent else None
        results.append(
            {**event, "self": event["dur"], "view": members.get("view") or members.get("query") or outer_view}
        )
        open_spans.append(results[-1])
    return results


if __name__ == "__main__":
    main()
