"""Files of data loaders through every interface: DALI's Loader Evaluator, and custom timings."""

import datetime as dt
import decimal
import json
import math
import statistics
import subprocess
import sys

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest

import tracelake as tl
from tracelake import errors

ROWS = "select kind, dur, compute_dur, epoch, step, batch, loader, variant from loader order by object, row"
TIMES = "select loader, dur, compute_dur from loader where kind = 'next' order by object, row"


def rows(session, sql=ROWS):
    """Returns the rows of a result as dicts."""
    return list(session.sql(sql))


def waits(session):
    """Returns the wait and the compute time of each batch, in us."""
    micro = lambda ns: None if ns is None else ns // 1000  # noqa: E731
    return [(row["loader"], micro(row["dur"]), micro(row["compute_dur"])) for row in rows(session, TIMES)]


@pytest.fixture
def folder(tmp_path):
    """A profile with one table with custom column names."""
    profile = tmp_path / "profile"
    profile.mkdir()
    (profile / "train.csv").write_text("iteration,data_ms,iter_time\n10,1.5,0.25\n11,2.5,0.5\n")
    return profile


def test_columns_with_other_names_must_be_declared(lake, folder):
    with pytest.raises(errors.UnrecognizedError) as refused:
        lake.ingest(folder, run="r")
    assert 'loader_columns={"load_s": "data_ms"}' in str(refused.value)
    assert "--loader-column load_s=data_ms" in str(refused.value)
    columns = {"load_s": "data_ms:ms", "step_s": "iter_time", "step": "iteration"}
    lake.ingest(folder, run="r", loader_columns=columns)
    assert [(row["step"], row["dur"], row["compute_dur"]) for row in rows(lake)] == [
        (10, 1_500_000, 248_500_000),
        (11, 2_500_000, 497_500_000),
    ]


def test_a_declaration_holds_until_the_next_one(lake, folder):
    assert lake.ingest(folder, run="r", loader_columns={"load_s": "data_ms:ms"})["read"] == 1
    assert waits(lake) == [("train", 1500, None), ("train", 2500, None)]
    assert lake.ingest(folder, run="r")["read"] == 0
    assert lake.ingest(folder, run="r", loader_columns={"load_s": "data_ms:us"})["read"] == 1
    assert waits(lake) == [("train", 1, None), ("train", 2, None)]
    # removed declarations leave nothing behind
    (folder / "other.csv").write_text("load_s\n1\n")
    lake.ingest(folder, run="r", loader_columns={})
    assert waits(lake) == [("other", 1_000_000, None)]


def test_an_unrecognized_file_is_read_again_after_a_declaration(lake, folder):
    (folder / "log_a.json").write_text('{"mode": "log", "batch_times": [1], "total_time": 2}')
    report = lake.ingest(folder, run="r")
    assert (report["read"], report["ignored"]) == (1, 1)
    assert "loader_columns" in rows(lake, "select error from object where error is not null")[0]["error"]
    lake.ingest(folder, run="r", loader_columns={"load_s": "data_ms:ms"})
    assert waits(lake) == [("log_a", 1_000_000, None), ("train", 1500, None), ("train", 2500, None)]


@pytest.mark.parametrize(
    ("columns", "why"),
    [
        ({"load": "data_ms"}, "there are load_s, compute_s"),
        ({"load_s": ""}, "the column has no name"),
        ({"load_s": ":ms"}, "the column has no name"),
        ({"step": "iteration:ms"}, "it is not a time"),
    ],
)
def test_an_invalid_declaration_is_refused(lake, folder, columns, why):
    with pytest.raises(errors.ArgumentError, match=why):
        lake.ingest(folder, run="r", loader_columns=columns)


def test_a_missing_declared_column_is_reported(lake, folder):
    with pytest.raises(errors.UnrecognizedError, match=r"without column `data_time`.*`data_ms`"):
        lake.ingest(folder, run="r", loader_columns={"load_s": "data_time"})


