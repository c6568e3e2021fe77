"""Exports of Nsight Systems that are truncated, corrupt, incomplete, of another program, or lack tables."""

import gzip
import random
import re
import shutil
import sqlite3

import pytest

import tracelake as tl
from test_nsys import CUPTI, EVENTS, TABLES, contents, generate_exports, kinds, of_tables, rows
from tracelake import errors

pytestmark = pytest.mark.slow

REFUSALS = (errors.MalformedError, errors.UnrecognizedError)
PAGE = 4096


@pytest.fixture(scope="module")
def job(tmp_path_factory):
    """An export, its truth, and its rows."""
    folder = tmp_path_factory.mktemp("whole")
    (truth,) = generate_exports(folder, "--ranks", "1", "--steps", "1")["ranks"]
    file = folder / truth["file"]
    with tl.open(file, run="r", ephemeral=True) as session:
        yield file, truth, contents(session)


@pytest.fixture
def copy(job, tmp_path):
    """A copy of the export that can be changed."""
    (tmp_path / "job").mkdir()
    return shutil.copy(job[0], tmp_path / "job" / job[0].name)


@pytest.fixture
def export_without(tmp_path):
    """Generates the same export without some tables; returns the file and its truth."""

    def make(*patterns):
        without = [word for pattern in patterns for word in ("--without", pattern)]
        (truth,) = generate_exports(tmp_path / "lacking", "--ranks", "1", "--steps", "1", *without)["ranks"]
        return tmp_path / "lacking" / truth["file"], truth

    return make


def change(file, *statements):
    """Changes an export with SQLite."""
    base = sqlite3.connect(file, isolation_level=None)
    try:
        for statement in statements:
            base.execute(statement).fetchall()
    finally:
        base.close()


def outcome(file):
    """Returns events by table and kinds of problems, or the refusal. Any other error is a bug."""
    try:
        session = tl.open(file, run="r", ephemeral=True)
    except REFUSALS as refusal:
        message = str(refusal)
        assert message.startswith("cannot read")
        assert file.name in message
        return refusal
    with session:
        contents(session)  # everything is readable
        return of_tables(session), kinds(session)


def expected_counts(truth):
    """Returns the number of events by table."""
    return {table: n for table, n in truth["tables"].items() if table in EVENTS}


def without_ordinals(session, tables=("step", "loader", "sample")):
    """Returns rows without their ordinals, which count tables that can be missing."""
    return {table: [{key: row[key] for key in row if key != "row"} for row in session[table]] for table in tables}


@pytest.mark.parametrize("size", [1, 15, 16, 50, 100, 511, PAGE - 1, PAGE, PAGE + 1])
def test_an_export_with_little_data_is_read(job, tmp_path, size):
    file = tmp_path / "report.sqlite"
    file.write_bytes(job[0].read_bytes()[:size])
    result = outcome(file)
    if isinstance(result, tuple):
        assert "truncated" in result[1]


