"""What recording a loader costs: beside the bare loop, in turns, and memory over a million batches.

    python benches/recorder.py [batches]

Prints the median of paired runs. A step of 10 ms is the line: at most 1 % of it, 100 us, may be the recorder's.
"""

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator

from tracelake import record

PAIRS = 7
BATCHES = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
STEP_US = 10_000


def per_batch(loader: Iterable[object], batches: int) -> float:
    """Microseconds of a loop that does nothing, per batch, on the processor's clock."""
    begun = time.process_time()
    for _ in loader:
        pass
    return (time.process_time() - begun) / batches * 1e6


def bare(batches: int) -> Iterator[list[int]]:
    """Batches that cost nothing."""
    batch = [0] * 32
    for _ in range(batches):
        yield batch


def resident() -> float:
    """The most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def main() -> None:
    """Measures, and says what came out."""
    costs = []
    for _ in range(PAIRS):
        with tempfile.TemporaryDirectory() as folder, record.LoaderProfiler(bare(20_000), folder) as profiler:
            costs.append(per_batch(profiler, 20_000) - per_batch(bare(20_000), 20_000))
    cost = statistics.median(costs)
    print(f"recording a batch costs {cost:.1f} us, {cost / STEP_US:.2%} of a step of {STEP_US // 1000} ms")
    with tempfile.TemporaryDirectory() as folder, record.LoaderProfiler(bare(BATCHES), folder) as profiler:
        batches = iter(profiler)
        for _ in range(BATCHES // 10):
            next(batches)
        before = resident()
        for _ in batches:
            pass
        grown = resident() - before
    print(f"memory grew by {grown:.1f} MB from batch {BATCHES // 10} to batch {BATCHES}")
    if cost > STEP_US / 100 or grown > 1:
        sys.exit("too much")


if __name__ == "__main__":
    main()
