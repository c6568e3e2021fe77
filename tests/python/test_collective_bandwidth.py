"""Bandwidth of collectives, compared with values computed by hand from the generated sizes and times."""

import json

import pytest

import tracelake as tl

BASE = 1_700_000_000_000_000  # us
MIB = 1 << 20
# name, elements of 4 bytes in and out, ranks of the group, transfer in us, size in bytes, factor
WORLD = [
    ("allreduce", 4 * MIB, 4 * MIB, 1000, 16 * MIB, 2 * 5 / 6),
    ("_allgather_base", MIB, 6 * MIB, 2000, 24 * MIB, 5 / 6),
    ("reduce_scatter_tensor_coalesced", 6 * MIB, MIB, 3000, 24 * MIB, 5 / 6),
    ("all_to_allv", 2 * MIB, 2 * MIB, 500, 8 * MIB, 5 / 6),
    ("broadcast", 2 * MIB, 2 * MIB, 250, 8 * MIB, 1),
]
NAMES = {
    "allreduce": "all_reduce",
    "_allgather_base": "all_gather",
    "reduce_scatter_tensor_coalesced": "reduce_scatter",
    "all_to_allv": "all_to_all",
    "broadcast": "broadcast",
}
# Transfer of 1 Mi elements in each pair of ranks, in us.
PAIRS = {0: 100, 1: 110, 2: 500}
ROUNDS = 4


def notes(name, elements_in, elements_out, size, group):
    return {
        "Collective name": name,
        "dtype": "Float",
        "In msg nelems": elements_in,
        "Out msg nelems": elements_out,
        "Group size": size,
        "Process Group Name": group,
    }


def rank_trace(rank, *, noted_on_host=False, pairs=PAIRS, device="NVIDIA H100 80GB HBM3"):
    """A rank of six. It waits for the later ranks of a group: the collectives end on all of them at once."""
    events, clock = [], 0

    def collective(transfer, last, args):
        nonlocal clock
        clock += 10_000
        call = len(events) + 1
        wait = 10 * (last - rank)
        work = {"device": rank, "stream": 20, "correlation": call, "External id": call}
        if noted_on_host:
            host = {"name": "record_param_comms", "cat": "cpu_op", "ts": BASE + clock - 500, "dur": 20}
            events.append({"ph": "X", "pid": 1, "tid": 1, **host, "args": {"External id": call, **args}})
        else:
            work |= args
        start = {"ts": BASE + clock - wait, "dur": transfer + wait, "pid": rank, "tid": 20}
        events.append({"ph": "X", "cat": "kernel", "name": "ncclDevKernel_Generic()", **start, "args": work})

    for _ in range(ROUNDS):
        for name, elements_in, elements_out, transfer, *_ in WORLD:
            collective(transfer, 5, notes(name, elements_in, elements_out, 6, "0"))
        pair = rank // 2
        collective(pairs[pair], 2 * pair + 1, notes("allreduce", MIB, MIB, 2, f"pair{pair}"))
    return {
        "deviceProperties": [{"id": index, "name": device} for index in range(8)],
        "distributedInfo": {"backend": "nccl", "rank": rank, "world_size": 6},
        "traceEvents": events,
    }


def session_of(folder, **options):
    folder.mkdir()
    for rank in range(6):
        path = folder / f"rank{rank}.1700000000000000000.pt.trace.json"
        path.write_text(json.dumps(rank_trace(rank, **options)))
    return tl.open(folder, ephemeral=True, run="job")


@pytest.mark.parametrize("noted_on_host", [False, True], ids=["on the kernel", "on record_param_comms"])
def test_bandwidth_equals_the_value_computed_by_hand(tmp_path, noted_on_host):
    with session_of(tmp_path / "job", noted_on_host=noted_on_host) as session:
        rows = [row for row in session.collective.bandwidth().rows() if row["rank"] == 3]
    world = {row["operation"]: row for row in rows if row["process_group"] == "0"}
    assert len(world) == len(WORLD)
    for name, _, _, transfer, size, factor in WORLD:
        row = world[NAMES[name]]
        assert (row["bytes"], row["group_size"], row["data_type"]) == (size, 6, "float32")
        assert (row["n"], row["time_min"]) == (ROUNDS, transfer * 1000)
        expected = size / (transfer / 1e6)
        assert row["algorithm_bytes_per_s"] == pytest.approx(expected, rel=1e-9)
        assert row["bus_bytes_per_s"] == pytest.approx(expected * factor, rel=1e-9)
    (pair,) = (row for row in rows if row["process_group"] == "pair1")
    assert pair["bus_bytes_per_s"] == pytest.approx(4 * MIB / 110e-6, rel=1e-9)
    assert all(row["matched"] == ROUNDS for row in rows)


def finding(session):
    (row,) = session.sql("select * from finding_collective_bandwidth_low").rows()
    return row


def test_a_slow_pair_is_a_finding(tmp_path):
    with session_of(tmp_path / "job", device="NVIDIA Made Up") as session:
        row = finding(session)
    # The pairs have 4 MiB in 100, 110 and 500 us: the median is that of 110 us.
    assert (row["outcome"], row["severity"]) == ("found", "warning")
    assert row["value"] == pytest.approx(110 / 500, rel=1e-9)
    assert "process group pair2" in row["sentence"]
    # 4 times on 2 ranks; each takes 390 us more than usual.
    assert row["potential_saving"] == pytest.approx(ROUNDS * 2 * 390_000, rel=1e-6)


def test_links_that_are_not_used_are_a_finding(tmp_path):
    # The fastest large collective: an all-reduce of 16 MiB in 1 ms; the links of an H100 have 450 GB/s.
    with session_of(tmp_path / "job", pairs=dict.fromkeys(range(3), 100)) as session:
        row = finding(session)
    bus = 16 * MIB / 1e-3 * 2 * 5 / 6
    assert row["outcome"] == "found"
    assert row["value"] == pytest.approx(bus / 450e9, rel=1e-9)
    assert "450 GB/s of the links of the device" in row["sentence"]


def test_without_sizes_there_is_no_statement(shared):
    with tl.open(shared / "data/kineto/hta/trace_filter", ephemeral=True) as session:
        assert finding(session)["outcome"] == "no_data"
        rows = list(session.collective.bandwidth().rows())
    assert rows
    assert all(row["bytes"] is None and row["bus_bytes_per_s"] is None for row in rows)
