"""The native module, its stub, the wrappers and the methods of the queries agree."""

import ast
import inspect
import keyword
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tracelake as tl
from tracelake import _tracelake as native

STUB = ast.parse(Path(tl.__file__).with_name("_tracelake.pyi").read_text())
PROFILE = Path(__file__).parents[1] / "data" / "first_look" / "profiler-output"
PLAIN = {"__len__", "__arrow_c_stream__", "__arrow_c_schema__"}
# methods with other names in a wrapper than in the native class
RENAMED = {
    ("Frame", "text"): "__repr__",
    ("Frame", "slice"): "head",
    ("Frame", "select"): "__getitem__",
    ("Frame", "ipc"): "__reduce__",
    ("Frame", "from_ipc"): "__reduce__",
    ("Frame", "html"): "_repr_html_",
    ("Session", "html"): "_repr_html_",
    ("Session", "title"): "__repr__",
    ("Frame", "csv"): "to_csv",
    ("Frame", "stream"): "to_arrow",
    ("Frame", "write_csv"): "to_csv",
    ("Figure", "json"): "to_json",
    ("Figure", "html"): "_repr_mimebundle_",
    ("Figure", "notebook_json"): "_repr_mimebundle_",
    ("Figure", "svg"): "_repr_mimebundle_",
    ("Figure", "page"): "to_html",
    ("Figure", "picture"): "save",
}
TYPES = {
    "bigint": "int",
    "double": "float",
    "text": "str",
    "boolean": "bool",
    "text[]": "list[str] | tuple[str, ...]",
    "bigint[]": "list[int] | tuple[int, ...]",
    "double[]": "list[float] | tuple[float, ...]",
}


def public(thing):
    return {name for name in vars(thing) if not name.startswith("_") or name in PLAIN}


def classes():
    return {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def functions(body):
    """Returns the methods of a class without its constructor, which only stubtest compares."""
    return {node.name: node for node in body if isinstance(node, ast.FunctionDef) and node.name != "__new__"}


def declared():
    """Returns every function and method of the stub, by qualified name."""
    result = dict(functions(STUB.body))
    for name, node in classes().items():
        result.update({f"{name}.{method}": function for method, function in functions(node.body).items()})
    return result


def test_the_stub_has_the_names_of_the_module():
    variables = {node.target.id for node in STUB.body if isinstance(node, ast.AnnAssign)} - {"_Names"}
    assert public(native) == set(classes()) | set(functions(STUB.body)) | variables
    for name, node in classes().items():
        assert public(getattr(native, name)) == set(functions(node.body)), name


@pytest.mark.parametrize("name", [name for name in declared() if "__len__" not in name])
def test_the_stub_has_the_signatures_of_the_module(name):
    node = declared()[name]
    thing = native
    for part in name.split("."):
        thing = getattr(thing, part)
    if any(isinstance(decorator, ast.Name) and decorator.id == "property" for decorator in node.decorator_list):
        assert not callable(thing), name
        return
    real = inspect.signature(thing).parameters.values()
    optional = len(node.args.defaults)
    names = [argument.arg for argument in node.args.args]
    assert [parameter.name for parameter in real] == names
    assert sum(parameter.default is not inspect.Parameter.empty for parameter in real) == optional


@pytest.mark.parametrize("name", ["Session", "Frame", "Figure"])
def test_every_native_method_is_wrapped(name):
    wrapper = getattr(tl, name)
    for method in public(getattr(native, name)):
        assert hasattr(wrapper, RENAMED.get((name, method), method)), f"{name}.{method}"


def test_native_classes_cannot_be_instantiated():
    for name in classes():
        with pytest.raises(TypeError):
            getattr(native, name)()


@pytest.mark.slow
def test_stubtest_accepts_the_stubs():
    pytest.importorskip("mypy")
    modules = ["tracelake._tracelake", "tracelake.queries"]
    command = [sys.executable, "-m", "mypy.stubtest", "--mypy-config-file", "pyproject.toml", *modules]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(tl.__file__).parents[1])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_version_is_the_version_of_the_module():
    assert tl.__version__ == native.version
    assert re.fullmatch(r"\d+\.\d+\.\d+.*", tl.__version__)


def test_public_names_have_docs_with_an_example():
    for wrapper in (tl.Session, tl.Frame, tl.Figure):
        for name in [name for name in vars(wrapper) if not name.startswith("_")]:
            thing = inspect.getdoc(getattr(wrapper, name))
            assert thing, name
            assert ">>>" in thing, name


@pytest.mark.parametrize("query", native.help_queries(), ids=lambda query: query["name"])
def test_every_query_is_a_method_with_docs(s, query):
    family, name = query["name"].split(".")
    method = getattr(getattr(s, family), name)
    parameters = inspect.signature(method).parameters
    assert list(parameters) == ["run", *(parameter["name"] for parameter in query["params"])]
    assert parameters["run"].default is None
    for declared_parameter in query["params"]:
        parameter = parameters[declared_parameter["name"]]
        assert parameter.kind is inspect.Parameter.KEYWORD_ONLY
        assert parameter.annotation.removesuffix(" | None") == TYPES[declared_parameter["type"]]
        assert not keyword.iskeyword(declared_parameter["name"])
    assert not keyword.iskeyword(name)
    doc = inspect.getdoc(method)
    assert doc.startswith(query["question"])
    for column in query["columns"]:
        assert f"- `{column['name']}` ({column['type']}, {column['unit']}): " in doc


@pytest.mark.parametrize("query", native.help_queries(), ids=lambda query: query["name"])
def test_every_query_returns_the_declared_columns(s, query):
    frame = s.query(query["name"])
    assert frame.columns == [column["name"] for column in query["columns"]]
    assert frame.types == {column["name"]: column["type"] for column in query["columns"]}
    assert frame.units == {column["name"]: column["unit"] for column in query["columns"]}
    assert len(frame.to_pandas()) == len(frame)


def test_a_saved_query_can_have_parameters_that_python_cannot_name_or_compute():
    header = """-- Which runs are there?
--
-- param class bigint = 7 a word of Python
-- param third double = 1/3 an expression
-- param flags boolean[] = [true, null] a list
--
-- column run text id name of the run
-- needs run
-- order run
SELECT run FROM run WHERE $class = 8 AND $third < 1 AND $flags[1]"""
    with tl.open(PROFILE, ephemeral=True) as session:
        session.save_query("odd", header)
        assert len(session.saved.odd(**{"class": 8}).to_pandas()) == 1
        assert len(session.saved.odd().to_pandas()) == 0
        doc = session.saved.odd.__doc__
    assert "class: A word of Python. Default: 7." in doc
    assert "flags: A list. Default: (True, None)." in doc


def test_list_parameters_must_be_ordered(s):
    edges = [0.0, 50.0, 100.0]
    expected = s.utilization.buckets(edges=edges).to_csv()
    for same in (tuple(edges), np.array(edges), pd.Series(edges), pa.array(edges)):
        assert s.utilization.buckets(edges=same).to_csv() == expected
    for other in (set(edges), dict.fromkeys(edges), b"abc", pd.DataFrame({"edges": edges})):
        with pytest.raises(tl.errors.ArgumentError, match="expected bool, int, float, str"):
            s.utilization.buckets(edges=other)
