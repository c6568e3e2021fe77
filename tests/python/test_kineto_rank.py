"""Comparison of ranks and traces: compared with a scan over the raw traces, and with other tools.

`tests/oracle/kineto_rank.md` says which table of the other tools is compared with which query, and which is not.
"""

import csv
import json
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

import tracelake as tl
from kineto_trace import ask, intervals, lake_of, moments, plugin_profile, read

pytestmark = pytest.mark.slow

GENERATOR = Path(__file__).parents[1] / "gen" / "kineto.py"
QUERIES = [
    "rank.stragglers",
    "rank.communication",
    "rank.imbalance",
    "kernel.diff",
    "operator.diff",
]
MICROSECONDS = 1000
BASE = 1_790_857_026_000_000_000
TRANSFERS = {350_000, 500_000}  # bytes of the generator's two reductions
DEVICE = {"kernel", "gpu_memcpy", "gpu_memset"}
HOST = {
    "cpu_op": "operator",
    "user_annotation": "annotation",
    "cuda_runtime": "runtime",
    "python_function": "python",
}
DDP = {
    "torch_ddp_gloo_2ranks": "torch/ddp_gloo_2ranks",
    "trace_filter_2ranks": "hta/trace_filter",
}
PAIRS = {
    "control": "hta/trace_diff/control/control.json.gz",
    "test": "hta/trace_diff/test/test.json.gz",
}


@pytest.fixture(scope="module")
def lake(tmp_path_factory):
    """Two jobs of three ranks in one lake, and their raw events by rank."""
    folder = tmp_path_factory.mktemp("ranks")
    raw = {}
    with tl.open(folder / "lake", create=True) as session:
        for run, seed in [("first", 1), ("second", 2)]:
            out = folder / run
            arguments = [
                "--out",
                out,
                "--steps",
                "9",
                "--ranks",
                "3",
                "--seed",
                str(seed),
            ]
            subprocess.run([sys.executable, GENERATOR, *arguments], check=True)
            session.ingest(out, run=run)
            raw[run] = [intervals(read(path)) for path in sorted(out.glob("*.gz"))]
        yield session, raw


def collectives(ranks):
    """Returns the communication kernels of all ranks by position; all ranks have the same number."""
    result = [
        sorted(
            (e for e in events if "nccl" in e["name"] and e["cat"] == "kernel"),
            key=lambda e: e["ts"],
        )
        for events in ranks
    ]
    assert len({len(kernels) for kernels in result}) == 1
    return list(zip(*result, strict=True))


def union(spans):
    return moments([{"ts": ts, "end": end} for ts, end in spans], lambda _: 1).get(frozenset([1]), 0)


def test_collectives_equal_the_raw_traces(lake):
    session, raw = lake
    for run, ranks in raw.items():
        rows = list(
            session.sql(
                "select * from collective where run = $run order by collective, rank",
                run=run,
            )
        )
        expected = collectives(ranks)
        assert len(rows) == 3 * len(expected)
        for number, kernels in enumerate(expected):
            compared_rows = rows[3 * number : 3 * number + 3]
            shortest = min(e["end"] - e["ts"] for e in kernels)
            starts = [e["ts"] for e in kernels]
            assert shortest in TRANSFERS
            assert [row["rank"] for row in compared_rows] == [0, 1, 2]
            for row, event in zip(compared_rows, kernels, strict=True):
                assert (row["ts"], row["dur"], row["ranks"]) == (
                    event["ts"],
                    event["end"] - event["ts"],
                    3,
                )
                assert (row["transfer"], row["synchronization"]) == (
                    shortest,
                    row["dur"] - shortest,
                )
                assert (row["lateness"], row["skew"]) == (
                    event["ts"] - min(starts),
                    max(starts) - min(starts),
                )
                assert row["is_last"] == (event["ts"] == max(starts))


