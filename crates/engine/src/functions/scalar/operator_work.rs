//! `operator_flops(name, args)`, `operator_bytes(name, args)` and `operator_data_type(name, args)`: operations, memory traffic
//! and data type of one call of an operator, from the shapes of its inputs.
//!
//! The numbers of operations are those of PyTorch: `torch/csrc/profiler/util.cpp` for `conv2d`, `mm`, `addmm`, `bmm`,
//! `baddbmm`, `mul` and `add`, which `key_averages()` shows, and `torch/utils/flop_counter.py` for the fused kernels of
//! attention and for the backward passes of convolutions and attention. A product with an addition counts as two operations.
//! The bytes are the minimum traffic: each input is read once, and each result is written once. The results are null for other
//! operators, and without the shapes, which `record_shapes=True` records.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array, StringArray};
use arrow::compute::cast;
use arrow::datatypes::DataType;
use datafusion::common::exec_err;
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Signature, SimpleScalarUDF, Volatility};
use serde_json::Value;

use super::data_type::parse_data_type;

/// The scalar functions. They are not one that returns a struct: the optimizer cannot plan fields of that next to the fields
/// of `call_frame`.
pub(crate) fn operator_functions() -> [ScalarUDF; 3] {
    let number = |work: Vec<Option<f64>>| -> ArrayRef { Arc::new(Float64Array::from(work)) };
    [
        function("operator_flops", DataType::Float64, move |work| number(work.map(|work| Some(work?.flops)).collect())),
        function("operator_bytes", DataType::Float64, move |work| number(work.map(|work| work?.bytes).collect())),
        function("operator_data_type", DataType::Utf8, |work| {
            Arc::new(work.map(|work| work?.data_type).collect::<StringArray>())
        }),
    ]
}

/// A function of the name and the args of a call, from what the call does.
fn function(
    name: &'static str,
    result: DataType,
    collect: impl Fn(&mut dyn Iterator<Item = Option<OperatorWork>>) -> ArrayRef + Send + Sync + 'static,
) -> ScalarUDF {
    let evaluate = move |arguments: &[ColumnarValue]| {
        let texts = ColumnarValue::values_to_arrays(arguments)?;
        let [names, args] = &texts[..] else { return exec_err!("{name}(name, args): expected two arguments") };
        let (names, args) = (cast(names, &DataType::Utf8View)?, cast(args, &DataType::Utf8View)?);
        let rows = names.as_string_view().iter().zip(args.as_string_view().iter());
        Ok(ColumnarValue::Array(collect(&mut rows.map(|(name, args)| work(name?, args?)))))
    };
    let signature = Signature::string(2, Volatility::Immutable);
    SimpleScalarUDF::new_with_signature(name, signature, result, Arc::new(evaluate)).into()
}

/// What a call does.
#[derive(Debug, PartialEq)]
struct OperatorWork {
    flops: f64,
    /// Minimum memory traffic; none if the data type is unknown.
    bytes: Option<f64>,
    data_type: Option<&'static str>,
}

/// The inputs of a call.
struct Inputs(Value);

impl Inputs {
    /// The shape of an input that is a tensor.
    fn shape(&self, input: usize) -> Option<Vec<f64>> {
        // Types of tensors begin with a small letter (`float`, `c10::Half`), those of other inputs do not (`Scalar`).
        let is_tensor = self.type_name(input).starts_with(|letter: char| letter.is_ascii_lowercase() || letter == '_');
        let sizes = self.0["Input Dims"][input].as_array().filter(|_| is_tensor)?;
        sizes.iter().map(Value::as_f64).collect()
    }

    fn type_name(&self, input: usize) -> &str {
        self.0["Input type"][input].as_str().unwrap_or_default()
    }

    /// The text of an input that is not a tensor.
    fn value(&self, input: usize) -> Option<&str> {
        self.0["Concrete Inputs"][input].as_str()
    }

