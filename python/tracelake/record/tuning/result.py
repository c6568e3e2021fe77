"""The base class of measurement results: fields, a text, and rows that can be saved."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence


class Result:
    """A dataclass with a text for people, and fields and rows for programs."""

    def rows(self) -> list[dict[str, Any]]:
        """Returns one dict per measured setting."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Returns all fields and the rows, as JSON-compatible values."""
        return {**asdict(self), "rows": self.rows()}  # type: ignore[call-overload] # pyright: ignore[reportArgumentType, reportCallIssue, reportUnknownVariableType] - each is a dataclass

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes all fields and the rows as JSON."""
        Path(path).write_text(json.dumps(self.to_dict(), indent=2, default=str), encoding="utf-8")

    def __repr__(self) -> str:
        return str(self)


def table(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    """Formats rows as lines of text, with right-aligned columns.

    Example:
        >>> from tracelake.record.tuning.result import table
        >>> print(table([{"workers": 2, "seconds": 0.5, "note": None}], ["workers", "seconds", "note"]))
        workers  seconds  note
              2   0.5000     -
    """
    lines = [list(columns)] + [[_cell(row.get(column)) for column in columns] for row in rows]
    widths = [max(len(line[n]) for line in lines) for n in range(len(columns))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.4f}" if abs(value) < 1 else f"{value:.4g}" if abs(value) < 1e4 else f"{value:.0f}"  # noqa: PLR2004 - digits that can be read
    return str(value)
