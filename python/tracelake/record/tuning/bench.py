"""Measures settings of a loader in interleaved trials, with the step of a training."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from tracelake.record import argument, clock
from tracelake.record.tuning.trial import WARMUP, Trial, run_trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tracelake.record.output.recording import Recording
    from tracelake.record.tuning.setting import Remake, Setting

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
        >>> [len(seconds) for seconds in bench.run_interleaved([bench.remake.setting], 3).values()]
        [3]
    """

    remake: Remake
    step: Callable[[Any], object]
    batches: int
    recording: Recording | None = None
    limit: int | None = None
    """Maximum bytes of resident memory; a setting that uses more fails."""
    failed: dict[Setting, str] = field(default_factory=dict["Setting", str])
    trials: list[Trial] = field(default_factory=list[Trial])

    def run_trial(self, setting: Setting) -> Trial:
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

    def run_interleaved(self, settings: Sequence[Setting], repeats: int) -> dict[Setting, list[float]]:
        """Returns the seconds per sample of each setting, one value per round; each round begins with another setting.

        A setting that fails is excluded. If the first setting fails, its exception is raised.
        """
        seconds: dict[Setting, list[float]] = {setting: [] for setting in settings}
        for round_number in range(repeats):
            first = round_number % len(settings)
            for setting in (*settings[first:], *settings[:first]):
                if setting in self.failed:
                    continue
                start = clock.now()
                try:
                    trial = self.run_trial(setting)
                except Exception as error:
                    if setting == settings[0]:
                        raise
                    self._fail(setting, error, start)
                    continue
                seconds[setting].append(self._record_trial(str(setting), trial, self._mean_over_epoch(trial), start))
        return {setting: values for setting, values in seconds.items() if len(values) == repeats}

    def replay(self, cached_batches: list[Any], setting: Setting) -> float:
        """Returns the seconds per sample without loading time: the step over batches in memory."""
        start = clock.now()
        setting_without_workers = replace(setting, num_workers=0, prefetch_factor=None, persistent_workers=False)
        measured = run_trial(cached_batches, setting_without_workers, batches=len(cached_batches), step=self.step)
        return self._record_trial(REPLAY, measured, measured.seconds / measured.batches, start, variant="ideal")

    def record_conclusion(self, baseline: Setting, best: Setting) -> None:
        """Records the baseline setting, the best setting, and the memory limit."""
        if self.recording is not None:
            self.recording.attribute("optimize.baseline", str(baseline))
            self.recording.attribute("optimize.best", str(best))
            if self.limit is not None:
                self.recording.attribute("optimize.memory_limit", self.limit)

    def _pass(self, loader: Iterable[Any], setting: Setting) -> Trial:
        measured = run_trial(
            loader,
            setting,
            batches=self.batches,
            step=self.step,
            recording=self.recording,
            name=str(setting),
            number=len(self.trials),
        )
        self.trials.append(measured)
        if not measured.batches:
            message = f"cannot time {setting}: too few batches, all of them ({measured.warmup}) are warm-up"
            raise ValueError(argument.add_hint(message, "use more data, or smaller batches"))
        if self.limit is not None and measured.resident_bytes is not None and measured.resident_bytes > self.limit:
            message = f"{measured.resident_bytes / 1e9:.1f} GB are above the limit of {self.limit / 1e9:.1f} GB"
            raise MemoryError(message)
        return measured

    def _mean_over_epoch(self, measured: Trial) -> float:
        """Returns the mean seconds per batch of a whole epoch, computed from the measured start-up and mean step."""
        mean = measured.seconds / measured.batches
        try:
            length = len(self.remake(measured.setting))
        except TypeError:
            length = 0
        if length > 1:
            mean = ((measured.startup_s or 0.0) + mean * (length - 1)) / length
        return mean

    def _record_trial(self, name: str, measured: Trial, seconds: float, start: int, **members: str) -> float:
        """Records a trial and returns its seconds per sample, or per batch if the samples are not known."""
        samples_per_batch = measured.samples / measured.batches if measured.samples else None
        size = None if samples_per_batch is None else measured.setting.batch_size or round(samples_per_batch)
        # the last batch can be smaller: record the time of a full batch
        dur = seconds * 1e9 * (size / samples_per_batch if size and samples_per_batch else 1)
        self._write_rows(name, measured.setting, start, dur=round(dur), size=size, measured=measured, **members)
        return seconds / samples_per_batch if samples_per_batch else seconds

    def _fail(self, setting: Setting, error: Exception, start: int) -> None:
        self.failed[setting] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
        if self.recording is not None:
            self._write_rows(str(setting), setting, start, size=setting.batch_size)
            self.recording.attribute(f"loader.{setting}.failed", self.failed[setting])

    def _write_rows(  # noqa: PLR0913 - the parts of a row
        self,
        name: str,
        setting: Setting,
        start: int,
        *,
        dur: int | None = None,
        size: int | None = None,
        measured: Trial | None = None,
        **members: str,
    ) -> None:
        if self.recording is None:
            return
        self.recording.row("loader", loader=name, **vars(setting))
        results = {} if measured is None else {"batches": measured.batches, "bytes": measured.resident_bytes}
        self.recording.row("trial", loader=name, ts=clock.unix(start), dur=dur, batch_size=size, **results, **members)
