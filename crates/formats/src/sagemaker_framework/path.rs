//! What the paths of framework files contain: kind, host, process, and the time base of TensorFlow traces.
//!
//! A timeline is called `<end_us>_<number>-<host>_<suffix>.json`. The number is the rank of the process if the job was
//! distributed, else its process id. Only the names of all files together show which one it is. A trace of the
//! TensorFlow profiler contains neither its host nor its time base. The name of an empty `.metadata` file next to it
//! has both.

use std::collections::BTreeSet;

use crate::number::is_digits;
use crate::{Siblings, file_name, python_stats};

/// The writer of a file.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimelineKind {
    /// The hook in Python.
    Python,
    /// The C++ part of the AWS build of TensorFlow.
    Model,
    /// Horovod, copied by the hook.
    Horovod,
    /// SageMaker's distributed data parallel library.
    DataParallel,
    /// The TensorFlow profiler.
    TensorFlow,
    /// Another writer of the same layout.
    #[default]
    Other,
}

impl TimelineKind {
    const SUFFIXES: [(&str, Self); 4] = [
        ("pythontimeline", Self::Python),
        ("model_timeline", Self::Model),
        ("horovod_timeline", Self::Horovod),
        ("smdataparallel_timeline", Self::DataParallel),
    ];
}

/// The parts of a timeline's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TimelineName {
    pub(super) kind: TimelineKind,
    /// `raw_category` of its events.
    pub(super) category: String,
    pub(super) host: Option<String>,
    /// Rank or process id.
    pub(super) number: Option<i64>,
}

impl TimelineName {
    /// Parses the name of a timeline. Parts that it lacks are `None`.
    pub(super) fn parse(file: &str) -> Self {
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let stem = stem.strip_suffix(".json").unwrap_or(stem);
        let mut suffixes = TimelineKind::SUFFIXES.iter();
        let known = suffixes.find_map(|(suffix, kind)| Some((stem.strip_suffix(suffix)?, *suffix, *kind)));
        // another suffix of one or two words: `foo`, `foo_timeline`
        let other = || {
            let timeline = stem.strip_suffix("_timeline").and_then(|front| front.rfind('_'));
            let separator = timeline.or_else(|| stem.rfind('_'))?;
            Some((&stem[..=separator], &stem[separator + 1..], TimelineKind::Other))
        };
        let (front, suffix, kind) = known.or_else(other).unwrap_or_default();
        let category = match kind {
            TimelineKind::Horovod => "horovod",
            TimelineKind::DataParallel => "smdataparallel",
            _ => suffix,
        };
        let (host, number) = front
            .strip_suffix('_')
            .and_then(|front| front.split_once('_'))
            .filter(|(end_us, _)| is_digits(end_us))
            .map_or((None, None), |(_, node)| split_node(node.split('_').next().unwrap_or(node)));
        Self { kind, category: category.to_owned(), host, number }
    }
}

/// Splits a node such as `151-algo-1` into host and number, `algo-1` and 151. Without a number, all of it is the host.
pub(crate) fn split_node(node: &str) -> (Option<String>, Option<i64>) {
    let split = node.split_once('-').filter(|(number, host)| is_digits(number) && !host.is_empty());
    match split.and_then(|(number, host)| Some((number.parse().ok()?, host))) {
        Some((number, host)) => (Some(host.to_owned()), Some(number)),
        None => (Some(node.to_owned()).filter(|node| !node.is_empty()), None),
    }
}

/// Whether the path is that of a timeline.
pub(super) fn is_timeline(path: &str) -> bool {
    path.contains("pevents/")
        && path.split('/').rev().skip(1).any(|folder| folder == "pevents")
        && path.strip_suffix(".gz").unwrap_or(path).strip_suffix(".json").is_some()
}

/// Whether the path is that of a trace of the TensorFlow profiler.
pub(super) fn is_tensorflow_trace(path: &str) -> bool {
    path.contains("tensorflow/detailed_profiling/") && path.ends_with(".trace.json.gz")
}

/// A process, as the names of all files of a profile identify it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimelineProcess {
    /// The number in the name, if it is the rank.
    pub(super) rank: Option<i64>,
    /// The number in the name, if it is the process id.
    pub(super) pid: Option<i64>,
    /// Ordinal of the process on its host if ranks are unknown, else 0.
    pub(super) span: i64,
}

