"""Tests the wheel of `make wheel` without the repository: `make test-wheel`.

Checks the file: its name, size and contents, and the symbols that it needs of glibc and of Python. Installs it into
empty environments of each installed Python, and queries a profile from the shell and from Python. Executes the
notebooks with the oldest and the newest Python. Sets up a Rust kernel from the wheel and runs a cell. Prints what could
not be tested.

`--smoke` checks the file, and opens a profile with the Python that runs this. `--dev` is for a wheel that is not
optimized, and allows any size.
"""

from __future__ import annotations

import email
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from versions import PYTHONS, interpreter, report

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake")
PROFILE = ROOT / "tests" / "data" / "first_look" / "profiler-output"
MEGABYTES = 60
"""Maximum size of an optimized wheel."""
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
INSIDE = ["METADATA", "entry_points.txt", "licenses/LICENSE", "licenses/THIRD_PARTY.txt"]
PACKAGE = ["__init__.py", "_tracelake.abi3.so", "_tracelake.pyi", "py.typed", "record/program/hook/sitecustomize.py"]
SOURCES = ["Cargo.toml", "Cargo.lock", "build.rs", "src/lib.rs", "crates/model/src/lib.rs", "sql/step/duration.sql"]
SOURCES += ["notebooks/jupyter/facade/src/lib.rs", "notebooks/jupyter/shim/src/stub.rs"]

NAMES = f"VERSION, PROFILE, STEPS = {VERSION!r}, {str(PROFILE)!r}, 220\n"
"""Preamble of the programs below."""

IN_PYTHON = """\
import sys
before = set(sys.modules)  # setuptools hooks itself in
import tracelake

assert tracelake.__version__ == VERSION, tracelake.__version__
assert tracelake.__file__.startswith(sys.prefix), tracelake.__file__
with tracelake.open(PROFILE, ephemeral=True) as s:
    assert len(s.step.duration()) == 2
    assert len(s.sql("select * from step")) == STEPS
    s.figure("step_timeline").save("figure.html")
foreign = {name.partition(".")[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names)
foreign -= {"tracelake", "__mp_main__"}  # the second is multiprocessing's name for __main__
assert not foreign, foreign
assert "Plotly.newPlot(" in open("figure.html", encoding="utf-8").read()
"""

IN_RUST = """\
import sys
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(startup_timeout=300, kernel_name="tracelake-rust")
shown = []
def hook(message):
    shown.extend(map(str, [*message["content"].get("data", {}).values(), message["content"].get("traceback", "")]))
cell = 'let s: Session = open_with("%s", OpenOptions { ephemeral: true, ..OpenOptions::default() })?;' % PROFILE
cell += 's.sql("select * from step")?.len()?'
client.execute_interactive(cell, timeout=300, output_hook=hook)
client.stop_channels()
manager.shutdown_kernel(now=True)
assert str(STEPS) in "".join(shown), shown
"""


