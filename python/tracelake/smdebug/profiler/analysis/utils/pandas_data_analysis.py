"""Statistics over the DataFrames of a profile."""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING, Any

from tracelake.smdebug import _column
from tracelake.smdebug._interval import encloser, last_at
from tracelake.smdebug._libraries import DataFrame, NDArray, Series, np, pa, pd

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["JobStats", "PandasFrameAnalysis", "Resource", "StatsBy"]

log = logging.getLogger("tracelake.smdebug")

STEP = "Step:ModeKeys"
LOOP = ["Step:ModeKeys.TRAIN", "Step:ModeKeys.GLOBAL"]
STATISTICS = ["mean", "min", "max", "p50", "p95", "p99"]


class StatsBy(Enum):
    """What statistics are grouped by.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import StatsBy
        >>> StatsBy.PROCESS.value
        'process'
    """

    TRAINING_PHASE = "training_phase"
    """Mode of the steps: TRAIN, EVAL, PREDICT, GLOBAL."""
    FRAMEWORK_METRICS = "framework_metric"
    """Name of function, module or operator."""
    PROCESS = "process"
    """Phase, as timelines call their rows."""


class Resource(Enum):
    """What system metrics measure.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import Resource
        >>> Resource("i/o")
        <Resource.IO: 'i/o'>
    """

    CPU = "cpu"
    GPU = "gpu"
    IO = "i/o"
    NETWORK = "network"
    MEMORY = "memory"


