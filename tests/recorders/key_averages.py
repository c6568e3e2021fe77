"""Operators of a real trace: calls, times, memory and operations equal `key_averages()` of the same recording.

tests/python/operator_table.py compares them.
"""

import json
import os
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, schedule
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.flop_counter import FlopCounterMode

import tracelake as tl

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
from operator_table import ATTENTION, CONVOLUTION_BACKWARD, FIELDS, find_differences, rows_by_name

BATCH, HEADS, LENGTH, WIDTH = 2, 4, 32, 16
STEPS = 6


class Operators(nn.Module):
    """One of each operator with a formula."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 8, 3, stride=2, padding=1, groups=2)
        self.linear = nn.Linear(8 * 16 * 16, 10)

    def forward(self, images):
        """Returns a number for the loss."""
        features = self.conv(images) * 0.5
        out = self.linear(features.flatten(1)) + 1.0
        product = torch.baddbmm(torch.zeros(3, 4, 6), torch.rand(3, 4, 5), torch.rand(3, 5, 6))
        return out.sum() + torch.bmm(product, torch.rand(3, 6, 2)).sum()


class Transformer(nn.Module):
    """A layer of a transformer with a head."""

    def __init__(self):
        super().__init__()
        self.norm, self.up, self.down = nn.LayerNorm(64), nn.Linear(64, 256), nn.Linear(256, 64)
        self.head = nn.Linear(64, 10)

    def forward(self, x):
        """Returns the scores of the classes."""
        y = self.norm(x)
        y = nn.functional.scaled_dot_product_attention(y, y, y)
        return self.head((x + self.down(nn.functional.gelu(self.up(y)))).mean(dim=1))


def opened(recording, folder):
    """Opens the trace of a recording."""
    recording.export_chrome_trace(str(Path(folder) / "rank0.pt.trace.json"))
    return tl.open(folder, ephemeral=True, run="r")


def test_operations_equal_those_of_torch():
    model, images = Operators(), torch.rand(BATCH, 4, 32, 32)
    query = torch.rand(BATCH, HEADS, LENGTH, WIDTH)
    with FlopCounterMode(display=False) as counter:
        model(images).backward()
    backward = counter.get_flop_counts()["Global"][torch.ops.aten.convolution_backward]
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_flops=True) as recording:
        for _ in range(3):
            model(images).backward()
        with torch.no_grad():
            nn.functional.scaled_dot_product_attention(query, query, query)
    expected = {row.key: (row.count, row.flops) for row in recording.key_averages() if row.flops}
    assert {"aten::conv2d", "aten::addmm", "aten::mm", "aten::bmm", "aten::baddbmm", "aten::mul"} < set(expected)
    assert ATTENTION in {row.key for row in recording.key_averages()}
    # Only the weight needs a gradient; for that, the counter ignores the groups.
    expected[CONVOLUTION_BACKWARD] = (3, 3 * backward // model.conv.groups)
    expected[ATTENTION] = (1, 4 * BATCH * HEADS * LENGTH * LENGTH * WIDTH)
    with tempfile.TemporaryDirectory() as folder, opened(recording, folder) as session:
        actual = {
            name: (int(row["n"]), int(float(row["flops"])))
            for name, row in rows_by_name(session.operator.flops()).items()
        }
    assert actual == expected, (actual, expected)


def test_calls_inside_a_call_of_their_name_count_once():
    # autocast calls an operator again with converted inputs; `key_averages()` counts both calls
    model, images = (
        nn.Sequential(nn.Conv2d(4, 8, 3), nn.Flatten(), nn.Linear(8 * 30 * 30, 16)),
        torch.rand(2, 4, 32, 32),
    )

    def step():
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = torch.bmm(model(images)[:, :, None], torch.rand(2, 1, 5))
        out.float().sum().backward()

    with FlopCounterMode(display=False) as counter:
        step()
    operations = counter.get_flop_counts()["Global"]
    expected = {str(name).replace("aten.", "aten::"): number for name, number in operations.items()}
    expected["aten::conv2d"] = expected.pop("aten::convolution")
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_flops=True) as recording:
        step()
    with tempfile.TemporaryDirectory() as folder, opened(recording, folder) as session:
        rows = rows_by_name(session.operator.flops())
    assert {name: float(row["flops"]) for name, row in rows.items()} == expected
    assert {row["data_type"] for row in rows.values()} == {"bfloat16"}
    twice = {row.key: row.flops for row in recording.key_averages()}
    assert twice["aten::conv2d"] == 2 * expected["aten::conv2d"]


def train(model, warmup):
    """Records the steps of a training after the first ones."""
    optimizer = torch.optim.AdamW(model.parameters())
    items = TensorDataset(torch.rand(8 * STEPS, 16, 64), torch.zeros(8 * STEPS, dtype=torch.long))
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=0, warmup=warmup, active=STEPS - warmup, repeat=1),
        record_shapes=True,
        profile_memory=True,
        with_flops=True,
    ) as recording:
        for x, y in DataLoader(items, batch_size=8):
            nn.functional.cross_entropy(model(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
            recording.step()
    return recording


def special_names(recording):
    """Returns the names of operators inside a call of their name, and of operators with annotations in them."""
    recursive, parents = set(), set()
    for event in recording.events():
        parent = event.cpu_parent
        if event.is_user_annotation and parent is not None and not parent.is_user_annotation:
            parents.add(parent.name)
        while parent is not None:
            if parent.name == event.name:
                recursive.add(event.name)
            parent = parent.cpu_parent
    return recursive, parents


def check_operators(recording, recursive=(), parents=()):
    """Compares all rows of `key_averages()` with the results of the queries, and returns their number."""
    table = [{field: getattr(row, field) for field in FIELDS} for row in recording.key_averages()]
    with tempfile.TemporaryDirectory() as folder, opened(recording, folder) as session:
        events = json.loads(next(Path(folder).glob("*.json")).read_text())["traceEvents"]
        differences = find_differences(table, session, events, recursive, parents)
    assert not differences, "\n".join(map(str, differences))
    return len(table)


def test_times_and_memory_equal_those_of_torch():
    recording = train(Transformer(), warmup=1)
    assert special_names(recording) == (set(), set())
    assert check_operators(recording) > 60


def test_a_compiled_model_has_the_times_of_torch():
    with tempfile.TemporaryDirectory() as empty:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = empty  # the compilation is recorded, too
        recording = train(torch.compile(Transformer()), warmup=0)
    assert check_operators(recording, *special_names(recording)) > 100


if __name__ == "__main__":
    for test in (
        test_operations_equal_those_of_torch,
        test_calls_inside_a_call_of_their_name_count_once,
        test_times_and_memory_equal_those_of_torch,
        test_a_compiled_model_has_the_times_of_torch,
    ):
        test()
        sys.stdout.write(f"ok      {test.__name__}\n")
