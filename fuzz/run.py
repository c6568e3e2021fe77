"""Fuzzes the targets of tests/it/fuzz.rs: `python fuzz/run.py [TARGET ...] --seconds 60`.

Each target starts from profiles of tests/data (and TRACELAKE_SHARED) and from the corpus of earlier runs in a cache
folder. Add an input that breaks a target to tests/data/fuzz: it then stays a test. The build needs a C++ compiler for
libFuzzer. It is the build of the tests, except that tracelake's own crates get coverage counters.
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
# Maximum size of a seed, bytes. Larger profiles are truncated: a fuzzer tries small inputs many times.
MAX_SEED = 32 << 10
MAX_SEEDS = 100
# Seeds of each target: patterns of files below tests/data and TRACELAKE_SHARED/data.
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
    "sql": [],
}
# Seeds of each target as texts.
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
    "sql": [
        "\x00\x40SELECT \n(\n1\n)",
        "\x00\x40SELECT \n1+\n1\n",
        "\x00\x40SELECT \nNOT \nTRUE\n",
        "\x00\x40SELECT \nabs(\n1\n)",
        "\x00\x40SELECT \nCASE WHEN TRUE THEN \n1\n END",
        "\x00\x40SELECT cast(1 AS \narray<\nint\n>)",
        "\x00\x40SELECT * FROM \n(SELECT * FROM \nrun\n) AS t",
        "\x00\x40\nSELECT run FROM run UNION ALL \nSELECT run FROM run\n",
        "\x00\x40\nEXPLAIN \nSELECT 1\n",
        "\x00\x40SELECT [1]\n[1]\n\n",
    ],
    "group": ["first_look", "first_*", "step_p50 > 10", "model=b", "steps >= 9223372036854775807", "a=b=c", "[a-"],
}

# Seeds of each target as columns of a Parquet file.
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


def build() -> str:
    """Builds the fuzzer, with the artifacts of the tests if there are any, and returns its path."""
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


def write_seeds(target: str, folder: Path) -> int:
    """Writes the seeds of a target to a folder and returns their number."""
    roots = [ROOT / "tests/data", *([Path(SHARED) / "data"] if SHARED else [])]
    files = [
        file for root in roots for pattern in FILES[target] for file in sorted(root.glob(pattern)) if file.is_file()
    ]
    regressions = sorted((ROOT / "tests/data/fuzz" / target).glob("*"))
    contents = [text.encode() for text in TEXTS.get(target, [])]
    # An even selection of all files.
    for file in [*regressions, *files[:: max(1, len(files) // MAX_SEEDS)]]:
        with file.open("rb") as opened:
            content = opened.read(MAX_SEED)
        # Only the first gzip member: a file named .gz may not be gzip, or may have garbage after it.
        if file.suffix == ".gz" and content[:2] == b"\x1f\x8b":
            with contextlib.suppress(zlib.error):
                content = zlib.decompressobj(wbits=31).decompress(content, MAX_SEED)
        contents.append(content)
    if target in TABLES:
        contents.append(parquet(TABLES[target]))
    for content in contents:
        (folder / hashlib.sha256(content).hexdigest()[:16]).write_bytes(content)
    return len(contents)


def fuzz(program: str, target: str, seconds: int, artifacts: Path) -> bool:
    """Fuzzes one target. Returns True if no input breaks it."""
    corpus = CACHE / target
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as seeds:
        number = write_seeds(target, Path(seeds))
        options = [f"-max_total_time={seconds}", f"-max_len={MAX_SEED}", "-timeout=20", "-rss_limit_mb=2048"]
        options += [f"-artifact_prefix={artifacts}/{target}-", "-print_final_stats=1", "-detect_leaks=0"]
        command = [program, *options, f"-dict={ROOT}/fuzz/words.dict", str(corpus), seeds]
        start = time.perf_counter()
        result = subprocess.run(  # noqa: PLW1510 - its code is reported below
            command,
            cwd=ROOT,
            env={**os.environ, "TRACELAKE_FUZZ": target},
            capture_output=True,
            text=True,
            errors="replace",
        )
        elapsed = time.perf_counter() - start
    runs = re.search(r"number_of_executed_units:\s*(\d+)", result.stderr)
    branches = re.findall(r"cov: (\d+)", result.stderr)
    statistics = f"{runs[1] if runs else '?'} inputs from {number} seeds, {branches[-1] if branches else '?'} branches"
    lines = [f"{target:24} {elapsed:6.1f} s  {statistics}  {'ok' if result.returncode == 0 else 'BROKEN'}"]
    if result.returncode:
        lines += result.stderr.splitlines()[-40:]
    print("\n".join(lines), flush=True)
    return result.returncode == 0


def main() -> None:
    """Fuzzes the given targets, one on each core."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", choices=[*FILES, []], help="all, if none is named")
    parser.add_argument("--seconds", type=int, default=60, help="for each target")
    parser.add_argument("--found", type=Path, default=CACHE / "found", help="folder for inputs that break a target")
    args = parser.parse_args()
    program = build()
    names = subprocess.run([program], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    if names != list(FILES):
        sys.exit(f"the targets of tests/it/fuzz.rs are {names}, the seeds are for {list(FILES)}")
    args.found.mkdir(parents=True, exist_ok=True)
    targets = args.targets or names
    # A target has one thread, so that its seconds are seconds of one core.
    with ThreadPoolExecutor(os.cpu_count()) as cores:
        results = list(cores.map(lambda target: fuzz(program, target, args.seconds, args.found), targets))
    broken = [target for target, ok in zip(targets, results, strict=True) if not ok]
    if broken:
        sys.exit(
            f"broken: {', '.join(broken)}; the inputs are in {args.found}. Mend it, and keep them in tests/data/fuzz"
        )


if __name__ == "__main__":
    main()
