"""Rows of a profile in smdebug's order: file by file, in each as its lines stand, timelines parser after parser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tracelake.smdebug._framework import PHASE_NUMBER, REST, file_numbers, phases, thread_id
from tracelake.smdebug._libraries import NDArray, np, pa

if TYPE_CHECKING:
    from pyarrow import Array

    from tracelake.smdebug._profile import Profile

__all__ = ["ALWAYS", "Events", "Rows", "Samples"]

ALWAYS = (-(2**63), 2**63 - 1)
"""All times, in ns."""

SAMPLES = """
select cast(object as int) as object, cast(row as int) as row, ts, value,
  arrow_cast(raw_name, 'Dictionary(Int32, Utf8)') as name,
  arrow_cast(coalesce(raw_dimension, ''), 'Dictionary(Int32, Utf8)') as dimension,
  arrow_cast(node, 'Dictionary(Int32, Utf8)') as node,
  arrow_cast(case resource when 'io' then 'i/o' else resource end, 'Dictionary(Int32, Utf8)') as type
from sample
where run = $run and ts between $start and $end and ($all or array_has($selected, coalesce(raw_name, '')))
"""

EVENTS = """
select cast(object as int) as object, cast(row as int) as row, ts, dur, {columns}
from event
where run = $run and ts <= $end and ts + dur >= $start -- which no null passes
  and ($all or array_has($selected, coalesce(name, '')) or array_has($selected, coalesce(track, 'Unknown')))
