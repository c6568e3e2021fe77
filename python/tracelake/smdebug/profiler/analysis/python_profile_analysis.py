"""Python profiles of a job: those of some steps, a time, a mode or a phase, and for cProfile what they add up to."""

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

# Profiles are added up as `pstats.Stats.add` does, which keeps functions in the order in which they come.
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
    """Python profiles of any profiler; what they hold is for the classes of the profilers.

    Args:
        local_profile_dir: Folder of the profiles, `.../framework/<framework>/<profiler>`; with `s3_path` one that
            copies of the files get into.
        s3_path: `s3://` address of the profile, the folder that holds `framework`.

    Attributes:
        python_stats_reader: What finds the profiles.
        python_profile_stats: The profiles, ordered by start and process.

    All `fetch_` methods take `node_id`, the process whose profiles are meant, where `any` is that of the first profile;
    and `refresh_stats`: whether to look for new profiles before. They print a line and give None if there are none.
    """

    name = ""
    """The profiler; any if empty."""

    def __init__(
        self,
        local_profile_dir: str | os.PathLike[str] = "/tmp/python_stats",  # noqa: S108 - smdebug's default
        s3_path: str | None = None,
    ) -> None:
        """Finds the profiles."""
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
    ) -> Any:  # noqa: ANN401 - the profilers' classes say what
        """Those from a phase of one step to a phase of another one, see `StepPythonProfileStats.in_step_interval`.

        Args:
            start_step: First step.
            end_step: Last step; None for the first one.
            mode: Mode in which they begin and end.
            start_phase: Where in the first step to begin.
            end_phase: Where in the last step to end.
            node_id: The process.
            refresh_stats: Whether to look for new profiles before.
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
        """Those that have a moment of this time in common with it.

        Args:
            start_time_since_epoch_in_secs: Begin, in s.
            end_time_since_epoch_in_secs: End, in s.
            node_id: The process.
            refresh_stats: Whether to look for new profiles before.
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
        """Those that begin in one mode and end in another one.

        Args:
            start_mode: Mode in which they begin.
            end_mode: Mode in which they end.
            node_id: The process.
            refresh_stats: Whether to look for new profiles before.
        """
        return self._fetch(lambda one: one.has_start_and_end_mode(start_mode, end_mode), node_id, refresh_stats)

    def fetch_pre_step_zero_profile_stats(self, node_id: str = "any", refresh_stats: bool = True) -> Any:  # noqa: ANN401
        """Those that begin before the first step."""
        return self._fetch(StepPythonProfileStats.has_pre_step_zero_profile_stats, node_id, refresh_stats)

    def fetch_post_hook_close_profile_stats(self, node_id: str = "any", refresh_stats: bool = True) -> Any:  # noqa: ANN401
        """Those that end behind the last step."""
        return self._fetch(StepPythonProfileStats.has_post_hook_close_profile_stats, node_id, refresh_stats)

    def list_profile_stats(self, refresh_stats: bool = True) -> DataFrame:
        """All profiles: a row for each, a column for each attribute of `StepPythonProfileStats`."""
        self._refresh(refresh_stats)
        if not self.python_profile_stats:
            print("No stats were found!")
            return pd.DataFrame()
        profiles = pd.DataFrame([vars(one) for one in self.python_profile_stats])
        for mode in ("start_mode", "end_mode"):
            profiles[mode] = profiles[mode].map(python_profile_mode_to_str)
        return profiles

    def list_available_node_ids(self, refresh_stats: bool = True) -> list[str]:
        """The processes that wrote profiles, sorted."""
        self._refresh(refresh_stats)
        return sorted({one.node_id for one in self.python_profile_stats})

    def _refresh(self, refresh_stats: bool) -> None:
        if refresh_stats:
            found = self.python_stats_reader.load_python_profile_stats()
            self.python_profile_stats = [one for one in found if self.name in ("", one.profiler_name)]

    def _fetch(self, wanted: Callable[[StepPythonProfileStats], bool], node_id: str, refresh_stats: bool) -> Any:  # noqa: ANN401
        self._refresh(refresh_stats)
        profiles = self.python_profile_stats
        process = profiles[0].node_id if profiles and node_id == "any" else node_id
        found = [one for one in profiles if one.has_node_id(process) and wanted(one)]
        if self.name and not found:
            print("No stats were found for the requested interval!")
            return None
        return self._aggregate_stats(found)

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> Any:  # noqa: ANN401
        return stats


