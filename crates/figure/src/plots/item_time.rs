//! Dataset items that took longest to read.

use plotly::Plot;
use plotly::common::Orientation;
use plotly::layout::RangeMode;

use crate::kit::label::Scale;
use crate::kit::read::groups;
use crate::kit::sheet::{PANELS, Sheet};
use crate::kit::stack::Part;
use crate::kit::{boxes, label, read, sheet, stack, theme};
use crate::{Ask, Figure, Frame, Result};

pub(crate) static FIGURE: Figure = Figure {
    name: "item_time",
    doc: "The items of a dataset that took longest to read, compared with the median item; a panel per loader.",
    queries: &[Ask { query: "loader.items", params: &[("limit", "40")] }],
    draw,
};

fn draw(frames: &[Frame]) -> Result<Plot> {
    let frame = read::answer(frames, 0)?;
    let (runs, nodes, loaders) =
        (read::texts(frame, "run")?, read::texts(frame, "node")?, read::texts(frame, "loader")?);
    let (ranks, items, workers) =
        (read::integers(frame, "rank")?, read::integers(frame, "item")?, read::integers(frame, "worker")?);
    let (most, median) = (read::floats(frame, "dur_max")?, read::floats(frame, "dur_p50")?);
    let (accesses, messages) = (read::integers(frame, "accesses")?, read::texts(frame, "message")?);
    if runs.is_empty() {
        let why = "No item of a dataset was recorded. tracelake.record records the items of a PyTorch DataLoader.";
        return Ok(sheet::message("Slowest items", "no items of a dataset in this profile", why));
    }
    let item = |row: usize| items[row].map_or("no index".to_owned(), |item| format!("item {item}"));
    let worker =
        |row: usize| workers[row].map_or("the training process".to_owned(), |worker| format!("worker {worker}"));
    let mut notes = vec!["dashed: median of all accesses of the loader".to_owned()];
    let mut panels = groups((0..runs.len()).map(|row| (&runs[row], &nodes[row], ranks[row], &loaders[row])));
    read::cap(&mut panels, PANELS, "loaders", &mut notes);
    let mut sheet = Sheet::default();
    for ((run, node, rank, loader), rows) in &panels {
        let scale = Scale::time(rows.iter().map(|row| most[*row]).fold(0.0, f64::max));
        let name = label::join(&[&format!("run {run}"), &label::place(node, *rank), loader], ", ");
        let x = theme::axis(&format!("slowest access ({})", scale.unit)).range_mode(RangeMode::ToZero);
        let names: Vec<String> = rows.iter().map(|row| item(*row)).collect();
        let at = sheet.panel(&name, 26 + 16 * names.len(), x, stack::side(&names), true);
        let who = label::plain(&name);
        let hover = rows.iter().map(|row| {
            let accesses = label::count(usize::try_from(accesses[*row].unwrap_or(1)).unwrap_or(1), "time");
            let message = if messages[*row].is_empty() {
                String::new()
            } else {
                format!("<br>{}", label::plain(&messages[*row]))
            };
            let took = scale.text(most[*row]);
            format!("{who}<br>{}, {}<br>{took}, read {accesses}{message}", item(*row), worker(*row))
        });
        let part = Part {
            name: "slowest access".to_owned(),
            color: theme::color("loader").to_owned(),
            values: rows.iter().map(|row| scale.of(most[*row])).collect(),
            hover: hover.collect(),
        };
        stack::draw(&mut sheet, &at, vec![part], &Orientation::Horizontal);
        if let Some(median) = rows.iter().map(|row| median[*row]).find(|median| median.is_finite()) {
            sheet.shape(boxes::limit(scale.of(median), &at));
        }
    }
    let worst = (0..runs.len()).max_by(|a, b| most[*a].total_cmp(&most[*b])).unwrap_or(0);
    let title = format!(
        "slowest: {} by {} in {}, the median item takes {}",
        item(worst),
        worker(worst),
        label::duration(most[worst]),
        label::duration(median[worst])
    );
    Ok(sheet.plot(&title, &notes))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::kit::testing::{floats, frame, ints, known, message, none, texts, told, value};

    fn answer() -> Frame {
        frame(vec![
            texts("run", &["a", "a"]),
            texts("node", &["n", "n"]),
            known("rank", &[0, 0]),
            texts("loader", &["train", "train"]),
            known("item", &[7, -1]),
            known("worker", &[1, -1]),
            ints("accesses", &[2, 1]),
            ints("dur_max", &[1_200_000_000, 20_000_000]),
            floats("dur_p50", &[5e6, 5e6]),
            texts("message", &["<7.png>", ""]),
        ])
    }

    #[test]
    fn the_slowest_items_are_bars_beside_the_median() {
        let plot = value(&draw(&[answer()]).unwrap());
        let bars = &plot["data"][0];
        assert_eq!((&bars["x"], &bars["y"]), (&json!([1.2, 0.02]), &json!([0.0, 1.0])));
        assert_eq!(plot["layout"]["yaxis"]["ticktext"], json!(["item 7", "no index"]));
        assert_eq!(
            bars["hovertext"][0],
            "run a, n, rank 0, train<br>item 7, worker 1<br>1.2 s, read 2 times<br>&lt;7.png&gt;"
        );
        assert_eq!(plot["layout"]["shapes"][0]["x0"], json!(0.005));
        assert_eq!(plot["layout"]["xaxis"]["title"]["text"], "slowest access (s)");
        assert!(
            told(&plot).starts_with("slowest: item 7 by worker 1 in 1.2 s, the median item takes 5 ms"),
            "{}",
            told(&plot)
        );
    }

    #[test]
    fn nothing_recorded_is_said() {
        let (title, note) = message(&draw(&[none(&answer())]).unwrap());
        assert_eq!(title, "<b>Slowest items</b>");
        assert!(note.contains("tracelake.record"), "{note}");
    }
}
