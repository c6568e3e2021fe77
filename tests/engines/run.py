"""Spark, and other versions of DuckDB and Polars, over a lake with two runs: `make test-engines`.

The packages in constraints.txt are installed in a separate environment in the cache folder ($TRACELAKE_CACHE, or
~/.cache/tracelake). It is rebuilt when the constraints change. Spark runs in local mode and needs Java; if there is
none, Debian's is installed. test_engines.py runs in that environment, with the native module of this clone.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from environment import environment

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
PACKAGES = ["duckdb", "polars", "pyspark", "pytest"]
PINS = (HERE / "constraints.txt").read_text()
JAVA = 17
"""The oldest Java version that Spark 4 supports."""


def java() -> Path | None:
    """Returns the home of a new enough Java: from JAVA_HOME, from PATH, or another installed one."""
    homes = [Path(home) for home in [os.environ.get("JAVA_HOME")] if home]
    homes += [Path(path).resolve().parents[1] for path in [shutil.which("java")] if path]
    for home in [*homes, *sorted(Path("/usr/lib/jvm").glob("*"), reverse=True)]:
        if not (home / "bin/java").exists():
            continue
        version_output = subprocess.run([home / "bin/java", "-version"], capture_output=True, text=True, check=False)
        version = re.search(r'version "(\d+)', version_output.stderr)
        if version and int(version[1]) >= JAVA:
            return home
    return None


def installed_java() -> Path | None:
    """Returns the home of Java, and installs Debian's Java if necessary."""
    home = java()
    if home or not shutil.which("apt-get"):
        return home
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "default-jre-headless"]):
        subprocess.run(["apt-get", *step], env=settings, stdout=subprocess.DEVNULL, check=False)
    return java()


def main() -> int:
    """Runs the tests and returns their exit code. Without Java, it runs only the other engines, and fails in CI."""
    home = installed_java()
    settings = {
        name: text for name, text in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_", "HADOOP_"))
    }
    settings["SPARK_LOCAL_IP"] = "127.0.0.1"
    if home:
        settings["JAVA_HOME"] = str(home)
    python = environment("engines", PINS, PACKAGES)
    tests = [python, "-m", "pytest", "-v", "-p", "no:cacheprovider", HERE / "test_engines.py"]
    tests += ["-o", f"pythonpath=. ../tests/python {HERE}", *([] if home else ["-k", "not spark"])]
    code = subprocess.run(tests, cwd=ROOT / "python", env=settings, check=False).returncode
    if not home:
        sys.stdout.write(f"NOT TESTED: Spark; there is no Java {JAVA} or newer, and apt-get cannot install one\n")
    return code or int(not home and os.environ.get("CI") == "true")


if __name__ == "__main__":
    sys.exit(main())
