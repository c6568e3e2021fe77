//! `collective_work(name, args, ranks)`: what a collective moves, from what the profiler wrote about it.
//!
//! PyTorch writes name, type and numbers of elements of a collective of NCCL on its kernel or, in older versions, on the
//! operator `record_param_comms`. The marks of gloo have the shapes of their inputs. `bytes` and `bus_factor` follow the
//! definitions of nccl-tests (`doc/PERFORMANCE.md`): the algorithm bandwidth is the size over the time, and the bus bandwidth
//! is that times the factor. So the bus bandwidth compares with the speed of the links, whatever the number of ranks.
//! `ranks` is the size of the group where the profiler did not write it.

use std::sync::Arc;

use arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array, StringArray, StructArray};
use arrow::datatypes::{DataType, Field, Fields, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{ColumnarValue, ScalarUDF, Volatility, create_udf};
use serde_json::Value;

use super::data_type::parse_data_type;

/// The scalar function. The result is a struct, see [`fields`].
pub(crate) fn collective_work() -> ScalarUDF {
    let arguments = vec![DataType::Utf8View, DataType::Utf8View, DataType::Int64];
    create_udf("collective_work", arguments, DataType::Struct(fields()), Volatility::Immutable, Arc::new(evaluate))
}

fn fields() -> Fields {
    [
        ("operation", DataType::Utf8),
        ("data_type", DataType::Utf8),
        ("group_size", DataType::Int64),
        ("bytes", DataType::Int64),
        ("bus_factor", DataType::Float64),
    ]
    .map(|(name, ty)| Arc::new(Field::new(name, ty, true)))
    .into()
}

fn evaluate(arguments: &[ColumnarValue]) -> Result<ColumnarValue> {
    let arrays = ColumnarValue::values_to_arrays(arguments)?;
    let [names, args, ranks] = &arrays[..] else {
        return exec_err!("collective_work(name, args, ranks): expected three arguments");
    };
    let rows = names.as_string_view().iter().zip(args.as_string_view().iter()).zip(ranks.as_primitive::<Int64Type>());
    let work: Vec<CollectiveWork> = rows.map(|((name, args), ranks)| work(name, args, ranks)).collect();
    let columns: Vec<ArrayRef> = vec![
        Arc::new(work.iter().map(|work| work.operation).collect::<StringArray>()),
        Arc::new(work.iter().map(|work| work.data_type).collect::<StringArray>()),
        Arc::new(work.iter().map(|work| work.group_size).collect::<Int64Array>()),
        Arc::new(work.iter().map(|work| work.bytes).collect::<Int64Array>()),
        Arc::new(work.iter().map(CollectiveWork::bus_factor).collect::<Float64Array>()),
    ];
    Ok(ColumnarValue::Array(Arc::new(StructArray::try_new(fields(), columns, None)?)))
}

/// Parts of names without `_`, and the names of the operations. The first part that a name has counts.
const OPERATIONS: [(&str, &str); 13] = [
    ("allreduce", "all_reduce"),
    ("crossdevicereduce", "all_reduce"),
    ("allgather", "all_gather"),
    ("reducescatter", "reduce_scatter"),
    ("alltoall", "all_to_all"),
    ("broadcast", "broadcast"),
    ("gather", "gather"),
    ("scatter", "scatter"),
    ("reduce", "reduce"),
    ("barrier", "barrier"),
    ("sendrecv", "send_recv"),
    ("send", "send"),
    ("recv", "recv"),
];

/// What a collective moves, as far as it is known.
#[derive(Debug, Default, PartialEq)]
struct CollectiveWork {
    operation: Option<&'static str>,
    data_type: Option<&'static str>,
    group_size: Option<i64>,
    bytes: Option<i64>,
}

impl CollectiveWork {
    /// Bus bandwidth over algorithm bandwidth; none in a group of one, which has no links.
    fn bus_factor(&self) -> Option<f64> {
        let size = self.group_size.filter(|size| *size > 1)? as f64;
        match self.operation? {
            "all_reduce" => Some(2.0 * (size - 1.0) / size),
            "all_gather" | "reduce_scatter" | "all_to_all" | "gather" | "scatter" => Some((size - 1.0) / size),
            "broadcast" | "reduce" | "send" | "recv" => Some(1.0),
            _ => None,
        }
    }
}

/// Reads name and `args` of a row of `event`.
fn work(name: Option<&str>, args: Option<&str>, ranks: Option<i64>) -> CollectiveWork {
    let args: Value = args.and_then(|args| serde_json::from_str(args).ok()).unwrap_or_default();
    let recorded_name = args["Collective name"].as_str();
    let compact = recorded_name.or(name).unwrap_or_default().replace('_', "").to_ascii_lowercase();
    let operation = OPERATIONS.into_iter().find(|(part, _)| compact.contains(part)).map(|(_, name)| name);
    let group_size = whole(&args["Group size"]).or(ranks);
    let (ty, input, output) = if recorded_name.is_some() {
        (args["dtype"].as_str(), whole(&args["In msg nelems"]), whole(&args["Out msg nelems"]))
    } else {
        (args["Input type"][0].as_str(), elements(&args["Input Dims"][0]), None)
    };
    let ty = ty.and_then(parse_data_type);
    let of_group = |part: Option<i64>| part?.checked_mul(group_size?);
    let elements = match operation {
        Some("all_gather") => output.or_else(|| of_group(input)),
        Some("gather") => of_group(input),
        Some("scatter") => of_group(output),
        Some("recv") => output.or(input),
        Some("barrier") | None => None,
        Some(_) => input,
    };
    let bytes = elements.zip(ty).and_then(|(elements, ty)| elements.checked_mul(i64::from(ty.bytes)));
    CollectiveWork { operation, data_type: ty.map(|ty| ty.name), group_size, bytes: bytes.filter(|bytes| *bytes > 0) }
}

/// A number, or a number in a text.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| value.as_str()?.parse().ok())
}

