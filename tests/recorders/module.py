"""A module of Lightning that logs its loss."""

import lightning.pytorch as lightning
import torch


class Module(lightning.LightningModule):
    """One layer."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(4, 1)

    def training_step(self, batch, _number):
        """The loss of a batch."""
        loss = self.layer(batch).mean()
        self.log("loss", loss)
        return loss

    def configure_optimizers(self):
        """Plain descent."""
        return torch.optim.SGD(self.parameters(), lr=0.01)
