"""The session: opens a lake or a profile, runs queries and makes figures, reports and exports."""

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
from tracelake.family import Own, no_attribute
from tracelake.figures import Figure, NotebookOutput, show
from tracelake.frame import Frame
from tracelake.gates import Gate
from tracelake.instant import Moment, nanoseconds
from tracelake.progress import Progress, reporter
from tracelake.queries import Families
from tracelake.reports import Report

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from typing_extensions import Self

__all__ = ["Names", "Run", "Session", "open"]

Names: TypeAlias = "str | os.PathLike[str] | Sequence[str | os.PathLike[str]]"
"""Name of a run, or the path or URL of a profile, which is ingested first; or a list of these."""

Run: TypeAlias = "Names | None"
"""As `Names`, or `None` for the run of the opened profile; without an opened profile, all runs."""


def open(  # noqa: A001, PLR0913 - `tracelake.open` reads as it is; all but one are options
    url: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | None = None,
    *,
    run: str | None = None,
    create: bool = False,
    ephemeral: bool = False,
    writable: bool = False,
    queries: str | os.PathLike[str] | None = None,
    loader_columns: Mapping[str, str] | None = None,
    prune: bool = False,
    options: Mapping[str, str | float] | None = None,
    cluster: str | None = None,
    local_fallback: bool = False,
    progress: Progress = None,
) -> Session:
    """Opens a profile, several profiles, a lake, or the default lake.

    A profile is ingested into the default lake, and the session then shows that run. Opening it again reads only new
    data. `TRACELAKE_LAKE` sets the default lake; without it, the lake is the folder `TRACELAKE_HOME`, or `tracelake`
    in the user's data folder.

    Args:
        url: Folder or prefix of a profile or a lake (`s3://bucket/prefix`, `https://...`, a local path), or a list of
            profiles. A `*` in it matches several profiles. The default is the default lake. A
            folder `_manifest` marks a lake.
        run: Name for the run of an opened profile. The default is the last folder of the path without a generic name
            (`profiler-output`).
        create: Makes a new lake at `url` if there is none.
        ephemeral: Stores the ingested data, or with `create` a new lake, in a temporary folder that is removed with the
            session.
        writable: Lets `sql` change data; without it, DDL, DML, COPY and SET are refused.
        queries: Folder of your own canned queries, `<family>/<question>.sql`.
        loader_columns: Maps the columns of data loader timings that have other names, as for `ingest`.
        prune: Also removes the rows of files of the profile that no longer exist, as for `ingest`. If none is left,
            it is an error, and the rows stay.
        options: Options of the store by name, such as `endpoint`, `region`, `access_key_id`, `secret_access_key`,
            `skip_signature`, or `profile` (a profile of `~/.aws`). They override the environment (`AWS_...`).
        cluster: Address of a cluster that runs queries instead of this process, `df://host:50050`. It must reach the
            lake. Each query sends `options` to the cluster.
        local_fallback: Lets this process run the queries that the cluster cannot run; without it, they are errors.
        progress: How to report the number of objects and bytes of a profile and the part already read. `None` prints a
            line on stderr if stderr is a terminal, or shows a bar in a notebook. `True` always prints the line, `False`
            reports nothing. A function is called with objects read, objects to read, bytes read and bytes to read.
            Nothing is reported if there is nothing to read.

    Raises:
        NotFoundError: There is nothing at `url`.
        DeniedError: The store refused the credentials.
        UnreachableError: The store or the cluster did not answer.
        ArgumentError: The cluster has another version.
        UnrecognizedError: No supported format matches the input.

    Example:
        >>> with tl.open(profile, ephemeral=True) as session:
        ...     session.run
        'first_look'
    """
    urls = [] if url is None else [url] if isinstance(url, str | os.PathLike) else list(url)
    if url is not None and not urls:
        text = "cannot open profiles: the list is empty"
        raise ArgumentError(text)
    with reporter(progress) as report_progress:
        native = _tracelake.open(
            [os.fspath(one) for one in urls],
            _texts("options", options),
            create,
            ephemeral,
            writable,
            None if queries is None else os.fspath(queries),
            run,
            None if loader_columns is None else _texts("loader_columns", loader_columns),
            prune,
            cluster,
            local_fallback,
            report_progress,
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


def _lease_timeout(share: bool | float) -> float | None:
    """Returns the lease timeout in seconds, or None for an ingest that shares no work.

    Example:
        >>> [tl.session._lease_timeout(share) for share in (False, True, 5)]
        [None, 60.0, 5.0]
    """
    if isinstance(share, bool):
        return 60.0 if share else None
    return float(share)


def _texts(argument: str, values: Mapping[Any, Any] | None) -> dict[str, str]:
    """Returns the values as text: numbers as Python writes them, `true` and `false` as in SQL.

    Example:
        >>> tl.session._texts("tags", {"commit": "3fa2", "batch_size": 64, "lr": 0.5, "amp": True})
        {'commit': '3fa2', 'batch_size': '64', 'lr': '0.5', 'amp': 'true'}
    """
    texts: dict[str, str] = {}
    for name, value in (values or {}).items():
        plain = getattr(value, "item", lambda value=value: value)()  # numpy scalars
        if not isinstance(name, str) or not isinstance(plain, str | int | float):
            text = f"cannot use {{{name!r}: {value!r}}} in `{argument}`: expected names with a text, a number or a bool"
            raise ArgumentError(text)
        texts[name] = str(plain).lower() if isinstance(plain, bool) else str(plain)
    return texts


class Session(Families):
    """An open lake. Query families are attributes: `s.step.duration()`, `s.loader.next()`.

    Calls block, are safe from any thread, release the GIL, and stop at Ctrl-C. A `with` block closes the session at its
    end. Without one, the session closes when it is garbage-collected.

    Example:
        >>> s.step.duration(run="first_look").columns[0]
        'run'
    """

    def __init__(self, native: _tracelake.Session) -> None:
        """Wraps the native session; users call `tracelake.open`."""
        super().__init__()
        self._native: _tracelake.Session | None = native

    def __repr__(self) -> str:
        """Returns the lake, and the run if the session opened one profile."""
        if self._native is None:
            return "Session(closed)"
        run = "" if self.run is None else f", run={self.run!r}"
        return f"Session({self._native.title()!r}{run})"

    def _repr_html_(self) -> str:
        return "<code>Session(closed)</code>" if self._native is None else self._native.html()

    def __enter__(self) -> Self:
        """Returns the session itself."""
        return self

    def __exit__(self, kind: object, error: object, traceback: object) -> None:
        """Closes the session."""
        self.close()

    def close(self) -> None:
        """Closes the lake. Frames that already exist can still be read.

        Example:
            >>> session = tl.open(profile, ephemeral=True)
            >>> session.close()
            >>> session
            Session(closed)
        """
        self._native = None

    @property
    def closed(self) -> bool:
        """True after `close`.

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
            """Returns a family of your own queries, or raises an error that suggests a similar name."""
            if not name.startswith("_") and self._native is not None:
                own = Own(self, name)
                if dir(own):
                    return own
            hint = 'run your own queries by name: s.query("family.question")'
            raise no_attribute(self, name, hint=hint)

        def __dir__(self) -> list[str]:
            """Returns the names of the class, and the families of your own queries."""
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
        """The run of the opened profile, which is the default run of calls; `None` for a lake.

        Example:
            >>> s.run
            'first_look'
        """
        return self._opened.run

    def runs(self) -> Frame:
        """Returns the runs of the lake, one row each.

        Example:
            >>> s.runs().to_pandas()["run"].tolist()
            ['first_look']
        """
        return Frame(self._opened.runs())

    def sql(self, text: str, /, **params: Any) -> Frame:  # noqa: ANN401 - whatever SQL has a type for
        """Runs one SQL statement and returns its rows.

        Args:
            text: One statement. It can use the tables, the canned queries (as views and as table functions),
                `help_tables`, `help_columns` and `help_queries`.
            **params: Values for the `$name` placeholders in it.

        Raises:
            QueryError: The SQL is wrong, or it would change data and the session is read-only.
            ArgumentError: A value has no `$name` in the SQL, or a `$name` has no value.

        Example:
            >>> frame = s.sql("select rank, count(*) as steps from step where mode = $mode group by rank", mode="eval")
            >>> sorted(row["steps"] for row in frame.rows())
            [10, 10]
        """
        return Frame(self._opened.sql(text, params))

    def query(self, name: str, /, run: Run = None, **params: Any) -> Frame:  # noqa: ANN401 - as the query declares
        """Runs a canned query by name and returns its rows; `s.step.outliers(factor=3)` is the short form.

        Args:
            name: Name of a canned query or of your own query, such as `step.outliers`.
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.
            **params: Parameters of the query; `select * from help_queries` lists them. A datetime, a pandas timestamp,
                or a list of them becomes ns since the Unix epoch; a time without a time zone is UTC.

        Raises:
            NotFoundError: There is no query of this name.
            ArgumentError: A parameter is unknown, missing or of the wrong type.

        Example:
            >>> s.query("step.outliers", factor=3.0).columns == s.step.outliers().columns
            True
        """
        return Frame(self._opened.query(name, params, run))

    def help(self, words: str = "", /) -> Frame:
        """Searches the help: queries, findings, figures, tables, columns and formats, best match first.

        Args:
            words: Words to search for; all of them must match. Without words, everything is listed.

        Returns:
            Kind, name, how to use it (in SQL, or as a figure) and a description. Without a match, the frame is empty
            and `why_empty` suggests a similar known word. In SQL: `select * from help('loader')`.

        Example:
            >>> s.help("step outliers").to_pandas().loc[0, ["kind", "name"]].tolist()
            ['query', 'step.outliers']
            >>> s.help("laoder").why_empty
            'no help on `laoder`; did you mean `loader`?'
        """
        return Frame(self._opened.help(words))

    def save_query(self, name: str, sql: str, /, **defaults: Any) -> None:  # noqa: ANN401 - whatever SQL has a type for
        """Saves a query in the lake. It becomes a canned query of every session that opens the lake.

        Run it by name (`s.query("saved.slow")`, `s.saved.slow()`), or in SQL as `saved_slow`. The help lists it. It
        replaces a saved query of the same name.

        Args:
            name: `<family>.<question>`; a name without a dot belongs to family `saved`.
            sql: SQL with `run` as the first column, or SQL that begins with the header of a canned query.
            **defaults: Values for the `$name` placeholders in plain SQL. Each becomes a parameter with the type of the
                value and the value as its default.

        Raises:
            QueryError: The SQL is wrong, does more than read, or has a column without a name.
            ArgumentError: The name is invalid or taken, or a `$name` has no default.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.save_query("slow", "select run, dur from step where dur > $min_dur", min_dur=400_000_000)
            ...     few = session.saved.slow(min_dur=500_000_000)
            ...     len(few) < len(session.sql("select * from saved_slow"))
            True
        """
        self._opened.save_query(name, sql, defaults)

    def delete_query(self, name: str, /) -> None:
        """Removes a saved query from the lake.

        Raises:
            NotFoundError: There is no saved query of this name.

        Example:
            >>> s.delete_query("saved.slow")
            Traceback (most recent call last):
            tracelake.errors.NotFoundError: no saved query `saved.slow`
        """
        self._opened.delete_query(name)

    def own_queries(self) -> list[dict[str, Any]]:
        """Returns your own queries: those saved in the lake, and those in the folder `queries` of `open`.

        Returns:
            For each query `name`, `family`, `question`, `doc`, `params` (`name`, `type`, `default`, `doc`), `columns`
            (`name`, `type`, `unit`, `doc`) and `order`.

        Example:
            >>> s.own_queries()
            []
        """
        return self._opened.own_queries()

    def saved_queries(self) -> list[str]:
        """Returns the names of the queries that are saved in the lake.

        Example:
            >>> s.saved_queries()
            []
        """
        return self._opened.saved_queries()

    def broken_queries(self) -> dict[str, str]:
        """Returns the saved queries of the lake that cannot be used: name and reason. `open` warns about them.

        Example:
            >>> s.broken_queries()
            {}
        """
        return self._opened.broken_queries()

    def table(self, name: str, run: Run = None, columns: list[str] | None = None) -> Frame:
        """Returns all rows of a table, as a stream.

        Args:
            name: Name of the table: `event`, `step`, `sample`, `loader`, ...
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.
            columns: Columns to read, in this order. The default is all columns.

        Raises:
            NotFoundError: There is no table or column of this name.
            ArgumentError: `columns` is empty, or names a column twice.

        Example:
            >>> len(s.table("step", columns=["rank", "dur"]))
            220
        """
        return Frame(self._opened.table(name, run, columns))

    def window(self, start: Moment, end: Moment, run: Run = None) -> dict[str, Frame]:
        """Returns everything recorded from `start` up to `end`, one frame per table.

        Args:
            start: Start of the window (inclusive): ISO 8601 text, a datetime, a pandas Timestamp, or ns since the Unix
                epoch. A time without a time zone is UTC.
            end: End of the window (exclusive).
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.

        Returns:
            A frame for each table that has times. Intervals that overlap the window are included.

        Example:
            >>> window = s.window("2020-09-13T12:31:00", "2020-09-13T12:31:10")
            >>> len(window["step"]) > 0
            True
        """
        frames = self._opened.window(nanoseconds(start), nanoseconds(end), run)
        return {name: Frame(frame) for name, frame in frames.items()}

    def refresh(self) -> None:
        """Updates the session to the current state of the lake. Frames that already exist do not change.

        Example:
            >>> s.refresh()
            >>> len(s.runs())
            1
        """
        self._opened.refresh()

    def delete(
        self, runs: str | list[str] | None = None, *, older_than: dt.timedelta | None = None, dry_run: bool = False
    ) -> list[str]:
        """Deletes runs, so that no later query returns their rows.

        Other open sessions still read them, so their files remain until `vacuum`.

        Args:
            runs: Names, patterns such as `nightly-*`, conditions such as `commit=3fa2`.
            older_than: Deletes only runs with a last row older than this; without `runs`, it selects from all runs. For
                a run without times, the time of its last commit counts.
            dry_run: Return the names of the runs, and delete nothing.

        Returns:
            The names of the runs.

        Raises:
            NotFoundError: A name matches no run.
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

    def tag(self, runs: str | list[str], tags: dict[str, str | None]) -> list[str]:
        """Sets the tags of runs: a value for each tag, `None` to remove a tag.

        Tags are rows of table `run_attribute`.

        Args:
            runs: Names, patterns such as `job-*`, or conditions such as `commit=3fa2`; see `group`.
            tags: New values.

        Returns:
            The names of the runs.

        Raises:
            NotFoundError: There is no such run.
            ConflictError: Other writers changed a run at each retry.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.tag("first_*", {"commit": "3fa2", "draft": None})
            ...     session.group("commit=3fa2")
            ['first_look']
            ['first_look']
        """
        return self._opened.tag(runs, tags)

    def check(self, *, read: bool = True) -> Frame:
        """Compares the files of the lake with its manifests and returns the faults.

        Args:
            read: Also reads every file completely, which takes as long as an export. Without it, the check only lists
                the files.

        Returns:
            A row per fault; no rows if the lake is intact: `fault` (`missing`, `size`, `corrupt`, `manifest`, `newer`,
            `unlisted`), `loss` (whether rows are lost; an unused file only takes space), `run`, `path` below the lake,
            `bytes` (size of the file), `message`.

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
        """Returns the corrupt manifests and data files that this session has met so far. Queries exclude their runs.

        Each has `run`, `fault` (`missing`, `corrupt`, `manifest`, `newer`), `path` below the lake and `message`. The
        session warns once for each. `check` searches the whole lake.

        Example:
            >>> s.faults()
            []
        """
        return [dict(zip(("run", "fault", "path", "message"), fault, strict=True)) for fault in self._opened.faults()]

    def rename(self, run: str, new_name: str) -> None:
        """Renames a run, with immediate effect for all its rows.

        A pattern or a condition (see `group`) must match one run. Other open sessions use the old name until they
        `refresh`.

        Raises:
            NotFoundError: There is no such run.
            ArgumentError: `new_name` is not a valid name.
            ConflictError: `new_name` is in use, a baseline names the run, or another process changed the run meanwhile.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.rename("first_look", "job-7")
            ...     session.runs().to_pandas()["run"].tolist()
            ['job-7']
        """
        self._opened.rename(run, new_name)

    def align_clocks(self, runs: str | list[str], *, undo: bool = False) -> Frame:
        """Shifts the times of runs, so that the clocks of their ranks agree.

        It reads the profiles again, from where they were ingested. Each rank is shifted by its `clock_ahead`
        (`rank.clock_offsets`), if that is larger than its uncertainty. Only rows with a rank are shifted, so samples of
        a machine keep its clock. Later ingests of the same profiles shift their times, too.

        Args:
            runs: Names, patterns and conditions, as for `group`.
            undo: Restore the recorded times.

        Returns:
            The rows of `rank.clock_offsets` before the change.

        Raises:
            NotFoundError: A name matches no run, or a profile no longer exists.

        Example:
            >>> s.align_clocks("first_look").why_empty
            'no collective was found on two ranks'
        """
        return Frame(self._opened.align_clocks(runs, undo))

    def compact(self, *, dry_run: bool = False) -> Frame:
        """Merges the small files of many runs into few files, so that a query opens fewer files.

        Query results do not change. `vacuum` removes the old files.

        Args:
            dry_run: Return what would be merged, and write nothing.

        Returns:
            A row per table: `table`, `runs`, `files_before`, `files_after`, `bytes_before`, `bytes_after`.

        Raises:
            ConflictError: Another process compacts the lake at the same time.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     report = session.ingest(profile, run="another")
            ...     tables = session.compact()
            ...     set(tables.to_pandas()["runs"].tolist())
            {2}
        """
        return Frame(self._opened.compact(dry_run))

    def upgrade(self, *, dry_run: bool = False) -> Frame:
        """Upgrades a lake that an older version wrote to the format of this version.

        Data files of tables with changed columns are rewritten, because other engines need one schema. Key metrics that
        other queries computed are computed again. Other query results do not change.

        Args:
            dry_run: Return what would be rewritten, and write nothing.

        Returns:
            A row per run with outdated data: `run`, `parts` (number of rewritten data files), `key_metrics` (whether
            they were computed again).

        Raises:
            ConflictError: Other processes changed a run at each retry. The runs before it are upgraded.

        Example:
            >>> len(s.upgrade(dry_run=True))
            0
        """
        return Frame(self._opened.upgrade(dry_run))

    def vacuum(self, older_than: dt.timedelta = dt.timedelta(days=1), *, dry_run: bool = False) -> Frame:
        """Removes files that the lake no longer uses.

        These are superseded manifests, and data files of deleted runs, replaced rows and killed ingests.

        Args:
            older_than: Files that were in use within this time stay. It must be longer than any ingest takes, and
                longer than any session stays open without `refresh`. The age counts from the clock of the store or of
                this machine, whichever is behind; with `dry_run`, which writes nothing, from the clock of this
                machine.
            dry_run: Return the files, and remove nothing.

        Returns:
            A row per file: `kind` (`part`, `manifest`, `claim`, `unfinished`), `path` below the lake, `bytes`,
            `modified` (time of the last write).

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
        """Returns the store requests of this session over the network since it was opened, without local folders.

        Returns:
            Number of requests by kind (`list` for pages of listings, `get`, `head`, `put`, `delete`), and bytes of
            bodies `received` and `sent`. Each retry counts.

        Example:
            >>> s.traffic()["get"]
            0
        """
        return self._opened.traffic()

    def files(self, table: str, run: Run = None) -> list[str]:
        """Returns the URLs of the Parquet files of a table, for use in another engine.

        Without `run`, the files have each row of the table once. With `run`, they also have rows of other runs after
        `compact`: filter them by column `run`. Raises ConflictError if a file that several runs share also has rows of
        a run that was changed or deleted since; `compact` writes such a file again without them.

        Example:
            >>> import duckdb
            >>> paths = [file.removeprefix("file://") for file in s.files("step")]
            >>> duckdb.read_parquet(paths).aggregate("count(*)").fetchall()
            [(220,)]
        """
        return self._opened.files(table, run)

    def object_bytes(self, url: str) -> bytes:
        """Returns the stored bytes of an object. Table `object` has the URLs of a profile's files.

        Example:
            >>> url = s.table("object", columns=["url"]).to_arrow()["url"][0].as_py()
            >>> len(s.object_bytes(url)) > 0
            True
        """
        return self._opened.object_bytes(url)

    def provider(self, table: str) -> object:
        """Returns a table provider for PyPI datafusion of the same major version; it reads the lake directly.

        Example:
            >>> import datafusion
            >>> context = datafusion.SessionContext()
            >>> context.register_table("step", s.provider("step"))
            >>> context.sql("select count(*) as n from step").to_pydict()
            {'n': [220]}
        """
        return self._opened.provider(table)

    def figures(self) -> list[str]:
        """Returns the names of the figures.

        Example:
            >>> "step_timeline" in s.figures()
            True
        """
        return self._opened.figures()

    def figure(self, name: str, /, run: Run = None, *, embed: bool = False, **params: Any) -> Figure:  # noqa: ANN401 - as its queries declare
        """Draws a figure and returns it; `figure.frames` holds its numbers.

        Args:
            name: Name of the figure, one of `figures()`.
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.
            embed: Whether its output in a notebook also has HTML, so that a page that is made from the notebook shows
                the figure with zoom and hover texts. The first such figure brings plotly.js, 4.7 MB.
            **params: Parameters of its queries; `select * from help_figures` lists them.

        Raises:
            NotFoundError: There is no figure of this name.
            ArgumentError: A parameter is unknown or of the wrong type.

        Example:
            >>> s.figure("step_timeline").frames[0].columns[0]
            'run'
        """
        return Figure(self._opened.figure(name, params, run), embed=embed)

    def explore(self, name: str, /, run: Run = None, **params: Any) -> Explorer:  # noqa: ANN401 - as its queries declare
        """Returns a notebook figure that reloads the visible window in full detail on zoom and pan. Needs anywidget.

        Args:
            name: Name of the figure. Its first query must have a time window, as in `trace_timeline`.
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.
            **params: Parameters of its queries, as for `figure`; `start` and `end` limit the full range.

        Raises:
            NotFoundError: There is no figure of this name.
            ArgumentError: The figure has no time window, or a parameter is unknown or of the wrong type.
            ImportError: anywidget is missing.

        Example:
            >>> s.explore("step_timeline")
            Explorer('step_timeline', the whole)
            >>> s.explore("loader_share")
            Traceback (most recent call last):
            tracelake.errors.ArgumentError: cannot explore loader_share: it has no time window; figures with one: ...
        """
        return Explorer(self, name, run, params)

    def _run_or_own(self, run: str | None, action: str) -> str:
        """Returns the run, or the run of the opened profile."""
        if run is None and (run := self.run) is None:
            text = f"cannot {action}: no run is given\n  hint:   s.runs() lists the runs of the lake"
            raise ArgumentError(text)
        return run

    def export(
        self,
        run: str | None,
        path: str | os.PathLike[str],
        format: str = "chrome",  # noqa: A002 - what the shell calls it
    ) -> dict[str, Any]:
        """Writes a run as a trace for other viewers: open the file in https://ui.perfetto.dev or chrome://tracing.

        One timeline shows the events of all ranks. Measurements and allocator memory become counters. Intervals that
        partly overlap others on their track go to separate lanes, so that no viewer drops one. Times are exact. Memory
        use is bounded. An existing file is replaced only when the new file is complete.

        Args:
            run: Name of the run; `None` for the run of the opened profile.
            path: Local file to write, `.json`, or `.json.gz` to compress it.
            format: `chrome`, which is Trace Event JSON.

        Returns:
            What was written: `slices` (events with a duration), `instants`, `flows` (ends of arrows), `counters`,
            `extra_lanes` (slices on separate lanes), `excluded` (rows without a time, measurements without a numeric
            value), `bytes` of JSON, and the name of the `run`.

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
        return self._opened.export(self._run_or_own(run, "export"), path, format)

    def export_duckdb(self, folder: str | os.PathLike[str]) -> dict[str, Any]:
        """Writes tables, views and canned queries of the lake as SQL for DuckDB 1.5 or newer, over the Parquet files.

        The folder gets `views.sql`, and `run.parquet` and `object.parquet` for the tables that have no files. The
        script creates a view for each table, view and query, with the same columns, types and order as here. A query
        with parameters also gets a macro; its parameter names begin with `p_`: `step_outliers(p_factor := 3)`. The
        views show the runs of this session at the time of the export. Export again after a change.

        Args:
            folder: Local folder; it is created if it does not exist.

        Returns:
            `names` of the created views and macros, and `excluded`: the queries that call a function missing in DuckDB,
            each with the reason.

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
            >>> exported["excluded"]["path_edge"]
            'calls `critical_path`'
        """
        return self._opened.export_duckdb(folder)

    def export_delta(self) -> Frame:
        """Makes every table of the lake a Delta Lake table, in place, or updates the existing Delta tables.

        The address of a table is `<lake>/<table>`; its files are the existing Parquet data files. It contains all runs
        of the lake at the time of the export. Without a change, no new version is written. The tables are read-only:
        other programs refuse to write to them. Export again after a change, and before `vacuum`, which removes files of
        older versions. Runs with a missing or truncated data file are excluded, with a warning.

        Returns:
            A row per table: `table`, `address`, `version`, `files`, `rows`, `bytes`.

        Raises:
            ConflictError: Other processes exported at the same time, at each retry.
            MalformedError: Another program wrote to the log, or a data file is corrupt.

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
        """Writes the profiler rule results of a run in SageMaker Debugger's format, one `<Rule>.json` per rule.

        A report has `RuleTriggered` (1 or 0), `Violations`, `Datapoints`, `RuleParameters` (lines of `name:value`), and
        `Details`: the columns of the rule's query, grouped by machine, GPU or process. A rule without data has no
        file. `s.rules.report()` returns the same as a table.

        Args:
            folder: Local folder to write to; it is created if it does not exist.
            run: Name of the run; `None` for the run of the opened profile.
            defaults: Source of the limits: `history` (the rules' code), `rulesconfig`, `docs` (both AWS) or `reported`
                (the limits in the run's own earlier reports).

        Returns:
            The paths of the written files.

        Raises:
            NotFoundError: There is no run of this name.
            ArgumentError: The value of `defaults` is unknown.
            DeniedError: A file cannot be written.

        Example:
            >>> [path.name for path in s.rule_reports(getfixture("tmp_path"))][:2]
            ['BatchSize.json', 'CPUBottleneck.json']
        """
        return self._opened.rule_reports(self._run_or_own(run, "write rules"), folder, defaults)

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
        """Compares two runs or groups of runs, and tests whether each change is more than noise.

        `s.change.report()` does the same, for run names only. `s.figure("comparison", a=["before"], b=["after"])`
        draws it.

        Args:
            a: Baseline: a run, a baseline, a pattern such as `job-*`, a condition such as `commit=3fa2`, or a list of
                these.
            b: Candidate, in the same form.
            a_span: Uses only this recording of the runs of side a.
            b_span: Uses only this recording of the runs of side b.
            noise: Assumed standard deviation between runs of the same code, divided by the value. Counts as if measured
                on five runs.
            confidence: Confidence level of the intervals, between 0 and 1.
            top: Number of operators and kernels to report, those with the largest changes.

        Returns:
            A row for each compared quantity and statistic, those that change a step most first. The `title` of the
            frame is the result in one sentence (`change.summary`).

        Raises:
            NotFoundError: A name matches no run.

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
        max_loader_ratio: float | None = None,
        noise: float | None = None,
        confidence: float | None = None,
        inconclusive: str | None = None,
    ) -> Gate:
        """Checks rules for a run, or a group of runs, compared with a baseline.

        Args:
            candidate: Runs to check: a run, a pattern such as `job-*`, a condition such as `commit=3fa2`, or a list of
                these.
            baseline: Runs to compare with, in the same form, or a name from `set_baseline`.
            rules: A TOML file of rules, or its content as a dict:
                `{"rule": [{"query": "step.over_time", "column": "dur", "aggregate": "p50", "max_ratio": 1.02}]}`.
            max_regression: Maximum ratio of the median step to that of the baseline, such as 1.02 for 2 % slower.
            max_loader_ratio: Maximum share of time that processes wait for data, from 0 to 1.
            noise: Assumed standard deviation between runs of the same code, divided by the value. Counts as if measured
                on five runs; 0.005 unless the rules set another value.
            confidence: Confidence level at which a change counts as more than noise; 0.95 unless the rules set another
                value.
            inconclusive: What the gate counts as if no limit fails, but some are inconclusive or have no data: `report`
                (exit code 6, not passed), `pass` or `fail`; `report` unless the rules set another value.

        Raises:
            NotFoundError: A name matches no run.
            ArgumentError: There are no rules, a rule is wrong, or it needs a baseline.

        Example:
            >>> rule = {"query": "step.over_time", "column": "dur", "aggregate": "p50", "max_ratio": 1.1}
            >>> s.gate("first_look", baseline="first_look", rules={"rule": [rule]}).passed
            True
        """
        toml_text = json_text = None
        if isinstance(rules, str | os.PathLike):
            toml_text = Path(rules).read_text(encoding="utf-8")
        elif rules is not None:
            json_text = json.dumps(rules)
        limits = (max_regression, max_loader_ratio, noise, confidence, inconclusive)
        return Gate(self._opened.gate(candidate, baseline, toml_text, json_text, *limits))

    def resolve(self, names: Names) -> list[str]:
        """Returns the runs that the names match, as `group` does. Profiles given by path or URL are ingested first.

        `./name` is always a path, `run:name` always a run.

        Raises:
            NotFoundError: A name matches no run, or there is nothing at a path.
            ArgumentError: A text is both the name of a run and the path of another profile.

        Example:
            >>> s.resolve("first_*")
            ['first_look']
        """
        return self._opened.resolve(names)

    def limit_to(self, names: Names) -> None:
        """Limits the session to these runs, and to the runs that it ingests later.

        Raises:
            NotFoundError: A name matches no run, or there is nothing at a path.

        Example:
            >>> with tl.open([profile], ephemeral=True) as session:
            ...     session.limit_to("first_look")
            ...     len(session.runs())
            1
        """
        self._opened.limit_to(names)

    def group(self, names: str | list[str]) -> list[str]:
        """Returns the runs that the names match: runs, baselines, patterns with `*`, conditions such as `commit=3fa2`.

        Raises:
            NotFoundError: A name matches no run.

        Example:
            >>> s.group("first_*")
            ['first_look']
        """
        return self._opened.group(names)

    def baselines(self) -> dict[str, list[str]]:
        """Returns the baselines of the lake by name, each with its runs.

        Example:
            >>> s.baselines()
            {}
        """
        return self._opened.baselines()

    def set_baseline(self, name: str, runs: str | list[str]) -> list[str]:
        """Sets the baseline of this name to these runs, and replaces an existing baseline of this name.

        Raises:
            NotFoundError: A name matches no run.
            ArgumentError: The name is invalid, or a run has it.

        Example:
            >>> with tl.open(profile, ephemeral=True) as session:
            ...     session.set_baseline("main", "first_look")
            ...     session.baselines()
            ['first_look']
            {'main': ['first_look']}
        """
        return self._opened.set_baseline(name, runs)

    def diagnose(self, run: Run = None, thresholds: Thresholds = None) -> Diagnosis:
        """Finds what is slow in a run, with causes and confidence, and lists the checks without data.

        Args:
            run: Name of a run, path or URL of a profile (ingested first), or a list of these; `None` for all.
            thresholds: Parameters of findings that differ from their defaults: a dict such as
                `{"load_share_high": {"critical": 0.4}}`, or the path of a TOML file with a table per finding.
                `select * from help_queries where name like 'finding.%'` lists them.

        Returns:
            The diagnosis: a verdict for each run, and every finding with its outcome (found, passed or no_data), most
            severe first. `select * from diagnosis` returns the same in SQL.

        Raises:
            NotFoundError: There is no run of this name, or no such file.
            ArgumentError: A finding or a parameter is unknown, or a value is of the wrong type.

        Example:
            >>> diagnosis = s.diagnose()
            >>> load = diagnosis["load_share_high"]
            >>> load.outcome, load.evidence["loader.share"].columns[0]
            ('found', 'run')
        """
        return Diagnosis(self, *self._opened.diagnose(run, toml(thresholds)))

    def report(self, *sides: Names) -> Report:
        """Makes a report page: about one side, a comparison of two sides, or all runs of the lake.

        The page contains the verdict, the findings with their evidence, figures, tables and the SQL of every number, in
        one file that needs no network.

        Args:
            *sides: No side, one side or two sides. A side is a run, a baseline, a pattern such as `job-*`, a condition
                such as `commit=3fa2`, or a list of these. A side that matches several runs is shown as a small fleet.
                Without a side, the page is about the run of the opened profile, or else about all runs of the lake.

        Raises:
            NotFoundError: A name matches no run.
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
        rank_from: str | None = None,
        loader_columns: Mapping[str, str] | None = None,
        prune: bool = False,
        dry_run: bool = False,
        share: bool | float = False,
        options: Mapping[str, str | float] | None = None,
        progress: Progress = None,
    ) -> dict[str, Any]:
        """Reads a profile into the lake. A repeated ingest reads only new and changed files.

        After Ctrl-C, the call blocks until the ingest has stopped. The lake is then unchanged, unless the commit had
        already begun.

        Args:
            url: Folder or prefix of the profile; a `*` in it matches several profiles, one run each.
            run: Name of the run. The default is the last folder of the path without a generic name (`profiler-output`).
                An existing run of this name gets this profile as a further source.
            tags: Tags of the run (commit, batch size, ...), as texts, numbers or bools.
            clock_offset: Nanoseconds to add to every time of this profile. If its times have no date, the Unix time of
                the start of its clock. None uses the value of the previous ingest.
            step_annotation: Name of the annotation that marks steps in traces, in place of `ProfilerStep#<n>`. The name
                appears alone or with a number after it. Marks without a number are counted from 0. None uses the value
                of the previous ingest, an empty text means `ProfilerStep`.
            rank_from: Regular expression with a group for the rank in the address of a file: `"node([0-9]+)"`.
                Files that it matches have this rank, whatever they say. None uses the value of the previous ingest, an
                empty text removes it.
            loader_columns: Maps columns of data loader timings that have other names, `{"load_s": "data_ms:ms"}`.
                Append `:ms`, `:us` or `:ns` if the unit is not s. Names are `load_s`, `compute_s` or `step_s` (the sum
                of both), `step`, `epoch`, `rank`, `worker`, `batch_size`. None uses the value of the previous ingest,
                an empty dict removes it.
            prune: Also removes the rows of files that no longer exist; without it, they stay.
            dry_run: Reads and writes no data, and returns what would be read. It may open a file to detect its format.
            share: Shares the profiles that match `*` with other processes or machines that run the same call. One of
                them reads each profile, and all profiles are in the lake when the call returns. The value is the lease
                timeout in seconds: a process without activity for this time loses its lease, and another process reads
                its remaining profiles. True means 60.
            options: Options of the store, as for `open`.
            progress: How to report progress, as for `open`.

        Returns:
            The numbers of files that were read, unchanged, pruned and corrupt, and the `traffic`. For several profiles,
            `reports` is a list of these, and `share` counts the profiles that this process read. If one of several
            profiles cannot be read, the others are still ingested; its `error` and a warning give the reason. In a dry
            run, `traffic` counts the requests that reading would need, without those for writing.

        Raises:
            NotFoundError: There is nothing at `url`.
            UnrecognizedError: No supported format matches the input.
            ArgumentError: A loader column is invalid, or `share` is used with a single profile.
            ConflictError: The run name belongs to another profile, or another process changed the run at the same time.

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
        with reporter(progress) as report_progress:
            report = self._opened.ingest(
                os.fspath(url),
                run,
                _texts("options", options),
                _texts("tags", tags),
                clock_offset,
                step_annotation,
                rank_from,
                None if loader_columns is None else _texts("loader_columns", loader_columns),
                prune,
                dry_run,
                _lease_timeout(share),
                report_progress,
            )
        for one in report["reports"]:
            if one["error"]:
                warnings.warn(f"{one['run']} is excluded: {one['error']}", stacklevel=2)
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
        rank_from: str | None = None,
        loader_columns: Mapping[str, str] | None = None,
        options: Mapping[str, str | float] | None = None,
    ) -> Iterator[dict[str, Any]]:
        """Ingests a profile repeatedly while its job writes it: `for arrived in s.follow(url): ...`.

        Each iteration of the loop is a poll that found new data; the session shows its rows from then on. A poll lists
        the profile once and reads new and changed files. Each row is in the lake once, even if its file grew. If the
        profile does not exist yet, the call waits for it. The loop ends after a last poll when SageMaker reports the
        end of the job. `break` or Ctrl-C ends it earlier, and a later `follow` continues from there.

        Args:
            url: Folder or prefix of the profile.
            run: Name of the run. The default is the last folder of the path without a generic name (`profiler-output`).
            every: Seconds between two polls.
            idle: Ends after this many seconds without new data; None waits for the end of the job.
            tags: Tags of the run, as for `ingest`.
            clock_offset: Nanoseconds to add to every time, as for `ingest`.
            step_annotation: Name of the annotation that marks steps, as for `ingest`.
            rank_from: Pattern of ranks in paths, as for `ingest`.
            loader_columns: Names of the columns of data loader timings, as for `ingest`.
            options: Options of the store, as for `open`.

        Yields:
            The new data: files `read`, `rows` by table, `bytes`, `generation` of the run, and the other values that
            `ingest` returns.

        Raises:
            ArgumentError: `url` matches several profiles, or a time is invalid.
            NotFoundError: There was still nothing at `url` when the call ended.

        Example:
            >>> with tl.open(getfixture("tmp_path") / "lake", create=True) as lake:
            ...     for arrived in lake.follow(profile, every=0.1, idle=0.5):
            ...         print(arrived["rows"]["step"], len(lake.table("step")))
            220 220
        """
        follower = self._opened.follow(
            os.fspath(url),
            run,
            _texts("options", options),
            _texts("tags", tags),
            clock_offset,
            step_annotation,
            rank_from,
            None if loader_columns is None else _texts("loader_columns", loader_columns),
            every,
            idle,
        )
        return iter(follower.next, None)

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
        """Follows a profile and redraws a figure in a notebook, in place, when data arrives; it ends as `follow` does.

        Args:
            name: Name of the figure, one of `figures()`; with a list of names, each figure has its own output.
            url: Folder or prefix of the profile to follow.
            run: Name of the run. The default is the last folder of the path without a generic name (`profiler-output`).
            every: Seconds between two polls.
            idle: Ends after this many seconds without new data; None waits for the end of the job.
            options: Options of the store, as for `open`.
            **params: Parameters of its queries; `select * from help_figures` lists them.

        Returns:
            The last state of the figure, or None if no data arrived; for a list of names, a list of figures.

        Example:
            >>> with tl.open(getfixture("tmp_path") / "lake", create=True) as lake:
            ...     lake.live("step_timeline", profile, every=0.1, idle=0.5).name
            'step_timeline'
        """
        names = [name] if isinstance(name, str) else list(name)
        figures: list[Figure] = []
        outputs: list[NotebookOutput | None] = [None] * len(names)
        for arrived in self.follow(url, run, every=every, idle=idle, options=options):
            figures = [self.figure(one, run=arrived["run"], **params) for one in names]
            outputs = [show(figure, output) for figure, output in zip(figures, outputs, strict=True)]
        return figures if not isinstance(name, str) else figures[0] if figures else None
