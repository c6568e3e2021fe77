//! The vocabulary of the hook: the meaning of phases and names.
//!
//! A phase is a row of the timeline, which a `process_name` event declares. The phases of PyTorch and TensorFlow are a
//! fixed set. Those of Horovod are the names of tensors.

use super::path::TimelineKind;
use crate::number::leading_number;
use crate::table::{Category, Mode};

/// The meaning of the events of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PhaseMeaning {
    pub(super) category: Category,
    /// The device of the events.
    pub(super) device: Option<String>,
    /// What the events are in table `loader`, as in its column `kind`: `init` if a loader was set up, `next` if the
    /// training process fetched a batch, `worker` for the lifetime of a worker process.
    pub(super) loader: Option<&'static str>,
}

impl Default for PhaseMeaning {
    fn default() -> Self {
        Self::new("", TimelineKind::Other)
    }
}

impl PhaseMeaning {
    /// The meaning of a phase. The phase of events without a declared phase is empty.
    pub(super) fn new(phase: &str, kind: TimelineKind) -> Self {
        let device = |number: Option<u32>| number.map(|number| format!("gpu{number}"));
        let (category, device, loader) = match phase {
            _ if matches!(kind, TimelineKind::Horovod | TimelineKind::DataParallel) => {
                (Category::Communication, None, None)
            }
            // phases of the TensorFlow profiler: `/host:CPU`, `/device:GPU:0`
            _ if kind == TimelineKind::TensorFlow => match phase.split_once("device:GPU") {
                Some((_, number)) => (Category::Kernel, device(leading_number(number.trim_start_matches(':'))), None),
                None if phase.contains("host:CPU") || phase.contains("device:CPU") => {
                    (Category::Operator, Some("cpu".into()), None)
                }
                None => (Category::Other, None, None),
            },
            "cpu_functions" => (Category::Operator, Some("cpu".into()), None),
            "Forward-SubModuleInternal" | "Backward-SubModuleInternal" => (Category::Module, None, None),
            "DataLoaderIterInitialize" => (Category::Loader, None, Some("init")),
            "DataLoaderIter" | "DataLoaderIter::GetNext" => (Category::Loader, None, Some("next")),
            "DataLoaderWorker" => (Category::Loader, None, Some("worker")),
            "DataIterator" | "Dataset" => (Category::Loader, None, None),
            "NcclManager" => (Category::Communication, None, None),
            _ if phase.starts_with("Forward") || phase.starts_with("Backward") => (Category::Phase, None, None),
            _ if phase.starts_with("DataLoader") => (Category::Loader, None, None),
            _ => match phase.strip_prefix("gpu_functions") {
                Some(dev) => {
                    let number = dev.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                    (Category::Kernel, device(dev[number..].parse().ok()), None)
                }
                None => (Category::Other, None, None),
            },
        };
        Self { category, device, loader }
    }
}

/// The category of an event: that of its phase, unless its name or thread is more specific.
pub(super) fn classify_event(kind: TimelineKind, meaning: &PhaseMeaning, name: &str, thread: Option<&str>) -> Category {
    if name.starts_with(STEP_PREFIX) {
        return Category::Step;
    }
    match (kind, meaning.category) {
        (TimelineKind::TensorFlow, Category::Kernel) => match thread {
            Some("TensorFlow Ops" | "XLA Ops") => Category::Operator,
            Some("TensorFlow Name Scope") => Category::Annotation,
            Some("Steps" | "XLA Modules") => Category::Other,
            _ if contains_ignoring_case(name, b"memcpy") => Category::Memcpy,
            _ if contains_ignoring_case(name, b"memset") => Category::Memset,
            _ => Category::Kernel,
        },
        (TimelineKind::TensorFlow, Category::Operator)
            if thread.is_some_and(|thread| thread.starts_with("tf_data"))
                || name.starts_with("Iterator::")
                || name.starts_with("IteratorGetNext") =>
        {
            Category::Loader
        }
        (_, category) => category,
    }
}

