"""A loader with the arguments of PyTorch's DataLoader and simulated time, independent of machine load."""

import random
from collections import deque
from itertools import islice

import pytest

from tracelake.record import clock


class Time:
    """A clock that only `sleep` advances, with slightly varying lengths."""

    def __init__(self):
        self.time_ns, self.chance = 10**9, random.Random(7)

    def now(self):
        return self.time_ns

    def sleep(self, seconds):
        self.time_ns += int(seconds * 1e9 * (1 + 0.02 * self.chance.random()))


TIME = Time()


@pytest.fixture
def simulated(monkeypatch):
    """Patches the recorders to use the simulated clock."""
    monkeypatch.setattr(clock, "now", TIME.now)
    return TIME


class Items:
    """Items with a delay; `served` counts them."""

    def __init__(self, number=400, seconds=0.005, sleep=TIME.sleep):
        self.number, self.seconds, self.served, self.sleep = number, seconds, 0, sleep

    def __len__(self):
        return self.number

    def __getitem__(self, index):
        if not 0 <= index < self.number:
            raise IndexError(index)
        self.served += 1
        self.sleep(self.seconds)
        return index


class DataLoader:
    """The part of a loader's interface that recorders use."""

    def __init__(
        self,
        dataset,
        batch_size=1,
        *,
        sampler=None,
        num_workers=0,
        collate_fn=list,
        pin_memory=False,
        drop_last=False,
        prefetch_factor=None,
        persistent_workers=False,
        startup=0.0,
    ):
        if num_workers == 0 and (persistent_workers or prefetch_factor is not None):
            message = "this option needs workers"
            raise ValueError(message)
        self.dataset, self.batch_size, self.num_workers, self.collate_fn = dataset, batch_size, num_workers, collate_fn
        self.sampler = range(len(dataset)) if sampler is None else sampler
        self.pin_memory, self.drop_last, self.persistent_workers = pin_memory, drop_last, persistent_workers
        self.prefetch_factor = prefetch_factor if prefetch_factor or not num_workers else 2
        self.startup, self.started = startup, False

    def __len__(self):
        return (len(self.sampler) + self.batch_size - 1) // self.batch_size

    def __iter__(self):
        indices = iter(self.sampler)
        batches = iter(lambda: list(islice(indices, self.batch_size)), [])
        if self.num_workers == 0:
            yield from map(self.make, batches)
            return
        if not (self.persistent_workers and self.started):
            TIME.sleep(self.startup)
        self.started = True
        free = [TIME.time_ns] * self.num_workers
        ahead = deque()

        def begin(batch):
            """A free worker makes a batch; the clock of the training does not advance."""
            worker, now = free.index(min(free)), TIME.time_ns
            TIME.time_ns = max(now, free[worker])
            batch_made = self.make(batch)
            free[worker], TIME.time_ns = TIME.time_ns, now
            ahead.append((free[worker], batch_made))

        for batch in islice(batches, self.num_workers * self.prefetch_factor):
            begin(batch)
        while ahead:
            ready, batch_made = ahead.popleft()
            TIME.time_ns = max(TIME.time_ns, ready)
            for batch in islice(batches, 1):
                begin(batch)
            yield batch_made

    def make(self, indices):
        return self.collate_fn([self.dataset[index] for index in indices])
