"""A training loop without a recorder; arguments: seconds of a batch and of a step, workers, `fail`."""

import sys
import time

import torch
from torch.utils.data import DataLoader, TensorDataset


class Slow(TensorDataset):
    """Items with a delay."""

    def __getitem__(self, index):
        time.sleep(float(sys.argv[1]) / 4)
        return super().__getitem__(index)


if __name__ == "__main__":
    for _batch in DataLoader(Slow(torch.zeros(80, 3)), batch_size=4, num_workers=int(sys.argv[3])):
        time.sleep(float(sys.argv[2]))
    if "fail" in sys.argv:
        message = "on purpose"
        raise ValueError(message)
