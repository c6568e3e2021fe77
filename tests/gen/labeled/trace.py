"""Traces of the PyTorch profiler of a data-parallel job, computed from the duration of each part of a step.

A step waits for a batch, works on the host, copies the batch, launches kernels, averages gradients, waits for the
device, and does the occasional work (`rare`). A collective ends on all ranks at once. Layout and names are those of
torch 2.x.
"""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from labeled.case import EPOCH, MS, Planted, Source

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

US = 1_000
COMPUTE, TRANSFER = 7, 20  # streams
GEMM = "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn"
REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
RANK_ROLES = ("loader", "communication")  # roles with a share of the rank that spends most on it
WORKERS, NO_WORKERS = "_MultiProcessingDataLoaderIter", "_SingleProcessDataLoaderIter"


@dataclass(frozen=True)
class Step:
    """Durations of the parts of a step in ms, and its launches."""

    load: float = 0.5
    host: float = 0
    copy: float = 0.2
    pageable: bool = False
    kernels: int = 10
    kernel: float = 9.6
    launch: float = 0.03
    hidden: float = 0
    exposed: float = 0
    rare: float = 0
    rare_name: str = ""
    overhead: float = 0


@dataclass(frozen=True)
class Job:
    """A job: its ranks, its steps, and how some of them differ."""

    step: Step
    steps: int = 24
    ranks: int = 1
    workers: bool = True
    marks: bool = True  # of the loader
    device: bool = True
    jitter: float = 0.03
    init: bool = False  # whether the trace begins with the making of the iterator
    memory: tuple[float, ...] = ()  # shares of the device in use, over the steps
    differs: Callable[[int, int], dict[str, Any]] = lambda _rank, _step: {}
    stack: bool = False
    cut: bool = False
    first: int = 0  # number of the first recorded step
    step_marks: bool = True  # whether the loop calls `prof.step()`
    clock: Callable[[int], float] | None = None  # offset of the clock of each rank in ms; each rank has its own node
    seed: str = ""  # jobs with the same seed have the same durations; empty: the name of the case


