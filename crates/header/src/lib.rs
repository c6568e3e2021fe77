//! Reads the comment block at the top of a `.sql` file: the contract of a canned query.
//!
//! [`parse`] takes the text of one file and returns a [`Header`] and the SQL below the comment block.
//! It does no I/O. The crate has no dependencies, because `build.rs` of the root uses it too: cargo
//! would compile a dependency such as Arrow twice.
//!
//! The block consists of paragraphs, separated by blank comment lines. The first line is the question.
//! Prose follows, up to the first paragraph that begins with a keyword. From there on, each line is one item.

pub mod unit;

use std::fmt;

use crate::unit::{Type, Unit};

/// The words that begin an item.
const KEYWORDS: [&str; 11] =
    ["empty", "param", "column", "cause", "remedy", "limits", "evidence", "needs", "order", "source", "cache"];

/// What one `.sql` file promises.
#[derive(Debug, Default, Clone)]
pub struct Header {
    /// The question the query answers, in one sentence.
    pub summary: String,
    /// What it takes a sentence or two to say.
    pub detail: String,
    /// Why an answer may have no rows, and what to do about it; may be empty.
    pub empty: String,
    /// Parameters, in the order of the arguments of the table function.
    pub params: Vec<Param>,
    /// Columns of the result, in order.
    pub columns: Vec<Column>,
    /// Tables and views the query reads.
    pub needs: Vec<String>,
    /// Columns the rows are sorted by; a name may be followed by `desc`.
    pub order: Vec<String>,
    /// Formats whose ingest fills what the query needs.
    pub sources: Vec<String>,
    /// `cache large`: the view has few rows, so a session caches them for a single run of any size. In lakes of up to a million rows
    /// it caches every bundled view and query that others read, and never those of users.
    pub cache_large: bool,
    /// What a finding of the diagnosis says beside its numbers; `None` for any other query.
    pub finding: Option<Finding>,
}

/// What the head of a finding says beside its numbers: a query whose head has a `cause`.
///
/// All findings give the same columns ([`FINDING_COLUMNS`]), so their heads have no `column` lines.
#[derive(Debug, Default, Clone)]
pub struct Finding {
    /// Why it is so.
    pub cause: String,
    /// What to do about it.
    pub remedy: String,
    /// Where its thresholds come from.
    pub limits: String,
    /// Canned queries whose rows are the evidence.
    pub evidence: Vec<String>,
    /// The SQL for the quantity that it judges.
    #[doc(hidden)]
    pub quantity: String,
}

impl Finding {
    /// The severities that it can have, lowest first; none if it is never found.
    pub fn severities(&self) -> impl Iterator<Item = &'static str> + '_ {
        let can_be = |severity: &&str| self.quantity.contains(&format!("THEN '{severity}'"));
        ["notice", "warning", "critical"].into_iter().filter(can_be)
    }
}

/// The columns of every finding, and of `diagnosis`.
pub const FINDING_COLUMNS: [(&str, Type, Unit, &str); 14] = [
    ("run", Type::Text, Unit::Id, "run"),
    ("id", Type::Text, Unit::Name, "name of the finding"),
    ("outcome", Type::Text, Unit::Name, "found, passed or no_data"),
    (
        "severity",
        Type::Text,
        Unit::Name,
        "notice, warning or critical; null unless found; a notice at most below 20 steps",
    ),
    ("confidence", Type::Text, Unit::Name, "low below 20 steps, medium below 100, else high; null for no_data"),
    (
        "sentence",
        Type::Text,
        Unit::Text,
        "what was found, why the check passed, or what is missing and how to record it",
    ),
    ("value", Type::Double, Unit::Mixed, "the quantity that was checked; null for no_data"),
    ("threshold", Type::Double, Unit::Mixed, "the limit that the value was compared with; null if there is none"),
    ("threshold_source", Type::Text, Unit::Text, "where the limits come from"),
    (
        "steps",
        Type::Bigint,
        Unit::Count,
        "number of steps, batches or samples that the value is based on; null if not applicable",
    ),
    (
        "potential_saving",
        Type::Bigint,
        Unit::Ns,
        "maximum time that a remedy can save; null if unknown; do not add those of findings with one cause",
    ),
    ("cause", Type::Text, Unit::Text, "cause of the finding"),
    ("recommendation", Type::Text, Unit::Text, "recommended action"),
    ("evidence", Type::Text, Unit::Name, "canned queries that return the evidence, separated by commas"),
];

