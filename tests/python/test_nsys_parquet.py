"""Exports of Nsight Systems as folders of Parquet files give the rows that the same exports give as SQLite.

There is no real Parquet export. The tests convert SQLite exports, with all the encodings that Parquet writers use.
"""

import gzip
import shutil
import sqlite3
from collections import Counter

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import tracelake as tl
from test_nsys import CUPTI, contents, generate_exports, kinds, rows
from tracelake import errors

pytestmark = pytest.mark.slow

# ids that are unsigned there
UNSIGNED = ("globalTid", "globalPid", "correlationId", "address", "virtualAddress", "uint64Value")
TYPES = {"INTEGER": pa.int64(), "REAL": pa.float64(), "TEXT": pa.string()}


def unchanged(table):
    """Returns the value as in SQLite."""
    return table


def narrow_types(table):
    """Unsigned ids, the smallest integer types, and dictionary-encoded texts."""
    columns = []
    for name, column in zip(table.column_names, table.columns, strict=True):
        values = column.to_pylist()
        whole = [value for value in values if isinstance(value, int)]
        if name in UNSIGNED:
            columns.append(pa.array([value and value % 2**64 for value in values], pa.uint64()))
        elif whole and {*whole} <= {0, 1}:
            columns.append(pa.array([None if value is None else bool(value) for value in values]))
        elif whole and pa.types.is_integer(column.type):
            fits = [bits for bits in (8, 16, 32, 64) if all(-(2 ** (bits - 1)) <= n < 2 ** (bits - 1) for n in whole)]
            columns.append(pa.array(values, getattr(pa, f"int{fits[0]}")()))
        elif pa.types.is_string(column.type):
            columns.append(column.combine_chunks().dictionary_encode())
        else:
            columns.append(column)
    return pa.table(columns, names=table.column_names)


def wide_types(table):
    """Long texts and bytes alternately, exact decimals, and columns in reverse order."""
    columns = {}
    for nth, name in reversed([*enumerate(table.column_names)]):
        column = table[name]
        if pa.types.is_string(column.type):
            columns[name] = column.cast(pa.binary() if nth % 2 else pa.large_string())
        elif pa.types.is_integer(column.type) and nth % 2:
            columns[name] = column.cast(pa.decimal128(20, 0))
        else:
            columns[name] = column
    return pa.table(columns)


def array(values, ty):
    """Returns the values of a column, which can be bytes where SQLite declares texts."""
    if any(isinstance(value, bytes) for value in values):
        ty = pa.binary()
        values = [value.encode() if isinstance(value, str) else value for value in values]
    return pa.array(values, ty)


def convert(file, folder, pack=unchanged, without=()):
    """Writes each table of an export into a Parquet file; returns the folder."""
    folder.mkdir(parents=True)
    base = sqlite3.connect(file)
    for (name,) in base.execute("select name from sqlite_master where type = 'table'").fetchall():
        columns = [(row[1], TYPES[row[2]]) for row in base.execute(f"pragma table_info({name})")]
        values = base.execute(f"select * from {name} order by rowid").fetchall()
        if values and name not in without:
            arrays = [array(column, ty) for column, (_, ty) in zip(zip(*values, strict=True), columns, strict=True)]
            table = pack(pa.table(arrays, names=[name for name, _ in columns]))
            pq.write_table(table, folder / f"{name}.parquet", row_group_size=50, compression="zstd")
    base.close()
    return folder


def without_ordinals(session):
    """Returns rows without their ordinals, which count from 0 in each file, and the calls around them."""
    tables = contents(session, without=["row", "call_path", "python_path", "parent_row", "overlap_dur"])
    tables.pop("problem")
    return tables


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """An export of one rank as SQLite, its rows, and its problems."""
    folder = tmp_path_factory.mktemp("export")
    generate_exports(folder, "--ranks", "1", "--steps", "2")
    file = folder / "report_rank0.sqlite"
    with tl.open(file, run="r", ephemeral=True) as session:
        yield file, without_ordinals(session), kinds(session)


