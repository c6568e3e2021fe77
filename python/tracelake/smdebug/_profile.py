"""A profile for the modules of this package: an open session, its files in smdebug's order, and SQL."""

from __future__ import annotations

import hashlib
import logging
import os
import re
from functools import partial
from typing import TYPE_CHECKING, Any

import tracelake
from tracelake.errors import ConflictError, NotFoundError, UnrecognizedError
from tracelake.instant import integer_times
from tracelake.smdebug import _column
from tracelake.smdebug._libraries import DataFrame, pd

if TYPE_CHECKING:
    from pyarrow import Table

    from tracelake import Session

FORMATS = {"system": "sagemaker_system", "framework": "sagemaker_framework"}
SYSTEM_FILE = re.compile(r"(?:^|/)(\d{10})\.(algo-\d+)\.json")
# file name suffixes of the timeline parsers, in the order in which smdebug returns events
PARSERS = (
    "pythontimeline.json",
    "model_timeline.json",
    "trace.json.gz",
    "horovod_timeline.json",
    "smdataparallel_timeline.json",
)


class Profile:
    """One profile, ingested into the default lake; opening it again reads only new data and drops deleted files.

    A missing folder, or a folder without readable files, is an empty profile: every query has an empty result, until
    `refresh` finds data. Any other error is raised.

    Args:
        path: Root of the profile, the folder that holds `system` and `framework`: a local path or an `s3://` address.

    Example:
        >>> from tracelake.smdebug._profile import Profile
        >>> p = Profile(profile)
        >>> p.run
        'first_look'
        >>> p.sql("select count(*) as n from step where run = $run", run=p.run)["n"].tolist()
        [220]
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Opens the profile."""
        self.path = os.fspath(path)
        self.session: Session
        self.run = ""
        """Name of the run in the lake; empty, which is not a valid run name, until there is data."""
        self._files: dict[str, DataFrame] = {}
        self.refresh()

    def __repr__(self) -> str:
        """Returns the path."""
        return f"Profile({self.path!r})"

    def refresh(self) -> None:
        """Reads new and changed files, and drops the rows of deleted ones.

        Example:
            >>> from tracelake.smdebug._profile import Profile
            >>> Profile(profile).refresh()
        """
        self._files = {}
        try:
            if self.run:
                self.session.ingest(self.path, run=self.run, prune=True, progress=False)
            else:
                self.session = _open_session(self.path)
                self.run = self.session.run or ""
        except (NotFoundError, UnrecognizedError) as error:
            logging.getLogger("tracelake.smdebug").warning("no profile yet: %s", error)
            self.session = tracelake.open()
            self.run = ""  # the lake still has its rows

    def arrow(self, text: str, /, **params: Any) -> Table:  # noqa: ANN401 - any SQL value
        """Runs SQL and returns the result as an Arrow table; times are integers, as in SQL.

        Example:
            >>> from tracelake.smdebug._profile import Profile
            >>> Profile(profile).arrow("select 1 as one").num_rows
            1
        """
        return integer_times(self.session.sql(text, **params).to_arrow())

    def sql(self, text: str, /, **params: Any) -> DataFrame:  # noqa: ANN401 - any SQL value
        """Runs SQL and returns the result as a DataFrame; integers are exact, times are ns since the epoch.

        Example:
            >>> from tracelake.smdebug._profile import Profile
            >>> Profile(profile).sql("select min(ts) as ts from step where mode = $mode", mode="eval").dtypes["ts"]
            dtype('int64')
        """
        table = self.arrow(text, **params)
        return _column.frame({name: _column.from_arrow(table[name]) for name in table.column_names})

    @property
    def start_us(self) -> int:
        """The zero of relative times: the minute of the first file of system metrics, in us; 0 if there is none.

        Example:
            >>> from tracelake.smdebug._profile import Profile
            >>> Profile(profile).start_us
            1600000200000000
        """
        minutes = self.files("system")["ts_us"]
        minutes = minutes[minutes > 0]
        return int(minutes.min()) if len(minutes) else 0

    def files(self, kind: str) -> DataFrame:
        """Returns the files of one kind, in the order in which smdebug returns their contents.

        Args:
            kind: `system` or `framework`.

        Returns:
            A row per file that was read: `object` as in the lake, `path` within the profile, `ts_us`: the time in its
            name (for system metrics, the minute at which it begins; for timelines, the end of the last event; 0 if the
            name has no time), `node`: smdebug's name (`algo-1`, for a timeline `algo-1-0`), `parser`: index of its
            parser in `PARSERS`, 0 for system metrics, `has_own_clock`: its times have no epoch.

        Example:
            >>> from tracelake.smdebug._profile import Profile
            >>> sorted(Profile(profile).files("framework")["node"].unique())
            ['algo-1-0', 'algo-1-1']
        """
        if not self._files:
            text = "select object, url, source, format, clock_start from object where run = $run order by object"
            rows: list[Any] = self.session.sql(text, run=self.run).to_arrow().to_pylist()
            self._files = {name: _list_files(rows, name) for name in FORMATS}
        return self._files[kind]


