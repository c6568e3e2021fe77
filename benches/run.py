"""Runs all benches, one after the other: `make bench` runs our own, `make bench-peers` compares with other programs.

Each bench is a script that can also run alone, and writes its blocks into docs/performance.md. If one fails, the others
still run, and its name is printed at the end.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import document
import programs

OWN = ["startup", "ingest", "canned", "diagnosis", "export", "growth", "stores", "nsight", "recorder", "notebooks"]
PEERS = ["peers", "smdebug"]
# smdebug does not support newer versions.
SMDEBUG_PYTHON = "python3.11"


def main() -> None:
    """Builds once and runs the benches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true", help="beside other programs, which are installed")
    parser.add_argument("--only", nargs="*", choices=[*OWN, *PEERS], help="these, instead of all")
    parser.add_argument("--largest", action="store_true", help="a trace of 10 GB as well")
    args = document.parse_args(parser)
    names = args.only or (PEERS if args.peers else OWN)
    skipped = []
    if "smdebug" in names and not works(SMDEBUG_PYTHON):
        names = [name for name in names if name != "smdebug"]
        skipped.append(f"NOT MEASURED: smdebug, which needs a Python of its own; there is no {SMDEBUG_PYTHON}")
    programs.programs(args, bare_pass="ingest" in names)
    shared = ["--build", args.build]
    if args.write:
        shared += ["--write", str(args.write)]
    failed = []
    for name in names:
        more = ["--bare-pass", args.bare_pass] if name == "ingest" else []
        more += ["--largest"] if name == "growth" and args.largest else []
        print(f"\n=== {name}", flush=True)
        if subprocess.run(
            [sys.executable, str(Path(__file__).with_name(f"{name}.py")), *more, *shared], check=False
        ).returncode:
            failed.append(name)
    for line in skipped:
        print(f"\n{line}", flush=True)
    if failed:
        sys.exit(f"\nFAILED: {', '.join(failed)}")


def works(python: str) -> bool:
    """Returns True if this Python can be run: a name on the path may be a shim without a Python."""
    return bool(shutil.which(python)) and subprocess.run([python, "-c", ""], check=False).returncode == 0


if __name__ == "__main__":
    main()
