//! The words of the profiler: what a category and a name say an event is.
//!
//! Categories changed over the years (`Operator` became `cpu_op`), and annotations stand among operators in
//! some versions. So annotations are told by name, everything else by category, in any case.

use crate::table::Category;

/// Where an event happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// On a processor, in a thread.
    Host,
    /// On a device of this kind, in a stream.
    Device(&'static str),
    /// Not told.
    Unknown,
}

/// What the category of an event says.
#[inline]
pub(super) fn meaning(raw: &str) -> (Category, Side) {
    match raw {
        "cpu_op" | "Operator" => (Category::Operator, Side::Host),
        "user_annotation" => (Category::Annotation, Side::Host),
        "python_function" => (Category::Python, Side::Host),
        "cuda_runtime" => (Category::Runtime, Side::Host),
        "kernel" => (Category::Kernel, Side::Device("gpu")),
        "gpu_memcpy" => (Category::Memcpy, Side::Device("gpu")),
        "gpu_memset" => (Category::Memset, Side::Device("gpu")),
        _ => rare(&raw.to_ascii_lowercase()),
    }
}

#[cold]
fn rare(raw: &str) -> (Category, Side) {
    match raw {
        "cpu_op" | "operator" => (Category::Operator, Side::Host),
        "user_annotation" => (Category::Annotation, Side::Host),
        "gpu_user_annotation" => (Category::Annotation, Side::Device("gpu")),
        "kernel" => (Category::Kernel, Side::Device("gpu")),
        "memcpy" | "gpu_memcpy" => (Category::Memcpy, Side::Device("gpu")),
        "memset" | "gpu_memset" => (Category::Memset, Side::Device("gpu")),
        "cuda_sync" => (Category::Sync, Side::Device("gpu")),
        "cuda_profiler_range" => (Category::Other, Side::Device("gpu")),
        "mtia_ccp_events" | "mtia_workloadd" | "mtia_insight" => (Category::Other, Side::Device("mtia")),
        "overhead" => (Category::Overhead, Side::Host),
        // the last is what viztracer calls a function's entry and exit
        "python" | "python_function" | "fee" => (Category::Python, Side::Host),
        "memory" => (Category::Memory, Side::Unknown),
        _ if raw == "runtime" || raw.ends_with("_runtime") => (Category::Runtime, Side::Host),
        _ if raw == "driver" || raw.ends_with("_driver") => (Category::Driver, Side::Host),
        _ => (Category::Other, Side::Unknown),
    }
}

/// Whether only the PyTorch profiler writes this category.
pub(super) fn is_kineto(raw: &str) -> bool {
    const WORDS: &[&str] = &[
        "cpu_op",
        "operator",
        "user_annotation",
        "gpu_user_annotation",
        "python_function",
        "cuda_runtime",
        "cuda_driver",
        "cuda_sync",
        "cuda_profiler_range",
        "gpu_memcpy",
        "gpu_memset",
        "cpu_instant_event",
        "ac2g",
        "fwdbwd",
        "async_cpu_to_gpu",
    ];
    WORDS.iter().any(|word| raw.eq_ignore_ascii_case(word)) || raw.starts_with("mtia_") || raw.starts_with("xpu_")
}

/// What the name of a host event says where categories lie.
#[inline]
pub(crate) fn by_name(name: &str, category: Category) -> Category {
    let by_name = match name.as_bytes() {
        [b'P', ..] => step(name).map(|_| Category::Step),
        [b'e', ..] => loader(name).map(|_| Category::Loader),
        [b'n' | b'g', ..] if name.starts_with("nccl:") || name.starts_with("gloo:") => Some(Category::Communication),
        [b'O', ..] if name.starts_with("Optimizer.") => Some(Category::Annotation),
        [b'D', ..] if name == "DistributedDataParallel.forward" || name == "DataParallel.forward" => {
            Some(Category::Annotation)
        }
        [b'[', ..] if name.starts_with("[pl]") => Some(Category::Annotation),
        _ => None,
    };
    by_name.unwrap_or(category)
}

