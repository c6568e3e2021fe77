"""A forked process has no engine: calls are errors, and the parent is not affected."""

import multiprocessing
import os
import warnings
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import tracelake as tl

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")


def in_a_child(work):
    """Returns the result or error of `work` in a forked process, as text."""
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python warns about forks with threads
        pid = os.fork()
    if pid == 0:
        os.close(read)
        try:
            output = repr(work())
        except BaseException as error:  # noqa: BLE001 - the parent checks it
            output = f"{type(error).__name__}: {error}"
        os.write(write, output.encode())
        os.close(write)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        output = pipe.read()
    os.waitpid(pid, 0)
    return output


REFUSAL = "ArgumentError: cannot use a session in a forked process: its threads are those of the parent\n  hint:   open"


@pytest.mark.parametrize(
    "call",
    [
        lambda s: len(s.sql("select 1")),
        lambda s: s.step.duration().to_pandas(),
        lambda s: s.table("step").to_polars(),
        lambda s: s.runs(),
        lambda s: s.refresh(),
        lambda s: s.ingest("nowhere"),
    ],
    ids=["sql", "to_pandas", "to_polars", "runs", "refresh", "ingest"],
)
def test_a_call_in_a_forked_process_is_an_error_with_a_hint(s, call):
    assert in_a_child(lambda: call(s)).startswith(REFUSAL)


def test_a_frame_of_the_parent_is_an_error_unless_it_was_read(s):
    unread, read = s.table("step"), s.table("step")
    assert len(read) == 220
    assert in_a_child(lambda: len(unread)).startswith(REFUSAL)
    assert in_a_child(lambda: len(read)) == "220"


def test_a_child_can_open_its_own_session(s, profile):
    def work():
        with tl.open(profile, ephemeral=True) as session:
            return len(session.table("step"))

    assert len(s.table("step")) == 220
    assert in_a_child(work) == "220"


def test_a_child_does_not_remove_the_temporary_lake_of_its_parent(profile):
    session = tl.open(profile, ephemeral=True)
    folder = Path(unquote(urlsplit(session.url).path))
    frames = [session]

    def work():
        frames.clear()
        globals()["_held"] = None
        return folder.exists()

    del session
    assert in_a_child(work) == "True"
    assert folder.exists()
    assert len(frames[0].table("step")) == 220
    frames.clear()
    assert not folder.exists()


def count(session):
    try:
        return len(session.table("step"))
    except tl.errors.ArgumentError as error:
        return str(error)


def test_multiprocessing_by_fork_gets_the_error_and_no_deadlock(s):
    context = multiprocessing.get_context("fork")
    queue = context.SimpleQueue()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        process = context.Process(target=lambda: queue.put(count(s)))
        process.start()
    process.join(30)
    try:
        assert process.exitcode == 0
    finally:
        process.kill()
    assert queue.get().startswith("cannot use a session in a forked process")
