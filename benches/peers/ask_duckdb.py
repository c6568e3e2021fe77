"""Queries the Parquet files of a lake with DuckDB: `ask_duckdb.py once|ask` reads questions and files as JSON.

One process runs every question, and reads the files again for each.
"""

import json
import sys

import duckdb
from answering import answer

request = json.load(sys.stdin)


def load():  # noqa: ANN201 - runs in an environment of its own, with no types to check
    """Creates a view over the files."""
    connection = duckdb.connect()
    files = ", ".join("'" + file.replace("'", "''") + "'" for file in request["files"])
    connection.execute(f"CREATE VIEW event AS SELECT * FROM read_parquet([{files}])")  # noqa: S608 - names of files
    return lambda name: connection.execute(request["questions"][name]).fetchall()


answer(sys.argv[1], load, list(request["questions"]))
