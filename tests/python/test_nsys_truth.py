"""Generated exports of Nsight Systems equal their truth, to the last ns and byte."""

import json
import statistics
from collections import Counter
from typing import NamedTuple

import pyarrow.parquet as pq
import pytest

import tracelake as tl
from test_nsys import CUPTI, EVENTS, contents, direction, generate_exports, rows, sqlite_query, times

pytestmark = pytest.mark.slow

METRICS = {
    "SMs Active [Throughput %]": "sm_active",
    "Tensor Active [Throughput %]": "tensor_active",
    "DRAM Read Bandwidth [Throughput %]": "dram_read_bandwidth",
    "PCIe RX Throughput [Throughput %]": "pcie_rx_throughput",
}
SEVERITIES = {"1": "info", "2": "warning", "3": "error"}
RANGES, STEPS = (59, 60), "iteration "


class GeneratedJob(NamedTuple):
    """Generated exports in a lake."""

    folder: object
    lake: object
    truth: dict
    session: tl.Session


@pytest.fixture(
    scope="module",
    params=[
        *(
            f"--generation {old} --graphs {graphs}"
            for old in ("old", "new")
            for graphs in ("mixed", "graph", "node", "both")
        ),
        "--ranks 3 --steps 7 --seed 5",
    ],
)
def job(request, tmp_path_factory):
    """A job with several ranks as one run."""
    folder = tmp_path_factory.mktemp("truth")
    truth = generate_exports(folder / "job", "--ranks", "2", "--steps", "4", *request.param.split())
    with tl.open(folder / "lake", create=True) as session:
        assert session.ingest(folder / "job", run="r")["read"] == len(truth["ranks"])
        yield GeneratedJob(folder / "job", folder / "lake", truth, session)


@pytest.fixture
def ranks(job):
    """The truth of each rank, and its events in row order, by table."""
    rank_truths = []
    for rank in job.truth["ranks"]:
        tables = {}
        columns = "raw_category, category, name, ts, dur, pid, tid, track, device, stream, correlation, args"
        sql = f"select {columns} from event where rank = $rank order by row"
        for event in rows(job.session, sql, rank=rank["rank"]):
            event["args"] = json.loads(event["args"] or "{}")
            tables.setdefault(event["raw_category"], []).append(event)
        rank_truths.append((rank, tables))
    return rank_truths


def summed(events, key=lambda event: event["name"], size=None):
    """Returns for each name the number of events, their total duration, and their bytes."""
    sums = {}
    for event in events:
        entry = sums.setdefault(key(event), {"n": 0, "dur": 0} | ({"bytes": 0} if size else {}))
        entry["n"] += 1
        entry["dur"] += event["dur"]
        if size:
            entry["bytes"] += event["args"][size]
    return sums


def rows_by_name(records, *columns, **names):
    """Returns rows of a result by name, added up, with only these columns; `truth=ours` renames a column."""
    names = {column: column for column in columns} | names
    sums = {}
    for row in records:
        entry = sums.setdefault(row["name"], dict.fromkeys(names, 0))
        for truth_name, ours in names.items():
            entry[truth_name] += row[ours]
    return sums


def rows_of_rank(records, rank):
    """Returns the rows of one rank."""
    return [row for row in records if row["rank"] == rank["rank"]]


def ask(job, query, rank, **params):
    """Returns the result of a query for one rank."""
    return rows_of_rank(job.session.query(query, **params).rows(), rank)


def covered_time(job, where, rank):
    """Returns the time that some device work covers."""
    sql = f"select union_length(ts, dur) as covered from event where {where} and rank = $rank"
    (row,) = rows(job.session, sql, rank=rank["rank"])
    return row["covered"]


def kernel_time(rank):
    """Returns the time of kernels; a graph without traced nodes is one, and has no concurrent work."""
    return rank["kernel"]["union"] + (rank["graph"]["union"] if rank["graphs"] == "graph" else 0)


