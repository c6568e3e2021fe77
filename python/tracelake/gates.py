"""A gate for CI: the results of rules for runs, compared with a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracelake.frame import Frame

if TYPE_CHECKING:
    from tracelake import _tracelake

__all__ = ["Gate"]


class Gate:
    """The results of a gate, one for each limit of a rule.

    Example:
        >>> gate = s.gate("first_look", baseline="first_look", max_regression=1.02)
        >>> gate.passed
        True
    """

    __slots__ = ("_native",)

    def __init__(self, native: _tracelake.Gate) -> None:
        """Wraps the native gate; users get one from `Session.gate`."""
        self._native = native

    def __repr__(self) -> str:
        """Returns the results as text: one line per limit, and a summary line."""
        return self._native.text()

    def _repr_html_(self) -> str:
        return self._native.html()

    @property
    def passed(self) -> bool:
        """True if all limits are met.

        Example:
            >>> s.gate("first_look", max_loader_ratio=0.0).passed
            False
        """
        return self._native.passed

    @property
    def candidate(self) -> list[str]:
        """The runs that were checked.

        Example:
            >>> s.gate("first_*", max_loader_ratio=1.0).candidate
            ['first_look']
        """
        return self._native.candidate

    @property
    def baseline(self) -> list[str]:
        """The runs that the candidate was compared with; empty without a baseline.

        Example:
            >>> s.gate("first_look", max_loader_ratio=1.0).baseline
            []
        """
        return self._native.baseline

    @property
    def rows(self) -> Frame:
        """The results as rows: rule, outcome, sentence, the values of both sides and the interval of their ratio.

        Example:
            >>> gate = s.gate("first_look", baseline="first_look", max_regression=1.02)
            >>> [(row["rule"], row["outcome"]) for row in gate.rows.rows()]
            [('median step', 'pass')]
        """
        return Frame(self._native.frame())

    def to_text(self) -> str:
        """Returns one line per limit, and a summary line.

        Example:
            >>> s.gate("first_look", max_loader_ratio=1.0).to_text().splitlines()[-1]
            'pass: first_look against no baseline, 1 of 1 limits met'
        """
        return self._native.text()

    def to_markdown(self) -> str:
        """Returns a Markdown section for the summary of a CI job, or for a comment.

        Example:
            >>> s.gate("first_look", max_loader_ratio=1.0).to_markdown().splitlines()[0]
            '### tracelake gate'
        """
        return self._native.markdown()

    def to_junit(self) -> str:
        """Returns JUnit XML with a test case for each limit.

        Example:
            >>> "<testcase" in s.gate("first_look", max_loader_ratio=1.0).to_junit()
            True
        """
        return self._native.junit()

    def to_json(self) -> str:
        """Returns all results as one JSON object.

        Example:
            >>> import json
            >>> json.loads(s.gate("first_look", max_loader_ratio=1.0).to_json())["passed"]
            True
        """
        return self._native.json()
