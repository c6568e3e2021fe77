"""A bucket behind a faulty network: the rows equal those without faults, or the lake is unchanged."""

import itertools
import random
import re
import threading
from collections import Counter, defaultdict
from datetime import timedelta

import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S
from lake_under_test import losses
from s3_server import Fault

pytestmark = pytest.mark.slow

TABLES = {"event": "dur", "step": "dur", "sample": "cast(value as decimal(24, 6))", "loader": "dur", "problem": "count"}
BIG = 24 << 20  # size of a trace that is read in ranges
BURST = 5  # consecutive refused requests


@pytest.fixture(scope="module")
def bucket(s3, profile):
    name = s3.bucket()
    s3.upload(profile, name, "job/profiler-output")
    return name


@pytest.fixture
def url(bucket):
    return f"s3://{bucket}/job/profiler-output"


def content(session, where="true"):
    """Returns rows and sum of each table, which a fault must not change."""
    tables = {}
    for table, column in TABLES.items():
        (tables[table],) = session.sql(f"select count(*), sum({column}) from {table} where {where}").rows()
    return tables


@pytest.fixture(scope="module")
def expected(s):
    return content(s)


@pytest.fixture
def new_lake(lake_location):
    """A new lake on a disk or behind the faulty network."""
    with lake_location.open(create=True) as session:
        yield session


@pytest.fixture
def replaced_profile(s3, profile, new_lake):
    """Returns the URL of an ingested profile; then one object is replaced by a larger one."""
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "job/profiler-output")
    new_lake.ingest(url, run="job", options=s3.options)
    key = min(key for key in s3.objects(bucket) if "/system/incremental/" in key)
    s3.client.put_object(Bucket=bucket, Key=key, Body=s3.objects(bucket, key)[key] * 2)
    return url


def random_fault(share, fault, seed=7):
    """Chooses a fault for a share of the requests, at most 3 in a row for the same one."""
    chance, failed, lock = random.Random(seed), Counter(), threading.Lock()

    def choose(request):
        with lock:
            what = (request.method, request.path, str(request.query))
            if failed[what] < 3 and chance.random() < share:
                failed[what] += 1
                return fault
            failed[what] = 0
            return None

    return choose


@pytest.mark.parametrize(
    "fault",
    [
        Fault(503, "SlowDown"),
        Fault(503, "ServiceUnavailable"),
        Fault(500, "InternalError"),
        Fault(429, "TooManyRequests"),
        Fault(cut=0.5),
        Fault(cut=0.0),
        Fault(wait=0.3),
    ],
    ids=["slow down", "unavailable", "internal error", "too many", "cut in the middle", "cut before the body", "late"],
)
def test_a_temporary_fault_changes_no_row(s3, url, new_lake, expected, fault):
    met, at_random = [], random_fault(0.3, fault)

    def choose(request):
        # the response to a write has no body to truncate: another test covers lost responses
        if fault.cut is not None and request.method == "PUT":
            return None
        fault_found = at_random(request)
        met.append(fault_found is not None)
        return fault_found

    with s3.faulty(choose):
        new_lake.ingest(url, run="job", options=s3.options)
        assert content(new_lake) == expected
    assert any(met)
    assert len(new_lake.check()) == 0


def test_a_write_with_a_lost_response_happens_once(s3, url, new_lake, expected):
    writes = Counter()

    def choose(request):
        writes[request.path] += request.method == "PUT"
        return Fault(lost=True) if request.method == "PUT" and writes[request.path] == 1 else None

    with s3.faulty(choose):
        new_lake.ingest(url, run="job", options=s3.options)
        new_lake.tag("job", {"model": "a"})
        assert content(new_lake) == expected
    assert len(new_lake.check()) == 0
    assert len(new_lake.group("model=a")) == 1
    manifests = {path: times for path, times in writes.items() if "/_manifest/run/" in path}
    assert len(manifests) in (0, 4), "none on a disk"
    assert set(manifests.values()) <= {1}, "one that is there is not written again"


