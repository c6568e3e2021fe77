"""What recording a loader costs, side by side with the bare loop; part of `make bench`.

    python benches/recorder.py [batches]

Loops whose steps compute for 0, 1 and 10 ms run bare and recorded in turn, on the processor's clock: the ratio is that
of a pair, and beside it that of the least of both, which other programs disturb least. Then memory over a million
batches. A step of 10 ms is the line: at most 1 % of it, 100 us, may be the recorder's; more ends with an error.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from tracelake import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PAIRS = 9
# milliseconds of a step, and batches of a run with it
STEPS = {0: 20_000, 1: 200, 10: 20}
LINE_MS, SHARE = 10, 0.01


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
    with tempfile.TemporaryDirectory() as folder, record.LoaderProfiler(bare(batches), folder) as profiler:
        return alone, per_batch(profiler, batches, work)


def resident() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def growth(batches: int) -> float:
    """MB by which a recorded loop grows behind its first tenth."""
    with tempfile.TemporaryDirectory() as folder, record.LoaderProfiler(bare(batches), folder) as profiler:
        drawn = iter(profiler)
        for _ in range(batches // 10):
            next(drawn)
        before = resident()
        for _ in drawn:
            pass
        return resident() - before


def main(batches: int) -> None:
    """Measures, and says what came out."""
    cost = 0.0
    for step_ms, count in STEPS.items():
        work = additions_in(step_ms)
        alone, recorded = zip(*(pair(count, work) for _ in range(PAIRS)), strict=True)
        more = statistics.median(b - a for a, b in zip(alone, recorded, strict=True))
        ratio = statistics.median(b / a for a, b in zip(alone, recorded, strict=True))
        if step_ms == 0:
            cost = more
        print(
            f"  step of {step_ms:2} ms: bare {statistics.median(alone):.1f} us a batch, "
            f"recorded {statistics.median(recorded):.1f} us; ratio {ratio:.3f}, {more:.1f} us more; "
            f"of the least of both {min(recorded) / min(alone):.3f}, {min(recorded) - min(alone):.1f} us",
            flush=True,
        )
    share = cost / (LINE_MS * 1e3)
    print(f"  recording a batch costs {cost:.1f} us, {share:.2%} of a step of {LINE_MS} ms")
    grown = growth(batches)
    print(f"  memory grew by {grown:.1f} MB from batch {batches // 10} to batch {batches}")
    if share > SHARE or grown > 1:
        sys.exit("too much")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
