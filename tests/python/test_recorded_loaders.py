"""Queries over the recordings of tests/data/recorder, compared with brute force over their lines."""

import json
import statistics
from collections import defaultdict
from pathlib import Path

import pytest

import tracelake as tl
from tracelake import record

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[1] / "data/recorder"


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    with tl.open(tmp_path_factory.mktemp("recorded") / "lake", create=True) as opened:
        opened.ingest(f"{FOLDER}/*", progress=False)
        yield opened


def lines(run):
    """Returns all rows of a run, of the training process and its workers."""
    return [json.loads(line) for file in (FOLDER / run).glob("*.jsonl") for line in file.read_text().splitlines()]


RUNS = sorted(folder.name for folder in FOLDER.iterdir() if folder.is_dir())
SETTINGS = ("num_workers", "batch_size", "prefetch_factor", "persistent_workers", "pin_memory")


def loops():
    """Returns the batches of each loop in order, with its settings: by run and loader."""
    result = {}
    for run in RUNS:
        rows = lines(run)
        settings = {
            row["loader"]: {name: row.get(name) for name in SETTINGS} for row in rows if has_kind(row, "loader")
        }
        batches = defaultdict(list)
        for row in rows:
            if has_kind(row, "next"):
                batches[row["loader"]].append(row)
        result |= {(run, loader): (settings[loader], batch_rows) for loader, batch_rows in batches.items()}
    return result


def has_kind(row, kind):
    return row.get("kind") == kind


def test_all_rows_were_recorded(session):
    assert list(session.sql("select * from problem").rows()) == []


def test_scaling_equals_the_trials(session):
    answered = {(row["run"], row["loader"]): row for row in session.loader.scaling().rows()}
    expected = loops()
    assert answered.keys() == expected.keys()
    assert len(expected) == 9
    pace, rest = {}, {}
    for key, (_, batches) in expected.items():
        # the compute time of the last batch before an early exit is not known
        known = [row for row in batches if "compute_dur" in row]
        later = [row for row in known if row["batch"] > 0]
        pace[key] = len(known) / sum(row["dur"] + row["compute_dur"] for row in known) * 1e9
        rest[key] = len(later) / sum(row["dur"] + row["compute_dur"] for row in later) * 1e9
    fewest = min(settings["num_workers"] for settings, _ in expected.values())
    base = min((key for key, (settings, _) in expected.items() if settings["num_workers"] == fewest), key=pace.get)
    for key, (settings, batches) in expected.items():
        row = answered[key]
        assert {name: row[name] for name in SETTINGS} == settings, key
        assert row["batches"] == sum("compute_dur" in batch for batch in batches), key
        assert row["batches_per_s"] == pytest.approx(pace[key]), key
        assert row["rest_batches_per_s"] == pytest.approx(rest[key]), key
        assert row["samples_per_s"] == pytest.approx(pace[key] * 8), key
        assert row["is_baseline"] == (key == base), key
        assert row["speedup"] == pytest.approx(pace[key] / pace[base]), key
        assert row["speedup_rest"] == pytest.approx(rest[key] / rest[base]), key
    # 8 images of 5 ms and a step of 10 ms: 20 ms per batch with 2 workers, only the step with 4
    assert 1.5 < answered["w2", "train"]["speedup_rest"] < answered["w4", "train"]["speedup_rest"] < 5


def test_planted_causes_are_named(session):
    first = session.loader.items(limit=1).rows()
    (slow,) = [row for row in first if row["run"] == "planted"]
    times = defaultdict(list)
    for row in lines("planted"):
        if has_kind(row, "item"):
            times[row["item"]].append(row["dur"])
    assert (slow["item"], slow["dur_max"], slow["accesses"]) == (77, max(times[77]), 2)
    assert slow["dur_max"] == max(max(durs) for durs in times.values())
    assert slow["message"].endswith("s: images/077.png")
    compared = {row["worker"]: row for row in session.loader.workers_compared().rows() if row["run"] == "planted"}
    by_worker = defaultdict(list)
    for row in lines("planted"):
        if has_kind(row, "item"):
            by_worker[row["worker"]].append(row["dur"])
    median = {worker: statistics.median(durs) for worker, durs in by_worker.items()}
    assert {worker: row["item_p50"] for worker, row in compared.items()} == pytest.approx(median)
    typical = statistics.median(median.values())
    assert {w: row["relative"] for w, row in compared.items()} == pytest.approx(
        {w: median[w] / typical for w in median}
    )
    assert max(compared, key=lambda worker: compared[worker]["relative"]) == 1
    assert compared[1]["relative"] > 3
    incidents = [(row["kind"], row["item"]) for row in session.sql("select * from incident").rows()]
    assert incidents == [("slow_item", 77)] * 2


