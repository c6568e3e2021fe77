#!/usr/bin/env python3
"""Fails if the license of a dependency is not compatible with Apache-2.0. Needs cargo, but no network.

Checks what is compiled on this machine, tests included. Run it after the first build, which downloads the crates.
An argument names the folder of another workspace: `cluster`.
`--texts` instead writes the list of the wheel's dependencies with the texts of their licenses.
"""

import json
import re
import subprocess
import sys
from collections import defaultdict
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
    "bzip2-1.0.6",  # of libbz2-rs-sys, in cluster/ alone; as BSD
    "MPL-2.0",  # binds changes to its own files only, and we change none
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
}


def split(text: str, word: str) -> list[str]:
    """Returns the operands of `word` in an expression without parentheses at their level."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(rf"[()]| {word} ", text):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0 and match[0] not in "()":
            parts.append(text[start : match.start()])
            start = match.end()
    return [*parts, text[start:]]


def is_allowed(expression: str) -> bool:
    """Returns whether the allowed licenses satisfy an SPDX expression."""
    text = re.sub(r" ?/ ?", " OR ", expression.strip())  # the form of old manifests
    for word, enough in (("OR", any), ("AND", all)):
        parts = split(text, word)
        if len(parts) > 1:
            return enough(is_allowed(part) for part in parts)
    if text.startswith("("):
        return is_allowed(text[1:-1])
    return text in ALLOWED


def output(*command: str) -> str:
    """Returns the output of a command."""
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def packages(folder: str = ".") -> list[dict]:
    """Returns cargo's metadata of each compiled crate of a workspace."""
    host = next(line.split()[1] for line in output("rustc", "-vV").splitlines() if line.startswith("host:"))
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host]
    command += ["--manifest-path", f"{folder}/Cargo.toml"]
    return json.loads(output(*command))["packages"]


BUNDLED = [
    # name, license, the crate that it is a part of
    ("plotly.js", "MIT", "plotly"),
    ("MathJax", "Apache-2.0", "plotly"),
    ("Zstandard", "BSD-3-Clause", "zstd-sys"),
    ("standard library of Rust", "MIT OR Apache-2.0", None),
]
"""Components that are not crates."""

IS_LICENSE = re.compile(r"(LICEN[CS]E|COPYING|COPYRIGHT|NOTICE|UNLICENSE)([-._].*)?", re.IGNORECASE)

MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""
"""The text of a license that some crates name without including it; with the authors of the manifest."""


def license_texts(package: dict) -> list[str]:
    """Returns the license texts of a crate, including those of bundled code."""
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.rglob("*") if IS_LICENSE.fullmatch(path.name) and path.is_file())
    texts = [path.read_text(encoding="utf-8", errors="replace").strip() for path in files if path.suffix != ".rs"]
    return [text for text in texts if text]


def texts() -> int:
    """Writes the components of the wheel and their licenses."""
    known = {(package["name"], package["version"]): package for package in packages()}
    command = ["cargo", "tree", "--locked", "--offline", "-p", "tracelake-python", "-e", "normal", "--prefix", "none"]
    lines = output(*command, "--format", "{p}").splitlines()
    names = {(name, version[1:]) for name, version, *_ in map(str.split, filter(None, lines))}
    crates = [known[name] for name in sorted(names) if name[0] != "tracelake" and not name[0].startswith("tracelake-")]
    write = sys.stdout.write
    write("tracelake is under the Apache License 2.0. Its native module has in it:\n\n")
    used: dict[str, list[str]] = defaultdict(list)
    for crate in crates:
        title = f"{crate['name']} {crate['version']}"
        crate_texts = license_texts(crate)
        if not crate_texts and "MIT" in crate["license"]:
            crate_texts = ["\n".join([f"Copyright (c) {author}" for author in crate["authors"]] + ["", MIT]).strip()]
        for text in crate_texts:
            used["\n".join(line.rstrip() for line in text.splitlines())].append(title)
        write(f"{title}: {crate['license']}\n")
    for name, terms, crate in BUNDLED:
        if crate is None or any(crate == crate_texts["name"] for crate_texts in crates):
            write(f"{name}: {terms}\n")
    for text, titles in sorted(used.items(), key=lambda item: item[1]):
        write(f"\n{'=' * 120}\n{', '.join(dict.fromkeys(titles))}\n\n{text}\n")
    return 0


def main() -> int:
    """Prints each refused dependency, and returns the exit code."""
    if "--texts" in sys.argv[1:]:
        return texts()
    crates = packages(*sys.argv[1:2])
    refused = [package for package in crates if not is_allowed(package["license"] or "")]
    for package in refused:
        terms = package["license"] or "no license"
        text = f"{package['name']} {package['version']} has {terms}: not on the list in tests/licenses.py"
        sys.stdout.write(f"{text}\n")
    sys.stdout.write(f"{len(crates) - len(refused)} licenses fit, {len(refused)} do not\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
