"""Measures how fast a dataset can be loaded."""

from __future__ import annotations

import os
import statistics
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tracelake.record import argument, clock
from tracelake.record.hardware.accelerator import is_available
from tracelake.record.output.recording import Recording
from tracelake.record.tuning.cores import count_cores, limit_to_cores
from tracelake.record.tuning.diagnosis import Diagnosis, Samples
from tracelake.record.tuning.setting import Remake, Setting
from tracelake.record.tuning.trial import WARMUP, Trial, measure_growth, run_trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_PROFILED, _TOP = 100, 10


def diagnose_dataloader(  # noqa: PLR0913 - all but the dataset are options
    dataset: Any,  # noqa: ANN401 - any dataset
    batch_size: int = 32,
    *,
    workers: Sequence[int] = (0, 2, 4, 8),
    batch_sizes: Sequence[int] = (8, 16, 32, 64),
    batches: int = 20,
    dataloader: Callable[..., Any] | None = None,
    path: str | os.PathLike[str] | Recording | None = None,
    **loader_options: Any,  # noqa: ANN401 - arguments of a DataLoader
) -> Diagnosis:
    """Measures single samples, workers, batch sizes, options, memory and the item function of a dataset.

    The warm-up is excluded, start-up time is a separate number, and no number includes the shutdown of the workers.
    Rates are for loading only, without computation. Numbers of workers above the cores that this process may use are
    skipped, with a note.

    Args:
        dataset: A dataset for a `DataLoader`.
        batch_size: Samples in a batch.
        workers: Numbers of workers; 0 is always measured.
        batch_sizes: Batch sizes, measured with 4 workers, or with one per core if there are fewer cores.
        batches: Maximum number of timed batches per setting.
        dataloader: Function or class that makes a loader. The default is the `DataLoader` of PyTorch.
        path: Destination for a recording of all batches, as for `LoaderProfiler`. By default, nothing is recorded.
        **loader_options: Further arguments of the loader, such as `collate_fn`.

    Returns:
        A `Diagnosis` with fields, `rows()`, `findings()` and `save()`. Printing it shows everything.

    Raises:
        TypeError: The value is not a dataset, or an option is of the wrong type.
        ValueError: A number is out of range.
        ImportError: PyTorch is not installed, and `dataloader` is not given.

    Example:
        >>> class Loader:
        ...     def __init__(self, dataset, batch_size, num_workers=0, sampler=None, **options):
        ...         self.dataset, self.batch_size, self.num_workers = dataset, batch_size, num_workers
        ...     def __iter__(self):
        ...         n = self.batch_size
        ...         return (self.dataset[i : i + n] for i in range(0, len(self.dataset), n))
        >>> diagnosis = tl.record.diagnose_dataloader(list(range(64)), 8, dataloader=Loader, workers=[0])
        >>> diagnosis.workers[0].batches, diagnosis.samples.count, diagnosis.findings()
        (5, 10, [])
    """
    argument.check_whole_number(batch_size, "batch_size", minimum=1)
    argument.check_counts(0, workers=workers)
    argument.check_counts(1, batch_sizes=batch_sizes)
    argument.check_whole_number(batches, "batches", minimum=1)
    create_loader = _loader_function(dataset, dataloader)
    # the sampler comes from the first loader, and the measured options must not be fixed
    varied = {"shuffle", "sampler", *vars(Setting())}
    fixed_options = {name: value for name, value in loader_options.items() if name not in varied}
    first_loader = create_loader(dataset, batch_size=batch_size, **loader_options)
    remake = Remake(first_loader, partial(create_loader, **fixed_options))
    notes: list[str] = []
    counts = limit_to_cores(sorted({0, *workers}), notes)
    recording = None if path is None else Recording.get_or_create(path)

    def run_trials(name: str, setting: Setting, passes: int = 1) -> Trial:
        limit = max(WARMUP, setting.num_workers) + batches
        loader = remake(setting, limit)
        trials = [
            run_trial(loader, setting, batches=batches, recording=recording, name=name, number=number)
            for number in range(passes)
        ]
        return trials[-1]

    try:
        samples = _time_samples(dataset, notes)
        scaling = [run_trials(f"workers={count}", Setting(count, batch_size)) for count in counts]
        option_workers = min(4, count_cores())
        if batch_sizes:
            notes.append(f"batch sizes were tried with {option_workers} workers")
        sizes = [run_trials(f"batch_size={size}", Setting(option_workers, size)) for size in batch_sizes]
        best = max(scaling, key=lambda result: result.batches_per_s or 0.0).setting
        options: dict[str, Trial] = {}
        for option, setting, passes in _options(best, option_workers):
            try:
                options[option] = run_trials(option, setting, passes)
            except Exception as error:  # noqa: BLE001, PERF203 - a loader can refuse an option: measure the others
                notes.append(f"{option} was not tried: {str(error).partition(chr(10))[0][:200]}")
        memory = [
            (result.setting, memory_growth)
            for result in scaling
            if (memory_growth := measure_growth(remake(result.setting), batches))
        ]
    finally:
        if recording is not None and not isinstance(path, Recording):
            recording.close()
    if not any(result.batches for result in scaling):
        notes.append("too few batches: all batches were warm-up")
    if not is_available():
        notes.append("pin_memory was not tried: there is no accelerator")
    functions = [] if samples is None else _profile_functions(dataset)
    return Diagnosis(batch_size, count_cores(), samples, scaling, sizes, options, memory, functions, notes)


