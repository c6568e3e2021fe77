"""Runs the recorders with the real PyTorch and Lightning: they must name the planted causes.

This is a separate program, not part of `make test`: `make test-recorders` runs it in an environment that has torch and
lightning. Results are compared with timestamps that the datasets and loops take themselves.
"""

import contextlib
import csv
import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

import torch
from causes import BATCH, Dies, Hangs, Items, Raises, SlowCollate, SlowItem, SlowWorker, Stream
from torch.utils.data import DataLoader

import tracelake as tl
from tracelake import record

HERE = Path(__file__).parent


def cell(text):
    """Converts a CSV cell to a value."""
    known = {"": None, "true": True, "false": False}
    for kind in (int, float):
        with contextlib.suppress(ValueError):
            return kind(text)
    return known.get(text, text)


def query(session, sql):
    """Returns the rows of a result as tuples; CSV needs no library."""
    return [tuple(map(cell, row)) for row in list(csv.reader(io.StringIO(session.sql(sql).to_csv())))[1:]]


def query_rows(folder, sql):
    """Returns the rows of a query over a recording."""
    with tl.open(folder, ephemeral=True) as session:
        return query(session, sql)


def run_loop(loader, folder, epochs=1, step=0.0, **how):
    """Runs a loop over a loader; returns its own waits and steps, in ns."""
    durations = []
    with record.LoaderProfiler(loader, folder, name="train", **how) as profiler:
        for _ in range(epochs):
            end = None
            for _ in profiler:
                begun = time.monotonic_ns()
                time.sleep(step)
                if end is not None:
                    durations.append((begun - end, time.monotonic_ns() - begun))
                end = time.monotonic_ns()
    return durations


def expect_error(kind, loader, folder):
    """Returns the exception of a pass over a loader, which must raise."""
    try:
        run_loop(loader, folder)
    except kind as error:
        return str(error)
    raise AssertionError(kind)


def loaders():
    """Yields settings that must not change the result."""
    for workers in (0, 2, 4):
        yield workers, None if workers == 0 else "fork"
    # each spawned worker imports PyTorch again
    yield 2, "spawn"


def test_all_items_and_waits_are_recorded(folder):
    for workers, method in loaders():
        path = folder / f"{workers}-{method}"
        loader = DataLoader(Items(40, 0.002), batch_size=BATCH, num_workers=workers, multiprocessing_context=method)
        durations = run_loop(loader, path, epochs=2, step=0.001)
        items = query_rows(
            path, "select epoch, item, worker, bytes from loader where kind = 'item' order by epoch, item"
        )
        assert [(epoch, item) for epoch, item, *_ in items] == [(epoch, item) for epoch in (0, 1) for item in range(40)]
        known = {None} if workers == 0 else set(range(workers))
        assert {worker for *_, worker, _ in items} == known, (workers, method)
        assert {size for *_, size in items} == {16}
        sql = "select epoch, batch, dur, compute_dur from loader where kind = 'next' order by epoch, batch"
        waits = query_rows(path, sql)
        assert [(epoch, batch) for epoch, batch, *_ in waits] == [
            (epoch, batch) for epoch in (0, 1) for batch in range(5)
        ]
        # the loop's own wait encloses the recorded one; the first wait of an epoch has no timestamp before it
        recorded = [dur for _, batch, dur, _ in waits if batch > 0]
        assert all(dur <= own for dur, (own, _) in zip(recorded, durations, strict=True)), (
            workers,
            method,
            waits,
            durations,
        )
        if workers == 0:
            # without workers, the items of a batch are created during the wait, each in at least 2 ms
            assert min(recorded) >= BATCH * 2_000_000, (method, recorded)
        computed = [compute for _, _, _, compute in waits if compute is not None]
        assert min(computed) >= 1_000_000, (workers, method, computed)
        timeline = (
            "select epoch, batch, items, collate_dur > 0, queue_dur is null from loader_workers_timeline order by 1, 2"
        )
        expected = [(epoch, batch, BATCH, True, workers == 0) for epoch in (0, 1) for batch in range(5)]
        assert query_rows(path, timeline) == expected, (workers, method)
        lives = query_rows(path, "select count(*), count(distinct pid) from loader_workers")
        assert lives == [(2 * workers, 2 * workers)]
        assert loader.dataset.__class__ is Items
        assert query_rows(path, "select count(*) from problem") == [(0,)]


