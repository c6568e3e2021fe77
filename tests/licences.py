#!/usr/bin/env python3
"""Fails on a dependency whose licence does not go with Apache-2.0. Needs cargo, and nothing from the network.

Looks at what is compiled on this machine, tests included. Run it after the first build, which downloads the crates.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# Permissive, unless a line says otherwise.
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",  # binds changes to its own files only, and we change none
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def split(text: str, word: str) -> list[str]:
    """The operands of `word` in an expression that has no parentheses at their level."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[()]| {word} ", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0 and match[0] not in "()":
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def fits(expression: str) -> bool:
    """Whether an SPDX expression can be met with the allowed licences alone."""
    text = re.sub(r" ?/ ?", " OR ", expression.strip())  # as old manifests write it
    for word, enough in (("OR", any), ("AND", all)):
        parts = split(text, word)
        if len(parts) > 1:
            return enough(fits(part) for part in parts)
    if text.startswith("("):
        return fits(text[1:-1])
    return text in ALLOWED


def output(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def main() -> int:
    """Prints each refused dependency; gives the exit code."""
    host = next(line.split()[1] for line in output("rustc", "-vV").splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host]
    packages = json.loads(output(*command))["packages"]
    refused = [package for package in packages if not fits(package["license"] or "")]
    for package in refused:
        licence = package["license"] or "no licence"
        text = f"{package['name']} {package['version']} has {licence}: not on the list in tests/licences.py"
        sys.stdout.write(f"{text}\n")
    sys.stdout.write(f"{len(packages) - len(refused)} licences fit, {len(refused)} do not\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
