"""Recordings without an epoch, with several processes or with copies of their events, and ranks in names of files.

`../shared/data/cases/README.md` says how the inputs were made and what is right.
"""

import gzip
import json

import pytest

import tracelake as tl
from kineto_trace import tuples

CASES = {
    "interleaved": "12-two-ranks-one-file",
    "brackets": "18-brackets-in-names",
    "event_files": "27-tfevents-restart",
    "merged": "28-composer",
    "horovod": "29-horovod",
    "accelerate": "31-accelerate",
    "jax": "32-jax",
    "lightning": "35-lightning-ddp",
}


@pytest.fixture
def job(tmp_path):
    """An empty folder for a profile."""
    (tmp_path / "job").mkdir()
    return tmp_path / "job"


@pytest.fixture(scope="module")
def cases(shared, tmp_path_factory):
    """A lake with a run for each case."""
    with tl.open(tmp_path_factory.mktemp("cases") / "lake", create=True) as session:
        for run, folder in CASES.items():
            annotation = "train_step" if run == "jax" else None
            session.ingest(shared / "data" / "cases" / folder, run=run, step_annotation=annotation)
        yield session


def test_interleaved_processes_are_two_and_the_corruption_is_reported(cases):
    processes = tuples(cases, "SELECT DISTINCT process FROM step WHERE run = 'interleaved' ORDER BY 1")
    assert processes == [("4000",), ("51234",)]
    problems = dict(tuples(cases, "SELECT kind, class FROM problem WHERE run = 'interleaved'"))
    assert problems["interleaved"] == problems["bad_line"] == "corrupt"
    # No kernel belongs to the launches of both processes.
    kernels, launched = tuples(
        cases, "SELECT count(*), count(DISTINCT object * 1000000 + row) FROM device_launch WHERE run = 'interleaved'"
    )[0]
    assert kernels == launched > 0
    findings = tuples(cases, "SELECT outcome, sentence FROM finding_evidence_corrupt WHERE run = 'interleaved'")
    assert findings[0][0] == "found"
    assert "1 of 1 file is corrupt" in findings[0][1]


def test_a_rank_in_brackets_is_read(cases):
    assert tuples(cases, "SELECT DISTINCT rank FROM event WHERE run = 'brackets' ORDER BY 1") == [(3,), (11,)]


def test_corrupt_event_files_are_found_and_empty_ones_are_not(cases):
    files = tuples(
        cases,
        """
        SELECT regexp_replace(o.url, '^.*/', ''), count(s.value)
        FROM object AS o
        LEFT JOIN sample AS s ON s.run = o.run AND s.object = o.object
        WHERE o.run = 'event_files' AND o.format = 'tensorboard_events'
        GROUP BY o.url
        ORDER BY o.url
        """,
    )
    counts = {name.split(".")[3]: count for name, count in files}
    # The last file has 19 foreign bytes at byte 200, inside its third scalar.
    assert counts == {"1578998178": 10, "1578998181": 0, "1578998300": 7, "1578998400": 0, "1578998500": 2}
    assert tuples(cases, "SELECT corrupt, incomplete, file FROM evidence_problem WHERE run = 'event_files'") == [
        (1, 0, "events.out.tfevents.1578998500.worker-0.10.3.v2")
    ]


def test_a_merged_file_is_counted_once(cases):
    counts = tuples(cases, "SELECT rank, count(*) FROM event WHERE run = 'merged' GROUP BY rank ORDER BY rank")
    assert counts == [(0, 16), (1, 16)]
    problems = tuples(cases, "SELECT kind, class, message FROM problem WHERE run = 'merged'")
    assert problems == [
        (
            "copy",
            "not_read",
            "its events are also in ep0-ba4-rank0.json, ep0-ba4-rank1.json, so they are counted there only",
        )
    ]
    assert tuples(cases, "SELECT entries FROM evidence_problem WHERE run = 'merged'") == [(0,)]