/// Whether the events of a phase come from PyTorch's autograd profiler.
pub(super) fn is_autograd_phase(phase: &str) -> bool {
    phase == "cpu_functions" || phase.starts_with("gpu_functions")
}

/// What an event is in table `loader`, by its phase, else by its name.
pub(super) fn loader_kind(meaning: &PhaseMeaning, name: &str) -> Option<&'static str> {
    // in this operator a TensorFlow training process waits for its next batch
    let is_next = || name == "IteratorGetNextOp::DoCompute" || name.contains("DataLoaderIter::GetNext");
    meaning.loader.or_else(|| is_next().then_some("next"))
}

/// The prefix of the name of a step mark.
const STEP_PREFIX: &str = "Step:ModeKeys.";

/// The mode of a step mark such as `Step:ModeKeys.TRAIN`.
pub(super) fn step_mode(name: &str) -> Option<Mode> {
    match name.strip_prefix(STEP_PREFIX)? {
        "TRAIN" => Some(Mode::Train),
        "EVAL" => Some(Mode::Eval),
        "PREDICT" => Some(Mode::Predict),
        "GLOBAL" => Some(Mode::Global),
        _ => None,
    }
}

fn contains_ignoring_case(text: &str, lowercase: &[u8]) -> bool {
    text.as_bytes().windows(lowercase.len()).any(|part| part.eq_ignore_ascii_case(lowercase))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_of_the_hook_have_meanings() {
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
            let meaning = PhaseMeaning::new(phase, TimelineKind::Python);
            assert_eq!((meaning.category, meaning.device.as_deref()), (category, device), "{phase}");
        }
        assert_eq!(PhaseMeaning::new("Adam_Allreduce/x", TimelineKind::Horovod).category, Category::Communication);
    }

    #[test]
    fn tensorflow_events_are_classified() {
        let classify = |phase, name, thread| {
            let meaning = PhaseMeaning::new(phase, TimelineKind::TensorFlow);
            (classify_event(TimelineKind::TensorFlow, &meaning, name, thread), meaning.device.unwrap_or_default())
        };
        assert_eq!(classify("/device:GPU:12", "MatMul", None), (Category::Kernel, "gpu12".into()));
        assert_eq!(classify("/device:GPU:0 (A100)", "MemcpyH2D", None), (Category::Memcpy, "gpu0".into()));
        assert_eq!(classify("/device:GPU:0", "MatMul", Some("TensorFlow Ops")).0, Category::Operator);
        assert_eq!(classify("/host:CPU", "MatMul", Some("tf_Compute")), (Category::Operator, "cpu".into()));
        assert_eq!(classify("/host:CPU", "x", Some("tf_data_iterator_get_next")).0, Category::Loader);
        assert_eq!(classify("/host:metadata", "x", None), (Category::Other, String::new()));
    }

    #[test]
    fn names_take_precedence_over_phases() {
        let other = PhaseMeaning::new("", TimelineKind::Python);
        assert_eq!(classify_event(TimelineKind::Python, &other, "Step:ModeKeys.EVAL", None), Category::Step);
        assert_eq!(step_mode("Step:ModeKeys.GLOBAL"), Some(Mode::Global));
        assert_eq!(step_mode("Step:ModeKeys.NEW"), None);
        assert_eq!(classify_event(TimelineKind::Python, &other, "Step:ModeKeys.NEW", None), Category::Step);
        assert_eq!(classify_event(TimelineKind::Python, &other, "Step", None), Category::Other);
        assert_eq!(loader_kind(&other, "DataLoaderIter::GetNext"), Some("next"));
        assert_eq!(loader_kind(&other, "IteratorGetNextOp::DoCompute"), Some("next"));
        assert_eq!(loader_kind(&other, "dataset::GetNext"), None);
    }
}
