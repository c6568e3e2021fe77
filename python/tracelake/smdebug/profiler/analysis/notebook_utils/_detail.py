"""The events of data loaders and of the framework in a time range, each drawn as a bar."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from tracelake.smdebug.profiler.analysis.notebook_utils import _events, _plot

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from tracelake.smdebug._profile import Profile

MS = 1_000_000  # ns
LINE, LINES = 20, 200  # height of a line in pixels, and the maximum number of labels
HOVER = "%{customdata[0]}<br>from %{customdata[1]}, %{customdata[2]:,.3f} ms<extra></extra>"
BARS = 10_000  # per chart; more bars look like a gray area, and the browser stops responding
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


def read_bars(profile: Profile, begin: float, end: float, *, loader: bool) -> pd.DataFrame:
    """Returns the events that overlap a time range, in the order of the files; at most the first 10,000 by time.

    Args:
        profile: The profile.
        begin: First time, s since the Unix epoch.
        end: Last time (inclusive).
        loader: True for events of data loaders, which have a worker or bytes; False for all others.

    Returns:
        A row per event: `name`, `phase`, `ts`, `dur` (ns), `label` (text next to the line: worker or thread of a
        loader, else the phase), `line` (number of the label, from 0).

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> bars = _detail.read_bars(Profile(profile), 1600000250, 1600000251, loader=True)
        >>> sorted(bars["label"].unique())[:2]
        ['worker 0', 'worker 1']
    """
    bars = _events.query_events(profile, EVENTS, begin * 1e6, end * 1e6, loader=loader, limit=BARS + 1)
    if len(bars) > BARS:
        print(f"Reached more than {BARS} datapoints. Will only plot the first {BARS} of the given timerange")
        bars = bars.iloc[:BARS]
    bars = bars.sort_values("place", ignore_index=True)
    return bars.assign(line=bars["label"].factorize()[0])


def group_bars(bars: pd.DataFrame, column: str) -> dict[str, list[list[int]]]:
    """Returns the bars by name or phase, each as start, end (whole ms since the Unix epoch) and line.

    Example:
        >>> import pandas as pd
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> _detail.group_bars(pd.DataFrame({"name": ["a"], "ts": [5_999_999], "dur": [1], "line": [0]}), "name")
        {'a': [[5, 6, 0]]}
    """
    table = np.column_stack([bars["ts"] // MS, (bars["ts"] + bars["dur"]) // MS, bars["line"]])
    codes, keys = bars[column].factorize()
    return {str(key): table[codes == code].tolist() for code, key in enumerate(keys)}


def figure(loader: pd.DataFrame, framework: pd.DataFrame, begin: float, end: float) -> go.Figure:
    """Returns a figure with both charts, one below the other, with a common time axis.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _detail
        >>> p, begin, end = Profile(profile), 1600000250, 1600000251
        >>> loader, framework = (_detail.read_bars(p, begin, end, loader=flag) for flag in (True, False))
        >>> len(_detail.figure(loader, framework, begin, end).data) > 2
        True
    """
    charts = [("data loaders", loader, "name"), ("framework, by phase", framework, "phase")]
    panels = [_panel(label, bars, column, begin, end) for label, bars, column in charts if len(bars)]
    line_count = max(bars["label"].nunique() for bars in (loader, framework))
    notes = [f"{len(loader):,} events of data loaders, {len(framework):,} of the framework, each a bar"]
    if BARS in {len(loader), len(framework)}:
        notes.append(f"no more than {BARS:,} of either are drawn, the first ones: select a shorter time to see all")
    height = max(LINE * min(line_count, LINES), 120)
    return _plot.figure("Events of the selected time", notes, panels, height=height, shared=True)


def _time_of_day(ts: pd.Series) -> np.ndarray:
    """Formats times in ns as the time of day in UTC, with us."""
    return np.char.partition(np.datetime_as_string((ts.to_numpy() // 1000).astype("M8[us]")), "T")[:, 2]


def _panel(label: str, bars: pd.DataFrame, column: str, begin: float, end: float) -> _plot.Panel:
    traces: list[dict[str, Any]] = []
    codes, keys = bars[column].factorize()
    longest = np.zeros(len(keys))
    np.maximum.at(longest, codes, bars["dur"])
    for code in np.argsort(-longest, kind="stable"):  # draw short bars over long bars
        key, selected = str(keys[code]), bars[codes == code]
        ms = selected["dur"].to_numpy() / MS
        color = _plot.phase_color(key)
        traces.append(
            {
                "type": "bar",
                "orientation": "h",
                "name": escape(key),
                "base": selected["ts"].to_numpy() / MS,
                "x": ms,
                "y": selected["line"].to_numpy(),
                "customdata": np.column_stack(
                    [selected["name"].map(escape), _time_of_day(selected["ts"]), ms.round(3)]
                ),
                "marker": {"color": color, "opacity": 0.6, "line": {"color": color, "width": 0.6}},
                "hovertemplate": HOVER,
            }
        )
    names = bars.drop_duplicates("line").sort_values("line")["label"].map(escape).tolist()
    every = -(-len(names) // LINES)
    ticks = {"tickvals": list(range(0, len(names), every)), "ticktext": names[::every]}
    lines = _plot.axis("", range=[len(names) - 0.4, -0.6], **ticks)
    time = _plot.axis("time (UTC)", type="date", range=[begin * 1e3, end * 1e3], nticks=8)
    return _plot.Panel(label, traces, time, {**lines, "tickfont": {"size": 10}})
