"""Merged timelines."""

import json
import tempfile
import time
from collections import Counter
from pathlib import Path

from smdebug_calls import captured_output, content
from tracelake.smdebug.profiler.analysis.utils.merge_timelines import MergedTimeline, MergeUnit


def merged(profile, *args, **kwargs):
    """Returns the events of a merged file, and hides the printed text."""
    with tempfile.TemporaryDirectory() as folder:
        timeline = MergedTimeline(str(profile), output_directory=folder)
        names = []
        captured_output(lambda: names.append(timeline.merge_timeline(*args, **kwargs)))
        return content(Path(names[0]))


def without_system_metrics(profile):
    """Returns the printed text of a merge without system metrics."""
    with tempfile.TemporaryDirectory() as folder:
        timeline = MergedTimeline(str(profile), output_directory=folder)
        return captured_output(lambda: timeline.merge_timeline(2, 4, MergeUnit.STEP, sys_metrics_filter=None))


CALLS = {
    "merged_time_all.json": lambda profile: merged(profile, 0, time.time() * 1e6),
    "merged_steps_2_4.json": lambda profile: merged(profile, 2, 4, MergeUnit.STEP),
    "merged_step_out_of_range.json": lambda profile: merged(profile, 1_000_000, 1_000_001, "step"),
    "merge_timeline__sysfilter_none.stdout.txt": without_system_metrics,
}


def plain(event):
    """Returns an event without interpreter-dependent values: the original's thread of intervals is a hash."""
    return {**event, "tid": 0} if event["ph"] == "X" or event["name"] == "thread_name" else event


def as_counter(events):
    """Returns events without their order."""
    return Counter(json.dumps(plain(event), sort_keys=True) for event in events)


def compare_events(ours, theirs):
    """Checks the same events in order of time; names have the same order, measurements of one time have none."""
    assert as_counter(ours) == as_counter(theirs)
    for events in (ours, theirs):
        times = [event["ts"] for event in events if event["ph"] != "M"]
        assert times == sorted(times)
    named = [[plain(event) for event in events if event["ph"] not in "Ci"] for events in (ours, theirs)]
    assert named[0] == named[1]
    moments = [[event["ts"] for event in events if event["ph"] == "i"] for events in (ours, theirs)]
    assert moments[0] == moments[1]


def compare(file, expected, result):
    """Compares event by event."""
    if expected.suffix == ".json":
        text = expected.read_text()
        assert text, f"the original's {file} is no JSON"
        compare_events(result, json.loads(text))
    else:
        assert result == expected.read_text()


def corrected(file, expected, result):
    """Checks that only the arguments of marks differ: ours are complete, without a trailing underscore."""
    if file == "merged_time_all.json" and expected.stat().st_size:
        theirs = content(expected)
        compare_events(without_arguments(result), without_arguments(theirs))
        for ours, mark in zip(markers(result), markers(theirs), strict=True):
            keys = {key.replace("_", ""): key for key in ours["args"]}
            args = {keys[key.replace("_", "")]: value for key, value in mark["args"].items()}
            assert args.items() <= ours["args"].items()
    elif expected.suffix == ".json":
        assert result == []
    else:
        assert result.startswith(expected.read_text())


def markers(events):
    """Returns the marks among the events."""
    return [event for event in events if event["ph"] == "i"]


def without_arguments(events):
    """Returns the events, with marks without arguments."""
    return [{**event, "args": {}} if event["ph"] == "i" else event for event in events]
