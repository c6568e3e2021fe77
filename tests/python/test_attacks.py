"""Attacks: SQL, files, lakes and stores that exhaust memory or time, end the process, or give wrong results.

Each test runs a command in its own process. The command refuses with a clear error, or succeeds with little memory.
tests/it/hostile.rs, test_hostile_files.py, test_disk_faults.py and test_s3_faults.py have more attacks.
"""

import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from loopback_server import LoopbackServer

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
LIMIT_S = 120
"""Seconds after which a process is killed. This guards against hanging, and asserts nothing about speed."""
LIMIT_MB = 6_000
"""Memory at which a process is killed: more than the memory pool of a session, less than a machine for tests has."""
MAX_MB = 1_000
"""Maximum peak memory of a command that succeeds."""
GIGABYTE = 1 << 30
CRASHES = ("panicked", "Traceback", "overflowed its stack", "memory allocation of", "this is a bug")
"""Parts of a text that is not a clear error."""
TIMINGS = "load_s,compute_s\n0.5,0.25\n"
pytestmark = pytest.mark.slow


class Outcome(NamedTuple):
    """How a process ended."""

    code: int
    output: str
    error: str
    peak_mb: float
    seconds: float
    killed: str

    def check(self, *others: int) -> "Outcome":
        """Checks that the command refused with a clear error, or succeeded with little memory.

        The other codes are successes too.
        """
        summary = f"code {self.code}, {self.peak_mb:.0f} MB, {self.seconds:.1f} s\n{self.error[-2000:]}"
        assert not self.killed, f"killed: {self.killed}; {summary}"
        assert self.code in {0, 2, 3, 4, *others}, summary
        assert not [text for text in CRASHES if text in self.error], summary
        if self.code in {2, 3, 4}:
            assert "error: " in self.error, summary
        else:
            assert self.peak_mb <= MAX_MB, summary
        return self

    def check_refused(self, *texts: str) -> "Outcome":
        """Checks that the command refused, with an error that contains these texts."""
        self.check()
        assert self.code != 0, self.output
        assert all(text in self.error for text in texts), self.error
        return self


# A small process starts the command: the peak of a process includes the memory of its parent at the fork.
STARTER = """
import json, os, subprocess, sys, time
outcome, limit_s, limit_mb = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
start, killed, unit = time.monotonic(), "", 1e6 if sys.platform == "darwin" else 1e3
process = subprocess.Popen(sys.argv[4:])
while not (ended := os.wait4(process.pid, os.WNOHANG))[0]:
    try:
        with open(f"/proc/{process.pid}/statm") as file:
            memory = int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    except OSError:
        memory = 0
    if not killed and (memory > limit_mb or time.monotonic() - start > limit_s):
        killed = f"more than {limit_mb:.0f} MB" if memory > limit_mb else f"more than {limit_s:.0f} s"
        process.kill()
    time.sleep(0.005)
code, peak_mb = os.waitstatus_to_exitcode(ended[1]), ended[2].ru_maxrss / unit
with open(outcome, "w") as file:
    json.dump({"code": code, "peak_mb": peak_mb, "seconds": time.monotonic() - start, "killed": killed}, file)
"""


OUTCOMES = []


@pytest.fixture(scope="module", autouse=True)
def _table(report):
    """Prints a table of all commands at the end."""
    yield
    report("Attacks", "exit code  peak MB  seconds  test", *OUTCOMES)


@pytest.fixture
def run(tmp_path, request):
    """Runs a command and returns its outcome."""

    def run(*command, text=None, stdin=subprocess.DEVNULL, **variables) -> Outcome:
        outcome, output = tmp_path / "outcome.json", tmp_path / "output"
        starter = [sys.executable, "-c", STARTER, outcome, str(LIMIT_S), str(LIMIT_MB)]
        if text is not None:
            (tmp_path / "input").write_text(text)
            stdin = (tmp_path / "input").open("rb")
        with output.open("wb") as file:
            done = subprocess.run(
                [*starter, *command],
                stdin=stdin,
                stdout=file,
                stderr=subprocess.PIPE,
                env={**os.environ, **variables},
                check=True,
            )
        if text is not None:
            stdin.close()
        with output.open("rb") as file:
            content = file.read(1 << 20).decode(errors="replace")
        ended = Outcome(output=content, error=done.stderr.decode(errors="replace"), **json.loads(outcome.read_text()))
        OUTCOMES.append(f"{ended.code:9}  {ended.peak_mb:7.0f}  {ended.seconds:7.1f}  {request.node.name}")
        return ended

    return run


@pytest.fixture
def tracelake(run, tmp_path):
    """Runs the shell command and returns its outcome."""

    def tracelake(*words, lake=tmp_path / "lake", before=(), **options) -> Outcome:
        return run(*before, sys.executable, "-m", "tracelake", "--lake", lake, *words, **options)

    return tracelake


@pytest.fixture(scope="module")
def small_lake(tmp_path_factory):
    """A lake with one small run `a`, which no test may change."""
    lake = tmp_path_factory.mktemp("small") / "lake"
    command = [sys.executable, "-m", "tracelake", "--lake", lake, "ingest", DATA / "first_look", "--run", "a"]
    subprocess.run(command, check=True, capture_output=True)
    return lake


@pytest.fixture
def copied_lake(small_lake, tmp_path):
    """A copy of the small lake, at the default place of `tracelake`."""
    return Path(shutil.copytree(small_lake, tmp_path / "lake"))


