"""Python profiles: the interval that a profile covers, and its content: statistics of functions, or a tree."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from tracelake.smdebug._libraries import pd
from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes, StepPhase, str_to_python_profile_mode

if TYPE_CHECKING:
    import pstats

    from pandas import DataFrame

__all__ = [
    "Metrics",
    "PyinstrumentStepStats",
    "PythonProfileModes",
    "StepPhase",
    "StepPythonProfileStats",
    "cProfileFunctionStats",
    "cProfileStats",
]

Function = tuple[str, int, str]
"""File, line and name: a function in `pstats`."""


class Metrics(Enum):
    """The sort keys for functions of cProfile, with the names of `pstats`."""

    TOTAL_TIME = "tottime"
    """Time in the function itself, in s."""
    CUMULATIVE_TIME = "cumtime"
    """Time in the function and in its callees, in s."""
    PRIMITIVE_CALLS = "pcalls"
    """Calls that were not recursive."""
    TOTAL_CALLS = "ncalls"


class StepPythonProfileStats:
    """One profile: its process, and the interval of the job that it covers. Its `repr` is a dictionary.

    Args:
        framework: Framework of the job.
        profiler_name: `cprofile` or `pyinstrument`.
        node_id: The process, such as `0-algo-1`.
        stats_dir: Name of its folder,
            `<start_mode>-<start_step>-<start_phase>-<start_us>_<end_mode>-<end_step>-<end_phase>-<end_us>`.
        stats_path: Path of the file.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import StepPythonProfileStats
        >>> folder = "train-9-stepstart-1600000241000000.0_train-9-forwardpassend-1600000241090000.5"
        >>> one = StepPythonProfileStats("pytorch", "cprofile", "0-algo-1", folder, "python_stats")
        >>> one.start_step, one.end_phase.value, one.end_time_since_epoch_in_micros
        (9, 'forwardpassend', 1600000241090000.5)
    """

    def __init__(self, framework: str, profiler_name: str, node_id: str, stats_dir: str, stats_path: str) -> None:
        """Parses the folder's name; raises a ValueError if it has another form."""
        start, end = stats_dir.split("_")
        start_mode, start_step, start_phase, start_us = start.split("-")
        end_mode, end_step, end_phase, end_us = end.split("-")
        # in the order of the columns of `list_profile_stats`
        self.profiler_name = profiler_name
        self.framework = framework
        self.node_id = node_id
        self.start_mode = str_to_python_profile_mode(start_mode)
        self.start_step = -1 if start_step == "*" else int(start_step)
        """-1 before the first step."""
        self.start_phase = StepPhase(start_phase)
        self.start_time_since_epoch_in_micros = float(start_us)
        self.end_mode = str_to_python_profile_mode(end_mode)
        self.end_step = float("inf") if end_step == "*" else int(end_step)
        """Infinity after the last step."""
        self.end_phase = StepPhase(end_phase)
        self.end_time_since_epoch_in_micros = float(end_us)
        self.stats_path = stats_path

    def has_start_and_end_mode(self, start_mode: PythonProfileModes, end_mode: PythonProfileModes) -> bool:
        """Returns whether the profile begins and ends in these modes."""
        return self.start_mode == start_mode and self.end_mode == end_mode

    def in_time_interval(self, start_time_since_epoch_in_micros: float, end_time_since_epoch_in_micros: float) -> bool:
        """Returns whether the profile overlaps the interval, ends included."""
        return (
            self.start_time_since_epoch_in_micros <= end_time_since_epoch_in_micros
            and self.end_time_since_epoch_in_micros >= start_time_since_epoch_in_micros
        )

    def in_step_interval(
        self, start_step: float, end_step: float, start_phase: StepPhase, end_phase: StepPhase
    ) -> bool:
        """Returns whether the profile lies in the interval from a phase of one step to a phase of another.

        A profile of the first step must begin in `start_phase`, or in any phase if `start_phase` is the step's start. A
        profile of the last step must end in `end_phase`, or in any phase if `end_phase` is not the step's start.
        """
        if start_step < self.start_step and end_step > self.end_step:
            return True
        if start_step > self.start_step or end_step < self.end_step:
            return False
        later = start_phase in (StepPhase.STEP_END, StepPhase.FORWARD_PASS_END)
        if start_step == self.start_step and later and self.start_phase != start_phase:
            return False
        return not (end_step == self.end_step and end_phase == StepPhase.STEP_START and self.end_phase != end_phase)

    def has_pre_step_zero_profile_stats(self) -> bool:
        """Returns whether the profile begins before the first step."""
        return self.start_phase == StepPhase.START

    def has_post_hook_close_profile_stats(self) -> bool:
        """Returns whether the profile ends after the last step."""
        return self.end_phase == StepPhase.END

    def has_node_id(self, node_id: str) -> bool:
        """Returns whether this process wrote the profile."""
        return self.node_id == node_id

    def __repr__(self) -> str:
        """Returns the attributes as the text of a dictionary."""
        return repr(self.__dict__)


