//! Delay from the start of an operator to its kernels, divided into host and device time.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::read::{group_by, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "launch_delay",
    doc: "Mean time from the start of an operator to its launch, and from the launch to its kernel, for the operators \
          with the most delay; a panel per run.",
    queries: &[FigureQuery::new("kernel.launch_delay_by_operator")],
    draw,
};

/// Maximum number of operators in a panel, of letters in a name next to its bar, and of panels.
const NAMES: usize = 20;
const LETTERS: usize = 38;
const RUNS: usize = 4;
const HOST: &str = "operator to launch (host)";
const DEVICE: &str = "launch to kernel (queue and device)";

row_types! {
    /// Delays of an operator on a rank with one kernel sequence. Times are in ns.
    struct LaunchDelay {
        run: String,
        operator: String,
        n: i64,
        host_mean: f64 = "operator_delay_mean",
        device_mean: f64 = "launch_delay_mean",
        max: i64 = "launch_delay_max",
    }
}

/// One operator, summed over all ranks and kernel sequences. Times are in ns.
struct OperatorDelay {
    name: String,
    n: f64,
    /// Sums over all calls.
    host: f64,
    device: f64,
    /// Longest delay from launch to kernel.
    max: i64,
}

impl OperatorDelay {
    fn total(&self) -> f64 {
        self.host + self.device
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let delays = LaunchDelay::read(read::frame(frames, 0)?)?;
    if delays.is_empty() {
        let why = "No kernel was recorded with a launch inside an operator. Either the job ran on the CPU, or the \
                   profiler did not record both sides. Record with ProfilerActivity.CPU and the activity of the \
                   device (CUDA, XPU, MTIA, HPU or NPU).";
        return Ok(sheet::message_plot("Launch delay", "no launches of operators in this profile", why));
    }
    let mut notes = vec!["mean over all calls of an operator on all ranks; largest total delay on top".to_owned()];
    let mut panels = group_by(&delays, |delay| delay.run.as_str());
    read::truncate(&mut panels, RUNS, "runs", &mut notes);
    let mut sheet = Sheet::with_stacked_bars();
    let mut headline = String::new();
    for (run, delays) in &panels {
        let mut operators = sum_delays(delays);
        if headline.is_empty() {
            headline = title(run, &operators, panels.len());
        }
        let all = operators.len();
        operators.truncate(NAMES);
        if operators.len() < all {
            let of_run = if panels.len() > 1 { format!(" of {}", label::clip(run, 20)) } else { String::new() };
            notes.push(format!("{NAMES} of {all} operators{of_run} shown"));
        }
        let scale = Scale::time(operators.iter().map(|operator| operator.total() / operator.n).fold(0.0, f64::max));
        let names: Vec<String> = operators.iter().map(|operator| label::clip(&operator.name, LETTERS)).collect();
        let x = theme::axis_from_zero("mean delay", scale.unit);
        let axes = stack::add_panel(&mut sheet, &format!("run {run}"), 22 + 18 * names.len(), x, &names);
        let part = |name: &str, role: &str, sum: fn(&OperatorDelay) -> f64| {
            let value = |operator: &OperatorDelay| scale.convert(sum(operator) / operator.n);
            BarPart::new(name, theme::color(role), &operators, value, |operator| hover(operator, name, sum(operator)))
        };
        let host = part(HOST, "runtime", |operator| operator.host);
        let device = part(DEVICE, "kernel", |operator| operator.device);
        stack::draw(&mut sheet, &axes, [host, device]);
    }
    Ok(sheet.into_plot(&headline, &notes))
}

/// Sums the delays of each operator. The largest total delay comes first.
fn sum_delays(delays: &[&LaunchDelay]) -> Vec<OperatorDelay> {
    let sum = |(name, delays): (&str, Vec<&LaunchDelay>)| {
        let mut operator = OperatorDelay { name: name.to_owned(), n: 0.0, host: 0.0, device: 0.0, max: 0 };
        for delay in delays {
            let calls = delay.n as f64;
            operator.n += calls;
            operator.host += calls * delay.host_mean;
            operator.device += calls * delay.device_mean;
            operator.max = operator.max.max(delay.max);
        }
        operator
    };
    let operators = group_by(delays.iter().copied(), |delay| delay.operator.as_str());
    let mut operators: Vec<OperatorDelay> =
        operators.into_iter().map(sum).filter(|operator| operator.n > 0.0).collect();
    operators.sort_by(|a, b| b.total().total_cmp(&a.total()).then_with(|| a.name.cmp(&b.name)));
    operators
}

fn hover(operator: &OperatorDelay, part: &str, sum: f64) -> String {
    format!(
        "{}<br>{part}: mean {}<br>{} calls; longest from launch to kernel {}",
        label::wrap_name(&operator.name),
        label::duration(sum / operator.n),
        label::number(operator.n),
        label::precise_duration(operator.max)
    )
}

/// `on average kernels begin 2.1 ms after their launch, launches 9 us after their operator; aten::mm has 60 % of the
/// delay`
fn title(run: &str, operators: &[OperatorDelay], runs: usize) -> String {
    let sum = |value: fn(&OperatorDelay) -> f64| operators.iter().map(value).sum::<f64>();
    let n = sum(|operator| operator.n);
    let in_run = if runs > 1 { format!(" in run {}", label::clip(run, 20)) } else { String::new() };
    let text = format!(
        "On average kernels{in_run} begin {} after their launch, launches {} after their operator",
        label::duration(sum(|operator| operator.device) / n),
        label::duration(sum(|operator| operator.host) / n)
    );
    operators.first().map_or(text.clone(), |first| {
        let share = label::percentage(first.total(), sum(OperatorDelay::total));
        format!("{text}; {} has {share} of the delay", label::clip(&first.name, LETTERS))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, heading, ints, message, texts, to_value, without_rows};

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
    fn sequences_and_ranks_of_an_operator_are_summed() {
        let plot = to_value(&draw(&[delays(2)]).unwrap());
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
            heading(&plot).starts_with(
                "On average kernels begin 32 us after their launch, launches 4 us after their operator; aten::op&lt;0&gt; has 86.7 % of the delay | "
            ),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn the_number_of_operators_is_limited() {
        let plot = to_value(&draw(&[delays(300)]).unwrap());
        assert_eq!(plot["data"][0]["x"].as_array().unwrap().len(), NAMES);
        assert!(heading(&plot).ends_with("20 of 300 operators shown"), "{}", heading(&plot));
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&delays(1))]).unwrap());
        assert_eq!(title, "<b>Launch delay</b>");
        assert!(note.starts_with("<b>no launches of operators in this profile</b><br>"), "{note}");
    }
}
