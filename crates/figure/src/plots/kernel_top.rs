//! Kernels that took the most device time.

use std::fmt::Write as _;

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::Origin;
use crate::kit::read::{count_distinct, group_by, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::sum::saturating_sum;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "kernel_top",
    doc: "The kernels and copies that took the most device time, over all ranks of a run; a panel per run.",
    queries: &[FigureQuery::new("kernel.summary")],
    draw,
};

/// Maximum number of names in a panel.
const NAMES: usize = 20;
const LETTERS: usize = 38;
/// Maximum number of letters of a name next to its bar: about as many as `label::fit_to_axis` keeps.
pub(crate) const AXIS_LETTERS: usize = 28;
const RUNS: usize = 4;
/// Types of work and their legend entries.
const TYPES: &[(&str, &str)] =
    &[("computation", "computation"), ("communication", "communication"), ("memory", "copies and fills")];

row_types! {
    /// The calls of a kernel on a rank. Times are in ns.
    struct KernelSummary {
        origin: Origin,
        work_type: String = "type",
        name: String,
        n: i64,
        dur: i64 = "dur_sum",
        min: i64 = "dur_min",
        max: i64 = "dur_max",
    }
}

/// A kernel, summed over all ranks of a run.
struct KernelTotal<'a> {
    work_type: &'a str,
    name: &'a str,
    ranks: Vec<&'a KernelSummary>,
    dur: i64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let summaries = KernelSummary::read(read::frame(frames, 0)?)?;
    if summaries.is_empty() {
        let why = "No kernel, copy or fill was recorded. Either the job ran on the CPU, or the profiler did not record \
                   the device. Record with the activity of the device (ProfilerActivity.CUDA, XPU, MTIA, HPU or \
                   NPU). Figure operator_treemap shows the operators of the \
                   host.";
        return Ok(sheet::message_plot("Top kernels", "no device work in this profile", why));
    }
    let mut notes = Vec::new();
    let mut runs = group_by(&summaries, |summary| summary.origin.run.as_str());
    read::truncate(&mut runs, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    let mut headline = String::new();
    for (run, summaries) in &runs {
        let of_run = if runs.len() > 1 { format!(" of {}", label::clip(run, 20)) } else { String::new() };
        let total = saturating_sum(summaries.iter().map(|summary| summary.dur));
        let mut kernels = sum_ranks(summaries);
        if headline.is_empty() {
            headline = title(&of_run, &kernels, total);
        }
        let all = kernels.len();
        kernels.truncate(NAMES);
        if kernels.len() < all {
            let share = label::percentage(kernels.iter().map(|kernel| kernel.dur as f64).sum(), total as f64);
            notes.push(format!("{NAMES} of {all} names{of_run} shown: {share} of the time"));
        }
        let ranks = count_distinct(summaries.iter().map(|summary| (&summary.origin.node, summary.origin.rank)));
        let scale = Scale::time(kernels.first().map_or(0.0, |kernel| kernel.dur as f64));
        let quantity = if ranks > 1 { format!("sum over {ranks} ranks") } else { "sum".to_owned() };
        let names: Vec<String> = kernels.iter().map(|kernel| without_namespaces(kernel.name)).collect();
        let names = label::distinguish(&names, AXIS_LETTERS);
        let x = theme::axis_from_zero(&quantity, scale.unit);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 22 + 18 * names.len(), x, &names);
        let parts = TYPES.iter().map(|(work_type, name)| {
            // Bars of another type have length 0 here.
            let value = |kernel: &KernelTotal<'_>| {
                if kernel.work_type == *work_type { scale.convert(kernel.dur as f64) } else { 0.0 }
            };
            BarPart::new(name, theme::work_color(work_type), &kernels, value, |kernel| hover(kernel, total, ranks))
        });
        stack::draw(&mut sheet, &axes, parts);
    }
    Ok(sheet.into_plot(&headline, &notes))
}

/// Sums the kernels over ranks. The largest sum comes first.
fn sum_ranks<'a>(summaries: &[&'a KernelSummary]) -> Vec<KernelTotal<'a>> {
    let kernels = group_by(summaries.iter().copied(), |summary| (summary.work_type.as_str(), summary.name.as_str()));
    let mut kernels: Vec<KernelTotal<'_>> = kernels
        .into_iter()
        .map(|((work_type, name), ranks)| {
            let dur = saturating_sum(ranks.iter().map(|rank| rank.dur));
            KernelTotal { work_type, name, ranks, dur }
        })
        .collect();
    kernels.sort_by(|a, b| (b.dur, a.name).cmp(&(a.dur, b.name)));
    kernels
}

fn hover(kernel: &KernelTotal<'_>, total: i64, ranks: usize) -> String {
    let n = saturating_sum(kernel.ranks.iter().map(|rank| rank.n));
    let min = kernel.ranks.iter().map(|rank| rank.min).min().unwrap_or(0);
    let max = kernel.ranks.iter().map(|rank| rank.max).max().unwrap_or(0);
    let mut text = format!(
        "{}<br>{} of the device work: {}<br>{} times, each from {} to {}",
        label::wrap_name(kernel.name),
        label::percentage(kernel.dur as f64, total as f64),
        label::precise_duration(kernel.dur),
        label::group_digits(n),
        label::precise_duration(min),
        label::precise_duration(max)
    );
    if ranks > 1 {
        let rank_text = |rank: Option<&&KernelSummary>| {
            rank.map_or(String::new(), |rank| {
                let process = label::node_and_rank(&rank.origin.node, rank.origin.rank);
                format!("{} ({})", label::precise_duration(rank.dur), label::sanitize(&process))
            })
        };
        let shortest = rank_text(kernel.ranks.iter().min_by_key(|rank| rank.dur));
        let longest = rank_text(kernel.ranks.iter().max_by_key(|rank| rank.dur));
        let _ = write!(text, "<br>on {} of {ranks} ranks: from {shortest} to {longest}", kernel.ranks.len());
    }
    text
}

