"""What S3 is asked, on a real S3 server on loopback: tests/python/s3_server.py, which counts the requests.

A lake of many runs is opened. A profile of many objects is opened, and opened again by a new process when nothing is
new: a page of a listing has 1,000 keys, and no object should be fetched. Seconds are those of loopback.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import aims
import bucket
import document
import programs
import sources
from process import run
from programs import ROOT

sys.path.insert(0, str(ROOT / "tests/python"))
from s3_server import S3Server

ASK = str(Path(__file__).with_name("ask_lake.py"))
KINDS = ("LIST", "GET", "HEAD", "PUT", "DELETE")
PAGE = 1000
# Runs and objects that the aims are about.
MANY = 10_000


def opened(server: S3Server, built: programs.Programs, url: str, home: Path) -> tuple[dict[str, Any], Counter[str]]:
    """What a new process says that opens an address, and the requests that the server has seen."""
    del server.requests[:]
    asked = {"url": url, "open": {"options": server.options}}
    where = {"PYTHONPATH": built.package, "TRACELAKE_HOME": str(home), **bucket.ENVIRONMENT}
    said = run([sys.executable, ASK], asked, **where).said()
    listings = [request.method == "GET" and "list-type" in request.query for request in server.requests]
    kinds = ("LIST" if listing else one.method for listing, one in zip(listings, server.requests, strict=True))
    return said, Counter(kinds)


def main() -> None:
    """Counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lake", type=int, default=10_000, help="runs of the lake")
    parser.add_argument("--objects", type=int, default=10_000, help="objects of the profile")
    parser.add_argument("--scratch", type=Path, help="folder for the server and all else; a temporary one without it")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    rows: list[list[str]] = []

    def told(what: str, said: dict[str, Any], kinds: Counter[str]) -> None:
        received = f"{said['traffic']['received'] / 1e6:.2f} MB"
        rows.append([what, *(str(kinds[kind]) for kind in KINDS), received, f"{said['open']:.2f} s"])

    with tempfile.TemporaryDirectory(dir=given.scratch) as folder:
        scratch = Path(folder)
        built = programs.programs(given)
        (scratch / "server").mkdir()
        with S3Server(scratch / "server") as server:
            home, lake = scratch / "home", scratch / "lake"
            run(built.ingest(lake, f"{sources.runs(scratch / 'runs', given.lake)}/*.json"))
            bundled = [["compact"], ["vacuum", "--older-than", "0s"]]
            kept: dict[str, list[list[str]]] = {"": [], ", compacted": bundled}
            lakes: dict[str, Counter[str]] = {}
            for how, commands in kept.items():
                for command in commands:
                    run([built.command, "--lake", str(lake), *command])
                what = f"{given.lake:,} runs{how}"
                url = bucket.copied(server, built, server.options, lake, scratch / "runs")
                said, kinds = opened(server, built, url, home)
                lakes[what] = kinds
                told(f"open a lake of {what}", said, kinds)
            profile = sources.objects(scratch / "profiler-output", given.objects)
            url = bucket.upload(server, profile, "job/profiler-output")
            told(f"open a profile of {given.objects:,} objects", *opened(server, built, url, home))
            said, again = opened(server, built, url, home)
            told("the same again, in a new process", said, again)
    header = ["", *KINDS, "received", "time on loopback"]
    document.tell(given, "stores", document.table(header, rows), "each in a new process")
    objects = f"{given.objects:,} objects"
    reached = {
        "open_s3": {what: sum(asked.values()) for what, asked in lakes.items()},
        "again_lists": {objects: again["LIST"] / -(-given.objects // PAGE)},
        "again_bodies": {objects: again["GET"]},
    }
    if min(given.lake, given.objects) >= MANY:
        aims.tell(given, reached)


if __name__ == "__main__":
    main()
