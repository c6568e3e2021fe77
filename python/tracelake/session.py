"""The one object a user holds: a lake, or a profile seen through one."""

from __future__ import annotations

import datetime as dt
import inspect
import json
import os
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, overload

from tracelake import _tracelake
from tracelake.diagnosis import Diagnosis, Thresholds, toml
from tracelake.errors import ArgumentError
from tracelake.explore import Explorer
from tracelake.family import Own, unknown
from tracelake.figures import Figure, Place, show
from tracelake.frame import Frame
from tracelake.gates import Gate
from tracelake.instant import Moment, nanoseconds
from tracelake.progress import Progress, told
from tracelake.queries import Families
from tracelake.reports import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from types import TracebackType

    from typing_extensions import Self

__all__ = ["Names", "Run", "Session", "open"]

Names: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""Name of a run, or the path or URL of a profile, which is read first; or a list of these."""

Run: TypeAlias = "Names | None"
"""As `Names`; or `None`: the run of the profile that was opened, otherwise all runs."""


def open(  # noqa: A001, PLR0913 - `tracelake.open` reads as it is; all but one are options
    url: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
    *,
    run: str | None = None,
    create: bool = False,
    ephemeral: bool = False,
    writable: bool = False,
    queries: str | os.PathLike[str] | None = None,
    loader_columns: Mapping[str, str] | None = None,
    options: Mapping[str, str | float] | None = None,
    cluster: str | None = None,
    local_fallback: bool = False,
    progress: Progress = None,
) -> Session:
    """Opens a profile, several profiles, a lake, or the default lake.

    A profile is read into the default lake, and the session then sees that run; opening it again reads only what is
    new. The default lake is what `TRACELAKE_LAKE` names, otherwise the folder `TRACELAKE_HOME` or `tracelake` in the
    user's data folder.

    Args:
        url: Folder or prefix of a profile or a lake (`s3://bucket/prefix`, `https://...`, a local path), or a list of
            profiles; one `*` in it stands for many. Without it the default lake. It is a lake if it has a folder
            `_manifest`.
        run: Name for the run of an opened profile; without it, the first folder above `profiler-output`.
        create: Makes a new lake at `url` if there is none.
        ephemeral: Keeps what is read, or with `create` a lake that is not there yet, in a temporary folder that goes
            with the session.
        writable: Lets `sql` change things; without it DDL, DML, COPY and SET are refused.
        queries: Folder of your own canned queries, `<family>/<question>.sql`.
        loader_columns: Columns of data loader timings in a profile that have names of their own, as for `ingest`.
        options: Options of the store by name, such as `endpoint`, `region`, `access_key_id`, `secret_access_key`,
            `skip_signature`, or `profile`, one of `~/.aws`; they win over the environment (`AWS_...`).
        cluster: Address of a cluster that answers questions instead of this process, `df://host:50050`; it must reach
            the lake. `options` go with each question.
        local_fallback: Lets this process answer what the cluster cannot; without it that is an error.
        progress: What says how many objects and bytes of a profile are read, and how far that is: `None` for a line on
            stderr if that is a terminal or a notebook, `True` for the line in any case, `False` for silence, or a
            function of objects read, objects to read, bytes read and bytes to read. If nothing has to be read, nothing
            is said.

    Raises:
        NotFoundError: There is nothing at `url`.
        DeniedError: The store refused the credentials.
        UnreachableError: The store or the cluster did not answer.
        ArgumentError: The cluster is of another version.
        UnrecognizedError: No format knows what is there.

    Example:
        >>> with tl.open(profile, ephemeral=True) as session:
        ...     session.run
        'first_look'
    """
    urls = [] if url is None else [url] if isinstance(url, str | os.PathLike) else list(url)
    if url is not None and not urls:
        text = "cannot open profiles: the list is empty"
        raise ArgumentError(text)
    with told(progress) as tell:
        native = _tracelake.open(
            [os.fspath(one) for one in urls],
            _texts("options", options),
            create,
            ephemeral,
            writable,
            None if queries is None else os.fspath(queries),
            run,
            None if loader_columns is None else _texts("loader_columns", loader_columns),
            cluster,
            local_fallback,
            tell,
            _warn,
        )
    return Session(native)


def _warn(text: str) -> None:
    """Emits a warning at the first caller outside of this package.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings(record=True) as caught:
        ...     warnings.simplefilter("always")
        ...     tl.session._warn("run `a` is excluded")
        >>> str(caught[0].message)
        'run `a` is excluded'
    """
    depth, frame = 1, inspect.currentframe()
    while frame is not None and frame.f_globals.get("__package__") == __package__:
        depth, frame = depth + 1, frame.f_back
    warnings.warn(text, stacklevel=depth)


def _patience(share: bool | float) -> float | None:
    """After how many seconds without a sign of life others are taken for dead; None shares nothing.

    Example:
        >>> [tl.session._patience(share) for share in (False, True, 5)]
        [None, 60.0, 5.0]
    """
    if isinstance(share, bool):
        return 60.0 if share else None
    return float(share)


def _texts(what: str, given: Mapping[Any, Any] | None) -> dict[str, str]:
    """The values as text: numbers as Python writes them, `true` and `false` as SQL does.

    Example:
        >>> tl.session._texts("tags", {"commit": "3fa2", "batch_size": 64, "lr": 0.5, "amp": True})
        {'commit': '3fa2', 'batch_size': '64', 'lr': '0.5', 'amp': 'true'}
    """
    texts: dict[str, str] = {}
    for name, value in (given or {}).items():
        plain = getattr(value, "item", lambda value=value: value)()  # numpy scalars
        if not isinstance(name, str) or not isinstance(plain, str | int | float):
            text = f"cannot use {{{name!r}: {value!r}}} in `{what}`: expected names with a text, a number or a bool"
            raise ArgumentError(text)
        texts[name] = str(plain).lower() if isinstance(plain, bool) else str(plain)
    return texts


class Session(Families):
    """An open lake. Queries by family are its attributes: `s.step.duration()`, `s.loader.next()`.

    Calls block, can be made from any thread, let other threads run, and stop at Ctrl-C. As a context manager it is
    closed at the end; otherwise it is when nobody refers to it any more.

    Example:
        >>> s.step.duration(run="first_look").columns[0]
        'run'
    """

    def __init__(self, native: _tracelake.Session) -> None:
        """Wraps the native session; users call `tracelake.open`."""
        self._native: _tracelake.Session | None = native

    def __repr__(self) -> str:
        """What the session sees."""
        if self._native is None:
            return "Session(closed)"
        run = "" if self.run is None else f", run={self.run!r}"
        return f"Session({self.url!r}{run})"

    def _repr_html_(self) -> str:
        return "<code>Session(closed)</code>" if self._native is None else self._native.html()

    def __enter__(self) -> Self:
        """The session itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Closes the session."""
        self.close()

    def close(self) -> None:
        """Gives up the lake; frames that were made before can still be read.

        Example:
            >>> session = tl.open(profile, ephemeral=True)
            >>> session.close()
            >>> session
            Session(closed)
        """
        self._native = None

    @property
    def closed(self) -> bool:
        """Whether `close` was called.

        Example:
            >>> s.closed
            False
        """
        return self._native is None

    @property
    def _opened(self) -> _tracelake.Session:
        if self._native is None:
            text = "cannot use a closed session\n  hint:   open it again with tracelake.open"
            raise ArgumentError(text)
        return self._native

    if not TYPE_CHECKING:  # a type checker knows all names, and would take any for one

        def __getattr__(self, name: str) -> Own:
            """Called for a name that is not there: a family of your own queries, or a slip."""
            if not name.startswith("_") and self._native is not None:
                own = Own(self, name)
                if dir(own):
                    return own
            hint = 'queries of your own are asked by name, s.query("family.question")'
            raise unknown(self, name, hint)

        def __dir__(self) -> list[str]:
            """The names of the class, and the families of your own queries."""
            own = [] if self._native is None else [query["family"] for query in self._native.own_queries()]
            return sorted({*super().__dir__(), *own})

    @property
    def url(self) -> str:
        """Address of the lake.

        Example:
            >>> "://" in s.url
            True
        """
        return self._opened.url

    @property
    def run(self) -> str | None:
        """The run of the profile that was opened, which calls default to; `None` for a lake.

        Example:
            >>> s.run
            'first_look'
        """
        return self._opened.run

    def runs(self) -> Frame:
        """The runs of the lake, one row each.

        Example:
            >>> s.runs().to_pandas()["run"].tolist()
            ['first_look']
        """
        return Frame(self._opened.runs())

    def sql(self, text: str, /, **params: Any) -> Frame:  # noqa: ANN401 - whatever SQL has a type for
        """The answer to a question in SQL.

        Args:
            text: One statement; the tables, the canned queries (as views and as table functions), `help_tables`,
                `help_columns` and `help_queries` are there.
            **params: Values for the `$name` in it.

        Raises:
            QueryError: The SQL is wrong, or would change something and the session is read-only.
            ArgumentError: A value has no `$name` in the SQL, or a `$name` has no value.

        Example:
            >>> frame = s.sql("select rank, count(*) as steps from step where mode = $mode group by rank", mode="eval")
            >>> sorted(row["steps"] for row in frame.rows())
            [10, 10]
        """
        return Frame(self._opened.sql(text, params))

    def query(self, name: str, /, run: Run = None, **params: Any) -> Frame:  # noqa: ANN401 - as the query declares
        """The answer of a canned query by name; `s.step.outliers(factor=3)` is the short way.

        Args:
            name: Name of the query, such as `step.outliers`; your own ones too.
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.
            **params: Parameters of the query; `select * from help_queries` lists them. A datetime or a timestamp of
                pandas is a number of ns since the Unix epoch, UTC without a time zone; lists of them, too.

        Raises:
            NotFoundError: There is no query of this name.
            ArgumentError: A parameter is unknown, missing or of the wrong type.

        Example:
            >>> s.query("step.outliers", factor=3.0).columns == s.step.outliers().columns
            True
        """
        return Frame(self._opened.query(name, params, run))

    def help(self, words: str = "", /) -> Frame:
        """What there is to ask about a word: queries, findings, figures, tables, columns and formats, the best first.

        Args:
            words: What to look for; of several words all must fit. Without any, everything is listed.

        Returns:
            Kind, name, how it is asked (in SQL, or as a figure) and what it is. If nothing fits, the frame is empty and
            `why_empty` says which known word is near. In SQL: `select * from help('loader')`.

        Example:
            >>> s.help("step outliers").to_pandas().loc[0, ["kind", "name"]].tolist()
            ['query', 'step.outliers']
            >>> s.help("laoder").why_empty
            'no help on `laoder`; did you mean `loader`?'
        """
        return Frame(self._opened.help(words))

    def save_query(self, name: str, sql: str, /, **defaults: Any) -> None:  # noqa: ANN401 - whatever SQL has a type for
        """Keeps a query with the lake, where it is a canned query of every session that opens the lake.

        It is asked by name (`s.query("saved.slow")`, `s.saved.slow()`), stands in SQL as `saved_slow`, and in the help.
        One of this name that was saved before is replaced.

        Args:
            name: `<family>.<question>`; without a point the family is `saved`.
            sql: SQL whose first column is `run`, or that begins with the header of a canned query.
            **defaults: Values for the `$name` in plain SQL: each becomes a parameter of that type, with this default.

        Raises:
            QueryError: The SQL is wrong, does more than read, or has a column without a name.
            ArgumentError: The name cannot be one or is taken, or a `$name` has no default.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.save_query("slow", "select run, step, dur from step where dur > $least", least=400_000_000)
            ...     few = session.saved.slow(least=500_000_000)
            ...     len(few) < len(session.sql("select * from saved_slow"))
            True
        """
        self._opened.save_query(name, sql, defaults)

    def delete_query(self, name: str, /) -> None:
        """Removes a saved query from the lake.

        Raises:
            NotFoundError: There is none of this name.

        Example:
            >>> s.delete_query("saved.slow")
            Traceback (most recent call last):
            tracelake.errors.NotFoundError: no saved query `saved.slow`
        """
        self._opened.delete_query(name)

    def own_queries(self) -> list[dict[str, Any]]:
        """Your own queries: those that are kept with the lake, and those of the folder that `open` was given.

        Returns:
            For each `name`, `family`, `question`, `doc`, `params` (`name`, `type`, `default`, `doc`), `columns`
            (`name`, `type`, `unit`, `doc`) and `order`.

        Example:
            >>> s.own_queries()
            []
        """
        return self._opened.own_queries()

    def saved_queries(self) -> list[str]:
        """Names of the queries that are kept with the lake.

        Example:
            >>> s.saved_queries()
            []
        """
        return self._opened.saved_queries()

    def broken_queries(self) -> dict[str, str]:
        """Queries that are kept with the lake and cannot be used: the name of each, and why. `open` warns of them.

        Example:
            >>> s.broken_queries()
            {}
        """
        return self._opened.broken_queries()

    def table(self, name: str, run: Run = None, columns: list[str] | None = None) -> Frame:
        """A whole table, streamed.

        Args:
            name: Name of the table: `event`, `step`, `sample`, `loader`, ...
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.
            columns: Columns to read, in this order; all without it.

        Raises:
            NotFoundError: There is no table or column of this name.
            ArgumentError: `columns` names none, or one twice.

        Example:
            >>> len(s.table("step", columns=["rank", "dur"]))
            220
        """
        return Frame(self._opened.table(name, run, columns))

    def window(self, start: Moment, end: Moment, run: Run = None) -> dict[str, Frame]:
        """Everything recorded from `start` up to `end`, table by table.

        Args:
            start: First moment: ISO 8601 text, a datetime, a pandas Timestamp, or ns since the Unix epoch; UTC unless
                it says otherwise.
            end: First moment after it.
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.

        Returns:
            A frame for each table that has times; intervals that reach into the window are in it.

        Example:
            >>> window = s.window("2020-09-13T12:31:00", "2020-09-13T12:31:10")
            >>> len(window["step"]) > 0
            True
        """
        frames = self._opened.window(nanoseconds(start), nanoseconds(end), run)
        return {name: Frame(frame) for name, frame in frames.items()}

    def refresh(self) -> None:
        """Sees what others have written to the lake meanwhile; frames that were made before stay as they are.

        Example:
            >>> s.refresh()
            >>> len(s.runs())
            1
        """
        self._opened.refresh()

    def delete(
        self,
        runs: str | list[str] | None = None,
        *,
        older_than: dt.timedelta | None = None,
        dry_run: bool = False,
    ) -> list[str]:
        """Deletes runs: from now on they are in no answer.

        Sessions that are open still read them, and so their files stay until `vacuum`.

        Args:
            runs: Names, patterns such as `nightly-*`, conditions such as `commit=3fa2`.
            older_than: Only runs whose rows end further back; of all, if none is named. Where nothing says when a run
                was, its last commit counts.
            dry_run: Only say which.

        Returns:
            The names of the runs.

        Raises:
            NotFoundError: A name stands for no run.
            ConflictError: A baseline names a run.
            ArgumentError: Neither `runs` nor `older_than` is given.

        Example:
            >>> import datetime as dt
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.delete("first_*", dry_run=True)
            ...     session.delete("first_look")
            ...     session.delete(older_than=dt.timedelta(days=90))
            ['first_look']
            ['first_look']
            []
        """
        return self._opened.delete(runs, older_than, dry_run)

    def tag(self, run: str, tags: dict[str, str | None]) -> None:
        """Changes what is said about a run: a value for each tag, `None` for one that goes.

        Tags are rows of table `run_attribute`.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: Other writers change it time after time.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.tag("first_look", {"commit": "3fa2", "draft": None})
            ...     session.group("commit=3fa2")
            ['first_look']
        """
        self._opened.tag(run, tags)

    def check(self, *, read: bool = True) -> Frame:
        """Holds the lake's files against what its manifests say.

        Args:
            read: Also reads every file to its end, which takes as long as an export. Without it one listing is all.

        Returns:
            A row per fault, none when all is well: `fault` (`missing`, `size`, `damaged`, `manifest`, `newer`,
            `unlisted`), `loss` (whether rows are lost; what nobody reads only takes space), `run`, `path` below the
            lake, `bytes` of what is there, `message`.

        Example:
            >>> len(s.check())
            0
        """
        return Frame(self._opened.check(read))

    def repair(self, *, read: bool = True) -> Frame:
        """Fixes what `check` finds.

        A run with a corrupt manifest is restored from its newest valid generation. Missing and corrupt data files are
        dropped from their run; the next `ingest` of the profile reads their source files again. No valid data is
        removed.

        Args:
            read: Reads every file completely, as `check` does.

        Returns:
            A row per run, or per bundle of manifests; no rows if there is nothing to repair: `action` (`restored`;
            `emptied` if no generation is valid; `renamed` if its rows have another name; `dropped` for data files;
            `rewritten` for a bundle), `loss` (whether a profile must be ingested again), `run`, `path` of the corrupt
            file below the lake, and `message`, which says what to do.

        Raises:
            ConflictError: Another process changed the same run. Runs that were repaired before it stay repaired.

        Example:
            >>> len(s.repair())
            0
        """
        return Frame(self._opened.repair(read))

    def faults(self) -> list[dict[str, str | None]]:
        """Corrupt manifests and data files that this session has met so far. Queries exclude their runs.

        Each has `run`, `fault` (`missing`, `damaged`, `manifest`, `newer`), `path` below the lake and `message`. The
        session warns once for each. `check` searches the whole lake.

        Example:
            >>> s.faults()
            []
        """
        return [dict(zip(("run", "fault", "path", "message"), fault, strict=True)) for fault in self._opened.faults()]

    def rename(self, run: str, to: str) -> None:
        """Gives a run another name, at once and for all its rows.

        Sessions that are open read on under the old name until they `refresh`.

        Raises:
            NotFoundError: There is no such run.
            ArgumentError: `to` cannot be a name.
            ConflictError: `to` is taken, a baseline names the run, or somebody else changes it meanwhile.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.rename("first_look", "job-7")
            ...     session.runs().to_pandas()["run"].tolist()
            ['job-7']
        """
        self._opened.rename(run, to)

    def compact(self, *, dry_run: bool = False) -> Frame:
        """Brings the small files of many runs together in few, so that a question opens few.

        Every answer stays as it is. The old files go with `vacuum`.

        Args:
            dry_run: Only say what would be brought together.

        Returns:
            A row per table: `table`, `runs`, `files_before`, `files_after`, `bytes_before`, `bytes_after`.

        Raises:
            ConflictError: Somebody else compacts at the same time.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     report = session.ingest(profile, run="another")
            ...     tables = session.compact()
            ...     set(tables.to_pandas()["runs"].tolist())
            {2}
        """
        return Frame(self._opened.compact(dry_run))

    def upgrade(self, *, dry_run: bool = False) -> Frame:
        """Brings a lake that an older version wrote to what this one writes.

        Parts whose tables have other columns now are written anew, as other engines want one schema, and key figures
        that other queries made are made anew. Answers stay as they are, but for the new figures.

        Args:
            dry_run: Only say what would be done.

        Returns:
            A row per run in which something was old: `run`, `parts` that were written anew, `key_figures` (whether
            these were made anew).

        Raises:
            ConflictError: Others change a run time after time; the runs before it are done.

        Example:
            >>> len(s.upgrade(dry_run=True))
            0
        """
        return Frame(self._opened.upgrade(dry_run))

    def vacuum(self, older_than: dt.timedelta = dt.timedelta(days=1), *, dry_run: bool = False) -> Frame:
        """Removes files that nobody reads any more.

        Those are parts of deleted runs, replaced rows and killed ingests, and manifests that were superseded.

        Args:
            older_than: What was in use since then stays. It must be longer than an ingest takes, and than a session
                stays open without `refresh`. It counts by the clock of the store or by ours, whichever is behind; with
                `dry_run`, which writes nothing, by ours.
            dry_run: Only say which.

        Returns:
            A row per file: `kind` (`part`, `manifest`, `claim`, `unfinished`), `path` below the lake, `bytes`,
            `modified` (when written).

        While any manifest is corrupt, `vacuum` removes neither data files nor manifests: the corrupt manifest may list
        them, and `repair` may need an older generation.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     deleted = session.delete("first_look")
            ...     kept = len(session.vacuum())
            ...     (kept, len(session.vacuum(dt.timedelta(0))) > 0)
            (0, True)
        """
        return Frame(self._opened.vacuum(older_than, dry_run))

    def traffic(self) -> dict[str, int]:
        """What this session asked of stores over the network since it was opened; nothing of local folders.

        Returns:
            Requests by kind (`list` for pages of listings, `get`, `head`, `put`, `delete`), and bytes of bodies that
            were `received` and `sent`. Requests that were tried again count each time.

        Example:
            >>> s.traffic()["get"]
            0
        """
        return self._opened.traffic()

    def files(self, table: str, run: Run = None) -> list[str]:
        """The exact Parquet files of a table, for any other engine.

        After `compact` a file may also hold rows of runs that were not asked for, and of runs that were deleted since:
        column `run` tells.

        Example:
            >>> import duckdb
            >>> paths = [file.removeprefix("file://") for file in s.files("step")]
            >>> duckdb.read_parquet(paths).aggregate("count(*)").fetchall()
            [(220,)]
        """
        return self._opened.files(table, run)

    def object_bytes(self, url: str) -> bytes:
        """The bytes of an object as its store has it: table `object` has the addresses of a profile's files.

        Example:
            >>> url = s.table("object", columns=["url"]).to_arrow()["url"][0].as_py()
            >>> len(s.object_bytes(url)) > 0
            True
        """
        return self._opened.object_bytes(url)

    def provider(self, table: str) -> object:
        """The table in place for PyPI datafusion of the same major version.

        Example:
            >>> import datafusion
            >>> context = datafusion.SessionContext()
            >>> context.register_table("step", s.provider("step"))
            >>> context.sql("select count(*) as n from step").to_pydict()
            {'n': [220]}
        """
        return self._opened.provider(table)

    def figures(self) -> list[str]:
        """Names of the figures.

        Example:
            >>> "step_timeline" in s.figures()
            True
        """
        return self._opened.figures()

    def figure(self, name: str, /, run: Run = None, **params: Any) -> Figure:  # noqa: ANN401 - as its queries declare
        """A figure; `figure.frames` are its numbers.

        Args:
            name: Name of the figure, one of `figures()`.
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.
            **params: Parameters of its queries; `select * from help_figures` lists them.

        Raises:
            NotFoundError: There is no figure of this name.
            ArgumentError: A parameter is unknown or of the wrong type.

        Example:
            >>> s.figure("step_timeline").frames[0].columns[0]
            'run'
        """
        return Figure(self._opened.figure(name, params, run))

    def explore(self, name: str, /, run: Run = None, **params: Any) -> Explorer:  # noqa: ANN401 - as its queries declare
        """A figure for a notebook that asks again, in full detail, when its reader zooms or pans. Needs anywidget.

        Args:
            name: Name of the figure, one whose first query has a window of time, such as `trace_timeline`.
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.
            **params: Parameters of its queries, as for `figure`; `start` and `end` bound the whole.

        Raises:
            NotFoundError: There is no figure of this name.
            ArgumentError: The figure has no window of time, or a parameter is unknown or of the wrong type.
            ImportError: anywidget is missing.

        Example:
            >>> s.explore("step_timeline")
            Explorer('step_timeline', the whole)
            >>> s.explore("loader_share")
            Traceback (most recent call last):
            tracelake.errors.ArgumentError: cannot explore loader_share: it has no window of time; these have: ...
        """
        return Explorer(self, name, run, params)

    def export(
        self,
        run: str | None,
        path: str | os.PathLike[str],
        format: str = "chrome",  # noqa: A002 - what the shell calls it
    ) -> dict[str, Any]:
        """Writes a run as a trace for other viewers: open the file in https://ui.perfetto.dev or chrome://tracing.

        All events over all ranks stand on one timeline; measurements, and what allocators hold, are counters. Intervals
        that overlap others of their track in part go to lanes of their own, so that no viewer drops one. Times are
        exact. Memory stays bounded, and a file that was there stays until the new one is complete.

        Args:
            run: Name of the run; `None` for the one of the profile that was opened.
            path: Local file to write, `.json`, or `.json.gz` to pack it.
            format: `chrome`, which is Trace Event JSON.

        Returns:
            What was written: `slices` (events with a duration), `instants`, `flows` (ends of arrows), `counters`,
            `moved` (slices on lanes of their own), `left_out` (rows without a time, measurements that are no number),
            `bytes` of JSON, and the name of the `run`.

        Raises:
            NotFoundError: There is no run, or no folder, of this name.
            ArgumentError: The format is unknown, or the file has another ending.
            DeniedError: The file cannot be written.

        Example:
            >>> path = getfixture("tmp_path") / "trace.json.gz"
            >>> exported = s.export("first_look", path)
            >>> events = exported["slices"] + exported["instants"] + exported["flows"]
            >>> events == len(s.table("event")), path.exists()
            (True, True)
        """
        if run is None and (run := self.run) is None:
            text = "cannot export: no run is named\n  hint:   s.runs() lists the runs of the lake"
            raise ArgumentError(text)
        return self._opened.export(run, path, format)

    def export_duckdb(self, folder: str | os.PathLike[str]) -> dict[str, Any]:
        """Writes tables, views and canned queries of the lake as SQL for DuckDB 1.5 or newer, over the Parquet files.

        The folder gets `views.sql`, and `run.parquet` and `object.parquet` for the tables that have no files. The
        script makes a view for each table, view and query, with the columns, types and order that it has here, and a
        macro besides for each that has parameters, whose names begin with `p_`: `step_outliers(p_factor := 3)`. It sees
        the runs that this session sees, as they are now; export anew after a change.

        Args:
            folder: Local folder, made where there is none.

        Returns:
            `names` of what the script makes, and `left_out`: what calls a function that DuckDB has not, and why.

        Raises:
            DeniedError: The folder cannot be written.

        Example:
            >>> import duckdb
            >>> folder = getfixture("tmp_path") / "views"
            >>> exported = s.export_duckdb(folder)
            >>> connection = duckdb.connect()
            >>> views = connection.execute((folder / "views.sql").read_text())
            >>> connection.sql("select steps from job_overview").fetchall() == [(s.runs().to_pandas()["steps"][0],)]
            True
            >>> exported["left_out"]["step_critical_path"]
            'calls `critical_path`'
        """
        return self._opened.export_duckdb(folder)

    def export_delta(self) -> Frame:
        """Makes every table of the lake a Delta Lake table, in place, or brings these up to date.

        `<lake>/<table>` is the address of a table, and the Parquet parts that are there are its files. All runs of the
        lake are in it as they are now; without a change there is no new version. The tables are for readers: other
        programs refuse to write to them. Export anew after a change, and before `vacuum`, which removes files of older
        versions. Runs with a missing or truncated data file are excluded, with a warning.

        Returns:
            A row per table: `table`, `address`, `version`, `files`, `rows`, `bytes`.

        Raises:
            ConflictError: Others export at the same time, time after time.
            MalformedError: Another program wrote to the log, or a part is damaged.

        Example:
            >>> from deltalake import DeltaTable
            >>> tables = s.export_delta().to_pandas().set_index("table")
            >>> DeltaTable(tables["address"]["step"]).to_pyarrow_table().num_rows == len(s.table("step"))
            True
        """
        return Frame(self._opened.export_delta())

    def rule_reports(
        self, folder: str | os.PathLike[str], run: str | None = None, defaults: str = "history"
    ) -> list[Path]:
        """Writes what the profiler rules say about a run as SageMaker Debugger did: a file `<Rule>.json` for each.

        A report has `RuleTriggered` (1 or 0), `Violations`, `Datapoints`, `RuleParameters` (lines of `name:value`), and
        `Details`, the columns of the rule's query below the names of machine, GPU or process. A rule without data
        has no file. `s.rules.report()` is the same as a table.

        Args:
            folder: Local folder to write to; it is made where there is none.
            run: Name of the run; `None` for the one of the profile that was opened.
            defaults: Whose limits hold: `history` (the rules' code), `rulesconfig`, `docs` (both AWS) or `reported`
                (those that the run's own old reports name).

        Returns:
            The files.

        Raises:
            NotFoundError: There is no run of this name.
            ArgumentError: There are no such limits.
            DeniedError: A file cannot be written.

        Example:
            >>> [path.name for path in s.rule_reports(getfixture("tmp_path"))][:2]
            ['BatchSize.json', 'CPUBottleneck.json']
        """
        if run is None and (run := self.run) is None:
            text = "cannot write rules: no run is named\n  hint:   s.runs() lists the runs of the lake"
            raise ArgumentError(text)
        return self._opened.rule_reports(run, folder, defaults)

    def compare(  # noqa: PLR0913 - all but two are options
        self,
        a: Names,
        b: Names,
        *,
        a_span: int | None = None,
        b_span: int | None = None,
        noise: float = 0.005,
        confidence: float = 0.95,
        top: int = 20,
    ) -> Frame:
        """What changed from one run, or group of runs, to another, and whether it is more than noise.

        `s.change.report()` is the same for names of runs alone; `s.figure("comparison", a=["before"], b=["after"])`
        draws it.

        Args:
            a: What was: a run, a baseline, a pattern such as `job-*`, a condition such as `commit=3fa2`, or a list of
                these.
            b: What is.
            a_span: Only this recording of the runs of side a.
            b_span: Only this recording of the runs of side b.
            noise: Standard deviation between runs of the same code over the value, where it cannot be measured.
            confidence: How often the intervals hold the true ratio.
            top: How many operators and kernels, those with the greatest changes.

        Returns:
            A row for each thing that is compared and statistic of it: first what is no part of a step, then by
            `contribution`, ns of a step, the greatest first.

        Raises:
            NotFoundError: A name stands for no run.

        Example:
            >>> frame = s.compare("first_look", "first_look")
            >>> {row["kind"] for row in frame.rows()}
            {'same'}
        """
        return Frame(self._opened.compare(a, b, a_span, b_span, noise, confidence, top))

    def gate(  # noqa: PLR0913 - all but one are options
        self,
        candidate: Names,
        *,
        baseline: Names | None = None,
        rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
        max_regression: float | None = None,
        max_load_ratio: float | None = None,
        noise: float | None = None,
        confidence: float | None = None,
    ) -> Gate:
        """Whether rules hold for a run, or a group of runs, held against a baseline.

        Args:
            candidate: What is judged: a run, a pattern such as `job-*`, a condition such as `commit=3fa2`, or a list of
                these.
            baseline: What it is held against, named in the same way, or as in `set_baseline`.
            rules: A TOML file of rules, or what would be in one:
                `{"rule": [{"query": "step.over_time", "column": "dur", "aggregate": "p50", "max_ratio": 1.02}]}`.
            max_regression: The median step is at most so many times that of the baseline.
            max_load_ratio: The share of time that processes wait for data is at most this.
            noise: Standard deviation between runs of the same code over the value, where it cannot be measured; 0.005
                unless the rules say otherwise.
            confidence: How sure it must be that a change is no noise; 0.95 unless the rules say otherwise.

        Raises:
            NotFoundError: A name stands for no run.
            ArgumentError: There are no rules, a rule is wrong, or it needs a baseline.

        Example:
            >>> rule = {"query": "step.over_time", "column": "dur", "aggregate": "p50", "max_ratio": 1.02}
            >>> s.gate("first_look", baseline="first_look", rules={"rule": [rule]}).passed
            True
        """
        toml = given = None
        if isinstance(rules, str | os.PathLike):
            toml = Path(rules).read_text(encoding="utf-8")
        elif rules is not None:
            given = json.dumps(rules)
        return Gate(
            self._opened.gate(candidate, baseline, toml, given, max_regression, max_load_ratio, noise, confidence)
        )

    def resolve(self, names: Names) -> list[str]:
        """The runs that names stand for, as `group`, and those of profiles given by path or URL, which are read first.

        `./name` is always a path, `run:name` always a run.

        Raises:
            NotFoundError: A name stands for no run, or there is nothing at a path.
            ArgumentError: A text is the name of a run and the path of another profile.

        Example:
            >>> s.resolve("first_*")
            ['first_look']
        """
        return self._opened.resolve(names)

    def limit_to(self, names: Names) -> None:
        """Makes the session see only these runs, and those that it ingests from now on.

        Raises:
            NotFoundError: A name stands for no run, or there is nothing at a path.

        Example:
            >>> with tl.open([profile], ephemeral=True) as session:
            ...     session.limit_to("first_look")
            ...     len(session.runs())
            1
        """
        self._opened.limit_to(names)

    def group(self, names: str | list[str]) -> list[str]:
        """The runs that names stand for: runs, baselines, patterns with `*`, conditions such as `commit=3fa2`.

        Raises:
            NotFoundError: A name stands for no run.

        Example:
            >>> s.group("first_*")
            ['first_look']
        """
        return self._opened.group(names)

    def baselines(self) -> dict[str, list[str]]:
        """The baselines of the lake by name, each with its runs.

        Example:
            >>> s.baselines()
            {}
        """
        return self._opened.baselines()

    def set_baseline(self, name: str, runs: str | list[str]) -> list[str]:
        """Makes these runs the baseline of this name, which stands for them from then on; one that is there moves.

        Raises:
            NotFoundError: A name stands for no run.
            ArgumentError: The name cannot be one, or a run has it.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.set_baseline("main", "first_look")
            ...     session.baselines()
            ['first_look']
            {'main': ['first_look']}
        """
        return self._opened.set_baseline(name, runs)

    def diagnose(self, run: Run = None, thresholds: Thresholds = None) -> Diagnosis:
        """What is slow in a run, why, how sure that is, and which checks had no data.

        Args:
            run: Name of a run, or the path or URL of a profile, which is read first; a list of these; `None` for all.
            thresholds: Parameters of findings that differ from their defaults: a dict such as
                `{"load_share_high": {"bottleneck": 0.4}}`, or the path of a TOML file with a table per finding.
                `select * from help_queries where name like 'finding.%'` lists them.

        Returns:
            The diagnosis: a verdict for each run, and every finding with its outcome (found, passed or no_data),
            the worst first. `select * from diagnosis` is the same in SQL.

        Raises:
            NotFoundError: There is no run of this name, or no such file.
            ArgumentError: A finding or a parameter of it is unknown, or a value is of the wrong type.

        Example:
            >>> diagnosis = s.diagnose()
            >>> load = diagnosis["load_share_high"]
            >>> load.outcome, load.evidence["loader.share"].columns[0]
            ('found', 'run')
        """
        return Diagnosis(self, *self._opened.diagnose(run, toml(thresholds)))

    def report(self, *sides: Names) -> Report:
        """A page about one run, a comparison of two sides, or all runs of the lake: as many sides are given.

        It holds the verdict, the findings with their evidence, figures, tables and the SQL of every number, in one file
        that needs no network.

        Args:
            *sides: Nothing, one side or two. A side is a run, a baseline, a pattern such as `job-*`, a condition such
                as `commit=3fa2`, or a list of these. One that stands for several runs is a small fleet; without a side
                the page is about the run of the profile that was opened, if one was.

        Raises:
            NotFoundError: A name stands for no run.
            ArgumentError: There are more than two sides.

        Example:
            >>> s.report("first_look").title
            'first_look'
        """
        return Report(self._opened.report(list(sides)))

    def ingest(  # noqa: PLR0913 - all but two are options
        self,
        url: str | os.PathLike[str],
        run: str | None = None,
        *,
        tags: Mapping[str, str | float] | None = None,
        clock_offset: int | None = None,
        step_annotation: str | None = None,
        loader_columns: Mapping[str, str] | None = None,
        prune: bool = False,
        dry_run: bool = False,
        share: bool | float = False,
        options: Mapping[str, str | float] | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Reads a profile into the lake; again, only what is new or changed.

        At Ctrl-C the call waits until the reading has stopped; the lake is then as it was before, unless the commit had
        begun.

        Args:
            url: Folder or prefix of the profile; with `*` in it many profiles, one run each.
            run: Name of the run; without it, the first folder above `profiler-output`. A name that is there gets this
                profile as a further source.
            tags: What you want to say about the run (commit, batch size, ...), as texts, numbers or bools.
            clock_offset: Nanoseconds to add to every time of this profile; None keeps what was given before.
            step_annotation: Name of the annotation that marks steps in traces, alone or with a number behind it, not
                `ProfilerStep#<n>`. Marks without a number are counted from 0. None keeps what was given before, an
                empty text means `ProfilerStep`.
            loader_columns: Columns of data loader timings that have other names, `{"load_s": "data_ms:ms"}`, with `ms`,
                `us` or `ns` behind a colon where the unit is not s. Names are `load_s`, `compute_s` or `step_s`
                (both together), `step`, `epoch`, `rank`, `worker`, `batch_size`. None keeps what was given before, an
                empty dict forgets it.
            prune: Also drops rows of files that are no longer there; without it they stay.
            dry_run: Reads and writes nothing, and says what would be read. What a file is may have to be looked at.
            share: Shares the profiles that a `*` stands for with other processes, or machines, that do the same: each
                is read by one of them, and all are there when the call ends. Who shows no sign of life for so many
                seconds is taken for dead, and others read what was left; True is 60.
            options: Options of the store, as for `open`.
            progress: What says how far it is, as for `open`.

        Returns:
            What was read, unchanged, pruned and damaged, and the `traffic` of that; of many profiles a list of these,
            `reports`, with `share` of those that this process read. One of many that cannot be read does not keep the
            others out: its `error` says why, and so does a warning. Of a dry run `traffic` is what reading would ask of
            the store, and nothing of what writing would.

        Raises:
            NotFoundError: There is nothing at `url`.
            UnrecognizedError: No format knows what is there.
            ArgumentError: A loader column is none, or there is one profile to share.
            ConflictError: The run has that name and another profile, or somebody else changed it meanwhile.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     report = session.ingest(profile, run="again", tags={"commit": "3fa2"})
            ...     len(session.runs())
            2
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     report = session.ingest(profile, run="other", dry_run=True)
            ...     (report["read"], report["bytes"], len(session.runs()))
            (7, 586981, 1)
        """
        with told(progress) as tell:
            report = self._opened.ingest(
                os.fspath(url),
                run,
                _texts("options", options),
                _texts("tags", tags),
                clock_offset,
                step_annotation,
                None if loader_columns is None else _texts("loader_columns", loader_columns),
                prune,
                dry_run,
                _patience(share),
                tell,
            )
        for one in report["reports"]:
            if one["error"]:
                warnings.warn(f"{one['run']} is left out: {one['error']}", stacklevel=2)
        return report

    def follow(  # noqa: PLR0913 - all but two are options
        self,
        url: str | os.PathLike[str],
        run: str | None = None,
        *,
        every: float = 10,
        idle: float | None = None,
        tags: Mapping[str, str | float] | None = None,
        clock_offset: int | None = None,
        step_annotation: str | None = None,
        loader_columns: Mapping[str, str] | None = None,
        options: Mapping[str, str | float] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Follows a profile while its job writes it: `for arrived in s.follow(url): ...`.

        Each round of the loop is a look that found something, whose rows the session sees from then on. A look lists
        the profile once and reads what is new or has changed; each row is there once, also of a file that grew. A
        profile that is not there yet is waited for. It ends, after a last look, when SageMaker says that the job has
        ended; `break` or Ctrl-C ends it before, and following again goes on from there.

        Args:
            url: Folder or prefix of the profile.
            run: Name of the run; without it, the first folder above `profiler-output`.
            every: Seconds between two looks.
            idle: Ends after so many seconds without news; None waits for the end of the job.
            tags: What you want to say about the run, as for `ingest`.
            clock_offset: Nanoseconds to add to every time, as for `ingest`.
            step_annotation: Name of the annotation that marks steps, as for `ingest`.
            loader_columns: Names of the columns of data loader timings, as for `ingest`.
            options: Options of the store, as for `open`.

        Yields:
            What arrived: files `read`, `rows` by table, `bytes`, `generation` of the run, and what else `ingest` says.

        Raises:
            ArgumentError: `url` stands for many profiles, or a time is none.
            NotFoundError: There was nothing at `url` to the end.

        Example:
            >>> with tl.open(getfixture("tmp_path") / "lake", create=True) as lake:
            ...     for arrived in lake.follow(profile, every=0.1, idle=0.5):
            ...         print(arrived["rows"]["step"], len(lake.table("step")))
            220 220
        """
        following = self._opened.follow(
            os.fspath(url),
            run,
            _texts("options", options),
            _texts("tags", tags),
            clock_offset,
            step_annotation,
            None if loader_columns is None else _texts("loader_columns", loader_columns),
            every,
            idle,
        )
        return iter(following.next, None)

    @overload
    def live(
        self,
        name: str,
        /,
        url: str | os.PathLike[str],
        run: str | None = None,
        *,
        every: float = 10,
        idle: float | None = None,
        options: Mapping[str, str | float] | None = None,
        **params: Any,  # noqa: ANN401 - as its queries declare
    ) -> Figure | None: ...
    @overload
    def live(
        self,
        name: list[str] | tuple[str, ...],
        /,
        url: str | os.PathLike[str],
        run: str | None = None,
        *,
        every: float = 10,
        idle: float | None = None,
        options: Mapping[str, str | float] | None = None,
        **params: Any,  # noqa: ANN401 - the same
    ) -> list[Figure]: ...
    def live(  # noqa: PLR0913 - all but two are options
        self,
        name: str | list[str] | tuple[str, ...],
        /,
        url: str | os.PathLike[str],
        run: str | None = None,
        *,
        every: float = 10,
        idle: float | None = None,
        options: Mapping[str, str | float] | None = None,
        **params: Any,
    ) -> Figure | list[Figure] | None:
        """A figure that a notebook draws anew, in place, whenever something arrives; the call ends as `follow` does.

        Args:
            name: Name of the figure, one of `figures()`; with a list of names, each figure has its place.
            url: Folder or prefix of the profile that is followed.
            run: Name of the run; without it, the first folder above `profiler-output`.
            every: Seconds between two looks.
            idle: Ends after so many seconds without news; None waits for the end of the job.
            options: Options of the store, as for `open`.
            **params: Parameters of its queries; `select * from help_figures` lists them.

        Returns:
            The figure as it is at the end, None if nothing arrived; for a list of names the list of figures.

        Example:
            >>> with tl.open(getfixture("tmp_path") / "lake", create=True) as lake:
            ...     lake.live("step_timeline", profile, every=0.1, idle=0.5).name
            'step_timeline'
        """
        names = [name] if isinstance(name, str) else list(name)
        figures: list[Figure] = []
        places: list[Place | None] = [None] * len(names)
        for arrived in self.follow(url, run, every=every, idle=idle, options=options):
            figures = [self.figure(one, run=arrived["run"], **params) for one in names]
            places = [show(figure, place) for figure, place in zip(figures, places, strict=True)]
        return figures if not isinstance(name, str) else figures[0] if figures else None
