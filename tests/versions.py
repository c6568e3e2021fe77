"""Tests `tracelake.smdebug` with pandas 2 and pandas 3 on every installed Python: `make test-versions`.

The native module is the same for all of them. Each pair of Python and pandas has a separate environment in the cache
folder ($TRACELAKE_CACHE, or ~/.cache/tracelake), which is rebuilt when its pins change. The other packages are those of
python/constraints.txt. Prints which Pythons are missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from environment import environment

ROOT = Path(__file__).parents[1]
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14"]
PANDAS = ["2.3.3", "3.1.1"]
SINCE = {"3.1.1": "3.11"}
"""The minimum Python version of a pandas version."""
PACKAGES = ["boto3", "numpy", "plotly", "pyarrow", "pytest"]
TESTS = ["test_smdebug_oracle.py", "test_smdebug_frames.py"]


class Pair(NamedTuple):
    """An interpreter and a pandas for it."""

    version: str
    python: str
    pandas: str

    def __str__(self) -> str:
        """Returns the label of the pair."""
        return f"Python {self.version}, pandas {self.pandas}"


def interpreter(version: str) -> str | None:
    """Returns a Python of this version that can create environments: from PATH, or from pyenv."""
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    candidates = [shutil.which(f"python{version}"), *sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))]
    works = "import ensurepip, ssl, sys, venv; print('.'.join(map(str, sys.version_info[:2])))"
    for candidate in filter(None, candidates):
        # pyenv's shims exist whether or not their Python is selected
        process = subprocess.run([candidate, "-c", works], capture_output=True, text=True, check=False)
        if process.stdout.strip() == version:
            return str(candidate)
    return None


def python_of(pair: Pair) -> Path:
    """Creates the environment of the pair, and returns its Python."""
    lines = (ROOT / "python/constraints.txt").read_text().splitlines()
    pins = "\n".join([*(line for line in lines if not line.startswith("pandas==")), f"pandas=={pair.pandas}", ""])
    name = f"versions/python{pair.version}-pandas{pair.pandas}"
    return environment(name, pins, ["pandas", *PACKAGES], pair.python)


def run(pair: Pair) -> tuple[int, str, float]:
    """Runs the tests; returns exit code, output, and duration in seconds."""
    begun = time.monotonic()
    python = python_of(pair)
    # S3 is tested only with one pair
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", "not on_s3"]
    done = subprocess.run(
        [*command, *(f"../tests/python/{test}" for test in TESTS)],
        cwd=ROOT / "python",
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, time.monotonic() - begun


def report(*lines: str) -> None:
    """Prints a line without buffering, because the runs take long."""
    sys.stdout.write("\n".join([*lines, ""]))
    sys.stdout.flush()


def main() -> int:
    """Runs all pairs, with one process per core."""
    pythons = {version: interpreter(version) for version in PYTHONS}
    pairs = [
        Pair(version, python, pandas)
        for version, python in pythons.items()
        if python
        for pandas in PANDAS
        if PYTHONS.index(version) >= PYTHONS.index(SINCE.get(pandas, PYTHONS[0]))
    ]
    failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for pair, (code, text, seconds) in zip(pairs, pool.map(run, pairs), strict=True):
            *lines, last = text.strip().splitlines()
            failed += code != 0
            # the missing versions are also listed at the end
            loud = next((i for i, line in enumerate(lines) if " NOT TESTED " in line), len(lines))
            report(f"--- {pair}, {seconds:.0f} s with its environment", *lines[0 if code else loud :], last)
    missing = [version for version, python in pythons.items() if not python]
    if missing:
        report(f"NOT TESTED: there is no Python {', '.join(missing)} on PATH or under pyenv")
    if len(pythons) - len(missing) == 1:
        report("only one Python was found")
    return 1 if failed or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
