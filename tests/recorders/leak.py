"""A training loop that appends every batch to a list; with `drop`, none."""

import sys
import time

import torch
from torch.utils.data import DataLoader, TensorDataset

if __name__ == "__main__":
    leaked = []
    for (batch,) in DataLoader(TensorDataset(torch.zeros(40)), batch_size=1):
        grown = torch.full((1_500_000,), float(batch))
        if "drop" not in sys.argv:
            leaked.append(grown)
        time.sleep(0.05)
