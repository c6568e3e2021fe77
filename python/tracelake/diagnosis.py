"""The result of a diagnosis: a verdict for each run, and findings with their evidence."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tracelake.errors import ArgumentError, NotFoundError
from tracelake.frame import Frame, text_rows

if TYPE_CHECKING:
    from tracelake import _tracelake
    from tracelake.session import Session

__all__ = ["DecisionTree", "Diagnosis", "Finding", "Thresholds", "Verdict", "toml"]

Thresholds = Mapping[str, Mapping[str, float | str | bool]] | str | os.PathLike[str] | None
"""Parameters of findings: a dict of dicts, the path of a TOML file, or None for the defaults."""

STYLES = {"holds": "font-weight:bold", "unknown": "color:#9a5b00", "not": "color:gray"}
"""CSS style of a line of the tree, by its mark."""


@dataclass(frozen=True)
class Verdict:
    """What limits the speed of a run, in one line (query `job.verdict`).

    Example:
        >>> s.diagnose().verdicts[0].run
        'first_look'
    """

    run: str
    """Name of the run."""
    verdict: str
    """input-bound, compute-bound, communication-bound, host-bound, mixed or no_data."""
    sentence: str
    """The reason, with the numbers that decided."""
    missing_data: str | None
    """What to record for the checks without data, in one line; None if all had data."""

    def __str__(self) -> str:
        """Returns the verdict and its reason."""
        return f"{self.verdict}: {self.sentence}"


@dataclass(frozen=True)
class Finding:
    """One finding of a run: a row of table `diagnosis`.

    Example:
        >>> finding = s.diagnose()["load_share_high"]
        >>> finding.threshold_source
        "0.05 notice (TensorBoard plugin, XProf); 0.2 warning (XProf); 0.3 critical (PyTorch's tutorial)"
    """

    run: str
    """Name of the run."""
    id: str
    """Name of the finding; `s.finding.<id>()` is its query."""
    outcome: str
    """found, passed or no_data."""
    severity: str | None
    """notice, warning or critical; None unless found."""
    confidence: str | None
    """low below 20 steps, medium below 100, else high; None when there is no data."""
    sentence: str
    """What was found, why the check passed, or what data is missing and how to record it."""
    value: float | None
    """The measured value that was checked."""
    threshold: float | None
    """The limit that the value was compared with."""
    threshold_source: str
    """Source of the limits."""
    steps: int | None
    """Number of steps, batches or samples behind the finding."""
    potential_saving: int | None
    """Upper bound of the time that a fix can save, ns."""
    saving_ratio: float | None
    """The potential saving over the time that it is a part of."""
    cause: str
    """The cause of the problem."""
    explained_by: str | None
    """The finding of the same run that explains this one."""
    recommendation: str | None
    """How to fix the problem. None unless found, if another finding explains it, or if it can save at most 5 % of the
    time."""
    queries: list[str]
    """Canned queries that return the evidence."""
    _html: str = field(repr=False, compare=False)
    _session: Session = field(repr=False, compare=False)

    @property
    def evidence(self) -> dict[str, Frame]:
        """The rows behind the finding: the result of each of `queries` for the run.

        Example:
            >>> list(s.diagnose()["load_share_high"].evidence)
            ['loader.share', 'step.loader_share']
        """
        return {name: self._session.query(name, run=self.run) for name in self.queries}

    def __str__(self) -> str:
        """Returns the sentence, with its severity."""
        return f"{self.severity}: {self.sentence}" if self.severity else self.sentence

    def _repr_html_(self) -> str:
        return self._html


class Diagnosis:
    """All findings of one or more runs; a notebook shows those with outcome `found`.

    Example:
        >>> diagnosis = s.diagnose()
        >>> {finding.outcome for finding in diagnosis} <= {"found", "passed", "no_data"}
        True
        >>> diagnosis.frame.columns[:3]
        ['run', 'id', 'outcome']
    """

    def __init__(  # noqa: PLR0913, PLR0917 - the engine's result
        self,
        session: Session,
        text: str,
        page: str,
        verdicts: list[tuple[str, str, str, str | None]],
        findings: list[dict[str, Any]],
        frame: _tracelake.Frame,
    ) -> None:
        """Wraps the engine's result; users get diagnoses from a session."""
        self._session = session
        self._text = text
        self._html = page
        self.verdicts = [Verdict(*verdict) for verdict in verdicts]
        """The verdict of each run."""
        self.findings = [Finding(**finding, _session=session) for finding in findings]
        """All findings: `found`, then `no_data`, then `passed`.

        Of those found, critical ones that are not about time come first, then the others by potential saving.
        """
        self.frame = Frame(frame)
        """The findings as a table, with the columns of `diagnosis`."""

    def __iter__(self) -> Any:  # noqa: ANN401 - an iterator of findings
        """Iterates over the findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """Returns the number of findings, of any outcome."""
        return len(self.findings)

    def __getitem__(self, name: str) -> Finding:
        """Returns the finding of this name from the first run that has it.

        Raises:
            KeyError: There is no finding of this name.
        """
        for finding in self.findings:
            if finding.id == name:
                return finding
        text = f"no finding {name!r}; there are: {', '.join(sorted({finding.id for finding in self.findings}))}"
        raise KeyError(text)

    @property
    def headline(self) -> str:
        """The verdicts, one line per run.

        Example:
            >>> s.diagnose().headline.startswith("first_look: ")
            True
        """
        return "\n".join(f"{verdict.run}: {verdict}" for verdict in self.verdicts)

    @property
    def found(self) -> list[Finding]:
        """The findings with outcome `found`."""
        return [finding for finding in self.findings if finding.outcome == "found"]

    @property
    def passed(self) -> list[Finding]:
        """The findings with outcome `passed`."""
        return [finding for finding in self.findings if finding.outcome == "passed"]

    @property
    def no_data(self) -> list[Finding]:
        """The findings with outcome `no_data`, because the data was not recorded."""
        return [finding for finding in self.findings if finding.outcome == "no_data"]

    @property
    def critical(self) -> bool:
        """True if at least one finding is critical."""
        return any(finding.severity == "critical" for finding in self.findings)

    def to_dicts(self) -> list[dict[str, Any]]:
        """Returns the findings as plain data, ready for `json.dump`.

        Example:
            >>> sorted(s.diagnose().to_dicts()[0])[:2]
            ['cause', 'confidence']
        """
        return [
            {name: value for name, value in vars(finding).items() if not name.startswith("_")}
            for finding in self.findings
        ]

    @property
    def tree(self) -> DecisionTree:
        """The decision tree of PyTorch's data-loading tutorial, with the path of each run marked.

        Each access runs query `job.decision_tree`; the limits of the tree are parameters of this query.

        Example:
            >>> tree = str(s.diagnose().tree).splitlines()
            >>> tree[6].split(' (')[0]
            '  ? workers timing out?'
        """
        return DecisionTree(self.verdicts, self._session.query("job.decision_tree", run=[v.run for v in self.verdicts]))

    def __str__(self) -> str:
        """Returns the output of `tracelake diagnose`."""
        return self._text

    def __repr__(self) -> str:
        """Returns the output of `tracelake diagnose`."""
        return self._text

    def _repr_html_(self) -> str:
        return self._html


class DecisionTree:
    """The decision tree for each run of a diagnosis: `>` marks a true line, `?` an unknown one.

    Example:
        >>> s.diagnose().tree.frame.columns
        ['run', 'line', 'depth', 'text', 'mark', 'evaluation', 'value', 'threshold', 'drawn']
    """

    def __init__(self, verdicts: list[Verdict], frame: Frame) -> None:
        """Wraps the lines of the trees; users get trees from a diagnosis."""
        self.frame = frame
        """The lines as a table: the result of query `job.decision_tree`."""
        self._verdicts = verdicts
        self._lines = [(row["run"], row["mark"], row["drawn"]) for row in text_rows(frame)]

    def __str__(self) -> str:
        """Returns the output of `tracelake diagnose --tree`."""
        parts: list[str] = []
        for verdict in self._verdicts:
            parts.append(f"{verdict.run}: {verdict}")
            parts.extend(f"  {drawn}" for run, _, drawn in self._lines if run == verdict.run)
        return "\n".join(parts)

    def __repr__(self) -> str:
        """Returns the output of `tracelake diagnose --tree`."""
        return str(self)

    def _repr_html_(self) -> str:
        parts: list[str] = []
        for verdict in self._verdicts:
            parts.append(f"<h4>{html.escape(verdict.run)}: {html.escape(str(verdict))}</h4>")
            lines = [(STYLES[mark], html.escape(drawn)) for run, mark, drawn in self._lines if run == verdict.run]
            block = "".join(f'<span style="{style}">{drawn}</span>\n' for style, drawn in lines)
            parts.append(f'<pre style="text-align:left;white-space:pre-wrap">{block}</pre>')
        return "".join(parts)


def toml(thresholds: Thresholds) -> str:
    r"""Returns the thresholds as TOML for the engine.

    Raises:
        NotFoundError: There is no such file.
        ArgumentError: The thresholds are not a dict of dicts of numbers, texts and bools.

    Example:
        >>> toml({"load_share_high": {"critical": 0.4}})
        '[load_share_high]\ncritical = 0.4\n'
    """
    if thresholds is None:
        return ""
    if isinstance(thresholds, (str, os.PathLike)):
        try:
            return Path(thresholds).read_text(encoding="utf-8")
        except OSError as error:
            text = f"cannot read the thresholds: {os.fspath(thresholds)}: {error.strerror}"
            raise NotFoundError(text) from error
    lines: list[str] = []
    try:
        for finding, values in thresholds.items():
            lines.append(f"[{finding if finding.isidentifier() else json.dumps(finding)}]")
            for name, value in values.items():
                if not isinstance(value, str | int | float):  # pyright: ignore[reportUnnecessaryIsInstance] - users are
                    expected = "expected a number, a text or a bool"
                    text = f"cannot use the thresholds: {finding}.{name} is {value!r}: {expected}"
                    raise ArgumentError(text)
                lines.append(f"{name if name.isidentifier() else json.dumps(name)} = {json.dumps(value)}")
    except AttributeError as error:
        example = {"load_share_high": {"high": 0.25}}
        text = f"cannot use the thresholds: {thresholds!r} is not a dict of dicts, such as {example}"
        raise ArgumentError(text) from error
    return "".join(f"{line}\n" for line in lines)
