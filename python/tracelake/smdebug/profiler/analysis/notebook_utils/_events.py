"""Events of the framework as the charts need them: those that overlap a range of times, counted and summed in SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

    from tracelake.smdebug._profile import Profile

__all__ = ["END_US", "asked", "in_order"]

END_US = (2**63 - 1) // 1000

# What smdebug calls an event lasts; instants and counters are none. Both ends of the range are inclusive.
EVENTS = """
with framework as (
    select object, "row", coalesce(name, '') as name, coalesce(track, '') as phase, ts, dur, step, pid, tid, args
    from event
    where run = $run and dur is not null and ts + dur >= $start and ts <= $end
        and object in (select object from object where run = $run and format = 'sagemaker_framework')
)
"""


def asked(  # noqa: D417 - the parameters of the SQL are its own
    profile: Profile,
    text: str,
    start_us: float,
    end_us: float | None,
    /,
    **params: Any,  # noqa: ANN401 - whatever SQL has a type for
) -> pd.DataFrame:
    """The answer to a question about table `framework`: the events that overlap a range of times.

    Args:
        profile: The profile.
        text: A statement; columns of `framework` are object, row, name, phase, ts, dur (ns), step, pid, tid, args.
        start_us: First time, us since the Unix epoch.
        end_us: Last time; None for all that is there.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _events
        >>> _events.asked(Profile(profile), "select count(*) as n from framework where step = 3", 0, None)["n"][0] > 0
        True
    """
    last = END_US if end_us is None else min(int(end_us), END_US)
    start = max(int(start_us), 0) * 1000
    return profile.sql(EVENTS + text, run=profile.run, start=start, end=last * 1000, **params)


def in_order(profile: Profile, rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with columns `object` and `row` in the order in which smdebug hands out events, with the node's name.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> from tracelake.smdebug.profiler.analysis.notebook_utils import _events
        >>> p = Profile(profile)
        >>> rows = _events.asked(p, 'select object, "row" from framework where step = 3', 0, None)
        >>> _events.in_order(p, rows)["node"].unique().tolist()
        ['algo-1-0', 'algo-1-1']
    """
    files = profile.files("framework")
    place = files["object"].searchsorted(rows["object"], sorter=files["object"].argsort())
    place = files["object"].argsort().to_numpy()[place]
    rows = rows.assign(node=files["node"].to_numpy()[place])
    return rows.iloc[np.lexsort((rows["row"], place))].reset_index(drop=True)
