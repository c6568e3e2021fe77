"""Profiles of steps alone, as SageMaker's hook writes them, with noise that a seed decides."""

import json

import numpy as np


def durations(rng, steps=200, factor=1.0, between=0.005):
    """Returns the step durations of a run in us: 2 % noise per step, and noise of the run."""
    level = 10_000 * factor * np.exp(between * rng.standard_normal())
    return np.round(level * np.exp(0.02 * rng.standard_normal(steps))).astype(int)


def write(folder, durs):
    """Writes a profile with consecutive train steps of these durations."""
    events = [
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1600000200000000}},
        {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
    ]
    ts = 0
    for step, dur in enumerate(durs):
        args = {"pid": 70, "step_num": str(step)}
        events.append({"name": "Step:ModeKeys.TRAIN", "pid": 1, "ph": "X", "ts": ts, "dur": int(dur), "args": args})
        ts += int(dur)
    folder = folder / "framework" / "pevents" / "2020091312"
    folder.mkdir(parents=True)
    (folder / "1600000210000000_0-algo-1_pythontimeline.json").write_text(json.dumps(events))