@pytest.fixture
def folder(export, tmp_path):
    """The same export as a folder."""
    return convert(export[0], tmp_path / "job" / "report_rank0_pqtdir")


@pytest.mark.parametrize("pack", [unchanged, narrow_types, wide_types])
@pytest.mark.parametrize("name", ["report_rank0_pqtdir", "rank0"])
def test_a_folder_gives_the_rows_of_the_sqlite_export(export, tmp_path, pack, name):
    _, whole, problems = export
    folder_export = convert(export[0], tmp_path / "job" / name, pack)
    with tl.open(folder_export.parent, run="r", ephemeral=True) as session:
        actual = without_ordinals(session)
        for table, expected in whole.items():
            assert actual[table] == expected, table
        assert kinds(session) == problems
        formats = rows(session, "select distinct format from object where url not like '%/ENUM_%'")
        assert formats == [{"format": "nsys"}]


def test_ids_are_sixty_four_bits_with_any_sign(export, tmp_path):
    file = shutil.copy(export[0], tmp_path / "signed.sqlite")
    base = sqlite3.connect(file)
    ids = [
        (row[1], table)
        for (table,) in base.execute("select name from sqlite_master where type = 'table'").fetchall()
        for row in base.execute(f"pragma table_info({table})")
        if row[1] in ("globalTid", "globalPid")
    ]
    for column, table in ids:
        base.execute(f"update {table} set {column} = {column} | (1 << 63)")
    base.commit()
    base.close()
    folder_export = convert(file, tmp_path / "job" / "signed", narrow_types)
    with tl.open(file, run="r", ephemeral=True) as one, tl.open(folder_export, run="r", ephemeral=True) as other:
        assert without_ordinals(one) == without_ordinals(other)


def test_all_queries_have_the_results_of_the_sqlite_export(export, folder):
    """A recording is identified by the object of its rows: a folder has one."""
    with (
        tl.open(export[0], run="r", ephemeral=True) as one,
        tl.open(folder.parent, run="r", ephemeral=True) as other,
    ):
        answered = 0
        for row in rows(one, "select name from help_queries"):
            ours, theirs = (session.query(row["name"]).to_arrow() for session in (one, other))
            # the file name, and the text of pyarrow
            hidden = [name for name in ("object", "objects", "url") if name in ours.column_names]
            hidden += ["sentence"] if row["name"] == "finding.evidence_corrupt" else []
            actual = [table.drop_columns(hidden).to_pylist() for table in (ours, theirs)]
            assert actual[0] == actual[1], row["name"]
            answered += len(actual[0]) > 0
        assert answered > 120


def test_all_rows_belong_to_the_first_file_and_have_their_table(folder):
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        files = "select distinct o.url from event e join object o using (run, object)"
        (first,) = [row["url"] for row in rows(session, files)]
        assert first.endswith("/report_rank0_pqtdir/" + min(file.name for file in folder.iterdir()))
        counts = rows(session, "select count(*) as n, count(distinct row) as rows from event")
        assert counts[0]["n"] == counts[0]["rows"]


def test_an_export_folder_that_is_opened_directly_is_one_recording(export, folder):
    with tl.open(folder, run="r", ephemeral=True) as session:
        spans = rows(session, "select distinct span from event")
        assert spans == [{"span": 0}]
        assert without_ordinals(session)["event"] == export[1]["event"]


def test_processes_are_distinguished_as_in_the_sqlite_export(export, tmp_path):
    file = shutil.copy(export[0], tmp_path / "two.sqlite")
    base = sqlite3.connect(file)
    for table, key in (
        (f"{CUPTI}RUNTIME", "globalTid"),
        (f"{CUPTI}KERNEL", "globalPid"),
        ("COMPOSITE_EVENTS", "globalTid"),
    ):
        names = [name for _, name, *_ in base.execute(f"pragma table_info({table})")]
        values = [f"{name} + {1 << 24}" if name == key else f'"{name}"' for name in names if name != "id"]
        columns = ", ".join(f'"{name}"' for name in names if name != "id")
        base.execute(f"insert into {table} ({columns}) select {', '.join(values)} from {table}")
    base.commit()
    base.close()
    folder_export = convert(file, tmp_path / "job" / "two_pqtdir")
    with tl.open(file, run="r", ephemeral=True) as one, tl.open(folder_export.parent, run="r", ephemeral=True) as other:
        assert without_ordinals(one) == without_ordinals(other)
        assert kinds(other)["processes"] == 1


