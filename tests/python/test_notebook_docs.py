"""The blocks of docs/notebooks.md: cells in a real kernel, lines in a shell, SQL in a session."""

import os
import queue
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S
from notebook_kernel import Kernel

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "notebooks.md").read_text(encoding="utf-8")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    kernel = Kernel(tmp_path_factory.mktemp("kernel"))
    assert not kernel.run(f"import os; os.chdir({os.fspath(ROOT)!r})").wait().error
    yield kernel
    kernel.stop()


def completions(kernel, code):
    """Returns the completions of a page at the end of this code."""
    request = kernel.client.complete(code)
    while True:
        try:
            reply = kernel.client.get_shell_msg(timeout=HANG_GUARD_S)
        except queue.Empty:
            pytest.fail(f"guard against hanging: no answer within {HANG_GUARD_S} s")
        if reply["parent_header"].get("msg_id") == request:
            content = reply["content"]
            return [code[: content["cursor_start"]] + match for match in content["matches"]]


def test_cells_of_the_page_run_and_the_tab_key_completes_names(kernel):
    cells = blocks("python")
    assert len(cells) >= 6
    for cell in cells:
        done = kernel.run(cell).wait()
        assert not done.error, (cell, done.text)
    shown = kernel.run("print(len(slow), slow.units['dur'], s.saved_queries())").wait().text
    assert re.fullmatch(r"\d+ ns \[\]\n", shown)
    assert completions(kernel, 's.query("step.outl') == ['s.query("step.outliers']
    assert completions(kernel, "%%tracelake\nselect * from loader_sha") == ["%%tracelake\nselect * from loader_share"]
    assert completions(kernel, "s.step.outliers(fac") == ["s.step.outliers(factor="]
    kernel.client.inspect("s.step.outliers")
    assert kernel.run("s.query('step.duratoin')").wait().error == "NotFoundError"


def test_a_long_ingest_shows_a_bar_and_a_short_one_nothing(kernel):
    code = """
import threading, time, types
import tracelake as tl
now = 0.0
tl.progress.time = types.SimpleNamespace(monotonic=lambda: now)  # the clock of the bar
with tl.progress.reporter(None) as bar:
    bar(0, 4, 0, 4_200_000)
    now = 0.9
    bar(1, 4, 1_050_000, 4_200_000)
    quick = bar._handle is None
    now = 1.1
    worker = threading.Thread(target=bar, args=(2, 4, 2_100_000, 4_200_000))  # as the engine's threads do
    worker.start(); worker.join()
    now = 1.4
    bar(4, 4, 4_200_000, 4_200_000)
print(quick)
"""
    cell = kernel.run(code).wait()
    assert not cell.error
    assert cell.text == "True\n"
    (place,) = cell.displays
    first, *_, end = [state["text/html"] for state in kernel.outputs[place]]
    assert '<progress value="2100000" max="4200000">' in first
    assert end == "<small>read 4 objects, 4.2 MB in 1 s</small>"
    # with this clock, the ingest takes no time
    short = kernel.run("t = tl.open('tests/data/first_look/profiler-output', ephemeral=True)").wait()
    assert (short.displays, short.text, short.error) == ([], "", "")
    assert not kernel.run("tl.progress.time = time").wait().error


def test_lines_of_the_shell_run(profile, tmp_path):
    env = {**os.environ, "TRACELAKE_HOME": os.fspath(tmp_path / "home"), "PYTHONPATH": os.fspath(ROOT / "python")}
    with tl.open(tmp_path / "home", create=True) as session:
        session.ingest(profile)
    lines = [line for block in blocks("sh") for line in block.splitlines()]
    assert len(lines) >= 5
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "tracelake"
        command = [sys.executable, "-m", *words]
        done = subprocess.run(command, env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, (line, done.stderr)


def test_sql_of_the_page_runs(s):
    (text,) = blocks("sql")
    best = next(s.sql(text).rows())
    assert (best["kind"], best["name"]) == ("query", "loader.share")
    assert best["ask"].startswith("loader_share(")
