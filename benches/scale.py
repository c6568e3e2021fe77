"""Lakes of ever more runs in a bucket, opened and asked by one process and by a cluster; what follows for more runs.

The question reads a part of every run and answers with rows of every run. Lines through the lakes give what larger ones
take (benches/fleet_model.py); how well lines do so is seen by leaving out the largest lake.
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
# Stated on the page: of Amazon S3 Standard and of a core by the hour, USD, and the time until an answer of S3 begins.
PRICES = Prices(storage=0.023, writes=0.005, reads=0.0004, core=0.05)
LATENCY = 0.02
# What is measured of a lake, and how a table says it.
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


def processor(node: Node) -> float:
    """Processor seconds of a process so far, in ticks of 10 ms."""
    fields = Path(f"/proc/{node.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def size(file: Path) -> int:
    """Bytes of a file, none if it went meanwhile."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


class Shuffled:
    """The most bytes that lay between stages at a time, while the `with` block lasts."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster, self.most, self.over = cluster, 0, threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self) -> None:
        """Looks again and again; files come and go meanwhile."""
        while not self.over.wait(0.005):
            self.most = max(self.most, sum(map(size, self.cluster.kept())))

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        self.thread.join()


def asked(session: tracelake.Session, question: str) -> tuple[float, int]:
    """Seconds until all rows are there, and how many."""
    begun = time.perf_counter()
    rows = session.sql(question).to_arrow().num_rows
    return time.perf_counter() - begun, rows


def traffic(session: tracelake.Session) -> Counter[str]:
    """Requests and MB received so far."""
    said = session.traffic()
    requests = sum(said[kind] for kind in ("list", "get", "head"))
    return Counter({"requests": requests, "MB": said["received"] / 1e6})


def looked_at(given: argparse.Namespace, server: S3Server, cluster: Cluster, url: str) -> Lake:
    """What a lake in a bucket takes."""
    # The package of the build that is measured is on the path only now.
    import tracelake  # noqa: PLC0415

    options = server.options_without_proxy
    pages = server.client.get_paginator("list_objects_v2").paginate(Bucket=url.split("/")[2])
    sizes = [item["Size"] for page in pages for item in page["Contents"]]
    lake: Lake = {"objects": len(sizes), "MB": sum(sizes) / 1e6}
    opening = []
    for _ in range(given.times):
        begun = time.perf_counter()
        tracelake.open(url, options=options, progress=False).close()
        opening.append(time.perf_counter() - begun)
    lake["open"] = median(opening)
    here = tracelake.open(url, options=options, progress=False)
    before = traffic(here)
    lake["open requests"], lake["open MB"] = before["requests"], before["MB"]
    _, rows = asked(here, QUESTION)
    after = traffic(here)
    lake["requests"], lake["read MB"] = after["requests"] - before["requests"], after["MB"] - before["MB"]
    lake["planning"] = median(asked(here, f"explain {QUESTION}")[0] for _ in range(given.times))
    lake["here"] = median(asked(here, QUESTION)[0] for _ in range(given.times))
    with tracelake.open(url, options=options, cluster=cluster.address, progress=False) as there:
        took = [asked(there, QUESTION)]  # the first one is not timed
        with Shuffled(cluster) as shuffled:
            spent = [processor(node) for node in cluster.nodes]
            took += [asked(there, QUESTION) for _ in range(given.times)]
            more = [processor(node) - old for node, old in zip(cluster.nodes, spent, strict=True)]
    if {n for _, n in took} != {rows}:
        sys.exit(f"WRONG: {url}: {rows} rows here, {took} on the cluster")
    here.close()
    lake["there"] = median(seconds for seconds, _ in took[1:])
    lake["scheduler"], lake["executors"] = more[0] / given.times, sum(more[1:]) / given.times
    lake["shuffle MB"] = shuffled.most / 1e6
    return lake


def measure(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> dict[str, Lakes]:
    """Lakes by their number of runs, as they were ingested and compacted."""
    from processes import Cluster  # noqa: PLC0415 - it imports the package

    from s3_server import S3Server  # noqa: PLC0415 - as above

    lakes: dict[str, Lakes] = {"ingested": {}, "compacted": {}}
    (scratch / "s3").mkdir()
    (scratch / "cluster").mkdir()
    with S3Server(scratch / "s3") as server, Cluster(scratch / "cluster", executors=2) as cluster:
        options = server.options_without_proxy
        for number in given.lakes:
            traces, folder = sources.runs(scratch / f"runs-{number}", number - 1), scratch / f"lake-{number}"
            run(built.ingest(folder, f"{traces}/*.json"))
            url = bucket.copied(server, built, options, folder, traces)
            for how, commands in {"ingested": [], "compacted": [["compact"]]}.items():
                for words in [*commands, ["vacuum", "--older-than", "0s"]]:
                    bucket.shell(built, options, url, *words)
                lakes[how][number] = looked_at(given, server, cluster, url)
    return lakes


def figure(value: float) -> str:
    """Three digits, more where it is large."""
    value = 0.0 if abs(value) < 1e-6 else value  # noqa: PLR2004 - what adding and subtracting leaves
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - digits


def fitted(lakes: Lakes) -> dict[str, Line]:
    """Of each figure, the line through these lakes."""
    return {name: fit([(runs, lake[name]) for runs, lake in lakes.items()]) for name in FIGURES}


def at(lakes: Lakes, runs: int) -> Lake:
    """What lines through these lakes say about another number of runs."""
    return {name: line.at(runs) for name, line in fitted(lakes).items()}


def besides(lakes: Lakes) -> Line:
    """Seconds that an answer takes on two cores besides planning, scheduler and work: at all, and for a request."""
    points = []
    for lake in lakes.values():
        known = lake["planning"] + lake["scheduler"] + lake["executors"] / 2
        points.append((lake["requests"] / 2, max(0.0, lake["there"] - known)))
    line = fit(points)
    return Line(max(0.0, line.base), max(0.0, line.each))


def modelled(lake: Lake, fixed: float) -> Question:
    """The question over a lake."""
    return Question(lake["planning"], lake["scheduler"], lake["executors"], lake["requests"], fixed)


def tell_measured(given: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes what was measured."""
    rows = []
    for how, some in lakes.items():
        rows += [[f"{runs:,} {how}", *(figure(lake[name]) for name in FIGURES)] for runs, lake in some.items()]
        rows.append([f"another 1,000 runs {how}", *(figure(line.each * 1000) for line in fitted(some).values())])
    what = f"S3 server and cluster (2 executors of one core) on this machine; medians or means of {given.times} answers"
    document.tell(given, "scale-measured", document.table(["runs", *FIGURES.values()], rows), what)


