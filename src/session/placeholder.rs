//! The parameters `$name` of SQL text, found by the tokenizer of the SQL parser: strings, quoted names and comments have none.

use std::collections::BTreeSet;

use datafusion::common::{Result, plan_datafusion_err, plan_err};
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, TokenizerError};

fn tokenize(sql: &str) -> std::result::Result<Vec<Token>, TokenizerError> {
    Tokenizer::new(&GenericDialect {}, sql).tokenize()
}

/// Returns the names of the parameters. Text that is not SQL has none.
pub(crate) fn placeholders(sql: &str) -> BTreeSet<String> {
    let tokens = tokenize(sql).unwrap_or_default().into_iter();
    let name = |token| if let Token::Placeholder(name) = token { Some(name[1..].to_owned()) } else { None };
    tokens.filter_map(name).collect()
}

/// Replaces each parameter by the text that `replace` returns for its name.
///
/// # Errors
/// A plan error if the text is not SQL, or if `replace` returns nothing for a parameter.
pub(super) fn replace_placeholders(sql: &str, replace: impl Fn(&str) -> Option<String>) -> Result<String> {
    if !sql.contains('$') {
        return Ok(sql.to_owned());
    }
    let tokens = tokenize(sql).map_err(|error| plan_datafusion_err!("{error}"))?;
    let text_of = |token| match token {
        Token::Placeholder(name) => match replace(&name[1..]) {
            Some(text) => Ok(text),
            None => plan_err!("undeclared parameter {name}"),
        },
        // A token does not say that its quotes were doubled.
        Token::SingleQuotedString(text) => Ok(format!("'{}'", text.replace('\'', "''"))),
        token => Ok(token.to_string()),
    };
    tokens.into_iter().map(text_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_outside_of_strings_and_comments() {
        let names = |sql| placeholders(sql).into_iter().collect::<Vec<_>>();
        assert_eq!(names("select $b, $a_1 where x = $b and y = $1"), ["1", "a_1", "b"]);
        assert_eq!(names("select '$a', \"$b\", 'it''s $c' -- $d\n, $e"), ["e"]);
        assert_eq!(names("select /* $a /* $b */ $c */ $d"), ["d"]);
        assert_eq!(names("select $$ $a $$, $t$ $b $$ $t$, $c"), ["c"]);
        assert_eq!(names("select 'not closed $a"), Vec::<&str>::new());
        assert_eq!(names("select 'é', $é"), ["é"]);
        assert_eq!(names(r"select E'it\'s $a', e'\\', a$b, 'x\', $c"), ["c"]);
    }
}
