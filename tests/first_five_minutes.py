"""Runs docs/first_five_minutes.md unchanged, from a new clone to a figure, and compares the output with the page.

    python tests/first_five_minutes.py           # in a new clone of the last commit
    python tests/first_five_minutes.py --here    # in this clone, if it is new, as in CI

If `CARGO_TARGET_DIR` is set, the engine is not compiled again.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from doc_blocks import Page, agrees, blocks, tidy  # noqa: E402 - a module of the Python tests

FIGURES = ["steps.html", "loader.html"]


def main() -> None:
    """Exits with an error if an output differs from the page."""
    with tempfile.TemporaryDirectory() as folder:
        clone, begun = ROOT, time.monotonic()
        if "--here" not in sys.argv[1:]:
            clone = Path(folder) / "tracelake"
            subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        os.chdir(clone)
        os.environ.pop("VIRTUAL_ENV", None)
        page = Page(os.environ["PATH"], Path(folder) / "state", seconds=3600)
        for block in blocks(clone / "docs" / "first_five_minutes.md"):
            if block.language != "sh":
                continue
            output = page.run(block)
            sys.stdout.write(f"line {block.line}: {time.monotonic() - begun:.1f} s\n")
            assert block.shown is None or agrees(block, output), f"line {block.line} gives\n{tidy(output)}"
            begun = time.monotonic()
        for name in FIGURES:
            drawn = (clone / "target" / "five" / name).read_text(encoding="utf-8")
            assert "Plotly.newPlot(" in drawn, name
    sys.stdout.write("1 passed, 0 failed\n")


if __name__ == "__main__":
    main()
