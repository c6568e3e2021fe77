//! `regexp_like` for columns with repeated texts, and the search for distinct texts of a column.
//!
//! A profile has millions of kernels and a few hundred names of kernels. DataFusion's function
//! would search each row, and compile the pattern again for each batch. The function here replaces
//! it: it searches each distinct text once and caches the results.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, StringArray, StringViewArray, UInt32Array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::functions::regex::regexp_like;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature};
use parking_lot::Mutex;

use crate::table::Interner;

/// The scalar function.
#[derive(Debug)]
pub(crate) struct RegexpLike {
    function: Arc<ScalarUDF>,
    cache: Mutex<HashMap<RegexpArguments, HashMap<String, bool>>>,
}

/// Pattern and flags.
type RegexpArguments = Vec<ScalarValue>;

/// Maximum number of cached results. The cache is cleared when it is full, because columns with
/// many distinct texts would fill memory.
const MAX_CACHED: usize = 1 << 14;

impl RegexpLike {
    pub(crate) fn new() -> Self {
        Self { function: regexp_like(), cache: Mutex::default() }
    }

    /// Returns whether each text matches. Only texts that are not in the cache are searched.
    fn matches(&self, pattern: RegexpArguments, texts: &[&str], arguments: &ScalarFunctionArgs) -> Result<Vec<bool>> {
        let mut cache = self.cache.lock();
        if cache.values().map(HashMap::len).sum::<usize>() > MAX_CACHED {
            cache.clear();
        }
        let cache = cache.entry(pattern).or_default();
        let new: Vec<&str> = texts.iter().copied().filter(|text| !cache.contains_key(*text)).collect();
        if !new.is_empty() {
            let mut arguments = arguments.clone();
            arguments.number_rows = new.len();
            let array: ArrayRef = Arc::new(StringArray::from(new.clone()));
            arguments.args[0] = ColumnarValue::Array(cast(&array, &arguments.args[0].data_type())?);
            let matches = self.function.invoke_with_args(arguments)?.into_array(new.len())?;
            let matches = matches.as_boolean();
            cache.extend(new.iter().enumerate().map(|(row, text)| ((*text).to_owned(), matches.value(row))));
        }
        Ok(texts.iter().map(|text| cache.get(*text).copied().unwrap_or_default()).collect())
    }
}

/// All instances return the same results.
impl PartialEq for RegexpLike {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for RegexpLike {}

impl std::hash::Hash for RegexpLike {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.function.name().hash(state);
    }
}

/// The distinct texts of a column.
pub(super) struct DistinctTexts {
    pub(super) texts: Interner,
    /// For each row the index of its text, `None` for null.
    pub(super) indexes: Vec<Option<i32>>,
}

/// Number of rows that are checked for repeated texts first. The names and args of kernels repeat,
/// the args of operators do not.
const TRIAL_ROWS: usize = 512;

impl DistinctTexts {
    /// Finds the distinct texts of a column. Returns `None` if the values are not texts, or if few
    /// of them repeat: then the search costs more than it saves.
    pub(super) fn find(values: &ArrayRef) -> Option<Self> {
        let trial = Self::find_all(&values.slice(0, values.len().min(TRIAL_ROWS)))?;
        if trial.texts.texts() < TRIAL_ROWS / 2 { Self::find_all(values) } else { None }
    }

    fn find_all(values: &ArrayRef) -> Option<Self> {
        let mut texts = Interner::default();
        let index = |text: Option<&str>| text.map(|text| texts.key(text));
        let indexes = match values.data_type() {
            DataType::Utf8 => values.as_string::<i32>().iter().map(index).collect(),
            DataType::LargeUtf8 => values.as_string::<i64>().iter().map(index).collect(),
            DataType::Utf8View => {
                let values = values.as_string_view();
                let views = DistinctViews::new(values);
                let keys: Vec<_> =
                    views.rows.values().iter().map(|row| texts.key(values.value(*row as usize))).collect();
                let index = |(row, view): (usize, &usize)| values.is_valid(row).then(|| keys[*view]);
                views.indexes.iter().enumerate().map(index).collect()
            }
            _ => return None,
        };
        Some(Self { texts, indexes })
    }
}

impl ScalarUDFImpl for RegexpLike {
    fn name(&self) -> &'static str {
        "regexp_like"
    }

    fn signature(&self) -> &Signature {
        self.function.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.return_type(types)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let pattern = arguments.args.iter().skip(1).map(|pattern| match pattern {
            ColumnarValue::Scalar(value) if !value.is_null() => Some(value.clone()),
            _ => None,
        });
        let distinct = match &arguments.args[0] {
            ColumnarValue::Array(values) => DistinctTexts::find(values),
            ColumnarValue::Scalar(_) => None,
        };
        let Some((pattern, distinct)) = pattern.collect::<Option<RegexpArguments>>().zip(distinct) else {
            return self.function.invoke_with_args(arguments);
        };
        let matches = self.matches(pattern, &distinct.texts.iter().collect::<Vec<_>>(), &arguments)?;
        let row_matches = |index: &Option<i32>| matches.get(usize::try_from((*index)?).ok()?).copied();
        Ok(ColumnarValue::Array(Arc::new(distinct.indexes.iter().map(row_matches).collect::<BooleanArray>())))
    }
}

/// The distinct string views of a column. In a column from Parquet, the views refer to the pages,
/// and rows with the same text mostly have the same view.
pub(crate) struct DistinctViews {
    /// One row for each view, without nulls. There can be several rows for one view if there are
    /// many views.
    pub rows: UInt32Array,
    /// For each row of the column, the index of its view in `rows`. Undefined for null.
    pub indexes: Vec<usize>,
}

/// Number of slots in the hash table of views. A batch has 8,192 rows and rarely more than a few
/// hundred texts.
const HASH_SLOTS: usize = 1 << 10;

impl DistinctViews {
    pub(crate) fn new(texts: &StringViewArray) -> Self {
        let mut rows = Vec::new();
        let mut slots = vec![None; HASH_SLOTS];
        let index = |(row, view): (u32, &u128)| match &mut slots[slot_of(*view)] {
            Some((other, index)) if other == view => *index,
            // The view of a null is undefined.
            _ if texts.is_null(row as usize) => 0,
            slot => {
                *slot = Some((*view, rows.len()));
                rows.push(row);
                rows.len() - 1
            }
        };
        let indexes = (0..).zip(texts.views().iter()).map(index).collect();
        Self { rows: UInt32Array::from(rows), indexes }
    }
}

/// The slot of a view in the hash table.
fn slot_of(view: u128) -> usize {
    const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
    usize::try_from(view.wrapping_mul(ODD) >> (u128::BITS - HASH_SLOTS.ilog2())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_text_is_found_once_and_rows_have_its_index() {
        let texts = vec![None, Some("b"), None, Some("b"), Some("a"), None];
        for values in [Arc::new(StringArray::from(texts.clone())) as ArrayRef, Arc::new(StringViewArray::from(texts))] {
            let distinct = DistinctTexts::find(&values).unwrap();
            assert_eq!(distinct.texts.iter().collect::<Vec<_>>(), ["b", "a"]);
            assert_eq!(distinct.indexes, [None, Some(0), None, Some(0), Some(1), None]);
        }
    }
}
