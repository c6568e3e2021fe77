"""Defines the names that the examples of docstrings use.

`tl` is the package, `profile` the bundled profile, `s` a session over it, and `golden` the folder of the profiles made
by hand. `os`, `tempfile` and `time` are the modules.
"""

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tracelake

DATA = Path(__file__).parents[1] / "tests" / "data"
PROFILE = DATA / "first_look" / "profiler-output"
GOLDEN = DATA / "golden"


@pytest.fixture(scope="session", autouse=True)
def _names_of_the_docs(doctest_namespace: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, tracelake.open(PROFILE, ephemeral=True) as session:
        patch.setenv("TRACELAKE_HOME", str(tmp_path_factory.mktemp("home")))  # no example touches the user's lake
        doctest_namespace.update(tl=tracelake, profile=PROFILE, golden=GOLDEN, s=session)
        doctest_namespace.update(os=os, tempfile=tempfile, time=time)
        yield


SLOW = ("tracelake.diagnosis", "tracelake.reports")
"""Modules with slow examples, because they run diagnoses and reports."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the examples of these modules as slow."""
    for item in items:
        if isinstance(item, pytest.DoctestItem) and item.name.startswith(SLOW):
            item.add_marker(pytest.mark.slow)