def run(*command: object, cwd: Path, **environment: str) -> str:
    """Returns the output of a command that runs without the clone and without options of this environment."""
    known = {
        name: text for name, text in os.environ.items() if not name.startswith(("TRACELAKE_", "PYTHON", "VIRTUAL"))
    }
    known |= {"TRACELAKE_HOME": str(cwd / "home"), **environment}
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=known,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"FAILED: {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def check_file(wheel: Path) -> None:
    """Checks the file."""
    size = wheel.stat().st_size / 1e6
    assert "--dev" in sys.argv[1:] or size < MEGABYTES, f"the wheel has {size:.1f} MB"
    name = rf"tracelake-{re.escape(VERSION)}-cp310-abi3-(.+)\.whl"
    tag = re.fullmatch(name, wheel.name)
    assert tag, f"the wheel is called {wheel.name}"
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        info = f"tracelake-{VERSION}.dist-info"
        expected_files = {f"{info}/{name}" for name in INSIDE} | {f"tracelake/{name}" for name in PACKAGE}
        expected_files |= {f"tracelake/source/{name}" for name in SOURCES}
        assert expected_files <= names, f"the wheel has no {sorted(expected_files - names)}"
        # Cargo.toml lists this file: cargo does not build the library without it
        named = {"tracelake/source/tests/sql.rs"}
        assert named <= names, f"the wheel has no {sorted(named - names)}"
        odd = [name for name in names - named if "/tests/" in name or name.endswith((".pyc", ".parquet"))]
        assert not odd, f"the wheel has {odd}"
        metadata = email.message_from_bytes(file.read(f"{info}/METADATA"))
        assert metadata["Version"] == VERSION
        bare = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
        assert not bare, f"the wheel requires {bare}"
        listed = file.read(f"{info}/licenses/THIRD_PARTY.txt").decode()
        for part in ["datafusion 55", "pyo3 0", "plotly.js: MIT", "zstd-sys", "Zstandard: BSD-3-Clause"]:
            assert part in listed, f"THIRD_PARTY.txt does not list {part}"
        sources = sum(
            entry.compress_size for entry in file.infolist() if entry.filename.startswith("tracelake/source/")
        )
        native = next(entry for entry in file.infolist() if entry.filename.endswith(".so"))
    tools = Path(sys.executable).parent
    if sys.platform == "linux":
        output = run(tools / "auditwheel", "show", wheel, cwd=wheel.parent)
        consistent = re.search(r'platform\s+tag:\s+"(\w+)"', output)
        assert "manylinux" in tag[1], f"the wheel is for {tag[1]} only"
        assert consistent, output
        assert consistent[1] in tag[1].split("."), f"the wheel says {tag[1]} and is {consistent[1]}"
    run(tools / "abi3audit", "--strict", "--assume-minimum-abi3", "3.10", wheel, cwd=wheel.parent)
    report(
        f"{wheel.name}: {size:.1f} MB, of them the module {native.compress_size / 1e6:.1f} MB and sources"
        f" {sources / 1e6:.2f} MB; the module has {native.file_size / 1e6:.1f} MB when installed",
        f"{len(listed.partition('=' * 9)[0].splitlines()) - 2} licenses listed; stable ABI of Python 3.10 alone",
    )


def environment(python: str, folder: Path, wheel: Path, extra: str = "") -> Path:
    """Creates an environment with the wheel, and returns its programs."""
    run(python, "-m", "venv", folder, cwd=ROOT)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if extra:
        run(*pip, "-c", ROOT / "python/constraints.txt", f"{wheel}[{extra}]", cwd=folder)
    else:
        run(*pip, "--no-index", wheel, cwd=folder)
    return folder / "bin"


def check_queries(python: str, folder: Path, wheel: Path) -> None:
    """Tests the package without any other package."""
    programs = environment(python, folder, wheel)
    installed = json.loads(run(programs / "python", "-m", "pip", "list", "--format", "json", cwd=folder))
    installed = {package["name"] for package in installed}
    assert installed <= {"pip", "setuptools", "tracelake"}, installed
    run(programs / "python", "-c", NAMES + IN_PYTHON, cwd=folder)
    lake = [programs / "tracelake", "--lake", folder / "lake"]
    assert run(programs / "tracelake", "--version", cwd=folder).strip() == f"tracelake {VERSION}"
    run(*lake, "ingest", PROFILE, cwd=folder)
    rows = run(*lake, "query", "step.duration", "--format", "csv", cwd=folder).splitlines()
    assert len(rows) == 1 + 2, rows
    run(*lake, "figure", "step_timeline", "-o", folder / "step.html", cwd=folder)
    assert "Plotly.newPlot(" in (folder / "step.html").read_text(encoding="utf-8")


