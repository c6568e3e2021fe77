"""Lakes of ever more runs in a bucket, opened and asked by one process and by a cluster; what follows for more runs.

The question reads a part of every run and answers with rows of every run. Lines through the lakes give what larger ones
take (benches/fleet_model.py); how well lines do so is seen by leaving out the largest lake.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import document
import programs
import sources
from fleet_model import Prices, Question, expected, fit, simulated
from process import run
from programs import ROOT

sys.path[:0] = [str(ROOT / "tests/python"), str(ROOT / "tests/cluster")]

if TYPE_CHECKING:
    from processes import Cluster, Node
    from typing_extensions import Self

    import tracelake
    from s3_server import S3Server

    Lake = dict[str, float]

PAGE = ROOT / "docs/scale.md"
QUESTION = "select run, category, count(*) as n, sum(dur) as dur from event group by run, category"
RUNS = (1_000, 10_000, 100_000, 1_000_000)
CORES = (2, 16, 128)
UPLOADS = 8
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


def upload(server: S3Server, folder: Path) -> str:
    """The address of a copy in a bucket."""
    bucket = server.bucket()
    files = [file for file in folder.rglob("*") if file.is_file()]

    def put(file: Path) -> None:
        key = f"lake/{file.relative_to(folder).as_posix()}"
        server.client.put_object(Bucket=bucket, Key=key, Body=file.read_bytes())

    with ThreadPoolExecutor(UPLOADS) as pool:
        list(pool.map(put, files))
    return f"s3://{bucket}/lake"


def asked(session: tracelake.Session, question: str) -> tuple[float, int]:
    """Seconds until all rows are there, and how many."""
    begun = time.perf_counter()
    rows = session.sql(question).to_arrow().num_rows
    return time.perf_counter() - begun, rows


def traffic(session: tracelake.Session) -> Counter[str]:
    """Requests and MB received so far."""
    said = session.traffic()
    asked = sum(said[kind] for kind in ("list", "get", "head"))
    return Counter({"requests": asked, "MB": said["received"] / 1e6})


def looked_at(given: argparse.Namespace, server: S3Server, cluster: Cluster, url: str) -> Lake:
    """What a lake in a bucket takes."""
    # The package of the build that is measured is on the path only now.
    import tracelake  # noqa: PLC0415

    options = server.options_without_proxy
    bodies = server.objects(url.split("/")[2])
    lake: Lake = {"objects": len(bodies), "MB": sum(map(len, bodies.values())) / 1e6}
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


def measure(given: argparse.Namespace, built: programs.Programs, scratch: Path) -> dict[str, dict[int, Lake]]:
    """Lakes by their number of runs, as they were ingested and compacted."""
    from processes import Cluster  # noqa: PLC0415 - it imports the package

    from s3_server import S3Server  # noqa: PLC0415 - as above

    lakes: dict[str, dict[int, Lake]] = {"ingested": {}, "compacted": {}}
    (scratch / "s3").mkdir()
    (scratch / "cluster").mkdir()
    with S3Server(scratch / "s3") as server, Cluster(scratch / "cluster", executors=2) as cluster:
        options = [
            word for name, value in server.options_without_proxy.items() for word in ("--option", f"{name}={value}")
        ]
        for number in given.lakes:
            traces, folder = sources.runs(scratch / f"runs-{number}", number), scratch / f"lake-{number}"
            last = shutil.move(max(traces.iterdir()), scratch / f"last-{number}.pt.trace.json")
            run(built.ingest(folder, f"{traces}/*.json"))
            # The ingest of the last run into the bucket writes a checkpoint, which a copy does not take along.
            url = upload(server, folder)
            at_url = [built.command, *options, "--lake", url]
            run([*at_url, "ingest", str(last)])
            run([*at_url, "vacuum", "--older-than", "0s"])
            lakes["ingested"][number] = looked_at(given, server, cluster, url)
            run([*at_url, "compact"])
            run([*at_url, "vacuum", "--older-than", "0s"])
            lakes["compacted"][number] = looked_at(given, server, cluster, url)
    return lakes


def figure(value: float) -> str:
    """Three digits, more where it is large."""
    value = 0.0 if abs(value) < 1e-6 else value  # noqa: PLR2004 - what adding and subtracting leaves
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"  # noqa: PLR2004 - digits


def lines(lakes: dict[int, Lake]) -> dict[str, float]:
    """Of each figure, what another run adds."""
    return {name: fit([(n, lake[name]) for n, lake in lakes.items()]).each for name in FIGURES}


def at(lakes: dict[int, Lake], runs: float) -> Lake:
    """What lines through these lakes say about another number of runs."""
    return {name: fit([(n, lake[name]) for n, lake in lakes.items()]).at(runs) for name in FIGURES}


def waiting(lakes: dict[int, Lake]) -> tuple[float, float]:
    """Seconds that an answer takes besides planning, scheduler and work on two cores: at all, and a request."""
    besides = []
    for lake in lakes.values():
        known = lake["planning"] + lake["scheduler"] + lake["executors"] / 2
        besides.append((lake["requests"] / 2, max(0.0, lake["there"] - known)))
    line = fit(besides)
    return max(0.0, line.base), max(0.0, line.each)


def model(lakes: dict[int, Lake], runs: int) -> Question:
    """The question over so many runs."""
    lake, (fixed, _) = at(lakes, runs), waiting(lakes)
    return Question(lake["planning"], lake["scheduler"], lake["executors"], lake["requests"], fixed)


def tell(given: argparse.Namespace, lakes: dict[str, dict[int, Lake]]) -> None:
    """Writes what was measured and what follows."""
    rows = []
    for how, some in lakes.items():
        rows += [[f"{number:,} {how}", *(figure(lake[name]) for name in FIGURES)] for number, lake in some.items()]
        rows.append([f"another 1,000 runs {how}", *(figure(each * 1000) for each in lines(some).values())])
    how = f"S3 server and cluster (2 executors of one core) on this machine; medians or means of {given.times} answers"
    document.tell(given, "scale-measured", document.table(["runs", *FIGURES.values()], rows), how)
    rows = []
    for how, some in lakes.items():
        largest = max(some)
        smaller = {n: lake for n, lake in some.items() if n != largest}
        said = at(smaller, largest)
        ratios = [f"{said[name] / some[largest][name]:.2f}" if some[largest][name] else "" for name in FIGURES]
        fixed, each = waiting(smaller)
        took = expected(model(smaller, largest), 2, each)
        besides = [f"{took / some[largest]['there']:.2f}", f"{fixed * 1e3:.0f} ms", f"{each * 1e3:.2f} ms"]
        rows.append([f"{largest:,} {how}", *ratios, *besides])
    header = [
        "said / measured",
        *FIGURES.values(),
        "model of the answer on the cluster",
        "besides, at all",
        "a request",
    ]
    document.tell(given, "scale-check", document.table(header, rows), "lines through the smaller lakes alone")
    rows, answers = [], []
    for how, some in lakes.items():
        for runs in RUNS:
            lake = at(some, runs)
            cost = PRICES.opening(lake["open requests"])
            rows.append(
                [f"{runs:,} {how}", figure(lake["objects"]), f"{lake['MB'] / 1000:,.2f} GB"]
                + [figure(lake[name]) for name in ("open", "open requests", "open MB")]
                + [f"{PRICES.month(lake['MB'] / 1000):,.3f}", f"{cost:.5f}"]
            )
            asked = model(some, runs)
            cells = []
            for cores in CORES:
                took = median(simulated(asked, cores, LATENCY, random.Random(seed)) for seed in range(3))  # noqa: S311
                cells += [f"{took:,.1f} s", f"{expected(asked, cores, LATENCY):,.1f} s"]
                cells.append(f"{PRICES.question(asked, cores, took):.4f}")
            parts = (asked.planning, asked.scheduler, asked.work, asked.requests, lake["shuffle MB"])
            answers.append([f"{runs:,} {how}", *map(figure, parts), *cells])
    header = ["runs", "objects", "stored", "open, s", "requests", "MB read"]
    money = ["USD a month", "USD to open, at most"]
    document.tell(given, "scale-lakes", document.table([*header, *money], rows), "by lines through all lakes")
    header = ["runs", "planning, s", "scheduler, s", "executors, core s", "requests", "shuffled MB"]
    for cores in CORES:
        header += [f"{cores} cores, simulated", "if even", "USD"]
    document.tell(given, "scale-questions", document.table(header, answers), "medians of three simulations")


def main() -> None:
    """Measures, and says what follows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lakes", nargs="+", type=int, default=[200, 400, 800, 1600], help="runs of each lake")
    parser.add_argument("--times", type=int, default=8, help="times that each question is asked")
    parser.add_argument("--scratch", type=Path, help="folder for what is made; a temporary one if none is given")
    parser.add_argument(
        "--cluster-program", type=Path, help="tracelake-cluster of a release build, instead of building it"
    )
    programs.options(parser)
    document.options(parser, PAGE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        built = programs.programs(given, Path(folder))
        sys.path.insert(0, built.package)
        os.environ["TRACELAKE_CLUSTER_PROGRAM"] = str(given.cluster_program or programs.cluster())
        tell(given, measure(given, built, Path(folder)))


if __name__ == "__main__":
    main()
