"""Charts for notebooks, drawn with Plotly, and access to training jobs."""

from __future__ import annotations

from tracelake.smdebug._libraries import lazy_attributes

_MODULES = {"MetricsHistogram": "metrics_histogram", "StepHistogram": "step_histogram", "TrainingJob": "training_job"}

__getattr__, __dir__ = lazy_attributes(__name__, _MODULES)