class cProfileFunctionStats:  # noqa: N801 - smdebug's name
    """One function in profiles of cProfile.

    Args:
        key: File, line and name of the function.
        value: Calls that were not recursive, all calls, own time and cumulative time (in s), and callers.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import cProfileFunctionStats
        >>> function = cProfileFunctionStats(("net.py", 7, "forward"), (1, 3, 0.5, 0.75, {("train.py", 10, "step"): 1}))
        >>> function.function_name, function.total_calls, function.callers
        ('net.py:7(forward)', 3, ['train.py:10(step)'])
    """

    def __init__(self, key: Function, value: tuple[int, int, float, float, dict[Function, Any]]) -> None:
        """Formats the names of the function and its callers."""
        self.function_name = _format_function(key)
        """`file:line(name)`, or `{name}` of a built-in function."""
        self.prim_calls, self.total_calls, self.total_time, self.cumulative_time, callers = value
        self.callers = [_format_function(caller) for caller in callers]

    def __repr__(self) -> str:
        """Returns name, counts and times as the text of a dictionary."""
        values = {
            "function name": self.function_name,
            "# of primitive calls": self.prim_calls,
            "# of total calls": self.total_calls,
            "total time": self.total_time,
            "cumulative time": self.cumulative_time,
        }
        return repr(values)


class cProfileStats:  # noqa: N801 - smdebug's name
    """Functions of one or several profiles of cProfile.

    Args:
        ps: The functions as an object of `pstats`.

    Example:
        >>> import cProfile, pstats
        >>> from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import Metrics, cProfileStats
        >>> profile = cProfile.Profile()
        >>> profile.runcall(sorted, [3, 1, 2])
        [1, 2, 3]
        >>> stats = cProfileStats(pstats.Stats(profile))
        >>> "{built-in method builtins.sorted}" in stats.get_function_stats()["function_name"].tolist()
        True
    """

    def __init__(self, ps: pstats.Stats) -> None:
        """Converts the statistics."""
        self.ps = ps
        """For the methods of `pstats`: sorting, printing, callers."""
        stats: dict[Function, Any] = vars(ps)["stats"]
        self.function_stats_list = [cProfileFunctionStats(key, value) for key, value in stats.items()]

    def print_top_n_functions(self, by: Metrics, n: int = 10) -> None:
        """Prints the `n` functions with the largest values, as `pstats` does.

        Args:
            by: The sort key.
            n: Number of functions.
        """
        if not isinstance(by, Metrics):  # pyright: ignore[reportUnnecessaryIsInstance] - notebooks have no types
            message = "by must be valid metric from Metrics!"
            raise AssertionError(message)  # noqa: TRY004 - smdebug asserts
        if not isinstance(n, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            message = "n must be an integer!"
            raise AssertionError(message)  # noqa: TRY004
        self.ps.sort_stats(by.value).print_stats(n)

    print_top_n_function = print_top_n_functions

    def get_function_stats(self) -> DataFrame:
        """Returns the functions as a frame: a row for each, a column for each attribute of `cProfileFunctionStats`."""
        return pd.DataFrame([vars(function) for function in self.function_stats_list], columns=_COLUMNS)


_COLUMNS = ["function_name", "prim_calls", "total_calls", "total_time", "cumulative_time", "callers"]


class PyinstrumentStepStats:
    """One tree of pyinstrument.

    Args:
        html_file_path: The page that shows the tree; None if there is no page.
        json_stats: The tree, as parsed JSON.
    """

    def __init__(self, html_file_path: str | None, json_stats: dict[str, Any]) -> None:
        """Stores both."""
        self.html_file_path = html_file_path
        self.json_stats = json_stats


def _format_function(function: Function) -> str:
    """Formats a function as `pstats` prints it."""
    file, line, name = function
    if (file, line) != ("~", 0):
        return f"{file}:{line}({name})"
    return f"{{{name[1:-1]}}}" if name.startswith("<") and name.endswith(">") else name