def _list_files(rows: list[Any], kind: str) -> DataFrame:
    """Returns the files of one kind, from rows of table `object`."""
    paths = [row["url"].removeprefix(row["source"]).strip("/") for row in rows]
    parse_path = _parse_system_path if kind == "system" else partial(_parse_timeline_path, others=paths)
    read = [(row, path) for row, path in zip(rows, paths, strict=True) if row["format"] == FORMATS[kind]]
    files = [(row["object"], *parse_path(path), row["clock_start"] is not None) for row, path in read]
    files.sort(key=lambda file: (file[4], file[2], file[1]))
    columns = {
        "object": "int64",
        "path": None,
        "ts_us": "int64",
        "node": None,
        "parser": "int64",
        "has_own_clock": "bool",
    }
    frame = pd.DataFrame(files, columns=list(columns))
    return frame.astype({name: dtype for name, dtype in columns.items() if dtype})


def _open_session(path: str) -> Session:
    """Opens the profile; if another profile has its run name, it uses a unique run name."""
    try:
        return tracelake.open(path, prune=True)
    except ConflictError:
        full_path = path if "://" in path else os.path.realpath(path)
        parts = [part for part in full_path.split("/") if part and part != "profiler-output"]
        digest = hashlib.sha256(full_path.rstrip("/").encode()).hexdigest()[:8]
        return tracelake.open(path, run=f"{parts[-1]}-{digest}", prune=True)


def _parse_system_path(path: str) -> tuple[str, int, str, int]:
    match = SYSTEM_FILE.search(path)
    return (path, int(match[1]) * 1_000_000, match[2], 0) if match else (path, 0, "", 0)


def _parse_timeline_path(path: str, others: list[str]) -> tuple[str, int, str, int]:
    """Parses the name `<end_us>_<number>-<host>_<kind>.json`, or `<host>...` of a trace of the TensorFlow profiler.

    The end time of such a trace is in the name of a file four folders above,
    `<number>-<host>_<start_us>_<end_us>.metadata`.
    """
    name = path.rsplit("/", 1)[-1]
    parser = next((i for i, suffix in enumerate(PARSERS) if suffix in name), len(PARSERS))
    if name.endswith("trace.json.gz"):
        folder = "/".join(path.split("/")[:-4])
        ends = [
            other[:-9].rsplit("_", 1)[-1]
            for other in others
            if other.startswith(folder) and other.endswith(".metadata")
        ]
        return path, _parse_number(ends[0]) if ends else 0, name.split(".", 1)[0], parser
    parts = name.split("_")
    node = parts[1] if len(parts) > 2 else ""  # noqa: PLR2004 - time, node, kind
    swapped = re.fullmatch(r"(.*)-(algo.*)", node)
    return path, _parse_number(parts[0]), f"{swapped[2]}-{swapped[1]}" if swapped else node, parser


def _parse_number(text: str) -> int:
    return int(text) if text.isdecimal() else 0