@pytest.mark.parametrize("run", ["w2", "w4", "planted"])
def test_batches_wait_in_the_queue(session, run):
    rows = lines(run)
    received = {(row["epoch"], row["batch"]): row["ts"] + row["dur"] for row in rows if has_kind(row, "next")}
    collate_ends = {(row["epoch"], row["batch"]): row["ts"] + row["dur"] for row in rows if has_kind(row, "collate")}
    expected = {key: max(received[key] - collate_ends[key], 0) for key in collate_ends}
    answered = {
        (row["epoch"], row["batch"]): row["queue_dur"]
        for row in session.loader.workers_timeline().rows()
        if row["run"] == run
    }
    assert answered == expected
    assert len(answered) == 30


def test_trials_equal_the_search(session):
    rows = lines("search")
    described = {row["loader"]: row for row in rows if has_kind(row, "loader")}
    trials = defaultdict(list)
    for row in rows:
        if has_kind(row, "trial"):
            trials[row["loader"]].append(row)
    answered = {row["loader"]: row for row in session.loader.trials().rows()}
    assert answered.keys() == trials.keys()
    saved = json.loads((FOLDER / "search.json").read_text())
    baseline, best = (str(record.Setting(**saved[name])) for name in ("baseline", "best"))
    for name, trial_rows in trials.items():
        row = answered[name]
        durs = [trial["dur"] for trial in trial_rows]
        assert {key: row[key] for key in SETTINGS} == {key: described[name].get(key) for key in SETTINGS}
        assert row["trials"] == len(trial_rows)
        assert row["samples_per_s"] == pytest.approx(8e9 / statistics.median(durs))
        assert row["batches_per_s"] == pytest.approx(1e9 / statistics.median(durs))
        assert (row["low_per_s"], row["high_per_s"]) == pytest.approx((8e9 / max(durs), 8e9 / min(durs)))
        assert row["bytes"] == max(trial["bytes"] for trial in trial_rows)
        assert (row["is_baseline"], row["chosen"]) == (name == baseline, name == best)
        assert row["failed"] is None
        assert row["variant"] == ("ideal" if name == "replay" else "real")
    tried = {baseline, "replay"} | {str(record.Setting(**{key: row[key] for key in SETTINGS})) for row in saved["rows"]}
    assert answered.keys() == tried
    # the gain of the search compares trials of one round, which were all recorded: the last round
    rounds = [[trial["dur"] for trial in trials[name][-4:]] for name in (baseline, best, "replay")]
    assert record.tuning.interval.estimate_speedup(rounds[0], rounds[1]).factor == pytest.approx(
        saved["gain"]["factor"]
    )
    assert record.tuning.interval.estimate_speedup(rounds[0], rounds[2]).factor == pytest.approx(
        saved["ceiling"]["factor"]
    )


@pytest.mark.parametrize("name", ["optimize_result", "loader_scaling", "item_time", "worker_timeline"])
def test_figures_of_recordings_are_drawn(session, name):
    drawn = json.loads(session.figure(name).to_json())
    assert drawn["data"]


def test_a_loop_inside_another_does_not_end_its_pass(tmp_path):
    """A validation every five batches creates its own iterators."""
    with record.Recording(tmp_path / "run") as rows:
        validation = record.LoaderProfiler([[1, 2]] * 3, rows, name="validation")
        for step, _ in enumerate(record.LoaderProfiler([[1, 2, 3]] * 20, rows, name="train")):
            if step % 5 == 4:
                list(validation)
    with tl.open(tmp_path / "run", ephemeral=True) as opened:
        passes = opened.sql("select loader, pass, batches from loader_pass order by loader, pass").rows()
    actual = [tuple(row.values()) for row in passes]
    assert actual == [("train", 0, 20), *(("validation", number, 3) for number in range(4))]
