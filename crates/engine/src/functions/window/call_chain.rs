//! `call_parent(value, is_frame, ts, dur)`: the value of the innermost frame around an interval, and
//! `call_chain(value, is_frame, ts, dur)`: those of all frames around it, innermost first.
//!
//! Window functions over the intervals of one thread, in the order that `encloser` wants. Where `call_stack` makes one
//! text of the names, these give values of anything. `call_parent` is null where nothing is around. The list of
//! `call_chain` is empty there, and null for a row without a time; it has one element for each pair of an interval and
//! a frame around it, so that deep calls make it long: what needs the innermost frame only asks for that.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, Volatility, WindowUDFImpl};

use crate::functions::window::encloser::enclosers;

/// Which of the frames around an interval are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Answer {
    Innermost,
    All,
}

/// The window functions.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallChain {
    answer: Answer,
    signature: Signature,
}

impl CallChain {
    /// `call_parent`.
    pub(crate) fn innermost() -> Self {
        Self::new(Answer::Innermost)
    }

    /// `call_chain`.
    pub(crate) fn all() -> Self {
        Self::new(Answer::All)
    }

    fn new(answer: Answer) -> Self {
        Self { answer, signature: Signature::any(4, Volatility::Immutable) }
    }
}

impl WindowUDFImpl for CallChain {
    fn name(&self) -> &'static str {
        match self.answer {
            Answer::Innermost => "call_parent",
            Answer::All => "call_chain",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(Thread(self.answer)))
    }

    /// The unit of an innermost value is that of the values.
    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        let fields = arguments.input_fields();
        let wanted = [&DataType::Boolean, &DataType::Int64, &DataType::Int64];
        if fields.iter().skip(1).map(|field| field.data_type()).ne(wanted) {
            let name = self.name();
            return plan_err!("{name}(value, is_frame, ts, dur): expected a boolean and two bigint after the value");
        }
        let value = fields[0].as_ref().clone();
        Ok(Arc::new(match self.answer {
            Answer::Innermost => value.with_name(arguments.name()).with_nullable(true),
            Answer::All => {
                let element = Field::new_list_field(value.data_type().clone(), true);
                Field::new(arguments.name(), DataType::List(Arc::new(element)), true)
            }
        }))
    }
}

/// Evaluates the intervals of one thread.
#[derive(Debug)]
struct Thread(Answer);

impl PartitionEvaluator for Thread {
    fn evaluate_all(&mut self, values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        if u32::try_from(rows).is_err() {
            return exec_err!("{rows} intervals on one thread: too many to find the intervals around them");
        }
        let (value, frames) = (&values[0], values[1].as_boolean());
        let (ts, dur) = (values[2].as_primitive::<Int64Type>(), values[3].as_primitive::<Int64Type>());
        let enclosers = enclosers(ts, dur, |row| frames.is_valid(row) && frames.value(row));
        match self.0 {
            Answer::Innermost => Ok(take(value, &places(enclosers.iter().copied()), None)?),
            Answer::All => Ok(Arc::new(chains(value, &enclosers, ts)?)),
        }
    }
}

/// Rows as what `take` wants; that they fit was seen before.
fn places(rows: impl Iterator<Item = Option<usize>>) -> UInt32Array {
    rows.map(|row| row.and_then(|row| u32::try_from(row).ok())).collect()
}

fn chains(values: &ArrayRef, enclosers: &[Option<usize>], ts: &Int64Array) -> Result<ListArray> {
    // an encloser comes before what it encloses
    let mut depths = Vec::with_capacity(enclosers.len());
    for encloser in enclosers {
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
    let around =
        enclosers.iter().flat_map(|encloser| std::iter::successors(*encloser, |frame| enclosers[*frame]).map(Some));
    let values = take(values, &places(around), None)?;
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    Ok(ListArray::try_new(field, OffsetBuffer::from_lengths(depths), values, ts.nulls().cloned())?)
}

#[cfg(test)]
mod tests {
    use arrow::array::BooleanArray;

    use super::*;

    fn evaluate(answer: Answer, columns: [ArrayRef; 4]) -> Result<ArrayRef> {
        Thread(answer).evaluate_all(&columns, columns[0].len())
    }

    #[test]
    fn innermost_first_and_only_what_is_around() {
        // 1 [0, 100) holds 2 [10, 40), which holds a call [12, 13); 4 [30, 60) overlaps 2 in part; the last has no time
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5, 6])),
            Arc::new(BooleanArray::from(vec![true, true, false, true, false, false])),
            Arc::new(Int64Array::from(vec![Some(0), Some(10), Some(12), Some(30), Some(50), None])),
            Arc::new(Int64Array::from(vec![100, 30, 1, 30, 1, 1])),
        ];
        let found = evaluate(Answer::All, columns.clone()).unwrap();
        let found: Vec<Option<Vec<i64>>> = found
            .as_list::<i32>()
            .iter()
            .map(|chain| Some(chain?.as_primitive::<Int64Type>().values().to_vec()))
            .collect();
        assert_eq!(found, [Some(vec![]), Some(vec![1]), Some(vec![2, 1]), Some(vec![1]), Some(vec![4, 1]), None]);
        let found = evaluate(Answer::Innermost, columns).unwrap();
        let found: Vec<Option<i64>> = found.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(found, [None, Some(1), Some(2), Some(1), Some(4), None]);
    }

    #[test]
    fn lists_that_no_column_holds_are_an_error() {
        // each of 65,537 calls lies in all before it: 65,537 * 65,536 / 2 is beyond 2^31
        let depth = 65_537;
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(BooleanArray::from(vec![true; 65_537])),
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(Int64Array::from_iter_values((0..depth).map(|row| 2 * (depth - row)))),
        ];
        let error = evaluate(Answer::All, columns.clone()).unwrap_err().to_string();
        assert!(error.contains("up to 65536 levels"), "{error}");
        let found = evaluate(Answer::Innermost, columns).unwrap();
        assert_eq!(found.as_primitive::<Int64Type>().value(65_536), 65_535);
    }
}
