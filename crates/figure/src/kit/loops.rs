//! Training loops, and labels that distinguish them.

use crate::kit::label;
use crate::kit::read::{ColumnValue, count_distinct, rows};
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

/// Levels of detail of a label: loader; rank; machine and run; file and process.
const MAX_LEVEL: usize = 3;

impl Loop {
    /// The shortest label of this loop alone.
    pub(crate) fn short_label(&self) -> String {
        self.label(0)
    }

    /// Run, loader and process, as safe text for hover.
    pub(crate) fn full_label(&self) -> String {
        label::sanitize(&label::join(&[&format!("run {}", self.run), &self.label(1)], ", "))
    }

    fn label(&self, level: usize) -> String {
        let process = label::node_and_rank(if self.rank.is_none() || level > 1 { &self.node } else { "" }, self.rank);
        let process = if level > 0 || self.loader.is_empty() { process } else { String::new() };
        let run = if level > 1 || (self.loader.is_empty() && process.is_empty()) {
            format!("run {}", self.run)
        } else {
            String::new()
        };
        let numbered = |what: &str, number: Option<i64>| label::numbered(what, number.filter(|_| level > 2));
        let (file, pid) = (numbered("file", self.object), numbered("process", self.pid));
        label::join(&[&label::clip(&self.loader, 36), &process, &run, &file, &pid], ", ")
    }
}

impl ColumnValue for Loop {
    fn read(frame: &Frame, _: &str) -> Result<Vec<Self>> {
        Ok(rows!(frame, Self { run, node, rank, pid, loader, object }))
    }
}

/// The shortest labels that distinguish the loops.
pub(crate) fn labels<'a>(loops: impl IntoIterator<Item = &'a Loop>) -> Vec<String> {
    let loops: Vec<&Loop> = loops.into_iter().collect();
    let labels =
        |level: usize| -> Vec<String> { loops.iter().map(|training_loop| training_loop.label(level)).collect() };
    let distinct = count_distinct(loops.iter());
    (0..MAX_LEVEL)
        .map(labels)
        .find(|labels| count_distinct(labels.iter()) == distinct)
        .unwrap_or_else(|| labels(MAX_LEVEL))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn training_loop(run: &str, loader: &str, rank: Option<i64>, object: i64) -> Loop {
        let (node, loader) = (String::new(), loader.to_owned());
        Loop { run: run.to_owned(), node, rank, pid: None, loader, object: Some(object) }
    }

    #[test]
    fn labels_contain_only_distinguishing_fields() {
        let pair = |first: Loop, second: Loop| labels([&first, &second]);
        let w0 = |run, rank, object| training_loop(run, "w0", rank, object);
        assert_eq!(pair(w0("a", None, 0), training_loop("a", "w2", None, 1)), ["w0", "w2"]);
        assert_eq!(pair(w0("a", Some(0), 0), w0("a", Some(1), 0)), ["w0, rank 0", "w0, rank 1"]);
        assert_eq!(pair(w0("a", None, 0), w0("b", None, 0)), ["w0, run a", "w0, run b"]);
        assert_eq!(pair(w0("a", None, 0), w0("a", None, 1)), ["w0, run a, file 0", "w0, run a, file 1"]);
        assert_eq!(training_loop("a", "", None, 0).short_label(), "run a");
        assert_eq!(training_loop("a", "", Some(3), 0).short_label(), "rank 3");
        assert_eq!(w0("<a>", Some(1), 0).full_label(), "run &lt;a&gt;, w0, rank 1");
    }
}
