"""Records one small training with the installed PyTorch, and what PyTorch itself computes from the recording.

  python tests/gen/torch_versions.py --out tests/data/torch_versions

Writes `torch<version>.pt.trace.json.gz` and `torch<version>.key_averages.json`. Needs torch. A CPU is enough.
"""

import argparse
import gzip
import json
import socket
import sys
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function, schedule
from torch.utils.data import DataLoader, TensorDataset

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
from operator_table import FIELDS

STEPS = 4


class Model(nn.Module):
    """A layer of a transformer over the pixels of a convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2d(3, 32, 3, stride=2), nn.LayerNorm(32)
        self.up, self.down, self.head = nn.Linear(32, 64), nn.Linear(64, 32), nn.Linear(32, 10)

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        """Returns the scores of the classes."""
        x = self.norm(self.conv(images).flatten(2).transpose(1, 2))
        x = x + nn.functional.scaled_dot_product_attention(x, x, x)
        x = x + self.down(nn.functional.gelu(self.up(x)))
        return self.head(torch.bmm(x, x.transpose(1, 2)).softmax(dim=2).bmm(x).mean(dim=1))


def main() -> None:
    """Writes the recording."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    folder = parser.parse_args().out
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(0)
    model = Model()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    items = TensorDataset(torch.rand(4 * STEPS, 3, 16, 16), torch.zeros(4 * STEPS, dtype=torch.long))
    with profile(
        activities=[ProfilerActivity.CPU],
        schedule=schedule(wait=0, warmup=1, active=STEPS - 1, repeat=1),
        record_shapes=True,
        profile_memory=True,
        with_flops=True,
    ) as recording:
        for x, y in DataLoader(items, batch_size=4):
            with record_function("train_step"):
                nn.functional.cross_entropy(model(x), y).backward()
                optimizer.step()
                optimizer.zero_grad()
            recording.step()
    name = f"torch{'.'.join(torch.__version__.split('+')[0].split('.')[:2])}"
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "trace.json"
        recording.export_chrome_trace(str(path))
        text = path.read_text().replace(str(path), f"{name}.pt.trace.json")
        text = text.replace(f'"host_name": "{socket.gethostname()}"', '"host_name": "node-0"')
    with gzip.GzipFile(folder / f"{name}.pt.trace.json.gz", "wb", 9, mtime=0) as packed:
        packed.write(text.encode())
    rows = [{field: getattr(row, field) for field in FIELDS} for row in recording.key_averages()]
    (folder / f"{name}.key_averages.json").write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
