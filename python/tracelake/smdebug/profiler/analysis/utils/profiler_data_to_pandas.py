"""System and framework metrics of a profile as DataFrames."""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tracelake.smdebug import _column
from tracelake.smdebug._libraries import DataFrame, NDArray, np, pd
from tracelake.smdebug._memory import release_memory
from tracelake.smdebug._profile import Profile
from tracelake.smdebug._rows import ALWAYS, Events, Samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pyarrow import Array

__all__ = ["PandasFrame"]

STAMP = "%Y-%m-%dT%H:%M:%S:%f"
NEVER = (0, -1)  # in ns
NAMES = "select distinct coalesce(name, '') as name, coalesce(track, 'Unknown') as track from event where run = $run"


class PandasFrame:
    """The metrics of a profile as DataFrames.

    Columns that end in `_us` count from `start_time`. Times as text are UTC. Every line of the profile is a row, even
    if it equals another line.

    Args:
        path: Root of the profile: a local path or an `s3://` address.
        use_in_memory_cache: Without effect: the lake is the cache.
        scan_interval: Without effect: results do not depend on it.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
        >>> PandasFrame(profile).get_all_system_metrics().shape
        (3724, 7)
    """

    def __init__(
        self, path: str | os.PathLike[str], use_in_memory_cache: bool = False, scan_interval: int = 5_000_000_000
    ) -> None:
        """Opens the profile."""
        self.path = os.fspath(path)
        self.interval = scan_interval
        self.profile = Profile(path)
        self.start_time = self.profile.start_us
        """Minute of the first file of system metrics, in us since the epoch; 0 without one."""
        self._use_in_memory_cache = use_in_memory_cache
        self._cached: dict[str, list[tuple[DataFrame, NDArray]]] = {"system": [], "framework": []}

    @cached_property
    def system_metrics_reader(self) -> Any:  # noqa: ANN401 - one for local paths or one for S3
        """A reader of system metrics for the same path, for charts."""
        from tracelake.smdebug.profiler import system_metrics_reader  # noqa: PLC0415 - only charts need it

        return system_metrics_reader.open_reader(self.path)

    @cached_property
    def framework_metrics_reader(self) -> Any:  # noqa: ANN401 - one for local paths or one for S3
        """A reader of framework metrics for the same path, for charts."""
        from tracelake.smdebug.profiler import algorithm_metrics_reader  # noqa: PLC0415 - only charts need it

        return algorithm_metrics_reader.open_reader(self.path, use_in_memory_cache=self._use_in_memory_cache)

    def get_all_system_metrics(self, selected_system_metrics: Sequence[str] = ()) -> DataFrame:
        """Returns all system metrics.

        Args:
            selected_system_metrics: Names (`cpu0`, `gpu0`, `MemoryUsedPercent`, ...) to include. The default is all.

        Returns:
            A row per sample: `timestamp`, `timestamp_us`, `value` (percent, or the unit in the metric's name),
            `system_metric`, `dimension`, `nodeID`, `type`; file by file.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> PandasFrame(profile).get_all_system_metrics(["gpu0"])["dimension"].unique().tolist()
            ['GPUUtilization', 'GPUMemoryUtilization']
        """
        self._refresh()
        return self._system(ALWAYS, selected_system_metrics)[0]

    def get_all_framework_metrics(self, selected_framework_metrics: Sequence[str] = ()) -> DataFrame:
        """Returns all framework metrics: the events that the hook in the training script and the frameworks recorded.

        Args:
            selected_framework_metrics: Names of events or phases to include. The default is all.

        Returns:
            A row per event: `start_time`, `end_time`, `start_time_us`, `end_time_us`, `tid`, `pid`, `framework_metric`,
            `step`, `bytes` (-1 where unknown), `process` (the phase), `nodeID`; timeline by timeline.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> len(PandasFrame(profile).get_all_framework_metrics(["Step:ModeKeys.TRAIN"]))
            200
        """
        self._refresh()
        return self._framework(ALWAYS, selected_framework_metrics)[0]

    def get_all_dataloader_metrics(self, selected_framework_metrics: Sequence[str] = ()) -> DataFrame:
        """Returns all framework metrics, with the columns of data loaders.

        Args:
            selected_framework_metrics: Regular expressions; an event is included if one of them matches its name or the
                name of its phase. The default is all events.

        Returns:
            A row per event: `start_time`, `end_time`, `start_time_us`, `end_time_us`, `duration_us`, `pid`,
            `framework_metric`, `step`, `worker_id`, `num_workers` (-1 where unknown), `pin_memory` (`True`, `False` or
            `NA`), `process` (the phase), `node_id`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> frame = PandasFrame(profile).get_all_dataloader_metrics([".*DataLoaderIter::GetNext"])
            >>> frame["process"].unique().tolist()
            ['DataLoaderIter']
        """
        return self.get_dataloader_metrics_by_selection([selected_framework_metrics])[0]

    def get_dataloader_metrics_by_selection(self, selections: Sequence[Sequence[str]]) -> list[DataFrame]:
        """Returns the result of `get_all_dataloader_metrics` for each of several selections, from one read.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> selections = [["DataLoaderIter::GetNext"], ["DataLoaderWorker"]]
            >>> [len(frame) for frame in PandasFrame(profile).get_dataloader_metrics_by_selection(selections)]
            [220, 32]
        """
        self._refresh()
        all_names = self.profile.arrow(NAMES, run=self.profile.run).to_pydict()
        names_by_selection = [
            _match_names(patterns, {*all_names["name"], *all_names["track"]}) for patterns in selections
        ]
        selected = sorted({name for names in names_by_selection for name in names}) if all(names_by_selection) else []
        columns = ["name", "metric", "process", "pid", "step", "worker", "workers", "pin_memory"]
        events = Events(self.profile, *ALWAYS, selected, columns)
        times, name, process = self._times(events), events.text("name", ""), events.process()
        columns_by_name = {
            **times,
            "duration_us": times["end_time_us"] - times["start_time_us"],
            "pid": events.process_id(process),
            "framework_metric": _column.text(events.text("metric", "")),
            "step": events.number("step", -1),
            "worker_id": events.number("worker", -1),
            "num_workers": events.number("workers", -1),
            "pin_memory": _column.text(events.text("pin_memory")),
            "process": _column.text(process),
            "node_id": _column.text(events.node),
        }
        frame = _column.frame(columns_by_name)
        if len(names_by_selection) == 1:
            return [frame]
        rows = [
            _is_one_of(name, names) | _is_one_of(process, names) if names else slice(None)
            for names in names_by_selection
        ]
        return [frame[which].reset_index(drop=True) for which in rows]

    def get_profiler_data_by_time(
        self,
        start_time_us: float,
        end_time_us: float,
        cache_metrics: bool = False,
        selected_framework_metrics: Sequence[str] = (),
        selected_system_metrics: Sequence[str] = (),
        get_framework_metrics: bool = True,
        get_system_metrics: bool = True,
    ) -> tuple[DataFrame, DataFrame]:
        """Returns the metrics of a time range, both ends included; events that overlap it are included.

        Args:
            start_time_us: Start, in us since the epoch.
            end_time_us: End, in us since the epoch.
            cache_metrics: Also returns the results of earlier calls with this option, each row once.
            selected_framework_metrics: As for `get_all_framework_metrics`.
            selected_system_metrics: As for `get_all_system_metrics`.
            get_framework_metrics: Whether to read framework metrics; else their frame has no rows.
            get_system_metrics: Whether to read system metrics; else their frame has no rows.

        Returns:
            System metrics and framework metrics, in the form of `get_all_system_metrics` and
            `get_all_framework_metrics`.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> frame = PandasFrame(profile)
            >>> start = frame.start_time + 60_000_000
            >>> [len(part) for part in frame.get_profiler_data_by_time(start, start + 1_000_000)]
            [28, 14]
        """
        self._refresh()
        window = _to_ns(start_time_us), _to_ns(end_time_us)
        system = self._system(window if get_system_metrics else NEVER, selected_system_metrics)
        framework = self._framework(window if get_framework_metrics else NEVER, selected_framework_metrics)
        if not cache_metrics:
            return system[0], framework[0]
        return self._with_cached("system", system), self._with_cached("framework", framework)

    def get_profiler_data_by_step(
        self, start_step: int, end_step: int, cache_metrics: bool = False
    ) -> tuple[DataFrame, DataFrame]:
        """Returns the metrics of a range of steps, both ends included.

        Args:
            start_step: First step.
            end_step: Last step.
            cache_metrics: Without effect, as in smdebug.

        Returns:
            System metrics from the start of the first to the end of the last of these events, and the framework metrics
            with these steps; the index is that of the frames of all metrics.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> PandasFrame(profile).get_profiler_data_by_step(2, 3)[1]["step"].unique().tolist()
            [2, 3]
        """
        del cache_metrics
        system, framework = self.get_all_system_metrics(), self.get_all_framework_metrics()
        framework = framework[framework["step"].between(start_step, end_step)]
        start, end = framework["start_time_us"].min(), framework["end_time_us"].max()
        return system[system["timestamp_us"].between(start, end)], framework

    def get_framework_metrics_by_timesteps(
        self, timestep_list: Sequence[Any] = (), selected_framework_metrics: Sequence[str] = ()
    ) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
        """Returns the durations of the events that ran at these times, such as the times of outliers.

        An event counts with its whole duration, once for each time within it.

        Args:
            timestep_list: Times, in the form of the frames' times.
            selected_framework_metrics: Names of events or phases to include. The default is all.

        Returns:
            Duration by phase, as a share of the largest one; in us by name of the event; in us by mode of the steps.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> _, _, steps = PandasFrame(profile).get_framework_metrics_by_timesteps(["2020-09-13T12:31:00:000000"])
            >>> sorted(steps)
            ['Step:ModeKeys.TRAIN']
        """
        times = np.sort(self._parse_times(timestep_list))
        if not len(times):
            return {}, {}, {}
        events = self._events_between(times[0], times[-1], selected_framework_metrics)
        first = np.searchsorted(times, events.start, "right")
        hits = np.searchsorted(times, events.start + events.dur, "left") - first
        name, process, weight = _weigh(events, hits)
        phases = _sum_by_key(process, weight, first, hits > 0)
        detailed = _sum_by_key(name, weight, first, (hits > 0) & ~_contains_step(name))
        training = {phase: total for phase, total in phases.items() if "Step" in phase}
        return _share_of_largest({p: total for p, total in phases.items() if p not in training}), detailed, training

    def get_framework_metrics_by_begin_and_end_timesteps(
        self,
        begin_timestep_list: Sequence[Any],
        end_timestep_list: Sequence[Any],
        selected_framework_metrics: Sequence[str] = (),
    ) -> tuple[dict[str, float], dict[str, float]]:
        """Returns the durations of the events that ran during time windows, such as slow steps; excludes steps.

        An event counts with its whole duration, once for each window that it overlaps.

        Args:
            begin_timestep_list: Starts of the windows, in the form of the frames' times.
            end_timestep_list: Ends of the windows, in the same order.
            selected_framework_metrics: Names of events or phases to include. The default is all.

        Returns:
            Duration by phase and by name of the event, each as a share of the largest one.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> frame = PandasFrame(profile)
            >>> steps = frame.get_all_framework_metrics(["Step:ModeKeys.TRAIN"])[:3]
            >>> windows = steps["start_time"], steps["end_time"]
            >>> max(frame.get_framework_metrics_by_begin_and_end_timesteps(*windows)[0].values())
            1.0
        """
        begins, ends = self._parse_times(begin_timestep_list), self._parse_times(end_timestep_list)
        if not len(begins):
            return {}, {}
        events = self._events_between(begins.min(), ends.max(), selected_framework_metrics)
        end = events.start + events.dur
        hits = np.searchsorted(np.sort(begins), end, "right") - np.searchsorted(np.sort(ends), events.start, "left")
        name, process, weight = _weigh(events, hits)
        first = np.searchsorted(np.maximum.accumulate(ends), events.start, "left")
        counted = (hits > 0) & ~_contains_step(name)
        phases, names = (_share_of_largest(_sum_by_key(key, weight, first, counted)) for key in (process, name))
        return phases, names

    def convert_datetime_to_timestamp(self, timestamp: Any) -> int:  # noqa: ANN401 - text, or any time of pandas
        """Converts a time in the form of the frames to us since the epoch.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> PandasFrame(profile).convert_datetime_to_timestamp("2020-09-13T12:30:00:500000")
            1600000200500000
        """
        return int(self._parse_times([timestamp])[0] // 1_000)

    def _events_between(self, start: int, end: int, selected: Sequence[str]) -> Events:
        self._refresh()
        return Events(self.profile, start, end, list(selected), ["name", "process"])

    def _refresh(self) -> None:
        self.profile.refresh()
        self.start_time = self.profile.start_us

    def _parse_times(self, times: Sequence[Any]) -> NDArray:
        """Converts times in the form of the frames to ns since the epoch."""
        moments = pd.to_datetime(pd.Series(list(times), dtype="object"), format=STAMP, utc=True)
        return moments.dt.as_unit("ns").astype("int64").to_numpy()

    def _system(self, window: tuple[int, int], selected: Sequence[str]) -> tuple[DataFrame, NDArray]:
        samples = Samples(self.profile, *window, list(selected))
        ts = samples.number("ts") // 1_000
        columns = {
            "timestamp": _column.format_timestamps(ts),
            "timestamp_us": ts - self.start_time,
            "value": samples.number("value"),
            "system_metric": _column.text(samples.text("name")),
            "dimension": _column.text(samples.text("dimension", "")),
            "nodeID": _column.text(samples.text("node")),
            "type": _column.text(samples.type()),
        }
        return _column.frame(columns), samples.keys

    def _framework(self, window: tuple[int, int], selected: Sequence[str]) -> tuple[DataFrame, NDArray]:
        columns = ["metric", "process", "pid", "tid", "step", "bytes"]
        events = Events(self.profile, *window, list(selected), columns)
        node, process, metric = events.node, events.process(), events.text("metric", "")
        pid, tid = events.process_id(process), events.thread(node, process)
        step, size = events.number("step", -1), events.number("bytes", -1)
        release_memory()  # the memory of the query result, before the texts are created
        columns_by_name = {
            **self._times(events),
            "tid": tid,
            "pid": pid,
            "framework_metric": _column.text(metric),
            "step": step,
            "bytes": size,
            "process": _column.text(process),
            "nodeID": _column.text(node),
        }
        return _column.frame(columns_by_name), events.keys

    def _times(self, events: Events) -> dict[str, Any]:
        end = events.start + events.dur
        return {
            "start_time": _column.format_timestamps(_round_to_us(events.start)),
            "end_time": _column.format_timestamps(_round_to_us(end)),
            "start_time_us": events.to_us(events.start - self.start_time * 1_000),
            "end_time_us": events.to_us(end - self.start_time * 1_000),
        }

    def _with_cached(self, kind: str, result: tuple[DataFrame, NDArray]) -> DataFrame:
        """Returns all rows of this kind that were requested so far, each once."""
        cached = self._cached[kind]
        cached.append(result)
        frame = pd.concat([frame for frame, _ in cached], ignore_index=True)
        return frame[~pd.Series(np.concatenate([keys for _, keys in cached])).duplicated()]


def _to_ns(us: float) -> int:
    """Converts us to ns, clipped to 64 bits; whole numbers stay exact."""
    minimum, maximum = ALWAYS
    if us * 1_000.0 >= maximum or us * 1_000.0 <= minimum:
        return maximum if us > 0 else minimum
    return int(us // 1) * 1_000 + int(us % 1 * 1_000)


def _round_to_us(ns: NDArray) -> NDArray:
    """Converts ns to us; a half is rounded to the even number."""
    us = ns // 1_000
    rest = ns - us * 1_000
    return us + ((rest > 500) | ((rest == 500) & (us % 2 == 1))) if rest.any() else us  # noqa: PLR2004 - half of 1,000


def _match_names(patterns: Sequence[str], names: set[str]) -> list[str]:
    """Returns the names that match one of the patterns; without a match, a list that selects no name."""
    if not patterns:
        return []
    matches = re.compile("|".join(f"(?:{pattern})" for pattern in patterns)).search
    return sorted(name for name in names if matches(name)) or ["no such name"]


def _is_one_of(text: Array, names: Sequence[str]) -> NDArray:
    """Returns for each row whether its text is one of these names."""
    return _expand(text, [known in names for known in text.dictionary.to_pylist()])


def _contains_step(name: Array) -> NDArray:
    """Returns for each row whether the name of its event contains `Step`."""
    return _expand(name, ["Step" in known for known in name.dictionary.to_pylist()])


def _expand(text: Array, matches: list[bool]) -> NDArray:
    """Expands one flag per text of the dictionary to one flag per row."""
    return np.array(matches, dtype=bool)[text.indices.to_numpy()] if len(text) else np.zeros(0, dtype=bool)


def _weigh(events: Events, hits: NDArray) -> tuple[Array, Array, NDArray]:
    """Returns name and phase of each event, and its duration in us times the number of hits."""
    return events.text("name", ""), events.process(), events.to_us(events.dur) * np.maximum(hits, 0)


def _sum_by_key(key: Array, weight: NDArray, first: NDArray, counted: NDArray) -> dict[str, float]:
    """Returns the sum of the counted weights by key; the keys are in the order of their first occurrence."""
    codes = key.indices.to_numpy()[counted]
    names = key.dictionary.to_pylist()
    total = np.bincount(codes, weights=weight[counted], minlength=len(names)).astype(weight.dtype)
    first_seen = pd.unique(pd.Series(codes[np.argsort(first[counted], kind="stable")]))
    return {names[code]: total[code].item() for code in first_seen}


def _share_of_largest(totals: dict[str, float]) -> dict[str, float]:
    """Returns each value as a share of the largest one."""
    largest = max(totals.values(), default=0)
    return {name: total / largest for name, total in totals.items()}
