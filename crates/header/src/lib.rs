//! Reads the comment block at the top of a `.sql` file: the contract of a canned query.
//!
//! [`parse`] takes the text of one file and returns a [`Header`] and the SQL below the comment block.
//! It does no I/O. The crate has no dependencies because `build.rs` of the root crate uses it too:
//! cargo would compile a dependency such as Arrow twice.
//!
//! The block consists of paragraphs, separated by blank comment lines. Its first line is the
//! question. Prose follows, up to the first paragraph that starts with a keyword. From there on,
//! each line is one item.

pub mod unit;

use std::fmt;

use crate::unit::{Type, Unit};

/// The words that start an item.
const KEYWORDS: [&str; 11] =
    ["empty", "param", "column", "cause", "remedy", "limits", "evidence", "needs", "order", "source", "cache"];

/// The contract of one canned query: the parsed header of its `.sql` file.
#[derive(Debug, Default, Clone)]
pub struct Header {
    /// The question the query answers, in one sentence.
    pub summary: String,
    /// A longer description; may be empty.
    pub detail: String,
    /// Why the result may have no rows, and what to do about it; may be empty.
    pub empty: String,
    /// Parameters, in the order of the arguments of the table function.
    pub params: Vec<Param>,
    /// Columns of the result, in order.
    pub columns: Vec<Column>,
    /// Tables and views the query reads.
    pub needs: Vec<String>,
    /// Columns that the rows are sorted by; a name may be followed by `desc`.
    pub order: Vec<String>,
    /// Formats that provide the data the query needs.
    pub sources: Vec<String>,
    /// Whether the header has the line `cache large`: the view has few rows, so a session caches
    /// them for a single run of any size. In lakes of up to a million rows, a session caches each
    /// bundled view or query that other queries read, but none of a user.
    pub cache_large: bool,
    /// The additional lines of a finding; `None` for any other query.
    pub finding: Option<FindingHeader>,
}

/// The lines that only the header of a finding has. A query is a finding if its header has a
/// `cause` line.
///
/// All findings have the same columns, see [`finding_columns`]. Their headers have no `column`
/// lines.
#[derive(Debug, Default, Clone)]
pub struct FindingHeader {
    /// Why the problem occurs.
    pub cause: String,
    /// What the user can do about it.
    pub remedy: String,
    /// The source of its thresholds.
    pub limits: String,
    /// Canned queries that return the evidence.
    pub evidence: Vec<String>,
    /// SQL of the quantity that the finding checks.
    #[doc(hidden)]
    pub quantity: String,
}

impl FindingHeader {
    /// The severities that the finding can have, lowest first; none if its outcome is never
    /// `found`.
    pub fn severities(&self) -> impl Iterator<Item = &'static str> + '_ {
        let can_be = |severity: &&str| self.quantity.contains(&format!("THEN '{severity}'"));
        ["notice", "warning", "critical"].into_iter().filter(can_be)
    }
}

/// Returns the columns of every finding, and of `diagnosis`.
pub fn finding_columns() -> Vec<Column> {
    use Type::{Bigint, Double, Text};
    let column = |name: &str, ty, unit, doc: &str| Column { name: name.into(), ty, unit, doc: doc.into() };
    let severity = "notice, warning or critical; null unless found; a notice at most below 20 steps";
    let sentence = "what was found, why the check passed, or what is missing and how to record it";
    let steps = "number of steps, batches or samples that the value is based on; null if not applicable";
    let saving = "maximum time that a remedy can save; null if unknown; do not add those of findings with one cause";
    let explained_by = "in `diagnosis`, the finding of the same run that explains this one; null if none does";
    let recommendation = "recommended action; null unless found; also null if another finding explains it, or if it can save at most 5 % of the time";
    vec![
        column("run", Text, Unit::Id, "run"),
        column("id", Text, Unit::Name, "name of the finding"),
        column("outcome", Text, Unit::Name, "found, passed or no_data"),
        column("severity", Text, Unit::Name, severity),
        column("confidence", Text, Unit::Name, "low below 20 steps, medium below 100, else high; null for no_data"),
        column("sentence", Text, Unit::Text, sentence),
        column("value", Double, Unit::Mixed, "the quantity that was checked; null for no_data"),
        column("threshold", Double, Unit::Mixed, "the limit that the value was compared with; null if there is none"),
        column("threshold_source", Text, Unit::Text, "where the limits come from"),
        column("steps", Bigint, Unit::Count, steps),
        column("potential_saving", Bigint, Unit::Ns, saving),
        column(
            "saving_ratio",
            Double,
            Unit::Ratio,
            "`potential_saving` over the time that it is a part of; null if unknown",
        ),
        column("cause", Text, Unit::Text, "cause of the finding"),
        column("explained_by", Text, Unit::Name, explained_by),
        column("recommendation", Text, Unit::Text, recommendation),
        column("evidence", Text, Unit::Name, "canned queries that return the evidence, separated by commas"),
    ]
}