@pytest.mark.parametrize("share", [0.05, 0.1, 0.25, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("even", [True, False], ids=["at a page", "within a page"])
def test_a_truncated_export_is_read_or_refused(job, tmp_path, share, even):
    whole, truth, _ = job
    content = whole.read_bytes()
    size = int(len(content) * share)
    size = size // PAGE * PAGE if even else size // PAGE * PAGE + 1234
    file = tmp_path / "report.sqlite"
    file.write_bytes(content[:size])
    result = outcome(file)
    if isinstance(result, tuple):
        events, problems = result
        assert "truncated" in problems
        assert all(n <= expected_counts(truth)[table] for table, n in events.items())
        # data before the truncation is read
        assert share < 0.9 or sum(events.values()) > sum(expected_counts(truth).values()) / 2
    else:
        assert isinstance(result, errors.MalformedError)


def test_a_truncated_compressed_export_is_a_problem(job, tmp_path):
    packed = gzip.compress(job[0].read_bytes())
    file = tmp_path / "report.sqlite.gz"
    file.write_bytes(packed[: len(packed) * 9 // 10])
    result = outcome(file)
    assert isinstance(result, errors.MalformedError) or "truncated" in result[1]


@pytest.mark.parametrize("seed", range(8))
def test_a_wrong_byte_loses_only_rows(job, tmp_path, seed):
    """Changes 200 bytes, half of them in the header and the schema."""
    random_ = random.Random(seed)
    content = bytearray(job[0].read_bytes())
    file = tmp_path / "report.sqlite"
    for nth in range(25):
        offset = random_.randrange(len(content) if nth % 2 else 3 * PAGE)
        right = content[offset]
        content[offset] = random_.randrange(256)
        file.write_bytes(content)
        content[offset] = right
        outcome(file)


@pytest.mark.parametrize("value", [0x00, 0xFF])
def test_a_wrong_page_loses_few_rows(job, tmp_path, value):
    content = bytearray(job[0].read_bytes())
    file = tmp_path / "report.sqlite"
    events = []
    for offset in range(PAGE, len(content), 3 * PAGE):
        right = content[offset : offset + PAGE]
        content[offset : offset + PAGE] = bytes([value]) * PAGE
        file.write_bytes(content)
        content[offset : offset + PAGE] = right
        result = outcome(file)
        if isinstance(result, tuple):
            events.append(sum(result[0].values()))
            assert len(result[1]) > 0
    # most changes lose a few rows
    assert sorted(events)[len(events) // 2] > sum(expected_counts(job[1]).values()) / 2


def test_a_log_next_to_the_file_is_handled(copy):
    change(copy, "pragma journal_mode = wal", "create table more (x)")
    with pytest.raises(REFUSALS, match=re.compile("write-ahead|WAL", re.IGNORECASE)):
        tl.open(copy, run="r", ephemeral=True)


def test_a_journal_next_to_the_file_is_handled(copy):
    copy.with_name(f"{copy.name}-journal").write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + bytes(504))
    for address in (copy.parent, copy):
        with pytest.raises(REFUSALS, match="journal"):
            tl.open(address, run="r", ephemeral=True)


def test_an_unfinished_export_does_not_exclude_the_others(job, copy):
    shutil.copy(copy, copy.with_name("report_rank1.sqlite"))
    copy.with_name(f"{copy.name}-journal").write_bytes(bytes(512))
    with tl.open(copy.parent, run="r", ephemeral=True) as session:
        assert of_tables(session) == expected_counts(job[1])
        errors_ = rows(session, "select error from object where error is not null and url like '%.sqlite'")
        assert len(errors_) == 1
        assert "journal" in errors_[0]["error"]


def test_the_database_of_another_program_is_named_by_its_tables(tmp_path):
    file = tmp_path / "shop.sqlite"
    change(
        file, "create table customers (name text)", "create table orders (id integer)", "insert into orders values (1)"
    )
    with pytest.raises(REFUSALS, match="customers") as refused:
        tl.open(file, run="r", ephemeral=True)
    assert "orders" in str(refused.value)


def test_a_database_of_another_profiler_is_not_an_export(tmp_path):
    file = tmp_path / "nvprof.sqlite"
    change(
        file,
        "create table StringTable (_id_ integer primary key, value text)",
        f"create table {CUPTI}KERNEL (_id_ integer primary key, name integer, start integer, end integer)",
    )
    with pytest.raises(REFUSALS):
        tl.open(file, run="r", ephemeral=True)


def test_an_empty_database_is_refused(tmp_path):
    file = tmp_path / "empty.sqlite"
    change(file, "create table gone (x)", "drop table gone")
    with pytest.raises(REFUSALS):
        tl.open(file, run="r", ephemeral=True)


def test_without_cuda_there_are_no_kernels_and_no_error(job, export_without):
    file, truth = export_without("CUPTI_*")
    with tl.open(file, run="r", ephemeral=True) as session:
        assert of_tables(session) == expected_counts(truth)
        assert not [table for table in of_tables(session) if table.startswith("CUPTI_")]
        for query in ("kernel.summary", "memory.transfers", "runtime.summary", "annotation.gpu_projection"):
            answer = session.query(query)
            assert len(answer) == 0
            assert answer.why_empty
        assert without_ordinals(contents(session)) == without_ordinals(job[2])
        assert len(session.runtime.os_calls()) == len(truth["os_call"])


def test_without_texts_names_are_numbers(job, export_without):
    file, truth = export_without("StringIds")
    with tl.open(file, run="r", ephemeral=True) as session:
        assert of_tables(session) == expected_counts(truth)
        names = {row["name"] for row in rows(session, "select distinct name from event where category = 'kernel'")}
        assert all(re.fullmatch(r"\[string \d+\]|CUDA graph \d+", name) for name in names)
        sums = "select count(*) as n, sum(dur) as dur from event where raw_category = $source"
        assert rows(session, sums, source=f"{CUPTI}KERNEL") == [{key: truth["kernel"][key] for key in ("n", "dur")}]
        # steps have their name in the row
        assert without_ordinals(contents(session), ["step"]) == without_ordinals(job[2], ["step"])
        assert len(session.table("problem")) > 0


def test_without_labels_nothing_is_lost(job, export_without):
    file, _ = export_without("ENUM_*")
    tables = [table for table in TABLES if table != "problem"]
    with tl.open(file, run="r", ephemeral=True) as session:
        actual = contents(session, tables)
        for table in tables:
            assert actual[table] == job[2][table], table


def test_an_export_without_its_description_is_read(job, export_without):
    """Old exports have no such tables."""
    file, truth = export_without("META_DATA_*")
    with tl.open(file, run="r", ephemeral=True) as session:
        assert of_tables(session) == expected_counts(truth)
        # the file name also has the rank
        assert without_ordinals(contents(session), ["step"]) == without_ordinals(job[2], ["step"])


def test_without_a_start_of_the_session_times_count_from_it(export_without):
    file, truth = export_without("TARGET_INFO_SESSION_START_TIME")
    with tl.open(file, run="r", ephemeral=True) as session:
        assert of_tables(session) == expected_counts(truth)
        assert rows(session, "select has_epoch, clock_start from object") == [{"has_epoch": False, "clock_start": 0}]
        assert kinds(session)["no_epoch"] == 1
        sums = "select sum(dur) as dur, count(ts) as n from event where raw_category = $source"
        expected_ = {"dur": truth["kernel"]["dur"], "n": truth["kernel"]["n"]}
        assert rows(session, sums, source=f"{CUPTI}KERNEL") == [expected_]


def test_an_export_without_event_tables_is_reported(export_without):
    file, _ = export_without(*EVENTS, "GPU_METRICS")
    with tl.open(file, run="r", ephemeral=True) as session:
        assert of_tables(session) == {}
        assert len(session.table("device")) > 0


def test_tables_that_claim_the_same_pages_are_read_once(job, copy):
    root = f"select rootpage from sqlite_master where name = '{CUPTI}MEMSET'"
    claim = f"update sqlite_master set rootpage = ({root}) where name in ('{CUPTI}KERNEL', 'ENUM_CUDA_MEMCPY_OPER')"
    change(copy, "pragma writable_schema = on", claim)
    _, truth, _ = job
    with tl.open(copy, run="r", ephemeral=True) as session:
        readable = {table: n for table, n in expected_counts(truth).items() if table != f"{CUPTI}KERNEL"}
        assert of_tables(session) == readable
        assert kinds(session)["bad_page"] == 2


def test_steps_beyond_the_limit_are_reported(copy):
    """All steps exist; it is not known whether a later step waits for its data."""
    many = 1_100_000
    numbers = f"with recursive number(n) as (select 1 union all select n + 1 from number limit {many})"
    each = "select n * 10, n * 10 + 8, 59, 'iteration ' || (n + 1000), 1 from number"
    change(copy, f"insert into NVTX_EVENTS (start, end, eventType, text, globalTid) {numbers} {each}")
    with tl.open(copy, run="r", ephemeral=True) as session:
        assert rows(session, "select count(*) as n from step where step > 1000") == [{"n": many}]
        assert kinds(session)["many_steps"] == 1
