"""Cases that our own recorders recorded, some with samples of the machine."""

from __future__ import annotations

from typing import Any

from labeled.case import Case
from labeled.machine import Machine
from labeled.recorded import Loop, machine_source, recorded
from labeled.trace_cases import BLAME, DATA, NO_GPU, OTHERS


def make_case(loop: Loop, name: str, verdict: str, main: str | None, m: Machine | None = None, **more: Any) -> Case:
    """Returns a case of the recorder, with samples of a machine if `m` is given."""
    sources = {"recorder": recorded(loop), **({"system": machine_source(m)} if m else {})}
    return Case(f"recorded-{name}", verdict, main, sources, **more)


CASES = [
    make_case(Loop(compute=30), "clean", "no_data", None, never=DATA, missing=NO_GPU),
    make_case(
        Loop(compute=15, workers=4, steps=80),
        "clean-short-steps",
        "no_data",
        None,
        never=DATA,
        missing=NO_GPU,
    ),
    make_case(
        Loop(load=30, compute=8),
        "sleeping-dataset",
        "input-bound",
        "load_share_high",
        also=("no_workers",),
        missing=NO_GPU,
    ),
    make_case(
        Loop(load=60, compute=15, steps=30),
        "sleeping-large-batch",
        "input-bound",
        "load_share_high",
        also=("no_workers",),
        missing=NO_GPU,
    ),
    make_case(
        Loop(load=40, compute=10, workers=2),
        "few-workers",
        "input-bound",
        "load_share_high",
        never=("no_workers",),
        missing=NO_GPU,
    ),
    make_case(
        Loop(first=800),
        "slow-start",
        "no_data",
        "load_share_startup_only",
        also=("first_batch_slow",),
        missing=NO_GPU,
    ),
    make_case(Loop(checkpoint=250), "checkpoints", "no_data", "checkpoint_stalls", never=DATA),
    make_case(Loop(evals=30), "evaluates-much", "no_data", "evaluation_share", never=DATA),
    make_case(Loop(slow_item=20), "slow-item", "input-bound", "very_slow_sample", verdict_clear=False),
    make_case(
        Loop(error="DataLoader timed out after 5 seconds"),
        "worker-timeout",
        "no_data",
        "worker_timeout",
        never=DATA,
    ),
    make_case(
        Loop(error="DataLoader worker (pid 4242) exited unexpectedly"),
        "worker-exit",
        "no_data",
        "worker_exit",
        never=DATA,
    ),
    make_case(
        Loop(error="CUDA out of memory. Tried to allocate 2.00 GiB"),
        "out-of-memory",
        "no_data",
        "out_of_memory",
        never=DATA,
    ),
    make_case(Loop(leak=2 << 20, steps=90, compute=25), "leaking-list", "no_data", "host_memory_growth", never=DATA),
    make_case(
        Loop(load=30, compute=8),
        "and-system-starved",
        "input-bound",
        "load_share_high",
        Machine(busy=20),
        also=("gpu_starved_by_loader", "no_workers"),
        never=OTHERS,
    ),
    make_case(Loop(compute=30), "and-system-clean", "compute-bound", None, Machine(busy=95), never=BLAME),
    make_case(
        Loop(compute=10, host=25), "and-system-low", "host-bound", "gpu_low_not_loader", Machine(busy=28), never=DATA
    ),
]
