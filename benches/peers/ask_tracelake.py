"""Asks tracelake: `ask_tracelake.py once|ask LAKE [TRACE]` reads questions in SQL and names of queries as JSON.

With a trace the lake is made of it first.
"""

import json
import sys

from answering import answer

import tracelake

given = json.load(sys.stdin)


def load():  # noqa: ANN201 - run with the package of a build, apart from the checks
    """Opens the lake."""
    lake, *traces = sys.argv[2:]
    session = tracelake.open(lake, create=bool(traces))
    for trace in traces:
        session.ingest(trace, run="bench", progress=False)

    def asked(name):  # noqa: ANN001, ANN202 - as above
        if name == "files":
            return session.files("event")
        sql = given["questions"].get(name)
        return (session.sql(sql) if sql else session.query(name)).to_arrow().to_pylist()

    return asked


answer(sys.argv[1], load, [*given["questions"], *given["queries"], "files"])
