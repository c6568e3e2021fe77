"""Scalars of loggers: metrics.csv compared with Python's csv, event files with an own reader, and the oracle."""

import csv
import json
import math
import struct
from collections import defaultdict
from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data" / "lightning_scalars"
METRICS = DATA / "csv" / "version_0" / "metrics.csv"
EVENTS = sorted((DATA / "tb" / "version_0").glob("events.out.tfevents.*"))


@pytest.fixture(scope="module")
def both_formats():
    """The training, logged to both formats."""
    with tl.open(DATA, ephemeral=True) as session:
        yield session


@pytest.fixture(scope="module")
def only_csv():
    """Only metrics.csv."""
    with tl.open(METRICS, ephemeral=True) as session:
        yield session


def rows(frame):
    return list(frame)


def cells():
    """Returns every cell with a number: line, step, epoch, name, value; in the order of the file."""
    with METRICS.open(newline="") as file:
        for line, row in enumerate(csv.DictReader(file)):
            for name, text in row.items():
                if text and name not in ("step", "epoch"):
                    yield line, int(row["step"]), int(row["epoch"]) if row["epoch"] else None, name, float(text)


def varint(data, offset):
    value = shift = 0
    while True:
        value |= (data[offset] & 0x7F) << shift
        shift += 7
        offset += 1
        if data[offset - 1] < 0x80:
            return value, offset


def fields(data):
    """Yields number and content of each field of a message."""
    offset = 0
    while offset < len(data):
        key, offset = varint(data, offset)
        if key & 7 == 0:
            value, offset = varint(data, offset)
        else:
            length = {1: 8, 5: 4}.get(key & 7)
            if length is None:
                length, offset = varint(data, offset)
            value, offset = data[offset : offset + length], offset + length
        yield key >> 3, value


def scalars(path):
    """Returns every scalar of an event file: record, time, step, name, value."""
    data, offset, record = path.read_bytes(), 0, 0
    while offset < len(data):
        (length,) = struct.unpack_from("<Q", data, offset)
        event = list(fields(data[offset + 12 : offset + 12 + length]))
        offset, members = offset + 16 + length, dict(event)
        messages = [message for number, summary in event if number == 5 for _, message in fields(summary)]
        for value in (dict(fields(message)) for message in messages):
            if 2 in value:
                (time,), (number,) = struct.unpack("<d", members[1]), struct.unpack("<f", value[2])
                yield record, time, members.get(2, 0), value[1].decode(), number
        record += 1


def test_every_cell_is_a_row(only_csv):
    actual = rows(only_csv.sql("select entry, step, epoch, raw_name, value from sample order by row"))
    assert [tuple(row.values()) for row in actual] == list(cells())
    assert rows(only_csv.sql("select count(*) as n from sample where ts is not null"))[0]["n"] == 0
    assert rows(only_csv.sql("select * from problem")) == []


def test_every_scalar_is_a_row(both_formats):
    for path in EVENTS:
        actual = rows(
            both_formats.sql(
                "select entry, ts, step, raw_name, value, s.node from sample as s join object as o using (run, object) "
                "where ends_with(url, $name) order by row",
                name=path.name,
            )
        )
        assert {row.pop("node") for row in actual} == {"vm"}
        expected = [
            (record, int(time) * 10**9 + round(time % 1 * 1e9), step, name, value)
            for record, time, step, name, value in scalars(path)
        ]
        assert [tuple(row.values()) for row in actual] == expected
    assert len(expected) == 29


def test_a_value_that_is_logged_twice_counts_once(both_formats, only_csv):
    named = lambda frame: sorted((row["metric"], row["step"], row["value"]) for row in rows(frame))  # noqa: E731
    single = struct.Struct("<f")
    rounded = sorted(
        (name, step, *single.unpack(single.pack(value)))
        for _, step, _, name, value in cells()
        if not name.startswith("DeviceStatsMonitor")
    )
    assert named(both_formats.step.scalars()) == rounded
    assert all(row["ts"] is not None for row in rows(both_formats.step.scalars()))
    exact = sorted((name, step, value) for _, step, _, name, value in cells() if "." not in name)
    assert named(only_csv.step.scalars()) == exact


