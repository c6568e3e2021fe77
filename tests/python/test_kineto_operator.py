"""Operators, modules, Python functions and annotations of PyTorch traces: compared with brute force and other tools.

`tests/oracle/kineto_host.md` says which table of the other tools is compared with which query, and which is not.
"""

import csv
import json
import re
from collections import Counter, defaultdict

import pytest

import tracelake as tl
from kineto_trace import ask, generate, intervals, read
from shared_trace import run_of

pytestmark = pytest.mark.slow

QUERIES = [
    "operator.summary",
    "operator.by_shape",
    "operator.by_stack",
    "operator.call_tree",
    "operator.flops",
    "function.python_trace",
    "function.modules",
    "annotation.summary",
]
LAUNCHES = ("cuda_runtime", "cuda_driver", "runtime")
DEVICE = ("kernel", "gpu_memcpy", "gpu_memset", "memcpy", "memset")

# Operators of the plugin that are compared: it takes a launch by its external id, which is wrong in the A100 and V100
# traces of 2022, and knows no driver calls, which launch the products of matrices of H100 and B200. With doubles the
# absolute times of the 2024 trace are steps of 0.25 us.
COMPARED = {
    "rn50_nw0": "tb/resnet50_num_workers_0/worker0.1623143089861*",
    "torch_nw0_slow": "torch/tb_handler/nw0_slow/worker0.1795225480952904378*",
    "torch_full_options": "torch/full_options_stack_modules_flops*",
    "torch_plain_no_steps": "torch/plain_no_steps.json",
    "mi300x_bert": "tracelens/mi300/*",
    "amd_mi250": "hta/amd_trace/*",
}
# The plugin merges a call with its only nested call of the same name, and adds up recursion.
RECURSIVE = {"rn50_nw0": {"aten::div"}, "amd_mi250": {"aten::mse_loss_backward"}}


def host_calls(trace, frames):
    """Returns the host threads: frames and launches, each with its device work."""
    events = intervals(trace)
    work = Counter()
    for event in events:
        if event["cat"] in DEVICE:
            work[event["args"]["correlation"]] += event["end"] - event["ts"]
    threads = defaultdict(list)
    for event in events:
        if event["name"].startswith("ProfilerStep"):
            continue
        frame = frames(event)
        if frame or event["cat"] in LAUNCHES:
            caused = work[event["args"].get("correlation")] if event["cat"] in LAUNCHES else 0
            threads[event["pid"], event["tid"]].append({**event, "frame": frame, "work": caused})
    return threads


def nested(threads):
    """Returns the frames with their content by brute force: `chain` of names, own time, work."""
    result = []
    for events in threads.values():
        events.sort(key=lambda event: (event["ts"], event["ts"] - event["end"], not event["frame"]))
        for event in events:
            event.update(parent=None, inside=[])
        for index, event in enumerate(events):
            for other in reversed(events[:index]):
                if other["frame"] and other["end"] >= event["end"] and other["end"] > event["ts"]:
                    event["parent"] = other
                    other["inside"].append(event)
                    break
        for event in reversed(events):
            event["total"] = event["work"] + sum(inner["total"] for inner in event["inside"])
            own = [inner["work"] for inner in event["inside"] if not inner["frame"]]
            event["own_work"] = event["work"] + sum(own)
            covered, reached = 0, event["ts"]
            for inner in sorted(event["inside"], key=lambda inner: inner["ts"]):
                covered += max(0, inner["end"] - max(reached, inner["ts"]))
                reached = max(reached, inner["end"])
            event["own"] = event["end"] - event["ts"] - covered
        for event in events:
            above, chain = event["parent"], [event["name"]]
            while above:
                chain.append(above["name"])
                above = above["parent"]
            event["chain"] = tuple(reversed(chain))
            event["outermost"] = event["name"] not in event["chain"][:-1]
        result += [event for event in events if event["frame"]]
    return result


def summed(frames, key):
    """Returns calls, time, own time, work and own work by `key`."""
    sums = defaultdict(lambda: [0, 0, 0, 0, 0])
    for frame in frames:
        outermost = frame["outermost"] or key(frame) == frame["chain"]
        values = (
            1,
            (frame["end"] - frame["ts"]) * outermost,
            frame["own"],
            frame["total"] * outermost,
            frame["own_work"],
        )
        sums[key(frame)] = [a + b for a, b in zip(sums[key(frame)], values, strict=True)]
    return dict(sums)


def rows_by_key(rows, key):
    result = {}
    for row in rows:
        values = [row[name] for name in ("n", "host_total", "host_self", "device_total", "device_self")]
        assert key(row) not in result
        result[key(row)] = values
    return result


def chains(rows, name):
    """Returns the rows of a tree by the names from the root."""
    by_id = {row["path_id"]: row for row in rows}

    def chain(row):
        return (*chain(by_id[row["parent_id"]]), row[name]) if row["parent_id"] is not None else (row[name],)

    assert all(row["depth"] == len(chain(row)) - 1 for row in rows)
    return rows_by_key(rows, chain)


