"""The Python interface of smdebug's profiler over a lake: change `from smdebug.` to `from tracelake.smdebug.`.

Module paths, classes, methods, parameters, columns, units and printed text are those of smdebug 1.0.34; where that one
crashes, hangs, loses data or contradicts its own documentation, the answer here is another one, and docs/smdebug.md
lists every such place. Each profile is read once, into the default lake, and what is asked is computed there; this
package gives the answers their shape. It needs pandas, pyarrow and plotly: `pip install 'tracelake[smdebug]'`.
"""

from tracelake.smdebug import _libraries as _libraries
