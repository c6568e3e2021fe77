"""The common part of the Python scripts: loads a trace, runs each question once or several times, and prints times."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 31


def answer(mode: str, load: Callable[[], Callable[[str], Any]], names: list[str], runs: int = RUNS) -> None:
    """Calls `load`, which returns a function that answers a question by name. Then runs each question.

    Mode `once` runs a question once, mode `ask` several times. Prints JSON: seconds and processor seconds of the
    process until everything is loaded, milliseconds of each run, and the answers.
    """
    start = time.perf_counter()
    run = load()
    # includes the start of Python, and child processes, which HTA has
    result: dict[str, Any] = {"load": time.perf_counter() - start, "load_cpu": sum(os.times()[:4])}
    result |= {"ms": {name: [] for name in names}, "answers": {}}
    for name in names:
        for _ in range(1 if mode == "once" else runs):
            start = time.perf_counter()
            result["answers"][name] = run(name)
            result["ms"][name].append((time.perf_counter() - start) * 1000)
    print(json.dumps(result, default=float))
