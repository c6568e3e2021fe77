"""Opens a lake or a profile in a new process and runs queries: the child process of other benches.

Reads a JSON request: `url`, `open` (keywords of `tracelake.open`), `questions` (expressions about the session `s`, by
name), `times`, and `catalog` to run all saved queries instead. Prints JSON: seconds of the import, of opening and of
each run of each question, the traffic with the store, and the questions that failed.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time

# Stop after this many seconds for one question, but run it at least twice.
MAX_SECONDS = 30


def measure(code: str, session: object, times: int) -> list[float]:
    """Seconds of each run of a question."""
    seconds: list[float] = []
    while len(seconds) < times and (len(seconds) < 2 or sum(seconds) < MAX_SECONDS):  # noqa: PLR2004 - first and warm
        start = time.perf_counter()
        eval(code, {"s": session})  # noqa: S307 - the benches provide the code
        seconds.append(time.perf_counter() - start)
    return seconds


def main() -> None:
    """Runs one request."""
    request = json.load(sys.stdin)
    start = time.perf_counter()
    import tracelake  # noqa: PLC0415 - it is measured

    import_end = time.perf_counter()
    session = tracelake.open(request["url"], progress=False, **request.get("open", {}))
    open_end = time.perf_counter()
    result = {"import": import_end - start, "open": open_end - import_end, "traffic": session.traffic(), "failed": []}
    if request.get("catalog"):
        names = [row["name"] for row in list(session.sql("select name from help_queries"))]
        request["questions"] = {name: f"s.query({name!r}).to_arrow()" for name in names}
    if request.get("questions"):
        import pyarrow as pa  # noqa: PLC0415 - not part of the first query

        result["events"] = next(iter(session.sql("select count(*) as n from event")))["n"]
        result["pyarrow"] = pa.__version__
    result["seconds"] = {}
    for name, code in request.get("questions", {}).items():
        with contextlib.suppress(tracelake.TracelakeError):
            result["seconds"][name] = measure(code, session, request["times"])
        if name not in result["seconds"]:
            result["failed"].append(name)
    print(json.dumps(result))


main()
