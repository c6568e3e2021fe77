//! `operator_flops(name, args)`: the floating-point operations of one call of an operator, from the shapes of its inputs.
//!
//! The formulas are those of PyTorch: `torch/csrc/profiler/util.cpp` for `conv2d`, `mm`, `addmm`, `bmm`, `baddbmm`, `mul` and
//! `add`, which `key_averages()` shows, and `torch/utils/flop_counter.py` for the fused kernels of attention. A product with an
//! addition counts as two operations. The result is null for other operators, and without the shapes, which
//! `record_shapes=True` records.

use std::sync::Arc;

use arrow::array::{AsArray, Float64Array};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Signature, SimpleScalarUDF, Volatility};
use serde_json::Value;

/// The scalar function.
pub(crate) fn operator_flops() -> ScalarUDF {
    let signature = Signature::string(2, Volatility::Immutable);
    let function =
        SimpleScalarUDF::new_with_signature("operator_flops", signature, DataType::Float64, Arc::new(evaluate));
    ScalarUDF::from(function)
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let texts = ColumnarValue::values_to_arrays(arguments)?;
    let [names, args] = &texts[..] else { return exec_err!("operator_flops(name, args): expected two arguments") };
    let (names, args) = (cast(names, &DataType::Utf8View)?, cast(args, &DataType::Utf8View)?);
    let rows = names.as_string_view().iter().zip(args.as_string_view().iter());
    let flops = rows.map(|(name, args)| flops(name?, args?));
    Ok(ColumnarValue::Array(Arc::new(flops.collect::<Float64Array>())))
}

/// The inputs of a call.
struct Inputs(Value);

impl Inputs {
    /// The shape of an input that is a tensor.
    fn shape(&self, input: usize) -> Option<Vec<f64>> {
        // Types of tensors begin with a small letter (`float`, `c10::Half`), those of other inputs do not (`Scalar`).
        let ty = self.0["Input type"][input].as_str().unwrap_or_default();
        let is_tensor = ty.starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
        let sizes = self.0["Input Dims"][input].as_array().filter(|_| is_tensor)?;
        sizes.iter().map(Value::as_f64).collect()
    }

    /// The value of an input that is an integer or a list of two integers.
    fn pair(&self, input: usize) -> Option<[f64; 2]> {
        let value: Value = serde_json::from_str(self.0["Concrete Inputs"][input].as_str()?).ok()?;
        let one = value.as_f64();
        Some([one.or_else(|| value[0].as_f64())?, one.or_else(|| value[1].as_f64())?])
    }
}