/// The number of a step mark: `ProfilerStep#12`, with blanks around the `#` allowed.
pub(super) fn step(name: &str) -> Option<i64> {
    let rest = name.strip_prefix("ProfilerStep")?.trim_start().strip_prefix('#')?.trim_start();
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..digits].parse().ok()
}

/// A step mark that the user named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// With its number: `train_step#12`, `train_step 12`.
    Numbered(i64),
    /// The name alone.
    Unnumbered,
}

/// Whether this is the step mark that the user named.
pub(crate) fn named_step(name: &str, annotation: &str) -> Option<Named> {
    let rest = name.strip_prefix(annotation)?;
    let digits = rest.trim_start_matches([' ', '#', '_', '-', ':', '=']);
    if digits.is_empty() {
        return rest.trim().is_empty().then_some(Named::Unnumbered);
    }
    digits.parse().ok().filter(|_| digits.bytes().all(|byte| byte.is_ascii_digit())).map(Named::Numbered)
}

/// What the mark of a data loader says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Loader<'a> {
    /// Kind of row in `loader`.
    pub(crate) kind: &'static str,
    /// Class of the iterator, or name of the pipe.
    pub(crate) class: &'a str,
    /// Known only where the class has none.
    pub(crate) num_workers: Option<i64>,
}

/// Reads `enumerate(DataLoader)#<class>.__next__` and `enumerate(DataPipe)#<name>`.
pub(crate) fn loader(name: &str) -> Option<Loader<'_>> {
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
    Some(Loader { kind, class, num_workers })
}

/// Whether the id of a flow of this category ties a launch to its work on the device.
pub(super) fn is_launch(raw: &str) -> bool {
    matches!(raw, "ac2g" | "async" | "async_cpu_to_gpu")
}

/// The device that an allocator's event names by c10's number of its type.
pub(super) fn memory_device(kind: Option<i64>, id: Option<i64>) -> Option<String> {
    let kind = match kind? {
        0 => return Some("cpu".to_owned()),
        // CUDA and HIP
        1 | 6 => "gpu".to_owned(),
        9 => "xla".to_owned(),
        12 => "xpu".to_owned(),
        other => format!("type{other}_"),
    };
    Some(format!("{kind}{}", id?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_of_all_ages() {
        use Category::{Annotation, Driver, Kernel, Memcpy, Operator, Other, Runtime, Sync};
        let gpu = Side::Device("gpu");
        for (raw, expected) in [
            ("cpu_op", (Operator, Side::Host)),
            ("OPERATOR", (Operator, Side::Host)),
            ("Kernel", (Kernel, gpu)),
            ("Memcpy", (Memcpy, gpu)),
            ("gpu_user_annotation", (Annotation, gpu)),
            ("Runtime", (Runtime, Side::Host)),
            ("privateuse1_runtime", (Runtime, Side::Host)),
            ("xpu_driver", (Driver, Side::Host)),
            ("cuda_sync", (Sync, gpu)),
            ("mtia_ccp_events", (Other, Side::Device("mtia"))),
            ("Trace", (Other, Side::Unknown)),
        ] {
            assert_eq!(meaning(raw), expected, "{raw}");
        }
    }

    #[test]
    fn annotations_are_told_by_name() {
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
        assert_eq!(step("ProfilerStep#99999999999999999999"), None);
        for (name, number) in [
            ("train", Some(Named::Unnumbered)),
            ("train ", Some(Named::Unnumbered)),
            ("train#12", Some(Named::Numbered(12))),
            ("train 7", Some(Named::Numbered(7))),
            ("train_7", Some(Named::Numbered(7))),
            ("train7", Some(Named::Numbered(7))),
            ("train#", None),
            ("training", None),
            ("train#1a", None),
            ("train#+1", None),
            ("a train", None),
        ] {
            assert_eq!(named_step(name, "train"), number, "{name}");
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
