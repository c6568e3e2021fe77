//! Time of each action of a PyTorch Lightning job.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::{BarMode, RangeMode};

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::Sheet;
use crate::kit::stack::Part;
use crate::kit::whose::Whose;
use crate::kit::{label, read, sheet, stack, theme, whose};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "action_breakdown",
    doc: "The actions of a PyTorch Lightning job as a tree, with the total time and the own time of each action; a \
          panel per report.",
    queries: &[Ask::new("action.tree")],
    draw,
};

/// Maximum number of actions in a panel, of panels, and of letters in a name.
const ACTIONS: usize = 25;
const PANELS: usize = 4;
const LETTERS: usize = 44;

/// An action of a report. Times are in ns.
struct Action {
    whose: Whose,
    profiler: String,
    file: (Option<i64>, Option<i64>),
    name: String,
    depth: usize,
    calls: Option<i64>,
    total: f64,
    own: f64,
    truncated: bool,
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let actions = actions(read::answer(frames, 0)?)?;
    if actions.is_empty() {
        let why = "Trainer(profiler=SimpleProfiler(dirpath=..., filename=...)) writes a report when a stage ends.";
        return Ok(sheet::message("Actions of PyTorch Lightning", "no report of Lightning's profilers", why));
    }
    let mut notes = Vec::new();
    let mut panels = groups(actions.iter().map(|action| (action.whose.clone(), action.profiler.clone(), action.file)));
    read::cap(&mut panels, PANELS, "reports", &mut notes);
    let mut sheet = Sheet::default();
    sheet.bars(BarMode::Stack);
    let mut headline = String::new();
    for ((whose, profiler, _), rows) in &panels {
        let all: Vec<&Action> = rows.iter().map(|row| &actions[*row]).collect();
        if headline.is_empty() {
            headline = title(&all);
        }
        let shown = longest(&all);
        if shown.len() < all.len() {
            notes.push(format!("{} of {} actions of a report shown (the longest)", shown.len(), all.len()));
            notes.dedup();
        }
        let scale = Scale::time(shown.iter().map(|action| action.total).fold(0.0, f64::max));
        let labels: Vec<String> = shown.iter().map(|action| indented(action)).collect();
        let x = theme::axis(&format!("time ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let panel =
            label::join(&[&format!("run {}", whose.run), &label::place(&whose.node, whose.rank), profiler], ", ");
        let at = sheet.panel(&panel, 22 + 18 * shown.len(), x, stack::side(&labels), true);
        let hover: Vec<String> = shown.iter().map(|action| hover(action)).collect();
        let part = |name: &str, color: String, value: fn(&Action) -> f64| Part {
            name: name.to_owned(),
            color,
            values: shown.iter().map(|action| scale.of(value(action))).collect(),
            hover: hover.clone(),
        };
        let color = theme::work("step");
        let own =
            part("in the action itself", color.to_owned(), |action| if action.own.is_nan() { 0.0 } else { action.own });
        let inside = part("in nested actions", theme::faint(color, 0.4), |action| {
            if action.own.is_nan() { action.total } else { (action.total - action.own).max(0.0) }
        });
        stack::draw(&mut sheet, &at, vec![own, inside], &Orientation::Horizontal);
    }
    if actions.iter().any(|action| action.truncated) {
        notes.push(
            "AdvancedProfiler stops an action when a nested action begins: compare only actions without nested actions"
                .to_owned(),
        );
    }
    if actions.iter().any(|action| action.own.is_nan() && !action.truncated) {
        notes.push(
            "if nested actions take longer than their parent, some ran outside it: in a sanity check or another stage"
                .to_owned(),
        );
    }
    Ok(sheet.plot(&headline, &notes))
}

fn actions(frame: &Frame) -> Result<Vec<Action>> {
    let text = |name| read::texts(frame, name);
    let integer = |name| read::integers(frame, name);
    let (profilers, names) = (text("profiler")?, text("action")?);
    let (objects, reports, depths, calls) =
        (integer("object")?, integer("report")?, integer("depth")?, integer("calls")?);
    let (total, own) = (read::floats(frame, "total_s")?, read::floats(frame, "own_s")?);
    let truncated = frame.column::<bool>("truncated")?;
    let rows = whose::whose(frame)?.into_iter().enumerate();
    let rows = rows.map(|(row, whose)| Action {
        whose,
        profiler: profilers[row].clone(),
        file: (objects[row], reports[row]),
        name: names[row].clone(),
        depth: usize::try_from(depths[row].unwrap_or(0)).unwrap_or(0),
        calls: calls[row],
        total: 1e9 * total[row],
        own: 1e9 * own[row],
        truncated: truncated[row].unwrap_or(false),
    });
    Ok(rows.filter(|action| !action.total.is_nan()).collect())
}

/// The longest actions, in their original order.
fn longest<'a>(all: &[&'a Action]) -> Vec<&'a Action> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| all[*b].total.total_cmp(&all[*a].total));
    order.truncate(ACTIONS);
    order.sort_unstable();
    order.into_iter().map(|place| all[place]).collect()
}

