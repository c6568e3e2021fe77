#!/usr/bin/env python3
"""Writes tests/data/recorder: recordings of small loaders, one with planted causes, and of a search. Needs no GPU.

Usage:   PYTHONPATH=python python3 tests/gen/recorder.py OUT
Needs:   torch; `python tests/loaders/run.py --python` prints a Python that has it
Time:    half a minute
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset, get_worker_info

from tracelake import record

BATCH, BATCHES, EPOCHS = 8, 15, 2
ITEM, STEP = 0.005, 0.010
SLOW_ITEM, SLOW_WORKER = 77, 1


class Images(Dataset):
    """Images with a delay; with `planted`, one image and one worker are slow."""

    def __init__(self, *, planted: bool = False) -> None:
        """Creates the images, each with a file."""
        self.planted = planted
        self.samples = [f"images/{index:03}.png" for index in range(BATCH * BATCHES)]

    def __len__(self) -> int:
        """Returns the number of items."""
        return len(self.samples)

    def __getitem__(self, index: int) -> torch.Tensor:
        """Returns an item after a delay."""
        time.sleep(ITEM)
        if self.planted:
            worker = get_worker_info()
            time.sleep(3 * ITEM if worker is not None and worker.id == SLOW_WORKER else 0)
            time.sleep(0.3 if index == SLOW_ITEM else 0)
        return torch.full((4,), float(index))


def step(_: object) -> None:
    """Simulates the work on a batch."""
    time.sleep(STEP)


def passes(out: Path, images: Images, workers: int) -> None:
    """Trains a few epochs with a recording of every batch."""
    torch.manual_seed(0)
    loader = DataLoader(images, BATCH, shuffle=True, num_workers=workers)
    with record.LoaderProfiler(loader, out, name="train", run=out.name, slow_item=0.2) as profiler:
        for _ in range(EPOCHS):
            for batch in profiler:
                step(batch)


def main(out: Path) -> None:
    """Writes all recordings."""
    for workers in (0, 2, 4):
        passes(out / f"w{workers}", Images(), workers)
    passes(out / "planted", Images(planted=True), 3)
    torch.manual_seed(0)
    result = record.optimize(
        DataLoader(Images(), BATCH, shuffle=True), step, workers=(0, 1, 2), batches=6, repeats=4, path=out / "search"
    )
    result.save(out / "search.json")
    for file in out.glob("*/*.jsonl"):
        first, rest = file.read_text().split("\n", 1)
        file.write_text(json.dumps({**json.loads(first), "host": "node-0"}, separators=(",", ":")) + "\n" + rest)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
