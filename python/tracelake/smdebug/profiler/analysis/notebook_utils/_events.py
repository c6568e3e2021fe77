"""Events of the framework as the charts need them: those that overlap a range of times, counted and summed in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import FILES, file_parameters

if TYPE_CHECKING:
    import pandas as pd

    from tracelake.smdebug._profile import Profile

__all__ = ["asked"]

END_US = (2**63 - 1) // 1000

# What smdebug calls an event lasts; instants and counters are none. Both ends of the range are inclusive, and an event
# whose file does not say when its times begin stands at the very beginning, as there. Nodes are cast because a CASE of
# texts of two kinds, from a table and from a parameter, fails when it runs.
EVENTS = f"""
with framework as (
    select place * 1099511627776 + e."row" as place, arrow_cast(file.node, 'Utf8') as node,
        coalesce(e.name, '') as name, coalesce(e.track, 'Unknown') as phase, e.ts, e.dur, e.step, e.tid, e.args
    from event as e join {FILES} as file on e.object = file.object
    where e.run = $run and e.dur is not null and coalesce(e.ts, 0) <= $end and coalesce(e.ts, 0) + e.dur >= $start
)
"""  # noqa: S608 - of constants


def asked(  # noqa: D417 - the parameters of the SQL are its own
    profile: Profile,
    text: str,
    start_us: float,
    end_us: float | None,
    /,
    **params: Any,  # noqa: ANN401 - whatever SQL has a type for
) -> pd.DataFrame:
    """The answer to a question about table `framework`: the events that overlap a range of times.

    Columns of `framework` are place (number in the order in which smdebug hands out events), node (`algo-1-0`), name,
    phase, ts (ns since the Unix epoch), dur (ns), step, tid, args.

    Args:
        profile: The profile.
        text: A statement that reads `framework`.
        start_us: First time, us since the Unix epoch.
        end_us: Last time; None for all that is there.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _events
        >>> text = "select node, count(*) as steps from framework where name like 'Step%' group by node order by node"
        >>> _events.asked(Profile(profile), text, 0, None)["steps"].tolist()
        [110, 110]
    """
    last = END_US if end_us is None else min(int(end_us), END_US)
    times = {"start": int(start_us) * 1000, "end": last * 1000}
    parameters = file_parameters(profile, "framework")
    if not parameters["objects"]:
        parameters |= {"objects": [-1], "places": [0], "parsers": [0], "nodes": [""], "numbers": [None]}
    return profile.sql(EVENTS + text, **parameters, **times, **params)
