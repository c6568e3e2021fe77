"""Measures the cost of recording a loader, compared with the bare loop; part of `make bench`.

Loops with compute times of 0, 1 and 10 ms per step run bare and recorded, interleaved, on the processor clock. The
ratio is the median over pairs. Next to it is the ratio of the minimums, which other programs disturb less. Then memory
is measured over a million batches. The limit is 1 % of a step of 10 ms, which is 100 us; more ends with an error.
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
# Compute time of a step in ms, and the number of batches of a run.
STEPS = {0: 20_000, 1: 200, 10: 20}
# The limit: this share of a step of this length.
LIMIT_MS, LIMIT_SHARE = 10, 0.01


def record_loader(loader: Iterable[object], folder: str) -> LoaderProfiler:
    """Records a loader with the package of the build."""
    from tracelake import record  # noqa: PLC0415 - only the child has it on its path

    return record.LoaderProfiler(loader, folder)


def bare(batches: int) -> Iterator[list[int]]:
    """Yields batches without any work."""
    batch = [0] * 32
    for _ in range(batches):
        yield batch


def calibrate(step_ms: int) -> int:
    """The number of additions that take this time: each loop does the same work, regardless of other load."""
    if step_ms == 0:
        return 0
    seconds = []
    for _ in range(5):
        start = time.process_time()
        compute(100_000)
        seconds.append(time.process_time() - start)
    return int(100_000 * step_ms / 1e3 / min(seconds))


def compute(count: int) -> int:
    """The work of a step: this number of additions."""
    total = 0
    for number in range(count):
        total += number
    return total


def per_batch(loader: Iterable[object], batches: int, work: int) -> float:
    """Microseconds per batch of a loop, on the processor clock."""
    start = time.process_time()
    for _ in loader:
        compute(work)
    return (time.process_time() - start) / batches * 1e6


def pair(batches: int, work: int) -> tuple[float, float]:
    """Runs the same loop bare and recorded. Microseconds per batch of both."""
    alone = per_batch(bare(batches), batches, work)
    with tempfile.TemporaryDirectory() as folder, record_loader(bare(batches), folder) as profiler:
        return alone, per_batch(profiler, batches, work)


def peak_memory() -> float:
    """The peak memory of this process, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def measure_growth(batches: int) -> float:
    """MB by which the memory of a recorded loop grows after its first tenth."""
    with tempfile.TemporaryDirectory() as folder, record_loader(bare(batches), folder) as profiler:
        iterator = iter(profiler)
        for _ in range(batches // 10):
            next(iterator)
        before = peak_memory()
        for _ in iterator:
            pass
        return peak_memory() - before


def measure(batches: int) -> dict[str, object]:
    """The rows of the table, the cost of a batch in us, and the growth of memory in MB."""
    cost, rows = 0.0, []
    for step_ms, count in STEPS.items():
        work = calibrate(step_ms)
        alone, recorded = zip(*(pair(count, work) for _ in range(PAIRS)), strict=True)
        more = statistics.median(b - a for a, b in zip(alone, recorded, strict=True))
        ratio = statistics.median(b / a for a, b in zip(alone, recorded, strict=True))
        if step_ms == 0:
            cost = more
        minimum, minimum_recorded = min(alone), min(recorded)
        medians = [f"{statistics.median(us):.1f} us" for us in (alone, recorded)]
        minimums = [f"{minimum_recorded / minimum:.3f}", f"{minimum_recorded - minimum:.1f} us"]
        rows.append([f"{step_ms} ms", *medians, f"{ratio:.3f}", f"{more:.1f} us", *minimums])
    return {"rows": rows, "cost": cost, "grown": measure_growth(batches)}


def main() -> None:
    """Measures in a child process and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--batches", type=int, default=1_000_000, help="over which memory must not grow")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = document.parse_args(parser)
    if args.child:
        print(json.dumps(measure(args.batches)))
        return
    build = programs.programs(args)
    command = [sys.executable, __file__, "--child", "--batches", str(args.batches)]
    result = run(command, PYTHONPATH=build.package).json()
    share = result["cost"] / (LIMIT_MS * 1e3)
    header = ["step", "bare", "recorded", "ratio", "more", "ratio of the least", "more of the least"]
    lines = document.table(header, result["rows"])
    lines += ["", f"Recording a batch costs {result['cost']:.1f} us, {share:.2%} of a step of {LIMIT_MS} ms."]
    lines[-1] += f" Memory grew by {result['grown']:.1f} MB over the last nine tenths of {args.batches:,} batches."
    document.report_block(args, "recorder", lines, f"medians of {PAIRS} pairs in turn, on the processor's clock")
    if share > LIMIT_SHARE or result["grown"] > 1:
        sys.exit("too much")


if __name__ == "__main__":
    main()
