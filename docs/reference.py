"""Generates pages of the site from the catalog: one for each family of queries, one for each finding.

`make docs` writes them into docs/queries/ and docs/findings/ for Sphinx; git ignores both. The catalog is `sql/`. Its
files have the same texts, for readers of the repository.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from inspect import Parameter
from itertools import groupby
from pathlib import Path

import tracelake as tl
from tracelake import _tracelake
from tracelake.family import default_value

DOCS = Path(__file__).parent
DATA = DOCS.parent / "tests" / "data"
PROFILES = (
    *("golden/*", "first_look", "pytorch_ddp", "data_loading/timings", "dali_loader_evaluator", "lightning/advanced"),
    *("recorder/planted", "recorder/w*", "before_after/*"),
)
"""Profiles for examples of findings: the first profile with an outcome is shown."""
QUERIES = {query["name"]: query for query in sorted(_tracelake.help_queries(), key=lambda query: query["name"])}


def prose(text: str) -> str:
    """Returns text as Markdown, with `<` escaped."""
    return "`".join(part.replace("<", "\\<") if n % 2 == 0 else part for n, part in enumerate(text.split("`")))


def table(heading: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Returns a Markdown table."""
    lines = [heading, ("---",) * len(heading), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


def link(name: str, here: str) -> str:
    """Returns a link to a query, from a page of the folder docs/<here>."""
    family, short_name = name.split(".")
    page = f"findings/{short_name}.md" if family == "finding" else f"queries/{family}.md#{name.replace('.', '')}"
    return f"[`{name}`]({'../' if here else ''}{page})"


def usage(query: dict) -> list[tuple[str, str]]:
    """Returns the calls of a query in each language, with all parameters at their defaults."""
    family, short_name = query["name"].split(".")
    sql, python, rust, shell = [], [], [], []
    for param in query["params"]:
        name, text, value = param["name"], param["default"], default_value(param)
        sql.append(f"{name} => {text or '...'}")
        has_default = value is not Parameter.empty
        python.append(f"{name}={value!r}" if has_default else f"{name}=...")
        if value is not None:  # Rust has no value for null: the call is omitted
            rust_value = (
                f"&{json.dumps(list(value))}"
                if isinstance(value, tuple)
                else json.dumps(value)
                if has_default
                else "..."
            )
            rust.append(f".{name}({rust_value})")
        plain = "..." if text is None else text.replace("'", "")
        shell.append(f" --param '{name}={plain}'" if re.search("[ '|]", text or "") else f" --param {name}={plain}")
    call = f"{query['name'].replace('.', '_')}" + (f"({', '.join(sql)})" if sql else "")
    return [
        ("SQL", f"`select * from {call}`"),
        ("Python", f"`s.{query['name']}({', '.join(python)})`"),
        ("Rust", f"`s.{family}().{short_name}(){''.join(rust)}.fetch()?`"),
        ("shell", f"`tracelake query {query['name']}{''.join(shell)}`"),
    ]


def parameters(query: dict) -> str:
    """Returns the table of the parameters."""
    rows = [
        (
            f"`{param['name']}`",
            param["type"],
            f"`{param['default']}`" if param["default"] else "must be given",
            prose(param["doc"]),
        )
        for param in query["params"]
    ]
    return "\n" + table(("parameter", "type", "default", ""), rows) if rows else ""


def section(query: dict) -> str:
    """Returns the section of a query on the page of its family."""
    columns = [(f"`{c['name']}`", c["type"], c["unit"], prose(c["doc"])) for c in query["columns"]]
    facts = [f"Order: {', '.join(f'`{key}`' for key in query['order'])}."]
    facts += [f"Reads: {', '.join(f'`{name}`' for name in query['reads'])}."]
    if query["sources"]:
        facts.append(f"Filled by: {', '.join(f'`{name}`' for name in query['sources'])}.")
    parts = [f"## {query['name']}\n", prose(query["question"]) + "\n"]
    parts += [prose(query["doc"]) + "\n"] * bool(query["doc"])
    parts += [table(("in", ""), usage(query)) + parameters(query)]
    parts += [table(("column", "type", "unit", ""), columns), " ".join(facts) + "\n"]
    parts += [f"No rows: {prose(query['empty'])}.\n"] * bool(query["empty"])
    return "\n".join(parts)


def families() -> dict[str, list[dict]]:
    """Returns the queries by family, without the findings."""
    grouped = {family: list(queries) for family, queries in groupby(QUERIES.values(), lambda query: query["family"])}
    del grouped["finding"]
    return grouped


def family_pages() -> dict[str, str]:
    """Returns the page of each family, by path below docs/."""
    pages = {}
    for family, queries in families().items():
        sections = "\n".join(map(section, queries))
        pages[f"queries/{family}.md"] = f"# {family}\n\n[All families](../queries.md)\n\n{sections}"
    return pages


def family_index() -> str:
    """Returns the list of the queries on docs/queries.md."""
    lines = []
    for family, queries in families().items():
        lines.append(f"\n## Queries of {family}\n\n")
        lines += [f"- {link(query['name'], '')}: {prose(query['question'])}\n" for query in queries]
    return "".join(lines)


def findings() -> dict[str, dict]:
    """Returns the findings by name."""
    return {name.split(".")[1]: query for name, query in QUERIES.items() if query["finding"]}


def finding_index() -> str:
    """Returns the table of the findings on docs/findings.md."""
    rows = [
        (f"[`{name}`](findings/{name}.md)", prose(query["question"]), prose(query["finding"]["limits"]))
        for name, query in findings().items()
    ]
    return "\n" + table(("finding", "question", "limits"), rows)


def changed_limits(name: str, query: dict) -> str:
    """Returns the text about changing the limits of a finding."""
    values = {param["name"]: json.dumps(default_value(param)) for param in query["params"]}
    first = query["params"][0]
    value, plain = values[first["name"]], first["default"].strip("'")
    python = (
        f's.diagnose(thresholds={{"{name}": {{"{first["name"]}": {value}}}}})\ns.diagnose(thresholds="limits.toml")'
    )
    shell = f"tracelake diagnose --set {name}.{first['name']}={plain}\ntracelake diagnose --thresholds limits.toml"
    sql = f"select * from finding_{name}({first['name']} => {first['default']})"
    toml = f"# limits.toml\n[{name}]\n" + "\n".join(f"{key} = {text}" for key, text in values.items())
    blocks = {"python": python, "sh": shell, "sql": sql}
    text = "".join(f"```{language}\n{code}\n```\n\n" for language, code in blocks.items())
    return f"These are the defaults. To change them for one call:\n\n{text}```toml\n{toml}\n```\n"


def evidence(query: dict, examples: list[dict]) -> str:
    """Returns the text about the data that a finding needs and reads."""
    parts = []
    # Sentences that differ only in a number are one requirement.
    missing = {
        re.sub(r"\d", "", row["sentence"]): row["sentence"].removeprefix("not enough data: ")
        for row in reversed(examples)
        if row["sentence"].startswith("not enough data: ")
    }
    if missing:
        items = "".join(f"- {prose(sentence)}.\n" for sentence in reversed(missing.values()))
        parts.append(f"Without these data the outcome is `no_data`:\n\n{items}")
    parts.append(f"It reads {', '.join(f'`{name}`' for name in query['reads'])}. Its evidence:\n")
    queries = (QUERIES[name] for name in query["finding"]["evidence"])
    parts.append("".join(f"- {link(other['name'], 'findings')}: {prose(other['question'])}\n" for other in queries))
    return "\n".join(parts)


def finding_page(name: str, query: dict, examples: list[dict]) -> str:
    """Returns the page of a finding."""
    finding = query["finding"]
    facts = {
        "Severity": ", ".join(finding["severities"]) or "none, it is never found",
        "Cause": prose(finding["cause"]),
        "Remedy": prose(finding["remedy"]),
    }
    limits = prose(finding["limits"])
    first = {row["outcome"]: row for row in reversed(examples)}
    results = [
        (f"`{outcome}`", first[outcome]["run"], prose(first[outcome]["sentence"]))
        for outcome in ("found", "passed", "no_data")
        if outcome in first
    ]
    parts = [f"# {name}\n", prose(query["question"]) + "\n"]
    parts += [prose(query["doc"]) + "\n"] * bool(query["doc"])
    parts += ["".join(f"- **{word}**: {text}.\n" for word, text in facts.items())]
    parts += ["## Limits\n", f"{limits[:1].upper()}{limits[1:]}."]
    parts += (
        [parameters(query), changed_limits(name, query)] if query["params"] else ["This finding has no parameters.\n"]
    )
    parts += ["## Evidence\n", evidence(query, examples)]
    parts += ["## Results\n", table(("outcome", "profile", "sentence"), results)]
    return "\n".join([*parts, "[All findings](../findings.md)\n"])


def finding_pages(examples: list[dict]) -> dict[str, str]:
    """Returns the page of each finding, by path below docs/."""
    return {
        f"findings/{name}.md": finding_page(name, query, [row for row in examples if row["id"] == name])
        for name, query in findings().items()
    }


def examples() -> list[dict]:
    """Returns the results of the diagnosis for profiles in tests/data, with their folders as names."""
    with tempfile.TemporaryDirectory() as lake, tl.open(lake, create=True) as session:
        for profile in PROFILES:
            session.ingest(DATA / profile)
        sources = list(session.sql("select run, sources from run"))
        rows = list(session.sql("select id, outcome, run, sentence from diagnosis"))
    folders = {row["run"]: json.loads(row["sources"])[0].partition("/tests/data/")[2].strip("/") for row in sources}
    order = [profile.partition("/")[0] for profile in PROFILES]
    rows = [{**row, "run": folders[row["run"]]} for row in rows]
    return sorted(rows, key=lambda row: (order.index(row["run"].partition("/")[0]), row["run"]))


def write() -> None:
    """Writes the pages if the native module or this file is newer than they are."""
    page = DOCS / "findings" / "worker_exit.md"
    inputs = [Path(_tracelake.__file__), Path(__file__)]
    if page.exists() and page.stat().st_mtime > max(file.stat().st_mtime for file in inputs):
        return
    for folder in ("queries", "findings"):
        shutil.rmtree(DOCS / folder, ignore_errors=True)
        (DOCS / folder).mkdir()
    for path, text in {**family_pages(), **finding_pages(examples())}.items():
        (DOCS / path).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write()
