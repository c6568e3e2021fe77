"""Keys for a bucket from all sources of AWS users, and the region of the bucket: a stub simulates AWS on loopback."""

import hashlib
import json
import sys

import pytest

import tracelake as tl
from aws_stub import REGION, TOKEN, Aws
from hang_guard import run_guarded, wait_until

KEYS = {"access_key_id": "given", "secret_access_key": "secret"}


@pytest.fixture
def aws(profile, monkeypatch, tmp_path):
    """The stub, with a profile in its bucket, and a home folder without keys."""
    with Aws() as aws:
        for file in sorted(file for file in profile.rglob("*") if file.is_file()):
            aws.objects[f"job-1/profiler-output/{file.relative_to(profile).as_posix()}"] = file.read_bytes()
        monkeypatch.setenv("AWS_ENDPOINT_URL_S3", aws.url)
        monkeypatch.setenv("HOME", str(tmp_path))
        monkeypatch.delenv("AWS_CONFIG_FILE")
        monkeypatch.delenv("AWS_SHARED_CREDENTIALS_FILE")
        (tmp_path / ".aws").mkdir()
        yield aws


def count_steps(**options):
    """Opens the profile in the bucket, and returns the number of steps."""
    with tl.open("s3://bucket/job-1/profiler-output", ephemeral=True, options=options) as session:
        return len(session.table("step"))


def config(tmp_path, text):
    (tmp_path / ".aws" / "config").write_text(text)


def secret_keys(tmp_path, text):
    (tmp_path / ".aws" / "credentials").write_text(text)


def signing_keys(aws):
    """Returns key, region and session token of the signature, which is the same for all requests."""
    (one,) = {
        (store_request.signed_by, store_request.signed_for, store_request.headers.get("x-amz-security-token"))
        for store_request in aws.store_requests
    }
    return one


PROFILES = """[default]
aws_access_key_id = of-the-default
aws_secret_access_key = secret
[research]
aws_access_key_id = of-research
aws_secret_access_key = secret
"""


@pytest.mark.parametrize("way", ["option", "environment", "default"])
def test_a_profile_gives_keys_and_its_region(aws, tmp_path, monkeypatch, way):
    secret_keys(tmp_path, PROFILES)
    config(tmp_path, "[default]\nregion = us-west-2\n[profile research]\nregion = eu-west-1\n")
    options = {"profile": "research"} if way == "option" else {}
    if way == "environment":
        monkeypatch.setenv("AWS_PROFILE", "research")
    assert count_steps(**options) == 220
    expected = ("of-the-default", "us-west-2", None) if way == "default" else ("of-research", "eu-west-1", None)
    assert signing_keys(aws) == expected


def test_keys_of_the_environment_override_its_profile_and_a_named_profile_overrides_both(aws, tmp_path, monkeypatch):
    secret_keys(tmp_path, PROFILES)
    monkeypatch.setenv("AWS_PROFILE", "research")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "of-the-environment")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_SESSION_TOKEN", "a session")
    monkeypatch.setenv("AWS_REGION", "eu-north-1")
    assert count_steps() == 220
    assert signing_keys(aws) == ("of-the-environment", "eu-north-1", "a session")
    del aws.requests[:]
    assert count_steps(profile="default") == 220
    assert signing_keys(aws) == ("of-the-default", "eu-north-1", None)


def test_a_command_gives_keys(aws, tmp_path):
    program = tmp_path / "keys.py"
    program.write_text(
        "import json\n"
        "keys = {'AccessKeyId': 'of-a-command', 'SecretAccessKey': 's', 'SessionToken': 't'}\n"
        "print(json.dumps({'Version': 1, **keys}))\n"
    )
    config(tmp_path, f"[profile tool]\ncredential_process = {sys.executable} {program}\nregion = eu-west-3\n")
    assert count_steps(profile="tool") == 220
    assert signing_keys(aws) == ("of-a-command", "eu-west-3", "t")


