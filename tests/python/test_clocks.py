"""Clocks of ranks: planted skew is estimated, reported and removed, and durations do not contain it."""

import json
import random
import statistics
import subprocess
import sys

import pytest

import tracelake as tl

BASE = 1_790_000_000_000_000_000
STEPS = 12
STEP_US = 4_000
JITTER_US = 3


def write_job(folder, skews_us, groups=None, seed=0):
    """Writes one trace per rank: its times are ahead by its skew. Returns the true durations of the steps in us.

    `groups` are lists of ranks. In each step, each group has one reduction, which ends on
    all its ranks at about the same time.
    """
    noise = random.Random(seed)
    ranks = range(len(skews_us))
    groups = groups or [list(ranks)]
    durations = [[STEP_US + noise.randint(-200, 200) for _ in ranks] for _ in range(STEPS)]
    events = {rank: [] for rank in ranks}
    for step in range(STEPS):
        begin = 1_000_000 + step * 2 * STEP_US
        for rank in ranks:
            mark = {"name": f"ProfilerStep#{step}", "cat": "user_annotation", "pid": rank, "tid": 1}
            events[rank].append({**mark, "ts": begin, "dur": durations[step][rank]})
        for number, members in enumerate(groups):
            until = begin + 2_000 + 500 * number
            for rank in members:
                start = until - noise.randint(100, 400)
                args = {"stream": 7, "device": rank, "Collective name": "allreduce"}
                args |= {"Process Group Name": str(number), "correlation": 1_000 * number + step}
                kernel = {"name": "ncclDevKernel_AllReduce_Sum_f32_RING_LL", "cat": "kernel", "pid": rank, "tid": 7}
                end = until + noise.uniform(-JITTER_US, JITTER_US)
                events[rank].append({**kernel, "ts": start, "dur": end - start, "args": args})
    folder.mkdir()
    for rank in ranks:
        shifted = [{"ph": "X", **event, "ts": event["ts"] + skews_us[rank]} for event in events[rank]]
        info = {"rank": rank, "world_size": len(skews_us), "backend": "nccl"}
        trace = {"schemaVersion": 1, "baseTimeNanoseconds": BASE, "distributedInfo": info, "traceEvents": shifted}
        (folder / f"rank{rank}.json").write_text(json.dumps(trace))
    return durations


def offsets(session):
    return session.query("rank.clock_offsets").to_pandas().set_index(["run", "rank"])


def steps(session):
    return session.step.over_time().to_pandas().sort_values(["run", "step"])[["run", "dur"]]


def test_a_planted_skew_is_estimated_reported_and_removed(tmp_path):
    noise = random.Random(1)
    skews, durations = {}, {}
    with tl.open(tmp_path / "lake", create=True) as session:
        for n_ranks in range(2, 9):
            run = f"job-{n_ranks}"
            skews[run] = [0, *(noise.randint(-50_000, 50_000) for _ in range(n_ranks - 1))]
            durations[run] = write_job(tmp_path / run, skews[run], seed=n_ranks)
        session.ingest(tmp_path / "job-*")
        clocks = offsets(session)
        assert (clocks["collectives"] == STEPS).all()
        assert (clocks["uncertainty"] < 20_000).all()
        diagnosis = session.diagnose()
        findings = {one.run: one for one in diagnosis if one.id == "clock_skew"}
        for run, skew in skews.items():
            for rank, planted in enumerate(skew):
                assert abs(clocks["clock_ahead"][run, rank] - 1_000 * planted) < 100_000
            assert findings[run].outcome == "found"
            assert abs(findings[run].value - 1_000 * (max(skew) - min(skew))) < 100_000
            assert f"rank {skew.index(max(skew))} is " in findings[run].sentence
            assert f"that of rank {skew.index(min(skew))} " in findings[run].sentence

        # durations are per rank, and medians over the ranks
        expected = [round(1_000 * statistics.median(step)) for run in sorted(durations) for step in durations[run]]
        before = steps(session)
        assert before["dur"].tolist() == expected

        recorded = session.sql("SELECT run, rank, ts FROM event ORDER BY run, rank, ts").to_pandas()
        assert len(session.align_clocks("job-*")) == len(clocks)
        assert offsets(session)["clock_ahead"].abs().max() < 100_000
        assert session.finding.clock_skew().to_pandas()["outcome"].tolist() == ["passed"] * len(skews)
        query = "SELECT max(apart) AS apart FROM (SELECT max(ts) - min(ts) AS apart FROM step GROUP BY run, step)"
        assert int(session.sql(query).to_pandas()["apart"].astype("int64")[0]) < 100_000
        assert steps(session).equals(before)

        # a repeated ingest reads nothing, and keeps the alignment
        assert session.ingest(tmp_path / "job-8")["read"] == 0
        session.align_clocks("job-*", undo=True)
        assert session.sql("SELECT run, rank, ts FROM event ORDER BY run, rank, ts").to_pandas().equals(recorded)