def test_a_request_that_times_out_is_retried(s3, url, new_lake, expected):
    at_random, lock = random_fault(0.2, Fault()), threading.Lock()
    sent, answered_late, never_repeated = Counter(), [], []
    repeated = defaultdict(threading.Event)

    def choose(request):
        """Delays a response until the same request arrives again, which requires a client timeout."""
        if "/profiler-output/" not in request.path:
            return
        with lock:
            key = (request.method, request.path, str(request.query))
            number = sent[key]
            sent[key] += 1
            repeated[key, number - 1].set()
            again = repeated[key, number]
        if at_random(request) is not None:
            (answered_late if again.wait(HANG_GUARD_S) else never_repeated).append(request)

    with s3.faulty(choose):
        new_lake.ingest(url, run="job", options={**s3.options, "timeout": "1s"})
    assert never_repeated == [], "guard against hanging: the client did not repeat these requests"
    assert answered_late
    assert content(new_lake) == expected


@pytest.mark.parametrize(
    ("status", "code"), [(301, "PermanentRedirect"), (400, "AuthorizationHeaderMalformed")], ids=["redirect", "key"]
)
def test_a_bucket_of_another_region_is_reported(s3, url, new_lake, status, code):
    elsewhere, kind = Fault(status, code), tl.errors.ArgumentError
    with s3.faulty(lambda _request: elsewhere), pytest.raises(kind, match="in another region") as caught:
        new_lake.ingest(url, run="job", options=s3.options)
    assert "AWS_DEFAULT_REGION" in str(caught.value)
    assert s3.secret not in str(caught.value)


@pytest.mark.parametrize("fault", [Fault(503, "SlowDown"), Fault(cut=0.5)], ids=["slow down", "cut in the middle"])
def test_maintenance_survives_temporary_faults(s3, url, fault, expected):
    bucket = s3.bucket()
    lake, met, at_random = f"s3://{bucket}/lake", Counter(), random_fault(0.3, fault)

    def choose(request):
        chosen = at_random(request) if fault.cut is None or request.method == "GET" else None
        # one request removes a thousand files
        if fault.cut is None and request.method == "POST" and not met["POST"]:
            chosen = fault
        met[request.method] += chosen is not None
        return chosen

    with tl.open(lake, create=True, options=s3.options) as session:
        for run in ("a", "b", "c"):
            session.ingest(url, run=run, options=s3.options)
    with s3.faulty(choose), tl.open(lake, options=s3.options) as session:
        session.tag("a", {"model": "one"})
        session.rename("b", "second")
        assert session.delete("c") == ["c"]
        assert session.compact().to_arrow()["files_after"].to_pylist()
        assert len(session.vacuum(timedelta())) > 0
        assert len(session.upgrade()) == 0
    with tl.open(lake, options=s3.options) as session:
        assert [row["run"] for row in session.runs().rows()] == ["a", "second"]
        assert session.group("model=one") == ["a"]
        assert len(session.check()) == 0
        for run in ("a", "second"):
            assert content(session, f"run = '{run}'") == expected
    assert all(met[method] for method in ("GET", *(("PUT", "POST") if fault.cut is None else ())))


def test_a_burst_of_refused_requests_is_retried(s3, url, new_lake, expected):
    check_refused, lock = [], threading.Lock()

    def burst(request):
        with lock:
            if len(check_refused) == BURST:
                return None
            check_refused.append(request)
            return Fault(503, "SlowDown")

    with s3.faulty(burst):
        new_lake.ingest(url, run="job", options=s3.options)
    assert content(new_lake) == expected
    assert len(check_refused) == BURST


def check_refused(s3, new_lake, url, kind):
    """Checks that the ingest fails with this kind of error and does not change the lake; returns the error text."""
    before = (new_lake.runs().to_csv(), content(new_lake))
    with pytest.raises(kind) as caught:
        new_lake.ingest(url, run="job", options=s3.options)
    new_lake.refresh()
    assert (new_lake.runs().to_csv(), content(new_lake)) == before
    assert not losses(new_lake)
    return str(caught.value)


def fault_in_bodies(fault, after=2):
    """Applies the fault to the bodies of a profile's files, except the first."""
    count = [0]

    def choose(request):
        if request.fetches_an_object and "/profiler-output/" in request.path:
            count[0] += 1
            return fault if count[0] > after else None
        return None

    return choose


