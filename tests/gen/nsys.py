"""Generates SQLite exports of NVIDIA Nsight Systems, one file per rank, and a JSON file with their contents.

Each rank trains on its own GPU. A step is an NVTX range `iteration <n>`. In it:

- The main thread waits for a batch (range `data`, calls into the operating system) and copies it. It then runs four
  layers (ranges within `forward`; kernels are launched through the runtime, the last one through the driver).
- The autograd thread runs the backward pass (range `backward`) and reduces gradients (range `ncclAllReduce` of the
  domain `NCCL`).
- The main thread launches a CUDA graph (range `optimizer`) and waits for the device.

Start/end ranges overlap the nested ones; one ends on another thread.

There are two generations of the schema: `old` is that of 2024.5 (3.13.2), `new` that of 2025.5 (3.24.0). Tables,
columns and types are those of real exports, or of NVIDIA's schema reference of that time if the real exports lack a
table. Special cases:

  times count from a session start that differs between ranks; some are before it
  texts are in `text` or in `StringIds`; names of functions end in the version of their interface
  the number of a GPU in GPU_METRICS is not that of its CUDA device; GPUs are numbered in the opposite order
  the graph is recorded as a whole (even ranks) or per node (odd ranks); `--graphs both` writes both for one launch
  calls into the operating system are nested; markers are among them; one range never ends
  other processes, an unknown table, and secrets: in environments, command lines, outputs, texts, messages

`truth.json` has for each file: rows per table, times and sizes as plain sums over the rows, unions where work
overlaps, steps, ranges and their projection onto the device, names that must not be read, and the secrets, which must
not appear in a lake. Its times are in ns; those of steps count from the Unix epoch.

With `--megabytes`, the steps are repeated until the files have about that size. Sums are then those of all copies,
`steps` are those of the first copy. Copy k is `period` * k later, and its step numbers continue (`repeated`). Needs
only the standard library. The same arguments give the same rows.

Examples:
  nsys.py --out exports --generation new --steps 4
  nsys.py --out large --ranks 1 --megabytes 1000
  nsys.py --out bare --without 'ENUM_*' --without 'CUPTI_*'
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from nsight.export import Export
from nsight.job import MB, MS, SECRETS, Rank, session_start
from nsight.schema import UNREAD, VERSIONS
from nsight.truth import add_numbers, steps, truth

if TYPE_CHECKING:
    from nsight.job import Row

CHUNK = 64


def write(rank: Rank, arguments: argparse.Namespace) -> Row:
    """Writes the export of one rank, and returns its truth."""
    rank.begin()
    rank.rows, first = rank.block, rank.clock
    before = {"correlationId": rank.correlation, "callchainId": rank.chain, "sample": 0, "gridId": 0, "rangeId": 0}
    for number in range(arguments.steps):
        rank.step(number)
    period = max(rank.clock, *rank.free.values()) + MS - first
    after = {"correlationId": rank.correlation, "callchainId": rank.chain, "sample": rank.sample, "gridId": rank.grid}
    after |= {"rangeId": rank.range}
    shifts = {name: after[name] - before[name] for name in after}
    shifts |= {"time": period, "step": arguments.steps, "fileAccessId": rank.file, "int64Value": arguments.steps}
    path = arguments.out / f"report_rank{rank.rank}.sqlite"
    export = Export(path, new=rank.new)
    export.write(rank.setup)
    counts = {table: len(table_rows) for table, table_rows in rank.setup.items()}
    export.write(rank.block)
    spans = {
        t: (counts.get(t, 0) + 1, counts.get(t, 0) + len(table_rows))
        for t, table_rows in rank.block.items()
        if t in export.columns
    }
    copies, target_bytes = 1, arguments.megabytes * MB
    while (size := export.size()) < target_bytes:
        # larger numbers take more bytes, so the size is checked again halfway
        each = size / copies
        more = range(copies, copies + max(CHUNK, int((target_bytes - size) / each / 2)))
        export.repeat(spans, shifts, more)
        copies = more.stop
    ending = rank.end(first + copies * period)
    strings = {"StringIds": [{"id": number, "value": text} for text, number in rank.strings.ids.items()]}
    export.write(ending | strings)
    export.label()
    dropped = export.drop(arguments.without)
    export.close()
    total = add_numbers(truth(rank, rank.setup | strings), truth(rank, rank.block), copies)
    total = add_numbers(total, truth(rank, ending))
    total["tables"] = {name: n for name, n in sorted(total["tables"].items()) if name not in dropped}
    head = {"file": path.name, "rank": rank.rank, "pid": rank.pid, "session_start": session_start(rank.rank)}
    head |= {"device": f"gpu{rank.rank}", "graphs": rank.graphs, "dropped": dropped, "unread": UNREAD}
    step_rows = list(steps(rank))
    total["step"] = {"n": len(step_rows) * copies, "dur": sum(step["dur"] for step in step_rows) * copies}
    return head | total | {"repeated": {"copies": copies, "period": period}, "steps": step_rows}


def main() -> None:
    """Writes the requested exports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=Path, help="folder for the exports, made if absent")
    parser.add_argument("--generation", choices=VERSIONS, default="new", help="which schema (default new)")
    parser.add_argument("--ranks", type=int, default=2, help="ranks, a file for each (default 2)")
    parser.add_argument("--steps", type=int, default=6, help="steps (default 6)")
    parser.add_argument("--megabytes", type=int, default=0, help="size of each file, reached by repeating the steps")
    kinds = ("mixed", "graph", "node", "both")
    parser.add_argument("--graphs", choices=kinds, default="mixed", help="how CUDA graphs are recorded (default mixed)")
    parser.add_argument("--without", action="append", default=[], help="tables to leave out, as a pattern; repeatable")
    parser.add_argument("--seed", type=int, default=1, help="the times are drawn from it (default 1)")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    ranks = [write(Rank(rank, arguments), arguments) for rank in range(arguments.ranks)]
    product, schema = VERSIONS[arguments.generation]
    truth_of_job = {"generation": arguments.generation, "product": product, "schema": schema}
    truth_of_job |= {"secrets": [{"what": what, "value": value} for what, value in SECRETS.items()], "ranks": ranks}
    (arguments.out / "truth.json").write_text(json.dumps(truth_of_job, indent=1) + "\n")


if __name__ == "__main__":
    main()