def test_each_row_is_one_event_at_its_time(job, ranks):
    for rank, tables in ranks:
        expected = {table: n for table, n in rank["tables"].items() if table in EVENTS}
        assert {table: len(events) for table, events in tables.items()} == expected
        with sqlite_query(job.folder / rank["file"]) as connection:
            for table, events in tables.items():
                begun = rank["session_start"]
                expected_times = [(None if ts is None else ts + begun, dur) for ts, dur in times(connection, table)]
                assert [(event["ts"], event["dur"]) for event in events] == expected_times, table


def test_device_work_equals_the_truth(job, ranks):
    for rank, tables in ranks:
        kernels = tables[f"{CUPTI}KERNEL"]
        dur = sum(kernel["dur"] for kernel in kernels)
        union = covered_time(job, f"raw_category = '{CUPTI}KERNEL'", rank)
        assert {"n": len(kernels), "dur": dur, "union": union} == rank["kernel"]
        assert summed(kernels) == rank["kernel_by_name"]
        assert covered_time(job, "category in ('kernel', 'memcpy', 'memset')", rank) == rank["work"]["union"]
        copies = tables[f"{CUPTI}MEMCPY"]
        assert summed(copies, lambda copy: copy["args"]["kind"].upper(), "bytes") == rank["memcpy"]
        fills = tables[f"{CUPTI}MEMSET"]
        assert summed(fills, lambda _: "memset", "bytes") == rank["memset"]
        assert {event["category"] for event in kernels + copies + fills} == {"kernel", "memcpy", "memset"}
        assert {event["device"] for event in kernels + copies + fills} == {rank["device"]}
        assert {event["track"] for event in kernels} == {f"stream {event['stream']}" for event in kernels}
        nodes = [event for event in kernels + fills if "graphNodeId" in event["args"]]
        assert len(nodes) == rank["graph_node"]["n"]


def test_graphs_are_work_unless_their_nodes_are_traced(job, ranks):
    for rank, tables in ranks:
        graphs = tables.get(f"{CUPTI}GRAPH_TRACE", [])
        dur = sum(graph["dur"] for graph in graphs)
        if graphs:
            union = covered_time(job, f"raw_category = '{CUPTI}GRAPH_TRACE'", rank)
            assert {"n": len(graphs), "dur": dur, "union": union} == rank["graph"]
        work = rank["graphs"] == "graph"
        for graph in graphs:
            assert (graph["category"], graph["name"]) == ("kernel" if work else "other", "CUDA graph 3")
            assert graph["args"]["graph"] is True
            assert graph["args"].get("nodes") is (None if work else True)


def test_kernels_have_their_launch_type(ranks):
    for _, tables in ranks:
        for kernel in tables[f"{CUPTI}KERNEL"]:
            args = kernel["args"]
            assert (args["grid"], args["block"]) == ([162, 1, 1], [256, 1, 1])
            assert (args["registers per thread"], args["shared memory"]) == (64, 16384)
            assert "mangledName" not in args


def test_copies_have_the_names_of_other_formats(ranks):
    for _, tables in ranks:
        names = {copy["args"]["kind"].upper(): copy["name"] for copy in tables[f"{CUPTI}MEMCPY"]}
        for kind, begin in {"HTOD": "Memcpy HtoD", "DTOH": "Memcpy DtoH", "PTOP": "Memcpy PtoP"}.items():
            assert names[kind].startswith(begin)
        assert names["UNKNOWN"] == "Memcpy"
        assert names["UVM_DTOH"] == "Memcpy DtoH (Unified)"
        assert {fill["name"] for fill in tables[f"{CUPTI}MEMSET"]} == {"Memset (Device)"}


