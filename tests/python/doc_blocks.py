"""Blocks of code on a page of the docs: which there are, and running them in the order of the page.

A block of `sh`, `sql` or `python` is run as it stands, in a scratch folder in which `tests/data` is that of the
repository. What it shows stands in a block of `text` right behind it, in which `...` is what may differ. Three more
things can be said, in comments that a reader of the page does not see:

- `<!-- not run: REASON -->` above a block: it cannot be run here.
- `<!-- file: NAME -->` above a block of any language: a file, which is written to the scratch folder.
- a block inside a comment is run like any other: what the page takes for granted.

SQL is asked of the session `s` of the page's Python, else of the default lake. Blocks of a shell share what they export
and the folder they are in. Rust is compiled, by `tests/it/pages.rs`.
"""

import ast
import contextlib
import doctest
import fcntl
import io
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import threading
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
RUN = ("sh", "sql", "python")
# What is no code: shown output, files, and commands of other people's machines are these or marked.
TOLD = ("text", "toml", "json", "yaml", "csv", "rust", "rust,no_run")
COLUMNS = 240


@dataclass
class Block:
    """A block of a page; `line` is that of its fence, from 1."""

    page: Path
    line: int
    language: str
    code: str
    indent: str
    reason: str | None
    file: str | None
    # the lines of the block of text behind it, without its fences
    shown: range | None = None
    text: str = ""

    def __str__(self):
        page = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page.name
        return f"{page}:{self.line}"


def blocks(page):
    """The blocks of a page, in its order; a block of shown output is part of the one before it."""
    lines = page.read_text(encoding="utf-8").splitlines()
    result, position, last_end = [], 0, 0
    while position < len(lines):
        fence = re.match(r"^( *)```(\S*)", lines[position])
        if not fence:
            position += 1
            continue
        indent, language = fence.groups()
        end = next(n for n in range(position + 1, len(lines)) if lines[n] == f"{indent}```")
        code = "\n".join(line.removeprefix(indent) for line in lines[position + 1 : end])
        before = lines[position - 1] if position else ""
        comments = {kind: re.match(rf" *<!-- {kind}: (.+) -->$", before) for kind in ("not run", "file")}
        reason, file = (match and match[1] for match in comments.values())
        block = Block(page, position + 1, language, code, indent, reason, file)
        last = result[-1] if result else None
        if language == "text" and last and last.language in RUN and not any(lines[last_end + 1 : position]):
            last.shown, last.text = range(position + 1, end), code
        else:
            result.append(block)
        position, last_end = end + 1, end
    return result


@dataclass
class Page:
    """A page that is being run in the folder it is in; `path` is where commands are looked for."""

    path: str
    state: Path
    names: dict = field(default_factory=dict)
    # a guard against hanging, not a limit on speed
    seconds: float = 300

    def run(self, block):
        """What the block shows."""
        return getattr(self, f"_{block.language}")(block)

    def _sh(self, block):
        """Standard output as on a wide terminal, tables and not CSV. What is exported holds for the next block."""
        terminal, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        attributes = termios.tcgetattr(side)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(side, termios.TCSANOW, attributes)
        environment = {**os.environ, "PATH": self.path, "NO_COLOR": "1"}
        restore = f'. "{self.state}"\n' if self.state.exists() else ""
        keep = f'\n{{ export -p; echo "cd $(printf %q "$PWD")"; }} > "{self.state}"'
        command = ["bash", "-euo", "pipefail", "-c", restore + block.code + keep]
        with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=side, stderr=subprocess.PIPE, text=True, env=environment
        ) as process:
            os.close(side)
            late = threading.Timer(self.seconds, process.kill)
            late.start()
            output = b""
            with contextlib.suppress(OSError):  # the other side was closed
                while piece := os.read(terminal, 65536):
                    output += piece
            os.close(terminal)
            errors = process.stderr.read()
        late.cancel()
        assert process.returncode != -signal.SIGKILL, f"{block}: guard against hanging: not done in {self.seconds} s"
        assert process.returncode == 0, f"{block}: exit code {process.returncode}\n{output.decode()}\n{errors}"
        return output.decode()

    def _sql(self, block):
        import tracelake as tl  # noqa: PLC0415 - the first five minutes begin without it

        session = self.names.get("s")
        with contextlib.nullcontext(session) if session else tl.open() as open_session:
            open_session.refresh()
            shown = [str(open_session.sql(text)) for text in statements(block.code)]
        return "\n\n".join(shown)

    def _python(self, block):
        """What it prints, and its last expression as an interpreter shows it."""
        tree = ast.parse(block.code, str(block))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(tree, str(block), "exec"), self.names)  # noqa: S102 - what users are told to type
            if last is not None:
                value = eval(compile(ast.Expression(last.value), str(block), "eval"), self.names)  # noqa: S307 - as above
                if value is not None:
                    output.write(f"{value!r}\n")
        return output.getvalue()


def statements(text):
    """The statements of a block of SQL, without what is only a comment."""
    parts = re.split(r";[ ]*(?:--[^\n]*)?(?:\n|$)", text)
    return [part for part in parts if re.sub(r"--[^\n]*", "", part).strip()]


def tidy(text):
    """Without spaces at the ends of lines and empty lines at both ends."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def agrees(block, output):
    """Whether the page shows what the block gives."""
    checker = doctest.OutputChecker()
    return checker.check_output(block.text + "\n", tidy(output) + "\n", doctest.ELLIPSIS)


def mend(page, outputs):
    """Writes outputs to a page: pairs of a block and what it gave."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for block, output in sorted(outputs, key=lambda pair: -pair[0].line):
        new = [f"{block.indent}{line}".rstrip() for line in tidy(output).splitlines()]
        lines[block.shown.start : block.shown.stop] = new
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def commands(folder):
    """The path that leads to a command `tracelake` of this clone, and to this Python."""
    folder.mkdir()
    command = folder / "tracelake"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracelake "$@"\n')
    command.chmod(0o755)
    return os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
