"""One of 50 runs is corrupt: commands work for the other 49 and name the run; `repair` makes the lake valid again."""

import datetime as dt
import json
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import deltalake
import pytest

import tracelake as tl

ROOT = Path(__file__).parents[2]
RUNS = 50


def name(number: int) -> str:
    """Returns the name of a run, which is that of its trace."""
    return f"run-{number:05}.pt.trace.json"


# The run with the corrupt files. Its name sorts last, so that it is at the end of a bundle.
VICTIM = name(RUNS - 1)
SHELL = [sys.executable, "-m", "tracelake", "--lake"]
STREAM = ["sql", "select * from event"]
COUNTS = "select run, count(*) as n, sum(dur) as total from event group by run order by run"
QUERIES = ["job.overview", "step.duration", "kernel.summary", "loader.share"]


@dataclass
class Damage:
    """How a file is corrupted, and whether `repair` restores all rows without another ingest."""

    name: str
    compacted: bool = False
    lossless: bool = False

    def apply(self, lake: Path) -> None:
        """Corrupts one file of the lake."""
        getattr(self, self.name)(lake)

    @staticmethod
    def manifest(lake: Path) -> Path:
        """The newest manifest of the run."""
        return max((lake / "_manifest/run" / VICTIM).iterdir())

    @staticmethod
    def data_file(lake: Path) -> Path:
        """The file with the run's events."""
        parts = json.loads(Damage.manifest(lake).read_text())["parts"]
        return lake / next(part["path"] for part in parts if part["table"] == "event")

    def truncated_manifest(self, lake: Path) -> None:
        file = self.manifest(lake)
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    def empty_manifest(self, lake: Path) -> None:
        self.manifest(lake).write_bytes(b"")

    def manifest_without_json(self, lake: Path) -> None:
        self.manifest(lake).write_bytes(b"\x00\xff not JSON")

    def manifest_of_another_run(self, lake: Path) -> None:
        shutil.copy(max((lake / "_manifest/run" / name(0)).iterdir()), self.manifest(lake))

    def missing_data_file(self, lake: Path) -> None:
        self.data_file(lake).unlink()

    def truncated_data_file(self, lake: Path) -> None:
        file = self.data_file(lake)
        file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])

    def overwritten_data_file(self, lake: Path) -> None:
        file = self.data_file(lake)
        file.write_bytes(b"PAR1" + b"\xaa" * (file.stat().st_size - 8) + b"PAR1")

    def truncated_bundle(self, lake: Path) -> None:
        (file,) = (lake / "_manifest/bundle").iterdir()
        file.write_bytes(file.read_bytes()[:-200])

    def truncated_bundle_before_vacuum(self, lake: Path) -> None:
        self.truncated_bundle(lake)


DAMAGES = [
    Damage("truncated_manifest"),
    Damage("empty_manifest"),
    Damage("manifest_without_json"),
    Damage("manifest_of_another_run"),
    Damage("missing_data_file"),
    Damage("truncated_data_file"),
    Damage("overwritten_data_file"),
    Damage("truncated_bundle", compacted=True),
    # The manifests that the bundle replaced are still there.
    Damage("truncated_bundle_before_vacuum", compacted=True, lossless=True),
]


