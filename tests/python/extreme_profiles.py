"""Writes profiles with extreme values: each is small, and names what it stresses.

`write_all(folder, seed)` writes all of them and returns their paths by name of the run.
"""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WEEK_US = 7 * 86_400 * 10**6
"""The longest duration of an event that queries use, in microseconds."""
EXTREMES: list[Any] = [
    *(sign * value for sign in (1, -1) for value in (0, 1, 2**31, 2**53, 2**60 - 1, 2**62 - 1, 2**63 - 1, 2**64)),
    *(sign * value for sign in (1, -1) for value in (1e-300, 0.5, 1e15, 1e18, 1e20, 1e300)),
]
CATEGORIES = ["cpu_op", "user_annotation", "cuda_runtime", "kernel", "gpu_memcpy", "gpu_memset", "python_function"]


def event(cat: str, name: str, ts: object, dur: object, tid: int = 1, **args: object) -> dict[str, Any]:
    """Returns a complete event of a trace; times are in microseconds."""
    return {"ph": "X", "cat": cat, "name": name, "pid": 1, "tid": tid, "ts": ts, "dur": dur, "args": args}


def step(number: int, ts: object, dur: object) -> dict[str, Any]:
    """Returns the mark of a step."""
    return event("user_annotation", f"ProfilerStep#{number}", ts, dur)


