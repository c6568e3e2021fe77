"""System metrics for charts: one series per node, dimension and name, in the order of the files."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _plot

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tracelake.smdebug._profile import Profile

# A row per series. Missing texts are empty and not null, because they become names. All lists of a row have the same
# order.
SERIES = """
select coalesce(node, '') as node, coalesce(raw_dimension, '') as dimension, coalesce(raw_name, '') as name,
    coalesce(resource, '') as resource, coalesce(unit, '') as unit, array_agg(ts) as ts, array_agg(value) as value,
    array_agg(object) as object, array_agg("row") as "row"
from sample
where run = $run and ts >= $start and ts <= $end
    and object in (select object from object where run = $run and format = 'sagemaker_system')
group by 1, 2, 3, 4, 5
"""
KEYS = ("node", "dimension", "name", "resource", "unit")
LAST_US = (2**63 - 1) // 1000


class SeriesStyle(NamedTuple):
    """The properties that determine how a series is drawn: the color of its resource, and the unit of its axis."""

    resource: str
    unit: str


class Series(NamedTuple):
    """The measurements of one metric: a name in one dimension of a node."""

    node: str
    dimension: str
    name: str
    style: SeriesStyle
    time: np.ndarray
    """Times, s since the Unix epoch, in the order of the files."""
    value: np.ndarray
    """Values as recorded, float64; NaN where null was recorded."""


def read_series(profile: Profile, start_us: float, end_us: float | None) -> list[Series]:
    """Returns the series between two times (inclusive), in the order of their first occurrence in the files.

    Args:
        profile: The profile.
        start_us: First time, us since the Unix epoch.
        end_us: Last time; None for no limit.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> series = _samples.read_series(Profile(profile), 0, None)
        >>> {(one.dimension, one.name): len(one.time) for one in series}["CPUUtilization", "cpu0"]
        133
    """
    last = LAST_US if end_us is None else min(int(end_us), LAST_US)
    table = profile.arrow(SERIES, run=profile.run, start=int(start_us) * 1000, end=last * 1000)
    if table.num_rows == 0:
        return []
    lists: Any = {name: table[name].combine_chunks() for name in ("ts", "value", "object", "row")}
    ends = np.cumsum(lists["ts"].value_lengths().to_numpy())[:-1]
    ts, value, objects, rows = (
        np.split(lists[name].flatten().to_numpy(zero_copy_only=False), ends)
        for name in ("ts", "value", "object", "row")
    )
    files = profile.files("system")["object"].to_numpy()
    positions = np.zeros(files.max() + 1, dtype=np.int64)
    positions[files] = np.arange(len(files))
    series_by_first_row: list[tuple[tuple[int, int], Series]] = []
    keys = zip(*(table[key].to_pylist() for key in KEYS), strict=True)
    for number, (node, dimension, name, resource, unit) in enumerate(keys):
        order = np.lexsort((rows[number], positions[objects[number]]))
        first = int(positions[objects[number][order[0]]]), int(rows[number][order[0]])
        time, values = to_seconds(ts[number][order]), value[number][order].astype(np.float64)
        series_by_first_row.append((first, Series(node, dimension, name, SeriesStyle(resource, unit), time, values)))
    return [series for _, series in sorted(series_by_first_row, key=itemgetter(0))]


def to_seconds(ts: np.ndarray) -> np.ndarray:
    """Converts times in ns to seconds, each rounded to the nearest float.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.to_seconds(np.array([1_600_000_201_008_897_000])).tolist()
        [1600000201.008897]
    """
    whole, rest = np.divmod(ts, 1_000_000_000)
    return whole + rest / 1e9


def mean_series(series: Sequence[Series]) -> list[Series]:
    """Returns for each dimension of a node the mean over all names, sample by sample, with the name "total".

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> look, time = _samples.SeriesStyle("cpu", "percent"), np.array([1.0, 2.0])
        >>> cores = [
        ...     _samples.Series("algo-1", "CPU", name, look, time, value)
        ...     for name, value in [("cpu0", np.array([10.0, 20.0])), ("cpu1", np.array([30.0, 0.0]))]
        ... ]
        >>> _samples.mean_series(cores)[0].value.tolist()
        [20.0, 10.0]
    """
    groups: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        groups.setdefault((one.node, one.dimension), []).append(one)
    means: list[Series] = []
    for (node, dimension), parts in groups.items():
        looks = {one.style for one in parts}
        look = looks.pop() if len(looks) == 1 else SeriesStyle(parts[0].style.resource, "mixed")
        time, value = mean_by_position([one.time for one in parts]), mean_by_position([one.value for one in parts])
        means.append(Series(node, dimension, "total", look, time, value))
    return means


def group_series(series: Sequence[Series], *, show_workers: bool) -> dict[str, dict[str, list[Series]]]:
    """Returns the series and their means by dimension and name; with `show_workers`, separately for each node.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> look, time = _samples.SeriesStyle("cpu", "percent"), np.array([1.0])
        >>> series = [_samples.Series("algo-1", "CPU", "cpu0", look, time, time)]
        >>> {key: list(names) for key, names in _samples.group_series(series, show_workers=True).items()}
        {'CPU-nodeid:algo-1': ['cpu0', 'total']}
    """
    groups: dict[str, dict[str, list[Series]]] = {}
    for one in [*series, *mean_series(series)]:
        key = f"{one.dimension}-nodeid:{one.node}" if show_workers else one.dimension
        groups.setdefault(key, {}).setdefault(one.name, []).append(one)
    return groups


class MetricsChart(_plot.Chart):
    """The base class of charts of system metrics by dimension and name."""

    select_dimensions: list[str]
    select_events: list[str]
    show_workers: bool

    def _group(self, series: Sequence[Series]) -> dict[str, dict[str, list[Series]]]:
        """Groups the series, and selects the dimensions and names to draw."""
        groups = group_series(series, show_workers=self.show_workers)
        self._styles = {(key, name): parts[0].style for key, names in groups.items() for name, parts in names.items()}
        available = dict.fromkeys(name for names in groups.values() for name in names)
        selected = select_names(self.select_dimensions, self.select_events, groups, available)
        self.filtered_dimensions, self.filtered_events = selected
        return groups

    def _filter(self, metrics: dict[str, dict[str, np.ndarray]]) -> dict[str, dict[str, np.ndarray]]:
        """Returns the metrics of the selected dimensions and names."""
        return {
            dimension: {name: values for name, values in names.items() if name in self.filtered_events}
            for dimension, names in metrics.items()
            if dimension in self.filtered_dimensions
        }


def last_time_us(series: Sequence[Series]) -> int:
    """Returns the latest time in us; 0 without series.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.last_time_us([])
        0
    """
    return round(max((one.time.max() for one in series), default=0) * 1e6)


def mean_by_position(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """Returns the mean of the first elements, of the second elements, and so on; ignores NaN and missing elements.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.mean_by_position([np.array([1.0, 2.0, 3.0]), np.array([3.0, np.nan])]).tolist()
        [2.0, 2.0, 3.0]
    """
    length = max((len(array) for array in arrays), default=0)
    total, count = np.zeros(length), np.zeros(length)
    for array in arrays:
        known = ~np.isnan(array)
        total[: len(array)] += np.where(known, array, 0)
        count[: len(array)] += known
    return np.divide(total, count, out=np.full(length, np.nan), where=count > 0)


def select_names(
    select_dimensions: Sequence[str], select_events: Sequence[str], dimensions: Iterable[str], names: Iterable[str]
) -> tuple[set[str], set[str]]:
    """Returns the dimensions and the names that match one of the regular expressions; prints them, as smdebug does.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.select_names(["CPU", "^io"], [".*"], ["CPUUtilization", "GPUUtilization"], ["cpu0"])
        select events:['.*']
        select dimensions:['CPU', '^io']
        filtered_events:{'cpu0'}
        filtered_dimensions:{'CPUUtilization'}
        ({'CPUUtilization'}, {'cpu0'})
    """
    print(f"select events:{select_events}")
    print(f"select dimensions:{select_dimensions}")
    events = _match_names([".*" + pattern for pattern in select_events], names)
    print(f"filtered_events:{events}")
    matched = _match_names(select_dimensions, dimensions)
    print(f"filtered_dimensions:{matched}")
    return matched, events


def _match_names(patterns: Iterable[str], names: Iterable[str]) -> set[str]:
    known = list(names)
    return {name for pattern in patterns for name in filter(re.compile(pattern).search, known)}


def chart_end(profile: Profile, kind: str, end: float | None, minimum: float = 0) -> float | None:
    """Returns the end of a chart for the requested `end`; None means no limit. All times are in us.

    Notebooks pass the time of the newest file, which means no limit: for system metrics, that time is the start of a
    minute, before the samples of the file. `minimum` is the previous end, so that a chart never shows less than before.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> p = Profile(profile)
        >>> newest = 1600000320000000
        >>> _samples.chart_end(p, "system", newest), _samples.chart_end(p, "system", newest + 1)
        (None, 1600000320000001)
        >>> _samples.chart_end(p, "system", newest - 5, minimum=newest - 3) == newest - 3
        True
    """
    if end is None or end == max(profile.files(kind)["ts_us"].tolist(), default=0):
        return None
    return max(minimum, end)
