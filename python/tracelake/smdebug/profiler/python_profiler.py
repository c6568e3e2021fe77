"""The names that scripts import from smdebug's `python_profiler`: modes, phases and clocks of Python profiles.

Its classes record profiles within a training script; they are not here. `tracelake record` records a job.
"""

from tracelake.smdebug.profiler.profiler_constants import (
    CONVERT_TO_MICROSECS,
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
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
    "PythonProfileModes",
    "StepPhase",
    "cProfileTimer",
    "cpu_time",
    "off_cpu_time",
    "python_profile_mode_to_str",
    "total_time",
]
