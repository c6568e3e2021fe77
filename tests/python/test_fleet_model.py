"""The model of docs/scale.md in cases with known results."""

import random
import sys
from pathlib import Path

import pytest

BENCHES = Path(__file__).parents[2] / "benches"


@pytest.fixture
def model(monkeypatch):
    """The module; its folder is on the path only during a test, because it has other modules such as `smdebug`."""
    monkeypatch.setattr(sys, "path", [str(BENCHES), *sys.path])
    import fleet_model  # noqa: PLC0415 - in the folder that was just added to the path

    return fleet_model


@pytest.fixture
def question(model):
    """A query with 100 s of work and 1,000 requests."""
    return model.Question(planning=0.5, scheduler=0.25, work=100.0, requests=1000, fixed=0.05)


def test_a_line_is_fitted(model):
    line = model.fit([(n, 3 + 0.5 * n) for n in (10, 100, 1000)])
    assert (line.base, line.each) == (pytest.approx(3), pytest.approx(0.5))
    assert line.value_at(10_000) == pytest.approx(5003)


def test_small_lakes_count_as_much_as_large_ones(model):
    # each is off by 10 %: with absolute errors, the largest would dominate
    line = model.fit([(10, 11), (20, 18), (10_000, 11_000), (20_000, 18_000)])
    assert line.value_at(15) == pytest.approx(15, rel=0.15)


def test_a_constant_has_no_slope(model):
    assert model.fit([(1, 7), (10, 7), (100, 7)]) == model.Line(pytest.approx(7), pytest.approx(0))
    assert model.Line(1.0, -1.0).value_at(5) == 0


def test_one_core_runs_everything(model, question):
    assert model.expected(question, 1, 0.01) == pytest.approx(0.8 + 100 + 10)
    assert model.expected(question, 50, 0.01) == pytest.approx(0.8 + 2.2)


def test_simulation_of_one_core_is_the_sum(model, question):
    took = [model.simulated(question, 1, 0.01, random.Random(seed)) for seed in range(20)]
    assert sum(took) / len(took) == pytest.approx(model.expected(question, 1, 0.01), rel=0.01)


def test_the_slowest_of_many_cores_decides(model, question):
    took = [model.simulated(question, 100, 0.01, random.Random(seed)) for seed in range(20)]
    assert all(1.0 < one / model.expected(question, 100, 0.01) < 1.3 for one in took)


def test_more_cores_than_objects_do_not_help(model):
    few = model.Question(planning=0, scheduler=0, work=4.0, requests=4, fixed=0)
    times = [model.simulated(few, cores, 0, random.Random(1)) for cores in (4, 400)]
    assert times[0] == times[1]
    assert 1.0 <= times[0] <= 1.5


def test_prices(model, question):
    prices = model.Prices(storage=0.02, writes=0.005, reads=0.0004, core=0.05)
    assert prices.month(1000) == pytest.approx(20)
    assert prices.opening(2000) == pytest.approx(0.01)
    assert prices.question(question, 72, 1000) == pytest.approx(0.0004 + 1.0)
