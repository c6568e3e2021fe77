"""Builds the wheel into target/wheels and prints its size: `make wheel`; the argument is the cargo profile.

In addition to maturin's files, the wheel contains the licenses of all compiled crates, and the sources from which
`tracelake jupyter install` builds a Rust kernel. Both are copied into this folder for the build, and removed after it.

On Linux, zig links the module, because zig has the symbols of old versions of glibc. Only the link step differs from a
plain `cargo build` with the same profile.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target").absolute()
WHEELS = ROOT / "target" / "wheels"
GLIBC = "2.17"
"""The oldest supported version of glibc: the version of manylinux2014, Amazon Linux 2 and RHEL 7."""
SOURCES = (
    "Cargo.toml",
    "Cargo.lock",
    "LICENSE",
    "README.md",
    "build.rs",
    "src/**/*",
    "crates/**/*",
    "sql/**/*.sql",
    "notebooks/jupyter/**/*",
    "python/Cargo.toml",
    "python/src/**/*",
)
"""Files that cargo needs to build the library of a kernel. They include all members, because the lock file does."""
TARGETS = re.compile(r'^\[\[(test|bench)\]\]\nname = "([\w-]+)"', re.MULTILINE)
"""Tests and benches in `Cargo.toml`: cargo does not build the library if one of their files is missing."""
STAGED = (HERE / "tracelake" / "source", HERE / "LICENSE", HERE / "THIRD_PARTY.txt", HERE / "tracelake.data")


def stage() -> None:
    """Copies the files that are in the wheel but not in this folder."""
    unstage()
    targets = TARGETS.findall((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    folders = {"test": "tests", "bench": "benches"}
    for pattern in (*SOURCES, *(f"{folders[kind]}/{name}.rs" for kind, name in targets)):
        files = [path for path in ROOT.glob(pattern) if path.is_file()]
        if not files:
            sys.exit(f"cannot build the wheel: there is no {pattern}")
        for path in files:
            target = STAGED[0] / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "LICENSE", STAGED[1])
    extension = STAGED[3] / "data/share/jupyter/labextensions/tracelake"
    shutil.copytree(ROOT / "notebooks/jupyter/labextension", extension)
    with STAGED[2].open("w", encoding="utf-8") as file:
        subprocess.run([sys.executable, ROOT / "tests" / "licenses.py", "--texts"], stdout=file, check=True)


def unstage() -> None:
    """Removes the copied files."""
    for path in STAGED:
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def linker() -> list[str]:
    """Returns the arguments of maturin that link the module against an old glibc."""
    if sys.platform != "linux":
        return []
    if importlib.util.find_spec("ziglang") is None:
        sys.exit("cannot build the wheel: zig is missing, which `pip install -r python/requirements-wheel.txt` brings")
    script = TARGET / "zig-linker"
    script.parent.mkdir(parents=True, exist_ok=True)
    maturin = shlex.quote(str(Path(sys.executable).with_name("maturin")))
    target = f"{platform.machine()}-linux-gnu.{GLIBC}"
    script.write_text(f'#!/bin/sh\nexec {maturin} zig cc -- -target {target} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return ["--compatibility", f"manylinux_{GLIBC.replace('.', '_')}", "--", f"-Clinker={script}"]


def main() -> None:
    """Builds the wheel and prints its size."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    # zig is a package of this Python; maturin looks for it with the first `python3` on PATH
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    build = [sys.executable, "-m", "maturin", "build", "--profile", sys.argv[1], "--locked"]
    build += ["--compression-level", "9", "--out", WHEELS, *linker()]
    try:
        stage()
        subprocess.run(build, cwd=HERE, env={**os.environ, "PATH": path}, check=True)
    finally:
        unstage()
    (wheel,) = WHEELS.glob("*.whl")
    sys.stdout.write(f"{wheel.relative_to(ROOT)}: {wheel.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main()
