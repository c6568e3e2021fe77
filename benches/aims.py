"""What the project wants to reach, beside what was measured: the table at the head of docs/performance.md.

A bench tells the figures of its aims; the other rows of the table stay as they are. An aim with several figures, as for
several sizes, is met if all of them meet it.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import document

if TYPE_CHECKING:
    import argparse

BLOCK = "aims"
NOT_YET = "not measured"


@dataclass(frozen=True)
class Aim:
    """A bound from below, or from above, and how a figure is shown."""

    text: str
    least: float | None = None
    most: float | None = None
    form: str = "{:.2f}"

    def met(self, value: float) -> bool:
        """Whether a figure is within the bounds."""
        return self.within(1, value)

    def within(self, factor: float, value: float) -> bool:
        """Whether a figure is out of the bounds by this factor at most."""
        least, most = self.least, self.most
        return (least is None or value * factor >= least) and (most is None or value <= most * factor)


TIMES = "{:.1f} times"
AIMS = {
    "one_core": Aim("ingest of traces on one core: at least 100 % of the bare pass", least=1, form="{:.0%}"),
    "two_cores": Aim("the same on two cores: at least 1.9 times one", least=1.9, form="{:.2f} times"),
    "gzip": Aim("gzip input on two cores: at least 100 % of the bare pass", least=1, form="{:.0%}"),
    "peak": Aim("peak memory of an ingest: below 150 MB", most=150, form="{:.0f} MB"),
    "flat": Aim("and flat from 10 MB to 10 GB: exponent at most 0.05", most=0.05),
    "hta": Aim("reading a trace, against HTA: at least 60 times less", least=60, form=TIMES),
    "perfetto": Aim("against Perfetto: at least 15 times", least=15, form=TIMES),
    "read_json": Aim("against DuckDB's `read_json`: at least 25 times", least=25, form=TIMES),
    "smdebug": Aim("all metrics of a profile, against smdebug: at least 60 times less", least=60, form=TIMES),
    "group_by": Aim("group-by over 450,000 events, warm: at most 15 ms", most=15, form="{:.1f} ms"),
    "duckdb": Aim("and no slower than DuckDB on the same files", most=1, form="{:.2f} of its time"),
    "canned": Aim("every canned query over 5 million events, warm: at most 1 s", most=1, form="{:.2f} s"),
    "canned_growth": Aim("and its exponent: at most 1.1", most=1.1),
    "open": Aim("open a lake of 10,000 runs: below 300 ms", most=0.3, form="{:.3f} s"),
    "open_s3": Aim("the same on S3: at most 20 requests", most=20, form="{:.0f}"),
    "again_lists": Aim("open a profile of 10,000 objects on S3 again: a listing per 1,000 keys", most=1, form="{:.1f}"),
    "again_bodies": Aim("and no body of an object", most=0, form="{:.0f}"),
    "import": Aim("`import tracelake`: below 60 ms", most=60, form="{:.0f} ms"),
    "version": Aim("`tracelake --version`: below 20 ms", most=20, form="{:.1f} ms"),
}
HEADER = ["aim", "measured", "met", "by"]


def tell(given: argparse.Namespace, figures: dict[str, dict[str, float]]) -> None:
    """Prints the figures of some aims, by what they were measured on; writes and judges them if asked to."""
    for name, by in figures.items():
        print(f"{AIMS[name].text}: {' '.join(row(name, by)[1:3])}", flush=True)
    if given.write:
        rows = written(given.write.read_text("utf-8"))
        rows |= {name: row(name, by) for name, by in figures.items() if by}
        document.replace(BLOCK, document.table(HEADER, rows.values()), given.write)
    if given.within:
        every = [(name, value) for name, by in figures.items() for value in by.values()]
        if far := dict.fromkeys(name for name, value in every if not AIMS[name].within(given.within, value)):
            sys.exit(f"beyond {given.within:g} times of its aim: {', '.join(far)}")


def row(name: str, by: dict[str, float]) -> list[str]:
    """The row of an aim that was measured."""
    aim = AIMS[name]
    shown = ", ".join(aim.form.format(value) + (f" ({on})" if on else "") for on, value in by.items())
    met = "yes" if all(map(aim.met, by.values())) else "no"
    return [aim.text, shown, met, f"`{document.command()}`, {document.today()}"]


def written(text: str) -> dict[str, list[str]]:
    """The rows that the page has, by aim, and new ones for the aims that it does not know."""
    found = document.block(BLOCK, text)
    if not found:
        sys.exit(f"there is no block `{BLOCK}` on the page")
    lines = [line.strip("| ").split(" | ") for line in found[2].splitlines() if line.startswith("| ")]
    known = {cells[0].strip(): [cell.strip() for cell in cells] for cells in lines if len(cells) == len(HEADER)}
    return {name: known.get(aim.text, [aim.text, NOT_YET, NOT_YET, NOT_YET]) for name, aim in AIMS.items()}
