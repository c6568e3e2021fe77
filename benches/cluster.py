"""Measures a cluster on one machine (a scheduler and two executors of one core) over a lake on a real S3 server.

One session runs the same queries in its own process and on the cluster. Then many sessions run them at once, each in a
random order. Every result is compared with that of this process; a difference ends the run. On a single machine a
cluster can only add cost, and the table shows this cost.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import document
import programs
from programs import ROOT

sys.path[:0] = [str(ROOT / "tests/python"), str(ROOT / "tests/cluster")]

if TYPE_CHECKING:
    from collections.abc import Callable

    import tracelake

    Rows = tuple[list[str], list[tuple[Any, ...]]]
    OpenLake = Callable[[str | None], tracelake.Session]

# No `min` or `max` of a column with NaN: the result depends on the order of batches.
QUESTIONS = [
    "select count(*) as n, sum(dur) as dur from event where dur > 7",
    "select run, category, count(*) as n, sum(dur) as dur from event group by run, category order by run, category",
    "select name, count(*) as n, max(dur) as longest from event where category = 'kernel' group by name order by name",
    "select run, rank, count(*) as n, median(dur) as p50 from step group by run, rank order by run, rank",
    "select run, resource, metric, count(value) as n from sample group by run, resource, metric order by 1, 2, 3",
    "fleet.runs",
    "job.verdict",
    "step.duration",
    "loader.next",
    "kernel.summary",
]


def ask(session: tracelake.Session, question: str) -> Rows:
    """Runs a query and returns the names of the columns, and the rows."""
    from test_duckdb_views import rows_of  # noqa: PLC0415 - it imports the package

    frame = session.sql(question) if question.startswith("select") else session.query(question)
    return rows_of(frame.to_arrow())


def timed(session: tracelake.Session, question: str, expected: Rows) -> float:
    """Seconds of a query. Exits if the result is wrong."""
    from test_duckdb_views import difference  # noqa: PLC0415 - as above

    start = time.perf_counter()
    rows = ask(session, question)
    seconds = time.perf_counter() - start
    error = difference(expected, rows, [])
    if error:
        sys.exit(f"WRONG: {question}: {error}")
    return seconds


def milliseconds(seconds: float) -> str:
    """Formats seconds as milliseconds."""
    return f"{seconds * 1e3:,.0f} ms"


def main() -> None:
    """Builds the programs and runs the measurements."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100, help="sessions at once")
    parser.add_argument("--runs", type=int, default=5, help="times that one session asks each question")
    programs.cluster_options(parser)
    args = document.parse_args(parser)
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sys.path.insert(0, programs.programs(args).package)
        programs.cluster(args)
        measure(args, scratch)


def measure(args: argparse.Namespace, scratch: Path) -> None:
    """Starts the server and the cluster, and measures both."""
    # These modules import the package of the build, which is on the path only now.
    from processes import Cluster  # noqa: PLC0415

    import tracelake  # noqa: PLC0415
    from s3_server import S3Server  # noqa: PLC0415
    from test_duckdb_views import profiles  # noqa: PLC0415

    (scratch / "s3").mkdir()
    (scratch / "cluster").mkdir()
    with S3Server(scratch / "s3") as server, Cluster(scratch / "cluster", executors=2) as cluster:
        url = f"s3://{server.bucket()}/lake"

        def open_lake(address: str | None) -> tracelake.Session:
            return tracelake.open(url, options=server.options_without_proxy, cluster=address)

        with tracelake.open(url, options=server.options_without_proxy, create=True) as session:
            for run, path in profiles():
                session.ingest(path, run=run, progress=False)
        with open_lake(None) as here:
            expected = {question: ask(here, question) for question in QUESTIONS}
        header = ["question", "rows", "here", "on the cluster", "more"]
        rows = measure_one_session(args, expected, open_lake, cluster.address)
        document.report_block(
            args, "cluster", document.table(header, rows), "one session, medians of questions asked in turn"
        )
        header = ["", "sessions", "answers", "wrong or lost", "p50", "p95", "p99", "answers"]
        rows = [
            measure_many_sessions(args, expected, open_lake, *side)
            for side in (("here", None), ("on the cluster", cluster.address))
        ]
        document.report_block(
            args, "clients", document.table(header, rows), "each session opens the lake and asks each question"
        )


def measure_one_session(
    args: argparse.Namespace, expected: dict[str, Rows], open_lake: OpenLake, address: str
) -> list[list[str]]:
    """A row per query of one session: its time in this process and on the cluster."""
    rows = []
    with open_lake(None) as here, open_lake(address) as there:
        for question, result in expected.items():
            timed(there, question, result)
            pairs = [(timed(here, question, result), timed(there, question, result)) for _ in range(args.runs)]
            ours, theirs = map(statistics.median, zip(*pairs, strict=True))
            times = [milliseconds(ours), milliseconds(theirs), f"{(theirs - ours) * 1e3:+,.0f} ms"]
            rows.append([f"`{question}`", str(len(result[1])), *times])
    return rows


def measure_many_sessions(
    args: argparse.Namespace, expected: dict[str, Rows], open_lake: OpenLake, where: str, address: str | None
) -> list[str]:
    """A row with percentiles of the time of a query when many sessions run at once, each in its own order."""
    generator = random.Random(7)  # noqa: S311 - an order
    orders = [generator.sample(QUESTIONS, len(QUESTIONS)) for _ in range(args.clients)]

    def client(order: list[str]) -> list[float]:
        with open_lake(address) as session:
            return [timed(session, question, expected[question]) for question in order]

    start = time.perf_counter()
    with ThreadPoolExecutor(args.clients) as pool:
        times = sorted(second for seconds in pool.map(client, orders) for second in seconds)
    elapsed = time.perf_counter() - start
    positions = [min(len(times) - 1, int(len(times) * quantile)) for quantile in (0.5, 0.95, 0.99)]
    percentiles = [milliseconds(times[position]) for position in positions]
    missing = args.clients * len(QUESTIONS) - len(times)
    return [where, str(args.clients), str(len(times)), str(missing), *percentiles, f"{len(times) / elapsed:.1f} /s"]


if __name__ == "__main__":
    main()
