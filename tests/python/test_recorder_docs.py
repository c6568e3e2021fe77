"""The blocks of docs/recorder.md run in order, with the results of the page."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from record_rows import query_rows
from slow_loader import TIME, DataLoader, Items, simulated
from tracelake import record

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures(simulated.__name__)]

PAGE = Path(__file__).parents[2] / "docs" / "recorder.md"


def blocks(page):
    """Returns the Python blocks of a page."""
    return re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)


@pytest.fixture
def names(tmp_path, monkeypatch):
    """The preconditions of the page: a dataset, its loader, and a model to train."""
    monkeypatch.chdir(tmp_path)
    # PyTorch is not installed here
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
        # separately, so that no block needs another one
        exec(block, dict(names))  # noqa: S102 - the commands of the docs


def test_the_tutorial_from_slow_to_fixed_runs(names, capsys):
    (walk,) = [block for block in blocks(PAGE) if "found.best.arguments()" in block]
    exec(walk, names)  # noqa: S102 - as above
    output = capsys.readouterr().out
    shares = [float(share) for share in re.findall(r"([\d.]+)% of the time", output.split("baseline:")[0])]
    assert shares[0] == pytest.approx(80, abs=3)
    result, s = names["found"], names["s"]
    assert result.best.num_workers > 0
    with s:
        paces = dict(
            query_rows(s, "select run, speedup from loader_scaling('before') where run in ('before', 'after')")
        )
        assert paces["before"] == 1
        # the measured gain is the gain of `optimize`
        assert paces["after"] == pytest.approx(result.gain.factor, rel=0.1)
        assert query_rows(s, "select loader from loader_trials where chosen") == [(str(result.best),)]