/// `23 % of 1.2 s of device work in ampere_sgemm`
fn title(of_run: &str, kernels: &[KernelTotal<'_>], total: i64) -> String {
    kernels.first().map_or(String::new(), |kernel| {
        format!(
            "{} of {} of device work{of_run} in {}",
            label::percentage(kernel.dur as f64, total as f64),
            label::duration(total as f64),
            short_name(kernel.name)
        )
    })
}

/// The beginning of a name without what most kernels have in common; see [`without_namespaces`].
pub(crate) fn short_name(name: &str) -> String {
    label::clip(&without_namespaces(name), LETTERS)
}

/// A name without `void`, namespaces, and the types of parameters if it is long.
pub(crate) fn without_namespaces(name: &str) -> String {
    let name = name.strip_prefix("void ").unwrap_or(name).replace("(anonymous namespace)::", "");
    let mut parts = name.split("::").peekable();
    let mut short = String::with_capacity(name.len());
    while let Some(part) = parts.next() {
        short.push_str(part);
        if parts.peek().is_none() {
            break;
        }
        let before = short.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
        let is_namespace =
            before < short.len() && (before == 0 || short[..before].ends_with(['<', ',', ' ', '(', '&', '*']));
        if is_namespace {
            short.truncate(before);
        } else {
            // A member of a class with template arguments.
            short.push_str("::");
        }
    }
    if short.chars().count() <= AXIS_LETTERS || !short.ends_with(')') {
        return short;
    }
    let mut depth = 0;
    let open = short.char_indices().rev().find(|(_, c)| {
        depth += match c {
            ')' => 1,
            '(' => -1,
            _ => 0,
        };
        depth == 0
    });
    match open {
        // Parentheses after a blank are a part of the name: `Memcpy HtoD (Pinned -> Device)`.
        Some((parameters, _)) if parameters > 0 && !short[..parameters].ends_with(' ') => {
            short[..parameters].to_owned()
        }
        _ => short,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{frame, heading, ints, message, nullable_ints, texts, to_value, without_rows};

    fn summary(names: usize) -> Frame {
        let kernels: Vec<String> = (0..names).map(|name| format!("void k{name}<float>()")).collect();
        let names: Vec<&str> = kernels.iter().chain(&kernels).map(String::as_str).collect();
        let n = names.len();
        let kinds: Vec<&str> =
            names.iter().map(|name| if name.contains("k1<") { "communication" } else { "computation" }).collect();
        let max = i64::try_from(2 * n).unwrap();
        let dur: Vec<i64> = (0..).take(n).map(|row| 1_000 * (max - row)).collect();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec!["n1"; n]),
            nullable_ints("rank", &(0..n).map(|row| i64::from(row >= kernels.len())).collect::<Vec<_>>()),
            texts("type", &kinds),
            texts("name", &names),
            ints("n", &vec![1_000; n]),
            ints("dur_sum", &dur),
            ints("dur_min", &vec![1; n]),
            ints("dur_max", &vec![7_500; n]),
        ])
    }

    #[test]
    fn the_longest_comes_first_and_ranks_are_summed() {
        let plot = to_value(&draw(&[summary(2)]).unwrap());
        let (computation, communication) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&computation["x"], &communication["x"]), (&json!([14.0, 0.0]), &json!([0.0, 12.0])));
        assert_eq!(communication["marker"]["color"], theme::color("communication"));
        assert_eq!(
            computation["hovertext"][0],
            "void k0&lt;float&gt;()<br>53.8 % of the device work: 14 us<br>2,000 times, each from 1 ns to 7.5 us<br>\
             on 2 of 2 ranks: from 6 us (n1, rank 1) to 8 us (n1, rank 0)"
        );
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["k0&lt;float&gt;()", "k1&lt;float&gt;()"]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "sum over 2 ranks (us)");
        assert_eq!(heading(&plot), "53.8 % of 26 us of device work in k0&lt;float&gt;()");
    }

    #[test]
    fn labels_begin_with_the_function() {
        let names = [
            "void at::native::(anonymous namespace)::apply<Adam<float> >(int)",
            "sgemm_tn",
            "Memcpy HtoD (Pinned -> Device)",
        ];
        assert_eq!(names.map(short_name), ["apply<Adam<float> >(int)", "sgemm_tn", "Memcpy HtoD (Pinned -> Device)"]);
        let names = [
            "std::vector<int>::push_back(int)",
            "void at::native::k<at::Functor<c10::Half>, std::array<char*, 3ul> >(int, at::T)",
        ];
        assert_eq!(
            names.map(without_namespaces),
            ["vector<int>::push_back(int)", "k<Functor<Half>, array<char*, 3ul> >"]
        );
    }

    #[test]
    fn the_number_of_names_is_limited() {
        let plot = to_value(&draw(&[summary(500)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(heading(&plot).contains("20 of 500 names shown"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&summary(1))]).unwrap());
        assert_eq!(title, "<b>Top kernels</b>");
        assert!(note.starts_with("<b>no device work in this profile</b>"), "{note}");
    }
}
