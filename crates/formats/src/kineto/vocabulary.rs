//! The words of the profiler: the meaning of an event's category and name.
//!
//! Categories changed between versions (`Operator` became `cpu_op`). Some versions have annotations among
//! operators. So the name identifies annotations. The category identifies everything else; its case is ignored.

use crate::number::{is_digits, leading_number};
use crate::table::{Category, Event, Step};

/// Where the work of an event was done.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkSide {
    /// On a processor, in a thread.
    Host,
    /// On a device of this kind, in a stream.
    Device(&'static str),
    #[default]
    Unknown,
}

/// The meaning of an event's category.
pub(super) fn parse_category(raw: &str) -> (Category, WorkSide) {
    let raw = raw.to_ascii_lowercase();
    match raw.as_str() {
        "cpu_op" | "operator" => (Category::Operator, WorkSide::Host),
        "user_annotation" => (Category::Annotation, WorkSide::Host),
        "gpu_user_annotation" => (Category::Annotation, WorkSide::Device("gpu")),
        // The module `implied` gives the last two, and those of NPUs and TPUs, to events without a category.
        "kernel" | "cuda_function" | "gpu_stream" => (Category::Kernel, WorkSide::Device("gpu")),
        "memcpy" | "gpu_memcpy" => (Category::Memcpy, WorkSide::Device("gpu")),
        "memset" | "gpu_memset" => (Category::Memset, WorkSide::Device("gpu")),
        "cuda_sync" => (Category::Sync, WorkSide::Device("gpu")),
        "cuda_profiler_range" => (Category::Other, WorkSide::Device("gpu")),
        "tpu_op" | "tpu_core_op" | "tpu_async_op" => (Category::Kernel, WorkSide::Device("tpu")),
        "hpu_op" => (Category::Kernel, WorkSide::Device("hpu")),
        "mtia_ccp_events" => (Category::Kernel, WorkSide::Device("mtia")),
        "mtia_workloadd" | "mtia_insight" => (Category::Other, WorkSide::Device("mtia")),
        "npu_task" | "npu_communication" => (Category::Kernel, WorkSide::Device("npu")),
        "overhead" => (Category::Overhead, WorkSide::Host),
        // viztracer writes `fee` (function entry/exit).
        "python" | "python_function" | "fee" => (Category::Python, WorkSide::Host),
        "memory" => (Category::Memory, WorkSide::Unknown),
        _ if raw == "runtime" || raw.ends_with("_runtime") => (Category::Runtime, WorkSide::Host),
        _ if raw == "driver" || raw.ends_with("_driver") => (Category::Driver, WorkSide::Host),
        _ => (Category::Other, WorkSide::Unknown),
    }
}

/// The category of device work, if the category in the file does not say which work it is.
pub(super) fn device_category(raw: &str, name: &str) -> Category {
    let starts_with = |word: &str| name.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    match raw {
        "tpu_op" | "tpu_core_op" | "tpu_async_op" => tpu_category(raw, name.split('.').next().unwrap_or_default()),
        // The others are parts of a collective.
        "npu_communication" if !starts_with("hcom_") => Category::Other,
        _ if starts_with("memcpy") => Category::Memcpy,
        _ if starts_with("memset") => Category::Memset,
        "npu_task" if starts_with("event_") || starts_with("notify") => Category::Sync,
        _ => Category::Kernel,
    }
}

/// The category of an operation of a TPU, by its name without its number.
fn tpu_category(raw: &str, operation: &str) -> Category {
    let starts_with = |words: &[&str]| words.iter().any(|word| operation.starts_with(word));
    match operation {
        // They have the time of the operations inside.
        "while" | "conditional" | "call" => Category::Annotation,
        // The core starts a transfer and waits for its end. The transfer itself is an asynchronous operation.
        _ if raw == "tpu_core_op" && (operation.ends_with("-start") || operation.ends_with("-done")) => Category::Sync,
        "infeed" | "outfeed" | "send" | "recv" | "copy-start" | "copy-done" => Category::Memcpy,
        _ if raw != "tpu_async_op" => Category::Kernel,
        _ if starts_with(&["all-", "reduce-scatter", "ragged-all-to-all", "collective-", "async-collective-"]) => {
            Category::Kernel
        }
        _ if starts_with(&["copy", "slice", "dynamic-slice", "dynamic-update-slice", "send", "recv"]) => {
            Category::Memcpy
        }
        _ => Category::Other,
    }
}

/// Returns true if only the PyTorch profiler writes this category.
pub(super) fn is_kineto(raw: &str) -> bool {
    let word = raw.to_ascii_lowercase();
    let is_cpu = matches!(&*word, "cpu_op" | "operator" | "user_annotation" | "python_function" | "cpu_instant_event");
    let is_gpu = matches!(&*word, "gpu_user_annotation" | "gpu_memcpy" | "gpu_memset");
    let is_cuda = matches!(&*word, "cuda_runtime" | "cuda_driver" | "cuda_sync" | "cuda_profiler_range");
    let is_flow = matches!(&*word, "ac2g" | "fwdbwd" | "async_cpu_to_gpu");
    is_cpu || is_gpu || is_cuda || is_flow || raw.starts_with("mtia_") || raw.starts_with("xpu_")
}