/// A parameter: `$name` in the SQL.
#[derive(Debug, Clone)]
pub struct Param {
    /// Name, without the dollar.
    pub name: String,
    /// SQL type of the value, or of the elements of a list.
    pub ty: Type,
    /// Whether the value is a list.
    pub list: bool,
    /// The values that it accepts in addition to null.
    pub domain: Domain,
    /// Default value as an SQL literal; `None` if the caller must pass a value.
    pub default: Option<String>,
    /// One line of description.
    pub doc: String,
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// All values of the type.
    Any,
    /// Numbers from a minimum, up to a maximum if there is one: `1..`, `0..1`.
    Range(f64, Option<f64>),
    /// These texts: `loader|epoch`.
    Names(Vec<String>),
    /// Names of attributes of the runs in the lake: `attribute`.
    Attribute,
    /// Names of the runs in the lake: `run`.
    Run,
    /// Times, as ns since the Unix epoch or as text: `time`.
    Time,
    /// The domain of a parameter of another query: `run_metric.metric`.
    SameAs(String, String),
}

impl Domain {
    /// Parses the text after `in`.
    fn parse(text: &str, ty: Type) -> Result<Self, String> {
        let number = |text: &str| text.parse().map_err(|_| format!("`{text}` is not a number"));
        let domain = match (text, text.split_once("..")) {
            ("attribute", _) => Self::Attribute,
            ("run", _) => Self::Run,
            ("time", _) => Self::Time,
            (_, Some((min, ""))) => Self::Range(number(min)?, None),
            (_, Some((min, max))) => Self::Range(number(min)?, Some(number(max)?)),
            _ if text.contains('|') => Self::Names(text.split('|').map(str::to_owned).collect()),
            _ => match text.split_once('.') {
                Some((query, param)) => Self::SameAs(query.to_owned(), param.to_owned()),
                None => {
                    return Err(format!(
                        "`in {text}` is not `a|b`, `0..1`, `attribute`, `run`, `time` or `query.param`"
                    ));
                }
            },
        };
        let fits = match domain {
            Self::Time => ty == Type::Bigint,
            Self::Range(..) => ty != Type::Text,
            _ => ty == Type::Text,
        };
        if !fits {
            return Err(format!("`in {text}` does not fit the type {ty}"));
        }
        Ok(domain)
    }

    /// The end of a description that lists the values; empty if the description needs none.
    fn description(&self) -> String {
        match self {
            Self::Range(min, None) => format!(", at least {min}"),
            Self::Names(names) => match names.split_last() {
                Some((last, others)) => format!(": {} or {last}", others.join(", ")),
                None => String::new(),
            },
            Self::Any | Self::Range(..) | Self::Attribute | Self::Run | Self::Time | Self::SameAs(..) => String::new(),
        }
    }
}

/// A column of the result.
#[derive(Debug, Clone)]
pub struct Column {
    /// Name.
    pub name: String,
    /// SQL type.
    pub ty: Type,
    /// What the values mean.
    pub unit: Unit,
    /// One line of description.
    pub doc: String,
}

