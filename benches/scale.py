"""Measures lakes of many runs in a bucket, with one process and with a cluster, and predicts the cost of more runs.

The query reads a part of every run and returns rows of every run. Lines through the measured lakes predict larger ones
(benches/fleet_model.py). To check the prediction, the largest lake is predicted from the smaller ones.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import bucket
import document
import programs
import sources
from fleet_model import Line, Prices, Question, expected, fit, simulated
from process import run
from programs import ROOT

sys.path[:0] = [str(ROOT / "tests/python"), str(ROOT / "tests/cluster")]

if TYPE_CHECKING:
    from processes import Cluster, Node
    from typing_extensions import Self

    import tracelake
    from s3_server import S3Server

    Lake = dict[str, float]
    Lakes = dict[int, Lake]

PAGE = ROOT / "docs/scale.md"
QUESTION = "select run, category, count(*) as n, sum(dur) as dur from event group by run, category"
RUNS = (1_000, 10_000, 100_000, 1_000_000)
CORES = (2, 16, 128)
# Stated on the page: prices of Amazon S3 Standard and of a core for an hour, USD, and the latency of S3, s.
PRICES = Prices(storage=0.023, writes=0.005, reads=0.0004, core=0.05)
LATENCY = 0.02
# The figures of a lake, and their column headers.
FIGURES = {
    "objects": "objects",
    "MB": "MB stored",
    "open": "open, s",
    "open requests": "requests",
    "open MB": "MB read",
    "planning": "planning, s",
    "here": "answer here, s",
    "requests": "requests",
    "read MB": "MB read",
    "there": "on the cluster, s",
    "scheduler": "scheduler, core s",
    "executors": "executors, core s",
    "shuffle MB": "shuffled MB",
}


def processor_seconds(node: Node) -> float:
    """Processor seconds of a process so far, in ticks of 10 ms."""
    fields = Path(f"/proc/{node.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def size(file: Path) -> int:
    """The size of a file in bytes, 0 if it was removed meanwhile."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class ShufflePeak:
    """The peak size of the files between stages, in bytes, during a `with` block."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.peak, self.stop = cluster, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self) -> None:
        """Polls the size; files appear and disappear meanwhile."""
        while not self.stop.wait(0.005):
            self.peak = max(self.peak, sum(map(size, self.cluster.kept())))

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop.set()
        self.thread.join()


def run_query(session: tracelake.Session, question: str) -> tuple[float, int]:
    """Seconds of a query, and its number of rows."""
    start = time.perf_counter()
    rows = session.sql(question).to_arrow().num_rows
    return time.perf_counter() - start, rows


def traffic(session: tracelake.Session) -> Counter[str]:
    """Requests and MB received so far."""
    counts = session.traffic()
    requests = sum(counts[kind] for kind in ("list", "get", "head"))
    return Counter({"requests": requests, "MB": counts["received"] / 1e6})


def measure_lake(args: argparse.Namespace, server: S3Server, cluster: Cluster, url: str) -> Lake:
    """Measures a lake in a bucket."""
    # The package of the build is on the path only now.
    import tracelake  # noqa: PLC0415

    options = server.options_without_proxy
    pages = server.client.get_paginator("list_objects_v2").paginate(Bucket=url.split("/")[2])
    sizes = [item["Size"] for page in pages for item in page["Contents"]]
    lake: Lake = {"objects": len(sizes), "MB": sum(sizes) / 1e6}
    opening = []
    for _ in range(args.times):
        start = time.perf_counter()
        tracelake.open(url, options=options, progress=False).close()
        opening.append(time.perf_counter() - start)
    lake["open"] = median(opening)
    here = tracelake.open(url, options=options, progress=False)
    before = traffic(here)
    lake["open requests"], lake["open MB"] = before["requests"], before["MB"]
    _, rows = run_query(here, QUESTION)
    after = traffic(here)
    lake["requests"], lake["read MB"] = after["requests"] - before["requests"], after["MB"] - before["MB"]
    lake["planning"] = median(run_query(here, f"explain {QUESTION}")[0] for _ in range(args.times))
    lake["here"] = median(run_query(here, QUESTION)[0] for _ in range(args.times))
    with tracelake.open(url, options=options, cluster=cluster.address, progress=False) as there:
        runs = [run_query(there, QUESTION)]  # the first one is not timed
        with ShufflePeak(cluster) as shuffle:
            before_seconds = [processor_seconds(node) for node in cluster.nodes]
            runs += [run_query(there, QUESTION) for _ in range(args.times)]
            used = [processor_seconds(node) - old for node, old in zip(cluster.nodes, before_seconds, strict=True)]
    if {n for _, n in runs} != {rows}:
        sys.exit(f"WRONG: {url}: {rows} rows here, {runs} on the cluster")
    here.close()
    lake["there"] = median(seconds for seconds, _ in runs[1:])
    lake["scheduler"], lake["executors"] = used[0] / args.times, sum(used[1:]) / args.times
    lake["shuffle MB"] = shuffle.peak / 1e6
    return lake


def measure(args: argparse.Namespace, build: programs.Programs, scratch: Path) -> dict[str, Lakes]:
    """Measures lakes by their number of runs, as ingested and compacted."""
    from processes import Cluster  # noqa: PLC0415 - it imports the package

    from s3_server import S3Server  # noqa: PLC0415 - as above

    lakes: dict[str, Lakes] = {"ingested": {}, "compacted": {}}
    (scratch / "s3").mkdir()
    (scratch / "cluster").mkdir()
    with S3Server(scratch / "s3") as server, Cluster(scratch / "cluster", executors=2) as cluster:
        options = server.options_without_proxy
        for number in args.lakes:
            traces, folder = sources.runs(scratch / f"runs-{number}", number - 1), scratch / f"lake-{number}"
            run(build.ingest(folder, f"{traces}/*.json"))
            url = bucket.copy_lake(server, build, options, folder, traces)
            for state, commands in {"ingested": [], "compacted": [["compact"]]}.items():
                for words in [*commands, ["vacuum", "--older-than", "0s"]]:
                    bucket.run_command(build, options, url, *words)
                lakes[state][number] = measure_lake(args, server, cluster, url)
    return lakes


def format_figure(value: float) -> str:
    """Formats a number with three digits, or as a whole number from 100 on."""
    value = 0.0 if abs(value) < 1e-6 else value  # noqa: PLR2004 - a rounding error
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - digits


def fit_lines(lakes: Lakes) -> dict[str, Line]:
    """The line through these lakes, for each figure."""
    return {name: fit([(runs, lake[name]) for runs, lake in lakes.items()]) for name in FIGURES}


def predict(lakes: Lakes, runs: int) -> Lake:
    """Predicts the figures of a lake of this many runs, by lines through these lakes."""
    return {name: line.value_at(runs) for name, line in fit_lines(lakes).items()}


def fit_overhead(lakes: Lakes) -> Line:
    """Seconds of a query on two cores without planning, scheduler and work: fixed, and per request."""
    points = []
    for lake in lakes.values():
        explained = lake["planning"] + lake["scheduler"] + lake["executors"] / 2
        points.append((lake["requests"] / 2, max(0.0, lake["there"] - explained)))
    line = fit(points)
    return Line(max(0.0, line.base), max(0.0, line.each))


def to_question(lake: Lake, fixed: float) -> Question:
    """The model of the query over a lake."""
    return Question(lake["planning"], lake["scheduler"], lake["executors"], lake["requests"], fixed)


def write_measured(args: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes the measurements."""
    rows = []
    for state, subset in lakes.items():
        rows += [
            [f"{runs:,} {state}", *(format_figure(lake[name]) for name in FIGURES)] for runs, lake in subset.items()
        ]
        rows.append(
            [f"another 1,000 runs {state}", *(format_figure(line.each * 1000) for line in fit_lines(subset).values())]
        )
    method = (
        f"S3 server and cluster (2 executors of one core) on this machine; medians or means of {args.times} answers"
    )
    document.report_block(args, "scale-measured", document.table(["runs", *FIGURES.values()], rows), method)


