"""Statistics over the DataFrames of a profile."""

from __future__ import annotations

import logging
from enum import Enum
from typing import TYPE_CHECKING, Any

from tracelake.smdebug import _column
from tracelake.smdebug._interval import find_enclosing, find_last_containing
from tracelake.smdebug._libraries import DataFrame, NDArray, Series, np, pa, pd

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["JobStats", "PandasFrameAnalysis", "Resource", "StatsBy"]

log = logging.getLogger("tracelake.smdebug")

STEP = "Step:ModeKeys"
LOOP = ["Step:ModeKeys.TRAIN", "Step:ModeKeys.GLOBAL"]
STATISTICS = ["mean", "min", "max", "p50", "p95", "p99"]


class StatsBy(Enum):
    """The grouping of statistics.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import StatsBy
        >>> StatsBy.PROCESS.value
        'process'
    """

    TRAINING_PHASE = "training_phase"
    """Mode of the steps: TRAIN, EVAL, PREDICT, GLOBAL."""
    FRAMEWORK_METRICS = "framework_metric"
    """Name of a function, module or operator."""
    PROCESS = "process"
    """Phase: the name of a row in a timeline."""


class Resource(Enum):
    """The resources that system metrics measure.

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
    """Statistics of a job; its keys are also attributes.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.pandas_data_analysis import JobStats
        >>> JobStats(initialization=5).initialization
        5
    """

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - the value of the key
        """Returns the value of a key."""
        try:
            return self[name]
        except KeyError:
            text = f"{type(self).__name__!r} has no attribute {name!r}"
            raise AttributeError(text) from None

    def __setattr__(self, name: str, value: object) -> None:
        """Sets the value of a key."""
        self[name] = value

    def __repr__(self) -> str:
        """Returns a table with a line per key."""
        series = any(isinstance(value, pd.Series) for value in self.values())
        return repr(pd.DataFrame(dict(self), index=None if series else [0]).T)


class PandasFrameAnalysis:
    """Statistics over the system and framework metrics of a profile.

    The frame of framework metrics gets a column `duration_us`, and its column `step` is completed by time: an event
    without a step belongs to the lowest step that begins before it and ends after it.

    Args:
        system_df: The result of `PandasFrame.get_all_system_metrics`, or part of it.
        framework_df: The result of `PandasFrame.get_all_framework_metrics`, or part of it.

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
        """Stores the frames and assigns events to steps."""
        self.sys_metrics_df = system_df
        self.framework_metrics_df = framework_df
        framework_df["duration_us"] = framework_df["end_time_us"] - framework_df["start_time_us"]
        steps = self._steps()
        has_step = steps["step"] != -1
        self.step_time_df = (
            steps[has_step].groupby("step").agg({"start_time_us": "min", "end_time_us": "max"}).reset_index()
        )
        self._fill_steps()

    def _steps(self) -> DataFrame:
        """Returns the rows that mark steps."""
        return self.framework_metrics_df[_codes(self.framework_metrics_df["framework_metric"]).contains(STEP)]

    def _fill_steps(self) -> None:
        frame, outer = self.framework_metrics_df, self.step_time_df
        step = frame["step"].to_numpy(copy=True)
        unknown = np.flatnonzero(step == -1)
        inner = frame["start_time_us"].to_numpy()[unknown], frame["end_time_us"].to_numpy()[unknown]
        enclosing = find_enclosing(*inner, outer["start_time_us"].to_numpy(), outer["end_time_us"].to_numpy())
        step[unknown[enclosing >= 0]] = outer["step"].to_numpy()[enclosing[enclosing >= 0]]
        frame["step"] = step

    def get_job_statistics(self) -> JobStats:
        """Returns the duration of the job, and the shares of initialization, training loop and finalization.

        The training loop begins with step 0 of TRAIN or GLOBAL. Without such a step, because the recording began later
        or has only other modes, the loop begins with the first step.

        Returns:
            `start_time`, `end_time`, `training_loop_start`, `training_loop_end` as texts; `job_duration`,
            `training_loop_duration` (a Series with an entry per rank that ran that step), `initialization`,
            `finalization` in us; the same with `_%` in percent of `job_duration`.

        Raises:
            ValueError: There are no system metrics or no steps.
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
        framework_end, sample_times = framework["end_time_us"].max(), system["timestamp_us"]
        duration = sample_times.max() - sample_times.min()
        parts = {
            "initialization": first["start_time_us"][0],
            "training_loop": framework_end - first["start_time_us"],
            "finalization": sample_times.max() - framework_end,
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
        """Returns statistics of the durations of steps, or of functions and phases within steps.

        The duration of a key in a step goes from the earliest start to the latest end, over all ranks.

        Args:
            by: `TRAINING_PHASE` for the steps themselves by mode, `FRAMEWORK_METRICS` or `PROCESS` for all events.

        Returns:
            A row per key, sorted by key: the key, `duration_mean_us`, `..._min_us`, `..._max_us`, `..._p50_us`,
            `..._p95_us`, `..._p99_us` over its steps. None if `by` is not a `StatsBy`.
        """
        if not isinstance(by, StatsBy):
            log.info("%s should be of type StatsBy", by)
            return None
        column = StatsBy.FRAMEWORK_METRICS if by is StatsBy.TRAINING_PHASE else by
        frame = self._steps() if by is StatsBy.TRAINING_PHASE else self.framework_metrics_df
        step, key = frame["step"].to_numpy(), _codes(frame[column.value])
        rows = np.flatnonzero((step != -1) & (key.codes >= 0))  # the step of the other events is not known
        lowest_step, highest_step = step.min(initial=0), step.max(initial=0)
        group, keys = pd.factorize(key.codes[rows] * (highest_step - lowest_step + 1) + step[rows] - lowest_step)
        start, end = frame["start_time_us"].to_numpy()[rows], frame["end_time_us"].to_numpy()[rows]
        first, last = np.full(len(keys), np.inf), np.full(len(keys), -np.inf)
        np.minimum.at(first, group, start)
        np.maximum.at(last, group, end)
        duration, key_of_group = last - first, keys // (highest_step - lowest_step + 1)
        parts = [(key.names[code], duration[key_of_group == code]) for code in key.sorted()]
        names = [by.value, *(f"duration_{name}_us" for name in STATISTICS)]
        return _describe_groups([part for part in parts if len(part[1])], names)

    def get_utilization_stats(
        self,
        resource: Resource | Sequence[Resource] | None = None,
        by: StatsBy | str | None = None,
        phase: str | Sequence[str] | None = None,
    ) -> DataFrame | None:
        """Returns statistics of the utilization of resources.

        The statistics mix all dimensions of a resource: `cpu` has utilization and I/O wait, `gpu` utilization and
        memory, `i/o` operations and bytes. tracelake's own query `utilization.summary` separates them.

        Args:
            resource: A resource or a list of resources. The default is all resources.
            by: `TRAINING_PHASE` for statistics of each phase of the training; the frame of system metrics then gets a
                column `phase`.
            phase: Modes; their steps divide the time into phases, as for `get_training_phase_intervals`.

        Returns:
            A row per resource, phase (if requested) and node: `Resource`, `Training_phase`, `nodeID`,
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
        phases = _Codes(np.zeros(len(system), dtype=np.int64), [""])
        if by_phase:
            phases = self._phases(self.get_training_phase_intervals(phase))
            system["phase"] = phases.texts()
        kind, node, value = _codes(system["type"]), _codes(system["nodeID"]), system["value"].to_numpy()
        groups: list[tuple[Any, ...]] = []
        order = [Resource.CPU, Resource.GPU, Resource.MEMORY, Resource.IO, Resource.NETWORK]
        for word in _resource_names(resource, order):
            rows = np.flatnonzero(kind.contains(word) & (phases.codes >= 0) & (node.codes >= 0))
            group = phases.ranks()[phases.codes[rows]] * len(node.names) + node.ranks()[node.codes[rows]]
            rows = rows[np.argsort(group, kind="stable")]
            cuts = np.flatnonzero(np.diff(np.sort(group))) + 1
            for part in np.split(rows, cuts) if len(rows) else []:
                phase_name = [phases.names[phases.codes[part[0]]]] if by_phase else []
                groups.append((word, *phase_name, node.names[node.codes[part[0]]], value[part]))
        names = ["Resource", *(["Training_phase"] if by_phase else []), "nodeID"]
        return _describe_groups(groups, [*names, *(f"utilization_{name}" for name in STATISTICS)])

    def _phases(self, intervals: DataFrame | None) -> _Codes:
        """Returns for each sample the phase of the last interval that contains it."""
        codes, times = pd.factorize(self.sys_metrics_df["timestamp_us"], sort=True)
        if intervals is None or not len(times):
            return _Codes(np.full(len(codes), -1), [])
        phase = _codes(intervals["phase"])
        start, end = intervals["start_time_us"].to_numpy(), intervals["end_time_us"].to_numpy()
        last = find_last_containing(np.asarray(times), start, end)
        return _Codes(np.where(last >= 0, phase.codes[last], -1)[codes], phase.names)

    def get_device_usage_stats(
        self,
        device: Resource | Sequence[Resource] | None = None,
        utilization_ranges: list[tuple[float, float]] | None = None,
    ) -> DataFrame:
        """Returns the number of samples in each range of utilization.

        A range includes both ends. A sample counts in the first range that contains it. All dimensions of a resource
        count together. The frame of system metrics gets a column `ranges`.

        Args:
            device: A resource or a list of resources. The default is CPU and GPU.
            utilization_ranges: Pairs of minimum and maximum. The default is above 90, 10 to 90 and below 10.

        Returns:
            A row per type and node: `type`, `nodeID`, and the number of samples in each range that occurs. An empty
            frame if an argument has another form.
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
        is_selected = np.zeros(len(system), dtype=bool)
        for word in _resource_names(device, [Resource.CPU, Resource.GPU]):
            is_selected |= kind.contains(word)
        rows = np.flatnonzero(is_selected & (which < len(ranges)) & (node.codes >= 0))
        order = sorted({int(i) for i in np.unique(which[rows])}, key=lambda i: labels[i])
        group = kind.ranks()[kind.codes[rows]] * len(node.names) + node.ranks()[node.codes[rows]]
        groups, first, group_of_row = np.unique(group, return_index=True, return_inverse=True)
        counts = np.bincount(group_of_row * len(labels) + which[rows], minlength=len(groups) * len(labels))
        counts = counts.reshape(len(groups), len(labels))
        counts_by_column = {
            "type": [kind.names[kind.codes[row]] for row in rows[first]],
            "nodeID": [node.names[node.codes[row]] for row in rows[first]],
            **{i: counts[:, i] for i in order},
        }
        usage = pd.DataFrame(counts_by_column)
        columns = np.empty(len(counts_by_column), dtype=object)
        columns[:] = ["type", "nodeID", *(labels[i] for i in order)]
        usage.columns = pd.Index(columns, name="ranges", tupleize_cols=False)
        return usage

    def get_training_phase_intervals(self, phase: str | Sequence[str] | None = None) -> DataFrame | None:
        """Returns the intervals of training and evaluation, and the intervals before, between and after them.

        Consecutive steps of one mode in the frame are one interval; if only one mode is requested, each step is an
        interval. `Between`, `Before` and `After` fill the gaps.

        Args:
            phase: A mode or a list of modes, such as `Step:ModeKeys.TRAIN`. The default is all modes that occur.

        Returns:
            A row per interval: `start_time_us`, `end_time_us` (both included), `phase`. Without system metrics, the
            first start and the last end are NaN. None if no such phase occurs, or the argument is of another type.
        """
        framework = self.framework_metrics_df
        present = [str(name) for name in framework["process"].unique()]
        selected: Any = [name for name in present if STEP in name] if phase is None else phase
        selected = [selected] if isinstance(selected, str) else selected
        if not isinstance(selected, list):
            log.info("%s should be a list of strings", selected)
            return None
        selected = [name for name in selected if name in present]
        mode = _codes(framework["framework_metric"])
        rows = np.flatnonzero(mode.isin(selected))
        if not len(rows):
            log.info("None of the phase strings matched the phases available in the framework metrics DataFrame")
            return None
        code = mode.codes[rows]
        start, end = framework["start_time_us"].to_numpy()[rows], framework["end_time_us"].to_numpy()[rows]
        if len(selected) > 1:
            runs = np.flatnonzero(np.diff(code, prepend=-1))
            start, end, code = np.minimum.reduceat(start, runs), np.maximum.reduceat(end, runs), code[runs]
        return self._with_gaps(start, end, code, mode.names)

    def _with_gaps(self, start: NDArray, end: NDArray, code: NDArray, names: list[str]) -> DataFrame:
        """Returns the intervals, and the gaps before, between and after them."""
        sample_times = self.sys_metrics_df["timestamp_us"]
        phases = names.copy()

        def add_phase(text: str) -> int:
            phases.append(text)
            return len(phases) - 1

        pair = code[:-1] * len(names) + code[1:]
        between = {
            int(one): add_phase("Between " + " and ".join(sorted([names[one // len(names)], names[one % len(names)]])))
            for one in np.unique(pair)
        }
        known = np.array(sorted(between), dtype=np.int64)
        gap = np.array([between[one] for one in known.tolist()], dtype=np.int64)[np.searchsorted(known, pair)]
        count = 2 * len(start) + 1
        first, last = (np.nan, np.nan) if sample_times.empty else (sample_times.min(), sample_times.max())
        dtype = np.result_type(start, type(first))
        starts, ends = np.empty(count, dtype=dtype), np.empty(count, dtype=dtype)
        which = np.empty(count, dtype=np.int64)
        starts[1::2], ends[1::2], which[1::2] = start, end, code
        starts[2:-1:2], ends[2:-1:2], which[2:-1:2] = end[:-1] + 1, start[1:] - 1, gap
        ends[0], which[0] = start[0] - 1, add_phase(f"Before {names[code[0]]}")
        starts[-1], which[-1] = end[-1] + 1, add_phase(f"After {names[code[-1]]}")
        starts[0], ends[-1] = first, last
        text = _column.text(pa.DictionaryArray.from_arrays(which, phases))
        return _column.frame({"start_time_us": starts, "end_time_us": ends, "phase": text})


class _Codes:
    """A dictionary-encoded text column: a code per row, and the text of each code; -1 is null."""

    def __init__(self, codes: NDArray, names: list[str]) -> None:
        self.codes = codes
        self.names = names

    def isin(self, names: Sequence[str]) -> NDArray:
        """Returns for each row whether its text is one of these names."""
        return self._rows([name in names for name in self.names])

    def contains(self, part: str) -> NDArray:
        """Returns for each row whether its text contains `part`."""
        return self._rows([part in name for name in self.names])

    def _rows(self, matches: list[bool]) -> NDArray:
        return np.array([*matches, False])[self.codes]

    def sorted(self) -> list[int]:
        """Returns the codes in the order of their texts."""
        return sorted(range(len(self.names)), key=self.names.__getitem__)

    def texts(self) -> Any:  # noqa: ANN401 - an array of pandas' text dtype
        """Returns the column as texts."""
        known = pa.array(self.codes, mask=self.codes < 0)
        return _column.text(pa.DictionaryArray.from_arrays(known, pa.array(self.names, pa.string())))

    def ranks(self) -> NDArray:
        """Returns for each code the position of its text in sorted order."""
        return np.argsort(np.array(self.sorted(), dtype=np.int64))


def _codes(column: Series) -> _Codes:
    codes, names = pd.factorize(column)
    return _Codes(codes, [str(name) for name in names])


def _resource_names(selected: Resource | Sequence[Resource] | None, default: list[Resource]) -> list[str]:
    resources = default if selected is None else [selected] if isinstance(selected, Resource) else selected
    return [Resource(resource).value for resource in resources]


def _describe_groups(groups: list[tuple[Any, ...]], columns: list[str]) -> DataFrame:
    """Returns a row of statistics for each group; a group has its keys, then its values. NaN values are ignored."""
    rows: list[tuple[Any, ...]] = []
    for *keys, values in groups:
        valid = values[~np.isnan(values)].astype(np.float64)
        if len(valid):
            rows.append((*keys, valid.mean(), valid.min(), valid.max(), *np.percentile(valid, [50, 95, 99])))
        else:
            rows.append((*keys, *[np.nan] * len(STATISTICS)))
    return pd.DataFrame(rows, columns=columns)
