#!/usr/bin/env python3
"""Fails if a crate is compiled in two versions without a stated reason, or does not come from crates.io.

Needs cargo, but no network. The check for security advisories needs the network: `make audit`.
"""

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
INDEX = "registry+https://github.com/rust-lang/crates.io-index"

TWICE = {
    "base64": "object_store and reqwest are a version behind",
    "block-buffer": "of digest",
    "cpufeatures": "of digest",
    "crypto-common": "of digest",
    "darling": "plotly's derive is a version behind",
    "darling_core": "of darling",
    "darling_macro": "of darling",
    "digest": "md-5 of DataFusion and sha1 of AWS's crates are a version behind",
    "foldhash": "of hashbrown",
    "getrandom": "ring, ahash and rand each have their own",
    "hashbrown": "dashmap and petgraph are behind Arrow",
    "itertools": "object_store is a version behind DataFusion",
    "num-bigint": "bigdecimal of DataFusion is a version behind Arrow",
    "rand": "DataFusion is a version behind object_store",
    "rand_core": "of rand",
    "syn": "only when compiling",
}
"""Crates that are compiled in two versions, with the reason."""


SAME = ("arrow", "datafusion", "object_store", "parquet")
"""Name prefixes of crates that must have the same version in sessions and clusters."""


def output(*command: str) -> str:
    """Returns the output of a command."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def versions() -> dict[str, set[str]]:
    """Returns the versions of each crate that is compiled into the product or its build tools."""
    command = ["cargo", "tree", "--locked", "--offline", "--workspace", "-e", "normal", "--prefix", "none"]
    versions_by_name: dict[str, set[str]] = defaultdict(set)
    for line in filter(None, output(*command, "--format", "{p}").splitlines()):
        name, version = line.split()[:2]
        versions_by_name[name].add(version)
    return versions_by_name


def locked(path: str) -> dict[str, set[str]]:
    """Returns the versions of each crate in a lock file."""
    versions_by_name: dict[str, set[str]] = defaultdict(set)
    lock = (ROOT / path).read_text(encoding="utf-8")
    for name, version in re.findall(r'^name = "(.*)"\nversion = "(.*)"$', lock, re.MULTILINE):
        versions_by_name[name].add(version)
    return versions_by_name


def main() -> int:
    """Prints each problem with its fix, and returns the exit code."""
    names_by_version = versions()
    twice = {name for name, versions_of_crate in names_by_version.items() if len(versions_of_crate) > 1}
    problems = [
        f"{name} is compiled as {', '.join(sorted(names_by_version[name]))}: use one, or say here who needs both"
        for name in sorted(twice - set(TWICE))
    ]
    problems += [
        f"{name} is compiled once: take it out of tests/dependencies.py" for name in sorted(set(TWICE) - twice)
    ]
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    sources = set(re.findall(r'^source = "(.*)"$', lock, re.MULTILINE))
    problems += [
        f"crates come from {source}: crates.io alone keeps what it gave once" for source in sorted(sources - {INDEX})
    ]
    cluster = locked("cluster/Cargo.lock")
    problems += [
        f"cluster/ has {name} {', '.join(sorted(cluster[name] - used))}: plans are alike between the same versions only"
        for name, used in sorted(locked("Cargo.lock").items())
        if name.startswith(SAME) and not cluster[name] <= used
    ]
    for line in problems:
        sys.stdout.write(f"{line}\n")
    sys.stdout.write(f"{len(names_by_version)} crates, {len(twice)} in more than one version\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
