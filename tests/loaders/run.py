"""What real data loaders and Lightning write, read back: `make test-loaders`.

The packages are those of constraints.txt, in an environment of their own in the cache folder ($TRACELAKE_CACHE, or
~/.cache/tracelake), which is made anew when the constraints change. tests/gen/loaders.py runs there and writes what
the packages write and what their objects held; test_read_back.py compares that with what tracelake reads. With
`--python` the environment is made and its Python named, for other tests that need these packages.
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
