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

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ["torch", "lightning", "nvidia-dali-cuda130", "tensorboard", "psutil", "numpy"]
CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake") / "loaders"


def environment() -> Path:
    """The Python with the packages."""
    pins = (HERE / "constraints.txt").read_text()
    python, stamp = CACHE / "bin/python", CACHE / "constraints.txt"
    if not stamp.exists() or stamp.read_text() != pins:
        subprocess.run([sys.executable, "-m", "venv", "--clear", CACHE], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-c", HERE / "constraints.txt", *PACKAGES], check=True)
        stamp.write_text(pins)
    return python


def main() -> int:
    """Runs the loaders, then the tests; the exit code of these."""
    python = environment()
    if sys.argv[1:] == ["--python"]:
        print(python)  # noqa: T201 - it was asked for
        return 0
    with tempfile.TemporaryDirectory(prefix="tracelake-loaders-") as folder:
        subprocess.run([python, ROOT / "tests/gen/loaders.py", folder], check=True)
        tests = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", HERE / "test_read_back.py"]
        return subprocess.run(
            tests, cwd=ROOT / "python", env={**os.environ, "TRACELAKE_LOADERS": folder}, check=False
        ).returncode


if __name__ == "__main__":
    sys.exit(main())
