//! `format_amount(value, unit)`: a number as text for people, in the unit that fits: `1.5 ms`.
//!
//! The unit is a constant, and one of those that columns have (`ns`, `bytes`, `factor` ...). The
//! text has three significant digits, and all digits before the decimal point. Null stays null.

use std::sync::Arc;

use arrow::array::{AsArray, StringViewArray};
use arrow::datatypes::{DataType, Float64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};

use crate::amount::amount;
use crate::unit::Unit;

/// The scalar function.
pub(crate) fn format_amount() -> ScalarUDF {
    let arguments = vec![DataType::Float64, DataType::Utf8];
    create_udf("format_amount", arguments, DataType::Utf8View, Volatility::Immutable, Arc::new(evaluate))
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let [values, ColumnarValue::Scalar(unit)] = arguments else {
        return exec_err!("format_amount(value, unit): expected a constant as unit");
    };
    let unit = match unit.try_as_str().flatten().map(Unit::parse) {
        Some(Ok(unit)) => unit,
        Some(Err(error)) => return exec_err!("format_amount(value, unit): {error}"),
        None => return exec_err!("format_amount(value, unit): the unit is null"),
    };
    let values = values.to_array(1)?;
    let texts = values.as_primitive::<Float64Type>().iter().map(|value| value.map(|value| amount(value, Some(unit))));
    Ok(ColumnarValue::Array(Arc::new(texts.collect::<StringViewArray>())))
}

#[cfg(test)]
mod tests {
    use datafusion::common::ScalarValue;

    use super::*;

    fn format(value: Option<f64>, unit: &str) -> Result<Option<String>> {
        let arguments = [ScalarValue::Float64(value), ScalarValue::from(unit)].map(ColumnarValue::Scalar);
        let texts = evaluate(&arguments)?.to_array(1)?;
        Ok(texts.as_string_view().iter().next().flatten().map(str::to_owned))
    }

    #[test]
    fn the_unit_fits_the_value() {
        let text = |value, unit| format(Some(value), unit).unwrap().unwrap();
        assert_eq!(text(1.5e6, "ns"), "1.5 ms");
        assert_eq!(text(-4.71e8, "ns"), "-471 ms");
        assert_eq!(text(90.0, "s"), "90 s");
        assert_eq!(text(0.123, "ratio"), "12.3 %");
        assert_eq!(text(116.49, "factor"), "116");
        assert_eq!(format(None, "ns").unwrap(), None);
    }

    #[test]
    fn an_unknown_unit_is_an_error() {
        let error = format(Some(1.0), "furlongs").unwrap_err().to_string();
        assert!(error.contains("unknown unit `furlongs`; one of: id, name"), "{error}");
    }
}
