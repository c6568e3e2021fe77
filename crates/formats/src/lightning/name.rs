//! Parses the names of files of Lightning's profilers: `<stage>-<file name>-<rank>-<action>`. Parts may be missing.
//!
//! A name is only a hint. A user's file name may contain `-`, and Lightning replaces characters of an action that file systems
//! do not allow with `_`.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Siblings, add_string};

const STAGES: [&str; 4] = ["fit", "validate", "test", "predict"];

/// Lightning's own actions that do not begin with `[`. Other such actions need a report next to the dump.
const UNBRACKETED_ACTIONS: [&str; 4] =
    ["run_training_epoch", "run_training_batch", "save_checkpoint", "setup_train_dataloader"];

/// The parts of the name of one action's dump.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DumpName {
    /// Column `scope`.
    pub(crate) scope: String,
    pub(crate) rank: Option<i64>,
}

/// The value of column `scope` for one action: a JSON object.
pub(super) fn format_scope(stage: Option<&str>, action: &str) -> String {
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

/// Parses the name of the dump at `path`; none if Lightning does not write such names.
pub(crate) fn parse_dump_name(path: &str, siblings: &Siblings) -> Option<DumpName> {
    let stem = split_path(path).1.strip_suffix(".prof")?;
    let stage = STAGES.into_iter().find(|stage| stem.strip_prefix(stage).is_some_and(|rest| rest.starts_with('-')))?;
    let (report, action) = split_by_report(path, stem, siblings).or_else(|| split_by_pattern(stem, stage))?;
    Some(DumpName { scope: format_scope(Some(stage), action), rank: find_rank(path, report, siblings) })
}

/// The rank of the process that wrote the text report at `path`, if the file names show it.
pub(super) fn rank_of_report(path: &str, siblings: &Siblings) -> Option<i64> {
    let name = split_path(path).1;
    find_rank(path, name.rsplit_once('.').map_or(name, |(stem, _)| stem), siblings)
}

/// Returns true if no other folder has a file of this name. Lightning's ranks are those within one machine: if several
/// folders have the same names, they may come from several machines.
pub(super) fn is_unique(path: &str, siblings: &Siblings) -> bool {
    !siblings.has_duplicate(split_path(path).1)
}

/// Splits the name of a dump into report and action: the text report next to it has its name up to the action.
fn split_by_report<'a>(path: &str, stem: &'a str, siblings: &Siblings) -> Option<(&'a str, &'a str)> {
    let lengths = siblings.in_folder(split_path(path).0).filter_map(|name| {
        let report = name.strip_suffix(".txt")?;
        stem.strip_prefix(report)?.strip_prefix('-').filter(|action| !action.is_empty())?;
        Some(report.len())
    });
    let length = lengths.max()?;
    Some((&stem[..length], &stem[length + 1..]))
}

/// Splits the name of a dump into report and action: an action begins with `[`, or is one that Lightning defines.
fn split_by_pattern<'a>(stem: &'a str, stage: &str) -> Option<(&'a str, &'a str)> {
    match stem[stage.len()..].find("-[") {
        Some(dash) => Some((&stem[..stage.len() + dash], &stem[stage.len() + dash + 1..])),
        None => stem.rsplit_once('-').filter(|(_, action)| UNBRACKETED_ACTIONS.contains(action)),
    }
}

/// The number at the end of `report`, which is the part of a name before action and extension. None unless the numbers of
/// all such files of the folder are 0..n-1, or those of the whole profile if each machine has a folder. Each number has one
/// report, or one dump for each action. Next to files with numbers from 1, a file without a number has rank 0.
fn find_rank(path: &str, report: &str, siblings: &Siblings) -> Option<i64> {
    let numbered = report.rsplit_once('-').and_then(|(base, number)| Some((base, Some(parse_number(number)?))));
    let (base, own) = numbered.unwrap_or((report, None));
    let folder = split_path(path).0;
    let names = siblings.in_folder(folder).map(|name| (folder, name));
    let is_rank = are_ranks(base, own, names) || are_ranks(base, own, siblings.iter().map(split_path));
    Some(own.unwrap_or(0)).filter(|_| is_rank && is_unique(path, siblings))
}

