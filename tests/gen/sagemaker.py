"""Generates synthetic SageMaker Debugger (smdebug) profiles.

Writes a profile in the on-disk format of SageMaker's system profiler and of the smdebug hook:

  system/incremental/YYYYMMDDHH/<minute_epoch_s>.algo-N.json                JSON lines, a sample per --interval-ms
  system/training_job_end.ts                                                empty end marker
  framework/pevents/YYYYMMDDHH/<end_us>_<rank>-algo-N_pythontimeline.json   hook events (Step, Forward, ...)
  framework/pevents/YYYYMMDDHH/<end_us>_<rank>-algo-N_model_timeline.json   --framework tf
  framework/pevents/YYYYMMDDHH/<end_us>_<rank>-algo-N_horovod_timeline.json --horovod 1, rank 0 of each node
  framework/<fw>/cprofile/<rank>-algo-N/<span>/python_stats                 --pystats 1 (default), marshal
  framework/<fw>/pyinstrument/<rank>-algo-N/<span>/python_stats.{json,html}
  framework/tensorflow/detailed_profiling/YYYYMMDDHH/000000005/...          --tb 1: trace.json.gz and .metadata

Needs only the standard library and constant memory. The same arguments give the same bytes. As with the real writer, a
new file begins after 60 s or 10 MB. The last line of output is a JSON object with sizes and counts. Event names,
phases, ranges and file names follow real profiles; the numbers are random.

Examples:
  sagemaker.py --out small --minutes 3 --steps 120 --submodules 10 --modes 1
  sagemaker.py --out half_hour --minutes 30 --steps 5200 --epochs 4 --submodules 10 --modes 1
  sagemaker.py --out cluster --nodes 2 --ranks 2 --steps 150 --gpus 4 --horovod 1
  sagemaker.py --out tensorflow --framework tf --tb 1 --steps 150 --modes 1
"""

from __future__ import annotations

import argparse
import gzip
import json
import marshal
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

SECOND = 1_000_000  # in microseconds, the unit of everything below
ROTATE_AFTER = 60 * SECOND
ROTATE_BYTES = 10 * 1_000_000
LEAD = 45 * SECOND  # from the start of the job to the first step
TRAIL = 20 * SECOND  # from the last event to the end of the system metrics


def hour_folder(us: int) -> str:
    """Returns the folder name for the files of an hour."""
    return time.strftime("%Y%m%d%H", time.gmtime(us / SECOND))


class Timeline:
    """Writes trace events into files that rotate, with the grammar of the hook's files."""

    def __init__(self, out: Path, node: str, suffix: str, base: int, *, from_zero: bool = False) -> None:
        self.out, self.node, self.suffix, self.base = out, node, suffix, base
        self.from_zero = from_zero
        self.phases: dict[str, int] = {} if from_zero else {"": 0}
        self.declared: set[int] = set()
        self.lines: list[str] = []
        self.size = 0
        self.opened = base
        self.last_end = base
        self.bytes = self.events = self.files = 0

    def event(self, phase: str, name: str, start: int, dur: int, ph: str = "X", **args: object) -> None:
        """Writes one event; declares the phase at its first use in a file."""
        end = start + dur
        if self.lines and (end - self.opened > ROTATE_AFTER or self.size > ROTATE_BYTES):
            self.close(end)
        if not self.lines:
            self._declare(0, {"start_time_since_epoch_in_micros": self.base}, 0)
        pid = self.phases.setdefault(phase, len(self.phases))
        if pid not in self.declared:
            # the newest hook declares phase 0 again for every event
            if not (self.from_zero and pid == 0):
                self.declared.add(pid)
            if ph != "i":
                self._declare(pid, {"name": phase}, pid)
        line: dict[str, object] = {"name": name, "pid": pid, "ph": ph, "ts": start - self.base}
        if ph == "X":
            line["dur"] = dur
        if ph == "i":
            line["s"] = "g"
        if args:
            line["args"] = args
        self._line(line)
        self.events += 1
        self.last_end = max(self.last_end, end)

    def close(self, now: int | None = None) -> None:
        """Writes the file so far; the name has the end of its last event."""
        if not self.lines:
            return
        folder = self.out / "framework" / "pevents" / hour_folder(self.last_end)
        folder.mkdir(parents=True, exist_ok=True)
        body = "[\n" + ",\n".join(self.lines) + "\n]"
        (folder / f"{self.last_end}_{self.node}_{self.suffix}").write_text(body)
        self.bytes += len(body)
        self.files += 1
        self.lines, self.size, self.declared = [], 0, set()
        if now:
            self.opened = now

    def _declare(self, pid: int, what: dict[str, object], index: int) -> None:
        self._line({"name": "process_name", "ph": "M", "pid": pid, "args": what})
        self._line({"name": "process_sort_index", "ph": "M", "pid": pid, "args": {"sort_index": index}})

    def _line(self, line: dict[str, object]) -> None:
        text = json.dumps(line)
        self.lines.append(text)
        self.size += len(text) + 2


