"""Lightning: a profiler and a callback.

Their classes are created on first use, from `lightning` or else `pytorch_lightning`, so that the rest of this package
needs neither.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tracelake.record import clock
from tracelake.record.output.incident import classify_error
from tracelake.record.output.recording import Recording

if TYPE_CHECKING:
    import os

_NEXT = "train_dataloader_next"
_STAGES = {"train": "train", "validation": "eval", "test": "eval", "predict": "predict"}


def TracelakeProfiler(  # noqa: N802 - named as the class of its result
    path: str | os.PathLike[str] | Recording | None = None,
    **recording_options: Any,  # noqa: ANN401 - passed to Recording
) -> Any:  # noqa: ANN401 - a class of Lightning
    """Returns a profiler for `Trainer(profiler=...)` that records each call, not only sums.

    Each action becomes an annotation. The wait for a training batch also becomes a row of table `loader`. All rows are
    written when the trainer tears down its profiler. `recording.close()`, or the end of the program, ends the
    recording.

    Args:
        path: Destination of the recording, see `Recording`; or a shared `Recording`.
        **recording_options: Other arguments of the `Recording`.
    """
    return _profiler()(Recording.get_or_create(path, **recording_options))


def TracelakeCallback(  # noqa: N802 - named as the class of its result
    path: str | os.PathLike[str] | Recording | None = None,
    **recording_options: Any,  # noqa: ANN401 - passed to Recording
) -> Any:  # noqa: ANN401 - a class of Lightning
    """Returns a callback for `Trainer(callbacks=[...])` that records steps and logged values.

    Training, validation, test and prediction batches become rows of table `step`, logged values become rows of table
    `sample`, and an exception becomes an incident.

    Args:
        path: Destination of the recording, see `Recording`; or a shared `Recording`.
        **recording_options: Other arguments of the `Recording`.
    """
    return _callback()(Recording.get_or_create(path, **recording_options))


def _lightning(module: str) -> Any:  # noqa: ANN401 - a module without types
    try:
        return import_module(f"lightning.pytorch.{module}")
    except ImportError:
        pass
    try:
        return import_module(f"pytorch_lightning.{module}")
    except ImportError as error:
        message = (
            f"cannot make a {module.removesuffix('s')} for Lightning: "
            "neither `lightning` nor `pytorch_lightning` can be imported\n  hint:   pip install lightning"
        )
        raise ImportError(message) from error


@cache
def _profiler() -> Any:  # noqa: ANN401, C901 - a class with short methods
    class Profiler(_lightning("profilers").Profiler):
        def __init__(self, recording: Recording) -> None:
            super().__init__()
            self.recording = recording
            self._starts: dict[str, int] = {}
            # the wait for a batch; its compute time is known when the next wait begins
            self._wait: tuple[int, int] | None = None
            self._batch = 0

        def start(self, action_name: str) -> None:
            now = clock.now()
            self._starts[action_name] = now
            if action_name.endswith(_NEXT):
                self._write_wait(now)

        def stop(self, action_name: str) -> None:
            now = clock.now()
            start_time = self._starts.pop(action_name, None)
            if start_time is None:
                return
            if action_name.endswith(_NEXT):
                self._wait = (start_time, now)
            self.recording.row("annotation", name=action_name, ts=clock.unix(start_time), dur=now - start_time)

        def summary(self) -> str:
            return f"recorded in {self.recording.path}"

        def teardown(self, stage: str | None) -> None:
            self._write_wait(None)
            self.recording.flush()
            super().teardown(stage)

        def _write_wait(self, now: int | None) -> None:
            """Writes the row of the previous wait; the time from its end to `now` is compute time."""
            if self._wait is None:
                return
            (wait_start, wait_end), self._wait = self._wait, None
            compute_dur = None if now is None else now - wait_end
            row = {"dur": wait_end - wait_start, "compute_dur": compute_dur, "batch": self._batch}
            self.recording.row("next", loader="train", ts=clock.unix(wait_start), **row)
            self._batch += 1

    return Profiler


@cache
def _callback() -> Any:  # noqa: ANN401 - a class
    class Callback(_lightning("callbacks").Callback):
        def __init__(self, recording: Recording) -> None:
            super().__init__()
            self.recording = recording
            self._starts = 0
            self._numbers = dict.fromkeys(_STAGES, 0)

        def setup(self, trainer: Any, pl_module: Any, stage: str) -> None:  # noqa: ANN401, ARG002 - Lightning's
            self.recording.attribute("lightning.module", type(pl_module).__name__)

        def on_exception(self, trainer: Any, pl_module: Any, exception: BaseException) -> None:  # noqa: ANN401, ARG002
            step = int(trainer.global_step)
            self.recording.incident(classify_error(exception), f"{type(exception).__name__}: {exception}", step=step)

        def teardown(self, trainer: Any, pl_module: Any, stage: str) -> None:  # noqa: ANN401, ARG002 - Lightning's
            self.recording.flush()

        def _end(self, trainer: Any, stage: str) -> None:  # noqa: ANN401 - Lightning's
            number = self._numbers[stage]
            self._numbers[stage] += 1
            now, mode = clock.now(), _STAGES[stage]
            self.recording.row("step", ts=clock.unix(self._starts), dur=now - self._starts, step=number, mode=mode)
            for name, value in trainer.logged_metrics.items() if stage == "train" else ():
                row = {"resource": "training", "metric": name, "value": float(value), "step": number}
                self.recording.row("sample", ts=clock.unix(now), epoch=int(trainer.current_epoch), **row)

    def begin(self: Any, *_: Any, **__: Any) -> None:  # noqa: ANN401 - arguments differ from stage to stage
        self._starts = clock.now()

    for stage in _STAGES:
        # four pairs of functions that differ only in the stage
        def end(self: Any, trainer: Any, *_: Any, _stage: str = stage, **__: Any) -> None:  # noqa: ANN401 - the same
            self._end(trainer, _stage)

        setattr(Callback, f"on_{stage}_batch_start", begin)
        setattr(Callback, f"on_{stage}_batch_end", end)
    return Callback
