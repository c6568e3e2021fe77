"""The part of `tracelake record` inside the program: it records every pass over a DataLoader."""

from __future__ import annotations

import json
import os
from typing import Any, cast

from tracelake.record.loader.profiler import LoaderProfiler
from tracelake.record.loader.worker import MAKING
from tracelake.record.output.recording import Recording

__all__ = ["ENVIRONMENT", "to"]

ENVIRONMENT = "TRACELAKE_RECORD"
"""Environment variable with the arguments of the `Recording`, as JSON."""


def to(dataloader: Any) -> None:  # noqa: ANN401 - a class of PyTorch
    """Patches a loader class so that it records its passes, with the arguments from the environment.

    Example:
        >>> class DataLoader(list):
        ...     pass
        >>> folder = tempfile.mkdtemp()
        >>> os.environ["TRACELAKE_RECORD"] = json.dumps({"path": folder})
        >>> tl.record.attach.to(DataLoader)
        >>> list(DataLoader([1, 2]))
        [1, 2]
        >>> del os.environ["TRACELAKE_RECORD"]
        >>> len(os.listdir(folder))
        1
    """
    original = dataloader.__iter__
    made: list[Recording] = []
    loaders = 0

    def recorded(self: Any) -> Any:  # noqa: ANN401 - a loader and its iterator
        nonlocal loaders
        if id(self) in MAKING:
            return original(self)
        if not made:
            made.append(Recording(**json.loads(os.environ[ENVIRONMENT])))
        profiler = cast("LoaderProfiler[Any] | None", vars(self).get("_tracelake"))
        if profiler is None:
            profiler = LoaderProfiler(self, made[0], name=f"loader-{loaders}")
            loaders += 1
            object.__setattr__(self, "_tracelake", profiler)
        MAKING.add(id(self))
        try:
            return iter(profiler)
        finally:
            MAKING.discard(id(self))

    dataloader.__iter__ = recorded
