//! Trees of names as nested boxes with a limited number of nodes: treemap and icicle. plotly's Rust types lack both.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use serde_json::json;

use crate::kit::read::{group_by, row_types};
use crate::kit::sum::saturating_sum;
use crate::kit::theme::{GRID, INK};
use crate::kit::trace::{HOVER_TEXT, JsonTrace};
use crate::kit::{label, read, theme};
use crate::{Frame, Result};

/// A node of the tree: a call path of a run, summed over all its ranks.
#[derive(Debug, Default, Clone)]
pub(crate) struct Node {
    pub(crate) parent: Option<usize>,
    pub(crate) category: String,
    pub(crate) name: String,
    pub(crate) n: i64,
    pub(crate) host: i64,
    pub(crate) host_self: i64,
    pub(crate) device: i64,
    pub(crate) device_self: i64,
    /// Time of the node including its descendants, in the measure of the figure, and the part without them.
    pub(crate) value: i64,
    pub(crate) own: i64,
    /// Number of nodes summed up in this one; 0 for other nodes.
    pub(crate) summed: usize,
}

/// The quantity that the size of a box shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Host,
    Device,
}

row_types! {
    /// A row of `operator.call_tree`.
    struct CallPath {
        run: String,
        id: i64 = read::Required("path_id"),
        parent: Option<i64> = "parent_id",
        depth: Option<i64>,
        category: String,
        name: String,
        n: i64,
        host: i64 = "host_total",
        host_self: i64,
        device: i64 = "device_total",
        device_self: i64,
    }
}

/// The rows of `operator.call_tree` as trees, one for each run, with the run as root. A parent precedes its children.
/// `None` if no call was recorded.
pub(crate) fn read_tree(frame: &Frame, measure: Option<Measure>) -> Result<Option<(Vec<Node>, Measure)>> {
    let paths = CallPath::read(frame)?;
    let has_device_work = paths.iter().any(|path| path.device_self > 0);
    let measure = measure.unwrap_or(if has_device_work { Measure::Device } else { Measure::Host });
    let mut nodes: Vec<Node> = Vec::new();
    for (run, mut paths) in group_by(&paths, |path| path.run.as_str()) {
        let root = nodes.len();
        nodes.push(Node { name: format!("run {run}"), category: "run".to_owned(), ..Node::default() });
        let mut indices: BTreeMap<i64, usize> = BTreeMap::new();
        paths.sort_by_key(|path| path.depth);
        for path in paths {
            let index = *indices.entry(path.id).or_insert_with(|| {
                nodes.push(Node::default());
                nodes.len() - 1
            });
            let node = &mut nodes[index];
            node.parent = Some(path.parent.and_then(|parent| indices.get(&parent).copied()).unwrap_or(root));
            node.name.clone_from(&path.name);
            node.category.clone_from(&path.category);
            node.n = node.n.saturating_add(path.n);
            node.host = node.host.saturating_add(path.host);
            node.host_self = node.host_self.saturating_add(path.host_self);
            node.device = node.device.saturating_add(path.device);
            node.device_self = node.device_self.saturating_add(path.device_self);
        }
    }
    sum_up(&mut nodes, measure);
    Ok(nodes.iter().any(|node| node.value > 0).then_some((nodes, measure)))
}

/// Sets value and own time of each node, and the times of the roots.
fn sum_up(nodes: &mut [Node], measure: Measure) {
    // From the leaves to the roots, so that a box is never smaller than its contents, even if calls overlap partly.
    // Before a node is visited, its value is the sum of its children.
    for index in (0..nodes.len()).rev() {
        let node = &mut nodes[index];
        let children = node.value;
        node.value = children.max(if measure == Measure::Device { node.device } else { node.host });
        node.own = node.value - children;
        let (value, host, device) = (node.value, node.host, node.device);
        if let Some(parent) = node.parent {
            let parent = &mut nodes[parent];
            parent.value = parent.value.saturating_add(value);
            if parent.parent.is_none() {
                parent.host = parent.host.saturating_add(host);
                parent.device = parent.device.saturating_add(device);
            }
        }
    }
}

