"""The canned queries as attributes of a session: one class per family, one method per query.

The catalog is in the native module, so the classes are created with the first session, or when one is first used.
Editors and type checkers read the stub `queries.pyi`, which `make stub` writes from the same classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any

from tracelake import _tracelake
from tracelake.family import Family, method

if TYPE_CHECKING:
    from tracelake.frame import Frame

NAMES = _tracelake.families()
"""The names of the queries of each family."""

__all__ = ["NAMES", "Families", "family_class"]


class Families(ABC):
    """The families as attributes of a session."""

    def __init__(self) -> None:
        """Creates all classes with the first session: notebooks complete names from the types of properties."""
        _set_return_types()

    @abstractmethod
    def query(self, name: str, /, run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401
        """Returns the result of the canned query of this name."""


@cache
def _catalog() -> dict[str, list[dict[str, Any]]]:
    queries: dict[str, list[dict[str, Any]]] = {family: [] for family in NAMES}
    for query in _tracelake.help_queries():
        queries[query["family"]].append(query)
    return queries


@cache
def family_class(family: str) -> type[Family]:
    """Returns the class of a family.

    Example:
        >>> tl.queries.family_class("step").__name__
        'Step'
    """
    methods = {query["name"].partition(".")[2]: method(query) for query in _catalog()[family]}
    attributes = {
        "__doc__": f"Queries of the family `{family}`, as `s.{family}`.",
        "__module__": __name__,
        "__slots__": (),
    }
    family_type = type(family.capitalize(), (Family,), {**attributes, **methods})
    for name, function in methods.items():
        function.__module__, function.__qualname__ = __name__, f"{family_type.__name__}.{name}"
    return family_type


def __getattr__(name: str) -> type[Family]:
    """Returns the class of a family by its name: `queries.Step`."""
    if name.lower() in NAMES and name == name.capitalize():
        return family_class(name.lower())
    text = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(text)


def __dir__() -> list[str]:
    """Returns the names of the module, with those of the classes."""
    return sorted([*__all__, *map(str.capitalize, NAMES)])


def _family_property(family: str, names: list[str]) -> property:
    def get(session: Any) -> Family:  # noqa: ANN401 - pyright treats `Families` of the stub as another class
        return family_class(family)(session)

    return property(get, doc=f"Queries of the family `{family}`: {', '.join(f'`{name}`' for name in names)}.")


@cache
def _set_return_types() -> None:
    for family in NAMES:
        getattr(Families, family).fget.__annotations__["return"] = family_class(family)


for _family, _names in NAMES.items():
    setattr(Families, _family, _family_property(_family, _names))
