"""Several PyTorch traces in one folder: some are consecutive recordings of one process."""

import gzip
import json

import pytest

NEXT = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__"


def write(path, step, rank=None, base=1_700_000_000_000_000_000):
    """Returns a trace of one step of 50 us with two batches, 20 us apart; the header can have the rank."""
    shared = {"ph": "X", "pid": 1, "tid": 1}
    events = [
        {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "ts": 10.0, "dur": 50.0, **shared},
        {"name": NEXT, "cat": "user_annotation", "ts": 11.0, "dur": 2.0, **shared},
        {"name": NEXT, "cat": "user_annotation", "ts": 31.0, "dur": 2.0, **shared},
    ]
    distributed_info = {} if rank is None else {"distributedInfo": {"backend": "gloo", "rank": rank, "world_size": 2}}
    trace = {"schemaVersion": 1, "baseTimeNanoseconds": base, **distributed_info, "traceEvents": events}
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(trace)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


def outcomes(session):
    """Returns rank and span of each step."""
    sql = "select s.step, s.rank, s.span from step s order by s.step"
    return {row["step"]: (row["rank"], row["span"]) for row in list(session.sql(sql))}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        # exported manually, one after the other: the traces have their rank
        ({"run_1.json": 0, "run_2.json": 0, "run_10.json": 0}, [(0, 0), (0, 1), (0, 2)]),
        # of two processes: steps of one recording share a span over ranks
        ({"a.json": 0, "b.json": 1}, [(0, 0), (1, 0)]),
        # file names of the TensorBoard handler; rank 0 was restarted
        (
            {"box_17.5.pt.trace.json": 0, "box_18.6.pt.trace.json.gz": 1, "box_19.7.pt.trace.json.gz": 0},
            [(0, 0), (1, 0), (0, 1)],
        ),
        ({"rank0.9.pt.trace.json": None, "worker0.8.pt.trace.json": None}, [(0, 1), (0, 0)]),
        # without any information, all are different processes
        ({"box_17.6.pt.trace.json": None, "box_18.5.pt.trace.json": None}, [(None, 1), (None, 0)]),
        # a number after `worker` can count the processes of one machine
        ({"a/worker0.5.pt.trace.json": 0, "b/worker0.6.pt.trace.json": 8}, [(0, 0), (8, 0)]),
    ],
)
def test_each_recording_is_a_span(tmp_path, lake, files, expected):
    for step, (name, rank) in enumerate(files.items()):
        write(tmp_path / "job" / name, step, rank)
    lake.ingest(tmp_path / "job")
    assert outcomes(lake) == dict(enumerate(expected))
    again = lake.ingest(tmp_path / "job")
    assert (again["read"], again["unchanged"]) == (0, len(files))


def test_an_added_file_renumbers_the_files_after_it(tmp_path, lake):
    """The result equals an ingest of all files at once."""
    write(tmp_path / "job" / "run_2.json", 2, rank=0)
    lake.ingest(tmp_path / "job")
    assert outcomes(lake) == {2: (0, 0)}
    write(tmp_path / "job" / "run_10.json", 10, rank=0)
    report = lake.ingest(tmp_path / "job")
    assert (report["read"], outcomes(lake)) == (1, {2: (0, 0), 10: (0, 1)})
    write(tmp_path / "job" / "run_1.json", 1, rank=0)
    report = lake.ingest(tmp_path / "job")
    assert (report["read"], outcomes(lake)) == (3, {1: (0, 0), 2: (0, 1), 10: (0, 2)})


def test_only_a_malformed_file_is_reported(tmp_path, lake):
    write(tmp_path / "job" / "box_17.5.pt.trace.json", 0, rank=0)
    (tmp_path / "job" / "box_18.6.pt.trace.json.gz").write_bytes(b"\x1f\x8b\x08 no gzip")
    report = lake.ingest(tmp_path / "job")
    assert (report["read"], outcomes(lake)) == (2, {0: (0, 0)})
    problems = list(lake.sql("select o.url, p.kind from problem p join object o on o.object = p.object"))
    assert {row["url"].rsplit("/", 1)[1] for row in problems} == {"box_18.6.pt.trace.json.gz"}


def test_the_pause_between_two_recordings_is_not_batch_time(tmp_path, lake):
    for n in range(3):
        write(tmp_path / "job" / f"run_{n}.json", n, rank=0, base=1_700_000_000_000_000_000 + n * 60_000_000_000)
    lake.ingest(tmp_path / "job")
    row = next(iter(lake.query("loader.batch_time")))
    assert (row["n"], row["dur_min"], row["dur_max"]) == (3, 20_000, 20_000)


def test_the_first_recording_is_still_known_after_the_second(tmp_path, lake):
    """Files with names of the TensorBoard handler, without the rank."""
    first, second = (tmp_path / "job" / f"box_17.{stamp}.pt.trace.json" for stamp in (5, 6))
    write(first, 1, rank=0)
    lake.ingest(tmp_path / "job")
    write(second, 2, rank=0)
    assert lake.ingest(tmp_path / "job")["read"] == 1
    assert outcomes(lake) == {1: (0, 0), 2: (0, 1)}


def test_deleted_files_and_other_sources_keep_their_numbers(tmp_path, lake):
    write(tmp_path / "job" / "rank0.5.pt.trace.json", 1)
    lake.ingest(tmp_path / "job", run="job")
    (tmp_path / "job" / "rank0.5.pt.trace.json").unlink()
    write(tmp_path / "job" / "rank0.6.pt.trace.json", 2)
    lake.ingest(tmp_path / "job", run="job")
    assert outcomes(lake) == {1: (0, 0), 2: (0, 1)}
    write(tmp_path / "more" / "rank0.3.pt.trace.json", 3)
    write(tmp_path / "more" / "rank1.3.pt.trace.json", 4)
    lake.ingest(tmp_path / "more", run="job")
    assert outcomes(lake) == {1: (0, 0), 2: (0, 1), 3: (0, 2), 4: (1, 0)}
    for folder in ("job", "more"):
        assert lake.ingest(tmp_path / folder, run="job")["read"] == 0
