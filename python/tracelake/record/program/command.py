"""`tracelake record -- python train.py`: records a program without a change to its code."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from tracelake.frame import text_rows
from tracelake.record import clock
from tracelake.record.hardware.machine import Machine
from tracelake.record.loader.times import LOAD_HIGH
from tracelake.record.output.recording import Recording
from tracelake.record.program.attach import ENVIRONMENT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tracelake.session import Session


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a program, ingests its recording, prints the result, and returns the program's exit code.

    Example:
        >>> folder = tempfile.mkdtemp()
        >>> main(["--lake", folder + "/lake", "--every", "0", "--", sys.executable, "-c", "raise SystemExit(3)"])
        3
    """
    parser = argparse.ArgumentParser("tracelake record", description="Runs a Python program and records its loaders.")
    parser.add_argument("--lake", help="lake that stores the recording (default: the default lake)")
    parser.add_argument("--run", help="name of the run (default: name of the program and time)")
    parser.add_argument("--path", help="folder or s3://... in which to store the recording files")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between machine samples; 0 for none")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="option of the store")
    parser.add_argument("program", nargs="+", help="the program and its arguments, after --")
    parsed = parser.parse_args(arguments)
    program: list[str] = parsed.program
    run = parsed.run or f"{_program_name(program)}-{time.strftime('%Y%m%d-%H%M%S')}"
    options = dict(option.partition("=")[::2] for option in parsed.option)
    with tempfile.TemporaryDirectory(prefix="tracelake-record-") as temporary:
        path = parsed.path or temporary
        attributes = {"command": shlex.join(program), "working_directory": str(Path.cwd()), **_commit()}
        try:
            rows = Recording(path, name="machine", run=run, attributes=attributes, options=options)
        except (OSError, ValueError) as error:
            print(f"tracelake record: {error}", file=sys.stderr)  # noqa: T201 - a command prints
            return 4
        with rows:
            code = _run_program(rows, program, {"path": path, "run": run, "options": options}, parsed.every)
        outcome = _ingest(path, run, parsed.lake, options)
    print(f"tracelake record: {outcome}", file=sys.stderr)  # noqa: T201 - a command prints
    return code


def _run_program(rows: Recording, program: list[str], recording_options: dict[str, object], every: float) -> int:
    folder = Path(__file__).parent
    paths = [str(folder / "hook"), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        ENVIRONMENT: json.dumps(recording_options),
        "TRACELAKE_RECORD_HOME": str(folder.parents[2]),
        "PYTHONPATH": os.pathsep.join(paths),
    }
    start = clock.now()
    try:
        process = subprocess.Popen(program, env=environment)  # noqa: S603 - the program that the user names
    except OSError as error:
        print(f"tracelake record: cannot run {program[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 - the same
        return 127

    # Ctrl-C also reaches the program, which decides what to do; SIGTERM reaches only this process, so it is forwarded
    previous_handlers = [
        (signal.SIGINT, signal.signal(signal.SIGINT, signal.SIG_IGN)),
        (signal.SIGTERM, signal.signal(signal.SIGTERM, lambda number, _frame: process.send_signal(number))),
    ]
    machine = Machine(rows, every, process.pid).start() if every > 0 else None
    try:
        code = process.wait()
    finally:
        for number, handler in previous_handlers:
            signal.signal(number, handler)
        if machine is not None:
            machine.stop()
    end = clock.now()
    rows.row("annotation", name="program", ts=clock.unix(start), dur=end - start)
    rows.attribute("exit_code", code)
    if code < 0:
        rows.incident("program_exit", f"killed by signal {-code} ({signal.Signals(-code).name})")
    return code if code >= 0 else 128 - code


def _ingest(path: str, run: str, lake: str | None, options: dict[str, str]) -> str:
    import tracelake  # noqa: PLC0415 - needed only after the program has run

    try:
        with tracelake.open(lake, create=lake is not None, options=options) as session:
            session.ingest(path, run=run, options=options, progress=False)
            return f"run {run}: {verdict(session, run)}"
    except tracelake.TracelakeError as error:
        return f"{error}"


def verdict(session: Session, run: str) -> str:
    """Returns one sentence about the data loading of a run.

    Example:
        >>> verdict(s, "first_look").startswith("no loader was seen")
        True
    """
    frame = session.sql(
        """
        select count(*) as batches, sum(dur) / sum(dur + compute_dur) as load_ratio,
          sum(dur) filter (where batch > 0) / sum(dur + compute_dur) filter (where batch > 0) as without_first
        from (select cast(dur as double) as dur, cast(compute_dur as double) as compute_dur, batch from loader
          where kind = 'next' and compute_dur is not null and run = $run)
        """,
        run=run,
    )
    (row,) = text_rows(frame)
    batches, ratio, ratio_without_first = (float(value) if value else None for value in row.values())
    if not batches or ratio is None:
        return "no loader was seen: the program drew no batch from a DataLoader of PyTorch"
    share = ratio if ratio_without_first is None else ratio_without_first
    conclusion = "loading is a bottleneck" if share > LOAD_HIGH else "loading is not a bottleneck"
    first = "" if ratio_without_first is None else f" ({ratio:.1%} with the first batch of each epoch)"
    return f"{batches:.0f} batches, load ratio {share:.1%}{first}, limit {LOAD_HIGH:.0%}: {conclusion}"


def _program_name(program: list[str]) -> str:
    scripts = [argument for argument in program if argument.endswith(".py")]
    return Path(scripts[0] if scripts else program[0]).stem


def _commit() -> dict[str, str]:
    """Returns the commit of the working folder, or nothing without git."""

    def git(*arguments: str) -> str | None:
        try:
            process = subprocess.run(  # noqa: S603 - no argument comes from the user
                ["git", *arguments],  # noqa: S607 - the user's git
                capture_output=True,
                text=True,
                timeout=5,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        return process.stdout.strip() if process.returncode == 0 else None

    commit = git("rev-parse", "HEAD")
    if not commit:
        return {}
    changed = git("status", "--porcelain", "--untracked-files=no")
    return {"git_commit": commit, "git_changed": "true" if changed else "false"}
