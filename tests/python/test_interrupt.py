"""Long calls let other threads run, and stop completely at Ctrl-C."""

import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S, killed_at_exit, wait_until

pytestmark = pytest.mark.slow

# It would take months, so a call that returns was interrupted.
LONG = "select count(*) from generate_series(1, 1000000000000000) where value % 7 = 3"
TICKS = 200
CHILD = """
import sys, threading, time
import pandas, polars, pyarrow  # they take a while, and hold the GIL meanwhile
import tracelake as tl

s = tl.open(sys.argv[1], ephemeral=True)
calls = {
    "len": lambda: len(s.sql(sys.argv[3])),
    "repr": lambda: repr(s.sql(sys.argv[3])),
    "csv": lambda: s.sql(sys.argv[3]).to_csv(),
    "rows": lambda: next(s.sql(sys.argv[3]).rows()),
    "to_arrow": lambda: s.sql(sys.argv[3]).to_arrow(),
    "to_pandas": lambda: s.sql(sys.argv[3]).to_pandas(),
    "to_polars": lambda: s.sql(sys.argv[3]).to_polars(),
    "figure": lambda: len(s.figure("step_timeline").frames[0]) + len(s.sql(sys.argv[3])),
}

def tick():
    for _ in range(int(sys.argv[4])):
        time.sleep(0.005)
    print("ticked", flush=True)

def engine_is_idle():
    # The time of the other threads: the queries run in threads of the engine.
    begun, before = time.monotonic(), time.process_time() - time.thread_time()
    time.sleep(0.5)
    busy = time.process_time() - time.thread_time() - before
    return busy < 0.02 * (time.monotonic() - begun)

try:
    threading.Thread(target=tick).start()
    calls[sys.argv[2]]()
except KeyboardInterrupt:
    print("interrupted", flush=True)
    while not engine_is_idle():
        pass
    print("idle", len(s.sql("select 1")), flush=True)
"""


@pytest.mark.parametrize("call", ["len", "repr", "csv", "rows", "to_arrow", "to_pandas", "to_polars", "figure"])
def test_ctrl_c_stops_a_query_and_other_threads_continue(profile, call):
    command = [sys.executable, "-c", CHILD, str(profile), call, LONG, str(TICKS)]
    with killed_at_exit(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout.readline() == "ticked\n", "the call blocks other threads"
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n", "the signal does not end the call"
        assert process.stdout.readline() == "idle 1\n", "the query still runs, or the session is unusable"
        assert process.wait(HANG_GUARD_S) == 0


FOREIGN = """
import sys
import pyarrow
import tracelake as tl

s = tl.open(sys.argv[1], ephemeral=True)
try:
    print("ready", flush=True)
    try:
        pyarrow.table(s.sql(sys.argv[2]))
    except pyarrow.ArrowInvalid as error:
        for _ in range(1000):
            pass
        print("not interrupted", error, flush=True)
except KeyboardInterrupt:
    try:
        s.sql("select nothing")
    except tl.errors.QueryError:
        print("interrupted once", flush=True)
"""


def test_ctrl_c_reaches_python_through_a_foreign_reader_and_only_once(profile):
    command = [sys.executable, "-c", FOREIGN, str(profile), LONG]
    with killed_at_exit(subprocess.Popen(command, stdout=subprocess.PIPE, text=True)) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(1)
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.read() == "interrupted once\n"


HANDLER = """
import signal, sys, time
import tracelake as tl

class Late(Exception):
    pass

def late(*_):
    raise Late

s = tl.open(sys.argv[1], ephemeral=True)
signal.signal(signal.SIGALRM, late)
for call in (lambda frame: frame.to_arrow(), len):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        call(s.sql(sys.argv[2]))
    except Late:
        print("late", flush=True)
"""


def test_an_exception_of_a_signal_handler_is_raised(profile):
    command = [sys.executable, "-c", HANDLER, str(profile), LONG]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG_GUARD_S)
    assert done.stdout == "late\nlate\n"


INGEST = """
import json, sys, time
import tracelake as tl

options = json.loads(sys.argv[3])
with tl.open(sys.argv[1]) as lake:
    print("ready", flush=True)
    try:
        lake.ingest(sys.argv[2], run="slow", options=options)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    time.sleep(float(sys.argv[4]))
    print(len(lake.runs()), flush=True)
"""


def test_ctrl_c_stops_an_ingest_before_the_call_returns(s3, profile, tmp_path):
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "job/profiler-output")
    with tl.open(tmp_path / "lake", create=True) as lake:
        lake.ingest(profile, run="before")
    files = sorted(path for path in (tmp_path / "lake").rglob("*") if path.is_file())
    command = [sys.executable, "-c", INGEST, str(tmp_path / "lake"), url, json.dumps(s3.options), "3"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with s3.slow(0.7), killed_at_exit(process):
        assert process.stdout.readline() == "ready\n"
        before = len(s3.requests)
        wait_until(
            lambda: any(request.fetches_an_object for request in s3.requests[before:]), "request for an object", 0.01
        )
        os.kill(process.pid, signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        request_count = len(s3.requests)
        assert process.stdout.read() == "1\n"
    assert len(s3.requests) == request_count, "the ingest went on after the exception"
    assert sorted(path for path in (tmp_path / "lake").rglob("*") if path.is_file()) == files


def test_sessions_can_be_used_from_many_threads(s):
    results, failed = [], []

    def ask():
        try:
            results.append(len(s.step.duration()) + len(s.sql("select 1")))
        except Exception as error:  # noqa: BLE001 - the test checks it
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert results == [3] * 8
