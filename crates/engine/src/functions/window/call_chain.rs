//! `call_parent(value, is_frame, ts, dur)`: the value of the innermost frame that encloses an interval, and
//! `call_chain(value, is_frame, ts, dur)`: the values of all enclosing frames, innermost first.
//!
//! Window functions over the intervals of one thread, in the order that `encloser` needs. While `call_stack` joins names into one
//! text, these return values of any type.
//!
//! If no frame encloses an interval, `call_parent` is null and the list of `call_chain` is empty. For a row without a time, the
//! list is null. The lists together have one element for each pair of an interval and an enclosing frame, and are long for deep
//! calls. Use `call_parent` if you need only the innermost frame.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array, ListArray, UInt32Array};
use arrow::buffer::OffsetBuffer;
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::{Result, exec_err, plan_err};
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, Volatility, WindowUDFImpl};

use crate::functions::window::encloser::enclosers;

/// The enclosing frames that are returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum ChainOutput {
    Innermost,
    All,
}

/// The window functions.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallChain {
    output: ChainOutput,
    signature: Signature,
}

impl CallChain {
    /// `call_parent`.
    pub(crate) fn innermost() -> Self {
        Self::new(ChainOutput::Innermost)
    }

    /// `call_chain`.
    pub(crate) fn all() -> Self {
        Self::new(ChainOutput::All)
    }

    fn new(output: ChainOutput) -> Self {
        Self { output, signature: Signature::any(4, Volatility::Immutable) }
    }
}

impl WindowUDFImpl for CallChain {
    fn name(&self) -> &'static str {
        match self.output {
            ChainOutput::Innermost => "call_parent",
            ChainOutput::All => "call_chain",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(CallChainEvaluator(self.output)))
    }

    /// The unit of the result of `call_parent` is the unit of the values.
    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        let fields = arguments.input_fields();
        let expected = [&DataType::Boolean, &DataType::Int64, &DataType::Int64];
        if fields.iter().skip(1).map(|field| field.data_type()).ne(expected) {
            let name = self.name();
            return plan_err!("{name}(value, is_frame, ts, dur): expected a boolean and two bigint after the value");
        }
        let value = fields[0].as_ref().clone();
        Ok(Arc::new(match self.output {
            ChainOutput::Innermost => value.with_name(arguments.name()).with_nullable(true),
            ChainOutput::All => {
                let element = Field::new_list_field(value.data_type().clone(), true);
                Field::new(arguments.name(), DataType::List(Arc::new(element)), true)
            }
        }))
    }
}

/// Evaluates the intervals of one thread.
#[derive(Debug)]
struct CallChainEvaluator(ChainOutput);

impl PartitionEvaluator for CallChainEvaluator {
    fn evaluate_all(&mut self, values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        if u32::try_from(rows).is_err() {
            return exec_err!("{rows} intervals on one thread: too many to find the intervals around them");
        }
        let (value, frames) = (&values[0], values[1].as_boolean());
        let (ts, dur) = (values[2].as_primitive::<Int64Type>(), values[3].as_primitive::<Int64Type>());
        let enclosers = enclosers(ts, dur, |row| frames.is_valid(row) && frames.value(row));
        match self.0 {
            ChainOutput::Innermost => Ok(take(value, &take_indexes(enclosers.iter().copied()), None)?),
            ChainOutput::All => Ok(Arc::new(chains(value, &enclosers, ts)?)),
        }
    }
}

/// Rows as indexes for `take`. The caller has checked that they fit.
fn take_indexes(rows: impl Iterator<Item = Option<usize>>) -> UInt32Array {
    rows.map(|row| row.and_then(|row| u32::try_from(row).ok())).collect()
}

fn chains(values: &ArrayRef, enclosers: &[Option<usize>], ts: &Int64Array) -> Result<ListArray> {
    // A frame comes before the intervals that it encloses.
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
    let frames =
        enclosers.iter().flat_map(|encloser| std::iter::successors(*encloser, |frame| enclosers[*frame]).map(Some));
    let values = take(values, &take_indexes(frames), None)?;
    let field = Arc::new(Field::new_list_field(values.data_type().clone(), true));
    Ok(ListArray::try_new(field, OffsetBuffer::from_lengths(depths), values, ts.nulls().cloned())?)
}

#[cfg(test)]
mod tests {
    use arrow::array::BooleanArray;

    use super::*;

    fn evaluate(output: ChainOutput, columns: [ArrayRef; 4]) -> Result<ArrayRef> {
        CallChainEvaluator(output).evaluate_all(&columns, columns[0].len())
    }

    #[test]
    fn a_chain_has_the_enclosing_frames_innermost_first() {
        // 1 [0, 100) encloses 2 [10, 40), which encloses 3 [12, 13). 4 [30, 60) overlaps 2 in part. The last row has no time.
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5, 6])),
            Arc::new(BooleanArray::from(vec![true, true, false, true, false, false])),
            Arc::new(Int64Array::from(vec![Some(0), Some(10), Some(12), Some(30), Some(50), None])),
            Arc::new(Int64Array::from(vec![100, 30, 1, 30, 1, 1])),
        ];
        let chains = evaluate(ChainOutput::All, columns.clone()).unwrap();
        let chains: Vec<Option<Vec<i64>>> = chains
            .as_list::<i32>()
            .iter()
            .map(|chain| Some(chain?.as_primitive::<Int64Type>().values().to_vec()))
            .collect();
        assert_eq!(chains, [Some(vec![]), Some(vec![1]), Some(vec![2, 1]), Some(vec![1]), Some(vec![4, 1]), None]);
        let parents = evaluate(ChainOutput::Innermost, columns).unwrap();
        let parents: Vec<Option<i64>> = parents.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(parents, [None, Some(1), Some(2), Some(1), Some(4), None]);
    }

    #[test]
    fn lists_that_do_not_fit_into_a_column_are_an_error() {
        // Each of 65,537 calls is inside all calls before it: 65,537 * 65,536 / 2 is more than 2^31.
        let depth = 65_537;
        let columns: [ArrayRef; 4] = [
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(BooleanArray::from(vec![true; 65_537])),
            Arc::new(Int64Array::from_iter_values(0..depth)),
            Arc::new(Int64Array::from_iter_values((0..depth).map(|row| 2 * (depth - row)))),
        ];
        let error = evaluate(ChainOutput::All, columns.clone()).unwrap_err().to_string();
        assert!(error.contains("up to 65536 levels"), "{error}");
        let parents = evaluate(ChainOutput::Innermost, columns).unwrap();
        assert_eq!(parents.as_primitive::<Int64Type>().value(65_536), 65_535);
    }
}
