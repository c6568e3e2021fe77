"""The base class of the query families, the methods made from queries, and the error for an unknown name."""

from __future__ import annotations

import contextlib
import difflib
import re
from inspect import Parameter, Signature
from types import MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tracelake.frame import Frame
    from tracelake.queries import Families
    from tracelake.session import Session

__all__ = ["Family", "Own", "method", "no_attribute"]

NEAR_NAMES = 8
"""Maximum number of names in a hint, as in the engine."""


def no_attribute(
    thing: object, name: str, names: Iterable[str] | None = None, hint: str | None = None
) -> AttributeError:
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
        known = public_names(names or dir(type(thing)))
        near = difflib.get_close_matches(name, known, n=1)
        text += f"; did you mean `{near[0]}`?" if near else f"\n  hint:   {hint or list_names(name, known)}"
    return AttributeError(text, name=name, obj=thing)


def public_names(names: Iterable[str]) -> list[str]:
    """Returns the names without a leading underscore."""
    return [name for name in names if not name.startswith("_")]


def list_names(name: str, names: list[str]) -> str:
    """Returns the known names as text; if there are more than 8, the 8 most similar to `name`."""
    if len(names) <= NEAR_NAMES:
        return f"there are: {', '.join(names)}"
    near = difflib.get_close_matches(name, names, n=NEAR_NAMES, cutoff=0)
    return f"the nearest of {len(names)} names: {', '.join(near)}"


KEYWORDS = {"null": None, "true": True, "false": False}
"""SQL keywords that are values."""
TYPES = {"bigint": "int", "double": "float", "text": "str", "boolean": "bool"}
"""Python types of parameters, by SQL type."""
RUN = Parameter("run", Parameter.POSITIONAL_OR_KEYWORD, default=None, annotation="str | list[str] | None")


def method(query: dict[str, Any]) -> Callable[..., Frame]:
    """Returns the method that runs a query of the catalog, with its signature and its help.

    Example:
        >>> from inspect import signature
        >>> list(signature(s.step.outliers).parameters)
        ['run', 'factor', 'start', 'end']
    """
    name = query["name"]

    def run_query(self: Any, run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401
        return self._session.query(name, run, **params)

    run_query.__name__ = run_query.__qualname__ = name.rpartition(".")[2]
    run_query.__doc__ = documentation(query)
    self_parameter = Parameter("self", Parameter.POSITIONAL_ONLY)
    # A user's query can have a parameter with a name that is invalid in Python: `**{"class": 7}`.
    with contextlib.suppress(ValueError):
        run_query.__signature__ = Signature(  # type: ignore[attr-defined] - what `inspect.signature` reads
            [self_parameter, RUN, *map(parameter, query["params"])], return_annotation="Frame"
        )
    return run_query


def literal(text: str, kind: str) -> Any:  # noqa: ANN401 - any type of a parameter
    """Returns the value of a SQL literal, or the text of an expression, which only the engine can compute.

    Example:
        >>> [tl.family.literal(text, "double") for text in ("null", "[1, null]", "1/3")]
        [None, (1.0, None), '1/3']
        >>> tl.family.literal("['a', 'b''c']", "text")
        ('a', "b'c")
    """
    if text.startswith("[") and text.endswith("]"):
        return tuple(literal(item, kind) for item in re.findall(r"'(?:[^']|'')*'|[^,\s]+", text[1:-1]))
    if text.startswith("'"):
        return text[1:-1].replace("''", "'")
    if text.lower() in KEYWORDS:
        return KEYWORDS[text.lower()]
    try:
        return float(text) if kind == "double" else int(text)
    except ValueError:
        return text


def default_value(param: dict[str, Any]) -> Any:  # noqa: ANN401
    """Returns the default of a parameter; `Parameter.empty` if it must be given.

    Example:
        >>> tl.family.default_value({"type": "double", "default": "3"})
        3.0
    """
    text = param["default"]
    return Parameter.empty if text is None else literal(text, param["type"].removesuffix("[]"))


def parameter(param: dict[str, Any]) -> Parameter:
    """Returns a parameter of a query as one of a method: `factor: float = 2.0`. The default of a list is a tuple.

    Example:
        >>> param = {"name": "edges", "type": "double[]", "default": "[0, 10]", "doc": ""}
        >>> print(tl.family.parameter(param).default)
        (0.0, 10.0)
    """
    element_type, is_list, _ = param["type"].partition("[]")
    hint = f"list[{TYPES[element_type]}] | tuple[{TYPES[element_type]}, ...]" if is_list else TYPES[element_type]
    default = default_value(param)
    if default is None:
        hint += " | None"
    return Parameter(param["name"], Parameter.KEYWORD_ONLY, default=default, annotation=hint)


def documentation(query: dict[str, Any]) -> str:
    """Returns the help of a query: question, explanation, parameters, columns, and an example that can be run.

    Example:
        >>> print(s.loader.share.__doc__.splitlines()[0])
        What share of the training loop was spent waiting for data, and is that a bottleneck?
    """
    lines = [query["question"], "", *([query["doc"], ""] if query["doc"] else [])]
    if finding := query["finding"]:
        lines += [f"{key.capitalize()}: {finding[key]}." for key in ("cause", "remedy", "limits")]
        lines += [f"Evidence: {', '.join(finding['evidence'])}.", ""]
    lines.append("Args:")
    lines += ["    run: Name of a run or several; `None`: the run of the profile that was opened, else all runs."]
    for param in query["params"]:
        default = default_value(param)
        default = "" if default is Parameter.empty else f" Default: {default!r}."
        lines.append(f"    {param['name']}: {param['doc'][:1].upper()}{param['doc'][1:]}.{default}")
    order = ", ".join(f"`{key}`" for key in query["order"])
    lines += ["", "Returns:", f"    One frame{f', ordered by {order},' if order else ''} with these columns.", ""]
    for column in query["columns"]:
        lines.append(f"    - `{column['name']}` ({column['type']}, {column['unit']}): {column['doc']}")
    required = ", ".join(f"{param['name']}=..." for param in query["params"] if param["default"] is None)
    call = f"s.{query['name']}({required})"
    result = "  # doctest: +SKIP" if required else ".columns[0]\n    'run'"
    return "\n".join([*lines, "", "Example:", f"    >>> {call}{result}"])


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
            raise no_attribute(self, name)

    def __repr__(self) -> str:
        """Returns the queries of the family with the questions that they answer."""
        queries = public_names(dir(type(self)))
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
            raise no_attribute(self, name, names=queries)
        return MethodType(method(queries[name]), self)
