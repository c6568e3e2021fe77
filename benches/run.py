"""All benches, one after the other: `make bench` those of our own, `make bench-peers` those beside other programs.

Each is a script that can be run alone, and writes its blocks into docs/performance.md. One that fails does not keep the
others from running, and is named at the end.
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
# smdebug runs on nothing newer.
SMDEBUG_PYTHON = "python3.11"


def main() -> None:
    """Builds once, and runs them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--peers", action="store_true", help="beside other programs, which are installed")
    parser.add_argument("--only", nargs="*", choices=[*OWN, *PEERS], help="these, instead of all")
    parser.add_argument("--largest", action="store_true", help="a trace of 10 GB as well")
    programs.options(parser)
    document.options(parser)
    given = parser.parse_args()
    wanted = given.only or (PEERS if given.peers else OWN)
    left_out = []
    if "smdebug" in wanted and not works(SMDEBUG_PYTHON):
        wanted = [name for name in wanted if name != "smdebug"]
        left_out.append(f"NOT MEASURED: smdebug, which needs a Python of its own; there is no {SMDEBUG_PYTHON}")
    programs.programs(given, bare_pass="ingest" in wanted)
    shared = ["--build", given.build]
    if given.write:
        shared += ["--write", str(given.write)]
    failed = []
    for name in wanted:
        more = ["--bare-pass", given.bare_pass] if name == "ingest" else []
        more += ["--largest"] if name == "growth" and given.largest else []
        print(f"\n=== {name}", flush=True)
        if subprocess.run(
            [sys.executable, str(Path(__file__).with_name(f"{name}.py")), *more, *shared], check=False
        ).returncode:
            failed.append(name)
    for line in left_out:
        print(f"\n{line}", flush=True)
    if failed:
        sys.exit(f"\nFAILED: {', '.join(failed)}")


def works(python: str) -> bool:
    """Whether there is such a Python: a name on the path may stand for none."""
    return bool(shutil.which(python)) and subprocess.run([python, "-c", ""], check=False).returncode == 0


if __name__ == "__main__":
    main()
