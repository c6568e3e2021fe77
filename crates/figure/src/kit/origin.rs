//! The origin of a row: run, machine, rank and recording, and labels that distinguish them.

use std::collections::BTreeSet;

use crate::kit::{label, read};
use crate::{Frame, Result};

/// A process rank, or one recording of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Whose {
    pub(crate) run: String,
    pub(crate) node: String,
    pub(crate) rank: Option<i64>,
    pub(crate) span: Option<i64>,
}

/// The origin of each row.
pub(crate) fn whose(frame: &Frame) -> Result<Vec<Whose>> {
    let (runs, nodes) = (read::texts(frame, "run")?, read::texts(frame, "node")?);
    let ranks = read::integers(frame, "rank")?;
    let has_spans = frame.columns().iter().any(|column| column.name == "span");
    let spans = if has_spans { read::integers(frame, "span")? } else { vec![None; ranks.len()] };
    let rows = runs.into_iter().zip(nodes).zip(ranks).zip(spans);
    Ok(rows.map(|(((run, node), rank), span)| Whose { run, node, rank, span }).collect())
}

/// Which fields a label needs to distinguish the rows of a figure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Telling {
    nodes: bool,
    spans: bool,
}

impl Telling {
    /// Labels include the machine if a run has several or the row has no rank, and the recording if a rank has several.
    pub(crate) fn of<'a>(rows: impl Iterator<Item = &'a Whose> + Clone) -> Self {
        let nodes: BTreeSet<_> = rows.clone().map(|row| (&row.run, &row.node)).collect();
        let runs: BTreeSet<_> = rows.clone().map(|row| &row.run).collect();
        let spans: BTreeSet<_> = rows.clone().map(|row| (&row.run, &row.node, row.rank, row.span)).collect();
        let ranks: BTreeSet<_> = rows.map(|row| (&row.run, &row.node, row.rank)).collect();
        Self { nodes: nodes.len() > runs.len(), spans: spans.len() > ranks.len() }
    }

    /// `algo-1, rank 0, recording 1`
    pub(crate) fn name(self, row: &Whose) -> String {
        let node = if self.nodes || row.rank.is_none() { row.node.as_str() } else { "" };
        let place = label::place(node, row.rank);
        let span = match row.span.filter(|_| self.spans) {
            Some(span) => format!("recording {span}"),
            None => String::new(),
        };
        let name = label::join(&[&place, &span], ", ");
        if name.is_empty() { "process".to_owned() } else { name }
    }
}

/// The complete origin, for hover.
pub(crate) fn who(row: &Whose) -> String {
    let span = row.span.filter(|span| *span > 0).map_or(String::new(), |span| format!("recording {span}"));
    let name = label::join(&[&format!("run {}", row.run), &label::place(&row.node, row.rank), &span], ", ");
    label::plain(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_differs_is_named() {
        let row = |node: &str, rank, span| Whose { run: "a".into(), node: node.into(), rank, span };
        let name = |rows: &[Whose]| Telling::of(rows.iter()).name(&rows[0]);
        assert_eq!(name(&[row("n1", Some(0), Some(0)), row("n1", Some(1), Some(0))]), "rank 0");
        assert_eq!(name(&[row("n1", Some(0), Some(0)), row("n2", Some(1), Some(0))]), "n1, rank 0");
        assert_eq!(name(&[row("", Some(0), Some(0)), row("", Some(0), Some(1))]), "rank 0, recording 0");
        assert_eq!(name(&[row("", None, Some(0))]), "process");
        assert_eq!(who(&row("n1", Some(3), Some(1))), "run a, n1, rank 3, recording 1");
    }
}
