"""The performance aims of the project, compared with measurements: the first table of docs/performance.md.

A bench reports the figures of its aims; the other rows of the table stay as they are. An aim with several figures, for
example for several sizes, is met if all of them meet it.
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
    """A minimum or a maximum, and the format of its figures."""

    text: str
    minimum: float | None = None
    maximum: float | None = None
    template: str = "{:.2f}"

    def is_met(self, value: float, factor: float = 1) -> bool:
        """Returns True if a figure is within the bounds, or misses them by this factor at most."""
        minimum, maximum = self.minimum, self.maximum
        return (minimum is None or value * factor >= minimum) and (maximum is None or value <= maximum * factor)


TIMES = "{:.1f} times"
AIMS = {
    "one_core": Aim("ingest of traces on one core: at least 100 % of the bare pass", minimum=1, template="{:.0%}"),
    "two_cores": Aim("the same on two cores: at least 1.9 times one", minimum=1.9, template="{:.2f} times"),
    "gzip": Aim("gzip input on two cores: at least 100 % of the bare pass", minimum=1, template="{:.0%}"),
    "peak": Aim("peak memory of an ingest: below 150 MB", maximum=150, template="{:.0f} MB"),
    "flat": Aim("and flat from 10 MB to 10 GB: exponent at most 0.05", maximum=0.05),
    "hta": Aim("reading a trace, against HTA: at least 60 times less", minimum=60, template=TIMES),
    "perfetto": Aim("against Perfetto: at least 15 times", minimum=15, template=TIMES),
    "read_json": Aim("against DuckDB's `read_json`: at least 25 times", minimum=25, template=TIMES),
    "smdebug": Aim("all metrics of a profile, against smdebug: at least 60 times less", minimum=60, template=TIMES),
    "group_by": Aim("group-by over 450,000 events, warm: at most 15 ms", maximum=15, template="{:.1f} ms"),
    "duckdb": Aim("and no slower than DuckDB on the same files", maximum=1, template="{:.2f} of its time"),
    "canned": Aim("every canned query over 5 million events, warm: at most 1 s", maximum=1, template="{:.2f} s"),
    "canned_growth": Aim("and its exponent: at most 1.1", maximum=1.1),
    "open": Aim("open a lake of 10,000 runs: below 300 ms", maximum=0.3, template="{:.3f} s"),
    "open_s3": Aim("the same on S3: at most 20 requests", maximum=20, template="{:.0f}"),
    "again_lists": Aim(
        "open a profile of 10,000 objects on S3 again: a listing per 1,000 keys", maximum=1, template="{:.1f}"
    ),
    "again_bodies": Aim("and no body of an object", maximum=0, template="{:.0f}"),
    "import": Aim("`import tracelake`: below 60 ms", maximum=60, template="{:.0f} ms"),
    "version": Aim("`tracelake --version`: below 20 ms", maximum=20, template="{:.1f} ms"),
}
HEADER = ["aim", "measured", "met", "by"]


def report_aims(args: argparse.Namespace, figures: dict[str, dict[str, float]]) -> None:
    """Prints the figures of some aims, by the subject of each figure. Writes and checks them if the options say so."""
    for name, values in figures.items():
        print(f"{AIMS[name].text}: {' '.join(row(name, values)[1:3])}", flush=True)
    if args.write:
        rows = parse_rows(args.write.read_text("utf-8"))
        rows |= {name: row(name, values) for name, values in figures.items() if values}
        document.replace(BLOCK, document.table(HEADER, rows.values()), args.write)
    if args.within:
        missed = [
            name
            for name, values in figures.items()
            if not all(AIMS[name].is_met(value, args.within) for value in values.values())
        ]
        if missed:
            sys.exit(f"beyond {args.within:g} times of its aim: {', '.join(missed)}")


def row(name: str, values: dict[str, float]) -> list[str]:
    """The row of an aim that was measured."""
    aim = AIMS[name]
    measured = ", ".join(
        aim.template.format(value) + (f" ({subject})" if subject else "") for subject, value in values.items()
    )
    met = "yes" if all(map(aim.is_met, values.values())) else "no"
    return [aim.text, measured, met, f"`{document.command()}`, {document.today()}"]


def parse_rows(text: str) -> dict[str, list[str]]:
    """The rows of the page, by aim, with new rows for aims that the page does not have."""
    match = document.block(BLOCK, text)
    if not match:
        sys.exit(f"there is no block `{BLOCK}` on the page")
    lines = [line.strip("| ").split(" | ") for line in match[2].splitlines() if line.startswith("| ")]
    existing = {cells[0].strip(): [cell.strip() for cell in cells] for cells in lines if len(cells) == len(HEADER)}
    return {name: existing.get(aim.text, [aim.text, NOT_YET, NOT_YET, NOT_YET]) for name, aim in AIMS.items()}