def test_an_object_that_differs_from_the_listing_is_not_read(s3, url, new_lake, expected):
    with s3.faulty(fault_in_bodies(Fault(etag='"another"'))):
        report = new_lake.ingest(url, run="job", options=s3.options)
    assert (report["read"], report["failed"]) == (7, 5)
    errors = new_lake.sql("select error from object where error like '%replaced while it was being read%'")
    assert len(errors) == 5
    assert new_lake.ingest(url, run="job", options=s3.options)["failed"] == 0
    assert content(new_lake) == expected


def test_the_rows_of_an_object_stay_while_its_new_version_is_unreadable(s3, new_lake, replaced_profile, expected):
    with s3.faulty(fault_in_bodies(Fault(etag='"another"'), after=0)):
        assert new_lake.ingest(replaced_profile, run="job", options=s3.options)["failed"] == 1
    assert content(new_lake) == expected


def test_credentials_that_expire_during_an_ingest_are_reported(s3, url, new_lake):
    with s3.faulty(fault_in_bodies(Fault(403, "ExpiredToken"))):
        message = check_refused(s3, new_lake, url, tl.errors.DeniedError)
    assert "ExpiredToken" in message
    assert "sign in again" in message
    assert s3.secret not in message


@pytest.mark.parametrize("change", [lambda body: body[:-1], lambda body: body + b" "], ids=["shorter", "longer"])
def test_a_body_of_another_length_than_listed_is_an_error(s3, url, new_lake, change):
    message = ""
    with s3.faulty(fault_in_bodies(Fault(change=change))):
        message = check_refused(s3, new_lake, url, tl.errors.UnreachableError)
    assert re.search("it sent [0-9]+ bytes, expected [0-9]+ by its listing", message)


def listings(change):
    """Changes the pages of each listing of the profile."""
    is_listing = lambda query: query.get("prefix", [""])[0].startswith("job/")  # noqa: E731
    return lambda request: Fault(change=change) if is_listing(request.query) else None


def with_token(token, body):
    """Returns a page of a listing that another page follows."""
    assert b"<IsTruncated>false</IsTruncated>" in body
    more = f"<IsTruncated>true</IsTruncated><NextContinuationToken>{token}</NextContinuationToken>"
    return body.replace(b"<IsTruncated>false</IsTruncated>", more.encode())


def test_a_listing_that_repeats_a_page_is_an_error(s3, url, new_lake):
    with s3.faulty(listings(lambda body: with_token("zzz", body))):
        message = check_refused(s3, new_lake, url, tl.errors.UnreachableError)
    assert "the listing repeats a page" in message


def test_a_listing_without_an_end_is_an_error(s3, url, new_lake):
    tokens = itertools.count()
    with s3.faulty(listings(lambda body: with_token(f"zzz{next(tokens)}", body))):
        message = check_refused(s3, new_lake, url, tl.errors.UnreachableError)
    assert "the listing has 1000 pages without objects" in message


def test_an_impossible_size_is_an_error(s3, url, new_lake):
    size = lambda body: re.sub(rb"<Size>[0-9]+</Size>", b"<Size>1152921504606846976</Size>", body)  # noqa: E731
    with s3.faulty(listings(size)):
        check_refused(s3, new_lake, url, tl.errors.UnreachableError)


def test_a_wrong_clock_is_reported(s3, url, new_lake):
    skewed = Fault(403, "RequestTimeTooSkewed")
    with s3.faulty(lambda _request: skewed):
        kind = tl.errors.DeniedError
        with pytest.raises(kind, match="the clock of this machine is wrong"):
            new_lake.ingest(url, run="job", options=s3.options)
    assert len(new_lake.runs()) == 0


def test_an_unreachable_store_is_an_error(s3, url, new_lake):
    with s3.faulty(fault_in_bodies(Fault(503, "SlowDown"))):
        message = check_refused(s3, new_lake, url, tl.errors.UnreachableError)
    assert "SlowDown" in message


def test_an_existing_run_survives_a_failed_ingest(s3, new_lake, replaced_profile, expected):
    with s3.faulty(fault_in_bodies(Fault(503, "SlowDown"), after=0)):
        check_refused(s3, new_lake, replaced_profile, tl.errors.UnreachableError)
    assert content(new_lake) == expected


