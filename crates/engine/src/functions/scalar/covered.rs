//! `covered(intervals, windows)`: how much of each window the intervals cover.
//!
//! Both are lists of structs with the fields `ts` and `dur`; the intervals are those of `union_intervals`, disjoint and in
//! order. The answer is a list, one length to a window, null for a window without a time: `unnest` beside the windows puts
//! them in rows. A join by time would try every interval against every window, or cut time into cells for both.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::functions::intervals;

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Covered {
    signature: Signature,
}

impl Covered {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::any(2, Volatility::Immutable) }
    }
}

/// Whether values are lists of intervals.
fn has_intervals(ty: &DataType) -> bool {
    let DataType::List(element) = ty else { return false };
    let DataType::Struct(fields) = element.data_type() else { return false };
    ["ts", "dur"].iter().all(|name| fields.find(name).is_some_and(|(_, field)| field.data_type() == &DataType::Int64))
}

/// Start and end of every interval in a list; none for one without a time, and no list for null.
fn intervals(lists: &ListArray, row: usize) -> Result<Vec<Option<(i64, i64)>>> {
    if lists.is_null(row) {
        return Ok(Vec::new());
    }
    let elements = lists.value(row);
    let elements = elements.as_struct();
    let (Some(ts), Some(dur)) = (elements.column_by_name("ts"), elements.column_by_name("dur")) else {
        return exec_err!("covered: expected a list of intervals with the fields ts and dur");
    };
    let (ts, dur) = (ts.as_primitive::<Int64Type>(), dur.as_primitive::<Int64Type>());
    let interval = |row| (ts.value(row), ts.value(row).saturating_add(dur.value(row)));
    let timed = |row| elements.is_valid(row) && ts.is_valid(row) && dur.is_valid(row);
    Ok((0..elements.len()).map(|row| timed(row).then(|| interval(row))).collect())
}

impl ScalarUDFImpl for Covered {
    fn name(&self) -> &'static str {
        "covered"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        if !types.iter().all(has_intervals) {
            return plan_err!("covered(intervals, windows): expected lists of structs with the fields ts and dur");
        }
        Ok(DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true))))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let lists = ColumnarValue::values_to_arrays(&arguments.args)?;
        let (unions, windows) = (lists[0].as_list::<i32>(), lists[1].as_list::<i32>());
        let answers = (0..windows.len()).map(|row| {
            let union: Vec<(i64, i64)> = intervals(unions, row)?.into_iter().flatten().collect();
            let found = intervals::covered(&union, intervals(windows, row)?.into_iter());
            Ok(windows.is_valid(row).then_some(found))
        });
        let answers = answers.collect::<Result<Vec<_>>>()?;
        let answer: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(answers));
        Ok(ColumnarValue::Array(answer))
    }
}
