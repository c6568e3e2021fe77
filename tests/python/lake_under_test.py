"""A lake under test: its location, its runs, and its lost rows."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

import tracelake as tl


class LakeLocation(NamedTuple):
    """The URL of a lake, and the options of its store."""

    url: str
    options: dict[str, str]

    def open(self, **arguments) -> tl.Session:
        """Opens a session; the arguments are those of `tracelake.open`."""
        return tl.open(self.url, options=self.options, **arguments)

    def variables(self) -> dict[str, str]:
        """Returns the options with the names of AWS's tools."""
        names = {"endpoint": "AWS_ENDPOINT_URL"}
        return {names.get(name, f"AWS_{name.upper()}"): value for name, value in self.options.items()}

    def environment(self) -> dict[str, str]:
        """Returns the environment variables with which the shell finds the lake."""
        return {**os.environ, **self.variables()}


def runs_of(session: tl.Session) -> list[str]:
    """Returns the names of its runs."""
    return [row["run"] for row in session.runs().rows()]


def losses(session: tl.Session) -> list[dict[str, object]]:
    """Returns the faults with lost rows."""
    return [row for row in session.check().rows() if row["loss"]]


@contextmanager
def isolate_home(folder: Path) -> Iterator[None]:
    """Uses a default lake in this folder, without the user's credentials."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACELAKE_HOME", str(folder))
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        for name in ("CONFIG_FILE", "SHARED_CREDENTIALS_FILE"):
            patch.setenv(f"AWS_{name}", str(folder / "no-such-file"))
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        yield
