"""The picture of a real and an ideal pass over a loader."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from tracelake.record.evaluator import LoaderEvaluator

if TYPE_CHECKING:
    import os
    from typing import Any

    from tracelake.figure import Figure

__all__ = ["plot_comparison"]

Log: TypeAlias = "str | os.PathLike[str] | LoaderEvaluator[Any]"


def plot_comparison(real_log: Log, ideal_log: Log) -> Figure:
    """The time of a real pass beside that of a replay, and the gap: figure `loader_comparison`.

    Args:
        real_log: File of a `LoaderEvaluator` in mode `log`, of tracelake or of NVIDIA DALI; or the evaluator.
        ideal_log: The same in mode `replay`.

    Example:
        >>> batches = [[1, 2], [3, 4]]
        >>> real = tl.record.LoaderEvaluator(batches)
        >>> ideal = tl.record.LoaderEvaluator(batches, mode="replay")
        >>> done = [tl.record.train_one_epoch(sum, loader) for loader in (real, ideal)]
        >>> tl.record.plot_comparison(real_log=real, ideal_log=ideal).name
        'loader_comparison'
    """
    import tracelake  # noqa: PLC0415 - recording needs no engine

    with tempfile.TemporaryDirectory(prefix="tracelake-compare-") as folder:
        for name, log in (("real_log", real_log), ("ideal_log", ideal_log)):
            if isinstance(log, LoaderEvaluator):
                text = json.dumps(log.get_metrics(), indent=2)
            else:
                text = Path(log).read_text(encoding="utf-8")
            Path(folder, f"{name}.json").write_text(text, encoding="utf-8")
        with tracelake.open(folder, ephemeral=True) as session:
            return session.figure("loader_comparison")
