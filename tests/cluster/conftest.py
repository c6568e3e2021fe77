"""A cluster of real processes: a scheduler and two executors on loopback, over a lake on a real S3 server."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "python"), str(TESTS / "cluster")]

from processes import Cluster  # noqa: E402

from lake_under_test import LakeLocation, isolate_home  # noqa: E402
from s3_server import S3Server  # noqa: E402
from test_duckdb_views import profiles  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory):
    """No test touches the user's default lake, or sees the user's credentials."""
    with isolate_home(tmp_path_factory.mktemp("home")):
        yield


@pytest.fixture(scope="session")
def s3(tmp_path_factory):
    """A real S3 server."""
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def lake_location(s3):
    """A lake on S3 with every profile of tests/data as a run."""
    lake_location = LakeLocation(f"s3://{s3.bucket()}/lake", s3.options_without_proxy)
    with lake_location.open(create=True) as session:
        for run, path in profiles():
            session.ingest(path, run=run, progress=False)
    return lake_location


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A scheduler and two executors with one core each, shared by all tests."""
    with Cluster(tmp_path_factory.mktemp("cluster"), executors=2) as cluster:
        yield cluster


@pytest.fixture
def new_cluster(tmp_path):
    """A scheduler and two executors for one test."""
    with Cluster(tmp_path, executors=2) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def local(lake_location):
    """A session that runs queries in this process."""
    with lake_location.open() as session:
        yield session


@pytest.fixture(scope="session")
def distributed(lake_location, cluster):
    """A session that runs queries on the cluster."""
    with lake_location.open(cluster=cluster.address) as session:
        yield session
