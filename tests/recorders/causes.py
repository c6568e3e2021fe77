"""Datasets with one planted cause each, in a module so that spawned workers can import it."""

import os
import signal
import time

import torch
from torch.utils.data import Dataset, IterableDataset, default_collate, get_worker_info

BATCH = 8


class Items(Dataset):
    """Items with a delay."""

    def __init__(self, items, seconds=0.0):
        self.items, self.seconds = items, seconds

    def __len__(self):
        return self.items

    def __getitem__(self, index):
        time.sleep(self.seconds)
        return torch.full((4,), float(index))


class SlowItem(Items):
    """One item is slow, and has a file."""

    def __init__(self, items, which, seconds):
        super().__init__(items)
        self.which, self.slow = which, seconds
        self.samples = [(f"/pictures/{index}.png", 0) for index in range(items)]

    def __getitem__(self, index):
        if index == self.which:
            time.sleep(self.slow)
        return super().__getitem__(index)


class SlowWorker(Items):
    """One worker is slow."""

    def __init__(self, items, which):
        super().__init__(items)
        self.which = which

    def __getitem__(self, index):
        time.sleep(0.03 if get_worker_info().id == self.which else 0.003)
        return super().__getitem__(index)


class Dies(Items):
    """A worker is killed."""

    def __init__(self, items, which):
        super().__init__(items, 0.001)
        self.which = which

    def __getitem__(self, index):
        if index == self.which:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().__getitem__(index)


class Raises(Dies):
    """An item raises."""

    def __getitem__(self, index):
        if index == self.which:
            message = f"no image {index}"
            raise ValueError(message)
        return Items.__getitem__(self, index)


class Hangs(SlowItem):
    """An item takes longer than the loader waits."""


class Stream(IterableDataset):
    """An iterable dataset with the same items in each worker."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        for index in range(self.items):
            yield torch.full((4,), float(index))


class SlowCollate:
    """A collate function with a delay."""

    def __init__(self, seconds):
        self.seconds = seconds

    def __call__(self, samples):
        time.sleep(self.seconds)
        return default_collate(samples)