def test_the_split_of_communication_equals_the_raw_traces(lake):
    session, raw = lake
    for run, ranks in raw.items():
        (rows,) = [ask(session, "rank.communication", run)]
        together = collectives(ranks)
        for rank, events in enumerate(ranks):
            (row,) = [row for row in rows if row["rank"] == rank]
            own = [kernels[rank] for kernels in together]
            shortest = [min(e["end"] - e["ts"] for e in kernels) for kernels in together]
            communication = union((e["ts"], e["end"]) for e in own)
            transfer = union((e["end"] - least, e["end"]) for e, least in zip(own, shortest, strict=True))
            kernels = [e for e in events if e["cat"] == "kernel"]
            both = moments(kernels, lambda e: "nccl" in e["name"])[frozenset([True, False])]
            assert (row["n"], row["matched"]) == (len(own), len(own))
            assert (row["communication"], row["transfer"]) == (communication, transfer)
            assert row["synchronization"] == communication - transfer
            assert row["overlap"] == both
            assert row["overlap_ratio"] == pytest.approx(both / communication)
            lates = [e["ts"] - min(k["ts"] for k in ks) for e, ks in zip(own, together, strict=True)]
            assert row["lateness_mean"] == pytest.approx(sum(lates) / len(lates))
            assert row["skew_max"] == max(max(k["ts"] for k in ks) - min(k["ts"] for k in ks) for ks in together)


def test_stragglers_are_the_ranks_for_which_the_others_wait(lake):
    session, raw = lake
    for run, ranks in raw.items():
        last, held_up, delay, waited = Counter(), Counter(), Counter(), Counter()
        for kernels in collectives(ranks):
            waits = {
                rank: (e["end"] - e["ts"]) - min(k["end"] - k["ts"] for k in kernels) for rank, e in enumerate(kernels)
            }
            late = max(range(3), key=lambda rank: kernels[rank]["ts"])
            last[late] += 1
            held_up[late] += sum(waits.values())
            delay[late] += min(wait for rank, wait in waits.items() if rank != late)
            waited.update(waits)
        rows = ask(session, "rank.stragglers", run)
        assert [row["held_up"] for row in rows] == sorted(held_up.values(), reverse=True) or len(held_up) < 3
        for row in rows:
            rank = row["rank"]
            assert (row["collectives"], row["times_last"]) == (
                len(collectives(ranks)),
                last[rank],
            )
            assert (row["held_up"], row["caused_delay"], row["waited"]) == (
                held_up[rank],
                delay[rank],
                waited[rank],
            )
        # in the generator's job, the loader of the last rank stalls
        assert rows[0]["rank"] == 2
        assert rows[0]["held_up_ratio"] > 0.8


def test_imbalance_compares_mean_steps(lake):
    session, raw = lake
    for run, ranks in raw.items():
        rows = {row["part"]: row for row in ask(session, "rank.imbalance", run)}
        steps = [[e["end"] - e["ts"] for e in events if e["name"].startswith("ProfilerStep#")] for events in ranks]
        means = [sum(durations) / len(durations) for durations in steps]
        assert rows["step"]["dur_mean"] == pytest.approx(sum(means) / 3)
        assert (rows["step"]["dur_min"], rows["step"]["dur_max"]) == (
            pytest.approx(min(means)),
            pytest.approx(max(means)),
        )
        assert rows["step"]["max_rank"] == means.index(max(means))
        parts = defaultdict(lambda: defaultdict(list))
        for row in ask(session, "step.breakdown", run):
            for part in rows.keys() - {"step"}:
                parts[part][row["rank"]].append(row["exposed_loader" if part == "loader" else part])
        for part, by_rank in parts.items():
            means = [sum(by_rank[rank]) / len(by_rank[rank]) for rank in range(3)]
            assert rows[part]["spread"] == pytest.approx(max(means) - min(means)), part
            if max(means):
                assert rows[part]["imbalance"] == pytest.approx(max(means) / (sum(means) / 3)), part
            assert (rows[part]["min_rank"], rows[part]["max_rank"]) == (
                means.index(min(means)),
                means.index(max(means)),
            )
        assert rows["loader"]["max_rank"] == 2
        assert rows["loader"]["imbalance"] > 1.5


