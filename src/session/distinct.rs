//! `regexp_like` over the different texts of a column.
//!
//! A profile has millions of kernels and a few hundred names of kernels. The engine's own function would search each row;
//! this one takes its name, asks it about every text once in a batch, and hands the answers to the rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, StringViewArray, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::functions::regex::regexp_like;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature};

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RegexpLike {
    engine: Arc<ScalarUDF>,
}

impl RegexpLike {
    pub(super) fn new() -> Self {
        Self { engine: regexp_like() }
    }
}

/// The different texts, null among them, and which of them each row has; none for what is no text.
fn distinct(values: &ArrayRef) -> Option<(ArrayRef, UInt32Array)> {
    match values.data_type() {
        DataType::Utf8 => {
            let (texts, places) = places(values.as_string::<i32>().iter());
            Some((Arc::new(StringArray::from(texts)), places))
        }
        DataType::Utf8View => {
            let (texts, places) = places(values.as_string_view().iter());
            Some((Arc::new(StringViewArray::from(texts)), places))
        }
        _ => None,
    }
}

fn places<'a>(values: impl Iterator<Item = Option<&'a str>>) -> (Vec<Option<&'a str>>, UInt32Array) {
    let mut known: HashMap<Option<&str>, u32> = HashMap::new();
    let mut texts = Vec::new();
    let places = values.map(|text| {
        *known.entry(text).or_insert_with(|| {
            texts.push(text);
            u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
        })
    });
    let places = UInt32Array::from_iter_values(places);
    (texts, places)
}

impl ScalarUDFImpl for RegexpLike {
    fn name(&self) -> &'static str {
        "regexp_like"
    }

    fn signature(&self) -> &Signature {
        self.engine.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.engine.return_type(types)
    }

    fn invoke_with_args(&self, mut arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let constant = arguments.args.iter().skip(1).all(|pattern| matches!(pattern, ColumnarValue::Scalar(_)));
        let found = match &arguments.args[0] {
            ColumnarValue::Array(values) if constant => distinct(values),
            _ => None,
        };
        let Some((texts, places)) = found else { return self.engine.invoke_with_args(arguments) };
        arguments.number_rows = texts.len();
        arguments.args[0] = ColumnarValue::Array(texts);
        let answers = self.engine.invoke_with_args(arguments)?.into_array(places.len())?;
        Ok(ColumnarValue::Array(take(&answers, &places, None)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_stands_once_and_rows_know_theirs() {
        let (texts, places) = places([Some("b"), None, Some("b"), Some("a"), None].into_iter());
        assert_eq!(texts, [Some("b"), None, Some("a")]);
        assert_eq!(places.values(), &[0, 1, 0, 2, 1]);
    }
}
