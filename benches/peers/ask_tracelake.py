"""Queries a lake with tracelake: `ask_tracelake.py once|ask LAKE [TRACE]` reads SQL and names of saved queries as JSON.

With a trace, it creates the lake from the trace first.
"""

import json
import sys

from answering import answer

import tracelake

request = json.load(sys.stdin)


def load():  # noqa: ANN201 - run with the package of a build, apart from the checks
    """Opens the lake, or creates it."""
    lake, *traces = sys.argv[2:]
    session = tracelake.open(lake, create=bool(traces))
    for trace in traces:
        session.ingest(trace, run="bench", progress=False)

    def run_query(name):  # noqa: ANN001, ANN202 - as above
        if name == "files":
            return session.files("event")
        sql = request["questions"].get(name)
        return list(session.sql(sql) if sql else session.query(name))

    return run_query


answer(sys.argv[1], load, [*request["questions"], *request["queries"], "files"])
