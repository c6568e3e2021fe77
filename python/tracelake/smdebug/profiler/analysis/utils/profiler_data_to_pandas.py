"""System and framework metrics of a profile as DataFrames."""

from __future__ import annotations

import os
import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tracelake.smdebug import _column
from tracelake.smdebug._libraries import DataFrame, NDArray, np, pd
from tracelake.smdebug._memory import give_back
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
    """A profile whose metrics are asked for as DataFrames.

    Columns that end in `_us` count from `start_time`. Times as text are UTC. Every line of the profile is a row, also
    one that says the same as another one.

    Args:
        path: Root of the profile: a local path or an `s3://` address.
        use_in_memory_cache: Without effect: what was read once is in the lake.
        scan_interval: Without effect: answers do not depend on it.

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
        """A reader of system metrics for the same path, as charts take it."""
        from tracelake.smdebug.profiler import system_metrics_reader  # noqa: PLC0415 - only charts need it

        return system_metrics_reader.open_reader(self.path)

    @cached_property
    def framework_metrics_reader(self) -> Any:  # noqa: ANN401 - one for local paths or one for S3
        """A reader of framework metrics for the same path, as charts take it."""
        from tracelake.smdebug.profiler import algorithm_metrics_reader  # noqa: PLC0415 - only charts need it

        return algorithm_metrics_reader.open_reader(self.path, use_in_memory_cache=self._use_in_memory_cache)

    def get_all_system_metrics(self, selected_system_metrics: Sequence[str] = ()) -> DataFrame:
        """All system metrics.

        Args:
            selected_system_metrics: Names (`cpu0`, `gpu0`, `MemoryUsedPercent`, ...) to be left with; all without any.

        Returns:
            A row per sample: `timestamp`, `timestamp_us`, `value` (percent, or what the metric's name says),
            `system_metric`, `dimension`, `nodeID`, `type`; file by file.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> PandasFrame(profile).get_all_system_metrics(["gpu0"])["dimension"].unique().tolist()
            ['GPUUtilization', 'GPUMemoryUtilization']
        """
        self._refresh()
        return self._system(ALWAYS, selected_system_metrics)[0]

    def get_all_framework_metrics(self, selected_framework_metrics: Sequence[str] = ()) -> DataFrame:
        """All framework metrics: what the hook in the training script and the frameworks themselves recorded.

        Args:
            selected_framework_metrics: Names of events or phases to be left with; all without any.

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
        """All framework metrics with what data loaders say.

        Args:
            selected_framework_metrics: Regular expressions, of which one has to be found in the name of an event or of
                its phase; all events without any.

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
        return self.get_dataloader_metrics_of([selected_framework_metrics])[0]

    def get_dataloader_metrics_of(self, selections: Sequence[Sequence[str]]) -> list[DataFrame]:
        """What `get_all_dataloader_metrics` gives for each of several selections, in one reading.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> selections = [["DataLoaderIter::GetNext"], ["DataLoaderWorker"]]
            >>> [len(frame) for frame in PandasFrame(profile).get_dataloader_metrics_of(selections)]
            [220, 32]
        """
        self._refresh()
        found = self.profile.arrow(NAMES, run=self.profile.run).to_pydict()
        each = [_matching(patterns, {*found["name"], *found["track"]}) for patterns in selections]
        selected = sorted({name for names in each for name in names}) if all(each) else []
        columns = ["name", "metric", "process", "pid", "step", "worker", "workers", "pin_memory"]
        events = Events(self.profile, *ALWAYS, selected, columns)
        times, name, process = self._times(events), events.text("name", ""), events.process()
        made = {
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
        frame = _column.frame(made)
        if len(each) == 1:
            return [frame]
        rows = [_among(name, names) | _among(process, names) if names else slice(None) for names in each]
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
        """Metrics of a range of time, both ends included; events that reach into it are in it.

        Args:
            start_time_us: Begin, in us since the epoch.
            end_time_us: End, in us since the epoch.
            cache_metrics: Gives what such calls asked for before as well, each row once.
            selected_framework_metrics: As for `get_all_framework_metrics`.
            selected_system_metrics: As for `get_all_system_metrics`.
            get_framework_metrics: Whether to read framework metrics; else their frame has no rows.
            get_system_metrics: Whether to read system metrics; else their frame has no rows.

        Returns:
            System metrics and framework metrics, as `get_all_system_metrics` and `get_all_framework_metrics` give them.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> frame = PandasFrame(profile)
            >>> start = frame.start_time + 60_000_000
            >>> [len(part) for part in frame.get_profiler_data_by_time(start, start + 1_000_000)]
            [28, 14]
        """
        self._refresh()
        window = _ns(start_time_us), _ns(end_time_us)
        system = self._system(window if get_system_metrics else NEVER, selected_system_metrics)
        framework = self._framework(window if get_framework_metrics else NEVER, selected_framework_metrics)
        if not cache_metrics:
            return system[0], framework[0]
        return self._with_cached("system", system), self._with_cached("framework", framework)

    def get_profiler_data_by_step(
        self, start_step: int, end_step: int, cache_metrics: bool = False
    ) -> tuple[DataFrame, DataFrame]:
        """Metrics of a range of steps, both ends included.

        Args:
            start_step: First step.
            end_step: Last step.
            cache_metrics: Without effect, as in smdebug.

        Returns:
            System metrics between the begin of the first and the end of the last of these events, and the framework
            metrics that carry such a step; the index is that of all metrics.

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
        """What ran at given moments, such as those of system metrics that stand out.

        An event counts with its whole duration, once for each of the moments that lie within it.

        Args:
            timestep_list: Moments, in the form of the frames' times.
            selected_framework_metrics: Names of events or phases to be left with; all without any.

        Returns:
            Duration by phase, as a share of the largest one; in us by name of the event; in us by mode of the steps.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> _, _, steps = PandasFrame(profile).get_framework_metrics_by_timesteps(["2020-09-13T12:31:00:000000"])
            >>> sorted(steps)
            ['Step:ModeKeys.TRAIN']
        """
        times = np.sort(self._moments(timestep_list))
        if not len(times):
            return {}, {}, {}
        self._refresh()
        columns = ["name", "process"]
        events = Events(self.profile, times[0], times[-1], list(selected_framework_metrics), columns)
        first = np.searchsorted(times, events.start, "right")
        hits = np.searchsorted(times, events.start + events.dur, "left") - first
        name, process = events.text("name", ""), events.process()
        weight = events.us(events.dur) * np.maximum(hits, 0)
        phases = _totals(process, weight, first, hits > 0)
        detailed = _totals(name, weight, first, (hits > 0) & ~_says_step(name))
        training = {phase: total for phase, total in phases.items() if "Step" in phase}
        return _shares({p: total for p, total in phases.items() if p not in training}), detailed, training

    def get_framework_metrics_by_begin_and_end_timesteps(
        self,
        begin_timestep_list: Sequence[Any],
        end_timestep_list: Sequence[Any],
        selected_framework_metrics: Sequence[str] = (),
    ) -> tuple[dict[str, float], dict[str, float]]:
        """What ran during given windows, such as steps that took long; steps themselves are left out.

        An event counts with its whole duration, once for each of the windows that it reaches into.

        Args:
            begin_timestep_list: Begins of the windows, in the form of the frames' times.
            end_timestep_list: Their ends, in the same order.
            selected_framework_metrics: Names of events or phases to be left with; all without any.

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
        begins, ends = self._moments(begin_timestep_list), self._moments(end_timestep_list)
        if not len(begins):
            return {}, {}
        self._refresh()
        columns = ["name", "process"]
        events = Events(self.profile, begins.min(), ends.max(), list(selected_framework_metrics), columns)
        end = events.start + events.dur
        hits = np.searchsorted(np.sort(begins), end, "right") - np.searchsorted(np.sort(ends), events.start, "left")
        name, process = events.text("name", ""), events.process()
        weight = events.us(events.dur) * np.maximum(hits, 0)
        first = np.searchsorted(np.maximum.accumulate(ends), events.start, "left")
        counted = (hits > 0) & ~_says_step(name)
        return _shares(_totals(process, weight, first, counted)), _shares(_totals(name, weight, first, counted))

    def convert_datetime_to_timestamp(self, timestamp: Any) -> int:  # noqa: ANN401 - text, or any time of pandas
        """A time in the form of the frames, in us since the epoch.

        Example:
            >>> from tracelake.smdebug.profiler.analysis.utils.profiler_data_to_pandas import PandasFrame
            >>> PandasFrame(profile).convert_datetime_to_timestamp("2020-09-13T12:30:00:500000")
            1600000200500000
        """
        return int(self._moments([timestamp])[0] // 1_000)

    def _refresh(self) -> None:
        self.profile.refresh()
        self.start_time = self.profile.start_us

    def _moments(self, times: Sequence[Any]) -> NDArray:
        """Times in the form of the frames, in ns since the epoch."""
        moments = pd.to_datetime(pd.Series(list(times), dtype="object"), format=STAMP, utc=True)
        return moments.dt.as_unit("ns").astype("int64").to_numpy()

    def _system(self, window: tuple[int, int], selected: Sequence[str]) -> tuple[DataFrame, NDArray]:
        samples = Samples(self.profile, *window, list(selected))
        ts = samples.number("ts") // 1_000
        made = {
            "timestamp": _column.stamps(ts),
            "timestamp_us": ts - self.start_time,
            "value": samples.number("value"),
            "system_metric": _column.text(samples.text("name")),
            "dimension": _column.text(samples.text("dimension", "")),
            "nodeID": _column.text(samples.text("node")),
            "type": _column.text(samples.type()),
        }
        return _column.frame(made), samples.keys

    def _framework(self, window: tuple[int, int], selected: Sequence[str]) -> tuple[DataFrame, NDArray]:
        columns = ["metric", "process", "pid", "tid", "step", "bytes"]
        events = Events(self.profile, *window, list(selected), columns)
        node, process, metric = events.node, events.process(), events.text("metric", "")
        pid, tid = events.process_id(process), events.thread(node, process)
        step, size = events.number("step", -1), events.number("bytes", -1)
        give_back()  # that of the answer, before there are texts
        made = {
            **self._times(events),
            "tid": tid,
            "pid": pid,
            "framework_metric": _column.text(metric),
            "step": step,
            "bytes": size,
            "process": _column.text(process),
            "nodeID": _column.text(node),
        }
        return _column.frame(made), events.keys

    def _times(self, events: Events) -> dict[str, Any]:
        end = events.start + events.dur
        return {
            "start_time": _column.stamps(_rounded(events.start)),
            "end_time": _column.stamps(_rounded(end)),
            "start_time_us": events.us(events.start - self.start_time * 1_000),
            "end_time_us": events.us(end - self.start_time * 1_000),
        }

    def _with_cached(self, kind: str, found: tuple[DataFrame, NDArray]) -> DataFrame:
        """All rows of this kind that were asked for so far, each once."""
        cached = self._cached[kind]
        cached.append(found)
        frame = pd.concat([frame for frame, _ in cached], ignore_index=True)
        return frame[~pd.Series(np.concatenate([keys for _, keys in cached])).duplicated()]


def _ns(us: float) -> int:
    """A time in ns, not further away than 64 bits can say; all digits of whole numbers count."""
    least, most = ALWAYS
    if us * 1_000.0 >= most or us * 1_000.0 <= least:
        return most if us > 0 else least
    return int(us // 1) * 1_000 + int(us % 1 * 1_000)


def _rounded(ns: NDArray) -> NDArray:
    """Times in us, a half to the even one."""
    us = ns // 1_000
    rest = ns - us * 1_000
    return us + ((rest > 500) | ((rest == 500) & (us % 2 == 1))) if rest.any() else us  # noqa: PLR2004 - half of 1,000


def _matching(patterns: Sequence[str], names: set[str]) -> list[str]:
    """Names in which one of the patterns is found; a list of no name if there is none."""
    if not patterns:
        return []
    matches = re.compile("|".join(f"(?:{pattern})" for pattern in patterns)).search
    return sorted(name for name in names if matches(name)) or ["no such name"]


def _among(text: Array, names: Sequence[str]) -> NDArray:
    """Whether a text is one of these."""
    return _rows(text, [known in names for known in text.dictionary.to_pylist()])


def _says_step(name: Array) -> NDArray:
    """Whether the name of an event has `Step` in it."""
    return _rows(name, ["Step" in known for known in name.dictionary.to_pylist()])


def _rows(text: Array, answers: list[bool]) -> NDArray:
    """The answer for the text of each row, from those for its dictionary."""
    return np.array(answers, dtype=bool)[text.indices.to_numpy()] if len(text) else np.zeros(0, dtype=bool)


def _totals(key: Array, weight: NDArray, first: NDArray, counted: NDArray) -> dict[str, float]:
    """Sum of the weights of what is counted by key; the keys in the order in which they are met first."""
    codes = key.indices.to_numpy()[counted]
    names = key.dictionary.to_pylist()
    total = np.bincount(codes, weights=weight[counted], minlength=len(names)).astype(weight.dtype)
    met = pd.unique(pd.Series(codes[np.argsort(first[counted], kind="stable")]))
    return {names[code]: total[code].item() for code in met}


def _shares(totals: dict[str, float]) -> dict[str, float]:
    """Parts of the largest."""
    most = max(totals.values(), default=0)
    return {name: total / most for name, total in totals.items()}