def test_host_calls_equal_the_truth(ranks):
    for rank, tables in ranks:
        calls = tables[f"{CUPTI}RUNTIME"]
        assert summed(calls) == rank["api"]
        assert Counter(call["category"] for call in calls) == rank["api_kind"]
        waits = tables[f"{CUPTI}SYNCHRONIZATION"]
        assert summed(waits, lambda wait: str(wait["args"]["syncType"])) == rank["sync"]
        # labels of types do not match their values: the call has the type
        assert {wait["name"] for wait in waits} == {"cudaStreamSynchronize", "cudaDeviceSynchronize"}
        system = tables["OSRT_API"]
        assert summed(call for call in system if call["dur"] is not None) == rank["os_call"]
        assert sum(call["dur"] is None for call in system) == rank["os_marker"]
        for call in system:
            stack = call["args"].get("stack")
            assert (stack is not None) == (call["dur"] is not None and call["dur"] > 80_000)
            assert stack is None or "wait_for_batch" in str(stack)
        host = [event for table in ("OSRT_API", "NVTX_EVENTS", f"{CUPTI}RUNTIME") for event in tables[table]]
        host += tables.get("OSRT_FILE_ACCESS_EVENTS", [])
        assert {event["pid"] for event in host} == {rank["pid"]}
        main, autograd, loader = (rank["pid"] + n for n in (0, 7, 9))
        tracks = {main: "python3", autograd: "pt_autograd_0", loader: "pt_data_pin"}
        named_tracks = {f"thread {tid} ({name})" for tid, name in tracks.items()}
        # start and end marks have no thread
        assert {event["track"] for event in host if event["tid"]} == named_tracks


def test_ranges_equal_the_truth(ranks):
    for rank, tables in ranks:
        events = tables["NVTX_EVENTS"]
        closed = [event for event in events if event["dur"] is not None]
        steps = [event for event in closed if event["name"].startswith(STEPS)]
        assert summed(event for event in closed if event not in steps) == rank["nvtx"]
        unended = [event for event in events if event["args"].get("open") is True]
        assert len(unended) == rank["nvtx_open"]
        assert all(event["dur"] is None for event in unended)
        marks = [event for event in events if event["dur"] is None and event["category"] == "annotation"]
        assert len([mark for mark in marks if mark not in unended]) == rank["nvtx_mark"]
        categories = {event["name"]: event["category"] for event in closed if event not in steps}
        assert {event["category"] for event in steps} == {"step"}
        assert categories.pop("data") == "loader"
        assert categories.pop("ncclAllReduce") == "communication"
        assert set(categories.values()) == {"annotation"}
        # names of domains, categories and threads
        names = [event for event in events if event["category"] == "other"]
        assert sorted(name["name"] for name in names) == ["NCCL", "autograd", "compute"]
        (reduced, *_) = (event for event in events if event["name"] == "ncclAllReduce")
        assert reduced["args"]["domain"] == "NCCL"


def test_steps_and_waits_for_data_equal_the_truth(job, ranks):
    for rank, _ in ranks:
        sql = "select step, ts, dur, span, complete, node from step where rank = $rank order by ts"
        actual = rows(job.session, sql, rank=rank["rank"])
        assert [(row["step"], row["ts"], row["dur"]) for row in actual] == [
            (step["step"], step["ts"], step["dur"]) for step in rank["steps"]
        ]
        assert {(row["span"], row["node"]) for row in actual} == {(0, "synthetic")}
        assert all(row["complete"] is not False for row in actual)
        sql = "select count(*) as n, sum(dur) as dur from loader where kind = 'next' and rank = $rank"
        assert rows(job.session, sql, rank=rank["rank"]) == [rank["nvtx"]["data"]]
        assert rows(job.session, "select count(*) as n from loader where kind <> 'next'") == [{"n": 0}]


def test_metrics_and_memory_equal_the_truth(job):
    metrics = "select raw_name, metric, device, resource, unit, count(*) as n, sum(value) as total from sample"
    for rank in job.truth["ranks"]:
        grouped = "where rank = $rank group by raw_name, metric, device, resource, unit"
        actual = rows(job.session, f"{metrics} {grouped}", rank=rank["rank"])
        assert {row["raw_name"]: {"n": row["n"], "sum": row["total"]} for row in actual} == rank["metric"]
        assert {row["raw_name"]: row["metric"] for row in actual} == METRICS
        # device numbers of the profiler differ from those of CUDA
        places = {(row["device"], row["resource"], row["unit"]) for row in actual}
        assert places == {(rank["device"], "gpu", "percent")}
        sql = "select device, bytes, allocated_bytes from allocation where rank = $rank order by ts"
        actual = rows(job.session, sql, rank=rank["rank"])
        assert {row["device"] for row in actual} == {rank["device"]}
        assert sum(row["bytes"] for row in actual) == rank["allocated_bytes"] == actual[-1]["allocated_bytes"]