    /// The value of an input that is an integer or a list of two integers.
    fn pair(&self, input: usize) -> Option<[f64; 2]> {
        let value: Value = serde_json::from_str(self.value(input)?).ok()?;
        let one = value.as_f64();
        Some([one.or_else(|| value[0].as_f64())?, one.or_else(|| value[1].as_f64())?])
    }

    /// The elements of all tensors from `first` up to `end`.
    fn elements(&self, first: usize, end: usize) -> f64 {
        (first..end).filter_map(|input| self.shape(input)).map(|shape| size(&shape)).sum()
    }

    /// What a call does: `flops`, with elements of the type of an input.
    fn work(&self, flops: f64, elements: f64, input: usize) -> OperatorWork {
        let ty = parse_data_type(self.type_name(input));
        OperatorWork { flops, bytes: ty.map(|ty| elements * f64::from(ty.bytes)), data_type: ty.map(|ty| ty.name) }
    }
}

fn size(shape: &[f64]) -> f64 {
    shape.iter().product()
}

/// What a call does; none if the operator is unknown, or its inputs.
fn work(name: &str, args: &str) -> Option<OperatorWork> {
    let operator = name.strip_prefix("aten::")?;
    let is_attention = operator.starts_with("_scaled_dot_product_") && !operator.ends_with("_math");
    let is_known =
        matches!(operator, "conv2d" | "convolution_backward" | "mm" | "addmm" | "bmm" | "baddbmm" | "mul" | "add");
    if !is_known && !is_attention {
        return None;
    }
    let inputs = Inputs(serde_json::from_str(args).ok()?);
    match operator {
        "mul" | "add" => elementwise(&inputs),
        "mm" | "addmm" | "bmm" | "baddbmm" => product(operator, &inputs),
        "conv2d" => convolution(&inputs),
        "convolution_backward" => convolution_backward(&inputs),
        _ => attention(&inputs, operator.ends_with("_backward")),
    }
}

fn elementwise(inputs: &Inputs) -> Option<OperatorWork> {
    let first = inputs.shape(0)?;
    let second = inputs.shape(1).unwrap_or_default();
    // The shape of the result, by PyTorch's rules of broadcasting: sizes are compared from the last one.
    let rank = first.len().max(second.len());
    let size_of = |shape: &[f64], axis: usize| shape.iter().rev().nth(axis).copied().unwrap_or(1.0);
    let result: f64 = (0..rank).map(|axis| size_of(&first, axis).max(size_of(&second, axis))).product();
    Some(inputs.work(size(&first), result + inputs.elements(0, 2), 0))
}

fn product(operator: &str, inputs: &Inputs) -> Option<OperatorWork> {
    let first = usize::from(operator.starts_with("add") || operator.starts_with("badd"));
    let (left, right) = (inputs.shape(first)?, inputs.shape(first + 1)?);
    let batch = if operator.contains("bmm") { *left.first()? } else { 1.0 };
    let common = left.last().filter(|common| **common > 0.0 && batch > 0.0)?;
    let result = size(&left) / common * *right.last()?;
    Some(inputs.work(2.0 * size(&left) / common / batch * size(&right), result + inputs.elements(0, first + 2), first))
}

fn convolution(inputs: &Inputs) -> Option<OperatorWork> {
    let (input, weight) = (inputs.shape(0)?, inputs.shape(1)?);
    let (&[batch, channels, height, width], &[out_channels, _, rows, columns]) = (&input[..], &weight[..]) else {
        return None;
    };
    let (stride, padding, dilation) = (inputs.pair(3)?, inputs.pair(4)?, inputs.pair(5)?);
    let [groups, _] = inputs.pair(6).filter(|groups| groups[0] > 0.0 && stride[0] * stride[1] > 0.0)?;
    let output = |axis: usize, size: f64, kernel: f64| {
        ((size + 2.0 * padding[axis] - dilation[axis] * (kernel - 1.0) - 1.0) / stride[axis]).floor() + 1.0
    };
    let pixels = output(0, height, rows) * output(1, width, columns);
    let flops = 2.0 * batch * pixels * rows * columns * channels * out_channels / groups;
    Some(inputs.work(flops, inputs.elements(0, 3) + batch * out_channels * pixels, 0))
}