/// The operations of a call; none if the operator is unknown, or its inputs.
fn flops(name: &str, args: &str) -> Option<f64> {
    let operator = name.strip_prefix("aten::")?;
    let is_attention = operator.starts_with("_scaled_dot_product_")
        && !operator.ends_with("_backward")
        && !operator.ends_with("_math");
    if !is_attention && !matches!(operator, "conv2d" | "mm" | "addmm" | "bmm" | "baddbmm" | "mul" | "add") {
        return None;
    }
    let inputs = Inputs(serde_json::from_str(args).ok()?);
    let size = |shape: &[f64]| shape.iter().product::<f64>();
    match operator {
        "mul" | "add" => inputs.shape(0).map(|shape| size(&shape)),
        "mm" | "addmm" | "bmm" | "baddbmm" => {
            let first = usize::from(operator.starts_with("add") || operator.starts_with("badd"));
            let (left, right) = (inputs.shape(first)?, inputs.shape(first + 1)?);
            let batch = if operator.contains("bmm") { *left.first()? } else { 1.0 };
            let common = left.last().filter(|common| **common > 0.0 && batch > 0.0)?;
            Some(2.0 * size(&left) / common / batch * size(&right))
        }
        "conv2d" => {
            let (input, weight) = (inputs.shape(0)?, inputs.shape(1)?);
            let (&[batch, channels, height, width], &[out_channels, _, rows, columns]) = (&input[..], &weight[..])
            else {
                return None;
            };
            let (stride, padding, dilation) = (inputs.pair(3)?, inputs.pair(4)?, inputs.pair(5)?);
            let [groups, _] = inputs.pair(6).filter(|groups| groups[0] > 0.0 && stride[0] * stride[1] > 0.0)?;
            let output = |axis: usize, size: f64, kernel: f64| {
                ((size + 2.0 * padding[axis] - dilation[axis] * (kernel - 1.0) - 1.0) / stride[axis]).floor() + 1.0
            };
            let pixels = output(0, height, rows) * output(1, width, columns);
            Some(2.0 * batch * pixels * rows * columns * channels * out_channels / groups)
        }
        _ => {
            let (query, key, value) = (inputs.shape(0)?, inputs.shape(1)?, inputs.shape(2)?);
            let (&[batch, heads, queries, width], &[.., keys, _], &[.., value_width]) =
                (&query[..], &key[..], &value[..])
            else {
                return None;
            };
            Some(2.0 * batch * heads * queries * keys * (width + value_width))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flops_of(name: &str, shapes: &str, values: &str) -> Option<f64> {
        let inputs = shapes.matches(']').count();
        let types = vec!["\"float\""; inputs].join(", ");
        flops(name, &format!(r#"{{"Input Dims": {shapes}, "Input type": [{types}], "Concrete Inputs": {values}}}"#))
    }

    #[test]
    fn operations_of_each_operator() {
        assert_eq!(flops_of("aten::mm", "[[16, 10], [10, 128]]", "[]"), Some(2.0 * 16.0 * 10.0 * 128.0));
        assert_eq!(
            flops_of("aten::addmm", "[[512], [1024, 128], [128, 512]]", "[]"),
            Some(2.0 * 1024.0 * 128.0 * 512.0)
        );
        assert_eq!(
            flops_of("aten::bmm", "[[16, 64, 128], [16, 128, 64]]", "[]"),
            Some(2.0 * 16.0 * 64.0 * 128.0 * 64.0)
        );
        assert_eq!(
            flops_of("aten::baddbmm", "[[4, 2, 5], [4, 2, 3], [4, 3, 5]]", "[]"),
            Some(2.0 * 4.0 * 2.0 * 3.0 * 5.0)
        );
        assert_eq!(flops_of("aten::mul", "[[2, 3], [3]]", "[]"), Some(6.0));
        // A 3x3 convolution with stride 2 and padding 1: 4x4 pixels from 8x8.
        let values = r#"["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"]"#;
        let expected = 2.0 * 2.0 * 16.0 * 9.0 * 3.0 * 8.0;
        assert_eq!(flops_of("aten::conv2d", "[[2, 3, 8, 8], [8, 3, 3, 3]]", values), Some(expected));
        let attention = "aten::_scaled_dot_product_flash_attention";
        let shapes = "[[2, 4, 32, 16], [2, 4, 64, 16], [2, 4, 64, 16]]";
        assert_eq!(flops_of(attention, shapes, "[]"), Some(4.0 * 2.0 * 4.0 * 32.0 * 64.0 * 16.0));
    }

    #[test]
    fn unknown_operators_and_shapes_have_none() {
        assert_eq!(flops_of("aten::relu", "[[2, 3]]", "[]"), None);
        assert_eq!(flops_of("aten::mm", "[[16, 0], [0, 128]]", "[]"), None);
        assert_eq!(flops_of("aten::_scaled_dot_product_flash_attention_backward", "[[2, 3]]", "[]"), None);
        assert_eq!(flops("aten::mul", r#"{"Input Dims": [[], [2]], "Input type": ["Scalar", "float"]}"#), None);
        assert_eq!(flops("aten::mm", r#"{"Input Dims": "8,8;8,8"}"#), None);
        assert_eq!(flops("aten::mm", "no JSON"), None);
    }
}
