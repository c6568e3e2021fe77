"""What a search for settings found: what was tried, the best, and what there is to gain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tracelake.record.result import Result, table

if TYPE_CHECKING:
    from tracelake.record.interval import Interval
    from tracelake.record.setting import Setting

__all__ = ["Attempt", "Optimization"]


@dataclass(frozen=True)
class Attempt:
    """A setting that was held against another one."""

    what: str
    """What was changed: workers, batch_size, prefetch_factor, persistent_workers, pin_memory; confirm at the end."""
    setting: Setting
    against: Setting
    gain: Interval | None
    """How many times as fast; `None` if it failed."""
    taken: bool
    """Whether the search went on with it."""
    note: str = ""
    """Why not, if that was not its pace."""


@dataclass(repr=False)
class Optimization(Result):
    """What `optimize` found; printing it shows all."""

    baseline: Setting
    best: Setting
    gain: Interval | None
    """How many times as fast an epoch is with `best`, measured anew at the end; `None` if nothing was surely faster."""
    ceiling: Interval
    """The same if data were free: the step over batches in memory."""
    load_ratio: float | None
    """Share of loading with `baseline`, start-up left out."""
    gpu_utilization: float | None
    """Mean with `baseline`, in percent; `None` if no GPU was looked at."""
    growing: bool | None
    """Whether memory grew with `baseline`; `None` if that is not known."""
    attempts: list[Attempt]
    snippet: str
    """The call of `DataLoader` that makes `best`."""
    tree: str
    """The tutorial's decision tree for `baseline`, the path marked."""
    notes: list[str] = field(default_factory=list[str])

    def rows(self) -> list[dict[str, Any]]:
        """One dict for each attempt."""
        return [
            {
                "what": one.what,
                **vars(one.setting),
                "gain": one.gain.factor if one.gain else None,
                "low": one.gain.low if one.gain else None,
                "high": one.gain.high if one.gain else None,
                "taken": one.taken,
                "note": one.note,
            }
            for one in self.attempts
        ]

    def __str__(self) -> str:
        """All of it for people."""
        columns = ("what", "num_workers", "batch_size", "prefetch_factor", "persistent_workers", "pin_memory")
        gain = "no setting was surely faster" if self.gain is None else str(self.gain)
        lines = (
            f"baseline: {self.baseline}",
            f"best:     {self.best}",
            f"gain:     {gain}",
            f"ceiling:  {self.ceiling}, if data were free",
        )
        parts = (
            "\n".join(lines),
            table(self.rows(), (*columns, "gain", "low", "high", "taken", "note")),
            self.tree,
            self.snippet,
        )
        return "\n\n".join([*parts, *(f"note: {note}" for note in self.notes)])
