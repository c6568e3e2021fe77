//! `extract_arg(args, name)`: the value of a member in the JSON object of column `args`.
//!
//! A string is returned without quotes and escapes, other values as JSON without blanks. The result
//! is null if there is no member of that name, if its value is null, or if `args` is not a JSON
//! object. If a name occurs twice, its last value counts, as in Python.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringBuilder, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Signature, SimpleScalarUDF, Volatility};
use memchr::memchr;
use memchr::memmem::Finder;

use crate::format::member_value;
use crate::functions::scalar::distinct::DistinctTexts;

/// The scalar function.
pub(crate) fn extract_arg() -> ScalarUDF {
    let signature = Signature::string(2, Volatility::Immutable);
    ScalarUDF::from(SimpleScalarUDF::new_with_signature("extract_arg", signature, DataType::Utf8, Arc::new(evaluate)))
}

/// [`member_value`] for many texts. Most have no member of that name, so they are searched for the name
/// before they are parsed. A text with a backslash is always parsed, because it may contain the
/// name with escapes.
struct MemberFinder<'n> {
    name: &'n str,
    finder: Finder<'n>,
}

impl<'n> MemberFinder<'n> {
    fn new(name: &'n str) -> Self {
        Self { name, finder: Finder::new(name) }
    }

    fn find<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        let text_bytes = text.as_bytes();
        let is_possible = self.finder.find(text_bytes).is_some() || memchr(b'\\', text_bytes).is_some();
        if is_possible { member_value(text, self.name) } else { None }
    }
}

fn extract(values: &ArrayRef, name: &str) -> Result<ArrayRef> {
    let finder = MemberFinder::new(name);
    let mut builder = StringBuilder::with_capacity(values.len(), 0);
    match DistinctTexts::find(values) {
        Some(distinct) => {
            let members: Vec<_> = distinct.texts.iter().map(|text| finder.find(text)).collect();
            let row_member = |index: Option<i32>| members.get(usize::try_from(index?).ok()?)?.as_deref();
            distinct.indexes.iter().for_each(|index| builder.append_option(row_member(*index)));
        }
        None => {
            let values = cast(values, &DataType::Utf8View)?;
            let texts = values.as_string_view().iter();
            texts.for_each(|text| builder.append_option(text.and_then(|text| finder.find(text))));
        }
    }
    Ok(Arc::new(builder.finish()))
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let [args, ColumnarValue::Scalar(name)] = arguments else {
        return exec_err!("extract_arg(args, name): expected a constant as name");
    };
    let Some(Some(name)) = name.try_as_str() else {
        return Ok(ColumnarValue::Scalar(ScalarValue::Utf8(None)));
    };
    // If both arguments are constants, one row stands for all.
    let args = args.to_array(1)?;
    if args.null_count() == args.len() {
        return Ok(ColumnarValue::Array(new_null_array(&DataType::Utf8, args.len())));
    }
    Ok(ColumnarValue::Array(extract(&args, name)?))
}

#[cfg(test)]
mod tests {
    use arrow::array::StringArray;

    use super::*;

    fn extract_texts(texts: &ArrayRef, name: &str) -> Vec<Option<String>> {
        let members = extract(texts, name).unwrap();
        members.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn repeated_and_distinct_texts_give_the_same() {
        let text = |n: usize| format!(r#"{{"a": {n}, "grid": [{n}, 1],"name":"k\"{n}"}}"#);
        for distinct in [3, 2000] {
            let rows: ArrayRef =
                Arc::new((0..2000).map(|n| (n % 7 > 0).then(|| text(n % distinct))).collect::<StringArray>());
            for data_type in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
                let rows = cast(&rows, &data_type).unwrap();
                let (grid, name) = (extract_texts(&rows, "grid"), extract_texts(&rows, "name"));
                for (n, (grid, name)) in grid.into_iter().zip(name).enumerate() {
                    let expected =
                        (n % 7 > 0).then(|| (format!("[{},1]", n % distinct), format!("k\"{}", n % distinct)));
                    assert_eq!(grid.zip(name), expected);
                }
            }
        }
    }

    #[test]
    fn the_search_before_parsing_misses_no_member() {
        for text in [
            r#"{"grid": 1}"#,
            r#"{"gr\u0069d": 2}"#,
            r#"{"name": "grid"}"#,
            r#"{"name": {"grid": 3}}"#,
            r#"{"a\"grid": 4}"#,
            r#"{"other": 5}"#,
            r#"{"grid": 6"#,
            r#"["grid"]"#,
            "{}",
            "",
        ] {
            for name in ["grid", "a\"grid", "", "ä"] {
                assert_eq!(MemberFinder::new(name).find(text), member_value(text, name), "{name} of {text}");
            }
        }
    }
}
