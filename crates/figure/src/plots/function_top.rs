//! Python functions that took the most time in a profile.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::read::{Scaled, count_distinct, group_by, row_types, zero_if_nan};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "function_top",
    doc: "The Python functions that took the most time, as own time and as time in their callees, over all ranks of a \
          run.",
    queries: &[FigureQuery { query: "function.top", params: &[("limit", "10000")] }],
    draw,
};

/// Maximum number of functions in a panel, and of letters in a name next to its bar.
const NAMES: usize = 20;
const LETTERS: usize = 44;
const PANELS: usize = 4;

row_types! {
    /// One function of a rank, or summed over all ranks of a run. Times are in ns.
    #[derive(Clone)]
    struct FunctionTime {
        run: String,
        node: String,
        rank: Option<i64>,
        profiler: String,
        file: String,
        line: Option<i64>,
        name: String = "function",
        calls: Option<i64>,
        own: f64 = Scaled("own_s", 1e9),
        cumulative: f64 = Scaled("cumulative_s", 1e9),
        /// Share in the time of all functions of the process. The rows may be only those with the most time.
        ratio: f64,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let functions = FunctionTime::read(read::frame(frames, 0)?)?;
    if functions.is_empty() {
        let why = "No Python profile was found. tracelake reads files of cProfile (dump_stats), pyinstrument (-r json) \
                   and SageMaker Debugger. Figure function_flame shows the functions in traces.";
        return Ok(sheet::message_plot("Top Python functions", "no Python profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = group_by(&functions, |function| (&function.run, &function.profiler));
    let several = count_distinct(functions.iter().map(|function| &function.run)) > 1;
    read::truncate(&mut panels, PANELS, "panels", &mut notes);
    let mut sheet = Sheet::with_stacked_bars();
    let mut headline = String::new();
    for ((run, profiler), functions) in &panels {
        let whole = whole_time(functions);
        let mut functions = sum_ranks(functions);
        let total: f64 = functions.iter().map(|function| function.own).sum();
        if headline.is_empty() {
            headline =
                label::join(&[if several { run.as_str() } else { "" }, &title(&functions, whole, profiler)], ": ");
        }
        let all = functions.len();
        functions.truncate(NAMES);
        if functions.len() < all {
            let shown: f64 = functions.iter().map(|function| function.own).sum();
            notes.push(format!(
                "{NAMES} of {all} functions of {profiler} shown: {} of the time",
                label::percentage(shown, total)
            ));
        }
        let scale = Scale::time(functions.iter().map(|function| function.cumulative).fold(0.0, f64::max));
        let names: Vec<String> = functions.iter().map(short_name).collect();
        let x = theme::axis_from_zero("sum over calls and ranks", scale.unit);
        let label = format!("run {run}, {profiler}");
        let axes = stack::add_panel(&mut sheet, &label, 22 + 18 * functions.len(), x, &names);
        let part = |name: &str, color: String, value: fn(&FunctionTime) -> f64| {
            let value = |function: &FunctionTime| scale.convert(value(function));
            BarPart::new(name, color, &functions, value, |function| hover(function, total))
        };
        let color = theme::work_color("python");
        let own = part("in the function itself", color.to_owned(), |function| function.own);
        let callees = part("in its callees", theme::with_opacity(color, 0.4), |function| {
            (function.cumulative - function.own).max(0.0)
        });
        stack::draw(&mut sheet, &axes, [own, callees]);
    }
    Ok(sheet.into_plot(&headline, &notes))
}

/// The own time of all functions of the ranks. The rows may be only the functions with the most time.
fn whole_time(functions: &[&FunctionTime]) -> f64 {
    let of_rank = |functions: &[&FunctionTime]| {
        let whole = functions.iter().map(|function| function.own / function.ratio).filter(|whole| whole.is_finite());
        whole.fold(0.0, f64::max)
    };
    let ranks = group_by(functions.iter().copied(), |function| (&function.node, function.rank));
    ranks.iter().map(|(_, functions)| of_rank(functions)).sum()
}

/// The functions, summed over ranks. The largest own time comes first.
fn sum_ranks(functions: &[&FunctionTime]) -> Vec<FunctionTime> {
    let groups = group_by(functions.iter().copied(), |function| (&function.file, function.line, &function.name));
    let sum = |(_, ranks): (_, Vec<&FunctionTime>)| FunctionTime {
        calls: ranks.iter().map(|rank| rank.calls).try_fold(0_i64, |sum, calls| Some(sum.saturating_add(calls?))),
        own: ranks.iter().map(|rank| zero_if_nan(rank.own)).sum(),
        cumulative: ranks.iter().map(|rank| zero_if_nan(rank.cumulative)).sum(),
        ..ranks[0].clone()
    };
    let mut summed: Vec<FunctionTime> = groups.into_iter().map(sum).collect();
    summed.sort_by(|a, b| b.own.total_cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
    summed
}

/// `forward (net.py:7)`, or the name of a built-in function.
fn short_name(function: &FunctionTime) -> String {
    let file = function.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let text = match function.line {
        Some(line) if !file.is_empty() && file != "~" => format!("{} ({file}:{line})", function.name),
        _ => label::shorten_built_in(&function.name).into_owned(),
    };
    label::clip(&text, LETTERS)
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn hover(function: &FunctionTime, total: f64) -> String {
    let location = match function.line {
        Some(line) if function.file != "~" => format!("<br>{}:{line}", label::wrap_name(&function.file)),
        _ => String::new(),
    };
    let calls = function.calls.map_or(String::new(), |n| format!("<br>{} calls", label::group_digits(n)));
    format!(
        "{}{location}{calls}<br>own time {}, {} of the total<br>cumulative time {}",
        label::wrap_name(&function.name),
        label::precise_duration(function.own as i64),
        label::percentage(function.own, total),
        label::precise_duration(function.cumulative as i64)
    )
}

/// `23 % of 1.2 s (cprofile) is own time of forward (net.py:7)`
fn title(functions: &[FunctionTime], total: f64, profiler: &str) -> String {
    functions.first().map_or(String::new(), |function| {
        let share = label::percentage(function.own, total);
        format!("{share} of {} ({profiler}) is own time of {}", label::duration(total), short_name(function))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, message, nullable_ints, texts, to_value, without_rows};

    fn top(names: usize) -> Frame {
        let name: Vec<String> = (0..names).map(|name| format!("f{name}")).collect();
        let names: Vec<&str> = name.iter().chain(&name).map(String::as_str).collect();
        let n = names.len();
        let own: Vec<f64> = (0..n).map(|row| (n - row) as f64).collect();
        let cumulative: Vec<f64> = own.iter().map(|own| 2.0 * own).collect();
        let whole: f64 = own.iter().sum();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("node", &vec![""; n]),
            nullable_ints("rank", &vec![-1; n]),
            texts("profiler", &vec!["cprofile"; n]),
            texts("file", &vec!["/x/net.py"; n]),
            nullable_ints("line", &vec![7; n]),
            texts("function", &names),
            nullable_ints("calls", &vec![1_000; n]),
            floats("own_s", &own),
            floats("cumulative_s", &cumulative),
            floats("ratio", &own.iter().map(|own| own / whole).collect::<Vec<f64>>()),
        ])
    }

    #[test]
    fn ranks_are_summed_and_the_longest_comes_first() {
        let plot = to_value(&draw(&[top(2)]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([6.0, 4.0]));
        assert_eq!(plot["data"][1]["x"], json!([6.0, 4.0]));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["f0 (net.py:7)", "f1 (net.py:7)"]));
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "f0<br>/x/net.py:7<br>2,000 calls<br>own time 6 s, 60 % of the total<br>cumulative time 12 s"
        );
        assert_eq!(heading(&plot), "60 % of 10 s (cprofile) is own time of f0 (net.py:7)");
    }

    #[test]
    fn the_number_of_functions_is_limited() {
        let plot = to_value(&draw(&[top(500)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(heading(&plot).contains("20 of 500 functions of cprofile shown"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&top(1))]).unwrap());
        assert_eq!(title, "<b>Top Python functions</b>");
        assert!(note.starts_with("<b>no Python profile</b>"), "{note}");
    }
}
