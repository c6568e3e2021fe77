"""Functions that open the lake, ingest profiles given by path, and make one call: `tl.diagnose("traces/")`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

from tracelake.progress import reporter
from tracelake.session import open as open_session

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from tracelake.diagnosis import Diagnosis, Thresholds
    from tracelake.figures import Figure
    from tracelake.frame import Frame
    from tracelake.gates import Gate
    from tracelake.progress import Progress
    from tracelake.reports import Report
    from tracelake.session import Names, Run, Session

__all__ = ["compare", "diagnose", "figure", "gate", "query", "report", "sql"]


class Lake(TypedDict, total=False):
    """The lake with the runs; profiles given by path are ingested into it."""

    lake: str | os.PathLike[str] | None
    """Folder or URL of an existing lake. The default is the default lake, as for `open`."""
    ephemeral: bool
    """Uses a temporary lake, and stores nothing permanently."""
    options: Mapping[str, str | float] | None
    """Options of the store, as for `open`."""
    progress: Progress
    """How to report progress, as for `open`."""


def _open_and_resolve(lake_options: Lake, *names: Run) -> tuple[Session, list[Any]]:
    """Opens the session and returns it, and for each argument the runs that it matches.

    Example:
        >>> session, runs = tl.shortcuts._open_and_resolve({"ephemeral": True}, profile, None)
        >>> runs
        [['first_look'], None]
    """
    if unknown := lake_options.keys() - Lake.__annotations__.keys():
        text = f"unexpected keyword argument {min(unknown)!r}; there are: {', '.join(sorted(Lake.__annotations__))}"
        raise TypeError(text)
    ephemeral, progress = lake_options.get("ephemeral", False), lake_options.get("progress")
    lake = None if ephemeral else lake_options.get("lake")
    with reporter(progress) as report_progress:
        session = open_session(
            lake, ephemeral=ephemeral, options=lake_options.get("options"), progress=report_progress or False
        )
        return session, [None if one is None else session.resolve(one) for one in names]


def diagnose(run: Run = None, thresholds: Thresholds = None, **where: Unpack[Lake]) -> Diagnosis:
    """Diagnoses runs of the lake, or profiles given by path, as `Session.diagnose` does.

    Args:
        run: Name of a run, or the path or URL of a profile; a list of these; `None` for all runs of the lake.
        thresholds: Parameters of findings that differ from their defaults.
        **where: `lake`, `ephemeral`, `options` and `progress`.

    Raises:
        NotFoundError: There is no such run, or nothing at the path.
        ArgumentError: A text is both the name of a run and the path of another profile.

    Example:
        >>> tl.diagnose(profile, ephemeral=True)["load_share_high"].run
        'first_look'
    """
    session, (runs,) = _open_and_resolve(where, run)
    return session.diagnose(runs, thresholds)


def query(  # noqa: PLR0913 - as `open` has them
    name: str,
    /,
    run: Run = None,
    *,
    lake: str | os.PathLike[str] | None = None,
    ephemeral: bool = False,
    options: Mapping[str, str | float] | None = None,
    progress: Progress = None,
    **params: Any,  # noqa: ANN401 - as its queries declare
) -> Frame:
    """Runs a canned query for runs of the lake, or profiles given by path, as `Session.query` does.

    Args:
        name: Name of the query, such as `step.duration`.
        run: Name of a run, or the path or URL of a profile; a list of these; `None` for all runs of the lake.
        lake: Folder or URL of an existing lake. The default is the default lake, as for `open`.
        ephemeral: Uses a temporary lake, and stores nothing permanently.
        options: Options of the store, as for `open`.
        progress: How to report progress, as for `open`.
        **params: Parameters of the query.

    Example:
        >>> tl.query("step.duration", profile, ephemeral=True).columns[0]
        'run'
    """
    session, (runs,) = _open_and_resolve(
        {"lake": lake, "ephemeral": ephemeral, "options": options, "progress": progress}, run
    )
    return session.query(name, runs, **params)


def sql(  # noqa: PLR0913 - as `open` has them
    text: str,
    /,
    on: Run = None,
    *,
    lake: str | os.PathLike[str] | None = None,
    ephemeral: bool = False,
    options: Mapping[str, str | float] | None = None,
    progress: Progress = None,
    **params: Any,  # noqa: ANN401 - as its queries declare
) -> Frame:
    """Runs SQL as `Session.sql` does; the tables contain only the rows of these runs or profiles.

    Args:
        text: One statement.
        on: Name of a run, or the path or URL of a profile; a list of these; `None` for all runs of the lake.
        lake: Folder or URL of an existing lake. The default is the default lake, as for `open`.
        ephemeral: Uses a temporary lake, and stores nothing permanently.
        options: Options of the store, as for `open`.
        progress: How to report progress, as for `open`.
        **params: Values for the `$name` placeholders in it.

    Example:
        >>> list(tl.sql("select count(*) as steps from step", on=profile, ephemeral=True).rows())
        [{'steps': 220}]
    """
    session, (runs,) = _open_and_resolve(
        {"lake": lake, "ephemeral": ephemeral, "options": options, "progress": progress}, on
    )
    if runs is not None:
        session.limit_to(runs)
    return session.sql(text, **params)


def figure(  # noqa: PLR0913 - as `open` has them
    name: str,
    /,
    run: Run = None,
    *,
    lake: str | os.PathLike[str] | None = None,
    ephemeral: bool = False,
    options: Mapping[str, str | float] | None = None,
    progress: Progress = None,
    **params: Any,  # noqa: ANN401 - as its queries declare
) -> Figure:
    """Draws a figure of runs of the lake, or profiles given by path, as `Session.figure` does.

    Args:
        name: Name of the figure.
        run: Name of a run, or the path or URL of a profile; a list of these; `None` for all runs of the lake.
        lake: Folder or URL of an existing lake. The default is the default lake, as for `open`.
        ephemeral: Uses a temporary lake, and stores nothing permanently.
        options: Options of the store, as for `open`.
        progress: How to report progress, as for `open`.
        **params: Parameters of its queries.

    Example:
        >>> tl.figure("step_timeline", profile, ephemeral=True).name
        'step_timeline'
    """
    session, (runs,) = _open_and_resolve(
        {"lake": lake, "ephemeral": ephemeral, "options": options, "progress": progress}, run
    )
    return session.figure(name, runs, **params)


def compare(a: Names, b: Names, **where: Unpack[Lake]) -> Frame:
    """Compares runs of the lake, or profiles given by path, as `Session.compare` does.

    Args:
        a: The baseline: name of a run, or the path or URL of a profile; or a list of these.
        b: The candidate, in the same form.
        **where: `lake`, `ephemeral`, `options` and `progress`.

    Example:
        >>> tl.compare(profile, profile, ephemeral=True).columns[0]
        'run'
    """
    session, (runs_a, runs_b) = _open_and_resolve(where, a, b)
    return session.compare(runs_a, runs_b)


def gate(
    candidate: Names,
    *,
    baseline: Names | None = None,
    rules: str | os.PathLike[str] | Mapping[str, Any] | None = None,
    max_regression: float | None = None,
    max_loader_ratio: float | None = None,
    **where: Unpack[Lake],
) -> Gate:
    """Checks rules for runs of the lake, or profiles given by path, as `Session.gate` does.

    Args:
        candidate: Runs to check: name of a run, or the path or URL of a profile; or a list of these.
        baseline: Runs to compare with, in the same form.
        rules: A TOML file of rules, or its content as a dict.
        max_regression: Maximum ratio of the median step to that of the baseline.
        max_loader_ratio: Maximum share of time that processes wait for data.
        **where: `lake`, `ephemeral`, `options` and `progress`.

    Example:
        >>> tl.gate(profile, max_loader_ratio=1.0, ephemeral=True).passed
        True
    """
    session, (runs, base) = _open_and_resolve(where, candidate, baseline)
    return session.gate(
        runs, baseline=base, rules=rules, max_regression=max_regression, max_loader_ratio=max_loader_ratio
    )


def report(*sides: Names, **where: Unpack[Lake]) -> Report:
    """Makes a report page for runs of the lake, or profiles given by path, as `Session.report` does.

    Args:
        *sides: No side for all runs of the lake, one side for a page about it, or two sides to compare. A side is the
            name of a run, the path or URL of a profile, or a list of these.
        **where: `lake`, `ephemeral`, `options` and `progress`.

    Example:
        >>> tl.report(profile, ephemeral=True).title
        'first_look'
    """
    session, runs = _open_and_resolve(where, *sides)
    return session.report(*runs)
