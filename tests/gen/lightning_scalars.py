"""Trains a tiny model with Lightning. Its callbacks and loggers write `metrics.csv` and event files.

  pip install torch lightning tensorboard psutil
  python tests/gen/lightning_scalars.py --out tests/data/lightning_scalars

There are 96 samples for training and 24 for validation in batches of 8, two epochs, then a test. It takes a minute on
a CPU. Times and losses differ between executions; names and numbers of rows do not.
"""

import argparse
import shutil
import time
from pathlib import Path

import lightning
import torch
from lightning.pytorch.callbacks import DeviceStatsMonitor, LearningRateMonitor, ThroughputMonitor
from lightning.pytorch.loggers import CSVLogger, TensorBoardLogger
from torch.utils.data import DataLoader, Dataset


class Slow(Dataset):
    """Samples with a delay of a millisecond."""

    def __init__(self, samples):
        self.samples = samples

    def __len__(self):
        return self.samples

    def __getitem__(self, i):
        time.sleep(0.001)
        return torch.randn(32), torch.tensor(i % 4)


class Model(lightning.LightningModule):
    """Two layers that log their loss."""

    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(32, 64), torch.nn.ReLU(), torch.nn.Linear(64, 4))

    def loss(self, batch, name):
        inputs, labels = batch
        loss = torch.nn.functional.cross_entropy(self.net(inputs), labels)
        self.log(name, loss)
        return loss

    def training_step(self, batch, _):
        return self.loss(batch, "train_loss")

    def validation_step(self, batch, _):
        self.loss(batch, "val_loss")

    def test_step(self, batch, _):  # noqa: PT019 - a hook of Lightning's
        self.loss(batch, "test_loss")

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), 0.01)


def train(*, epochs=2, test=True, **options):
    """Trains, and optionally tests; `options` are those of the Trainer."""
    quiet = dict.fromkeys(("enable_checkpointing", "enable_progress_bar", "enable_model_summary"), False)
    trainer_options = quiet | {"num_sanity_val_steps": 1} | options
    trainer = lightning.Trainer(accelerator="cpu", max_epochs=epochs, **trainer_options)
    training, validation = (DataLoader(Slow(samples), 8) for samples in (96, 24))
    model = Model()
    trainer.fit(model, training, validation)
    if test:
        trainer.test(model, validation, verbose=False)


def main():
    """Trains under loggers and monitors."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args().out
    # an earlier run would add a number to the name of the folder
    for name in ("csv", "tb"):
        shutil.rmtree(out / name, ignore_errors=True)
    throughput = ThroughputMonitor(batch_size_fn=lambda batch: batch[0].size(0), window_size=5)
    train(
        log_every_n_steps=1,
        logger=[CSVLogger(out, name="csv"), TensorBoardLogger(out, name="tb")],
        callbacks=[DeviceStatsMonitor(cpu_stats=True), throughput, LearningRateMonitor()],
    )


if __name__ == "__main__":
    main()
