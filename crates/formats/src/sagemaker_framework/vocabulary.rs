//! The words of the hook: which phase means what.
//!
//! A phase is a row of the timeline, declared by a `process_name` event; the phases of PyTorch and
//! TensorFlow are a closed set, those of Horovod are the names of tensors.

use super::name::Kind;
use crate::table::{Category, Mode};

/// What the events of a phase are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Meaning {
    pub(super) category: Category,
    /// Device they ran on.
    pub(super) device: Option<String>,
    /// What they are in `loader`.
    pub(super) loader: Option<Loader>,
}

/// Kinds of `loader` rows that the hook knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loader {
    /// A loader was set up.
    Init,
    /// The training process got a batch.
    Next,
    /// The life of a worker process.
    Worker,
}

impl Loader {
    /// The word in column `kind`.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Next => "next",
            Self::Worker => "worker",
        }
    }
}

impl Meaning {
    /// Events of a phase that was never declared.
    pub(super) fn unknown(kind: Kind) -> Self {
        Self::of("", kind)
    }

    /// What the events of this phase are.
    pub(super) fn of(phase: &str, kind: Kind) -> Self {
        let plain = |category| Self { category, device: None, loader: None };
        let loader = |loader| Self { category: Category::Loader, device: None, loader };
        match kind {
            Kind::Horovod | Kind::DataParallel => return plain(Category::Communication),
            Kind::TensorFlow => return tensorflow(phase),
            Kind::Python | Kind::Model | Kind::Other => {}
        }
        match phase {
            "cpu_functions" => Self { category: Category::Operator, device: Some("cpu".into()), loader: None },
            "Forward-SubModuleInternal" | "Backward-SubModuleInternal" => plain(Category::Module),
            "DataLoaderIterInitialize" => loader(Some(Loader::Init)),
            "DataLoaderIter" | "DataLoaderIter::GetNext" => loader(Some(Loader::Next)),
            "DataLoaderWorker" => loader(Some(Loader::Worker)),
            "DataIterator" | "Dataset" => loader(None),
            "NcclManager" => plain(Category::Communication),
            _ if phase.starts_with("Forward") || phase.starts_with("Backward") => plain(Category::Phase),
            _ if phase.starts_with("DataLoader") => loader(None),
            _ => match phase.strip_prefix("gpu_functions") {
                Some(dev) => Self {
                    category: Category::Kernel,
                    device: number_at_end(dev).map(|n| format!("gpu{n}")),
                    loader: None,
                },
                None => plain(Category::Other),
            },
        }
    }
}

/// Phases of the TensorFlow profiler: `/host:CPU`, `/device:GPU:0`.
fn tensorflow(phase: &str) -> Meaning {
    let (category, device) = if phase.contains("device:GPU") {
        let number = phase.split("device:GPU").nth(1).and_then(|rest| {
            let rest = rest.trim_start_matches(':');
            let end = rest.find(|char: char| !char.is_ascii_digit()).unwrap_or(rest.len());
            rest[..end].parse::<u32>().ok()
        });
        (Category::Kernel, number.map(|n| format!("gpu{n}")))
    } else if phase.contains("host:CPU") || phase.contains("device:CPU") {
        (Category::Operator, Some("cpu".into()))
    } else {
        (Category::Other, None)
    };
    Meaning { category, device, loader: None }
}

fn number_at_end(text: &str) -> Option<u32> {
    let start = text.trim_end_matches(|char: char| char.is_ascii_digit()).len();
    text[start..].parse().ok()
}

/// What an event is: its phase decides unless its own name says more.
pub(super) fn category(kind: Kind, meaning: &Meaning, name: &str, thread: Option<&str>) -> Category {
    if name.starts_with(STEP) {
        return Category::Step;
    }
    match (kind, meaning.category) {
        (Kind::TensorFlow, Category::Kernel) => match thread {
            Some("TensorFlow Ops" | "XLA Ops") => Category::Operator,
            Some("TensorFlow Name Scope") => Category::Annotation,
            Some("Steps" | "XLA Modules") => Category::Other,
            _ if contains_word(name, b"memcpy") => Category::Memcpy,
            _ if contains_word(name, b"memset") => Category::Memset,
            _ => Category::Kernel,
        },
        (Kind::TensorFlow, Category::Operator)
            if thread.is_some_and(|thread| thread.starts_with("tf_data"))
                || name.starts_with("Iterator::")
                || name.starts_with("IteratorGetNext") =>
        {
            Category::Loader
        }
        (_, category) => category,
    }
}

