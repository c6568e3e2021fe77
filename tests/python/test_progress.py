"""Progress reports while a profile is read, and when there are none."""

import io
import re
from contextlib import redirect_stderr

import pytest

import tracelake as tl


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self):
        return True


def test_opening_a_profile_reports_its_size_once(profile, tmp_path, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path))
    size = sum(file.stat().st_size for file in profile.rglob("*.json"))
    with redirect_stderr(Terminal()) as terminal, tl.open(profile):
        output = terminal.getvalue()
    assert output.count("\n") == 1
    assert output.endswith("\n")
    states = [state.strip() for state in output.split("\r")[1:]]
    assert states[-1] == f"read 7 objects, {size / 1000:.1f} kB"
    assert all(re.fullmatch(r"reading 7 objects, [\d.]+ kB \[#*\.*\] \d of 7", state) for state in states[:-1])
    with redirect_stderr(Terminal()) as terminal, tl.open(profile):
        assert terminal.getvalue() == "", "nothing had to be read"


def test_nothing_is_printed_without_a_terminal(profile, capsys):
    with tl.open(profile, ephemeral=True):
        pass
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(("progress", "speaks"), [(None, True), (True, True), (False, False)])
def test_a_terminal_can_be_silenced(lake, profile, progress, speaks):
    with redirect_stderr(Terminal()) as terminal:
        lake.ingest(profile, progress=progress)
    assert bool(terminal.getvalue()) is speaks


def test_a_line_can_be_requested(profile, capsys):
    with tl.open(profile, ephemeral=True, progress=True):
        pass
    assert "read 7 objects" in capsys.readouterr().err


def test_a_function_is_called_when_a_profile_is_opened(profile):
    calls = []
    with tl.open(profile, ephemeral=True, progress=lambda *numbers: calls.append(numbers)):
        pass
    assert calls[-1][0] == calls[-1][1] == 7
    assert calls[-1][2] == calls[-1][3] > 0


def test_an_error_in_the_function_ends_the_opening(profile):
    with pytest.raises(ZeroDivisionError):
        tl.open(profile, ephemeral=True, progress=lambda *_: 1 / 0)


def test_a_value_that_is_not_callable_is_refused(profile):
    with pytest.raises(tl.errors.ArgumentError, match="cannot use 'loud' as `progress`"):
        tl.open(profile, ephemeral=True, progress="loud")


def test_an_incomplete_line_is_ended():
    out = io.StringIO()
    line = tl.progress.Line(out)
    line.end()
    assert out.getvalue() == ""
    line(1, 4, 500, 2000)
    line(2, 4, 1000, 2000)
    line.end()
    assert out.getvalue() == "\rreading 4 objects, 2.0 kB [######..................] 1 of 4\n"
