"""The migration pages for users of other tools: every line of code in their tables runs.

A page consists of tables with code in backticks, and of blocks, which test_docs.py runs. The first column of a table
describes the other tool. The other columns are Python (they begin with `s.`), SQL or a shell command.
"""

import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl

ROOT = Path(__file__).parents[2]
TRACES = ROOT / "tests" / "data" / "pytorch_ddp"
GENERATOR = ROOT / "tests" / "gen" / "kineto.py"
EXPORTS = ROOT / "tests" / "data" / "nsys"
PAGES = ["from_hta.md", "from_tensorboard.md", "from_nsys.md"]


def lines(page):
    """Returns the lines of code of a page: their language and text."""
    text = (ROOT / "docs" / page).read_text()
    for row in re.findall(r"^\| (.*) \|$", text, re.MULTILINE):
        for cell in row.split(" | ")[1:]:
            for code in re.findall(r"`([^`]+)`", cell):
                if code.startswith("s."):
                    yield "python", code
                elif code.startswith("select "):
                    yield "sql", code
                elif code.startswith("tracelake "):
                    yield "sh", code


@pytest.fixture(scope="module")
def peer_lake(tmp_path_factory):
    """A folder with the traces of the pages, and a lake over them."""
    folder = tmp_path_factory.mktemp("peers")
    for run, seed in [("before", 1), ("after", 2), ("traces", 1)]:
        out = folder / run
        subprocess.run(
            [
                sys.executable,
                GENERATOR,
                "--out",
                out,
                "--steps",
                "4",
                "--seed",
                str(seed),
            ],
            check=True,
        )
    with tl.open(folder / "lake", create=True) as session:
        for run in ("before", "after", "traces"):
            session.ingest(folder / run)
        session.ingest(EXPORTS, run="exports")
    return folder


@pytest.fixture(scope="module")
def session(peer_lake):
    with tl.open(peer_lake / "lake") as session:
        yield session


def cases():
    return [
        pytest.param(language, code, id=f"{page}:{number}:{code[:40]}")
        for page in PAGES
        for number, (language, code) in enumerate(lines(page))
    ]


@pytest.mark.parametrize(("language", "code"), cases())
def test_every_line_of_the_pages_runs(language, code, peer_lake, session, monkeypatch):
    monkeypatch.chdir(peer_lake)
    if language == "sh":
        program, *arguments = shlex.split(code)
        assert program == "tracelake"
        run = subprocess.run(
            [sys.executable, "-m", "tracelake", *arguments],
            check=False,
            capture_output=True,
            text=True,
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout or any(word in arguments for word in ("-o", "ingest"))
    elif language == "sql":
        session.sql(code).to_arrow()
    else:
        names = {"s": session, "tl": tl}
        if "tl.open(" in code:
            # a separate lake, so that new objects of the page do not exist yet
            shutil.rmtree(peer_lake / "fresh", ignore_errors=True)
            code = code.replace('"lake"', '"fresh"').replace('tl.open("traces")', 'tl.open("traces", ephemeral=True)')
        if "s.ingest(" in code:
            names["s"] = tl.open(peer_lake / "fresh", create=True)
        if code.startswith("s."):
            answer = eval(code, names)  # noqa: S307 - code of a page of this repository
            if hasattr(answer, "to_arrow"):
                answer.to_arrow()
            elif hasattr(answer, "to_json"):
                answer.to_json()
        else:
            exec(code, names)  # noqa: S102 - as above
            if code.startswith("s = "):
                names["s"].close()


def test_the_pages_have_code_in_each_language():
    languages = [language for page in PAGES for language, _ in lines(page)]
    assert {language: languages.count(language) > 15 for language in set(languages)} == dict.fromkeys(
        ["python", "sql", "sh"], True
    )


def test_the_compared_results_differ(session):
    """Checks that the examples do not compare a thing with itself."""
    rows = list(session.kernel.diff("after", base="before"))
    assert any(row["dur_diff"] > 0 for row in rows)
    assert {row["rank"] for row in list(session.rank.stragglers("after"))} == {0, 1}
