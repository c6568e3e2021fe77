//! Number of data loader workers compared with the number of CPU cores.

use plotly::Plot;
use plotly::Scatter;
use plotly::common::Mode;
use plotly::common::{DashType, Line, LineShape};
use plotly::layout::RangeMode;

use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Place, Sheet};
use crate::kit::{boxes, label, read, sheet, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "rules_loader",
    doc: "The number of data loader workers in each second, compared with limits derived from the CPU cores of the \
          machine (rule Dataloader); a panel per machine.",
    queries: &[Ask::new("rules.dataloader"), Ask::new("loader.active_workers")],
    draw,
};

/// Maximum number of seconds drawn in a panel. Longer jobs show the maximum of each stretch.
const SECONDS: usize = 2000;

/// The result of the rule for a machine.
struct Machine {
    run: String,
    node: String,
    triggered: Option<bool>,
    workers: f64,
    cores: Option<i64>,
    parameters: String,
}

impl Machine {
    /// Converts a limit in percent of the cores to a number of workers.
    fn limit(&self, name: &str) -> Option<f64> {
        Some(boxes::limit_of(&self.parameters, name)? * self.cores? as f64 / 100.0)
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut machines = machines(read::answer(frames, 0)?)?;
    let seconds = read::answer(frames, 1)?;
    if machines.is_empty() {
        let why = "No data loader worker was recorded. SageMaker's data loader profiling records workers.";
        return Ok(sheet::message("Workers and cores", "no data loader workers in this profile", why));
    }
    let mut notes = vec!["dashed: a number of workers outside these limits triggers the rule".to_owned()];
    let title = title(&machines);
    read::cap(&mut machines, PANELS, "machines", &mut notes);
    let owners: Vec<(String, String)> =
        read::texts(seconds, "run")?.into_iter().zip(read::texts(seconds, "node")?).collect();
    let (ts, alive) = (read::integers(seconds, "ts")?, read::integers(seconds, "alive")?);
    let rows = groups(owners.iter());
    let height = if machines.len() == 1 { 260 } else { 130 };
    let mut sheet = Sheet::default();
    let mut reduced = false;
    for machine in &machines {
        let name = label::join(&[&format!("run {}", machine.run), &machine.node], ", ");
        let y = theme::axis("workers (count)").range_mode(RangeMode::ToZero).n_ticks(5);
        let at = sheet.panel(&name, height, theme::time_axis(), y, true);
        let mine = rows.iter().find(|((run, node), _)| *run == machine.run && *node == machine.node);
        let counts: Vec<(i64, i64)> =
            mine.map_or(&[][..], |(_, rows)| rows).iter().filter_map(|row| Some((ts[*row]?, alive[*row]?))).collect();
        let drawn = reduce(&counts);
        reduced |= drawn.len() < counts.len();
        let role = if machine.triggered == Some(true) { "outlier" } else { "loader" };
        lines(&mut sheet, &at, machine, &drawn, theme::color(role));
    }
    if reduced {
        notes.push("long job: the maximum number of workers in each stretch is drawn".to_owned());
    }
    Ok(sheet.plot(&title, &notes))
}

/// Reduces the counts to at most [`SECONDS`]: of each stretch, the second with the most workers.
fn reduce(counts: &[(i64, i64)]) -> Vec<(i64, i64)> {
    let stretch = counts.len().div_ceil(SECONDS).max(1);
    counts.chunks(stretch).filter_map(|part| part.iter().max_by_key(|(_, alive)| *alive).copied()).collect()
}

fn lines(sheet: &mut Sheet, at: &Place, machine: &Machine, counts: &[(i64, i64)], color: &'static str) {
    let x: Vec<String> = counts.iter().map(|(ts, _)| label::time(*ts)).collect();
    let who = label::plain(&label::join(&[&format!("run {}", machine.run), &machine.node], ", "));
    let cores = machine.cores.map_or(String::new(), |cores| format!(" for {cores} cores"));
    let hover = counts.iter().map(|(ts, alive)| format!("{who}<br>{alive} workers{cores}<br>{} UTC", label::time(*ts)));
    let show = sheet.first("workers in a second");
    sheet.trace(
        Scatter::new(x.clone(), counts.iter().map(|(_, alive)| *alive as f64).collect())
            .mode(Mode::Lines)
            .line(Line::new().width(1.5).shape(LineShape::Hv).color(color))
            .name("workers in a second")
            .legend_group("workers in a second")
            .show_legend(show)
            .hover_text_array(hover.collect())
            .hover_template("%{hovertext}<extra></extra>")
            .x_axis(&at.x)
            .y_axis(&at.y),
    );
    let (Some(first), Some(last)) = (x.first(), x.last()) else { return };
    let ends = vec![first.clone(), last.clone()];
    for (name, what) in [("min_threshold", "minimum"), ("max_threshold", "maximum")] {
        let Some(limit) = machine.limit(name) else { continue };
        sheet.trace(
            Scatter::new(ends.clone(), vec![limit, limit])
                .mode(Mode::Lines)
                .line(Line::new().width(1.5).dash(DashType::Dash).color(theme::color("outlier")))
                .show_legend(false)
                .hover_text(format!("{who}<br>{what} number of workers{cores}: {}", label::number(limit)))
                .hover_template("%{hovertext}<extra></extra>")
                .x_axis(&at.x)
                .y_axis(&at.y),
        );
    }
}

fn machines(frame: &Frame) -> Result<Vec<Machine>> {
    let (runs, nodes) = (read::texts(frame, "run")?, read::texts(frame, "node")?);
    let (workers, cores) = (read::floats(frame, "workers_p50")?, read::integers(frame, "cores")?);
    let (triggered, parameters) = (frame.column::<bool>("triggered")?, read::texts(frame, "parameters")?);
    let rows = runs.into_iter().zip(nodes).zip(parameters).enumerate();
    let rows = rows.map(|(row, ((run, node), parameters))| Machine {
        run,
        node,
        triggered: triggered[row],
        workers: workers[row],
        cores: cores[row],
        parameters,
    });
    Ok(rows.collect())
}

/// `median number of workers 4, cores 8; 1 of 2 machines with too few or too many workers`
fn title(machines: &[Machine]) -> String {
    let triggered = machines.iter().filter(|machine| machine.triggered == Some(true)).count();
    let worst = machines.iter().max_by_key(|machine| machine.triggered).map_or(String::new(), |machine| {
        let cores = machine.cores.map_or("unknown".to_owned(), |cores| cores.to_string());
        let who = if machines.len() > 1 {
            format!("{}: ", label::join(&[&machine.run, &machine.node], ", "))
        } else {
            String::new()
        };
        format!("{who}median number of workers {}, cores {cores}", label::number(machine.workers))
    });
    let few = format!("{triggered} of {} with too few or too many workers", label::count(machines.len(), "machine"));
    format!("{worst}; {few}")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, ints, known, message, none, texts, told, value};

