//! Trees of names as nested boxes with a bounded number of nodes: treemap and icicle. plotly's Rust types lack both.

use std::collections::{BTreeMap, BinaryHeap};

use plotly::Trace;
use serde::Serialize;
use serde_json::{Value, json};

use crate::kit::read::groups;
use crate::kit::theme::{GRID, INK};
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

/// The rows of `operator.call_tree` as trees, one for each run, with the run as root. A parent precedes its children.
/// `None` if no call was recorded.
pub(crate) fn tree(frame: &Frame, measure: Option<Measure>) -> Result<Option<(Vec<Node>, Measure)>> {
    let column = |name| read::integers(frame, name);
    let (ids, parents, n) = (column("path_id")?, column("parent_id")?, column("n")?);
    let (host, host_self) = (column("host_total")?, column("host_self")?);
    let (device, device_self) = (column("device_total")?, column("device_self")?);
    let (runs, depths) = (read::texts(frame, "run")?, column("depth")?);
    let (names, categories) = (read::texts(frame, "name")?, read::texts(frame, "category")?);
    let works = device_self.iter().flatten().any(|work| *work > 0);
    let measure = measure.unwrap_or(if works { Measure::Device } else { Measure::Host });

    let mut nodes: Vec<Node> = Vec::new();
    for (run, rows) in groups(runs.iter().map(String::as_str)) {
        let root = nodes.len();
        nodes.push(Node { name: format!("run {run}"), category: "run".to_owned(), ..Node::default() });
        let mut places: BTreeMap<i64, usize> = BTreeMap::new();
        let mut rows = rows;
        rows.sort_by_key(|row| depths[*row]);
        for row in rows {
            let Some(id) = ids[row] else { continue };
            let place = *places.entry(id).or_insert_with(|| {
                nodes.push(Node::default());
                nodes.len() - 1
            });
            let parent = parents[row].and_then(|parent| places.get(&parent).copied()).unwrap_or(root);
            let add = |column: &[Option<i64>]| column[row].unwrap_or(0);
            let node = &mut nodes[place];
            node.parent = Some(parent);
            node.name.clone_from(&names[row]);
            node.category.clone_from(&categories[row]);
            node.n = node.n.saturating_add(add(&n));
            node.host = node.host.saturating_add(add(&host));
            node.host_self = node.host_self.saturating_add(add(&host_self));
            node.device = node.device.saturating_add(add(&device));
            node.device_self = node.device_self.saturating_add(add(&device_self));
        }
    }
    // From the leaves to the roots, so that a box is never smaller than its contents, even if calls overlap partly.
    // Before a node is visited, its value is the sum of its children.
    for place in (0..nodes.len()).rev() {
        let total = if measure == Measure::Device { nodes[place].device } else { nodes[place].host };
        let inside = nodes[place].value;
        nodes[place].value = inside.max(total);
        nodes[place].own = nodes[place].value - inside;
        if let Some(parent) = nodes[place].parent {
            let (value, host, device) = (nodes[place].value, nodes[place].host, nodes[place].device);
            nodes[parent].value = nodes[parent].value.saturating_add(value);
            if nodes[parent].parent.is_none() {
                nodes[parent].host = nodes[parent].host.saturating_add(host);
                nodes[parent].device = nodes[parent].device.saturating_add(device);
            }
        }
    }
    Ok(nodes.iter().any(|node| node.value > 0).then_some((nodes, measure)))
}