def test_folders_of_two_ranks_are_two_recordings_of_one_job(tmp_path):
    generate_exports(tmp_path / "made", "--ranks", "2", "--steps", "2")
    for rank in (0, 1):
        convert(tmp_path / "made" / f"report_rank{rank}.sqlite", tmp_path / "job" / f"report_rank{rank}_pqtdir")
    with (
        tl.open(tmp_path / "made", run="r", ephemeral=True) as one,
        tl.open(tmp_path / "job", run="r", ephemeral=True) as other,
    ):
        assert without_ordinals(one) == without_ordinals(other)
        assert rows(other, "select distinct rank from step order by rank") == [{"rank": 0}, {"rank": 1}]


def test_a_folder_on_s3_gives_the_same_rows_and_is_read_once(s3, export, folder, lake):
    url = s3.upload(folder.parent, s3.bucket(), "exports")
    files = len([file for file in folder.iterdir() if not file.name.startswith("ENUM_")])
    assert lake.ingest(url, run="r", options=s3.options)["read"] == files
    assert without_ordinals(lake) == export[1]
    assert lake.ingest(url, run="r", options=s3.options)["read"] == 0


def test_a_changed_table_is_read_again_with_the_others(export, folder, lake):
    lake.ingest(folder.parent, run="r")
    texts = folder / "StringIds.parquet"
    table = pq.read_table(texts)
    renamed = [value.replace("gemm", "GEMM") for value in table["value"].to_pylist()]
    pq.write_table(table.set_column(table.column_names.index("value"), "value", pa.array(renamed)), texts)
    assert (
        lake.ingest(folder.parent, run="r")["read"]
        == lake.sql("select format from object where format = 'nsys'").to_arrow().num_rows
    )
    names = "select count(*) as n from event where category = 'kernel' and name like $name"
    before = sum("gemm" in row["name"] for row in export[1]["event"] if row["category"] == "kernel")
    assert rows(lake, names, name="%GEMM%") == [{"n": before}]
    assert rows(lake, names, name="%gemm%") == [{"n": 0}]


@pytest.mark.parametrize("second_copy", ["report_rank0.sqlite", "report_rank0.sqlite.gz", "other.sqlite", "unfinished"])
def test_a_duplicate_export_is_read_once(export, folder, second_copy):
    name = "report_rank0.sqlite" if second_copy == "unfinished" else second_copy
    bytes_ = export[0].read_bytes()
    (folder.parent / name).write_bytes(gzip.compress(bytes_) if name.endswith(".gz") else bytes_)
    if second_copy == "unfinished":
        (folder.parent / "report_rank0.sqlite-wal").write_bytes(b"")
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        actual = rows(
            session, "select format, error, url from object where url not like '%/ENUM_%' and url not like '%-wal'"
        )
        tables = len([file for file in folder.iterdir() if not file.name.startswith("ENUM_")])
        second_copy_error = "a table of an export of Nsight Systems that also exists as SQLite"
        if second_copy == "other.sqlite":
            assert Counter(row["format"] for row in actual) == {"nsys": 1 + tables}
            assert len(session.table("event")) == 2 * len(export[1]["event"])
        elif second_copy == "unfinished":
            refused = [row for row in actual if row["error"]]
            assert [row["url"].rsplit("/", 1)[1] for row in refused] == [name]
            assert len(session.table("event")) == len(export[1]["event"])
        else:
            assert Counter(row["error"] for row in actual) == {None: 1, second_copy_error: tables}
            assert without_ordinals(session) == export[1]


