//! `ratio_interval(a, b, statistic, noise, confidence)`: how much two groups of runs differ, see [`crate::statistics`].
//!
//! `a` and `b` are lists with the values of each run in a list, as `array_agg(array_agg(x))` makes them. The answer is a struct with the
//! fields `a`, `b`, `ratio`, `low`, `high` and `significant`, each null where it is not known.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, ListArray, StructArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Fields, Float64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::statistics::{Difference, Statistic, difference};

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct RatioInterval {
    signature: Signature,
}

impl RatioInterval {
    pub(crate) fn new() -> Self {
        let runs = DataType::List(Arc::new(Field::new_list_field(values(), true)));
        let numbers = [DataType::Utf8, DataType::Float64, DataType::Float64];
        let types = [runs.clone(), runs].into_iter().chain(numbers).collect();
        Self { signature: Signature::exact(types, Volatility::Immutable) }
    }
}

fn values() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Float64, true)))
}

fn fields() -> Fields {
    let number = |name: &str| Field::new(name, DataType::Float64, true);
    let mut fields: Vec<Field> = ["a", "b", "ratio", "low", "high"].map(number).into();
    fields.push(Field::new("significant", DataType::Boolean, true));
    fields.into()
}

/// The values of each run in a row.
fn runs(lists: &ListArray, row: usize) -> Vec<Vec<f64>> {
    if lists.is_null(row) {
        return Vec::new();
    }
    let runs = lists.value(row);
    let values = |run: ArrayRef| run.as_primitive::<Float64Type>().iter().flatten().collect();
    runs.as_list::<i32>().iter().flatten().map(values).collect()
}

/// What is compared, of one row.
fn answer(lists: [&ListArray; 2], named: Option<&str>, noise: f64, confidence: f64, row: usize) -> Result<Difference> {
    let Some(statistic) = named.and_then(Statistic::parse) else {
        let named = named.unwrap_or("null");
        return exec_err!("ratio_interval: unknown statistic `{named}`; one of: {}", Statistic::WORDS.join(", "));
    };
    if !(noise.is_finite() && noise >= 0.0) {
        return exec_err!("ratio_interval: the noise is {noise}, expected a number of at least 0");
    }
    if !(0.0 < confidence && confidence < 1.0) {
        return exec_err!("ratio_interval: the confidence is {confidence}, expected a number between 0 and 1");
    }
    Ok(difference(&runs(lists[0], row), &runs(lists[1], row), statistic, noise, confidence))
}

impl ScalarUDFImpl for RatioInterval {
    fn name(&self) -> &'static str {
        "ratio_interval"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(fields()))
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let given = ColumnarValue::values_to_arrays(&arguments.args)?;
        let lists = [given[0].as_list::<i32>(), given[1].as_list::<i32>()];
        let names = cast(&given[2], &DataType::Utf8)?;
        let names = names.as_string::<i32>();
        let number = |array: &ArrayRef, row: usize| {
            let array = array.as_primitive::<Float64Type>();
            if array.is_valid(row) { array.value(row) } else { f64::NAN }
        };
        let compared = |row: usize| {
            let named = names.is_valid(row).then(|| names.value(row));
            answer(lists, named, number(&given[3], row), number(&given[4], row), row)
        };
        let found = (0..names.len()).map(compared).collect::<Result<Vec<_>>>()?;
        let column = |of: fn(&Difference) -> Option<f64>| -> ArrayRef {
            Arc::new(found.iter().map(of).collect::<Float64Array>())
        };
        let significant: ArrayRef = Arc::new(found.iter().map(Difference::significant).collect::<BooleanArray>());
        let columns = vec![
            column(|found| found.a),
            column(|found| found.b),
            column(|found| found.ratio),
            column(|found| found.low),
            column(|found| found.high),
            significant,
        ];
        Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(fields(), columns, None)?)))
    }
}
