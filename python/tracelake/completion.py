"""Tab completion in a notebook: names in calls of a session, and SQL below `%%tracelake`.

Methods, families, queries and their parameters are attributes and signatures, which IPython completes by itself.
"""

from __future__ import annotations

import re
import weakref
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from tracelake import _tracelake
from tracelake.frame import text_rows
from tracelake.magic import placeholders, sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tracelake.session import Session

__all__ = ["Completion", "KnownNames"]

MAX_NAMES = 200
"""Maximum number of names in one completion."""

CALL = re.compile(r"""([A-Za-z_]\w*)\.(query|table|figure|delete_query)\(\s*['"]([\w.]*)$""")
COLUMN = re.compile(r"""([A-Za-z_]\w*)\.table\(\s*['"](\w+)['"].*\bcolumns\s*=\s*\[[^\]]*['"](\w*)$""")
PARAMETER = re.compile(r"""([A-Za-z_]\w*)\.(query|figure)\(\s*['"]([\w.]+)['"]\s*,(?:[^()]*[\s,])?(\w*)$""")
RUNS = re.compile(
    r"""([A-Za-z_]\w*)\.(?:compare|delete|diagnose|gate|group|report|tag)\("""
    r"""(?:[\s\[]*['"][^'"]*['"]\s*\]?\s*,)*[\s\[]*['"]([^'"]*)$"""
)
SQL = re.compile(r"""([A-Za-z_]\w*)\.sql\(\s*[rf]?('{3}|"{3}|'|")((?:(?!\2).)*)$""", re.DOTALL)
RUN = re.compile(r"""([A-Za-z_]\w*)\.[\w.]+\([^()]*\brun\s*=\s*\[?(?:\s*['"][^'"]*['"]\s*,)*\s*['"]([^'"]*)$""")
SQL_RUN = re.compile(r"""\brun\s*(?:=|(?:not\s+)?in\s*\((?:\s*'[^']*'\s*,)*)\s*'([^']*)$""", re.IGNORECASE)
KEYWORDS = [
    "select", "from", "where", "group by", "order by", "having", "limit", "join", "left join", "on", "using", "as",
    "and", "or", "not", "in", "is null", "between", "like", "case when", "then", "else", "end", "count(*)", "sum(",
    "avg(", "min(", "max(", "percentile_cont(", "distinct", "desc", "with", "union all",
]  # fmt: skip


@dataclass
class KnownNames:
    """The names that a session offers: columns by relation, parameters by query name and SQL function, and figures.

    Example:
        >>> tl.completion.KnownNames.read(s).columns["step"][:3]
        ['run', 'node', 'rank']
    """

    columns: dict[str, list[str]]
    tables: list[str]
    queries: dict[str, list[str]]
    functions: dict[str, list[str]]
    figures: dict[str, list[str]]

    @classmethod
    def read(cls, session: Session) -> KnownNames:
        """Reads the names from the help tables, which are in memory."""
        columns: dict[str, list[str]] = {}
        for row in _rows(session, "select relation, name from help_columns"):
            columns.setdefault(row["relation"], []).append(row["name"])
        for row in _rows(session, "select name from help_tables"):
            columns.setdefault(row["name"], [])
        queries = {
            query["name"]: [param["name"] for param in query["params"]]
            for query in [*_tracelake.help_queries(), *session.own_queries()]
        }
        figures = {
            row["name"]: [name for name in row["params"].split(", ") if name]
            for row in _rows(session, "select name, params from help_figures")
        }
        tables = [row["name"] for row in _rows(session, "select name from help_tables where kind = 'table'")]
        functions = {name.replace(".", "_"): params for name, params in queries.items()}
        return cls(columns, tables, queries, functions, figures)


def _rows(session: Session, sql: str) -> Iterable[dict[str, str]]:
    return text_rows(session.sql(sql))


