//! Python functions that took the most time in a profile.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "function_top",
    doc: "The Python functions that took the most time, as own time and as time in their callees, over all ranks of a \
          run.",
    queries: &[Ask { query: "function.top", params: &[("limit", "10000")] }],
    draw,
};

/// Maximum number of functions in a panel, and of letters in a name next to its bar.
const NAMES: usize = 20;
const LETTERS: usize = 44;
const PANELS: usize = 4;

/// One function, summed over all ranks of a run. Times are in ns.
struct Function {
    file: String,
    line: Option<i64>,
    name: String,
    calls: Option<i64>,
    own: f64,
    cumulative: f64,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let (runs, profilers) = (read::texts(frame, "run")?, read::texts(frame, "profiler")?);
    if runs.is_empty() {
        let why = "No Python profile was found. tracelake reads files of cProfile (dump_stats), pyinstrument (-r json) \
                   and SageMaker Debugger. Figure function_flame shows the functions in traces.";
        return Ok(sheet::message("Top Python functions", "no Python profile", why));
    }
    let mut notes = Vec::new();
    let mut panels = groups(runs.iter().zip(&profilers));
    read::cap(&mut panels, PANELS, "panels", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    let mut headline = String::new();
    for ((run, profiler), rows) in &panels {
        let mut functions = functions(frame, rows)?;
        functions.sort_by(|a, b| b.own.total_cmp(&a.own).then_with(|| a.name.cmp(&b.name)));
        let whole: f64 = functions.iter().map(|function| function.own).sum();
        if headline.is_empty() {
            headline = title(&functions, whole, profiler);
        }
        let all = functions.len();
        functions.truncate(NAMES);
        if functions.len() < all {
            let shown: f64 = functions.iter().map(|function| function.own).sum();
            notes.push(format!(
                "{NAMES} of {all} functions of {profiler} shown: {} of the time",
                label::share(shown, whole)
            ));
        }
        let scale = Scale::time(functions.iter().map(|function| function.cumulative).fold(0.0, f64::max));
        let labels: Vec<String> = functions.iter().map(short).collect();
        let x = theme::axis(&format!("sum over calls and ranks ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let panel = format!("run {run}, {profiler}");
        let at = sheet.panel(&panel, 22 + 18 * functions.len(), x, stack::side(&labels), true);
        let hover: Vec<String> = functions.iter().map(|function| hover(function, whole)).collect();
        let part = |name: &str, color: String, value: fn(&Function) -> f64| Part {
            name: name.to_owned(),
            color,
            values: functions.iter().map(|function| scale.of(value(function))).collect(),
            hover: hover.clone(),
        };
        let color = theme::work("python");
        let own = part("in the function itself", color.to_owned(), |function| function.own);
        let inside =
            part("in its callees", theme::faint(color, 0.4), |function| (function.cumulative - function.own).max(0.0));
        stack::draw(&mut sheet, &at, vec![own, inside], &Orientation::Horizontal);
    }
    Ok(sheet.plot(&headline, &notes))
}

/// The functions of some rows, summed over ranks.
fn functions(frame: &Frame, rows: &[usize]) -> Result<Vec<Function>> {
    let (files, names) = (read::texts(frame, "file")?, read::texts(frame, "function")?);
    let (lines, calls) = (read::integers(frame, "line")?, read::integers(frame, "calls")?);
    let (own, cumulative) = (read::floats(frame, "own_s")?, read::floats(frame, "cumulative_s")?);
    let of = |row: &usize| (files[*row].as_str(), lines[*row], names[*row].as_str());
    let ns = |values: &[f64], row: usize| if values[row].is_nan() { 0.0 } else { 1e9 * values[row] };
    let added = groups(rows.iter().map(of)).into_iter().map(|((file, line, name), members)| {
        let members: Vec<usize> = members.into_iter().map(|member| rows[member]).collect();
        Function {
            file: file.to_owned(),
            line,
            name: name.to_owned(),
            calls: members.iter().map(|row| calls[*row]).sum(),
            own: members.iter().map(|row| ns(&own, *row)).sum(),
            cumulative: members.iter().map(|row| ns(&cumulative, *row)).sum(),
        }
    });
    Ok(added.collect())
}

/// `forward (net.py:7)`, or the name of a built-in function.
fn short(function: &Function) -> String {
    let file = function.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let text = match function.line {
        Some(line) if !file.is_empty() && file != "~" => format!("{} ({file}:{line})", function.name),
        _ => label::built_in(&function.name).into_owned(),
    };
    label::clip(&text, LETTERS)
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn hover(function: &Function, whole: f64) -> String {
    let place = match function.line {
        Some(line) if function.file != "~" => format!("<br>{}:{line}", label::whole(&function.file)),
        _ => String::new(),
    };
    let calls = function.calls.map_or(String::new(), |n| format!("<br>{} calls", label::grouped(n)));
    format!(
        "{}{place}{calls}<br>own time {}, {} of the total<br>cumulative time {}",
        label::whole(&function.name),
        label::precise_duration(function.own as i64),
        label::share(function.own, whole),
        label::precise_duration(function.cumulative as i64)
    )
}

/// `23 % of 1.2 s (cprofile) is own time of forward (net.py:7)`
fn title(functions: &[Function], whole: f64, profiler: &str) -> String {
    functions.first().map_or(String::new(), |function| {
        let share = label::share(function.own, whole);
        format!("{share} of {} ({profiler}) is own time of {}", label::duration(whole), short(function))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, known, message, none, texts, told, value};

    fn top(names: usize) -> Frame {
        let name: Vec<String> = (0..names).map(|name| format!("f{name}")).collect();
        let names: Vec<&str> = name.iter().chain(&name).map(String::as_str).collect();
        let n = names.len();
        let own: Vec<f64> = (0..n).map(|row| (n - row) as f64).collect();
        let cumulative: Vec<f64> = own.iter().map(|own| 2.0 * own).collect();
        frame(vec![
            texts("run", &vec!["a"; n]),
            texts("profiler", &vec!["cprofile"; n]),
            texts("file", &vec!["/x/net.py"; n]),
            known("line", &vec![7; n]),
            texts("function", &names),
            known("calls", &vec![1_000; n]),
            floats("own_s", &own),
            floats("cumulative_s", &cumulative),
        ])
    }

    #[test]
    fn ranks_add_up_and_the_longest_stand_first() {
        let plot = value(&draw(&[top(2)]).unwrap());
        assert_eq!(plot["data"][0]["x"], json!([6.0, 4.0]));
        assert_eq!(plot["data"][1]["x"], json!([6.0, 4.0]));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["f0 (net.py:7)", "f1 (net.py:7)"]));
        assert_eq!(
            plot["data"][0]["hovertext"][0],
            "f0<br>/x/net.py:7<br>2,000 calls<br>own time 6 s, 60 % of the total<br>cumulative time 12 s"
        );
        assert_eq!(told(&plot), "60 % of 10 s (cprofile) is own time of f0 (net.py:7)");
    }

    #[test]
    fn many_functions_are_bounded() {
        let plot = value(&draw(&[top(500)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(told(&plot).contains("20 of 500 functions of cprofile shown"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&top(1))]).unwrap());
        assert_eq!(title, "<b>Top Python functions</b>");
        assert!(note.starts_with("<b>no Python profile</b>"), "{note}");
    }
}