def test_a_profile_takes_a_role_with_the_keys_of_another(aws, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", aws.url)
    secret_keys(tmp_path, PROFILES)
    config(
        tmp_path,
        "[profile admin]\nrole_arn = arn:aws:iam::1:role/admin\nsource_profile = research\nregion = eu-south-1\n",
    )
    assert count_steps(profile="admin") == 220
    assert signing_keys(aws) == ("of-a-role", "eu-south-1", "session of of-a-role")
    (store_request,) = [request for request in aws.requests if request.path == "/"]
    assert store_request.signed_by == "of-research"
    assert b"role%2Fadmin" in store_request.body


def test_a_web_identity_gives_keys(aws, tmp_path, monkeypatch):
    (tmp_path / "token").write_text("who I am")
    monkeypatch.setenv("AWS_ENDPOINT_URL_STS", aws.url)
    monkeypatch.setenv("AWS_WEB_IDENTITY_TOKEN_FILE", str(tmp_path / "token"))
    monkeypatch.setenv("AWS_ROLE_ARN", "arn:aws:iam::1:role/pod")
    monkeypatch.setenv("AWS_REGION", "eu-west-1")
    assert count_steps() == 220
    assert signing_keys(aws) == ("of-a-web-identity", "eu-west-1", "session of of-a-web-identity")
    (store_request,) = [request for request in aws.requests if request.path == "/"]
    assert b"WebIdentityToken=who+I+am" in store_request.body or b"WebIdentityToken=who%20I%20am" in store_request.body


def write_sso_cache(tmp_path, expires):
    """Writes the cache of `aws sso login`."""
    config(
        tmp_path,
        "[profile team]\nsso_session = company\nsso_account_id = 1\nsso_role_name = reader\nregion = eu-west-2\n"
        "[sso-session company]\nsso_region = eu-west-2\nsso_start_url = https://company.example/start\n",
    )
    cache = tmp_path / ".aws" / "sso" / "cache"
    cache.mkdir(parents=True)
    token = {
        "accessToken": "of the login",
        "expiresAt": expires,
        "region": "eu-west-2",
        "startUrl": "https://company.example/start",
    }
    (cache / f"{hashlib.sha1(b'company', usedforsecurity=False).hexdigest()}.json").write_text(json.dumps(token))


def test_a_single_sign_on_gives_keys(aws, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSO", aws.url)
    write_sso_cache(tmp_path, "2999-01-01T00:00:00Z")
    assert count_steps(profile="team") == 220
    assert signing_keys(aws) == ("of-sso", "eu-west-2", "session of of-sso")
    (store_request,) = aws.requests_below("/federation/")
    assert store_request.headers["x-amz-sso_bearer_token"] == "of the login"
    assert (store_request.query["account_id"], store_request.query["role_name"]) == (["1"], ["reader"])


def test_an_expired_single_sign_on_is_reported(aws, tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_SSO", aws.url)
    write_sso_cache(tmp_path, "2020-01-01T00:00:00Z")
    with pytest.raises(tl.errors.DeniedError, match="expired") as caught:
        count_steps(profile="team")
    assert "of the login" not in str(caught.value)
    assert aws.store_requests == []


def test_a_container_gives_keys(aws, monkeypatch):
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{aws.url}/container")
    monkeypatch.setenv("AWS_CONTAINER_AUTHORIZATION_TOKEN", "who I am")
    assert count_steps() == 220
    assert signing_keys(aws) == ("of-the-container", REGION, "session of of-the-container")
    (store_request,) = aws.requests_below("/container")
    assert store_request.headers["authorization"] == "who I am"


def test_the_instance_metadata_gives_keys(aws, monkeypatch):
    monkeypatch.delenv("AWS_EC2_METADATA_DISABLED")
    monkeypatch.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", aws.url)
    assert count_steps() == 220
    assert signing_keys(aws) == ("of-the-machine", REGION, "session of of-the-machine")
    assert {
        store_request.headers["x-aws-ec2-metadata-token"] for store_request in aws.requests_below("/latest/meta-data")
    } == {TOKEN}


def test_keys_are_renewed_before_they_expire(aws, monkeypatch):
    monkeypatch.setenv("AWS_CONTAINER_CREDENTIALS_FULL_URI", f"{aws.url}/container")

    def asked_by_refresh():
        before = len(aws.requests_below("/container"))
        session.refresh()
        return len(aws.requests_below("/container")) - before

    aws.seconds = 302
    with tl.open("s3://bucket/lake", create=True) as session:
        wait_until(asked_by_refresh, "request for keys 5 minutes before the end of the old ones")
        aws.seconds = 299
        wait_until(asked_by_refresh, "request for keys 5 minutes before the end of the old ones")
        for _ in range(3):
            assert asked_by_refresh() >= 1, "keys are good for less than 5 minutes"
        aws.seconds = 3600
        assert asked_by_refresh() == 1
        for _ in range(3):
            assert asked_by_refresh() == 0, "keys are good for an hour"


def test_a_public_bucket_needs_no_keys(aws, tmp_path):
    secret_keys(tmp_path, PROFILES)
    assert count_steps(skip_signature="true") == 220
    assert {store_request.signed_by for store_request in aws.store_requests} == {None}


def test_the_region_of_the_bucket_is_used(aws, monkeypatch):
    assert count_steps(**KEYS) == 220
    assert signing_keys(aws) == ("given", REGION, None)
    assert [request.method for request in aws.requests_below("/bucket")][:2] == ["HEAD", "GET"]
    del aws.requests[:]
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    assert count_steps(**KEYS) == 220
    assert signing_keys(aws) == ("given", "eu-west-1", None)
    assert count_steps(**KEYS, region="eu-west-2") == 220
    assert aws.store_requests[-1].signed_for == "eu-west-2"
    assert all(request.method != "HEAD" for request in aws.requests)


def test_without_keys_the_error_lists_where_to_set_them(aws, monkeypatch):
    monkeypatch.setenv("AWS_EC2_METADATA_SERVICE_ENDPOINT", aws.url)
    with pytest.raises(tl.errors.DeniedError) as caught:
        run_guarded(count_steps)
    assert aws.requests_below("/latest") == [], "AWS_EC2_METADATA_DISABLED is set, so the machine is not asked for keys"
    assert aws.store_requests == []
    for word in ("AWS_ACCESS_KEY_ID", "AWS_PROFILE", "skip_signature"):
        assert word in f"{caught.value}"


@pytest.mark.usefixtures("aws")
def test_a_missing_profile_is_named(tmp_path):
    secret_keys(tmp_path, PROFILES)
    with pytest.raises(tl.errors.DeniedError, match="reserch") as caught:
        count_steps(profile="reserch")
    assert "secret" not in str(caught.value).replace("secret_access_key", "").replace("AWS_SECRET_ACCESS_KEY", "")


def test_uploads_are_encrypted_as_configured(aws, profile):
    key = "arn:aws:kms:eu-central-1:1:key/mine"
    encrypted = {
        "aws_server_side_encryption": "aws:kms",
        "aws_sse_kms_key_id": key,
        "aws_sse_bucket_key_enabled": "true",
    }
    with tl.open("s3://bucket/lake", create=True, options={**KEYS, **encrypted}) as session:
        session.ingest(profile)
        assert len(session.table("step")) == 220
    uploads = [request for request in aws.store_requests if request.method == "PUT"]
    assert len(uploads) >= 8
    for request in uploads:
        assert request.headers["x-amz-server-side-encryption"] == "aws:kms"
        assert request.headers["x-amz-server-side-encryption-aws-kms-key-id"] == key
        assert request.headers["x-amz-server-side-encryption-bucket-key-enabled"] == "true"
    assert all(
        "x-amz-server-side-encryption" not in request.headers
        for request in aws.store_requests
        if request.method == "GET"
    )


def test_requester_pays_can_be_set(aws):
    assert count_steps(**KEYS, request_payer="true") == 220
    assert {request.headers["x-amz-request-payer"] for request in aws.store_requests} == {"requester"}


def test_requests_are_counted_and_planned(aws, lake):
    url, planned = "s3://bucket/job-1/profiler-output", len(lake.runs())
    options = {**KEYS, "region": REGION}
    report = lake.ingest(url, dry_run=True, options=options)
    assert (report["dry_run"], planned, len(lake.runs())) == (True, 0, 0)
    expected = report["traffic"]
    assert [request.query.get("list-type") for request in aws.requests] == [["2"]]
    del aws.requests[:]
    before = lake.traffic()
    report = lake.ingest(url, options=options)
    assert report["traffic"] == expected
    bodies = [request for request in aws.store_requests if "list-type" not in request.query]
    assert (expected["list"], expected["get"]) == (1, len(bodies))
    assert expected["received"] > report["bytes"] == sum(len(body) for body in aws.objects.values())
    assert {name: count - before[name] for name, count in lake.traffic().items()} == expected
    assert lake.ingest(url, options=options)["traffic"]["get"] == 0
