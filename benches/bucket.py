"""Lakes and profiles in a bucket of the S3 server of the tests, put there without the time that an ingest takes."""

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
# Neither the user's credentials nor the user's default lake.
ENVIRONMENT = {
    "AWS_EC2_METADATA_DISABLED": "true",
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
}


def upload(server: S3Server, folder: Path, prefix: str) -> str:
    """Uploads a folder, several files at a time; its address."""
    bucket = server.bucket()
    files = [file for file in folder.rglob("*") if file.is_file()]

    def put(file: Path) -> None:
        key = f"{prefix}/{file.relative_to(folder).as_posix()}"
        server.client.put_object(Bucket=bucket, Key=key, Body=file.read_bytes())

    with ThreadPoolExecutor(UPLOADS) as pool:
        list(pool.map(put, files))
    return f"s3://{bucket}/{prefix}"


def shell(built: programs.Programs, options: Mapping[str, str], url: str, *words: str) -> None:
    """Runs the command on a lake in a bucket."""
    named = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
    run([built.command, *named, "--lake", url, *words], **ENVIRONMENT)


def copied(server: S3Server, built: programs.Programs, options: Mapping[str, str], lake: Path, traces: Path) -> str:
    """A lake in a bucket as if it had been made there, with one more run; its address.

    The checkpoint of a copy is about files of other addresses and does not count: the ingest of one more run writes it.
    """
    url = upload(server, lake, "lake")
    shell(built, options, url, "ingest", str(min(traces.iterdir())), "--run", "one more")
    return url
