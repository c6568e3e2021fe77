"""A training loop that keeps every batch in a list."""

import time

import torch
from torch.utils.data import DataLoader, TensorDataset

if __name__ == "__main__":
    kept = []
    for (batch,) in DataLoader(TensorDataset(torch.zeros(40)), batch_size=1):
        kept.append(batch + torch.ones(1_500_000))
        time.sleep(0.05)