def test_a_recording_without_an_epoch_has_durations_and_order(cases):
    durations = {
        name: (count, shortest, longest)
        for name, count, shortest, longest in tuples(
            cases,
            "SELECT name, count(*), min(dur), max(dur) FROM event WHERE run = 'horovod' AND dur > 0 GROUP BY name",
        )
    }
    assert durations == {
        "NEGOTIATE_ALLREDUCE": (6, 900_000, 900_000),
        "ALLREDUCE": (6, 1_690_000, 1_690_000),
        "QUEUE": (6, 80_000, 80_000),
        "NCCL_ALLREDUCE": (6, 1_490_000, 1_490_000),
    }
    order = tuples(cases, "SELECT name FROM event WHERE run = 'horovod' AND dur > 0 ORDER BY ts, dur DESC LIMIT 5")
    assert [name for (name,) in order] == [
        "NEGOTIATE_ALLREDUCE", "ALLREDUCE", "QUEUE", "NCCL_ALLREDUCE", "NEGOTIATE_ALLREDUCE",
    ]  # fmt: skip
    assert tuples(cases, "SELECT started, has_epoch, last_ts - first_ts FROM run WHERE run = 'horovod'") == [
        (None, False, 23_000_000)
    ]
    assert tuples(cases, "SELECT clock_start FROM object WHERE run = 'horovod'") == [(5_000_000,)]
    assert (
        cases.sql("SELECT ts FROM event WHERE run = 'horovod' ORDER BY ts LIMIT 2").to_csv(times="iso")
        == "ts\n+0 ms\n+10 us\n"
    )
    assert tuples(cases, "SELECT DISTINCT window_dur FROM trace_timeline WHERE run = 'horovod'") == [(22_600_000,)]
    problems = dict(tuples(cases, "SELECT kind, class FROM problem WHERE run = 'horovod'"))
    assert problems == {"no_epoch": "note", "truncated": "incomplete"}


def test_numbers_of_a_folder_are_ranks(cases):
    steps = tuples(cases, "SELECT rank, span, count(*) FROM step WHERE run = 'accelerate' GROUP BY ALL ORDER BY 1")
    assert steps == [(0, 0, 3), (1, 0, 3)]
    busy = tuples(cases, "SELECT max(idle / CAST(dur AS double)) <= 1, min(idle) >= 0 FROM kernel_temporal_breakdown")
    assert busy == [(True, True)]


def test_copies_of_a_trace_are_counted_once(cases):
    kernels = tuples(cases, "SELECT count(*), sum(dur) FROM event WHERE run = 'jax' AND name LIKE 'gemm_fusion%'")
    assert kernels == [(12, 21_601_500)]
    assert tuples(cases, "SELECT count(*) FROM event WHERE run = 'jax' AND name = 'MemcpyH2D'") == [(4,)]
    assert tuples(cases, "SELECT n, dur_p50 FROM step_duration WHERE run = 'jax'") == [(4, 7_900_500.0)]


def test_reports_of_several_machines_have_ranks(cases):
    waits = tuples(
        cases,
        """
        SELECT rank, sum(total_s) FILTER (WHERE action LIKE '%train_dataloader_next')
        FROM action
        WHERE run = 'lightning'
        GROUP BY rank
        ORDER BY rank
        """,
    )
    assert waits == list(enumerate([5.0, 15.0, 25.0, 35.0, 30.0, 30.0]))


def trace(events, **members):
    """The text of a trace."""
    return json.dumps({"schemaVersion": 1, "deviceProperties": [], **members, "traceEvents": events})


def interval(name, ts, dur, pid=7, cat="cpu_op", **args):
    """An event of a trace; times are us."""
    return {"ph": "X", "cat": cat, "name": name, "pid": pid, "tid": pid, "ts": ts, "dur": dur, "args": args}


def test_a_clock_offset_sets_the_epoch(lake, job):
    (job / "t.json").write_text(trace([interval("a", 1000, 5), interval("b", 1010.5, 5)]))
    lake.ingest(job / "t.json", run="t")
    assert tuples(lake, "SELECT ts FROM event ORDER BY ts") == [(0,), (10_500,)]
    offset = 1_700_000_000_000_000_000
    lake.ingest(job / "t.json", run="t", clock_offset=offset)
    assert tuples(lake, "SELECT ts FROM event ORDER BY ts") == [(offset + 1_000_000,), (offset + 1_010_500,)]
    assert tuples(lake, "SELECT has_epoch, started FROM run") == [(True, offset + 1_000_000)]
    assert tuples(lake, "SELECT kind FROM problem") == []


