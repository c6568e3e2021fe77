//! The training loop of a row, and labels that distinguish loops.

use std::collections::BTreeSet;

use crate::kit::{label, read};
use crate::{Frame, Result};

/// The iterations of one process over one loader. Without times, each file is a loop.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Loop {
    pub(crate) run: String,
    node: String,
    rank: Option<i64>,
    pid: Option<i64>,
    loader: String,
    object: Option<i64>,
}

/// The loop of each row.
pub(crate) fn loops(frame: &Frame) -> Result<Vec<Loop>> {
    let text = |name| read::texts(frame, name);
    let integer = |name| read::integers(frame, name);
    let (nodes, loaders) = (text("node")?, text("loader")?);
    let (ranks, pids, objects) = (integer("rank")?, integer("pid")?, integer("object")?);
    let rows = text("run")?.into_iter().zip(nodes).zip(loaders).enumerate();
    let rows = rows.map(|(row, ((run, node), loader))| Loop {
        run,
        node,
        rank: ranks[row],
        pid: pids[row],
        loader,
        object: objects[row],
    });
    Ok(rows.collect())
}

/// The shortest names that distinguish the loops.
pub(crate) fn names(loops: &[&Loop]) -> Vec<String> {
    let told = |level: usize| -> Vec<String> { loops.iter().map(|one| name(one, level)).collect() };
    let differ: BTreeSet<_> = loops.iter().collect();
    (0..LEVELS)
        .map(told)
        .find(|names| names.iter().collect::<BTreeSet<_>>().len() == differ.len())
        .unwrap_or_else(|| told(LEVELS))
}

/// The loop in full, for hover.
pub(crate) fn who(one: &Loop) -> String {
    label::plain(&label::join(&[&format!("run {}", one.run), &name(one, 1)], ", "))
}

/// Levels of detail of a name: loader; rank; machine and run; file and process.
const LEVELS: usize = 3;

fn name(one: &Loop, level: usize) -> String {
    let place = label::place(if one.rank.is_none() || level > 1 { &one.node } else { "" }, one.rank);
    let place = if level > 0 || one.loader.is_empty() { place } else { String::new() };
    let run = if level > 1 || (one.loader.is_empty() && place.is_empty()) {
        format!("run {}", one.run)
    } else {
        String::new()
    };
    let number =
        |what: &str, value: Option<i64>| value.filter(|_| level > 2).map_or(String::new(), |n| format!("{what} {n}"));
    label::join(
        &[&label::clip(&one.loader, 36), &place, &run, &number("file", one.object), &number("process", one.pid)],
        ", ",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(run: &str, loader: &str, rank: Option<i64>, object: i64) -> Loop {
        let (node, loader) = (String::new(), loader.to_owned());
        Loop { run: run.to_owned(), node, rank, pid: None, loader, object: Some(object) }
    }

    #[test]
    fn names_say_what_differs() {
        let named = |loops: &[Loop]| names(&loops.iter().collect::<Vec<_>>());
        assert_eq!(named(&[one("a", "w0", None, 0), one("a", "w2", None, 1)]), ["w0", "w2"]);
        assert_eq!(named(&[one("a", "w0", Some(0), 0), one("a", "w0", Some(1), 0)]), ["w0, rank 0", "w0, rank 1"]);
        assert_eq!(named(&[one("a", "w0", None, 0), one("b", "w0", None, 0)]), ["w0, run a", "w0, run b"]);
        assert_eq!(
            named(&[one("a", "w0", None, 0), one("a", "w0", None, 1)]),
            ["w0, run a, file 0", "w0, run a, file 1"]
        );
        assert_eq!(named(&[one("a", "", None, 0)]), ["run a"]);
        assert_eq!(named(&[one("a", "", Some(3), 0)]), ["rank 3"]);
        assert_eq!(who(&one("<a>", "w0", Some(1), 0)), "run &lt;a&gt;, w0, rank 1");
    }
}