/// A parameter: `$name` in the SQL.
#[derive(Debug, Clone)]
pub struct Param {
    /// Name, without the dollar.
    pub name: String,
    /// SQL type of the value, or of its elements.
    pub ty: Type,
    /// Whether it takes a list.
    pub list: bool,
    /// Values that it accepts besides null.
    pub domain: Domain,
    /// SQL literal; `None` where the caller has to give a value.
    pub default: Option<String>,
    /// One line of description.
    pub doc: String,
}

/// The values that a parameter accepts.
#[derive(Debug, Clone, PartialEq)]
pub enum Domain {
    /// Every value of the type.
    Any,
    /// Numbers from a minimum, up to a maximum if there is one: `1..`, `0..1`.
    Range(f64, Option<f64>),
    /// Some texts: `loader|epoch`.
    Names(Vec<String>),
    /// Names of attributes that a run of the lake has: `attribute`.
    Attribute,
    /// Names of runs of the lake: `run`.
    Run,
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
            (_, Some((min, ""))) => Self::Range(number(min)?, None),
            (_, Some((min, max))) => Self::Range(number(min)?, Some(number(max)?)),
            _ if text.contains('|') => Self::Names(text.split('|').map(str::to_owned).collect()),
            _ => match text.split_once('.') {
                Some((query, param)) => Self::SameAs(query.to_owned(), param.to_owned()),
                None => return Err(format!("`in {text}` is not `a|b`, `0..1`, `attribute`, `run` or `query.param`")),
            },
        };
        if (ty == Type::Text) == matches!(domain, Self::Range(..)) {
            return Err(format!("`in {text}` does not fit the type {ty}"));
        }
        Ok(domain)
    }

    /// The values in words, to end a description; empty where the description of the parameter is enough.
    fn description(&self) -> String {
        match self {
            Self::Range(min, None) => format!(", at least {min}"),
            Self::Names(names) => match names.split_last() {
                Some((last, others)) => format!(": {} or {last}", others.join(", ")),
                None => String::new(),
            },
            Self::Any | Self::Range(..) | Self::Attribute | Self::Run | Self::SameAs(..) => String::new(),
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
    /// The type as SQL writes it: `double`, `text[]`.
    pub fn sql_type(&self) -> String {
        format!("{}{}", self.ty, if self.list { "[]" } else { "" })
    }
}

/// Where and why a header was refused.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Line in the file, from 1.
    pub line: usize,
    /// What is wrong, and the allowed words where they are a list.
    pub message: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.message)
    }
}

/// Splits a `.sql` file into its contract and its query.
///
/// # Errors
/// The first line that breaks the grammar.
pub fn parse(sql: &str) -> Result<(Header, &str), Refusal> {
    let (block, body) = split(sql);
    let mut header = Header::default();
    let mut prose = Vec::new();
    let mut after_blank = true;
    let mut in_items = false;
    let mut lines = Lines::default();
    for (index, text) in block.iter().enumerate() {
        let at = |message| Refusal { line: index + 1, message };
        let (key, rest) = word(text);
        let is_item = KEYWORDS.contains(&key);
        if index == 0 {
            if text.is_empty() || is_item {
                return Err(at(QUESTION.into()));
            }
            (*text).clone_into(&mut header.summary);
            continue;
        }
        in_items |= after_blank && is_item;
        after_blank = text.is_empty();
        if !in_items {
            prose.push(*text);
        } else if is_item {
            item(&mut header, key, rest).map_err(at)?;
            lines.0.push((key.to_owned(), word(rest).0.to_owned(), index + 1));
        } else if !text.is_empty() {
            return Err(at(format!("`{key}` is not one of: {}", KEYWORDS.join(", "))));
        }
    }
    prose.join("\n").trim().clone_into(&mut header.detail);
    complete_finding(&mut header).map_err(at_first)?;
    if header.summary.is_empty() {
        return Err(Refusal { line: 1, message: QUESTION.into() });
    }
    check(&header, body).map_err(|(key, name, message)| Refusal { line: lines.of(key, &name), message })?;
    Ok((header, body))
}

/// A finding has all of its lines, and the columns of every finding.
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
    Ok(())
}

