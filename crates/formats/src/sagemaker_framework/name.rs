//! What the paths of framework files say: kind, machine, process, and the time base of TensorFlow traces.
//!
//! A timeline is called `<end_us>_<number>-<host>_<suffix>.json`. The number is the rank of the process
//! if the job was distributed, else its process id; only the names of all files together can tell. The
//! trace of the TensorFlow profiler has neither a node nor a time base inside: both stand in the name of
//! an empty `.metadata` file beside it.

use std::collections::BTreeSet;

use crate::{Siblings, python_stats};

/// What wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The hook in Python.
    Python,
    /// The C++ side of the AWS build of TensorFlow.
    Model,
    /// Horovod, copied by the hook.
    Horovod,
    /// SageMaker's distributed data parallel library.
    DataParallel,
    /// The TensorFlow profiler.
    TensorFlow,
    /// Some other writer of the same layout.
    Other,
}

impl Kind {
    const SUFFIXES: [(&str, Self); 4] = [
        ("pythontimeline", Self::Python),
        ("model_timeline", Self::Model),
        ("horovod_timeline", Self::Horovod),
        ("smdataparallel_timeline", Self::DataParallel),
    ];
}

/// The parts of a framework file's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) kind: Kind,
    /// `raw_category` of its events.
    pub(super) category: String,
    /// Machine.
    pub(super) host: Option<String>,
    /// Rank or process id.
    pub(super) number: Option<i64>,
}

impl Name {
    /// Reads the name of a timeline. What it does not say is none.
    pub(super) fn parse(file: &str) -> Self {
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let stem = stem.strip_suffix(".json").unwrap_or(stem);
        let known = Kind::SUFFIXES.iter().find_map(|(suffix, kind)| Some((stem.strip_suffix(suffix)?, *suffix, *kind)));
        // another suffix of one or two words: `foo`, `foo_timeline`
        let other = || {
            let timeline = stem.strip_suffix("_timeline").and_then(|front| front.rfind('_'));
            let at = timeline.or_else(|| stem.rfind('_'))?;
            Some((&stem[..=at], &stem[at + 1..], Kind::Other))
        };
        let (front, category, kind) = known.or_else(other).unwrap_or(("", "", Kind::Other));
        let category = match kind {
            Kind::Horovod => "horovod",
            Kind::DataParallel => "smdataparallel",
            _ => category,
        };
        let (host, number) = front
            .strip_suffix('_')
            .and_then(|front| front.split_once('_'))
            .filter(|(end_us, _)| is_number(end_us))
            .map_or((None, None), |(_, node)| split_node(node.split('_').next().unwrap_or(node)));
        Self { kind, category: category.to_owned(), host, number }
    }
}

/// `151-algo-1` is process or rank 151 on algo-1; without a leading number all of it is the machine.
pub(crate) fn split_node(node: &str) -> (Option<String>, Option<i64>) {
    let split = node.split_once('-').filter(|(number, host)| is_number(number) && !host.is_empty());
    match split.and_then(|(number, host)| Some((number.parse().ok()?, host))) {
        Some((number, host)) => (Some(host.to_owned()), Some(number)),
        None => (Some(node.to_owned()).filter(|node| !node.is_empty()), None),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
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

/// What the names of all files of a profile say about one process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Process {
    /// The number is the rank.
    pub(super) rank: Option<i64>,
    /// The number is a process id.
    pub(super) pid: Option<i64>,
    /// Which process of its machine this is, where ranks are unknown; else 0.
    pub(super) span: i64,
}

/// The number and the machine of each process that timelines and Python profiles among these files are called after.
pub(crate) fn processes<'a>(paths: impl Iterator<Item = &'a str>) -> BTreeSet<(i64, String)> {
    let mut processes = BTreeSet::new();
    for path in paths {
        let found = if is_timeline(path) {
            let name = Name::parse(path.rsplit('/').next().unwrap_or(path));
            Some((name.host, name.number))
        } else {
            python_stats::process(path)
        };
        if let Some((Some(host), Some(number))) = found {
            processes.insert((number, host));
        }
    }
    processes
}

