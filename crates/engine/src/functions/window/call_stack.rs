//! `call_stack(name, ts, dur)`: the names of the frames that enclose an interval, as text.
//!
//! A window function over the intervals of one thread, in the order that `encloser` needs. The
//! names are separated by `;`, the innermost first, as in the `Call stack` of the PyTorch profiler.
//! The result is null if no frame encloses the interval. A row without a name is not a frame, but
//! has a stack. Equal stacks share their text, because a trace has very many rows and few distinct
//! stacks.

use std::collections::HashMap;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, StringViewArray, UInt64Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::Result;
use datafusion::logical_expr::{Signature, Volatility, WindowUDF};

use crate::functions::window::encloser::enclosers;
use crate::functions::window::{ResultField, partition_function};

/// The window function.
pub(crate) fn call_stack() -> WindowUDF {
    let signature = Signature::exact(vec![DataType::Utf8View, DataType::Int64, DataType::Int64], Volatility::Immutable);
    let field: ResultField = |arguments| Ok(Arc::new(Field::new(arguments.name(), DataType::Utf8View, true)));
    partition_function("call_stack", signature, field, evaluate)
}

/// Evaluates the intervals of one thread.
fn evaluate(values: &[ArrayRef], _rows: usize) -> Result<ArrayRef> {
    let names = values[0].as_string_view();
    let (ts, dur) = (values[1].as_primitive::<Int64Type>(), values[2].as_primitive::<Int64Type>());
    stacks(names, &enclosers(ts, dur, |row| names.is_valid(row)))
}

/// Size of all stacks of a thread, in bytes, beyond which stacks end after the innermost name.
const MAX_BYTES: usize = 256 << 20;

fn stacks(names: &StringViewArray, enclosers: &[Option<usize>]) -> Result<ArrayRef> {
    // Indexes of texts, by the stack around the innermost frame and the name of that frame.
    let mut known: HashMap<(Option<usize>, &str), usize> = HashMap::new();
    let mut texts: Vec<String> = Vec::new();
    let mut bytes = 0;
    // For each frame, the stack of the intervals directly inside.
    let mut inner: Vec<Option<usize>> = vec![None; enclosers.len()];
    let mut stacks = vec![None; enclosers.len()];
    for (row, encloser) in enclosers.iter().enumerate() {
        let outer = encloser.and_then(|encloser| inner[encloser]);
        stacks[row] = outer.map(|stack| stack as u64);
        if names.is_valid(row) {
            let name = names.value(row);
            let stack = *known.entry((outer, name)).or_insert_with(|| {
                let text = match outer {
                    Some(outer) => format!("{name};{}", texts[outer]),
                    None => name.to_owned(),
                };
                bytes += text.len();
                // The memory of texts is not in the memory pool, and a stack of n calls has n names.
                texts.push(if bytes > MAX_BYTES { format!("{name};\u{2026}") } else { text });
                texts.len() - 1
            });
            inner[row] = Some(stack);
        }
    }
    Ok(take(&StringViewArray::from_iter_values(texts), &UInt64Array::from(stacks), None)?)
}

#[cfg(test)]
mod tests {
    use arrow::array::Int64Array;

    use super::*;

    #[test]
    fn a_stack_has_the_enclosing_frames_innermost_first() {
        let names: StringViewArray = [Some("main"), Some("step"), None, Some("step"), None, None].into_iter().collect();
        let ts = Int64Array::from(vec![0, 10, 12, 50, 90, 200]);
        let dur = Int64Array::from(vec![100, 20, 1, 20, 1, 1]);
        let stacks = stacks(&names, &enclosers(&ts, &dur, |row| names.is_valid(row))).unwrap();
        let expected = [None, Some("main"), Some("step;main"), Some("main"), Some("main"), None];
        assert_eq!(stacks.as_string_view().iter().collect::<Vec<_>>(), expected);
    }
}
