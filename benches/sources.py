"""Generates the input of the benches with the generators of tests/gen, always with the same arguments."""

from __future__ import annotations

import marshal
import subprocess
import sys
from typing import TYPE_CHECKING

from programs import ROOT

if TYPE_CHECKING:
    from pathlib import Path

FIRST_LOOK = ROOT / "tests/data/first_look/profiler-output"
# Two machines with two ranks and four GPUs each. The length of the job determines the size of the profile.
SHAPE = "--nodes 2 --ranks 2 --epochs 4 --submodules 12 --modes 1 --cores 16 --gpus 4 --pystats 0"
STEPS_PER_MB, STEPS_PER_MINUTE = 37.5, 125
# One sample of each metric per minute, in a file of 1 KB.
MINUTES = "--steps 1 --epochs 1 --submodules 1 --detail-steps 0 --interval-ms 60000 --cores 1 --gpus 0 --pystats 0"


def trace(folder: Path, megabytes: float, *more: str) -> Path:
    """Generates a PyTorch trace with stacks."""
    generate("large_trace.py", folder, "--megabytes", str(megabytes), *more)
    return folder


def profile(folder: Path, megabytes: float) -> Path:
    """Generates a SageMaker profile."""
    steps = round(megabytes * STEPS_PER_MB)
    generate("sagemaker.py", folder, "--minutes", str(steps / STEPS_PER_MINUTE), "--steps", str(steps), *SHAPE.split())
    return folder


def objects(folder: Path, number: int) -> Path:
    """Generates a SageMaker profile with this number of small sample files, one per minute, and no other files."""
    generate("sagemaker.py", folder, "--minutes", str(max(number, 2)), *MINUTES.split())
    samples = sorted((folder / "system/incremental").rglob("*.json"))[:number]
    for file in {file for file in folder.rglob("*") if file.is_file()}.difference(samples):
        file.unlink()
    return folder


def dumps(folder: Path, number: int) -> Path:
    """Writes a SageMaker profile with this number of small Python profiles, one per step, and no other files."""
    step, clock = ("train.py", 10, "step"), ("~", 0, "<built-in method time.time>")
    profile = marshal.dumps({step: (1, 1, 0.1, 0.2, {}), clock: (2, 2, 0.01, 0.01, {step: (2, 2, 0.01, 0.01)})})
    for nth in range(number):
        begin, end = (f"train-{nth + offset}-stepstart-{1_600_000_000 + nth + offset}.0" for offset in range(2))
        span = folder / "framework/pytorch/cprofile/0-algo-1" / f"{begin}_{end}"
        span.mkdir(parents=True)
        (span / "python_stats").write_bytes(profile)
    return folder


def runs(folder: Path, number: int) -> Path:
    """Generates a folder with many small PyTorch traces, each of another run."""
    generate("fleet.py", folder, "--runs", str(number), "--at", str(number * 6 // 10))
    return folder


def generate(script: str, folder: Path, *arguments: str) -> None:
    """Runs a generator."""
    command = [sys.executable, str(ROOT / "tests/gen" / script), "--out", str(folder), *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def size(folder: Path) -> float:
    """The size of all files below a folder, MB."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6