def test_a_table_with_epochs_is_not_a_lightning_log(lake, tmp_path):
    (tmp_path / "t.csv").write_text("step,epoch,data_time\n0,0,0.5\n")
    with pytest.raises(errors.UnrecognizedError, match="loader_columns"):
        lake.ingest(tmp_path / "t.csv", run="r")
    lake.ingest(tmp_path / "t.csv", run="r", loader_columns={"load_s": "data_time"})
    assert waits(lake) == [("t", 500_000, None)]


def test_open_and_follow_accept_columns(folder, tmp_path):
    columns = {"load_s": "data_ms:ms"}
    with tl.open(folder, ephemeral=True, loader_columns=columns) as session:
        assert len(waits(session)) == 2
    with tl.open(tmp_path / "lake", create=True) as lake:
        arrived = list(lake.follow(folder, run="r", every=0.1, idle=0.3, loader_columns=columns))
        assert [report["rows"]["loader"] for report in arrived] == [2]


def test_the_shell_declares_columns(folder, tmp_path):
    shell = [sys.executable, "-m", "tracelake", "--lake", str(tmp_path / "lake")]
    declared = ["--loader-column", "load_s=data_ms:ms", "--loader-column", "step=iteration"]
    subprocess.run([*shell, "ingest", str(folder), "--run", "r", *declared], check=True, capture_output=True)
    sql = "select step, dur from loader order by step"
    done = subprocess.run([*shell, "sql", sql, "--format", "csv"], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["step,dur", "10,1500000", "11,2500000"]


def test_files_stay_apart(lake, tmp_path):
    profile = tmp_path / "profile"
    for path, text in [
        ("a/t.csv", "load_s\n1\n"),
        ("b/t.csv", "load_s\n2\n"),
        ("b/t.json", '[{"load_s": 3}]'),
        ("b/log.json", '{"mode": "log", "batch_times": [4], "total_time": 5}'),
    ]:
        (profile / path).parent.mkdir(parents=True, exist_ok=True)
        (profile / path).write_text(text)
    lake.ingest(profile, run="r")
    actual = rows(lake, "select object, loader, kind, dur / 1000000000 as s from loader order by object, row")
    assert [(row["loader"], row["kind"], row["s"]) for row in actual] == [
        ("t", "next", 1), ("log", "next", 4), ("log", "pass", 5), ("t", "next", 2), ("t", "next", 3),
    ]  # fmt: skip
    assert len({row["object"] for row in actual}) == 4


def test_parquet_of_pandas_is_read(lake, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"load_s": [0.5, None, -1, 0.25], "step": [1, 2, 3, None], "note": list("abcd")})
    frame.to_parquet(tmp_path / "t.parquet")
    lake.ingest(tmp_path / "t.parquet", run="r")
    assert [(row["step"], row["dur"]) for row in rows(lake)] == [(1, 500_000_000), (None, 250_000_000)]
    assert rows(lake, "select kind, count from problem") == [{"kind": "bad_value", "count": 2}]


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_a_duration_has_its_own_unit(lake, tmp_path, unit):
    seconds = pyarrow.array([dt.timedelta(seconds=2), None], pyarrow.duration(unit))
    pyarrow.parquet.write_table(pyarrow.table({"data": seconds, "step": [1, 2]}), tmp_path / "t.parquet")
    lake.ingest(tmp_path / "t.parquet", run="r", loader_columns={"load_s": "data:ms"})
    assert [(row["step"], row["dur"]) for row in rows(lake)] == [(1, 2 * 10**9)]