class Host:
    """One rank: its host, its device, and its events."""

    def __init__(self, job: Job, rank: int, chance: random.Random) -> None:
        """Initializes the state before the first step."""
        self.job, self.rank, self.chance = job, rank, chance
        self.pid, self.clock, self.correlation = 4000 + rank, 2 * MS, 0
        self.offset = int(job.clock(rank) * MS) if job.clock else 0
        self.events: list[dict[str, Any]] = []
        self.free = 0
        self.sums = dict.fromkeys(("dur", "loader", "kernel", "memcpy", "communication", "operators"), 0)
        self.begun = self.clock
        if not job.step_marks:
            self.add_host_event("cpu_op", "aten::zeros", self.clock, 10 * US)
            self.clock += 10 * US

    def vary(self, ms: float) -> int:
        """Returns a random duration near this one."""
        return int(ms * MS * (1 + self.job.jitter * self.chance.uniform(-1, 1)))

    def add_event(self, category: str, name: str, where: tuple[int, int], ts: int, dur: int, **args: object) -> None:
        """An event on a thread of the host or a stream of the device."""
        pid, tid = where
        self.events.append(
            {
                "ph": "X",
                "cat": category,
                "name": name,
                "pid": pid,
                "tid": tid,
                "ts": (ts + self.offset) / US,
                "dur": dur / US,
                "args": args,
            }
        )

    def add_host_event(self, category: str, name: str, ts: int, dur: int, **args: object) -> None:
        """An event of the main thread."""
        self.add_event(category, name, (self.pid, self.pid), ts, dur, **{"External id": len(self.events) + 1, **args})

    def add_device_work(
        self, category: str, name: str, stream: int, called: int, start: int, dur: int, **more: object
    ) -> int:
        """Adds device work with its launch; returns the end of the work."""
        self.correlation += 1
        call = "cudaMemcpyAsync" if category == "gpu_memcpy" else "cudaLaunchKernel"
        self.add_host_event("cuda_runtime", call, called, 5 * US, correlation=self.correlation)
        args = {"device": self.rank, "context": 1, "stream": stream, "correlation": self.correlation, **more}
        self.add_event(category, name, (self.rank, stream), start, dur, **args)
        return start + dur

    def load(self, s: Step) -> None:
        """Waits for a batch, and processes it on the host before the model."""
        wait = self.vary(s.load)
        if self.job.marks:
            kind = WORKERS if self.job.workers else NO_WORKERS
            self.add_host_event("user_annotation", f"enumerate(DataLoader)#{kind}.__next__", self.clock, wait)
            self.sums["loader"] += wait
        self.clock += wait
        if s.host:
            took = self.vary(s.host)
            if self.job.stack:
                self.add_host_event("python_function", "train.py(31): augment", self.clock, took)
            self.clock += took
        if s.overhead:
            took = self.vary(s.overhead)
            self.add_event("overhead", "Activity Buffer Request", (-1, 0), self.clock, took)
            self.clock += took

    def compute(self, s: Step) -> None:
        """Copies the batch, launches the kernels, and continues when the gradients are ready."""
        if not self.job.device:
            for _ in range(s.kernels):
                took = self.vary(s.kernel)
                self.add_host_event("cpu_op", "aten::addmm", self.clock, took)
                self.sums["operators"] += took
                self.clock += took + 20 * US
            return
        name = "Memcpy HtoD (Pageable -> Device)" if s.pageable else "Memcpy HtoD (Pinned -> Device)"
        copy = self.vary(s.copy)
        self.add_host_event("cpu_op", "aten::copy_", self.clock, 20 * US)
        self.free = self.add_device_work(
            "gpu_memcpy", name, COMPUTE, self.clock + 5 * US, self.clock + 12 * US, copy, bytes=int(s.copy * 12e6)
        )
        self.sums["memcpy"] += copy
        self.clock += 30 * US
        if s.pageable:
            self.clock = self.wait(self.free)
        for _ in range(s.kernels):
            spacing = self.vary(s.launch)
            self.add_host_event("cpu_op", "aten::addmm", self.clock, max(spacing - 2 * US, 8 * US))
            dur = self.vary(s.kernel)
            start = max(self.clock + 8 * US, self.free + US)
            self.free = self.add_device_work("kernel", GEMM, COMPUTE, self.clock + 2 * US, start, dur)
            self.sums["kernel"] += dur
            self.clock += max(spacing, 10 * US)

    def wait(self, until: int) -> int:
        """Waits for the device; returns when the host continues."""
        self.correlation += 1
        dur = max(until - self.clock, 2 * US)
        self.add_host_event("cuda_runtime", "cudaStreamSynchronize", self.clock, dur, correlation=self.correlation)
        return self.clock + dur + 5 * US

    def finish(self, s: Step, number: int, begun: int) -> None:
        """Waits for the device, runs the rare work, and ends the step."""
        if self.job.device:
            self.clock = self.wait(self.free)
        if s.rare:
            took = self.vary(s.rare)
            if s.rare_name:
                self.add_host_event("user_annotation", s.rare_name, self.clock, took)
            self.clock += took
        if self.job.memory:
            share = self.job.memory[min(number * len(self.job.memory) // self.job.steps, len(self.job.memory) - 1)]
            used = int(share * (80 << 30))
            args = {
                "Total Reserved": used,
                "Total Allocated": used,
                "Bytes": 4096,
                "Device Id": self.rank,
                "Device Type": 1,
                "Addr": number + 1,
            }
            self.events.append(
                {
                    "ph": "i",
                    "s": "t",
                    "cat": "cpu_instant_event",
                    "name": "[memory]",
                    "pid": self.pid,
                    "tid": self.pid,
                    "ts": (self.clock + self.offset) / US,
                    "args": args,
                }
            )
        if self.job.step_marks:
            number += self.job.first
            self.add_host_event("user_annotation", f"ProfilerStep#{number}", begun, self.clock - begun)
            self.sums["dur"] += self.clock - begun
        else:
            # Operators mark the ends of the trace, because they limit what tracelake judges.
            self.add_host_event("cpu_op", "aten::item", self.clock, 10 * US)
            self.clock += 10 * US
            self.sums["dur"] = self.clock - self.begun
        self.clock += 40 * US

    def write(self, folder: Path) -> None:
        """Writes the trace; a truncated one ends inside an event."""
        trace = {
            "schemaVersion": 1,
            "deviceProperties": [
                {"id": self.rank, "name": "Synthetic GPU", "totalGlobalMem": 80 << 30, "computeMajor": 8, "numSms": 108}
            ]
            if self.job.device
            else [],
            "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": self.job.ranks},
            "profile_memory": int(bool(self.job.memory)),
            "with_stack": int(self.job.stack),
            "host_name": f"synthetic-{self.rank}" if self.job.clock else "synthetic",
            "displayTimeUnit": "ms",
            "baseTimeNanoseconds": EPOCH,
            "traceEvents": sorted(self.events, key=lambda event: event["ts"]),
            "traceName": "trace.json",
        }
        text = json.dumps(trace, separators=(",", ":")).encode()
        if self.job.cut:
            (folder / f"rank{self.rank}.{EPOCH + self.rank}.pt.trace.json").write_bytes(text[: len(text) * 3 // 5])
            return
        with (folder / f"rank{self.rank}.{EPOCH + self.rank}.pt.trace.json.gz").open("wb") as file:
            file.write(gzip.compress(text, 1, mtime=0))


def trace(job: Job) -> Source:
    """Writes the traces of a job; returns the shares of its parts in the time of all steps.

    `step.*` are shares over all ranks, and `rank.*` those of the rank with the largest share. `operators` is only of
    trainings on CPUs.
    """

    def write(folder: Path, chance: random.Random) -> Planted:
        if job.seed:
            chance = random.Random(job.seed)
        hosts = [Host(job, rank, random.Random(f"{chance.random()}/{rank}")) for rank in range(job.ranks)]
        if job.init:
            for host in hosts:
                host.add_host_event(
                    "user_annotation", f"enumerate(DataLoader)#{WORKERS}.__iter__", host.clock - MS, MS // 2
                )
        for number in range(job.steps):
            run_step(job, hosts, number)
        for host in hosts:
            host.write(folder)
        if job.cut:
            return {}
        roles = [role for role in hosts[0].sums if role != "dur" and not (role == "operators" and job.device)]
        total = sum(host.sums["dur"] for host in hosts)
        return {
            **{f"step.{role}": sum(host.sums[role] for host in hosts) / total for role in roles},
            **{f"rank.{role}": max(host.sums[role] / host.sums["dur"] for host in hosts) for role in RANK_ROLES},
            "steps": job.steps if job.step_marks else 1,
        }

    return write


def run_step(job: Job, hosts: list[Host], number: int) -> None:
    """Runs one step of all ranks."""
    parts = [replace(job.step, **job.differs(host.rank, number)) for host in hosts]
    begins = [host.clock for host in hosts]
    for host, part in zip(hosts, parts, strict=True):
        host.load(part)
        host.compute(part)
    if job.device and job.ranks > 1:
        for name in ("hidden", "exposed"):
            average_gradients(hosts, parts, name)
    for host, part, begin in zip(hosts, parts, begins, strict=True):
        host.finish(part, number, begin)


def average_gradients(hosts: list[Host], parts: list[Step], name: str) -> None:
    """Averages gradients, concurrently with the last kernels or after them."""
    took = hosts[0].vary(getattr(parts[0], name))
    if not took:
        return
    starts = [
        host.free + 2 * US if name == "exposed" else max(host.free - 2 * took, host.clock + 8 * US) for host in hosts
    ]
    end = max(starts) + took
    for host, start in zip(hosts, starts, strict=True):
        host.add_host_event("cpu_op", "c10d::allreduce_", host.clock, 10 * US)
        host.add_device_work("kernel", REDUCE, TRANSFER, host.clock + 2 * US, start, end - start)
        host.clock += 20 * US
        host.sums["communication"] += max(end - max(start, host.free), 0)
        host.free = max(host.free, end)
