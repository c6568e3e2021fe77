"""`export`: the file has every event of a run exactly, on nested tracks; ingesting it gives the same rows."""

import gzip
import json
from collections import Counter, defaultdict
from decimal import Decimal

import pytest

import tracelake as tl
from kineto_trace import generate
from tracelake.errors import ArgumentError, NotFoundError

pytestmark = pytest.mark.slow

# members of an event that a file preserves: all except process and thread numbers, which ranks can share
KEPT = "category, raw_category, name, ts, dur, step, mode, device, stream, correlation, external_id, args"


def trace(path):
    """Returns the whole file; fractions are decimals."""
    unpack = gzip.open if path.name.endswith(".gz") else open
    with unpack(path, "rt", encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal)


def ns(micros):
    """Converts decimal us to ns; fails if it is not exact."""
    scaled = Decimal(micros) * 1000
    assert scaled == int(scaled), micros
    return int(scaled)


def plain(number):
    """Removes trailing zeros of a decimal."""
    return Decimal(number).normalize()


def exported(session, run, tmp_path):
    """Returns the counts of `export`, and the file."""
    path = tmp_path / "exported.json"
    return session.export(run, path), trace(path)


def rows_of(session, run):
    """The events of a run, as Python sees them; arguments in order. `at` is the time, from whatever it counts."""
    rows = list(session.sql(f"select {KEPT}, pid, tid, track from event where run = $run", run=run))
    for row in rows:
        own = json.loads(row["args"] or "{}", object_pairs_hook=list, parse_float=plain)
        recorded = dict(own).get("ts")
        row["at"] = ns(recorded) if row["ts"] is None and recorded is not None else row["ts"]
        # In a file with several processes, the bits from 32 on are the ordinal of the process.
        for name in ("correlation", "external_id"):
            row[name] = None if row[name] is None else row[name] & 0xFFFF_FFFF
        row["args"] = repr(sorted(own, key=repr)) if isinstance(own, list) else "[]"
    return rows


def nested(events):
    """Returns the number of slices that partly overlap another one of their thread, by sorting."""
    threads = defaultdict(list)
    for event in events:
        if event["ph"] == "X":
            ts = ns(event["ts"])
            threads[event["pid"], event["tid"]].append((ts, -ns(event["dur"])))
    bad = 0
    for slices in threads.values():
        ends = []
        for ts, minus in sorted(slices):
            while ends and ends[-1] <= ts:
                ends.pop()
            bad += bool(ends) and ends[-1] < ts - minus
            ends.append(ts - minus)
    return bad


def check(session, run, tmp_path):
    """Checks counts and times of the file against the rows, and the consistency of the file."""
    counts, file = exported(session, run, tmp_path)
    base, events = file.get("baseTimeNanoseconds", 0), file["traceEvents"]
    rows = rows_of(session, run)
    phases = Counter(event["ph"] for event in events)
    assert phases["X"] == counts["slices"]
    assert phases["i"] == counts["instants"]
    assert phases["C"] == counts["counters"]
    assert phases["s"] + phases["t"] + phases["f"] == counts["flows"]
    assert counts["slices"] + counts["instants"] + counts["flows"] == len(rows)
    slices = Counter((e["name"], base + ns(e["ts"]), ns(e["dur"])) for e in events if e["ph"] == "X")
    with_end = [row for row in rows if row["dur"] is not None and row["dur"] >= 0 and row["category"] != "flow"]
    assert slices == Counter((row["name"] or "", row["at"], row["dur"]) for row in with_end)
    assert all(ns(event["ts"]) >= 0 for event in events if event["ph"] != "M")  # Perfetto drops what is before 0
    assert nested(events) == 0
    names = Counter((event["pid"], event["tid"]) for event in events if event["name"] == "thread_sort_index")
    assert set(names.values()) <= {1}
    assert {(e["pid"], e["tid"]) for e in events if e["ph"] in "Xisf"} <= set(names)
    return counts, file


def reingest(session, run, tmp_path):
    """Returns the events of the ingested file, and of the run."""
    path = tmp_path / "again.json.gz"
    session.export(run, path)
    with tl.open(path, ephemeral=True) as copy:
        return rows_of(copy, copy.run), rows_of(session, run)


def drop_members(rows, *without):
    """Removes process and thread numbers from rows."""
    dropped_members = (*without, "pid", "tid", "track", "at")
    return Counter(tuple(value for name, value in row.items() if name not in dropped_members) for row in rows)


def test_every_shared_trace_is_exported_completely(every_trace, tmp_path):
    session, runs = every_trace
    for run in runs:
        counts, _ = check(session, run, tmp_path)
        assert counts["excluded"] == 0, run


