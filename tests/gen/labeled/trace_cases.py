"""Cases of traces, alone or with other sources."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from labeled.case import Case
from labeled.machine import Machine, machine
from labeled.tables import Loop, timings
from labeled.trace import Job, Step, trace

NO_GPU = ("gpu_starved_by_loader", "gpu_low_not_loader", "gpu_underused")
NO_LOADER = ("load_share_high", "gpu_starved_by_loader", "first_batch_slow")
DATA = ("load_share_high", "gpu_starved_by_loader")
OTHERS = ("gpu_low_not_loader", "balanced")
BLAME = (*DATA, "gpu_low_not_loader", "communication_exposed", "launch_bound", "host_to_device_copy")


def make_case(job: Job, name: str, verdict: str, main: str | None, **more: Any) -> Case:
    """Returns a case with one trace per rank."""
    return Case(f"trace-{name}", verdict, main, {"trace": trace(job)}, **more)


def every_nth(every: int, **parts: float):
    """Steps that differ, one of `every`."""
    return lambda _rank, step: parts if step % every == every - 1 else {}


def first_steps(steps: int, **parts: float):
    """The first steps differ."""
    return lambda _rank, step: parts if step < steps else {}


def one_rank(rank: int, **parts: float):
    """One rank differs."""
    return lambda other, _step: parts if other == rank else {}


def burst_steps(period: int, load: float):
    """Batches arrive in bursts of `period`."""
    return lambda _rank, step: {"load": load if step % period == 0 else 0.3}


SMALL = Step(kernels=10, kernel=2)
HALF = Step(kernels=10, kernel=6)

CLEAN = [
    make_case(Job(Step()), "clean-one-gpu", "compute-bound", None, never=BLAME),
    make_case(Job(Step(hidden=8), ranks=2), "clean-two-gpus", "compute-bound", None, never=BLAME),
    make_case(
        Job(Step(kernels=6, kernel=20, hidden=10), ranks=8, steps=22),
        "clean-eight-gpus",
        "compute-bound",
        None,
        never=BLAME,
    ),
    make_case(
        Job(Step(kernels=20, kernel=0.9, load=0.1), steps=60), "clean-short-steps", "compute-bound", None, never=BLAME
    ),
    make_case(
        Job(Step(), memory=(0.4, 0.5, 0.45)), "clean-memory", "compute-bound", None, never=(*BLAME, "gpu_memory_peak")
    ),
]

LOADING = [
    make_case(
        Job(Step(load=150), workers=False),
        "no-workers",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(
        Job(Step(load=130), workers=False, ranks=4),
        "no-workers-four-gpus",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(
        Job(replace(SMALL, load=60), workers=False, steps=40),
        "no-workers-small-model",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(
        Job(Step(load=200)),
        "slow-workers",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader",),
        never=(*OTHERS, "no_workers"),
    ),
    make_case(
        Job(Step(), differs=burst_steps(3, 400), steps=30),
        "bursts-of-three-workers",
        "input-bound",
        "load_share_high",
        also=("batch_time_unsteady",),
        never=OTHERS,
    ),
    make_case(
        Job(Step(), differs=burst_steps(4, 600), steps=40, ranks=2),
        "bursts-of-four-workers",
        "input-bound",
        "load_share_high",
        also=("batch_time_unsteady",),
        never=OTHERS,
    ),
    make_case(
        Job(Step(load=1), init=True, steps=40, differs=first_steps(1, load=60)),
        "slow-first-batch",
        "compute-bound",
        "first_batch_slow",
        never=DATA,
    ),
    make_case(
        Job(Step(load=0.5), init=True, steps=30, ranks=2, differs=first_steps(1, load=30)),
        "slow-first-batch-two-gpus",
        "compute-bound",
        "first_batch_slow",
        never=DATA,
    ),
    make_case(
        Job(Step(exposed=3), ranks=4, differs=one_rank(2, load=110)),
        "loader-straggler-of-four",
        "input-bound",
        "loader_straggler",
        verdict_clear=False,
    ),
    make_case(
        Job(Step(exposed=2), ranks=2, differs=one_rank(1, load=80), workers=False),
        "loader-straggler-of-two",
        "input-bound",
        "loader_straggler",
        verdict_clear=False,
    ),
    make_case(Job(Step(load=14)), "near-notable", "compute-bound", None, clear=False),
    make_case(Job(Step(load=45)), "near-bottleneck", "input-bound", "load_share_high", clear=False),
]

RANKS = [
    make_case(
        Job(Step(exposed=3), ranks=4, differs=one_rank(1, kernel=17)),
        "compute-straggler-of-four",
        "compute-bound",
        "rank_straggler",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(exposed=2, kernels=6), ranks=8, differs=one_rank(5, kernel=16)),
        "compute-straggler-of-eight",
        "compute-bound",
        "rank_straggler",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(kernel=5, exposed=55), ranks=2),
        "exposed-two-gpus",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernel=4, exposed=50, hidden=5), ranks=4),
        "exposed-four-gpus",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernels=6, kernel=6, exposed=60), ranks=8),
        "exposed-eight-gpus",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernel=3, exposed=90, load=2), ranks=2),
        "exposed-slow-network",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernel=0.5, exposed=6, load=0.1), ranks=4, steps=60),
        "exposed-short-steps",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernel=6, hidden=20, exposed=70), ranks=2),
        "exposed-hidden-in-part",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernel=12, exposed=140, load=3), ranks=3),
        "exposed-long-steps",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
    ),
    make_case(Job(Step(exposed=13), ranks=2), "near-exposed", "compute-bound", "communication_exposed", clear=False),
    make_case(
        Job(Step(load=100, kernel=6, exposed=90), ranks=2),
        "mixed-two-gpus",
        "mixed",
        "load_share_high",
        also=("communication_exposed",),
    ),
    make_case(
        Job(Step(load=80, kernel=5, exposed=80), ranks=4, workers=False),
        "mixed-four-gpus",
        "mixed",
        "load_share_high",
        also=("communication_exposed",),
    ),
    make_case(
        Job(Step(load=60, kernel=2, exposed=55), ranks=8),
        "mixed-eight-gpus",
        "mixed",
        "load_share_high",
        also=("communication_exposed",),
    ),
    make_case(Job(Step(load=90, host=90, kernel=5), stack=True), "mixed-load-and-host", "mixed", "load_share_high"),
    make_case(
        Job(Step(load=70, host=65, kernel=3), ranks=2), "mixed-load-and-host-two-gpus", "mixed", "load_share_high"
    ),
    make_case(
        Job(Step(load=30, kernel=2, exposed=30), ranks=2, steps=40),
        "mixed-short-steps",
        "mixed",
        "load_share_high",
        also=("communication_exposed",),
    ),
]

HOST = [
    make_case(
        Job(Step(kernels=250, kernel=0.004, launch=0.014, load=0.05)),
        "launch-bound",
        "host-bound",
        "launch_bound",
        also=("small_kernels",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernels=150, kernel=0.006, launch=0.03, load=0.05)),
        "launch-bound-slow-host",
        "host-bound",
        "launch_bound",
        also=("small_kernels",),
        never=DATA,
    ),
    make_case(
        Job(Step(kernels=120, kernel=0.005, launch=0.02, load=0.03), ranks=2, steps=40),
        "launch-bound-two-gpus",
        "host-bound",
        "launch_bound",
        also=("small_kernels",),
        never=DATA,
    ),
    make_case(
        Job(replace(HALF, host=130), stack=True),
        "python-between-steps",
        "host-bound",
        "gpu_low_not_loader",
        never=(*DATA, "launch_bound"),
    ),
    make_case(
        Job(replace(HALF, host=160), steps=30),
        "host-unseen",
        "host-bound",
        "gpu_low_not_loader",
        never=(*DATA, "launch_bound"),
    ),
    make_case(
        Job(Step(kernel=5, host=110, hidden=4), ranks=2),
        "host-two-gpus",
        "host-bound",
        "gpu_low_not_loader",
        never=DATA,
    ),
    make_case(
        Job(Step(), steps=60, differs=every_nth(10, rare=250)),
        "logging-now-and-then",
        "compute-bound",
        "between_batches_slow",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(), steps=60, differs=every_nth(6, rare=350)),
        "logging-often",
        "host-bound",
        "between_batches_slow",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(replace(HALF, copy=70, pageable=True)),
        "copies-half",
        "host-bound",
        "host_to_device_copy",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(replace(HALF, copy=45, pageable=True), ranks=2),
        "copies-two-gpus",
        "host-bound",
        "host_to_device_copy",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(), steps=40, differs=first_steps(3, host=600)),
        "recompiles",
        "compute-bound",
        "warmup_steps",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(), steps=50, differs=first_steps(2, host=1200), ranks=2),
        "recompiles-two-gpus",
        "compute-bound",
        "warmup_steps",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(kernels=2, kernel=9, load=0.1), steps=300, differs=every_nth(25, host=150)),
        "outliers",
        "compute-bound",
        "step_outliers",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(Step(overhead=40)),
        "profiler-overhead",
        "compute-bound",
        "profiler_overhead",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(replace(HALF, overhead=60), ranks=2),
        "profiler-overhead-two-gpus",
        "compute-bound",
        "profiler_overhead",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(
        Job(
            Step(),
            steps=40,
            differs=lambda _rank, step: {"rare": 500, "rare_name": "save_checkpoint"} if step % 8 == 7 else {},
        ),
        "checkpoints",
        "compute-bound",
        "checkpoint_stalls",
        never=DATA,
        verdict_clear=False,
    ),
    make_case(Job(Step(), memory=(0.5, 0.7, 0.96)), "memory-peak", "compute-bound", "gpu_memory_peak", never=DATA),
]

REMOVED = [
    make_case(Job(Step(), marks=False), "loader-unseen", "compute-bound", None, missing=NO_LOADER),
    make_case(
        Job(replace(HALF, host=120), marks=False),
        "loader-unseen-low-gpu",
        "no_data",
        None,
        missing=NO_LOADER,
        verdict_clear=False,
    ),
    make_case(Job(Step(load=150), steps=1), "one-step", "no_data", None, missing=("load_share_high",)),
    make_case(Job(Step(load=150), steps=5), "five-steps", "input-bound", "load_share_high", clear=False),
    make_case(
        Job(Step(load=80, kernel=5), device=False, workers=False),
        "cpu-only-slow-loader",
        "input-bound",
        "load_share_high",
        missing=(*NO_GPU, "small_kernels", "host_to_device_copy"),
    ),
    make_case(
        Job(Step(kernel=5), device=False),
        "cpu-only",
        "no_data",
        None,
        missing=(*NO_GPU, "small_kernels"),
        verdict_clear=False,
    ),
    make_case(
        Job(Step(load=150), steps=40, cut=True),
        "cut",
        "input-bound",
        "evidence_corrupt",
        damage=("truncated",),
        verdict_clear=False,
    ),
]

TOGETHER = [
    Case(
        "trace-cpu-and-system-starved",
        "input-bound",
        "load_share_high",
        {
            "trace": trace(Job(Step(load=80, kernel=5), device=False, steps=40)),
            "system": machine(Machine(seconds=6, every=0.05, busy=38)),
        },
        also=("gpu_starved_by_loader",),
        never=OTHERS,
    ),
    Case(
        "trace-and-system-clean",
        "compute-bound",
        None,
        {"trace": trace(Job(Step(), steps=40)), "system": machine(Machine(seconds=5, every=0.05, busy=95))},
        never=BLAME,
    ),
    Case(
        "timings-and-system-starved",
        "input-bound",
        "load_share_high",
        {"timings": timings(Loop(load=0.15)), "system": machine(Machine(busy=35))},
        also=("gpu_starved_by_loader",),
        never=OTHERS,
    ),
    Case(
        "timings-and-system-clean",
        "compute-bound",
        None,
        {"timings": timings(Loop(), "json"), "system": machine(Machine(busy=94))},
        never=BLAME,
    ),
    Case(
        "timings-and-system-low",
        "host-bound",
        "gpu_low_not_loader",
        {"timings": timings(Loop(), "jsonl"), "system": machine(Machine(busy=30))},
        also=("gpu_underused",),
        never=DATA,
    ),
    Case(
        "timings-and-two-gpus-low",
        "host-bound",
        "gpu_low_not_loader",
        {"timings": timings(Loop(compute=0.4)), "system": machine(Machine(busy=25, gpus=2, cores=8))},
        also=("gpu_underused",),
        never=DATA,
    ),
]

CASES = [*CLEAN, *LOADING, *RANKS, *HOST, *REMOVED, *TOGETHER]
