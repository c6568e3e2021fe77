//! Limits the size of what a function returns at once: the memory of texts and lists is not in the memory pool, and
//! `repeat('x', 1000000000000)` ends the process.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int64Type, IntervalMonthDayNano, IntervalMonthDayNanoType};
use datafusion::common::{Result, resources_err};
use datafusion::execution::FunctionRegistry;
use datafusion::logical_expr::simplify::{ExprSimplifyResult, SimplifyContext};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
};

/// Maximum size of the result for all rows of a batch, in bytes.
const MAX_BYTES: f64 = (256 << 20) as f64;

/// Size of an element of a list of numbers.
const ELEMENT_BYTES: f64 = 8.0;

/// Computes the size of the result for one row, from the arguments.
type ResultSize = fn(&ArgumentArrays, usize) -> f64;

/// The functions with results larger than their arguments.
const FUNCTIONS: [(&str, ResultSize); 9] = [
    ("repeat", |arguments, row| arguments.length(0, row) * arguments.number(1, row)),
    // A character has up to four bytes.
    ("lpad", |arguments, row| 4.0 * arguments.number(1, row)),
    ("rpad", |arguments, row| 4.0 * arguments.number(1, row)),
    ("replace", |arguments, row| {
        arguments.length(0, row) * (arguments.length(2, row) / arguments.length(1, row).max(1.0)).max(1.0)
    }),
    ("regexp_replace", |arguments, row| (arguments.length(0, row) + 1.0) * arguments.length(2, row).max(1.0)),
    ("array_repeat", |arguments, row| arguments.length(0, row) * arguments.number(1, row)),
    ("array_resize", |arguments, row| arguments.length(2, row) * arguments.number(1, row)),
    ("range", series_bytes),
    ("generate_series", series_bytes),
];

fn series_bytes(arguments: &ArgumentArrays, row: usize) -> f64 {
    let (start, stop) = match arguments.0.len() {
        1 => (0.0, arguments.number(0, row)),
        _ => (arguments.number(0, row), arguments.number(1, row)),
    };
    let step = if arguments.0.len() > 2 { arguments.number(2, row) } else { 1.0 };
    let elements = (stop - start) / if step == 0.0 { 1.0 } else { step };
    ELEMENT_BYTES * elements.max(0.0)
}

/// Registers the functions again, with a limit.
pub(crate) fn limit_functions(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for (name, size) in FUNCTIONS {
        if let Ok(function) = registry.udf(name) {
            let aliases = function.aliases().to_vec();
            registry.register_udf(Arc::new(LimitedFunction { function, aliases, size }.into()))?;
        }
    }
    Ok(())
}

/// The arguments of a call. An array with one row has the same value for all rows.
struct ArgumentArrays(Vec<ArrayRef>);

impl ArgumentArrays {
    fn new(values: &[ColumnarValue]) -> Result<Self> {
        let array = |value: &ColumnarValue| {
            let array = match value {
                ColumnarValue::Array(array) => Arc::clone(array),
                ColumnarValue::Scalar(scalar) => scalar.to_array()?,
            };
            let is_number = array.data_type().is_numeric() || array.data_type().is_temporal();
            Ok(if is_number { cast(&array, &DataType::Int64).unwrap_or(array) } else { array })
        };
        Ok(Self(values.iter().map(array).collect::<Result<_>>()?))
    }

    fn get(&self, argument: usize, row: usize) -> Option<(&ArrayRef, usize)> {
        let array = self.0.get(argument)?;
        let row = if array.len() == 1 { 0 } else { row };
        array.is_valid(row).then_some((array, row))
    }

    /// The number in an argument, or the ns of an interval; 0 for null and other types.
    fn number(&self, argument: usize, row: usize) -> f64 {
        const DAY: f64 = 86_400e9;
        let Some((array, row)) = self.get(argument, row) else { return 0.0 };
        if let Some(intervals) = array.as_primitive_opt::<IntervalMonthDayNanoType>() {
            let IntervalMonthDayNano { months, days, nanoseconds } = intervals.value(row);
            return (30.0 * f64::from(months) + f64::from(days)) * DAY + nanoseconds as f64;
        }
        array.as_primitive_opt::<Int64Type>().map_or(0.0, |numbers| numbers.value(row) as f64)
    }

