"""The words of the project: plain standard English in what users read, and names that say what a thing is or does.

Each word of the list has a better one. `words_not_checked.txt` lists pages that are not checked yet. A page without
faults must be removed from it, so that the list only becomes shorter.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

WORDS = {
    r"\bat stake\b": "potential saving",
    r"\bheld against\b": "compared with, checked against",
    r"\bleft out\b": "excluded, skipped",
    r"\bcannot (be told|tell)\b": "not enough data",
    r"\b(told|said)\b": "reported, logged, printed, known",
    r"\bkept\b": "cached, recorded, stored",
    r"\bmend(s|ed|ing)?\b": "repair, fix",
    r"(?<!at )\b(least|greatest)\b(?! (busy|recently))": "minimum, maximum, smallest, largest",
    r"\b(whose|of which)\b": "two sentences",
    r"\bbeside\b": "next to, compared with",
    r"\banew\b": "again, rewrite, regenerate",
    r"\bdear\b": "expensive",
    r"\b(house|room) rules\b": "project conventions",
    r"\bpieces? of work\b": "task, work item",
    r"\bdamaged?\b": "corrupt, malformed",
    r"\b(un)?packed\b": "compressed, decompressed",
    r"\bin turn\b": "interleaved, one after the other",
    r"(?<!there )\b(is|are) (no|(?-i:none))\b(?! (longer|more))": "is not a, there are no",
    r"\bnothing in it\b": "empty",
    r"\b(any|some|no)body\b": "the user, another process, the caller",
    r"\bcells of time\b": "time buckets",
    r"\bsmall side\b": "build side",
    r"\bstrangers?\b": "unknown, other",
    r"\b\w*(utilis|normalis|recognis|initialis|organis|serialis)\w*": "American spelling, -iz-",
    r"\b(colour|behaviour|favour|labelled|grey|licence|catalogue)\w*": "American spelling",
}
"""What is not written, and what is written instead."""

ALLOWED = {
    "code and quotations": r"`[^`]*`|\"[^\"]*\"|\{[^}]*\}",
    "paths, options and names": r"\S*[/_=]\S*",
}
"""Parts of a text that are not prose, and why."""

PARTICIPLES = "told|said|kept|given|moved|seen|found|written|asked|taken|made|held|gone|meant|mended|wanted"
OTHERS = "of|at|to|whose|beside|anew|utils?|misc|helpers?"
NAMES = re.compile(f"^({PARTICIPLES}|left|known|by|in|on|{OTHERS})$")
"""Names that are a participle or a preposition alone: they do not say what a thing is or does."""

VARIABLES = re.compile(rf"(?<![\w.:'])({PARTICIPLES}|{OTHERS})(?![\w!])(?!::)")
"""The same for fields, parameters and variables. `left` is also a direction, `known` an adjective; `by` and `on` are
parameters of pandas.
"""

VALUES = {"python/tracelake/diagnosis.py": "found"}
"""Names that are values of a column: property `found` returns the findings with this outcome."""

LISTED = Path(__file__).with_name("words_not_checked.txt").read_text().split("\n")
NOT_CHECKED = {kind: {line.split()[1] for line in LISTED if line.startswith(kind)} for kind in ("prose", "names")}
"""The pages that are not checked for words, and the modules that are not checked for names."""


def judge(kind: str, wrong: dict[str, list[str]]) -> None:
    """Fails for faults outside of the list, and for files of the list that have none."""
    listed = NOT_CHECKED[kind]
    new = [fault for file, faults in wrong.items() if file not in listed for fault in faults]
    assert not new, f"{len(new)} {kind}\n" + "\n".join(new)
    clean = [file for file, faults in wrong.items() if file in listed and not faults]
    assert not clean, f"remove from words_not_checked.txt: {clean}"


def faults(text: str) -> list[tuple[str, str]]:
    """The words of a text that have better ones, with these."""
    for pattern in ALLOWED.values():
        text = re.sub(pattern, " ", text)
    return [(match[0], better) for word, better in WORDS.items() for match in re.finditer(word, text, re.IGNORECASE)]


def markdown(path: Path) -> list[tuple[int, str]]:
    """The lines of a page outside of code blocks and comments."""
    lines, code = [], False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code and not line.startswith("<!--"):
            lines.append((number, line))
    return lines


def headers(path: Path) -> list[tuple[int, str]]:
    """The comments of a query, and the sentences in it."""
    lines = list(enumerate(path.read_text().splitlines(), 1))
    prose = [(number, line) for number, line in lines if line.lstrip().startswith("--")]
    code = [(number, line) for number, line in lines if not line.lstrip().startswith("--")]
    return prose + [
        (number, text) for number, line in code for text in re.findall(r"'((?:[^']|'')* (?:[^']|'')*)'", line)
    ]


RUST_TEXT = re.compile(
    r"""(?P<comment>//[^\n]*)|r(?P<marks>#*)"(?P<raw>.*?)"(?P=marks)|"(?P<text>(?:\\.|[^"\\])*)"|'(?:\\.|[^'\\])'""",
    re.DOTALL,
)


def rust_texts(path: Path) -> list[tuple[int, str]]:
    """The comments and the texts with blanks in a module of Rust."""
    text = path.read_text()
    texts = []
    for match in RUST_TEXT.finditer(text):
        prose = match["raw"] or match["text"] or match["comment"]
        if prose and " " in prose.strip():
            texts.append((text.count("\n", 0, match.start()) + 1, prose))
    return texts


