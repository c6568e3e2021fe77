"""`%load_ext tracelake` in a real IPython: magics, completion, and errors that show only the user's lines."""

import re
import subprocess
import sys

import pytest

import tracelake as tl

core = pytest.importorskip("IPython.core.interactiveshell")
pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture
def shell(s, profile, tmp_path, monkeypatch):
    """A shell with the extension, and a session over the bundled profile in the variable `s`."""
    from traitlets.config import Config  # noqa: PLC0415 - comes with IPython

    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    config = Config()
    config.HistoryManager.enabled = False
    shell = core.InteractiveShell(config=config)
    shell.user_ns.update(tl=tl, s=s, profile=str(profile))
    run(shell, "%load_ext tracelake")
    yield shell
    shell.run_line_magic("unload_ext", "tracelake")


def run(shell, code):
    result = shell.run_cell(code)
    result.raise_error()
    return result.result


def completed(shell, text, cursor=None):
    """Returns the completions at the end of the text, or at `|` in it."""
    from IPython.core.completer import provisionalcompleter  # noqa: PLC0415 - comes with IPython

    cursor = text.index("|") if "|" in text else len(text)
    text = text.replace("|", "")
    with provisionalcompleter():
        return [text[: completion.start] + completion.text for completion in shell.Completer.completions(text, cursor)]


def last(shell, text):
    """Returns the completed words."""
    return [re.split(r"[\s'\"(\[,]", line)[-1] for line in completed(shell, text)]


def test_ipython_is_not_a_dependency():
    code = "import sys; sys.modules['IPython'] = None; import tracelake as tl; assert tl.load_ipython_extension"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_sql_cell_runs_and_stores_its_result(shell):
    frame = run(
        shell, "%%tracelake -o evals mode=eval\nselect rank, count(*) as n from step where mode = $mode\ngroup by 1"
    )
    assert isinstance(frame, tl.Frame)
    assert shell.user_ns["evals"] is frame
    assert {row["n"] for row in frame.rows()} == {10}


def test_values_come_from_the_line_or_from_variables(shell):
    run(shell, "min_dur = 7; mode = 'train'")
    one = run(shell, "%%tracelake mode=eval\nselect $min_dur as a, $mode as b -- $nothing\n")
    assert next(one.rows()) == {"a": 7, "b": "eval"}
    many = run(
        shell, "%%tracelake ids=[1,2] x=0.5 y=true z=\"'7'\"\nselect array_has($ids, 2) as i, $x as x, $y as y, $z as z"
    )
    assert next(many.rows()) == {"i": True, "x": 0.5, "y": True, "z": "7"}


def test_a_line_opens_a_profile(shell):
    run(shell, "del s")
    session = run(shell, "%tracelake $profile ephemeral=true")
    assert shell.user_ns["s"] is session
    assert session.run == "first_look"
    other = run(shell, "%tracelake {profile} -o other ephemeral=true run=b")
    assert (shell.user_ns["other"].run, shell.user_ns["s"]) == ("b", session)
    frame = run(shell, "%%tracelake --session other\nselect distinct run from step")
    assert [row["run"] for row in frame.rows()] == ["b"]
    assert run(shell, "%tracelake") is session
    session.close()
    other.close()


@pytest.mark.parametrize(
    ("before", "code", "text"),
    [
        ("del s", "%%tracelake\nselect 1", "no session is open\n  hint:   open one with `%tracelake PATH`"),
        (
            "a = s; b = s; del s",
            "%%tracelake\nselect 1",
            "cannot choose a session: several are open\n  hint:   name one with",
        ),
        ("", "%%tracelake --session t\nselect 1", "no session in a variable `t`"),
        ("", "%%tracelake select 1\nselect 2", "cannot use 'select' after %%tracelake"),
        ("", "%tracelake select 1", "expected one path of a profile or a lake"),
        ("", "%%tracelake -o 1a\nselect 1", "cannot use '1a' after -o: expected the name of a variable"),
        ("", "%%tracelake --nope\nselect 1", "cannot use '--nope'"),
        ("", "%%tracelake 'x\nselect 1", "no closing quotation"),
        ("", "%%tracelake\nselect * from setp", "no table `setp`; did you mean `step`?"),
        ("", "%%tracelake\nselect $nobody_has_this", "no value for $nobody_has_this"),
    ],
)
def test_wrong_arguments_are_reported(shell, before, code, text):
    shell.run_cell(before)
    with pytest.raises(tl.TracelakeError, match=re.escape(text)):
        run(shell, code)


