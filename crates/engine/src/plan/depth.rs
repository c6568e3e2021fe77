//! Limits the depth of SQL before it is parsed: parser, planner and optimizer are recursive, and an overflow of the stack ends
//! the process. The parser itself limits parentheses, but not operators in a row: each of them is a level of its tree.

use datafusion::common::{Result, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// Maximum depth in operators. In a build without optimization, 4,000 fit into the stack.
const MAX_DEPTH: usize = 2_000;

/// Plans take more of the stack, and more time to optimize, than expressions: their depth in operators.
const SET_OPERATOR: usize = 4;
const NAMED_QUERY: usize = 4;
const JOIN: usize = 20;

/// Operators in a row at one level of parentheses.
#[derive(Default)]
struct Level {
    /// Depth of the current expression, without and within its parentheses.
    operators: usize,
    inner: usize,
    /// Joins of the current query, and set operators.
    plans: usize,
    /// The deepest expression so far.
    deepest: usize,
}

impl Level {
    fn end_expression(&mut self) {
        self.deepest = self.deepest.max(self.operators + self.inner);
        (self.operators, self.inner) = (0, 0);
    }

    fn depth(mut self) -> usize {
        self.end_expression();
        self.deepest + self.plans
    }
}

/// Plans SQL.
///
/// # Errors
/// Those of DataFusion; Plan for SQL with too many operators in a row.
pub async fn plan_sql(state: &SessionState, text: &str) -> Result<LogicalPlan> {
    let depth = depth(text);
    if depth > MAX_DEPTH {
        return plan_err!(
            "it is nested too deeply: operators, joins and unions in a row count as {depth}, expected at most {MAX_DEPTH}; \
             `IN` takes many values, and a table or a list can replace many unions"
        );
    }
    state.create_logical_plan(text).await
}

/// Returns an upper bound of the depth of SQL.
fn depth(text: &str) -> usize {
    // An operator and an operand have at least two bytes.
    if text.len() <= 2 * MAX_DEPTH {
        return 0;
    }
    // The parser reports the error of other tokens.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, text).tokenize() else { return 0 };
    let (mut levels, mut named_queries, mut after_as) = (vec![Level::default()], 0, false);
    for token in tokens {
        let is_nested = levels.len() > 1;
        let Some(level) = levels.last_mut() else { break };
        let was_after_as = std::mem::take(&mut after_as);
        match token {
            Token::Whitespace(_) => after_as = was_after_as,
            Token::LParen | Token::LBracket => {
                named_queries += usize::from(was_after_as);
                levels.push(Level::default());
            }
            Token::RParen | Token::RBracket if is_nested => {
                let inner = levels.pop().map_or(0, Level::depth);
                if let Some(level) = levels.last_mut() {
                    level.inner = level.inner.max(inner);
                }
            }
            Token::Comma | Token::SemiColon => level.end_expression(),
            Token::Word(word) if word.quote_style.is_none() => match word.value.to_ascii_uppercase().as_str() {
                "AS" => after_as = true,
                "UNION" | "EXCEPT" | "INTERSECT" => {
                    level.end_expression();
                    level.plans += SET_OPERATOR;
                }
                "JOIN" => level.plans += JOIN,
                "SELECT" | "FROM" | "WHERE" | "GROUP" | "HAVING" | "ORDER" | "QUALIFY" | "WHEN" | "THEN" | "ELSE"
                | "ON" => level.end_expression(),
                "AND" | "OR" | "XOR" | "NOT" | "IS" | "LIKE" | "ILIKE" | "SIMILAR" | "BETWEEN" | "IN" | "COLLATE"
                | "AT" | "DIV" => level.operators += 1,
                _ => {}
            },
            Token::Word(_)
            | Token::Number(..)
            | Token::SingleQuotedString(_)
            | Token::Placeholder(_)
            | Token::Period
            | Token::RParen
            | Token::RBracket
            | Token::EOF => {}
            _ => level.operators += 1,
        }
    }
    let nested = levels.into_iter().map(Level::depth).sum::<usize>();
    nested + named_queries * NAMED_QUERY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_in_a_row_are_counted() {
        let many = |item: &str, by: &str, count: usize| vec![item; count].join(by);
        for (text, expected) in [
            (format!("SELECT {}", many("1000", " + ", 3_000)), 2_999),
            (format!("SELECT {}", many("a", "||", 3_000)), 2_999),
            (format!("SELECT 1 FROM t WHERE {}", many("a = 1", " OR ", 1_000)), 1_999),
            (format!("SELECT {}", many("a + b", ", ", 3_000)), 1),
            (format!("SELECT 1 WHERE a IN ({})", many("1", ",", 9_000)), 1),
            (many("SELECT 1", " UNION ALL ", 1_000), 999 * SET_OPERATOR),
            (format!("SELECT 1 FROM a {}", many("JOIN b ON a.x = b.x AND a.y = b.y", " ", 200)), 200 * JOIN + 3),
            (format!("SELECT ({}) + ({})", many("1", "+", 2_000), many("1", "+", 1_000)), 2_000),
            (format!("SELECT ({}) + {}", many("1", "+", 1_000), many("1", "+", 2_000)), 2_999),
            (format!("WITH {} SELECT 1", many("a AS (SELECT 1 + 1)", ", ", 300)), 300 * NAMED_QUERY + 1),
            (format!("SELECT {}", many("CASE WHEN a THEN b + c ELSE d END", ", ", 200)), 1),
            (format!("SELECT '{}'", many("+", " ", 9_000)), 0),
            (format!("SELECT a{}", many("::bigint", "", 3_000)), 3_000),
        ] {
            assert_eq!(depth(&text), expected, "{}", &text[..60]);
        }
    }
}