/// [`FINDING_COLUMNS`] as they stand in a head.
pub fn finding_columns() -> Vec<Column> {
    let columns = FINDING_COLUMNS.iter();
    columns.map(|&(name, ty, unit, doc)| Column { name: name.into(), ty, unit, doc: doc.into() }).collect()
}

fn at_first(message: String) -> Refusal {
    Refusal { line: 1, message }
}

const QUESTION: &str = "the first line must be one sentence: the question that the query answers";

/// Where the items stand, so that a check over the whole head can name a line.
#[derive(Default)]
struct Lines(Vec<(String, String, usize)>);

impl Lines {
    /// The line of the last item of this keyword and name, else of the keyword, else the first.
    fn of(&self, key: &str, name: &str) -> usize {
        let of_key = || self.0.iter().rev().filter(|(k, _, _)| k == key);
        of_key().find(|(_, n, _)| n == name).or_else(|| of_key().next()).map_or(1, |(_, _, line)| *line)
    }
}

/// The comment lines without their `--`, and all that follows them.
fn split(sql: &str) -> (Vec<&str>, &str) {
    let mut block = Vec::new();
    let mut used = 0;
    for line in sql.split_inclusive('\n') {
        let Some(text) = line.strip_prefix("--") else { break };
        used += line.len();
        block.push(text.trim());
    }
    (block, sql[used..].trim().trim_end_matches(';'))
}

fn item(header: &mut Header, key: &str, rest: &str) -> Result<(), String> {
    match key {
        "param" => {
            let (name, rest) = word(rest);
            let (ty, rest) = word(rest);
            let (element, list) = ty.strip_suffix("[]").map_or((ty, false), |element| (element, true));
            let ty = Type::parse(element)?;
            let (domain, rest) = match rest.strip_prefix("in ").map(word) {
                Some((domain, rest)) => {
                    (Domain::parse(domain, ty).map_err(|why| format!("param `{name}`: {why}"))?, rest)
                }
                None => (Domain::Any, rest),
            };
            let (default, doc) = match rest.strip_prefix("= ") {
                Some(rest) => {
                    let (value, doc) = literal(rest)?;
                    (Some(value.to_owned()), doc)
                }
                None => (None, rest),
            };
            let doc = described("param", name, doc)? + &domain.description();
            header.params.push(Param { name: name.into(), ty, list, domain, default, doc });
        }
        "column" => {
            let (name, rest) = word(rest);
            let (ty, rest) = word(rest);
            let (unit, doc) = word(rest);
            let (ty, unit) = (Type::parse(ty)?, Unit::parse(unit)?);
            if !name.ends_with(unit.suffix()) {
                return Err(format!("the name of column `{name}` must end with `{}`", unit.suffix()));
            }
            let doc = described("column", name, doc)?;
            header.columns.push(Column { name: name.into(), ty, unit, doc });
        }
        "cause" | "remedy" | "limits" | "evidence" if rest.is_empty() => return Err(format!("`{key}` is empty")),
        "cause" => rest.clone_into(&mut header.finding.get_or_insert_default().cause),
        "remedy" => rest.clone_into(&mut header.finding.get_or_insert_default().remedy),
        "limits" => rest.clone_into(&mut header.finding.get_or_insert_default().limits),
        "evidence" => header.finding.get_or_insert_default().evidence = list(rest)?,
        "empty" if rest.is_empty() => return Err("`empty` must give the reason why a result may have no rows".into()),
        "empty" => rest.clone_into(&mut header.empty),
        "needs" => header.needs = list(rest)?,
        "order" => header.order = list(rest)?,
        "cache" if rest == "large" => header.cache_large = true,
        "cache" => return Err(format!("`cache` must be large, not `{rest}`")),
        _ => header.sources = list(rest)?,
    }
    Ok(())
}

