//! Time of each action of a PyTorch Lightning job.

use plotly::Plot;

use crate::kit::label::Scale;
use crate::kit::origin::Origin;
use crate::kit::read::{Scaled, group_by, row_types};
use crate::kit::sheet::Sheet;
use crate::kit::stack::BarPart;
use crate::kit::{label, read, sheet, stack, theme};
use crate::{Figure, FigureQuery, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "action_breakdown",
    doc: "The actions of a PyTorch Lightning job as a tree, with the total time and the own time of each action; a \
          panel per report.",
    queries: &[FigureQuery::new("action.tree")],
    draw,
};

/// Maximum number of actions in a panel, of panels, and of letters in a name.
const ACTIONS: usize = 25;
const PANELS: usize = 4;
const LETTERS: usize = 44;

row_types! {
    /// An action of a report. Times are in ns.
    struct LightningAction {
        origin: Origin,
        profiler: String,
        object: Option<i64>,
        report: Option<i64>,
        name: String = "action",
        depth: i64,
        calls: Option<i64>,
        total: f64 = Scaled("total_s", 1e9),
        own: f64 = Scaled("own_s", 1e9),
        truncated: bool,
    }
}

fn draw(frames: &[Frame]) -> Result<Plot> {
    let mut actions = LightningAction::read(read::frame(frames, 0)?)?;
    actions.retain(|action| !action.total.is_nan());
    if actions.is_empty() {
        let why = "Trainer(profiler=SimpleProfiler(dirpath=..., filename=...)) writes a report when a stage ends.";
        return Ok(sheet::message_plot("Actions of PyTorch Lightning", "no report of Lightning's profilers", why));
    }
    let mut notes = Vec::new();
    let mut panels = group_by(&actions, |action| (&action.origin, &action.profiler, action.object, action.report));
    let several = panels.len() > 1;
    read::truncate(&mut panels, PANELS, "reports", &mut notes);
    let mut sheet = Sheet::with_stacked_bars();
    for ((origin, profiler, ..), all) in &panels {
        let shown = longest(all);
        if shown.len() < all.len() {
            notes.push(format!("{} of {} actions of a report shown (the longest)", shown.len(), all.len()));
            notes.dedup();
        }
        let scale = Scale::time(shown.iter().map(|action| action.total).fold(0.0, f64::max));
        let names: Vec<String> = shown.iter().map(|action| indented_name(action)).collect();
        let label = label::join(&[&label::process(&origin.run, &origin.node, origin.rank), profiler], ", ");
        let x = theme::axis_from_zero("time", scale.unit);
        let axes = stack::add_panel(&mut sheet, &label, 22 + 18 * shown.len(), x, &names);
        let color = theme::work_color("step");
        let part = |name: &str, color: String, value: fn(&LightningAction) -> f64| {
            BarPart::new(name, color, &shown, |action| scale.convert(value(action)), |action| hover(action))
        };
        let own = part("in the action itself", color.to_owned(), |action| read::zero_if_nan(action.own));
        let nested = part("in nested actions", theme::with_opacity(color, 0.4), |action| {
            if action.own.is_nan() { action.total } else { (action.total - action.own).max(0.0) }
        });
        stack::draw(&mut sheet, &axes, [own, nested]);
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
    let headline = panels.first().map_or(String::new(), |((origin, profiler, object, _), actions)| {
        let file = label::numbered("file", *object);
        let report = label::join(&[&label::process(&origin.run, &origin.node, origin.rank), profiler, &file], ", ");
        label::capitalize(&label::join(&[if several { &report } else { "" }, &title(actions)], ": "))
    });
    Ok(sheet.into_plot(&headline, &notes))
}

/// The longest actions, in their original order.
fn longest<'a>(all: &[&'a LightningAction]) -> Vec<&'a LightningAction> {
    let mut order: Vec<usize> = (0..all.len()).collect();
    order.sort_by(|a, b| all[*b].total.total_cmp(&all[*a].total));
    order.truncate(ACTIONS);
    order.sort_unstable();
    order.into_iter().map(|index| all[index]).collect()
}

