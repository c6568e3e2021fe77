"""The modes of a job and the phases of a step at which Python profiles of SageMaker Debugger begin and end."""

from __future__ import annotations

import os
from enum import Enum, IntEnum

from tracelake.smdebug.profiler.profiler_constants import CPROFILE_NAME, PYINSTRUMENT_NAME

__all__ = [
    "PythonProfileModes",
    "PythonProfilerName",
    "StepPhase",
    "cProfileTimer",
    "cpu_time",
    "mode_keys_to_python_profile_mode",
    "off_cpu_time",
    "python_profile_mode_to_str",
    "str_to_python_profile_mode",
    "total_time",
]


class PythonProfileModes(IntEnum):
    """The modes of a job: the modes of steps, and the times before and after all steps."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4
    """The mode of a script that sets no mode."""
    PRE_STEP_ZERO = 5
    """From the start of the hook to the first step."""
    POST_HOOK_CLOSE = 6
    """From the close of the hook to the end of the script."""


class StepPhase(Enum):
    """The point in a step at which a profile begins or ends."""

    START = "start"
    """Before the first step."""
    STEP_START = "stepstart"
    FORWARD_PASS_END = "forwardpassend"  # noqa: S105 - not a password
    STEP_END = "stepend"
    END = "end"
    """After the last step."""


class PythonProfilerName(Enum):
    """The profilers, by the names of their folders."""

    CPROFILE = CPROFILE_NAME
    PYINSTRUMENT = PYINSTRUMENT_NAME


class cProfileTimer(Enum):  # noqa: N801 - smdebug's name
    """The clock of a profile's timer."""

    TOTAL_TIME = "total_time"
    CPU_TIME = "cpu_time"
    OFF_CPU_TIME = "off_cpu_time"
    DEFAULT = "default"


_MODES = {mode.name.replace("_", "").lower(): mode for mode in PythonProfileModes}


def str_to_python_profile_mode(mode_str: str) -> PythonProfileModes:
    """Parses the mode in a folder's name.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import str_to_python_profile_mode
        >>> str_to_python_profile_mode("prestepzero").name
        'PRE_STEP_ZERO'
    """
    if mode_str not in _MODES:
        text = f"no mode {mode_str!r}; there are: {', '.join(_MODES)}"
        raise ValueError(text)
    return _MODES[mode_str]


def python_profile_mode_to_str(mode: PythonProfileModes) -> str:
    """Formats a mode for a folder's name.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes, python_profile_mode_to_str
        >>> python_profile_mode_to_str(PythonProfileModes.POST_HOOK_CLOSE)
        'posthookclose'
    """
    return PythonProfileModes(mode).name.replace("_", "").lower()


def mode_keys_to_python_profile_mode(mode: Enum) -> PythonProfileModes:
    """Converts the mode of another enumeration, such as smdebug's `ModeKeys`, by its number.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes as Modes
        >>> from tracelake.smdebug.profiler.python_profile_utils import mode_keys_to_python_profile_mode
        >>> mode_keys_to_python_profile_mode(Modes.EVAL).name
        'EVAL'
    """
    return PythonProfileModes(mode.value)


def total_time() -> float:
    """Returns the wall time in s since an arbitrary time.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import total_time
        >>> total_time() > 0
        True
    """
    return os.times().elapsed


def cpu_time() -> float:
    """Returns the CPU time of this process, in s.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import cpu_time
        >>> cpu_time() > 0
        True
    """
    times = os.times()
    return times.system + times.user


def off_cpu_time() -> float:
    """Returns the wall time minus the CPU time, in s.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import off_cpu_time
        >>> isinstance(off_cpu_time(), float)
        True
    """
    times = os.times()
    return times.elapsed - (times.system + times.user)
