#!/usr/bin/env python3
"""Writes tests/data/data_loading: one small job, profiled by three tools. Needs no GPU; takes half a minute.

Usage:   python3 tests/gen/data_loading.py OUT
Needs:   the packages of tests/loaders/constraints.txt
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import torch
from nvidia.dali.plugin.pytorch.loader_evaluator import LoaderEvaluator
from torch import nn
from torch.utils.data import DataLoader, Dataset

BATCH, BATCHES = 16, 20


class Images(Dataset):
    """Small images with a delay."""

    def __init__(self, seconds: float) -> None:
        """Creates the items."""
        self.seconds, self.image = seconds, torch.rand(3, 32, 32)

    def __len__(self) -> int:
        """Returns the number of items."""
        return BATCH * BATCHES

    def __getitem__(self, index: int) -> tuple[torch.Tensor, int]:
        """Returns an item after a delay."""
        if self.seconds:
            time.sleep(self.seconds)
        return self.image, index % 10


def loader(seconds: float, workers: int = 0) -> DataLoader:
    """Returns the loader of the job."""
    return DataLoader(Images(seconds), batch_size=BATCH, num_workers=workers)


class Job:
    """A small convolutional model that is trained."""

    def __init__(self) -> None:
        """Creates the untrained layers."""
        layers = [
            nn.Conv2d(3, 16, 3),
            nn.ReLU(),
            nn.Conv2d(16, 32, 3),
            nn.ReLU(),
            nn.AdaptiveAvgPool2d(1),
            nn.Flatten(),
        ]
        self.model = nn.Sequential(*layers, nn.Linear(32, 10))
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.01)

    def step(self, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
        """Trains on a batch."""
        images, classes = batch
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.model(images), classes).backward()
        self.optimizer.step()


def timings(job: Job, path: Path, seconds: float, workers: int) -> None:
    """Runs a loop with a timestamp before and after each batch."""
    rows, end = [], time.perf_counter()
    for step, batch in enumerate(loader(seconds, workers)):
        begin = time.perf_counter()
        job.step(batch)
        rows.append({"step": step, "epoch": 0, "load_s": begin - end, "compute_s": time.perf_counter() - begin})
        end = time.perf_counter()
    path.write_text(json.dumps(rows, indent=1) + "\n")


def dali(job: Job, path: Path, mode: str, most: int = BATCHES) -> None:
    """Runs a pass through DALI's Loader Evaluator, with an optional early exit."""
    evaluator = LoaderEvaluator(loader(0.002), mode=mode, num_cached_batches=5)
    for step, batch in enumerate(evaluator):
        job.step(batch)
        if step + 1 == most and most < BATCHES:
            break
    evaluator.save_metrics(str(path))


def main(out: Path) -> None:
    """Writes all files."""
    torch.manual_seed(0)
    for folder in ("timings", "dali", "lightning"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    job = Job()
    for batch in loader(0):
        job.step(batch)  # warm
    for name, seconds, workers in [("nw0", 0, 0), ("nw0_slow", 0.004, 0), ("nw2", 0, 2), ("nw2_slow", 0.004, 2)]:
        timings(job, out / "timings" / f"dataloader_timings_{name}.json", seconds, workers)
    dali(job, out / "dali/log_nw0.json", "log")
    dali(job, out / "dali/replay_nw0.json", "replay")
    dali(job, out / "dali/log_early_break.json", "log", most=5)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, Path(__file__).with_name("lightning_reports.py"), "--out", folder], check=True)
        for report in ("fit-perf_logs.txt", "test-perf_logs.txt"):
            shutil.copy(Path(folder) / "simple" / report, out / "lightning" / report)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
