"""What the families of queries have in common, and the answer to a name that is not there."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from tracelake.queries import Families

__all__ = ["Family", "unknown"]


def unknown(thing: object, name: str, hint: str) -> AttributeError:
    """The error for an attribute that `thing` does not have; a slip of the fingers gets the name that was meant.

    Example:
        >>> s.stepp
        Traceback (most recent call last):
        AttributeError: a Session has no `stepp`; did you mean `step`?
        >>> s.step.duratoin()
        Traceback (most recent call last):
        AttributeError: a Step has no `duratoin`; did you mean `duration`?
    """
    text = f"a {type(thing).__name__} has no `{name}`"
    if not name.startswith("_"):
        known = [known for known in dir(type(thing)) if not known.startswith("_")]
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

        def __getattr__(self, name: str) -> NoReturn:
            """Called for a name that is not there."""
            queries = [query for query in dir(type(self)) if not query.startswith("_")]
            raise unknown(self, name, f"there are: {', '.join(queries)}")
