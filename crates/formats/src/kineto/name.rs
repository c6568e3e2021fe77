//! Parses the path of a trace: process, time stamp and rank. Numbers the recordings of each process.
//!
//! The TensorBoard handler of PyTorch writes `<worker>.<stamp>.pt.trace.json[.gz]`, one file for each active
//! window of the schedule. A worker is `<host>_<pid>` or a name from the user. Users can choose any other
//! name. Often it has the rank (`rank-3`), or the name of the folder has it.

use std::collections::{BTreeMap, BTreeSet};

use crate::file_name;
use crate::number::{is_digits, leading_number};
use crate::table::Mode;

/// The parts of a trace's path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TracePath<'a> {
    /// The TensorBoard handler writes names of this form, which identify a trace without its content.
    pub(crate) is_from_handler: bool,
    /// Process: the name of the file without stamp and extensions.
    worker: &'a str,
    /// Time when the file was written, in ms or ns. Used only to sort.
    stamp: Option<&'a str>,
    /// The number after `rank`.
    rank: Option<i64>,
    path: &'a str,
}

impl<'a> TracePath<'a> {
    /// Parses a path.
    pub(crate) fn parse(path: &'a str) -> Self {
        let file = file_name(path);
        let stem = file.strip_suffix(".gz").unwrap_or(file);
        let (stem, is_from_handler) = match stem.strip_suffix(".pt.trace.json") {
            Some(stem) => (stem, true),
            None => (stem.strip_suffix(".json").unwrap_or(stem), false),
        };
        let with_stamp = stem.rsplit_once('.').filter(|(_, stamp)| is_from_handler && is_digits(stamp));
        let (worker, stamp) = with_stamp.map_or((stem, None), |(worker, stamp)| (worker, Some(stamp)));
        let rank = path.rsplit('/').find_map(|part| number_after(part, "rank"));
        Self { is_from_handler, worker, stamp, rank, path }
    }

    /// Global rank: the number after `rank` in the name of the file or of its nearest folder. If there is
    /// none, the number after `worker` in the name of the file.
    pub(crate) fn rank(&self) -> Option<i64> {
        self.rank.or_else(|| number_after(self.worker, "worker"))
    }

    /// The machine, if the worker is `<host>_<pid>`.
    pub(crate) fn host(&self) -> Option<&'a str> {
        let (host, pid) = self.worker.rsplit_once('_')?;
        let has_host = self.stamp.is_some() && !host.is_empty() && is_digits(pid) && self.rank().is_none();
        has_host.then_some(host)
    }

    /// The mode of the training, which is in the names that Lightning writes.
    pub(crate) fn mode(&self) -> Option<Mode> {
        match self.worker.rsplit_once('.')?.1 {
            "training_step" => Some(Mode::Train),
            "validation_step" | "test_step" => Some(Mode::Eval),
            "predict_step" => Some(Mode::Predict),
            _ => None,
        }
    }

    /// Returns true if the name has no certain rank: a number after `worker` may count the processes of one
    /// machine.
    pub(crate) fn needs_rank(&self) -> bool {
        self.rank.is_none()
    }

    /// A key that sorts files by time. Stamps with few digits are in ms, those with many in ns.
    fn time_key(&self) -> impl Ord {
        (self.stamp.map(|stamp| (stamp.len(), stamp)), natural_key(self.path), self.path)
    }
}

/// Numbers the recordings of each process from 0, in the order of their stamps. Files without a stamp are
/// in the order of their names. `files` are paths, each with the rank in the file, which has precedence over
/// that in its name.
///
/// Files of one rank are of one process. All files without a rank are numbered together, so that their
/// numbers differ. Numbers in `existing`, by rank, are skipped.
pub(crate) fn number_recordings(files: &[(&str, Option<i64>)], existing: &[(Option<i64>, i64)]) -> Vec<i64> {
    let existing: BTreeSet<(Option<i64>, i64)> = existing.iter().copied().collect();
    let paths: Vec<TracePath<'_>> = files.iter().map(|(path, _)| TracePath::parse(path)).collect();
    let mut sorted: Vec<usize> = (0..files.len()).collect();
    sorted.sort_by_cached_key(|i| paths[*i].time_key());
    let mut next_numbers: BTreeMap<Option<i64>, i64> = BTreeMap::new();
    let mut recordings = vec![0; files.len()];
    for i in sorted {
        let rank = files[i].1.or(paths[i].rank());
        let next = next_numbers.entry(rank).or_default();
        while existing.contains(&(rank, *next)) {
            *next += 1;
        }
        recordings[i] = *next;
        *next += 1;
    }
    recordings
}

