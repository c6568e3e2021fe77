"""A job is followed while it writes: each row is stored once, even if processes are killed."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time

import pytest

import tracelake as tl
from growing_profile import check_equals_one_ingest, end, system, timeline, write_atomically
from hang_guard import HANG_GUARD_S

pytestmark = pytest.mark.slow


@pytest.fixture
def root(tmp_path):
    """The destination of a job's profile."""
    folder = tmp_path / "job" / "profiler-output"
    folder.mkdir(parents=True)
    return folder


def test_a_loop_gets_new_data_and_ends_with_the_job(lake, root):
    messages = []
    write_atomically(root, system(0))
    for poll, arrived in enumerate(lake.follow(root, every=0.05), 1):
        messages.append((arrived["read"], arrived["rows"], arrived["bytes"] > 0))
        assert len(lake.table("sample")) == 12 * poll
        assert lake.runs().to_pandas()["objects"].tolist() == [poll]
        if poll < 4:
            write_atomically(root, system(poll))
        elif poll == 4:
            end(root)
    assert messages == [(1, {"sample": 12, "device": 3}, True)] * 4
    assert check_equals_one_ingest(root, lake, "job")["sample"] == 48
    assert len(lake.sql("select url from object where url like '%job_end%'")) == 2, "the last look notes the marks"
    assert lake.runs().to_pandas()["catalog_version"].notna().all(), "key metrics are there at the end"


def test_a_file_that_grows_or_is_replaced_has_its_rows_once(lake, root):
    shapes = [4, 6, 2]
    for arrived in lake.follow(write_start(root, shapes), every=0.05, idle=0.5):
        assert len(lake.table("sample")) == 3 * shapes.pop(0)
        assert arrived["read"] == 1
        if shapes:
            write_atomically(root, system(0, shapes[0]))
    assert shapes == []
    check_equals_one_ingest(root, lake, "job")


def write_start(root, shapes):
    write_atomically(root, system(0, shapes[0]))
    return root


def test_files_of_a_process_continue_the_previous_file(lake, root):
    read = []
    for rank in (0, 1):
        write_atomically(root, timeline(0, rank))
    for minute, arrived in enumerate(lake.follow(root, every=0.05, idle=0.5), 1):
        read.append(arrived["read"])
        if minute < 4:
            for rank in (0, 1):
                write_atomically(root, timeline(minute, rank))
    assert sum(read) == 8, "no file is read twice"
    assert check_equals_one_ingest(root, lake, "job")["step"] == 40


def test_an_interval_over_two_files_is_joined(lake, root):
    write_atomically(root, timeline(0, 0, open_begin=True))
    later = [timeline(1, 0, open_end=True)]
    for _ in lake.follow(root, every=0.05, idle=0.5):
        if later:
            assert lake.sql("select dur from event where name = 'late'").to_pandas()["dur"].isna().all()
            write_atomically(root, later.pop())
    assert lake.sql("select dur from event where name = 'late'").to_pandas()["dur"].tolist() == [10_000_000_000]
    check_equals_one_ingest(root, lake, "job")


def test_a_process_that_comes_later_can_turn_numbers_into_ranks(lake, root):
    write_atomically(root, timeline(0, 1))
    later = [[timeline(0, 0), timeline(1, 1)], [timeline(1, 0), timeline(2, 1)]]
    for _ in lake.follow(root, every=0.05, idle=0.5):
        for file in later.pop(0) if later else []:
            write_atomically(root, file)
    check_equals_one_ingest(root, lake, "job")
    assert lake.sql("select distinct rank from step order by rank").to_pandas()["rank"].tolist() == [0, 1]


def test_following_waits_for_a_profile_that_does_not_exist_yet(lake, root):
    root.rmdir()
    threading.Timer(0.5, lambda: (write_atomically(root, system(0)), end(root))).start()
    assert [arrived["read"] for arrived in lake.follow(root, every=0.05)] == [1]


def test_following_nothing_is_an_error(lake, root):
    with pytest.raises(tl.errors.NotFoundError):
        list(lake.follow(root, every=0.05, idle=0.2))
    (root / "notes.txt").write_text("mine")
    with pytest.raises(tl.errors.UnrecognizedError):
        list(lake.follow(root, every=0.05, idle=0.2))


