"""Rows of a profile in smdebug's order: by parser (for timelines), then by file, then by line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import PHASE_NUMBER, REST, START, file_numbers, number_phases, thread_id
from tracelake.smdebug._libraries import NDArray, np, pa
from tracelake.smdebug._memory import release_memory

if TYPE_CHECKING:
    from pyarrow import Array

    from tracelake.smdebug._profile import Profile

ALWAYS = (-(2**63), 2**63 - 1)
"""All times, in ns."""

SAMPLES = """
select cast(object as int) as object, cast(row as int) as row, ts, value,
  dictionary_encode(raw_name) as name,
  dictionary_encode(raw_dimension) as dimension,
  dictionary_encode(node) as node,
  dictionary_encode(resource) as type
from sample
where run = $run and ts between $start and $end and ($all or array_has($selected, coalesce(raw_name, '')))
"""

EVENTS = """
select cast(object as int) as object, cast(row as int) as row, ts, dur, {columns}
from {event}
where run = $run and ts <= $end and ts + dur >= $start -- excludes nulls
  and ($all or array_has($selected, coalesce(name, '')) or array_has($selected, coalesce(track, 'Unknown')))
"""

FILE_TIMES = f"""(
  select e.* replace ({START} as ts)
  from event as e join object as o on o.run = e.run and o.object = e.object
)"""  # noqa: S608 - no part comes from the user
"""Table `event` with the times of files without an epoch as these files have them."""

EVENT_COLUMNS = {
    "name": "dictionary_encode(name)",
    "metric": """dictionary_encode(case when args is null then name
        else coalesce(extract_arg(args, 'layer_name'), extract_arg(args, 'name'), name) end)""",
    "process": "dictionary_encode(track)",
    "pid": "pid",
    "has_members": f"""arrow_cast(case when step is not null then true when args is null then false
        when track is null or args like '%"thread_name":%' then {REST} <> '' else true end, 'Int8')""",
    "unnamed": PHASE_NUMBER,
    "tid": "tid",
    "step": "step",
    "bytes": "try_cast(extract_arg(args, 'bytes_fetched') as bigint)",
    "worker": "try_cast(extract_arg(args, 'worker_id') as bigint)",
    "workers": "try_cast(extract_arg(args, 'num_workers') as bigint)",
    "pin_memory": """dictionary_encode(case when extract_arg(args, 'pin_memory') is null then 'NA'
        when extract_arg(args, 'pin_memory') = 'true' then 'True' else 'False' end)""",
}
"""The columns of `Events`, each with its SQL expression."""


class Rows:
    """The sorted rows of one query. A column is converted on request, and its source is then released.

    Args:
        profile: The profile with the rows.
        kind: Kind of the files, `system` or `framework`.
        query: SQL that returns `object`, `row` and the columns.
        start: First time, in ns.
        end: Last time, in ns.
        selected: Names to include; an empty list selects all.
    """

    def __init__(self, profile: Profile, kind: str, query: str, start: int, end: int, selected: list[str]) -> None:
        """Runs the query."""
        release_memory()
        window: dict[str, Any] = {"start": start, "end": end}
        names: dict[str, Any] = {"all": not selected, "selected": selected or [""]}
        table: Any = profile.arrow(query, run=profile.run, **window, **names)
        self._columns = {name: table[name] for name in table.column_names}
        del table
        self.files = profile.files(kind)
        objects = self._columns.pop("object").to_numpy()
        positions = np.full(max(objects.max(initial=0), self.files["object"].max() if len(self.files) else 0) + 1, -1)
        positions[self.files["object"].to_numpy()] = np.arange(len(self.files))
        positions = positions[objects]
        keys = (positions << 40) | self._columns.pop("row").to_numpy().astype(np.int64)
        sorted_rows = np.argsort(keys, kind="stable")
        self._order = sorted_rows[np.searchsorted(positions[sorted_rows], 0) :]  # rows of other files have place -1
        self.keys = keys[self._order]
        """Unique key of each row in the profile."""
        self.file = self.keys >> 40
        """For each row, the index of its file in `files`."""

    def __len__(self) -> int:
        """Returns the number of rows."""
        return len(self._order)

    def number(self, name: str, unknown: int | None = None) -> NDArray:
        """Returns a column of numbers, with `unknown` in place of null."""
        column: Any = self._columns.pop(name)
        if unknown is not None and column.null_count:
            if column.null_count == len(column):
                return np.full(len(self), unknown)
            column = column.fill_null(unknown)
        return column.to_numpy().take(self._order)

    def is_known(self, name: str) -> Any:  # noqa: ANN401 - a NumPy array, or one value for all rows
        """Returns which rows of a column are not null; the column is not released."""
        column: Any = self._columns[name]
        if column.null_count in (0, len(column)):
            return column.null_count == 0
        return column.is_valid().to_numpy().take(self._order)

    def text(self, name: str, unknown: str | None = None) -> Array:
        """Returns a text column as a dictionary array without nulls, with `unknown` in place of null."""
        column: Any = self._columns.pop(name).unify_dictionaries()
        known: list[str | None] = column.chunk(0).dictionary.to_pylist() if column.num_chunks else []
        codes: Any = pa.chunked_array([chunk.indices for chunk in column.chunks], pa.int32())
        del column
        if codes.null_count:
            if unknown not in known:
                known.append(unknown)
            codes = codes.fill_null(known.index(unknown))
        return pa.DictionaryArray.from_arrays(codes.to_numpy().take(self._order), pa.array(known, pa.string()))


class Samples(Rows):
    """System metrics measured from `start` to `end` (ns, both ends included).

    Args:
        profile: The profile with the metrics.
        start: First time.
        end: Last time.
        selected: Names of metrics, such as `cpu0`; an empty list selects all.
    """

    def __init__(self, profile: Profile, start: int, end: int, selected: list[str]) -> None:
        """Reads the metrics."""
        super().__init__(profile, "system", SAMPLES, start, end, selected)

    def type(self) -> Array:
        """Returns the type of each metric, in smdebug's terms."""
        resource = self.text("type")
        words = ["i/o" if name == "io" else name for name in resource.dictionary.to_pylist()]
        return pa.DictionaryArray.from_arrays(resource.indices, pa.array(words, pa.string()))


