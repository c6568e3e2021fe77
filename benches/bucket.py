"""Copies lakes and profiles into a bucket of the S3 server of the tests, which is faster than an ingest into it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from process import run

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import programs

    from s3_server import S3Server

UPLOADS = 8
# Hides the credentials of the user.
ENVIRONMENT = {
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}


def upload(server: S3Server, folder: Path, prefix: str) -> str:
    """Uploads a folder, several files at a time, and returns its URL."""
    bucket = server.bucket()
    files = [file for file in folder.rglob("*") if file.is_file()]

    def put(file: Path) -> None:
        key = f"{prefix}/{file.relative_to(folder).as_posix()}"
        server.client.put_object(Bucket=bucket, Key=key, Body=file.read_bytes())

    with ThreadPoolExecutor(UPLOADS) as pool:
        list(pool.map(put, files))
    return f"s3://{bucket}/{prefix}"


def run_command(build: programs.Programs, options: Mapping[str, str], url: str, *words: str) -> None:
    """Runs a command on a lake in a bucket."""
    flags = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    run([build.command, *flags, "--lake", url, *words], **ENVIRONMENT)


def copy_lake(server: S3Server, build: programs.Programs, options: Mapping[str, str], lake: Path, traces: Path) -> str:
    """Copies a lake into a bucket, ingests one more run, and returns its URL.

    The checkpoint of a copy has the URLs of the original files and is not used: the ingest writes a new one.
    """
    url = upload(server, lake, "lake")
    run_command(build, options, url, "ingest", str(min(traces.iterdir())), "--run", "one more")
    return url
