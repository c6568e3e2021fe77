"""A cost model of lakes with many runs: lines through measurements, and a simulation of a query on a cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence


@dataclass(frozen=True)
class Line:
    """A quantity that grows linearly: `base + each * runs`."""

    base: float
    each: float

    def value_at(self, runs: float) -> float:
        """The value for this number of runs, at least 0."""
        return max(0.0, self.base + self.each * runs)


def fit(points: Sequence[tuple[float, float]]) -> Line:
    """Fits a line through (runs, value) by least squares of relative errors, so that small lakes count too."""
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
    """The cost of a query that reads every run: seconds of one core, and requests for objects."""

    planning: float
    """Of the session, before it sends the query."""
    scheduler: float
    """Of the scheduler, which uses one core for a query."""
    work: float
    """Total of all executors."""
    requests: float
    """Total of all executors; an executor waits for the response before it sends the next request."""
    fixed: float
    """The rest: messages and pauses between stages."""


def expected(question: Question, cores: int, latency: float) -> float:
    """Seconds of a query if all cores get the same share and every request takes the same time."""
    shared = (question.work + question.requests * latency) / cores
    return question.planning + question.scheduler + question.fixed + shared


def simulated(question: Question, cores: int, latency: float, generator: random.Random) -> float:
    """Seconds of a query if it ends with the slowest core.

    Objects are assigned round-robin to one task per core before the first one is read. The times of an object are
    random: work is uniform around its mean, and a request has an exponential distribution.
    """
    objects = max(1, round(question.requests))
    each = question.work / objects
    tasks = [0.0] * min(cores, objects)
    for number in range(objects):
        waiting = generator.expovariate(1 / latency) if latency else 0.0
        tasks[number % len(tasks)] += each * generator.uniform(0.5, 1.5) + waiting
    return question.planning + question.scheduler + question.fixed + max(tasks)


@dataclass(frozen=True)
class Prices:
    """Prices in USD: a GB for a month, 1,000 requests that write or list, 1,000 that read, a core for an hour."""

    storage: float
    writes: float
    reads: float
    core: float

    def month(self, gigabytes: float) -> float:
        """The price of storing a lake for a month."""
        return self.storage * gigabytes

    def question(self, question: Question, cores: int, seconds: float) -> float:
        """The price of one query: its requests, and all cores while it runs."""
        return self.reads * question.requests / 1000 + self.core * cores * seconds / 3600

    def opening(self, requests: float) -> float:
        """The maximum price of opening a lake once: every request at the price of a listing."""
        return self.writes * requests / 1000
