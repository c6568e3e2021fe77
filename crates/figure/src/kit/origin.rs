//! Origin of a row: run, machine, rank and recording. Labels of origins contain only what distinguishes them.

use crate::kit::label;
use crate::kit::read::{self, ColumnValue, count_distinct, rows};
use crate::{Frame, Result};

/// A process rank of a run, or one recording of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Origin {
    pub(crate) run: String,
    pub(crate) node: String,
    pub(crate) rank: Option<i64>,
    pub(crate) span: Option<i64>,
}

impl Origin {
    /// `run a, algo-1, rank 0, recording 1`: all fields, as safe text for hover.
    pub(crate) fn full_label(&self) -> String {
        let span = recording_label(self.span.filter(|span| *span > 0));
        label::sanitize(&label::join(&[&label::process(&self.run, &self.node, self.rank), &span], ", "))
    }
}

/// `recording 1`, or `process 1 of object 0` for a further process of a file: its ordinal is in the bits from 32 on.
/// An empty text if the recording is unknown.
fn recording_label(span: Option<i64>) -> String {
    match span.map(|span| (span >> 32, span & 0xffff_ffff)) {
        Some((process, object)) if process > 0 => format!("process {process} of object {object}"),
        recording => label::numbered("recording", recording.map(|(_, recording)| recording)),
    }
}

/// A frame without column `span` has no recordings.
impl ColumnValue for Origin {
    fn read(frame: &Frame, _: &str) -> Result<Vec<Self>> {
        let ranks: Vec<Option<i64>> = read::column(frame, "rank")?;
        let has_spans = frame.columns().iter().any(|column| column.name == "span");
        let spans = if has_spans { read::column(frame, "span")? } else { vec![None; ranks.len()] };
        Ok(rows!(frame, Self { run, node, rank: ranks, span: spans }))
    }
}

/// Labels of the origins in a figure, with only the fields that distinguish them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OriginLabels {
    with_node: bool,
    with_span: bool,
}

impl OriginLabels {
    /// Labels include the machine if a run has several, and the recording if a rank has several.
    pub(crate) fn new<'a>(origins: impl Iterator<Item = &'a Origin> + Clone) -> Self {
        let nodes = count_distinct(origins.clone().map(|origin| (&origin.run, &origin.node)));
        let runs = count_distinct(origins.clone().map(|origin| &origin.run));
        let spans = count_distinct(origins.clone().map(|origin| (&origin.run, &origin.node, origin.rank, origin.span)));
        let ranks = count_distinct(origins.map(|origin| (&origin.run, &origin.node, origin.rank)));
        Self { with_node: nodes > runs, with_span: spans > ranks }
    }

    /// `algo-1, rank 0, recording 1`. An origin without a rank has the machine in its label.
    pub(crate) fn label(self, origin: &Origin) -> String {
        let node = if self.with_node || origin.rank.is_none() { origin.node.as_str() } else { "" };
        let span = recording_label(origin.span.filter(|_| self.with_span));
        let label = label::join(&[&label::node_and_rank(node, origin.rank), &span], ", ");
        if label.is_empty() { "process".to_owned() } else { label }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_contain_only_distinguishing_fields() {
        let origin = |node: &str, rank, span| Origin { run: "a".into(), node: node.into(), rank, span };
        let label = |origins: &[Origin]| OriginLabels::new(origins.iter()).label(&origins[0]);
        assert_eq!(label(&[origin("n1", Some(0), Some(0)), origin("n1", Some(1), Some(0))]), "rank 0");
        assert_eq!(label(&[origin("n1", Some(0), Some(0)), origin("n2", Some(1), Some(0))]), "n1, rank 0");
        assert_eq!(label(&[origin("", Some(0), Some(0)), origin("", Some(0), Some(1))]), "rank 0, recording 0");
        assert_eq!(label(&[origin("", None, Some(0))]), "process");
        assert_eq!(label(&[origin("", None, Some(2 << 32 | 1)), origin("", None, Some(0))]), "process 2 of object 1");
        assert_eq!(origin("n1", Some(3), Some(1)).full_label(), "run a, n1, rank 3, recording 1");
    }
}
