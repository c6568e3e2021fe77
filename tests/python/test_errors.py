"""Errors: one class per kind, with a text and a hint."""

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
    "NotFound", "Denied", "Unreachable", "Unrecognized", "Malformed", "Query", "Argument", "Conflict", "Exhausted",
    "Cancelled", "Internal",
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_has_an_error_class(kind):
    error_class = getattr(errors, f"{kind}Error")
    assert issubclass(error_class, tl.TracelakeError)
    assert issubclass(error_class, BUILTINS.get(f"{kind}Error", Exception))
    assert error_class.__doc__


def test_there_are_no_other_error_classes():
    assert sorted(errors.__all__) == sorted([*(f"{kind}Error" for kind in KINDS), "TracelakeError"])


@pytest.mark.parametrize("name", errors.__all__)
def test_an_error_has_its_text_and_can_be_pickled(name):
    error = getattr(errors, name)("cannot read x: it is gone\n  hint:   look elsewhere")
    assert str(error) == "cannot read x: it is gone\n  hint:   look elsewhere"
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - multiprocessing does the same
    assert type(again) is type(error)
    assert str(again) == str(error)


def with_foreign_files(folder):
    (folder / "notes.txt").write_text("nothing a profiler wrote\n")
    return folder


def closed(folder):
    session = tl.open(folder / "lake", create=True)
    session.close()
    return session


ZERO = "select 1 / (value - 3) as x from generate_series(1, 5)"
FAILURES = {
    "a folder that is not there": (lambda _, f: tl.open(f / "gone", ephemeral=True), errors.NotFoundError),
    "an empty folder": (lambda _, f: tl.open(f, ephemeral=True), errors.NotFoundError),
    "other files": (lambda _, f: tl.open(with_foreign_files(f), ephemeral=True), errors.UnrecognizedError),
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
    "no run": (lambda s, _: s.step.duration(run=5), errors.ArgumentError),
    "runs that are none": (lambda s, _: s.step.duration(run=["first_look", 5]), errors.ArgumentError),
    "a number that is too large": (lambda s, _: s.step.histogram(bins=2**70), errors.ArgumentError),
    "a number that is too small": (lambda s, _: s.step.histogram(bins=0), errors.ArgumentError),
    "a value of no use": (lambda s, _: s.sql("select $x", x=object()), errors.ArgumentError),
    "a value without a place": (lambda s, _: s.sql("select 1", run="first_look"), errors.ArgumentError),
    "a place without a value": (lambda s, _: s.sql("select $run"), errors.ArgumentError),
    "no columns": (lambda s, _: s.table("step", columns=[]), errors.ArgumentError),
    "one column": (lambda s, _: s.table("step", columns="dur"), errors.ArgumentError),
    "two statements": (lambda s, _: s.sql("select 1; select 2"), errors.QueryError),
    "a list as a tag": (lambda s, f: s.ingest(f, tags={"a": [1]}), errors.ArgumentError),
    "a division by zero": (lambda s, _: s.sql(ZERO).to_csv(), errors.QueryError),
    "one that pandas meets": (lambda s, _: s.sql(ZERO).to_pandas(), errors.QueryError),
    "one that pyarrow meets": (lambda s, _: s.sql(ZERO).to_arrow(), errors.QueryError),
    "one that Polars meets": (lambda s, _: s.sql(ZERO).to_polars(), errors.QueryError),
    "one that comes while rows are read": (lambda s, _: list(s.sql(ZERO).rows()), errors.QueryError),
    "a closed session": (lambda _, f: closed(f).runs(), errors.ArgumentError),
}


@pytest.mark.parametrize("case", FAILURES)
def test_an_error_has_operation_and_location(case, s, tmp_path):
    call, kind = FAILURES[case]
    with pytest.raises(kind) as caught:
        call(s, tmp_path)
    lines = str(caught.value).splitlines()
    assert lines[0][0].islower(), lines[0]
    assert not lines[0].endswith("."), lines[0]
    assert all(re.match(r"  [a-z_]+: +\S", line) for line in lines[1:]), lines
    assert "hunter2" not in str(caught.value)


def test_a_typo_gets_a_suggestion(s):
    for call, suggestion in [
        (lambda: s.query("step.duratoin"), "step.duration"),
        (lambda: s.figure("step_timelin"), "step_timeline"),
        (lambda: s.table("evnt"), "event"),
    ]:
        with pytest.raises(tl.errors.NotFoundError, match=f"did you mean `{suggestion}`"):
            call()


@pytest.mark.parametrize(("name", "why"), [("missing", "there is no such file or folder"), ("", "the folder is empty")])
def test_a_folder_without_a_profile_is_reported_as_a_folder(tmp_path, name, why):
    hint = re.escape("\n  hint:   check the path; `create=True` makes a lake there")
    with pytest.raises(errors.NotFoundError, match=f"^cannot read {re.escape(str(tmp_path / name))}: {why}{hint}$"):
        tl.open(tmp_path / name)


def test_a_missing_name_gets_a_suggestion(s):
    for call, text in [
        (lambda: s.stepp, "a Session has no `stepp`; did you mean `step`?"),
        (lambda: s.step.duratoin, "a Step has no `duratoin`; did you mean `duration`?"),
        (lambda: s.weather, 'a Session has no `weather`\n  hint:   run your own queries by name: s.query("'),
        (lambda: s.job.xyz, "a Job has no `xyz`\n  hint:   there are: attributes, decision_tree, key_metrics"),
    ]:
        with pytest.raises(AttributeError) as caught:
            call()
        assert str(caught.value).startswith(text)
    assert not hasattr(s, "__nothing__")


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (
            lambda s: s.step.duration(run=5),
            "cannot use 5 as `run`: expected the name of a run, a list of names, or None",
        ),
        (
            lambda s: s.step.histogram(bins=2**70),
            "cannot use 1180591620717411303424 as `bins`: it does not fit into 64 bits",
        ),
        (lambda s: s.table("step", columns="dur"), "cannot use 'dur' as `columns`: expected a list of names, or None"),
        (
            lambda s: s.fleet.trend(metric="step_p5"),
            "cannot run `fleet.trend`: argument `metric`: no value `step_p5`; did you mean `step_p50`?",
        ),
        (
            lambda s: s.finding.no_workers(warning=20),
            "cannot run `finding.no_workers`: argument `warning`: 20 is not a ratio from 0 to 1; write 0.2 for 20 %",
        ),
        (
            lambda s: s.figure("fleet_trend", metric="step_p5"),
            "cannot run `fleet.trend`: argument `metric`: no value `step_p5`; did you mean `step_p50`?",
        ),
        (lambda s: s.sql("select $rnu", run=1), "no parameter `run`; did you mean `rnu`?"),
    ],
)
def test_a_wrong_argument_is_named(s, call, text):
    with pytest.raises(errors.ArgumentError) as caught:
        call(s)
    assert str(caught.value) == text


def test_the_text_of_a_failed_stream_is_the_same_for_every_reader(s):
    frame = s.sql(ZERO)
    messages = set()
    for read in (frame.to_csv, frame.to_arrow, frame.to_pandas, frame.to_polars, lambda: list(frame.rows())):
        with pytest.raises(errors.QueryError) as caught:
            read()
        messages.add(str(caught.value))
        assert caught.value.__cause__ is None
    assert len(messages) == 1, messages
    assert "divide by zero" in messages.pop().lower()


def test_an_error_of_a_reader_is_its_own_error(s):
    rows = s.sql("select 1 as x").rows()
    next(rows)
    with pytest.raises(ZeroDivisionError):
        rows.throw(ZeroDivisionError())