def python_texts(path: Path) -> list[tuple[int, str]]:
    """The comments and the texts with blanks in a module of Python."""
    tokens = tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
    texts = [(token.start[0], token.string) for token in tokens if token.type in (tokenize.STRING, tokenize.COMMENT)]
    lines = [(first + n, line.strip()) for first, text in texts for n, line in enumerate(text.splitlines())]
    return [(number, line) for number, line in lines if " " in line and not line.startswith((">>>", "..."))]


RUST_FILES = [
    *("src/**/*.rs", "crates/*/src/**/*.rs", "python/src/*.rs", "cluster/src/*.rs", "notebooks/jupyter/shim/src/*.rs"),
    *("build.rs", "tests/**/*.rs", "benches/*.rs", "examples/*.rs", "fuzz/fuzz_targets/*.rs"),
]
PYTHON_FILES = ["python/**/*.py", "tests/**/*.py", "benches/**/*.py", "fuzz/*.py", "docs/*.py", ".ci/*.py"]
PROSE = {
    "docs": (markdown, ["README.md", "docs/*.md", "docs/have/*.md"]),
    "sql": (headers, ["sql/*/*.sql"]),
    "rust": (rust_texts, RUST_FILES),
    "python": (python_texts, PYTHON_FILES),
}


@pytest.mark.parametrize("kind", PROSE)
def test_texts_are_plain_english(kind):
    read, patterns = PROSE[kind]
    # This module quotes the words.
    paths = {path for pattern in patterns for path in ROOT.glob(pattern) if path.name != "test_words.py"}
    wrong = {}
    for path in sorted(paths):
        name = str(path.relative_to(ROOT))
        wrong[name] = [f"{name}:{n}: `{word}`: {better}" for n, line in read(path) for word, better in faults(line)]
    judge("prose", wrong)


RUST = re.compile(
    r"^\s*(?:pub(?:\([^)]*\))? )?(?:const |async |unsafe )*(?:fn|struct|enum|trait|type|mod|static|const) (\w+)",
    re.MULTILINE,
)
COLUMN = re.compile(r"^-- column  (\w+)", re.MULTILINE)


EXPRESSION = re.compile(r"^(?:WITH )?(\w+) AS (?:MATERIALIZED )?\($", re.MULTILINE)


def line(text: str, match: re.Match) -> int:
    """The number of the line of a name."""
    return text.count("\n", 0, match.start(1)) + 1


def rust_names(text: str) -> list[tuple[int, str]]:
    """The names in a module of Rust that say nothing, and where they are."""
    blank = RUST_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    definitions = [match for match in RUST.finditer(blank) if NAMES.match(match[1].lower())]
    return [(line(text, match), match[1]) for match in [*definitions, *VARIABLES.finditer(blank)]]


def python_names(text: str) -> list[tuple[int, str]]:
    """The names in a module of Python that say nothing, and where they are."""
    names = []
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                if NAMES.match(name.lower()):
                    names.append((node.lineno, name))
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                if VARIABLES.fullmatch(name):
                    names.append((node.lineno, name))
    return names


def sql_names(text: str) -> list[tuple[int, str]]:
    """The columns and table expressions of a query that say nothing, and where they are."""
    names = [*COLUMN.finditer(text), *EXPRESSION.finditer(text)]
    return [(line(text, match), match[1]) for match in names if NAMES.match(match[1].lower())]


DEFINITIONS = {
    "rust": (rust_names, RUST_FILES),
    "python": (python_names, PYTHON_FILES),
    "sql": (sql_names, ["sql/*/*.sql"]),
}


def test_names_say_what_a_thing_is_or_does():
    wrong = {}
    for read, patterns in DEFINITIONS.values():
        for path in sorted({path for pattern in patterns for path in ROOT.glob(pattern)}):
            name, text = str(path.relative_to(ROOT)), path.read_text()
            names = sorted({(line, word) for line, word in read(text) if word != VALUES.get(name)})
            wrong[name] = [f"{name}:{number}: {word}" for number, word in names]
    judge("names", wrong)


def test_a_word_of_the_list_is_found_with_the_better_one(tmp_path):
    query = tmp_path / "query.sql"
    query.write_text("-- What is told?\n--\n-- column  kept  text  name  x\nSELECT 'a b anew' AS kept, `told` FROM t\n")
    assert [word for _, line in headers(query) for word, _ in faults(line)] == ["told", "kept", "anew"]
    module = tmp_path / "module.rs"
    module.write_text(
        '// told\nlet text = "it is said; `told` is code"; let mark = \'"\'; let other = r#"a "b" whose"#;\n'
    )
    assert [word for _, line in rust_texts(module) for word, _ in faults(line)] == ["told", "said", "whose"]


TYPE = re.compile(r"^(?:pub(?:\([^)]*\))? )?(?:unsafe )?(?:struct|enum|trait|type|union) (\w+)", re.MULTILINE)


def test_a_type_name_has_one_definition():
    """A search for the name of a type of Rust finds one thing. Modules for tests have types of their own."""
    files: dict[str, list[str]] = {}
    for pattern in ("src/**/*.rs", "crates/*/src/**/*.rs", "python/src/*.rs", "cluster/src/*.rs"):
        for path in sorted(path for path in ROOT.glob(pattern) if path.name not in ("tests.rs", "testing.rs")):
            text = path.read_text().partition("#[cfg(test)]\nmod tests {")[0]
            for name in TYPE.findall(text):
                files.setdefault(name, []).append(str(path.relative_to(ROOT)))
    twice = [f"{name}: {', '.join(paths)}" for name, paths in sorted(files.items()) if len(paths) > 1]
    assert not twice, "\n".join(twice)