@dataclass
class Loop:
    """The activity of the training processes that determines the system metrics."""

    start: int
    end: int
    waits: dict[tuple[int, int], list[tuple[int, int]]] = field(
        default_factory=dict[tuple[int, int], list[tuple[int, int]]]
    )
    bytes: int = 0
    events: int = 0
    files: int = 0

    def is_waiting(self, node: int, rank: int, ts: int) -> bool:
        """Returns whether the process was waiting for a batch."""
        return any(start <= ts < end for start, end in self.waits.get((node, rank), ()))


def system_metrics(a: argparse.Namespace, rnd: random.Random, start: int, end: int, loop: Loop) -> tuple[int, int]:
    """Writes the metrics of all nodes; returns the number of bytes and rows."""
    size = rows = 0
    for node in range(1, a.nodes + 1):
        name = f"algo-{node}"
        minute, lines = 0, list[str]()
        ts = start + 508_406
        while ts < end:
            if ts // SECOND // 60 * 60 != minute:
                size += write_minute(a.out, name, minute, lines)
                minute, lines = ts // SECOND // 60 * 60, []
            for kind, metric, dimension, value, sample_ts in one_sample(a, rnd, node, ts, start, end, loop):
                lines.append(
                    f'{{"Type":"{kind}","Name":"{metric}","Dimension":"{dimension}","Value":{round(value, 2)!r},'
                    f'"NodeId":"{name}","Timestamp":{sample_ts / SECOND!r}}}\n'
                )
                rows += 1
            ts += a.interval_ms * 1000
        size += write_minute(a.out, name, minute, lines)
    (a.out / "system" / "training_job_end.ts").write_text("")
    return size, rows


def write_minute(out: Path, node: str, minute: int, lines: list[str]) -> int:
    """Writes the samples of one minute; returns the number of bytes."""
    if not lines:
        return 0
    folder = out / "system" / "incremental" / hour_folder(minute * SECOND)
    folder.mkdir(parents=True, exist_ok=True)
    body = "".join(lines)
    (folder / f"{minute}.{node}.json").write_text(body)
    return len(body)