@pytest.mark.parametrize(("url", "every"), [("jobs/*/profiler-output", 1), ("job", -1), ("job", float("nan"))])
def test_a_source_that_cannot_be_followed_is_refused_immediately(lake, url, every):
    with pytest.raises(tl.errors.ArgumentError):
        lake.follow(url, every=every)


def test_following_again_reads_only_new_data(lake, root):
    for minute in range(3):
        write_atomically(root, system(minute))
    next(lake.follow(root, every=0.05))
    assert list(lake.follow(root, every=0.05, idle=0.2)) == []
    write_atomically(root, system(3))
    assert [arrived["read"] for arrived in lake.follow(root, every=0.05, idle=0.2)] == [1]


CTRL_C = """
import sys
import tracelake as tl
with tl.open(sys.argv[1], create=True) as lake:
    try:
        for arrived in lake.follow(sys.argv[2], every=60):
            print("arrived", flush=True)
    except KeyboardInterrupt:
        print(len(lake.table("sample")), flush=True)
"""


@pytest.mark.parametrize("way", ["python", "shell"])
def test_ctrl_c_ends_following(root, tmp_path, way):
    write_atomically(root, system(0))
    lake = tmp_path / "lake"
    command = [sys.executable, "-c", CTRL_C, lake, root]
    if way == "shell":
        command = [sys.executable, "-m", "tracelake", "--lake", lake, "ingest", "--follow", "--every", "60", root]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline().startswith("arrived" if way == "python" else "job: 15 rows from 1 file")
            os.kill(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=HANG_GUARD_S)
        finally:
            process.kill()
    # exit code 130 in a shell means that SIGINT ended the process
    assert (output, process.returncode) == (("12\n", 0) if way == "python" else ("", -signal.SIGINT))


def test_the_shell_ends_with_the_job(root, tmp_path):
    write_atomically(root, system(0))
    end(root)
    command = [sys.executable, "-m", "tracelake", "--lake", tmp_path / "lake", "ingest", "--follow", "--every", "0.1"]
    done = subprocess.run([*command, root], capture_output=True, text=True, check=True, timeout=HANG_GUARD_S)
    assert done.stdout.startswith("job: 15 rows from 1 file")
    for wrong in (["--every", "0"], ["--idle", "soon"]):
        assert subprocess.run([*command, *wrong, root], capture_output=True, check=False).returncode == 2


FOLLOWER = """
import json, sys
import tracelake as tl
with tl.open(sys.argv[1], create=True) as lake:
    for arrived in lake.follow(sys.argv[2], "job", every=0.3, options=json.loads(sys.argv[3])):
        print(arrived["read"], flush=True)
"""


def test_a_restarted_follower_stores_each_row_of_s3_once(s3, root, tmp_path):
    minutes = 14
    bucket = s3.bucket()
    url = f"s3://{bucket}/job/profiler-output"

    def write():
        for minute in range(minutes):
            for path, text in (system(minute), timeline(minute, 0), timeline(minute, 1)):
                write_atomically(root, (path, text))
                s3.client.put_object(Bucket=bucket, Key=f"job/profiler-output/{path}", Body=text)
            time.sleep(0.5)
        for folder in ("system", "framework"):
            write_atomically(root, (f"{folder}/training_job_end.ts", ""))
            s3.client.put_object(Bucket=bucket, Key=f"job/profiler-output/{folder}/training_job_end.ts", Body=b"")

    writer = threading.Thread(target=write)
    writer.start()
    command = [sys.executable, "-c", FOLLOWER, tmp_path / "lake", url, json.dumps(s3.options)]
    killed = 0
    while killed < 2:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            process.stdout.readline()
            time.sleep(0.9)
            process.kill()
            killed += 1
    del s3.requests[:]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG_GUARD_S)
    writer.join()
    fetched = [request.path for request in s3.requests if request.fetches_an_object]
    assert sum(map(int, done.stdout.split())) == len(fetched), "each file that is read is fetched once"
    with tl.open(tmp_path / "lake") as lake:
        actual = {table: len(lake.table(table)) for table in ("sample", "step")}
        assert actual == {"sample": 12 * minutes, "step": 10 * minutes}
        for table in actual:
            key = 'object, "row"'
            assert lake.sql(f"select {key} from {table} group by {key} having count(*) > 1").to_csv().count("\n") == 1
        with tl.open(root, ephemeral=True) as local:
            for query in (
                "select ts, device, value from sample order by 1, 2",
                "select ts, rank, step from step order by 1, 2",
            ):
                assert lake.sql(query).to_csv() == local.sql(query).to_csv()