def test_every_exported_shared_trace_is_read_unchanged(every_trace, tmp_path):
    session, runs = every_trace
    for run in runs:
        copy, rows = reingest(session, run, tmp_path)
        assert drop_members(copy) == drop_members(rows), run
        # a thread keeps its number, unless it had none, it is shared in its process, or it is a lane
        numbered = Counter(row["tid"] for row in rows if row["tid"] is not None)
        same = numbered & Counter(row["tid"] for row in copy)
        assert sum(same.values()) >= 0.9 * sum(numbered.values()) or len(rows) < 10, run


def test_overlapping_slices_get_separate_lanes(every_trace, tmp_path):
    session, runs = every_trace
    for part, moved_slices in [
        ("b200", 42),
        ("full_options", 24),
        ("alexnet", 8),
        ("mtia", 14),
        ("h100", 1),
        ("control", 0),
    ]:
        (run,) = [run for run in runs if part in run]
        counts, file = check(session, run, tmp_path)
        assert counts["extra_lanes"] == moved_slices, run
        lanes = [e["args"]["name"] for e in file["traceEvents"] if e["name"] == "thread_name"]
        assert any(name.endswith(" (2)") for name in lanes) == (moved_slices > 0), run


@pytest.fixture(scope="module")
def ranks(shared, tmp_path_factory):
    """Eight generated ranks as one run."""
    folder = tmp_path_factory.mktemp("ranks")
    generate(shared, folder, "--steps", "3", "--kernels-per-step", "60", "--nccl", "4", "--ranks", "8", "--stack")
    with tl.open(folder, ephemeral=True, run="ranks") as session:
        yield session


def test_ranks_stay_apart(ranks, tmp_path):
    _, file = check(ranks, "ranks", tmp_path)
    names = {e["pid"]: e["args"]["name"] for e in file["traceEvents"] if e["name"] == "process_name"}
    assert len(set(names.values())) == len(names)
    actual = Counter(names[e["pid"]].split(",")[0] for e in file["traceEvents"] if e["ph"] in "Xisf")
    expected = {
        f"rank {row['rank']}": row["n"] for row in list(ranks.sql("select rank, count(*) n from event group by 1"))
    }
    assert actual == expected
    # the same stream of each rank has its own track
    kernels = {(e["pid"], e["tid"]) for e in file["traceEvents"] if e.get("cat") == "kernel"}
    count = "select count(*) as n from (select distinct rank, stream from event where category = 'kernel')"
    assert len(kernels) == next(iter(ranks.sql(count)))["n"]
    # a file of several ranks has no rank of its own
    assert "rank" not in file["distributedInfo"]
    assert file["distributedInfo"]["world_size"] == 8


def test_every_launch_has_an_arrow(ranks, tmp_path):
    _, file = check(ranks, "ranks", tmp_path)
    ends, launched = defaultdict(lambda: defaultdict(list)), {}
    for event in file["traceEvents"]:
        if event.get("cat") == "ac2g":
            ends[event["id"]][event["ph"]].append((event["pid"], event["tid"], ns(event["ts"])))
        if event.get("cat") in {"kernel", "gpu_memcpy", "gpu_memset"}:
            launched[event["pid"], event["tid"], ns(event["ts"])] = event["args"]["correlation"]
    assert len(ends) == len(launched)
    for both in ends.values():
        (_,), (end,) = both["s"], both["f"]
        assert end in launched


def test_a_merged_file_can_be_ingested(ranks, tmp_path):
    copy, rows = reingest(ranks, "ranks", tmp_path)

    def without_ids(rows):
        return drop_members([row for row in rows if row["category"] != "flow"])

    assert without_ids(copy) == without_ids(rows)
    # an arrow keeps its ends; its id differs from those of other ranks
    flows = [[row for row in some if row["category"] == "flow"] for some in (copy, rows)]
    assert drop_members(flows[0], "correlation", "args") == drop_members(flows[1], "correlation", "args")


def test_memory_is_a_counter(s_ddp, tmp_path):
    _, file = check(s_ddp, "pytorch_ddp", tmp_path)
    base = file["baseTimeNanoseconds"]
    actual = Counter()
    for event in file["traceEvents"]:
        if event["ph"] == "C":
            values = event["args"]["allocated_bytes"], event["args"]["reserved_bytes"]
            actual[(event["name"], base + ns(event["ts"]), *values)] += 1
    rows = list(s_ddp.sql("select device, ts, allocated_bytes, reserved_bytes from allocation"))
    assert actual == Counter(
        (f"memory {r['device']}", r["ts"], r["allocated_bytes"], r["reserved_bytes"]) for r in rows
    )


