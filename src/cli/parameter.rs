//! Parameters from the command line: `--param NAME=VALUE`.
//!
//! A canned query declares the types of its parameters. In the user's own SQL, the type is inferred from the value, and
//! quotes make any value a text.

use std::collections::{BTreeMap, BTreeSet};

use crate::catalog::{Domain, Param, Query};
use crate::error::{Error, ErrorKind, Result};
use crate::figure::FIGURES;
use crate::session::{Value, placeholders};
use crate::unit::Type;

/// A name and a value, as typed by the user.
pub(super) type NameValue = (String, String);

/// Returns the values for a canned query, with the types that the query declares.
///
/// # Errors
/// Argument for an unknown name and for a value of another type.
pub(super) fn parse_declared(query: &Query, arguments: &[NameValue]) -> Result<BTreeMap<String, Value>> {
    parse_params(&query.header.params.iter().collect::<Vec<_>>(), arguments, &format!("cannot run `{}`", query.name))
}

/// Returns the values for the queries of a figure. The first query with a parameter of this name declares the type. Returns no
/// values for an unknown figure: drawing it reports the error.
///
/// # Errors
/// Argument for a name that no query declares, and for a value of another type.
pub(super) fn parse_for_figure(
    figure: &str,
    queries: &[Query],
    arguments: &[NameValue],
) -> Result<BTreeMap<String, Value>> {
    let Some(known) = FIGURES.iter().find(|known| known.name == figure) else { return Ok(BTreeMap::new()) };
    let drawn = known.queries.iter().filter_map(|ask| queries.iter().find(|query| query.name == ask.query));
    let params: Vec<&Param> = drawn.flat_map(|query| &query.header.params).collect();
    parse_params(&params, arguments, &format!("cannot draw figure {figure}"))
}

/// Returns values with the types that the parameters declare; the first of several with one name counts. `failed` begins
/// each error.
fn parse_params(params: &[&Param], arguments: &[NameValue], failed: &str) -> Result<BTreeMap<String, Value>> {
    let refused = |why: &str| Error::new(ErrorKind::Argument, format!("{failed}: {why}"));
    check_unique(arguments)?;
    let mut values = BTreeMap::new();
    for (name, text) in arguments {
        let Some(param) = params.iter().find(|param| param.name == *name) else {
            if name == "run" {
                return Err(refused("`run` is not a parameter").with_hint("select runs with --run NAME"));
            }
            let known: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
            return Err(refused(&Error::unknown("parameter", name, &known).to_string()));
        };
        let value = parse_value(param, text)
            .ok_or_else(|| refused(&format!("argument `{name}` is `{text}`, expected {}", param.sql_type())))?;
        values.insert(name.clone(), value);
    }
    Ok(values)
}

/// Returns the values for `$name` in SQL.
///
/// # Errors
/// Argument for a name that is not in the SQL, and for a name in the SQL without a value.
pub(super) fn parse_for_sql(sql: &str, arguments: &[NameValue]) -> Result<Vec<(String, Value)>> {
    check_unique(arguments)?;
    let known = placeholders(sql);
    for (name, _) in arguments {
        if !known.contains(name.as_str()) {
            let known: Vec<String> = known.iter().map(|name| format!("${name}")).collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            let unknown = Error::unknown("parameter", &format!("${name}"), &known).with_kind(ErrorKind::Argument);
            return Err(if known.is_empty() { unknown.with_hint("the SQL has no `$name`") } else { unknown });
        }
    }
    if let Some(missing) = known.into_iter().find(|name| !arguments.iter().any(|(argument, _)| argument == name)) {
        return Err(Error::new(ErrorKind::Argument, format!("no value for parameter `${missing}`"))
            .with_hint(format!("write --param {missing}=VALUE")));
    }
    Ok(arguments.iter().map(|(name, text)| (name.clone(), infer_value(text))).collect())
}

/// Returns an error for a name that is given twice.
fn check_unique(arguments: &[NameValue]) -> Result<()> {
    let mut names = BTreeSet::new();
    match arguments.iter().find(|(name, _)| !names.insert(name)) {
        Some((name, _)) => Err(Error::new(ErrorKind::Argument, format!("parameter `{name}` is given twice"))),
        None => Ok(()),
    }
}

/// Returns the value of a declared parameter; a list may have brackets.
fn parse_value(param: &Param, text: &str) -> Option<Value> {
    if !param.list {
        return parse_scalar(param, text);
    }
    let items = split_list(strip_brackets(text).unwrap_or(text)).into_iter();
    let items = items.map(|item| parse_scalar(param, &strip_quotes(item).unwrap_or(item.to_owned())));
    items.collect::<Option<_>>().map(Value::List)
}

fn parse_scalar(param: &Param, text: &str) -> Option<Value> {
    Some(match param.ty {
        // The query reads a time from text.
        Type::Bigint if param.domain == Domain::Time => infer_value(text),
        Type::Bigint => Value::Bigint(text.trim().parse().ok()?),
        Type::Double => Value::Double(text.trim().parse().ok()?),
        Type::Boolean => Value::Boolean(text.trim().parse().ok()?),
        Type::Text => Value::Text(text.to_owned()),
    })
}

/// Returns a value with an inferred type: a list in brackets, a text in quotes, a number, true or false, else text.
fn infer_value(text: &str) -> Value {
    if let Some(inner) = strip_brackets(text) {
        return Value::List(split_list(inner).into_iter().map(infer_value).collect());
    }
    strip_quotes(text).map_or_else(|| Value::typed(text), Value::Text)
}

fn strip_brackets(text: &str) -> Option<&str> {
    text.trim().strip_prefix('[')?.strip_suffix(']')
}

/// Returns the text in quotes, with the quoting of SQL: `'it''s'`.
fn strip_quotes(text: &str) -> Option<String> {
    Some(text.strip_prefix('\'')?.strip_suffix('\'')?.replace("''", "'"))
}

/// Returns the items of a list that commas separate; a comma in quotes is part of an item.
fn split_list(list: &str) -> Vec<&str> {
    if list.trim().is_empty() {
        return Vec::new();
    }
    let (mut items, mut start, mut is_quoted) = (Vec::new(), 0, false);
    for (n, c) in list.char_indices() {
        let before = &list[start..n];
        match c {
            // An apostrophe in a word is not a quote.
            '\'' if is_quoted || before.trim().is_empty() || before.ends_with('\'') => is_quoted = !is_quoted,
            ',' if !is_quoted => {
                items.push(before.trim());
                start = n + 1;
            }
            _ => {}
        }
    }
    items.push(list[start..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(ty: Type, list: bool) -> Param {
        Param { name: "p".to_owned(), ty, list, default: None, domain: Domain::Any, doc: String::new() }
    }

    #[test]
    fn the_declared_type_decides() {
        let value = |ty, text| parse_value(&param(ty, false), text);
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
        let value = |ty, text| parse_value(&param(ty, true), text);
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
        assert_eq!(infer_value("123"), Value::from(123));
        assert_eq!(infer_value("'123'"), Value::from("123"));
        assert_eq!(infer_value("'it''s'"), Value::from("it's"));
        assert_eq!(infer_value("it's"), Value::from("it's"));
        assert_eq!(infer_value("'"), Value::from("'"));
        assert_eq!(infer_value("['1', 2]"), Value::List(vec![Value::from("1"), Value::from(2)]));
    }
}
