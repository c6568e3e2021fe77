"""`tracelake.record.optimize` over loaders with a known best setting."""

import json
import math
import random
import statistics

import pytest

import tracelake as tl
from record_rows import query_rows
from slow_loader import TIME, DataLoader, Items, simulated
from tracelake import record
from tracelake.record.tuning.decision import decision_tree
from tracelake.record.tuning.interval import estimate_speedup

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(simulated.__name__)]


def step(_):
    TIME.sleep(0.020)


def run_optimize(loader, training_step=step, **options):
    return record.optimize(loader, training_step, **{"workers": (0, 2), "batches": 6, "repeats": 3, **options})


def test_the_search_finds_workers_that_hide_the_loading(tmp_path):
    # 20 ms of loading and 20 ms of computing: with workers, loading is free
    result = run_optimize(DataLoader(Items(400, 0.005), 4), path=tmp_path / "run")
    assert result.baseline == record.Setting(0, 4)
    assert result.best.num_workers == 2
    assert result.gain.low > 1.9
    assert result.gain.factor == pytest.approx(result.ceiling.factor, rel=0.03)
    assert result.ceiling.factor == pytest.approx(2, rel=0.03)
    assert result.load_ratio == pytest.approx(0.5, rel=0.03)
    assert "    num_workers=2,\n" in result.snippet
    text = str(result)
    assert result.snippet in text
    assert f"gain:     {result.gain}" in text
    assert "> " in result.tree
    result.save(tmp_path / "found.json")
    saved = json.loads((tmp_path / "found.json").read_text())
    assert saved["best"]["num_workers"] == 2
    assert [row["what"] for row in saved["rows"]][0 :: len(saved["rows"]) - 1] == ["workers", "confirm"]
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        sql = "select distinct num_workers from loader where kind = 'next' and compute_dur > 10000000 order by 1"
        assert query_rows(session, sql) == [(0,), (2,)]


def test_nothing_is_changed_if_loading_is_free():
    result = run_optimize(DataLoader(Items(400, 0.0), 4))
    assert (result.best, result.gain) == (result.baseline, None)
    assert "no setting was significantly faster" in str(result)
    assert result.load_ratio == pytest.approx(0, abs=0.01)


def test_the_memory_limit_and_failures_exclude_a_setting():
    class Greedy(DataLoader):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            if self.num_workers:
                message = "DataLoader timed out after 5 seconds"
                raise RuntimeError(message)

    result = run_optimize(Greedy(Items(400, 0.002), 4), repeats=2)
    assert result.best == result.baseline
    assert [one.note for one in result.attempts if one.what == "workers"] == [
        "RuntimeError: DataLoader timed out after 5 seconds"
    ]
    assert ">    yes: fewer workers" in result.tree
    with pytest.raises(MemoryError, match="above the limit"):
        run_optimize(DataLoader(Items(400, 0.0), 4), repeats=2, memory_limit=1000)


def test_batch_sizes_are_compared_by_samples():
    # a step with a cost that does not depend on the number of samples
    result = run_optimize(DataLoader(Items(800, 0.0), 4), workers=(), batch_sizes=(8,), repeats=2)
    (one,) = [one for one in result.attempts if one.what == "batch_size"]
    assert one.gain.factor == pytest.approx(2, rel=0.03)


def test_arguments_of_the_loader_are_copied():
    created = []

    def collate(samples):
        created.append(samples[0])
        return samples

    sampler = [*range(399, -1, -1)]
    loader = DataLoader(Items(400, 0.0), 4, sampler=sampler, collate_fn=collate, drop_last=True)
    run_optimize(loader, lambda _: None, workers=(), repeats=2)
    assert set(created) <= {*range(399, 340, -1)}
    snippet = record.Remake(loader).snippet(record.Setting(2, 4))
    assert "collate_fn=loader.collate_fn" in snippet
    assert "drop_last=True" in snippet


def test_the_interval_contains_the_truth_in_95_of_100_cases():
    chance = random.Random(7)
    draw = lambda: math.exp(chance.gauss(0, 0.1))  # noqa: E731
    hits = []
    for _ in range(2000):
        result = estimate_speedup([2 * draw() for _ in range(5)], [draw() for _ in range(5)])
        hits.append(result.low <= 2 <= result.high)
    assert statistics.fmean(hits) == pytest.approx(0.95, abs=0.02)
    with pytest.raises(ValueError, match="at least 2"):
        estimate_speedup([1.0], [1.0])


