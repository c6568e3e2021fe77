"""Steps and phases of SageMaker profiles, compared with an independent count over the raw files."""

from collections import defaultdict
from statistics import fmean, median

import pytest

from sagemaker_raw import covered_time, events, extent, merged, percentile, rows, samples, spans, step_spans, steps


def process_of(path):
    """Returns a function that finds the process of a row: by rank, else by position on its machine."""
    span = spans(path)

    def process(row):
        if row["rank"] is not None:
            return f"{row['rank']}-{row['node']}"
        (process_name,) = [name for name in span if name.split("-", 1)[1] == row["node"] and span[name] == row["span"]]
        return process_name

    return process


def events_with_step(path):
    """Yields every event of a step, with the step of its process at its start, else its recorded number."""
    marks = steps(path)
    for event in events(path):
        inside = [mark for mark in marks[event.process] if mark[2] <= event.ts < mark[3]]
        if inside:
            yield event, *inside[-1][:2]
        elif "step_num" in event.args:
            yield event, None, int(event.args["step_num"])


@pytest.mark.parametrize(("query", "column", "field"), [("metric", "name", "name"), ("process", "track", "track")])
def test_durations_in_steps_are_medians_over_the_ranks(sagemaker, query, column, field):
    path, session = sagemaker
    span = spans(path)
    groups = defaultdict(list)
    for event, mode, number in events_with_step(path):
        groups[mode, getattr(event, field), span[event.process], number, event.process].append(event)
    ranks = defaultdict(list)
    for (*step, _), events_of_rank in groups.items():
        ranks[tuple(step)].append(max(e.end for e in events_of_rank) - min(e.ts for e in events_of_rank))
    durations = defaultdict(list)
    for (mode, key, _, _), durs in ranks.items():
        durations[mode, key].append(int(median(durs) + 0.5))
    expected = {
        key: [
            len(v),
            fmean(v),
            min(v),
            median(v),
            percentile(v, 0.95),
            percentile(v, 0.99),
            max(v),
        ]
        for key, v in durations.items()
    }
    numbers = ["n", "dur_mean", "dur_min", "dur_p50", "dur_p95", "dur_p99", "dur_max"]
    ours = {
        (row["mode"], row[column]): [row[name] for name in numbers]
        for row in rows(session.query(f"step.duration_by_{query}"))
    }
    assert ours.keys() == expected.keys()
    assert len(ours) > 2
    for key, values in expected.items():
        assert ours[key] == pytest.approx(values, rel=1e-9), key


def phases(marks, first, last):
    """Returns consecutive steps of a mode as one phase, and the gaps: name, start, length, number of steps."""
    result, ts, before = [], first, None
    for mode, _, begin, end in marks:
        if mode == before:
            label, start, _, n = result[-1]
            result[-1] = (label, start, end - start, n + 1)
        else:
            if begin > ts:
                result.append((f"between {before} and {mode}" if before else f"before {mode}", ts, begin - ts, 0))
            result.append((mode, begin, end - begin, 1))
        ts, before = end, mode
    return [*result, (f"after {before}", ts, last - ts, 0)] if last > ts else result


def intervals(marks, first, last):
    """Returns every step as an interval, and the gaps: name, start, length, step number. All steps have one mode."""
    mode, result, ts = marks[0][0], [], first
    for _, number, begin, end in marks:
        if begin > ts:
            result.append((f"between {mode} and {mode}" if result else f"before {mode}", ts, begin - ts, None))
        result.append((mode, begin, end - begin, number))
        ts = end
    return [*result, (f"after {mode}", ts, last - ts, None)] if last > ts else result


def test_each_rank_has_its_own_phases_and_intervals(sagemaker):
    """The steps of a process do not overlap in these profiles."""
    path, session = sagemaker
    whole = extent(path)
    process = process_of(path)
    of_rank, of_mode = defaultdict(list), defaultdict(list)
    for row in rows(session.job.phases_by_rank()):
        of_rank[process(row)].append((row["phase"], row["ts"], row["dur"], row["steps"]))
    for row in rows(session.step.intervals()):
        of_mode[process(row), row["mode"]].append((row["phase"], row["ts"], row["dur"], row["step"]))
    assert of_rank == {name: phases(marks, *whole) for name, marks in steps(path).items()}
    assert of_mode == {
        (name, mode): intervals([mark for mark in marks if mark[0] == mode], *whole)
        for name, marks in steps(path).items()
        for mode in {mark[0] for mark in marks}
    }


@pytest.mark.parametrize(
    ("first", "last", "mode"), [(None, None, None), (2, 4, None), (3, 3, "train"), (1, None, "eval")]
)
def test_events_between_two_steps_equal_a_scan(sagemaker, first, last, mode):
    path, session = sagemaker
    windows = {}
    for (span, items, number), (begin, end) in step_spans(path).items():
        if mode in (None, items) and (first or 0) <= number <= (number if last is None else last):
            low, high = windows.get((span, items), (begin, end))
            windows[span, items] = min(low, begin), max(high, end)
    stretches = merged(windows.values())
    length = sum(end - begin for begin, end in stretches)
    assert length
    events_in = defaultdict(list)
    for event in events(path):
        if event.dur and any(event.ts < end and event.end > begin for begin, end in stretches):
            events_in[event.name].append((event.ts, event.end))
    expected = {
        name: (len(items), sum(covered_time(items, *window) for window in stretches))
        for name, items in events_in.items()
    }
    answer = rows(session.step.recorded(first=first, last=last, mode=mode))
    ours = {row["name"]: (row["n"], row["busy"]) for row in answer if row["source"] == "event"}
    assert ours == expected
    ratios = [row["busy"] / length for row in answer if row["source"] == "event"]
    assert [row["ratio"] for row in answer if row["source"] == "event"] == pytest.approx(ratios)
    cores = defaultdict(list)
    for sample in samples(path):
        if sample.dimension == "CPUUtilization" and any(begin <= sample.ts < end for begin, end in stretches):
            cores[sample.node].append(sample.value)
    ours = {
        row["node"]: [row["n"], row["mean"], row["min"], row["max"]]
        for row in answer
        if (row["source"], row["category"], row["name"]) == ("sample", "cpu", "utilization")
    }
    assert ours.keys() == cores.keys()
    for node, v in cores.items():
        assert ours[node] == pytest.approx([len(v), fmean(v), min(v), max(v)])
