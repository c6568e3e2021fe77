"""Base class of the objects that replace a loader in a training loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable

Batch = TypeVar("Batch")


class Forward(Generic[Batch]):
    """Forwards the attributes that it does not define itself, and the length, to its loader.

    Example:
        >>> tl.record.MonitoredDataLoader([[1, 2], [3, 4]]).count([3, 4])
        1
    """

    _loader: Iterable[Batch]

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute of the loader
        """Returns an attribute of the loader."""
        if name == "_loader":  # a copy has no attributes yet when `copy` or `pickle` looks for one
            raise AttributeError(name)
        return getattr(self._loader, name)

    def __len__(self) -> int:
        """Returns the number of batches of the loader."""
        return len(self._loader)  # type: ignore[arg-type] - a loader without a length raises
