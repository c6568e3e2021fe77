//! Parameters `$name` as arguments of table functions. Such a function is called when the SQL is planned, so it needs the
//! values before. All other parameters get their values in the plan.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use datafusion::common::ScalarValue;
use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast::{
    Array, CastKind, DataType, ExactNumberInfo, Expr, TableFactor, UnaryOperator, Value, VisitMut, VisitorMut,
    visit_expressions_mut,
};

/// Replaces parameters in the arguments of table functions by their values. Returns their names.
pub(super) fn fill_table_functions(statement: &mut Statement, values: &[(String, ScalarValue)]) -> BTreeSet<String> {
    let mut filler = Filler { values, filled: BTreeSet::new() };
    match statement {
        Statement::Statement(statement) if !values.is_empty() => {
            let _ = statement.visit(&mut filler);
        }
        Statement::Explain(explain) => return fill_table_functions(&mut explain.statement, values),
        _ => {}
    }
    filler.filled
}

struct Filler<'a> {
    values: &'a [(String, ScalarValue)],
    filled: BTreeSet<String>,
}

impl VisitorMut for Filler<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, table: &mut TableFactor) -> ControlFlow<()> {
        match table {
            TableFactor::Table { args: Some(arguments), .. } => self.fill(&mut arguments.args),
            TableFactor::Function { args, .. } => self.fill(args),
            TableFactor::UNNEST { array_exprs, .. } => self.fill(array_exprs),
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

impl Filler<'_> {
    fn fill(&mut self, arguments: &mut impl VisitMut) {
        let _ = visit_expressions_mut(arguments, |expr| {
            if let Expr::Value(value) = expr
                && let Value::Placeholder(placeholder) = &value.value
                && let Some((name, known)) = self.values.iter().find(|(name, _)| *name == placeholder[1..])
                && let Some(known) = literal(known)
            {
                self.filled.insert(name.clone());
                *expr = known;
            }
            ControlFlow::<()>::Continue(())
        });
    }
}

/// Returns a value as SQL; None for types that no parameter has.
fn literal(value: &ScalarValue) -> Option<Expr> {
    let number = |text: String| match text.strip_prefix('-') {
        Some(digits) => {
            let expr = Box::new(Expr::value(Value::Number(digits.to_owned(), false)));
            Expr::UnaryOp { op: UnaryOperator::Minus, expr }
        }
        None => Expr::value(Value::Number(text, false)),
    };
    Some(match value {
        value if value.is_null() => Expr::value(Value::Null),
        ScalarValue::Int64(Some(value)) => number(value.to_string()),
        ScalarValue::Float64(Some(value)) if value.is_finite() => number(format!("{value:?}")),
        ScalarValue::Float64(Some(value)) => Expr::Cast {
            kind: CastKind::Cast,
            expr: Box::new(Expr::value(Value::SingleQuotedString(value.to_string()))),
            data_type: DataType::Double(ExactNumberInfo::None),
            array: false,
            format: None,
        },
        ScalarValue::Boolean(Some(value)) => Expr::value(Value::Boolean(*value)),
        ScalarValue::Utf8(Some(text)) => Expr::value(Value::SingleQuotedString(text.clone())),
        ScalarValue::List(list) => {
            let elements = (0..list.values().len()).map(|n| ScalarValue::try_from_array(list.values(), n).ok());
            let elem = elements.map(|element| literal(&element?)).collect::<Option<Vec<_>>>()?;
            Expr::Array(Array { elem, named: false })
        }
        _ => return None,
    })
}
