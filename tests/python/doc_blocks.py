"""Finds the code blocks of a page of the docs, and runs them in the order of the page.

A block of `sh`, `sql` or `python` runs unchanged in a scratch folder in which `tests/data` is that of the repository.
Its output is in a block of `text` directly after it, in which `...` matches anything. Comments that a reader of the
page does not see can add:

- `<!-- not run: REASON -->` above a block: it cannot be run here.
- `<!-- file: NAME -->` above a block of any language: a file, which is written to the scratch folder.
- a block inside a comment runs like any other: setup that the page does not show.

SQL runs in the session `s` of the page's Python, or else on the default lake. The blocks of a shell share their
exported variables and the current folder. `tests/it/pages.rs` compiles the Rust blocks.
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
# languages that are not code: shown output and files; commands for other machines have a mark
NOT_CODE = ("text", "toml", "json", "yaml", "csv", "rust", "rust,no_run")
COLUMNS = 240


@dataclass
class Block:
    """A block of a page; `line` is the line of its fence, from 1."""

    page: Path
    line: int
    language: str
    code: str
    indent: str
    reason: str | None
    file: str | None
    # the lines of the text block after it, without its fences
    shown: range | None = None
    text: str = ""

    def __str__(self):
        page = self.page.relative_to(ROOT) if self.page.is_relative_to(ROOT) else self.page.name
        return f"{page}:{self.line}"


def blocks(page):
    """Returns the blocks of a page in order; a block of shown output belongs to the block before it."""
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
    """Runs the blocks of a page in the current folder; `path` is the search path for commands."""

    path: str
    state: Path
    names: dict = field(default_factory=dict)
    # a guard against hanging, not a limit on speed
    seconds: float = 300

    def run(self, block):
        """Runs a block and returns its output."""
        return getattr(self, f"_{block.language}")(block)

    def _sh(self, block):
        """Runs a shell block: standard output is a wide terminal, and exported variables persist."""
        terminal, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        attributes = termios.tcgetattr(side)
        attributes[1] &= ~termios.OPOST
        termios.tcsetattr(side, termios.TCSANOW, attributes)
        environment = {**os.environ, "PATH": self.path, "NO_COLOR": "1", "PAGER": ""}
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
            with contextlib.suppress(OSError):  # the process closed its end
                while piece := os.read(terminal, 65536):
                    output += piece
            os.close(terminal)
            errors = process.stderr.read()
        late.cancel()
        assert process.returncode != -signal.SIGKILL, f"{block}: guard against hanging: not done in {self.seconds} s"
        assert process.returncode == 0, f"{block}: exit code {process.returncode}\n{output.decode()}\n{errors}"
        return output.decode()

    def _sql(self, block):
        import tracelake as tl  # noqa: PLC0415 - the first five minutes start without it

        session = self.names.get("s")
        with contextlib.nullcontext(session) if session else tl.open() as open_session:
            open_session.refresh()
            shown = [str(open_session.sql(text)) for text in statements(block.code)]
        return "\n\n".join(shown)

    def _python(self, block):
        """Runs a Python block: printed text, and the last expression as in an interpreter."""
        tree = ast.parse(block.code, str(block))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(tree, str(block), "exec"), self.names)  # noqa: S102 - the commands of the docs
            if last is not None:
                value = eval(compile(ast.Expression(last.value), str(block), "eval"), self.names)  # noqa: S307 - as above
                if value is not None:
                    output.write(f"{value!r}\n")
        return output.getvalue()


def statements(text):
    """Returns the statements of a SQL block, without comments."""
    parts = re.split(r";[ ]*(?:--[^\n]*)?(?:\n|$)", text)
    return [part for part in parts if re.sub(r"--[^\n]*", "", part).strip()]


def tidy(text):
    """Removes trailing spaces, and empty lines at both ends."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def agrees(block, output):
    """Returns whether the page shows the output of the block."""
    checker = doctest.OutputChecker()
    return checker.check_output(block.text + "\n", tidy(output) + "\n", doctest.ELLIPSIS)


def update_page(page, outputs):
    """Writes outputs to a page, from pairs of a block and its output."""
    lines = page.read_text(encoding="utf-8").splitlines()
    for block, output in sorted(outputs, key=lambda pair: -pair[0].line):
        new = [f"{block.indent}{line}".rstrip() for line in tidy(output).splitlines()]
        lines[block.shown.start : block.shown.stop] = new
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def commands(folder):
    """Returns a search path with the command `tracelake` of this clone and this Python."""
    folder.mkdir()
    command = folder / "tracelake"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m tracelake "$@"\n')
    command.chmod(0o755)
    return os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])
