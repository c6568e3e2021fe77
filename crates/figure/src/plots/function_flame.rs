//! Call stacks of Python functions, down to the operators.

use plotly::Plot;

use crate::kit::nested::{Measure, Node};
use crate::kit::{call_graph, label, nested, read, sheet};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "function_flame",
    doc: "Host time by call stack, from Python functions down to operators, with the callers on top; for Python \
          profiles, which have no stacks, by call graph.",
    queries: &[
        FigureQuery { query: "operator.call_tree", params: &[("python", "true")] },
        FigureQuery { query: "function.callers", params: &[("limit", "20000")] },
    ],
    draw,
};

/// Maximum number of boxes, not counting the ones that sum up the rest.
const NODES: usize = 600;
/// Maximum number of calls of a rank in a call graph: `limit` above.
const CALLS: usize = 20_000;
/// Maximum number of rows drawn at once. A click shows the rows below.
const DEPTH: usize = 22;

fn draw(frames: &[Frame]) -> Result<Plot> {
    let tree = nested::read_tree(read::frame(frames, 0)?, Some(Measure::Host))?;
    let callers = read::frame(frames, 1)?;
    let traced = tree.map(|(nodes, _)| nodes).filter(|nodes| nodes.iter().any(is_python));
    let profiled = call_graph::read_tree(callers)?;
    // Modules alone are less informative than the functions of a profile.
    let traced = traced.filter(|nodes| profiled.is_none() || nodes.iter().any(|node| node.category == "python"));
    let mut notes = vec!["width: time on the host, over all threads and ranks; click to enlarge".to_owned()];
    let (nodes, what) = if let Some(nodes) = traced {
        (nodes, "call stacks")
    } else if let Some((profiler, nodes)) = profiled {
        notes.push(format!(
            "{profiler} records callers but no stacks: the time of a function is distributed over its callees in \
             proportion, regardless of the caller; recursion is excluded"
        ));
        if callers.len()? >= CALLS {
            notes.push(format!("only the {CALLS} calls with the most time of each rank are used"));
        }
        (nodes, "call graph")
    } else {
        let why = "No Python function was recorded. Record with profile(with_stack=True), or profile with cProfile. \
                   Figure operator_treemap shows the operators.";
        return Ok(sheet::message_plot("Call stacks", "no Python functions in this profile", why));
    };
    let nodes = remove_trunk(nodes);
    let drawn = nested::limit_nodes(&nodes, NODES, &mut notes);
    let levels = depth(&drawn).min(DEPTH);
    let boxes = nested::boxes("icicle", &drawn, levels, |node| short_name(&node.name));
    let legend = nested::legend(&drawn);
    Ok(sheet::full_width_plot(&title(what, &nodes), &notes, 60 + 24 * levels, Box::new(boxes), legend))
}

fn is_python(node: &Node) -> bool {
    node.category == "python" || node.category == "module"
}

/// Removes the frames below a run that only call the next frame, such as the start of the interpreter and `main`. The
/// tree of a run then starts where its calls branch or have self time.
fn remove_trunk(nodes: Vec<Node>) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent.filter(|_| node.value > 0) {
            children[parent].push(index);
        }
    }
    // The node that replaces each node as a parent: the root for nodes of the trunk.
    let mut replacement: Vec<usize> = (0..nodes.len()).collect();
    for root in (0..nodes.len()).filter(|index| nodes[*index].parent.is_none()) {
        let mut last = root;
        while let [child] = children[last][..] {
            // Self time of more than 1 % counts.
            if children[child].len() != 1 || nodes[child].own > nodes[child].value / 100 {
                break;
            }
            replacement[child] = root;
            last = child;
        }
    }
    let is_removed = |index: usize| replacement[index] != index;
    let mut new_indices = vec![0; nodes.len()];
    let mut count = 0;
    for (index, new_index) in new_indices.iter_mut().enumerate() {
        *new_index = count;
        count += usize::from(!is_removed(index));
    }
    nodes
        .into_iter()
        .enumerate()
        .filter(|(index, _)| !is_removed(*index))
        .map(|(_, node)| Node { parent: node.parent.map(|parent| new_indices[replacement[parent]]), ..node })
        .collect()
}

/// Number of rows of the boxes.
fn depth(nodes: &[Node]) -> usize {
    let row = |node: &Node| std::iter::successors(node.parent, |parent| nodes[*parent].parent).count() + 1;
    nodes.iter().map(row).max().unwrap_or(1)
}

