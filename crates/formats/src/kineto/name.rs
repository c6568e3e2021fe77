//! What the path of a trace says: process, time stamp, rank, and its place among its neighbors.
//!
//! The TensorBoard handler of PyTorch writes `<worker>.<stamp>.pt.trace.json[.gz]`; a worker is a name that
//! the user gave or `<host>_<pid>`, and every active window of the schedule gives a file. Other names are
//! free; people put `rank-3` into them, or into a folder's name.

use std::collections::{BTreeMap, BTreeSet};

use crate::table::Mode;

/// The parts of a trace's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name<'a> {
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
    pub(crate) fn parse(path: &'a str) -> Self {
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
    pub(crate) fn is_trace(&self) -> bool {
        self.handler
    }

    /// Global rank: the number after `rank` in the file's name or the nearest folder's; else that after
    /// `worker` in the file's name.
    pub(crate) fn rank(&self) -> Option<i64> {
        self.rank.or_else(|| number_after(self.worker, "worker"))
    }

    /// The machine, where the worker is `<host>_<pid>`.
    pub(crate) fn host(&self) -> Option<&'a str> {
        let (host, pid) = self.worker.rsplit_once('_')?;
        let named = self.stamp.is_some() && !host.is_empty() && is_number(pid) && self.rank().is_none();
        named.then_some(host)
    }

    /// What Lightning profiled, which stands in its names.
    pub(crate) fn mode(&self) -> Option<Mode> {
        let modes = [
            (".training_step", Mode::Train),
            (".validation_step", Mode::Eval),
            (".test_step", Mode::Eval),
            (".predict_step", Mode::Predict),
        ];
        modes.into_iter().find_map(|(step, mode)| self.worker.ends_with(step).then_some(mode))
    }

    /// Whether the name leaves open whose recording it is: a number after `worker` may count the processes of one
    /// machine.
    pub(crate) fn leaves_rank_open(&self) -> bool {
        self.rank.is_none()
    }

    /// What sorts files in time: stamps of few digits are ms, of many ns.
    fn order(&self) -> impl Ord {
        (self.stamp.map(|stamp| (stamp.len(), stamp)), natural(self.path), self.path)
    }
}

/// Which recording of its process each file is, from 0, in the order of their stamps, else of their names; by path and
/// the rank that the file itself tells, which counts before that of its name.
///
/// Files of one rank are of one process. Where the rank is unknown, all files are numbered together, so that no two are
/// alike. What is taken, by rank, is left out.
pub(crate) fn recordings(files: &[(&str, Option<i64>)], taken: &[(Option<i64>, i64)]) -> Vec<i64> {
    let taken: BTreeSet<(Option<i64>, i64)> = taken.iter().copied().collect();
    let names: Vec<Name<'_>> = files.iter().map(|(path, _)| Name::parse(path)).collect();
    let mut sorted: Vec<usize> = (0..files.len()).collect();
    sorted.sort_by_cached_key(|n| names[*n].order());
    let mut next: BTreeMap<Option<i64>, i64> = BTreeMap::new();
    let mut recordings = vec![0; files.len()];
    for n in sorted {
        let rank = files[n].1.or(names[n].rank());
        let next = next.entry(rank).or_default();
        while taken.contains(&(rank, *next)) {
            *next += 1;
        }
        recordings[n] = *next;
        *next += 1;
    }
    recordings
}

/// A key that sorts `run_2` before `run_10`: pieces of text, and numbers by their length first.
fn natural(path: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let number = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != number).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(end);
        let digits = piece.trim_start_matches('0');
        pieces.push(if number { (digits.len() + 1, digits) } else { (0, piece) });
        rest = after;
    }
    pieces
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
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
    fn recordings_of_a_process_are_told_apart() {
        let same = |files: &[&str]| recordings(&files.iter().map(|file| (*file, None)).collect::<Vec<_>>(), &[]);
        assert_eq!(same(&["w.10.pt.trace.json", "w.9.pt.trace.json", "w.pt.trace.json", "x.json"]), [3, 2, 0, 1]);
        assert_eq!(same(&["rank0.7.pt.trace.json", "rank1.5.pt.trace.json", "rank0.8.pt.trace.json"]), [0, 0, 1]);
        assert_eq!(same(&["run_10.json", "run_2.json", "run_02.json", "run_1.json"]), [3, 2, 1, 0]);
        // of one rank, whatever the worker is called
        assert_eq!(same(&["rank0.7.pt.trace.json", "worker0.5.pt.trace.json"]), [1, 0]);
        // each process by its rank if the traces tell it, else together
        let hosts = ["a_1.5.pt.trace.json", "b_2.6.pt.trace.json", "a_1.7.pt.trace.json", "c_3.8.pt.trace.json"];
        let told: Vec<_> = hosts.into_iter().zip([Some(0), Some(1), Some(0), Some(0)]).collect();
        assert_eq!(recordings(&told, &[]), [0, 0, 1, 2]);
        // numbers that others have
        assert_eq!(recordings(&told, &[(Some(0), 1), (Some(0), 7), (None, 0)]), [0, 0, 2, 3]);
        assert_eq!(same(&hosts), [0, 1, 2, 3]);
        // what a trace tells counts before its name
        let told = [("worker0.5.pt.trace.json", Some(8)), ("worker0.6.pt.trace.json", Some(0))];
        assert_eq!(recordings(&told, &[]), [0, 0]);
    }
}
