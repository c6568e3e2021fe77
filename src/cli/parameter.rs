//! Parameters from the command line: `--param NAME=VALUE`.
//!
//! A canned query declares the types of its parameters. In the user's own SQL, the type is inferred from the value, and
//! quotes make any value a text.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Param, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::FIGURES;
use crate::session::Value;
use crate::unit::Type;

/// A name and a value, as typed by the user.
pub(super) type Typed = (String, String);

/// Returns the values for a canned query, with the types that the query declares.
///
/// # Errors
/// Argument for an unknown name and for a value of another type.
pub(super) fn declared(query: &Query, given: &[Typed]) -> Result<BTreeMap<String, Value>> {
    typed(&query.header.params.iter().collect::<Vec<_>>(), given, &format!("cannot run `{}`", query.name))
}

/// Returns the values for the queries of a figure. The first query with a parameter of this name declares the type. Returns no
/// values for an unknown figure: drawing it reports the error.
///
/// # Errors
/// Argument for a name that no query declares, and for a value of another type.
pub(super) fn drawn(figure: &str, queries: &[Query], given: &[Typed]) -> Result<BTreeMap<String, Value>> {
    let Some(known) = FIGURES.iter().find(|known| known.name == figure) else { return Ok(BTreeMap::new()) };
    let asked = known.queries.iter();
    let params: Vec<&Param> = asked
        .filter_map(|ask| queries.iter().find(|query| query.name == ask.query))
        .flat_map(|query| &query.header.params)
        .collect();
    typed(&params, given, &format!("cannot draw figure {figure}"))
}

/// Returns values with the types that the parameters declare; of several with one name the first. `failed` begins each error.
fn typed(params: &[&Param], given: &[Typed], failed: &str) -> Result<BTreeMap<String, Value>> {
    let refused = |why: &str| Error::new(ErrorKind::Argument, format!("{failed}: {why}"));
    once(given)?;
    let mut values = BTreeMap::new();
    for (name, text) in given {
        let Some(param) = params.iter().find(|param| param.name == *name) else {
            if name == "run" {
                return Err(refused("`run` is not a parameter").with_hint("select runs with --run NAME"));
            }
            let known: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            return Err(refused(&Error::unknown("parameter", name, &known).to_string()));
        };
        let value = of_type(param, text)
            .ok_or_else(|| refused(&format!("argument `{name}` is `{text}`, expected {}", param.sql_type())))?;
        values.insert(name.clone(), value);
    }
    Ok(values)
}

/// Returns the values for `$name` in SQL.
///
/// # Errors
/// Argument for a name that is not in the SQL, and for a name in the SQL without a value.
pub(super) fn free(sql: &str, given: &[Typed]) -> Result<Vec<(String, Value)>> {
    once(given)?;
    let known = placeholders(sql);
    for (name, _) in given {
        if !known.contains(name.as_str()) {
            let known: Vec<String> = known.iter().map(|name| format!("${name}")).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let unknown = Error::unknown("parameter", &format!("${name}"), &known).of_kind(ErrorKind::Argument);
            return Err(if known.is_empty() { unknown.with_hint("the SQL has no `$name`") } else { unknown });
        }
    }
    if let Some(missing) = known.into_iter().find(|name| !given.iter().any(|(given, _)| given == name)) {
        return Err(Error::new(ErrorKind::Argument, format!("no value for parameter `${missing}`"))
            .with_hint(format!("write --param {missing}=VALUE")));
    }
    Ok(given.iter().map(|(name, text)| (name.clone(), by_look(text))).collect())
}

/// Returns an error for a name that is given twice.
fn once(given: &[Typed]) -> Result<()> {
    let mut seen = BTreeSet::new();
    match given.iter().find(|(name, _)| !seen.insert(name)) {
        Some((name, _)) => Err(Error::new(ErrorKind::Argument, format!("parameter `{name}` is given twice"))),
        None => Ok(()),
    }
}

/// Returns the value of a declared parameter; a list may have brackets.
fn of_type(param: &Param, text: &str) -> Option<Value> {
    if !param.list {
        return one(param.ty, text);
    }
    let inner = bracketed(text).unwrap_or(text);
    items(inner)
        .into_iter()
        .map(|item| one(param.ty, &unquoted(item).unwrap_or(item.to_owned())))
        .collect::<Option<_>>()
        .map(Value::List)
}

fn one(ty: Type, text: &str) -> Option<Value> {
    Some(match ty {
        Type::Bigint => Value::Bigint(text.trim().parse().ok()?),
        Type::Double => Value::Double(text.trim().parse().ok()?),
        Type::Boolean => Value::Boolean(text.trim().parse().ok()?),
        Type::Text => Value::Text(text.to_owned()),
    })
}

/// Returns a value with an inferred type: a list in brackets, a text in quotes, a number, true or false, else text.
fn by_look(text: &str) -> Value {
    if let Some(inner) = bracketed(text) {
        return Value::List(items(inner).into_iter().map(by_look).collect());
    }
    unquoted(text).map_or_else(|| Value::typed(text), Value::Text)
}

fn bracketed(text: &str) -> Option<&str> {
    text.trim().strip_prefix('[')?.strip_suffix(']')
}

