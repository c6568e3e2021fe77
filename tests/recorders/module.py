"""A Lightning module that logs its loss, and records timestamps."""

import time

import lightning.pytorch as lightning
import torch


class Module(lightning.LightningModule):
    """One layer."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)
        self.times = []

    def training_step(self, batch, number):
        """Returns the loss of a batch, with a delay that grows from batch to batch."""
        begun = time.monotonic_ns()
        time.sleep(0.002 * number)
        loss = self.layer(batch).mean()
        self.log("loss", loss)
        self.times.append((begun, time.monotonic_ns()))
        return loss

    def configure_optimizers(self):
        """Returns a plain optimizer."""
        return torch.optim.SGD(self.parameters(), lr=0.01)
