"""The magics `%%tracelake`, a notebook cell of SQL, and `%tracelake`, which opens the session for it."""

from __future__ import annotations

import ast
import re
import shlex
from typing import TYPE_CHECKING, Any

from tracelake.errors import ArgumentError
from tracelake.session import Session
from tracelake.session import open as open_session

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tracelake.frame import Frame

__all__ = ["Magic", "placeholders", "sessions"]

CODE = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|\$([A-Za-z_]\w*)", re.DOTALL)
EXPECTED = "expected -o NAME, --session NAME and NAME=VALUE"
WORDS = {"true": True, "false": False, "null": None}


def placeholders(sql: str) -> list[str]:
    r"""Returns the names after a `$` in SQL, outside of string literals and comments.

    Example:
        >>> tl.magic.placeholders("select '$a', $b -- $c\n, $d, $b")
        ['b', 'd']
    """
    return list(dict.fromkeys(match[1] for match in CODE.finditer(sql) if match[1]))


def sessions(names: Mapping[str, Any]) -> dict[str, Session]:
    """Returns the open sessions among the variables of a notebook.

    Example:
        >>> list(tl.magic.sessions({"s": s, "x": 3, "_1": s}))
        ['s']
    """
    return {
        name: value
        for name, value in names.items()
        if isinstance(value, Session) and not value.closed and not name.startswith("_")
    }


class Magic:
    """The magic `tracelake`, with access to the variables of a notebook."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's InteractiveShell
        """Stores the variables of the shell; `%load_ext tracelake` calls it."""
        self._names: dict[str, Any] = shell.user_ns

    def tracelake(self, line: str, cell: str | None = None) -> Frame | Session:
        """Runs SQL in a session, or opens a session.

        `%%tracelake [-o NAME] [--session NAME] [KEY=VALUE ...]` with SQL below it shows the result; -o also stores it
        in a variable. A `$name` in the SQL takes the value of NAME=VALUE, or else of the variable of that name. The SQL
        runs in the session that --session names, in the variable `s`, or in the only open session.

        `%tracelake PATH [-o NAME] [KEY=VALUE ...]` opens a profile or a lake as the variable `s`, or NAME; KEY=VALUE
        are the arguments of `tracelake.open`. `%tracelake` alone shows the session that SQL would use.
        """
        options, values, words = _arguments(line)
        if cell is not None:
            return self._run_sql(cell, options, values, words)
        if not words and not values:
            return self._session(options.get("--session"))
        if len(words) != 1 or "--session" in options:
            hint = "for SQL, use %%tracelake with two percent signs, and write the SQL on the lines below"
            text = f"cannot open {' '.join(words)!r}: expected one path of a profile or a lake\n  hint:   {hint}"
            raise ArgumentError(text)
        session = open_session(words[0], **values)
        self._names[options.get("-o", "s")] = session
        return session

    def _run_sql(self, sql: str, options: dict[str, str], values: dict[str, Any], words: list[str]) -> Frame:
        if words:
            text = f"cannot use {words[0]!r} after %%tracelake: {EXPECTED}\n  hint:   write the SQL on the lines below"
            raise ArgumentError(text)
        session = self._session(options.get("--session"))
        names = [name for name in placeholders(sql) if name not in values and name in self._names]
        frame = session.sql(sql, **values, **{name: self._names[name] for name in names})
        if "-o" in options:
            self._names[options["-o"]] = frame
        return frame

    def _session(self, name: str | None) -> Session:
        known = sessions(self._names)
        if name or "s" in known:
            session = known.get(name or "s")
        else:
            session = next(iter(known.values())) if len(known) == 1 else None
        if session is not None:
            return session
        hint = f"name one with --session: {', '.join(known)}" if known else "open one with `%tracelake PATH`"
        if name:
            reason = f"no session in a variable `{name}`"
        elif known:
            reason = "cannot choose a session: several are open"
        else:
            reason = "cannot run SQL: no session is open"
        text = f"{reason}\n  hint:   {hint}"
        raise ArgumentError(text)


def _arguments(line: str) -> tuple[dict[str, str], dict[str, Any], list[str]]:
    r"""Returns the options, the values by name, and the other words of a line.

    Example:
        >>> tl.magic._arguments("-o slow mode=eval least=3 ids=[1,2] id=\"'7'\" path/x=1")
        ({'-o': 'slow'}, {'mode': 'eval', 'least': 3, 'ids': [1, 2], 'id': '7'}, ['path/x=1'])
    """
    options: dict[str, str] = {}
    values: dict[str, Any] = {}
    others: list[str] = []
    try:
        words = iter(shlex.split(line))
    except ValueError as error:
        text = f"cannot read {line!r}: {str(error).lower()}"
        raise ArgumentError(text) from None
    for word in words:
        name, equals, value = word.partition("=")
        if word in {"-o", "--session"}:
            options[word] = next(words, "")
            if not options[word].isidentifier():
                text = f"cannot use {options[word]!r} after {word}: expected the name of a variable"
                raise ArgumentError(text)
        elif equals and name.isidentifier():
            values[name] = _value(value)
        elif word.startswith("-"):
            text = f"cannot use {word!r}: {EXPECTED}"
            raise ArgumentError(text)
        else:
            others.append(word)
    return options, values, others


def _value(text: str) -> Any:  # noqa: ANN401 - any of these types
    """Parses a value: a number, true, false, null, a list, or a text in quotes; anything else is text."""
    if text in WORDS:
        return WORDS[text]
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text
