"""Asks DuckDB about the Parquet files of a lake: `ask_duckdb.py` reads questions and files as JSON."""

import json
import sys
import time

import duckdb

RUNS = 15


def main() -> None:
    """Every question in one process, over files that it reads anew each time."""
    given = json.load(sys.stdin)
    connection = duckdb.connect()
    files = ", ".join("'" + file.replace("'", "''") + "'" for file in given["files"])
    connection.execute(f"CREATE VIEW event AS SELECT * FROM read_parquet([{files}])")  # noqa: S608 - names of files
    said = {"ms": {}, "answers": {}}
    for name, text in given["questions"].items():
        said["ms"][name] = []
        for _ in range(RUNS):
            begun = time.perf_counter()
            said["answers"][name] = connection.execute(text).fetchall()
            said["ms"][name].append((time.perf_counter() - begun) * 1000)
    print(json.dumps(said, default=float))


main()