def test_diagnostics_and_unread_rows_are_problems(job):
    for rank in job.truth["ranks"]:
        sql = """
            select p.severity, p.kind, sum(p.count) as n
            from problem as p join object as o on o.run = p.run and o.object = p.object
            where o.url like $file group by p.severity, p.kind
        """
        problems = rows(job.session, sql, file=f"%{rank['file']}")
        messages, unread = {}, {}
        for row in problems:
            if row["kind"].startswith("nsys_diagnostic_"):
                messages[row["kind"].removeprefix("nsys_diagnostic_")] = (row["n"], row["severity"])
            elif row["kind"].startswith("not_read:"):
                unread[row["kind"].removeprefix("not_read:")] = row["n"]
                assert row["severity"] == "notice"
        severe = {"info": "notice", "warning": "warning", "error": "warning"}
        words = {SEVERITIES[number]: n for number, n in rank["problem"].items()}
        assert messages == {word: (n, severe[word]) for word, n in words.items()}
        assert {table: unread[table] for table in rank["unread"]} == {
            table: rank["tables"][table] for table in rank["unread"]
        }
        assert all(rank["tables"][table] == n for table, n in unread.items())
        assert not unread.keys() & EVENTS.keys()


def test_the_machine_is_described(job):
    ranks = job.truth["ranks"]
    for rank in ranks:
        sql = "select device, name, memory_bytes, cores, capability from device where kind = 'gpu' and rank = $rank"
        actual = rows(job.session, f"{sql} order by device", rank=rank["rank"])
        gpu = {"name": "Synthetic GPU", "memory_bytes": 80 << 30, "cores": 108, "capability": "8.0"}
        assert actual == [{"device": f"gpu{n}", **gpu} for n in range(len(ranks))]
        sql = "select key, value from run_attribute where rank = $rank"
        attributes = {row["key"]: row["value"] for row in rows(job.session, sql, rank=rank["rank"])}
        assert (attributes["nsys.CpuCores"], attributes["nsys.CudaDriverVersion"]) == ("32", "13000")
        assert attributes["nsys.EXPORT_PRODUCT_VERSION"] == job.truth["product"]
        assert attributes["nsys.EXPORT_SCHEMA_VERSION"] == job.truth["schema"]
        assert not {"nsys.DeviceEnvironment", "nsys.EXPORT_USER", "nsys.EXPORT_HOST"} & attributes.keys()
    assert rows(job.session, "select distinct node from event") == [{"node": "synthetic"}]


def test_no_secret_is_anywhere_in_the_lake(job):
    secrets = [secret["value"] for secret in job.truth["secrets"]]
    assert len(secrets) == 9
    hidden = [*secrets, "/home/somebody", "sshd", "systemd", "WORLD_SIZE", "logged in with"]
    files = [file for file in job.lake.rglob("*") if file.is_file()]
    parquet = [file for file in files if file.suffix == ".parquet"]
    assert parquet
    for file in files:
        content = file.read_bytes()
        assert not [secret for secret in secrets if secret.encode() in content], file
    # files of a lake can be compressed: their content is checked as well
    for file in parquet:
        decoded = str(pq.read_table(file).to_pylist())
        assert not [secret for secret in secrets if secret in decoded], file
    everything = str(contents(job.session))
    assert not [text for text in hidden if text in everything]
    assert "AKIA***" in everything