class Events(Rows):
    """Framework events that overlap the range from `start` to `end` (ns, both ends included).

    As in smdebug, events have a start and a duration: instants and counters are excluded.

    Args:
        profile: The profile with the events.
        start: First time.
        end: Last time.
        selected: Names of events or phases; an empty list selects all.
        columns: The columns of `EVENT_COLUMNS` to read.
    """

    def __init__(self, profile: Profile, start: int, end: int, selected: list[str], columns: list[str]) -> None:
        """Reads the events."""
        derived_from = ["process", "tid", "step", "has_members", "unnamed"] if "pid" in columns else []
        needed = [*columns, *(name for name in derived_from if name not in columns)]
        event = FILE_TIMES if profile.files("framework")["has_own_clock"].any() else "event"
        query = EVENTS.format(columns=", ".join(f"{EVENT_COLUMNS[name]} as {name}" for name in needed), event=event)
        super().__init__(profile, "framework", query, start, end, selected)
        self.profile = profile
        self._unbounded = (start, end) == ALWAYS and not selected
        self.start = self.number("ts")
        """Start of each event, in ns since the epoch."""
        self.dur = self.number("dur")
        """Duration of each event, in ns."""

    def to_us(self, ns: NDArray) -> NDArray:
        """Converts times to us: floats if a time has ns digits or comes from the TensorFlow profiler, else integers."""
        us = ns // 1_000
        fine = not np.array_equal(us * 1_000, ns) or self._is_from_parser(TENSORFLOW).any()
        return ns / 1_000 if fine else us

    def process(self) -> Array:
        """Returns the phase of each event."""
        return self.text("process", "Unknown")

    @property
    def node(self) -> Array:
        """The node of each event, as in the names of timelines: algo-1-0."""
        nodes: Any = self.files["node"].drop_duplicates().tolist()
        code = np.array([nodes.index(node) for node in self.files["node"]], dtype=np.int32)
        return pa.DictionaryArray.from_arrays(code[self.file], pa.array(nodes, pa.string()))

    def process_id(self, process: Array) -> NDArray:
        """Returns the process id from the line of each event, else the number of its phase in its file.

        If the process id equals the number in the file's name, the lake has it for all events of the file. The line of
        an event contained it if the line has other members. The autograd profiler and TensorFlow write no process id.
        """
        names = process.dictionary.to_pylist()
        autograd = np.array([name == "cpu_functions" or name.startswith("gpu_functions") for name in names], dtype=bool)
        code, parser = process.indices.to_numpy(), self.files["parser"].to_numpy().take(self.file)
        number = np.array([-1 if number is None else number for number in file_numbers(self.files)]).take(self.file)
        has_pid = (self.number("has_members") != 0) | (self._is_from_parser(MODEL) & self.is_known("tid"))
        is_known = self.is_known("pid")
        pid = self.number("pid", -1)
        has_pid = (has_pid | (pid != number)) & is_known & ~self._is_from_parser(TENSORFLOW)
        if len(names):
            has_pid &= ~(autograd.take(code) & (parser == 0))
        if not has_pid.all():
            unnamed = self.number("unnamed", -1)  # the number of a phase without a name
            phase_numbers = self._number_phases(parser, code, names, all_named=bool((unnamed < 0).all()))
            numbers = np.array(
                [[phase_numbers.get((i, name), 0) for name in names] for i in range(int(parser.max(initial=0)) + 1)]
            )
            pid = np.where(has_pid, pid, np.where(unnamed < 0, numbers[parser, code], unnamed))
        return pid

    def _is_from_parser(self, parser: int) -> NDArray:
        """Returns whether each event comes from the files of a parser."""
        return (self.files["parser"].to_numpy() == parser).take(self.file)

    def _number_phases(
        self, parser: NDArray, code: NDArray, names: list[str], *, all_named: bool
    ) -> dict[tuple[int, str], int]:
        """Returns the numbers of the phases with a name, by parser and name, as `number_phases` does.

        The numbers depend on the whole run. If these are all events of the run, the numbers are computed from them;
        otherwise a query computes the numbers.
        """
        count_query = "select count(*) as events from event where run = $run and dur is not null"
        complete = all_named and self._unbounded
        if not (complete and self.profile.sql(count_query, run=self.profile.run)["events"][0] == len(self)):
            numbered = number_phases(self.profile).items()
            return {(parser, name): number for (parser, name, unnamed), number in numbered if unnamed is None}
        phase = parser * len(names) + code
        first = np.full(phase.max(initial=0) + 1, len(phase))
        first[phase[::-1]] = np.arange(len(phase))[::-1]
        numbers: dict[tuple[int, str], int] = {}
        counts: dict[int, int] = {}
        for position in np.argsort(first)[: np.count_nonzero(first < len(phase))].tolist():
            parser_number = position // len(names)
            counts[parser_number] = counts.get(parser_number, 0) + 1
            numbers[parser_number, names[position % len(names)]] = counts[parser_number]
        return numbers

    def thread(self, node: Array, process: Array) -> NDArray:
        """Returns the thread of each event: as recorded, else a stable number for its node and phase."""
        is_known = self.is_known("tid")
        tid = self.number("tid", 0)
        if is_known is True:
            return tid
        stable_ids = np.array(
            [[_stable_thread_id(n, p) for p in process.dictionary.to_pylist()] for n in node.dictionary.to_pylist()],
            dtype=np.int64,
        ).ravel()
        of_phase = stable_ids.take(node.indices.to_numpy() * len(process.dictionary) + process.indices.to_numpy())
        return np.where(is_known, tid, of_phase)


MODEL, TENSORFLOW = 1, 2  # indices of their parsers in `_profile.PARSERS`


def _stable_thread_id(node: str, phase: str) -> int:
    return thread_id(f"{node}_0", phase)
