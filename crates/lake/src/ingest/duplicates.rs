//! Finds copies of the events of other files of a folder, and recordings of one rank that overlap.
//!
//! A file is a copy if it has the same events as another one, or the events of all other files of the folder together.
//! Events are compared by a hash of their times, durations and names that does not depend on their order.
//!
//! When a file of the folder changes, a copy is read again, because it may not be one any more.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::lake::Entry;
use crate::table::{Rows, Severity};

/// Formats with a whole recording in each file.
const RECORDINGS: [&str; 2] = ["kineto", "chrome_trace"];

/// Minimum number of events of a copy. Files with fewer can be equal by chance.
const MIN_EVENTS: i64 = 4;

/// The files of one folder to compare.
type Folder<'a> = Vec<&'a Arc<Entry>>;

/// What was found in the files of a run.
#[derive(Debug, Default)]
pub(super) struct Duplicates {
    /// Copies, with the names of the files that have their events.
    pub(super) copies: BTreeMap<i64, String>,
    /// Files with a recording that overlaps that of another file of the same rank, and the name of this file.
    pub(super) overlaps: BTreeMap<i64, String>,
}

impl Duplicates {
    /// Compares the files. Of two equal ones, the one with the later name is the copy. `read` has the files that were read
    /// now; only folders with one of them are compared.
    pub(super) fn find(objects: &[Arc<Entry>], read: &BTreeSet<i64>) -> Self {
        let mut folders: BTreeMap<&str, Folder<'_>> = BTreeMap::new();
        let is_recording = |entry: &&Arc<Entry>| entry.format.as_deref().is_some_and(|name| RECORDINGS.contains(&name));
        for entry in objects.iter().filter(is_recording).filter(|entry| events(entry) > 0) {
            folders.entry(entry.url.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default().push(entry);
        }
        let mut duplicates = Self::default();
        for mut files in folders.into_values().filter(|files| files.iter().any(|entry| read.contains(&entry.id))) {
            files.sort_by(|a, b| a.url.cmp(&b.url));
            let files = duplicates.remove_copies(files);
            duplicates.find_overlaps(files);
        }
        duplicates
    }

    /// Finds the copies in a folder, and returns its other files.
    fn remove_copies<'a>(&mut self, files: Folder<'a>) -> Folder<'a> {
        let mut known: BTreeMap<(i64, u64, Option<i64>), Folder<'_>> = BTreeMap::new();
        let (mut others, mut sum) = (Folder::new(), (0, 0_u64));
        for entry in files {
            let equal = known.entry((events(entry), entry.event_hash, entry.clock_start)).or_default();
            // Ranks may have the same events. A file that does not show its rank is a copy of any.
            let has_rank_of =
                |other: &Entry| other.ranks == entry.ranks || other.ranks.is_empty() || entry.ranks.is_empty();
            let original = equal.iter().find(|other| has_rank_of(other) && events(entry) >= MIN_EVENTS).copied();
            equal.push(entry);
            if let Some(original) = original {
                self.copies.insert(entry.id, file_name(original).to_owned());
            } else {
                sum = (sum.0 + events(entry), sum.1.wrapping_add(entry.event_hash));
                others.push(entry);
            }
        }
        // The sum over all files is twice that of a file with the events of all others.
        let merged = others.iter().position(|entry| {
            (2 * events(entry), entry.event_hash.wrapping_mul(2)) == sum && events(entry) >= MIN_EVENTS
        });
        if let Some(merged) = merged.filter(|_| others.len() > 2) {
            let merged = others.remove(merged);
            let names: Vec<&str> = others.iter().take(3).map(|entry| file_name(entry)).collect();
            let rest = if others.len() > 3 { format!(" and {} more", others.len() - 3) } else { String::new() };
            self.copies.insert(merged.id, names.join(", ") + &rest);
        }
        others
    }

    /// Finds recordings of one rank that have more than a tenth of their time in common.
    fn find_overlaps(&mut self, files: Folder<'_>) {
        let mut ranks: BTreeMap<i64, Vec<(i64, i64, &Entry)>> = BTreeMap::new();
        for entry in files.into_iter().filter(|entry| entry.has_epoch() == Some(true) && entry.ranks.len() == 1) {
            if let (Some(rank), Some(started), Some(ended)) = (entry.ranks.first(), entry.started, entry.ended) {
                ranks.entry(*rank).or_default().push((started, ended, entry));
            }
        }
        for recordings in ranks.values_mut() {
            recordings.sort_by(|(a, b, one), (c, d, other)| (a, b, &one.url).cmp(&(c, d, &other.url)));
            // The recording with the latest end so far.
            let mut latest: Option<(i64, i64, &Entry)> = None;
            for (start, end, entry) in recordings {
                if let Some((latest_start, latest_end, other)) = latest {
                    let common = latest_end.min(*end) - *start;
                    let shorter = (latest_end - latest_start).min(*end - *start);
                    if common.saturating_mul(10) > shorter && !entry.is_overlap_reported {
                        self.overlaps.insert(entry.id, file_name(other).to_owned());
                    }
                }
                if latest.is_none_or(|(_, latest_end, _)| latest_end < *end) {
                    latest = Some((*start, *end, entry));
                }
            }
        }
    }

    /// Writes the problems of the files that were found, after those that were written when they were read. Returns their
    /// numbers by object.
    pub(super) fn report(&self, objects: &[Arc<Entry>], rows: &mut Rows) -> BTreeMap<i64, i64> {
        let copies = self.copies.iter().map(|(id, names)| {
            (*id, "copy", Severity::Notice, format!("its events are also in {names}, so they are counted there only"))
        });
        let overlaps = self.overlaps.iter().map(|(id, name)| {
            let message = format!(
                "the recording overlaps that of {name}, which has the same rank, so times of this rank count twice; \
                 remove one of the files, or set their ranks (`--rank-from`)"
            );
            (*id, "overlap", Severity::Warning, message)
        });
        let mut counts = BTreeMap::new();
        for (id, kind, severity, message) in copies.chain(overlaps) {
            let entry = objects.iter().find(|entry| entry.id == id && kind == "overlap");
            rows.begin(id);
            rows.start_problems_at(entry.and_then(|entry| entry.rows.get("problem").copied()).unwrap_or(0));
            rows.problem(severity, kind, None, || message);
            rows.end();
            *counts.entry(id).or_default() += 1;
        }
        counts
    }
}

