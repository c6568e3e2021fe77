"""Steps of PyTorch traces: compared with a scan over all moments, the TensorBoard plugin, and well-known numbers.

`tests/oracle/kineto_host.md` says which table of the plugin is compared with which query, and which is not.
"""

import json
import re
from collections import defaultdict
from contextlib import nullcontext

import pytest

import tracelake as tl
from kineto_trace import ask, generate, intervals, read
from shared_trace import run_of

pytestmark = pytest.mark.slow

ROLES = ["kernel", "memcpy", "memset", "communication", "runtime", "exposed_loader", "cpu", "other"]
PLUGIN = ["Kernel", "Memcpy", "Memset", "Communication", "Runtime", "DataLoader", "CPU Exec", "Other"]
STEP = re.compile(r"ProfilerStep\s*#\s*(\d+)")
LOADER = re.compile(r"enumerate\((DataLoader\)#.*\.__next__$|DataPipe\)#)")

# Profile of the oracle and its files in the order of the plugin's spans; where the plugin is wrong, the roles that it
# mixes up are compared as one. `us` is what it may be off: it computes with doubles, which have steps of 0.25 us for
# absolute times.
ALL_BUT_LOADER = ["kernel", "memcpy", "memset", "communication", "runtime", "cpu"]
COMPARED = {
    "rn50_nw0": {"files": "tb/resnet50_num_workers_0/*", "us": 0.001},
    "torch_nw0_slow": {"files": "torch/tb_handler/nw0_slow/*", "us": 0.002},
    "torch_ddp_gloo_2ranks": {"files": "torch/ddp_gloo_2ranks/*.json*", "us": 0.002},
    "torch_plain_no_steps": {"files": "torch/plain_no_steps.json", "us": 0.003},
    "torch_full_options": {"files": "torch/full_options_stack_modules_flops*", "us": 0.003},
    "alexnet_a100": {"files": "hta/critical_path/alexnet/*", "us": 0.001},
    "amd_mi250": {"files": "hta/amd_trace/*", "us": 0.002},
    "mi300x_bert": {"files": "tracelens/mi300/*", "us": 0.005},
    # the plugin does not know driver calls
    "h100_bert": {"files": "tracelens/h100/*", "us": 0.005, "mixed": ["runtime", "cpu"]},
    "b200_eager": {"files": "tracelens/b200/*", "us": 0.005, "mixed": ALL_BUT_LOADER},
    # collectives with ids that do not match, or with other names
    "diff_control_a100": {"files": "hta/trace_diff/control/*", "us": 0.001, "mixed": ALL_BUT_LOADER},
    "ns_v100": {"files": "hta/ns_resolution_trace/*", "us": 12.0},
}


BY_CATEGORY = {
    "gpu_memcpy": "memcpy",
    "memcpy": "memcpy",
    "gpu_memset": "memset",
    "memset": "memset",
    "cuda_runtime": "runtime",
    "cuda_driver": "runtime",
    "runtime": "runtime",
}


def role(event):
    """Returns the role of an event by the profiler's category and name; none if it is not work."""
    category, name = event["cat"], event["name"]
    if category == "kernel":
        return "communication" if "nccl" in name.lower() else "kernel"
    if category not in ("cpu_op", "operator", "user_annotation") or STEP.match(name):
        return BY_CATEGORY.get(category)
    if name.startswith(("nccl:", "gloo:")):
        return "communication"
    return "exposed_loader" if LOADER.match(name) else "cpu"


def host_steps(events):
    """Returns start and end of each step, by number."""
    marks = [(STEP.match(event["name"]), event) for event in events if event["cat"] != "gpu_user_annotation"]
    return {int(mark[1]): (event["ts"], event["end"]) for mark, event in marks if mark}


