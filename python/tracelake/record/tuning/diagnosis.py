"""The result of a dataset diagnosis: the loading speed of each setting, and the causes of slow loading."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tracelake.record.tuning.result import Result, table
from tracelake.record.tuning.trial import GROWTH_HIGH

if TYPE_CHECKING:
    from tracelake.record.tuning.setting import Setting
    from tracelake.record.tuning.trial import Growth, Trial

SLOW_SAMPLE = 0.01
"""Seconds above which preparing a sample is slow (the tutorial's limit)."""
_SLOW_FIRST = 10.0
"""Time of the first batch, in mean batches, above which it is slow."""
_FLAT = 1.1
"""Minimum speed-up by workers that counts as an improvement."""
_COLUMNS = ("workers", "batch_size", "batches", "samples", "startup_s", "seconds", "batches_per_s", "samples_per_s")


@dataclass(frozen=True)
class Samples:
    """Times of single samples in this process, in seconds; their indices are spread over the dataset."""

    count: int
    mean_s: float
    median_s: float
    max_s: float

    @property
    def slow(self) -> bool:
        """True if the mean is above 10 ms."""
        return self.mean_s > SLOW_SAMPLE


@dataclass(repr=False)
class Diagnosis(Result):
    """The result of `diagnose_dataloader`; `print` shows all of it."""

    batch_size: int
    cores: int
    samples: Samples | None
    """`None` if the dataset cannot be indexed."""
    workers: list[Trial]
    """One trial per number of workers, from 0 up."""
    batch_sizes: list[Trial]
    """One trial per batch size, all with the same number of workers."""
    options: dict[str, Trial]
    """Trials by changed option, with the fastest number of workers; for persistent workers, the second pass."""
    memory: list[tuple[Setting, Growth]]
    """Memory growth per number of workers."""
    functions: list[dict[str, Any]]
    """The ten functions with the most cumulative time in the item function: `function`, `calls`, `own_s`,
    `cumulative_s`."""
    notes: list[str] = field(default_factory=list[str])

    def rows(self) -> list[dict[str, Any]]:
        """Returns one dict per setting: the change (`what`), the numbers, `speedup_vs_0` by samples, memory."""
        growth = dict(self.memory)
        baseline = self.workers[0].samples_per_s or self.workers[0].batches_per_s
        named_trials = [("workers", trial) for trial in self.workers]
        named_trials += [("batch_size", trial) for trial in self.batch_sizes]
        named_trials += list(self.options.items())
        rows: list[dict[str, Any]] = []
        for name, trial in named_trials:
            rate = trial.samples_per_s or trial.batches_per_s
            memory = growth.get(trial.setting)
            rows.append(
                {
                    "what": name,
                    **trial.row(),
                    "speedup_vs_0": rate / baseline if rate and baseline else None,
                    "first_batch_factor": trial.first_batch_factor,
                    "traced_growth_bytes": memory.traced_bytes if memory else None,
                    "resident_growth_bytes": memory.resident_bytes if memory else None,
                }
            )
        return rows

    @property
    def best(self) -> Trial:
        """The fastest number of workers."""
        return max(self.workers, key=lambda trial: trial.batches_per_s or 0.0)

    def findings(self) -> list[str]:
        """Returns one sentence per detected problem; an empty list does not prove that loading is fast."""
        texts: list[str] = []
        if self.samples is not None and self.samples.slow:
            texts.append(
                f"a sample takes {1e3 * self.samples.mean_s:.1f} ms, above {1e3 * SLOW_SAMPLE:.0f} ms: "
                "optimize the item function"
            )
        baseline, best = self.workers[0].batches_per_s, self.best.batches_per_s
        if len(self.workers) > 1 and baseline and best:
            if best < _FLAT * baseline:
                texts.append("more workers are not faster: preprocessing is limited by the CPU or by a shared resource")
            else:
                texts.append(f"{self.best.setting.num_workers} workers are {best / baseline:.1f} times as fast as 0")
        factor = self.best.first_batch_factor
        if factor is not None and factor > _SLOW_FIRST and self.best.setting.num_workers:
            texts.append(
                f"the first batch takes as long as {factor:.0f} batches: "
                "use persistent_workers=True to avoid restarting the workers"
            )
        for setting, growth in self.memory:
            bytes_per_batch = max(growth.traced_bytes, growth.resident_bytes or 0) / growth.batches
            if bytes_per_batch > GROWTH_HIGH:
                texts.append(
                    f"memory grows by {bytes_per_batch / 1e6:.1f} MB a batch with {setting.num_workers} workers: "
                    "look for a leak in the item function, or use persistent_workers=False"
                )
        return texts

    def __str__(self) -> str:
        """Returns the whole result as text."""
        parts: list[str] = []
        if self.samples is not None:
            count, *seconds = vars(self.samples).values()
            mean, median, longest = (f"{1e3 * value:.1f} ms" for value in seconds)
            parts.append(f"single sample, mean of {count}: {mean} (median {median}, max {longest})")
        rows = self.rows()
        parts += [
            f"{title}\n{table([row for row in rows if (row['what'] in ('workers', 'batch_size')) == is_main], columns)}"
            for title, is_main, columns in (
                (f"workers, then batch sizes ({self.cores} cores)", True, (*_COLUMNS, "speedup_vs_0")),
                ("options", False, ("what", *_COLUMNS, "speedup_vs_0")),
            )
            if is_main or self.options
        ]
        if self.memory:
            growth = [{"workers": setting.num_workers, **vars(measured)} for setting, measured in self.memory]
            parts.append(
                f"memory over a pass\n{table(growth, ('workers', 'batches', 'traced_bytes', 'resident_bytes'))}"
            )
        if self.functions:
            columns = ("calls", "own_s", "cumulative_s", "function")
            parts.append(f"item function, by cumulative time\n{table(self.functions, columns)}")
        parts += [f"found: {sentence}" for sentence in self.findings()]
        parts += [f"note: {note}" for note in self.notes]
        return "\n\n".join(parts)
