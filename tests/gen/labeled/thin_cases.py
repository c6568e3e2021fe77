"""Cases with thin evidence: traces of a few steps, without step marks, without a device, or with skewed clocks.

A schedule of the PyTorch profiler with `wait=1, warmup=1, active=N` records N steps, from number 2 on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from labeled.case import Case
from labeled.trace import Job, Step, trace
from labeled.trace_cases import BLAME, DATA, NO_GPU, OTHERS, one_rank

BUSY = Step(kernels=5, kernel=6)
SMALL = Step(kernels=4, kernel=4)
NO_KERNELS = (*NO_GPU, "small_kernels", "host_to_device_copy")

SKEW = (0, 50, -50, 23, -37, 8, 41, -16)  # ms by which the clock of each rank is ahead


def make_case(job: Job, name: str, verdict: str, main: str | None, **more: Any) -> Case:
    """Returns a case with one trace per rank, recorded with a schedule."""
    return Case(f"thin-{name}", verdict, main, {"trace": trace(replace(job, first=2))}, **more)


def make_pair(job: Job, name: str, verdict: str, main: str | None, **more: Any) -> list[Case]:
    """Returns two cases of the same job: with synchronized clocks, and with skewed ones."""
    job = replace(job, seed=name)
    # Offsets from 0 to 100 ms, so that no time is before the base time of the trace.
    skewed = replace(job, clock=lambda rank: 50 + SKEW[rank])
    return [
        make_case(job, name, verdict, main, **more),
        make_case(skewed, f"{name}-skewed", verdict, main, **more, twin=f"thin-{name}"),
    ]


STARVED = [
    make_case(
        Job(replace(SMALL, load=86), steps=12),
        "twelve-steps-starved",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader",),
        never=OTHERS,
        severities={"load_share_high": "critical", "gpu_starved_by_loader": "critical"},
    ),
    make_case(
        Job(replace(SMALL, load=190), steps=3),
        "three-steps-starved",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader",),
        never=OTHERS,
        severities={"load_share_high": "critical", "gpu_starved_by_loader": "warning"},
    ),
    make_case(
        Job(replace(SMALL, load=42), steps=3, workers=False),
        "three-steps-waiting",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
        severities={"load_share_high": "warning", "gpu_starved_by_loader": "warning", "no_workers": "warning"},
    ),
    make_case(
        Job(replace(SMALL, load=20), steps=5),
        "five-steps-waiting",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader",),
        never=OTHERS,
        severities={"load_share_high": "warning", "gpu_starved_by_loader": "warning"},
    ),
    make_case(
        Job(replace(SMALL, load=100), steps=2),
        "two-steps-waiting",
        "input-bound",
        "load_share_high",
        also=("gpu_starved_by_loader",),
        never=OTHERS,
        severities={"load_share_high": "warning", "gpu_starved_by_loader": "warning"},
    ),
]

OTHER_VERDICTS = [
    make_case(Job(BUSY, steps=5), "five-steps-busy", "compute-bound", None, never=BLAME),
    make_case(
        Job(replace(SMALL, exposed=16), steps=3, ranks=2),
        "three-steps-exposed",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=DATA,
        severities={"communication_high": "notice"},
    ),
    make_case(
        Job(replace(SMALL, host=70), steps=3, stack=True),
        "three-steps-host",
        "host-bound",
        "gpu_low_not_loader",
        never=DATA,
        severities={"gpu_low_not_loader": "notice"},
    ),
    make_case(
        Job(Step(kernels=60, kernel=0.004, launch=0.03, load=0.02), steps=3),
        "three-steps-launching",
        "host-bound",
        "launch_bound",
        also=("small_kernels",),
        never=DATA,
        severities={"small_kernels": "notice"},
    ),
]

UNMARKED = [
    make_case(
        Job(replace(SMALL, load=86), steps=12, step_marks=False),
        "no-marks-starved",
        "input-bound",
        "load_share_high",
        never=OTHERS,
    ),
    make_case(Job(BUSY, steps=12, step_marks=False), "no-marks-busy", "compute-bound", None, never=BLAME),
]

CPU = [
    make_case(
        Job(Step(load=60, kernels=4, kernel=4), steps=5, device=False),
        "cpu-starved",
        "input-bound",
        "load_share_high",
        missing=NO_KERNELS,
        severities={"load_share_high": "critical"},
    ),
    make_case(Job(BUSY, steps=5, device=False), "cpu-busy", "compute-bound", None, never=DATA[:1], missing=NO_KERNELS),
]

RANKS = [
    *make_pair(
        Job(replace(SMALL, exposed=36), steps=10, ranks=4),
        "ten-steps-exposed",
        "communication-bound",
        "communication_exposed",
        also=("communication_high",),
        never=(*DATA, "rank_straggler"),
        severities={"communication_high": "warning"},
    ),
    *make_pair(
        Job(replace(BUSY, hidden=4), steps=10, ranks=4),
        "ten-steps-busy",
        "compute-bound",
        None,
        never=(*BLAME, "rank_straggler", "loader_straggler"),
    ),
    *make_pair(
        Job(replace(SMALL, exposed=1), steps=10, ranks=8, differs=one_rank(5, load=60)),
        "one-slow-loader-of-eight",
        "input-bound",
        "loader_straggler",
        also=("load_share_high", "rank_straggler"),
        never=OTHERS,
        worst_rank=5,
    ),
]

CASES = [*STARVED, *OTHER_VERDICTS, *UNMARKED, *CPU, *RANKS]
