"""The Rust notebooks in a real kernel: the same numbers as the Python notebooks, figures, errors, state.

`make test-kernel` sets up the kernel, executes the notebooks in Python, and runs this. The times of the cells are
printed (`pytest -s`) but not checked.
"""

import html
import os
import queue
import re
import time
from pathlib import Path

import nbclient
import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import start_new_kernel

pytestmark = pytest.mark.filterwarnings("default")

ROOT = Path(__file__).parents[2]
KERNEL = "tracelake-rust"
PLOTLY = "application/vnd.plotly.v1+json"
TIMEOUT = 300
OPEN = """\
let profile: &'static str = "../../tests/data/first_look/profiler-output";
let s: Session = open_with(profile, OpenOptions { ephemeral: true, ..OpenOptions::default() })?;
s
"""


@pytest.fixture(scope="module", autouse=True)
def kernel():
    if KERNEL not in KernelSpecManager().find_kernel_specs():
        pytest.fail(f"there is no kernel {KERNEL}: run `make kernel`")


PYTHON_ONLY = {"06_smdebug_dropin.ipynb"}  # a feature of Python only
NOTEBOOKS = sorted({path.name for path in (ROOT / "notebooks" / "python").glob("*.ipynb")} - PYTHON_ONLY)


def committed(language, name):
    """Returns a notebook of the repository by language and name, and its folder."""
    path = ROOT / "notebooks" / language / name
    notebook = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "a notebook is committed without outputs"
    return notebook, path.parent


def code_cells(notebook):
    """Returns the code cells, without those that record: they depend on this machine, and only Python records."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and "live" not in cell.metadata.get("tags", [])]


@pytest.fixture(scope="module", params=NOTEBOOKS)
def notebook(request):
    """Yields the name of each notebook."""
    return request.param


@pytest.fixture(scope="module")
def rust(notebook):
    there, folder = committed("rust", notebook)
    client = nbclient.NotebookClient(
        there, timeout=TIMEOUT, startup_timeout=TIMEOUT, resources={"metadata": {"path": folder}}
    )
    client.execute(env={**os.environ, "PYTHONPATH": str(ROOT / "python")})
    return code_cells(there)


@pytest.fixture(scope="module")
def python(notebook):
    committed("python", notebook)
    return code_cells(nbformat.read(ROOT / "target" / "notebooks" / notebook, as_version=4))


def shown(cell):
    """Returns the output of the cell's last expression, by MIME type."""
    return next((output.data for output in cell.outputs if output.output_type == "execute_result"), {})


def table(cell):
    """Returns the texts of a table, row by row; the first row has the names of the columns."""
    rows = re.findall(r"<tr>(.*?)</tr>", shown(cell)["text/html"], re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)(?:<br>.*?)?</t[hd]>", row) for row in rows]
    return [[html.unescape(text) for text in row] for row in cells]


def text(cell):
    """Returns the printed text and the last expression as text, without blank lines."""
    printed = "".join(output.text for output in cell.outputs if output.output_type == "stream")
    return [line for line in (printed + shown(cell).get("text/plain", "")).splitlines() if line.strip()]


def test_both_notebooks_give_the_same_results(rust, python):
    answers = table(rust[-1])
    assert answers[0] == ["question", "name", "value"]
    assert len(answers) > 10
    assert answers == table(python[-1])


def test_both_notebooks_show_the_same_tables(rust, python):
    tables = 0
    assert len(rust) == len(python)
    # the first cell opens the profile, the second has the time of the ingest
    for ours, theirs in zip(rust[2:], python[2:], strict=True):
        if "tracelake" in shown(ours).get("text/html", "")[:50]:
            assert table(ours) == table(theirs), ours.source
            tables += 1
    assert tables > 5


def test_both_notebooks_print_the_same_sentences(rust, python):
    """Diagnosis, decision tree and gate are text in Rust; in Python, the same text follows the tables."""
    for ours, theirs in zip(rust, python, strict=True):
        if any(call in ours.source for call in (".diagnose(", ".tree(", ".gate(")):
            assert len(text(ours)) > 3, ours.source
            assert text(ours) == text(theirs), ours.source


def test_a_figure_is_plotly_json_and_a_picture(rust):
    figures = [shown(cell) for cell in rust if re.search(r"\.figure(::<[^(]*>)?\(", cell.source)]
    assert len(figures) > 2
    for figure in figures:
        assert {"data", "layout"} <= set(figure[PLOTLY])
        assert figure["image/svg+xml"].startswith("<svg ")
        assert "text/html" not in figure


