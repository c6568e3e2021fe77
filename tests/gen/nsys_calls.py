"""Writes an export of Nsight Systems with only calls into the operating system, small enough to check by hand.

In microseconds after 2020-09-13T12:30:00Z: thread 7 waits in `poll` from 10 to 40 and from 50 to 60, and reads from 20
to 25 inside of the first wait. Thread 8 waits in `poll` from 30 to 50. A marker is at 0. Needs only the standard
library. Pages have 512 bytes.

Example: python tests/gen/nsys_calls.py --out tests/data/golden/job-n
"""

from __future__ import annotations

import argparse
import sqlite3
from pathlib import Path

SESSION = 1_600_000_200_000_000_000
MACHINE = 1 << 48
PROCESS = MACHINE | 7 << 24
TEXTS = {1: "poll", 2: "read", 3: "start", 4: "main", 5: "loader"}
CALL, MARKER = 27, 31
CALLS = [  # thread, class, name, start, end, nesting level
    (7, MARKER, 3, 0, 0, 0),
    (7, CALL, 1, 10_000, 40_000, 0),
    (7, CALL, 2, 20_000, 25_000, 1),
    (8, CALL, 1, 30_000, 50_000, 0),
    (7, CALL, 1, 50_000, 60_000, 0),
]
SCHEMA = """
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);
CREATE TABLE TARGET_INFO_SYSTEM_ENV (globalVid INTEGER, name TEXT NOT NULL, value TEXT);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE OSRT_API (
  start INTEGER NOT NULL, -- when, in ns (not us)
  "end" INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, nameId INTEGER NOT NULL,
  returnValue INTEGER NOT NULL, nestingLevel INTEGER, callchainId INTEGER NOT NULL
);
"""


def write(path: Path) -> None:
    """Writes the export."""
    path.unlink(missing_ok=True)
    base = sqlite3.connect(path)
    base.executescript(f"PRAGMA page_size = 512; {SCHEMA}")
    base.executemany("INSERT INTO StringIds VALUES (?, ?)", TEXTS.items())
    base.execute("INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '3.24.0')")
    base.execute("INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (?, NULL, NULL)", (SESSION,))
    base.execute("INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES (?, 'Hostname', 'algo-1')", (MACHINE,))
    base.executemany("INSERT INTO ThreadNames VALUES (?, 20, ?)", [(4, PROCESS | 7), (5, PROCESS | 8)])
    rows = [(start, end, kind, PROCESS | tid, name, 0, level, 0) for tid, kind, name, start, end, level in CALLS]
    base.executemany("INSERT INTO OSRT_API VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    base.commit()
    base.close()


def main() -> None:
    """Writes the requested export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, help="folder for the export, made if absent")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    write(out / "report_rank0.sqlite")


if __name__ == "__main__":
    main()