@pytest.mark.parametrize(
    ("utilization", "ratio", "marked"),
    [
        (40, 0.5, ["yes: is loading time high? (50.0 % of the time)", "yes: more workers; still slow"]),
        (40, 0.1, ["yes: is loading time high? (10.0 % of the time)", "no: look at model and optimizer"]),
        (90, 0.5, ["no: balanced"]),
        (65, 0.5, []),
        (None, 0.5, ["yes: more workers; still slow"]),
        (None, None, []),
    ],
)
def test_the_path_through_the_tree_is_marked(utilization, ratio, marked):
    tree = decision_tree(utilization, ratio, timeouts=False, growing=False).splitlines()[:5]
    result = [line[1:].strip() for line in tree if line.startswith(">  ")]
    assert len(result) == len(marked)
    assert all(line.startswith(start) for line, start in zip(result, marked, strict=True))
    assert tree[0].startswith("?") == (utilization in {None, 65})


def test_the_inner_loader_of_a_recorder_is_used(tmp_path):
    inner = DataLoader(Items(40, 0.0), 4)
    with record.LoaderProfiler(record.LoaderEvaluator(inner), tmp_path / "run") as loader:
        remade = record.Remake(loader)(record.Setting(2, 8))
    assert type(remade) is DataLoader
    assert (remade.dataset, remade.num_workers, remade.batch_size) == (inner.dataset, 2, 8)


def test_a_loader_without_a_dataset_cannot_be_recreated():
    with pytest.raises(TypeError, match="cannot make another loader like a list"):
        run_optimize([1, 2, 3])
    with pytest.raises(ValueError, match="at least 2"):
        run_optimize(DataLoader(Items(40, 0.0), 4), repeats=1)
    with pytest.raises(ValueError, match="too few batches"):
        run_optimize(DataLoader(Items(3, 0.0), 4))


def test_trials_can_be_queried(tmp_path):
    class Greedy(DataLoader):
        def __init__(self, *args, **options):
            super().__init__(*args, **options)
            if self.num_workers == 1:
                message = "no room for one"
                raise RuntimeError(message)

    result = run_optimize(
        Greedy(Items(400, 0.005), 4), workers=(0, 1, 2), memory_limit=1 << 50, path=tmp_path / "run", repeats=3
    )
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        rows = {row["loader"]: row for row in session.loader.trials().rows()}
        title = json.loads(session.figure("optimize_result").to_json())["layout"]["title"]["text"]
    base, best = rows[str(result.baseline)], rows[str(result.best)]
    assert [name for name, row in rows.items() if row["chosen"]] == [str(result.best)]
    assert [name for name, row in rows.items() if row["is_baseline"]] == [str(result.baseline)]
    assert best["samples_per_s"] / base["samples_per_s"] == pytest.approx(result.gain.factor, rel=0.03)
    assert rows["replay"]["samples_per_s"] / base["samples_per_s"] == pytest.approx(result.ceiling.factor, rel=0.03)
    # 100 batches of 20 ms and the same compute time; the clock adds up to 2 %
    assert 4 / 0.0408 < base["low_per_s"] <= base["samples_per_s"] <= base["high_per_s"] <= 4 / 0.0400
    assert {row["limit_bytes"] for row in rows.values()} == {1 << 50}
    (given_up,) = [row for row in rows.values() if row["failed"]]
    assert (given_up["num_workers"], given_up["trials"], given_up["samples_per_s"]) == (1, 0, None)
    assert given_up["failed"] == "RuntimeError: no room for one"
    assert "no room for one" in title


def test_batches_of_unknown_size_are_compared_by_batch(tmp_path):
    run_optimize(DataLoader(Items(400, 0.005), 4, collate_fn=lambda _: object()), path=tmp_path / "run")
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        rows = session.loader.trials().rows()
    assert rows
    assert {row["samples_per_s"] for row in rows} == {None}
    assert all(row["low_per_s"] <= row["batches_per_s"] <= row["high_per_s"] for row in rows)
