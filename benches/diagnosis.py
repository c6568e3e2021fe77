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
from process import Process, middle, run
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
# First and second run of each query in a session, in milliseconds.
SMALL = """
import json, sys, time, pyarrow, tracelake
lake, *names = sys.argv[1:]
session, took = tracelake.open(lake), {}
for name in names:
    for _ in range(2):
        begun = time.perf_counter()
        session.query(name).to_arrow()
        took.setdefault(name, []).append((time.perf_counter() - begun) * 1e3)
print(json.dumps(took))
"""


def main() -> None:
    """Runs the builds interleaved and prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--before", help="an earlier build in target/bench, by the name of its commit")
    parser.add_argument("--trace", type=int, help="megabytes of a generated trace, instead of the bundled profiles")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    builds = {given.before: programs.kept(given.before)} if given.before else {}
    builds["now"] = programs.programs(given)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if given.trace:
            trace = scratch / "trace.json"
            sources.trace(trace, given.trace)
            inputs = {f"trace of {given.trace} MB": trace}
        else:
            inputs = {name: ROOT / "tests/data" / path for name, path in PROFILES.items()}
        lakes = {}
        for name, source in inputs.items():
            lakes[name] = scratch / f"lake-{len(lakes)}"
            run(builds["now"].ingest(lakes[name], source))
        commands(given, builds, lakes, scratch)
        if not given.trace:
            first = next(iter(lakes.values()))
            small(given, builds, first)
            stages(given, builds["now"], first, scratch / "own.json")


def command(built: Programs, name: str, lake: Path, scratch: Path) -> list[str]:
    """A command about a lake."""
    words = [*name.split(), "--lake", str(lake)]
    if name == "report":
        words.append(first_run(built, lake))
    if name != "diagnose":
        words += ["--output", str(scratch / "page.html")]
    return [built.command, *words]


@functools.cache
def first_run(built: Programs, lake: Path) -> str:
    """The name of a run of the lake."""
    query = "SELECT min(run) AS run FROM run"
    return run([built.command, "sql", "--lake", str(lake), "--format", "csv", query]).text.split()[-1]


def commands(given: argparse.Namespace, builds: dict[str, Programs], lakes: dict[str, Path], scratch: Path) -> None:
    """Processor time and peak memory of each command and profile."""
    rows = []
    for profile, lake in lakes.items():
        for name in COMMANDS:
            took: dict[str, list[Process]] = defaultdict(list)
            for _ in range(given.runs):
                for build, built in builds.items():
                    took[build].append(run(command(built, name, lake, scratch), accepted=EXIT_CODES[name]))
            medians = [middle(every) for every in took.values()]
            rows.append(
                [profile, f"`{name}`", *(f"{one.cpu:.2f}" for one in medians), *(f"{one.peak:.0f}" for one in medians)]
            )
    header = ["profile", "command", *(f"{build}, s" for build in builds), *(f"{build}, MB" for build in builds)]
    how = f"whole processes, processor time and peak memory, medians of {given.runs}"
    how += ", interleaved" if given.before else ""
    if given.trace:
        document.tell(given, "diagnosis-trace", document.table(header, rows), how)
    else:
        document.tell(given, "diagnosis", document.table(header, rows), how)


def small(given: argparse.Namespace, builds: dict[str, Programs], lake: Path) -> None:
    """Time of small queries, when first run in a session and again."""
    took: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    for _ in range(given.runs):
        for build, built in builds.items():
            done = run([sys.executable, "-c", SMALL, str(lake), *QUERIES], PYTHONPATH=built.package)
            for name, times in done.said().items():
                took[build, name].append(times)
    rows = []
    for name in QUERIES:
        for build in builds:
            first, again = (median(times) for times in zip(*took[build, name], strict=True))
            rows.append([f"`{name}`", build, f"{first:.1f}", f"{again:.2f}"])
    how = f"wall time in one session, medians of {given.runs}"
    document.tell(given, "diagnosis-queries", document.table(["query", "build", "first, ms", "again, ms"], rows), how)


def stages(given: argparse.Namespace, built: Programs, lake: Path, own: Path) -> None:
    """Where the time of the commands goes: by stage, by rule of the optimizer and by view."""
    by_stage: dict[str, dict[str, float]] = {}
    rules: dict[str, float] = defaultdict(float)
    views: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for name in COMMANDS:
        run([*command(built, name, lake, own.parent), "--self-trace", str(own)], accepted=EXIT_CODES[name])
        totals: dict[str, float] = defaultdict(float)
        for span in spans(own):
            kind, args, took = span["name"], span["args"], span["self"] / 1e3
            stage = "optimize" if kind == "rule" else kind
            if stage in STAGES:
                totals[stage] += took
                totals["plans"] += kind == "physical_plan"
                totals["nodes"] += args.get("nodes", 0) if kind == "optimize" else 0
            if name == "diagnose" and "rule" in args:
                rules[args["rule"]] += took
            if name == "diagnose" and stage in STAGES and span["view"]:
                views[span["view"]][stage] += took
                views[span["view"]]["nodes"] += args.get("nodes", 0) if kind == "optimize" else 0
        by_stage[name] = totals
    header = ["", *(f"`{name}`, ms" for name in COMMANDS)]
    rows = [[text, *(f"{by_stage[name][stage]:.0f}" for name in COMMANDS)] for stage, text in STAGES.items()]
    rows += [[f"*{what}*", *(f"{by_stage[name][what]:.0f}" for name in COMMANDS)] for what in ("plans", "nodes")]
    slowest = sorted(rules.items(), key=lambda rule: -rule[1])[:8]
    rule_rows = [[f"`{rule}`", f"{took:.1f}"] for rule, took in slowest]

    def total(took: dict[str, float]) -> float:
        return sum(took[stage] for stage in STAGES)

    view_rows = [
        [f"`{view}`", *(f"{took[stage]:.1f}" for stage in STAGES), f"{took['nodes']:.0f}"]
        for view, took in sorted(views.items(), key=lambda view: -total(view[1]))[:12]
    ]
    lines = document.table(header, rows)
    lines += ["", "The slowest rules of the logical optimizer in `diagnose`:", ""]
    lines += document.table(["rule", "ms"], rule_rows)
    lines += ["", "The slowest views and queries in `diagnose`, in ms:", ""]
    lines += document.table(["view", *STAGES.values(), "nodes"], view_rows)
    document.tell(given, "diagnosis-stages", lines, "one run of each, by the spans of `--self-trace`")


def spans(own: Path) -> list[dict]:
    """The spans of queries in a profile of tracelake, each with its own time in microseconds and the view around it.

    One query runs at a time, and its task moves from thread to thread. So spans are nested by their times alone.
    """
    known = {*STAGES, "rule", "view"}
    events = json.loads(own.read_text("utf-8"))["traceEvents"]
    events = [event for event in events if event["ph"] == "X" and event["name"] in known]
    every: list[dict] = []
    open_spans: list[dict] = []
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        while open_spans and open_spans[-1]["ts"] + open_spans[-1]["dur"] <= event["ts"]:
            open_spans.pop()
        parent = open_spans[-1] if open_spans else None
        if parent:
            parent["self"] -= event["dur"]
        args = event["args"]
        around = parent["view"] if parent else None
        every.append({**event, "self": event["dur"], "view": args.get("view") or args.get("query") or around})
        open_spans.append(every[-1])
    return every


if __name__ == "__main__":
    main()
