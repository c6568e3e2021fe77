"""Imports optional libraries."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["import_optional"]


def import_optional(module: str, extra: str | None, what: str) -> Any:  # noqa: ANN401 - a module is typed by its user
    """Imports and returns a module, or raises an `ImportError` with the install command.

    Args:
        module: Name of the module.
        extra: Extra of the package that installs it; `None` if no extra does.
        what: Purpose of the module, beginning with a verb.

    Example:
        >>> tl.optional.import_optional("a_module_that_nobody_has", "pandas", "make a DataFrame")
        Traceback (most recent call last):
        ImportError: cannot make a DataFrame: `a_module_that_nobody_has` is not installed
          hint:   pip install 'tracelake[pandas]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module if extra is None else f"'tracelake[{extra}]'"
        text = f"cannot {what}: `{module}` is not installed\n  hint:   pip install {package}"
        raise ImportError(text, name=module) from error
