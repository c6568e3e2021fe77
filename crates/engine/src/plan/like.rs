//! `LIKE` and `ILIKE` over columns whose texts repeat.
//!
//! A profile has millions of events and a few hundred names. The engine compares a pattern with the text of each row; a
//! column from Parquet has views into the pages, in which rows of the same text mostly have the same view, and a view is
//! compared once here.

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
use datafusion::logical_expr::{
    ColumnarValue, Expr, ExprSchemable, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use crate::functions::scalar::distinct::Views;

/// Puts the functions in the place of the operators, where that loses nothing: a pattern that begins with a letter is left to
/// the engine, which skips row groups by it.
#[derive(Debug)]
pub struct LikeByView {
    like: Arc<ScalarUDF>,
    ilike: Arc<ScalarUDF>,
}

impl Default for LikeByView {
    fn default() -> Self {
        let function = |ignores_case| Arc::new(ScalarUDF::from(ViewLike::new(ignores_case)));
        Self { like: function(false), ilike: function(true) }
    }
}

impl LikeByView {
    /// What takes the place of LIKE and ILIKE in plans.
    pub fn functions(&self) -> [Arc<ScalarUDF>; 2] {
        [Arc::clone(&self.like), Arc::clone(&self.ilike)]
    }
}

impl FunctionRewrite for LikeByView {
    fn name(&self) -> &'static str {
        "like_by_view"
    }

    fn rewrite(&self, expr: Expr, schema: &DFSchema, _: &ConfigOptions) -> Result<Transformed<Expr>> {
        let Expr::Like(Like { negated, expr: text, pattern, escape_char: None, case_insensitive }) = &expr else {
            return Ok(Transformed::no(expr));
        };
        let searched = matches!(&**pattern, Expr::Literal(ScalarValue::Utf8(Some(pattern)), _)
            if pattern.starts_with(['%', '_']) && pattern.contains(|letter| letter != '%'));
        if !searched || !text.get_type(schema).is_ok_and(|of| of == DataType::Utf8View) {
            return Ok(Transformed::no(expr));
        }
        let function = if *case_insensitive { &self.ilike } else { &self.like };
        let arguments = vec![(**text).clone(), (**pattern).clone()];
        let answer = Expr::ScalarFunction(ScalarFunction::new_udf(Arc::clone(function), arguments));
        Ok(Transformed::yes(if *negated { !answer } else { answer }))
    }
}

/// The scalar function: texts as views and one pattern to whether they match, null for null.
#[derive(Debug, PartialEq, Eq, Hash)]
struct ViewLike {
    ignores_case: bool,
    signature: Signature,
}

impl ViewLike {
    fn new(ignores_case: bool) -> Self {
        let signature = Signature::exact(vec![DataType::Utf8View, DataType::Utf8], Volatility::Immutable);
        Self { ignores_case, signature }
    }

    fn compare(&self, texts: &dyn Array, pattern: &str) -> Result<BooleanArray> {
        let pattern: ArrayRef = Arc::new(StringArray::from(vec![pattern]));
        let pattern = Scalar::new(cast(&pattern, texts.data_type())?);
        let compared = if self.ignores_case { ilike(&texts, &pattern) } else { like(&texts, &pattern) };
        Ok(compared?)
    }
}

impl ScalarUDFImpl for ViewLike {
    fn name(&self) -> &'static str {
        if self.ignores_case { "ilike" } else { "like" }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [texts, ColumnarValue::Scalar(ScalarValue::Utf8(Some(pattern)))] = arguments.args.as_slice() else {
            return exec_err!("{}: expected a column of texts and a pattern", self.name());
        };
        let texts = match texts {
            ColumnarValue::Array(texts) => texts.as_string_view(),
            ColumnarValue::Scalar(text) => {
                let answer = self.compare(text.to_array()?.as_ref(), pattern)?;
                return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&answer, 0)?));
            }
        };
        let views = Views::of(texts);
        let answers = self.compare(&*take(texts, &views.rows, None)?, pattern)?;
        let answers = BooleanBuffer::collect_bool(texts.len(), |row| {
            let place = views.places[row];
            place < answers.len() && answers.value(place) // none when all are null
        });
        Ok(ColumnarValue::Array(Arc::new(BooleanArray::new(answers, texts.nulls().cloned()))))
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::{StringViewArray, UInt32Array};
    use arrow::buffer::NullBuffer;
    use arrow::datatypes::Field;
    use proptest::prelude::*;

    use super::*;

    fn answers(texts: &StringViewArray, pattern: &str, ignores_case: bool) -> BooleanArray {
        let texts: ArrayRef = Arc::new(texts.clone());
        let arguments = ScalarFunctionArgs {
            number_rows: texts.len(),
            args: vec![ColumnarValue::Array(Arc::clone(&texts)), ColumnarValue::Scalar(ScalarValue::from(pattern))],
            arg_fields: Vec::new(),
            return_field: Arc::new(Field::new("answer", DataType::Boolean, true)),
            config_options: Arc::default(),
        };
        let answers = ViewLike::new(ignores_case).invoke_with_args(arguments).unwrap();
        answers.into_array(texts.len()).unwrap().as_boolean().clone()
    }

    proptest! {
        /// Rows of one view, of one text in several views, of thousands of texts, and nulls, against the engine's own answer.
        #[test]
        fn as_the_engine_answers(
            rows in prop::collection::vec(prop::option::weighted(0.9, (0..9000_u32).prop_map(|n| n * n % 7001)), 0..3000),
            few in 1..7000_u32,
            start in 0..50_usize,
            pattern in prop::sample::select(vec!["%gemm%", "_el%", "%_0", "%GEMM", "__", "%a%1%"]),
            ignores_case: bool,
        ) {
            let text = |n: u32| format!("{} {}", ["gemm", "a", "volta_sgemm_128x64_tn", "relu", ""][n as usize % 5], n % few);
            let texts: StringViewArray = rows.iter().map(|row| row.map(text)).collect();
            // Rows of the same view, as from the dictionary of a page.
            let rows = UInt32Array::from_iter_values((0..).take(texts.len()).map(|row| row * 7 % 13));
            let repeated = if texts.len() > 13 { take(&texts, &rows, None).unwrap() } else { Arc::new(texts.clone()) as ArrayRef };
            for texts in [&texts, repeated.as_string_view()] {
                let texts = texts.slice(start.min(texts.len()), texts.len().saturating_sub(start));
                let expected = ViewLike::new(ignores_case).compare(&texts, pattern).unwrap();
                prop_assert_eq!(answers(&texts, pattern, ignores_case), expected);
            }
        }
    }

    #[test]
    fn a_null_that_hides_a_text_stays_null() {
        let texts = StringViewArray::from(vec!["gemm", "gemm", "relu", ""]);
        let nulls = NullBuffer::from(vec![false, true, false, true]);
        let texts = StringViewArray::new(texts.views().clone(), texts.data_buffers().to_vec(), Some(nulls));
        let all: Vec<_> = answers(&texts, "%emm", false).iter().collect();
        assert_eq!(all, [None, Some(true), None, Some(false)]);
        let none: StringViewArray = std::iter::repeat_n(None::<&str>, 3).collect();
        assert_eq!(answers(&none, "%emm", false).null_count(), 3);
    }
}
