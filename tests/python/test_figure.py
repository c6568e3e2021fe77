"""Figures: outputs for notebooks, files, and the data."""

import json
import re
import sys
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import tracelake as tl

PLOTLY = "application/vnd.plotly.v1+json"
NAMES = ["step_timeline", "loader_next", "job_phases"]


class Addresses(HTMLParser):
    """Collects the addresses that a browser would request."""

    def __init__(self, page):
        super().__init__()
        self.addresses = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.addresses += [value for name, value in attrs if name == "src" or (tag == "link" and name == "href")]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_gets_plotly_json_and_a_picture(s, name):
    bundle = s.figure(name)._repr_mimebundle_()
    assert set(bundle) == {PLOTLY, "image/svg+xml", "text/plain"}
    assert bundle[PLOTLY]["data"]
    # JupyterLab changes the width itself, and its background may be dark.
    assert not bundle[PLOTLY]["config"]["responsive"]
    assert bundle[PLOTLY]["layout"]["paper_bgcolor"] == "#ffffff"
    picture = ElementTree.fromstring(bundle["image/svg+xml"])  # noqa: S314 - our own
    assert picture.tag.endswith("}svg")
    assert len(json.dumps(bundle)) < 500_000


def test_only_the_first_embedded_figure_brings_plotly(s, monkeypatch):
    monkeypatch.setattr(tl.figures, "_embedded", [])
    pages = [s.figure(name, embed=True)._repr_mimebundle_()["text/html"] for name in ("step_timeline", "job_phases")]
    assert ["tracelake-plotly" in page for page in pages] == [True, False]
    assert all("Plotly.newPlot" in page for page in pages)


@pytest.mark.parametrize("name", NAMES)
def test_the_numbers_come_with_the_figure(s, name):
    figure = s.figure(name)
    assert all(len(frame) > 0 and frame.columns[0] == "run" for frame in figure.frames)
    assert repr(figure).startswith(f"Figure('{name}', rows: ")


def test_axes_have_their_unit(s):
    layout = json.loads(s.figure("step_timeline").to_json())["layout"]
    titles = [axis["title"]["text"] for name, axis in layout.items() if re.fullmatch(r"yaxis\d*", name)]
    assert titles
    assert all(re.search(r"\[.+\]|\(.+\)", title) for title in titles), titles


@pytest.mark.parametrize("name", NAMES)
def test_a_page_fetches_nothing(s, name):
    page = s.figure(name).to_html()
    assert page.lstrip().lower().startswith("<!doctype html>")
    assert Addresses(page).addresses == []
    assert Addresses(s.figure(name, embed=True)._repr_mimebundle_()["text/html"]).addresses == []


def test_a_figure_converts_to_plotly_for_python(s):
    figure = s.figure("step_timeline")
    drawn = figure.to_plotly()
    assert len(drawn.data) == len(json.loads(figure.to_json())["data"])
    drawn.update_layout(height=300)
    assert drawn.layout.height == 300


def test_a_figure_is_saved_in_the_format_of_its_extension(s, tmp_path):
    figure = s.figure("step_timeline")
    figure.save(tmp_path / "x.html")
    figure.save(str(tmp_path / "x.JSON"))
    assert (tmp_path / "x.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")
    assert json.loads((tmp_path / "x.JSON").read_text(encoding="utf-8"))["data"]
    figure.to_html(tmp_path / "y.html")
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".part"] == []
    (tmp_path / "link.html").symlink_to(tmp_path / "y.html")
    (tmp_path / "y.html").write_text("old", encoding="utf-8")
    figure.to_html(tmp_path / "link.html")
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "y.html").read_text(encoding="utf-8") != "old"
    with pytest.raises(FileNotFoundError, match=r"nowhere/y\.html'"):
        figure.to_html(tmp_path / "nowhere" / "y.html")
    assert (tmp_path / "y.html").exists()


def test_an_unknown_extension_is_refused(s, tmp_path):
    with pytest.raises(tl.errors.ArgumentError, match=r"`x\.bmp`: the name must end in one of \.html, \.json, \.png"):
        s.figure("step_timeline").save(tmp_path / "x.bmp")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["x.png", "x.svg", "x.pdf", "x.jpg", "x.webp"])
def test_an_image_without_a_browser_is_an_error_with_a_hint(s, tmp_path, monkeypatch, name):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("TRACELAKE_BROWSER", raising=False)
    with pytest.raises(tl.errors.NotFoundError, match=r"(?s)no Chromium or Chrome was found.*apt-get install chromium"):
        s.figure("step_timeline").save(tmp_path / name)
    monkeypatch.setenv("TRACELAKE_BROWSER", str(tmp_path / "browser"))
    with pytest.raises(tl.errors.NotFoundError, match=r"TRACELAKE_BROWSER is .*browser, which does not exist"):
        s.figure("step_timeline").save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_browser_that_renders_nothing_is_reported(s, tmp_path, monkeypatch):
    browser = tmp_path / "browser"
    browser.write_text("#!/bin/sh\necho nothing\n")
    browser.chmod(0o755)
    monkeypatch.setenv("TRACELAKE_BROWSER", str(browser))
    with pytest.raises(tl.errors.UnreachableError, match=r"(?s)step_timeline\.png: the browser drew nothing.*browser:"):
        s.figure("step_timeline").save(tmp_path / "x.png")
    # it answers on descriptor 4, and a zero byte ends the answer
    answer = '{"id": 1, "error": {"message": "no canvas"}}'
    browser.write_text(f"#!/bin/sh\nprintf '{answer}\\000' >&4\n")
    with pytest.raises(tl.errors.UnreachableError, match="no canvas"):
        s.figure("step_timeline").save(tmp_path / "x.png")
    assert [path.name for path in tmp_path.iterdir()] == ["browser"]


@pytest.mark.parametrize("size", [{"width": 10}, {"height": 20_000}, {"scale": 0}, {"width": 8000, "scale": 8}])
def test_an_image_size_that_no_browser_supports_is_refused(s, tmp_path, size):
    with pytest.raises(tl.errors.ArgumentError, match="cannot draw a figure"):
        s.figure("step_timeline").save(tmp_path / "x.png", **size)


def test_only_to_plotly_needs_plotly(s, monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "plotly"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "plotly", None)
    figure = s.figure("step_timeline")
    assert figure.to_html()
    with pytest.raises(ImportError, match=r"pip install 'tracelake\[plotly\]'"):
        figure.to_plotly()


@pytest.mark.slow
def test_names_from_profiles_are_escaped(copied):
    for file in copied.rglob("*timeline.json"):
        file.write_text(file.read_text().replace("DataLoaderIter::GetNext", "</script><script>alert(1)</script>"))
    with tl.open(copied, ephemeral=True) as session:
        for name in session.figures():
            page = session.figure(name).to_html()
            assert "<script>alert(1)" not in page, name
