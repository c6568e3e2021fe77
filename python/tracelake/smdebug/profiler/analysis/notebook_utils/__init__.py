"""Charts for notebooks, drawn with Plotly, and access to training jobs."""

from __future__ import annotations

from importlib import import_module

_HOMES = {"MetricsHistogram": "metrics_histogram", "StepHistogram": "step_histogram", "TrainingJob": "training_job"}


def __getattr__(name: str) -> object:
    """What the package gives beside its modules, imported when it is asked for."""
    home = _HOMES.get(name)
    if home is None:
        text = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(text)
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    """The names that `__getattr__` knows, for whoever completes them."""
    return sorted({*globals(), *_HOMES})
