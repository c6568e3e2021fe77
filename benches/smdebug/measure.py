"""One measurement of smdebug or of the layer, on one core: `measure.py PACKAGE WHAT PROFILE ANSWERS`.

Both are called by the same lines. What they answer is written into the folder ANSWERS after the clock has stopped,
without pandas, since the two have different ones. The last line of output is what was measured, as JSON.
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
    """The most memory the process ever had, in bytes.

    Linux hands the peak of the process that started this one down in `ru_maxrss`.
    """
    status = Path("/proc/self/status")
    if status.exists():
        return 1024 * int(status.read_text().split("VmHWM:")[1].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def timed(name: str, call: Callable[[], Any]) -> Any:  # noqa: ANN401 - whatever is called
    """Calls once: the first call in a process is the one that users wait for. What it prints goes nowhere."""
    wall, cpu = time.perf_counter(), time.process_time()
    with contextlib.redirect_stdout(io.StringIO()):
        answer = call()
    measured[name] = [time.perf_counter() - wall, time.process_time() - cpu]
    return answer


def keep(name: str, frame: Any) -> None:  # noqa: ANN401 - a DataFrame of either pandas
    """Writes a frame as arrays, texts as UTF-8."""
    columns = {"index": frame.index.to_numpy()}
    for column in frame.columns:
        values = frame[column].to_numpy()
        columns[str(column)] = np.char.encode(values.astype("U"), "utf-8") if values.dtype.kind in "OT" else values
    np.savez(Path(ANSWERS) / name, **columns)


def load() -> None:
    """All metrics of the system and the frameworks."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    floor = peak()

    def loading() -> tuple[Any, Any]:
        profile = home.PandasFrame(PROFILE)
        return profile.get_all_system_metrics(), profile.get_all_framework_metrics()

    system, framework = timed("load", loading)
    measured["memory"] = peak() - floor
    measured["floor"] = floor
    keep("system", system)
    keep("framework", framework)


def phases() -> None:
    """Utilization by training phase and the intervals of phases; from the steps, as the public notebooks do."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    analysis = import_module(f"{UTILS}.pandas_data_analysis")
    with contextlib.redirect_stdout(io.StringIO()):
        profile = home.PandasFrame(PROFILE)
        system, framework = profile.get_all_system_metrics(), profile.get_all_framework_metrics(STEPS)
    frames = timed("constructor", lambda: analysis.PandasFrameAnalysis(system, framework))
    by = analysis.StatsBy.TRAINING_PHASE
    keep("utilization", timed("utilization", lambda: frames.get_utilization_stats(by=by)))
    keep("intervals", timed("intervals", frames.get_training_phase_intervals))


def loader() -> None:
    """The analysis of PyTorch's data loader, whose constructor loads."""
    home = import_module(f"{UTILS}.profiler_data_to_pandas")
    analysis = import_module(f"{UTILS}.pytorch_dataloader_analysis")
    profile = timed("open", lambda: home.PandasFrame(PROFILE))
    found = timed("loader", lambda: analysis.PT_dataloader_analysis(profile))
    for name in ["dataIter_metric", "initialize_metric", "dataWorker_metric"]:
        keep(name, getattr(found, name))


def merge() -> None:
    """Everything as one timeline; from its file only what can be compared is kept.

    The thread of an interval is a salted hash in smdebug, and the order of samples of one time is not defined.
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
        kept = {key: event.get(key) for key in ("ph", "name", "ts", "dur", "pid")}
        if event["ph"] != "i":  # the original leaves an underscore out of some keys of the arguments
            kept["args"] = event.get("args")
        parts[json.dumps(kept, sort_keys=True)] += 1
    (folder / "merged.json").write_text(json.dumps(parts, sort_keys=True))


begun = time.perf_counter()
import_module(f"{UTILS}.profiler_data_to_pandas")
measured["import"] = time.perf_counter() - begun
{"load": load, "phases": phases, "loader": loader, "merge": merge}[WHAT]()
print(json.dumps(measured))