@pytest.fixture(scope="module")
def profiles(tmp_path_factory):
    """A trace for each run."""
    folder = tmp_path_factory.mktemp("fleet")
    script = ROOT / "tests/gen/fleet.py"
    subprocess.run([sys.executable, script, "--out", folder, "--runs", str(RUNS)], check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def valid(profiles, tmp_path_factory):
    """A lake with all runs, by whether it was compacted and vacuumed, or compacted only."""
    lakes = {}

    def valid(*, compacted: bool, vacuumed: bool) -> Path:
        if (compacted, vacuumed) not in lakes:
            path = tmp_path_factory.mktemp("valid") / "lake"
            with tl.open(path, create=True) as session:
                session.ingest(f"{profiles}/*.json", progress=False)
                if compacted:
                    session.compact()
                if vacuumed:
                    session.vacuum(dt.timedelta(0))
            lakes[compacted, vacuumed] = path
        return lakes[compacted, vacuumed]

    return valid


QUICK = ("truncated_manifest", "missing_data_file")
PARAMETERS = [
    pytest.param(damage, id=damage.name, marks=() if damage.name in QUICK else pytest.mark.slow) for damage in DAMAGES
]


@pytest.fixture(params=PARAMETERS)
def corrupt_lake(request, valid, tmp_path):
    """A copy of the lake with one corrupt file."""
    damage = request.param
    vacuumed = damage.compacted and not damage.lossless
    lake = Path(shutil.copytree(valid(compacted=damage.compacted, vacuumed=vacuumed), tmp_path / "lake"))
    damage.apply(lake)
    return damage, lake


def answers(session, runs):
    """Rows of several queries about these runs, by query."""
    frames = {query: session.query(query) for query in QUERIES} | {"sql": session.sql(COUNTS)}
    return {query: [row for row in frame.rows() if row["run"] in runs] for query, frame in frames.items()}


def shell(lake, *words):
    """A command of the shell; an exit code other than 0 or 1 is an error."""
    command = [*SHELL, str(lake), *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), (words, done.stdout, done.stderr)
    return done


@pytest.mark.slow
def test_python_and_sql_return_the_other_runs(corrupt_lake, valid):
    damage, lake = corrupt_lake
    others = {name(number) for number in range(RUNS - 1)}
    with tl.open(valid(compacted=False, vacuumed=False)) as session:
        expected = answers(session, others)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with tl.open(lake) as session:
            assert answers(session, others) == expected
            counted = {row["run"] for row in session.sql(COUNTS).rows()}
            assert counted - {VICTIM} == others
            (verdict,) = session.sql("select count(distinct run) as n from diagnosis").rows()
            assert verdict["n"] >= RUNS - 1
            faults = session.faults()
            checked = [row for row in session.check().rows() if row["loss"]]
    texts = [str(warning.message) for warning in caught]
    # A run that has another valid manifest is not excluded: the bundle is named.
    damaged_run, named = (None, "bundle") if damage.lossless else (VICTIM, VICTIM)
    assert any(named in text for text in texts), texts
    assert len(texts) == len(set(texts)), "each fault is reported once"
    assert [fault["run"] for fault in faults] == [damaged_run]
    assert {row["run"] for row in checked} == {damaged_run}
    assert all(row["message"] for row in checked)
    if damage.lossless:
        assert VICTIM in counted
    else:
        assert VICTIM not in counted


def test_a_query_about_the_corrupt_run_alone_fails_with_the_reason(corrupt_lake):
    damage, lake = corrupt_lake
    if damage.lossless:
        pytest.skip("no row is lost")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tl.open(lake) as session, pytest.raises((tl.errors.MalformedError, tl.errors.NotFoundError)) as raised:
            list(session.query("kernel.summary", run=VICTIM).rows())
    assert "tracelake check --repair" in str(raised.value)


@pytest.mark.slow
def test_commands_work_for_the_other_runs(corrupt_lake, profiles, tmp_path):
    damage, lake = corrupt_lake
    trace = str(profiles / name(0))
    commands = [
        ["runs"],
        ["query", "step.duration"],
        ["sql", COUNTS],
        STREAM,
        ["diagnose", name(7)],
        ["figure", "step_histogram", "-o", str(tmp_path / "figure.html")],
        ["ingest", trace, "--run", "new"],
        ["tag", name(1), "checked=yes"],
        ["rename", name(2), "renamed"],
        ["delete", name(3)],
        ["export", name(4), "-o", str(tmp_path / "trace.json")],
        ["upgrade"],
        ["vacuum", "--older-than", "0s"],
        ["compact"],
        ["export", "--delta"],
    ]
    if damage.name == "overwritten_data_file":
        # The file has the right size: a stream fails after it has returned rows of other runs.
        done = subprocess.run([*SHELL, str(lake), *STREAM], capture_output=True, text=True, check=False)
        assert (done.returncode, "tracelake check --repair" in done.stderr) == (4, True), done.stderr
        commands.remove(STREAM)
    warned, named = [], "bundle" if damage.lossless else VICTIM
    for words in commands:
        done = shell(lake, *words)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        warned.append(named in done.stderr)
    assert any(warned), "no command names the run"
    done = shell(lake, "check")
    assert (done.returncode, named in done.stdout) == (1, True), done.stdout


def test_repair_and_another_ingest_restore_all_rows(corrupt_lake, valid, profiles):
    damage, lake = corrupt_lake
    everything = {name(number) for number in range(RUNS)}
    with tl.open(valid(compacted=False, vacuumed=False)) as session:
        expected = answers(session, everything)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tl.open(lake) as session:
            repairs = list(session.repair().rows())
            assert repairs, "nothing was repaired"
            assert all(row["run"] in (VICTIM, None) for row in repairs)
            loss = any(row["loss"] for row in repairs)
            assert damage.lossless or loss or {row["action"] for row in repairs} == {"restored"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tl.open(lake) as session:
            assert not [row for row in session.check().rows() if row["loss"]]
            if loss:
                session.ingest(f"{profiles}/*.json", progress=False)
            assert answers(session, everything) == expected
            assert len(session.repair()) == 0


@pytest.mark.slow
def test_a_lake_on_s3_returns_the_other_runs_and_is_repaired(corrupt_lake, valid, profiles, s3):
    damage, lake = corrupt_lake
    others = {name(number) for number in range(RUNS - 1)}
    with tl.open(valid(compacted=False, vacuumed=False)) as session:
        expected, expected_all = answers(session, others), answers(session, {*others, VICTIM})
    address = s3.upload(lake, s3.bucket(), "lake")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with tl.open(address, options=s3.options) as session:
            assert answers(session, others) == expected
            named = "bundle" if damage.lossless else VICTIM
            assert any(named in str(warning.message) for warning in caught)
            repairs = list(session.repair().rows())
            assert repairs, "nothing was repaired"
            assert not session.faults()
            if any(row["loss"] for row in repairs):
                session.ingest(f"{profiles}/*.json", progress=False)
            assert not [row for row in session.check().rows() if row["loss"]]
            assert answers(session, {*others, VICTIM}) == expected_all


def test_delta_tables_exclude_the_corrupt_run(corrupt_lake):
    damage, lake = corrupt_lake
    if damage.name == "overwritten_data_file":
        pytest.skip("an export compares sizes and does not read rows")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        with tl.open(lake) as session:
            session.export_delta()
    runs = set(deltalake.DeltaTable(f"{lake}/event").to_pyarrow_table(columns=["run"])["run"].to_pylist())
    assert runs | {VICTIM} == {name(number) for number in range(RUNS)}
    assert (VICTIM in runs) == damage.lossless
    named = "bundle" if damage.lossless else VICTIM
    assert any(named in str(warning.message) for warning in caught)


def test_a_missing_file_of_many_runs_excludes_them_from_delta_tables(valid, tmp_path):
    lake = Path(shutil.copytree(valid(compacted=True, vacuumed=True), tmp_path / "lake"))
    with tl.open(lake) as session:
        session.delete(name(0))
        for file in (lake / "event").iterdir():
            file.unlink()
        with pytest.warns(UserWarning, match="is excluded"):
            tables = session.export_delta()
        assert {row["rows"] for row in tables.rows() if row["table"] in ("event", "step")} == {0}
        assert {fault["fault"] for fault in session.faults()} == {"missing"}


def test_a_fault_is_removed_when_its_run_is_valid_again(valid, profiles, tmp_path):
    lake = Path(shutil.copytree(valid(compacted=False, vacuumed=False), tmp_path / "lake"))
    Damage("missing_data_file").apply(lake)
    with tl.open(lake) as session:
        with pytest.warns(UserWarning, match=VICTIM):
            list(session.sql(COUNTS).rows())
        assert len(session.faults()) == 1
        session.delete(VICTIM)
        assert not session.faults()
        session.ingest(f"{profiles}/{VICTIM}", progress=False)
        manifest = Damage.manifest(lake)
        text = manifest.read_text()
        manifest.write_text(json.dumps(json.loads(text) | {"format": 999}))
        with pytest.warns(UserWarning, match="format 999"):
            session.refresh()
        assert [fault["fault"] for fault in session.faults()] == ["newer"]
        session.repair()
        assert [fault["fault"] for fault in session.faults()] == ["newer"]
        manifest.write_text(text)
        session.refresh()
        assert not session.faults()


def test_the_corrupt_run_can_be_deleted(corrupt_lake):
    _, lake = corrupt_lake
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with tl.open(lake) as session:
            list(session.sql(COUNTS).rows())
            session.delete(VICTIM)
            assert len(session.runs()) == RUNS - 1
        with tl.open(lake) as session:
            assert VICTIM not in {row["run"] for row in session.sql(COUNTS).rows()}


def test_an_incomplete_file_of_a_killed_writer_is_reported_and_vacuumed(valid, tmp_path):
    lake = Path(shutil.copytree(valid(compacted=False, vacuumed=False), tmp_path / "lake"))
    part = min((lake / "event").iterdir())
    partial = part.with_name(part.name + "#1")
    partial.write_bytes(b"PAR1 half of a file")
    with tl.open(lake) as session:
        (fault,) = session.check().rows()
        assert (fault["fault"], fault["loss"], fault["path"]) == ("unlisted", False, f"event/{partial.name}")
        assert [row["path"] for row in session.vacuum(dt.timedelta(0), dry_run=True).rows()] == [
            f"event/{partial.name}"
        ]
        (removed,) = session.vacuum(dt.timedelta(0)).rows()
        assert removed["kind"] == "unfinished"
        assert not partial.exists()
        assert len(session.check()) == 0


def test_corrupt_bytes_in_a_bundle_exclude_one_run(valid, profiles, tmp_path):
    lake = Path(shutil.copytree(valid(compacted=True, vacuumed=True), tmp_path / "lake"))
    (bundle,) = (lake / "_manifest/bundle").iterdir()
    text = bundle.read_bytes()
    offset = text.index(f'"run":"{name(10)}"'.encode()) + 60
    bundle.write_bytes(text[:offset] + b"\xff\xff}{" + text[offset + 4 :])
    others = {name(number) for number in range(RUNS) if number != 10}
    with pytest.warns(UserWarning, match=name(10)):
        session = tl.open(lake)
    with session:
        assert {row["run"] for row in session.runs().rows()} == others
        (repair,) = session.repair().rows()
        assert (repair["action"], repair["loss"], name(10) in repair["message"]) == ("rewritten", True, True)
        assert bundle.with_name(bundle.name + ".corrupt").exists()
        assert len(session.check()) == 0 or {row["fault"] for row in session.check().rows()} == {"unlisted"}
        session.ingest(f"{profiles}/{name(10)}", progress=False)
        assert {row["run"] for row in session.sql(COUNTS).rows()} == {*others, name(10)}


def test_vacuum_keeps_files_that_a_repair_needs(valid, tmp_path):
    lake = Path(shutil.copytree(valid(compacted=False, vacuumed=False), tmp_path / "lake"))
    (lake / "_manifest/checkpoint.parquet").unlink()
    with tl.open(lake) as session:
        expected = answers(session, {VICTIM})
        session.tag(VICTIM, {"checked": "yes"})
    Damage.manifest(lake).write_bytes(b"")
    with pytest.warns(UserWarning, match=VICTIM):
        session = tl.open(lake)
    with session:
        assert len(session.vacuum(dt.timedelta(0))) == 0
        (repair,) = session.repair().rows()
        assert (repair["action"], repair["run"]) == ("restored", VICTIM)
        assert answers(session, {VICTIM}) == expected


def test_a_lake_of_a_newer_format_is_refused_by_every_command(tmp_path, profile):
    lake = tmp_path / "lake"
    with tl.open(lake, create=True) as session:
        session.ingest(profile, run="job")
    (lake / "_manifest/lake.json").write_text('{"format": 99}\n')
    before = {path: path.stat().st_mtime_ns for path in lake.rglob("*")}
    commands = [
        ["ingest", str(profile)], ["runs"], ["sql", "select 1"], ["query", "step.duration"], ["table", "step"],
        ["figure", "step_timeline"], ["diagnose"], ["delete", "job"], ["rename", "job", "x"], ["tag", "job", "a=b"],
        ["check"], ["check", "--repair"], ["compact"], ["upgrade"], ["vacuum"], ["files", "step"],
        ["export", "--delta"], ["baseline", "list"],
    ]  # fmt: skip
    for command in commands:
        done = subprocess.run([*SHELL, str(lake), *command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (4, ""), command
        assert "it has format 99, this version reads 5" in done.stderr, command
    assert {path: path.stat().st_mtime_ns for path in lake.rglob("*")} == before


def test_a_corrupt_format_of_the_lake_is_repaired(tmp_path, profile):
    with tl.open(tmp_path / "lake", create=True) as session:
        session.ingest(profile, run="job")
        file = tmp_path / "lake/_manifest/lake.json"
        text = file.read_bytes()
        file.write_bytes(b"\x00" + text[1:])
        assert [(row["fault"], row["path"]) for row in session.check().rows()] == [("manifest", "_manifest/lake.json")]
        assert [row["action"] for row in session.repair().rows()] == ["rewritten"]
        assert file.read_bytes() == text
        assert len(session.check()) == 0
