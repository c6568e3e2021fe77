"""What is measured: the command, the Python package and the bare pass, of release builds unless others are named."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

ROOT = Path(__file__).parents[1]
LIBRARY = f"lib_tracelake.{'dylib' if platform.system() == 'Darwin' else 'so'}"


@dataclass(frozen=True)
class Programs:
    """The command, the folder from which Python imports the package, and the bare pass where it was asked for."""

    command: str
    package: str
    bare_pass: str

    def ingest(self, lake: Path, source: Path | str, *more: str) -> list[str]:
        """The command that reads a profile into a lake."""
        return [self.command, "--lake", str(lake), "ingest", str(source), *more]


def options(parser: argparse.ArgumentParser) -> None:
    """Builds that are there already; all three or none."""
    parser.add_argument("--command", help="the command, instead of building it; with --module")
    parser.add_argument("--module", help="the native module of the same build")
    parser.add_argument("--bare-pass", help="the program of benches/bare_pass.rs, where it is measured")


def programs(given: argparse.Namespace, scratch: Path, *, bare_pass: bool = False) -> Programs:
    """The builds that were named, or new ones."""
    if not given.command:
        subprocess.run(["cargo", "build", "--release", "--workspace", "--locked"], cwd=ROOT, check=True)
        release = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "release"
        given.command, given.module = str(release / "tracelake"), str(release / LIBRARY)
    if bare_pass and not given.bare_pass:
        given.bare_pass = built("bare_pass")
    return Programs(given.command, package(given.module, scratch), given.bare_pass or "")


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


def built(bench: str) -> str:
    """The program of a bench of Cargo."""
    command = ["cargo", "bench", "--no-run", "--locked", "--bench", bench, "--message-format=json"]
    text = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    messages = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    return next(one["executable"] for one in messages if one.get("executable") and one["target"]["name"] == bench)


def package(module: str, scratch: Path) -> str:
    """A folder from which Python imports the package of this clone with this native module."""
    folder = scratch / "python/tracelake"
    folder.mkdir(parents=True)
    for source in (ROOT / "python/tracelake").iterdir():
        if not source.name.startswith(("_tracelake.abi3", "__pycache__")):
            (folder / source.name).symlink_to(source)
    (folder / "_tracelake.abi3.so").symlink_to(Path(module).resolve())
    return str(folder.parent)
