"""The figure that compares a real and an ideal pass over a loader."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from tracelake.record import argument
from tracelake.record.loader.evaluator import LoaderEvaluator

if TYPE_CHECKING:
    import os

    from tracelake.figures import Figure

Log: TypeAlias = "str | os.PathLike[str] | LoaderEvaluator[Any]"


def plot_comparison(real_log: Log, ideal_log: Log) -> Figure:
    """Draws the time of a real pass next to the time of a replay, and the gap: figure `loader_comparison`.

    Raises:
        TypeError: A log is neither a file nor an evaluator.
        ValueError: A log has no pass, has the other mode, or is not a file of a Loader Evaluator.
        FileNotFoundError: There is no such file.

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
        for name, log, mode in (("real_log", real_log, "log"), ("ideal_log", ideal_log, "replay")):
            Path(folder, f"{name}.json").write_text(_read_metrics(name, log, mode), encoding="utf-8")
        with tracelake.open(folder, ephemeral=True, progress=False) as session:
            return session.figure("loader_comparison")


def _read_metrics(name: str, log: object, mode: str) -> str:
    """Returns the metrics of a pass as JSON text, after a check of its mode."""
    if isinstance(log, LoaderEvaluator):
        evaluator = cast("LoaderEvaluator[Any]", log)
        label, text = "this LoaderEvaluator", json.dumps(evaluator.get_metrics(), indent=2)
        if evaluator.last is None:
            message = f"cannot compare {name}: no batch was drawn from {label} yet\n  hint:   iterate over it first"
            raise ValueError(message)
    else:
        try:
            file = Path(cast("str", log))
        except TypeError as error:
            kind = argument.describe(log)
            message = f"cannot compare {kind} as {name}: expected a file of a LoaderEvaluator, or the evaluator"
            raise TypeError(message) from error
        label, text = str(file), file.read_text(encoding="utf-8")
    try:
        actual_mode = json.loads(text)["mode"]
    except (ValueError, TypeError, KeyError) as error:
        message = f"cannot compare {label}: expected a file of a Loader Evaluator, which is JSON with a member `mode`"
        raise ValueError(message) from error
    if actual_mode != mode:
        message = f"cannot compare {label} as {name}: its mode is {actual_mode}, expected {mode}"
        raise ValueError(message)
    return text
