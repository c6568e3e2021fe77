"""The configuration of the documentation site: `make docs` builds it from the pages of the repository.

Sphinx with MyST reads CommonMark with GitHub's tables and anchors, so that pages look the same on GitHub and on the
site. It checks every link and every anchor, and its pages need no network and no server. The site has the folders of
the repository, so that relative links between pages work. docs/index.md defines the navigation. reference.py adds a
page for each family of queries and for each finding; links to files of `sql/` lead to these pages.
"""

import re
import sys
from pathlib import Path

from pygments.lexers.rust import RustLexer

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))
import reference  # noqa: E402 - a module in this folder

project = "tracelake"
copyright = "the authors of tracelake, Apache-2.0"  # noqa: A001 - Sphinx asks for this name
version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**.md"]
exclude_patterns = [".*", "benches", "notebooks", "python", "sql", "src", "target", "tests"]
myst_heading_anchors = 6
nitpicky = True
# A notebook cell that begins with a magic is not valid Python.
suppress_warnings = ["misc.highlighting_failure"]

html_theme = "furo"
html_title = f"tracelake {version}"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"sidebar_hide_name": False, "top_of_page_buttons": []}


def navigation(app, name, source):
    """Adds navigation to the start page and lists to the pages of queries and findings; replaces links to sql/."""
    source[0] = re.sub(r"\]\((?:\.\./)+sql/(\w+)(?:/(\w+)\.sql)?\)", page_of, source[0])
    for page, index in (("queries", reference.family_index), ("findings", reference.finding_index)):
        if name == f"docs/{page}":
            pages = sorted(page_name for page_name in app.env.found_docs if page_name.startswith(f"docs/{page}/"))
            source[0] += index() + toctree(page.capitalize(), [page_name.removeprefix("docs/") for page_name in pages])
    if name != root_doc:
        return
    linked = set()
    for section in source[0].split("\n## ")[1:]:
        links = re.findall(r"^- \[(.*?)\]\(([^)#]+)\.md\)", section, re.MULTILINE)
        source[0] += toctree(section.splitlines()[0], [f"{text} <{page}>" for text, page in links])
        linked |= {f"docs/{page}" for _, page in links}
    rest = [page.removeprefix("docs/") for page in sibling_pages(app, name) if page not in linked]
    if rest:
        source[0] += toctree("More", sorted(rest))


def page_of(link):
    """Returns the link to the page that describes a file of `sql/`."""
    family, query = link.groups()
    if family == "finding":
        return f"](findings/{query}.md)" if query else "](findings.md)"
    return f"](queries/{family}.md{f'#{family}{query}' if query else ''})"


def sibling_pages(app, name):
    """Returns the other pages in the folder of a page."""
    folder = name.rsplit("/", 1)[0]
    return [page for page in app.env.found_docs if page.rsplit("/", 1)[0] == folder and page != name]


def toctree(caption, pages):
    """Returns a table of contents that is shown only in the sidebar."""
    return "\n\n```{toctree}\n:hidden:\n:caption: " + caption + "\n\n" + "\n".join(pages) + "\n```\n"


def redirect(app, error):
    """Writes a page that redirects from the root of the site to the start page."""
    if error is None:
        page = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0; url=docs/index.html">'
        (Path(app.outdir) / "index.html").write_text(page + "<title>tracelake</title>\n", encoding="utf-8")


def setup(app):
    """Registers the extensions; Sphinx calls it."""
    app.add_lexer("rust,no_run", RustLexer)
    app.connect("builder-inited", lambda _: reference.write())
    app.connect("env-get-outdated", lambda *_: ["docs/queries", "docs/findings"])  # always rebuild the generated lists
    app.connect("source-read", navigation)
    app.connect("build-finished", redirect)
