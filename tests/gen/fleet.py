"""Writes many small PyTorch traces, one per run. The answers about this fleet follow from the seed.

A run is one process with one or two devices and a few steps of about 10 ms. In a step it waits for a batch, computes
on each device and reduces over the devices, which are then idle until the step ends. Two models alternate. The model
`late` is slower by the share `--by` from run `--at` on. Each commit covers 10 runs.

Usage:   python3 tests/gen/fleet.py --out OUT [--runs 10000] [--at 6000] [--by 0.05] [--noise 0.01] [--seed 0]
Then:    tracelake --lake LAKE ingest 'OUT/*.json'
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

BEGAN_US = 1_600_000_000_000_000
HOUR_US = 3_600_000_000
# durations as shares of a step
WAIT, COMPUTE, REDUCE = 0.2, 0.5, 0.1


def trace(number: int, gpus: int, steps: list[float]) -> dict:
    """Returns the trace of one run; step durations are in us."""
    events: list[dict] = []

    def add(category: str, name: str, ts: float, dur: float, **more: object) -> None:
        where = {"pid": 1, "tid": 1, **more}
        events.append({"ph": "X", "cat": category, "name": name, "ts": round(ts, 3), "dur": round(dur, 3), **where})

    ts = float(BEGAN_US + number * HOUR_US)
    for step, dur in enumerate(steps):
        add("user_annotation", f"ProfilerStep#{step}", ts, dur)
        add("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", ts, WAIT * dur)
        for gpu in range(gpus):
            location = {"pid": gpu, "tid": 7}
            args = {"device": gpu, "stream": 7}
            add("kernel", "gemm", ts + WAIT * dur, COMPUTE * dur, args=args, **location)
            add("kernel", "ncclDevKernel_AllReduce", ts + (WAIT + COMPUTE) * dur, REDUCE * dur, args=args, **location)
        ts += dur
    return {
        "schemaVersion": 1,
        "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 1},
        "commit": f"c{number // 10:05}",
        "model": ("early", "late")[number % 2],
        "traceEvents": events,
    }


def write(out: Path, runs: int, shift_run: int, shift: float, noise: float, seed: int) -> None:
    """Writes the traces of the runs."""
    out.mkdir(parents=True, exist_ok=True)
    chance = random.Random(seed)
    for number in range(runs):
        slower = 1 + shift if number >= shift_run and number % 2 else 1
        usual = 10_000 * slower * chance.gauss(1, noise)
        steps = [usual * chance.gauss(1, noise / 10) for _ in range(3)]
        text = json.dumps(trace(number, 1 + number % 2, steps))
        (out / f"run-{number:05}.pt.trace.json").write_text(text)


def main() -> None:
    """Parses the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=10_000)
    parser.add_argument("--at", type=int, default=6000)
    parser.add_argument("--by", type=float, default=0.05)
    parser.add_argument("--noise", type=float, default=0.01)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    write(args.out, args.runs, args.at, args.by, args.noise, args.seed)


if __name__ == "__main__":
    main()
