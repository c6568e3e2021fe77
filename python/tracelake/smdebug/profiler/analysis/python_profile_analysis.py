"""Python profiles of a job, selected by steps, time, mode or phase; profiles of cProfile are added up."""

from __future__ import annotations

import json
import pstats
import time
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from tracelake.smdebug._libraries import pd
from tracelake.smdebug.profiler.analysis.python_stats_reader import LocalPythonStatsReader, S3PythonStatsReader
from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import (
    PyinstrumentStepStats,
    StepPhase,
    StepPythonProfileStats,
    cProfileStats,
)
from tracelake.smdebug.profiler.profiler_constants import CONVERT_TO_MICROSECS, CPROFILE_NAME, PYINSTRUMENT_NAME
from tracelake.smdebug.profiler.python_profile_utils import PythonProfileModes, python_profile_mode_to_str

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from pandas import DataFrame

    from tracelake.smdebug._profile import Profile
    from tracelake.smdebug.profiler.analysis.python_stats_reader import PythonStatsReader

__all__ = ["PyinstrumentAnalysis", "PythonProfileAnalysis", "cProfileAnalysis"]

Modes = tuple[PythonProfileModes, PythonProfileModes]

# The sums and the order of the functions are those of `pstats.Stats.add`.
SUMS = """
    select {keys}, sum(primitive_calls) as primitive, sum(calls) as calls, sum(own_s) as own,
      sum(cumulative_s) as cumulative
    from {table}
    where run = $run and array_has($profiles, profile)
    group by {keys}
    order by min(array_position($profiles, profile) * 1000000000 + row)
"""
FUNCTIONS = SUMS.format(table="function", keys="file, line, function")
CALLERS = SUMS.format(table="call", keys="caller, callee")


