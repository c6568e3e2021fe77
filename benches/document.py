"""Writes measurements into docs/performance.md and other pages: prose is written by hand, figures by the benches.

A bench owns the blocks that it names, each between `<!-- measured: NAME -->` and `<!-- end -->`. With `--write` it
replaces them; blocks of other benches stay as they are. Each block states its command, its machine and its date.
"""

from __future__ import annotations

import re
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import programs
from process import machine
from programs import DEV, ROOT

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable

PAGE = ROOT / "docs/performance.md"
# Options that do not change what is measured.
HIDDEN = {"--write", "--within", "--build", "--bare-pass", "--cluster-program", "--scratch"}


def parse_args(parser: argparse.ArgumentParser, page: Path = PAGE) -> argparse.Namespace:
    """Adds the options that all benches of a page share, and parses the command line."""
    programs.options(parser)
    text = f"put the figures into docs/{page.name}"
    parser.add_argument("--write", nargs="?", type=Path, const=page, help=text)
    parser.add_argument("--within", type=float, help="end with an error if an aim is missed by more than this factor")
    return parser.parse_args()


def command() -> str:
    """The command that reproduces the figures: the script and its options."""
    words, hidden = [], False
    for word in sys.argv[1:]:
        hidden = word.split("=")[0] in HIDDEN or (hidden and not word.startswith("-"))
        if not hidden:
            words.append(word)
    return shlex.join(["python", f"benches/{Path(sys.argv[0]).name}", *words])


def build(args: argparse.Namespace) -> str:
    """The kind of build that was measured, by its Cargo profile."""
    return f"{DEV if args.build == DEV else 'bench'} build"


def today() -> str:
    """The date in the format of all tables."""
    return time.strftime("%Y-%m-%d")


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> list[str]:
    """The lines of a table in Markdown."""
    head = list(header)
    lines = [head, ["---"] * len(head), *(list(row) for row in rows)]
    return ["| " + " | ".join(cells) + " |" for cells in lines]


def report_block(args: argparse.Namespace, name: str, lines: list[str], method: str = "") -> None:
    """Prints a block, and with `--write` replaces it in the page. `method` describes the measurement."""
    source = f"`{command()}`, {build(args)}, {machine()}, {today()}{'; ' if method else ''}{method}."
    block = [source, "", *lines]
    print("\n" + "\n".join(block), flush=True)
    if args.write and args.write.parent == PAGE.parent and args.build == DEV:
        sys.exit(f"nothing of a {build(args)} is written into {args.write.name}")
    if args.write:
        replace(name, block, args.write)


def replace(name: str, lines: list[str], page: Path) -> None:
    """Replaces the block of this name in a page. Exits if there is none."""
    text = page.read_text("utf-8")
    match = block(name, text)
    if not match:
        sys.exit(f"{page} has no block `{name}` to write into")
    page.write_text(text[: match.start(2)] + "\n".join(["", *lines, "", ""]) + text[match.end(2) :], "utf-8")


def block(name: str, text: str) -> re.Match[str] | None:
    """Finds a block of a page; group 2 is the text between the marks."""
    return re.search(rf"(<!-- measured: {re.escape(name)} -->\n)(.*?)(?=<!-- end -->)", text, re.DOTALL)