"""

EVENT_COLUMNS = {
    "name": "arrow_cast(coalesce(name, ''), 'Dictionary(Int32, Utf8)')",
    "metric": """arrow_cast(
        coalesce(extract_arg(args, 'layer_name'), extract_arg(args, 'name'), name, ''), 'Dictionary(Int32, Utf8)')""",
    "process": "arrow_cast(coalesce(track, 'Unknown'), 'Dictionary(Int32, Utf8)')",
    "pid": "pid",
    "bare": f"""case when args is null then true
        when track is null or args like '%"thread_name":%' then {REST} = '' else false end""",
    "unnamed": PHASE_NUMBER,
    "tid": "tid",
    "step": "step",
    "bytes": "try_cast(extract_arg(args, 'bytes_fetched') as bigint)",
    "worker": "try_cast(extract_arg(args, 'worker_id') as bigint)",
    "workers": "try_cast(extract_arg(args, 'num_workers') as bigint)",
    "pin_memory": """arrow_cast(case when extract_arg(args, 'pin_memory') is null then 'NA'
        when extract_arg(args, 'pin_memory') = 'true' then 'True' else 'False' end, 'Dictionary(Int32, Utf8)')""",
}
"""The columns of `Events` and what they are made of."""


class Rows:
    """The rows of one question, sorted; a column is made when it is asked for, and then given up.

    Args:
        profile: Where the rows are.
        kind: Kind of the files, `system` or `framework`.
        question: SQL that gives `object`, `row` and the columns.
        **params: Values for the `$name` in it.
    """

    def __init__(self, profile: Profile, kind: str, question: str, **params: Any) -> None:  # noqa: ANN401 - as SQL
        """Asks the question."""
        table: Any = profile.arrow(question, run=profile.run, **params)
        self._columns = {name: table[name] for name in table.column_names}
        del table
        self.files = profile.files(kind)
        objects = self._columns.pop("object").to_numpy()
        place = np.full(max(objects.max(initial=0), self.files["object"].max() if len(self.files) else 0) + 1, -1)
        place[self.files["object"].to_numpy()] = np.arange(len(self.files))
        place = place[objects]
        keys = (place << 40) | self._columns.pop("row").to_numpy().astype(np.int64)
        order = np.argsort(keys, kind="stable")
        self._order = order[np.searchsorted(place[order], 0) :]  # rows of other files have place -1
        self.keys = keys[self._order]
        """What tells a row from all others of the profile."""

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._order)

    @property
    def file(self) -> NDArray:
        """For each row the place of its file in `files`."""
        return self.keys >> 40

    def number(self, name: str, unknown: int | None = None) -> NDArray:
        """A column of numbers; `unknown` stands for null."""
        column: Any = self._columns.pop(name)
        if unknown is not None and column.null_count:
            column = column.fill_null(unknown)
        return column.to_numpy()[self._order]

    def text(self, name: str) -> Array:
        """A column of texts, as a dictionary without nulls in it and their places."""
        column: Any = self._columns.pop(name).unify_dictionaries().combine_chunks()
        if isinstance(column, pa.ChunkedArray):  # without rows there is no chunk
            column = column.combine_chunks() if column.num_chunks else pa.array([], column.type)
        return column.take(pa.array(self._order))


class Samples(Rows):
    """System metrics measured from `start` to `end` (ns, both ends included).

    Args:
        profile: Where they are.
        start: First moment.
        end: Last moment.
        selected: Names of metrics, such as `cpu0`; all without any.
    """

    def __init__(self, profile: Profile, start: int, end: int, selected: list[str]) -> None:
        """Reads them."""
        asked = {"start": start, "end": end, "all": not selected, "selected": selected or [""]}
        super().__init__(profile, "system", SAMPLES, **asked)


class Events(Rows):
    """Framework events of which a part lies between `start` and `end` (ns, both ends included).

    Only what has a beginning and a duration is an event here, as in smdebug: no instants, no counters.

    Args:
        profile: Where they are.
        start: First moment.
        end: Last moment.
        selected: Names of events or phases; all without any.
        columns: Those of `EVENT_COLUMNS` that will be asked for.
    """

    def __init__(self, profile: Profile, start: int, end: int, selected: list[str], columns: list[str]) -> None:
        """Reads them."""
        also = ["process", "tid", "step", "bare", "unnamed"] if "pid" in columns else []
        needed = [*columns, *(name for name in also if name not in columns)]
        question = EVENTS.format(columns=", ".join(f"{EVENT_COLUMNS[name]} as {name}" for name in needed))
        asked = {"start": start, "end": end, "all": not selected, "selected": selected or [""]}
        super().__init__(profile, "framework", question, **asked)
        self.profile = profile
        self.start = self.number("ts")
        """Begin of each, in ns since the epoch."""
        self.dur = self.number("dur")
        """Duration of each, in ns."""

    def us(self, ns: NDArray) -> NDArray:
        """Times in us: whole numbers, or floats if some are parts of a microsecond or of the TensorFlow profiler."""
        fine = bool(np.any(ns % 1_000)) or bool(np.any(self.files["parser"].to_numpy()[self.file] == TENSORFLOW))
        return ns / 1_000 if fine else ns // 1_000

    @property
    def node(self) -> Array:
        """The node of each as timelines are named after: algo-1-0."""
        nodes: Any = self.files["node"].drop_duplicates().tolist()
        code = np.array([nodes.index(node) for node in self.files["node"]], dtype=np.int32)
        return pa.DictionaryArray.from_arrays(code[self.file], pa.array(nodes, pa.string()))

    def process_id(self, process: Array) -> NDArray:
        """The process id of each as its line says it, else the number of its phase in its file.

        Where it is the number in the file's name, it stands in the lake for all events of the file: a line said it if
        it says anything else about the event. The autograd profiler and TensorFlow say none.
        """
        known = self._columns
        names = process.dictionary.to_pylist()
        autograd = np.array([name == "cpu_functions" or name.startswith("gpu_functions") for name in names], dtype=bool)
        code, parser = process.indices.to_numpy(), self.files["parser"].to_numpy()[self.file]
        number = np.array([-1 if number is None else number for number in file_numbers(self.files)])[self.file]
        has = {name: ~known[name].is_null().to_numpy()[self._order] for name in ("step", "tid", "pid")}
        says = has["step"] | ~known.pop("bare").to_numpy()[self._order] | ((parser == MODEL) & has["tid"])
        pid = self.number("pid", -1)
        says = (says | (pid != number)) & has["pid"] & (parser != TENSORFLOW)
        if len(names):
            says &= ~(autograd[code] & (parser == 0))
        if not says.all():  # the numbers are a question about the whole run
            found = phases(self.profile)
            numbers = np.array(
                [[found.get((i, name, None), 0) for name in names] for i in range(int(parser.max(initial=0)) + 1)]
            )
            unnamed = self.number("unnamed", -1)  # of a phase without a name
            pid[~says] = np.where(unnamed < 0, numbers[parser, code], unnamed)[~says]
        return pid

    def thread(self, node: Array, process: Array) -> NDArray:
        """The thread of each: as recorded, else a number that stands for the node and the phase, always the same."""
        recorded: Any = self._columns["tid"].is_null().to_numpy()[self._order]
        made = np.array(
            [[_number_of(n, p) for p in process.dictionary.to_pylist()] for n in node.dictionary.to_pylist()],
            dtype=np.int64,
        ).reshape(len(node.dictionary), len(process.dictionary))
        tid = self.number("tid", 0)
        if len(tid):
            tid[recorded] = made[node.indices.to_numpy(), process.indices.to_numpy()][recorded]
        return tid


MODEL, TENSORFLOW = 1, 2  # places of their parsers among `_profile.PARSERS`


def _number_of(node: str, phase: str) -> int:
    return thread_id(f"{node}_0", phase)
