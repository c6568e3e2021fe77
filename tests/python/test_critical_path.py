"""The critical path: compared with a brute-force longest path, and with HTA.

`tests/oracle/kineto_critical_path.md` describes the comparison with HTA, and where ours differs.
"""

import csv
import gzip
import json
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

import kineto_trace
import tracelake as tl
from kineto_trace import ask
from longest_path import BASE, LOADER, Brute, RandomTrace

pytestmark = pytest.mark.slow

HTA = {
    "simple_add": "hta/critical_path/simple_add/benchmark_result_493459_1694039959_trace.json.gz",
    "alexnet": "hta/critical_path/alexnet/benchmark_result_2869224_1695835535_trace.json.gz",
    "ns_v100": "hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz",
}
MEASURED = "[param|pytorch.model.alex_net|0|0|0|measure|forward]"


def write_trace(trace, path):
    with gzip.open(path, "wt") as out:
        json.dump(trace, out, default=float)


def check_path(rows, summary, brute):
    """Compares the path of a window with the brute-force path."""
    length, parts = brute.longest()
    if not brute.edges or not length:
        assert sum(row["dur"] for row in rows) == 0
        return
    assert {(row["nodes"], row["edges"]) for row in rows} == {(len(brute.time), len(brute.edges))}
    assert [row["position"] for row in rows] == list(range(len(rows)))
    assert sum(row["dur"] for row in rows) == length
    assert all(row["dur"] >= 0 and row["gap"] >= 0 for row in rows)
    for row, after in pairwise(rows):
        assert row["ts"] + row["dur"] + row["gap"] == after["ts"]
    spent = Counter()
    for row in rows:
        spent[row["bound_by"]] += row["dur"]
    if "many" not in parts:
        assert {kind: dur for kind, dur in spent.items() if dur} == parts
    assert {row["bound_by"]: row["dur"] for row in summary} == dict(spent)
    assert {row["path_dur"] for row in summary} == {length}


def test_no_path_through_a_random_trace_is_longer(tmp_path):
    met, ties = Counter(), 0
    with tl.open(tmp_path / "lake", create=True) as session:
        for seed in range(40):
            trace = RandomTrace(seed).trace()
            write_trace(trace, tmp_path / f"{seed}.pt.trace.json.gz")
            session.ingest(tmp_path / f"{seed}.pt.trace.json.gz", run=f"r{seed}")
        paths, summaries = defaultdict(list), defaultdict(list)
        for step in range(2):
            for row in list(session.query("step.critical_path", step=step)):
                paths[row["run"], step].append(row)
        for row in list(session.query("step.critical_path_summary")):
            summaries[row["run"], row["step"]].append(row)
        for seed in range(40):
            trace = RandomTrace(seed).trace()
            for step in range(2):
                brute = Brute(trace, BASE + step * 20_000, BASE + (step + 1) * 20_000)
                rows, summary = paths[f"r{seed}", step], summaries[f"r{seed}", step]
                check_path(rows, summary, brute)
                met.update(row["kind"] for row in rows)
                ties += "many" in brute.longest()[1]
    # the random traces have every kind of edge
    kinds = {"host", "loader", "work", "launch_delay", "kernel_delay", "sequence", "sync", "lock", "wait"}
    assert kinds <= set(met), met
    assert ties < 20


@pytest.mark.parametrize(
    "options", [["--nccl", "3", "--streams", "2"], ["--ranks", "2", "--dataloader-ms", "3"]], ids=" ".join
)
def test_the_path_of_generated_traces_is_the_longest_of_each_rank_and_step(shared, tmp_path, options):
    files = kineto_trace.generate(shared, tmp_path / "trace", "--steps", "3", "--kernels-per-step", "40", *options)
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(tmp_path / "trace", run="made")
        summary = ask(session, "step.critical_path_summary", "made")
        for path, truth in files:
            trace = kineto_trace.read(path)
            marks = [
                e
                for e in Brute.events(trace)
                if e["name"].startswith("ProfilerStep#") and e["cat"] == "user_annotation"
            ]
            assert len(marks) == 3
            for mark in marks:
                step = int(mark["name"].removeprefix("ProfilerStep#"))
                rank = [truth["rank"]] if len(files) > 1 else [truth["rank"], None]
                rows = [r for r in ask(session, "step.critical_path", "made", step=step) if r["rank"] in rank]
                parts = [r for r in summary if r["rank"] in rank and r["step"] == step]
                assert rows
                check_path(rows, parts, Brute(trace, mark["ts"], mark["end"]))
        # without a parameter, the longest step of each rank
        longest = ask(session, "step.critical_path", "made")
        steps = list(session.sql("SELECT rank, max(dur) AS dur FROM step GROUP BY rank"))
        assert {(r["rank"], r["window_dur"]) for r in longest} == {(r["rank"], r["dur"]) for r in steps}