class JobStats(dict[str, Any]):
    """Statistics of a job; its keys are attributes too.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import JobStats
        >>> JobStats(initialization=5).initialization
        5
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - what stands under the key
        """The value of a key."""
        try:
            return self[name]
        except KeyError:
            text = f"{type(self).__name__!r} has no attribute {name!r}"
            raise AttributeError(text) from None

    def __setattr__(self, name: str, value: object) -> None:
        """Sets the value of a key."""
        self[name] = value

    def __repr__(self) -> str:
        """A table with a line per key."""
        series = any(isinstance(value, pd.Series) for value in self.values())
        return repr(pd.DataFrame(dict(self), index=None if series else [0]).T)


class PandasFrameAnalysis:
    """Statistics over the system and framework metrics of a profile.

    The frame of framework metrics gets a column `duration_us`, and in its column `step` the steps that can be told by
    time: an event that carries none belongs to the lowest step that begins before it and ends after it.

    Args:
        system_df: What `PandasFrame.get_all_system_metrics` gives, or part of it.
        framework_df: What `PandasFrame.get_all_framework_metrics` gives, or part of it.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import PandasFrameAnalysis
        >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
        >>> frame = PandasFrame(profile)
        >>> analysis = PandasFrameAnalysis(frame.get_all_system_metrics(), frame.get_all_framework_metrics())
        >>> analysis.get_step_statistics()["training_phase"].tolist()
        ['Step:ModeKeys.EVAL', 'Step:ModeKeys.TRAIN']
        >>> bool(analysis.get_job_statistics().job_duration > 0)
        True
    """

    def __init__(self, system_df: DataFrame, framework_df: DataFrame) -> None:
        """Takes the frames and tells the steps of events."""
        self.sys_metrics_df = system_df
        self.framework_metrics_df = framework_df
        framework_df["duration_us"] = framework_df["end_time_us"] - framework_df["start_time_us"]
        steps = self._steps()
        carried = steps["step"] != -1
        self.step_time_df = (
            steps[carried].groupby("step").agg({"start_time_us": "min", "end_time_us": "max"}).reset_index()
        )
        self._fill_steps()

    def _steps(self) -> DataFrame:
        """The rows that mark steps."""
        return self.framework_metrics_df[_codes(self.framework_metrics_df["framework_metric"]).contains(STEP)]

    def _fill_steps(self) -> None:
        frame, outer = self.framework_metrics_df, self.step_time_df
        step = frame["step"].to_numpy(copy=True)
        unknown = np.flatnonzero(step == -1)
        inner = frame["start_time_us"].to_numpy()[unknown], frame["end_time_us"].to_numpy()[unknown]
        place = encloser(*inner, outer["start_time_us"].to_numpy(), outer["end_time_us"].to_numpy())
        step[unknown[place >= 0]] = outer["step"].to_numpy()[place[place >= 0]]
        frame["step"] = step

    def get_job_statistics(self) -> JobStats:
        """How long the job took, and what part of it were initialization, training loop and finalization.

        The training loop begins with step 0 of TRAIN or GLOBAL; a recording that began later or has other modes only:
        with its first step.

        Returns:
            `start_time`, `end_time`, `training_loop_start`, `training_loop_end` as texts; `job_duration`,
            `training_loop_duration` (a Series with an entry per rank that took that step), `initialization`,
            `finalization` in us; the same with `_%` in percent of `job_duration`.

        Raises:
            ValueError: There are no system metrics or no steps, so that nobody knows.
        """
        system, framework = self.sys_metrics_df, self.framework_metrics_df
        if system.empty:
            text = "cannot tell how long the job took: there are no system metrics"
            raise ValueError(text)
        steps = self._steps()
        if steps.empty:
            text = "cannot tell when the training loop began: there are no steps"
            raise ValueError(text)
        loop = steps[steps["framework_metric"].isin(LOOP)]
        first = loop[loop["step"] == 0]
        if first.empty:
            candidates = steps if loop.empty else loop
            first = candidates[candidates["start_time_us"] == candidates["start_time_us"].min()]
        first = first.reset_index(drop=True)
        ended, sampled = framework["end_time_us"].max(), system["timestamp_us"]
        duration = sampled.max() - sampled.min()
        parts = {
            "initialization": first["start_time_us"][0],
            "training_loop": ended - first["start_time_us"],
            "finalization": sampled.max() - ended,
        }
        return JobStats(
            {
                "start_time": system["timestamp"].min(),
                "end_time": system["timestamp"].max(),
                "job_duration": duration,
                "training_loop_start": first["start_time"][0],
                "training_loop_end": framework["end_time"].max(),
                "training_loop_duration": parts["training_loop"],
                "initialization": parts["initialization"],
                "finalization": parts["finalization"],
                **{f"{name}_%": part / duration * 100 for name, part in parts.items()},
            }
        )

    def get_step_statistics(self, by: StatsBy | str = StatsBy.TRAINING_PHASE) -> DataFrame | None:
        """How long steps took, or functions and phases within them.

        What belongs to one step and key counts from the earliest begin to the latest end, over all ranks.

        Args:
            by: `TRAINING_PHASE` for the steps themselves by mode, `FRAMEWORK_METRICS` or `PROCESS` for all events.

        Returns:
            A row per key, sorted by it: the key, `duration_mean_us`, `..._min_us`, `..._max_us`, `..._p50_us`,
            `..._p95_us`, `..._p99_us` over its steps. None if `by` is no `StatsBy`.
        """
        if not isinstance(by, StatsBy):
            log.info("%s should be of type StatsBy", by)
            return None
        column = StatsBy.FRAMEWORK_METRICS if by is StatsBy.TRAINING_PHASE else by
        frame = self._steps() if by is StatsBy.TRAINING_PHASE else self.framework_metrics_df
        step, key = frame["step"].to_numpy(), _codes(frame[column.value])
        rows = np.flatnonzero((step != -1) & (key.codes >= 0))  # to what step the others belong nobody knows
        least, most = step.min(initial=0), step.max(initial=0)
        group, found = pd.factorize(key.codes[rows] * (most - least + 1) + step[rows] - least)
        start, end = frame["start_time_us"].to_numpy()[rows], frame["end_time_us"].to_numpy()[rows]
        first, last = np.full(len(found), np.inf), np.full(len(found), -np.inf)
        np.minimum.at(first, group, start)
        np.maximum.at(last, group, end)
        duration, groups = last - first, found // (most - least + 1)
        parts = [(key.names[code], duration[groups == code]) for code in key.sorted()]
        names = [by.value, *(f"duration_{name}_us" for name in STATISTICS)]
        return _described([part for part in parts if len(part[1])], names)

    def get_utilization_stats(
        self,
        resource: Resource | Sequence[Resource] | None = None,
        by: StatsBy | str | None = None,
        phase: str | Sequence[str] | None = None,
    ) -> DataFrame | None:
        """How much resources were used.

        All dimensions of a resource are taken together: `cpu` holds utilization and I/O wait, `gpu` utilization and
        memory, `i/o` operations and bytes. `tracelake`'s own `utilization.summary` keeps them apart.

        Args:
            resource: A resource or a list of them; all without it.
            by: `TRAINING_PHASE` for statistics of each phase of the training; the frame of system metrics then gets a
                column `phase`.
            phase: Modes whose steps divide the time into phases, as for `get_training_phase_intervals`.

        Returns:
            A row per resource, phase where asked for, and node: `Resource`, `Training_phase`, `nodeID`,
            `utilization_mean`, `..._min`, `..._max`, `..._p50`, `..._p95`, `..._p99`, in the units of the samples. None
            if an argument is of another type.
        """
        if by is not None and not isinstance(by, StatsBy):
            log.info("%s should be of type StatsBy", by)
            return None
        if resource is not None and not isinstance(resource, list | Resource):
            log.info("%s should be of type list or Resource", resource)
            return None
        system = self.sys_metrics_df
        by_phase = by is StatsBy.TRAINING_PHASE
        when = _Codes(np.zeros(len(system), dtype=np.int64), [""])
        if by_phase:
            when = self._phases(self.get_training_phase_intervals(phase))
            system["phase"] = when.texts()
        kind, node, value = _codes(system["type"]), _codes(system["nodeID"]), system["value"].to_numpy()
        groups: list[tuple[Any, ...]] = []
        for word in _words(resource, [Resource.CPU, Resource.GPU, Resource.MEMORY, Resource.IO, Resource.NETWORK]):
            rows = np.flatnonzero(kind.contains(word) & (when.codes >= 0) & (node.codes >= 0))
            group = when.ranks()[when.codes[rows]] * len(node.names) + node.ranks()[node.codes[rows]]
            rows = rows[np.argsort(group, kind="stable")]
            cuts = np.flatnonzero(np.diff(np.sort(group))) + 1
            for part in np.split(rows, cuts) if len(rows) else []:
                place = [when.names[when.codes[part[0]]]] if by_phase else []
                groups.append((word, *place, node.names[node.codes[part[0]]], value[part]))
        names = ["Resource", *(["Training_phase"] if by_phase else []), "nodeID"]
        return _described(groups, [*names, *(f"utilization_{name}" for name in STATISTICS)])

    def _phases(self, intervals: DataFrame | None) -> _Codes:
        """For each sample the phase of the last interval that holds it."""
        codes, times = pd.factorize(self.sys_metrics_df["timestamp_us"], sort=True)
        if intervals is None or not len(times):
            return _Codes(np.full(len(codes), -1), [])
        phase = _codes(intervals["phase"])
        place = last_at(np.asarray(times), intervals["start_time_us"].to_numpy(), intervals["end_time_us"].to_numpy())
        return _Codes(np.where(place >= 0, phase.codes[place], -1)[codes], phase.names)

    def get_device_usage_stats(
        self,
        device: Resource | Sequence[Resource] | None = None,
        utilization_ranges: list[tuple[float, float]] | None = None,
    ) -> DataFrame:
        """How many samples lie in which range of utilization.

        Both ends belong to a range, and a sample to the first range that holds it. All dimensions of a resource are
        taken together. The frame of system metrics gets a column `ranges`.

        Args:
            device: A resource or a list of them; CPU and GPU without it.
            utilization_ranges: Pairs of the least and the greatest value; above 90, 10 to 90 and below 10 without it.

        Returns:
            A row per type and node: `type`, `nodeID`, and the number of samples in each range that occurs. Without rows
            and columns if an argument is not of this form.
        """
        if device is not None and not isinstance(device, list | Resource):
            log.info("%s should be of type list or Resource", device)
            return pd.DataFrame()
        ranges: Any = [(90, 100), (10, 90), (0, 10)] if utilization_ranges is None else utilization_ranges
        if not isinstance(ranges, list) or not ranges or any(len(one) != 2 for one in ranges):  # noqa: PLR2004 - a pair
            log.info("%s should be a list of pairs, each with a start and an end value", ranges)
            return pd.DataFrame()
        system = self.sys_metrics_df
        value = system["value"].to_numpy()
        which = np.full(len(value), len(ranges))
        for i, (low, high) in reversed(list(enumerate(ranges))):
            which[(low <= value) & (value <= high)] = i
        labels = np.empty(len(ranges) + 1, dtype=object)
        labels[:] = [*(tuple(one) for one in ranges), ()]
        system["ranges"] = labels[which]
        if not np.any(which < len(ranges)):
            return system[:0]
        kind, node = _codes(system["type"]), _codes(system["nodeID"])
        asked = np.zeros(len(system), dtype=bool)
        for word in _words(device, [Resource.CPU, Resource.GPU]):
            asked |= kind.contains(word)
        rows = np.flatnonzero(asked & (which < len(ranges)) & (node.codes >= 0))
        order = sorted({int(i) for i in np.unique(which[rows])}, key=lambda i: labels[i])
        group = kind.ranks()[kind.codes[rows]] * len(node.names) + node.ranks()[node.codes[rows]]
        found, first, which_group = np.unique(group, return_index=True, return_inverse=True)
        counts = np.bincount(which_group * len(labels) + which[rows], minlength=len(found) * len(labels))
        counts = counts.reshape(len(found), len(labels))
        made = {
            "type": [kind.names[kind.codes[row]] for row in rows[first]],
            "nodeID": [node.names[node.codes[row]] for row in rows[first]],
            **{i: counts[:, i] for i in order},
        }
        usage = pd.DataFrame(made)
        columns = np.empty(len(made), dtype=object)
        columns[:] = ["type", "nodeID", *(labels[i] for i in order)]
        usage.columns = pd.Index(columns, name="ranges", tupleize_cols=False)
        return usage

    def get_training_phase_intervals(self, phase: str | Sequence[str] | None = None) -> DataFrame | None:
        """When the job trained, evaluated, and did something in between, before and after.

        Steps of one mode that follow each other in the frame are one interval; if a single mode is asked for, each
        step is one. `Between`, `Before` and `After` fill the gaps.

        Args:
            phase: A mode or a list of them, such as `Step:ModeKeys.TRAIN`; all that occur without it.

        Returns:
            A row per interval: `start_time_us`, `end_time_us` (both included), `phase`. None if no such phase occurs,
            or the argument is of another type.
        """
        framework = self.framework_metrics_df
        present = [str(name) for name in framework["process"].unique()]
        asked: Any = [name for name in present if STEP in name] if phase is None else phase
        asked = [asked] if isinstance(asked, str) else asked
        if not isinstance(asked, list):
            log.info("%s should be a list of strings", asked)
            return None
        asked = [name for name in asked if name in present]
        mode = _codes(framework["framework_metric"])
        rows = np.flatnonzero(mode.isin(asked))
        if not len(rows):
            log.info("None of the phase strings matched the phases available in the framework metrics DataFrame")
            return None
        code = mode.codes[rows]
        start, end = framework["start_time_us"].to_numpy()[rows], framework["end_time_us"].to_numpy()[rows]
        if len(asked) > 1:
            runs = np.flatnonzero(np.diff(code, prepend=-1))
            start, end, code = np.minimum.reduceat(start, runs), np.maximum.reduceat(end, runs), code[runs]
        return self._with_gaps(start, end, code, mode.names)

    def _with_gaps(self, start: NDArray, end: NDArray, code: NDArray, names: list[str]) -> DataFrame:
        """The intervals, and what lies before, between and after them."""
        sampled = self.sys_metrics_df["timestamp_us"]
        phases = names.copy()

        def named(text: str) -> int:
            phases.append(text)
            return len(phases) - 1

        pair = code[:-1] * len(names) + code[1:]
        between = {
            int(one): named("Between " + " and ".join(sorted([names[one // len(names)], names[one % len(names)]])))
            for one in np.unique(pair)
        }
        known = np.array(sorted(between), dtype=np.int64)
        gap = np.array([between[one] for one in known.tolist()], dtype=np.int64)[np.searchsorted(known, pair)]
        count = 2 * len(start) + 1
        starts, ends = np.empty(count, dtype=start.dtype), np.empty(count, dtype=end.dtype)
        which = np.empty(count, dtype=np.int64)
        starts[1::2], ends[1::2], which[1::2] = start, end, code
        starts[2:-1:2], ends[2:-1:2], which[2:-1:2] = end[:-1] + 1, start[1:] - 1, gap
        ends[0], which[0] = start[0] - 1, named(f"Before {names[code[0]]}")
        starts[-1], which[-1] = end[-1] + 1, named(f"After {names[code[-1]]}")
        # without samples nobody knows when the job began and ended
        starts[0], ends[-1] = (starts[1], ends[-2]) if sampled.empty else (sampled.min(), sampled.max())
        text = _column.text(pa.DictionaryArray.from_arrays(which, phases))
        return _column.frame({"start_time_us": starts, "end_time_us": ends, "phase": text})


class _Codes:
    """A column of texts as numbers, and the texts that these stand for; -1 stands for none."""

    def __init__(self, codes: NDArray, names: list[str]) -> None:
        self.codes = codes
        self.names = names

    def isin(self, asked: Sequence[str]) -> NDArray:
        """Whether the text of a row is one of these."""
        return self._rows([name in asked for name in self.names])

    def contains(self, part: str) -> NDArray:
        """Whether the text of a row holds this one."""
        return self._rows([part in name for name in self.names])

    def _rows(self, answers: list[bool]) -> NDArray:
        return np.array([*answers, False])[self.codes]

    def sorted(self) -> list[int]:
        """The numbers in the order of the texts."""
        return sorted(range(len(self.names)), key=self.names.__getitem__)

    def texts(self) -> Any:  # noqa: ANN401 - an array of pandas' text dtype
        """The column."""
        known = pa.array(self.codes, mask=self.codes < 0)
        return _column.text(pa.DictionaryArray.from_arrays(known, pa.array(self.names, pa.string())))

    def ranks(self) -> NDArray:
        """For each number the place of its text among all, sorted."""
        return np.argsort(np.array(self.sorted(), dtype=np.int64))


def _codes(column: Series) -> _Codes:
    codes, names = pd.factorize(column)
    return _Codes(codes, [str(name) for name in names])


def _words(asked: Resource | Sequence[Resource] | None, default: list[Resource]) -> list[str]:
    resources = default if asked is None else [asked] if isinstance(asked, Resource) else asked
    return [Resource(resource).value for resource in resources]


def _described(groups: list[tuple[Any, ...]], columns: list[str]) -> DataFrame:
    """A row of statistics for each group: keys, and then values, of which unknown ones are left out."""
    rows: list[tuple[Any, ...]] = []
    for *keys, values in groups:
        known = values[~np.isnan(values)].astype(np.float64)
        if len(known):
            rows.append((*keys, known.mean(), known.min(), known.max(), *np.percentile(known, [50, 95, 99])))
        else:
            rows.append((*keys, *[np.nan] * len(STATISTICS)))
    return pd.DataFrame(rows, columns=columns)