/// The ranks of files that have none in their name or, as given, in the file: the number in the names of the files of a
/// folder that differs from process to process, if these numbers are 0..n-1.
pub(crate) fn number_ranks(files: &[(&str, Option<i64>)]) -> Vec<Option<i64>> {
    let parsed: Vec<TracePath<'_>> = files.iter().map(|(path, _)| TracePath::parse(path)).collect();
    let mut groups: BTreeMap<_, BTreeSet<Vec<i64>>> = BTreeMap::new();
    let group = |path: &TracePath<'_>| {
        let folder = path.path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
        // The texts between the numbers.
        let texts: Vec<&str> =
            path.worker.split(|c: char| c.is_ascii_digit()).filter(|text| !text.is_empty()).collect();
        (folder, path.is_from_handler, texts.join("0"))
    };
    let is_unknown = |n: usize| files[n].1.or(parsed[n].rank()).is_none();
    for path in (0..files.len()).filter(|n| is_unknown(*n)).map(|n| &parsed[n]) {
        groups.entry(group(path)).or_default().insert(numbers(path.worker));
    }
    // The positions of ranks among the numbers of a name.
    let positions: BTreeMap<_, Vec<usize>> =
        groups.into_iter().map(|(group, names)| (group, rank_positions(&names))).collect();
    let rank = |n: usize| {
        let own = numbers(parsed[n].worker);
        let positions = positions.get(&group(&parsed[n])).filter(|_| is_unknown(n))?;
        let ranks: BTreeSet<i64> = positions.iter().filter_map(|position| own.get(*position)).copied().collect();
        ranks.first().copied().filter(|_| ranks.len() == 1)
    };
    (0..files.len()).map(rank).collect()
}

/// The positions at which the numbers of these names are 0..n-1, each once. `names` are the numbers of each name.
fn rank_positions(names: &BTreeSet<Vec<i64>>) -> Vec<usize> {
    let is_rank = |position: &usize| {
        let values: BTreeSet<i64> = names.iter().filter_map(|numbers| numbers.get(*position)).copied().collect();
        values.len() == names.len() && (0..).zip(&values).all(|(expected, value)| expected == *value)
    };
    let count = names.first().filter(|_| names.len() > 1).map_or(0, Vec::len);
    (0..count).filter(is_rank).collect()
}

/// The numbers in a name.
fn numbers(name: &str) -> Vec<i64> {
    name.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
}

/// A key that sorts `run_2` before `run_10`: parts of text, and numbers by their length first.
fn natural_key(path: &str) -> Vec<(usize, &str)> {
    let mut key = Vec::new();
    let mut rest = path;
    while let Some(first) = rest.chars().next() {
        let is_number = first.is_ascii_digit();
        let end = rest.find(|c: char| c.is_ascii_digit() != is_number).unwrap_or(rest.len());
        let (part, after) = rest.split_at(end);
        let digits = part.trim_start_matches('0');
        key.push(if is_number { (digits.len() + 1, digits) } else { (0, part) });
        rest = after;
    }
    key
}

