"""Builds the programs that the benches measure: the command, the Python package and the bare pass.

A build is compiled with the bench profile and stored in target/bench under the name of its commit, so that a later one
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
from typing import TYPE_CHECKING, Any

from process import run

if TYPE_CHECKING:
    import argparse

ROOT = Path(__file__).parents[1]
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
BUILDS = ROOT / "target/bench"
LIBRARY = f"lib_tracelake.{'dylib' if platform.system() == 'Darwin' else 'so'}"
MODULE = "_tracelake.abi3.so"
DEV = "dev"
# The target folder of each profile. Cargo uses `release` for `--profile bench` too.
FOLDERS = {"bench": "release", "dev": "debug"}


@dataclass(frozen=True)
class Programs:
    """The command, the folder from which Python imports the package, and the bare pass if it is needed."""

    command: str
    package: str
    bare_pass: str = ""

    def ingest(self, lake: Path, source: Path | str, *more: str) -> list[str]:
        """The command line that reads a profile into a lake."""
        return [self.command, "--lake", str(lake), "ingest", str(source), *more]

    def ask(self, request: dict[str, Any], cores: int | None = None, **environment: str) -> dict[str, Any]:
        """Runs benches/ask_lake.py with this package in a new process and returns its result."""
        command = [sys.executable, str(Path(__file__).with_name("ask_lake.py"))]
        return run(command, request, cores, PYTHONPATH=self.package, **environment).json()


def options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that select the build to measure."""
    text = f"a build in target/bench, by the name of its commit, or `{DEV}`; without it, this tree is built"
    parser.add_argument("--build", help=text)
    parser.add_argument("--bare-pass", help="the program of benches/bare_pass.rs, instead of building it")


def programs(args: argparse.Namespace, *, bare_pass: bool = False) -> Programs:
    """Returns the build that `--build` names, or builds this tree and sets `args.build` to its name."""
    if args.build in (None, DEV):
        args.build = build_tree(args.build or tree_name(), "dev" if args.build else "bench")
    if bare_pass and not args.bare_pass:
        args.bare_pass = build_bench("bare_pass")
    return find_build(args.build, args.bare_pass or "")


def find_build(name: str, bare_pass: str = "") -> Programs:
    """Returns a build in target/bench. Exits if it does not exist."""
    folder = BUILDS / name
    if not (folder / "tracelake").exists():
        builds = ", ".join(sorted(one.name for one in BUILDS.iterdir())) if BUILDS.exists() else ""
        sys.exit(f"target/bench has no build `{name}`; it has: {builds or 'none'}")
    return Programs(str(folder / "tracelake"), str(folder / "python"), bare_pass)


def tree_name() -> str:
    """The name of this tree's build: its commit, with `-dirty` if files differ from it."""
    command = ["git", "describe", "--always", "--abbrev=10", "--exclude=*", "--dirty"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def build_tree(name: str, profile: str) -> str:
    """Compiles this tree, copies the command and the package to target/bench, and returns the name."""
    packages = ["-p", "tracelake", "-p", "tracelake-python", "--lib", "--bins"]
    subprocess.run(["cargo", "build", "--locked", "--profile", profile, *packages], cwd=ROOT, check=True)
    compiled, folder = TARGET / FOLDERS[profile], BUILDS / name
    shutil.rmtree(folder, ignore_errors=True)
    package = folder / "python/tracelake"
    shutil.copytree(ROOT / "python/tracelake", package, ignore=shutil.ignore_patterns(MODULE, "__pycache__", "source"))
    shutil.copy(compiled / LIBRARY, package / MODULE)
    # Copied last: a folder that contains the command is complete.
    shutil.copy(compiled / "tracelake", folder / "tracelake")
    return name


def build_bench(bench: str) -> str:
    """Compiles a Cargo bench and returns the path of its program."""
    command = ["cargo", "bench", "--no-run", "--locked", "--bench", bench, "--message-format=json"]
    text = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return next(one["executable"] for one in messages if one.get("executable") and one["target"]["name"] == bench)


def cluster_options(parser: argparse.ArgumentParser) -> None:
    """Adds the option that names an existing build of tracelake-cluster."""
    text = "tracelake-cluster of a release build, instead of building it"
    parser.add_argument("--cluster-program", type=Path, help=text)


def cluster(args: argparse.Namespace) -> None:
    """Makes tests/cluster/processes.py start the named build of tracelake-cluster, or a new one.

    The first build takes long, because tracelake-cluster compiles its own copy of the engine.
    """
    program = args.cluster_program
    if not program:
        subprocess.run(["make", "cluster", "PROFILE=release"], cwd=ROOT, check=True)
        target = os.environ.get("CARGO_TARGET_DIR")
        program = Path(f"{target}-cluster" if target else ROOT / "cluster/target") / "release/tracelake-cluster"
    os.environ["TRACELAKE_CLUSTER_PROGRAM"] = str(program)