@pytest.fixture(scope="module")
def s_ddp(profile):
    with tl.open(profile.parents[1] / "pytorch_ddp", ephemeral=True) as session:
        yield session


def test_measurements_are_counters(s, tmp_path):
    """A profile of SageMaker: no traces, but the tables are the same."""
    counts, file = check(s, "first_look", tmp_path)
    base = file["baseTimeNanoseconds"]
    actual = Counter()
    for event in file["traceEvents"]:
        if event["ph"] == "C":
            ((key, value),) = event["args"].items()
            actual[event["name"], key, base + ns(event["ts"]), float(value)] += 1
    rows = list(s.sql("select coalesce(device, resource) as what, metric, unit, ts, value from sample"))
    assert actual == Counter((f"{r['what']} {r['metric']}", r["unit"], r["ts"], r["value"]) for r in rows)
    assert counts["counters"] == len(rows)
    categories = Counter(event["cat"] for event in file["traceEvents"] if event["ph"] == "X")
    assert categories == {
        r["category"]: r["n"] for r in list(s.sql("select category, count(*) n from event group by 1"))
    }


def write_events(folder, events, **members):
    """Opens a trace of these events as a session."""
    path = folder / "own.json"
    path.write_text(json.dumps({**members, "traceEvents": events}))
    return tl.open(path, ephemeral=True, run="own")


