"""System metrics as the charts need them: one series per node, dimension and name, in the order of the files."""

from __future__ import annotations

import re
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tracelake.smdebug._profile import Profile

__all__ = ["Look", "Series", "bound", "end_us", "grouped", "mean", "read", "seconds", "selected", "totals"]

# A row per series. Texts are empty, not null, where nothing was written: they become names. All lists of a row are in
# the same order.
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


class Look(NamedTuple):
    """What tells how a series is drawn: the resource gives the color, the unit stands at the axis."""

    resource: str
    unit: str


class Series(NamedTuple):
    """What was measured under one name of one dimension of a node."""

    node: str
    dimension: str
    name: str
    look: Look
    time: np.ndarray
    """Times, s since the Unix epoch, in the order of the files."""
    value: np.ndarray
    """Values as recorded, float64; NaN where null was recorded."""


def read(profile: Profile, start_us: float, end_us: float | None) -> list[Series]:
    """The series between two times, both inclusive, in the order in which the files name them first.

    Args:
        profile: The profile.
        start_us: First time, us since the Unix epoch.
        end_us: Last time; None for all that is there.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> series = _samples.read(Profile(profile), 0, None)
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
    place = np.zeros(files.max() + 1, dtype=np.int64)
    place[files] = np.arange(len(files))
    found: list[tuple[tuple[int, int], Series]] = []
    keys = zip(*(table[key].to_pylist() for key in KEYS), strict=True)
    for number, (node, dimension, name, resource, unit) in enumerate(keys):
        order = np.lexsort((rows[number], place[objects[number]]))
        first = int(place[objects[number][order[0]]]), int(rows[number][order[0]])
        time, values = seconds(ts[number][order]), value[number][order].astype(np.float64)
        found.append((first, Series(node, dimension, name, Look(resource, unit), time, values)))
    return [series for _, series in sorted(found, key=itemgetter(0))]


def seconds(ts: np.ndarray) -> np.ndarray:
    """Times in ns as seconds, each the float that is next to it.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.seconds(np.array([1_600_000_201_008_897_000])).tolist()
        [1600000201.008897]
    """
    whole, rest = np.divmod(ts, 1_000_000_000)
    return whole + rest / 1e9


def totals(series: Sequence[Series]) -> list[Series]:
    """For every dimension of a node its mean over all names, sample by sample, under the name "total".

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> look, time = _samples.Look("cpu", "percent"), np.array([1.0, 2.0])
        >>> cores = [
        ...     _samples.Series("algo-1", "CPU", name, look, time, value)
        ...     for name, value in [("cpu0", np.array([10.0, 20.0])), ("cpu1", np.array([30.0, 0.0]))]
        ... ]
        >>> _samples.totals(cores)[0].value.tolist()
        [20.0, 10.0]
    """
    groups: dict[tuple[str, str], list[Series]] = {}
    for one in series:
        groups.setdefault((one.node, one.dimension), []).append(one)
    made: list[Series] = []
    for (node, dimension), parts in groups.items():
        looks = {one.look for one in parts}
        look = looks.pop() if len(looks) == 1 else Look(parts[0].look.resource, "mixed")
        time, value = mean([one.time for one in parts]), mean([one.value for one in parts])
        made.append(Series(node, dimension, "total", look, time, value))
    return made


def grouped(series: Sequence[Series], *, show_workers: bool) -> dict[str, dict[str, list[Series]]]:
    """The series and their totals by dimension and name; dimensions are those of each node, or of all together.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> look, time = _samples.Look("cpu", "percent"), np.array([1.0])
        >>> series = [_samples.Series("algo-1", "CPU", "cpu0", look, time, time)]
        >>> {key: list(names) for key, names in _samples.grouped(series, show_workers=True).items()}
        {'CPU-nodeid:algo-1': ['cpu0', 'total']}
    """
    groups: dict[str, dict[str, list[Series]]] = {}
    for one in [*series, *totals(series)]:
        key = f"{one.dimension}-nodeid:{one.node}" if show_workers else one.dimension
        groups.setdefault(key, {}).setdefault(one.name, []).append(one)
    return groups


def end_us(series: Sequence[Series]) -> int:
    """The last time of all, in us; 0 if there is none.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.end_us([])
        0
    """
    return round(max((one.time.max() for one in series), default=0) * 1e6)


def mean(arrays: Sequence[np.ndarray]) -> np.ndarray:
    """The mean of the first elements, of the second ones, and so on, over the arrays that have one; NaN is none.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.mean([np.array([1.0, 2.0, 3.0]), np.array([3.0, np.nan])]).tolist()
        [2.0, 2.0, 3.0]
    """
    length = max((len(array) for array in arrays), default=0)
    total, count = np.zeros(length), np.zeros(length)
    for array in arrays:
        known = ~np.isnan(array)
        total[: len(array)] += np.where(known, array, 0)
        count[: len(array)] += known
    return np.divide(total, count, out=np.full(length, np.nan), where=count > 0)


def selected(
    select_dimensions: Sequence[str], select_events: Sequence[str], dimensions: Iterable[str], names: Iterable[str]
) -> tuple[set[str], set[str]]:
    """The dimensions, and the names, in which one of the regular expressions is found; says so, as smdebug does.

    Example:
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> _samples.selected(["CPU", "^io"], [".*"], ["CPUUtilization", "GPUUtilization"], ["cpu0"])
        select events:['.*']
        select dimensions:['CPU', '^io']
        filtered_events:{'cpu0'}
        filtered_dimensions:{'CPUUtilization'}
        ({'CPUUtilization'}, {'cpu0'})
    """
    print(f"select events:{select_events}")
    print(f"select dimensions:{select_dimensions}")
    events = _matching([".*" + pattern for pattern in select_events], names)
    print(f"filtered_events:{events}")
    found = _matching(select_dimensions, dimensions)
    print(f"filtered_dimensions:{found}")
    return found, events


def _matching(patterns: Iterable[str], names: Iterable[str]) -> set[str]:
    known = list(names)
    return {name for pattern in patterns for name in filter(re.compile(pattern).search, known)}


def bound(profile: Profile, kind: str, until: float | None, shown: float = 0) -> float | None:
    """Up to where a chart is drawn that is asked to go on `until`; None means all there is. All times in us.

    The time of the newest file, which is what notebooks hand over, means all there is: of system metrics it is the
    minute that the file begins with. A chart never shows less than before, which was what came before `shown`.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _samples
        >>> p = Profile(profile)
        >>> newest = 1600000320000000
        >>> _samples.bound(p, "system", newest), _samples.bound(p, "system", newest + 1)
        (None, 1600000320000001)
        >>> _samples.bound(p, "system", newest - 5, shown=newest - 3) == newest - 3
        True
    """
    if until is None or until == max(profile.files(kind)["ts_us"].tolist(), default=0):
        return None
    return max(shown, until)