@pytest.fixture
def as_user():
    """The start of a command without the capabilities of root, which may read every file."""
    if os.geteuid() != 0:
        return ()
    before = ("unshare", "--map-user=1000")
    if not shutil.which("unshare") or subprocess.run([*before, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let a process have its own users")
    return before


# SQL that is nested deeply

DEEP = {
    "unions": "SELECT run, a FROM (" + " UNION ALL ".join(["SELECT run, 1 AS a FROM run"] * 5_000) + ")",
    "a sum": f"SELECT run, {'+'.join(['1'] * 50_000)} AS a FROM run",
    "alternatives": f"SELECT run, 1 AS a FROM run WHERE {' OR '.join(f'steps = {n}' for n in range(100_000))}",
    "parentheses": f"SELECT run, {'(' * 20_000}1{')' * 20_000} AS a FROM run",
    "subqueries": f"SELECT run, 1 AS a FROM {'(SELECT * FROM ' * 5_000}run{') AS t' * 5_000}",
    "cases": f"SELECT run, {'CASE WHEN TRUE THEN ' * 5_000}1{' END' * 5_000} AS a FROM run",
    "a list of values": f"SELECT run, 1 AS a FROM run WHERE steps IN ({','.join(map(str, range(200_000)))})",
}
"""Queries with the columns `run` and `a`."""


def named_queries(count, first, following, name="t{}"):
    """Returns SQL with named queries: the first one, and others that read the previous one, `{0}`."""
    names = [name.format(n) for n in range(count)]
    others = "".join(f", {name} AS ({following.format(before)})" for before, name in pairwise(names))
    return f"WITH {names[0]} AS ({first}){others} SELECT count(*) FROM {names[-1]}"


SELF_JOIN = "SELECT run FROM {0} JOIN {0} AS u USING (run)"
MANY = 50_000
OTHER_DEPTHS = {
    "array types": f"SELECT cast(NULL AS int{'[]' * MANY})",
    "array types, short": f"SELECT cast(NULL AS int{'[]' * 1_900})",
    "array types in brackets, short": f"SELECT cast(1 AS {'array<' * 600}int{'>' * 600})",
    "nullable types": f"SELECT cast(1 AS {'nullable(' * MANY}int{')' * MANY})",
    "map types": f"SELECT cast(1 AS {'map(int,' * MANY}int{')' * MANY})",
    "tuple types": f"SELECT cast(1 AS {'tuple(' * MANY}int{')' * MANY})",
    "nested types": f"SELECT cast(1 AS {'nested(a ' * MANY}int{')' * MANY})",
    "types with few values": f"SELECT cast(1 AS {'lowcardinality(' * MANY}int{')' * MANY})",
    "a pattern of rows": "SELECT * FROM run MATCH_RECOGNIZE(ORDER BY run PATTERN "
    f"({'(' * MANY}A{')' * MANY}) DEFINE A AS TRUE)",
    "a table of JSON": "SELECT * FROM JSON_TABLE('[]', '$' COLUMNS("
    + "NESTED PATH '$' COLUMNS(" * MANY
    + f"a INT PATH '$'{')' * MANY}))",
    "explains": f"{'EXPLAIN ' * MANY}SELECT 1",
    "explains with options": f"{'EXPLAIN VERBOSE ' * MANY}SELECT 1",
    "intervals": f"SELECT {'INTERVAL ' * MANY}'1 day'",
    "pipes": f"FROM run {'|> WHERE TRUE ' * 20_000}",
    "negations": f"SELECT {'NOT ' * MANY}TRUE",
    "signs": f"SELECT {'- ' * MANY}1",
    "casts": f"SELECT 1{'::bigint' * MANY}",
    "texts": "SELECT " + "||".join(["'a'"] * MANY),
    "calls": f"SELECT {'abs(' * 5_000}1{')' * 5_000}",
    "array elements": f"SELECT [1]{'[1]' * MANY}",
    "fields": f"SELECT named_struct('a', 1){'.a' * MANY}",
    "joins": f"SELECT count(*) FROM run {' '.join(f'CROSS JOIN run AS r{n}' for n in range(300))}",
    "joins by commas": f"SELECT count(*) FROM {', '.join(f'run AS r{n}' for n in range(2_000))}",
    "named queries": "WITH t0 AS (SELECT 1 AS a)"
    + "".join(f", t{n} AS (SELECT a FROM t{n - 1})" for n in range(1, 2_000))
    + " SELECT * FROM t1999",
    "doubled unions": named_queries(30, "SELECT 1 AS a", "SELECT a FROM {0} UNION ALL SELECT a FROM {0}"),
    "doubled joins": named_queries(20, "SELECT run FROM run", SELF_JOIN),
    "doubled joins of names in quotes": named_queries(20, "SELECT run FROM run", SELF_JOIN, '"t{}"'),
    "a cube": f"SELECT count(*) FROM event GROUP BY CUBE ({','.join(f'ts + {n}' for n in range(22))})",
    "columns": f"SELECT {','.join(f'1 AS a{n}' for n in range(20_000))}",
    "no columns": "FROM run",
}

IN_SESSION = """
import sys
import tracelake as tl
with tl.open(sys.argv[1]) as session:
    try:
        session.sql(sys.stdin.read()).to_csv()
    except (tl.errors.QueryError, tl.errors.ExhaustedError) as error:
        sys.exit((print(f"error: {error}", file=sys.stderr), 2)[1])
"""


@pytest.mark.parametrize("name", DEEP)
def test_deep_sql_on_the_command_line(name, tracelake, small_lake):
    tracelake("sql", "-", lake=small_lake, text=DEEP[name]).check()


@pytest.mark.parametrize("name", DEEP)
def test_deep_sql_in_a_session(name, run, small_lake):
    run(sys.executable, "-c", IN_SESSION, small_lake, text=DEEP[name]).check()


@pytest.mark.parametrize("name", OTHER_DEPTHS)
def test_sql_that_is_deep_in_other_ways(name, tracelake, small_lake):
    tracelake("sql", "-", lake=small_lake, text=OTHER_DEPTHS[name]).check()


HEADER = """-- A question.
--
-- column  run    text     id       run
-- column  a      bigint   mixed    value
--
-- needs   run
-- order   run

"""


def write_query(folder, name, sql, needs="run"):
    """Writes a query with a header."""
    path = folder / f"{name.replace('.', '/')}.sql"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(HEADER.replace("needs   run", f"needs   {needs}") + sql + " ORDER BY run\n")


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_saved_query_does_not_prevent_opening_a_lake(name, tracelake, copied_lake):
    write_query(copied_lake / "_queries", "saved.deep", DEEP[name])
    opened = tracelake("runs").check()
    assert opened.code == 0, opened.error
    if name != "a list of values":
        assert "the saved query `saved.deep` is excluded" in opened.error
        tracelake("query", "saved.deep").check_refused()
    assert tracelake("queries", "saved.deep", "--delete").check().code == 0


@pytest.mark.parametrize("name", DEEP)
def test_a_deep_query_of_a_folder(name, tracelake, small_lake, tmp_path):
    write_query(tmp_path / "queries", "mine.deep", DEEP[name])
    tracelake("--queries", tmp_path / "queries", "query", "mine.deep", lake=small_lake).check()


CYCLES = {
    "itself": {"saved.a": "saved_a"},
    "itself as a function": {"saved.a": "saved_a()"},
    "two": {"saved.a": "saved_b", "saved.b": "saved_a"},
    "three, and one that reads them": {
        "saved.a": "saved_b",
        "saved.b": "saved_c",
        "saved.c": "saved_a",
        "saved.d": "saved_a",
    },
}


@pytest.mark.parametrize("name", CYCLES)
def test_saved_queries_that_read_each_other_do_not_prevent_opening_a_lake(name, tracelake, copied_lake):
    for query, other in CYCLES[name].items():
        write_query(copied_lake / "_queries", query, f"SELECT run, 1 AS a FROM {other}", other.removesuffix("()"))
    opened = tracelake("sql", "SELECT count(*) AS n FROM run").check()
    assert (opened.code, opened.output) == (0, "n\n1\n"), opened.error
    assert "saved.a" in opened.error
    tracelake("query", "saved.a").check_refused()
    assert tracelake("queries", "saved.a", "--delete").check().code == 0


@pytest.mark.parametrize("name", CYCLES)
def test_queries_of_a_folder_that_read_each_other(name, tracelake, small_lake, tmp_path):
    for query, other in CYCLES[name].items():
        write_query(tmp_path / "queries", query, f"SELECT run, 1 AS a FROM {other}", other.removesuffix("()"))
    tracelake("--queries", tmp_path / "queries", "query", "saved.a", lake=small_lake).check_refused()


def test_a_query_cannot_be_saved_if_it_reads_itself(tracelake, copied_lake):
    del copied_lake
    save = lambda name, sql: tracelake("queries", name, "--save", sql)  # noqa: E731
    assert save("saved.a", "SELECT run FROM run").check().code == 0
    assert save("saved.b", "SELECT run FROM saved_a").check().code == 0
    save("saved.a", "SELECT run FROM saved_b").check_refused()
    opened = tracelake("query", "saved.b").check()
    assert (opened.code, opened.output) == (0, "run\na\n"), opened.error


@pytest.mark.parametrize(
    ("count", "sql"),
    [(14, "SELECT run, a FROM {0} UNION ALL SELECT run, a FROM {0}"), (1_000, "SELECT run, a FROM {0}")],
)
def test_many_saved_queries_that_read_the_previous_one(count, sql, tracelake, copied_lake):
    write_query(copied_lake / "_queries", "saved.q0", "SELECT run, 1 AS a FROM run")
    for n in range(1, count):
        write_query(copied_lake / "_queries", f"saved.q{n}", sql.format(f"saved_q{n - 1}"), f"saved_q{n - 1}")
    assert tracelake("runs").check().code == 0
    tracelake("query", f"saved.q{count - 1}").check()


# SQL with results that are not in the memory pool

PAIRS = "generate_series(1, 100000) AS a, generate_series(1, 100000) AS b"

LARGE = {
    "array_repeat of texts": "SELECT cardinality(array_repeat(repeat('x', 1000000), 1000000))",
    "array_repeat": "SELECT cardinality(array_repeat(1, 1000000000))",
    "array_repeat, nested": "SELECT cardinality(array_repeat(array_repeat(1, 100000), 100000))",
    "array_resize": "SELECT cardinality(array_resize([1], 10000000000, 0))",
    "array_resize, maximum": "SELECT cardinality(array_resize([1], 9223372036854775807, 0))",
    "repeat": "SELECT length(repeat('x', 2147483648))",
    "repeat, less": "SELECT length(repeat('x', 1000000000))",
    "repeat, maximum": "SELECT length(repeat('xy', 9223372036854775807))",
    "repeat, nested": "SELECT length(repeat(repeat('x', 100000), 100000))",
    "repeat, each row": "SELECT sum(length(repeat(cast(value AS text), 100000))) FROM generate_series(1, 10000000)",
    "range": "SELECT cardinality(range(10000000000))",
    "range, less": "SELECT cardinality(range(1000000000))",
    "generate_series": "SELECT cardinality(generate_series(1, 10000000000))",
    "generate_series, maximum": "SELECT cardinality(generate_series(1, 9223372036854775807))",
    "range, rows": "SELECT count(*) FROM (SELECT unnest(range(1000000000)))",
    "lpad": "SELECT length(lpad('a', 2147483648, 'x'))",
    "lpad, less": "SELECT length(lpad('a', 2147483647, 'x'))",
    "rpad": "SELECT length(rpad('a', 2147483647, 'x'))",
    "replace": "SELECT length(replace(repeat('x', 100000), 'x', repeat('y', 100000)))",
    "regexp_replace": "SELECT length(regexp_replace(repeat('x', 100000), 'x', repeat('y', 100000), 'g'))",
    "a large pattern": "SELECT regexp_like('a', '(((a{1000}){1000}){1000})')",
    "critical_path": "SELECT cardinality(critical_path("
    f"'operator', a.value, b.value, 1, 1, 1, 1, 1, 1, 1, 1, TRUE, TRUE)) FROM {PAIRS}",
    "call_stack": "SELECT max(length(s)) FROM (SELECT "
    "call_stack(repeat('n', 1000) || value, value, 10000000 - 2 * value) OVER (ORDER BY value) AS s "
    "FROM generate_series(1, 100000))",
    "call_chain": "SELECT max(cardinality(s)) FROM (SELECT call_chain(value, TRUE, value, 10000000 - 2 * value) "
    "OVER (ORDER BY value) AS s FROM generate_series(1, 100000))",
    "extract_arg": """SELECT length(extract_arg('{"a":' || repeat('[', 1000000) || '}', 'a'))""",
    "union_length of extremes": "SELECT union_length(9223372036854775807, 9223372036854775807), union_length(1, -5)",
}


@pytest.mark.parametrize("name", LARGE)
def test_sql_with_a_large_result(name, tracelake, small_lake):
    tracelake("sql", LARGE[name], lake=small_lake).check()


# A disk that cannot hold temporary rows

SPILL = """
import sys
import tracelake as tl
with tl.open(sys.argv[1], writable=True) as session:
    session.sql("SET datafusion.runtime.memory_limit = '20M'")
    numbered = "SELECT row_number() OVER (ORDER BY value DESC) AS n FROM generate_series(1, 2000000)"
    try:
        print(session.sql(f"SELECT max(n) AS n FROM ({numbered})").to_csv())
    except tl.errors.ExhaustedError as error:
        sys.exit((print(f"error: {error}", file=sys.stderr), 4)[1])
"""
# `$0` is the folder for temporary rows, `$@` the command
DISKS = {
    "full": 'mount -t tmpfs -o size=2M tmpfs "$0"; TMPDIR="$0" exec "$@"',
    "read-only": 'mount -t tmpfs -o ro tmpfs "$0"; TMPDIR="$0" exec "$@"',
    "missing": 'TMPDIR="$0/no_such_folder" exec "$@"',
    "a file": 'touch "$0/file"; TMPDIR="$0/file" exec "$@"',
}


@pytest.fixture
def on_disk(tmp_path):
    """Returns the start of a command with such a folder for temporary rows."""
    (tmp_path / "temporary").mkdir()
    own_mounts = ("unshare", "--map-root-user", "--mount")
    if (
        not shutil.which("unshare")
        or subprocess.run([*own_mounts, "true"], check=False, capture_output=True).returncode
    ):
        pytest.skip("this machine does not let a process have its own mounts")
    return lambda disk: (*own_mounts, "sh", "-euc", DISKS[disk], tmp_path / "temporary")


@pytest.mark.parametrize("disk", DISKS)
def test_a_query_that_cannot_write_temporary_rows(disk, run, on_disk, small_lake):
    outcome = run(*on_disk(disk), sys.executable, "-c", SPILL, small_lake)
    outcome.check_refused("temporary rows", "TMPDIR")
    assert outcome.code == 4


def test_a_large_query_on_the_command_line_that_cannot_write_temporary_rows(tracelake, on_disk, small_lake):
    sql = "SELECT max(n) FROM (SELECT row_number() OVER (ORDER BY value DESC) AS n FROM generate_series(1, 1000000000))"
    outcome = tracelake("sql", sql, lake=small_lake, before=on_disk("full"))
    outcome.check_refused("no space left", "TMPDIR")
    assert outcome.code == 4


# Files of a profile


@pytest.fixture
def ingest(tracelake, tmp_path):
    """Ingests a profile and returns the outcome."""
    return lambda profile=tmp_path / "job", **options: tracelake("ingest", profile, "--run", "r", **options)


@pytest.fixture
def job(tmp_path):
    """A profile with one file of timings."""
    (tmp_path / "job").mkdir()
    (tmp_path / "job" / "timings.csv").write_text(TIMINGS)
    return tmp_path / "job"


def write_constant(path, rows, groups=1, junk=0):
    """Writes timings with equal values, which take almost no bytes; `junk` bytes are in a column that is not read."""
    count = rows // groups
    fields = {"load_s": np.full(count, 0.5), "compute_s": np.full(count, 0.25)}
    if junk:
        noise = np.random.default_rng(0).bytes(junk // groups)
        fields["junk"] = pa.array([noise] + [None] * (count - 1), pa.large_binary())
    table = pa.table(fields)
    with pq.ParquetWriter(path, table.schema, compression="zstd") as writer:
        for _ in range(groups):
            writer.write_table(table)


@pytest.mark.parametrize(("rows", "groups", "junk"), [(1_000_000, 1, 0), (4_000_000, 4, 600_000), (32_000, 32_000, 0)])
def test_timings_that_decompress_to_many_rows(rows, groups, junk, ingest, tmp_path):
    (tmp_path / "job").mkdir()
    write_constant(tmp_path / "job" / "t.parquet", rows, groups, junk)
    ingest().check()


def test_timings_with_more_row_groups_than_parquet_allows(ingest, tmp_path):
    (tmp_path / "job").mkdir()
    write_constant(tmp_path / "job" / "t.parquet", 40_000, 40_000)
    ingest().check()


@pytest.mark.parametrize(
    "text",
    ["1" + "0" * 1_000_000, "0." + "0" * 1_000_000 + "1", " " * 1_000_000 + "1", "x" * 1_000_000],
    ids=["zeros", "decimals", "blanks", "letters"],
)
def test_timings_with_a_long_text_in_many_rows(text, ingest, tmp_path):
    (tmp_path / "job").mkdir()
    rows = pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), pa.array([text]))
    pq.write_table(pa.table({"load_s": rows}), tmp_path / "job" / "t.parquet", compression="zstd")
    assert (tmp_path / "job" / "t.parquet").stat().st_size < 1 << 20
    ingest().check()


@contextmanager
def special_file(kind, folder):
    """Makes a file that is not a regular one, and returns its path."""
    path = folder / "x.csv"
    if kind == "FIFO":
        os.mkfifo(path)
        yield path
    elif kind == "socket":
        with socket.socket(socket.AF_UNIX) as server:
            # The path of a socket has at most 107 bytes.
            before = Path.cwd()
            os.chdir(folder)
            server.bind(path.name)
            os.chdir(before)
            yield path
    else:
        path.symlink_to(kind)
        yield path


SPECIAL = ["FIFO", "socket", "/dev/zero", "/dev/urandom", "/dev/stdin", "/dev/tty"]


@pytest.mark.parametrize("command", [["ingest"], ["--ephemeral", "query", "job.overview"]])
@pytest.mark.parametrize("kind", SPECIAL)
def test_a_special_file_as_a_profile(kind, command, tracelake, tmp_path):
    reading, writing = os.pipe()
    with special_file(kind, tmp_path) as path, os.fdopen(reading), os.fdopen(writing):
        named = path if kind in {"FIFO", "socket"} else kind
        tracelake(*command, named, stdin=reading).check_refused(f"cannot read {named}")


@pytest.mark.parametrize("kind", SPECIAL)
def test_a_special_file_in_a_profile(kind, ingest, job):
    reading, writing = os.pipe()
    with special_file(kind, job), os.fdopen(reading), os.fdopen(writing):
        outcome = ingest(stdin=reading).check()
    assert "1 rows from 1 file" in outcome.output


def test_a_block_device_in_a_profile(ingest, job):
    try:
        os.mknod(job / "x.csv", 0o020666, os.makedev(1, 5))
    except PermissionError:
        pytest.skip("only root may make a device")
    assert "1 rows from 1 file" in ingest().check().output


def test_links_in_a_circle(ingest, job):
    (job / "again").symlink_to(job)
    (job / "a").mkdir()
    (job / "a" / "above").symlink_to(job)
    (job / "me").symlink_to(job / "me")
    outcome = ingest().check()
    assert "3 failed" in outcome.output


def test_links_that_multiply_the_paths_of_a_file(ingest, job):
    levels = [job / f"level{n}" for n in range(22)]
    for level in levels:
        level.mkdir()
    for level, inner in pairwise(levels):
        (level / "x").symlink_to(inner)
        (level / "y").symlink_to(inner)
    ingest().check()


def test_a_deep_folder(ingest, job):
    at_start = Path.cwd()
    os.chdir(job)
    try:
        for _ in range(100):
            Path("folder" * 20).mkdir()
            os.chdir("folder" * 20)
    finally:
        os.chdir(at_start)
    ingest().check()


def test_a_named_file_without_permission(ingest, job, as_user):
    (job / "timings.csv").chmod(0)
    ingest(job / "timings.csv", before=as_user).check_refused("ermission denied")


def test_a_profile_folder_without_permission(ingest, job, as_user):
    job.chmod(0)
    try:
        ingest(job, before=as_user).check_refused("ermission denied")
    finally:
        job.chmod(0o700)


def test_a_folder_of_names_that_cannot_be_opened(ingest, job, as_user):
    (job / "inner").mkdir()
    (job / "inner" / "t.csv").write_text(TIMINGS)
    (job / "inner").chmod(0o444)
    try:
        outcome = ingest(before=as_user).check()
    finally:
        (job / "inner").chmod(0o700)
    assert (outcome.code, "1 failed" in outcome.output) == (3, True)


ODD_NAMES = [
    *("..csv", "...csv", "a?b#c.csv", "pct%41.csv", "pct%2e%2e.csv", "blank .csv", " lead.csv", "back\\slash.csv"),
    *("quote'\".csv", "ü.csv", "u\u0308.csv", "\u202ertl.csv", "a:b.csv", "~.csv", "*.csv", "[x].csv", "{a,b}.csv"),
]


def test_files_with_odd_names_are_read_once(ingest, tracelake, job):
    for name in ODD_NAMES:
        (job / name).write_text(TIMINGS)
    assert ingest().check().code == 0
    again = ingest().check()
    assert f"{len(ODD_NAMES) + 1} unchanged" in again.output
    assert tracelake("sql", "SELECT count(*) AS n FROM loader").output == f"n\n{len(ODD_NAMES) + 1}\n"


@pytest.mark.parametrize("name", ["a\x01b.csv", "new\nline.csv", "red\x1b[31m.csv", "\udcff.csv"])
def test_a_file_with_a_name_that_cannot_be_stored(name, ingest, tracelake, job):
    (job / name).write_text(TIMINGS)
    outcome = ingest().check()
    assert (outcome.code, "1 failed" in outcome.output) == (3, True)
    reason = tracelake("sql", "SELECT error FROM object WHERE error IS NOT NULL").output
    assert "its name is not UTF-8, or has control characters" in reason, reason


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("a%2Fb.csv", "a/b.csv"),
        ("%74.csv", "t.csv"),
        ("t.csv", "T.csv"),
    ],
)
def test_files_with_similar_paths_are_different_files(first, second, ingest, tracelake, tmp_path):
    job = tmp_path / "job"
    for path, rows in ((first, 1), (second, 2)):
        (job / path).parent.mkdir(parents=True, exist_ok=True)
        (job / path).write_text("load_s\n" + "0.5\n" * rows)
    ingest().check()
    joined = "loader AS l JOIN object AS o ON l.object = o.object"
    counts = f"SELECT count(*) AS n, count(DISTINCT o.url) AS urls FROM {joined}"
    assert tracelake("sql", counts).output == "n,urls\n3,2\n"
    assert "2 unchanged" in ingest().check().output
    (job / second).write_text("load_s\n0.5\n0.5\n0.5\n")
    ingest().check()
    assert tracelake("sql", counts).output == "n,urls\n4,2\n"