def test_times_without_an_epoch_count_from_the_first_event(tmp_path):
    events = [
        {"ph": "X", "name": "a", "cat": "x", "pid": 1, "tid": 1, "ts": 5.25, "dur": 10, "args": {"ts": "mine", "n": 1}},
        {"ph": "X", "name": "b", "cat": "x", "pid": 1, "tid": 1, "ts": 6, "dur": 1},
        {"ph": "s", "name": "f", "cat": "y", "pid": 1, "tid": 1, "ts": 6, "id": "0x1f"},
        {"ph": "f", "name": "f", "cat": "y", "pid": 1, "tid": 1, "ts": 7, "id": "0x1f"},
        {"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "worker / of mine"}},
        {"ph": "X", "name": "c", "pid": 2, "tid": 2, "ts": 7},
    ]
    with write_events(tmp_path, events) as session:
        counts, file = exported(session, "own", tmp_path)
        assert counts == {
            "run": "own",
            "slices": 2,
            "instants": 1,
            "flows": 2,
            "counters": 0,
            "extra_lanes": 0,
            "excluded": 0,
            "bytes": (tmp_path / "exported.json").stat().st_size,
        }
        assert "baseTimeNanoseconds" not in file
        a = next(event for event in file["traceEvents"] if event["name"] == "a")
        assert (a["ts"], a["dur"], a["args"]) == (0, 10, {"ts": "mine", "n": 1})
        copy, rows = reingest(session, "own", tmp_path)
        assert drop_members(copy) == drop_members(rows)


def test_odd_events_are_kept(tmp_path):
    base = 1_700_000_000_000_000_000
    events = [
        {"ph": "X", "name": 'a "quoted"\n\u0001 name', "pid": 1, "tid": 140735000000123, "ts": 1, "dur": 2},
        {"ph": "X", "name": "back", "pid": 1, "tid": 140735000000124, "ts": 4, "dur": -2},
        {"ph": "X", "name": "no end", "pid": -1, "tid": 0, "ts": 5},
        {"ph": "X", "name": "zero", "pid": 0, "tid": 0, "ts": 5, "dur": 0},
        {"ph": "i", "name": "now", "pid": "a name", "tid": "of a thread", "ts": 5, "args": {"deep": {"er": [1, {}]}}},
        {"ph": "C", "name": "load", "pid": 1, "ts": 5.5, "args": {"one": 1.5, "two": 2}},
        {"ph": "X", "name": "out of time", "pid": 1, "tid": 1, "dur": 1},
    ]
    with write_events(tmp_path, events, baseTimeNanoseconds=base) as session:
        counts, file = exported(session, "own", tmp_path)
        assert (counts["slices"], counts["instants"], counts["counters"], counts["excluded"]) == (2, 3, 2, 1)
        named = {event["name"]: event for event in file["traceEvents"] if event["ph"] != "M"}
        assert 'a "quoted"\n\u0001 name' in named
        assert (named["back"]["ph"], named["back"]["args"]["dur"]) == ("i", -2)
        assert named["now"]["args"] == {"deep": {"er": [1, {}]}}
        assert all(0 <= event["tid"] < 1 << 31 and 0 <= event["pid"] < 1 << 31 for event in file["traceEvents"])
        # a counter is named as it was
        copy = tl.open(tmp_path / "exported.json", ephemeral=True)
        counters = "select raw_name, raw_dimension, ts, value from sample order by raw_dimension"
        assert list(copy.sql(counters)) == list(session.sql(counters))


def test_a_long_run_is_written_window_by_window(generate_trace, tmp_path):
    """More events than fit in one window, and far apart: the file is sorted and complete."""
    with tl.open(generate_trace, ephemeral=True, run="long") as session:
        counts, file = check(session, "long", tmp_path)
        assert counts["slices"] + counts["instants"] + counts["flows"] > 200_000
        times = [ns(event["ts"]) for event in file["traceEvents"] if event["ph"] in "Xisf"]
        assert times == sorted(times)


@pytest.fixture(scope="module")
def generate_trace(tmp_path_factory):
    """Writes two recordings of 120,000 events each, an hour apart."""
    folder = tmp_path_factory.mktemp("long")
    for part in range(2):
        base = 1_700_000_000_000_000_000 + part * 3_600_000_000_000
        events = [
            {"ph": "X", "cat": "cpu_op", "name": f"op{n % 50}", "pid": 9, "tid": 9, "ts": n // 2 * 3, "dur": 2 - n % 2}
            for n in range(120_000)
        ]
        members = {"schemaVersion": 1, "baseTimeNanoseconds": base, "traceName": "x"}
        (folder / f"rank0.{part + 1}.pt.trace.json").write_text(json.dumps({**members, "traceEvents": events}))
    return folder


def test_an_export_that_is_not_possible_is_an_error(s, tmp_path):
    with pytest.raises(NotFoundError, match=r"no run or baseline `first_loko`; did you mean `first_look`\?"):
        s.export("first_loko", tmp_path / "x.json")
    with pytest.raises(ArgumentError, match=r"no export format `crome`; did you mean `chrome`\?"):
        s.export("first_look", tmp_path / "x.json", format="crome")
    with pytest.raises(ArgumentError, match=r"the extension is not"):
        s.export("first_look", tmp_path / "x")
    with pytest.raises(ArgumentError, match=r"a trace is written only to a local file"):
        s.export("first_look", "s3://bucket/x.json")
    with pytest.raises(NotFoundError, match=r"cannot write .*no/x.json"):
        s.export("first_look", tmp_path / "no" / "x.json")
    assert list(tmp_path.iterdir()) == []
    with tl.open(tmp_path / "lake", create=True) as empty, pytest.raises(ArgumentError, match="no run is given"):
        empty.export(None, tmp_path / "x.json")
    assert s.export(None, tmp_path / "x.json")["run"] == "first_look"


@pytest.fixture(scope="module")
def files_of(every_trace, tmp_path_factory):
    """Returns the counts of the export of a shared trace, and the file, by file name."""
    session, _ = every_trace
    folder = tmp_path_factory.mktemp("files")
    return lambda name: exported(session, name.removeprefix("data/kineto/").replace("/", "-"), folder)


def test_an_independent_reader_counts_the_same_events(files_of, shared):
    """`exact_all_events.json`: an independent exact reader of the raw traces; its overlaps equal the lanes."""
    oracle = json.loads((shared / "oracle" / "kineto" / "exact_all_events.json").read_text())
    assert len(oracle) == 18
    for key, expected in oracle.items():
        counts, file = files_of(expected["file"])
        slices = [event for event in file["traceEvents"] if event["ph"] == "X"]
        assert len(slices) == counts["slices"] == expected["x_events"], key
        assert Counter(event["cat"] for event in slices) == expected["by_category"], key
        kernels = [event for event in slices if event["cat"].lower() == "kernel"]
        assert sum(ns(event["dur"]) for event in kernels) == round(expected["kernel_sum_us"] * 1000), key
        assert counts["extra_lanes"] == sum(expected["partial_overlaps"].values()), key


def test_events_that_perfetto_drops_from_the_originals_are_exported(files_of, shared):
    """`event_loss_and_speed.json`: the events that Perfetto 55.3 drops from the original files."""
    oracle = json.loads((shared / "oracle" / "kineto" / "perfetto" / "event_loss_and_speed.json").read_text())
    dropped = 0
    for expected in oracle:
        counts, file = files_of(expected["file"])
        assert counts["slices"] == expected["x_events"], expected["file"]
        for category, lost in expected["lost_by_category"].items():
            exported_events = [e for e in file["traceEvents"] if e["ph"] == "X" and e.get("cat") == category]
            assert len(exported_events) == lost["events_in_file"], (expected["file"], category)
            assert float(sum(ns(e["dur"]) for e in exported_events)) / 1000 == pytest.approx(
                lost["us_in_file"], abs=0.001
            )
            dropped += lost["events_in_file"] - lost["events_kept"]
    assert dropped > 900
