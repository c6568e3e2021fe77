"""Writes the type stub of the classes of canned queries: `make stub`.

Editors and type checkers read it, and the wheel contains it. Python creates the classes at run time.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from tracelake.queries import NAMES, family_class

STUB = Path(__file__).parent / "tracelake" / "queries.pyi"
HEADER = """# Written by `make stub`; do not edit.
from abc import ABC, abstractmethod
from typing import Any

from tracelake.family import Family
from tracelake.frame import Frame

__all__ = ["NAMES", "Families", "family_class"]

NAMES: dict[str, list[str]]

def family_class(family: str) -> type[Family]: ...

class Families(ABC):
    def __init__(self) -> None: ...
    @abstractmethod
    def query(self, name: str, /, run: str | list[str] | None = None, **params: Any) -> Frame: ...
"""


def quoted(text: str, indent: str) -> list[str]:
    """Returns the lines of a docstring."""
    text = text.replace("\\", "\\\\").replace('"""', "'''")
    lines = [indent + line if line else "" for line in text.splitlines()]
    return [f'{indent}"""{lines[0].strip()}', *lines[1:], f'{indent}"""']


def main() -> None:
    """Writes the stub."""
    lines = [HEADER.rstrip()]
    for family in NAMES:
        lines += ["    @property", f"    def {family}(self) -> {family_class(family).__name__}: ..."]
    for family, names in NAMES.items():
        family_type = family_class(family)
        lines += ["", f"class {family_type.__name__}(Family):", *quoted(family_type.__doc__ or "", "    ")]
        for name in names:
            function = getattr(family_type, name)
            arguments = ["self"]
            for parameter in list(inspect.signature(function).parameters.values())[1:]:
                if parameter.kind is parameter.KEYWORD_ONLY and "*" not in arguments:
                    arguments.append("*")
                default = "" if parameter.default is parameter.empty else f" = {parameter.default!r}"
                arguments.append(f"{parameter.name}: {parameter.annotation}{default}")
            lines.append(f"    def {name}({', '.join(arguments)}) -> Frame:")
            lines += quoted(function.__doc__ or "", "        ")
    STUB.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
