"""The command line, as `tracelake` and as `python -m tracelake`."""

import os
import signal
import sys
from pathlib import Path

from tracelake import _tracelake

__all__ = ["main"]


def main() -> None:
    """Runs the command of `sys.argv` and ends the process with its exit code."""
    # Python's handler only sets a flag, and no code checks the flag during the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # `tracelake record` starts another Python process: it must be this interpreter, which has the package
    os.environ.setdefault("TRACELAKE_PYTHON", sys.executable)
    # `tracelake jupyter install` builds a kernel from these sources; a clone does not need them
    if (source := Path(__file__).with_name("source")).is_dir():
        os.environ.setdefault("TRACELAKE_SOURCE", str(source))
    sys.exit(_tracelake.main(["tracelake", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
