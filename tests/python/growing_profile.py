"""Writes a SageMaker profile minute by minute, and checks that a lake has each row once."""

import json
import time

import tracelake as tl

START = 1_600_000_200  # a full minute, s
MINUTE = 60
HOUR = time.strftime("%Y%m%d%H", time.gmtime(START))
NAMES = ("cpu0", "cpu1", "cpu2")


def system(minute, samples=4):
    """Returns name and text of a minute of system metrics."""
    begin = START + minute * MINUTE
    row = {"Type": "cpu", "Dimension": "CPUUtilization", "NodeId": "algo-1"}
    lines = [
        json.dumps({**row, "Name": name, "Value": minute + n / 8, "Timestamp": begin + n * 0.5})
        for n in range(samples)
        for name in NAMES
    ]
    return f"system/incremental/{HOUR}/{begin}.algo-1.json", "\n".join(lines) + "\n"


def timeline(minute, rank, steps=5, *, open_begin=False, open_end=False):
    """Returns name and text of a minute of one process; only the first has the time base and the phase names."""
    relative = minute * MINUTE * 1_000_000
    events = []
    if minute == 0:
        base = {"start_time_since_epoch_in_micros": START * 1_000_000}
        events += [
            {"name": "process_name", "ph": "M", "pid": 0, "args": base},
            {"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
        ]
    if open_end:
        events.append({"name": "late", "ph": "E", "pid": 1, "ts": relative})
    for n in range(steps):
        step = {"pid": 90 + rank, "step_num": str(minute * steps + n)}
        begin = relative + n * 1_000_000
        event = {"name": "Step:ModeKeys.TRAIN", "ph": "X", "pid": 1, "ts": begin, "dur": 900_000, "args": step}
        events.append(event)
    if open_begin:
        events.append({"name": "late", "ph": "B", "pid": 1, "ts": relative + 50_000_000})
    end = START * 1_000_000 + relative + steps * 1_000_000
    text = "[\n" + ",\n".join(map(json.dumps, events)) + "\n]\n"
    return f"framework/pevents/{HOUR}/{end}_{rank}-algo-1_pythontimeline.json", text


def write_atomically(root, file):
    """Writes a file as a job does: complete, with its final name."""
    path, text = file
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    part = root / "framework" / f"1-algo-1_{target.name}.tmp"
    part.parent.mkdir(parents=True, exist_ok=True)
    part.write_text(text[: len(text) // 2])
    whole = root.parent / "whole"
    whole.write_text(text)
    part.unlink()
    whole.rename(target)


def end(root):
    write_atomically(root, ("system/training_job_end.ts", ""))
    write_atomically(root, ("framework/training_job_end.ts", ""))


def rows(session, run):
    """Returns all rows of a run by table, with file names in place of file numbers."""
    tables = {}
    for name in session.sql("select name from help_tables where kind = 'table'").to_pandas()["name"]:
        if name in {"run", "object", "time_share"}:
            continue  # tables about the lake itself
        columns = [column for column in session.table(name).columns if column not in {"run", "object"}]
        listed = ", ".join(f't."{column}"' for column in columns)
        frame = session.sql(
            f"select o.url as of_file, {listed} from {name} t "
            "left join object o on o.run = t.run and o.object = t.object where t.run = $run",
            run=run,
        ).to_pandas()
        tables[name] = sorted(map(repr, frame.itertuples(index=False)))
    return tables


def check_equals_one_ingest(root, followed, run):
    """Checks that a followed run equals one ingest of the whole profile; returns the row counts by table."""
    with tl.open(root, ephemeral=True) as session:
        expected = rows(session, session.run)
    actual = rows(followed, run)
    for table, some in expected.items():
        assert actual[table] == some, table
    return {table: len(some) for table, some in expected.items()}