def hta_path(shared, name):
    """Returns HTA's numbers for a trace, and the edges of its path."""
    folder = shared / "oracle" / "kineto" / "critical_path"
    with (folder / f"{name}_breakdown.csv").open(newline="") as file:
        return json.loads((folder / f"{name}.json").read_text()), list(csv.DictReader(file))


BOUND = {
    "host": "cpu_bound",
    "computation": "gpu_compute_bound",
    "memory": "gpu_compute_bound",
    "kernel_delay": "gpu_kernel_kernel_overhead",
    "launch_delay": "gpu_kernel_launch_overhead",
    None: "",
}


def check_equal(rows, figures, edges):
    """Compares nodes, edges, length and every edge of the path; HTA's times are in us."""
    assert {(row["nodes"], row["edges"]) for row in rows} == {(figures["n_nodes"], figures["n_edges"])}
    assert len(rows) + 1 == figures["critical_path_nodes"]
    spent = Counter()
    for row in rows:
        spent[BOUND[row["bound_by"]]] += row["dur"]
    length = sum(spent.values())
    assert length == sum(round(float(edge["duration"]) * 1000) for edge in edges)
    for bound_by, percent in figures["summary"].items():
        assert 100 * spent[bound_by] / length == pytest.approx(percent, abs=1e-9)
    # an edge belongs to the same event, except for delays, which HTA assigns to the kernel before
    ours = Counter(
        (row["row"], BOUND[row["bound_by"]] or "cpu_bound", row["dur"])
        for row in rows
        if row["kind"] in ("host", "wait", "work")
    )
    actual = Counter(
        (int(float(edge["event_idx"])), edge["bound_by"], round(float(edge["duration"]) * 1000))
        for edge in edges
        if edge["type"] == "critical_path_operator"
    )
    assert ours == actual
    kinds = {"kernel_delay": "kernel_kernel_delay", "launch_delay": "kernel_launch_delay"}
    kinds |= {"sequence": "dependency", "lock": "dependency", "sync": "sync_dependency"}
    ours = Counter((kinds[row["kind"]], row["dur"]) for row in rows if row["kind"] in kinds)
    actual = Counter(
        (edge["type"].removeprefix("critical_path_"), round(float(edge["duration"]) * 1000))
        for edge in edges
        if edge["type"] != "critical_path_operator"
    )
    assert ours == actual


@pytest.mark.parametrize("name", ["simple_add", "alexnet"])
def test_nodes_edges_and_path_equal_hta(shared, tmp_path, name):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(shared / "data" / "kineto" / HTA[name], run=name)
        rows = ask(session, "step.critical_path", name, annotation=MEASURED, instance=1)
        assert {row["synced"] for row in rows} == {True}
        check_equal(rows, *hta_path(shared, name))


