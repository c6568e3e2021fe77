"""What the scripts in Python have in common: load, ask each question once or several times, say how long that took."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 31


def answer(what: str, load: Callable[[], Callable[[str], Any]], names: list[str], runs: int = RUNS) -> None:
    """Loads, which gives what answers a question by its name; `once` or `ask`, which is several times.

    Prints JSON: seconds and processor seconds of the process until everything was loaded, milliseconds of each answer,
    the answers.
    """
    begun = time.perf_counter()
    asked = load()
    # with its own children, of which HTA has some; the start of Python counts
    said: dict[str, Any] = {"load": time.perf_counter() - begun, "load_cpu": sum(os.times()[:4])}
    said |= {"ms": {name: [] for name in names}, "answers": {}}
    for name in names:
        for _ in range(1 if what == "once" else runs):
            begun = time.perf_counter()
            said["answers"][name] = asked(name)
            said["ms"][name].append((time.perf_counter() - begun) * 1000)
    print(json.dumps(said, default=float))