def is_operator(event):
    return event["cat"] in ("cpu_op", "operator", "user_annotation")


def is_python(event):
    return event["cat"] == "python_function"


def is_module(event):
    return is_python(event) and event["name"].startswith("nn.Module: ")


@pytest.fixture(scope="module")
def generated(shared, tmp_path_factory):
    """A trace with Python functions and modules, and its session."""
    out = tmp_path_factory.mktemp("operator") / "run"
    ((file, _),) = generate(shared, out, "--steps", "2", "--kernels-per-step", "40", "--nccl", "2", "--stack")
    with tl.open(out, ephemeral=True) as session:
        yield read(file), session


def test_operators_equal_a_computation_over_all_pairs(generated):
    trace, session = generated
    frames = nested(host_calls(trace, is_operator))
    operators = [frame for frame in frames if frame["cat"] == "cpu_op"]
    assert rows_by_key(ask(session, "operator.summary", None), lambda row: row["name"]) == summed(
        operators, lambda frame: frame["name"]
    )

    def shape(frame):
        return (frame["name"], json.dumps(frame["args"]["Input Dims"], separators=(",", ":")))

    assert rows_by_key(ask(session, "operator.by_shape", None), lambda row: (row["name"], row["shapes"])) == summed(
        operators, shape
    )
    assert chains(ask(session, "operator.call_tree", None), "name") == summed(frames, lambda frame: frame["chain"])


def test_python_functions_equal_a_computation_over_all_pairs(generated):
    trace, session = generated
    frames = nested(host_calls(trace, lambda event: is_operator(event) or is_python(event)))
    tree = chains(ask(session, "operator.call_tree", None, python=True), "name")
    assert tree == summed(frames, lambda frame: frame["chain"])

    threads = host_calls(trace, is_python)
    for events in threads.values():
        for event in events:
            if not event["frame"]:
                event["end"] = event["ts"]  # a launch passes on its work, and takes no time of a function
    functions = summed(nested(threads), lambda frame: frame["name"])

    def name(row):
        return f"{row['file']}({row['line']}): {row['function']}" if row["file"] else row["function"]

    assert rows_by_key(ask(session, "function.python_trace", None), name) == functions


def test_modules_and_stacks_equal_a_computation_over_all_pairs(generated):
    trace, session = generated
    threads = host_calls(trace, is_module)
    for event in intervals(trace):
        if event["cat"] == "cpu_op":
            threads[event["pid"], event["tid"]].append({**event, "frame": False, "work": 0})
    modules = summed(nested(threads), lambda frame: tuple(name.removeprefix("nn.Module: ") for name in frame["chain"]))
    assert {key: value[0] for key, value in modules.items()} == {
        (f"Block_{n}",): modules[f"Block_{n}",][0] for n in range(24)
    }
    actual = chains(ask(session, "function.modules", None), "module")
    assert {key: value[:3] for key, value in actual.items()} == {key: value[:3] for key, value in modules.items()}

    both = nested(host_calls(trace, lambda event: event["cat"] == "cpu_op" or is_python(event)))
    calls = Counter()
    for frame in both:
        if frame["cat"] == "cpu_op":
            around = [name for name in reversed(frame["chain"][:-1]) if not name.startswith(("aten::", "autograd::"))]
            calls[frame["name"], ";".join(around) or None] += 1
    stacks = ask(session, "operator.by_stack", None)
    assert {(row["name"], row["stack"]): row["n"] for row in stacks} == calls
    by_name = {row["name"]: row for row in ask(session, "operator.summary", None)}
    for column in ("n", "host_self", "device_self"):
        sums = Counter()
        for row in stacks:
            sums[row["name"]] += row[column]
        assert sums == Counter({name: row[column] for name, row in by_name.items()})


@pytest.mark.parametrize("name", COMPARED)
def test_operators_equal_the_plugin(shared, every_trace, name):
    plugin = json.loads((shared / "oracle" / "kineto" / name / "tb.json").read_text())["profiles"]["('worker0', '1')"]
    columns = {
        "host_total_duration": "host_total",
        "host_self_duration": "host_self",
        "device_total_duration": "device_total",
        "device_self_duration": "device_self",
    }
    session, runs = every_trace
    run = run_of(runs, COMPARED[name])
    for table, query in (
        ("operation_table_by_name", "operator.summary"),
        ("operation_table_by_name_input", "operator.by_shape"),
    ):

        def key(row, shapes):
            return row["name"], re.sub(r"\s", "", row.get(shapes) or "[]")

        mine = {key(row, "shapes"): row for row in ask(session, query, run)}
        theirs = {key(row, "input_shape"): row for row in plugin[table]["data"]}
        assert mine.keys() == theirs.keys()
        for operator, row in theirs.items():
            if operator[0] in RECURSIVE.get(name, ()):
                continue
            assert mine[operator]["n"] == row["calls"], operator
            for column, rows_by_key in columns.items():
                # whole microseconds of sums of doubles
                if column in row:
                    assert mine[operator][rows_by_key] / 1000 == pytest.approx(row[column], abs=1.0), (operator, column)


