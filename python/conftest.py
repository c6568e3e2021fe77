"""Names that the examples of the docs use: `tl`, `profile`, and `s`, a session over the bundled profile."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import tracelake

PROFILE = Path(__file__).parents[1] / "tests" / "data" / "first_look" / "profiler-output"


@pytest.fixture(scope="session", autouse=True)
def _names_of_the_docs(doctest_namespace: dict[str, Any]) -> Iterator[None]:
    with tracelake.open(PROFILE, ephemeral=True) as session:
        doctest_namespace.update(tl=tracelake, profile=PROFILE, s=session)
        yield