/// The `max` largest nodes. Each has at most one more child, `other`, that sums up its remaining children. Adds a note
/// if it removes nodes.
pub(crate) fn limit_nodes(nodes: &[Node], max: usize, notes: &mut Vec<String>) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut heap: BinaryHeap<(i64, Reverse<usize>)> = BinaryHeap::new();
    for (index, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(index),
            None => heap.push((node.value, Reverse(index))),
        }
    }
    // The new index of each selected node.
    let mut selected: BTreeMap<usize, usize> = BTreeMap::new();
    let mut order = Vec::new();
    while let Some((value, Reverse(index))) = heap.pop() {
        if order.len() == max || value == 0 {
            break;
        }
        selected.insert(index, order.len());
        order.push(index);
        heap.extend(children[index].iter().map(|child| (nodes[*child].value, Reverse(*child))));
    }
    let mut limited: Vec<Node> = order
        .iter()
        .map(|index| {
            let node = &nodes[*index];
            Node { parent: node.parent.and_then(|parent| selected.get(&parent).copied()), ..node.clone() }
        })
        .collect();
    for (new_index, index) in order.iter().enumerate() {
        let others = children[*index].iter().filter(|child| !selected.contains_key(child)).map(|child| &nodes[*child]);
        let others: Vec<&Node> = others.filter(|node| node.value > 0).collect();
        if others.is_empty() {
            continue;
        }
        let sum = |value: fn(&Node) -> i64| saturating_sum(others.iter().map(|node| value(node)));
        limited.push(Node {
            parent: Some(new_index),
            category: "other".to_owned(),
            name: "other".to_owned(),
            n: sum(|node| node.n),
            host: sum(|node| node.host),
            host_self: sum(|node| node.host_self),
            device: sum(|node| node.device),
            device_self: sum(|node| node.device_self),
            value: sum(|node| node.value),
            own: 0,
            summed: others.len(),
        });
    }
    let all = nodes.iter().filter(|node| node.value > 0).count();
    if order.len() < all {
        notes.push(format!("the {} largest of {all} boxes are shown, the others are summed up", order.len()));
    }
    limited
}

/// Total value of the roots, and the own time of each name below them, largest first. `own_time` returns that of a
/// node.
pub(crate) fn own_times(nodes: &[Node], own_time: impl Fn(&Node) -> i64) -> (f64, Vec<(&str, i64)>) {
    let total = saturating_sum(nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.value));
    let mut names: BTreeMap<&str, i64> = BTreeMap::new();
    for node in nodes.iter().filter(|node| node.parent.is_some()) {
        let own = names.entry(&node.name).or_default();
        *own = own.saturating_add(own_time(node));
    }
    let mut names: Vec<(&str, i64)> = names.into_iter().collect();
    names.sort_by_key(|(_, own)| Reverse(*own));
    (total as f64, names)
}

/// A treemap or an icicle (`kind`) with this maximum number of visible levels. Names are whole on hover.
pub(crate) fn boxes(kind: &str, nodes: &[Node], levels: usize, short_name: impl Fn(&Node) -> String) -> JsonTrace {
    let text = |index: usize| index.to_string();
    let colors = nodes.iter().map(|node| match node.category.as_str() {
        "run" => GRID,
        // Opaque, because the color of the parent box would shine through.
        category => theme::work_color(category),
    });
    let tiling = match kind {
        "icicle" => json!({"orientation": "v", "pad": 0}),
        _ => json!({"packing": "squarify", "pad": 2}),
    };
    JsonTrace(json!({
        "type": kind,
        "ids": (0..nodes.len()).map(text).collect::<Vec<_>>(),
        "labels": nodes.iter().map(|node| label::escape(&short_name(node))).collect::<Vec<_>>(),
        "parents": nodes.iter().map(|node| node.parent.map_or_else(String::new, text)).collect::<Vec<_>>(),
        "values": nodes.iter().map(|node| node.value).collect::<Vec<_>>(),
        "branchvalues": "total",
        "hovertext": nodes.iter().map(|node| hover(node, root(nodes, node))).collect::<Vec<_>>(),
        "hovertemplate": HOVER_TEXT,
        "maxdepth": levels,
        "marker": {
            "colors": colors.collect::<Vec<_>>(),
            "line": {"width": 1, "color": "rgba(255,255,255,0.6)"},
            "depthfade": false,
        },
        "leaf": {"opacity": 1},
        "text": nodes.iter().map(|node| time_and_share(node, root(nodes, node))).collect::<Vec<_>>(),
        "textinfo": if kind == "icicle" { "label" } else { "label+text" },
        "textfont": {"size": if kind == "icicle" { 11 } else { 12 }},
        "pathbar": {"textfont": {"size": 11, "color": INK}},
        "tiling": tiling,
    }))
}

