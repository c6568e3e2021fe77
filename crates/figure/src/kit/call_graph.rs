//! Estimates call stacks from the call graph of a Python profile that has no stacks.
//!
//! Such a profile has the time of each function per direct caller, but not per caller of the caller. The time of a
//! function is therefore distributed over its callees in proportion to all its calls, regardless of the caller.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::kit::nested::Node;
use crate::kit::read::{group_by, row_types, zero_if_nan};
use crate::{Frame, Result};

/// Maximum number of boxes that are computed.
const MAX_NODES: usize = 4_000;
/// Minimum share of a run for a box.
const MIN_SHARE: f64 = 1e-5;
/// Maximum number of callers above a box.
const MAX_DEPTH: usize = 100;
/// A function is the root of a stack if its time without a caller exceeds these shares of its own cumulative time and
/// of the time of the run.
const UNCALLED_SHARE: f64 = 0.01;
const UNCALLED_SHARE_OF_RUN: f64 = 1e-3;

/// A function, summed over all ranks of a run. Times are in s.
#[derive(Debug, Default)]
struct ProfiledFunction<'a> {
    name: &'a str,
    own: f64,
    cumulative: f64,
    /// The part of `cumulative` that has a caller.
    called: f64,
    /// Indices of the callees, with the time of each.
    callees: Vec<(usize, f64)>,
}

row_types! {
    /// A row of `function.callers`. Times are in s.
    struct CallerRow {
        run: String,
        node: String,
        rank: Option<i64>,
        profiler: String,
        function: String,
        own: f64 = "function_own_s",
        function_cumulative: f64 = "function_cumulative_s",
        caller: String,
        cumulative: f64 = "cumulative_s",
    }
}

/// Reads the rows of `function.callers`. Returns the profiler and the trees, one for each run, or `None` if there are
/// no calls. A parent precedes its children. If several profilers profiled a run, `cprofile` is used, because it counts
/// calls and does not sample.
pub(crate) fn read_tree(frame: &Frame) -> Result<Option<(String, Vec<Node>)>> {
    let rows = CallerRow::read(frame)?;
    let Some(profiler) = rows.iter().map(|row| &row.profiler).min() else { return Ok(None) };
    let mut nodes = Vec::new();
    for (run, mut rows) in group_by(&rows, |row| row.run.as_str()) {
        rows.retain(|row| row.profiler == *profiler);
        add_stacks(run, &sum_functions(&rows), &mut nodes);
    }
    Ok(nodes.iter().any(|node| node.value > 0).then(|| (profiler.clone(), nodes)))
}

/// The functions of some rows.
fn sum_functions<'a>(rows: &[&'a CallerRow]) -> Vec<ProfiledFunction<'a>> {
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    let mut functions: Vec<ProfiledFunction<'_>> = Vec::new();
    let mut index_of = |name: &'a str, functions: &mut Vec<ProfiledFunction<'a>>| {
        *indices.entry(name).or_insert_with(|| {
            functions.push(ProfiledFunction { name, ..ProfiledFunction::default() });
            functions.len() - 1
        })
    };
    let mut counted = BTreeSet::new();
    let mut calls: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for row in rows {
        let function = index_of(&row.function, &mut functions);
        // The time of a function is repeated in the row of each of its callers.
        if counted.insert((function, &row.node, row.rank)) {
            functions[function].own += zero_if_nan(row.own);
            functions[function].cumulative += zero_if_nan(row.function_cumulative);
        }
        if !row.caller.is_empty() {
            let caller = index_of(&row.caller, &mut functions);
            *calls.entry((caller, function)).or_default() += zero_if_nan(row.cumulative);
        }
    }
    for ((caller, callee), time) in calls {
        if caller != callee && functions[caller].cumulative > 0.0 {
            functions[callee].called += time;
            functions[caller].callees.push((callee, time));
        }
    }
    functions
}

