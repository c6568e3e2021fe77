"""What recording a loader costs, side by side with the bare loop; part of `make bench`.

Loops whose steps compute for 0, 1 and 10 ms run bare and recorded in turn, on the processor's clock: the ratio is that
of a pair, and beside it that of the least of both, which other programs disturb least. Then memory over a million
batches. A step of 10 ms is the line: at most 1 % of it, 100 us, may be the recorder's; more ends with an error.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

import document
import programs
from process import run

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tracelake.record import LoaderProfiler

PAIRS = 9
# milliseconds of a step, and batches of a run with it
STEPS = {0: 20_000, 1: 200, 10: 20}
LINE_MS, SHARE = 10, 0.01


def profiler_of(loader: Iterable[object], folder: str) -> LoaderProfiler:
    """A loader that is recorded, by the package that is measured."""
    from tracelake import record  # noqa: PLC0415 - only the child has it on its path

    return record.LoaderProfiler(loader, folder)


def bare(batches: int) -> Iterator[list[int]]:
    """Batches that cost nothing."""
    batch = [0] * 32
    for _ in range(batches):
        yield batch


def additions_in(step_ms: int) -> int:
    """How many additions fit into a step: the same work in each loop, whatever else the machine does."""
    if step_ms == 0:
        return 0
    seconds = []
    for _ in range(5):
        begun = time.process_time()
        additions(100_000)
        seconds.append(time.process_time() - begun)
    return int(100_000 * step_ms / 1e3 / min(seconds))


def additions(count: int) -> int:
    """The work of a step."""
    total = 0
    for number in range(count):
        total += number
    return total


def per_batch(loader: Iterable[object], batches: int, work: int) -> float:
    """Microseconds of a loop for each batch, on the processor's clock."""
    begun = time.process_time()
    for _ in loader:
        additions(work)
    return (time.process_time() - begun) / batches * 1e6


def pair(batches: int, work: int) -> tuple[float, float]:
    """The same loop bare and recorded, in microseconds a batch."""
    alone = per_batch(bare(batches), batches, work)
    with tempfile.TemporaryDirectory() as folder, profiler_of(bare(batches), folder) as profiler:
        return alone, per_batch(profiler, batches, work)


def resident() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def growth(batches: int) -> float:
    """MB by which a recorded loop grows behind its first tenth."""
    with tempfile.TemporaryDirectory() as folder, profiler_of(bare(batches), folder) as profiler:
        drawn = iter(profiler)
        for _ in range(batches // 10):
            next(drawn)
        before = resident()
        for _ in drawn:
            pass
        return resident() - before


def measure(batches: int) -> dict[str, object]:
    """The rows of the table, what a batch costs in us, and by how many MB memory grows."""
    cost, rows = 0.0, []
    for step_ms, count in STEPS.items():
        work = additions_in(step_ms)
        alone, recorded = zip(*(pair(count, work) for _ in range(PAIRS)), strict=True)
        more = statistics.median(b - a for a, b in zip(alone, recorded, strict=True))
        ratio = statistics.median(b / a for a, b in zip(alone, recorded, strict=True))
        if step_ms == 0:
            cost = more
        least, least_recorded = min(alone), min(recorded)
        medians = [f"{statistics.median(us):.1f} us" for us in (alone, recorded)]
        of_the_least = [f"{least_recorded / least:.3f}", f"{least_recorded - least:.1f} us"]
        rows.append([f"{step_ms} ms", *medians, f"{ratio:.3f}", f"{more:.1f} us", *of_the_least])
    return {"rows": rows, "cost": cost, "grown": growth(batches)}


def main() -> None:
    """Measures in a process of its own, and says what came out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=1_000_000, help="over which memory must not grow")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    if given.child:
        print(json.dumps(measure(given.batches)))
        return
    built = programs.programs(given)
    command = [sys.executable, __file__, "--child", "--batches", str(given.batches)]
    said = run(command, PYTHONPATH=built.package).said()
    share = said["cost"] / (LINE_MS * 1e3)
    header = ["step", "bare", "recorded", "ratio", "more", "ratio of the least", "more of the least"]
    lines = document.table(header, said["rows"])
    lines += ["", f"Recording a batch costs {said['cost']:.1f} us, {share:.2%} of a step of {LINE_MS} ms."]
    lines[-1] += f" Memory grew by {said['grown']:.1f} MB over the last nine tenths of {given.batches:,} batches."
    document.tell(given, "recorder", lines, f"medians of {PAIRS} pairs in turn, on the processor's clock")
    if share > SHARE or said["grown"] > 1:
        sys.exit("too much")


if __name__ == "__main__":
    main()
