"""Compares files of real data loaders and Lightning with what tracelake reads from them: `make test-loaders`.

The packages in constraints.txt are installed in a separate environment in the cache folder ($TRACELAKE_CACHE, or
~/.cache/tracelake). It is rebuilt when the constraints change. In it, tests/gen/loaders.py writes the files of the
packages and the values of their objects; test_read_back.py compares these with what tracelake reads. `--python` only
creates the environment and prints its Python, for other tests that need these packages.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from environment import environment

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ["torch", "lightning", "nvidia-dali-cuda130", "tensorboard", "psutil", "numpy"]
PINS = (HERE / "constraints.txt").read_text()


def main() -> int:
    """Runs the loaders, then the tests, and returns the exit code of the tests."""
    python = environment("loaders", PINS, PACKAGES)
    if sys.argv[1:] == ["--python"]:
        print(python)  # noqa: T201 - the requested output
        return 0
    with tempfile.TemporaryDirectory(prefix="tracelake-loaders-") as folder:
        subprocess.run([python, ROOT / "tests/gen/loaders.py", folder], check=True)
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "test_read_back.py"]
        return subprocess.run(
            tests, cwd=ROOT / "python", env={**os.environ, "TRACELAKE_LOADERS": folder}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