fn events(entry: &Entry) -> i64 {
    entry.rows.get("event").copied().unwrap_or(0)
}

fn file_name(entry: &Entry) -> &str {
    entry.url.rsplit('/').next().unwrap_or(&entry.url)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(id: i64, name: &str, (events, hash): (i64, u64), rank: Option<i64>, times: (i64, i64)) -> Arc<Entry> {
        Arc::new(Entry {
            id,
            url: format!("file:///job/{name}"),
            format: Some(Arc::from("kineto")),
            rows: Arc::new(BTreeMap::from([("event".to_owned(), events)])),
            event_hash: hash,
            ranks: Arc::new(rank.into_iter().collect()),
            started: Some(times.0),
            ended: Some(times.1),
            ..Entry::default()
        })
    }

    fn find(files: &[Arc<Entry>]) -> Duplicates {
        Duplicates::find(files, &files.iter().map(|entry| entry.id).collect())
    }

    #[test]
    fn copies_and_merged_files_are_found() {
        let (a, b, c) = ((10, 7), (12, u64::MAX), (11, 50));
        let (all, merged) = ((33, 7_u64.wrapping_add(u64::MAX).wrapping_add(50)), "a.json, b.json, c.json");
        let files = |last: &[(i64, u64)]| {
            let names = ["a.json", "b.json", "c.json", "d.json"];
            let all = [a, b, c].into_iter().chain(last.iter().copied()).zip(names).zip(0..);
            all.map(|((events, name), id)| file(id, name, events, None, (0, 1))).collect::<Vec<_>>()
        };
        assert_eq!(find(&files(&[all])).copies, BTreeMap::from([(3, merged.to_owned())]));
        assert_eq!(find(&files(&[b])).copies, BTreeMap::from([(3, "b.json".to_owned())]));
        assert_eq!(find(&files(&[(33, 0)])).copies, BTreeMap::new());
        // Two ranks with the same events, a file that does not show its rank, and files that are too small.
        let merged = [file(0, "a", a, Some(0), (0, 1)), file(1, "b", a, None, (0, 1))];
        assert_eq!(find(&merged).copies.len(), 1);
        let ranks = [file(0, "a", a, Some(0), (0, 1)), file(1, "b", a, Some(1), (0, 1))];
        assert_eq!(find(&ranks).copies, BTreeMap::new());
        let small = [file(0, "a", (1, 5), None, (0, 1)), file(1, "b", (1, 5), None, (0, 1))];
        assert_eq!(find(&small).copies, BTreeMap::new());
    }

    #[test]
    fn overlapping_recordings_of_a_rank_are_found() {
        let recording = |id, rank, times| file(id, "x", (10, u64::try_from(id).unwrap()), Some(rank), times);
        let first = [recording(0, 0, (0, 100)), recording(1, 0, (2, 8)), recording(4, 0, (50, 150))];
        let second = [recording(2, 1, (0, 100)), recording(3, 1, (95, 200))];
        let duplicates = find(&[&first[..], &second[..]].concat());
        assert_eq!(duplicates.overlaps.keys().copied().collect::<Vec<_>>(), [1, 4]);
    }
}
