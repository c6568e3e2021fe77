//! `call_stack(name, ts, dur)`: the names of the frames around an interval, as text.
//!
//! A window function over the intervals of one thread, in the order that `encloser` wants. Innermost first, with `;`
//! between, as the PyTorch profiler writes its `Call stack`; null where nothing is around. Rows without a name are no
//! frames but have a stack. Equal stacks share their text, since a trace has few different ones and very many rows.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringViewArray, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, FieldRef, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, Volatility, WindowUDFImpl};

use crate::functions::window::encloser::enclosers;

/// The window function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallStack {
    signature: Signature,
}

impl CallStack {
    pub(crate) fn new() -> Self {
        let arguments = vec![DataType::Utf8View, DataType::Int64, DataType::Int64];
        Self { signature: Signature::exact(arguments, Volatility::Immutable) }
    }
}

impl WindowUDFImpl for CallStack {
    fn name(&self) -> &'static str {
        "call_stack"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(Thread))
    }

    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        Ok(Arc::new(Field::new(arguments.name(), DataType::Utf8View, true)))
    }
}

/// Evaluates the intervals of one thread.
#[derive(Debug)]
struct Thread;

impl PartitionEvaluator for Thread {
    fn evaluate_all(&mut self, values: &[ArrayRef], _rows: usize) -> Result<ArrayRef> {
        let names = values[0].as_string_view();
        let (ts, dur) = (values[1].as_primitive::<Int64Type>(), values[2].as_primitive::<Int64Type>());
        stacks(names, &enclosers(ts, dur, |row| names.is_valid(row)))
    }
}

fn stacks(names: &StringViewArray, enclosers: &[Option<usize>]) -> Result<ArrayRef> {
    // a stack is known by the stack around its innermost frame and that frame's name
    let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    let mut texts: Vec<String> = Vec::new();
    let mut inside: Vec<Option<usize>> = vec![None; enclosers.len()];
    let mut around = vec![None; enclosers.len()];
    for (row, encloser) in enclosers.iter().enumerate() {
        around[row] = encloser.and_then(|encloser| inside[encloser]);
        if names.is_valid(row) {
            let name = names.value(row);
            let stack = *known.entry((around[row], name)).or_insert_with(|| {
                texts.push(match around[row] {
                    Some(outer) => format!("{name};{}", texts[outer]),
                    None => name.to_owned(),
                });
                texts.len() - 1
            });
            inside[row] = Some(stack);
        }
    }
    let rows: UInt64Array = around.into_iter().map(|stack| stack.map(|stack| stack as u64)).collect();
    Ok(take(&StringViewArray::from_iter_values(texts), &rows, None)?)
}

#[cfg(test)]
mod tests {
    use arrow::array::Int64Array;

    use super::*;

    #[test]
    fn innermost_first_and_only_what_is_around() {
        let names: StringViewArray = [Some("main"), Some("step"), None, Some("step"), None, None].into_iter().collect();
        let ts = Int64Array::from(vec![0, 10, 12, 50, 90, 200]);
        let dur = Int64Array::from(vec![100, 20, 1, 20, 1, 1]);
        let found = stacks(&names, &enclosers(&ts, &dur, |row| names.is_valid(row))).unwrap();
        let expected = [None, Some("main"), Some("step;main"), Some("main"), Some("main"), None];
        assert_eq!(found.as_string_view().iter().collect::<Vec<_>>(), expected);
    }
}
