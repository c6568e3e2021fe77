"""Floating-point operations of a real trace: `operator.flops` equals `key_averages()` of the same recording."""

import csv
import io
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile
from torch.utils.flop_counter import FlopCounterMode

import tracelake as tl

# `key_averages()` has no operations of these; PyTorch's counter has those of the backward pass.
ATTENTION = "aten::_scaled_dot_product_flash_attention_for_cpu"
BACKWARD = "aten::convolution_backward"
BATCH, HEADS, LENGTH, WIDTH = 2, 4, 32, 16


class Model(nn.Module):
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


def test_operations_equal_those_of_torch():
    model, images = Model(), torch.rand(BATCH, 4, 32, 32)
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
    expected[BACKWARD] = (3, 3 * backward // model.conv.groups)
    expected[ATTENTION] = (1, 4 * BATCH * HEADS * LENGTH * LENGTH * WIDTH)
    with tempfile.TemporaryDirectory() as folder:
        recording.export_chrome_trace(str(Path(folder) / "rank0.pt.trace.json"))
        with tl.open(folder, ephemeral=True, run="r") as session:
            rows = csv.DictReader(io.StringIO(session.operator.flops().to_csv()))
            actual = {row["name"]: (int(row["n"]), int(float(row["flops"]))) for row in rows}
    assert actual == expected, (actual, expected)


if __name__ == "__main__":
    test_operations_equal_those_of_torch()
    sys.stdout.write(f"ok      {test_operations_equal_those_of_torch.__name__}\n")
