"""What data loaders and framework did in a range of times, every event as a bar."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _events, _sheet

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from tracelake.smdebug._profile import Profile

__all__ = ["bars", "figure", "rows"]

MS = 1_000_000  # ns
LINE, LINES = 20, 200  # pixels of a line, and how many have a label
HOVER = "%{customdata[0]}<br>from %{customdata[1]}, %{customdata[2]:,.3f} ms<extra></extra>"
BARS = 10_000  # of one chart: more are a grey field, and a browser that does not answer
EVENTS = """
, classed as (
    select *, extract_arg(args, 'worker_id') as worker, extract_arg(args, 'bytes_fetched') as bytes from framework
)
select place, name, phase, ts, dur, case
        when worker is null and bytes is null then phase
        when bytes is null then 'worker ' || worker
        when tid is not null then 'thread ' || tid
        else node || ' ' || phase
    end as label
from classed
where (worker is not null or bytes is not null) = $loader
order by ts, place
limit $limit
"""


def bars(profile: Profile, begin: float, end: float, *, loader: bool) -> pd.DataFrame:
    """The events that overlap a range, in the order of the files: the first 10,000 of them by time.

    Args:
        profile: The profile.
        begin: First time, s since the Unix epoch.
        end: Last time, inclusive too.
        loader: Whether events of data loaders are meant, which name a worker or bytes, or all others.

    Returns:
        A row per event: `name`, `phase`, `ts`, `dur` (ns), `label` (what it is drawn beside: of a loader its worker or
        thread, else the phase), `line` (number of the label, from 0).

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> found = _detail.bars(Profile(profile), 1600000250, 1600000251, loader=True)
        >>> sorted(found["label"].unique())[:2]
        ['worker 0', 'worker 1']
    """
    found = _events.asked(profile, EVENTS, begin * 1e6, end * 1e6, loader=loader, limit=BARS + 1)
    if len(found) > BARS:
        print(f"Reached more than {BARS} datapoints. Will only plot the first {BARS} of the given timerange")
        found = found.iloc[:BARS]
    found = found.sort_values("place", ignore_index=True)
    return found.assign(line=found["label"].factorize()[0])


def rows(found: pd.DataFrame, by: str) -> dict[str, list[list[int]]]:
    """The bars by name or phase, each as start and end (whole ms since the Unix epoch) and line.

    Example:
        >>> import pandas as pd
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> _detail.rows(pd.DataFrame({"name": ["a"], "ts": [5_999_999], "dur": [1], "line": [0]}), "name")
        {'a': [[5, 6, 0]]}
    """
    table = np.column_stack([found["ts"] // MS, (found["ts"] + found["dur"]) // MS, found["line"]])
    codes, keys = found[by].factorize()
    return {str(key): table[codes == code].tolist() for code, key in enumerate(keys)}


def figure(loader: pd.DataFrame, framework: pd.DataFrame, begin: float, end: float) -> go.Figure:
    """Both charts below each other, over the same time.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> p, begin, end = Profile(profile), 1600000250, 1600000251
        >>> loader, framework = (_detail.bars(p, begin, end, loader=flag) for flag in (True, False))
        >>> len(_detail.figure(loader, framework, begin, end).data) > 2
        True
    """
    both = [("data loaders", loader, "name"), ("framework, by phase", framework, "phase")]
    panels = [_panel(label, found, by, begin, end) for label, found, by in both if len(found)]
    most = max(found["label"].nunique() for found in (loader, framework))
    notes = [f"{len(loader):,} events of data loaders, {len(framework):,} of the framework, each a bar"]
    if BARS in {len(loader), len(framework)}:
        notes.append(f"no more than {BARS:,} of either are drawn, the first ones: select a shorter time to see all")
    height = max(LINE * min(most, LINES), 120)
    return _sheet.figure("Events of the selected time", notes, panels, height=height, shared=True)


def _clock(ts: pd.Series) -> np.ndarray:
    """Time of day with us, UTC, of times in ns."""
    return np.char.partition(np.datetime_as_string((ts.to_numpy() // 1000).astype("M8[us]")), "T")[:, 2]


def _panel(label: str, found: pd.DataFrame, by: str, begin: float, end: float) -> _sheet.Panel:
    traces: list[dict[str, Any]] = []
    codes, keys = found[by].factorize()
    longest = np.zeros(len(keys))
    np.maximum.at(longest, codes, found["dur"])
    for code in np.argsort(-longest, kind="stable"):  # short ones over long ones
        key, some = str(keys[code]), found[codes == code]
        ms = some["dur"].to_numpy() / MS
        color = _sheet.of_phase(key)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": escape(key),
                "base": some["ts"].to_numpy() / MS,
                "x": ms,
                "y": some["line"].to_numpy(),
                "customdata": np.column_stack([some["name"].map(escape), _clock(some["ts"]), ms.round(3)]),
                "marker": {"color": color, "opacity": 0.6, "line": {"color": color, "width": 0.6}},
                "hovertemplate": HOVER,
            }
        )
    names = found.drop_duplicates("line").sort_values("line")["label"].map(escape).tolist()
    every = -(-len(names) // LINES)
    ticks = {"tickvals": list(range(0, len(names), every)), "ticktext": names[::every]}
    lines = _sheet.axis("", range=[len(names) - 0.4, -0.6], **ticks)
    time = _sheet.axis("time (UTC)", type="date", range=[begin * 1e3, end * 1e3], nticks=8)
    return _sheet.Panel(label, traces, time, {**lines, "tickfont": {"size": 10}})
