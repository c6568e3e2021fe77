"""A cluster on this machine, a scheduler and two executors of one core, over a lake on a real S3 server.

The same questions are asked here and there by one session, and then by many sessions at once, each in a random order.
Every answer is held against that of this process; a difference ends the run. On one machine a cluster can only cost:
the table is what it costs.
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
    Opened = Callable[[str | None], tracelake.Session]

# No `min` or `max` of a column with NaN: what the engine makes of one depends on the order in which batches come.
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
    """The names of the columns, and the rows."""
    from test_duckdb_views import rows_of  # noqa: PLC0415 - it imports the package

    frame = session.sql(question) if question.startswith("select") else session.query(question)
    return rows_of(frame.to_arrow())


def timed(session: tracelake.Session, question: str, expected: Rows) -> float:
    """Seconds of an answer, which must be right."""
    from test_duckdb_views import difference  # noqa: PLC0415 - as above

    begun = time.perf_counter()
    rows = ask(session, question)
    took = time.perf_counter() - begun
    wrong = difference(expected, rows, [])
    if wrong:
        sys.exit(f"WRONG: {question}: {wrong}")
    return took


def milliseconds(seconds: float) -> str:
    """As tables have them."""
    return f"{seconds * 1e3:,.0f} ms"


def main() -> None:
    """Asks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100, help="sessions at once")
    parser.add_argument("--runs", type=int, default=5, help="times that one session asks each question")
    programs.options(parser)
    programs.cluster_options(parser)
    document.options(parser)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        sys.path.insert(0, programs.programs(given).package)
        programs.cluster(given)
        measure(given, scratch)


def measure(given: argparse.Namespace, scratch: Path) -> None:
    """Starts the server and the cluster, and asks both."""
    # The package of the build that is measured is on the path only now.
    from processes import Cluster  # noqa: PLC0415

    import tracelake  # noqa: PLC0415
    from s3_server import S3Server  # noqa: PLC0415
    from test_duckdb_views import profiles  # noqa: PLC0415

    (scratch / "s3").mkdir()
    (scratch / "cluster").mkdir()
    with S3Server(scratch / "s3") as server, Cluster(scratch / "cluster", executors=2) as cluster:
        url = f"s3://{server.bucket()}/lake"

        def opened(address: str | None) -> tracelake.Session:
            return tracelake.open(url, options=server.options_without_proxy, cluster=address)

        with tracelake.open(url, options=server.options_without_proxy, create=True) as session:
            for run, path in profiles():
                session.ingest(path, run=run, progress=False)
        with opened(None) as here:
            expected = {question: ask(here, question) for question in QUESTIONS}
        header = ["question", "rows", "here", "on the cluster", "more"]
        rows = alone(given, expected, opened, cluster.address)
        document.tell(given, "cluster", document.table(header, rows), "one session, medians of questions asked in turn")
        header = ["", "sessions", "answers", "wrong or lost", "p50", "p95", "p99", "answers"]
        rows = [together(given, expected, opened, *at) for at in (("here", None), ("on the cluster", cluster.address))]
        document.tell(
            given, "clients", document.table(header, rows), "each session opens the lake and asks each question"
        )


def alone(given: argparse.Namespace, expected: dict[str, Rows], opened: Opened, address: str) -> list[list[str]]:
    """A row per question of one session: what it takes here and there."""
    rows = []
    with opened(None) as here, opened(address) as there:
        for question, right in expected.items():
            timed(there, question, right)
            pairs = [(timed(here, question, right), timed(there, question, right)) for _ in range(given.runs)]
            ours, theirs = map(statistics.median, zip(*pairs, strict=True))
            times = [milliseconds(ours), milliseconds(theirs), f"{(theirs - ours) * 1e3:+,.0f} ms"]
            rows.append([f"`{question}`", str(len(right[1])), *times])
    return rows


def together(
    given: argparse.Namespace, expected: dict[str, Rows], opened: Opened, where: str, address: str | None
) -> list[str]:
    """What answers take when many sessions ask at once, each in an order of its own."""
    seed = random.Random(7)  # noqa: S311 - an order
    orders = [seed.sample(QUESTIONS, len(QUESTIONS)) for _ in range(given.clients)]

    def client(order: list[str]) -> list[float]:
        with opened(address) as session:
            return [timed(session, question, expected[question]) for question in order]

    begun = time.perf_counter()
    with ThreadPoolExecutor(given.clients) as pool:
        times = sorted(second for seconds in pool.map(client, orders) for second in seconds)
    took = time.perf_counter() - begun
    points = [milliseconds(times[min(len(times) - 1, int(len(times) * at))]) for at in (0.5, 0.95, 0.99)]
    missing = given.clients * len(QUESTIONS) - len(times)
    return [where, str(given.clients), str(len(times)), str(missing), *points, f"{len(times) / took:.1f} /s"]


if __name__ == "__main__":
    main()
