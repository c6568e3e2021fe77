"""The calls behind the files of smdebug's oracle, made through `tracelake.smdebug`: a module per part of the layer.

A module has `CALLS`: for the name of an oracle file, a function from the path of a profile to the layer's result. If
the plain rules of `test_smdebug_oracle.py` cannot compare a result, its `compare(file, expected, result)` does. For
files that docs/smdebug.md names, because ours differ on purpose, `corrected(file, expected, result)` checks what still
holds. A call that raised in the original has the name that `_errors.json` gives it, or the name of its file in another
profile.
"""

import contextlib
import io
import json


def captured_output(call) -> str:
    """Returns the printed text of a call."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        call()
    return text.getvalue()


def content(path):
    """Returns the content of a JSON file."""
    return json.loads(path.read_text())
