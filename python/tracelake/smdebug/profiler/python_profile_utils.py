"""Modes of a job and phases of a step, between which Python profiles of SageMaker Debugger reach."""

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
    """What a job does: the modes of steps, and what is before and behind them."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4
    """Any mode, where the script sets none."""
    PRE_STEP_ZERO = 5
    """From the start of the hook to the first step."""
    POST_HOOK_CLOSE = 6
    """From the close of the hook to the end of the script."""


class StepPhase(Enum):
    """Where in a step a profile begins or ends."""

    START = "start"
    """Before the first step."""
    STEP_START = "stepstart"
    FORWARD_PASS_END = "forwardpassend"  # noqa: S105 - no password
    STEP_END = "stepend"
    END = "end"
    """Behind the last step."""


class PythonProfilerName(Enum):
    """The profilers, as folders name them."""

    CPROFILE = CPROFILE_NAME
    PYINSTRUMENT = PYINSTRUMENT_NAME


class cProfileTimer(Enum):  # noqa: N801 - smdebug's name
    """What the timer of a profile counted."""

    TOTAL_TIME = "total_time"
    CPU_TIME = "cpu_time"
    OFF_CPU_TIME = "off_cpu_time"
    DEFAULT = "default"


_MODES = {mode.name.replace("_", "").lower(): mode for mode in PythonProfileModes}


def str_to_python_profile_mode(mode_str: str) -> PythonProfileModes:
    """The mode that a folder's name spells.

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
    """A mode as a folder's name spells it.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes, python_profile_mode_to_str
        >>> python_profile_mode_to_str(PythonProfileModes.POST_HOOK_CLOSE)
        'posthookclose'
    """
    return PythonProfileModes(mode).name.replace("_", "").lower()


def mode_keys_to_python_profile_mode(mode: Enum) -> PythonProfileModes:
    """The mode of this number, of another enumeration such as smdebug's `ModeKeys`.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes as Modes
        >>> from tracelake.smdebug.profiler.python_profile_utils import mode_keys_to_python_profile_mode
        >>> mode_keys_to_python_profile_mode(Modes.EVAL).name
        'EVAL'
    """
    return PythonProfileModes(mode.value)


def total_time() -> float:
    """Wall time in s, from some moment on.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import total_time
        >>> total_time() > 0
        True
    """
    return os.times().elapsed


def cpu_time() -> float:
    """Time of this process on a processor, in s.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import cpu_time
        >>> cpu_time() > 0
        True
    """
    times = os.times()
    return times.system + times.user


def off_cpu_time() -> float:
    """Wall time without that on a processor, in s.

    Example:
        >>> from tracelake.smdebug.profiler.python_profile_utils import off_cpu_time
        >>> isinstance(off_cpu_time(), float)
        True
    """
    times = os.times()
    return times.elapsed - (times.system + times.user)
