//! Number of data loader workers compared with the number of CPU cores.

use plotly::common::{DashType, Line, LineShape, Mode};
use plotly::{Plot, Scatter};

use crate::kit::read::{Required, group_by, row_types};
use crate::kit::sheet::{PANELS, PanelAxes, Sheet};
use crate::kit::trace::{HOVER_TEXT, TraceExt};
use crate::kit::{boxes, label, read, sheet, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_loader",
    doc: "The number of data loader workers in each second, compared with limits derived from the CPU cores of the \
          machine (rule Dataloader); a panel per machine.",
    queries: &[FigureQuery::new("rules.dataloader"), FigureQuery::new("loader.active_workers")],
    draw,
};

/// Maximum number of seconds drawn in a panel. Longer jobs show the maximum of each time bucket.
const SECONDS: usize = 2000;

row_types! {
    /// The result of the rule for a machine.
    struct WorkerRule {
        run: String,
        node: String,
        triggered: Option<bool>,
        /// Median number of worker processes over the seconds in which a worker lived.
        workers: f64 = "workers_p50",
        cores: Option<i64>,
        parameters: String,
    }
}

impl WorkerRule {
    /// The limit with this name as a number of workers; the rule has it in percent of the cores. `None` if the limit or
    /// the number of cores is unknown.
    fn limit(&self, name: &str) -> Option<f64> {
        Some(boxes::parse_limit(&self.parameters, name)? * self.cores? as f64 / 100.0)
    }
}

row_types! {
    /// The number of workers of a machine in a second.
    struct WorkerCount {
        run: String,
        node: String,
        ts: i64 = Required("ts"),
        /// Number of worker processes that were alive in the second.
        alive: i64 = Required("alive"),
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut machines = WorkerRule::read(read::frame(frames, 0)?)?;
    let counts = WorkerCount::read(read::frame(frames, 1)?)?;
    if machines.is_empty() {
        let why = "No data loader worker was recorded. SageMaker's data loader profiling records workers.";
        return Ok(sheet::message_plot("Workers and cores", "no data loader workers in this profile", why));
    }
    let mut notes = vec!["dashed: a number of workers outside these limits triggers the rule".to_owned()];
    let title = title(&machines);
    read::truncate(&mut machines, PANELS, "machines", &mut notes);
    let counts = group_by(&counts, |count| (count.run.as_str(), count.node.as_str()));
    let height = if machines.len() == 1 { 260 } else { 130 };
    let mut sheet = Sheet::default();
    let mut is_reduced = false;
    for machine in &machines {
        let label = label::process(&machine.run, &machine.node, None);
        let y = theme::axis_from_zero("workers", "count").n_ticks(5);
        let group = counts.iter().find(|((run, node), _)| *run == machine.run && *node == machine.node);
        let counts = group.map_or(&[][..], |(_, counts)| counts);
        let x = theme::time_axis(counts.first().map_or(0, |count| count.ts));
        let axes = sheet.add_panel(&label, height, x, y, true);
        let drawn = reduce(counts);
        is_reduced |= drawn.len() < counts.len();
        draw_machine(&mut sheet, &axes, machine, &label::sanitize(&label), &drawn);
    }
    if is_reduced {
        notes.push("long job: the maximum number of workers in each stretch is drawn".to_owned());
    }
    Ok(sheet.into_plot(&title, &notes))
}

/// Reduces the counts to at most [`SECONDS`]: each time bucket becomes its second with the most workers.
fn reduce<'a>(counts: &[&'a WorkerCount]) -> Vec<&'a WorkerCount> {
    let stretch = counts.len().div_ceil(SECONDS).max(1);
    counts.chunks(stretch).filter_map(|part| part.iter().max_by_key(|count| count.alive).copied()).collect()
}

