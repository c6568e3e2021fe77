"""Compares the public interface of the Rust library with tests/public_api.txt, after `cargo doc`: part of `make lint`.

A line is an item or a method as rustdoc shows it, by its public path. The methods of query families are excluded,
because they follow from `sql/`.

    python tests/public_api.py           # prints the differences
    python tests/public_api.py --write   # rewrites the file
"""

import html
import os
import re
import sys
from difflib import unified_diff
from pathlib import Path

ROOT = Path(__file__).parents[1]
DOC = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target") / "doc" / "tracelake"
LIST = ROOT / "tests" / "public_api.txt"
METHOD = re.compile(
    r'<section id="(?:ty)?method\.[^"]*" class="method[^"]*">.*?<h4 class="code-header">(.*?)</h4>', re.DOTALL
)
"""Matches a method of a type or a trait. Methods that a type has from a trait are in another section."""


def html_to_text(text):
    """Returns the text of some HTML on one line."""
    text = re.sub(r"<[^>]+>", "", text).replace("§", "")
    return " ".join(html.unescape(text).split())


def without_traits(page):
    """Returns the part of a page before the implementations of traits."""
    return re.split(r'<h2 id="(?:trait|synthetic|blanket)-implementations|<h2 id="implementors', page)[0]


def interface(doc=DOC):
    """Returns the sorted lines."""
    pages = re.findall(
        r'<a href="((?:\w+/)*(\w+)\.\w+\.html)">([\w:]+)</a>', (doc / "all.html").read_text(encoding="utf-8")
    )
    families = {family.name for family in (ROOT / "sql").iterdir()}
    generated = re.compile(rf"session::({'|'.join(name.capitalize() for name in families)})[A-Z]\w*")
    lines = set()
    for file, kind, name in pages:
        if generated.fullmatch(name):
            continue
        page = without_traits((doc / file).read_text(encoding="utf-8"))
        match = re.search(r'<pre class="rust item-decl"><code>(.*?)</code></pre>', page, re.DOTALL)
        declaration = re.sub(
            r"/\* private fields \*/|(?://|#\[)[^\n]*", "", re.sub(r"<[^>]+>", "", match[1] if match else "")
        )
        lines.add(
            f"{kind} {name}: {html_to_text(declaration)}"
            if kind in ("fn", "type", "constant", "static")
            else f"{kind} {name}"
        )
        if any(other.endswith(f"::{name}") for _, _, other in pages):
            continue  # a shorter name of a type
        if kind in ("struct", "enum", "union"):
            for shown in re.findall(r'<span id="(?:structfield|variant)\.[^"]*"[^>]*>(.*?)</span>', page, re.DOTALL):
                lines.add(f"{name} {{ {html_to_text(shown)} }}")
            for shown in re.findall(
                r'<section id="variant\.[^"]*"[^>]*>.*?<h3 class="code-header">(.*?)</h3>', page, re.DOTALL
            ):
                lines.add(f"{name} {{ {html_to_text(shown)} }}")
        for signature in METHOD.findall(page):
            text = html_to_text(signature)
            if not any(f"fn {family}(&self) -> " in text for family in families):
                lines.add(f"{name}: {text}")
    return sorted(lines)


def main():
    """Compares the interface with the file, or writes the file."""
    now = interface()
    if "--write" in sys.argv:
        LIST.write_text("\n".join(now) + "\n", encoding="utf-8")
        return
    before = LIST.read_text(encoding="utf-8").splitlines()
    changes = [line for line in unified_diff(before, now, lineterm="", n=0) if re.match(r"[-+][^-+]", line)]
    if changes:
        listed = "\n".join(changes)
        hint = "if that is meant: python tests/public_api.py --write"
        sys.exit(f"the public interface of the library changed:\n{listed}\n{hint}")


if __name__ == "__main__":
    main()
