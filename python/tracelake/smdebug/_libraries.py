"""Imports the libraries for frames, or raises an error with the install command.

They are `Any` here, because none of them has types for a strict type checker.
"""

from typing import Any, TypeAlias

from tracelake.optional import needs

np: Any = needs("numpy", "smdebug", "use tracelake.smdebug")
pd: Any = needs("pandas", "smdebug", "use tracelake.smdebug")
pa: Any = needs("pyarrow", "smdebug", "use tracelake.smdebug")

DataFrame: TypeAlias = Any
Series: TypeAlias = Any
NDArray: TypeAlias = Any
"""Names for annotations: they inform the reader; the type checker sees `Any`."""

__all__ = ["DataFrame", "NDArray", "Series", "np", "pa", "pd"]
