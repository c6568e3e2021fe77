"""Counts the requests to S3, on a real S3 server on loopback: tests/python/s3_server.py.

Opens a lake of many runs. Opens a profile of many objects, and opens it again in a new process when nothing is new: a
page of a listing has 1,000 keys, and no object should be fetched. Seconds are those of loopback.
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

KINDS = ("LIST", "GET", "HEAD", "PUT", "DELETE")
PAGE = 1000
# Number of runs and of objects in the aims.
MANY = 10_000


def open_url(server: S3Server, build: programs.Programs, url: str, home: Path) -> tuple[dict[str, Any], Counter[str]]:
    """Opens a URL in a new process. Returns the result of ask_lake.py and the requests to the server."""
    del server.requests[:]
    request = {"url": url, "open": {"options": server.options}}
    result = build.ask(request, TRACELAKE_HOME=str(home), **bucket.ENVIRONMENT)
    listings = [one.method == "GET" and "list-type" in one.query for one in server.requests]
    kinds = ("LIST" if listing else one.method for listing, one in zip(listings, server.requests, strict=True))
    return result, Counter(kinds)


def main() -> None:
    """Counts the requests and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lake", type=int, default=10_000, help="runs of the lake")
    parser.add_argument("--objects", type=int, default=10_000, help="objects of the profile")
    parser.add_argument("--scratch", type=Path, help="folder for the server and all else; a temporary one without it")
    args = document.parse_args(parser)
    rows: list[list[str]] = []

    def add_row(text: str, result: dict[str, Any], kinds: Counter[str]) -> None:
        received = f"{result['traffic']['received'] / 1e6:.2f} MB"
        rows.append([text, *(str(kinds[kind]) for kind in KINDS), received, f"{result['open']:.2f} s"])

    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        build = programs.programs(args)
        (scratch / "server").mkdir()
        with S3Server(scratch / "server") as server:
            home, lake = scratch / "home", scratch / "lake"
            run(build.ingest(lake, f"{sources.runs(scratch / 'runs', args.lake)}/*.json"))
            compaction = [["compact"], ["vacuum", "--older-than", "0s"]]
            variants: dict[str, list[list[str]]] = {"": [], ", compacted": compaction}
            lakes: dict[str, Counter[str]] = {}
            for variant, commands in variants.items():
                for command in commands:
                    run([build.command, "--lake", str(lake), *command])
                name = f"{args.lake:,} runs{variant}"
                url = bucket.copy_lake(server, build, server.options, lake, scratch / "runs")
                result, kinds = open_url(server, build, url, home)
                lakes[name] = kinds
                add_row(f"open a lake of {name}", result, kinds)
            profile = sources.objects(scratch / "profiler-output", args.objects)
            url = bucket.upload(server, profile, "job/profiler-output")
            add_row(f"open a profile of {args.objects:,} objects", *open_url(server, build, url, home))
            result, again = open_url(server, build, url, home)
            add_row("the same again, in a new process", result, again)
    header = ["", *KINDS, "received", "time on loopback"]
    document.report_block(args, "stores", document.table(header, rows), "each in a new process")
    objects = f"{args.objects:,} objects"
    figures = {
        "open_s3": {name: sum(kinds.values()) for name, kinds in lakes.items()},
        "again_lists": {objects: again["LIST"] / -(-args.objects // PAGE)},
        "again_bodies": {objects: again["GET"]},
    }
    if min(args.lake, args.objects) >= MANY:
        aims.report_aims(args, figures)


if __name__ == "__main__":
    main()
