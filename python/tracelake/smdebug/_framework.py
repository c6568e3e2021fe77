"""Events of timelines in smdebug's words, as SQL over table `event`.

The lake keeps what an event means; smdebug hands out what its file says. Most of that can be told from the columns:
which members `args` had, which phase, thread and process the event was drawn on.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tracelake.smdebug._profile import Profile

__all__ = ["EVENTS", "FILES", "file_parameters", "thread_id"]

FILES = """(
  select unnest(cast($objects as bigint[])) as object, unnest(cast($places as bigint[])) as place,
         unnest(cast($parsers as bigint[])) as parser, unnest(cast($nodes as text[])) as node,
         unnest(cast($numbers as bigint[])) as number
)"""
"""The files of one kind in smdebug's order, for the parameters that `file_parameters` gives."""

# The autograd profiler of PyTorch writes `tid` and the global step, a number, into `args`; the hook writes a step as
# text. A process id that equals the number in the file's name stands in column `pid` of every event of that file: it
# was a member of `args` if there are others. A time without a known beginning counts from 0.
EVENTS = f"""(
  with said as (
    select e.row, e.ts, e.dur, e.tid, e.pid, e.step, e.args, e.track, coalesce(e.name, '') as name,
           file.place, file.parser, file.node, file.number,
           coalesce(file.parser = 0 and (e.track = 'cpu_functions' or e.track like 'gpu_functions%'), false) as autograd,
           case when e.args like '%"thread_name":%' then extract_arg(e.args, 'thread_name') end as thread
    from event as e join {FILES} as file on e.object = file.object
    where e.run = $run and e.dur is not null
  ), known as (
    select *,
      ltrim(case
        when args is null then ''
        when ts is null then regexp_replace(substr(args, 2, character_length(args) - 2), ',?"ts":[^,]*', '')
        when track is null then regexp_replace(substr(args, 2, character_length(args) - 2), ',?"phase":[^,]*', '')
        when thread is not null then
          regexp_replace(substr(args, 2, character_length(args) - 2), ',?"thread_name":"([^"\\\\]|\\\\.)*"', '')
        else substr(args, 2, character_length(args) - 2)
      end, ',') as rest
    from said
  ), told as (
    select *,
      case
        when autograd or parser = 2 then null
        when number is null or pid <> number or step is not null or rest <> '' then pid
        when parser = 1 and tid is not null then pid
      end as process_id
    from known
  )
  select
    coalesce(ts, cast(cast(extract_arg(args, 'ts') as double) * 1000 as bigint)) as start, dur, name,
    coalesce(track, 'Unknown') as phase, case when track is null then cast(extract_arg(args, 'phase') as bigint) end
      as phase_number,
    parser, place, row, node, step, process_id as pid, case when not autograd then tid end as tid,
    node || '_' || coalesce(thread, case when not autograd then cast(tid as text) end, '0') as thread,
    concat_ws(', ',
      '"pid": ' || process_id,
      case when autograd then '"tid": ' || tid when parser < 2 and thread is null then '"thread_id": ' || tid end,
      case when parser = 0 and not autograd then '"step_num": "' || step || '"' else '"step_num": ' || step end,
      case when rest <> '' then rest end
    ) as members
  from told
)"""
"""Every interval of the files: `start` and `dur` in ns, `members` of `args` as JSON without braces."""


def file_parameters(profile: Profile, kind: str, suffixes: list[str] | None = None) -> dict[str, Any]:
    """Values for the parameters of `FILES` and `EVENTS`.

    Args:
        profile: The profile.
        kind: `system` or `framework`.
        suffixes: How the names of the files end; all files without it.

    Example:
        >>> from tracelake.smdebug._framework import EVENTS, file_parameters
        >>> from tracelake.smdebug._profile import Profile
        >>> p = Profile(profile)
        >>> found = p.sql(f"select count(*) as n from {EVENTS} where phase like 'Step%'", **file_parameters(p, "framework"))
        >>> found["n"].tolist()
        [220]
    """
    files = profile.files(kind)
    if suffixes is not None:
        files = files[[path.endswith(tuple(suffixes)) for path in files["path"]]]
    numbers = [re.match(r"\d+_(\d+)-", path.rsplit("/", 1)[-1]) for path in files["path"]]
    return {
        "run": profile.run,
        "objects": files["object"].tolist(),
        "places": list(range(len(files))),
        "parsers": files["parser"].tolist(),
        "nodes": files["node"].tolist(),
        "numbers": [int(number[1]) if number else None for number in numbers],
    }


def thread_id(thread: str, phase: str) -> int:
    """A number for a thread of a phase that was recorded without one: the same in every process, below 2**31.

    Example:
        >>> from tracelake.smdebug._framework import thread_id
        >>> thread_id("algo-1-0_0", "Forward")
        164563086
    """
    digest = hashlib.blake2b(f"{thread}\n{phase}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1
