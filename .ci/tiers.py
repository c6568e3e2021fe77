"""Runs the checks of a change: first those that always run, then the tiers that the change may have broken.

    bash .ci/run          # what CI runs
    bash .ci/run --all    # every tier, however long it takes
    bash .ci/run --list   # what would run now, and why

A tier is selected if a path that it depends on changed in the last 100 commits; one other tier runs in rotation. A tier
starts only if it would end before minute 60. The last lines say what ran, what was skipped, and why.
TRACELAKE_CACHE is a folder that caches builds between calls; TRACELAKE_SHARED has profiles that are not bundled.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMITS = 100
SUMMARY = (
    r"test result:|([a-z]+: )?\d+ passed, \d+ failed$|=* ?\d+ (passed|failed|error|skipped|deselected).* in [\d.]+s"
)
END = 3600
"""Seconds by which every tier must end, according to its expected duration."""


@dataclass(frozen=True)
class Tier:
    """A target of the Makefile that does not run for every change."""

    target: str
    seconds: int
    """Expected duration on two cores with empty caches."""
    tests: str
    paths: tuple[str, ...]
    """Prefixes of the folders and files on which it depends."""
    needs: str = ""

    def changed(self, files: list[str]) -> str | None:
        """Returns the first changed file that selects this tier."""
        return next((file for file in files if file.startswith(self.paths)), None)


SETTINGS = {"FUZZ_SECONDS": "3", "WHEEL_PROFILE": "dev", "TRACELAKE_CLUSTER_EVERY": "16"}
"""Variables that shorten tiers: seconds per fuzz target, no optimized wheel, 1 of 16 queries on the cluster."""
ENGINE = ("sql/", "src/session/", "src/export/", "crates/engine/")
FIXED = [
    "test-first-minutes",
    "demo",
    "test",
    "lint",
    "docs",
    "package",
    "test-wheel-smoke",
    "test-browser-smoke",
    "test-kernel-smoke",
]
"""Targets that run for every change, in this order."""
TIERS = [
    Tier(
        "test-slow",
        1500,
        "tests of Rust and Python that take long: real traces, labeled profiles, kills, faults, DuckDB views",
        (
            "src/",
            "crates/",
            "sql/",
            "python/",
            "tests/it/",
            "tests/python/",
            "tests/gen/",
            "tests/data/",
            "docs/",
            "README.md",
            "Cargo.",
        ),
    ),
    Tier(
        "test-browser",
        900,
        "figures, reports and notebooks in a real browser",
        ("crates/figure/src/", "src/report/", "python/tracelake/", "notebooks/", "tests/browser/"),
        "Chromium",
    ),
    Tier(
        "test-kernel",
        600,
        "the Rust kernel and its notebooks",
        (
            *ENGINE,
            "src/catalog/",
            "crates/header/",
            "crates/model/",
            "crates/figure/src/notebook.rs",
            "crates/lake/src/notebook.rs",
            "src/notebook/",
            "src/cli/jupyter/",
            "notebooks/",
            "tests/notebooks/",
        ),
    ),
    Tier(
        "test-wheel",
        900,
        "the wheel in bare environments of each Python, with notebooks and a Rust kernel",
        (
            "python/src/",
            "python/wheel.py",
            "python/pyproject.toml",
            "build.rs",
            "Cargo.toml",
            "crates/header/",
            "tests/wheel.py",
        ),
        "several Pythons",
    ),
    Tier(
        "test-cluster",
        1200,
        "a scheduler and executors over a lake on S3",
        (*ENGINE, "crates/lake/src/source/", "crates/lake/src/lake/", "cluster/", "Cargo.lock", "tests/cluster/"),
    ),
    Tier(
        "fuzz",
        1200,
        "each fuzz target for a few seconds; laws of traces with more seeds",
        ("crates/formats/src/", "fuzz/", "tests/it/fuzz.rs", "tests/data/fuzz/"),
        "a C++ compiler",
    ),
    Tier(
        "test-versions",
        240,
        "`tracelake.smdebug` with pandas 2 and 3 on each Python",
        ("python/tracelake/smdebug/", "tests/versions.py"),
        "several Pythons",
    ),
    Tier(
        "test-engines",
        180,
        "Spark, and other versions of DuckDB and Polars, over a lake",
        (*ENGINE, "crates/lake/src/lake/", "tests/engines/"),
        "Java",
    ),
    Tier(
        "test-loaders",
        300,
        "real data loaders: PyTorch, DALI's evaluator, Lightning",
        ("crates/formats/src/", "python/tracelake/record/", "tests/loaders/"),
    ),
    Tier(
        "test-recorders",
        300,
        "the recorders with the real PyTorch and Lightning",
        ("python/tracelake/record/", "tests/recorders/", "tests/loaders/"),
    ),
    Tier(
        "test-perfetto",
        120,
        "exported traces in Perfetto's trace processor",
        ("src/export/chrome/", "src/export/to_file.rs", "tests/perfetto/"),
    ),
]


def count_commits() -> int:
    """Returns how many commits the main line has."""
    return int(git("rev-list", "--count", "--first-parent", "HEAD"))


def list_changed_files() -> list[str]:
    """Returns the paths that changed in the last commits, and those that are not committed."""
    if git("rev-parse", "--is-shallow-repository") == "true":
        sys.exit("cannot tell what changed: this is a shallow clone; run `git fetch --unshallow`")
    oldest = git("rev-list", f"--max-count={COMMITS + 1}", "--first-parent", "HEAD").split()[-1]
    changed = git("diff", "--name-only", "--no-renames", oldest)
    return [*changed.split("\n"), *git("ls-files", "--others", "--exclude-standard").split("\n")]


def git(*arguments: str) -> str:
    """Returns the output of a git command."""
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def select_tiers(number: int, files: list[str]) -> list[tuple[Tier, str]]:
    """Returns the tiers to run, with the reason.

    The order of the selected tiers rotates with each commit, so each of them is the first at times, also the longest.
    The slow tests come second at the latest, and one tier that is not selected comes last.
    """
    slow = TIERS[0]
    reasons = {tier: tier.changed(files) for tier in TIERS}
    selected = [(tier, f"{file} changed") for tier, file in reasons.items() if file and tier is not slow]
    others = [(tier, "its turn") for tier, file in reasons.items() if not file and tier is not slow]
    turn = [number % len(part) if part else 0 for part in (selected, others)]
    selected = [*selected[turn[0] :], *selected[: turn[0]]]
    second = [(slow, f"{reasons[slow]} changed")] if reasons[slow] else []
    return [*selected[:1], *second, *selected[1:], *others[turn[1] :][:1]]


class Stages:
    """Runs targets of the Makefile one after the other, and counts what the test runners report."""

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.passed = self.failed = self.skipped = 0
        self.lines: list[str] = []

    def elapsed(self) -> float:
        """Returns the seconds since the start."""
        return time.monotonic() - self.start

    def run(self, target: str, reason: str = "") -> bool:
        """Runs a target and returns whether it succeeded."""
        if target.startswith("test-browser"):
            install_browser()
        sys.stdout.write(f"\n=== make {target}\n")
        sys.stdout.flush()
        start, failed = time.monotonic(), self.failed
        with subprocess.Popen(
            ["make", target],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process:
            for line in process.stdout or []:
                sys.stdout.write(line)
                sys.stdout.flush()
                self.count(line)
        if process.returncode:
            self.failed += self.failed == failed  # no test failed, but a compiler or a linter
            reason = f"FAILED with exit code {process.returncode}"
        self.lines.append(f"{time.monotonic() - start:8.0f}  {target:<24}{reason}".rstrip())
        return process.returncode == 0

    def count(self, line: str) -> None:
        """Adds the numbers of a summary line of libtest, pytest, and our own runners."""
        if not re.match(SUMMARY, line):
            return
        for number, word in re.findall(r"(\d+) (passed|failed|errors?|skipped|ignored)\b", line):
            name = {"passed": "passed", "skipped": "skipped", "ignored": "skipped"}.get(word, "failed")
            setattr(self, name, getattr(self, name) + int(number))

    def skip(self, target: str, reason: str) -> None:
        """Notes that a tier did not run."""
        self.lines.append(f"{'-':>8}  {target:<24}skipped: {reason}")

    def report(self) -> None:
        """Prints what ran, what was skipped and why, and the sum in the last line."""
        sys.stdout.write("\n".join(["", " seconds  target", *self.lines, f"{self.elapsed():8.0f}  in all", ""]))
        sys.stdout.write(f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped\n")


def install_browser() -> None:
    """Installs Chromium with apt-get, if possible. Without a browser, the tests fail in CI."""
    if any(map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))) or not shutil.which("apt-get"):
        return
    settings = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for step in (["update", "-qq"], ["install", "-y", "-qq", "chromium"]):
        subprocess.run(["apt-get", *step], env=settings, stdout=subprocess.DEVNULL, check=False)


def set_environment() -> None:
    """Sets variables for caches between calls, for plain output, and for the profiles that are not bundled."""
    cache = Path(os.environ.setdefault("TRACELAKE_CACHE", str(Path.home() / ".cache/tracelake")))
    cache.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("TRACELAKE_SCREENSHOTS", str(cache / "screenshots"))
    os.environ.update(
        CARGO_TARGET_DIR=str(cache / "target"),
        CARGO_INCREMENTAL="0",
        RUSTFLAGS="",
        CARGO_TERM_COLOR="never",
        NO_COLOR="1",
    )
    for name, value in SETTINGS.items():
        os.environ.setdefault(name, value)
    # pytest rewrites the assertions of each test file; reading the cached result is faster.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    shared = ROOT.parent / "shared"
    if not os.environ.get("TRACELAKE_SHARED") and shared.is_dir():
        os.environ["TRACELAKE_SHARED"] = str(shared)
    if not Path(os.environ.get("TRACELAKE_SHARED") or "/no/such/folder").is_dir():
        sys.stderr.write(
            "no folder `shared` next to the clone, and TRACELAKE_SHARED names none: tests on real profiles do not run\n"
        )
        if os.environ.get("CI") == "true":
            sys.exit(1)
    if shutil.which("cargo-deny") is None:
        sys.stderr.write("cargo-deny is not installed: crates are not checked against advisories\n")


def main() -> int:
    """Runs the targets and returns the exit code: 1 if a target failed; no target runs after a failure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="run every tier, however long it takes")
    parser.add_argument("--list", action="store_true", help="print what would run, and why")
    arguments = parser.parse_args()
    chosen = select_tiers(count_commits(), list_changed_files())
    if arguments.all:
        chosen = [(tier, "--all") for tier in TIERS]
    if arguments.list:
        sys.stdout.writelines(f"{tier.seconds:8}  {tier.target:<24}{reason}\n" for tier, reason in chosen)
        return 0
    set_environment()
    stages = Stages()
    failed = False
    try:
        for target in [*FIXED, *(["audit"] if shutil.which("cargo-deny") else [])]:
            if failed:
                stages.skip(target, "a target failed before")
            else:
                failed = not stages.run(target)
        for tier, reason in chosen:
            if failed:
                stages.skip(tier.target, f"a target failed before ({reason})")
            elif not arguments.all and stages.elapsed() + tier.seconds > END:
                stages.skip(tier.target, f"it takes {tier.seconds} s ({reason})")
            else:
                failed = not stages.run(tier.target, reason)
        for tier in TIERS:
            if tier not in [one for one, _ in chosen]:
                stages.skip(tier.target, "no path that it depends on changed, and it is not its turn")
    finally:
        stages.report()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
