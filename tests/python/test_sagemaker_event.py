"""What ran at given times and in given windows of SageMaker profiles, against the raw files."""

import random
from collections import defaultdict

import pytest

from sagemaker_raw import clipped, events, extent, merged, rows, step_spans


def by(rows, *fields):
    """Intervals of the events, by these fields."""
    found = defaultdict(list)
    for event in rows:
        if event.dur > 0:
            found[tuple(getattr(event, field) for field in fields)].append((event.ts, event.end))
    return found


def some_times(path):
    """Times drawn at random, and starts and ends of events, some of them twice."""
    rnd = random.Random(7)
    first, last = extent(path)
    borders = [time for event in rnd.sample(events(path), 20) for time in (event.ts, event.end)]
    return [rnd.randint(first, last) for _ in range(40)] + borders + borders[:5]


def compare(answer, expected, expected_tracks, numbers):
    """The rows against what names and tracks should have."""
    ours = {(row["track"], row["name"]): row for row in rows(answer)}
    assert ours.keys() == {key for key, value in expected.items() if value}
    assert len(ours) > 1
    for key, row in ours.items():
        mine = [row[number] for number in numbers]
        value, of = expected[key]
        track_value, _ = expected_tracks[key[:1]]
        assert mine == [value, pytest.approx(value / of), track_value, pytest.approx(track_value / of)], key


@pytest.mark.parametrize("given", [True, False])
def test_what_ran_at_given_times(sagemaker, given):
    path, session = sagemaker
    if given:
        times = some_times(path)
    else:
        first, last = extent(path)
        times = list(range(first + (last - first) // 200, last + 1, (last - first) // 100))
        assert len(times) in (100, 101)

    def hit(found):
        counts = {
            key: sum(1 for time in set(times) if any(a <= time < b for a, b in intervals))
            for key, intervals in found.items()
        }
        return {key: (count, len(set(times))) if count else None for key, count in counts.items()}

    answer = session.event.at_times(times=times if given else None)
    found = events(path)
    compare(answer, hit(by(found, "track", "name")), hit(by(found, "track")), ["n", "ratio", "track_n", "track_ratio"])


@pytest.mark.parametrize("given", [True, False])
def test_what_ran_in_given_windows(sagemaker, given):
    path, session = sagemaker
    if given:
        rnd = random.Random(3)
        first, last = extent(path)
        windows = [(at, at + rnd.randint(1, (last - first) // 20)) for at in sorted(rnd.sample(range(first, last), 12))]
    else:
        windows = list(step_spans(path).values())
    disjoint = merged(windows)
    length = sum(end - begin for begin, end in disjoint)

    def inside(found):
        counts = {key: sum(clipped(intervals, *window) for window in disjoint) for key, intervals in found.items()}
        return {key: (count, length) if count else None for key, count in counts.items()}

    shuffled = windows[::-1]
    starts, ends = [begin for begin, _ in shuffled], [end for _, end in shuffled]
    answer = session.event.in_windows(starts=starts, ends=ends) if given else session.event.in_windows()
    found = events(path)
    numbers = ["busy", "ratio", "track_busy", "track_ratio"]
    compare(answer, inside(by(found, "track", "name")), inside(by(found, "track")), numbers)