def extended_steps(events):
    """Returns the steps extended to the end of their launched work, one after the other."""
    launched = defaultdict(list)
    for event in events:
        if role(event) in ("kernel", "memcpy", "memset") or (
            "nccl" in event["name"].lower() and event["cat"] == "kernel"
        ):
            launched[event["args"]["correlation"]].append(event)
    calls = [event for event in events if role(event) == "runtime" and event["args"].get("correlation") in launched]
    host = host_steps(events)
    work = {}
    outside = []
    for call in calls:
        inside = [n for n, (ts, end) in host.items() if ts <= call["ts"] and call["end"] <= end]
        for event in launched[call["args"]["correlation"]]:
            if inside:
                work.setdefault(inside[0], []).append(event)
            else:
                outside.append(event)
    order = sorted(host, key=lambda n: host[n])
    free = host[order[0]][0]
    if order[0] in work:
        first = min(event["ts"] for event in work[order[0]])
        free = max([free, *(event["end"] for event in outside if event["end"] < first)])
    result = {}
    for n in order:
        start = max(free, host[n][0])
        free = max([start, host[n][1], *(event["end"] for event in work.get(n, []))])
        result[n] = (start, free)
    return result


def breakdown(events, steps):
    """Assigns each moment of each step to the first active role, between any two neighboring marks."""
    work = [(event["ts"], event["end"], ROLES.index(role(event))) for event in events if role(event)]
    result = {}
    for n, (start, end) in steps.items():
        clipped = [(max(ts, start), min(till, end), k) for ts, till, k in work if ts < end and till > start]
        changes = defaultdict(lambda: [0] * len(ROLES))
        for ts, till, k in clipped:
            changes[ts][k] += 1
            changes[till][k] -= 1
        previous, running, parts = start, [0] * len(ROLES), dict.fromkeys(ROLES, 0)
        for moment in [*sorted(changes), end]:
            first = next((k for k, count in enumerate(running) if count), ROLES.index("other"))
            parts[ROLES[first]] += moment - previous
            previous = moment
            running = [a + b for a, b in zip(running, changes.get(moment, [0] * len(ROLES)), strict=True)]
        result[n] = parts
    return result


@pytest.mark.parametrize(
    "arguments",
    [
        ("--steps", "4", "--kernels-per-step", "60"),
        ("--steps", "3", "--ranks", "3", "--nccl", "4", "--kernels-per-step", "40", "--seed", "2"),
        (
            "--steps",
            "2",
            "--stack",
            "--streams",
            "4",
            "--kernels-per-step",
            "50",
            "--dataloader-ms",
            "0",
            "--seed",
            "3",
        ),
    ],
    ids=["one rank", "three ranks", "stacks"],
)
def test_the_breakdown_equals_a_scan_over_all_moments(shared, tmp_path, arguments):
    traces = generate(shared, tmp_path / "run", *arguments)
    with tl.open(tmp_path / "run", ephemeral=True) as session:
        for extended, make in ((False, host_steps), (True, extended_steps)):
            ours = ask(session, "step.breakdown", None, extended=extended)
            assert len(ours) == sum(len(truth["steps"]) for _, truth in traces)
            for file, truth in traces:
                events = intervals(read(file))
                steps = make(events)
                rows = {row["step"]: row for row in ours if row["rank"] in (truth["rank"], None)}
                expected = breakdown(events, steps)
                for n, parts in expected.items():
                    assert (rows[n]["ts"], rows[n]["ts"] + rows[n]["dur"]) == steps[n]
                    assert {name: rows[n][name] for name in ROLES} == parts
        host = {(row["rank"], row["step"]): row for row in ask(session, "step.breakdown", None)}
        for _, truth in traces:
            rank = truth["rank"] if (truth["rank"], truth["steps"][0]["step"]) in host else None
            for step in truth["steps"]:
                row = host[rank, step["step"]]
                assert row["dur"] == round(step["step_us"] * 1000)
                assert row["kernel"] == round(step["compute_union_us"] * 1000)
                assert row["exposed_loader"] == round(step["dataloader_us"] * 1000)


def files_of(shared, pattern):
    files = sorted((shared / "data" / "kineto").glob(pattern))
    assert files, pattern
    return files


