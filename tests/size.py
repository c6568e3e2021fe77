"""Counts lines of product code: `make size`.

A line counts if it has code. Blank lines, comments, docstrings, tests, benches, examples and generated files do not
count.

    python tests/size.py            # a table by crate and language
    python tests/size.py --files 20 # also the 20 longest files
"""

import argparse
import ast
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Folders of product code, by crate or package. The first one that contains a file counts it.
PARTS = {
    "sql": "sql",
    "crates": None,  # each subfolder is a crate
    "python/tracelake/smdebug": "python: smdebug",
    "python/tracelake/record": "python: record",
    "python/tracelake": "python: tracelake",
    "python/src": "tracelake-python",
    "notebooks/jupyter": "notebooks/jupyter",
    "cluster": "tracelake-cluster",
    "src": "tracelake",
    "build.rs": "tracelake",
    "python/wheel.py": "python: wheel",
}
WHEEL_SOURCES = ROOT / "python/tracelake/source"
"""A copy of the sources during a build of the wheel."""
LANGUAGES = {
    ".rs": "Rust",
    ".sql": "SQL",
    ".py": "Python",
    ".pyi": "Python",
    ".js": "JavaScript",
    ".css": "CSS",
    ".html": "HTML",
    ".sh": "shell",
}
COMMENTS = {"Rust": "//", "SQL": "--", "JavaScript": "//", "shell": "#"}
SKIPPED = {"target", "tests", "benches", "examples", "__pycache__"}


def is_generated(text: str) -> bool:
    """Returns whether one of the first lines says that the file is generated."""
    return any("do not edit" in line for line in text.splitlines()[:5])


def rust_lines(text: str) -> list[str]:
    """Returns the lines without items that are compiled only for tests."""
    lines, code_lines, index = text.splitlines(), [], 0
    while index < len(lines):
        if lines[index].strip() != "#[cfg(test)]":
            code_lines.append(lines[index])
            index += 1
            continue
        indent = lines[index][: len(lines[index]) - len(lines[index].lstrip())]
        index += 1
        while index < len(lines) and lines[index].lstrip().startswith(("#[", "//")):
            index += 1
        # an item ends in its first line, or with a bracket at its indentation
        if not lines[index].rstrip().endswith((";", "}")):
            index = next(n for n in range(index, len(lines)) if re.match(rf"{indent}[}})\]]", lines[n]))
        index += 1
    return code_lines


def python_lines(text: str) -> list[str]:
    """Returns the lines without docstrings and comments."""
    lines = text.splitlines()
    for node in ast.walk(ast.parse(text)):
        documented = isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        if documented and ast.get_docstring(node, clean=False) is not None:
            first = node.body[0]
            lines[first.lineno - 1 : first.end_lineno] = [""] * (first.end_lineno - first.lineno + 1)
    return [line for line in lines if not line.lstrip().startswith("#")]


def count(path: Path, text: str) -> int:
    """Returns the number of code lines of a file."""
    language = LANGUAGES[path.suffix]
    lines = {"Rust": rust_lines, "Python": python_lines}.get(language, str.splitlines)(text)
    comment = COMMENTS.get(language)
    if language in {"Rust", "JavaScript", "CSS"}:
        lines = re.sub(r"^\s*/\*.*?\*/", "", "\n".join(lines), flags=re.DOTALL | re.MULTILINE).splitlines()
    return sum(bool(line.strip()) and not (comment and line.lstrip().startswith(comment)) for line in lines)


def test_modules(files: list[Path]) -> set[Path]:
    """Returns the files of modules that are declared below `#[cfg(test)]`."""
    module_files = set()
    for path in files:
        if path.suffix != ".rs":
            continue
        folder = path.parent if path.name in {"mod.rs", "lib.rs", "main.rs"} else path.with_suffix("")
        for name in re.findall(
            r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?mod (\w+);", path.read_text(encoding="utf-8")
        ):
            module_files |= {folder / f"{name}.rs", *(folder / name).rglob("*.rs")}
    return module_files


def sizes() -> tuple[dict[str, Counter[str]], dict[Path, int]]:
    """Returns lines by part and language, and by file."""
    by_part: dict[str, Counter[str]] = defaultdict(Counter)
    by_file: dict[Path, int] = {}
    for folder, part in PARTS.items():
        top = ROOT / folder
        files = [top] if top.is_file() else sorted(path for path in top.rglob("*") if path.suffix in LANGUAGES)
        files = [path for path in files if path.is_file() and not SKIPPED & set(path.relative_to(ROOT).parts[:-1])]
        files = [path for path in files if not path.is_relative_to(WHEEL_SOURCES)]
        tests = test_modules(files)
        for path in files:
            text = path.read_text(encoding="utf-8")
            if path in by_file or path in tests or is_generated(text):
                continue
            by_file[path] = count(path, text)
            name = part or "/".join(path.relative_to(ROOT).parts[:2])
            by_part[name][LANGUAGES[path.suffix]] += by_file[path]
    return by_part, by_file


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=0, metavar="N", help="also print the N longest files")
    arguments = parser.parse_args()
    by_part, by_file = sizes()
    languages = [name for name, _ in sum(by_part.values(), Counter()).most_common()]
    rows = [[part, *(lines[language] for language in languages), lines.total()] for part, lines in by_part.items()]
    rows.append(["all", *(sum(lines[name] for lines in by_part.values()) for name in languages), sum(by_file.values())])
    for row in [["lines of code", *languages, "all"], *rows]:
        sys.stdout.write(f"{row[0]:<24}" + "".join(f"{cell or '-':>12}" for cell in row[1:]) + "\n")
    for path, lines in sorted(by_file.items(), key=lambda pair: -pair[1])[: arguments.files]:
        sys.stdout.write(f"{lines:>8}  {path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
