"""Writes PyTorch profiler traces of any size. The same arguments give the same bytes.

The layout is that of torch 2: one key per line, and a line with only a comma before `args`. A step is a mark, a
Python stack, operators with their launches, kernels and flows, and allocations. Names and values are invented. The
number of events of each kind and their durations follow real traces with `with_stack`.

  python tests/gen/large_trace.py --out folder --megabytes 200
"""

from __future__ import annotations

import argparse
import gzip
import itertools
import random
import re
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "rank0.1795225480000000000.pt.trace.json"
BASE = 1_790_857_026_000_000_000
HOST, DEVICE = 4000, 0
OPERATORS = ["aten::linear", "aten::conv2d", "aten::layer_norm", "aten::gelu", "aten::add", "aten::embedding"]
KERNELS = [
    "ampere_sgemm_128x64_nn",
    "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float>, at::detail::Array<char*, 3> >()",
    "void (anonymous namespace)::softmax_warp_forward<float, float, float, 8, false, false>(float*, float const*, int)",
    "triton_poi_fused_gelu_0",
]
FRAMES = [
    "train.py(22): training_step",
    "nn.Module: Block_2",
    "torch/nn/modules/module.py(1518): _call_impl",
    "torch/nn/functional.py(318): dropout",
]
HEAD = f"""{{
  "schemaVersion": 1,
  "deviceProperties": [
    {{
      "id": 0, "name": "Synthetic GPU", "totalGlobalMem": 85899345920,
      "computeMajor": 8, "computeMinor": 0, "numSms": 108
    }}
  ],
  "distributedInfo": {{"backend": "nccl", "rank": 0, "world_size": 1}},
  "with_stack": 1,
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": {BASE},
  "traceEvents": ["""
INTERVAL = """
  {{
    "ph": "X", "cat": "{cat}", "name": "{name}", "pid": {pid}, "tid": {tid},
    "ts": {ts}, "dur": {dur}
    ,
    "args": {{
      {args}
    }}
  }},"""
FLOW = """
  {{
    "ph": "{ph}", "id": {id}, "pid": {pid}, "tid": {tid}, "ts": {ts},
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  }},"""
ALLOCATION = """
  {{
    "ph": "i", "cat": "cpu_instant_event", "s": "t", "name": "[memory]",
    "pid": {pid}, "tid": {tid},
    "ts": {ts}
    ,
    "args": {{
      "Total Reserved": {reserved}, "Total Allocated": {allocated}, "Bytes": {bytes},
      "Device Id": 0, "Device Type": 1, "Addr": {address}, "Ev Idx": {index}
    }}
  }},"""
NAMES = f"""
  {{
    "ph": "M", "name": "thread_name", "ts": 0, "pid": {HOST}, "tid": {HOST},
    "args": {{
      "name": "thread {HOST} (python)"
    }}
  }},"""
TAIL = f"""
  {{
    "ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9
  }}
  ],
  "traceName": "{NAME}"
}}
"""
# beyond this size, steps are copied, which is five times as fast
BLOCK = 100_000_000
# numbers that grow from step to step, and their increment
GROWS = {
    "ProfilerStep#": 1,
    '"ts": ': 12_000,
    '"id": ': 1000,
    '"External id": ': 1000,
    '"correlation": ': 1000,
    '"Sequence number": ': 1000,
    '"Python id": ': 4000,
    '"Python parent id": ': 4000,
}
NUMBERED = re.compile(f"({'|'.join(GROWS)})([0-9]+)")


def us(ns: int) -> str:
    """Microseconds with three decimals, exactly."""
    return f"{ns // 1000}.{ns % 1000:03}"


def interval(cat: str, name: str, thread: tuple[int, int], ts: int, dur: int, args: str) -> str:
    """An event with a start and a duration in ns, on a process and thread or a device and stream."""
    return INTERVAL.format(cat=cat, name=name, pid=thread[0], tid=thread[1], ts=us(ts), dur=us(dur), args=args)


