//! `ratio_interval(a, b, statistic, noise, confidence)`: the ratio of two groups of runs, with a
//! confidence interval. See [`crate::statistics`].
//!
//! `a` and `b` are lists with one list for the values of each run, as `array_agg(array_agg(x))`
//! returns. The result is a struct with the fields `a`, `b`, `ratio`, `low`, `high` and
//! `significant`. Each field is null if it is unknown.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, ListArray, StructArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Fields, Float64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

use crate::statistics::{Difference, Statistic, difference};

/// The scalar function.
pub(crate) fn ratio_interval() -> ScalarUDF {
    let runs = DataType::new_list(DataType::new_list(DataType::Float64, true), true);
    let arguments = vec![runs.clone(), runs, DataType::Utf8, DataType::Float64, DataType::Float64];
    let result = DataType::Struct(fields());
    create_udf("ratio_interval", arguments, result, Volatility::Immutable, Arc::new(evaluate))
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

/// Compares the groups of one row.
fn compare(lists: [&ListArray; 2], name: Option<&str>, noise: f64, confidence: f64, row: usize) -> Result<Difference> {
    let Some(statistic) = name.and_then(Statistic::parse) else {
        let name = name.unwrap_or("null");
        return exec_err!("ratio_interval: unknown statistic `{name}`; one of: {}", Statistic::WORDS.join(", "));
    };
    if !(noise.is_finite() && noise >= 0.0) {
        return exec_err!("ratio_interval: the noise is {noise}, expected a number of at least 0");
    }
    if !(0.0 < confidence && confidence < 1.0) {
        return exec_err!("ratio_interval: the confidence is {confidence}, expected a number between 0 and 1");
    }
    Ok(difference(&runs(lists[0], row), &runs(lists[1], row), statistic, noise, confidence))
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let lists = [arrays[0].as_list::<i32>(), arrays[1].as_list::<i32>()];
    let names = cast(&arrays[2], &DataType::Utf8)?;
    let names = names.as_string::<i32>();
    let number = |array: &ArrayRef, row: usize| {
        let array = array.as_primitive::<Float64Type>();
        if array.is_valid(row) { array.value(row) } else { f64::NAN }
    };
    let compare_row = |row: usize| {
        let name = names.is_valid(row).then(|| names.value(row));
        compare(lists, name, number(&arrays[3], row), number(&arrays[4], row), row)
    };
    let differences = (0..names.len()).map(compare_row).collect::<Result<Vec<_>>>()?;
    let column = |field: fn(&Difference) -> Option<f64>| -> ArrayRef {
        Arc::new(differences.iter().map(field).collect::<Float64Array>())
    };
    let columns = vec![
        column(|difference| difference.a),
        column(|difference| difference.b),
        column(|difference| difference.ratio),
        column(|difference| difference.low),
        column(|difference| difference.high),
        Arc::new(differences.iter().map(Difference::significant).collect::<BooleanArray>()),
    ];
    Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(fields(), columns, None)?)))
}
