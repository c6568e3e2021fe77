"""What the families of queries have in common, and the answer to a name that is not there."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tracelake.frame import Frame
    from tracelake.queries import Families
    from tracelake.session import Session

__all__ = ["Family", "Own", "unknown"]


def unknown(thing: object, name: str, hint: str, names: Iterable[str] | None = None) -> AttributeError:
    """The error for an attribute that `thing` does not have; a slip of the fingers gets the name that was meant.

    `names` are those that it has, if they are not those of its class.

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
        known = [known for known in names or dir(type(thing)) if not known.startswith("_")]
        near = difflib.get_close_matches(name, known, n=1)
        text += f"; did you mean `{near[0]}`?" if near else f"\n  hint:   {hint}"
    return AttributeError(text, name=name, obj=thing)


class Family:
    """The queries of one family."""

    __slots__ = ("_session",)

    def __init__(self, session: Families) -> None:
        """Asks this session; users get it as an attribute of theirs."""
        self._session = session

    if not TYPE_CHECKING:  # a type checker knows all names, and would take any for one

        def __getattr__(self, name: str) -> Callable[..., Frame]:
            """Called for a name that is not there: a query of your own, or a slip."""
            if not name.startswith("_"):
                own = Own(self._session, type(self).__name__.lower())
                if name in dir(own):
                    return getattr(own, name)
            queries = [query for query in dir(type(self)) if not query.startswith("_")]
            raise unknown(self, name, f"there are: {', '.join(queries)}")


class Own:
    """The queries of one family that are your own: saved in the lake, or read from a folder.

    Example:
        >>> with tl.open(profile, ephemeral=True) as session:
        ...     session.save_query("steps", "select run, count(*) as n from step group by run")
        ...     dir(session.saved)
        ['steps']
    """

    __slots__ = ("_family", "_session")

    def __init__(self, session: Session, family: str) -> None:
        """Asks this session; users get it as an attribute of theirs."""
        self._session = session
        self._family = family

    def __repr__(self) -> str:
        """The family and its queries."""
        return f"{self._family}: {', '.join(dir(self))}"

    def _queries(self) -> dict[str, dict[str, Any]]:
        own = self._session.own_queries()
        return {query["name"].split(".", 1)[1]: query for query in own if query["family"] == self._family}

    def __dir__(self) -> list[str]:
        """The names of the queries."""
        return list(self._queries())

    def __getattr__(self, name: str) -> Callable[..., Frame]:
        """The query of this name, as a function of `run` and its parameters."""
        queries = {} if name.startswith("_") else self._queries()
        if name not in queries:
            raise unknown(self, name, f"there are: {', '.join(queries)}", queries)
        query, session = queries[name], self._session

        def ask(run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401 - as the query declares
            return session.query(query["name"], run=run, **params)

        ask.__name__ = name
        lines = [f"    {param['name']}: {param['type']}, {param['doc']}" for param in query["params"]]
        ask.__doc__ = "\n".join([query["question"], query["doc"], *lines]).strip()
        return ask
