"""Modules of a crate have no cyclic dependencies."""

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CRATES = [ROOT / "src", *sorted(ROOT.glob("crates/*/src"))]
PATH = re.compile(r"\b(?P<start>(?:super::)+|crate::|self::)(?P<names>\{[^;]*?\}|[\w:]+)")


def modules(crate):
    """Returns the files of a crate by module: `nsys/column.rs` is ("nsys", "column"), `nsys/mod.rs` is ("nsys",)."""
    files_by_module = {}
    for file in crate.rglob("*.rs"):
        module = file.relative_to(crate).with_suffix("").parts
        files_by_module[module[:-1] if module[-1] in ("mod", "lib", "main") else module] = file
    return files_by_module


def used_modules(module, text, modules):
    """Yields the modules that the text of a module uses. A module may use its parents, and re-export names."""
    text = re.sub(r"//.*|\bpub use crate::[^;]*;", "", text.split("#[cfg(test)]\nmod tests")[0])
    for path in PATH.finditer(text):
        ups = path["start"].count("super")
        start = module[: len(module) - ups] if ups else module if path["start"] == "self::" else ()
        for name in re.findall(r"[\w:]+", path["names"]):
            whole = (*start, *name.split("::"))
            longest = next((whole[:n] for n in range(len(whole), 0, -1) if whole[:n] in modules), None)
            if longest and longest != module[: len(longest)]:
                yield longest


def graph(files):
    return {module: set(used_modules(module, file.read_text(), files)) for module, file in files.items()}


@pytest.mark.parametrize("crate", CRATES, ids=lambda crate: str(crate.relative_to(ROOT)))
def test_modules_of_a_crate_use_each_other_in_one_direction(crate):
    uses = graph(modules(crate))
    assert uses
    try:
        TopologicalSorter(uses).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join("::".join(module) for module in error.args[1]))


def test_a_cycle_is_found(tmp_path):
    files = {"a.rs": "use super::b::X;", "b.rs": "use crate::c;", "c.rs": "use super::{a, d};", "d.rs": ""}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(CycleError):
        TopologicalSorter(graph(modules(tmp_path))).prepare()
    (tmp_path / "c.rs").write_text("use super::d;\n#[cfg(test)]\nmod tests { use super::a; }")
    TopologicalSorter(graph(modules(tmp_path))).prepare()
