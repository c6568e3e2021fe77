"""Writes all cases. In the folder tests/gen, with the package tracelake on PYTHONPATH: `python -m labeled OUT`.

Four processes write the cases, because the recorded cases sleep most of the time.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from labeled import recorded_cases, sagemaker_cases, table_cases, thin_cases, trace_cases

# recorded cases first, because they take longest
CASES = [
    *recorded_cases.CASES,
    *sagemaker_cases.CASES,
    *trace_cases.CASES,
    *thin_cases.CASES,
    *table_cases.CASES,
]


def write(place: int, out: Path) -> str:
    """Writes one case and returns its name."""
    CASES[place].write(out)
    return CASES[place].name


def main() -> None:
    """Writes the cases."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="folder for the cases, made if absent")
    out = parser.parse_args().out
    names = [case.name for case in CASES]
    assert len(set(names)) == len(names), "two cases have the same name"
    with ProcessPoolExecutor(4, mp_context=get_context("fork")) as pool:
        labels = list(pool.map(write, range(len(CASES)), [out] * len(CASES)))
    print(f"{len(labels)} cases in {out}")  # noqa: T201


if __name__ == "__main__":
    main()