def test_each_type_of_parquet_is_a_number_or_refused(lake, tmp_path):
    half = decimal.Decimal("0.5")
    numbers = {
        "int8": 2, "uint64": 2, "float32": 0.5, "float64": 0.5, "decimal128(9, 3)": half, "decimal256(40, 3)": half,
        "string": "0.5", "large_string": "0.5", "dictionary(int8(), string())": "0.5", "float16": np.float16(0.5),
    }  # fmt: skip
    day = dt.datetime(2020, 1, 1)  # noqa: DTZ001
    refused = {
        "bool_": True, "binary": b"0.5", "binary(3)": b"0.5", "timestamp('us')": day, "date32": day.date(),
        "time64('us')": day.time(), "list_(int64())": [1], "struct([('a', int64())])": {"a": 1},
        "month_day_nano_interval": (0, 0, 500_000_000),
    }  # fmt: skip
    for number, (name, value) in enumerate([*numbers.items(), *refused.items()]):
        kind = eval(name if ")" in name else f"{name}()", vars(pyarrow))  # noqa: S307
        table = pyarrow.table({"load_s": pyarrow.array([value, None], kind)})
        path = tmp_path / f"{number}.parquet"
        try:
            pyarrow.parquet.write_table(table, path)
        except pyarrow.ArrowNotImplementedError:
            continue
        if name in refused:
            with pytest.raises(errors.MalformedError, match=r"column `load_s`, load_s, has type .*, expected numbers"):
                lake.ingest(path, run=name.replace(" ", ""))
        else:
            lake.ingest(path, run=f"n{number}")
            read = rows(lake, f"select dur from loader where run = 'n{number}'")
            assert read == [{"dur": int(float(value) * 10**9)}], name


def test_a_parquet_file_with_more_rows_than_fit_in_its_bytes_is_refused(lake, tmp_path):
    path = tmp_path / "t.parquet"
    schema = pyarrow.schema([("load_s", pyarrow.int64())])
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        for _ in range(5):
            writer.write_table(pyarrow.table({"load_s": np.zeros(10**6, np.int64)}, schema))
    assert path.stat().st_size < 100_000
    with pytest.raises(errors.MalformedError, match="more rows than fit in its bytes"):
        lake.ingest(path, run="r")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_have_any_end(lake, tmp_path, end):
    for name, lines in {
        "t.csv": ["step,load_s", "7,0.5", "8,0.25"],
        "t.jsonl": ['{"step": 7, "load_s": 0.5}', '{"step": 8, "load_s": 0.25}'],
        "metrics.csv": ["step,epoch,train_loss", "7,0,0.5", "8,0,0.25"],
    }.items():
        (tmp_path / name).write_bytes(("\ufeff" + end.join(lines) + end).encode())
    report = lake.ingest(tmp_path, run="r")
    assert (report["read"], report["failed"]) == (3, 0)
    assert [(row["step"], row["dur"]) for row in rows(lake)] == [(7, 5 * 10**8), (8, 25 * 10**7)] * 2
    assert [row["value"] for row in rows(lake, "select value from sample order by row")] == [0.5, 0.25]


def test_another_parquet_file_is_reported(lake, tmp_path):
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"loss": [0.5]}).to_parquet(tmp_path / "t.parquet")
    with pytest.raises(errors.MalformedError, match="`load_s`"):
        lake.ingest(tmp_path / "t.parquet", run="r")


