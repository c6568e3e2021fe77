"""A plain reader of SageMaker profiles for comparison: all files, in the order of their names."""

import json
import re


def timelines(profile):
    """Returns the intervals of all timelines: (start, name, dur, phase, node, args, file name)."""
    kinds = ["python", "model", "horovod", "smdataparallel"]
    files = sorted(profile.rglob("pevents/*/*.json"), key=lambda file: (int(file.name.split("_")[0]), file.name))
    rows = []
    for kind in kinds:
        for file in (file for file in files if kind in file.name):
            base, phases, begun = 0, {}, {}
            number, host = re.match(r"\d+_(\d+)-([^_]+)_", file.name).groups()
            node = f"{host}-{number}" if host.startswith("algo") else f"{number}-{host}"
            for event in json.loads(file.read_text()):
                args = event.get("args")
                if event["ph"] == "M":
                    base = (args or {}).get("start_time_since_epoch_in_micros", base)
                    if event["name"] == "process_name":
                        phases[event["pid"]] = args.get("name", "Unknown")
                    continue
                begin, dur = event, event.get("dur")
                if event["ph"] == "B":
                    begun.setdefault(event["pid"], []).append(event)
                elif event["ph"] == "E":
                    begin = begun[event["pid"]].pop()
                    dur = event["ts"] - begin["ts"]
                if event["ph"] in "XE":
                    phase = phases.get(event["pid"], "Unknown")
                    rows.append((base + begin["ts"], begin["name"], dur, phase, node, args, file.name))
    return rows


def measurements(profile):
    """Returns all measurements: (type, name, dimension, value, node, timestamp)."""
    files = sorted(profile.rglob("system/incremental/**/*.json"), key=lambda file: (file.name.split(".")[0], file.name))
    lines = [json.loads(line) for file in files for line in file.read_text().splitlines()]
    keys = ("Type", "Name", "Dimension", "Value", "NodeId", "Timestamp")
    return [tuple(line[key] for key in keys) for line in lines]