def test_an_error_shows_only_the_users_lines(shell, capsys):
    shell.run_cell("def ask():\n    return s.query('step.duratoin')\n\nask()")
    shown = re.sub(r"\x1b\[[\d;]*m", "", capsys.readouterr().out)
    assert "did you mean `step.duration`?" in shown
    assert "ask()" in shown
    assert "session.py" not in shown
    shell.run_cell("%unload_ext tracelake")
    shell.run_cell("s.query('step.duratoin')")
    assert "session.py" in capsys.readouterr().out
    shell.run_cell("%load_ext tracelake")


def test_names_in_calls_of_a_session_are_completed(shell):
    assert {"step", "loader", "help", "save_query"} <= {name.removeprefix("s.") for name in completed(shell, "s.")}
    assert "s.step.outliers" in completed(shell, "s.step.out")
    assert completed(shell, "s.step.outliers(fac") == ["s.step.outliers(factor="]
    assert 's.query("step.outliers' in completed(shell, 's.query("step.out')
    assert last(shell, 's.table("loa') == ["loader"]
    assert "step_timeline" in last(shell, "s.figure('ste")
    assert last(shell, "x = 1\ns.table('step', columns=['run', 'du") == ["dur"]
    assert completed(shell, "s.query('step.outliers', fa") == ["s.query('step.outliers', factor="]
    assert last(shell, "s.step.duration(run='fi") == ["first_look"]
    assert last(shell, "s.step.duration(run=['first_look', 'fi") == ["first_look"]
    for call in ("diagnose('fi", "compare('first_look', \"fi", "report(['first_look', 'fi", "figure('x', run='fi"):
        assert last(shell, f"s.{call}") == ["first_look"], call


def test_sql_is_completed(shell):
    run(shell, "min_dur = 3")
    assert "loader_share" in last(shell, "%%tracelake\nselect * from loader_s")
    assert "dur" in last(shell, "%%tracelake\nselect du| from step")
    assert last(shell, "%%tracelake\nselect a.du| from step a") == ["a.dur"]
    assert "step.mode" in last(shell, "%%tracelake\nselect step.m| from step")
    assert "$min_dur" in last(shell, "%%tracelake\nselect $mi")
    assert "$mode" in last(shell, "%%tracelake mode=eval\nselect * from step where mode = $m")
    assert any("factor => " in line for line in completed(shell, "%%tracelake\nselect * from step_outliers(fac"))
    assert last(shell, "%%tracelake\nselect * from step where run = 'f") == ["first_look"]
    assert last(shell, "%%tracelake\nselect 'du") == []
    assert "loader_share" in last(shell, "s.sql('select * from loader_s")
    assert "dur" in last(shell, 's.sql("""select du| from step""")')
    assert last(shell, "s.sql(\"select * from step where run = 'f") == ["first_look"]


def test_a_saved_query_is_completed_immediately(shell, profile):
    with tl.open(profile, ephemeral=True) as session:
        shell.user_ns["s"] = session
        assert last(shell, "%%tracelake\nselect * from saved_") == []
        session.save_query("mine", "select run, dur from step")
        assert last(shell, "%%tracelake\nselect * from saved_") == ["saved_mine"]
        assert "s.saved.mine" in completed(shell, "s.saved.m")
        shell.user_ns["s"] = None