def test_a_file_that_is_deleted_after_the_listing_is_counted(s3, profile, new_lake):
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "job/profiler-output")
    deleted_key = min(key for key in s3.objects(bucket) if key.endswith("pythontimeline.json"))

    def choose(request):
        return Fault(404, "NoSuchKey") if request.path.endswith(deleted_key) and request.fetches_an_object else None

    with s3.faulty(choose):
        report = new_lake.ingest(url, run="job", options=s3.options)
    assert report["failed"] == 1
    errors = new_lake.sql("select url, error from object where error is not null").to_pandas()
    assert any(url.endswith(deleted_key) for url in errors["url"]), errors["url"].tolist()


def test_a_listing_that_changes_between_two_pages_loses_no_object(s3, new_lake):
    bucket, changed, first = s3.bucket(), [], 1_600_001_000
    minutes = range(first, first + 60 * 1100, 60)

    def put(minute, lines=1):
        line = b'{"Type":"cpu","Name":"cpu0","Dimension":"load","Value":1.0,"NodeId":"algo-1","Timestamp":%d.%d}\n'
        body = b"".join(line % (minute, nth) for nth in range(lines))
        s3.client.put_object(Bucket=bucket, Key=key(minute), Body=body)

    def key(minute):
        return f"job/profiler-output/system/incremental/2020091312/{minute}.algo-1.json"

    def choose(request):
        if "continuation-token" in request.query and not changed:
            changed.append(request)
            put(first - 60)  # on the page that was already listed
            put(minutes[-1] + 60)
            put(minutes[500], lines=2)
            for minute in (minutes[0], minutes[-1]):
                s3.client.delete_object(Bucket=bucket, Key=key(minute))

    for minute in minutes:
        put(minute)
    url = f"s3://{bucket}/job/profiler-output"
    with s3.faulty(choose):
        report = new_lake.ingest(url, run="job", options=s3.options)
    assert changed
    # one object was deleted and one replaced since the listing
    assert (report["read"], report["failed"]) == (1100, 2)
    assert (len(new_lake.table("sample")), losses(new_lake)) == (1098, [])
    report = new_lake.ingest(url, run="job", options=s3.options)
    assert (report["read"], report["failed"]) == (2, 0)
    assert (len(new_lake.table("sample")), losses(new_lake)) == (1101, [])


def test_a_manifest_that_is_replaced_after_the_listing_is_found(s3, profile):
    # a reader lists the lake between a change of rows and its key metrics, which replace the listed manifest
    bucket, answers = s3.bucket(), []
    putting, listed, removed = threading.Event(), threading.Event(), threading.Event()
    lake, question = f"s3://{bucket}/lake", "select run, attributes, steps from run"

    def choose(request):
        file = request.path.rpartition("/")[2]
        if request.method == "PUT" and file == "0000000004.json":
            putting.set()
            assert listed.wait(30)
        # before that, the writer reads it
        if request.method == "GET" and file == "0000000003.json" and putting.is_set():
            listed.set()
            assert removed.wait(30)

    def read():
        with tl.open(lake, options=s3.options) as reader:
            answers.append(reader.sql(question).to_csv())

    with tl.open(lake, create=True, options=s3.options) as writer:
        writer.ingest(profile, run="job")
        with s3.faulty(choose):
            writing = threading.Thread(target=writer.tag, args=("job", {"model": "a"}))
            writing.start()
            assert putting.wait(30)
            reading = threading.Thread(target=read)
            reading.start()
            writing.join()
            removed.set()
            reading.join()
        assert answers == [writer.sql(question).to_csv()]
    left = [key.rpartition("/")[2] for key in s3.objects(bucket, "lake/_manifest/run/")]
    assert left == ["0000000002.json", "0000000004.json"]


