"""Searches for the fastest loader settings of a training, by trials with its own step."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from tracelake.record import argument
from tracelake.record.hardware.accelerator import is_available, synchronizer
from tracelake.record.hardware.gpu import Utilization
from tracelake.record.hardware.machine import read_bytes
from tracelake.record.output.recording import Recording
from tracelake.record.tuning.bench import Bench
from tracelake.record.tuning.cores import limit_to_cores
from tracelake.record.tuning.decision import decision_tree
from tracelake.record.tuning.interval import Interval, estimate_speedup
from tracelake.record.tuning.optimization import Attempt, Optimization
from tracelake.record.tuning.setting import Remake, Setting
from tracelake.record.tuning.trial import GROWTH_HIGH, Trial, resident_memory

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterator, Sequence

_STAGES = ("workers", "batch_size", "prefetch_factor", "persistent_workers", "pin_memory")
"""The settings to change, in this order."""
_WORKERS = (0, 1, 2, 4, 8)
"""Default numbers of workers to try."""
_AS_FAST = 0.97
"""Share of the maximum gain above which an earlier setting, which uses fewer resources, counts as equally fast."""
_AVAILABLE = 0.8
"""Share of the memory available at the start that a setting may use."""


def optimize(  # noqa: PLR0913 - all but two are options
    loader: Any,  # noqa: ANN401 - a DataLoader
    step: Callable[[Any], object],
    *,
    workers: Sequence[int] | None = None,
    batch_sizes: Sequence[int] = (),
    prefetch_factors: Sequence[int] = (4,),
    batches: int = 20,
    repeats: int = 5,
    memory_limit: int | None = None,
    synchronize: bool | Callable[[], object] = True,
    dataloader: Callable[..., Any] | None = None,
    path: str | os.PathLike[str] | Recording | None = None,
) -> Optimization:
    """Searches for the loader settings with the shortest epochs of a training.

    It changes one setting at a time: workers, batch size, prefetching, persistent workers, pinned memory. The trials of
    the settings are interleaved, `repeats` trials per setting. A setting is accepted if the interval of its gain lies
    above 1; of equally fast settings, the one that uses fewer resources is accepted. At the end, baseline, best setting
    and a replay from memory are measured again; these trials give the gain and its ceiling. The time of an epoch is its
    start-up and its steps, without the shutdown of the workers.

    Args:
        loader: A `DataLoader`; it is not changed, and similar loaders are created.
        step: The real training step, a function of a batch. It is called with many batches, so that it trains the
            model; use a copy of the model if that matters.
        workers: Numbers of workers to try. The default is 0, 1, 2, 4, 8 up to the number of cores of this process.
        batch_sizes: Batch sizes to try, compared by samples. By default there are no batch sizes to try, because they
            change the training.
        prefetch_factors: Prefetch factors to try.
        batches: Number of timed batches per trial.
        repeats: Trials per setting, at least 2; with few trials, the interval is wide.
        memory_limit: Maximum bytes of resident memory, of this process and its workers, for a setting. The default is
            the memory in use plus 80 % of the free memory.
        synchronize: Whether to wait for the accelerator after each step, or a function that waits.
        dataloader: Function or class that makes a loader. The default is the class of `loader`.
        path: Destination for a recording of all batches, as for `LoaderProfiler`. By default, nothing is recorded.

    Raises:
        TypeError: The loader has no dataset or takes other arguments, or an option is of the wrong type.
        ValueError: The loader has too few batches, or a number is out of range.

    Example:
        >>> class Loader:
        ...     def __init__(self, dataset, batch_size=8, num_workers=0, **options):
        ...         self.dataset, self.batch_size, self.num_workers = dataset, batch_size, num_workers
        ...     def __iter__(self):
        ...         n = self.batch_size
        ...         return (self.dataset[i : i + n] for i in range(0, len(self.dataset), n))
        >>> loader = Loader(list(range(80)))
        >>> result = tl.record.optimize(loader, lambda batch: time.sleep(0.001), workers=[], repeats=2)
        >>> result.best.num_workers, result.ceiling.low < 2
        (0, True)
    """
    argument.check_function(step, "step", "a function of a batch", "step=lambda batch: None measures only the loading")
    argument.check_whole_number(batches, "batches", minimum=1)
    argument.check_whole_number(repeats, "repeats", minimum=2, reason=", since a spread takes two")
    argument.check_counts(0, workers=workers)
    argument.check_counts(1, batch_sizes=batch_sizes, prefetch_factors=prefetch_factors)
    if memory_limit is not None:
        argument.check_whole_number(memory_limit, "memory_limit", minimum=1, reason=" bytes")
    remake = Remake(loader, dataloader)
    synchronize_device = synchronizer(synchronize)

    def whole_step(batch: object) -> None:
        step(batch)
        if synchronize_device is not None:
            synchronize_device()

    notes: list[str] = []
    recording = None if path is None else Recording.get_or_create(path)
    bench = Bench(remake, whole_step, batches, recording, memory_limit or _memory_limit())
    attempts: list[Attempt] = []
    baseline = best = remake.setting
    gain: Interval | None = None
    try:
        bench.run_trial(baseline)  # warms the caches
        counts = sorted({*limit_to_cores(_WORKERS if workers is None else workers, notes)} - {baseline.num_workers})
        space = _Space(counts, batch_sizes, prefetch_factors)
        for stage in _STAGES:
            if others := space.others(stage, best):
                best = _search_stage(bench, stage, best, others, repeats, attempts)
        notes += _list_skipped(batch_sizes)
        cached_batches: list[Any] = list(islice(remake(best, batches), batches))
        gpu_watch = Utilization()
        first_confirmed = len(bench.trials)
        confirmed = bench.run_interleaved(list(dict.fromkeys([baseline, best])), repeats)
        utilization = gpu_watch.stop()
        ideal = [bench.replay(cached_batches, best) for _ in range(repeats)]
        if best != baseline:
            gain = estimate_speedup(confirmed[baseline], confirmed[best]) if best in confirmed else None
            accepted = gain is not None and gain.low > 1
            attempts.append(Attempt("confirm", best, baseline, gain, accepted, bench.failed.get(best, "")))
            if not accepted:
                notes.append(f"the final measurement did not confirm {best}: the baseline stays")
                best, gain = baseline, None
        bench.record_conclusion(baseline, best)
    finally:
        if recording is not None and not isinstance(path, Recording):
            recording.close()
    ratio = _load_ratio([measured for measured in bench.trials[first_confirmed:] if measured.setting == baseline])
    growing = _growing([measured for measured in bench.trials[1:] if measured.setting == baseline])
    timeouts = any("timed out" in failure for failure in bench.failed.values())
    tree = decision_tree(utilization, ratio, timeouts=timeouts, growing=growing)
    ceiling = estimate_speedup(confirmed[baseline], ideal)
    return Optimization(
        baseline, best, gain, ceiling, ratio, utilization, growing, attempts, remake.snippet(best), tree, notes
    )


def _search_stage(  # noqa: PLR0913, PLR0917 - the state of a stage
    bench: Bench, stage: str, current: Setting, others: list[Setting], repeats: int, attempts: list[Attempt]
) -> Setting:
    """Compares settings that differ in one value, and returns the one to continue with."""
    seconds = bench.run_interleaved([current, *others], repeats)
    gains = {other: estimate_speedup(seconds[current], seconds[other]) for other in others if other in seconds}
    significant = {other: gain.factor for other, gain in gains.items() if gain.low > 1}
    best_gain = max(significant.values(), default=1.0)
    chosen = next((other for other, gain in significant.items() if gain >= _AS_FAST * best_gain), current)
    attempts += [
        Attempt(stage, other, current, gains.get(other), other == chosen, bench.failed.get(other, ""))
        for other in others
    ]
    return chosen


@dataclass(frozen=True)
class _Space:
    """The values to try."""

    counts: Sequence[int]
    batch_sizes: Sequence[int]
    prefetch_factors: Sequence[int]

    def others(self, stage: str, current: Setting) -> list[Setting]:
        """Returns the settings that differ in one value, from the fewest to the most resources."""
        settings = {
            "workers": [_with_workers(current, count) for count in self.counts],
            "batch_size": [replace(current, batch_size=size) for size in self.batch_sizes if current.batch_size],
            "prefetch_factor": [
                replace(current, prefetch_factor=n) for n in self.prefetch_factors if current.num_workers
            ],
            "persistent_workers": [replace(current, persistent_workers=True)] if current.num_workers else [],
            "pin_memory": [replace(current, pin_memory=True)] if is_available() else [],
        }[stage]
        return [setting for setting in dict.fromkeys(settings) if setting != current]


def _list_skipped(batch_sizes: Sequence[int]) -> Iterator[str]:
    """Yields a note for each option that the search does not try."""
    if not is_available():
        yield "pin_memory was not tried: there is no accelerator"
    if not batch_sizes:
        yield "batch sizes were not tried, because they change the training: batch_sizes=[...] tries them"


def _with_workers(setting: Setting, count: int) -> Setting:
    if count == 0:
        return replace(setting, num_workers=0, prefetch_factor=None, persistent_workers=False)
    return replace(setting, num_workers=count)


def _memory_limit() -> int | None:
    used, free = resident_memory(), read_bytes("meminfo", "MemAvailable")
    return None if used is None or free is None else used + int(_AVAILABLE * free)


def _load_ratio(trials: list[Trial]) -> float | None:
    seconds = sum(measured.seconds for measured in trials)
    return sum(measured.load_s for measured in trials) / seconds if seconds > 0 else None


def _growing(trials: list[Trial]) -> bool | None:
    """Returns whether the memory at the end of a trial grows from the first trial to the last."""
    if len(trials) < 2 or None in {trials[0].resident_bytes, trials[-1].resident_bytes}:  # noqa: PLR2004 - from, to
        return None
    batches = sum(measured.warmup + measured.batches for measured in trials[1:])
    return (trials[-1].resident_bytes or 0) - (trials[0].resident_bytes or 0) > GROWTH_HIGH * batches
