"""The requests of a call to S3: the table in docs/s3.md equals the requests to the test server."""

import datetime as dt
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import tracelake as tl
from aws_stub import REGION, Aws
from lake_under_test import LakeLocation

PAGE = Path(__file__).parents[2] / "docs" / "s3.md"

KINDS = ("LIST", "GET", "HEAD", "PUT", "DELETE")


def kind(request):
    """Returns the kind of request in a store's price list."""
    if request.method == "POST" and "delete" in request.query:
        return "DELETE"
    listing = request.method == "GET" and ("list-type" in request.query or not request.path.strip("/").count("/"))
    return "LIST" if listing else request.method


def test_the_table_of_the_page_equals_the_requests(s3, profile, lake):
    bucket, rows = s3.bucket(), {}
    job, url = s3.upload(profile, bucket, "jobs/job-7/profiler-output"), f"s3://{bucket}/lake"

    def count(name, call):
        del s3.requests[:]
        result = call()
        actual = Counter(map(kind, s3.requests))
        assert not set(actual) - set(KINDS), actual
        rows[name] = [actual[kind] for kind in KINDS]
        return result

    ingest = {"run": "job-7", "options": s3.options}
    count("ingest of a new run, profile in the bucket, lake on a disk", lambda: lake.ingest(job, **ingest))
    count("the same again, nothing new", lambda: lake.ingest(job, **ingest))
    with tl.open(url, create=True, options=s3.options) as cloud:
        count("ingest of a new run, profile on a disk, lake in the bucket", lambda: cloud.ingest(profile, run="job-7"))
    cloud = count("open a lake of one run in the bucket", lambda: tl.open(url, options=s3.options))
    with cloud:
        count("`step.duration`, the first time", lambda: cloud.step.duration().to_arrow())
        count("`step.duration`, again in the same session", lambda: cloud.step.duration().to_arrow())
        count("`fleet.runs`", lambda: cloud.fleet.runs().to_arrow())
    shown = re.findall(
        r"^\| (.+?) \| " + r" \| ".join([r"([\d to]+)"] * len(KINDS)) + r" \|$", PAGE.read_text("utf-8"), re.MULTILINE
    )
    assert [name for name, *_ in shown] == list(rows)
    for name, *cells in shown:
        for sort, cell, actual in zip(KINDS, cells, rows[name], strict=True):
            least, several, most = cell.partition(" to ")
            if several and os.cpu_count() != 2:
                continue  # one data file per worker
            assert int(least) <= actual <= int(most or least), f"{name}: {actual} {sort}, docs/s3.md says {cell}"


def test_a_query_over_compacted_runs_reads_each_file_with_few_requests(s3, profile, tmp_path):
    """In a compacted lake: the end of a file, and the rows of all runs; without the runs, nothing else is read."""
    runs = 40
    with tl.open(tmp_path / "lake", create=True) as lake:
        for run in range(runs):
            lake.ingest(profile, run=f"run-{run:02}")
        expected = lake.step.duration().to_arrow()
        bucket = s3.bucket()
        apart = s3.upload(tmp_path / "lake", bucket, "apart")
        lake.compact()
        lake.delete(["run-11"])
        lake.ingest(profile, run="run-11")
        lake.vacuum(dt.timedelta(0))
        together = s3.upload(tmp_path / "lake", bucket, "together")

    def requests(session, question):
        del s3.requests[:]
        result = session.sql(question).to_arrow()
        return len(s3.requests), result

    duration, events = "select * from step_duration", "select run, category, count(*) as n from event group by all"
    one = "select count(*) as n, sum(dur) from event where run = 'run-03'"
    for url, most in ((apart, 2 * runs), (together, 4)):
        with tl.open(url, options=s3.options) as session:
            number, answer = requests(session, duration)
            assert answer.num_rows == expected.num_rows
            assert 0 < number <= most, url
            assert requests(session, f"{duration} where run = 'run-03'")[0] == 0
            number, answer = requests(session, events)
            assert 0 < number <= most, url
            # The file of samples is larger than the first request of the Parquet reader.
            number, answer = requests(session, "select run, count(*), sum(value) from sample group by run")
            assert answer.num_rows == runs
            assert 0 < number <= most, url
            # Further queries of the same files send no request.
            assert requests(session, f"{events} order by n")[0] == 0
        with tl.open(url, options=s3.options) as session:
            assert requests(session, one)[0] <= 3
            del s3.requests[:]
            session.step.breakdown(run="run-03").to_arrow()
            assert len(s3.requests) <= 9, "only files of this run"


