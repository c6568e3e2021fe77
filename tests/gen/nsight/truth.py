"""Computes the truth of an export: plain sums over its rows."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from nsight.job import METRICS, SECRETS, session_start
from nsight.schema import COPIES, columns

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from nsight.job import Rank, Row, Rows


PUSH_POP, START_END, MARK = 59, 60, 34  # types of what NVTX marks
RANGES = (PUSH_POP, START_END)


def union(spans: Iterable[tuple[int, int]]) -> int:
    """Returns the time that the intervals cover."""
    covered, till = 0, None
    for start, end in sorted(spans):
        covered += max(0, end - (start if till is None else max(start, till)))
        till = end if till is None else max(till, end)
    return covered


def measure(rows: list[Row]) -> dict[str, int]:
    """Returns the row count, the total duration, and the covered time."""
    spans = [(row["start"], row["end"]) for row in rows]
    return {"n": len(rows), "dur": sum(end - start for start, end in spans), "union": union(spans)}


def is_step(row: Row) -> bool:
    """Returns whether a row of NVTX marks a step."""
    return (row.get("text") or "").startswith("iteration ")


def summed(rows: list[Row], name: Callable[[Row], str], size: str | None = None) -> dict[str, dict[str, int]]:
    """Returns for each name the row count, the total duration, and the bytes."""
    sums: dict[str, dict[str, int]] = {}
    for row in rows:
        entry = sums.setdefault(name(row), {"n": 0, "dur": 0})
        entry["n"] += 1
        entry["dur"] += row["end"] - row["start"]
        if size:
            entry["bytes"] = entry.get("bytes", 0) + row[size]
    return sums


def operations(rows: Rows, graphs: str) -> dict[int, list[Row]]:
    """Returns the device work by the correlation of its launch; for a graph with nodes, the nodes."""
    rows_by_operation: dict[int, list[Row]] = {}
    tables = ["KERNEL", "MEMCPY", "MEMSET"] + (["GRAPH_TRACE"] if graphs == "graph" else [])
    for table in tables:
        for row in rows.get(f"CUPTI_ACTIVITY_KIND_{table}", []):
            if row.get("correlationId") is not None:
                rows_by_operation.setdefault(row["correlationId"], []).append(row)
    return rows_by_operation


def projections(rows: Rows, graphs: str) -> Iterator[tuple[Row, list[Row]]]:
    """Yields each range of a single thread with the device work that was launched within it."""
    calls = rows.get("CUPTI_ACTIVITY_KIND_RUNTIME", [])
    work = operations(rows, graphs)
    for event in rows.get("NVTX_EVENTS", []):
        if event["eventType"] not in RANGES or event["end"] is None:
            continue
        thread = event["globalTid"]
        if event["eventType"] == START_END and event["endGlobalTid"] != thread:
            continue
        within = [
            c for c in calls if c["globalTid"] == thread and event["start"] <= c["start"] and c["end"] <= event["end"]
        ]
        launched = [row for call in within for row in work.get(call["correlationId"], [])]
        if launched:
            yield event, launched


def truth(rank: Rank, rows: Rows) -> Row:
    """Returns the numbers of a part of an export that can be added up."""
    tables = {table: len(table_rows) for table, table_rows in rows.items() if columns(table, new=rank.new)}
    severities = Counter(str(row["severity"]) for row in rows.get("DIAGNOSTIC_EVENT", []))
    return {
        "tables": tables,
        **device_truth(rank, rows),
        **host_truth(rank, rows),
        **range_truth(rank, rows),
        "problem": severities,
    }


def device_truth(rank: Rank, rows: Rows) -> Row:
    """Returns kernels, copies, fills, graphs and measurements. `work` has each graph once."""
    tables = ("KERNEL", "MEMCPY", "MEMSET", "GRAPH_TRACE")
    kernels, copies, fills, graphs = (rows.get(f"CUPTI_ACTIVITY_KIND_{table}", []) for table in tables)
    work = kernels + copies + fills + (graphs if rank.graphs == "graph" else [])
    metrics: dict[str, Counter[str]] = {}
    for row in rows.get("GPU_METRICS", []):
        metrics.setdefault(METRICS[row["metricId"]], Counter()).update({"n": 1, "sum": row["value"]})
    names = rank.strings.texts()
    return {
        "kernel": measure(kernels),
        "kernel_by_name": summed(kernels, lambda row: names[row["demangledName"]]),
        "memcpy": summed(copies, lambda row: COPIES[row["copyKind"]], "bytes"),
        "memset": summed(fills, lambda _: "memset", "bytes"),
        "graph": measure(graphs),
        "graph_node": {"n": sum(row.get("graphNodeId") is not None for row in kernels + fills)},
        "work": measure(work),
        "metric": metrics,
    }


def host_truth(rank: Rank, rows: Rows) -> Row:
    """Returns the calls into runtime, driver and operating system; names have no interface version."""
    names = rank.strings.texts()
    calls, system = rows.get("CUPTI_ACTIVITY_KIND_RUNTIME", []), rows.get("OSRT_API", [])
    classes = {0: "runtime", 1: "driver"}
    return {
        "api": summed(calls, lambda row: names[row["nameId"]].split("_v")[0]),
        "api_kind": Counter(classes[row["eventClass"]] for row in calls),
        "sync": summed(rows.get("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", []), lambda row: str(row["syncType"])),
        "os_call": summed([row for row in system if row["eventClass"] == 27], lambda row: names[row["nameId"]]),
        "os_marker": sum(row["eventClass"] != 27 for row in system),
        "allocated_bytes": sum(row["bytes"] for row in rows.get("CUDA_GPU_MEMORY_USAGE_EVENTS", [])),
    }


def range_truth(rank: Rank, rows: Rows) -> Row:
    """Returns NVTX ranges by name, steps separately, and their projection onto the device."""
    names = rank.strings.texts()
    # values that look like secrets are masked in a lake
    name = lambda row: (row.get("text") or names[row["textId"]]).replace(SECRETS["access key"], "AKIA***")  # noqa: E731
    events = rows.get("NVTX_EVENTS", [])
    ranges = [row for row in events if row["eventType"] in RANGES and not is_step(row)]
    projected: dict[str, Counter[str]] = {}
    for event, launched in projections(rows, rank.graphs):
        if not is_step(event):
            dur = max(row["end"] for row in launched) - min(row["start"] for row in launched)
            times = {"n": 1, "ops": len(launched), "projected": dur, "dur": event["end"] - event["start"]}
            projected.setdefault(name(event), Counter()).update(times)
    return {
        "nvtx": summed([row for row in ranges if row["end"] is not None], name),
        "nvtx_open": sum(row["end"] is None for row in ranges),
        "nvtx_mark": sum(row["eventType"] == MARK for row in events),
        "projection": projected,
    }


def add_numbers(total: Row, part: Row, times: int = 1) -> Row:
    """Adds the numbers of another part, a number of times."""
    for key, value in part.items():
        if isinstance(value, dict):
            add_numbers(total.setdefault(key, {}), value, times)
        else:
            total[key] = total.get(key, 0) + value * times
    return total


def steps(rank: Rank) -> Iterator[Row]:
    """Returns the steps with their times since the Unix epoch, and their projection onto the device."""
    for event, launched in projections(rank.block, rank.graphs):
        if is_step(event):
            first, last = min(row["start"] for row in launched), max(row["end"] for row in launched)
            begin = session_start(rank.rank)
            yield {
                "step": event["int64Value"],
                "ts": begin + event["start"],
                "dur": event["end"] - event["start"],
                "projected_ts": begin + first,
                "projected_dur": last - first,
                "ops": len(launched),
            }
