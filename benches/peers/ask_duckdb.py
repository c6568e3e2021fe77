"""Asks DuckDB about the Parquet files of a lake: `ask_duckdb.py once|ask` reads questions and files as JSON.

Every question in one process, over files that it reads anew each time.
"""

import json
import sys

import duckdb
from answering import answer

given = json.load(sys.stdin)


def load():  # noqa: ANN201 - runs in an environment of its own, with no types to check
    """Nothing but names of files."""
    connection = duckdb.connect()
    files = ", ".join("'" + file.replace("'", "''") + "'" for file in given["files"])
    connection.execute(f"CREATE VIEW event AS SELECT * FROM read_parquet([{files}])")  # noqa: S608 - names of files
    return lambda name: connection.execute(given["questions"][name]).fetchall()


answer(sys.argv[1], load, list(given["questions"]))
