//! Function `recorded_ts`: the timestamp of an event without an absolute one, which is in its arguments.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, AsArray, Int64Array};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, Volatility};

use crate::format::{member_value, parse_microseconds};

/// `recorded_ts(args)` in ns; null if the arguments have no timestamp. Only the queries of an export know this function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(super) struct RecordedTs {
    signature: Signature,
}

impl RecordedTs {
    pub(super) fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Utf8], Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for RecordedTs {
    fn name(&self) -> &'static str {
        "recorded_ts"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn invoke_with_args(&self, arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&arguments.args)?;
        let args = arrays[0].as_string::<i32>();
        let times = (0..args.len()).map(|row| {
            let text = args.is_valid(row).then(|| args.value(row))?;
            // The last `ts`: a reader appends it to the arguments of the event.
            parse_microseconds(&member_value(text, "ts")?)
        });
        let times: ArrayRef = Arc::new(times.collect::<Int64Array>());
        Ok(ColumnarValue::Array(times))
    }
}