class Completion:
    """Completes names at the cursor; IPython calls it."""

    def __init__(self, names: dict[str, Any], completion: Callable[..., Any]) -> None:
        """Completes with the variables of a notebook; `completion` makes IPython's completion objects."""
        self._names = names
        self._completion = completion
        self._known: weakref.WeakKeyDictionary[Session, tuple[list[str], KnownNames]] = weakref.WeakKeyDictionary()

    def __call__(self, text: str, line: int, column: int) -> dict[str, Any]:
        """Returns the completions at this position of a cell, in the form of IPython's version 2 matchers."""
        lines = text.split("\n")
        before = "\n".join([*lines[:line], lines[line][:column]])
        after = "\n".join([lines[line][column:], *lines[line + 1 :]])
        if lines[0].startswith("%%tracelake") and line > 0:
            prefix, kind, names = self._in_cell(before, after)
        elif (match := SQL.search(before)) and (session := sessions(self._names).get(match[1])):
            prefix, kind, names = self._in_sql(session, "", match[3], after.split(match[2])[0])
        else:
            prefix, kind, names = self._in_python(before)
        lowercase = prefix.lower()
        matching = [name for name in dict.fromkeys(names) if name.lower().startswith(lowercase)][:MAX_NAMES]
        completions = [self._completion(text=name, type=kind) for name in matching]
        return {"completions": completions, "matched_fragment": prefix, "suppress": bool(completions)}

    def _known_names(self, session: Session) -> KnownNames:
        """Returns the cached names of a session; reads them again after a query was saved or deleted."""
        saved_queries = session.saved_queries()
        cached = self._known.get(session)
        if cached is None or cached[0] != saved_queries:
            cached = saved_queries, KnownNames.read(session)
            self._known[session] = cached
        return cached[1]

    def _in_python(self, before: str) -> tuple[str, str, Iterable[str]]:
        line = before.rsplit("\n", 1)[-1]
        open_sessions = sessions(self._names)
        if (match := CALL.search(line)) and (session := open_sessions.get(match[1])):
            names = self._known_names(session)
            names_by_method: dict[str, Iterable[str]] = {
                "query": names.queries,
                "table": names.tables,
                "figure": names.figures,
                "delete_query": session.saved_queries(),
            }
            return match[3], match[2], names_by_method[match[2]]
        if (match := COLUMN.search(line)) and (session := open_sessions.get(match[1])):
            return match[3], "column", self._known_names(session).columns.get(match[2], [])
        if (match := RUN.search(line) or RUNS.search(line)) and (session := open_sessions.get(match[1])):
            return match[2], "run", _runs(session)
        if (match := PARAMETER.search(line)) and (session := open_sessions.get(match[1])):
            names = self._known_names(session)
            params = names.queries if match[2] == "query" else names.figures
            return match[4], "param", [f"{name}=" for name in ["run", *params.get(match[3], [])]]
        return "", "", []

    def _in_cell(self, before: str, after: str) -> tuple[str, str, Iterable[str]]:
        """Completes in a cell of SQL, below the line of the magic."""
        open_sessions = sessions(self._names)
        first, _, sql = before.partition("\n")
        session_option = re.search(r"--session\s+(\w+)", first)
        session = open_sessions.get(session_option[1] if session_option else "s")
        session = session or next(iter(open_sessions.values()), None)
        return self._in_sql(session, first, sql, after) if session else ("", "", [])

    def _in_sql(self, session: Session, first: str, sql: str, after: str) -> tuple[str, str, Iterable[str]]:
        """Completes between two parts of SQL; `first` is the line of the magic."""
        if match := SQL_RUN.search(sql):
            return match[1], "run", _runs(session)
        if re.sub(r"--[^\n]*", "", sql).count("'") % 2:
            return "", "", []
        prefix = re.search(r"\$?[\w.]*$", sql)
        prefix = prefix[0] if prefix else ""
        names = self._known_names(session)
        body = sql + after
        if prefix.startswith("$"):
            assigned = re.findall(r"(?<!\S)([A-Za-z_]\w*)=", first)
            kinds = (bool, int, float, str, list, tuple, datetime)
            values = [
                name for name, value in self._names.items() if not name.startswith("_") and isinstance(value, kinds)
            ]
            others = [name for name in placeholders(body) if name != prefix[1:]]
            return prefix, "param", [f"${name}" for name in [*assigned, *others, *values]]
        if "." in prefix:
            qualifier = prefix.split(".")[0]
            alias = re.search(rf"\b(?:from|join)\s+(\w+)(?:\([^()]*\))?\s+(?:as\s+)?{qualifier}\b", body, re.IGNORECASE)
            columns = names.columns.get(alias[1] if alias else qualifier, [])
            return prefix, "column", [f"{qualifier}.{column}" for column in columns]
        if re.search(r"\b(?:from|join)\s+\w*$", sql, re.IGNORECASE):
            return prefix, "table", sorted(names.columns)
        argument = re.search(r"(\w+)\([^()]*?\w*$", sql)
        params = names.functions.get(argument[1], []) if argument else []
        relations = [name for name in dict.fromkeys(re.findall(r"\w+", body)) if name in names.columns]
        columns = [column for relation in relations for column in names.columns[relation]]
        return prefix, "column", [*(f"{name} => " for name in params), *columns, *KEYWORDS, *sorted(names.columns)]


def _runs(session: Session) -> list[str]:
    return [row["run"] for row in _rows(session, "select run from run order by run")]