def test_epochs_equal_the_csv(both_formats):
    epochs = {(name, step): epoch for _, step, epoch, name, _ in cells() if epoch is not None}
    actual = {(row["metric"], row["step"]): row["epoch"] for row in rows(both_formats.step.scalars())}
    assert {key: actual[key] for key in epochs} == epochs


def test_device_stats_are_read(both_formats, only_csv):
    values, steps = defaultdict(list), defaultdict(list)
    for _, step, _, name, value in cells():
        if name.startswith("DeviceStatsMonitor"):
            values[name].append(value)
            steps[name].append(step)
    for session, relative in ((only_csv, 1e-12), (both_formats, 1e-6)):
        actual = rows(session.utilization.device_stats())
        assert {row["raw_name"] for row in actual} == values.keys()
        for row in actual:
            name = row["raw_name"]
            hook, key = name.removeprefix("DeviceStatsMonitor.").split("/")
            resource, metric = {
                "cpu_percent": ("cpu", "utilization"),
                "cpu_vm_percent": ("memory", "used"),
                "cpu_swap_percent": ("memory", "swap_used"),
            }[key]
            assert (row["hook"], row["resource"], row["metric"], row["unit"]) == (hook, resource, metric, "percent")
            mine = values[name]
            expected = [len(mine), min(mine), sum(mine) / len(mine), max(mine), mine[-1]]
            got = [row["n"], row["min"], row["mean"], row["max"], row["last_value"]]
            assert got == pytest.approx(expected, rel=relative), name
            assert (row["first_step"], row["last_step"]) == (min(steps[name]), max(steps[name]))
    assert rows(both_formats.utilization.summary()) == []


@pytest.fixture(scope="module")
def oracle(shared):
    return json.loads((shared / "oracle" / "loader" / "expected.json").read_text())["lightning"]["device_stats"]


def test_csv_rows_equal_the_oracle(shared, oracle):
    oracle = oracle["csv"]
    path = shared / "data" / "loader" / "lightning" / "device_stats" / "csv"
    with tl.open(path, ephemeral=True) as session:
        actual = rows(
            session.sql(
                "select raw_name, count(*) as n, min(value) as min, max(value) as max, avg(value) as mean "
                "from sample group by raw_name"
            )
        )
        lines = rows(session.sql("select entry, max(step) as step, max(epoch) as epoch from sample group by entry"))
        filled = rows(
            session.sql(
                "select names, count(*) as n from (select entry, array_agg(raw_name order by raw_name) as names "
                "from sample group by entry) group by names"
            )
        )
        first = rows(session.sql("select min(entry) as n from sample where raw_name like '%train%'"))
        batches = rows(session.sql("select step, value from sample where raw_name = 'validate/batches' order by row"))
        losses = rows(session.sql("select step, value from sample where raw_name = 'train_loss'"))
    stats = dict(oracle["columns_stats"])
    steps, epochs = stats.pop("step"), stats.pop("epoch")
    assert {row["raw_name"] for row in actual} == stats.keys()
    for row in actual:
        expected = stats[row["raw_name"]]
        assert row["n"] == expected["non_empty"]
        for name in ("min", "max", "mean"):
            assert math.isclose(row[name], expected[name], rel_tol=1e-12), row
    assert len(lines) == oracle["rows"] == steps["non_empty"]
    assert oracle["distinct_steps"] == len({line["step"] for line in lines})
    for name, expected in (("step", steps), ("epoch", epochs)):
        numbers = [line[name] for line in lines if line[name] is not None]
        got = [len(numbers), min(numbers), max(numbers), sum(numbers) / len(numbers)]
        assert got == pytest.approx([expected[key] for key in ("non_empty", "min", "max", "mean")], rel=1e-12)
    per_step = defaultdict(int)
    for line in lines:
        per_step[str(line["step"])] += 1
    assert per_step == oracle["rows_per_step"]
    sets = defaultdict(int)
    for entry in oracle["rows_by_set_of_filled_columns"]:
        sets[tuple(name for name in sorted(entry["columns"]) if name not in ("step", "epoch"))] += entry["rows"]
    assert {tuple(row["names"]): row["n"] for row in filled} == sets
    assert first[0]["n"] == oracle["rows_before_first_train_row"]
    assert [[row["step"], row["value"]] for row in batches] == oracle["validate_throughput_rows_step_and_batches"]
    assert {str(row["step"]): row["value"] for row in losses} == oracle["train_loss_by_step"]