def launched_in(events):
    """Returns the step of each event; a kernel belongs to the step of its launch. Steps are half-open."""
    steps = [(int(e["name"].split("#")[1]), e["ts"], e["end"]) for e in events if e["name"].startswith("ProfilerStep#")]
    calls = {e["args"]["correlation"]: e["ts"] for e in events if e["cat"] == "cuda_runtime"}
    for event in events:
        launch_ts = calls[event["args"]["correlation"]] if event["cat"] in DEVICE else event["ts"]
        yield event, next((step for step, ts, end in steps if ts <= launch_ts < end), None)


def counted(raw, kinds, rank=None, step=None):
    """Returns calls and time by name of the events of a run, or of one rank or step of it."""
    counts = defaultdict(lambda: [0, 0])
    for number, events in enumerate(raw):
        if rank in (None, number):
            for event, its in launched_in(events):
                if event["cat"] in kinds and step in (None, its) and not event["name"].startswith("ProfilerStep#"):
                    entry = counts[event["name"]]
                    entry[0] += 1
                    entry[1] += event["end"] - event["ts"]
    return counts


@pytest.mark.parametrize(
    ("query", "kinds"),
    [("kernel.diff", DEVICE), ("operator.diff", HOST.keys() - {"python_function"})],
)
@pytest.mark.parametrize(
    ("base", "arguments"),
    [
        ("first", {"base": "first"}),
        ("first", {"base": "first", "rank": 1}),
        ("first", {"base": "first", "step": 8}),
        (
            "first",
            {"base": "first", "rank": 2, "step": 8, "base_rank": 0, "base_step": 7},
        ),
        ("second", {"base_rank": 0, "rank": 2}),
        ("second", {"base_step": 6, "step": 8}),
        ("second", {}),
    ],
    ids=str,
)
def test_differences_equal_the_raw_traces(lake, query, kinds, base, arguments):
    session, raw = lake
    rows = ask(session, query, "second", **arguments)
    counts = counted(raw["second"], kinds, arguments.get("rank"), arguments.get("step"))
    base_counts = counted(
        raw[base],
        kinds,
        arguments.get("base_rank", arguments.get("rank")),
        arguments.get("base_step", arguments.get("step")),
    )
    assert {row["name"] for row in rows} == counts.keys() | base_counts.keys()
    assert {(row["run"], row["base"]) for row in rows} == {("second", base)}
    for row in rows:
        (n, dur), (base_n, base_dur) = counts[row["name"]], base_counts[row["name"]]
        assert (row["n"], row["dur_sum"], row["base_n"], row["base_dur_sum"]) == (
            n,
            dur,
            base_n,
            base_dur,
        )
        assert (row["n_diff"], row["dur_diff"]) == (n - base_n, dur - base_dur)
        change = "added" if not base_n else "deleted" if not n else "increased" if n > base_n else "decreased"
        assert row["change_kind"] == (change if n != base_n else "unchanged")
        steps = (1 if "step" in arguments else 9) * (1 if "rank" in arguments else 3)
        assert row["steps"] == steps
    assert [row["dur_diff"] for row in rows] == sorted((row["dur_diff"] for row in rows), reverse=True)
    if not arguments:
        assert {row["dur_diff"] for row in rows} == {0}


def test_python_functions_are_compared_on_request(lake):
    session, raw = lake
    rows = ask(session, "operator.diff", "second", base="first", python=True)
    actual = {row["name"]: row for row in rows if row["category"] in ("python", "module")}
    counts = counted(raw["second"], {"python_function"})
    assert {name: [row["n"], row["dur_sum"]] for name, row in actual.items()} == dict(counts)
    assert not [row for row in ask(session, "operator.diff", "second", base="first") if row["category"] == "python"]