/// Whether the numbers of these files, as folder and name, are 0..n-1 with `own` among them, each in one folder. Next to
/// numbers from 1, a file without a number has number 0.
fn are_ranks<'a>(base: &str, own: Option<i64>, files: impl Iterator<Item = (&'a str, &'a str)>) -> bool {
    let (mut folders, mut without_number) = (BTreeMap::<i64, BTreeSet<&str>>::new(), BTreeSet::new());
    for (folder, name) in files {
        let Some(rest) = name.strip_prefix(base) else { continue };
        let after_dash = rest.strip_prefix('-').unwrap_or_default();
        let (digits, after) = after_dash.split_at(after_dash.find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
        let number = parse_number(digits);
        let suffix = if number.is_some() { after } else { rest };
        if suffix == ".txt" || suffix.starts_with('-') {
            number.map_or(&mut without_number, |number| folders.entry(number).or_default()).insert(folder);
        }
    }
    let own = match own {
        None if folders.is_empty() || folders.contains_key(&0) => return false,
        own => own.unwrap_or(0),
    };
    if !without_number.is_empty() {
        folders.entry(0).or_insert(without_number);
    }
    let are_consecutive =
        (0..).zip(&folders).all(|(expected, (number, folders))| *number == expected && folders.len() == 1);
    folders.contains_key(&own) && are_consecutive
}

/// Parses a number as Python prints it: without leading zeros.
fn parse_number(text: &str) -> Option<i64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    text.parse().ok().filter(|_| is_plain)
}

/// Folder and name.
fn split_path(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(path: &str, siblings: &[&str]) -> Option<(String, Option<i64>)> {
        parse_dump_name(path, &siblings.iter().copied().collect()).map(|dump| (dump.scope, dump.rank))
    }

    #[test]
    fn dump_names_have_stage_action_and_rank() {
        let scope = |stage: &str, action: &str| format!(r#"{{"stage":"{stage}","action":"{action}"}}"#);
        let action = "[Strategy]SingleDeviceStrategy.backward";
        for (path, siblings, expected) in [
            ("a/fit-perf-[Strategy]SingleDeviceStrategy.backward.prof", &[][..], Some((scope("fit", action), None))),
            ("fit-[Strategy]SingleDeviceStrategy.backward.prof", &[], Some((scope("fit", action), None))),
            ("test-my-run-run_training_batch.prof", &[], Some((scope("test", "run_training_batch"), None))),
            // the name of the report shows where an action of the user begins
            ("fit-p-0-a-b.prof", &["fit-p-0.txt", "fit-p.txt"], Some((scope("fit", "a-b"), Some(0)))),
            ("fit-p-0-a-b.prof", &["x/fit-p-0.txt"], None),
            ("fit-p-1-[A]b.prof", &["fit-p-0-[A]b.prof", "fit-p-1-[A]b.prof"], Some((scope("fit", "[A]b"), Some(1)))),
            ("fit-p-1-[A]b.prof", &["fit-p-1-[A]b.prof"], Some((scope("fit", "[A]b"), None))),
            ("fit-curve.prof", &[], None),
            ("fitting-[A]b.prof", &[], None),
            ("fit-p-[A]b.txt", &[], None),
        ] {
            assert_eq!(parse(path, siblings), expected, "{path}");
        }
    }

    #[test]
    fn numbers_are_ranks_if_they_are_consecutive_from_0() {
        let rank = |path: &str, siblings: &[&str]| rank_of_report(path, &siblings.iter().copied().collect());
        let two = ["a/fit-p-0.txt", "a/fit-p-1.txt", "a/test-p-0.txt"];
        assert_eq!((rank(two[0], &two), rank(two[1], &two), rank(two[2], &two)), (Some(0), Some(1), Some(0)));
        assert_eq!(rank("fit-p-1.txt", &["fit-p-1.txt", "fit-p-2.txt"]), None);
        let first = ["fit-p.txt", "fit-p-1.txt", "b/fit-p-2.txt"];
        assert_eq!(first.map(|path| rank(path, &first)), [Some(0), Some(1), Some(2)]);
        assert_eq!(rank("fit-p-01.txt", &["fit-p-0.txt", "fit-p-01.txt"]), None);
        assert_eq!(rank("fit-p.txt", &["fit-p.txt", "fit-p-0.txt"]), None);
        // the same names in two folders may be two machines or two runs
        let folders = ["a/fit-p-0.txt", "b/fit-p-0.txt"];
        assert_eq!((rank(folders[0], &folders), rank(folders[1], &folders)), (None, None));
    }
}
