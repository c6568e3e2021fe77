"""Events of timelines in smdebug's terms, as SQL over table `event`.

The lake stores normalized columns, but smdebug returns the content of the file. The SQL here reconstructs that content:
the members of `args`, and the phase, thread and process of the event.
"""

from __future__ import annotations

import hashlib
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tracelake.smdebug._libraries import DataFrame
    from tracelake.smdebug._profile import Profile

FILES = """(
  select unnest(cast($objects as bigint[])) as object, unnest(cast($places as bigint[])) as place,
         unnest(cast($parsers as bigint[])) as parser, unnest(cast($nodes as text[])) as node,
         unnest(cast($numbers as bigint[])) as number
)"""
"""The files of one kind in smdebug's order, for the parameters that `file_parameters` gives."""


def file_parameters(profile: Profile, kind: str, suffixes: list[str] | None = None) -> dict[str, Any]:
    """Returns the values for the parameters of `FILES` and `events`.

    Args:
        profile: The profile.
        kind: `system` or `framework`.
        suffixes: Endings of the file names to include. The default is all files.

    Example:
        >>> from tracelake.smdebug._framework import file_parameters
        >>> from tracelake.smdebug._profile import Profile
        >>> file_parameters(Profile(profile), "framework")["numbers"]
        [1, 0, 0, 1]
    """
    files = profile.files(kind)
    if suffixes is not None:
        files = files[files["path"].str.endswith(tuple(suffixes))]
    return {
        "run": profile.run,
        "objects": files["object"].tolist(),
        "places": list(range(len(files))),
        "parsers": files["parser"].tolist(),
        "nodes": files["node"].tolist(),
        "numbers": file_numbers(files),
    }


def file_numbers(files: DataFrame) -> list[int | None]:
    """Returns the number before the host in the name of each file: a rank or a process id.

    Example:
        >>> from tracelake.smdebug._framework import file_numbers
        >>> from tracelake.smdebug._profile import Profile
        >>> file_numbers(Profile(profile).files("framework"))
        [1, 0, 0, 1]
    """
    matches = [re.match(r"\d+_(\d+)-", path.rsplit("/", 1)[-1]) for path in files["path"]]
    return [int(match[1]) if match else None for match in matches]


def events_sql(where: str = "true") -> str:
    """Returns SQL for all intervals of the files: `start` and `dur` in ns, `members` of `args` as JSON without braces.

    The autograd profiler of PyTorch writes `tid` and the global step, a number, into `args`; the hook writes a step as
    text. A step in another form is a member of `args` in the lake, too. If the process id equals the number in the
    file's name, column `pid` has it for every event of that file. It was a member of `args` if `args` has other
    members. A time without a known start counts from 0 as in the file.

    Args:
        where: A condition on table `event`, which is `e`, and table `object`, which is `o`.

    Example:
        >>> from tracelake.smdebug._framework import events_sql, file_parameters
        >>> from tracelake.smdebug._profile import Profile
        >>> p = Profile(profile)
        >>> text = f"select count(*) as n from {events_sql('e.step = 2')} where phase like 'Step%'"
        >>> p.sql(text, **file_parameters(p, "framework"))["n"].tolist()
        [4]
    """
    return f"""(
  with file_event as (
    select e.row, {START} as ts, e.dur, e.tid, e.pid, e.step, e.args, e.track,
           coalesce(e.name, '') as name,
           file.place, file.parser, file.node, file.number,
           file.parser = 0 and coalesce(e.track = 'cpu_functions' or e.track like 'gpu_functions%', false) as autograd,
           case when e.args like '%"thread_name":%' then extract_arg(e.args, 'thread_name') end as thread
    from event as e join {FILES} as file on e.object = file.object
      join object as o on o.run = e.run and o.object = e.object
    where e.run = $run and e.dur is not null and ({where})
  ), with_rest as (
    select *,
      case
        when args is null then ''
        when ts is null or track is null or thread is not null then {REST}
        else substr(args, 2, character_length(args) - 2)
      end as rest
    from file_event
  ), with_process_id as (
    select *,
      case
        when autograd or parser = 2 then null
        when number is null or pid <> number or step is not null or rest <> '' then pid
        when parser = 1 and tid is not null then pid
      end as process_id
    from with_rest
  )
  select
    coalesce(ts, cast(round(cast(extract_arg(args, 'ts') as double) * 1000) as bigint)) as start, dur, name,
    coalesce(track, 'Unknown') as phase, {PHASE_NUMBER} as phase_number,
    parser, place, row, node, step, process_id as pid, case when not autograd then tid end as tid,
    node || '_' || coalesce(thread, case when not autograd then cast(tid as text) end, '0') as thread,
    concat_ws(', ',
      '"pid": ' || process_id,
      case when autograd then '"tid": ' || tid when parser < 2 and thread is null then '"thread_id": ' || tid end,
      case
        when rest like '%"step_num":%' and extract_arg(args, 'step_num') is not null then null
        when parser = 0 and not autograd then '"step_num": "' || step || '"'
        else '"step_num": ' || step
      end,
      case when rest <> '' then rest end
    ) as members
  from with_process_id
)"""  # noqa: S608 - no part comes from the user


