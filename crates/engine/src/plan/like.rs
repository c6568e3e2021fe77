//! `LIKE` and `ILIKE` for columns with repeated texts.
//!
//! A profile has millions of events and a few hundred names. DataFusion compares the pattern with
//! the text of each row. In a column from Parquet, rows with the same text mostly have the same
//! string view. The functions here compare each distinct view once.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Scalar, StringArray};
use arrow::buffer::BooleanBuffer;
use arrow::compute::kernels::comparison::{ilike, like};
use arrow::compute::{cast, take};
use arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::Transformed;
use datafusion::common::{DFSchema, Result, ScalarValue, exec_err};
use datafusion::logical_expr::expr::{Like, ScalarFunction};
use datafusion::logical_expr::expr_rewriter::FunctionRewrite;
use datafusion::logical_expr::{ColumnarValue, Expr, ExprSchemable, ScalarUDF, Volatility, create_udf};

use crate::functions::scalar::distinct::DistinctViews;

/// The rewrite rule that replaces the operators with these functions. It does not change a pattern
/// that begins with a letter, because DataFusion can skip row groups by the prefix.
#[derive(Debug)]
pub struct LikeRewrite {
    like: Arc<ScalarUDF>,
    ilike: Arc<ScalarUDF>,
}

impl Default for LikeRewrite {
    fn default() -> Self {
        Self { like: like_function(false), ilike: like_function(true) }
    }
}

impl LikeRewrite {
    /// The functions that replace LIKE and ILIKE in plans.
    pub fn functions(&self) -> [Arc<ScalarUDF>; 2] {
        [Arc::clone(&self.like), Arc::clone(&self.ilike)]
    }
}

impl FunctionRewrite for LikeRewrite {
    fn name(&self) -> &'static str {
        "like_by_view"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        let Expr::Like(Like { negated, expr: text, pattern, escape_char: None, case_insensitive }) = &expr else {
            return Ok(Transformed::no(expr));
        };
        let has_no_prefix = matches!(&**pattern, Expr::Literal(ScalarValue::Utf8(Some(pattern)), _)
            if pattern.starts_with(['%', '_']) && pattern.contains(|letter| letter != '%'));
        if !has_no_prefix || !text.get_type(schema).is_ok_and(|data_type| data_type == DataType::Utf8View) {
            return Ok(Transformed::no(expr));
        }
        let function = if *case_insensitive { &self.ilike } else { &self.like };
        let arguments = vec![(**text).clone(), (**pattern).clone()];
        let matches = Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(function), arguments));
        Ok(Transformed::yes(if *negated { !matches } else { matches }))
    }
}

/// The scalar function: returns whether each text matches the pattern, null for null.
fn like_function(case_insensitive: bool) -> Arc<ScalarUDF> {
    let name = if case_insensitive { "ilike" } else { "like" };
    let evaluate = move |arguments: &[ColumnarValue]| {
        let [texts, ColumnarValue::Scalar(ScalarValue::Utf8(Some(pattern)))] = arguments else {
            return exec_err!("{name}: expected a column of texts and a pattern");
        };
        let texts = match texts {
            ColumnarValue::Array(texts) => texts.as_string_view(),
            ColumnarValue::Scalar(text) => {
                let matches = compare(text.to_array()?.as_ref(), pattern, case_insensitive)?;
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&matches, 0)?));
            }
        };
        let views = DistinctViews::new(texts);
        let view_matches = compare(&*take(texts, &views.rows, None)?, pattern, case_insensitive)?;
        let matches = BooleanBuffer::collect_bool(texts.len(), |row| {
            let index = views.indexes[row];
            // There are no views if all texts are null.
            index < view_matches.len() && view_matches.value(index)
        });
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::new(matches, texts.nulls().cloned()))))
    };
    let arguments = vec![DataType::Utf8View, DataType::Utf8];
    Arc::new(create_udf(name, arguments, DataType::Boolean, Volatility::Immutable, Arc::new(evaluate)))
}

fn compare(texts: &dyn Array, pattern: &str, case_insensitive: bool) -> Result<BooleanArray> {
    let pattern: ArrayRef = Arc::new(StringArray::from(vec![pattern]));
    let pattern = Scalar::new(cast(&pattern, texts.data_type())?);
    let compared = if case_insensitive { ilike(&texts, &pattern) } else { like(&texts, &pattern) };
    Ok(compared?)
}

#[cfg(test)]
mod tests {
    use arrow::array::{StringViewArray, UInt32Array};
    use arrow::buffer::NullBuffer;
    use arrow::datatypes::Field;
    use datafusion::logical_expr::ScalarFunctionArgs;
    use proptest::prelude::*;

    use super::*;

    fn matches(texts: &StringViewArray, pattern: &str, case_insensitive: bool) -> BooleanArray {
        let texts: ArrayRef = Arc::new(texts.clone());
        let arguments = ScalarFunctionArgs {
            number_rows: texts.len(),
            args: vec![ColumnarValue::Array(Arc::clone(&texts)), ColumnarValue::Scalar(ScalarValue::from(pattern))],
            arg_fields: Vec::new(),
            return_field: Arc::new(Field::new("matches", DataType::Boolean, true)),
            config_options: Arc::default(),
        };
        let matches = like_function(case_insensitive).invoke_with_args(arguments).unwrap();
        matches.into_array(texts.len()).unwrap().as_boolean().clone()
    }

    proptest! {
        /// Checked against DataFusion: rows of one view, of one text in several views, of thousands
        /// of texts, and nulls.
        #[test]
        fn matches_are_those_of_datafusion(
            rows in prop::collection::vec(prop::option::weighted(0.9, (0..9000_u32).prop_map(|n| n * n % 7001)), 0..3000),
            few in 1..7000_u32,
            start in 0..50_usize,
            pattern in prop::sample::select(vec!["%gemm%", "_el%", "%_0", "%GEMM", "__", "%a%1%"]),
            case_insensitive: bool,
        ) {
            let text = |n: u32| format!("{} {}", ["gemm", "a", "volta_sgemm_128x64_tn", "relu", ""][n as usize % 5], n % few);
            let texts: StringViewArray = rows.iter().map(|row| row.map(text)).collect();
            // Rows with the same view, as from the dictionary of a page.
            let rows = UInt32Array::from_iter_values((0..).take(texts.len()).map(|row| row * 7 % 13));
            let repeated = if texts.len() > 13 { take(&texts, &rows, None).unwrap() } else { Arc::new(texts.clone()) as ArrayRef };
            for texts in [&texts, repeated.as_string_view()] {
                let texts = texts.slice(start.min(texts.len()), texts.len().saturating_sub(start));
                let expected = compare(&texts, pattern, case_insensitive).unwrap();
                prop_assert_eq!(matches(&texts, pattern, case_insensitive), expected);
            }
        }
    }

    #[test]
    fn a_null_with_a_text_below_it_stays_null() {
        let texts = StringViewArray::from(vec!["gemm", "gemm", "relu", ""]);
        let nulls = NullBuffer::from(vec![false, true, false, true]);
        let texts = StringViewArray::new(texts.views().clone(), texts.data_buffers().to_vec(), Some(nulls));
        let rows: Vec<_> = matches(&texts, "%emm", false).iter().collect();
        assert_eq!(rows, [None, Some(true), None, Some(false)]);
        let nulls: StringViewArray = std::iter::repeat_n(None::<&str>, 3).collect();
        assert_eq!(matches(&nulls, "%emm", false).null_count(), 3);
    }
}