def test_nodes_edges_and_path_equal_hta_at_its_times(shared, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    events = kineto_trace.read(shared / "data" / "kineto" / HTA["ns_v100"])["traceEvents"]
    hta_rows = shared / "oracle" / "kineto" / "ns_v100" / "hta" / "trace_df_rank0.parquet"
    keys = ("ph", "cat", "name", "pid", "tid", "args")
    table = parquet.read_table(hta_rows, columns=["index", "ts", "dur"]).to_pylist()
    hta_rows = sorted((row for row in table if events[row["index"]]["ph"] == "X"), key=lambda row: row["index"])
    placed = [
        {key: events[row["index"]].get(key) for key in keys} | {"ts": int(row["ts"]), "dur": max(int(row["dur"]), 0)}
        for row in hta_rows
    ]
    write_trace({"baseTimeNanoseconds": BASE, "traceEvents": placed}, tmp_path / "kept.pt.trace.json.gz")
    figures, edges = hta_path(shared, "ns_v100")
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(tmp_path / "kept.pt.trace.json.gz", run="kept")
        rows = ask(session, "step.critical_path", "kept", instance=1)
        check_equal([row | {"row": hta_rows[row["row"]]["index"]} for row in rows], figures, edges)
        session.ingest(shared / "data" / "kineto" / HTA["ns_v100"], run="exact")
        rows = ask(session, "step.critical_path", "exact", step=102)
    # with exact times, no call is lost to rounding, and the path has the same kernels
    assert {row["synced"] for row in rows} == {False}
    assert len(rows) == len(edges)
    assert sum(row["dur"] for row in rows) == pytest.approx(1000 * sum(float(e["duration"]) for e in edges), abs=2000)
    work = {row["row"] for row in rows if row["kind"] == "work"}
    assert work == {int(e["event_idx"]) for e in edges if e["type"] == "critical_path_operator"}


def test_every_trace_has_a_path(every_trace):
    session, runs = every_trace
    rows = list(session.query("step.critical_path_summary"))
    hosted = session.sql(
        "SELECT DISTINCT e.run FROM event AS e LEFT JOIN step AS s ON s.run = e.run AND s.object = e.object"
        " WHERE (e.category IN ('operator', 'loader', 'runtime', 'driver') OR e.name LIKE 'gloo:%')"
        " AND e.ts IS NOT NULL AND e.dur > 0"
        " AND (s.run IS NULL OR (e.ts >= s.ts AND e.ts < s.ts + s.dur))"
    )
    # every run with host events in a step has a path
    assert {row["run"] for row in rows} == {row["run"] for row in list(hosted)}
    assert {row["run"] for row in rows} <= set(runs)
    devices = session.sql("SELECT DISTINCT run FROM event WHERE category IN ('kernel', 'memcpy', 'memset')")
    devices = {row["run"] for row in list(devices)}
    for row in rows:
        assert row["run"] in devices or (
            row["synced"] is None and row["bound_by"] in ("host", "loader", "communication", None)
        )
        assert row["path_dur"] >= row["dur"] >= 0 <= row["gap"]
    by_window = defaultdict(list)
    for row in rows:
        by_window[row["run"], row["object"], row["instance"]].append(row)
    for (run, _, _), parts in by_window.items():
        assert sum(row["dur"] for row in parts) == parts[0]["path_dur"], run
        ratios = [row["ratio"] for row in parts if row["ratio"] is not None]
        assert not ratios or sum(ratios) == pytest.approx(1)
    # steps wait for a slow loader, in any span
    slow = [row for row in rows if "nw0_slow" in row["run"] and row["bound_by"] == "loader"]
    assert len({row["run"] for row in slow}) == 4
    assert all(row["ratio"] > 0.5 for row in slow)


def test_spans_and_runs_stay_apart(shared, tmp_path):
    folder = shared / "data" / "kineto" / "torch" / "tb_handler" / "nw0_slow"
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(folder, run="together")
        for number, file in enumerate(sorted(folder.glob("*.json*"))):
            session.ingest(file, run=f"alone{number}")
        together = ask(session, "step.critical_path_summary", "together")
        keys = ("step", "bound_by", "window_ts", "window_dur", "n", "dur", "gap", "path_dur", "nodes", "edges")
        alone = [row for n in range(4) for row in ask(session, "step.critical_path_summary", f"alone{n}")]
        assert len({row["span"] for row in together}) == 4
        assert Counter(tuple(row[key] for key in keys) for row in together) == Counter(
            tuple(row[key] for key in keys) for row in alone
        )


def test_the_example_of_the_docs_has_its_path(shared, tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(shared / "data" / "kineto" / HTA["alexnet"], run="alexnet")
        (share,) = list(
            session.sql(
                "SELECT round(100 * ratio, 2) AS percent"
                " FROM step_critical_path_summary(annotation => 'measure|forward', instance => 1)"
                " WHERE bound_by = 'host'"
            )
        )
        assert share == {"percent": 89.42}
        with pytest.raises(tl.errors.QueryError):
            session.sql("SELECT critical_path(1)").to_arrow()


def op(name, ts, dur, cat="cpu_op", tid=1, **args):
    return {"ph": "X", "cat": cat, "name": name, "pid": 100, "tid": tid, "ts": ts, "dur": dur, "args": args}


def launch(ts, dur, correlation, name="cudaLaunchKernel"):
    return op(name, ts, dur, "cuda_runtime", correlation=correlation)


def kernel(ts, dur, correlation, device=0, cat="kernel", **args):
    args = {"device": device, "stream": 7, "correlation": correlation, **args}
    return {
        "ph": "X",
        "cat": cat,
        "name": "gemm",
        "pid": device,
        "tid": args["stream"],
        "ts": ts,
        "dur": dur,
        "args": args,
    }


# the inputs of the second table of kineto_critical_path.md, and the edges of the path: kind and weight in us
DIFFERENT = {
    "overlap": (
        [launch(0, 1, 1), launch(11, 1, 2), kernel(10, 10, 1), kernel(18, 4, 2)],
        [("launch_delay", 10), ("work", 8), ("work", 4)],
    ),
    "devices": (
        [launch(0, 1, 1), launch(11, 1, 2), kernel(2, 10, 1), kernel(13, 8, 2, device=1)],
        [("launch_delay", 2), ("work", 10)],
    ),
    "graph": (
        [launch(0, 5, 1, "cudaGraphLaunch"), kernel(10, 2, 1), kernel(13, 1, 1)],
        [("launch_delay", 10), ("work", 2), ("kernel_delay", 1), ("work", 1)],
    ),
    "cooperative": (
        [launch(0, 5, 1, "cudaLaunchCooperativeKernel"), kernel(10, 2, 1)],
        [("launch_delay", 10), ("work", 2)],
    ),
    "loader": (
        [op(LOADER, 0, 100, "user_annotation"), op("aten::stack", 20, 70)],
        [("loader", 20), ("loader", 70), ("loader", 10)],
    ),
    "gloo": ([op("gloo:all_reduce", 0, 50, "user_annotation")], [("host", 50)]),
    "hip": (
        [op("aten::mul", 0, 10), op("hipDeviceSynchronize", 10, 50, "cuda_runtime"), op("aten::mul", 60, 5)],
        [("host", 10), ("sequence", 0), ("wait", 0), ("sequence", 0), ("host", 5)],
    ),
    "late": (
        [
            launch(0, 1, 1),
            op("cudaStreamSynchronize", 5, 5, "cuda_runtime", correlation=2),
            kernel(4, 7, 1),
            kernel(5, 4, 2, cat="cuda_sync") | {"name": "Stream Sync"},
        ],
        [("launch_delay", 4), ("work", 7)],
    ),
    "fractions": ([op("aten::mul", 0.2, 1.7)], [("host", 1.7)]),
}


def test_minimal_inputs_show_the_differences_from_hta(tmp_path):
    with tl.open(tmp_path / "lake", create=True) as session:
        for name, (events, _) in DIFFERENT.items():
            head = {"schemaVersion": 1, "baseTimeNanoseconds": BASE}
            write_trace({**head, "traceEvents": events}, tmp_path / f"{name}.pt.trace.json.gz")
            session.ingest(tmp_path / f"{name}.pt.trace.json.gz", run=name)
        for name, (_, edges) in DIFFERENT.items():
            rows = ask(session, "step.critical_path", name)
            assert [(row["kind"], row["dur"]) for row in rows] == [(kind, round(1000 * us)) for kind, us in edges], name
        bound = {row["run"]: row["bound_by"] for row in list(session.query("step.critical_path"))}
        assert bound["gloo"] == "communication"