/// Converts `/home/me/train.py(12): step` to `step (train.py:12)`. Other names are only clipped.
fn short_name(name: &str) -> String {
    let parsed = name.split_once("): ").and_then(|(location, function)| {
        let (file, line) = location.rsplit_once('(')?;
        line.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        Some(format!("{function} ({file}:{line})"))
    });
    label::clip(&parsed.unwrap_or_else(|| label::shorten_built_in(name).into_owned()), 60)
}

/// `Call stacks over 1.2 s of host time; 45 % of it is self time of forward (model.py:12)`
fn title(what: &str, nodes: &[Node]) -> String {
    let (total, names) = nested::own_times(nodes, |node| node.host_self);
    let largest = names.into_iter().max_by_key(|(_, own)| *own);
    let largest = largest.map_or(String::new(), |(name, own)| {
        format!("; {} of it is self time of {}", label::percentage(own as f64, total), short_name(name))
    });
    format!("{} over {} of host time{largest}", label::capitalize(what), label::duration(total))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::call_graph::tests::calls;
    use crate::kit::nested::tests::call_tree;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn stacks() -> Frame {
        stacks_of("python")
    }

    /// Stacks with upper frames of this category.
    fn stacks_of(category: &str) -> Frame {
        let names = ["runpy.py(1): main", "/home/me/train.py(12): step", "<built-in f>", "aten::mm"];
        let total = [10_000_000, 10_000_000, 6_000_000, 1_000_000];
        frame(vec![
            texts("run", &["a"; 4]),
            texts("node", &[""; 4]),
            nullable_ints("rank", &[0; 4]),
            ints("path_id", &[1, 2, 3, 4]),
            nullable_ints("parent_id", &[-1, 1, 2, 2]),
            ints("depth", &[0, 1, 2, 2]),
            texts("category", &[category, category, category, "operator"]),
            texts("name", &names),
            ints("n", &[1, 4, 8, 12]),
            ints("host_total", &total),
            ints("host_self", &[0, 3_000_000, 6_000_000, 1_000_000]),
            ints("device_total", &[0; 4]),
            ints("device_self", &[0; 4]),
        ])
    }

    #[test]
    fn callers_are_above_their_callees() {
        let plot = to_value(&draw(&[stacks(), without_rows(&calls())]).unwrap());
        let flame = &plot["data"][0];
        assert_eq!(flame["type"], "icicle");
        // `main` only calls `step`.
        assert_eq!(flame["labels"], json!(["run a", "step (train.py:12)", "&lt;built-in f&gt;", "aten::mm"]));
        assert_eq!(flame["parents"], json!(["", "0", "1", "1"]));
        assert_eq!(flame["values"], json!([10_000_000, 10_000_000, 6_000_000, 1_000_000]));
        assert!(
            flame["hovertext"][1]
                .as_str()
                .unwrap()
                .starts_with("/home/me/train.py(12): step<br>python, 4 calls<br>100 %")
        );
        assert_eq!(
            heading(&plot),
            "Call stacks over 10 ms of host time; 60 % of it is self time of &lt;built-in f&gt; | width: time on the host, over all threads and ranks; click to enlarge"
        );
    }

    #[test]
    fn a_profile_without_stacks_is_drawn_from_its_calls() {
        let plot = to_value(&draw(&[without_rows(&stacks()), calls()]).unwrap());
        let flame = &plot["data"][0];
        let labels = ["run r", "main (t.py:1)", "a (t.py:2)", "b (t.py:3)", "&lt;built-in c&gt;", "&lt;built-in c&gt;"];
        assert_eq!(flame["labels"], json!(labels));
        assert_eq!(flame["hovertext"][2], "t.py(2): a<br>python<br>60 % of the run<br>host 6 s, self time 4 s");
        assert!(heading(&plot).starts_with("Call graph over 10 s of host time; 40 % of it is "), "{}", heading(&plot));
        assert!(heading(&plot).contains("cprofile records callers but no stacks"), "{}", heading(&plot));
    }

    #[test]
    fn functions_of_a_profile_replace_modules() {
        let heading_of = |frame: Frame, profile: Frame| heading(&to_value(&draw(&[frame, profile]).unwrap()));
        assert!(heading_of(stacks_of("module"), calls()).starts_with("Call graph over 10 s"));
        assert!(heading_of(stacks_of("module"), without_rows(&calls())).starts_with("Call stacks over 10 ms"));
        assert!(heading_of(stacks_of("python"), calls()).starts_with("Call stacks over 10 ms"));
    }

    #[test]
    fn a_message_says_how_to_record_stacks() {
        for frame in [without_rows(&stacks()), call_tree(3, true)] {
            let (title, note) = message(&draw(&[frame, without_rows(&calls())]).unwrap());
            assert_eq!(title, "<b>Call stacks</b>");
            assert!(note.contains("with_stack=True"), "{note}");
        }
    }
}