def test_a_truncated_table_loses_only_its_rows_and_is_reported(export, folder):
    file = folder / f"{CUPTI}MEMCPY.parquet"
    file.write_bytes(file.read_bytes()[:-20])
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        expected = [row for row in export[1]["event"] if row["raw_category"] != f"{CUPTI}MEMCPY"]
        assert without_ordinals(session)["event"] == expected
        (problem,) = rows(session, "select url, error from object where error is not null and format = 'nsys'")
        assert problem["url"].endswith(file.name)
        assert "cannot read report_rank0_pqtdir/CUPTI_ACTIVITY_KIND_MEMCPY.parquet: " in problem["error"]


def test_a_corrupt_page_loses_its_row_group(export, folder):
    file = folder / f"{CUPTI}RUNTIME.parquet"
    groups = pq.ParquetFile(file).metadata
    place = groups.row_group(1).column(0)
    bytes_ = bytearray(file.read_bytes())
    start = place.dictionary_page_offset or place.data_page_offset
    bytes_[start : start + 40] = b"\xff" * 40
    file.write_bytes(bytes_)
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        ours = "select count(*) as n from event where raw_category = $source"
        (actual,) = rows(session, ours, source=f"{CUPTI}RUNTIME")
        assert actual["n"] == groups.num_rows - groups.row_group(1).num_rows
        assert kinds(session)["unreadable_page"] == 1
        others = [row for row in export[1]["event"] if row["raw_category"] in (f"{CUPTI}KERNEL", "NVTX_EVENTS")]
        actual = [
            row
            for row in without_ordinals(session)["event"]
            if row["raw_category"] in (f"{CUPTI}KERNEL", "NVTX_EVENTS")
        ]
        assert actual == others


def test_without_texts_names_are_numbers(export, tmp_path):
    folder_export = convert(export[0], tmp_path / "job" / "report_rank0_pqtdir", without=["StringIds"])
    with tl.open(folder_export.parent, run="r", ephemeral=True) as session:
        names = {row["name"] for row in rows(session, "select distinct name from event where category = 'kernel'")}
        assert any(name.startswith("[string ") for name in names)
        assert kinds(session)["no_text"] > 0


def test_other_parquet_files_are_not_read_as_an_export(tmp_path):
    pq.write_table(pa.table({"x": [1]}), tmp_path / "weights.parquet")
    with pytest.raises(errors.TracelakeError, match="loader_timings"):
        tl.open(tmp_path, run="r", ephemeral=True)


def test_an_unknown_table_is_reported_with_its_row_count(export, folder):
    pq.write_table(pa.table({"start": [1, 2, 3]}), folder / "VULKAN_API.parquet")
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        assert kinds(session)["not_read:VULKAN_API"] == 3
        assert without_ordinals(session) == export[1]


def test_timings_next_to_the_tables_are_still_read(export, folder):
    pq.write_table(pa.table({"load_s": [0.5, 0.25]}), folder / "timings.parquet")
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        assert len(rows(session, "select url from object where format = 'loader_timings' and error is null")) == 1
        timed = (
            "select dur from loader join object o using (run, object) where o.format = 'loader_timings' order by dur"
        )
        assert rows(session, timed) == [{"dur": 250_000_000}, {"dur": 500_000_000}]
        assert without_ordinals(session)["event"] == export[1]["event"]


def test_a_table_without_known_columns_gives_no_rows(folder):
    pq.write_table(pa.table({"x": [1] * 1000}), folder / "CUBLAS_EVENTS.parquet")
    with tl.open(folder.parent, run="r", ephemeral=True) as session:
        cublas = [row for row in without_ordinals(session)["event"] if row["raw_category"] == "CUBLAS_EVENTS"]
        assert cublas == []


def test_integers_written_as_doubles_are_integers(export, tmp_path):
    def doubles(table):
        columns = [
            column.cast(pa.float64()) if name in {"streamId", "deviceId", "eventClass", "bytes"} else column
            for name, column in zip(table.column_names, table.columns, strict=True)
        ]
        return pa.table(columns, names=table.column_names)

    folder_export = convert(export[0], tmp_path / "job" / "report_rank0_pqtdir", doubles)
    with tl.open(folder_export.parent, run="r", ephemeral=True) as session:
        assert without_ordinals(session) == export[1]