REST = r"""ltrim(regexp_replace(substr(args, 2, character_length(args) - 2),
  ',?"(ts|phase|thread_name)":("([^"\\]|\\.)*"|[^,"]*)', '', 'g'), ',')"""
"""The members of `args`, without those that stand in for columns, as SQL over table `event`."""

PHASE_NUMBER = "case when track is null then cast(extract_arg(args, 'phase') as bigint) end"
"""The number of a phase without a name, as SQL over table `event`."""

PHASES = f"""
select file.parser, coalesce(track, 'Unknown') as phase, {PHASE_NUMBER} as number,
  min(place * 1099511627776 + "row") as first
from event join {FILES} as file on event.object = file.object
where run = $run and dur is not null
group by 1, 2, 3 order by first
"""  # noqa: S608 - no part comes from the user


def number_phases(profile: Profile) -> dict[tuple[int, str, int | None], int]:
    """Returns the numbers of the phases, by parser, name, and number in the file for a phase without a name.

    The lake stores only the names of phases. As in the hook, they are numbered 1, 2, ... per parser, in order of their
    first event. A phase without a name uses its number in the file; named phases skip these numbers.

    Example:
        >>> from tracelake.smdebug._framework import number_phases
        >>> from tracelake.smdebug._profile import Profile
        >>> next(iter(number_phases(Profile(profile)).items()))
        ((0, 'DataLoaderIterInitialize', None), 1)
    """
    last_numbers: dict[int, int] = {}
    numbers_by_phase: dict[tuple[int, str, int | None], int] = {}
    phases: list[Any] = profile.arrow(PHASES, **file_parameters(profile, "framework")).to_pylist()
    unnamed = {(row["parser"], row["number"]) for row in phases}
    for row in phases:
        parser, number = row["parser"], row["number"]
        if number is None:
            number = last_numbers.get(parser, 0) + 1
            while (parser, number) in unnamed:
                number += 1
            last_numbers[parser] = number
        numbers_by_phase[parser, row["phase"], row["number"]] = number
    return numbers_by_phase


START = "e.ts + coalesce(o.clock_start, 0)"
"""Start of an event of `events_sql`: since the epoch, or as in a file without an epoch."""

IN_RANGE = f"e.ts is null or {START} <= $end and {START} + e.dur >= $start"
"""A condition that excludes most events outside of a range; it includes all events without a known start time."""


def thread_id(thread: str, phase: str) -> int:
    """Returns a number for a thread that was recorded without one: the same in every process, below 2**31.

    Example:
        >>> from tracelake.smdebug._framework import thread_id
        >>> thread_id("algo-1-0_0", "Forward")
        164563086
    """
    digest = hashlib.blake2b(f"{thread}\n{phase}".encode(), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1
