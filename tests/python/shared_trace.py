"""The shared PyTorch traces as runs of one lake: how they are named."""

from fnmatch import fnmatch


def name_of(file: str) -> str:
    """Returns the run of a file, by its path below the folder of the traces."""
    return file.replace("/", "-")


def run_of(runs: list[str], pattern: str) -> str:
    """Returns the only run with a file that matches a pattern."""
    (run,) = [run for run in runs if fnmatch(run, name_of(pattern))]
    return run