class cProfileAnalysis(PythonProfileAnalysis):  # noqa: N801 - smdebug's name
    """Profiles of cProfile. What is fetched is added up: `cProfileStats`, or None if there is nothing.

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
        """What profiles of each pair of modes add up to; pairs without any are left out, after a line about each."""
        self._refresh(refresh_stats)
        pairs = product(PythonProfileModes, PythonProfileModes)
        between = self.fetch_profile_stats_between_modes
        fetched = ((pair, between(*pair, node_id, refresh_stats=False)) for pair in pairs)
        return {pair: stats for pair, stats in fetched if stats is not None}

    def fetch_profile_stats_by_job_phase(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> dict[str, cProfileStats]:
        """What profiles add up to that begin before the first step, that end behind the last one, and of all others.

        Keys are `initialization`, `finalization` and `training_loop`; the first two only if there are such profiles.
        """
        phases: dict[str, pstats.Stats] = {}
        for modes, stats in self.fetch_profile_stats_by_training_phase(node_id, refresh_stats).items():
            phases.setdefault(_job_phase(*modes), pstats.Stats()).add(stats.ps)
        phases.setdefault("training_loop", pstats.Stats())
        return {phase: cProfileStats(added) for phase, added in phases.items()}

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> cProfileStats:
        reader = self.python_stats_reader
        added = _added(reader.profile, [reader.paths[one.stats_path] for one in stats])
        # `pstats` prints the files, with their times, over its tables
        times = [Path(one.stats_path).stat().st_mtime for one in stats]
        vars(added)["files"] = [
            f"{time.ctime(changed)}    {one.stats_path}" for one, changed in zip(stats, times, strict=True)
        ]
        return cProfileStats(added)


class PyinstrumentAnalysis(PythonProfileAnalysis):
    """Profiles of pyinstrument. What is fetched is a list of `PyinstrumentStepStats`, or None if there is nothing.

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


def _added(profile: Profile, profiles: list[str]) -> pstats.Stats:
    """Some profiles of the lake, added up."""
    rows = profile.arrow(FUNCTIONS, run=profile.run, profiles=profiles)
    keys = list(zip(*(rows[name].to_pylist() for name in ("file", "line", "function")), strict=True))
    callers: dict[str, dict[Any, Any]] = {f"{file}:{line}({name})": {} for file, line, name in keys}
    known = dict(zip(callers, keys, strict=True))
    calls = profile.arrow(CALLERS, run=profile.run, profiles=profiles)
    columns = ("caller", "callee", "calls", "primitive", "own", "cumulative")
    for caller, callee, *counts in zip(*(calls[name].to_pylist() for name in columns), strict=True):
        # `profile`, written in Python, counts calls and nothing else
        callers[callee][known.get(caller) or _key(caller)] = tuple(counts) if counts[1] is not None else counts[0]
    counts = zip(*(rows[name].to_pylist() for name in ("primitive", "calls", "own", "cumulative")), strict=True)
    stats = {key: (*count, called) for key, count, called in zip(keys, counts, callers.values(), strict=True)}
    # `pstats` reads what has statistics and a method that completes them
    source: Any = SimpleNamespace(stats=stats, create_stats=lambda: None)
    return pstats.Stats(source)


def _key(label: str) -> tuple[str, int, str]:
    """File, line and name of `file:line(name)`."""
    place, _, name = label.partition("(")
    file, _, line = place.rpartition(":")
    return file, int(line), name[:-1]


def _job_phase(start: PythonProfileModes, end: PythonProfileModes) -> str:
    if start == PythonProfileModes.PRE_STEP_ZERO:
        return "initialization"
    return "finalization" if end == PythonProfileModes.POST_HOOK_CLOSE else "training_loop"
