"""Measures smdebug or `tracelake.smdebug`, on one core: `measure.py PACKAGE WHAT PROFILE ANSWERS`.

The same lines call both. Results are written to the folder ANSWERS after the clock has stopped, without pandas, because
the two use different versions of it. The last line of output is the measurements as JSON.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import sys
import time
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

if hasattr(os, "sched_setaffinity"):  # not on macOS
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # before any library starts threads

import numpy as np

PACKAGE, WHAT, PROFILE, ANSWERS = sys.argv[1:]
UTILS = f"{PACKAGE}.profiler.analysis.utils"
STEPS = [f"Step:ModeKeys.{mode}" for mode in ("TRAIN", "EVAL", "PREDICT", "GLOBAL")]
measured: dict[str, Any] = {}


def peak() -> int:
    """The peak memory of this process, bytes.

    On Linux, `ru_maxrss` includes the peak of the process that started this one.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(status.read_text().split("VmHWM:")[1].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def timed(name: str, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is called
    """Calls once, because users wait for the first call in a process. Its output is discarded."""
    wall, cpu = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        answer = call()
    measured[name] = [time.perf_counter() - wall, time.process_time() - cpu]
    return answer


def store(name: str, frame: Any) -> None:  # noqa: ANN401 - a DataFrame of either pandas
    """Writes a frame as arrays, with texts as UTF-8."""
    columns = {"index": frame.index.to_numpy()}
    for column in frame.columns:
        values = frame[column].to_numpy()
        columns[str(column)] = np.char.encode(values.astype("U"), "utf-8") if values.dtype.kind in "OT" else values
    np.savez(Path(ANSWERS) / name, **columns)


def load() -> None:
    """Loads all metrics of the system and the frameworks."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    floor = peak()

    def loading() -> tuple[Any, Any]:
        profile = home.PandasFrame(PROFILE)
        return profile.get_all_system_metrics(), profile.get_all_framework_metrics()

    system, framework = timed("load", loading)
    measured["memory"] = peak() - floor
    measured["floor"] = floor
    store("system", system)
    store("framework", framework)


def phases() -> None:
    """Computes utilization by training phase and the intervals of phases, as the public notebooks do."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    analysis = import_module(f"{UTILS}.pandas_data_analysis")
    with contextlib.redirect_stdout(io.StringIO()):
        profile = home.PandasFrame(PROFILE)
        system, framework = profile.get_all_system_metrics(), profile.get_all_framework_metrics(STEPS)
    frames = timed("constructor", lambda: analysis.PandasFrameAnalysis(system, framework))
    phase = analysis.StatsBy.TRAINING_PHASE
    store("utilization", timed("utilization", lambda: frames.get_utilization_stats(by=phase)))
    store("intervals", timed("intervals", frames.get_training_phase_intervals))


def loader() -> None:
    """Runs the analysis of PyTorch's data loader, which loads in its constructor."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    analysis = import_module(f"{UTILS}.pytorch_dataloader_analysis")
    profile = timed("open", lambda: home.PandasFrame(PROFILE))
    result = timed("loader", lambda: analysis.PT_dataloader_analysis(profile))
    for name in ["dataIter_metric", "initialize_metric", "dataWorker_metric"]:
        store(name, getattr(result, name))


def merge() -> None:
    """Writes everything as one timeline, and stores the parts of its events that can be compared.

    The thread of an interval is a salted hash in smdebug, and the order of samples with the same time is undefined.
    """
    home = import_module(f"{UTILS}.merge_timelines")
    folder = Path(ANSWERS)
    name = timed(
        "merge", lambda: home.MergedTimeline(PROFILE, output_directory=ANSWERS).merge_timeline(0, time.time() * 1e6)
    )
    parts = Counter[str]()
    for line in (folder / Path(name).name).open():
        text = line.strip().removeprefix("[").removesuffix("]").rstrip(",")
        if not text:
            continue
        event = json.loads(text)
        compared = {key: event.get(key) for key in ("ph", "name", "ts", "dur", "pid")}
        if event["ph"] != "i":  # smdebug omits an underscore in some keys of the arguments
            compared["args"] = event.get("args")
        parts[json.dumps(compared, sort_keys=True)] += 1
    (folder / "merged.json").write_text(json.dumps(parts, sort_keys=True))


start = time.perf_counter()
import_module(f"{UTILS}.profiler_data_to_pandas")
measured["import"] = time.perf_counter() - start
{"load": load, "phases": phases, "loader": loader, "merge": merge}[WHAT]()
print(json.dumps(measured))
