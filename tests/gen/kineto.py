"""Generates a small synthetic PyTorch profile: one Kineto trace per rank of a data-parallel job.

The job trains a small network with one GPU per rank. Each step waits for a batch, runs the forward pass, runs the
backward pass on the autograd thread, averages gradients with NCCL in two buckets, and runs the optimizer. On the last
rank, the data loader stalls in every fourth step. The other ranks then wait in their first all-reduce, because a
collective ends on all ranks at once. The first bucket is reduced while the backward pass still computes, the second
bucket is not.

Layout, names of keys and categories are those of `profile(with_stack=True, profile_memory=True)` of torch 2.x. The
times are random. With `--shapes`, operators have the shapes of their inputs, as `record_shapes=True` writes them, and
the device is an A100. Needs only the standard library. The same arguments give the same bytes.

Example:
  kineto.py --out pytorch_ddp --steps 8
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from pathlib import Path
from typing import Any

BASE_NS = 1_790_857_026_000_000_000  # `baseTimeNanoseconds`; times in the file count from it
US = 1_000  # everything below is in ns
MB = 1 << 20
LAYERS = 4
COMPUTE, COMMUNICATION = 7, 20  # streams
GEMM = "ampere_sgemm_128x64_tn"
RELU = (
    "void at::native::vectorized_elementwise_kernel<4, at::native::launch_clamp_scalar(at::TensorIteratorBase&, "
    "c10::Scalar, c10::Scalar, at::native::detail::ClampLimits)::{lambda()#1}, std::array<char*, 2ul> >(int, "
    "at::native::launch_clamp_scalar, std::array<char*, 2ul>)"
)
LOSS = "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, true, false>(float*, int)"
ADAM = "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<FusedAdamMathFunctor<float, 4> >()"
REDUCE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"
COPY = "Memcpy HtoD (Pinned -> Device)"
SHAPES = {"aten::addmm": [[512], [1024, 512], [512, 512]], "aten::mm": [[1024, 512], [512, 512]]}


class Rank:
    """One rank: a host with a main and an autograd thread, and a GPU with two streams."""

    def __init__(self, rank: int, ranks: int, seed: int, *, shapes: bool) -> None:
        """Initializes the state before the first step."""
        self.rank, self.ranks, self.shapes = rank, ranks, shapes
        self.random = random.Random(f"{seed}/{rank}")
        self.pid, self.main, self.autograd = 4000 + rank, 4000 + rank, 4100 + rank
        self.events: list[dict[str, Any]] = []
        self.clock = 2_000_000 + 1370 * rank
        self.free = {COMPUTE: 0, COMMUNICATION: 0}
        self.correlation = self.call = 0
        self.allocated = 40 * MB
        self.reserved = 64 * MB

    def vary(self, ns: int) -> int:
        """Returns a random duration within 10 % of this one."""
        return int(ns * self.random.uniform(0.9, 1.1))

    def event(self, category: str, name: str, tid: int, ts: int, dur: int, **args: object) -> None:
        """Adds an interval of the host."""
        self.call += 1
        args = {"External id": self.call, "Ev Idx": self.call, **args}
        if self.shapes and category == "cpu_op" and (dims := SHAPES.get(name)):
            args |= {"Input Dims": dims, "Input type": ["float"] * len(dims), "Concrete Inputs": [""] * len(dims)}
        self.add_interval(category, name, self.pid, tid, ts, dur, args)

    def add_interval(
        self, category: str, name: str, pid: int, tid: int, ts: int, dur: int, args: dict[str, object]
    ) -> None:
        """Adds an interval of the host or of the device."""
        shape = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid}
        self.events.append({**shape, "ts": ts / 1000, "dur": dur / 1000, "args": args})

    def memory(self, tid: int, ts: int, size: int) -> None:
        """Adds an allocation on the device; a negative size is a deallocation."""
        self.allocated += size
        self.reserved = max(self.reserved, -(-self.allocated // (20 * MB)) * 20 * MB)
        args = {"Total Reserved": self.reserved, "Total Allocated": self.allocated, "Bytes": size}
        args |= {"Device Id": self.rank, "Device Type": 1, "Addr": 140_000_000_000_000 + ts}
        shape = {"ph": "i", "s": "t", "cat": "cpu_instant_event", "name": "[memory]"}
        self.events.append({**shape, "pid": self.pid, "tid": tid, "ts": ts / 1000, "args": args})

    def launch(self, tid: int, ts: int, name: str, dur: int, stream: int = COMPUTE, after: int = 0) -> tuple[int, int]:
        """Launches a kernel or a copy, and returns its start and end on the device."""
        start, correlation = self.add_launch(tid, ts, name, stream, after)
        self.add_work(name, stream, start, dur, correlation)
        return start, start + dur

    def add_launch(self, tid: int, ts: int, name: str, stream: int, after: int = 0) -> tuple[int, int]:
        """Adds a runtime call; returns the earliest start on the device, and the correlation."""
        self.correlation += 1
        call = "cudaMemcpyAsync" if name == COPY else "cudaLaunchKernel"
        self.event("cuda_runtime", call, tid, ts, 4 * US, cbid=211, correlation=self.correlation)
        return max(ts + 6 * US, self.free[stream] + US, after), self.correlation

    def add_work(self, name: str, stream: int, start: int, dur: int, correlation: int) -> None:
        """Adds a kernel or a copy on the device."""
        category = "gpu_memcpy" if name == COPY else "kernel"
        args: dict[str, object] = {"device": self.rank, "context": 1, "stream": stream, "correlation": correlation}
        if category == "kernel":
            shape = {"registers per thread": 64, "shared memory": 0, "blocks per SM": 1.5, "warps per SM": 12.0}
            args |= {**shape, "grid": [162, 1, 1], "block": [256, 1, 1], "est. achieved occupancy %": 38}
        else:
            args |= {"bytes": 4 * MB, "memory bandwidth (GB/s)": round(4 * MB / dur, 3)}
        self.add_interval(category, name, self.rank, stream, start, dur, args)
        self.free[stream] = start + dur

    def python(self, name: str, ts: int, dur: int) -> None:
        """Adds a Python function of the main thread."""
        self.event("python_function", name, self.main, ts, dur)

    def operator(self, names: list[str], tid: int, ts: int, kernel: str, dur: int) -> tuple[int, int]:
        """Adds nested operators; the innermost launches a kernel. Returns its end on the host and on the device."""
        took = (10 + 4 * len(names)) * US
        for depth, name in enumerate(names):
            self.event("cpu_op", name, tid, ts + depth * US, took - 2 * depth * US)
        _, end = self.launch(tid, ts + (len(names) + 1) * US, kernel, self.vary(dur))
        return ts + took, end

    def load(self, stalls: bool) -> None:
        """Waits for a batch and copies it to the device."""
        begin, wait = self.clock, self.vary(6_000 * US if stalls else 250 * US)
        mark = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
        self.event("user_annotation", mark, self.main, begin, wait)
        self.python("torch/utils/data/dataloader.py(701): __next__", begin - 2 * US, wait + 4 * US)
        self.clock = begin + wait + 10 * US
        self.event("cpu_op", "aten::copy_", self.main, self.clock, 20 * US)
        self.memory(self.main, self.clock + US, 4 * MB)
        self.launch(self.main, self.clock + 3 * US, COPY, self.vary(300 * US))
        self.clock += 30 * US

    def forward(self) -> None:
        """Runs the layers and the loss."""
        begin = self.clock
        for layer in range(LAYERS):
            ts = self.clock
            self.memory(self.main, ts + 8 * US, 12 * MB)
            end, _ = self.operator(["aten::linear", "aten::addmm"], self.main, ts + 6 * US, GEMM, 180 * US)
            self.python(f"nn.Module: Linear_{layer}", ts + 3 * US, end - ts)
            self.memory(self.main, end + 9 * US, 12 * MB)
            last, _ = self.operator(["aten::relu", "aten::clamp_min"], self.main, end + 8 * US, RELU, 30 * US)
            self.python(f"nn.Module: ReLU_{layer}", end + 5 * US, last - end)
            self.clock = last + 6 * US
        names = ["aten::cross_entropy_loss", "aten::log_softmax"]
        end, _ = self.operator(names, self.main, self.clock + 6 * US, LOSS, 40 * US)
        self.python("torch/nn/functional.py(3462): cross_entropy", self.clock + 3 * US, end - self.clock)
        self.clock = end + 10 * US
        self.python("nn.Module: Network_0", begin + US, self.clock - begin - 4 * US)
        self.event("user_annotation", "## forward ##", self.main, begin - 2 * US, self.clock - begin)

    def backward(self, layers: range) -> int:
        """Runs the backward pass of some layers on the autograd thread; returns when their gradients are ready."""
        end = 0
        for layer in reversed(layers):
            node = ["autograd::engine::evaluate_function: AddmmBackward0", "AddmmBackward0", "aten::mm"]
            self.clock, _ = self.operator(node, self.autograd, self.clock, GEMM, 190 * US)
            self.memory(self.autograd, self.clock, -24 * MB if layer else -28 * MB)
            self.clock, end = self.operator(["aten::mm"], self.autograd, self.clock + 4 * US, GEMM, 190 * US)
            self.clock += self.vary(8 * US)
        return end

    def step_optimizer(self, after: int) -> None:
        """Runs the optimizer after the gradients have arrived, and waits for the device."""
        begin = self.clock
        self.event("cpu_op", "aten::_fused_adam_", self.main, begin + 12 * US, 40 * US)
        self.python("torch/optim/adam.py(213): step", begin + 6 * US, 60 * US)
        self.event("user_annotation", "Optimizer.step#Adam.step", self.main, begin + 4 * US, 64 * US)
        _, end = self.launch(self.main, begin + 20 * US, ADAM, self.vary(90 * US), after=after)
        self.clock = begin + 80 * US
        wait = max(end + 3 * US - self.clock, 2 * US)
        self.correlation += 1
        args = {"correlation": self.correlation}
        self.event("cuda_runtime", "cudaStreamSynchronize", self.main, self.clock + 4 * US, wait, **args)
        self.event("cpu_op", "aten::item", self.main, self.clock + 2 * US, wait + 4 * US)
        self.clock += wait + 12 * US

    def write(self, folder: Path) -> None:
        """Writes the trace."""
        first = min(event["ts"] for event in self.events)
        last = max(event["ts"] + event.get("dur", 0) for event in self.events)
        self.events.append(
            {"ph": "X", "cat": "Trace", "name": "PyTorch Profiler (0)", "pid": "Spans", "tid": "PyTorch Profiler"}
            | {"ts": first - 50, "dur": round(last - first + 100, 3), "args": {"Op count": 0}}
        )
        names = [(self.pid, self.main, f"thread {self.main} (python)"), (self.rank, COMPUTE, f"stream {COMPUTE} ")]
        names += [(self.pid, self.autograd, f"thread {self.autograd} (pt_autograd_0)")]
        names += [(self.rank, COMMUNICATION, f"stream {COMMUNICATION} ")]
        meta = [
            {"ph": "M", "name": "thread_name", "ts": first, "pid": pid, "tid": tid, "args": {"name": name}}
            for pid, tid, name in names
        ]
        name = "NVIDIA A100-SXM4-80GB" if self.shapes else "Synthetic GPU"
        device = {"id": self.rank, "name": name, "totalGlobalMem": 256 * MB, "computeMajor": 8}
        trace = {
            "schemaVersion": 1,
            "deviceProperties": [{**device, "maxThreadsPerMultiprocessor": 2048, "warpSize": 32, "numSms": 108}],
            "distributedInfo": {"backend": "nccl", "rank": self.rank, "world_size": self.ranks},
            "profile_memory": 1,
            "with_stack": 1,
            "host_name": "synthetic",
            "displayTimeUnit": "ms",
            "baseTimeNanoseconds": BASE_NS,
            "traceEvents": meta + sorted(self.events, key=lambda event: event["ts"]),
            "traceName": "trace.json",
        }
        path = folder / f"rank{self.rank}.{BASE_NS + self.rank}.pt.trace.json.gz"
        with path.open("wb") as file, gzip.GzipFile("", "wb", 9, file, 0) as packed:
            packed.write(json.dumps(trace, separators=(",", ":")).encode())


def all_reduce(ranks: list[Rank], ready: list[int], dur: int) -> int:
    """Runs an all-reduce: it starts on each rank when it is ready, and ends on all ranks at once."""
    starts = []
    for rank, after in zip(ranks, ready, strict=True):
        rank.event("user_annotation", "nccl:all_reduce", rank.autograd, rank.clock, 16 * US)
        rank.event("cpu_op", "c10d::allreduce_", rank.autograd, rank.clock + US, 14 * US)
        starts.append(rank.add_launch(rank.autograd, rank.clock + 5 * US, REDUCE, COMMUNICATION, after))
        rank.clock += 24 * US
    end = max(start for start, _ in starts) + dur
    for rank, (start, correlation) in zip(ranks, starts, strict=True):
        rank.add_work(REDUCE, COMMUNICATION, start, end - start, correlation)
    return end


def step(ranks: list[Rank], number: int) -> None:
    """Runs one step of all ranks."""
    begins = [rank.clock for rank in ranks]
    for rank in ranks:
        rank.load(stalls=rank is ranks[-1] and number % 4 == 0)
    calls = [rank.clock for rank in ranks]
    for rank in ranks:
        rank.forward()
    backs = [rank.clock for rank in ranks]
    all_reduce(ranks, [rank.backward(range(LAYERS // 2, LAYERS)) for rank in ranks], 350 * US)
    end = all_reduce(ranks, [rank.backward(range(LAYERS // 2)) for rank in ranks], 500 * US)
    for rank, begin, call, back in zip(ranks, begins, calls, backs, strict=True):
        rank.event("user_annotation", "## backward ##", rank.main, back, rank.clock - back)
        rank.python("torch/_tensor.py(567): backward", back - 2 * US, rank.clock - back + 4 * US)
        rank.clock += 10 * US
        rank.step_optimizer(end)
        rank.python("train.py(27): training_step", call - 5 * US, rank.clock - call)
        rank.event(
            "user_annotation", f"ProfilerStep#{number}", rank.main, begin - 20 * US, rank.clock - begin + 25 * US
        )
        rank.clock += 40 * US


def main() -> None:
    """Writes the requested traces."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, help="folder for the traces, made if absent")
    parser.add_argument("--steps", type=int, default=8, help="steps (default 8)")
    parser.add_argument("--ranks", type=int, default=2, help="ranks (default 2)")
    parser.add_argument("--seed", type=int, default=1, help="the times are drawn from it (default 1)")
    parser.add_argument("--shapes", action="store_true", help="whether operators have the shapes of their inputs")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    numbers = range(arguments.ranks)
    ranks = [Rank(rank, arguments.ranks, arguments.seed, shapes=arguments.shapes) for rank in numbers]
    begins = [rank.clock for rank in ranks]
    for number in range(5, 5 + arguments.steps):
        step(ranks, number)
    for rank, begin in zip(ranks, begins, strict=True):
        rank.python("train.py(1): <module>", begin - 60 * US, rank.clock - begin + 80 * US)
        rank.python("train.py(41): train_epoch", begin - 50 * US, rank.clock - begin + 60 * US)
        rank.write(arguments.out)


if __name__ == "__main__":
    main()
