"""Each tier of CI is a target of the Makefile, is listed in CONTRIBUTING.md with its cost, and runs in rotation."""

import importlib.util
import re
import sys

import pytest

from doc_blocks import ROOT


@pytest.fixture(scope="module")
def tiers():
    spec = importlib.util.spec_from_file_location("tracelake_ci_tiers", ROOT / ".ci" / "tiers.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module
    spec.loader.exec_module(module)
    return module


def test_each_target_is_in_the_makefile(tiers):
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {*tiers.FIXED, *(tier.target for tier in tiers.TIERS), "audit"} <= targets
    listed = re.search(r"^TIERS := ((?:.*\\\n)*.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)[1]
    assert set(listed.replace("\\", "").split()) == {tier.target for tier in tiers.TIERS}


def test_the_table_for_contributors_has_each_tier(tiers):
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `make ([a-z-]+)` \| (.*) \|$", page, re.MULTILINE))
    for tier in tiers.TIERS:
        assert rows[tier.target] == f"{tier.tests} | {tier.needs or '-'} | {tier.seconds / 60:.0f} min", tier.target


def test_paths_select_tiers_and_the_others_rotate(tiers):
    nothing = [tiers.select_tiers(number, []) for number in range(30)]
    assert {tier.target for ((tier, _),) in nothing} == {tier.target for tier in tiers.TIERS[1:]}
    changed = {tier.target: reason for tier, reason in tiers.select_tiers(0, ["sql/step/duration.sql"])}
    assert {"test-slow", "test-kernel", "test-engines", "test-cluster"} <= changed.keys()
    assert changed["test-engines"] == "sql/step/duration.sql changed"
    files = ["sql/a.sql", "crates/formats/src/a.rs", "crates/figure/src/plots/a.rs"]
    orders = [[tier for tier, reason in tiers.select_tiers(n, files) if reason != "its turn"] for n in range(30)]
    assert {order[0] for order in orders} == set(orders[0]) - {tiers.TIERS[0]}, "each of them is the first at times"
    assert {order[1] for order in orders} == {tiers.TIERS[0]}, "the slow tests are never far behind"


def test_each_path_that_selects_a_tier_exists(tiers):
    for tier in tiers.TIERS:
        for path in tier.paths:
            assert any(ROOT.glob(f"{path.rstrip('/')}*")), f"{tier.target}: {path} is not there"


def test_summaries_of_test_runners_are_added(tiers):
    stages = tiers.Stages()
    for line in (
        "test result: ok. 452 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 28.93s",
        "=========== 2 failed, 3978 passed, 2 skipped, 5 warnings in 2128.67s (0:35:28) ===========",
        "3 passed, 1 error in 0.5s",
        "notebooks: 7 passed, 0 failed",
        "1 passed, 0 failed",
        "test tests::it_failed ... ok",
    ):
        stages.count(line)
    assert (stages.passed, stages.failed, stages.skipped) == (452 + 3978 + 3 + 7 + 1, 3, 3)