/// Tells ranks from process ids: they are ranks if each of 0..n-1 is the number of exactly one of the
/// profile's n processes.
pub(super) fn process(host: Option<&str>, number: Option<i64>, siblings: &Siblings) -> Process {
    let processes = siblings.processes();
    let (Some(number), Some(host)) = (number, host) else {
        return Process { rank: None, pid: None, span: 0 };
    };
    if (0..).zip(processes).all(|(expected, (number, _))| *number == expected)
        && processes.contains(&(number, host.to_owned()))
    {
        return Process { rank: Some(number), pid: None, span: 0 };
    }
    let before = processes.iter().filter(|(other, on)| on == host && *other < number).count();
    Process { rank: None, pid: Some(number), span: i64::try_from(before).unwrap_or(0) }
}

/// The rank of a process, if its number is one.
pub(crate) fn rank_of(host: Option<&str>, number: Option<i64>, siblings: &Siblings) -> Option<i64> {
    process(host, number, siblings).rank
}

/// Where the times of a TensorFlow trace count from, and what else the names around it say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Recording {
    /// Machine.
    pub(super) host: Option<String>,
    /// Start in us since the epoch, as text; none if no file or more than one says it.
    pub(super) start_us: Option<String>,
    /// Rank or process id.
    pub(super) number: Option<i64>,
    /// Which recording of its machine this is.
    pub(super) span: i64,
}

