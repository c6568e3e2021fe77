"""The version is the same everywhere, and packages have the intended files."""

import re

import pytest

import tracelake
from doc_blocks import ROOT

tomllib = pytest.importorskip("tomllib")


def manifest(path):
    return tomllib.loads((ROOT / path).read_text(encoding="utf-8"))


def test_each_crate_with_its_own_profile_is_locked():
    """Cargo only warns about unlocked crates."""
    lock = {f"{one['name']}@{one['version']}" for one in manifest("Cargo.lock")["package"]}
    names = lock | {name.partition("@")[0] for name in lock}
    assert set(manifest("Cargo.toml")["profile"]["dev"]["package"]) - {"*"} <= names


def test_the_version_is_one():
    workspace = manifest("Cargo.toml")["workspace"]
    version = workspace["package"]["version"]
    dependencies = workspace["dependencies"].items()
    assert {one["version"] for name, one in dependencies if name.startswith("tracelake-")} == {version}
    assert tracelake.__version__ == version
    assert manifest("notebooks/jupyter/shim/Cargo.toml")["package"]["version"] == version
    sections = re.findall(r"^## (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert sections[0] == version
