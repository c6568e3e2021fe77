//! `covered(intervals, windows)`: the length of the part of each window that the intervals cover, and
//! `priority_covered(intervals, windows)`: that part for each priority, without the time that earlier
//! priorities cover.
//!
//! Both are lists of structs with the fields `ts` and `dur`. The intervals are those of
//! `union_intervals`, disjoint and sorted. The result is a list with one length for each window,
//! null for a window without a time. `unnest` of the windows and of this list gives rows. A join by
//! time would compare every interval with every window, or need time buckets for both.
//!
//! The intervals of `priority_covered` are those of `priority_intervals`. Its result has a list for
//! each window, with a length for each priority.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Builder, ListArray, ListBuilder};
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::functions::intervals::{Windows, by_start};

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct CoveredLengths {
    signature: Signature,
}

impl CoveredLengths {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::any(2, Volatility::Immutable) }
    }
}

/// Whether a type is a list of structs with these fields, of type bigint.
pub(super) fn has_fields(ty: &DataType, names: &[&str]) -> bool {
    let DataType::List(element) = ty else { return false };
    let DataType::Struct(fields) = element.data_type() else { return false };
    names.iter().all(|name| fields.find(name).is_some_and(|(_, field)| field.data_type() == &DataType::Int64))
}

/// Intervals, as a column of structs.
struct Intervals {
    elements: ArrayRef,
    ts: ArrayRef,
    dur: ArrayRef,
}

impl Intervals {
    /// The list of a row. Null is an empty list.
    fn read(lists: &ListArray, row: usize) -> Result<Self> {
        let elements = if lists.is_null(row) { lists.values().slice(0, 0) } else { lists.value(row) };
        let fields = elements.as_struct();
        let (Some(ts), Some(dur)) = (fields.column_by_name("ts"), fields.column_by_name("dur")) else {
            return exec_err!("expected a list of intervals with the fields ts and dur");
        };
        let (ts, dur) = (Arc::clone(ts), Arc::clone(dur));
        Ok(Self { elements, ts, dur })
    }

    /// Start and end of every interval. `None` for an interval without a time.
    fn iter(&self) -> impl Iterator<Item = Option<(i64, i64)>> {
        let (ts, dur) = (self.ts.as_primitive::<Int64Type>(), self.dur.as_primitive::<Int64Type>());
        let interval = |row| (ts.value(row), ts.value(row).saturating_add(dur.value(row)));
        let is_valid = |row| self.elements.is_valid(row) && ts.is_valid(row) && dur.is_valid(row);
        (0..self.elements.len()).map(move |row| is_valid(row).then(|| interval(row)))
    }
}

impl ScalarUDFImpl for CoveredLengths {
    fn name(&self) -> &'static str {
        "covered"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        if !types.iter().all(|ty| has_fields(ty, &["ts", "dur"])) {
            return plan_err!("covered(intervals, windows): expected lists of structs with the fields ts and dur");
        }
        Ok(DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true))))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let lists = ColumnarValue::values_to_arrays(&arguments.args)?;
        let (unions, windows) = (lists[0].as_list::<i32>(), lists[1].as_list::<i32>());
        let lengths = (0..windows.len()).map(|row| {
            let all: Vec<_> = Intervals::read(windows, row)?.iter().collect();
            let lengths = Windows::new(&all).covered(Intervals::read(unions, row)?.iter().flatten());
            Ok(windows.is_valid(row).then_some(lengths))
        });
        let lengths = lengths.collect::<Result<Vec<_>>>()?;
        let lengths: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(lengths));
        Ok(ColumnarValue::Array(lengths))
    }
}

/// The scalar function `priority_covered`.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct PriorityCovered {
    signature: Signature,
}

impl PriorityCovered {
    pub(crate) fn new() -> Self {
        Self { signature: Signature::any(2, Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for PriorityCovered {
    fn name(&self) -> &'static str {
        "priority_covered"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let is_valid = match types {
            [DataType::List(unions), windows] => {
                has_fields(unions.data_type(), &["ts", "dur"]) && has_fields(windows, &["ts", "dur"])
            }
            _ => false,
        };
        if !is_valid {
            return plan_err!(
                "priority_covered(intervals, windows): expected a result of priority_intervals, and a list of structs with the fields ts and dur"
            );
        }
        Ok(DataType::new_list(DataType::new_list(DataType::Int64, true), true))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let lists = ColumnarValue::values_to_arrays(&arguments.args)?;
        let (priorities, windows) = (lists[0].as_list::<i32>(), lists[1].as_list::<i32>());
        let mut lengths = ListBuilder::new(ListBuilder::new(Int64Builder::new()));
        for row in 0..windows.len() {
            let mut unions = Vec::new();
            if priorities.is_valid(row) {
                let priorities = priorities.value(row);
                let priorities = priorities.as_list::<i32>();
                for priority in 0..priorities.len() {
                    unions.push(Intervals::read(priorities, priority)?);
                }
            }
            let all: Vec<_> = Intervals::read(windows, row)?.iter().collect();
            for window in first_covered(&unions, &all) {
                lengths.values().append_option(window.map(|lengths| lengths.into_iter().map(Some)));
            }
            lengths.append(windows.is_valid(row));
        }
        Ok(ColumnarValue::Array(Arc::new(lengths.finish())))
    }
}

/// For each window, the length of the part of it that each union covers and no earlier one.
fn first_covered(unions: &[Intervals], windows: &[Option<(i64, i64)>]) -> Vec<Option<Vec<i64>>> {
    let mut lengths: Vec<_> = windows.iter().map(|window| window.map(|_| Vec::with_capacity(unions.len()))).collect();
    let mut before = vec![Some(0); windows.len()];
    let windows = Windows::new(windows);
    for number in 1..=unions.len() {
        // Only windows are in memory: the unions are merged again for each priority.
        let covered = windows.covered(by_start(unions[..number].iter().map(|union| union.iter().flatten())));
        for ((lengths, covered), before) in lengths.iter_mut().zip(&covered).zip(&before) {
            if let (Some(lengths), Some(covered), Some(before)) = (lengths, covered, before) {
                lengths.push(covered.saturating_sub(*before));
            }
        }
        before = covered;
    }
    lengths
}
