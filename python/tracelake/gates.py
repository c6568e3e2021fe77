"""The result of a gate for CI: whether runs are within the limits of rules, absolute or relative to a baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tracelake.frame import Frame

if TYPE_CHECKING:
    from tracelake import _tracelake

__all__ = ["Gate"]


class Gate:
    """The result of a gate: one verdict for each limit of each rule.

    A rule computes one number per run from the rows of a query. A limit bounds this number or its ratio to the
    baseline.

    Example:
        >>> gate = s.gate("first_look", baseline="first_look", max_regression=1.1)
        >>> gate.passed
        True
    """

    __slots__ = ("_native",)

    def __init__(self, native: _tracelake.Gate) -> None:
        """Wraps the native gate; users call `Session.gate` instead."""
        self._native = native

    def __repr__(self) -> str:
        """Returns the verdicts as text: one line per limit, and a summary line."""
        return self._native.text()

    def _repr_html_(self) -> str:
        return self._native.html()

    @property
    def passed(self) -> bool:
        """True if all limits pass, or if the gate accepts those that are inconclusive or have no data.

        Example:
            >>> s.gate("first_look", max_loader_ratio=0.0).passed
            False
        """
        return self._native.passed

    @property
    def outcome(self) -> str:
        """The outcome of all limits together: `pass`, `fail`, `inconclusive` or `no_data`.

        A limit on a ratio is inconclusive if the confidence interval of the ratio contains it.

        Example:
            >>> s.gate("first_look", max_loader_ratio=0.0).outcome
            'fail'
        """
        return self._native.outcome

    @property
    def exit_code(self) -> int:
        """The exit code of `tracelake gate`.

        0 for pass, 1 for fail, and 6 for inconclusive or no data unless `inconclusive` says otherwise.

        Example:
            >>> s.gate("first_look", max_loader_ratio=0.0).exit_code
            1
        """
        return self._native.exit_code

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
        """The verdicts as rows, one per limit.

        The main columns are `rule`, `outcome`, `sentence`, the values `a` (baseline) and `b` (candidate), their
        `ratio`, and `low` and `high`, the confidence interval of the ratio.

        Example:
            >>> gate = s.gate("first_look", baseline="first_look", max_regression=1.1)
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
        """Returns the result with all verdicts as one JSON object.

        Example:
            >>> import json
            >>> json.loads(s.gate("first_look", max_loader_ratio=1.0).to_json())["passed"]
            True
        """
        return self._native.json()