/// What an event is in `loader`, by its phase or its own name.
pub(super) fn loader(meaning: &Meaning, name: &str) -> Option<Loader> {
    match name {
        _ if meaning.loader.is_some() => meaning.loader,
        // the op in which a TensorFlow training process waits for its next batch
        "IteratorGetNextOp::DoCompute" => Some(Loader::Next),
        _ if name.contains("DataLoaderIter::GetNext") => Some(Loader::Next),
        _ => None,
    }
}

/// How the name of a step mark begins.
const STEP: &str = "Step:ModeKeys.";

/// The mode of a step mark such as `Step:ModeKeys.TRAIN`.
pub(super) fn step_mode(name: &str) -> Option<Mode> {
    match name.strip_prefix(STEP)? {
        "TRAIN" => Some(Mode::Train),
        "EVAL" => Some(Mode::Eval),
        "PREDICT" => Some(Mode::Predict),
        "GLOBAL" => Some(Mode::Global),
        _ => None,
    }
}

fn contains_word(text: &str, lower: &[u8]) -> bool {
    text.as_bytes().windows(lower.len()).any(|part| part.eq_ignore_ascii_case(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_the_hook() {
        for (phase, category, device) in [
            ("Forward", Category::Phase, None),
            ("Backward(post-forward)", Category::Phase, None),
            ("Forward-SubModuleInternal", Category::Module, None),
            ("cpu_functions", Category::Operator, Some("cpu")),
            ("gpu_functions-dev:3", Category::Kernel, Some("gpu3")),
            ("DataLoaderWorker", Category::Loader, None),
            ("DataIterator", Category::Loader, None),
            ("NcclManager", Category::Communication, None),
            ("Step:ModeKeys.TRAIN", Category::Other, None),
            ("", Category::Other, None),
        ] {
            let meaning = Meaning::of(phase, Kind::Python);
            assert_eq!((meaning.category, meaning.device.as_deref()), (category, device), "{phase}");
        }
        assert_eq!(Meaning::of("Adam_Allreduce/x", Kind::Horovod).category, Category::Communication);
    }

    #[test]
    fn events_of_the_tensorflow_profiler() {
        let ask = |phase, name, thread| {
            let meaning = Meaning::of(phase, Kind::TensorFlow);
            (category(Kind::TensorFlow, &meaning, name, thread), meaning.device.unwrap_or_default())
        };
        assert_eq!(ask("/device:GPU:12", "MatMul", None), (Category::Kernel, "gpu12".into()));
        assert_eq!(ask("/device:GPU:0 (A100)", "MemcpyH2D", None), (Category::Memcpy, "gpu0".into()));
        assert_eq!(ask("/device:GPU:0", "MatMul", Some("TensorFlow Ops")).0, Category::Operator);
        assert_eq!(ask("/host:CPU", "MatMul", Some("tf_Compute")), (Category::Operator, "cpu".into()));
        assert_eq!(ask("/host:CPU", "x", Some("tf_data_iterator_get_next")).0, Category::Loader);
        assert_eq!(ask("/host:metadata", "x", None), (Category::Other, String::new()));
    }

    #[test]
    fn names_say_more_than_phases() {
        let other = Meaning::unknown(Kind::Python);
        assert_eq!(category(Kind::Python, &other, "Step:ModeKeys.EVAL", None), Category::Step);
        assert_eq!(step_mode("Step:ModeKeys.GLOBAL"), Some(Mode::Global));
        assert_eq!(step_mode("Step:ModeKeys.NEW"), None);
        assert_eq!(category(Kind::Python, &other, "Step:ModeKeys.NEW", None), Category::Step);
        assert_eq!(category(Kind::Python, &other, "Step", None), Category::Other);
        assert_eq!(loader(&other, "DataLoaderIter::GetNext"), Some(Loader::Next));
        assert_eq!(loader(&other, "IteratorGetNextOp::DoCompute"), Some(Loader::Next));
        assert_eq!(loader(&other, "dataset::GetNext"), None);
    }
}
