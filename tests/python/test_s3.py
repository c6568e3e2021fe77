"""Profiles and lakes on a real S3 server."""

import pytest

import tracelake as tl
from s3_server import free_ports

PREFIX = "jobs/first look+1/profiler-output"


@pytest.fixture(scope="module")
def bucket(s3, profile):
    name = s3.bucket()
    s3.upload(profile, name, PREFIX)
    return name


@pytest.fixture
def fresh(s3, bucket, request):
    """A new lake on S3, and its URL."""
    url = f"s3://{bucket}/lakes/{request.node.name}"
    with tl.open(url, create=True, options=s3.options) as session:
        yield session


def profile_url(bucket):
    return f"s3://{bucket}/{PREFIX}"


def test_from_a_profile_on_s3_through_a_lake_on_s3_to_pandas(s3, bucket, fresh, s):
    fresh.ingest(profile_url(bucket), run="remote", options=s3.options)
    assert fresh.runs().to_pandas()["run"].tolist() == ["remote"]
    query = "select category, count(*) as n, sum(dur) as total from event group by category order by category"
    assert list(fresh.sql(query).rows()) == list(s.sql(query).rows())
    remote = fresh.step.duration().to_pandas().drop(columns="run")
    assert remote.equals(s.step.duration().to_pandas().drop(columns="run"))
    with tl.open(fresh.url, options=s3.options) as again:
        assert list(again.sql(query).rows()) == list(s.sql(query).rows())
        assert all(file.startswith(f"s3://{bucket}/") for file in again.files("event"))


def test_a_profile_on_s3_opens_like_one_on_disk(s3, bucket, s):
    with tl.open(profile_url(bucket), ephemeral=True, options=s3.options) as session:
        assert session.run == "first look+1"
        assert len(session.table("event")) == len(s.table("event"))


def test_options_can_come_from_the_environment(s3, bucket, monkeypatch):
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    with tl.open(profile_url(bucket), ephemeral=True) as session:
        assert len(session.table("step")) == 220


def test_the_second_ingest_fetches_no_object(s3, bucket, fresh):
    del s3.requests[:]
    fresh.ingest(profile_url(bucket), run="remote", options=s3.options)
    assert len(body_requests(s3, bucket)) >= 7
    before = fresh.sql("select count(*) as n from sample").to_csv()
    del s3.requests[:]
    fresh.ingest(profile_url(bucket), run="remote", options=s3.options)
    assert body_requests(s3, bucket) == []
    assert s3.requests  # at least the listing went through the proxy
    assert fresh.sql("select count(*) as n from sample").to_csv() == before


def test_only_a_changed_object_is_fetched_again(s3, profile, fresh):
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "p/profiler-output")
    fresh.ingest(url, run="changing", options=s3.options)
    key = min(key for key in s3.objects(bucket) if "/system/incremental/" in key)
    s3.client.put_object(
        Bucket=bucket, Key=key, Body=b"".join(s3.objects(bucket, key)[key].splitlines(keepends=True)[:28])
    )
    del s3.requests[:]
    fresh.ingest(url, run="changing", options=s3.options)
    assert {request.path for request in body_requests(s3, bucket)} == {f"/{bucket}/{key}"}


def body_requests(s3, bucket):
    """Returns the requests for bodies of the profile's objects."""
    return [
        request
        for request in s3.requests
        if request.fetches_an_object and request.path.startswith(f"/{bucket}/") and "profiler-output" in request.path
    ]


@pytest.mark.slow
def test_more_than_a_thousand_objects_are_listed(s3, profile):
    bucket = s3.bucket()
    url = s3.upload(profile, bucket, "many/profiler-output")
    line = b'{"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":1.0,"NodeId":"algo-1","Timestamp":%d.5}\n'
    for minute in range(1_600_001_000, 1_600_001_000 + 60 * 1005, 60):
        key = f"many/profiler-output/system/incremental/2020091312/{minute}.algo-1.json"
        s3.client.put_object(Bucket=bucket, Key=key, Body=line % minute)
    with tl.open(url, ephemeral=True, options=s3.options) as session:
        assert len(session.table("sample")) == 3724 + 1005


def failures(s3, bucket):
    """Yields calls that fail, with their kind of error."""
    (down,) = free_ports(1)
    profile = profile_url(bucket)
    return {
        "wrong key": (profile, {"access_key_id": "somebody"}, tl.errors.DeniedError),
        "wrong secret": (profile, {"secret_access_key": "wrong-" + s3.secret}, tl.errors.DeniedError),
        "missing bucket": ("s3://no-such-bucket-here/x", {}, tl.errors.NotFoundError),
        "missing prefix": (f"s3://{bucket}/jobs/other/profiler-output", {}, tl.errors.NotFoundError),
        "endpoint down": (profile, {"endpoint": f"http://127.0.0.1:{down}"}, tl.errors.UnreachableError),
    }


@pytest.mark.parametrize("case", ["wrong key", "wrong secret", "missing bucket", "missing prefix", "endpoint down"])
@pytest.mark.parametrize("way", ["open", "ingest", "create"])
def test_an_error_has_its_kind_and_contains_no_secret(s3, bucket, lake, case, way):
    url, changed, kind = failures(s3, bucket)[case]
    options = {**s3.options, **changed}
    if way == "create" and case == "missing prefix":
        pytest.skip("a new lake may stand below any prefix")
    calls = {
        "open": lambda: tl.open(url, ephemeral=True, options=options),
        "ingest": lambda: lake.ingest(url, run="x", options=options),
        "create": lambda: tl.open(url, create=True, options=options).runs(),
    }
    with pytest.raises(kind) as caught:
        calls[way]()
    text = f"{caught.value}\n{caught.value!r}"
    assert url.split("/")[2] in text, "the address is in the text"
    for secret in (s3.secret, s3.key, "Signature=", "X-Amz-Signature"):
        assert secret not in text
    assert len(lake.runs()) == 0


def test_an_unknown_option_is_refused_without_its_value(s3, bucket):
    with pytest.raises(tl.errors.ArgumentError, match="secret_acess_key") as caught:
        tl.open(profile_url(bucket), ephemeral=True, options={**s3.options, "secret_acess_key": s3.secret})
    assert s3.secret not in str(caught.value)


def test_no_secret_gets_into_the_lake_or_out_of_the_session(s3, bucket, fresh):
    fresh.ingest(profile_url(bucket), run="remote", options=s3.options)
    prefix = fresh.url.removeprefix(f"s3://{bucket}/")
    objects = s3.objects(bucket, prefix)
    assert any(key.endswith(".parquet") for key in objects)
    shown = [repr(fresh), fresh.url, *fresh.files("event"), fresh.runs().to_csv(), fresh.table("object").to_csv()]
    for secret in (s3.secret, s3.key):
        assert all(secret.encode() not in body for body in objects.values())
        assert all(secret not in text for text in shown)


def test_two_lakes_with_other_keys_do_not_share_them(s3, bucket, fresh):
    fresh.ingest(profile_url(bucket), run="remote", options=s3.options)
    with pytest.raises(tl.errors.DeniedError):
        tl.open(fresh.url, options={**s3.options, "secret_access_key": "wrong"}).runs()
    assert len(fresh.table("step")) == 220