def test_kernel_summary_equals_the_truth(job):
    for rank in job.truth["ranks"]:
        actual = ask(job, "kernel.summary", rank)
        kernels = [row for row in actual if row["type"] != "memory" and not row["name"].startswith("CUDA graph ")]
        assert rows_by_name(kernels, "n", dur="dur_sum") == rank["kernel_by_name"]
        work = {"n": sum(row["n"] for row in actual), "dur": sum(row["dur_sum"] for row in actual)}
        assert work == {key: rank["work"][key] for key in work}
        graphs = rows_by_name(
            (row for row in actual if row["name"].startswith("CUDA graph ")), "n", "busy", dur="dur_sum"
        )
        expected = {"n": rank["graph"]["n"], "dur": rank["graph"]["dur"], "busy": rank["graph"]["union"]}
        assert graphs == ({"CUDA graph 3": expected} if rank["graphs"] == "graph" else {})


def test_call_queries_equal_the_truth(job):
    for rank in job.truth["ranks"]:
        assert rows_by_name(ask(job, "runtime.summary", rank), "n", dur="dur_sum") == rank["api"]
        assert rows_by_name(ask(job, "runtime.os_calls", rank), "n", dur="dur_sum") == rank["os_call"]


def test_transfer_query_equals_the_truth(job):
    for rank in job.truth["ranks"]:
        actual = ask(job, "memory.transfers", rank)
        assert {row["device"] for row in actual} == {rank["device"]}
        sums = {row["kind"]: {"n": row["n"], "dur": row["dur_sum"], "bytes": row["bytes"]} for row in actual}
        assert sums.pop("Memset") == rank["memset"]["memset"]
        assert sums == {direction(kind): sum_ for kind, sum_ in rank["memcpy"].items()}
        sized = ask(job, "memory.transfers", rank, sizes=True)
        assert sum(row["bytes"] for row in sized) == sum(row["bytes"] for row in actual)


def test_device_range_query_equals_the_truth(job):
    for rank in job.truth["ranks"]:
        actual = ask(job, "annotation.gpu_projection", rank)
        sums = rows_by_name(actual, "n", "ops", projected="projected_sum", dur="dur_sum")
        steps = {name: sums.pop(name) for name in list(sums) if name.startswith(STEPS)}
        assert sums == rank["projection"]
        assert steps == {
            f"{STEPS}{step['step']}": {
                "n": 1,
                "ops": step["ops"],
                "projected": step["projected_dur"],
                "dur": step["dur"],
            }
            for step in rank["steps"]
        }
        (reduced,) = [row for row in actual if row["name"] == "ncclAllReduce"]
        assert (reduced["category"], reduced["domain"]) == ("communication", "NCCL")


def test_annotation_queries_equal_the_truth(job):
    for rank in job.truth["ranks"]:
        sums = rows_by_name(ask(job, "annotation.summary", rank), "n", dur="dur_sum")
        steps = {name: sums.pop(name) for name in list(sums) if name.startswith(STEPS)}
        assert sums == rank["nvtx"]
        assert sum(step["dur"] for step in steps.values()) == rank["step"]["dur"]


def test_utilization_query_equals_the_truth(job):
    for rank in job.truth["ranks"]:
        actual = ask(job, "utilization.gpu_from_kernels", rank)
        assert {row["device"] for row in actual} == {rank["device"]}
        assert sum(row["busy"] for row in actual) == kernel_time(rank)
        # the bins cover the time from the first step to the end of the last one's work
        assert min(row["ts"] for row in actual) == rank["steps"][0]["ts"]


def test_step_duration_query_equals_the_truth(job):
    durations = {}
    for rank in job.truth["ranks"]:
        for step in rank["steps"]:
            durations.setdefault(step["step"], []).append(step["dur"])
    # the median over the ranks, rounded up
    lengths = [int(statistics.median(ranks) + 0.5) for ranks in durations.values()]
    (actual,) = job.session.step.duration().rows()
    assert (actual["n"], actual["dur_min"], actual["dur_max"]) == (len(lengths), min(lengths), max(lengths))
    assert actual["dur_mean"] == pytest.approx(sum(lengths) / len(lengths), rel=1e-12)
    for rank in job.truth["ranks"]:
        ours = {row["step"]: (row["ts"], row["dur"]) for row in ask(job, "step.duration_by_rank", rank)}
        assert ours == {step["step"]: (step["ts"], step["dur"]) for step in rank["steps"]}