def write_trace(path: Path, events: list[dict[str, Any]], rank: int | None = None) -> None:
    """Writes a trace, of a rank if it is given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    info = {} if rank is None else {"distributedInfo": {"rank": rank, "world_size": 2}}
    path.write_text(json.dumps({"schemaVersion": 1, **info, "traceEvents": events}))


def launch(number: int, ts: object, dur: object, device: int = 0) -> list[dict[str, Any]]:
    """Returns a launch, and the kernel that it launched."""
    return [
        event("cuda_runtime", "cudaLaunchKernel", ts, 1, correlation=number),
        event("kernel", "k", ts, dur, 7, correlation=number, device=device, stream=7),
    ]


def write_long_first_steps(folder: Path, _draw: random.Random) -> None:
    """A sixth of the steps last centuries: sums of durations do not fit 64 bits."""
    long = (2**60 - 1) / 1000
    write_trace(folder / "trace.json", [step(n, n * 10, long if n < 20 else 9) for n in range(120)])


def write_distant_ranks(folder: Path, _draw: random.Random) -> None:
    """Two ranks at both ends of time."""
    for rank, ts in enumerate((-(2**60) / 1000, (2**62 - 2) / 1000)):
        events = [step(n, ts + n * 10, 9) for n in range(5)]
        write_trace(folder / f"rank{rank}.json", [*events, *launch(1, ts, 5)], rank)


def write_nested_ranges(folder: Path, _draw: random.Random) -> None:
    """Ranges within ranges, each with a launch: the number of pairs is quadratic."""
    count = 1_500
    ranges = [event("user_annotation", f"range {n % 7}", n * 10, (2 * count - 2 * n) * 10 + 5) for n in range(count)]
    write_trace(folder / "trace.json", [*ranges, *(part for n in range(count) for part in launch(n, n * 10 + 2, 3))])


def write_names_and_steps(folder: Path, _draw: random.Random) -> None:
    """As many names as steps."""
    count = 1_500
    steps = [step(n, n * 100, 90) for n in range(count)]
    write_trace(folder / "trace.json", [*steps, *(event("cpu_op", f"op {n}", n * 100 + 5, 50) for n in range(count))])


def write_equal_correlations(folder: Path, _draw: random.Random) -> None:
    """All launches have one correlation."""
    work = [part for n in range(1_500) for part in launch(7, n * 10, 5)]
    write_trace(folder / "trace.json", [step(0, 0, 20_000), *work])


def write_one_long_step(folder: Path, _draw: random.Random) -> None:
    """One step is as long as all others a million times."""
    steps = [step(n, n * 10, 9) for n in range(1_500)]
    work = [part for n in range(1_500) for part in launch(n, n * 10 + 1, 5)]
    write_trace(folder / "trace.json", [*steps, *work, step(1_500, 10**6, WEEK_US)])


def write_many_devices(folder: Path, _draw: random.Random) -> None:
    """Each kernel has a device of its own."""
    write_trace(folder / "trace.json", [part for n in range(1_000) for part in launch(n, n * 10, 5, n)])


def write_long_waits(folder: Path, _draw: random.Random) -> None:
    """Loader timings with waits of centuries: sums of eight do not fit 64 bits."""
    folder.mkdir(parents=True)
    wait = (2**60 - 1) / 10**9
    rows = [f"{n},{wait if n % 2 else 0.5},{wait if n % 3 else 0.1}" for n in range(40)]
    (folder / "timings.csv").write_text("\n".join(["batch,load_s,compute_s", *rows]) + "\n")


def write_many_calls(folder: Path, _draw: random.Random) -> None:
    """Operators and copies of a week each, more than 64 bits together."""
    events = [event("cpu_op", "op", n, WEEK_US, n) for n in range(16_000)]
    copies = [
        event("gpu_memcpy", "Memcpy HtoD", n, WEEK_US, 7, device=0, stream=7, bytes=2**62 - 1, correlation=n)
        for n in range(8)
    ]
    write_trace(folder / "trace.json", [step(0, 0, 100), *events, *copies])


def write_random_trace(folder: Path, draw: random.Random) -> None:
    """Values drawn from the extremes, for times, durations and attributes."""
    keys = ["correlation", "External id", "device", "stream", "bytes", "Bytes", "queued", "est. achieved occupancy %"]

    def value(usual: object) -> object:
        return usual if draw.random() < 0.7 else draw.choice(EXTREMES)

    events = [step(value(n), value(n * 100), value(90)) for n in range(12)]
    for n in range(150):
        args = {key: value(n % 9) for key in keys if draw.random() < 0.5}
        name = draw.choice(["a", "b", "cudaLaunchKernel", "ncclKernel_AllReduce", "DataLoader.__next__"])
        events.append(event(draw.choice(CATEGORIES), name, value(n * 8), value(6), value(1), **args))
        counter = {"Device Type": value(1), "Addr": value(n), "Bytes": value(64), "Total Allocated": value(128)}
        events.append({"ph": "i", "name": "[memory]", "pid": 1, "tid": 1, "ts": value(n * 8), "args": counter})
    write_trace(folder / "trace.json", events)


def write_random_timings(folder: Path, draw: random.Random) -> None:
    """Loader timings drawn from the extremes."""
    folder.mkdir(parents=True)
    rows = [[n, *(draw.choice(EXTREMES) if draw.random() < 0.3 else 0.5 for _ in range(3))] for n in range(60)]
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    (folder / "timings.csv").write_text("batch,load_s,compute_s,total_s\n" + text)


def write_random_metrics(folder: Path, draw: random.Random) -> None:
    """System metrics of SageMaker drawn from the extremes."""
    path = folder / "profiler-output" / "system" / "incremental" / "2021010100" / "1609459200.algo-1.json"
    path.parent.mkdir(parents=True)
    lines = []
    for n in range(200):
        kind = draw.choice(["cpu", "gpu", "i/o", "network", "memory"])
        number = draw.choice(EXTREMES) if draw.random() < 0.2 else 50.0
        ts = draw.choice(EXTREMES) if draw.random() < 0.02 else 1609459200.0 + n / 2
        row = {
            "Type": kind,
            "Name": f"{kind}{n % 4}",
            "Dimension": "",
            "Value": number,
            "Timestamp": ts,
            "NodeId": "algo-1",
        }
        lines.append(json.dumps(row))
    path.write_text("\n".join(lines) + "\n")


WRITERS: dict[str, Callable[[Path, random.Random], None]] = {
    name.removeprefix("write_"): writer
    for name, writer in list(globals().items())
    if name.startswith("write_") and name != "write_trace"
}


def write_all(folder: Path, seed: int) -> dict[str, Path]:
    """Writes a profile of each kind and returns the paths by name."""
    for name, writer in WRITERS.items():
        writer(folder / name, random.Random(f"{seed} {name}"))
    return {name: folder / name for name in WRITERS}
