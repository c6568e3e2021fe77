"""Traces with what programs write that print JSON: the right values of each event, however small the file."""

import json

import pytest

import tracelake as tl

EVENT = (
    '{{"ph": "X", "cat": "cpu_op", "name": {name}, "pid": 1, "tid": 1, "ts": {ts}, "dur": {dur}, "args": {{"a": {a}}}}}'
)
PLAIN = {"name": '"aten::mm"', "ts": "1600000000000001", "dur": "5", "a": "1"}
# What is written, and what is read: name, duration in ns, args.
CASES = {
    "quotes in a name": ({"name": '"call "main" in x"'}, 'call "main" in x', 5000, {"a": 1}),
    "quotes and a comma": ({"name": '"a", "b"'}, 'a", "b', 5000, {"a": 1}),
    "quotes and brackets": ({"name": '"f("a"), {"'}, 'f("a"), {', 5000, {"a": 1}),
    "an odd quote": ({"name": '"operator""'}, 'operator"', 5000, {"a": 1}),
    "an odd quote in a key": ({"a": '1, "k"ey": 2'}, "aten::mm", 5000, {"a": 1, 'k"ey': 2}),
    "quotes in a list": ({"a": '["x "y" z", 2]'}, "aten::mm", 5000, {"a": ['x "y" z', 2]}),
    "single quotes": ({"name": "'it's'"}, "it's", 5000, {"a": 1}),
    "no quotes": ({"name": "aten::mm"}, "aten::mm", 5000, {"a": 1}),
    "numbers with a plus": ({"ts": "+1600000000000001", "dur": "+5"}, "aten::mm", 5000, {"a": 1}),
    "no digit before the point": ({"dur": ".5"}, "aten::mm", 500, {"a": 1}),
    "no digit after the point": ({"dur": "5."}, "aten::mm", 5000, {"a": 1}),
    "zeros in front": ({"dur": "005", "a": "007"}, "aten::mm", 5000, {"a": 7}),
    "a hexadecimal number": ({"a": "0x7f3a"}, "aten::mm", 5000, {"a": 32570}),
    "underscores": ({"a": "1_000"}, "aten::mm", 5000, {"a": 1000}),
    "suffixes of C": ({"dur": "5.0f", "a": "5L"}, "aten::mm", 5000, {"a": 5}),
    "a decimal comma": ({"dur": "0,5"}, "aten::mm", 500, {"a": 1}),
    "words of Python": ({"a": "[None, True, False, nan]"}, "aten::mm", 5000, {"a": [None, True, False, None]}),
    "words of JavaScript": ({"a": "[undefined, -Infinity]"}, "aten::mm", 5000, {"a": [None, None]}),
    "words of C": ({"a": "-nan(ind)"}, "aten::mm", 5000, {"a": None}),
    "words of Go": ({"a": "nil"}, "aten::mm", 5000, {"a": None}),
    "no value": ({"a": ""}, "aten::mm", 5000, {"a": None}),
    "a comma before a bracket": ({"a": "1,"}, "aten::mm", 5000, {"a": 1}),
}


@pytest.mark.parametrize("events", [1, 3])
@pytest.mark.parametrize("case", CASES)
def test_every_event_is_read(tmp_path, case, events):
    change, name, dur, args = CASES[case]
    text = ",\n".join([EVENT.format(**PLAIN | change)] * events)
    # The name of the file says nothing.
    (tmp_path / "file.json").write_text('{"traceEvents": [\n' + text + "\n]}\n")
    with tl.open(tmp_path / "file.json", ephemeral=True, run="r") as session:
        rows = list(session.sql("select name, dur, args from event").rows())
        problems = list(session.sql("select kind, class, sum(count) from problem group by all").rows(named=False))
    assert [(row["name"], row["dur"], json.loads(row["args"])) for row in rows] == [(name, dur, args)] * events
    assert problems == [("repaired", "note", events)]