@pytest.fixture(scope="module")
def large_trace(s3, bucket, tmp_path_factory):
    """A trace of several ranges, and its rows from a disk."""
    folder = tmp_path_factory.mktemp("big")
    event = (
        '{{"ph":"X","cat":"cpu_op","name":"aten::op{}","pid":1,"tid":1,"ts":{}.5,"dur":7,"args":{{"External id":{}}}}}'
    )
    events = ",\n".join(event.format(n % 500, 1_000_000 + 10 * n, n) for n in range(BIG // 100))
    file = folder / "host_1.pt.trace.json"
    file.write_text('{"schemaVersion":1,"baseTimeNanoseconds":0,"traceEvents":[\n' + events + "\n]}")
    assert file.stat().st_size > 20 << 20
    s3.client.put_object(Bucket=bucket, Key=f"big/{file.name}", Body=file.read_bytes())
    with tl.open(folder, ephemeral=True) as session:
        yield f"s3://{bucket}/big", content(session), file.stat().st_size


def test_a_big_object_is_read_in_ranges_with_retries(s3, lake, large_trace):
    url, expected, size = large_trace
    ranges = -(-size // (4 << 20)) + 1  # and one request for its first bytes
    assert lake.ingest(url, run="plan", dry_run=True, options=s3.options)["traffic"]["get"] == ranges
    report = lake.ingest(url, run="fine", options=s3.options)
    assert report["traffic"]["get"] == ranges
    assert (report["bytes"], content(lake)) == (size, expected)
    with s3.faulty(random_fault(0.3, Fault(cut=0.3))):
        report = lake.ingest(url, run="cut", options=s3.options)
    assert report["traffic"]["get"] > ranges
    (counted,) = lake.sql("select count(*), sum(dur) from event where run = 'cut'").rows()
    assert counted == expected["event"]


def test_a_big_object_that_is_replaced_during_the_read_is_detected(s3, bucket, lake, large_trace):
    url, _, size = large_trace
    key = f"other/{url.rsplit('/', 1)[1]}.pt.trace.json"
    body = s3.objects(bucket, "big/")["big/host_1.pt.trace.json"]
    s3.client.put_object(Bucket=bucket, Key=key, Body=body)
    count = [0]

    def choose(request):
        if request.path.endswith(key) and request.method == "GET":
            count[0] += 1
            if count[0] == 6:  # the first four ranges are concurrent, after the first bytes
                s3.client.put_object(Bucket=bucket, Key=key, Body=body.replace(b"aten", b"ATEN"))

    with s3.faulty(choose):
        message = check_refused(s3, lake, f"s3://{bucket}/other", tl.errors.ConflictError)
    assert "replaced while it was being read" in message
    assert len(lake.runs()) == 0
    assert size == len(body)


def test_a_clock_after_the_events_comes_from_the_same_object(s3, new_lake):
    bucket, etags = s3.bucket(), []
    url = f"s3://{bucket}/job"

    def put(clock):
        event = '{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":5.0,"dur":7}'
        body = f'{{"schemaVersion":1,"traceEvents":[\n{event}\n],"baseTimeNanoseconds":{clock}}}'
        s3.client.put_object(Bucket=bucket, Key="job/host_1.pt.trace.json", Body=body)

    def choose(request):
        if request.fetches_an_object and "/job/" in request.path:
            etags.append(request)
            if len(etags) == planned + 1:
                put(1_700_000_000 * 10**9)

    put(1_600_000_000 * 10**9)
    planned = new_lake.ingest(url, run="job", dry_run=True, options=s3.options)["traffic"]["get"]
    with s3.faulty(choose):
        message = check_refused(s3, new_lake, url, tl.errors.ConflictError)
    assert "replaced while it was being read" in message
    new_lake.ingest(url, run="job", options=s3.options)
    (ts,) = new_lake.sql("select ts from event").to_pandas()["ts"]
    assert ts.value == 1_700_000_000 * 10**9 + 5000


def test_a_store_with_a_slow_clock_loses_no_file(s3, url):
    bucket = s3.bucket()
    lake = f"s3://{bucket}/lake"
    with tl.open(lake, create=True, options=s3.options) as writer:
        writer.ingest(url, run="job", options=s3.options)
        before = content(writer)
    part = next(key for key in s3.objects(bucket) if key.startswith("lake/event/"))
    # like an ingest before its commit, and a killed one
    s3.client.put_object(Bucket=bucket, Key="lake/event/0123.parquet", Body=s3.objects(bucket)[part])
    with s3.faulty(lambda _: Fault(behind=30 * 86_400)), tl.open(lake, options=s3.options) as session:
        assert [row["path"] for row in session.vacuum(older_than=timedelta(days=7), dry_run=True).rows()] != []
        assert len(session.vacuum(older_than=timedelta(days=7))) == 0
        assert (content(session), losses(session)) == (before, [])
        removed = [row["path"] for row in session.vacuum(older_than=timedelta()).rows()]
    assert "event/0123.parquet" in removed
    with tl.open(lake, options=s3.options) as session:
        assert (content(session), losses(session)) == (before, [])
