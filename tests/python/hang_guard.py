"""Guards against hanging. Tests assert no wall-clock times: they wait for events, and a guard ends an endless wait."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from subprocess import Popen
from typing import TypeVar

HANG_GUARD_S = 300
"""Seconds after which a wait fails. This guards against hanging and asserts nothing about speed."""

Result = TypeVar("Result")


def wait_until(condition: Callable[[], Result], event: str, pause: float = 0.02) -> Result:
    """Polls until the condition is true and returns its value."""
    deadline = time.monotonic() + HANG_GUARD_S
    while not (value := condition()):
        assert time.monotonic() < deadline, f"guard against hanging: no {event} within {HANG_GUARD_S} s"
        time.sleep(pause)
    return value


def run_guarded(call: Callable[[], Result]) -> Result:
    """Runs a call that must end, and returns its result or raises its error."""
    results: list[Result] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - the caller's thread raises it
            errors.append(error)

    # A daemon thread does not keep the interpreter alive if the call never ends.
    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(HANG_GUARD_S)
    assert not thread.is_alive(), f"guard against hanging: the call did not end within {HANG_GUARD_S} s"
    if errors:
        raise errors[0]
    return results[0]


@contextmanager
def killed_at_exit(process: Popen) -> Iterator[Popen]:
    """Kills the process at the end of the block, or when the hang guard expires, which ends a blocked read."""

    def kill() -> None:
        print(f"guard against hanging: killed the process after {HANG_GUARD_S} s", file=sys.stderr)  # noqa: T201
        process.kill()

    guard = threading.Timer(HANG_GUARD_S, kill)
    guard.start()
    try:
        with process:
            try:
                yield process
            finally:
                process.kill()
    finally:
        guard.cancel()
