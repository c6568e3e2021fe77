"""Measurements of settings of real PyTorch loaders: rates, starts, leaks, and the best settings."""

import sys
import tempfile
import time

import torch
from causes import Items, Stream
from torch.utils.data import DataLoader

from tracelake import record


def step(_):
    """Simulates a step of 20 ms."""
    time.sleep(0.020)


def slow_collate(samples):
    """Collates with a delay of 30 ms."""
    time.sleep(0.030)
    return torch.stack(samples)


def test_a_diagnosis_finds_the_costs():
    begun = time.monotonic()
    diagnosis = record.diagnose_dataloader(
        Items(160, 0.005), 4, workers=(0, 2), batch_sizes=(4, 8), batches=10, shuffle=True
    )
    whole = time.monotonic() - begun
    alone, two = diagnosis.workers
    assert (alone.batches, alone.samples, two.batches, two.samples) == (10, 40, 10, 40), diagnosis
    # an item takes at least 5 ms, and all items are created during the call
    assert 40 * 0.005 <= alone.seconds < whole, (alone, whole)
    assert abs(alone.samples_per_s * alone.seconds - 40) < 1e-6, alone
    assert alone.samples_per_s < two.samples_per_s, diagnosis
    assert two.startup_s > alone.startup_s, diagnosis
    persistent = diagnosis.options["persistent_workers"]
    assert persistent.startup_s < two.startup_s, (persistent, two)
    assert [one.batches for one in diagnosis.batch_sizes] == [10, 10], diagnosis
    assert any("__getitem__" in one["function"] for one in diagnosis.functions), diagnosis.functions
    collate = record.diagnose_dataloader(
        Items(160), 4, workers=(0, 2), batch_sizes=(), batches=20, collate_fn=slow_collate
    )
    assert collate.workers[0].seconds >= 0.6, collate
    assert collate.rows()[1]["speedup_vs_0"] > 1, collate


def test_an_iterable_dataset_is_measured():
    diagnosis = record.diagnose_dataloader(Stream(100), 4, workers=(0,), batch_sizes=(), batches=5)
    assert diagnosis.samples is None
    assert diagnosis.workers[0].batches == 5, diagnosis


def test_the_search_finds_a_faster_setting():
    loader = DataLoader(Items(400, 0.005), 4, shuffle=True)
    # on a busy machine, the intervals are wide, and no setting is accepted
    for _ in range(3):
        result = record.optimize(loader, step, workers=(0, 2), batches=10, repeats=4)
        if result.gain is not None:
            break
    assert result.best.num_workers == 2, result
    assert 1 < result.gain.low <= result.gain.factor < result.ceiling.high * 1.15, result
    assert "shuffle=True" in result.snippet, result
    assert result.load_ratio > 0.3, result
    # the snippet runs unchanged
    again = eval(result.snippet, {"DataLoader": DataLoader, "dataset": loader.dataset, "loader": loader})  # noqa: S307
    assert (again.num_workers, again.batch_size, len(again)) == (2, 4, 100)


def test_a_replay_reads_only_its_cached_batches():
    class Counted(Items):
        served = 0

        def __getitem__(self, index):
            Counted.served += 1
            return super().__getitem__(index)

    loader = DataLoader(Counted(400), 4)
    evaluator = record.LoaderEvaluator(loader, mode="replay", num_cached_batches=5)
    assert Counted.served == 20, Counted.served
    assert len(list(evaluator)) == 100
    assert Counted.served == 20, Counted.served
    assert (evaluator.batch_size, evaluator.last.samples) == (4, 400)


def test_a_model_is_trained_with_real_and_with_ideal_data():
    """The example of DALI's documentation: a module of PyTorch, a loader, two files, a plot."""
    model = torch.nn.Linear(4, 1)
    with tempfile.TemporaryDirectory() as folder:
        real, ideal = f"{folder}/real.json", f"{folder}/ideal.json"
        for mode, log in (("log", real), ("replay", ideal)):
            loader = record.LoaderEvaluator(DataLoader(Items(160, 0.002), 8, num_workers=1), mode=mode)
            done = record.train_one_epoch(model, loader, log_file=log)
            assert (len(done.batch_times), done.samples) == (20, 160), done
        assert record.plot_comparison(real_log=real, ideal_log=ideal).name == "loader_comparison"


TESTS = (
    test_a_diagnosis_finds_the_costs,
    test_an_iterable_dataset_is_measured,
    test_the_search_finds_a_faster_setting,
    test_a_replay_reads_only_its_cached_batches,
    test_a_model_is_trained_with_real_and_with_ideal_data,
)

if __name__ == "__main__":
    for test in TESTS:
        begun = time.monotonic()
        test()
        sys.stdout.write(f"ok      {test.__name__} ({time.monotonic() - begun:.1f} s)\n")
        sys.stdout.flush()