/// Adds the stacks of a run. The largest boxes come first.
fn add_stacks(run: &str, functions: &[ProfiledFunction<'_>], nodes: &mut Vec<Node>) {
    let total: f64 = functions.iter().map(|function| function.own).sum();
    let root = nodes.len();
    nodes.push(Node { name: format!("run {run}"), category: "run".to_owned(), ..Node::default() });
    let root_time = |function: &ProfiledFunction<'_>| {
        let uncalled = function.cumulative - function.called;
        let is_root = uncalled > UNCALLED_SHARE * function.cumulative && uncalled > UNCALLED_SHARE_OF_RUN * total;
        is_root.then_some(uncalled)
    };
    // Time, function and parent box.
    let mut heap: BinaryHeap<(i64, Reverse<usize>, usize)> = functions
        .iter()
        .enumerate()
        .filter_map(|(index, function)| Some((to_ns(root_time(function)?), Reverse(index), root)))
        .collect();
    let mut function_of_box: BTreeMap<usize, usize> = BTreeMap::new();
    while let Some((value, Reverse(index), parent)) = heap.pop() {
        if function_of_box.len() == MAX_NODES || (value as f64) < MIN_SHARE * 1e9 * total {
            break;
        }
        let (function, new_box) = (&functions[index], nodes.len());
        let share = value as f64 / (1e9 * function.cumulative);
        let own = to_ns(function.own * share).min(value);
        nodes.push(Node {
            parent: Some(parent),
            category: "python".to_owned(),
            name: trace_name(function.name),
            host: value,
            host_self: own,
            value,
            own,
            ..Node::default()
        });
        function_of_box.insert(new_box, index);
        if parent == root {
            nodes[root].value = nodes[root].value.saturating_add(value);
            nodes[root].host = nodes[root].host.saturating_add(value);
        }
        let above: BTreeSet<usize> = std::iter::successors(Some(new_box), |child| nodes[*child].parent)
            .filter_map(|above| function_of_box.get(&above).copied())
            .collect();
        if above.len() > MAX_DEPTH {
            continue;
        }
        let callees = function.callees.iter().filter(|(callee, _)| !above.contains(callee));
        let sum: f64 = callees.clone().map(|(_, time)| time).sum();
        // The callees of a recursive function may have more time than the function itself.
        let scale = (function.cumulative / sum).min(1.0) * share;
        heap.extend(callees.map(|(callee, time)| (to_ns(time * scale), Reverse(*callee), new_box)));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn to_ns(seconds: f64) -> i64 {
    (seconds * 1e9) as i64
}

/// Converts `file:line(function)` to `file(line): function`, as in traces. A built-in function keeps only its name.
fn trace_name(label: &str) -> String {
    let parsed = label.strip_suffix(')').and_then(|label| {
        let (open, _) = label.match_indices('(').find(|(open, _)| {
            let before = label[..*open].trim_end_matches(|c: char| c.is_ascii_digit());
            before.len() < *open && before.ends_with(':')
        })?;
        let (location, function) = (&label[..open], &label[open + 1..]);
        let (file, line) = location.rsplit_once(':')?;
        Some(if file == "~" { function.to_owned() } else { format!("{file}({line}): {function}") })
    });
    parsed.unwrap_or_else(|| label.to_owned())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::testing::{floats, frame, nullable_ints, texts};
    use super::*;

    /// `main` (10 s, own time 1 s) calls `a` (6 s) and `b` (3 s). Both call `c`: 2 s from `a` and 2 s from `b`.
    pub(crate) fn calls() -> Frame {
        let names = ["t.py:1(main)", "t.py:2(a)", "t.py:3(b)", "~:0(<built-in c>)", "~:0(<built-in c>)"];
        frame(vec![
            texts("run", &["r"; 5]),
            texts("node", &["n"; 5]),
            nullable_ints("rank", &[0; 5]),
            texts("profiler", &["cprofile"; 5]),
            texts("function", &names),
            floats("function_own_s", &[1.0, 4.0, 1.0, 4.0, 4.0]),
            floats("function_cumulative_s", &[10.0, 6.0, 3.0, 4.0, 4.0]),
            texts("caller", &["", "t.py:1(main)", "t.py:1(main)", "t.py:2(a)", "t.py:3(b)"]),
            floats("cumulative_s", &[10.0, 6.0, 3.0, 2.0, 2.0]),
        ])
    }

    #[test]
    fn time_is_distributed_over_callees() {
        let (profiler, nodes) = read_tree(&calls()).unwrap().unwrap();
        assert_eq!(profiler, "cprofile");
        let boxes: Vec<_> = nodes.iter().map(|node| (node.name.as_str(), node.parent, node.value, node.own)).collect();
        let s = 1_000_000_000;
        assert_eq!(
            boxes,
            [
                ("run r", None, 10 * s, 0),
                ("t.py(1): main", Some(0), 10 * s, s),
                ("t.py(2): a", Some(1), 6 * s, 4 * s),
                ("t.py(3): b", Some(1), 3 * s, s),
                ("<built-in c>", Some(3), 2 * s, 2 * s),
                ("<built-in c>", Some(2), 2 * s, 2 * s),
            ]
        );
    }

    #[test]
    fn names_have_the_form_of_traces() {
        for (label, name) in [
            ("/x/a.py:12(f)", "/x/a.py(12): f"),
            ("C:\\a (1).py:3(<lambda>)", "C:\\a (1).py(3): <lambda>"),
            ("~:0(<method 'x' of 'y' objects>)", "<method 'x' of 'y' objects>"),
            ("odd", "odd"),
        ] {
            assert_eq!(trace_name(label), name);
        }
    }
}