/// The clipped name, indented by its depth.
fn indented_name(action: &LightningAction) -> String {
    let depth = usize::try_from(action.depth).unwrap_or(0).min(8);
    format!("{}{}", "\u{2003}".repeat(depth), label::clip(&action.name, LETTERS - 2 * depth))
}

#[expect(clippy::cast_possible_truncation, reason = "times of a job")]
fn hover(action: &LightningAction) -> String {
    let calls = action.calls.map_or(String::new(), |n| format!("<br>{} calls", label::group_digits(n)));
    let own = match (action.truncated, action.own.is_nan()) {
        (true, _) => "cut short by its nested actions".to_owned(),
        (false, true) => "its nested actions took longer".to_owned(),
        (false, false) => format!("own time {}", label::precise_duration(action.own as i64)),
    };
    format!("{}{calls}<br>{}<br>{own}", label::wrap_name(&action.name), label::precise_duration(action.total as i64))
}

/// `19.1 % of 1.72 s of training epochs spent waiting for batches`, or the action with the longest own time.
fn title(actions: &[&LightningAction]) -> String {
    let find = |suffix: &str| actions.iter().find(|action| action.name.ends_with(suffix) && !action.truncated);
    if let (Some(epoch), Some(next)) = (find("run_training_epoch"), find("train_dataloader_next")) {
        let share = label::percentage(next.total, epoch.total);
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
    use crate::kit::testing::{
        flags, floats, frame, heading, ints, message, nullable_ints, texts, to_value, without_rows,
    };

    fn tree(profiler: &str, truncated: bool) -> Frame {
        let own = if truncated { f64::NAN } else { 3.0 };
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["", ""]),
            nullable_ints("rank", &[-1, -1]),
            texts("profiler", &[profiler, profiler]),
            nullable_ints("object", &[0, 0]),
            nullable_ints("report", &[0, 0]),
            texts("action", &["run_training_epoch", "[_TrainingEpochLoop].train_dataloader_next"]),
            ints("depth", &[0, 1]),
            nullable_ints("calls", &[2, 20]),
            floats("total_s", &[4.0, 1.0]),
            floats("own_s", &[own, 1.0]),
            flags("truncated", &[truncated, false]),
        ])
    }

    #[test]
    fn actions_are_indented_below_their_parents() {
        let plot = to_value(&draw(&[tree("simple", false)]).unwrap());
        assert_eq!((&plot["data"][0]["x"], &plot["data"][1]["x"]), (&json!([3.0, 1.0]), &json!([1.0, 0.0])));
        assert_eq!(
            plot["layout"]["yaxis"]["ticktext"],
            json!(["run_training_epoch", "\u{2003}[_TrainingEpochLoop].train_datalo…"])
        );
        assert_eq!(heading(&plot), "25 % of 4 s of training epochs spent waiting for batches");
        assert_eq!(plot["data"][0]["hovertext"][0], "run_training_epoch<br>2 calls<br>4 s<br>own time 3 s");
    }

    #[test]
    fn a_note_reports_truncated_actions() {
        let plot = to_value(&draw(&[tree("advanced", true)]).unwrap());
        assert!(
            heading(&plot).starts_with("1 s own time in [_TrainingEpochLoop].train_dataloader_next | AdvancedProfiler"),
            "{}",
            heading(&plot)
        );
    }

    #[test]
    fn an_empty_frame_shows_a_message() {
        let (title, note) = message(&draw(&[without_rows(&tree("simple", false))]).unwrap());
        assert_eq!(title, "<b>Actions of PyTorch Lightning</b>");
        assert!(note.starts_with("<b>no report of Lightning's profilers</b>"), "{note}");
    }
}