def trace(rank, events):
    distributed = {"distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 4}} if rank is not None else {}
    shaped = [{"ph": "X", "pid": 1, "tid": 1, **event} for event in events]
    return {**distributed, "baseTimeNanoseconds": BASE, "traceEvents": shaped}


def kernel(ts, dur, name="ncclDevKernel_AllReduce", **args):
    return {
        "cat": "kernel",
        "name": name,
        "ts": ts,
        "dur": dur,
        "args": {"device": 0, "stream": 7, **args},
    }


def step(number, ts, dur):
    return {
        "cat": "user_annotation",
        "name": f"ProfilerStep#{number}",
        "ts": ts,
        "dur": dur,
    }


def open_traces(folder, traces):
    folder.mkdir()
    for number, lake in enumerate(traces):
        # Letters, because numbers in names can be ranks.
        (folder / f"{'abcdefgh'[number]}.{number + 1}.pt.trace.json").write_text(json.dumps(lake))
    return tl.open(folder, ephemeral=True)


def pairs(session):
    """Returns the starts that were matched as one collective, in us."""
    text = (
        "select collective, rank, (ts - $base) / 1000 as ts from collective where collective is not null order by 1, 2"
    )
    rows = session.sql(text, base=BASE)
    result = defaultdict(dict)
    for row in list(rows):
        result[row["collective"]][row["rank"]] = row["ts"]
    return list(result.values())


def test_a_missing_step_does_not_shift_the_others(tmp_path):
    """Rank 1 started to record a step later: equal positions are not the same collectives."""
    both = [
        step(2, 100, 100),
        kernel(110, 9),
        kernel(150, 9),
        step(3, 200, 100),
        kernel(210, 9),
    ]
    with open_traces(
        tmp_path / "a",
        [trace(0, [step(1, 0, 100), kernel(10, 9), *both]), trace(1, both)],
    ) as session:
        assert pairs(session) == [{0: ts, 1: ts} for ts in (110, 150, 210)]
        rows = ask(session, "rank.communication", None)
        assert [(row["n"], row["matched"]) for row in rows] == [(4, 3), (3, 3)]


def test_a_collective_that_starts_in_another_step_is_still_the_same(tmp_path):
    steps = [step(1, 0, 100), step(2, 100, 100), step(3, 200, 100)]
    ranks = [
        [kernel(10, 9), kernel(90, 30), kernel(210, 9)],
        [kernel(11, 8), kernel(105, 15), kernel(211, 8)],
    ]
    with open_traces(tmp_path / "a", [trace(n, steps + kernels) for n, kernels in enumerate(ranks)]) as session:
        assert pairs(session) == [{0: 10, 1: 11}, {0: 90, 1: 105}, {0: 210, 1: 211}]


def test_collectives_with_different_counts_are_not_compared(tmp_path):
    """Compares step 1; the plugin compares nothing at all here, which ours does."""
    ranks = [
        [kernel(10, 9), kernel(30, 9), kernel(110, 9)],
        [kernel(10, 9), kernel(110, 20)],
    ]
    with open_traces(
        tmp_path / "a",
        [trace(n, [step(1, 0, 100), step(2, 100, 100), *k]) for n, k in enumerate(ranks)],
    ) as session:
        assert pairs(session) == [{0: 110, 1: 110}]
        rows = ask(session, "rank.communication", None)
        assert [(row["matched"], row["transfer"], row["synchronization"]) for row in rows] == [
            (1, 9000, 0),
            (1, 9000, 11_000),
        ]


def test_sequence_numbers_and_process_groups_have_priority(tmp_path):
    def collective(group, sequence, **more):
        return {"Process Group Name": group, "Seq": sequence, **more}

    ranks = [
        [
            kernel(10, 9, **collective("0", 5)),
            kernel(30, 9, **collective("0", 6)),
            kernel(50, 9, **collective("1", 5)),
        ],
        [
            kernel(30, 9, **collective("0", 6)),
            kernel(70, 9, **collective("0", 7)),
            kernel(50, 9, **collective("2", 5)),
        ],
    ]
    alone = {"Collective name": "send"}
    ranks = [[*kernels, kernel(90, 9, "ncclDevKernel_SendRecv", **collective("0", 9, **alone))] for kernels in ranks]
    with open_traces(tmp_path / "a", [trace(n, kernels) for n, kernels in enumerate(ranks)]) as session:
        assert pairs(session) == [{0: 30, 1: 30}]


def test_processes_without_a_rank_and_single_ranks_have_their_communication(tmp_path):
    with open_traces(tmp_path / "a", [trace(None, [kernel(10, 9)]), trace(None, [kernel(10, 9)])]) as session:
        rows = ask(session, "rank.communication", None)
        assert [(row["rank"], row["n"], row["transfer"]) for row in rows] == [(None, 1, None)] * 2
        stragglers = session.rank.stragglers()
        assert len(stragglers) == 0
        assert "no collective was found on two ranks" in str(stragglers)
        assert "no two ranks were recorded" in str(session.rank.imbalance())


def test_a_missing_base_is_an_error(lake):
    session, _ = lake
    with pytest.raises(tl.errors.ArgumentError, match="no run `nobody`"):
        session.kernel.diff("second", base="nobody")
    answer = session.kernel.diff("second", base_span=7)
    assert len(answer) == 0
    assert "one side has no kernels" in str(answer)
    assert ask(session, "operator.diff", "second", base_span=7) == []


def test_every_trace_has_a_result(every_trace):
    """Includes CPU-only traces, single ranks and traces without a rank: rows or none, never an error."""
    session, runs = every_trace
    for query in QUERIES:
        rows = ask(session, query, None)
        assert {row["run"] for row in rows} <= set(runs)
    rows = ask(session, "operator.diff", None)
    assert len({row["run"] for row in rows}) > 20
    assert all(row["run"] == row["base"] and row["change_kind"] == "unchanged" for row in rows)
    for row in ask(session, "rank.communication", None):
        assert 0 <= row["overlap"] <= row["communication"]


@pytest.fixture(scope="module")
def jobs(shared, tmp_path_factory):
    """The jobs with several ranks, each a run, and the two traces that HTA compares."""
    with lake_of(shared, PAIRS, tmp_path_factory.mktemp("jobs")) as session:
        for run, folder in DDP.items():
            session.ingest(shared / "data" / "kineto" / folder, run=run)
        for side in ("base", "test"):
            session.ingest(
                shared / "data" / "kineto" / "hta" / "trace_compare" / side,
                run=f"small_{side}",
            )
        yield session


def test_transfer_and_waiting_equal_the_plugin(shared, jobs):
    """Compares the plugin's table of collectives, and the overlap with host operators over all steps."""
    plugin = plugin_profile(shared, "torch_ddp_gloo_2ranks", "('All', '1')")
    compared = 0
    for rank in (0, 1):
        ours = {
            row["name"]: row for row in ask(jobs, "rank.communication", "torch_ddp_gloo_2ranks") if row["rank"] == rank
        }
        for name, calls, _, _, latency, _, transfer, _ in plugin["comm_ops"]["data"][f"rank{rank}"]["rows"]:
            assert ours[name]["n"] == ours[name]["matched"] == calls
            assert ours[name]["communication"] / MICROSECONDS == pytest.approx(latency, abs=0.01)
            assert ours[name]["transfer"] / MICROSECONDS == pytest.approx(transfer, abs=0.01)
            compared += 1
        steps = [
            of_ranks[f"rank{rank}"] for step, of_ranks in plugin["steps_to_overlap"]["data"].items() if step != "all"
        ]
        overlap = sum(row["overlap"] for row in ours.values()) / MICROSECONDS
        assert overlap == pytest.approx(sum(overlapping for _, overlapping, _, _ in steps), abs=1)
        waits = [
            of_ranks[f"rank{rank}"]
            for step, of_ranks in plugin["steps_to_wait"]["data"].items()
            if step != "all" and f"rank{rank}" in of_ranks
        ]
        # per step, the plugin merges concurrent collectives: the sum of both names is at least as large
        assert (
            sum(row["transfer"] for row in ours.values()) / MICROSECONDS
            >= sum(transferred for transferred, _ in waits) - 1
        )
        whole = sum(row["communication"] for row in ours.values()) / MICROSECONDS
        assert whole == pytest.approx(sum(transferred + waited for transferred, waited in waits), abs=1)
    assert compared == 4


def test_overlap_equals_the_exact_numbers(shared, jobs):
    exact = json.loads((shared / "oracle" / "kineto" / "exact_all_events.json").read_text())
    for run, rank, key in [
        ("trace_filter_2ranks", 0, "trace_filter_rank0"),
        ("trace_filter_2ranks", 1, "trace_filter_rank1"),
        ("control", 3, "diff_control_a100"),
        ("test", 1, "diff_test_v100"),
    ]:
        rows = [row for row in ask(jobs, "rank.communication", run) if row["rank"] == rank]
        assert sum(row["overlap"] for row in rows) == round(exact[key]["comm_comp_overlap_us"] * MICROSECONDS)


def compared(path):
    with path.open() as file:
        for name, *numbers, _ in list(csv.reader(file))[1:]:
            yield name, [float(number) for number in numbers]


def by_name(rows):
    sums = defaultdict(lambda: [0, 0, 0, 0])
    for row in rows:
        for place, column in enumerate(["base_n", "base_dur_sum", "n", "dur_sum"]):
            sums[row["name"]][place] += row[column]
    return sums


SIDES = {
    "CPU": ["operator.diff"],
    "GPU": ["kernel.diff"],
    "ALL": ["operator.diff", "kernel.diff"],
}


@pytest.mark.parametrize("side", SIDES)
def test_trace_diff_equals_hta(shared, jobs, side):
    """Compares the first rank and step of both traces: counts, whole microseconds, and the lists of names."""
    oracle = shared / "oracle" / "kineto" / "trace_diff"
    rows = [row for query in SIDES[side] for row in ask(jobs, query, "test", base="control", step=1009)]
    ours = by_name(rows)
    theirs = dict(compared(oracle / f"compare_traces_{side}.csv"))
    mark = {"ProfilerStep#1009"} & theirs.keys()  # the mark of the step is not an operator
    assert theirs.keys() - ours.keys() == mark
    assert not ours.keys() - theirs.keys()
    for name, (base_n, base_dur, n, dur, n_diff, dur_diff) in theirs.items():
        if name not in mark:
            assert ours[name] == [
                base_n,
                base_dur * MICROSECONDS,
                n,
                dur * MICROSECONDS,
            ], name
            assert (ours[name][2] - ours[name][0], ours[name][3] - ours[name][1]) == (
                n_diff,
                dur_diff * MICROSECONDS,
            )
    lists = json.loads((oracle / f"ops_diff_{side}.json").read_text())
    assert set(lists) == {"added", "deleted", "increased", "decreased", "unchanged"}
    for change, names in lists.items():
        assert {row["name"] for row in rows if row["change_kind"] == change} == set(names) - mark, change


def test_trace_diff_equals_hta_on_its_small_pair(shared, jobs):
    rows = [row for query in SIDES["ALL"] for row in ask(jobs, query, "small_test", base="small_base", step=1009)]
    ours = by_name(rows)
    for name, (base_n, base_dur, n, dur, *_) in compared(
        shared / "oracle" / "kineto" / "trace_diff" / "small_compare_traces.csv"
    ):
        if name != "ProfilerStep#1009":
            assert ours[name] == [
                base_n,
                base_dur * MICROSECONDS,
                n,
                dur * MICROSECONDS,
            ], name
