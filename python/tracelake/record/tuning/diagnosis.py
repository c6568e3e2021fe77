"""The result of a dataset diagnosis: the loading speed of each setting, and the causes of slow loading."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tracelake.record.tuning.result import Result, table
from tracelake.record.tuning.trial import GROWTH_HIGH

if TYPE_CHECKING:
    from tracelake.record.tuning.setting import Setting
    from tracelake.record.tuning.trial import Growth, Trial

__all__ = ["Diagnosis", "Samples"]

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
    """The result of `diagnose_dataloader`; printing it shows everything."""

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
        grown = dict(self.memory)
        alone = self.workers[0].samples_per_s or self.workers[0].batches_per_s
        named = [("workers", found) for found in self.workers]
        named += [("batch_size", found) for found in self.batch_sizes]
        named += list(self.options.items())
        rows: list[dict[str, Any]] = []
        for what, found in named:
            pace = found.samples_per_s or found.batches_per_s
            memory = grown.get(found.setting)
            rows.append(
                {
                    "what": what,
                    **found.row(),
                    "speedup_vs_0": pace / alone if pace and alone else None,
                    "first_batch_factor": found.first_batch_factor,
                    "traced_growth_bytes": memory.traced_bytes if memory else None,
                    "resident_growth_bytes": memory.resident_bytes if memory else None,
                }
            )
        return rows

    @property
    def best(self) -> Trial:
        """The fastest number of workers."""
        return max(self.workers, key=lambda found: found.batches_per_s or 0.0)

    def findings(self) -> list[str]:
        """Returns one sentence per detected problem; an empty list does not prove that loading is fast."""
        said: list[str] = []
        if self.samples is not None and self.samples.slow:
            said.append(
                f"a sample takes {1e3 * self.samples.mean_s:.1f} ms, above {1e3 * SLOW_SAMPLE:.0f} ms: "
                "optimize the item function"
            )
        alone, best = self.workers[0].batches_per_s, self.best.batches_per_s
        if len(self.workers) > 1 and alone and best:
            if best < _FLAT * alone:
                said.append("more workers are not faster: preprocessing is limited by the CPU or by a shared resource")
            else:
                said.append(f"{self.best.setting.num_workers} workers are {best / alone:.1f} times as fast as 0")
        factor = self.best.first_batch_factor
        if factor is not None and factor > _SLOW_FIRST and self.best.setting.num_workers:
            said.append(
                f"the first batch takes as long as {factor:.0f} batches: "
                "use persistent_workers=True to avoid restarting the workers"
            )
        for setting, grown in self.memory:
            most = max(grown.traced_bytes, grown.resident_bytes or 0)
            if most > GROWTH_HIGH * grown.batches:
                said.append(
                    f"memory grows by {most / grown.batches / 1e6:.1f} MB a batch with {setting.num_workers} workers: "
                    "look for a leak in the item function, or use persistent_workers=False"
                )
        return said

    def __str__(self) -> str:
        """Returns the whole result as text."""
        parts: list[str] = []
        if self.samples is not None:
            one = self.samples
            parts.append(
                f"single sample, mean of {one.count}: {1e3 * one.mean_s:.1f} ms (median {1e3 * one.median_s:.1f} ms, "
                f"max {1e3 * one.max_s:.1f} ms)"
            )
        rows = self.rows()
        parts += [
            f"{title}\n{table([row for row in rows if (row['what'] in ('workers', 'batch_size')) == plain], columns)}"
            for title, plain, columns in (
                (f"workers, then batch sizes ({self.cores} cores)", True, (*_COLUMNS, "speedup_vs_0")),
                ("options", False, ("what", *_COLUMNS, "speedup_vs_0")),
            )
            if plain or self.options
        ]
        if self.memory:
            grown = [{"workers": setting.num_workers, **vars(found)} for setting, found in self.memory]
            parts.append(
                f"memory over a pass\n{table(grown, ('workers', 'batches', 'traced_bytes', 'resident_bytes'))}"
            )
        if self.functions:
            columns = ("calls", "own_s", "cumulative_s", "function")
            parts.append(f"item function, by cumulative time\n{table(self.functions, columns)}")
        parts += [f"found: {said}" for said in self.findings()]
        parts += [f"note: {note}" for note in self.notes]
        return "\n\n".join(parts)