def write_check(args: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes the prediction of the largest lake from the smaller ones."""
    rows = []
    for state, subset in lakes.items():
        largest = max(subset)
        smaller = {runs: lake for runs, lake in subset.items() if runs != largest}
        measured, predicted, overhead = subset[largest], predict(smaller, largest), fit_overhead(smaller)
        ratios = [f"{predicted[name] / measured[name]:.2f}" if measured[name] else "" for name in FIGURES]
        answer = expected(to_question(predicted, overhead.base), 2, overhead.each) / measured["there"]
        waits = [f"{answer:.2f}", f"{overhead.base * 1e3:.0f} ms", f"{overhead.each * 1e3:.2f} ms"]
        rows.append([f"{largest:,} {state}", *ratios, *waits])
    waits = ["model of the answer on the cluster", "besides, at all", "a request"]
    lines = document.table(["said / measured", *FIGURES.values(), *waits], rows)
    document.report_block(args, "scale-check", lines, "lines through the smaller lakes alone")


def write_lakes(args: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes the predicted cost of storing and opening larger lakes."""
    rows = []
    for state, subset in lakes.items():
        for runs in RUNS:
            lake = predict(subset, runs)
            gigabytes = lake["MB"] / 1000
            opening = [format_figure(lake[name]) for name in ("open", "open requests", "open MB")]
            money = [f"{PRICES.month(gigabytes):,.3f}", f"{PRICES.opening(lake['open requests']):.5f}"]
            rows.append([f"{runs:,} {state}", format_figure(lake["objects"]), f"{gigabytes:,.2f} GB", *opening, *money])
    header = ["runs", "objects", "stored", "open, s", "requests", "MB read", "USD a month", "USD to open, at most"]
    document.report_block(args, "scale-lakes", document.table(header, rows), "by lines through all lakes")


def write_questions(args: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes the predicted cost of the query over larger lakes."""
    rows = []
    for state, subset in lakes.items():
        fixed = fit_overhead(subset).base
        for runs in RUNS:
            lake = predict(subset, runs)
            question, cells = to_question(lake, fixed), []
            for cores in CORES:
                seconds = median(simulated(question, cores, LATENCY, random.Random(seed)) for seed in range(3))  # noqa: S311
                cells += [f"{seconds:,.1f} s", f"{expected(question, cores, LATENCY):,.1f} s"]
                cells.append(f"{PRICES.question(question, cores, seconds):.4f}")
            parts = (lake[name] for name in ("planning", "scheduler", "executors", "requests", "shuffle MB"))
            rows.append([f"{runs:,} {state}", *map(format_figure, parts), *cells])
    header = ["runs", "planning, s", "scheduler, s", "executors, core s", "requests", "shuffled MB"]
    for cores in CORES:
        header += [f"{cores} cores, simulated", "if even", "USD"]
    document.report_block(args, "scale-questions", document.table(header, rows), "medians of three simulations")


def main() -> None:
    """Measures the lakes and writes the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lakes", nargs="+", type=int, default=[200, 400, 800, 1600], help="runs of each lake")
    parser.add_argument("--times", type=int, default=8, help="times that each question is asked")
    parser.add_argument("--scratch", type=Path, help="folder for what is made; a temporary one if none is given")
    programs.cluster_options(parser)
    args = document.parse_args(parser, PAGE)
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        build = programs.programs(args)
        sys.path.insert(0, build.package)
        programs.cluster(args)
        lakes = measure(args, build, Path(folder))
    for write in (write_measured, write_check, write_lakes, write_questions):
        write(args, lakes)


if __name__ == "__main__":
    main()
