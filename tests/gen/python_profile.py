"""Writes `job-p` of the golden profiles: Python profiles in the folders of SageMaker Debugger, with handmade times.

  python tests/gen/python_profile.py --out tests/data/golden/job-p

Contains cProfile dumps of three phases of a job on rank 0 and of one on rank 1, a dump in the folders of smdebug
before 1.0, and a tree of pyinstrument. tests/data/golden/README.md has the numbers. Needs only the standard library.
The output is the same each time.
"""

import argparse
import json
import marshal
from pathlib import Path

T = 1_600_000_200  # s

TRAIN, STEP, FORWARD = ("train.py", 1, "<module>"), ("train.py", 10, "step"), ("net.py", 7, "forward")
LOAD, SAVE = ("data.py", 5, "load"), ("train.py", 20, "save")
OPEN, RELU = ("~", 0, "<built-in method io.open>"), ("~", 0, "<built-in method relu>")

# function: primitive calls, calls, own time, cumulative time, callers
# caller: calls, primitive calls, own time, cumulative time
BEFORE = {
    TRAIN: (1, 1, 0.5, 2.0, {}),
    LOAD: (2, 2, 1.0, 1.5, {TRAIN: (2, 2, 1.0, 1.5)}),
    OPEN: (2, 2, 0.5, 0.5, {LOAD: (2, 2, 0.5, 0.5)}),
}
STEP_0 = {
    STEP: (1, 1, 0.25, 1.0, {}),
    FORWARD: (1, 3, 0.5, 0.75, {STEP: (1, 1, 0.25, 0.75), FORWARD: (2, 1, 0.25, 0.5)}),
    RELU: (3, 3, 0.25, 0.25, {FORWARD: (3, 3, 0.25, 0.25)}),
}
STEP_1 = {
    STEP: (1, 1, 0.5, 1.5, {}),
    FORWARD: (1, 3, 0.75, 1.0, {STEP: (1, 1, 0.5, 1.0), FORWARD: (2, 1, 0.25, 0.5)}),
    RELU: (3, 3, 0.25, 0.25, {FORWARD: (3, 3, 0.25, 0.25)}),
}
AFTER = {SAVE: (1, 1, 0.75, 1.0, {}), OPEN: (1, 1, 0.25, 0.25, {SAVE: (1, 1, 0.25, 0.25)})}
OTHER_RANK = {STEP: (1, 1, 2.0, 2.0, {})}


def phase_folder(start: str, end: str) -> str:
    """Returns the name of a folder: mode, step, phase and seconds after T of start and end."""

    def edge(text: str) -> str:
        mode, step, phase, seconds = text.split()
        return f"{mode}-{step}-{phase}-{(T + float(seconds)) * 1e6:.1f}"

    return f"{edge(start)}_{edge(end)}"


def frame(function: tuple[str, int, str], seconds: float, *children: dict) -> dict:
    """Returns a frame of pyinstrument."""
    file, line, name = function
    return {
        "function": name,
        "file_path_short": file,
        "file_path": file,
        "line_no": line,
        "time": seconds,
        "is_application_code": True,
        "children": list(children),
    }


def main() -> None:
    """Writes the profile."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    root = parser.parse_args().out / "framework"

    old = root / "tensorflow" / "cProfile" / f"{T * 1e6:.1f}_{(T + 2) * 1e6:.1f}_0-algo-1_-1"
    cprofile = root / "tensorflow" / "cprofile"
    dumps = {
        old: BEFORE,
        cprofile / "0-algo-1" / phase_folder("train 0 stepstart 2", "train 0 stepend 3"): STEP_0,
        cprofile / "0-algo-1" / phase_folder("train 1 stepstart 3", "train 1 stepend 4.5"): STEP_1,
        cprofile / "0-algo-1" / phase_folder("train 1 stepend 4.5", "posthookclose 2 end 5.5"): AFTER,
        cprofile / "1-algo-2" / phase_folder("eval 0 stepstart 2", "eval 1 stepstart 4"): OTHER_RANK,
    }
    for folder, functions in dumps.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "python_stats").write_bytes(marshal.dumps(functions))

    leaf = frame((*RELU[:2], "relu"), 0.25)
    tree = frame(STEP, 1.0, frame(FORWARD, 0.75, frame(FORWARD, 0.5, leaf)))
    folder = (
        root / "tensorflow" / "pyinstrument" / "0-algo-1" / phase_folder("train 0 stepstart 2", "train 0 stepend 3")
    )
    folder.mkdir(parents=True, exist_ok=True)
    recording = {
        "start_time": T + 2.0,
        "duration": 1.0,
        "sample_count": 1000,
        "program": "train.py",
        "root_frame": tree,
    }
    (folder / "python_stats.json").write_text(json.dumps(recording))
    (folder / "python_stats.html").write_text("<!DOCTYPE html><html></html>\n")


if __name__ == "__main__":
    main()
