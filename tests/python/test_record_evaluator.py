"""`tracelake.record.LoaderEvaluator`: files in the format of NVIDIA DALI's tool, without its faults."""

import json
import re
import time
from pathlib import Path

import pytest

import tracelake as tl
from record_rows import query_rows
from slow_loader import TIME, DataLoader, Items, simulated
from tracelake import record

pytestmark = pytest.mark.slow

# in the order of the file
KEYS = [
    *("mode", "total_batches", "total_time", "avg_batch_time", "min_batch_time", "max_batch_time"),
    *("batch_times", "cached_batches", "cache_ready"),
]

on_simulated_time = pytest.mark.usefixtures(simulated.__name__)


def loader(items=40, seconds=0.002, sleep=TIME.sleep):
    return DataLoader(Items(items, seconds, sleep), 4)


def step(_):
    TIME.sleep(0.004)


def test_waits_equal_a_loop_with_timestamps(tmp_path):
    """A recorded wait is at least the time within the loader, and at most the time around the evaluator."""
    loading, around, computing = [], [], []

    def timed(times, call, *arguments):
        begun = time.monotonic_ns()
        result = call(*arguments)
        times.append(time.monotonic_ns() - begun)
        return result

    inner = loader(sleep=lambda seconds: timed(loading, time.sleep, seconds))
    evaluator = record.LoaderEvaluator(inner, metrics_file=tmp_path / "log.json")
    begun = time.monotonic_ns()
    batches = iter(evaluator)
    while timed(around, next, batches, None) is not None:
        timed(computing, time.sleep, 0.004)
    total = time.monotonic_ns() - begun
    evaluator.save_metrics()
    text = (tmp_path / "log.json").read_text()
    metrics = json.loads(text)
    assert list(metrics) == KEYS
    assert text == json.dumps(metrics, indent=2)
    assert metrics["total_batches"] == 10
    waits = [round(seconds * 1e9) for seconds in metrics["batch_times"]]
    within = [sum(loading[first : first + 4]) for first in range(0, 40, 4)]
    # the last call of `next` returns no batch
    assert all(low <= wait <= high for low, wait, high in zip(within, waits, around[:-1], strict=True))
    assert sum(loading) + sum(computing) <= round(metrics["total_time"] * 1e9) <= total
    assert metrics["avg_batch_time"] == pytest.approx(sum(metrics["batch_times"]) / 10)
    assert (metrics["cached_batches"], metrics["cache_ready"]) == (0, False)
    done = evaluator.last
    assert done.samples == 40
    assert done.samples_per_s == pytest.approx(4 * done.batches_per_s) == pytest.approx(40 / done.total_time)


@on_simulated_time
def test_a_replay_reads_only_the_batches_that_it_caches():
    inner = loader(items=400)
    evaluator = record.LoaderEvaluator(inner, mode="replay", num_cached_batches=5)
    assert inner.dataset.served == 5 * 4
    batches = list(evaluator)
    assert inner.dataset.served == 5 * 4
    assert len(batches) == len(evaluator) == 100
    assert batches[:6] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15], [16, 17, 18, 19], [0, 1, 2, 3]]
    metrics = evaluator.get_metrics()
    assert (metrics["cached_batches"], metrics["cache_ready"]) == (5, True)
    assert metrics["max_batch_time"] == 0, "a replay does not wait for items"


@on_simulated_time
def test_no_pass_hides_another_and_no_time_is_negative():
    evaluator = record.LoaderEvaluator(loader())
    assert evaluator.get_metrics() == {}
    for number, batch in enumerate(evaluator):
        step(batch)
        if number == 4:
            # while the pass runs
            assert evaluator.get_metrics()["total_time"] >= sum(evaluator.get_metrics()["batch_times"])
            break
    early = evaluator.get_metrics()
    assert early["total_batches"] == 5
    assert not evaluator.last.ended
    assert early["total_time"] >= sum(early["batch_times"]) + 5 * 0.004
    for _ in range(2):
        for _ in evaluator:
            pass
    for _ in evaluator:
        break
    # the last complete one of four passes
    assert [len(done.batch_times) for done in evaluator.passes] == [5, 10, 10, 1]
    assert evaluator.last is evaluator.passes[2]
    assert evaluator.get_metrics()["total_time"] == evaluator.passes[2].total_time > 0