/// The `most` largest nodes. Each has at most one more child, `other`, that sums up its remaining children.
pub(crate) fn bounded(nodes: &[Node], most: usize) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut heap: BinaryHeap<(i64, std::cmp::Reverse<usize>)> = BinaryHeap::new();
    for (place, node) in nodes.iter().enumerate() {
        match node.parent {
            Some(parent) => children[parent].push(place),
            None => heap.push((node.value, std::cmp::Reverse(place))),
        }
    }
    let mut kept: BTreeMap<usize, usize> = BTreeMap::new();
    let mut order = Vec::new();
    while let Some((value, std::cmp::Reverse(place))) = heap.pop() {
        if order.len() == most || value == 0 {
            break;
        }
        kept.insert(place, order.len());
        order.push(place);
        heap.extend(children[place].iter().map(|child| (nodes[*child].value, std::cmp::Reverse(*child))));
    }
    let mut out: Vec<Node> = order
        .iter()
        .map(|place| Node { parent: nodes[*place].parent.and_then(|p| kept.get(&p).copied()), ..nodes[*place].clone() })
        .collect();
    for (at, place) in order.iter().enumerate() {
        let others = children[*place].iter().filter(|child| !kept.contains_key(child)).map(|child| &nodes[*child]);
        let others: Vec<&Node> = others.filter(|node| node.value > 0).collect();
        if others.is_empty() {
            continue;
        }
        let sum = |value: fn(&Node) -> i64| others.iter().map(|node| value(node)).sum();
        out.push(Node {
            parent: Some(at),
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
    out
}

/// A treemap or an icicle.
#[derive(Clone, Serialize)]
pub(crate) struct Boxes {
    #[serde(flatten)]
    fields: BTreeMap<&'static str, Value>,
}

impl Boxes {
    /// Boxes of this kind (`treemap`, `icicle`). Names are clipped in the boxes and whole on hover.
    pub(crate) fn new(kind: &str, nodes: &[Node], depth: usize, name: impl Fn(&Node) -> String) -> Self {
        let ids: Vec<String> = (0..nodes.len()).map(|place| place.to_string()).collect();
        let parents: Vec<String> =
            nodes.iter().map(|node| node.parent.map_or(String::new(), |parent| parent.to_string())).collect();
        let colors: Vec<String> = nodes
            .iter()
            .map(|node| match node.category.as_str() {
                "run" => GRID.to_owned(),
                // Opaque, because the color of the parent box would shine through.
                category => theme::work(category).to_owned(),
            })
            .collect();
        let hover: Vec<String> = nodes.iter().map(|node| hover(node, root(nodes, node))).collect();
        let mut fields = BTreeMap::from([
            ("type", json!(kind)),
            ("ids", json!(ids)),
            ("labels", json!(nodes.iter().map(|node| label::escape(&name(node))).collect::<Vec<_>>())),
            ("parents", json!(parents)),
            ("values", json!(nodes.iter().map(|node| node.value).collect::<Vec<_>>())),
            ("branchvalues", json!("total")),
            ("hovertext", json!(hover)),
            ("hovertemplate", json!("%{hovertext}<extra></extra>")),
            ("maxdepth", json!(depth)),
            (
                "marker",
                json!({"colors": colors, "line": {"width": 1, "color": "rgba(255,255,255,0.6)"}, "depthfade": false}),
            ),
            ("leaf", json!({"opacity": 1})),
            ("textfont", json!({"size": 11})),
            ("pathbar", json!({"textfont": {"size": 11, "color": INK}})),
        ]);
        match kind {
            "icicle" => fields.insert("tiling", json!({"orientation": "v", "pad": 0})),
            _ => fields.insert("tiling", json!({"packing": "squarify", "pad": 2})),
        };
        Self { fields }
    }
}

impl Trace for Boxes {
    fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
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
    let name = label::whole(&node.name);
    let head = match node.category.as_str() {
        "run" => name,
        "other" => format!("other: {} more names", node.summed),
        category if node.n == 0 => format!("{name}<br>{}", label::plain(category)),
        category => format!("{name}<br>{}, {}", label::plain(category), calls(node.n)),
    };
    let own = |own: i64| {
        if node.summed > 0 { String::new() } else { format!(", self time {}", label::precise_duration(own)) }
    };
    let (host, device) = (own(node.host_self), own(node.device_self));
    let (host, device) = if node.category == "run" { (String::new(), String::new()) } else { (host, device) };
    let share = label::share(node.value as f64, run.value as f64);
    let text = format!("{head}<br>{share} of the run<br>host {}{host}", label::precise_duration(node.host));
    if run.device == 0 {
        return text;
    }
    format!("{text}<br>device {}{device}", label::precise_duration(node.device))
}

fn calls(n: i64) -> String {
    format!("{} {}", label::grouped(n), if n == 1 { "call" } else { "calls" })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::testing::{frame, ints, known, texts};
    use super::*;

    /// `<step>` calls `names` operators; two ranks with the same tree.
    pub(crate) fn calls_of(names: usize, device: bool) -> Frame {
        let own: Vec<String> = (0..names).map(|name| format!("aten::op{name}")).collect();
        let mut all = vec!["<step>"];
        all.extend(own.iter().map(String::as_str));
        let each = all.len();
        let all: Vec<&str> = all.iter().chain(&all).copied().collect();
        let n = 2 * each;
        let of = |first: i64, rest: fn(i64) -> i64| -> Vec<i64> {
            let one = || std::iter::once(first).chain((1_i64..).take(each - 1).map(rest));
            one().chain(one()).collect()
        };
        let sum: i64 = (1_i64..).take(each - 1).map(|at| at * 1_000).sum();
        let scale = |column: Vec<i64>| column.into_iter().map(|v| if device { v } else { 0 }).collect::<Vec<_>>();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec![""; n]),
            known("rank", &(0..n).map(|at| i64::from(at >= each)).collect::<Vec<_>>()),
            ints("path_id", &of(7, |at| 100 + at)),
            known("parent_id", &of(-1, |_| 7)),
            ints("depth", &of(0, |_| 1)),
            texts(
                "category",
                &(0..n).map(|at| if at % each == 0 { "annotation" } else { "operator" }).collect::<Vec<_>>(),
            ),
            texts("name", &all),
            ints("n", &vec![2; n]),
            ints("host_total", &of(500 + sum, |at| at * 1_000)),
            ints("host_self", &of(500, |at| at * 1_000)),
            ints("device_total", &scale(of(2 * sum, |at| at * 2_000))),
            ints("device_self", &scale(of(0, |at| at * 2_000))),
        ])
    }

    #[test]
    fn ranks_add_up_and_a_box_is_as_large_as_what_is_in_it() {
        let (nodes, measure) = tree(&calls_of(2, false), None).unwrap().unwrap();
        assert_eq!(measure, Measure::Host);
        let said: Vec<_> = nodes.iter().map(|node| (node.name.as_str(), node.parent, node.value, node.n)).collect();
        assert_eq!(
            said,
            [
                ("run a", None, 7_000, 0),
                ("<step>", Some(0), 7_000, 4),
                ("aten::op0", Some(1), 2_000, 4),
                ("aten::op1", Some(1), 4_000, 4)
            ]
        );
        assert_eq!(tree(&calls_of(2, true), None).unwrap().unwrap().1, Measure::Device);
        assert_eq!(
            hover(&nodes[3], &nodes[0]),
            "aten::op1<br>operator, 4 calls<br>57.1 % of the run<br>host 4 us, self time 4 us"
        );
    }

    #[test]
    fn small_nodes_are_summed_up() {
        let (nodes, _) = tree(&calls_of(100, false), None).unwrap().unwrap();
        let kept = bounded(&nodes, 12);
        assert_eq!(kept.len(), 13);
        assert_eq!((kept[12].name.as_str(), kept[12].summed, kept[12].parent), ("other", 90, Some(1)));
        assert_eq!(kept[12].value, (1..=90).map(|at| 2 * at * 1_000).sum::<i64>());
        let inside: i64 = kept.iter().filter(|node| node.parent == Some(1)).map(|node| node.value).sum();
        assert_eq!(inside + 1_000, kept[1].value);
    }
}
