//! Limits the depth of SQL before it is parsed: parser, planner and optimizer are recursive, and an overflow of the stack ends
//! the process. The parser itself limits the parentheses of expressions, but not those of types, nor operators in a row: each
//! of them is a level of its tree.

use std::collections::BTreeSet;

use datafusion::common::{Result, ScalarValue, plan_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

use crate::plan::parameters::fill_table_functions;
use crate::plan::size;

/// Maximum depth in operators. In a build without optimization, 4,000 fit into the stack.
const MAX_DEPTH: usize = 2_000;

/// Plans take more of the stack, and more time to optimize, than expressions: their depth in operators.
const SET_OPERATOR: usize = 4;
const NAMED_QUERY: usize = 4;
const JOIN: usize = 20;

/// Brackets and repeated words such as EXPLAIN take the most of the stack, in the parser. The parser's own limit is 50 levels.
const BRACKET: usize = 40;

/// Maximum number of sets of `GROUP BY` with CUBE, ROLLUP and GROUPING SETS.
const MAX_GROUPING_SETS: usize = 4_096;

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
    /// Whether a comma is a join.
    is_from: bool,
    /// Number of items, and how many grouping sets they make.
    items: usize,
    count_sets: Option<fn(usize) -> usize>,
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
/// Those of DataFusion; Plan for SQL that is nested too deeply, or has a plan that would be too large.
pub async fn plan_sql(state: &SessionState, text: &str) -> Result<LogicalPlan> {
    plan_sql_with(state, text, &[]).await.map(|(plan, _)| plan)
}

/// As [`plan_sql`], with values for the parameters in the arguments of table functions. Also returns the names of these
/// parameters.
///
/// # Errors
/// As [`plan_sql`].
pub async fn plan_sql_with(
    state: &SessionState,
    text: &str,
    values: &[(String, ScalarValue)],
) -> Result<(LogicalPlan, BTreeSet<String>)> {
    let (depth, sets) = depth(text);
    if depth > MAX_DEPTH {
        return plan_err!(
            "it is nested too deeply: brackets, operators, joins and unions in a row count as {depth}, expected at most \
             {MAX_DEPTH}; `IN` takes many values, and a table or a list can replace many unions"
        );
    }
    if sets > MAX_GROUPING_SETS {
        return plan_err!("CUBE, ROLLUP and GROUPING SETS make {sets} sets, expected at most {MAX_GROUPING_SETS}");
    }
    let mut statement = state.sql_to_statement(text, &state.config_options().sql_parser.dialect)?;
    let filled = fill_table_functions(&mut statement, values);
    size::check_statement(&statement)?;
    let plan = state.statement_to_plan(statement).await?;
    size::check_plan(&plan)?;
    Ok((plan, filled))
}

/// Returns an upper bound of the depth of SQL, and of the number of grouping sets of one of its queries.
fn depth(text: &str) -> (usize, usize) {
    // The parser reports the error of other tokens.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, text).tokenize() else { return (0, 0) };
    let (mut levels, mut named_queries) = (vec![Level::default()], 0);
    let (mut sets, mut most_sets) = (1_usize, 1);
    let mut word_before = String::new();
    let mut is_after_bracket = false;
    for token in tokens {
        if matches!(token, Token::Whitespace(_)) {
            continue;
        }
        let is_nested = levels.len() > 1;
        let Some(level) = levels.last_mut() else { break };
        let before = std::mem::take(&mut word_before);
        let was_after_bracket = std::mem::take(&mut is_after_bracket);
        match token {
            Token::LParen | Token::LBracket => {
                named_queries += usize::from(before == "AS");
                let count_sets: Option<fn(usize) -> usize> = match before.as_str() {
                    "CUBE" => Some(|items| 1 << items.min(60)),
                    "ROLLUP" => Some(|items| items + 1),
                    "SETS" => Some(|items| items),
                    _ => None,
                };
                is_after_bracket = token == Token::LBracket;
                levels.push(Level { items: 1, count_sets, ..Level::default() });
            }
            Token::RParen | Token::RBracket if is_nested => {
                let Some(ended) = levels.pop() else { break };
                if let Some(count_sets) = ended.count_sets {
                    sets = sets.saturating_mul(count_sets(ended.items));
                    most_sets = most_sets.max(sets);
                }
                let Some(level) = levels.last_mut() else { break };
                level.inner = level.inner.max(ended.depth() + BRACKET);
                // `int[][]`: a type within a type.
                level.operators += if was_after_bracket { BRACKET } else { 0 };
            }
            Token::Comma => {
                level.end_expression();
                level.items += 1;
                level.plans += if level.is_from { JOIN } else { 0 };
            }
            Token::SemiColon => level.end_expression(),
            Token::VerticalBarRightAngleBracket => {
                level.end_expression();
                level.plans += SET_OPERATOR;
                level.is_from = false;
            }
            // `array<array<int>>`
            Token::Lt if matches!(before.as_str(), "ARRAY" | "STRUCT" | "MAP") => level.operators += BRACKET,
            Token::Word(word) if word.quote_style.is_none() => {
                word_before = word.value.to_ascii_uppercase();
                match word_before.as_str() {
                    "UNION" | "EXCEPT" | "INTERSECT" => {
                        level.end_expression();
                        level.plans += SET_OPERATOR;
                        level.is_from = false;
                    }
                    "JOIN" => level.plans += JOIN,
                    // `IS DISTINCT FROM`
                    "FROM" if before == "DISTINCT" => {}
                    "FROM" => {
                        level.end_expression();
                        level.is_from = true;
                    }
                    word @ ("SELECT" | "WHERE" | "GROUP" | "HAVING" | "ORDER" | "QUALIFY" | "WINDOW") => {
                        level.end_expression();
                        level.is_from = false;
                        sets = if word == "SELECT" { 1 } else { sets };
                    }
                    "WHEN" | "THEN" | "ELSE" | "ON" => level.end_expression(),
                    "AND" | "OR" | "XOR" | "NOT" | "IS" | "LIKE" | "ILIKE" | "SIMILAR" | "BETWEEN" | "IN"
                    | "COLLATE" | "AT" | "DIV" => level.operators += 1,
                    "EXPLAIN" | "DESCRIBE" => level.operators += BRACKET,
                    word if word == before => level.operators += BRACKET,
                    _ => {}
                }
            }
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
    let open = (levels.len() - 1) * BRACKET;
    let nested = open + levels.into_iter().map(Level::depth).sum::<usize>();
    (nested + named_queries * NAMED_QUERY, most_sets)
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
            (format!("SELECT 1 WHERE a IN ({})", many("1", ",", 9_000)), 1 + BRACKET),
            (many("SELECT 1", " UNION ALL ", 1_000), 999 * SET_OPERATOR),
            (format!("SELECT 1 FROM a {}", many("JOIN b ON a.x = b.x AND a.y = b.y", " ", 200)), 200 * JOIN + 3),
            (format!("SELECT ({}) + ({})", many("1", "+", 2_000), many("1", "+", 1_000)), 2_000 + BRACKET),
            (format!("SELECT ({}) + {}", many("1", "+", 1_000), many("1", "+", 2_000)), 2_999 + BRACKET),
            (format!("WITH {} SELECT 1", many("a AS (SELECT 1 + 1)", ", ", 300)), 300 * NAMED_QUERY + 1 + BRACKET),
            (format!("SELECT {}", many("CASE WHEN a THEN b + c ELSE d END", ", ", 200)), 1),
            (format!("SELECT '{}'", many("+", " ", 9_000)), 0),
            (format!("SELECT a{}", many("::bigint", "", 3_000)), 3_000),
            (format!("SELECT cast(1 AS int{})", many("[]", "", 100)), 102 * BRACKET),
            (format!("SELECT cast(1 AS {}int{})", many("array<", "", 100), many(">", "", 100)), 101 * BRACKET + 50),
            (format!("SELECT {}1{}", many("(", "", 100), many(")", "", 100)), 100 * BRACKET),
            (format!("SELECT {}1", many("(", "", 100)), 100 * BRACKET),
            (format!("{} SELECT 1", many("EXPLAIN VERBOSE", " ", 100)), 100 * BRACKET),
            (format!("SELECT {} FROM a, b", many("a IS DISTINCT FROM b", ", ", 100)), 1 + JOIN),
            (format!("FROM t {}", many("|> WHERE a", " ", 100)), 100 * SET_OPERATOR),
            (format!("SELECT a, b FROM {} WHERE a IN (1, 2)", many("t", ", ", 100)), 99 * JOIN + 1 + BRACKET),
            (format!("SELECT 1 FROM t GROUP BY CUBE ({})", many("a", ", ", 12)), BRACKET),
            (format!("SELECT 1 FROM t GROUP BY CUBE ({})", many("a", ", ", 13)), BRACKET),
            (format!("SELECT 1 FROM t GROUP BY {}", many("GROUPING SETS ((a), (b))", ", ", 13)), 2 * BRACKET),
        ] {
            assert_eq!(depth(&text).0, expected, "{}", &text[..60]);
        }
    }

    #[test]
    fn grouping_sets_of_a_query_are_multiplied() {
        let items = vec!["a"; 13].join(", ");
        let sets = |text: &str| depth(text).1;
        assert_eq!(sets(&format!("SELECT 1 FROM t GROUP BY CUBE ({items})")), 8_192);
        assert_eq!(sets("SELECT 1 FROM t GROUP BY GROUPING SETS ((a), (b, c)), ROLLUP (a, b), CUBE (a, b)"), 2 * 3 * 4);
        let branch = "SELECT 1 FROM t GROUP BY CUBE (a, b, c, d)";
        assert_eq!(sets(&[branch; 4].join(" UNION ALL ")), 16);
    }
}
