"""A cluster of real processes: a scheduler and two executors on loopback, over a lake on a real S3 server."""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS / "python"), str(TESTS / "cluster")]

from processes import Cluster  # noqa: E402

from lake_under_test import Place, own_home  # noqa: E402
from s3_server import S3Server  # noqa: E402
from test_duckdb_views import profiles  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory):
    """No test touches the user's default lake, or sees the user's credentials."""
    with own_home(tmp_path_factory.mktemp("home")):
        yield


@pytest.fixture(scope="session")
def s3(tmp_path_factory):
    """A real S3 server."""
    with S3Server(tmp_path_factory.mktemp("s3")) as server:
        yield server


@pytest.fixture(scope="session")
def place(s3):
    """A lake on S3 with every profile of tests/data as a run."""
    place = Place(f"s3://{s3.bucket()}/lake", s3.options_without_proxy)
    with place.open(create=True) as session:
        for run, path in profiles():
            session.ingest(path, run=run, progress=False)
    return place


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    """A scheduler and two executors with one core each, shared by all tests."""
    with Cluster(tmp_path_factory.mktemp("cluster"), executors=2) as cluster:
        yield cluster


@pytest.fixture
def own_cluster(tmp_path):
    """A scheduler and two executors for one test."""
    with Cluster(tmp_path, executors=2) as cluster:
        yield cluster


@pytest.fixture(scope="session")
def here(place):
    """A session that runs queries in this process."""
    with place.open() as session:
        yield session


@pytest.fixture(scope="session")
def there(place, cluster):
    """A session that runs queries on the cluster."""
    with place.open(cluster=cluster.address) as session:
        yield session