def notebooks(folder: Path, programs: Path) -> int:
    """Executes the Python notebooks next to their data; returns their number."""
    clone = folder / "clone"  # their data, without the package
    for part in ["notebooks/python", "tests/data", "tests/gen", "docs/images"]:
        shutil.copytree(ROOT / part, clone / part)
    paths = sorted((clone / "notebooks/python").glob("*.ipynb"))
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    convert = [programs / "jupyter-nbconvert", "--log-level", "ERROR", "--to", "notebook", "--execute", "--output-dir"]
    run(*convert, folder / "out", *paths, cwd=clone, PATH=path, JUPYTER_DATA_DIR=str(folder / "jupyter"))
    assert len(list((folder / "out").glob("*.ipynb"))) == len(paths) > 0
    return len(paths)


def kernel(folder: Path, programs: Path) -> str:
    """Sets up a Rust kernel from the wheel, and runs a cell; returns the result."""
    missing = [name for name in ["cargo", "rustc"] if shutil.which(name) is None]
    if not (CACHE / "tools/bin/evcxr_jupyter").exists():
        missing.append(f"{CACHE}/tools/bin/evcxr_jupyter")
    if missing:
        return f"NOT TESTED: a Rust kernel from the wheel; there is no {', '.join(missing)}"
    begun = time.monotonic()
    target = os.environ.get("CARGO_TARGET_DIR") or str(ROOT / "target")
    cache = (
        CACHE / "wheel"
    )  # a separate target folder, except for the kernel's program; it is cached with its file times, which cargo needs
    cache.mkdir(exist_ok=True)
    if not (cache / "tools").exists():
        (cache / "tools").symlink_to(CACHE / "tools")
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    output = run(
        *[programs / "tracelake", "jupyter", "install", "--dev"],
        cwd=folder,
        PATH=path,
        CARGO_TARGET_DIR=target,
        TRACELAKE_CACHE=str(cache),
    )
    assert f"is in {programs.parent / 'share/jupyter/kernels'}" in output, output
    assert (cache / "source" / VERSION / "Cargo.toml").exists(), output
    built = time.monotonic()
    run(programs / "python", "-c", NAMES + IN_RUST, cwd=folder, PATH=path)
    ran = time.monotonic()
    return f"a Rust kernel from the wheel: set up in {built - begun:.0f} s, ran a cell in {ran - built:.0f} s"


def test(version: str, python: str, wheel: Path, *, notebook: bool, rust: bool) -> list[str]:
    """Tests the wheel with one Python; a Rust kernel is set up in the environment of the notebooks."""
    with tempfile.TemporaryDirectory(prefix="tracelake-wheel-") as name:
        folder, begun = Path(name).resolve(), time.monotonic()
        check_queries(python, folder / "bare", wheel)
        tests_start = time.monotonic()
        lines = [f"Python {version}: bare environment {tests_start - begun:.0f} s"]
        if notebook:
            programs = environment(python, folder / "notebook", wheel, "notebook")
            executed = notebooks(folder, programs)
            lines[0] += f", {executed} notebooks {time.monotonic() - tests_start:.0f} s with their environment"
        if rust:
            lines.append(kernel(folder, programs))
        return lines


def main() -> int:
    """Tests the wheel and returns the exit code."""
    wheels = list((ROOT / "target/wheels").glob("*.whl"))
    if len(wheels) != 1:
        sys.exit("there is no wheel in target/wheels, or more than one: `make wheel`")
    check_file(wheels[0])
    if "--smoke" in sys.argv[1:]:
        version = "{}.{}".format(*sys.version_info)
        report(*test(version, sys.executable, wheels[0], notebook=False, rust=False), "1 passed, 0 failed")
        return 0
    pythons = {version: python for version in PYTHONS if (python := interpreter(version))}
    oldest, newest = next(iter(pythons)), next(reversed(pythons))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = [
            pool.submit(test, version, python, wheels[0], notebook=version in (oldest, newest), rust=version == newest)
            for version, python in pythons.items()
        ]
        for done in runs:
            report(*done.result())
    if missing := [version for version in PYTHONS if version not in pythons]:
        report(f"NOT TESTED: there is no Python {', '.join(missing)} on PATH or under pyenv")
    report(f"{len(pythons)} passed, 0 failed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
