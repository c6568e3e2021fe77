//! `is_collective(name)`: whether a kernel of this name moves data between devices.

use arrow::datatypes::DataType;
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDFImpl, Signature, TypeSignature, Volatility,
};

use super::distinct::RegexpLike;

/// The names of kernels that communicate, as a regular expression:
///
/// - NCCL (`ncclDevKernel_AllReduce_Sum_f32_RING_LL`) and AMD's RCCL, which has the same names
/// - oneCCL (`oneccl_allreduce_pcie`), HCCL (`hcom_allReduce__628_0_1`), MSCCL++, NVSHMEM
/// - PyTorch's symmetric memory, `CUDASymmetricMemoryOps.cu` (`multimem_all_reduce_kernel`,
///   `two_shot_all_reduce_kernel`), and its older `intra_node_comm.cu` (`oneShotAllReduceKernel`,
///   which TensorRT-LLM has, too)
/// - vLLM, `custom_all_reduce.cuh` (`cross_device_reduce_1stage`)
/// - TensorRT-LLM and FlashInfer, `trtllm_allreduce_fusion.cuh`
///   (`allreduce_fusion_kernel_oneshot_lamport`)
/// - Transformer Engine, `userbuffers.cu` (`userbuffers_fp16_sum_inplace_gpu_rw`)
/// - XLA on TPUs, the operations of HLO (`all-reduce.3`, `collective-permute-start.1`)
/// - DeepEP, `intranode.cu`, `internode.cu` and `internode_ll.cu` (`deep_ep::intranode::dispatch`)
pub const COLLECTIVE_NAMES: &str = "(?i)(^|[^a-z])(nccl|oneccl|hccl|msccl|nvshmem|hcom_)|multimem_|symmetric_memory|\
     (one|two)_?shot_?all_?reduce|cross_device_reduce|allreduce_fusion|userbuffers_|deep_ep::int(ra|er)node|\
     ^(all-(reduce|gather)|reduce-scatter|(ragged-)?all-to-all|(async-)?collective-)";

/// The scalar function.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct IsCollective {
    signature: Signature,
    regexp_like: RegexpLike,
}

impl IsCollective {
    pub(crate) fn new() -> Self {
        let texts = TypeSignature::String(1);
        Self { signature: Signature::new(texts, Volatility::Immutable), regexp_like: RegexpLike::new() }
    }
}

impl ScalarUDFImpl for IsCollective {
    fn name(&self) -> &'static str {
        "is_collective"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn invoke_with_args(&self, mut arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let pattern = ScalarValue::from(COLLECTIVE_NAMES).cast_to(&arguments.args[0].data_type())?;
        arguments.args.push(ColumnarValue::Scalar(pattern));
        arguments.arg_fields.extend(arguments.arg_fields.first().cloned());
        self.regexp_like.invoke_with_args(arguments)
    }
}

#[cfg(test)]
mod tests {
    use arrow::array::AsArray;
    use datafusion::prelude::SessionContext;

    use super::*;
    use crate::query_error;
    use crate::runtime::Engine;

    #[test]
    fn kernels_of_all_libraries_that_communicate() {
        let names = [
            ("ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", true),
            ("oneccl_allreduce_pcie", true),
            ("hcom_allReduce__628_0_1", true),
            ("void (anonymous namespace)::multimem_all_reduce_kernel<c10::BFloat16, 16>(c10::BFloat16*)", true),
            ("void (anonymous namespace)::two_shot_all_reduce_kernel_inplace<c10::BFloat16, 16, 8>()", true),
            ("void tensorrt_llm::kernels::oneShotAllReduceKernel<__half, 8>(AllReduceParams)", true),
            ("void vllm::cross_device_reduce_1stage<__nv_bfloat16, 8>(vllm::RankData*)", true),
            ("void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<1>()", true),
            ("userbuffers_fp16_sum_inplace_gpu_rw<8>()", true),
            ("all-reduce-start.3", true),
            ("collective-permute.1", true),
            ("async-collective-start.1", true),
            ("fusion.all-reduce", false),
            ("void deep_ep::internode_ll::dispatch<true, 7168>(void*)", true),
            ("ampere_sgemm_128x64_tn", false),
            ("void cub::DeviceReduceKernel<>()", false),
            ("void AsyncClearKernel<SyncCluster, FuncClass>(srcClamp)", false),
            ("deep_ep::layout::get_dispatch_layout<256>()", false),
        ];
        let rows: Vec<String> = names.iter().map(|(name, expected)| format!("('{name}', {expected})")).collect();
        let text = format!("select name from (values {}) t(name, x) where is_collective(name) <> x", rows.join(", "));
        let wrong = Engine::start().unwrap().run(async move {
            let context = SessionContext::new();
            context.register_udf(IsCollective::new().into());
            let rows = context.sql(&text).await.map_err(|error| query_error(&error))?;
            rows.collect().await.map_err(|error| query_error(&error))
        });
        let wrong = wrong.unwrap();
        assert!(wrong.iter().all(|rows| rows.num_rows() == 0), "{:?}", wrong[0].column(0).as_string_view());
    }
}
