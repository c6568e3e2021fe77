"""What `import tracelake` brings, and what comes when somebody asks for it."""

import subprocess
import sys

import pytest

import tracelake as tl


def said(program):
    """What a new Python prints."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout.strip()


def test_what_most_programs_never_use_is_imported_later():
    later = "('tracelake.record', 'tracelake.extension', 'multiprocessing')"
    assert said(f"import sys, tracelake; print([name for name in {later} if name in sys.modules])") == "[]"
    assert said("import tracelake; print(tracelake.record.LoaderProfiler.__name__)") == "LoaderProfiler"
    assert said("from tracelake import record; print(record.__name__)") == "tracelake.record"
    assert said("from tracelake import *; print(record.__name__, load_ipython_extension.__module__)") == (
        "tracelake.record tracelake.extension"
    )
    assert said("import tracelake; print(hasattr(tracelake, 'load_ipython_extension'))") == "True"


def test_all_names_are_listed_before_they_are_asked_for():
    assert set(tl.__all__) <= set(dir(tl))
    assert said("import tracelake; print(set(tracelake.__all__) <= set(dir(tracelake)))") == "True"


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'tracelake' has no attribute 'recorder'"):
        tl.recorder  # noqa: B018 - the error is asked for