    /// The size of an argument in bytes.
    fn length(&self, argument: usize, row: usize) -> f64 {
        let Some((array, row)) = self.get(argument, row) else { return ELEMENT_BYTES };
        match array.data_type() {
            DataType::Utf8 => f64::from(array.as_string::<i32>().value_length(row)),
            DataType::Utf8View => array.as_string_view().value(row).len() as f64,
            _ => (array.slice(row, 1).to_data().get_slice_memory_size().unwrap_or(0) as f64).max(ELEMENT_BYTES),
        }
    }
}

/// A function with a limit.
#[derive(Debug)]
struct LimitedFunction {
    function: Arc<ScalarUDF>,
    aliases: Vec<String>,
    size: ResultSize,
}

impl PartialEq for LimitedFunction {
    fn eq(&self, other: &Self) -> bool {
        self.function == other.function
    }
}

impl Eq for LimitedFunction {}

impl std::hash::Hash for LimitedFunction {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.function.hash(state);
    }
}

impl ScalarUDFImpl for LimitedFunction {
    fn name(&self) -> &str {
        self.function.name()
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        self.function.signature()
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.function.return_type(types)
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs<'_>) -> Result<arrow::datatypes::FieldRef> {
        self.function.return_field_from_args(args)
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        self.function.coerce_types(types)
    }

    fn simplify(&self, args: Vec<Expr>, info: &SimplifyContext) -> Result<ExprSimplifyResult> {
        self.function.simplify(args, info)
    }

    fn documentation(&self) -> Option<&Documentation> {
        self.function.documentation()
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arguments = ArgumentArrays::new(&args.args)?;
        let rows = arguments.0.iter().map(Array::len).max().unwrap_or(1);
        let bytes: f64 = (0..rows).map(|row| (self.size)(&arguments, row).max(0.0)).sum();
        if bytes > MAX_BYTES {
            let name = self.name();
            return resources_err!("`{name}` would return {bytes:.0} bytes at once, expected at most {MAX_BYTES:.0}");
        }
        self.function.invoke_with_args(args)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::RecordBatch;
    use datafusion::prelude::SessionContext;

    use super::*;
    use crate::runtime::Engine;

    fn run(context: &SessionContext, query: &str) -> Result<Vec<RecordBatch>> {
        let (context, query) = (context.clone(), query.to_owned());
        let (sender, receiver) = std::sync::mpsc::channel();
        let engine = Engine::start().unwrap();
        let work = async move {
            sender.send(async { context.sql(&query).await?.collect().await }.await).unwrap();
            Ok(())
        };
        engine.run(work).unwrap();
        receiver.recv().unwrap()
    }

    #[test]
    fn large_results_are_refused() {
        let mut context = SessionContext::new();
        limit_functions(&mut context).unwrap();
        for (call, is_refused) in [
            ("repeat('ab', 10)", false),
            ("repeat('ab', 1000000000000)", true),
            ("lpad('a', 2000000000, 'b')", true),
            ("lpad('a', 5)", false),
            ("replace(repeat('x', 1000000), 'x', repeat('y', 1000000))", true),
            ("replace('aXb', 'X', 'y')", false),
            ("regexp_replace(repeat('x', 1000000), 'x', repeat('y', 1000000), 'g')", true),
            ("array_repeat('a', 1000000000)", true),
            ("array_repeat(repeat('a', 1000000), 1000)", true),
            ("array_resize([1], 10000000000, 0)", true),
            ("range(10000000000)", true),
            ("generate_series(1, 100, 2)", false),
            ("generate_series(-9223372036854775807, 9223372036854775807)", true),
            ("range(10, 0)", false),
            ("generate_series(timestamp '1970-01-01', timestamp '2020-01-01', interval '1 day')", false),
        ] {
            let query = format!("SELECT {call} AS x");
            let result = run(&context, &query);
            assert_eq!(result.is_err(), is_refused, "{call}: {result:?}");
            if let Err(error) = result {
                assert!(error.to_string().contains("bytes at once"), "{call}: {error}");
            }
        }
        // The limit is for all rows of a batch.
        let query = "SELECT sum(length(repeat('x', value))) AS n FROM generate_series(100000) AS t (value)";
        assert!(run(&context, query).is_err());
    }
}