def one_sample(a: argparse.Namespace, rnd: random.Random, node: int, ts: int, start: int, end: int, loop: Loop):
    """Yields the rows of one sample: type, name, dimension, value, time."""
    training = loop.start <= ts <= loop.end
    stall = rnd.random() < 0.15
    if a.coupled:
        stall = training and any(loop.is_waiting(node, rank, ts) for rank in range(a.ranks))

    sample_ts = ts + rnd.randint(0, 900)
    for core in range(a.cores):
        busy = 95 if (training and stall) else 45 if training else 12
        yield "cpu", f"cpu{core}", "CPUUtilization", min(100.0, max(0.0, rnd.gauss(busy, 14))), sample_ts
        yield "cpu", f"cpu{core}", "I/OWaitPercentage", min(100.0, abs(rnd.gauss(0, 30 if stall else 3))), sample_ts
    sample_ts = ts + rnd.randint(0, 6000)
    for gpu in range(a.gpus):
        idle = loop.is_waiting(node, gpu, ts) if a.coupled else stall
        busy = 0.0 if (not training or idle) else min(100.0, max(0.0, rnd.gauss(78 - 6 * gpu, 20)))
        yield "gpu", f"gpu{gpu}", "GPUUtilization", float(round(busy)), sample_ts
        used = 0 if not training else 35 + gpu + 5 * (ts - loop.start) / (loop.end - loop.start)
        yield "gpu", f"gpu{gpu}", "GPUMemoryUtilization", float(round(used)), sample_ts
    sample_ts = ts + rnd.randint(0, 700)
    yield "memory", "MemoryUsedPercent", "", 6 + 18 * (ts - start) / (end - start), sample_ts
    sample_ts = ts + rnd.randint(0, 700)
    yield "i/o", "IOPS", "", abs(rnd.gauss(300, 200)), sample_ts
    yield "i/o", "ReadThroughputInBytesPerSecond", "", abs(rnd.gauss(8e6, 4e6)), sample_ts
    yield "i/o", "WriteThroughputInBytesPerSecond", "", abs(rnd.gauss(1e6, 1e6)), sample_ts
    sample_ts = ts + rnd.randint(0, 5000)
    for who in ("Algorithm", "Platform"):
        platform = who == "Platform"
        yield "network", "ReceiveBytesPerSecond", who, abs(rnd.gauss(2e6, 1e6)) if platform else 0.0, sample_ts
        yield "network", "TransmitBytesPerSecond", who, abs(rnd.gauss(7e4, 3e4)) if platform else 0.0, sample_ts