/// The categories of the boxes with their colors, for a legend.
pub(crate) fn legend(nodes: &[Node]) -> Vec<(String, &'static str)> {
    let mut entries: Vec<(String, &'static str)> = Vec::new();
    for category in nodes.iter().map(|node| node.category.as_str()).filter(|category| *category != "run") {
        if !entries.iter().any(|(name, _)| name == category) {
            entries.push((category.to_owned(), theme::work_color(category)));
        }
    }
    entries
}

/// `1.2 s, 34.5 %` of the run
fn time_and_share(node: &Node, run: &Node) -> String {
    format!("{}, {}", label::duration(node.value as f64), label::percentage(node.value as f64, run.value as f64))
}

/// The run that a node belongs to.
fn root<'a>(nodes: &'a [Node], node: &'a Node) -> &'a Node {
    let mut node = node;
    while let Some(parent) = node.parent {
        node = &nodes[parent];
    }
    node
}

fn hover(node: &Node, run: &Node) -> String {
    let name = label::wrap_name(&node.name);
    let head = match node.category.as_str() {
        "run" => name,
        "other" => format!("other: {} more names", node.summed),
        category if node.n == 0 => format!("{name}<br>{}", label::sanitize(category)),
        category => format!(
            "{name}<br>{}, {} {}",
            label::sanitize(category),
            label::group_digits(node.n),
            if node.n == 1 { "call" } else { "calls" }
        ),
    };
    let has_self_time = node.summed == 0 && node.category != "run";
    let times = |total: i64, own: i64| {
        let own = if has_self_time { format!(", self time {}", label::precise_duration(own)) } else { String::new() };
        format!("{}{own}", label::precise_duration(total))
    };
    let share = label::percentage(node.value as f64, run.value as f64);
    let text = format!("{head}<br>{share} of the run<br>host {}", times(node.host, node.host_self));
    if run.device == 0 {
        return text;
    }
    format!("{text}<br>device {}", times(node.device, node.device_self))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::testing::{frame, ints, nullable_ints, texts};
    use super::*;

    /// `<step>` calls `names` operators; two ranks with the same tree.
    pub(crate) fn call_tree(names: usize, device: bool) -> Frame {
        let operators: Vec<String> = (0..names).map(|name| format!("aten::op{name}")).collect();
        let mut all = vec!["<step>"];
        all.extend(operators.iter().map(String::as_str));
        let per_rank = all.len();
        let all: Vec<&str> = all.iter().chain(&all).copied().collect();
        let n = 2 * per_rank;
        let both_ranks = |first: i64, rest: fn(i64) -> i64| -> Vec<i64> {
            let rank = || std::iter::once(first).chain((1_i64..).take(per_rank - 1).map(rest));
            rank().chain(rank()).collect()
        };
        let sum: i64 = (1_i64..).take(per_rank - 1).map(|index| index * 1_000).sum();
        let scale = |column: Vec<i64>| column.into_iter().map(|v| if device { v } else { 0 }).collect::<Vec<_>>();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec![""; n]),
            nullable_ints("rank", &(0..n).map(|row| i64::from(row >= per_rank)).collect::<Vec<_>>()),
            ints("path_id", &both_ranks(7, |index| 100 + index)),
            nullable_ints("parent_id", &both_ranks(-1, |_| 7)),
            ints("depth", &both_ranks(0, |_| 1)),
            texts(
                "category",
                &(0..n).map(|row| if row % per_rank == 0 { "annotation" } else { "operator" }).collect::<Vec<_>>(),
            ),
            texts("name", &all),
            ints("n", &vec![2; n]),
            ints("host_total", &both_ranks(500 + sum, |index| index * 1_000)),
            ints("host_self", &both_ranks(500, |index| index * 1_000)),
            ints("device_total", &scale(both_ranks(2 * sum, |index| index * 2_000))),
            ints("device_self", &scale(both_ranks(0, |index| index * 2_000))),
        ])
    }

    #[test]
    fn ranks_are_summed_and_a_box_contains_its_children() {
        let (nodes, measure) = read_tree(&call_tree(2, false), None).unwrap().unwrap();
        assert_eq!(measure, Measure::Host);
        let summary: Vec<_> = nodes.iter().map(|node| (node.name.as_str(), node.parent, node.value, node.n)).collect();
        assert_eq!(
            summary,
            [
                ("run a", None, 7_000, 0),
                ("<step>", Some(0), 7_000, 4),
                ("aten::op0", Some(1), 2_000, 4),
                ("aten::op1", Some(1), 4_000, 4)
            ]
        );
        assert_eq!(read_tree(&call_tree(2, true), None).unwrap().unwrap().1, Measure::Device);
        assert_eq!(
            hover(&nodes[3], &nodes[0]),
            "aten::op1<br>operator, 4 calls<br>57.1 % of the run<br>host 4 us, self time 4 us"
        );
    }

    #[test]
    fn small_nodes_are_summed_up() {
        let (nodes, _) = read_tree(&call_tree(100, false), None).unwrap().unwrap();
        let mut notes = Vec::new();
        let limited = limit_nodes(&nodes, 12, &mut notes);
        assert_eq!(limited.len(), 13);
        assert_eq!((limited[12].name.as_str(), limited[12].summed, limited[12].parent), ("other", 90, Some(1)));
        assert_eq!(limited[12].value, (1..=90).map(|index| 2 * index * 1_000).sum::<i64>());
        let children: i64 = limited.iter().filter(|node| node.parent == Some(1)).map(|node| node.value).sum();
        assert_eq!(children + 1_000, limited[1].value);
    }
}
