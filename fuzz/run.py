"""Fuzzes: `python fuzz/run.py [TARGET ...] --seconds 60`. What it finds belongs into tests/data/fuzz, and stays a test.

Each target of tests/it/fuzz.rs begins from profiles of tests/data (and TRACELAKE_SHARED) and from what earlier runs
found worth keeping, in a cache folder. The build is that of the tests but for our own crates, which get counters: it
needs a C++ compiler for libFuzzer.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).parents[1]
CACHE = Path(os.environ.get("TRACELAKE_CACHE") or Path.home() / ".cache/tracelake") / "fuzz"
SHARED = os.environ.get("TRACELAKE_SHARED")
# Of a larger profile this much of the beginning: a fuzzer tries small inputs many times.
SEED = 32 << 10
SEEDS = 100
# What each target begins from: names of files below tests/data and TRACELAKE_SHARED/data, or files of the project.
FILES = {
    "sagemaker_system": ["**/system/incremental/**/*.json"],
    "sagemaker_framework": ["**/framework/**/*.json"],
    "sagemaker_rule_report": ["**/profiler-reports/*.json"],
    "cprofile": ["**/*.prof", "**/python_stats"],
    "pyinstrument": ["**/python_stats.json"],
    "dali_loader_evaluator": ["dali_loader_evaluator/*.json"],
    "loader_timings_csv": ["**/*.csv"],
    "loader_timings_json": ["loader_timings/**/*.json", "loader_timings/**/*.jsonl", "data_loading/timings/*"],
    "loader_timings_parquet": ["**/*.parquet"],
    "tensorboard_events": ["**/events.out.tfevents*"],
    "nsys": ["**/*.sqlite"],
    "nsys_parquet": ["**/*.parquet"],
    "lightning_metrics": ["**/metrics.csv"],
    "recorder": ["**/*.jsonl"],
    "kineto": ["**/*.pt.trace.json", "**/*.pt.trace.json.gz"],
    "kineto_sections": ["**/*.pt.trace.json", "**/*.pt.trace.json.gz"],
    "lightning": ["**/*.txt"],
    "chrome_trace": ["**/*trace*.json", "**/*.json.gz"],
    "any_name": [],
    "manifest": [],
    "checkpoint": [],
    "header": ["../../sql/**/*.sql"],
    "rules": ["../../docs/**/*.toml", "**/*.toml"],
    "parameter": [],
    "group": [],
}
TEXTS = {
    "any_name": ["t.csv\nload_s\n0.5\n", "m.pt.trace.json\n[{}]", "profile.txt\nFIT Profiler Report\n"],
    "manifest": ['{"format":1,"run":"a","generation":1,"committed":0,"sources":[],"tags":{},"parts":[],"objects":[]}'],
    "rules": ['[[rule]]\nname = "p95"\nquery = "step.duration"\ncolumn = "p95"\naggregate = "max"\nmax_ratio = 1.1\n'],
    "parameter": [
        "\x00\x00train",
        "\x01\x00250ms",
        "\x02\x00-1",
        "\x03\x001e308",
        "\x04\x00NaN",
        "\x05\x00' or 1=1 --",
        "\x06\x00[1, 2]",
        "\x07\x00%_\\",
    ],
    "group": ["first_look", "first_*", "step_p50 > 10", "model=b", "steps >= 9223372036854775807", "a=b=c", "[a-"],
}

TABLES = {
    "checkpoint": {"path": ["_manifest/run/a/0000000001.json"], "etag": ["1-2-3"], "manifest": TEXTS["manifest"]},
    "loader_timings_parquet": {"load_s": [0.5, 0.25], "compute_s": [0.125, None], "step": [1, 2]},
    "nsys_parquet": {
        "start": [1000, 2000, 3000],
        "end": [1500, None, 3500],
        "eventType": [59, 60, 34],
        "text": ["iteration 1", None, "data"],
        "globalTid": [281558862795656, 281558862795656, 281558862795657],
        "textId": [None, 7, None],
    },
}
"""What Parquet files hold that some targets begin from, too."""


def build() -> str:
    """The program, from the artifacts of the tests where these are there."""
    shutil.copy(ROOT / "Cargo.lock", ROOT / "fuzz/Cargo.lock")
    target = os.environ.get("CARGO_TARGET_DIR") or str(ROOT / "target")
    environment = {**os.environ, "CARGO_TARGET_DIR": target, "RUSTC_WRAPPER": str(ROOT / "fuzz/rustc.sh")}
    subprocess.run(["cargo", "build", "--quiet"], cwd=ROOT / "fuzz", env=environment, check=True)
    return str(Path(target) / "debug/tracelake-fuzz")


def parquet(columns: dict) -> bytes:
    """A Parquet file with these columns."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def plant(target: str, folder: Path) -> int:
    """Puts the seeds of a target into a folder."""
    roots = [ROOT / "tests/data", *([Path(SHARED) / "data"] if SHARED else [])]
    found = [
        file for root in roots for pattern in FILES[target] for file in sorted(root.glob(pattern)) if file.is_file()
    ]
    kept = sorted((ROOT / "tests/data/fuzz" / target).glob("*"))
    contents = [text.encode() for text in TEXTS.get(target, [])]
    # Evenly over all of them, small and large.
    for file in [*kept, *found[:: max(1, len(found) // SEEDS)]]:
        with file.open("rb") as opened:
            content = opened.read(SEED)
        # Only the first gzip member: a file named .gz may not be gzip, or may have garbage after it.
        if file.suffix == ".gz" and content[:2] == b"\x1f\x8b":
            with contextlib.suppress(zlib.error):
                content = zlib.decompressobj(wbits=31).decompress(content, SEED)
        contents.append(content)
    if target in TABLES:
        contents.append(parquet(TABLES[target]))
    for content in contents:
        (folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)
    return len(contents)


def fuzz(program: str, target: str, seconds: int, found: Path) -> bool:
    """Fuzzes one target; whether nothing broke."""
    corpus = CACHE / target
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as seeds:
        number = plant(target, Path(seeds))
        options = [f"-max_total_time={seconds}", f"-max_len={SEED}", "-timeout=20", "-rss_limit_mb=2048"]
        options += [f"-artifact_prefix={found}/{target}-", "-print_final_stats=1", "-detect_leaks=0"]
        command = [program, *options, f"-dict={ROOT}/fuzz/words.dict", str(corpus), seeds]
        begun = time.perf_counter()
        done = subprocess.run(  # noqa: PLW1510 - its code is told below
            command,
            cwd=ROOT,
            env={**os.environ, "TRACELAKE_FUZZ": target},
            capture_output=True,
            text=True,
            errors="replace",
        )
        took = time.perf_counter() - begun
    runs = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+)", done.stderr)
    said = f"{runs[1] if runs else '?'} inputs from {number} seeds, {covered[-1] if covered else '?'} branches"
    lines = [f"{target:24} {took:6.1f} s  {said}  {'ok' if done.returncode == 0 else 'BROKEN'}"]
    if done.returncode:
        lines += done.stderr.splitlines()[-40:]
    print("\n".join(lines), flush=True)
    return done.returncode == 0


def main() -> None:
    """Fuzzes what was asked for, a target on each core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*FILES, []], help="all, if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--found", type=Path, default=CACHE / "found", help="folder for inputs that break a target")
    given = parser.parse_args()
    program = build()
    names = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    if names != list(FILES):
        sys.exit(f"the targets of tests/it/fuzz.rs are {names}, the seeds are for {list(FILES)}")
    given.found.mkdir(parents=True, exist_ok=True)
    targets = given.targets or names
    # each has one thread, a second of it is one of its own
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        fine = list(cores.map(lambda target: fuzz(program, target, given.seconds, given.found), targets))
    broken = [target for target, ok in zip(targets, fine, strict=True) if not ok]
    if broken:
        sys.exit(
            f"broken: {', '.join(broken)}; the inputs are in {given.found}. Mend it, and keep them in tests/data/fuzz"
        )


if __name__ == "__main__":
    main()
