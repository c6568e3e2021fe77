//! Call stacks of Python functions, down to the operators.

use plotly::Plot;

use crate::kit::nested::{Boxes, Measure, Node};
use crate::kit::{call_graph, label, nested, read, sheet};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "function_flame",
    doc: "Host time by call stack, from Python functions down to operators, with the callers on top; for Python \
          profiles, which have no stacks, by call graph.",
    queries: &[
        Ask { query: "operator.call_tree", params: &[("python", "true")] },
        Ask { query: "function.callers", params: &[("limit", "20000")] },
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
    let frame = read::answer(frames, 0)?;
    let found = nested::tree(frame, Some(Measure::Host))?;
    let traced = found.map(|(nodes, _)| nodes).filter(|nodes| nodes.iter().any(is_python));
    let profiled = call_graph::tree(read::answer(frames, 1)?)?;
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
        if read::texts(read::answer(frames, 1)?, "run")?.len() >= CALLS {
            notes.push(format!("only the {CALLS} calls with the most time of each rank are used"));
        }
        (nodes, "call graph")
    } else {
        let why = "No Python function was recorded. Record with profile(with_stack=True), or profile with cProfile. \
                   Figure operator_treemap shows the operators.";
        return Ok(sheet::message("Call stacks", "no Python functions in this profile", why));
    };
    let nodes = without_trunk(nodes);
    let kept = nested::bounded(&nodes, NODES);
    let drawn = kept.iter().filter(|node| node.summed == 0).count();
    let there = nodes.iter().filter(|node| node.value > 0).count();
    if drawn < there {
        notes.push(format!("the {drawn} largest of {there} boxes are shown, the others are summed up"));
    }
    let depth = depth(&kept).min(DEPTH);
    let boxes = Boxes::new("icicle", &kept, depth, |node| short(&node.name));
    Ok(sheet::whole(&title(what, &nodes), &notes, 60 + 24 * depth, Box::new(boxes)))
}

fn is_python(node: &Node) -> bool {
    node.category == "python" || node.category == "module"
}

/// Removes the frames below a run that only call the next frame, such as the start of the interpreter and `main`. The
/// tree of a run then starts where its calls branch or have self time.
fn without_trunk(nodes: Vec<Node>) -> Vec<Node> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for (place, node) in nodes.iter().enumerate() {
        if let Some(parent) = node.parent.filter(|_| node.value > 0) {
            children[parent].push(place);
        }
    }
    let mut gone = vec![false; nodes.len()];
    let mut home: Vec<usize> = (0..nodes.len()).collect();
    for root in (0..nodes.len()).filter(|place| nodes[*place].parent.is_none()) {
        let mut at = root;
        while let [only] = children[at].as_slice() {
            let next = &nodes[*only];
            // Self time of more than 1 % counts.
            if children[*only].len() != 1 || next.own > next.value / 100 {
                break;
            }
            gone[*only] = true;
            home[*only] = root;
            at = *only;
        }
    }
    let mut places = vec![0; nodes.len()];
    let mut kept = 0;
    for place in 0..nodes.len() {
        places[place] = kept;
        kept += usize::from(!gone[place]);
    }
    let move_to = |parent: usize| places[home[parent]];
    nodes
        .into_iter()
        .zip(&gone)
        .filter(|(_, gone)| !**gone)
        .map(|(node, _)| Node { parent: node.parent.map(move_to), ..node })
        .collect()
}

/// Number of rows of the boxes.
fn depth(nodes: &[Node]) -> usize {
    let up = |node: &Node| std::iter::successors(node.parent, |parent| nodes[*parent].parent).count() + 1;
    nodes.iter().map(up).max().unwrap_or(1)
}

/// Converts `/home/me/train.py(12): step` to `step (train.py:12)`. Other names do not change.
fn short(name: &str) -> String {
    let parsed = name.split_once("): ").and_then(|(place, function)| {
        let (file, line) = place.rsplit_once('(')?;
        line.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
        let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
        Some(format!("{function} ({file}:{line})"))
    });
    label::clip(&parsed.unwrap_or_else(|| label::built_in(name).into_owned()), 60)
}

/// `call stacks over 1.2 s of host time; 45 % of it is self time of forward (model.py:12)`
fn title(what: &str, nodes: &[Node]) -> String {
    let whole: i64 = nodes.iter().filter(|node| node.parent.is_none()).map(|node| node.value).sum();
    let mut names: std::collections::BTreeMap<&str, i64> = std::collections::BTreeMap::new();
    for node in nodes.iter().filter(|node| node.parent.is_some()) {
        *names.entry(&node.name).or_default() += node.own;
    }
    let most = names.into_iter().max_by_key(|(_, own)| *own);
    let most = most.map_or(String::new(), |(name, own)| {
        format!("; {} of it is self time of {}", label::share(own as f64, whole as f64), short(name))
    });
    format!("{what} over {} of host time{most}", label::duration(whole as f64))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::call_graph::tests::calls;
    use crate::kit::nested::tests::calls_of;
    use crate::kit::testing::{frame, ints, known, message, none, texts, told, value};

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
            known("rank", &[0; 4]),
            ints("path_id", &[1, 2, 3, 4]),
            known("parent_id", &[-1, 1, 2, 2]),
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
    fn callers_stand_over_what_they_call() {
        let plot = value(&draw(&[stacks(), none(&calls())]).unwrap());
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
            told(&plot),
            "call stacks over 10 ms of host time; 60 % of it is self time of &lt;built-in f&gt; | width: time on the host, over all threads and ranks; click to enlarge"
        );
    }

    #[test]
    fn a_profile_without_stacks_is_drawn_from_its_calls() {
        let plot = value(&draw(&[none(&stacks()), calls()]).unwrap());
        let flame = &plot["data"][0];
        let labels = ["run r", "main (t.py:1)", "a (t.py:2)", "b (t.py:3)", "&lt;built-in c&gt;", "&lt;built-in c&gt;"];
        assert_eq!(flame["labels"], json!(labels));
        assert_eq!(flame["hovertext"][2], "t.py(2): a<br>python<br>60 % of the run<br>host 6 s, self time 4 s");
        assert!(told(&plot).starts_with("call graph over 10 s of host time; 40 % of it is "), "{}", told(&plot));
        assert!(told(&plot).contains("cprofile records callers but no stacks"), "{}", told(&plot));
    }

    #[test]
    fn modules_give_way_to_functions_of_a_profile() {
        let of = |frame: Frame, profile: Frame| told(&value(&draw(&[frame, profile]).unwrap()));
        assert!(of(stacks_of("module"), calls()).starts_with("call graph over 10 s"));
        assert!(of(stacks_of("module"), none(&calls())).starts_with("call stacks over 10 ms"));
        assert!(of(stacks_of("python"), calls()).starts_with("call stacks over 10 ms"));
    }

    #[test]
    fn without_stacks_it_says_how_to_record_them() {
        for frame in [none(&stacks()), calls_of(3, true)] {
            let (title, note) = message(&draw(&[frame, none(&calls())]).unwrap());
            assert_eq!(title, "<b>Call stacks</b>");
            assert!(note.contains("with_stack=True"), "{note}");
        }
    }
}