/// Number and host of each process in the names of the timelines and Python profiles among these files.
pub(crate) fn processes<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeSet<(i64, String)> {
    let names = paths.filter_map(|path| {
        if is_timeline(path) {
            let name = TimelineName::parse(file_name(path));
            Some((name.host, name.number))
        } else {
            python_stats::process(path)
        }
    });
    names.filter_map(|(host, number)| number.zip(host)).collect()
}

/// Identifies a process by its host and number, if it has both.
///
/// Numbers are ranks if the profile has n processes and each of 0..n-1 is the number of exactly one of them. Else they
/// are process ids.
pub(super) fn identify_process(host: Option<&str>, number: Option<i64>, siblings: &Siblings) -> TimelineProcess {
    let processes = siblings.processes();
    let (Some(number), Some(host)) = (number, host) else { return TimelineProcess::default() };
    if (0..).zip(processes).all(|(expected, (number, _))| *number == expected)
        && processes.contains(&(number, host.to_owned()))
    {
        return TimelineProcess { rank: Some(number), ..TimelineProcess::default() };
    }
    let earlier = processes.iter().filter(|(other, other_host)| other_host == host && *other < number).count();
    TimelineProcess { rank: None, pid: Some(number), span: i64::try_from(earlier).unwrap_or(0) }
}

/// The rank of a process, if its number is one.
pub(crate) fn find_rank(host: Option<&str>, number: Option<i64>, siblings: &Siblings) -> Option<i64> {
    identify_process(host, number, siblings).rank
}

/// What the names of the files around a TensorFlow trace contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TraceRecording {
    pub(super) host: Option<String>,
    /// Start in us since the epoch, as text; `None` if no file has it, or if files disagree.
    pub(super) start_us: Option<String>,
    /// The process with the number as process id. Its span is the ordinal of the recording on the host.
    pub(super) process: TimelineProcess,
}