def step(number: int, dice: random.Random) -> Iterator[str]:
    """The events of one step."""
    host, stream = (HOST, HOST), (DEVICE, 7)
    start = number * 12_000_000
    yield interval("user_annotation", f"ProfilerStep#{number}", host, start, 11_000_000, f'"Ev Idx": {number}')
    for call in range(200):
        ident = number * 1000 + call
        ts = start + call * 50_000 + dice.randrange(5_000)
        for depth, frame in enumerate(dice.choices(FRAMES, k=4)):
            args = f'"Python parent id": {ident * 4 + depth}, "Python id": {ident * 4 + depth + 1}, "Ev Idx": {ident}'
            yield interval("python_function", frame, host, ts + depth * 200, 40_000 - depth * 400, args)
        sizes = [dice.choice([32, 128, 512, 4096]) for _ in range(3)]
        args = (
            f'"External id": {ident}, "Sequence number": {ident}, "Fwd thread id": 0, "Record function id": 0, '
            f'"Concrete Inputs": ["", "", ""], "Input type": ["float", "float", "float"], '
            f'"Input Dims": [[{sizes[0]}, {sizes[1]}], [{sizes[1]}, {sizes[2]}], [{sizes[2]}]], "Ev Idx": {ident}'
        )
        yield interval("cpu_op", dice.choice(OPERATORS), host, ts + 1_000, 30_000, args)
        args = f'"External id": {ident}, "cbid": 211, "correlation": {ident}'
        yield interval("cuda_runtime", "cudaLaunchKernel", host, ts + 2_000, 4_000 + dice.randrange(3_000), args)
        yield FLOW.format(ph="s", id=ident, pid=HOST, tid=HOST, ts=us(ts + 2_000))
        args = (
            f'"External id": {ident}, "queued": 0, "device": 0, "context": 1,\n'
            f'      "stream": 7, "correlation": {ident},\n      "registers per thread": 32,\n'
            f'      "shared memory": 0,\n      "blocks per SM": {sizes[0]}.25,\n      "warps per SM": 8,\n'
            f'      "grid": [{sizes[1]}, 1, 1],\n      "block": [{sizes[0]}, 1, 1], "est. achieved occupancy %": 31'
        )
        yield interval("kernel", dice.choice(KERNELS), stream, ts + 9_000, 20_000 + dice.randrange(15_000), args)
        yield FLOW.format(ph="f", id=ident, pid=DEVICE, tid=7, ts=us(ts + 9_000))
        size = dice.randrange(1, 1 << 12) * 512
        yield ALLOCATION.format(
            pid=HOST,
            tid=HOST,
            ts=us(ts + 3_000),
            reserved=1 << 24,
            allocated=(1 << 23) + size,
            bytes=size,
            address=140_000_461_373_440 + size,
            index=ident,
        )


def write(file: TextIO, size: int) -> None:
    """Yields whole steps until the size is reached; after a block, it repeats the steps, shifted."""
    dice = random.Random(size)
    done = file.write(HEAD) + file.write(NAMES)
    block: list[str] = []
    number = 2
    while done < min(size, BLOCK):
        block.append("".join(step(number, dice)))
        done += file.write(block[-1])
        number += 1
    for copied, text in enumerate(itertools.cycle(block)):
        if done >= size:
            break
        done += file.write(renumber_steps(text, (copied // len(block) + 1) * len(block)))
    file.write(TAIL)


def renumber_steps(text: str, steps: int) -> str:
    """Returns a step shifted by a number of steps."""
    return NUMBERED.sub(lambda match: f"{match[1]}{int(match[2]) + GROWS[match[1]] * steps}", text)


def main() -> None:
    """Writes the requested trace."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder, made if there is none")
    parser.add_argument("--megabytes", type=float, required=True, help="at least so many, unpacked")
    parser.add_argument("--gzip", action="store_true", help="packed as well")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    size = int(arguments.megabytes * 1e6)
    if arguments.gzip:
        with gzip.open(arguments.out / f"{NAME}.gz", "wt", compresslevel=5) as file:
            write(file, size)
    else:
        with (arguments.out / NAME).open("w") as file:
            write(file, size)


if __name__ == "__main__":
    main()
