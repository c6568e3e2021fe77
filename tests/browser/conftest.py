"""What the tests in a browser share with those of Python stands there."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))
