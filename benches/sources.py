"""What is read: the generators of tests/gen, with the arguments that all benches agree on."""

from __future__ import annotations

import marshal
import subprocess
import sys
from typing import TYPE_CHECKING

from programs import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRST_LOOK = ROOT / "tests/data/first_look/profiler-output"
# Two machines with two ranks and four GPUs each; it is the length of the job that makes a profile small or large.
SHAPE = "--nodes 2 --ranks 2 --epochs 4 --submodules 12 --modes 1 --cores 16 --gpus 4 --pystats 0"
STEPS_PER_MB, STEPS_PER_MINUTE = 37.5, 125
# One sample of each metric a minute, which is a file of 1 KB.
MINUTES = "--steps 1 --epochs 1 --submodules 1 --detail-steps 0 --interval-ms 60000 --cores 1 --gpus 0 --pystats 0"


def trace(folder: Path, megabytes: float, *more: str) -> Path:
    """A PyTorch trace with stacks."""
    generate("large_trace.py", folder, "--megabytes", str(megabytes), *more)
    return folder


def profile(folder: Path, megabytes: float) -> Path:
    """A SageMaker profile."""
    steps = round(megabytes * STEPS_PER_MB)
    generate("sagemaker.py", folder, "--minutes", str(steps / STEPS_PER_MINUTE), "--steps", str(steps), *SHAPE.split())
    return folder


def objects(folder: Path, number: int) -> Path:
    """A SageMaker profile of so many small files of samples, one for each minute, and no other files."""
    generate("sagemaker.py", folder, "--minutes", str(max(number, 2)), *MINUTES.split())
    samples = sorted((folder / "system/incremental").rglob("*.json"))[:number]
    for file in {file for file in folder.rglob("*") if file.is_file()}.difference(samples):
        file.unlink()
    return folder


def dumps(folder: Path, number: int) -> Path:
    """A SageMaker profile of so many small Python profiles, one for each step, and no other files."""
    step, clock = ("train.py", 10, "step"), ("~", 0, "<built-in method time.time>")
    profile = marshal.dumps({step: (1, 1, 0.1, 0.2, {}), clock: (2, 2, 0.01, 0.01, {step: (2, 2, 0.01, 0.01)})})
    for nth in range(number):
        begin, end = (f"train-{nth + of}-stepstart-{1_600_000_000 + nth + of}.0" for of in range(2))
        span = folder / "framework/pytorch/cprofile/0-algo-1" / f"{begin}_{end}"
        span.mkdir(parents=True)
        (span / "python_stats").write_bytes(profile)
    return folder


def runs(folder: Path, number: int) -> Path:
    """A folder of many small PyTorch traces, a run each."""
    generate("fleet.py", folder, "--runs", str(number), "--at", str(number * 6 // 10))
    return folder


def generate(script: str, folder: Path, *arguments: str) -> None:
    """Runs a generator."""
    command = [sys.executable, str(ROOT / "tests/gen" / script), "--out", str(folder), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def size(folder: Path) -> float:
    """MB of all files below a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
