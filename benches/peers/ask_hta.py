"""Asks HTA: `ask_hta.py FOLDER load|ask`. Prints seconds and answers as JSON."""

import json
import logging
import sys
import time
import warnings

from hta.trace_analysis import TraceAnalysis

RUNS = 3


def times(ask):  # noqa: ANN001, ANN201 - runs in an environment of its own, with no types to check
    """Milliseconds of every run, and the last answer."""
    found = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        answer = ask()
        found.append((time.perf_counter() - begun) * 1000)
    return found, answer


def main() -> None:
    """Loads, and asks if it shall."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    begun = time.perf_counter()
    analysis = TraceAnalysis(trace_dir=sys.argv[1], include_last_profiler_step=True)
    said = {"load": time.perf_counter() - begun, "ms": {}, "answers": {}}
    if sys.argv[2] == "ask":
        every = {"visualize": False, "duration_ratio": 1.0, "num_kernels": 10**9, "include_memory_kernels": True}
        ms, (_, kernels) = times(lambda: analysis.get_gpu_kernel_breakdown(**every))
        said["ms"]["kernel.summary"] = ms
        said["answers"]["kernel.summary"] = {
            row["name"]: [row["sum (us)"] * 1000, None] for _, row in kernels.iterrows()
        }
        ms, parts = times(lambda: analysis.get_temporal_breakdown(visualize=False))
        said["ms"]["kernel.temporal_breakdown"] = ms
        first = parts.iloc[0]
        names = {"idle": "idle_time(us)", "computation": "compute_time(us)", "non_computation": "non_compute_time(us)"}
        said["answers"]["kernel.temporal_breakdown"] = {ours: first[name] * 1000 for ours, name in names.items()}
        ms, overlap = times(lambda: analysis.get_comm_comp_overlap(visualize=False))
        said["ms"]["kernel.comm_overlap"] = ms
        said["answers"]["kernel.comm_overlap"] = float(overlap["comp_comm_overlap_pctg"].iloc[0]) / 100
    print(json.dumps(said, default=float))


main()
