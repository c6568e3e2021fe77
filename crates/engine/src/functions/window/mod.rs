//! Window functions. They return one value for each row, computed from the rows of its partition.

pub(crate) mod call_chain;
pub(crate) mod call_frame;
pub(crate) mod call_stack;
pub(crate) mod change_point;
pub(crate) mod encloser;
pub(crate) mod recent_percentile;

use arrow::array::ArrayRef;
use arrow::datatypes::FieldRef;
use datafusion::common::Result;
use datafusion::logical_expr::function::{PartitionEvaluatorArgs, WindowUDFFieldArgs};
use datafusion::logical_expr::{PartitionEvaluator, Signature, WindowUDF, WindowUDFImpl};

/// Returns the field of the result.
type ResultField = fn(&WindowUDFFieldArgs<'_>) -> Result<FieldRef>;

/// Computes the results of a partition from the values of its arguments and the number of its rows.
type EvaluatePartition = fn(&[ArrayRef], usize) -> Result<ArrayRef>;

/// A window function that computes all results of a partition at once. The name identifies it.
#[derive(Debug)]
struct PartitionFunction {
    name: &'static str,
    signature: Signature,
    field: ResultField,
    evaluate: EvaluatePartition,
}

fn partition_function(
    name: &'static str,
    signature: Signature,
    field: ResultField,
    evaluate: EvaluatePartition,
) -> WindowUDF {
    WindowUDF::from(PartitionFunction { name, signature, field, evaluate })
}

impl PartialEq for PartitionFunction {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for PartitionFunction {}

impl std::hash::Hash for PartitionFunction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl WindowUDFImpl for PartitionFunction {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn partition_evaluator(&self, _: PartitionEvaluatorArgs<'_>) -> Result<Box<dyn PartitionEvaluator>> {
        Ok(Box::new(Evaluator(self.evaluate)))
    }

    fn field(&self, arguments: WindowUDFFieldArgs<'_>) -> Result<FieldRef> {
        (self.field)(&arguments)
    }
}

#[derive(Debug)]
struct Evaluator(EvaluatePartition);

impl PartitionEvaluator for Evaluator {
    fn evaluate_all(&mut self, values: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
        (self.0)(values, rows)
    }
}
