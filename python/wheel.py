"""Builds the wheel into target/wheels and says how large it is: `make wheel`, with the profile of cargo that is given.

Beside what maturin puts in, the wheel has the licenses of all that is compiled into it, and the sources that
`tracelake jupyter install` builds a Rust kernel from. Both are laid into this folder for the build, and taken away.

On Linux the module is linked by zig, which knows the symbols of old versions of glibc. Only this last step is: what the
module is made of comes from the same build as a plain `cargo build` of that profile.
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
"""The oldest that the wheel is for: that of manylinux2014, Amazon Linux 2 and RHEL 7."""
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
"""Files that cargo needs to build the library of a kernel: those of all members, because the lock file lists them."""
TARGETS = re.compile(r'^\[\[(test|bench)\]\]\nname = "([\w-]+)"', re.MULTILINE)
"""Tests and benches in `Cargo.toml`: cargo refuses to build the library when one of their files is missing."""
STAGED = (HERE / "tracelake" / "source", HERE / "LICENSE", HERE / "THIRD_PARTY.txt")


def stage() -> None:
    """Lays down what is not there in a clone."""
    unstage()
    targets = TARGETS.findall((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    folders = {"test": "tests", "bench": "benches"}
    for pattern in (*SOURCES, *(f"{folders[kind]}/{name}.rs" for kind, name in targets)):
        files = [path for path in ROOT.glob(pattern) if path.is_file()]
        if not files:
            sys.exit(f"cannot build the wheel: there is no {pattern}")
        for path in files:
            to = STAGED[0] / path.relative_to(ROOT)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)
    shutil.copyfile(ROOT / "LICENSE", STAGED[1])
    with STAGED[2].open("w", encoding="utf-8") as file:
        subprocess.run([sys.executable, ROOT / "tests" / "licenses.py", "--texts"], stdout=file, check=True)


def unstage() -> None:
    """Takes it away."""
    for path in STAGED:
        if path.is_dir():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)


def linker() -> list[str]:
    """Arguments of maturin that make the module fit an old glibc."""
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
    """Builds it."""
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
