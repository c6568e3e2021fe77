"""Cases of SageMaker's profiler: samples of the machine, and the hook's timelines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labeled.case import Case, Planted
from labeled.hook import Loop, hook
from labeled.machine import Machine, machine
from labeled.trace_cases import BLAME, DATA, NO_GPU, NO_LOADER, OTHERS

if TYPE_CHECKING:
    import random
    from pathlib import Path


def make_case(loop: Loop | None, m: Machine | None, name: str, verdict: str, main: str | None, **more: Any) -> Case:
    """Returns a case of the hook and of the machine's samples, or of one of them."""
    parts = [source for source in (loop and hook(loop), m and machine(m)) if source]

    def write(folder: Path, chance: random.Random) -> Planted:
        planted: Planted = {}
        for part in parts:
            planted |= part(folder, chance)
        return planted

    return Case(f"sagemaker-{name}", verdict, main, {"sagemaker": write}, **more)


def every_nth(every: int, **parts: float):
    """Steps that differ, one of `every`."""
    return lambda _rank, step: parts if step % every == every - 1 else {}


SLOW = {"also": ("gpu_starved_by_loader",), "never": OTHERS}

CASES = [
    # nothing is wrong
    make_case(Loop(), Machine(lead=5), "clean", "compute-bound", None, never=BLAME),
    make_case(
        Loop(ranks=2), Machine(lead=5, gpus=2, cores=8, busy=90), "clean-two-gpus", "compute-bound", None, never=BLAME
    ),
    make_case(
        Loop(steps=600, step=1.95, wait=0.02, first=0.03, epochs=2),
        Machine(lead=5, busy=96),
        "clean-two-epochs",
        "compute-bound",
        None,
        never=BLAME,
    ),
    make_case(
        Loop(evals=10),
        Machine(lead=5, memory=lambda progress: 30 + progress),
        "clean-with-evaluation",
        "compute-bound",
        None,
        never=BLAME,
    ),
    # loading
    make_case(
        Loop(steps=240, step=2, wait=3, first=3, workers=0),
        Machine(lead=5, idle=0.6),
        "no-workers",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(
        Loop(steps=300, step=1, wait=3, first=4, workers=0, ranks=2),
        Machine(lead=5, idle=0.75, gpus=2),
        "no-workers-two-gpus",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(
        Loop(steps=300, step=1.6, wait=2.4, first=3, workers=1),
        Machine(lead=5, idle=0.6),
        "one-worker",
        "input-bound",
        "load_share_high",
        **SLOW,
    ),
    make_case(
        Loop(steps=300, step=1.4, wait=0.1, workers=3, differs=every_nth(3, wait=7.6)),
        Machine(lead=5, idle=0.63, cores=8),
        "three-workers-in-bursts",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "batch_time_unsteady"),
        never=OTHERS,
    ),
    make_case(
        Loop(steps=240, step=1.7, wait=3.2, first=3.2),
        Machine(lead=5, idle=0.65, hot=98),
        "decoding-on-the-host",
        "input-bound",
        "load_share_high",
        also=("cpu_bottleneck", "gpu_starved_by_loader"),
        never=OTHERS,
    ),
    make_case(
        Loop(steps=240, step=1.7, wait=3.2, first=3.2),
        Machine(lead=5, idle=0.66, hot=20, wait=85),
        "slow-disk",
        "input-bound",
        "load_share_high",
        also=("io_bottleneck", "gpu_starved_by_loader"),
        never=OTHERS,
    ),
    make_case(
        Loop(steps=240, step=1.4, wait=3.4, first=3.4, ranks=2),
        Machine(lead=5, idle=0.7, hot=15, wait=75, gpus=2, cores=8),
        "slow-disk-two-gpus",
        "input-bound",
        "load_share_high",
        also=("io_bottleneck", "gpu_starved_by_loader"),
        never=OTHERS,
    ),
    make_case(
        Loop(epochs=30, init=2.2),
        Machine(lead=5, seconds=1270),
        "workers-restart",
        "compute-bound",
        "loader_reinitialized",
        never=("gpu_starved_by_loader",),
        verdict_clear=False,
    ),
    make_case(Loop(pin=False), Machine(lead=5), "unpinned", "compute-bound", "pin_memory_off", never=DATA),
    make_case(Loop(first=3), Machine(lead=5), "slow-first-batch", "compute-bound", "first_batch_slow", never=DATA),
    # the host
    make_case(Loop(), Machine(lead=5, idle=0.7, hot=98), "busy-core", "host-bound", "cpu_bottleneck", never=DATA),
    make_case(
        Loop(ranks=2),
        Machine(lead=5, idle=0.65, hot=97, gpus=2, cores=8),
        "busy-core-two-gpus",
        "host-bound",
        "cpu_bottleneck",
        never=DATA,
    ),
    make_case(
        Loop(),
        Machine(lead=5, idle=0.7, hot=20, wait=80),
        "waiting-core",
        "host-bound",
        "io_bottleneck",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Loop(),
        Machine(lead=5, busy=30),
        "low-gpu",
        "host-bound",
        "gpu_low_not_loader",
        also=("gpu_underused",),
        never=DATA,
    ),
    make_case(
        Loop(ranks=2),
        Machine(lead=5, busy=35, gpus=2),
        "low-two-gpus",
        "host-bound",
        "gpu_low_not_loader",
        also=("gpu_underused",),
        never=DATA,
    ),
    make_case(
        Loop(),
        Machine(lead=5, busy=35, cores_busy=20, hot=20, gpu_memory=lambda _: 20),
        "small-batch",
        "host-bound",
        "batch_too_small",
        also=("gpu_underused",),
        never=DATA,
    ),
    make_case(
        Loop(),
        Machine(lead=5, busy=25, cores_busy=30, hot=30, cores=8, gpu_memory=lambda _: 12),
        "tiny-batch",
        "host-bound",
        "batch_too_small",
        also=("gpu_underused",),
        never=DATA,
    ),
    make_case(
        Loop(), Machine(lead=5, idle=0.3), "stalls", "host-bound", "gpu_fluctuating", never=DATA, verdict_clear=False
    ),
    # memory
    make_case(
        Loop(),
        Machine(lead=5, memory=lambda progress: 30 + 50 * progress),
        "leak",
        "compute-bound",
        "host_memory_growth",
        never=DATA,
    ),
    make_case(
        Loop(steps=600, step=1.95, wait=0.02),
        Machine(lead=5, memory=lambda progress: 20 + 25 * progress),
        "slow-leak",
        "compute-bound",
        "host_memory_growth",
        never=DATA,
    ),
    make_case(
        Loop(),
        Machine(lead=5, gpu_memory=lambda progress: 20 if progress < 0.92 else 78),
        "gpu-memory-jump",
        "compute-bound",
        "gpu_memory_growth",
        never=DATA,
    ),
    make_case(
        Loop(ranks=2),
        Machine(lead=5, gpus=2, gpu_memory=lambda progress: 15 if progress < 0.88 else 45 if progress < 0.95 else 88),
        "gpu-memory-steps",
        "compute-bound",
        "gpu_memory_growth",
        never=DATA,
    ),
    # steps
    make_case(
        Loop(lead=1800),
        Machine(lead=1800, seconds=3000, every=2),
        "slow-start",
        "compute-bound",
        "slow_initialization",
        never=DATA,
    ),
    make_case(
        Loop(lead=2700, steps=400),
        Machine(lead=2700, seconds=4300, every=2),
        "slower-start",
        "compute-bound",
        "slow_initialization",
        never=DATA,
    ),
    make_case(
        Loop(steps=400, step=2.5, differs=every_nth(28, step=18)),
        Machine(lead=5, seconds=1240),
        "outliers",
        "compute-bound",
        "step_outliers",
        never=DATA,
    ),
    make_case(
        Loop(steps=600, step=1.4, wait=0.01, differs=every_nth(40, step=14), ranks=2),
        Machine(lead=5, seconds=1060, gpus=2, every=0.9),
        "outliers-two-gpus",
        "compute-bound",
        "step_outliers",
        never=DATA,
    ),
    make_case(
        Loop(epochs=4, evals=70, eval_step=3),
        Machine(lead=5, seconds=2050, every=1.5),
        "evaluates-much",
        "compute-bound",
        "evaluation_share",
        never=DATA,
    ),
    make_case(
        Loop(steps=200, epochs=10, evals=20, eval_step=4),
        Machine(lead=5, seconds=1600),
        "evaluates-often",
        "compute-bound",
        "evaluation_share",
        never=DATA,
    ),
    make_case(
        Loop(ranks=2),
        Machine(lead=5, gpus=2, factors=(1, 0.45)),
        "uneven-gpus",
        "compute-bound",
        "rank_imbalance",
        never=DATA,
        verdict_clear=False,
    ),
    # evidence removed
    make_case(Loop(), None, "no-samples", "no_data", None, missing=NO_GPU),
    make_case(
        Loop(step=1, wait=2, first=2, workers=0),
        None,
        "no-samples-slow-loader",
        "input-bound",
        "load_share_high",
        missing=NO_GPU,
    ),
    make_case(None, Machine(), "no-hook", "compute-bound", None, missing=NO_LOADER),
    make_case(
        None,
        Machine(busy=30),
        "no-hook-low-gpu",
        "no_data",
        "gpu_underused",
        missing=NO_LOADER,
        verdict_clear=False,
    ),
    make_case(Loop(loader=False), Machine(lead=5), "loader-unseen", "compute-bound", None, missing=NO_LOADER),
    make_case(
        Loop(loader=False),
        Machine(lead=5, with_gpu=False),
        "no-gpu-no-loader",
        "no_data",
        None,
        missing=(*NO_GPU, "load_share_high"),
    ),
    make_case(
        Loop(steps=12),
        Machine(lead=5, seconds=60, idle=0.7, hot=98),
        "a-minute",
        "host-bound",
        None,
        missing=("cpu_bottleneck",),
        clear=False,
    ),
]
