//! Estimates call stacks from the call graph of a Python profile that has no stacks.
//!
//! Such a profile has the time of each function per direct caller, but not per caller of the caller. The time of a
//! function is therefore distributed over its callees in proportion to all its calls, regardless of the caller.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use crate::kit::nested::Node;
use crate::kit::read;
use crate::kit::read::groups;
use crate::{Frame, Result};

/// Maximum number of boxes that are computed, and the minimum share of a run for a box.
const NODES: usize = 4_000;
const LEAST: f64 = 1e-5;
/// Maximum number of callers above a box.
const DEPTH: usize = 100;
/// A function is the root of a stack if its time without a caller exceeds these shares of its own cumulative time and
/// of the time of the run.
const UNCALLED: f64 = 0.01;
const UNCALLED_OF_RUN: f64 = 1e-3;

/// A function, summed over all ranks of a run.
#[derive(Debug, Default)]
struct Function<'a> {
    name: &'a str,
    own: f64,
    cumulative: f64,
    /// The part of `cumulative` that has a caller.
    called: f64,
    /// Its callees, with the time of each.
    callees: Vec<(usize, f64)>,
}

/// Text columns of `function.callers`.
struct Names {
    nodes: Vec<String>,
    functions: Vec<String>,
    callers: Vec<String>,
}

/// The name of the profiler and the trees, one for each run, or `None` if there are no calls. A parent precedes its
/// children. If several profilers profiled a run, `cprofile` is used, because it counts calls and does not sample.
pub(crate) fn tree(frame: &Frame) -> Result<Option<(String, Vec<Node>)>> {
    let (runs, profilers) = (read::texts(frame, "run")?, read::texts(frame, "profiler")?);
    let Some(profiler) = profilers.iter().min() else { return Ok(None) };
    let text = |name| read::texts(frame, name);
    let names = Names { nodes: text("node")?, functions: text("function")?, callers: text("caller")? };
    let mut nodes = Vec::new();
    for (run, mut rows) in groups(runs.iter().map(String::as_str)) {
        rows.retain(|row| profilers[*row] == *profiler);
        let (functions, whole) = functions(frame, &rows, &names)?;
        stacks(run, &functions, whole, &mut nodes);
    }
    Ok(nodes.iter().any(|node| node.value > 0).then(|| (profiler.clone(), nodes)))
}

/// The functions of some rows of `function.callers`, and their total time.
fn functions<'a>(frame: &Frame, rows: &[usize], names: &'a Names) -> Result<(Vec<Function<'a>>, f64)> {
    let column = |name| read::floats(frame, name);
    let (own, cumulative, time) =
        (column("function_own_s")?, column("function_cumulative_s")?, column("cumulative_s")?);
    let ranks = read::integers(frame, "rank")?;
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let mut functions: Vec<Function<'_>> = Vec::new();
    let mut place_of = |name: &'a str, functions: &mut Vec<Function<'a>>| {
        *places.entry(name).or_insert_with(|| {
            functions.push(Function { name, ..Function::default() });
            functions.len() - 1
        })
    };
    let mut seen = BTreeSet::new();
    let mut calls: BTreeMap<(usize, usize), f64> = BTreeMap::new();
    for &row in rows {
        let function = place_of(&names.functions[row], &mut functions);
        // The time of a function is repeated in the row of each of its callers.
        if seen.insert((function, &names.nodes[row], ranks[row])) {
            functions[function].own += known(own[row]);
            functions[function].cumulative += known(cumulative[row]);
        }
        if !names.callers[row].is_empty() {
            let caller = place_of(&names.callers[row], &mut functions);
            *calls.entry((caller, function)).or_default() += known(time[row]);
        }
    }
    for ((caller, callee), time) in calls {
        if caller != callee && functions[caller].cumulative > 0.0 {
            functions[callee].called += time;
            functions[caller].callees.push((callee, time));
        }
    }
    let whole = functions.iter().map(|function| function.own).sum();
    Ok((functions, whole))
}

fn known(value: f64) -> f64 {
    if value.is_nan() { 0.0 } else { value }
}