/// Draws the number of workers over time, and its limits.
fn draw_machine(sheet: &mut Sheet, axes: &PanelAxes, machine: &WorkerRule, label: &str, counts: &[&WorkerCount]) {
    let x: Vec<String> = counts.iter().map(|count| label::time(count.ts)).collect();
    let cores = machine.cores.map_or(String::new(), |cores| format!(" for {cores} cores"));
    let hover =
        counts.iter().map(|count| format!("{label}<br>{} workers{cores}<br>{}", count.alive, label::moment(count.ts)));
    let color = theme::color(if machine.triggered == Some(true) { "outlier" } else { "loader" });
    let line = Scatter::new(x.clone(), counts.iter().map(|count| count.alive as f64).collect())
        .mode(Mode::Lines)
        .line(Line::new().width(1.5).shape(LineShape::Hv).color(color))
        .hover_texts(hover.collect());
    sheet.add_named_trace(axes, "workers in a second", line);
    let (Some(first), Some(last)) = (x.first(), x.last()) else { return };
    for (name, limit_kind) in [("min_threshold", "minimum"), ("max_threshold", "maximum")] {
        let Some(limit) = machine.limit(name) else { continue };
        sheet.add_trace(
            Scatter::new(vec![first.clone(), last.clone()], vec![limit, limit])
                .mode(Mode::Lines)
                .line(Line::new().width(1.5).dash(DashType::Dash).color(theme::color("outlier")))
                .show_legend(false)
                .hover_text(format!("{label}<br>{limit_kind} number of workers{cores}: {}", label::number(limit)))
                .hover_template(HOVER_TEXT)
                .on_axes(axes),
        );
    }
}

/// The title: `median number of workers 4, cores 8; 1 of 2 machines with too few or too many workers`.
fn title(machines: &[WorkerRule]) -> String {
    let triggered = machines.iter().filter(|machine| machine.triggered == Some(true)).count();
    let worst = machines.iter().max_by_key(|machine| machine.triggered).map_or(String::new(), |machine| {
        let cores = machine.cores.map_or("unknown".to_owned(), |cores| cores.to_string());
        let prefix = if machines.len() > 1 {
            format!("{}: ", label::join(&[&machine.run, &machine.node], ", "))
        } else {
            String::new()
        };
        format!("{prefix}median number of workers {}, cores {cores}", label::number(machine.workers))
    });
    let machines = label::count(machines.len(), "machine");
    format!("{worst}; {triggered} of {machines} with too few or too many workers")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{
        flags, floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows,
    };

    const S: i64 = 1_000_000_000;

    fn frames() -> [Frame; 2] {
        let limits = r#"{"min_threshold":70.0,"max_threshold":200.0,"patience":10}"#;
        let rule = frame(vec![
            texts("run", &["a"]),
            texts("node", &["<n>"]),
            flags("triggered", &[true]),
            floats("workers_p50", &[2.0]),
            nullable_ints("cores", &[8]),
            texts("parameters", &[limits]),
        ]);
        let seconds = frame(vec![
            texts("run", &["a", "a", "b"]),
            texts("node", &["<n>", "<n>", "<n>"]),
            ints("ts", &[0, S, 0]),
            ints("alive", &[2, 3, 9]),
        ]);
        [rule, seconds]
    }

    #[test]
    fn workers_are_between_their_limits() {
        let plot = to_value(&draw(&frames()).unwrap());
        let data = plot["data"].as_array().unwrap();
        assert_eq!((&data[0]["y"], &data[0]["line"]["color"]), (&json!([2.0, 3.0]), &json!(theme::color("outlier"))));
        assert_eq!(data[0]["hovertext"][1], "run a, &lt;n&gt;<br>3 workers for 8 cores<br>+1 s");
        assert_eq!((&data[1]["y"], &data[2]["y"]), (&json!([5.6, 5.6]), &json!([16.0, 16.0])));
        let title = "median number of workers 2, cores 8; 1 of 1 machine with too few or too many workers | ";
        assert!(heading(&plot).starts_with(title), "{}", heading(&plot));
    }

    #[test]
    fn long_jobs_are_reduced_to_their_peaks() {
        let count = |ts: i64| WorkerCount { run: String::new(), node: String::new(), ts, alive: ts % 7 };
        let counts: Vec<WorkerCount> = (0..4998).map(count).collect();
        let counts: Vec<&WorkerCount> = counts.iter().collect();
        let drawn = reduce(&counts);
        assert!(drawn.len() <= SECONDS && drawn.iter().all(|count| count.alive >= 2), "{}", drawn.len());
        assert_eq!(reduce(&counts[..3]).len(), 3);
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let empty = frames().map(|frame| without_rows(&frame));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>Workers and cores</b>");
        assert!(note.starts_with("<b>no data loader workers in this profile</b>"), "{note}");
    }
}
