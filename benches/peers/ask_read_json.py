"""Queries a trace with DuckDB, which parses it: `ask_read_json.py once|ask TRACE` reads questions as JSON.

The table has the columns that the questions need, and the arguments as JSON. Declared types are faster than detected
ones. The document is one object, so DuckDB needs its maximum size.
"""

import json
import sys
from pathlib import Path

import duckdb
from answering import answer

request = json.load(sys.stdin)
EVENT = "STRUCT(ph VARCHAR, cat VARCHAR, name VARCHAR, pid VARCHAR, tid VARCHAR, ts DOUBLE, dur DOUBLE, args JSON)[]"


def load():  # noqa: ANN201 - runs in an environment of its own, with no types to check
    """Loads the trace into a table `slice`, in ns."""
    connection = duckdb.connect()
    size = Path(sys.argv[2]).stat().st_size + 1
    file = "'" + sys.argv[2].replace("'", "''") + "'"
    connection.execute(
        f"""CREATE TABLE slice AS
        SELECT e.cat AS category, e.name AS name, e.pid AS pid, e.tid AS tid, e.args AS args,
          CAST(round(e.ts * 1000) AS BIGINT) AS ts, CAST(round(e.dur * 1000) AS BIGINT) AS dur
        FROM (SELECT unnest(traceEvents) AS e
          FROM read_json({file}, maximum_object_size = {size}, columns = {{'traceEvents': '{EVENT}'}}))
        WHERE e.ph = 'X'"""  # noqa: S608 - the name of a file
    )
    return lambda name: connection.execute(request["questions"][name]).fetchall()


answer(sys.argv[1], load, list(request["questions"]))