/// The category of a host event by its name, if its own category is not reliable. Else `category`.
#[inline]
pub(crate) fn by_name(name: &str, category: Category) -> Category {
    let by_name = match name.as_bytes() {
        [b'P', ..] => parse_step(name).map(|_| Category::Step),
        [b'e', ..] => loader(name).map(|_| Category::Loader),
        // The backends of `torch.distributed`: NCCL, Gloo, XCCL (Intel), HCCL, MPI and UCC.
        [b'n' | b'g' | b'x' | b'h' | b'm' | b'u', ..]
            if matches!(name.split_once(':'), Some(("nccl" | "gloo" | "xccl" | "hccl" | "mpi" | "ucc", _))) =>
        {
            Some(Category::Communication)
        }
        [b'O', ..] if name.starts_with("Optimizer.") => Some(Category::Annotation),
        [b'D', ..] if name == "DistributedDataParallel.forward" || name == "DataParallel.forward" => {
            Some(Category::Annotation)
        }
        [b'[', ..] if name.starts_with("[pl]") => Some(Category::Annotation),
        _ => None,
    };
    by_name.unwrap_or(category)
}

/// Whether host work of this name is part of the backward pass or of an optimizer's step, which only training has.
pub(crate) fn is_training(name: &str) -> bool {
    name.starts_with("autograd::engine::evaluate_function: ") || name.starts_with("Optimizer.step#")
}

/// The number of a step mark: `ProfilerStep#12`, or with blanks around the `#`.
pub(super) fn parse_step(name: &str) -> Option<i64> {
    let rest = name.strip_prefix("ProfilerStep")?.trim_start().strip_prefix('#')?.trim_start();
    leading_number(rest)
}

/// A step mark with the user's annotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedStep {
    /// With its number: `train_step#12`, `train_step 12`.
    Numbered(i64),
    /// The name alone.
    Unnumbered,
}

/// Parses a step mark with the user's annotation. None if the name is something else.
pub(crate) fn parse_named_step(name: &str, annotation: &str) -> Option<NamedStep> {
    let rest = name.strip_prefix(annotation)?;
    let digits = rest.trim_start_matches([' ', '#', '_', '-', ':', '=']);
    if digits.is_empty() {
        return rest.trim().is_empty().then_some(NamedStep::Unnumbered);
    }
    digits.parse().ok().filter(|_| is_digits(digits)).map(NamedStep::Numbered)
}

/// The event of a data loader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LoaderCall<'a> {
    /// Kind of row in `loader`.
    pub(crate) kind: &'static str,
    /// Class of the iterator, or name of the pipe.
    pub(crate) class: &'a str,
    /// Known only for a class without workers.
    pub(crate) num_workers: Option<i64>,
}

/// The row of `step` for the event that marks the step.
pub(crate) fn step_row<'a>(event: &Event<'a>, is_complete: bool) -> Step<'a> {
    let Event { node, rank, span, process, step, mode, ts, dur, row, .. } = *event;
    Step { node, rank, span, process, step, mode, ts, dur, complete: Some(is_complete), row }
}

/// Parses `enumerate(DataLoader)#<class>.__next__` and `enumerate(DataPipe)#<name>`.
pub(crate) fn loader(name: &str) -> Option<LoaderCall<'_>> {
    let rest = name.strip_prefix("enumerate(")?;
    let (kind, class) = match rest.strip_prefix("DataLoader)#") {
        Some(call) => match call.rsplit_once('.')? {
            (class, "__next__") => ("next", class),
            (class, "__iter__" | "__init__") => ("init", class),
            _ => return None,
        },
        None => ("next", rest.strip_prefix("DataPipe)#")?),
    };
    let num_workers = (class == "_SingleProcessDataLoaderIter").then_some(0);
    Some(LoaderCall { kind, class, num_workers })
}

/// Returns true if a flow of this category connects a launch with its work on the device.
pub(super) fn is_launch(raw: &str) -> bool {
    matches!(raw, "ac2g" | "async" | "async_cpu_to_gpu" | "cpu_to_cuda")
}