/// Returns the text in quotes, with the quoting of SQL: `'it''s'`.
fn unquoted(text: &str) -> Option<String> {
    Some(text.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"))
}

/// Returns the items of a list that commas separate; a comma in quotes is part of an item.
fn items(list: &str) -> Vec<&str> {
    if list.trim().is_empty() {
        return Vec::new();
    }
    let (mut found, mut from, mut quoted) = (Vec::new(), 0, false);
    for (at, c) in list.char_indices() {
        let before = &list[from..at];
        match c {
            // An apostrophe in a word is not a quote.
            '\'' if quoted || before.trim().is_empty() || before.ends_with('\'') => quoted = !quoted,
            ',' if !quoted => {
                found.push(before.trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(list[from..].trim());
    found
}

/// Returns the names of `$name` in SQL, without those in strings, quoted names and comments.
fn placeholders(sql: &str) -> BTreeSet<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = BTreeSet::new();
    let mut rest = sql;
    while let Some(c) = rest.chars().next() {
        rest = match c {
            '\'' | '"' | '`' => after(&rest[1..], &c.to_string()),
            '-' if rest.starts_with("--") => after(rest, "\n"),
            '/' if rest.starts_with("/*") => after_comment(rest),
            '$' => {
                let name = &rest[1..];
                let name = &name[..name.find(|c| !is_word(c)).unwrap_or(name.len())];
                let tag = &rest[..=name.len()];
                let behind = &rest[tag.len()..];
                if let Some(quoted) = behind.strip_prefix('$') {
                    // `$$ ... $$` and `$tag$ ... $tag$` are strings.
                    after(quoted, &format!("{tag}$"))
                } else {
                    found.insert(name);
                    behind
                }
            }
            c if is_word(c) => {
                // A name may contain a dollar; `E'...'` is a string with escapes.
                let (word, behind) = rest.split_at(rest.find(|c| !is_word(c) && c != '$').unwrap_or(rest.len()));
                match behind.strip_prefix('\'').filter(|_| word.eq_ignore_ascii_case("e")) {
                    Some(quoted) => after_escaped(quoted),
                    None => behind,
                }
            }
            _ => &rest[c.len_utf8()..],
        };
    }
    found
}

/// Returns the text after a string in which a backslash escapes the next character.
fn after_escaped(text: &str) -> &str {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            '\'' if !escaped => return &text[at + 1..],
            _ => escaped = c == '\\' && !escaped,
        }
    }
    ""
}

/// Returns the text after the next `end`.
fn after<'a>(text: &'a str, end: &str) -> &'a str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// Returns the text after a comment; comments may be nested.
fn after_comment(text: &str) -> &str {
    let (mut rest, mut depth) = (&text[2..], 1);
    while depth > 0 {
        let Some(at) = rest.find("*/") else { return "" };
        let inner = rest.find("/*").filter(|open| *open < at);
        depth = if inner.is_some() { depth + 1 } else { depth - 1 };
        rest = &rest[inner.unwrap_or(at) + 2..];
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(ty: Type, list: bool) -> Param {
        Param { name: "p".to_owned(), ty, list, default: None, domain: crate::catalog::Domain::Any, doc: String::new() }
    }

    #[test]
    fn the_declared_type_decides() {
        let value = |ty, text| of_type(&param(ty, false), text);
        assert_eq!(value(Type::Text, "123"), Some(Value::from("123")));
        assert_eq!(value(Type::Text, "nan"), Some(Value::from("nan")));
        assert_eq!(value(Type::Text, "'a' [b]"), Some(Value::from("'a' [b]")));
        assert_eq!(value(Type::Double, "3"), Some(Value::from(3.0)));
        assert_eq!(value(Type::Bigint, "-3"), Some(Value::from(-3)));
        assert_eq!(value(Type::Boolean, "true"), Some(Value::from(true)));
        for (ty, text) in [(Type::Bigint, "2.5"), (Type::Double, "long"), (Type::Boolean, "1"), (Type::Bigint, "")] {
            assert_eq!(value(ty, text), None, "{text}");
        }
    }

    #[test]
    fn the_declared_type_decides_about_each_item() {
        let value = |ty, text| of_type(&param(ty, true), text);
        let texts = |texts: &[&str]| Some(Value::from(texts));
        assert_eq!(value(Type::Text, "[1, 'a, b', it's]"), texts(&["1", "a, b", "it's"]));
        assert_eq!(value(Type::Text, "cpu,gpu"), texts(&["cpu", "gpu"]));
        assert_eq!(value(Type::Text, "['it''s']"), texts(&["it's"]));
        assert_eq!(value(Type::Double, "[0.5, 1]"), Some(Value::from(vec![0.5, 1.0])));
        assert_eq!(value(Type::Double, "[]"), Some(Value::List(Vec::new())));
        assert_eq!(value(Type::Double, "[0.5,]"), None);
    }

    #[test]
    fn a_value_is_what_it_looks_like_and_quotes_make_it_text() {
        assert_eq!(by_look("123"), Value::from(123));
        assert_eq!(by_look("'123'"), Value::from("123"));
        assert_eq!(by_look("'it''s'"), Value::from("it's"));
        assert_eq!(by_look("it's"), Value::from("it's"));
        assert_eq!(by_look("'"), Value::from("'"));
        assert_eq!(by_look("['1', 2]"), Value::List(vec![Value::from("1"), Value::from(2)]));
    }

    #[test]
    fn placeholders_stand_outside_of_strings_and_comments() {
        let names = |sql| placeholders(sql).into_iter().collect::<Vec<_>>();
        assert_eq!(names("select $b, $a_1 where x = $b and y = $1"), ["1", "a_1", "b"]);
        assert_eq!(names("select '$a', \"$b\", 'it''s $c' -- $d\n, $e"), ["e"]);
        assert_eq!(names("select /* $a /* $b */ $c */ $d"), ["d"]);
        assert_eq!(names("select $$ $a $$, $t$ $b $$ $t$, $c"), ["c"]);
        assert_eq!(names("select 'no end $a"), Vec::<&str>::new());
        assert_eq!(names("select 'é', $é"), ["é"]);
        assert_eq!(names(r"select E'it\'s $a', e'\\', a$b, 'x\', $c"), ["c"]);
    }
}
