//! `python/tracelake/queries.py`: one class per family, one method per query.

use super::{ORIGIN, camel, capital, families, items, paragraphs, wrap};
use crate::catalog::{Param, Query};
use crate::unit::Type;

/// Longest line, as ruff has it.
const WIDTH: usize = 120;

/// Words that cannot be names in Python.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
];

/// What stands before the list of the names that the module exports.
const HEAD: &str = "
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from tracelake.family import Family

if TYPE_CHECKING:
    from tracelake.frame import Frame

__all__ = [
";

/// The class that a session derives from.
const BASE: &str = r#"]


class Families(ABC):
    """The families as attributes of a session."""

    @abstractmethod
    def query(self, name: str, /, run: str | list[str] | None = None, **params: Any) -> Frame:  # noqa: ANN401
        """The result of the canned query of this name."""
"#;

/// The text of `python/tracelake/queries.py`; formatted and wrapped as ruff would.
pub fn python_module(queries: &[Query]) -> String {
    let families = families(queries);
    let mut out =
        format!("\"\"\"The canned queries: one class per family, one method per query.\n\n{ORIGIN}\n\"\"\"\n");
    out.push_str(HEAD);
    let mut names: Vec<String> = families.iter().map(|(family, _)| camel(family)).collect();
    names.push("Families".to_owned());
    names.sort();
    for name in names {
        out.push_str(&format!("    \"{name}\",\n"));
    }
    out.push_str(BASE);
    for (family, members) in &families {
        let class = camel(family);
        out.push_str(&format!("\n    @property\n    def {family}(self) -> {class}:\n"));
        let names: Vec<String> = members.iter().map(|query| format!("`{}`", name(query.question()))).collect();
        let names = names.join(", ");
        let line = format!("        \"\"\"Queries of the family `{family}`: {names}.\"\"\"");
        if length(&line) <= WIDTH {
            push(&mut out, &line);
        } else {
            push(&mut out, &format!("        \"\"\"Queries of the family `{family}`.\n"));
            wrap(&format!("{names}."), WIDTH, 8, 0).iter().for_each(|line| push(&mut out, line));
            push(&mut out, "        \"\"\"");
        }
        push(&mut out, &format!("        return {class}(self)"));
    }
    for (family, members) in &families {
        out.push_str(&format!(
            "\n\nclass {}(Family):\n    \"\"\"Queries of the family `{family}`, as `s.{family}`.\"\"\"\n\n    \
             __slots__ = ()\n",
            camel(family)
        ));
        for query in members {
            out.push('\n');
            method(&mut out, family, query);
        }
    }
    out
}

/// How the query is called, with all parameters at their defaults: `s.step.outliers(factor=2.0)`.
pub(super) fn usage(query: &Query) -> String {
    let given = |param: &Param| {
        let value = param.default.as_ref().map_or("...".to_owned(), |text| literal(param, text));
        format!("{}={value}", name(&param.name))
    };
    let params: Vec<String> = query.header.params.iter().map(given).collect();
    let family = query.family().unwrap_or_default();
    format!("s.{family}.{}({})", name(query.question()), params.join(", "))
}

fn method(out: &mut String, family: &str, query: &Query) {
    let header = &query.header;
    let question = name(query.question());
    let mut arguments = vec!["self".to_owned(), "run: str | list[str] | None = None".to_owned()];
    if !header.params.is_empty() {
        arguments.push("*".to_owned());
    }
    arguments.extend(header.params.iter().map(argument));
    let line = format!("    def {question}({}) -> Frame:", arguments.join(", "));
    call(out, &line, &format!("    def {question}("), &arguments, "    ) -> Frame:");
    push(out, &format!("        \"\"\"{}\n", safe(&header.summary)));
    for paragraph in paragraphs(&header.detail) {
        wrap(&safe(&paragraph), WIDTH, 8, 0).iter().for_each(|line| push(out, line));
        out.push('\n');
    }
    push(out, "        Args:");
    let run = "run: Name of a run, a list of names, or `None`: the run of the profile that was opened, else all runs.";
    wrap(run, WIDTH, 12, 4).iter().for_each(|line| push(out, line));
    for param in &header.params {
        let default = param.default.as_ref().map_or(String::new(), |text| format!(" Default: {text}."));
        let text = format!("{}: {}.{default}", name(&param.name), safe(&capital(&param.doc)));
        wrap(&text, WIDTH, 12, 4).iter().for_each(|line| push(out, line));
    }
    push(out, "\n        Returns:");
    let order: Vec<String> = header.order.iter().map(|key| format!("`{key}`")).collect();
    let text = format!("One frame, ordered by {}, with these columns.", order.join(", "));
    wrap(&text, WIDTH, 12, 0).iter().for_each(|line| push(out, line));
    out.push('\n');
    for column in &header.columns {
        let text = format!("- `{}` ({}, {}): {}", column.name, column.ty, column.unit, safe(&column.doc));
        wrap(&text, WIDTH, 12, 2).iter().for_each(|line| push(out, line));
    }
    push(out, "\n        Example:");
    let required: Vec<String> = header
        .params
        .iter()
        .filter(|param| param.default.is_none())
        .map(|param| format!("{}=...", name(&param.name)))
        .collect();
    if required.is_empty() {
        push(out, &format!("            >>> s.{family}.{question}().columns[0]\n            'run'"));
    } else {
        push(out, &format!("            >>> s.{family}.{question}({})  # doctest: +SKIP", required.join(", ")));
    }
    push(out, "        \"\"\"");
    let mut passed = vec![format!("\"{}\"", query.name), "run".to_owned()];
    passed.extend(header.params.iter().map(forwarded));
    let line = format!("        return self._session.query({})", passed.join(", "));
    call(out, &line, "        return self._session.query(", &passed, "        )");
}

/// One line if it fits, else one line per argument.
fn call(out: &mut String, line: &str, open: &str, arguments: &[String], close: &str) {
    if length(line) <= WIDTH {
        return push(out, line);
    }
    push(out, open);
    let indent = " ".repeat(open.len() - open.trim_start().len() + 4);
    arguments.iter().for_each(|argument| push(out, &format!("{indent}{argument},")));
    push(out, close);
}

/// A parameter in the signature: `factor: float = 2.0`.
fn argument(param: &Param) -> String {
    let ty = match (param.ty, param.list) {
        (Type::Bigint, false) => "int",
        (Type::Double, false) => "float",
        (Type::Text, false) => "str",
        (Type::Boolean, false) => "bool",
        (Type::Bigint, true) => "list[int] | tuple[int, ...]",
        (Type::Double, true) => "list[float] | tuple[float, ...]",
        (Type::Text, true) => "list[str] | tuple[str, ...]",
        (Type::Boolean, true) => "list[bool] | tuple[bool, ...]",
    };
    let default = param.default.as_ref().map(|text| literal(param, text));
    let none = if default.as_deref() == Some("None") { " | None" } else { "" };
    let default = default.map_or(String::new(), |text| format!(" = {text}"));
    format!("{}: {ty}{none}{default}", name(&param.name))
}

/// A parameter as the method hands it on; lists come as tuples too, since a list as a default would be shared.
fn forwarded(param: &Param) -> String {
    let word = name(&param.name);
    let value = if !param.list {
        word.clone()
    } else if is_null(param) {
        format!("None if {word} is None else list({word})")
    } else {
        format!("list({word})")
    };
    if word == param.name { format!("{word}={value}") } else { format!("**{{\"{}\": {value}}}", param.name) }
}

fn is_null(param: &Param) -> bool {
    param.default.as_ref().is_some_and(|text| text.eq_ignore_ascii_case("null"))
}

/// A default as Python writes it; a list is a tuple.
fn literal(param: &Param, text: &str) -> String {
    let one = |text: &str| match param.ty {
        Type::Boolean => capital(&text.to_lowercase()),
        Type::Double => text.parse::<f64>().map_or_else(|_| text.to_owned(), |number| format!("{number:?}")),
        Type::Text => format!("\"{}\"", text.trim_matches('\'').replace('\\', "\\\\").replace('"', "\\\"")),
        Type::Bigint => text.to_owned(),
    };
    if is_null(param) {
        return "None".to_owned();
    }
    if !param.list {
        return one(text);
    }
    let values: Vec<String> = items(text).map(one).collect();
    format!("({}{})", values.join(", "), if values.len() == 1 { "," } else { "" })
}

/// The name, with `_` after it if it is a word of Python's own.
fn name(name: &str) -> String {
    if KEYWORDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}

/// Text that stays inside a docstring.
fn safe(text: &str) -> String {
    text.replace('\\', "\\\\").replace("\"\"\"", "'''")
}

fn length(line: &str) -> usize {
    line.chars().count()
}

fn push(out: &mut String, line: &str) {
    out.push_str(line);
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_headers_stay_text_and_names_stay_names() {
        let sql = "-- Is \"\"\" \\ safe?\n--\n-- param class text = 'a\"b' what\n-- param many text[] = ['x'] which\n\
                   -- param off double[] = null where\n--\n-- column run text id run\n-- needs step\n\
                   SELECT $class, $many, $off FROM step";
        let query = Query::parse("step/from.sql", sql).unwrap();
        let module = python_module(std::slice::from_ref(&query));
        assert!(module.contains("        \"\"\"Is ''' \\\\ safe?\n"), "{module}");
        assert!(
            module
                .contains("        class_: str = \"a\\\"b\",\n        many: list[str] | tuple[str, ...] = (\"x\",),\n")
        );
        assert!(module.contains("        off: list[float] | tuple[float, ...] | None = None,\n    ) -> Frame:\n"));
        assert!(module.contains("            **{\"class\": class_},\n            many=list(many),\n"), "{module}");
        assert!(module.contains("            off=None if off is None else list(off),\n        )\n"), "{module}");
        assert_eq!(usage(&query), "s.step.from_(class_=\"a\\\"b\", many=(\"x\",), off=None)");
    }
}
