"""Imports numpy, pandas and pyarrow, or raises an `ImportError` with the install command.

The modules have type `Any`, because they have no types that satisfy a strict type checker.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

from tracelake.optional import import_optional

if TYPE_CHECKING:
    from collections.abc import Callable

np: Any = import_optional("numpy", "smdebug", "use tracelake.smdebug")
pd: Any = import_optional("pandas", "smdebug", "use tracelake.smdebug")
pa: Any = import_optional("pyarrow", "smdebug", "use tracelake.smdebug")

DataFrame: TypeAlias = Any
Series: TypeAlias = Any
NDArray: TypeAlias = Any
"""Aliases for annotations: a reader sees which type is meant; the type checker sees `Any`."""


def lazy_attributes(package: str, modules: dict[str, str]) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Returns functions for `__getattr__` and `__dir__` of a package that imports each attribute on first use.

    Args:
        package: Name of the package.
        modules: For each attribute, the name of its module within the package.

    Example:
        >>> from tracelake.smdebug import profiler
        >>> profiler.TraceEvent.__name__
        'TraceEvent'
    """

    def get_attribute(name: str) -> object:
        if name not in modules:
            message = f"module {package!r} has no attribute {name!r}"
            raise AttributeError(message)
        return getattr(import_module(f"{package}.{modules[name]}"), name)

    def list_names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *modules})

    return get_attribute, list_names
