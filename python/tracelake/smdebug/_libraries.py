"""The libraries that frames are made of; without them, an error that says what to install.

They are `Any` here: none of them has types that a strict checker could follow.
"""

from typing import Any, TypeAlias

from tracelake.optional import needs

np: Any = needs("numpy", "smdebug", "use tracelake.smdebug")
pd: Any = needs("pandas", "smdebug", "use tracelake.smdebug")
pa: Any = needs("pyarrow", "smdebug", "use tracelake.smdebug")

DataFrame: TypeAlias = Any
Series: TypeAlias = Any
NDArray: TypeAlias = Any
"""For annotations: what a reader has to know, and a checker cannot."""

__all__ = ["DataFrame", "NDArray", "Series", "np", "pa", "pd"]