def test_a_repeated_ingest_of_many_profiles_reads_a_bundle_once(s3, profile, tmp_path):
    for run in range(12):
        shutil.copytree(profile, tmp_path / "jobs" / f"run-{run:02}")
    with tl.open(tmp_path / "lake", create=True) as lake:
        lake.ingest(f"{tmp_path}/jobs/*")
        lake.compact()
        lake.vacuum(dt.timedelta(0))
    bucket = s3.bucket()
    s3.upload(tmp_path / "lake", bucket, "lake")
    with tl.open(f"s3://{bucket}/lake", options=s3.options) as session:
        del s3.requests[:]
        result = session.ingest(f"{tmp_path}/jobs/*")
        assert sum(report["read"] for report in result["reports"]) == 0
        bundles = [request for request in s3.requests if kind(request) == "GET" and "/bundle/" in request.path]
        assert len(bundles) == 0, "the session has it since it was opened"
        heads = [request for request in s3.requests if request.method == "HEAD"]
        assert len(heads) <= 8, "only for the first run; then the lake is listed"


def test_the_shell_prints_actual_and_planned_requests(s3, profile, tmp_path):
    bucket = s3.bucket()
    job = s3.upload(profile, bucket, "jobs/job-7/profiler-output")
    environment = LakeLocation("", s3.options).environment()

    def shell(*arguments):
        command = [sys.executable, "-m", "tracelake", "--lake", str(tmp_path / "lake"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout, done.stderr

    del s3.requests[:]
    would, _ = shell("ingest", "--dry-run", job)
    # the size of the listing depends on the names in it
    assert would.partition("GET, ")[0] in PAGE.read_text("utf-8")
    assert Counter(map(kind, s3.requests)) == {"LIST": 1}
    del s3.requests[:]
    did, traffic = shell("--traffic", "ingest", job)
    request_counts = Counter(map(kind, s3.requests))
    assert request_counts == {"LIST": 1, "GET": 7}
    # the report includes the bytes of the listing, which has modification times
    (summary,) = re.findall(r"^traffic: (1 LIST, 7 GET, \d+ bytes received)$", traffic, re.MULTILINE)
    assert did.strip().endswith(f"; {summary}")
    assert shell("--traffic", "sql", "select 1 as one")[1] == "traffic: no request\n"


STUB = {"access_key_id": "key", "secret_access_key": "secret", "region": REGION}
KEYS = 1_000_000


@pytest.fixture
def keys(monkeypatch):
    """A stub that lists any number of keys, a thousand per page; it has no object."""
    with Aws() as aws:
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", aws.url)

        def matches(name, number):
            def page(token):
                first = int(token or 0)
                then = first + 1000
                listed = ((f"job/profiler-output/{name(n)}", 4000) for n in range(first, min(then, number)))
                return listed, str(then) if then < number else None

            aws.listing = page
            return aws

        yield matches


@pytest.mark.slow
def test_a_million_keys_are_listed_page_by_page(keys, lake):
    def name(number):
        ts = 1_600_000_000 + 60 * number
        return f"system/incremental/{2000 + number // 9000}010100/{ts}.algo-1.json"

    aws = keys(name, KEYS)
    report = lake.ingest("s3://bucket/job/profiler-output", dry_run=True, options=STUB)
    assert (report["read"], report["bytes"]) == (KEYS, 4000 * KEYS)
    assert (report["traffic"]["list"], report["traffic"]["get"]) == (KEYS // 1000, KEYS)
    assert len(aws.requests) == KEYS // 1000


def test_a_prefix_without_a_profile_is_not_searched(keys, lake):
    aws = keys(lambda number: f"images/{number:07}.jpg", 30_000)
    with pytest.raises(tl.errors.UnrecognizedError, match="the names of 30000 of its files match no format") as caught:
        lake.ingest("s3://bucket/job/profiler-output", options=STUB)
    assert "give the folder of the profile" in str(caught.value)
    assert len(aws.requests) == 30
