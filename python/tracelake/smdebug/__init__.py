"""The Python interface of smdebug's profiler over a lake: change `from smdebug.` to `from tracelake.smdebug.`.

Module paths, classes, methods, parameters, columns, units and printed text are those of smdebug 1.0.34. Where smdebug
crashes, hangs, loses data or contradicts its own documentation, the result here differs; docs/smdebug.md lists every
difference. Each profile is read once, into the default lake, and queries run there. This package converts the results
to smdebug's form. It needs pandas, pyarrow and plotly: `pip install 'tracelake[smdebug]'`.
"""

from tracelake.smdebug import _libraries as _libraries
