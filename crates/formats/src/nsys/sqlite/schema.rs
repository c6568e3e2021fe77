//! A table as its `CREATE TABLE` says.

/// What a definition begins with that is none of a column.
const CONSTRAINTS: [&str; 5] = ["PRIMARY", "UNIQUE", "CHECK", "FOREIGN", "CONSTRAINT"];

/// A table of the file.
#[derive(Debug, Clone)]
pub(in crate::nsys) struct Table {
    pub(in crate::nsys) name: String,
    /// Names of the columns, in order.
    pub(in crate::nsys) columns: Vec<String>,
    pub(super) root: u32,
    /// The column that is another name of the rowid.
    pub(super) key: Option<usize>,
}

impl Table {
    pub(super) fn new(name: &str, root: u32, sql: &str) -> Self {
        let mut table = Self { name: name.to_owned(), columns: Vec::new(), root, key: None };
        let sql = without_comments(sql);
        let Some((_, body)) = sql.split_once('(') else { return table };
        for definition in definitions(body) {
            let (name, rest) = first_word(definition);
            let is_constraint = |word: &&str| word.eq_ignore_ascii_case(name) && definition.starts_with(name);
            if name.is_empty() || CONSTRAINTS.iter().any(is_constraint) {
                continue;
            }
            let rest = rest.to_ascii_uppercase();
            let mut words = rest.split_ascii_whitespace();
            if words.next() == Some("INTEGER") && rest.contains("PRIMARY KEY") && !rest.contains("DESC") {
                table.key = Some(table.columns.len());
            }
            table.columns.push(name.to_owned());
        }
        table
    }

    /// The number of a column.
    pub(in crate::nsys) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The text without comments: exports explain each column in one.
fn without_comments(sql: &str) -> String {
    let mut plain = String::with_capacity(sql.len());
    let mut rest = sql;
    while let Some(at) = rest.find(['"', '`', '\'', '[', '-', '/']) {
        let (before, from) = rest.split_at(at);
        plain.push_str(before);
        let end = match from.as_bytes() {
            [b'-', b'-', ..] => from.find('\n').unwrap_or(from.len()),
            [b'/', b'*', ..] => from.find("*/").map_or(from.len(), |end| end + 2),
            [quote @ (b'"' | b'`' | b'\'' | b'['), ..] => {
                let close = if *quote == b'[' { ']' } else { char::from(*quote) };
                let end = from[1..].find(close).map_or(from.len(), |end| end + 2);
                plain.push_str(&from[..end]);
                end
            }
            _ => {
                plain.push_str(&from[..1]);
                1
            }
        };
        rest = &from[end..];
    }
    plain.push_str(rest);
    plain
}

/// What stands between the commas that are in no parentheses and in no quotes, up to the parenthesis that ends it all.
fn definitions(body: &str) -> Vec<&str> {
    let (mut depth, mut from, mut quote) = (0, 0, None);
    let mut found = Vec::new();
    for (at, c) in body.char_indices() {
        match (quote, c) {
            (Some(end), c) => quote = (c != end).then_some(end),
            (None, '"' | '`' | '\'') => quote = Some(c),
            (None, '[') => quote = Some(']'),
            (None, '(') => depth += 1,
            (None, ')') if depth > 0 => depth -= 1,
            (None, ',' | ')') if depth == 0 => {
                found.push(body[from..at].trim());
                from = at + 1;
                if c == ')' {
                    break;
                }
            }
            _ => {}
        }
    }
    found
}

/// The first word, without quotes, and the rest.
fn first_word(definition: &str) -> (&str, &str) {
    let end = match definition.chars().next() {
        Some(quote @ ('"' | '`')) => quote,
        Some('[') => ']',
        _ => {
            let end = definition.find(|c: char| c.is_ascii_whitespace() || c == '(').unwrap_or(definition.len());
            return definition.split_at(end);
        }
    };
    definition[1..].split_once(end).unwrap_or((definition, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_all_spellings() {
        let sql = "CREATE TABLE t (\n  -- when, in ns (it's the start)\n  start INTEGER NOT NULL, /* a, b */ \"a b\" TEXT DEFAULT '--, (',\n\
                   [c d] REAL CHECK ([c d] > 0),\tCHECKsum INT,id  integer  primary key, check(id > 0), PRIMARY KEY (start))";
        let table = Table::new("t", 2, sql);
        assert_eq!(table.columns, ["start", "a b", "c d", "CHECKsum", "id"]);
        assert_eq!(table.key, Some(4));
    }
}
