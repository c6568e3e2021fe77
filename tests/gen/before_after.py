"""Writes tests/data/before_after: traces of a job that waits for its data, and of the same job after a fix.

Before the fix, the loader has no workers and leaves batches in ordinary memory. After it, the loader has workers and
pins the batches. The model is the same. All durations have 3 % of noise. Needs only the standard library. The output
is the same each time.

Usage:   python3 tests/gen/before_after.py OUT
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from labeled.trace import Job, Step, trace

JOBS = {
    "before": Job(Step(load=24, copy=3, pageable=True, kernels=4, kernel=5), steps=80, workers=False),
    "after": Job(Step(load=0.8, copy=0.6, kernels=4, kernel=5), steps=80),
}


def main(out: Path) -> None:
    """Writes a folder for each run."""
    for name, job in JOBS.items():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        trace(job)(folder, random.Random(name))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