/// Looks for the `.metadata` file of the trace at `path`.
///
/// The start is unknown if several files have different starts: it is unclear which file belongs to the trace, and
/// clock offsets are never guessed.
pub(super) fn find_recording(path: &str, siblings: &Siblings) -> TraceRecording {
    let file = file_name(path);
    let own_host = file.split('.').next().filter(|host| !host.is_empty()).map(str::to_owned);
    // <folder>/plugins/profile/<time>/<host>.trace.json.gz
    let folder = path.rsplitn(5, '/').nth(4);
    let mut metadata: Vec<(Option<String>, Option<i64>, &str)> = siblings
        .iter()
        .filter(|sibling| {
            folder.is_some_and(|folder| sibling.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        })
        .filter_map(|sibling| {
            let stem = file_name(sibling).strip_suffix(".metadata")?;
            let (rest, _end_us) = stem.rsplit_once('_')?;
            let (node, start_us) = rest.rsplit_once('_')?;
            let (host, number) = split_node(node);
            is_digits(start_us).then_some((host, number, start_us))
        })
        .collect();
    if metadata.iter().any(|(host, ..)| *host == own_host) {
        metadata.retain(|(host, ..)| *host == own_host);
    }
    let start_us = metadata.first().map(|(_, _, start)| *start);
    let is_unique = metadata.iter().all(|(_, _, start)| Some(*start) == start_us);
    let (host, number) = match metadata.as_slice() {
        [(host, number, _)] => (host.clone(), *number),
        _ => (own_host, None),
    };
    let earlier =
        siblings.iter().filter(|sibling| is_tensorflow_trace(sibling) && *sibling < path && file_name(sibling) == file);
    TraceRecording {
        host,
        start_us: start_us.filter(|_| is_unique).map(str::to_owned),
        process: TimelineProcess { rank: None, pid: number, span: i64::try_from(earlier.count()).unwrap_or(0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str) -> (TimelineKind, String, Option<String>, Option<i64>) {
        let name = TimelineName::parse(file);
        (name.kind, name.category, name.host, name.number)
    }

    #[test]
    fn names_of_timelines_are_parsed() {
        let host = |host: &str| Some(host.to_owned());
        for (file, kind, category, node, number) in [
            ("160_151-algo-1_pythontimeline.json", TimelineKind::Python, "pythontimeline", host("algo-1"), Some(151)),
            (
                "160_905-b88ab1bb8259_model_timeline.json",
                TimelineKind::Model,
                "model_timeline",
                host("b88ab1bb8259"),
                Some(905),
            ),
            (
                "160_88359-8c.ant.amazon.com_horovod_timeline.json",
                TimelineKind::Horovod,
                "horovod",
                host("8c.ant.amazon.com"),
                Some(88359),
            ),
            (
                "160_0-algo-2_smdataparallel_timeline.json",
                TimelineKind::DataParallel,
                "smdataparallel",
                host("algo-2"),
                Some(0),
            ),
            (
                "1589930988000000_4487_0000_pythontimeline.json",
                TimelineKind::Python,
                "pythontimeline",
                host("4487"),
                None,
            ),
            ("1590461139949971_0001_model_timeline.json", TimelineKind::Model, "model_timeline", host("0001"), None),
            ("160_1-algo-1_foo_timeline.json", TimelineKind::Other, "foo_timeline", host("algo-1"), Some(1)),
            ("160_algo-1_foo.json", TimelineKind::Other, "foo", host("algo-1"), None),
            ("123-pythontimeline.json", TimelineKind::Python, "pythontimeline", None, None),
            ("x.json", TimelineKind::Other, "", None, None),
        ] {
            assert_eq!(parse(file), (kind, category.to_owned(), node, number), "{file}");
        }
    }

    #[test]
    fn numbers_are_ranks_if_they_are_consecutive() {
        let identify = |files: &[&str]| {
            let paths = files.iter().map(|f| format!("framework/pevents/1/9_{f}_pythontimeline.json"));
            let name = TimelineName::parse(&format!("9_{}_pythontimeline.json", files[0]));
            identify_process(name.host.as_deref(), name.number, &paths.collect())
        };
        let rank = |rank| TimelineProcess { rank: Some(rank), ..TimelineProcess::default() };
        let pid = |pid, span| TimelineProcess { rank: None, pid: Some(pid), span };
        assert_eq!(identify(&["0-algo-1"]), rank(0));
        assert_eq!(identify(&["1-algo-2", "0-algo-1", "0-algo-1"]), rank(1));
        assert_eq!(identify(&["1-algo-1"]), pid(1, 0));
        assert_eq!(identify(&["152-algo-1", "151-algo-1", "150-algo-2"]), pid(152, 1));
        // two machines cannot both have rank 0
        assert_eq!(identify(&["0-algo-1", "0-algo-2"]), pid(0, 0));
        assert_eq!(identify(&["algo-1"]), TimelineProcess::default());
    }

    #[test]
    fn traces_have_the_start_in_their_metadata_file() {
        let root = "framework/tensorflow/detailed_profiling/2020/000000005";
        let trace = format!("{root}/plugins/profile/t/ip-1.trace.json.gz");
        let find = |metadata: &[&str]| {
            let mut siblings: Vec<String> = metadata.iter().map(|m| format!("{root}/{m}")).collect();
            siblings.push(trace.clone());
            let r = find_recording(&trace, &siblings.into_iter().collect());
            (r.host.unwrap_or_default(), r.start_us.unwrap_or_default(), r.process.pid)
        };
        let expect = |host: &str, start: &str, number| (host.to_owned(), start.to_owned(), number);
        assert_eq!(find(&["80807-8c.ant_17_18.metadata"]), expect("8c.ant", "17", Some(80807)));
        assert_eq!(find(&[]), expect("ip-1", "", None));
        assert_eq!(find(&["0-a_17_18.metadata", "1-b_17_19.metadata"]), expect("ip-1", "17", None));
        assert_eq!(find(&["0-a_17_18.metadata", "1-b_16_19.metadata"]), expect("ip-1", "", None));
        assert_eq!(find(&["0-a_17_18.metadata", "1-ip-1_16_19.metadata"]), expect("ip-1", "16", Some(1)));
        assert_eq!(find(&["nonsense.metadata"]), expect("ip-1", "", None));
    }
}
