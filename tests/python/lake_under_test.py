"""A lake under test: where it is, its runs, and what it has lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

import tracelake as tl


class Place(NamedTuple):
    """The address of a lake, and the options of its store."""

    url: str
    options: dict[str, str]

    def open(self, **arguments) -> tl.Session:
        """A session; the arguments are those of `tracelake.open`."""
        return tl.open(self.url, options=self.options, **arguments)

    def variables(self) -> dict[str, str]:
        """The options by the names that AWS's own tools have for them."""
        names = {"endpoint": "AWS_ENDPOINT_URL"}
        return {names.get(name, f"AWS_{name.upper()}"): value for name, value in self.options.items()}

    def environment(self) -> dict[str, str]:
        """The environment in which the shell finds it."""
        return {**os.environ, **self.variables()}


def runs_of(session: tl.Session) -> list[str]:
    """The names of its runs."""
    return [row["run"] for row in session.runs().rows()]


def losses(session: tl.Session) -> list[dict[str, object]]:
    """What the check finds of rows that are gone."""
    return [row for row in session.check().rows() if row["loss"]]


@contextmanager
def own_home(folder: Path) -> Iterator[None]:
    """The default lake is in this folder meanwhile, and nobody sees the user's credentials."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACELAKE_HOME", str(folder))
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name in ("CONFIG_FILE", "SHARED_CREDENTIALS_FILE"):
            patch.setenv(f"AWS_{name}", str(folder / "no-such-file"))
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield
