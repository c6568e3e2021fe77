"""Generates timelines of SageMaker's hook for PyTorch from the durations of waits, steps and passes."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sagemaker import Timeline

from labeled.case import EPOCH, Planted, Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

US_PER_S = 1_000_000  # the hook counts us


@dataclass(frozen=True)
class Loop:
    """A training loop: passes over the data, in each of which a batch is waited for before each step; seconds."""

    steps: int = 300
    step: float = 3.9
    wait: float = 0.04
    first: float = 0.06  # wait for the first batch of a pass
    epochs: int = 1
    workers: int = 4
    pin: bool = True
    init: float = 0.05
    evals: int = 0  # evaluation steps at the end of a pass
    eval_step: float = 1.0
    lead: float = 5  # from the start of the job to the first step
    ranks: int = 1
    jitter: float = 0.03
    loader: bool = True  # whether the loader was recorded
    differs: Callable[[int, int], dict[str, float]] = lambda _rank, _step: {}


def hook(loop: Loop) -> Source:
    """Writes the timelines; returns the share of waits in the time of waits and training steps."""

    def write(folder: Path, chance: random.Random) -> Planted:
        waits = total = 0
        for rank in range(loop.ranks):
            waited, lasted = process(loop, folder / "profiler-output", rank, random.Random(f"{chance.random()}/{rank}"))
            waits, total = waits + waited, total + lasted
        return {"wait": waits / total} if loop.loader else {}

    return write


def process(loop: Loop, out: Path, rank: int, chance: random.Random) -> tuple[int, int]:
    """Writes the timelines of one process; returns the time of waits, and of waits and training steps."""
    base = EPOCH // 1000
    line = Timeline(out, f"{rank}-algo-1", "pythontimeline.json", base)
    now, number, waits, total, pid = base + int(loop.lead * US_PER_S), 0, 0, 0, 80 + rank

    def vary(seconds: float) -> int:
        return int(seconds * US_PER_S * (1 + loop.jitter * chance.uniform(-1, 1)))

    for _ in range(loop.epochs):
        began = now
        if loop.loader:
            kind = "_MultiProcessingDataLoaderIter" if loop.workers else "_SingleProcessDataLoaderIter"
            init = vary(loop.init)
            line.event(
                "DataLoaderIterInitialize",
                f"{kind}.__init__",
                now,
                init,
                pid=pid,
                num_workers=loop.workers,
                pin_memory=loop.pin,
            )
            now += init
        for i in range(loop.steps // loop.epochs):
            part = {"step": loop.step, "wait": loop.wait if i else loop.first, **loop.differs(rank, number)}
            wait, step = vary(part["wait"]), vary(part["step"])
            if loop.loader:
                line.event(
                    "DataLoaderIter", "DataLoaderIter::GetNext", now, wait, pid=pid, worker_id=i % max(loop.workers, 1)
                )
            now, waits, total = now + wait, waits + wait, total + wait + step
            line.event("Forward", "Net", now, step * 2 // 5, pid=pid, step_num=str(number))
            line.event(
                "Backward(post-forward)", "Net", now + step * 2 // 5, step * 3 // 5, pid=pid, step_num=str(number)
            )
            line.event("Step:ModeKeys.TRAIN", "Step:ModeKeys.TRAIN", now, step, pid=pid, step_num=str(number))
            now += step + 300
            number += 1
        for worker in range(loop.workers if loop.loader else 0):
            worker_id = {"pid": pid + 100 * (worker + 1), "worker_id": worker}
            line.event("DataLoaderWorker", "DataLoaderWorker", began + 200, now - began - 200, **worker_id)
        for i in range(loop.evals):
            step = vary(loop.eval_step)
            line.event("Step:ModeKeys.EVAL", "Step:ModeKeys.EVAL", now, step, pid=pid, step_num=str(i))
            now += step + 300
    line.close()
    return waits, total
