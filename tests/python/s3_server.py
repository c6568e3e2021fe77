"""A real S3 server (SeaweedFS) on loopback, behind a proxy that records every request."""

import http.client
import json
import os
import re
import secrets
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import NamedTuple

import boto3
import botocore.config
import botocore.exceptions

from loopback_server import Exchange, LoopbackServer

GRPC = 10_000  # SeaweedFS also uses the port + 10000
ACTIONS = ["Admin", "Read", "Write", "List", "Tagging"]


class Request(NamedTuple):
    """A request through the proxy."""

    method: str
    path: str
    query: dict[str, list[str]]

    @property
    def fetches_an_object(self) -> bool:
        """Returns whether it requests the body of an object."""
        return self.method == "GET" and "/" in self.path.strip("/") and not self.query


class Fault(NamedTuple):
    """A fault of a request."""

    status: int = 0  # status of the response; the server gets no request
    code: str = ""  # the error code of S3
    cut: float | None = None  # the connection is reset after this many bytes of the body
    wait: float = 0.0  # seconds before the first byte
    lost: bool = False  # the server executes the request, and the connection is reset before the response
    etag: str = ""  # headers that replace those of the response
    behind: float = 0.0  # seconds by which the clock of the store, which sets modification times, is slow
    change: Callable[[bytes], bytes] | None = None  # returns another body


class S3Server:
    """The server during its `with` block."""

    PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.key = "key-" + secrets.token_hex(6)
        self.secret = "secret-" + secrets.token_hex(12)
        self.requests: list[Request] = []
        self.fault: Callable[[Request], Fault | None] | None = None

    def __enter__(self):
        master, volume, filer, s3 = free_ports(4)
        credentials = [{"accessKey": self.key, "secretKey": self.secret}]
        config = {"identities": [{"name": "test", "credentials": credentials, "actions": ACTIONS}]}
        (self.folder / "s3.json").write_text(json.dumps(config))
        (self.folder / "data").mkdir()
        self.log = (self.folder / "log").open("wb")
        self.process = subprocess.Popen(
            [
                "weed", "server", "-dir=data", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", f"-master.port={master}",
                f"-volume.port={volume}", f"-filer.port={filer}", "-s3", f"-s3.port={s3}", "-s3.config=s3.json",
                "-s3.port.iceberg=0", "-s3.port.lance=0",  # otherwise, two servers could choose the same ports
                "-master.volumeSizeLimitMB=64", "-volume.max=1000",  # each bucket needs several volumes
            ],
            cwd=self.folder, env={**os.environ, "PATH": self.PATH}, stdout=self.log, stderr=subprocess.STDOUT,
        )  # fmt: skip
        try:
            self.client = boto3.client(
                "s3",
                endpoint_url=f"http://127.0.0.1:{s3}",
                aws_access_key_id=self.key,
                aws_secret_access_key=self.secret,
                region_name="us-east-1",
                config=botocore.config.Config(s3={"addressing_style": "path"}, retries={"max_attempts": 1}),
            )
            self._wait()
            self.proxy = Proxy(s3, self)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        if hasattr(self, "proxy"):
            self.proxy.close()
        if hasattr(self, "client"):
            self.client.close()
        self.process.kill()
        self.process.wait()
        self.log.close()

    @property
    def options(self) -> dict[str, str]:
        """Options of the store for tracelake."""
        return {
            "endpoint": self.proxy.url,
            "access_key_id": self.key,
            "secret_access_key": self.secret,
            "region": "us-east-1",
        }

    @property
    def options_without_proxy(self) -> dict[str, str]:
        """Options without the proxy, for many requests that need no record: the proxy is slower than the server."""
        return {**self.options, "endpoint": self.client.meta.endpoint_url}

    def slow(self, seconds: float) -> AbstractContextManager[None]:
        """Delays the body of each object."""
        return self.faulty(lambda request: Fault(wait=seconds) if request.fetches_an_object else None)

    @contextmanager
    def faulty(self, fault: Callable[[Request], Fault | None]) -> Iterator[None]:
        """Chooses a fault for each request during the block."""
        self.fault = fault
        try:
            yield
        finally:
            self.fault = None

    def bucket(self) -> str:
        """Creates a bucket and returns its name."""
        name = "bucket-" + secrets.token_hex(6)
        retry(lambda: self.client.create_bucket(Bucket=name))
        return name

    def upload(self, folder: Path, bucket: str, prefix: str) -> str:
        """Uploads all files below a folder and returns the URL of the prefix."""
        for file in sorted(file for file in folder.rglob("*") if file.is_file()):
            key = f"{prefix}/{file.relative_to(folder).as_posix()}"
            self.client.put_object(Bucket=bucket, Key=key, Body=file.read_bytes())
        return f"s3://{bucket}/{prefix}"

    def objects(self, bucket: str, prefix: str = "") -> dict[str, bytes]:
        """Returns all objects below a prefix, by key."""
        pages = self.client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
        keys = [item["Key"] for page in pages for item in page.get("Contents", [])]
        return {key: self.client.get_object(Bucket=bucket, Key=key)["Body"].read() for key in keys}

    def _wait(self) -> None:
        """Waits until the server stores objects, which is some seconds after it responds."""

        def probe() -> None:
            if self.process.poll() is not None:
                raise AssertionError((self.folder / "log").read_text(errors="replace")[-2000:])
            bucket = self.bucket()
            self.client.put_object(Bucket=bucket, Key="probe", Body=b"probe")

        retry(probe)


