"""Modes, clocks and file names of Python profiles, as in smdebug's `python_profiler`, and `StepPhase`.

The classes of smdebug's module record profiles within a training script; they are not here. `tracelake record` records
a job.
"""

from tracelake.smdebug.profiler.profiler_constants import (
    CONVERT_TO_MICROSECS,
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
    PYTHON_PROFILING_START_STEP_DEFAULT,
)
from tracelake.smdebug.profiler.python_profile_utils import (
    PythonProfileModes,
    StepPhase,
    cProfileTimer,
    cpu_time,
    off_cpu_time,
    python_profile_mode_to_str,
    total_time,
)

__all__ = [
    "CONVERT_TO_MICROSECS",
    "CPROFILE_NAME",
    "CPROFILE_STATS_FILENAME",
    "PYINSTRUMENT_HTML_FILENAME",
    "PYINSTRUMENT_JSON_FILENAME",
    "PYINSTRUMENT_NAME",
    "PYTHON_PROFILING_START_STEP_DEFAULT",
    "PythonProfileModes",
    "StepPhase",
    "cProfileTimer",
    "cpu_time",
    "off_cpu_time",
    "python_profile_mode_to_str",
    "total_time",
]
