"""Imports: names of `import tracelake`, and lazily imported modules."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import tracelake as tl


def output_of(program):
    """Returns the output of a new Python process."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def test_rarely_used_modules_are_imported_on_first_use():
    later = "('tracelake.record', 'tracelake.extension', 'multiprocessing')"
    assert output_of(f"import sys, tracelake; print([name for name in {later} if name in sys.modules])") == "[]"
    assert output_of("import tracelake; print(tracelake.record.LoaderProfiler.__name__)") == "LoaderProfiler"
    assert output_of("from tracelake import record; print(record.__name__)") == "tracelake.record"
    assert output_of("from tracelake import *; print(record.__name__, load_ipython_extension.__module__)") == (
        "tracelake.record tracelake.extension"
    )
    assert output_of("import tracelake; print(hasattr(tracelake, 'load_ipython_extension'))") == "True"


def test_all_names_are_listed_before_their_import():
    assert set(tl.__all__) <= set(dir(tl))
    assert output_of("import tracelake; print(set(tracelake.__all__) <= set(dir(tracelake)))") == "True"


def test_a_missing_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tracelake' has no attribute 'recorder'"):
        tl.recorder  # noqa: B018 - the expression raises the error


ORDER = ["argument", "clock", "output", "hardware", "loader", "tuning", "program", "lightning", "recorder"]
"""Modules and packages of `tracelake.record`; each imports only earlier ones."""
SEPARATE = ("tuning", "program")
"""Packages that do not import each other."""


def imported_modules(path):
    """Yields the modules and packages of `tracelake.record` that a module imports, including imports for types."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tracelake.record"):
            inner = node.module.split(".")[2:3]
            yield from inner or [alias.name for alias in node.names]


def test_packages_of_the_recorders_import_in_one_direction():
    top = Path(tl.record.__file__).parent
    modules = {path.relative_to(top).parts[0].removesuffix(".py") for path in top.rglob("*.py")}
    assert {name for name in modules if not name.startswith("__")} == set(ORDER)
    for path in top.rglob("*.py"):
        owner = path.relative_to(top).parts[0].removesuffix(".py")
        if owner not in ORDER:  # the package itself, and its command
            continue
        for other in imported_modules(path):
            assert ORDER.index(other) <= ORDER.index(owner), f"{path.relative_to(top)} imports {other}"
            assert not (owner != other and {owner, other} == set(SEPARATE)), f"{path.relative_to(top)} imports {other}"


def test_an_import_creates_no_family_class():
    """The classes come from the headers of all queries, which are slow to read; the first session or use needs them."""
    assert output_of("from tracelake import queries; print(queries.family_class.cache_info().currsize)") == "0"
    assert output_of("from tracelake import queries; print(queries.Step.outliers.__name__)") == "outliers"
