"""Opens a lake or a profile in this new process and asks it: the child of the benches.

Reads JSON: `url`, `open` (keywords of `tracelake.open`), `questions` (expressions about the session `s`, by name) and
`times`. Prints JSON: seconds of the import, of opening and of each answer in turn, what stores were asked to open, and
the questions that failed.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time

# Nobody waits longer for one question; it is asked twice at least.
ENOUGH = 30


def answered(code: str, session: object, times: int) -> list[float]:
    """Seconds of each time that a question is asked."""
    seconds: list[float] = []
    while len(seconds) < times and (len(seconds) < 2 or sum(seconds) < ENOUGH):  # noqa: PLR2004 - first and warm
        begun = time.perf_counter()
        eval(code, {"s": session})  # noqa: S307 - the benches say what is asked
        seconds.append(time.perf_counter() - begun)
    return seconds


def main() -> None:
    """One process."""
    given = json.load(sys.stdin)
    begun = time.perf_counter()
    import tracelake  # noqa: PLC0415 - it is measured

    imported = time.perf_counter()
    session = tracelake.open(given["url"], progress=False, **given.get("open", {}))
    opened = time.perf_counter()
    said = {"import": imported - begun, "open": opened - imported, "traffic": session.traffic(), "failed": []}
    if given.get("catalog"):
        names = [row["name"] for row in session.sql("select name from help_queries").to_arrow().to_pylist()]
        given["questions"] = {name: f"s.query({name!r}).to_arrow()" for name in names}
    if given.get("questions"):
        import pyarrow as pa  # noqa: PLC0415 - no part of the first answer

        said["events"] = session.sql("select count(*) as n from event").to_arrow().to_pylist()[0]["n"]
        said["pyarrow"] = pa.__version__
    said["seconds"] = {}
    for name, code in given.get("questions", {}).items():
        with contextlib.suppress(tracelake.TracelakeError):
            said["seconds"][name] = answered(code, session, given["times"])
        if name not in said["seconds"]:
            said["failed"].append(name)
    print(json.dumps(said))


main()