def tell_checked(given: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes what the smaller lakes say about the largest."""
    rows = []
    for how, some in lakes.items():
        largest = max(some)
        smaller = {runs: lake for runs, lake in some.items() if runs != largest}
        measured, said, more = some[largest], at(smaller, largest), besides(smaller)
        ratios = [f"{said[name] / measured[name]:.2f}" if measured[name] else "" for name in FIGURES]
        answer = expected(modelled(said, more.base), 2, more.each) / measured["there"]
        waits = [f"{answer:.2f}", f"{more.base * 1e3:.0f} ms", f"{more.each * 1e3:.2f} ms"]
        rows.append([f"{largest:,} {how}", *ratios, *waits])
    waits = ["model of the answer on the cluster", "besides, at all", "a request"]
    lines = document.table(["said / measured", *FIGURES.values(), *waits], rows)
    document.tell(given, "scale-check", lines, "lines through the smaller lakes alone")


def tell_lakes(given: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes what larger lakes take to keep and to open."""
    rows = []
    for how, some in lakes.items():
        for runs in RUNS:
            lake = at(some, runs)
            gigabytes = lake["MB"] / 1000
            opening = [figure(lake[name]) for name in ("open", "open requests", "open MB")]
            money = [f"{PRICES.month(gigabytes):,.3f}", f"{PRICES.opening(lake['open requests']):.5f}"]
            rows.append([f"{runs:,} {how}", figure(lake["objects"]), f"{gigabytes:,.2f} GB", *opening, *money])
    header = ["runs", "objects", "stored", "open, s", "requests", "MB read", "USD a month", "USD to open, at most"]
    document.tell(given, "scale-lakes", document.table(header, rows), "by lines through all lakes")


def tell_questions(given: argparse.Namespace, lakes: dict[str, Lakes]) -> None:
    """Writes what the question takes over larger lakes."""
    rows = []
    for how, some in lakes.items():
        fixed = besides(some).base
        for runs in RUNS:
            lake = at(some, runs)
            question, cells = modelled(lake, fixed), []
            for cores in CORES:
                took = median(simulated(question, cores, LATENCY, random.Random(seed)) for seed in range(3))  # noqa: S311
                cells += [f"{took:,.1f} s", f"{expected(question, cores, LATENCY):,.1f} s"]
                cells.append(f"{PRICES.question(question, cores, took):.4f}")
            parts = (lake[name] for name in ("planning", "scheduler", "executors", "requests", "shuffle MB"))
            rows.append([f"{runs:,} {how}", *map(figure, parts), *cells])
    header = ["runs", "planning, s", "scheduler, s", "executors, core s", "requests", "shuffled MB"]
    for cores in CORES:
        header += [f"{cores} cores, simulated", "if even", "USD"]
    document.tell(given, "scale-questions", document.table(header, rows), "medians of three simulations")


def main() -> None:
    """Measures, and says what follows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lakes", nargs="+", type=int, default=[200, 400, 800, 1600], help="runs of each lake")
    parser.add_argument("--times", type=int, default=8, help="times that each question is asked")
    parser.add_argument("--scratch", type=Path, help="folder for what is made; a temporary one if none is given")
    programs.options(parser)
    programs.cluster_options(parser)
    document.options(parser, PAGE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        built = programs.programs(given)
        sys.path.insert(0, built.package)
        programs.cluster(given)
        lakes = measure(given, built, Path(folder))
    for tell in (tell_measured, tell_checked, tell_lakes, tell_questions):
        tell(given, lakes)


if __name__ == "__main__":
    main()
