#!/usr/bin/env python3
"""Runs real data loaders under DALI's Loader Evaluator, a loop with timestamps, and PyTorch Lightning. Needs no GPU.

Usage:   python3 tests/gen/loaders.py OUT [--only dali timings simple advanced loggers]
Needs:   the packages of tests/loaders/constraints.txt; `make test-loaders` installs them and runs this
Output:  one folder per tool with the files that it wrote, and held.json: the values of its objects in memory

Times differ between executions, everything else does not.
"""

from __future__ import annotations

import argparse
import csv
import json
import logging
import math
import time
import warnings
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

BATCH, BATCHES, FEATURES = 8, 10, 32


class Sleepy(Dataset):
    """Items with a delay."""

    def __init__(self, items: int = BATCH * BATCHES, seconds: float = 0.001) -> None:
        """Creates a data set of `count` items."""
        self.items, self.seconds = items, seconds

    def __len__(self) -> int:
        """Returns the number of items."""
        return self.items

    def __getitem__(self, index: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Returns an item after a delay."""
        time.sleep(self.seconds)
        return torch.full((FEATURES,), index / self.items), torch.tensor(index % 4)


def network() -> nn.Module:
    """A small model."""
    return nn.Sequential(nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, 4))


class Loop:
    """A training loop that measures the compute time of each step."""

    def __init__(self) -> None:
        """A model that is not trained yet."""
        self.model = network()
        self.optimizer = torch.optim.SGD(self.model.parameters(), 0.01)

    def step(self, batch: tuple[torch.Tensor, torch.Tensor]) -> None:
        """Runs one step."""
        self.optimizer.zero_grad()
        nn.functional.cross_entropy(self.model(batch[0]), batch[1]).backward()
        self.optimizer.step()


def dali(out: Path) -> dict[str, Any]:
    """Runs complete and incomplete passes of the evaluator; returns its metrics at each file."""
    from nvidia.dali.plugin.pytorch.loader_evaluator import LoaderEvaluator  # noqa: PLC0415 - each part needs its own package

    loop, metrics = Loop(), {}

    def passes(name: str, evaluator: Any, batches: list[int]) -> None:
        for count in batches:
            for number, batch in enumerate(evaluator, 1):
                loop.step(batch)
                if number == count:
                    break
        metrics[name] = evaluator.get_metrics()
        evaluator.save_metrics(str(out / f"{name}.json"))

    for workers in (0, 2):
        loader = DataLoader(Sleepy(), BATCH, num_workers=workers)
        passes(f"log_nw{workers}", LoaderEvaluator(loader, mode="log"), [0])
        passes(f"replay_nw{workers}", LoaderEvaluator(loader, mode="replay", num_cached_batches=3), [0])
    make = lambda: LoaderEvaluator(DataLoader(Sleepy(), BATCH))  # noqa: E731
    passes("log_early_break", make(), [3])
    passes("log_two_epochs", make(), [0, 0])
    passes("log_break_after_epoch", make(), [0, 3])
    passes("log_never_iterated", make(), [])
    return metrics


def timings(out: Path) -> dict[str, Any]:
    """Runs a loop with timestamps around each batch; writes them in each supported form."""
    timings_log = {}
    for workers in (0, 2):
        loop, rows = Loop(), []
        loader = DataLoader(Sleepy(), BATCH, num_workers=workers)
        for epoch in range(2):
            batches, request_time = iter(loader), time.perf_counter()
            for step in range(BATCHES):
                batch = next(batches)
                got = time.perf_counter()
                loop.step(batch)
                done = time.perf_counter()
                rows.append(
                    {
                        "step": epoch * BATCHES + step,
                        "epoch": epoch,
                        "load_s": got - request_time,
                        "compute_s": done - got,
                    }
                )
                request_time = done
        timings_log[f"nw{workers}"] = rows
        with (out / f"nw{workers}.csv").open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        (out / f"nw{workers}_list.json").write_text(json.dumps(rows, indent=1))
        (out / f"nw{workers}_lines.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return timings_log


def fit(out: Path, *, test: bool = False, **options: Any) -> None:
    """Two epochs of Lightning."""
    import lightning  # noqa: PLC0415 - each part needs its own package

    class Model(lightning.LightningModule):
        """Logs its losses."""

        def __init__(self) -> None:
            super().__init__()
            self.net = network()

        def loss(self, name: str, batch: tuple[torch.Tensor, torch.Tensor]) -> torch.Tensor:
            loss = nn.functional.cross_entropy(self.net(batch[0]), batch[1])
            self.log(name, loss)
            return loss

        def training_step(self, batch: tuple[torch.Tensor, torch.Tensor], _: int) -> torch.Tensor:
            return self.loss("train_loss", batch)

        def validation_step(self, batch: tuple[torch.Tensor, torch.Tensor], _: int) -> None:
            self.loss("val_loss", batch)

        def test_step(self, batch: tuple[torch.Tensor, torch.Tensor], index: int) -> None:  # noqa: ARG002
            self.loss("test_loss", batch)

        def configure_optimizers(self) -> torch.optim.Optimizer:
            return torch.optim.SGD(self.parameters(), 0.01)

    quiet = {"enable_progress_bar": False, "enable_model_summary": False, "enable_checkpointing": False}
    every = {"max_epochs": 2, "log_every_n_steps": 1, "accelerator": "cpu", "devices": 1, "num_sanity_val_steps": 1}
    trainer = lightning.Trainer(default_root_dir=out, **{"logger": False, **quiet, **every, **options})
    model, validation = Model(), DataLoader(Sleepy(2 * BATCH), BATCH)
    trainer.fit(model, DataLoader(Sleepy(), BATCH), validation)
    if test:
        trainer.test(model, validation, verbose=False)


def simple(out: Path) -> dict[str, Any]:
    """Writes a report of the SimpleProfiler; returns its recorded durations."""
    from lightning.pytorch.profilers import SimpleProfiler  # noqa: PLC0415

    profiler = SimpleProfiler(dirpath=out, filename="perf_logs")
    durations: list[dict[str, list[float]]] = []

    class RecordingSimpleProfiler(SimpleProfiler):
        def summary(self) -> str:
            durations.append({action: list(times) for action, times in self.recorded_durations.items()})
            return super().summary()

    profiler.__class__ = RecordingSimpleProfiler
    fit(out, profiler=profiler)
    return durations[-1]


def advanced(out: Path) -> dict[str, Any]:
    """Writes a report and dumps of the AdvancedProfiler; returns calls and seconds of each action from cProfile."""
    import pstats  # noqa: PLC0415

    from lightning.pytorch.profilers import AdvancedProfiler  # noqa: PLC0415

    recorded: dict[str, Any] = {}

    class RecordingAdvancedProfiler(AdvancedProfiler):
        def summary(self) -> str:
            for action, profile in self.profiled_actions.items():
                stats: Any = pstats.Stats(profile)
                recorded[action] = {
                    "calls": stats.total_calls,
                    "primitive": stats.prim_calls,
                    "seconds": stats.total_tt,
                }
            return super().summary()

    fit(out, profiler=RecordingAdvancedProfiler(dirpath=out, filename="perf_logs", dump_stats=True))
    return recorded


def loggers(out: Path) -> list[Any]:
    """Writes metrics of monitors to CSV and event files; returns each call of a logger in order."""
    from lightning.pytorch.callbacks import DeviceStatsMonitor, ThroughputMonitor  # noqa: PLC0415
    from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger  # noqa: PLC0415

    called: list[Any] = []

    class RecordingCSVLogger(CSVLogger):
        def log_metrics(self, metrics: dict[str, Any], step: int | None = None) -> None:
            plain = {name: float(value) for name, value in metrics.items()}
            called.append([step, {name: value if math.isfinite(value) else None for name, value in plain.items()}])
            super().log_metrics(metrics, step)

    monitors = [
        DeviceStatsMonitor(cpu_stats=True),
        ThroughputMonitor(batch_size_fn=lambda batch: len(batch[0]), window_size=5),
    ]
    both = [RecordingCSVLogger(out, name="csv", flush_logs_every_n_steps=1), TensorBoardLogger(out, name="tb")]
    fit(out, logger=both, callbacks=monitors, test=True)
    return called


PARTS = {"dali": dali, "timings": timings, "simple": simple, "advanced": advanced, "loggers": loggers}


def main() -> None:
    """Runs the requested parts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", nargs="*", choices=list(PARTS), default=list(PARTS))
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore")
    logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    results = {}
    for part in arguments.only:
        folder = arguments.out / part
        folder.mkdir(parents=True, exist_ok=True)
        results[part] = PARTS[part](folder)
    (arguments.out / "held.json").write_text(json.dumps(results))


if __name__ == "__main__":
    main()