/// The number after `word`, with an optional dash, blank, underscore, `=` or `[` before it. A longer word that
/// ends with `word` does not count.
fn number_after(text: &str, word: &str) -> Option<i64> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices(word).find_map(|(start, _)| {
        if lower[..start].ends_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let rest = &lower[start + word.len()..];
        leading_number(rest.strip_prefix(['-', '_', ' ', '=', '[']).unwrap_or(rest))
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
            ("exp[run1]/exp[run1]-rank[11].5.pt.trace.json", Some(11), None),
            ("worker9_rank3.5.pt.trace.json", Some(3), None),
            ("ip-10-0-0-1_4242.1795225480952904378.pt.trace.json", None, Some("ip-10-0-0-1")),
            ("frank3_17.json", None, None),
            ("trace_17.json", None, None),
            ("ranking/nothing.json", None, None),
        ] {
            let parsed = TracePath::parse(path);
            assert_eq!((parsed.rank(), parsed.host()), (rank, host), "{path}");
        }
        let mode = |file| TracePath::parse(file).mode();
        let lightning = "fit-[Strategy]SingleDeviceStrategy.validation_step.1795225480952904378.pt.trace.json";
        assert_eq!(mode(lightning), Some(Mode::Eval));
        assert_eq!(mode("fit-[Strategy]SingleDeviceStrategy.training_step.5.pt.trace.json"), Some(Mode::Train));
        assert_eq!(mode("worker0.5.pt.trace.json"), None);
    }

    #[test]
    fn numbers_from_0_are_ranks() {
        let ranks = |files: &[&str]| {
            let files: Vec<_> = files.iter().map(|file| (*file, None)).collect();
            number_ranks(&files)
        };
        assert_eq!(ranks(&["profile_0.json", "profile_1.json", "config.json"]), [Some(0), Some(1), None]);
        assert_eq!(ranks(&["p1_10.json", "p0_10.json"]), [Some(1), Some(0)]);
        assert_eq!(ranks(&["profile_1.json", "profile_2.json"]), [None, None]);
        let many: Vec<String> = (0..12).map(|rank| format!("profile_{rank}.json")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(ranks(&many), (0..12).map(Some).collect::<Vec<_>>());
        assert_eq!(ranks(&["profile_0.json"]), [None]);
        // Several dimensions, and several recordings of each process.
        assert_eq!(ranks(&["tp0_dp0.json", "tp0_dp1.json", "tp1_dp0.json", "tp1_dp1.json"]), [None; 4]);
        assert_eq!(ranks(&["p0_0.json", "p0_1.json", "p1_0.json", "p1_1.json"]), [None; 4]);
        assert_eq!(ranks(&["p0_1.json", "p1_0.json"]), [None, None]);
        assert_eq!(
            ranks(&["x0.5.pt.trace.json", "x0.6.pt.trace.json", "x1.5.pt.trace.json"]),
            [Some(0), Some(0), Some(1)]
        );
    }

    #[test]
    fn recordings_of_a_process_get_different_numbers() {
        let numbers = |files: &[&str]| {
            let files: Vec<_> = files.iter().map(|file| (*file, None)).collect();
            number_recordings(&files, &[])
        };
        assert_eq!(numbers(&["w.10.pt.trace.json", "w.9.pt.trace.json", "w.pt.trace.json", "x.json"]), [3, 2, 0, 1]);
        assert_eq!(numbers(&["rank0.7.pt.trace.json", "rank1.5.pt.trace.json", "rank0.8.pt.trace.json"]), [0, 0, 1]);
        assert_eq!(numbers(&["run_10.json", "run_2.json", "run_02.json", "run_1.json"]), [3, 2, 1, 0]);
        // Files of one rank have one process, whatever its name.
        assert_eq!(numbers(&["rank0.7.pt.trace.json", "worker0.5.pt.trace.json"]), [1, 0]);
        // Each process by its rank if the traces have it, else all together.
        let hosts = ["a_1.5.pt.trace.json", "b_2.6.pt.trace.json", "a_1.7.pt.trace.json", "c_3.8.pt.trace.json"];
        let with_ranks: Vec<_> = hosts.into_iter().zip([Some(0), Some(1), Some(0), Some(0)]).collect();
        assert_eq!(number_recordings(&with_ranks, &[]), [0, 0, 1, 2]);
        // Numbers of other files are skipped.
        assert_eq!(number_recordings(&with_ranks, &[(Some(0), 1), (Some(0), 7), (None, 0)]), [0, 0, 2, 3]);
        assert_eq!(numbers(&hosts), [0, 1, 2, 3]);
        // The rank in a trace has precedence over that of its name.
        let with_ranks = [("worker0.5.pt.trace.json", Some(8)), ("worker0.6.pt.trace.json", Some(0))];
        assert_eq!(number_recordings(&with_ranks, &[]), [0, 0]);
    }
}