@pytest.mark.parametrize("words", [["ingest"], ["query", "job.overview"]])
def test_an_argument_that_is_not_utf8(words, tracelake, tmp_path):
    tracelake(*words, os.fsencode(tmp_path) + b"/\xff").check_refused()


# Traces that are small and nested deeply

TRACE = '{"schemaVersion":1,"baseTimeNanoseconds":1700000000000000000,"traceEvents":[\n%s\n]}'
EVENT = '{"ph":"X","cat":"%s","name":"%s","pid":1,"tid":1,"ts":%d,"dur":%d,"args":{"Python id":%d,"External id":%d}}'


def write_trace(job, events):
    """Writes a trace of the PyTorch profiler."""
    job.mkdir()
    lines = [EVENT % (*event, number, number) for number, event in enumerate(events)]
    (job / "host_1.pt.trace.json").write_text(TRACE % ",\n".join(lines))


@pytest.mark.parametrize(
    "query", ["operator.by_stack", "operator.call_tree", "function.python_trace", "trace.timeline"]
)
def test_calls_that_are_nested_deeply(query, ingest, tracelake, tmp_path):
    count = 20_000
    calls = [("python_function", f"train.py({n}): f", n, 3 * count - 2 * n) for n in range(count)]
    write_trace(tmp_path / "job", [*calls, ("cpu_op", "aten::add", count, 3)])
    assert ingest().check().code == 0
    tracelake("query", query, "r").check()


