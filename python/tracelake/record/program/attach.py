"""The part of `tracelake record` inside the program: it records every pass over a DataLoader."""

from __future__ import annotations

import json
import os
from typing import Any, cast

from tracelake.record.loader.profiler import LoaderProfiler
from tracelake.record.loader.worker import CREATING_ITERATOR
from tracelake.record.output.recording import Recording

ENVIRONMENT = "TRACELAKE_RECORD"
"""Environment variable with the arguments of the `Recording`, as JSON."""


def patch_loader_class(loader_class: Any) -> None:  # noqa: ANN401 - a class of PyTorch
    """Patches a loader class so that it records its passes, with the arguments from the environment.

    Example:
        >>> class DataLoader(list):
        ...     pass
        >>> folder = tempfile.mkdtemp()
        >>> os.environ["TRACELAKE_RECORD"] = json.dumps({"path": folder})
        >>> tl.record.program.attach.patch_loader_class(DataLoader)
        >>> list(DataLoader([1, 2]))
        [1, 2]
        >>> del os.environ["TRACELAKE_RECORD"]
        >>> len(os.listdir(folder))
        1
    """
    original = loader_class.__iter__
    recordings: list[Recording] = []
    count = 0

    def record_pass(self: Any) -> Any:  # noqa: ANN401 - a loader and its iterator
        nonlocal count
        if id(self) in CREATING_ITERATOR:
            return original(self)
        if not recordings:
            recordings.append(Recording(**json.loads(os.environ[ENVIRONMENT])))
        profiler = cast("LoaderProfiler[Any] | None", vars(self).get("_tracelake"))
        if profiler is None:
            profiler = LoaderProfiler(self, recordings[0], name=f"loader-{count}")
            count += 1
            object.__setattr__(self, "_tracelake", profiler)
        CREATING_ITERATOR.add(id(self))
        try:
            return iter(profiler)
        finally:
            CREATING_ITERATOR.discard(id(self))

    loader_class.__iter__ = record_pass