def test_processes_of_one_file_do_not_share_their_ids(lake, job):
    events = []
    for process, device in ((100, 0), (200, 1)):
        for n in range(3):
            start = 1000 + 100 * n
            events += [
                interval(f"ProfilerStep#{n}", start, 90, process, "user_annotation"),
                interval("cudaLaunchKernel", start + 1, 2, process, "cuda_runtime", correlation=n),
                {**interval("k", start + 5, 10, device, "kernel", correlation=n, device=device, stream=7), "tid": 7},
            ]
    base = 1_700_000_000_000_000_000
    (job / "t.json").write_text(trace(events, baseTimeNanoseconds=base))
    lake.ingest(job / "t.json", run="t")
    assert tuples(
        lake, "SELECT process, count(*), sum(dur) FROM event WHERE category = 'kernel' GROUP BY ALL ORDER BY 1"
    ) == [
        ("100", 3, 30_000),
        ("200", 3, 30_000),
    ]
    assert tuples(lake, "SELECT count(*), sum(work) FROM host_call WHERE is_launch") == [(6, 60_000)]
    assert tuples(lake, "SELECT count(*) FROM device_launch WHERE launch_ts < ts") == [(6,)]
    assert tuples(lake, "SELECT process, count(*) FROM step GROUP BY ALL ORDER BY 1") == [("100", 3), ("200", 3)]
    assert tuples(lake, "SELECT kind, class FROM problem") == [("processes", "note")]


def test_a_pattern_finds_ranks(lake, job):
    for name in ("job_a-5.json", "job_b-9.json"):
        (job / name).write_text(trace([interval("a", 1000, 5)], baseTimeNanoseconds=1_700_000_000_000_000_000))
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT rank FROM event") == [(None,), (None,)]
    lake.ingest(job, run="t", rank_from=r"-(\d+)\.json")
    assert tuples(lake, "SELECT rank, span FROM event ORDER BY 1") == [(5, 0), (9, 0)]
    assert tuples(lake, "SELECT kind FROM problem") == []
    # The pattern stays until another one is set.
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT ranks FROM run") == [(2,)]
    with pytest.raises(tl.errors.ArgumentError, match="one group for the rank"):
        lake.ingest(job, run="t", rank_from="rank")


def test_overlapping_recordings_of_a_rank_are_reported(lake, job):
    base = 1_700_000_000_000_000_000
    for name, start in (("a-rank0.json", 1000), ("b-rank0.json", 1050), ("c-rank1.json", 1000)):
        text = trace([interval("x", start, 5), interval("y", start + 90, 10)], baseTimeNanoseconds=base)
        (job / name).write_text(text)
    lake.ingest(job, run="t")
    problems = tuples(
        lake,
        """
        SELECT regexp_replace(o.url, '^.*/', ''), p.kind, p.class
        FROM problem AS p
        JOIN object AS o ON o.run = p.run AND o.object = p.object
        """,
    )
    assert problems == [("b-rank0.json", "overlap", "note")]


def test_a_copy_stays_excluded_when_nothing_changed(lake, job):
    text = trace([interval(f"op{n}", 1000 + 10 * n, 5) for n in range(8)])
    (job / "a.json").write_text(text)
    with gzip.open(job / "b.json.gz", "wt") as copy:
        copy.write(text)
    assert lake.ingest(job, run="t")["read"] == 2
    again = lake.ingest(job, run="t")
    assert (again["read"], again["unchanged"]) == (0, 2)
    assert tuples(lake, "SELECT count(*) FROM event") == [(8,)]


def test_a_copy_is_read_again_when_the_original_changes(lake, job):
    first = trace([interval(f"op{n}", 1000 + 10 * n, 5) for n in range(8)])
    (job / "a.json").write_text(first)
    (job / "b.json").write_text(first)
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT count(*) FROM event") == [(8,)]
    (job / "a.json").write_text(trace([interval(f"op{n}", 1000 + 10 * n, 6) for n in range(8)]))
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT count(*) FROM event") == [(16,)]
    assert tuples(lake, "SELECT count(*) FROM problem WHERE kind = 'copy'") == [(0,)]
    (job / "a.json").unlink()
    lake.ingest(job, run="t", prune=True)
    assert tuples(lake, "SELECT count(*) FROM event") == [(8,)]


def test_recordings_with_the_same_times_are_not_copies(lake, job):
    for name, prefix in (("gpipe.json", "F"), ("1f1b.json", "B")):
        (job / name).write_text(trace([interval(f"{prefix}{n}", 10 * n, 5) for n in range(8)]))
    for name, start in (("first.json", 0), ("second.json", 5_000_000)):
        (job / name).write_text(trace([interval(f"step {n}", start + 10 * n, 7) for n in range(8)]))
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT count(*) FROM event") == [(32,)]