def test_calls_that_overlap_take_as_long_as_others(ingest, tracelake, tmp_path):
    seconds = []
    for gap, dur in ((10, 7), (1, 60_000)):
        write_trace(tmp_path / "job", [("cpu_op", f"aten::op{n % 100}", gap * n, dur) for n in range(60_000)])
        assert ingest().check().code == 0
        seconds.append(tracelake("query", "operator.call_tree", "r").check().seconds)
        shutil.rmtree(tmp_path / "job")
        shutil.rmtree(tmp_path / "lake")
    assert seconds[1] < seconds[0] + 10


# Files of a lake that tracelake did not write


def write_sparse(path, size=5 * GIGABYTE):
    """Writes a file of zeros, which needs no disk space."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.truncate(size)


RUNS = ["runs"]
SQL = ["sql", "SELECT count(*) FROM event"]
CHECK = ["check"]
INGEST = ["ingest", DATA / "first_look", "--run", "a"]
LAKE_FILES = {
    "_queries/saved/big.sql": [RUNS, ["query", "saved.big"], ["queries", "saved.big", "--delete"]],
    "_manifest/run/a/0000000099.json": [RUNS, SQL, CHECK, INGEST, ["check", "--repair"], RUNS],
    "_manifest/bundle/0000000099.json": [RUNS, SQL, CHECK, INGEST, ["compact"], ["check", "--repair"]],
    "_manifest/checkpoint.parquet": [RUNS, CHECK, INGEST, ["compact"]],
    "_manifest/lake.json": [RUNS, SQL, CHECK, INGEST, ["check", "--repair"]],
    "_manifest/clock": [["vacuum"], CHECK],
    "_baseline/main.json": [RUNS, ["baseline"], ["compare", "main", "a"], ["baseline", "main", "a"]],
    "_claim/first_look/0000000001.json": [["ingest", f"{DATA}/first_loo*", "--share"], CHECK, ["vacuum"]],
    "views.sql": [RUNS, CHECK, ["vacuum"]],
    "event/unlisted.parquet": [RUNS, CHECK, ["compact"], ["vacuum"], ["upgrade"]],
}


@pytest.mark.parametrize("file", LAKE_FILES)
def test_a_huge_file_of_a_lake(file, tracelake, copied_lake):
    write_sparse(copied_lake / file)
    for words in LAKE_FILES[file]:
        outcome = tracelake(*words).check(1)
        if words == RUNS and file.startswith(("_queries", "_baseline", "views", "event", "_manifest/checkpoint")):
            assert outcome.code == 0, outcome.error


def test_a_huge_file_of_a_delta_log(tracelake, copied_lake):
    assert tracelake("export", "--delta").check().code == 0
    write_sparse(copied_lake / "event/_delta_log/00000000000000000009.json")
    tracelake("export", "--delta").check()
    assert tracelake("runs").check().code == 0


@pytest.mark.parametrize(
    ("pattern", "count", "size"),
    [("_queries/saved/q{}.sql", 200, 16 << 20), ("_manifest/run/r{}/0000000001.json", 8, 511 << 20)],
)
def test_many_large_files_of_a_lake(pattern, count, size, tracelake, copied_lake):
    for n in range(count):
        write_sparse(copied_lake / pattern.format(n), size)
    tracelake("runs").check()


def test_a_checkpoint_that_decompresses_to_many_manifests(tracelake, copied_lake):
    manifest = max((copied_lake / "_manifest/run/a").iterdir()).read_text()
    rows = {"path": "a", "etag": "b", "manifest": manifest}
    fields = {
        name: pa.DictionaryArray.from_arrays(np.zeros(100_000, np.int32), pa.array([text]))
        for name, text in rows.items()
    }
    pq.write_table(pa.table(fields), copied_lake / "_manifest/checkpoint.parquet", compression="zstd")
    assert (copied_lake / "_manifest/checkpoint.parquet").stat().st_size < 1 << 20
    assert tracelake("runs").check().code == 0


def replace_events(lake, table):
    """Replaces the file of the events, and its entry in a manifest of an older version, which has no checksums."""
    path = max((lake / "_manifest/run/a").iterdir())
    manifest = json.loads(path.read_text())
    manifest.pop("crc32")
    manifest["format"] = 1
    for part in manifest["parts"]:
        part.pop("crc32")
        if part["table"] == "event":
            pq.write_table(table, lake / part["path"], compression="zstd")
            part["bytes"], part["rows"] = (lake / part["path"]).stat().st_size, table.num_rows
    path.write_text(json.dumps(manifest))


def constant_events(lake, rows, **texts):
    """Returns rows that equal the first event, with other texts in some columns."""
    first = pq.read_table(next((lake / "event").glob("*.parquet"))).slice(0, 1)
    columns = []
    for field in first.schema:
        value = pa.scalar(texts[field.name]) if field.name in texts else first.column(field.name)[0]
        if not value.is_valid:
            columns.append(pa.nulls(rows, field.type))
        elif pa.types.is_string(field.type):
            columns.append(pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), pa.array([value.as_py()])))
        else:
            columns.append(pa.repeat(value, rows).cast(field.type))
    return pa.table(columns, names=first.schema.names)


@pytest.mark.parametrize(
    "words",
    [
        ["sql", "SELECT name FROM event"],
        ["sql", "SELECT * FROM event ORDER BY dur DESC LIMIT 3"],
        CHECK,
    ],
)
def test_a_data_file_with_a_long_text_in_many_rows(words, tracelake, copied_lake):
    replace_events(copied_lake, constant_events(copied_lake, 100_000, name="x" * 50_000_000))
    tracelake(*words).check(1)


@pytest.mark.parametrize("words", [SQL, ["sql", "SELECT sum(dur), max(name) FROM event"], CHECK])
def test_a_data_file_that_decompresses_to_many_rows(words, tracelake, copied_lake):
    replace_events(copied_lake, constant_events(copied_lake, 10_000_000))
    tracelake(*words).check(1)


# A store that is not S3


class HostileStore(LoopbackServer):
    """A store with one object, or with listings and bodies that no store sends."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = ["job/t.csv"]
        self.etag = "e"
        self.page_length = 0
        self.endless = ""
        self.pages = 0

    def respond(self, exchange) -> None:
        """Responds to a listing or to a request for an object."""
        path, query = exchange.path_and_query()
        exchange.body()
        if "list-type" in query:
            self.send_page(exchange, query.get("prefix", [""])[0])
        elif "/job/" not in path and "/other/" not in path:
            exchange.send(404, {}, b"<Error><Code>NoSuchKey</Code></Error>")
        elif self.endless.startswith("object"):
            self.send_without_end(exchange, int(self.endless.split()[1]))
        else:
            self.send_object(exchange, path.removeprefix("/bucket/"))

    def send_page(self, exchange, prefix) -> None:
        """Sends a page of the listing."""
        if self.endless.startswith("listing") and not prefix.startswith("job/_"):
            self.send_without_end(exchange, int(self.endless.split()[1]))
            return
        keys = [] if "_manifest" in prefix else self.keys
        more = "<IsTruncated>false</IsTruncated>"
        if self.page_length and keys:
            self.pages += 1
            keys = [f"job/{self.pages:09}-{n}.txt" for n in range(self.page_length)]
            token = f"<NextContinuationToken>{self.pages}</NextContinuationToken>"
            more = f"<IsTruncated>true</IsTruncated>{token}"
        rest = f"<LastModified>2024-01-01T00:00:00.000Z</LastModified><Size>{len(TIMINGS)}</Size>"
        etags = {key: f"<ETag>{self.etag_of(key)}</ETag>" if self.etag else "" for key in keys}
        items = "".join(f"<Contents><Key>{key}</Key>{rest}{etags[key]}</Contents>" for key in keys)
        exchange.send(200, {}, f"<ListBucketResult>{more}{items}</ListBucketResult>".encode())

    def etag_of(self, key) -> str:
        """Returns the version mark of an object."""
        return f'"{self.etag}{self.keys.index(key) if key in self.keys else ""}"'

    def send_object(self, exchange, key) -> None:
        """Sends the object, or the requested range of it."""
        headers = {"Last-Modified": "Mon, 01 Jan 2024 00:00:00 GMT"}
        if self.etag:
            headers["ETag"] = self.etag_of(key)
        content = TIMINGS.encode()
        if requested := exchange.headers.get("Range"):
            first, last = (int(word) for word in requested.removeprefix("bytes=").split("-"))
            part = content[first : last + 1]
            headers["Content-Range"] = f"bytes {first}-{first + len(part) - 1}/{len(content)}"
            exchange.send(206, headers, part)
        else:
            exchange.send(200, headers, content)

    @staticmethod
    def send_without_end(exchange, status) -> None:
        """Sends a body until the client closes the connection."""
        exchange.send_response_only(status)
        exchange.send_header("Content-Length", str((1 << 60) - 1))
        exchange.end_headers()
        while True:
            exchange.wfile.write(b"<Error>" + b" " * (1 << 20))
            time.sleep(0.01)


