"""The decision tree of PyTorch's data-loading tutorial, with the path of a measurement marked."""

from __future__ import annotations

from tracelake.record.loader.times import LOAD_HIGH

UTILIZATION_LOW, UTILIZATION_HIGH = 50.0, 80.0
"""GPU utilization in percent: low below the first limit, on target above the second."""


Condition = bool | None
"""Whether a condition is true; `None` if unknown."""


def decision_tree(
    gpu_utilization: float | None, load_ratio: float | None, *, timeouts: Condition, growing: Condition
) -> str:
    """Returns the tree as text: `>` marks the path; `?` marks a question without data, and the lines below it.

    The tutorial's tree has no numbers, so the limits come from its other tables: utilization is low below 50 %, good
    above 80 %, and undecided between them. Without utilization, the second question is still evaluated. Query
    `job.decision_tree` does the same for recorded runs, in the same words.

    Args:
        gpu_utilization: Percent; `None` if it was not measured.
        load_ratio: Share of loading, 0 to 1; `None` if it is not known.
        timeouts: Whether workers timed out; `None` if unknown.
        growing: Whether memory grows; `None` if unknown.

    Example:
        >>> from tracelake.record.tuning.decision import decision_tree
        >>> print(decision_tree(40.0, 0.5, timeouts=False, growing=False).splitlines()[1])
        >    yes: is loading time high? (50.0 % of the time)
    """
    low = None
    utilization = share = unmeasured = "not enough data: not measured"
    if gpu_utilization is not None:
        utilization = f"{gpu_utilization:.1f} %"
        if gpu_utilization < UTILIZATION_LOW:
            low = True
        elif gpu_utilization > UTILIZATION_HIGH:
            low = False
        else:
            utilization += f": the tree says nothing between {UTILIZATION_LOW} and {UTILIZATION_HIGH} %"
    slow = None if load_ratio is None else load_ratio > LOAD_HIGH
    if load_ratio is not None:
        share = f"{100 * load_ratio:.1f} % of the time"
    input_bound = _and(True if gpu_utilization is None else low, slow)
    lines: list[tuple[Condition, int, str, str | None]] = [
        (_is_known(low), 0, "GPU utilization low?", utilization),
        (_and(low, _is_known(slow)), 1, "yes: is loading time high?", share),
        (input_bound, 2, "yes: more workers; still slow: optimize the item function", None),
        (_and(low, _not(slow)), 2, "no: look at model and optimizer", None),
        (_not(low), 1, "no: balanced", None),
        (_is_known(timeouts), 0, "workers timing out?", unmeasured if timeouts is None else None),
        (timeouts, 1, "yes: fewer workers; still: debug the item function with 0 workers", None),
        (_not(timeouts), 1, "no", None),
        (_is_known(growing), 0, "memory growing?", unmeasured if growing is None else None),
        (growing, 1, "yes: persistent_workers=False; still: a leak in the item function", None),
        (_not(growing), 1, "no", None),
    ]
    return "\n".join(
        f"{MARKS[condition]} {'   ' * depth}{text}{'' if detail is None else f' ({detail})'}"
        for condition, depth, text, detail in lines
    )


MARKS: dict[Condition, str] = {True: ">", False: " ", None: "?"}


def _is_known(condition: Condition) -> Condition:
    return None if condition is None else True


def _not(condition: Condition) -> Condition:
    return None if condition is None else not condition


def _and(a: Condition, b: Condition) -> Condition:
    if a is False or b is False:
        return False
    return None if a is None or b is None else True
