"""Runs every code block of every page, in the order of the page, and compares the output with the page.

doc_blocks.py describes the format of the pages. `UPDATE=1` rewrites the shown outputs.
"""

import json
import os
import re
import shlex
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest

import tracelake as tl
from doc_blocks import NOT_CODE, ROOT, RUN, Page, agrees, blocks, commands, statements, tidy, update_page

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))
import reference  # noqa: E402 - in the folder of the pages

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md"), *DOCS.glob("have/*.md")])
TO_RUN = [page for page in PAGES if any(block.language in RUN and not block.reason for block in blocks(page))]

# pages with slow diagnoses and reports
SLOW = {"README.md", "docs/cookbook.md", "docs/diagnosis.md", "docs/other_engines.md", "docs/report.md"}


def name(page):
    """Returns the path of the page in the repository."""
    return str(page.relative_to(ROOT))


def page_marks(page):
    """Returns the pytest marks of the test of a page."""
    return [pytest.mark.slow] if name(page) in SLOW else []


@pytest.fixture(scope="session")
def path(tmp_path_factory):
    return commands(tmp_path_factory.mktemp("path") / "bin")


@pytest.fixture
def scratch(tmp_path, monkeypatch, path):
    """A folder with the bundled profiles at the paths of a clone, and its own default lake."""
    (tmp_path / "tests").mkdir()
    for folder in ("data", "gen"):
        (tmp_path / "tests" / folder).symlink_to(ROOT / "tests" / folder)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "default-lake"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "python"), os.environ.get("PYTHONPATH", "")]))
    return Page(path, tmp_path / "shell-state", {"__name__": "__main__"})


@pytest.fixture
def bucket(request, monkeypatch, profile):
    """The bucket `s3://bucket` of the pages, on the test server with a job, and credentials in the environment."""
    s3 = request.getfixturevalue("s3")
    for name, value in s3.options.items():
        monkeypatch.setenv(f"AWS_{name.upper()}", value)
    if not any(bucket_info["Name"] == "bucket" for bucket_info in s3.client.list_buckets()["Buckets"]):
        s3.client.create_bucket(Bucket="bucket")
    for key in s3.objects("bucket"):
        s3.client.delete_object(Bucket="bucket", Key=key)
    s3.upload(profile, "bucket", "jobs/job-7/profiler-output")
    s3.upload(ROOT / "tests/data/golden/job-a/rule-output", "bucket", "jobs/job-7/rule-output")


@pytest.mark.parametrize("page", [pytest.param(page, id=name(page), marks=page_marks(page)) for page in TO_RUN])
def test_the_page_runs(page, scratch, request):
    runnable = [block for block in blocks(page) if not block.reason]
    if any("s3://" in block.code for block in runnable if block.language in RUN):
        request.getfixturevalue("bucket")
    outputs = []
    for block in runnable:
        if block.file:
            Path(block.file).write_text(block.code + "\n")
        if block.language not in RUN:
            continue
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                output = scratch.run(block)
        except Exception as error:
            error.add_note(f"{block}:\n{block.code}")
            raise
        if block.shown is not None:
            outputs.append((block, output))
    wrong = [(block, output) for block, output in outputs if not agrees(block, output)]
    if wrong and os.environ.get("UPDATE"):
        update_page(page, wrong)
        return
    differences = [f"{block} shows\n{block.text}\nbut it is\n{tidy(output)}" for block, output in wrong]
    assert not differences, "\n\n".join([*differences, "UPDATE=1 writes it anew"])


RESULTS = {
    "How long is a step?": lambda rows: f"median {rows['train']['dur_p50'] / 1e6:.1f} ms in training",
    "Does it wait for data?": lambda rows: f"rank 1 waits {rows[1]['loader_ratio']:.1%} of the time",
    "Which rank is late?": lambda rows: f"rank 1 delays the others by {rows[1]['caused_delay'] / 1e6:.1f} ms",
    "Which kernels take the time?": lambda rows: f"all-reduce, {next(iter(rows.values()))['ratio']:.1%} of kernel time",
    "Is it faster now?": lambda rows: f"median step {rows['p50']['ratio']:.2f} times as long, significant",
}
"""Computes the results in the table of the README from the rows by mode, rank or statistic."""


@pytest.mark.slow
def test_the_table_of_the_readme_has_the_results(tmp_path):
    table = re.findall(r"^\| (.+\?) \| `tracelake (.+)` \| (.+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert [question for question, _, _ in table] == list(RESULTS)
    for question, command, result in table:
        env = {**os.environ, "TRACELAKE_HOME": os.fspath(tmp_path)}
        words = [sys.executable, "-m", "tracelake", *command.split(), "--format", "json"]
        done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT, env=env)
        rows: dict = {}
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if row.get("subject", "step") == "step":
                rows.setdefault(row.get("mode", row.get("rank", row.get("statistic"))), row)
        assert RESULTS[question](rows).replace("%", " %") in result, question


def test_files_that_pages_name_exist():
    folders = "src|crates|python|tests|sql|docs|benches|fuzz|cluster|notebooks"
    file = re.compile(rf"`((?:{folders})/[\w/.-]+\.(?:rs|py|sql|md|json|toml|txt))`")
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    names = {(page.name, name) for page in pages for name in file.findall(page.read_text("utf-8"))}
    assert len(names) > 10
    assert not [(page, name) for page, name in sorted(names) if not (ROOT / name).exists()]


def test_each_block_has_a_language():
    """Checks the languages, because a block of an unknown language would silently not run."""
    for page in PAGES:
        for block in blocks(page):
            assert block.language in {*RUN, *NOT_CODE}, f"{block}: `{block.language}` is none of {RUN} and {NOT_CODE}"


def test_blocks_that_are_not_run_are_the_exception():
    every = [block for page in PAGES for block in blocks(page) if block.language in RUN]
    # blocks with the name of a test are tested there
    unnamed = [block for block in every if block.reason]
    named = [re.match(r"(tests/\S+\.py) runs it", block.reason) for block in unnamed]
    assert all((ROOT / test[1]).exists() for test in named if test)
    unnamed = [block for block, test in zip(unnamed, named, strict=True) if not test]
    assert len(every) > 100
    assert len(unnamed) < len(every) / 5, [str(block) for block in unnamed]


@pytest.mark.parametrize(
    ("language", "code", "error"),
    [
        ("sh", "false | true", AssertionError),
        ("sql", "select nothing", tl.errors.QueryError),
        ("python", "1 / 0", ZeroDivisionError),
    ],
)
def test_a_block_that_fails_fails(scratch, tmp_path, language, code, error):
    page = tmp_path / "page.md"
    page.write_text(f"```{language}\n{code}\n```\n")
    (block,) = blocks(page)
    with pytest.raises(error):
        scratch.run(block)


def test_a_shell_keeps_its_state_between_blocks(scratch, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        '```sh\nexport COLOR="dark blue"\nmkdir -p a && cd a\n```\n\n```sh\necho $COLOR; basename $PWD\n```\n'
    )
    first, second = blocks(page)
    assert (scratch.run(first), scratch.run(second)) == ("", "dark blue\na\n")


@pytest.mark.slow
@pytest.mark.usefixtures("scratch")
def test_pages_of_findings_are_complete():
    """Runs the blocks of all findings in one diagnosis and one command, because each takes seconds."""
    pages = reference.finding_pages(reference.examples())
    for path, text in pages.items():
        Path(path).parent.mkdir(exist_ok=True)
        Path(path).write_text(text)
    every = [block for path in pages for block in blocks(Path(path))]
    links, tables = [], []
    recorder = SimpleNamespace(diagnose=lambda *, thresholds: links.append(thresholds))
    for block in every:
        if block.language == "python":
            exec(block.code, {"s": recorder})  # noqa: S102 - a page of this repository
        elif block.language == "toml":
            tables.append(block.code)
    assert links.count("limits.toml") == len(tables) > 40
    Path("limits.toml").write_text("\n".join(tables))
    limits = {finding: limit for one in links if isinstance(one, dict) for finding, limit in one.items()}
    assert len(limits) == len(tables)
    for table in tables:
        # the Python block sets the first limit of the file
        (finding,) = re.findall(r"^\[(\w+)\]", table, re.MULTILINE)
        ((name, value),) = limits[finding].items()
        assert f"{name} = {value}" in table.replace('"', "")
    commands = [shlex.split(line) for block in every if block.language == "sh" for line in block.code.splitlines()]
    assert {tuple(command[:2]) for command in commands} == {("tracelake", "diagnose")}
    settings = [word for command in commands if "--set" in command for word in command[2:]]
    with tl.open("lake", create=True) as s:
        s.ingest(ROOT / "tests/data/golden/job-b")
        assert len(s.diagnose(thresholds="limits.toml").frame) >= len(limits)
        for block in every:
            if block.language == "sql":
                assert "outcome" in s.sql(block.code).columns
    run = subprocess.run(
        [sys.executable, "-m", "tracelake", "--lake", "lake", "diagnose", *settings],
        check=False,
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr


def test_a_page_is_split_into_blocks(scratch, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# Page\n\n<!-- not run: no network -->\n```sh\ncurl x\n```\n\n<!--\n```python\nhidden = 1\n```\n-->\n\n"
        "- item\n\n  ```python\n  hidden + 1\n  ```\n\n  ```text\n  3\n  ```\n\n"
        "<!-- file: a.toml -->\n```toml\nx = 1\n```\n"
    )
    first, hidden, shown, file = blocks(page)
    assert (first.reason, first.language, hidden.code, file.file) == ("no network", "sh", "hidden = 1", "a.toml")
    assert scratch.run(hidden) == ""
    output = scratch.run(shown)
    assert (output, shown.text) == ("2\n", "3")
    assert not agrees(shown, output)
    update_page(page, [(shown, output)])
    assert "\n  ```text\n  2\n  ```\n" in page.read_text()
    assert agrees(blocks(page)[2], output)
    assert statements("select 1; -- one\nselect ';'\n;\n-- nothing\n") == ["select 1", "select ';'\n"]