impl Param {
    /// The type in SQL: `double`, `text[]`.
    pub fn sql_type(&self) -> String {
        format!("{}{}", self.ty, if self.list { "[]" } else { "" })
    }
}

/// The error of a header: where and what is wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct HeaderError {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong, with the allowed words if they are a closed list.
    pub message: String,
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Splits a `.sql` file into its header and its query.
///
/// # Errors
/// The first mistake in the header.
pub fn parse(sql: &str) -> Result<(Header, &str), HeaderError> {
    let (block, body) = split_comment(sql);
    let on_first_line = |message: String| HeaderError { line: 1, message };
    let (summary, block) = block.split_first().map_or(("", block.as_slice()), |(first, others)| (*first, others));
    if summary.is_empty() || KEYWORDS.contains(&split_word(summary).0) {
        return Err(on_first_line("the first line must be one sentence: the question that the query answers".into()));
    }
    let mut header = Header { summary: summary.to_owned(), ..Header::default() };
    let mut prose = Vec::new();
    let mut after_blank = true;
    let mut in_items = false;
    let mut items = Vec::new();
    for (line, text) in (2..).zip(block) {
        let (keyword, rest) = split_word(text);
        let is_item = KEYWORDS.contains(&keyword);
        in_items |= after_blank && is_item;
        after_blank = text.is_empty();
        if !in_items {
            prose.push(*text);
        } else if is_item {
            parse_item(&mut header, keyword, rest).map_err(|message| HeaderError { line, message })?;
            items.push((keyword, split_word(rest).0, line));
        } else if !text.is_empty() {
            let message = format!("`{keyword}` is not one of: {}", KEYWORDS.join(", "));
            return Err(HeaderError { line, message });
        }
    }
    prose.join("\n").trim().clone_into(&mut header.detail);
    complete_finding(&mut header).map_err(on_first_line)?;
    validate(&header, body, &items)?;
    Ok((header, body))
}

/// Checks that a finding has all of its lines, and sets its columns and order.
fn complete_finding(header: &mut Header) -> Result<(), String> {
    let Some(finding) = &header.finding else { return Ok(()) };
    let lines = [("cause", &finding.cause), ("remedy", &finding.remedy), ("limits", &finding.limits)];
    if let Some((missing, _)) = lines.iter().find(|(_, text)| text.is_empty()) {
        return Err(format!("no `{missing}` line: a finding has `cause`, `remedy`, `limits` and `evidence`"));
    }
    if finding.evidence.is_empty() {
        return Err("no `evidence` line: name the canned queries that return the evidence".into());
    }
    if !header.columns.is_empty() || !header.order.is_empty() {
        return Err("the columns and the order of findings are fixed: remove the `column` and `order` lines".into());
    }
    header.columns = finding_columns();
    header.order = vec!["run".into()];
    // The part that all findings share reads it.
    header.needs.push("run_attribute".into());
    Ok(())
}

/// Keyword, name and line of an item, for errors that only a check of the whole header finds.
type ItemLine<'a> = (&'a str, &'a str, usize);