    const S: i64 = 1_000_000_000;

    fn answers() -> [Frame; 2] {
        let limits = r#"{"min_threshold":70.0,"max_threshold":200.0,"patience":10}"#;
        let rule = frame(vec![
            texts("run", &["a"]),
            texts("node", &["<n>"]),
            flags("triggered", &[true]),
            floats("workers_p50", &[2.0]),
            known("cores", &[8]),
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
    fn workers_stand_between_their_limits() {
        let plot = value(&draw(&answers()).unwrap());
        let data = plot["data"].as_array().unwrap();
        assert_eq!((&data[0]["y"], &data[0]["line"]["color"]), (&json!([2.0, 3.0]), &json!(theme::color("outlier"))));
        assert_eq!(data[0]["hovertext"][1], "run a, &lt;n&gt;<br>3 workers for 8 cores<br>1970-01-01 00:00:01 UTC");
        assert_eq!((&data[1]["y"], &data[2]["y"]), (&json!([5.6, 5.6]), &json!([16.0, 16.0])));
        let title = "median number of workers 2, cores 8; 1 of 1 machine with too few or too many workers | ";
        assert!(told(&plot).starts_with(title), "{}", told(&plot));
    }

    #[test]
    fn long_jobs_are_reduced_to_their_peaks() {
        let counts: Vec<(i64, i64)> = (0..4998).map(|second| (second, second % 7)).collect();
        let drawn = reduce(&counts);
        assert!(drawn.len() <= SECONDS && drawn.iter().all(|(_, alive)| *alive >= 2), "{}", drawn.len());
        assert_eq!(reduce(&counts[..3]), counts[..3]);
    }

    #[test]
    fn nothing_recorded_is_said() {
        let empty = answers().map(|answer| none(&answer));
        let (title, note) = message(&draw(&empty).unwrap());
        assert_eq!(title, "<b>Workers and cores</b>");
        assert!(note.starts_with("<b>no data loader workers in this profile</b>"), "{note}");
    }
}