def test_an_empty_object_is_reported(lake, tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(errors.UnrecognizedError, match="an empty JSON object"):
        lake.ingest(tmp_path / "config.json", run="r")


def test_a_wide_table_takes_little_memory(tmp_path):
    """A table with 100,000 columns and 200 rows, 40 MB, in a separate process: at most 300 MB above an empty one."""
    names = ",".join(f"column_{n}" for n in range(100_000))
    (tmp_path / "wide.csv").write_text(f"load_s,{names}\n" + ("0.5" + ",1" * 100_000 + "\n") * 200)
    (tmp_path / "small.csv").write_text("load_s\n0.5\n")
    code = (
        "import resource, sys, tracelake as tl\n"
        "with tl.open(sys.argv[1], ephemeral=True, run='r') as s: n = len(s.table('loader'))\n"
        "print(n, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)\n"
    )
    memory = {}
    for name in ("small", "wide"):
        command = [sys.executable, "-c", code, str(tmp_path / f"{name}.csv")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        memory[name] = [int(word) for word in done.stdout.split()]
    assert (memory["small"][0], memory["wide"][0]) == (1, 200)
    assert memory["wide"][1] - memory["small"][1] < 300


def close(value, expected, tolerance):
    """Returns whether both are null, or equal within a billionth or the rounding to ns."""
    if expected is None or value is None:
        return value is expected
    return math.isclose(value, expected, rel_tol=1e-9, abs_tol=tolerance)


HALF = 0.5e-9
"""Returns the tolerance of a time in s that was rounded to ns; the clock of DALI's files has steps of 238 ns."""


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_timings_equal_the_oracle(lake, shared, kind):
    oracle = json.loads((shared / "oracle/loader/expected.json").read_text())["timings"]["files"]
    lake.ingest(shared / "data/loader/timings", run="r")
    sql = (
        "select o.url, l.dur, l.compute_dur from loader l join object o on l.object = o.object order by l.object, l.row"
    )
    actual: dict[str, list[tuple[float, float]]] = {}
    for row in rows(lake, sql):
        actual.setdefault(row["url"].rsplit("/", 1)[1], []).append((row["dur"] / 1e9, row["compute_dur"] / 1e9))
    assert actual.keys() == oracle.keys()
    # CSV has 9 digits, which need no rounding; JSON has all digits
    off = 0 if kind == "csv" else HALF
    for name, times in actual.items():
        if not name.endswith(kind):
            continue
        loads, computes = ([time[column] for time in times] for column in (0, 1))
        expected, n = oracle[name], len(times)
        load, compute = math.fsum(loads), math.fsum(computes)
        assert close(load, expected["overhead"]["load_time"], n * off)
        assert close(compute, expected["overhead"]["compute_time"], n * off)
        assert close(load / (load + compute), expected["overhead"]["load_ratio"], 2 * n * off / (load + compute))
        for values, what in ((loads, "load"), (computes, "compute")):
            assert close(statistics.fmean(values), expected[what]["mean"], off)
            assert close(statistics.median(values), expected[what]["p50"], off)
            assert close(min(values), expected[what]["min"], off)
            assert close(max(values), expected[what]["max"], off)
            assert close(statistics.stdev(values), expected[what]["std_sample"], 2 * off)


def test_metrics_equal_the_oracle(lake, shared):
    oracle = json.loads((shared / "oracle/loader/expected.json").read_text())["dali"]["files"]
    lake.ingest(shared / "data/loader/dali", run="r")
    columns = "l.kind, l.dur, l.batches, l.cached_batches, l.variant"
    sql = f"select o.url, {columns} from loader l join object o on l.object = o.object"
    actual: dict[str, list[dict]] = {name: [] for name in oracle}
    for row in rows(lake, f"{sql} order by l.object, l.row"):
        actual[row["url"].rsplit("/", 1)[1]].append(row)
    assert actual.pop("log_never_iterated.json") == []
    for name, read in actual.items():
        expected = oracle[name]
        *batches, whole = read
        seconds = [row["dur"] / 1e9 for row in batches]
        assert whole["kind"] == "pass"
        assert {row["variant"] for row in read} == {"ideal" if expected["mode"] == "replay" else "real"}
        assert (whole["batches"], whole["cached_batches"]) == (len(seconds), expected["cached_batches"])
        assert (whole["dur"] is not None) == expected["total_time_usable"]
        if expected["total_time_usable"]:
            assert close(whole["dur"] / 1e9, expected["total_time_s"], HALF)
            ratio = expected["load_ratio"] or math.fsum(seconds) / expected["total_time_s"]
            assert close(
                math.fsum(seconds) / (whole["dur"] / 1e9), ratio, len(seconds) * HALF / expected["total_time_s"]
            )
        assert close(math.fsum(seconds), expected["load_s"], len(seconds) * HALF)
        assert close(statistics.median(seconds), expected["batch"]["p50"], HALF)
        assert close(statistics.stdev(seconds), expected["batch"]["std_sample"], 2 * HALF)
    speedup = actual["log_nw0.json"][-1]["dur"] / actual["replay_nw0.json"][-1]["dur"]
    assert close(speedup, 9.573939390503831, 1e-7)
    kinds = {row["kind"] for row in rows(lake, "select kind from problem")}
    assert kinds == {"no_batch", "bad_total_time"}
