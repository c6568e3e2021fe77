//! What the name of a file of Lightning's profilers says: `<stage>-<file name>-<rank>-<action>`, without what is absent.
//!
//! A hint, and no more: a user's file name may hold `-`, and what a file system does not like has become `_` in an action.

use std::collections::BTreeSet;

use crate::{Siblings, add_string};

const STAGES: [&str; 4] = ["fit", "validate", "test", "predict"];

/// Actions of Lightning that do not begin with `[`: only these are believed without a report beside the dump.
const BARE: [&str; 4] = ["run_training_epoch", "run_training_batch", "save_checkpoint", "setup_train_dataloader"];

/// What the name of a dump of one action says.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Dumped {
    /// Column `scope`.
    pub(crate) scope: String,
    pub(crate) rank: Option<i64>,
}

/// Column `scope` of what was profiled in one action.
pub(super) fn scope(stage: Option<&str>, action: &str) -> String {
    let mut scope = "{".to_owned();
    if let Some(stage) = stage {
        scope.push_str("\"stage\":");
        add_string(&mut scope, stage);
        scope.push(',');
    }
    scope.push_str("\"action\":");
    add_string(&mut scope, action);
    scope.push('}');
    scope
}

/// What the name of the dump at `path` says; none if it is not one of Lightning's.
pub(crate) fn dumped(path: &str, siblings: &Siblings) -> Option<Dumped> {
    let stem = split(path).1.strip_suffix(".prof")?;
    let stage = STAGES.into_iter().find(|stage| stem.strip_prefix(stage).is_some_and(|rest| rest.starts_with('-')))?;
    let (report, action) = by_report(path, stem, siblings).or_else(|| by_shape(stem, stage))?;
    Some(Dumped { scope: scope(Some(stage), action), rank: rank(path, report, siblings) })
}

/// The rank of the process that wrote the text report at `path`, as far as names tell.
pub(super) fn rank_of_report(path: &str, siblings: &Siblings) -> Option<i64> {
    let name = split(path).1;
    rank(path, name.rsplit_once('.').map_or(name, |(stem, _)| stem), siblings)
}

/// Whether no other folder has a file of this name. Lightning knows the rank on a machine and no other: where several
/// folders hold the same names, those of several machines may be meant.
pub(super) fn is_only(path: &str, siblings: &Siblings) -> bool {
    !siblings.is_repeated(split(path).1)
}

/// The text report beside a dump has its name up to the action.
fn by_report<'a>(path: &str, stem: &'a str, siblings: &Siblings) -> Option<(&'a str, &'a str)> {
    let lengths = siblings.in_folder(split(path).0).filter_map(|name| {
        let report = name.strip_suffix(".txt")?;
        stem.strip_prefix(report)?.strip_prefix('-').filter(|action| !action.is_empty())?;
        Some(report.len())
    });
    let length = lengths.max()?;
    Some((&stem[..length], &stem[length + 1..]))
}

fn by_shape<'a>(stem: &'a str, stage: &str) -> Option<(&'a str, &'a str)> {
    let bare = || stem.rsplit_once('-').filter(|(_, action)| BARE.contains(action));
    match stem[stage.len()..].find("-[") {
        Some(at) => Some((&stem[..stage.len() + at], &stem[stage.len() + at + 1..])),
        None => bare(),
    }
}

/// The number at the end of `report`, the part of a name before action and extension, if the numbers of all such
/// files of the folder are 0..n-1, each of one file or, of dumps, one for each action.
fn rank(path: &str, report: &str, siblings: &Siblings) -> Option<i64> {
    let (base, own) = report.rsplit_once('-')?;
    let own = number(own)?;
    let numbers: BTreeSet<i64> = siblings
        .in_folder(split(path).0)
        .filter_map(|name| {
            let rest = name.strip_prefix(base)?.strip_prefix('-')?;
            let digits = rest.find(|char: char| !char.is_ascii_digit())?;
            let of_a_report = rest[digits..] == *".txt" || rest[digits..].starts_with('-');
            number(&rest[..digits]).filter(|_| of_a_report)
        })
        .collect();
    let are_ranks = (0..).zip(&numbers).all(|(expected, number)| *number == expected);
    (are_ranks && numbers.contains(&own) && is_only(path, siblings)).then_some(own)
}

/// A number as Python writes it.
fn number(text: &str) -> Option<i64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| plain)
}

/// Folder and name.
fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, siblings: &[&str]) -> Option<(String, Option<i64>)> {
        dumped(path, &siblings.iter().copied().collect()).map(|dumped| (dumped.scope, dumped.rank))
    }

    #[test]
    fn dumps_say_stage_action_and_rank() {
        let scope = |stage: &str, action: &str| format!(r#"{{"stage":"{stage}","action":"{action}"}}"#);
        let action = "[Strategy]SingleDeviceStrategy.backward";
        for (path, siblings, expected) in [
            ("a/fit-perf-[Strategy]SingleDeviceStrategy.backward.prof", &[][..], Some((scope("fit", action), None))),
            ("fit-[Strategy]SingleDeviceStrategy.backward.prof", &[], Some((scope("fit", action), None))),
            ("test-my-run-run_training_batch.prof", &[], Some((scope("test", "run_training_batch"), None))),
            // a name of one's own is believed where the report beside it says where it begins
            ("fit-p-0-a-b.prof", &["fit-p-0.txt", "fit-p.txt"], Some((scope("fit", "a-b"), Some(0)))),
            ("fit-p-0-a-b.prof", &["x/fit-p-0.txt"], None),
            ("fit-p-1-[A]b.prof", &["fit-p-0-[A]b.prof", "fit-p-1-[A]b.prof"], Some((scope("fit", "[A]b"), Some(1)))),
            ("fit-p-1-[A]b.prof", &["fit-p-1-[A]b.prof"], Some((scope("fit", "[A]b"), None))),
            ("fit-curve.prof", &[], None),
            ("fitting-[A]b.prof", &[], None),
            ("fit-p-[A]b.txt", &[], None),
        ] {
            assert_eq!(said(path, siblings), expected, "{path}");
        }
    }

    #[test]
    fn a_number_is_a_rank_where_the_numbers_of_all_are() {
        let of = |path: &str, siblings: &[&str]| rank_of_report(path, &siblings.iter().copied().collect());
        let two = ["a/fit-p-0.txt", "a/fit-p-1.txt", "a/test-p-0.txt"];
        assert_eq!((of(two[0], &two), of(two[1], &two), of(two[2], &two)), (Some(0), Some(1), Some(0)));
        assert_eq!(of("fit-p-1.txt", &["fit-p-1.txt", "fit-p-2.txt"]), None);
        assert_eq!(of("fit-p-01.txt", &["fit-p-0.txt", "fit-p-01.txt"]), None);
        assert_eq!(of("fit-p.txt", &["fit-p.txt", "fit-p-0.txt"]), None);
        // the same names in two folders: machines, or runs
        let folders = ["a/fit-p-0.txt", "b/fit-p-0.txt"];
        assert_eq!((of(folders[0], &folders), of(folders[1], &folders)), (None, None));
    }
}
