"""A gate for CI: what rules say about runs, held against a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracelake.frame import Frame

if TYPE_CHECKING:
    from tracelake import _tracelake

__all__ = ["Gate"]


class Gate:
    """The verdicts of a gate, one for each limit of a rule.

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
        """The verdicts as short text: one line each, and how it went."""
        return self._native.text()

    def _repr_html_(self) -> str:
        return self._native.html()

    @property
    def passed(self) -> bool:
        """Whether all limits hold.

        Example:
            >>> s.gate("first_look", max_load_ratio=0.0).passed
            False
        """
        return self._native.passed

    @property
    def candidate(self) -> list[str]:
        """The runs that were judged.

        Example:
            >>> s.gate("first_*", max_load_ratio=1.0).candidate
            ['first_look']
        """
        return self._native.candidate

    @property
    def baseline(self) -> list[str]:
        """The runs that they were held against; empty without a baseline.

        Example:
            >>> s.gate("first_look", max_load_ratio=1.0).baseline
            []
        """
        return self._native.baseline

    @property
    def rows(self) -> Frame:
        """The verdicts as rows: rule, outcome, sentence, the values of both sides and the interval of their ratio.

        Example:
            >>> gate = s.gate("first_look", baseline="first_look", max_regression=1.02)
            >>> [(row["rule"], row["outcome"]) for row in gate.rows.rows()]
            [('median step', 'pass')]
        """
        return Frame(self._native.frame())

    def to_text(self) -> str:
        """One line for each limit, and how it went.

        Example:
            >>> s.gate("first_look", max_load_ratio=1.0).to_text().splitlines()[-1]
            'pass: first_look against no baseline, 1 of 1 limits met'
        """
        return self._native.text()

    def to_markdown(self) -> str:
        """A section for the summary of a job, or a comment.

        Example:
            >>> s.gate("first_look", max_load_ratio=1.0).to_markdown().splitlines()[0]
            '### tracelake gate'
        """
        return self._native.markdown()

    def to_junit(self) -> str:
        """JUnit XML, a test case for each limit.

        Example:
            >>> "<testcase" in s.gate("first_look", max_load_ratio=1.0).to_junit()
            True
        """
        return self._native.junit()

    def to_json(self) -> str:
        """All of it as one JSON object.

        Example:
            >>> import json
            >>> json.loads(s.gate("first_look", max_load_ratio=1.0).to_json())["passed"]
            True
        """
        return self._native.json()
