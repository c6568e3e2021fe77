"""Images by a real browser: of the requested size, in all formats, from Python and the shell."""

import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from lab import CHROMIUM

import tracelake as tl

PROFILE = Path(__file__).parents[1] / "data" / "first_look" / "profiler-output"


@pytest.fixture(scope="module")
def figure():
    if CHROMIUM is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium on this machine")
        pytest.skip("NOT TESTED: no Chromium on this machine")
    with tl.open(PROFILE, ephemeral=True) as session:
        yield session.figure("step_timeline")


def size(png):
    """Returns width and height of a PNG."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def test_a_png_has_the_requested_size(figure, tmp_path):
    path = tmp_path / "steps.png"
    figure.save(path, width=700, height=400, scale=1)
    assert size(path.read_bytes()) == (700, 400)
    figure.save(path)
    width, height = size(path.read_bytes())
    assert width == 2400
    assert 600 < height < 1200
    assert [one.name for one in tmp_path.iterdir()] == ["steps.png"]


@pytest.mark.parametrize(
    ("ending", "start"), [("svg", b"<svg"), ("pdf", b"%PDF"), ("jpg", b"\xff\xd8"), ("webp", b"RIFF")]
)
def test_other_images_have_the_format_of_their_extension(figure, tmp_path, ending, start):
    path = tmp_path / f"steps.{ending}"
    figure.save(path, width=600)
    drawn = path.read_bytes()
    assert drawn.startswith(start)
    if ending == "svg":
        assert "outlier" in drawn.decode()
    if ending == "pdf":
        assert drawn.count(b"/Type /Page\n") == 1


def test_figures_share_a_browser(figure, tmp_path):
    browser = tmp_path / "browser"
    starts = tmp_path / "starts"
    browser.write_text(f'#!/bin/sh\necho >> "{starts}"\nexec "{CHROMIUM}" "$@"\n')
    browser.chmod(0o755)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRACELAKE_BROWSER", str(browser))
        for number in range(10):
            figure.save(tmp_path / f"{number}.png", width=600)
    # a second start is one without the sandbox
    assert len(starts.read_text().splitlines()) <= 2
    assert len({(tmp_path / f"{number}.png").read_bytes() for number in range(10)}) == 1


def test_the_shell_writes_the_same_images(figure, tmp_path):
    del figure
    command = [sys.executable, "-m", "tracelake", "--lake", str(tmp_path / "lake")]
    subprocess.run([*command, "ingest", str(PROFILE)], check=True, capture_output=True)
    drawn = [
        "figure",
        "step_timeline",
        "-o",
        str(tmp_path / "x.png"),
        "--width",
        "600",
        "--height",
        "400",
        "--scale",
        "1.5",
    ]
    done = subprocess.run([*command, *drawn], check=True, capture_output=True, text=True)
    assert done.stdout == f"wrote {tmp_path / 'x.png'}\n"
    assert size((tmp_path / "x.png").read_bytes()) == (900, 600)
