"""`python -m tracelake.record`, which `tracelake record` runs."""

import sys

from tracelake.record.program.command import main

if __name__ == "__main__":
    sys.exit(main())