class PythonProfileAnalysis:
    """Python profiles of any profiler; the subclasses read the content of the profiles.

    Args:
        local_profile_dir: Folder of the profiles, `.../framework/<framework>/<profiler>`; with `s3_path`, the folder
            for copies of the files.
        s3_path: `s3://` address of the profile, the folder that contains `framework`.

    Attributes:
        python_stats_reader: The reader that finds the profiles.
        python_profile_stats: The profiles, sorted by start and process.

    All `fetch_` methods have two parameters. `node_id` selects the process of the profiles; `any` is the process of the
    first profile. `refresh_stats` searches for new profiles first. Without profiles, they print a line and return None.
    """

    name = ""
    """Name of the profiler; empty for any profiler."""

    def __init__(
        self,
        local_profile_dir: str | os.PathLike[str] = "/tmp/python_stats",  # noqa: S108 - smdebug's default
        s3_path: str | None = None,
    ) -> None:
        """Searches for the profiles."""
        self.python_stats_reader: PythonStatsReader = (
            S3PythonStatsReader(local_profile_dir, s3_path) if s3_path else LocalPythonStatsReader(local_profile_dir)
        )
        self.python_profile_stats: list[StepPythonProfileStats] = []
        self._refresh(refresh_stats=True)

    def fetch_profile_stats_by_step(
        self,
        start_step: float,
        end_step: float | None = None,
        mode: PythonProfileModes = PythonProfileModes.TRAIN,
        start_phase: StepPhase = StepPhase.STEP_START,
        end_phase: StepPhase = StepPhase.STEP_END,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:  # noqa: ANN401 - depends on the subclass
        """Returns the profiles from a phase of one step to a phase of another, see `in_step_interval`.

        Args:
            start_step: First step.
            end_step: Last step; None for the first step.
            mode: Mode in which the profiles begin and end.
            start_phase: Phase of the first step at which to begin.
            end_phase: Phase of the last step at which to end.
            node_id: The process.
            refresh_stats: Whether to search for new profiles first.
        """
        last = start_step if end_step is None else end_step
        return self._fetch(
            lambda one: (
                one.in_step_interval(start_step, last, start_phase, end_phase)
                and one.has_start_and_end_mode(mode, mode)
            ),
            node_id,
            refresh_stats,
        )

    def fetch_profile_stats_by_time(
        self,
        start_time_since_epoch_in_secs: float,
        end_time_since_epoch_in_secs: float,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:  # noqa: ANN401
        """Returns the profiles that overlap this time range.

        Args:
            start_time_since_epoch_in_secs: Start, in s.
            end_time_since_epoch_in_secs: End, in s.
            node_id: The process.
            refresh_stats: Whether to search for new profiles first.
        """
        start = start_time_since_epoch_in_secs * CONVERT_TO_MICROSECS
        end = end_time_since_epoch_in_secs * CONVERT_TO_MICROSECS
        return self._fetch(lambda one: one.in_time_interval(start, end), node_id, refresh_stats)

    def fetch_profile_stats_between_modes(
        self,
        start_mode: PythonProfileModes,
        end_mode: PythonProfileModes,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:  # noqa: ANN401
        """Returns the profiles that begin in one mode and end in another.

        Args:
            start_mode: Mode in which the profiles begin.
            end_mode: Mode in which the profiles end.
            node_id: The process.
            refresh_stats: Whether to search for new profiles first.
        """
        return self._fetch(lambda one: one.has_start_and_end_mode(start_mode, end_mode), node_id, refresh_stats)

    def fetch_pre_step_zero_profile_stats(self, node_id: str = "any", refresh_stats: bool = True) -> Any:  # noqa: ANN401
        """Returns the profiles that begin before the first step."""
        return self._fetch(StepPythonProfileStats.has_pre_step_zero_profile_stats, node_id, refresh_stats)

    def fetch_post_hook_close_profile_stats(self, node_id: str = "any", refresh_stats: bool = True) -> Any:  # noqa: ANN401
        """Returns the profiles that end after the last step."""
        return self._fetch(StepPythonProfileStats.has_post_hook_close_profile_stats, node_id, refresh_stats)

    def list_profile_stats(self, refresh_stats: bool = True) -> DataFrame:
        """Returns all profiles: a row for each, a column for each attribute of `StepPythonProfileStats`."""
        self._refresh(refresh_stats)
        if not self.python_profile_stats:
            print("No stats were found!")
            return pd.DataFrame()
        profiles = pd.DataFrame([vars(one) for one in self.python_profile_stats])
        for mode in ("start_mode", "end_mode"):
            profiles[mode] = profiles[mode].map(python_profile_mode_to_str)
        return profiles

    def list_available_node_ids(self, refresh_stats: bool = True) -> list[str]:
        """Returns the processes that wrote profiles, sorted."""
        self._refresh(refresh_stats)
        return sorted({one.node_id for one in self.python_profile_stats})

    def _refresh(self, refresh_stats: bool) -> None:
        if refresh_stats:
            profiles = self.python_stats_reader.load_python_profile_stats()
            self.python_profile_stats = [one for one in profiles if self.name in ("", one.profiler_name)]

    def _fetch(self, predicate: Callable[[StepPythonProfileStats], bool], node_id: str, refresh_stats: bool) -> Any:  # noqa: ANN401
        self._refresh(refresh_stats)
        profiles = self.python_profile_stats
        process = profiles[0].node_id if profiles and node_id == "any" else node_id
        selected = [one for one in profiles if one.has_node_id(process) and predicate(one)]
        if self.name and not selected:
            print("No stats were found for the requested interval!")
            return None
        return self._aggregate_stats(selected)

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> Any:  # noqa: ANN401
        return stats


class cProfileAnalysis(PythonProfileAnalysis):  # noqa: N801 - smdebug's name
    """Profiles of cProfile. The `fetch_` methods return their sum, a `cProfileStats`, or None without profiles.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.python_profile_analysis import cProfileAnalysis
        >>> from tracelake.smdebug.profiler.analysis.utils.python_profile_analysis_utils import Metrics
        >>> folder = golden / "job-p" / "framework" / "tensorflow" / "cprofile"
        >>> analysis = cProfileAnalysis(folder)
        >>> analysis.list_profile_stats()[["start_mode", "start_step", "end_step"]].values.tolist()
        [['train', 0, 0], ['eval', 0, 1], ['train', 1, 1], ['train', 1, 2]]
        >>> stats = analysis.fetch_profile_stats_by_step(0, 1)
        >>> [(one.function_name, one.total_calls, one.total_time) for one in stats.function_stats_list]
        [('train.py:10(step)', 2, 0.75), ('net.py:7(forward)', 6, 1.25), ('{built-in method relu}', 6, 0.5)]
    """

    name = CPROFILE_NAME

    def fetch_profile_stats_by_training_phase(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> dict[Modes, cProfileStats]:
        """Returns the sum of the profiles for each pair of modes; prints a line for each pair without profiles."""
        self._refresh(refresh_stats)
        pairs = product(PythonProfileModes, PythonProfileModes)
        fetch = self.fetch_profile_stats_between_modes
        fetched = ((pair, fetch(*pair, node_id, refresh_stats=False)) for pair in pairs)
        return {pair: stats for pair, stats in fetched if stats is not None}

    def fetch_profile_stats_by_job_phase(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> dict[str, cProfileStats]:
        """Returns the sums of the profiles before the first step, after the last step, and of all others.

        The keys are `initialization`, `finalization` and `training_loop`. The first two exist only with such profiles.
        """
        phases: dict[str, pstats.Stats] = {}
        for modes, stats in self.fetch_profile_stats_by_training_phase(node_id, refresh_stats).items():
            phases.setdefault(_job_phase(*modes), pstats.Stats()).add(stats.ps)
        phases.setdefault("training_loop", pstats.Stats())
        return {phase: cProfileStats(total) for phase, total in phases.items()}

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> cProfileStats:
        reader = self.python_stats_reader
        total = _sum_profiles(reader.profile, [reader.paths[one.stats_path] for one in stats])
        # `pstats` prints the files, with their times, over its tables
        paths = [Path(one.stats_path) for one in stats]
        vars(total)["files"] = [f"{time.ctime(path.stat().st_mtime)}    {path}" for path in paths]
        return cProfileStats(total)


class PyinstrumentAnalysis(PythonProfileAnalysis):
    """Profiles of pyinstrument. The `fetch_` methods return a list of `PyinstrumentStepStats`, or None.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.python_profile_analysis import PyinstrumentAnalysis
        >>> folder = golden / "job-p" / "framework" / "tensorflow" / "pyinstrument"
        >>> [one] = PyinstrumentAnalysis(folder).fetch_profile_stats_by_step(0)
        >>> one.json_stats["root_frame"]["function"]
        'step'
    """

    name = PYINSTRUMENT_NAME

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> list[PyinstrumentStepStats]:
        folders: dict[Path, dict[str, str]] = {}
        for one in stats:
            path = Path(one.stats_path)
            folders.setdefault(path.parent, {})[path.suffix] = one.stats_path
        return [
            PyinstrumentStepStats(files.get(".html"), json.loads(Path(files[".json"]).read_text(encoding="utf-8")))
            for files in folders.values()
            if ".json" in files
        ]


def _sum_profiles(profile: Profile, profiles: list[str]) -> pstats.Stats:
    """Returns the sum of some profiles of the lake."""
    rows = profile.arrow(FUNCTIONS, run=profile.run, profiles=profiles)
    keys = list(zip(*(rows[name].to_pylist() for name in ("file", "line", "function")), strict=True))
    callers: dict[str, dict[Any, Any]] = {f"{file}:{line}({name})": {} for file, line, name in keys}
    keys_by_label = dict(zip(callers, keys, strict=True))
    calls = profile.arrow(CALLERS, run=profile.run, profiles=profiles)
    columns = ("caller", "callee", "calls", "primitive", "own", "cumulative")
    for caller, callee, *counts in zip(*(calls[name].to_pylist() for name in columns), strict=True):
        # for callers, the pure-Python `profile` module records only the number of calls
        key = keys_by_label.get(caller) or _parse_label(caller)
        callers[callee][key] = tuple(counts) if counts[1] is not None else counts[0]
    counts = zip(*(rows[name].to_pylist() for name in ("primitive", "calls", "own", "cumulative")), strict=True)
    stats = {key: (*count, called) for key, count, called in zip(keys, counts, callers.values(), strict=True)}
    # `pstats` accepts any object with `stats` and `create_stats`
    source: Any = SimpleNamespace(stats=stats, create_stats=lambda: None)
    return pstats.Stats(source)


def _parse_label(label: str) -> tuple[str, int, str]:
    """Parses `file:line(name)` into file, line and name."""
    location, _, name = label.partition("(")
    file, _, line = location.rpartition(":")
    return file, int(line), name[:-1]


def _job_phase(start: PythonProfileModes, end: PythonProfileModes) -> str:
    if start == PythonProfileModes.PRE_STEP_ZERO:
        return "initialization"
    return "finalization" if end == PythonProfileModes.POST_HOOK_CLOSE else "training_loop"