def test_modules_equal_the_plugin(shared, every_trace):
    plugin = json.loads((shared / "oracle" / "kineto" / "torch_full_options" / "tb.json").read_text())["profiles"]
    expected = {}

    def walk(module, around):
        chain = (*around, module["name"])
        expected[chain] = [module["occurences"], module["host_duration"], module["self_host_duration"]]
        for child in module["children"]:
            walk(child, chain)

    view = plugin["('worker0', '1')"]["module_view"]
    for module in view["data"] if isinstance(view, dict) else view:
        walk(module, ())
    session, runs = every_trace
    actual = chains(ask(session, "function.modules", run_of(runs, COMPARED["torch_full_options"])), "module")
    assert len(actual) == 12
    assert actual.keys() == expected.keys()
    for chain, (n, total, own) in expected.items():
        assert actual[chain][0] == n
        assert actual[chain][1] / 1000 == pytest.approx(total, abs=0.01)
        assert actual[chain][2] / 1000 == pytest.approx(own, abs=0.01)


@pytest.mark.parametrize(
    ("name", "pattern", "folder"),
    [
        ("alexnet_a100", "hta/critical_path/alexnet/*", "hta"),
        ("simple_add_a100", "hta/critical_path/simple_add/*", "hta"),
        ("cupti_a100", "hta/cupti_profiler/*", "hta"),
        ("rank_non_gpu", "hta/rank_non_gpu/*", "hta"),
        ("cpu_only_gloo", "hta/cpu_only/*", "hta"),
        ("mtia_inference", "hta/mtia_inference_trace/*", "hta"),
        ("triton_example", "hta/triton_example/*", "hta"),
        ("b200_eager", "tracelens/b200/*", "hta"),
        ("h100_bert", "tracelens/h100/*", "hta"),
        ("mi300x_bert", "tracelens/mi300/*", "hta"),
        ("ns_v100", "hta/ns_resolution_trace/*", "hta_include_last_step"),
        ("diff_control_a100", "hta/trace_diff/control/*", "hta_include_last_step"),
    ],
)
def test_annotations_equal_hta(shared, every_trace, name, pattern, folder):
    """HTA rounds both ends of an interval inwards to whole microseconds if a trace has fractions."""
    compared = 0
    session, runs = every_trace
    rows = ask(session, "annotation.summary", run_of(runs, pattern))
    for side in ("cpu", "gpu"):
        file = shared / "oracle" / "kineto" / name / folder / f"user_annotation_breakdown_{side}.csv"
        if not file.exists():
            continue
        mine = {row["name"]: row for row in rows if (row["device"] == "cpu") == (side == "cpu")}
        with file.open(newline="") as text:
            for row in csv.DictReader(text):
                rows_by_key = mine.pop(row["name"])
                for column, theirs, off in (
                    ("dur_sum", "sum (us)", 2 * rows_by_key["n"]),
                    ("dur_max", "max (us)", 2),
                    ("dur_min", "min (us)", 2),
                    ("dur_mean", "mean (us)", 2),
                ):
                    assert rows_by_key[column] / 1000 == pytest.approx(float(row[theirs]), abs=off), (
                        side,
                        row["name"],
                        column,
                    )
                compared += 1
        assert not mine, side
    assert compared


def test_every_trace_has_a_result(every_trace):
    """Includes traces without a device, operators or shapes: no rows, but never an error."""
    session, _ = every_trace
    rows = {query: ask(session, query, None) for query in QUERIES}

    def by_operator(query):
        totals = defaultdict(lambda: [0, 0, 0])
        for row in rows[query]:
            sums = totals[row["run"], row["rank"], row["name"]]
            for index, column in enumerate(("n", "host_self", "device_self")):
                sums[index] += row[column]
        return totals

    assert len(rows["operator.summary"]) > 500
    assert by_operator("operator.by_shape") == by_operator("operator.summary")
    assert by_operator("operator.by_stack") == by_operator("operator.summary")
    for row in rows["operator.summary"]:
        assert 0 <= row["host_self"] <= row["host_total"], row
        assert 0 <= row["device_self"] <= row["device_total"], row
    rows["operator.call_tree"] = [row for row in rows["operator.call_tree"] if row["category"] == "operator"]
    assert by_operator("operator.call_tree") == by_operator("operator.summary")


def test_ids_of_a_tree_refer_to_its_nodes(every_trace):
    session, _ = every_trace
    for query in ("operator.call_tree", "function.modules"):
        rows = ask(session, query, None)
        nodes = {(row["run"], row["node"], row["rank"], row["path_id"]) for row in rows}
        assert len(nodes) == len(rows) > 0
        for row in rows:
            assert row["parent_id"] is None or (row["run"], row["node"], row["rank"], row["parent_id"]) in nodes, row
