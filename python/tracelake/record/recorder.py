"""Records a plain training loop: steps, phases, annotations, values, and the machine."""

from __future__ import annotations

import functools
import json
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from tracelake.record import argument, clock
from tracelake.record.hardware.accelerator import synchronizer
from tracelake.record.hardware.machine import Machine
from tracelake.record.loader.profiler import LoaderProfiler
from tracelake.record.output.incident import classify_error
from tracelake.record.output.recording import Recording

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from typing_extensions import Self

_MODES = ("train", "eval", "predict", "global")
Function = TypeVar("Function", bound="Callable[..., Any]")


class Recorder:
    """Records a loop that marks the start and the end of its steps and phases.

    Spans are context managers and decorators. The recorder is closed by `with`, by `close`, or at the end of the
    program.

    Args:
        path: Destination of the recording, see `Recording`; or a shared `Recording`.
        machine: Seconds between samples of processors, memory, disks, network and GPUs; `None` for no samples.
        synchronize: Waits for the accelerator at the end of steps and phases, so that they include its work: `True` for
            PyTorch's accelerator, or a function.
        run: Name of the run.
        attributes: Attributes of the run.
        **recording_options: Other arguments of the `Recording`.

    Raises:
        TypeError: An option is of the wrong type.
        ValueError: A number is out of range.
        OSError: The path is not writable.

    Example:
        >>> folder = tempfile.mkdtemp()
        >>> with tl.record.Recorder(folder, machine=None) as recorder:
        ...     for batch in recorder.loader([[1, 2], [3, 4]], name="train"):
        ...         with recorder.step():
        ...             with recorder.phase("forward"):
        ...                 pass
        >>> with tl.open(folder, ephemeral=True) as session:
        ...     session.sql("select step from event where category = 'phase' order by ts").to_csv().split()
        ['step', '0', '1']
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | Recording | None = None,
        *,
        machine: float | None = 1.0,
        synchronize: bool | Callable[[], object] = False,
        run: str | None = None,
        attributes: Mapping[str, object] | None = None,
        **recording_options: Any,  # noqa: ANN401 - passed to Recording
    ) -> None:
        if machine is not None:
            argument.check_number(machine, "machine", exclusive=True)
        self._shared = isinstance(path, Recording)
        self.recording = Recording.get_or_create(path, run=run, attributes=attributes, **recording_options)
        self._synchronize = synchronizer(synchronize)
        self._machine = None if machine is None else Machine(self.recording, machine).start()
        self._next = 0
        self._step: int | None = None

    def __enter__(self) -> Self:
        """Returns the recorder itself."""
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Records an exception that ended the loop, and closes the recording."""
        if isinstance(error, Exception):
            self.recording.incident(classify_error(error), f"{type(error).__name__}: {error}", step=self._step)
        self.close()

    def close(self) -> None:
        """Stops sampling the machine and closes the recording; a shared recording stays open.

        Example:
            >>> tl.record.Recorder(tempfile.mkdtemp(), machine=None).close()
        """
        if self._machine is not None:
            self._machine.stop()
        self.recording.flush() if self._shared else self.recording.close()

    def loader(self, loader: Iterable[Any], name: str = "loader", **profiler_options: Any) -> LoaderProfiler[Any]:  # noqa: ANN401 - passed on
        """Returns a `LoaderProfiler` that writes to this recording.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     list(recorder.loader([1, 2]))
            [1, 2]
        """
        return LoaderProfiler(loader, self.recording, name=name, **profiler_options)

    def step(self, number: int | None = None, mode: str = "train") -> Span:
        """Returns a span for a step of the loop.

        Args:
            number: Number of the step. The default is the number after the previous step.
            mode: train, eval, predict or global.

        Raises:
            TypeError: `number` is not a whole number, for example because a decorator lacks its parentheses.
            ValueError: The mode is unknown, or the number is below 0.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     @recorder.step()
            ...     def train_one(batch):
            ...         return sum(batch)
            ...     train_one([1, 2])
            3
        """
        if callable(number):
            message = f"cannot begin step {argument.describe(number)}: the decorator needs parentheses"
            raise TypeError(argument.add_hint(message, "@recorder.step()"))
        if number is not None:
            argument.check_whole_number(number, "number", minimum=0)
        if mode not in _MODES:
            message = f"cannot begin a step of mode {mode!r}; one of: {', '.join(_MODES)}"
            raise ValueError(message)
        return Span(self, "step", number=number, mode=mode)

    def phase(self, name: str) -> Span:
        """Returns a span for a phase of a step, such as forward or backward.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     with recorder.phase("backward"):
            ...         pass
        """
        return Span(self, "phase", name=_check_name(name, "phase"))

    def annotation(self, name: str, **args: object) -> Span:
        """Returns a span for any other interval; `args` are recorded with it.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     with recorder.annotation("checkpoint", path="last.pt"):
            ...         pass
        """
        return Span(self, "annotation", name=_check_name(name, "annotation"), args=args or None)

    def mark(self, name: str, **args: object) -> None:
        """Records an instant.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     recorder.mark("learning rate halved", lr=0.05)
        """
        ts = clock.unix(clock.now())
        tid = threading.get_native_id()
        self.recording.row("annotation", name=name, ts=ts, step=self._step, tid=tid, args=args or None)

    def scalar(self, name: str, value: float, unit: str | None = None, step: int | None = None) -> None:
        """Records a value of the training, such as its loss.

        Raises:
            TypeError: The value is not a number.

        Example:
            >>> with tl.record.Recorder(tempfile.mkdtemp(), machine=None) as recorder:
            ...     recorder.scalar("loss", 0.5)
        """
        step = self._step if step is None else step
        try:
            number = float(value)
        except (TypeError, ValueError) as error:
            message = f"cannot record {argument.describe(value)} as scalar `{name}`: expected a number"
            raise TypeError(message) from error
        row = {"resource": "training", "metric": name, "value": number, "unit": unit, "step": step}
        self.recording.row("sample", ts=clock.unix(clock.now()), **row)

    def _begin(self, span: Span) -> None:
        if span.kind == "step":
            number = span.members["number"]
            self._step = self._next if number is None else int(number)
            self._next = self._step + 1

    def _end(self, span: Span, start: int, *, complete: bool) -> None:
        if self._synchronize is not None:
            self._synchronize()
        dur, ts = clock.now() - start, clock.unix(start)
        if span.kind == "step":
            incomplete = "" if complete else ',"complete":false'
            mode = json.dumps(span.members["mode"])
            self.recording.write(
                f'{{"kind":"step","ts":{ts},"dur":{dur},"step":{self._step},"mode":{mode}{incomplete}}}'
            )
            self._step = None
        else:
            tid = threading.get_native_id()
            self.recording.row(span.kind, ts=ts, dur=dur, step=self._step, tid=tid, **span.members)


def _check_name(name: object, kind: str) -> str:
    if not isinstance(name, str):
        message = f"cannot name a{'n' * (kind[0] == 'a')} {kind} {argument.describe(name)}: expected a text"
        raise TypeError(argument.add_hint(message, f'recorder.{kind}("a name"), also as a decorator'))
    return name


class Span:
    """A recorded interval: a context manager, and a decorator that records an interval per call."""

    def __init__(self, recorder: Recorder, kind: str, **members: Any) -> None:  # noqa: ANN401 - members of the row
        self.kind = kind
        self.members = members
        self._recorder = recorder
        self._starts: list[int] = []

    def __enter__(self) -> Self:
        """Starts the interval."""
        self._recorder._begin(self)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - of this module
        self._starts.append(clock.now())
        return self

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        """Ends the interval; after an exception, a step is marked as incomplete."""
        self._recorder._end(self, self._starts.pop(), complete=error is None)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] - of this module

    def __call__(self, function: Function) -> Function:
        """Returns the function with a recorded interval per call."""

        @functools.wraps(function)
        def recorded(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - arguments of the function
            with Span(self._recorder, self.kind, **self.members):
                return function(*args, **kwargs)

        return recorded  # type: ignore[return-value] - a wrapper of the same signature
