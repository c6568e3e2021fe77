//! The columns of a table, read from its `CREATE TABLE` statement.

use super::scan::SqliteScan;

/// First words of definitions that are not columns.
const CONSTRAINTS: [&str; 5] = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT"];

/// A table of a SQLite file.
#[derive(Debug, Clone)]
pub(crate) struct SqliteTable {
    pub(crate) name: String,
    /// Names of the columns, in order.
    pub(crate) columns: Vec<String>,
    /// The root page of the table's tree.
    pub(super) root: u32,
    /// Index of the column that is an alias of the rowid.
    pub(super) rowid_column: Option<usize>,
}

impl SqliteTable {
    pub(super) fn new(name: &str, root: u32, sql: &str) -> Self {
        let mut table = Self { name: name.to_owned(), columns: Vec::new(), root, rowid_column: None };
        let sql = strip_comments(sql);
        let Some((_, body)) = sql.split_once('(') else { return table };
        let (mut integers, mut key) = (Vec::new(), None);
        for definition in split_definitions(body) {
            let (name, rest) = split_name(definition);
            let is_constraint = |word: &&str| word.eq_ignore_ascii_case(name) && definition.starts_with(name);
            if name.is_empty() || CONSTRAINTS.iter().any(is_constraint) {
                key = key.or_else(|| primary_key(definition));
                continue;
            }
            let rest = rest.to_ascii_uppercase();
            let words: Vec<&str> = top_level_words(&rest).filter(|word| !word.is_empty()).collect();
            // A virtual column has no value in a row.
            let generated = words.iter().position(|word| *word == "AS");
            if generated.is_some_and(|generated| !words[generated..].contains(&"STORED")) {
                continue;
            }
            if words.first() == Some(&"INTEGER") {
                integers.push(name.to_ascii_uppercase());
                if words.windows(2).any(|pair| pair == ["PRIMARY", "KEY"]) && !words.contains(&"DESC") {
                    table.rowid_column = Some(table.columns.len());
                }
            }
            table.columns.push(name.to_owned());
        }
        if let Some(key) = key.filter(|key| table.rowid_column.is_none() && integers.contains(key)) {
            table.rowid_column = table.column_index(&key);
        }
        table
    }

    /// A scan that starts before the first row.
    pub(crate) fn scan(&self) -> SqliteScan {
        SqliteScan::new(self.root, self.rowid_column)
    }

    /// The index of a column.
    pub(crate) fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.eq_ignore_ascii_case(name))
    }
}

/// The column of a constraint `PRIMARY KEY (column)` in capitals. None for another constraint, and for several columns.
fn primary_key(constraint: &str) -> Option<String> {
    let (before, columns) = constraint.split_once('(')?;
    let before = before.to_ascii_uppercase();
    let words: Vec<&str> = before.split_ascii_whitespace().collect();
    let (column, _) = split_name(columns.split_once(')')?.0.trim());
    (words.ends_with(&["PRIMARY", "KEY"]) && !columns.contains(',')).then(|| column.to_ascii_uppercase())
}

/// The statement without comments. Exports explain each column in a comment.
fn strip_comments(sql: &str) -> String {
    let mut stripped = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(start) = rest.find(['"', '`', '\'', '[', '-', '/']) {
        let (before, token) = rest.split_at(start);
        stripped.push_str(before);
        let (end, is_comment) = match token.as_bytes() {
            [b'-', b'-', ..] => (token.find('\n'), true),
            [b'/', b'*', ..] => (token.find("*/").map(|end| end + 2), true),
            [b'-' | b'/', ..] => (Some(1), false),
            [quote, ..] => {
                let close = if *quote == b'[' { ']' } else { char::from(*quote) };
                (token[1..].find(close).map(|end| end + 2), false)
            }
            [] => break,
        };
        let (token, after) = token.split_at(end.unwrap_or(token.len()));
        stripped.push_str(if is_comment { " " } else { token });
        rest = after;
    }
    stripped.push_str(rest);
    stripped
}

