//! `call_parent(value, is_frame, ts, dur)`: the value of the innermost frame that encloses an
//! interval, and `call_chain(value, is_frame, ts, dur)`: the values of all enclosing frames,
//! innermost first.
//!
//! Window functions over the intervals of one thread, in the order that `encloser` needs. While
//! `call_stack` joins names into one text, these return values of any type.
//!
//! If no frame encloses an interval, `call_parent` is null and the list of `call_chain` is empty.
//! For a row without a time, the list is null. The lists together have one element for each pair of
//! an interval and an enclosing frame, and are long for deep calls. Use `call_parent` if you need
//! only the innermost frame.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::function::WindowUDFFieldArgs;
use datafusion::logical_expr::{Signature, Volatility, WindowUDF};

use crate::functions::window::encloser::enclosers;
use crate::functions::window::{ResultField, partition_function};

/// The window function `call_parent`.
pub(crate) fn call_parent() -> WindowUDF {
    let signature = Signature::any(4, Volatility::Immutable);
    // The unit of the result is the unit of the values.
    let field: ResultField = |arguments| {
        let value = value_field("call_parent", arguments)?.as_ref().clone();
        Ok(Arc::new(value.with_name(arguments.name()).with_nullable(true)))
    };
    partition_function("call_parent", signature, field, parents)
}

/// The window function `call_chain`.
pub(crate) fn call_chain() -> WindowUDF {
    let signature = Signature::any(4, Volatility::Immutable);
    let field: ResultField = |arguments| {
        let element = value_field("call_chain", arguments)?.data_type().clone();
        Ok(Arc::new(Field::new(arguments.name(), DataType::new_list(element, true), true)))
    };
    partition_function("call_chain", signature, field, chains)
}

/// Checks the types of the arguments. Returns the field of the value.
fn value_field<'a>(name: &str, arguments: &'a WindowUDFFieldArgs<'_>) -> Result<&'a FieldRef> {
    let fields = arguments.input_fields();
    let expected = [&DataType::Boolean, &DataType::Int64, &DataType::Int64];
    if fields.iter().skip(1).map(|field| field.data_type()).ne(expected) {
        return plan_err!("{name}(value, is_frame, ts, dur): expected a boolean and two bigint after the value");
    }
    Ok(&fields[0])
}

/// The row of the innermost enclosing frame of each interval of a thread.
fn frames(values: &[ArrayRef], rows: usize) -> Result<Vec<Option<usize>>> {
    if u32::try_from(rows).is_err() {
        return exec_err!("{rows} intervals on one thread: too many to find the intervals around them");
    }
    let frames = values[1].as_boolean();
    let (ts, dur) = (values[2].as_primitive::<Int64Type>(), values[3].as_primitive::<Int64Type>());
    Ok(enclosers(ts, dur, |row| frames.is_valid(row) && frames.value(row)))
}

/// Rows as indexes for `take`. The caller has checked that they fit.
fn take_indexes(rows: impl Iterator<Item = Option<usize>>) -> UInt32Array {
    rows.map(|row| row.and_then(|row| u32::try_from(row).ok())).collect()
}

fn parents(values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    Ok(take(&values[0], &take_indexes(frames(values, rows)?.into_iter()), None)?)
}

fn chains(values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let enclosers = frames(values, rows)?;
    // A frame comes before the intervals that it encloses.
    let mut depths = Vec::with_capacity(enclosers.len());
    for encloser in &enclosers {
        depths.push(encloser.map_or(0, |frame| depths[frame] + 1));
    }
    let total: usize = depths.iter().sum();
    if i32::try_from(total).is_err() {
        let deepest = depths.iter().max().copied().unwrap_or(0);
        return exec_err!(
            "call_chain: calls of a thread are nested up to {deepest} levels, so the lists have {total} values, more than a \
             column can hold; call_parent returns only the innermost call"
        );
    }
    let frames =
        enclosers.iter().flat_map(|encloser| std::iter::successors(*encloser, |frame| enclosers[*frame]).map(Some));
    let elements = take(&values[0], &take_indexes(frames), None)?;
    let field = Arc::new(Field::new_list_field(elements.data_type().clone(), true));
    let nulls = values[2].nulls().cloned();
    Ok(Arc::new(ListArray::try_new(field, OffsetBuffer::from_lengths(depths), elements, nulls)?))
}

#[cfg(test)]
mod tests {
    use arrow::array::{BooleanArray, Int64Array};

    use super::*;

    #[test]
    fn a_chain_has_the_enclosing_frames_innermost_first() {
        // 1 [0, 100) encloses 2 [10, 40), which encloses 3 [12, 13). 4 [30, 60) overlaps 2 in part.
        // The last row has no time.
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5, 6])),
            Arc::new(BooleanArray::from(vec![true, true, false, true, false, false])),
            Arc::new(Int64Array::from(vec![Some(0), Some(10), Some(12), Some(30), Some(50), None])),
            Arc::new(Int64Array::from(vec![100, 30, 1, 30, 1, 1])),
        ];
        let lists = chains(&columns, columns[0].len()).unwrap();
        let lists: Vec<Option<Vec<i64>>> = lists
            .as_list::<i32>()
            .iter()
            .map(|chain| Some(chain?.as_primitive::<Int64Type>().values().to_vec()))
            .collect();
        assert_eq!(lists, [Some(vec![]), Some(vec![1]), Some(vec![2, 1]), Some(vec![1]), Some(vec![4, 1]), None]);
        let values = parents(&columns, columns[0].len()).unwrap();
        let values: Vec<Option<i64>> = values.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(values, [None, Some(1), Some(2), Some(1), Some(4), None]);
    }

    #[test]
    fn lists_that_do_not_fit_into_a_column_are_an_error() {
        // Each of 65,537 calls is inside all calls before it: 65,537 * 65,536 / 2 is more than
        // 2^31.
        let depth = 65_537;
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(BooleanArray::from(vec![true; 65_537])),
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(Int64Array::from_iter_values((0..depth).map(|row| 2 * (depth - row)))),
        ];
        let error = chains(&columns, columns[0].len()).unwrap_err().to_string();
        assert!(error.contains("up to 65536 levels"), "{error}");
        let values = parents(&columns, columns[0].len()).unwrap();
        assert_eq!(values.as_primitive::<Int64Type>().value(65_536), 65_535);
    }
}