@pytest.fixture
def hostile_store():
    with HostileStore() as store:
        yield store


@pytest.fixture
def ingest_from(tracelake):
    """Ingests a profile from a store and returns the outcome."""

    def ingest_from(store) -> Outcome:
        options = {"endpoint": store.url, "access_key_id": "a", "secret_access_key": "b", "region": "us-east-1"}
        words = [word for name, value in options.items() for word in ("--option", f"{name}={value}")]
        return tracelake("ingest", "s3://bucket/job", "--run", "r", *words)

    return ingest_from


@pytest.mark.parametrize("etag", ["e", ""])
def test_an_object_is_read_from_a_store_with_and_without_etags(etag, hostile_store, ingest_from):
    hostile_store.etag = etag
    assert ingest_from(hostile_store).check().code == 0


def test_a_listing_with_new_objects_on_every_page_ends(hostile_store, ingest_from):
    hostile_store.page_length = 1
    ingest_from(hostile_store).check_refused("listing")


@pytest.mark.parametrize("endless", ["listing 200", "listing 403", "object 200"])
def test_a_body_without_end(endless, hostile_store, ingest_from):
    hostile_store.endless = endless
    ingest_from(hostile_store).check_refused()


@pytest.mark.parametrize(
    "key",
    [
        *("job/../t.csv", "job//t.csv", "job/./t.csv", "job/a&#1;b.csv", "job/a&#10;b.csv", "job/", "job"),
        pytest.param(f"job/{'k' * 2_000_000}", id="long"),
    ],
)
def test_a_listing_with_an_odd_key(key, hostile_store, ingest_from, tracelake):
    hostile_store.keys = [key, "job/t.csv"]
    outcome = ingest_from(hostile_store).check()
    if key.endswith(".csv"):
        assert outcome.code == 3, outcome
        assert tracelake("sql", "SELECT count(*) AS n FROM loader").output == "n\n1\n"
        error = tracelake("sql", "SELECT error FROM object WHERE error IS NOT NULL").output
        assert "its key begins with a slash, or has an empty part" in error
        shown = key.replace("&#1;", "\\u{1}").replace("&#10;", "\\n")
        assert f"s3://bucket/{shown}" in error