def retry(call, seconds: float = 60) -> None:
    """Retries a call: after the start, the server sometimes refuses requests."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            call()
        except (botocore.exceptions.BotoCoreError, botocore.exceptions.ClientError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)
        else:
            return


GIVEN_PORTS: set[int] = set()
"""Ports that were given to a process, which may not have bound them yet."""


def free_ports(count: int) -> list[int]:
    """Returns free ports with free gRPC ports."""
    ports: list[int] = []
    while len(ports) < count:
        port = 20_000 + secrets.randbelow(12_000)
        if port not in GIVEN_PORTS and is_free(port) and is_free(port + GRPC):
            ports.append(port)
            GIVEN_PORTS.add(port)
    return ports


def is_free(port: int) -> bool:
    """Returns whether the port is free."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


class Proxy(LoopbackServer):
    """Forwards a request unchanged, because the signature covers the Host header; the owner chooses faults."""

    def __init__(self, target: int, owner: S3Server) -> None:
        super().__init__()
        self.target = target
        self.owner = owner

    def respond(self, exchange: Exchange) -> None:
        """Responds like the server, or with a fault."""
        request = Request(exchange.command, *exchange.path_and_query())
        self.owner.requests.append(request)
        fault = (self.owner.fault and self.owner.fault(request)) or Fault()
        body = exchange.body()
        time.sleep(fault.wait)
        if fault.status:
            # like S3, instead of the server
            exchange.send(fault.status, {}, f"<Error><Code>{fault.code}</Code></Error>".encode())
            return
        upstream = http.client.HTTPConnection("127.0.0.1", self.target)
        upstream.putrequest(exchange.command, exchange.path, skip_host=True, skip_accept_encoding=True)
        for name, value in exchange.headers.items():
            upstream.putheader(name, value)
        upstream.endheaders(body)
        answer = upstream.getresponse()
        content = answer.read()
        upstream.close()
        if fault.lost:
            reset_within(exchange, b"")
            return
        if fault.change:
            content = fault.change(content)
        if fault.behind:
            content = LISTED.sub(lambda match: subtract_seconds(match[0], fault.behind), content)
        exchange.send_response_only(answer.status, answer.reason)
        for name, value in answer.getheaders():
            if name.lower() not in {"transfer-encoding", "content-length", "connection"}:
                exchange.send_header(name, header(name.lower(), value, fault))
        length = answer.getheader("Content-Length") if exchange.command == "HEAD" else None
        exchange.send_header("Content-Length", length or str(len(content)))
        exchange.end_headers()
        if fault.cut is None:
            exchange.wfile.write(content)
        else:
            reset_within(exchange, content[: int(len(content) * fault.cut)])


def header(name: str, value: str, fault: Fault) -> str:
    """Returns a header of the server's response, or its replacement."""
    if name == "etag" and fault.etag:
        return fault.etag
    if name == "last-modified":
        return format_datetime(parsedate_to_datetime(value) - timedelta(seconds=fault.behind), usegmt=True)
    return value


# modification times in a listing
LISTED = re.compile(rb"(?<=<LastModified>)[^<]+")


def subtract_seconds(time: bytes, seconds: float) -> bytes:
    """Returns an earlier time of a listing."""
    shifted = datetime.fromisoformat(time.decode().replace("Z", "+00:00")) - timedelta(seconds=seconds)
    return shifted.strftime("%Y-%m-%dT%H:%M:%S.000Z").encode()


def reset_within(exchange: Exchange, content: bytes) -> None:
    """Sends part of the content, then resets the connection."""
    exchange.wfile.write(content)
    exchange.wfile.flush()
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.connection.close()
    exchange.close_connection = True
