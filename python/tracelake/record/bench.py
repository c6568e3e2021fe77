"""Where settings of a loader are tried in turn, under the step of a training."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tracelake.record import clock
from tracelake.record.trial import WARMUP, Trial, trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tracelake.record.recording import Recording
    from tracelake.record.setting import Remake, Setting

__all__ = ["REPLAY", "Bench"]

REPLAY = "replay"
"""Name in a recording of the loader that hands out batches from memory."""


@dataclass
class Bench:
    """Tries settings, keeps what failed, and records a row `trial` for each try that counts.

    Example:
        >>> from tracelake.record.bench import Bench
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
    """Bytes of resident memory above which a setting fails."""
    failed: dict[Setting, str] = field(default_factory=dict["Setting", str])
    seen: list[Trial] = field(default_factory=list[Trial])

    def one(self, setting: Setting) -> Trial:
        """Tries a setting once.

        Raises:
            ValueError: There are too few batches.
            MemoryError: It takes more than the limit.
        """
        limit = max(WARMUP, setting.num_workers) + self.batches
        loader = self.remake(setting, limit)
        # of workers that are kept the second pass is the usual one
        if setting.persistent_workers:
            self._pass(loader, setting)
        return self._pass(loader, setting)

    def in_turn(self, settings: Sequence[Setting], repeats: int) -> dict[Setting, list[float]]:
        """Seconds of each setting for each sample, one in each round; rounds begin with another setting each.

        What fails is left out, unless it is the first setting.
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
        """Seconds for each sample if data were free: the step over batches in memory."""
        begun = clock.now()
        alone = replace(setting, num_workers=0, prefetch_factor=None, persistent_workers=False)
        found = trial(kept, alone, batches=len(kept), step=self.step)
        return self._keep(REPLAY, found, found.seconds / found.batches, begun, variant="ideal")

    def conclude(self, baseline: Setting, best: Setting) -> None:
        """Records with what others are compared, what is best, and how much memory was allowed."""
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
            message = (
                f"cannot time {setting}: too few batches, since all that were drawn ({found.warmup}) are the warm-up"
                "\n  hint:   hand in more data, or smaller batches"
            )
            raise ValueError(message)
        if self.limit is not None and found.resident_bytes is not None and found.resident_bytes > self.limit:
            message = f"{found.resident_bytes / 1e9:.1f} GB are above the limit of {self.limit / 1e9:.1f} GB"
            raise MemoryError(message)
        return found

    def _of_epoch(self, found: Trial) -> float:
        """Seconds of a batch over a whole epoch: its start and the mean of its steps are measured, the rest follows."""
        mean = found.seconds / found.batches
        try:
            length = len(self.remake(found.setting))
        except TypeError:
            length = 0
        if length > 1:
            mean = ((found.startup_s or 0.0) + mean * (length - 1)) / length
        return mean

    def _keep(self, name: str, found: Trial, batch_s: float, begun: int, **members: str) -> float:
        """Records a trial; gives its seconds for each sample, or batch where these show no samples."""
        sizes = found.samples / found.batches if found.samples else None
        size = None if sizes is None else found.setting.batch_size or round(sizes)
        # a last batch may be smaller: what is recorded is the time of a whole one
        dur = batch_s * 1e9 * (size / sizes if size and sizes else 1)
        self._row(name, found.setting, begun, dur=round(dur), size=size, found=found, **members)
        return batch_s / sizes if sizes else batch_s

    def _fail(self, setting: Setting, error: Exception, begun: int) -> None:
        self.failed[setting] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        if self.recording is not None:
            self._row(str(setting), setting, begun, size=setting.batch_size)
            self.recording.attribute(f"loader.{setting}.failed", self.failed[setting])

    def _row(  # noqa: PLR0913 - what a row is made of
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