@pytest.mark.parametrize(
    "keys",
    [
        *(["job/t.csv", "job/t.csv"], ["job/t.csv", "job/u.csv"], ["job/a\\b.csv", "job/a/b.csv"]),
        *(["job/a/%2e%2e/t.csv", "job/t.csv"], ["job/a b.csv", "job/a%20b.csv", "job/a%2520b.csv"]),
    ],
)
def test_each_object_of_a_listing_is_read_once(keys, hostile_store, ingest_from, tracelake):
    hostile_store.keys = keys
    ingest_from(hostile_store).check()
    again = ingest_from(hostile_store).check()
    assert f"{len(set(keys))} unchanged" in again.output
    assert tracelake("sql", "SELECT count(*) AS n FROM loader").output == f"n\n{len(set(keys))}\n"


# A million machines

NODES = 1_000_000


def test_a_lake_with_a_million_names_of_machines_is_opened_with_little_memory(tracelake, copied_lake):
    before = tracelake("runs").check().seconds
    path = max((copied_lake / "_manifest/run/a").iterdir())
    manifest = json.loads(path.read_text())
    manifest.pop("crc32")
    manifest["format"] = 1
    manifest["objects"][-1]["nodes"] = [f"node-{n:07}" for n in range(NODES)]
    path.write_text(json.dumps(manifest))
    for words in (RUNS, ["sql", "SELECT nodes FROM run"], ["query", "job.overview"]):
        outcome = tracelake(*words).check()
        assert outcome.code == 0, outcome.error
        assert outcome.peak_mb < 300, outcome
        assert outcome.seconds < before + 10


