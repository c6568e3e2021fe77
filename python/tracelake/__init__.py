"""tracelake makes ML training profiles queryable.

Diagnose a profile, from a local folder or straight from S3:

    >>> import tracelake as tl
    >>> tl.diagnose(profile, ephemeral=True).verdicts[0].run
    'first_look'

Or open it for queries:

    >>> s = tl.open(profile, ephemeral=True)
    >>> s.step.duration().columns[0]
    'run'
    >>> len(s.sql("select * from step where mode = 'eval'"))
    20

Results are frames (`to_pandas`, `to_polars`, `to_arrow`, or any reader of the Arrow C stream) and figures. There are no
runtime dependencies; the extras `pandas`, `polars`, `plotly` and `notebook` install the libraries for these results.
"""

import contextlib
import importlib
import sys
from typing import TYPE_CHECKING

from tracelake import errors, instant, optional
from tracelake._tracelake import version as __version__
from tracelake.diagnosis import Diagnosis, Finding
from tracelake.display import options
from tracelake.errors import TracelakeError
from tracelake.figures import Figure
from tracelake.frame import Frame
from tracelake.gates import Gate
from tracelake.reports import Report
from tracelake.self_trace import SelfTrace as self_trace  # noqa: N813 - begun like a function, used in `with`
from tracelake.session import Session, open  # noqa: A004 - `tracelake.open` reads as it is
from tracelake.shortcuts import compare, diagnose, figure, gate, query, report, sql

if TYPE_CHECKING:
    from tracelake import record
    from tracelake.extension import load_ipython_extension, unload_ipython_extension

__all__ = [
    "Diagnosis",
    "Figure",
    "Finding",
    "Frame",
    "Gate",
    "Report",
    "Session",
    "TracelakeError",
    "__version__",
    "compare",
    "diagnose",
    "errors",
    "figure",
    "gate",
    "instant",
    "load_ipython_extension",
    "open",
    "optional",
    "options",
    "query",
    "record",
    "report",
    "self_trace",
    "sql",
    "unload_ipython_extension",
]

# Most programs never use these modules. They take half of the total import time, so they are imported on first use.
_LATER = {
    "record": "tracelake.record",
    "load_ipython_extension": "tracelake.extension",
    "unload_ipython_extension": "tracelake.extension",
}


def __getattr__(name: str) -> object:
    """Imports a module of the package on first use and returns it, or its attribute `name`."""
    if name not in _LATER:
        text = f"module 'tracelake' has no attribute {name!r}"
        raise AttributeError(text, name=name, obj=sys.modules[__name__])
    module = importlib.import_module(_LATER[name])
    part = getattr(module, name, module)
    globals()[name] = part
    return part


def __dir__() -> list[str]:
    """Returns all names, including those of modules that are not imported yet."""
    return sorted({*globals(), *__all__})


def _load_extension() -> None:
    """Loads the extension of IPython (magics, completion, short tracebacks) if this process runs cells."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None or getattr(shell, "custom_exceptions", ()):
        return  # another extension shows the errors
    with contextlib.suppress(ImportError, AttributeError):  # IPython before 8.6
        importlib.import_module("tracelake.extension").load_ipython_extension(shell)


_load_extension()
