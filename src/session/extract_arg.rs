//! `extract_arg(args, name)`: what stands under a name in the JSON of column `args`.
//!
//! A text comes without its quotes and escapes, everything else as JSON without blanks; null if there is no member of that
//! name, if it is null, or if `args` is no JSON object. If a name comes twice, its last value counts, as in Python.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, StringBuilder, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use super::distinct::Distinct;
use crate::format::member;

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct ExtractArg {
    signature: Signature,
}

impl ExtractArg {
    pub(super) fn new() -> Self {
        Self { signature: Signature::string(2, Volatility::Immutable) }
    }
}

fn extracted(values: &StringArray, name: &str) -> ArrayRef {
    let mut out = StringBuilder::with_capacity(values.len(), 0);
    let all: ArrayRef = Arc::new(values.clone());
    match Distinct::of(&all) {
        Some(distinct) => {
            let found: Vec<_> = distinct.texts().map(|text| member(text, name)).collect();
            let answer = |place: Option<i32>| found.get(usize::try_from(place?).ok()?)?.as_deref();
            distinct.places.iter().for_each(|place| out.append_option(answer(*place)));
        }
        None => values.iter().for_each(|text| out.append_option(text.and_then(|text| member(text, name)))),
    }
    Arc::new(out.finish())
}

impl ScalarUDFImpl for ExtractArg {
    fn name(&self) -> &'static str {
        "extract_arg"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Utf8)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let [args, ColumnarValue::Scalar(name)] = arguments.args.as_slice() else {
            return exec_err!("extract_arg(args, name): a constant as name expected");
        };
        let Some(Some(name)) = name.try_as_str() else {
            return Ok(ColumnarValue::Scalar(ScalarValue::Utf8(None)));
        };
        let args = args.to_array(arguments.number_rows)?;
        if args.null_count() == args.len() {
            return Ok(ColumnarValue::Array(new_null_array(&DataType::Utf8, args.len())));
        }
        let values = cast(&args, &DataType::Utf8)?;
        Ok(ColumnarValue::Array(extracted(values.as_string(), name)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_and_different_texts_give_the_same() {
        let text = |n: usize| format!(r#"{{"a": {n}, "grid": [{n}, 1],"name":"k\"{n}"}}"#);
        for different in [3, 2000] {
            let rows: StringArray = (0..2000).map(|n| (n % 7 > 0).then(|| text(n % different))).collect();
            let (grid, name) = (extracted(&rows, "grid"), extracted(&rows, "name"));
            for (n, (grid, name)) in grid.as_string::<i32>().iter().zip(name.as_string::<i32>()).enumerate() {
                let expected = (n % 7 > 0).then(|| (format!("[{},1]", n % different), format!("k\"{}", n % different)));
                assert_eq!(grid.zip(name).map(|(grid, name)| (grid.to_owned(), name.to_owned())), expected);
            }
        }
    }
}