class Cells:
    """A kernel that runs cells one by one."""

    def __init__(self):
        begun = time.monotonic()
        self.manager, self.client = start_new_kernel(
            startup_timeout=TIMEOUT, kernel_name=KERNEL, cwd=ROOT / "notebooks" / "rust"
        )
        self.times = [("start of the kernel", time.monotonic() - begun)]

    def run(self, code):
        """Returns the status, and all shown or printed text."""
        begun = time.monotonic()
        request = self.client.execute(code)
        reply = self.client.get_shell_msg(timeout=TIMEOUT)
        while reply["parent_header"].get("msg_id") != request:
            reply = self.client.get_shell_msg(timeout=TIMEOUT)
        self.times.append((code.strip().splitlines()[0][:60], time.monotonic() - begun))
        texts = []
        # stderr of a cell can arrive after the kernel reported the end
        quiet = 1.0
        while True:
            try:
                message = self.client.get_iopub_msg(timeout=quiet)
            except queue.Empty:
                break
            if message["parent_header"].get("msg_id") != request:
                continue
            content = message["content"]
            texts += [content.get("text", ""), *content.get("data", {}).values(), *content.get("traceback", [])]
        return reply["content"]["status"], "\n".join(str(text) for text in texts)

    def stop(self):
        """Stops the kernel, and prints the times."""
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        print(*(f"{seconds:7.2f} s  {what}" for what, seconds in self.times), sep="\n")  # noqa: T201


@pytest.fixture(scope="module")
def cells():
    cells = Cells()
    yield cells
    cells.stop()


@pytest.fixture(scope="module")
def open_notebook(cells):
    status, text = cells.run(OPEN)
    assert (status, "Session(" in text) == ("ok", True), text
    return cells


def test_state_survives_from_cell_to_cell(open_notebook):
    assert open_notebook.run('let steps: Frame = s.sql("select * from step")?;')[0] == "ok"
    assert open_notebook.run("let n: usize = steps.len()?;")[0] == "ok"
    # the query engine has its own runtime, which must be the same in every cell
    status, text = open_notebook.run("n + s.step().duration().fetch()?.len()?")
    assert (status, "222" in text) == ("ok", True), text


def test_types_are_inferred_if_the_standard_library_sources_are_installed(open_notebook):
    if open_notebook.run('let probe = "a".to_owned();')[0] != "ok":
        pytest.skip("this toolchain has no rust-src, or not the crates that it uses")
    for code in (
        'let frame = s.sql("select rank, dur from step")?;',
        'let longest = frame.column::<i64>("dur")?.into_iter().flatten().max();',
        'let figure = s.figure("step_timeline", &[("run", "first_look")])?;',
        "let columns = s.step().outliers().factor(3.0).fetch()?.columns();",
        "let units = columns.iter().map(|c| (c.name.clone(), c.unit)).collect::<std::collections::BTreeMap<_, _>>();",
        'let error = s.sql("select").unwrap_err();',
        "let kind = error.kind();",
    ):
        status, text = open_notebook.run(code)
        assert status == "ok", text
    _, text = open_notebook.run(
        '(longest.is_some(), figure.name(), units["dur"] == Some(Unit::Ns), kind == ErrorKind::Query)'
    )
    assert '(true, "step_timeline", true, true)' in text


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ('s.query("step.duratoin", &[("skip", 1)])?', "no query `step.duratoin`; did you mean `step.duration`?"),
        ('s.sql("select * from stepp")?', "no table `stepp`; did you mean `step`?"),
        ('s.step().duration().run("first_lok").fetch()?', "no run or baseline `first_lok`; did you mean `first_look`?"),
        ('open("no/such/profile")?', "no/such/profile"),
    ],
)
def test_errors_are_readable_and_keep_the_session(open_notebook, code, message):
    _, text = open_notebook.run(code)
    assert message in text
    assert "RUST_BACKTRACE" not in text
    status, text = open_notebook.run('s.sql("select 40 + 2 as x")?.value::<i64>(0, "x")?')
    assert (status, "Some(42)" in text) == ("ok", True), text


def test_a_panic_in_a_cell_keeps_the_session(open_notebook):
    open_notebook.run('let none: Option<i64> = None; none.expect("nothing here")')
    status, text = open_notebook.run("s.figures().len() > 5")
    assert (status, "true" in text) == ("ok", True), text


def test_hostile_text_stays_inside_its_output(open_notebook):
    status, text = open_notebook.run(
        "s.sql(\"select 'a' || chr(10) || 'EVCXR_END_CONTENT' || chr(10) || '<script>b</script>' as name\")?"
    )
    assert status == "ok"
    assert "&lt;script&gt;b&lt;/script&gt;</td>" in text
    assert "<p>1 row</p>" in text


def test_a_name_is_completed(open_notebook):
    reply = open_notebook.client.complete("s.step().dur", reply=True, timeout=TIMEOUT)
    assert any("duration_by_rank" in match for match in reply["content"]["matches"])
