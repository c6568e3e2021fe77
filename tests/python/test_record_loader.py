"""`tracelake.record.LoaderProfiler` over plain iterables, compared with timestamps of the same loop."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

import tracelake as tl
from record_rows import query_rows
from slow_loader import TIME, simulated
from tracelake import record

on_simulated_time = pytest.mark.usefixtures(simulated.__name__)


class Loader:
    """Batches with delays, and attributes of a loader."""

    dataset = ("a", "b")
    num_workers = 0
    batch_size = 4

    def __init__(self, batches=30, load=0.005, first=None):
        self.batches, self.load, self.first = batches, load, first

    def __len__(self):
        return self.batches

    def __iter__(self):
        for number in range(self.batches):
            TIME.sleep(self.load if number or self.first is None else self.first)
            yield [number] * 4


class RealLoader(Loader):
    """Uses real time, and measures the time in the loader and in the loop."""

    def __init__(self):
        super().__init__()
        self.loading, self.away = [], []

    def __iter__(self):
        for number in range(self.batches):
            begun = time.monotonic_ns()
            time.sleep(self.load)
            ready = time.monotonic_ns()
            self.loading.append(ready - begun)
            yield [number] * 4
            self.away.append(time.monotonic_ns() - ready)


def rows(folder, sql):
    with tl.open(folder, ephemeral=True) as session:
        return query_rows(session, sql)


def test_loading_and_computing_are_separated(tmp_path):
    """A recorded time lies between the times of an inner and an outer clock."""
    inner, waiting, computing = RealLoader(), [], []
    with record.LoaderProfiler(inner, tmp_path / "run", name="train") as loader:
        end = time.monotonic_ns()
        for _ in loader:
            begun = time.monotonic_ns()
            waiting.append(begun - end)
            time.sleep(0.020)
            end = time.monotonic_ns()
            computing.append(end - begun)
    actual = rows(tmp_path / "run", "select dur, compute_dur from loader where kind = 'next' order by batch")
    loads, computes = zip(*actual, strict=True)
    assert len(actual) == 30
    assert all(low <= load <= high for low, load, high in zip(inner.loading, loads, waiting, strict=True))
    assert all(low <= compute <= high for low, compute, high in zip(computing, computes, inner.away, strict=True))


@on_simulated_time
def test_recorded_times_exclude_the_recorder(tmp_path):
    by_hand = []
    with record.LoaderProfiler(Loader(), tmp_path / "run") as loader:
        end = TIME.now()
        for _ in loader:
            begun = TIME.now()
            TIME.sleep(0.020)
            by_hand.append((begun - end, TIME.now() - begun))
            end = TIME.now()
    assert rows(tmp_path / "run", "select dur, compute_dur from loader where kind = 'next' order by batch") == by_hand
    total = sum(load for load, _ in by_hand) / sum(load + compute for load, compute in by_hand)
    assert loader.summary()[0]["load_ratio"] == pytest.approx(total, rel=1e-9)


@on_simulated_time
def test_the_summary_equals_the_rows(tmp_path):
    with record.LoaderProfiler(Loader(12, first=0.05), tmp_path / "run") as loader:
        for _ in range(2):
            for _ in loader:
                TIME.sleep(0.001)
    sql = """
        select epoch, count(*), sum(batch_size), sum(dur) / 1e9, stddev(dur) / 1e9, min(dur) / 1e9, max(dur) / 1e9,
          sum(dur) / cast(sum(dur + compute_dur) as double),
          sum(dur) filter (where batch > 0) / cast(sum(dur + compute_dur) filter (where batch > 0) as double),
          count(*) / (sum(dur + compute_dur) / 1e9)
        from loader where kind = 'next' group by epoch order by epoch
    """
    names = (
        "epoch num_batches samples load_time load_std_time load_min_time load_max_time load_ratio "
        "load_ratio_without_first throughput"
    )
    for actual, summary in zip(rows(tmp_path / "run", sql), loader.summary(), strict=True):
        assert actual == pytest.approx([summary[name] for name in names.split()], rel=1e-9)
        assert summary["samples"] == 48
        assert summary["total_time"] == pytest.approx(summary["load_time"] + summary["compute_time"])
        assert summary["load_first_time"] >= 0.05
        assert summary["load_ratio_without_first"] < summary["load_ratio"]


def test_a_pass_ends_at_an_early_exit(tmp_path):
    with record.LoaderProfiler(Loader(), tmp_path / "run") as loader:
        for number, _ in enumerate(loader):
            if number == 2:
                break
        assert len(list(loader)) == 30
    passes = rows(tmp_path / "run", "select epoch, batches, dur is null from loader where kind = 'pass' order by epoch")
    assert passes == [(0, 3, True), (1, 30, False)]
    unknown = rows(tmp_path / "run", "select epoch, batch from loader where kind = 'next' and compute_dur is null")
    assert unknown == [(0, 2)]


def test_an_exception_is_an_incident_and_keeps_earlier_rows(tmp_path):
    def loader():
        yield 1
        message = "no image"
        raise ValueError(message)

    with record.LoaderProfiler(loader(), tmp_path / "run") as profiler, pytest.raises(ValueError, match="no image"):
        list(profiler)
    assert rows(tmp_path / "run", "select kind, message from incident") == [("exception", "ValueError: no image")]
    assert rows(tmp_path / "run", "select count(*) from loader where kind = 'next'") == [(1,)]


def test_attributes_belong_to_the_loader(tmp_path):
    inner = Loader()
    with record.LoaderProfiler(inner, tmp_path / "run") as loader:
        assert (loader.dataset, loader.batch_size, len(loader)) == (("a", "b"), 4, 30)
        loader.batch_size = 8
        assert inner.batch_size == 8
        with pytest.raises(AttributeError):
            _ = loader.sampler
        list(loader)
    described = rows(tmp_path / "run", "select distinct num_workers, batch_size from loader where kind = 'init'")
    assert described == [(0, 8)]


@on_simulated_time
def test_the_manual_interface_of_tutorials_works(tmp_path, capsys):
    with record.LoaderProfiler(Loader(5), tmp_path / "run") as wrapped:
        for _ in range(2):
            wrapped.start_epoch()
            for _ in wrapped:
                wrapped.record_batch()
                TIME.sleep(0.001)
            summary = wrapped.end_epoch()
            assert (summary["num_batches"], summary["load_time"] > 0.025) == (5, True)
        wrapped.start_epoch()
        assert wrapped.end_epoch() is None
        wrapped.report()
        assert [line.split(":")[0] for line in capsys.readouterr().out.splitlines()] == ["epoch 1", "epoch 2"]
    # without the wrapper, only whole steps can be measured, and there is no load time
    with record.LoaderProfiler(Loader(5), tmp_path / "bare") as bare:
        bare.start_epoch()
        for _ in Loader(5):
            bare.record_batch()
        summary = bare.end_epoch()
    assert (summary["num_batches"], summary["load_time"], summary["load_ratio"]) == (5, None, None)
    assert summary["throughput"] == pytest.approx(5 / summary["total_time"])
    assert rows(tmp_path / "bare", "select count(*) from step") == [(5,)]
    assert rows(tmp_path / "bare", "select count(*) from loader") == [(0,)]


def test_a_recording_without_a_path_is_a_run_of_the_default_lake(tmp_path, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    with record.LoaderProfiler([[1], [2]], run="kept") as loader:
        list(loader)
    assert not Path(loader.recording.path).exists()
    with tl.open() as session:
        assert query_rows(session, "select run from run") == [("kept",)]
    # the same if the program ends without closing anything
    code = "from tracelake import record; list(record.LoaderProfiler([[1], [2], [3]], run='left'))"
    subprocess.run([sys.executable, "-c", code], check=True)
    with tl.open() as session:
        counted = query_rows(session, "select run, count(*) from loader where kind = 'next' group by run order by run")
        assert counted == [("kept", 2), ("left", 3)]


class Tensor:
    """An object with a shape."""

    def __init__(self, *shape):
        self.shape = shape


class Graphs:
    """A batch of graphs."""

    num_graphs = 7


@pytest.mark.parametrize(
    ("batch", "expected", "size"),
    [
        (Tensor(32, 3), None, 32),
        (Tensor(), None, None),
        ((Tensor(32, 3), Tensor(32)), None, 32),
        ([Tensor(32, 3), Tensor(32)], None, 32),
        ({"x": Tensor(32, 3)}, None, 32),
        ({"meta": {"y": Tensor(5)}}, None, 5),
        ([Tensor(3, 224, 224)] * 8, 8, 8),
        ([Tensor(20, 3), Tensor(20)], 32, 20),
        (["a", "b", "c"], None, 3),
        ([(Tensor(3), 1), (Tensor(3), 0)], 2, 2),
        (Graphs(), None, 7),
        (object(), None, None),
        ("text", None, None),
        ([], None, 0),
    ],
)
def test_the_samples_of_a_batch_are_counted(batch, expected, size):
    assert record.batch_size(batch, expected) == size


def test_a_function_of_the_user_counts_samples(tmp_path):
    with record.LoaderProfiler(["ab", "c"], tmp_path / "run", batch_size=len, unit="letters") as loader:
        list(loader)
    assert loader.summary()[0]["samples"] == 3


@on_simulated_time
def test_waiting_for_the_accelerator_is_compute_time(tmp_path):
    with record.LoaderProfiler([[1]] * 5, tmp_path / "run", synchronize=lambda: TIME.sleep(0.01)) as loader:
        list(loader)
    assert loader.summary()[0]["compute_time"] >= 0.05
    attribute = rows(tmp_path / "run", "select value from run_attribute where key = 'loader.loader.synchronized'")
    assert attribute == [("true",)]


@on_simulated_time
def test_the_overhead_of_loading_is_measured(monkeypatch):
    monkeypatch.setattr(record.loader.measure, "time", TIME)
    measured = record.measure_loading_overhead(Loader(10, 0.02), num_batches=6, compute_time=0.005)
    assert (measured["num_batches"], measured["simulated"], measured["bottleneck"]) == (6, True, True)
    assert measured["total_time"] == pytest.approx(measured["load_time"] + measured["compute_time"])
    assert measured["avg_load"] == pytest.approx(measured["load_time"] / 6)
    batches = []
    measured = record.measure_loading_overhead(Loader(3, 0.0, first=0.2), compute_time=batches.append)
    assert batches == [[0] * 4, [1] * 4, [2] * 4]
    assert (measured["num_batches"], measured["simulated"]) == (3, False)
    # the wait for the first batch alone does not decide
    measured = record.measure_loading_overhead(Loader(5, 0.0, first=1.0), compute_time=0.1)
    assert measured["load_ratio"] > 0.3
    assert measured["bottleneck"] is False
    empty = record.measure_loading_overhead([])
    assert (empty["load_ratio"], empty["bottleneck"], empty["num_batches"]) == (None, None, 0)


@on_simulated_time
def test_throughput_excludes_the_first_batches():
    measured = record.measure_throughput(Loader(13, 0.01, first=0.3), warmup=3)
    assert (measured["batches"], measured["samples"], measured["warmup"]) == (10, 40, 3)
    assert measured["batches_per_s"] == pytest.approx(10 / measured["seconds"])
    assert measured["seconds"] < 0.3
    short = record.measure_throughput(Loader(2, 0.0), warmup=3)
    assert (short["batches"], short["batches_per_s"], short["warmup"]) == (0, None, 2)


@on_simulated_time
def test_a_monitored_loader_prints_the_mean_of_the_last_batches():
    lines = []
    loader = record.MonitoredDataLoader(Loader(6, 0.0, first=0.1), log_interval=3, log=lines.append)
    assert (len(list(loader)), len(loader), loader.batch_size) == (6, 6, 4)
    waits = [float(line.split("load ")[1].split(" ms")[0]) for line in lines]
    # the slow first batch is in the first mean only
    assert waits[0] > 33 > 3 * waits[1]
