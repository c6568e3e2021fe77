"""The blocks of docs/recorder.md run as they are written, one after the other, and do what the page says."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from record_rows import answer
from slow_loader import TIME, DataLoader, Items, simulated
from tracelake import record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(simulated.__name__)]

PAGE = Path(__file__).parents[2] / "docs" / "recorder.md"


def blocks(page):
    """The blocks of Python of a page."""
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """What the page takes for granted: a dataset, its loader, and something that learns from a batch."""
    monkeypatch.chdir(tmp_path)
    # there is no PyTorch here
    monkeypatch.setattr(record.tuning.diagnose, "import_module", lambda _: SimpleNamespace(DataLoader=DataLoader))

    def train(_):
        TIME.sleep(0.010)

    # 40 ms of loading to 10 ms of computing
    dataset = Items(640, 0.005)
    loader = DataLoader(dataset, 8)
    return {
        "dataset": dataset,
        "loader": loader,
        "dataloader": loader,
        "DataLoader": DataLoader,
        "train": train,
        "model": train,
    }


def test_each_block_runs(names):
    for block in blocks(PAGE):
        # on their own, so that none needs what another one made
        exec(block, dict(names))  # noqa: S102 - what users are told to type


def test_the_tutorial_from_slow_to_fixed_runs(names, capsys):
    (walk,) = [block for block in blocks(PAGE) if "found.best.arguments()" in block]
    exec(walk, names)  # noqa: S102 - the same
    output = capsys.readouterr().out
    shares = [float(share) for share in re.findall(r"([\d.]+)% of the time", output.split("baseline:")[0])]
    assert shares[0] == pytest.approx(80, abs=3)
    result, s = names["found"], names["s"]
    assert result.best.num_workers > 0
    with s:
        paces = dict(answer(s, "select run, speedup from loader_scaling('before') where run in ('before', 'after')"))
        assert paces["before"] == 1
        # what `optimize` promised is what is measured
        assert paces["after"] == pytest.approx(result.gain.factor, rel=0.1)
        assert answer(s, "select loader from loader_trials where chosen") == [(str(result.best),)]
