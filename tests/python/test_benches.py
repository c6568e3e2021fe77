"""The pages of benchmark results match the benchmarks that write them; the benchmarks run by hand."""

import re
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]
BENCHES = ROOT / "benches"
PAGE = ROOT / "docs" / "performance.md"
PAGES = [PAGE, ROOT / "docs" / "scale.md", ROOT / "docs" / "s3.md"]


@pytest.fixture(autouse=True)
def _path(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(BENCHES), *sys.path])


def test_each_block_has_a_benchmark():
    text = "".join(file.read_text() for file in BENCHES.glob("*.py"))
    written_blocks = set(re.findall(r'report_block\(\s*args, "([\w-]+)"', text))
    pages = "".join(page.read_text("utf-8") for page in PAGES)
    assert sorted(re.findall(r"<!-- measured: (.+) -->", pages)) == sorted({*written_blocks, "aims"})
    assert pages.count("<!-- end -->") == len(written_blocks) + 1


def test_a_benchmark_writes_only_its_own_block_and_targets(tmp_path, monkeypatch):
    import aims  # noqa: PLC0415 - in the folder that the fixture adds
    import document  # noqa: PLC0415 - as above

    page = tmp_path / "page.md"
    page.write_text(PAGE.read_text("utf-8"), "utf-8")
    before = aims.parse_rows(page.read_text("utf-8"))
    assert [row[0] for row in before.values()] == [aim.text for aim in aims.AIMS.values()]
    monkeypatch.setattr(sys, "argv", ["benches/startup.py", "--runs", "3", "--write", "--build", "f284bfd"])
    arguments = SimpleNamespace(write=page, within=None, build="f284bfd")
    document.report_block(arguments, "startup", document.table(["", "ms"], [["x", "1.0"]]), "medians of 3")
    aims.report_aims(arguments, {"import": {"": 61.2}, "version": {"": 3}})
    text, old = page.read_text("utf-8"), PAGE.read_text("utf-8")
    assert "`python benches/startup.py --runs 3`, bench build, " in text
    assert "\n|  | ms |\n| --- | --- |\n| x | 1.0 |\n\n<!-- end -->\n" in text
    after = aims.parse_rows(text)
    assert (after["import"][1:3], after["version"][1:3]) == (["61 ms", "no"], ["3.0 ms", "yes"])
    assert {name: row for name, row in after.items() if name not in {"import", "version"}}.items() <= before.items()
    others = [name for name in re.findall(r"<!-- measured: (.+) -->", old) if name not in {"startup", "aims"}]
    assert [document.block(name, text)[2] for name in others] == [document.block(name, old)[2] for name in others]


def test_a_benchmark_far_from_its_targets_fails():
    import aims  # noqa: PLC0415 - as above

    arguments = SimpleNamespace(write=None, within=3)
    aims.report_aims(arguments, {"import": {"": 179}, "two_cores": {"50 MB": 0.64}, "again_bodies": {"": 0}})
    with pytest.raises(SystemExit, match="beyond 3 times of its aim: import, two_cores"):
        aims.report_aims(
            arguments, {"import": {"": 181}, "two_cores": {"50 MB": 0.63, "1 GB": 1.9}, "version": {"": 1}}
        )


def test_exponents_are_fitted():
    from exponent import exponent, shown  # noqa: PLC0415 - as above

    assert exponent((x, 7 * x**1.5) for x in (1, 10, 1000)) == pytest.approx(1.5)
    assert (exponent([(1, 1)]), shown([(1, 2), (2, 2)])) == (None, "0.00")
