"""PyTorch traces for tests: generated traces, and their exact content, read without our decoder."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from decimal import Decimal
from itertools import pairwise

import tracelake as tl

# figures of one trace with devices, memory and stacks
FIGURES = [
    "step_breakdown",
    "temporal_breakdown",
    "kernel_top",
    "comm_overlap",
    "idle_breakdown",
    "queue_length",
    "launch_delay",
    "operator_treemap",
    "function_flame",
    "memory_curve",
    "memory_bandwidth",
    "trace_timeline",
    "critical_path",
]
DEVICE = {"kernel": "kernel", "gpu_memcpy": "memory", "memcpy": "memory", "gpu_memset": "memory", "memset": "memory"}


def read(path):
    """Returns the whole trace; fractions are decimals."""
    unpack = gzip.open if path.suffix == ".gz" else open
    with unpack(path, "rt", encoding="utf-8", errors="replace") as file:
        return json.loads(file.read(), parse_float=Decimal, strict=False)


def intervals(trace):
    """Returns the complete events: `cat` in lower case, `ts` and `end` in ns since the Unix epoch."""
    base = trace.get("baseTimeNanoseconds", 0)
    result = []
    for event in trace["traceEvents"]:
        if event.get("ph") == "X" and "dur" in event:
            ts = int(Decimal(event["ts"]) * 1000) + base
            changed = {"cat": event["cat"].lower(), "ts": ts, "end": ts + int(Decimal(event["dur"]) * 1000)}
            result.append({**event, **changed, "args": event.get("args", {})})
    return result


def device_work(trace):
    """Returns kernels, copies and fills, with the `type` from their names and categories."""
    work = [{**event, "type": DEVICE[event["cat"]]} for event in intervals(trace) if event["cat"] in DEVICE]
    for event in work:
        if event["type"] == "kernel":
            event["type"] = "communication" if re.search("nccl|multimem", event["name"].lower()) else "computation"
    return work


def moments(work, key):
    """Returns the total time for each set of concurrent `key(event)` values, by a scan over all moments."""
    marks = sorted({event[side] for event in work for side in ("ts", "end")})
    starts, ends = {}, {}
    for event in work:
        starts.setdefault(event["ts"], []).append(key(event))
        ends.setdefault(event["end"], []).append(key(event))
    open_, lengths = {}, {}
    for begin, until in pairwise(marks):
        for value in starts.get(begin, []):
            open_[value] = open_.get(value, 0) + 1
        for value in ends.get(begin, []):
            open_[value] = open_.get(value, 0) - 1
        now = frozenset(value for value, count in open_.items() if count > 0)
        lengths[now] = lengths.get(now, 0) + until - begin
    return lengths


def generate(shared, out, *arguments):
    """Returns traces of the generator: the files without and with the exact truth."""
    tool = shared / "tools" / "gen_kineto.py"
    subprocess.run([sys.executable, str(tool), "--out", str(out), *arguments], check=True, capture_output=True)
    truths = sorted(out.glob("*.truth.json"))
    profiles = [(out / truth.name.removesuffix(".truth.json"), json.loads(truth.read_text())) for truth in truths]
    for truth in truths:
        truth.unlink()
    return profiles


def ask(session, query, run, **params):
    """Returns the rows of a canned query for one run."""
    return list(session.query(query, run, **params))


def tuples(session, sql):
    """Returns the rows of a query as tuples."""
    return [tuple(row.values()) for row in session.sql(sql).rows()]


@contextmanager
def lake_of(shared, files, folder):
    """Ingests each of these shared traces as a run."""
    with tl.open(folder / "lake", create=True) as session:
        for run, file in files.items():
            alone = folder / run
            alone.mkdir()
            shutil.copy(shared / "data" / "kineto" / file, alone)
            session.ingest(alone, run=run)
        yield session


def plugin_profile(shared, folder, key):
    """Returns the results of the TensorBoard plugin for the trace of this key."""
    return json.loads((shared / "oracle" / "kineto" / folder / "tb.json").read_text())["profiles"][key]