def test_a_poll_of_s3_is_one_listing_and_one_request_per_new_file(s3, lake):
    bucket = s3.bucket()
    for minute in range(3):
        path, text = system(minute)
        s3.client.put_object(Bucket=bucket, Key=f"job/profiler-output/{path}", Body=text)
    for new in (3, 0):
        del s3.requests[:]
        url = f"s3://{bucket}/job/profiler-output"
        reports = list(lake.follow(url, every=0.2, idle=1, options=s3.options))
        assert sum(report["read"] for report in reports) == new
        fetched = [request for request in s3.requests if request.fetches_an_object]
        listed = [request for request in s3.requests if "list-type" in request.query]
        assert len(fetched) == new
        # a poll every 0.2 s until 1 s passes without new data; fewer polls if a poll takes longer
        assert (2 if new else 1) <= len(listed) <= 7
        assert len(s3.requests) == len(fetched) + len(listed)


def test_a_day_on_s3_is_fetched_once_and_listed_in_pages_of_a_thousand(s3, lake):
    bucket, minutes, at_once = s3.bucket(), 1440, 24

    def write(first):
        for minute in range(first, first + at_once):
            for path, text in (system(minute), timeline(minute, 0)):
                s3.client.put_object(Bucket=bucket, Key=f"job/profiler-output/{path}", Body=text)

    write(0)
    del s3.requests[:]
    there, read, requests = at_once, 0, []
    for arrived in lake.follow(f"s3://{bucket}/job/profiler-output", every=0, idle=0.5, options=s3.options):
        read += arrived["read"]
        requests += s3.requests
        if there < minutes:
            write(there)
            there += at_once
        del s3.requests[:]
    fetched = [request.path for request in requests if request.fetches_an_object]
    assert read == len(fetched) == len(set(fetched)) == 2 * minutes
    listed = [request for request in requests if "list-type" in request.query]
    assert len(requests) == len(fetched) + len(listed)
    assert len(lake.table("step")) == 5 * minutes
    looks = minutes // at_once
    pages = [len(group) for group in requests_by_listing(listed)]
    assert looks <= len(pages) <= 2 * looks
    assert max(pages) == 3, "2,880 files"


def requests_by_listing(listed):
    """Returns the requests of each listing: each continues the previous one."""
    groups = []
    for request in listed:
        if "continuation-token" not in request.query:
            groups.append([])
        groups[-1].append(request)
    return groups


def test_a_day_of_small_files_stays_small(lake, root, tmp_path):
    minutes = 1440
    write_atomically(root, system(0))
    write_atomically(root, timeline(0, 0))
    minute, read, peaks, slowest = 0, 0, [], 0.0
    begun = time.monotonic()
    for minute, arrived in enumerate(lake.follow(root, every=0.001), 1):
        read += arrived["read"]
        slowest = max(slowest, arrived["seconds"])
        if minute % 240 == 0:
            peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
        if minute < minutes:
            write_atomically(root, system(minute))
            write_atomically(root, timeline(minute, 0))
        elif minute == minutes:
            end(root)
    seconds = time.monotonic() - begun
    manifests = list((tmp_path / "lake/_manifest/run/job").iterdir())
    parts = {table: len(lake.files(table)) for table in ("sample", "step", "event", "problem")}
    begun = time.monotonic()
    with tl.open(tmp_path / "lake") as again:
        count = again.sql("select count(value) as n from sample").to_pandas()["n"][0]
    opening = time.monotonic() - begun
    size = max(file.stat().st_size for file in manifests) / 1e6
    stored = sum(file.stat().st_size for file in (tmp_path / "lake").rglob("*.parquet")) / 1e6
    print(  # noqa: T201 - for `pytest -s`; not checked
        f"\n{minute} looks in {seconds:.0f} s, the slowest {slowest:.2f} s; peaks {peaks} MB; parts {parts}; "
        f"{len(manifests)} manifests, the largest {size:.2f} MB; {stored:.0f} MB of parts; "
        f"open and count {opening:.2f} s"
    )
    assert minute == minutes
    assert read == 2 * minutes, "no file is read twice"
    assert count == 12 * minutes
    assert len(lake.table("step")) == 5 * minutes
    assert len(manifests) <= 20
    assert max(parts.values()) <= 60, parts
    assert peaks[-1] - peaks[0] < 150
