"""Measures settings of a loader in interleaved trials, with the step of a training."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tracelake.record import argument, clock
from tracelake.record.tuning.trial import WARMUP, Trial, trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tracelake.record.output.recording import Recording
    from tracelake.record.tuning.setting import Remake, Setting

__all__ = ["REPLAY", "Bench"]

REPLAY = "replay"
"""Name of the loader that yields batches from memory, in recordings."""


@dataclass
class Bench:
    """Runs trials of settings, stores failures, and records a row `trial` for each measured trial.

    Example:
        >>> from tracelake.record.tuning.bench import Bench
        >>> class Loader(list):
        ...     def __init__(self, dataset, batch_size=2):
        ...         super().__init__([dataset[n : n + batch_size] for n in range(0, len(dataset), batch_size)])
        ...         self.dataset, self.batch_size = dataset, batch_size
        >>> bench = Bench(tl.record.Remake(Loader(list(range(40)))), step=sum, batches=5)
        >>> [len(seconds) for seconds in bench.in_turn([bench.remake.setting], 3).values()]
        [3]
    """

    remake: Remake
    step: Callable[[Any], object]
    batches: int
    recording: Recording | None = None
    limit: int | None = None
    """Maximum bytes of resident memory; a setting that uses more fails."""
    failed: dict[Setting, str] = field(default_factory=dict["Setting", str])
    seen: list[Trial] = field(default_factory=list[Trial])

    def one(self, setting: Setting) -> Trial:
        """Runs one trial of a setting.

        Raises:
            ValueError: There are too few batches.
            MemoryError: The trial uses more memory than the limit.
        """
        limit = max(WARMUP, setting.num_workers) + self.batches
        loader = self.remake(setting, limit)
        # with persistent workers, the second pass is representative
        if setting.persistent_workers:
            self._pass(loader, setting)
        return self._pass(loader, setting)

    def in_turn(self, settings: Sequence[Setting], repeats: int) -> dict[Setting, list[float]]:
        """Returns the seconds per sample of each setting, one value per round; each round begins with another setting.

        A setting that fails is excluded. If the first setting fails, its exception is raised.
        """
        found: dict[Setting, list[float]] = {setting: [] for setting in settings}
        for number in range(repeats):
            at = number % len(settings)
            for setting in (*settings[at:], *settings[:at]):
                if setting in self.failed:
                    continue
                begun = clock.now()
                try:
                    one = self.one(setting)
                except Exception as error:
                    if setting == settings[0]:
                        raise
                    self._fail(setting, error, begun)
                    continue
                found[setting].append(self._keep(str(setting), one, self._of_epoch(one), begun))
        return {setting: seconds for setting, seconds in found.items() if len(seconds) == repeats}

    def replay(self, kept: list[Any], setting: Setting) -> float:
        """Returns the seconds per sample without loading time: the step over batches in memory."""
        begun = clock.now()
        alone = replace(setting, num_workers=0, prefetch_factor=None, persistent_workers=False)
        found = trial(kept, alone, batches=len(kept), step=self.step)
        return self._keep(REPLAY, found, found.seconds / found.batches, begun, variant="ideal")

    def conclude(self, baseline: Setting, best: Setting) -> None:
        """Records the baseline setting, the best setting, and the memory limit."""
        if self.recording is not None:
            self.recording.attribute("optimize.baseline", str(baseline))
            self.recording.attribute("optimize.best", str(best))
            if self.limit is not None:
                self.recording.attribute("optimize.memory_limit", self.limit)

    def _pass(self, loader: Iterable[Any], setting: Setting) -> Trial:
        found = trial(
            loader,
            setting,
            batches=self.batches,
            step=self.step,
            recording=self.recording,
            name=str(setting),
            number=len(self.seen),
        )
        self.seen.append(found)
        if not found.batches:
            message = f"cannot time {setting}: too few batches, all of them ({found.warmup}) are warm-up"
            raise ValueError(argument.add_hint(message, "use more data, or smaller batches"))
        if self.limit is not None and found.resident_bytes is not None and found.resident_bytes > self.limit:
            message = f"{found.resident_bytes / 1e9:.1f} GB are above the limit of {self.limit / 1e9:.1f} GB"
            raise MemoryError(message)
        return found

    def _of_epoch(self, found: Trial) -> float:
        """Returns the mean seconds per batch of a whole epoch, computed from the measured start-up and mean step."""
        mean = found.seconds / found.batches
        try:
            length = len(self.remake(found.setting))
        except TypeError:
            length = 0
        if length > 1:
            mean = ((found.startup_s or 0.0) + mean * (length - 1)) / length
        return mean

    def _keep(self, name: str, found: Trial, batch_s: float, begun: int, **members: str) -> float:
        """Records a trial and returns its seconds per sample, or per batch if the samples are not known."""
        sizes = found.samples / found.batches if found.samples else None
        size = None if sizes is None else found.setting.batch_size or round(sizes)
        # the last batch can be smaller: record the time of a full batch
        dur = batch_s * 1e9 * (size / sizes if size and sizes else 1)
        self._row(name, found.setting, begun, dur=round(dur), size=size, found=found, **members)
        return batch_s / sizes if sizes else batch_s

    def _fail(self, setting: Setting, error: Exception, begun: int) -> None:
        self.failed[setting] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        if self.recording is not None:
            self._row(str(setting), setting, begun, size=setting.batch_size)
            self.recording.attribute(f"loader.{setting}.failed", self.failed[setting])

    def _row(  # noqa: PLR0913 - the parts of a row
        self,
        name: str,
        setting: Setting,
        begun: int,
        *,
        dur: int | None = None,
        size: int | None = None,
        found: Trial | None = None,
        **members: str,
    ) -> None:
        if self.recording is None:
            return
        self.recording.row("loader", loader=name, **vars(setting))
        seen = {} if found is None else {"batches": found.batches, "bytes": found.resident_bytes}
        self.recording.row("trial", loader=name, ts=clock.unix(begun), dur=dur, batch_size=size, **seen, **members)
