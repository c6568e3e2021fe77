"""Events at given times and in given windows of SageMaker profiles, compared with the raw files."""

import random
from collections import defaultdict

import pytest

from sagemaker_raw import covered_time, events, extent, merged, rows, step_spans


def intervals_by(rows, *fields):
    """Returns the intervals of the events, by these fields."""
    sums = defaultdict(list)
    for event in rows:
        if event.dur > 0:
            sums[tuple(getattr(event, field) for field in fields)].append((event.ts, event.end))
    return sums


def random_times(path):
    """Returns random times, and starts and ends of events, some of them twice."""
    rnd = random.Random(7)
    first, last = extent(path)
    borders = [time for event in rnd.sample(events(path), 20) for time in (event.ts, event.end)]
    return [rnd.randint(first, last) for _ in range(40)] + borders + borders[:5]


def compare(answer, expected, expected_tracks, numbers):
    """Compares the rows with the values of names and tracks."""
    ours = {(row["track"], row["name"]): row for row in rows(answer)}
    assert ours.keys() == {key for key, value in expected.items() if value}
    assert len(ours) > 1
    for key, row in ours.items():
        mine = [row[number] for number in numbers]
        value, whole = expected[key]
        track_value, _ = expected_tracks[key[:1]]
        assert mine == [value, pytest.approx(value / whole), track_value, pytest.approx(track_value / whole)], key


@pytest.mark.parametrize("are_listed", [True, False])
def test_events_at_given_times_equal_a_scan(sagemaker, are_listed):
    path, session = sagemaker
    if are_listed:
        times = random_times(path)
    else:
        first, last = extent(path)
        times = list(range(first + (last - first) // 200, last + 1, (last - first) // 100))
        assert len(times) in (100, 101)

    def hit(event):
        counts = {
            key: sum(1 for time in set(times) if any(a <= time < b for a, b in intervals))
            for key, intervals in event.items()
        }
        return {key: (count, len(set(times))) if count else None for key, count in counts.items()}

    answer = session.event.at_times(times=times if are_listed else None)
    raw_events = events(path)
    compare(
        answer,
        hit(intervals_by(raw_events, "track", "name")),
        hit(intervals_by(raw_events, "track")),
        ["n", "ratio", "track_n", "track_ratio"],
    )


@pytest.mark.parametrize("are_listed", [True, False])
def test_events_in_given_windows_equal_a_scan(sagemaker, are_listed):
    path, session = sagemaker
    if are_listed:
        rnd = random.Random(3)
        first, last = extent(path)
        windows = [
            (window_start, window_start + rnd.randint(1, (last - first) // 20))
            for window_start in sorted(rnd.sample(range(first, last), 12))
        ]
    else:
        windows = list(step_spans(path).values())
    disjoint = merged(windows)
    length = sum(end - begin for begin, end in disjoint)

    def inside(event):
        counts = {key: sum(covered_time(intervals, *window) for window in disjoint) for key, intervals in event.items()}
        return {key: (count, length) if count else None for key, count in counts.items()}

    shuffled = windows[::-1]
    starts, ends = [begin for begin, _ in shuffled], [end for _, end in shuffled]
    answer = session.event.in_windows(starts=starts, ends=ends) if are_listed else session.event.in_windows()
    raw_events = events(path)
    numbers = ["busy", "ratio", "track_busy", "track_ratio"]
    compare(
        answer, inside(intervals_by(raw_events, "track", "name")), inside(intervals_by(raw_events, "track")), numbers
    )
