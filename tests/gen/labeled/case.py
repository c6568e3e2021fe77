"""A profile with a known cause, and its label."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path

from labeled.severity import severity

VERDICTS = ("input-bound", "compute-bound", "communication-bound", "host-bound", "mixed", "no_data")
MS, S = 10**6, 10**9  # ns
EPOCH = 1_790_000_040 * S  # a full minute; all times count from it

Planted = dict[str, float]
Source = Callable[[Path, random.Random], Planted]


def choose_part(name: str) -> str:
    """Returns `kept` for every third name, by its hash alone; else `tuning`."""
    return "kept" if hashlib.sha256(name.encode()).digest()[0] % 3 == 0 else "tuning"


@dataclass(frozen=True)
class Case:
    """The cause of a slow job, and the profiles that recorded it.

    `also` are findings that must be reported in addition to the main one. `never` are findings that would blame the
    wrong cause. `missing` are findings that have no evidence in the profiles. `damage` are the kinds of `problem` that
    were planted. `clear` is false if a value is near a limit, `verdict_clear` if two verdicts can be justified.

    `worst_rank` is the rank that delays the others. `severities` are those of findings about few steps. They must
    follow from the planted shares. `twin` is the case of the same job with synchronized clocks.
    """

    name: str
    verdict: str
    main: str | None
    sources: dict[str, Source]
    also: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    damage: tuple[str, ...] = ()
    clear: bool = True
    verdict_clear: bool = True
    worst_rank: int | None = None
    severities: dict[str, str] = field(default_factory=dict)
    twin: str | None = None
    planted: Planted = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Checks the verdict, because a misspelled one would never match."""
        if self.verdict not in VERDICTS:
            raise ValueError(self.verdict)

    def write(self, out: Path) -> None:
        """Writes the folder of the case: one folder for each source, and the label."""
        planted: Planted = {}
        for source, make in self.sources.items():
            folder = out / self.name / source
            folder.mkdir(parents=True)
            planted |= make(folder, random.Random(f"{self.name}/{source}"))
        for finding, planned in self.severities.items():
            if severity(finding, planted) != planned:
                raise ValueError(self.name, finding, planned, planted)
        label = {**asdict(self), "sources": list(self.sources), "set": choose_part(self.name), "planted": planted}
        (out / self.name / "label.json").write_text(json.dumps(label, indent=1) + "\n")
