"""A loader with the arguments of PyTorch's, without PyTorch: workers are threads that make batches ahead."""

import time
from concurrent.futures import ThreadPoolExecutor
from itertools import islice


class Items:
    """Items that take their time; `served` counts them."""

    def __init__(self, number=400, seconds=0.005):
        self.number, self.seconds, self.served = number, seconds, 0

    def __len__(self):
        return self.number

    def __getitem__(self, index):
        if not 0 <= index < self.number:
            raise IndexError(index)
        self.served += 1
        time.sleep(self.seconds)
        return index


class DataLoader:
    """What a recorder asks of a loader, and no more."""

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
            time.sleep(self.startup)
        self.started = True
        with ThreadPoolExecutor(self.num_workers) as workers:
            ahead = [workers.submit(self.make, b) for b in islice(batches, self.num_workers * self.prefetch_factor)]
            while ahead:
                yield ahead.pop(0).result()
                ahead += [workers.submit(self.make, indices) for indices in islice(batches, 1)]

    def make(self, indices):
        return self.collate_fn([self.dataset[index] for index in indices])
