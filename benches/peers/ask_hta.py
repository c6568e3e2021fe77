"""Queries traces with HTA: `ask_hta.py once|ask FOLDER`."""

import logging
import sys
import warnings

from answering import answer
from hta.trace_analysis import TraceAnalysis

RUNS = 4
EVERY = {"visualize": False, "duration_ratio": 1.0, "num_kernels": 10**9, "include_memory_kernels": True}
PARTS = {"idle": "idle_time(us)", "computation": "compute_time(us)", "non_computation": "non_compute_time(us)"}


def summary(analysis):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """The total duration of kernels by name, ns."""
    _, kernels = analysis.get_gpu_kernel_breakdown(**EVERY)
    return {row["name"]: [row["sum (us)"] * 1000, None] for _, row in kernels.iterrows()}


def breakdown(analysis):  # noqa: ANN001, ANN201 - as above
    """Idle, compute and non-compute time of the device, ns."""
    first = analysis.get_temporal_breakdown(visualize=False).iloc[0]
    return {ours: first[name] * 1000 for ours, name in PARTS.items()}


def overlap(analysis):  # noqa: ANN001, ANN201 - as above
    """The share of communication that overlaps computation."""
    return float(analysis.get_comm_comp_overlap(visualize=False)["comp_comm_overlap_pctg"].iloc[0]) / 100


QUESTIONS = {
    "kernel.summary": summary,
    "kernel.temporal_breakdown": breakdown,
    "kernel.comm_overlap": overlap,
}


def load():  # noqa: ANN201 - as above
    """Loads all traces of the folder."""
    analysis = TraceAnalysis(trace_dir=sys.argv[2], include_last_profiler_step=True)
    return lambda name: QUESTIONS[name](analysis)


logging.disable(logging.CRITICAL)
warnings.simplefilter("ignore")
answer(sys.argv[1], load, list(QUESTIONS), RUNS)