/// The gradients of input and weight, as far as they are asked for, each with the operations of the forward pass.
fn convolution_backward(inputs: &Inputs) -> Option<OperatorWork> {
    let (gradient, input, weight) = (inputs.shape(0)?, inputs.shape(1)?, inputs.shape(2)?);
    let is_transposed = inputs.value(7)? == "True";
    let mask: Vec<bool> = inputs.value(10)?.split(',').map(|part| part.contains("True")).collect();
    let (&[for_input, for_weight, ..], true) = (&mask[..], gradient.len() > 2 && input.len() > 2) else { return None };
    let pixels = size(if is_transposed { &input[2..] } else { &gradient[2..] });
    let forward = 2.0 * input[0] * pixels * size(&weight);
    let gradients = f64::from(u8::from(for_input)) + f64::from(u8::from(for_weight));
    let results = f64::from(u8::from(for_input)) * size(&input) + f64::from(u8::from(for_weight)) * size(&weight);
    Some(inputs.work(gradients * forward, inputs.elements(0, 3) + results, 1))
}

/// Fused attention: two products of matrices; backward five, as the first one is computed again.
fn attention(inputs: &Inputs, is_backward: bool) -> Option<OperatorWork> {
    let first = usize::from(is_backward); // the gradient of the result comes first
    let (query, key, value) = (inputs.shape(first)?, inputs.shape(first + 1)?, inputs.shape(first + 2)?);
    let (&[batch, heads, queries, width], &[.., keys, _], &[.., value_width]) = (&query[..], &key[..], &value[..])
    else {
        return None;
    };
    let widths = if is_backward { 3.0 * width + 2.0 * value_width } else { width + value_width };
    let tensors = inputs.elements(first, first + 3);
    let result = batch * heads * queries * value_width;
    // Backward reads the result and its gradient, too, and writes a gradient for each input.
    let elements = if is_backward { 2.0 * tensors + 2.0 * result } else { tensors + result };
    Some(inputs.work(2.0 * batch * heads * queries * keys * widths, elements, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work_of(name: &str, shapes: &str, values: &str) -> Option<OperatorWork> {
        let inputs = shapes.matches(']').count();
        let types = vec!["\"float\""; inputs].join(", ");
        work(name, &format!(r#"{{"Input Dims": {shapes}, "Input type": [{types}], "Concrete Inputs": {values}}}"#))
    }

    /// Operations and bytes of a call with inputs of 32 bits.
    fn numbers(name: &str, shapes: &str, values: &str) -> (f64, f64) {
        let work = work_of(name, shapes, values).unwrap();
        assert_eq!(work.data_type, Some("float32"));
        (work.flops, work.bytes.unwrap())
    }

    #[test]
    fn products_of_matrices() {
        let elements = 16.0 * 10.0 + 10.0 * 128.0 + 16.0 * 128.0;
        assert_eq!(numbers("aten::mm", "[[16, 10], [10, 128]]", "[]"), (2.0 * 16.0 * 10.0 * 128.0, 4.0 * elements));
        let elements = 512.0 + 1024.0 * 128.0 + 128.0 * 512.0 + 1024.0 * 512.0;
        assert_eq!(
            numbers("aten::addmm", "[[512], [1024, 128], [128, 512]]", "[]"),
            (2.0 * 1024.0 * 128.0 * 512.0, 4.0 * elements)
        );
        let elements = 2.0 * 16.0 * 64.0 * 128.0 + 16.0 * 64.0 * 64.0;
        assert_eq!(
            numbers("aten::bmm", "[[16, 64, 128], [16, 128, 64]]", "[]"),
            (2.0 * 16.0 * 64.0 * 128.0 * 64.0, 4.0 * elements)
        );
        let elements = 4.0 * 2.0 * 5.0 + 4.0 * 2.0 * 3.0 + 4.0 * 3.0 * 5.0 + 4.0 * 2.0 * 5.0;
        assert_eq!(
            numbers("aten::baddbmm", "[[4, 2, 5], [4, 2, 3], [4, 3, 5]]", "[]"),
            (2.0 * 4.0 * 2.0 * 3.0 * 5.0, 4.0 * elements)
        );
    }

    #[test]
    fn elements_with_broadcasting() {
        assert_eq!(numbers("aten::mul", "[[2, 3], [3]]", "[]"), (6.0, 4.0 * (6.0 + 3.0 + 6.0)));
        // PyTorch counts the elements of the first input, even if the result has more.
        assert_eq!(numbers("aten::add", "[[3], [2, 1]]", "[]"), (3.0, 4.0 * (3.0 + 2.0 + 6.0)));
    }

    #[test]
    fn convolutions_forward_and_backward() {
        // A 3x3 convolution with stride 2 and padding 1: 4x4 pixels from 8x8.
        let values = r#"["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"]"#;
        let forward = 2.0 * 2.0 * 16.0 * 9.0 * 3.0 * 8.0;
        let (input, weight, output) = (2.0 * 3.0 * 64.0, 8.0 * 3.0 * 9.0, 2.0 * 8.0 * 16.0);
        let actual = numbers("aten::conv2d", "[[2, 3, 8, 8], [8, 3, 3, 3]]", values);
        assert_eq!(actual, (forward, 4.0 * (input + weight + output)));
        let shapes = "[[2, 8, 4, 4], [2, 3, 8, 8], [8, 3, 3, 3]]";
        let values = |mask: &str| {
            format!(r#"["", "", "", "[8]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", "{mask}"]"#)
        };
        let both = numbers("aten::convolution_backward", shapes, &values("[True, True, False]"));
        assert_eq!(both, (2.0 * forward, 4.0 * (2.0 * (input + weight) + output)));
        let one = numbers("aten::convolution_backward", shapes, &values("[False, True, True]"));
        assert_eq!(one, (forward, 4.0 * (input + 2.0 * weight + output)));
    }

    #[test]
    fn fused_attention() {
        let (query, key) = (2.0 * 4.0 * 32.0 * 16.0, 2.0 * 4.0 * 64.0 * 16.0);
        let pairs = 2.0 * 4.0 * 32.0 * 64.0;
        let name = "aten::_scaled_dot_product_flash_attention";
        let actual = numbers(name, "[[2, 4, 32, 16], [2, 4, 64, 16], [2, 4, 64, 16]]", "[]");
        assert_eq!(actual, (4.0 * pairs * 16.0, 4.0 * (2.0 * query + 2.0 * key)));
        let shapes = "[[2, 4, 32, 16], [2, 4, 32, 16], [2, 4, 64, 16], [2, 4, 64, 16]]";
        let actual = numbers(&format!("{name}_backward"), shapes, "[]");
        assert_eq!(actual, (10.0 * pairs * 16.0, 4.0 * (4.0 * query + 4.0 * key)));
    }

    #[test]
    fn unknown_operators_and_shapes_have_none() {
        assert_eq!(work_of("aten::relu", "[[2, 3]]", "[]"), None);
        assert_eq!(work_of("aten::mm", "[[16, 0], [0, 128]]", "[]"), None);
        assert_eq!(work_of("aten::_scaled_dot_product_flash_attention_backward", "[[2, 3]]", "[]"), None);
        assert_eq!(work_of("aten::convolution_backward", "[[2, 3, 4, 4], [2, 3, 8, 8], [3, 3, 3, 3]]", "[]"), None);
        assert_eq!(work("aten::mul", r#"{"Input Dims": [[], [2]], "Input type": ["Scalar", "float"]}"#), None);
        assert_eq!(work("aten::mm", r#"{"Input Dims": "8,8;8,8"}"#), None);
        assert_eq!(work("aten::mm", "no JSON"), None);
        let unknown = work("aten::mul", r#"{"Input Dims": [[2]], "Input type": ["quint8"]}"#);
        assert_eq!(unknown, Some(OperatorWork { flops: 2.0, bytes: None, data_type: None }));
    }
}
