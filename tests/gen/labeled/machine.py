"""Generates samples of a machine in SageMaker's format from the load of its GPUs and cores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sagemaker import write_minute

from labeled.case import EPOCH, Planted, S, Source

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """The sampled load. Curves go from 0, the first sample, to 1, the last one; values are percent.

    A GPU is at `busy`, and at `idle_gpu` in the share `idle` of its samples, drawn at random. While a GPU is idle, the
    first core is at `hot` and has the I/O wait `wait`; the other cores are at `cores_busy`.
    """

    seconds: float = 1200
    every: float = 1
    start: int = EPOCH
    gpus: int = 1
    cores: int = 4
    busy: float = 93
    spread: float = 2
    idle: float = 0
    idle_gpu: float = 1
    cores_busy: float = 40
    hot: float = 45
    wait: float = 2
    factors: Sequence[float] = (1,)  # of each GPU's utilization
    memory: Callable[[float], float] = lambda _: 40
    gpu_memory: Callable[[float], float] = lambda _: 80
    lead: float = 0  # seconds before training, in which GPUs idle
    with_gpu: bool = True


def row(kind: str, metric: str, dimension: str, value: float, ts: int) -> str:
    """Returns a line of the file."""
    value = round(min(100.0, max(0.0, value)), 2)
    return (
        f'{{"Type":"{kind}","Name":"{metric}","Dimension":"{dimension}","Value":{value!r},'
        f'"NodeId":"algo-1","Timestamp":{ts / S:.3f}}}\n'
    )


def rows(m: Machine, chance: random.Random, n: int, count: int, busy: list[float]) -> Iterator[str]:
    """Yields the samples of one time; appends the utilization of GPUs during training to `busy`."""
    ts = m.start + int(n * m.every * S) + S // 2
    training = n * m.every >= m.lead
    idle = chance.random() < m.idle
    for core in range(m.cores):
        near = m.hot if idle and training and core == 0 else m.cores_busy
        waits = m.wait if idle and training and core == 0 else 1
        yield row("cpu", f"cpu{core}", "CPUUtilization", chance.gauss(near, 1.5), ts)
        yield row("cpu", f"cpu{core}", "I/OWaitPercentage", abs(chance.gauss(waits, 0.5)), ts)
    for gpu in range(m.gpus if m.with_gpu else 0):
        near = m.busy * m.factors[gpu % len(m.factors)]
        value = 0 if not training else chance.gauss(m.idle_gpu, 0.5) if idle else chance.gauss(near, m.spread)
        value = min(100.0, max(0.0, value))
        if training:
            busy.append(value)
        yield row("gpu", f"gpu{gpu}", "GPUUtilization", value, ts)
        yield row("gpu", f"gpu{gpu}", "GPUMemoryUtilization", m.gpu_memory(n / count), ts)
    yield row("memory", "MemoryUsedPercent", "", m.memory(n / count) + chance.uniform(-0.1, 0.1), ts)


def machine(m: Machine) -> Source:
    """Writes the samples of a machine; returns the mean utilization of its GPUs during training."""

    def write(folder: Path, chance: random.Random) -> Planted:
        out, count, busy = folder / "profiler-output", int(m.seconds / m.every), list[float]()
        minutes: dict[int, list[str]] = {}
        for n in range(count):
            minute = (m.start + int(n * m.every * S) + S // 2) // S // 60 * 60
            minutes.setdefault(minute, []).extend(rows(m, chance, n, count, busy))
        for minute, lines in minutes.items():
            write_minute(out, "algo-1", minute, lines)
        return {"gpu": sum(busy) / len(busy) / 100} if busy else {}

    return write
