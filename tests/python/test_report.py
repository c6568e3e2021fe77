"""Reports: one page about a run, a comparison or a lake."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import tracelake as tl

DATA = Path(__file__).parents[1] / "data"
LIMIT = 8_000_000


class Page(HTMLParser):
    """Parses ids, links and texts of a page."""

    def __init__(self, text: str):
        super().__init__()
        self.ids, self.links, self.tags, self.words = [], [], [], []
        self.quiet = 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.quiet += tag in ("script", "style")
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value for name, value in attrs if name in ("href", "src")]

    def handle_endtag(self, tag):
        self.quiet -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.quiet:
            self.words.append(data)


@pytest.fixture(scope="module")
def before_after(tmp_path_factory):
    """A lake with the runs `before` and `after`."""
    with tl.open(tmp_path_factory.mktemp("report") / "lake", create=True) as session:
        for run in ("before", "after"):
            session.ingest(DATA / "before_after" / run, run=run)
        yield session


def read(report):
    assert len(report.html.encode()) < LIMIT
    page = Page(report.html)
    assert all(link.startswith("#") and link[1:] in page.ids for link in page.links)
    return page


@pytest.mark.slow
def test_the_report_of_a_profile_agrees_with_the_diagnosis(s):
    report = s.report()
    page = read(report)
    text = " ".join(" ".join(page.words).split())
    diagnosis = s.diagnose()
    assert diagnosis.verdicts[0].verdict in text
    for finding in diagnosis.found:
        assert f"finding-{finding.id}" in page.ids
        assert " ".join(finding.sentence.replace("`", " ").split()) in text
        assert all(f"rows-{query.replace('.', '_')}" in page.ids for query in finding.evidence)
    steps = {row["mode"]: row["n"] for row in s.step.duration().rows()}
    assert {"train", "eval"} == set(steps)
    assert all(re.search(rf"\b{mode} {n}\b", text) for mode, n in steps.items())
    assert repr(report).startswith("Report(first_look, ")


@pytest.mark.slow
def test_a_comparison_starts_with_the_change_of_the_mean_step(before_after):
    report = before_after.report("before", "after")
    assert report.title == "before → after"
    page = read(report)
    text = " ".join(" ".join(page.words).split())
    means = [row["dur_mean"] for run in ("before", "after") for row in before_after.step.duration(run=run).rows()]
    factor = re.search(r"Verdict after is ([\d.]+)x faster than before ", text)
    assert factor, text[:500]
    assert float(factor[1]) == pytest.approx(means[0] / means[1], rel=0.01)
    findings = {run: {f.id for f in before_after.diagnose(run).found} for run in ("before", "after")}
    assert findings["before"] != findings["after"]
    changed = re.findall(r"finding\.(\w+) (new|gone|on both sides)", text)
    expected = {
        **dict.fromkeys(findings["before"] & findings["after"], "on both sides"),
        **dict.fromkeys(findings["before"] - findings["after"], "gone"),
        **dict.fromkeys(findings["after"] - findings["before"], "new"),
    }
    assert dict(changed) == expected


def test_a_fleet_lists_its_runs_with_links(before_after):
    report = before_after.report()
    page = read(report)
    # two figures and a table need level changes of two key metrics: each query runs once
    assert report.html.count("select * from fleet_regressions") == 2
    assert {"run-1", "run-2"} <= set(page.ids)
    assert "#run-1" in page.links
    assert read(before_after.report(["before", "after"])).ids == page.ids


@pytest.mark.slow
def test_a_page_is_shown_and_saved(s, tmp_path):
    report = s.report("first_look")
    frame = report._repr_html_()
    assert frame.startswith("<iframe ")
    assert Page(frame).tags == ["iframe"]
    assert len(frame) < 1_000_000
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == report.html
    with pytest.raises(tl.errors.ArgumentError, match=r"must end in \.html"):
        report.save(tmp_path / "page.pdf")


def test_missing_names_get_a_suggestion(before_after):
    with pytest.raises(tl.errors.NotFoundError, match="no run or baseline `befor`; did you mean `before`"):
        before_after.report("befor")
    with pytest.raises(tl.errors.ArgumentError, match="a report of 3 sides"):
        before_after.report("before", "after", "before")
