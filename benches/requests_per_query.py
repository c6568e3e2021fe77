"""Counts the requests to S3 and the bytes of queries over many runs, before and after `compact`.

On the S3 server of the tests. Each query runs in a new process, so that nothing is cached.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import bucket
import document
import programs
import sources
from process import run
from programs import ROOT

sys.path.insert(0, str(ROOT / "tests/python"))
from s3_server import S3Server

QUERIES = {
    "`fleet.runs`": ["query", "fleet.runs"],
    "`step.duration`": ["query", "step.duration"],
    "`step.breakdown`": ["query", "step.breakdown"],
    "`kernel.summary`": ["query", "kernel.summary"],
    "events by category, in SQL": ["sql", "select run, category, count(*), sum(dur) from event group by run, category"],
    "`step.breakdown` of one run": ["query", "step.breakdown", "--run", "run-00007.pt.trace.json"],
    "`diagnose` of all runs": ["diagnose"],
}
# A diagnosis of 2,000 runs in single files takes minutes.
MOST_DIAGNOSED = 200
TRAFFIC = re.compile(r"^traffic: (?:.*?(?P<get>\d+) GET)?.*?(?P<received>\d+) bytes received", re.MULTILINE)


def measure(command: list[str]) -> list[str]:
    """Runs a command and returns its GET requests, received MB, and seconds."""
    start = time.perf_counter()
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**os.environ, **bucket.ENVIRONMENT}
    )
    seconds = time.perf_counter() - start
    traffic = TRAFFIC.search(done.stderr)
    # A diagnosis with a critical finding returns 1.
    if done.returncode not in (0, 1) or not traffic:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}\n{done.stderr}")
    return [traffic["get"] or "0", f"{int(traffic['received']) / 1e6:.1f}", f"{seconds:.1f}"]


def main() -> None:
    """Counts the requests and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=[200, 2000], help="runs of the lakes")
    parser.add_argument("--scratch", type=Path, help="folder for the server and all else; a temporary one without it")
    args = document.parse_args(parser, ROOT / "docs/s3.md")
    header, rows = ["query"], {name: [name] for name in QUERIES}
    with tempfile.TemporaryDirectory(dir=args.scratch) as folder:
        scratch = Path(folder)
        build = programs.programs(args)
        (scratch / "server").mkdir()
        with S3Server(scratch / "server") as server:
            options = server.options_without_proxy
            flags = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
            for runs in args.runs:
                lake = scratch / f"lake-{runs}"
                run(build.ingest(lake, f"{sources.runs(scratch / f'runs-{runs}', runs)}/*.json"))
                for state in ("", ", compacted"):
                    if state:
                        run([build.command, "--lake", str(lake), "compact"])
                        run([build.command, "--lake", str(lake), "vacuum", "--older-than", "0s"])
                    url = bucket.upload(server, lake, f"lake{state.strip(', ')}-{runs}")
                    header += [f"{runs:,} runs{state}: GET", "MB", "s"]
                    for name, words in QUERIES.items():
                        if words == ["diagnose"] and runs > MOST_DIAGNOSED:
                            rows[name] += ["", "", ""]
                            continue
                        rows[name] += measure([build.command, "--traffic", *flags, "--lake", url, *words])
    table = document.table(header, list(rows.values()))
    document.report_block(
        args, "requests", table, "each query in a new process, which also opens the lake; seconds on loopback"
    )


if __name__ == "__main__":
    main()