# Wrong results without an error

EXPORT = DATA / "nsys" / "report_rank0.sqlite"
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"
NSYS_ROWS = (
    "SELECT category, name, ts, dur, pid, tid, device, stream, correlation, args FROM event "
    "ORDER BY 1, 2, 3, 4, 5, 6, 10"
)


@pytest.fixture
def rows_of_export(tracelake, tmp_path):
    """Ingests a changed copy of an export of Nsight Systems, and returns the outcome, the events and the problems."""

    def rows_of_export(change=lambda _: None):
        path = tmp_path / EXPORT.name
        shutil.copy(EXPORT, path)
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            change(database)
        shutil.rmtree(tmp_path / "lake", ignore_errors=True)
        outcome = tracelake("ingest", path, "--run", "r").check()
        problems = tracelake("sql", "SELECT kind FROM problem WHERE severity <> 'notice'").output.split()[1:]
        return outcome, tracelake("sql", NSYS_ROWS).output, problems

    return rows_of_export


def rewrite(table, definition, columns="*", order="rowid"):
    """Returns a change that replaces the definition of a table. Its rows are copied in this order."""

    def change(database):
        if columns == "*":
            names = ", ".join(row[1] for row in database.execute(f"PRAGMA table_info({table})"))
        else:
            names = columns
        database.execute(f"ALTER TABLE {table} RENAME TO before")
        database.execute(definition)
        database.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM before ORDER BY {order}")
        database.execute("DROP TABLE before")

    return change


def add_column(definition):
    """Returns a change that adds a column before `end` in the table of kernels."""

    def change(database):
        (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [KERNELS]).fetchone()
        rewrite(KERNELS, sql.replace("end INTEGER", f"{definition}, end INTEGER", 1))(database)

    return change


def edit_kernels(*replacements, end="", more=""):
    """Returns a change of the definition of the table of kernels, and of its rows by one more statement."""

    def change(database):
        (sql,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [KERNELS]).fetchone()
        for before, after in replacements:
            sql = sql.replace(before, after)
        rewrite(KERNELS, sql.rstrip().removesuffix(")") + end + ")" if end else sql)(database)
        database.execute(more.format(KERNELS))

    return change


COMPOSITE = (
    "CREATE TABLE COMPOSITE_EVENTS ({}, start INTEGER NOT NULL, cpu INTEGER, threadState INTEGER, globalTid INTEGER, "
    "cpuCycles INTEGER NOT NULL{})"
)
SAME_ROWS = {
    "nothing": lambda _: None,
    "virtual column": add_column("v INTEGER GENERATED ALWAYS AS (end - start) VIRTUAL"),
    "stored column": add_column("v INTEGER GENERATED ALWAYS AS (end - start) STORED"),
    "virtual column by default": add_column("v INTEGER AS (end - start)"),
    "virtual column without a type": add_column("v AS (end - start)"),
    "virtual column with comments": add_column("v INTEGER/**/AS/**/(end - start)"),
    "virtual column with a constraint": add_column("v INTEGER CONSTRAINT stored AS (end - start)"),
    "column with a default": lambda database: database.execute(f"ALTER TABLE {KERNELS} ADD COLUMN v INTEGER DEFAULT 5"),
    "times as real numbers": edit_kernels(("start INTEGER", "start REAL"), ("end INTEGER", "end REAL")),
    "times as texts": edit_kernels(("start INTEGER", "start TEXT"), ("end INTEGER", "end TEXT")),
    "texts with a primary key of the table": rewrite(
        "StringIds", "CREATE TABLE StringIds (id INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (id))"
    ),
    "texts in another order of columns": rewrite(
        "StringIds", "CREATE TABLE StringIds (value TEXT, id INTEGER PRIMARY KEY)"
    ),
    "samples with a primary key of the table": rewrite(
        "COMPOSITE_EVENTS", COMPOSITE.format("id INTEGER NOT NULL", ", PRIMARY KEY (id)")
    ),
    "samples with a key in other spelling": rewrite(
        "COMPOSITE_EVENTS", COMPOSITE.format("id INTEGER NOT NULL CONSTRAINT k PRIMARY\n KEY", "")
    ),
    "a page size": lambda database: database.executescript("PRAGMA page_size = 65536; VACUUM"),
}
SAME_ROWS_OR_A_PROBLEM = {
    "texts without a key": rewrite("StringIds", "CREATE TABLE StringIds (id INTEGER, value TEXT)", order="id DESC"),
    "texts without a key, in order": rewrite("StringIds", "CREATE TABLE StringIds (id INTEGER, value TEXT)"),
    "texts with a key that is not the rowid": rewrite(
        "StringIds", "CREATE TABLE StringIds (id INT PRIMARY KEY, value TEXT)", order="id DESC"
    ),
    "texts without rowid": rewrite(
        "StringIds", "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT) WITHOUT ROWID"
    ),
    "kernels without rowid": edit_kernels(end=", PRIMARY KEY (start, streamId, correlationId)) WITHOUT ROWID --"),
    "names in capitals": lambda database: database.executescript(
        f"ALTER TABLE {KERNELS} RENAME COLUMN start TO x; ALTER TABLE {KERNELS} RENAME COLUMN x TO START"
    ),
    "texts that are not UTF-8": lambda database: database.execute(
        "UPDATE StringIds SET value = cast(x'ff' || cast(value AS blob) AS text)"
    ),
    "times that are not numbers": lambda database: database.execute(f"UPDATE {KERNELS} SET start = 'soon'"),
    "times as blobs": edit_kernels(("end INTEGER", "end BLOB"), more="UPDATE {} SET end = cast(end AS blob)"),
    "texts as blobs": lambda database: database.execute("UPDATE StringIds SET value = cast(value AS blob)"),
}


@pytest.fixture(scope="module")
def export_rows():
    """The events of the unchanged export, and its problems."""
    return {}


@pytest.fixture
def expected_rows(export_rows, rows_of_export):
    """The events and the problems of the unchanged export."""
    if not export_rows:
        _, export_rows["rows"], export_rows["problems"] = rows_of_export()
    return export_rows


@pytest.mark.parametrize("name", SAME_ROWS)
def test_an_export_with_another_schema_has_the_same_rows(name, rows_of_export, expected_rows):
    outcome, rows, _ = rows_of_export(SAME_ROWS[name])
    assert outcome.code == 0, outcome.error
    assert rows == expected_rows["rows"]


@pytest.mark.parametrize("name", SAME_ROWS_OR_A_PROBLEM)
def test_an_export_that_cannot_be_read_has_a_problem(name, rows_of_export, expected_rows):
    outcome, rows, problems = rows_of_export(SAME_ROWS_OR_A_PROBLEM[name])
    if outcome.code == 0 and rows != expected_rows["rows"]:
        assert len(problems) > len(expected_rows["problems"])
        # One wrong name is reported, and the others are wrong too.
        known = {line.split(",")[1] for line in expected_rows["rows"].splitlines()[1:]}
        names = [line.split(",")[:3] for line in rows.splitlines()[1:]]
        mixed = [row for row in names if row[1] in known and ",".join(row) not in expected_rows["rows"]]
        assert not mixed, mixed[:3]