def test_an_unknown_mode_and_an_empty_cache_are_errors(tmp_path):
    with pytest.raises(ValueError, match="one of: log, replay"):
        record.LoaderEvaluator(loader(), mode="ideal")
    with pytest.raises(ValueError, match="at least 1"):
        record.LoaderEvaluator(loader(), mode="replay", num_cached_batches=0)
    with pytest.raises(TypeError, match="which has no length"):
        record.LoaderEvaluator(iter([1, 2]), mode="replay")
    with pytest.raises(ValueError, match="no batch"):
        record.LoaderEvaluator(type("Empty", (list,), {"__len__": lambda _: 3})(), mode="replay")
    with pytest.raises(ValueError, match="without a name"):
        record.LoaderEvaluator(loader()).save_metrics()
    assert list(tmp_path.iterdir()) == []


def test_attributes_of_the_loader_are_forwarded():
    inner = loader()
    evaluator = record.LoaderEvaluator(inner)
    assert (evaluator.dataset, evaluator.batch_size, evaluator.sampler) == (inner.dataset, 4, inner.sampler)
    with pytest.raises(AttributeError):
        _ = evaluator.nothing


@on_simulated_time
def test_the_summary_is_readable(capsys):
    evaluator = record.LoaderEvaluator(loader())
    record.train_one_epoch(step, evaluator)
    evaluator.print_summary()
    output = capsys.readouterr().out
    assert output.startswith("mode log: 10 batches in ")
    assert "samples/s" in output
    assert "share of loading: " in output


@on_simulated_time
def test_real_and_ideal_are_compared(tmp_path):
    real, ideal = tmp_path / "a.json", tmp_path / "b.json"
    durations = []
    for mode, file in (("log", real), ("replay", ideal)):
        evaluator = record.LoaderEvaluator(loader(), mode=mode)
        begun = TIME.now()
        record.train_one_epoch(step, evaluator, log_file=file)
        durations.append(TIME.now() - begun)
    figure = record.plot_comparison(real_log=real, ideal_log=ideal)
    assert figure.name == "loader_comparison"
    (row,) = [row for frame in figure.frames for row in frame.rows()]
    assert row["speedup"] == pytest.approx(durations[0] / durations[1], rel=1e-9)
    assert row["ideal_loader"] == "ideal_log"


def test_files_of_dali_are_compared_too(shared):
    folder = shared / "data" / "loader" / "dali"
    figure = record.plot_comparison(folder / "log_nw0.json", folder / "replay_nw0.json")
    (row,) = [row for frame in figure.frames for row in frame.rows()]
    expected = json.loads((shared / "oracle" / "loader" / "expected.json").read_text())
    assert row["speedup"] == pytest.approx(expected["dali"]["pairs"]["log_nw0|replay_nw0"]["speedup"], rel=1e-6)


@on_simulated_time
def test_the_files_are_ingested_like_those_of_dali(tmp_path):
    for mode in ("log", "replay"):
        record.train_one_epoch(step, record.LoaderEvaluator(loader(), mode=mode), tmp_path / f"{mode}.json")
    with tl.open(tmp_path, ephemeral=True) as session:
        assert query_rows(session, "select distinct format from object") == [("dali_loader_evaluator",)]
        assert query_rows(session, "select count(*) from problem") == [(0,)]
        sql = "select variant, count(*), max(cached_batches) from loader where kind = 'pass' group by 1 order by 1"
        assert query_rows(session, sql) == [("ideal", 1, 10), ("real", 1, 0)]


@on_simulated_time
def test_the_example_of_the_documentation_runs_as_it_is_written(tmp_path, monkeypatch):
    """The example of DALI's documentation with its names, which is also in ours."""
    text = (Path(__file__).parents[2] / "docs" / "recorder.md").read_text()
    (example,) = [
        block
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        if "train_one_epoch(model, LoaderEvaluator(dataloader" in block
    ]
    monkeypatch.chdir(tmp_path)
    batches = []
    exec(example, {"dataloader": loader(), "model": batches.append})  # noqa: S102 - the commands of the docs
    # two passes over ten batches
    assert len(batches) == 20
    real, ideal = (json.loads((tmp_path / name).read_text()) for name in ("real.json", "ideal.json"))
    assert (real["mode"], ideal["mode"]) == ("log", "replay")
    assert (real["total_batches"], ideal["total_batches"]) == (10, 10)
    assert real["total_time"] > ideal["total_time"]