@pytest.mark.parametrize("name", COMPARED)
def test_the_breakdown_equals_the_plugin(shared, every_trace, name):
    about = COMPARED[name]
    files = files_of(shared, about["files"])
    plugin = json.loads((shared / "oracle" / "kineto" / name / "tb.json").read_text())["profiles"]
    mixed = about.get("mixed", [])
    compared = 0
    everything, runs = every_trace
    # files of one process are spans only if they are ingested together
    together = len(files) > 1
    run = None if together else run_of(runs, about["files"])
    with tl.open(files[0].parent, ephemeral=True) if together else nullcontext(everything) as session:
        ours = {}
        for row in ask(session, "step.breakdown", run, extended=True):
            # the plugin calls a recording without steps step 0
            process = f"rank{row['rank']}" if "2ranks" in name else "worker0"
            ours[process, 1 if "2ranks" in name else row["span"] + 1, row["step"] or 0] = row
        for key, profile in plugin.items():
            process, span = (part.strip(" '()") for part in key.split(","))
            if process == "All":
                continue
            for step, *values in profile["overview"]["steps"]["rows"]:
                columns = profile["overview"]["steps"]["columns"][1:]
                theirs = dict.fromkeys(ROLES, 0.0)
                theirs.update({ROLES[PLUGIN.index(c)]: float(v) for c, v in zip(columns, values, strict=True)})
                row = ours[process, int(span), int(step)]
                for part in ROLES:
                    if part not in mixed:
                        assert row[part] / 1000 == pytest.approx(theirs[part], abs=about["us"]), (key, step, part)
                assert sum(row[part] for part in mixed) / 1000 == pytest.approx(
                    sum(theirs[part] for part in mixed), abs=about["us"] * 6
                )
                compared += 1
    assert compared == sum(len(p["overview"]["steps"]["rows"]) for key, p in plugin.items() if "All" not in key)


def test_the_share_of_the_loader_is_the_time_of_its_waits(shared):
    """The released version of the plugin has 0 for all of the first four."""
    traces = shared / "data" / "kineto"

    def shares(folder, **params):
        with tl.open(traces / folder, ephemeral=True) as session:
            return [
                round(100 * row["exposed_loader_ratio"], 2) for row in ask(session, "step.loader_share", None, **params)
            ]

    assert shares("torch/tb_handler/nw0_slow") == [81.06, 80.94, 75.32, 83.68]
    assert shares("tb/resnet50_num_workers_0", extended=True) == [33.37, 22.92]
    assert shares("torch/ddp_gloo_2ranks")[1] == 45.07


@pytest.mark.parametrize(
    "pattern", ["hta/ns_resolution_trace/*", "hta/trace_diff/control/*", "torch/tb_handler/nw0_slow/*904378*"]
)
def test_events_belong_to_the_step_that_launched_them(shared, every_trace, pattern):
    (file,) = files_of(shared, pattern)
    events = intervals(read(file))
    steps = host_steps(events)
    launches = {}
    for event in events:
        if role(event) == "runtime" and "correlation" in event["args"]:
            launches[event["args"]["correlation"]] = event["ts"]
    expected = defaultdict(int)
    for event in events:
        launch_ts = launches.get(event["args"].get("correlation"), event["ts"])
        step = next((n for n, (start, end) in steps.items() if start <= launch_ts < end), None)
        expected[step, event["cat"]] += 1
    session, runs = every_trace
    actual = session.sql(
        "select s.step, lower(e.raw_category) as cat, count(*) as n from event_step as s "
        "join event as e on e.run = s.run and e.object = s.object and e.row = s.row "
        "where s.run = $run and e.dur is not null group by 1, 2",
        run=run_of(runs, pattern),
    )
    actual = list(actual)
    assert {(row["step"], row["cat"]): row["n"] for row in actual} == expected


def test_every_trace_has_a_result(every_trace):
    """Includes traces without steps, device or operators: the parts always add up to the whole."""
    session, runs = every_trace
    for extended in (False, True):
        rows = ask(session, "step.breakdown", None, extended=extended)
        for row in rows:
            assert sum(row[part] for part in ROLES) == row["dur"], row
            assert min(row[part] for part in ROLES) >= 0, row
        assert len({row["run"] for row in rows}) >= len(runs) - 2
    counts = session.sql("select count(*) - (select count(*) from event where ts is not null) as n from event_step")
    assert list(counts) == [{"n": 0}]