/// The device of an allocator's event. `device_type` is the number in PyTorch's `c10::DeviceType`.
pub(super) fn memory_device(device_type: Option<i64>, id: Option<i64>) -> Option<String> {
    let kind = match device_type? {
        0 => return Some("cpu".to_owned()),
        // CUDA, HIP and XPU: the kernels of all three are on `gpu`.
        1 | 6 | 12 => "gpu".to_owned(),
        9 => "xla".to_owned(),
        13 => "mps".to_owned(),
        15 => "hpu".to_owned(),
        19 => "mtia".to_owned(),
        other => format!("type{other}_"),
    };
    Some(format!("{kind}{}", id?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_device_work_decide() {
        use Category::{Annotation, Kernel, Memcpy, Other, Sync};
        for (raw, name, expected) in [
            ("npu_communication", "hcom_allReduce__628_0_1", Kernel),
            ("npu_communication", "Memcpy", Other),
            ("npu_communication", "Notify_Wait", Other),
            ("npu_task", "MEMCPY_ASYNC", Memcpy),
            ("npu_task", "EVENT_WAIT", Sync),
            ("gpu_stream", "event_encoder", Kernel),
            ("gpu_stream", "MemcpyH2D", Memcpy),
            ("tpu_op", "fusion.12", Kernel),
            ("tpu_op", "while.3", Annotation),
            ("tpu_op", "all-reduce-done.3", Kernel),
            ("tpu_op", "copy-done.3", Memcpy),
            ("tpu_core_op", "copy-done.3", Sync),
            ("tpu_core_op", "all-reduce-start.3", Sync),
            ("tpu_op", "infeed.1", Memcpy),
            ("tpu_async_op", "copy-start.1", Memcpy),
            ("tpu_async_op", "dynamic-update-slice-start.1", Memcpy),
            ("tpu_async_op", "async-collective-start.1", Kernel),
            ("tpu_async_op", "all-reduce-start.2", Kernel),
            ("tpu_async_op", "async-start", Other),
        ] {
            assert_eq!(device_category(raw, name), expected, "{raw} {name}");
        }
    }

    #[test]
    fn categories_of_all_versions() {
        use Category::{Annotation, Driver, Kernel, Memcpy, Operator, Other, Runtime, Sync};
        let gpu = WorkSide::Device("gpu");
        for (raw, expected) in [
            ("cpu_op", (Operator, WorkSide::Host)),
            ("OPERATOR", (Operator, WorkSide::Host)),
            ("Kernel", (Kernel, gpu)),
            ("Memcpy", (Memcpy, gpu)),
            ("gpu_user_annotation", (Annotation, gpu)),
            ("Runtime", (Runtime, WorkSide::Host)),
            ("privateuse1_runtime", (Runtime, WorkSide::Host)),
            ("xpu_driver", (Driver, WorkSide::Host)),
            ("cuda_sync", (Sync, gpu)),
            ("mtia_ccp_events", (Kernel, WorkSide::Device("mtia"))),
            ("mtia_insight", (Other, WorkSide::Device("mtia"))),
            ("Trace", (Other, WorkSide::Unknown)),
        ] {
            assert_eq!(parse_category(raw), expected, "{raw}");
        }
    }

    #[test]
    fn annotations_are_recognized_by_name() {
        for (name, category) in [
            ("ProfilerStep#12", Category::Step),
            ("ProfilerStep # 12", Category::Step),
            ("ProfilerStepper", Category::Operator),
            ("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", Category::Loader),
            ("enumerate(DataPipe)#MapperIterDataPipe", Category::Loader),
            ("enumerate(x)", Category::Operator),
            ("nccl:all_reduce", Category::Communication),
            ("gloo:all_reduce", Category::Communication),
            ("Optimizer.step#SGD.step", Category::Annotation),
            ("[pl][profile]run_training_batch", Category::Annotation),
            ("aten::add", Category::Operator),
            ("", Category::Operator),
        ] {
            assert_eq!(by_name(name, Category::Operator), category, "{name}");
        }
        assert_eq!(parse_step("ProfilerStep#99999999999999999999"), None);
        for (name, number) in [
            ("train", Some(NamedStep::Unnumbered)),
            ("train ", Some(NamedStep::Unnumbered)),
            ("train#12", Some(NamedStep::Numbered(12))),
            ("train 7", Some(NamedStep::Numbered(7))),
            ("train_7", Some(NamedStep::Numbered(7))),
            ("train7", Some(NamedStep::Numbered(7))),
            ("train#", None),
            ("training", None),
            ("train#1a", None),
            ("train#+1", None),
            ("a train", None),
        ] {
            assert_eq!(parse_named_step(name, "train"), number, "{name}");
        }
        let single = loader("enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__").unwrap();
        assert_eq!((single.kind, single.class, single.num_workers), ("next", "_SingleProcessDataLoaderIter", Some(0)));
        let multi = loader("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__").unwrap();
        assert_eq!(multi.num_workers, None);
        assert_eq!(memory_device(Some(6), Some(1)).as_deref(), Some("gpu1"));
        assert_eq!(memory_device(Some(0), Some(-1)).as_deref(), Some("cpu"));
        assert_eq!(memory_device(Some(20), Some(2)).as_deref(), Some("type20_2"));
    }
}
