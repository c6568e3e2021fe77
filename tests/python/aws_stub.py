"""A server on loopback that simulates AWS: a bucket, and all services that provide keys. It records every request."""

import datetime as dt
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import parse_qs

from loopback_server import Exchange, LoopbackServer

REGION = "eu-central-1"  # of the bucket
TOKEN = "token-of-the-machine"  # the token for the metadata of a machine


Answer = tuple[int, dict[str, str], bytes]


class Request(NamedTuple):
    """A recorded request."""

    method: str
    path: str
    query: dict[str, list[str]]
    headers: dict[str, str]
    body: bytes

    @property
    def signed_by(self) -> str | None:
        """Returns the access key of the signature; None without a signature."""
        scope = self._scope()
        return scope[0] if scope else None

    @property
    def signed_for(self) -> str | None:
        """Returns the region of the signature."""
        scope = self._scope()
        return scope[2] if scope else None

    def _scope(self) -> list[str] | None:
        authorization = self.headers.get("authorization")
        return authorization.split("Credential=")[1].split(",")[0].split("/") if authorization else None


class Keys(NamedTuple):
    """Temporary keys."""

    key: str
    seconds: float = 3600

    @property
    def expires(self) -> str:
        """Returns their expiry in AWS's format."""
        return (dt.datetime.now(dt.UTC) + dt.timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def members(self) -> dict[str, str]:
        """Returns the keys as JSON of containers, machines and processes."""
        return {
            "AccessKeyId": self.key,
            "SecretAccessKey": "secret",
            "Token": f"session of {self.key}",
            "Expiration": self.expires,
        }


class Aws(LoopbackServer):
    """The server while its `with` block lasts: `objects` by key are what its one bucket `bucket` has."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Request] = []
        self.objects: dict[str, bytes] = {}
        self.seconds = 3600.0  # lifetime of keys
        self.listing: Callable[[str | None], tuple[Iterator[tuple[str, int]], str | None]] = self._stored

    def _stored(self, _token: str | None) -> tuple[Iterator[tuple[str, int]], str | None]:
        return ((key, len(body)) for key, body in sorted(self.objects.items())), None

    def requests_below(self, prefix: str) -> list[Request]:
        """Returns the requests to paths with a prefix."""
        return [request for request in self.requests if request.path.startswith(prefix)]

    @property
    def store_requests(self) -> list[Request]:
        """Returns the requests to the bucket."""
        return [request for request in self.requests_below("/bucket") if request.method != "HEAD"]

    def respond(self, exchange: Exchange) -> None:
        """Records the request and responds."""
        headers = {name.lower(): value for name, value in exchange.headers.items()}
        request = Request(exchange.command, *exchange.path_and_query(), headers, exchange.body())
        self.requests.append(request)
        exchange.send(*self.answer(request))

    def answer(self, request: Request) -> Answer:
        """Returns status, headers and body."""
        replies = {
            "/container": self._container,
            "/latest/api/token": self._machine_session,
            "/latest/meta-data/iam/security-credentials": self._machine,
            "/federation/credentials": self._single_sign_on,
            "/bucket": self._bucket,
        }
        matching = (reply for path, reply in replies.items() if request.path.startswith(path))
        return next(matching, self._role)(request)

    def _container(self, _request: Request) -> Answer:
        return _json(Keys("of-the-container", self.seconds).members())

    def _machine_session(self, _request: Request) -> Answer:
        return 200, {"x-aws-ec2-metadata-token-ttl-seconds": "600"}, TOKEN.encode()

    def _machine(self, request: Request) -> Answer:
        if request.path.rstrip("/").rsplit("/", 1)[1].startswith("security-credentials"):
            return 200, {}, b"a-role"
        return _json({"Code": "Success", "Type": "AWS-HMAC", **Keys("of-the-machine", self.seconds).members()})

    def _single_sign_on(self, _request: Request) -> Answer:
        credentials = {
            "accessKeyId": "of-sso",
            "secretAccessKey": "secret",
            "sessionToken": "session of of-sso",
            "expiration": int(dt.datetime.now(dt.UTC).timestamp() + self.seconds) * 1000,
        }
        return _json({"roleCredentials": credentials})

    def _role(self, request: Request) -> Answer:
        action = parse_qs(request.body.decode())["Action"][0]
        keys = Keys({"AssumeRole": "of-a-role", "AssumeRoleWithWebIdentity": "of-a-web-identity"}[action], self.seconds)
        return 200, {"Content-Type": "text/xml"}, (
            f'<{action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><{action}Result>'
            "<AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>"
            f"<Credentials><AccessKeyId>{keys.key}</AccessKeyId><SecretAccessKey>secret</SecretAccessKey>"
            f"<SessionToken>session of {keys.key}</SessionToken><Expiration>{keys.expires}</Expiration></Credentials>"
            f"</{action}Result></{action}Response>"
        ).encode()  # fmt: skip

    def _bucket(self, request: Request) -> Answer:
        key = request.path.removeprefix("/bucket").lstrip("/")
        if key:
            return self._put(request, key) if request.method == "PUT" else self._object(request, key)
        if request.method == "HEAD":
            return 403, {"x-amz-bucket-region": REGION}, b""
        return self._list(request)

    def _list(self, request: Request) -> Answer:
        prefix = request.query.get("prefix", [""])[0]
        keys, next_token = self.listing(request.query.get("continuation-token", [None])[0])
        contents = "".join(
            f"<Contents><Key>{name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>&quot;{_etag(name)}&quot;</ETag><Size>{size}</Size></Contents>"
            for name, size in keys
            if name.startswith(prefix)
        )
        more = f"<NextContinuationToken>{next_token}</NextContinuationToken>" if next_token else ""
        return 200, {"Content-Type": "text/xml"}, (
            f"<ListBucketResult><Name>bucket</Name><KeyCount>1</KeyCount><IsTruncated>{str(bool(next_token)).lower()}"
            f"</IsTruncated>{more}{contents}</ListBucketResult>"
        ).encode()  # fmt: skip

    def _put(self, request: Request, key: str) -> Answer:
        if request.headers.get("if-none-match") == "*" and key in self.objects:
            return 412, {}, b"<Error><Code>PreconditionFailed</Code></Error>"
        self.objects[key] = request.body
        return 200, {"ETag": f'"{_etag(key)}"'}, b""

    def _object(self, request: Request, key: str) -> Answer:
        if key not in self.objects:
            return 404, {}, b"<Error><Code>NoSuchKey</Code></Error>"
        headers = {"ETag": f'"{_etag(key)}"', "Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}
        body = self.objects[key]
        bounds = request.headers.get("range")
        if bounds is None:
            return 200, headers, body
        first, last = (int(bound) for bound in bounds.removeprefix("bytes=").split("-"))
        last = min(last, len(body) - 1)
        headers["Content-Range"] = f"bytes {first}-{last}/{len(body)}"
        return 206, headers, body[first : last + 1]


def _json(content: dict[str, object]) -> Answer:
    return 200, {"Content-Type": "application/json"}, json.dumps(content).encode()


def _etag(key: str) -> str:
    return hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