def test_event_file_rows_equal_the_oracle(shared, oracle):
    path = shared / "data" / "loader" / "lightning" / "device_stats" / "tb"
    with tl.open(path, ephemeral=True) as session:
        for file, expected in oracle["tb"].items():
            of_file = "from sample as s join object as o using (run, object) where ends_with(url, $file)"
            whole = rows(
                session.sql(
                    f"select count(*) as n, min(ts) as first, max(ts) as last, max(entry) as entry {of_file}",
                    file=file,
                )
            )[0]
            assert (whole["n"], whole["entry"] + 1) == (expected["scalars"], expected["records"])
            # the first record is the version of the file
            assert expected["first_wall_time"] <= whole["first"] / 1e9 <= expected["first_wall_time"] + 1
            assert math.isclose(whole["last"] / 1e9, expected["last_wall_time"], abs_tol=1e-6)
            actual = rows(
                session.sql(
                    "select raw_name, count(*) as n, min(value) as min, max(value) as max, "
                    "first_value(step order by row) as first_step, last_value(step order by row) as last_step "
                    f"{of_file} group by raw_name",
                    file=file,
                )
            )
            assert {row.pop("raw_name"): row for row in actual} == expected["tags"]
            losses = rows(session.sql(f"select step, value {of_file} and raw_name = 'train_loss'", file=file))
            assert {str(row["step"]): row["value"] for row in losses} == expected["train_loss_by_step"]
        assert rows(session.sql("select count(*) as n from problem where severity <> 'notice'"))[0]["n"] == 0


def test_lines_below_another_header_have_its_columns(tmp_path):
    # A training was resumed, and logs another metric since.
    text = "epoch,step,loss\n0,49,2.5\nepoch,step,loss,acc\n1,99,1.5,0.25\n1,149,1.25,\nx,y\n"
    (tmp_path / "metrics.csv").write_text(text)
    with tl.open(tmp_path, ephemeral=True) as session:
        samples = session.sql("SELECT epoch, step, raw_name, value FROM sample ORDER BY row").rows()
        assert [tuple(row.values()) for row in samples] == [
            (0, 49, "loss", 2.5),
            (1, 99, "loss", 1.5),
            (1, 99, "acc", 0.25),
            (1, 149, "loss", 1.25),
        ]
        # A line of names without a step is not a header.
        assert [row["kind"] for row in session.sql("SELECT kind FROM problem").rows()] == ["bad_line"]


def test_both_parts_of_a_resumed_training_are_read(shared):
    # As `data/cases/README.md` says.
    with tl.open(shared / "data/cases/26-metrics-two-headers", ephemeral=True, run="r") as session:
        counts = rows(session.sql("SELECT raw_name, count(*) AS n FROM sample GROUP BY raw_name ORDER BY raw_name"))
    by_name = {row["raw_name"]: row["n"] for row in counts}
    assert (by_name["train_loss"], by_name["val_acc"]) == (20, 1)
    assert set(by_name) == {"train_loss", "val_acc", "val_loss", "lr-Adam"}