def test_a_rank_without_a_collective_of_the_reference_is_compared_with_the_others(tmp_path):
    skews = [0, 7_000, -20_000, 31_000]
    write_job(tmp_path / "job", skews, groups=[[0, 1], [2, 3], [1, 3], [0, 2]])
    with tl.open(tmp_path / "job", ephemeral=True) as session:
        clocks = offsets(session)
        for rank, skew in enumerate(skews):
            assert abs(clocks["clock_ahead"]["job", rank] - 1_000 * skew) < 100_000
        assert clocks["collectives"].tolist() == [24, 12, 12, 24]


def test_equal_clocks_pass_and_one_rank_has_no_data(tmp_path):
    write_job(tmp_path / "equal", [0, 0, 0])
    write_job(tmp_path / "alone", [0])
    with tl.open(tmp_path / "equal", ephemeral=True) as session:
        finding = session.finding.clock_skew().to_pandas()
        assert finding["outcome"].tolist() == ["passed"]
        assert finding["value"][0] < 1_000_000
        before = session.sql("SELECT sum(ts) AS ts FROM event").to_pandas()
        session.align_clocks("equal")
        after = session.sql("SELECT sum(ts) AS ts FROM event").to_pandas()
        assert abs(int(after["ts"][0]) - int(before["ts"][0])) < 10**7
    with tl.open(tmp_path / "alone", ephemeral=True) as session:
        finding = session.finding.clock_skew().to_pandas()
        assert finding["outcome"].tolist() == ["no_data"]
        assert "there is one" in finding["sentence"][0]


def test_a_missing_profile_is_an_error_and_changes_nothing(tmp_path):
    write_job(tmp_path / "job", [0, 9_000])
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(tmp_path / "job")
        before = offsets(session)
        (tmp_path / "job").rename(tmp_path / "moved")
        with pytest.raises(tl.errors.NotFoundError, match="job"):
            session.align_clocks("job")
        assert offsets(session).equals(before)


def test_an_alignment_that_failed_can_be_repeated(tmp_path):
    write_job(tmp_path / "job", [0, 5_000])
    for rank in range(2):
        (tmp_path / f"source{rank}").mkdir()
        (tmp_path / "job" / f"rank{rank}.json").rename(tmp_path / f"source{rank}" / f"rank{rank}.json")
    with tl.open(tmp_path / "lake", create=True) as session:
        for rank in range(2):
            session.ingest(tmp_path / f"source{rank}", run="job")
        before = offsets(session)
        assert abs(before["clock_ahead"]["job", 1] - 5_000_000) < 100_000
        (tmp_path / "source1").rename(tmp_path / "moved")
        with pytest.raises(tl.errors.NotFoundError):
            session.align_clocks("job")
        assert offsets(session).equals(before)
        (tmp_path / "moved").rename(tmp_path / "source1")
        session.align_clocks("job")
        assert offsets(session)["clock_ahead"].abs().max() < 100_000
        session.align_clocks("job", undo=True)
        assert offsets(session).equals(before)


def test_the_shell_aligns_and_restores_clocks(tmp_path):
    write_job(tmp_path / "job", [0, 9_000])
    lake = str(tmp_path / "lake")

    def shell(*arguments):
        command = [sys.executable, "-m", "tracelake", "--lake", lake, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    shell("ingest", str(tmp_path / "job"))
    apart = "SELECT max(ts) - min(ts) FROM step WHERE step = 0"
    assert shell("sql", apart).splitlines()[1] == "9000000"
    lines = shell("align-clocks", "job").splitlines()
    assert lines[0] == "run,node,rank,reference_rank,collectives,clock_ahead,uncertainty"
    assert abs(int(shell("sql", apart).splitlines()[1])) < 100_000
    shell("align-clocks", "job", "--undo")
    assert shell("sql", apart).splitlines()[1] == "9000000"
