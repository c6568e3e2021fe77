"""The result of a search for loader settings: the attempts, the best setting, and the gain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tracelake.record.tuning.result import Result, table

if TYPE_CHECKING:
    from tracelake.record.tuning.interval import Interval
    from tracelake.record.tuning.setting import Setting


_GAIN = {"gain": "factor", "low": "low", "high": "high"}
"""Columns of the gain, and the fields of its interval."""


@dataclass(frozen=True)
class Attempt:
    """A setting that was compared with another one."""

    what: str
    """The changed setting: workers, batch_size, prefetch_factor, persistent_workers, pin_memory; confirm at the end."""
    setting: Setting
    against: Setting
    gain: Interval | None
    """The speed-up over `against`; `None` if the setting failed."""
    accepted: bool
    """True if the search continued with this setting."""
    note: str = ""
    """The reason of a failure; empty if the setting did not fail."""


@dataclass(repr=False)
class Optimization(Result):
    """The result of `optimize`; `print` shows all of it."""

    baseline: Setting
    best: Setting
    gain: Interval | None
    """Speed-up of an epoch with `best`, measured again at the end; `None` if no setting was significantly faster."""
    ceiling: Interval
    """Speed-up without loading time: the step over batches in memory."""
    load_ratio: float | None
    """Share of loading with `baseline`, without start-up."""
    gpu_utilization: float | None
    """Mean with `baseline`, in percent; `None` if no GPU was measured."""
    growing: bool | None
    """Whether memory grew with `baseline`; `None` if not known."""
    attempts: list[Attempt]
    snippet: str
    """The call of `DataLoader` that makes `best`."""
    tree: str
    """The tutorial's decision tree for `baseline`, with the path marked."""
    notes: list[str] = field(default_factory=list[str])

    def rows(self) -> list[dict[str, Any]]:
        """Returns one dict per attempt."""
        return [
            {
                "what": attempt.what,
                **vars(attempt.setting),
                **{name: getattr(attempt.gain, field, None) for name, field in _GAIN.items()},
                "accepted": attempt.accepted,
                "note": attempt.note,
            }
            for attempt in self.attempts
        ]

    def __str__(self) -> str:
        """Returns the whole result as text."""
        columns = ("what", "num_workers", "batch_size", "prefetch_factor", "persistent_workers", "pin_memory")
        gain = "no setting was significantly faster" if self.gain is None else str(self.gain)
        lines = (
            f"baseline: {self.baseline}",
            f"best:     {self.best}",
            f"gain:     {gain}",
            f"ceiling:  {self.ceiling}, without loading time",
        )
        parts = (
            "\n".join(lines),
            table(self.rows(), (*columns, "gain", "low", "high", "accepted", "note")),
            self.tree,
            self.snippet,
        )
        return "\n\n".join([*parts, *(f"note: {note}" for note in self.notes)])