/// Splits the body of the statement at its commas, up to the closing parenthesis. Commas in parentheses or quotes
/// do not count.
fn split_definitions(body: &str) -> Vec<&str> {
    let (mut depth, mut start, mut open_quote) = (0, 0, None);
    let mut definitions = Vec::new();
    for (index, c) in body.char_indices() {
        match (open_quote, c) {
            (Some(close), c) => open_quote = (c != close).then_some(close),
            (None, '"' | '`' | '\'') => open_quote = Some(c),
            (None, '[') => open_quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') if depth > 0 => depth -= 1,
            (None, ',' | ')') if depth == 0 => {
                definitions.push(body[start..index].trim());
                start = index + 1;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    definitions
}

/// The words of a definition that are not in parentheses or quotes.
fn top_level_words(definition: &str) -> impl Iterator<Item = &str> {
    let (mut depth, mut open_quote) = (0_usize, None);
    definition.split(move |c: char| {
        match (open_quote, c) {
            (Some(close), c) => open_quote = (c != close).then_some(close),
            (None, '"' | '`' | '\'') => open_quote = Some(c),
            (None, '[') => open_quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            _ => return depth > 0 || c.is_ascii_whitespace(),
        }
        true
    })
}

/// Splits a definition into its first word, without quotes, and the rest.
fn split_name(definition: &str) -> (&str, &str) {
    let close = match definition.chars().next() {
        Some(quote @ ('"' | '`')) => quote,
        Some('[') => ']',
        _ => {
            let end = definition.find(|c: char| c.is_ascii_whitespace() || c == '(').unwrap_or(definition.len());
            return definition.split_at(end);
        }
    };
    definition[1..].split_once(close).unwrap_or((definition, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_read_in_all_spellings() {
        let sql = "CREATE TABLE t (\n  -- when, in ns (it's the start)\n  start INTEGER NOT NULL, /* a, b */ \"a b\" TEXT DEFAULT '--, (',\n\
                   [c d] REAL CHECK ([c d] > 0),\tCHECKsum INT,id  integer  primary key, check(id > 0), PRIMARY KEY (start))";
        let table = SqliteTable::new("t", 2, sql);
        assert_eq!(table.columns, ["start", "a b", "c d", "CHECKsum", "id"]);
        assert_eq!(table.rowid_column, Some(4));
        let rowid = |sql: &str| SqliteTable::new("t", 2, sql).rowid_column;
        assert_eq!(
            rowid("CREATE TABLE t (a TEXT, id INTEGER NOT NULL, CONSTRAINT k PRIMARY KEY (\"ID\" DESC))"),
            Some(1)
        );
        assert_eq!(rowid("CREATE TABLE t (a TEXT, id INTEGER NOT NULL CONSTRAINT k PRIMARY\n KEY)"), Some(1));
        assert_eq!(rowid("CREATE TABLE t (a INTEGER, id INTEGER, PRIMARY KEY (a, id))"), None);
        assert_eq!(rowid("CREATE TABLE t (id INT, PRIMARY KEY (id))"), None);
        assert_eq!(rowid("CREATE TABLE t (id INTEGER PRIMARY KEY DESC)"), None);
    }

    #[test]
    fn virtual_columns_are_no_values_of_a_row() {
        let sql = "CREATE TABLE t (start INT, dur INT GENERATED ALWAYS AS (end - start), \"as\" INT DEFAULT 'x AS y',\n\
                   v AS(start + 1)VIRTUAL, end INT, s INT AS (cast(start AS INT)) STORED, CHECK (start > 0), name TEXT)";
        assert_eq!(SqliteTable::new("t", 2, sql).columns, ["start", "as", "end", "s", "name"]);
        let sql = "CREATE TABLE t (a INT/**/AS/**/(b + 1), b INT CONSTRAINT stored AS (c), c INT)";
        assert_eq!(SqliteTable::new("t", 2, sql).columns, ["c"]);
    }
}
