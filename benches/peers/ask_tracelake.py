"""Asks tracelake: `ask_tracelake.py LAKE` reads questions in SQL and names of queries as JSON."""

import json
import sys
import time

import tracelake

RUNS = 15


def main() -> None:
    """Every question in one process."""
    given = json.load(sys.stdin)
    begun = time.perf_counter()
    session = tracelake.open(sys.argv[1])
    said = {"open": time.perf_counter() - begun, "ms": {}, "answers": {}, "files": session.files("event")}
    asked = {name: lambda text=text: session.sql(text) for name, text in given["questions"].items()}
    asked |= {name: lambda name=name: session.query(name) for name in given["queries"]}
    for name, ask in asked.items():
        said["ms"][name] = []
        for _ in range(RUNS):
            begun = time.perf_counter()
            rows = ask().to_arrow().to_pylist()
            said["ms"][name].append((time.perf_counter() - begun) * 1000)
        said["answers"][name] = rows
    print(json.dumps(said, default=float))


main()
