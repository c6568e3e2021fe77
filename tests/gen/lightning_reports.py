"""Trains a tiny model with Lightning under its profilers, which write their reports and two dumps.

  pip install torch lightning
  python tests/gen/lightning_reports.py --out tests/data/lightning

The job is that of lightning_scalars.py. It takes a minute on a CPU. Times differ between executions, calls do not.
"""

import argparse
import marshal
import shutil
import sys
import tempfile
import time
from pathlib import Path

import torch
from lightning.pytorch.callbacks import Callback, ModelCheckpoint
from lightning.pytorch.profilers import AdvancedProfiler, SimpleProfiler
from lightning_scalars import train

DUMPED = ("run_training_epoch", "[_TrainingEpochLoop].train_dataloader_next")
# removes the folders of this machine
HOMES = {sys.prefix: "/opt/venv", sys.base_prefix: "/usr", str(Path(__file__).parent): "/opt/job"}


class Slow(Callback):
    """Delays each checkpoint and each validation batch."""

    def on_save_checkpoint(self, *_):
        time.sleep(0.05)

    def on_validation_batch_end(self, *_):
        time.sleep(0.02)


def neutral(dump):
    """Returns the statistics of cProfile with neutral folder names."""

    def replace_module(function):
        file, line, name = function
        home = next((home for home in HOMES if file.startswith(f"{home}/")), None)
        return (file if home is None else HOMES[home] + file.removeprefix(home), line, name)

    return marshal.dumps(
        {
            replace_module(function): (*counts, {replace_module(caller): called for caller, called in callers.items()})
            for function, (*counts, callers) in marshal.loads(dump).items()  # noqa: S302 - written by this program
        }
    )


def main():
    """Trains once for each folder."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    folders = [out / name for name in ("simple", "simple_ddp2", "simple_saving", "advanced")]
    simple, ranks, saving, advanced = folders
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    # threads of a pool do not survive a fork
    torch.set_num_threads(1)
    train(logger=False, profiler=SimpleProfiler(simple, "perf_logs"))
    profiler = SimpleProfiler(ranks, "perf_logs")
    train(logger=False, epochs=1, test=False, devices=2, strategy="ddp_fork", profiler=profiler)
    with tempfile.TemporaryDirectory() as folder:
        # two checkpoints within each epoch, and one after it
        inside = ModelCheckpoint(f"{folder}/inside", every_n_train_steps=5, save_top_k=-1)
        behind = ModelCheckpoint(f"{folder}/behind", every_n_epochs=1, save_top_k=-1, save_on_train_epoch_end=True)
        trainer_options = {
            "enable_checkpointing": True,
            "callbacks": [Slow(), inside, behind],
            "num_sanity_val_steps": 0,
        }
        train(logger=False, test=False, profiler=SimpleProfiler(saving, "perf_logs"), **trainer_options)
    with tempfile.TemporaryDirectory() as folder:
        profiler = AdvancedProfiler(folder, "perf_logs", line_count_restriction=10, dump_stats=True)
        train(logger=False, test=False, profiler=profiler)
        advanced.mkdir(parents=True)
        shutil.copy(Path(folder) / "fit-perf_logs.txt", advanced)
        for action in DUMPED:
            name = f"fit-perf_logs-{action}.prof"
            (advanced / name).write_bytes(neutral((Path(folder) / name).read_bytes()))


if __name__ == "__main__":
    main()
