"""Measures the loading time and the throughput of a loader."""

from __future__ import annotations

import time
from itertools import islice
from typing import TYPE_CHECKING, Any

from tracelake.record import argument, clock
from tracelake.record.loader.batch import batch_size
from tracelake.record.loader.times import LOAD_HIGH, Epoch, time_batches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable


def measure_loading_overhead(
    loader: Iterable[Any], num_batches: int = 50, compute_time: float | Callable[[Any], object] = 0.01
) -> dict[str, Any]:
    """Measures the share of time spent waiting for batches; needs no training.

    The share excludes making the iterator, which starts the workers, and includes the wait for the first batch. That
    wait alone can move the share across the limit, so the verdict `bottleneck` uses the share without it.

    Args:
        loader: Anything that can be iterated.
        num_batches: Maximum number of batches.
        compute_time: Seconds to sleep in place of a step, or the step itself, a function of the batch.

    Returns:
        `load_time`, `compute_time`, `total_time` (sums), `avg_load`, `avg_compute` in seconds, `load_ratio`,
        `load_ratio_without_first`, `num_batches`, `startup_time` (making the iterator), `simulated` (True if the
        step was a sleep) and `bottleneck` (True if the share is above 0.3). Unknown values are `None`: without a
        batch there is no share, and with one batch no verdict.

    Example:
        >>> measured = tl.record.measure_loading_overhead([1, 2, 3], compute_time=0.001)
        >>> measured["num_batches"], measured["simulated"], measured["load_time"] < measured["total_time"]
        (3, True, True)
    """
    argument.check_loader(loader)
    argument.check_whole_number(num_batches, "num_batches", minimum=1)
    step = compute_time if callable(compute_time) else None
    if step is None:
        argument.check_number(compute_time, "compute_time")
    start = clock.now()
    batches = iter(loader)
    startup = clock.now() - start
    epoch = Epoch(0)
    for batch, wait_start, wait_end in islice(time_batches(batches), num_batches):
        if step is None:
            time.sleep(compute_time)  # type: ignore[arg-type] - not a function, so a number
        else:
            step(batch)
        epoch.add((wait_end - wait_start) / 1e9, (clock.now() - wait_end) / 1e9, None)
    if not epoch.num_batches:
        argument.warn_if_exhausted(loader, "loader")
    ratio = epoch.load_ratio_without_first
    return {
        "num_batches": epoch.num_batches,
        "load_time": epoch.load.total_time,
        "compute_time": epoch.compute.total_time,
        "total_time": epoch.step.total_time,
        "avg_load": epoch.load.mean_time,
        "avg_compute": epoch.compute.mean_time,
        "load_ratio": epoch.load_ratio,
        "load_ratio_without_first": ratio,
        "startup_time": startup / 1e9,
        "simulated": step is None,
        "bottleneck": None if ratio is None else ratio > LOAD_HIGH,
    }


def measure_throughput(loader: Iterable[Any], warmup: int = 3, num_batches: int | None = None) -> dict[str, Any]:
    """Measures how many batches and samples per second a loader yields, without any computation.

    Args:
        loader: Anything that can be iterated.
        warmup: Number of batches before the timing starts.
        num_batches: Maximum number of timed batches. The default is all batches.

    Returns:
        `batches`, `samples`, `seconds`, `batches_per_s`, `samples_per_s` of the timed part, and `warmup`, the batches
        before it. A value is `None` if there are no batches after the warm-up, or if the size of a batch is not known.

    Example:
        >>> measured = tl.record.measure_throughput([[1, 2]] * 10)
        >>> measured["batches"], measured["samples"], measured["warmup"]
        (7, 14, 3)
    """
    argument.check_loader(loader)
    argument.check_whole_number(warmup, "warmup", minimum=0)
    if num_batches is not None:
        argument.check_whole_number(num_batches, "num_batches", minimum=1)
    batches = iter(loader)
    warmed_up = sum(1 for _ in islice(batches, warmup))
    count, samples = 0, 0
    known = True
    start = clock.now()
    for batch in islice(batches, num_batches):
        size = batch_size(batch)
        known = known and size is not None
        samples += size or 0
        count += 1
    # before the iterator is deleted, which also stops its workers
    seconds = (clock.now() - start) / 1e9
    if not warmed_up + count:
        argument.warn_if_exhausted(loader, "loader")
    return {
        "warmup": warmed_up,
        "batches": count,
        "samples": samples if known else None,
        "seconds": seconds,
        "batches_per_s": count / seconds if count else None,
        "samples_per_s": samples / seconds if count and known else None,
    }
