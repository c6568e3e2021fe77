//! Delay from the start of an operator to its kernels, divided into host and device time.

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
    name: "launch_delay",
    doc: "Mean time from the start of an operator to its launch, and from the launch to its kernel, for the operators \
          with the most delay; a panel per run.",
    queries: &[Ask::new("kernel.launch_delay_by_operator")],
    draw,
};

/// Maximum number of operators in a panel, of letters in a name next to its bar, and of panels.
const NAMES: usize = 20;
const LETTERS: usize = 38;
const RUNS: usize = 4;
const HOST: &str = "operator to launch (host)";
const DEVICE: &str = "launch to kernel (queue and device)";

/// One operator, summed over all ranks and kernel sequences.
#[derive(Default)]
struct Operator {
    name: String,
    n: f64,
    /// Sums over all calls.
    host: f64,
    device: f64,
    longest: i64,
}

impl Operator {
    fn whole(&self) -> f64 {
        self.host + self.device
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let runs = read::texts(frame, "run")?;
    if runs.is_empty() {
        let why = "No kernel was recorded with a launch inside an operator. Either the job ran on the CPU, or the \
                   profiler did not record both sides. Record with ProfilerActivity.CPU and ProfilerActivity.CUDA.";
        return Ok(sheet::message("Launch delay", "no launches of operators in this profile", why));
    }
    let mut notes = vec!["mean over all calls of an operator on all ranks; largest total delay on top".to_owned()];
    let mut panels = groups(runs.iter().map(String::as_str));
    read::cap(&mut panels, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    let mut headline = String::new();
    for (run, rows) in &panels {
        let mut operators = operators(frame, rows)?;
        if headline.is_empty() {
            headline = title(run, &operators, panels.len());
        }
        let all = operators.len();
        operators.truncate(NAMES);
        if operators.len() < all {
            let of = if panels.len() > 1 { format!(" of {}", label::clip(run, 20)) } else { String::new() };
            notes.push(format!("{NAMES} of {all} operators{of} shown"));
        }
        let mean = |sum: f64, operator: &Operator| sum / operator.n;
        let longest = operators.iter().map(|operator| mean(operator.whole(), operator)).fold(0.0, f64::max);
        let scale = Scale::time(longest);
        let names: Vec<String> = operators.iter().map(|operator| label::clip(&operator.name, LETTERS)).collect();
        let x = theme::axis(&format!("mean delay ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let at = sheet.panel(&format!("run {run}"), 22 + 18 * operators.len(), x, stack::side(&names), true);
        let part = |name: &str, role: &str, sum: fn(&Operator) -> f64| Part {
            name: name.to_owned(),
            color: theme::color(role).to_owned(),
            values: operators.iter().map(|operator| scale.of(mean(sum(operator), operator))).collect(),
            hover: operators.iter().map(|operator| hover(operator, name, sum(operator))).collect(),
        };
        let parts = vec![part(HOST, "runtime", |o| o.host), part(DEVICE, "kernel", |o| o.device)];
        stack::draw(&mut sheet, &at, parts, &Orientation::Horizontal);
    }
    Ok(sheet.plot(&headline, &notes))
}

/// The operators of these rows, sorted by descending total delay.
fn operators(frame: &Frame, rows: &[usize]) -> Result<Vec<Operator>> {
    let names = read::texts(frame, "operator")?;
    let (n, longest) = (read::integers(frame, "n")?, read::integers(frame, "launch_delay_max")?);
    let (host, device) = (read::floats(frame, "operator_delay_mean")?, read::floats(frame, "launch_delay_mean")?);
    let mut operators: Vec<Operator> = groups(rows.iter().map(|row| names[*row].as_str()))
        .into_iter()
        .map(|(name, members)| {
            let mut operator = Operator { name: name.to_owned(), ..Operator::default() };
            for row in members.into_iter().map(|member| rows[member]) {
                let calls = n[row].unwrap_or(0) as f64;
                operator.n += calls;
                operator.host += calls * host[row];
                operator.device += calls * device[row];
                operator.longest = operator.longest.max(longest[row].unwrap_or(0));
            }
            operator
        })
        .filter(|operator| operator.n > 0.0)
        .collect();
    operators.sort_by(|a, b| b.whole().total_cmp(&a.whole()).then_with(|| a.name.cmp(&b.name)));
    Ok(operators)
}

fn hover(operator: &Operator, part: &str, sum: f64) -> String {
    format!(
        "{}<br>{part}: mean {}<br>{} calls; longest from launch to kernel {}",
        label::whole(&operator.name),
        label::duration(sum / operator.n),
        label::number(operator.n),
        label::precise_duration(operator.longest)
    )
}

/// `on average kernels begin 2.1 ms after their launch, launches 9 us after their operator; aten::mm has most`
fn title(run: &str, operators: &[Operator], runs: usize) -> String {
    let sum = |of: fn(&Operator) -> f64| operators.iter().map(of).sum::<f64>();
    let n = sum(|operator| operator.n);
    let of = if runs > 1 { format!(" in run {}", label::clip(run, 20)) } else { String::new() };
    let text = format!(
        "on average kernels{of} begin {} after their launch, launches {} after their operator",
        label::duration(sum(|operator| operator.device) / n),
        label::duration(sum(|operator| operator.host) / n)
    );
    operators.first().map_or(text.clone(), |first| {
        let share = label::share(first.whole(), sum(Operator::whole));
        format!("{text}; {} has {share} of the delay", label::clip(&first.name, LETTERS))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, message, none, texts, told, value};

    fn delays(operators: usize) -> Frame {
        let names: Vec<String> = (0..operators).map(|n| format!("aten::op<{n}>")).collect();
        let mut rows: Vec<&str> = names.iter().map(String::as_str).collect();
        rows.push("aten::op<0>"); // the same one with other kernels
        let count = rows.len();
        let number = |row: usize| f64::from(u32::try_from(row).unwrap());
        frame(vec![
            texts("run", &vec!["a<b>"; count]),
            texts("operator", &rows),
            ints("n", &(0..count).map(|row| if row + 1 == count { 3 } else { 1 }).collect::<Vec<_>>()),
            floats("operator_delay_mean", &vec![4_000.0; count]),
            floats(
                "launch_delay_mean",
                &(0..count)
                    .map(|row| if row + 1 == count { 40_000.0 } else { 20_000.0 - number(row) })
                    .collect::<Vec<_>>(),
            ),
            ints("launch_delay_max", &vec![50_000; count]),
        ])
    }

    #[test]
    fn sequences_and_ranks_of_an_operator_are_taken_together() {
        let plot = value(&draw(&[delays(2)]).unwrap());
        let (host, device) = (&plot["data"][0], &plot["data"][1]);
        assert_eq!((&host["name"], &host["x"]), (&json!(HOST), &json!([4.0, 4.0])));
        // (20 + 3 x 40) / 4 us
        assert_eq!((&device["name"], &device["x"]), (&json!(DEVICE), &json!([35.0, 19.999])));
        assert_eq!(plot["layout"]["barmode"], "stack");
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["aten::op&lt;0&gt;", "aten::op&lt;1&gt;"]));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "mean delay (us)");
        assert_eq!(
            device["hovertext"][0],
            "aten::op&lt;0&gt;<br>launch to kernel (queue and device): mean 35 us<br>4 calls; longest from launch to kernel 50 us"
        );
        // 159.999 us over 5 calls; 156 of 179.999 us
        assert!(
            told(&plot).starts_with(
                "on average kernels begin 32 us after their launch, launches 4 us after their operator; aten::op&lt;0&gt; has 86.7 % of the delay | "
            ),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn many_operators_are_bounded() {
        let plot = value(&draw(&[delays(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(told(&plot).ends_with("20 of 300 operators shown"), "{}", told(&plot));
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&delays(1))]).unwrap());
        assert_eq!(title, "<b>Launch delay</b>");
        assert!(note.starts_with("<b>no launches of operators in this profile</b><br>"), "{note}");
    }
}