/// The clipped name, indented by its depth.
fn indented(action: &Action) -> String {
    let blank = "\u{2003}".repeat(action.depth.min(8));
    format!("{blank}{}", label::clip(&action.name, LETTERS - 2 * action.depth.min(8)))
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn hover(action: &Action) -> String {
    let calls = action.calls.map_or(String::new(), |n| format!("<br>{} calls", label::grouped(n)));
    let own = match (action.truncated, action.own.is_nan()) {
        (true, _) => "cut short by its nested actions".to_owned(),
        (false, true) => "its nested actions took longer".to_owned(),
        (false, false) => format!("own time {}", label::precise_duration(action.own as i64)),
    };
    format!("{}{calls}<br>{}<br>{own}", label::whole(&action.name), label::precise_duration(action.total as i64))
}

/// `19.1 % of 1.72 s of training epochs spent waiting for batches`, or the action with the longest own time.
fn title(actions: &[&Action]) -> String {
    let named = |end: &str| actions.iter().find(|action| action.name.ends_with(end) && !action.truncated);
    if let (Some(epoch), Some(next)) = (named("run_training_epoch"), named("train_dataloader_next")) {
        let share = label::share(next.total, epoch.total);
        return format!("{share} of {} of training epochs spent waiting for batches", label::duration(epoch.total));
    }
    let own = actions.iter().filter(|action| !action.own.is_nan()).max_by(|a, b| a.own.total_cmp(&b.own));
    own.map_or_else(
        || label::count(actions.len(), "action"),
        |action| format!("{} own time in {}", label::duration(action.own), label::clip(&action.name, LETTERS)),
    )
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{flags, floats, frame, ints, known, message, none, texts, told, value};

    fn tree(profiler: &str, truncated: bool) -> Frame {
        let own = if truncated { f64::NAN } else { 3.0 };
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["", ""]),
            known("rank", &[-1, -1]),
            texts("profiler", &[profiler, profiler]),
            known("object", &[0, 0]),
            known("report", &[0, 0]),
            texts("action", &["run_training_epoch", "[_TrainingEpochLoop].train_dataloader_next"]),
            ints("depth", &[0, 1]),
            known("calls", &[2, 20]),
            floats("total_s", &[4.0, 1.0]),
            floats("own_s", &[own, 1.0]),
            flags("truncated", &[truncated, false]),
        ])
    }

    #[test]
    fn actions_stand_below_the_ones_around_them() {
        let plot = value(&draw(&[tree("simple", false)]).unwrap());
        assert_eq!((&plot["data"][0]["x"], &plot["data"][1]["x"]), (&json!([3.0, 1.0]), &json!([1.0, 0.0])));
        assert_eq!(
            plot["layout"]["yaxis"]["ticktext"],
            json!(["run_training_epoch", "\u{2003}[_TrainingEpochLoop].train_datalo…"])
        );
        assert_eq!(told(&plot), "25 % of 4 s of training epochs spent waiting for batches");
        assert_eq!(plot["data"][0]["hovertext"][0], "run_training_epoch<br>2 calls<br>4 s<br>own time 3 s");
    }

    #[test]
    fn what_was_cut_short_is_said() {
        let plot = value(&draw(&[tree("advanced", true)]).unwrap());
        assert!(
            told(&plot).starts_with("1 s own time in [_TrainingEpochLoop].train_dataloader_next | AdvancedProfiler"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&tree("simple", false))]).unwrap());
        assert_eq!(title, "<b>Actions of PyTorch Lightning</b>");
        assert!(note.starts_with("<b>no report of Lightning's profilers</b>"), "{note}");
    }
}
