//! What the path of a trace says: process, time stamp, rank, and its place among its neighbours.
//!
//! The TensorBoard handler of PyTorch writes `<worker>.<stamp>.pt.trace.json[.gz]`; a worker is a name that
//! the user gave or `<host>_<pid>`, and every active window of the schedule gives a file. Other names are
//! free; people put `rank-3` into them, or into a folder's name.

use crate::table::Mode;

/// The parts of a trace's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::format) struct Name<'a> {
    /// The name is one that the TensorBoard handler gives.
    handler: bool,
    /// Process: the file's name without stamp and endings.
    worker: &'a str,
    /// When the file was written, in ms or ns; serves only to sort.
    stamp: Option<&'a str>,
    /// The number after `rank`.
    rank: Option<i64>,
    path: &'a str,
}

impl<'a> Name<'a> {
    /// Reads a path.
    pub(in crate::format) fn parse(path: &'a str) -> Self {
        let file = path.rsplit('/').next().unwrap_or(path);
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let (stem, handler) = match stem.strip_suffix(".pt.trace.json") {
            Some(stem) => (stem, true),
            None => (stem.strip_suffix(".json").unwrap_or(stem), false),
        };
        let stamped = stem.rsplit_once('.').filter(|(_, stamp)| handler && is_number(stamp));
        let (worker, stamp) = stamped.map_or((stem, None), |(worker, stamp)| (worker, Some(stamp)));
        let rank = path.rsplit('/').find_map(|part| number_after(part, "rank"));
        Self { handler, worker, stamp, rank, path }
    }

    /// Whether the name alone says that the file is a trace.
    pub(in crate::format) fn is_trace(&self) -> bool {
        self.handler
    }

    /// Global rank: the number after `rank` in the file's name or the nearest folder's; else that after
    /// `worker` in the file's name.
    pub(in crate::format) fn rank(&self) -> Option<i64> {
        self.rank.or_else(|| number_after(self.worker, "worker"))
    }

    /// The machine, where the worker is `<host>_<pid>`.
    pub(in crate::format) fn host(&self) -> Option<&'a str> {
        let (host, pid) = self.worker.rsplit_once('_')?;
        let named = self.stamp.is_some() && !host.is_empty() && is_number(pid) && self.rank().is_none();
        named.then_some(host)
    }

    /// What Lightning profiled, which stands in its names.
    pub(in crate::format) fn mode(&self) -> Option<Mode> {
        let modes = [
            (".training_step", Mode::Train),
            (".validation_step", Mode::Eval),
            (".test_step", Mode::Eval),
            (".predict_step", Mode::Predict),
        ];
        modes.into_iter().find_map(|(step, mode)| self.worker.ends_with(step).then_some(mode))
    }

    /// What sorts files in time: stamps of few digits are ms, of many ns.
    fn order(&self) -> (Option<(usize, &'a str)>, &'a str) {
        (self.stamp.map(|stamp| (stamp.len(), stamp)), self.path)
    }

    /// Which recording of its process this is, from 0, by the names of all files.
    ///
    /// Files with one rank in their names are of one process, and so are those of one worker. Where the
    /// rank is unknown, all files that do not say theirs are numbered together, so that no two are alike.
    pub(in crate::format) fn span(&self, rank: Option<i64>, siblings: &[String]) -> i64 {
        let before = siblings
            .iter()
            .filter(|path| path.as_str() != self.path && is_json(path))
            .filter(|path| {
                let other = Name::parse(path);
                let same = match (self.rank, rank) {
                    (Some(rank), _) => other.rank == Some(rank),
                    (None, Some(_)) => other.rank.is_none() && other.worker == self.worker,
                    (None, None) => other.rank.is_none(),
                };
                same && other.handler == self.handler && other.order() < self.order()
            })
            .count();
        i64::try_from(before).unwrap_or(0)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_json(path: &str) -> bool {
    path.strip_suffix(".gz").unwrap_or(path).ends_with(".json")
}

/// The number right after `word`, or after a dash, a blank or an underscore behind it; a word that only
/// ends so does not count.
fn number_after(text: &str, word: &str) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices(word).find_map(|(at, _)| {
        if lower[..at].ends_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let rest = &lower[at + word.len()..];
        let rest = rest.strip_prefix(['-', '_', ' ', '=']).unwrap_or(rest);
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..digits].parse().ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_hosts_and_modes() {
        for (path, rank, host) in [
            ("worker0.1623143089861.pt.trace.json", Some(0), None),
            ("rank-34.Jul_15_10_52_41.1074.pt.trace.json.gz", Some(34), None),
            ("a/rank_7/trace.json", Some(7), None),
            ("serve_rank_2.1795225480952904378.pt.trace.json.gz", Some(2), None),
            ("Rank1.5.pt.trace.json", Some(1), None),
            ("worker9_rank3.5.pt.trace.json", Some(3), None),
            ("ip-10-0-0-1_4242.1795225480952904378.pt.trace.json", None, Some("ip-10-0-0-1")),
            ("frank3_17.json", None, None),
            ("trace_17.json", None, None),
            ("ranking/nothing.json", None, None),
        ] {
            let name = Name::parse(path);
            assert_eq!((name.rank(), name.host()), (rank, host), "{path}");
        }
        let mode = |file| Name::parse(file).mode();
        let lightning = "fit-[Strategy]SingleDeviceStrategy.validation_step.1795225480952904378.pt.trace.json";
        assert_eq!(mode(lightning), Some(Mode::Eval));
        assert_eq!(mode("fit-[Strategy]SingleDeviceStrategy.training_step.5.pt.trace.json"), Some(Mode::Train));
        assert_eq!(mode("worker0.5.pt.trace.json"), None);
    }

    #[test]
    fn spans_tell_the_recordings_of_a_process_apart() {
        let spans = |rank: Option<i64>, files: &[&str]| {
            let paths: Vec<String> = files.iter().map(|file| (*file).to_owned()).collect();
            files.iter().map(|file| Name::parse(file).span(rank, &paths)).collect::<Vec<_>>()
        };
        let two = ["w.10.pt.trace.json", "w.9.pt.trace.json", "w.pt.trace.json", "x.json"];
        assert_eq!(spans(None, &two), [2, 1, 0, 0]);
        let ranks = ["rank0.7.pt.trace.json", "rank1.5.pt.trace.json", "rank0.8.pt.trace.json"];
        assert_eq!(spans(Some(0), &ranks), [0, 0, 1]);
        // by worker if the trace itself knows its rank, else together
        let hosts = ["a_1.5.pt.trace.json", "b_2.6.pt.trace.json", "a_1.7.pt.trace.json"];
        assert_eq!(spans(Some(0), &hosts), [0, 0, 1]);
        assert_eq!(spans(None, &hosts), [0, 1, 2]);
    }
}
