"""Queries over the framework events that overlap a time range, for charts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import FILES, file_parameters

if TYPE_CHECKING:
    import pandas as pd

    from tracelake.smdebug._profile import Profile

END_US = (2**63 - 1) // 1000

# As in smdebug, an event has a duration, which excludes instants and counters, and both ends of the range are
# inclusive. Some files lack the start of their time scale; as in smdebug, their events start at 0. Nodes are cast,
# because a CASE over two text types, from a table and from a parameter, fails at run time.
EVENTS = f"""
with framework as (
    select place * 1099511627776 + e."row" as place, arrow_cast(file.node, 'Utf8') as node,
        coalesce(e.name, '') as name, coalesce(e.track, 'Unknown') as phase, e.ts, e.dur, e.step, e.tid, e.args
    from event as e join {FILES} as file on e.object = file.object
    where e.run = $run and e.dur is not null and coalesce(e.ts, 0) <= $end and coalesce(e.ts, 0) + e.dur >= $start
)
"""  # noqa: S608 - no part comes from the user


def query_events(  # noqa: D417 - the SQL defines the parameters
    profile: Profile,
    text: str,
    start_us: float,
    end_us: float | None,
    /,
    **params: Any,  # noqa: ANN401 - any type that SQL has
) -> pd.DataFrame:
    """Runs a query over table `framework`, the events that overlap a time range, and returns its result.

    The columns of `framework` are place (position in smdebug's order of events), node (`algo-1-0`), name, phase, ts (ns
    since the Unix epoch), dur (ns), step, tid, args.

    Args:
        profile: The profile.
        text: A statement that reads `framework`.
        start_us: First time, us since the Unix epoch.
        end_us: Last time; None for no limit.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _events
        >>> text = "select node, count(*) as steps from framework where name like 'Step%' group by node order by node"
        >>> _events.query_events(Profile(profile), text, 0, None)["steps"].tolist()
        [110, 110]
    """
    last = END_US if end_us is None else min(int(end_us), END_US)
    times = {"start": int(start_us) * 1000, "end": last * 1000}
    parameters = file_parameters(profile, "framework")
    if not parameters["objects"]:
        parameters |= {"objects": [-1], "places": [0], "parsers": [0], "nodes": [""], "numbers": [None]}
    return profile.sql(EVENTS + text, **parameters, **times, **params)
