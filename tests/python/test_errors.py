"""Errors: one class per kind, with a text that says what to do."""

import pickle
import re

import pytest

import tracelake as tl
from tracelake import errors

BUILTINS = {
    "NotFoundError": FileNotFoundError,
    "DeniedError": PermissionError,
    "UnreachableError": ConnectionError,
    "ArgumentError": ValueError,
}
KINDS = [
    "NotFound", "Denied", "Unreachable", "Unrecognised", "Malformed", "Query", "Argument", "Conflict", "Exhausted",
    "Cancelled", "Internal",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_a_class_for_the_kind(kind):
    found = getattr(errors, f"{kind}Error")
    assert issubclass(found, tl.TracelakeError)
    assert issubclass(found, BUILTINS.get(f"{kind}Error", Exception))
    assert found.__doc__


def test_there_is_no_further_class():
    assert sorted(errors.__all__) == sorted([*(f"{kind}Error" for kind in KINDS), "TracelakeError"])


@pytest.mark.parametrize("name", errors.__all__)
def test_an_error_says_its_text_and_survives_pickling(name):
    error = getattr(errors, name)("cannot read x: it is gone\n  hint:   look elsewhere")
    assert str(error) == "cannot read x: it is gone\n  hint:   look elsewhere"
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - as multiprocessing does
    assert type(again) is type(error)
    assert str(again) == str(error)


def with_foreign_files(folder):
    (folder / "notes.txt").write_text("nothing a profiler wrote\n")
    return folder


def closed(folder):
    session = tl.open(folder / "lake", create=True)
    session.close()
    return session


FAILURES = {
    "a folder that is not there": (lambda _, f: tl.open(f / "gone", ephemeral=True), errors.NotFoundError),
    "an empty folder": (lambda _, f: tl.open(f, ephemeral=True), errors.NotFoundError),
    "other files": (lambda _, f: tl.open(with_foreign_files(f), ephemeral=True), errors.UnrecognisedError),
    "a scheme nobody knows": (lambda *_: tl.open("gopher://x/y", ephemeral=True), errors.ArgumentError),
    "an address with a password": (lambda *_: tl.open("s3://me:hunter2@x/y", ephemeral=True), errors.ArgumentError),
    "no SQL": (lambda s, _: s.sql("selec 1"), errors.QueryError),
    "SQL on a table that is not there": (lambda s, _: s.sql("select * from nowhere"), errors.QueryError),
    "SQL on a column that is not there": (lambda s, _: s.sql("select nmae from event"), errors.QueryError),
    "a query that is not there": (lambda s, _: s.query("step.duratoin"), errors.NotFoundError),
    "a parameter that is not there": (lambda s, _: s.query("step.outliers", factr=2.0), errors.ArgumentError),
    "a parameter of another type": (lambda s, _: s.query("step.outliers", factor="much"), errors.ArgumentError),
    "a figure that is not there": (lambda s, _: s.figure("step_timeliness"), errors.NotFoundError),
    "a table that is not there": (lambda s, _: s.table("evnt"), errors.NotFoundError),
    "a column that is not there": (lambda s, _: s.table("event", columns=["nmae"]), errors.NotFoundError),
    "a run that is not there": (lambda s, _: len(s.step.duration(run="nobody")), errors.NotFoundError),
    "a closed session": (lambda _, f: closed(f).runs(), errors.ArgumentError),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_failure_says_what_and_where(case, s, tmp_path):
    call, kind = FAILURES[case]
    with pytest.raises(kind) as caught:
        call(s, tmp_path)
    lines = str(caught.value).splitlines()
    assert lines[0][0].islower(), lines[0]
    assert not lines[0].endswith("."), lines[0]
    assert all(re.match(r"  [a-z_]+: +\S", line) for line in lines[1:]), lines
    assert "hunter2" not in str(caught.value)


def test_a_slip_gets_a_suggestion(s):
    for call, meant in [
        (lambda: s.query("step.duratoin"), "step.duration"),
        (lambda: s.figure("step_timelin"), "step_timeline"),
        (lambda: s.table("evnt"), "event"),
    ]:
        with pytest.raises(tl.errors.NotFoundError, match=f"did you mean `{meant}`"):
            call()