/// Looks for the `.metadata` file of the trace at `path`.
///
/// Several files that say different starts leave the start unknown: which of them belongs to the trace
/// cannot be told, and clock offsets are never guessed.
pub(super) fn recording(path: &str, siblings: &Siblings) -> Recording {
    let file = path.rsplit('/').next().unwrap_or(path);
    let own_host = file.split('.').next().filter(|host| !host.is_empty()).map(str::to_owned);
    // <folder>/plugins/profile/<time>/<host>.trace.json.gz
    let folder = path.rsplitn(5, '/').nth(4);
    let mut found: Vec<(Option<String>, Option<i64>, &str)> = siblings
        .iter()
        .filter(|sibling| sibling.ends_with(".metadata"))
        .filter(|sibling| {
            folder.is_some_and(|folder| sibling.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        })
        .filter_map(|sibling| {
            let stem = sibling.rsplit('/').next()?.strip_suffix(".metadata")?;
            let (node, start_us, _end_us) = {
                let (rest, end) = stem.rsplit_once('_')?;
                let (node, start) = rest.rsplit_once('_')?;
                (node, start, end)
            };
            let (host, number) = split_node(node);
            is_number(start_us).then_some((host, number, start_us))
        })
        .collect();
    if found.iter().any(|(host, ..)| *host == own_host) {
        found.retain(|(host, ..)| *host == own_host);
    }
    let first = found.first().map(|(_, _, start)| *start);
    let one_start = found.iter().all(|(_, _, start)| Some(*start) == first);
    let (host, number) = match found.as_slice() {
        [(host, number, _)] => (host.clone(), *number),
        _ => (own_host, None),
    };
    let earlier = siblings
        .iter()
        .filter(|sibling| is_tensorflow_trace(sibling) && *sibling < path)
        .filter(|sibling| sibling.rsplit('/').next() == Some(file))
        .count();
    Recording {
        host,
        start_us: first.filter(|_| one_start).map(str::to_owned),
        number,
        span: i64::try_from(earlier).unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(file: &str) -> (Kind, String, Option<String>, Option<i64>) {
        let name = Name::parse(file);
        (name.kind, name.category, name.host, name.number)
    }

    #[test]
    fn names_of_every_shape() {
        let host = |host: &str| Some(host.to_owned());
        for (file, kind, category, node, number) in [
            ("160_151-algo-1_pythontimeline.json", Kind::Python, "pythontimeline", host("algo-1"), Some(151)),
            (
                "160_905-b88ab1bb8259_model_timeline.json",
                Kind::Model,
                "model_timeline",
                host("b88ab1bb8259"),
                Some(905),
            ),
            (
                "160_88359-8c.ant.amazon.com_horovod_timeline.json",
                Kind::Horovod,
                "horovod",
                host("8c.ant.amazon.com"),
                Some(88359),
            ),
            (
                "160_0-algo-2_smdataparallel_timeline.json",
                Kind::DataParallel,
                "smdataparallel",
                host("algo-2"),
                Some(0),
            ),
            ("1589930988000000_4487_0000_pythontimeline.json", Kind::Python, "pythontimeline", host("4487"), None),
            ("1590461139949971_0001_model_timeline.json", Kind::Model, "model_timeline", host("0001"), None),
            ("160_1-algo-1_foo_timeline.json", Kind::Other, "foo_timeline", host("algo-1"), Some(1)),
            ("160_algo-1_foo.json", Kind::Other, "foo", host("algo-1"), None),
            ("123-pythontimeline.json", Kind::Python, "pythontimeline", None, None),
            ("x.json", Kind::Other, "", None, None),
        ] {
            assert_eq!(parse(file), (kind, category.to_owned(), node, number), "{file}");
        }
    }

    #[test]
    fn numbers_are_ranks_only_if_they_can_be() {
        let ask = |files: &[&str]| {
            let paths = files.iter().map(|f| format!("framework/pevents/1/9_{f}_pythontimeline.json"));
            let name = Name::parse(&format!("9_{}_pythontimeline.json", files[0]));
            process(name.host.as_deref(), name.number, &paths.collect())
        };
        let rank = |rank| Process { rank: Some(rank), pid: None, span: 0 };
        let pid = |pid, span| Process { rank: None, pid: Some(pid), span };
        assert_eq!(ask(&["0-algo-1"]), rank(0));
        assert_eq!(ask(&["1-algo-2", "0-algo-1", "0-algo-1"]), rank(1));
        assert_eq!(ask(&["1-algo-1"]), pid(1, 0));
        assert_eq!(ask(&["152-algo-1", "151-algo-1", "150-algo-2"]), pid(152, 1));
        // two machines cannot both have rank 0
        assert_eq!(ask(&["0-algo-1", "0-algo-2"]), pid(0, 0));
        assert_eq!(ask(&["algo-1"]), Process { rank: None, pid: None, span: 0 });
    }

    #[test]
    fn traces_find_their_time_base() {
        let root = "framework/tensorflow/detailed_profiling/2020/000000005";
        let trace = format!("{root}/plugins/profile/t/ip-1.trace.json.gz");
        let ask = |metadata: &[&str]| {
            let mut siblings: Vec<String> = metadata.iter().map(|m| format!("{root}/{m}")).collect();
            siblings.push(trace.clone());
            let r = recording(&trace, &siblings.into_iter().collect());
            (r.host.unwrap_or_default(), r.start_us.unwrap_or_default(), r.number)
        };
        let expect = |host: &str, start: &str, number| (host.to_owned(), start.to_owned(), number);
        assert_eq!(ask(&["80807-8c.ant_17_18.metadata"]), expect("8c.ant", "17", Some(80807)));
        assert_eq!(ask(&[]), expect("ip-1", "", None));
        assert_eq!(ask(&["0-a_17_18.metadata", "1-b_17_19.metadata"]), expect("ip-1", "17", None));
        assert_eq!(ask(&["0-a_17_18.metadata", "1-b_16_19.metadata"]), expect("ip-1", "", None));
        assert_eq!(ask(&["0-a_17_18.metadata", "1-ip-1_16_19.metadata"]), expect("ip-1", "16", Some(1)));
        assert_eq!(ask(&["nonsense.metadata"]), expect("ip-1", "", None));
    }
}