def test_a_first_time_of_zero_does_not_hide_the_epoch(lake, job):
    events = [{"ph": "i", "name": "begin", "pid": 7, "tid": 7, "ts": 0}]
    events += [interval(f"op{n}", 1_700_000_000_000_000 + 10 * n, 5) for n in range(8)]
    (job / "t.json").write_text(trace(events))
    lake.ingest(job, run="t")
    assert tuples(lake, "SELECT has_epoch, started FROM run") == [(True, 1_700_000_000_000_000_000)]
    assert tuples(lake, "SELECT count(*) FROM event WHERE ts > 1000000000000000000") == [(8,)]


def test_an_offset_does_not_move_files_with_an_epoch(lake, job):
    base = 1_700_000_000_000_000_000
    (job / "a.json").write_text(trace([interval("a", 1000, 5)], baseTimeNanoseconds=base))
    (job / "b.json").write_text(trace([interval("b", 1000, 5)]))
    lake.ingest(job, run="t", clock_offset=base)
    assert tuples(lake, "SELECT name, ts FROM event ORDER BY 1") == [("a", base + 1_000_000), ("b", base + 1_000_000)]
    lake.ingest(job, run="t", clock_offset=7)
    assert tuples(lake, "SELECT name, ts FROM event ORDER BY 1") == [("a", base + 1_000_007), ("b", 7)]


def test_a_pattern_without_a_match_is_an_error(lake, job):
    (job / "a.json").write_text(trace([interval("a", 1000, 5)]))
    with pytest.raises(tl.errors.ArgumentError, match="finds no rank"):
        lake.ingest(job, run="t", rank_from=r"gpu(\d+)")


def test_negative_counts_are_unknown(lake, job):
    lines = [{"step": n, "load_s": 0.002, "batch_size": size} for n, size in enumerate([-1, 8])]
    (job / "timings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    lake.ingest(job, run="job")
    assert tuples(lake, "select dur, batch_size from loader order by row") == [(2_000_000, None), (2_000_000, 8)]


def test_a_member_that_only_later_rows_have_is_null_in_earlier_ones(lake, job):
    lines = [{"load_s": 0.001}, {"load_s": 0.002, "step": 7}, {"load_s": 0.003}]
    (job / "timings.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (job / "plain.jsonl").write_text('{"load_s": 0.5}\n{"load_s": 0.6}\n')
    lake.ingest(job, run="job")
    assert tuples(lake, "select loader, epoch, step from loader order by loader, row") == [
        ("plain", 0, 0), ("plain", 0, 1), ("timings", 0, None), ("timings", 0, 7), ("timings", 0, None),
    ]  # fmt: skip


def test_second_processes_of_two_files_are_two_recordings(lake, job):
    for rank in range(2):
        events = [interval(f"ProfilerStep#{n}", 100 * n, 90, pid=pid) for n in range(3) for pid in (7, 8)]
        document = trace(events, baseTimeNanoseconds=1, distributedInfo={"rank": rank, "world_size": 2})
        (job / f"rank{rank}.json").write_text(document)
    lake.ingest(job, run="t")
    recordings = tuples(lake, "select rank, span, count(*) from step group by rank, span order by rank, span")
    assert [(rank, count) for rank, _, count in recordings] == [(0, 3), (1, 3), (None, 3), (None, 3)]


def test_a_window_with_dates_says_which_run_has_none(lake, job):
    (job / "t.json").write_text(trace([interval("ProfilerStep#1", 1000, 5), interval("ProfilerStep#2", 1010, 5)]))
    lake.ingest(job, run="clock")
    frame = lake.query("trace.timeline", start=1_700_000_000_000_000_000, end=1_800_000_000_000_000_000)
    assert len(frame) == 0
    assert "no time of run `clock` has a date" in str(frame)
    assert "no time of run" not in str(lake.query("trace.timeline", start=500_000_000, end=600_000_000))
    (job / "dated.json").write_text(trace([interval("a", 1000, 5)], baseTimeNanoseconds=1_700_000_000_000_000_000))
    lake.ingest(job, run="both")
    frame = lake.query("trace.timeline", run="both", start=1_800_000_000_000_000_000, end=1_900_000_000_000_000_000)
    assert "no time of run" not in str(frame)
