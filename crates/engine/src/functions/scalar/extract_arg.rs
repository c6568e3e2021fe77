//! `extract_arg(args, name)`: what stands under a name in the JSON of column `args`.
//!
//! A text comes without its quotes and escapes, everything else as JSON without blanks; null if there is no member of that
//! name, if it is null, or if `args` is no JSON object. If a name comes twice, its last value counts, as in Python.

use std::borrow::Cow;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringBuilder, new_null_array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};
use memchr::memchr;
use memchr::memmem::Finder;

use crate::format::member;
use crate::functions::scalar::distinct::Distinct;

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct ExtractArg {
    signature: Signature,
}

impl ExtractArg {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::string(2, Volatility::Immutable) }
    }
}

/// [`member`] of many texts. Most have none of that name: they are searched for it before they are read as JSON, in which it may
/// be written with escapes.
struct Member<'n> {
    name: &'n str,
    finder: Finder<'n>,
}

impl<'n> Member<'n> {
    fn new(name: &'n str) -> Self {
        Self { name, finder: Finder::new(name) }
    }

    fn of<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        let text_bytes = text.as_bytes();
        let possible = self.finder.find(text_bytes).is_some() || memchr(b'\\', text_bytes).is_some();
        if possible { member(text, self.name) } else { None }
    }
}

fn extracted(values: &ArrayRef, name: &str) -> Result<ArrayRef> {
    let wanted = Member::new(name);
    let mut out = StringBuilder::with_capacity(values.len(), 0);
    match Distinct::of(values) {
        Some(distinct) => {
            let found: Vec<_> = distinct.texts().map(|text| wanted.of(text)).collect();
            let answer = |place: Option<i32>| found.get(usize::try_from(place?).ok()?)?.as_deref();
            distinct.places.iter().for_each(|place| out.append_option(answer(*place)));
        }
        None => {
            let values = cast(values, &DataType::Utf8View)?;
            let texts = values.as_string_view().iter();
            texts.for_each(|text| out.append_option(text.and_then(|text| wanted.of(text))));
        }
    }
    Ok(Arc::new(out.finish()))
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
            return exec_err!("extract_arg(args, name): expected a constant as name");
        };
        let Some(Some(name)) = name.try_as_str() else {
            return Ok(ColumnarValue::Scalar(ScalarValue::Utf8(None)));
        };
        let args = args.to_array(arguments.number_rows)?;
        if args.null_count() == args.len() {
            return Ok(ColumnarValue::Array(new_null_array(&DataType::Utf8, args.len())));
        }
        Ok(ColumnarValue::Array(extracted(&args, name)?))
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::StringArray;

    use super::*;

    fn of(texts: &ArrayRef, name: &str) -> Vec<Option<String>> {
        let found = extracted(texts, name).unwrap();
        found.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
    }

    #[test]
    fn repeated_and_different_texts_give_the_same() {
        let text = |n: usize| format!(r#"{{"a": {n}, "grid": [{n}, 1],"name":"k\"{n}"}}"#);
        for different in [3, 2000] {
            let rows: ArrayRef =
                Arc::new((0..2000).map(|n| (n % 7 > 0).then(|| text(n % different))).collect::<StringArray>());
            for kind in [DataType::Utf8, DataType::LargeUtf8, DataType::Utf8View] {
                let rows = cast(&rows, &kind).unwrap();
                let (grid, name) = (of(&rows, "grid"), of(&rows, "name"));
                for (n, (grid, name)) in grid.into_iter().zip(name).enumerate() {
                    let expected =
                        (n % 7 > 0).then(|| (format!("[{},1]", n % different), format!("k\"{}", n % different)));
                    assert_eq!(grid.zip(name), expected);
                }
            }
        }
    }

    #[test]
    fn what_is_searched_first_is_what_is_read() {
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
                assert_eq!(Member::new(name).of(text), member(text, name), "{name} of {text}");
            }
        }
    }
}