def _loader_function(dataset: Any, dataloader: Callable[..., Any] | None) -> Callable[..., Any]:  # noqa: ANN401 - any dataset
    """Returns the function that creates loaders of this dataset."""
    kind, by_index = argument.describe(dataset), hasattr(dataset, "__getitem__")
    if not by_index and hasattr(dataset, "dataset"):
        message = f"cannot diagnose {kind}: it is a loader, expected its dataset"
        raise TypeError(argument.add_hint(message, "diagnose_dataloader(loader.dataset)"))
    if not by_index and not hasattr(dataset, "__iter__"):
        message = f"cannot diagnose {kind}: expected a dataset, which can be indexed or iterated"
        raise TypeError(message)
    if dataloader is not None:
        argument.check_function(dataloader, "dataloader", "a class of loaders, or a function of the arguments of one")
        return dataloader
    try:
        return import_module("torch.utils.data").DataLoader
    except ImportError as error:
        message = "cannot make a DataLoader: PyTorch cannot be imported"
        hint = "pip install torch, or dataloader=..., a class that takes a dataset, batch_size and num_workers"
        raise ImportError(argument.add_hint(message, hint)) from error


def _options(best: Setting, fixed: int) -> Iterator[tuple[str, Setting, int]]:
    """Yields the options to measure with the fastest number of workers: name, setting, number of passes."""
    count, size = best.num_workers or fixed, best.batch_size
    if is_available():
        yield "pin_memory", Setting(count, size, pin_memory=True), 1
    yield "prefetch_factor", Setting(count, size, prefetch_factor=4), 1
    # persistent workers avoid the start-up of the second pass
    yield "persistent_workers", Setting(count, size, persistent_workers=True), 2


def _spread_indices(dataset: Any, count: int) -> list[int]:  # noqa: ANN401 - any dataset
    """Returns at most `count` indices, spread evenly."""
    length = len(dataset)
    count = min(count, length)
    return [number * length // count for number in range(count)]


def _time_samples(dataset: Any, notes: list[str]) -> Samples | None:  # noqa: ANN401 - any dataset
    try:
        indices = _spread_indices(dataset, 10)
        times: list[float] = []
        for index in indices:
            start = clock.now()
            dataset[index]
            times.append((clock.now() - start) / 1e9)
    except (TypeError, NotImplementedError):
        notes.append("the dataset cannot be indexed: single samples were not timed")
        return None
    if not times:
        notes.append("the dataset is empty")
        return None
    return Samples(len(times), statistics.fmean(times), statistics.median(times), max(times))


def _profile_functions(dataset: Any) -> list[dict[str, Any]]:  # noqa: ANN401 - any dataset
    import cProfile  # noqa: PLC0415 - only here
    import pstats  # noqa: PLC0415 - only here

    profile = cProfile.Profile()
    indices = _spread_indices(dataset, _PROFILED)
    try:
        profile.enable()
    except ValueError:
        # another tool of this kind is active
        return []
    try:
        for index in indices:
            dataset[index]
    finally:
        profile.disable()
    stats: dict[tuple[str, int, str], tuple[int, int, float, float, Any]] = vars(pstats.Stats(profile))["stats"]
    slowest = sorted(
        ((key, value) for key, value in stats.items() if "_lsprof" not in key[2]),
        key=lambda entry: entry[1][3],
        reverse=True,
    )
    return [
        {
            "function": name if file == "~" else f"{os.path.basename(file)}:{line}({name})",  # noqa: PTH119 - a text
            "calls": calls,
            "own_s": own,
            "cumulative_s": cumulative,
        }
        for (file, line, name), (_, calls, own, cumulative, _) in slowest[:_TOP]
    ]
