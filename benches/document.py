"""The pages of what was measured, docs/performance.md and others: prose is written by hand, figures by the benches.

A bench owns the blocks that it names, each between `<!-- measured: NAME -->` and `<!-- end -->`, and replaces them if
it is told to `--write`; those of a bench that was not run stay as they are. Each says by which command, on which
machine and when it was measured.
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from process import machine
from programs import DEV, ROOT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

PAGE = ROOT / "docs/performance.md"
# Said to a script by whoever runs it, and nothing about what is measured.
HIDDEN = {"--write", "--within", "--build", "--bare-pass", "--cluster-program", "--scratch"}


def options(parser: argparse.ArgumentParser, page: Path = PAGE) -> None:
    """Whether blocks are written, and into which page."""
    told = f"put the figures into docs/{page.name}"
    parser.add_argument("--write", nargs="?", type=Path, const=page, help=told)
    parser.add_argument("--within", type=float, help="end with an error if an aim is missed by more than this factor")


def command() -> str:
    """How the figures can be had again: the script and its options."""
    words, hidden = [], False
    for word in sys.argv[1:]:
        hidden = word.split("=")[0] in HIDDEN or (hidden and not word.startswith("-"))
        if not hidden:
            words.append(word)
    return shlex.join(["python", f"benches/{Path(sys.argv[0]).name}", *words])


def build(given: argparse.Namespace) -> str:
    """What kind of build was measured, by the profile of Cargo."""
    return f"{DEV if given.build == DEV else 'bench'} build"


def today() -> str:
    """The date, as in all tables."""
    return time.strftime("%Y-%m-%d")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table in Markdown."""
    head = list(header)
    lines = [head, ["---"] * len(head), *(list(row) for row in rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def tell(given: argparse.Namespace, name: str, lines: list[str], what: str = "") -> None:
    """Prints a block, and puts it into the page if that was asked for; `what` says how it was measured."""
    said = f"`{command()}`, {build(given)}, {machine()}, {today()}{'; ' if what else ''}{what}."
    block = [said, "", *lines]
    print("\n" + "\n".join(block), flush=True)
    if given.write and given.write.parent == PAGE.parent and given.build == DEV:
        sys.exit(f"nothing of a {build(given)} is written into {given.write.name}")
    if given.write:
        replace(name, block, given.write)


def replace(name: str, lines: list[str], page: Path) -> None:
    """Replaces a block of the page; there must be one of the name."""
    text = page.read_text("utf-8")
    found = block(name, text)
    if not found:
        sys.exit(f"{page} has no block `{name}` to write into")
    page.write_text(text[: found.start(2)] + "\n".join(["", *lines, "", ""]) + text[found.end(2) :], "utf-8")


def block(name: str, text: str) -> re.Match[str] | None:
    """A block of a page; its group 2 is what stands between the marks."""
    return re.search(rf"(<!-- measured: {re.escape(name)} -->\n)(.*?)(?=<!-- end -->)", text, re.DOTALL)