/// Adds the stacks of a run. The largest boxes come first.
fn stacks(run: &str, functions: &[Function<'_>], whole: f64, nodes: &mut Vec<Node>) {
    let root = nodes.len();
    nodes.push(Node { name: format!("run {run}"), category: "run".to_owned(), ..Node::default() });
    let begins = |function: &Function<'_>| {
        let uncalled = function.cumulative - function.called;
        (uncalled > UNCALLED * function.cumulative && uncalled > UNCALLED_OF_RUN * whole).then_some(uncalled)
    };
    let outermost = functions.iter().enumerate().filter_map(|(place, function)| Some((place, begins(function)?)));
    // time, function, parent box
    let mut heap: BinaryHeap<(i64, Reverse<usize>, usize)> =
        outermost.map(|(place, time)| (ns(time), Reverse(place), root)).collect();
    // The function of each box.
    let mut of: BTreeMap<usize, usize> = BTreeMap::new();
    while let Some((value, Reverse(place), parent)) = heap.pop() {
        if of.len() == NODES || (value as f64) < LEAST * 1e9 * whole {
            break;
        }
        let (function, at) = (&functions[place], nodes.len());
        let share = value as f64 / (1e9 * function.cumulative);
        let own = ns(function.own * share).min(value);
        nodes.push(Node {
            parent: Some(parent),
            category: "python".to_owned(),
            name: named(function.name),
            host: value,
            host_self: own,
            value,
            own,
            ..Node::default()
        });
        of.insert(at, place);
        if parent == root {
            nodes[root].value += value;
            nodes[root].host += value;
        }
        let above: BTreeSet<usize> =
            std::iter::successors(Some(at), |at| nodes[*at].parent).filter_map(|at| of.get(&at).copied()).collect();
        if above.len() > DEPTH {
            continue;
        }
        let inside = function.callees.iter().filter(|(callee, _)| !above.contains(callee));
        let sum: f64 = inside.clone().map(|(_, time)| time).sum();
        // The callees of a recursive function may have more time than is left.
        let fit = (function.cumulative / sum).min(1.0) * share;
        heap.extend(inside.map(|(callee, time)| (ns(time * fit), Reverse(*callee), at)));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn ns(seconds: f64) -> i64 {
    (seconds * 1e9) as i64
}

/// Converts `file:line(function)` to `file(line): function`, as in traces. A built-in function keeps only its name.
fn named(label: &str) -> String {
    let parsed = label.strip_suffix(')').and_then(|label| {
        let open = label.match_indices('(').find(|(at, _)| {
            let before = label[..*at].trim_end_matches(|c: char| c.is_ascii_digit());
            before.len() < *at && before.ends_with(':')
        })?;
        let (place, function) = (&label[..open.0], &label[open.0 + 1..]);
        let (file, line) = place.rsplit_once(':')?;
        Some(if file == "~" { function.to_owned() } else { format!("{file}({line}): {function}") })
    });
    parsed.unwrap_or_else(|| label.to_owned())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::testing::{floats, frame, known, texts};
    use super::*;

    /// `main` (10 s, own time 1 s) calls `a` (6 s) and `b` (3 s). Both call `c`: 2 s from `a` and 2 s from `b`.
    pub(crate) fn calls() -> Frame {
        let names = ["t.py:1(main)", "t.py:2(a)", "t.py:3(b)", "~:0(<built-in c>)", "~:0(<built-in c>)"];
        frame(vec![
            texts("run", &["r"; 5]),
            texts("node", &["n"; 5]),
            known("rank", &[0; 5]),
            texts("profiler", &["cprofile"; 5]),
            texts("function", &names),
            floats("function_own_s", &[1.0, 4.0, 1.0, 4.0, 4.0]),
            floats("function_cumulative_s", &[10.0, 6.0, 3.0, 4.0, 4.0]),
            texts("caller", &["", "t.py:1(main)", "t.py:1(main)", "t.py:2(a)", "t.py:3(b)"]),
            floats("cumulative_s", &[10.0, 6.0, 3.0, 2.0, 2.0]),
        ])
    }

    #[test]
    fn time_is_dealt_out_to_what_was_called() {
        let (profiler, nodes) = tree(&calls()).unwrap().unwrap();
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
    fn names_are_read_as_they_were_written() {
        for (label, name) in [
            ("/x/a.py:12(f)", "/x/a.py(12): f"),
            ("C:\\a (1).py:3(<lambda>)", "C:\\a (1).py(3): <lambda>"),
            ("~:0(<method 'x' of 'y' objects>)", "<method 'x' of 'y' objects>"),
            ("odd", "odd"),
        ] {
            assert_eq!(named(label), name);
        }
    }
}
