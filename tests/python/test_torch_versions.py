"""Traces of the newest versions of PyTorch: operators as PyTorch's own table of the same recording has them."""

import gzip
import json
from pathlib import Path

import pytest

import tracelake as tl
from operator_table import find_differences

FOLDER = Path(__file__).parents[1] / "data/torch_versions"


@pytest.mark.parametrize("version", ["2.14", "2.15"])
def test_operators_equal_the_table_of_torch(version):
    path = FOLDER / f"torch{version}.pt.trace.json.gz"
    table = json.loads((FOLDER / f"torch{version}.key_averages.json").read_text())
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    with tl.open(path, ephemeral=True) as session:
        assert find_differences(table, session, events) == []
        assert [row["step"] for row in session.sql("select step from step order by step").rows()] == [1, 2, 3]
        assert list(session.sql("select * from problem").rows()) == []
    assert len(table) > 80
    assert sum(row["flops"] > 0 for row in table) >= 5