VALUES = {
    "unsigned integers": (pa.array([1, 1 << 63, (1 << 64) - 1], pa.uint64()), [10**9]),
    "float16": (pa.array(np.array([0.5, 65504, np.nan], np.float16)), [5 * 10**8, 65504 * 10**9]),
    "special numbers": (pa.array([np.nan, np.inf, -np.inf, 1e300, 5e-324, -1.0]), [0]),
    "numbers in a dictionary": (
        pa.array([1.5, 2.0, 1.5]).dictionary_encode(),
        [1_500_000_000, 2 * 10**9, 1_500_000_000],
    ),
    "durations in a dictionary": (pa.array([1, 2], pa.duration("s")).dictionary_encode(), [10**9, 2 * 10**9]),
    "large durations": (pa.array([(1 << 63) - 1, -1, None, 1], pa.duration("s")), [10**9]),
    "nulls": (pa.array([None, 1.0]), [10**9]),
    "times of a day": (pa.array([1000], pa.time32("ms")), None),
    "a time zone": (pa.array([1000], pa.timestamp("ms", "UTC")), None),
    "binary with a fixed size": (pa.array([np.float64(1.5).tobytes()], pa.binary(8)), None),
    "lists with a fixed size": (pa.array([[1.0]], pa.list_(pa.float64(), 1)), None),
    "only nulls": (pa.nulls(2), None),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_of_a_type_are_converted_or_refused(name, ingest, tracelake, tmp_path):
    values, expected = VALUES[name]
    pq.write_table(pa.table({"load_s": values}), tmp_path / "t.parquet")
    outcome = ingest(tmp_path / "t.parquet").check()
    assert outcome.code == (3 if expected is None else 0), outcome.error
    if expected is not None:
        read = tracelake("sql", "SELECT dur FROM loader ORDER BY row").output.split()[1:]
        assert [int(dur) for dur in read] == expected
        skipped = tracelake("sql", "SELECT coalesce(sum(count), 0) AS n FROM problem").output
        assert skipped == f"n\n{len(values) - len(expected)}\n"


def test_integers_of_steps_are_exact(ingest, tracelake, tmp_path):
    steps = pa.array([1, (1 << 63) - 1, 1 << 63], pa.uint64())
    pq.write_table(pa.table({"load_s": [1.0] * 3, "step": steps}), tmp_path / "t.parquet")
    assert ingest(tmp_path / "t.parquet").check().code == 0
    assert tracelake("sql", "SELECT step FROM loader ORDER BY row").output == 'step\n1\n9223372036854775807\n""\n'


TEXT_FILES = [
    "job-a/system/incremental/2020091312/1600000200.algo-1.json",
    "job-a/rule-output/ProfilerReport-1600000000/profiler-output/profiler-reports/IOBottleneck.json",
    "job-d/dali_log.json",
    "job-d/fit-simple.txt",
    "job-d/fit-advanced.txt",
    "job-d/train_a.csv",
    "job-k/rank0.1600000200000000000.pt.trace.json",
    "job-m/csv/version_0/metrics.csv",
    "job-w/main-0-201.jsonl",
]
ENDS = {
    "line feeds after returns": lambda content: content.replace(b"\n", b"\r\n"),
    "returns": lambda content: content.replace(b"\n", b"\r"),
    "a mark": lambda content: b"\xef\xbb\xbf" + content,
    "a mark and returns": lambda content: b"\xef\xbb\xbf" + content.replace(b"\n", b"\r"),
    "UTF-16": lambda content: content.decode().encode("utf-16"),
}
COUNTS = " UNION ALL ".join(
    f"SELECT '{table}' AS name, count(*) AS n FROM {table}" for table in ("event", "step", "sample", "loader", "device")
)


@pytest.mark.parametrize("file", TEXT_FILES)
def test_a_text_file_with_other_line_ends_has_the_same_rows_or_a_problem(file, ingest, tracelake, tmp_path):
    content = (DATA / "golden" / file).read_bytes()
    path = tmp_path / file
    path.parent.mkdir(parents=True)

    def counts(content):
        path.write_bytes(content)
        shutil.rmtree(tmp_path / "lake", ignore_errors=True)
        outcome = ingest(tmp_path / file.split("/")[0]).check()
        if outcome.code != 0:
            return None, None
        problems = tracelake("sql", "SELECT count(*) AS n FROM problem").output.split()
        return tracelake("sql", f"{COUNTS} ORDER BY name").output, int(problems[1])

    expected, problems = counts(content)
    assert expected
    for name, change in ENDS.items():
        rows, more = counts(change(content))
        # No rows stand for a refused file.
        assert rows in {expected, None} or more > problems, (name, rows)


# Names of runs


@pytest.mark.parametrize(
    "name", ["a,b", "a, b", "a b", " a", "a'b", 'a"b', "a`b", "a;b", "a*b", "a=b", "a\\b", "-a", "é", "%41"]
)
def test_each_command_finds_a_run_with_an_odd_name(name, tracelake, tmp_path):
    for run in (name, "c", "a", "b"):
        assert tracelake("ingest", DATA / "first_look", f"--run={run}").check().code == 0
    as_json, json_rows = json.dumps(name, ensure_ascii=False), ("--format", "json")
    # A list of names is separated by commas.
    item = name.replace(",", "\\,")
    for words, expected in [
        (["query", "job.overview", f"--run={name}", *json_rows], as_json),
        (["query", "job.overview", *json_rows, "--", name], as_json),
        (["sql", "SELECT DISTINCT run FROM step", f"--on={name}", *json_rows], as_json),
        (["table", "step", f"--run={name}", *json_rows], as_json),
        (["figure", "step_breakdown", "-o", tmp_path / "figure.html", "--", name], ""),
        (["export", "-o", tmp_path / "trace.json", "--", name], ""),
        (["rules", "-o", tmp_path / "rules", "--", name], ""),
        (["diagnose", "--", name], name),
        (["report", "-o", tmp_path / "page.html", "--", item], ""),
        (["compare", *json_rows, "--", item, "c"], ""),
        (["compare", *json_rows, "--", "c", item], ""),
        (["gate", f"--candidate={item}", "--baseline=c", "--max-regression", "9"], ""),
        (["tag", "--", name, "k=v"], ""),
        (["baseline", "base", "k=v"], ""),
        (["baseline", "--", "base", name], ""),
        (["baseline", "base"], name),
        (["compare", "base", "c"], ""),
        (["baseline", "base", "c"], ""),
        (["rename", "--", name, "d"], ""),
        (["rename", "--", "d", name], ""),
        (["delete", "--", name], ""),
    ]:
        outcome = tracelake(*words).check(1)
        assert outcome.code in (0, 1), (words, outcome.error)
        assert expected in outcome.output, words
    assert tracelake("sql", "SELECT run FROM run ORDER BY run").output == "run\na\nb\nc\n"
