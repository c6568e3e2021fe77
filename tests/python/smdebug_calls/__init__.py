"""The calls behind the files of smdebug's oracle, made through `tracelake.smdebug`: a module per part of the layer.

A module has `CALLS`, which says for the name of an oracle file what the layer gives for a profile's path. What the
plain rules of `test_smdebug_oracle.py` cannot compare is compared by its `compare(file, expected, result)`. For files
that docs/smdebug.md names, because ours differ on purpose, `corrected(file, expected, result)` says what still holds.
A call that raised in the original has the name that `_errors.json` gives it, or that of its file in another profile.
"""

import contextlib
import io
import json


def printed(call) -> str:
    """What a call printed."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        call()
    return text.getvalue()


def content(path):
    """The content of a JSON file."""
    return json.loads(path.read_text())