/// The line of the last item with this keyword and name, else with this keyword, else 1.
fn line_of(items: &[ItemLine<'_>], keyword: &str, name: &str) -> usize {
    let mut items = items.iter().rev().filter(|item| item.0 == keyword).peekable();
    let last = items.peek().map_or(1, |item| item.2);
    items.find(|item| item.1 == name).map_or(last, |item| item.2)
}

/// Returns the comment lines without their `--`, and the query below them.
fn split_comment(sql: &str) -> (Vec<&str>, &str) {
    let mut block = Vec::new();
    let mut length = 0;
    for line in sql.split_inclusive('\n') {
        let Some(text) = line.strip_prefix("--") else { break };
        length += line.len();
        block.push(text.trim());
    }
    (block, sql[length..].trim().trim_end_matches(';'))
}

/// Parses one item into its field of the header.
fn parse_item(header: &mut Header, keyword: &str, rest: &str) -> Result<(), String> {
    match keyword {
        "param" => {
            let (name, rest) = split_word(rest);
            let (ty, rest) = split_word(rest);
            let (element, list) = ty.strip_suffix("[]").map_or((ty, false), |element| (element, true));
            let ty = Type::parse(element)?;
            let (domain, rest) = match rest.strip_prefix("in ").map(split_word) {
                Some((domain, rest)) => {
                    (Domain::parse(domain, ty).map_err(|why| format!("param `{name}`: {why}"))?, rest)
                }
                None => (Domain::Any, rest),
            };
            let (default, doc) = match rest.strip_prefix("= ") {
                Some(rest) => {
                    let (value, doc) = parse_literal(rest)?;
                    (Some(value.to_owned()), doc)
                }
                None => (None, rest),
            };
            let doc = require_description("param", name, doc)? + &domain.description();
            header.params.push(Param { name: name.into(), ty, list, domain, default, doc });
        }
        "column" => {
            let (name, rest) = split_word(rest);
            let (ty, rest) = split_word(rest);
            let (unit, doc) = split_word(rest);
            let (ty, unit) = (Type::parse(ty)?, Unit::parse(unit)?);
            if !name.ends_with(unit.suffix()) {
                return Err(format!("the name of column `{name}` must end with `{}`", unit.suffix()));
            }
            let doc = require_description("column", name, doc)?;
            header.columns.push(Column { name: name.into(), ty, unit, doc });
        }
        "cause" | "remedy" | "limits" | "evidence" if rest.is_empty() => return Err(format!("`{keyword}` is empty")),
        "cause" => rest.clone_into(&mut header.finding.get_or_insert_default().cause),
        "remedy" => rest.clone_into(&mut header.finding.get_or_insert_default().remedy),
        "limits" => rest.clone_into(&mut header.finding.get_or_insert_default().limits),
        "evidence" => header.finding.get_or_insert_default().evidence = parse_list(rest)?,
        "empty" if rest.is_empty() => return Err("`empty` must give the reason why a result may have no rows".into()),
        "empty" => rest.clone_into(&mut header.empty),
        "needs" => header.needs = parse_list(rest)?,
        "order" => header.order = parse_list(rest)?,
        "cache" if rest == "large" => header.cache_large = true,
        "cache" => return Err(format!("`cache` must be large, not `{rest}`")),
        _ => header.sources = parse_list(rest)?,
    }
    Ok(())
}

/// Makes the checks that need the whole header, and compares the parameters with their use in the query.
fn validate(header: &Header, body: &str, items: &[ItemLine<'_>]) -> Result<(), HeaderError> {
    let error =
        |keyword: &str, name: &str, message: String| Err(HeaderError { line: line_of(items, keyword, name), message });
    let Some(first) = header.columns.first() else {
        return error("", "", "no `column` line: name every column the query returns".into());
    };
    if first.name != "run" {
        return error("column", &first.name, format!("the first column must be `run`, not `{}`", first.name));
    }
    for (n, Column { name, .. }) in header.columns.iter().enumerate() {
        if header.columns[..n].iter().any(|other| other.name == *name) {
            return error("column", name, format!("column `{name}` is listed twice"));
        }
    }
    for (n, Param { name, default, .. }) in header.params.iter().enumerate() {
        let before = &header.params[..n];
        if name == "run" {
            return error("param", name, "`run` cannot be a param: filter on the column `run` instead".into());
        }
        if before.iter().any(|other| other.name == *name) {
            return error("param", name, format!("param `{name}` is listed twice"));
        }
        if default.is_none() && before.iter().any(|other| other.default.is_some()) {
            return error("param", name, format!("param `{name}` has no default, but follows a param with a default"));
        }
    }
    if header.needs.is_empty() {
        return error("", "", "no `needs` line: name the tables and views the query reads".into());
    }
    for key in &header.order {
        let (name, _) = split_word(key);
        if !header.columns.iter().any(|column| column.name == name) {
            return error("order", "", format!("`order` names `{name}`, which is not a column"));
        }
    }
    if header.cache_large && header.params.iter().any(|param| param.default.is_none()) {
        return error("cache", "", "`cache large` requires a default for every param".into());
    }
    let used = placeholders(body);
    if let Some(Param { name, .. }) = header.params.iter().find(|param| !used.contains(&param.name.as_str())) {
        return error("param", name, format!("param `{name}` is never used as ${name}"));
    }
    match used.iter().find(|&&name| !header.params.iter().any(|param| param.name == name)) {
        Some(name) => error("param", "", format!("${name} is used and there is no `param {name}`")),
        None => Ok(()),
    }
}

/// Returns the names after a `$` outside of quotes and comments.
fn placeholders(body: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in body.lines() {
        let code = line.split("--").next().unwrap_or("");
        // Every second piece is inside quotes. A `''` in a text adds two pieces, so the rule still
        // holds.
        for piece in code.split('\'').step_by(2) {
            for after in piece.split('$').skip(1) {
                let end = after.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
                names.push(&after[..end.unwrap_or(after.len())]);
            }
        }
    }
    names
}

/// Splits off a default value: one word, a list in brackets, or a text in quotes.
fn parse_literal(text: &str) -> Result<(&str, &str), String> {
    let close = match text.chars().next() {
        Some('[') => ']',
        Some('\'') => '\'',
        _ => return Ok(split_word(text)),
    };
    let end = text[1..].find(close).ok_or_else(|| format!("the default `{text}` has no `{close}`"))? + 2;
    Ok((&text[..end], text[end..].trim_start()))
}

/// Splits off the first word.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) => (first, rest.trim_start()),
        None => (text, ""),
    }
}

