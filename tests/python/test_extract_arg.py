"""`extract_arg(args, name)` compared with Python's own JSON parser."""

import json
from pathlib import Path

import pytest

import tracelake as tl

TRACES = Path(__file__).parents[2] / "tests" / "data" / "pytorch_ddp"
NAMES = ["grid", "registers per thread", "est. achieved occupancy %", "Ev Idx", "cbid", "none"]


def as_text(value):
    """Returns a member as text: a text unchanged, other values as JSON without blanks."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def test_members_of_args_of_every_event_are_extracted():
    with tl.open(TRACES, ephemeral=True) as s:
        columns = ", ".join(f"extract_arg(args, '{name}') as \"{name}\"" for name in NAMES)
        rows = list(s.sql(f"select args, {columns} from event"))
    assert len(rows) > 1000
    for row in rows:
        args = json.loads(row["args"] or "{}")
        assert {name: row[name] for name in NAMES} == {name: as_text(args.get(name)) for name in NAMES}
    assert [name for name in NAMES if not any(row[name] for row in rows)] == ["none"]


@pytest.mark.parametrize(
    ("args", "name", "value"),
    [
        ('{"a": "x \\"y\\" \\n"}', "a", 'x "y" \n'),
        ('{"a": [1, "b  c", {"d": null}]}', "a", '[1,"b  c",{"d":null}]'),
        ('{"a": 1, "a": 2.50}', "a", "2.50"),
        ('{"b": {"a": 1}, "c": "\\"a\\": 5"}', "a", None),
        ('{"a": null}', "a", None),
        ("[1, 2]", "a", None),
        ('{"a": 1', "a", None),
        ("", "a", None),
        (None, "a", None),
    ],
)
def test_the_value_of_a_name_is_extracted(s, args, name, value):
    row = list(s.sql("select extract_arg($args, $name) as value", args=args, name=name))
    assert row == [{"value": value}]


def test_the_name_must_be_a_constant(s):
    with pytest.raises(tl.errors.QueryError, match="expected a constant as name"):
        s.sql("select extract_arg(args, name) from event").to_arrow()
