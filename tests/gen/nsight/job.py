"""Generates a job of one rank: rows of the tables of an export, by part of the session."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from nsight.schema import COPIES, VERSIONS

if TYPE_CHECKING:
    import argparse

    Row = dict[str, Any]
    Rows = dict[str, list[Row]]

US, MS = 1_000, 1_000_000
MB = 1 << 20
EPOCH = 1_790_857_026_123_456_789  # start of the session of rank 0
HOST = 1 << 48  # the part of `globalTid` above process and thread: the machine
NOWHERE = -144_115_188_075_855_872  # machine of messages that concern the whole report
NO_STREAM = 4_294_967_295  # -1 in 32 bits
MAIN, COMPUTE, COPY, REDUCE = 7, 13, 14, 20  # streams
LAYERS = 4
GRAPH, GRAPH_EXEC, NODE = 3, 4, 8_589_934_592

# values that look like secrets, by their form or only by their location
SECRETS = {
    "access key": "AKIAIOSFODNN7EXAMPLE",
    "secret key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "token of a code host": "ghp_EXAMPLEexample0123456789EXAMPLEexampl",
    "token of a model hub": "hf_EXAMPLEexampleEXAMPLEexample0123456",
    "token of an API": "sk-EXAMPLE-0123456789-abcdefghij-EXAMPLE",
    "web token": "eyJhbGciOiJFWEFNUExFIn0.eyJzdWIiOiJFWEFNUExFIn0.RVhBTVBMRS1zaWduYXR1cmU",
    "tracker key": "0123456789abcdef0123456789abcdefEXAMPLE0",
    "password": "correct-horse-battery-EXAMPLE",
    "password of an address": "hunter2-EXAMPLE",
}
METRICS = {
    3: "SMs Active [Throughput %]",
    5: "Tensor Active [Throughput %]",
    18: "DRAM Read Bandwidth [Throughput %]",
    25: "PCIe RX Throughput [Throughput %]",
}
KERNELS = {  # demangled name, short name, mangled name
    "gemm": ("ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn", "ampere_sgemm_128x64_tn"),
    "relu": (
        "void at::native::vectorized_elementwise_kernel<(int)4, at::native::relu>(int, at::native::relu)",
        "vectorized_elementwise_kernel",
        "_ZN2at6native29vectorized_elementwise_kernelILi4ENS0_4reluEEEviT0_",
    ),
    "triton": ("triton_poi_fused_gelu_0", "triton_poi_fused_gelu_0", "triton_poi_fused_gelu_0"),
    "reduce": (
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)",
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
        "_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorageILm4096EE",
    ),
    "adam": ("void multi_tensor_apply_kernel<FusedAdam>(FusedAdam)", "multi_tensor_apply_kernel", "_Z4adam9FusedAdam"),
}
COPY_CALL, LAUNCH = "cudaMemcpyAsync_v3020", "cudaLaunchKernel_v7000"
SYSTEM_ENV = {  # name: (number, value)
    "CpuCores": (1, "32"),
    "CpuArchitecture": (3, "x86_64"),
    "CpuDescription": (13, "Synthetic CPU"),
    "NvDriverVersion": (205, "580.95"),
    "OsDescription": (605, "Synthetic Linux 1"),
    "CudaDriverVersion": (611, "13000"),
    "Hostname": (619, "synthetic"),
    "KernelVersion": (882, "#1 SMP Synthetic"),
}


class Strings:
    """Interned texts with their ids."""

    def __init__(self) -> None:
        """Adds the texts at the start of every export."""
        self.ids: dict[str, int] = {}
        for text in ["[Unknown]", "[kernel.kallsyms]", "[Max depth]", "GpuMetrics"]:
            self.id(text)

    def id(self, text: str) -> int:
        """Returns the id of a text."""
        return self.ids.setdefault(text, len(self.ids))

    def texts(self) -> dict[int, str]:
        """Returns the texts by id."""
        return {number: text for text, number in self.ids.items()}


class Rank:
    """The events of one rank: rows of the tables, by part of the session."""

    def __init__(self, rank: int, arguments: argparse.Namespace) -> None:
        """Initializes the state before the first step."""
        self.rank, self.ranks, self.new = rank, arguments.ranks, arguments.generation == "new"
        graphs = arguments.graphs
        self.graphs = ("node" if rank % 2 else "graph") if graphs == "mixed" else graphs
        self.random = random.Random(f"{arguments.seed}/{rank}")
        self.pid = 5000 + 100 * rank
        self.process = HOST | self.pid << 24
        self.main, self.autograd, self.loader = (self.process | self.pid + n for n in (0, 7, 9))
        self.strings = Strings()
        self.setup: Rows = {}
        self.block: Rows = {}
        self.rows = self.setup
        self.clock = 20 * MS + 137 * US * rank
        self.free = dict.fromkeys((MAIN, COMPUTE, COPY, REDUCE), 0)
        self.correlation = self.chain = self.sample = self.grid = self.range = self.file = 0

    def vary(self, ns: int) -> int:
        """Returns a random duration within 10 % of this one."""
        return int(ns * self.random.uniform(0.9, 1.1))

    def add(self, table: str, **columns: object) -> None:
        """Adds a row."""
        self.rows.setdefault(table, []).append(columns)

    def call(self, name: str, start: int, dur: int, tid: int, kind: int = 0) -> int:
        """Adds a call into the runtime (0) or the driver (1), and returns its correlation."""
        self.correlation += 1
        columns = {"start": start, "end": start + dur, "eventClass": kind, "globalTid": tid, "returnValue": 0}
        columns |= {"correlationId": self.correlation, "nameId": self.strings.id(name)}
        self.add("CUPTI_ACTIVITY_KIND_RUNTIME", **columns)
        return self.correlation

    def next_free(self, stream: int, after: int, dur: int) -> Row:
        """Returns the next time at which a stream is free."""
        start = max(after, self.free[stream] + US)
        self.free[stream] = start + dur
        place = {"start": start, "end": start + dur, "deviceId": self.rank, "contextId": 1, "streamId": stream}
        return place | {"greenContextId": 0 if self.new else None, "globalPid": self.process}

    def kernel(self, name: str, place: Row, correlation: int, node: int | None = None) -> None:
        """Adds a kernel."""
        self.grid += 1
        long, short, mangled = (self.strings.id(text) for text in KERNELS[name])
        shape = {"gridX": 162, "gridY": 1, "gridZ": 1, "blockX": 256, "blockY": 1, "blockZ": 1}
        memory = {"staticSharedMemory": 0, "dynamicSharedMemory": 16384, "localMemoryPerThread": 0}
        names = {"demangledName": long, "shortName": short, "mangledName": mangled}
        rest = {"launchType": 1, "cacheConfig": 1, "registersPerThread": 64, "localMemoryTotal": 24_772_608}
        rest |= {"gridId": self.grid, "sharedMemoryExecuted": 32768, "sharedMemoryLimitConfig": 0}
        rest |= {"graphNodeId": node, "graphId": GRAPH if node else None, "correlationId": correlation}
        self.add("CUPTI_ACTIVITY_KIND_KERNEL", **place, **shape, **memory, **names, **rest)

    def launch(self, name: str, tid: int, ts: int, dur: int, stream: int = COMPUTE, after: int = 0) -> int:
        """Launches a kernel; returns the end of the call."""
        driver = name == "triton"
        took = self.vary(4 * US)
        correlation = self.call("cuLaunchKernel" if driver else LAUNCH, ts, took, tid, int(driver))
        self.kernel(name, self.next_free(stream, max(ts + 5 * US, after), self.vary(dur)), correlation)
        return ts + took

    def copy(self, kind: int, tid: int, ts: int, size: int, dur: int, stream: int = COPY) -> int:
        """Copies memory; returns the end of the call."""
        unified = kind >= COPIES.index("UVM_HTOD")
        took = 0 if unified else self.vary(3 * US)
        correlation = None if unified else self.call(COPY_CALL, ts, took, tid)
        name = COPIES[kind].removeprefix("UVM_")
        ends = {"H": 1, "D": 2, "A": 3, "P": 2, "U": 7}
        source, target = (4, 4) if unified else (ends[name[0]], ends[name[-1]] if name != "UNKNOWN" else 7)
        columns: Row = {"bytes": size, "copyKind": kind, "srcKind": source, "dstKind": target, "copyCount": 1}
        if name == "PTOP":
            columns |= {"srcDeviceId": self.rank, "dstDeviceId": (self.rank + 1) % self.ranks}
        if unified:
            columns |= {"migrationCause": 2, "virtualAddress": 140_000_000_000_000 + (1 << 21)}
        place = self.next_free(stream, ts + 5 * US, self.vary(dur))
        self.add("CUPTI_ACTIVITY_KIND_MEMCPY", **place, **columns, correlationId=correlation)
        return ts + took

    def wait(self, name: str, kind: int, stream: int, ts: int) -> int:
        """Waits for the device; returns the end of the call."""
        till = max(self.free.values()) + 3 * US if stream == NO_STREAM else self.free[stream] + 3 * US
        till = max(till, ts + 2 * US)
        correlation = self.call(name, ts, till - ts, self.main)
        columns = {"start": ts + US, "end": till - 500, "deviceId": self.rank, "contextId": 1, "streamId": stream}
        columns |= {"correlationId": correlation, "globalPid": self.process, "syncType": kind}
        self.add("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", **columns, eventId=NO_STREAM, eventSyncId=NO_STREAM)
        return till

    def nvtx(self, text: str, start: int, end: int | None, tid: int, **columns: object) -> None:
        """Adds a push/pop range, or another NVTX event."""
        named = {"text": text} if columns.pop("literal", False) else {"textId": self.strings.id(text)}
        rest = {"start": start, "end": end, "eventType": 59, "globalTid": tid, "domainId": 0}
        self.add("NVTX_EVENTS", **(rest | named | columns))

    def system(self, name: str, start: int, dur: int, tid: int, **columns: object) -> int:
        """Adds a call into the operating system, with a stack if it is long; returns its end."""
        chain = 0
        if dur > 80 * US:
            self.chain = chain = self.chain + 1
            self.stack("OSRT_CALLCHAINS", chain, [name, "wait_for_batch", "train", "main"], unwind=None)
        rest = {"start": start, "end": start + dur, "eventClass": 27, "globalTid": tid, "nameId": self.strings.id(name)}
        rest |= {"returnValue": 0, "nestingLevel": 0, "callchainId": chain, "argumentsId": 0}
        self.add("OSRT_API", **(rest | columns))
        return start + dur

    def stack(self, table: str, number: int, symbols: list[str], unwind: int | None) -> None:
        """Adds a call chain, from the innermost function."""
        for depth, symbol in enumerate(symbols):
            frame = {
                "symbol": self.strings.id(symbol),
                "module": self.strings.id("/usr/bin/python3"),
                "stackDepth": depth,
            }
            self.add(table, id=number, **frame, originalIP=140_130_000_000_000 + depth, unwindMethod=unwind)

    def step(self, number: int) -> None:
        """Runs one step."""
        begin = self.clock
        forward, batch = self.load(number)
        self.clock, loss = self.forward(forward)
        self.backward(number, self.clock)
        self.optimizer()
        self.nvtx(
            f"iteration {number}", begin, self.clock, self.main, literal=True, int64Value=number, color=4278255360
        )
        # starts within `data` and ends after `forward`: neither contains the other
        self.nvtx(
            "batch in use", batch, loss, self.main, eventType=60, rangeId=self.next_range(), endGlobalTid=self.main
        )
        self.add_samples(begin, self.clock)
        self.clock += 40 * US

    def next_range(self) -> int:
        """Returns the number of the next start/end range."""
        self.range += 1
        return self.range

    def load(self, number: int) -> tuple[int, int]:
        """Waits for a batch and copies it; returns the end, and the time at which the batch was ready."""
        begin = self.clock
        wait = self.vary(900 * US if number % 3 == 0 else 150 * US)
        ts = self.system("fopen", begin + 2 * US, 30 * US, self.loader)
        self.system("open64", begin + 8 * US, 15 * US, self.loader, nestingLevel=1)
        self.add_file_access(begin + 8 * US)
        self.system("read", ts + 2 * US, self.vary(90 * US), self.loader)
        self.system("poll", begin + 4 * US, wait - 10 * US, self.main)
        self.clock = begin + wait
        self.nvtx("data", begin, self.clock, self.main, int64Value=number)
        self.nvtx("batch ready", self.clock, None, self.main, eventType=34)
        start = self.clock - 20 * US
        ts = self.copy(1, self.main, self.clock + 2 * US, 4 * MB, 300 * US)
        for kind in range(len(COPIES)) if number == 0 else (8, 10):
            ts = self.copy(kind, self.main, ts + US, 1 * MB + kind, 20 * US)
        correlation = self.call("cudaMemsetAsync_v3020", ts + US, 2 * US, self.main)
        place = self.next_free(COPY, ts + 5 * US, self.vary(5 * US))
        columns = {"correlationId": correlation, "value": 0, "bytes": 3 * MB, "memKind": 2}
        self.add("CUPTI_ACTIVITY_KIND_MEMSET", **place, **columns)
        return ts + 6 * US, start

    def add_file_access(self, ts: int) -> None:
        """Adds a file access."""
        self.file += 1
        columns = {"fileAccessId": self.file, "processId": self.pid, "openedAt": ts, "closedAt": 0}
        self.add("OSRT_FILE_ACCESS_DESCRIPTORS", **columns, filePath=f"/data/shard-{self.file % 7}.bin")
        columns = {
            "fileAccessId": self.file,
            "threadId": self.loader & 0xFFFFFF,
            "startedAt": ts,
            "endedAt": ts + 15 * US,
        }
        name = self.strings.id("open64")
        self.add("OSRT_FILE_ACCESS_EVENTS", **columns, eventType=1, apiCallId=name, bytesProcessed=0)

    def forward(self, begin: int) -> tuple[int, int]:
        """Runs the layers; returns the end, and the time at which the loss is on the host."""
        ts = begin + 5 * US
        for layer in range(LAYERS):
            start = ts
            ts = self.launch("gemm", self.main, ts + 4 * US, 180 * US)
            last = layer == LAYERS - 1
            ts = self.launch("triton" if last else "relu", self.main, ts + 5 * US, 30 * US) + 4 * US
            self.nvtx(f"layer{layer}", start, ts, self.main, literal=layer % 2 == 0)
            ts += 2 * US
        correlation = self.call("cudaEventRecord_v3020", ts, 2 * US, self.main)
        columns = {"timestamp": 0, "deviceId": self.rank, "contextId": 1, "streamId": COMPUTE, "eventId": 1}
        columns |= {"correlationId": correlation, "globalPid": self.process, "eventSyncId": correlation}
        self.add("CUPTI_ACTIVITY_KIND_CUDA_EVENT", **columns)
        self.nvtx("forward", begin, ts + 4 * US, self.main, category=1)
        ts = self.copy(2, self.main, ts + 6 * US, 4, 2 * US, COMPUTE)
        loss = self.wait("cudaStreamSynchronize_v3020", 2, COMPUTE, ts + 2 * US)
        return loss + 10 * US, loss

    def backward(self, number: int, begin: int) -> None:
        """Runs the backward pass on another thread, and reduces the gradients."""
        ts = begin + 20 * US
        for _ in range(LAYERS):
            ts = self.launch("gemm", self.autograd, ts + 3 * US, 190 * US)
            ts = self.launch("gemm", self.autograd, ts + 3 * US, 190 * US) + 2 * US
        reduce = ts
        ts = self.launch("reduce", self.autograd, ts + 3 * US, 350 * US, REDUCE, self.free[COMPUTE]) + 2 * US
        self.nvtx("ncclAllReduce", reduce, ts, self.autograd, domainId=1, jsonText='{"bytes":4194304}')
        self.nvtx("backward", begin + 15 * US, ts + 5 * US, self.autograd)
        # starts on one thread and ends on another one with launches: it is not projected
        ends = {"eventType": 60, "rangeId": self.next_range(), "endGlobalTid": self.autograd}
        self.nvtx("gradients", begin + 2 * US, ts + 8 * US, self.main, **ends, literal=True)
        if number == 0:
            text = f"lookup key={SECRETS['access key']}"
            self.nvtx(text, ts + 9 * US, ts + 10 * US, self.autograd, literal=True)
        self.system("pthread_cond_wait", begin + 10 * US, ts - begin, self.main)
        self.clock = ts + 20 * US

    def optimizer(self) -> None:
        """Launches a CUDA graph of a fill and two kernels, and waits for the device."""
        begin, took = self.clock, self.vary(12 * US)
        correlation = self.call("cudaGraphLaunch_v10000", begin + 3 * US, took, self.main)
        parts = [self.next_free(COMPUTE, max(begin + 20 * US, self.free[REDUCE]), self.vary(40 * US)) for _ in range(3)]
        if self.graphs != "node":
            whole = parts[0] | {"end": parts[-1]["end"], "correlationId": correlation}
            self.add("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", **whole, graphId=GRAPH, graphExecId=GRAPH_EXEC)
        if self.graphs != "graph":
            columns = {"correlationId": correlation, "value": 0, "bytes": 1 * MB, "memKind": 2, "graphNodeId": NODE}
            self.add("CUPTI_ACTIVITY_KIND_MEMSET", **parts[0], **columns)
            for node, part in enumerate(parts[1:], NODE + 1):
                self.kernel("adam", part, correlation, node)
        self.clock = begin + took + 10 * US
        self.nvtx("optimizer", begin, self.clock, self.main)
        self.clock = self.wait("cudaDeviceSynchronize_v3020", 1, NO_STREAM, self.clock + 3 * US) + 5 * US

    def add_samples(self, begin: int, end: int) -> None:
        """Adds the samples of nsys: threads on processors, stacks, and the device."""
        for ts in range(begin, end, 500 * US):
            self.sample += 1
            tid = self.random.choice([self.main, self.autograd])
            columns = {"id": self.sample, "start": ts, "cpu": 3, "threadState": 1, "globalTid": tid, "cpuCycles": 1}
            self.add("COMPOSITE_EVENTS", **columns)
            self.stack("SAMPLING_CALLCHAINS", self.sample, ["_PyEval_EvalFrameDefault", "train", "main"], unwind=7)
            for metric in METRICS:
                columns = {
                    "typeId": HOST | self.gpu(self.rank),
                    "metricId": metric,
                    "value": self.random.randrange(101),
                }
                self.add("GPU_METRICS", rawTimestamp=ts + 7 * MS, timestamp=ts, **columns)
        for ts in range(begin + 100 * US, end - 200 * US, 400 * US):
            for start, running in ((ts, 1), (ts + 150 * US, 0)):
                columns = {"start": start, "cpu": 3, "isSchedIn": running, "globalTid": self.main, "threadState": 0}
                self.add("SCHED_EVENTS", **columns)

    def gpu(self, device: int) -> int:
        """Returns the device number of nsys: the reverse of the CUDA order."""
        return self.ranks - 1 - device

    def begin(self) -> None:
        """Adds the events before the first step: allocations and the creation of the graph."""
        self.system("[Unknown]", 8 * MS, 0, self.process, eventClass=31, nestingLevel=None)
        ts = 12 * MS
        for size in (64 * MB, 16 * MB):
            correlation = self.call("cudaMalloc_v3020", ts, 200 * US, self.main)
            columns = {"start": ts + 150 * US, "deviceId": self.rank, "contextId": 1, "address": 1 << 46, "pc": 0}
            columns |= {"globalPid": self.process, "bytes": size, "memKind": 2, "memoryOperationType": 0}
            self.add("CUDA_GPU_MEMORY_USAGE_EVENTS", **columns, correlationId=correlation)
            ts += 300 * US
        objects = (
            self.strings.id("Graph Creation"),
            self.strings.id("GraphExec Creation"),
            self.strings.id("cudaGraphAddNode"),
        )
        where = {"start": ts, "end": ts, "globalTid": self.main}
        self.add("CUDA_GRAPH_EVENTS", **where, eventClass=95, nameId=objects[0], graphId=GRAPH)
        for node in range(NODE, NODE + 3):
            self.add("CUDA_GRAPH_NODE_EVENTS", **where, eventClass=77, nameId=objects[2], graphNodeId=node)
        self.add("CUDA_GRAPH_EVENTS", **where, eventClass=94, nameId=objects[1], graphId=GRAPH, graphExecId=GRAPH_EXEC)
        self.call("cudaGraphInstantiate_v12000", ts, 40 * US, self.main)
        self.nvtx("NCCL", 11 * MS, None, self.main, eventType=75, domainId=1, literal=True)
        self.nvtx("compute", 11 * MS, None, self.main, eventType=33, category=1, literal=True)
        self.nvtx("autograd", 11 * MS, None, self.autograd, eventType=39, literal=True)
        for number in range(3):
            self.add("FUTURE_EVENTS", start=ts + number, end=ts + number + 5, weight=0.5, label="who knows")
        rest = {"nameId": self.strings.id("CUPTI Buffer flush"), "returnValue": 0, "overheadType": 3}
        self.add("PROFILER_OVERHEAD", start=9 * MS, end=9 * MS + 120 * US, globalTid=self.main, **rest)
        rest = {"eventClass": 103, "globalTid": self.main, "correlationId": 1, "overheadType": 7}
        name = self.strings.id("Lazy function loading")
        self.add("CUPTI_ACTIVITY_KIND_OVERHEAD", start=ts + US, end=ts + 21 * US, nameId=name, **rest)
        self.describe()

    def describe(self) -> None:
        """Adds machine, process and report, including values that must not be ingested."""
        start = session_start(self.rank)
        self.add(
            "TARGET_INFO_SESSION_START_TIME",
            utcEpochNs=start,
            utcTime="2026-10-01T11:37:06",
            localTime="2026-10-01T13:37:06",
        )
        for gpu in range(self.ranks):
            columns: Row = {"vmId": HOST, "id": gpu, "name": "Synthetic GPU", "busLocation": f"0000:{gpu + 1:02x}:00.0"}
            columns |= {"isDiscrete": 1, "totalMemory": 80 << 30, "memoryBandwidth": 2_039_040_000_000, "smCount": 108}
            columns |= {"clockRate": 1_410_000_000, "pwGpuId": gpu, "uuid": f"synthetic-{gpu}", "chipName": "SYN100"}
            columns |= {"cuDevice": self.gpu(gpu), "threadsPerWarp": 32, "computeMajor": 8, "computeMinor": 0}
            self.add("TARGET_INFO_GPU", **columns, smMajor=8, smMinor=0, maxWarpsPerSm=64)
            self.add("TARGET_INFO_CUDA_DEVICE", gpuId=gpu, cudaId=self.gpu(gpu), pid=self.pid)
        where = {"hwId": 0, "vmId": 1, "processId": self.pid, "contextId": 1}
        self.add("TARGET_INFO_CUDA_CONTEXT_INFO", **where, nullStreamId=MAIN, deviceId=self.rank)
        for stream in self.free:
            priority = NO_STREAM if stream == REDUCE else 0
            self.add(
                "TARGET_INFO_CUDA_STREAM", **where, streamId=stream, priority=priority, flag=3 if stream == MAIN else 2
            )
        for metric, name in METRICS.items():
            columns = {"typeId": HOST | self.gpu(self.rank), "sourceId": HOST, "typeName": "Synthetic"}
            self.add("TARGET_INFO_GPU_METRICS", **columns, metricId=metric, metricName=name)
        for name, (number, value) in (SYSTEM_ENV | {"DeviceEnvironment": (610, self.environment("\n"))}).items():
            columns = {"globalVid": HOST, "devStateName": "Local (CLI)", "nameEnum": number}
            self.add("TARGET_INFO_SYSTEM_ENV", **columns, name=name, value=value)
        for tid, name in ((self.main, "python3"), (self.autograd, "pt_autograd_0"), (self.loader, "pt_data_pin")):
            self.add("ThreadNames", nameId=self.strings.id(name), priority=20, globalTid=tid)
        self.add("ThreadNames", nameId=self.strings.id("sshd"), priority=20, globalTid=HOST | 77 << 24 | 77)
        for pid, name in ((self.pid, "python3"), (77, "sshd"), (1, "systemd")):
            self.add("PROCESSES", globalPid=HOST | pid << 24, pid=pid, name=name)
        self.add_messages()

    def environment(self, separator: str) -> str:
        """Returns the environment of the job as a block."""
        names = {"AWS_ACCESS_KEY_ID": "access key", "AWS_SECRET_ACCESS_KEY": "secret key"}
        names |= {"GITHUB_TOKEN": "token of a code host", "HF_TOKEN": "token of a model hub"}
        names |= {"OPENAI_API_KEY": "token of an API", "ID_TOKEN": "web token", "WANDB_API_KEY": "tracker key"}
        names |= {"MASTER_PASSWORD": "password"}
        block = [f'{name}="{SECRETS[secret]}"' for name, secret in names.items()]
        block += [f'RANK="{self.rank}"', f'WORLD_SIZE="{self.ranks}"', 'HOME="/home/somebody"']
        block += [f'DATABASE_URL="postgres://trainer:{SECRETS["password of an address"]}@db.example/runs"']
        return separator.join(block)

    def add_messages(self) -> None:
        """Adds parameters, outputs and messages."""
        capture = [("DEVICE_ID", "Local (CLI)"), ("CAPTURE_EVENT_TYPE", "OSRuntime"), ("RUN_DURATION_MS", "468")]
        capture += [("PROCESS_0:COMMAND", "python3"), ("PROCESS_0:ARGUMENT_0", "train.py")]
        capture += [
            ("PROCESS_0:ARGUMENT_1", f"--api-key={SECRETS['tracker key']}"),
            ("PROCESS_0:WORKING_DIR", "/home/somebody"),
        ]
        capture += [("PROCESS_0:ENVIRONMENT_VARIABLE", text) for text in self.environment("\n").split("\n")]
        if self.new:
            capture.append(("PROCESS_0:CUDA_GRAPH_TRACE_OPTIONS:MODE", "Node" if self.graphs == "node" else "Graph"))
        product, schema = VERSIONS["new" if self.new else "old"]
        export = [("EXPORT_PRODUCT_NAME", "NVIDIA Nsight Systems"), ("EXPORT_PRODUCT_VERSION", product)]
        export += [("EXPORT_SCHEMA_VERSION", schema), ("EXPORT_HOST", "synthetic"), ("EXPORT_USER", "somebody")]
        export += [("EXPORT_PARAM_INPUT_PATH_ABS", "/home/somebody/report.nsys-rep"), ("EXPORT_PARAM_LAZY", "true")]
        export += [("EXPORT_PARAM_TIME_NORMALIZE", "false"), ("EXPORT_PARAM_TIME_SHIFT", "0")]
        for table, pairs in (("META_DATA_CAPTURE", capture), ("META_DATA_EXPORT", export)):
            for name, value in pairs:
                self.add(table, name=name, value=value)
        # no row refers to these
        for text in self.environment("\n").split("\n"):
            self.strings.id(text)
        output = f"logged in with {SECRETS['token of a model hub']} and {SECRETS['password']}\n"
        files = {"stdout": output, "stderr": ""}
        for number, (stream, content) in enumerate(files.items()):
            name = f"/var/nsight_systems/streams/pid_{self.pid}_{stream}.log"
            columns: Row = {"id": number, "filename": name, "globalPid": self.process, "content": content}
            self.add("ANALYSIS_FILE", **columns, contentId=self.strings.id(content))
            columns = {"globalPid": self.process, "filenameId": self.strings.id(name)}
            self.add("ProcessStreams", **columns, contentId=self.strings.id(content))
        messages = [
            (-55 * MS, 1, 2, 2, "Unable to collect CPU kernel IP samples.", HOST),
            (0, 1, 3, 1, "Profiling has started.", NOWHERE),
            (
                30 * US,
                1,
                2,
                1,
                f"Process was launched: train.py --token {SECRETS['token of a code host']}",
                self.process,
            ),
            (61 * MS, 2, 3, 3, "Some events were lost.", self.process),
            (61 * MS, 2, 3, 3, "Some events were lost.", self.process),
        ]
        for ts, clock, source, severity, text, process in messages:
            columns = {"timestamp": ts, "timestampType": clock, "source": source, "severity": severity}
            self.add("DIAGNOSTIC_EVENT", **columns, text=text, globalPid=process)

    def end(self, ts: int) -> Rows:
        """Adds the events after the last step, which ends at this time."""
        self.rows = ending = {}
        self.system("[Unknown]", ts + MS, 0, self.process, eventClass=32, nestingLevel=None)
        self.nvtx("evaluate", ts + 2 * US, None, self.main)
        columns = {"timestamp": ts + 2 * MS, "timestampType": 1, "source": 3, "severity": 1, "globalPid": NOWHERE}
        self.add("DIAGNOSTIC_EVENT", **columns, text="Profiling has stopped.")
        stop = ts + 2 * MS
        self.add("ANALYSIS_DETAILS", globalVid=HOST, duration=stop, startTime=26_590 * MS, stopTime=26_590 * MS + stop)
        return ending


def session_start(rank: int) -> int:
    """Returns the session start of a rank, in ns since the Unix epoch; it differs between ranks."""
    return EPOCH + rank * 1_234_567
