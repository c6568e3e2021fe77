"""`tracelake.record.diagnose_dataloader` over loaders with known speed."""

import json

import pytest

import tracelake as tl
from record_rows import query_rows
from slow_loader import TIME, DataLoader, Items, simulated
from tracelake import record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(simulated.__name__)]


def slow_collate(samples):
    TIME.sleep(0.030)
    return list(samples)


def diagnose(dataset, batch_size=4, **how):
    how = {"workers": (0, 2), "batch_sizes": (), "batches": 8, "dataloader": DataLoader, **how}
    return record.diagnose_dataloader(dataset, batch_size, **how)


def test_rates_follow_from_the_items(tmp_path):
    diagnosis = diagnose(Items(200, 0.005), batch_sizes=(2, 8), path=tmp_path / "run")
    alone, two = diagnosis.workers
    assert (alone.batches, alone.samples, two.batches, two.samples) == (8, 32, 8, 32)
    assert alone.samples_per_s == pytest.approx(1 / 0.00505, rel=0.01)
    # two workers sleep concurrently
    assert diagnosis.rows()[1]["speedup_vs_0"] == pytest.approx(2, rel=0.02)
    assert [(row["what"], row["batch_size"], row["samples"]) for row in diagnosis.rows()[2:4]] == [
        ("batch_size", 2, 16),
        ("batch_size", 8, 64),
    ]
    assert diagnosis.samples.count == 10
    assert diagnosis.samples.mean_s == pytest.approx(0.00505, rel=0.02)
    assert not diagnosis.samples.slow
    sql = """
        select loader, max(num_workers), max(batch_size), count(*), count(distinct epoch)
        from loader where kind = 'next' group by loader order by loader
    """
    assert query_rows(tl.open(tmp_path / "run", ephemeral=True), sql)[-2:] == [
        ("workers=0", 0, 4, 11, 1),
        ("workers=2", 2, 4, 11, 1),
    ]


def test_little_data_is_counted_and_not_assumed():
    diagnosis = diagnose(Items(10, 0.001))
    assert [(one.warmup, one.batches, one.samples) for one in diagnosis.workers] == [(1, 2, 6), (1, 2, 6)]
    assert diagnosis.samples.count == 10
    diagnosis = diagnose(Items(1, 0.001))
    assert [(one.batches, one.batches_per_s) for one in diagnosis.workers] == [(0, None), (0, None)]
    assert any("too few batches" in note for note in diagnosis.notes)
    assert diagnose(Items(0, 0.001)).workers[0].startup_s is None


def test_the_start_of_workers_is_measured_separately():
    diagnosis = diagnose(Items(200, 0.002), startup=0.3)
    alone, two = diagnosis.workers
    assert two.startup_s > 0.3 > alone.startup_s
    assert two.seconds == pytest.approx(8 * 4 * 0.00202 / 2, rel=0.1)
    assert diagnosis.options["persistent_workers"].startup_s < 0.3 < diagnosis.options["prefetch_factor"].startup_s
    assert any("persistent_workers=True" in finding for finding in diagnosis.findings())


def test_causes_of_slow_loading_are_found():
    slow = diagnose(Items(60, 0.015), batches=4)
    assert any("a sample takes" in finding for finding in slow.findings())
    assert any("__getitem__" in one["function"] for one in slow.functions)
    assert any("(sleep)" in one["function"] for one in slow.functions)
    collate = diagnose(Items(200, 0.0001), collate_fn=slow_collate)
    assert collate.workers[0].seconds == pytest.approx(8 * 0.0307, rel=0.02)
    assert not collate.samples.slow
    leaked = []

    class Leaks(Items):
        def __getitem__(self, index):
            leaked.append(bytearray(1 << 20))
            return super().__getitem__(index)

    leaks = diagnose(Leaks(100, 0.0001))
    assert any("memory grows by 4" in finding for finding in leaks.findings())
    clean = diagnose(Items(100, 0.0001))
    assert not any("memory" in finding for finding in clean.findings())


def test_workers_are_capped_at_the_cores():
    diagnosis = diagnose(Items(40, 0.001), workers=(0, 10_000))
    assert [one.setting.num_workers for one in diagnosis.workers] == [0]
    assert any(note.startswith("10000 workers were not tried") for note in diagnosis.notes)


def test_a_result_has_text_rows_and_a_file(tmp_path):
    diagnosis = diagnose(Items(60, 0.001))
    diagnosis.save(tmp_path / "found.json")
    saved = json.loads((tmp_path / "found.json").read_text())
    assert saved["rows"] == json.loads(json.dumps(diagnosis.rows()))
    assert saved["workers"][0]["setting"]["batch_size"] == 4
    names = "workers batch_size batches samples startup_s seconds batches_per_s samples_per_s speedup_vs_0"
    assert names.split() in [line.split() for line in str(diagnosis).splitlines()]