class Process:
    """One training process: its epochs, steps, phases and loader."""

    def __init__(self, a: argparse.Namespace, rnd: random.Random, node: int, rank: int, loop: Loop) -> None:
        self.a, self.rnd, self.loop, self.key = a, rnd, loop, (node, rank)
        self.pid = 80 + rank
        name = f"{rank}-algo-{node}"
        base = loop.start - 3 * SECOND - rnd.randint(0, SECOND)
        self.hook = Timeline(a.out, name, "pythontimeline.json", base, from_zero=bool(a.pid0))
        self.horovod = Timeline(a.out, name, "horovod_timeline.json", base) if a.horovod and rank == 0 else None
        self.model = Timeline(a.out, name, "model_timeline.json", base) if a.framework == "tf" else None
        self.modules = [f"ResNet_layer{i // 12}.{i % 12}_Conv2d" for i in range(a.submodules)]
        self.steps = {"TRAIN": 0, "EVAL": 0}
        self.step = 0
        self.now = loop.start + rnd.randint(0, 20_000)

    def run(self) -> Generator[int, int, None]:
        """Writes all events of the process. Yields the possible end of a train step, and receives its actual end."""
        run_processes = max(1, self.a.steps // self.a.epochs)
        for _ in range(self.a.epochs):
            yield from self._pass("TRAIN", run_processes)
            yield from self._pass("EVAL", max(1, run_processes // 10))
        for timeline in (self.hook, self.horovod, self.model):
            if timeline is not None:
                timeline.close()
                self.loop.bytes += timeline.bytes
                self.loop.events += timeline.events
                self.loop.files += timeline.files
                self.loop.end = max(self.loop.end, timeline.last_end)

    def _pass(self, mode: str, batches: int) -> Generator[int, int, None]:
        started = self.now
        torch = self.a.framework == "pt"
        if torch:
            self._start_loader()
        for i in range(batches):
            yield from self._batch(mode, i)
        if torch and self.a.workers:
            for worker in range(self.a.workers):
                dur = self.now - started + self.rnd.randint(0, 40_000)
                self.hook.event(
                    "DataLoaderWorker",
                    "DataLoaderWorker",
                    started + 200 * worker,
                    dur,
                    pid=self.pid + 100 + worker,
                    worker_id=worker,
                )
        self.now += self.rnd.randint(5_000, 60_000)

    def _start_loader(self) -> None:
        dur = int(abs(self.rnd.gauss(60_000 if self.a.workers else 400, 9_000)))
        if self.rnd.random() < 0.1:
            dur *= 3
        name = "_MultiProcessingDataLoaderIter.__init__" if self.a.workers else "_SingleProcessDataLoaderIter.__init__"
        pin = bool(self.a.pin_memory)
        self.hook.event(
            "DataLoaderIterInitialize", name, self.now, dur, pid=self.pid, num_workers=self.a.workers, pin_memory=pin
        )
        self.now += dur

    def _batch(self, mode: str, i: int) -> Generator[int, int, None]:
        a, rnd = self.a, self.rnd
        dur = max(1000, int(rnd.gauss(a.step_ms * 1000, a.step_ms * 60)))
        if rnd.random() < 0.02:
            dur = int(dur * rnd.uniform(2.2, 6))
        if self.step == 0:
            dur += 2 * SECOND
        wait = max(20, int(abs(rnd.gauss(a.wait_ms * 1000, a.wait_ms * 360))))
        if rnd.random() < a.stalls:
            wait *= a.stall_factor
        number = self.steps[mode] if a.modes else self.step
        if a.framework == "pt":
            worker = (i % a.workers) if a.workers else 0
            self.hook.event("DataLoaderIter", "DataLoaderIter::GetNext", self.now, wait, pid=self.pid, worker_id=worker)
            self.loop.waits.setdefault(self.key, []).append((self.now, self.now + wait))
            self.now += wait + rnd.randint(50, 400)
            forward = int(dur * 0.4)
            # gradients are exchanged in the backward pass, which lasts until the slowest rank is ready
            dur = (yield self.now + dur) - self.now if mode == "TRAIN" else forward
            self._torch_step(mode, number, forward, dur)
        else:
            self._dataset(wait)
        if self.horovod is not None:
            for k in range(4):
                track = f"Adam_Allreduce/HorovodAllreduce_grad_{k}"
                self.horovod.event(track, "NEGOTIATE_ALLREDUCE", self.now + 100 + k, 0, ph="B")
                self.horovod.event(track, "", self.now + 900 + k, 0, ph="E")
                self.horovod.event(track, "NCCL_ALLREDUCE", self.now + 950 + k, 800)
        phase = f"Step:ModeKeys.{mode}" if a.modes else "Step:ModeKeys.GLOBAL"
        self.hook.event(phase, phase, self.now, dur, pid=self.pid, step_num=str(number))
        self.now += dur + rnd.randint(200, 3000)
        self.steps[mode] += 1
        self.step += 1

    def _torch_step(self, mode: str, number: int, forward: int, dur: int) -> None:
        """Writes forward, backward (in training), and operators in the detailed steps."""
        self._modules("Forward-SubModuleInternal", self.modules, self.now, forward, number)
        self.hook.event("Forward", "ResNet", self.now, forward, pid=self.pid, step_num=str(number))
        if mode == "TRAIN":
            start, backward = self.now + forward, dur - forward
            self._modules("Backward-SubModuleInternal", self.modules[::-1], start, backward, number)
            self.hook.event("Backward(post-forward)", "ResNet", start, backward, pid=self.pid, step_num=str(number))
        if self.a.detail_start <= self.step < self.a.detail_start + self.a.detail_steps:
            self._operators(dur)

    def _modules(self, phase: str, modules: list[str], start: int, dur: int, number: int) -> None:
        now = start
        for j, module in enumerate(modules):
            end = start + dur * (j + 1) // len(modules)
            self.hook.event(phase, module, now, end - now, pid=self.pid, step_num=str(number))
            now = end

    def _operators(self, dur: int) -> None:
        ops = self.a.ops
        for j in range(ops):
            start, thread, name = self.now + dur * j // ops, 1 + j % 3, f"aten::op{j % 40}"
            self.hook.event(
                "cpu_functions", name, start, max(1, dur // ops // 2), tid=thread, step_num=self.step, device="cpu"
            )
            if self.a.gpus:
                self.hook.event(
                    "gpu_functions-dev:0", f"kern{j % 25}", start + 5, max(1, dur // ops // 3), tid=0,
                    step_num=self.step, event_name=name, device=0, start_cpu_thread=thread, cpu_thread_start_time=start,
                )  # fmt: skip

    def _dataset(self, wait: int) -> None:
        """Writes the events of a tf.data pipeline."""
        assert self.model is not None
        now = self.now
        for k in range(self.a.tf_getnext):
            dur = self.rnd.randint(1, max(2, wait))
            phase, name = (
                ("DataIterator", "dataset::GetNext")
                if k % 2
                else ("Dataset", "tensorflow::data::MapDatasetOp::Dataset::Iterator::GetNext")
            )
            fetched = self.rnd.randint(0, 65536)
            self.model.event(phase, name, now, dur, thread_id=7000 + k % max(1, self.a.workers), bytes_fetched=fetched)
            now += self.rnd.randint(1, 40)


def python_stats(a: argparse.Namespace, rnd: random.Random, node: int, rank: int, loop: Loop) -> None:
    """Writes dumps of cProfile and pyinstrument; their times do not align with the steps of the trace."""
    framework = "pytorch" if a.framework == "pt" else "tensorflow"
    for k, (span, start, end) in enumerate(
        stats_spans(framework, "train" if a.modes else "global", float(loop.start - 20 * SECOND))
    ):
        folder = a.out / "framework" / framework / "cprofile" / f"{rank}-algo-{node}" / span
        folder.mkdir(parents=True, exist_ok=True)
        stats: dict[tuple[str, int, str], object] = {}
        previous = None
        for i in range(120):
            key = (f"/opt/conda/lib/python3.6/site-packages/torch/mod{i % 17}.py", 10 + i, f"fn_{i}")
            own = round(rnd.random() * 0.01, 9)
            callers = {} if previous is None else {previous: (1 + i % 5, 1 + i % 5, own, own * 2)}
            stats[key] = (1 + i % 5, 1 + i % 7 + i % 5, own, own * (1 + i % 9), callers)
            previous = key
        (folder / "python_stats").write_bytes(marshal.dumps(stats))

        folder = a.out / "framework" / framework / "pyinstrument" / f"{rank}-algo-{node}" / span
        folder.mkdir(parents=True, exist_ok=True)
        seconds = (end - start) / SECOND
        session = {
            "start_time": start / SECOND,
            "duration": seconds,
            "sample_count": int((end - start) / 1000),
            "program": "train.py",
            "cpu_percent": None,
            "root_frame": stack_frame(0, k, seconds),
        }
        (folder / "python_stats.json").write_text(json.dumps(session))
        (folder / "python_stats.html").write_text("<html><body>pyinstrument</body></html>")


def stats_spans(framework: str, mode: str, start: float) -> list[tuple[str, float, float]]:
    """Yields folder name, start and end of each profile: before step 0, halves of steps 9 to 11, the end of the job."""

    def span(*words: object) -> str:
        return "-".join(map(str, words[:4])) + "_" + "-".join(map(str, words[4:]))

    end = start + 15 * SECOND
    spans = [(span("prestepzero", "*", "start", start, mode, 0, "stepstart", end), start, end)]
    now = start + 16 * SECOND
    middle = "forwardpassend" if framework == "pytorch" else "stepend"
    for step in range(9, 12):
        end = now + 90_000.5
        spans.append((span(mode, step, "stepstart", now, mode, step, middle, end), now, end))
        now, end = end, end + 60_000.25
        spans.append((span(mode, step, middle, now, mode, step + 1, "stepstart", end), now, end))
        now = end
    end = now + 4 * SECOND
    spans.append((span(mode, 12, "stepend", now, "posthookclose", "*", "end", end), now, end))
    return spans


def stack_frame(depth: int, k: int, seconds: float) -> dict[str, object]:
    """Returns a frame of pyinstrument's tree with its children."""
    return {
        "function": f"fn_{depth}_{k}",
        "file_path_short": f"mod{depth}.py",
        "file_path": f"/x/mod{depth}.py",
        "line_no": depth * 10,
        "time": round(seconds / (depth + 1), 6),
        "is_application_code": depth % 2 == 0,
        "children": [] if depth > 3 else [stack_frame(depth + 1, k, seconds), stack_frame(depth + 2, k, seconds)],
        "group_id": f"g{depth}",
    }


def tensorflow_trace(a: argparse.Namespace, node: int, ts: int) -> None:
    """Writes a trace of TensorFlow's own profiler, with the empty file that has its time in the name."""
    folder = a.out / "framework" / "tensorflow" / "detailed_profiling" / hour_folder(ts) / "000000005"
    plugin = folder / "plugins" / "profile" / time.strftime("%Y_%m_%d_%H_%M_%S", time.gmtime(ts / SECOND))
    plugin.mkdir(parents=True, exist_ok=True)
    (folder / f"0-algo-{node}_{ts}_{ts + 400_000}.metadata").write_text("")
    events: list[dict[str, object]] = [
        {"ph": "M", "pid": 9, "name": "process_name", "args": {"name": "/host:CPU"}},
        {"ph": "M", "pid": 9, "name": "process_sort_index", "args": {"sort_index": 9}},
        {"ph": "M", "pid": 9, "tid": 4711, "name": "thread_name", "args": {"name": "tf_Compute"}},
        {"ph": "M", "pid": 9, "tid": 4711, "name": "thread_sort_index", "args": {"sort_index": 1}},
    ]
    for i in range(500):
        name = f"op{i % 30}"
        args = {"group_id": "1", "long_name": name}
        events.append(
            {"ph": "X", "pid": 9, "tid": 4711, "ts": 1000.5 + i * 600, "dur": 250.25, "name": name, "args": args}
        )
    trace = {"displayTimeUnit": "ns", "metadata": {"highres-ticks": True}, "traceEvents": [*events, {}]}
    (plugin / f"ip-10-0-0-{node}.trace.json.gz").write_bytes(gzip.compress(json.dumps(trace).encode(), mtime=0))


class HelpFormat(argparse.RawDescriptionHelpFormatter, argparse.ArgumentDefaultsHelpFormatter):
    """Formats the help with the module's text and the default of each option."""


def arguments() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=HelpFormat)
    option = parser.add_argument
    option(
        "--out",
        required=True,
        type=Path,
        help="folder to write the profile into; files of the same name are overwritten",
    )
    option("--framework", choices=["pt", "tf"], default="pt", help="PyTorch or TensorFlow vocabulary of events")
    option(
        "--minutes",
        type=float,
        default=5,
        help="shortest length of the system metrics; they always outlast the last event by 20 s",
    )
    option("--nodes", type=int, default=1, help="machines, algo-1 .. algo-N")
    option("--ranks", type=int, default=1, help="training processes per node")
    option("--steps", type=int, default=200, help="train steps per rank (eval adds 10 %%)")
    option("--epochs", type=int, default=2, help="each epoch = train steps, then eval steps")
    option("--step-ms", type=float, default=220, help="mean step duration; 2 %% of the steps are 2.2 to 6 times longer")
    option("--workers", type=int, default=4, help="data loader workers per rank, 0 = single-process loader")
    option("--wait-ms", type=float, default=2.5, help="mean wait for a batch")
    option("--stalls", type=float, default=0.04, help="share of the waits that are stalls")
    option("--stall-factor", type=int, default=12, help="how many times longer a stall is")
    option(
        "--lockstep",
        type=int,
        default=0,
        help="1: pt: a train step ends on all ranks at once, when the slowest is done",
    )
    option(
        "--coupled",
        type=int,
        default=0,
        help="1: a GPU is idle and the cores are busy while its rank waits for a batch; 0: stalls at random",
    )
    option("--cores", type=int, default=8, help="CPU cores per node in the system metrics")
    option("--gpus", type=int, default=1, help="GPUs per node, 0 = no gpu rows")
    option("--submodules", type=int, default=40, help="pt: sub-module events per forward and per backward pass")
    option("--tf-getnext", type=int, default=20, help="tf: dataset events per step")
    option("--detail-start", type=int, default=5, help="pt: first step with operator events")
    option("--detail-steps", type=int, default=2, help="pt: number of steps with operator events")
    option("--ops", type=int, default=400, help="pt: operator events (cpu, and gpu if there are GPUs) per such step")
    option("--interval-ms", type=int, default=500, help="system sampling interval")
    option("--modes", type=int, default=0, help="1: Step:ModeKeys.TRAIN/EVAL, 0: GLOBAL")
    option("--pin-memory", type=int, default=0, help="value written into the loader-initialize event")
    option("--horovod", type=int, default=0, help="1: also a Horovod timeline")
    option("--pystats", type=int, default=1, help="0: no cProfile and pyinstrument dumps")
    option("--tb", type=int, default=0, help="1: also a trace.json.gz of TensorFlow's profiler")
    option("--start", type=int, default=1_600_000_200, help="epoch seconds of job start (multiple of 60)")
    option(
        "--pid0",
        type=int,
        default=0,
        help="1: like the newest hook, phase 0 is a real one and declared again and again",
    )
    option("--seed", type=int, default=1, help="random seed")
    return parser


def run_processes(processes: Iterable[Generator[int, int, None]], *, lockstep: bool) -> None:
    """Runs the processes: one after the other, or all of them step by step."""
    if not lockstep:
        for process in processes:
            end = next(process, None)
            while end is not None:
                end = resume(process, end)
        return
    processes = list(processes)
    ends = [next(process, None) for process in processes]
    while None not in ends:
        slowest = max(end for end in ends if end is not None)
        ends = [resume(process, slowest) for process in processes]


def resume(process: Generator[int, int, None], end: int) -> int | None:
    """Sends the end of a step to a process; returns the possible end of its next step, or `None` at the end."""
    try:
        return process.send(end)
    except StopIteration:
        return None


def generate(a: argparse.Namespace) -> dict[str, object]:
    """Writes the profile and returns sizes and counts."""
    rnd = random.Random(a.seed)
    start = a.start * SECOND
    loop = Loop(start=start + LEAD, end=start + LEAD + SECOND)
    ranks = [(node, rank) for node in range(1, a.nodes + 1) for rank in range(a.ranks)]
    run_processes((Process(a, rnd, node, rank, loop).run() for node, rank in ranks), lockstep=bool(a.lockstep))
    end = max(start + int(a.minutes * 60 * SECOND), loop.end + TRAIL)
    system_bytes, system_rows = system_metrics(a, rnd, start, end, loop)
    if a.pystats:
        for node, rank in ranks:
            python_stats(a, rnd, node, rank, loop)
    if a.tb:
        for node in range(1, a.nodes + 1):
            tensorflow_trace(a, node, loop.start + 5 * SECOND)
    return {
        "out": str(a.out),
        "system_mb": round(system_bytes / 1e6, 2),
        "system_rows": system_rows,
        "framework_mb": round(loop.bytes / 1e6, 2),
        "framework_events": loop.events,
        "framework_files": loop.files,
        "total_mb": round((system_bytes + loop.bytes) / 1e6, 2),
        "seconds": round((end - start) / SECOND, 1),
    }


if __name__ == "__main__":
    print(json.dumps(generate(arguments().parse_args())))  # noqa: T201
