"""Creates Python environments for slower checks, in the cache folder ($TRACELAKE_CACHE, or ~/.cache/tracelake)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake")


def environment(name: str, pins: str, packages: list[str], python: str = sys.executable) -> Path:
    """Returns the Python of an environment with these packages; it is recreated when the pins change."""
    folder = CACHE / name
    interpreter, stamp, requirements = folder / "bin/python", folder / "constraints.txt", folder / "wanted.txt"
    if not stamp.exists() or stamp.read_text() != pins:
        subprocess.run([python, "-m", "venv", "--clear", folder], check=True)
        requirements.write_text(pins)
        install = [interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-c", requirements, *packages], check=True)
        requirements.rename(stamp)
    return interpreter
