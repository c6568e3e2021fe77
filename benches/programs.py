"""What is measured: the program, the Python package and the bare pass of one build.

A build is compiled with the bench profile and kept in target/bench under the name of its commit, so that a later one
can run interleaved with it: `python benches/compare.py <commit>`.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

ROOT = Path(__file__).parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
KEPT = ROOT / "target/bench"
LIBRARY = f"lib_tracelake.{'dylib' if platform.system() == 'Darwin' else 'so'}"
MODULE = "_tracelake.abi3.so"
DEV = "dev"
# Cargo puts what is compiled with `--profile bench` there, too.
FOLDERS = {"bench": "release", "dev": "debug"}


@dataclass(frozen=True)
class Programs:
    """The program, the folder from which Python imports the package, and the bare pass if it was asked for."""

    command: str
    package: str
    bare_pass: str = ""

    def ingest(self, lake: Path, source: Path | str, *more: str) -> list[str]:
        """The command that reads a profile into a lake."""
        return [self.command, "--lake", str(lake), "ingest", str(source), *more]


def options(parser: argparse.ArgumentParser) -> None:
    """Which build is measured."""
    text = f"a build in target/bench, by the name of its commit, or `{DEV}`; without it, this tree is built"
    parser.add_argument("--build", help=text)
    parser.add_argument("--bare-pass", help="the program of benches/bare_pass.rs, instead of building it")


def programs(given: argparse.Namespace, *, bare_pass: bool = False) -> Programs:
    """Returns the build that `--build` names, or builds this tree and sets `given.build` to its name."""
    if given.build in (None, DEV):
        given.build = keep(given.build or commit(), "dev" if given.build else "bench")
    if bare_pass and not given.bare_pass:
        given.bare_pass = built("bare_pass")
    return kept(given.build, given.bare_pass or "")


def kept(name: str, bare_pass: str = "") -> Programs:
    """A build in target/bench."""
    folder = KEPT / name
    if not (folder / "tracelake").exists():
        there = ", ".join(sorted(one.name for one in KEPT.iterdir())) if KEPT.exists() else ""
        sys.exit(f"target/bench has no build `{name}`; it has: {there or 'none'}")
    return Programs(str(folder / "tracelake"), str(folder / "python"), bare_pass)


def commit() -> str:
    """The name of this tree's build: its commit, with `-dirty` if files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def keep(name: str, profile: str) -> str:
    """Compiles this tree, and puts the program and the package into target/bench; returns the name."""
    chosen = ["-p", "tracelake", "-p", "tracelake-python", "--lib", "--bins"]
    subprocess.run(["cargo", "build", "--locked", "--profile", profile, *chosen], cwd=ROOT, check=True)
    compiled, folder = TARGET / FOLDERS[profile], KEPT / name
    shutil.rmtree(folder, ignore_errors=True)
    package = folder / "python/tracelake"
    shutil.copytree(ROOT / "python/tracelake", package, ignore=shutil.ignore_patterns(MODULE, "__pycache__", "source"))
    shutil.copy(compiled / LIBRARY, package / MODULE)
    # Copied last: a folder that contains the program is complete.
    shutil.copy(compiled / "tracelake", folder / "tracelake")
    return name


def built(bench: str) -> str:
    """The program of a bench of Cargo."""
    command = ["cargo", "bench", "--no-run", "--locked", "--bench", bench, "--message-format=json"]
    text = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return next(one["executable"] for one in messages if one.get("executable") and one["target"]["name"] == bench)


def cluster_options(parser: argparse.ArgumentParser) -> None:
    """A build of tracelake-cluster that is there already."""
    told = "tracelake-cluster of a release build, instead of building it"
    parser.add_argument("--cluster-program", type=Path, help=told)


def cluster(given: argparse.Namespace) -> None:
    """Has tests/cluster/processes.py start the build of tracelake-cluster that was named, or a new one.

    It has an engine of its own, so that the first build takes long.
    """
    program = given.cluster_program
    if not program:
        subprocess.run(["make", "cluster", "PROFILE=release"], cwd=ROOT, check=True)
        target = os.environ.get("CARGO_TARGET_DIR")
        program = Path(f"{target}-cluster" if target else ROOT / "cluster/target") / "release/tracelake-cluster"
    os.environ["TRACELAKE_CLUSTER_PROGRAM"] = str(program)
