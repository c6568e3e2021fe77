"""Writes a trace like the PyTorch profiler, of any size: steps with operators, launches, kernels and collectives.

The same arguments give the same bytes. Intervals are nested or disjoint, because Perfetto before version 57 drops those
that overlap partially.
"""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

OPERATORS = ["aten::addmm", "aten::conv2d", "aten::relu_", "aten::batch_norm", "aten::add_", "aten::cross_entropy_loss"]
KERNELS = [
    "ampere_sgemm_128x64_tn",
    "void cudnn::winograd_fwd<float>(float const*, int)",
    "void at::native::vectorized_elementwise_kernel<4, relu>(int)",
    "void cudnn::bn_fw_tr_1C11<float, 512>(float*)",
    "void at::native::vectorized_elementwise_kernel<4, add>(int)",
    "void at::native::softmax_warp_forward<float, 10>(float*)",
]
COLLECTIVE = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096>)"
# Operators of a step, and operators between two collectives.
PER_STEP, BETWEEN = 240, 40


def interval(kind: tuple[str, str], track: tuple[int, int], ts: int, dur: int, args: dict) -> dict:
    """An interval. The arguments are in ns, the file has microseconds."""
    (category, name), (pid, tid) = kind, track
    event = {"ph": "X", "cat": category, "name": name, "pid": pid, "tid": tid}
    return {**event, "ts": ts / 1000, "dur": dur / 1000, "args": args}


def step(number: int, ts: int, generator: random.Random) -> Iterator[dict]:
    """The events of one step, which takes 10 ms, on the host (pid 100) and on device 0 (streams 7 and 20)."""
    host, stream7_end, stream20_end = (100, 100), ts + 900_000, ts + 900_000
    yield interval(("user_annotation", f"ProfilerStep#{number}"), host, ts, 9_900_000, {})
    wait = "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"
    yield interval(("user_annotation", wait), host, ts + 1_000, 700_000, {})
    now = ts + 800_000
    for index in range(PER_STEP):
        launch = number * 1_000_000 + index * 10
        kind = generator.randrange(len(OPERATORS))
        args = {"External id": launch, "Input Dims": [[64, 3, 224, 224], []], "Ev Idx": launch}
        yield interval(("cpu_op", OPERATORS[kind]), host, now, 30_000, args)
        yield interval(("cuda_runtime", "cudaLaunchKernel"), host, now + 10_000, 6_000, {"correlation": launch})
        stream7_end = max(stream7_end, now + 20_000)
        dur = generator.randrange(4_000, 42_000)
        shape = {"grid": [generator.randrange(1, 512), 1, 1], "block": [256, 1, 1], "registers per thread": 32}
        work = {"device": 0, "context": 1, "External id": launch, "correlation": launch, **shape}
        yield interval(("kernel", KERNELS[kind]), (0, 7), stream7_end, dur, {**work, "stream": 7})
        stream7_end += dur + 1_000
        if index % BETWEEN == BETWEEN - 1:
            correlation = {"correlation": launch + 1}
            yield interval(("cuda_runtime", "cudaLaunchKernelExC"), host, now + 32_000, 2_000, correlation)
            stream20_end = max(stream20_end, now + 36_000)
            dur = generator.randrange(100_000, 300_000)
            yield interval(("kernel", COLLECTIVE), (0, 20), stream20_end, dur, {**work, **correlation, "stream": 20})
            stream20_end += dur + 1_000
        now += 36_000


def main() -> None:
    """Writes the trace: `trace.py FILE MEGABYTES`."""
    path, size = Path(sys.argv[1]), float(sys.argv[2]) * 1e6
    generator = random.Random(1)  # noqa: S311 - nothing is secret
    header = {
        "schemaVersion": 1,
        "baseTimeNanoseconds": 1_700_000_000_000_000_000,
        "deviceProperties": [{"id": 0, "name": "Device", "totalGlobalMem": 42_000_000_000, "numSms": 108}],
        "distributedInfo": {"backend": "nccl", "rank": 0, "world_size": 2},
    }
    with path.open("w") as file:
        file.write(json.dumps(header, indent=2)[:-2] + ',\n  "traceEvents": [\n')
        process_name = {"ph": "M", "name": "process_name", "pid": 100, "tid": 0, "ts": 0, "args": {"name": "python"}}
        file.write(json.dumps(process_name))
        number = 0
        while file.tell() < size:
            for event in step(number, 1_000_000_000 + number * 10_000_000, generator):
                file.write(",\n" + json.dumps(event))
            number += 1
        file.write("\n  ]\n}\n")


main()
