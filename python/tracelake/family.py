"""The base class of the query families, and the error for an unknown name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tracelake.frame import Frame
    from tracelake.queries import Families
    from tracelake.session import Session

__all__ = ["Family", "Own", "unknown"]

NEAR_NAMES = 8
"""Maximum number of names in a hint, as in the engine."""


def unknown(thing: object, name: str, *, names: Iterable[str] | None = None, hint: str | None = None) -> AttributeError:
    """Returns the error for an attribute that `thing` does not have; it suggests a similar name.

    `names` are the names that `thing` has, if they differ from the names of its class.

    Example:
        >>> s.stepp
        Traceback (most recent call last):
        AttributeError: a Session has no `stepp`; did you mean `step`?
        >>> s.step.duratoin()
        Traceback (most recent call last):
        AttributeError: a Step has no `duratoin`; did you mean `duration`?
    """
    article = "an" if type(thing).__name__[0] in "AEIOU" else "a"
    text = f"{article} {type(thing).__name__} has no `{name}`"
    if not name.startswith("_"):
        known = public(names or dir(type(thing)))
        near = difflib.get_close_matches(name, known, n=1)
        text += f"; did you mean `{near[0]}`?" if near else f"\n  hint:   {hint or listed(name, known)}"
    return AttributeError(text, name=name, obj=thing)


def public(names: Iterable[str]) -> list[str]:
    """Returns the names without a leading underscore."""
    return [name for name in names if not name.startswith("_")]


def listed(name: str, known: list[str]) -> str:
    """Returns the known names as text; if there are more than 8, the 8 most similar to `name`."""
    if len(known) <= NEAR_NAMES:
        return f"there are: {', '.join(known)}"
    near = difflib.get_close_matches(name, known, n=NEAR_NAMES, cutoff=0)
    return f"the nearest of {len(known)} names: {', '.join(near)}"


class Family:
    """The queries of one family.

    Example:
        >>> s.incident
        The queries of `incident`:
          summary  What went wrong in the job, how often, and where first?
    """

    __slots__ = ("_session",)

    def __init__(self, session: Families) -> None:
        """Runs queries in this session; users get it as an attribute of their session."""
        self._session = session

    if not TYPE_CHECKING:  # a type checker knows all names, and would take any for one

        def __getattr__(self, name: str) -> Callable[..., Frame]:
            """Returns your own query of this name, or raises an error that suggests a similar name."""
            if not name.startswith("_"):
                own = Own(self._session, type(self).__name__.lower())
                if name in dir(own):
                    return getattr(own, name)
            raise unknown(self, name)

    def __repr__(self) -> str:
        """Returns the queries of the family with the questions that they answer."""
        queries = public(dir(type(self)))
        width = max(map(len, queries))
        questions = ((query, (getattr(type(self), query).__doc__ or "").partition("\n")[0]) for query in queries)
        lines = [f"  {query:<{width}}  {question}" for query, question in questions]
        return "\n".join([f"The queries of `{type(self).__name__.lower()}`:", *lines])


class Own:
    """Your own queries of one family: saved in the lake, or read from a folder.

    Example:
        >>> with tl.open(profile, ephemeral=True) as session:
        ...     session.save_query("steps", "select run, count(*) as n from step group by run")
        ...     dir(session.saved)
        ['steps']
    """

    __slots__ = ("_family", "_session")

    def __init__(self, session: Session, family: str) -> None:
        """Runs queries in this session; users get it as an attribute of their session."""
        self._session = session
        self._family = family

    def __repr__(self) -> str:
        """Returns the family and its queries."""
        return f"{self._family}: {', '.join(dir(self))}"

    def _queries(self) -> dict[str, dict[str, Any]]:
        own = self._session.own_queries()
        return {query["name"].split(".", 1)[1]: query for query in own if query["family"] == self._family}

    def __dir__(self) -> list[str]:
        """Returns the names of the queries."""
        return list(self._queries())

    def __getattr__(self, name: str) -> Callable[..., Frame]:
        """Returns the query of this name, as a function of `run` and its parameters."""
        queries = {} if name.startswith("_") else self._queries()
        if name not in queries:
            raise unknown(self, name, names=queries)
        query, session = queries[name], self._session

        def ask(run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401 - as the query declares
            return session.query(query["name"], run=run, **params)

        ask.__name__ = name
        lines = [f"    {param['name']}: {param['type']}, {param['doc']}" for param in query["params"]]
        ask.__doc__ = "\n".join([query["question"], query["doc"], *lines]).strip()
        return ask