/// The number of elements of a tensor of this shape.
fn elements(shape: &Value) -> Option<i64> {
    shape.as_array()?.iter().try_fold(1_i64, |product, size| product.checked_mul(size.as_i64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_definitions_of_nccl_tests() {
        for (name, expected, bytes, factor) in [
            ("allreduce", "all_reduce", 400, Some(1.5)),
            ("_allgather_base", "all_gather", 1600, Some(0.75)),
            ("all_gather", "all_gather", 1600, Some(0.75)),
            ("reduce_scatter_tensor_coalesced", "reduce_scatter", 400, Some(0.75)),
            ("all_to_allv", "all_to_all", 400, Some(0.75)),
            ("_broadcast_oop", "broadcast", 400, Some(1.0)),
            ("_reduce_oop", "reduce", 400, Some(1.0)),
            ("gather", "gather", 1600, Some(0.75)),
            ("send", "send", 400, Some(1.0)),
        ] {
            let args = format!(
                r#"{{"Collective name": "{name}", "dtype": "Float", "In msg nelems": 100, "Out msg nelems": 400, "Group size": 4}}"#
            );
            let work = work(Some("ncclDevKernel"), Some(&args), None);
            assert_eq!(work.operation, Some(expected));
            assert_eq!((work.bytes, work.bus_factor()), (Some(bytes), factor), "{name}");
        }
    }

    #[test]
    fn marks_of_gloo_have_shapes() {
        let args = Some(r#"{"Input Dims": [[10, 25]], "Input type": ["c10::Half"]}"#);
        let reduced = work(Some("gloo:all_reduce"), args, Some(2));
        assert_eq!((reduced.bytes, reduced.bus_factor(), reduced.data_type), (Some(500), Some(1.0), Some("float16")));
        assert_eq!(work(Some("gloo:all_gather"), args, Some(4)).bytes, Some(2000));
        assert_eq!(work(Some("gloo:all_gather"), args, None).bytes, None);
    }

    #[test]
    fn what_is_not_known_is_null() {
        let kernel =
            work(Some("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)"), None, Some(1));
        assert_eq!(kernel.operation, Some("all_reduce"));
        assert_eq!((kernel.bytes, kernel.bus_factor()), (None, None));
        let custom = work(Some("cross_device_reduce_1stage"), Some("no JSON"), None);
        assert_eq!((custom.operation, custom.bytes), (Some("all_reduce"), None));
        assert_eq!(work(None, None, None), CollectiveWork::default());
        let huge = r#"{"Collective name": "allreduce", "dtype": "Float", "In msg nelems": 9223372036854775807}"#;
        assert_eq!(work(None, Some(huge), None).bytes, None);
    }
}
