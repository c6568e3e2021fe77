//! `regexp_like` over the different texts of a column.
//!
//! A profile has millions of kernels and a few hundred names of kernels. The engine's own function would search each row,
//! and build the pattern again for each batch; this one takes its name, asks it about every text once, keeps the answers,
//! and hands them to the rows.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, StringArray, StringViewArray, UInt32Array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::regex::regexp_like;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature};

use crate::table::Interner;

/// The scalar function.
#[derive(Debug)]
pub(crate) struct RegexpLike {
    engine: Arc<ScalarUDF>,
    known: Mutex<HashMap<Pattern, HashMap<String, bool>>>,
}

/// Pattern and flags, as they were written.
type Pattern = Vec<ScalarValue>;

/// All answers are forgotten beyond so many: names are few, and a column of other texts would fill memory.
const MOST_KNOWN: usize = 1 << 14;

impl RegexpLike {
    pub(crate) fn new() -> Self {
        Self { engine: regexp_like(), known: Mutex::default() }
    }

    /// The answers to these texts; the engine is asked about those that are new.
    fn answers(&self, pattern: Pattern, texts: &[&str], arguments: &ScalarFunctionArgs) -> Result<Vec<bool>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.values().map(HashMap::len).sum::<usize>() > MOST_KNOWN {
            known.clear();
        }
        let known = known.entry(pattern).or_default();
        let new: Vec<&str> = texts.iter().copied().filter(|text| !known.contains_key(*text)).collect();
        if !new.is_empty() {
            let mut arguments = arguments.clone();
            arguments.number_rows = new.len();
            let array: ArrayRef = Arc::new(StringArray::from(new.clone()));
            arguments.args[0] = ColumnarValue::Array(cast(&array, &arguments.args[0].data_type())?);
            let answers = self.engine.invoke_with_args(arguments)?.into_array(new.len())?;
            let answers = answers.as_boolean();
            known.extend(new.iter().enumerate().map(|(row, text)| ((*text).to_owned(), answers.value(row))));
        }
        Ok(texts.iter().map(|text| known.get(*text).copied().unwrap_or_default()).collect())
    }
}

/// Every instance gives the same answers.
impl PartialEq for RegexpLike {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RegexpLike {}

impl std::hash::Hash for RegexpLike {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.engine.name().hash(state);
    }
}

/// The different texts of a column, and which of them each row has, none for null.
pub(super) struct Distinct {
    texts: Interner,
    pub(super) places: Vec<Option<i32>>,
}

/// Rows after which it shows whether texts repeat: the names and args of kernels do, the args of operators do not.
const TRIAL: usize = 512;

impl Distinct {
    /// None for what is no text, and for texts that do not repeat: to find them again would only cost.
    pub(super) fn of(values: &ArrayRef) -> Option<Self> {
        let trial = Self::all(&values.slice(0, values.len().min(TRIAL)))?;
        if trial.texts().count() < TRIAL / 2 { Self::all(values) } else { None }
    }

    fn all(values: &ArrayRef) -> Option<Self> {
        let mut texts = Interner::default();
        let place = |text: Option<&str>| text.map(|text| texts.key(text));
        let places = match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().iter().map(place).collect(),
            DataType::LargeUtf8 => values.as_string::<i64>().iter().map(place).collect(),
            DataType::Utf8View => {
                let values = values.as_string_view();
                let views = Views::of(values);
                let keys: Vec<_> =
                    views.rows.values().iter().map(|row| texts.key(values.value(*row as usize))).collect();
                let place = |(row, place): (usize, &usize)| values.is_valid(row).then(|| keys[*place]);
                views.places.iter().enumerate().map(place).collect()
            }
            _ => return None,
        };
        Some(Self { texts, places })
    }

    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter()
    }
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

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let pattern = arguments.args.iter().skip(1).map(|pattern| match pattern {
            ColumnarValue::Scalar(value) if !value.is_null() => Some(value.clone()),
            _ => None,
        });
        let distinct = match &arguments.args[0] {
            ColumnarValue::Array(values) => Distinct::of(values),
            ColumnarValue::Scalar(_) => None,
        };
        let Some((pattern, distinct)) = pattern.collect::<Option<Pattern>>().zip(distinct) else {
            return self.engine.invoke_with_args(arguments);
        };
        let answers = self.answers(pattern, &distinct.texts().collect::<Vec<_>>(), &arguments)?;
        let answer = |place: &Option<i32>| answers.get(usize::try_from((*place)?).ok()?).copied();
        let answers: BooleanArray = distinct.places.iter().map(answer).collect();
        Ok(ColumnarValue::Array(Arc::new(answers)))
    }
}

/// Rows of a column from Parquet whose views differ: its texts are views into the pages, and rows of the same text mostly have
/// the same view.
pub(crate) struct Views {
    /// One row for each view, more than one where many differ; no null.
    pub rows: UInt32Array,
    /// For every row of the column, where its view stands among `rows`; anything for null.
    pub places: Vec<usize>,
}

/// Views that are remembered at a time: a batch has 8,192 rows and seldom more than some hundred texts.
const REMEMBERED: usize = 1 << 10;

impl Views {
    pub(crate) fn of(texts: &StringViewArray) -> Self {
        let mut rows = Vec::new();
        let mut remembered = vec![None; REMEMBERED];
        let place = |(row, view): (u32, &u128)| match &mut remembered[slot(*view)] {
            Some((known, place)) if known == view => *place,
            // What a null hides may look like a text.
            _ if texts.is_null(row as usize) => 0,
            slot => {
                *slot = Some((*view, rows.len()));
                rows.push(row);
                rows.len() - 1
            }
        };
        let places = (0..).zip(texts.views().iter()).map(place).collect();
        Self { rows: UInt32Array::from(rows), places }
    }
}

/// Where a view is remembered.
fn slot(view: u128) -> usize {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    usize::try_from(view.wrapping_mul(ODD) >> (u128::BITS - REMEMBERED.ilog2())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_stands_once_and_rows_know_theirs() {
        let texts = vec![None, Some("b"), None, Some("b"), Some("a"), None];
        for values in [Arc::new(StringArray::from(texts.clone())) as ArrayRef, Arc::new(StringViewArray::from(texts))] {
            let distinct = Distinct::of(&values).unwrap();
            assert_eq!(distinct.texts().collect::<Vec<_>>(), ["b", "a"]);
            assert_eq!(distinct.places, [None, Some(0), None, Some(0), Some(1), None]);
        }
    }
}
