"""Paths of profiles instead of run names: `tl.diagnose("traces/")`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two profiles with the same name; the current folder, with a default lake in it."""
    for name, profile in (("old", "job-b"), ("new", "job-c")):
        shutil.copytree(DATA / "golden" / profile, tmp_path / name / "trace")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TRACELAKE_LAKE", raising=False)
    return tmp_path


def runs(session=None):
    frame = (session or tl.open()).runs()
    return [row["run"] for row in frame.rows()]


@pytest.mark.usefixtures("folder")
def test_every_function_takes_a_path():
    assert tl.diagnose("old/trace").verdicts[0].run == "trace"
    assert tl.query("loader.share", "old/trace").columns[0] == "run"
    assert tl.sql("select distinct run from object", on=["old/trace"]).to_pandas()["run"].tolist() == ["trace"]
    assert tl.figure("step_timeline", "old/trace").name == "step_timeline"
    assert tl.report("old/trace").title == "trace"
    assert tl.gate("old/trace", max_loader_ratio=1.0).candidate == ["trace"]
    assert runs() == ["trace"]
    assert tl.compare("old/trace", Path("new/trace")).columns[0] == "run"
    assert runs() == ["new-trace", "trace"]
    assert tl.diagnose().verdicts[1].run == "trace"


def test_methods_of_a_session_take_a_path(folder):
    with tl.open("lake", create=True) as s:
        assert [row["run"] for row in s.query("job.verdict", run="old/trace").rows()] == ["trace"]
        assert [row["run"] for row in s.job.verdict(run=["old/trace", "./new/trace"]).rows()] == ["new-trace", "trace"]
        assert s.resolve(["run:trace", Path("old/trace")]) == ["trace"]
        assert runs(s) == ["new-trace", "trace"]
        with pytest.raises(tl.errors.NotFoundError):
            s.diagnose("missing/")
    assert not (folder / "home").exists()


def test_several_profiles_are_opened_together(folder):
    with tl.open(["old/trace", folder / "new" / "trace"]) as s:
        assert (s.run, runs(s)) == (None, ["new-trace", "trace"])
    with tl.open("*/trace", ephemeral=True) as s:
        assert runs(s) == ["new", "old"]


@pytest.mark.usefixtures("folder")
def test_wrong_arguments_are_errors():
    with pytest.raises(TypeError, match="unexpected keyword argument 'ephemral'; there are: ephemeral, lake, options"):
        tl.diagnose("old/trace", ephemral=True)
    with pytest.raises(tl.errors.ArgumentError, match="the list is empty"):
        tl.open([])
    with pytest.raises(tl.errors.ArgumentError, match="cannot give one name to several profiles"):
        tl.open(["old/trace", "new/trace"], run="both")


def test_an_ephemeral_call_stores_nothing(folder):
    assert tl.diagnose("old/trace", ephemeral=True).verdicts[0].run == "trace"
    assert not (folder / "home").exists()
    with pytest.raises(tl.errors.NotFoundError):
        tl.diagnose("missing/")


def test_the_environment_names_the_lake(folder, monkeypatch):
    with tl.open("lake", create=True):
        pass
    monkeypatch.setenv("TRACELAKE_LAKE", str(folder / "lake"))
    tl.diagnose("old/trace")
    tl.open("new/trace")
    assert runs() == ["new-trace", "trace"]
    assert not (folder / "home").exists()
    monkeypatch.setenv("TRACELAKE_LAKE", str(folder / "typo"))
    with pytest.raises(tl.errors.NotFoundError):
        tl.diagnose("old/trace")
    with pytest.raises(tl.errors.NotFoundError, match=r"TRACELAKE_LAKE is .*typo, which is not a lake"):
        tl.open("old/trace")
    assert not (folder / "typo").exists()


def test_a_named_lake_must_exist(folder):
    with pytest.raises(tl.errors.NotFoundError):
        tl.diagnose("old/trace", lake="typo")
    assert not (folder / "typo").exists()
    assert not (folder / "home").exists()


@pytest.mark.usefixtures("folder")
def test_a_text_that_is_a_run_and_a_path_is_an_error():
    with tl.open() as s:
        s.ingest("new/trace", run="old")
        with pytest.raises(tl.errors.ArgumentError, match=r"write \./old for the path, run:old for the run"):
            s.resolve("old")
        assert s.resolve("run:old") == ["old"]
        assert s.resolve("./old/trace") == ["trace"]
        # in a method of a session, the name of a visible run is that run
        assert [row["run"] for row in s.query("job.verdict", run="old").rows()] == ["old"]
    with pytest.raises(tl.errors.ArgumentError, match="is both"):
        tl.diagnose("old")
    assert [*tl.sql("select distinct run from object", on="run:old").rows()] == [{"run": "old"}]


def test_the_first_commands_of_a_new_user_work(tmp_path, s3):
    """Runs commands from an empty home folder, with profiles on a disk and on S3."""
    bucket = s3.bucket()
    s3.upload(DATA / "pytorch_ddp", bucket, "jobs/ddp/traces")
    home = {name: str(tmp_path / "home") for name in ("HOME", "XDG_DATA_HOME", "USERPROFILE")}
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TRACELAKE_", "AWS_"))}
    options = [text for name, value in s3.options.items() for text in ("--option", f"{name}={value}")]

    def shell(*arguments):
        command = [sys.executable, "-m", "tracelake", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment | home, capture_output=True, text=True, check=False
        )
        assert done.returncode in {0, 1}, done.stderr
        return done.stdout, done.stderr

    lake = tmp_path / "home" / "tracelake"
    text, note = shell("diagnose", DATA / "pytorch_ddp")
    assert text.startswith("pytorch_ddp: ")
    assert f"note: {DATA / 'pytorch_ddp'} is stored as run `pytorch_ddp` in lake {lake}\n" in note
    url = f"s3://{bucket}/jobs/ddp/traces"
    shell("report", url, "-o", "report.html", *options)
    assert "<h1" in (tmp_path / "report.html").read_text(encoding="utf-8")
    text, note = shell("compare", DATA / "pytorch_ddp", url, "--format", "json", *options)
    sides = {(row["runs_a"], row["runs_b"], row.get("significant")) for row in map(json.loads, text.splitlines())}
    assert sides <= {(1, 1, False), (1, 1, None)}, "a profile and its copy"
    assert f"is stored as run `ddp` in lake {lake}" in note
    text, _ = shell("sql", "--on", url, "select run, count(*) as n from step group by run", *options)
    assert text == "run,n\nddp,16\n"
    text, _ = shell("runs")
    assert [line.split(",")[0] for line in text.splitlines()] == ["run", "ddp", "pytorch_ddp"]


def test_the_first_commands_work_from_python_on_s3(tmp_path, s3, monkeypatch):
    monkeypatch.setenv("TRACELAKE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("TRACELAKE_LAKE", raising=False)
    bucket = s3.bucket()
    url = s3.upload(DATA / "pytorch_ddp", bucket, "jobs/ddp/traces")
    pattern = f"s3://{bucket}/jobs/*/traces"
    assert tl.diagnose(url, options=s3.options).verdicts[0].run == "ddp"
    assert tl.report(pattern, options=s3.options).title == "ddp"
    assert tl.compare(DATA / "pytorch_ddp", url, options=s3.options).columns[0] == "run"
    assert [*tl.sql("select distinct run from step", on=url, options=s3.options).rows()] == [{"run": "ddp"}]
    assert runs() == ["ddp", "pytorch_ddp"]
