"""Writes the export: the tables of a generation, created with their first rows."""

from __future__ import annotations

import fnmatch
import sqlite3
from typing import TYPE_CHECKING

from nsight.schema import ENUMS, KEYED, NEW_ENUMS, columns

if TYPE_CHECKING:
    from pathlib import Path

    from nsight.job import Rows

TIMES = ("start", "end", "timestamp", "rawTimestamp", "startedAt", "endedAt", "openedAt")


class Export:
    """An export that is being written."""

    def __init__(self, path: Path, *, new: bool) -> None:
        """Creates an empty export."""
        path.unlink(missing_ok=True)
        self.base = sqlite3.connect(path, isolation_level=None)
        self.base.executescript("pragma journal_mode = off; pragma synchronous = off; begin")
        self.new = new
        self.columns: dict[str, list[str]] = {}

    def write(self, rows: Rows) -> None:
        """Adds rows; a table is created with its first rows."""
        for table, values in rows.items():
            declared = columns(table, new=self.new)
            if not declared:
                continue
            if table not in self.columns:
                self.columns[table] = [name for name, _ in declared]
                keys = ", PRIMARY KEY (id, stackDepth)" if table in KEYED else ""
                self.base.execute(f"CREATE TABLE {table} ({', '.join(f'{n} {kind}' for n, kind in declared)}{keys})")
            names = self.columns[table]
            places = ", ".join("?" * len(names))
            tuples = ([row.get(name) for name in names] for row in values)
            self.base.executemany(f"INSERT INTO {table} VALUES ({places})", tuples)

    def repeat(self, spans: dict[str, tuple[int, int]], shifts: dict[str, int], copies: range) -> None:
        """Adds copies of rows, by table and row numbers, each with some columns shifted."""
        for table, (first, last) in spans.items():
            terms = [shifted(table, name, shifts) for name in self.columns[table]]
            names = ", ".join(self.columns[table])
            query = f"INSERT INTO {table} ({names}) SELECT {', '.join(terms)} FROM {table} WHERE rowid BETWEEN ? AND ?"
            for copy in copies:
                self.base.execute(query.replace(":copy", str(copy)), (first, last))

    def label(self) -> None:
        """Adds the tables of enumerations."""
        for name, values in (ENUMS | NEW_ENUMS if self.new else ENUMS).items():
            self.base.execute(f"CREATE TABLE ENUM_{name} (id INTEGER NOT NULL PRIMARY KEY, name TEXT, label TEXT)")
            rows = [(number, *words) for number, words in values.items()]
            self.base.executemany(f"INSERT INTO ENUM_{name} VALUES (?, ?, ?)", rows)

    def size(self) -> int:
        """Returns the size in bytes so far."""
        pages, page = (self.base.execute(f"pragma {what}").fetchone()[0] for what in ("page_count", "page_size"))
        return pages * page

    def drop(self, patterns: list[str]) -> list[str]:
        """Drops tables by name, and returns their names."""
        names = [name for (name,) in self.base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        names = [name for name in names if any(fnmatch.fnmatchcase(name, pattern) for pattern in patterns)]
        for name in names:
            self.base.execute(f"DROP TABLE {name}")
        return names

    def close(self) -> None:
        """Completes the file."""
        self.base.execute("commit")
        self.base.close()


def shifted(table: str, column: str, shifts: dict[str, int]) -> str:
    """Returns the expression of a column in a copy."""
    if column in TIMES:
        return f"{column} + :copy * {shifts['time']}" if column != "timestamp" or table == "GPU_METRICS" else column
    if column == "text":
        number = f"substr(text, 11) + :copy * {shifts['step']}"
        return f"CASE WHEN text LIKE 'iteration %' THEN 'iteration ' || ({number}) ELSE text END"
    if column == "callchainId":
        return f"CASE callchainId WHEN 0 THEN 0 ELSE callchainId + :copy * {shifts['callchainId']} END"
    name = "callchainId" if table == "OSRT_CALLCHAINS" else "sample"
    key = name if column == "id" else column
    return f"{column} + :copy * {shifts[key]}" if key in shifts else column
