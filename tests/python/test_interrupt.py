"""A long query lets other threads run and stops at Ctrl-C."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

LONG = "select count(*) from generate_series(1, 100000000000) where value % 7 = 3"
CHILD = """
import sys, threading, time
import tracelake as tl

s = tl.open(sys.argv[1], ephemeral=True)
calls = {
    "len": lambda: len(s.sql(sys.argv[3])),
    "repr": lambda: repr(s.sql(sys.argv[3])),
    "csv": lambda: s.sql(sys.argv[3]).to_csv(),
    "figure": lambda: len(s.figure("step_timeline").frames[0]) + len(s.sql(sys.argv[3])),
}
ticks, running = 0, True

def tick():
    global ticks
    while running:
        time.sleep(0.005)
        ticks += 1

threading.Thread(target=tick, daemon=True).start()
print("ready", flush=True)
started, before = time.monotonic(), ticks
try:
    calls[sys.argv[2]]()
except KeyboardInterrupt:
    print("interrupted", ticks - before, time.monotonic() - started, len(s.sql("select 1")), flush=True)
"""


@pytest.mark.parametrize("call", ["len", "repr", "csv", "figure"])
def test_ctrl_c_stops_a_query_and_other_threads_run_meanwhile(profile, call):
    command = [sys.executable, "-c", CHILD, str(profile), call, LONG]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            time.sleep(1.5)
            os.kill(process.pid, signal.SIGINT)
            interrupted = time.monotonic()
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert output.startswith("interrupted"), output
    assert process.returncode == 0
    assert time.monotonic() - interrupted < 2
    _, ticks, seconds, rows = output.split()
    assert int(ticks) > 0.3 * float(seconds) / 0.005, "the other thread stood still"
    assert rows == "1", "the session goes on"


def test_sessions_can_be_used_from_many_threads(s):
    found, failed = [], []

    def ask():
        try:
            found.append(len(s.step.duration()) + len(s.sql("select 1")))
        except Exception as error:  # noqa: BLE001 - the test looks at it
            failed.append(error)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert found == [3] * 8