/// Parses names that are separated by commas.
fn parse_list(text: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) { Err("an entry of the list is empty".into()) } else { Ok(names) }
}

/// Returns the description, or an error if it is empty.
fn require_description(what: &str, name: &str, doc: &str) -> Result<String, String> {
    if doc.is_empty() { Err(format!("{what} `{name}` has no description")) } else { Ok(doc.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../sql/utilization/buckets.sql");

    /// Returns the error of a header with a valid first line, as `line: message`.
    fn error_of(rest: &str) -> String {
        parse(&format!("-- Steps per rank.\n--\n{rest}")).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_catalog_query_is_parsed_completely() {
        let (header, body) = parse(EXAMPLE).unwrap();
        assert_eq!(header.summary, "What share of the samples was idle, in between or busy?");
        assert_eq!(header.params[0].default.as_deref(), Some("[0, 10, 90, 100]"));
        assert_eq!(header.params[0].sql_type(), "double[]");
        assert_eq!(header.columns[8].unit, Unit::Ratio);
        assert_eq!(header.order, ["run", "node", "resource", "metric", "bucket"]);
        assert_eq!(header.needs, ["system_sample"]);
        assert!(body.starts_with("WITH"));
    }

    #[test]
    fn a_domain_precedes_the_default_and_extends_the_description() {
        let param = |line: &str| {
            let text = format!(
                "-- Runs.\n--\n-- param {line}\n-- column run text id a\n--\n-- needs run\n-- source kineto\n\nSELECT $p"
            );
            parse(&text).unwrap().0.params.remove(0)
        };
        let bins = param("p bigint in 1.. = 50 number of bins");
        assert_eq!((bins.domain, bins.default.as_deref()), (Domain::Range(1.0, None), Some("50")));
        assert_eq!(bins.doc, "number of bins, at least 1");
        let limit = param("p double[] in 0..1 = null limits");
        assert_eq!((limit.domain, limit.doc.as_str()), (Domain::Range(0.0, Some(1.0)), "limits"));
        let sort = param("p text in a|b|c order");
        assert_eq!((sort.domain, sort.default), (Domain::Names(["a", "b", "c"].map(str::to_owned).to_vec()), None));
        assert_eq!(sort.doc, "order: a, b or c");
        assert_eq!(param("p text[] in run = null runs").domain, Domain::Run);
        assert_eq!(param("p text in attribute = null name").domain, Domain::Attribute);
        assert_eq!(param("p bigint in time = null start").domain, Domain::Time);
    }

    #[test]
    fn windows_line_endings_change_nothing() {
        let crlf = EXAMPLE.replace('\n', "\r\n");
        let (header, body) = parse(&crlf).unwrap();
        assert_eq!(header.columns.len(), 9);
        assert!(body.starts_with("WITH"));
    }

    #[test]
    fn prose_lines_may_begin_with_a_keyword() {
        let sql =
            "-- Steps.\n--\n-- Marks of the\n-- source profiler.\n--\n-- column run text id r\n-- needs step\nSELECT 1";
        assert_eq!(parse(sql).unwrap().0.detail, "Marks of the\nsource profiler.");
    }

    #[test]
    fn errors_have_line_and_cause() {
        assert_eq!(parse("SELECT 1").unwrap_err().line, 1);
        let run = "-- column run text id r\n-- needs step\n";
        for (rest, expected) in [
            (
                "-- column a bigint furlongs d\nSELECT 1".to_owned(),
                "3: unknown unit `furlongs`; one of: id, name, flag, time, ns, us, ms, s, count, ratio, factor, percent, bytes, per_s, bytes_per_s, text, url, json, mixed",
            ),
            (
                "-- column a int ns d\nSELECT 1".to_owned(),
                "3: unknown type `int`; one of: bigint, double, text, boolean",
            ),
            ("-- column a bigint ns\nSELECT 1".to_owned(), "3: column `a` has no description"),
            (
                "-- column size bigint bytes d\nSELECT 1".to_owned(),
                "3: the name of column `size` must end with `bytes`",
            ),
            ("-- column a bigint ns d\n-- needs x\nSELECT 1".to_owned(), "3: the first column must be `run`, not `a`"),
            (
                format!("{run}-- colum b bigint ns d\nSELECT 1"),
                "5: `colum` is not one of: empty, param, column, cause, remedy, limits, evidence, needs, order, source, cache",
            ),
            (format!("{run}-- cache small\nSELECT 1"), "5: `cache` must be large, not `small`"),
            (
                format!("{run}-- param p bigint d\n-- cache large\nSELECT $p"),
                "6: `cache large` requires a default for every param",
            ),
            (format!("{run}-- empty\nSELECT 1"), "5: `empty` must give the reason why a result may have no rows"),
            (format!("{run}-- param p bigint in one.. d\nSELECT $p"), "5: param `p`: `one` is not a number"),
            (format!("{run}-- param p text in 1.. d\nSELECT $p"), "5: param `p`: `in 1..` does not fit the type text"),
            (
                format!("{run}-- param p bigint in a|b d\nSELECT $p"),
                "5: param `p`: `in a|b` does not fit the type bigint",
            ),
            (
                format!("{run}-- param p text in runs d\nSELECT $p"),
                "5: param `p`: `in runs` is not `a|b`, `0..1`, `attribute`, `run`, `time` or `query.param`",
            ),
            (format!("{run}-- param p text d\nSELECT '$p' -- $p"), "5: param `p` is never used as $p"),
            (
                format!("{run}-- param run text d\nSELECT $run"),
                "5: `run` cannot be a param: filter on the column `run` instead",
            ),
            (format!("{run}SELECT $p"), "1: $p is used and there is no `param p`"),
            (format!("{run}-- order b\nSELECT 1"), "5: `order` names `b`, which is not a column"),
            (
                "-- column run text id r\nSELECT 1".to_owned(),
                "1: no `needs` line: name the tables and views the query reads",
            ),
        ] {
            assert_eq!(error_of(&rest), expected);
        }
    }
}