/// What no single line can show: the item it concerns, and the message.
fn check(header: &Header, body: &str) -> Result<(), (&'static str, String, String)> {
    let Some(first) = header.columns.first() else {
        return Err(("", String::new(), "no `column` line: name every column the query returns".into()));
    };
    if first.name != "run" {
        return Err(("column", first.name.clone(), format!("the first column must be `run`, not `{}`", first.name)));
    }
    for (n, column) in header.columns.iter().enumerate() {
        if header.columns[..n].iter().any(|c| c.name == column.name) {
            return Err(("column", column.name.clone(), format!("column `{}` is listed twice", column.name)));
        }
    }
    for (n, param) in header.params.iter().enumerate() {
        let wrong = |message: String| Err(("param", param.name.clone(), message));
        if param.name == "run" {
            return wrong("`run` cannot be a param: filter on the column `run` instead".into());
        }
        if header.params[..n].iter().any(|p| p.name == param.name) {
            return wrong(format!("param `{}` is listed twice", param.name));
        }
        if param.default.is_none() && header.params[..n].iter().any(|p| p.default.is_some()) {
            return wrong(format!("param `{}` has no default, but follows a param with a default", param.name));
        }
    }
    if header.needs.is_empty() {
        return Err(("", String::new(), "no `needs` line: name the tables and views the query reads".into()));
    }
    for key in &header.order {
        let (name, _) = word(key);
        if !header.columns.iter().any(|c| c.name == name) {
            return Err(("order", String::new(), format!("`order` names `{name}`, which is not a column")));
        }
    }
    if header.cache_large && header.params.iter().any(|param| param.default.is_none()) {
        return Err(("cache", String::new(), "`cache large` requires a default for every param".into()));
    }
    let used = placeholders(body);
    for param in &header.params {
        if !used.contains(&param.name.as_str()) {
            let message = format!("param `{0}` is never used as ${0}", param.name);
            return Err(("param", param.name.clone(), message));
        }
    }
    match used.iter().find(|&&name| !header.params.iter().any(|p| p.name == name)) {
        Some(name) => Err(("param", String::new(), format!("${name} is used and there is no `param {name}`"))),
        None => Ok(()),
    }
}

/// The names after a `$`, outside of quotes and comments.
fn placeholders(body: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for line in body.lines() {
        let code = line.split("--").next().unwrap_or("");
        // Every second piece is inside quotes; a `''` inside one gives two more pieces, so it holds.
        for piece in code.split('\'').step_by(2) {
            for after in piece.split('$').skip(1) {
                let end = after.find(|c: char| c != '_' && !c.is_ascii_alphanumeric());
                names.push(&after[..end.unwrap_or(after.len())]);
            }
        }
    }
    names
}

/// A default value and what follows it: one word, or a list in brackets, or a text in quotes.
fn literal(text: &str) -> Result<(&str, &str), String> {
    let close = match text.chars().next() {
        Some('[') => ']',
        Some('\'') => '\'',
        _ => return Ok(word(text)),
    };
    let end = text[1..].find(close).ok_or_else(|| format!("the default `{text}` has no `{close}`"))? + 2;
    Ok((&text[..end], text[end..].trim_start()))
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.split_once(char::is_whitespace) {
        Some((first, rest)) => (first, rest.trim_start()),
        None => (text, ""),
    }
}

fn list(text: &str) -> Result<Vec<String>, String> {
    let names: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    if names.iter().any(String::is_empty) { Err("an entry of the list is empty".into()) } else { Ok(names) }
}

fn described(what: &str, name: &str, doc: &str) -> Result<String, String> {
    if doc.is_empty() { Err(format!("{what} `{name}` has no description")) } else { Ok(doc.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = include_str!("../../../sql/utilization/buckets.sql");

    /// The refusal of a header whose first line is fine, as `line: message`.
    fn refusal(rest: &str) -> String {
        parse(&format!("-- Steps per rank.\n--\n{rest}")).map(|_| ()).unwrap_err().to_string()
    }

    #[test]
    fn a_query_of_the_catalog_is_read_whole() {
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
    fn a_domain_is_before_the_default_and_in_the_description() {
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
        let by = param("p text in a|b|c order");
        assert_eq!((by.domain, by.default), (Domain::Names(["a", "b", "c"].map(str::to_owned).to_vec()), None));
        assert_eq!(by.doc, "order: a, b or c");
        assert_eq!(param("p text[] in run = null runs").domain, Domain::Run);
        assert_eq!(param("p text in attribute = null name").domain, Domain::Attribute);
    }

    #[test]
    fn windows_line_ends_change_nothing() {
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
    fn refusals_say_where_and_what() {
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
                "5: param `p`: `in runs` is not `a|b`, `0..1`, `attribute`, `run` or `query.param`",
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
            assert_eq!(refusal(&rest), expected);
        }
    }
}
