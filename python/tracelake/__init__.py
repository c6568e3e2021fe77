"""tracelake makes ML training profiles queryable.

Open a profile, from a local folder or straight from S3, and ask:

    >>> import tracelake as tl
    >>> s = tl.open(profile, ephemeral=True)
    >>> s.step.duration().columns[0]
    'run'
    >>> len(s.sql("select * from step where mode = 'eval'"))
    20

Answers are frames (`to_pandas`, `to_polars`, `to_arrow`, or any reader of the Arrow C stream) and figures. There is no
runtime dependency; the extras `pandas`, `polars`, `plotly` and `notebook` bring what you want to hand answers to.
"""

from tracelake import errors, instant, optional, record
from tracelake._tracelake import version as __version__
from tracelake.diagnosis import Diagnosis, Finding
from tracelake.display import options
from tracelake.errors import TracelakeError
from tracelake.extension import load_ipython_extension, unload_ipython_extension
from tracelake.figure import Figure
from tracelake.frame import Frame
from tracelake.gate import Gate
from tracelake.own_profile import OwnProfile as own_profile  # noqa: N813 - begun like a function, used in `with`
from tracelake.report import Report
from tracelake.session import Session, open  # noqa: A004 - `tracelake.open` reads as it is

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
    "errors",
    "instant",
    "load_ipython_extension",
    "open",
    "optional",
    "options",
    "own_profile",
    "record",
    "unload_ipython_extension",
]