def test_persistent_workers_restart_batch_numbers(folder):
    loader = DataLoader(Items(40, 0.001), batch_size=BATCH, num_workers=2, persistent_workers=True)
    with record.LoaderProfiler(loader, folder, name="train") as profiler:
        for epoch in range(3):
            for number, _ in enumerate(profiler):
                if epoch == 1 and number == 1:
                    break
    counted = query_rows(folder, "select epoch, count(*) from loader where kind = 'next' group by epoch order by epoch")
    assert counted == [(0, 5), (1, 2), (2, 5)]
    row_counts = query_rows(
        folder, "select distinct epoch, batch from loader where kind = 'item' and epoch in (0, 2) order by 1, 2"
    )
    assert row_counts == [(epoch, batch) for epoch in (0, 2) for batch in range(5)]
    assert query_rows(folder, "select bool_and(persistent_workers) from loader where kind = 'next'") == [(True,)]
    del loader, profiler


def test_one_slow_item_of_ten_thousand_is_named(folder):
    loader = DataLoader(SlowItem(10_000, 7777, 1.1), batch_size=64, num_workers=2)
    run_loop(loader, folder)
    slow = query_rows(folder, "select item, worker, dur_max > 1.1e9, message from loader_items(1)")
    ((item, worker, long, message),) = slow
    assert (item, long) == (7777, True)
    assert worker in (0, 1)
    assert "item 7777 took" in message
    assert message.endswith("/pictures/7777.png")
    assert query_rows(folder, "select kind, incidents, item from incident_summary") == [("slow_item", 1, 7777)]


def test_one_slow_worker_is_named(folder):
    run_loop(DataLoader(SlowWorker(240, 2), batch_size=BATCH, num_workers=3), folder)
    compared = dict(query_rows(folder, "select worker, relative from loader_workers_compared"))
    assert max(compared, key=compared.get) == 2, compared
    assert compared[2] > 1.5, compared


def test_a_slow_collate_function_is_distinguished_from_slow_items(folder):
    run_loop(DataLoader(Items(40, 0.001), batch_size=BATCH, num_workers=2, collate_fn=SlowCollate(0.03)), folder)
    for item, collate in query_rows(folder, "select item_p50, collate_p50 from loader_workers_compared"):
        assert collate >= 30e6
        assert item < collate / 3


def test_a_killed_worker_is_named(folder):
    for method in ("fork", "spawn"):
        path = folder / method
        loader = DataLoader(Dies(40, 13), batch_size=BATCH, num_workers=2, multiprocessing_context=method)
        assert "worker" in expect_error(RuntimeError, loader, path)
        # worker 1 creates batch 1
        assert query_rows(path, "select kind, worker from incident") == [("worker_exit", 1)]


def test_an_exception_in_a_worker_is_named_with_its_item(folder):
    for workers, method in loaders():
        path = folder / f"{workers}-{method}"
        loader = DataLoader(Raises(40, 13), batch_size=BATCH, num_workers=workers, multiprocessing_context=method)
        assert "no image" in expect_error(ValueError, loader, path)
        incidents = query_rows(path, "select kind, item, worker, message from incident")
        expected = None if workers == 0 else 1
        assert incidents == [("exception", 13, expected, "ValueError: no image 13")], (workers, method, incidents)


def test_a_worker_that_hangs_is_a_timeout(folder):
    loader = DataLoader(Hangs(40, 13, 60.0), batch_size=BATCH, num_workers=2, timeout=3)
    assert "timed out" in expect_error(RuntimeError, loader, folder)
    assert query_rows(folder, "select kind from incident") == [("worker_timeout",)]


def test_iterable_datasets_are_recorded(folder):
    for workers in (0, 2):
        path = folder / str(workers)
        run_loop(DataLoader(Stream(20), batch_size=BATCH, num_workers=workers), path)
        items = query_rows(
            path, "select worker, count(*) from loader where kind = 'item' group by worker order by worker"
        )
        assert items == ([(None, 20)] if workers == 0 else [(0, 20), (1, 20)])
        item_counts = Counter(
            query_rows(path, "select items from loader_workers_timeline where collate_dur is not null")
        )
        assert item_counts == Counter({(8,): 2 * max(workers, 1), (4,): max(workers, 1)})


def train(folder, script, *arguments):
    """Runs a script below `tracelake record`; returns its stderr and its exit code."""
    command = [
        sys.executable,
        "-m",
        "tracelake.record",
        "--lake",
        str(folder / "lake"),
        "--run",
        "job",
        "--every",
        "0.2",
    ]
    done = subprocess.run(
        [*command, "--", sys.executable, str(HERE / script), *arguments], capture_output=True, text=True, check=False
    )
    return done.stderr, done.returncode


