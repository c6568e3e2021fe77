"""What many runs cost: lines through what was measured, and a simulation of a question that a cluster answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


@dataclass(frozen=True)
class Line:
    """A quantity as `base + each * runs`."""

    base: float
    each: float

    def at(self, runs: float) -> float:
        """Its value; none is below zero."""
        return max(0.0, self.base + self.each * runs)


def fit(points: Sequence[tuple[float, float]]) -> Line:
    """The line through (runs, value) with the least squares of relative errors, so that small lakes count too."""
    weights = [1 / value**2 if value else 1.0 for _, value in points]
    total = sum(weights)
    mean_x = sum(w * x for w, (x, _) in zip(weights, points, strict=True)) / total
    mean_y = sum(w * y for w, (_, y) in zip(weights, points, strict=True)) / total
    spread = sum(w * (x - mean_x) ** 2 for w, (x, _) in zip(weights, points, strict=True))
    both = sum(w * (x - mean_x) * (y - mean_y) for w, (x, y) in zip(weights, points, strict=True))
    each = both / spread if spread else 0.0
    return Line(mean_y - each * mean_x, each)


@dataclass(frozen=True)
class Question:
    """A question that reads every run; seconds of one core, and requests for objects."""

    planning: float
    """Of the session, before anything is sent."""
    scheduler: float
    """Of the scheduler, which works for one question on one core."""
    work: float
    """Of all executors together."""
    requests: float
    """Of all executors together; each waits for its answer before the next."""
    fixed: float
    """What passes besides: messages and pauses between stages."""


def expected(question: Question, cores: int, latency: float) -> float:
    """Seconds until the answer is there if all cores get the same share and every request takes the same."""
    shared = (question.work + question.requests * latency) / cores
    return question.planning + question.scheduler + question.fixed + shared


def simulated(question: Question, cores: int, latency: float, chance: random.Random) -> float:
    """Seconds until the answer is there if the slowest core decides.

    Objects are dealt out before anything is read, in turn to as many tasks as there are cores. What an object takes is
    drawn: the work around its mean, a request with an exponential tail.
    """
    objects = max(1, round(question.requests))
    each = question.work / objects
    tasks = [0.0] * min(cores, objects)
    for number in range(objects):
        waiting = chance.expovariate(1 / latency) if latency else 0.0
        tasks[number % len(tasks)] += each * chance.uniform(0.5, 1.5) + waiting
    return question.planning + question.scheduler + question.fixed + max(tasks)


@dataclass(frozen=True)
class Prices:
    """USD: of a GB for a month, of 1,000 requests that write or list, of 1,000 that read, of a core for an hour."""

    storage: float
    writes: float
    reads: float
    core: float

    def month(self, gigabytes: float) -> float:
        """Of keeping a lake."""
        return self.storage * gigabytes

    def question(self, question: Question, cores: int, seconds: float) -> float:
        """Of one answer: its requests, and all cores while it is made."""
        return self.reads * question.requests / 1000 + self.core * cores * seconds / 3600

    def opening(self, requests: float) -> float:
        """Of opening a lake once, at most: as if every request were a listing."""
        return self.writes * requests / 1000
