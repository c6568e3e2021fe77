"""A large trace that is read by one worker and by two has the same rows and the same problems."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import tracelake as tl
from hang_guard import HANG_GUARD_S

ROOT = Path(__file__).parents[2]
TABLES = ("event", "step", "loader", "allocation", "sample", "device", "problem", "run_attribute")
INGEST = """
import os, sys
os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[: int(sys.argv[1])]))
import tracelake as tl
with tl.open(sys.argv[2], create=True) as session:
    session.ingest(sys.argv[3], run="run")
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2,
        reason="there is one core, or nobody tells",
    ),
]


@pytest.fixture(scope="module")
def trace(tmp_path_factory):
    """Writes a trace of 12 MB with several sections."""
    folder = tmp_path_factory.mktemp("large")
    script = [sys.executable, ROOT / "tests/gen/large_trace.py", "--out", folder, "--megabytes", "12"]
    subprocess.run(script, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("*.json"))


def rows(lake):
    """Returns all rows of each table, in file order."""
    with tl.open(lake) as session:
        tables = {name: session.table(name).to_arrow() for name in TABLES}
    keys = {
        name: [key for key in ("object", "row", "kind", "key") if key in table.schema.names]
        for name, table in tables.items()
    }
    return {name: table.sort_by([(key, "ascending") for key in keys[name]]) for name, table in tables.items()}


def unchanged(content):
    return content


def truncated(content):
    return content[: len(content) * 2 // 3]


def malformed(content):
    """A trace with a missing brace, an event without end, and a name that is invalid JSON."""
    offsets = [content.index(b'"ph"', len(content) * n // 4) for n in (1, 2, 3)]
    parts = [
        content[: offsets[0]],
        b'}}, {"name": "a \t b", ',
        content[offsets[0] : offsets[1]],
        b'"x": [1, ',
        content[offsets[1] :],
    ]
    return b"".join(parts)


def gzipped(content):
    # several gzip members, so that the compressed file is large enough to be split
    return b"".join(
        gzip.compress(content[offset : offset + (1 << 20)], 0) for offset in range(0, len(content), 1 << 20)
    )


def truncated_gzip(content):
    return truncated(gzipped(content))


def truncated_zstd(content):
    codec = pa.Codec("zstd", compression_level=1)
    return truncated(codec.compress(os.urandom(1 << 19).hex().encode().join([content, b""]), asbytes=True))


@pytest.mark.parametrize(
    "change", [unchanged, truncated, malformed, gzipped, truncated_gzip, truncated_zstd], ids=lambda f: f.__name__
)
def test_rows_do_not_depend_on_the_workers(trace, tmp_path, change):
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "rank0.5.pt.trace.json").write_bytes(change(trace.read_bytes()))
    rows_by_workers = {}
    for cores in (1, 2):
        lake = tmp_path / f"lake{cores}"
        arguments = [str(cores), str(lake), str(tmp_path / "job")]
        subprocess.run(
            [sys.executable, "-c", INGEST, *arguments], check=True, timeout=HANG_GUARD_S, stderr=subprocess.DEVNULL
        )
        rows_by_workers[cores] = rows(lake)
    assert rows_by_workers[1]["event"].num_rows > 10_000
    for name in TABLES:
        assert rows_by_workers[1][name].equals(rows_by_workers[2][name]), name
    if change is not unchanged and change is not gzipped:
        assert rows_by_workers[1]["problem"].num_rows > 0