def test_a_program_is_recorded_without_changing_it(folder):
    output, code = train(folder, "train.py", "0.02", "0.01", "0")
    assert code == 0, output
    assert "run job: 20 batches, load ratio " in output, output
    with tl.open(folder / "lake") as session:
        rows = query(session, "select dur, compute_dur from loader where kind = 'next'")
        assert len(rows) == 20
        assert min(dur for dur, _ in rows) >= 0.02 * 1e9
        noted = dict(query(session, "select key, value from run_attribute"))
        assert noted["version.torch"] == torch.__version__
        assert "train.py" in noted["command"]
        assert noted["exit_code"] == 0
    output, code = train(folder / "fails", "train.py", "0.02", "0.01", "2", "fail")
    assert code == 1
    assert "ValueError" in output
    # a failed program is also in the lake, with the events of its workers
    with tl.open(folder / "fails" / "lake") as session:
        items = query(session, "select worker, item from loader where kind = 'item' order by item")
        assert items == [(item // 4 % 2, item) for item in range(80)]
        assert query(session, "select kind from loader where kind = 'next'") == [("next",)] * 20


def test_a_leak_shows_in_the_memory_of_its_process(folder):
    # from the first batch to the last: memory of PyTorch's start and end is not a leak
    sql = """
        select max(value) - min(value) as grown
        from sample
        where metric = 'rss'
          and ts >= (select min(ts) from loader where kind = 'next')
          and ts <= (select max(ts) from loader where kind = 'next')
        group by device
    """
    grown = []
    for how in ("keep", "drop"):
        output, code = train(folder / how, "leak.py", how)
        assert code == 0, output
        with tl.open(folder / how / "lake") as session:
            grown.append(max(most for (most,) in query(session, sql)))
    leaked, dropped = grown
    # 40 batches of 6 MB, minus those before the first sample and after the last one
    assert 120e6 < leaked < 250e6, grown
    assert dropped < 60e6, grown


def trainer(rows):
    """Returns a Lightning trainer with our profiler and callback."""
    import lightning.pytorch as lightning  # noqa: PLC0415 - takes seconds

    quiet = ("logger", "enable_checkpointing", "enable_progress_bar", "enable_model_summary")
    return lightning.Trainer(
        max_epochs=2,
        accelerator="cpu",
        profiler=record.TracelakeProfiler(rows),
        callbacks=[record.TracelakeCallback(rows)],
        log_every_n_steps=1,
        **dict.fromkeys(quiet, False),
    )


def test_lightning_calls_are_recorded_individually(folder):
    from module import Module  # noqa: PLC0415 - takes seconds

    module = Module()
    with record.Recording(folder) as rows:
        trainer(rows).fit(module, DataLoader(Items(24, 0.003), batch_size=BATCH))
    assert len(module.times) == 6
    # each call contains the timestamps of the module during it, and none of the next call
    base = record.clock.BASE
    span = f"ts - {base} as begun, ts + dur - {base} as ended"
    of_batches = "from event where category = 'annotation' and name = 'run_training_batch'"
    for sql in (f"select {span} {of_batches} order by begun", f"select {span} from step order by step"):
        for (begun, ended), (first, last) in zip(query_rows(folder, sql), module.times, strict=True):
            assert begun <= first < last <= ended, sql
    waits = query_rows(folder, "select dur, compute_dur from loader where kind = 'next' order by batch")
    assert len([wait for wait, _ in waits if wait >= BATCH * 3_000_000]) == 6, waits
    assert query_rows(folder, "select mode, count(*) from step group by mode") == [("train", 6)]
    assert query_rows(folder, "select count(*) from sample where metric = 'loss' and value is not null") == [(6,)]


def test_an_exception_in_lightning_is_an_incident(folder):
    from module import Module  # noqa: PLC0415 - takes seconds

    with record.Recording(folder) as rows:
        try:
            trainer(rows).fit(Module(), DataLoader(Raises(24, 13), batch_size=BATCH))
        except ValueError as error:
            assert "no image 13" in str(error)  # noqa: PT017 - without pytest
    # the second batch: one step was complete
    assert query_rows(folder, "select kind, step, message from incident") == [
        ("exception", 1, "ValueError: no image 13")
    ]
    assert query_rows(folder, "select count(*) from step") == [(1,)]


def print_line(text):
    """Prints a line without buffering."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def main():
    """Runs all tests, or the named ones."""
    chosen = sys.argv[1:]
    tests = [
        (name, test) for name, test in globals().items() if name.startswith("test_") and (not chosen or name in chosen)
    ]
    failed = 0
    for name, test in tests:
        begun = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Path(folder))
                outcome = "ok"
            except Exception:  # noqa: BLE001 - the other tests run after any failure
                traceback.print_exc()
                outcome = "FAILED"
                failed += 1
        print_line(f"{outcome:<8}{name} ({time.monotonic() - begun:.1f} s)")
    print_line(f"recorders: {len(tests) - failed} passed, {failed} failed")
    sys.exit(bool(failed))


if __name__ == "__main__":
    os.environ.setdefault("TRACELAKE_HOME", tempfile.mkdtemp())
    multiprocessing.freeze_support()
    main()
